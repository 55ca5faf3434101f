// SPDX-License-Identifier: MIT
// What published programs ask of the device beyond sums: votes of groups, clocks, lane operations of AMD, assembly,
// memory that kernels allocate, output of many work-items, large grids, bounds of launches, queries.
#include "small_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>

// ---- groups and lanes ----

__global__ void votes_of_group(const int *in, int *out)
{
    int x = in[place()];
    int count = __syncthreads_count(x > 3), all = __syncthreads_and(x >= 0), any = __syncthreads_or(x == 9);
    out[place()] = count | (all != 0) << 16 | (any != 0) << 17;
}

PROGRAM(votes_of_groups)
{
    enum { GROUPS = 5, EACH = 200 };
    std::vector<int> v =
        numbers<int>(GROUPS * EACH, [](size_t i) { return (int)(i * 7 % (i / EACH + 6)) - (i == 450); });
    device_array<int> in(v), out(v.size());
    votes_of_group<<<GROUPS, EACH>>>(in, out);
    std::vector<int> got = out.fetch();
    for (int g = 0; g < GROUPS; g++) {
        int count = 0, all = 1, any = 0;
        for (int i = g * EACH; i < (g + 1) * EACH; i++) {
            count += v[i] > 3;
            all &= v[i] >= 0;
            any |= v[i] == 9;
        }
        for (int i = g * EACH; i < (g + 1) * EACH; i++)
            MUST(got[i] == (count | all << 16 | any << 17));
    }
    return true;
}

__global__ void lanes_of_amd(const int *in, int *out)
{
    int lane = (int)__lane_id(), x = in[threadIdx.x], *to = out + threadIdx.x * 12;
    to[0] = __builtin_amdgcn_ds_bpermute((63 - lane) * 4, x);
    to[1] = __builtin_amdgcn_ds_permute((lane ^ 5) * 4, x);
    to[2] = __builtin_amdgcn_readfirstlane(x);
    to[3] = __builtin_amdgcn_readlane(x, 17);
    to[4] = __builtin_amdgcn_mov_dpp(x, 0x111, 0xf, 0xf, true);        // from the lane before, in rows of 16
    to[5] = __builtin_amdgcn_update_dpp(-1, x, 0x1b, 0xf, 0xf, false); // four lanes turned round
    to[6] = __builtin_amdgcn_ds_swizzle(x, 0x041f);                    // with the lane that differs by 1
    to[7] = (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    to[8] = (int)__builtin_popcountll(__ballot(x & 1));
    to[9] = (int)__builtin_amdgcn_ubfe((unsigned)x, 2, 3);
    to[10] = (int)__builtin_amdgcn_perm(0x11223344u, (unsigned)x, 0x07000401u);
    to[11] = (int)__builtin_amdgcn_sad_u8((unsigned)x, 0x01020304u, 5u);
}

PROGRAM(lane_operations)
{
    std::vector<int> v = numbers<int>(64, [](size_t i) { return (int)(i * 0x01234567); });
    device_array<int> in(v), out(64 * 12);
    lanes_of_amd<<<1, 64>>>(in, out);
    std::vector<int> got = out.fetch();
    int odd = 0;
    for (int x : v)
        odd += x & 1;
    for (int i = 0; i < 64; i++) {
        const int *to = &got[i * 12];
        unsigned x = (unsigned)v[i], sad = 5;
        for (int b = 0; b < 4; b++)
            sad += (unsigned)abs((int)(x >> 8 * b & 255) - (int)(0x01020304u >> 8 * b & 255));
        MUST(to[0] == v[63 - i] && to[1] == v[i ^ 5] && to[2] == v[0] && to[3] == v[17]);
        MUST(to[4] == (i % 16 ? v[i - 1] : 0) && to[5] == v[i ^ 3] && to[6] == v[i ^ 1]);
        MUST(to[7] == i && to[8] == odd && (unsigned)to[9] == (x >> 2 & 7) && (unsigned)to[11] == sad);
        MUST((unsigned)to[10] == (0x11u << 24 | (x & 255) << 16 | 0x44u << 8 | (x >> 8 & 255)));
    }
    return true;
}

__global__ void assembled(const unsigned *in, unsigned *out, unsigned long long *time)
{
    unsigned x = in[threadIdx.x], y;
    asm volatile("v_alignbit_b32 %0, %1, %1, 8" : "=v"(y) : "v"(x));
    asm volatile("v_bfrev_b32 %0, %1" : "=v"(y) : "v"(y));
    unsigned carry_sum;
    asm volatile("v_add_co_u32 %0, vcc, %1, %2\n\tv_addc_co_u32 %0, vcc, %0, 0, vcc"
                 : "=v"(carry_sum)
                 : "v"(x), "v"(y)
                 : "vcc");
    out[threadIdx.x] = carry_sum;
    asm volatile("s_memtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(*time));
}
PROGRAM(inline_assembly)
{
    std::vector<unsigned> v = numbers<unsigned>(64, [](size_t i) { return (unsigned)i * 0x9e3779b9u; });
    device_array<unsigned> in(v), out(64);
    device_array<unsigned long long> time(1);
    assembled<<<1, 64>>>(in, out, time);
    std::vector<unsigned> got = out.fetch();
    for (int i = 0; i < 64; i++) {
        uint32_t turned = v[i] >> 8 | v[i] << 24, y = 0;
        for (int b = 0; b < 32; b++)
            y |= (turned >> b & 1) << (31 - b);
        uint64_t sum = (uint64_t)v[i] + y;
        MUST(got[i] == (uint32_t)(sum + (sum >> 32)));
    }
    return time.fetch()[0] > 0;
}

__global__ void read_clocks(long long *out)
{
#ifdef __HIP_DEVICE_COMPILE__ // HIP 5.2 declares wall_clock64() for the device only
    long long a = clock64(), w = wall_clock64();
    for (int i = 0; i < 100; i++)
        __builtin_amdgcn_s_sleep(1);
    out[0] = clock64() - a;
    out[1] = wall_clock64() - w;
#endif
}
PROGRAM(clocks)
{
    device_array<long long> out(2);
    read_clocks<<<1, 1>>>(out);
    std::vector<long long> got = out.fetch();
    return got[0] > 0 && got[1] >= 0;
}

template <typename T> __global__ void all_atomics(T *at)
{
    T x = (T)place();
    atomicAdd(&at[0], x);
    atomicSub(&at[1], x);
    atomicMin(&at[2], x);
    atomicMax(&at[3], x);
    atomicAnd(&at[4], ~((T)1 << (x % 13)));
    atomicOr(&at[5], (T)1 << (x % 17));
    atomicXor(&at[6], x);
    atomicExch(&at[7], x);
    T old = at[8], seen;
    do {
        seen = old;
        old = atomicCAS(&at[8], seen, seen * 1 + 3);
    } while (old != seen);
    atomicAdd_system(&at[9], (T)1);
}
template <typename T> static bool atomics_of(T n)
{
    std::vector<T> v(10, 0);
    v[2] = 500;
    v[4] = (T)0xffffff;
    device_array<T> at(v);
    all_atomics<T><<<4, (unsigned)(n / 4)>>>(at);
    std::vector<T> got = at.fetch();
    T ring = 0;
    for (T i = 0; i < n; i++)
        ring ^= i;
    MUST(got[0] == n * (n - 1) / 2 && got[1] == (T)0 - n * (n - 1) / 2 && got[2] == 0 && got[3] == n - 1);
    MUST(got[4] == (T)(0xffffff & ~0x1fff) && got[5] == (1 << 17) - 1 && got[6] == ring && got[7] < n);
    return got[8] == 3 * n && got[9] == n;
}
PROGRAM(atomics_of_all_kinds)
{
    return atomics_of<unsigned>(400) && atomics_of<unsigned long long>(400) && atomics_of<int>(400);
}

__global__ void float_atomics(float *f, double *d, unsigned *inc)
{
    atomicAdd(&f[0], 0.5f);
    unsafeAtomicAdd(&f[1], 2.f);
    atomicAdd(&d[0], 0.25);
    atomicExch(&f[2], (float)place());
    atomicInc(&inc[0], 6);
    atomicDec(&inc[1], 6);
}
PROGRAM(atomics_of_floats)
{
    device_array<float> f(3);
    device_array<double> d(1);
    device_array<unsigned> inc(2);
    float_atomics<<<4, 100>>>(f, d, inc);
    std::vector<float> got = f.fetch();
    return got[0] == 200 && got[1] == 800 && got[2] < 400 && d.fetch()[0] == 100 && inc.fetch()[0] == 400 % 7 &&
           inc.fetch()[1] == (7 - 400 % 7) % 7;
}

// ---- arithmetic ----

__global__ void device_arithmetic(const double *in, double *out)
{
    double x = in[place()];
    float f = (float)x;
    double *to = out + place() * 12;
    to[0] = fma(x, x, -1.0);
    to[1] = exp(x) + log1p(fabs(x));
    to[2] = tgamma(1 + fabs(x) / 4);
    to[3] = __fdividef(f, 3.f);
    to[4] = __sinf(f) + __cosf(f);
    to[5] = hypot(x, 2.0) + cbrt(x);
    to[6] = remainder(x, 0.7) + fmod(x, 0.3);
    to[7] = erf(x) + j0(x);
    to[8] = ldexp(x, 5) + (double)ilogb(x + 10);
    to[9] = (double)__float2half_rn(f);
    to[10] = (double)__umulhi((unsigned)(x * 1e6 + 1e8), 0x12345678u) + __umul24(1234567u, 7u);
    to[11] = sinpi(x) + nextafter(x, 10.0) + rint(x) + trunc(x);
}
PROGRAM(double_and_float_functions)
{
    enum { N = 256 };
    std::vector<double> v = numbers<double>(N, [](size_t i) { return ((double)i - 128) * 0.037 + 0.001; });
    device_array<double> in(v), out(N * 12);
    device_arithmetic<<<4, 64>>>(in, out);
    std::vector<double> got = out.fetch();
    for (int i = 0; i < N; i++) {
        double x = v[i];
        float f = (float)x;
        double want[12] = {
            fma(x, x, -1.0),
            exp(x) + log1p(fabs(x)),
            tgamma(1 + fabs(x) / 4),
            f / 3.f,
            sin(f) + cos(f),
            hypot(x, 2.0) + cbrt(x),
            remainder(x, 0.7) + fmod(x, 0.3),
            erf(x) + j0(x),
            ldexp(x, 5) + ilogb(x + 10),
            x,
            (double)((uint64_t)(unsigned)(x * 1e6 + 1e8) * 0x12345678u >> 32) + 1234567.0 * 7,
            sin(M_PI * x) + nextafter(x, 10.0) + rint(x) + trunc(x)};
        for (int k = 0; k < 12; k++) {
            double bound = k == 9 ? 1e-3 : k == 3 || k == 4 ? 1e-5 : 1e-12;
            if (!(fabs(got[i * 12 + k] - want[k]) <= bound * (1 + fabs(want[k])))) {
                fprintf(stderr, "function %d of %g is %.17g, not %.17g\n", k, x, got[i * 12 + k], want[k]);
                return false;
            }
        }
    }
    return true;
}

// ---- launches ----

__global__ __launch_bounds__(64, 2) void bounded(int *out)
{
    out[place()] = (int)blockDim.x;
}
PROGRAM(bounds_of_launches)
{
    device_array<int> out(128);
    hipFuncAttributes is;
    bounded<<<2, 64>>>(out);
    MUST(out.fetch() == std::vector<int>(128, 64));
    MUST(GOOD(hipFuncGetAttributes(&is, (const void *)bounded)) && is.maxThreadsPerBlock == 64);
    bounded<<<1, 128>>>(out);
    return hipGetLastError() != hipSuccess;
}

__global__ void count_groups(unsigned long long *count)
{
    if (threadIdx.x == 0)
        atomicAdd(count, 1ull + (blockIdx.x == gridDim.x - 1) * 1000000ull +
                             (blockIdx.z == 6 && blockIdx.x == 0) * 10000000ull);
}
PROGRAM(large_grids)
{
    device_array<unsigned long long> count(2);
    count_groups<<<dim3(70000), 1>>>(count);
    count_groups<<<dim3(10, 300, 7), 64>>>(count + 1);
    std::vector<unsigned long long> got = count.fetch();
    return got[0] == 1070000 && got[1] == 21000 + 2100 * 1000000ull + 300 * 10000000ull;
}

__global__ void times_two(int *at)
{
    at[place()] *= 2;
}
PROGRAM(launches_with_events)
{
    device_array<int> a(std::vector<int>(256, 3));
    hipEvent_t start, stop;
    float time = -1;
    MUST(GOOD(hipEventCreate(&start)) && GOOD(hipEventCreate(&stop)));
    hipExtLaunchKernelGGL(times_two, dim3(4), dim3(64), 0, nullptr, start, stop, 0, a.at);
    MUST(GOOD(hipEventSynchronize(stop)) && GOOD(hipEventElapsedTime(&time, start, stop)) && time > 0);
    void *arguments[] = {&a.at};
    MUST(GOOD(hipLaunchKernel((const void *)times_two, dim3(4), dim3(64), arguments, 0, nullptr)));
    MUST(GOOD(
        hipExtLaunchKernel((const void *)times_two, dim3(4), dim3(64), arguments, 0, nullptr, nullptr, nullptr, 0)));
    return a.fetch() == std::vector<int>(256, 24) && GOOD(hipEventDestroy(start)) && GOOD(hipEventDestroy(stop));
}

PROGRAM(elapsed_times)
{
    enum { TIMES = 5 };
    hipEvent_t event[TIMES + 1];
    device_array<int> a(1 << 16);
    for (hipEvent_t &e : event)
        MUST(GOOD(hipEventCreate(&e)));
    for (int i = 0; i <= TIMES; i++) {
        MUST(GOOD(hipEventRecord(event[i], nullptr)));
        times_two<<<(1 << 16) / 256, 256>>>(a);
    }
    MUST(GOOD(hipEventSynchronize(event[TIMES])));
    float sum = 0, whole = 0, part;
    for (int i = 0; i < TIMES; i++) {
        MUST(GOOD(hipEventElapsedTime(&part, event[i], event[i + 1])) && part > 0);
        sum += part;
    }
    MUST(GOOD(hipEventElapsedTime(&whole, event[0], event[TIMES])) && fabs(whole - sum) < 0.01f * whole + 0.01f);
    for (hipEvent_t e : event)
        MUST(GOOD(hipEventDestroy(e)));
    return true;
}

__global__ void wait_then_set(volatile int *go, int *out)
{
    while (!*go)
        ;
    *out = 5;
}
PROGRAM(default_stream_waits_for_others)
{
    hipStream_t blocking, free_one;
    int *go;
    device_array<int> out(2);
    MUST(GOOD(hipHostMalloc((void **)&go, sizeof *go)) && GOOD(hipStreamCreate(&blocking)) &&
         GOOD(hipStreamCreateWithFlags(&free_one, hipStreamNonBlocking)));
    *go = 0;
    wait_then_set<<<1, 1, 0, blocking>>>(go, out);
    bool waits = hipStreamQuery(blocking) == hipErrorNotReady && GOOD(hipStreamQuery(free_one));
    std::thread later([=] {
        usleep(50000);
        *(volatile int *)go = 1;
    });
    int got = 0;
    bool copied = GOOD(hipMemcpy(&got, out, sizeof got, hipMemcpyDeviceToHost));
    later.join();
    return waits && copied && got == 5 && GOOD(hipStreamDestroy(blocking)) && GOOD(hipStreamDestroy(free_one)) && GOOD(hipHostFree(go));
}

PROGRAM(stream_of_each_thread)
{
    enum { THREADS = 4 };
    std::vector<std::thread> threads;
    std::vector<int> good(THREADS);
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&good, t] {
            device_array<int> a(std::vector<int>(256, t + 1));
            for (int i = 0; i < 5; i++)
                times_two<<<4, 64, 0, hipStreamPerThread>>>(a);
            good[t] =
                GOOD(hipStreamSynchronize(hipStreamPerThread)) && a.fetch() == std::vector<int>(256, (t + 1) * 32);
        });
    for (std::thread &t : threads)
        t.join();
    return std::count(good.begin(), good.end(), 1) == THREADS;
}

// ---- memory ----

// HIP 5.2 has the heap in its device library, but no malloc() that leads to it.
extern "C" __device__ void *__ockl_dm_alloc(unsigned long);
extern "C" __device__ void __ockl_dm_dealloc(void *);

__global__ void allocate_in_kernel(int **blocks, int n)
{
    blocks[place()] = nullptr;
    int *p = (int *)__ockl_dm_alloc(n * sizeof(int));
    if (p)
        for (int i = 0; i < n; i++)
            p[i] = place() + i;
    blocks[place()] = p;
}
__global__ void sum_and_free(int **blocks, long long *sums, int n)
{
    int *p = blocks[place()];
    long long sum = p ? 0 : -1;
    for (int i = 0; p && i < n; i++)
        sum += p[i];
    sums[place()] = sum;
    if (p)
        __ockl_dm_dealloc(p);
}
PROGRAM(memory_allocated_by_kernels)
{
    enum { ITEMS = 128, N = 20 };
    device_array<int *> blocks(ITEMS);
    device_array<long long> sums(ITEMS);
    allocate_in_kernel<<<2, ITEMS / 2>>>(blocks, N);
    std::vector<int *> at = blocks.fetch();
    sum_and_free<<<2, ITEMS / 2>>>(blocks, sums, N);
    std::vector<long long> got = sums.fetch();
    MUST(std::set<int *>(at.begin(), at.end()).size() == ITEMS);
    for (int i = 0; i < ITEMS; i++)
        MUST(got[i] == (long long)i * N + N * (N - 1) / 2);
    return true;
}

PROGRAM(half_of_free_memory)
{
    size_t free_bytes = 0, total = 0;
    MUST(GOOD(hipMemGetInfo(&free_bytes, &total)) && free_bytes <= total);
    size_t count = free_bytes / 2 / sizeof(int);
    int *at, seen[2] = {0, 0};
    MUST(GOOD(hipMalloc((void **)&at, count * sizeof(int))));
    MUST(GOOD(hipMemset(at, 0, 1 << 20)) && GOOD(hipMemset(at + count - 256, 1, 1024)));
    MUST(GOOD(hipMemcpy(seen, at + count - 2, 8, hipMemcpyDeviceToHost)) && seen[0] == 0x01010101);
    return GOOD(hipFree(at));
}

PROGRAM(pools_of_memory)
{
    int supported = 0;
    (void)hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0);
    if (!supported)
        return skip_program("HIP says that the kernel driver has no memory pools");
    hipMemPoolProps properties = {};
    hipMemPool_t pool;
    hipStream_t stream;
    int *p = nullptr;
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    MUST(GOOD(hipMemPoolCreate(&pool, &properties)) && GOOD(hipStreamCreate(&stream)));
    MUST(GOOD(hipMallocFromPoolAsync((void **)&p, 1024, pool, stream)) && GOOD(hipMemsetAsync(p, 0, 1024, stream)));
    return GOOD(hipFreeAsync(p, stream)) && GOOD(hipStreamSynchronize(stream)) && GOOD(hipMemPoolDestroy(pool));
}

PROGRAM(copies_to_arrays)
{
    enum { WIDTH = 20, HEIGHT = 9 };
    std::vector<int> v = numbers<int>(WIDTH * HEIGHT, [](size_t i) { return (int)i * 3; }), out(v.size());
    hipArray *array;
    hipChannelFormatDesc is = hipCreateChannelDesc<int>();
    MUST(GOOD(hipMallocArray(&array, &is, WIDTH, HEIGHT, hipArrayDefault)));
    MUST(GOOD(hipMemcpy2DToArray(array, 0, 0, v.data(), WIDTH * 4, WIDTH * 4, HEIGHT, hipMemcpyHostToDevice)));
    MUST(GOOD(hipMemcpy2DFromArray(out.data(), WIDTH * 4, array, 0, 0, WIDTH * 4, HEIGHT, hipMemcpyDeviceToHost)));
    return out == v && GOOD(hipFreeArray(array));
}

// ---- output and ends ----

__global__ void print_much(int n)
{
    for (int i = 0; i < n; i++)
        printf("item %d round %d of %s\n", place(), i, "many");
}
// Runs the program NAME with the argument "inside" in another process. Returns its status; *LINES is the number of lines
// with TEXT that it printed.
static int run_inside(const char *name, const char *text, int *lines)
{
    char command[4096], line[256];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 100);
    if (length < 0)
        return -1;
    snprintf(command + length, 100, " %s inside 2>&1", name);
    FILE *f = popen(command, "r");
    *lines = 0;
    while (f && fgets(line, sizeof line, f))
        *lines += strstr(line, text) != nullptr;
    return f ? pclose(f) : -1;
}
PROGRAM(much_output)
{
    if (*program_arguments) {
        print_much<<<8, 64>>>(6);
        return GOOD(hipDeviceSynchronize());
    }
    int lines, status = run_inside("much_output", "of many", &lines);
    return status == 0 && lines == 8 * 64 * 6;
}

__global__ void assert_small(int limit)
{
    assert(place() < limit);
}
PROGRAM(assertions)
{
    if (*program_arguments) {
        assert_small<<<1, 64>>>(64);
        if (!GOOD(hipDeviceSynchronize()))
            return true;
        assert_small<<<1, 64>>>(63);
        return GOOD(hipDeviceSynchronize());
    }
    int lines, status = run_inside("assertions", "assertion `place() < limit' failed", &lines);
    return status != 0 && lines == 1;
}

PROGRAM(attributes_of_devices)
{
    hipDeviceProp_t is;
    int value = -1, two = -1;
    MUST(GOOD(hipGetDeviceProperties(&is, 0)) && is.totalGlobalMem > 0 && is.clockRate > 0 && is.major == 9);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxThreadsPerBlock, 0)) &&
         value == is.maxThreadsPerBlock);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSharedMemoryPerBlock, 0)) && value == 65536);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0)) &&
         value == is.multiProcessorCount);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxGridDimX, 0)) && value == is.maxGridSize[0]);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeClockRate, 0)) && value == is.clockRate);
    MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeComputeCapabilityMajor, 0)) && value == 9);
    for (int a = 0; a < (int)hipDeviceAttributeCudaCompatibleEnd; a++)
        (void)hipDeviceGetAttribute(&two, (hipDeviceAttribute_t)a, 0);
    (void)hipGetLastError();
    return GOOD(hipDeviceReset()) && GOOD(hipDeviceSynchronize());
}

PROGRAM_MAIN
