/* SPDX-License-Identifier: MIT */
/* Lowering of vector ALU instructions.
 * Input: a decoded instruction of VOP1, VOP2, VOPC, VOP3, VOP3P. Output: its principal micro-operation, with
 * those of micro.h around it for operand forms that its handler does not take. Invariant: sources that need
 * preparation are lines in w->temp[], and no instruction relies on what another one left there. */
#include "runtime/gcn/translate/micro_emit.h"

#include "runtime/gcn/exact.h"
#include "runtime/gcn/wave_run.h"

/* What is being built for one instruction. */
struct vector_build {
    struct micro_stream *t;
    const struct gcn_inst *inst;
    const struct gcn_op_info *info;
    gcn_handler *fn;
    uint32_t src[3];
    bool dpp; /* EXEC must be restored */
};

static uint32_t line_of(unsigned vgpr)
{
    return (uint32_t)(offsetof(struct gcn_wave, v) + (size_t)GCN_LINE * vgpr);
}

static uint32_t line_of_operand(const struct gcn_operand *operand)
{
    uint32_t line = (uint32_t)(offsetof(struct gcn_wave, a) + (size_t)GCN_LINE * operand->index);
    return operand->kind == GCN_AGPR ? line : line_of(operand->index);
}

static uint32_t new_temp(struct micro_stream *t, unsigned lines)
{
    uint32_t line = t->temp;
    t->temp += lines;
    return (uint32_t)(offsetof(struct gcn_wave, temp) + (size_t)GCN_LINE * line);
}

static unsigned lines_of(unsigned type)
{
    return gcn_type_info[type].registers;
}

static struct gcn_uop *micro(struct vector_build *v, enum gcn_micro id, uint32_t dst, uint32_t src0)
{
    return micro_emit(v->t, v->t->engine->micro[id], dst, src0);
}

/* Whether the operation takes this source as a single value, not as a line. */
static bool takes_scalar(const struct gcn_inst *inst, unsigned slot)
{
    return gcn_op_info[inst->op].src[slot] == GCN_T_MASK || inst->op == GCN_OP_v_writelane_b32 ||
           (inst->op == GCN_OP_v_readlane_b32 && slot == 1);
}

static bool is_constant(const struct gcn_operand *operand)
{
    return operand->kind == GCN_INLINE || operand->kind == GCN_LITERAL;
}

/* Modifiers of a source outside SDWA, DPP and packed forms, as masks for the dword with the sign. */
static void sign_masks(const struct vector_build *v, unsigned slot, uint32_t *keep, uint32_t *flip)
{
    bool small = gcn_type_info[v->info->src[slot]].bits == 16;
    uint32_t sign = small ? 0x8000 : 0x80000000;
    *keep = v->inst->abs >> slot & 1 ? ~sign : UINT32_MAX;
    *flip = v->inst->neg >> slot & 1 ? sign : 0;
}

/* The operand as a line, unmodified. */
static uint32_t raw_line(struct vector_build *v, unsigned slot)
{
    const struct gcn_operand *src = &v->inst->src[slot];
    unsigned lines = lines_of(v->info->src[slot]);
    if (src->kind == GCN_VGPR && v->t->indexing) {
        uint32_t temp = new_temp(v->t, lines);
        struct gcn_uop *op = micro(v, GCN_MICRO_INDEX_SRC, temp, 0);
        op->imm = src->index;
        op->aux = lines | 1u << (8 + slot);
        return temp;
    }
    if (src->kind == GCN_VGPR || src->kind == GCN_AGPR)
        return line_of_operand(src);
    if (is_constant(src))
        return micro_line_constant(v->t, v->inst->value[slot], lines);
    uint32_t temp = new_temp(v->t, lines);
    if (src->kind == GCN_SPECIAL && src->index == GCN_SRC_LDS_DIRECT) {
        micro(v, GCN_MICRO_LDS_DIRECT, temp, 0);
        return temp;
    }
    uint32_t scalar = micro_scalar(v->t, v->inst, slot);
    micro(v, lines == 2 ? GCN_MICRO_SPLAT64 : GCN_MICRO_SPLAT32, temp, scalar)->imm = -1;
    return temp;
}

static uint32_t micro_modifiers(const struct vector_build *v, unsigned slot)
{
    return (v->inst->abs >> slot & 1 ? MICRO_ABS : 0) | (v->inst->neg >> slot & 1 ? MICRO_NEG : 0) |
           (gcn_type_info[v->info->src[slot]].bits == 16 ? 0 : MICRO_SIGN32);
}

static uint32_t sdwa_source(struct vector_build *v, unsigned slot)
{
    unsigned select = v->inst->sdwa.src_sel[slot];
    bool sext = v->inst->sdwa.sext >> slot & 1;
    uint32_t line = raw_line(v, slot), modifiers = micro_modifiers(v, slot);
    if (select == GCN_SEL_DWORD && !(modifiers & (MICRO_ABS | MICRO_NEG)))
        return line;
    uint32_t temp = new_temp(v->t, 1);
    struct gcn_uop *op = micro(v, GCN_MICRO_SELECT, temp, line);
    op->imm = (int32_t)(select | (sext ? 8u : 0));
    op->aux = modifiers;
    return temp;
}

/* The lanes that the masks of rows, of 16 lanes, and of the banks of each row, of 4 lanes, enable. */
static uint64_t dpp_enabled(unsigned row_mask, unsigned bank_mask)
{
    uint64_t lanes = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        lanes |= (uint64_t)(row_mask >> (i >> 4) & bank_mask >> (i >> 2 & 3) & 1) << i;
    return lanes;
}

static uint32_t dpp_source(struct vector_build *v)
{
    unsigned lines = lines_of(v->info->src[0]);
    uint32_t line = raw_line(v, 0), temp = new_temp(v->t, lines);
    uint32_t from = micro_pattern_constant(v->t, v->inst->dpp.ctrl);
    uint32_t enabled = micro_scalar_constant(v->t, dpp_enabled(v->inst->dpp.row_mask, v->inst->dpp.bank_mask));
    struct gcn_uop *op = micro(v, GCN_MICRO_DPP, temp, line);
    op->src[1] = from;
    op->src[2] = enabled;
    op->imm = v->inst->dpp.ctrl;
    op->aux =
        (v->inst->dpp.bound_ctrl ? MICRO_BOUND : 0) | (micro_modifiers(v, 0) | (lines == 2 ? MICRO_WIDE : 0)) << 16;
    v->dpp = true;
    return temp;
}

static uint32_t plain_source(struct vector_build *v, unsigned slot)
{
    unsigned lines = lines_of(v->info->src[slot]);
    uint32_t keep, flip;
    sign_masks(v, slot, &keep, &flip);
    if ((v->info->flags & GCN_F_OPSEL) && (v->inst->op_sel >> slot & 1)) {
        uint32_t line = raw_line(v, slot), temp = new_temp(v->t, 1);
        struct gcn_uop *op = micro(v, GCN_MICRO_SELECT, temp, line);
        op->imm = GCN_SEL_WORD_1;
        op->aux = micro_modifiers(v, slot);
        return temp;
    }
    if (is_constant(&v->inst->src[slot])) {
        unsigned shift = lines == 2 ? 32 : 0;
        uint64_t value = v->inst->value[slot];
        uint64_t high = ((uint32_t)(value >> shift) & keep) ^ flip;
        return micro_line_constant(v->t, shift ? high << 32 | (uint32_t)value : high, lines);
    }
    uint32_t line = raw_line(v, slot);
    if (keep == UINT32_MAX && !flip)
        return line;
    uint32_t temp = new_temp(v->t, lines);
    struct gcn_uop *op = micro(v, lines == 2 ? GCN_MICRO_MOD64 : GCN_MICRO_MOD32, temp, line);
    op->imm = (int32_t)keep;
    op->aux = flip;
    return temp;
}

static bool is_pair(enum gcn_type type)
{
    return gcn_type_info[type].elements == 2;
}

static uint32_t packed_source(struct vector_build *v, unsigned slot)
{
    const struct gcn_inst *inst = v->inst;
    unsigned low = inst->op_sel >> slot & 1, high = inst->op_sel_hi >> slot & 1;
    unsigned neg_low = inst->neg >> slot & 1, neg_high = inst->neg_hi >> slot & 1;
    uint32_t line = raw_line(v, slot);
    if (v->info->src[slot] == GCN_T_MIX) {
        unsigned abs = inst->abs >> slot & 1;
        if (!high && !neg_low && !abs)
            return line;
        uint32_t mixed = new_temp(v->t, 1);
        struct gcn_uop *op = micro(v, high ? GCN_MICRO_MIX : GCN_MICRO_MOD32, mixed, line);
        op->imm = abs ? 0x7fffffff : -1;
        op->aux = neg_low ? 0x80000000 : 0;
        if (high)
            op->imm = (int32_t)((low ? MICRO_HIGH : 0u) | (abs ? MICRO_MIX_ABS : 0u) | (neg_low ? MICRO_MIX_NEG : 0u));
        return mixed;
    }
    if (v->info->src[slot] == GCN_T_V2B32) /* v_pk_mov_b32: the low dword of src0 and the high one of src1 are taken */
        high = low;
    bool is_float = gcn_type_info[v->info->src[slot]].kind == GCN_KIND_F;
    if (!is_pair(v->info->src[slot]))
        return is_float ? plain_source(v, slot) : raw_line(v, slot);
    if (!low && high && !(is_float && (neg_low || neg_high)))
        return line;
    unsigned lines = lines_of(v->info->src[slot]);
    uint32_t temp = new_temp(v->t, lines);
    micro(v, lines == 2 ? GCN_MICRO_PAIR : GCN_MICRO_PACKED, temp, line)->imm =
        (int32_t)((low ? MICRO_LO_HIGH : 0u) | (high ? MICRO_HI_HIGH : 0u) | (is_float && neg_low ? MICRO_LO_NEG : 0u) |
                  (is_float && neg_high ? MICRO_HI_NEG : 0u));
    return temp;
}

/* Whether a handler that broadcasts this source itself can be used. */
static bool is_bare_scalar(const struct vector_build *v, unsigned slot)
{
    const struct gcn_operand *src = &v->inst->src[slot];
    return (src->kind == GCN_SGPR || (src->kind == GCN_SPECIAL && src->index != GCN_SRC_LDS_DIRECT)) &&
           v->inst->variant == GCN_PLAIN && !(v->inst->abs >> slot & 1) && !(v->inst->neg >> slot & 1) &&
           !(v->inst->op_sel >> slot & 1) && v->inst->encoding != GCN_VOP3P;
}

static void micro_sources(struct vector_build *v)
{
    const struct gcn_engine *engine = v->t->engine;
    for (unsigned slot = 0; slot < 3; slot++) {
        if (v->info->src[slot] == GCN_T_NIL || takes_scalar(v->inst, slot))
            v->src[slot] = v->info->src[slot] == GCN_T_NIL ? 0 : micro_scalar(v->t, v->inst, slot);
        else if (v->inst->variant == GCN_SDWA && slot < 2)
            v->src[slot] = sdwa_source(v, slot);
        else if (v->inst->variant == GCN_DPP && slot == 0)
            v->src[slot] = dpp_source(v);
        else if (v->inst->encoding == GCN_VOP3P)
            v->src[slot] = packed_source(v, slot);
        else if (!v->t->exact && v->fn == engine->plain[v->inst->op] && slot < 2 && is_bare_scalar(v, slot) &&
                 (slot ? engine->scalar1 : engine->scalar0)[v->inst->op]) {
            v->fn = (slot ? engine->scalar1 : engine->scalar0)[v->inst->op];
            v->src[slot] = micro_scalar(v->t, v->inst, slot);
        } else
            v->src[slot] = plain_source(v, slot);
    }
}

/* Copies a lane mask that is a constant to the wave, so that its reference is short enough to fit beside another. */
static uint32_t mask_reference(struct vector_build *v, uint32_t ref)
{
    if (!(ref & GCN_REF_CONST))
        return ref;
    uint32_t place = (uint32_t)(offsetof(struct gcn_wave, special) + 16);
    micro(v, GCN_MICRO_SCALAR64, place, ref);
    return place;
}

/* The aux of operations with lane masks: the mask that is written, and the one that is read << 16. */
static uint32_t lane_masks(struct vector_build *v)
{
    uint32_t in = 0;
    for (unsigned slot = 0; slot < 3; slot++)
        if (v->info->src[slot] == GCN_T_MASK)
            in = mask_reference(v, v->src[slot]);
    if (v->inst->op == GCN_OP_v_div_fmas_f32 || v->inst->op == GCN_OP_v_div_fmas_f64)
        in = (uint32_t)(offsetof(struct gcn_wave, s) + 4 * GCN_S_VCC);
    return in << 16 | micro_scalar_dst(&v->inst->sdst);
}

/* Accounts for the exceptions of the operation, which is emitted next. */
static void micro_exceptions(struct vector_build *v, uint32_t line, uint32_t masks)
{
    if (!v->t->exact || !gcn_exact_knows(v->inst->op))
        return;
    struct gcn_uop *op = micro_emit(v->t, gcn_exact_account, line, v->src[0]);
    op->src[1] = v->src[1];
    op->src[2] = v->src[2];
    op->imm = v->inst->op;
    op->aux = (masks & 0xffff0000) | (v->inst->clamp ? GCN_EXACT_SIGNALS : 0);
}

static void micro_output(struct vector_build *v, uint32_t line)
{
    if (v->info->dst == GCN_T_V2F32) {
        for (uint32_t i = 0; i < 2; i++)
            micro(v, GCN_MICRO_CLAMP32, line + i * GCN_LINE, 0)->aux = v->inst->clamp;
        return;
    }
    static const enum gcn_micro by_registers[] = {GCN_MICRO_CLAMP32, GCN_MICRO_CLAMP32, GCN_MICRO_CLAMP64};
    const struct gcn_type_info *type = &gcn_type_info[v->info->dst];
    enum gcn_micro id = type->elements == 2 ? GCN_MICRO_CLAMPPK
                        : type->bits == 16  ? GCN_MICRO_CLAMP16
                                            : by_registers[type->registers];
    struct gcn_uop *op = micro(v, id, line, 0);
    op->imm = v->inst->omod;
    op->aux = v->inst->clamp;
}

static void micro_place(struct vector_build *v, uint32_t line, uint32_t from, unsigned select, unsigned unused)
{
    micro(v, GCN_MICRO_PLACE, line, from)->imm = (int32_t)(select | unused << 3);
}

/* If OP writes its result into the high half, the operation that writes it into the low half; otherwise OP. */
static unsigned mix_low(unsigned op)
{
    switch (op) {
    case GCN_OP_v_mad_mixhi_f16: return GCN_OP_v_mad_mixlo_f16;
    case GCN_OP_v_fma_mixhi_f16: return GCN_OP_v_fma_mixlo_f16;
    default: return op;
    }
}

static void micro_to_line(struct vector_build *v)
{
    const struct gcn_inst *inst = v->inst;
    bool is_float = gcn_type_info[v->info->dst].kind == GCN_KIND_F;
    bool output = is_float && (inst->clamp || inst->omod);
    bool sdwa = inst->variant == GCN_SDWA && inst->sdwa.dst_sel != GCN_SEL_DWORD;
    bool high = (v->info->flags & GCN_F_OPSEL) && (inst->op_sel & 8);
    bool mix_high = mix_low(inst->op) != inst->op && output;
    unsigned lines = lines_of(v->info->dst);
    uint32_t final = line_of_operand(&inst->dst), line = final;
    if (mix_high)
        v->fn = v->t->engine->plain[mix_low(inst->op)];
    if (sdwa || high || mix_high || v->t->indexing)
        line = new_temp(v->t, lines);
    if (v->t->indexing && (v->info->flags & GCN_F_DST_R)) {
        struct gcn_uop *op = micro(v, GCN_MICRO_INDEX_SRC, line, 0);
        op->imm = inst->dst.index;
        op->aux = lines | 8u << 8;
    }
    uint32_t masks = lane_masks(v);
    micro_exceptions(v, line, masks);
    struct gcn_uop *op = micro_emit(v->t, v->fn, line, v->src[0]);
    op->src[1] = v->src[1];
    op->src[2] = v->src[2];
    op->imm = inst->clamp;
    op->aux = masks;
    if (output)
        micro_output(v, line);
    if (sdwa)
        micro_place(v, final, line, inst->sdwa.dst_sel, inst->sdwa.dst_unused);
    else if (high || mix_high)
        micro_place(v, final, line, GCN_SEL_WORD_1, GCN_UNUSED_PRESERVE);
    else if (v->t->indexing) {
        op = micro(v, GCN_MICRO_INDEX_DST, line, line);
        op->imm = inst->dst.index;
        op->aux = lines;
    }
}

static void micro_to_scalar(struct vector_build *v)
{
    micro_exceptions(v, 0, 0);
    struct gcn_uop *op = micro_emit(v->t, v->fn, micro_scalar_dst(&v->inst->dst), v->src[0]);
    op->src[1] = v->src[1];
}

/* Chooses the form of the handler that does what CLAMP asks of an operation that is not floating-point. Compares ignore
 * it, and so do all results that lie within the range of their type anyway. */
static void choose_saturating(struct vector_build *v)
{
    const struct gcn_type_info *dst = &gcn_type_info[v->info->dst];
    bool saturates = v->inst->clamp && dst->kind != GCN_KIND_F && dst->kind != GCN_KIND_M;
    if (saturates && v->t->engine->saturating[v->inst->op])
        v->fn = v->t->engine->saturating[v->inst->op];
}

/* Whether a packed operation chooses halves of a source that has none, the effect of which is not published. */
static bool halves_a_whole(const struct gcn_inst *inst, unsigned slot)
{
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    bool chooses = inst->op_sel >> slot & 1 || !(inst->op_sel_hi >> slot & 1) || inst->neg_hi >> slot & 1;
    bool moves = gcn_op_info[inst->op].flags & (GCN_F_ACC_S | GCN_F_ACC_D);
    return inst->encoding == GCN_VOP3P && !moves && type != GCN_T_NIL && type != GCN_T_MIX && !is_pair(type) && chooses;
}

/* Whether a packed operation on dwords takes the high dword of a constant, of which nothing is published. */
static bool takes_high_of_constant(const struct gcn_inst *inst, unsigned slot)
{
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    bool low = inst->op_sel >> slot & 1, high = type == GCN_T_V2F32 && inst->op_sel_hi >> slot & 1;
    return is_constant(&inst->src[slot]) && (type == GCN_T_V2F32 || type == GCN_T_V2B32) && (low || high);
}

/* Whether the operation swaps with something that cannot hold a value for each lane. */
static bool swaps_with_scalar(const struct gcn_inst *inst)
{
    return inst->op == GCN_OP_v_swap_b32 && inst->src[0].kind != GCN_VGPR && inst->src[0].kind != GCN_AGPR;
}

/* Forms that the hardware or its assembler refuses, and that no handler is prepared for. */
static bool is_impossible(const struct micro_stream *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    for (unsigned slot = 0; slot < 3; slot++) {
        bool scalar =
            inst->src[slot].kind != GCN_VGPR && inst->src[slot].kind != GCN_AGPR && info->src[slot] != GCN_T_NIL;
        if (halves_a_whole(inst, slot) || takes_high_of_constant(inst, slot) ||
            (scalar && lines_of(info->src[slot]) > 2))
            return true;
    }
    if ((inst->abs || inst->neg) && inst->encoding != GCN_VOP3P && info->src[0] == GCN_T_V2F16)
        return true;
    return t->indexing && (inst->dst.kind == GCN_AGPR || inst->variant != GCN_PLAIN || (inst->op_sel & 8) ||
                           inst->op == GCN_OP_v_swap_b32);
}

/* Lowers a matrix operation. CBSZ and ABID must name blocks of A that exist; their meaning, and that of BLGP, is not
 * published for f64. C may be a constant, which is one line for all rows, or two. */
static void micro_matrix(struct vector_build *v)
{
    const struct gcn_inst *inst = v->inst;
    static const uint8_t blocks[] = {
#define MATRIX(name, form, size, depth, blocks) [GCN_OP_v_mfma_##name - GCN_OP_v_mfma_f32_32x32x1f32] = blocks,
#include "runtime/gcn/tables/matrix.def"
#undef MATRIX
    };
    bool wide = v->info->src[0] == GCN_T_F64, chooses = inst->matrix.cbsz || inst->matrix.abid || inst->matrix.blgp;
    unsigned most = blocks[inst->op - GCN_OP_v_mfma_f32_32x32x1f32], group = 1u << inst->matrix.cbsz;
    if (v->t->indexing || group > most || inst->matrix.abid >= group || (wide && chooses) || !v->fn) {
        micro_fault(v->t, GCN_FAULT_UNIMPLEMENTED);
        return;
    }
    bool constant = is_constant(&inst->src[2]);
    uint32_t a = line_of_operand(&inst->src[0]), b = line_of_operand(&inst->src[1]);
    uint32_t c = constant ? micro_line_constant(v->t, inst->value[2], wide ? 2 : 1) : line_of_operand(&inst->src[2]);
    struct gcn_uop *op = micro_emit(v->t, v->fn, line_of_operand(&inst->dst), a);
    op->src[1] = b;
    op->src[2] = c;
    op->imm = inst->matrix.cbsz | inst->matrix.abid << 3 | inst->matrix.blgp << 7;
    op->aux = (constant ? MATRIX_CONSTANT : 0) | (v->t->target->layout->unified ? MATRIX_FLUSH : 0);
}

void micro_vector(struct micro_stream *t, const struct gcn_inst *inst)
{
    struct vector_build v = {.t = t, .inst = inst, .info = &gcn_op_info[inst->op], .fn = t->engine->plain[inst->op]};
    if (v.info->flags & GCN_F_MATRIX) {
        micro_matrix(&v);
        return;
    }
    if (swaps_with_scalar(inst) || is_impossible(t, inst)) {
        micro_fault(t, swaps_with_scalar(inst) ? GCN_FAULT_ILLEGAL : GCN_FAULT_UNIMPLEMENTED);
        return;
    }
    choose_saturating(&v);
    micro_sources(&v);
    if (inst->dst.kind == GCN_VGPR || inst->dst.kind == GCN_AGPR)
        micro_to_line(&v);
    else
        micro_to_scalar(&v);
    if (v.dpp)
        micro(&v, GCN_MICRO_EXEC_RESTORE, 0, 0);
}
