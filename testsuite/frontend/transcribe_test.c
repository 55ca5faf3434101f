/* SPDX-License-Identifier: MIT */
/* The builder can make whatever a text can say: every module of the suite, assembled, is made again by calls of the
 * builder, one per entry, and the bytes are the same; when an allocation fails, the answer is OUT_OF_MEMORY. */
#include "hsail/builder.h"

#include "brig/language.h"
#include "testsuite/frontend/memory.h"
#include "testsuite/modules.h"

struct transcript {
    const struct brig_view *view;
    hsail_builder_t *builder;
    const char *printed; /* the module as text, up to the next instruction */
    char names[1 << 16]; /* for strings that end in a NUL, of one statement */
    size_t used;
    hsail_operand_t operands[4096]; /* of one statement */
    size_t count;
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
    for (uint32_t i = 0; i < count; i++) /* the type is the list's */
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
    return hsail_register("csdq"[entry->reg_kind], entry -> reg_num);
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
    if (call && count > 1) { /* the text has the target first */
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
        hsail_operand_t *operands = operands_of(t, MEMBER(hsa_brig_directive_pragma_t, entry)->operands, &count);
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
    for (; next < entry->next_module_entry; next = brig_next_code(t->view, next)) {
        t->used = t->count = 0;
        put_directive(t, next);
    }
    hsail_builder_end(t->builder);
    return next;
}

/* ---- Modules --------------------------------------------------------------------------------------- */

static void show(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    if (diagnostic->severity == HSAIL_SEVERITY_ERROR)
        printf("# %s: %s\n", diagnostic->id, diagnostic->message);
}

/* Makes the module of VIEW, PRINTED as text, again. */
static hsail_status_t transcribe(hsail_context_t *context, const char *name, const struct brig_view *view,
                                 const char *printed, hsail_module_t **module)
{
    static struct transcript t;
    t.view = view;
    t.printed = printed;
    *module = NULL;
    hsail_status_t status = hsail_builder_create(context, &t.builder);
    if (status != HSAIL_STATUS_OK)
        return status;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view);) {
        t.used = t.count = 0;
        if (brig_is_executable(brig_code(view, at))) {
            at = put_executable(&t, at);
        } else {
            put_directive(&t, at);
            at = brig_next_code(view, at);
        }
    }
    status = hsail_builder_finish(t.builder, name, HSAIL_NO_VALIDATION, module);
    hsail_builder_destroy(t.builder);
    return status;
}

/* The same with allocation N failing, alone or with all that follow; false when something is wrong. */
static bool run_short_of_memory(const struct brig_view *view, const char *printed, long n, bool once, bool *failed)
{
    struct memory memory = {.countdown = n, .once = once};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    hsail_status_t status = hsail_context_create(&allocator, &context);
    if (status == HSAIL_STATUS_OK)
        status = transcribe(context, NULL, view, printed, &module);
    *failed = memory.failed;
    bool good = status == (*failed ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK) && !module == *failed;
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    if (!good || !memory_clean(&memory))
        printf("# allocation %ld%s: %s, %ld blocks left\n", n, once ? " alone" : "", hsail_status_text(status),
               memory.blocks);
    return good && memory_clean(&memory);
}

static void test_module(hsail_context_t *context, const char *name, const hsail_module_t *want, bool short_of_memory)
{
    struct brig_view view;
    struct kept printed = {0};
    hsail_module_t *module;
    if (brig_open(hsail_module_data(want), hsail_module_size(want), NULL, &view) != BRIG_OK ||
        hsail_disassemble(context, want, HSAIL_FLOAT_IEEE, keep, &printed) != HSAIL_STATUS_OK)
        exit(99);
    hsail_status_t status = transcribe(context, name, &view, printed.data, &module);
    bool same = hsail_module_size(module) == hsail_module_size(want) &&
                !memcmp(hsail_module_data(module), hsail_module_data(want), hsail_module_size(want));
    ok(status == HSAIL_STATUS_OK && same, "%s without text: %s", name,
       status != HSAIL_STATUS_OK ? hsail_status_text(status)
       : same                    ? "the same"
                                 : "other bytes");
    hsail_module_destroy(module);
    bool good = true, failed = short_of_memory;
    long n = 0;
    for (; failed && good; n++)
        good = run_short_of_memory(&view, printed.data, n, true, &failed) &&
               run_short_of_memory(&view, printed.data, n, false, &failed);
    if (short_of_memory)
        ok(good, "%s: each of %ld allocations may fail", name, n - 1);
    free(printed.data);
}

static hsail_context_t *context;

static void test_text(const char *path, const char *name, struct kept text)
{
    hsail_module_t *module;
    if (hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK)
        test_module(context, name, module, strstr(path, "/good/"));
    else
        ok(false, "%s assembles", path);
    hsail_module_destroy(module);
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_context_set_diagnostics(context, show, NULL);
    for_each_module(test_text);
    hsail_context_destroy(context);
    return tap_done();
}
