/* SPDX-License-Identifier: MIT */
/* Assigns to each virtual register a register of the machine or a place in the spill segment; see hsail_code.h.
 * Input: intervals. Output: a place for each. Invariant: intervals of one kind that overlap have different places, and
 * the registers used, together with those that the caller names by number, stay within the limits of PRM 4.7.
 *
 * Intervals are looked at in the order in which they begin, and a register is free again where its interval ends. This
 * takes no more registers than live at once. Only if all kinds together take more than the limit, each kind is given
 * its share; then the interval that is used the least, for its length, is spilled as a whole. C registers come first,
 * since those that are spilled go on living in s registers. */
#include "brig/limit.h"
#include "frontend/hsail_code.h"

#include <stdlib.h>

static const unsigned weights[CODE_KINDS] = {0, 1, 2, 4}; /* of a register, in the limit */

/* ---- Heaps ----------------------------------------------------------------------------------------- */

struct heap_item {
    uint64_t key;
    uint32_t item;
};

/* The least key first. */
struct heap {
    VEC(struct heap_item) items;
};

static bool heap_push(struct heap *heap, uint64_t key, uint32_t item)
{
    struct heap_item new = {key, item};
    if (!vec_push(&heap->items, new))
        return false;
    size_t at = heap->items.count - 1;
    for (; at && heap->items.items[(at - 1) / 2].key > key; at = (at - 1) / 2)
        heap->items.items[at] = heap->items.items[(at - 1) / 2];
    heap->items.items[at] = new;
    return true;
}

static void heap_pop(struct heap *heap)
{
    struct heap_item last = heap->items.items[--heap->items.count];
    size_t count = heap->items.count, at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap->items.items[child + 1].key < heap->items.items[child].key)
            child++;
        if (heap->items.items[child].key >= last.key)
            break;
        heap->items.items[at] = heap->items.items[child];
    }
    if (count)
        heap->items.items[at] = last;
}

/* ---- One kind -------------------------------------------------------------------------------------- */

struct color_scan {
    struct code *code;
    VEC(uint64_t) sorted; /* begin of an interval, and its number */
    struct heap active;   /* by end */
    struct heap cheap;    /* by cost of spilling, also of intervals that have ended */
    VEC(uint32_t) freed;
    uint32_t limit, next, peak; /* places; the lowest never used; how many were */
};

static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The intervals of a kind that are spilled or not, by where they begin. */
static bool sort_intervals(struct color_scan *scan, unsigned kind, bool spilled)
{
    const struct code *code = scan->code;
    scan->sorted.count = scan->active.items.count = scan->cheap.items.count = scan->freed.count = 0;
    scan->next = scan->peak = 0;
    for (size_t i = 0; i < code->intervals.count; i++) {
        const struct code_interval *interval = &code->intervals.items[i];
        if (interval->kind == kind && interval->is_used && interval->is_spilled == spilled &&
            !vec_push(&scan->sorted, (uint64_t)interval->low << 32 | i))
            return false;
    }
    if (scan->sorted.count)
        qsort(scan->sorted.items, scan->sorted.count, sizeof *scan->sorted.items, compare_numbers);
    return true;
}

/* What it costs to spill an interval, by what that frees. Less than 0 for none. */
static uint64_t cost_of(const struct code_interval *interval)
{
    return (uint64_t)((double)interval->weight * 1048576.0 / ((double)interval->high - interval->low + 1));
}

/* Frees the places of intervals that end before POSITION. */
static bool expire(struct color_scan *scan, uint32_t position)
{
    while (scan->active.items.count && scan->active.items.items[0].key < position) {
        uint32_t number = scan->active.items.items[0].item;
        struct code_interval *interval = &scan->code->intervals.items[number];
        heap_pop(&scan->active);
        bool still = scan->limit == UINT32_MAX || !interval->is_spilled;
        if (still && !vec_push(&scan->freed, interval->place))
            return false;
    }
    return true;
}

/* The active interval that costs the least to spill, if that is less than COST; UINT32_MAX when there is none. */
static uint32_t find_cheap(struct color_scan *scan, uint64_t cost, uint32_t position)
{
    while (scan->cheap.items.count) {
        struct heap_item item = scan->cheap.items.items[0];
        const struct code_interval *interval = &scan->code->intervals.items[item.item];
        if (interval->high >= position && !interval->is_spilled && item.key >= cost)
            break;
        heap_pop(&scan->cheap);
        if (interval->high >= position && !interval->is_spilled)
            return item.item;
    }
    return UINT32_MAX;
}

/* Gives an interval a place, or spills it or another; false when memory is out. */
static bool place_interval(struct color_scan *scan, uint32_t number)
{
    struct code_interval *interval = &scan->code->intervals.items[number];
    if (!expire(scan, interval->low))
        return false;
    if (scan->freed.count) {
        interval->place = scan->freed.items[--scan->freed.count];
    } else if (scan->next < scan->limit) {
        interval->place = scan->next++;
    } else {
        uint32_t victim = find_cheap(scan, cost_of(interval), interval->low);
        if (victim == UINT32_MAX) {
            interval->is_spilled = true;
            return true;
        }
        interval->place = scan->code->intervals.items[victim].place;
        scan->code->intervals.items[victim].is_spilled = true;
    }
    if (scan->next > scan->peak)
        scan->peak = scan->next;
    bool limited = scan->limit != UINT32_MAX;
    return heap_push(&scan->active, interval->high, number) &&
           (!limited || heap_push(&scan->cheap, cost_of(interval), number));
}

/* Gives the intervals of a kind, spilled or not, the places below LIMIT; *PEAK gets the number of places used. With a
 * limit, some intervals may be spilled. */
static bool scan_kind(struct color_scan *scan, unsigned kind, bool spilled, uint32_t limit, uint32_t *peak)
{
    scan->limit = limit;
    if (!sort_intervals(scan, kind, spilled))
        return false;
    for (size_t i = 0; i < scan->sorted.count; i++)
        if (!place_interval(scan, (uint32_t)scan->sorted.items[i]))
            return false;
    *peak = scan->peak;
    return true;
}

/* ---- All kinds ------------------------------------------------------------------------------------- */

static void find_gaps(struct code *code)
{
    for (unsigned kind = 0; kind < CODE_KINDS; kind++)
        for (uint32_t i = 0, count = 0; i < code->floor[kind]; i++)
            if (!(code->taken[kind][i / 64] >> i % 64 & 1))
                code->gaps[kind][count++] = (uint16_t)i;
}

/* The number of the highest register plus 1 when COUNT virtual registers have one at the same time. */
static uint64_t extent(const struct code *code, unsigned kind, uint32_t count)
{
    uint64_t sum = (uint64_t)count + code->taken_count[kind];
    return sum > code->floor[kind] ? sum : code->floor[kind];
}

static uint64_t weigh(const struct code *code, const uint32_t count[CODE_KINDS])
{
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < CODE_KINDS; kind++)
        sum += weights[kind] * extent(code, kind, count[kind]);
    return sum;
}

static bool too_small(struct code *code, uint64_t least, const char *kinds, unsigned limit)
{
    asm_error(&code->builder->as, DIAG_BUILDER_REGISTERS, nothing, least, kinds, limit);
    return false;
}

/* Spilled c registers move to s registers. */
static bool give_homes(struct code *code)
{
    size_t count = code->intervals.count;
    for (size_t i = 0; i < count; i++) {
        struct code_interval home = code->intervals.items[i];
        if (home.kind != HSA_BRIG_REGISTER_KIND_CONTROL || !home.is_spilled)
            continue;
        home.kind = HSA_BRIG_REGISTER_KIND_SINGLE;
        home.is_spilled = false;
        code->intervals.items[i].home = (uint32_t)code->intervals.count;
        if (!vec_push(&code->intervals, home))
            return false;
    }
    return true;
}

static bool color_control(struct code *code, struct color_scan *scan)
{
    const unsigned kind = HSA_BRIG_REGISTER_KIND_CONTROL;
    unsigned limit = code->builder->control_limit;
    uint32_t peak, least = code->most[kind];
    if (!scan_kind(scan, kind, false, UINT32_MAX, &peak))
        return false;
    if (extent(code, kind, peak) <= limit)
        return true;
    if (extent(code, kind, least) > limit)
        return too_small(code, extent(code, kind, least), "c", limit);
    code->scratch[kind] = least;
    code->spills = true;
    return scan_kind(scan, kind, false, limit - code->taken_count[kind] - least, &peak) && give_homes(code);
}

/* Shares what the limit leaves among the kinds: those that want little get all they want. */
static void share_limit(const struct code *code, const uint32_t wanted[CODE_KINDS], uint32_t given[CODE_KINDS],
                        unsigned limit)
{
    bool done[CODE_KINDS] = {true};
    for (unsigned round = 0; round < CODE_KINDS; round++) {
        uint64_t rest = limit - weigh(code, given);
        unsigned kinds = 0;
        for (unsigned kind = 1; kind < CODE_KINDS; kind++)
            kinds += !done[kind];
        for (unsigned kind = 1; kind < CODE_KINDS; kind++) {
            uint32_t more = wanted[kind] > given[kind] ? wanted[kind] - given[kind] : 0;
            if (done[kind] || (uint64_t)more * weights[kind] * kinds > rest)
                continue;
            given[kind] += more;
            done[kind] = true;
        }
    }
    uint64_t rest = limit - weigh(code, given);
    unsigned kinds = !done[1] + !done[2] + !done[3];
    for (unsigned kind = 1; kind < CODE_KINDS; kind++)
        if (!done[kind])
            given[kind] += (uint32_t)(rest / kinds / weights[kind]);
}

static bool color_others(struct code *code, struct color_scan *scan)
{
    uint32_t peak[CODE_KINDS] = {0}, given[CODE_KINDS] = {0}, ignored;
    unsigned limit = code->builder->register_limit;
    for (unsigned kind = 1; kind < CODE_KINDS; kind++)
        if (!scan_kind(scan, kind, false, UINT32_MAX, &peak[kind]))
            return false;
    if (weigh(code, peak) <= limit && !code->spills)
        return true;
    code->spills = true;
    for (unsigned kind = 1; kind < CODE_KINDS; kind++) {
        /* One more to move a c register that is in memory. */
        code->scratch[kind] = code->most[kind] + (kind == HSA_BRIG_REGISTER_KIND_SINGLE);
        peak[kind] += code->scratch[kind];
        given[kind] = code->floor[kind] - code->taken_count[kind]; /* gaps cost nothing */
        if (given[kind] < code->scratch[kind])
            given[kind] = code->scratch[kind];
    }
    if (weigh(code, given) > limit)
        return too_small(code, weigh(code, given), "s, d and q", limit);
    share_limit(code, peak, given, limit);
    for (unsigned kind = 1; kind < CODE_KINDS; kind++)
        if (!scan_kind(scan, kind, false, given[kind] - code->scratch[kind], &ignored))
            return false;
    return true;
}

static bool color_slots(struct code *code, struct color_scan *scan)
{
    for (unsigned kind = 1; kind < CODE_KINDS; kind++)
        if (!scan_kind(scan, kind, true, UINT32_MAX, &code->slots[kind]))
            return false;
    return true;
}

bool code_color(struct code *code)
{
    struct color_scan scan = {.code = code};
    find_gaps(code);
    bool good = color_control(code, &scan) && color_others(code, &scan) && color_slots(code, &scan);
    for (size_t i = 0; good && i < code->intervals.count; i++) {
        struct code_interval *interval = &code->intervals.items[i];
        if (interval->is_used && !interval->is_spilled)
            interval->place = code_free_register(code, interval->kind, interval->place + code->scratch[interval->kind]);
    }
    vec_free(&scan.sorted);
    vec_free(&scan.active.items);
    vec_free(&scan.cheap.items);
    vec_free(&scan.freed);
    return good;
}
