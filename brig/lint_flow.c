/* SPDX-License-Identifier: MIT */
/* The ways through a code block: statements that no way leads to, and ways that end without a ret; see lint_p.h.
 * Input: the code block of a kernel or function. Output: findings, and the blocks for lint_register.c.
 * Invariant: conditions are not looked at; a branch may be taken or not. */
#include "brig/lint_p.h"
#include "support/search.h"

static const struct diag_part whole;

static unsigned opcode_of(const hsa_brig_base_t *entry)
{
    return brig_is_inst(entry) ? ((const hsa_brig_inst_base_t *)(const void *)entry)->opcode : HSA_BRIG_OPCODE_NOP;
}

static bool ends_block(unsigned opcode)
{
    return opcode == HSA_BRIG_OPCODE_BR || opcode == HSA_BRIG_OPCODE_CBR || opcode == HSA_BRIG_OPCODE_SBR ||
           opcode == HSA_BRIG_OPCODE_RET;
}

static void add_block(struct lint *lint, uint32_t first)
{
    struct lint_block block = {.first = first};
    if (lint->blocks.count)
        lint->blocks.items[lint->blocks.count - 1].end = first;
    if (!vec_push(&lint->blocks, block))
        lint->out_of_memory = true;
}

/* Blocks begin at the first entry, at labels and after branches. The last item of the list is no block: it marks the
 * end of the code block. */
static void find_blocks(struct lint *lint, const hsa_brig_directive_executable_t *e)
{
    bool begins = true;
    lint->blocks.count = lint->edges.count = 0;
    for (uint32_t at = e->first_code_block_entry; at < e->next_module_entry && !lint->out_of_memory;
         at = brig_next_code(lint->view, at)) {
        const hsa_brig_base_t *entry = brig_code(lint->view, at);
        if (begins || entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL)
            add_block(lint, at);
        begins = ends_block(opcode_of(entry));
    }
    add_block(lint, e->next_module_entry);
}

static void add_edge(struct lint *lint, uint32_t block)
{
    if (!vec_push(&lint->edges, block))
        lint->out_of_memory = true;
}

static void add_branch(struct lint *lint, uint32_t label)
{
    size_t blocks = lint->blocks.count;
    size_t target = search_first(blocks, i, lint->blocks.items[i].first >= label);
    if (target < blocks)
        add_edge(lint, (uint32_t)target);
}

/* The last instruction of a block; 0 if it has none. */
static uint32_t last_instruction(const struct lint *lint, const struct lint_block *block)
{
    uint32_t last = 0;
    for (uint32_t at = block->first; at < block->end; at = brig_next_code(lint->view, at))
        if (brig_is_inst(brig_code(lint->view, at)))
            last = at;
    return last;
}

/* Adds the edges of block I, which may lead to the next. */
static void find_edges(struct lint *lint, size_t i)
{
    lint->blocks.items[i].first_edge = (uint32_t)lint->edges.count;
    uint32_t last = last_instruction(lint, &lint->blocks.items[i]);
    struct lang_inst inst;
    unsigned opcode = last ? opcode_of(brig_code(lint->view, last)) : HSA_BRIG_OPCODE_NOP;
    if (!ends_block(opcode) || opcode == HSA_BRIG_OPCODE_CBR)
        add_edge(lint, (uint32_t)i + 1);
    if (!ends_block(opcode) || !lang_load(lint->view, last, &inst))
        return;
    for (uint32_t o = 0; o < inst.operands.count; o++) {
        const void *operand = brig_operand(lint->view, inst.operands.items[o]);
        char letter = lang_operand_letter(&inst, o);
        if (letter == 'l')
            add_branch(lint, ((const hsa_brig_operand_code_ref_t *)operand)->ref);
        struct brig_list labels = {0};
        if (letter == 'L')
            labels = brig_list(lint->view, ((const hsa_brig_operand_code_list_t *)operand)->elements);
        for (uint32_t l = 0; l < labels.count && !lint->out_of_memory; l++)
            add_branch(lint, labels.items[l]);
    }
}

/* Marks the blocks that some way from the first leads to. */
static void lint_mark_reached(struct lint *lint)
{
    struct lint_block *blocks = lint->blocks.items;
    blocks[0].is_reached = true;
    lint->work.count = 0;
    if (!vec_push(&lint->work, 0))
        lint->out_of_memory = true;
    while (lint->work.count && !lint->out_of_memory) {
        uint32_t from = lint->work.items[--lint->work.count];
        if (from + 1 == lint->blocks.count)
            continue; /* the mark at the end */
        for (uint32_t e = blocks[from].first_edge; e < blocks[from + 1].first_edge; e++) {
            uint32_t to = lint->edges.items[e];
            if (blocks[to].is_reached)
                continue;
            blocks[to].is_reached = true;
            if (!vec_push(&lint->work, to))
                lint->out_of_memory = true;
        }
    }
}

/* Reports the first instruction of each sequence of blocks that are not reached. */
static void report_unreached(struct lint *lint)
{
    bool reported = false;
    for (size_t i = 0; i + 1 < lint->blocks.count; i++) {
        const struct lint_block *block = &lint->blocks.items[i];
        reported &= !block->is_reached;
        for (uint32_t at = block->first; at < block->end && !block->is_reached && !reported;
             at = brig_next_code(lint->view, at))
            if (brig_is_inst(brig_code(lint->view, at))) {
                LINT_WARN(lint, UNREACHABLE, at, whole, lang_op(opcode_of(brig_code(lint->view, at)))->text);
                reported = true;
            }
    }
}

void lint_flow(struct lint *lint, uint32_t executable)
{
    find_blocks(lint, LINT_AS(lint, hsa_brig_directive_executable_t, executable));
    size_t end = lint->blocks.count - 1;
    for (size_t i = 0; i < end && !lint->out_of_memory; i++)
        find_edges(lint, i);
    if (lint->out_of_memory || !end)
        return; /* an empty body is a stub */
    lint->blocks.items[end].first_edge = (uint32_t)lint->edges.count;
    lint_mark_reached(lint);
    report_unreached(lint);
    if (lint->blocks.items[end].is_reached)
        LINT_WARN(lint, MISSING_RET, executable, whole, lint_name(lint, executable));
    lint_registers(lint);
}
