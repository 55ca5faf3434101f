/* SPDX-License-Identifier: MIT */
/* Reads and writes of group memory for a chunk of lanes; built once per instruction set of the host.
 *
 * Input: addresses of the lanes, a bit per lane that is active, data in w->chunk. Output: memory, or w->chunk, where
 * lanes that are not active are undefined. Invariant: a dword, or a smaller element, that is not wholly inside of the
 * allocation reads as zero and is not written. */
#include "runtime/gcn/jit/chunk.h"

#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/host_simd.h"

#include <immintrin.h>

#define INLINE __attribute__((always_inline, unused)) static inline

#ifdef __AVX512F__
enum { CHUNK = 16 };
#else
enum { CHUNK = 8 };
#endif
enum { EVERY = (1 << CHUNK) - 1 };
typedef uint32_t chunk __attribute__((vector_size(4 * CHUNK)));
typedef uint32_t convert_fn(uint32_t d, uint32_t m);

#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < CHUNK; i++)

INLINE bool is_zero_chunk(chunk x)
{
#ifdef __AVX512F__
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) == 0;
#else
    return _mm256_testz_si256((__m256i)x, (__m256i)x);
#endif
}

/* What each lane's address is beyond that of lane 0 if the lanes are STEP bytes apart. */
INLINE chunk steps_of(uint32_t step)
{
#ifdef __AVX512F__
    return (chunk){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} * step;
#else
    return (chunk){0, 1, 2, 3, 4, 5, 6, 7} * step;
#endif
}

INLINE uint32_t element_at(uint64_t address, unsigned size)
{
    return size == 1 ? mem_load8(address) : size == 2 ? mem_load16(address) : mem_load32(address);
}

/* Puts one lane's element at ADDRESS into OUT: N dwords, or SIZE bytes by way of CONVERT. */
INLINE void load_one(uint32_t (*out)[GCN_CHUNK_MAX], unsigned i, uint64_t address, unsigned size, convert_fn *convert)
{
    if (convert) {
        out[0][i] = convert(out[0][i], element_at(address, size));
        return;
    }
    uint64_t low = size > 4 ? mem_load64(address) : mem_load32(address);
    uint64_t high = size == 16 ? mem_load64(address + 8) : size == 12 ? mem_load32(address + 8) : 0;
    out[0][i] = (uint32_t)low;
    if (size > 4)
        out[1][i] = (uint32_t)(low >> 32);
    if (size > 8)
        out[2][i] = (uint32_t)high;
    if (size > 12)
        out[3][i] = (uint32_t)(high >> 32);
}

/* Adjacent elements, which begin at ADDRESS. */
MEM_GUEST INLINE void load_adjacent(uint32_t (*out)[GCN_CHUNK_MAX], uint64_t address, unsigned size,
                                    convert_fn *convert)
{
    if (convert && size == 1) {
        const mem_u8 *m = (const mem_u8 *)(uintptr_t)address;
        EACH_LANE out[0][i] = convert(out[0][i], m[i]);
    } else if (convert) {
        const mem_u16 *m = (const mem_u16 *)(uintptr_t)address;
        EACH_LANE out[0][i] = convert(out[0][i], m[i]);
    } else if (size == 4) {
        memcpy(out[0], (const void *)(uintptr_t)address, 4 * CHUNK);
    } else {
        const mem_u32 *m = (const mem_u32 *)(uintptr_t)address;
        const unsigned n = size / 4;
        EACH_LANE
        {
            for (unsigned k = 0; k < n; k++)
                out[k][i] = m[i * n + k];
        }
    }
}

/* The same element for all lanes. */
INLINE void load_same(uint32_t (*out)[GCN_CHUNK_MAX], uint64_t address, unsigned size, convert_fn *convert)
{
    if (convert) {
        uint32_t m = element_at(address, size);
        EACH_LANE out[0][i] = convert(out[0][i], m);
        return;
    }
    uint32_t one[4][GCN_CHUNK_MAX];
    load_one(one, 0, address, size, NULL);
    for (unsigned k = 0; k < size / 4; k++) {
        uint32_t m = one[k][0];
        EACH_LANE out[k][i] = m;
    }
}

/* The largest offset at which SIZE bytes fit, plus one; 0 if they fit nowhere. */
INLINE uint32_t end_of(const struct gcn_wave *w, uint32_t size)
{
    return w->lds_size >= size ? w->lds_size - size + 1 : 0;
}

INLINE void lds_load_lane(const struct gcn_wave *w, uint32_t (*out)[GCN_CHUNK_MAX], unsigned i, uint32_t at,
                          unsigned size, convert_fn *convert)
{
    if (at < end_of(w, size)) {
        load_one(out, i, (uintptr_t)w->lds + at, size, convert);
    } else if (convert) {
        out[0][i] = convert(out[0][i], 0);
    } else {
        for (unsigned k = 0; k < size / 4; k++)
            out[k][i] = (uint32_t)gcn_lds_read(w, at + 4 * k, 4);
    }
}

INLINE void lds_load(struct gcn_wave *w, uint32_t (*out)[GCN_CHUNK_MAX], uint32_t active, chunk at, unsigned size,
                     convert_fn *convert)
{
    uint32_t first = at[0], end = end_of(w, size);
    chunk beyond = at - first;
    if (active == EVERY && first < end) {
        if (is_zero_chunk(beyond ^ steps_of(size)) && end - first > (CHUNK - 1) * size) {
            load_adjacent(out, (uintptr_t)w->lds + first, size, convert);
            return;
        }
        if (is_zero_chunk(beyond)) {
            load_same(out, (uintptr_t)w->lds + first, size, convert);
            return;
        }
    }
#ifdef __AVX512F__
    if (size == 4 && !convert) {
        __mmask16 inside = _mm512_mask_cmplt_epu32_mask((__mmask16)active, (__m512i)at, _mm512_set1_epi32((int)end));
        __m512i x = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), inside, (__m512i)at, w->lds, 1);
        memcpy(out[0], &x, sizeof x);
        return;
    }
#endif
    for (; active; active &= active - 1) {
        unsigned i = (unsigned)__builtin_ctz(active);
        lds_load_lane(w, out, i, at[i], size, convert);
    }
}

MEM_GUEST INLINE void store_adjacent(uint64_t address, uint32_t (*in)[GCN_CHUNK_MAX], unsigned size, unsigned shift)
{
    if (size == 1) {
        mem_u8 *m = (mem_u8 *)(uintptr_t)address;
        EACH_LANE m[i] = (uint8_t)(in[0][i] >> shift);
    } else if (size == 2) {
        mem_u16 *m = (mem_u16 *)(uintptr_t)address;
        EACH_LANE m[i] = (uint16_t)(in[0][i] >> shift);
    } else if (size == 4) {
        memcpy((void *)(uintptr_t)address, in[0], 4 * CHUNK);
    } else {
        mem_u32 *m = (mem_u32 *)(uintptr_t)address;
        const unsigned n = size / 4;
        EACH_LANE
        {
            for (unsigned k = 0; k < n; k++)
                m[i * n + k] = in[k][i];
        }
    }
}

INLINE void lds_store_lane(struct gcn_wave *w, unsigned i, uint32_t at, unsigned size, unsigned shift)
{
    if (size < 4) {
        uint32_t value = w->chunk[0][i] >> shift;
        if (gcn_lds_has(w, at, size))
            memcpy(w->lds + at, &value, size);
        return;
    }
    for (unsigned k = 0; k < size / 4; k++)
        gcn_lds_write(w, at + 4 * k, w->chunk[k][i], 4);
}

INLINE void lds_store(struct gcn_wave *w, uint32_t active, chunk at, unsigned size, unsigned shift)
{
    uint32_t first = at[0], end = end_of(w, size);
    if (active == EVERY && first < end && end - first > (CHUNK - 1) * size &&
        is_zero_chunk((at - first) ^ steps_of(size))) {
        store_adjacent((uintptr_t)w->lds + first, w->chunk, size, shift);
        return;
    }
    for (; active; active &= active - 1) {
        unsigned i = (unsigned)__builtin_ctz(active);
        lds_store_lane(w, i, at[i], size, shift);
    }
}

/* The functions of each row, and the rows */

#define CONVERT(name, T, statement)                                                                          \
    INLINE uint32_t chunk_convert_##name(uint32_t d, uint32_t m_)                                            \
    {                                                                                                        \
        T m = (T)m_;                                                                                         \
        statement;                                                                                           \
        return d;                                                                                            \
    }
#define DS(name, body)                                                                                       \
    static void chunk_##name(struct gcn_wave *w, uint64_t base, uint32_t active, chunk address)                 \
    {                                                                                                        \
        chunk at = address + (uint32_t)base;                                                                 \
        body;                                                                                                \
    }
#define DS_NARROW_LOAD(name, T, statement)                                                                   \
    CONVERT(name, T, statement)                                                                              \
    DS(name, lds_load(w, w->chunk, active, at, sizeof(T), chunk_convert_##name))
#define DS_NARROW_STORE(name, T, shift) DS(name, lds_store(w, active, at, sizeof(T), shift))
#include "runtime/gcn/tables/memory.def"

/* The second offset of those with two is in the upper half of BASE. */
#define READ(name, n) DS(name, lds_load(w, w->chunk, active, at, 4 * (n), NULL))
#define READ2(name, n, scale)                                                                                \
    DS(name, lds_load(w, w->chunk, active, at, 4 * (n), NULL);                                                  \
       lds_load(w, w->chunk + (n), active, address + (uint32_t)(base >> 32), 4 * (n), NULL))
#define WRITE(name, n) DS(name, lds_store(w, active, at, 4 * (n), 0))
#define ALL_WIDE(READ_, READ2_, WRITE_)                                                                      \
    READ_(ds_read_b32, 1)                                                                                    \
    READ_(ds_read_b64, 2)                                                                                    \
    READ_(ds_read_b96, 3)                                                                                    \
    READ_(ds_read_b128, 4)                                                                                   \
    READ2_(ds_read2_b32, 1, 1)                                                                               \
    READ2_(ds_read2_b64, 2, 1)                                                                               \
    READ2_(ds_read2st64_b32, 1, 64)                                                                          \
    READ2_(ds_read2st64_b64, 2, 64)                                                                          \
    WRITE_(ds_write_b32, 1)                                                                                  \
    WRITE_(ds_write_b64, 2)                                                                                  \
    WRITE_(ds_write_b96, 3)                                                                                  \
    WRITE_(ds_write_b128, 4)
ALL_WIDE(READ, READ2, WRITE)

#define DS_ROW(name, n, parts_, scale_, store_, narrow_)                                                     \
    {.function = (chunk_fn *)chunk_##name,                                                                   \
     .id = GCN_OP_##name,                                                                                    \
     .scale = scale_,                                                                                        \
     .dwords = n,                                                                                            \
     .parts = parts_,                                                                                        \
     .store = store_,                                                                                        \
     .narrow = narrow_},
#define DS_NARROW_LOAD(name, ...)  DS_ROW(name, 1, 1, 0, false, true)
#define DS_NARROW_STORE(name, ...) DS_ROW(name, 1, 1, 0, true, true)
#define READ_ROW(name, n)          DS_ROW(name, n, 1, 0, false, false)
#define READ2_ROW(name, n, scale)  DS_ROW(name, 2 * (n), 2, 4 * (n) * (scale), false, false)
#define WRITE_ROW(name, n)         DS_ROW(name, n, 1, 0, true, false)
/* clang-format off */
const struct chunk_row GCN_SIMD_SYM(chunk_rows)[] = {
#include "runtime/gcn/tables/memory.def"
    ALL_WIDE(READ_ROW, READ2_ROW, WRITE_ROW)
    {.function = NULL},
};
/* clang-format on */
