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

static LLVMValueRef id(struct fn *f, bool group, unsigned dim)
{
    static const char *const names[2][3] = {
        {"llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y", "llvm.amdgcn.workitem.id.z"},
        {"llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y", "llvm.amdgcn.workgroup.id.z"}};
    return emit_call0(f->e, names[group][dim]);
}

/* Of the packet; a constant where the kernel requires one. */
static LLVMValueRef group_size(struct fn *f, unsigned dim)
{
    const struct callable *c = &f->l->callables.items[f->self];
    if (c->is_kernel && control_given(&c->control, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE))
        return emit_int(f->e, 32, c->control.value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE][dim]);
    unsigned offset = (unsigned)offsetof(hsa_kernel_dispatch_packet_t, workgroup_size_x) + 2 * dim;
    return emit_resize(f->e, lower_packet_field(f, offset, 16), 32, false);
}

static LLVMValueRef grid_size(struct fn *f, unsigned dim)
{
    return lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, grid_size_x) + 4 * dim, 32);
}

static LLVMValueRef group_start(struct fn *f, unsigned dim)
{
    return LLVMBuildMul(f->e->b, id(f, true, dim), group_size(f, dim), "");
}

static LLVMValueRef absolute_id(struct fn *f, unsigned dim)
{
    return LLVMBuildAdd(f->e->b, group_start(f, dim), id(f, false, dim), "");
}

/* The last group of a dimension may be cut short by the end of the grid. */
static LLVMValueRef current_size(struct fn *f, unsigned dim)
{
    LLVMValueRef left = LLVMBuildSub(f->e->b, grid_size(f, dim), group_start(f, dim), "");
    return emit_int_op(f->e, INT_MIN, false, group_size(f, dim), left);
}

static LLVMValueRef grid_groups(struct fn *f, unsigned dim)
{
    struct emit *e = f->e;
    LLVMValueRef grid = grid_size(f, dim), group = group_size(f, dim);
    LLVMValueRef rest = emit_int_op(e, INT_REM, false, grid, group);
    LLVMValueRef partial = LLVMBuildICmp(e->b, LLVMIntNE, rest, emit_int(e, 32, 0), "");
    return LLVMBuildAdd(e->b, emit_int_op(e, INT_DIV, false, grid, group), emit_resize(e, partial, 32, false), "");
}

typedef LLVMValueRef query(struct fn *f, unsigned dim);

static LLVMValueRef local_id(struct fn *f, unsigned dim)
{
    return id(f, false, dim);
}

/* x + y * size.x + z * size.x * size.y */
static LLVMValueRef flat(struct fn *f, query *position, query *size, unsigned bits)
{
    struct emit *e = f->e;
    LLVMValueRef p[3], s[2];
    for (unsigned i = 0; i < 3; i++)
        p[i] = emit_resize(e, position(f, i), bits, false);
    for (unsigned i = 0; i < 2; i++)
        s[i] = emit_resize(e, size(f, i), bits, false);
    LLVMValueRef rows = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, p[2], s[1], ""), p[1], "");
    return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, rows, s[0], ""), p[0], "");
}

static LLVMValueRef dimensions(struct fn *f)
{
    enum { DIMENSIONS = 3 };
    LLVMValueRef setup = lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, setup), 16);
    return emit_resize(f->e, LLVMBuildAnd(f->e->b, setup, emit_int(f->e, 16, DIMENSIONS), ""), 32, false);
}

bool lower_dispatch(struct fn *f, const struct lang_inst *in)
{
    LLVMValueRef r;
    unsigned type = VALUE_OF(in, TYPE), dim = 0;
    if (in->op->operand_count > 1) {
        uint64_t value = lower_immediate(f, in, 1);
        if (value > 2)
            return fn_fail(f, "dimension %llu is not 0, 1 or 2", (unsigned long long)value);
        dim = (unsigned)value;
    }
    switch (in->op->code) {
    case HSA_BRIG_OPCODE_WORKITEMID: r = id(f, false, dim); break;
    case HSA_BRIG_OPCODE_WORKGROUPID: r = id(f, true, dim); break;
    case HSA_BRIG_OPCODE_WORKITEMABSID: r = absolute_id(f, dim); break;
    case HSA_BRIG_OPCODE_WORKGROUPSIZE: r = group_size(f, dim); break;
    case HSA_BRIG_OPCODE_CURRENTWORKGROUPSIZE: r = current_size(f, dim); break;
    case HSA_BRIG_OPCODE_GRIDSIZE: r = grid_size(f, dim); break;
    case HSA_BRIG_OPCODE_GRIDGROUPS: r = grid_groups(f, dim); break;
    case HSA_BRIG_OPCODE_WORKITEMFLATID: r = flat(f, local_id, group_size, 32); break;
    case HSA_BRIG_OPCODE_CURRENTWORKITEMFLATID: r = flat(f, local_id, current_size, 32); break;
    case HSA_BRIG_OPCODE_WORKITEMFLATABSID: r = flat(f, absolute_id, grid_size, type_bits(type)); break;
    case HSA_BRIG_OPCODE_DIM: r = dimensions(f); break;
    case HSA_BRIG_OPCODE_PACKETID: r = emit_call0(f->e, "llvm.amdgcn.dispatch.id"); break;
    case HSA_BRIG_OPCODE_PACKETCOMPLETIONSIG:
        r = lower_packet_field(f, (unsigned)offsetof(hsa_kernel_dispatch_packet_t, completion_signal), 64);
        break;
    default: return fn_unsupported(f, in);
    }
    return lower_dest(f, in, type, emit_resize(f->e, r, type_bits(type), false));
}
