/* SPDX-License-Identifier: MIT */
/* The processors that the software GPU executes, and what decoder, printer, translator and dispatch ask of them.
 *
 * runtime/gcn/tables/target.def lists them; which operations a processor has is said by tables/op*.def (OP_ON rows). */
#ifndef RUNTIME_GCN_GCN_TARGET_H
#define RUNTIME_GCN_GCN_TARGET_H

#include "runtime/gcn/inst/inst.h"
#include "support/amdgpu.h"

/* GCN_HWREG_MODE, GCN_SENDMSG_INTERRUPT, ...: names for what machine code numbers, which are the same for all
 * processors; 0 is nothing. */
enum gcn_hwreg {
    GCN_HWREG_NONE,
#define HWREG(id) GCN_HWREG_##id,
#include "runtime/gcn/tables/number.def"
#undef HWREG
};

enum gcn_sendmsg {
    GCN_SENDMSG_NONE,
#define SENDMSG(id) GCN_SENDMSG_##id,
#include "runtime/gcn/tables/number.def"
#undef SENDMSG
};

extern const char *const gcn_hwreg_name[], *const gcn_sendmsg_name[];

/* Bits of a word: the number of the lowest one, and how many there are; no field if WIDTH is 0. */
struct gcn_field {
    uint8_t low, width;
};

static inline uint32_t gcn_field(uint32_t word, struct gcn_field field)
{
    return word >> field.low & (uint32_t)((UINT64_C(1) << field.width) - 1);
}

/* The fields of COMPUTE_PGM_RSRC1 and 2, in a kernel descriptor, that decide what a wave starts with. */
struct gcn_descriptor_fields {
    struct gcn_field vgprs, float_mode, dx10_clamp, ieee, fp16_ovfl;                  /* in the first */
    struct gcn_field scratch, user_sgprs, group_id, group_info, item_ids, exceptions; /* in the second */
    struct gcn_field accumulation; /* in the third: a quarter of the number where accumulation registers begin, - 1 */
};

/* Where machine code of one kind has its opcodes, and which numbers it gives to registers and messages. */
struct gcn_layout {
    uint8_t sgprs;                     /* how many scalar registers have numbers; the codes after them have names */
    uint16_t vop3[GCN_ENCODING_COUNT]; /* by home encoding: the opcode that its operation 0 has in VOP3 */
    struct gcn_field vm[2], exp, lgkm; /* fields of s_waitcnt; vmcnt has two */
    /* Accumulation registers extend the vector registers: matrices and memory operations choose between them, groups
     * begin at even numbers, work-item ids share a register. Atomics of floats outside of group memory may give the old
     * value, and operations on 64 bits take data-parallel primitives. */
    bool unified;
    uint8_t hwreg[64];   /* enum gcn_hwreg by its number */
    uint8_t message[16]; /* enum gcn_sendmsg by its number */
    struct gcn_descriptor_fields descriptor;
};

enum { GCN_OPCODES = 256 }; /* of an encoding, after subtracting the base in gcn_layout.vop3 */

struct gcn_target {
    const struct amdgpu_processor *processor;
    const struct gcn_layout *layout;
    char isa[AMDGPU_NAME_SIZE];                      /* the target id that agents report */
    uint16_t op_of[GCN_ENCODING_COUNT][GCN_OPCODES]; /* operation + 1 by home encoding and opcode; 0: none */
};

/* The target of the processor called NAME, of LENGTH bytes; NULL if the software GPU does not execute it. Thread-safe;
 * the result is constant and lives for ever. */
const struct gcn_target *gcn_target_find(const char *name, size_t length);

/* Target NUMBER in the order of the table, or NULL if there are fewer. Agents are of number 0 by default. */
const struct gcn_target *gcn_target_number(size_t number);

/* How many vector memory operations may be outstanding after an s_waitcnt with the immediate IMM. */
static inline uint32_t gcn_waitcnt_vm(const struct gcn_layout *layout, uint32_t imm)
{
    return gcn_field(imm, layout->vm[0]) | gcn_field(imm, layout->vm[1]) << layout->vm[0].width;
}

/* Opcode of OP in VOP3, VOP3P included. */
static inline unsigned gcn_vop3_opcode(const struct gcn_target *target, enum gcn_op op)
{
    const struct gcn_op_info *info = &gcn_op_info[op];
    return info->opcode + (info->encoding == GCN_VOP3 ? 0u : target->layout->vop3[info->encoding]);
}

/* Whether TARGET has OP. */
static inline bool gcn_target_has(const struct gcn_target *target, enum gcn_op op)
{
    const struct gcn_op_info *info = &gcn_op_info[op];
    unsigned first = info->encoding == GCN_VOP3 ? target->layout->vop3[GCN_VOP3] : 0;
    return target->op_of[info->encoding][info->opcode - first] == op + 1;
}

#endif
