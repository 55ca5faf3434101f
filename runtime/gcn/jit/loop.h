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
    bool in_parts;   /* it is emitted as parts.h tells */
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
    LLVMBasicBlockRef split_at;    /* where these are made, if only a few chunks are computed at once */
    struct loop_block blocks[LOOP_BLOCKS];
    struct jit_segment chunk[CHUNKS_MAX];
};

static inline uint32_t loop_target(const struct builder *f, uint32_t index)
{
    return index + (uint32_t)f->unit->ops[index].imm;
}

/* How many vector registers the host has. */
static inline unsigned loop_host_registers(const struct builder *f)
{
    return f->jit->lanes == 16 ? 32 : 16;
}

/* Whether the micro-operations from FIRST up to END are a loop that loop.c can emit; LOOP gets all that is known before
 * it is. */
bool loop_is_suitable(struct builder *f, struct jit_loop *loop, uint32_t first, uint32_t end);

/* Whether the value of entry K may still be read from micro-operation INDEX on. */
bool loop_is_live(const struct builder *f, const struct jit_loop *loop, uint32_t index, unsigned k);

/* How many lines a vector operation reads from an operand, PA to PD; where that is; and how many lines it writes. */
unsigned loop_source_lines(const struct effect *effect, unsigned slot);
uint32_t loop_source_of(const struct gcn_uop *op, unsigned slot);
unsigned loop_result_lines(const struct effect *effect);

/* loop_values.c. CHUNK is the number of one of the chunks that are computed at once. */

/* Its address in a line at the beginning of the wave; the number of its first lane; its bits of EXEC, or of another
 * mask, as a number and as lanes. */
LLVMValueRef loop_base(struct builder *f, unsigned chunk);
LLVMValueRef loop_lane(struct builder *f, unsigned chunk);
LLVMValueRef loop_chunk_of(struct builder *f, LLVMValueRef exec, unsigned chunk);
LLVMValueRef loop_bits(struct builder *f, LLVMValueRef exec, unsigned chunk);

/* The value of entry K, loaded from memory if it is not known; whether that of LINE is; and giving entry K a value. */
LLVMValueRef loop_value(struct builder *f, struct jit_segment *s, unsigned k);
bool loop_is_known(const struct jit_segment *s, int line);
void loop_set_value(struct jit_loop *loop, struct jit_segment *s, unsigned k, LLVMValueRef value);

/* Has COPY know what is known of CHUNK, for values that are not to be known in what is built afterwards; returns it. */
struct jit_segment *loop_copy(struct builder *f, unsigned chunk, struct jit_segment *copy);

/* Stores the entries that are LIVE. loop_add_live() marks those that may still be read from micro-operation TARGET on.
 */
void loop_store_values(struct builder *f, const bool *live);
void loop_add_live(const struct builder *f, uint32_t target, bool *live);

/* Blends what CHUNK has written, since nothing of it was dirty, with what its registers held BEFORE; if WHOLE is not
 * NULL, but for the entries of which it tells that they need not be. */
void loop_blend(struct builder *f, unsigned chunk, struct jit_segment *before, const bool *whole);

/* Makes what is known of the scalars in all lanes, for the chunk before, known for CHUNK. */
void loop_share_splats(struct jit_loop *loop, unsigned chunk);

/* Makes the values that scalar registers, and the budget, have at the beginning of a round, where the builder is; has
 * those of registers known there; makes those that go to the next round, before the branch that leads there is built;
 * and hands them over to it with what is left of the BUDGET, where the branch comes from FROM. */
void loop_make_carried(struct builder *f);
void loop_begin_carried(struct builder *f);
void loop_prepare_carried(struct builder *f);
void loop_pass_carried(struct builder *f, LLVMValueRef budget, LLVMBasicBlockRef from);

#endif
