// SPDX-License-Identifier: MIT
// Speed of HIP's calls on the software GPU, for hip_bench.sh: the time to the first kernel, launches, and copies and
// fills of 64 MB beside memcpy() and memset() of the same. Input: a word for the names of the figures; with another one it
// only runs a kernel, for hip_start.c to measure. Output: lines in the form of bench/bench.h.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename F> static double best_of(int times, F run)
{
    double best = 1e9;
    for (int i = 0; i < times; i++) {
        double start = now();
        run();
        best = std::min(best, now() - start);
    }
    return best;
}

__global__ void nothing()
{
}

static const char *profile;

static void figure(const char *name, double value, const char *unit, double wanted, const char *sense)
{
    printf("HIP, %s: %s\t%g\t%s\t%g\t%s\n", profile, name, value, unit, wanted, sense);
    fflush(stdout);
}

static void first_kernel()
{
    nothing<<<1, 64>>>();
    (void)hipDeviceSynchronize();
}

static void launches()
{
    double start = now();
    first_kernel();
    printf("HIP, %s: time to the first kernel's end\t%g\tms\t0\t-\n", profile, (now() - start) * 1e3);
    figure("launch and wait",
           1e4 * best_of(30,
                         [] {
                             for (int i = 0; i < 100; i++) {
                                 nothing<<<1, 64>>>();
                                 (void)hipDeviceSynchronize();
                             }
                         }),
           "us", 10, "at-most");
    figure("launch, 1,000 in a row",
           1e3 * best_of(20,
                         [] {
                             for (int i = 0; i < 1000; i++)
                                 nothing<<<1, 64>>>();
                             (void)hipDeviceSynchronize();
                         }),
           "us", 4, "at-most");
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 7 };
    const size_t size = 64 << 20;
    profile = argc > 1 ? argv[1] : "default";
    if (argc > 2) {
        first_kernel();
        return 0;
    }
    launches();
    char *a = (char *)malloc(size), *b = (char *)malloc(size), *pinned, *one, *two;
    if (!a || !b || hipHostMalloc((void **)&pinned, size) || hipMalloc((void **)&one, size) ||
        hipMalloc((void **)&two, size))
        return 1;
    memset(a, 1, size);
    memset(b, 2, size);
    memset(pinned, 3, size);
    (void)hipMemset(one, 4, size);
    (void)hipMemset(two, 5, size);
    struct {
        const char *name;
        void *to, *from;
        double time;
    } copies[] = {{"copy to the device", one, a, 1e9},
                  {"copy from the device", b, one, 1e9},
                  {"copy to the device, pinned", one, pinned, 1e9},
                  {"copy from the device, pinned", pinned, one, 1e9},
                  {"copy within the device", two, one, 1e9}};
    double plain = 1e9, plain_fill = 1e9, fill = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        plain = std::min(plain, best_of(1, [&] { memcpy(b, a, size); }));
        plain_fill = std::min(plain_fill, best_of(1, [&] { memset(b, round, size); }));
        if (b[size / 2] != round) // so that the fill is not left out
            return 1;
        for (auto &c : copies)
            c.time = std::min(c.time, best_of(1, [&] {
                                  (void)hipMemcpy(c.to, c.from, size, hipMemcpyDefault);
                                  (void)hipDeviceSynchronize();
                              }));
        fill = std::min(fill, best_of(1, [&] {
                            (void)hipMemset(one, round, size);
                            (void)hipDeviceSynchronize();
                        }));
    }
    for (auto &c : copies)
        figure(c.name, plain / c.time, "of memcpy", 0.9, "at-least");
    figure("fill", plain_fill / fill, "of memset", 0.8, "at-least");
    return 0;
}
