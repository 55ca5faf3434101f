/* SPDX-License-Identifier: MIT */
/* See transcribe.h. Input: a module that was opened, and its text. Output: calls of the builder, one per entry. */
#include "testsuite/frontend/transcribe.h"

#include "brig/language.h"
#include "brig/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 4096

struct transcript {
    const struct transcribe_options *options;
    const struct brig_view *view;
    hsail_builder_t *builder;
    const char *printed; /* the module as text, from the next instruction on */
    char names[1 << 16]; /* the strings of one statement, each with a NUL */
    size_t used;
    hsail_operand_t operands[4096]; /* those of one statement */
    size_t count;
    hsail_operand_t registers[4][2048]; /* virtual ones that stand for those of the code block */
    bool in_pragma;                     /* no virtual register is allowed here */
    uint64_t state;                     /* of the random numbers that order the blocks */
};

#define MEMBER(type, entry) ((const type *)(const void *)(entry))

static const char *string(struct transcript *t, uint32_t offset)
{
    struct bytes bytes = brig_string(t->view, offset);
    if (bytes.size >= sizeof t->names - t->used)
        exit(99);
    char *copy = memcpy(t->names + t->used, bytes.data, bytes.size);
    copy[bytes.size] = '\0';
    t->used += bytes.size + 1;
    return copy;
}

/* All directives with a name have it in the same place. */
static const char *name_of(struct transcript *t, uint32_t code)
{
    return string(t, MEMBER(hsa_brig_directive_label_t, brig_code(t->view, code))->name);
}

static hsail_operand_t *room(struct transcript *t, uint32_t count)
{
    if (count > sizeof t->operands / sizeof *t->operands - t->count)
        exit(99);
    t->count += count;
    return t->operands + t->count - count;
}

/* ---- Operands -------------------------------------------------------------------------------------- */

static hsail_operand_t operand_of(struct transcript *t, uint32_t offset);

static hsail_operand_t *operands_of(struct transcript *t, uint32_t list_offset, uint32_t *count)
{
    struct brig_list list = brig_list(t->view, list_offset);
    hsail_operand_t *items = room(t, list.count);
    for (uint32_t i = 0; i < list.count; i++)
        items[i] = operand_of(t, list.items[i]);
    *count = list.count;
    return items;
}

static hsail_operand_t constant_of(struct transcript *t, const hsa_brig_operand_constant_bytes_t *entry)
{
    struct bytes bytes = brig_bytes(t->view, entry->bytes);
    uint32_t size = lang_type_size(entry->type), count = (uint32_t)(bytes.size / size);
    hsa_brig_type_t type = (hsa_brig_type_t)(entry->type & ~HSA_BRIG_TYPE_CLASS_ARRAY);
    if (!lang_type_is_array(entry->type))
        return hsail_constant(type, bytes.data);
    hsail_operand_t *items = room(t, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = hsail_constant(type, bytes.data + (size_t)i * size);
    return hsail_array(type, items, count);
}

static hsail_operand_t list_of(struct transcript *t, const hsa_brig_operand_constant_operand_list_t *entry)
{
    uint32_t count;
    hsail_operand_t *items = operands_of(t, entry->elements, &count);
    if (!entry->type)
        return hsail_aggregate(items, count);
    if (lang_type_is_array(entry->type))
        return hsail_array((hsa_brig_type_t)(entry->type & ~HSA_BRIG_TYPE_CLASS_ARRAY), items, count);
    for (uint32_t i = 0; i < count; i++) /* the list has the type */
        if (items[i].kind == HSAIL_OPERAND_ADDRESS_OF || items[i].kind == HSAIL_OPERAND_NULLPTR)
            items[i].type = HSA_BRIG_TYPE_NONE;
    for (uint32_t i = 0; i < count / 2; i++) {
        hsail_operand_t kept = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = kept;
    }
    return hsail_packed((hsa_brig_type_t)entry->type, items, count);
}

static hsail_operand_t expression_of(struct transcript *t, const hsa_brig_operand_constant_expression_t *entry)
{
    struct brig_list list = brig_list(t->view, entry->operands);
    hsa_brig_type_t type = (hsa_brig_type_t)entry->type;
    if (!list.count)
        return hsail_nullptr(type, (hsa_brig_expression_operation_t)entry->expression_operation);
    uint32_t code = MEMBER(hsa_brig_operand_code_ref_t, brig_operand(t->view, list.items[0]))->ref;
    int64_t offset = 0;
    if (list.count > 1) {
        uint32_t data = MEMBER(hsa_brig_operand_constant_bytes_t, brig_operand(t->view, list.items[1]))->bytes;
        memcpy(&offset, brig_bytes(t->view, data).data, sizeof offset);
    }
    return hsail_address_of(type, name_of(t, code), offset);
}

static hsail_operand_t register_of(struct transcript *t, uint32_t offset)
{
    const hsa_brig_operand_register_t *entry = MEMBER(hsa_brig_operand_register_t, brig_operand(t->view, offset));
    hsail_operand_t *own = &t->registers[entry->reg_kind][entry->reg_num];
    if (t->in_pragma || !t->options->is_virtual || entry->reg_num % 16 >= t->options->is_virtual)
        return hsail_register("csdq"[entry->reg_kind], entry -> reg_num);
    if (own->register_kind == 0)
        *own = hsail_builder_register(t->builder, "csdq"[entry->reg_kind]);
    return *own;
}

static hsail_operand_t names_of(struct transcript *t, uint32_t list_offset)
{
    static const char *names[256];
    static size_t used;
    struct brig_list list = brig_list(t->view, list_offset);
    if (used + list.count > 256) /* an instruction has three lists at most */
        used = 0;
    const char **first = names + used;
    for (uint32_t i = 0; i < list.count; i++)
        first[i] = name_of(t, list.items[i]);
    used += list.count;
    return hsail_names(first, list.count);
}

static hsail_operand_t operand_of(struct transcript *t, uint32_t offset)
{
    const hsa_brig_base_t *base = brig_operand(t->view, offset);
    const void *entry = base;
    uint32_t count;
    switch (base->kind) {
    case HSA_BRIG_KIND_OPERAND_REGISTER: return register_of(t, offset);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: return constant_of(t, entry);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: return expression_of(t, entry);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: return list_of(t, entry);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE: return hsail_image(entry);
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER: return hsail_sampler(entry);
    case HSA_BRIG_KIND_OPERAND_WAVESIZE: return hsail_wavesize();
    case HSA_BRIG_KIND_OPERAND_CODE_LIST: return names_of(t, MEMBER(hsa_brig_operand_code_list_t, entry)->elements);
    case HSA_BRIG_KIND_OPERAND_CODE_REF: return hsail_name(name_of(t, MEMBER(hsa_brig_operand_code_ref_t, entry)->ref));
    case HSA_BRIG_KIND_OPERAND_ALIGN:
        return hsail_align(1u << (MEMBER(hsa_brig_operand_align_t, entry)->align - HSA_BRIG_ALIGNMENT_1));
    case HSA_BRIG_KIND_OPERAND_ZERO:
        return hsail_zero(brig_u64(MEMBER(hsa_brig_operand_zero_t, entry)->zero_byte_count));
    case HSA_BRIG_KIND_OPERAND_STRING: {
        struct bytes bytes = brig_string(t->view, MEMBER(hsa_brig_operand_string_t, entry)->string);
        return hsail_string((const char *)bytes.data, (unsigned)bytes.size);
    }
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST: {
        hsail_operand_t *items = operands_of(t, MEMBER(hsa_brig_operand_operand_list_t, entry)->elements, &count);
        return hsail_vector(items, count);
    }
    case HSA_BRIG_KIND_OPERAND_ADDRESS: {
        const hsa_brig_operand_address_t *address = entry;
        hsail_operand_t reg = address->reg ? register_of(t, address->reg) : hsail_wavesize();
        return hsail_address(address->symbol ? name_of(t, address->symbol) : NULL, address->reg ? &reg : NULL,
                             (int64_t)brig_u64(address->offset));
    }
    default: exit(99);
    }
}

/* ---- Statements ------------------------------------------------------------------------------------ */

/* The mnemonic of the next instruction in the printed module: the only lines whose first word, with the
 * parentheses that modifiers have, ends in a tab or semicolon. */
static const char *next_mnemonic(struct transcript *t)
{
    static char mnemonic[256];
    for (;;) {
        const char *line = t->printed + strspn(t->printed, "\t");
        size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_()");
        const char *end = strchr(line, '\n');
        t->printed = end ? end + 1 : line + strlen(line);
        if (length && length < sizeof mnemonic && (line[length] == '\t' || line[length] == ';') &&
            strncmp(line, "require", 7) != 0) {
            memcpy(mnemonic, line, length);
            mnemonic[length] = '\0';
            return mnemonic;
        }
        if (!end)
            return "";
    }
}

static void put_instruction(struct transcript *t, const hsa_brig_inst_base_t *entry)
{
    uint32_t count;
    hsail_operand_t *operands = operands_of(t, entry->operands, &count);
    bool call = entry->opcode == HSA_BRIG_OPCODE_CALL || entry->opcode == HSA_BRIG_OPCODE_SCALL ||
                entry->opcode == HSA_BRIG_OPCODE_ICALL;
    for (uint32_t i = 0; i < count; i++) /* a b1 has no type that one could write */
        if (operands[i].kind == HSAIL_OPERAND_CONSTANT && operands[i].type == HSA_BRIG_TYPE_U8)
            operands[i] = hsail_integer(operands[i].bytes[0]);
    if (call && count > 1) { /* in text the target comes first */
        hsail_operand_t out = operands[0];
        operands[0] = operands[1];
        operands[1] = out;
    }
    hsail_builder_instruction(t->builder, next_mnemonic(t), operands, count);
}

static hsail_shape_t shape_of(const hsa_brig_directive_variable_t *entry)
{
    return (hsail_shape_t){
        1u << (entry->align - HSA_BRIG_ALIGNMENT_1), lang_type_is_array(entry->type), brig_u64(entry->dim)};
}

static void put_variable(struct transcript *t, const hsa_brig_directive_variable_t *entry, bool formal)
{
    hsail_shape_t shape = shape_of(entry);
    hsa_brig_type_t type = (hsa_brig_type_t)(entry->type & ~HSA_BRIG_TYPE_CLASS_ARRAY);
    const char *name = brig_string(t->view, entry->name).size ? string(t, entry->name) : NULL;
    bool agent = entry->allocation == HSA_BRIG_ALLOCATION_AGENT && entry->segment == HSA_BRIG_SEGMENT_GLOBAL;
    unsigned flags =
        (entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION ? 0 : HSAIL_DECLARATION) |
        (entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST ? HSAIL_CONST : 0) |
        (entry->linkage == HSA_BRIG_LINKAGE_PROGRAM ? HSAIL_PROGRAM_LINKAGE : 0) | (agent ? HSAIL_AGENT_ALLOCATION : 0);
    if (formal) {
        hsail_builder_formal(t->builder, type, name, &shape);
    } else if (entry->init) {
        hsail_operand_t initializer = operand_of(t, entry->init);
        hsail_builder_variable_init(
            t->builder, (hsa_brig_segment_t)entry->segment, type, name, &shape, flags, &initializer);
    } else {
        hsail_builder_variable(t->builder, (hsa_brig_segment_t)entry->segment, type, name, &shape, flags, NULL, 0);
    }
}

static void put_directive(struct transcript *t, uint32_t at)
{
    const hsa_brig_base_t *base = brig_code(t->view, at);
    const void *entry = base;
    hsail_builder_t *b = t->builder;
    uint32_t count;
    switch (base->kind) {
    case HSA_BRIG_KIND_NONE: hsail_builder_pad(b, base->byte_count / 4 - 1u); break;
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START: hsail_builder_arg_block(b); break;
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END: hsail_builder_arg_block_end(b); break;
    case HSA_BRIG_KIND_DIRECTIVE_COMMENT: hsail_builder_comment(b, name_of(t, at) + 2); break;
    case HSA_BRIG_KIND_DIRECTIVE_LABEL: hsail_builder_label(b, name_of(t, at)); break;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE: put_variable(t, entry, false); break;
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION: hsail_builder_extension(b, name_of(t, at)); break;
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: {
        const hsa_brig_directive_extension_version_t *extension = entry;
        hsail_builder_extension_version(b, name_of(t, at), extension->extension_major, extension->extension_minor);
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_LOC: {
        const hsa_brig_directive_loc_t *loc = entry;
        hsail_builder_location(b, loc->line, loc->column, string(t, loc->filename));
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA: {
        t->in_pragma = true;
        hsail_operand_t *operands = operands_of(t, MEMBER(hsa_brig_directive_pragma_t, entry)->operands, &count);
        t->in_pragma = false;
        hsail_builder_pragma(b, operands, count);
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL: {
        const hsa_brig_directive_control_t *control = entry;
        hsail_operand_t *operands = operands_of(t, control->operands, &count);
        hsail_builder_control(b, (hsa_brig_control_directive_t)control->control, operands, count);
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: {
        const hsa_brig_directive_fbarrier_t *fbarrier = entry;
        hsail_builder_fbarrier(b, name_of(t, at),
                               (fbarrier->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION ? 0 : HSAIL_DECLARATION) |
                                   (fbarrier->linkage == HSA_BRIG_LINKAGE_PROGRAM ? HSAIL_PROGRAM_LINKAGE : 0));
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_MODULE: {
        const hsa_brig_directive_module_t *module = entry;
        hsail_builder_module(
            b, name_of(t, at), module->hsail_major, module->hsail_minor, (hsa_brig_profile_t)module->profile,
            (hsa_brig_machine_model_t)module->machine_model, (hsa_brig_round_t)module->default_float_round);
        break;
    }
    default: put_instruction(t, entry); break;
    }
}

static void put_range(struct transcript *t, uint32_t from, uint32_t to)
{
    for (; from < to; from = brig_next_code(t->view, from)) {
        t->used = t->count = 0;
        put_directive(t, from);
    }
}

static unsigned below(struct transcript *t, unsigned limit)
{
    t->state = t->state * 6364136223846793005 + 1442695040888963407;
    return (unsigned)(t->state >> 33) % limit;
}

/* A block: a label that is not in an arg block, and what follows it. */
struct block {
    uint32_t from, to;
    const char *printed; /* the printed text from its instructions on */
};

static uint32_t find_blocks(struct transcript *t, uint32_t from, uint32_t to, struct block *blocks)
{
    uint32_t count = 1;
    unsigned depth = 0;
    blocks[0] = (struct block){from, to, t->printed};
    for (; from < to; from = brig_next_code(t->view, from)) {
        const hsa_brig_base_t *base = brig_code(t->view, from);
        depth += base->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START;
        depth -= base->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END;
        if (base->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL && !depth && count < MOST_BLOCKS) {
            blocks[count - 1].to = from;
            blocks[count++] = (struct block){from, to, t->printed};
        }
        if (brig_is_inst(base))
            next_mnemonic(t);
    }
    return count;
}

/* Makes what follows the label of a block, in two parts: the second part is made first; then the first, which has no
 * instructions, is inserted before it. */
static void put_block(struct transcript *t, const struct block *block, const char *label)
{
    uint32_t from = label ? brig_next_code(t->view, block->from) : block->from, middle = from;
    t->printed = block->printed;
    hsail_builder_move(t->builder, below(t, 2) ? HSAIL_BLOCK_END : HSAIL_BLOCK_BEGIN, label);
    hsail_position_t position = {0, 0};
    if (hsail_builder_position(t->builder, &position) != HSAIL_STATUS_OK)
        return;
    while (middle < block->to && below(t, 4) && brig_is_annotation(brig_code(t->view, middle)))
        middle = brig_next_code(t->view, middle);
    put_range(t, middle, block->to);
    hsail_builder_move_to(t->builder, position);
    put_range(t, from, middle);
}

/* Makes all labels first, and then what follows each of them, in any order; definitions must come before their uses. */
static void put_shuffled(struct transcript *t, uint32_t from, uint32_t to)
{
    static struct block blocks[MOST_BLOCKS];
    static uint32_t order[MOST_BLOCKS];
    uint32_t count = find_blocks(t, from, to, blocks);
    const char *after = t->printed;
    for (uint32_t i = 1; i < count; i++) {
        t->used = t->count = 0;
        order[i] = i;
        put_directive(t, blocks[i].from);
    }
    for (uint32_t i = count - 1; i > 1; i--) {
        uint32_t other = 1 + below(t, i), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    order[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        char label[256];
        t->used = t->count = 0;
        snprintf(label, sizeof label, "%s", order[i] ? name_of(t, blocks[order[i]].from) : "");
        put_block(t, &blocks[order[i]], order[i] ? label : NULL);
    }
    t->printed = after;
}

static uint32_t put_executable(struct transcript *t, uint32_t at)
{
    const hsa_brig_directive_executable_t *entry = MEMBER(hsa_brig_directive_executable_t, brig_code(t->view, at));
    bool signature = entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    bool defined = entry->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION;
    hsail_builder_begin(
        t->builder, (hsa_brig_kind_t)entry->base.kind, name_of(t, at),
        (defined ? 0 : HSAIL_DECLARATION) | (entry->linkage == HSA_BRIG_LINKAGE_PROGRAM ? HSAIL_PROGRAM_LINKAGE : 0));
    uint32_t next = brig_next_code(t->view, at);
    for (; next < entry->first_code_block_entry; next = brig_next_code(t->view, next)) {
        if (next == entry->first_in_arg && entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL)
            hsail_builder_inputs(t->builder);
        put_variable(t, MEMBER(hsa_brig_directive_variable_t, brig_code(t->view, next)), true);
    }
    if (entry->first_in_arg == entry->first_code_block_entry && entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL)
        hsail_builder_inputs(t->builder);
    if (defined && !signature)
        hsail_builder_body(t->builder);
    memset(t->registers, 0, sizeof t->registers);
    if (t->options->is_shuffled && defined && !signature)
        put_shuffled(t, next, entry->next_module_entry);
    else
        put_range(t, next, entry->next_module_entry);
    hsail_builder_end(t->builder);
    return entry->next_module_entry;
}

/* ---- Modules --------------------------------------------------------------------------------------- */

hsail_status_t transcribe(hsail_context_t *context, const char *name, const struct brig_view *view, const char *printed,
                          const struct transcribe_options *options, hsail_module_t **module)
{
    static struct transcript t;
    t.options = options;
    t.state = options->seed;
    t.view = view;
    t.printed = printed;
    *module = NULL;
    hsail_status_t status = hsail_builder_create(context, &t.builder);
    if (status != HSAIL_STATUS_OK)
        return status;
    if (options->weighted)
        hsail_builder_register_limit(t.builder, options->control, options->weighted);
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view);) {
        t.used = t.count = 0;
        if (brig_is_executable(brig_code(view, at))) {
            at = put_executable(&t, at);
        } else {
            put_directive(&t, at);
            at = brig_next_code(view, at);
        }
    }
    status = hsail_builder_finish(t.builder, name, options->flags, module);
    hsail_builder_destroy(t.builder);
    return status;
}
