// SPDX-License-Identifier: MIT
// rocPRIM: scan, sort, reduction, selection and histogram at several sizes, compared with the standard library.
#include "client_check.h"

#include <algorithm>
#include <cstdint>
#include <hip/hip_runtime.h>
#include <numeric>
#include <vector>

#include <rocprim/rocprim.hpp>

#define GOOD(call) ((call) == hipSuccess)

static uint32_t *in, *out, *counted;

/* Runs CALL twice: for the size of its temporary memory, then for the result. */
template <typename F> static bool with_memory(F call)
{
    size_t bytes = 0;
    void *memory = nullptr;
    bool good = GOOD(call(nullptr, bytes)) && GOOD(hipMalloc(&memory, bytes ? bytes : 1)) &&
                GOOD(call(memory, bytes)) && GOOD(hipDeviceSynchronize());
    (void)hipFree(memory);
    return good;
}

static std::vector<uint32_t> fetch(size_t n)
{
    std::vector<uint32_t> v(n);
    (void)hipMemcpy(v.data(), out, n * 4, hipMemcpyDeviceToHost);
    return v;
}

static void primitives(size_t n)
{
    char text[64];
    std::vector<uint32_t> v(n), want(n);
    uint32_t state = 1;
    for (uint32_t &x : v)
        x = state = state * 1664525 + 1013904223;
    (void)hipMemcpy(in, v.data(), n * 4, hipMemcpyHostToDevice);
    auto named = [&](const char *what) {
        std::snprintf(text, sizeof text, "%s of %zu", what, n);
        return text;
    };
    bool good = with_memory([&](void *m, size_t &b) {
        return rocprim::reduce(m, b, in, out, 0u, n, rocprim::plus<uint32_t>());
    });
    check(good && fetch(1)[0] == std::accumulate(v.begin(), v.end(), 0u), named("sum"));
    good = with_memory([&](void *m, size_t &b) {
        return rocprim::inclusive_scan(m, b, in, out, n, rocprim::plus<uint32_t>());
    });
    std::partial_sum(v.begin(), v.end(), want.begin());
    check(good && fetch(n) == want, named("scan"));
    good = with_memory([&](void *m, size_t &b) { return rocprim::radix_sort_keys(m, b, in, out, n); });
    want = v;
    std::sort(want.begin(), want.end());
    check(good && fetch(n) == want, named("sort"));
    good = with_memory([&](void *m, size_t &b) {
        return rocprim::select(m, b, in, out, counted, n, [] __device__(uint32_t x) { return x % 3 == 0; });
    });
    want.clear();
    std::copy_if(v.begin(), v.end(), std::back_inserter(want), [](uint32_t x) { return x % 3 == 0; });
    uint32_t count = 0;
    (void)hipMemcpy(&count, counted, 4, hipMemcpyDeviceToHost);
    check(good && count == want.size() && fetch(count) == want, named("selection"));
}

int main()
{
    enum { MOST = 100000 };
    check(GOOD(hipMalloc(&in, MOST * 4)) && GOOD(hipMalloc(&out, MOST * 4)) && GOOD(hipMalloc(&counted, 4)), "memory");
    for (size_t n : {1, 1000, (int)MOST})
        primitives(n);
    return check_failures != 0;
}
