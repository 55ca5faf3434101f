// SPDX-License-Identifier: MIT
// OpenMP's target constructs on the software GPU: mappings, teams, reductions, atomics, device memory, two devices. The
// results are compared with the same sums on the host. Compiled by Clang and by GCC; run with two devices. CLANG_14
// leaves out what that compiler cannot do: Debian has no mathematical functions for its devices, and where serial and
// parallel parts take turns its code reads group memory that nothing has written, as HSA_GCN_CHECK=init shows.
#include "testsuite/clients/client_check.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000, SIDE = 40 };

#pragma omp declare target
static int twice_and(int x, int y)
{
    return 2 * x + y;
}
int counter_on_device = 7;
#pragma omp end declare target

static int a[N], b[N], c[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 101;
        b[i] = i % 13 - 6;
        c[i] = -1;
    }
}

static void devices(void)
{
    int host[2] = {1, 1};
    check(omp_get_num_devices() == 2, "two devices");
    for (int d = 0; d < 2; d++) {
#pragma omp target device(d) map(from : host[d : 1])
        host[d] = omp_is_initial_device();
    }
    check(!host[0] && !host[1], "both run target regions");
}

static void mappings(void)
{
    bool good = true;
    fill();
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
    for (int i = 0; i < N; i++)
        c[i] = twice_and(a[i], b[i]);
    for (int i = 0; i < N; i++)
        good &= c[i] == 2 * a[i] + b[i];
    check(good, "arrays are mapped to and from, and a function of the device is called");

    fill();
    good = true;
#pragma omp target data map(to : a) map(alloc : b) map(from : c)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
        a[17] = 1000;
#pragma omp target update to(a[17 : 1])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            c[i] = b[i] * 3 + a[i];
#pragma omp target update from(b[0 : 10])
    }
    for (int i = 0; i < N; i++) {
        int old = i * 7 % 101;
        good &= c[i] == (old + 1) * 3 + (i == 17 ? 1000 : old);
        good &= b[i] == (i < 10 ? old + 1 : i % 13 - 6);
    }
    check(good, "a data region keeps arrays, and updates move parts of them");

    int seen = 0;
    counter_on_device = 20;
#pragma omp target update to(counter_on_device)
#pragma omp target map(from : seen)
    seen = ++counter_on_device;
#pragma omp target update from(counter_on_device)
    check(seen == 21 && counter_on_device == 21, "a variable of the device");
}

static void sums(void)
{
    long sum = 0, want = 0;
    int least = 1 << 30, most = -1, bits = 0, count = 0;
    double product = 0, expected = 0;
    fill();
#pragma omp target teams distribute parallel for map(to : a, b) reduction(+ : sum, product) reduction(min : least) \
    reduction(max : most) reduction(| : bits)
    for (int i = 0; i < N; i++) {
        sum += (long)a[i] * b[i];
        product += 0.5 * a[i];
        least = a[i] + i < least ? a[i] + i : least;
        most = a[i] + i > most ? a[i] + i : most;
        bits |= a[i];
    }
    int low = 1 << 30, high = -1, all = 0;
    for (int i = 0; i < N; i++) {
        want += (long)a[i] * b[i];
        expected += 0.5 * a[i];
        low = a[i] + i < low ? a[i] + i : low;
        high = a[i] + i > high ? a[i] + i : high;
        all |= a[i];
    }
    check(sum == want && product == expected, "sums");
    check(least == low && most == high && bits == all, "least, most, bits");

    int bins[16], counted[16] = {0};
    memset(bins, 0, sizeof bins);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : bins, count)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        bins[a[i] % 16]++;
#pragma omp atomic update
        count += a[i] > 50;
    }
    int above = 0;
    for (int i = 0; i < N; i++) {
        counted[a[i] % 16]++;
        above += a[i] > 50;
    }
    check(!memcmp(bins, counted, sizeof bins) && count == above, "atomics");
}

static void loops(void)
{
    static float x[SIDE][SIDE], y[SIDE][SIDE], z[SIDE][SIDE];
    bool good = true;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            x[i][j] = (float)(i + j);
            y[i][j] = (float)(i - j);
        }
#pragma omp target teams distribute parallel for collapse(2) map(to : x, y) map(from : z)
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            float sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += x[i][k] * y[k][j];
            z[i][j] = sum;
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            float sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += x[i][k] * y[k][j];
            good &= z[i][j] == sum;
        }
    check(good, "two loops as one");

#ifndef CLANG_14
    static double root[N];
    good = true;
#pragma omp target teams distribute parallel for simd map(from : root)
    for (int i = 0; i < N; i++)
        root[i] = sqrt((double)i);
    for (int i = 0; i < N; i++)
        good &= fabs(root[i] - sqrt((double)i)) <= 1e-12 * i;
    check(good, "roots");
#endif
}

static void teams(void)
{
    static int partial[8], thread_count[8];
    memset(partial, 0, sizeof partial);
#pragma omp target teams num_teams(8) thread_limit(64) map(tofrom : partial, thread_count)
    {
        int own = omp_get_team_num(), sum = 0, width = 0;
#pragma omp parallel reduction(+ : sum) num_threads(32)
        {
            sum += omp_get_thread_num() + 1;
#pragma omp barrier
            if (omp_get_thread_num() == 0)
                width = omp_get_num_threads();
        }
        if (own < 8) {
            partial[own] = sum;
            thread_count[own] = width;
        }
    }
    bool good = true;
    for (int t = 0; t < 8; t++)
        good &= thread_count[t] > 0 && partial[t] == thread_count[t] * (thread_count[t] + 1) / 2;
    check(good, "the threads of teams run parallel regions and meet at barriers");

#ifndef CLANG_14
    int serial = 0;
#pragma omp target map(tofrom : serial)
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for reduction(+ : serial)
        for (int i = 0; i < 100; i++)
            serial += i;
        serial++;
    }
    check(serial == 3 * 4951, "serial and parallel parts take turns");
#endif
}

static void device_memory(void)
{
    bool good = true;
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int *p = omp_target_alloc(N * sizeof *p, d);
        fill();
        good &= p && !omp_target_memcpy(p, a, sizeof a, 0, 0, d, omp_get_initial_device());
#pragma omp target teams distribute parallel for device(d) is_device_ptr(p)
        for (int i = 0; i < N; i++)
            p[i] = p[i] * (d + 2);
        good &= !omp_target_memcpy(c, p, sizeof c, 0, 0, omp_get_initial_device(), d);
        for (int i = 0; i < N; i++)
            good &= c[i] == a[i] * (d + 2);
        omp_target_free(p, d);
    }
    check(good, "memory of each device");

    int x = 1;
#pragma omp target data map(tofrom : x)
    {
#pragma omp target nowait depend(out : x) map(tofrom : x)
        x += 4;
#pragma omp target nowait depend(inout : x) map(tofrom : x)
        x *= 10;
#pragma omp taskwait
    }
    check(x == 50, "regions that depend on each other without waiting");
    int y = 3;
#pragma omp target if (0) map(tofrom : y)
    y += omp_is_initial_device() ? 10 : 20;
    check(y == 13, "a region that the host runs");
}

int main(void)
{
    devices();
    mappings();
    sums();
    loops();
    teams();
    device_memory();
    return check_failures != 0;
}
