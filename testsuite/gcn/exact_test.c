/* SPDX-License-Identifier: MIT */
/* Tests the exceptions of vector operations: TRAPSTS against the flags of the host's arithmetic, in all rounding modes,
 * with denormals kept and flushed; a table for what the host does not have; and faults where exceptions are enabled. */
#include "testsuite/float_bits.h"
#include "testsuite/gcn/exec_harness.h"

#include "runtime/gcn/exact.h"
#include "runtime/gcn/wave_run.h"

#include <emmintrin.h>
#include <math.h>

enum { FLUSHED = 1 };
enum { CSR_DAZ = 1 << 6, CSR_FTZ = 1 << 15, CSR_MASKS = 0x1f80 };

/* MXCSR for a rounding mode of MODE. */
static uint32_t host_control(unsigned rounding, bool flush)
{
    static const uint32_t of_mode[4] = {0, 2, 1, 3};
    return CSR_MASKS | of_mode[rounding] << 13 | (flush ? CSR_DAZ | CSR_FTZ : 0);
}

/* MXCSR has the same order: invalid, denormal, division, overflow, underflow, inexact. */
static uint32_t host_flags(void)
{
    uint32_t csr, clean = CSR_MASKS;
    uint16_t x87; /* where libgcc's conversions to half precision raise some of theirs */
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %2\n\tfnstsw %1\n\tfnclex" : "=m"(csr), "=a"(x87) : "m"(clean) : "memory");
    return (csr | x87) & 0x3f;
}

static void host_begin(unsigned rounding, bool flush)
{
    uint32_t csr = host_control(rounding, flush);
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
}

enum width { HALF, SINGLE, WIDE };

struct operands {
    uint64_t a, b, c;
};

/* What the host does; the results are stored, so that nothing is computed at another time. */
static volatile float single;
static volatile double wide;
static volatile _Float16 half;
static volatile int32_t integer;
static volatile bool truth;

#define HOST(name, statement)                     \
    static void host_##name(struct operands o)    \
    {                                             \
        volatile struct operands at = o;          \
        statement;                                \
    }
HOST(add_f32, single = f32_of_bits(at.a) + f32_of_bits(at.b))
HOST(sub_f32, single = f32_of_bits(at.a) - f32_of_bits(at.b))
HOST(subrev_f32, single = f32_of_bits(at.b) - f32_of_bits(at.a))
HOST(mul_f32, single = f32_of_bits(at.a) * f32_of_bits(at.b))
HOST(fma_f32, single = fmaf(f32_of_bits(at.a), f32_of_bits(at.b), f32_of_bits(at.c)))
HOST(add_f64, wide = f64_of_bits(at.a) + f64_of_bits(at.b))
HOST(mul_f64, wide = f64_of_bits(at.a) * f64_of_bits(at.b))
HOST(fma_f64, wide = fma(f64_of_bits(at.a), f64_of_bits(at.b), f64_of_bits(at.c)))
HOST(mad_f32, single = f32_of_bits(at.a) * f32_of_bits(at.b); single = single + f32_of_bits(at.c))
HOST(cvt_f32_f64, single = (float)f64_of_bits(at.a))
HOST(cvt_f64_f32, wide = (double)f32_of_bits(at.a))
HOST(cvt_f32_i32, single = (float)(int32_t)at.a)
HOST(cvt_f32_u32, single = (float)(int64_t)(uint32_t)at.a)
HOST(cvt_i32_f32, integer = _mm_cvttss_si32(_mm_set_ss(f32_of_bits(at.a))))
HOST(cvt_i32_f64, integer = _mm_cvttsd_si32(_mm_set_sd(f64_of_bits(at.a))))
HOST(min_f32, truth = f32_of_bits(at.a) == f32_of_bits(at.b))
HOST(cmp_f32, truth = f32_of_bits(at.a) == f32_of_bits(at.b))
HOST(cmp_f64, truth = f64_of_bits(at.a) == f64_of_bits(at.b))
HOST(signals_f32, truth = f32_of_bits(at.a) < f32_of_bits(at.b))
HOST(signals_f64, truth = f64_of_bits(at.a) < f64_of_bits(at.b))
/* Exact in double, except where the test sees that it is not. */
HOST(add_f16, wide = f16_of_bits(at.a) + f16_of_bits(at.b))
HOST(sub_f16, wide = f16_of_bits(at.a) - f16_of_bits(at.b))
HOST(mul_f16, wide = f16_of_bits(at.a) * f16_of_bits(at.b))
HOST(fma_f16, wide = f16_of_bits(at.a) * f16_of_bits(at.b) + f16_of_bits(at.c))
HOST(cvt_f16_f32, half = (_Float16)f32_of_bits(at.a))

static const struct row {
    unsigned op;
    enum width sources, result;
    unsigned flags;
    bool signals;
    void (*host)(struct operands o);
} rows[] = {
    {GCN_OP_v_add_f32, SINGLE, SINGLE, FLUSHED, false, host_add_f32},
    {GCN_OP_v_sub_f32, SINGLE, SINGLE, FLUSHED, false, host_sub_f32},
    {GCN_OP_v_subrev_f32, SINGLE, SINGLE, FLUSHED, false, host_subrev_f32},
    {GCN_OP_v_mul_f32, SINGLE, SINGLE, FLUSHED, false, host_mul_f32},
    {GCN_OP_v_fma_f32, SINGLE, SINGLE, FLUSHED, false, host_fma_f32},
    {GCN_OP_v_add_f64, WIDE, WIDE, FLUSHED, false, host_add_f64},
    {GCN_OP_v_mul_f64, WIDE, WIDE, FLUSHED, false, host_mul_f64},
    {GCN_OP_v_fma_f64, WIDE, WIDE, FLUSHED, false, host_fma_f64},
    {GCN_OP_v_mad_f32, SINGLE, SINGLE, FLUSHED, false, host_mad_f32},
    {GCN_OP_v_cvt_f32_f64, WIDE, SINGLE, 0, false, host_cvt_f32_f64},
    {GCN_OP_v_cvt_f64_f32, SINGLE, WIDE, 0, false, host_cvt_f64_f32},
    {GCN_OP_v_cvt_f32_i32, SINGLE, SINGLE, 0, false, host_cvt_f32_i32},
    {GCN_OP_v_cvt_f32_u32, SINGLE, SINGLE, 0, false, host_cvt_f32_u32},
    {GCN_OP_v_cvt_i32_f32, SINGLE, SINGLE, 0, false, host_cvt_i32_f32},
    {GCN_OP_v_cvt_i32_f64, WIDE, SINGLE, 0, false, host_cvt_i32_f64},
    {GCN_OP_v_min_f32, SINGLE, SINGLE, 0, false, host_min_f32},
    {GCN_OP_v_cmp_eq_f32, SINGLE, SINGLE, 0, false, host_cmp_f32},
    {GCN_OP_v_cmpx_lt_f32, SINGLE, SINGLE, 0, true, host_signals_f32},
    {GCN_OP_v_cmp_o_f64, WIDE, WIDE, 0, false, host_cmp_f64},
    {GCN_OP_v_cmp_le_f64, WIDE, WIDE, 0, true, host_signals_f64},
    {GCN_OP_v_add_f16, HALF, HALF, 0, false, host_add_f16},
    {GCN_OP_v_sub_f16, HALF, HALF, 0, false, host_sub_f16},
    {GCN_OP_v_mul_f16, HALF, HALF, 0, false, host_mul_f16},
    {GCN_OP_v_fma_f16, HALF, HALF, 0, false, host_fma_f16},
    {GCN_OP_v_cvt_f16_f32, SINGLE, HALF, 0, false, host_cvt_f16_f32},
};

static bool is_signaling16(uint64_t bits)
{
    return (bits & 0x7c00) == 0x7c00 && bits & 0x3ff && !(bits & 0x200);
}

static bool is_denormal16(uint64_t bits)
{
    return !(bits & 0x7c00) && bits & 0x3ff;
}

/* What the host raises; false if it cannot say. */
static bool host_says(const struct row *row, struct operands o, unsigned rounding, bool flush, uint32_t *flags)
{
    bool halves = row->sources == HALF, narrows = row->result == HALF;
    host_begin(narrows ? 0 : rounding, flush);
    if (!halves) {
        if (narrows)
            host_begin(rounding, false);
        row->host(o);
        *flags = host_flags();
        return true;
    }
    bool three = row->op == GCN_OP_v_fma_f16;
    row->host(o);
    uint32_t exact = host_flags();
    if (is_signaling16(o.a) || is_signaling16(o.b) || (three && is_signaling16(o.c))) {
        *flags = EXACT_INVALID;
        return true;
    }
    bool nan = isnan(f16_of_bits(o.a)) || isnan(f16_of_bits(o.b)) || (three && isnan(f16_of_bits(o.c)));
    bool denormal = is_denormal16(o.a) || is_denormal16(o.b) || (three && is_denormal16(o.c));
    if (exact & (EXACT_INEXACT | EXACT_OVERFLOW) || nan)
        return false;
    host_begin(rounding, false);
    half = (_Float16)wide;
    *flags = (host_flags() & ~(uint32_t)EXACT_DENORMAL) | (exact & EXACT_INVALID) | (denormal ? EXACT_DENORMAL : 0);
    return true;
}

/* Numbers near every edge, and any. */
static uint64_t number(enum width width)
{
    static const uint64_t edges32[] = {
        0,          1,          0x7fffff,   0x800000,   0x800001,   0x3f800000, 0x3f800001, 0x3f7fffff, 0x7f7fffff,
        0x7f800000, 0x7fc00000, 0x7f800001, 0x4f000000, 0x4effffff, 0xcf000000, 0x3f000000, 0x00ffffff, 0x7effffff};
    uint64_t random = random64(), sign = random64() & 1;
    uint64_t pick = edges32[random % (sizeof edges32 / sizeof edges32[0])];
    if (width == SINGLE)
        return random >> 60 < 8    ? pick | sign << 31
               : random >> 60 < 12 ? (random & 0x807fffff) | (uint64_t)(0x7b + (random >> 40) % 10) << 23
                                   : random & UINT32_MAX;
    if (width == HALF)
        return random >> 60 < 4 ? (random & 0x8000) | (random & 0x3ff) : random >> 16 & 0xffff;
    if (random >> 60 < 6) { /* the same edges, with the exponents of double */
        uint64_t exponent =
            pick >> 23 == 0xff   ? 0x7ff
            : pick >> 23 < 2     ? pick >> 23
            : pick >> 23 == 0xfe ? 0x7fe
                                 : (pick >> 23) + 896;
        return sign << 63 | exponent << 52 | (pick & 0x7fffff) << 29 | (pick & 1);
    }
    return random >> 60 < 13 ? (random & 0x800fffffffffffff) | (0x3fa + (random64() & 15)) << 52 : random64();
}

static void put(unsigned reg, unsigned lane, uint64_t bits)
{
    wave->v[reg][lane] = (uint32_t)bits;
    wave->v[reg + 1][lane] = (uint32_t)(bits >> 32);
}

static uint32_t trapsts_of(const struct row *row, struct operands o, uint32_t mode)
{
    static struct gcn_uop op;
    static const uint32_t pc;
    static struct gcn_unit unit;
    unit = (struct gcn_unit){.cache = cache, .ops = &op, .pcs = &pc, .count = 1};
    op = (struct gcn_uop){.fn = gcn_exact_account, .dst = v(8), .src = {v(0), v(2), v(4)}, .imm = (int32_t)row->op};
    op.aux = row->signals ? GCN_EXACT_SIGNALS : 0;
    wave->unit = &unit;
    wave->mode = mode;
    gcn_mode_changed(wave);
    wave->trapsts = 0;
    gcn_set64(wave, GCN_S_EXEC, 1u << 5);
    put(0, 5, o.a), put(2, 5, o.b), put(4, 5, o.c);
    return op.fn(wave, &op) == &op + 1 ? wave->trapsts : UINT32_MAX;
}

static bool always_flushed(const struct row *row)
{
    return row->op == GCN_OP_v_mad_f32;
}

static bool has_denormal_flag(const struct row *row)
{
    return row->op != GCN_OP_v_cvt_i32_f32 && row->op != GCN_OP_v_cvt_i32_f64 && row->op != GCN_OP_v_cvt_f16_f32;
}

/* Whether an exception that is enabled stops the wave where it is raised, and nowhere else. */
static bool stops(const struct row *row, struct operands o, uint32_t mode, uint32_t expected, uint32_t ignored)
{
    uint32_t bit = 1u << random64() % 6;
    if (bit & ignored)
        return true;
    bool stopped = trapsts_of(row, o, mode | bit << GCN_MODE_EXCP_EN) == UINT32_MAX;
    return stopped == ((expected & bit) != 0);
}

static void check_row(const struct row *row)
{
    enum { TRIES = 40000 };
    unsigned wrong = 0, told = 0;
    uint32_t seen = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        unsigned rounding = i & 3;
        bool flush = (row->flags & FLUSHED && i & 4) || always_flushed(row);
        struct operands o = {number(row->sources), number(row->sources), number(row->sources)};
        uint32_t mode = rounding * 5 | (flush ? 0 : 0xf0) | 1 << GCN_MODE_IEEE, expected;
        if (!host_says(row, o, rounding, flush, &expected))
            continue;
        uint32_t found = trapsts_of(row, o, mode), ignored = has_denormal_flag(row) ? 0 : EXACT_DENORMAL;
        if (expected & EXACT_INVALID)
            ignored |=
                always_flushed(row) ? ~(uint32_t)EXACT_INVALID : EXACT_DENORMAL; /* of two steps, the host does both */
        told++;
        seen |= expected;
        if ((found ^ expected) & ~ignored && wrong++ < 3)
            printf("# %s(%llx, %llx, %llx), rounding %u, flush %d: 0x%x instead of 0x%x\n", gcn_op_info[row->op].name,
                   (unsigned long long)o.a, (unsigned long long)o.b, (unsigned long long)o.c, rounding, flush, found,
                   expected);
        else if (!stops(row, o, mode, expected, ignored) && wrong++ < 3)
            printf("# %s(%llx, %llx, %llx) stops when it should not, or goes on\n", gcn_op_info[row->op].name,
                   (unsigned long long)o.a, (unsigned long long)o.b, (unsigned long long)o.c);
    }
    ok(!wrong && told > TRIES / 2, "%s%s raises what the host raises, in %u cases (0x%x)", gcn_op_info[row->op].name,
       row->signals ? " clamp" : "", told, seen);
}

/* What the host does not compute, from the descriptions of the operations. */
enum { I = EXACT_INVALID, D = EXACT_DENORMAL, Z = EXACT_DIVISION, O = EXACT_OVERFLOW, U = EXACT_UNDERFLOW };
enum { X = EXACT_INEXACT, N = EXACT_INT_DIVISION };
#define ONE   0x3f800000
#define MINUS 0xbf800000
#define INF   0x7f800000
#define QNAN  0x7fc00000
#define SNAN  0x7f800001
#define TINY  1
#define BIG   0x7f7fffff
#define ONE64 (UINT64_C(0x3ff) << 52)

static const struct {
    unsigned op;
    uint64_t a, b, c;
    uint32_t flags;
} cases[] = {
    {GCN_OP_v_rcp_f32, 0, 0, 0, Z},
    {GCN_OP_v_rcp_f32, ONE, 0, 0, 0},
    {GCN_OP_v_rcp_f32, TINY, 0, 0, Z}, /* taken for 0 */
    {GCN_OP_v_rcp_f32, SNAN, 0, 0, I},
    {GCN_OP_v_rcp_f64, 1, 0, 0, D},
    {GCN_OP_v_rcp_iflag_f32, 0, 0, 0, N},
    {GCN_OP_v_rcp_iflag_f32, SNAN, 0, 0, 0},
    {GCN_OP_v_rsq_f32, 0x80000000, 0, 0, Z},
    {GCN_OP_v_rsq_f32, MINUS, 0, 0, I},
    {GCN_OP_v_sqrt_f32, MINUS, 0, 0, I},
    {GCN_OP_v_sqrt_f32, 0x80000000, 0, 0, 0},
    {GCN_OP_v_sqrt_f64, ONE64 | UINT64_C(1) << 63, 0, 0, I},
    {GCN_OP_v_log_f32, 0, 0, 0, Z},
    {GCN_OP_v_log_f32, MINUS, 0, 0, I},
    {GCN_OP_v_log_f32, QNAN, 0, 0, 0},
    {GCN_OP_v_sin_f32, INF, 0, 0, I},
    {GCN_OP_v_floor_f32, 0x3fc00000, 0, 0, 0},
    {GCN_OP_v_rndne_f64, UINT64_C(0x7ff4) << 48, 0, 0, I},
    {GCN_OP_v_fract_f32, 0x3fc00000, 0, 0, 0},
    {GCN_OP_v_fract_f32, 0xa0000000, 0, 0, X}, /* 1 - 2^-63 */
    {GCN_OP_v_fract_f32, INF, 0, 0, I},
    {GCN_OP_v_mul_legacy_f32, 0, INF, 0, 0},
    {GCN_OP_v_mul_legacy_f32, BIG, BIG, 0, O | X},
    {GCN_OP_v_ldexp_f32, ONE, 128, 0, O | X},
    {GCN_OP_v_ldexp_f32, ONE, (uint32_t)-140, 0, 0},
    {GCN_OP_v_ldexp_f32, ONE + 1, (uint32_t)-140, 0, U | X},
    {GCN_OP_v_ldexp_f64, ONE64, (uint32_t)-1074, 0, 0},
    {GCN_OP_v_ldexp_f64, ONE64, INT32_MAX, 0, O | X},
    {GCN_OP_v_ldexp_f16, 0x3c00, 0xffe7, 0, U | X}, /* 2^-25 */
    {GCN_OP_v_div_fixup_f32, ONE, 0, ONE, Z},
    {GCN_OP_v_div_fixup_f32, ONE, 0, 0, I},
    {GCN_OP_v_div_fixup_f32, ONE, INF, INF, I},
    {GCN_OP_v_div_fixup_f32, ONE, 0, INF, 0},
    {GCN_OP_v_div_fixup_f64, ONE64, 0, ONE64, Z},
    {GCN_OP_v_div_fixup_f32, ONE, SNAN, ONE, I},
    {GCN_OP_v_pk_add_f16, 0x7c003c00, 0xfc003c00, 0, I}, /* in the high half */
    {GCN_OP_v_pk_add_f16, 0x3c007bff, 0x3c007bff, 0, O | X},
    {GCN_OP_v_pk_mul_f16, 0x04000400, 0x04000400, 0, U | X},
    {GCN_OP_v_pk_max_f16, 0x7d003c00, 0, 0, I},
    {GCN_OP_v_mad_mix_f32, BIG, BIG, 0, O | X},
    {GCN_OP_v_mad_mixlo_f16, 0x3f800001, ONE, 0, X}, /* of f16 only */
    {GCN_OP_v_mad_mixlo_f16, 0x47800000, ONE, 0, O | X},
    {GCN_OP_v_cvt_u32_f32, MINUS, 0, 0, I},
    {GCN_OP_v_cvt_u32_f32, 0xbf000000, 0, 0, X},
    {GCN_OP_v_cvt_u32_f32, 0x4f800000, 0, 0, I},
    {GCN_OP_v_cvt_u32_f64, UINT64_C(0x41efffffffe00000), 0, 0, 0},
    {GCN_OP_v_cvt_i16_f16, 0x7bff, 0, 0, I},
    {GCN_OP_v_cvt_f16_u16, 65535, 0, 0, O | X},
    {GCN_OP_v_cvt_f16_i16, 0x8001, 0, 0, X},
    {GCN_OP_v_cvt_pkrtz_f16_f32, ONE + 1, ONE, 0, X},
    {GCN_OP_v_mac_f16, 0x3c01, 0x3c01, 0, X},
    {GCN_OP_v_med3_f32, ONE, ONE, SNAN, I},
    {GCN_OP_v_med3_f32, ONE, ONE, QNAN, 0},
};

static void check_others(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct row row = {.op = cases[i].op};
        put(8, 5, 0);
        uint32_t found =
            trapsts_of(&row, (struct operands){cases[i].a, cases[i].b, cases[i].c}, 0xf0 | 1 << GCN_MODE_IEEE);
        ok(found == cases[i].flags, "%s(%llx, %llx, %llx) raises 0x%x (0x%x)", gcn_op_info[row.op].name,
           (unsigned long long)cases[i].a, (unsigned long long)cases[i].b, (unsigned long long)cases[i].c,
           cases[i].flags, found);
    }
}

/* An exception that is enabled stops the wave before the operation; others only leave their mark. */
static void check_faults(void)
{
    const struct row row = {.op = GCN_OP_v_add_f32};
    const struct operands overflow = {0x7f7fffff, 0x7f7fffff, 0};
    const uint32_t plain = 0xf0 | 1 << GCN_MODE_IEEE;
    ok(trapsts_of(&row, overflow, plain | EXACT_UNDERFLOW << GCN_MODE_EXCP_EN) == (EXACT_OVERFLOW | EXACT_INEXACT),
       "an exception that is not enabled does not stop the wave");
    ok(trapsts_of(&row, overflow, plain | EXACT_OVERFLOW << GCN_MODE_EXCP_EN) == UINT32_MAX &&
           wave->stop == GCN_STOP_FAULT && wave->fault.kind == GCN_FAULT_EXC_OVERFLOW && wave->fault.address == 5 &&
           !wave->trapsts,
       "one that is enabled does, and tells the lane");
    ok(trapsts_of(&row, overflow, plain | EXACT_INEXACT << GCN_MODE_EXCP_EN) == UINT32_MAX &&
           wave->fault.kind == GCN_FAULT_EXC_INEXACT,
       "an overflow is inexact, too");
    wave->trapsts = EXACT_INVALID;
    gcn_set64(wave, GCN_S_EXEC, 0);
    struct gcn_uop op = {.fn = gcn_exact_account, .dst = v(8), .src = {v(0), v(2), v(4)}, .imm = GCN_OP_v_add_f32};
    ok(op.fn(wave, &op) == &op + 1 && wave->trapsts == EXACT_INVALID, "without lanes nothing is raised; flags stay");
}

/* Code that does not ask is translated without accounts; code that does, and what it calls, with them. */
static void check_translation(void)
{
    static const uint32_t silent[] = {0x02000300, 0xbf810000};              /* v_add_f32 v0, v0, v1 */
    static const uint32_t asking[] = {0x02000300, 0xb8803003, 0xbf810000};  /* s_getreg_b32 s0, hwreg(TRAPSTS, 0, 7) */
    static const uint32_t calling[] = {0xbe801d02, 0xb8803003, 0xbf810000}; /* s_setpc_b64 s[2:3] before it */
    static const uint32_t leaving[] = {0xbe801d02, 0xbf810000};
    static const uint32_t enabling[] = {0xba003301, 1, 0xbf810000}; /* s_setreg_imm32_b32 hwreg(MODE, 12, 7), 1 */
    static const struct {
        const uint32_t *code;
        size_t size;
        bool asks;
        const char *name;
    } codes[] = {{silent, sizeof silent, false, "plain code"},
                 {asking, sizeof asking, true, "code that reads TRAPSTS"},
                 {calling, sizeof calling, true, "code that may call such code"},
                 {leaving, sizeof leaving, false, "code that may call nothing of the kind"},
                 {enabling, sizeof enabling, true, "code that enables exceptions"}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct gcn_code *code = gcn_cache_add(cache, codes[i].code, codes[i].size, codes[i].code, codes[i].size);
        struct gcn_entry plain, exact;
        enum gcn_fault_kind kind;
        uint64_t pc = (uint64_t)(uintptr_t)codes[i].code;
        bool found =
            code && gcn_cache_find(cache, pc, &plain, &kind) && gcn_cache_find(cache, pc | GCN_EXACT, &exact, &kind);
        ok(found && gcn_cache_asks(cache, plain.unit) == codes[i].asks && !plain.unit->exact && exact.unit->exact,
           "%s %s", codes[i].name, codes[i].asks ? "asks" : "does not ask");
        if (codes[i].code == silent)
            ok(found && plain.op->fn != gcn_exact_account && exact.op->fn == gcn_exact_account &&
                   gcn_unit_pc(exact.unit, exact.op) == pc,
               "only exact code accounts");
        gcn_cache_remove(cache, code);
    }
}

int main(void)
{
    if (!ok(next_engine(), "there is an engine"))
        return 1;
    new_wave(UINT64_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(&rows[i]);
    check_others();
    check_faults();
    check_translation();
    return tap_done();
}
