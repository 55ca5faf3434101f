/* SPDX-License-Identifier: MIT */
/* Makes handlers of the rows in ops/valu_*.def: loops over lanes around an expression.
 *
 * A row's *core* is an always-inlined loop; handlers are its instances with constant arguments: sources as
 * lines (p) or as a broadcast scalar (s), all lanes or blended with EXEC, default floating modes or any. What
 * a core reads of a lane it reads before it writes that lane. */
#ifndef RUNTIME_GCN_VALU_H
#define RUNTIME_GCN_VALU_H

#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/exec/host_simd.h"
#include "runtime/gcn/exec/lane_int.h"
#include "runtime/gcn/exec/lane_math.h"
#include "runtime/gcn/exec/valu_vector.h"

/* By default gcc vectorises only loops that are certain to gain by it; all of these do. */
#ifndef __clang__
#pragma GCC optimize("O3")
#endif

/* Lanes below lane i, among lanes 0..31 and 32..63. */
extern const uint32_t valu_below_lo[GCN_LANES], valu_below_hi[GCN_LANES];

/* Row types: T_ what an expression sees, GET_ from a line, GETS_ from a scalar, IN_ with denormals flushed as
 * the mode asks, PUT_ into the lanes whose bits in K are set. f16p, u16p, i16p keep the high half, f16h the
 * low one. f16s is f16 where it matters whether a NaN is signaling; VALUE_ is what either makes of a half. */
#define T_none int
#define T_u32  uint32_t
#define T_i32  int32_t
#define T_f32  float
#define T_u64  uint64_t
#define T_i64  int64_t
#define T_f64  double
#define T_u16  uint32_t
#define T_i16  int32_t
#define T_f16  float
#define T_f16s float
#define T_u16p uint32_t
#define T_i16p int32_t
#define T_f16p float
#define T_f16h float

#define VALU_WIDE(p, i) ((p)[i] | (uint64_t)(p)[(i) + GCN_LANES] << 32)
#define GET_none(p, i)  0
#define GET_u32(p, i)   ((p)[i])
#define GET_i32(p, i)   ((int32_t)(p)[i])
#define GET_f32(p, i)   lane_f32((p)[i])
#define GET_u64(p, i)   VALU_WIDE(p, i)
#define GET_i64(p, i)   ((int64_t)VALU_WIDE(p, i))
#define GET_f64(p, i)   lane_f64(VALU_WIDE(p, i))
#define GET_u16(p, i)   ((p)[i] & 0xffff)
#define GET_i16(p, i)   ((int32_t)(int16_t)(p)[i])
#define VALUE_f16(x)    lane_number16(x)
#define VALUE_f16s(x)   lane_from16(x)
#define GET_f16(p, i)   VALUE_f16((p)[i] & 0xffff)
#define GET_f16s(p, i)  VALUE_f16s((p)[i] & 0xffff)
#define GET_u16p        GET_u16
#define GET_i16p        GET_i16
#define GET_f16p        GET_f16
#define GET_f16h(p, i)  0

#define VALU_SWIDE(p) ((p)[0] | (uint64_t)(p)[1] << 32)
#define GETS_none(p)  0
#define GETS_u32(p)   GET_u32(p, 0)
#define GETS_i32(p)   GET_i32(p, 0)
#define GETS_f32(p)   GET_f32(p, 0)
#define GETS_u64(p)   VALU_SWIDE(p)
#define GETS_i64(p)   ((int64_t)VALU_SWIDE(p))
#define GETS_f64(p)   lane_f64(VALU_SWIDE(p))
#define GETS_u16(p)   GET_u16(p, 0)
#define GETS_i16(p)   GET_i16(p, 0)
#define GETS_f16(p)   GET_f16(p, 0)
#define GETS_f16s(p)  GET_f16s(p, 0)

#define IN_none(x, m) (x)
#define IN_u32(x, m)  (x)
#define IN_i32(x, m)  (x)
#define IN_f32(x, m)  ((m).in32 ? lane_flush32(x) : (x))
#define IN_u64(x, m)  (x)
#define IN_i64(x, m)  (x)
#define IN_f64(x, m)  ((m).in64 ? lane_flush64(x) : (x))
#define IN_u16(x, m)  (x)
#define IN_i16(x, m)  (x)
#define IN_f16(x, m)  ((m).in64 ? lane_flush16(x) : (x))
#define IN_u16p(x, m) (x)
#define IN_i16p(x, m) (x)
#define IN_f16s       IN_f16
#define IN_f16p       IN_f16
#define IN_f16h(x, m) (x)

#define VALU_BLEND(d, i, bits, k) ((d)[i] = ((bits) & (k)) | ((d)[i] & ~(k)))
#define VALU_BLEND64(d, i, bits, k)                                                                          \
    do {                                                                                                     \
        const uint64_t both_ = (bits);                                                                       \
        VALU_BLEND(d, i, (uint32_t)both_, k);                                                                \
        VALU_BLEND(d, (i) + GCN_LANES, (uint32_t)(both_ >> 32), k);                                          \
    } while (0)
#define PUT_none(d, i, r, k, m) ((void)(r))
#define PUT_u32(d, i, r, k, m)  VALU_BLEND(d, i, (uint32_t)(r), k)
#define PUT_i32                 PUT_u32
#define PUT_f32(d, i, r, k, m)  VALU_BLEND(d, i, lane_bits32((m).out32 ? lane_flush32(r) : (r)), k)
#define PUT_u64(d, i, r, k, m)  VALU_BLEND64(d, i, (uint64_t)(r), k)
#define PUT_i64                 PUT_u64
#define PUT_f64(d, i, r, k, m)  VALU_BLEND64(d, i, lane_bits64((m).out64 ? lane_flush64(r) : (r)), k)
#define PUT_u16(d, i, r, k, m)  VALU_BLEND(d, i, (uint32_t)(r)&0xffff, k)
#define PUT_i16                 PUT_u16
#define PUT_f16(d, i, r, k, m)  VALU_BLEND(d, i, lane_result16(r, m), k)
#define PUT_u16p(d, i, r, k, m) VALU_BLEND(d, i, (uint32_t)(r)&0xffff, (k)&0xffff)
#define PUT_i16p                PUT_u16p
#define PUT_f16p(d, i, r, k, m) VALU_BLEND(d, i, lane_result16(r, m), (k)&0xffff)
#define PUT_f16h(d, i, r, k, m) VALU_BLEND(d, i, lane_result16(r, m) << 16, (k)&0xffff0000)

/* Classes of rows: whether the default modes hold, and the rounding they use. */
#define PLAIN_I(w)   1
#define PLAIN_F32(w) ((w)->plain32)
#define PLAIN_F64(w) ((w)->plain64)
#define PLAIN_N32(w) ((w)->plain32)
#define PLAIN_N64(w) ((w)->plain64)
#define PLAIN_X32(w) ((w)->plain32 && (w)->plain64)
#define PLAIN_X64(w) ((w)->plain32 && (w)->plain64)
#define ROUND_I(m)   0
#define ROUND_F32(m) ((m).round32)
#define ROUND_F64(m) ((m).round64)
#define ROUND_X32(m) ((m).round32)
#define ROUND_X64(m) ((m).round64)
#define ROUND_N32(m) 0
#define ROUND_N64(m) 0

static const struct lane_mode valu_default_mode __attribute__((unused)) = {.ieee = 1, .dx10_clamp = 1};

static inline __attribute__((unused)) struct lane_mode valu_mode(const struct gcn_wave *w)
{
    return (struct lane_mode){
        .in32 = w->flush32_in,
        .out32 = w->flush32_out,
        .in64 = w->flush64_in,
        .out64 = w->flush64_out,
        .round32 = w->mode >> GCN_MODE_ROUND32 & 3,
        .round64 = w->mode >> GCN_MODE_ROUND64 & 3,
        .ieee = w->mode >> GCN_MODE_IEEE & 1,
        .dx10_clamp = w->mode >> GCN_MODE_DX10_CLAMP & 1,
        .ovfl16 = w->mode >> GCN_MODE_FP16_OVFL & 1,
    };
}

/* Sets the host's rounding to MODE's encoding. All operands of the arithmetic in between come from memory and
 * all results go there, so the compiler cannot move it across. */
static inline __attribute__((unused)) void valu_set_rounding(uint32_t mode)
{
    static const uint16_t control[4] = {0, 2, 1, 3};
    uint32_t csr = 0x1f80u | (uint32_t)control[mode & 3] << 13;
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
}

/* Top bits of a line as a mask. */
static inline __attribute__((unused)) uint64_t valu_pack(const uint32_t *line)
{
    uint64_t bits = 0;
#if defined(__AVX512DQ__)
    for (int i = 0; i < GCN_LANES; i += 16) {
        typedef int v16i __attribute__((vector_size(64)));
        v16i x;
        memcpy(&x, line + i, sizeof x);
        bits |= (uint64_t)__builtin_ia32_cvtd2mask512(x) << i;
    }
#elif defined(__AVX2__)
    for (int i = 0; i < GCN_LANES; i += 8) {
        typedef float v8f __attribute__((vector_size(32)));
        v8f x;
        memcpy(&x, line + i, sizeof x);
        bits |= (uint64_t)(uint32_t)__builtin_ia32_movmskps256(x) << i;
    }
#else
    for (int i = 0; i < GCN_LANES; i += 4) {
        typedef float v4f __attribute__((vector_size(16)));
        v4f x;
        memcpy(&x, line + i, sizeof x);
        bits |= (uint64_t)(uint32_t)__builtin_ia32_movmskps(x) << i;
    }
#endif
    return bits;
}

static inline __attribute__((unused)) void valu_splat(uint32_t *line, const uint32_t *scalar, size_t size)
{
    for (size_t half = 0; half < size / 4 + (size < 4); half++) {
        uint32_t x = scalar[half];
        for (int i = 0; i < GCN_LANES; i++)
            line[half * GCN_LANES + (size_t)i] = x;
    }
}

#define VALU_INLINE static inline __attribute__((always_inline, unused))

#define VALU_CORE(id, R, A, B, C, IN, OUT, EXPR, BIT)                                                        \
    VALU_INLINE uint64_t id##_core(uint32_t *dst, const uint32_t *pa, const uint32_t *pb,                    \
                                   const uint32_t *pc, const uint32_t *in, const uint32_t *mask,             \
                                   const struct lane_mode m, const int sa, const int sb)                     \
    {                                                                                                        \
        uint32_t carry[GCN_LANES] __attribute__((aligned(64)));                                              \
        const T_##A a_all = sa ? GETS_##A(pa) : 0;                                                           \
        const T_##B b_all = sb ? GETS_##B(pb) : 0;                                                           \
        (void)m, (void)pa, (void)pb, (void)pc, (void)in, (void)dst, (void)mask;                              \
        GCN_LANE_LOOP                                                                                        \
        {                                                                                                    \
            const T_##A a_in = sa ? a_all : GET_##A(pa, i);                                                  \
            const T_##B b_in = sb ? b_all : GET_##B(pb, i);                                                  \
            const T_##C c_in = GET_##C(pc, i);                                                               \
            const T_##R d_in = GET_##R(dst, i);                                                              \
            const T_##A a = IN_##A(a_in, m);                                                                 \
            const T_##B b = IN_##B(b_in, m);                                                                 \
            const T_##C c = IN_##C(c_in, m);                                                                 \
            const T_##R d = IN_##R(d_in, m);                                                                 \
            const uint32_t cin = (IN) ? in[i] & 1 : 0;                                                       \
            uint32_t scaled = 0;                                                                             \
            (void)a, (void)b, (void)c, (void)d, (void)cin, (void)scaled;                                     \
            const T_##R r = (T_##R)(EXPR);                                                                   \
            if (OUT)                                                                                         \
                carry[i] = -(uint32_t)(BIT);                                                                 \
            const uint32_t keep = mask ? mask[i] : UINT32_MAX;                                               \
            (void)keep;                                                                                      \
            PUT_##R(dst, i, r, keep, m);                                                                     \
        }                                                                                                    \
        return (OUT) ? valu_pack(carry) : 0;                                                                 \
    }

/* For modes other than the default: these are rare, so one instance serves all forms of operands. */
#define VALU_SLOW(id, class, A, B)                                                                           \
    static __attribute__((noinline, unused))                                                                 \
    uint64_t id##_slow(const struct gcn_wave *w, uint32_t *dst, const uint32_t *pa, const uint32_t *pb,      \
                       const uint32_t *pc, const uint32_t *in, const uint32_t *mask, int sa, int sb)         \
    {                                                                                                        \
        uint32_t la[2 * GCN_LANES] __attribute__((aligned(64))),                                             \
            lb[2 * GCN_LANES] __attribute__((aligned(64)));                                                  \
        if (sa)                                                                                              \
            valu_splat(la, pa, sizeof(T_##A)), pa = la;                                                      \
        if (sb)                                                                                              \
            valu_splat(lb, pb, sizeof(T_##B)), pb = lb;                                                      \
        const struct lane_mode m = valu_mode(w);                                                             \
        if (ROUND_##class(m))                                                                                \
            valu_set_rounding(ROUND_##class(m));                                                             \
        uint64_t bits = id##_core(dst, pa, pb, pc, in, mask, m, 0, 0);                                       \
        if (ROUND_##class(m))                                                                                \
            valu_set_rounding(0);                                                                            \
        return bits;                                                                                         \
    }

/* SPLIT: a full EXEC has an instance of its own. CORE is the loop for the default modes. */
#define VALU_HANDLER(id, form, class, IN, OUT, sa, sb, SPLIT)                                                \
    VALU_HANDLER_BY(id##_core, id, form, class, IN, OUT, sa, sb, SPLIT)
#define VALU_HANDLER_BY(core, id, form, class, IN, OUT, sa, sb, SPLIT)                                       \
    static const struct gcn_uop *id##_##form(struct gcn_wave *w, const struct gcn_uop *op)                   \
    {                                                                                                        \
        uint32_t in[GCN_LANES] __attribute__((aligned(64)));                                                 \
        const uint64_t exec = gcn_exec(w);                                                                   \
        if (!(OUT) && !exec)                                                                                 \
            return op + 1;                                                                                   \
        const uint32_t *pa = gcn_line(w, op->src[0]), *pb = gcn_line(w, op->src[1]);                         \
        const uint32_t *pc = gcn_line(w, op->src[2]);                                                        \
        uint32_t *dst = gcn_dst(w, op->dst);                                                                 \
        if (IN)                                                                                              \
            gcn_expand_mask(gcn_s64(w, op->aux >> 16), in);                                                  \
        uint64_t bits;                                                                                       \
        if (__builtin_expect(!PLAIN_##class(w), 0))                                                          \
            bits = id##_slow(w, dst, pa, pb, pc, in, gcn_mask(w), sa, sb);                                   \
        else if ((SPLIT) && exec == UINT64_MAX)                                                              \
            bits = core(dst, pa, pb, pc, in, NULL, valu_default_mode, sa, sb);                               \
        else                                                                                                 \
            bits = core(dst, pa, pb, pc, in, gcn_mask(w), valu_default_mode, sa, sb);                        \
        if (OUT)                                                                                             \
            gcn_put64(w, op->aux & 0xffff, bits & exec);                                                     \
        return op + 1;                                                                                       \
    }

#endif
