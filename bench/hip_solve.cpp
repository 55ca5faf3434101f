// SPDX-License-Identifier: MIT
// A sparse triangular system, solved by waves that wait for each other, for hip_bench.sh: each wave computes one
// unknown after it has seen that those it needs are there. The same is solved with the rows in an order in which no
// wave ever has to wait: all rows that depend on no other, then those that depend on these, and so on. Output: how
// often as long it takes with the rows as they come, and with runs of them backwards; lines in the form of
// bench/bench.h.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>
#include <numeric>
#include <vector>

enum { ROWS = 12000, DEPTH = 300, LANES = 64, GROUP = 256, WAVES = GROUP / LANES };

// x = the solution of (1 + L) x = b; row i of L has the elements first[i] to first[i + 1].
__global__ void solve(const int *order, const int *first, const int *columns, const double *values, const double *b,
                      double *x, int *done, int n)
{
    int wave = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    if (wave >= n)
        return;
    int row = order[wave];
    double sum = 0;
    for (int i = first[row] + lane; i < first[row + 1]; i += LANES) {
        while (!__hip_atomic_load(&done[columns[i]], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT))
            ;
        sum += values[i] * x[columns[i]];
    }
    for (int distance = LANES / 2; distance; distance /= 2)
        sum += __shfl_xor(sum, distance);
    if (!lane) {
        x[row] = b[row] - sum;
        __hip_atomic_store(&done[row], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
}

struct triangle {
    std::vector<int> first, columns, level;
    std::vector<double> values, b, x; // X as the host computes it
};

static triangle random_triangle()
{
    triangle s;
    unsigned seed = 1;
    auto random = [&seed](int n) { return (int)((seed = seed * 1664525u + 1013904223u) >> 8) % n; };
    s.first.push_back(0);
    for (int row = 0; row < ROWS; row++) {
        int level = 0;
        double sum = 0;
        for (int i = 0; i < std::min(row, 4 + random(24)); i++) {
            int column = row - 1 - random(std::min(row, (int)DEPTH));
            s.columns.push_back(column);
            s.values.push_back((1 + random(9)) / 1024.0);
            sum += s.values.back() * s.x[column];
            level = std::max(level, s.level[column] + 1);
        }
        s.first.push_back((int)s.columns.size());
        s.level.push_back(level);
        s.b.push_back(1 + random(100));
        s.x.push_back(s.b.back() - sum);
    }
    return s;
}

template <typename T> static T *on_device(const std::vector<T> &v)
{
    T *memory = nullptr;
    if (hipMalloc((void **)&memory, v.size() * sizeof(T)) ||
        hipMemcpy(memory, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice))
        exit(1);
    return memory;
}

// The seconds of the best of several solutions with the rows in ORDER.
static double time_of(const triangle &s, const std::vector<int> &order)
{
    int *rows = on_device(order), *first = on_device(s.first), *columns = on_device(s.columns);
    int *done = on_device(std::vector<int>(ROWS));
    double *values = on_device(s.values), *b = on_device(s.b), *x = on_device(s.b), best = 1e9;
    for (int round = 0; round < 7; round++) {
        (void)hipMemset(done, 0, ROWS * sizeof *done);
        (void)hipDeviceSynchronize();
        auto start = std::chrono::steady_clock::now();
        solve<<<(ROWS + WAVES - 1) / WAVES, GROUP>>>(rows, first, columns, values, b, x, done, ROWS);
        (void)hipDeviceSynchronize();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::vector<double> out(ROWS);
    (void)hipMemcpy(out.data(), x, ROWS * sizeof *x, hipMemcpyDeviceToHost);
    for (int i = 0; i < ROWS; i++)
        if (std::fabs(out[i] - s.x[i]) > 1e-9 * std::fabs(s.x[i]))
            exit(2);
    for (void *memory :
         {(void *)rows, (void *)first, (void *)columns, (void *)done, (void *)values, (void *)b, (void *)x})
        (void)hipFree(memory);
    return best;
}

int main()
{
    const triangle s = random_triangle();
    std::vector<int> natural(ROWS), perfect;
    std::iota(natural.begin(), natural.end(), 0);
    perfect = natural;
    std::stable_sort(perfect.begin(), perfect.end(), [&s](int a, int b) { return s.level[a] < s.level[b]; });
    double best = time_of(s, perfect);
    printf("HIP: triangular system, rows by level\t%g\tms\t0\t-\n", best * 1e3);
    printf("HIP: ..., rows as they come\t%g\tof that\t2\tat-most\n", time_of(s, natural) / best);
    for (int run = 4; run <= 64; run *= 4) {
        std::vector<int> backwards = natural;
        for (int i = 0; i < ROWS; i += run)
            std::reverse(backwards.begin() + i, backwards.begin() + std::min(i + run, (int)ROWS));
        printf("HIP: ..., each %d rows backwards\t%g\tof that\t2\tat-most\n", run, time_of(s, backwards) / best);
    }
    return 0;
}
