/* SPDX-License-Identifier: MIT */
/* The entry of a unit's function: the way to the block that is executed.
 * Input: the blocks of leaders. Output: the first blocks of the function. Invariant: with other modes than the default,
 * or at a micro-operation that is no leader, the function does what the interpreter does. */
#include "runtime/gcn/jit/build.h"

#include "support/alloc.h"

/* Goes to the one of COUNT micro-operations, in ascending order, that is OFFSET bytes from the first one of the unit;
 * to NONE otherwise. LLVM would go through the cases of a switch one by one, as little as it optimizes here. */
static void choose(struct builder *f, LLVMValueRef offset, const uint32_t *entries, size_t count,
                   LLVMBasicBlockRef none)
{
    size_t half = count / 2;
    LLVMValueRef at = C64(f, (uint64_t)entries[half] * sizeof(struct gcn_uop));
    if (!half) {
        LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, offset, at, ""), f->blocks[*entries], none);
        return;
    }
    LLVMBasicBlockRef low = build_block(f), high = build_block(f);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntULT, offset, at, ""), low, high);
    build_follow(f, low);
    LLVMPositionBuilderAtEnd(f->b, low);
    choose(f, offset, entries, half, none);
    build_follow(f, high);
    LLVMPositionBuilderAtEnd(f->b, high);
    choose(f, offset, entries + half, count - half, none);
}

/* Goes to the leader that is OFFSET bytes from the first micro-operation, or to NONE. If memory is out, it goes there
 * always. */
static void choose_leader(struct builder *f, LLVMValueRef offset, LLVMBasicBlockRef none)
{
    uint32_t *entries = mem_alloc(f->unit->total * sizeof *entries);
    size_t count = 0;
    for (uint32_t i = 0; entries && i < f->unit->total; i++)
        if (f->leader[i] == LEADER_YES && f->hot[i])
            entries[count++] = i;
    if (count)
        choose(f, offset, entries, count, none);
    else
        LLVMBuildBr(f->b, none);
    mem_free(entries);
}

void entry_emit(struct builder *f, LLVMBasicBlockRef enter)
{
    struct gcn_jit *jit = f->jit;
    _Static_assert(offsetof(struct gcn_wave, plain64) == offsetof(struct gcn_wave, plain32) + 1, "read as one");
    LLVMBasicBlockRef own = build_block(f), on = build_block(f);
    LLVMValueRef op = LLVMGetParam(f->function, 1);
    LLVMPositionBuilderAtEnd(f->b, enter);
    LLVMValueRef unit = build_load(f, jit->pointer, offsetof(struct gcn_wave, unit), 8);
    f->ops = LLVMBuildLoad2(f->b, jit->pointer, build_at(f, unit, offsetof(struct gcn_unit, ops)), "");
    LLVMValueRef offset = LLVMBuildSub(
        f->b, LLVMBuildPtrToInt(f->b, op, jit->i64, ""), LLVMBuildPtrToInt(f->b, f->ops, jit->i64, ""), "");
    LLVMValueRef plain = build_load(f, jit->i16, offsetof(struct gcn_wave, plain32), 1);
    LLVMBuildCondBr(f->b, LLVMBuildICmp(f->b, LLVMIntEQ, plain, LLVMConstInt(jit->i16, 0x0101, 0), ""), on, own);
    build_follow(f, on);
    LLVMPositionBuilderAtEnd(f->b, own);
    LLVMValueRef place = LLVMBuildUDiv(f->b, offset, C64(f, sizeof(struct gcn_uop) / sizeof(void *)), "");
    LLVMValueRef table = import_handlers(f);
    LLVMValueRef fn = LLVMBuildInBoundsGEP2(f->b, jit->i8, table, &place, 1, "");
    LLVMValueRef arguments[] = {f->wave, op};
    fn = LLVMBuildLoad2(f->b, jit->pointer, fn, "");
    LLVMBuildRet(f->b, LLVMBuildCall2(f->b, jit->handler, fn, arguments, 2, ""));
    LLVMPositionBuilderAtEnd(f->b, on);
    choose_leader(f, offset, own);
}
