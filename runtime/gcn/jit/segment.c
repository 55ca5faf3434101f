/* SPDX-License-Identifier: MIT */
/* Segments: recording vector operations, and emitting them as a loop over chunks of lanes.
 *
 * All lanes are computed; what is stored to registers is blended with EXEC once, at the end of a chunk. Masks are
 * and-ed with EXEC per chunk and collected over the loop. Lines of w->temp are stored only when the instruction that
 * made them is still being executed.
 * Input: vector operations whose operands are lines and scalars. Output: instructions at the builder.
 * Invariant: between segments all live registers are in memory. */
#include "runtime/gcn/jit/loop.h"

#include <string.h>

enum { TWO_STORES_FROM = 8, FEW = 1 }; /* vector operations */

LLVMValueRef segment_spread(struct builder *f, LLVMValueRef x)
{
    LLVMValueRef poison = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(x), f->jit->lanes));
    LLVMValueRef v = LLVMBuildInsertElement(f->b, poison, x, C64(f, 0), "");
    return LLVMBuildShuffleVector(f->b, v, poison, LLVMConstNull(f->jit->chunk), "");
}

LLVMValueRef segment_splat(struct builder *f, struct jit_segment *s, LLVMValueRef x)
{
    struct gcn_jit *jit = f->jit;
    if (LLVMIsAConstantInt(x)) {
        LLVMValueRef elements[16];
        for (unsigned i = 0; i < jit->lanes; i++)
            elements[i] = x;
        return LLVMConstVector(elements, jit->lanes);
    }
    for (unsigned i = 0; i < s->splat_count; i++)
        if (s->splats[i].scalar == x)
            return s->splats[i].splat;
    LLVMBasicBlockRef here = build_before(f);
    LLVMValueRef v = segment_spread(f, x);
    LLVMPositionBuilderAtEnd(f->b, here);
    if (s->splat_count < SPLATS) {
        s->splats[s->splat_count].scalar = x;
        s->splats[s->splat_count++].splat = v;
    }
    return v;
}

void segment_share_splats(struct jit_segment *s, const struct jit_segment *from)
{
    unsigned known = s->splat_count;
    s->splat_count = from->splat_count;
    memcpy(&s->splats[known], &from->splats[known], (s->splat_count - known) * sizeof *s->splats);
}

static LLVMValueRef half_of(struct builder *f, LLVMValueRef wide, LLVMValueRef which)
{
    LLVMTypeRef type = f->jit->halves;
    LLVMValueRef x = build_as(f, wide, type), side[2];
    for (unsigned i = 0; i < 2; i++)
        side[i] = LLVMBuildShuffleVector(f->b, x, LLVMGetPoison(type), f->jit->side[i], "");
    return LLVMBuildShuffleVector(f->b, side[0], side[1], which, "");
}

LLVMValueRef segment_line(struct builder *f, struct jit_segment *s, int line)
{
    LLVMValueRef *value = &s->value[line];
    if (*value)
        return *value;
    if (s->wide[line])
        return *value = half_of(f, s->wide[line], f->jit->low);
    if (line && s->wide[line - 1])
        return *value = half_of(f, s->wide[line - 1], f->jit->high);
    LLVMValueRef home = s->home[line] ? s->home[line] : build_at(f, s->base, line_offset(line));
    *value = LLVMBuildLoad2(f->b, f->jit->chunk, home, "");
    LLVMSetAlignment(*value, 4 * f->jit->lanes);
    return s->loaded[line] = *value;
}

LLVMValueRef segment_pair(struct builder *f, struct jit_segment *s, int line)
{
    struct gcn_jit *jit = f->jit;
    if (!s->wide[line]) {
        LLVMValueRef low = build_as(f, segment_line(f, s, line), jit->chunk);
        LLVMValueRef high = build_as(f, segment_line(f, s, line + 1), jit->chunk);
        LLVMValueRef side[2];
        for (unsigned i = 0; i < 2; i++)
            side[i] = LLVMBuildShuffleVector(f->b, low, high, jit->interleave[i], "");
        s->wide[line] = build_as(f, LLVMBuildShuffleVector(f->b, side[0], side[1], jit->joined, ""), jit->wide);
    }
    return s->wide[line];
}

static LLVMValueRef get_operand(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned lines)
{
    if (ref & GCN_REF_CONST) {
        const uint32_t *p = constant_at(f, ref);
        return segment_splat(f, s, lines == 2 ? C64(f, p[0] | (uint64_t)p[GCN_LANES] << 32) : C32(f, p[0]));
    }
    return lines == 2 ? segment_pair(f, s, ref_line(ref)) : segment_line(f, s, ref_line(ref));
}

/* Takes what is known of LINE apart from the pairs that have it, because one of their lines will change. */
static void split_pairs(struct builder *f, struct jit_segment *s, int line)
{
    if (s->wide[line])
        segment_line(f, s, line + 1);
    if (line && s->wide[line - 1]) {
        segment_line(f, s, line - 1);
        s->wide[line - 1] = NULL;
    }
    s->wide[line] = NULL;
}

static void put_operand(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned lines, LLVMValueRef value)
{
    int line = ref_line(ref);
    if (lines == 2)
        s->wide[line] = NULL; /* both of its lines change */
    for (unsigned i = 0; i < lines; i++) {
        split_pairs(f, s, line + (int)i);
        s->value[line + (int)i] = NULL;
        s->dirty[line + (int)i] = true;
    }
    if (lines == 2)
        s->wide[line] = value;
    else
        s->value[line] = value;
}

LLVMValueRef segment_get(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half)
{
    if (ref & GCN_REF_CONST)
        return segment_splat(f, s, C32(f, constant_at(f, ref)[half * GCN_LANES]));
    return segment_line(f, s, ref_line(ref) + (int)half);
}

void segment_put(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half, LLVMValueRef value)
{
    put_operand(f, s, ref + half * GCN_LINE, 1, value);
}

static LLVMValueRef mask_of_chunk(struct builder *f, const struct jit_segment *s, LLVMValueRef all)
{
    return LLVMBuildTrunc(f->b, LLVMBuildLShr(f->b, all, s->shift, ""), f->jit->mask, "");
}

LLVMValueRef segment_bits_from(struct builder *f, LLVMValueRef bits, unsigned first)
{
    struct gcn_jit *jit = f->jit;
    LLVMValueRef counts[8];
    for (unsigned i = 0; i < 8; i++)
        counts[i] = C32(f, 31 - first - i);
    LLVMValueRef arguments[] = {bits, LLVMConstVector(counts, 8)};
    LLVMValueRef signs = build_intrinsic(f, "llvm.x86.avx2.psllv.d.256", jit->chunk, arguments, 2);
    return LLVMBuildICmp(f->b, LLVMIntSLT, signs, LLVMConstNull(jit->chunk), "");
}

/* What LLVM makes of a plain conversion is slow where there are no registers for masks. */
LLVMValueRef segment_bits(struct builder *f, LLVMValueRef mask)
{
    struct gcn_jit *jit = f->jit;
    if (jit->lanes == 16 || LLVMIsAConstant(mask))
        return LLVMBuildBitCast(f->b, mask, jit->bits, "");
    return segment_bits_from(f, segment_spread(f, LLVMBuildZExt(f->b, mask, jit->i32, "")), 0);
}

LLVMValueRef segment_no_lane(struct builder *f, LLVMValueRef lanes)
{
    LLVMValueRef bits = LLVMBuildBitCast(f->b, lanes, f->jit->mask, "");
    return LLVMBuildICmp(f->b, LLVMIntEQ, bits, LLVMConstNull(f->jit->mask), "");
}

LLVMValueRef segment_mask(struct builder *f, const struct jit_segment *s, unsigned record)
{
    return LLVMBuildZExt(f->b, build_as(f, s->masks[record], f->jit->mask), f->jit->i64, "");
}

/* 1 in each of 8 bytes: times a byte, that byte in all of them. */
#define ONES UINT64_C(0x0101010101010101)

/* For each of 8 lanes, how many bits below its own BYTE has, as bytes. */
static LLVMValueRef count_in_byte(struct builder *f, LLVMValueRef byte)
{
    LLVMValueRef bits = LLVMBuildAnd(
        f->b, LLVMBuildMul(f->b, byte, C64(f, ONES), ""), C64(f, UINT64_C(0x8040201008040201)), ""); /* one in each */
    bits = LLVMBuildLShr(f->b, LLVMBuildAdd(f->b, bits, C64(f, 0x7f * ONES), ""), C64(f, 7), "");
    bits = LLVMBuildAnd(f->b, bits, C64(f, ONES), "");
    return LLVMBuildMul(f->b, bits, C64(f, ONES << 8), "");
}

static LLVMValueRef count_bits(struct builder *f, LLVMValueRef x)
{
    return build_intrinsic(f, "llvm.ctpop.i64", f->jit->i64, &x, 1);
}

/* For each lane, how many bits below its own MASK has. */
static LLVMValueRef count_below(struct builder *f, const struct jit_segment *s, LLVMValueRef mask)
{
    struct gcn_jit *jit = f->jit;
    LLVMTypeRef bytes = LLVMVectorType(jit->i8, 8);
    LLVMValueRef counts[2], places[16];
    LLVMValueRef below = LLVMBuildNot(f->b, LLVMBuildShl(f->b, C64(f, -1), s->shift, ""), "");
    LLVMValueRef before = count_bits(f, LLVMBuildAnd(f->b, mask, below, ""));
    mask = LLVMBuildLShr(f->b, mask, s->shift, "");
    for (unsigned i = 0; i < jit->lanes / 8; i++) {
        LLVMValueRef byte = LLVMBuildAnd(f->b, LLVMBuildLShr(f->b, mask, C64(f, 8 * i), ""), C64(f, 255), "");
        LLVMValueRef all = LLVMBuildMul(f->b, before, C64(f, ONES), "");
        counts[i] = LLVMBuildBitCast(f->b, LLVMBuildAdd(f->b, count_in_byte(f, byte), all, ""), bytes, "");
        if (i + 1 < jit->lanes / 8)
            before = LLVMBuildAdd(f->b, before, count_bits(f, byte), "");
    }
    for (unsigned i = 0; i < 16; i++)
        places[i] = C32(f, i);
    if (jit->lanes == 16)
        counts[0] = LLVMBuildShuffleVector(f->b, counts[0], counts[1], LLVMConstVector(places, 16), "");
    return LLVMBuildZExt(f->b, counts[0], jit->chunk, "");
}

/* The operand PC of R, how many bits of its mask are below each lane, where what they are added to is IN[PB]. The upper
 * half of a mask is counted together with the lower one if that has just been. */
static LLVMValueRef emit_below(struct builder *f, const struct jit_segment *s, const struct record *r, LLVMValueRef *in)
{
    LLVMValueRef mask = LLVMBuildZExt(f->b, r->a, f->jit->i64, "");
    if (r->effect->id == GCN_OP_v_mbcnt_lo_u32_b32)
        return count_below(f, s, mask);
    mask = LLVMBuildShl(f->b, mask, C64(f, 32), "");
    if (s->below.sum && in[PB] == s->below.sum) {
        mask = LLVMBuildOr(f->b, mask, LLVMBuildZExt(f->b, s->below.half, f->jit->i64, ""), "");
        in[PB] = s->below.to;
    }
    return count_below(f, s, mask);
}

/* RESULT, in the lanes that DPP lets the operation write, and elsewhere what the register has. */
static LLVMValueRef as_written(struct builder *f, struct jit_segment *s, const struct record *r, unsigned lines,
                               LLVMValueRef result)
{
    LLVMTypeRef type = lines == 2 ? f->jit->wide : f->jit->chunk;
    LLVMValueRef old = build_as(f, get_operand(f, s, r->op->dst, lines), type);
    LLVMValueRef written = segment_bits(f, mask_of_chunk(f, s, r->written));
    return build_blend(f, written, build_as(f, result, type), old);
}

/* The source operand of R whose value is not needed any more, as far as that is easy to see: the register gets a new
 * one in all lanes. If it is none, that which is added is as good as any. */
static unsigned replaced_operand(const struct builder *f, const struct jit_segment *s, const struct record *r)
{
    bool all = f->loop ? !f->loop->exec : s->regular != NULL;
    return !all ? PC : r->op->dst == r->op->src[0] ? PA : r->op->dst == r->op->src[1] ? PB : PC;
}

static void emit_template(struct builder *f, struct jit_segment *s, const struct record *r, unsigned self)
{
    const struct template *template = r->effect->template;
    LLVMValueRef in[PARAMETERS] = {0}, out[PARAMETERS] = {0};
    for (unsigned slot = PA; slot <= PD; slot++) {
        unsigned lines = template_lines(template, slot);
        LLVMValueRef scalar = slot == PA ? r->a : slot == PB ? r->b : NULL;
        if (slot == PC && r->effect->below)
            in[slot] = emit_below(f, s, r, in);
        else if (lines)
            in[slot] = scalar ? segment_splat(f, s, scalar)
                              : get_operand(f, s, slot == PD ? r->op->dst : r->op->src[slot], lines);
    }
    if (template->uses >> IN & 1)
        in[IN] = r->in_record >= 0 ? s->masks[r->in_record] : segment_bits(f, mask_of_chunk(f, s, r->in));
    if (template->uses >> IMM & 1)
        in[IMM] = C32(f, r->op->imm);
    in[AUX] = r->aux;
    f->ends = replaced_operand(f, s, r);
    if (r->effect->usual)
        scaled_emit(f, r, in, out);
    else
        template_clone(f, template, in, out);
    if (out[R] && r->written)
        out[R] = as_written(f, s, r, template_lines(template, R), out[R]);
    if (out[R])
        put_operand(f, s, r->op->dst, template_lines(template, R), out[R]);
    if (r->effect->id == GCN_OP_v_mbcnt_lo_u32_b32 && !r->written) {
        s->below.half = r->a;
        s->below.to = in[PB];
        s->below.sum = out[R];
    }
    if (out[OUT])
        s->masks[self] = build_as(f, out[OUT], f->jit->bits);
}

/* X, hidden so that LLVM does not know how it was computed. Where LLVM sees that an operand is a negation, it turns the
 * addition into a subtraction, which is right for numbers but changes the signs of NaNs. */
static LLVMValueRef hidden(struct builder *f, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x), signature = LLVMFunctionType(type, &type, 1, 0);
    bool scalar = type == f->jit->i32;
    LLVMValueRef nothing =
        LLVMGetInlineAsm(signature, "", 0, scalar ? "=r,0" : "=v,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(f->b, signature, nothing, &x, 1, "");
}

/* Masks the sign bits of 32-bit or 64-bit values. The latter need not be hidden: either lane.h says from which operand
 * of an f64 operation a NaN comes, or LLVM does not see an addition (lane_vector.h). */
static void emit_modify(struct builder *f, struct jit_segment *s, const struct gcn_uop *op, bool wide)
{
    uint64_t keep = wide ? (uint64_t)(uint32_t)op->imm << 32 | UINT32_MAX : (uint32_t)op->imm;
    uint64_t flip = wide ? (uint64_t)op->aux << 32 : op->aux;
    LLVMTypeRef type = wide ? f->jit->i64 : f->jit->i32;
    LLVMValueRef v = build_as(f, get_operand(f, s, op->src[0], wide ? 2 : 1), wide ? f->jit->wide : f->jit->chunk);
    if (keep != (wide ? UINT64_MAX : UINT32_MAX))
        v = LLVMBuildAnd(f->b, v, segment_splat(f, s, LLVMConstInt(type, keep, 0)), "");
    if (flip)
        v = LLVMBuildXor(f->b, v, segment_splat(f, s, LLVMConstInt(type, flip, 0)), "");
    put_operand(f, s, op->dst, wide ? 2 : 1, flip && !wide ? hidden(f, v) : v);
}

static void emit_swap(struct builder *f, struct jit_segment *s, const struct gcn_uop *op)
{
    LLVMValueRef a = get_operand(f, s, op->dst, 1), b = get_operand(f, s, op->src[0], 1);
    put_operand(f, s, op->dst, 1, b);
    put_operand(f, s, op->src[0], 1, a);
}

void segment_emit_record(struct builder *f, struct jit_segment *s, unsigned self)
{
    const struct record *r = &f->records[self];
    switch (r->effect->kind) {
    case EFFECT_SPLAT64: put_operand(f, s, r->op->dst, 2, segment_splat(f, s, r->a)); break;
    case EFFECT_SPLAT32: put_operand(f, s, r->op->dst, 1, segment_splat(f, s, r->a)); break;
    case EFFECT_SWAP: emit_swap(f, s, r->op); break;
    case EFFECT_MOD32: emit_modify(f, s, r->op, false); break;
    case EFFECT_MOD64: emit_modify(f, s, r->op, true); break;
    case EFFECT_LDS: memory_emit(f, s, r); break;
    default:
        if (!shift_emit(f, s, r))
            emit_template(f, s, r, self);
        break;
    }
}

/* Branches to the second version of the loop if EXEC is full and all reads are regular, to the first one otherwise. */
static void choose_version(struct builder *f, struct jit_segment *segments, struct regular_reads *reads)
{
    LLVMValueRef all = LLVMBuildICmp(f->b, LLVMIntEQ, f->exec, C64(f, UINT64_MAX), "");
    LLVMValueRef best = LLVMBuildAnd(f->b, all, regular_condition(f, reads), "");
    segments[0].begin = build_block(f);
    segments[1].begin = build_block(f);
    segments[1].regular = reads;
    f->ordered = true;
    LLVMBuildCondBr(f->b, best, segments[1].begin, segments[0].begin);
    build_follow(f, segments[1].begin);
}

/* Whether the scalar operand at REF still has VALUE, so that a handler may read it. */
static bool is_current(const struct builder *f, uint32_t ref, LLVMValueRef value)
{
    int code = ref_scalar(ref);
    if (!value || ref & GCN_REF_CONST)
        return true;
    return code >= 0 && (f->known32[code] == value || f->known64[code] == value);
}

/* Whether the handler of R may execute it although scalar operations that come after it in the program have been
 * emitted already. */
static bool is_for_handler(const struct builder *f, const struct record *r)
{
    if (r->effect->kind == EFFECT_LDS)
        return true;
    if (f->writes_exec && writes_mask(r->effect)) /* handlers are slower at masks while lanes are inactive */
        return false;
    return (r->effect->kind == EFFECT_VECTOR || r->effect->kind == EFFECT_COMPARE) && !r->effect->below && !r->aux &&
           !r->written && is_current(f, r->op->src[0], r->a) && is_current(f, r->op->src[1], r->b) &&
           is_current(f, r->op->aux >> 16, r->in);
}

/* Whether handlers execute the segment: one that only accesses memory, as they are about as fast, and much less has to
 * be compiled; where there are no registers for masks, also one with few vector operations, as handlers need not blend
 * what they store while all lanes are active. */
static bool is_for_handlers(const struct builder *f)
{
    unsigned vectors = 0, most = f->jit->lanes == 16 ? 0 : FEW;
    for (unsigned i = 0; i < f->record_count; i++) {
        vectors += f->records[i].effect->kind != EFFECT_LDS;
        if (vectors > most || !is_for_handler(f, &f->records[i]))
            return false;
    }
    return true;
}

/* Has the handlers execute the segment. They leave only if there is a fault; scalar operations that followed in the
 * program have been emitted before them. */
static void call_handlers(struct builder *f)
{
    unsigned count = f->record_count;
    f->record_count = 0;
    scalar_commit(f);
    memset(f->pending, 0, sizeof f->pending);
    for (unsigned i = 0; i < count; i++) {
        const struct record *r = &f->records[i];
        build_call(f, (uint32_t)(r->op - f->unit->ops));
        if (writes_mask(r->effect))
            scalar_changed(f, mask_destination(r->effect, r->op), 2);
    }
}

void segment_flush(struct builder *f)
{
    static _Thread_local struct jit_segment segments[2];
    struct outputs outputs;
    struct regular_reads reads;
    if (!f->record_count)
        return;
    if (f->loop) {
        loop_flush(f);
        return;
    }
    segment_find_outputs(f, &outputs);
    bool regular = regular_plan(f, &outputs, &reads);
    f->lds_read = f->lds_written = false;
    if (!regular && is_for_handlers(f)) {
        call_handlers(f);
        return;
    }
    memset(segments, 0, sizeof segments);
    segments[0].begin = LLVMGetInsertBlock(f->b);
    if (regular)
        choose_version(f, segments, &reads);
    else if (f->jit->lanes != 16 && f->record_count >= TWO_STORES_FROM) /* registers for masks make blending cheap */
        segments[0].all = LLVMBuildICmp(f->b, LLVMIntEQ, f->exec, C64(f, UINT64_MAX), "");
    LLVMBasicBlockRef done = build_block(f);
    for (unsigned i = 0; i <= regular; i++)
        segment_emit_loop(f, &segments[i], &outputs, done);
    build_follow(f, done);
    LLVMPositionBuilderAtEnd(f->b, done);
    memset(f->pending, 0, sizeof f->pending);
    segment_write_outputs(f, segments, 1 + regular, &outputs);
    f->record_count = 0;
}

/* Whether LINES lines at REF are registers, or constants with the same value in all lanes. */
bool segment_is_line(const struct builder *f, uint32_t ref, unsigned lines)
{
    if (!(ref & GCN_REF_CONST)) {
        int line = ref_line(ref);
        return line >= 0 && line + (int)lines <= (line < GCN_VGPRS ? (int)GCN_VGPRS : (int)LINES);
    }
    const uint32_t *p = constant_at(f, ref);
    for (unsigned i = 0; i < lines * GCN_LANES; i++)
        if (p[i] != p[i / GCN_LANES * GCN_LANES])
            return false;
    return true;
}

static bool takes_template(const struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    int code = writes_mask(effect) ? ref_scalar(mask_destination(effect, op)) : -1;
    if (code >= 0 && code & 1)
        return false; /* the pair would overlap others */
    if (effect->below && effect->form != FORM_SCALAR0 && !(op->src[0] & GCN_REF_CONST))
        return false; /* each lane has a mask of its own */
    for (unsigned slot = PA; slot <= PC; slot++) {
        unsigned lines = template_lines(effect->template, slot);
        bool scalar = slot == PA ? effect->form == FORM_SCALAR0 : slot == PB && effect->form == FORM_SCALAR1;
        bool made = scalar || (slot == PC && effect->below);
        if (lines && !made && !segment_is_line(f, op->src[slot], lines))
            return false;
    }
    unsigned lines = template_lines(effect->template, R);
    return !lines || (!(op->dst & GCN_REF_CONST) && segment_is_line(f, op->dst, lines));
}

/* Whether the operands of an operation are such that a segment can have it. */
bool segment_takes(const struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_COMPARE_EXEC: return takes_template(f, effect, op);
    case EFFECT_SPLAT32: return segment_is_line(f, op->dst, 1);
    case EFFECT_SWAP: return ref_line(op->dst) >= 0 && ref_line(op->src[0]) >= 0;
    case EFFECT_SPLAT64: return segment_is_line(f, op->dst, 2);
    case EFFECT_MOD32: return segment_is_line(f, op->src[0], 1) && segment_is_line(f, op->dst, 1);
    case EFFECT_MOD64: return segment_is_line(f, op->src[0], 2) && segment_is_line(f, op->dst, 2);
    default: return false;
    }
}

static void capture_template(struct builder *f, struct record *r)
{
    const struct gcn_uop *op = r->op;
    unsigned uses = r->effect->template->uses;
    if (r->effect->form == FORM_SCALAR0)
        r->a =
            template_lines(r->effect->template, PA) == 2 ? scalar_read64(f, op->src[0]) : scalar_read32(f, op->src[0]);
    if (r->effect->form == FORM_SCALAR1)
        r->b =
            template_lines(r->effect->template, PB) == 2 ? scalar_read64(f, op->src[1]) : scalar_read32(f, op->src[1]);
    if (r->effect->below && op->src[0] & GCN_REF_CONST)
        r->a = C32(f, constant_at(f, op->src[0])[0]);
    if (uses >> AUX & 1)
        r->aux = C32(f, op->aux);
    if (uses >> AUX & 1 && r->effect->output) {
        LLVMValueRef mode = build_load(f, f->jit->i32, offsetof(struct gcn_wave, mode), 4);
        mode = LLVMBuildLShr(f->b, mode, C32(f, GCN_MODE_DX10_CLAMP), "");
        mode = LLVMBuildShl(f->b, LLVMBuildAnd(f->b, mode, C32(f, 1), ""), C32(f, 1), ""); /* MICRO_NAN_TO_ZERO */
        r->aux = LLVMBuildOr(f->b, mode, C32(f, op->aux != 0), "");
    }
    if (uses >> IN & 1) {
        int from = ref_scalar(op->aux >> 16);
        if (from >= 0 && f->pending[from] && f->pending[from] == f->pending[from + 1])
            r->in_record = f->pending[from] - 1;
        else
            r->in = scalar_read64(f, op->aux >> 16);
    }
}

bool segment_capture(struct builder *f, struct record *r)
{
    const struct gcn_uop *op = r->op;
    uint64_t keep = (uint64_t)(uint32_t)op->imm << 32 | UINT32_MAX, flip = (uint64_t)op->aux << 32;
    if (r->effect->kind == EFFECT_LDS)
        return memory_capture(f, r);
    if (!segment_takes(f, r->effect, op))
        return false;
    switch (r->effect->kind) {
    case EFFECT_SPLAT32:
        r->a = scalar_read32(f, op->src[0]);
        r->a = op->imm == -1 ? r->a : LLVMBuildAnd(f->b, r->a, C32(f, op->imm), "");
        r->a = op->aux ? hidden(f, LLVMBuildXor(f->b, r->a, C32(f, op->aux), "")) : r->a;
        break;
    case EFFECT_SPLAT64:
        r->a = scalar_read64(f, op->src[0]);
        r->a = keep == UINT64_MAX ? r->a : LLVMBuildAnd(f->b, r->a, C64(f, keep), "");
        r->a = flip ? LLVMBuildXor(f->b, r->a, C64(f, flip), "") : r->a;
        break;
    case EFFECT_MOD32:
    case EFFECT_MOD64:
    case EFFECT_SWAP: break;
    default: capture_template(f, r); break;
    }
    return true;
}

bool segment_record(struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    struct record r = {.effect = effect, .op = op, .in_record = -1, .pc = f->unit->pcs[f->at]};
    if (f->record_count >= RECORDS_MAX - 1)
        segment_flush(f);
    memory_order(f, effect);
    if (!segment_capture(f, &r))
        return false;
    if (!f->record_count)
        f->exec = scalar_read64(f, scalar_ref(GCN_S_EXEC));
    if (effect->kind == EFFECT_VECTOR)
        r.written = f->written;
    f->records[f->record_count++] = r;
    memory_note(f, &r);
    if (writes_mask(effect)) {
        int code = ref_scalar(mask_destination(effect, op));
        if (code >= 0)
            f->pending[code] = f->pending[code + 1] = (int)f->record_count;
        if (effect->kind == EFFECT_COMPARE_EXEC || code >= GCN_S_EXEC)
            segment_flush(f); /* a write of EXEC reads all registers */
    }
    return true;
}
