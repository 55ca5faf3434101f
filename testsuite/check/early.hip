// SPDX-License-Identifier: MIT
// Kernels of HIP for the checker of barriers, in which not all work-items come to a barrier. Those that end early are
// no mistake, but those that do something later are.
//
// CASE right N: nothing is found with that N. CASE wrong N ID FACT: that is found, with this fact, at the line HERE.
// The groups have 256 work-items.
#define KERNEL extern "C" __attribute__((global)) void
#define GROUP __attribute__((shared)) unsigned
#define BARRIER                                              \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), \
        __builtin_amdgcn_s_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#define ITEM __builtin_amdgcn_workitem_id_x()

// CASE right 1
// CASE right 63
// CASE right 64
// CASE right 65
// CASE right 100
// CASE right 192
// CASE right 255
// CASE right 256
KERNEL some_return(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    if (i >= n)
        return;
    t[i] = in[i];
    BARRIER;
    out[i] = t[n - 1 - i];
}

// CASE right 1
// CASE right 65
// CASE right 100
// CASE right 128
// CASE right 200
KERNEL return_between(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    t[i] = in[i];
    BARRIER;
    out[i] = t[255 - i];
    if (i >= n)
        return;
    BARRIER;
    t[i] = i;
    BARRIER;
    out[i] += t[n - 1 - i];
}

// CASE right 3
// CASE right 5
// CASE right 64
// CASE right 70
KERNEL return_in_turn(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    for (unsigned k = 0; k < 4; k++) {
        if (i < k * n)
            return;
        t[i] = in[i] + k;
        BARRIER;
        out[i] = t[255 - (i & 1)];
        BARRIER;
    }
}

// CASE right 1
// CASE right 64
// CASE right 100
// CASE right 200
KERNEL nothing_after(unsigned *out, unsigned *in, unsigned n)
{
    unsigned i = ITEM;
    out[i] = in[i];
    if (i < n) {
        BARRIER;
        out[i] += i;
    }
}

// CASE right 1
// CASE right 64
// CASE right 100
// CASE right 200
KERNEL join_first(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    t[i] = 0;
    if (i < n)
        t[i] = in[i];
    BARRIER;
    out[i] = t[255 - i];
}

// CASE right 1
// CASE right 100
// CASE right 200
KERNEL group_skips(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    t[i] = in[n];
    if (n > 100)
        BARRIER;
    out[i] = t[i];
}

// CASE right 0
// CASE right 3
KERNEL loop(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[2][256];
    unsigned i = ITEM;
    t[0][i] = in[i];
    for (unsigned k = 0; k < n; k++) {
        BARRIER;
        t[~k & 1][i] = t[k & 1][i ^ 128] + 1;
    }
    out[i] = t[n & 1][i];
}

// CASE wrong 1 barrier-divergent without work-item (1,0,0)
// CASE wrong 63 barrier-divergent without work-item (63,0,0)
// CASE wrong 65 barrier-divergent without work-item (65,0,0)
// CASE wrong 100 barrier-divergent without work-item (100,0,0)
// CASE wrong 255 barrier-divergent without work-item (255,0,0)
// CASE right 256
KERNEL go_around(unsigned *out, unsigned *in, unsigned n)
{
    unsigned i = ITEM;
    if (i < n) {
        out[i] = in[i];
        BARRIER; // HERE
    }
    out[i] += i;
}

// CASE wrong 1 barrier-divergent by work-item (0,0,0)
// CASE wrong 70 barrier-divergent by work-item (64,0,0)
// CASE wrong 130 barrier-divergent by work-item (128,0,0)
KERNEL come_to_the_next(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    t[i] = in[i];
    if (i < n) {
        BARRIER; // HERE
        out[i] = t[i];
    }
    BARRIER;
    out[i] += t[0];
}

// CASE wrong 1 barrier-divergent without work-item (0,0,0)
// CASE wrong 2 barrier-divergent s_barrier
// CASE wrong 3 barrier-divergent without work-item (0,0,0)
KERNEL loops_of_different_length(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    for (unsigned k = 0; k <= (i & n); k++) {
        BARRIER; // HERE
        t[i] = in[i] + k;
    }
    out[i] = t[i];
}

// CASE wrong 10 barrier-divergent without work-item (10,0,0)
// CASE wrong 70 barrier-divergent without work-item (70,0,0)
// CASE wrong 150 barrier-divergent without work-item (150,0,0)
KERNEL some_return_others_skip(unsigned *out, unsigned *in, unsigned n)
{
    unsigned i = ITEM;
    if (i >= n + 20)
        return;
    if (i < n) {
        out[i] = in[i];
        BARRIER; // HERE
    }
    out[i] += i;
}

// CASE wrong 1 barrier-divergent without work-item (1,0,0)
// CASE wrong 100 barrier-divergent without work-item (100,0,0)
KERNEL read_group_memory(unsigned *out, unsigned *in, unsigned n)
{
    GROUP t[256];
    unsigned i = ITEM;
    t[i] = in[i];
    if (i < n)
        BARRIER; // HERE
    out[i] = t[i ^ 1];
}

// CASE wrong 1 barrier-divergent without work-item (1,0,0)
// CASE wrong 100 barrier-divergent without work-item (100,0,0)
KERNEL count(unsigned *out, unsigned *in, unsigned n)
{
    unsigned i = ITEM;
    if (i < n) {
        out[i] = in[i];
        BARRIER; // HERE
    }
    __scoped_atomic_fetch_add(out + (i ^ 1), 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
