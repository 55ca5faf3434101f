/* SPDX-License-Identifier: MIT */
/* Reading the notes of ELF files; see elf_note.h.
 * Input: bytes of any content. Output: notes. Invariant: nothing outside the bytes is read. */
#include "support/elf_note.h"

#include <elf.h>

bool elf_next_note(struct bytes segment, uint64_t *at, struct elf_note *note)
{
    Elf64_Nhdr head;
    if (!range_inside(*at, sizeof head, segment.size))
        return false;
    memcpy(&head, segment.data + *at, sizeof head);
    uint64_t owner = *at + sizeof head, content = owner + align_up(head.n_namesz, 4);
    if (!range_inside(owner, head.n_namesz, segment.size) || !range_inside(content, head.n_descsz, segment.size))
        return false;
    note->owner = bytes_slice(segment, owner, head.n_namesz);
    note->type = head.n_type;
    note->content = bytes_slice(segment, content, head.n_descsz);
    *at = content + align_up(head.n_descsz, 4);
    return true;
}

bool elf_find_note(struct bytes file, const char *owner, uint32_t type, struct bytes *content)
{
    Elf64_Ehdr header;
    if (file.size < sizeof header)
        return false;
    memcpy(&header, file.data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr) ||
        !range_inside(header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr), file.size))
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, file.data + header.e_phoff + i * sizeof segment, sizeof segment);
        struct bytes notes = bytes_slice(file, segment.p_offset, segment.p_filesz);
        struct elf_note note;
        for (uint64_t at = 0; segment.p_type == PT_NOTE && elf_next_note(notes, &at, &note);)
            if (note.type == type && note.owner.size == strlen(owner) + 1 &&
                !memcmp(note.owner.data, owner, note.owner.size)) {
                *content = note.content;
                return true;
            }
    }
    return false;
}
