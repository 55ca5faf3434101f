/* SPDX-License-Identifier: MIT */
/* Accounts for the exceptions of vector operations. See exact.h and tables/exact.def.
 * Input: the sources of an operation, before it is executed. Output: TRAPSTS, or a fault.
 * Invariant: no register but TRAPSTS changes; a fault comes before the operation has changed anything. */
#include "runtime/gcn/exact.h"

#include "runtime/gcn/inst/inst.h"

enum exact_kind {
    NOTHING,
    ADD,
    SUB,
    SUBREV,
    MUL,
    MUL_LEGACY,
    FMA,
    FMAC,
    MAD,
    MAD_LEGACY,
    MAC,
    LDEXP,
    CONVERT,
    CHOP,
    FROM_INT,
    TO_INT,
    FRACT,
    RCP,
    RCP_INT,
    RSQ,
    SQRT,
    LOG,
    TURN,
    DIV_FMAS,
    DIV_FIXUP,
    QUIET,
    COMPARE
};

static const uint8_t kinds[GCN_OP_COUNT] = {
#define EXACT(id, kind) [GCN_OP_##id] = kind,
#include "runtime/gcn/tables/exact.def"
#undef EXACT
};

bool gcn_exact_knows(unsigned id)
{
    return kinds[id] != NOTHING;
}

/* One operation on one lane. */
struct exact_case {
    enum exact_kind kind;
    const struct exact_format *format; /* of the result */
    const struct exact_format *within; /* in which it is computed; another one for mixed precision */
    unsigned rounding;                 /* within that */
    unsigned rounding_result;
    bool flush, flush_result;
    bool signals;   /* quiet NaNs are invalid */
    bool scaled;    /* v_div_fmas: by a power of two */
    int64_t amount; /* v_ldexp: the exponent */
    unsigned bits;  /* conversions to integers: of the result, */
    bool to_signed; /* and whether it is signed */
    struct exact_number a[3];
};

static struct exact_number negated(struct exact_number x)
{
    x.negative = !x.negative;
    return x;
}

static bool is_less(struct exact_number x, int exponent) /* |x| < 2^exponent */
{
    return x.class == EXACT_ZERO || (x.class == EXACT_FINITE && x.exponent + 127 < exponent) ||
           (x.class == EXACT_FINITE && x.exponent < exponent &&
            (exponent - x.exponent > 127 || x.mantissa >> (exponent - x.exponent) == 0));
}

static struct exact_number finish(const struct exact_case *c, struct exact_number x, uint32_t *flags)
{
    x = exact_round(x, c->within, c->rounding, c->flush, flags);
    return c->within == c->format ? x : exact_round(x, c->format, c->rounding_result, c->flush_result, flags);
}

/* The sum of A and B, which may be infinite; finite sums in *SUM. False if it is not finite. */
static bool finite_sum(struct exact_number a, struct exact_number b, struct exact_number *sum, uint32_t *flags)
{
    if (a.class == EXACT_NAN || b.class == EXACT_NAN)
        return false;
    if (a.class == EXACT_INFINITE && b.class == EXACT_INFINITE && a.negative != b.negative)
        *flags |= EXACT_INVALID;
    if (a.class == EXACT_INFINITE || b.class == EXACT_INFINITE)
        return false;
    *sum = exact_sum(a, b);
    return true;
}

/* A product; NaN where it is invalid or a factor is one. */
static struct exact_number product(struct exact_number a, struct exact_number b, uint32_t *flags)
{
    struct exact_number result = {.class = EXACT_NAN, .negative = a.negative != b.negative};
    if (a.class == EXACT_NAN || b.class == EXACT_NAN)
        return result;
    bool infinite = a.class == EXACT_INFINITE || b.class == EXACT_INFINITE;
    if (infinite && (a.class == EXACT_ZERO || b.class == EXACT_ZERO))
        *flags |= EXACT_INVALID;
    else if (infinite)
        result.class = EXACT_INFINITE;
    else
        result = exact_product(a, b);
    return result;
}

static uint32_t add(const struct exact_case *c, struct exact_number a, struct exact_number b)
{
    uint32_t flags = 0;
    struct exact_number sum;
    if (finite_sum(a, b, &sum, &flags))
        finish(c, sum, &flags);
    return flags;
}

static uint32_t multiply(const struct exact_case *c)
{
    uint32_t flags = 0;
    finish(c, product(c->a[0], c->a[1], &flags), &flags);
    return flags;
}

/* ROUNDED: the product is rounded before the addition. */
static uint32_t multiply_add(const struct exact_case *c, bool rounded)
{
    uint32_t flags = 0;
    struct exact_number p = product(c->a[0], c->a[1], &flags), sum;
    if (!rounded && c->a[2].class == EXACT_NAN) /* a quiet NaN is the result whatever the factors are */
        return 0;
    if (rounded)
        p = exact_round(p, c->within, c->rounding, c->flush, &flags);
    if (!finite_sum(p, c->a[2], &sum, &flags))
        return flags;
    if (c->scaled && sum.class == EXACT_FINITE) {
        int by = c->within == exact_format_of(32) ? 64 : 128;
        sum.exponent += is_less(c->a[2], 1) ? -by : by;
    }
    finish(c, sum, &flags);
    return flags;
}

/* What it does with 0: 0 times anything is 0. */
static uint32_t legacy(struct exact_case *c)
{
    bool zero = c->a[0].class == EXACT_ZERO || c->a[1].class == EXACT_ZERO;
    if (c->kind == MUL_LEGACY)
        return zero ? 0 : multiply(c);
    if (zero)
        c->a[0] = c->a[1] = (struct exact_number){.class = EXACT_ZERO};
    return multiply_add(c, true);
}

static uint32_t rounded_alone(const struct exact_case *c, unsigned rounding)
{
    uint32_t flags = 0;
    exact_round(c->a[0], c->format, rounding, c->flush_result, &flags);
    return flags;
}

static uint32_t scale(const struct exact_case *c)
{
    struct exact_case scaled = *c;
    int64_t amount = c->amount < -5000 ? -5000 : c->amount > 5000 ? 5000 : c->amount;
    scaled.a[0].exponent += (int32_t)amount;
    return rounded_alone(&scaled, c->rounding_result);
}

/* Whether X lies in the range of integers of the result. */
static bool fits(const struct exact_case *c, struct exact_number x)
{
    int bits = (int)c->bits - c->to_signed;
    if (x.negative && x.class != EXACT_ZERO && !c->to_signed)
        return false;
    if (is_less(x, bits))
        return true;
    return x.negative && !is_less(x, bits) && x.class == EXACT_FINITE &&
           exact_sum(x, (struct exact_number){.class = EXACT_FINITE, .exponent = bits, .mantissa = 1}).class ==
               EXACT_ZERO;
}

static uint32_t to_integer(const struct exact_case *c)
{
    struct exact_number x = c->a[0];
    bool integral, negative = x.negative;
    if (x.class == EXACT_NAN || x.class == EXACT_INFINITE)
        return EXACT_INVALID;
    x.negative = false;
    x = exact_floor(x, &integral); /* toward zero */
    x.negative = negative;
    return !fits(c, x) ? EXACT_INVALID : integral ? 0 : EXACT_INEXACT;
}

static uint32_t fraction(const struct exact_case *c)
{
    bool integral;
    if (c->a[0].class == EXACT_INFINITE)
        return EXACT_INVALID;
    return add(c, c->a[0], negated(exact_floor(c->a[0], &integral)));
}

static uint32_t root(const struct exact_case *c)
{
    const struct exact_number *x = &c->a[0];
    if (x->class == EXACT_ZERO)
        return c->kind == SQRT ? 0 : EXACT_DIVISION;
    return x->class != EXACT_NAN && x->negative && c->kind != RCP ? EXACT_INVALID : 0;
}

/* Sources: an estimate of the quotient, the denominator, the numerator. */
static uint32_t fix_up(const struct exact_case *c)
{
    const struct exact_number *den = &c->a[1], *num = &c->a[2];
    if (den->class == EXACT_NAN || num->class == EXACT_NAN)
        return 0;
    if (den->class == num->class && (den->class == EXACT_ZERO || den->class == EXACT_INFINITE))
        return EXACT_INVALID;
    return den->class == EXACT_ZERO && num->class == EXACT_FINITE ? EXACT_DIVISION : 0;
}

static uint32_t of_result(struct exact_case *c)
{
    bool nan = c->a[0].class == EXACT_NAN || c->a[1].class == EXACT_NAN;
    switch (c->kind) {
    case ADD: return add(c, c->a[0], c->a[1]);
    case SUB: return add(c, c->a[0], negated(c->a[1]));
    case SUBREV: return add(c, c->a[1], negated(c->a[0]));
    case MUL: return multiply(c);
    case FMA:
    case FMAC:
    case DIV_FMAS: return multiply_add(c, false);
    case MAD:
    case MAC: return multiply_add(c, true);
    case MUL_LEGACY:
    case MAD_LEGACY: return legacy(c);
    case LDEXP: return scale(c);
    case CONVERT:
    case FROM_INT: return rounded_alone(c, c->rounding_result);
    case CHOP: return rounded_alone(c, 3);
    case TO_INT: return to_integer(c);
    case FRACT: return fraction(c);
    case RCP:
    case RSQ:
    case SQRT:
    case LOG: return root(c);
    case RCP_INT: return c->a[0].class == EXACT_ZERO ? EXACT_INT_DIVISION : 0;
    case TURN: return c->a[0].class == EXACT_INFINITE ? EXACT_INVALID : 0;
    case DIV_FIXUP: return fix_up(c);
    case COMPARE: return c->signals && nan ? EXACT_INVALID : 0;
    case NOTHING:
    case QUIET: break;
    }
    return 0;
}

/* The operands */

static bool is_float(unsigned type)
{
    return gcn_type_info[type].kind == GCN_KIND_F;
}

static unsigned element_bits(unsigned type)
{
    return gcn_type_info[type].bits / (gcn_type_info[type].elements == 2 ? 2 : 1);
}

static uint64_t element(const uint32_t *line, unsigned type, int lane, unsigned half)
{
    unsigned bits = element_bits(type);
    return bits == 64   ? line[lane] | (uint64_t)line[lane + GCN_LANES] << 32
           : bits == 32 ? line[lane + (gcn_type_info[type].elements == 2 ? (int)half * GCN_LANES : 0)]
                        : line[lane] >> 16 * half & 0xffff;
}

static struct exact_number as_integer(uint64_t value, unsigned type)
{
    bool sign = gcn_type_info[type].kind == GCN_KIND_I;
    return exact_integer(element_bits(type) == 16 ? sign ? (int16_t)value : (int64_t)(value & 0xffff)
                         : sign ? (int32_t)value
                                                  : (int64_t)(uint32_t)value);
}

/* Flushes a source, or tells that it is denormal. */
static uint32_t accept(struct exact_number *x, bool flush)
{
    if (!x->denormal)
        return 0;
    if (!flush)
        return EXACT_DENORMAL;
    *x = (struct exact_number){.class = EXACT_ZERO, .negative = x->negative};
    return 0;
}

/* What is the same for all lanes. */
struct exact_operation {
    const struct gcn_op_info *info;
    struct exact_case start;
    const uint32_t *lines[4]; /* the last one is the destination */
    bool flush_source[3];
};

static bool reads_destination(enum exact_kind kind)
{
    return kind == MAC || kind == FMAC;
}

static uint32_t flags_of(const struct exact_operation *o, int lane, unsigned half)
{
    struct exact_case c = o->start;
    uint32_t flags = 0;
    bool nan = false;
    for (unsigned i = 0; i < 3; i++) {
        bool destination = i == 2 && reads_destination(c.kind);
        unsigned type = destination ? o->info->dst : o->info->src[i];
        if (!o->lines[destination ? 3 : i] || type == GCN_T_NIL)
            continue;
        uint64_t value = element(o->lines[destination ? 3 : i], type, lane, half);
        if (!is_float(type)) {
            c.amount = as_integer(value, type).negative ? -(int64_t)as_integer(value, type).mantissa
                                                        : (int64_t)as_integer(value, type).mantissa;
            c.a[i] = as_integer(value, type);
            continue;
        }
        c.a[i] = exact_unpack(value, exact_format_of(element_bits(type)));
        flags |= accept(&c.a[i], o->flush_source[i]) | (c.a[i].signaling ? EXACT_INVALID : 0);
        nan |= c.a[i].class == EXACT_NAN;
    }
    if (c.kind == RCP_INT)
        flags = 0; /* by its definition it raises no other */
    if (nan)
        flags &= ~(uint32_t)EXACT_DENORMAL; /* the NaN is the result whatever the others are */
    return flags & EXACT_INVALID ? EXACT_INVALID : flags | of_result(&c);
}

static bool always_flushes(unsigned id)
{
    switch (id) {
    case GCN_OP_v_rcp_f32:
    case GCN_OP_v_rcp_iflag_f32:
    case GCN_OP_v_rsq_f32:
    case GCN_OP_v_sqrt_f32:
    case GCN_OP_v_log_f32:
    case GCN_OP_v_log_legacy_f32:
    case GCN_OP_v_exp_f32:
    case GCN_OP_v_exp_legacy_f32:
    case GCN_OP_v_sin_f32:
    case GCN_OP_v_cos_f32: return true;
    default:
        return (kinds[id] == MAD || kinds[id] == MAC || kinds[id] == MAD_LEGACY) && gcn_op_info[id].src[0] != GCN_T_F16;
    }
}

static unsigned rounding_of(const struct gcn_wave *w, const struct exact_format *format)
{
    return w->mode >> (format == exact_format_of(32) ? GCN_MODE_ROUND32 : GCN_MODE_ROUND64) & 3;
}

static struct exact_operation prepare(struct gcn_wave *w, const struct gcn_uop *op)
{
    unsigned id = (unsigned)op->imm;
    struct exact_operation o = {.info = &gcn_op_info[id]};
    bool flushes = always_flushes(id);
    const struct gcn_op_info *info = o.info;
    struct exact_case *c = &o.start;
    c->kind = (enum exact_kind)kinds[id];
    c->format = exact_format_of(element_bits(info->dst));
    c->within = is_float(info->src[0]) && c->kind != CONVERT ? exact_format_of(element_bits(info->src[0])) : c->format;
    c->rounding = rounding_of(w, c->within);
    c->rounding_result = rounding_of(w, c->format);
    c->flush = flushes || (c->within == exact_format_of(32) ? w->flush32_out : w->flush64_out);
    c->flush_result = c->format == exact_format_of(32) ? w->flush32_out : w->flush64_out;
    c->signals = op->aux & GCN_EXACT_SIGNALS;
    c->bits = gcn_type_info[info->dst].bits;
    c->to_signed = gcn_type_info[info->dst].kind == GCN_KIND_I;
    for (unsigned i = 0; i < 3; i++) {
        unsigned bits = element_bits(info->src[i]);
        bool present = info->src[i] != GCN_T_NIL && info->src[i] != GCN_T_MASK;
        o.lines[i] = present ? gcn_line(w, op->src[i]) : NULL;
        o.flush_source[i] = flushes || (bits == 32 ? w->flush32_in : w->flush64_in);
    }
    o.lines[3] = gcn_dst(w, op->dst);
    return o;
}

static enum gcn_fault_kind fault_of(uint32_t flags)
{
    static const enum gcn_fault_kind faults[] = {
        GCN_FAULT_EXC_INVALID,   GCN_FAULT_EXC_DENORMAL, GCN_FAULT_EXC_DIVISION,    GCN_FAULT_EXC_OVERFLOW,
        GCN_FAULT_EXC_UNDERFLOW, GCN_FAULT_EXC_INEXACT,  GCN_FAULT_EXC_INT_DIVISION};
    return faults[__builtin_ctz(flags)];
}

/* For all lanes at once, what only the sources raise; false where lane by lane has to be looked at. */
static bool scan_sources(struct gcn_wave *w, const struct exact_operation *o, bool wide, uint32_t *flags)
{
    unsigned found = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (!o->lines[i])
            continue;
        if (o->info->src[i] != o->info->src[0])
            return false;
        found |= exact_scan(o->lines[i], wide, gcn_mask(w));
    }
    if (o->flush_source[0])
        found &= ~(unsigned)EXACT_SCAN_DENORMAL;
    bool invalid = found & EXACT_SCAN_SIGNALING || (o->start.signals && found & EXACT_SCAN_QUIET);
    *flags = (invalid ? EXACT_INVALID : 0u) | (found & EXACT_SCAN_DENORMAL ? EXACT_DENORMAL : 0u);
    return !(found & EXACT_SCAN_DENORMAL) || found == EXACT_SCAN_DENORMAL; /* beside a NaN, one is not told of */
}

/* The same for the frequent operations. */
static bool account_quickly(struct gcn_wave *w, const struct exact_operation *o, uint32_t *flags)
{
    static const struct {
        bool is;
        enum exact_quick operation;
        uint8_t lines[3];
    } ways[COMPARE + 1] = {[ADD] = {true, EXACT_QUICK_ADD, {0, 1}},    [SUB] = {true, EXACT_QUICK_SUB, {0, 1}},
                           [SUBREV] = {true, EXACT_QUICK_SUB, {1, 0}}, [MUL] = {true, EXACT_QUICK_MUL, {0, 1}},
                           [FMA] = {true, EXACT_QUICK_FMA, {0, 1, 2}}, [FMAC] = {true, EXACT_QUICK_FMA, {0, 1, 3}}};
    const struct exact_case *c = &o->start;
    unsigned type = o->info->src[0];
    bool wide = type == GCN_T_F64;
    if (type != GCN_T_F32 && !wide)
        return false;
    if (c->kind == COMPARE || c->kind == QUIET)
        return scan_sources(w, o, wide, flags);
    if (!ways[c->kind].is || o->info->dst != type)
        return false;
    const struct exact_quick_mode mode = {c->rounding, o->flush_source[0], c->flush, wide};
    const uint8_t *from = ways[c->kind].lines;
    const uint32_t *lines[3] = {o->lines[from[0]], o->lines[from[1]], o->lines[from[2]]};
    return exact_quick(ways[c->kind].operation, &mode, lines, gcn_mask(w), flags);
}

const struct gcn_uop *gcn_exact_account(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct exact_operation o = prepare(w, op);
    uint32_t enabled = w->mode >> GCN_MODE_EXCP_EN & EXACT_ALL, all = 0;
    uint64_t scaled = o.start.kind == DIV_FMAS ? gcn_s64(w, op->aux >> 16) : 0;
    bool pair = gcn_type_info[o.info->dst].elements == 2 || gcn_type_info[o.info->src[0]].elements == 2;
    if (account_quickly(w, &o, &all) && !(all & enabled)) {
        w->trapsts |= all;
        return op + 1;
    }
    all = 0;
    for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {
        int lane = __builtin_ctzll(exec);
        o.start.scaled = scaled >> lane & 1;
        uint32_t flags = flags_of(&o, lane, 0) | (pair ? flags_of(&o, lane, 1) : 0);
        if (flags & enabled)
            return gcn_raise(w, op, fault_of(flags & enabled), (uint64_t)lane);
        all |= flags;
    }
    w->trapsts |= all;
    return op + 1;
}
