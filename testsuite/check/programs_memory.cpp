// SPDX-License-Identifier: MIT
// Programs that use memory in many ways: output, allocations by kernels, structures, boxes, memory of the host.
#include "testsuite/check/programs.hpp"

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
