/* SPDX-License-Identifier: MIT */
/* Helpers of the statements in runtime/gcn/tables/salu.def: pure functions of their arguments. */
#ifndef RUNTIME_GCN_EXEC_SALU_OPS_H
#define RUNTIME_GCN_EXEC_SALU_OPS_H

#include <stdint.h>

/* One bit per group of four bits, at the lowest bit of the group: whether the group has a bit set. */
static inline uint64_t salu_any_of_quad(uint64_t a)
{
    a |= a >> 1;
    a |= a >> 2;
    return a & UINT64_C(0x1111111111111111);
}

/* Whole quad mode: a quad with any bit set becomes all ones. */
static inline uint64_t salu_wqm(uint64_t a)
{
    return salu_any_of_quad(a) * 15;
}

/* Gathers the quads' bits into the low 16 bits. */
static inline uint64_t salu_quadmask(uint64_t a)
{
    a = salu_any_of_quad(a);
    a = (a | a >> 3) & UINT64_C(0x0303030303030303);
    a = (a | a >> 6) & UINT64_C(0x000F000F000F000F);
    a = (a | a >> 12) & UINT64_C(0x000000FF000000FF);
    return (a | a >> 24) & 0xFFFF;
}

static inline uint64_t salu_reverse(uint64_t a)
{
    a = (a >> 1 & UINT64_C(0x5555555555555555)) | (a & UINT64_C(0x5555555555555555)) << 1;
    a = (a >> 2 & UINT64_C(0x3333333333333333)) | (a & UINT64_C(0x3333333333333333)) << 2;
    a = (a >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (a & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
    return __builtin_bswap64(a);
}

/* Every bit twice. */
static inline uint64_t salu_replicate(uint32_t a)
{
    uint64_t d = a;
    d = (d | d << 16) & UINT64_C(0x0000FFFF0000FFFF);
    d = (d | d << 8) & UINT64_C(0x00FF00FF00FF00FF);
    d = (d | d << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    d = (d | d << 2) & UINT64_C(0x3333333333333333);
    d = (d | d << 1) & UINT64_C(0x5555555555555555);
    return d * 3;
}

static inline uint32_t salu_lshl_add(uint32_t a, unsigned shift, uint32_t b, uint32_t *scc)
{
    uint64_t t = ((uint64_t)a << shift) + b;
    *scc = t >> 32 != 0;
    return (uint32_t)t;
}

/* Bit field extract of a SIZE-bit value: a width that reaches past the top takes what is left. */
static inline uint64_t salu_bfe_u(uint64_t a, unsigned offset, unsigned width, unsigned size)
{
    a >>= offset;
    return width >= size ? a : a & ((UINT64_C(1) << width) - 1);
}

static inline uint64_t salu_bfe_i(int64_t a, unsigned offset, unsigned width, unsigned size)
{
    a >>= offset;
    unsigned unused = (64 - width) & 63;
    uint64_t field = (uint64_t)((int64_t)((uint64_t)a << unused) >> unused);
    field = width >= size ? (uint64_t)a : field;
    return width ? field : 0;
}

#endif
