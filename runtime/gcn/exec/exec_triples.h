/* SPDX-License-Identifier: MIT */
/* Moving whole lines between registers and elements of three dwords that lie side by side in memory; part of
 * exec_lines.h. Input: the address of the first lane's element. Invariant: no other memory is accessed. */
#ifndef RUNTIME_GCN_EXEC_TRIPLES_H
#define RUNTIME_GCN_EXEC_TRIPLES_H

#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/host_simd.h"
#include "runtime/gcn/exec/lane.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* Dword E of the elements of as many lanes as a host vector has belongs to line E % 3 and to lane E / 3. */
#if defined(__AVX512F__)
#define TRIPLE_ALL(F, k)                                                                                     \
    {                                                                                                        \
        F(k, 0), F(k, 1), F(k, 2), F(k, 3), F(k, 4), F(k, 5), F(k, 6), F(k, 7), F(k, 8), F(k, 9), F(k, 10),  \
            F(k, 11), F(k, 12), F(k, 13), F(k, 14), F(k, 15)                                                 \
    }
#define TRIPLE_TABLE(name, F) static const int32_t name[3][16] = {TRIPLE_ALL(F, 0), TRIPLE_ALL(F, 1), TRIPLE_ALL(F, 2)}
/* Where line K finds its lane I: in the first two vectors, or, if it is not there, in the third one. */
#define SPREAD_TWO(k, i)   ((3 * (i) + (k)) & 31)
#define SPREAD_THIRD(k, i) (3 * (i) + (k) < 32 ? (i) : 16 + 3 * (i) + (k)-32)
/* Where vector J finds its dword I: in the first two lines, or in the third one. */
#define COLLECT_TWO(j, i)   ((16 * (j) + (i)) % 3 % 2 * 16 + (16 * (j) + (i)) / 3)
#define COLLECT_THIRD(j, i) ((16 * (j) + (i)) % 3 < 2 ? (i) : 16 + (16 * (j) + (i)) / 3)

LANE __m512i triple_pick(const __m512i *x, const int32_t *two, const int32_t *third)
{
    __m512i first = _mm512_permutex2var_epi32(x[0], _mm512_loadu_si512(two), x[1]);
    return _mm512_permutex2var_epi32(first, _mm512_loadu_si512(third), x[2]);
}

MEM_GUEST LANE void spread_triples(uint32_t *d, uint64_t address)
{
    TRIPLE_TABLE(two, SPREAD_TWO);
    TRIPLE_TABLE(third, SPREAD_THIRD);
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += 16, address += 192) {
        const __m512i x[3] = {_mm512_loadu_si512((const void *)(uintptr_t)address),
                              _mm512_loadu_si512((const void *)(uintptr_t)(address + 64)),
                              _mm512_loadu_si512((const void *)(uintptr_t)(address + 128))};
        GCN_UNROLL
        for (unsigned k = 0; k < 3; k++)
            _mm512_storeu_si512(d + k * GCN_LANES + i, triple_pick(x, two[k], third[k]));
    }
}

MEM_GUEST LANE void collect_triples(uint64_t address, const uint32_t *s)
{
    TRIPLE_TABLE(two, COLLECT_TWO);
    TRIPLE_TABLE(third, COLLECT_THIRD);
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += 16, address += 192) {
        const __m512i x[3] = {_mm512_loadu_si512(s + i), _mm512_loadu_si512(s + GCN_LANES + i),
                              _mm512_loadu_si512(s + 2 * GCN_LANES + i)};
        GCN_UNROLL
        for (unsigned j = 0; j < 3; j++)
            _mm512_storeu_si512((void *)(uintptr_t)(address + 64 * j), triple_pick(x, two[j], third[j]));
    }
}
#elif defined(__AVX2__)
/* As 3 and 8 have no common factor, each place of a vector has another lane of line K in one of three vectors. */
#define TRIPLE_BLEND(x, a, b, c) \
    _mm256_blend_epi32(_mm256_blend_epi32((x)[a], (x)[b], 0x92), (x)[c], 0x24) /* by turns */
#define TRIPLE_SPREAD(k)  _mm256_setr_epi32(k, (k) + 3, (k) + 6, (k) + 9, (k) + 12, (k) + 15, (k) + 18, (k) + 21)
#define TRIPLE_COLLECT(k) _mm256_setr_epi32(-3 * (k), 3 - 3 * (k), 6 - 3 * (k), 9 - 3 * (k), 12 - 3 * (k), 15 - 3 * (k), \
                                            18 - 3 * (k), 21 - 3 * (k))

MEM_GUEST LANE void spread_triples(uint32_t *d, uint64_t address)
{
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += 8, address += 96) {
        const __m256i x[3] = {_mm256_loadu_si256((const void *)(uintptr_t)address),
                              _mm256_loadu_si256((const void *)(uintptr_t)(address + 32)),
                              _mm256_loadu_si256((const void *)(uintptr_t)(address + 64))};
        __m256i line[3] = {TRIPLE_BLEND(x, 0, 1, 2), TRIPLE_BLEND(x, 2, 0, 1), TRIPLE_BLEND(x, 1, 2, 0)};
        const __m256i from[3] = {TRIPLE_SPREAD(0), TRIPLE_SPREAD(1), TRIPLE_SPREAD(2)};
        GCN_UNROLL
        for (unsigned k = 0; k < 3; k++)
            _mm256_storeu_si256((void *)(d + k * GCN_LANES + i), _mm256_permutevar8x32_epi32(line[k], from[k]));
    }
}

MEM_GUEST LANE void collect_triples(uint64_t address, const uint32_t *s)
{
    const __m256i from[3] = {TRIPLE_COLLECT(0), TRIPLE_COLLECT(1), TRIPLE_COLLECT(2)};
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += 8, address += 96) {
        __m256i x[3];
        GCN_UNROLL
        for (unsigned k = 0; k < 3; k++)
            x[k] = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const void *)(s + k * GCN_LANES + i)), from[k]);
        _mm256_storeu_si256((void *)(uintptr_t)address, TRIPLE_BLEND(x, 0, 1, 2));
        _mm256_storeu_si256((void *)(uintptr_t)(address + 32), TRIPLE_BLEND(x, 2, 0, 1));
        _mm256_storeu_si256((void *)(uintptr_t)(address + 64), TRIPLE_BLEND(x, 1, 2, 0));
    }
}
#else
MEM_GUEST LANE void spread_triples(uint32_t *d, uint64_t address)
{
    const mem_u32 *m = (const mem_u32 *)(uintptr_t)address;
    GCN_LANE_LOOP
    for (int k = 0; k < 3; k++)
        d[k * GCN_LANES + i] = m[i * 3 + k];
}

MEM_GUEST LANE void collect_triples(uint64_t address, const uint32_t *s)
{
    mem_u32 *m = (mem_u32 *)(uintptr_t)address;
    GCN_LANE_LOOP
    for (int k = 0; k < 3; k++)
        m[i * 3 + k] = s[k * GCN_LANES + i];
}
#endif

#endif
