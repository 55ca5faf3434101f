/* SPDX-License-Identifier: MIT */
/* What the two ways to emit a segment share: as a loop over chunks of lanes (segment.c), and unrolled, inside of a loop
 * of the program whose registers stay in those of the host (loop.c). */
#ifndef RUNTIME_GCN_JIT_SEGMENT_H
#define RUNTIME_GCN_JIT_SEGMENT_H

#include "runtime/gcn/jit/build.h"

enum { MASKS_MAX = GCN_SGPRS / 2 + 1, SPLATS = 64, PATTERNS = 4 };

/* How the lanes' addresses of accesses to group memory lie. */
struct jit_pattern {
    LLVMValueRef address, first, place; /* FIRST: that of the first lane, in 64 bits; PLACE: where that is */
    LLVMValueRef distance;              /* of each lane from the first one */
    LLVMValueRef numbers, near;         /* the distances in dwords, and whether all are less than there are lanes */
    LLVMValueRef has_step[5];           /* by distance of neighbours, in dwords */
};

/* How reads of group memory are emitted in the version of a segment for regular ones (segment_regular.c). */
struct regular_reads {
    unsigned chunks;    /* of a round, which come by turns */
    bool share;         /* the chunks of a round share reads */
    LLVMValueRef apart; /* if there are four, from the first two to the other two, in bytes of a line */
};

/* A segment being emitted for one chunk. */
struct jit_segment {
    LLVMValueRef value[LINES];
    LLVMValueRef wide[LINES];   /* that line and the next one as 64-bit values; value[] may be known too, or not */
    LLVMValueRef loaded[LINES]; /* what was in memory, if that has been read */
    LLVMValueRef home[LINES];   /* where the line is, if not in the wave */
    bool dirty[LINES];
    LLVMValueRef base, shift, exec;
    LLVMValueRef full;               /* bits of EXEC, in loops of loop.c */
    LLVMValueRef all;                /* whether EXEC is all ones, where that makes a difference; else NULL */
    LLVMValueRef masks[RECORDS_MAX]; /* bits, also of lanes that are not active */
    struct {
        LLVMValueRef scalar, splat;
    } splats[SPLATS];
    unsigned splat_count;
    struct {
        LLVMValueRef half, to, sum; /* the mask, what the number of its bits was added to, and the result */
    } below;                        /* of the last v_mbcnt_lo_u32_b32 */
    struct jit_pattern patterns[PATTERNS];
    unsigned pattern_count;
    const struct regular_reads *regular; /* how all reads of group memory are; NULL if they may be otherwise */
    struct jit_segment **round;          /* the chunks of the round, and which one this is */
    unsigned place;
    LLVMBasicBlockRef begin, body, end; /* before the loop, its first and its last block */
    LLVMValueRef collected[MASKS_MAX];
};

/* Masks that the segment writes to scalar registers: the last record that writes each. */
struct outputs {
    unsigned record[MASKS_MAX], count;
};

/* A chunk whose lanes all are X; the second one remembers nothing, so it may be used where control goes several ways.
 */
LLVMValueRef segment_splat(struct builder *f, struct jit_segment *s, LLVMValueRef x);
LLVMValueRef segment_spread(struct builder *f, LLVMValueRef x);

/* Makes the chunks that FROM has made of scalars known for S, which has the same operations, too. */
void segment_share_splats(struct jit_segment *s, const struct jit_segment *from);

/* A line, or a pair of lines as 64-bit values; loaded from memory if not known. */
LLVMValueRef segment_line(struct builder *f, struct jit_segment *s, int line);
LLVMValueRef segment_pair(struct builder *f, struct jit_segment *s, int line);

/* The value of the line at REF, or of the HALF-th line after it; and giving it a new one. */
LLVMValueRef segment_get(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half);
void segment_put(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half, LLVMValueRef value);

/* Whether LINES lines at REF are registers, or constants with the same value in all lanes. */
bool segment_is_line(const struct builder *f, uint32_t ref, unsigned lines);

/* The lanes of which MASK has the bits; and the bits of the mask that RECORD makes, also those of lanes that are not
 * active, as 64 bits. */
LLVMValueRef segment_bits(struct builder *f, LLVMValueRef mask);

/* Where chunks have 8 lanes: the lanes that have bits from number FIRST on in BITS, which is the same for all. */
LLVMValueRef segment_bits_from(struct builder *f, LLVMValueRef bits, unsigned first);

LLVMValueRef segment_no_lane(struct builder *f, LLVMValueRef lanes); /* whether none of these bits is set */
LLVMValueRef segment_mask(struct builder *f, const struct jit_segment *s, unsigned record);

/* Captures the values of the operands in R, whose effect and micro-operation are known; false if its handler must
 * execute it. Reading a scalar may emit the segment recorded so far. */
bool segment_capture(struct builder *f, struct record *r);
void segment_emit_record(struct builder *f, struct jit_segment *s, unsigned self);

/* segment_chunks.c */

/* Emits the loop over all chunks, from S->begin on; it ends at DONE. */
void segment_emit_loop(struct builder *f, struct jit_segment *s, const struct outputs *outputs, LLVMBasicBlockRef done);
void segment_store(struct builder *f, LLVMValueRef value, LLVMValueRef place, LLVMValueRef active, LLVMValueRef old);

/* Whether LINE may be read from the next micro-operation on, or by the instruction that is still being executed. */
bool segment_is_live(const struct builder *f, int line);

void segment_find_outputs(const struct builder *f, struct outputs *outputs);
void segment_write_outputs(struct builder *f, struct jit_segment *segments, unsigned many,
                           const struct outputs *outputs);

/* segment_shift.c: emits a shift of 64 bits by a constant whose halves are known; false for all else. */
bool shift_emit(struct builder *f, struct jit_segment *s, const struct record *r);

/* segment_scaled.c: emits an operation that usually is another one, for operands IN. */
void scaled_emit(struct builder *f, const struct record *r, LLVMValueRef *in, LLVMValueRef *out);

/* segment_regular.c */

/* Decides how the segment recorded so far, which makes OUTPUTS, is emitted if its reads of group memory are regular;
 * false if it does not pay to find out whether they are. */
bool regular_plan(const struct builder *f, const struct outputs *outputs, struct regular_reads *reads);

/* The condition that they are, and inside of group memory. Decides how far apart the chunks of a round are, if there
 * are four. */
LLVMValueRef regular_condition(struct builder *f, struct regular_reads *reads);

/* In bytes of a line: how far it is from one round to the next, and from the first chunk of a round to chunk CHUNK. */
LLVMValueRef regular_step(struct builder *f, const struct regular_reads *reads);
LLVMValueRef regular_offset(struct builder *f, const struct regular_reads *reads, unsigned chunk);

/* Emits the read R of one chunk, whose results go to VALUES. */
void regular_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                  LLVMValueRef *values);

/* segment_memory.c */

/* Captures the operands of an access to group memory; false if its handler must execute it. */
bool memory_capture(struct builder *f, struct record *r);
void memory_emit(struct builder *f, struct jit_segment *s, const struct record *r);

/* Makes sure that an operation with this effect may follow what the segment has so far, by emitting that first if need
 * be; and notes that it has been recorded. */
void memory_order(struct builder *f, const struct effect *effect);
void memory_note(struct builder *f, const struct record *r);

#endif
