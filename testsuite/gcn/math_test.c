/* SPDX-License-Identifier: MIT */
/* Tests how exact v_exp_f32, v_log_f32, v_sin_f32 and v_cos_f32 are: the C library computes the same in double
 * precision, and no result may be further from that than 0.95 units in the last place. The floats are spread over the
 * whole range, so that all exponents and signs are among them, and are denser where logarithms lose digits; and there
 * are those with results of their own. */
#include "testsuite/gcn/exec_harness.h"

#include "runtime/gcn/wave_run.h"

#include <math.h>

static float float_of(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Sine and cosine of X turns, exact also next to their zeros, where the product of 2 pi and X is not. */

static double sine(double x)
{
    double f = x - rint(x), a = fabs(f);
    double r = a <= 0.125 ? sin(2 * M_PI * a) : a <= 0.375 ? cos(2 * M_PI * (0.25 - a)) : sin(2 * M_PI * (0.5 - a));
    return copysign(r, f);
}

static double cosine(double x)
{
    double a = fabs(x - rint(x));
    return a <= 0.125 ? cos(2 * M_PI * a) : a <= 0.375 ? sin(2 * M_PI * (0.25 - a)) : -cos(2 * M_PI * (0.5 - a));
}

struct operation {
    unsigned id;
    const char *name;
    double (*exact)(double);
};
static const struct operation operations[] = {
    {GCN_OP_v_exp_f32, "v_exp_f32", exp2},
    {GCN_OP_v_log_f32, "v_log_f32", log2},
    {GCN_OP_v_sin_f32, "v_sin_f32", sine},
    {GCN_OP_v_cos_f32, "v_cos_f32", cosine},
};

/* How far FOUND is from what the operation makes of X, in units in the last place; results that are denormal may be
 * zero. */
static double error_of(const struct operation *operation, float x, float found)
{
    double exact = operation->exact(fabsf(x) < 0x1p-126f ? 0 : (double)x), d = fabs((double)found - exact);
    int exponent;
    if (isnan(exact))
        return isnan(found) ? 0 : INFINITY;
    if (isinf((float)exact))
        return found == (float)exact ? 0 : INFINITY;
    if (fabs(exact) < 0x1p-126)
        return found == 0 || d < 0x1p-149 ? 0 : INFINITY;
    frexp(exact, &exponent);
    return d / ldexp(1, exponent - 24);
}

/* Looks at 64 floats, from FIRST on, STEP apart. Returns the greatest error. */
static double look(const struct operation *operation, uint32_t first, uint32_t step)
{
    double most = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        wave->v[0][i] = first + i * step;
    run(operation->id, v(8), v(0), 0, 0, 0, 0);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        double error = error_of(operation, float_of(wave->v[0][i]), float_of(wave->v[8][i]));
        most = error <= most ? most : error;
    }
    return most;
}

static void check_errors(const struct operation *operation)
{
    enum { STEP = 4093, FINE = 127, FROM = 0x3f000000, TO = 0x40000000 };
    double most = 0, error;
    for (uint64_t u = 0; u + GCN_LANES * STEP <= UINT32_MAX; u += GCN_LANES * STEP)
        if (!((error = look(operation, (uint32_t)u, STEP)) <= most))
            most = error;
    for (uint32_t u = FROM; u < TO; u += GCN_LANES * FINE)
        if (!((error = look(operation, u, FINE)) <= most))
            most = error;
    ok(most < 0.95, "%s: %s is at most %.3f units in the last place from the exact result", engine->name,
       operation->name, most);
}

static void check_values(void)
{
    const uint32_t inf = 0x7f800000, minus = 0x80000000, nan = 0x7fc00000, one = 0x3f800000, half = 0x3f000000;
    const uint32_t any = 0x7f800001; /* never a result */
    const struct {
        uint32_t x, exp, log, sin, cos;
    } rows[] = {
        {0, one, inf | minus, 0, one},
        {minus, one, inf | minus, 0, one},
        {1, one, inf | minus, 0, one}, /* a denormal is zero */
        {one, 0x40000000, 0, 0, one},
        {one | minus, half, nan, minus, one},
        {half, 0x3fb504f3, one | minus, 0, one | minus},
        {half | minus, 0x3f3504f3, nan, minus, one | minus},
        {0x3e800000, 0x3f9837f0, 0xc0000000, one, 0},
        {0x43000000, inf, 0x40e00000, 0, one},     /* 128 */
        {0xc2fc0000, 0x00800000, nan, minus, one}, /* -126 */
        {0xc2fc0001, 0, nan, any, any},            /* less: the result would be denormal */
        {inf, inf, inf, nan, nan},
        {inf | minus, 0, nan, nan, nan},
        {0xffc12345, 0xffc12345, 0xffc12345, 0xffc12345, 0xffc12345},
        {0x7f812345, 0x7fc12345, 0x7fc12345, 0x7fc12345, 0x7fc12345},
    };
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t expected[] = {rows[i].exp, rows[i].log, rows[i].sin, rows[i].cos};
        for (unsigned k = 0; k < 4; k++) {
            wave->v[0][5] = rows[i].x;
            run(operations[k].id, v(8), v(0), 0, 0, 0, 0);
            if (expected[k] != any && wave->v[8][5] != expected[k] && ++wrong)
                printf("# %s of %a: %a instead of %a\n", operations[k].name, (double)float_of(rows[i].x),
                       (double)float_of(wave->v[8][5]), (double)float_of(expected[k]));
        }
    }
    ok(!wrong, "%s: values at the ends of the range, and at exact ones", engine->name);
}

int main(void)
{
    while (next_engine()) {
        new_wave(UINT64_MAX);
        wave->mode = 0xf0 | 1 << GCN_MODE_IEEE;
        gcn_mode_changed(wave);
        for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
            check_errors(&operations[i]);
        check_values();
    }
    return tap_done();
}
