/* SPDX-License-Identifier: MIT */
/* Registers that are read although no way to the read writes them, or not every way does; see lint_p.h.
 * Input: the blocks of a code block. Output: at most one finding per register. Invariant: linear time: the ways are
 * followed for 64 registers at once; if loops are nested too deeply, the search ends without a finding. */
#include "brig/lint_p.h"

#include <string.h>

enum { MOST_PASSES = 64 }; /* each pass follows all ways forward, and gets one loop deeper */

/* ---- What each block reads and writes -------------------------------------------------------------- */

/* The register's place in the tables, or LINT_REGISTERS for one that cannot be. */
static uint32_t key_of(const struct lint *lint, uint32_t operand)
{
    const hsa_brig_operand_register_t *reg = (const void *)brig_operand(lint->view, operand);
    uint32_t key = reg->reg_kind * (LINT_REGISTERS / 4u) + reg->reg_num;
    return reg->reg_num < LINT_REGISTERS / 4 && reg->reg_kind < 4 ? key : LINT_REGISTERS;
}

static void add_event(struct lint *lint, struct lint_event event)
{
    if (!vec_push(&lint->events, event))
        lint->out_of_memory = true;
}

static void note_reference(struct lint *lint, uint32_t block, uint32_t code, const struct brig_reference *reference)
{
    uint32_t key = key_of(lint, reference->operand);
    if (key == LINT_REGISTERS || reference->is_destination || lint->written_in[key] == lint->serial + block)
        return;
    struct lint_event event = {
        .block = block,
        .code = code,
        .number = (uint16_t)key,
        .index = reference->index & 0x7f,
        .element = reference->element,
        .is_write = reference->is_definition};
    if (reference->is_definition) {
        lint->written_in[key] = lint->serial + block;
        add_event(lint, event);
    } else if (lint->read_in[key] != lint->serial + block) {
        lint->read_in[key] = lint->serial + block;
        if (!lint->number[key]) {
            lint->names[lint->numbers++] = reference->operand;
            lint->number[key] = (uint16_t)lint->numbers;
        }
        add_event(lint, event);
    }
}

/* Makes the events of all blocks, in the order of the text, and forgets those of registers that no block reads before
 * it writes them. */
static void collect_events(struct lint *lint)
{
    struct brig_reference references[BRIG_MOST_REFERENCES];
    lint->events.count = lint->numbers = 0;
    lint->serial = lint->next_serial;
    lint->next_serial += (uint32_t)lint->blocks.count;
    for (uint32_t b = 0; b + 1 < lint->blocks.count && !lint->out_of_memory; b++)
        for (uint32_t at = lint->blocks.items[b].first; at < lint->blocks.items[b].end && !lint->out_of_memory;
             at = brig_next_code(lint->view, at)) {
            unsigned count = brig_references(lint->view, brig_code(lint->view, at), references);
            for (unsigned i = 0; i < count; i++)
                note_reference(lint, b, at, &references[i]);
        }
    size_t kept = 0;
    for (size_t i = 0; i < lint->events.count; i++) {
        struct lint_event event = lint->events.items[i];
        if (!lint->number[event.number])
            continue;
        event.number = (uint16_t)(lint->number[event.number] - 1u);
        lint->events.items[kept++] = event;
    }
    lint->events.count = kept;
    for (uint32_t i = 0; i < lint->numbers; i++)
        lint->number[key_of(lint, lint->names[i])] = 0;
}

/* ---- What they hold on the ways -------------------------------------------------------------------- */

/* Follows all ways once; returns whether anything new was found. */
static bool follow_all_ways(struct lint *lint)
{
    uint64_t *unwritten = lint->unwritten.items, *written = lint->written.items, changed = 0;
    for (size_t b = 0; b + 1 < lint->blocks.count; b++) {
        const struct lint_block *block = &lint->blocks.items[b];
        if (!block->is_reached)
            continue;
        uint64_t none = unwritten[b] & ~lint->gains.items[b], some = written[b] | lint->gains.items[b];
        for (uint32_t e = block->first_edge; e < block[1].first_edge; e++) {
            uint32_t to = lint->edges.items[e];
            changed |= (none & ~unwritten[to]) | (some & ~written[to]);
            unwritten[to] |= none;
            written[to] |= some;
        }
    }
    return changed;
}

static void report_unwritten(struct lint *lint, const struct lint_event *event, bool definite)
{
    const hsa_brig_operand_register_t *reg = (const void *)brig_operand(lint->view, lint->names[event->number]);
    char name[] = {'$', "csdq"[reg->reg_kind & 3], '0', '0', '0', '0', '\0'};
    char *digit = name + 2;
    unsigned number = reg->reg_num;
    for (unsigned ten = 1000; ten; ten /= 10)
        if (number >= ten || ten == 1 || digit != name + 2)
            *digit++ = (char)('0' + number / ten % 10);
    *digit = '\0';
    struct diag_part part = brig_part(BRIG_PART_OPERAND, event->index, event->element);
    if (definite)
        LINT_WARN(lint, REGISTER_UNSET, event->code, part, (const char *)name);
    else
        LINT_WARN(lint, REGISTER_MAYBE_UNSET, event->code, part, (const char *)name);
}

/* Looks at the registers from number FIRST on, one for each bit of a word. */
static void check_some(struct lint *lint, uint32_t first)
{
    size_t bytes = lint->blocks.count * sizeof(uint64_t);
    uint64_t reported = 0;
    memset(lint->unwritten.items, 0, bytes);
    memset(lint->written.items, 0, bytes);
    memset(lint->gains.items, 0, bytes);
    lint->unwritten.items[0] = UINT64_MAX;
    for (size_t i = 0; i < lint->events.count; i++) {
        const struct lint_event *event = &lint->events.items[i];
        if (event->is_write && event->number / 64 == first / 64)
            lint->gains.items[event->block] |= UINT64_C(1) << event->number % 64;
    }
    unsigned passes = 0;
    while (follow_all_ways(lint))
        if (++passes == MOST_PASSES)
            return;
    for (size_t i = 0; i < lint->events.count; i++) {
        const struct lint_event *event = &lint->events.items[i];
        uint64_t bit = UINT64_C(1) << event->number % 64;
        if (event->is_write || event->number / 64 != first / 64 || !lint->blocks.items[event->block].is_reached ||
            reported & bit || !(lint->unwritten.items[event->block] & bit))
            continue;
        reported |= bit;
        report_unwritten(lint, event, !(lint->written.items[event->block] & bit));
    }
}

void lint_registers(struct lint *lint)
{
    collect_events(lint);
    lint->unwritten.count = lint->written.count = lint->gains.count = 0;
    if (!lint->numbers || lint->out_of_memory)
        return;
    if (!vec_reserve(&lint->unwritten, lint->blocks.count) || !vec_reserve(&lint->written, lint->blocks.count) ||
        !vec_reserve(&lint->gains, lint->blocks.count)) {
        lint->out_of_memory = true;
        return;
    }
    for (uint32_t first = 0; first < lint->numbers; first += 64)
        check_some(lint, first);
}
