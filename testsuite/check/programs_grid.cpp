// SPDX-License-Identifier: MIT
// Programs whose work-groups depend on each other: grids that synchronise, locks, queues, persistent kernels, streams.
#include "testsuite/check/programs.hpp"

// ---- grid sync ----
K k_grid(int *a, int n)
{
    auto g = cg::this_grid();
    for (int r = 0; r < 5; r++) {
        int i = g.thread_rank(), x = a[(i + 1) % n];
        g.sync();
        a[i] = x;
        g.sync();
    }
}
CASE(right_grid_sync)
{
    int *a = dev<int>(512), n = 512;
    void *args[] = {&a, &n};
    OK(hipLaunchCooperativeKernel((void *)k_grid, dim3(4), dim3(128), args, 0, 0));
    SYNC;
}
K k_grid_bad(int *a, int n)
{
    auto g = cg::this_grid();
    for (int r = 0; r < 5; r++) {
        int i = g.thread_rank(), x = a[(i + 1) % n];
        a[i] = x + r;
        g.sync();
    }
}
CASE(wrong_race_grid_sync)
{
    int *a = dev<int>(512), n = 512;
    void *args[] = {&a, &n};
    OK(hipLaunchCooperativeKernel((void *)k_grid_bad, dim3(4), dim3(128), args, 0, 0));
    SYNC;
}

// ---- threadfence reduction (last block) ----
__device__ unsigned done_count;
K k_last(const int *in, int *part, int *out)
{
    __shared__ bool last;
    __shared__ int s;
    if (!threadIdx.x)
        s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (!threadIdx.x) {
        part[blockIdx.x] = s;
        __threadfence();
        last = atomicAdd(&done_count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && !threadIdx.x) {
        __threadfence();
        int t = 0;
        for (int i = 0; i < gridDim.x; i++)
            t += ((volatile int *)part)[i];
        *out = t;
        done_count = 0;
    }
}
CASE(right_last_block)
{
    int *a = dev<int>(1024), *p = dev<int>(8), *o = dev<int>(1);
    k_last<<<8, 128>>>(a, p, o);
    SYNC;
}
K k_last_bad(const int *in, int *part, int *out)
{
    __shared__ bool last;
    if (!threadIdx.x) {
        part[blockIdx.x] = in[blockIdx.x];
        last = blockIdx.x == gridDim.x - 1;
    }
    __syncthreads();
    if (last && !threadIdx.x) {
        int t = 0;
        for (int i = 0; i < gridDim.x; i++)
            t += part[i];
        *out = t;
    }
}
CASE(wrong_race_last_block)
{
    int *a = dev<int>(1024), *p = dev<int>(8), *o = dev<int>(1);
    k_last_bad<<<8, 128>>>(a, p, o);
    SYNC;
}

// ---- spin lock ----
K k_lock(int *lock, int *n)
{
    if (threadIdx.x % 64)
        return;
    bool leave = false;
    while (!leave)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)n += 1;
            __threadfence();
            atomicExch(lock, 0);
            leave = true;
        }
}
CASE(right_lock)
{
    int *l = dev<int>(1), *n = dev<int>(1);
    k_lock<<<8, 128>>>(l, n);
    SYNC;
}
K k_lock_bad(int *lock, int *n)
{
    if (threadIdx.x % 64)
        return;
    bool leave = false;
    while (!leave)
        if (atomicCAS(lock, 0, 1) == 0) {
            atomicExch(lock, 0);
            *(volatile int *)n += 1;
            leave = true;
        }
}
CASE(wrong_race_lock)
{
    int *l = dev<int>(1), *n = dev<int>(1);
    k_lock_bad<<<8, 128>>>(l, n);
    SYNC;
}

// ---- lock-free queue ----
struct queue {
    unsigned tail, head;
    int slot[256];
    unsigned ready[256];
};
K k_queue(queue *q, int *out)
{
    int t = threadIdx.x;
    if (t)
        return;
    if (blockIdx.x < 4) {
        unsigned at = atomicAdd(&q->tail, 1);
        q->slot[at] = blockIdx.x;
        __threadfence();
        __hip_atomic_store(&q->ready[at], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    } else {
        unsigned at = atomicAdd(&q->head, 1);
        while (!__hip_atomic_load(&q->ready[at], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT))
            ;
        out[at] = q->slot[at];
    }
}
CASE(right_queue)
{
    queue *q = dev<queue>(1);
    int *o = dev<int>(8);
    k_queue<<<8, 64>>>(q, o);
    SYNC;
}
K k_queue_bad(queue *q, int *out)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x < 4) {
        unsigned at = atomicAdd(&q->tail, 1);
        __hip_atomic_store(&q->ready[at], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        q->slot[at] = blockIdx.x;
    } else {
        unsigned at = atomicAdd(&q->head, 1);
        while (!__hip_atomic_load(&q->ready[at], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT))
            ;
        out[at] = q->slot[at];
    }
}
CASE(wrong_race_queue)
{
    queue *q = dev<queue>(1);
    int *o = dev<int>(8);
    k_queue_bad<<<8, 64>>>(q, o);
    SYNC;
}

// ---- persistent ----
__device__ unsigned next_item;
K k_persistent(int *o, unsigned n)
{
    for (;;) {
        __shared__ unsigned base;
        if (!threadIdx.x)
            base = atomicAdd(&next_item, blockDim.x);
        __syncthreads();
        unsigned i = base + threadIdx.x;
        __syncthreads();
        if (i - threadIdx.x >= n)
            return;
        if (i < n)
            o[i] = i;
    }
}
CASE(right_persistent)
{
    unsigned zero = 0;
    OK(hipMemcpyToSymbol(HIP_SYMBOL(next_item), &zero, 4));
    int *o = dev<int>(1000);
    k_persistent<<<4, 64>>>(o, 1000);
    SYNC;
}
K k_persistent_bad(int *o, unsigned n)
{
    for (;;) {
        __shared__ unsigned base;
        if (!threadIdx.x)
            base = atomicAdd(&next_item, blockDim.x);
        __syncthreads();
        unsigned i = base + threadIdx.x;
        if (i - threadIdx.x >= n)
            return;
        if (i < n)
            o[i] = i;
    }
}
CASE(wrong_race_persistent)
{
    unsigned zero = 0;
    OK(hipMemcpyToSymbol(HIP_SYMBOL(next_item), &zero, 4));
    int *o = dev<int>(1000);
    k_persistent_bad<<<4, 128>>>(o, 1000);
    SYNC;
}

// ---- events between streams ----
K k_fill(int *p, int v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = v;
}
CASE(right_events)
{
    hipStream_t a, b;
    hipEvent_t e;
    OK(hipStreamCreate(&a));
    OK(hipStreamCreate(&b));
    OK(hipEventCreate(&e));
    int *p = dev<int>(4096), *o = dev<int>(4096);
    SYNC;
    k_fill<<<64, 64, 0, a>>>(p, 3, 4096);
    OK(hipEventRecord(e, a));
    OK(hipStreamWaitEvent(b, e, 0));
    k_add<<<64, 64, 0, b>>>(p, o, 4096);
    SYNC;
}

// ---- scopes ----
K k_scope(int *data, int *flag, int *out)
{
    if (threadIdx.x)
        return;
    if (!blockIdx.x) {
        *data = 42;
        __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    } else {
        while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 1)
            ;
        *out = *data;
    }
}
CASE(right_scope)
{
    int *d = dev<int>(3);
    k_scope<<<2, 64>>>(d, d + 1, d + 2);
    SYNC;
}
K k_scope_bad(int *data, int *flag, int *out)
{
    if (threadIdx.x)
        return;
    if (!blockIdx.x) {
        *data = 42;
        __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    } else {
        while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 1)
            ;
        *out = *data;
    }
}
CASE(wrong_race_scope)
{
    int *d = dev<int>(3);
    k_scope_bad<<<2, 64>>>(d, d + 1, d + 2);
    SYNC;
}
