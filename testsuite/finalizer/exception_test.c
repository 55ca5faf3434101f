/* SPDX-License-Identifier: MIT */
/* Tests DETECT and BREAK (P19, S59): each instruction, executed in a wave of its own for each pair of operands, raises
 * what the host's arithmetic raises or, for conversions to integers and comparisons, what the PRM's text says; what
 * takes several machine instructions raises nothing on the way; BREAK ends the kernel with the exception as the fault.
 */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/float_bits.h"
#include "testsuite/tap.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 1, DIVISION = 2, OVERFLOW = 4, UNDERFLOW = 8, INEXACT = 16, ANY = 31 };
enum { CASES = 192 };

enum operation {
    ADD,
    SUB,
    MUL,
    DIV,
    FMA,
    SQRT,
    MIN,
    MAX,
    FRACT,
    TO_FLOAT, /* a conversion to the type of the result */
    INTEGRAL, /* rounds to an integral number, which is never inexact */
    TO_INT,
    TO_SIGNALING, /* ... with an s-form of rounding */
    TO_SAT,
    LESS,      /* a comparison */
    SIGNALING, /* ... of an s-form */
    NOTHING    /* raises nothing */
};

/* INSTRUCTION has its destination, of type TO, and COUNT sources of type FROM appended. */
static const struct row {
    const char *instruction, *to, *from;
    unsigned count;
    enum operation operation;
    int round;
    bool ftz;
} rows[] = {
#define ROUNDED(name, type, count, operation)                                     \
    {name "_near_" type, type, type, count, operation, FE_TONEAREST, false},      \
        {name "_up_" type, type, type, count, operation, FE_UPWARD, false},       \
        {name "_down_" type, type, type, count, operation, FE_DOWNWARD, false},   \
        {name "_zero_" type, type, type, count, operation, FE_TOWARDZERO, false}, \
        {name "_ftz_near_" type, type, type, count, operation, FE_TONEAREST, true}
#define EVERY(type)                                                                                                  \
    ROUNDED("add", type, 2, ADD), ROUNDED("sub", type, 2, SUB), ROUNDED("mul", type, 2, MUL),                        \
        ROUNDED("div", type, 2, DIV), ROUNDED("fma", type, 3, FMA), ROUNDED("sqrt", type, 1, SQRT),                  \
        {"min_" type, type, type, 2, MIN, FE_TONEAREST, false}, {"max_" type, type, type, 2, MAX, FE_TONEAREST, false}, \
        {"floor_" type, type, type, 1, INTEGRAL, FE_TONEAREST, false},                                                  \
        {"rint_" type, type, type, 1, INTEGRAL, FE_TONEAREST, false},                                                    \
        {"fract_near_" type, type, type, 1, FRACT, FE_TONEAREST, false},                                             \
        {"cvt_s32_" type, "s32", type, 1, TO_INT, FE_TOWARDZERO, false},                                             \
        {"cvt_upi_u8_" type, "u32", type, 1, TO_INT, FE_UPWARD, false},                                              \
        {"cvt_sneari_s16_" type, "s32", type, 1, TO_SIGNALING, FE_TONEAREST, false},                                 \
        {"cvt_szeroi_u64_" type, "u64", type, 1, TO_SIGNALING, FE_TOWARDZERO, false},                                \
        {"cvt_downi_s64_" type, "s64", type, 1, TO_INT, FE_DOWNWARD, false},                                         \
        {"cvt_zeroi_sat_u32_" type, "u32", type, 1, TO_SAT, FE_TOWARDZERO, false},                                   \
        {"cmp_lt_u32_" type, "u32", type, 2, LESS, FE_TONEAREST, false},                                             \
        {"cmp_neu_u32_" type, "u32", type, 2, LESS, FE_TONEAREST, false},                                            \
        {"cmp_num_u32_" type, "u32", type, 2, LESS, FE_TONEAREST, false},                                            \
        {"cmp_seq_u32_" type, "u32", type, 2, SIGNALING, FE_TONEAREST, false},                                       \
        {"cmp_sgtu_u32_" type, "u32", type, 2, SIGNALING, FE_TONEAREST, false},                                      \
        {"abs_" type, type, type, 1, NOTHING, FE_TONEAREST, false},                                                  \
        {"copysign_" type, type, type, 2, NOTHING, FE_TONEAREST, false}
    EVERY("f16"),
    EVERY("f32"),
    EVERY("f64"),
    {"cvt_near_f32_f64", "f32", "f64", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_up_f32_f64", "f32", "f64", 1, TO_FLOAT, FE_UPWARD, false},
    {"cvt_zero_f16_f64", "f16", "f64", 1, TO_FLOAT, FE_TOWARDZERO, false},
    {"cvt_near_f16_f64", "f16", "f64", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_near_f16_f32", "f16", "f32", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_f64_f32", "f64", "f32", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_f64_f16", "f64", "f16", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_near_f32_s32", "f32", "s32", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_down_f32_u32", "f32", "u32", 1, TO_FLOAT, FE_DOWNWARD, false},
    {"cvt_near_f16_s32", "f16", "s32", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_near_f32_u64", "f32", "u64", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_up_f64_s64", "f64", "s64", 1, TO_FLOAT, FE_UPWARD, false},
    {"cvt_near_f64_u64", "f64", "u64", 1, TO_FLOAT, FE_TONEAREST, false},
    {"cvt_near_f64_s32", "f64", "s32", 1, TO_FLOAT, FE_TONEAREST, false},
    {"div_u32", "u32", "u32", 2, NOTHING, FE_TONEAREST, false},
    {"rem_s32", "s32", "s32", 2, NOTHING, FE_TONEAREST, false},
    {"div_s64", "s64", "s64", 2, NOTHING, FE_TONEAREST, false},
    {"rem_u64", "u64", "u64", 2, NOTHING, FE_TONEAREST, false},
    {"mad_u64", "u64", "u64", 3, NOTHING, FE_TONEAREST, false},
    {"nsqrt_f32", "f32", "f32", 1, NOTHING, FE_TONEAREST, false},
    {"nrcp_f64", "f64", "f64", 1, NOTHING, FE_TONEAREST, false},
    {"class_b1_f32", "b1", "f32", 2, NOTHING, FE_TONEAREST, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static unsigned bits_of(const char *type)
{
    return (unsigned)atoi(type + 1);
}

/* Numbers near every edge, and any */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint64_t draw_float(unsigned bits)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52, range = (1u << (bits - mantissa - 1)) - 1;
    const unsigned exponents[] = {0, 0, 1, 2, range / 2 - 1, range / 2, range / 2 + 1, range - 1, range, range / 2 + 7};
    uint64_t ones = (UINT64_C(1) << mantissa) - 1, r = draw();
    const uint64_t fractions[] = {0, 0, 1, ones, ones - 1, UINT64_C(1) << (mantissa - 1), ones >> 1, draw() & ones};
    unsigned exponent = r & 1   ? exponents[draw() % 10]
                        : r & 2 ? range / 2 - 4 + draw() % 9
                                : (unsigned)(draw() & range);
    return (draw() & 1) << (bits - 1) | (uint64_t)exponent << mantissa | fractions[draw() % 8];
}

static uint64_t draw_operand(const char *type)
{
    unsigned bits = bits_of(type);
    if (*type == 'f')
        return draw_float(bits);
    uint64_t x = draw() >> (draw() & 63);
    x = draw() & 1 ? -x : x;
    return bits == 64 ? x : x & UINT32_MAX;
}

/* What the host does */

static bool is_signaling(uint64_t x, unsigned bits)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t top = UINT64_C(1) << (bits - 1), infinity = top - (UINT64_C(1) << mantissa), size = x & (top - 1);
    return size > infinity && !(size >> (mantissa - 1) & 1);
}

static unsigned raised(void)
{
    int flags = fetestexcept(FE_ALL_EXCEPT);
    return (flags & FE_INVALID ? INVALID : 0u) | (flags & FE_DIVBYZERO ? DIVISION : 0u) |
           (flags & FE_OVERFLOW ? OVERFLOW : 0u) | (flags & FE_UNDERFLOW ? UNDERFLOW : 0u) |
           (flags & FE_INEXACT ? INEXACT : 0u);
}

static void set_flushing(bool on)
{
    enum { DAZ_FTZ = 1 << 6 | 1 << 15 };
    uint32_t csr;
    __asm__ volatile("stmxcsr %0" : "=m"(csr));
    csr = on ? csr | DAZ_FTZ : csr & ~(uint32_t)DAZ_FTZ;
    __asm__ volatile("ldmxcsr %0" : : "m"(csr));
}

/* What there is of results; volatile, so that they are computed where they stand. */
static volatile float single;
static volatile double wide;
static volatile _Float16 half;

#define COMPUTE(result, root, multiply_add, least, most, down) \
    switch (operation) {                                       \
    case ADD: result = a + b; break;                           \
    case SUB: result = a - b; break;                           \
    case MUL: result = a * b; break;                           \
    case DIV: result = a / b; break;                           \
    case FMA: result = multiply_add(a, b, c); break;           \
    case SQRT: result = root(a); break;                        \
    case MIN: result = least(a, b); break;                     \
    case MAX: result = most(a, b); break;                      \
    case FRACT:                                                \
        b = down(a);                                           \
        feclearexcept(FE_ALL_EXCEPT);                          \
        result = isinf(a) ? 0 : a - b;                         \
        break;                                                 \
    case TO_FLOAT:                                             \
    case INTEGRAL:                                             \
    case TO_INT:                                               \
    case TO_SIGNALING:                                         \
    case TO_SAT:                                               \
    case LESS:                                                 \
    case SIGNALING:                                            \
    case NOTHING: break;                                       \
    }

static void compute_single(enum operation operation, volatile float a, volatile float b, volatile float c)
{
    COMPUTE(single, sqrtf, fmaf, fminf, fmaxf, floorf)
}

static void compute_wide(enum operation operation, volatile double a, volatile double b, volatile double c)
{
    COMPUTE(wide, sqrt, fma, fmin, fmax, floor)
}

static double half_source(const struct row *row, uint64_t x)
{
    return row->ftz && !(x & 0x7c00) ? copysign(0, f16_of_bits(x)) : f16_of_bits(x);
}

/* Raising nothing but what a quotient or a sum in double raises, and what rounding it to half does. False if the double
 * is not exact where it has to be. */
static bool compute_half(const struct row *row, const uint64_t *x, unsigned *flags)
{
    double a = half_source(row, x[0]), b = half_source(row, x[1]), c = half_source(row, x[2]);
    bool narrow = row->operation == DIV || row->operation == SQRT;
    fesetround(narrow ? FE_TONEAREST : row->round);
    compute_wide(row->operation, a, b, c);
    unsigned first = raised();
    if (first & INEXACT && !narrow)
        return false;
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(row->round);
    half = (_Float16)wide;
    *flags = (first & (INVALID | DIVISION)) | raised();
    bool tiny = row->ftz && half != 0 && fabs((double)half) < 0x1p-14;
    *flags |= tiny ? UNDERFLOW | INEXACT : 0u;
    half = tiny ? copysign(0, (double)half) : half;
    return true;
}

/* The number that an operand is; exact. */
static double number_of(const char *type, uint64_t x)
{
    unsigned bits = bits_of(type);
    if (*type == 'f')
        return bits == 16 ? f16_of_bits(x) : bits == 32 ? (double)f32_of_bits(x) : f64_of_bits(x);
    return *type == 's' ? (double)(int32_t)x : (double)(uint32_t)x;
}

static void convert(const char *to, const char *from, uint64_t x)
{
    bool is_long = bits_of(from) == 64 && *from != 'f';
    volatile int64_t number = (int64_t)x;
    volatile uint64_t count = x;
    volatile double a = is_long ? 0 : number_of(from, x);
    if (bits_of(to) == 64)
        wide = !is_long ? a : *from == 's' ? (double)number : (double)count;
    else if (bits_of(to) == 32)
        single = !is_long ? (float)a : *from == 's' ? (float)number : (float)count;
    else
        half = (_Float16)a;
}

/* PRM 5.19.4. */
static unsigned to_integer(const struct row *row, uint64_t x)
{
    const char *name = row->instruction + 4; /* after cvt_ */
    while (*name != 's' && *name != 'u')
        name = strchr(name, '_') + 1;
    if (name[1] < '0' || name[1] > '9')
        name = strchr(name, '_') + 1;
    if (name[1] < '0' || name[1] > '9') /* _sat */
        name = strchr(name, '_') + 1;
    int bits = atoi(name + 1) - (*name == 's');
    double a = number_of(row->from, x), whole;
    fesetround(row->round);
    whole = nearbyint(a);
    fesetround(FE_TONEAREST);
    bool fits = whole >= (*name == 's' ? -ldexp(1, bits) : 0) && whole < ldexp(1, bits);
    if (row->operation == TO_SAT)
        return is_signaling(x, bits_of(row->from)) ? INVALID : 0;
    return !fits ? INVALID : row->operation == TO_SIGNALING && whole != a ? INEXACT : 0;
}

static bool has_nan(const struct row *row, const uint64_t *x)
{
    bool nan = false;
    for (unsigned i = 0; i < row->count && *row->from == 'f'; i++)
        nan |= isnan(number_of(row->from, x[i])) != 0;
    return nan;
}

/* The exceptions of HSAIL; false if the host cannot tell. */
static bool expected(const struct row *row, const uint64_t *x, unsigned *flags)
{
    unsigned bits = bits_of(row->from);
    bool nan = has_nan(row, x), signaling = false;
    for (unsigned i = 0; i < row->count && *row->from == 'f'; i++)
        signaling |= is_signaling(x[i], bits);
    *flags = signaling ? INVALID : 0;
    if (row->operation == NOTHING)
        *flags = 0;
    else if (row->operation == SIGNALING)
        *flags = nan ? INVALID : 0;
    else if (row->operation >= TO_INT && row->operation <= TO_SAT)
        *flags = to_integer(row, x[0]);
    if (row->operation >= INTEGRAL || signaling || (nan && row->operation != FMA))
        return true;
    if (row->operation == FMA && nan)
        return false; /* whether 0 times infinity plus a NaN is invalid is the implementation's choice */
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(row->round);
    set_flushing(row->ftz && bits > 16);
    bool known = true;
    if (row->operation == TO_FLOAT)
        convert(row->to, row->from, x[0]);
    else if (bits == 16)
        known = compute_half(row, x, flags);
    else if (bits == 32)
        compute_single(row->operation, f32_of_bits(x[0]), f32_of_bits(x[1]), f32_of_bits(x[2]));
    else
        compute_wide(row->operation, f64_of_bits(x[0]), f64_of_bits(x[1]), f64_of_bits(x[2]));
    if (bits != 16 || row->operation == TO_FLOAT)
        *flags = raised();
    set_flushing(false);
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    return known;
}

/* The kernels */

static uint64_t sources[CASES][4], results[CASES][2];

static const char *register_of(const char *type)
{
    return !strcmp(type, "b1") ? "$c" : bits_of(type) == 64 ? "$d1" : "$s";
}

static void write_kernel(FILE *out, unsigned number, const struct row *row)
{
    const char *from = register_of(row->from), *to = register_of(row->to);
    fprintf(out,
            "prog kernel &k%u(kernarg_u64 %%in, kernarg_u64 %%out)\n{\nenabledetectexceptions 31;\n"
            "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; ld_kernarg_u64 $d1, [%%in]; ld_kernarg_u64 $d2, [%%out];\n"
            "shl_u64 $d3, $d0, 5; add_u64 $d1, $d1, $d3; shl_u64 $d3, $d0, 4; add_u64 $d2, $d2, $d3;\n",
            number);
    for (unsigned i = 0; i < row->count; i++) {
        bool classes = !strncmp(row->instruction, "class", 5) && i == 1;
        fprintf(out, "ld_global_%s %s%u, [$d1+%u];\n", classes ? "u32" : row->from, classes ? "$s" : from, i + 1,
                8 * i);
    }
    fprintf(out, "%s %s5", row->instruction, to);
    for (unsigned i = 0; i < row->count; i++)
        fprintf(out, ", %s%u", !strncmp(row->instruction, "class", 5) && i == 1 ? "$s" : from, i + 1);
    fprintf(out, ";\ngetdetectexcept_u32 $s6; st_global_u32 $s6, [$d2+8];\n");
    if (!strcmp(row->to, "b1"))
        fprintf(out, "cvt_u32_b1 $s5, $c5; st_global_u32 $s5, [$d2];\n};\n");
    else
        fprintf(out, "st_global_%s %s5, [$d2];\n};\n", row->to, to);
}

static char *write_module(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "module &exceptions:1:2:$full:$large:$near;\n");
    for (unsigned i = 0; i < ROWS; i++)
        write_kernel(out, i, &rows[i]);
    fclose(out);
    return text;
}

/* Whether the result is what the host has computed for it; some NaN is as good as any. */
static bool is_right(const struct row *row, uint64_t result)
{
    if (row->operation > SQRT && row->operation != TO_FLOAT)
        return true;
    float f = single;
    double d = wide;
    _Float16 h = half;
    if (bits_of(row->to) == 64)
        return isnan(d) ? isnan(f64_of_bits(result)) : !memcmp(&d, &result, sizeof d);
    if (bits_of(row->to) == 32)
        return isnan(f) ? isnan(f32_of_bits(result)) : !memcmp(&f, &result, sizeof f);
    return isnan((double)h) ? isnan(f16_of_bits(result)) : !memcmp(&h, &result, sizeof h);
}

static void check_row(struct gpu *gpu, unsigned number, const char *level)
{
    const struct row *row = &rows[number];
    char name[16];
    unsigned wrong = 0, known = 0, seen = 0;
    snprintf(name, sizeof name, "&k%u", number);
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned k = 0; k < 3; k++)
            sources[i][k] = draw_operand(row->from);
    memset(results, 0xff, sizeof results);
    bool done = gpu_run(gpu, name, CASES, 1, (uint64_t[]){(uintptr_t)sources, (uintptr_t)results}, 2);
    for (unsigned i = 0; i < CASES && done; i++) {
        unsigned flags, found = (unsigned)results[i][1];
        if (!expected(row, sources[i], &flags))
            continue;
        known++;
        seen |= flags;
        bool right = has_nan(row, sources[i]) || is_right(row, results[i][0]);
        if ((found != flags || !right) && wrong++ < 3)
            printf("# %llx, %llx, %llx raise 0x%x instead of 0x%x%s\n", (unsigned long long)sources[i][0],
                   (unsigned long long)sources[i][1], (unsigned long long)sources[i][2], found, flags,
                   right ? "" : ", and the result is wrong");
    }
    ok(done && !wrong && known > CASES / 4, "%s %s raises what it has to (0x%x, %u cases)", level, row->instruction,
       seen, known);
}

static void check_rows(const char *level)
{
    char *text = write_module();
    struct gpu *gpu = gpu_open(text, level);
    if (ok(gpu, "the kernels compile at %s", level))
        for (unsigned i = 0; i < ROWS; i++)
            check_row(gpu, i, level);
    gpu_close(gpu);
    free(text);
}

/* Programs */

static const char before[] =
    "module &m:1:2:$full:$large:$near;\n"
    "function &third(arg_f32 %r)(arg_f32 %x)\n{\n"
    "ld_arg_f32 $s1, [%x]; div_near_f32 $s1, $s1, 3.0f; st_arg_f32 $s1, [%r];\n};\n"
    "prog kernel &k(kernarg_u64 %out)\n{\n";
static const char open[] = "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 2;\n"
                           "ld_kernarg_u64 $d1, [%out]; add_u64 $d1, $d1, $d0; cvt_near_f32_u32 $s10, $s0;\n";
static const char get[] = "getdetectexcept_u32 $s9; st_global_u32 $s9, [$d1]; st_global_u32 $s5, [$d1+1024];\n};\n";
static const char call[] =
    "{ arg_f32 %r; arg_f32 %x; st_arg_f32 $s10, [%x]; call &third(%r)(%x); ld_arg_f32 $s5, [%r]; }\n";

static uint32_t flags_of_item[512];

/* Runs a kernel of two waves at both levels; the flags that the items see are in flags_of_item. False unless it is
 * stopped by FAULT. */
static bool execute(const char *control, const char *body, enum gcn_fault_kind fault)
{
    static const char *const levels[] = {"-O0", "-O2"};
    char text[2048];
    bool good = true;
    snprintf(text, sizeof text, "%s%s%s%s%s", before, control, open, body, get);
    for (unsigned i = 0; i < 2 && good; i++) {
        struct gpu *gpu = gpu_open(text, levels[i]);
        memset(flags_of_item, 0xff, sizeof flags_of_item);
        good = gpu && gpu_run(gpu, "&k", 128, 128, (uint64_t[]){(uintptr_t)flags_of_item}, 1) == !fault &&
               gpu_fault(gpu)->kind == fault;
        if (gpu && !good)
            printf("# fault %d\n", (int)gpu_fault(gpu)->kind);
        if (good && fault)
            good = gpu_fault(gpu)->has_item && gpu_fault(gpu)->item[0] == 70;
        gpu_close(gpu);
    }
    return good;
}

static bool see(uint32_t first_wave, uint32_t second_wave)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 128; i++)
        wrong += flags_of_item[i] != (i < 64 ? first_wave : second_wave);
    if (wrong)
        printf("# 0x%x and 0x%x\n", flags_of_item[0], flags_of_item[64]);
    return !wrong;
}

#define DETECT "enabledetectexceptions 31;\n"

static void check_detection(void)
{
    static const struct {
        const char *what, *control, *body;
        uint32_t first, second; /* what the waves see */
    } cases[] = {
        {"nothing at first", DETECT, "mov_b32 $s5, 0;", 0, 0},
        {"constants", DETECT, "div_near_f32 $s5, 1.0f, 3.0f;", INEXACT, INEXACT},
        {"constants that are infinite", DETECT, "div_near_f32 $s5, 1.0f, 0.0f;", DIVISION, DIVISION},
        {"only what is enabled", "enabledetectexceptions 2;\n",
         "div_near_f32 $s5, 1.0f, 0.0f; div_near_f32 $s5, 1.0f, 3.0f;", DIVISION, DIVISION},
        {"one item of a wave", DETECT, "sub_near_f32 $s6, $s10, 70.0f; div_near_f32 $s5, 0.0f, $s6;", 0, INVALID},
        {"what is executed in a branch", DETECT,
         "mov_b32 $s5, 0; cmp_ne_b1_u32 $c0, $s0, 3; cbr_b1 $c0, @skip; sqrt_near_f32 $s5, -1.0f;\n@skip:\n", INVALID,
         0},
        {"what a function raises", DETECT, call, INEXACT, INEXACT},
        {"flags that are cleared", DETECT,
         "div_near_f32 $s5, 1.0f, 0.0f; div_near_f32 $s5, 1.0f, 3.0f; cleardetectexcept_u32 18; sqrt_near_f32 $s5, "
         "-1.0f;",
         INVALID, INVALID},
        {"flags that are set", DETECT, "setdetectexcept_u32 4; add_near_f32 $s5, 1.0f, 1.0f;", OVERFLOW, OVERFLOW},
        {"packed operations", DETECT,
         "add_near_pp_f16x2 $s5, f16x2(65504.0h, 1.0h), f16x2(65504.0h, 1.0h); min_pp_f16x2 $s5, $s5, $s5;",
         OVERFLOW | INEXACT, OVERFLOW | INEXACT},
        {"loops", DETECT,
         "mov_b32 $s6, 0; mov_b32 $s5, 0x3f800000;\n@loop:\nadd_u32 $s6, $s6, 1; mul_near_f32 $s5, $s5, 65536.0f;\n"
         "cmp_lt_b1_u32 $c0, $s6, 9; cbr_b1 $c0, @loop;\n",
         OVERFLOW | INEXACT, OVERFLOW | INEXACT},
        {"integer division, exact arithmetic and native operations", DETECT,
         "add_u32 $s6, $s0, 7; div_u32 $s5, 1000, $s6; nsin_f32 $s6, $s10; add_near_f32 $s5, $s10, 0.5f;", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(execute(cases[i].control, cases[i].body, GCN_FAULT_NONE) && see(cases[i].first, cases[i].second),
           "detected: %s", cases[i].what);
}

/* Kernels that item 70 stops. */
static void check_breaks(void)
{
    static const struct {
        const char *what, *control, *body;
        enum gcn_fault_kind fault;
    } cases[] = {
        {"a division by zero", "enablebreakexceptions 2;\n",
         "sub_near_f32 $s6, $s10, 70.0f; div_near_f32 $s5, 1.0f, $s6;", GCN_FAULT_EXC_DIVISION},
        {"an invalid root", "enablebreakexceptions 1;\n",
         "cmp_eq_b1_u32 $c0, $s0, 70; cmov_b32 $s6, $c0, 0xbf800000, 0; sqrt_near_f32 $s5, $s6;",
         GCN_FAULT_EXC_INVALID},
        {"an overflow", "enablebreakexceptions 4;\n",
         "cmp_eq_b1_u32 $c0, $s0, 70; cmov_b32 $s6, $c0, 0x7f000000, 0x3f8ccccd; mul_near_f32 $s5, $s6, $s6;",
         GCN_FAULT_EXC_OVERFLOW},
        {"an underflow", "enablebreakexceptions 8;\n",
         "cmp_eq_b1_u32 $c0, $s0, 70; cmov_b32 $s6, $c0, 0x00800001, 0x3f8ccccd; mul_near_f32 $s5, $s6, 0.7f;",
         GCN_FAULT_EXC_UNDERFLOW},
        {"an inexact quotient", "enablebreakexceptions 16;\n",
         "cmp_eq_b1_u32 $c0, $s0, 70; cmov_b32 $s6, $c0, 0x40400000, 0x40000000; div_near_f32 $s5, 1.0f, $s6;",
         GCN_FAULT_EXC_INEXACT},
        {"an inexact quotient of doubles", "enablebreakexceptions 16;\n",
         "cmp_eq_b1_u32 $c0, $s0, 70; cmov_b64 $d6, $c0, 0x4008000000000000, 0x4000000000000000;\n"
         "div_near_f64 $d5, 1.0, $d6; cvt_near_f32_f64 $s5, $d5;",
         GCN_FAULT_EXC_INEXACT},
        {"nothing that is not enabled", "enablebreakexceptions 6;\n",
         "add_near_f32 $s6, $s10, 0.1f; div_near_f32 $s5, 1.0f, $s6; mul_near_f32 $s5, $s5, 0x1p-120f;",
         GCN_FAULT_NONE},
        {"nothing on the way to exact results", "enablebreakexceptions 31;\n",
         "div_near_f32 $s6, $s10, 4.0f; cvt_f64_f32 $d5, $s6; div_near_f64 $d5, $d5, 4.0; sqrt_near_f64 $d6, 16.0;\n"
         "add_u32 $s6, $s0, 1; div_u32 $s5, 1000, $s6; rem_u64 $d5, 77, 9; nlog2_f32 $s6, $s10; fract_near_f32 $s6, "
         "2.5f;",
         GCN_FAULT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(execute(cases[i].control, cases[i].body, cases[i].fault), "a kernel is stopped by %s", cases[i].what);
}

int main(void)
{
    check_rows("-O0");
    check_rows("-O2");
    check_detection();
    check_breaks();
    return tap_done();
}
