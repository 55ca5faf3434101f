/* SPDX-License-Identifier: MIT */
/* Barriers, fbarriers and lane operations (PRM 9).
 * Input: the instruction. Output: the machine's barrier, or group memory shared by the waves of a work-group.
 *
 * An fbarrier is 16 bytes of group memory: the number of waves that arrived, the number that joined, and a
 * generation that grows whenever all have arrived. One lane acts for its wave. The two numbers share one 64-bit
 * word, so that exactly one wave finds itself the last to arrive. */
#include "finalizer/lower.h"

enum { FBARRIER_COUNTS = 0, FBARRIER_GENERATION = 8 };

static const struct atomic_place group_place = {
    SPACE_GROUP, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_WORKGROUP};

/* HSAIL's barriers are not fences, but the examples in its manual rely on them as such, and it costs little to
 * comply. */
bool lower_barrier(struct fn *f, const struct lang_inst *in)
{
    (void)in;
    emit_fence(f->e, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_WORKGROUP);
    emit_call0(f->e, "llvm.amdgcn.s.barrier");
    emit_fence(f->e, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_WORKGROUP);
    return true;
}

bool lower_wavebarrier(struct fn *f, const struct lang_inst *in)
{
    (void)in;
    emit_fence(f->e, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_WAVEFRONT);
    emit_call0(f->e, "llvm.amdgcn.wave.barrier");
    emit_fence(f->e, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_WAVEFRONT);
    return true;
}

/* The active lanes for which CONDITION holds, as a mask of 64 bits. LLVM must not see what it compares
 * (doc/decisions/llvm-ballot.md), nor that the mask of all active lanes is EXEC (doc/decisions/llvm-late-exec.md). */
static LLVMValueRef ballot(struct fn *f, LLVMValueRef condition)
{
    struct emit *e = f->e;
    LLVMTypeRef type = emit_int_type(e, e->target->wave);
    bool is_constant = LLVMIsConstant(condition);
    if (!is_constant) {
        condition = emit_opaque(e, emit_resize(e, condition, 32, false));
        condition = LLVMBuildICmp(e->b, LLVMIntNE, condition, emit_int(e, 32, 0), "");
    }
    LLVMValueRef lanes = emit_call(e, "llvm.amdgcn.ballot", &type, 1, &condition, 1);
    return emit_resize(e, is_constant ? emit_opaque(e, lanes) : lanes, 64, false);
}

/* The number of lanes in MASK before the current one. */
static LLVMValueRef lanes_before(struct fn *f, LLVMValueRef mask)
{
    struct emit *e = f->e;
    LLVMValueRef low = emit_resize(e, mask, 32, false), none = emit_int(e, 32, 0);
    LLVMValueRef high = emit_upper_half(e, mask);
    LLVMValueRef count = emit_call(e, "llvm.amdgcn.mbcnt.lo", NULL, 0, (LLVMValueRef[]){low, none}, 2);
    count = emit_call(e, "llvm.amdgcn.mbcnt.hi", NULL, 0, (LLVMValueRef[]){high, count}, 2);
    emit_below(e, count, e->target->wave);
    return count;
}

static LLVMValueRef fbarrier_field(struct fn *f, LLVMValueRef fbarrier, unsigned offset)
{
    LLVMValueRef index = emit_int(f->e, 32, offset);
    return LLVMBuildGEP2(f->e->b, f->e->i8, fbarrier, &index, 1, "");
}

/* The address of the fbarrier that an operand names or, if it is a register, points to. */
static LLVMValueRef fbarrier_operand(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(f->view, in->operands.items[index]);
    if (ref->base.kind != HSA_BRIG_KIND_OPERAND_CODE_REF)
        return lower_to_pointer(f, lower_source(f, in, index, HSA_BRIG_TYPE_U32), HSA_BRIG_SEGMENT_GROUP);
    const struct variable *v = fn_variable(f, ref->ref);
    if (!v || !v->is_fbarrier) {
        fn_fail(f, OPERAND_FBARRIER);
        return LLVMConstNull(f->e->ptr[SPACE_GROUP]);
    }
    return lower_to_pointer(f, emit_int(f->e, 32, v->address), HSA_BRIG_SEGMENT_GROUP);
}

/* Makes the first active lane add CHANGE to the counts and, if MAY_OPEN and all members have then arrived, open the
 * fbarrier. */
static void change_counts(struct fn *f, LLVMValueRef fbarrier, uint64_t change, bool may_open)
{
    struct emit *e = f->e;
    LLVMBasicBlockRef elected = emit_block(e, ""), open = emit_block(e, ""), after = emit_block(e, "");
    LLVMValueRef position = lanes_before(f, ballot(f, emit_int(e, 1, 1)));
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, position, emit_int(e, 32, 0), ""), elected, after);
    LLVMPositionBuilderAtEnd(e->b, elected);
    LLVMValueRef counts = fbarrier_field(f, fbarrier, FBARRIER_COUNTS), delta = emit_int(e, 64, change);
    LLVMValueRef now = LLVMBuildAdd(e->b, emit_atomic_rmw(e, group_place, "add", counts, delta), delta, "");
    LLVMValueRef arrived = emit_resize(e, now, 32, false);
    LLVMValueRef members = emit_upper_half(e, now);
    LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, arrived, members, "");
    LLVMBuildCondBr(e->b, may_open ? all : emit_int(e, 1, 0), open, after);
    LLVMPositionBuilderAtEnd(e->b, open);
    emit_atomic_rmw(e, group_place, "sub", counts, emit_resize(e, arrived, 64, false));
    emit_atomic_rmw(e, group_place, "add", fbarrier_field(f, fbarrier, FBARRIER_GENERATION), emit_int(e, 32, 1));
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}

static void wait_fbarrier(struct fn *f, LLVMValueRef fbarrier)
{
    struct emit *e = f->e;
    LLVMValueRef place = fbarrier_field(f, fbarrier, FBARRIER_GENERATION);
    LLVMValueRef none = emit_int(e, 32, 0), before = emit_atomic_rmw(e, group_place, "or", place, none);
    change_counts(f, fbarrier, 1, true);
    LLVMBasicBlockRef test = emit_block(e, ""), rest = emit_block(e, ""), after = emit_block(e, "");
    LLVMBuildBr(e->b, test);
    LLVMPositionBuilderAtEnd(e->b, test);
    LLVMValueRef now = emit_atomic_rmw(e, group_place, "or", place, none);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, now, before, ""), after, rest);
    LLVMPositionBuilderAtEnd(e->b, rest);
    LLVMValueRef cycles = emit_int(e, 32, 1);
    emit_call(e, "llvm.amdgcn.s.sleep", NULL, 0, &cycles, 1);
    LLVMBuildBr(e->b, test);
    LLVMPositionBuilderAtEnd(e->b, after);
}

bool lower_initfbar(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef fbarrier = fbarrier_operand(f, in, 0);
    emit_atomic_store(e, group_place, fbarrier_field(f, fbarrier, FBARRIER_COUNTS), emit_int(e, 64, 0));
    emit_atomic_store(e, group_place, fbarrier_field(f, fbarrier, FBARRIER_GENERATION), emit_int(e, 32, 0));
    return true;
}

bool lower_fbarrier_counts(struct fn *f, const struct lang_inst *in, uint64_t change, bool may_open)
{
    change_counts(f, fbarrier_operand(f, in, 0), change, may_open);
    return true;
}

bool lower_waitfbar(struct fn *f, const struct lang_inst *in)
{
    wait_fbarrier(f, fbarrier_operand(f, in, 0));
    return true;
}

/* There is nothing to release, as an fbarrier only uses memory of the work-group; but the operand is checked. */
bool lower_releasefbar(struct fn *f, const struct lang_inst *in)
{
    fbarrier_operand(f, in, 0);
    return true;
}

bool lower_ldf(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef fbarrier = fbarrier_operand(f, in, 1);
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, LLVMBuildPtrToInt(f->e->b, fbarrier, f->e->i32, ""));
}

/* Whether the machine can read a word from any lane of the wave at once: GFX6 and GFX7 cannot, and later than GFX9 only
 * within each half of 64 lanes. */
static bool has_permute(const struct target *target)
{
    enum amdgpu_generation_id generation = target_generation(target);
    return generation >= AMDGPU_GFX8 && (target->wave == 32 || generation < AMDGPU_GFX10);
}

/* Reads WORD, of 32 bits, from lane LANE: looks at one lane after the other. */
static LLVMValueRef search_lanes(struct fn *f, LLVMValueRef word, LLVMValueRef lane)
{
    struct emit *e = f->e;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), loop = emit_block(e, ""), after = emit_block(e, "");
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef number = LLVMBuildPhi(e->b, e->i32, ""), found = LLVMBuildPhi(e->b, e->i32, "");
    LLVMValueRef there = emit_call(e, "llvm.amdgcn.readlane", &e->i32, 1, (LLVMValueRef[]){word, number}, 2);
    LLVMValueRef is_it = LLVMBuildICmp(e->b, LLVMIntEQ, lane, number, "");
    LLVMValueRef next = LLVMBuildAdd(e->b, number, emit_int(e, 32, 1), ""), now = emit_select(e, is_it, there, found);
    LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntULT, next, emit_int(e, 32, e->target->wave), "");
    LLVMBuildCondBr(e->b, more, loop, after);
    LLVMAddIncoming(number, (LLVMValueRef[]){emit_int(e, 32, 0), next}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMAddIncoming(found, (LLVMValueRef[]){emit_int(e, 32, 0), now}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMPositionBuilderAtEnd(e->b, after);
    return now;
}

/* Reads VALUE from lane LANE, 32 bits at a time. */
static LLVMValueRef read_lane(struct fn *f, LLVMValueRef value, LLVMValueRef lane)
{
    struct emit *e = f->e;
    unsigned bits = emit_width(value), whole = bits < 32 ? 32 : bits;
    LLVMValueRef wide = emit_resize(e, value, whole, false), result = emit_int(e, whole, 0);
    LLVMValueRef address = LLVMBuildShl(e->b, lane, emit_int(e, 32, 2), "");
    for (unsigned at = 0; at < whole; at += 32) {
        LLVMValueRef part = emit_resize(e, LLVMBuildLShr(e->b, wide, emit_int(e, whole, at), ""), 32, false);
        part = has_permute(e->target)
                   ? emit_call(e, "llvm.amdgcn.ds.bpermute", NULL, 0, (LLVMValueRef[]){address, part}, 2)
                   : search_lanes(f, part, lane);
        part = LLVMBuildShl(e->b, emit_resize(e, part, whole, false), emit_int(e, whole, at), "");
        result = emit_or(e, result, part);
    }
    return emit_resize(e, result, bits, false);
}

bool lower_lanepermute(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef lane =
        LLVMBuildAnd(e->b, lower_source(f, in, 2, HSA_BRIG_TYPE_U32), emit_int(e, 32, e->target->wave - 1), "");
    LLVMValueRef value = read_lane(f, lower_source(f, in, 1, type), lane);
    LLVMValueRef active = LLVMBuildLShr(e->b, ballot(f, emit_int(e, 1, 1)), emit_resize(e, lane, 64, false), "");
    LLVMValueRef inactive = LLVMBuildNot(e->b, emit_resize(e, active, 1, false), "");
    LLVMValueRef own = LLVMBuildOr(e->b, inactive, lower_source(f, in, 4, HSA_BRIG_TYPE_B1), "");
    return lower_dest(f, in, type, emit_select(e, own, lower_source(f, in, 3, type), value));
}

bool lower_lanecount(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef count = emit_call1(f->e, "llvm.ctpop", ballot(f, lower_source(f, in, 1, HSA_BRIG_TYPE_B1)));
    return lower_dest(f, in, VALUE_OF(in, TYPE), emit_resize(f->e, count, 32, false));
}

bool lower_laneid(struct fn *f, const struct lang_inst *in)
{
    return lower_dest(f, in, VALUE_OF(in, TYPE), lanes_before(f, ballot(f, emit_int(f->e, 1, 1))));
}

bool lower_lanemask(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef mask = ballot(f, lower_source(f, in, 1, HSA_BRIG_TYPE_B1));
    struct brig_list words = lower_elements(f, in, 0);
    for (uint32_t i = 0; i < words.count; i++)
        lower_store(f, words.items[i], HSA_BRIG_TYPE_B64, i ? emit_int(f->e, 64, 0) : mask);
    return true;
}
