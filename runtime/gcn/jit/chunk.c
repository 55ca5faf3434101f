/* SPDX-License-Identifier: MIT */
/* Reads and writes of group memory for a chunk of lanes, and operations that are seldom more than others; built once
 * per instruction set of the host.
 *
 * Compiled code itself does what is simple: this is for scattered dwords, some lanes only, and divisions whose results
 * have to be scaled.
 * Input: addresses of the lanes, a bit per lane that is active, data in w->chunk. Output: memory, or w->chunk, where
 * lanes that are not active are undefined. Invariant: a dword that is not wholly inside of the allocation reads as zero
 * and is not written. */
#include "runtime/gcn/jit/chunk.h"

#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/exec/lane_math.h"

#include <immintrin.h>

#ifdef __AVX512F__
enum { CHUNK = 16 };
#else
enum { CHUNK = 8 };
#endif
enum { EVERY = (1 << CHUNK) - 1 };
typedef uint32_t chunk __attribute__((vector_size(4 * CHUNK)));

/* Whether the N dwords of each active lane are inside of group memory; then those of the others are made to be, too. */
INLINE bool all_inside(const struct gcn_wave *w, uint32_t active, chunk *at, unsigned n)
{
    uint32_t end = w->lds_size >= 4 * n ? w->lds_size - 4 * n + 1 : 0;
#ifdef __AVX512F__
    __mmask16 inside = _mm512_cmplt_epu32_mask((__m512i)*at, _mm512_set1_epi32((int)end));
    *at = (chunk)_mm512_maskz_mov_epi32(inside, (__m512i)*at);
    return end && !(active & ~(uint32_t)inside);
#else
    __m256i limit = _mm256_set1_epi32((int)end), least = _mm256_max_epu32((__m256i)*at, limit);
    __m256i beyond = _mm256_cmpeq_epi32(least, (__m256i)*at);
    *at = (chunk)_mm256_andnot_si256(beyond, (__m256i)*at);
    return end && !(active & (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(beyond)));
#endif
}

/* Lanes 4 * I to 4 * I + 3. */
INLINE __m128i quad_of(chunk x, int i)
{
#ifdef __AVX512F__
    return i == 0   ? _mm512_castsi512_si128((__m512i)x)
           : i == 1 ? _mm512_extracti32x4_epi32((__m512i)x, 1)
           : i == 2 ? _mm512_extracti32x4_epi32((__m512i)x, 2)
                    : _mm512_extracti32x4_epi32((__m512i)x, 3);
#else
    return i ? _mm256_extracti128_si256((__m256i)x, 1) : _mm256_castsi256_si128((__m256i)x);
#endif
}

/* The dwords at MEMORY + AT. */
INLINE chunk pick_dwords(const uint8_t *memory, chunk at)
{
#ifdef __AVX512F__
    __m256i low = pick_8(memory, _mm512_castsi512_si256((__m512i)at));
    return (chunk)_mm512_inserti64x4(
        _mm512_castsi256_si512(low), pick_8(memory, _mm512_extracti64x4_epi64((__m512i)at, 1)), 1);
#else
    return (chunk)pick_8(memory, (__m256i)at);
#endif
}

INLINE void put_dword(uint8_t *memory, uint64_t at, int value)
{
    memcpy(memory + at, &value, sizeof value);
}

/* Stores the dwords of X at MEMORY + AT, in the order of the lanes. */
INLINE void put_quad_at(uint8_t *memory, __m128i offsets, __m128i x)
{
    uint64_t at[4];
    offsets_of(at, offsets);
    put_dword(memory, at[0], _mm_cvtsi128_si32(x));
    put_dword(memory, at[1], _mm_extract_epi32(x, 1));
    put_dword(memory, at[2], _mm_extract_epi32(x, 2));
    put_dword(memory, at[3], _mm_extract_epi32(x, 3));
}

/* X, in which lanes that are not active have what lane LAST has. */
INLINE chunk fill_idle(chunk x, uint32_t active, unsigned last)
{
#ifdef __AVX512F__
    __m512i of_last = _mm512_permutexvar_epi32(_mm512_set1_epi32((int)last), (__m512i)x);
    return (chunk)_mm512_mask_mov_epi32(of_last, (__mmask16)active, (__m512i)x);
#else
    __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)active), bits), bits);
    __m256i of_last = _mm256_permutevar8x32_epi32((__m256i)x, _mm256_set1_epi32((int)last));
    return (chunk)_mm256_blendv_epi8(of_last, (__m256i)x, on);
#endif
}

/* Reads N dwords per lane into OUT, of which some or all may be outside of group memory, for some of the lanes. */
__attribute__((noinline, cold)) static void read_some(const struct gcn_wave *w, uint32_t (*out)[GCN_CHUNK_MAX],
                                                      uint32_t active, const uint32_t *at, unsigned n)
{
    for (; active; active &= active - 1) {
        unsigned i = (unsigned)__builtin_ctz(active);
        for (unsigned k = 0; k < n; k++)
            out[k][i] = (uint32_t)gcn_lds_read(w, at[i] + 4 * k, 4);
    }
}

/* Reads N dwords per lane into OUT. */
INLINE void chunk_read(struct gcn_wave *w, uint32_t (*out)[GCN_CHUNK_MAX], uint32_t active, chunk address, unsigned n)
{
    chunk near = address;
    if (!all_inside(w, active, &near, n)) {
        uint32_t at[CHUNK];
        memcpy(at, &address, sizeof at);
        read_some(w, out, active, at, n);
    } else {
        for (unsigned k = 0; k < n; k++) {
            chunk x = pick_dwords(w->lds + (size_t)4 * k, near);
            memcpy(out[k], &x, sizeof x);
        }
    }
}

__attribute__((noinline, cold)) static chunk read_one_slowly(struct gcn_wave *w, uint32_t active, chunk address)
{
    chunk x;
    chunk_read(w, w->chunk, active, address, 1);
    memcpy(&x, w->chunk[0], sizeof x);
    return x;
}

/* Reads a dword per lane. The rare case is apart, so that the frequent one needs no stack. */
INLINE chunk chunk_read_one(struct gcn_wave *w, uint32_t active, chunk address)
{
    chunk near = address;
    if (__builtin_expect(all_inside(w, active, &near, 1), 1))
        return pick_dwords(w->lds, near);
    return read_one_slowly(w, active, address);
}

/* Writes a dword per lane, in the order of the lanes. Branches on which lanes are active would seldom be predicted; so
 * the others write what the last active one does, which it will, or has. */
INLINE void chunk_write(struct gcn_wave *w, uint32_t active, chunk address)
{
    uint8_t *lds = w->lds;
    chunk near = address, x;
    if (!active)
        return;
    if (!all_inside(w, active, &near, 1)) {
        uint32_t at[CHUNK];
        memcpy(at, &address, sizeof at);
        for (; active; active &= active - 1) {
            unsigned i = (unsigned)__builtin_ctz(active);
            gcn_lds_write(w, at[i], w->chunk[0][i], 4);
        }
        return;
    }
    memcpy(&x, w->chunk[0], sizeof x);
    if (active != EVERY) {
        unsigned last = 31 - (unsigned)__builtin_clz(active);
        address = fill_idle(address, active, last);
        x = fill_idle(x, active, last);
    }
    put_quad_at(lds, quad_of(address, 0), quad_of(x, 0));
    put_quad_at(lds, quad_of(address, 1), quad_of(x, 1));
#ifdef __AVX512F__
    put_quad_at(lds, quad_of(address, 2), quad_of(x, 2));
    put_quad_at(lds, quad_of(address, 3), quad_of(x, 3));
#endif
}

/* The second offset of those with two is in the upper half of BASE. */
#define FUNCTION(name, ...)                                                                                  \
    static void chunk_##name(struct gcn_wave *w, uint64_t base, uint32_t active, chunk address)              \
    {                                                                                                        \
        chunk at = address + (uint32_t)base;                                                                 \
        __VA_ARGS__;                                                                                         \
    }
#define READ1(name, n)                                                                                       \
    static chunk chunk_##name(struct gcn_wave *w, uint64_t base, uint32_t active, chunk address)             \
    {                                                                                                        \
        return chunk_read_one(w, active, address + (uint32_t)base);                                          \
    }
#define READ(name, n) FUNCTION(name, chunk_read(w, w->chunk, active, at, n))
#define READ2(name, n, scale)                                                                                \
    FUNCTION(name, chunk_read(w, w->chunk, active, at, n);                                                   \
             chunk_read(w, w->chunk + (n), active, address + (uint32_t)(base >> 32), n))
#define WRITE(name, n) FUNCTION(name, chunk_write(w, active, at))
#define ALL_ROWS(READ1_, READ_, READ2_, WRITE_)                                                              \
    READ1_(ds_read_b32, 1)                                                                                    \
    READ_(ds_read_b64, 2)                                                                                    \
    READ_(ds_read_b96, 3)                                                                                    \
    READ_(ds_read_b128, 4)                                                                                   \
    READ2_(ds_read2_b32, 1, 1)                                                                               \
    READ2_(ds_read2_b64, 2, 1)                                                                               \
    READ2_(ds_read2st64_b32, 1, 64)                                                                          \
    READ2_(ds_read2st64_b64, 2, 64)                                                                          \
    WRITE_(ds_write_b32, 1)
ALL_ROWS(READ1, READ, READ2, WRITE)

#define DIV_FMAS(name, type)                                                                                 \
    __attribute__((cold)) static void chunk_v_##name(struct gcn_wave *w, uint32_t scaled)                    \
    {                                                                                                        \
        const struct lane_mode nearest = {0};                                                                \
        type x[3][CHUNK];                                                                                    \
        for (unsigned k = 0; k < 3; k++)                                                                     \
            memcpy(x[k], w->chunk[2 * k], sizeof x[k]);                                                      \
        for (unsigned i = 0; i < CHUNK; i++)                                                                 \
            x[0][i] = lane_##name(x[0][i], x[1][i], x[2][i], scaled >> i & 1, nearest);                      \
        memcpy(w->chunk[0], x[0], sizeof x[0]);                                                              \
    }
DIV_FMAS(div_fmas32, float)
DIV_FMAS(div_fmas64, double)

#define ROW(name, dwords, parts, scale, store) {(chunk_fn *)chunk_##name, GCN_OP_##name, scale, dwords, parts, store},
#define READ_ROW(name, n)                      ROW(name, n, 1, 0, false)
#define READ2_ROW(name, n, scale)              ROW(name, 2 * (n), 2, 4 * (n) * (scale), false)
#define WRITE_ROW(name, n)                     ROW(name, n, 1, 0, true)
/* clang-format off */
const struct chunk_row GCN_SIMD_SYM(chunk_rows)[] = {
    ALL_ROWS(READ_ROW, READ_ROW, READ2_ROW, WRITE_ROW)
    {(chunk_fn *)chunk_v_div_fmas32, GCN_OP_v_div_fmas_f32, 0, 1, 1, false},
    {(chunk_fn *)chunk_v_div_fmas64, GCN_OP_v_div_fmas_f64, 0, 2, 1, false},
    {.function = NULL},
};
/* clang-format on */
