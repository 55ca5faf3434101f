/* SPDX-License-Identifier: MIT */
/* Shows the entries of a module as text, field by field, so that one can see what a producer has written. */
#ifndef BRIG_DUMP_H
#define BRIG_DUMP_H

#include "brig/module.h"

/* Gets the dump piece by piece; false stops it. */
typedef bool brig_write_fn(void *context, const char *text, size_t size);

/* Dumps a view that brig_read() or brig_open() made: the sections, then every entry with its fields, in the order
 * code, operands, data. Entries that the structural check would refuse are shown as far as they can be. Long
 * strings and lists are shortened where they are referred to, and whole in hsa_data, so the size of the dump is
 * linear in that of the module. Returns BRIG_OK, BRIG_OUT_OF_MEMORY, or BRIG_INVALID when WRITE returned false. */
enum brig_status brig_dump(const struct brig_view *view, brig_write_fn *write, void *context);

#endif
