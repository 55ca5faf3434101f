/* SPDX-License-Identifier: MIT */
/* Translated machine code: units, and the cache that finds them by address. */
#ifndef RUNTIME_GCN_TRANSLATE_H
#define RUNTIME_GCN_TRANSLATE_H

#include "runtime/gcn/engine.h"
#include "runtime/gcn/inst/gcn_target.h"

#include <pthread.h>
#include <stddef.h>

/* The code that direct branches and calls reach from one address, except what is in another unit already. Only the tier
 * (runtime/gcn/jit/tier.h) changes it, and bulk/ its number here. */
struct gcn_unit {
    struct gcn_cache *cache;
    const struct gcn_uop *ops;
    const struct init_plan *plans; /* of the checker of initialisation */
    const uint32_t *pcs;           /* dword offset from TEXT of the instruction of each micro-operation */
    const char *constants;         /* aligned to 64 within BLOCK */
    uint32_t constant_words;
    void *block;
    uint64_t text;
    uint32_t
        count; /* micro-operations, in the order of their instructions; those that leave the unit come after them */
    uint32_t total;           /* ... and how many there are with those */
    bool exact;               /* it accounts for the exceptions of floating-point operations, in TRAPSTS */
    bool asks;                /* an instruction of it reads TRAPSTS or enables exceptions */
    bool leaves;              /* other units may be run from it */
    uint64_t heat, passes;    /* atomic, as is JOB; for the tier, which replaces handlers in OPS */
    struct gcn_tier_job *job; /* the tier's job for this unit */
    uint32_t bulk;            /* atomic: how patient gcn_bulk_run() is with kernels that begin here */
    const struct gcn_engine *engine;
};

struct gcn_entry {
    uint64_t pc;
    const struct gcn_unit *unit;
    const struct gcn_uop *op;
};

struct gcn_code; /* a range of addresses with machine code in it */

/* A cache of translations of the code that one agent, whose processor is TARGET, may execute. Thread-safe. */
struct gcn_cache *gcn_cache_new(const struct gcn_engine *engine, const struct gcn_target *target);
void gcn_cache_free(struct gcn_cache *cache);

/* Declares [TEXT, TEXT + SIZE) to be machine code, loaded as part of [BASE, BASE + LOADED); all of it must
 * stay readable and unchanged until removed. Addresses outside such ranges are never decoded. NULL when out
 * of memory. */
struct gcn_code *gcn_cache_add(struct gcn_cache *cache, const void *text, size_t size, const void *base, size_t loaded);

/* Has the checkers CHECKS (GCN_CHECK_...) look at what is translated of code that is added from now on. */
void gcn_cache_check(struct gcn_cache *cache, unsigned checks);

/* Has observers look at code that is added from now on. */
void gcn_cache_observe(struct gcn_cache *cache);

/* What the code of the cache is made for. */
const struct gcn_target *gcn_cache_target(const struct gcn_cache *cache);

/* Where what was loaded with CODE begins. */
const void *gcn_code_base(const struct gcn_code *code);

/* Whether SIZE bytes at ADDRESS are part of something loaded. */
int gcn_cache_contains(struct gcn_cache *cache, uint64_t address, uint64_t size);

/* To be called before code of the cache runs, and afterwards: entries are looked up without a lock in between. */
void gcn_cache_enter(struct gcn_cache *cache);
void gcn_cache_leave(struct gcn_cache *cache);

/* Forgets the range and what was translated of it. No wave may be running it, but waves may run other code. */
void gcn_cache_remove(struct gcn_cache *cache, struct gcn_code *code);

/* Added to an address: which of the translations of the code is meant. */
enum {
    GCN_EXACT = 1, /* it accounts for exceptions of floating-point operations */
    GCN_SKIPS = 2, /* it leaves vector instructions out, for waves with VSKIP in MODE */
    GCN_WAYS = 4,  /* how many combinations there are */
};

/* Finds where to execute the instruction at PC, which is translated if it has not been yet. Returns 0 on failure, with
 * the fault in *KIND: GCN_FAULT_FETCH if there is no code, or GCN_FAULT_RESOURCES. */
int gcn_cache_find(struct gcn_cache *cache, uint64_t pc, struct gcn_entry *entry, enum gcn_fault_kind *kind);

/* Whether code that begins in UNIT may ask which exceptions there were, or enable them. */
bool gcn_cache_asks(struct gcn_cache *cache, const struct gcn_unit *unit);

/* Address of the instruction that OP belongs to. */
uint64_t gcn_unit_pc(const struct gcn_unit *unit, const struct gcn_uop *op);

/* Decodes the instruction at PC and puts its text into TEXT of SIZE bytes, for messages; if SIZE is 0, there is no
 * text. False if there is none. */
bool gcn_cache_decode(struct gcn_cache *cache, uint64_t pc, struct gcn_inst *inst, char *text, size_t size);

/* Puts the mnemonic of the instruction at PC into NAME of SIZE bytes, for messages. */
void gcn_cache_name(struct gcn_cache *cache, uint64_t pc, char *name, size_t size);

/* Has W go on at ENTRY. */
static inline void gcn_wave_enter(struct gcn_wave *w, const struct gcn_entry *entry)
{
    w->unit = entry->unit;
    w->base[1] = entry->unit->constants;
    w->at = entry->op;
}

#endif
