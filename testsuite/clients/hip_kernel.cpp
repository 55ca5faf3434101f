// SPDX-License-Identifier: MIT
// HIP: kernels of every kind, streams, events, graphs, modules made at run time. The host computes the expected values.
#include "client_check.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <string>
#include <vector>

#include <hip/hip_cooperative_groups.h> // after hip_runtime.h

#define GOOD(call) ((call) == hipSuccess)

enum { N = 4096, BLOCK = 256 };

static int *device;
static std::vector<int> host(N);

static bool fetch()
{
    return GOOD(hipGetLastError()) && GOOD(hipMemcpy(host.data(), device, N * 4, hipMemcpyDeviceToHost));
}

static void fill(int first, int step)
{
    for (int i = 0; i < N; i++)
        host[i] = first + i * step;
    (void)hipMemcpy(device, host.data(), N * 4, hipMemcpyHostToDevice);
}

__global__ void block_sums(int *data)
{
    __shared__ int part[BLOCK];
    int i = threadIdx.x;
    part[i] = data[blockIdx.x * BLOCK + i];
    for (int step = BLOCK / 2; step; step /= 2) {
        __syncthreads();
        if (i < step)
            part[i] += part[i + step];
    }
    if (!i)
        data[blockIdx.x * BLOCK] = part[0];
}

__global__ void dynamic_reverse(int *data)
{
    extern __shared__ int own[];
    own[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}

__global__ void atomics(int *data)
{
    atomicAdd(&data[0], 1);
    atomicMax(&data[1], (int)(blockIdx.x * blockDim.x + threadIdx.x));
    atomicXor(&data[2], 1 << threadIdx.x % 31);
    atomicAdd((float *)&data[3], 0.5f);
    atomicAdd((unsigned long long *)&data[4], 1ull << 33);
    int old = data[6], seen;
    do {
        seen = old;
        old = atomicCAS(&data[6], seen, seen + 2);
    } while (old != seen);
}

__global__ void lanes(int *data)
{
    int lane = threadIdx.x % warpSize;
    data[threadIdx.x] = __shfl_xor(lane * 3, 5) + __popcll(__ballot(lane % 3 == 0)) * 1000;
    data[threadIdx.x + 1024] = __any(lane == 17) + 2 * __all(lane < 64) + 4 * (__lane_id() == lane);
}

__global__ void shapes3(int *data)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    data[(z * 16 + y) * 32 + x] = x + 100 * y + 10000 * z;
}

__global__ void doubles(double *data)
{
    int i = threadIdx.x;
    data[i] = sqrt((double)i) + sin((double)i) * exp(-0.01 * i);
}

__device__ int add_one(int x) { return x + 1; }
__device__ int triple(int x) { return x * 3; }
typedef int (*function)(int);
__device__ function functions[2] = {add_one, triple};

__global__ void indirect(int *data)
{
    data[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x);
}

__global__ void locals(int *data)
{
    int own[40];
    for (int i = 0; i < 40; i++)
        own[(i * 7 + threadIdx.x) % 40] = i;
    data[threadIdx.x] = own[data[threadIdx.x] % 40];
}

__global__ void grid_sum(int *data)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
    grid.sync();
    data[N / 2 + i] = data[gridDim.x * blockDim.x - 1 - i];
}

__global__ void print_it(int value)
{
    printf("from the device: %d %s\n", value, "text");
}

__global__ void increment(int *data, int by)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

static void basics()
{
    fill(0, 1);
    hipLaunchKernelGGL(block_sums, dim3(N / BLOCK), dim3(BLOCK), 0, 0, device);
    check(fetch() && host[0] == 32640 && host[BLOCK] == 32640 + BLOCK * BLOCK, "group memory and barriers");
    fill(0, 1);
    hipLaunchKernelGGL(dynamic_reverse, dim3(1), dim3(200), 800, 0, device);
    check(fetch() && host[0] == 199 && host[199] == 0 && host[200] == 200, "group memory sized at launch");
    fill(0, 0);
    hipLaunchKernelGGL(atomics, dim3(8), dim3(BLOCK), 0, 0, device);
    float half = 0;
    unsigned long long wide = 0;
    bool good = fetch();
    memcpy(&half, &host[3], 4);
    memcpy(&wide, &host[4], 8);
    check(good && host[0] == 2048 && host[1] == 2047 && half == 1024 && wide == 2048ull << 33 && host[6] == 4096,
          "atomics");
    hipLaunchKernelGGL(lanes, dim3(1), dim3(128), 0, 0, device);
    good = fetch();
    for (int i = 0; i < 128; i++)
        good &= host[i] == (i % 64 ^ 5) * 3 + 22000 && host[1024 + i] == 7;
    check(good, "lanes speak to each other");
    hipLaunchKernelGGL(shapes3, dim3(4, 4, 3), dim3(8, 4), 0, 0, device);
    check(fetch() && host[0] == 0 && host[(2 * 16 + 15) * 32 + 31] == 31 + 1500 + 20000, "three dimensions");
    hipLaunchKernelGGL(doubles, dim3(1), dim3(BLOCK), 0, 0, (double *)device);
    good = fetch();
    for (int i = 0; i < BLOCK; i++) {
        double got, want = sqrt((double)i) + sin((double)i) * exp(-0.01 * i);
        memcpy(&got, &host[2 * i], 8);
        good &= fabs(got - want) < 1e-12;
    }
    check(good, "functions of doubles");
    hipLaunchKernelGGL(indirect, dim3(1), dim3(64), 0, 0, device);
    check(fetch() && host[10] == 11 && host[11] == 33, "calls by pointer");
    fill(0, 1);
    hipLaunchKernelGGL(locals, dim3(1), dim3(64), 0, 0, device);
    good = fetch();
    for (int t = 0; t < 40; t++) {
        int own[40];
        for (int i = 0; i < 40; i++)
            own[(i * 7 + t) % 40] = i;
        good &= host[t] == own[t];
    }
    check(good, "private arrays");
    hipLaunchKernelGGL(print_it, dim3(1), dim3(1), 0, 0, 42);
    check(GOOD(hipDeviceSynchronize()), "printf");
}

static void cooperation()
{
    int may = 0;
    (void)hipDeviceGetAttribute(&may, hipDeviceAttributeCooperativeLaunch, 0);
    if (!may) {
        std::printf("SKIP groups of the whole grid: the device has no cooperative launch\n");
        return;
    }
    void *arguments[] = {&device};
    check(GOOD(hipLaunchCooperativeKernel((void *)grid_sum, dim3(8), dim3(64), arguments, 0, 0)) && fetch() &&
              host[N / 2] == 511 && host[N / 2 + 511] == 0,
          "groups of the whole grid");
}

static void streams()
{
    hipStream_t a, b;
    hipEvent_t first, second;
    float time = -1;
    fill(0, 0);
    check(GOOD(hipStreamCreate(&a)) && GOOD(hipStreamCreateWithFlags(&b, hipStreamNonBlocking)) &&
              GOOD(hipEventCreate(&first)) && GOOD(hipEventCreate(&second)),
          "streams and events");
    (void)hipEventRecord(first, a);
    for (int i = 0; i < 20; i++)
        hipLaunchKernelGGL(increment, dim3(N / BLOCK), dim3(BLOCK), 0, a, device, 1);
    (void)hipEventRecord(second, a);
    check(GOOD(hipStreamWaitEvent(b, second, 0)), "a stream waits for another");
    hipLaunchKernelGGL(increment, dim3(N / BLOCK), dim3(BLOCK), 0, b, device, 100);
    check(GOOD(hipStreamSynchronize(b)) && fetch() && host[5] == 120, "in order");
    check(GOOD(hipEventSynchronize(second)) && GOOD(hipEventElapsedTime(&time, first, second)) && time >= 0 &&
              time < 60000 && GOOD(hipEventQuery(second)) && GOOD(hipStreamQuery(a)),
          "events have times");
    int called = 0;
    check(GOOD(hipStreamAddCallback(
              a, [](hipStream_t, hipError_t, void *data) { *(int *)data = 7; }, &called, 0)) &&
              GOOD(hipStreamSynchronize(a)) && called == 7,
          "callbacks");
    hipGraph_t graph;
    hipGraphExec_t runnable;
    fill(0, 0);
    check(GOOD(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal)), "a stream is captured");
    hipLaunchKernelGGL(increment, dim3(N / BLOCK), dim3(BLOCK), 0, a, device, 3);
    hipLaunchKernelGGL(increment, dim3(N / BLOCK), dim3(BLOCK), 0, a, device, 4);
    check(GOOD(hipStreamEndCapture(a, &graph)) && GOOD(hipGraphInstantiate(&runnable, graph, nullptr, nullptr, 0)) &&
              GOOD(hipGraphLaunch(runnable, a)) && GOOD(hipGraphLaunch(runnable, a)) &&
              GOOD(hipStreamSynchronize(a)) && fetch() && host[N - 1] == 14,
          "a graph runs twice");
    check(GOOD(hipGraphExecDestroy(runnable)) && GOOD(hipGraphDestroy(graph)) && GOOD(hipEventDestroy(first)) &&
              GOOD(hipEventDestroy(second)) && GOOD(hipStreamDestroy(a)) && GOOD(hipStreamDestroy(b)),
          "all end");
}

static void modules()
{
    static const char source[] = "extern \"C\" __device__ int offset = 7;\n"
                                 "extern \"C\" __global__ void move(int *data) { data[threadIdx.x] += offset; }\n";
    hiprtcProgram program;
    hipDeviceProp_t is;
    size_t size = 0, bytes = 0;
    (void)hipGetDeviceProperties(&is, 0);
    std::string option = std::string("--gpu-architecture=") + is.gcnArchName;
    const char *options[] = {option.c_str()};
    check(hiprtcCreateProgram(&program, source, "move.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS &&
              hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS &&
              hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS && size,
          "a program is compiled at run time");
    std::vector<char> code(size);
    hipModule_t module;
    hipFunction_t function;
    hipDeviceptr_t offset;
    check(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS && GOOD(hipModuleLoadData(&module, code.data())) &&
              GOOD(hipModuleGetFunction(&function, module, "move")) &&
              GOOD(hipModuleGetGlobal(&offset, &bytes, module, "offset")) && bytes == 4,
          "loaded, with its function and variable");
    check(hipModuleGetFunction(&function, module, "other") == hipErrorNotFound &&
              GOOD(hipModuleGetFunction(&function, module, "move")),
          "others are not there");
    fill(1, 1);
    int value = 1000;
    void *arguments[] = {&device};
    check(GOOD(hipMemcpyHtoD(offset, &value, 4)) &&
              GOOD(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, arguments, nullptr)) && fetch() &&
              host[63] == 1064 && host[64] == 65,
          "and run");
    check(GOOD(hipModuleUnload(module)) && hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS, "unloaded");
    code.assign(100, 'x');
    check(!GOOD(hipModuleLoadData(&module, code.data())), "what is no module is refused");
}

int main()
{
    int blocks = 0;
    check(GOOD(hipMalloc(&device, N * 4)), "malloc");
    check(GOOD(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, block_sums, BLOCK, 0)) && blocks > 0,
          "occupancy");
    basics();
    streams();
    modules();
    cooperation();
    check(GOOD(hipFree(device)), "free");
    return check_failures != 0;
}
