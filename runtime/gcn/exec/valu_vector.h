/* SPDX-License-Identifier: MIT */
/* The cores of rows of ops/valu_*.def whose expressions work on whole vectors of the host (lane_vector.h), in the
 * default modes; part of valu.h, which describes cores. */
#ifndef RUNTIME_GCN_VALU_VECTOR_H
#define RUNTIME_GCN_VALU_VECTOR_H

#include "runtime/gcn/exec/host_simd.h"
#include "runtime/gcn/exec/lane_vector.h"

LANE vector_u32 valu_dwords(const uint32_t *p)
{
    vector_u32 x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* f32 operations, and those of integers that have a function for vectors. */
#define VECTOR_none(p, i, s, all) ((vector_f32){0})
#define VECTOR_f32(p, i, s, all)  ((s) ? (all) : vector_get((p) + (i)))
#define VECTOR_u32                VECTOR_f32
#define VALU_VECTOR_CORE(id, B, C, EXPR)                                                                     \
    VALU_INLINE uint64_t id##_vector(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                  \
                                     const uint32_t *pc, const uint32_t *in, const uint32_t *mask,           \
                                     const struct lane_mode m, const int sa, const int sb)                   \
    {                                                                                                        \
        const vector_f32 none = {0}, a_all = sa ? vector_splat(pa) : none, b_all = sb ? vector_splat(pb) : none; \
        (void)m, (void)pb, (void)pc, (void)in, (void)b_all;                                                  \
        for (int i = 0; i < GCN_LANES; i += VECTOR_LANES) {                                                  \
            const vector_f32 a = VECTOR_f32(pa, i, sa, a_all), b = VECTOR_##B(pb, i, sb, b_all);             \
            const vector_f32 c = VECTOR_##C(pc, i, 0, none), d = vector_get(dst + i);                        \
            (void)b, (void)c, (void)d;                                                                       \
            vector_put(dst + i, EXPR, mask ? mask + i : NULL);                                               \
        }                                                                                                    \
        return 0;                                                                                            \
    }

/* f16 operations, on vectors of f32. KEEP are the bits that the destination keeps. */
#define HALF_none(p, i) ((vector_f32){0})
#define HALF_f16(p, i)  vector_from16(valu_dwords((p) + (i)))
#define VALU_HALF_CORE(id, C, KEEP, EXPR)                                                                    \
    VALU_INLINE uint64_t id##_halves(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                  \
                                     const uint32_t *pc, const uint32_t *in, const uint32_t *mask,           \
                                     const struct lane_mode m, const int sa, const int sb)                   \
    {                                                                                                        \
        (void)m, (void)pc, (void)in, (void)sa, (void)sb;                                                     \
        for (int i = 0; i < GCN_LANES; i += VECTOR_LANES) {                                                  \
            const vector_u32 old = valu_dwords(dst + i);                                                     \
            const vector_f32 a = HALF_f16(pa, i), b = HALF_f16(pb, i), c = HALF_##C(pc, i);                  \
            const vector_f32 d = vector_from16(old);                                                         \
            (void)c, (void)d;                                                                                \
            vector_put(dst + i, (vector_f32)(vector_to16(EXPR) | (old & (KEEP))), mask ? mask + i : NULL);   \
        }                                                                                                    \
        return 0;                                                                                            \
    }

/* The same on both halves of each dword. */
#define VALU_PACKED_CORE(id, C, EXPR)                                                                        \
    VALU_INLINE vector_u32 id##_part(vector_u32 a_in, vector_u32 b_in, vector_u32 c_in,                      \
                                     const struct lane_mode m)                                               \
    {                                                                                                        \
        const vector_f32 a = vector_from16(a_in), b = vector_from16(b_in), c = vector_from16(c_in);          \
        (void)c, (void)m;                                                                                    \
        return vector_to16(EXPR);                                                                            \
    }                                                                                                        \
    VALU_INLINE uint64_t id##_packed(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                  \
                                     const uint32_t *pc, const uint32_t *in, const uint32_t *mask,           \
                                     const struct lane_mode m, const int sa, const int sb)                   \
    {                                                                                                        \
        (void)pc, (void)in, (void)sa, (void)sb;                                                              \
        for (int i = 0; i < GCN_LANES; i += VECTOR_LANES) {                                                  \
            const vector_u32 a = valu_dwords(pa + i), b = valu_dwords(pb + i);                               \
            const vector_u32 c = (vector_u32)VECTOR_##C(pc, i, 0, (vector_f32)a);                            \
            const vector_u32 r = id##_part(a, b, c, m) | id##_part(a >> 16, b >> 16, c >> 16, m) << 16;      \
            vector_put(dst + i, (vector_f32)r, mask ? mask + i : NULL);                                      \
        }                                                                                                    \
        return 0;                                                                                            \
    }

/* 64-bit operands: each host vector takes half of the lanes from a vector of low and one of high dwords, and what comes
 * of both halves is put together in the same order. */
enum { VALU_BYTES = 4 * VECTOR_LANES };
typedef vector_u64 valu_u64;
typedef int64_t valu_i64 __attribute__((vector_size(VALU_BYTES)));
typedef vector_f64 valu_f64;
#if defined(__AVX512F__)
#define VALU_LOW(a, b)  __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define VALU_HIGH(a, b) __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define VALU_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
#define VALU_ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31)
#elif defined(__AVX2__)
#define VALU_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define VALU_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define VALU_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define VALU_ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#else
#define VALU_LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define VALU_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define VALU_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define VALU_ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7)
#endif

/* The halves, and how they are put back; MASK as in vector_put(). */
#define VALU_SIDE(PART, p, i) PART(valu_dwords((p) + (i)), valu_dwords((p) + (i) + GCN_LANES))
#define VALU_FIRST(p, i)      VALU_SIDE(VALU_LOW, p, i)
#define VALU_SECOND(p, i)     VALU_SIDE(VALU_HIGH, p, i)
LANE void valu_put_sides(uint32_t *line, vector_u32 first, vector_u32 second, const uint32_t *mask)
{
    vector_put(line, (vector_f32)VALU_EVEN(first, second), mask);
    vector_put(line + GCN_LANES, (vector_f32)VALU_ODD(first, second), mask);
}

/* f64 operations. */
#define WIDE_none(SIDE, p, i, s, all) ((vector_f64){0})
#define WIDE_f64(SIDE, p, i, s, all)  ((s) ? (all) : (vector_f64)SIDE(p, i))
#define VALU_WIDE_CORE(id, C, EXPR)                                                                          \
    VALU_INLINE vector_u32 id##_side(vector_f64 a, vector_f64 b, vector_f64 c, vector_f64 d,                 \
                                     const struct lane_mode m)                                               \
    {                                                                                                        \
        (void)c, (void)d, (void)m;                                                                           \
        return (vector_u32)(EXPR);                                                                           \
    }                                                                                                        \
    VALU_INLINE uint64_t id##_wide(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                    \
                                   const uint32_t *pc, const uint32_t *in, const uint32_t *mask,             \
                                   const struct lane_mode m, const int sa, const int sb)                     \
    {                                                                                                        \
        const vector_f64 a = (vector_f64)((valu_u64){0} + (sa ? VALU_SWIDE(pa) : 0));                        \
        const vector_f64 b = (vector_f64)((valu_u64){0} + (sb ? VALU_SWIDE(pb) : 0));                        \
        (void)pc, (void)in;                                                                                  \
        for (int i = 0; i < GCN_LANES; i += VECTOR_LANES) {                                                  \
            vector_u32 first =                                                                               \
                id##_side(WIDE_f64(VALU_FIRST, pa, i, sa, a), WIDE_f64(VALU_FIRST, pb, i, sb, b),            \
                          WIDE_##C(VALU_FIRST, pc, i, 0, a), WIDE_f64(VALU_FIRST, dst, i, 0, a), m);         \
            vector_u32 second =                                                                              \
                id##_side(WIDE_f64(VALU_SECOND, pa, i, sa, a), WIDE_f64(VALU_SECOND, pb, i, sb, b),          \
                          WIDE_##C(VALU_SECOND, pc, i, 0, a), WIDE_f64(VALU_SECOND, dst, i, 0, a), m);       \
            valu_put_sides(dst + i, first, second, mask ? mask + i : NULL);                                  \
        }                                                                                                    \
        return 0;                                                                                            \
    }

/* Compares. The condition gets vectors as operands. */
#define VALU_COMPARE_CORE(id, T, BIT)                                                                        \
    VALU_INLINE valu_i64 id##_condition(valu_##T a, valu_##T b)                                              \
    {                                                                                                        \
        return (valu_i64)((BIT) != 0);                                                                       \
    }                                                                                                        \
    VALU_INLINE uint64_t id##_wide(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                    \
                                   const uint32_t *pc, const uint32_t *in, const uint32_t *mask,             \
                                   const struct lane_mode m, const int sa, const int sb)                     \
    {                                                                                                        \
        uint32_t carry[GCN_LANES] __attribute__((aligned(64)));                                              \
        const valu_##T all = (valu_##T)((valu_u64){0} + (sa ? VALU_SWIDE(pa) : 0));                          \
        (void)dst, (void)pc, (void)in, (void)mask, (void)m, (void)sb;                                        \
        for (int i = 0; i < GCN_LANES; i += VECTOR_LANES) {                                                  \
            vector_u32 low = (vector_u32)id##_condition(sa ? all : (valu_##T)VALU_FIRST(pa, i),              \
                                                        (valu_##T)VALU_FIRST(pb, i));                        \
            vector_u32 high = (vector_u32)id##_condition(sa ? all : (valu_##T)VALU_SECOND(pa, i),            \
                                                         (valu_##T)VALU_SECOND(pb, i));                      \
            low = VALU_EVEN(low, high);                                                                      \
            memcpy(carry + i, &low, sizeof low);                                                             \
        }                                                                                                    \
        return valu_pack(carry);                                                                             \
    }

#endif
