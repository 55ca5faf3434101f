// SPDX-License-Identifier: MIT
// Small HIP programs that share a file: each is a function that uses one feature and returns whether its results are
// right. Without arguments a file lists its programs; otherwise it runs the one that is named, or with "all" each in
// turn, with a line "PASS name", "FAIL name" or "SKIP name: reason".
#ifndef TESTSUITE_CLIENTS_SMALL_PROGRAM_HPP
#define TESTSUITE_CLIENTS_SMALL_PROGRAM_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>
#include <vector>

struct program {
    const char *name;
    bool (*run)();
    program *next;
    static program *&all()
    {
        static program *first;
        return first;
    }
    program(const char *name, bool (*run)()) : name(name), run(run), next(all())
    {
        all() = this;
    }
};

// PROGRAM(name) { ... return good; }
#define PROGRAM(name)                                                                                        \
    static bool name##_run();                                                                                \
    static program name##_program(#name, name##_run);                                                        \
    static bool name##_run()

#define GOOD(call) ((call) == hipSuccess)
#define MUST(condition)                                                                                      \
    do                                                                                                       \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            return false;                                                                                    \
        }                                                                                                    \
    while (0)

// The number of this work-item in a grid of one dimension.
__device__ inline int place()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

// As many work-groups of EACH work-items as N work-items need.
inline dim3 groups(int n, int each = 256)
{
    return dim3((unsigned)((n + each - 1) / each));
}

// An array on the device.
template <typename T> struct device_array {
    T *at = nullptr;
    size_t count;
    explicit device_array(size_t count) : count(count)
    {
        if (!GOOD(hipMalloc((void **)&at, count * sizeof(T))) || !GOOD(hipMemset(at, 0, count * sizeof(T))))
            abort();
    }
    explicit device_array(const std::vector<T> &from) : device_array(from.size())
    {
        if (!GOOD(hipMemcpy(at, from.data(), count * sizeof(T), hipMemcpyHostToDevice)))
            abort();
    }
    device_array(const device_array &) = delete;
    operator T *() const
    {
        return at;
    }
    ~device_array()
    {
        (void)hipFree(at);
    }
    std::vector<T> fetch() const
    {
        std::vector<T> to(count);
        if (!GOOD(hipMemcpy(to.data(), at, count * sizeof(T), hipMemcpyDeviceToHost)))
            abort();
        return to;
    }
};

template <typename T, typename F> static std::vector<T> numbers(size_t count, F of)
{
    std::vector<T> v(count);
    for (size_t i = 0; i < count; i++)
        v[i] = of(i);
    return v;
}

extern char **program_arguments; // after the program's name

// return skip_program("reason"): what the program is about is not there.
enum { SKIP_STATUS = 77 };
static const char *why_skipped;
static inline bool skip_program(const char *reason)
{
    why_skipped = reason;
    return true;
}

// Runs the programs from the first of the file to the last; returns how many are wrong.
static inline int run_programs(program *last)
{
    if (!last)
        return 0;
    int failed = run_programs(last->next);
    why_skipped = nullptr;
    bool good = last->run();
    printf("%s %s%s%s\n", why_skipped ? "SKIP" : good ? "PASS" : "FAIL", last->name, why_skipped ? ": " : "",
           why_skipped ? why_skipped : "");
    fflush(stdout);
    return failed + !good;
}

#define PROGRAM_MAIN                                                                                         \
    char **program_arguments;                                                                                \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        program_arguments = argv + 2;                                                                        \
        if (argc > 1 && !strcmp(argv[1], "all"))                                                             \
            return run_programs(program::all()) != 0;                                                        \
        for (program *p = program::all(); p; p = p->next)                                                    \
            if (argc < 2)                                                                                    \
                puts(p->name);                                                                               \
            else if (!strcmp(argv[1], p->name))                                                              \
                return !p->run() ? 1 : !why_skipped ? 0 : (puts(why_skipped), SKIP_STATUS);                  \
        return argc < 2 ? 0 : 2;                                                                             \
    }

#endif
