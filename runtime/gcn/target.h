/* SPDX-License-Identifier: MIT */
/* The processors that the software GPU executes, and what decoder, printer, translator and dispatch ask of them.
 *
 * tables/target.def lists them; which operations a processor has is said by tables/op*.def (OP_ON rows). */
#ifndef RUNTIME_GCN_TARGET_H
#define RUNTIME_GCN_TARGET_H

#include "runtime/gcn/inst.h"
#include "support/amdgpu.h"

/* Where machine code of one kind has its opcodes, and how it calls what it numbers. */
struct gcn_layout {
    uint8_t sgprs;                     /* scalar registers with a number; the codes from there on have names */
    uint16_t vop3[GCN_ENCODING_COUNT]; /* opcode in VOP3 that operation 0 of a home encoding has there */
    uint8_t vm[2][2], exp[2], lgkm[2]; /* fields of s_waitcnt: low bit, width; vmcnt has two */
    const char *hwreg[32];             /* names of hardware registers, without HW_REG_ */
    const char *message[16];           /* names of s_sendmsg, without MSG_ */
};

enum { GCN_OPCODES = 256 }; /* of an encoding, once the base in gcn_layout.vop3 is taken off */

struct gcn_target {
    const struct amdgpu_processor *processor;
    const struct gcn_layout *layout;
    char isa[AMDGPU_NAME_SIZE];                      /* target id that agents report */
    uint16_t op_of[GCN_ENCODING_COUNT][GCN_OPCODES]; /* operation + 1 by home encoding and opcode; 0: none */
};

/* The target of a processor called NAME, of LENGTH bytes; NULL when it is not executed. Thread-safe; the result is
 * constant and lives for ever. */
const struct gcn_target *gcn_target_find(const char *name, size_t length);

/* The targets in the order of the table; NULL when NUMBER is too large. Number 0 is what agents are by default. */
const struct gcn_target *gcn_target_number(size_t number);

/* How many vector memory operations may be outstanding after an s_waitcnt with the immediate IMM. */
static inline uint32_t gcn_waitcnt_vm(const struct gcn_layout *layout, uint32_t imm)
{
    uint32_t low = imm >> layout->vm[0][0] & ((1u << layout->vm[0][1]) - 1);
    uint32_t high = imm >> layout->vm[1][0] & ((1u << layout->vm[1][1]) - 1);
    return low | high << layout->vm[0][1];
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
