/* SPDX-License-Identifier: MIT */
/* Writes a module as another producer might have written it: it is legal and means the same, but has another shape. */
#ifndef TESTSUITE_BRIG_FOREIGN_H
#define TESTSUITE_BRIG_FOREIGN_H

#include "brig/module.h"

/* How modules may differ from those that our own builder writes (PRM 18.2, 18.4-18.6). */
enum foreign_shape {
    FOREIGN_ORDER = 1 << 0,       /* hsa_data and hsa_operand in random order */
    FOREIGN_UNSHARED = 1 << 1,    /* an entry of its own for every reference */
    FOREIGN_SHARED = 1 << 2,      /* one entry for all that are equal, lists and operands too */
    FOREIGN_LONGER = 1 << 3,      /* entries with bytes after what their structure has */
    FOREIGN_SECTIONS = 1 << 4,    /* more sections, in any order, longer headers, a hash */
    FOREIGN_UNUSED = 1 << 5,      /* entries that nothing refers to */
    FOREIGN_ANNOTATIONS = 1 << 6, /* comments, loc, pragma and NONE before any entry */
    FOREIGN_VERSION = 1 << 7,     /* any minor version of BRIG */
    FOREIGN_SHAPES = (1 << 8) - 1
};

/* Writes the opened VIEW in SHAPES, a sum of the values above; SEED decides about details. *MODULE is aligned to 16 and
 * is to be freed with mem_free(). False when memory is out. */
bool foreign_write(const struct brig_view *view, unsigned shapes, uint64_t seed, uint8_t **module, size_t *size);

#endif
