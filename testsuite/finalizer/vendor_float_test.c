/* SPDX-License-Identifier: MIT */
/* Instructions of AMD's extension amd:gcn on floating point numbers, executed and compared with what the Vega manual
 * says of the machine's instructions, in plain C. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finalizer/vendor_case.h"
#include "testsuite/float_bits.h"
#include "testsuite/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double half(const struct sources *s, unsigned index)
{
    return f16_of_bits(s->word[3] >> 16 * index);
}

static uint64_t of_half(double value)
{
    _Float16 rounded = (_Float16)value;
    uint16_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

/* A NaN with its quiet bit set, which is the highest one of the mantissa. */
static uint64_t quiet32(uint32_t bits)
{
    return bits | (isnan(f32_of_bits(bits)) ? 0x400000 : 0);
}

static uint64_t quiet64(uint64_t bits)
{
    return bits | (isnan(f64_of_bits(bits)) ? UINT64_C(1) << 51 : 0);
}

static uint32_t flushed(uint32_t bits)
{
    return bits & 0x7f800000 || isnan(f32_of_bits(bits)) ? bits : bits & 0x80000000;
}

/* ---- scaling ---- */

static uint64_t scaled(uint32_t bits, const struct sources *s)
{
    if (isnan(f32_of_bits(bits)))
        return quiet32(bits);
    return bits_of_f32((float)ldexp((double)f32_of_bits(bits), (int)s->word[2]));
}

static uint64_t scale_f32(const struct sources *s)
{
    return scaled(s->word[0], s);
}

static uint64_t scale_ftz_f32(const struct sources *s)
{
    return flushed((uint32_t)scaled(flushed(s->word[0]), s));
}

static uint64_t scale_f64(const struct sources *s)
{
    double value = f64_of_bits(s->wide[0]);
    return isnan(value) ? quiet64(s->wide[0]) : bits_of_f64(ldexp(value, (int)s->word[2]));
}

/* By 2^0, which leaves all but signaling NaNs as they are. */
static uint64_t unscaled_f32(const struct sources *s)
{
    return quiet32(s->word[0]);
}

static uint64_t unscaled_f64(const struct sources *s)
{
    return quiet64(s->wide[0]);
}

static uint64_t scale_f16(const struct sources *s)
{
    return of_half(ldexp(half(s, 0), (int)s->word[2]));
}

/* ---- mantissa and exponent ---- */

static uint64_t mantissa_f32(const struct sources *s)
{
    int exponent;
    float value = f32_of_bits(s->word[0]);
    return isfinite(value) ? bits_of_f32(frexpf(value, &exponent)) : s->word[0];
}

static uint64_t mantissa_f64(const struct sources *s)
{
    int exponent;
    double value = f64_of_bits(s->wide[0]);
    return isfinite(value) ? bits_of_f64(frexp(value, &exponent)) : s->wide[0];
}

static uint64_t mantissa_f16(const struct sources *s)
{
    int exponent;
    return of_half(frexp(half(s, 0), &exponent));
}

static uint64_t exponent_of(double value)
{
    int exponent = 0;
    if (isfinite(value))
        (void)frexp(value, &exponent);
    return (uint32_t)exponent;
}

static uint64_t exponent_f32(const struct sources *s)
{
    return exponent_of((double)f32_of_bits(s->word[0]));
}

static uint64_t exponent_ftz_f32(const struct sources *s)
{
    return exponent_of((double)f32_of_bits(flushed(s->word[0])));
}

static uint64_t exponent_f64(const struct sources *s)
{
    return exponent_of(f64_of_bits(s->wide[0]));
}

static uint64_t exponent_f16(const struct sources *s)
{
    return exponent_of(half(s, 0));
}

/* ---- the larger and the smaller of two ---- */

/* A signaling NaN is returned quiet, a quiet one gives way to the other source, and -0 is below 0. */
#define EXTREMES(type, bits_type, of_bits, quiet, sign)                                                      \
    static bool signals_##type(bits_type bits)                                                               \
    {                                                                                                        \
        return isnan(of_bits(bits)) && quiet(bits) != bits;                                                  \
    }                                                                                                        \
    static uint64_t extreme_##type(bits_type a, bits_type b, bool largest)                                   \
    {                                                                                                        \
        if (signals_##type(a) || signals_##type(b))                                                          \
            return signals_##type(a) ? quiet(a) : quiet(b);                                                  \
        if (isnan(of_bits(a)) || isnan(of_bits(b)))                                                          \
            return isnan(of_bits(a)) ? b : a;                                                                \
        if (of_bits(a) == of_bits(b))                                                                        \
            return (a & (sign) ? largest : !largest) ? b : a;                                                \
        return (of_bits(a) > of_bits(b)) == largest ? a : b;                                                 \
    }
EXTREMES(f32, uint32_t, f32_of_bits, quiet32, 0x80000000)
EXTREMES(f64, uint64_t, f64_of_bits, quiet64, UINT64_C(1) << 63)

static uint64_t most_f32(const struct sources *s)
{
    return extreme_f32(s->word[0], s->word[1], true);
}

static uint64_t least_f32(const struct sources *s)
{
    return extreme_f32(s->word[0], s->word[1], false);
}

static uint64_t most_f64(const struct sources *s)
{
    return extreme_f64(s->wide[0], s->wide[1], true);
}

static uint64_t least_f64(const struct sources *s)
{
    return extreme_f64(s->wide[0], s->wide[1], false);
}

static uint64_t most_f16(const struct sources *s)
{
    double a = half(s, 0), b = half(s, 1);
    return of_half(a == b ? (signbit(a) ? b : a) : a > b ? a : b);
}

static uint64_t least_s32(const struct sources *s)
{
    return (uint32_t)((int32_t)s->word[0] < (int32_t)s->word[1] ? s->word[0] : s->word[1]);
}

static uint64_t most_u32(const struct sources *s)
{
    return s->word[0] > s->word[1] ? s->word[0] : s->word[1];
}

/* ---- division, and bits of 2/pi ---- */

static uint64_t quotient(const struct sources *s)
{
    return bits_of_f32(f32_of_bits(s->word[0]) / f32_of_bits(s->word[1]));
}

/* The first bits of 2/pi, 24 in each number. */
static const uint32_t two_over_pi[] = {
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
    0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5};

/* 53 bits from the one that an index and the exponent choose. */
static uint64_t circle(const struct sources *s)
{
    int exponent = (int)((s->wide[0] & 0x03ffffffffffffff) >> 52) + 1024, shift = (int)(s->word[0] & 3) * 53;
    double sum = 0;
    if (exponent > 1077)
        shift += exponent - 1077;
    for (int i = shift; i < shift + 53; i++)
        sum = 2 * sum + (two_over_pi[i / 24] >> (23 - i % 24) & 1);
    return bits_of_f64(ldexp(sum, -53 - shift));
}

static const struct vendor_case cases[] = {
    {"amd_gcn_fldexp_f32 $s8, $s0, $s2", scale_f32, false, FILL_NUMBERS},
    {"amd_gcn_fldexp_f32 $s8, $s0, 0", unscaled_f32, false, FILL_NUMBERS},
    {"amd_gcn_fldexp_f64 $d4, $d2, 0", unscaled_f64, true, FILL_NUMBERS},
    {"amd_gcn_fldexp_ftz_f32 $s8, $s0, $s2", scale_ftz_f32, false, FILL_NUMBERS},
    {"amd_gcn_fldexp_f64 $d4, $d2, $s2", scale_f64, true, FILL_NUMBERS},
    {"amd_gcn_fldexp_f16 $s8, $s3, $s2", scale_f16, false, FILL_NUMBERS},
    {"amd_gcn_frexp_mant_f32 $s8, $s0", mantissa_f32, false, FILL_NUMBERS},
    {"amd_gcn_frexp_mant_f64 $d4, $d2", mantissa_f64, true, FILL_NUMBERS},
    {"amd_gcn_frexp_mant_f16 $s8, $s3", mantissa_f16, false, FILL_NUMBERS},
    {"amd_gcn_frexp_exp_f32 $s8, $s0", exponent_f32, false, FILL_NUMBERS},
    {"amd_gcn_frexp_exp_ftz_f32 $s8, $s0", exponent_ftz_f32, false, FILL_NUMBERS},
    {"amd_gcn_frexp_exp_f64 $s8, $d2", exponent_f64, false, FILL_NUMBERS},
    {"amd_gcn_frexp_exp_f16 $s8, $s3", exponent_f16, false, FILL_NUMBERS},
    {"amd_gcn_max_f32 $s8, $s0, $s1", most_f32, false, FILL_NUMBERS},
    {"amd_gcn_min_f32 $s8, $s0, $s1", least_f32, false, FILL_NUMBERS},
    {"amd_gcn_max_f64 $d4, $d2, $d3", most_f64, true, FILL_NUMBERS},
    {"amd_gcn_min_f64 $d4, $d2, $d3", least_f64, true, FILL_NUMBERS},
    {"shr_u32 $s2, $s3, 16; amd_gcn_max_f16 $s8, $s3, $s2", most_f16, false, FILL_NUMBERS},
    {"amd_gcn_min_s32 $s8, $s0, $s1", least_s32, false, FILL_INTEGERS},
    {"amd_gcn_max_u32 $s8, $s0, $s1", most_u32, false, FILL_INTEGERS},
    {"amd_gcn_divrelaxed_f32 $s8, $s0, $s1", quotient, false, FILL_FLOATS},
    {"amd_gcn_divrelaxednarrow_f32 $s8, $s0, $s1", quotient, false, FILL_FLOATS},
    {"and_b64 $d2, $d2, 0x03ffffffffffffff; or_b64 $d2, $d2, 0x4000000000000000; and_b32 $s0, $s0, 3;\n"
     "amd_gcn_trig_preop_f64 $d4, $d2, $s0",
     circle, true, FILL_INTEGERS}};

/* ---- atomic operations in group memory ---- */

enum { LANES = 64 };

/* Each work-item works on a number of its own, and then all on one. */
static void check_atomics(const char *type, unsigned bytes, const char *operation, double (*expected)(double, double))
{
    char text[2048], name[64];
    static double in[LANES], old[LANES], own[LANES], all;
    double folded = !strcmp(operation, "add") ? 0 : 50.5;
    const char *r = bytes == 8 ? "$d" : "$s", *to_wide = bytes == 8 ? "mov_b64" : "cvt_f64_f32",
               *to_type = bytes == 8 ? "mov_b64" : "cvt_f32_f64";
    bool good = true;
    int used = snprintf(
        text, sizeof text,
        "module &m:1:2:$full:$large:$near;\nextension \"amd:gcn\";\n"
        "prog kernel &k(kernarg_u64 %%in, kernarg_u64 %%old, kernarg_u64 %%own, kernarg_u64 %%all)\n{\n"
        "group_%s %%slot[64]; group_%s %%shared;\nworkitemid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 3;\n"
        "mul_u32 $s1, $s0, %u; ld_kernarg_u64 $d1, [%%in]; add_u64 $d1, $d1, $d0; ld_global_f64 $d2, [$d1];\n"
        "%s %s4, $d2;\n%s %s5, 0D4049400000000000;\nst_group_%s %s5, [%%slot][$s1];\n"
        "%s %s6, %s;\nst_group_%s %s6, [%%shared];\nbarrier;\n",
        type, type, bytes, to_type, r, to_type, r, type, r, to_type, r,
        folded == 0 ? "0D0000000000000000" : "0D4049400000000000", type, r);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "amd_gcn_atomic_%s_group_rlx_wg_%s %s7, [%%slot][$s1], %s4;\n"
                     "amd_gcn_atomicNoRet_%s_group_rlx_wg_%s [%%shared], %s4;\nbarrier;\n"
                     "ld_group_%s %s5, [%%slot][$s1]; ld_group_%s %s6, [%%shared];\n",
                     operation, type, r, r, operation, type, r, type, r, type, r);
    static const char *const out[] = {"old", "own", "all"};
    for (unsigned i = 0; i < 3; i++) {
        unsigned from = i == 0 ? 7 : i + 4;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s $d3, %s%u; ld_kernarg_u64 $d1, [%%%s]; %sst_global_f64 $d3, [$d1];\n", to_wide, r, from,
                         out[i], i < 2 ? "add_u64 $d1, $d1, $d0; " : "");
    }
    snprintf(text + used, sizeof text - (size_t)used, "};\n");
    for (unsigned i = 0; i < LANES; i++)
        in[i] = (double)((i * 37 + 11) % 101) - 30.5;
    struct gpu *gpu = gpu_open(text, "-O2");
    good = gpu && gpu_run(gpu, "&k", LANES, LANES,
                          (const uint64_t[]){(uintptr_t)in, (uintptr_t)old, (uintptr_t)own, (uintptr_t)&all}, 4);
    for (unsigned i = 0; i < LANES && good; i++) {
        good = old[i] == 50.5 && own[i] == expected(50.5, in[i]);
        folded = expected(folded, in[i]);
    }
    snprintf(name, sizeof name, "atomic %s of %s in group memory", operation, type);
    if (!ok(good && all == folded, "%s", name))
        printf("# %a, not %a\n", all, folded);
    if (gpu)
        gpu_close(gpu);
}

static double sum(double a, double b)
{
    return a + b;
}

int main(void)
{
    for (unsigned i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const struct vendor_case *c = &cases[i / 2];
        const char *options = i % 2 ? "-O0" : "-O2";
        ok(vendor_right(c, options), "%.*s with '%s'", (int)strcspn(c->instruction, "\n"), c->instruction, options);
    }
    check_atomics("f32", 4, "add", sum);
    check_atomics("f32", 4, "min", fmin);
    check_atomics("f32", 4, "max", fmax);
    check_atomics("f64", 8, "min", fmin);
    check_atomics("f64", 8, "max", fmax);
    return tap_done();
}
