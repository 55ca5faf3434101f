/* SPDX-License-Identifier: MIT */
/* Decoder of machine code. */
#ifndef RUNTIME_GCN_DECODE_H
#define RUNTIME_GCN_DECODE_H

#include "runtime/gcn/inst/gcn_target.h"

/* Why bytes are no instruction: GCN_REJECT_TRUNCATED, ..., one for each row of runtime/gcn/tables/reject.def. */
enum gcn_decode_status {
    GCN_DECODE_OK,
#define REJECT(id, text) GCN_REJECT_##id,
#include "runtime/gcn/tables/reject.def"
#undef REJECT
    GCN_DECODE_STATUS_COUNT
};

/**
 * Decodes the instruction of TARGET at BYTES, of which SIZE may be read; BYTES need no alignment.
 *
 * Returns GCN_DECODE_OK and fills *INST, or the reason why the bytes are no instruction of TARGET; *INST then
 * holds nothing but the number of bytes that a reader may skip to go on: 0, 4 or 8, never more than SIZE.
 */
enum gcn_decode_status gcn_decode(const struct gcn_target *target, const void *bytes, size_t size,
                                  struct gcn_inst *inst);

/* The reason in words, static; "" for GCN_DECODE_OK. */
const char *gcn_decode_reason(enum gcn_decode_status status);

#endif
