/* SPDX-License-Identifier: MIT */
/* The note with which a code object tells the HSAIL names of its symbols that have module linkage. The finalizer writes
 * it, and the loader reads it. A code object without such a note only has symbols of program linkage.
 *
 * Its content is three strings for each symbol, each with its NUL: the symbol in the code object (of a kernel, without
 * ".kd"), the name of the module, and the name within the module. Zeros may follow. */
#ifndef SUPPORT_LINKAGE_NOTE_H
#define SUPPORT_LINKAGE_NOTE_H

#include "support/bytes.h"

#define LINKAGE_NOTE_OWNER "HSAIL"
enum { LINKAGE_NOTE_TYPE = 1 };

struct linkage_record {
    const char *symbol, *module, *name; /* in the note */
};

/* Reads the record at *AT of a note of any content and moves *AT to the next one. False at the end, or if the rest is
 * no record. */
static inline bool linkage_next(struct bytes note, uint64_t *at, struct linkage_record *record)
{
    const char **const strings[] = {&record->symbol, &record->module, &record->name};
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *end = *at < note.size ? memchr(note.data + *at, 0, note.size - *at) : NULL;
        if (!end || end == note.data + *at)
            return false;
        *strings[i] = (const char *)note.data + *at;
        *at = (uint64_t)(end - note.data) + 1;
    }
    return true;
}

#endif
