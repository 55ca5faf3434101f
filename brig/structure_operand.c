/* SPDX-License-Identifier: MIT */
/* Checks what relates the fields of an operand: constants, vectors, images, samplers (PRM 18.6).
 * Input: operands whose fields are right. Output: findings. Invariant: afterwards a list of constants holds lists
 * only of packed types, and those hold none, so that walks over constants are two deep at most. */
#include "brig/structure.h"

#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND
#define FAIL(rule, ...) STRUCTURE_FAIL(check, rule, OPERAND, at __VA_OPT__(, ) __VA_ARGS__)

static const char *type_text(uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    if (!type)
        return "(unknown)";
    return code == HSA_BRIG_TYPE_NONE ? "none" : type->text;
}

static void check_bytes(struct structure *check, uint32_t at, const hsa_brig_operand_constant_bytes_t *constant)
{
    const struct lang_type *type = lang_type(constant->type);
    struct bytes bytes = brig_bytes(check->view, constant->bytes);
    if (type->class_ != LANG_CLASS_UNSIGNED && type->class_ != LANG_CLASS_SIGNED && type->class_ != LANG_CLASS_FLOAT &&
        type->class_ != LANG_CLASS_SIGNAL) {
        FAIL(BRIG_CONSTANT_TYPE, "a constant of bytes", type_text(constant->type));
        return;
    }
    uint32_t size = type->bits / 8u; /* none of them has single bits */
    bool fits = lang_type_is_array(constant->type) ? bytes.size && bytes.size % size == 0 : bytes.size == size;
    if (!fits)
        FAIL(BRIG_CONSTANT_SIZE, type_text(constant->type), bytes.size);
    if (type->class_ != LANG_CLASS_SIGNAL || !structure_take(check, bytes.size))
        return;
    for (size_t i = 0; i < bytes.size; i++)
        if (bytes.data[i]) {
            FAIL(SIGNAL_VALUE);
            return;
        }
}

static bool addressable(const struct structure *check, uint32_t operand)
{
    const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(check->view, operand);
    if (ref->base.kind != HSA_BRIG_KIND_OPERAND_CODE_REF)
        return false;
    const hsa_brig_base_t *target = brig_code(check->view, ref->ref);
    if (target->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return target->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL ||
               target->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION;
    const hsa_brig_directive_variable_t *variable = (const void *)target;
    bool of_module = variable->linkage == HSA_BRIG_LINKAGE_PROGRAM || variable->linkage == HSA_BRIG_LINKAGE_MODULE;
    return of_module &&
           (variable->segment == HSA_BRIG_SEGMENT_GLOBAL || variable->segment == HSA_BRIG_SEGMENT_READONLY);
}

static bool is_offset_of_variable(const struct structure *check, struct brig_list operands)
{
    const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(check->view, operands.items[0]);
    const hsa_brig_operand_constant_bytes_t *offset = (const void *)brig_operand(check->view, operands.items[1]);
    return brig_code(check->view, ref->ref)->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE &&
           offset->base.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES && offset->type == HSA_BRIG_TYPE_U64;
}

static void check_expression(struct structure *check, uint32_t at,
                             const hsa_brig_operand_constant_expression_t *expression)
{
    const struct lang_type *type = lang_type(expression->type);
    struct brig_list operands = brig_list(check->view, expression->operands);
    bool address = expression->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_ADDR;
    if ((type->class_ != LANG_CLASS_UNSIGNED && type->class_ != LANG_CLASS_SIGNED) || type->count != 1)
        FAIL(BRIG_CONSTANT_TYPE, "a constant expression", type_text(expression->type));
    if (address ? operands.count < 1 || operands.count > 2 : operands.count != 0)
        FAIL(BRIG_EXPRESSION, lang_value_text(LANG_SET_EXPRESSION_OPERATION, expression->expression_operation),
             operands.count);
    else if (address && !addressable(check, operands.items[0]))
        FAIL(BRIG_EXPRESSION_OPERAND, 0);
    else if (operands.count == 2 && !is_offset_of_variable(check, operands))
        FAIL(BRIG_EXPRESSION_OPERAND, 1);
}

/* The type of a constant; HSA_BRIG_TYPE_NONE of what has none. */
static uint32_t constant_type(const hsa_brig_base_t *operand)
{
    switch (operand->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST:
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER:
        /* All of them have their type at the same place. */
        return ((const hsa_brig_operand_constant_bytes_t *)(const void *)operand)->type;
    default: return HSA_BRIG_TYPE_NONE;
    }
}

/* Whether ELEMENT can stand in a list of constants of type LIST_TYPE: an aggregate, an array or a packed value. */
static bool fits_list(uint32_t list_type, const hsa_brig_base_t *element)
{
    uint32_t type = constant_type(element);
    bool nested = element->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST;
    bool separator = element->kind == HSA_BRIG_KIND_OPERAND_ALIGN || element->kind == HSA_BRIG_KIND_OPERAND_ZERO;
    if (nested && (lang_type_is_array(type) || !lang_type_is_packed(type)))
        return false;
    if (list_type == HSA_BRIG_TYPE_NONE)
        return true;
    if (separator || lang_type_is_array(type))
        return false;
    if (lang_type_is_array(list_type))
        return type == (list_type & ~(uint32_t)HSA_BRIG_TYPE_CLASS_ARRAY);
    if (element->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION)
        return lang_type_size(type) == lang_type_size(lang_type(list_type)->element);
    return element->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES && type == lang_type(list_type)->element;
}

static void check_constant_list(struct structure *check, uint32_t at,
                                const hsa_brig_operand_constant_operand_list_t *constant)
{
    const struct lang_type *type = lang_type(constant->type);
    struct brig_list list = brig_list(check->view, constant->elements);
    bool array = lang_type_is_array(constant->type), packed = !array && lang_type_is_packed(constant->type);
    bool aggregate = constant->type == HSA_BRIG_TYPE_NONE;
    if (!aggregate && !packed && (!array || type->class_ == LANG_CLASS_BIT)) {
        FAIL(BRIG_CONSTANT_TYPE, "a list of constants", type_text(constant->type));
        return;
    }
    if (!list.count || (packed && list.count != type->count)) {
        FAIL(BRIG_CONSTANT_COUNT, type_text(constant->type), list.count);
        return;
    }
    if (!structure_take(check, (uint64_t)list.count * 4))
        return;
    bool plain = !aggregate, only_aligned = true;
    for (uint32_t i = 0; i < list.count; i++) {
        const hsa_brig_base_t *element = brig_operand(check->view, list.items[i]);
        plain &= element->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES;
        only_aligned &= element->kind == HSA_BRIG_KIND_OPERAND_ALIGN;
        if (!fits_list(constant->type, element)) {
            FAIL(BRIG_CONSTANT_LIST, i, type_text(constant->type), brig_kind_name(element->kind),
                 type_text(constant_type(element)));
            return;
        }
    }
    if (only_aligned)
        FAIL(BRIG_CONSTANT_COUNT, type_text(constant->type), 0);
    if (plain)
        STRUCTURE_WARN(check, BRIG_CONSTANT_PLAIN, OPERAND, at, type_text(constant->type));
}

static void check_image(struct structure *check, uint32_t at, const hsa_ext_brig_operand_constant_image_t *image)
{
    unsigned has = lang_image_sizes(image->geometry);
    const struct {
        const char *name;
        uint64_t size;
        bool needed;
    } sizes[] = {
        {"width", brig_u64(image->width), true},
        {"height", brig_u64(image->height), has & LANG_IMAGE_HEIGHT},
        {"depth", brig_u64(image->depth), has & LANG_IMAGE_DEPTH},
        {"array", brig_u64(image->array), has & LANG_IMAGE_ARRAY},
    };
    if (lang_type_is_array(image->type) || lang_type(image->type)->class_ != LANG_CLASS_IMAGE)
        FAIL(BRIG_CONSTANT_TYPE, "an image", type_text(image->type));
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if ((sizes[i].size != 0) != sizes[i].needed)
            FAIL(BRIG_IMAGE_SIZE, lang_value_text(LANG_SET_IMAGE_GEOMETRY, image->geometry), sizes[i].name,
                 sizes[i].size);
}

static void check_operand(struct structure *check, uint32_t at, const hsa_brig_base_t *operand)
{
    switch (operand->kind) {
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: check_bytes(check, at, (const void *)operand); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION: check_expression(check, at, (const void *)operand); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST: check_constant_list(check, at, (const void *)operand); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_IMAGE: check_image(check, at, (const void *)operand); break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_SAMPLER:
        if (constant_type(operand) != HSA_BRIG_TYPE_SAMP)
            FAIL(BRIG_CONSTANT_TYPE, "a sampler", type_text(constant_type(operand)));
        break;
    case HSA_BRIG_KIND_OPERAND_ALIGN:
        if (((const hsa_brig_operand_align_t *)(const void *)operand)->align == HSA_BRIG_ALIGNMENT_NONE)
            FAIL(BRIG_ENUM, "hsa_brig_operand_align", "align", 0);
        break;
    case HSA_BRIG_KIND_OPERAND_OPERAND_LIST: {
        const hsa_brig_operand_operand_list_t *vector = (const void *)operand;
        uint32_t count = brig_list(check->view, vector->elements).count;
        if (count < BRIG_LEAST_VECTOR || count > BRIG_MOST_VECTOR)
            FAIL(BRIG_VECTOR, count);
        break;
    }
    default: break;
    }
}

/* SIZE bytes of an aggregate plus its next element, or the padding for an alignment; UINT64_MAX on overflow. */
static uint64_t add_element(struct structure *check, uint64_t size, uint32_t operand)
{
    const hsa_brig_base_t *element = brig_operand(check->view, operand);
    uint64_t more, sum;
    if (element->kind == HSA_BRIG_KIND_OPERAND_ALIGN) {
        uint64_t align = UINT64_C(1) << (((const hsa_brig_operand_align_t *)(const void *)element)->align - 1);
        more = -size & (align - 1);
    } else if (element->kind == HSA_BRIG_KIND_OPERAND_ZERO) {
        more = brig_u64(((const hsa_brig_operand_zero_t *)(const void *)element)->zero_byte_count);
    } else if (element->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES) {
        more = brig_bytes(check->view, ((const hsa_brig_operand_constant_bytes_t *)(const void *)element)->bytes).size;
    } else {
        more = lang_type_size(constant_type(element));
    }
    return __builtin_add_overflow(size, more, &sum) ? UINT64_MAX : sum;
}

uint64_t structure_constant_size(struct structure *check, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(check->view, operand);
    const hsa_brig_operand_constant_operand_list_t *constant = (const void *)entry;
    if (entry->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST)
        return add_element(check, 0, operand);
    struct brig_list list = brig_list(check->view, constant->elements);
    if (constant->type != HSA_BRIG_TYPE_NONE) /* elements have the size of their type, a packed value that of its own */
        return lang_type_size(constant->type) * (lang_type_is_array(constant->type) ? (uint64_t)list.count : 1);
    uint64_t size = 0;
    for (uint32_t i = 0; i < list.count && size != UINT64_MAX; i++)
        size = add_element(check, size, list.items[i]);
    return size;
}

/* Adds up the sizes of the elements, all of which are right by now. */
static void check_aggregate_sizes(struct structure *check)
{
    const struct brig_section *section = &check->view->section[OPERAND];
    for (uint32_t at = section->first; at < section->size; at += brig_entry_(section, at)->byte_count) {
        const hsa_brig_operand_constant_operand_list_t *list = (const void *)brig_entry_(section, at);
        if (list->base.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST && list->type == HSA_BRIG_TYPE_NONE &&
            structure_constant_size(check, at) == UINT64_MAX)
            FAIL(AGGREGATE_SIZE);
    }
}

uint32_t structure_operands(struct structure *check)
{
    const struct brig_section *section = &check->view->section[OPERAND];
    uint32_t kinds = 0;
    for (uint32_t at = section->first; at < section->size;) {
        const hsa_brig_base_t *operand = brig_entry_(section, at);
        kinds |= brig_kind_bit(operand->kind);
        if (operand->kind != HSA_BRIG_KIND_OPERAND_REGISTER)
            check_operand(check, at, operand);
        at += operand->byte_count;
    }
    if (!check->invalid && (kinds & brig_kind_bit(HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST)))
        check_aggregate_sizes(check);
    return kinds;
}

bool structure_take_name(struct structure *check, uint32_t directive)
{
    /* Every directive that a reference can lead to has its name at the same place. */
    const hsa_brig_directive_label_t *label = (const void *)brig_code(check->view, directive);
    return structure_take(check, brig_bytes(check->view, label->name).size);
}

bool structure_take_operand(struct structure *check, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(check->view, operand);
    const void *structure = entry;
    struct brig_list list;
    bool again = brig_bit(check->used, operand);
    brig_set_bit(check->used, operand);
    switch (entry->kind) {
    case HSA_BRIG_KIND_OPERAND_CODE_REF:
        return structure_take_name(check, ((const hsa_brig_operand_code_ref_t *)structure)->ref);
    case HSA_BRIG_KIND_OPERAND_STRING: {
        const hsa_brig_operand_string_t *string = structure;
        return !again || structure_take(check, brig_bytes(check->view, string->string).size);
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES: {
        const hsa_brig_operand_constant_bytes_t *constant = structure;
        return !again || structure_take(check, brig_bytes(check->view, constant->bytes).size);
    }
    case HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION:
        list = brig_list(check->view, ((const hsa_brig_operand_constant_expression_t *)structure)->operands);
        break;
    case HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST:
        list = brig_list(check->view, ((const hsa_brig_operand_constant_operand_list_t *)structure)->elements);
        break;
    default: return true;
    }
    bool good = !again || structure_take(check, (uint64_t)list.count * 4);
    for (uint32_t i = 0; i < list.count && good; i++)
        good = structure_take_operand(check, list.items[i]);
    return good;
}

void structure_take_operands(struct structure *check, uint32_t offset)
{
    struct brig_list list = brig_list(check->view, offset);
    for (uint32_t i = 0; i < list.count && structure_take_operand(check, list.items[i]); i++)
        ;
}
