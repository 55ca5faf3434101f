/* SPDX-License-Identifier: MIT */
/* Random programs in HSAIL, and the judge of how the finalizer compiles them. Each program runs on the engine of the
 * software GPU, at -O0 and at the default optimisation, and on the model; afterwards memory must be the same in all
 * bits that the manual defines. Equal seeds give equal programs. */
#ifndef TESTSUITE_FINALIZER_RANDOM_RANDOM_H
#define TESTSUITE_FINALIZER_RANDOM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RANDOM_ITEMS = 128,    /* work-items of a dispatch */
    RANDOM_GROUP = 128,    /* work-items of a work-group */
    RANDOM_IN = 192,       /* bytes of input of a work-item */
    RANDOM_OUT = 256,      /* bytes of output of a work-item */
    RANDOM_SLOT = 64,      /* bytes for atomic operations of one work-item */
    RANDOM_SHARED = 64,    /* bytes for atomic operations of all work-items */
    RANDOM_TEXT = 1 << 17, /* bytes of a program's text */
    RANDOM_OPCODES = 160
};

/* A generator of numbers. */
struct random {
    uint64_t state;
    unsigned registers; /* percentage of sources that are registers; 0 for that of random programs */
};

uint64_t random_next(struct random *r);
/* A number from 0 to COUNT - 1. */
unsigned random_below(struct random *r, unsigned count);
/* True with a probability of PERCENT. */
bool random_chance(struct random *r, unsigned percent);
/* A value of BITS bits of a kind that shows defects: edge values, few bits, repeated bytes, floats, or anything. */
uint64_t random_bits(struct random *r, unsigned bits);

/* The kinds of program. */
enum random_kind { RANDOM_STRAIGHT, RANDOM_FLOW, RANDOM_MEMORY, RANDOM_LANES, RANDOM_CALLS, RANDOM_KINDS };

/* Text that grows. */
struct random_text {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) void random_put(struct random_text *out, const char *format, ...);

/* Adds a kernel called NAME, of about LENGTH statements, with the functions that it calls. */
void random_kernel(struct random *r, enum random_kind kind, unsigned length, const char *name, struct random_text *out);

/* Adds what comes before the kernels of a module. */
void random_header(struct random_text *out);

/* Adds one statement on values, which changes some of the registers 0 to 7 of each kind. */
void random_statement(struct random *r, struct random_text *out);

/* Chooses a mnemonic on values from the manual's tables; returns the operands column of its row. */
const char *random_mnemonic(struct random *r, char *mnemonic, size_t size);

/* Adds a statement with that mnemonic. */
void random_operands(struct random *r, const char *mnemonic, const char *operands, struct random_text *out);

/* Whether LINE matches a row of known.def, and is to be left out; never if RANDOM_KNOWN is set. */
bool random_is_known(const char *line);

/* Removes such lines from what follows the first BEGIN bytes of OUT. */
void random_leave_out(struct random_text *out, size_t begin);

/* ---- judge.c --------------------------------------------------------------------------------------- */

enum verdict {
    VERDICT_RIGHT,
    VERDICT_REFUSED,  /* the text does not assemble */
    VERDICT_OPEN,     /* the model cannot say what it does */
    VERDICT_WRONG_O0, /* the numbers at -O0 are wrong */
    VERDICT_WRONG,    /* only the numbers at the default optimisation are wrong */
    VERDICT_FAILED,   /* the finalizer or the engine refuses it */
    VERDICT_CRASHED,  /* a signal ended the process */
    VERDICT_SLOW,     /* it took too long */
    VERDICTS
};

struct judgement {
    enum verdict verdict;
    unsigned kernel;                 /* the first kernel that is not right */
    char message[200];               /* what differs */
    uint64_t counts[RANDOM_OPCODES]; /* how often the model executed each opcode */
    uint64_t bits, open;             /* how many bits of output there are, and how many are undefined */
};

extern const char *const verdict_names[VERDICTS];

/* Judges the kernels &k0 to &k(COUNT-1) of TEXT, with inputs made from SEED, in a process of its own. */
void judge(const char *text, unsigned count, uint64_t seed, struct judgement *judgement);

/* Judges OTHER, which must compute what TEXT computes, on the model and on the engine. */
void judge_other(const char *text, const char *other, unsigned count, uint64_t seed, struct judgement *judgement);

/* ---- reduce.c -------------------------------------------------------------------------------------- */

/* Removes lines of TEXT, whose only kernel is &k0, as long as VERDICT stays the same. */
void reduce(char *text, uint64_t seed, enum verdict verdict);

#endif
