/* SPDX-License-Identifier: MIT */
/* First walk over a file of rows: defines its handlers. No include guard; see valu.h. */
#undef V1
#undef V2
#undef V3
#undef VM
#undef S2
#undef S3
#undef SM
#undef P2
#undef P3
#undef W2
#undef W3
#undef VC
#define FORMS1_HOT(id, class, EXPR)                                                                               \
    VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 1)                                                               \
    VALU_HANDLER(id, sp, class, 0, 0, 1, 0, 1)
#define FORMS1_COLD(id, class, EXPR) VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 0)
#if defined(__AVX2__)
#define FORMS1_VEC(id, class, EXPR)                                                                          \
    VALU_VECTOR_CORE(id, none, none, EXPR)                                                                   \
    VALU_HANDLER_BY(id##_vector, id, pp, class, 0, 0, 0, 0, 1)                                               \
    VALU_HANDLER_BY(id##_vector, id, sp, class, 0, 0, 1, 0, 1)
#else
#define FORMS1_VEC(id, class, EXPR) FORMS1_HOT(id, class, EXPR)
#endif
#define FORMS2_VEC(id, class, C, EXPR)                                                                       \
    VALU_VECTOR_CORE(id, f32, C, EXPR)                                                                       \
    VALU_HANDLER_BY(id##_vector, id, pp, class, 0, 0, 0, 0, 1)                                               \
    VALU_HANDLER_BY(id##_vector, id, sp, class, 0, 0, 1, 0, 1)                                               \
    VALU_HANDLER_BY(id##_vector, id, ps, class, 0, 0, 0, 1, 1)
#define FORMS2_HOT(id, class, C, EXPR)                                                                       \
    VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 1)                                                               \
    VALU_HANDLER(id, sp, class, 0, 0, 1, 0, 1)                                                               \
    VALU_HANDLER(id, ps, class, 0, 0, 0, 1, 1)
#define FORMS2_COLD(id, class, C, EXPR) VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 0)
#define FORMS3_VEC(id, class, C, EXPR)                                                                       \
    VALU_VECTOR_CORE(id, f32, C, EXPR)                                                                       \
    VALU_HANDLER_BY(id##_vector, id, pp, class, 0, 0, 0, 0, 1)
#if defined(__AVX2__)
#define FORMS2_WIDE(id, class, C, EXPR)                                                                      \
    VALU_WIDE_CORE(id, C, EXPR)                                                                              \
    VALU_HANDLER_BY(id##_wide, id, pp, class, 0, 0, 0, 0, 1)                                                 \
    VALU_HANDLER_BY(id##_wide, id, sp, class, 0, 0, 1, 0, 1)                                                 \
    VALU_HANDLER_BY(id##_wide, id, ps, class, 0, 0, 0, 1, 1)
#define FORMS3_WIDE(id, class, C, EXPR)                                                                      \
    VALU_WIDE_CORE(id, C, EXPR)                                                                              \
    VALU_HANDLER_BY(id##_wide, id, pp, class, 0, 0, 0, 0, 1)
#define FORMS2_VEC256 FORMS2_VEC
#define FORMS3_VEC256 FORMS3_VEC
#else
#define FORMS2_WIDE FORMS2_HOT
#define FORMS3_WIDE FORMS3_HOT
#define FORMS2_VEC256 FORMS2_HOT
#define FORMS3_VEC256 FORMS3_HOT
#endif
#if defined(__AVX512DQ__)
#define FORMS3_VEC512 FORMS3_VEC
#else
#define FORMS3_VEC512 FORMS3_HOT
#endif
#define VALU_PACKED_f16s(id, C, EXPR)
#if defined(__F16C__)
#define FORMS2_HALF(id, class, C, EXPR)                                                                      \
    VALU_HALF_CORE(id, C, 0, EXPR)                                                                           \
    VALU_HANDLER_BY(id##_halves, id, pp, class, 0, 0, 0, 0, 0)
#define FORMS2_HALFP(id, class, C, EXPR)                                                                     \
    VALU_HALF_CORE(id, C, 0xffff0000, EXPR)                                                                  \
    VALU_HANDLER_BY(id##_halves, id, pp, class, 0, 0, 0, 0, 0)
#define FORMS2_PACKED_f16(id, class, C, EXPR) VALU_HANDLER_BY(id##_packed, id, pp, class, 0, 0, 0, 0, 0)
#define VALU_PACKED_f16                       VALU_PACKED_CORE
#else
#define FORMS2_HALF                    FORMS2_COLD
#define FORMS2_HALFP                   FORMS2_COLD
#define FORMS2_PACKED_f16              FORMS2_COLD
#define VALU_PACKED_f16(id, C, EXPR)
#endif
#define FORMS2_PACKED_f16s FORMS2_COLD
#define FORMS3_HALF        FORMS2_HALF
#define FORMS3_HALFP       FORMS2_HALFP
#define FORMS3_PACKED_f16  FORMS2_PACKED_f16
#define FORMS3_HOT(id, class, C, EXPR)  VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 1)
#define FORMS3_COLD(id, class, C, EXPR) VALU_HANDLER(id, pp, class, 0, 0, 0, 0, 0)

#define V1(id, class, cost, R, A, expr)                                                                      \
    VALU_CORE(id, R, A, none, none, 0, 0, expr, 0)                                                           \
    VALU_SLOW(id, class, A, none)                                                                            \
    FORMS1_##cost(id, class, expr)
#define V2(id, class, cost, R, A, B, expr)                                                                   \
    VALU_CORE(id, R, A, B, none, 0, 0, expr, 0)                                                              \
    VALU_SLOW(id, class, A, B)                                                                               \
    FORMS2_##cost(id, class, none, expr)
#define V3(id, class, cost, R, A, B, C, expr)                                                                \
    VALU_CORE(id, R, A, B, C, 0, 0, expr, 0)                                                                 \
    VALU_SLOW(id, class, A, B)                                                                               \
    FORMS3_##cost(id, class, C, expr)
#define VM(id, class, R, A, B, C, IN, OUT, expr, bit)                                                        \
    VALU_CORE(id, R, A, B, C, IN, OUT, expr, bit)                                                            \
    VALU_SLOW(id, class, A, B)                                                                               \
    VALU_HANDLER(id, pp, class, IN, OUT, 0, 0, 1)
#define S2(id, R, A, B, expr)                                                                                \
    VALU_CORE(id##_sat, R, A, B, none, 0, 0, expr, 0)                                                        \
    VALU_SLOW(id##_sat, I, A, B)                                                                             \
    VALU_HANDLER(id##_sat, pp, I, 0, 0, 0, 0, 0)
#define S3(id, R, A, B, C, expr)                                                                             \
    VALU_CORE(id##_sat, R, A, B, C, 0, 0, expr, 0)                                                           \
    VALU_SLOW(id##_sat, I, A, B)                                                                             \
    VALU_HANDLER(id##_sat, pp, I, 0, 0, 0, 0, 0)
#define SM(id, R, A, B, C, IN, OUT, expr, bit)                                                               \
    VALU_CORE(id##_sat, R, A, B, C, IN, OUT, expr, bit)                                                      \
    VALU_SLOW(id##_sat, I, A, B)                                                                             \
    VALU_HANDLER(id##_sat, pp, I, IN, OUT, 0, 0, 0)
#define VALU_HALF(id, T, expr)                                                                               \
    LANE uint32_t id##_half(uint32_t a_in, uint32_t b_in, uint32_t c_in, const struct lane_mode m)           \
    {                                                                                                        \
        const float a = IN_##T(VALUE_##T(a_in), m), b = IN_##T(VALUE_##T(b_in), m);                          \
        const float c = IN_##T(VALUE_##T(c_in), m);                                                          \
        (void)c;                                                                                             \
        return lane_result16(expr, m);                                                                       \
    }
#define P2(id, class, T, expr)                                                                               \
    VALU_HALF(id, T, expr)                                                                                   \
    VALU_PACKED_##T(id, none, expr)                                                                          \
    V2(id, class, PACKED_##T, u32, u32, u32,                                                                 \
       lane_pack16(id##_half(LO_U(a), LO_U(b), 0, m), id##_half(HI_U(a), HI_U(b), 0, m)))
#define P3(id, class, T, expr)                                                                               \
    VALU_HALF(id, T, expr)                                                                                   \
    VALU_PACKED_##T(id, f32, expr)                                                                           \
    V3(id, class, PACKED_##T, u32, u32, u32, u32,                                                            \
       lane_pack16(id##_half(LO_U(a), LO_U(b), LO_U(c), m), id##_half(HI_U(a), HI_U(b), HI_U(c), m)))
#define VALU_SINGLE(id, expr)                                                                                \
    LANE uint64_t id##_single(uint64_t a_in, uint64_t b_in, uint64_t c_in, const struct lane_mode m)         \
    {                                                                                                        \
        const float a = IN_f32(lane_f32((uint32_t)a_in), m), b = IN_f32(lane_f32((uint32_t)b_in), m);        \
        const float c = IN_f32(lane_f32((uint32_t)c_in), m), r = expr;                                       \
        (void)c;                                                                                             \
        return lane_bits32(m.out32 ? lane_flush32(r) : r);                                                   \
    }
#define W2(id, class, expr)                                                                                  \
    VALU_SINGLE(id, expr)                                                                                    \
    V2(id, class, COLD, u64, u64, u64, id##_single(a, b, 0, m) | id##_single(a >> 32, b >> 32, 0, m) << 32)
#define W3(id, class, expr)                                                                                  \
    VALU_SINGLE(id, expr)                                                                                    \
    V3(id, class, COLD, u64, u64, u64, u64,                                                                  \
       id##_single(a, b, c, m) | id##_single(a >> 32, b >> 32, c >> 32, m) << 32)

/* Compares: one loop for v_cmp and v_cmpx, the result in a scalar pair (and EXEC). */
#define COMPARE_BITS(name, core, form, class, sa)                                                                \
    static __attribute__((noinline)) uint64_t name##_##form(struct gcn_wave *w, const struct gcn_uop *op)    \
    {                                                                                                        \
        const uint32_t *pa = gcn_line(w, op->src[0]), *pb = gcn_line(w, op->src[1]);                         \
        if (__builtin_expect(!PLAIN_##class(w), 0))                                                          \
            return name##_slow(w, NULL, pa, pb, NULL, NULL, NULL, sa, 0) & gcn_exec(w);                      \
        return core(NULL, pa, pb, NULL, NULL, NULL, valu_default_mode, sa, 0) & gcn_exec(w);                 \
    }                                                                                                        \
    static const struct gcn_uop *v_cmp_##name##_##form(struct gcn_wave *w, const struct gcn_uop *op)         \
    {                                                                                                        \
        gcn_put64(w, op->dst, name##_##form(w, op));                                                         \
        return op + 1;                                                                                       \
    }                                                                                                        \
    static const struct gcn_uop *v_cmpx_##name##_##form(struct gcn_wave *w, const struct gcn_uop *op)        \
    {                                                                                                        \
        uint64_t bits = name##_##form(w, op);                                                                \
        gcn_put64(w, op->dst, bits);                                                                         \
        gcn_set64(w, GCN_S_EXEC, bits);                                                                      \
        return op + 1;                                                                                       \
    }
#define COMPARE_HOT(name, class, T, bit)                                                                     \
    COMPARE_BITS(name, name##_core, pp, class, 0)                                                            \
    COMPARE_BITS(name, name##_core, sp, class, 1)
#define COMPARE_COLD(name, class, T, bit) COMPARE_BITS(name, name##_core, pp, class, 0)
/* Without AVX2 there is no comparison of 64-bit integers on vectors, and the code would only be large. */
#if defined(__AVX2__)
#define COMPARE_WIDE(name, class, T, bit)                                                                    \
    VALU_COMPARE_CORE(name, T, bit)                                                                          \
    COMPARE_BITS(name, name##_wide, pp, class, 0)                                                            \
    COMPARE_BITS(name, name##_wide, sp, class, 1)
#else
#define COMPARE_WIDE COMPARE_COLD
#endif
#define VC(name, class, cost, A, B, bit)                                                                     \
    VALU_CORE(name, none, A, B, none, 0, 1, 0, bit)                                                          \
    VALU_SLOW(name, class, A, B)                                                                             \
    COMPARE_##cost(name, class, A, bit)
