// SPDX-License-Identifier: MIT
// Kernels of HIP for the checker of races, in which work-groups wait for each other in various ways.
//
// CASE right N: nothing is found with that N. CASE wrong N ID FACT: that is found, with this fact, at the line HERE.
// CASE optimised N ...: it is found with optimisation only; without, the compiler waits for all stores anyway.
// The groups have 64 work-items, and there are four of them.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define AGENT __MEMORY_SCOPE_DEVICE
#define FENCE(order) __builtin_amdgcn_fence(order, "agent")
// Leaves one work-item, number N; the compiler does not know which, or it would load by scalar instructions.
#define ONE(n)                       \
    if (in[GROUP * 64 + ITEM] % 64 != n) \
        return

// CASE right 5
KERNEL flag(unsigned *out, unsigned *in, unsigned n)
{
    ONE(n);
    if (GROUP == 0) {
        out[ITEM] = 7;
        __scoped_atomic_store_n(out, 1, __ATOMIC_RELEASE, AGENT);
    } else {
        while (!__scoped_atomic_load_n(out, __ATOMIC_ACQUIRE, AGENT)) {
        }
        out[64 * GROUP + ITEM] = out[ITEM];
    }
}

// CASE optimised 5 race-global store_dword
KERNEL flag_not_released(unsigned *out, unsigned *in, unsigned n)
{
    ONE(n);
    if (GROUP == 0) {
        out[ITEM] = 7;
        __scoped_atomic_store_n(out, 1, __ATOMIC_RELAXED, AGENT);
    } else {
        while (!__scoped_atomic_load_n(out, __ATOMIC_ACQUIRE, AGENT)) {
        }
        out[64 * GROUP + ITEM] = out[ITEM]; // HERE
    }
}

// CASE right 5
KERNEL volatile_flag(unsigned *out, unsigned *in, unsigned n)
{
    ONE(n);
    if (GROUP == 0) {
        out[ITEM] = 7;
        FENCE(__ATOMIC_RELEASE);
        *(volatile unsigned *)out = 1;
    } else {
        while (!*(volatile unsigned *)out) {
        }
        FENCE(__ATOMIC_ACQUIRE);
        out[64 * GROUP + ITEM] = out[ITEM];
    }
}

// CASE right 1
KERNEL last_with_fences(unsigned *out, unsigned *in, unsigned n)
{
    out[64 * GROUP + ITEM] = in[GROUP * 64 + ITEM];
    FENCE(__ATOMIC_SEQ_CST);
    if (__scoped_atomic_fetch_add(in, 1, __ATOMIC_RELAXED, AGENT) == 255) {
        FENCE(__ATOMIC_SEQ_CST);
        in[n] = out[(64 * GROUP + 64 + ITEM) % 256];
    }
}

// CASE right 1
KERNEL last_reads_volatile(unsigned *out, unsigned *in, unsigned n)
{
    out[64 * GROUP + ITEM] = GROUP;
    FENCE(__ATOMIC_SEQ_CST);
    if (__scoped_atomic_fetch_add(in, 1, __ATOMIC_RELAXED, AGENT) == 255)
        in[n] = *(volatile unsigned *)&out[(64 * GROUP + 64 + ITEM) % 256];
}

// CASE wrong 1 race-global store_dword
KERNEL last_without_fence(unsigned *out, unsigned *in, unsigned n)
{
    out[64 * GROUP + ITEM] = GROUP;
    if (__scoped_atomic_fetch_add(in, 1, __ATOMIC_RELAXED, AGENT) == 255)
        in[n] = out[(64 * GROUP + 64 + ITEM) % 256]; // HERE
}

// CASE wrong 1 race-global store_dword
KERNEL last_of_narrow_scope(unsigned *out, unsigned *in, unsigned n)
{
    out[64 * GROUP + ITEM] = GROUP;
    if (__scoped_atomic_fetch_add(in, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP) == 255)
        in[n] = out[(64 * GROUP + 64 + ITEM) % 256]; // HERE
}

// CASE right 5
KERNEL lock(unsigned *out, unsigned *in, unsigned n)
{
    ONE(n);
    unsigned none = 0;
    while (!__scoped_atomic_compare_exchange_n(out, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, AGENT))
        none = 0;
    out[ITEM] += n;
    __scoped_atomic_store_n(out, 0, __ATOMIC_RELEASE, AGENT);
}

// CASE wrong 5 race-global store_dword
KERNEL relaxed_lock(unsigned *out, unsigned *in, unsigned n)
{
    ONE(n);
    unsigned none = 0;
    while (!__scoped_atomic_compare_exchange_n(out, &none, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, AGENT))
        none = 0;
    out[ITEM] += n; // HERE
    __scoped_atomic_store_n(out, 0, __ATOMIC_RELAXED, AGENT);
}
