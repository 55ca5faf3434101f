/* SPDX-License-Identifier: MIT */
/* Segments: recording vector operations, and emitting them as a loop over chunks of lanes.
 *
 * All lanes are computed; what is stored to registers is blended with EXEC once, at the end of a chunk. Masks are
 * and-ed with EXEC per chunk and collected over the loop. Lines of w->temp are stored only when the instruction that
 * made them is still being executed.
 * Input: vector operations whose operands are lines and scalars. Output: instructions at the builder.
 * Invariant: between segments all live registers are in memory. */
#include "runtime/gcn/jit/segment.h"

#include <string.h>

enum { TWO_VERSIONS_FROM = 8 };

/* Masks that the segment writes to scalar registers: the last record that writes each. */
struct outputs {
    unsigned record[MASKS_MAX], count;
};

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
    LLVMValueRef poison = LLVMGetPoison(jit->chunk);
    LLVMValueRef v = LLVMBuildInsertElement(f->b, poison, x, C64(f, 0), "");
    v = LLVMBuildShuffleVector(f->b, v, poison, LLVMConstNull(jit->chunk), "");
    if (s->splat_count < SPLATS) {
        s->splats[s->splat_count].scalar = x;
        s->splats[s->splat_count++].splat = v;
    }
    return v;
}

static LLVMValueRef splat_half(struct builder *f, struct jit_segment *s, LLVMValueRef x, unsigned half)
{
    if (LLVMTypeOf(x) == f->jit->i64) {
        x = half ? LLVMBuildLShr(f->b, x, C64(f, 32), "") : x;
        x = LLVMBuildTrunc(f->b, x, f->jit->i32, "");
    }
    return segment_splat(f, s, x);
}

LLVMValueRef segment_get(struct builder *f, struct jit_segment *s, uint32_t ref, unsigned half)
{
    if (ref & GCN_REF_CONST)
        return segment_splat(f, s, C32(f, constant_at(f, ref)[half * GCN_LANES]));
    int line = ref_line(ref) + (int)half;
    if (!s->value[line]) {
        s->value[line] = LLVMBuildLoad2(f->b, f->jit->chunk, build_at(f, s->base, line_offset(line)), "");
        LLVMSetAlignment(s->value[line], 4 * f->jit->lanes);
    }
    return s->value[line];
}

void segment_put(struct jit_segment *s, uint32_t ref, unsigned half, LLVMValueRef value)
{
    int line = ref_line(ref) + (int)half;
    s->value[line] = value;
    s->dirty[line] = true;
}

static LLVMValueRef mask_of_chunk(struct builder *f, const struct jit_segment *s, LLVMValueRef all)
{
    return LLVMBuildTrunc(f->b, LLVMBuildLShr(f->b, all, s->shift, ""), f->jit->mask, "");
}

static void emit_template(struct builder *f, struct jit_segment *s, const struct record *r, unsigned self)
{
    LLVMValueRef in[PARAMETERS] = {0}, out[PARAMETERS] = {0};
    unsigned uses = r->effect->template->uses;
    for (unsigned i = A0; i <= D1; i++) {
        if (!(uses >> i & 1))
            continue;
        unsigned slot = i / 2, half = i & 1;
        LLVMValueRef scalar = slot == 0 ? r->a : slot == 1 ? r->b : NULL;
        in[i] = scalar ? splat_half(f, s, scalar, half)
                       : segment_get(f, s, slot == 3 ? r->op->dst : r->op->src[slot], half);
    }
    if (uses >> IN & 1)
        in[IN] = r->in_record >= 0 ? s->masks[r->in_record] : mask_of_chunk(f, s, r->in);
    template_clone(f, r->effect->template, in, out);
    if (out[R0])
        segment_put(s, r->op->dst, 0, out[R0]);
    if (out[R1])
        segment_put(s, r->op->dst, 1, out[R1]);
    if (out[OUT])
        s->masks[self] = LLVMBuildAnd(f->b, build_as(f, out[OUT], f->jit->mask), s->exec, "");
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

static void emit_record(struct builder *f, struct jit_segment *s, unsigned self)
{
    const struct record *r = &f->records[self];
    const struct gcn_uop *op = r->op;
    unsigned wide = r->effect->kind == EFFECT_MOD64;
    LLVMValueRef v;
    switch (r->effect->kind) {
    case EFFECT_SPLAT64: segment_put(s, op->dst, 1, segment_splat(f, s, r->b)); /* fall through */
    case EFFECT_SPLAT32: segment_put(s, op->dst, 0, segment_splat(f, s, r->a)); break;
    case EFFECT_MOD32:
    case EFFECT_MOD64:
        v = build_as(f, segment_get(f, s, op->src[0], wide), f->jit->chunk);
        v = LLVMBuildAnd(f->b, v, segment_splat(f, s, C32(f, op->imm)), "");
        if (op->aux)
            v = hidden(f, LLVMBuildXor(f->b, v, segment_splat(f, s, C32(f, op->aux)), ""));
        if (wide)
            segment_put(s, op->dst, 0, segment_get(f, s, op->src[0], 0));
        segment_put(s, op->dst, wide, v);
        break;
    case EFFECT_LDS: memory_emit(f, s, r); break;
    default: emit_template(f, s, r, self); break;
    }
}

static void store_masked(struct builder *f, const struct jit_segment *s, LLVMValueRef value, LLVMValueRef place)
{
    static const char name[] = "llvm.masked.store.v16i32.p0";
    struct gcn_jit *jit = f->jit;
    unsigned align = 4 * jit->lanes;
    if (jit->lanes != 16) {
        LLVMValueRef old = LLVMBuildLoad2(f->b, jit->chunk, place, "");
        LLVMSetAlignment(old, align);
        LLVMSetAlignment(LLVMBuildStore(f->b, LLVMBuildSelect(f->b, s->full, value, old, ""), place), align);
        return;
    }
    LLVMTypeRef types[] = {jit->chunk, jit->pointer, jit->i32, jit->bits};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(jit->context), types, 4, 0);
    LLVMValueRef intrinsic = LLVMGetNamedFunction(f->module, name);
    if (!intrinsic)
        intrinsic = LLVMAddFunction(f->module, name, type);
    LLVMValueRef arguments[] = {value, place, C32(f, align), s->full};
    LLVMBuildCall2(f->b, type, intrinsic, arguments, 4, "");
}

static bool is_live(const struct builder *f, int line)
{
    /* lines that are read from the next micro-operation on, or by the instruction that is still being executed */
    return f->live[f->at][line / 64] >> (line % 64) & 1;
}

static void store_lines(struct builder *f, struct jit_segment *s)
{
    bool temps = f->records[f->record_count - 1].pc == f->unit->pcs[f->at];
    for (int line = 0; line < LINES; line++) {
        if (!s->dirty[line] || (line < GCN_VGPRS ? !is_live(f, line) : !temps))
            continue;
        LLVMValueRef value = build_as(f, s->value[line], f->jit->chunk);
        LLVMValueRef place = build_at(f, s->base, line_offset(line));
        if (line < GCN_VGPRS && s->full)
            store_masked(f, s, value, place);
        else
            LLVMSetAlignment(LLVMBuildStore(f->b, value, place), 4 * f->jit->lanes);
    }
}

static void find_outputs(const struct builder *f, struct outputs *outputs)
{
    int last[GCN_SGPRS + 2];
    memset(last, -1, sizeof last);
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        int code = writes_mask(r->effect) ? ref_scalar(mask_destination(r->effect, r->op)) : -1;
        if (code >= 0)
            last[code] = (int)i;
    }
    outputs->count = 0;
    for (unsigned code = 0; code < GCN_SGPRS; code++)
        if (last[code] >= 0)
            outputs->record[outputs->count++] = (unsigned)last[code];
}

/* Emits the loop from S->begin on; it ends at DONE. ALL: for EXEC of all ones. */
static void emit_loop(struct builder *f, struct jit_segment *s, const struct outputs *outputs, bool all,
                      LLVMBasicBlockRef done)
{
    struct gcn_jit *jit = f->jit;
    LLVMValueRef zero = C64(f, 0), sums[MASKS_MAX];
    LLVMPositionBuilderAtEnd(f->b, s->begin);
    s->body = build_block(f);
    LLVMBuildBr(f->b, s->body);
    LLVMPositionBuilderAtEnd(f->b, s->body);
    LLVMValueRef offset = LLVMBuildPhi(f->b, jit->i64, "");
    for (unsigned i = 0; i < outputs->count; i++)
        sums[i] = LLVMBuildPhi(f->b, jit->i64, "");
    s->base = LLVMBuildInBoundsGEP2(f->b, jit->i8, f->wave, &offset, 1, "");
    s->shift = LLVMBuildLShr(f->b, offset, C64(f, 2), "");
    s->exec = all ? LLVMConstAllOnes(jit->mask) : mask_of_chunk(f, s, f->exec);
    s->full = all ? NULL : LLVMBuildBitCast(f->b, s->exec, jit->bits, "");
    for (unsigned i = 0; i < f->record_count; i++)
        emit_record(f, s, i);
    store_lines(f, s);
    LLVMValueRef next = LLVMBuildAdd(f->b, offset, C64(f, 4 * jit->lanes), "");
    s->end = LLVMGetInsertBlock(f->b);
    LLVMAddIncoming(offset, &zero, &s->begin, 1);
    LLVMAddIncoming(offset, &next, &s->end, 1);
    for (unsigned i = 0; i < outputs->count; i++) {
        LLVMValueRef mask = LLVMBuildZExt(f->b, s->masks[outputs->record[i]], jit->i64, "");
        s->collected[i] = LLVMBuildOr(f->b, sums[i], LLVMBuildShl(f->b, mask, s->shift, ""), "");
        LLVMAddIncoming(sums[i], &zero, &s->begin, 1);
        LLVMAddIncoming(sums[i], &s->collected[i], &s->end, 1);
    }
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, C64(f, GCN_LINE), ""), done, s->body);
}

/* Puts the masks into their scalar registers; MANY is how many versions of the loop lead here. */
static void write_outputs(struct builder *f, struct jit_segment *segments, unsigned many, const struct outputs *outputs)
{
    LLVMValueRef values[MASKS_MAX];
    for (unsigned i = 0; i < outputs->count; i++) {
        values[i] = segments[0].collected[i];
        if (many == 1)
            continue;
        values[i] = LLVMBuildPhi(f->b, f->jit->i64, "");
        for (unsigned k = 0; k < many; k++)
            LLVMAddIncoming(values[i], &segments[k].collected[i], &segments[k].end, 1);
    }
    for (unsigned i = 0; i < outputs->count; i++) {
        const struct record *r = &f->records[outputs->record[i]];
        scalar_write(f, mask_destination(r->effect, r->op), values[i], 2, true);
        if (r->effect->kind == EFFECT_COMPARE_EXEC)
            scalar_write(f, (uint32_t)(offsetof(struct gcn_wave, s) + 4 * GCN_S_EXEC), values[i], 2, true);
    }
}

void segment_flush(struct builder *f)
{
    static _Thread_local struct jit_segment segments[2];
    struct outputs outputs;
    if (!f->record_count)
        return;
    /* without masked stores, longer segments gain by a second version of the loop for a full EXEC */
    unsigned many = f->jit->lanes < 16 && f->record_count >= TWO_VERSIONS_FROM ? 2 : 1;
    memset(segments, 0, sizeof segments);
    find_outputs(f, &outputs);
    segments[0].begin = LLVMGetInsertBlock(f->b);
    if (many == 2) {
        LLVMValueRef all = LLVMBuildICmp(f->b, LLVMIntEQ, f->exec, C64(f, UINT64_MAX), "");
        LLVMBasicBlockRef here = segments[0].begin;
        segments[0].begin = build_block(f);
        segments[1].begin = build_block(f);
        LLVMPositionBuilderAtEnd(f->b, here);
        LLVMBuildCondBr(f->b, all, segments[1].begin, segments[0].begin);
    }
    LLVMBasicBlockRef done = build_block(f);
    for (unsigned i = 0; i < many; i++)
        emit_loop(f, &segments[i], &outputs, i == 1, done);
    LLVMPositionBuilderAtEnd(f->b, done);
    memset(f->pending, 0, sizeof f->pending);
    write_outputs(f, segments, many, &outputs);
    f->lds_read = f->lds_written = false;
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

static LLVMValueRef modified(struct builder *f, LLVMValueRef x, const struct gcn_uop *op)
{
    x = op->imm == -1 ? x : LLVMBuildAnd(f->b, x, C32(f, op->imm), "");
    return op->aux ? hidden(f, LLVMBuildXor(f->b, x, C32(f, op->aux), "")) : x;
}

static bool capture_template(struct builder *f, struct record *r)
{
    const struct gcn_uop *op = r->op;
    unsigned uses = r->effect->template->uses;
    int code = writes_mask(r->effect) ? ref_scalar(mask_destination(r->effect, op)) : -1;
    if (code >= 0 && code & 1)
        return false; /* the pair would overlap others */
    for (unsigned slot = 0; slot < 3; slot++) {
        unsigned lines = uses >> (2 * slot + 1) & 1 ? 2 : uses >> (2 * slot) & 1;
        bool scalar = slot == 0 ? r->effect->form == FORM_SCALAR0 : slot == 1 && r->effect->form == FORM_SCALAR1;
        if (lines && !scalar && !segment_is_line(f, op->src[slot], lines))
            return false;
    }
    unsigned lines = uses >> R1 & 1 ? 2 : uses >> R0 & 1;
    if (lines && (op->dst & GCN_REF_CONST || !segment_is_line(f, op->dst, lines)))
        return false;
    if (r->effect->form == FORM_SCALAR0)
        r->a = uses >> A1 & 1 ? scalar_read64(f, op->src[0]) : scalar_read32(f, op->src[0]);
    if (r->effect->form == FORM_SCALAR1)
        r->b = uses >> B1 & 1 ? scalar_read64(f, op->src[1]) : scalar_read32(f, op->src[1]);
    if (uses >> IN & 1) {
        int from = ref_scalar(op->aux >> 16);
        if (from >= 0 && f->pending[from] && f->pending[from] == f->pending[from + 1])
            r->in_record = f->pending[from] - 1;
        else
            r->in = scalar_read64(f, op->aux >> 16);
    }
    return true;
}

/* Captures the values of the operands in R. Reading a scalar may emit the segment recorded so far. */
static bool capture(struct builder *f, struct record *r)
{
    LLVMValueRef x;
    const struct gcn_uop *op = r->op;
    switch (r->effect->kind) {
    case EFFECT_SPLAT32: r->a = modified(f, scalar_read32(f, op->src[0]), op); return segment_is_line(f, op->dst, 1);
    case EFFECT_SPLAT64:
        x = scalar_read64(f, op->src[0]);
        r->a = LLVMBuildTrunc(f->b, x, f->jit->i32, "");
        r->b = modified(f, LLVMBuildTrunc(f->b, LLVMBuildLShr(f->b, x, C64(f, 32), ""), f->jit->i32, ""), op);
        return segment_is_line(f, op->dst, 2);
    case EFFECT_MOD32: return segment_is_line(f, op->src[0], 1) && segment_is_line(f, op->dst, 1);
    case EFFECT_MOD64: return segment_is_line(f, op->src[0], 2) && segment_is_line(f, op->dst, 2);
    case EFFECT_LDS: return memory_capture(f, r);
    default: return capture_template(f, r);
    }
}

bool segment_record(struct builder *f, const struct effect *effect, const struct gcn_uop *op)
{
    struct record r = {.effect = effect, .op = op, .in_record = -1, .pc = f->unit->pcs[f->at]};
    if (f->record_count >= RECORDS_MAX - 1)
        segment_flush(f);
    memory_order(f, effect);
    if (!capture(f, &r))
        return false;
    if (!f->record_count)
        f->exec = scalar_read64(f, (uint32_t)(offsetof(struct gcn_wave, s) + 4 * GCN_S_EXEC));
    f->records[f->record_count++] = r;
    memory_note(f, effect);
    if (writes_mask(effect)) {
        int code = ref_scalar(mask_destination(effect, op));
        if (code >= 0)
            f->pending[code] = f->pending[code + 1] = (int)f->record_count;
        if (effect->kind == EFFECT_COMPARE_EXEC || code >= GCN_S_EXEC)
            segment_flush(f); /* a write of EXEC reads all registers */
    }
    return true;
}
