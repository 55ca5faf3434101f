/* SPDX-License-Identifier: MIT */
/* Group memory (LDS) reads and writes, and the exchanges between lanes that use its crossbar; built once per
 * instruction set of the host.
 *
 * Input: 32-bit byte offsets into the work-group's memory, data of the active lanes. Output: registers or memory.
 * The waves of a work-group run on one thread, so accesses are plain. Any alignment is allowed. A dword (or narrow
 * element) that is not wholly inside the allocation reads as zero and is not written. */
#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/inst/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

/* The largest offset at which SIZE bytes fit, plus one; 0 if they fit nowhere. */
INLINE uint32_t lds_end(const struct gcn_wave *w, uint32_t size)
{
    return w->lds_size >= size ? w->lds_size - size + 1 : 0;
}

INLINE bool all_below(const uint32_t *address, uint32_t offset, uint32_t end)
{
    uint32_t beyond = 0;
    GCN_LANE_LOOP
    beyond |= (uint32_t)(address[i] + offset >= end);
    return !beyond;
}

/* Whether the lanes access adjacent elements of SIZE bytes, all at offsets below END. */
INLINE bool adjacent_below(const uint32_t *address, uint32_t offset, uint32_t size, uint32_t end)
{
    uint32_t first = address[0] + offset;
    return line_adjacent(address, size) && first < end && end - first > (GCN_LANES - 1) * size;
}

/* Reads an element of N dwords of which some or all may lie outside of the allocation. */
static void read_checked(const struct gcn_wave *w, uint32_t *d, uint32_t address, int n)
{
    for (int k = 0; k < n; k++, address += 4)
        d[k * GCN_LANES] = gcn_lds_read(w, address, 4);
}

static void write_checked(struct gcn_wave *w, uint32_t address, const uint32_t *s, int n)
{
    for (int k = 0; k < n; k++, address += 4)
        gcn_lds_write(w, address, s[k * GCN_LANES], 4);
}

/* Reads an element of N dwords per lane, all inside of the allocation. */
INLINE void read_scattered(uint32_t *d, const uint8_t *lds, const uint32_t *address, uint32_t offset, int n)
{
    uint64_t host[GCN_LANES];
    uint32_t at[GCN_LANES];
    GCN_LANE_LOOP
    at[i] = address[i] + offset;
    if (n == 1) {
        for (int i = 0; i < GCN_LANES; i++)
            memcpy(&d[i], lds + one_by_one(at[i]), 4);
        return;
    }
    GCN_LANE_LOOP
    host[i] = (uintptr_t)lds + at[i];
    load_lanes(d, host, n);
}

/* Reads an element of N dwords per active lane into D and the lines after it, where the elements are not adjacent, or
 * not all lanes are active. */
INLINE void read_others(struct gcn_wave *w, uint32_t *d, const uint32_t *address, uint32_t offset, int n)
{
    uint64_t exec = gcn_exec(w);
    uint32_t end = lds_end(w, 4 * (uint32_t)n);
    const uint8_t *lds = w->lds;
    if (exec == ALL && all_below(address, offset, end)) {
        uint32_t first = address[0] + offset;
        if (line_adjacent(address, 0)) {
            for (int k = 0; k < n; k++) {
                uint32_t value;
                memcpy(&value, lds + first + 4 * k, 4);
                GCN_LANE_LOOP
                d[k * GCN_LANES + i] = value;
            }
        } else {
            read_scattered(d, lds, address, offset, n);
        }
        return;
    }
    if (MASKED_MOVES && n == 1 && adjacent_below(address, offset, 4, end)) {
        load_some(d, (uintptr_t)lds + (uint32_t)(address[0] + offset), gcn_mask(w));
        return;
    }
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t at = address[lane] + offset;
        if (at < end)
            load_lane(d + lane, (uintptr_t)lds + at, n);
        else
            read_checked(w, d + lane, at, n);
    }
}

/* The same for writing. */
INLINE void write_others(struct gcn_wave *w, const uint32_t *address, uint32_t offset, const uint32_t *s, int n)
{
    uint64_t exec = gcn_exec(w);
    uint32_t end = lds_end(w, 4 * (uint32_t)n);
    uint8_t *lds = w->lds;
    if (exec == ALL && all_below(address, offset, end)) {
        uint64_t host[GCN_LANES];
        GCN_LANE_LOOP
        host[i] = (uintptr_t)lds + (uint32_t)(address[i] + offset);
        store_lanes(host, s, n);
        return;
    }
    if (MASKED_MOVES && n == 1 && adjacent_below(address, offset, 4, end)) {
        store_some((uintptr_t)lds + (uint32_t)(address[0] + offset), s, gcn_mask(w));
        return;
    }
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t at = address[lane] + offset;
        if (at < end)
            store_lane((uintptr_t)lds + at, s + lane, n);
        else
            write_checked(w, at, s + lane, n);
    }
}

#define REST(n)                                                                                              \
    __attribute__((noinline)) static void read_rest_##n(struct gcn_wave *w, uint32_t *d,                     \
                                                        const uint32_t *address, uint32_t offset)            \
    {                                                                                                        \
        read_others(w, d, address, offset, n);                                                               \
    }                                                                                                        \
    __attribute__((noinline)) static void write_rest_##n(struct gcn_wave *w, const uint32_t *address,        \
                                                         uint32_t offset, const uint32_t *s)                 \
    {                                                                                                        \
        write_others(w, address, offset, s, n);                                                              \
    }
REST(1)
REST(2)
REST(3)
REST(4)

/* Reads an element of N dwords per active lane into D and the lines after it. D may be ADDRESS itself. */
INLINE void read_wide(struct gcn_wave *w, uint32_t *d, const uint32_t *address, uint32_t offset, int n)
{
    if (gcn_exec(w) == ALL && adjacent_below(address, offset, 4 * (uint32_t)n, lds_end(w, 4 * (uint32_t)n)))
        spread(d, (uintptr_t)w->lds + (uint32_t)(address[0] + offset), n);
    else
        (n == 1 ? read_rest_1 : n == 2 ? read_rest_2 : n == 3 ? read_rest_3 : read_rest_4)(w, d, address, offset);
}

INLINE void write_wide(struct gcn_wave *w, const uint32_t *address, uint32_t offset, const uint32_t *s, int n)
{
    if (gcn_exec(w) == ALL && adjacent_below(address, offset, 4 * (uint32_t)n, lds_end(w, 4 * (uint32_t)n)))
        collect((uintptr_t)w->lds + (uint32_t)(address[0] + offset), s, n);
    else
        (n == 1 ? write_rest_1 : n == 2 ? write_rest_2 : n == 3 ? write_rest_3 : write_rest_4)(w, address, offset, s);
}

/* Whether the second of two elements follows the first. OFFSETS has one of each in its bytes, counted in elements. */
INLINE bool is_pair(uint64_t offsets)
{
    return (offsets >> 8 & 255) == (offsets & 255) + 1;
}

/* Writes two elements of N dwords per lane, the second one after the first, where all of these are adjacent; false if
 * they are not, and nothing was written. */
INLINE bool write_pair(struct gcn_wave *w, const uint32_t *address, uint32_t offset, const uint32_t *first,
                       const uint32_t *second, int n)
{
    uint32_t both[4 * GCN_LANES] __attribute__((aligned(64))), size = 8 * (uint32_t)n;
    if (gcn_exec(w) != ALL || !adjacent_below(address, offset, size, lds_end(w, size)))
        return false;
    copy_lines(both, first, n);
    copy_lines(both + n * GCN_LANES, second, n);
    collect((uintptr_t)w->lds + (uint32_t)(address[0] + offset), both, 2 * n);
    return true;
}

#define READ(name, n)                                                                                   \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        read_wide(w, gcn_dst(w, op->dst), gcn_line(w, op->src[0]), (uint32_t)op->imm, n);  \
        return op + 1;                                                                                  \
    }
/* Reads two elements, at once if the second one follows the first. The destination may overlap the address, which a
 * second element elsewhere still needs. */
#define READ2(name, n, scale)                                                                           \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        uint32_t address[GCN_LANES], *d = gcn_dst(w, op->dst);                                          \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        if (scale == 1 && is_pair(op->imm)) {                                                           \
            read_wide(w, d, gcn_line(w, op->src[0]), (op->imm & 255u) * 4 * n, 2 * n);                  \
            return op + 1;                                                                              \
        }                                                                                               \
        memcpy(address, gcn_line(w, op->src[0]), sizeof address);                                       \
        read_wide(w, d, address, (op->imm & 255u) * 4 * n * scale, n);                            \
        read_wide(w, d + n * GCN_LANES, address, (op->imm >> 8 & 255u) * 4 * n * scale, n);       \
        return op + 1;                                                                                  \
    }
#define WRITE(name, n)                                                                                  \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        write_wide(w, gcn_line(w, op->src[0]), (uint32_t)op->imm, gcn_line(w, op->src[1]), n); \
        return op + 1;                                                                                  \
    }
#define WRITE2(name, n, scale)                                                                          \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        const uint32_t *address = gcn_line(w, op->src[0]);                                              \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        if (scale == 1 && is_pair(op->imm) &&                                                           \
            write_pair(w, address, (op->imm & 255u) * 4 * n, gcn_line(w, op->src[1]), gcn_line(w, op->src[2]), n)) \
            return op + 1;                                                                              \
        write_wide(w, address, (op->imm & 255u) * 4 * n * scale, gcn_line(w, op->src[1]), n);     \
        write_wide(w, address, (op->imm >> 8 & 255u) * 4 * n * scale, gcn_line(w, op->src[2]), n); \
        return op + 1;                                                                                  \
    }
#define ALL_WIDE(READ_, READ2_, WRITE_, WRITE2_)                                                        \
    READ_(ds_read_b32, 1) READ_(ds_read_b64, 2) READ_(ds_read_b96, 3) READ_(ds_read_b128, 4)            \
    READ2_(ds_read2_b32, 1, 1) READ2_(ds_read2_b64, 2, 1)                                               \
    READ2_(ds_read2st64_b32, 1, 64) READ2_(ds_read2st64_b64, 2, 64)                                     \
    WRITE_(ds_write_b32, 1) WRITE_(ds_write_b64, 2) WRITE_(ds_write_b96, 3) WRITE_(ds_write_b128, 4)    \
    WRITE2_(ds_write2_b32, 1, 1) WRITE2_(ds_write2_b64, 2, 1)                                           \
    WRITE2_(ds_write2st64_b32, 1, 64) WRITE2_(ds_write2st64_b64, 2, 64)
ALL_WIDE(READ, READ2, WRITE, WRITE2)

#define DS_NARROW_LOAD(name, T, statement)                                                              \
    static uint32_t convert_##name(uint32_t d, uint32_t m_)                                             \
    {                                                                                                   \
        T m = (T)m_;                                                                                    \
        statement;                                                                                      \
        return d;                                                                                       \
    }                                                                                                   \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        uint32_t *line = gcn_dst(w, op->dst), end = lds_end(w, sizeof(T));                               \
        const uint32_t *address = gcn_line(w, op->src[0]);                                              \
        if (gcn_exec(w) == ALL && adjacent_below(address, (uint32_t)op->imm, sizeof(T), end)) {         \
            spread_narrow(line, (uintptr_t)w->lds + (address[0] + (uint32_t)op->imm), sizeof(T), convert_##name); \
            return op + 1;                                                                              \
        }                                                                                               \
        for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctzll(exec);                                            \
            uint32_t at = address[lane] + (uint32_t)op->imm, d = line[lane];                            \
            T m = 0;                                                                                    \
            if (at < end)                                                                               \
                memcpy(&m, w->lds + at, sizeof m);                                                      \
            statement;                                                                                  \
            line[lane] = d;                                                                             \
        }                                                                                               \
        return op + 1;                                                                                  \
    }
#define DS_NARROW_STORE(name, T, shift)                                                                 \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        if (op->aux & GCN_GDS)                                                                          \
            return gcn_no_gds(w, op);                                                                   \
        const uint32_t *address = gcn_line(w, op->src[0]), *s = gcn_line(w, op->src[1]);                \
        uint32_t end = lds_end(w, sizeof(T));                                                            \
        if (gcn_exec(w) == ALL && adjacent_below(address, (uint32_t)op->imm, sizeof(T), end)) {         \
            collect_narrow((uintptr_t)w->lds + (address[0] + (uint32_t)op->imm), s, sizeof(T), shift);  \
            return op + 1;                                                                              \
        }                                                                                               \
        for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctzll(exec);                                            \
            uint32_t at = address[lane] + (uint32_t)op->imm;                                            \
            T m = (T)(s[lane] >> shift);                                                                \
            if (at < end)                                                                               \
                memcpy(w->lds + at, &m, sizeof m);                                                      \
        }                                                                                               \
        return op + 1;                                                                                  \
    }
#include "runtime/gcn/tables/memory.def"

/* The lane's number takes the place of an address register. */
INLINE void addtid(const struct gcn_wave *w, const struct gcn_uop *op, uint32_t *address)
{
    uint32_t base = (w->s[GCN_S_M0] & 0xFFFF) + (uint32_t)op->imm;
    GCN_LANE_LOOP
    address[i] = base + 4 * (uint32_t)i;
}

HANDLER(ds_read_addtid_b32)
{
    uint32_t address[GCN_LANES];
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    addtid(w, op, address);
    read_wide(w, gcn_dst(w, op->dst), address, 0, 1);
    return op + 1;
}

HANDLER(ds_write_addtid_b32)
{
    uint32_t address[GCN_LANES];
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    addtid(w, op, address);
    write_wide(w, address, 0, gcn_line(w, op->src[1]), 1);
    return op + 1;
}

/* Writes VALUE to the active lanes of D. */
INLINE void put_active(struct gcn_wave *w, uint32_t *d, const uint32_t *value)
{
    if (gcn_exec(w) == ALL) {
        copy_lines(d, value, 1);
        return;
    }
    const uint32_t *mask = gcn_mask(w);
    GCN_LANE_LOOP
    d[i] = (value[i] & mask[i]) | (d[i] & ~mask[i]);
}

/* Puts what pick_lanes() picks for AT, MORE and SHIFT from S into the active lanes at D; lanes that are not active give
 * zero. */
INLINE void pick_active(struct gcn_wave *w, uint32_t *d, const uint32_t *s, const uint32_t *at, uint32_t more,
                        unsigned shift)
{
    if (gcn_exec(w) == ALL) {
        pick_lanes(d, s, at, more, shift);
        return;
    }
    uint32_t value[GCN_LANES];
    const uint32_t *mask = gcn_mask(w);
    GCN_LANE_LOOP
    value[i] = s[i] & mask[i];
    pick_lanes(value, value, at, more, shift);
    put_active(w, d, value);
}

/* The same for lanes that ADDRESS + OFFSET names. */
INLINE void fetch_lanes(struct gcn_wave *w, uint32_t *d, const uint32_t *s, const uint32_t *address, uint32_t offset)
{
#ifdef __AVX512F__
    uint64_t exec = gcn_exec(w);
    __m512i x[4], out[4];
    GCN_UNROLL
    for (int k = 0; k < 4; k++)
        x[k] = _mm512_maskz_loadu_epi32((__mmask16)(exec >> 16 * k), s + 16 * k);
    GCN_UNROLL
    for (int k = 0; k < 4; k++) {
        __m512i at = _mm512_add_epi32(_mm512_loadu_si512(address + 16 * k), _mm512_set1_epi32((int)offset));
        __m512i old = _mm512_loadu_si512(d + 16 * k);
        out[k] = _mm512_mask_mov_epi32(old, (__mmask16)(exec >> 16 * k), pick_16(x, _mm512_srli_epi32(at, 2)));
    }
    GCN_UNROLL
    for (int k = 0; k < 4; k++)
        _mm512_storeu_si512(d + 16 * k, out[k]);
#else
#ifdef __AVX2__
    if (gcn_exec(w) == ALL) { /* what is frequent, without a call of pick_lanes() */
        __m256i x[8];
        GCN_UNROLL
        for (int k = 0; k < 8; k++)
            x[k] = offsets_of_row(address + 8 * k, offset, 0);
        if (picks_from_one(x)) {
            pick_from_one(d, s, x);
            return;
        }
    }
#endif
    pick_active(w, d, s, address, offset, 0);
#endif
}

HANDLER(ds_bpermute_b32)
{
    fetch_lanes(w, gcn_dst(w, op->dst), gcn_line(w, op->src[1]), gcn_line(w, op->src[0]), (uint32_t)op->imm);
    return op + 1;
}

/* The lanes that the last ds_permute wrote, by those that gave the values. Programs exchange values in the same way
 * again and again; once that is seen, it is known where each lane's value comes from, which is faster to execute: a
 * line that was just stored in pieces is slow to load as a whole.
 * It has bytes, since a program can load the runtime with dlopen() only if its thread-local variables are small. */
enum { NO_SOURCE = UINT8_MAX };
struct permutation {
    uint8_t index[GCN_LANES];  /* lane that each lane writes, as the offset of its dword */
    uint8_t source[GCN_LANES]; /* lane that each lane reads, in the same way, or NO_SOURCE if none writes it */
    bool known;                /* SOURCE is */
    bool eights;               /* each eight lanes read lanes that are eight in a row, too */
};
static _Thread_local struct permutation last_permutation;

static void find_sources(struct permutation *p)
{
    memset(p->source, NO_SOURCE, sizeof p->source);
    for (unsigned i = 0; i < GCN_LANES; i++) /* in order: the highest lane wins */
        p->source[p->index[i] / 4] = (uint8_t)(4 * i);
    p->known = p->eights = true;
    for (unsigned i = 0; i < GCN_LANES; i++)
        p->eights &= p->source[i] / 32 == p->source[i & ~7u] / 32 && p->source[i] != NO_SOURCE;
}

#if defined(__AVX2__) && !defined(__AVX512F__)
INLINE __m256i eight_bytes(const uint8_t *bytes)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
}
#endif

/* Whether the lanes write those of P. */
INLINE bool is_permutation(const struct permutation *p, const uint32_t *address, uint32_t offset)
{
#ifdef __AVX512F__
    __m128i differ = _mm_setzero_si128();
    GCN_UNROLL
    for (int i = 0; i < GCN_LANES; i += 16) {
        __m512i at = _mm512_add_epi32(_mm512_loadu_si512(address + i), _mm512_set1_epi32((int)offset));
        at = _mm512_and_si512(at, _mm512_set1_epi32(LAST_OF_LINE));
        __m128i known = _mm_loadu_si128((const __m128i *)(const void *)(p->index + i));
        differ = _mm_or_si128(differ, _mm_xor_si128(_mm512_cvtepi32_epi8(at), known));
    }
    return _mm_testz_si128(differ, differ);
#elif defined(__AVX2__)
    __m256i differ = _mm256_setzero_si256();
    GCN_UNROLL
    for (int k = 0; k < 8; k++) {
        __m256i at = _mm256_and_si256(offsets_of_row(address + 8 * k, offset, 0), _mm256_set1_epi32(LAST_OF_LINE));
        differ = _mm256_or_si256(differ, _mm256_xor_si256(at, eight_bytes(p->index + 8 * k)));
    }
    return _mm256_testz_si256(differ, differ);
#else
    uint32_t differ = 0;
    GCN_LANE_LOOP
    differ |= ((address[i] + offset) & LAST_OF_LINE) ^ p->index[i];
    return !differ;
#endif
}

/* Gives the lanes at D what those that P says have at S. */
INLINE void pull_lanes(const struct permutation *p, uint32_t *d, const uint32_t *s)
{
#ifdef __AVX512F__
    __m512i x[4], out[4];
    GCN_UNROLL
    for (int k = 0; k < 4; k++)
        x[k] = _mm512_loadu_si512(s + 16 * k);
    GCN_UNROLL
    for (int k = 0; k < 4; k++) {
        __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p->source + 16 * k)));
        __mmask16 written = _mm512_cmpneq_epi32_mask(at, _mm512_set1_epi32(NO_SOURCE));
        out[k] = _mm512_maskz_mov_epi32(written, pick_16(x, _mm512_srli_epi32(at, 2)));
    }
    GCN_UNROLL
    for (int k = 0; k < 4; k++)
        _mm512_storeu_si512(d + 16 * k, out[k]);
#elif defined(__AVX2__)
    const __m256i none = _mm256_set1_epi32(NO_SOURCE), last = _mm256_set1_epi32(LAST_OF_LINE);
    __m256i out[8];
    if (p->eights) {
        GCN_UNROLL
        for (int k = 0; k < 8; k++)
            out[k] = pick_near(s, eight_bytes(p->source + 8 * k), p->source[8 * k]);
    } else {
        GCN_UNROLL
        for (int k = 0; k < 8; k++) {
            __m256i at = eight_bytes(p->source + 8 * k);
            __m256i x = pick_8((const uint8_t *)s, _mm256_and_si256(at, last));
            out[k] = _mm256_andnot_si256(_mm256_cmpeq_epi32(at, none), x);
        }
    }
    GCN_UNROLL
    for (int k = 0; k < 8; k++)
        put_row(d + 8 * k, out[k]);
#else
    uint32_t index[GCN_LANES], value[GCN_LANES];
    GCN_LANE_LOOP
    index[i] = p->source[i];
    pick_lanes(value, s, index, 0, 0);
    GCN_LANE_LOOP
    d[i] = index[i] == NO_SOURCE ? 0 : value[i];
#endif
}

__attribute__((noinline)) static void push_others(struct permutation *p, uint32_t *d, const uint32_t *s,
                                                  const uint32_t *address, uint32_t offset)
{
    uint32_t value[GCN_LANES];
    GCN_LANE_LOOP
    p->index[i] = (uint8_t)((address[i] + offset) & LAST_OF_LINE);
    p->known = false;
    memcpy(value, s, sizeof value);
    memset(d, 0, GCN_LINE);
    for (int i = 0; i < GCN_LANES; i++)
        d[one_by_one(p->index[i]) / 4] = value[i];
}

/* Puts S into the lanes at D that ADDRESS names; those that it does not name become zero. */
INLINE void push_lanes(uint32_t *d, const uint32_t *s, const uint32_t *address, uint32_t offset)
{
    struct permutation *p = &last_permutation;
    if (!is_permutation(p, address, offset)) {
        push_others(p, d, s, address, offset);
        return;
    }
    if (!p->known)
        find_sources(p);
    pull_lanes(p, d, s);
}

HANDLER(ds_permute_b32)
{
    const uint32_t *address = gcn_line(w, op->src[0]), *s = gcn_line(w, op->src[1]);
    uint32_t offset = (uint32_t)op->imm, *d = gcn_dst(w, op->dst);
    if (gcn_exec(w) == ALL) {
        push_lanes(d, s, address, offset);
        return op + 1;
    }
    uint32_t value[GCN_LANES] = {0};
    for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) { /* in order: the highest lane wins */
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        value[(address[lane] + offset) / 4 % GCN_LANES] = s[lane];
    }
    put_active(w, d, value);
    return op + 1;
}

/* The lanes that the first COUNT lanes read in ds_swizzle with this offset. */
INLINE void swizzle_lanes(uint32_t *index, unsigned count, uint32_t offset)
{
    if (offset < 0x8000) /* lets the compiler know the mode */
        for (unsigned i = 0; i < count; i++)
            index[i] = gcn_swizzle(i, offset & 0x7FFF);
    else if (offset < 0xC000)
        for (unsigned i = 0; i < count; i++)
            index[i] = gcn_swizzle(i, 0x8000 | (offset & 0xFF));
    else
        for (unsigned i = 0; i < count; i++)
            index[i] = gcn_swizzle(i, offset);
}

#if defined(__AVX2__) && !defined(__AVX512F__)
/* Gives the lanes at D what ds_swizzle with this offset, which is below 0xC000, gives them of S. Each eight lanes read
 * from eight in a row, and all do so in the same order: the high bits of a lane's number have no influence on the low
 * ones of that which it reads. */
INLINE void swizzle_eights(uint32_t *d, const uint32_t *s, uint32_t offset)
{
    uint32_t index[8];
    __m256i x[8];
    swizzle_lanes(index, 8, offset);
    GCN_UNROLL
    for (unsigned k = 0; k < 8; k++)
        x[k] = _mm256_permutevar8x32_epi32(get_row(s + (gcn_swizzle(8 * k, offset) & ~7u)), get_row(index));
    GCN_UNROLL
    for (unsigned k = 0; k < 8; k++)
        put_row(d + 8 * k, x[k]);
}
#endif

HANDLER(ds_swizzle_b32)
{
    uint32_t offset = (uint32_t)op->imm, *d = gcn_dst(w, op->dst), index[GCN_LANES];
    const uint32_t *s = gcn_line(w, op->src[0]);
#if defined(__AVX2__) && !defined(__AVX512F__)
    if (offset < 0xC000 && gcn_exec(w) == ALL) {
        swizzle_eights(d, s, offset);
        return op + 1;
    }
#endif
    swizzle_lanes(index, GCN_LANES, offset);
    pick_active(w, d, s, index, 0, 2);
    return op + 1;
}

#define ROW(name, ...) {GCN_OP_##name, name},
#define DS_NARROW_LOAD(name, ...) ROW(name)
#define DS_NARROW_STORE(name, ...) ROW(name)
/* clang-format off */
const struct gcn_handler_row GCN_SIMD_SYM(gcn_lds_handlers)[] = {
    ALL_WIDE(ROW, ROW, ROW, ROW)
#include "runtime/gcn/tables/memory.def"
    ROW(ds_read_addtid_b32) ROW(ds_write_addtid_b32)
    ROW(ds_bpermute_b32) ROW(ds_permute_b32) ROW(ds_swizzle_b32)
    {0, NULL},
};
/* clang-format on */
