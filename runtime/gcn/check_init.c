/* SPDX-License-Identifier: MIT */
/* The checker of initialisation: follows bits that were never written through the registers of a wave, and reports
 * those that decide where it goes on, which memory it accesses, or what others get to see. Input: a wave about to
 * execute an instruction, and the plan of that instruction. Output: the wave's shadow; findings. Invariant: nothing
 * that the kernel sees changes; copying a value is no use of it. */
#include "runtime/gcn/check_init.h"

#include "runtime/gcn/dpp.h"
#include "runtime/gcn/exec_lds.h"

#include <string.h>

/* ---- origins and reports ---- */

static uint64_t pc_of(const struct init_step *s)
{
    return gcn_unit_pc(s->w->unit, s->op);
}

static uint32_t origin_of(const struct init_step *s, const struct gcn_origin *origin)
{
    enum { ORIGINS_MAX = 4096 };
    struct gcn_check *check = s->check;
    pthread_mutex_lock(&check->lock);
    size_t i = 0;
    while (i < check->origins.count &&
           (check->origins.items[i].pc != origin->pc || check->origins.items[i].kind != origin->kind ||
            (origin->kind != GCN_ORIGIN_MEMORY && check->origins.items[i].number != origin->number)))
        i++;
    bool known = i < check->origins.count || (i < ORIGINS_MAX && vec_push(&check->origins, *origin));
    pthread_mutex_unlock(&check->lock);
    return known ? (uint32_t)i + 1 : 0;
}

static uint32_t register_origin(const struct init_step *s, enum gcn_origin_kind kind, uint64_t number)
{
    const struct gcn_origin origin = {.kind = kind, .number = number, .pc = pc_of(s)};
    return origin_of(s, &origin);
}

uint32_t init_memory_origin(const struct init_step *s, uint8_t segment, uint64_t address)
{
    const struct gcn_origin origin = {GCN_ORIGIN_MEMORY, segment, address, pc_of(s)};
    return origin_of(s, &origin);
}

uint32_t init_line_origin(const struct init_step *s, unsigned r)
{
    uint32_t *origin = &s->shadow->line_origin[r];
    if (!*origin)
        *origin = register_origin(s, GCN_ORIGIN_VECTOR, r);
    return *origin;
}

uint32_t init_scalar_origin(const struct init_step *s, unsigned r)
{
    uint32_t *origin = &s->shadow->scalar_origin[r];
    if (!*origin)
        *origin = register_origin(s, GCN_ORIGIN_SCALAR, r);
    return *origin;
}

/* The origin of the first register of SPAN with undefined bits. */
uint32_t init_span_origin(const struct init_step *s, const struct init_span *span)
{
    for (unsigned r = span->first; r < span->first + (unsigned)span->count; r++) {
        if (span->scalar && s->shadow->scalar[r])
            return init_scalar_origin(s, r);
        if (!span->scalar && s->shadow->state[r])
            return init_line_origin(s, r);
    }
    return 0;
}

static uint32_t origin_of_sources(const struct init_step *s)
{
    uint32_t origin = 0;
    for (unsigned i = 0; !origin && i < INIT_SOURCES; i++)
        origin = init_span_origin(s, &s->plan->src[i]);
    return origin ? origin : s->shadow->scc ? s->shadow->scc_origin : 0;
}

void init_report(const struct init_step *s, enum gcn_finding_kind kind, uint64_t lanes, uint32_t origin,
                 const struct gcn_access *access)
{
    int lane = lanes ? __builtin_ctzll(lanes) : -1;
    struct gcn_finding found = {.kind = kind, .by = gcn_check_party(s->w, pc_of(s), lane)};
    if (access && lane >= 0) {
        found.segment = access->segment[lane];
        found.address = access->address[0][lane];
        found.bytes = access->bytes;
        found.writes = access->writes;
        found.atomic = access->atomic;
    }
    pthread_mutex_lock(&s->check->lock);
    if (origin)
        found.origin = s->check->origins.items[origin - 1];
    pthread_mutex_unlock(&s->check->lock);
    gcn_check_add(s->check, &found, lanes ? (uint64_t)__builtin_popcountll(lanes) : 1);
}

/* ---- operands ---- */

static bool sources_are_written(const struct init_step *s)
{
    bool written = true;
    for (unsigned i = 0; i < INIT_SOURCES; i++)
        written &= shadow_is_written(s->shadow, &s->plan->src[i]);
    return written;
}

/* A scalar operand, with its shadow. */
static struct shadowed scalar_operand(const struct init_step *s, unsigned slot)
{
    const struct gcn_operand *operand = &s->plan->inst.src[slot];
    const struct init_span *span = &s->plan->src[slot];
    bool wide = gcn_type_info[gcn_op_info[s->plan->inst.op].src[slot]].bits == 64;
    const uint32_t *values = s->w->s, *shadows = s->shadow->scalar;
    switch (operand->kind) {
    case GCN_SGPR:
        if (!span->count)
            break;
        return (struct shadowed){values[span->first] | (wide ? (uint64_t)values[span->first + 1] << 32 : 0),
                                 shadows[span->first] | (wide ? (uint64_t)shadows[span->first + 1] << 32 : 0)};
    case GCN_SPECIAL:
        if (operand->index == GCN_SRC_SCC)
            return (struct shadowed){s->w->scc, s->shadow->scc ? 1 : 0};
        break;
    case GCN_INLINE:
    case GCN_LITERAL: return (struct shadowed){s->plan->inst.value[slot], 0};
    default: break;
    }
    return (struct shadowed){0, 0};
}

static uint64_t mask_bits(const uint32_t *scalars, unsigned code)
{
    return scalars[code] | (uint64_t)scalars[code + 1] << 32;
}

/* SDWA's choice of a part of X. */
static uint64_t selected(uint64_t x, unsigned select, bool sign)
{
    unsigned bits = select == GCN_SEL_DWORD ? 32 : select >= GCN_SEL_WORD_0 ? 16 : 8;
    unsigned at = select == GCN_SEL_DWORD ? 0 : select >= GCN_SEL_WORD_0 ? 16 * (select - GCN_SEL_WORD_0) : 8 * select;
    uint32_t part = (uint32_t)(x >> at) << (32 - bits);
    return sign ? (uint32_t)((int32_t)part >> (32 - bits)) : part >> (32 - bits);
}

static uint64_t narrowed(const struct gcn_inst *inst, unsigned slot, enum gcn_type type, uint64_t x)
{
    if (inst->variant == GCN_SDWA && slot < 2)
        x = selected(x, inst->sdwa.src_sel[slot], inst->sdwa.sext >> slot & 1);
    else if (gcn_type_info[type].bits == 16 && gcn_op_info[inst->op].flags & GCN_F_OPSEL && inst->op_sel >> slot & 1)
        x >>= 16;
    return gcn_type_info[type].bits == 16 ? x & 0xffff : x;
}

/* What LANE gets as operand SLOT of a vector operation. */
static struct shadowed lane_operand(const struct init_step *s, unsigned slot, unsigned lane)
{
    const struct gcn_inst *inst = &s->plan->inst;
    enum gcn_type type = gcn_op_info[inst->op].src[slot];
    const struct init_span *span = &s->plan->src[slot];
    struct shadowed x = {0, 0};
    if (type == GCN_T_NIL)
        return x;
    if (type == GCN_T_MASK) {
        if (!span->count)
            return x;
        return (struct shadowed){
            mask_bits(s->w->s, span->first) >> lane & 1, mask_bits(s->shadow->scalar, span->first) >> lane & 1};
    }
    if (span->count && !span->scalar) {
        const uint32_t(*lines)[GCN_LANES] =
            span->first >= INIT_ACCUMULATION ? &s->w->a[span->first - INIT_ACCUMULATION] : &s->w->v[span->first];
        x.value = lines[0][lane];
        x.shadow = shadow_look(s->shadow, span->first)[lane];
        if (span->count >= 2) {
            x.value |= (uint64_t)lines[1][lane] << 32;
            x.shadow |= (uint64_t)shadow_look(s->shadow, span->first + 1u)[lane] << 32;
        }
        for (unsigned i = 2; i < span->count; i++)
            x.shadow |= shadow_look(s->shadow, span->first + i)[lane] ? UINT64_MAX : 0;
    } else {
        x = scalar_operand(s, slot);
    }
    x.value = narrowed(inst, slot, type, x.value);
    x.shadow = narrowed(inst, slot, type, x.shadow);
    return x;
}

/* ---- vector operations ---- */

static bool is_packed(const struct gcn_inst *inst)
{
    return gcn_type_info[gcn_op_info[inst->op].dst].elements == 2 && inst->encoding == GCN_VOP3P;
}

/* Packed operations: halves by themselves. */
static uint64_t packed_shadow(const struct gcn_inst *inst, const struct shadowed o[3])
{
    uint64_t result = 0;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < 3; i++) {
            unsigned high = (half ? inst->op_sel_hi : inst->op_sel) >> i & 1;
            if (o[i].shadow >> (high ? 16 : 0) & 0xffff)
                result |= UINT64_C(0xffff) << 16 * half;
        }
    return result;
}

/* v_mad_mix: the half that op_sel names, if op_sel_hi says so. */
static uint64_t mixed_shadow(const struct gcn_inst *inst, const struct shadowed o[3])
{
    uint64_t found = 0;
    for (unsigned i = 0; i < 3; i++)
        found |= !(inst->op_sel_hi >> i & 1) ? o[i].shadow : o[i].shadow >> (inst->op_sel >> i & 1 ? 16 : 0) & 0xffff;
    return found ? UINT64_MAX : 0;
}

static struct shadow_result lane_result(const struct init_step *s, const struct shadowed operands[3], unsigned lane)
{
    const struct gcn_inst *inst = &s->plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct shadowed o[3] = {operands[0], operands[1], operands[2]}, carry = {0, 0};
    unsigned bits = gcn_type_info[info->dst == GCN_T_MASK ? info->src[0] : info->dst].bits;
    if (is_packed(inst))
        return (struct shadow_result){packed_shadow(inst, o), false};
    if (info->src[0] == GCN_T_MIX)
        return (struct shadow_result){mixed_shadow(inst, o), false};
    if (info->src[2] == GCN_T_MASK && s->plan->rule != SHADOW_SELECT) {
        carry = o[2];
        o[2] = (struct shadowed){0, 0};
    }
    if (s->plan->rule == SHADOW_MBCNT) {
        unsigned below = inst->op == GCN_OP_v_mbcnt_lo_u32_b32 ? (lane < 32 ? lane : 32) : lane < 32 ? 0 : lane - 32;
        o[0].shadow &= (UINT64_C(1) << below) - 1;
    }
    return shadow_by_rule((enum shadow_rule)s->plan->rule, bits ? bits : 32, o, carry);
}

/* Puts the shadow X of a result into the bits OLD of its register. */
static uint32_t placed(const struct gcn_inst *inst, uint32_t x, uint32_t old, bool keeps)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool half = gcn_type_info[info->dst].bits == 16;
    if (inst->variant == GCN_SDWA) {
        unsigned select = inst->sdwa.dst_sel;
        unsigned bits = select == GCN_SEL_DWORD ? 32 : select >= GCN_SEL_WORD_0 ? 16 : 8;
        unsigned at = bits == 32 ? 0 : bits == 16 ? 16 * (select - GCN_SEL_WORD_0) : 8 * select;
        uint32_t field = (bits == 32 ? UINT32_MAX : (1u << bits) - 1) << at, put = x << at & field;
        if (inst->sdwa.dst_unused == GCN_UNUSED_SEXT && put >> (at + bits - 1) & 1 && at + bits < 32)
            put |= UINT32_MAX << (at + bits);
        return put | (keeps ? old & ~field : 0);
    }
    if (!half)
        return x;
    bool high = (inst->op_sel & 8 && info->flags & GCN_F_OPSEL) || inst->op == GCN_OP_v_mad_mixhi_f16 ||
                inst->op == GCN_OP_v_fma_mixhi_f16;
    return high ? (x & 0xffff) << 16 | (old & 0xffff) : (x & 0xffff) | (keeps ? old & 0xffff0000 : 0);
}

static void put_line(const struct init_step *s, unsigned r, unsigned lane, uint32_t bits)
{
    shadow_change(s->shadow, r)[lane] = bits;
}

/* The lanes of S that an operation writes, and where LANE's first operand comes from; -1: it is zero. */
static int source_lane(const struct init_step *s, unsigned lane, bool *written)
{
    const struct gcn_inst *inst = &s->plan->inst;
    *written = true;
    if (inst->variant != GCN_DPP)
        return (int)lane;
    int from = gcn_dpp_lane(inst->dpp.ctrl, (int)lane);
    bool valid = from >= 0 && s->exec >> (from & 63) & 1;
    bool enabled = inst->dpp.row_mask >> (lane >> 4) & 1 && inst->dpp.bank_mask >> (lane >> 2 & 3) & 1;
    *written = enabled && (valid || inst->dpp.bound_ctrl);
    return valid ? from : -1;
}

struct vector_results {
    uint64_t lanes; /* that are written */
    uint64_t mask;  /* lanes whose bit of a mask is undefined */
    uint64_t undefined;
    uint64_t shadow[GCN_LANES];
};

static void compute(const struct init_step *s, struct vector_results *r)
{
    *r = (struct vector_results){0};
    bool compares = gcn_op_info[s->plan->inst.op].dst == GCN_T_MASK;
    for (uint64_t left = s->exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        bool written;
        int from = source_lane(s, lane, &written);
        if (!written)
            continue;
        struct shadowed o[3] = {{0, 0}, lane_operand(s, 1, lane), lane_operand(s, 2, lane)};
        if (from >= 0)
            o[0] = lane_operand(s, 0, (unsigned)from);
        if (s->plan->src[4].count && shadow_look(s->shadow, s->plan->src[4].first)[lane])
            o[2].shadow = UINT64_MAX; /* an accumulator */
        struct shadow_result result = lane_result(s, o, lane);
        r->shadow[lane] = result.shadow;
        r->lanes |= UINT64_C(1) << lane;
        r->undefined |= (uint64_t)(result.shadow != 0) << lane;
        r->mask |= (uint64_t)(compares ? result.shadow != 0 : result.carry) << lane;
    }
}

static void put_mask(const struct init_step *s, const struct init_span *span, uint64_t mask, uint32_t origin)
{
    uint32_t parts[2] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
    for (unsigned i = 0; i < span->count && i < 2; i++) {
        s->shadow->scalar[span->first + i] = parts[i];
        s->shadow->scalar_origin[span->first + i] = parts[i] ? origin : 0;
    }
}

static void put_results(const struct init_step *s, const struct vector_results *r, uint32_t origin)
{
    const struct init_span *dst = &s->plan->dst;
    if (!r->undefined && !s->plan->keeps) {
        shadow_write(s->shadow, dst, r->lanes);
        return;
    }
    for (unsigned i = 0; i < dst->count; i++) {
        unsigned at = dst->first + i;
        for (uint64_t left = r->lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            uint32_t bits = i < 2 ? (uint32_t)(r->shadow[lane] >> 32 * i) : r->shadow[lane] ? UINT32_MAX : 0;
            put_line(s, at, lane,
                     dst->count == 1 ? placed(&s->plan->inst, bits, shadow_look(s->shadow, at)[lane], s->plan->keeps)
                                     : bits);
        }
        if (r->lanes)
            shadow_settle(s->shadow, at);
        if (r->undefined)
            s->shadow->line_origin[at] = origin;
    }
}

static void use_exec(const struct init_step *s, uint64_t undefined, uint32_t origin)
{
    if (undefined & s->shadow->lanes)
        init_report(s, GCN_FINDING_INIT_BRANCH, undefined & s->shadow->lanes, origin, NULL);
    s->shadow->scalar[GCN_EXEC_LO] = s->shadow->scalar[GCN_EXEC_HI] = 0;
}

static void step_vector(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    struct gcn_shadow *shadow = s->shadow;
    bool keeps = plan->keeps && !shadow_is_written(shadow, &plan->dst), dpp = plan->inst.variant == GCN_DPP;
    if (sources_are_written(s) && !(shadow->scc && plan->inst.src[0].index == GCN_SRC_SCC) && !keeps &&
        !(dpp && !shadow_is_written(shadow, &plan->dst))) {
        shadow_write(shadow, &plan->dst, s->exec);
        shadow_write(shadow, &plan->sdst, s->exec);
        return;
    }
    struct vector_results results;
    compute(s, &results);
    uint32_t origin = results.undefined | results.mask ? origin_of_sources(s) : 0;
    if (info->dst == GCN_T_MASK)
        put_mask(s, &plan->dst, results.mask, origin);
    else
        put_results(s, &results, origin);
    put_mask(s, &plan->sdst, results.mask, origin);
    if (info->dst == GCN_T_MASK && (info->flags & GCN_F_EXEC_W))
        use_exec(s, results.mask, origin);
    else if (plan->dst.scalar && plan->dst.count && plan->dst.first >= GCN_EXEC_LO)
        use_exec(s, results.mask, origin);
}

/* ---- between lanes ---- */

static unsigned lane_number(const struct init_step *s)
{
    return (unsigned)scalar_operand(s, 1).value % GCN_LANES;
}

static void read_lane(const struct init_step *s, unsigned lane)
{
    const struct init_span *src = &s->plan->src[0], *dst = &s->plan->dst;
    uint32_t bits = src->count && !src->scalar ? shadow_look(s->shadow, src->first)[lane] : 0;
    if (!dst->count)
        return;
    s->shadow->scalar[dst->first] = bits;
    s->shadow->scalar_origin[dst->first] = bits ? init_line_origin(s, src->first) : 0;
    if (dst->first >= GCN_EXEC_LO)
        use_exec(s, bits, bits ? init_line_origin(s, src->first) : 0);
}

static void write_lane(const struct init_step *s)
{
    const struct init_span *dst = &s->plan->dst;
    uint32_t bits = (uint32_t)scalar_operand(s, 0).shadow;
    if (!bits && s->shadow->state[dst->first] == SHADOW_WRITTEN)
        return;
    put_line(s, dst->first, lane_number(s), bits);
    if (bits)
        s->shadow->line_origin[dst->first] = init_scalar_origin(s, s->plan->src[0].first);
    shadow_settle(s->shadow, dst->first);
}

/* ds_permute and the like: LANES says from which lane each lane gets its value, -1 for none. */
static void move_lanes(const struct init_step *s, const struct init_span *src, const int8_t *lanes)
{
    const struct init_span *dst = &s->plan->dst;
    uint32_t bits[GCN_LANES], found = 0;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        bits[i] = lanes[i] >= 0 ? shadow_look(s->shadow, src->first)[lanes[i]] : 0;
        found |= s->exec >> i & 1 ? bits[i] : 0;
    }
    if (!found) {
        shadow_write(s->shadow, dst, s->exec);
        return;
    }
    uint32_t origin = init_line_origin(s, src->first), *line = shadow_change(s->shadow, dst->first);
    for (unsigned i = 0; i < GCN_LANES; i++)
        line[i] = s->exec >> i & 1 ? bits[i] : line[i];
    s->shadow->line_origin[dst->first] = origin;
}

static void permute(const struct init_step *s)
{
    const struct gcn_inst *inst = &s->plan->inst;
    bool swizzle = inst->op == GCN_OP_ds_swizzle_b32;
    const struct init_span *data = &s->plan->src[swizzle ? 0 : 1];
    int8_t from[GCN_LANES];
    if (!swizzle) {
        uint64_t undefined = shadow_lanes(s->shadow, &s->plan->src[0], s->exec);
        if (undefined)
            init_report(s, GCN_FINDING_INIT_ADDRESS, undefined, init_span_origin(s, &s->plan->src[0]), NULL);
    }
    const uint32_t *address = s->w->v[s->plan->src[0].first];
    for (unsigned i = 0; i < GCN_LANES; i++)
        from[i] = -1;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        unsigned other = swizzle ? gcn_swizzle(i, (uint32_t)inst->mem.offset)
                                 : (address[i] + (uint32_t)inst->mem.offset) / 4 % GCN_LANES;
        bool forward = inst->op == GCN_OP_ds_permute_b32;
        if (s->exec >> (forward ? i : other) & 1)
            from[forward ? other : i] = (int8_t)(forward ? i : other);
    }
    move_lanes(s, data, from);
}

static void swap(const struct init_step *s)
{
    const struct init_span *a = &s->plan->dst, *b = &s->plan->src[0];
    if (shadow_is_written(s->shadow, a) && shadow_is_written(s->shadow, b))
        return;
    uint32_t origin = s->shadow->line_origin[a->first];
    uint32_t *x = shadow_change(s->shadow, a->first), *y = shadow_change(s->shadow, b->first);
    for (uint64_t left = s->exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t bits = x[lane];
        x[lane] = y[lane];
        y[lane] = bits;
    }
    s->shadow->line_origin[a->first] = s->shadow->line_origin[b->first];
    s->shadow->line_origin[b->first] = origin;
    shadow_settle(s->shadow, a->first);
    shadow_settle(s->shadow, b->first);
}

static void step_lane(const struct init_step *s)
{
    switch (s->plan->inst.op) {
    case GCN_OP_v_readlane_b32: read_lane(s, lane_number(s)); break;
    case GCN_OP_v_readfirstlane_b32: read_lane(s, s->exec ? (unsigned)__builtin_ctzll(s->exec) : 0); break;
    case GCN_OP_v_writelane_b32: write_lane(s); break;
    case GCN_OP_v_swap_b32: swap(s); break;
    default: permute(s); break;
    }
}

/* ---- scalar operations ---- */

/* Whether SCC, which tells that the result is not zero, is undefined although not all bits of the result are. */
static bool is_nonzero_unknown(const struct init_step *s, const struct shadowed o[3], uint64_t shadow)
{
    uint64_t value;
    switch (s->plan->rule) {
    case SHADOW_AND: value = o[0].value & o[1].value; break;
    case SHADOW_OR: value = o[0].value | o[1].value; break;
    case SHADOW_ANDN2: value = o[0].value & ~o[1].value; break;
    case SHADOW_XOR: value = o[0].value ^ o[1].value; break;
    case SHADOW_COPY: value = ~o[0].value; break;
    default: value = 0; break;
    }
    return shadow && !(value & ~shadow);
}

static bool scc_is_unknown(const struct init_step *s, const struct shadowed o[3], const struct shadow_result *result)
{
    const struct gcn_op_info *info = &gcn_op_info[s->plan->inst.op];
    enum shadow_rule rule = (enum shadow_rule)s->plan->rule;
    if (info->dst == GCN_T_NIL)
        return result->shadow;
    if (rule == SHADOW_ADD || rule == SHADOW_SUB)
        return gcn_type_info[info->dst].kind == GCN_KIND_I ? result->shadow : result->carry;
    return is_nonzero_unknown(s, o, result->shadow);
}

/* The operands of a scalar operation, as its rule wants them. */
static void scalar_operands(const struct init_step *s, struct shadowed o[3], struct shadowed *carry)
{
    const struct gcn_inst *inst = &s->plan->inst;
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct shadowed scc = {s->w->scc, s->shadow->scc ? 1 : 0}, old = {0, 0};
    bool immediate = inst->encoding == GCN_SOPK;
    for (unsigned i = 0; i < 2; i++)
        o[i] = scalar_operand(s, i);
    o[2] = *carry = (struct shadowed){0, 0};
    if (s->plan->src[4].count) {
        bool wide = s->plan->src[4].count >= 2;
        unsigned at = s->plan->src[4].first;
        old.value = s->w->s[at] | (wide ? (uint64_t)s->w->s[at + 1] << 32 : 0);
        old.shadow = s->shadow->scalar[at] | (wide ? (uint64_t)s->shadow->scalar[at + 1] << 32 : 0);
    }
    if (immediate) {
        o[1] = (struct shadowed){(uint32_t)inst->imm, 0};
        o[0] = s->plan->src[4].count ? old : o[0];
    }
    if (s->plan->reads_exec)
        o[1] = (struct shadowed){gcn_exec(s->w), 0};
    if (s->plan->rule == SHADOW_SELECT) { /* b where the bit is set */
        struct shadowed yes = immediate ? o[1] : o[0], no = s->plan->src[4].count ? old : o[1];
        o[0] = no;
        o[1] = yes;
        o[2] = scc;
    } else if (info->flags & GCN_F_SCC_R) {
        *carry = scc;
    } else if (s->plan->src[4].count && !immediate) {
        o[2] = old;
    }
}

static void step_scalar(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    const struct gcn_op_info *info = &gcn_op_info[plan->inst.op];
    struct gcn_shadow *shadow = s->shadow;
    bool reads_scc = info->flags & GCN_F_SCC_R || plan->inst.src[0].index == GCN_SRC_SCC;
    if (sources_are_written(s) && !(reads_scc && shadow->scc)) {
        shadow_write(shadow, &plan->dst, 0);
        if (info->flags & GCN_F_SCC_W)
            shadow->scc = 0;
        return;
    }
    struct shadowed o[3], carry;
    unsigned bits = gcn_type_info[info->dst == GCN_T_NIL ? info->src[0] : info->dst].bits;
    scalar_operands(s, o, &carry);
    struct shadow_result result = shadow_by_rule((enum shadow_rule)plan->rule, bits ? bits : 32, o, carry);
    bool unknown = info->flags & GCN_F_SCC_W && scc_is_unknown(s, o, &result);
    uint32_t origin = result.shadow || unknown ? origin_of_sources(s) : 0;
    bool changes_exec = info->flags & GCN_F_EXEC_W || (plan->dst.count && plan->dst.first >= GCN_EXEC_LO);
    if (plan->reads_exec && !(strstr(info->name, "wrexec")))
        shadow_write(shadow, &plan->dst, 0); /* gets the old EXEC */
    else
        put_mask(s, &plan->dst, result.shadow, origin);
    for (unsigned i = 2; i < plan->dst.count; i++)
        shadow->scalar[plan->dst.first + i] = 0;
    if (info->flags & GCN_F_SCC_W) {
        shadow->scc = unknown ? UINT32_MAX : 0;
        shadow->scc_origin = unknown ? origin : 0;
    }
    if (changes_exec)
        use_exec(s, plan->dst.count == 1 && plan->dst.first == GCN_EXEC_HI ? result.shadow << 32 : result.shadow,
                 origin);
}

static void step_branch(const struct init_step *s)
{
    const struct init_plan *plan = s->plan;
    struct gcn_shadow *shadow = s->shadow;
    if (gcn_op_info[plan->inst.op].flags & GCN_F_SCC_R) {
        if (shadow->scc)
            init_report(s, GCN_FINDING_INIT_BRANCH, 0,
                        shadow->scc_origin ? shadow->scc_origin : register_origin(s, GCN_ORIGIN_SCC, 0), NULL);
        shadow->scc = 0;
        return;
    }
    if (!shadow_is_written(shadow, &plan->src[0]) && plan->src[0].count == 2) {
        uint64_t undefined = mask_bits(shadow->scalar, plan->src[0].first);
        bool decided = plan->src[0].first == GCN_VCC_LO && mask_bits(s->w->s, GCN_VCC_LO) & ~undefined;
        if (!decided)
            init_report(s, GCN_FINDING_INIT_BRANCH, 0, init_span_origin(s, &plan->src[0]), NULL);
        shadow_write(shadow, &plan->src[0], 0);
    }
    shadow_write(shadow, &plan->dst, 0);
}

/* ---- the micro-operation ---- */

/* Registers that are addressed relatively: what may be written is taken as written. */
static void step_indexing(const struct init_step *s)
{
    struct init_span all = {0, 128, false};
    if (s->plan->dst.count && !s->plan->dst.scalar) {
        shadow_write(s->shadow, &all, s->exec);
        all.first = 128;
        shadow_write(s->shadow, &all, s->exec);
    }
    shadow_write(s->shadow, &s->plan->dst, s->exec);
    shadow_write(s->shadow, &s->plan->sdst, s->exec);
}

static bool is_relative(const struct init_plan *plan)
{
    switch (plan->inst.op) {
    case GCN_OP_s_movrels_b32:
    case GCN_OP_s_movrels_b64:
    case GCN_OP_s_movreld_b32:
    case GCN_OP_s_movreld_b64: return true;
    default: return plan->indexing && (plan->kind == INIT_VECTOR || plan->kind == INIT_LANE);
    }
}

static void step_relative(const struct init_step *s)
{
    struct init_span all = {0, GCN_FLAT_SCRATCH_LO, true};
    if (s->plan->kind == INIT_SCALAR)
        shadow_write(s->shadow, &all, 0);
    else
        step_indexing(s);
}

const struct gcn_uop *gcn_check_init(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct init_group *group = w->group && w->group->check ? w->group->check->init : NULL;
    if (!group)
        return op + 1;
    const struct init_step s = {
        .w = w,
        .shadow = group->waves[w->index],
        .plan = &w->unit->plans[op->imm],
        .op = op,
        .check = w->group->dispatch->check,
        .exec = gcn_exec(w)};
    if (is_relative(s.plan)) {
        step_relative(&s);
        return op + 1;
    }
    switch (s.plan->kind) {
    case INIT_SCALAR: step_scalar(&s); break;
    case INIT_VECTOR: step_vector(&s); break;
    case INIT_LANE: step_lane(&s); break;
    case INIT_BRANCH: step_branch(&s); break;
    default: init_step_memory(&s); break;
    }
    return op + 1;
}
