/* SPDX-License-Identifier: MIT */
/* What reads of group memory share, whether they are regular (segment_regular.c) or not (segment_memory.c). */
#ifndef RUNTIME_GCN_JIT_SEGMENT_MEMORY_H
#define RUNTIME_GCN_JIT_SEGMENT_MEMORY_H

#include "runtime/gcn/jit/chunk.h"
#include "runtime/gcn/jit/segment.h"

/* An access has one part or two, of one or more dwords each. Where part PART of R begins, from the lanes' addresses on;
 * and whether R has two elements, the second one after the first. */
unsigned memory_part_dwords(const struct chunk_row *row);
uint32_t memory_part_offset(const struct record *r, unsigned part);
bool memory_is_pair(const struct record *r);

/* How many lines R writes. */
int memory_lines_written(const struct record *r);

/* The offset within group memory from which on SIZE bytes do not fit, given its size, TOTAL. */
LLVMValueRef memory_end_for(struct builder *f, LLVMValueRef total, unsigned size);

/* For each lane of a chunk, STEP more than for the lane before, from 0 on. */
LLVMValueRef memory_steps(struct builder *f, unsigned step);

/* What is known of the lanes' ADDRESS, which several accesses may share: their offsets differ by the same in all
 * lanes. */
struct jit_pattern *memory_pattern(struct builder *f, struct jit_segment *s, const struct record *r,
                                   LLVMValueRef address);

/* The dword at PLACE, for all lanes; and the dwords at PLACE, one for each lane. */
LLVMValueRef memory_read_for_all(struct builder *f, LLVMValueRef place);
LLVMValueRef memory_read_for_each(struct builder *f, LLVMValueRef place);

#endif
