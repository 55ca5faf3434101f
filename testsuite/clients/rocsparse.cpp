// SPDX-License-Identifier: MIT
// rocSPARSE against dense sums in plain C++: level 1 to 3, conversions, solvers, preconditioners, sums and products of
// sparse matrices.
#include "small_program.hpp"

#include <algorithm>
#include <cmath>

#include <rocsparse/rocsparse.h>

#define SPARSE(call) ((call) == rocsparse_status_success)

static const auto none = rocsparse_operation_none;
static const auto transposed = rocsparse_operation_transpose;
static const auto from_zero = rocsparse_index_base_zero;
static const double two = 2, minus_one = -1, one = 1, zero = 0;

typedef std::vector<double> numbers_of;

static bool near(const numbers_of &a, const numbers_of &b)
{
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * (1 + fabs(b[i])))) {
            fprintf(stderr, "element %zu is %g, not %g\n", i, a[i], b[i]);
            return false;
        }
    return true;
}

// A dense matrix by rows, and the same in compressed rows.
struct sparse_matrix {
    int m, n;
    numbers_of dense, values;
    std::vector<int> rows{0}, columns;
    template <typename F> sparse_matrix(int m, int n, F of) : m(m), n(n), dense((size_t)m * n)
    {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++)
                if (double x = of(i, j)) {
                    dense[(size_t)i * n + j] = x;
                    columns.push_back(j);
                    values.push_back(x);
                }
            rows.push_back((int)columns.size());
        }
    }
    int count() const
    {
        return (int)values.size();
    }
    double at(int i, int j) const
    {
        return dense[(size_t)i * n + j];
    }
    // alpha A x + beta y, or with A transposed
    numbers_of times(double alpha, const numbers_of &x, double beta, numbers_of y, bool turned = false) const
    {
        for (double &v : y)
            v *= beta;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                if (turned)
                    y[j] += alpha * at(i, j) * x[i];
                else
                    y[i] += alpha * at(i, j) * x[j];
        return y;
    }
};

// Rows of very different lengths, as those of real matrices.
static double uneven(int i, int j)
{
    bool there = i == j || (i * 13 + j * 7) % 29 == 0 || (i == 17 && j % 2) || (j == 3 && i % 3 == 0);
    return there ? (i == j ? 9 : ((i * 5 + j * 3) % 11 - 5.5) * 0.5) : 0;
}

// A symmetric one with a dominant diagonal.
static double symmetric(int i, int j)
{
    int d = abs(i - j);
    return d == 0 ? 12 : d == 1 || d == 9 ? -1 - 0.125 * ((i + j) % 5) : 0;
}

struct csr {
    device_array<int> rows, columns;
    device_array<double> values;
    explicit csr(const sparse_matrix &a) : rows(a.rows), columns(a.columns), values(a.values)
    {
    }
};

struct library {
    rocsparse_handle handle = nullptr;
    rocsparse_mat_descr is = nullptr;
    rocsparse_mat_info info = nullptr;
    library()
    {
        if (!SPARSE(rocsparse_create_handle(&handle)) || !SPARSE(rocsparse_create_mat_descr(&is)) ||
            !SPARSE(rocsparse_create_mat_info(&info)))
            abort();
    }
    ~library()
    {
        (void)rocsparse_destroy_mat_info(info);
        (void)rocsparse_destroy_mat_descr(is);
        (void)rocsparse_destroy_handle(handle);
    }
};

static numbers_of ramp(int n)
{
    return numbers<double>(n, [](size_t i) { return (double)(i % 11) - 5; });
}

PROGRAM(sparse_vectors)
{
    library l;
    std::vector<int> at;
    for (int i = 0; i < 1000; i += 1 + i % 3)
        at.push_back(i);
    int count = (int)at.size();
    numbers_of x = numbers<double>(count, [](size_t i) { return 1 + (double)(i % 7); }), y = ramp(1000), want = y;
    device_array<int> where(at);
    device_array<double> dx(x), dy(y);
    MUST(SPARSE(rocsparse_daxpyi(l.handle, count, &two, dx, where, dy, from_zero)));
    for (int i = 0; i < count; i++)
        want[at[i]] += 2 * x[i];
    MUST(near(dy.fetch(), want));
    double dot = 0, expected = 0;
    MUST(SPARSE(rocsparse_ddoti(l.handle, count, dx, where, dy, &dot, from_zero)));
    for (int i = 0; i < count; i++)
        expected += x[i] * want[at[i]];
    MUST(fabs(dot - expected) < 1e-6);
    double c = 0.6, s = 0.8;
    MUST(SPARSE(rocsparse_droti(l.handle, count, dx, where, dy, &c, &s, from_zero)));
    for (int i = 0; i < count; i++) {
        double old = x[i], other = want[at[i]];
        x[i] = c * old + s * other;
        want[at[i]] = c * other - s * old;
    }
    MUST(near(dy.fetch(), want) && near(dx.fetch(), x));
    MUST(SPARSE(rocsparse_dgthr(l.handle, count, dy, dx, where, from_zero)));
    for (int i = 0; i < count; i++)
        x[i] = want[at[i]];
    MUST(near(dx.fetch(), x) && near(dy.fetch(), want));
    MUST(SPARSE(rocsparse_dgthrz(l.handle, count, dy, dx, where, from_zero)));
    for (int i = 0; i < count; i++)
        want[at[i]] = 0;
    MUST(near(dx.fetch(), x) && near(dy.fetch(), want));
    MUST(SPARSE(rocsparse_dsctr(l.handle, count, dx, where, dy, from_zero)));
    for (int i = 0; i < count; i++)
        want[at[i]] = x[i];
    return near(dy.fetch(), want);
}

PROGRAM(rows_times_vector)
{
    library l;
    sparse_matrix a(130, 90, uneven);
    csr d(a);
    numbers_of x = ramp(90), y = ramp(130);
    device_array<double> dx(x), dy(y);
    MUST(SPARSE(rocsparse_dcsrmv(
        l.handle, none, a.m, a.n, a.count(), &two, l.is, d.values, d.rows, d.columns, nullptr, dx, &minus_one, dy)));
    y = a.times(2, x, -1, y);
    MUST(near(dy.fetch(), y));
    MUST(SPARSE(
        rocsparse_dcsrmv_analysis(l.handle, none, a.m, a.n, a.count(), l.is, d.values, d.rows, d.columns, l.info)));
    MUST(SPARSE(rocsparse_dcsrmv(
        l.handle, none, a.m, a.n, a.count(), &two, l.is, d.values, d.rows, d.columns, l.info, dx, &one, dy)));
    y = a.times(2, x, 1, y);
    MUST(near(dy.fetch(), y));
    MUST(SPARSE(rocsparse_dcsrmv(
        l.handle, transposed, a.m, a.n, a.count(), &one, l.is, d.values, d.rows, d.columns, nullptr, dy, &zero, dx)));
    return near(dx.fetch(), a.times(1, y, 0, numbers_of(90), true));
}

PROGRAM(coordinates_times_vector)
{
    library l;
    sparse_matrix a(130, 90, uneven);
    csr d(a);
    numbers_of x = ramp(90), y = ramp(130);
    device_array<double> dx(x), dy(y);
    device_array<int> row(a.count()), again(a.m + 1);
    MUST(SPARSE(rocsparse_csr2coo(l.handle, d.rows, a.count(), a.m, row, from_zero)));
    std::vector<int> each = row.fetch();
    for (int i = 0; i < a.m; i++)
        for (int k = a.rows[i]; k < a.rows[i + 1]; k++)
            MUST(each[k] == i);
    MUST(SPARSE(rocsparse_coo2csr(l.handle, row, a.count(), a.m, again, from_zero)) && again.fetch() == a.rows);
    MUST(SPARSE(rocsparse_dcoomv(
        l.handle, none, a.m, a.n, a.count(), &two, l.is, d.values, row, d.columns, dx, &minus_one, dy)));
    return near(dy.fetch(), a.times(2, x, -1, y));
}

PROGRAM(padded_rows_times_vector)
{
    library l;
    sparse_matrix a(130, 90, uneven);
    csr d(a);
    numbers_of x = ramp(90), y = ramp(130);
    device_array<double> dx(x), dy(y);
    rocsparse_mat_descr ell;
    int width = 0, longest = 0;
    MUST(SPARSE(rocsparse_create_mat_descr(&ell)));
    MUST(SPARSE(rocsparse_csr2ell_width(l.handle, a.m, l.is, d.rows, ell, &width)));
    for (int i = 0; i < a.m; i++)
        longest = std::max(longest, a.rows[i + 1] - a.rows[i]);
    MUST(width == longest);
    device_array<double> values((size_t)width * a.m);
    device_array<int> columns((size_t)width * a.m);
    MUST(SPARSE(rocsparse_dcsr2ell(l.handle, a.m, l.is, d.values, d.rows, d.columns, ell, width, values, columns)));
    MUST(SPARSE(rocsparse_dellmv(l.handle, none, a.m, a.n, &two, ell, values, columns, width, dx, &minus_one, dy)));
    y = a.times(2, x, -1, y);
    MUST(near(dy.fetch(), y));
    rocsparse_hyb_mat hybrid;
    MUST(SPARSE(rocsparse_create_hyb_mat(&hybrid)));
    MUST(SPARSE(rocsparse_dcsr2hyb(
        l.handle, a.m, a.n, l.is, d.values, d.rows, d.columns, hybrid, 0, rocsparse_hyb_partition_auto)));
    MUST(SPARSE(rocsparse_dhybmv(l.handle, none, &one, l.is, hybrid, dx, &one, dy)));
    y = a.times(1, x, 1, y);
    return near(dy.fetch(), y) && SPARSE(rocsparse_destroy_hyb_mat(hybrid)) && SPARSE(rocsparse_destroy_mat_descr(ell));
}

// Blocks of three by three, their elements by rows.
struct bsr {
    enum { SIDE = 3 };
    int rows_of_blocks, columns_of_blocks, count = 0;
    device_array<int> rows;
    device_array<int> columns;
    device_array<double> values;
    bool good;
    bsr(library &l, const sparse_matrix &a, const csr &d)
        : rows_of_blocks(a.m / SIDE), columns_of_blocks(a.n / SIDE), rows(rows_of_blocks + 1), columns(a.count()),
          values((size_t)a.count() * SIDE * SIDE)
    {
        good = SPARSE(rocsparse_csr2bsr_nnz(
                   l.handle, rocsparse_direction_row, a.m, a.n, l.is, d.rows, d.columns, SIDE, l.is, rows, &count)) &&
               SPARSE(rocsparse_dcsr2bsr(l.handle, rocsparse_direction_row, a.m, a.n, l.is, d.values, d.rows, d.columns,
                                         SIDE, l.is, values, rows, columns));
    }
};

PROGRAM(blocks)
{
    library l;
    sparse_matrix a(120, 90, uneven);
    csr d(a);
    bsr b(l, a, d);
    MUST(b.good && b.count > 0 && b.rows.fetch().back() == b.count);
    numbers_of x = ramp(90), y = ramp(120);
    device_array<double> dx(x), dy(y);
    MUST(SPARSE(rocsparse_dbsrmv(l.handle, rocsparse_direction_row, none, b.rows_of_blocks, b.columns_of_blocks,
                                 b.count, &two, l.is, b.values, b.rows, b.columns, b.SIDE, dx, &minus_one, dy)));
    MUST(near(dy.fetch(), a.times(2, x, -1, y)));
    enum { WIDE = 7 };
    numbers_of right = ramp(90 * WIDE), product(120 * WIDE);
    device_array<double> dright(right), dproduct(product);
    MUST(SPARSE(
        rocsparse_dbsrmm(l.handle, rocsparse_direction_row, none, none, b.rows_of_blocks, WIDE, b.columns_of_blocks,
                         b.count, &one, l.is, b.values, b.rows, b.columns, b.SIDE, dright, 90, &zero, dproduct, 120)));
    for (int c = 0; c < WIDE; c++) {
        numbers_of column = a.times(1, numbers_of(&right[90 * c], &right[90 * c] + 90), 0, numbers_of(120));
        std::copy(column.begin(), column.end(), &product[120 * c]);
    }
    MUST(near(dproduct.fetch(), product));
    size_t all = (size_t)b.count * b.SIDE * b.SIDE;
    device_array<int> rows(a.m + 1), columns(all);
    device_array<double> values(all);
    MUST(SPARSE(rocsparse_dbsr2csr(l.handle, rocsparse_direction_row, b.rows_of_blocks, b.columns_of_blocks, l.is,
                                   b.values, b.rows, b.columns, b.SIDE, l.is, values, rows, columns)));
    std::vector<int> r = rows.fetch(), c = columns.fetch();
    numbers_of v = values.fetch(), back(a.dense.size());
    for (int i = 0; i < a.m; i++)
        for (int k = r[i]; k < r[i + 1]; k++)
            back[(size_t)i * a.n + c[k]] = v[k];
    return near(back, a.dense);
}

PROGRAM(matrices)
{
    library l;
    enum { WIDE = 6 };
    sparse_matrix a(100, 80, uneven);
    csr d(a);
    numbers_of b = ramp(80 * WIDE), want(100 * WIDE);
    device_array<double> db(b), dc(want);
    MUST(SPARSE(rocsparse_dcsrmm(l.handle, none, none, a.m, WIDE, a.n, a.count(), &two, l.is, d.values, d.rows,
                                 d.columns, db, a.n, &zero, dc, a.m)));
    for (int c = 0; c < WIDE; c++) {
        numbers_of column = a.times(2, numbers_of(&b[80 * c], &b[80 * c] + 80), 0, numbers_of(100));
        std::copy(column.begin(), column.end(), &want[100 * c]);
    }
    MUST(near(dc.fetch(), want));
    // A dense matrix times the transpose of the sparse one.
    enum { HIGH = 5 };
    numbers_of left = ramp(HIGH * 80), product(HIGH * 100);
    device_array<double> dleft(left), dproduct(product);
    MUST(SPARSE(rocsparse_dgemmi(l.handle, none, transposed, HIGH, a.m, a.n, a.count(), &one, dleft, HIGH, l.is,
                                 d.values, d.rows, d.columns, &zero, dproduct, HIGH)));
    for (int i = 0; i < HIGH; i++)
        for (int j = 0; j < a.m; j++)
            for (int k = 0; k < a.n; k++)
                product[i + HIGH * j] += left[i + HIGH * k] * a.at(j, k);
    return near(dproduct.fetch(), product);
}

PROGRAM(conversions)
{
    library l;
    sparse_matrix a(60, 70, uneven);
    csr d(a);
    size_t bytes = 0;
    MUST(SPARSE(rocsparse_csr2csc_buffer_size(
        l.handle, a.m, a.n, a.count(), d.rows, d.columns, rocsparse_action_numeric, &bytes)));
    device_array<char> buffer(bytes);
    device_array<double> values(a.count()), dense(a.dense.size());
    device_array<int> row(a.count()), starts(a.n + 1), columns(a.count()), rows(a.m + 1), per_row(a.m);
    MUST(SPARSE(rocsparse_dcsr2csc(l.handle, a.m, a.n, a.count(), d.values, d.rows, d.columns, values, row, starts,
                                   rocsparse_action_numeric, from_zero, buffer)));
    numbers_of v = values.fetch();
    std::vector<int> r = row.fetch(), s = starts.fetch();
    MUST(s[a.n] == a.count());
    for (int j = 0; j < a.n; j++)
        for (int k = s[j]; k < s[j + 1]; k++)
            MUST(v[k] == a.at(r[k], j) && (k == s[j] || r[k] > r[k - 1]));
    MUST(SPARSE(rocsparse_dcsr2dense(l.handle, a.m, a.n, l.is, d.values, d.rows, d.columns, dense, a.m)));
    numbers_of by_columns = dense.fetch();
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            MUST(by_columns[i + (size_t)j * a.m] == a.at(i, j));
    int total = 0;
    MUST(SPARSE(rocsparse_dnnz(l.handle, rocsparse_direction_row, a.m, a.n, l.is, dense, a.m, per_row, &total)));
    MUST(total == a.count());
    std::vector<int> each = per_row.fetch();
    for (int i = 0; i < a.m; i++)
        MUST(each[i] == a.rows[i + 1] - a.rows[i]);
    MUST(SPARSE(rocsparse_ddense2csr(l.handle, a.m, a.n, l.is, dense, a.m, per_row, values, rows, columns)));
    return values.fetch() == a.values && rows.fetch() == a.rows && columns.fetch() == a.columns;
}

PROGRAM(sorted_rows)
{
    library l;
    sparse_matrix a(60, 70, uneven);
    std::vector<int> mixed = a.columns;
    for (int i = 0; i < a.m; i++)
        std::reverse(mixed.begin() + a.rows[i], mixed.begin() + a.rows[i + 1]);
    device_array<int> rows(a.rows), columns(mixed), order(numbers<int>(a.count(), [](size_t i) { return (int)i; }));
    size_t bytes = 0;
    MUST(SPARSE(rocsparse_csrsort_buffer_size(l.handle, a.m, a.n, a.count(), rows, columns, &bytes)));
    device_array<char> buffer(bytes);
    MUST(SPARSE(rocsparse_csrsort(l.handle, a.m, a.n, a.count(), l.is, rows, columns, order, buffer)));
    std::vector<int> place = order.fetch();
    for (int k = 0; k < a.count(); k++)
        MUST(mixed[place[k]] == a.columns[k]);
    return columns.fetch() == a.columns;
}

PROGRAM(triangular_systems)
{
    library l;
    sparse_matrix a(150, 150, symmetric);
    csr d(a);
    numbers_of x = ramp(150);
    device_array<double> dx(x), dy(numbers_of(150));
    for (int upper = 0; upper < 2; upper++) {
        size_t bytes = 0;
        MUST(SPARSE(rocsparse_set_mat_fill_mode(l.is, upper ? rocsparse_fill_mode_upper : rocsparse_fill_mode_lower)));
        MUST(SPARSE(rocsparse_dcsrsv_buffer_size(
            l.handle, none, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info, &bytes)));
        device_array<char> buffer(bytes);
        MUST(SPARSE(rocsparse_dcsrsv_analysis(l.handle, none, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info,
                                              rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, buffer)));
        MUST(SPARSE(rocsparse_dcsrsv_solve(l.handle, none, a.m, a.count(), &one, l.is, d.values, d.rows, d.columns,
                                           l.info, dx, dy, rocsparse_solve_policy_auto, buffer)));
        sparse_matrix part(150, 150, [&](int i, int j) { return (upper ? j >= i : j <= i) ? a.at(i, j) : 0; });
        MUST(near(part.times(1, dy.fetch(), 0, numbers_of(150)), x));
    }
    enum { WIDE = 4 };
    numbers_of right = ramp(150 * WIDE);
    device_array<double> db(right);
    size_t bytes = 0;
    MUST(SPARSE(rocsparse_set_mat_fill_mode(l.is, rocsparse_fill_mode_lower)));
    MUST(SPARSE(rocsparse_dcsrsm_buffer_size(l.handle, none, none, a.m, WIDE, a.count(), &one, l.is, d.values, d.rows,
                                             d.columns, db, a.m, l.info, rocsparse_solve_policy_auto, &bytes)));
    device_array<char> buffer(bytes);
    MUST(SPARSE(rocsparse_dcsrsm_analysis(
        l.handle, none, none, a.m, WIDE, a.count(), &one, l.is, d.values, d.rows, d.columns, db, a.m, l.info,
        rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, buffer)));
    MUST(SPARSE(rocsparse_dcsrsm_solve(l.handle, none, none, a.m, WIDE, a.count(), &one, l.is, d.values, d.rows,
                                       d.columns, db, a.m, l.info, rocsparse_solve_policy_auto, buffer)));
    numbers_of solved = db.fetch();
    sparse_matrix lower(150, 150, [&](int i, int j) { return j <= i ? a.at(i, j) : 0; });
    for (int c = 0; c < WIDE; c++)
        MUST(near(lower.times(1, numbers_of(&solved[150 * c], &solved[150 * c] + 150), 0, numbers_of(150)),
                  numbers_of(&right[150 * c], &right[150 * c] + 150)));
    return true;
}

// What the incomplete factorizations do, in place on a dense matrix, where it is not zero.
static void incomplete_lu(const sparse_matrix &pattern, numbers_of &f)
{
    int n = pattern.n;
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            if (pattern.at(i, k)) {
                f[(size_t)i * n + k] /= f[(size_t)k * n + k];
                for (int j = k + 1; j < n; j++)
                    if (pattern.at(i, j))
                        f[(size_t)i * n + j] -= f[(size_t)i * n + k] * f[(size_t)k * n + j];
            }
}

static void incomplete_cholesky(const sparse_matrix &pattern, numbers_of &f)
{
    int n = pattern.n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (pattern.at(i, j)) {
                double sum = f[(size_t)i * n + j];
                for (int k = 0; k < j; k++)
                    if (pattern.at(i, k) && pattern.at(j, k))
                        sum -= f[(size_t)i * n + k] * f[(size_t)j * n + k];
                f[(size_t)i * n + j] = i == j ? sqrt(sum) : sum / f[(size_t)j * n + j];
            }
}

static numbers_of there_only(const sparse_matrix &a, const numbers_of &dense, bool lower_only)
{
    numbers_of v;
    for (int i = 0; i < a.m; i++)
        for (int k = a.rows[i]; k < a.rows[i + 1]; k++)
            if (!lower_only || a.columns[k] <= i)
                v.push_back(dense[(size_t)i * a.n + a.columns[k]]);
    return v;
}

PROGRAM(preconditioners)
{
    library l;
    sparse_matrix a(120, 120, symmetric);
    numbers_of lu = a.dense, cholesky = a.dense;
    incomplete_lu(a, lu);
    incomplete_cholesky(a, cholesky);
    csr d(a), e(a);
    size_t bytes = 0, more = 0;
    MUST(SPARSE(
        rocsparse_dcsrilu0_buffer_size(l.handle, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info, &bytes)));
    MUST(SPARSE(
        rocsparse_dcsric0_buffer_size(l.handle, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info, &more)));
    device_array<char> buffer(std::max(bytes, more));
    MUST(SPARSE(rocsparse_dcsrilu0_analysis(l.handle, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info,
                                            rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, buffer)));
    MUST(SPARSE(rocsparse_dcsrilu0(
        l.handle, a.m, a.count(), l.is, d.values, d.rows, d.columns, l.info, rocsparse_solve_policy_auto, buffer)));
    MUST(near(d.values.fetch(), there_only(a, lu, false)));
    MUST(SPARSE(rocsparse_dcsric0_analysis(l.handle, a.m, a.count(), l.is, e.values, e.rows, e.columns, l.info,
                                           rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, buffer)));
    MUST(SPARSE(rocsparse_dcsric0(
        l.handle, a.m, a.count(), l.is, e.values, e.rows, e.columns, l.info, rocsparse_solve_policy_auto, buffer)));
    numbers_of got = e.values.fetch(), lower;
    for (int i = 0, k = 0; i < a.m; i++)
        for (; k < a.rows[i + 1]; k++)
            if (a.columns[k] <= i)
                lower.push_back(got[k]);
    return near(lower, there_only(a, cholesky, true));
}

// The dense form of a sparse result.
static numbers_of spread_out(int m, int n, const std::vector<int> &rows, const std::vector<int> &columns,
                             const numbers_of &values)
{
    numbers_of dense((size_t)m * n);
    for (int i = 0; i < m; i++)
        for (int k = rows[i]; k < rows[i + 1]; k++)
            dense[(size_t)i * n + columns[k]] = values[k];
    return dense;
}

PROGRAM(sparse_sums_and_products)
{
    library l;
    rocsparse_mat_descr result;
    MUST(SPARSE(rocsparse_create_mat_descr(&result)));
    sparse_matrix a(80, 80, uneven), b(80, 80, symmetric);
    csr da(a), db(b);
    device_array<int> rows(81);
    int count = 0;
    MUST(SPARSE(rocsparse_csrgeam_nnz(l.handle, 80, 80, l.is, a.count(), da.rows, da.columns, l.is, b.count(), db.rows,
                                      db.columns, result, rows, &count)));
    device_array<int> columns(count);
    device_array<double> values(count);
    MUST(SPARSE(rocsparse_dcsrgeam(l.handle, 80, 80, &two, l.is, a.count(), da.values, da.rows, da.columns, &minus_one,
                                   l.is, b.count(), db.values, db.rows, db.columns, result, values, rows, columns)));
    numbers_of want(80 * 80);
    for (size_t i = 0; i < want.size(); i++)
        want[i] = 2 * a.dense[i] - b.dense[i];
    MUST(near(spread_out(80, 80, rows.fetch(), columns.fetch(), values.fetch()), want));

    size_t bytes = 0;
    MUST(SPARSE(rocsparse_dcsrgemm_buffer_size(
        l.handle, none, none, 80, 80, 80, &one, l.is, a.count(), da.rows, da.columns, l.is, b.count(), db.rows,
        db.columns, nullptr, nullptr, 0, nullptr, nullptr, l.info, &bytes)));
    device_array<char> buffer(bytes);
    MUST(SPARSE(rocsparse_csrgemm_nnz(
        l.handle, none, none, 80, 80, 80, l.is, a.count(), da.rows, da.columns, l.is, b.count(), db.rows, db.columns,
        nullptr, 0, nullptr, nullptr, result, rows, &count, l.info, buffer)));
    device_array<int> where(count);
    device_array<double> product(count);
    MUST(SPARSE(rocsparse_dcsrgemm(l.handle, none, none, 80, 80, 80, &one, l.is, a.count(), da.values, da.rows,
                                   da.columns, l.is, b.count(), db.values, db.rows, db.columns, nullptr, nullptr, 0,
                                   nullptr, nullptr, nullptr, result, product, rows, where, l.info, buffer)));
    std::fill(want.begin(), want.end(), 0.0);
    for (int i = 0; i < 80; i++)
        for (int k = 0; k < 80; k++)
            for (int j = 0; j < 80; j++)
                want[i * 80 + j] += a.at(i, k) * b.at(k, j);
    return near(spread_out(80, 80, rows.fetch(), where.fetch(), product.fetch()), want) &&
           SPARSE(rocsparse_destroy_mat_descr(result));
}

PROGRAM_MAIN
