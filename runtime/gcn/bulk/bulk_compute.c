/* SPDX-License-Identifier: MIT */
/* Integer arithmetic on linear functions: the rows of runtime/gcn/tables/bulk.def.
 * Input: sources that are exact numbers from 0 on. Output: the result as an exact number, or that it is not linear in
 * the box. Invariant: where hardware drops bits, the box is divided until the same number of them is dropped
 * everywhere. */
#include "runtime/gcn/bulk/bulk_wave.h"

enum bulk_row_kind {
    NO_ROW,
    LINEAR_ROW,
    NOT_ROW,
    CARRY_ROW,
    PRODUCT_ROW,
    LEFT_ROW,
    SUM_LEFT_ROW,
    RIGHT_ROW,
    BITS_ROW,
    FIELD_ROW,
    CHOOSE_ROW,
    COMPARE_ROW
};
enum relation { LT, LE, GT, GE, EQ, NE };

struct bulk_row {
    uint8_t kind;
    int8_t a, b, c;
};

static const struct bulk_row rows[GCN_OP_COUNT] = {
#define LINEAR(op, a, b, c) [GCN_OP_##op] = {LINEAR_ROW, a, b, c},
#define NOT(op, add) [GCN_OP_##op] = {NOT_ROW, add, 0, 0},
#define CARRY(op, a, b, in) [GCN_OP_##op] = {CARRY_ROW, a, b, in},
#define PRODUCT(op, bits, c, high) [GCN_OP_##op] = {PRODUCT_ROW, bits, c, high},
#define LEFT(op, by, add) [GCN_OP_##op] = {LEFT_ROW, by, add, 0},
#define SUM_LEFT(op) [GCN_OP_##op] = {SUM_LEFT_ROW, 0, 0, 0},
#define RIGHT(op, by, sign) [GCN_OP_##op] = {RIGHT_ROW, by, sign, 0},
#define BITS(op, either) [GCN_OP_##op] = {BITS_ROW, either, 0, 0},
#define FIELD(op) [GCN_OP_##op] = {FIELD_ROW, 0, 0, 0},
#define CHOOSE(op, greater, sign) [GCN_OP_##op] = {CHOOSE_ROW, greater, sign, 0},
#define COMPARE(op, relation, sign) [GCN_OP_##op] = {COMPARE_ROW, relation, sign, 0},
#include "runtime/gcn/tables/bulk.def"
};

enum { CROSSINGS = 64 }; /* the most values of dropped bits for which a box is divided */

static enum bulk_outcome divide(struct bulk *b, const struct affine *f, affine_int threshold)
{
    struct affine_box parts[3];
    unsigned n = affine_split(f, &b->box, threshold, parts);
    if (!n || b->todo_count + n > BULK_BOXES)
        return BULK_LEAVE;
    while (n--)
        b->todo[b->todo_count++] = parts[n];
    return BULK_SPLIT;
}

enum bulk_outcome bulk_reaches(struct bulk *b, const struct affine *f, affine_int threshold, bool *reaches)
{
    struct affine_range range = affine_range(f, &b->box);
    *reaches = range.low >= threshold;
    return *reaches || range.high < threshold ? BULK_ON : divide(b, f, threshold);
}

enum bulk_outcome bulk_wrap(struct bulk *b, struct affine *f, unsigned bits, affine_int *carry)
{
    struct affine_range range = affine_range(f, &b->box);
    affine_int low = range.low >> bits, high = range.high >> bits;
    if (high - low > CROSSINGS)
        return BULK_LEAVE;
    if (low != high)
        return divide(b, f, (affine_int)((unsigned __int128)(low + 1) << bits));
    f->at -= (affine_int)((unsigned __int128)low << bits);
    *carry = low;
    return BULK_ON;
}

/* Makes *F, of BITS bits, the signed number that has the same bits. */
static enum bulk_outcome take_sign(struct bulk *b, struct affine *f, unsigned bits)
{
    bool negative;
    enum bulk_outcome outcome = bulk_reaches(b, f, (affine_int)1 << (bits - 1), &negative);
    if (outcome == BULK_ON && negative)
        f->at -= (affine_int)1 << bits;
    return outcome;
}

/* X or Y, whose bits must not meet: then it is the sum. */
static bool either(const struct bulk *b, const struct affine *x, const struct affine *y, struct affine *f)
{
    struct affine_range of_x = affine_range(x, &b->box), of_y = affine_range(y, &b->box);
    if (of_y.high >> affine_alignment(x) && of_x.high >> affine_alignment(y))
        return false;
    *f = affine_sum(1, x, 1, y);
    return true;
}

static bool multiply(const struct affine *x, const struct affine *y, struct affine *f)
{
    if (!affine_is_constant(y)) {
        const struct affine *other = x;
        x = y;
        y = other;
    }
    *f = affine_sum(y->at, x, 0, x);
    return affine_is_constant(y);
}

static enum bulk_outcome product(struct bulk *b, const struct bulk_row *row, const struct affine src[3],
                                 struct affine *f)
{
    for (unsigned i = 0; i < 2; i++)
        if (affine_range(&src[i], &b->box).high >> row->a)
            return BULK_LEAVE;
    if (!multiply(&src[0], &src[1], f))
        return BULK_LEAVE;
    if (row->c) { /* the low bits are dropped, so those above must be one constant */
        affine_int carry;
        enum bulk_outcome outcome = bulk_wrap(b, f, 32, &carry);
        *f = affine_constant(carry);
        return outcome;
    }
    *f = affine_sum(1, f, row->b, &src[2]);
    return BULK_ON;
}

/* F = X << BY, of BITS bits and those above them. */
static bool shift_up(const struct bulk *b, const struct affine *x, const struct affine *by, unsigned bits,
                     struct affine *f)
{
    unsigned n = (unsigned)by->at & (bits - 1);
    if (!affine_is_constant(by) || affine_range(x, &b->box).high >> (100 - n))
        return false;
    *f = affine_sum((affine_int)1 << n, x, 0, x);
    return true;
}

static enum bulk_outcome shift_left(struct bulk *b, const struct bulk_row *row, const struct affine src[3],
                                    unsigned bits, struct affine *f)
{
    if (!shift_up(b, &src[!row->a], &src[row->a], bits, f))
        return BULK_LEAVE;
    *f = affine_sum(1, f, row->b == 1, &src[2]);
    if (row->b != 2)
        return BULK_ON;
    affine_int carry;
    enum bulk_outcome outcome = bulk_wrap(b, f, bits, &carry);
    return outcome != BULK_ON || either(b, f, &src[2], f) ? outcome : BULK_LEAVE;
}

/* Divides F into its lowest N bits and those above them, if those above depend on some coordinates and the lowest ones
 * on the others. Else the box is divided so that the bits above are the same everywhere. */
static enum bulk_outcome cut(struct bulk *b, struct affine f, unsigned n, struct affine *low, struct affine *high)
{
    const affine_int unit = (affine_int)1 << n;
    affine_int carry = 0;
    *low = f;
    *high = affine_constant(f.at >> n);
    low->at = f.at & (unit - 1);
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++)
        if (f.step[i] % unit == 0) {
            high->step[i] = f.step[i] >> n;
            low->step[i] = 0;
        }
    struct affine_range range = affine_range(low, &b->box);
    if (range.low >= 0 && range.high < unit)
        return BULK_ON;
    *low = f;
    enum bulk_outcome outcome = bulk_wrap(b, low, n, &carry);
    *high = affine_constant(carry);
    return outcome;
}

static enum bulk_outcome shift_right(struct bulk *b, const struct bulk_row *row, const struct affine src[3],
                                     unsigned bits, struct affine *f)
{
    const struct affine *by = &src[row->a];
    struct affine low;
    *f = src[!row->a];
    enum bulk_outcome outcome = row->b ? take_sign(b, f, bits) : BULK_ON;
    if (!affine_is_constant(by) || outcome != BULK_ON)
        return outcome == BULK_ON ? BULK_LEAVE : outcome;
    return cut(b, *f, (unsigned)by->at & (bits - 1), &low, f);
}

static enum bulk_outcome field(struct bulk *b, const struct affine src[3], struct affine *f)
{
    struct affine low, high;
    if (!affine_is_constant(&src[1]) || !affine_is_constant(&src[2]))
        return BULK_LEAVE;
    enum bulk_outcome outcome = cut(b, src[0], (unsigned)src[1].at & 31, &low, f);
    return outcome == BULK_ON ? cut(b, *f, (unsigned)src[2].at & 31, f, &high) : outcome;
}

/* X and MASK, if that is a number of low bits. */
static enum bulk_outcome mask_low(struct bulk *b, const struct affine *x, const struct affine *mask, struct affine *f)
{
    struct affine high;
    if (!affine_is_constant(mask))
        return affine_is_constant(x) ? mask_low(b, mask, x, f) : BULK_LEAVE;
    if (affine_is_constant(x)) {
        *f = affine_constant((affine_int)((uint64_t)x->at & (uint64_t)mask->at));
        return BULK_ON;
    }
    uint64_t bits = (uint64_t)mask->at;
    return bits & (bits + 1) ? BULK_LEAVE : cut(b, *x, (unsigned)__builtin_popcountll(bits), f, &high);
}

/* By how much the first source is more than the second one. */
static enum bulk_outcome subtract(struct bulk *b, bool sign, const struct affine src[3], unsigned bits,
                                  struct affine *difference)
{
    struct affine x = src[0], y = src[1];
    enum bulk_outcome outcome = sign ? take_sign(b, &x, bits) : BULK_ON;
    if (sign && outcome == BULK_ON)
        outcome = take_sign(b, &y, bits);
    *difference = affine_sum(1, &x, -1, &y);
    return outcome;
}

static enum bulk_outcome choose(struct bulk *b, const struct bulk_row *row, const struct affine src[3], unsigned bits,
                                struct affine *f)
{
    struct affine difference;
    bool second_is_least = false;
    enum bulk_outcome outcome = subtract(b, row->b, src, bits, &difference);
    if (outcome == BULK_ON && affine_range(&difference, &b->box).high > 0)
        outcome = bulk_reaches(b, &difference, 0, &second_is_least);
    *f = src[second_is_least != row->a];
    return outcome;
}

static enum bulk_outcome compare(struct bulk *b, const struct bulk_row *row, const struct affine src[3], unsigned bits,
                                 struct affine *f)
{
    struct affine difference;
    bool least = false, more = false; /* x >= y, x > y */
    enum bulk_outcome outcome = subtract(b, row->b, src, bits, &difference);
    enum relation relation = (enum relation)row->a;
    if (outcome == BULK_ON && relation != LE && relation != GT)
        outcome = bulk_reaches(b, &difference, 0, &least);
    if (outcome == BULK_ON && relation != GE && relation != LT)
        outcome = bulk_reaches(b, &difference, 1, &more);
    bool result = false;
    switch (relation) {
    case LT: result = !least; break;
    case LE: result = !more; break;
    case GT: result = more; break;
    case GE: result = least; break;
    case EQ: result = least && !more; break;
    case NE: result = !least || more; break;
    }
    *f = affine_constant(result);
    return outcome;
}

enum bulk_outcome bulk_compute(struct bulk *b, unsigned op, const struct affine src[3], unsigned in, unsigned bits,
                               struct bulk_result *result)
{
    const struct bulk_row *row = &rows[op];
    enum bulk_outcome outcome = BULK_LEAVE;
    struct affine *f = &result->is, sum = affine_sum(1, &src[0], 1, &src[1]);
    *result = (struct bulk_result){.carries = row->kind == CARRY_ROW, .compared = row->kind == COMPARE_ROW};
    switch ((enum bulk_row_kind)row->kind) {
    case NO_ROW: break;
    case NOT_ROW:
        *f = affine_sum(-1, &src[0], row->a, &src[2]);
        f->at--;
        outcome = !row->a || (affine_is_constant(&src[1]) && src[1].at == UINT32_MAX) ? BULK_ON : BULK_LEAVE;
        break;
    case LINEAR_ROW:
    case CARRY_ROW:
        sum = affine_sum(row->a, &src[0], row->b, &src[1]);
        *f = affine_sum(1, &sum, row->kind == LINEAR_ROW ? row->c : 0, &src[2]);
        f->at += row->kind == CARRY_ROW ? (affine_int)in * row->c : 0;
        outcome = BULK_ON;
        break;
    case PRODUCT_ROW: outcome = product(b, row, src, f); break;
    case LEFT_ROW: outcome = shift_left(b, row, src, bits, f); break;
    case SUM_LEFT_ROW: outcome = shift_up(b, &sum, &src[2], bits, f) ? BULK_ON : BULK_LEAVE; break;
    case RIGHT_ROW: outcome = shift_right(b, row, src, bits, f); break;
    case BITS_ROW:
        outcome = !row->a ? mask_low(b, &src[0], &src[1], f) : either(b, &src[0], &src[1], f) ? BULK_ON : BULK_LEAVE;
        break;
    case FIELD_ROW: outcome = field(b, src, f); break;
    case CHOOSE_ROW: outcome = choose(b, row, src, bits, f); break;
    case COMPARE_ROW: return compare(b, row, src, 32 * gcn_type_info[gcn_op_info[op].src[0]].registers, f);
    }
    return outcome == BULK_ON ? bulk_wrap(b, f, bits, &result->carry) : outcome;
}
