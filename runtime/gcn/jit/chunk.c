/* SPDX-License-Identifier: MIT */
/* Reads and writes of group memory for a chunk of lanes; built once per instruction set of the host.
 *
 * Compiled code itself does what is simple: this is for scattered dwords, some lanes only, and four adjacent dwords.
 * Input: addresses of the lanes, a bit per lane that is active, data in w->chunk. Output: memory, or w->chunk, where
 * lanes that are not active are undefined. Invariant: a dword that is not wholly inside of the allocation reads as zero
 * and is not written. */
#include "runtime/gcn/jit/chunk.h"

#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_lines.h"

#include <immintrin.h>

#ifdef __AVX512F__
enum { CHUNK = 16 };
#else
enum { CHUNK = 8 };
#endif
enum { EVERY = (1 << CHUNK) - 1 };
typedef uint32_t chunk __attribute__((vector_size(4 * CHUNK)));

/* Whether all lanes are active, and the N dwords of each are inside of group memory. */
INLINE bool all_inside(const struct gcn_wave *w, uint32_t active, chunk at, unsigned n)
{
    uint32_t end = w->lds_size >= 4 * n ? w->lds_size - 4 * n + 1 : 0;
#ifdef __AVX512F__
    bool beyond = _mm512_cmpge_epu32_mask((__m512i)at, _mm512_set1_epi32((int)end)) != 0;
#else
    __m256i limit = _mm256_set1_epi32((int)end), least = _mm256_max_epu32((__m256i)at, limit);
    bool beyond = _mm256_movemask_epi8(_mm256_cmpeq_epi32(least, (__m256i)at)) != 0;
#endif
    return active == EVERY && !beyond;
}

INLINE void read_adjacent_quads(struct gcn_wave *w, uint64_t address)
{
    for (unsigned i = 0; i < CHUNK; i += 4, address += 64) {
        const uint64_t to[4] = {(uintptr_t)&w->chunk[0][i], (uintptr_t)&w->chunk[1][i], (uintptr_t)&w->chunk[2][i],
                                (uintptr_t)&w->chunk[3][i]};
        transpose(to, get_quad(address), get_quad(address + 16), get_quad(address + 32), get_quad(address + 48));
    }
}

INLINE bool are_adjacent(const uint32_t *at, uint32_t step)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < CHUNK; i++)
        differ |= (at[i] - at[0]) ^ i * step;
    return !differ && at[0] <= UINT32_MAX - CHUNK * step;
}

/* The dwords at MEMORY + AT. They must come as a vector: stored one by one, they could not be loaded as one right after
 * that. */
INLINE chunk pick_dwords(const uint8_t *memory, chunk at)
{
#ifdef __AVX512F__
    return (chunk)_mm512_i32gather_epi32((__m512i)at, memory, 1);
#else
    return (chunk)_mm256_i32gather_epi32((const int *)(const void *)memory, (__m256i)at, 1);
#endif
}

/* Reads N dwords per lane into OUT. */
INLINE void chunk_read(struct gcn_wave *w, uint32_t (*out)[GCN_CHUNK_MAX], uint32_t active, chunk address, unsigned n)
{
    uint32_t at[CHUNK];
    memcpy(at, &address, sizeof at);
    if (!all_inside(w, active, address, n)) {
        for (; active; active &= active - 1) {
            unsigned i = (unsigned)__builtin_ctz(active);
            for (unsigned k = 0; k < n; k++)
                out[k][i] = (uint32_t)gcn_lds_read(w, at[i] + 4 * k, 4);
        }
    } else if (n == 4 && out == w->chunk && are_adjacent(at, 16)) {
        read_adjacent_quads(w, (uintptr_t)w->lds + at[0]);
    } else {
        for (unsigned k = 0; k < n; k++) {
            chunk x = pick_dwords(w->lds + (size_t)4 * k, address);
            memcpy(out[k], &x, sizeof x);
        }
    }
}

/* Writes a dword per lane, in the order of the lanes. */
INLINE void chunk_write(struct gcn_wave *w, uint32_t active, chunk address)
{
    uint32_t at[CHUNK];
    memcpy(at, &address, sizeof at);
    if (all_inside(w, active, address, 1)) {
        for (unsigned i = 0; i < CHUNK; i++)
            memcpy(w->lds + one_by_one(at[i]), &w->chunk[0][i], 4);
        return;
    }
    for (; active; active &= active - 1) {
        unsigned i = (unsigned)__builtin_ctz(active);
        gcn_lds_write(w, at[i], w->chunk[0][i], 4);
    }
}

/* The second offset of those with two is in the upper half of BASE. */
#define FUNCTION(name, ...)                                                                                  \
    static void chunk_##name(struct gcn_wave *w, uint64_t base, uint32_t active, chunk address)              \
    {                                                                                                        \
        chunk at = address + (uint32_t)base;                                                                 \
        __VA_ARGS__;                                                                                         \
    }
#define READ(name, n) FUNCTION(name, chunk_read(w, w->chunk, active, at, n))
#define READ2(name, n, scale)                                                                                \
    FUNCTION(name, chunk_read(w, w->chunk, active, at, n);                                                   \
             chunk_read(w, w->chunk + (n), active, address + (uint32_t)(base >> 32), n))
#define WRITE(name, n) FUNCTION(name, chunk_write(w, active, at))
#define ALL_ROWS(READ_, READ2_, WRITE_)                                                                      \
    READ_(ds_read_b32, 1)                                                                                    \
    READ_(ds_read_b64, 2)                                                                                    \
    READ_(ds_read_b96, 3)                                                                                    \
    READ_(ds_read_b128, 4)                                                                                   \
    READ2_(ds_read2_b32, 1, 1)                                                                               \
    READ2_(ds_read2_b64, 2, 1)                                                                               \
    READ2_(ds_read2st64_b32, 1, 64)                                                                          \
    READ2_(ds_read2st64_b64, 2, 64)                                                                          \
    WRITE_(ds_write_b32, 1)
ALL_ROWS(READ, READ2, WRITE)

#define ROW(name, dwords, parts, scale, store) {(chunk_fn *)chunk_##name, GCN_OP_##name, scale, dwords, parts, store},
#define READ_ROW(name, n)                      ROW(name, n, 1, 0, false)
#define READ2_ROW(name, n, scale)              ROW(name, 2 * (n), 2, 4 * (n) * (scale), false)
#define WRITE_ROW(name, n)                     ROW(name, n, 1, 0, true)
/* clang-format off */
const struct chunk_row GCN_SIMD_SYM(chunk_rows)[] = {
    ALL_ROWS(READ_ROW, READ2_ROW, WRITE_ROW)
    {.function = NULL},
};
/* clang-format on */
