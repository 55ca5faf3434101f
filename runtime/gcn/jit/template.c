/* SPDX-License-Identifier: MIT */
/* Operations on a chunk of host-vector width, from the tables that the interpreter's handlers are made of.
 *
 * clang compiles this file to bitcode once per instruction set of the host; it is never linked. Each function becomes
 * one basic block that loads its parameters, computes, and stores to them; clone.c copies what is in between. Vector
 * operations are called t_<operation> (t_cmp_<condition>, t_<operation>_sat), scalar ones s_<operation>,
 * micro-operations m_<name>. Input: ops/*.def, runtime/gcn/tables/salu.def. Output: bitcode. Invariant: parameters as
 * in enum template_parameter.
 */
/* Expressions use what LLVM has for vectors. The host's conversions to half precision round as its mode says, which for
 * templates is to nearest. */
#define LANE_TEMPLATES
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
#define valu_pack      valu_pack_of_lines
#define valu_put_sides valu_put_sides_of_lines
#include "runtime/gcn/exec/valu.h"
#include "runtime/gcn/exec/lane_micro.h"
#undef valu_pack
#undef valu_put_sides

typedef uint32_t chunk __attribute__((ext_vector_type(N)));
typedef uint64_t chunk_wide __attribute__((ext_vector_type(N)));
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

/* 64-bit operands are not two lines here, but values side by side. */
#undef VALU_WIDE
#undef VALU_BLEND64
#define VALU_WIDE(p, i)                  (((const uint64_t *)(const void *)(p))[i])
#define VALU_BLEND64(d, i, bits, unused) (((uint64_t *)(void *)(d))[i] = (bits))
#undef VALU_FIRST
#undef VALU_SECOND
#define VALU_FIRST(p, i)                 valu_dwords(p)
#define VALU_SECOND(p, i)                valu_dwords((p) + N)
LANE void valu_put_sides(uint32_t *line, vector_u32 first, vector_u32 second, const uint32_t *unused)
{
    (void)unused;
    memcpy(line, &first, sizeof first);
    memcpy(line + N, &second, sizeof second);
}

/* How many bits of a mask are below each lane is the same for all operations on that mask, and depends on which chunk
 * it is: these numbers come as the third source. */
#define valu_below_lo                 pc
#define valu_below_hi                 pc
#define lane_count_below(mask, count) (count)

/* Dwords that a lane of an operand of a type has. */
#define DWORDS_none 0
#define DWORDS_u32  1
#define DWORDS_i32  1
#define DWORDS_f32  1
#define DWORDS_u64  2
#define DWORDS_i64  2
#define DWORDS_f64  2
#define DWORDS_u16  1
#define DWORDS_i16  1
#define DWORDS_f16  1
#define DWORDS_f16s 1
#define DWORDS_u16p 1
#define DWORDS_i16p 1
#define DWORDS_f16p 1
#define DWORDS_f16h 1

#define PLACE(line, n, from)                                                                                 \
    uint32_t line[2 * N] __attribute__((aligned(64)));                                                       \
    if ((n) == 1)                                                                                            \
        *(chunk *)line = *(const chunk *)(from);                                                             \
    if ((n) == 2)                                                                                            \
    *(chunk_wide *)line = *(const chunk_wide *)(from)
#define TEMPLATE(name, core, R, A, B, C, IN, OUT)                                                            \
    void name(const void *pa, const void *pb, const void *pc, const void *pd, const chunk_mask *in, void *r, \
              chunk_mask *out)                                                                               \
    {                                                                                                        \
        uint32_t selected[N] __attribute__((aligned(64)));                                                   \
        PLACE(a, DWORDS_##A, pa);                                                                            \
        PLACE(b, DWORDS_##B, pb);                                                                            \
        PLACE(c, DWORDS_##C, pc);                                                                            \
        PLACE(d, DWORDS_##R, pd);                                                                            \
        if (IN) {                                                                                            \
            chunk_bits bits;                                                                                 \
            memcpy(&bits, in, sizeof bits);                                                                  \
            *(chunk *)selected = __builtin_convertvector(bits, chunk);                                       \
        }                                                                                                    \
        uint64_t bits = core(d, a, b, c, selected, NULL, valu_default_mode, 0, 0);                           \
        if (DWORDS_##R == 1)                                                                                 \
            *(chunk *)r = *(chunk *)d;                                                                       \
        if (DWORDS_##R == 2)                                                                                 \
            *(chunk_wide *)r = *(chunk_wide *)d;                                                             \
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
#define CORE_WIDE(id) id##_wide
#define CORE_HALF(id) id##_halves
#define CORE_HALFP CORE_HALF
#define CORE_PACKED_f16(id) id##_packed
#define CORE_PACKED_f16s CORE_COLD
#define CORE_VEC256      CORE_VEC
#if defined(__AVX512DQ__)
#define CORE_VEC512 CORE_VEC
#else
#define CORE_VEC512 CORE_HOT
#endif
#define V1(id, class, cost, R, A, expr)                                                                      \
    VALU_CORE(id, R, A, none, none, 0, 0, expr, 0)                                                           \
    FORMS1_##cost(id, class, expr)                                                                           \
    TEMPLATE(t_##id, CORE_##cost(id), R, A, none, none, 0, 0)
#define V2(id, class, cost, R, A, B, expr)                                                                   \
    VALU_CORE(id, R, A, B, none, 0, 0, expr, 0)                                                              \
    FORMS2_##cost(id, class, none, expr)                                                                     \
    TEMPLATE(t_##id, CORE_##cost(id), R, A, B, u32, 0, 0) /* C is not read, unless it is the number of bits below */
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

/* Micro-operations, called m_<name>. With default modes there is no output modifier. */
#define MICRO_TEMPLATE(id, R, A, IMM)                                                                        \
    void m_##id(const void *pa, const void *pb, const void *pc, const void *pd, const chunk_mask *in,        \
                void *r, chunk_mask *out, const uint32_t *imm, const uint32_t *aux)                          \
    {                                                                                                        \
        PLACE(a, DWORDS_##A, pa);                                                                            \
        PLACE(d, DWORDS_##R, pd);                                                                            \
        id##_micro(d, a, NULL, valu_default_mode, IMM, *aux);                                                \
        if (DWORDS_##R == 1)                                                                                 \
            *(chunk *)r = *(chunk *)d;                                                                       \
        if (DWORDS_##R == 2)                                                                                 \
            *(chunk_wide *)r = *(chunk_wide *)d;                                                             \
    }
#define MICRO_SOURCE(id, R, A, expr)       MICRO_CORE(id, R, A, expr) MICRO_TEMPLATE(id, R, A, *imm)
#define MICRO_RESULT                       MICRO_SOURCE
#define MICRO_OUTPUT(id, R, flushes, expr) MICRO_CORE(id, R, none, expr) MICRO_TEMPLATE(id, R, none, 0)
#include "runtime/gcn/ops/micro.def"

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
