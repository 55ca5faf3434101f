/* SPDX-License-Identifier: MIT */
/* Notes of ELF files, read from bytes that may hold anything. */
#ifndef SUPPORT_ELF_NOTE_H
#define SUPPORT_ELF_NOTE_H

#include "support/bytes.h"

struct elf_note {
    struct bytes owner; /* with its NUL */
    uint32_t type;
    struct bytes content;
};

/* Reads the note at *AT of a PT_NOTE segment's bytes and moves *AT after it; false at the end, or when the rest is no
 * note. */
bool elf_next_note(struct bytes segment, uint64_t *at, struct elf_note *note);

/* Finds the first note of OWNER and TYPE in a 64-bit ELF file; false when the file has none or is malformed. */
bool elf_find_note(struct bytes file, const char *owner, uint32_t type, struct bytes *content);

#endif
