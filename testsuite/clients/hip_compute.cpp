// SPDX-License-Identifier: MIT
// HIP programs that compute: each uses one feature of kernels, and is compared with plain C++.
#include "small_program.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

namespace cg = cooperative_groups;

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = INDEX;
    if (i < n)
        c[i] = a[i] + b[i];
}
PROGRAM(vector_add)
{
    enum { N = 10007 };
    auto x = numbers<float>(N, [](size_t i) { return i * 0.5f; }),
         y = numbers<float>(N, [](size_t i) { return 3.f - i; });
    device_array<float> a(x), b(y), c(N);
    add<<<(N + 255) / 256, 256>>>(a.at, b.at, c.at, N);
    auto got = c.fetch();
    for (int i = 0; i < N; i++)
        MUST(got[i] == x[i] + y[i]);
    return true;
}

__global__ void multiply(const double *a, const double *b, double *c, int n)
{
    __shared__ double ta[16][17], tb[16][17];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    double sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
PROGRAM(matrix_product)
{
    enum { N = 64 };
    auto x = numbers<double>(N * N, [](size_t i) { return (double)(i % 13) - 6; });
    auto y = numbers<double>(N * N, [](size_t i) { return (double)(i % 7) * 0.25; });
    device_array<double> a(x), b(y), c(N * N);
    multiply<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(a.at, b.at, c.at, N);
    auto got = c.fetch();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += x[i * N + k] * y[k * N + j];
            MUST(got[i * N + j] == sum);
        }
    return true;
}

__global__ void transpose(const int *in, int *out, int w, int h)
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
PROGRAM(matrix_transpose)
{
    enum { W = 100, H = 75 };
    auto in = numbers<int>(W * H, [](size_t i) { return (int)i * 3; });
    device_array<int> a(in), b(W * H);
    transpose<<<dim3(4, 3), dim3(32, 8)>>>(a.at, b.at, W, H);
    auto got = b.fetch();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            MUST(got[x * H + y] == in[y * W + x]);
    return true;
}

__global__ void shuffle_sum(const int *in, int *out, int n)
{
    int i = INDEX, v = i < n ? in[i] : 0;
    for (int d = warpSize / 2; d; d /= 2)
        v += __shfl_down(v, d);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(out, v);
}
PROGRAM(reduction_by_shuffles)
{
    enum { N = 5000 };
    device_array<int> a(numbers<int>(N, [](size_t i) { return (int)i; })), sum(1);
    shuffle_sum<<<20, 256>>>(a.at, sum.at, N);
    return sum.fetch()[0] == N * (N - 1) / 2;
}

__global__ void lane_moves(int *out)
{
    int lane = threadIdx.x;
    out[lane] = __shfl_up(lane, 3);
    out[64 + lane] = __shfl_xor(lane, 21);
    out[128 + lane] = __shfl(lane, 63 - lane);
    out[192 + lane] = __shfl(lane, 5, 16);
}
PROGRAM(shuffles)
{
    device_array<int> a(256);
    lane_moves<<<1, 64>>>(a.at);
    auto got = a.fetch();
    for (int i = 0; i < 64; i++)
        MUST(got[i] == (i < 3 ? i : i - 3) && got[64 + i] == (i ^ 21) && got[128 + i] == 63 - i &&
             got[192 + i] == i / 16 * 16 + 5);
    return true;
}

__global__ void votes(unsigned long long *out)
{
    bool odd = threadIdx.x & 1;
    unsigned long long b = __ballot(odd);
    if (threadIdx.x == 0) {
        out[0] = b;
        out[1] = __popcll(b);
    }
    int any = __any(threadIdx.x == 40), all = __all(threadIdx.x < 64), none = __any(threadIdx.x > 64);
    if (threadIdx.x == 7)
        out[2] = any | all << 1 | none << 2;
}
PROGRAM(votes_of_lanes)
{
    device_array<unsigned long long> a(3);
    votes<<<1, 64>>>(a.at);
    auto got = a.fetch();
    return got[0] == 0xaaaaaaaaaaaaaaaaull && got[1] == 32 && got[2] == 3;
}

__global__ void scan_block(int *data, int n)
{
    extern __shared__ int two[];
    int t = threadIdx.x, from = 0, to = 1;
    two[t] = data[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        two[to * n + t] = two[from * n + t] + (t >= d ? two[from * n + t - d] : 0);
        from ^= 1, to ^= 1;
        __syncthreads();
    }
    data[t] = two[from * n + t];
}
PROGRAM(prefix_sums)
{
    enum { N = 512 };
    device_array<int> a(numbers<int>(N, [](size_t i) { return (int)(i % 5); }));
    scan_block<<<1, N, 2 * N * sizeof(int)>>>(a.at, N);
    auto got = a.fetch();
    for (int i = 0, sum = 0; i < N; i++)
        MUST(got[i] == (sum += i % 5));
    return true;
}

__global__ void count_bytes(const unsigned char *text, int n, unsigned *bins)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[text[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
PROGRAM(histogram)
{
    enum { N = 30000 };
    auto text = numbers<unsigned char>(N, [](size_t i) { return (unsigned char)(i * i / 7); });
    device_array<unsigned char> a(text);
    device_array<unsigned> bins(256);
    count_bytes<<<6, 256>>>(a.at, N, bins.at);
    std::vector<unsigned> want(256);
    for (unsigned char c : text)
        want[c]++;
    return bins.fetch() == want;
}

__constant__ float weights[5];
__global__ void convolve(const float *in, float *out, int n)
{
    int i = INDEX;
    float sum = 0;
    for (int k = -2; k <= 2; k++)
        if (i + k >= 0 && i + k < n)
            sum += in[i + k] * weights[k + 2];
    if (i < n)
        out[i] = sum;
}
PROGRAM(constant_memory)
{
    enum { N = 777 };
    const float w[5] = {1, 2, 4, 2, 1};
    auto in = numbers<float>(N, [](size_t i) { return (float)(i % 32); });
    device_array<float> a(in), b(N);
    MUST(GOOD(hipMemcpyToSymbol(HIP_SYMBOL(weights), w, sizeof w)));
    convolve<<<4, 256>>>(a.at, b.at, N);
    auto got = b.fetch();
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = -2; k <= 2; k++)
            if (i + k >= 0 && i + k < N)
                sum += in[i + k] * w[k + 2];
        MUST(got[i] == sum);
    }
    return true;
}

__global__ void all_atomics(int *i, unsigned *u, unsigned long long *l, float *f)
{
    int t = INDEX;
    atomicMax(&i[0], t);
    atomicMin(&i[1], -t);
    atomicSub(&i[2], 1);
    atomicExch(&i[3], 5);
    atomicAnd(&u[0], ~(1u << t % 32));
    atomicOr(&u[1], 1u << t % 32);
    atomicXor(&u[2], (unsigned)t);
    atomicInc(&u[3], 9);
    atomicAdd(l, 1ull << 33);
    atomicAdd(f, 0.25f);
    int seen = i[4], want;
    do
        want = seen;
    while ((seen = atomicCAS(&i[4], want, want + 3)) != want);
}
PROGRAM(atomic_operations)
{
    device_array<int> i(5);
    device_array<unsigned> u(std::vector<unsigned>{~0u, 0, 0, 0});
    device_array<unsigned long long> l(1);
    device_array<float> f(1);
    all_atomics<<<4, 100>>>(i.at, u.at, l.at, f.at);
    unsigned mixed = 0;
    for (unsigned t = 0; t < 400; t++)
        mixed ^= t;
    return i.fetch() == std::vector<int>{399, -399, -400, 5, 1200} &&
           u.fetch() == std::vector<unsigned>{0, ~0u, mixed, 0} && l.fetch()[0] == 400ull << 33 && f.fetch()[0] == 100;
}

__device__ unsigned finished;
__global__ void last_block_sums(const int *in, volatile int *partial, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += in[blockIdx.x * 64 + i];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *out = sum;
    }
}
PROGRAM(fences)
{
    device_array<int> in(numbers<int>(64 * 40, [](size_t i) { return (int)i; })), partial(40), out(1);
    last_block_sums<<<40, 64>>>(in.at, partial.at, out.at);
    return out.fetch()[0] == 2560 * 2559 / 2;
}

struct shape {
    __device__ virtual int area(int x) const = 0;
};
struct square : shape {
    __device__ int area(int x) const override
    {
        return x * x;
    }
};
struct bar : shape {
    __device__ int area(int x) const override
    {
        return 2 * x;
    }
};
__global__ void areas(int *out)
{
    square s;
    bar b;
    const shape *of = threadIdx.x % 3 ? (const shape *)&s : &b;
    out[threadIdx.x] = of->area(threadIdx.x);
}
PROGRAM(virtual_functions)
{
    device_array<int> a(64);
    areas<<<1, 64>>>(a.at);
    auto got = a.fetch();
    for (int i = 0; i < 64; i++)
        MUST(got[i] == (i % 3 ? i * i : 2 * i));
    return true;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x);
}
PROGRAM(recursion)
{
    device_array<int> a(12);
    recursive<<<1, 12>>>(a.at);
    return a.fetch() == std::vector<int>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
}

struct big {
    int n[200];
    double d;
    char c;
};
__global__ void sum_structure(big b, int *out)
{
    out[threadIdx.x] = b.n[threadIdx.x] + (int)b.d + b.c;
}
PROGRAM(structure_arguments)
{
    big b;
    for (int i = 0; i < 200; i++)
        b.n[i] = i * i;
    b.d = 1000;
    b.c = -3;
    device_array<int> a(200);
    sum_structure<<<1, 200>>>(b, a.at);
    auto got = a.fetch();
    for (int i = 0; i < 200; i++)
        MUST(got[i] == i * i + 997);
    return true;
}

__global__ void halves(const float *in, float *out)
{
    __half x = __float2half(in[threadIdx.x]);
    out[threadIdx.x] = __half2float(__hadd(__hmul(x, x), __float2half(1)));
}
PROGRAM(half_precision)
{
    auto in = numbers<float>(64, [](size_t i) { return (float)i - 20; }); // squares and sums are exact
    device_array<float> a(in), b(64);
    halves<<<1, 64>>>(a.at, b.at);
    auto got = b.fetch();
    for (int i = 0; i < 64; i++)
        MUST(got[i] == in[i] * in[i] + 1);
    return true;
}

__global__ void vectors(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x) + v;
}
PROGRAM(vector_types)
{
    auto in = numbers<float>(256, [](size_t i) { return (float)i; });
    device_array<float> a(in), b(256);
    vectors<<<1, 64>>>((const float4 *)a.at, (float4 *)b.at);
    auto got = b.fetch();
    for (int i = 0; i < 256; i++)
        MUST(got[i] == in[i] + in[i / 4 * 4 + 3 - i % 4]);
    return true;
}

__global__ void functions(const float *in, float *out, int n)
{
    float x = in[threadIdx.x];
    out[threadIdx.x] = sinf(x), out[n + threadIdx.x] = expf(x), out[2 * n + threadIdx.x] = logf(x + 1);
    out[3 * n + threadIdx.x] = powf(x, 1.5f), out[4 * n + threadIdx.x] = erff(x),
                out[5 * n + threadIdx.x] = atan2f(x, 2);
    out[6 * n + threadIdx.x] = cbrtf(x), out[7 * n + threadIdx.x] = fmodf(x, 0.7f);
}
PROGRAM(math_functions)
{
    enum { N = 100 };
    auto in = numbers<float>(N, [](size_t i) { return i * 0.05f; });
    device_array<float> a(in), b(8 * N);
    functions<<<1, N>>>(a.at, b.at, N);
    auto got = b.fetch();
    for (int i = 0; i < N; i++) {
        double x = in[i], want[8] = {sin(x), exp(x),        log(x + 1), pow(x, 1.5),
                                     erf(x), atan2(x, 2.0), cbrt(x),    fmod(x, (double)0.7f)};
        for (int k = 0; k < 8; k++)
            MUST(std::fabs(got[k * N + i] - want[k]) <= 4e-6 * std::max(1.0, std::fabs(want[k])));
    }
    return true;
}

__global__ void bits(const unsigned *in, unsigned *out)
{
    unsigned x = in[threadIdx.x], *o = out + 5 * threadIdx.x;
    o[0] = __brev(x), o[1] = __clz(x), o[2] = __popc(x), o[3] = __ffs(x), o[4] = __byte_perm(x, ~x, 0x1436);
}
PROGRAM(bit_functions)
{
    auto in = numbers<unsigned>(64, [](size_t i) { return i ? (unsigned)i * 2654435761u >> i % 20 : 0; });
    device_array<unsigned> a(in), b(320);
    bits<<<1, 64>>>(a.at, b.at);
    auto got = b.fetch();
    for (int i = 0; i < 64; i++) {
        unsigned x = in[i], reversed = 0, bytes[8];
        for (int k = 0; k < 32; k++)
            reversed |= (x >> k & 1) << (31 - k);
        for (int k = 0; k < 4; k++)
            bytes[k] = x >> 8 * k & 255, bytes[k + 4] = ~x >> 8 * k & 255;
        MUST(got[5 * i] == reversed && got[5 * i + 1] == (x ? (unsigned)__builtin_clz(x) : 32) &&
             got[5 * i + 2] == (unsigned)__builtin_popcount(x) && got[5 * i + 3] == (unsigned)__builtin_ffs((int)x) &&
             got[5 * i + 4] == (bytes[6] | bytes[3] << 8 | bytes[4] << 16 | bytes[1] << 24));
    }
    return true;
}

__global__ void divide(const long long *a, const long long *b, long long *q)
{
    int i = threadIdx.x;
    q[i] = a[i] / b[i], q[64 + i] = a[i] % b[i], q[128 + i] = (int)a[i] / (int)b[i];
    q[192 + i] = (unsigned)a[i] % (unsigned)b[i];
}
PROGRAM(integer_division)
{
    auto x = numbers<long long>(64, [](size_t i) { return (long long)i * 123456789012345ll - 4000000000000ll; });
    auto y = numbers<long long>(64, [](size_t i) { return (long long)(i * 7919) - 100003; });
    device_array<long long> a(x), b(y), c(256);
    divide<<<1, 64>>>(a.at, b.at, c.at);
    auto got = c.fetch();
    for (int i = 0; i < 64; i++)
        MUST(got[i] == x[i] / y[i] && got[64 + i] == x[i] % y[i] && got[128 + i] == (int)x[i] / (int)y[i] &&
             got[192 + i] == (unsigned)x[i] % (unsigned)y[i]);
    return true;
}

__global__ void square_all(const hipFloatComplex *in, hipFloatComplex *out)
{
    out[threadIdx.x] = hipCmulf(in[threadIdx.x], hipConjf(in[63 - threadIdx.x]));
}
PROGRAM(complex_numbers)
{
    auto in = numbers<float>(128, [](size_t i) { return (float)(i % 11) - 5; });
    device_array<float> a(in), b(128);
    square_all<<<1, 64>>>((const hipFloatComplex *)a.at, (hipFloatComplex *)b.at);
    auto got = b.fetch();
    for (int i = 0; i < 64; i++) {
        std::complex<float> x(in[2 * i], in[2 * i + 1]), y(in[126 - 2 * i], in[127 - 2 * i]), z = x * std::conj(y);
        MUST(got[2 * i] == z.real() && got[2 * i + 1] == z.imag());
    }
    return true;
}

__global__ void bitonic(int *data, int n)
{
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            int i = threadIdx.x, other = i ^ j;
            if (other > i && (data[i] > data[other]) == !(i & k)) {
                int t = data[i];
                data[i] = data[other];
                data[other] = t;
            }
            __syncthreads();
        }
}
PROGRAM(sorting)
{
    auto in = numbers<int>(1024, [](size_t i) { return (int)(i * 7919 % 1009); });
    device_array<int> a(in);
    bitonic<<<1, 1024>>>(a.at, 1024);
    std::sort(in.begin(), in.end());
    return a.fetch() == in;
}

__global__ void mandelbrot(int *out, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, n = 0;
    double cr = -2 + 3.0 * x / w, ci = -1 + 2.0 * y / gridDim.y, r = 0, i = 0;
    for (; n < 100 && r * r + i * i < 4; n++) {
        double t = __dadd_rn(__dsub_rn(__dmul_rn(r, r), __dmul_rn(i, i)), cr);
        i = __dadd_rn(__dmul_rn(2 * r, i), ci);
        r = t;
    }
    out[y * w + x] = n;
}
PROGRAM(diverging_loops)
{
    enum { W = 128, H = 40 };
    device_array<int> a(W * H);
    mandelbrot<<<dim3(2, H), 64>>>(a.at, W);
    auto got = a.fetch();
    int close = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            volatile double cr = -2 + 3.0 * x / W, ci = -1 + 2.0 * y / H, r = 0, i = 0;
            int n = 0;
            for (; n < 100 && r * r + i * i < 4; n++) {
                volatile double rr = r * r, ii = i * i, d = rr - ii, t = d + cr, p = 2 * r * i;
                i = p + ci;
                r = t;
            }
            close += got[y * W + x] == n;
        }
    return close >= W * H * 99 / 100; // the host may round the start values differently
}

__global__ void count_groups(unsigned long long *sum)
{
    if (threadIdx.x == 0)
        atomicAdd(sum, blockIdx.x + (unsigned long long)blockIdx.y * gridDim.x);
}
PROGRAM(many_groups)
{
    device_array<unsigned long long> sum(1);
    count_groups<<<dim3(300, 100), 64>>>(sum.at);
    return sum.fetch()[0] == 30000ull * 29999 / 2;
}

__global__ void whole_local(int *out)
{
    extern __shared__ int all[];
    for (int i = threadIdx.x; i < 16384; i += blockDim.x)
        all[i] = i;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < 16384; i += blockDim.x)
        sum += all[16383 - i] ^ i;
    atomicAdd(out, sum);
}
PROGRAM(all_group_memory)
{
    device_array<int> a(1);
    whole_local<<<1, 256, 65536>>>(a.at);
    int want = 0;
    for (int i = 0; i < 16384; i++)
        want += (16383 - i) ^ i;
    return a.fetch()[0] == want;
}

__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int v = block.thread_rank();
    for (int d = tile.size() / 2; d; d /= 2)
        v += tile.shfl_down(v, d);
    block.sync();
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 16] = v;
}
PROGRAM(cooperative_tiles)
{
    device_array<int> a(8);
    tiles<<<1, 128>>>(a.at);
    auto got = a.fetch();
    for (int i = 0; i < 8; i++)
        MUST(got[i] == 16 * (16 * i) + 120);
    return true;
}

__global__ void jacobi(float *a, float *b, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; r++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            b[i] = 0.5f * (a[i ? i - 1 : 0] + a[i < n - 1 ? i + 1 : n - 1]);
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
}
PROGRAM(cooperative_grid)
{
    int n = 1000, rounds = 20;
    auto x = numbers<float>(n, [](size_t i) { return (float)(i % 17); }), y = x;
    device_array<float> a(x), b(n);
    void *arguments[] = {&a.at, &b.at, &n, &rounds};
    MUST(GOOD(hipLaunchCooperativeKernel((void *)jacobi, dim3(8), dim3(64), arguments, 0, 0)));
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++)
            y[i] = 0.5f * (x[i ? i - 1 : 0] + x[i < n - 1 ? i + 1 : n - 1]);
        std::swap(x, y);
    }
    return a.fetch() == x;
}

__global__ void clocks(long long *out)
{
    long long a = clock64(), w = __clock64();
    __threadfence();
    for (volatile int i = 0; i < 100; i++)
        ;
    out[0] = clock64() - a;
    out[1] = __clock64() - w;
}
PROGRAM(device_clocks)
{
    device_array<long long> a(2);
    clocks<<<1, 1>>>(a.at);
    auto got = a.fetch();
    return got[0] > 0 && got[1] > 0;
}

template <typename T, int N> __global__ void fill(T *out, T value)
{
    out[threadIdx.x] = value * N;
}
PROGRAM(templates)
{
    device_array<double> a(10);
    device_array<short> b(10);
    fill<double, 3><<<1, 10>>>(a.at, 0.5);
    fill<short, -2><<<1, 10>>>(b.at, (short)7);
    return a.fetch() == std::vector<double>(10, 1.5) && b.fetch() == std::vector<short>(10, -14);
}

__global__ void three(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z, w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    out[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}
PROGRAM(three_dimensions)
{
    device_array<int> a(12 * 10 * 6);
    three<<<dim3(3, 2, 2), dim3(4, 5, 3)>>>(a.at);
    auto got = a.fetch();
    for (int i = 0; i < 720; i++)
        MUST(got[i] == i % 12 + 100 * (i / 12 % 10) + 10000 * (i / 120));
    return true;
}

PROGRAM_MAIN
