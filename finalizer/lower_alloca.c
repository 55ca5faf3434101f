/* SPDX-License-Identifier: MIT */
/* Private memory that is taken at run time (PRM 10.10).
 * Input: alloca instructions. Output: code that takes memory from a pool of the work-item's, and gives it back when
 * the function returns; an alloca of known size that runs once is an ordinary variable.
 *
 * LLVM cannot grow the stack by sizes that differ between work-items. A kernel that may allocate has a pool of two
 * parts: a small one in its own frame, and all that the dispatch packet grants beyond what the kernel needs otherwise.
 * Memory is taken from the top of a part down. Four words in the kernel's frame say what is free; every function gets
 * their address. Invariant: memory outside of the pool is never handed out: a work-item that asks for more than there
 * is stops the queue. */
#include "finalizer/lower.h"

#include "hsa/amd_hsa_kernel_code.h"
#include "hsa/hsa.h"

#include <string.h>

/* The parts of a pool; each has a word for the end of the free memory and one for its start. */
enum { NEAR, FAR, PARTS, TOP = 0, BASE = 1 };
enum { NEAR_SIZE = 4096, LARGEST_ALIGN = 256, LARGEST_VARIABLE = 1 << 20 };

/* Whether the operand is a label at or before PLACE, or a list with such a label. */
static bool goes_back(const struct brig_view *view, uint32_t operand, uint32_t place)
{
    const hsa_brig_base_t *entry = brig_operand(view, operand);
    struct brig_list targets = {NULL, 0};
    if (entry->kind == HSA_BRIG_KIND_OPERAND_CODE_REF)
        targets = (struct brig_list){&((const hsa_brig_operand_code_ref_t *)(const void *)entry)->ref, 1};
    else if (entry->kind == HSA_BRIG_KIND_OPERAND_CODE_LIST)
        targets = brig_list(view, ((const hsa_brig_operand_code_list_t *)(const void *)entry)->elements);
    for (uint32_t i = 0; i < targets.count; i++)
        if (targets.items[i] <= place && brig_code(view, targets.items[i])->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL)
            return true;
    return false;
}

static bool branches_back(const struct brig_view *view, const struct lang_inst *in, uint32_t place)
{
    for (uint32_t i = 0; i < in->operands.count; i++)
        if (goes_back(view, in->operands.items[i], place))
            return true;
    return false;
}

/* Whether a branch at or after the current instruction goes back to a label before it, so that it may run again. */
static bool may_repeat(struct fn *f)
{
    const struct callable *c = &f->l->callables.items[f->self];
    for (uint32_t at = f->at; at < c->directive->next_module_entry; at = brig_next_code(f->view, at)) {
        struct lang_inst in;
        if (brig_is_inst(brig_code(f->view, at)) && lang_load(f->view, at, &in) && branches_back(f->view, &in, f->at))
            return true;
    }
    return false;
}

/* Whether an alloca's size is only known at run time, or too large for a variable. */
static bool is_open(const struct brig_view *view, const struct lang_inst *in)
{
    const hsa_brig_operand_constant_bytes_t *size = (const void *)brig_operand(view, in->operands.items[1]);
    if (size->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        return size->base.kind != HSA_BRIG_KIND_OPERAND_WAVESIZE;
    struct bytes bytes = brig_bytes(view, size->bytes);
    uint64_t value = 0;
    memcpy(&value, bytes.data, bytes.size < sizeof value ? bytes.size : sizeof value);
    return value > LARGEST_VARIABLE;
}

void lower_note_alloca(struct lower *l, struct callable *c, const struct lang_inst *in, uint32_t at)
{
    const struct brig_view *view = l->modules[c->module].view;
    if (in->op->code == HSA_BRIG_OPCODE_ALLOCA && in->operands.count > 1) {
        c->last_alloca = at;
        c->allocates |= is_open(view, in);
    } else if (c->last_alloca && !c->allocates) {
        c->allocates = branches_back(view, in, c->last_alloca);
    }
    l->allocates |= c->allocates;
}

static LLVMValueRef word_place(struct fn *f, LLVMBuilderRef b, LLVMValueRef pool, unsigned part, unsigned word)
{
    LLVMValueRef index = emit_int(f->e, 32, 4 * (2 * part + word));
    return LLVMBuildGEP2(b, f->e->i8, pool, &index, 1, "");
}

static LLVMValueRef pool_word(struct fn *f, unsigned part, unsigned word)
{
    return LLVMBuildLoad2(f->e->b, f->e->i32, word_place(f, f->e->b, f->pool, part, word), "");
}

static void set_word(struct fn *f, unsigned part, unsigned word, LLVMValueRef value)
{
    LLVMBuildStore(f->e->b, value, word_place(f, f->e->b, f->pool, part, word));
}

/* Has the kernel told where its wave's private memory begins. LLVM asks for that only if variables are left on the
 * stack, but uses the register in any case. */
static void keep_stack(struct fn *f)
{
    LLVMValueRef kept = fn_alloca(f, f->e->i32, 4);
    LLVMSetVolatile(LLVMBuildStore(f->e->b, emit_int(f->e, 32, 0), kept), true);
}

/* Makes the pool of a kernel. Nothing else uses the private memory between the size in the kernel's descriptor and the
 * size that the packet grants. */
static void make_pool(struct fn *f)
{
    struct emit *e = f->e;
    keep_stack(f);
    f->pool = fn_alloca(f, LLVMArrayType2(e->i32, 2 * (uint64_t)PARTS), 4);
    LLVMValueRef memory = fn_alloca(f, LLVMArrayType2(e->i8, NEAR_SIZE), LARGEST_ALIGN);
    LLVMValueRef near = LLVMBuildPtrToInt(e->b, memory, e->i32, "");
    LLVMValueRef object = lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, kernel_object), 64);
    object =
        LLVMBuildAdd(e->b, object, emit_int(e, 64, offsetof(amd_kernel_descriptor_t, private_segment_fixed_size)), "");
    LLVMValueRef fixed = LLVMBuildLoad2(e->b, e->i32, lower_to_pointer(f, object, HSA_BRIG_SEGMENT_GLOBAL), "");
    LLVMValueRef granted =
        lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, private_segment_size), 32);
    set_word(f, NEAR, BASE, near);
    set_word(f, NEAR, TOP, LLVMBuildAdd(e->b, near, emit_int(e, 32, NEAR_SIZE), ""));
    set_word(f, FAR, BASE, fixed);
    set_word(f, FAR, TOP, emit_int_op(e, INT_MAX, false, fixed, granted));
}

void alloca_open(struct fn *f, const struct callable *c)
{
    if (!f->l->allocates)
        return;
    if (c->is_kernel && c->is_dynamic)
        make_pool(f);
    else if (c->is_kernel)
        f->pool = LLVMConstNull(f->e->ptr[SPACE_PRIVATE]);
    if (c->is_kernel || !c->allocates)
        return;
    f->pool_before = fn_alloca(f, LLVMArrayType2(f->e->i32, PARTS), 4);
    for (unsigned part = 0; part < PARTS; part++)
        LLVMBuildStore(f->e->b, pool_word(f, part, TOP), word_place(f, f->e->b, f->pool_before, 0, part));
}

void alloca_leave(struct fn *f)
{
    for (unsigned part = 0; f->pool_before && part < PARTS; part++)
        set_word(f, part, TOP, LLVMBuildLoad2(f->e->b, f->e->i32, word_place(f, f->e->b, f->pool_before, 0, part), ""));
}

/* Builds where SIZE bytes at the end of a part of the pool begin (*START), and whether the part has so many. */
static LLVMValueRef fits_in(struct fn *f, unsigned part, LLVMValueRef size, uint32_t align, LLVMValueRef *start)
{
    struct emit *e = f->e;
    LLVMValueRef top = pool_word(f, part, TOP), base = pool_word(f, part, BASE);
    *start = LLVMBuildAnd(e->b, LLVMBuildSub(e->b, top, size, ""), emit_int(e, 32, -(uint64_t)align & UINT32_MAX), "");
    LLVMValueRef small = LLVMBuildICmp(e->b, LLVMIntULE, size, LLVMBuildSub(e->b, top, base, ""), "");
    return LLVMBuildAnd(e->b, small, LLVMBuildICmp(e->b, LLVMIntUGE, *start, base, ""), "");
}

static LLVMValueRef take(struct fn *f, LLVMValueRef size, uint32_t align)
{
    struct emit *e = f->e;
    LLVMValueRef start[PARTS], fits[PARTS], left[PARTS];
    for (unsigned part = 0; part < PARTS; part++) {
        left[part] = pool_word(f, part, TOP);
        fits[part] = fits_in(f, part, size, align, &start[part]);
    }
    LLVMBasicBlockRef full = emit_block(e, ""), taken = emit_block(e, "");
    LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, fits[NEAR], fits[FAR], ""), taken, full);
    LLVMPositionBuilderAtEnd(e->b, full);
    emit_call0(e, "llvm.trap");
    LLVMBuildBr(e->b, taken);
    LLVMPositionBuilderAtEnd(e->b, taken);
    set_word(f, NEAR, TOP, emit_select(e, fits[NEAR], start[NEAR], left[NEAR]));
    set_word(f, FAR, TOP, emit_select(e, fits[NEAR], left[FAR], start[FAR]));
    return emit_select(e, fits[NEAR], start[NEAR], start[FAR]);
}

bool lower_alloca(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    uint32_t align = lower_align(VALUE_OF(in, ALIGN));
    if (is_open(f->view, in) || may_repeat(f))
        return lower_dest(f, in, HSA_BRIG_TYPE_U32, take(f, lower_source(f, in, 1, HSA_BRIG_TYPE_U32), align));
    bool is_wave = lower_operand_kind(f, in, 1) == HSA_BRIG_KIND_OPERAND_WAVESIZE;
    uint64_t size = is_wave ? e->target->wave : lower_immediate(f, in, 1);
    LLVMValueRef place = fn_alloca(f, LLVMArrayType2(e->i8, size ? size : 1), align);
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, LLVMBuildPtrToInt(e->b, place, e->i32, ""));
}
