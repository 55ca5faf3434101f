/* SPDX-License-Identifier: MIT */
/* Where a work-item is, and what its dispatch is (PRM 11.1).
 * Input: the query. Output: its value, from the registers a wave starts with and the dispatch packet. */
#include "finalizer/lower.h"

#include "hsa/hsa.h"

LLVMValueRef lower_packet_field(struct fn *f, unsigned offset, unsigned bits)
{
    struct emit *e = f->e;
    LLVMValueRef index = emit_int(e, 32, offset), packet = emit_call0(e, "llvm.amdgcn.dispatch.ptr");
    LLVMValueRef value =
        LLVMBuildLoad2(e->b, emit_int_type(e, bits), LLVMBuildGEP2(e->b, e->i8, packet, &index, 1, ""), "");
    LLVMSetAlignment(value, bits / 8);
    return value;
}

LLVMValueRef query_local_id(struct fn *f, unsigned dim)
{
    static const char *const names[] = {
        "llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y", "llvm.amdgcn.workitem.id.z"};
    LLVMValueRef id = emit_call0(f->e, names[dim]);
    emit_below(f->e, id, lower_control_most_items(&f->l->callables.items[f->self], dim));
    return id;
}

LLVMValueRef query_group_id(struct fn *f, unsigned dim)
{
    static const char *const names[] = {
        "llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y", "llvm.amdgcn.workgroup.id.z"};
    return emit_call0(f->e, names[dim]);
}

/* The size is in the dispatch packet; it is a constant when the kernel requires a certain size. */
LLVMValueRef query_group_size(struct fn *f, unsigned dim)
{
    const struct callable *c = &f->l->callables.items[f->self];
    if (c->is_kernel && control_given(&c->control, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE))
        return emit_int(f->e, 32, c->control.value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE][dim]);
    /* Words of the packet are loaded, as LLVM loads half words into vector registers if there are two of them. */
    unsigned offset = (unsigned)offsetof(hsa_kernel_dispatch_packet_t, workgroup_size_x) + 2 * (dim & ~1u);
    LLVMValueRef word = lower_packet_field(f, offset, 32);
    if (dim & 1)
        return LLVMBuildLShr(f->e->b, word, emit_int(f->e, 32, 16), "");
    return LLVMBuildAnd(f->e->b, word, emit_int(f->e, 32, UINT16_MAX), "");
}

LLVMValueRef query_grid_size(struct fn *f, unsigned dim)
{
    return lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, grid_size_x) + 4 * dim, 32);
}

static LLVMValueRef group_start(struct fn *f, unsigned dim)
{
    return LLVMBuildMul(f->e->b, query_group_id(f, dim), query_group_size(f, dim), "");
}

LLVMValueRef query_absolute_id(struct fn *f, unsigned dim)
{
    return LLVMBuildAdd(f->e->b, group_start(f, dim), query_local_id(f, dim), "");
}

/* The last group of a dimension may be cut short by the end of the grid. */
LLVMValueRef query_current_size(struct fn *f, unsigned dim)
{
    LLVMValueRef left = LLVMBuildSub(f->e->b, query_grid_size(f, dim), group_start(f, dim), "");
    return emit_int_op(f->e, INT_MIN, false, query_group_size(f, dim), left);
}

LLVMValueRef query_grid_groups(struct fn *f, unsigned dim)
{
    struct emit *e = f->e;
    LLVMValueRef grid = query_grid_size(f, dim), group = query_group_size(f, dim);
    LLVMValueRef rest = emit_int_op(e, INT_REM, false, grid, group);
    LLVMValueRef partial = LLVMBuildICmp(e->b, LLVMIntNE, rest, emit_int(e, 32, 0), "");
    return LLVMBuildAdd(e->b, emit_int_op(e, INT_DIV, false, grid, group), emit_resize(e, partial, 32, false), "");
}

/* x + y * size.x + z * size.x * size.y */
bool lower_flat(struct fn *f, const struct lang_inst *in, lower_query_fn *position, lower_query_fn *size)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), bits = type_bits(type);
    LLVMValueRef p[3], s[2];
    for (unsigned i = 0; i < 3; i++)
        p[i] = emit_resize(e, position(f, i), bits, false);
    for (unsigned i = 0; i < 2; i++)
        s[i] = emit_resize(e, size(f, i), bits, false);
    LLVMValueRef rows = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, p[2], s[1], ""), p[1], "");
    return lower_dest(f, in, type, LLVMBuildAdd(e->b, LLVMBuildMul(e->b, rows, s[0], ""), p[0], ""));
}

LLVMValueRef query_dimensions(struct fn *f, unsigned dim)
{
    (void)dim;
    enum { DIMENSIONS = 3 };
    LLVMValueRef setup = lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, setup), 16);
    return emit_resize(f->e, LLVMBuildAnd(f->e->b, setup, emit_int(f->e, 16, DIMENSIONS), ""), 32, false);
}

LLVMValueRef query_packet_id(struct fn *f, unsigned dim)
{
    (void)dim;
    return emit_call0(f->e, "llvm.amdgcn.dispatch.id");
}

LLVMValueRef query_completion_signal(struct fn *f, unsigned dim)
{
    (void)dim;
    return lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, completion_signal), 64);
}

bool lower_query(struct fn *f, const struct lang_inst *in, lower_query_fn *query)
{
    unsigned type = VALUE_OF(in, TYPE), dim = 0;
    if (in->op->operand_count > 1) {
        uint64_t value = lower_immediate(f, in, 1);
        if (value > 2)
            return fn_fail(f, OPERAND_DIMENSION, (unsigned long long)value);
        dim = (unsigned)value;
    }
    return lower_dest(f, in, type, emit_resize(f->e, query(f, dim), type_bits(type), false));
}
