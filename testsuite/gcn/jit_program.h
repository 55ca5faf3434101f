/* SPDX-License-Identifier: MIT */
/* Random programs that run twice, interpreted and compiled. They have one wave, and a loop of three rounds around the
 * instructions that a test chooses; s[98:99] points to memory in which they leave what they have computed, unless all
 * registers are compared in the end. */
#ifndef TESTSUITE_GCN_JIT_PROGRAM_H
#define TESTSUITE_GCN_JIT_PROGRAM_H

#include "runtime/gcn/wave_run.h"

enum {
    PROGRAM_LENGTH = 24, /* about as many instructions as a program has */
    PROGRAM_WORDS_MAX = 512,
    PROGRAM_LDS_SIZE = 4096,
    PROGRAM_COUNTER = 100, /* the scalar registers that a program needs for itself: the rounds that are left, ... */
    PROGRAM_POINTER = 98,  /* ... and the address of the memory */
    PROGRAM_STORED = 16,   /* vector registers that are stored there */
    PROGRAM_LOADED = 4 * PROGRAM_STORED * GCN_LANES + 512, /* scalar loads begin at less than this */
    PROGRAM_DEFAULT_MODE = 0x3f0,
    PROGRAM_END = 0xbf810000, /* s_endpgm */
};

struct program {
    uint32_t text[PROGRAM_WORDS_MAX];
    unsigned words;
    uint32_t body[PROGRAM_LENGTH * 3 + 8][2]; /* instructions */
    unsigned count;
    bool keep;         /* registers are compared in the end */
    bool group_memory; /* half of the instructions access group memory */
    unsigned left_out; /* instructions, in the first round */
    bool complete;     /* TEXT is all of it but for its end, and is not built from instructions */
    bool guarded;      /* the wave may only touch the memory that s[98:99] points to; loads go a little beyond */
    unsigned waves;    /* of the group, of which one runs; a barrier stops it only if there is another one */
};

struct program_state {
    struct gcn_wave wave __attribute__((aligned(64)));
    uint8_t lds[PROGRAM_LDS_SIZE];
    uint8_t after[256]; /* what may not be read */
    uint32_t stored[PROGRAM_STORED][GCN_LANES];
};

extern const struct gcn_target *program_target;
extern enum gcn_target_number program_target_number;
extern struct program_state program_initial; /* what both runs begin with */

void program_choose_target(enum gcn_target_number number);

/* Gives all registers and group memory of PROGRAM_INITIAL new values. */
void program_randomize(void);

/* The dwords of an instruction. */
unsigned program_size_of(const uint32_t word[2]);

/* Append an instruction: arithmetic on the same few registers, as loops have it that keep them from one round to the
 * next; a branch over the next one or two instructions; a barrier, before instructions that may be executed while the
 * wave has not come to it. */
void program_add_arithmetic(struct program *p);
void program_add_branch(struct program *p);
void program_add_barrier(struct program *p);

/* Runs the first COUNT instructions, or all of a program that is complete, both ways; what differs then, perhaps in
 * TEXT of SIZE bytes, or NULL. */
const char *program_compare(const struct gcn_engine *engine, struct program *p, unsigned count, char *text,
                            size_t size);

/* Prints the shortest beginning of the program that still shows a difference, or all of one that is complete. */
void program_report(const struct gcn_engine *engine, struct program *p);

#endif
