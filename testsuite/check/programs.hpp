// SPDX-License-Identifier: MIT
// What the programs for the checkers share: the list of cases, and shorthands.
#ifndef TESTSUITE_CHECK_PROGRAMS_HPP
#define TESTSUITE_CHECK_PROGRAMS_HPP

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
// A case, and the next one of the list.
struct test {
    const char *name;
    void (*fn)();
    test *next;
};
inline test *tests;
#define CASE(n)                                                       \
    static void n();                                                  \
    static test t_##n = {#n, n, nullptr};                             \
    static int r_##n = (t_##n.next = tests, tests = &t_##n, 0);       \
    static void n()
#define SYNC OK(hipDeviceSynchronize())

// Adds N numbers of P, the last one first, to those at O.
static K k_add(const int *p, int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] += p[n - 1 - i];
}

#endif
