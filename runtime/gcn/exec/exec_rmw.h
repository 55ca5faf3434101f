/* SPDX-License-Identifier: MIT */
/* The read-modify-write operations of runtime/gcn/tables/memory.def as functions, for every memory that has them.
 *
 * For each row and width (32, 64): rmw_NAME_WIDTH() computes the new value from the old one; for the operations
 * of global memory atomic_NAME_WIDTH() does the whole exchange on host memory, sequentially consistent, and returns
 * the old value. Data are passed as 64-bit values whose upper half is ignored by the 32-bit functions. Pointers
 * given to the atomic functions are aligned to the width. */
#ifndef RUNTIME_GCN_EXEC_RMW_H
#define RUNTIME_GCN_EXEC_RMW_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/host_simd.h"
#include "runtime/gcn/exec/lane.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t rmw_fn(uint64_t o, uint64_t d, uint64_t c);
typedef uint64_t atomic_fn(void *p, uint64_t d, uint64_t c);

/* Float additions outside of group memory: f32 denormals become zero whatever MODE says; f16 denormals are kept. */
__attribute__((unused)) static inline uint32_t rmw_add_flushed(uint32_t a, uint32_t b)
{
    return lane_bits32(lane_flush32(lane_add32(lane_flush32(lane_f32(a)), lane_flush32(lane_f32(b)))));
}

__attribute__((unused)) static inline uint32_t rmw_pk_add_f16(uint32_t a, uint32_t b)
{
    uint32_t low = lane_to16(lane_add32(lane_from16(a & 0xffff), lane_from16(b & 0xffff)));
    return low | lane_to16(lane_add32(lane_from16(a >> 16), lane_from16(b >> 16))) << 16;
}

#define RMW_VALUE(name, bits, ...)                                                                      \
    __attribute__((unused)) static inline uint64_t rmw_##name##_##bits(uint64_t old, uint64_t first,   \
                                                                       uint64_t second)                 \
    {                                                                                                   \
        typedef uint##bits##_t U;                                                                       \
        typedef int##bits##_t S __attribute__((unused));                                                \
        U o = (U)old, d = (U)first, c = (U)second, n;                                                   \
        (void)o;                                                                                        \
        (void)c;                                                                                        \
        __VA_ARGS__;                                                                                    \
        return n;                                                                                       \
    }
#define RMW_FLOAT(name, T, bits, ...) RMW_FLOAT_BY(name##_f##bits, T, bits, __VA_ARGS__)
#define RMW_FLOAT_BY(name, T, bits, ...)                                                                   \
    __attribute__((unused)) static inline uint64_t rmw_##name(uint64_t old, uint64_t first,  \
                                                                        uint64_t second)                \
    {                                                                                                   \
        uint##bits##_t raw[3] = {(uint##bits##_t)old, (uint##bits##_t)first, (uint##bits##_t)second};  \
        T o, d, c, n;                                                                                   \
        memcpy(&o, &raw[0], sizeof o);                                                                  \
        memcpy(&d, &raw[1], sizeof d);                                                                  \
        memcpy(&c, &raw[2], sizeof c);                                                                  \
        (void)c;                                                                                        \
        __VA_ARGS__;                                                                                    \
        memcpy(&raw[0], &n, sizeof n);                                                                  \
        return raw[0];                                                                                  \
    }

#define RMW(name, op, t, builtin, ...)                                                                  \
    RMW_VALUE(name, 32, __VA_ARGS__)                                                                    \
    RMW_VALUE(name, 64, __VA_ARGS__)
#define RMW_GLOBAL(name, builtin, ...) RMW(name, , , , __VA_ARGS__)
#define RMW_GLOBAL_32(name, ...) RMW_VALUE(name, 32, __VA_ARGS__)
#define RMW_GLOBAL_F64(name, ...) RMW_FLOAT_BY(name##_64, double, 64, __VA_ARGS__)
#define RMW_DS(op, t, ...) RMW(op##_##t, , , , __VA_ARGS__)
#define RMW_DS_TWO(op, t, ...) RMW(op##_##t, , , , __VA_ARGS__)
#define RMW_DS_RTN(op, t, ...) RMW(op##_##t, , , , __VA_ARGS__)
#define RMW_DS_F(op, ...)                                                                               \
    RMW_FLOAT(op, float, 32, __VA_ARGS__)                                                               \
    RMW_FLOAT(op, double, 64, __VA_ARGS__)
#define RMW_DS_F32(op, ...) RMW_FLOAT(op, float, 32, __VA_ARGS__)
#define RMW_DS_F64(op, ...) RMW_FLOAT(op, double, 64, __VA_ARGS__)
#define RMW_DS_F_TWO(op, ...) RMW_DS_F(op, __VA_ARGS__)
#define RMW_DS_WRAP(op, t, ...) RMW_VALUE(op##_##t, 32, __VA_ARGS__)
#include "runtime/gcn/tables/memory.def"

/* A lane's value of SIZE bytes, 4 or 8, whose low dword is at S. */
__attribute__((always_inline, unused)) static inline uint64_t rmw_datum(const uint32_t *s, unsigned size)
{
    return size == 4 ? s[0] : s[0] | (uint64_t)s[GCN_LANES] << 32;
}

__attribute__((always_inline, unused)) static inline void rmw_put_datum(uint32_t *d, uint64_t value, unsigned size)
{
    d[0] = (uint32_t)value;
    if (size == 8)
        d[GCN_LANES] = (uint32_t)(value >> 32);
}

/* What LANE does with an element that was OLD; see rmw_chain(). Its data are read before what it found is written. */
__attribute__((always_inline, unused)) static inline uint64_t rmw_link(
    rmw_fn *rmw, unsigned size, uint64_t old, unsigned lane, const uint32_t *s, const uint32_t *s2,
    uint32_t (*found)[GCN_LANES])
{
    uint64_t first = rmw_datum(s + lane, size), second = s2 ? rmw_datum(s2 + lane, size) : 0;
    if (found)
        rmw_put_datum(found[0] + lane, old, size);
    return rmw(old, first, second);
}

/* rmw_chain() for elements of 32 bits. */
__attribute__((always_inline, unused)) static inline uint32_t rmw_chain_32(
    rmw_fn *rmw, uint32_t old, uint64_t lanes, const uint32_t *s, const uint32_t *s2, uint32_t (*found)[GCN_LANES])
{
    if (lanes == UINT64_MAX)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            old = (uint32_t)rmw_link(rmw, sizeof old, old, lane, s, s2, found);
    else
        for (; lanes; lanes &= lanes - 1)
            old = (uint32_t)rmw_link(rmw, sizeof old, old, (unsigned)__builtin_ctzll(lanes), s, s2, found);
    return old;
}

/* What several lanes do with one element, one after the other: LANES, a bit each, with the data at S and, unless S2 is
 * NULL, second data at S2; the element was OLD. Returns its last value; FOUND, if it is not NULL, gets what each lane
 * found there. */
__attribute__((always_inline, unused)) static inline uint64_t rmw_chain(
    rmw_fn *rmw, unsigned size, uint64_t old, uint64_t lanes, const uint32_t *s, const uint32_t *s2,
    uint32_t (*found)[GCN_LANES])
{
    if (size == sizeof(uint32_t)) /* without extending it in each step, which would cost as much as the step */
        return rmw_chain_32(rmw, (uint32_t)old, lanes, s, s2, found);
    if (lanes == UINT64_MAX)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            old = rmw_link(rmw, size, old, lane, s, s2, found);
    else
        for (; lanes; lanes &= lanes - 1)
            old = rmw_link(rmw, size, old, (unsigned)__builtin_ctzll(lanes), s, s2, found);
    return old;
}

/* Gives the active lanes of W what they FOUND: elements of SIZE bytes, in D and the line after it. */
__attribute__((unused)) static inline void rmw_put_found(struct gcn_wave *w, uint32_t *d, unsigned size,
                                                         uint32_t (*found)[GCN_LANES])
{
    const uint32_t *mask = gcn_mask(w);
    for (unsigned k = 0; k < size / 4; k++) {
        uint32_t *line = d + k * GCN_LANES;
        GCN_LANE_LOOP
        line[i] = (found[k][i] & mask[i]) | (line[i] & ~mask[i]);
    }
}

/* Whether the active LANES have equal values in LINE. MASK shows them as a line. */
__attribute__((unused)) static inline bool rmw_same(const uint32_t *line, const uint32_t *mask, uint64_t lanes)
{
    uint32_t first = line[__builtin_ctzll(lanes)], differ = 0;
    if (line[63 - __builtin_clzll(lanes)] != first)
        return false;
    for (int i = 0; i < GCN_LANES; i++)
        differ |= (line[i] ^ first) & mask[i];
    return !differ;
}

/* Uses the host instruction where there is one ... */
#define RMW_NOW_(name, builtin, bits)                                                                   \
    __attribute__((unused)) static inline uint64_t atomic_##name##_##bits(void *p, uint64_t d, uint64_t c) \
    {                                                                                                   \
        (void)c;                                                                                        \
        return builtin((uint##bits##_t *)p, (uint##bits##_t)d, __ATOMIC_SEQ_CST);                       \
    }
#define RMW_AT_exchange(name, bits) RMW_NOW_(name, __atomic_exchange_n, bits)
#define RMW_AT_fetch_add(name, bits) RMW_NOW_(name, __atomic_fetch_add, bits)
#define RMW_AT_fetch_sub(name, bits) RMW_NOW_(name, __atomic_fetch_sub, bits)
#define RMW_AT_fetch_and(name, bits) RMW_NOW_(name, __atomic_fetch_and, bits)
#define RMW_AT_fetch_or(name, bits) RMW_NOW_(name, __atomic_fetch_or, bits)
#define RMW_AT_fetch_xor(name, bits) RMW_NOW_(name, __atomic_fetch_xor, bits)
/* ... and a loop where there is none. What stays as it is, as most minima and maxima do in the end, is only read. */
#define RMW_AT_CAS(name, bits)                                                                          \
    __attribute__((unused)) static inline uint64_t atomic_##name##_##bits(void *p, uint64_t d, uint64_t c) \
    {                                                                                                   \
        uint##bits##_t *at = p, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;                       \
        do                                                                                              \
            new = (uint##bits##_t)rmw_##name##_##bits(old, d, c);                                       \
        while (new != old && !__atomic_compare_exchange_n(at, &old, new, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
        return old;                                                                                     \
    }
#define RMW(name, op, t, builtin, ...)                                                                  \
    RMW_AT_##builtin(name, 32)                                                                          \
    RMW_AT_##builtin(name, 64)
#define RMW_GLOBAL(name, builtin, ...) RMW(name, , , builtin, )
#define RMW_GLOBAL_32(name, ...) RMW_AT_CAS(name, 32)
#define RMW_GLOBAL_F64(name, ...) RMW_AT_CAS(name, 64)
#include "runtime/gcn/tables/memory.def"

/* Global compare-and-swap: d is the new value, c what memory must hold. */
#define RMW_CMPSWAP(bits)                                                                               \
    __attribute__((unused)) static inline uint64_t rmw_cmpswap_##bits(uint64_t o, uint64_t d, uint64_t c) \
    {                                                                                                   \
        return (uint##bits##_t)o == (uint##bits##_t)c ? d : o;                                          \
    }                                                                                                   \
    __attribute__((unused)) static inline uint64_t atomic_cmpswap_##bits(void *p, uint64_t d, uint64_t c) \
    {                                                                                                   \
        uint##bits##_t old = (uint##bits##_t)c;                                                         \
        __atomic_compare_exchange_n((uint##bits##_t *)p, &old, (uint##bits##_t)d, false,                \
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                \
        return old;                                                                                     \
    }
RMW_CMPSWAP(32)
RMW_CMPSWAP(64)

#endif
