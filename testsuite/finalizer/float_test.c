/* SPDX-License-Identifier: MIT */
/* Compares floating point with the host: every operation, type, rounding and flushing (A27-A33, A50, A52).
 *
 * The model computes with the host's own arithmetic under its rounding mode. Half goes through quadruple precision, in
 * which sums and products are exact, and is rounded by integer arithmetic. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finalizer/fp_model.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 44, COUNT = VALUES * VALUES + 1024 };

enum op { ADD, SUB, MUL, DIV, MIN, MAX, FMA, MAD, SQRT, FRACT, CEIL, FLOOR, RINT, TRUNC, OPS };

static const struct {
    const char *name;
    unsigned sources;
    bool rounds;
} ops[OPS] = {{"add", 2, true},   {"sub", 2, true},    {"mul", 2, true},   {"div", 2, true},   {"min", 2, false},
              {"max", 2, false},  {"fma", 3, true},    {"mad", 3, true},   {"sqrt", 1, true},  {"fract", 1, true},
              {"ceil", 1, false}, {"floor", 1, false}, {"rint", 1, false}, {"trunc", 1, false}};

static const struct {
    const char *name;
    int mode;
} rounds[4] = {{"_near", FE_TONEAREST}, {"_up", FE_UPWARD}, {"_down", FE_DOWNWARD}, {"_zero", FE_TOWARDZERO}};

static const struct float_format formats[3] = {{"f16", 16, 10}, {"f32", 32, 23}, {"f64", 64, 52}};

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    return xorshift(&state);
}

static bool is_quiet(const struct float_format *f, uint64_t x)
{
    return x >> (f->mantissa - 1) & 1;
}

/* Interesting bit patterns: zeros, subnormals, ones and their neighbours, halves, extremes, infinities, NaNs. */
static uint64_t special(const struct float_format *f, unsigned i)
{
    uint64_t unit = (uint64_t)1 << f->mantissa, one = format_infinity(f) >> 1 & ~(unit - 1);
    const uint64_t positive[VALUES / 2] = {
        0,
        1,
        2,
        unit / 2,
        unit - 1,
        unit,
        unit + 1,
        one,
        one + 1,
        one - 1,
        one + unit / 2,
        one - unit,
        one + 2 * unit + unit / 4,
        one + (f->mantissa - 1) * unit + 1,
        one + f->mantissa * unit,
        one + (f->mantissa + 1) * unit + 1,
        format_infinity(f) - 1,
        format_infinity(f) - unit,
        format_infinity(f),
        format_infinity(f) + unit / 2 + 5,
        format_infinity(f) + 5,
        one - 3 * unit + unit / 3};
    return positive[i / 2] | (i % 2 ? (format_mask(f) >> 1) + 1 : 0);
}

/* ---- half precision ---- */
static uint64_t model_half(enum op op, int mode, const uint64_t *a)
{
    quad x = format_value(&formats[0], a[0]), y = format_value(&formats[0], a[1]), z = format_value(&formats[0], a[2]),
         r = 0;
    double d = 0, dx = (double)x, dy = (double)y;
    switch (op) {
    case ADD: r = x + y; break;
    case SUB: r = x - y; break;
    case MUL: r = x * y; break;
    case FMA:
    case MAD: r = x * y + z; break;
    case DIV: r = x / y; break; /* 113 bits are far more than 2p + 2 */
    case SQRT: r = (quad)sqrt(dx); break;
    case CEIL: d = ceil(dx); return format_round(&formats[0], (quad)d, mode) | (signbit(d) ? 0x8000 : 0);
    case FLOOR: d = floor(dx); return format_round(&formats[0], (quad)d, mode) | (signbit(d) ? 0x8000 : 0);
    case RINT: d = rint(dx); return format_round(&formats[0], (quad)d, mode) | (signbit(d) ? 0x8000 : 0);
    case TRUNC: d = trunc(dx); return format_round(&formats[0], (quad)d, mode) | (signbit(d) ? 0x8000 : 0);
    case FRACT: {
        if (isinf(dx) || dx == 0)
            return signbit(dx) ? 0x8000 : 0;
        uint64_t part = format_round(&formats[0], (quad)(dx - floor(dx)), mode);
        if (dx == floor(dx))
            return mode == FE_DOWNWARD ? 0x8000 : 0;
        return part > 0x3bff ? 0x3bff : part;
    }
    default: break;
    }
    (void)dy;
    if (r != r)
        return 0x7e00;
    if (r == 0 && (op == ADD || op == SUB || op == FMA || op == MAD)) {
        /* the sum of numbers of different signs is exactly zero: -0 when rounding down */
        quad first = op == FMA || op == MAD ? x * y : x, second = op == SUB ? -y : op == ADD ? y : z;
        bool n1 = signbit((double)first), n2 = signbit((double)second);
        if (first == 0 && second == 0 && n1 == n2)
            return n1 ? 0x8000 : 0;
        return mode == FE_DOWNWARD ? 0x8000 : 0;
    }
    return format_round(&formats[0], r, mode);
}

/* ---- single and double precision ---- */
#define MODEL(name, type, below_one, suffix)                                                                 \
    static type name(enum op op, const volatile type *a)                                                     \
    {                                                                                                        \
        volatile type x = a[0], y = a[1], z = a[2], r = 0;                                                   \
        switch (op) {                                                                                        \
        case ADD:                                                                                            \
            r = x + y;                                                                                       \
            break;                                                                                           \
        case SUB:                                                                                            \
            r = x - y;                                                                                       \
            break;                                                                                           \
        case MUL:                                                                                            \
            r = x * y;                                                                                       \
            break;                                                                                           \
        case DIV:                                                                                            \
            r = x / y;                                                                                       \
            break;                                                                                           \
        case FMA:                                                                                            \
        case MAD:                                                                                            \
            r = fma##suffix(x, y, z);                                                                        \
            break;                                                                                           \
        case SQRT:                                                                                           \
            r = sqrt##suffix(x);                                                                             \
            break;                                                                                           \
        case CEIL:                                                                                           \
            r = ceil##suffix(x);                                                                             \
            break;                                                                                           \
        case FLOOR:                                                                                          \
            r = floor##suffix(x);                                                                            \
            break;                                                                                           \
        case TRUNC:                                                                                          \
            r = trunc##suffix(x);                                                                            \
            break;                                                                                           \
        case RINT: {                                                                                         \
            int mode = fegetround();                                                                         \
            fesetround(FE_TONEAREST);                                                                        \
            r = rint##suffix(x);                                                                             \
            fesetround(mode);                                                                                \
            break;                                                                                           \
        }                                                                                                    \
        case FRACT:                                                                                          \
            if (isinf(x) || x == 0)                                                                          \
                return copysign##suffix(0, x);                                                               \
            r = x - floor##suffix(x);                                                                        \
            if (r > below_one)                                                                               \
                r = below_one;                                                                               \
            break;                                                                                           \
        default:                                                                                             \
            break;                                                                                           \
        }                                                                                                    \
        return r;                                                                                            \
    }
MODEL(model_float, float, 0x1.fffffep-1f, f)
MODEL(model_double, double, 0x1.fffffffffffffp-1, )

static uint64_t model_min_max(const struct float_format *f, bool max, const uint64_t *a)
{
    if (format_is_nan(f, a[0]))
        return a[1];
    if (format_is_nan(f, a[1]))
        return a[0];
    uint64_t sign = (format_mask(f) >> 1) + 1;
    int64_t x = a[0] & sign ? -(int64_t)format_size(f, a[0]) - 1 : (int64_t)format_size(f, a[0]);
    int64_t y = a[1] & sign ? -(int64_t)format_size(f, a[1]) - 1 : (int64_t)format_size(f, a[1]);
    return (x < y) != max ? a[0] : a[1];
}

static uint64_t model(const struct float_format *f, enum op op, int mode, bool ftz, const uint64_t *sources)
{
    uint64_t a[3], bits = 0;
    for (int i = 0; i < 3; i++)
        a[i] = ftz ? format_flush(f, sources[i]) : sources[i];
    fesetround(mode);
    if (op == MIN || op == MAX) {
        bits = model_min_max(f, op == MAX, a);
    } else if (f->bits == 16) {
        fesetround(FE_TONEAREST);
        bits = model_half(op, mode, a);
    } else if (f->bits == 32) {
        float in[3], out;
        for (int i = 0; i < 3; i++)
            memcpy(&in[i], &a[i], 4);
        out = model_float(op, in);
        memcpy(&bits, &out, 4);
    } else {
        double in[3], out;
        memcpy(in, a, sizeof in);
        out = model_double(op, in);
        memcpy(&bits, &out, 8);
    }
    fesetround(FE_TONEAREST);
    return ftz ? format_flush(f, bits) : bits;
}

/* A NaN result is quiet and has the payload of a source that is a NaN, or any payload if no source is. */
static bool nan_is_right(const struct float_format *f, unsigned sources, const uint64_t *a, uint64_t got)
{
    uint64_t payload = ((uint64_t)1 << (f->mantissa - 1)) - 1;
    bool any = false;
    if (!format_is_nan(f, got) || !is_quiet(f, got))
        return false;
    for (unsigned i = 0; i < sources; i++)
        if (format_is_nan(f, a[i])) {
            any = true;
            if ((a[i] & payload) == (got & payload))
                return true;
        }
    return !any;
}

static bool right(const struct float_format *f, enum op op, int mode, bool ftz, const uint64_t *a, uint64_t got)
{
    bool nan = false, signaling = false, all = true;
    for (unsigned i = 0; i < ops[op].sources; i++) {
        nan |= format_is_nan(f, a[i]);
        all &= format_is_nan(f, a[i]);
        signaling |= format_is_nan(f, a[i]) && !is_quiet(f, a[i]);
    }
    bool number_wins = op == MIN || op == MAX;
    uint64_t x = format_size(f, ftz ? format_flush(f, a[0]) : a[0]),
             y = format_size(f, ftz ? format_flush(f, a[1]) : a[1]);
    bool no_product = (op == FMA || op == MAD) && ((x == format_infinity(f) && !y) || (y == format_infinity(f) && !x));
    if (no_product) /* the product is invalid; IEEE 754 leaves open whether the NaN of the third source is returned */
        return format_is_nan(f, got) && is_quiet(f, got);
    if (nan && (!number_wins || signaling || all))
        return nan_is_right(f, ops[op].sources, a, got);
    uint64_t want = model(f, op, mode, ftz, a);
    return format_is_nan(f, want) ? format_is_nan(f, got) && is_quiet(f, got) : want == got;
}

static char text[1 << 20];
static uint64_t inputs[3][COUNT];

static void fill(const struct float_format *f, void *bytes, const uint64_t *values)
{
    for (size_t i = 0; i < COUNT; i++)
        memcpy((uint8_t *)bytes + i * f->bits / 8, &values[i], f->bits / 8);
}

static int add_kernel(char *to, const struct float_format *f, enum op op, unsigned round, bool ftz)
{
    unsigned bytes = f->bits / 8;
    const char *reg = f->bits == 64 ? "d" : "s";
    int at = sprintf(to,
                     "prog kernel &k_%s%s%s(kernarg_u64 %%a, kernarg_u64 %%b, kernarg_u64 %%c, kernarg_u64 %%r) {\n"
                     "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; mul_u64 $d0, $d0, %u;\n",
                     ops[op].name, rounds[round].name, ftz ? "_ftz" : "", bytes);
    for (unsigned i = 0; i < 3; i++)
        at += sprintf(to + at, "ld_kernarg_u64 $d1, [%%%c]; add_u64 $d1, $d1, $d0; ld_global_%s $%s%u, [$d1];\n",
                      'a' + i, f->name, reg, i + 4);
    at += sprintf(to + at, "%s%s%s_%s $%s7", ops[op].name, ftz ? "_ftz" : "", ops[op].rounds ? rounds[round].name : "",
                  f->name, reg);
    for (unsigned i = 0; i < ops[op].sources; i++)
        at += sprintf(to + at, ", $%s%u", reg, i + 4);
    return at + sprintf(to + at, ";\nld_kernarg_u64 $d1, [%%r]; add_u64 $d1, $d1, $d0; st_global_%s $%s7, [$d1];\n};\n",
                        f->name, reg);
}

static void check_kernel(struct gpu *gpu, const struct float_format *f, enum op op, unsigned round, bool ftz,
                         void **memory)
{
    char name[64];
    snprintf(name, sizeof name, "&k_%s%s%s", ops[op].name, rounds[round].name, ftz ? "_ftz" : "");
    uint64_t arguments[4];
    for (int i = 0; i < 4; i++)
        arguments[i] = (uint64_t)(uintptr_t)memory[i];
    bool good = gpu_run(gpu, name, COUNT, 64, arguments, 4);
    for (size_t i = 0; good && i < COUNT; i++) {
        uint64_t a[3] = {inputs[0][i], inputs[1][i], inputs[2][i]}, got = 0;
        memcpy(&got, (uint8_t *)memory[3] + i * f->bits / 8, f->bits / 8);
        good = right(f, op, rounds[round].mode, ftz, a, got);
        if (!good)
            printf("# (%llx, %llx, %llx) gives %llx, not %llx\n", (unsigned long long)a[0], (unsigned long long)a[1],
                   (unsigned long long)a[2], (unsigned long long)got,
                   (unsigned long long)model(f, op, rounds[round].mode, ftz, a));
    }
    ok(good, "%s%s%s_%s", ops[op].name, ftz ? "_ftz" : "", ops[op].rounds ? rounds[round].name : "", f->name);
}

static void check_format(const struct float_format *f)
{
    void *memory[4];
    for (size_t i = 0; i < COUNT; i++) {
        bool pair = i < VALUES * VALUES;
        inputs[0][i] = pair ? special(f, (unsigned)(i % VALUES)) : next() & format_mask(f);
        inputs[1][i] = pair ? special(f, (unsigned)(i / VALUES)) : next() & format_mask(f);
        inputs[2][i] = pair ? special(f, (unsigned)(next() % VALUES)) : next() & format_mask(f);
    }
    for (int i = 0; i < 4; i++) {
        memory[i] = calloc(COUNT, 8);
        if (i < 3)
            fill(f, memory[i], inputs[i]);
    }
    int at = sprintf(text, "module &m:1:0:$full:$large:$near;\n");
    for (int op = 0; op < OPS; op++)
        for (unsigned n = 0; n < 8; n++)
            if (ops[op].rounds || n < 2)
                at += add_kernel(text + at, f, op, n / 2, n % 2);
    struct gpu *gpu = gpu_open(text, NULL);
    if (ok(gpu, "%s: finalizes", f->name))
        for (int op = 0; op < OPS; op++)
            for (unsigned n = 0; n < 8; n++)
                if (ops[op].rounds || n < 2)
                    check_kernel(gpu, f, op, n / 2, n % 2, memory);
    gpu_close(gpu);
    for (int i = 0; i < 4; i++)
        free(memory[i]);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        check_format(&formats[i]);
    return tap_done();
}
