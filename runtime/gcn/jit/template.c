/* SPDX-License-Identifier: MIT */
/* Operations on a chunk of host-vector width, from the tables that the interpreter's handlers are made of.
 *
 * clang compiles this file to bitcode once per instruction set of the host; it is never linked. Each function becomes
 * one basic block that loads its parameters, computes, and stores to them; clone.c copies what is in between. Vector
 * operations are called t_<operation> (t_cmp_<condition>, t_<operation>_sat), scalar ones s_<operation>.
 * Input: ops/*.def, runtime/gcn/tables/salu.def. Output: bitcode. Invariant: parameters as in enum template_parameter.
 */
#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_salu_ops.h"
#include "runtime/gcn/inst/inst.h"

#if defined(__AVX512F__)
#define N 16
typedef uint16_t chunk_mask;
#else
#define N 8
typedef uint8_t chunk_mask;
#endif

/* From here on a line is a chunk. */
#define GCN_LANES N
#include "runtime/gcn/exec/host_simd.h"
#undef GCN_LANE_LOOP
#define STRING(x) #x
#define PRAGMA(x) _Pragma(STRING(x))
#define GCN_LANE_LOOP                                                                                        \
    PRAGMA(clang loop vectorize(assume_safety) vectorize_width(N) interleave_count(1) unroll(disable))       \
    for (int i = 0; i < N; i++)
#define valu_pack valu_pack_of_lines
#include "runtime/gcn/exec/valu.h"
#undef valu_pack

typedef uint32_t chunk __attribute__((ext_vector_type(N)));
typedef int32_t chunk_signed __attribute__((ext_vector_type(N)));
typedef _Bool chunk_bits __attribute__((ext_vector_type(N)));

LANE uint64_t valu_pack(const uint32_t *line)
{
    chunk_signed x;
    memcpy(&x, line, sizeof x);
    chunk_bits bits = __builtin_convertvector(x < 0, chunk_bits);
    chunk_mask mask;
    memcpy(&mask, &bits, sizeof mask);
    return mask;
}

/* Chunks that an operand of a type has. */
#define CHUNKS_none 0
#define CHUNKS_u32  1
#define CHUNKS_i32  1
#define CHUNKS_f32  1
#define CHUNKS_u64  2
#define CHUNKS_i64  2
#define CHUNKS_f64  2
#define CHUNKS_u16  1
#define CHUNKS_i16  1
#define CHUNKS_f16  1
#define CHUNKS_u16p 1
#define CHUNKS_i16p 1
#define CHUNKS_f16p 1
#define CHUNKS_f16h 1

#define PLACE(line, n, from0, from1)                                                                         \
    uint32_t line[2 * N] __attribute__((aligned(64)));                                                       \
    if ((n) > 0)                                                                                             \
        *(chunk *)line = *(from0);                                                                           \
    if ((n) > 1)                                                                                             \
    *(chunk *)(line + N) = *(from1)
#define TEMPLATE(name, core, R, A, B, C, IN, OUT)                                                            \
    void name(const chunk *a0, const chunk *a1, const chunk *b0, const chunk *b1, const chunk *c0,           \
              const chunk *c1, const chunk *d0, const chunk *d1, const chunk_mask *in, chunk *r0, chunk *r1, \
              chunk_mask *out)                                                                               \
    {                                                                                                        \
        uint32_t selected[N] __attribute__((aligned(64)));                                                   \
        PLACE(a, CHUNKS_##A, a0, a1);                                                                        \
        PLACE(b, CHUNKS_##B, b0, b1);                                                                        \
        PLACE(c, CHUNKS_##C, c0, c1);                                                                        \
        PLACE(d, CHUNKS_##R, d0, d1);                                                                        \
        if (IN) {                                                                                            \
            chunk_bits bits;                                                                                 \
            memcpy(&bits, in, sizeof bits);                                                                  \
            *(chunk *)selected = __builtin_convertvector(bits, chunk);                                       \
        }                                                                                                    \
        uint64_t bits = core(d, a, b, c, selected, NULL, valu_default_mode, 0, 0);                           \
        if (CHUNKS_##R > 0)                                                                                  \
            *r0 = *(chunk *)d;                                                                               \
        if (CHUNKS_##R > 1)                                                                                  \
            *r1 = *(chunk *)(d + N);                                                                         \
        if (OUT)                                                                                             \
            *out = (chunk_mask)bits;                                                                         \
    }

#undef VALU_SLOW
#undef VALU_HANDLER
#undef VALU_HANDLER_BY
#define VALU_SLOW(...)
#define VALU_HANDLER(...)
#define VALU_HANDLER_BY(...)
#include "runtime/gcn/exec/valu_handlers.h"
#undef V1
#undef V2
#undef V3
#undef VM
#undef S2
#undef S3
#undef SM
#undef VC
#define CORE_COLD(id) id##_core
#define CORE_HOT(id)  id##_core
#define CORE_VEC(id)  id##_vector
#define CORE_FMA(id)  id##_vector
#define V1(id, class, cost, R, A, expr)                                                                      \
    VALU_CORE(id, R, A, none, none, 0, 0, expr, 0)                                                           \
    TEMPLATE(t_##id, CORE_##cost(id), R, A, none, none, 0, 0)
#define V2(id, class, cost, R, A, B, expr)                                                                   \
    VALU_CORE(id, R, A, B, none, 0, 0, expr, 0)                                                              \
    FORMS2_##cost(id, class, none, expr)                                                                     \
    TEMPLATE(t_##id, CORE_##cost(id), R, A, B, none, 0, 0)
#define V3(id, class, cost, R, A, B, C, expr)                                                                \
    VALU_CORE(id, R, A, B, C, 0, 0, expr, 0)                                                                 \
    FORMS3_##cost(id, class, C, expr)                                                                        \
    TEMPLATE(t_##id, CORE_##cost(id), R, A, B, C, 0, 0)
#define VM(id, class, R, A, B, C, IN, OUT, expr, bit)                                                        \
    VALU_CORE(id, R, A, B, C, IN, OUT, expr, bit)                                                            \
    TEMPLATE(t_##id, id##_core, R, A, B, C, IN, OUT)
#define S2(id, R, A, B, expr)                                                                                \
    VALU_CORE(id##_sat, R, A, B, none, 0, 0, expr, 0)                                                        \
    TEMPLATE(t_##id##_sat, id##_sat_core, R, A, B, none, 0, 0)
#define S3(id, R, A, B, C, expr)                                                                             \
    VALU_CORE(id##_sat, R, A, B, C, 0, 0, expr, 0)                                                           \
    TEMPLATE(t_##id##_sat, id##_sat_core, R, A, B, C, 0, 0)
#define SM(id, R, A, B, C, IN, OUT, expr, bit) /* so rare that compiled code calls the handler */
#define VC(name, class, cost, A, B, bit)                                                                     \
    VALU_CORE(cmp_##name, none, A, B, none, 0, 1, 0, bit)                                                    \
    TEMPLATE(t_cmp_##name, cmp_##name##_core, none, A, B, none, 0, 1)
#include "runtime/gcn/ops/valu_int.def"
#include "runtime/gcn/ops/valu_f32.def"
#include "runtime/gcn/ops/valu_f64.def"
#include "runtime/gcn/ops/valu_f16.def"
#include "runtime/gcn/ops/compare.def"

/* Scalar operations. The old destination of those that replace EXEC is EXEC, and so is their result. */
#define SCALAR(name, A, B, D)                                                                                \
    void s_##name(const A *pa, const B *pb, const D *pd, const uint32_t *pscc, D *rd, uint32_t *rscc)
#define SALU1(name, D, A, ...)                                                                               \
    SCALAR(name, A, uint32_t, D)                                                                             \
    {                                                                                                        \
        A a = *pa;                                                                                           \
        D d;                                                                                                 \
        uint32_t scc = *pscc;                                                                                \
        __VA_ARGS__;                                                                                         \
        *rd = d;                                                                                             \
        *rscc = scc;                                                                                         \
    }
#define SALU1_RMW(name, D, A, ...)                                                                           \
    SCALAR(name, A, uint32_t, D)                                                                             \
    {                                                                                                        \
        A a = *pa;                                                                                           \
        D d = *pd;                                                                                           \
        uint32_t scc = *pscc;                                                                                \
        __VA_ARGS__;                                                                                         \
        *rd = d;                                                                                             \
        *rscc = scc;                                                                                         \
    }
#define SALU2(name, D, A, B, ...)                                                                            \
    SCALAR(name, A, B, D)                                                                                    \
    {                                                                                                        \
        A a = *pa;                                                                                           \
        B b = *pb;                                                                                           \
        D d;                                                                                                 \
        uint32_t scc = *pscc;                                                                                \
        __VA_ARGS__;                                                                                         \
        *rd = d;                                                                                             \
        *rscc = scc;                                                                                         \
    }
#define SALUC(name, A, B, condition)                                                                         \
    SCALAR(name, A, B, uint32_t)                                                                             \
    {                                                                                                        \
        A a = *pa;                                                                                           \
        B b = *pb;                                                                                           \
        *rscc = (condition) != 0;                                                                            \
    }
#define SALUK_CMP(name, T, I, condition)                                                                     \
    SCALAR(name, T, uint32_t, uint32_t)                                                                      \
    {                                                                                                        \
        T a = *pa, b = (T)(I)*pb;                                                                            \
        *rscc = condition;                                                                                   \
    }
#define SALUK_RMW(name, ...)                                                                                 \
    SCALAR(name, uint32_t, uint32_t, uint32_t)                                                               \
    {                                                                                                        \
        uint32_t d = *pd, b = *pb, scc = *pscc;                                                              \
        __VA_ARGS__;                                                                                         \
        *rd = d;                                                                                             \
        *rscc = scc;                                                                                         \
    }
#define SAVEEXEC(name, expression)                                                                           \
    SCALAR(name, uint64_t, uint32_t, uint64_t)                                                               \
    {                                                                                                        \
        uint64_t a = *pa, exec = *pd, result = expression;                                                   \
        *rd = result;                                                                                        \
        *rscc = result != 0;                                                                                 \
    }
#define WREXEC SAVEEXEC
#include "runtime/gcn/tables/salu.def"
