/* SPDX-License-Identifier: MIT */
/* Compares conversions between all scalar types, for every rounding, saturation and flushing, with a model (A50). */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finalizer/fp_model.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 1024 };

struct type {
    struct float_format format; /* of an integer: its width, mantissa 0 */
    bool is_float, is_signed;
};

static const struct type types[] = {
    {{"u8", 8, 0}, false, false},   {{"s8", 8, 0}, false, true},    {{"u16", 16, 0}, false, false},
    {{"s16", 16, 0}, false, true},  {{"u32", 32, 0}, false, false}, {{"s32", 32, 0}, false, true},
    {{"u64", 64, 0}, false, false}, {{"s64", 64, 0}, false, true},  {{"f16", 16, 10}, true, true},
    {{"f32", 32, 23}, true, true},  {{"f64", 64, 52}, true, true}};
enum { TYPES = sizeof types / sizeof types[0] };

static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const char *const float_rounds[4] = {"_near", "_up", "_down", "_zero"};
static const char *const int_rounds[4] = {"_neari", "_upi", "_downi", "_zeroi"};

/* One instruction. Which modifiers are legal follows from the types (PRM table 5-32). */
struct cvt {
    const struct type *to, *from;
    bool ftz, saturate;
    int round; /* index of modes, or -1 for none */
    char text[64];
};

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    return xorshift(&state);
}

/* Makes source number I: first 0, then small numbers, numbers with halves, limits of every type, and random bits. */
static uint64_t source(const struct type *t, unsigned i)
{
    if (!i)
        return 0;
    uint64_t r = next();
    quad x = (quad)(int64_t)(r >> 8 & 0x3ff) / 4 - 128;
    if (i % 4 == 1) /* near a power of two */
        x = (quad)(r >> 7 & 1 ? -1 : 1) * (quad_power((int)(r % 66)) + (quad)((int)(r >> 20 & 7) - 4) / 2);
    if (i % 4 == 2)
        x = (quad)(int64_t)r;
    if (i % 4 == 3)
        return r & format_mask(&t->format);
    if (t->is_float)
        return format_round(&t->format, x, modes[r >> 60 & 3]);
    return (uint64_t)(int64_t)(x > (quad)INT64_MAX   ? (quad)INT64_MAX
                               : x < (quad)INT64_MIN ? (quad)INT64_MIN
                                                     : x) &
           format_mask(&t->format);
}

static quad value(const struct type *t, uint64_t bits)
{
    if (t->is_float)
        return format_value(&t->format, bits);
    unsigned unused = 64 - t->format.bits;
    return t->is_signed ? (quad)((int64_t)(bits << unused) >> unused) : (quad)bits;
}

static quad integral(quad x, int mode)
{
    bool negative = x < 0;
    quad size = negative ? -x : x;
    if (size >= quad_power(70))
        return x;
    quad whole = 0, rest = size;
    for (int i = 70; i >= 0; i--)
        if (rest >= quad_power(i)) {
            rest -= quad_power(i);
            whole += quad_power(i);
        }
    quad half = whole / 2, floor_half = 0;
    for (int i = 70; i >= 0; i--)
        if (half - floor_half >= quad_power(i))
            floor_half += quad_power(i);
    whole += rounds_away(mode, negative, rest, half != floor_half);
    return negative ? -whole : whole;
}

/* The result of the instruction; *ANY becomes whether it is undefined. */
static uint64_t model(const struct cvt *c, uint64_t bits, bool *any)
{
    const struct type *to = c->to, *from = c->from;
    *any = false;
    if (c->ftz)
        bits = format_flush(&from->format, bits);
    bool nan = from->is_float && format_is_nan(&from->format, bits);
    quad x = nan ? 0 : value(from, bits);
    if (to->is_float) {
        uint64_t r = format_round(&to->format, x, c->round < 0 ? FE_TONEAREST : modes[c->round]);
        return c->ftz ? format_flush(&to->format, r) : r;
    }
    quad least = to->is_signed ? -quad_power((int)to->format.bits - 1) : 0;
    quad most = quad_power((int)to->format.bits - to->is_signed) - 1;
    if (!from->is_float && !c->saturate) /* truncated, or extended */
        return (uint64_t)(from->is_signed ? (int64_t)x : (int64_t)(uint64_t)x) & format_mask(&to->format);
    if (from->is_float)
        x = integral(x, modes[c->round]);
    *any = !c->saturate && (nan || x < least || x > most);
    x = nan ? 0 : x < least ? least : x > most ? most : x;
    return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & format_mask(&to->format);
}

static bool right(const struct cvt *c, uint64_t bits, uint64_t got)
{
    bool any;
    if (c->to->is_float && c->from->is_float && format_is_nan(&c->from->format, bits))
        return format_is_nan(&c->to->format, got) && got >> (c->to->format.mantissa - 1) & 1;
    uint64_t want = model(c, bits, &any);
    if (!any && want != got)
        printf("# %s of 0x%llx gives 0x%llx, not 0x%llx\n", c->text, (unsigned long long)bits, (unsigned long long)got,
               (unsigned long long)want);
    return any || want == got;
}

static struct cvt cvts[4096];
static unsigned cvt_count;
static char text[4 << 20];

static void add(const struct type *to, const struct type *from, int round, bool saturate, bool ftz)
{
    struct cvt *c = &cvts[cvt_count++];
    *c = (struct cvt){to, from, ftz, saturate, round, ""};
    const char *name = round < 0 ? "" : to->is_float ? float_rounds[round] : int_rounds[round];
    snprintf(c->text, sizeof c->text, "cvt%s%s%s_%s_%s", ftz ? "_ftz" : "", name, saturate ? "_sat" : "",
             to->format.name, from->format.name);
}

static void add_pair(const struct type *to, const struct type *from)
{
    bool narrower = to->format.bits < from->format.bits;
    bool rounds = to->is_float ? !from->is_float || narrower : from->is_float;
    for (int round = rounds ? 0 : -1; round < (rounds ? 4 : 0); round++)
        for (int ftz = 0; ftz <= from->is_float; ftz++) {
            if (to->is_float || from->is_float || to->format.bits != from->format.bits)
                add(to, from, round, false, ftz);
            if (!to->is_float && (from->is_float || to->format.bits <= from->format.bits))
                add(to, from, round, true, ftz);
        }
}

static int add_kernel(char *to, unsigned index)
{
    const struct cvt *c = &cvts[index];
    unsigned in = c->from->format.bits, out = c->to->format.bits;
    const char *in_reg = in == 64 ? "d" : "s", *out_reg = out == 64 ? "d" : "s";
    return sprintf(
        to,
        "prog kernel &k%u(kernarg_u64 %%in, kernarg_u64 %%out) {\nworkitemabsid_u32 $s0, 0;\n"
        "cvt_u64_u32 $d0, $s0; mul_u64 $d1, $d0, %u; ld_kernarg_u64 $d2, [%%in]; add_u64 $d2, $d2, $d1;\n"
        "ld_global_%s $%s5, [$d2]; %s $%s6, $%s5;\nmul_u64 $d1, $d0, %u; ld_kernarg_u64 $d2, [%%out];\n"
        "add_u64 $d2, $d2, $d1; st_global_%s $%s6, [$d2];\n};\n",
        index, in / 8, c->from->format.name, in_reg, c->text, out_reg, in_reg, out / 8, c->to->format.name, out_reg);
}

static bool check(struct gpu *gpu, unsigned index)
{
    const struct cvt *c = &cvts[index];
    static uint64_t sources[COUNT];
    static uint8_t in[COUNT * 8], out[COUNT * 8];
    unsigned in_size = c->from->format.bits / 8, out_size = c->to->format.bits / 8;
    for (unsigned i = 0; i < COUNT; i++) {
        sources[i] = source(c->from, i);
        memcpy(in + (size_t)i * in_size, &sources[i], in_size);
    }
    char name[16];
    snprintf(name, sizeof name, "&k%u", index);
    bool good = gpu_run(gpu, name, COUNT, 64, (uint64_t[]){(uintptr_t)in, (uintptr_t)out}, 2);
    for (unsigned i = 0; good && i < COUNT; i++) {
        uint64_t got = 0;
        memcpy(&got, out + (size_t)i * out_size, out_size);
        good = right(c, sources[i], got);
    }
    return good;
}

int main(void)
{
    for (unsigned to = 0; to < TYPES; to++)
        for (unsigned from = 0; from < TYPES; from++)
            if (to != from)
                add_pair(&types[to], &types[from]);
    int at = sprintf(text, "module &m:1:2:$full:$large:$near;\n");
    for (unsigned i = 0; i < cvt_count; i++)
        at += add_kernel(text + at, i);
    struct gpu *gpu = gpu_open(text, NULL);
    if (ok(gpu, "%u conversions finalize", cvt_count))
        for (unsigned i = 0; i < cvt_count; i++)
            ok(check(gpu, i), "%s", cvts[i].text);
    gpu_close(gpu);
    return tap_done();
}
