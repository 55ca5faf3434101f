/* SPDX-License-Identifier: MIT */
/* Where the virtual registers of a code block live; see hsail_code.h.
 * Input: the block's entries in order. Output: an interval per register that covers every place at which its value may
 * be read later, along any path. Invariant: time is linear in the block but for a fixed effort; when that is spent,
 * intervals become longer, never too short.
 *
 * A register all of whose reads follow writes in the same basic block lives from the first to the last of them. For the
 * others, each read is followed backwards along the edges to the writes before it. */
#include "brig/reference.h"
#include "frontend/hsail_code.h"
#include "support/search.h"

#include <stdlib.h>

#define FREE_EFFORT (UINT64_C(1) << 25) /* blocks visited, and as many per entry: */
#define EFFORT_FACTOR 32u

struct block {
    uint32_t first, last;  /* entries */
    uint32_t first_before; /* in `before`: blocks that lead here */
    uint32_t depth;        /* of loops */
};

struct edge {
    uint32_t from, to;
};

/* What a block does to a register that is not local to one. */
struct summary {
    uint32_t next; /* of the same register, plus 1 */
    uint32_t block;
    bool reads, writes; /* READS: before it writes */
};

/* A range of blocks that a backward edge joins. */
struct loop_range {
    uint32_t low, high;
};

struct jump_target {
    uint32_t code, block;
};

struct live {
    struct code *code;
    VEC(struct block) blocks;
    VEC(struct edge) edges;
    VEC(struct jump_target) targets; /* labels, by offset in hsa_code */
    uint32_t *before;
    VEC(struct summary) summaries;
    VEC(uint32_t) work;
    VEC(struct loop_range) regions;
    uint32_t *head;    /* by register: newest summary, plus 1 */
    uint32_t *block;   /* by register: that of the latest occurrence, plus 1 */
    uint32_t *reached; /* by block: the latest register that lives at its begin, plus 1 */
    uint32_t *written; /* by block: the latest register that it writes, plus 1 */
    uint64_t effort;
};

/* ---- Occurrences and basic blocks ------------------------------------------------------------------ */

static const hsa_brig_base_t *entry_at(const struct code *code, uint32_t i)
{
    return brig_code(&code->view, code->order[i]);
}

static void note_taken(struct code *code, const hsa_brig_operand_register_t *reg)
{
    unsigned kind = reg->reg_kind;
    uint32_t number = reg->reg_num;
    if (kind >= CODE_KINDS || number >= CODE_REGISTERS)
        return; /* the validator will say so */
    uint64_t bit = UINT64_C(1) << number % 64;
    code->taken_count[kind] += !(code->taken[kind][number / 64] & bit);
    code->taken[kind][number / 64] |= bit;
    if (number >= code->floor[kind])
        code->floor[kind] = number + 1;
}

static bool note_uses(struct code *code, uint32_t i)
{
    struct brig_reference references[BRIG_MOST_REFERENCES];
    uint32_t seen[BRIG_MOST_REFERENCES], kinds[CODE_KINDS] = {0};
    unsigned count = brig_references(&code->view, entry_at(code, i), references), distinct = 0;
    for (unsigned r = 0; r < count; r++) {
        const hsa_brig_operand_register_t *reg = (const void *)brig_operand(&code->view, references[r].operand);
        if (!code_is_virtual(reg)) {
            note_taken(code, reg);
            continue;
        }
        uint32_t number = code_number(reg);
        unsigned known = 0;
        while (known < distinct && seen[known] != number)
            known++;
        if (known == distinct) {
            seen[distinct++] = number;
            kinds[code->intervals.items[number].kind]++;
        }
        if (!vec_push(&code->uses, ((struct code_use){i, number & 0x7fffffff, references[r].is_definition})))
            return false;
    }
    for (unsigned kind = 0; kind < CODE_KINDS; kind++)
        if (kinds[kind] > code->most[kind])
            code->most[kind] = kinds[kind];
    return true;
}

/* Whether control may go on with the next entry. */
static bool falls_through(const hsa_brig_base_t *entry)
{
    return !code_is_branch(entry) || code_opcode(entry) == HSA_BRIG_OPCODE_CBR;
}

static bool find_blocks(struct live *live)
{
    struct code *code = live->code;
    bool begins = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const hsa_brig_base_t *entry = entry_at(code, i);
        bool label = entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL;
        if ((begins || label) && !vec_push(&live->blocks, ((struct block){.first = i})))
            return false;
        uint32_t block = (uint32_t)live->blocks.count - 1;
        if (label && !vec_push(&live->targets, ((struct jump_target){code->order[i], block})))
            return false;
        live->blocks.items[block].last = i;
        begins = code_is_branch(entry);
        if (!note_uses(code, i))
            return false;
    }
    return true;
}

static int compare_targets(const void *left, const void *right)
{
    const struct jump_target *a = left, *b = right;
    return a->code < b->code ? -1 : a->code > b->code;
}

static bool add_edge(struct live *live, uint32_t from, uint32_t code)
{
    size_t count = live->targets.count;
    size_t at = search_first(count, i, live->targets.items[i].code >= code);
    if (at == count || live->targets.items[at].code != code)
        return true; /* no label of this block; the validator will say so */
    return vec_push(&live->edges, ((struct edge){from, live->targets.items[at].block}));
}

/* Edges to the labels that the last entry of a block names. */
static bool add_branches(struct live *live, uint32_t from, const hsa_brig_base_t *entry)
{
    const struct brig_view *view = &live->code->view;
    struct brig_list list = brig_list(view, ((const hsa_brig_inst_base_t *)(const void *)entry)->operands);
    for (uint32_t i = 0; i < list.count; i++) {
        const hsa_brig_base_t *operand = list.items[i] ? brig_operand(view, list.items[i]) : NULL;
        const void *structure = operand;
        if (operand && operand->kind == HSA_BRIG_KIND_OPERAND_CODE_REF &&
            !add_edge(live, from, ((const hsa_brig_operand_code_ref_t *)structure)->ref))
            return false;
        if (!operand || operand->kind != HSA_BRIG_KIND_OPERAND_CODE_LIST)
            continue;
        struct brig_list labels = brig_list(view, ((const hsa_brig_operand_code_list_t *)structure)->elements);
        for (uint32_t j = 0; j < labels.count; j++)
            if (!add_edge(live, from, labels.items[j]))
                return false;
    }
    return true;
}

static bool find_edges(struct live *live)
{
    if (live->targets.count)
        qsort(live->targets.items, live->targets.count, sizeof *live->targets.items, compare_targets);
    for (uint32_t b = 0; b < live->blocks.count; b++) {
        const hsa_brig_base_t *entry = entry_at(live->code, live->blocks.items[b].last);
        if (falls_through(entry) && b + 1 < live->blocks.count && !vec_push(&live->edges, ((struct edge){b, b + 1})))
            return false;
        if (code_is_branch(entry) && !add_branches(live, b, entry))
            return false;
    }
    return true;
}

/* The edges by where they lead. */
static bool sort_edges(struct live *live)
{
    live->before = mem_zalloc(live->edges.count + 1, sizeof *live->before);
    if (!live->before)
        return false;
    uint32_t sum = 0;
    for (size_t i = 0; i < live->edges.count; i++)
        live->blocks.items[live->edges.items[i].to].first_before++;
    for (size_t b = 0; b < live->blocks.count; b++) {
        sum += live->blocks.items[b].first_before;
        live->blocks.items[b].first_before = sum; /* counted down below */
    }
    for (size_t i = live->edges.count; i-- > 0;)
        live->before[--live->blocks.items[live->edges.items[i].to].first_before] = live->edges.items[i].from;
    return true;
}

/* ---- Loops ----------------------------------------------------------------------------------------- */

/* What a backward edge spans is a loop, of which each header has one. Regions are spans, joined where they overlap. */
static bool find_loops(struct live *live)
{
    uint32_t count = (uint32_t)live->blocks.count, high = 0, depth = 0;
    uint32_t *leave = mem_zalloc(count + 1, sizeof *leave);
    if (!leave)
        return false;
    bool good = true;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t end = b + 1 < count ? live->blocks.items[b + 1].first_before : (uint32_t)live->edges.count, last = 0;
        bool header = false;
        for (uint32_t i = live->blocks.items[b].first_before; i < end; i++)
            if (live->before[i] >= b) {
                header = true;
                last = live->before[i] > last ? live->before[i] : last;
            }
        if (header) {
            depth++;
            leave[last]++;
            if (live->regions.count && b <= high)
                live->regions.items[live->regions.count - 1].high = high = last > high ? last : high;
            else if (vec_push(&live->regions, ((struct loop_range){b, last})))
                high = last;
            else
                good = false;
        }
        live->blocks.items[b].depth = depth;
        depth -= leave[b];
    }
    mem_free(leave);
    return good;
}

/* ---- Intervals ------------------------------------------------------------------------------------- */

static void cover(struct code_interval *interval, uint32_t low, uint32_t high)
{
    if (low < interval->low)
        interval->low = low;
    if (high > interval->high)
        interval->high = high;
}

static uint32_t begin_of(const struct live *live, uint32_t block)
{
    return 2 * live->blocks.items[block].first;
}

static uint32_t end_of(const struct live *live, uint32_t block)
{
    return 2 * live->blocks.items[block].last + 1;
}

static float weight_of(uint32_t depth)
{
    return (float)(UINT32_C(1) << 3 * (depth < 5 ? depth : 5));
}

/* Finds from the occurrences a first interval of each register, and what each block does to it. */
static bool summarize(struct live *live)
{
    struct code *code = live->code;
    uint32_t block = 0;
    for (size_t i = 0; i < code->uses.count; i++) {
        const struct code_use *use = &code->uses.items[i];
        struct code_interval *interval = &code->intervals.items[use->number];
        uint32_t position = 2 * use->entry + use->is_definition, number = use->number;
        while (live->blocks.items[block].last < use->entry)
            block++;
        interval->is_used = true;
        interval->weight += weight_of(live->blocks.items[block].depth);
        cover(interval, position, position);
        if (live->block[number] != block + 1) {
            struct summary new = {live->head[number], block, !use->is_definition, false};
            if (!vec_push(&live->summaries, new))
                return false;
            live->head[number] = (uint32_t)live->summaries.count;
            live->block[number] = block + 1;
        }
        live->summaries.items[live->head[number] - 1].writes |= use->is_definition;
    }
    return true;
}

/* When there is too much to follow, makes the interval cover all that a path from the first to the last occurrence can
 * visit. */
static void cover_regions(struct live *live, struct code_interval *interval)
{
    size_t count = live->regions.count;
    size_t first = search_first(count, i, end_of(live, live->regions.items[i].high) >= interval->low);
    size_t after = search_first(count, i, begin_of(live, live->regions.items[i].low) > interval->high);
    if (first < after)
        cover(interval, begin_of(live, live->regions.items[first].low),
              end_of(live, live->regions.items[after - 1].high));
}

static bool reach(struct live *live, uint32_t block, uint32_t stamp)
{
    if (live->reached[block] == stamp)
        return true;
    live->reached[block] = stamp;
    return vec_push(&live->work, block);
}

/* Follows the reads of a register back to its writes. False when memory is out. */
static bool follow_reads(struct live *live, uint32_t number)
{
    struct code_interval *interval = &live->code->intervals.items[number];
    uint32_t stamp = number + 1;
    live->work.count = 0;
    for (uint32_t at = live->head[number]; at; at = live->summaries.items[at - 1].next) {
        const struct summary *summary = &live->summaries.items[at - 1];
        if (summary->writes)
            live->written[summary->block] = stamp;
        if (summary->reads && !reach(live, summary->block, stamp))
            return false;
    }
    while (live->work.count) {
        uint32_t block = live->work.items[--live->work.count];
        uint32_t end =
            block + 1 < live->blocks.count ? live->blocks.items[block + 1].first_before : (uint32_t)live->edges.count;
        cover(interval, begin_of(live, block), begin_of(live, block));
        for (uint32_t i = live->blocks.items[block].first_before; i < end; i++) {
            uint32_t before = live->before[i];
            cover(interval, end_of(live, before), end_of(live, before));
            if (live->written[before] != stamp && !reach(live, before, stamp))
                return false;
        }
        uint64_t effort = 1 + end - live->blocks.items[block].first_before;
        if (effort > live->effort) {
            live->effort = 0;
            cover_regions(live, interval);
            return true;
        }
        live->effort -= effort;
    }
    return true;
}

static bool follow_all(struct live *live)
{
    struct code *code = live->code;
    live->effort = FREE_EFFORT + EFFORT_FACTOR * (uint64_t)code->count;
    for (uint32_t number = 0; number < code->intervals.count; number++) {
        uint32_t at = live->head[number];
        const struct summary *summary = at ? &live->summaries.items[at - 1] : NULL;
        if (!summary || (!summary->next && !summary->reads))
            continue;
        if (!live->effort)
            cover_regions(live, &code->intervals.items[number]);
        else if (!follow_reads(live, number))
            return false;
    }
    return true;
}

bool code_find_intervals(struct code *code)
{
    struct live live = {.code = code};
    size_t registers = code->intervals.count + 1;
    bool good = find_blocks(&live) && find_edges(&live) && sort_edges(&live) && find_loops(&live);
    if (good) {
        live.head = mem_zalloc(registers, sizeof *live.head);
        live.block = mem_zalloc(registers, sizeof *live.block);
        live.reached = mem_zalloc(live.blocks.count + 1, sizeof *live.reached);
        live.written = mem_zalloc(live.blocks.count + 1, sizeof *live.written);
        good = live.head && live.block && live.reached && live.written && summarize(&live) && follow_all(&live);
    }
    vec_free(&live.blocks);
    vec_free(&live.edges);
    vec_free(&live.targets);
    mem_free(live.before);
    vec_free(&live.summaries);
    vec_free(&live.work);
    vec_free(&live.regions);
    mem_free(live.head);
    mem_free(live.block);
    mem_free(live.reached);
    mem_free(live.written);
    return good;
}
