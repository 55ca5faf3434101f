// SPDX-License-Identifier: MIT
// Programs as people publish them, on arrays and matrices: each computes on the GPU, and again on the host by the
// plainest way that gives the same.
#include "small_program.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>

static uint32_t seed = 1;

static uint32_t random_word()
{
    return (seed = seed * 1664525 + 1013904223) >> 4;
}

static float random_float()
{
    return (float)(random_word() % 2001) / 1000 - 1;
}

template <typename T> static bool near(const std::vector<T> &a, const std::vector<T> &b, double bound)
{
    MUST(a.size() == b.size());
    for (size_t i = 0; i < a.size(); i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= bound * (1 + fabs((double)b[i])))) {
            fprintf(stderr, "element %zu is %g, not %g\n", i, (double)a[i], (double)b[i]);
            return false;
        }
    return true;
}

// ---- sorting ----

__global__ void bitonic_step(uint32_t *at, int distance, int block)
{
    int i = place(), other = i ^ distance;
    if (other > i) {
        bool up = (i & block) == 0;
        uint32_t a = at[i], b = at[other];
        if ((a > b) == up) {
            at[i] = b;
            at[other] = a;
        }
    }
}

PROGRAM(bitonic_sort)
{
    enum { N = 1 << 13 };
    std::vector<uint32_t> v = numbers<uint32_t>(N, [](size_t) { return random_word(); });
    device_array<uint32_t> d(v);
    for (int block = 2; block <= N; block *= 2)
        for (int distance = block / 2; distance; distance /= 2)
            bitonic_step<<<groups(N), 256>>>(d, distance, block);
    std::sort(v.begin(), v.end());
    return d.fetch() == v;
}

enum { RADIX = 16, SORTERS = 64, EACH = 32 };

__global__ void count_digits(const uint32_t *in, uint32_t *counts, int shift)
{
    int t = place();
    uint32_t own[RADIX] = {0};
    for (int i = 0; i < EACH; i++)
        own[in[t * EACH + i] >> shift & (RADIX - 1)]++;
    for (int d = 0; d < RADIX; d++)
        counts[d * SORTERS + t] = own[d];
}

__global__ void sum_before(uint32_t *counts, int n)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++) {
        uint32_t x = counts[i];
        counts[i] = sum;
        sum += x;
    }
}

__global__ void scatter_digits(const uint32_t *in, uint32_t *out, const uint32_t *counts, int shift)
{
    int t = place();
    uint32_t next[RADIX];
    for (int d = 0; d < RADIX; d++)
        next[d] = counts[d * SORTERS + t];
    for (int i = 0; i < EACH; i++) {
        uint32_t x = in[t * EACH + i];
        out[next[x >> shift & (RADIX - 1)]++] = x;
    }
}

PROGRAM(radix_sort)
{
    enum { N = SORTERS * EACH };
    std::vector<uint32_t> v = numbers<uint32_t>(N, [](size_t) { return random_word() * 16; });
    device_array<uint32_t> a(v), b(N), counts(RADIX * SORTERS);
    uint32_t *from = a, *to = b;
    for (int shift = 0; shift < 32; shift += 4) {
        count_digits<<<1, SORTERS>>>(from, counts, shift);
        sum_before<<<1, 1>>>(counts, RADIX * SORTERS);
        scatter_digits<<<1, SORTERS>>>(from, to, counts, shift);
        std::swap(from, to);
    }
    std::sort(v.begin(), v.end());
    return a.fetch() == v;
}

// ---- matrices ----

__global__ void tiled_product(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[16][16], right[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[y][x] = a[row * n + k + x];
        right[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += left[y][i] * right[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

PROGRAM(tiled_matrix_product)
{
    enum { N = 96 };
    std::vector<float> a = numbers<float>(N * N, [](size_t) { return random_float(); }), b = a, c(N * N);
    std::reverse(b.begin(), b.end());
    device_array<float> da(a), db(b), dc(c);
    tiled_product<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(da, db, dc, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i * N + j] += a[i * N + k] * b[k * N + j];
    return near(dc.fetch(), c, 1e-4);
}

__global__ void transpose(const double *in, double *out, int width, int height)
{
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

PROGRAM(tiled_transposition)
{
    enum { WIDTH = 130, HEIGHT = 75 };
    std::vector<double> v = numbers<double>(WIDTH * HEIGHT, [](size_t i) { return (double)i; }), want(v.size());
    device_array<double> in(v), out(v.size());
    transpose<<<dim3((WIDTH + 31) / 32, (HEIGHT + 31) / 32), dim3(32, 8)>>>(in, out, WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            want[x * HEIGHT + y] = v[y * WIDTH + x];
    return out.fetch() == want;
}

__global__ void lu_column(double *a, int n, int k)
{
    int i = k + 1 + place();
    if (i < n)
        a[i * n + k] /= a[k * n + k];
}

__global__ void lu_rest(double *a, int n, int k)
{
    int i = k + 1 + (int)blockIdx.y, j = k + 1 + place();
    if (j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

PROGRAM(lu_decomposition)
{
    enum { N = 48 };
    std::vector<double> a = numbers<double>(N * N, [](size_t i) { return i % (N + 1) ? random_float() : 20.0; });
    device_array<double> d(a);
    for (int k = 0; k < N - 1; k++) {
        lu_column<<<1, 64>>>(d, N, k);
        lu_rest<<<dim3(1, N - 1 - k), 64>>>(d, N, k);
    }
    std::vector<double> lu = d.fetch(), product(N * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k <= std::min(i, j); k++)
                product[i * N + j] += (k == i ? 1 : lu[i * N + k]) * lu[k * N + j];
    return near(product, a, 1e-10);
}

__global__ void cholesky_group(double *a, int n)
{
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (i == k)
            a[k * n + k] = sqrt(a[k * n + k]);
        __syncthreads();
        if (i > k && i < n)
            a[i * n + k] /= a[k * n + k];
        __syncthreads();
        for (int j = k + 1; j <= i && i < n; j++)
            a[i * n + j] -= a[i * n + k] * a[j * n + k];
        __syncthreads();
    }
}

PROGRAM(cholesky_decomposition)
{
    enum { N = 60 };
    std::vector<double> a(N * N), product(N * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i == j ? N : 1.0 / (1 + abs(i - j));
    device_array<double> d(a);
    cholesky_group<<<1, 64>>>(d, N);
    std::vector<double> l = d.fetch();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k <= std::min(i, j); k++)
                product[i * N + j] += l[i * N + k] * l[j * N + k];
    return near(product, a, 1e-10);
}

// ---- sums ----

__global__ void sum_interleaved(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    int t = threadIdx.x;
    sums[t] = place() < n ? in[place()] : 0;
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        __syncthreads();
        if (t % (2 * step) == 0)
            sums[t] += sums[t + step];
    }
    if (t == 0)
        atomicAdd(out, sums[0]);
}

__global__ void sum_halves(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    int t = threadIdx.x, own = 0;
    for (int i = place(); i < n; i += (int)(gridDim.x * blockDim.x))
        own += in[i];
    sums[t] = own;
    for (unsigned step = blockDim.x / 2; step; step /= 2) {
        __syncthreads();
        if (t < (int)step)
            sums[t] += sums[t + step];
    }
    if (t == 0)
        atomicAdd(out, sums[0]);
}

__global__ void sum_lanes(const int *in, int *out, int n)
{
    int own = 0;
    for (int i = place(); i < n; i += (int)(gridDim.x * blockDim.x))
        own += in[i];
    for (int step = warpSize / 2; step; step /= 2)
        own += __shfl_down(own, step);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(out, own);
}

__device__ unsigned groups_done;

__global__ void sum_last_group(const int *in, int *parts, int *out, int n)
{
    __shared__ bool last;
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (place() < n)
        atomicAdd(&sum, in[place()]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&groups_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned g = 0; g < gridDim.x; g++)
            *out += ((volatile int *)parts)[g];
}

PROGRAM(four_reductions)
{
    enum { N = 10007 };
    std::vector<int> v = numbers<int>(N, [](size_t) { return (int)(random_word() % 1000) - 400; });
    int want = std::accumulate(v.begin(), v.end(), 0);
    device_array<int> in(v), out(4), parts(64);
    sum_interleaved<<<groups(N), 256, 1024>>>(in, out, N);
    sum_halves<<<8, 256, 1024>>>(in, out + 1, N);
    sum_lanes<<<8, 256>>>(in, out + 2, N);
    sum_last_group<<<groups(N), 256>>>(in, parts, out + 3, N);
    return out.fetch() == std::vector<int>(4, want);
}

__global__ void scan_group(const uint32_t *in, uint32_t *out, uint32_t *totals)
{
    __shared__ uint32_t sums[512];
    int t = threadIdx.x, base = blockIdx.x * 512, step = 1;
    sums[2 * t] = in[base + 2 * t];
    sums[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 256; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d)
            sums[step * (2 * t + 2) - 1] += sums[step * (2 * t + 1) - 1];
    }
    if (t == 0) {
        totals[blockIdx.x] = sums[511];
        sums[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            uint32_t x = sums[step * (2 * t + 1) - 1];
            sums[step * (2 * t + 1) - 1] = sums[step * (2 * t + 2) - 1];
            sums[step * (2 * t + 2) - 1] += x;
        }
    }
    __syncthreads();
    out[base + 2 * t] = sums[2 * t];
    out[base + 2 * t + 1] = sums[2 * t + 1];
}

__global__ void add_totals(uint32_t *out, const uint32_t *totals)
{
    uint32_t sum = 0;
    for (unsigned g = 0; g < blockIdx.x; g++)
        sum += totals[g];
    out[blockIdx.x * 512 + threadIdx.x] += sum;
}

PROGRAM(work_efficient_scan)
{
    enum { N = 512 * 12 };
    std::vector<uint32_t> v = numbers<uint32_t>(N, [](size_t) { return random_word(); }), want(N);
    device_array<uint32_t> in(v), out(N), totals(12);
    scan_group<<<12, 256>>>(in, out, totals);
    add_totals<<<12, 512>>>(out, totals);
    for (int i = 1; i < N; i++)
        want[i] = want[i - 1] + v[i - 1];
    return out.fetch() == want;
}

// ---- signals and grids ----

__constant__ float filter[2 * 4 + 1];

__global__ void convolve(const float *in, float *out, int width, int height, bool across)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int k = -4; k <= 4; k++) {
        int u = across ? min(max(x + k, 0), width - 1) : x, v = across ? y : min(max(y + k, 0), height - 1);
        sum += filter[k + 4] * in[v * width + u];
    }
    out[y * width + x] = sum;
}

PROGRAM(separable_convolution)
{
    enum { WIDTH = 100, HEIGHT = 60 };
    float weights[9];
    for (int i = 0; i < 9; i++)
        weights[i] = 1.0f / (1 + (i - 4) * (i - 4));
    MUST(GOOD(hipMemcpyToSymbol(HIP_SYMBOL(filter), weights, sizeof weights)));
    std::vector<float> v = numbers<float>(WIDTH * HEIGHT, [](size_t) { return random_float(); }), want(v.size());
    device_array<float> in(v), between(v.size()), out(v.size());
    dim3 grid((WIDTH + 15) / 16, (HEIGHT + 15) / 16), group(16, 16);
    convolve<<<grid, group>>>(in, between, WIDTH, HEIGHT, true);
    convolve<<<grid, group>>>(between, out, WIDTH, HEIGHT, false);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int j = -4; j <= 4; j++)
                for (int i = -4; i <= 4; i++)
                    want[y * WIDTH + x] +=
                        weights[j + 4] * weights[i + 4] *
                        v[std::min(std::max(y + j, 0), HEIGHT - 1) * WIDTH + std::min(std::max(x + i, 0), WIDTH - 1)];
    return near(out.fetch(), want, 1e-4);
}

__global__ void fft_group(float2 *data, int n, int bits)
{
    extern __shared__ float2 x[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[__brev((unsigned)i) >> (32 - bits)] = data[blockIdx.x * n + i];
    for (int half = 1; half < n; half *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            int k = i & (half - 1), low = 2 * (i - k) + k;
            float s, c;
            sincospif(-(float)k / half, &s, &c);
            float2 a = x[low], b = x[low + half];
            float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
            x[low] = make_float2(a.x + t.x, a.y + t.y);
            x[low + half] = make_float2(a.x - t.x, a.y - t.y);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[blockIdx.x * n + i] = x[i];
}

PROGRAM(fast_fourier_transform)
{
    enum { N = 256, SIGNALS = 3 };
    std::vector<float2> v =
        numbers<float2>(N * SIGNALS, [](size_t) { return make_float2(random_float(), random_float()); });
    device_array<float2> d(v);
    fft_group<<<SIGNALS, 64, N * sizeof(float2)>>>(d, N, 8);
    std::vector<float2> got = d.fetch();
    for (int s = 0; s < SIGNALS; s++)
        for (int k = 0; k < N; k++) {
            std::complex<double> sum = 0;
            for (int i = 0; i < N; i++)
                sum += std::complex<double>(v[s * N + i].x, v[s * N + i].y) * std::polar(1.0, -2 * M_PI * i * k / N);
            MUST(abs(sum - std::complex<double>(got[s * N + k].x, got[s * N + k].y)) < 1e-3);
        }
    return true;
}

__global__ void heat_step(const double *in, double *out, int n, double *change)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    double next = 0.25 * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
    out[y * n + x] = next;
    atomicAdd(change, fabs(next - in[y * n + x]));
}

PROGRAM(jacobi_heat)
{
    enum { N = 34, STEPS = 30 };
    std::vector<double> v(N * N), next;
    for (int i = 0; i < N; i++)
        v[i] = 100;
    next = v;
    device_array<double> a(v), b(v), change(STEPS);
    for (int s = 0; s < STEPS; s++)
        heat_step<<<dim3(3, 3), dim3(16, 16)>>>(s % 2 ? b : a, s % 2 ? a : b, N, change + s);
    std::vector<double> changes(STEPS);
    for (int s = 0; s < STEPS; s++) {
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++) {
                next[y * N + x] =
                    0.25 * (v[y * N + x - 1] + v[y * N + x + 1] + v[(y - 1) * N + x] + v[(y + 1) * N + x]);
                changes[s] += fabs(next[y * N + x] - v[y * N + x]);
            }
        v = next;
    }
    return near(a.fetch(), v, 1e-12) && near(change.fetch(), changes, 1e-9);
}

__global__ void generation(const unsigned char *in, unsigned char *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j)
                sum += in[(y + j + n) % n * n + (x + i + n) % n];
    out[y * n + x] = sum == 3 || (sum == 2 && in[y * n + x]);
}

PROGRAM(game_of_life)
{
    enum { N = 64, GENERATIONS = 12 };
    std::vector<unsigned char> v = numbers<unsigned char>(N * N, [](size_t) { return random_word() % 3 == 0; }),
                               next(N * N);
    device_array<unsigned char> a(v), b(N * N);
    for (int g = 0; g < GENERATIONS; g++)
        generation<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(g % 2 ? b : a, g % 2 ? a : b, N);
    for (int g = 0; g < GENERATIONS; g++, v = next)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                int sum = -v[y * N + x];
                for (int k = 0; k < 9; k++)
                    sum += v[(y + k / 3 - 1 + N) % N * N + (x + k % 3 - 1 + N) % N];
                next[y * N + x] = sum == 3 || (sum == 2 && v[y * N + x]);
            }
    return a.fetch() == v;
}

__global__ void mandelbrot(int *out, int width, double left, double top, double step, int most)
{
    int i = place(), k = 0;
    double cx = left + step * (i % width), cy = top + step * (i / width), x = 0, y = 0;
    while (k < most && x * x + y * y <= 4) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
    }
    out[i] = k;
}

PROGRAM(mandelbrot_set)
{
    enum { WIDTH = 64, MOST = 80 };
    device_array<int> out(WIDTH * WIDTH);
    mandelbrot<<<groups(WIDTH * WIDTH), 256>>>(out, WIDTH, -2, -1.25, 2.5 / WIDTH, MOST);
    std::vector<int> got = out.fetch();
    int differ = 0, inside = 0;
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        std::complex<double> c(-2 + 2.5 / WIDTH * (i % WIDTH), -1.25 + 2.5 / WIDTH * (i / WIDTH)), z = 0;
        int k = 0;
        for (; k < MOST && norm(z) <= 4; k++)
            z = z * z + c;
        differ += k != got[i];
        inside += k == MOST;
    }
    // Points on the edge may leave earlier or later, as products are rounded once or twice.
    return differ < WIDTH * WIDTH / 500 && inside > 500;
}

// ---- particles ----

__global__ void accelerate(const float4 *at, float4 *force, int n)
{
    extern __shared__ float4 tile[];
    float4 own = at[place()];
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += (int)blockDim.x) {
        tile[threadIdx.x] = at[base + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < blockDim.x; j++) {
            float x = tile[j].x - own.x, y = tile[j].y - own.y, z = tile[j].z - own.z;
            float inverse = rsqrtf(x * x + y * y + z * z + 0.01f), pull = tile[j].w * inverse * inverse * inverse;
            sum.x += x * pull;
            sum.y += y * pull;
            sum.z += z * pull;
        }
        __syncthreads();
    }
    force[place()] = make_float4(sum.x, sum.y, sum.z, 0);
}

PROGRAM(n_bodies)
{
    enum { N = 512 };
    std::vector<float4> v = numbers<float4>(N, [](size_t) {
        return make_float4(random_float(), random_float(), random_float(), 1 + random_float() / 2);
    });
    device_array<float4> at(v), force(N);
    accelerate<<<N / 64, 64, 64 * sizeof(float4)>>>(at, force, N);
    std::vector<float4> got = force.fetch();
    for (int i = 0; i < N; i += 7) {
        double sum[3] = {0, 0, 0};
        for (int j = 0; j < N; j++) {
            double x = v[j].x - v[i].x, y = v[j].y - v[i].y, z = v[j].z - v[i].z;
            double pull = v[j].w / pow(x * x + y * y + z * z + 0.01, 1.5);
            sum[0] += x * pull;
            sum[1] += y * pull;
            sum[2] += z * pull;
        }
        MUST(near<double>({got[i].x, got[i].y, got[i].z}, {sum[0], sum[1], sum[2]}, 1e-2));
    }
    return true;
}

// Particles in boxes, each of which acts on those of its neighbours.
__global__ void boxes_force(const float4 *at, float *energy, int side)
{
    enum { EACH_BOX = 32 };
    __shared__ float4 others[EACH_BOX];
    int x = blockIdx.x, y = blockIdx.y, z = blockIdx.z, own = ((z * side + y) * side + x) * EACH_BOX + (int)threadIdx.x;
    float4 p = at[own];
    float sum = 0;
    for (int k = 0; k < 27; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 % 3 - 1, w = z + k / 9 - 1;
        if (u < 0 || v < 0 || w < 0 || u >= side || v >= side || w >= side)
            continue;
        __syncthreads();
        others[threadIdx.x] = at[((w * side + v) * side + u) * EACH_BOX + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < EACH_BOX; j++) {
            float a = p.x - others[j].x, b = p.y - others[j].y, c = p.z - others[j].z;
            sum += others[j].w * __expf(-(a * a + b * b + c * c));
        }
    }
    energy[own] = sum;
}

PROGRAM(particles_in_boxes)
{
    enum { SIDE = 3, EACH_BOX = 32, N = SIDE * SIDE * SIDE * EACH_BOX };
    std::vector<float4> v = numbers<float4>(N, [](size_t i) {
        int box = (int)i / EACH_BOX;
        return make_float4(box % SIDE + random_float() / 2, box / SIDE % SIDE + random_float() / 2,
                           box / SIDE / SIDE + random_float() / 2, random_float());
    });
    device_array<float4> at(v);
    device_array<float> energy(N);
    boxes_force<<<dim3(SIDE, SIDE, SIDE), EACH_BOX>>>(at, energy, SIDE);
    std::vector<float> want(N);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++) {
            int a = i / EACH_BOX, b = j / EACH_BOX;
            if (abs(a % 3 - b % 3) > 1 || abs(a / 3 % 3 - b / 3 % 3) > 1 || abs(a / 9 - b / 9) > 1)
                continue;
            double x = v[i].x - v[j].x, y = v[i].y - v[j].y, z = v[i].z - v[j].z;
            sum += v[j].w * exp(-(x * x + y * y + z * z));
        }
        want[i] = (float)sum;
    }
    return near(energy.fetch(), want, 1e-3);
}

PROGRAM_MAIN
