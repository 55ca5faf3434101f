/* SPDX-License-Identifier: MIT */
/* Special instructions (PRM 11.2, 11.4).
 * Input: the query. Output: its value, from the machine's registers, the queue or the kernel's descriptor. */
#include "finalizer/lower.h"

#include "hsa/amd_hsa_queue.h"
#include "hsa/hsa.h"

#include <stdio.h>

/* Hardware registers as s_getreg numbers them: where the wave runs. */
enum { HW_ID = 4, HW_ID1 = 23 };

static bool has_work_group_processors(struct fn *f)
{
    return target_generation(f->e->target) >= AMDGPU_GFX10;
}

static LLVMValueRef getreg(struct fn *f, unsigned id, unsigned offset, unsigned width)
{
    LLVMValueRef code = emit_int(f->e, 32, id | offset << 6 | (width - 1) << 11);
    return emit_call(f->e, "llvm.amdgcn.s.getreg", NULL, 0, &code, 1);
}

static LLVMValueRef queue_field(struct fn *f, unsigned offset)
{
    struct emit *e = f->e;
    LLVMValueRef index = emit_int(e, 32, offset), queue = emit_call0(e, "llvm.amdgcn.queue.ptr");
    return LLVMBuildLoad2(e->b, e->i32, LLVMBuildGEP2(e->b, e->i8, queue, &index, 1, ""), "");
}

/* a << bits | b */
static LLVMValueRef joined(struct fn *f, LLVMValueRef a, unsigned bits, LLVMValueRef b)
{
    return LLVMBuildOr(f->e->b, LLVMBuildShl(f->e->b, a, emit_int(f->e, 32, bits), ""), b, "");
}

/* The number of a compute unit consists of the shader engine, the array in it and the unit in that. A work-group
 * processor has two units, of two SIMDs each. */
LLVMValueRef query_compute_unit(struct fn *f, unsigned dim)
{
    (void)dim;
    if (has_work_group_processors(f)) {
        unsigned engines = target_generation(f->e->target) >= AMDGPU_GFX11 ? 3 : 2;
        LLVMValueRef wgp = getreg(f, HW_ID1, 10, 4), which = getreg(f, HW_ID1, 16, 1), half = getreg(f, HW_ID1, 9, 1);
        return joined(f, joined(f, joined(f, getreg(f, HW_ID1, 18, engines), 1, which), 4, wgp), 1, half);
    }
    LLVMValueRef cu = getreg(f, HW_ID, 8, 4), array = getreg(f, HW_ID, 12, 1), engine = getreg(f, HW_ID, 13, 2);
    return joined(f, joined(f, engine, 1, array), 4, cu);
}

/* Numbers the wave within its compute unit, which has four SIMDs, or two where units come in pairs. */
LLVMValueRef query_wave(struct fn *f, unsigned dim)
{
    (void)dim;
    bool paired = has_work_group_processors(f);
    LLVMValueRef simd = paired ? getreg(f, HW_ID1, 8, 1) : getreg(f, HW_ID, 4, 2);
    simd = LLVMBuildMul(f->e->b, simd, emit_int(f->e, 32, f->e->target->processor->generation->simd_waves), "");
    return LLVMBuildAdd(f->e->b, simd, paired ? getreg(f, HW_ID1, 0, 5) : getreg(f, HW_ID, 0, 4), "");
}

LLVMValueRef query_lane(struct fn *f, unsigned dim)
{
    (void)dim;
    struct emit *e = f->e;
    LLVMValueRef all = LLVMConstAllOnes(e->i32);
    LLVMValueRef low = emit_call(e, "llvm.amdgcn.mbcnt.lo", NULL, 0, (LLVMValueRef[]){all, emit_int(e, 32, 0)}, 2);
    LLVMValueRef lane = emit_call(e, "llvm.amdgcn.mbcnt.hi", NULL, 0, (LLVMValueRef[]){all, low}, 2);
    emit_below(e, lane, e->target->wave);
    return lane;
}

/* The size is the first word of the kernel descriptor that the packet refers to. In a kernel it is a constant. */
LLVMValueRef query_static_group_size(struct fn *f, unsigned dim)
{
    (void)dim;
    const struct callable *c = &f->l->callables.items[f->self];
    if (c->is_kernel)
        return emit_int(f->e, 32, c->group_size);
    LLVMValueRef descriptor =
        lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, kernel_object), 64);
    return LLVMBuildLoad2(f->e->b, f->e->i32, lower_to_pointer(f, descriptor, HSA_BRIG_SEGMENT_GLOBAL), "");
}

LLVMValueRef query_kernarg_address(struct fn *f, unsigned dim)
{
    (void)dim;
    if (lower_is_small(f))
        fn_fail(f, SMALL_ADDRESS, lang_op(HSA_BRIG_OPCODE_KERNARGBASEPTR)->text);
    if (f->l->callables.items[f->self].is_kernel)
        return LLVMBuildPtrToInt(f->e->b, lower_kernarg_base(f), f->e->i64, "");
    return lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, kernarg_address), 64);
}

LLVMValueRef query_clock(struct fn *f, unsigned dim)
{
    (void)dim;
    bool has_real_time = target_generation(f->e->target) >= AMDGPU_GFX8;
    return emit_call0(f->e, has_real_time ? "llvm.readsteadycounter" : "llvm.readcyclecounter");
}

LLVMValueRef query_last_compute_unit(struct fn *f, unsigned dim)
{
    (void)dim;
    return queue_field(f, (unsigned)offsetof(amd_queue_t, max_cu_id));
}

LLVMValueRef query_last_wave(struct fn *f, unsigned dim)
{
    (void)dim;
    return queue_field(f, (unsigned)offsetof(amd_queue_t, max_wave_id));
}

LLVMValueRef query_group_base(struct fn *f, unsigned dim)
{
    (void)dim;
    return emit_int(f->e, 32, 0); /* group memory starts at 0 */
}

LLVMValueRef query_total_group_size(struct fn *f, unsigned dim)
{
    (void)dim;
    return lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, group_segment_size), 32);
}

bool lower_nullptr(struct fn *f, const struct lang_inst *in)
{
    unsigned segment = VALUE_OF(in, SEGMENT), type = VALUE_OF(in, TYPE);
    bool ones = segment == HSA_BRIG_SEGMENT_GROUP || segment == HSA_BRIG_SEGMENT_PRIVATE;
    LLVMTypeRef integer = emit_type(f->e, type);
    return lower_dest(f, in, type, ones ? LLVMConstAllOnes(integer) : LLVMConstNull(integer));
}

bool lower_debugtrap(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef argument = lower_source(f, in, 0, HSA_BRIG_TYPE_U32);
    emit_asm(f->e, "s_trap 2 ; $0", "v", f->e->void_, &argument, 1, true);
    return true;
}

/* TRAPSTS orders the exceptions as follows: invalid, subnormal source, division by zero, overflow, underflow, inexact.
 * HSAIL has the same order without the second one. */
static LLVMValueRef to_hsail(struct fn *f, LLVMValueRef status)
{
    struct emit *e = f->e;
    LLVMValueRef rest =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, status, emit_int(e, 32, 1), ""), emit_int(e, 32, 0x1e), "");
    return LLVMBuildOr(e->b, LLVMBuildAnd(e->b, status, emit_int(e, 32, 1), ""), rest, "");
}

bool lower_getdetect(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef enabled = emit_int(e, 32, f->l->callables.items[f->self].detects);
    LLVMValueRef state = LLVMBuildAnd(e->b, to_hsail(f, getreg(f, emit_exception_register(e), 0, 7)), enabled, "");
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, state);
}

/* Sets the exceptions that the immediate names, or clears them when SET is false. */
bool lower_setdetect(struct fn *f, const struct lang_inst *in, bool set)
{
    struct emit *e = f->e;
    unsigned mask = emit_exception_bits((unsigned)lower_immediate(f, in, 0));
    for (unsigned bit = 0; bit < 6; bit++) {
        char text[64];
        snprintf(text, sizeof text, "s_setreg_imm32_b32 hwreg(%u, %u, 1), %d", emit_exception_register(e), bit, set);
        if (mask >> bit & 1)
            emit_asm(e, text, "", e->void_, NULL, 0, true);
    }
    return true;
}
