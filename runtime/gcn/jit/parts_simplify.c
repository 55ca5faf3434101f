/* SPDX-License-Identifier: MIT */
/* Has the lanes' part of a loop (parts.h) do less to masks than the program does.
 *
 * All that the lanes' part needs of masks is EXEC where results are blended or where it may be empty, and the masks
 * that vector operations read; for what else becomes of scalar registers, there is the wave's part. Each of these, the
 * *wanted* ones, is a function of a few bits (parts_masks.c), and is made anew with as few operations as are found, of
 * masks that are there already. A mask that goes from one round to the next is left out where nothing wanted depends on
 * it, and not changed where, from whatever state on, the wanted ones are always the same as if it were: such as that of
 * the lanes that have left a loop, which are never active again.
 * Input: the steps of a loop; when it is emitted, its variables. Output: a plan; instructions at the builder.
 * Invariant: wanted masks have the bits that the program's operations would give them. */
#include "runtime/gcn/jit/parts.h"

#include <string.h>

/* Functions */

static uint64_t apply(enum mask_operation operation, uint64_t a, uint64_t b)
{
    switch (operation) {
    case MASK_AND: return a & b;
    case MASK_AND_NOT: return a & ~b;
    case MASK_OR: return a | b;
    default: return a ^ b;
    }
}

static bool depends(uint64_t table, unsigned variable)
{
    uint64_t set = masks_table(variable);
    return (table & set) >> (1u << variable) != (table & ~set);
}

/* The value of the function TABLE if BITS are those of the variables. */
static bool value_of(uint64_t table, unsigned bits)
{
    return table >> bits & 1;
}

/* The plan */

static bool want(struct simple *simple, uint64_t table)
{
    for (unsigned i = 0; i < simple->wanted_count; i++)
        if (simple->wanted[i] == table)
            return true;
    if (simple->wanted_count == MASKS_WANTED)
        return false;
    simple->wanted[simple->wanted_count++] = table;
    return true;
}

int simple_read(const struct builder *f, const struct step *step)
{
    const struct template *template = f->effects[step->index]->template;
    bool reads = step->kind == STEP_VECTOR && template && template->uses >> IN & 1;
    int from = reads ? ref_scalar(f->unit->ops[step->index].aux >> 16) : -1;
    return from >= 0 && f->parts->is_mask[from / 2] ? from / 2 : -1;
}

/* Whether results are blended at a step: where it gives EXEC a new value, or the loop may be left there. */
static bool blends_at(const struct parts *parts, const struct step *step)
{
    return step->kind == STEP_EMPTY || (step->kind == STEP_LEAVE && !parts->leaves_at_end) || masks_writes_exec(step);
}

/* Executes a round, and finds what is wanted in it; false if it is too much. */
static bool execute_round(struct builder *f, const struct jit_loop *loop, struct simple *simple)
{
    struct parts *parts = f->parts;
    struct mask_state s = {0};
    bool written = false, done = true;
    for (unsigned pair = 0; pair < PARTS_MASKS && !s.failed; pair++)
        if (parts->mask_carried[pair]) {
            simple->pair[s.variables % MASK_VARIABLES] = (uint8_t)pair;
            masks_read(&s, pair);
        }
    simple->carried = s.variables;
    for (unsigned at = 0; at <= parts->count; at++) {
        const struct step *step = &parts->steps[at < parts->count ? at : 0];
        bool last = at == parts->count;
        int read = last ? -1 : simple_read(f, step);
        simple->exec[at] = masks_read(&s, PARTS_EXEC);
        simple->made[at] = (uint8_t)s.variables;
        written |= !last && step->kind == STEP_VECTOR && loop_result_lines(f->effects[step->index]);
        simple->blends[at] = loop->exec && written && (last || blends_at(parts, step));
        if (simple->blends[at] || (!last && step->kind == STEP_EMPTY))
            done &= want(simple, simple->exec[at]);
        if (simple->blends[at])
            written = false;
        if (read >= 0)
            done &= want(simple, simple->read[at] = masks_read(&s, (unsigned)read));
        if (!last)
            masks_execute(f, &s, step);
    }
    memcpy(simple->last, s.mask, sizeof simple->last);
    simple->variables = s.variables;
    return done && !s.failed;
}

/* Finds the masks that go from round to round on which something wanted depends, there or in a later round. */
static void find_needed(struct simple *simple)
{
    bool changed = true;
    for (unsigned v = 0; v < simple->carried; v++)
        for (unsigned i = 0; i < simple->wanted_count; i++)
            simple->needed[simple->pair[v]] |= depends(simple->wanted[i], v);
    while (changed) {
        changed = false;
        for (unsigned v = 0; v < simple->carried; v++)
            for (unsigned other = 0; other < simple->carried; other++)
                if (!simple->needed[simple->pair[v]] && simple->needed[simple->pair[other]] &&
                    depends(simple->last[simple->pair[other]], v))
                    changed = simple->needed[simple->pair[v]] = true;
    }
}

/* What the carried masks are after a round, of one lane, that begins with BITS of all variables; variable UNCHANGED, if
 * there is such a one, is not changed, nor are those that are constant. */
static unsigned next_state(const struct simple *simple, unsigned bits, unsigned unchanged)
{
    unsigned next = 0;
    for (unsigned v = 0; v < simple->carried; v++) {
        unsigned pair = simple->pair[v];
        bool same = simple->constant[pair] || v == unchanged;
        if (simple->needed[pair])
            next |= (same ? bits >> v & 1u : value_of(simple->last[pair], bits)) << v;
    }
    return next;
}

static bool same_wanted(const struct simple *simple, unsigned one, unsigned other)
{
    bool same = true;
    for (unsigned i = 0; i < simple->wanted_count; i++)
        same &= value_of(simple->wanted[i], one) == value_of(simple->wanted[i], other);
    return same;
}

/* Whether all that is wanted stays as it is if the mask that is VARIABLE keeps its value in all rounds, from any state
 * on: all pairs of states are visited into which the two ways may bring a lane. */
static bool may_stay(const struct simple *simple, unsigned variable)
{
    const unsigned states = 1u << simple->carried, inputs = 1u << (simple->variables - simple->carried);
    uint64_t seen[1 << MASK_VARIABLES] = {0}; /* by the state as it is, those as it would be */
    bool grows = true;
    for (unsigned i = 0; i < states; i++)
        seen[i] = UINT64_C(1) << i;
    while (grows) {
        grows = false;
        for (unsigned n = 0; n < states * states * inputs; n++) {
            unsigned one = n % states, other = n / states % states, input = n / states / states << simple->carried;
            if (!(seen[one] >> other & 1))
                continue;
            if (!same_wanted(simple, one | input, other | input))
                return false;
            unsigned next = next_state(simple, one | input, MASK_VARIABLES);
            uint64_t bit = UINT64_C(1) << next_state(simple, other | input, variable);
            grows |= !(seen[next] & bit);
            seen[next] |= bit;
        }
    }
    return true;
}

/* Making functions of others */

/* Operations on two functions each, which are known, or made by the operations before them. */
struct recipe {
    unsigned count;
    struct {
        uint8_t operation, a, b;
    } steps[3];
    uint64_t tables[3];
};

struct combination {
    uint8_t operation, a, b;
    uint64_t table;
};

enum { COMBINATIONS = 4 * MASKS_KNOWN * MASKS_KNOWN };

static unsigned list_combinations(const struct simple *simple, struct combination *list)
{
    unsigned count = 0;
    for (unsigned a = 0; a < simple->known_count; a++)
        for (unsigned b = 0; b < simple->known_count; b++)
            for (unsigned op = 0; op < MASK_OPERATIONS; op++)
                if (a < b || (a != b && op == MASK_AND_NOT))
                    list[count++] = (struct combination){
                        (uint8_t)op, (uint8_t)a, (uint8_t)b, apply(op, simple->known[a].table, simple->known[b].table)};
    return count;
}

static void add_step(struct recipe *recipe, const struct combination *c)
{
    recipe->tables[recipe->count] = c->table;
    recipe->steps[recipe->count].operation = c->operation;
    recipe->steps[recipe->count].a = c->a;
    recipe->steps[recipe->count++].b = c->b;
}

/* Whether TABLE is one operation on X, which is number NUMBER of the functions, and one of those before; adds it. */
static bool ends_with(const struct simple *simple, uint64_t table, uint64_t x, unsigned number, struct recipe *recipe)
{
    for (unsigned i = 0; i < simple->known_count; i++)
        for (unsigned op = 0; op < MASK_OPERATIONS; op++) {
            uint64_t y = simple->known[i].table;
            bool forth = apply(op, x, y) == table;
            if (!forth && apply(op, y, x) != table)
                continue;
            add_step(recipe, &(struct combination){(uint8_t)op, (uint8_t)(forth ? number : i),
                                                   (uint8_t)(forth ? i : number), table});
            return true;
        }
    return false;
}

/* Finds at most three operations that make TABLE of known functions. */
static bool find_recipe(const struct simple *simple, uint64_t table, struct recipe *recipe)
{
    static _Thread_local struct combination list[COMBINATIONS];
    unsigned count = list_combinations(simple, list), known = simple->known_count;
    recipe->count = 0;
    for (unsigned i = 0; i < count; i++)
        if (list[i].table == table) {
            add_step(recipe, &list[i]);
            return true;
        }
    for (unsigned i = 0; i < count; i++) {
        recipe->count = 0;
        add_step(recipe, &list[i]);
        if (ends_with(simple, table, list[i].table, known, recipe))
            return true;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            for (unsigned op = 0; op < MASK_OPERATIONS; op++)
                if (apply(op, list[i].table, list[j].table) == table) {
                    recipe->count = 0;
                    add_step(recipe, &list[i]);
                    add_step(recipe, &list[j]);
                    add_step(recipe, &(struct combination){(uint8_t)op, (uint8_t)known, (uint8_t)(known + 1), table});
                    return true;
                }
    return false;
}

static int find_known(const struct simple *simple, uint64_t table)
{
    for (unsigned i = 0; i < simple->known_count; i++)
        if (simple->known[i].table == table)
            return (int)i;
    return -1;
}

static bool add_known(struct simple *simple, uint64_t table, const LLVMValueRef *lanes)
{
    if (simple->known_count == MASKS_KNOWN)
        return false;
    struct mask_function *known = &simple->known[simple->known_count++];
    known->table = table;
    if (lanes)
        memcpy(known->lanes, lanes, sizeof known->lanes);
    return true;
}

static LLVMValueRef build_operation(struct builder *f, enum mask_operation operation, LLVMValueRef a, LLVMValueRef b)
{
    switch (operation) {
    case MASK_AND: return LLVMBuildAnd(f->b, a, b, "");
    case MASK_AND_NOT: return LLVMBuildAnd(f->b, a, LLVMBuildNot(f->b, b, ""), "");
    case MASK_OR: return LLVMBuildOr(f->b, a, b, "");
    default: return LLVMBuildXor(f->b, a, b, "");
    }
}

/* Makes TABLE a known function; with BUILD, emits it. False if that takes too many operations. */
static bool make_known(struct builder *f, struct simple *simple, uint64_t table, bool build)
{
    struct recipe recipe;
    LLVMValueRef lanes[CHUNKS_MAX] = {0};
    if (table + 1 <= 1 || find_known(simple, table) >= 0)
        return true;
    if (simple->known_count + 3 > MASKS_KNOWN || !find_recipe(simple, table, &recipe))
        return false;
    for (unsigned i = 0; i < recipe.count; i++) {
        for (unsigned c = 0; build && c < f->loop->chunks; c++)
            lanes[c] = build_operation(f, recipe.steps[i].operation, simple->known[recipe.steps[i].a].lanes[c],
                                       simple->known[recipe.steps[i].b].lanes[c]);
        add_known(simple, recipe.tables[i], build ? lanes : NULL);
    }
    return true;
}

/* Whether all that is wanted can be made, in the order in which parts_lanes.c has it made. */
static bool rehearse(struct builder *f, struct simple *simple)
{
    const struct parts *parts = f->parts;
    bool done = true;
    simple->known_count = 0;
    for (unsigned v = 0; v < simple->carried; v++)
        if (simple->needed[simple->pair[v]])
            done &= add_known(simple, masks_table(v), NULL);
    for (unsigned at = 0; at <= parts->count && done; at++) {
        const struct step *step = &parts->steps[at < parts->count ? at : 0];
        bool last = at == parts->count;
        if (!last && simple_read(f, step) >= 0)
            done &= make_known(f, simple, simple->read[at], false);
        for (unsigned variable = simple->made[at]; !last && variable < simple->made[at + 1]; variable++)
            done &= add_known(simple, masks_table(variable), NULL);
        if (simple->blends[at] || (!last && step->kind == STEP_EMPTY))
            done &= make_known(f, simple, simple->exec[at], false);
    }
    for (unsigned v = 0; v < simple->carried && done; v++)
        if (simple_changes(simple, simple->pair[v]))
            done = make_known(f, simple, simple->last[simple->pair[v]], false);
    return done;
}

bool simple_find(struct builder *f, const struct jit_loop *loop)
{
    struct simple *simple = &f->parts->simple;
    *simple = (struct simple){0};
    if (!execute_round(f, loop, simple))
        return false;
    find_needed(simple);
    for (unsigned v = 0; v < simple->carried; v++)
        simple->constant[simple->pair[v]] = simple->needed[simple->pair[v]] && may_stay(simple, v);
    return rehearse(f, simple);
}

void simple_begin(struct builder *f)
{
    f->parts->simple.known_count = 0;
}

void simple_set(struct builder *f, unsigned variable, const LLVMValueRef *lanes)
{
    add_known(&f->parts->simple, masks_table(variable), lanes);
}

void simple_make(struct builder *f, uint64_t table, LLVMValueRef *lanes)
{
    struct simple *simple = &f->parts->simple;
    make_known(f, simple, table, true);
    for (unsigned c = 0; c < f->loop->chunks; c++)
        lanes[c] = !table         ? LLVMConstNull(f->jit->chunk)
                   : !(table + 1) ? LLVMConstAllOnes(f->jit->chunk)
                                  : simple->known[find_known(simple, table)].lanes[c];
}
