/* SPDX-License-Identifier: MIT */
/* Builds the module of sample.h entry by entry.
 * Input: nothing. Output: a valid module. Invariant: brig_open() accepts it without a finding. */
#include "testsuite/brig/sample.h"

#include "support/alloc.h"

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define PUT(kind, type, offset) BRIG_PUT(b, HSA_BRIG_KIND_##kind, type, offset)

static uint32_t string(struct brig_builder *b, const char *text)
{
    return brig_put_bytes(b, text, strlen(text));
}

static uint32_t u32_constant(struct brig_builder *b, uint32_t value)
{
    return brig_put_constant(b, HSA_BRIG_TYPE_U32, &value, 4);
}

static uint32_t s_register(struct brig_builder *b, uint16_t number)
{
    return brig_put_register(b, HSA_BRIG_REGISTER_KIND_SINGLE, number);
}

static uint32_t variable(struct brig_builder *b, const char *name, uint16_t type, uint64_t dim, uint8_t segment,
                         uint8_t linkage)
{
    uint32_t at;
    hsa_brig_directive_variable_t *v = PUT(DIRECTIVE_VARIABLE, hsa_brig_directive_variable_t, &at);
    v->type = type;
    v->segment = segment;
    v->align = HSA_BRIG_ALIGNMENT_8;
    v->dim.lo = (uint32_t)dim;
    v->modifier = HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    v->linkage = linkage;
    v->allocation = segment == HSA_BRIG_SEGMENT_GLOBAL     ? HSA_BRIG_ALLOCATION_PROGRAM
                    : segment == HSA_BRIG_SEGMENT_READONLY ? HSA_BRIG_ALLOCATION_AGENT
                                                           : HSA_BRIG_ALLOCATION_AUTOMATIC;
    uint32_t text = *name ? string(b, name) : 0;
    v->name = text;
    return at;
}

static void set_init(struct brig_builder *b, uint32_t at, uint32_t operand)
{
    ((hsa_brig_directive_variable_t *)brig_edit(b, CODE, at))->init = operand;
}

/* An executable; its chain is set by end_executable(). */
static uint32_t executable(struct brig_builder *b, hsa_brig_kind_t kind, const char *name, uint16_t outs, uint16_t ins,
                           uint8_t modifier, uint8_t linkage)
{
    uint32_t at;
    hsa_brig_directive_executable_t *e = brig_put_entry(b, kind, sizeof *e, &at);
    e->out_arg_count = outs;
    e->in_arg_count = ins;
    e->modifier = modifier;
    e->linkage = linkage;
    e->name = string(b, name);
    return at;
}

static void end_executable(struct brig_builder *b, uint32_t at, uint32_t first_in, uint32_t body)
{
    hsa_brig_directive_executable_t *e = brig_edit(b, CODE, at);
    e->first_in_arg = first_in;
    e->first_code_block_entry = body;
    e->next_module_entry = brig_here(b, CODE);
}

struct modifier {
    enum lang_dim dim;
    uint16_t value;
};

#define MODIFIERS(...) (const struct modifier[]){__VA_ARGS__, {LANG_DIM_COUNT, 0}}

static uint32_t inst(struct brig_builder *b, uint32_t opcode, const struct modifier *modifiers,
                     const uint32_t *operands, uint32_t count)
{
    struct lang_inst i;
    lang_begin(&i, lang_op(opcode));
    for (; modifiers && modifiers->dim != LANG_DIM_COUNT; modifiers++)
        i.value[modifiers->dim] = modifiers->value;
    lang_complete(&i, b->brig_minor);
    i.operands = (struct brig_list){operands, count};
    uint32_t at = lang_reserve(b, &i);
    lang_store(b, at, &i);
    return at;
}
#define OPERANDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define TYPE(name) MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_##name})

static void put_prologue(struct brig_builder *b, struct sample *s)
{
    uint32_t at;
    PUT(DIRECTIVE_COMMENT, hsa_brig_directive_comment_t, &at)->name = string(b, "// sample");
    hsa_brig_directive_module_t *module = PUT(DIRECTIVE_MODULE, hsa_brig_directive_module_t, &s->header);
    module->name = string(b, "&sample");
    module->hsail_major = 1;
    module->hsail_minor = b->brig_minor;
    module->profile = HSA_BRIG_PROFILE_FULL;
    module->machine_model = HSA_BRIG_MACHINE_MODEL_LARGE;
    module->default_float_round = HSA_BRIG_ROUND_FLOAT_DEFAULT;
    PUT(DIRECTIVE_EXTENSION, hsa_brig_directive_extension_t, &s->extension)->name = string(b, "IMAGE");
    hsa_brig_directive_extension_version_t *version =
        PUT(DIRECTIVE_EXTENSION_VERSION, hsa_brig_directive_extension_version_t, &at);
    version->name = string(b, "IMAGE");
    version->extension_major = 1;
    s->pad = brig_put_pad(b, 12);
    uint32_t text = brig_put_string(b, "hint", 4);
    PUT(DIRECTIVE_PRAGMA, hsa_brig_directive_pragma_t, &s->pragma)->operands = brig_put_list(b, &text, 1);
    hsa_brig_directive_loc_t *loc = PUT(DIRECTIVE_LOC, hsa_brig_directive_loc_t, &s->loc);
    loc->filename = string(b, "a.c");
    loc->line = loc->column = 1;
}

static void put_variables(struct brig_builder *b, struct sample *s)
{
    s->global = variable(b, "&global", HSA_BRIG_TYPE_U32, 0, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_LINKAGE_PROGRAM);
    s->bytes = u32_constant(b, 7);
    hsa_brig_operand_constant_bytes_t *bytes = brig_edit(b, HSA_BRIG_SECTION_INDEX_OPERAND, s->bytes);
    s->bytes_data = bytes->bytes;
    set_init(b, s->global, s->bytes);
    s->table = variable(b, "&table", HSA_BRIG_TYPE_B8_ARRAY, 32, HSA_BRIG_SEGMENT_READONLY, HSA_BRIG_LINKAGE_MODULE);
    s->code_ref = brig_put_code_ref(b, s->global);
    uint64_t eight = 8;
    uint32_t address[] = {s->code_ref, brig_put_constant(b, HSA_BRIG_TYPE_U64, &eight, 8)};
    s->expression = brig_put_expression(b, HSA_BRIG_TYPE_U64, HSA_BRIG_EXPRESSION_OPERATION_ADDR, address, 2);
    uint32_t null = brig_put_expression(b, HSA_BRIG_TYPE_U32, HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_GROUP, NULL, 0);
    uint32_t pair[] = {null, s->bytes};
    s->packed = brig_put_constant_list(b, HSA_BRIG_TYPE_U32X2, pair, 2);
    uint32_t elements[] = {
        s->bytes, brig_put_align(b, HSA_BRIG_ALIGNMENT_8), s->expression, s->packed, s->zero = brig_put_zero(b, 8)};
    s->list = brig_put_constant_list(b, HSA_BRIG_TYPE_NONE, elements, 5);
    set_init(b, s->table, s->list);
    s->image = variable(b, "&image", HSA_BRIG_TYPE_ROIMG, 0, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_LINKAGE_MODULE);
    hsa_ext_brig_operand_constant_image_t *image =
        PUT(OPERAND_CONSTANT_IMAGE, hsa_ext_brig_operand_constant_image_t, &s->image_constant);
    image->type = HSA_BRIG_TYPE_ROIMG;
    image->geometry = HSA_EXT_BRIG_IMAGE_GEOMETRY_2D;
    image->width.lo = image->height.lo = 4;
    set_init(b, s->image, s->image_constant);
    s->sampler = variable(b, "&sampler", HSA_BRIG_TYPE_SAMP, 0, HSA_BRIG_SEGMENT_READONLY, HSA_BRIG_LINKAGE_MODULE);
    uint32_t constant;
    PUT(OPERAND_CONSTANT_SAMPLER, hsa_ext_brig_operand_constant_sampler_t, &constant)->type = HSA_BRIG_TYPE_SAMP;
    set_init(b, s->sampler, constant);
    hsa_brig_directive_fbarrier_t *fbarrier =
        PUT(DIRECTIVE_FBARRIER, hsa_brig_directive_fbarrier_t, &s->module_fbarrier);
    fbarrier->modifier = HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    fbarrier->linkage = HSA_BRIG_LINKAGE_MODULE;
    fbarrier->name = string(b, "&fbarrier");
}

/* Puts a declaration of &function, its definition after that, and a signature without names. */
static void put_functions(struct brig_builder *b, struct sample *s)
{
    for (int defined = 0; defined < 2; defined++) {
        uint8_t linkage = defined ? HSA_BRIG_LINKAGE_FUNCTION : HSA_BRIG_LINKAGE_NONE;
        uint32_t at = executable(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&function", 1, 1,
                                 defined ? HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION : 0, HSA_BRIG_LINKAGE_PROGRAM);
        s->formal_out = variable(b, "%out", HSA_BRIG_TYPE_U32, 0, HSA_BRIG_SEGMENT_ARG, linkage);
        s->formal_in = variable(b, "%in", HSA_BRIG_TYPE_U32, 0, HSA_BRIG_SEGMENT_ARG, linkage);
        uint32_t body = brig_here(b, CODE);
        if (defined)
            inst(b, HSA_BRIG_OPCODE_RET, NULL, NULL, 0);
        end_executable(b, at, s->formal_in, body);
        *(defined ? &s->function : &s->declaration) = at;
    }
    s->signature = executable(b, HSA_BRIG_KIND_DIRECTIVE_SIGNATURE, "&signature", 0, 1,
                              HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION, HSA_BRIG_LINKAGE_NONE);
    uint32_t formal = variable(b, "", HSA_BRIG_TYPE_U8_ARRAY, 0, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_LINKAGE_NONE);
    end_executable(b, s->signature, formal, brig_here(b, CODE));
}

static uint32_t label(struct brig_builder *b, const char *name)
{
    uint32_t at;
    PUT(DIRECTIVE_LABEL, hsa_brig_directive_label_t, &at)->name = string(b, name);
    return at;
}

static void put_call(struct brig_builder *b, struct sample *s)
{
    PUT(DIRECTIVE_ARG_BLOCK_START, hsa_brig_directive_arg_block_t, &s->arg_start);
    s->arg_out = variable(b, "%o", HSA_BRIG_TYPE_U32, 0, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_LINKAGE_ARG);
    s->arg_in = variable(b, "%i", HSA_BRIG_TYPE_U32, 0, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_LINKAGE_ARG);
    uint32_t in = brig_put_code_list(b, &s->arg_in, 1), target = brig_put_code_ref(b, s->function);
    s->code_list = brig_put_code_list(b, &s->arg_out, 1);
    s->call = inst(b, HSA_BRIG_OPCODE_CALL, NULL, OPERANDS(s->code_list, target, in));
    uint32_t functions = brig_put_code_list(b, &s->function, 1);
    inst(b, HSA_BRIG_OPCODE_SCALL, TYPE(U32), OPERANDS(s->code_list, s->reg, in, functions));
    PUT(DIRECTIVE_ARG_BLOCK_END, hsa_brig_directive_arg_block_t, &s->arg_end);
}

static void put_memory(struct brig_builder *b, struct sample *s)
{
    uint32_t four[] = {s->reg, s_register(b, 2), s_register(b, 3), s_register(b, 4)};
    uint32_t d0 = brig_put_register(b, HSA_BRIG_REGISTER_KIND_DOUBLE, 0), wavesize = brig_put_wavesize(b);
    s->vector = brig_put_operand_list(b, four, 4);
    s->address = brig_put_address(b, s->global, d0, (uint64_t)-8);
    s->ld = inst(b, HSA_BRIG_OPCODE_LD,
                 MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_U32}, {LANG_DIM_SEGMENT, HSA_BRIG_SEGMENT_GLOBAL},
                           {LANG_DIM_ALIGN, HSA_BRIG_ALIGNMENT_16}, {LANG_DIM_CONST, 1}, {LANG_DIM_EQUIV, 200},
                           {LANG_DIM_WIDTH, HSA_BRIG_WIDTH_ALL}),
                 OPERANDS(s->vector, s->address));
    s->st = inst(b, HSA_BRIG_OPCODE_ST,
                 MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_U32}, {LANG_DIM_SEGMENT, HSA_BRIG_SEGMENT_GLOBAL}),
                 OPERANDS(wavesize, s->address));
    s->atomic =
        inst(b, HSA_BRIG_OPCODE_ATOMIC,
             MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_B32}, {LANG_DIM_SEGMENT, HSA_BRIG_SEGMENT_GLOBAL},
                       {LANG_DIM_OPERATION, HSA_BRIG_ATOMIC_OPERATION_CAS},
                       {LANG_DIM_ORDER, HSA_BRIG_MEMORY_ORDER_RELAXED}, {LANG_DIM_SCOPE, HSA_BRIG_MEMORY_SCOPE_AGENT}),
             OPERANDS(s->reg, s->address, s->bytes, s->bytes));
    s->fence = inst(
        b, HSA_BRIG_OPCODE_MEMFENCE,
        MODIFIERS({LANG_DIM_ORDER, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE}, {LANG_DIM_SCOPE, HSA_BRIG_MEMORY_SCOPE_AGENT}),
        NULL, 0);
    s->alloca = inst(b, HSA_BRIG_OPCODE_ALLOCA, TYPE(U32), OPERANDS(s->reg, s->bytes));
}

static void put_control_flow(struct brig_builder *b, struct sample *s)
{
    uint32_t wavesize = brig_put_wavesize(b);
    hsa_brig_directive_control_t *control = PUT(DIRECTIVE_CONTROL, hsa_brig_directive_control_t, &s->control);
    control->control = HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE;
    control->operands = brig_put_list(b, &wavesize, 1);
    s->label = label(b, "@label");
    uint32_t target = brig_put_code_ref(b, s->label);
    s->branch = inst(b, HSA_BRIG_OPCODE_BR, NULL, OPERANDS(target));
    uint32_t labels[] = {s->label, s->label};
    uint32_t list = brig_put_code_list(b, labels, 2), fbarrier = brig_put_code_ref(b, s->module_fbarrier);
    s->sbr = inst(b, HSA_BRIG_OPCODE_SBR, TYPE(U32), OPERANDS(s->reg, list));
    s->initfbar = inst(b, HSA_BRIG_OPCODE_INITFBAR, NULL, OPERANDS(fbarrier));
}

static void put_kernel(struct brig_builder *b, struct sample *s)
{
    s->kernel = executable(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&kernel", 0, 1, HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION,
                           HSA_BRIG_LINKAGE_PROGRAM);
    s->kernel_arg = variable(b, "%arg", HSA_BRIG_TYPE_U64, 0, HSA_BRIG_SEGMENT_KERNARG, HSA_BRIG_LINKAGE_FUNCTION);
    s->body = brig_here(b, CODE);
    s->reg = s_register(b, 1);
    put_control_flow(b, s);
    put_memory(b, s);
    s->add = inst(b, HSA_BRIG_OPCODE_ADD, MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_F32}, {LANG_DIM_FTZ, 1}),
                  OPERANDS(s->reg, s->reg, s->reg));
    s->cvt = inst(b, HSA_BRIG_OPCODE_CVT,
                  MODIFIERS({LANG_DIM_TYPE, HSA_BRIG_TYPE_S32}, {LANG_DIM_SOURCE, HSA_BRIG_TYPE_F32}),
                  OPERANDS(s->reg, s->reg));
    put_call(b, s);
    s->last = inst(b, HSA_BRIG_OPCODE_RET, NULL, NULL, 0);
    end_executable(b, s->kernel, s->kernel_arg, s->body);
}

bool sample_build(struct sample *s, uint32_t brig_minor)
{
    struct brig_builder builder, *b = &builder;
    *s = (struct sample){0};
    brig_builder_init(b, brig_minor);
    put_prologue(b, s);
    put_variables(b, s);
    put_functions(b, s);
    put_kernel(b, s);
    /* Another code block, to have a label out of scope. */
    uint32_t other = executable(b, HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION, "&other", 0, 0,
                                HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION, HSA_BRIG_LINKAGE_MODULE);
    uint32_t body = brig_here(b, CODE);
    s->far_label = label(b, "@far");
    end_executable(b, other, body, body);
    enum brig_status status = brig_finish(b, &s->module, &s->size);
    brig_builder_free(b);
    return status == BRIG_OK;
}
