/* SPDX-License-Identifier: MIT */
/* Instructions that name no rounding, executed in modules of $near, $zero and $default (A52, R14). The model is the
 * host's own arithmetic under the rounding mode that the module asks for; $default is near on this GPU. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/float_bits.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

enum { GRID = 256 };

/* Two doubles, three floats of moderate size, and an integer that no float has; see operations[]. */
struct numbers {
    double wide[2];
    float narrow[3];
    uint32_t integer;
};

static uint64_t add32(volatile const struct numbers *n)
{
    return bits_of_f32(n->narrow[0] + n->narrow[1]);
}

static uint64_t sub32(volatile const struct numbers *n)
{
    return bits_of_f32(n->narrow[0] - n->narrow[1]);
}

static uint64_t mul32(volatile const struct numbers *n)
{
    return bits_of_f32(n->narrow[0] * n->narrow[1]);
}

static uint64_t div32(volatile const struct numbers *n)
{
    return bits_of_f32(n->narrow[0] / n->narrow[1]);
}

static uint64_t fma32(volatile const struct numbers *n)
{
    return bits_of_f32(fmaf(n->narrow[0], n->narrow[1], n->narrow[2]));
}

static uint64_t sqrt32(volatile const struct numbers *n)
{
    return bits_of_f32(sqrtf(n->narrow[0]));
}

static uint64_t add64(volatile const struct numbers *n)
{
    return bits_of_f64(n->wide[0] + n->wide[1]);
}

static uint64_t mul64(volatile const struct numbers *n)
{
    return bits_of_f64(n->wide[0] * n->wide[1]);
}

static uint64_t div64(volatile const struct numbers *n)
{
    return bits_of_f64(n->wide[0] / n->wide[1]);
}

static uint64_t fma64(volatile const struct numbers *n)
{
    return bits_of_f64(fma(n->wide[0], n->wide[1], n->wide[0]));
}

static uint64_t sqrt64(volatile const struct numbers *n)
{
    return bits_of_f64(sqrt(n->wide[0]));
}

static uint64_t narrowed(volatile const struct numbers *n)
{
    return bits_of_f32((float)n->wide[0]);
}

static uint64_t of_integer(volatile const struct numbers *n)
{
    return bits_of_f32((float)n->integer);
}

static uint64_t of_large_integer(volatile const struct numbers *n)
{
    return bits_of_f64((double)(n->integer * UINT64_C(0x123456789)));
}

/* The sources are $d0, $d1, $s4 to $s6 and $s7; the result is $s8 or, if it is wide, $d2. */
static const struct {
    const char *instruction;
    uint64_t (*expected)(volatile const struct numbers *n);
    bool is_wide;
} operations[] = {
    {"add_f32 $s8, $s4, $s5", add32, false},
    {"sub_f32 $s8, $s4, $s5", sub32, false},
    {"mul_f32 $s8, $s4, $s5", mul32, false},
    {"div_f32 $s8, $s4, $s5", div32, false},
    {"fma_f32 $s8, $s4, $s5, $s6", fma32, false},
    {"sqrt_f32 $s8, $s4", sqrt32, false},
    {"cvt_f32_f64 $s8, $d0", narrowed, false},
    {"cvt_f32_u32 $s8, $s7", of_integer, false},
    {"add_f64 $d2, $d0, $d1", add64, true},
    {"mul_f64 $d2, $d0, $d1", mul64, true},
    {"div_f64 $d2, $d0, $d1", div64, true},
    {"fma_f64 $d2, $d0, $d1, $d0", fma64, true},
    {"sqrt_f64 $d2, $d0", sqrt64, true},
    {"cvt_u64_u32 $d2, $s7; mul_u64 $d2, $d2, 0x123456789; cvt_f64_u64 $d2, $d2", of_large_integer, true}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void fill(struct numbers *numbers)
{
    uint64_t state = 88172645463325252u;
    for (unsigned i = 0; i < GRID; i++) {
        for (unsigned k = 0; k < 2; k++)
            numbers[i].wide[k] = ldexp((double)(xorshift(&state) >> 11), (int)(xorshift(&state) % 40) - 70);
        for (unsigned k = 0; k < 3; k++)
            numbers[i].narrow[k] = (float)ldexp((double)(xorshift(&state) >> 40), (int)(xorshift(&state) % 20) - 30);
        numbers[i].integer = (uint32_t)xorshift(&state) | 0x80000001;
    }
}

/* The host computes under MODE; *OTHERS gets how many results differ from the nearest ones. */
static void compute(const struct numbers *numbers, unsigned operation, int mode, uint64_t *results, unsigned *others)
{
    *others = 0;
    for (unsigned i = 0; i < GRID; i++) {
        uint64_t nearest = operations[operation].expected(&numbers[i]);
        fesetround(mode);
        results[i] = operations[operation].expected(&numbers[i]);
        fesetround(FE_TONEAREST);
        *others += results[i] != nearest;
    }
}

static struct gpu *open_module(const char *rounding)
{
    static char text[1 << 14];
    int used = snprintf(text, sizeof text, "module &m:1:2:$full:$large:$%s;\n", rounding);
    for (unsigned i = 0; i < OPERATIONS; i++)
        used += snprintf(
            text + used, sizeof text - (size_t)used,
            "prog kernel &k%u(kernarg_u64 %%in, kernarg_u64 %%out)\n{\n"
            "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d3, $s0; shl_u64 $d0, $d3, 5;\n"
            "ld_kernarg_u64 $d1, [%%in]; add_u64 $d1, $d1, $d0; ld_v3_global_f32 ($s4, $s5, $s6), [$d1+16];\n"
            "ld_global_u32 $s7, [$d1+28]; ld_v2_global_f64 ($d0, $d1), [$d1];\n%s;\n%s"
            "shl_u64 $d3, $d3, 3; ld_kernarg_u64 $d5, [%%out]; add_u64 $d3, $d3, $d5;\n"
            "st_global_u64 $d2, [$d3];\n};\n",
            i, operations[i].instruction, operations[i].is_wide ? "" : "cvt_u64_u32 $d2, $s8;\n");
    return gpu_open(text, "-O2");
}

static void check_module(const char *rounding, int mode)
{
    static struct numbers in[GRID];
    static uint64_t out[GRID], expected[GRID];
    struct gpu *gpu = open_module(rounding);
    if (!ok(gpu, "a module of $%s", rounding))
        return;
    fill(in);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        char name[16];
        unsigned wrong = 0, others;
        compute(in, i, mode, expected, &others);
        snprintf(name, sizeof name, "&k%u", i);
        bool ran = gpu_run(gpu, name, GRID, 64, (const uint64_t[]){(uintptr_t)in, (uintptr_t)out}, 2);
        for (unsigned k = 0; k < GRID && ran; k++)
            wrong += out[k] != expected[k];
        ok(ran && !wrong && (others > GRID / 8) == (mode != FE_TONEAREST), "$%s: %s", rounding,
           operations[i].instruction);
    }
    gpu_close(gpu);
}

int main(void)
{
    check_module("near", FE_TONEAREST);
    check_module("zero", FE_TOWARDZERO);
    check_module("default", FE_TONEAREST);
    return tap_done();
}
