/* SPDX-License-Identifier: MIT */
/* Handlers of program control, hardware registers and messages.
 * Input: micro-operations of SOPP and of what changes PC or MODE. Output: the next micro-operation.
 * Invariant: every jump, and a micro-operation now and then in straight code, counts against the wave's budget. */
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/exec/exec_clock.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/inst/gcn_target.h"
#include "support/fence.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* Branches. Targets are relative. A branch back counts for all that a pass of the loop may execute, and a branch ahead
 * for as much as straight code may hold uncounted before a branch. */

enum { JUMP_COST = 16 };

static inline const struct gcn_uop *jump(struct gcn_wave *w, const struct gcn_uop *target, int32_t cost)
{
    w->budget -= cost;
    if (__builtin_expect(w->budget < 0, 0))
        return gcn_stop(w, GCN_STOP_YIELD, target);
    return target;
}

static inline const struct gcn_uop *jump_ahead(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump(w, op + op->imm, JUMP_COST);
}

static inline const struct gcn_uop *jump_back(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump(w, op + op->imm, 1 - op->imm);
}

const struct gcn_uop *gcn_control_goto(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump_ahead(w, op);
}

const struct gcn_uop *gcn_control_goto_back(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump_back(w, op);
}

const struct gcn_uop *gcn_control_count(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump(w, op + 1, op->imm);
}

const struct gcn_uop *gcn_control_fault(struct gcn_wave *w, const struct gcn_uop *op)
{
    return gcn_raise(w, op, (enum gcn_fault_kind)op->imm, 0);
}

#define BRANCH(name, condition)                                                                              \
    HANDLER(name##_forward)                                                                                  \
    {                                                                                                        \
        return (condition) ? jump_ahead(w, op) : op + 1;                                                           \
    }                                                                                                        \
    HANDLER(name##_back)                                                                                     \
    {                                                                                                        \
        return (condition) ? jump_back(w, op) : op + 1;                                          \
    }
BRANCH(s_cbranch_scc0, !w->scc)
BRANCH(s_cbranch_scc1, w->scc)
BRANCH(s_cbranch_vccz, !gcn_get64(w, GCN_S_VCC))
BRANCH(s_cbranch_vccnz, gcn_get64(w, GCN_S_VCC))
BRANCH(s_cbranch_execz, !gcn_exec(w))
BRANCH(s_cbranch_execnz, gcn_exec(w))

const struct gcn_branch_handlers gcn_control_branches[] = {
#define ROW(name)                                                                                            \
    {                                                                                                        \
        GCN_OP_##name, name##_forward, name##_back                                                           \
    }
    ROW(s_cbranch_scc0),
    ROW(s_cbranch_scc1),
    ROW(s_cbranch_vccz),
    ROW(s_cbranch_vccnz),
    ROW(s_cbranch_execz),
    ROW(s_cbranch_execnz),
    {GCN_OP_s_branch, gcn_control_goto, gcn_control_goto_back},
#undef ROW
    {0, NULL, NULL},
};

/* Jumps to addresses: src[1] of s_call and src[0] of the others is the target, src[2] the return address. They go on in
 * the translation that MODE asks for. */

static const struct gcn_uop *jump_to(struct gcn_wave *w, const struct gcn_uop *op, uint64_t pc)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    unsigned way = (w->unit->exact ? GCN_EXACT : 0) | (w->mode >> GCN_MODE_VSKIP & 1 ? GCN_SKIPS : 0);
    pc &= ~UINT64_C(3);
    if (!gcn_cache_find(w->unit->cache, pc | way, &entry, &kind))
        return gcn_raise(w, op, kind, pc);
    gcn_tier_heat(w->unit, (uint32_t)(w->heated - w->budget), true);
    w->heated = w->budget;
    gcn_wave_enter(w, &entry);
    return jump(w, entry.op, JUMP_COST);
}

const struct gcn_uop *gcn_control_enter(struct gcn_wave *w, const struct gcn_uop *op)
{
    return jump_to(w, op, gcn_s64(w, op->src[0]));
}

HANDLER(s_getpc_b64)
{
    gcn_put64(w, op->dst, gcn_s64(w, op->src[2]));
    return op + 1;
}

HANDLER(s_setpc_b64)
{
    return jump_to(w, op, gcn_s64(w, op->src[0]));
}

HANDLER(s_swappc_b64)
{
    uint64_t target = gcn_s64(w, op->src[0]);
    gcn_put64(w, op->dst, gcn_s64(w, op->src[2]));
    return jump_to(w, op, target);
}

HANDLER(s_call_b64)
{
    uint64_t target = gcn_s64(w, op->src[1]);
    gcn_put64(w, op->dst, gcn_s64(w, op->src[2]));
    return jump_to(w, op, target);
}

/* Forks and joins. Of the two ways that the work-items take, the one with fewer of them is gone first; the other one is
 * put on a stack of four scalar registers each, the mask below the address, from which a join takes it. */

static unsigned open_forks(const struct gcn_wave *w)
{
    return w->mode >> GCN_MODE_CSP;
}

static void set_open_forks(struct gcn_wave *w, unsigned count)
{
    w->mode = (w->mode & ((UINT32_C(1) << GCN_MODE_CSP) - 1)) | count << GCN_MODE_CSP;
}

/* The work-items of MASK, src[0], go to TARGET, the others on to src[2]. */
static const struct gcn_uop *fork_to(struct gcn_wave *w, const struct gcn_uop *op, uint64_t target)
{
    uint64_t exec = gcn_exec(w), pass = exec & gcn_s64(w, op->src[0]), fail = exec & ~pass;
    unsigned at = 4 * open_forks(w);
    bool jumps = __builtin_popcountll(fail) >= __builtin_popcountll(pass);
    if (!fail)
        return jump_to(w, op, target);
    if (!pass)
        return op + 1;
    gcn_set64(w, at, jumps ? fail : pass);
    gcn_set64(w, at + 2, jumps ? gcn_s64(w, op->src[2]) : target);
    set_open_forks(w, open_forks(w) + 1);
    gcn_set64(w, GCN_S_EXEC, jumps ? pass : fail);
    return jumps ? jump_to(w, op, target) : op + 1;
}

HANDLER(s_cbranch_fork)
{
    return fork_to(w, op, gcn_s64(w, op->src[1]));
}

HANDLER(s_cbranch_join)
{
    unsigned count = open_forks(w);
    if (count == (gcn_s32(w, op->src[0]) & 7))
        return op + 1;
    set_open_forks(w, count - 1);
    unsigned at = 4 * open_forks(w);
    gcn_set64(w, GCN_S_EXEC, gcn_get64(w, at));
    return jump_to(w, op, gcn_get64(w, at + 2));
}

/* Ends and waits */

HANDLER(s_endpgm)
{
    return gcn_stop(w, GCN_STOP_END, op);
}

HANDLER(s_barrier)
{
    return w->group->wave_count == 1 ? op + 1 : gcn_stop(w, GCN_STOP_BARRIER, op + 1);
}

/* Sleeps for 64 clocks, as s_memtime counts them, times the immediate. */
HANDLER(s_sleep)
{
    w->wake = gcn_core_clock() + 64 * ((uint32_t)op->imm & 0x7f);
    return gcn_stop(w, GCN_STOP_SLEEP, op + 1);
}

/* Memory operations complete at once, but code relies on waits for stores where it wants sequential consistency. */
HANDLER(s_waitcnt)
{
    if (w->store_fence) {
        w->store_fence = 0;
        fence_all();
    }
    return op + 1;
}

HANDLER(s_setkill)
{
    return op->imm & 1 ? gcn_stop(w, GCN_STOP_END, op) : op + 1;
}

HANDLER(s_sethalt)
{
    return op->imm & 1 ? gcn_raise(w, op, GCN_FAULT_TRAP, 0) : op + 1;
}

/* Traps 1 and 3 do nothing: 3 is for a debugger, and there is never one. */
HANDLER(s_trap)
{
    uint32_t number = (uint32_t)op->imm & 0xff;
    return number == 3 || number == 1 ? op + 1 : gcn_raise(w, op, GCN_FAULT_TRAP, number);
}

const struct gcn_uop *gcn_control_doorbell(struct gcn_wave *w, const struct gcn_uop *op)
{
    w->s[GCN_S_EXEC] = w->group->dispatch->doorbell;
    return op + 1;
}

/* The immediate's lower four bits are an enum gcn_sendmsg. */
HANDLER(s_sendmsg)
{
    uint32_t message = (uint32_t)op->imm & 0xf;
    if (message == GCN_SENDMSG_INTERRUPT) {
        fence_all();
        w->store_fence = 0;
        if (w->group->dispatch->interrupt)
            w->group->dispatch->interrupt(w->group->dispatch->interrupt_data, w->s[GCN_S_M0] & 0xffffff);
    }
    return op + 1;
}

HANDLER(s_sendmsghalt)
{
    s_sendmsg(w, op);
    return gcn_raise(w, op, GCN_FAULT_TRAP, 0);
}

/* Hardware registers: enum gcn_hwreg | offset << 6 | (size - 1) << 11. Their fields are as in GFX9. */

static uint32_t status(const struct gcn_wave *w)
{
    return w->scc | (uint32_t)!gcn_exec(w) << 9 | (uint32_t)!gcn_get64(w, GCN_S_VCC) << 10 |
           (uint32_t)(w->group->wave_count > 1) << 11 | 1u << 16;
}

/* The compute unit is the number of the host worker that runs the group. */
static uint32_t hardware_id(const struct gcn_wave *w)
{
    uint32_t worker = w->group->worker;
    return (w->index & 15) | (worker & 15) << 8 | (worker >> 4 & 1) << 12 | (worker >> 5 & 3) << 13;
}

static uint32_t read_register(const struct gcn_wave *w, uint32_t id)
{
    switch (id) {
    case GCN_HWREG_MODE: return w->mode;
    case GCN_HWREG_STATUS: return status(w);
    case GCN_HWREG_TRAPSTS: return w->trapsts;
    case GCN_HWREG_HW_ID: return hardware_id(w);
    case GCN_HWREG_GPR_ALLOC: return 63u << 8 | 7u << 24;
    case GCN_HWREG_LDS_ALLOC: return (w->lds_size + 255) / 256 << 12;
    case GCN_HWREG_SH_MEM_BASES:
        return (GCN_PRIVATE_BASE_HI + w->private_tag) >> 16 | (GCN_SHARED_BASE_HI + w->group_tag);
    default: return 0;
    }
}

static uint32_t field_mask(int32_t imm)
{
    return UINT32_MAX >> (31 - (imm >> 11 & 31));
}

HANDLER(s_getreg_b32)
{
    uint32_t offset = (uint32_t)op->imm >> 6 & 31;
    gcn_put32(w, op->dst, read_register(w, (uint32_t)op->imm & 63) >> offset & field_mask(op->imm));
    return op + 1;
}

/* Goes on with MODE as it is now. A wave that begins or ends to skip vector instructions does so in another translation
 * of the code, at the next instruction, whose address is in src[2]. */
static const struct gcn_uop *go_on_in_mode(struct gcn_wave *w, const struct gcn_uop *op, uint32_t old)
{
    return (w->mode ^ old) >> GCN_MODE_VSKIP & 1 ? jump_to(w, op, gcn_s64(w, op->src[2])) : op + 1;
}

HANDLER(s_setreg)
{
    uint32_t offset = (uint32_t)op->imm >> 6 & 31, mask = field_mask(op->imm) << offset;
    uint32_t value = gcn_s32(w, op->src[0]) << offset & mask, old = w->mode;
    switch (op->imm & 63) {
    case GCN_HWREG_MODE:
        w->mode = (w->mode & ~mask) | value;
        gcn_mode_changed(w);
        return go_on_in_mode(w, op, old);
    case GCN_HWREG_TRAPSTS: w->trapsts = (w->trapsts & ~(mask & 0x1ff)) | (value & 0x1ff); break;
    default: /* the others need privilege */ break;
    }
    return op + 1;
}

HANDLER(s_setvskip)
{
    uint32_t skips = gcn_s32(w, op->src[0]) >> (gcn_s32(w, op->src[1]) & 31) & 1, old = w->mode;
    w->mode = (old & ~(1u << GCN_MODE_VSKIP)) | skips << GCN_MODE_VSKIP;
    return go_on_in_mode(w, op, old);
}

/* Relative addressing of vector registers; M0[7:0] index, M0[15:12] which operands */

static void set_index(struct gcn_wave *w, uint32_t mask, uint32_t value)
{
    w->s[GCN_S_M0] = (w->s[GCN_S_M0] & ~mask) | (value & mask);
}

HANDLER(s_set_gpr_idx_on)
{
    set_index(w, 0xf0ff, (gcn_s32(w, op->src[0]) & 0xff) | ((uint32_t)op->imm & 0xf) << 12);
    w->mode |= 1u << GCN_MODE_GPR_IDX_EN;
    return op + 1;
}

HANDLER(s_set_gpr_idx_off)
{
    w->mode &= ~(1u << GCN_MODE_GPR_IDX_EN);
    return op + 1;
}

HANDLER(s_set_gpr_idx_mode)
{
    set_index(w, 0xf000, ((uint32_t)op->imm & 0xf) << 12);
    return op + 1;
}

HANDLER(s_set_gpr_idx_idx)
{
    set_index(w, 0xff, gcn_s32(w, op->src[0]));
    return op + 1;
}

const struct gcn_handler_row gcn_control_handlers[] = {
#define ROW(name)                                                                                            \
    {                                                                                                        \
        GCN_OP_##name, name                                                                                  \
    }
    ROW(s_getpc_b64),
    ROW(s_setpc_b64),
    ROW(s_swappc_b64),
    ROW(s_call_b64),
    {GCN_OP_s_rfe_b64, s_setpc_b64}, /* there is no privilege to give back */
    {GCN_OP_s_rfe_restore_b64, s_setpc_b64},
    {GCN_OP_s_cbranch_g_fork, s_cbranch_fork},
    {GCN_OP_s_cbranch_i_fork, s_cbranch_fork},
    ROW(s_cbranch_join),
    ROW(s_endpgm),
    {GCN_OP_s_endpgm_saved, s_endpgm},
    {GCN_OP_s_endpgm_ordered_ps_done, s_endpgm},
    ROW(s_barrier),
    ROW(s_sleep),
    ROW(s_waitcnt),
    ROW(s_setkill),
    ROW(s_sethalt),
    ROW(s_trap),
    ROW(s_sendmsg),
    ROW(s_sendmsghalt),
    ROW(s_getreg_b32),
    {GCN_OP_s_setreg_b32, s_setreg},
    {GCN_OP_s_setreg_imm32_b32, s_setreg},
    ROW(s_setvskip),
    ROW(s_set_gpr_idx_on),
    ROW(s_set_gpr_idx_off),
    ROW(s_set_gpr_idx_mode),
    ROW(s_set_gpr_idx_idx),
    {0, NULL},
#undef ROW
};
