// SPDX-License-Identifier: MIT
// Kernels that do little with each element of large arrays, as most of HIP's programs have some, for hip_bench.sh. Each
// checks whether its work-item is beyond the end. Output: elements per second, the best of many dispatches, which
// includes starting and awaiting one; lines in the form of bench/bench.h.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <hip/hip_runtime.h>
#include <vector>

enum { SIDE = 1024, COUNT = SIDE * SIDE, GROUP = 256, TILE = 16 };

struct arrays {
    const float *a, *b;
    const int *indices;
    float *out;
};

#define ID (int)(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void add(arrays x, int n)
{
    int i = ID;
    if (i < n)
        x.out[i] = x.a[i] + x.b[i];
}

__global__ void add_tiles(arrays x, int n)
{
    int column = ID, row = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (column < SIDE && row < n / SIDE)
        x.out[row * SIDE + column] = x.a[row * SIDE + column] + x.b[row * SIDE + column];
}

__global__ void reverse(arrays x, int n)
{
    int i = ID;
    if (i < n)
        x.out[n - 1 - i] = x.a[i];
}

__global__ void gather(arrays x, int n)
{
    int i = ID;
    if (i < n)
        x.out[i] = x.a[x.indices[i]];
}

__global__ void above(arrays x, int n)
{
    int i = ID;
    if (i < n && x.a[i] > 0.5f)
        x.out[i] = x.a[i];
}

__global__ void sigmoid(arrays x, int n)
{
    int i = ID;
    if (i < n)
        x.out[i] = 1 / (1 + __expf(-x.a[i]));
}

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "hip_streams: %s\n", what);
    exit(1);
}

struct program {
    const char *name;
    void (*kernel)(arrays x, int n);
    bool tiles;
    std::function<float(const arrays &host, int i)> expected;
};

static const program programs[] = {
    {"sum", add, false, [](const arrays &x, int i) { return x.a[i] + x.b[i]; }},
    {"sum, in tiles", add_tiles, true, [](const arrays &x, int i) { return x.a[i] + x.b[i]; }},
    {"reversed", reverse, false, [](const arrays &x, int i) { return x.a[COUNT - 1 - i]; }},
    {"by indices", gather, false, [](const arrays &x, int i) { return x.a[x.indices[i]]; }},
    {"above a threshold", above, false, [](const arrays &x, int i) { return x.a[i] > 0.5f ? x.a[i] : 0; }},
    {"sigmoid", sigmoid, false, [](const arrays &x, int i) { return 1 / (1 + expf(-x.a[i])); }},
};

// The least seconds that a dispatch takes.
static double measure(const program &p, const arrays &device)
{
    enum { DISPATCHES = 300 };
    dim3 grid = p.tiles ? dim3(SIDE / TILE, SIDE / TILE) : dim3(COUNT / GROUP),
         group = p.tiles ? dim3(TILE, TILE) : dim3(GROUP);
    double best = 1e9;
    for (int i = 0; i < DISPATCHES; i++) {
        auto start = std::chrono::steady_clock::now();
        p.kernel<<<grid, group>>>(device, COUNT);
        require(hipDeviceSynchronize() == hipSuccess, "a dispatch failed");
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = seconds < best ? seconds : best;
    }
    return best;
}

template <typename T> static T *upload(const std::vector<T> &data)
{
    T *memory;
    require(hipMalloc(&memory, data.size() * sizeof(T)) == hipSuccess &&
                hipMemcpy(memory, data.data(), data.size() * sizeof(T), hipMemcpyHostToDevice) == hipSuccess,
            "no memory of the device");
    return memory;
}

int main()
{
    std::vector<float> a(COUNT), b(COUNT), out(COUNT);
    std::vector<int> indices(COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = (float)(i * 2654435761u >> 8) * 0x1p-24f;
        b[i] = (float)(i % 1000);
        indices[i] = (int)(i * 2654435761u >> 12);
    }
    arrays host = {a.data(), b.data(), indices.data(), nullptr};
    arrays device = {upload(a), upload(b), upload(indices), upload(out)};
    for (const program &p : programs) {
        require(hipMemset(device.out, 0, COUNT * sizeof(float)) == hipSuccess, "no memory was set");
        double seconds = measure(p, device);
        require(hipMemcpy(out.data(), device.out, COUNT * sizeof(float), hipMemcpyDeviceToHost) == hipSuccess,
                "no result was copied");
        for (int i = 0; i < COUNT; i++)
            require(fabsf(out[i] - p.expected(host, i)) <= 1e-6f, p.name);
        printf("HIP: %d elements, %s\t%g\tM/s\t0\t-\n", COUNT, p.name, COUNT / seconds * 1e-6);
    }
}
