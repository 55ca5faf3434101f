/* SPDX-License-Identifier: MIT */
/* Lowering of scalar and memory instructions, constants, and operands in general.
 * Input: a decoded instruction. Output: micro-operations as exec.h describes them.
 * Invariant: an instruction without handler becomes one that raises a fault when it is executed. */
#include "runtime/gcn/translate/micro_emit.h"

#include "runtime/gcn/check/check.h"
#include "runtime/gcn/exec/dpp.h"
#include "runtime/gcn/wave_run.h"
#include "support/align_promise.h"
#include "support/hash.h"

#include <string.h>

/* Kinds of constants; that of lines is how many there are. */
enum { CONSTANT_SCALAR = 64, CONSTANT_PATTERN };

struct gcn_uop *micro_emit(struct micro_stream *t, gcn_handler *fn, uint32_t dst, uint32_t src0)
{
    static _Thread_local struct gcn_uop dropped;
    if (!vec_reserve(&t->ops, 1) || !vec_push(&t->pcs, t->pc)) {
        t->oom = true;
        return &dropped;
    }
    struct gcn_uop *op = &t->ops.items[t->ops.count++];
    *op = (struct gcn_uop){.fn = fn, .dst = dst, .src = {src0, 0, 0}};
    return op;
}

void micro_fault(struct micro_stream *t, enum gcn_fault_kind kind)
{
    micro_emit(t, gcn_control_fault, 0, 0)->imm = kind;
}

void micro_free(struct micro_stream *t)
{
    vec_free(&t->ops);
    vec_free(&t->pcs);
    vec_free(&t->constants);
    vec_free(&t->known);
    vec_free(&t->plans);
    hash_table_free(&t->numbers);
}

/* Constants */

static const struct micro_constant *find_constant(const struct micro_stream *t, uint32_t hash, uint64_t value,
                                                  uint32_t kind)
{
    for (uint32_t at = hash, number; (number = hash_table_next(&t->numbers, hash, &at));)
        if (t->known.items[number - 1].kind == kind && t->known.items[number - 1].value == value)
            return &t->known.items[number - 1];
    return NULL;
}

/* The entry of a constant; *FRESH tells whether its DWORDS (a multiple of 16 for lines) must still be filled. */
static const struct micro_constant *constant_entry(struct micro_stream *t, uint64_t value, uint32_t kind,
                                                   uint32_t dwords, bool *fresh)
{
    uint32_t hash = (uint32_t)hash_u64(kind, value);
    const struct micro_constant *known = find_constant(t, hash, value, kind);
    *fresh = !known;
    if (known)
        return known;
    size_t start = dwords >= 16 ? (t->constants.count + 15) & ~(size_t)15 : t->constants.count;
    struct micro_constant entry = {value, kind, (uint32_t)(4 * start)};
    if (start > INT32_MAX / 8 || !vec_reserve(&t->constants, start - t->constants.count + dwords) ||
        !vec_push(&t->known, entry) || !hash_table_add(&t->numbers, hash, (uint32_t)t->known.count)) {
        t->oom = true;
        return NULL;
    }
    memset(t->constants.items + t->constants.count, 0, 4 * (start - t->constants.count));
    t->constants.count = start + dwords;
    return &t->known.items[t->known.count - 1];
}

uint32_t micro_scalar_constant(struct micro_stream *t, uint64_t value)
{
    bool fresh;
    const struct micro_constant *known = constant_entry(t, value, CONSTANT_SCALAR, 2, &fresh);
    if (!known)
        return 0;
    if (fresh) {
        t->constants.items[known->offset / 4] = (uint32_t)value;
        t->constants.items[known->offset / 4 + 1] = (uint32_t)(value >> 32);
    }
    return known->offset | GCN_REF_CONST;
}

uint32_t micro_line_constant(struct micro_stream *t, uint64_t value, unsigned lines)
{
    bool fresh;
    const struct micro_constant *known = constant_entry(t, value, lines, lines * GCN_LANES, &fresh);
    if (!known)
        return 0;
    for (uint32_t i = 0; fresh && i < lines * GCN_LANES; i++)
        t->constants.items[known->offset / 4 + i] = (uint32_t)(i < GCN_LANES ? value : value >> 32);
    return known->offset | GCN_REF_CONST;
}

uint32_t micro_pattern_constant(struct micro_stream *t, uint32_t control)
{
    bool fresh;
    const struct micro_constant *known = constant_entry(t, control, CONSTANT_PATTERN, GCN_LANES, &fresh);
    if (!known)
        return 0;
    for (int i = 0; fresh && i < GCN_LANES; i++)
        t->constants.items[known->offset / 4 + (uint32_t)i] = (uint32_t)gcn_dpp_lane(control, i);
    return known->offset | GCN_REF_CONST;
}

/* Operands */

static uint32_t sgpr(unsigned code)
{
    return (uint32_t)(offsetof(struct gcn_wave, s) + 4 * code);
}

static uint32_t special(struct micro_stream *t, unsigned code)
{
    uint32_t place;
    if (t->checks & GCN_CHECK_MEMORY && code >= GCN_SRC_SHARED_BASE && code <= GCN_SRC_PRIVATE_LIMIT)
        return (uint32_t)(offsetof(struct gcn_wave, aperture) + (code - GCN_SRC_SHARED_BASE) * 8);
    switch (code) {
    case GCN_SRC_SHARED_BASE: return micro_scalar_constant(t, (uint64_t)GCN_SHARED_BASE_HI << 32);
    case GCN_SRC_SHARED_LIMIT: return micro_scalar_constant(t, (uint64_t)GCN_SHARED_BASE_HI << 32 | UINT32_MAX);
    case GCN_SRC_PRIVATE_BASE: return micro_scalar_constant(t, (uint64_t)GCN_PRIVATE_BASE_HI << 32);
    case GCN_SRC_PRIVATE_LIMIT: return micro_scalar_constant(t, (uint64_t)GCN_PRIVATE_BASE_HI << 32 | UINT32_MAX);
    case GCN_SRC_SCC: return (uint32_t)offsetof(struct gcn_wave, scc);
    case GCN_SRC_VCCZ:
    case GCN_SRC_EXECZ:
        place = (uint32_t)(offsetof(struct gcn_wave, special) + (code == GCN_SRC_VCCZ ? 0 : 8));
        micro_emit(t, t->engine->micro[GCN_MICRO_SPECIAL], place, 0)->imm = (int32_t)code;
        return place;
    default: return micro_scalar_constant(t, 0);
    }
}

uint32_t micro_scalar(struct micro_stream *t, const struct gcn_inst *inst, unsigned slot)
{
    const struct gcn_operand *src = &inst->src[slot];
    switch (src->kind) {
    case GCN_SGPR: return src->index == GCN_NULL ? micro_scalar_constant(t, 0) : sgpr(src->index);
    case GCN_SPECIAL: return special(t, src->index);
    case GCN_INLINE:
    case GCN_LITERAL: return micro_scalar_constant(t, slot < 3 ? inst->value[slot] : inst->mem.soffset);
    default: return micro_scalar_constant(t, 0);
    }
}

/* Where a scalar result goes. Registers of the trap handler and the null register drop what is written to them. */
uint32_t micro_scalar_dst(const struct gcn_operand *dst)
{
    if (dst->kind != GCN_SGPR || dst->index == GCN_NULL || (dst->index >= GCN_TTMP0 && dst->index <= GCN_TTMP15))
        return (uint32_t)offsetof(struct gcn_wave, sink);
    return sgpr(dst->index);
}

static uint32_t vector_or_temp(const struct gcn_operand *operand)
{
    switch (operand->kind) {
    case GCN_VGPR: return (uint32_t)(offsetof(struct gcn_wave, v) + (size_t)GCN_LINE * operand->index);
    case GCN_AGPR: return (uint32_t)(offsetof(struct gcn_wave, a) + (size_t)GCN_LINE * operand->index);
    default: return (uint32_t)offsetof(struct gcn_wave, temp);
    }
}

static uint32_t vector_source(struct micro_stream *t, const struct gcn_operand *operand)
{
    bool vector = operand->kind == GCN_VGPR || operand->kind == GCN_AGPR;
    return vector ? vector_or_temp(operand) : micro_line_constant(t, 0, 1);
}

static uint32_t memory_flags(const struct gcn_inst *inst)
{
    static const struct {
        uint16_t from, to;
    } map[] = {
        {GCN_MEM_GLC, GCN_GLC},     {GCN_MEM_LDS, GCN_LDS},     {GCN_MEM_TFE, GCN_TFE},     {GCN_MEM_GDS, GCN_GDS},
        {GCN_MEM_OFFEN, GCN_OFFEN}, {GCN_MEM_IDXEN, GCN_IDXEN}, {GCN_MEM_UNORM, GCN_UNORM}, {GCN_MEM_DA, GCN_DA},
        {GCN_MEM_A16, GCN_A16},     {GCN_MEM_LWE, GCN_LWE},     {GCN_MEM_D16, GCN_D16},
    };
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (inst->mem.flags & map[i].from)
            flags |= map[i].to;
    return flags;
}

static void micro_flat(struct micro_stream *t, const struct gcn_inst *inst, gcn_handler *fn)
{
    uint32_t address = vector_source(t, &inst->src[0]), data = vector_source(t, &inst->src[1]);
    uint32_t base = micro_scalar(t, inst, 2);
    struct gcn_uop *op = micro_emit(t, fn, vector_or_temp(&inst->dst), address);
    op->src[1] = data;
    op->src[2] = base;
    op->imm = inst->mem.offset;
    op->aux = memory_flags(inst) | (inst->src[2].kind ? GCN_SADDR : 0) |
              (inst->encoding == GCN_GLOBAL    ? GCN_SEG_GLOBAL
               : inst->encoding == GCN_SCRATCH ? GCN_SEG_SCRATCH
                                               : 0);
}

static void micro_ds(struct micro_stream *t, const struct gcn_inst *inst, gcn_handler *fn)
{
    uint32_t src[3];
    for (unsigned i = 0; i < 3; i++)
        src[i] = vector_source(t, &inst->src[i]);
    struct gcn_uop *op = micro_emit(t, fn, vector_or_temp(&inst->dst), src[0]);
    op->src[1] = src[1];
    op->src[2] = src[2];
    op->imm =
        gcn_op_info[inst->op].flags & GCN_F_OFFSET2 ? inst->mem.offset1 << 8 | inst->mem.offset0 : inst->mem.offset;
    op->aux = memory_flags(inst);
}

static void micro_buffer(struct micro_stream *t, const struct gcn_inst *inst, gcn_handler *fn)
{
    const struct gcn_operand *data = inst->dst.kind ? &inst->dst : &inst->src[1];
    uint32_t address = vector_source(t, &inst->src[0]);
    uint32_t resource = micro_scalar(t, inst, 2), last = micro_scalar(t, inst, 3);
    struct gcn_uop *op = micro_emit(t, fn, vector_or_temp(data), address);
    op->src[1] = last;
    op->src[2] = resource;
    op->imm = inst->encoding == GCN_MIMG ? inst->mem.dmask : inst->mem.offset;
    op->aux =
        memory_flags(inst) | (uint32_t)inst->mem.dfmt << GCN_DFMT_SHIFT | (uint32_t)inst->mem.nfmt << GCN_NFMT_SHIFT;
}

static void micro_smem(struct micro_stream *t, const struct gcn_inst *inst, gcn_handler *fn)
{
    const struct gcn_operand *data = inst->dst.kind ? &inst->dst : &inst->src[1];
    uint32_t base = micro_scalar(t, inst, 0), offset = micro_scalar(t, inst, 3);
    struct gcn_uop *op = micro_emit(t, fn, micro_scalar_dst(data), base);
    op->src[1] = offset;
    op->imm = inst->mem.offset;
    op->aux = memory_flags(inst);
}

/* The immediate. The number of a hardware register or message in it is replaced by the enumerator of what it means. */
static int32_t immediate(const struct micro_stream *t, const struct gcn_inst *inst)
{
    switch (inst->op) {
    case GCN_OP_s_getreg_b32:
    case GCN_OP_s_setreg_b32:
    case GCN_OP_s_setreg_imm32_b32: return (inst->imm & ~63) | t->target->layout->hwreg[inst->imm & 63];
    case GCN_OP_s_sendmsg:
    case GCN_OP_s_sendmsghalt: return (inst->imm & ~15) | t->target->layout->message[inst->imm & 15];
    default: return inst->imm;
    }
}

/* Whether the handler of INST, whose immediate is IMM, needs the address of the next instruction: as what to return to,
 * or to go on there in another translation of the code. */
static bool needs_next(const struct gcn_inst *inst, int32_t imm)
{
    switch (inst->op) {
    case GCN_OP_s_call_b64:
    case GCN_OP_s_cbranch_i_fork:
    case GCN_OP_s_cbranch_g_fork:
    case GCN_OP_s_getpc_b64:
    case GCN_OP_s_swappc_b64:
    case GCN_OP_s_setvskip: return true;
    case GCN_OP_s_setreg_b32:
    case GCN_OP_s_setreg_imm32_b32: return (imm & 63) == GCN_HWREG_MODE && gcn_takes_bits(imm, GCN_MODE_VSKIP, 1);
    default: return false;
    }
}

/* SOP1, SOP2, SOPC, SOPK, SOPP. A SOPK destination that is read too appears as src[0]. */
static void micro_salu(struct micro_stream *t, const struct gcn_inst *inst, gcn_handler *fn, uint64_t pc)
{
    uint32_t dst = micro_scalar_dst(&inst->dst);
    uint32_t first = inst->src[0].kind ? micro_scalar(t, inst, 0) : inst->dst.kind ? dst : micro_scalar_constant(t, 0);
    uint32_t second = micro_scalar(t, inst, 1);
    bool relative = inst->op == GCN_OP_s_call_b64 || inst->op == GCN_OP_s_cbranch_i_fork;
    int32_t imm = immediate(t, inst);
    uint32_t here = needs_next(inst, imm) ? micro_scalar_constant(t, pc + inst->size) : 0;
    uint32_t target = relative ? micro_scalar_constant(t, gcn_branch_target(inst, pc)) : 0;
    struct gcn_uop *op = micro_emit(t, fn, dst, first);
    op->src[1] = target ? target : second;
    op->src[2] = here;
    op->imm = imm;
}

/* Instructions that leave nothing to do in this machine. */
static bool is_nothing(const struct micro_stream *t, const struct gcn_inst *inst)
{
    switch (inst->op) {
    case GCN_OP_s_nop:
    case GCN_OP_s_setprio:
    case GCN_OP_s_icache_inv:
    case GCN_OP_s_incperflevel:
    case GCN_OP_s_decperflevel:
    case GCN_OP_s_ttracedata:
    case GCN_OP_s_wakeup:
    case GCN_OP_s_cbranch_cdbgsys:
    case GCN_OP_s_cbranch_cdbguser:
    case GCN_OP_s_cbranch_cdbgsys_or_user:
    case GCN_OP_s_cbranch_cdbgsys_and_user: return true;
    case GCN_OP_exp: return inst->exp.target == GCN_EXP_NULL;
    case GCN_OP_s_waitcnt: /* memory operations are complete already; one that waits for stores also orders them */
        return gcn_waitcnt_vm(t->target->layout, (uint32_t)inst->imm) != 0;
    default: return false;
    }
}

/* Puts a micro-operation of the checkers before the one that was emitted last, which is of the operation ID. */
static void check_last(struct micro_stream *t, gcn_handler *checker, unsigned id)
{
    struct gcn_uop checked = t->ops.items[t->ops.count - 1];
    *micro_emit(t, NULL, 0, 0) = checked;
    if (!t->oom)
        t->ops.items[t->ops.count - 2] = (struct gcn_uop){.fn = checker, .imm = (int32_t)id};
}

void micro_check_init(struct micro_stream *t, const struct gcn_inst *inst)
{
    struct init_plan plan;
    if (!(t->checks & GCN_CHECK_INIT) || !init_plan_make(&plan, inst, t->indexing))
        return;
    int32_t number = (int32_t)t->plans.count;
    if (vec_push(&t->plans, plan))
        micro_emit(t, gcn_check_init, 0, 0)->imm = number;
    else
        t->oom = true;
}

static void check_instruction(struct micro_stream *t, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool accesses = info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC);
    if (accesses && t->checks & (GCN_CHECK_MEMORY | GCN_CHECK_BARRIER | GCN_CHECK_RACE))
        check_last(t, gcn_check_access, inst->op);
    if (inst->op == GCN_OP_s_barrier && t->checks & GCN_CHECK_BARRIER)
        check_last(t, gcn_check_barrier, inst->op);
    if (inst->op == GCN_OP_s_waitcnt && t->checks & GCN_CHECK_RACE)
        check_last(t, gcn_check_wait, inst->op);
    if (inst->op == GCN_OP_ds_gws_barrier && t->checks & GCN_CHECK_RACE)
        check_last(t, gcn_check_grid_barrier, inst->op);
    if ((inst->op == GCN_OP_buffer_wbinvl1 || inst->op == GCN_OP_buffer_wbinvl1_vol) && t->checks & GCN_CHECK_RACE)
        check_last(t, gcn_check_acquire, inst->op);
}

void micro_instruction(struct micro_stream *t, const struct gcn_inst *inst, uint64_t pc)
{
    struct align_promise promise;
    t->temp = 0;
    if (inst->op == GCN_OP_s_nop && t->checks & GCN_CHECK_MEMORY && align_promise_decode((uint16_t)inst->imm, &promise))
        micro_emit(t, gcn_check_promise, 0, 0)->imm = inst->imm;
    if (is_nothing(t, inst))
        return;
    if (inst->op == GCN_OP_s_set_gpr_idx_on)
        t->indexing = true;
    if (inst->op == GCN_OP_s_set_gpr_idx_off)
        t->indexing = false;
    gcn_handler *fn = t->engine->plain[inst->op];
    if (!fn) {
        bool graphics = gcn_op_info[inst->op].flags & GCN_F_GRAPHICS;
        micro_fault(t, graphics ? GCN_FAULT_GRAPHICS : GCN_FAULT_UNIMPLEMENTED);
        return;
    }
    if (inst->op == GCN_OP_s_sendmsg && (immediate(t, inst) & 15) == GCN_SENDMSG_GET_DOORBELL)
        fn = gcn_control_doorbell;
    micro_check_init(t, inst);
    switch (inst->encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK:
    case GCN_SOPP: micro_salu(t, inst, fn, pc); break;
    case GCN_SMEM: micro_smem(t, inst, fn); break;
    case GCN_DS: micro_ds(t, inst, fn); break;
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH: micro_flat(t, inst, fn); break;
    case GCN_MUBUF:
    case GCN_MTBUF:
    case GCN_MIMG: micro_buffer(t, inst, fn); break;
    default: micro_vector(t, inst); break;
    }
    if (t->checks && !t->oom)
        check_instruction(t, inst);
}
