/* SPDX-License-Identifier: MIT */
/* Random programs in HSAIL, and the judge of what the finalizer makes of them: each is run on the engine of the
 * software GPU at -O0 and at the default optimisation, and on the model, and must leave the same in memory wherever
 * the manual says what that is. Equal seeds give equal programs. */
#ifndef TESTSUITE_FINALIZER_RANDOM_RANDOM_H
#define TESTSUITE_FINALIZER_RANDOM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RANDOM_ITEMS = 128,    /* work-items of a dispatch */
    RANDOM_GROUP = 128,    /* ... of a work-group */
    RANDOM_IN = 192,       /* bytes of input of a work-item */
    RANDOM_OUT = 256,      /* ... of output */
    RANDOM_SLOT = 64,      /* ... that only it uses by atomics */
    RANDOM_SHARED = 64,    /* bytes that all of them use by atomics */
    RANDOM_TEXT = 1 << 17, /* bytes of a program's text */
    RANDOM_OPCODES = 160
};

/* A generator of numbers. */
struct random {
    uint64_t state;
    unsigned registers; /* percent of the sources that are registers; 0 for what programs have */
};

uint64_t random_next(struct random *r);
/* 0 to COUNT - 1. */
unsigned random_below(struct random *r, unsigned count);
/* Whether an event of PERCENT happens. */
bool random_chance(struct random *r, unsigned percent);
/* BITS of the kind that shows defects: edges, few bits, bytes repeated, floats, anything. */
uint64_t random_bits(struct random *r, unsigned bits);

/* The kinds of program. */
enum random_kind { RANDOM_STRAIGHT, RANDOM_FLOW, RANDOM_MEMORY, RANDOM_LANES, RANDOM_CALLS, RANDOM_KINDS };

/* Text that grows. */
struct random_text {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) void random_put(struct random_text *out, const char *format, ...);

/* A kernel called NAME, with the functions it calls, of about LENGTH statements. */
void random_kernel(struct random *r, enum random_kind kind, unsigned length, const char *name, struct random_text *out);

/* What stands before the kernels of a module. */
void random_header(struct random_text *out);

/* One statement on values; FLOAT is false to leave floating point out. Registers 0 to 7 of each kind change. */
void random_statement(struct random *r, struct random_text *out);

/* A mnemonic of values drawn from the manual's tables, and the operands column of its row. */
const char *random_mnemonic(struct random *r, char *mnemonic, size_t size);

/* A statement with that mnemonic. */
void random_operands(struct random *r, const char *mnemonic, const char *operands, struct random_text *out);

/* Whether LINE has a shape of known.def, which is left out unless RANDOM_KNOWN is set. */
bool random_is_known(const char *line);

/* Takes known lines out of what OUT has after its first BEGIN bytes. */
void random_leave_out(struct random_text *out, size_t begin);

/* ---- judge.c --------------------------------------------------------------------------------------- */

enum verdict {
    VERDICT_RIGHT,
    VERDICT_REFUSED,  /* the text does not assemble */
    VERDICT_OPEN,     /* the model cannot say what it does */
    VERDICT_WRONG_O0, /* other numbers at -O0 */
    VERDICT_WRONG,    /* ... at the default only */
    VERDICT_FAILED,   /* the finalizer refuses it, or the engine */
    VERDICT_CRASHED,  /* the process ended by a signal */
    VERDICT_SLOW,     /* it took too long */
    VERDICTS
};

struct judgement {
    enum verdict verdict;
    unsigned kernel;                 /* the first that is not right */
    char message[200];               /* what differs */
    uint64_t counts[RANDOM_OPCODES]; /* how often the model executed each opcode */
    uint64_t bits, open;             /* of output, and undefined ones */
};

extern const char *const verdict_names[VERDICTS];

/* Judges the kernels &k0 to &k(COUNT-1) of TEXT on inputs made of SEED, in a process of its own. */
void judge(const char *text, unsigned count, uint64_t seed, struct judgement *judgement);

/* The same of OTHER, which must do what TEXT says: on the model and on the engine. */
void judge_other(const char *text, const char *other, unsigned count, uint64_t seed, struct judgement *judgement);

/* ---- reduce.c -------------------------------------------------------------------------------------- */

/* Leaves out lines of TEXT, whose only kernel is &k0, as long as the verdict stays the same kind of wrong. */
void reduce(char *text, uint64_t seed, enum verdict verdict);

#endif
