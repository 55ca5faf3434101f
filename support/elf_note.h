/* SPDX-License-Identifier: MIT */
/* Reads the notes of ELF files. The bytes may hold anything. */
#ifndef SUPPORT_ELF_NOTE_H
#define SUPPORT_ELF_NOTE_H

#include "support/bytes.h"

struct elf_note {
    struct bytes owner; /* the name of the owner, with its NUL */
    uint32_t type;
    struct bytes content;
};

/* Reads the note at *AT in the bytes of a PT_NOTE segment and moves *AT to the next one. False at the end, or if the
 * rest is no note. */
bool elf_next_note(struct bytes segment, uint64_t *at, struct elf_note *note);

/* Finds the first note of OWNER and TYPE in a 64-bit ELF file. False if the file has none or is malformed. */
bool elf_find_note(struct bytes file, const char *owner, uint32_t type, struct bytes *content);

#endif
