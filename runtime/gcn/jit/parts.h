/* SPDX-License-Identifier: MIT */
/* A loop that is emitted in two parts, where the host has no registers for all lanes of a wave.
 *
 * Its *lanes' part* is executed for a few chunks at a time, until these have left the loop, or for PARTS_ROUNDS rounds:
 * all vector operations, with EXEC and those masks as vectors of the host that make a difference to them. Each mask
 * that a vector operation makes is noted, with its round. Then the *wave's part* does the scalar operations and the
 * branches of the same rounds, as the program has them, and takes those masks from the notes.
 *
 * A loop in which nothing depends on lanes but vector registers may have the wave's part first, which then tells how
 * many rounds there are; so the lanes' part has nothing of the scalar operations but those whose results vector
 * operations read. What the wave's part loads is noted for the lanes' part, since other waves may write there in the
 * meantime.
 *
 * While other lanes of the wave are active, chunks cannot know whether the wave branches around code that concerns
 * none of theirs. The lanes' part never does: without active lanes such code has no effect on vector registers. For
 * what it has on scalar registers, parts_prove.c shows that the lanes' part comes to the same results all the same. */
#ifndef RUNTIME_GCN_JIT_PARTS_H
#define RUNTIME_GCN_JIT_PARTS_H

#include "runtime/gcn/jit/loop.h"

enum {
    PARTS_CHUNKS = 2,            /* computed at once, if each round must be executed for all lanes before the next */
    PARTS_ROUNDS = 128,          /* of one part, before the other does the same, if there are notes */
    PARTS_NOTES = 8,             /* masks, or pairs of loaded registers, of a round */
    PARTS_MASKS = GCN_SGPRS / 2, /* pairs of scalar registers */
    PARTS_EXEC = GCN_S_EXEC / 2, /* the pair that is EXEC */
    PARTS_ACCESSES = 6,          /* accesses of a micro-operation to scalar registers */
    PARTS_WRITTEN = 24,          /* scalar registers, or pairs of them, that the loop writes */
    PARTS_SCC = GCN_SGPRS,       /* in their numbers, that of SCC */
    MASK_VARIABLES = 6,          /* bits on which a mask may depend */
    MASKS_WANTED = 16,           /* masks that the lanes' part needs, as functions of these */
    MASKS_KNOWN = 14,            /* ... and of which it makes them */
};

enum parts_step {
    STEP_NOTHING,
    STEP_VECTOR,
    STEP_SCALAR, /* the same for all lanes */
    STEP_LOAD,   /* loads scalar registers */
    STEP_MASK,   /* a mask, bit by bit from others */
    STEP_MADE,   /* a mask, from scalars that are the same for all lanes */
    STEP_EMPTY,  /* leaves the loop if EXEC is empty */
    STEP_LEAVE,  /* leaves the loop under a condition that is the same for all lanes */
    STEP_SKIP,   /* goes on later in the round if EXEC is empty */
};

/* An access to one or two scalar registers. */
struct scalar_access {
    int code;
    uint8_t dwords;
    bool write;
    bool bitwise; /* each bit of the value is the business of one lane */
};

/* The micro-operations, in the order of a round: from the only one to which control comes from outside on. */
struct step {
    uint32_t index;
    uint8_t kind;
    bool stays;      /* STEP_LEAVE: if the branch is taken */
    bool needed;     /* STEP_SCALAR: the lanes' part reads what it writes */
    int note;        /* where, in the notes of a round, the mask of STEP_VECTOR is or what STEP_LOAD loads; or -1 */
    unsigned to;     /* STEP_SKIP: the step with which it goes on; the number of steps if that is the next round */
    uint32_t target; /* STEP_EMPTY, STEP_LEAVE: the micro-operation to which it leads */
    struct scalar_access accesses[PARTS_ACCESSES];
    unsigned access_count;
};

/* A scalar register, or a pair, that the loop writes. */
struct written {
    int code;
    unsigned dwords;
};

/* What is known of the masks at a step, in 64 lanes (parts_masks.c). */
struct mask_state {
    uint64_t mask[PARTS_MASKS];
    bool known[PARTS_MASKS];
    unsigned variables;
    bool failed; /* there are too many variables */
};

enum mask_operation { MASK_AND, MASK_AND_NOT, MASK_OR, MASK_XOR, MASK_OPERATIONS };

/* A function of variables, as its values in 64 cases, and its value in the lanes of each chunk. */
struct mask_function {
    uint64_t table;
    LLVMValueRef lanes[CHUNKS_MAX];
};

/* What the lanes' part does to masks, which is less than what the program does (parts_simplify.c). */
struct simple {
    unsigned variables, carried;  /* CARRIED: as many of them are masks when a round begins */
    uint8_t pair[MASK_VARIABLES]; /* where such a mask is */
    bool needed[PARTS_MASKS];     /* such a mask has an influence */
    bool constant[PARTS_MASKS];   /* ... and none if it changes */
    uint8_t made[LOOP_OPS + 1];   /* the first variable that a step makes, or the next one if it makes none */
    bool blends[LOOP_OPS + 1];    /* results are blended there, or after the last step */
    uint64_t exec[LOOP_OPS + 1], read[LOOP_OPS]; /* EXEC at a step; what a vector operation reads */
    uint64_t last[PARTS_MASKS];                  /* masks at the end of a round */
    uint64_t wanted[MASKS_WANTED];
    unsigned wanted_count;
    struct mask_function known[MASKS_KNOWN];
    unsigned known_count;
};

struct parts {
    uint32_t entry; /* the micro-operation of the first step */
    unsigned count, notes;
    bool wave_first;
    bool loads;         /* scalar registers; then the wave's part has all of them in memory at all times */
    bool leaves_at_end; /* if the wave's part is first: no vector operation follows where the loop is left */
    struct step steps[LOOP_OPS];
    bool is_mask[PARTS_MASKS];
    bool mask_carried[PARTS_MASKS];        /* its value goes from one round to the next */
    bool carried[GCN_SGPRS];               /* ... of a scalar register that is no mask */
    bool changes[GCN_SGPRS + 1];           /* the loop writes it */
    bool needed[GCN_SGPRS + 1];            /* scalar registers, and SCC, that the lanes' part reads */
    struct written written[PARTS_WRITTEN]; /* ... or, if all are in memory, what is carried */
    unsigned written_count;
    struct simple simple;
    bool temporary[LOOP_LINES]; /* entries of the loop that bring nothing from one round to the next, nor out of it */
    LLVMValueRef end;           /* where the notes of all rounds end, in bytes */
    LLVMValueRef budget;        /* what the wave has before these rounds */
    /* If the wave's part is first: what carried registers have before, where it ends, whether the loop is left, and
     * where the notes of the last round end. */
    LLVMValueRef initial[GCN_SGPRS], left, stop;
    LLVMBasicBlockRef after;
    /* In the lanes' part: all ones in the lanes that each mask has; what a round begins with; and the vector registers
     * when EXEC was last written. */
    LLVMValueRef masks[PARTS_MASKS][CHUNKS_MAX];
    LLVMValueRef phis[PARTS_MASKS][CHUNKS_MAX], scalar_phis[GCN_SGPRS];
    struct jit_segment before[CHUNKS_MAX];
    /* In the wave's part: where branches around code lead, and the values of what the loop writes there. */
    LLVMBasicBlockRef joins[LOOP_OPS + 1];
    LLVMValueRef join_phis[LOOP_OPS + 1][PARTS_WRITTEN];
};

/* Whether the loop can be emitted in parts, with the wave's part first if it loads scalar registers or WAVE_FIRST;
 * f->parts gets all that is known before it is. */
bool parts_find(struct builder *f, struct jit_loop *loop, bool wave_first);

/* Finds the entries that are temporary. Whether, where EXEC changes at step AT, or where the round ends, what entry K
 * held in lanes that are not active may still be read. */
void parts_find_temporaries(struct builder *f, const struct jit_loop *loop);
bool parts_needs_old(const struct builder *f, unsigned at, unsigned k);

/* Whether the lanes' part comes to the results of the program, whatever the wave branches around. */
bool parts_prove(struct builder *f);

/* The function that is variable number VARIABLE; what a mask is; and what STEP makes of the masks. */
uint64_t masks_table(unsigned variable);
uint64_t masks_read(struct mask_state *s, unsigned pair);
void masks_execute(struct builder *f, struct mask_state *s, const struct step *step);

/* Whether a scalar operation is bitwise, and whether its operand at REF is a variable. Such a step makes a variable for
 * each operand that is, or else one for its result. */
bool masks_is_bitwise(const struct step *step);
bool masks_is_variable(struct builder *f, uint32_t ref);

/* Whether STEP gives EXEC a new value. */
bool masks_writes_exec(const struct step *step);

/* Whether the mask in PAIR goes from one round to the next. */
static inline bool simple_changes(const struct simple *simple, unsigned pair)
{
    return simple->needed[pair] && !simple->constant[pair];
}

/* Finds out what the lanes' part must do to masks; false if that is not simple. */
bool simple_find(struct builder *f, const struct jit_loop *loop);

/* The mask that STEP reads if it is a vector operation, as a pair; -1 if there is none. */
int simple_read(const struct builder *f, const struct step *step);

/* While it is emitted: forgets all functions; gives a variable its value in LANES; and emits a function. */
void simple_begin(struct builder *f);
void simple_set(struct builder *f, unsigned variable, const LLVMValueRef *lanes);
void simple_make(struct builder *f, uint64_t table, LLVMValueRef *lanes);

/* The result of a bitwise operation for operands IN, which are integers, or vectors of them. */
LLVMValueRef parts_combine(struct builder *f, const struct template *template, LLVMValueRef *in);

/* The size of the notes of a round, in bytes. */
static inline uint64_t parts_stride(const struct parts *parts)
{
    return 8 * (uint64_t)(parts->notes + !parts->notes);
}

/* Where note number NUMBER of a round is whose notes begin at OFFSET; FROM: where those of the first round do. */
static inline LLVMValueRef parts_note(struct builder *f, LLVMValueRef from, LLVMValueRef offset, int number)
{
    LLVMValueRef place = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, from, &offset, 1, "");
    return build_at(f, place, 8 * (uint64_t)number);
}

/* Emits the loop, from the block AGAIN on, where the builder is. */
void parts_emit(struct builder *f, LLVMBasicBlockRef again);

/* Emits the lanes' part, from the builder's place to one after it. */
void parts_emit_lanes(struct builder *f);

#endif
