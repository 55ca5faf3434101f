/* SPDX-License-Identifier: MIT */
/* Moves the variables of a function that is divided to one block of its private memory, whose address its pieces get.
 * Input: a function whose values go from block to block through variables alone. Output: the same with one variable,
 * the frame. Invariant: each use of a variable computes its address in the block where it is. */
#include "finalizer/pieces.h"

#include <stdlib.h>

static bool is_plain_use(LLVMValueRef user, LLVMValueRef place)
{
    if (LLVMIsALoadInst(user))
        return !LLVMGetVolatile(user);
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != place && !LLVMGetVolatile(user);
}

/* Removes what says when the variables of functions that have been inlined are in use: each has its own place. */
static void remove_lifetimes(struct division *d, LLVMValueRef place)
{
    for (LLVMUseRef use = LLVMGetFirstUse(place), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user)))
            continue;
        unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(user));
        if (id && (id == d->lifetime_start || id == d->lifetime_end))
            LLVMInstructionEraseFromParent(user);
    }
}

/* Takes note of the variable at PLACE. */
static void note_variable(struct division *d, LLVMValueRef place)
{
    LLVMTypeRef type = LLVMGetAllocatedType(place);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    remove_lifetimes(d, place);
    unsigned natural = LLVMABIAlignmentOfType(d->session->layout, type), align = LLVMGetAlignment(place);
    struct frame_variable v = {
        place, type, d->variables.count, LLVMABISizeOfType(d->session->layout, type), 0, false, false};
    v.size *= LLVMConstIntGetZExtValue(LLVMGetOperand(place, 0));
    v.align = align > natural ? align : natural;
    v.is_plain = kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind;
    for (LLVMUseRef use = LLVMGetFirstUse(place); use && v.is_plain; use = LLVMGetNextUse(use))
        v.is_plain = is_plain_use(LLVMGetUser(use), place);
    d->failed |= !vec_push(&d->variables, v);
}

bool pieces_find_variables(struct division *d)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(d->function);
    for (LLVMBasicBlockRef block = entry; block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst; inst = LLVMGetNextInstruction(inst)) {
            if (LLVMIsAPHINode(inst))
                return false;
            if (!LLVMIsAAllocaInst(inst))
                continue;
            if (block != entry || !LLVMIsAConstantInt(LLVMGetOperand(inst, 0)))
                return false;
            note_variable(d, inst);
        }
    return !d->failed;
}

/* Before they are laid out, the offsets of variables tell their order. */
static int plain_first(const void *a, const void *b)
{
    const struct frame_variable *x = a, *y = b;
    if (x->is_plain != y->is_plain)
        return x->is_plain ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Lays out the variables, plain ones first, so that most offsets are short. Returns the size of the frame. */
static uint64_t lay_out(struct division *d, unsigned *align)
{
    uint64_t size = 0;
    *align = 4;
    qsort(d->variables.items, d->variables.count, sizeof *d->variables.items, plain_first);
    for (size_t i = 0; i < d->variables.count; i++) {
        struct frame_variable *v = &d->variables.items[i];
        v->offset = (size + v->align - 1) / v->align * v->align;
        size = v->offset + v->size;
        *align = v->align > *align ? v->align : *align;
    }
    return size;
}

LLVMValueRef pieces_address(struct division *d, LLVMValueRef frame, uint64_t offset)
{
    LLVMValueRef index = LLVMConstInt(d->e.i32, offset, 0);
    return LLVMBuildGEP2(d->e.b, d->e.i8, frame, &index, 1, "");
}

/* Has each use of the variable compute its address. */
static void move_variable(struct division *d, struct frame_variable *v)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(v->place)) != NULL;) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMPositionBuilderBefore(d->e.b, user);
        emit_exchange(user, v->place, pieces_address(d, d->frame, v->offset));
    }
    LLVMInstructionEraseFromParent(v->place);
    v->place = NULL;
}

void pieces_make_frame(struct division *d)
{
    unsigned align;
    uint64_t size = lay_out(d, &align);
    LLVMPositionBuilderBefore(d->e.b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->function)));
    d->frame = LLVMBuildAlloca(d->e.b, LLVMArrayType2(d->e.i8, size), "frame");
    LLVMSetAlignment(d->frame, align);
    for (size_t i = 0; i < d->variables.count; i++)
        move_variable(d, &d->variables.items[i]);
}

/* Stores VALUE, which the first block has, in a variable; uses in other blocks load it. */
static LLVMValueRef keep(struct division *d, LLVMValueRef value)
{
    LLVMPositionBuilderBefore(d->e.b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->function)));
    LLVMValueRef place = LLVMBuildAlloca(d->e.b, LLVMTypeOf(value), "");
    LLVMPositionBuilderBefore(d->e.b, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(d->function)));
    LLVMBuildStore(d->e.b, value, place);
    return place;
}

void pieces_keep_arguments(struct division *d)
{
    for (unsigned i = 0; i < LLVMCountParams(d->function); i++) {
        LLVMValueRef argument = LLVMGetParam(d->function, i), place = NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(argument), next; use; use = next) {
            LLVMValueRef user = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            if (LLVMGetInstructionParent(user) == LLVMGetEntryBasicBlock(d->function))
                continue;
            if (!place)
                place = keep(d, argument);
            LLVMPositionBuilderBefore(d->e.b, user);
            emit_exchange(user, argument, LLVMBuildLoad2(d->e.b, LLVMTypeOf(argument), place, ""));
            next = LLVMGetFirstUse(argument);
        }
    }
}

void pieces_keep_kernarg(struct division *d)
{
    static const char name[] = "llvm.amdgcn.kernarg.segment.ptr";
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(d->function);
    LLVMValueRef intrinsic = LLVMGetNamedFunction(d->session->module, name), place = NULL;
    for (LLVMUseRef use = intrinsic ? LLVMGetFirstUse(intrinsic) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
        if (block == entry || LLVMGetBasicBlockParent(block) != d->function)
            continue;
        if (!place) {
            LLVMPositionBuilderBefore(d->e.b, LLVMGetBasicBlockTerminator(entry));
            place = keep(d, LLVMBuildCall2(d->e.b, LLVMGlobalGetValueType(intrinsic), intrinsic, NULL, 0, ""));
        }
        LLVMPositionBuilderBefore(d->e.b, call);
        LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(d->e.b, LLVMTypeOf(call), place, ""));
        LLVMInstructionEraseFromParent(call);
    }
}

struct frame_variable *pieces_variable(struct division *d, uint64_t offset)
{
    size_t low = 0, high = d->variables.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (d->variables.items[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &d->variables.items[low];
}
