/* SPDX-License-Identifier: MIT */
/* Virtual registers and the insertion point of a builder's code block; see hsail/builder.h.
 * Input: calls between hsail_builder_body() and hsail_builder_end(). Output: the order of the block's entries, which
 * stand in hsa_code as they were given. Invariant: moving costs the same however long the block is; only a label that
 * is placed at a position gone back to looks for the label before it. */
#include "brig/limit.h"
#include "frontend/hsail_code.h"
#include "support/search.h"

#include <string.h>

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define NO_LABEL UINT32_MAX

/* ---- Virtual registers ----------------------------------------------------------------------------- */

hsail_operand_t hsail_builder_register(hsail_builder_t *builder, char kind)
{
    static const char kinds[] = "csdq";
    const struct mem_hooks *before = NULL;
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_REGISTER);
    const struct hsail_call *call = CALL("a virtual register", hsail_text_word, .end = "");
    const char *found = kind ? strchr(kinds, kind) : NULL;
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before)) {
        hsail_builder_leave(builder, before);
        return operand;
    }
    if (!found) {
        hsail_builder_refuse(builder, before, "the kind is none of c, s, d and q");
        return operand;
    }
    uint64_t number = (uint64_t)builder->first_register + builder->registers.count;
    if (builder->registers.count >= CODE_MOST_VIRTUAL || number >= UINT32_MAX)
        builder->status = HSAIL_STATUS_TOO_LARGE;
    else if (!vec_push(&builder->registers, (uint8_t)(found - kinds)))
        asm_no_memory(&builder->as);
    if (hsail_builder_leave(builder, before) != HSAIL_STATUS_OK)
        return operand;
    operand.register_kind = "CSDQ"[found - kinds];
    operand.number = (uint32_t)number;
    return operand;
}

hsail_status_t hsail_builder_register_limit(hsail_builder_t *builder, unsigned control, unsigned weighted)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a limit of registers", hsail_text_word, .end = "");
    if (!hsail_builder_enter(builder, ANYWHERE | IN(IN_OUTPUTS) | IN(IN_INPUTS), call, &before))
        return hsail_builder_leave(builder, before);
    if (control > LIMIT_CONTROL_REGISTERS || weighted > LIMIT_WEIGHTED_REGISTERS)
        return hsail_builder_refuse(builder, before, "it is above that of HSAIL");
    builder->control_limit = control;
    builder->register_limit = weighted;
    return hsail_builder_leave(builder, before);
}

/* ---- The order of the entries ---------------------------------------------------------------------- */

static const hsa_brig_base_t *entry_of(const hsail_builder_t *builder, const struct hsail_node *node)
{
    return (const void *)(builder->as.out.section[CODE].data + node->code);
}

/* The label of the block that the cursor is in; 0 before the first. */
static uint32_t label_of_cursor(hsail_builder_t *builder)
{
    if (builder->cursor_label == NO_LABEL) {
        uint32_t at = builder->cursor;
        while (at && !builder->nodes.items[at].is_label)
            at = builder->nodes.items[at].previous;
        builder->cursor_label = at;
    }
    return builder->cursor_label;
}

/* Appends a node after the cursor, which moves to it. */
static bool add_node(hsail_builder_t *builder, uint32_t code)
{
    struct hsail_node new = {.code = code, .previous = builder->cursor};
    uint32_t number = (uint32_t)builder->nodes.count;
    unsigned kind = entry_of(builder, &new)->kind;
    if (!vec_push(&builder->nodes, new))
        return false;
    struct hsail_node *nodes = builder->nodes.items, *node = &nodes[number], *before = &nodes[builder->cursor];
    node->next = before->next;
    nodes[node->next].previous = number;
    before->next = number;
    node->in_arg_block = kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START ||
                         (kind != HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END && before->in_arg_block);
    if (kind == HSA_BRIG_KIND_DIRECTIVE_LABEL) {
        uint32_t label = label_of_cursor(builder);
        node->is_label = true;
        node->previous_label = label;
        node->next_label = nodes[label].next_label;
        nodes[node->next_label].previous_label = number;
        nodes[label].next_label = number;
        builder->cursor_label = number;
    }
    builder->cursor = number;
    return true;
}

/* Gives the entries made since the last time their nodes. */
static bool note_entries(hsail_builder_t *builder)
{
    const struct brig_buffer *section = &builder->as.out.section[CODE];
    if (!builder->nodes.count && !vec_push(&builder->nodes, ((struct hsail_node){.code = 0})))
        return false;
    while (builder->noted < section->size) {
        if (!add_node(builder, builder->noted))
            return false;
        builder->noted += ((const hsa_brig_base_t *)(const void *)(section->data + builder->noted))->byte_count;
    }
    return true;
}

bool code_order(struct code *code)
{
    hsail_builder_t *builder = code->builder;
    const struct brig_buffer *section = &builder->as.out.section[CODE];
    uint32_t count = 0, begin = builder->body.size[CODE];
    if (builder->moved && !note_entries(builder))
        return false;
    for (uint32_t at = begin; at < section->size; count++)
        at += ((const hsa_brig_base_t *)(const void *)(section->data + at))->byte_count;
    code->order = mem_zalloc(count + 1, sizeof *code->order);
    if (!code->order)
        return false;
    if (builder->moved)
        for (uint32_t at = builder->nodes.items[0].next; at; at = builder->nodes.items[at].next)
            code->order[code->count++] = builder->nodes.items[at].code;
    else
        for (uint32_t at = begin; at < section->size;
             at += ((const hsa_brig_base_t *)(const void *)(section->data + at))->byte_count)
            code->order[code->count++] = at;
    return true;
}

/* ---- Moving ---------------------------------------------------------------------------------------- */

/* The node of the label NAME; NO_LABEL when it was not placed. */
static uint32_t find_label(hsail_builder_t *builder, const char *name)
{
    const struct symbol *symbol = symbol_find(&builder->as.labels, name, strlen(name));
    if (!symbol || !symbol->defined)
        return NO_LABEL;
    size_t at = search_first(builder->nodes.count, i, builder->nodes.items[i].code >= symbol->code);
    return at < builder->nodes.count ? (uint32_t)at : NO_LABEL;
}

/* The last of the definitions at the start of the code block, after which statements go; 0 when there is none. */
static uint32_t after_definitions(const hsail_builder_t *builder)
{
    uint32_t last = 0;
    for (uint32_t at = builder->nodes.items[0].next; at; at = builder->nodes.items[at].next) {
        const hsa_brig_base_t *entry = entry_of(builder, &builder->nodes.items[at]);
        if (code_is_statement(entry))
            break;
        if (!brig_is_annotation(entry))
            last = at;
    }
    return last;
}

/* The last entry of a block. */
static uint32_t last_of_block(const hsail_builder_t *builder, uint32_t label)
{
    uint32_t next = builder->nodes.items[label].next_label;
    return builder->nodes.items[next].previous;
}

/* The entry before the branches that end a block and before their annotations. */
static uint32_t before_branches(const hsail_builder_t *builder, uint32_t label)
{
    uint32_t first = last_of_block(builder, label);
    for (uint32_t at = first; at != label; at = builder->nodes.items[at].previous) {
        const hsa_brig_base_t *entry = entry_of(builder, &builder->nodes.items[at]);
        if (code_is_branch(entry))
            first = builder->nodes.items[at].previous;
        else if (!brig_is_annotation(entry))
            break;
    }
    return first;
}

/* Whether the insertion point can be moved at all; its node is up to date then. */
static bool can_move(hsail_builder_t *builder)
{
    if (builder->as.arg_depth) {
        asm_error(&builder->as, DIAG_BUILDER_POSITION, nothing, "the insertion point cannot leave an open arg block");
        return false;
    }
    if (note_entries(builder))
        return true;
    asm_no_memory(&builder->as);
    return false;
}

static void set_cursor(hsail_builder_t *builder, uint32_t node, uint32_t label)
{
    if (builder->nodes.items[node].in_arg_block) {
        asm_error(&builder->as, DIAG_BUILDER_POSITION, nothing, "the insertion point cannot be inside an arg block");
        return;
    }
    builder->moved |= node != builder->cursor;
    builder->cursor = node;
    builder->cursor_label = label;
}

hsail_status_t hsail_builder_move(hsail_builder_t *builder, hsail_place_t place, const char *label)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a move", hsail_text_name, .word = "to ", .name = label, .end = "");
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (place != HSAIL_BLOCK_BEGIN && place != HSAIL_BLOCK_END && place != HSAIL_BLOCK_BEFORE_BRANCH)
        return hsail_builder_refuse(builder, before, "there is no such place");
    if (!can_move(builder))
        return hsail_builder_leave(builder, before);
    uint32_t node = label ? find_label(builder, label) : 0;
    if (node == NO_LABEL)
        asm_error(&builder->as, DIAG_BUILDER_POSITION, nothing, "the label was not placed in this code block");
    else if (place == HSAIL_BLOCK_BEGIN)
        set_cursor(builder, node ? node : after_definitions(builder), node);
    else if (place == HSAIL_BLOCK_END)
        set_cursor(builder, last_of_block(builder, node), node);
    else
        set_cursor(builder, before_branches(builder, node), node);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_position(hsail_builder_t *builder, hsail_position_t *position)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a position", hsail_text_word, .end = "");
    if (position)
        *position = (hsail_position_t){0, 0};
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (!position)
        return hsail_builder_refuse(builder, before, "the pointer to it is NULL");
    if (can_move(builder))
        *position = (hsail_position_t){builder->body_number, builder->cursor};
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_move_to(hsail_builder_t *builder, hsail_position_t position)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a move", hsail_text_word, .end = "");
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (!can_move(builder))
        return hsail_builder_leave(builder, before);
    if (position.block != builder->body_number || position.statement >= builder->nodes.count)
        asm_error(&builder->as, DIAG_BUILDER_POSITION, nothing, "the position is not of this code block");
    else
        set_cursor(builder, position.statement,
                   position.statement == builder->cursor ? builder->cursor_label : NO_LABEL);
    return hsail_builder_leave(builder, before);
}

/* ---- Around a code block --------------------------------------------------------------------------- */

void hsail_builder_body_begin(hsail_builder_t *builder)
{
    builder->body = brig_builder_mark(&builder->as.out);
    builder->body_patches = builder->as.patches.count;
    builder->body_number++;
    builder->first_register += (uint32_t)builder->registers.count;
    builder->registers.count = builder->nodes.count = 0;
    builder->noted = builder->body.size[CODE];
    builder->cursor = builder->cursor_label = 0;
    builder->moved = false;
}

/* The registers of the caller, each with an interval that is still empty. */
static bool add_intervals(struct code *code)
{
    const hsail_builder_t *builder = code->builder;
    if (!vec_reserve(&code->intervals, builder->registers.count))
        return false;
    for (size_t i = 0; i < builder->registers.count; i++)
        code->intervals.items[code->intervals.count++] =
            (struct code_interval){.low = UINT32_MAX, .kind = builder->registers.items[i]};
    return true;
}

void hsail_builder_body_end(hsail_builder_t *builder)
{
    struct assembler *as = &builder->as;
    asm_check_labels(as); /* a label that is not there is an error before anything moves */
    if (builder->list.errors || as->out_of_memory || as->out.status != BRIG_OK)
        return;
    if (!builder->registers.count && !builder->moved)
        return;
    struct code *code = mem_zalloc(1, sizeof *code);
    bool good = code != NULL;
    if (good) {
        code->builder = builder;
        brig_builder_view(&as->out, &code->view);
        good = code_order(code) && add_intervals(code);
        if (good && builder->registers.count)
            good = code_find_intervals(code) && code_color(code);
        if (good)
            code_arrange(code);
        mem_free(code->order);
        vec_free(&code->uses);
        vec_free(&code->intervals);
        mem_free(code);
    }
    if (!good && !builder->list.errors)
        asm_no_memory(as);
}
