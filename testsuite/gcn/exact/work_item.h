/* SPDX-License-Identifier: MIT */
/* What the programs of this folder see of the machine, which is a GPU where clang compiles them as OpenCL C, and
 * otherwise the host, which executes them as C.
 *
 * Each program is a kernel with one argument, the address of its results, and makes its input itself. Groups are of
 * GROUP work-items, waves of 64. SHARED declares a variable of a group, in a kernel; pointers to it are LOCAL. Signed
 * numbers do not overflow, and floats are neither NaNs nor rounded in a direction, so that both machines have to give
 * the same bits. */
#ifndef TESTSUITE_GCN_EXACT_WORK_ITEM_H
#define TESTSUITE_GCN_EXACT_WORK_ITEM_H

enum { GROUP = 256, WAVE = 64 };

#ifdef __OPENCL_C_VERSION__

#define SHARED    local
#define LOCAL     local
#define PROGRAM   kernel void
#define GLOBAL    global
#define TABLE     constant
#define ITEM      ((uint)__builtin_amdgcn_workitem_id_x())
#define GROUP_ID  ((uint)__builtin_amdgcn_workgroup_id_x())

static void group_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Gives way to others that are waited for. */
static void make_way(void)
{
    __builtin_amdgcn_s_sleep(1);
}

#define SCOPE __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_DEVICE
#define ATOMICS(suffix, SPACE)                                                                                       \
    static uint add_##suffix(volatile SPACE uint *at, uint by)                                                       \
    {                                                                                                                \
        return __opencl_atomic_fetch_add((volatile SPACE atomic_uint *)at, by, SCOPE);                               \
    }                                                                                                                \
    static uint max_##suffix(volatile SPACE uint *at, uint by)                                                       \
    {                                                                                                                \
        return __opencl_atomic_fetch_max((volatile SPACE atomic_uint *)at, by, SCOPE);                               \
    }                                                                                                                \
    static uint swap_##suffix(volatile SPACE uint *at, uint by)                                                      \
    {                                                                                                                \
        return __opencl_atomic_exchange((volatile SPACE atomic_uint *)at, by, SCOPE);                                \
    }                                                                                                                \
    static uint load_##suffix(volatile SPACE uint *at)                                                               \
    {                                                                                                                \
        return __opencl_atomic_load((volatile SPACE atomic_uint *)at, SCOPE);                                        \
    }                                                                                                                \
    static bool replace_##suffix(volatile SPACE uint *at, uint old, uint by)                                         \
    {                                                                                                                \
        return __opencl_atomic_compare_exchange_strong((volatile SPACE atomic_uint *)at, &old, by, __ATOMIC_SEQ_CST, \
                                                       SCOPE);                                                       \
    }
ATOMICS(global, global)
ATOMICS(local, local)

/* The value of X in another lane of the wave, or OLD where there is none; CONTROL as data-parallel primitives have it.
 */
#define DPP(control, rows, old, x) ((uint)__builtin_amdgcn_update_dpp((int)(old), (int)(x), control, rows, 15, false))
#define QUAD(a, b, c, d, x)        DPP((a) | (b) << 2 | (c) << 4 | (d) << 6, 15, 0, x)
#define ROW_UP(n, old, x)          DPP(0x110 + (n), 15, old, x)
#define ROW_TURN(n, x)             DPP(0x120 + (n), 15, 0, x)
#define ROW_MIRROR(x)              DPP(0x140, 15, 0, x)
#define HALF_MIRROR(x)             DPP(0x141, 15, 0, x)
#define ROW_LAST(old, x)           DPP(0x142, 10, old, x) /* to the next row, if that is odd */
#define HALF_LAST(old, x)          DPP(0x143, 12, old, x) /* to the upper half of the wave */
#define SWIZZLE(and_, or_, xor_, x)                                                                                  \
    ((uint)__builtin_amdgcn_ds_swizzle((int)(x), (and_) | (or_) << 5 | (xor_) << 10))
#define FROM_LANE(lane, x) ((uint)__builtin_amdgcn_ds_bpermute((int)(4 * (lane)), (int)(x)))
#define TO_LANE(lane, x)   ((uint)__builtin_amdgcn_ds_permute((int)(4 * (lane)), (int)(x)))
#define FIRST_LANE(x)      ((uint)__builtin_amdgcn_readfirstlane((int)(x)))
#define BALLOT(x)          ((ulong)__builtin_amdgcn_ballot_w64(x))
#define LANES_BEFORE(mask)                                                                                           \
    ((uint)__builtin_amdgcn_mbcnt_hi((uint)((mask) >> 32), __builtin_amdgcn_mbcnt_lo((uint)(mask), 0)))

#else

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h> /* uint, ushort, ulong */

#define SHARED  static
#define LOCAL
#define PROGRAM static void
#define GLOBAL
#define TABLE   static const

typedef unsigned char uchar;
#define ITEM     host_item()
#define GROUP_ID host_group()

uint host_item(void);
uint host_group(void);
void group_barrier(void);
void make_way(void);

#define ATOMICS(suffix)                                                                                              \
    __attribute__((unused)) static uint add_##suffix(volatile uint *at, uint by)                                     \
    {                                                                                                                \
        uint old = *at;                                                                                              \
        *at = old + by;                                                                                              \
        return old;                                                                                                  \
    }                                                                                                                \
    __attribute__((unused)) static uint max_##suffix(volatile uint *at, uint by)                                     \
    {                                                                                                                \
        uint old = *at;                                                                                              \
        *at = old > by ? old : by;                                                                                   \
        return old;                                                                                                  \
    }                                                                                                                \
    __attribute__((unused)) static uint swap_##suffix(volatile uint *at, uint by)                                    \
    {                                                                                                                \
        uint old = *at;                                                                                              \
        *at = by;                                                                                                    \
        return old;                                                                                                  \
    }                                                                                                                \
    __attribute__((unused)) static uint load_##suffix(volatile uint *at)                                             \
    {                                                                                                                \
        return *at;                                                                                                  \
    }                                                                                                                \
    __attribute__((unused)) static bool replace_##suffix(volatile uint *at, uint old, uint by)                       \
    {                                                                                                                \
        bool same = *at == old;                                                                                      \
        *at = same ? by : *at;                                                                                       \
        return same;                                                                                                 \
    }
ATOMICS(global)
ATOMICS(local)

/* All work-items of the group call these together. The first gives X as the lane SOURCE of the wave has it, the second
 * one passes X to the lane TARGET and gives what this lane is passed, the third one has a bit for each lane's X. */
uint host_exchange(uint x, uint source);
uint host_receive(uint x, uint target);
ulong host_ballot(bool x);

#define LANE                (host_item() % WAVE)
#define QUAD(a, b, c, d, x) host_exchange(x, LANE / 4 * 4 + (const uint[]){a, b, c, d}[LANE % 4])
static inline uint host_if(bool there, uint x, uint old)
{
    return there ? x : old;
}
#define ROW_UP(n, old, x)           host_if(LANE % 16 >= (n), host_exchange(x, (LANE - (n)) % WAVE), old)
#define ROW_TURN(n, x)              host_exchange(x, LANE / 16 * 16 + (LANE + 16 - (n)) % 16)
#define ROW_MIRROR(x)               host_exchange(x, LANE ^ 15)
#define HALF_MIRROR(x)              host_exchange(x, LANE ^ 7)
#define ROW_LAST(old, x)            host_if(LANE & 16, host_exchange(x, ((LANE & 48) - 1) % WAVE), old)
#define HALF_LAST(old, x)           host_if(LANE & 32, host_exchange(x, 31), old)
#define SWIZZLE(and_, or_, xor_, x) host_exchange(x, (LANE & 32) | (((LANE & (and_)) | (or_)) ^ (xor_)))
#define FROM_LANE(lane, x)          host_exchange(x, (lane) % WAVE)
#define TO_LANE(lane, x)            host_receive(x, (lane) % WAVE)
#define FIRST_LANE(x)               host_exchange(x, 0)
#define BALLOT(x)                   host_ballot(x)
#define LANES_BEFORE(mask)          ((uint)__builtin_popcountll((mask) & ((UINT64_C(1) << LANE) - 1)))

#endif

/* A number that looks random for each I. */
static inline uint random_word(uint i)
{
    i = (i ^ 61) ^ i >> 16;
    i *= 9;
    i ^= i >> 4;
    i *= 0x27d4eb2d;
    return i ^ i >> 15;
}

/* A float from 0 on below 1. */
static inline float random_float(uint i)
{
    return (float)(random_word(i) >> 8) * 0x1p-24f;
}

/* The bits of a float, or half of those of a double. */
static inline uint float_bits(float x)
{
    union {
        float f;
        uint u;
    } bits = {x};
    return bits.u;
}
static inline uint double_bits(double x, bool high)
{
    union {
        double d;
        ulong u;
    } bits = {x};
    return (uint)(bits.u >> (high ? 32 : 0));
}

#endif
