/* SPDX-License-Identifier: MIT */
/* One function of the blocks of a unit.
 * Input: a unit, its effects. Output: a function that is a handler. Invariant: whatever is not compiled is a call of
 * its handler, and when that does not go on with the next micro-operation, the function returns what it returned. */
#include "runtime/gcn/jit/build.h"

#include <string.h>

LLVMValueRef build_op_at(struct builder *f, uint32_t index)
{
    return build_at(f, f->ops, (uint64_t)index * sizeof(struct gcn_uop));
}

static void leave_function(struct builder *f, LLVMValueRef result)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, f->exit);
    LLVMAddIncoming(f->result, &result, &here, 1);
}

/* Calls the handler of micro-operation INDEX; returns its result. */
static LLVMValueRef call_handler(struct builder *f, uint32_t index)
{
    LLVMValueRef fn = import_handler(f, index);
    LLVMValueRef arguments[] = {f->wave, build_op_at(f, index)};
    return LLVMBuildCall2(f->b, f->jit->handler, fn, arguments, 2, "");
}

/* ... and leaves, unless it goes on with the next one. */
void build_call(struct builder *f, uint32_t index)
{
    LLVMValueRef result = call_handler(f, index);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), on = build_block(f);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, result, build_op_at(f, index + 1), ""), on, f->exit);
    LLVMAddIncoming(f->result, &result, &here, 1);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

/* Has the interpreter go on with micro-operation INDEX; where it would find this function again, its handler is called
 * here. */
static void leave_to_handler(struct builder *f, uint32_t index)
{
    segment_flush(f);
    scalar_commit(f);
    leave_function(f, f->leader[index] == LEADER_YES ? call_handler(f, index) : build_op_at(f, index));
}

/* Whether X, a bit, is 0. If X comes from a comparison, this is the opposite one, so that the host can branch by its
 * flags. */
static LLVMValueRef build_not(struct builder *f, LLVMValueRef x)
{
    static const LLVMIntPredicate opposites[][2] = {
        {LLVMIntEQ, LLVMIntNE},
        {LLVMIntUGT, LLVMIntULE},
        {LLVMIntUGE, LLVMIntULT},
        {LLVMIntSGT, LLVMIntSLE},
        {LLVMIntSGE, LLVMIntSLT}};
    for (unsigned i = 0; LLVMIsAICmpInst(x) && i < 2 * sizeof opposites / sizeof opposites[0]; i++)
        if (LLVMGetICmpPredicate(x) == opposites[i / 2][i % 2])
            return LLVMBuildICmp(f->b, opposites[i / 2][1 - i % 2], LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), "");
    return LLVMBuildNot(f->b, x, "");
}

LLVMValueRef build_is_zero(struct builder *f, LLVMIntPredicate predicate, LLVMValueRef x)
{
    if (LLVMIsAZExtInst(x) && LLVMTypeOf(LLVMGetOperand(x, 0)) == f->jit->i1) {
        x = LLVMGetOperand(x, 0);
        return predicate == LLVMIntEQ ? build_not(f, x) : x;
    }
    return LLVMBuildICmp(f->b, predicate, x, LLVMConstNull(LLVMTypeOf(x)), "");
}

/* The condition under which branch ID is taken; NULL: always. */
LLVMValueRef build_condition(struct builder *f, unsigned id)
{
    const uint32_t scc = (uint32_t)offsetof(struct gcn_wave, scc);
    switch (id) {
    case GCN_OP_s_cbranch_scc0: return build_is_zero(f, LLVMIntEQ, scalar_read32(f, scc));
    case GCN_OP_s_cbranch_scc1: return build_is_zero(f, LLVMIntNE, scalar_read32(f, scc));
    case GCN_OP_s_cbranch_vccz: return build_is_zero(f, LLVMIntEQ, scalar_read64(f, scalar_ref(GCN_S_VCC)));
    case GCN_OP_s_cbranch_vccnz: return build_is_zero(f, LLVMIntNE, scalar_read64(f, scalar_ref(GCN_S_VCC)));
    case GCN_OP_s_cbranch_execz: return build_is_zero(f, LLVMIntEQ, scalar_read64(f, scalar_ref(GCN_S_EXEC)));
    case GCN_OP_s_cbranch_execnz: return build_is_zero(f, LLVMIntNE, scalar_read64(f, scalar_ref(GCN_S_EXEC)));
    default: return NULL;
    }
}

/* Leaves as gcn_stop() would, to go on with TARGET later. */
void build_yield(struct builder *f, uint32_t target)
{
    _Static_assert(sizeof(enum gcn_stop) == 4, "stored as a dword");
    build_store(f, C32(f, GCN_STOP_YIELD), offsetof(struct gcn_wave, stop), 4);
    build_store(f, build_op_at(f, target), offsetof(struct gcn_wave, at), 8);
    leave_function(f, LLVMConstNull(f->jit->pointer));
}

/* Goes back from INDEX to TARGET, which is at ON, as long as the BUDGET allows it, or, if that is NULL, the one in
 * memory; otherwise what is built next is executed. Returns what is left. */
LLVMValueRef build_count_back(struct builder *f, LLVMValueRef budget, uint32_t index, uint32_t target,
                              LLVMBasicBlockRef on)
{
    LLVMBasicBlockRef yield = build_block(f);
    if (!budget)
        budget = build_load(f, f->jit->i32, offsetof(struct gcn_wave, budget), 4);
    budget = LLVMBuildSub(f->b, budget, C32(f, build_round_cost(index - target)), "");
    build_store(f, budget, offsetof(struct gcn_wave, budget), 4);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntSLT, budget, C32(f, 0), ""), yield, on);
    build_follow(f, yield); /* so that one jump per round is enough */
    LLVMPositionBuilderAtEnd(f->b, yield);
    return budget;
}

static void branch(struct builder *f, const struct effect *effect, uint32_t index)
{
    uint32_t target = index + (uint32_t)f->unit->ops[index].imm;
    segment_flush(f);
    LLVMValueRef taken = build_condition(f, effect->id);
    LLVMBasicBlockRef to = effect->back ? build_block(f) : f->blocks[target];
    scalar_commit(f);
    if (taken)
        LLVMBuildCondBr(f->b, taken, to, f->blocks[index + 1]);
    else
        LLVMBuildBr(f->b, to);
    if (effect->back) {
        build_follow(f, to);
        LLVMPositionBuilderAtEnd(f->b, to);
        build_count_back(f, NULL, index, target, f->blocks[target]);
        build_yield(f, target);
    }
}

/* Emits s_waitcnt of stores, which does something only if there were stores since the last one. */
void build_wait(struct builder *f, uint32_t index)
{
    LLVMValueRef fence = build_load(f, f->jit->i32, offsetof(struct gcn_wave, store_fence), 4);
    LLVMBasicBlockRef slow = build_block(f), on = build_block(f);
    LLVMBuildCondBr(f->b, build_is_zero(f, LLVMIntNE, fence), slow, on);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, slow);
    build_call(f, index);
    LLVMBuildBr(f->b, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

/* Executes the barrier at INDEX after those micro-operations that follow it up to the next leader, which access
 * registers alone: the waves of a group have nothing to do with these, and what they read need not be stored and loaded
 * again. Then the interpreter goes on after them, at once or when all waves have come to the barrier. */
static void pass_barrier(struct builder *f, uint32_t index)
{
    uint32_t next = index + 1;
    for (; !f->leader[next]; next++) {
        f->at = next;
        build_op(f, next);
    }
    f->at = next;
    segment_flush(f);
    scalar_commit(f);
    LLVMValueRef result = call_handler(f, index), stopped = LLVMConstNull(f->jit->pointer);
    build_store(f, build_op_at(f, next), offsetof(struct gcn_wave, at), 8);
    LLVMValueRef waits = LLVMBuildICmp(f->b, LLVMIntEQ, result, stopped, "");
    leave_function(f, LLVMBuildSelect(f->b, waits, stopped, build_op_at(f, next), ""));
}

/* Emits micro-operation INDEX; false when nothing follows it in its block. */
bool build_op(struct builder *f, uint32_t index)
{
    const struct effect *effect = f->effects[index];
    const struct gcn_uop *op = &f->unit->ops[index];
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_COMPARE_EXEC:
    case EFFECT_SWAP:
    case EFFECT_SPLAT32:
    case EFFECT_SPLAT64:
    case EFFECT_MOD32:
    case EFFECT_MOD64:
        if (segment_record(f, effect, op))
            return true;
        break;
    case EFFECT_SCALAR:
    case EFFECT_SAVEEXEC: scalar_operation(f, effect, op); return true;
    case EFFECT_COPY64: scalar_write(f, op->dst, scalar_read64(f, op->src[0]), 2, false); return true;
    case EFFECT_READLANE:
        if (ref_line(op->src[0]) < 0)
            break;
        lane_read(f, effect, op);
        return true;
    case EFFECT_WRITELANE:
        if (ref_line(op->dst) < 0)
            break;
        lane_write(f, op);
        return true;
    case EFFECT_DPP:
        if (lane_begin_dpp(f, index))
            return true;
        break;
    case EFFECT_RESTORE:
        if (lane_end_dpp(f))
            return true;
        break;
    case EFFECT_NOTHING: return true;
    case EFFECT_BRANCH: branch(f, effect, index); return false;
    case EFFECT_WAIT: build_wait(f, index); return true;
    case EFFECT_SCALAR_MEMORY: scalar_memory(f, index); return true;
    case EFFECT_LDS:
        if (segment_record(f, effect, op))
            return true; /* fall through */
    case EFFECT_MEMORY:
        segment_flush(f);
        scalar_commit(f);
        build_call(f, index);
        return true;
    case EFFECT_STOP: /* waves that go on at once are rare */
        if (!f->leader[index + 1]) {
            pass_barrier(f, index);
            return false;
        } /* fall through */
    case EFFECT_LEAVE: leave_to_handler(f, index); return false;
    default: break;
    }
    segment_flush(f);
    scalar_commit(f);
    build_call(f, index);
    scalar_forget(f);
    return true;
}

/* Goes on with micro-operation INDEX, which begins a block. If none has been made because only a loop leads there, it
 * is the loop's first one, and control never comes here. */
static void close_block(struct builder *f, uint32_t index)
{
    segment_flush(f);
    scalar_commit(f);
    if (f->blocks[index])
        LLVMBuildBr(f->b, f->blocks[index]);
    else
        leave_function(f, build_op_at(f, index));
}

static void emit_blocks(struct builder *f)
{
    bool open = false;
    for (uint32_t i = 0; i < f->unit->total; i++) {
        f->at = i;
        if (f->leader[i]) {
            if (open)
                close_block(f, i);
            if (f->loop_end[i]) {
                i = loop_emit(f, i) - 1;
                open = false;
                continue;
            }
            LLVMPositionBuilderAtEnd(f->b, f->blocks[i]);
            scalar_forget(f);
            memset(f->looked_up, 0, sizeof f->looked_up);
            open = f->hot[i];
            if (!open)
                leave_function(f, build_op_at(f, i));
        }
        if (open)
            open = build_op(f, i);
    }
    f->at = f->unit->total;
    if (open) { /* no unit ends in this way */
        f->at--;
        segment_flush(f);
        scalar_commit(f);
        f->at++;
        leave_function(f, build_op_at(f, f->at));
    }
    if (f->blocks[f->at]) {
        LLVMPositionBuilderAtEnd(f->b, f->blocks[f->at]);
        LLVMBuildUnreachable(f->b);
    }
}

static void attribute(struct builder *f, const char *key, const char *value)
{
    LLVMAttributeRef made =
        LLVMCreateStringAttribute(f->jit->context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(f->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, made);
}

static void enum_attribute(struct builder *f, const char *name)
{
    LLVMAttributeRef made =
        LLVMCreateEnumAttribute(f->jit->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
    LLVMAddAttributeAtIndex(f->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, made);
}

LLVMValueRef build_unit(struct builder *f)
{
    struct gcn_jit *jit = f->jit;
    f->function = LLVMAddFunction(f->module, "unit", jit->handler);
    if (jit->lanes == 16) {
        attribute(f, "prefer-vector-width", "512");
        attribute(f, "min-legal-vector-width", "512");
    }
    attribute(f, "frame-pointer", "all");
    enum_attribute(f, "nounwind");
    f->wave = LLVMGetParam(f->function, 0);
    LLVMBasicBlockRef enter = build_block(f);
    for (uint32_t i = 0; i <= f->unit->total; i++) /* also after a branch that ends the unit */
        if (f->leader[i] == LEADER_YES)
            f->blocks[i] = build_block(f);
    f->exit = build_block(f);
    scalar_find_alone(f);
    entry_emit(f, enter);
    LLVMPositionBuilderAtEnd(f->b, f->exit);
    f->result = LLVMBuildPhi(f->b, jit->pointer, "");
    LLVMBuildRet(f->b, f->result);
    emit_blocks(f);
    if (!f->ordered) { /* then LLVM leaves the order of instructions as it is; nothing else follows from it here */
        enum_attribute(f, "optnone");
        enum_attribute(f, "noinline");
    }
    return f->function;
}
