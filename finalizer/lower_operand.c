/* SPDX-License-Identifier: MIT */
/* Operands: registers, constants, vectors and addresses (PRM 4.16-4.18).
 * Input: an operand of a decoded instruction. Output: an LLVM value of the type that the instruction reads,
 * or a pointer into the segment. Invariant: a register holds an integer of its size; small integers are
 * extended. */
#include "finalizer/lower.h"

#include <string.h>

unsigned lower_operand_kind(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    return brig_operand(f->view, in->operands.items[index])->kind;
}

/* Returns the alloca of a register. It starts as 0, because a branch on a value that was never set is undefined to
 * LLVM. */
static LLVMValueRef register_place(struct fn *f, const hsa_brig_operand_register_t *reg, unsigned *bits)
{
    static const uint32_t limits[] = {128, 2048, 1024, 512}, widths[] = {1, 32, 64, 128};
    if (reg->reg_kind > HSA_BRIG_REGISTER_KIND_QUAD || reg->reg_num >= limits[reg->reg_kind]) {
        fn_fail(f, OPERAND_REGISTER);
        return NULL;
    }
    *bits = widths[reg->reg_kind];
    LLVMValueRef *place = &f->registers[reg->reg_kind][reg->reg_num];
    if (!*place) {
        LLVMTypeRef type = emit_int_type(f->e, *bits);
        *place = fn_alloca(f, type, 0);
        LLVMBuildStore(f->allocas, f->l->unwritten ? fn_unwritten(f, *bits) : LLVMConstNull(type), *place);
    }
    return *place;
}

static LLVMValueRef load_register(struct fn *f, const hsa_brig_operand_register_t *reg)
{
    unsigned bits;
    LLVMValueRef place = register_place(f, reg, &bits);
    if (!place)
        return emit_int(f->e, 32, 0);
    return LLVMBuildLoad2(f->e->b, emit_int_type(f->e, bits), place, "");
}

static LLVMValueRef constant_bytes(struct fn *f, const hsa_brig_operand_constant_bytes_t *constant, unsigned bits)
{
    struct bytes bytes = brig_bytes(f->view, constant->bytes);
    uint64_t words[2] = {0, 0};
    memcpy(words, bytes.data, bytes.size < sizeof words ? bytes.size : sizeof words);
    return LLVMConstIntOfArbitraryPrecision(emit_int_type(f->e, bits), 2, words);
}

static LLVMValueRef address_constant(struct fn *f, const hsa_brig_operand_constant_expression_t *expression,
                                     unsigned bits)
{
    if (lower_is_small(f) && expression->expression_operation == HSA_BRIG_EXPRESSION_OPERATION_ADDR)
        fn_fail(f, SMALL_ADDRESS, "addr");
    return emit_resize(f->e, lower_addr_constant(f->l, f->m, expression), bits, false);
}

static LLVMValueRef raw_value(struct fn *f, uint32_t operand, unsigned bits);

/* A packed constant with an address among its elements, such as u64x2(addr(&x), 1). */
static LLVMValueRef packed_constant(struct fn *f, const hsa_brig_operand_constant_operand_list_t *packed, unsigned bits)
{
    struct brig_list list = brig_list(f->view, packed->elements);
    LLVMValueRef value = emit_int(f->e, bits, 0);
    unsigned size = list.count ? bits / list.count : bits;
    for (uint32_t i = 0; i < list.count && size; i++) {
        LLVMValueRef element = emit_resize(f->e, raw_value(f, list.items[i], size), bits, false);
        LLVMValueRef place = emit_int(f->e, bits, (uint64_t)i * size);
        value = LLVMBuildOr(f->e->b, value, LLVMBuildShl(f->e->b, element, place, ""), "");
    }
    return value;
}

/* Returns the operand's bits as an integer of BITS bits. */
static LLVMValueRef raw_value(struct fn *f, uint32_t operand, unsigned bits)
{
    const hsa_brig_base_t *entry = brig_operand(f->view, operand);
    if (bits == 1 && entry->kind != HSA_BRIG_KIND_OPERAND_REGISTER) { /* any constant but 0 is true */
        LLVMValueRef wide = raw_value(f, operand, 64);
        return LLVMBuildICmp(f->e->b, LLVMIntNE, wide, LLVMConstNull(f->e->i64), "");
    }
    switch ((enum brig_operand_kind)entry->kind) {
    case BRIG_OPERAND_REGISTER: return emit_resize(f->e, load_register(f, (const void *)entry), bits, false);
    case BRIG_OPERAND_CONSTANT_BYTES: return constant_bytes(f, (const void *)entry, bits);
    case BRIG_OPERAND_WAVESIZE: return emit_int(f->e, bits, f->e->target->wave);
    case BRIG_OPERAND_CONSTANT_OPERAND_LIST: return packed_constant(f, (const void *)entry, bits);
    case BRIG_OPERAND_CONSTANT_EXPRESSION: return address_constant(f, (const void *)entry, bits);
    case BRIG_OPERAND_ADDRESS:
    case BRIG_OPERAND_ALIGN:
    case BRIG_OPERAND_CODE_LIST:
    case BRIG_OPERAND_CODE_REF:
    case BRIG_OPERAND_CONSTANT_IMAGE:
    case BRIG_OPERAND_CONSTANT_SAMPLER:
    case BRIG_OPERAND_OPERAND_LIST:
    case BRIG_OPERAND_STRING:
    case BRIG_OPERAND_ZERO: break;
    }
    fn_fail(f, OPERAND_KIND, entry->kind);
    return emit_int(f->e, bits, 0);
}

LLVMValueRef lower_value(struct fn *f, uint32_t operand, unsigned type)
{
    unsigned bits = type_bits(type);
    LLVMValueRef value = raw_value(f, operand, bits ? bits : 32);
    if (!bits)
        return value;
    if (type_is_float(type) && !type_is_packed(type))
        return emit_as_float(f->e, value);
    return emit_bits(f->e, value, emit_type(f->e, type));
}

void lower_store(struct fn *f, uint32_t operand, unsigned type, LLVMValueRef value)
{
    const hsa_brig_operand_register_t *reg = (const void *)brig_operand(f->view, operand);
    unsigned bits;
    LLVMValueRef place = reg->base.kind == HSA_BRIG_KIND_OPERAND_REGISTER ? register_place(f, reg, &bits) : NULL;
    if (!place) {
        fn_fail(f, OPERAND_DESTINATION);
        return;
    }
    value = emit_resize(f->e, emit_as_int(f->e, value), bits, type_is_signed(type));
    LLVMBuildStore(f->e->b, value, place);
}

uint64_t lower_immediate(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)brig_operand(f->view, in->operands.items[index]);
    uint64_t value = 0;
    if (constant->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES) {
        fn_fail(f, OPERAND_CONSTANT, index);
        return 0;
    }
    struct bytes bytes = brig_bytes(f->view, constant->bytes);
    memcpy(&value, bytes.data, bytes.size < sizeof value ? bytes.size : sizeof value);
    return value;
}

struct brig_list lower_elements(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    const hsa_brig_operand_operand_list_t *list = (const void *)brig_operand(f->view, in->operands.items[index]);
    if (list->base.kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        return brig_list(f->view, list->elements);
    return (struct brig_list){&in->operands.items[index], 1};
}

enum space lower_space(unsigned segment)
{
    switch ((hsa_brig_segment_t)segment) {
    case HSA_BRIG_SEGMENT_GLOBAL:
    case HSA_BRIG_SEGMENT_READONLY: return SPACE_GLOBAL;
    case HSA_BRIG_SEGMENT_KERNARG: return SPACE_CONSTANT;
    case HSA_BRIG_SEGMENT_GROUP: return SPACE_GROUP;
    case HSA_BRIG_SEGMENT_PRIVATE:
    case HSA_BRIG_SEGMENT_SPILL:
    case HSA_BRIG_SEGMENT_ARG: return SPACE_PRIVATE;
    case HSA_BRIG_SEGMENT_NONE:
    case HSA_BRIG_SEGMENT_FLAT:
    case HSA_BRIG_SEGMENT_FIRST_USER_DEFINED: break;
    }
    return SPACE_FLAT;
}

unsigned lower_address_bits(unsigned segment)
{
    enum space space = lower_space(segment);
    return space == SPACE_GROUP || space == SPACE_PRIVATE ? 32 : 64;
}

LLVMValueRef lower_to_pointer(struct fn *f, LLVMValueRef address, unsigned segment)
{
    address = emit_resize(f->e, address, lower_address_bits(segment), false);
    return LLVMBuildIntToPtr(f->e->b, address, f->e->ptr[lower_space(segment)], "");
}

LLVMValueRef lower_kernarg_base(struct fn *f)
{
    return emit_call0(f->e, "llvm.amdgcn.kernarg.segment.ptr");
}

/* The offset of a kernel's formal argument in the kernarg segment, where they stand in order of declaration, each with
 * its natural or given alignment. */
static uint64_t kernarg_offset(struct fn *f, uint32_t variable, uint32_t *align)
{
    const struct callable *c = &f->l->callables.items[f->self];
    uint64_t offset = 0;
    for (uint32_t i = 0; i < c->input_count; i++) {
        offset = align_up(offset, c->formals[i].align);
        *align = c->formals[i].align;
        if (c->formals[i].variable == variable)
            return offset;
        offset += c->formals[i].size;
    }
    fn_fail(f, SYMBOL_KERNARG);
    return 0;
}

/* Returns the address of a symbol and sets *ALIGN to its alignment. */
static LLVMValueRef symbol_pointer(struct fn *f, uint32_t symbol, unsigned segment, uint32_t *align)
{
    LLVMValueRef nothing = LLVMConstNull(f->e->ptr[lower_space(segment)]);
    const hsa_brig_base_t *entry = brig_code(f->view, symbol);
    const struct variable *v = fn_variable(f, symbol);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE &&
        ((const hsa_brig_directive_variable_t *)(const void *)entry)->segment != segment) {
        fn_fail(f, SYMBOL_SEGMENT);
        return nothing;
    }
    if (segment == HSA_BRIG_SEGMENT_KERNARG) {
        uint64_t offset = kernarg_offset(f, symbol, align);
        LLVMValueRef at = emit_int(f->e, 64, offset);
        return LLVMBuildGEP2(f->e->b, f->e->i8, lower_kernarg_base(f), &at, 1, "");
    }
    if (v && v->segment == HSA_BRIG_SEGMENT_GROUP) {
        *align = v->align;
        return LLVMConstIntToPtr(emit_int(f->e, 32, v->address), f->e->ptr[SPACE_GROUP]);
    }
    if (v && lower_is_private(v)) {
        LLVMValueRef at = emit_int(f->e, 32, v->address);
        *align = v->align;
        if (!v->is_defined)
            fn_fail(f, VARIABLE_UNDEFINED, v->name);
        return LLVMBuildGEP2(f->e->b, f->e->i8, f->module_privates, &at, 1, "");
    }
    if (v && v->value) {
        *align = v->align;
        return v->value;
    }
    LLVMValueRef local = symbol >= f->base ? f->locals[(symbol - f->base) / 4] : NULL;
    if (!local) {
        fn_fail(f, SYMBOL_STORAGE);
        return nothing;
    }
    *align = lower_align(((const hsa_brig_directive_variable_t *)(const void *)entry)->align);
    return local;
}

LLVMValueRef lower_address(struct fn *f, const struct lang_inst *in, uint32_t index, unsigned segment, uint32_t *align)
{
    const hsa_brig_operand_address_t *a = (const void *)brig_operand(f->view, in->operands.items[index]);
    if (a->base.kind != HSA_BRIG_KIND_OPERAND_ADDRESS) {
        fn_fail(f, OPERAND_ADDRESS, index);
        return LLVMConstNull(f->e->ptr[lower_space(segment)]);
    }
    if (lower_space(segment) == SPACE_FLAT && !lower_has_flat(f))
        fn_fail(f, FLAT_TARGET, in->op->text, f->e->target->cpu);
    unsigned bits = lower_address_bits(segment);
    uint64_t offset = brig_u64(a->offset);
    bool is_small = lower_is_small(f);
    if (bits == 32 || is_small)
        offset = (uint64_t)(int64_t)(int32_t)offset;
    LLVMValueRef reg =
        a->reg ? emit_resize(f->e, load_register(f, (const void *)brig_operand(f->view, a->reg)), bits, is_small)
               : NULL;
    if (!a->symbol) { /* an absolute address: add up integers */
        LLVMValueRef address = emit_int(f->e, bits, offset);
        if (reg)
            address = offset ? LLVMBuildAdd(f->e->b, reg, address, "") : reg;
        if (is_small)
            address = emit_resize(f->e, address, 32, false);
        return lower_to_pointer(f, address, segment);
    }
    uint32_t known = 1;
    LLVMValueRef pointer = symbol_pointer(f, a->symbol, segment, &known);
    while (offset & (known - 1))
        known /= 2;
    if (align && !reg && known > *align)
        *align = known;
    LLVMValueRef distance = emit_int(f->e, bits, offset);
    if (reg)
        pointer = LLVMBuildGEP2(f->e->b, f->e->i8, pointer, &reg, 1, "");
    return offset ? LLVMBuildGEP2(f->e->b, f->e->i8, pointer, &distance, 1, "") : pointer;
}
