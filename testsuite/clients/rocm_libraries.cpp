// SPDX-License-Identifier: MIT
// rocRAND and rocSPARSE: their numbers are compared with properties of the distributions, with a host generator of
// Philox, and with dense sums in plain C++.
#include "client_check.h"

#include <cmath>
#include <cstdint>
#include <hip/hip_runtime.h>
#include <vector>

#include <rocrand/rocrand.h>
#include <rocsparse/rocsparse.h>

#define GOOD(call)   ((call) == hipSuccess)
#define RAND(call)   ((call) == ROCRAND_STATUS_SUCCESS)
#define SPARSE(call) ((call) == rocsparse_status_success)

enum { N = 1 << 16 };

template <typename T> static std::vector<T> fetch(const void *device, size_t count)
{
    std::vector<T> host(count);
    if (!GOOD(hipMemcpy(host.data(), device, count * sizeof(T), hipMemcpyDeviceToHost)))
        host.assign(count, T(-1));
    return host;
}

static void moments(const std::vector<float> &v, double *mean, double *variance)
{
    double sum = 0, squares = 0;
    for (float x : v) {
        sum += x;
        squares += (double)x * x;
    }
    *mean = sum / v.size();
    *variance = squares / v.size() - *mean * *mean;
}

static void generator(rocrand_rng_type type, const char *name, void *device)
{
    char text[100];
    rocrand_generator of;
    double mean, variance;
    bool good = RAND(rocrand_create_generator(&of, type)) && RAND(rocrand_generate(of, (unsigned *)device, N));
    std::vector<uint32_t> words = fetch<uint32_t>(device, N);
    double ones = 0;
    for (uint32_t w : words)
        ones += __builtin_popcount(w);
    std::snprintf(text, sizeof text, "%s: half of the bits are set", name);
    if (type != ROCRAND_RNG_QUASI_SOBOL32) /* which counts in its high bits only */
        check(good && fabs(ones / N - 16) < 0.1, text);
    good = RAND(rocrand_generate_uniform(of, (float *)device, N));
    moments(fetch<float>(device, N), &mean, &variance);
    std::snprintf(text, sizeof text, "%s: uniform numbers have their mean and variance", name);
    check(good && fabs(mean - 0.5) < 0.01 && fabs(variance - 1.0 / 12) < 0.005, text);
    good = RAND(rocrand_generate_normal(of, (float *)device, N, 2, 3));
    moments(fetch<float>(device, N), &mean, &variance);
    std::snprintf(text, sizeof text, "%s: so have normal ones", name);
    check(good && fabs(mean - 2) < 0.08 && fabs(variance - 9) < 0.3 && RAND(rocrand_destroy_generator(of)), text);
}

static void random_numbers()
{
    void *device;
    check(GOOD(hipMalloc(&device, N * 8)), "memory for numbers");
    generator(ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "philox", device);
    generator(ROCRAND_RNG_PSEUDO_XORWOW, "xorwow", device);
    generator(ROCRAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a", device);
    generator(ROCRAND_RNG_QUASI_SOBOL32, "sobol32", device);
    rocrand_generator a, b;
    bool good = RAND(rocrand_create_generator(&a, ROCRAND_RNG_PSEUDO_XORWOW)) &&
                RAND(rocrand_create_generator(&b, ROCRAND_RNG_PSEUDO_XORWOW)) && RAND(rocrand_set_seed(a, 99)) &&
                RAND(rocrand_set_seed(b, 99));
    good &= RAND(rocrand_generate(a, (unsigned *)device, 1000));
    std::vector<uint32_t> first = fetch<uint32_t>(device, 1000);
    good &= RAND(rocrand_generate(b, (unsigned *)device, 1000));
    check(good && first == fetch<uint32_t>(device, 1000), "a seed gives the same numbers again");
    check(RAND(rocrand_generate_poisson(a, (unsigned *)device, N, 10)), "poisson");
    double sum = 0;
    for (uint32_t x : fetch<uint32_t>(device, N))
        sum += x;
    check(fabs(sum / N - 10) < 0.1, "with its mean");
    (void)rocrand_destroy_generator(a);
    (void)rocrand_destroy_generator(b);
    (void)hipFree(device);
}

template <typename T> static T *upload(const std::vector<T> &v)
{
    T *device = nullptr;
    if (GOOD(hipMalloc(&device, v.size() * sizeof(T))))
        (void)hipMemcpy(device, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice);
    return device;
}

/* A matrix with five diagonals, in rows that are compressed. */
struct matrix {
    int n;
    std::vector<int> rows{0}, columns;
    std::vector<double> values;
    explicit matrix(int size) : n(size)
    {
        for (int i = 0; i < n; i++) {
            for (int j : {i - 30, i - 1, i, i + 1, i + 30})
                if (j >= 0 && j < n) {
                    columns.push_back(j);
                    values.push_back(i == j ? 8 : 1.0 / (1 + (i + 2 * j) % 5));
                }
            rows.push_back((int)columns.size());
        }
    }
};

static void sparse()
{
    matrix m(500);
    std::vector<double> x(m.n), y(m.n, 1), want(m.n);
    for (int i = 0; i < m.n; i++)
        x[i] = i % 11 - 5;
    for (int i = 0; i < m.n; i++) {
        want[i] = -1;
        for (int k = m.rows[i]; k < m.rows[i + 1]; k++)
            want[i] += 2 * m.values[k] * x[m.columns[k]];
    }
    int *rows = upload(m.rows), *columns = upload(m.columns);
    double *values = upload(m.values), *dx = upload(x), *dy = upload(y), two = 2, minus = -1;
    rocsparse_handle handle;
    rocsparse_mat_descr is;
    rocsparse_mat_info info;
    int count = (int)m.values.size();
    check(SPARSE(rocsparse_create_handle(&handle)) && SPARSE(rocsparse_create_mat_descr(&is)) &&
              SPARSE(rocsparse_create_mat_info(&info)),
          "rocsparse");
    bool good = SPARSE(rocsparse_dcsrmv(handle, rocsparse_operation_none, m.n, m.n, count, &two, is, values, rows,
                                        columns, nullptr, dx, &minus, dy));
    std::vector<double> got = fetch<double>(dy, m.n);
    double worst = 0;
    for (int i = 0; i < m.n; i++)
        worst = fmax(worst, fabs(got[i] - want[i]));
    check(good && worst < 1e-9, "a sparse matrix times a vector");
    rocsparse_set_mat_fill_mode(is, rocsparse_fill_mode_lower);
    rocsparse_set_mat_diag_type(is, rocsparse_diag_type_non_unit);
    size_t bytes = 0;
    void *buffer = nullptr;
    double one = 1;
    good = SPARSE(rocsparse_dcsrsv_buffer_size(handle, rocsparse_operation_none, m.n, count, is, values, rows, columns,
                                               info, &bytes)) &&
           GOOD(hipMalloc(&buffer, bytes)) &&
           SPARSE(rocsparse_dcsrsv_analysis(handle, rocsparse_operation_none, m.n, count, is, values, rows, columns,
                                            info, rocsparse_analysis_policy_force, rocsparse_solve_policy_auto,
                                            buffer)) &&
           SPARSE(rocsparse_dcsrsv_solve(handle, rocsparse_operation_none, m.n, count, &one, is, values, rows, columns,
                                         info, dx, dy, rocsparse_solve_policy_auto, buffer));
    got = fetch<double>(dy, m.n);
    worst = 0;
    for (int i = 0; i < m.n; i++) {
        double sum = 0;
        for (int k = m.rows[i]; k < m.rows[i + 1]; k++)
            if (m.columns[k] <= i)
                sum += m.values[k] * got[m.columns[k]];
        worst = fmax(worst, fabs(sum - x[i]));
    }
    check(good && worst < 1e-9, "a triangular system");
    int *coo;
    good = GOOD(hipMalloc(&coo, count * 4)) &&
           SPARSE(rocsparse_csr2coo(handle, rows, count, m.n, coo, rocsparse_index_base_zero));
    std::vector<int> row = fetch<int>(coo, count);
    for (int i = 0; i < m.n; i++)
        for (int k = m.rows[i]; k < m.rows[i + 1]; k++)
            good &= row[k] == i;
    check(good, "rows are written out");
    check(SPARSE(rocsparse_destroy_mat_info(info)) && SPARSE(rocsparse_destroy_mat_descr(is)) &&
              SPARSE(rocsparse_destroy_handle(handle)),
          "all end");
    for (void *p : {(void *)rows, (void *)columns, (void *)values, (void *)dx, (void *)dy, buffer, (void *)coo})
        (void)hipFree(p);
}

int main()
{
    random_numbers();
    sparse();
    return check_failures != 0;
}
