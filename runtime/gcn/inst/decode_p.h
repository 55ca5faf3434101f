/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the decoder. All functions that return a status return the first reason to refuse the bytes,
 * or GCN_DECODE_OK. */
#ifndef RUNTIME_GCN_DECODE_P_H
#define RUNTIME_GCN_DECODE_P_H

#include "runtime/gcn/inst/decode.h"

/* An instruction while it is being decoded. */
struct gcn_decoder {
    const struct gcn_target *target;
    const struct gcn_op_info *info;
    struct gcn_inst *inst;
    uint32_t w0, w1; /* w1 is 0 unless have_w1 */
    bool have_w1;
};

/* What a source operand may be. */
enum {
    GCN_ALLOW_SCALAR = 1, /* scalar registers, inline constants, special sources */
    GCN_ALLOW_VECTOR = 2,
    GCN_ALLOW_LITERAL = 4,
    GCN_ALLOW_LDS = 8, /* LDS_DIRECT, for operands of at most 32 bits */
    GCN_ALLOW_VALU = GCN_ALLOW_SCALAR | GCN_ALLOW_VECTOR | GCN_ALLOW_LDS,
};

/* A group of REGISTERS scalar registers at CODE, 0..127; misaligned groups are rounded down, as the hardware
 * does. */
enum gcn_decode_status gcn_scalar_operand(unsigned code, unsigned registers, struct gcn_operand *to);
/* REGISTERS vector registers from NUMBER on, which must be even for groups where the target asks for that. */
enum gcn_decode_status gcn_vector_operand(const struct gcn_decoder *c, unsigned number, unsigned registers,
                                          struct gcn_operand *to);
/* Makes an accumulation register of a vector register. */
void gcn_accumulate(struct gcn_operand *operand);
/* Source SLOT of the operation from its 9-bit CODE; ALLOW: GCN_ALLOW_... */
enum gcn_decode_status gcn_source_operand(struct gcn_decoder *c, unsigned slot, unsigned code, unsigned allow);
/* The bit pattern of the inline constant CODE as an operand of TYPE. */
uint64_t gcn_inline_value(unsigned code, enum gcn_type type);
/* Sets op and info; false if the target has no operation OPCODE in ENCODING (in VOP3: counted from
 * layout->vop3[GCN_VOP3]). */
bool gcn_find_op(struct gcn_decoder *c, enum gcn_encoding encoding, unsigned opcode);

/* Whether the operation of FLAT or MUBUF is one on floats: those return the old value from gfx90a on only, and do not
 * go beyond the agent. */
static inline bool gcn_takes_floats(const struct gcn_decoder *c)
{
    return c->info->src[1] == GCN_T_F64 || c->inst->op == GCN_OP_flat_atomic_add_f32 ||
           c->inst->op == GCN_OP_flat_atomic_pk_add_f16 || c->inst->op == GCN_OP_buffer_atomic_add_f32 ||
           c->inst->op == GCN_OP_buffer_atomic_pk_add_f16;
}

/* Whether such an operation is refused because of its flags. */
static inline bool gcn_refuses_flags(const struct gcn_decoder *c)
{
    unsigned refused = c->target->layout->unified ? GCN_MEM_SCC : GCN_MEM_GLC;
    return c->inst->mem.flags & refused && c->info->flags & GCN_F_ATOMIC && gcn_takes_floats(c);
}

enum gcn_decode_status gcn_decode_vop12c(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_vop3(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_vintrp(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_exp(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_ds(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_flat(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_buffer(struct gcn_decoder *c);
enum gcn_decode_status gcn_decode_mimg(struct gcn_decoder *c);

#endif
