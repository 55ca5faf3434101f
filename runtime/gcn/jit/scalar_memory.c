/* SPDX-License-Identifier: MIT */
/* Scalar memory.
 * Input: loads of scalar registers, and all other operations of scalar memory. Output: instructions at the builder:
 * such loads where the wave remembers that it may access the memory, else calls of the handlers. Invariant: what has
 * been loaded is in memory, where the registers are. */
#include "runtime/gcn/jit/build.h"

#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/guest_memory.h"

/* How many dwords a plain load of scalar registers loads; 0 for all other operations. */
unsigned build_scalar_load(const struct effect *effect)
{
    if (effect->kind != EFFECT_SCALAR_MEMORY)
        return 0;
    switch (effect->id) {
    case GCN_OP_s_load_dword: return 1;
    case GCN_OP_s_load_dwordx2: return 2;
    case GCN_OP_s_load_dwordx4: return 4;
    case GCN_OP_s_load_dwordx8: return 8;
    case GCN_OP_s_load_dwordx16: return 16;
    default: return 0;
    }
}

/* Emits guest_memory_window() for BYTES at ADDRESS: goes to FOUND, or, if no window of map GUEST has them all, to
 * MISSING. The sign of a difference tells, as in guest_window_has(). */
static void find_window(struct builder *f, LLVMValueRef guest, LLVMValueRef address, unsigned bytes,
                        LLVMBasicBlockRef found, LLVMBasicBlockRef missing)
{
    struct gcn_jit *jit = f->jit;
    const uint64_t first = offsetof(struct gcn_wave, guest_windows), step = sizeof(struct gcn_window);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b), look = build_block(f), on = build_block(f);
    LLVMValueRef map = LLVMBuildIntToPtr(f->b, guest, jit->pointer, "");
    LLVMValueRef now = LLVMBuildLoad2(f->b, jit->i32, build_at(f, map, GUEST_GENERATION), "");
    LLVMValueRef then = build_load(f, jit->i32, offsetof(struct gcn_wave, guest_generation), 4);
    LLVMSetVolatile(now, 1); /* it is atomic; an acquire is what any load of the host is */
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, now, then, ""), look, missing);
    LLVMPositionBuilderAtEnd(f->b, look);
    LLVMValueRef at = LLVMBuildPhi(f->b, jit->i64, ""), begin = C64(f, first);
    LLVMValueRef window = LLVMBuildInBoundsGEP2(f->b, jit->i8, f->wave, &at, 1, "");
    LLVMValueRef low = LLVMBuildLoad2(f->b, jit->i64, window, "");
    LLVMValueRef size = LLVMBuildLoad2(f->b, jit->i64, build_at(f, window, offsetof(struct gcn_window, size)), "");
    LLVMValueRef offset = LLVMBuildSub(f->b, address, low, "");
    LLVMValueRef room = LLVMBuildSub(f->b, LLVMBuildSub(f->b, size, C64(f, bytes), ""), offset, "");
    LLVMValueRef beyond = LLVMBuildOr(f->b, offset, room, "");
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntSLT, beyond, C64(f, 0), ""), on, found);
    LLVMPositionBuilderAtEnd(f->b, on);
    LLVMValueRef next = LLVMBuildAdd(f->b, at, C64(f, step), "");
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, next, C64(f, first + GCN_WINDOWS * step), ""), missing, look);
    LLVMAddIncoming(at, &begin, &here, 1);
    LLVMAddIncoming(at, &next, &on, 1);
}

/* The address from which micro-operation OP loads. */
static LLVMValueRef find_address(struct builder *f, const struct gcn_uop *op)
{
    LLVMValueRef address = scalar_read64(f, op->src[0]), offset = scalar_read32(f, op->src[1]);
    if (!LLVMIsNull(offset))
        address = LLVMBuildAdd(f->b, address, LLVMBuildZExt(f->b, offset, f->jit->i64, ""), "");
    if (op->imm)
        address = LLVMBuildAdd(f->b, address, C64(f, (int64_t)op->imm), "");
    return LLVMBuildAnd(f->b, address, C64(f, ~UINT64_C(3)), "");
}

/* Loads DWORDS scalar registers, if the wave may access the memory as far as it remembers; else the handler does it. */
static void load_scalars(struct builder *f, uint32_t index, unsigned dwords)
{
    struct gcn_jit *jit = f->jit;
    const struct gcn_uop *op = &f->unit->ops[index];
    LLVMBasicBlockRef host = build_block(f), guarded = build_block(f);
    LLVMBasicBlockRef fast = build_block(f), slow = build_block(f), on = build_block(f);
    LLVMValueRef address = find_address(f, op), guest = build_load(f, jit->i64, offsetof(struct gcn_wave, guest), 8);
    LLVMValueRef limit = C64(f, MEM_LIMIT - 4 * (uint64_t)dwords);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntULE, address, limit, ""), host, slow);
    build_follow(f, host);
    LLVMPositionBuilderAtEnd(f->b, host);
    LLVMBuildCondBr(f->b, build_is_zero(f, LLVMIntEQ, guest), fast, guarded);
    LLVMPositionBuilderAtEnd(f->b, guarded);
    find_window(f, guest, address, 4 * dwords, fast, slow);
    build_follow(f, fast);
    LLVMPositionBuilderAtEnd(f->b, slow);
    build_call(f, index);
    LLVMBuildBr(f->b, on);
    LLVMPositionBuilderAtEnd(f->b, fast);
    LLVMSetVolatile(LLVMBuildStore(f->b, build_op_at(f, index), build_at(f, f->wave, offsetof(struct gcn_wave, at))),
                    1);
    LLVMValueRef from = LLVMBuildIntToPtr(f->b, address, jit->pointer, "");
    for (unsigned i = 0; i < dwords; i += 2) {
        LLVMTypeRef type = dwords == 1 ? jit->i32 : jit->i64;
        LLVMValueRef value = LLVMBuildLoad2(f->b, type, build_at(f, from, 4 * i), "");
        LLVMSetVolatile(value, 1);
        LLVMSetAlignment(value, 4);
        build_store(f, value, op->dst + 4 * i, 4);
    }
    LLVMBuildBr(f->b, on);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, on);
}

void scalar_memory(struct builder *f, uint32_t index)
{
    bool masks = false;
    for (unsigned i = 0; i < GCN_SGPRS; i++)
        masks |= f->pending[i] != 0;
    /* a load that faults comes after writes of group memory, too, of which others learn */
    if (masks || f->lds_written || ref_scalar(f->unit->ops[index].dst) > GCN_S_EXEC - 16)
        segment_flush(f);
    scalar_commit(f);
    LLVMValueRef scc = f->scc;
    unsigned dwords = build_scalar_load(f->effects[index]);
    if (dwords) {
        load_scalars(f, index, dwords);
        scalar_changed(f, f->unit->ops[index].dst, dwords);
        return;
    }
    build_call(f, index);
    scalar_forget(f);
    f->scc = scc;
}
