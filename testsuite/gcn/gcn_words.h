/* SPDX-License-Identifier: MIT */
/* Machine code of GFX9 for tests: one function for each encoding. Operands are source codes: scalar registers by their
 * number, vector registers by V(n), and constants from 0 to 64 by C(n). */
#ifndef TESTSUITE_GCN_GCN_WORDS_H
#define TESTSUITE_GCN_GCN_WORDS_H

#include "runtime/gcn/inst/inst.h"

enum { WORDS_MAX = 128 };
#define V(n) (256u + (n))
#define C(n) (128u + (n))
enum { ALL_ONES = 193 }; /* the constant -1 */
enum { VCC = GCN_VCC_LO, EXEC = GCN_EXEC_LO };

struct words {
    uint32_t at[WORDS_MAX];
    unsigned count;
};

static inline void word(struct words *w, uint32_t value)
{
    if (w->count < WORDS_MAX)
        w->at[w->count++] = value;
}

static inline uint32_t opcode(unsigned op)
{
    return gcn_op_info[op].opcode;
}

static inline void sop1(struct words *w, unsigned op, unsigned dst, unsigned a)
{
    word(w, 0xbe800000u | dst << 16 | opcode(op) << 8 | a);
}

static inline void sop2(struct words *w, unsigned op, unsigned dst, unsigned a, unsigned b)
{
    word(w, 0x80000000u | opcode(op) << 23 | dst << 16 | b << 8 | a);
}

static inline void sopc(struct words *w, unsigned op, unsigned a, unsigned b)
{
    word(w, 0xbf000000u | opcode(op) << 16 | b << 8 | a);
}

static inline void sopp(struct words *w, unsigned op, int imm)
{
    word(w, 0xbf800000u | opcode(op) << 16 | ((uint32_t)imm & 0xffff));
}

/* Branches to the word AT. */
static inline void branch(struct words *w, unsigned op, unsigned at)
{
    sopp(w, op, (int)at - (int)w->count - 1);
}

static inline void smem(struct words *w, unsigned op, unsigned dst, unsigned base, uint32_t offset)
{
    word(w, 0xc0020000u | opcode(op) << 18 | dst << 6 | base / 2);
    word(w, offset);
}

static inline void vop1(struct words *w, unsigned op, unsigned dst, unsigned a)
{
    word(w, 0x7e000000u | dst << 17 | opcode(op) << 9 | a);
}

static inline void vop2(struct words *w, unsigned op, unsigned dst, unsigned a, unsigned b)
{
    word(w, opcode(op) << 25 | dst << 17 | (b & 255) << 9 | a);
}

static inline void vopc(struct words *w, unsigned op, unsigned a, unsigned b)
{
    word(w, 0x7c000000u | opcode(op) << 17 | (b & 255) << 9 | a);
}

/* SDST is for operations that have a second result. */
static inline void vop3(struct words *w, unsigned op, unsigned dst, unsigned sdst, unsigned a, unsigned b, unsigned c)
{
    word(w, 0xd0000000u | opcode(op) << 16 | sdst << 8 | dst);
    word(w, a | b << 9 | c << 18);
}

enum { WORDS_GLC = 1 << 16 };

/* DATA is the destination of a load. The address is in a pair of registers, or SADDR has a pair beside one. */
static inline void global(struct words *w, unsigned op, unsigned data, unsigned address, int saddr, uint32_t offset,
                          uint32_t flags)
{
    bool load = gcn_op_info[op].flags & GCN_F_LOAD;
    word(w, 0xdc008000u | opcode(op) << 18 | (offset & 0x1fff) | flags);
    word(w, (load ? data : 0) << 24 | (uint32_t)(saddr < 0 ? 0x7f : saddr) << 16 | (load ? 0 : data) << 8 | address);
}

#endif
