/* SPDX-License-Identifier: MIT */
/* The functions that compiled code calls, inside of segments, for a chunk of lanes.
 * Input: offsets into group memory, a bit per lane that is active. Output: the dwords there.
 * Invariant: what is not wholly inside reads as zero, and so do lanes that are not active. */
#include "runtime/gcn/jit/build.h"

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define AVX2   __attribute__((target("avx2")))

/* END: the largest offset at which a dword fits, plus one. Mostly the lanes read adjacent dwords or all the same one.
 */
AVX512 static __m512i chunk_lds_read16(const uint8_t *lds, uint32_t end, uint32_t active, __m512i at)
{
    const __m512i steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    uint32_t first = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(at));
    __m512i distance = _mm512_sub_epi32(at, _mm512_set1_epi32((int)first));
    if (active == 0xffff && first < end) {
        if (_mm512_cmpneq_epi32_mask(distance, steps) == 0 && first + 60 < end)
            return _mm512_loadu_si512(lds + first);
        if (_mm512_test_epi32_mask(distance, distance) == 0) {
            int x;
            memcpy(&x, lds + first, sizeof x);
            return _mm512_set1_epi32(x);
        }
    }
    __mmask16 inside = _mm512_mask_cmplt_epu32_mask((__mmask16)active, at, _mm512_set1_epi32((int)end));
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), inside, at, lds, 1);
}

AVX2 static __m256i chunk_lds_read8(const uint8_t *lds, uint32_t end, uint32_t active, __m256i at)
{
    const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    uint32_t first = (uint32_t)_mm256_extract_epi32(at, 0);
    __m256i distance = _mm256_sub_epi32(at, _mm256_set1_epi32((int)first));
    if (active == 0xff && first < end) {
        __m256i differ = _mm256_xor_si256(distance, steps);
        if (_mm256_testz_si256(differ, differ) && first + 28 < end)
            return _mm256_loadu_si256((const __m256i *)(const void *)(lds + first));
        if (_mm256_testz_si256(distance, distance)) {
            int x;
            memcpy(&x, lds + first, sizeof x);
            return _mm256_set1_epi32(x);
        }
    }
    uint32_t offsets[8], result[8] = {0};
    memcpy(offsets, &at, sizeof offsets);
    for (; active; active &= active - 1) {
        unsigned lane = (unsigned)__builtin_ctz(active);
        if (offsets[lane] < end)
            memcpy(&result[lane], lds + offsets[lane], sizeof result[lane]);
    }
    memcpy(&at, result, sizeof result);
    return at;
}

uintptr_t chunk_lds_read(const struct gcn_jit *jit)
{
    return jit->lanes == 16 ? (uintptr_t)chunk_lds_read16 : (uintptr_t)chunk_lds_read8;
}
