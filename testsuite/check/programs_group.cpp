// SPDX-License-Identifier: MIT
// Programs whose work-items share memory of their group: reductions, exchanges of lanes, tiles, buffers, barriers.
#include "testsuite/check/programs.hpp"

// ---- shared reduction ----
K k_reduce(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (!t)
        out[blockIdx.x] = s[0];
}
CASE(right_reduce)
{
    int *a = dev<int>(1024), *o = dev<int>(4);
    k_reduce<<<4, 256>>>(a, o);
    SYNC;
}
K k_reduce_bad(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    for (int d = 128; d; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    if (t == 255)
        out[blockIdx.x] = s[0];
}
CASE(wrong_race_reduce)
{
    int *a = dev<int>(1024), *o = dev<int>(4);
    k_reduce_bad<<<4, 256>>>(a, o);
    SYNC;
}

// ---- shuffle ----
K k_shfl(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 32; d; d >>= 1)
        v += __shfl_down(v, d);
    __shared__ int w[16];
    if (threadIdx.x % 64 == 0)
        w[threadIdx.x / 64] = v;
    __syncthreads();
    if (!threadIdx.x) {
        int s = 0;
        for (int i = 0; i < blockDim.x / 64; i++)
            s += w[i];
        *out = s;
    }
}
CASE(right_shuffle)
{
    int *a = dev<int>(256), *o = dev<int>(1);
    k_shfl<<<1, 256>>>(a, o);
    SYNC;
}
K k_shfl_bad(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 32; d; d >>= 1)
        v += __shfl_down(v, d);
    __shared__ int w[16];
    if (threadIdx.x % 64 == 0)
        w[threadIdx.x / 64] = v;
    __syncthreads();
    if (!threadIdx.x) {
        int s = 0;
        for (int i = 0; i < 8; i++)
            s += w[i];
        *out = s;
    }
}
CASE(wrong_init_shuffle)
{
    int *a = dev<int>(256), *o = dev<int>(1);
    k_shfl_bad<<<1, 256>>>(a, o);
    SYNC;
}

// ---- cooperative groups tile ----
K k_tile(int *o)
{
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<16>(b);
    __shared__ int s[256];
    s[b.thread_rank()] = t.thread_rank();
    t.sync();
    int x = s[b.thread_rank() ^ 1];
    b.sync();
    o[b.thread_rank()] = x + t.shfl_xor(x, 1);
}
CASE(right_tiles)
{
    int *o = dev<int>(256);
    k_tile<<<1, 256>>>(o);
    SYNC;
}
K k_tile_bad(int *o)
{
    auto b = cg::this_thread_block();
    __shared__ int s[256];
    s[b.thread_rank()] = b.thread_rank();
    auto t = cg::tiled_partition<64>(b);
    t.sync();
    o[b.thread_rank()] = s[255 - b.thread_rank()];
}
CASE(wrong_race_tiles)
{
    int *o = dev<int>(256);
    k_tile_bad<<<1, 256>>>(o);
    SYNC;
}

// ---- double buffering ----
K k_double(const float *in, float *out, int n)
{
    __shared__ float b[2][128];
    int t = threadIdx.x;
    float s = 0;
    b[0][t] = in[t];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        if (i + 1 < n)
            b[(i + 1) & 1][t] = in[(i + 1) * 128 + t];
        s += b[i & 1][127 - t];
    }
    out[t] = s;
}
CASE(right_double_buffer)
{
    float *a = dev<float>(128 * 8), *o = dev<float>(128);
    k_double<<<1, 128>>>(a, o, 8);
    SYNC;
}
K k_double_bad(const float *in, float *out, int n)
{
    __shared__ float b[2][128];
    int t = threadIdx.x;
    float s = 0;
    b[0][t] = in[t];
    for (int i = 0; i < n; i++) {
        if (i + 1 < n)
            b[(i + 1) & 1][t] = in[(i + 1) * 128 + t];
        s += b[i & 1][127 - t];
        if (i & 1)
            __syncthreads();
    }
    out[t] = s;
}
CASE(wrong_race_double_buffer)
{
    float *a = dev<float>(128 * 8), *o = dev<float>(128);
    k_double_bad<<<1, 128>>>(a, o, 8);
    SYNC;
}

// ---- dynamic shared ----
K k_dyn(int *out, int n)
{
    extern __shared__ int d[];
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = d[n - 1 - threadIdx.x];
}
CASE(right_dynamic)
{
    int *o = dev<int>(128);
    k_dyn<<<1, 128, 512>>>(o, 128);
    SYNC;
}
CASE(wrong_memory_dynamic)
{
    int *o = dev<int>(128);
    k_dyn<<<1, 128, 256>>>(o, 128);
    SYNC;
}

// ---- divergent barrier ----
K k_div(int *o)
{
    __shared__ int s[128];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 40)
        __syncthreads();
    o[threadIdx.x] = s[threadIdx.x];
}
CASE(wrong_barrier_divergent)
{
    int *o = dev<int>(128);
    k_div<<<1, 128>>>(o);
    SYNC;
}
K k_loopbar(int *o, int n)
{
    for (int i = 0; i < threadIdx.x % 3 + 1; i++)
        __syncthreads();
    o[threadIdx.x] = n;
}
CASE(wrong_barrier_loop)
{
    int *o = dev<int>(128);
    k_loopbar<<<1, 128>>>(o, 3);
    SYNC;
}
K k_early(const int *in, int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int s[64];
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i >= n)
        return;
    o[i] = s[threadIdx.x ^ 1];
}
CASE(right_early_return)
{
    int *a = dev<int>(100), *o = dev<int>(100);
    k_early<<<2, 64>>>(a, o, 100);
    SYNC;
}
K k_local_array(int *o, int n)
{
    int a[16];
    for (int i = 0; i < n; i++)
        a[i] = i;
    o[threadIdx.x] = a[threadIdx.x % 16];
}
CASE(right_local_array)
{
    int *o = dev<int>(64);
    k_local_array<<<1, 64>>>(o, 16);
    SYNC;
}

// ---- pointer into shared leaked ----
__device__ int *leaked;
K k_leak(int *o)
{
    __shared__ int s;
    s = 7;
    if (!threadIdx.x && !blockIdx.x)
        leaked = &s;
}
K k_use_leak(int *o)
{
    __shared__ int s;
    s = 1;
    o[threadIdx.x] = s;
    if (!threadIdx.x)
        *leaked = 3;
    o[64] = s;
}
CASE(wrong_other_leak)
{
    int *o = dev<int>(65);
    k_leak<<<1, 64>>>(o);
    k_use_leak<<<1, 64>>>(o);
    SYNC;
}
