// SPDX-License-Identifier: MIT
/* Right and wrong HIP programs, of the kinds that people write, for the checkers: the name of a case says which it is.
 * Input: the name of a case, "right" for all right ones, or none to list all. Output: what the runtime reports. */
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <vector>
namespace cg = cooperative_groups;
#define K __global__ void
#define OK(x)                                        \
    do                                               \
        if ((x) != hipSuccess)                       \
            fprintf(stderr, "line %d: HIP fails\n", __LINE__); \
    while (0)
template <typename T> static T *dev(size_t n, bool zero = true)
{
    T *p;
    OK(hipMalloc((void **)&p, n * sizeof(T)));
    if (zero)
        OK(hipMemset(p, 0, n * sizeof(T)));
    return p;
}
struct test {
    const char *name;
    void (*fn)();
    test *next;
} *tests;
#define CASE(n)                                                       \
    static void n();                                                  \
    static test t_##n = {#n, n, nullptr};                             \
    static int r_##n = (t_##n.next = tests, tests = &t_##n, 0);       \
    static void n()
#define SYNC OK(hipDeviceSynchronize())

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
// ---- printf ----
K k_printf(int *o)
{
    printf("%d %s\n", (int)threadIdx.x, "x");
    o[threadIdx.x] = 1;
}
CASE(right_printf)
{
    int *o = dev<int>(4);
    k_printf<<<1, 4>>>(o);
    SYNC;
}
// ---- device malloc ----
K k_malloc(int *o)
{
    int *p = (int *)malloc(64);
    if (p) {
        for (int i = 0; i < 16; i++)
            p[i] = i;
        o[threadIdx.x] = p[15];
        free(p);
    }
}
CASE(right_device_malloc)
{
    int *o = dev<int>(64);
    k_malloc<<<1, 64>>>(o);
    SYNC;
}
// ---- padding, bitfields ----
struct padded {
    char c;
    double d;
    short s;
};
K k_padded(const padded *in, padded *out, int n)
{
    int i = threadIdx.x;
    padded p = in[i];
    p.d *= 2;
    out[i] = p;
}
CASE(right_padding)
{
    std::vector<padded> v(64);
    for (auto &p : v) {
        p.c = 1;
        p.d = 2;
        p.s = 3;
    }
    padded *a = dev<padded>(64, false), *o = dev<padded>(64, false);
    OK(hipMemcpy(a, v.data(), 64 * sizeof(padded), hipMemcpyHostToDevice));
    k_padded<<<1, 64>>>(a, o, 64);
    OK(hipMemcpy(v.data(), o, 64 * sizeof(padded), hipMemcpyDeviceToHost));
}
K k_make_padded(padded *out)
{
    padded p;
    p.c = 'a';
    p.d = threadIdx.x;
    p.s = 4;
    out[threadIdx.x] = p;
}
CASE(right_make_padded)
{
    padded *o = dev<padded>(64, false);
    k_make_padded<<<1, 64>>>(o);
    SYNC;
}
struct bits {
    unsigned a : 3, b : 7, c : 22;
};
K k_bits_bad(bits *b)
{
    if (threadIdx.x % 128 == 0)
        b[0].a = 1;
    if (threadIdx.x == 64)
        b[0].b = 2;
}
CASE(wrong_race_bitfields)
{
    bits *b = dev<bits>(64);
    k_bits_bad<<<1, 128>>>(b);
    SYNC;
}
struct big {
    int v[6];
};
K k_memcpy_bad(const big *in, big *out)
{
    big t;
    memcpy(&t, &in[threadIdx.x], 20);
    memcpy(&out[threadIdx.x], &t, sizeof t);
}
CASE(wrong_init_memcpy)
{
    big *a = dev<big>(64), *o = dev<big>(64);
    k_memcpy_bad<<<1, 64>>>(a, o);
    SYNC;
}
// ---- 3D partial ----
K k_3d(int *o, int x, int y, int z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
        k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < x && j < y && k < z)
        o[(k * y + j) * x + i] = i + j + k;
}
CASE(right_3d)
{
    int *o = dev<int>(13 * 11 * 7);
    k_3d<<<dim3(2, 3, 4), dim3(8, 4, 2)>>>(o, 13, 11, 7);
    SYNC;
}
K k_3d_bad(int *o, int x, int y, int z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
        k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i <= x && j < y && k < z)
        o[(k * y + j) * x + i] = i + j + k;
}
CASE(wrong_any_3d)
{
    int *o = dev<int>(13 * 11 * 7);
    k_3d_bad<<<dim3(2, 3, 4), dim3(8, 4, 2)>>>(o, 13, 11, 7);
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
K k_add(const int *p, int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] += p[n - 1 - i];
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
// ---- use after free ----
K k_touch(int *p)
{
    p[threadIdx.x] = 1;
}
CASE(wrong_memory_use_after_free)
{
    int *p = dev<int>(256);
    SYNC;
    OK(hipFree(p));
    k_touch<<<1, 64>>>(p);
    (void)hipDeviceSynchronize();
}
CASE(wrong_memory_over)
{
    int *p = dev<int>(100);
    k_touch<<<1, 128>>>(p);
    SYNC;
}
CASE(wrong_init_fresh)
{
    int *p = dev<int>(1 << 20, false), *o = dev<int>(128);
    k_add<<<2, 64>>>(p + 4096, o, 128);
    SYNC;
}
CASE(right_async_copy)
{
    hipStream_t a;
    OK(hipStreamCreate(&a));
    int *h;
    OK(hipHostMalloc((void **)&h, 4096, 0));
    memset(h, 1, 4096);
    int *p = dev<int>(1024), *o = dev<int>(1024);
    OK(hipMemcpyAsync(p, h, 4096, hipMemcpyHostToDevice, a));
    k_add<<<16, 64, 0, a>>>(p, o, 1024);
    OK(hipMemcpyAsync(h, o, 4096, hipMemcpyDeviceToHost, a));
    OK(hipStreamSynchronize(a));
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
// ---- float atomics, histogram, scan, transpose, stencil ----
K k_hist(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&h[in[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
CASE(right_histogram)
{
    unsigned char *a = dev<unsigned char>(10000);
    unsigned *o = dev<unsigned>(256);
    k_hist<<<4, 256>>>(a, o, 10000);
    SYNC;
}
K k_hist_bad(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        h[in[i]]++;
    __syncthreads();
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
CASE(wrong_race_histogram)
{
    unsigned char *a = dev<unsigned char>(10000);
    unsigned *o = dev<unsigned>(256);
    k_hist_bad<<<4, 256>>>(a, o, 10000);
    SYNC;
}
K k_hist_bad2(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&h[in[i]], 1);
    atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
CASE(wrong_race_histogram_no_barrier)
{
    unsigned char *a = dev<unsigned char>(10000);
    unsigned *o = dev<unsigned>(256);
    k_hist_bad2<<<4, 256>>>(a, o, 10000);
    SYNC;
}
K k_hist_bad3(const unsigned char *in, unsigned *out, int n)
{
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&h[in[i]], 1);
    __syncthreads();
    out[threadIdx.x] = h[threadIdx.x];
}
CASE(wrong_init_histogram)
{
    unsigned char *a = dev<unsigned char>(10000);
    unsigned *o = dev<unsigned>(256);
    k_hist_bad3<<<1, 256>>>(a, o, 10000);
    SYNC;
}
K k_scan(int *a)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, w = 0;
    s[0][t] = a[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        s[!w][t] = s[w][t] + (t >= d ? s[w][t - d] : 0);
        w = !w;
        __syncthreads();
    }
    a[t] = s[w][t];
}
CASE(right_scan)
{
    int *a = dev<int>(256);
    k_scan<<<1, 256>>>(a);
    SYNC;
}
K k_scan_bad(int *a)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int x = t >= d ? s[t - d] : 0;
        s[t] += x;
        __syncthreads();
    }
    a[t] = s[t];
}
CASE(wrong_race_scan)
{
    int *a = dev<int>(256);
    k_scan_bad<<<1, 256>>>(a);
    SYNC;
}
K k_dadd(double *sum, const double *x)
{
    atomicAdd(sum, x[threadIdx.x + blockIdx.x * blockDim.x]);
}
CASE(right_double_atomics)
{
    double *s = dev<double>(1), *x = dev<double>(512);
    k_dadd<<<4, 128>>>(s, x);
    SYNC;
}
K k_maxf(float *m, const float *x)
{
    int *p = (int *)m;
    int old = *p, want;
    float v = x[threadIdx.x + blockIdx.x * blockDim.x];
    do {
        want = old;
        if (__int_as_float(want) >= v)
            break;
        old = atomicCAS(p, want, __float_as_int(v));
    } while (old != want);
}
CASE(right_cas_max)
{
    float *s = dev<float>(1), *x = dev<float>(512);
    k_maxf<<<4, 128>>>(s, x);
    SYNC;
}
K k_ldsmax(float *out, const float *x)
{
    __shared__ int m;
    if (!threadIdx.x)
        m = 0;
    __syncthreads();
    int old = m, want;
    float v = x[threadIdx.x];
    do {
        want = old;
        if (__int_as_float(want) >= v)
            break;
        old = atomicCAS(&m, want, __float_as_int(v));
    } while (old != want);
    __syncthreads();
    if (!threadIdx.x)
        *out = __int_as_float(m);
}
K k_iota(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = (float)(threadIdx.x * 37 % 128);
}
CASE(right_cas_max_shared)
{
    float *s = dev<float>(1), *x = dev<float>(512);
    k_iota<<<4, 128>>>(x);
    k_ldsmax<<<1, 256>>>(s, x);
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
// ---- managed, pinned mapped ----
CASE(right_managed)
{
    int *p;
    OK(hipMallocManaged((void **)&p, 4096, hipMemAttachGlobal));
    for (int i = 0; i < 1024; i++)
        p[i] = i;
    int *o = dev<int>(1024);
    k_add<<<16, 64>>>(p, o, 1024);
    SYNC;
}
CASE(right_registered)
{
    static int h[1024];
    OK(hipHostRegister(h, sizeof h, 0));
    int *d;
    OK(hipHostGetDevicePointer((void **)&d, h, 0));
    int *o = dev<int>(1024);
    k_add<<<16, 64>>>(d, o, 1024);
    SYNC;
    OK(hipHostUnregister(h));
}
CASE(wrong_memory_negative)
{
    int *p = dev<int>(128), *o = dev<int>(128);
    k_add<<<2, 64>>>(p - 1, o, 128);
    SYNC;
}
K k_char(char *p, int n)
{
    int i = threadIdx.x;
    if (i < n)
        p[i] = p[i + 1];
}
CASE(wrong_any_char)
{
    char *p = dev<char>(64);
    k_char<<<1, 64>>>(p, 64);
    SYNC;
}
K k_volatile(volatile int *f, int *o)
{
    __shared__ volatile int go;
    if (!threadIdx.x)
        go = 0;
    __syncthreads();
    if (threadIdx.x == 64) {
        go = 1;
    }
    if (threadIdx.x == 0) {
        while (!go)
            ;
        o[0] = 1;
    }
}
CASE(right_volatile_spin)
{
    int *o = dev<int>(2);
    k_volatile<<<1, 128>>>(o + 1, o);
    SYNC;
}

int main(int argc, char **argv)
{
    int found = argc < 2;
    for (test *t = tests; t; t = t->next) {
        if (argc < 2)
            puts(t->name);
        else if (!strcmp(argv[1], t->name) || (!strcmp(argv[1], "right") && !strncmp(t->name, "right", 5)))
            t->fn(), found = 1;
    }
    return !found;
}
