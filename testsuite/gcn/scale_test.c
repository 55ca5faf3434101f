/* SPDX-License-Identifier: MIT */
/* Tests operations that scale by a power of two in all rounding modes: v_ldexp_f64, and v_div_fmas, which scales the
 * sum of a product. The result is rounded once, also where it becomes denormal. Sources have so few bits that the exact
 * value fits a quadruple-precision number, which the host rounds. */
#include "testsuite/gcn/exec_harness.h"

#include "runtime/gcn/wave_run.h"

#include <math.h>

static void set_rounding(unsigned rounding)
{
    static const uint32_t of_mode[4] = {0, 2, 1, 3};
    uint32_t csr = 0x1f80 | of_mode[rounding] << 13;
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
}

static double draw(int bits, int exponent)
{
    double fraction = (double)(random64() >> (64 - bits) | UINT64_C(1) << (bits - 1));
    return ldexp(random64() & 1 ? fraction : -fraction, exponent - bits);
}

struct sources {
    double a, b, c;
};

/* Sources for a sum of about 2^EXPONENT with a term of about 2^FAR times that. */
static struct sources sources_of(bool wide, int exponent)
{
    int bits = wide ? 26 : 11, far = (int)(random64() % (wide ? 50 : 22)) - (wide ? 25 : 11);
    int half = exponent / 2;
    return (struct sources){draw(bits, half), draw(bits, exponent - half), draw(bits, exponent + far)};
}

static void put(unsigned reg, bool wide, double x)
{
    float f = (float)x;
    uint64_t u;
    uint32_t s;
    memcpy(&u, &x, sizeof u);
    memcpy(&s, &f, sizeof s);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        wave->v[reg][i] = wide ? (uint32_t)u : s;
        wave->v[reg + 1][i] = (uint32_t)(u >> 32);
    }
}

static double get(unsigned reg, bool wide)
{
    uint64_t u = wave->v[reg][7] | (uint64_t)wave->v[reg + 1][7] << 32;
    uint32_t s = wave->v[reg][7];
    double x;
    float f;
    memcpy(&x, &u, sizeof x);
    memcpy(&f, &s, sizeof f);
    return wide ? x : (double)f;
}

/* The whole wave computes the same; VCC has every lane scaled. */
static double computed(bool wide, struct sources x, unsigned rounding)
{
    wave->mode = rounding * 5 | 0xf0 | 1 << GCN_MODE_IEEE;
    gcn_mode_changed(wave);
    put(0, wide, x.a), put(2, wide, x.b), put(4, wide, x.c);
    gcn_set64(wave, GCN_S_VCC, UINT64_MAX);
    set_rounding(0);
    run(wide ? GCN_OP_v_div_fmas_f64 : GCN_OP_v_div_fmas_f32, v(8), v(0), v(2), v(4), 0, s(GCN_S_VCC) << 16);
    return get(8, wide);
}

static double expected(bool wide, struct sources x, unsigned rounding)
{
    int exponent = ilogb(x.c), by = wide ? 128 : 64;
    volatile __float128 exact = (__float128)x.a * x.b + x.c;
    exact = exact * (__float128)ldexp(1, exponent > 0 ? by : -by);
    set_rounding(rounding);
    volatile double r = wide ? (double)exact : (double)(float)exact;
    set_rounding(0);
    return r;
}

static void check(bool wide, unsigned rounding)
{
    enum { TRIES = 4000 };
    unsigned wrong = 0, denormal = 0;
    int least = wide ? -1022 : -126, by = wide ? 128 : 64;
    for (unsigned i = 0; i < TRIES; i++) {
        struct sources x = sources_of(wide, least + by - 60 + (int)(random64() % 70));
        double found = computed(wide, x, rounding), right = expected(wide, x, rounding);
        denormal += right != 0 && fabs(right) < ldexp(1, least);
        if (memcmp(&found, &right, sizeof found) && wrong++ < 3)
            printf("# %a * %a + %a, rounding %u: %a instead of %a\n", x.a, x.b, x.c, rounding, found, right);
    }
    ok(!wrong && denormal > TRIES / 4, "%s: v_div_fmas_f%d rounds once in mode %u (%u denormal results)", engine->name,
       wide ? 64 : 32, rounding, denormal);
}

static void check_ldexp(unsigned rounding)
{
    enum { TRIES = 4000 };
    unsigned wrong = 0, denormal = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        int exponent = (int)(random64() % 2097) - 1073, target = (int)(random64() % 100) - 1110;
        int by = i % 4 ? target - exponent : (int)(random64() % 5000) - 2500;
        double x = draw(1 + (int)(random64() % 53), exponent);
        wave->mode = rounding * 5 | 0xf0 | 1 << GCN_MODE_IEEE;
        gcn_mode_changed(wave);
        put(0, true, x);
        for (unsigned k = 0; k < GCN_LANES; k++)
            wave->v[2][k] = (uint32_t)by;
        set_rounding(0);
        run(GCN_OP_v_ldexp_f64, v(8), v(0), v(2), 0, 0, 0);
        volatile __float128 exact = (__float128)x;
        for (int left = by, step; left; left -= step) {
            step = left < -1000 ? -1000 : left > 1000 ? 1000 : left;
            exact = exact * (__float128)ldexp(1, step);
        }
        set_rounding(rounding);
        volatile double right = (double)exact;
        set_rounding(0);
        double found = get(8, true), expected = right;
        denormal += right != 0 && fabs(right) < 0x1p-1022;
        if (memcmp(&found, &expected, sizeof found) && wrong++ < 3)
            printf("# %a * 2^%d, rounding %u: %a instead of %a\n", x, by, rounding, found, expected);
    }
    ok(!wrong && denormal > TRIES / 4, "%s: v_ldexp_f64 rounds once in mode %u (%u denormal results)", engine->name,
       rounding, denormal);
}

int main(void)
{
    while (next_engine()) {
        new_wave(UINT64_MAX);
        for (unsigned rounding = 0; rounding < 4; rounding++) {
            check(false, rounding);
            check(true, rounding);
            check_ldexp(rounding);
        }
    }
    return tap_done();
}
