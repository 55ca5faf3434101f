/* SPDX-License-Identifier: MIT */
/* A loop of the program whose vector registers stay in registers of the host: what loop_find.c decides and finds out
 * about it, and what loop.c emits. */
#ifndef RUNTIME_GCN_JIT_LOOP_H
#define RUNTIME_GCN_JIT_LOOP_H

#include "runtime/gcn/jit/segment.h"

enum {
    CHUNKS_MAX = 8,
    LOOP_LINES = 24,  /* vector registers that it writes */
    LOOP_BLOCKS = 16, /* blocks */
    LOOP_OPS = 256,
    LOOP_SCALARS = 16, /* scalar registers that it writes, if it is executed several times */
    LOOP_CARRIED = 8,  /* scalar registers, or pairs, whose values go from one round to the next */
};

enum line_use { USED_ALONE = 1, USED_LOW = 2, USED_HIGH = 4 };

struct loop_block {
    LLVMBasicBlockRef block;
    /* what entries hold at its beginning; NULL for registers that are dead there */
    LLVMValueRef phis[LOOP_LINES][CHUNKS_MAX];
};

/* A scalar register, or a pair, that the loop writes. Its value goes from one round to the next in a register of the
 * host, since a round would wait for what the one before has stored. */
struct carried {
    int code;
    unsigned dwords;         /* 0: its value is not handed over */
    LLVMValueRef phi, value; /* at the beginning of a round, and at its end */
};

struct jit_loop {
    uint32_t first, end;
    bool exec;       /* it writes EXEC */
    bool dependent;  /* its scalars may depend on its vector registers, or are too many */
    unsigned chunks; /* computed at once */
    unsigned lines, block_count, scalar_count;
    unsigned cost;                      /* operations of the host for a chunk, about */
    uint32_t scalars[LOOP_SCALARS];     /* references to the dwords that it writes */
    LLVMValueRef initial[LOOP_SCALARS]; /* their values before */
    struct carried carried[LOOP_CARRIED];
    unsigned carried_count;
    unsigned ways_in;        /* how many of its micro-operations control may come to from outside */
    LLVMValueRef budget;     /* what is left of the wave's budget at the beginning of a round */
    LLVMValueRef offset;     /* of the first chunk in a line; NULL if all are computed at once */
    LLVMBasicBlockRef again; /* where the next chunks are begun */
    /* The registers that it writes, and whether that line and the next one are only used as 64-bit values. */
    int line[LOOP_LINES];
    bool wide[LOOP_LINES];
    uint8_t used[LINES];        /* enum line_use */
    bool in_memory[LOOP_LINES]; /* from one round to the next its value is in memory, for lack of registers */
    struct jit_segment scratch;
    int block_at[LOOP_OPS];        /* index of the block that begins there */
    LLVMValueRef split, halves[2]; /* a value of EXEC, and its halves in all lanes of a chunk */
    struct loop_block blocks[LOOP_BLOCKS];
    struct jit_segment chunk[CHUNKS_MAX];
};

static inline uint32_t loop_target(const struct builder *f, uint32_t index)
{
    return index + (uint32_t)f->unit->ops[index].imm;
}

/* Whether the micro-operations from FIRST up to END are a loop that loop.c can emit; LOOP gets all that is known before
 * it is. */
bool loop_is_suitable(struct builder *f, struct jit_loop *loop, uint32_t first, uint32_t end);

/* Whether the value of entry K may still be read from micro-operation INDEX on. */
bool loop_is_live(const struct builder *f, const struct jit_loop *loop, uint32_t index, unsigned k);

#endif
