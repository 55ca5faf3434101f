/* SPDX-License-Identifier: MIT */
/* Moving whole lines between registers and memory; for the files built once per instruction set of the host. */
#ifndef RUNTIME_GCN_EXEC_LINES_H
#define RUNTIME_GCN_EXEC_LINES_H

#include <string.h>

#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/host_simd.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define INLINE __attribute__((always_inline, unused)) static inline
#define ALL UINT64_MAX

/* Whether the value of each lane is STEP more than that of the lane before, without wrapping around. A lane after the
 * last one would not wrap around either, so the last element does not. */
INLINE bool line_adjacent(const uint32_t *line, uint32_t step)
{
    uint32_t first = line[0], differ = 0;
    if (line[1] - first != step || line[GCN_LANES - 1] - first != (GCN_LANES - 1) * step ||
        first > UINT32_MAX - GCN_LANES * step)
        return false;
    GCN_LANE_LOOP
    differ |= (line[i] - first) ^ (uint32_t)i * step;
    return differ == 0;
}

/* Four dwords as a host vector, wherever they are; a memory access of such a type is one host instruction. */
typedef uint32_t quad __attribute__((vector_size(16)));
typedef uint32_t quad_any __attribute__((vector_size(16), aligned(1), may_alias));

MEM_GUEST INLINE quad get_quad(uint64_t address)
{
    return *(const quad_any *)(uintptr_t)address;
}

MEM_GUEST INLINE void put_quad(uint64_t address, quad value)
{
    *(quad_any *)(uintptr_t)address = value;
}

/* Transposes four elements of four dwords, I to L, and stores the rows at four places. */
MEM_GUEST INLINE void transpose(const uint64_t to[4], quad i, quad j, quad k, quad l)
{
    quad a = __builtin_shufflevector(i, j, 0, 4, 1, 5), b = __builtin_shufflevector(k, l, 0, 4, 1, 5);
    quad c = __builtin_shufflevector(i, j, 2, 6, 3, 7), d = __builtin_shufflevector(k, l, 2, 6, 3, 7);
    put_quad(to[0], __builtin_shufflevector(a, b, 0, 1, 4, 5));
    put_quad(to[1], __builtin_shufflevector(a, b, 2, 3, 6, 7));
    put_quad(to[2], __builtin_shufflevector(c, d, 0, 1, 4, 5));
    put_quad(to[3], __builtin_shufflevector(c, d, 2, 3, 6, 7));
}

/* Moves the elements of lanes I to I + 3, of four dwords each, from ADDRESS to the lines at D; and back. */
MEM_GUEST INLINE void load_quads(uint32_t *d, int i, const uint64_t address[4])
{
    uint64_t at = (uintptr_t)(d + i);
    transpose((const uint64_t[]){at, at + GCN_LINE, at + 2 * GCN_LINE, at + 3 * GCN_LINE}, get_quad(address[0]),
              get_quad(address[1]), get_quad(address[2]), get_quad(address[3]));
}

MEM_GUEST INLINE void store_quads(const uint64_t address[4], const uint32_t *s, int i)
{
    uint64_t at = (uintptr_t)(s + i);
    transpose(address, get_quad(at), get_quad(at + GCN_LINE), get_quad(at + 2 * GCN_LINE), get_quad(at + 3 * GCN_LINE));
}

/* Moves adjacent elements of N dwords from memory into N lines, and back. */
MEM_GUEST INLINE void spread(uint32_t *d, uint64_t address, int n)
{
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)address;
    if (n == 1) {
        memcpy(d, (const void *)m, GCN_LINE);
    } else if (n == 4) {
        for (int i = 0; i < GCN_LANES; i += 4, address += 64)
            load_quads(d, i, (const uint64_t[]){address, address + 16, address + 32, address + 48});
    } else {
        GCN_LANE_LOOP
        {
            for (int k = 0; k < n; k++)
                d[k * GCN_LANES + i] = m[i * n + k];
        }
    }
}

MEM_GUEST INLINE void collect(uint64_t address, const uint32_t *s, int n)
{
    mem_u32 *m = (mem_u32 *)(uintptr_t)address;
    if (n == 1) {
        memcpy((void *)m, s, GCN_LINE);
    } else if (n == 4) {
        for (int i = 0; i < GCN_LANES; i += 4, address += 64)
            store_quads((const uint64_t[]){address, address + 16, address + 32, address + 48}, s, i);
    } else {
        GCN_LANE_LOOP
        {
            for (int k = 0; k < n; k++)
                m[i * n + k] = s[k * GCN_LANES + i];
        }
    }
}

/* Moves one lane's element of N dwords, two at a time where possible, so that nobody sees an aligned 64-bit value
 * torn. */
INLINE void load_lane(uint32_t *d, uint64_t address, int n)
{
    uint64_t low = n > 1 ? mem_load64(address) : mem_load32(address);
    uint64_t high = n == 4 ? mem_load64(address + 8) : n == 3 ? mem_load32(address + 8) : 0;
    d[0] = (uint32_t)low;
    if (n > 1)
        d[GCN_LANES] = (uint32_t)(low >> 32);
    if (n > 2)
        d[2 * GCN_LANES] = (uint32_t)high;
    if (n > 3)
        d[3 * GCN_LANES] = (uint32_t)(high >> 32);
}

INLINE void store_lane(uint64_t address, const uint32_t *s, int n)
{
    if (n == 1) {
        mem_store32(address, s[0]);
        return;
    }
    mem_store64(address, s[0] | (uint64_t)s[GCN_LANES] << 32);
    if (n == 3)
        mem_store32(address + 8, s[2 * GCN_LANES]);
    if (n == 4)
        mem_store64(address + 8, s[2 * GCN_LANES] | (uint64_t)s[3 * GCN_LANES] << 32);
}

/* Moves the elements of all lanes, of N dwords and each at an address of its own. */
INLINE void load_lanes(uint32_t *d, const uint64_t *address, int n)
{
    if (n == 4)
        for (int i = 0; i < GCN_LANES; i += 4)
            load_quads(d, i, address + i);
    else
        for (int i = 0; i < GCN_LANES; i++)
            load_lane(d + i, address[i], n);
}

INLINE void store_lanes(const uint64_t *address, const uint32_t *s, int n)
{
    if (n == 4)
        for (int i = 0; i < GCN_LANES; i += 4)
            store_quads(address + i, s, i);
    else
        for (int i = 0; i < GCN_LANES; i++)
            store_lane(address[i], s + i, n);
}

/* Keeps a compiler from making a gather of a loop over lanes: most hosts execute the loads faster one by one. */
INLINE uint32_t one_by_one(uint32_t index)
{
    __asm__("" : "+r"(index));
    return index;
}

/* Gives each lane I the value that lane INDEX[I] % 64 has in SOURCE. */
INLINE void pick_lanes(uint32_t *value, const uint32_t *source, const uint32_t *index)
{
#ifdef __AVX512F__
    __m512i s[4];
    for (int k = 0; k < 4; k++)
        s[k] = _mm512_loadu_si512(source + 16 * k);
    for (int k = 0; k < 4; k++) {
        __m512i at = _mm512_loadu_si512(index + 16 * k);
        __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
        __m512i low = _mm512_permutex2var_epi32(s[0], at, s[1]), high = _mm512_permutex2var_epi32(s[2], at, s[3]);
        _mm512_storeu_si512(value + 16 * k, _mm512_mask_blend_epi32(upper, low, high));
    }
#else
    for (int i = 0; i < GCN_LANES; i++)
        value[i] = source[one_by_one(index[i] % GCN_LANES)];
#endif
}

/* Loads adjacent elements of SIZE bytes, 1 or 2, into D by way of CONVERT. */
MEM_GUEST INLINE void spread_narrow(uint32_t *d, uint64_t address, unsigned size, gcn_convert *convert)
{
    if (size == 1) {
        const mem_u8 *m = (const mem_u8 *)(uintptr_t)address;
        GCN_LANE_LOOP d[i] = convert(d[i], m[i]);
    } else {
        const mem_u16 *m = (const mem_u16 *)(uintptr_t)address;
        GCN_LANE_LOOP d[i] = convert(d[i], m[i]);
    }
}

/* Stores adjacent elements of SIZE bytes, 1 or 2, which are the bits of S from SHIFT on. */
MEM_GUEST INLINE void collect_narrow(uint64_t address, const uint32_t *s, unsigned size, unsigned shift)
{
    if (size == 1) {
        mem_u8 *m = (mem_u8 *)(uintptr_t)address;
        GCN_LANE_LOOP m[i] = (uint8_t)(s[i] >> shift);
    } else {
        mem_u16 *m = (mem_u16 *)(uintptr_t)address;
        GCN_LANE_LOOP m[i] = (uint16_t)(s[i] >> shift);
    }
}

#endif
