/* SPDX-License-Identifier: MIT */
/* Translating a piece of machine code to a unit. Private to the cache of translated code, whose lock is held. */
#ifndef RUNTIME_GCN_UNIT_H
#define RUNTIME_GCN_UNIT_H

#include "runtime/gcn/translate/translate.h"
#include "support/vec.h"

#include <stdbool.h>

/* One way of translating a range of machine code. */
struct unit_plane {
    VEC(struct gcn_unit *) units;
    uint32_t *owner; /* by dword: 1 + the index in UNITS of the unit that has the instruction there, or 0 */
};

/* A range of machine code. Its dwords are numbered from TEXT on. */
struct gcn_code {
    const struct gcn_target *target;
    struct gcn_code *next;
    unsigned checks;                    /* GCN_CHECK_...: the checkers that look at it */
    bool observed;                      /* observers look at it */
    struct unit_plane planes[GCN_WAYS]; /* its translations, by GCN_EXACT | GCN_SKIPS */
    bool scanned, asks; /* whether all of it was looked at, and whether any instruction asks for exceptions */
    const uint8_t *text;
    size_t size;
    uint64_t base; /* of everything that was loaded with the code; so is LOADED, its size */
    uint64_t loaded;
};

/* Makes a unit of the instruction at dword START, which no unit has, and of all that direct control flow reaches from
 * there and no unit has. A limit ensures that this takes milliseconds only, whatever the code is. If memory runs out,
 * nothing changes and false is returned. WAY is GCN_EXACT | GCN_SKIPS, and the unit is one of that plane. *SITES is how
 * many numbers observers of instructions have. */
bool unit_new(struct gcn_cache *cache, const struct gcn_engine *engine, struct gcn_code *code, unsigned way,
              uint32_t start, uint32_t *sites);
void unit_free(struct gcn_unit *unit);

/* The unit that has the instruction at dword AT, or NULL; and at which micro-operation the instruction begins. */
const struct gcn_unit *unit_of(const struct gcn_code *code, unsigned way, uint32_t at);
const struct gcn_uop *unit_find(const struct gcn_unit *unit, uint32_t at);

/* Whether any instruction of CODE asks for exceptions. */
bool unit_code_asks(struct gcn_code *code);

/* Decodes the instruction at dword AT from a copy of its bytes: they may change at any time. */
bool unit_decode(const struct gcn_code *code, uint32_t at, struct gcn_inst *inst);

#endif
