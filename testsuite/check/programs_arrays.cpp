// SPDX-License-Identifier: MIT
// Programs that compute with arrays: atomics of floats, histograms, scans, transpositions, stencils.
#include "testsuite/check/programs.hpp"

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
