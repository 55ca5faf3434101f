/* SPDX-License-Identifier: MIT */
/* The stream of scalar operations, and the values of scalar registers within a block.
 * Input: references to scalars, scalar operations. Output: instructions at the builder.
 * Invariant: the values of registers are in memory at all times, that of SCC after scalar_commit(). Reading a mask that
 * the segment being recorded will write emits the segment first. */
#include "runtime/gcn/jit/build.h"

#include <string.h>

static const uint32_t scc_ref = (uint32_t)offsetof(struct gcn_wave, scc);

static bool is_pending(const struct builder *f, int code, unsigned dwords)
{
    for (unsigned i = 0; i < dwords; i++)
        if (f->pending[code + (int)i])
            return true;
    return false;
}

void scalar_find_alone(struct builder *f)
{
    for (uint32_t i = 0; i < f->unit->total; i++) {
        const struct effect *effect = f->effects[i];
        int code = ref_scalar(f->unit->ops[i].dst);
        bool written = effect->kind == EFFECT_SCALAR && effect->template->uses >> SRD & 1;
        if (code >= 0 && f->hot[i] && written && template_type(effect->template, SRD) == f->jit->i32)
            f->alone[code] = true;
    }
}

/* A pair whose dwords were written one by one. They are loaded in the same way, because hosts cannot forward two stores
 * to one load; LLVM would make one load of two if they were not volatile. */
static LLVMValueRef load_dwords(struct builder *f, uint32_t ref)
{
    LLVMValueRef low = build_load(f, f->jit->i32, ref, 4), high = build_load(f, f->jit->i32, ref + 4, 4);
    LLVMSetVolatile(low, 1);
    LLVMSetVolatile(high, 1);
    high = LLVMBuildShl(f->b, LLVMBuildZExt(f->b, high, f->jit->i64, ""), C64(f, 32), "");
    return LLVMBuildOr(f->b, high, LLVMBuildZExt(f->b, low, f->jit->i64, ""), "");
}

LLVMValueRef scalar_read32(struct builder *f, uint32_t ref)
{
    if (ref & GCN_REF_CONST)
        return C32(f, *constant_at(f, ref));
    if (ref == scc_ref) {
        if (!f->scc)
            f->scc = build_load(f, f->jit->i32, ref, 4);
        return f->scc;
    }
    int code = ref_scalar(ref);
    if (code < 0)
        return build_load(f, f->jit->i32, ref, 4);
    if (is_pending(f, code, 1))
        segment_flush(f);
    if (f->known32[code])
        return f->known32[code];
    LLVMValueRef value = f->known64[code & ~1];
    if (value) {
        if (code & 1)
            value = LLVMBuildLShr(f->b, value, C64(f, 32), "");
        value = LLVMBuildTrunc(f->b, value, f->jit->i32, "");
    } else {
        value = build_load(f, f->jit->i32, ref, 4);
    }
    return f->known32[code] = value;
}

LLVMValueRef scalar_read64(struct builder *f, uint32_t ref)
{
    if (ref & GCN_REF_CONST) {
        const uint32_t *p = constant_at(f, ref);
        return C64(f, p[0] | (uint64_t)p[1] << 32);
    }
    if (ref == scc_ref)
        return LLVMBuildZExt(f->b, scalar_read32(f, ref), f->jit->i64, "");
    int code = ref_scalar(ref);
    if (code >= 0 && is_pending(f, code, 2))
        segment_flush(f);
    if (code < 0 || code & 1)
        return build_load(f, f->jit->i64, ref, 4);
    if (f->known64[code])
        return f->known64[code];
    LLVMValueRef value;
    if (f->known32[code] || f->known32[code + 1]) {
        LLVMValueRef low = LLVMBuildZExt(f->b, scalar_read32(f, ref), f->jit->i64, "");
        LLVMValueRef high = LLVMBuildZExt(f->b, scalar_read32(f, ref + 4), f->jit->i64, "");
        value = LLVMBuildOr(f->b, low, LLVMBuildShl(f->b, high, C64(f, 32), ""), "");
    } else if (f->alone[code] || f->alone[code + 1]) {
        value = load_dwords(f, ref);
    } else {
        value = build_load(f, f->jit->i64, ref, 4);
    }
    return f->known64[code] = value;
}

/* FLUSHING tells that it is a segment, which has just been emitted, that writes its mask. */
void scalar_write(struct builder *f, uint32_t ref, LLVMValueRef value, unsigned dwords, bool flushing)
{
    int code = ref_scalar(ref);
    if (code >= 0 && !flushing && (is_pending(f, code, dwords) || (code + (int)dwords > GCN_S_EXEC && f->record_count)))
        segment_flush(f);
    if (!f->aside || code < 0)
        build_store(f, value, ref, 4);
    if (code < 0)
        return;
    f->known64[code & ~1] = f->known64[(code + (int)dwords - 1) & ~1] = NULL;
    for (unsigned i = 0; i < dwords; i++)
        f->known32[code + (int)i] = NULL;
    if (dwords == 1)
        f->known32[code] = value;
    else if (!(code & 1))
        f->known64[code] = value;
}

/* Forgets the values of DWORDS registers from REF on, as they have changed in memory. */
void scalar_changed(struct builder *f, uint32_t ref, unsigned dwords)
{
    int code = ref_scalar(ref);
    for (int i = code; code >= 0 && i < code + (int)dwords && i < GCN_SGPRS; i++)
        f->known32[i] = f->known64[i & ~1] = NULL;
}

void scalar_forget(struct builder *f)
{
    memset(f->known32, 0, sizeof f->known32);
    memset(f->known64, 0, sizeof f->known64);
    f->scc = NULL;
    f->scc_dirty = false;
}

void scalar_commit(struct builder *f)
{
    if (f->scc_dirty)
        build_store(f, f->scc, scc_ref, 4);
    f->scc_dirty = false;
}

void scalar_operation(struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    const uint32_t exec = scalar_ref(GCN_S_EXEC);
    LLVMValueRef in[PARAMETERS] = {0}, out[PARAMETERS] = {0};
    for (unsigned i = SA; i <= SSCC; i++) {
        if (!(effect->template->uses >> i & 1))
            continue;
        uint32_t ref = i == SSCC ? scc_ref : scalar_operand(effect, op, i);
        if (i == SB && effect->immediate)
            in[i] = C32(f, op->imm);
        else if (template_type(effect->template, i) == f->jit->i64)
            in[i] = scalar_read64(f, ref);
        else
            in[i] = scalar_read32(f, ref);
    }
    template_clone(f, effect->template, in, out);
    if (effect->kind == EFFECT_SAVEEXEC) {
        segment_flush(f);
        scalar_write(f, op->dst, writes_both(effect) ? out[SRD] : scalar_read64(f, exec), 2, false);
        scalar_write(f, exec, out[SRD], 2, false);
    } else if (out[SRD]) {
        scalar_write(f, op->dst, out[SRD], LLVMTypeOf(out[SRD]) == f->jit->i64 ? 2 : 1, false);
    }
    if (out[SRSCC] && out[SRSCC] != in[SSCC]) {
        f->scc = out[SRSCC];
        f->scc_dirty = true;
    }
}
