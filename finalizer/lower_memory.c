/* SPDX-License-Identifier: MIT */
/* Ordinary loads and stores, addresses and segments (PRM 5.8, 5.16, 5.17, 6.3, 6.4).
 * Input: memory instructions. Output: LLVM loads and stores no more aligned than the instruction promises. */
#include "finalizer/lower.h"

#include "support/align_promise.h"

#include <stdio.h>

/* Alignment of an element at DISTANCE bytes from an address aligned to ALIGN. */
static uint32_t align_at(uint32_t align, uint64_t distance)
{
    while (distance & (align - 1))
        align /= 2;
    return align;
}

static enum align_promise_segment promise_segment(unsigned segment)
{
    switch (lower_space(segment)) {
    case SPACE_GROUP: return ALIGN_PROMISE_GROUP;
    case SPACE_PRIVATE: return ALIGN_PROMISE_PRIVATE;
    case SPACE_FLAT: return ALIGN_PROMISE_FLAT;
    case SPACE_GLOBAL:
    case SPACE_CONSTANT:
    case SPACE_COUNT: break;
    }
    return ALIGN_PROMISE_GLOBAL;
}

/* Has the machine code tell a checker what alignment IN promises for POINTER, if that is more than KNOWN, the alignment
 * that it is known to have. */
static void tell_promise(struct fn *f, const struct lang_inst *in, LLVMValueRef pointer, uint32_t known)
{
    struct emit *e = f->e;
    char text[32];
    uint32_t align = lower_align(VALUE_OF(in, ALIGN));
    unsigned bits = type_bits(VALUE_OF(in, TYPE)), wide = lower_address_bits(VALUE_OF(in, SEGMENT));
    struct brig_list elements = lower_elements(f, in, 0);
    if (!f->l->promises || known >= align || !elements.count)
        return;
    struct align_promise promise = {
        .segment = promise_segment(VALUE_OF(in, SEGMENT)),
        .align_log2 = (unsigned)__builtin_ctz(align),
        .bytes_log2 = (unsigned)__builtin_ctz(bits / 8),
        .elements = elements.count,
        .writes = in->op->code == HSA_BRIG_OPCODE_ST};
    snprintf(text, sizeof text, "s_nop 0x%x", align_promise_encode(promise));
    LLVMValueRef address = LLVMBuildPtrToInt(e->b, pointer, emit_int_type(e, wide), "");
    emit_asm(e, text, wide == 32 ? "{v0}" : "{v[0:1]}", LLVMVoidTypeInContext(e->context), &address, 1, true);
}

static LLVMValueRef element_pointer(struct emit *e, LLVMValueRef pointer, uint64_t distance)
{
    LLVMValueRef index = emit_int(e, 32, distance);
    return distance ? LLVMBuildGEP2(e->b, e->i8, pointer, &index, 1, "") : pointer;
}

static void mark_nontemporal(struct emit *e, LLVMValueRef inst)
{
    static const char name[] = "nontemporal";
    LLVMMetadataRef one = LLVMValueAsMetadata(emit_int(e, 32, 1));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &one, 1);
    LLVMSetMetadata(inst, LLVMGetMDKindIDInContext(e->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(e->context, node));
}

bool lower_ld(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), segment = VALUE_OF(in, SEGMENT), bits = type_bits(type);
    if (bits < 8)
        return fn_unsupported(f, in);
    uint32_t known = 1;
    LLVMValueRef pointer = lower_address(f, in, 1, segment, &known);
    tell_promise(f, in, pointer, known);
    uint32_t promised = lower_align(VALUE_OF(in, ALIGN)), align = known > promised ? known : promised;
    struct brig_list elements = lower_elements(f, in, 0);
    LLVMValueRef values[4];
    /* All loads come before any register is written, as an element may go to the register that holds the address. */
    for (uint32_t i = 0; i < elements.count && i < 4; i++) {
        uint64_t distance = (uint64_t)i * bits / 8;
        values[i] = LLVMBuildLoad2(e->b, emit_int_type(e, bits), element_pointer(e, pointer, distance), "");
        LLVMSetAlignment(values[i], align_at(align, distance));
        if (VALUE_OF(in, NT))
            mark_nontemporal(e, values[i]);
    }
    if (segment == HSA_BRIG_SEGMENT_KERNARG && elements.count == 1)
        debug_kernarg(f, in, values[0]);
    bool own = lower_space(segment) == SPACE_PRIVATE; /* this memory may never have been written */
    for (uint32_t i = 0; i < elements.count && i < 4; i++)
        lower_store(f, elements.items[i], type, own ? emit_freeze(e, values[i]) : values[i]);
    return true;
}

bool lower_st(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), bits = type_bits(type);
    if (bits < 8)
        return fn_unsupported(f, in);
    uint32_t known = 1;
    LLVMValueRef pointer = lower_address(f, in, 1, VALUE_OF(in, SEGMENT), &known);
    tell_promise(f, in, pointer, known);
    uint32_t promised = lower_align(VALUE_OF(in, ALIGN)), align = known > promised ? known : promised;
    struct brig_list elements = lower_elements(f, in, 0);
    for (uint32_t i = 0; i < elements.count; i++) {
        uint64_t distance = (uint64_t)i * bits / 8;
        LLVMValueRef value = emit_as_int(e, lower_value(f, elements.items[i], type));
        LLVMValueRef store = LLVMBuildStore(e->b, value, element_pointer(e, pointer, distance));
        LLVMSetAlignment(store, align_at(align, distance));
        if (VALUE_OF(in, NT))
            mark_nontemporal(e, store);
    }
    return true;
}

bool lower_lda(struct fn *f, const struct lang_inst *in)
{
    unsigned type = VALUE_OF(in, TYPE), segment = VALUE_OF(in, SEGMENT);
    const hsa_brig_operand_address_t *a = (const void *)brig_operand(f->view, in->operands.items[1]);
    LLVMValueRef pointer = lower_address(f, in, 1, segment, NULL);
    if (a->symbol && lower_is_small(f) && lower_address_bits(segment) == 64)
        return fn_fail(f, SMALL_ADDRESS, in->op->text);
    return lower_dest(f, in, type, LLVMBuildPtrToInt(f->e->b, pointer, emit_type(f->e, type), ""));
}

/* Whether LLVM takes the addresses at which segments lie within flat ones from hidden arguments, which nobody fills;
 * then they are read from the queue. */
static bool has_hidden_apertures(struct fn *f)
{
    return target_generation(f->e->target) < AMDGPU_GFX9 && f->e->target->code_object >= 5;
}

/* The upper half of flat addresses of a segment, as i32. */
static LLVMValueRef aperture(struct fn *f, unsigned segment)
{
    struct emit *e = f->e;
    size_t field = segment == HSA_BRIG_SEGMENT_GROUP ? offsetof(amd_queue_t, group_segment_aperture_base_hi)
                                                     : offsetof(amd_queue_t, private_segment_aperture_base_hi);
    LLVMValueRef at = emit_int(e, 32, field), queue = emit_call0(e, "llvm.amdgcn.queue.ptr");
    return LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i8, queue, &at, 1, ""), "");
}

/* Whether a flat address, not the null address, lies in the group or private segment. */
static LLVMValueRef is_in(struct fn *f, unsigned segment, LLVMValueRef address)
{
    struct emit *e = f->e;
    LLVMValueRef flat = lower_to_pointer(f, address, HSA_BRIG_SEGMENT_FLAT);
    if (!has_hidden_apertures(f))
        return emit_call(e, segment == HSA_BRIG_SEGMENT_GROUP ? "llvm.amdgcn.is.shared" : "llvm.amdgcn.is.private",
                         NULL, 0, &flat, 1);
    LLVMValueRef high = emit_upper_half(e, emit_resize(e, address, 64, false));
    return LLVMBuildICmp(e->b, LLVMIntEQ, high, aperture(f, segment), "");
}

/* Whether a flat address lies in a segment. The null address counts as part of each, unless the instruction says that
 * it does not occur. */
bool lower_segmentp(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef address = lower_source(f, in, 1, VALUE_OF(in, SOURCE));
    LLVMValueRef r = NULL;
    if (!lower_has_flat(f))
        return fn_fail(f, FLAT_TARGET, in->op->text, e->target->cpu);
    LLVMValueRef group = is_in(f, HSA_BRIG_SEGMENT_GROUP, address), priv = is_in(f, HSA_BRIG_SEGMENT_PRIVATE, address);
    switch ((hsa_brig_segment_t)VALUE_OF(in, SEGMENT)) {
    case HSA_BRIG_SEGMENT_GROUP: r = group; break;
    case HSA_BRIG_SEGMENT_PRIVATE: r = priv; break;
    case HSA_BRIG_SEGMENT_GLOBAL: r = LLVMBuildNot(e->b, LLVMBuildOr(e->b, group, priv, ""), ""); break;
    case HSA_BRIG_SEGMENT_NONE:
    case HSA_BRIG_SEGMENT_FLAT:
    case HSA_BRIG_SEGMENT_READONLY:
    case HSA_BRIG_SEGMENT_KERNARG:
    case HSA_BRIG_SEGMENT_SPILL:
    case HSA_BRIG_SEGMENT_ARG:
    case HSA_VEN_AMD_BRIG_SEGMENT_REGION: break;
    }
    if (!r)
        return fn_unsupported(f, in);
    if (!VALUE_OF(in, NONULL))
        r = LLVMBuildOr(e->b, r, LLVMBuildICmp(e->b, LLVMIntEQ, address, LLVMConstNull(LLVMTypeOf(address)), ""), "");
    return lower_dest(f, in, HSA_BRIG_TYPE_B1, r);
}

/* A cast by hand, where LLVM's does not work; the null of one segment becomes that of the other. */
static LLVMValueRef cast_by_queue(struct fn *f, unsigned segment, LLVMValueRef from, bool to_flat)
{
    struct emit *e = f->e;
    LLVMValueRef near = emit_resize(e, from, 32, false), far = emit_resize(e, from, 64, false);
    LLVMValueRef none = LLVMConstAllOnes(e->i32), nothing = emit_int(e, 64, 0);
    if (!to_flat)
        return emit_select(e, LLVMBuildICmp(e->b, LLVMIntEQ, far, nothing, ""), none, near);
    LLVMValueRef base = LLVMBuildShl(e->b, emit_resize(e, aperture(f, segment), 64, false), emit_int(e, 64, 32), "");
    return emit_select(e, LLVMBuildICmp(e->b, LLVMIntEQ, near, none, ""), nothing, LLVMBuildOr(e->b, base, far, ""));
}

/* LLVM's casts between address spaces turn the null of one into that of the other. */
bool lower_segment_cast(struct fn *f, const struct lang_inst *in, bool to_flat)
{
    struct emit *e = f->e;
    unsigned segment = VALUE_OF(in, SEGMENT), type = VALUE_OF(in, TYPE);
    if (segment != HSA_BRIG_SEGMENT_GROUP && segment != HSA_BRIG_SEGMENT_PRIVATE)
        return fn_unsupported(f, in);
    if (!lower_has_flat(f))
        return fn_fail(f, FLAT_TARGET, in->op->text, e->target->cpu);
    if (to_flat && lower_is_small(f))
        return fn_fail(f, SMALL_ADDRESS, in->op->text);
    LLVMValueRef source = lower_source(f, in, 1, VALUE_OF(in, SOURCE));
    if (has_hidden_apertures(f))
        return lower_dest(f, in, type,
                          emit_resize(e, cast_by_queue(f, segment, source, to_flat), type_bits(type), false));
    LLVMValueRef from = lower_to_pointer(f, source, to_flat ? segment : (unsigned)HSA_BRIG_SEGMENT_FLAT);
    LLVMTypeRef target = e->ptr[to_flat ? SPACE_FLAT : lower_space(segment)];
    LLVMValueRef cast = LLVMBuildAddrSpaceCast(e->b, from, target, "");
    return lower_dest(f, in, type, LLVMBuildPtrToInt(e->b, cast, emit_type(e, type), ""));
}
