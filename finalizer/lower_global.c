/* SPDX-License-Identifier: MIT */
/* Variables of the global and readonly segments, and their initializers (PRM 4.3.8, 4.8, 4.12).
 * Input: linked variables. Output: LLVM globals; what no module defines stays undefined for the loader to
 * bind. Invariant: memory is laid out byte for byte as the initializer says, the rest is zero. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

struct image_of {
    VEC(LLVMValueRef) parts;
    uint64_t size;
    bool fits;
};

static void add_part(struct image_of *image, LLVMValueRef part, uint64_t size)
{
    image->fits &= vec_push(&image->parts, part);
    image->size += size;
}

static void add_zero(struct lower *l, struct image_of *image, uint64_t size)
{
    if (size)
        add_part(image, LLVMConstNull(LLVMArrayType2(l->e.i8, size)), size);
}

/* The address of a kernel is the address of its descriptor, which is what dispatch packets carry. */
static LLVMValueRef descriptor_of(struct lower *l, const struct callable *c)
{
    size_t length = strlen(c->symbol) + sizeof ".kd";
    char *name = arena_alloc(&l->arena, length);
    if (!name) {
        lower_no_memory(l);
        return LLVMConstNull(l->e.ptr[SPACE_GLOBAL]);
    }
    snprintf(name, length, "%s.kd", c->symbol);
    LLVMValueRef value = LLVMGetNamedGlobal(l->e.module, name);
    if (!value) {
        value = LLVMAddGlobalInAddressSpace(l->e.module, l->e.i8, name, SPACE_GLOBAL);
        LLVMSetLinkage(value, LLVMExternalLinkage);
        LLVMSetVisibility(value, c->is_defined ? LLVMProtectedVisibility : LLVMDefaultVisibility);
    }
    return value;
}

/* A symbolic constant as i64. */
LLVMValueRef lower_addr_constant(struct lower *l, const struct lower_module *m,
                                 const hsa_brig_operand_constant_expression_t *expression)
{
    LLVMTypeRef i64 = l->e.i64;
    switch ((hsa_brig_expression_operation_t)expression->expression_operation) {
    case HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_GROUP:
    case HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_PRIVATE: return LLVMConstInt(i64, UINT32_MAX, 0);
    case HSA_BRIG_EXPRESSION_OPERATION_ADDR: break;
    case HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_FLAT:
    case HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_KERNARG:
    case HSA_BRIG_EXPRESSION_OPERATION_FIRST_USER_DEFINED: return LLVMConstNull(i64);
    }
    struct brig_list list = brig_list(m->view, expression->operands);
    const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(m->view, list.items[0]);
    struct entity entity = m->entities[ref->ref / 4];
    LLVMValueRef value = LLVMConstNull(l->e.ptr[SPACE_GLOBAL]);
    if (entity.kind == ENTITY_VARIABLE && l->variables.items[entity.index].value) {
        value = l->variables.items[entity.index].value;
    } else if (entity.kind == ENTITY_CALLABLE) {
        const struct callable *c = &l->callables.items[entity.index];
        value = c->is_kernel ? descriptor_of(l, c) : c->value;
    } else {
        lower_fail(l, ADDRESS_CONSTANT);
    }
    value = LLVMConstPtrToInt(value, i64);
    if (list.count > 1) {
        const hsa_brig_operand_constant_bytes_t *c = (const void *)brig_operand(m->view, list.items[1]);
        struct bytes bytes = brig_bytes(m->view, c->bytes);
        uint64_t offset = 0;
        memcpy(&offset, bytes.data, bytes.size < 8 ? bytes.size : 8);
        value = LLVMConstAdd(value, LLVMConstInt(i64, offset, 0));
    }
    return value;
}

static bool add_handle(struct image_of *image, LLVMValueRef handle)
{
    if (handle)
        add_part(image, handle, 8);
    return handle;
}

static bool add_initializer(struct lower *l, const struct variable *v, struct image_of *image, uint32_t operand)
{
    const struct lower_module *m = &l->modules[v->module];
    const hsa_brig_base_t *entry = brig_operand(m->view, operand);
    switch ((enum brig_operand_kind)entry->kind) {
    case BRIG_OPERAND_CONSTANT_BYTES: {
        struct bytes b = brig_bytes(m->view, ((const hsa_brig_operand_constant_bytes_t *)(const void *)entry)->bytes);
        add_part(image, LLVMConstStringInContext2(l->e.context, (const char *)b.data, b.size, 1), b.size);
        return true;
    }
    case BRIG_OPERAND_ALIGN: {
        unsigned align = ((const hsa_brig_operand_align_t *)(const void *)entry)->align;
        add_zero(l, image, align_up(image->size, lower_align(align)) - image->size);
        return true;
    }
    case BRIG_OPERAND_ZERO:
        add_zero(l, image, brig_u64(((const hsa_brig_operand_zero_t *)(const void *)entry)->zero_byte_count));
        return true;
    case BRIG_OPERAND_CONSTANT_EXPRESSION: {
        const hsa_brig_operand_constant_expression_t *expression = (const void *)entry;
        LLVMValueRef value = lower_addr_constant(l, m, expression);
        unsigned size = lang_type_size(expression->type);
        if (size < 8 && expression->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_ADDR)
            return lower_fail(l, INITIALIZER_ADDRESS, v->name, 8 * size);
        if (size < 8)
            value = LLVMConstTrunc(value, emit_int_type(&l->e, 8 * size));
        add_part(image, value, size);
        return true;
    }
    case BRIG_OPERAND_CONSTANT_OPERAND_LIST: {
        const hsa_brig_operand_constant_operand_list_t *outer = (const void *)entry;
        struct brig_list list = brig_list(m->view, outer->elements);
        for (uint32_t i = 0; i < list.count; i++)
            if (!add_initializer(l, v, image, list.items[i]))
                return false;
        return true;
    }
    case BRIG_OPERAND_CONSTANT_SAMPLER: return add_handle(image, lower_sampler_constant(l, (const void *)entry));
    case BRIG_OPERAND_CONSTANT_IMAGE: return add_handle(image, lower_image_constant(l, v, (const void *)entry));
    case BRIG_OPERAND_ADDRESS:
    case BRIG_OPERAND_CODE_LIST:
    case BRIG_OPERAND_CODE_REF:
    case BRIG_OPERAND_OPERAND_LIST:
    case BRIG_OPERAND_REGISTER:
    case BRIG_OPERAND_STRING:
    case BRIG_OPERAND_WAVESIZE: break;
    }
    return false;
}

/* The name of a variable that only this program sees. If the program is compiled in shares, it must be no other's. */
static const char *own_symbol(struct lower *l, const struct variable *v)
{
    if (!l->share)
        return v->symbol;
    size_t size = strlen(v->symbol) + sizeof "#4294967295";
    char *name = arena_alloc(&l->arena, size);
    if (!name) {
        lower_no_memory(l);
        return v->symbol;
    }
    snprintf(name, size, "%s#%u", v->symbol, (unsigned)(v - l->variables.items));
    return name;
}

static void declare(struct lower *l, struct variable *v, LLVMTypeRef type)
{
    bool exported = !v->is_defined || v->linkage == HSA_BRIG_LINKAGE_PROGRAM || lower_has_module_linkage(v);
    const char *symbol = exported ? v->symbol : own_symbol(l, v);
    v->value = LLVMAddGlobalInAddressSpace(l->e.module, type, symbol, SPACE_GLOBAL);
    LLVMSetAlignment(v->value, v->align);
    if (!v->is_defined)
        return;
    if (!exported && l->share) {
        LLVMSetVisibility(v->value, LLVMHiddenVisibility);
        return;
    }
    LLVMSetLinkage(v->value, exported ? LLVMExternalLinkage : LLVMInternalLinkage);
    if (exported)
        LLVMSetVisibility(v->value, LLVMProtectedVisibility);
}

static bool set_initializer(struct lower *l, struct variable *v, struct image_of *image)
{
    if (v->init && !add_initializer(l, v, image, v->init))
        return lower_fail(l, INITIALIZER_UNSUPPORTED, v->name);
    if (image->size > v->size)
        return lower_fail(l, INITIALIZER_SIZE, v->name);
    add_zero(l, image, v->size - image->size);
    if (!image->fits)
        return lower_no_memory(l);
    LLVMValueRef init =
        image->parts.count == 1
            ? image->parts.items[0]
            : LLVMConstStructInContext(l->e.context, image->parts.items, (unsigned)image->parts.count, 1);
    if (LLVMTypeOf(init) !=
        LLVMGlobalGetValueType(v->value)) { /* the placeholder has another type: the final global takes its place */
        LLVMValueRef placeholder = v->value;
        LLVMSetValueName2(placeholder, "", 0);
        declare(l, v, LLVMTypeOf(init));
        LLVMReplaceAllUsesWith(placeholder, v->value);
        LLVMDeleteGlobal(placeholder);
    }
    LLVMSetInitializer(v->value, init);
    return true;
}

static bool define_variable(struct lower *l, struct variable *v)
{
    struct image_of image = {.fits = true};
    bool done = set_initializer(l, v, &image);
    vec_free(&image.parts);
    if (done && v->is_const)
        LLVMSetGlobalConstant(v->value, 1);
    return done;
}

static bool is_global(const struct variable *v)
{
    return v->segment != HSA_BRIG_SEGMENT_GROUP && !lower_is_private(v);
}

bool lower_globals(struct lower *l)
{
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (!is_global(v))
            continue;
        if (v->size > LOWER_VARIABLE_MAX)
            return lower_fail(l, VARIABLE_SIZE, v->name);
        declare(l, v, LLVMArrayType2(l->e.i8, v->size));
    }
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (!is_global(v) || !v->is_defined)
            continue;
        if (l->share > 1) /* the first share defines it */
            LLVMSetGlobalConstant(v->value, v->is_const);
        else if (!define_variable(l, v))
            return false;
    }
    return !l->failure.message;
}
