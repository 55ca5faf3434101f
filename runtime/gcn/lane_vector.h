/* SPDX-License-Identifier: MIT */
/* The arithmetic of frequent f32 operations on whole host vectors, with operands in a fixed order.
 *
 * Which operand's bits a NaN result has depends on the order of a host instruction's operands, and compilers exchange
 * those of additions and multiplications as they like. lane.h decides it by looking at each operand; here, where that
 * would cost half the speed, the instructions are written out. Both give the same bits: those of the first operand that
 * is a NaN, made quiet. */
#ifndef RUNTIME_GCN_LANE_VECTOR_H
#define RUNTIME_GCN_LANE_VECTOR_H

#include "runtime/gcn/lane.h"

#if defined(__AVX512F__)
enum { VECTOR_LANES = 16 };
#elif defined(__AVX2__)
enum { VECTOR_LANES = 8 };
#else
enum { VECTOR_LANES = 4 };
#endif

typedef float vector_f32 __attribute__((vector_size(4 * VECTOR_LANES)));
typedef uint32_t vector_u32 __attribute__((vector_size(4 * VECTOR_LANES)));

/* Where a last operand may be: clang would move a register to memory for the choice. */
#ifdef __clang__
#define VECTOR_ANY "v"
#else
#define VECTOR_ANY "vm"
#endif

#ifdef __AVX2__
#define VECTOR_OPERATION(name, instruction)                                                                  \
    LANE vector_f32 name(vector_f32 a, vector_f32 b)                                                         \
    {                                                                                                        \
        vector_f32 r;                                                                                        \
        __asm__("v" instruction " %2, %1, %0" : "=v"(r) : "v"(a), VECTOR_ANY(b));                                  \
        return r;                                                                                            \
    }
#else
#define VECTOR_OPERATION(name, instruction)                                                                  \
    LANE vector_f32 name(vector_f32 a, vector_f32 b)                                                         \
    {                                                                                                        \
        __asm__(instruction " %1, %0" : "+x"(a) : "xm"(b));                                                  \
        return a;                                                                                            \
    }
#endif
VECTOR_OPERATION(vector_add, "addps")
VECTOR_OPERATION(vector_sub, "subps")
VECTOR_OPERATION(vector_mul, "mulps")

#ifdef __FMA__
LANE vector_f32 vector_fma(vector_f32 a, vector_f32 b, vector_f32 c, struct lane_mode m)
{
    (void)m;
    __asm__("vfmadd231ps %2, %1, %0" : "+v"(c) : "v"(a), VECTOR_ANY(b));
    return c;
}
#define lane_fma(a, b, c, m) _Generic((a), float: lane_fma32, vector_f32: vector_fma)(a, b, c, m)
#else
#define lane_fma lane_fma32
#endif

LANE vector_f32 vector_flush(vector_f32 x)
{
    vector_u32 u = (vector_u32)x, tiny = (vector_u32)((u & 0x7f800000) == 0);
    return (vector_f32)(u & ~(tiny & 0x7fffffff));
}

LANE vector_f32 vector_mad(vector_f32 a, vector_f32 b, vector_f32 c)
{
    vector_f32 p = vector_flush(vector_mul(vector_flush(a), vector_flush(b)));
    return vector_flush(vector_add(p, vector_flush(c)));
}

LANE vector_f32 vector_get(const uint32_t *line)
{
    vector_f32 x;
    memcpy(&x, __builtin_assume_aligned(line, sizeof x), sizeof x);
    return x;
}

LANE vector_f32 vector_splat(const uint32_t *scalar)
{
    return (vector_f32)(*scalar - (vector_u32){0});
}

/* Puts X where the bits of MASK are set; everywhere if MASK is NULL. */
LANE void vector_put(uint32_t *line, vector_f32 x, const uint32_t *mask)
{
    if (mask) {
        vector_u32 keep = (vector_u32)vector_get(mask);
        x = (vector_f32)(((vector_u32)x & keep) | ((vector_u32)vector_get(line) & ~keep));
    }
    memcpy(__builtin_assume_aligned(line, sizeof x), &x, sizeof x);
}

/* Names for the expressions of ops/, by the type of their operands. */
#define lane_add(a, b)       _Generic((a), float: lane_add32, double: lane_add64, vector_f32: vector_add)(a, b)
#define lane_sub(a, b)       _Generic((a), float: lane_sub32, double: lane_sub64, vector_f32: vector_sub)(a, b)
#define lane_mul(a, b)       _Generic((a), float: lane_mul32, double: lane_mul64, vector_f32: vector_mul)(a, b)
#define lane_mad(a, b, c)    _Generic((a), float: lane_mad32, vector_f32: vector_mad)(a, b, c)

#endif
