/* SPDX-License-Identifier: MIT */
/* A segment while its loop is emitted, and what the parts of its emission share. */
#ifndef RUNTIME_GCN_JIT_SEGMENT_H
#define RUNTIME_GCN_JIT_SEGMENT_H

#include "runtime/gcn/jit/build.h"

enum { MASKS_MAX = GCN_SGPRS / 2 + 1, SPLATS = 64 };

struct jit_segment {
    LLVMValueRef value[LINES];
    bool dirty[LINES];
    LLVMValueRef base, shift, exec, full; /* FULL: bits of EXEC; NULL in the version for all lanes */
    LLVMValueRef masks[RECORDS_MAX];
    struct {
        LLVMValueRef scalar, splat;
    } splats[SPLATS];
    unsigned splat_count;
    LLVMBasicBlockRef begin, body, end; /* before the loop, its first and its last block */
    LLVMValueRef collected[MASKS_MAX];
};

/* A chunk whose lanes all are X, a dword. */
LLVMValueRef segment_splat(struct builder *f, struct jit_segment *s, LLVMValueRef x);

/* The value of the line at REF, or of the HALF-th line after it; and giving it a new one. */
LLVMValueRef segment_get(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half);
void segment_put(struct jit_segment *s, uint32_t ref, unsigned half, LLVMValueRef value);

/* Whether LINES lines at REF are registers, or constants with the same value in all lanes. */
bool segment_is_line(const struct builder *f, uint32_t ref, unsigned lines);

/* segment_memory.c */

/* Captures the operands of an access to group memory; false if its handler must execute it. */
bool memory_capture(struct builder *f, struct record *r);
void memory_emit(struct builder *f, struct jit_segment *s, const struct record *r);

/* Makes sure that an operation with this effect may follow what the segment has so far, by emitting that first if need
 * be; and notes that it has been recorded. */
void memory_order(struct builder *f, const struct effect *effect);
void memory_note(struct builder *f, const struct effect *effect);

#endif
