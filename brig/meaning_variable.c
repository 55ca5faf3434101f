/* SPDX-License-Identifier: MIT */
/* Variables: types, qualifiers, initializers (PRM 4.3.8, 4.3.10, 4.8, 4.10, 7.1.5-7.1.8).
 * Input: a variable directive whose structure is right (placement, segment, size of the initializer).
 * Output: diagnostics. Invariant: the elements of an initializer are visited once per variable. */
#include "brig/meaning_p.h"

const char *meaning_type_text(uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    return !type ? "?" : *type->text ? type->text : "none";
}

static bool is_opaque(const struct lang_type *type)
{
    return type->class_ == LANG_CLASS_IMAGE || type->class_ == LANG_CLASS_SAMPLER;
}

void meaning_type(struct meaning *v, uint32_t at, uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    if (!type)
        return;
    if (v->module.profile == HSA_BRIG_PROFILE_BASE && lang_type(type->element)->code == HSA_BRIG_TYPE_F64)
        MEANING_FAIL(v, BASE_DOUBLE, at, type->text);
    bool large = v->module.model == HSA_BRIG_MACHINE_MODEL_LARGE;
    if (type->code == (large ? HSA_BRIG_TYPE_SIG32 : HSA_BRIG_TYPE_SIG64))
        MEANING_FAIL(v, SIGNAL_MODEL, at, type->text, large ? "large" : "small");
    if (is_opaque(type) && !v->image)
        MEANING_FAIL(v, EXTENSION_IMAGE, at, type->text);
}

static void check_image(struct meaning *v, uint32_t at, const hsa_ext_brig_operand_constant_image_t *image)
{
#define ORD(x) (UINT32_C(1) << HSA_EXT_BRIG_IMAGE_CHANNEL_ORDER_##x)
#define TYP(x) (UINT32_C(1) << HSA_EXT_BRIG_IMAGE_CHANNEL_TYPE_##x)
#define GEO(x) (UINT32_C(1) << HSA_EXT_BRIG_IMAGE_GEOMETRY_##x)
    static const struct {
        uint32_t orders, types, geometries;
    } formats[] = {
#define FORMAT(orders, types, geometries) {orders, types, geometries},
#include "brig/tables/image.def"
    };
    bool goes_with_order = false; /* the geometry */
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (image->channel_order >= 32 || !(formats[i].orders >> image->channel_order & 1) || image->geometry >= 32 ||
            !(formats[i].geometries >> image->geometry & 1))
            continue;
        goes_with_order = true;
        if (image->channel_type < 32 && formats[i].types >> image->channel_type & 1)
            return;
    }
    const char *geometry = lang_value_text(LANG_SET_IMAGE_GEOMETRY, image->geometry);
    const char *order = lang_value_text(LANG_SET_IMAGE_CHANNEL_ORDER, image->channel_order);
    if (!goes_with_order)
        MEANING_FAIL(v, IMAGE_ORDER, at, geometry, order);
    else
        MEANING_WARN(v, IMAGE_FORMAT, at, geometry, order,
                     lang_value_text(LANG_SET_IMAGE_CHANNEL_TYPE, image->channel_type));
}

static void check_sampler(struct meaning *v, uint32_t at, const hsa_ext_brig_operand_constant_sampler_t *sampler)
{
    if (sampler->coord != HSA_EXT_BRIG_SAMPLER_COORD_NORMALIZATION_UNNORMALIZED)
        return;
    if (sampler->addressing == HSA_EXT_BRIG_SAMPLER_ADDRESSING_REPEAT ||
        sampler->addressing == HSA_EXT_BRIG_SAMPLER_ADDRESSING_MIRRORED_REPEAT)
        MEANING_FAIL(v, SAMPLER_ADDRESSING, at, lang_value_text(LANG_SET_SAMPLER_ADDRESSING, sampler->addressing));
    else if (sampler->filter == HSA_EXT_BRIG_SAMPLER_FILTER_LINEAR)
        MEANING_WARN(v, SAMPLER_FILTER, at);
}

/* Rule 32: what an address in an initializer of program allocation must not depend on. */
static void check_expression(struct meaning *v, uint32_t at, const hsa_brig_operand_constant_expression_t *expression)
{
    if (expression->expression_operation != HSA_BRIG_EXPRESSION_OPERATION_ADDR) {
        if (expression->expression_operation != HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_FLAT)
            MEANING_FAIL(v, INIT_ADDRESS, at, "a null pointer of an agent's segment");
        return;
    }
    struct brig_list list = brig_list(v->view, expression->operands);
    uint32_t ref = list.count ? OPERAND_AS(v, hsa_brig_operand_code_ref_t, list.items[0])->ref : 0;
    if (!ref)
        return;
    const hsa_brig_base_t *symbol = brig_code(v->view, ref);
    if (brig_is_executable(symbol))
        MEANING_FAIL(v, INIT_ADDRESS, at, "the address of a kernel or indirect function");
    else if (symbol->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE &&
             ((const hsa_brig_directive_variable_t *)(const void *)symbol)->allocation == HSA_BRIG_ALLOCATION_AGENT)
        MEANING_FAIL(v, INIT_ADDRESS, at, "the address of a variable with agent allocation");
}

/* The type of a constant; NONE for an aggregate. */
static uint32_t constant_type(const struct meaning *v, uint32_t operand)
{
    /* Every constant has its type at the same place. */
    return OPERAND_AS(v, hsa_brig_operand_constant_bytes_t, operand)->type;
}

/* Checks a constant anywhere in an initializer. The structural check has limited the depth. */
static void check_element(struct meaning *v, uint32_t at, const hsa_brig_directive_variable_t *var, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    bool global = var->segment == HSA_BRIG_SEGMENT_GLOBAL, agent = var->allocation == HSA_BRIG_ALLOCATION_AGENT;
    bool constant = entry->kind != HSA_BRIG_KIND_OPERAND_ALIGN && entry->kind != HSA_BRIG_KIND_OPERAND_ZERO;
    if (constant && lang_type(constant_type(v, operand)) != lang_type(var->type)) /* that one was checked */
        meaning_type(v, at, constant_type(v, operand));
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE: check_image(v, at, (const void *)entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER: check_sampler(v, at, (const void *)entry); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
        if (!agent)
            check_expression(v, at, (const void *)entry);
        return;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: {
        struct brig_list list =
            brig_list(v->view, ((const hsa_brig_operand_constant_operand_list_t *)(const void *)entry)->elements);
        for (uint32_t i = 0; i < list.count; i++) {
            if (v->part.kind != BRIG_PART_OPERAND) /* which it is in a pragma */
                v->part = brig_part(BRIG_PART_INITIALIZER, 0, i + 1);
            check_element(v, at, var, list.items[i]);
        }
        return;
    }
    default: return;
    }
    if (global && !agent)
        MEANING_FAIL(v, INIT_ALLOCATION, at, entry->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE ? "image" : "sampler");
}

/* Rule 29 for an initializer whose size is right already. */
static bool initializes(const struct lang_type *type, bool array, uint32_t constant)
{
    const struct lang_type *other = lang_type(constant);
    if (type->class_ == LANG_CLASS_BIT && !array)
        return constant != HSA_BRIG_TYPE_NONE && !lang_type_is_array(constant) && other && !meaning_is_handle(other);
    if (type->class_ == LANG_CLASS_BIT)
        return constant == HSA_BRIG_TYPE_NONE;
    if (lang_type_is_array(constant) != array || !other)
        return false;
    return other->code == type->code;
}

static void check_initializer(struct meaning *v, uint32_t at, const hsa_brig_directive_variable_t *var)
{
    const struct lang_type *type = lang_type(var->type);
    uint32_t constant = constant_type(v, var->init);
    if (!initializes(type, lang_type_is_array(var->type), constant))
        MEANING_FAIL(v, CONSTANT_TYPE, at, "constant of type ", meaning_type_text(constant), type->text,
                     lang_type_is_array(var->type) ? "[]" : "");
    check_element(v, at, var, var->init);
    meaning_references(v, at, var->init);
}

void meaning_constant(struct meaning *v, uint32_t at, uint32_t operand)
{
    /* Checked like the initializer of a variable that may have any constant. */
    static const hsa_brig_directive_variable_t any = {
        .type = HSA_BRIG_TYPE_B8 | HSA_BRIG_TYPE_CLASS_ARRAY,
        .segment = HSA_BRIG_SEGMENT_READONLY,
        .allocation = HSA_BRIG_ALLOCATION_AGENT,
    };
    check_element(v, at, &any, operand);
}

static void check_variable(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_variable_t *var = CODE_AS(v, hsa_brig_directive_variable_t, at);
    const struct lang_type *type = lang_type(var->type);
    v->part.kind = BRIG_PART_TYPE;
    meaning_type(v, at, var->type);
    bool settable = var->segment == HSA_BRIG_SEGMENT_GLOBAL || var->segment == HSA_BRIG_SEGMENT_READONLY;
    bool formal = var->segment == HSA_BRIG_SEGMENT_KERNARG || var->segment == HSA_BRIG_SEGMENT_ARG;
    if (is_opaque(type) && !settable && !formal)
        MEANING_FAIL(v, HANDLE_SEGMENT, at, type->text, lang_value_text(LANG_SET_SEGMENT, var->segment));
    v->part.kind = BRIG_PART_ALIGN;
    uint32_t natural = lang_type_size(type->code), align = 1u << (var->align - 1);
    if (var->align && align < natural)
        MEANING_FAIL(v, ALIGN_SMALL, at, align, natural, type->text);
    uint64_t size;
    v->part.kind = BRIG_PART_DIMENSION;
    if (__builtin_mul_overflow(brig_u64(var->dim), (uint64_t)natural, &size))
        MEANING_FAIL(v, ARRAY_SIZE, at, brig_u64(var->dim), type->text);
    bool constant = var->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST;
    v->part.kind = BRIG_PART_CONST;
    if (constant && !settable)
        MEANING_FAIL(v, CONST_SEGMENT, at, lang_value_text(LANG_SET_SEGMENT, var->segment));
    else if (constant && !var->init && var->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION)
        MEANING_FAIL(v, CONST_UNSET, at, brig_string(v->view, var->name));
    v->part.kind = BRIG_PART_INITIALIZER;
    if (var->init)
        check_initializer(v, at, var);
}

void meaning_variable(struct meaning *v, uint32_t at)
{
    struct diag_part before = meaning_part(v, BRIG_PART_WHOLE, 0, 0);
    check_variable(v, at);
    v->part = before;
}
