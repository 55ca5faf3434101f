/* SPDX-License-Identifier: MIT */
/* Moving whole lines between registers and memory; for the files built once per instruction set of the host. */
#ifndef RUNTIME_GCN_EXEC_LINES_H
#define RUNTIME_GCN_EXEC_LINES_H

#include <string.h>

#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/exec_triples.h"
#include "runtime/gcn/exec/host_simd.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define INLINE __attribute__((always_inline, unused)) static inline
#define ALL UINT64_MAX

/* Whether the value of each lane I is FIRST + I * STEP, modulo 2^32. */
INLINE bool line_steps(const uint32_t *line, uint32_t first, uint32_t step)
{
#if defined(__AVX512F__)
    const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i next = _mm512_mullo_epi32(numbers, _mm512_set1_epi32((int)step)), differ = _mm512_setzero_si512();
    next = _mm512_add_epi32(next, _mm512_set1_epi32((int)first));
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i x = _mm512_loadu_si512(line + i);
        differ = _mm512_or_si512(differ, _mm512_xor_si512(x, next));
        next = _mm512_add_epi32(next, _mm512_set1_epi32((int)(16 * step)));
    }
    return !_mm512_test_epi32_mask(differ, differ);
#elif defined(__AVX2__)
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i next = _mm256_mullo_epi32(numbers, _mm256_set1_epi32((int)step)), differ = _mm256_setzero_si256();
    next = _mm256_add_epi32(next, _mm256_set1_epi32((int)first));
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 8) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(line + i));
        differ = _mm256_or_si256(differ, _mm256_xor_si256(x, next));
        next = _mm256_add_epi32(next, _mm256_set1_epi32((int)(8 * step)));
    }
    return _mm256_testz_si256(differ, differ);
#else
    uint32_t differ = 0;
    GCN_LANE_LOOP
    differ |= (line[i] - first) ^ (uint32_t)i * step;
    return differ == 0;
#endif
}

/* Whether the value of each lane is STEP more than that of the lane before, without wrapping around. A lane after the
 * last one would not wrap around either, so the last element does not. */
INLINE bool line_adjacent(const uint32_t *line, uint32_t step)
{
    uint32_t first = line[0];
    return line[1] - first == step && line[GCN_LANES - 1] - first == (GCN_LANES - 1) * step &&
           first <= UINT32_MAX - GCN_LANES * step && line_steps(line, first, step);
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

/* Two elements of two dwords each as a host vector; each is accessed by one host instruction. */
typedef uint64_t two_elements __attribute__((vector_size(16)));
typedef uint64_t element_any __attribute__((aligned(1), may_alias));

MEM_GUEST INLINE quad get_two(const uint64_t address[2])
{
    const element_any *first = (const element_any *)(uintptr_t)address[0];
    const element_any *second = (const element_any *)(uintptr_t)address[1];
    return (quad)(two_elements){*first, *second};
}

MEM_GUEST INLINE void put_two(const uint64_t address[2], quad x)
{
    *(element_any *)(uintptr_t)address[0] = ((two_elements)x)[0];
    *(element_any *)(uintptr_t)address[1] = ((two_elements)x)[1];
}

/* The same for two dwords each. */
INLINE void load_pairs(uint32_t *d, int i, const uint64_t address[4])
{
    quad a = get_two(address), b = get_two(address + 2);
    put_quad((uintptr_t)(d + i), __builtin_shufflevector(a, b, 0, 2, 4, 6));
    put_quad((uintptr_t)(d + i + GCN_LANES), __builtin_shufflevector(a, b, 1, 3, 5, 7));
}

INLINE void store_pairs(const uint64_t address[4], const uint32_t *s, int i)
{
    quad low = get_quad((uintptr_t)(s + i)), high = get_quad((uintptr_t)(s + i + GCN_LANES));
    put_two(address, __builtin_shufflevector(low, high, 0, 4, 1, 5));
    put_two(address + 2, __builtin_shufflevector(low, high, 2, 6, 3, 7));
}

/* Moves as many adjacent elements of four dwords as a host vector has lanes from ADDRESS to four rows, which are STEP
 * dwords apart; and back. */
#if defined(__AVX512F__)
enum { ROW_LANES = 16 };

MEM_GUEST INLINE void spread_rows(uint32_t *to, unsigned step, uint64_t address)
{
    const __m512i xy = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i zw = _mm512_add_epi32(xy, _mm512_set1_epi32(2));
    const char *m = (const char *)(uintptr_t)address;
    __m512i i = _mm512_loadu_si512(m), j = _mm512_loadu_si512(m + 64);
    __m512i k = _mm512_loadu_si512(m + 128), l = _mm512_loadu_si512(m + 192);
    __m512i a = _mm512_permutex2var_epi32(i, xy, j), b = _mm512_permutex2var_epi32(k, xy, l);
    __m512i c = _mm512_permutex2var_epi32(i, zw, j), d = _mm512_permutex2var_epi32(k, zw, l);
    _mm512_storeu_si512(to, _mm512_shuffle_i64x2(a, b, 0x44));
    _mm512_storeu_si512(to + step, _mm512_shuffle_i64x2(a, b, 0xee));
    _mm512_storeu_si512(to + (size_t)2 * step, _mm512_shuffle_i64x2(c, d, 0x44));
    _mm512_storeu_si512(to + (size_t)3 * step, _mm512_shuffle_i64x2(c, d, 0xee));
}

MEM_GUEST INLINE void collect_rows(uint64_t address, const uint32_t *s, unsigned step)
{
    const __m512i first = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(4));
    char *m = (char *)(uintptr_t)address;
    __m512i x = _mm512_loadu_si512(s), y = _mm512_loadu_si512(s + step);
    __m512i z = _mm512_loadu_si512(s + (size_t)2 * step), w = _mm512_loadu_si512(s + (size_t)3 * step);
    __m512i a = _mm512_shuffle_i64x2(x, y, 0x44), b = _mm512_shuffle_i64x2(z, w, 0x44);
    __m512i c = _mm512_shuffle_i64x2(x, y, 0xee), d = _mm512_shuffle_i64x2(z, w, 0xee);
    _mm512_storeu_si512(m, _mm512_permutex2var_epi32(a, first, b));
    _mm512_storeu_si512(m + 64, _mm512_permutex2var_epi32(a, second, b));
    _mm512_storeu_si512(m + 128, _mm512_permutex2var_epi32(c, first, d));
    _mm512_storeu_si512(m + 192, _mm512_permutex2var_epi32(c, second, d));
}
#elif defined(__AVX2__)
enum { ROW_LANES = 8 };

/* The elements at M and four elements after it, side by side. */
MEM_GUEST INLINE __m256i element_and_fifth(const char *m)
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)m);
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(low), _mm_loadu_si128((const __m128i *)(const void *)(m + 64)), 1);
}

MEM_GUEST INLINE void put_element_and_fifth(char *m, __m256i x)
{
    _mm_storeu_si128((__m128i *)(void *)m, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)(void *)(m + 64), _mm256_extracti128_si256(x, 1));
}

INLINE __m256i get_row(const uint32_t *s)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)s);
}

INLINE void put_row(uint32_t *to, __m256i x)
{
    _mm256_storeu_si256((__m256i *)(void *)to, x);
}

MEM_GUEST INLINE void spread_rows(uint32_t *to, unsigned step, uint64_t address)
{
    const char *m = (const char *)(uintptr_t)address;
    __m256i i = element_and_fifth(m), j = element_and_fifth(m + 16);
    __m256i k = element_and_fifth(m + 32), l = element_and_fifth(m + 48);
    __m256i a = _mm256_unpacklo_epi32(i, j), b = _mm256_unpacklo_epi32(k, l);
    __m256i c = _mm256_unpackhi_epi32(i, j), d = _mm256_unpackhi_epi32(k, l);
    put_row(to, _mm256_unpacklo_epi64(a, b));
    put_row(to + step, _mm256_unpackhi_epi64(a, b));
    put_row(to + (size_t)2 * step, _mm256_unpacklo_epi64(c, d));
    put_row(to + (size_t)3 * step, _mm256_unpackhi_epi64(c, d));
}

MEM_GUEST INLINE void collect_rows(uint64_t address, const uint32_t *s, unsigned step)
{
    char *m = (char *)(uintptr_t)address;
    __m256i x = get_row(s), y = get_row(s + step);
    __m256i z = get_row(s + (size_t)2 * step), w = get_row(s + (size_t)3 * step);
    __m256i a = _mm256_unpacklo_epi32(x, y), b = _mm256_unpacklo_epi32(z, w);
    __m256i c = _mm256_unpackhi_epi32(x, y), d = _mm256_unpackhi_epi32(z, w);
    put_element_and_fifth(m, _mm256_unpacklo_epi64(a, b));
    put_element_and_fifth(m + 16, _mm256_unpackhi_epi64(a, b));
    put_element_and_fifth(m + 32, _mm256_unpacklo_epi64(c, d));
    put_element_and_fifth(m + 48, _mm256_unpackhi_epi64(c, d));
}
#else
enum { ROW_LANES = 4 };

MEM_GUEST INLINE void spread_rows(uint32_t *to, unsigned step, uint64_t address)
{
    uint64_t at = (uintptr_t)to;
    transpose((const uint64_t[]){at, at + 4 * step, at + 8 * step, at + 12 * step}, get_quad(address),
              get_quad(address + 16), get_quad(address + 32), get_quad(address + 48));
}

MEM_GUEST INLINE void collect_rows(uint64_t address, const uint32_t *s, unsigned step)
{
    uint64_t at = (uintptr_t)s;
    transpose((const uint64_t[]){address, address + 16, address + 32, address + 48}, get_quad(at),
              get_quad(at + 4 * step), get_quad(at + 8 * step), get_quad(at + 12 * step));
}
#endif

/* The same for all lanes of a wave and elements of two dwords. */
MEM_GUEST INLINE void spread_pairs(uint32_t *d, uint64_t address)
{
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)address;
#ifdef __AVX512F__
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i a = _mm512_loadu_si512((const void *)(m + (size_t)2 * (unsigned)i));
        __m512i b = _mm512_loadu_si512((const void *)(m + (size_t)2 * (unsigned)i + 16));
        _mm512_storeu_si512(d + i, _mm512_permutex2var_epi32(a, even, b));
        _mm512_storeu_si512(d + GCN_LANES + i, _mm512_permutex2var_epi32(a, odd, b));
    }
#else
    GCN_LANE_LOOP
    {
        d[i] = m[2 * i];
        d[GCN_LANES + i] = m[2 * i + 1];
    }
#endif
}

MEM_GUEST INLINE void collect_pairs(uint64_t address, const uint32_t *s)
{
    mem_u32 *m = (mem_u32 *)(uintptr_t)address;
#ifdef __AVX512F__
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i x = _mm512_loadu_si512(s + i), y = _mm512_loadu_si512(s + GCN_LANES + i);
        _mm512_storeu_si512((void *)(m + (size_t)2 * (unsigned)i), _mm512_permutex2var_epi32(x, first, y));
        _mm512_storeu_si512((void *)(m + (size_t)2 * (unsigned)i + 16), _mm512_permutex2var_epi32(x, second, y));
    }
#else
    GCN_LANE_LOOP
    {
        m[2 * i] = s[i];
        m[2 * i + 1] = s[GCN_LANES + i];
    }
#endif
}

/* Moves the dwords of LANES lanes, ROW_LANES or fewer: where these are ROW_LANES, as one vector, because the host does
 * not forward what it stores in parts to a load of the whole. */
MEM_GUEST INLINE void copy_row(void *to, const void *from, unsigned lanes)
{
    typedef uint32_t row __attribute__((vector_size(4 * ROW_LANES), aligned(1), may_alias));
    if (lanes == ROW_LANES)
        *(row *)to = *(const row *)from;
    else
        memcpy(to, from, 4 * lanes);
}

/* Copies N lines, at most 4. Of memcpy() GCC may make a string instruction, which takes several times as long. */
MEM_GUEST INLINE void copy_lines(uint32_t *to, const uint32_t *from, int n)
{
    GCN_UNROLL
    for (int i = 0; i < n * GCN_LANES; i += ROW_LANES)
        copy_row(to + i, from + i, ROW_LANES);
}

/* Moves adjacent elements of N dwords from memory into N lines, and back. */
MEM_GUEST INLINE void spread(uint32_t *d, uint64_t address, int n)
{
    if (n == 1) {
        copy_lines(d, (const uint32_t *)(uintptr_t)address, 1);
    } else if (n == 2) {
        spread_pairs(d, address);
    } else if (n == 3) {
        spread_triples(d, address);
    } else {
        GCN_UNROLL
        for (unsigned i = 0; i < GCN_LANES; i += ROW_LANES)
            spread_rows(d + i, GCN_LANES, address + (uint64_t)16 * i);
    }
}

MEM_GUEST INLINE void collect(uint64_t address, const uint32_t *s, int n)
{
    if (n == 1) {
        copy_lines((uint32_t *)(uintptr_t)address, s, 1);
    } else if (n == 2) {
        collect_pairs(address, s);
    } else if (n == 3) {
        collect_triples(address, s);
    } else {
        GCN_UNROLL
        for (unsigned i = 0; i < GCN_LANES; i += ROW_LANES)
            collect_rows(address + (uint64_t)16 * i, s + i, GCN_LANES);
    }
}

/* Whether the host can do what follows. */
#ifdef __AVX2__
enum { MASKED_MOVES = true };
#else
enum { MASKED_MOVES = false };
#endif

/* Move adjacent dwords for the lanes of MASK only, without an access to memory of the others. */
MEM_GUEST INLINE void load_some(uint32_t *d, uint64_t address, const uint32_t *mask)
{
#if defined(__AVX512F__)
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i wanted = _mm512_loadu_si512(mask + i), old = _mm512_loadu_si512(d + i);
        __mmask16 lanes = _mm512_test_epi32_mask(wanted, wanted);
        _mm512_storeu_si512(d + i, _mm512_mask_loadu_epi32(old, lanes, (const int *)(uintptr_t)address + i));
    }
#elif defined(__AVX2__)
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 8) {
        __m256i wanted = get_row(mask + i), x = _mm256_maskload_epi32((const int *)(uintptr_t)address + i, wanted);
        put_row(d + i, _mm256_blendv_epi8(get_row(d + i), x, wanted));
    }
#else
    (void)d, (void)address, (void)mask;
#endif
}

MEM_GUEST INLINE void store_some(uint64_t address, const uint32_t *s, const uint32_t *mask)
{
#if defined(__AVX512F__)
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i wanted = _mm512_loadu_si512(mask + i), x = _mm512_loadu_si512(s + i);
        _mm512_mask_storeu_epi32((int *)(uintptr_t)address + i, _mm512_test_epi32_mask(wanted, wanted), x);
    }
#elif defined(__AVX2__)
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 8)
        _mm256_maskstore_epi32((int *)(uintptr_t)address + i, get_row(mask + i), get_row(s + i));
#else
    (void)address, (void)s, (void)mask;
#endif
}

/* Whether in each row of LANES lanes, ROW_LANES or fewer, the value is STEP more than that of the lane before, without
 * wrapping around. */
INLINE bool rows_step(const uint32_t *line, uint32_t step, unsigned lanes)
{
    const uint32_t limit = UINT32_MAX - step; /* from more than that, the next step would wrap around */
    if (line[lanes - 1] - line[0] != (lanes - 1) * step)
        return false;
#if defined(__AVX512F__)
    const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i within = _mm512_set1_epi32((int)lanes - 1), firsts = _mm512_andnot_si512(within, numbers);
    const __m512i steps = _mm512_mullo_epi32(_mm512_and_si512(numbers, within), _mm512_set1_epi32((int)step));
    __m512i differ = _mm512_setzero_si512(), most = differ;
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += ROW_LANES) {
        __m512i x = _mm512_loadu_si512(line + i);
        __m512i first = lanes == ROW_LANES ? _mm512_set1_epi32((int)line[i]) : _mm512_permutexvar_epi32(firsts, x);
        differ = _mm512_or_si512(differ, _mm512_xor_si512(x, _mm512_add_epi32(steps, first)));
        most = _mm512_max_epu32(most, x);
    }
    return !(_mm512_test_epi32_mask(differ, differ) | _mm512_cmpgt_epu32_mask(most, _mm512_set1_epi32((int)limit)));
#elif defined(__AVX2__)
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), limits = _mm256_set1_epi32((int)limit);
    const __m256i steps = _mm256_mullo_epi32(numbers, _mm256_set1_epi32((int)step));
    __m256i differ = _mm256_setzero_si256(), most = limits;
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += ROW_LANES) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(line + i));
        __m256i wanted = _mm256_add_epi32(steps, _mm256_set1_epi32((int)line[i]));
        differ = _mm256_or_si256(differ, _mm256_xor_si256(x, wanted));
        most = _mm256_max_epu32(most, x);
    }
    differ = _mm256_or_si256(differ, _mm256_xor_si256(most, limits));
    return _mm256_testz_si256(differ, differ);
#else
    uint32_t differ = 0, beyond = 0;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        differ |= (line[i] - line[i / lanes * lanes]) ^ i % lanes * step;
        beyond |= line[i] > limit;
    }
    return !(differ | beyond);
#endif
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

/* Moves rows of LANES adjacent dwords, given where each of them begins. Short rows are put together first: what reads
 * the line by longer vectors would have to wait until all its pieces are in the cache. */
MEM_GUEST INLINE void load_rows(uint32_t *d, const uint64_t *row, unsigned lanes)
{
#ifdef __AVX512F__
    if (lanes == GCN_SHORT_ROW) {
        GCN_UNROLL
        for (unsigned i = 0; i < GCN_LANES; i += ROW_LANES, row += 2) {
            __m256i low = _mm256_loadu_si256((const __m256i *)(uintptr_t)row[0]);
            __m256i high = _mm256_loadu_si256((const __m256i *)(uintptr_t)row[1]);
            _mm512_storeu_si512(d + i, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
        }
        return;
    }
#endif
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += lanes)
        copy_row(d + i, (const void *)(uintptr_t)row[i / lanes], lanes);
}

/* The element of SIZE bytes, 1, 2 or 4, at ADDRESS. */
INLINE uint32_t load_element(uint64_t address, unsigned size)
{
    return size == 1 ? mem_load8(address) : size == 2 ? mem_load16(address) : mem_load32(address);
}

/* Fills each row with the element of SIZE bytes at its address. */
INLINE void fill_rows(uint32_t *d, const uint64_t *row, unsigned size)
{
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += ROW_LANES) {
        uint32_t value = load_element(row[i / ROW_LANES], size);
        for (int k = 0; k < ROW_LANES; k++)
            d[i + k] = value;
    }
}

MEM_GUEST INLINE void store_rows(const uint64_t *row, const uint32_t *s, unsigned lanes)
{
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += lanes)
        copy_row((void *)(uintptr_t)row[i / lanes], s + i, lanes);
}

/* Loads an element of SIZE bytes, 1, 2 or 4, for each lane. Dwords that are stored one by one could not be loaded as a
 * vector right after that. */
INLINE void load_singles(uint32_t *d, const uint64_t *address, unsigned size)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    for (int i = 0; i < GCN_LANES; i += 8) {
        int x[8];
        GCN_UNROLL
        for (int k = 0; k < 8; k++)
            x[k] = (int)load_element(address[i + k], size);
        put_row(d + i, _mm256_setr_epi32(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]));
    }
#else
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i++)
        d[i] = load_element(address[i], size);
#endif
}

/* Moves the elements of all lanes, of N dwords and each at an address of its own. */
INLINE void load_lanes(uint32_t *d, const uint64_t *address, int n)
{
    if (n == 4) {
        for (int i = 0; i < GCN_LANES; i += 4)
            load_quads(d, i, address + i);
    } else if (n == 2) {
        for (int i = 0; i < GCN_LANES; i += 4)
            load_pairs(d, i, address + i);
    } else if (n == 1) {
        load_singles(d, address, 4);
    } else {
        GCN_UNROLL
        for (int i = 0; i < GCN_LANES; i++)
            load_lane(d + i, address[i], n);
    }
}

INLINE void store_lanes(const uint64_t *address, const uint32_t *s, int n)
{
    if (n == 4) {
        for (int i = 0; i < GCN_LANES; i += 4)
            store_quads(address + i, s, i);
    } else if (n == 2) {
        for (int i = 0; i < GCN_LANES; i += 4)
            store_pairs(address + i, s, i);
    } else {
        GCN_UNROLL
        for (int i = 0; i < GCN_LANES; i++)
            store_lane(address[i], s + i, n);
    }
}

/* Keeps a compiler from making a gather of a loop over lanes: most hosts execute the loads faster one by one. */
INLINE uint32_t one_by_one(uint32_t index)
{
    __asm__("" : "+r"(index));
    return index;
}

#ifdef __AVX512F__
/* The lanes AT % 64 of S, a line. */
INLINE __m512i pick_16(const __m512i s[4], __m512i at)
{
    __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    __m512i low = _mm512_permutex2var_epi32(s[0], at, s[1]), high = _mm512_permutex2var_epi32(s[2], at, s[3]);
    return _mm512_mask_blend_epi32(upper, low, high);
}
#endif

#ifdef __AVX2__
/* Four lanes' offsets as scalars, which cost less than what loads of single lanes from a stored vector wait for. */
INLINE void offsets_of(uint64_t at[4], __m128i x)
{
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(x), high = (uint64_t)_mm_extract_epi64(x, 1);
    at[0] = (uint32_t)low;
    at[1] = low >> 32;
    at[2] = (uint32_t)high;
    at[3] = high >> 32;
}

INLINE int dword_at(const uint8_t *memory, uint64_t at)
{
    int x;
    memcpy(&x, memory + at, sizeof x);
    return x;
}

INLINE __m128i pick_quad(const uint8_t *memory, __m128i offsets)
{
    uint64_t at[4];
    offsets_of(at, offsets);
    __m128i x = _mm_cvtsi32_si128(dword_at(memory, at[0]));
    x = _mm_insert_epi32(x, dword_at(memory, at[1]), 1);
    x = _mm_insert_epi32(x, dword_at(memory, at[2]), 2);
    return _mm_insert_epi32(x, dword_at(memory, at[3]), 3);
}

/* The dwords at MEMORY + AT. They must come as a vector: stored one by one, they could not be loaded as one right after
 * that. Gathers are slower on many hosts. */
INLINE __m256i pick_8(const uint8_t *memory, __m256i at)
{
    return _mm256_set_m128i(
        pick_quad(memory, _mm256_extracti128_si256(at, 1)), pick_quad(memory, _mm256_castsi256_si128(at)));
}
#endif

/* Of the offset of a lane's dword in its line: the bits that say in which eight it is, and those of the last lane. */
enum { ROWS_OF_LINE = 4 * (GCN_LANES - 8), LAST_OF_LINE = 4 * (GCN_LANES - 1) };

#if defined(__AVX2__) && !defined(__AVX512F__)
/* The lanes of eight whose offsets X are in the same eight dwords in a row of a line as lane OF. */
INLINE __m256i picks_near(__m256i x, int of)
{
    __m256i differ = _mm256_xor_si256(x, _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(of)));
    return _mm256_cmpeq_epi32(_mm256_and_si256(differ, _mm256_set1_epi32(ROWS_OF_LINE)), _mm256_setzero_si256());
}

/* Whether the offsets of each eight lanes lie in eight dwords in a row as well. Most programs exchange values so: in
 * groups of eight, or whole groups. The first and the last eight are asked alone, as most others differ there. */
INLINE bool picks_from_one(const __m256i x[8])
{
    __m256i differ = _mm256_setzero_si256();
    const __m256i rows = _mm256_set1_epi32(ROWS_OF_LINE);
    static const uint8_t order[8] = {0, 7, 1, 2, 3, 4, 5, 6};
    GCN_UNROLL
    for (int k = 0; k < 8; k++) {
        __m256i y = x[order[k]];
        differ = _mm256_or_si256(differ, _mm256_xor_si256(y, _mm256_broadcastd_epi32(_mm256_castsi256_si128(y))));
        if (k == 1 && !_mm256_testz_si256(differ, rows))
            return false;
    }
    return _mm256_testz_si256(differ, rows);
}

/* Whether the offsets of each eight lanes are near that of the first or the last of them, as when values move by some
 * lanes. */
INLINE bool picks_from_two(const __m256i x[8])
{
    __m256i all = _mm256_set1_epi32(-1);
    GCN_UNROLL
    for (int k = 7; k >= 0; k--) {
        all = _mm256_and_si256(all, _mm256_or_si256(picks_near(x[k], 0), picks_near(x[k], 7)));
        if (k == 7 && _mm256_movemask_epi8(all) != -1)
            return false;
    }
    return _mm256_movemask_epi8(all) == -1;
}

/* What lanes at offsets X of SOURCE have that are in the same eight as OFFSET. */
INLINE __m256i pick_near(const uint32_t *source, __m256i x, uint32_t offset)
{
    const uint8_t *row = (const uint8_t *)source + (offset & ROWS_OF_LINE);
    return _mm256_permutevar8x32_epi32(get_row((const uint32_t *)(const void *)row), _mm256_srli_epi32(x, 2));
}

/* What lanes at offsets X have, as picks_from_one() has it; may replace SOURCE. */
INLINE void pick_from_one(uint32_t *value, const uint32_t *source, __m256i x[8])
{
    GCN_UNROLL
    for (int k = 0; k < 8; k++)
        x[k] = pick_near(source, x[k], (uint32_t)_mm256_cvtsi256_si32(x[k]));
    GCN_UNROLL
    for (int k = 0; k < 8; k++)
        put_row(value + 8 * k, x[k]);
}

/* The offsets AT + MORE of eight lanes, in units of 1 << SHIFT bytes, in bytes. */
INLINE __m256i offsets_of_row(const uint32_t *at, uint32_t more, unsigned shift)
{
    return _mm256_slli_epi32(_mm256_add_epi32(get_row(at), _mm256_set1_epi32((int)more)), (int)shift);
}
#endif

/* Gives each lane I the dword of SOURCE at offset AT[I] + MORE, in units of 1 << SHIFT bytes, modulo the size of a
 * line. VALUE may be one of these lines. It is too large to be part of each handler that calls it. */
static __attribute__((noinline, unused)) void pick_lanes(uint32_t *value, const uint32_t *source, const uint32_t *at,
                                                         uint32_t more, unsigned shift)
{
#ifdef __AVX512F__
    __m512i s[4];
    GCN_UNROLL
    for (int k = 0; k < 4; k++)
        s[k] = _mm512_loadu_si512(source + 16 * k);
    GCN_UNROLL
    for (int k = 0; k < 4; k++) {
        __m512i x = _mm512_add_epi32(_mm512_loadu_si512(at + 16 * k), _mm512_set1_epi32((int)more));
        _mm512_storeu_si512(value + 16 * k, pick_16(s, _mm512_srli_epi32(_mm512_slli_epi32(x, shift), 2)));
    }
#elif defined(__AVX2__)
    __m256i x[8];
    GCN_UNROLL
    for (int k = 0; k < 8; k++)
        x[k] = offsets_of_row(at + 8 * k, more, shift);
    if (picks_from_one(x)) {
        pick_from_one(value, source, x);
        return;
    }
    if (picks_from_two(x)) {
        GCN_UNROLL
        for (int k = 0; k < 8; k++) {
            __m256i first = pick_near(source, x[k], (uint32_t)_mm256_cvtsi256_si32(x[k]));
            __m256i last = pick_near(source, x[k], (uint32_t)_mm256_extract_epi32(x[k], 7));
            x[k] = _mm256_blendv_epi8(last, first, picks_near(x[k], 0));
        }
    } else {
        GCN_UNROLL
        for (int k = 0; k < 8; k++)
            x[k] = pick_8((const uint8_t *)source, _mm256_and_si256(x[k], _mm256_set1_epi32(LAST_OF_LINE)));
    }
    GCN_UNROLL
    for (int k = 0; k < 8; k++)
        put_row(value + 8 * k, x[k]);
#else
    uint32_t x[GCN_LANES];
    for (int i = 0; i < GCN_LANES; i++)
        x[i] = source[one_by_one(((at[i] + more) << shift) / 4 % GCN_LANES)];
    memcpy(value, x, sizeof x);
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

/* Loads as many numbers of SIZE bytes, 1 or 2, as a row has lanes. */
#if defined(__AVX512F__)
typedef __m512i row_numbers;

MEM_GUEST INLINE row_numbers load_numbers(uint64_t address, unsigned size)
{
    const void *m = (const void *)(uintptr_t)address;
    return size == 1 ? _mm512_cvtepu8_epi32(_mm_loadu_si128(m)) : _mm512_cvtepu16_epi32(_mm256_loadu_si256(m));
}
#elif defined(__AVX2__)
typedef __m256i row_numbers;

MEM_GUEST INLINE row_numbers load_numbers(uint64_t address, unsigned size)
{
    const void *m = (const void *)(uintptr_t)address;
    return size == 1 ? _mm256_cvtepu8_epi32(_mm_loadl_epi64(m)) : _mm256_cvtepu16_epi32(_mm_loadu_si128(m));
}
#else
typedef quad row_numbers;

MEM_GUEST INLINE row_numbers load_numbers(uint64_t address, unsigned size)
{
    quad x;
    for (int i = 0; i < ROW_LANES; i++)
        x[i] = size == 1 ? mem_load8(address + (unsigned)i) : mem_load16(address + 2 * (unsigned)i);
    return x;
}
#endif

/* Loads elements of SIZE bytes into D, given where each row of them begins. The elements of a row lie STEP bytes, 1 or
 * 2, apart, so that they overlap if they are larger. */
INLINE void load_narrow_rows(uint32_t *d, const uint64_t *row, unsigned step, unsigned size)
{
    typedef uint32_t dwords __attribute__((vector_size(4 * ROW_LANES)));
    for (int k = 0; k < GCN_LANES / ROW_LANES; k++) {
        dwords x = (dwords)load_numbers(row[k], step);
        for (unsigned at = step; at < size; at += step)
            x |= (dwords)load_numbers(row[k] + at, step) << 8 * at;
        memcpy(d + k * ROW_LANES, &x, sizeof x);
    }
}

#endif
