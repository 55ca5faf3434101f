/* SPDX-License-Identifier: MIT */
/* Image sampling and gathering.
 *
 * Input: T# and S# descriptors; per lane, in this order and as far as the operation's name says: offsets, bias, value
 * to compare with, derivatives, coordinates, level or its lower bound. Output: filtered components in the order of
 * DMASK, or levels of detail.
 * There is one level, so that bias, derivatives and levels make no difference; filters are exact. */
#include <math.h>
#include <string.h>

#include "runtime/gcn/exec/exec_image.h"
#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/exec/lane.h"

/* The operands before the coordinates, and what the operation does. */
enum { OFFSET = 1, BIAS = 2, COMPARE = 4, DERIVATIVES = 8, GATHER = 16, ROW = 32 };

enum clamp {
    WRAP,
    MIRROR,
    CLAMP_LAST,
    MIRROR_ONCE_LAST,
    CLAMP_HALF_BORDER,
    MIRROR_ONCE_HALF_BORDER,
    CLAMP_BORDER,
    MIRROR_ONCE_BORDER
};

struct sampler_fields {
    enum clamp clamp[3];
    bool unnormalized, linear;
    unsigned compare, border;
};

static struct sampler_fields sampler_of(const struct gcn_wave *w, const struct gcn_uop *op)
{
    const uint32_t *s = gcn_sptr(w, op->src[1]);
    return (struct sampler_fields){
        .clamp = {s[0] & 7, s[0] >> 3 & 7, s[0] >> 6 & 7},
        .unnormalized = s[0] >> 15 & 1 || op->aux & GCN_UNORM,
        .linear = s[2] >> 20 & 1,
        .compare = s[0] >> 12 & 7,
        .border = s[3] >> 30,
    };
}

/* The texel that I addresses in a line of SIZE texels, or -1 for the border. */
static int32_t address(enum clamp clamp, int32_t i, int32_t size)
{
    int32_t period = 2 * size;
    bool inside = i >= 0 && i < size;
    switch (clamp) {
    case WRAP: i %= size; return i < 0 ? i + size : i;
    case MIRROR:
        i %= period;
        i = i < 0 ? i + period : i;
        return i < size ? i : period - 1 - i;
    case CLAMP_HALF_BORDER:
    case CLAMP_BORDER: return inside ? i : -1;
    case MIRROR_ONCE_HALF_BORDER:
    case MIRROR_ONCE_BORDER: i = i < 0 ? -1 - i : i; return i < size ? i : -1;
    case MIRROR_ONCE_LAST: i = i < 0 ? -1 - i : i; break;
    case CLAMP_LAST: break;
    }
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* The position of coordinate X along a line of SIZE, in texels, small enough to be an integer. It is 0 where there is
 * none: for a NaN, and for an infinite one of a pattern that repeats itself. */
static double texel_position(const struct sampler_fields *s, enum clamp clamp, float x, uint32_t size)
{
    double u = x;
    if (!s->unnormalized) {
        if (clamp == WRAP)
            u -= floor(u);
        if (clamp == MIRROR)
            u -= 2 * floor(u / 2);
        u *= size;
    }
    return u < -0x1p29 ? -0x1p29 : u > 0x1p29 ? 0x1p29 : u == u ? u : 0;
}

static bool compares(unsigned function, float reference, float value)
{
    bool less = reference < value, equal = reference == value, greater = reference > value;
    return (function & 1 && less) || (function & 2 && equal) || (function & 4 && greater) || function == 7;
}

/* Reads the components of the texel at AT; a negative coordinate means the border. */
static bool tap(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                const struct sampler_fields *s, const int32_t at[3], const float *reference, uint32_t component[4])
{
    uint32_t one = gcn_pixel_is_integer(image->format) ? 1 : lane_bits32(1);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        for (unsigned i = 0; i < 4; i++)
            component[i] = s->border == 2 || (s->border == 1 && i == 3) ? one : 0;
    } else if (!gcn_image_read(w, op, image, (const uint32_t[]){(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]},
                               component)) {
        return false;
    }
    if (reference)
        component[0] = lane_bits32(compares(s->compare, *reference, lane_f32(component[0])));
    gcn_pixel_select(image->format, image->selection, component);
    return true;
}

/* The footprint: lower texel and weight of the upper one, per dimension. */
struct footprint {
    int32_t low[3], high[3];
    double weight[3];
};

static struct footprint footprint_of(const struct gcn_image *image, const struct sampler_fields *s, const float x[3],
                                     const int32_t offset[3], bool both)
{
    struct footprint f = {{0}, {0}, {0}};
    unsigned dimensions = image->type == GCN_IMAGE_1D || image->type == GCN_IMAGE_1D_ARRAY ? 1
                          : image->type == GCN_IMAGE_3D                                    ? 3
                                                                                           : 2;
    for (unsigned i = 0; i < dimensions; i++) {
        double u = texel_position(s, s->clamp[i], x[i], image->size[i]) - (both ? 0.5 : 0);
        int32_t low = (int32_t)floor(u), size = (int32_t)image->size[i];
        f.weight[i] = both ? u - floor(u) : 0;
        f.low[i] = address(s->clamp[i], low + offset[i], size);
        f.high[i] = both ? address(s->clamp[i], low + 1 + offset[i], size) : f.low[i];
    }
    if (image->array) {
        float layer = x[dimensions], last = (float)image->size[2] - 1;
        f.low[2] = f.high[2] = layer > 0 ? (int32_t)nearbyintf(layer < last ? layer : last) : 0;
    }
    return f;
}

static bool filter(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                   const struct sampler_fields *s, const struct footprint *f, const float *reference,
                   uint32_t result[4])
{
    double sum[4] = {0};
    for (unsigned corner = 0; corner < 8; corner++) {
        int32_t at[3];
        double weight = 1;
        for (unsigned i = 0; i < 3; i++) {
            bool high = corner >> i & 1;
            at[i] = high ? f->high[i] : f->low[i];
            weight *= high ? f->weight[i] : 1 - f->weight[i];
        }
        if (weight == 0)
            continue;
        uint32_t component[4];
        if (!tap(w, op, image, s, at, reference, component))
            return false;
        if (weight == 1) {
            memcpy(result, component, sizeof component);
            return true;
        }
        for (unsigned i = 0; i < 4; i++)
            sum[i] += weight * lane_f32(component[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        result[i] = lane_bits32((float)sum[i]);
    return true;
}

/* The component that a gather takes: the first that DMASK names. */
static unsigned gathered_component(const struct gcn_uop *op)
{
    return op->imm & 15 ? (unsigned)__builtin_ctz((unsigned)op->imm) : 0;
}

/* One component of the four texels of the footprint: lower left, lower right, upper right, upper left. */
static bool gather(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                   const struct sampler_fields *s, const struct footprint *f, const float *reference,
                   uint32_t result[4])
{
    for (unsigned k = 0; k < 4; k++) {
        uint32_t component[4];
        int32_t at[3] = {k == 1 || k == 2 ? f->high[0] : f->low[0], k < 2 ? f->high[1] : f->low[1], f->low[2]};
        if (!tap(w, op, image, s, at, reference, component))
            return false;
        result[k] = component[gathered_component(op)];
    }
    return true;
}

/* One component of four texels in a row, the first of which is the lowest of the footprint at X. */
static bool gather_row(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                       const struct sampler_fields *s, const float x[3], uint32_t result[4])
{
    for (int32_t k = 0; k < 4; k++) {
        uint32_t component[4];
        struct footprint f = footprint_of(image, s, x, (const int32_t[]){k, 0, 0}, true);
        if (!tap(w, op, image, s, f.low, NULL, component))
            return false;
        result[k] = component[gathered_component(op)];
    }
    return true;
}

/* Floating argument number K of LANE among those after WORDS whole registers; A16 packs them. */
static float argument(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, unsigned words, unsigned k)
{
    const uint32_t *v = gcn_line(w, op->src[0]) + words * GCN_LANES + lane;
    if (op->aux & GCN_A16)
        return lane_from16(v[k / 2 * GCN_LANES] >> k % 2 * 16 & 0xFFFF);
    return lane_f32(v[k * GCN_LANES]);
}

static const struct gcn_uop *sample(struct gcn_wave *w, const struct gcn_uop *op, unsigned form)
{
    struct gcn_image image = {0};
    uint64_t left = gcn_exec(w);
    if (left && !gcn_image_of(w, op, &image))
        return NULL;
    if (left && image.type == GCN_IMAGE_CUBE)
        return gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, image.base);
    unsigned before = ((form & OFFSET) != 0) + ((form & BIAS) != 0) + ((form & COMPARE) != 0);
    unsigned spatial = image.coordinates - image.array, skip = form & DERIVATIVES ? 2 * spatial : 0;
    if (op->aux & GCN_A16 && skip)
        skip = 2 * ((spatial + 1) / 2) * 2; /* each direction begins with a register */
    unsigned results = form & GATHER ? 15 : op->imm & 15 ? (unsigned)op->imm & 15 : 1;
    unsigned arguments = (op->aux & GCN_A16 ? 2 * before : before) + skip + image.coordinates;
    if (left && !gcn_image_has_registers(w, op, arguments, (unsigned)__builtin_popcount(results)))
        return NULL;
    struct sampler_fields s = sampler_of(w, op);
    for (; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), words = 0;
        const uint32_t *v = gcn_line(w, op->src[0]) + lane;
        int32_t offset[3] = {0};
        float x[3] = {0}, reference = 0;
        for (unsigned i = 0; form & OFFSET && i < 3; i++)
            offset[i] = (int32_t)(v[0] << (26 - 8 * i)) >> 26;
        words += (form & OFFSET) != 0;
        words += (form & BIAS) != 0;
        if (form & COMPARE)
            reference = lane_f32(v[words++ * GCN_LANES]);
        for (unsigned i = 0; i < image.coordinates; i++)
            x[i] = argument(w, op, lane, words, skip + i);
        bool both = form & GATHER || (s.linear && !gcn_pixel_is_integer(image.format));
        struct footprint f = footprint_of(&image, &s, x, offset, both);
        uint32_t result[4];
        const float *compare = form & COMPARE ? &reference : NULL;
        if (form & ROW ? !gather_row(w, op, &image, &s, x, result)
                       : !(form & GATHER ? gather : filter)(w, op, &image, &s, &f, compare, result))
            return NULL;
        gcn_image_put(w, op, &image, lane, result, results);
    }
    return op + 1;
}

/* The level of detail. The four lanes of a quad are two by two neighbours, which have one level together: that of the
 * larger of the steps from the first of them to the second and to the third. */

/* The length in texels of the step from lane FIRST to lane OTHER. */
static double step_between(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                           const struct sampler_fields *s, unsigned first, unsigned other)
{
    double sum = 0;
    for (unsigned i = 0; i < image->coordinates - image->array; i++) {
        double from = argument(w, op, first, 0, i), to = argument(w, op, other, 0, i);
        double step = ((to == to ? to : 0) - (from == from ? from : 0)) * (s->unnormalized ? 1 : image->size[i]);
        sum += step * step;
    }
    return sqrt(sum);
}

/* Puts the level as it is clamped, and the level before that, into ANSWER. */
static void level_of_detail(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                            unsigned lane, uint32_t answer[4])
{
    const struct sampler_fields s = sampler_of(w, op);
    const uint32_t *sampler = gcn_sptr(w, op->src[1]);
    double bias = (int32_t)(sampler[2] << 18) / 0x1p26, last = (double)image->levels - 1 - image->base_level;
    double low = (sampler[1] & 0xFFF) / 256.0, high = (sampler[1] >> 12 & 0xFFF) / 256.0;
    unsigned first = lane & ~3u;
    double across = step_between(w, op, image, &s, first, first + 1);
    double down = step_between(w, op, image, &s, first, first + 2);
    double raw = log2(across > down ? across : down) + bias, clamped = raw < low ? low : raw;
    clamped = clamped > high ? high : clamped;
    clamped = clamped < 0 || last < 0 ? 0 : clamped > last ? last : clamped;
    answer[0] = lane_bits32((float)clamped);
    answer[1] = lane_bits32((float)raw);
    answer[2] = answer[3] = 0;
}

static const struct gcn_uop *image_get_lod(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_image image = {0};
    uint64_t left = gcn_exec(w);
    unsigned results = op->imm & 15 ? (unsigned)op->imm & 15 : 1;
    uint32_t answers[GCN_LANES][4];
    if (left && !gcn_image_of(w, op, &image))
        return NULL;
    if (left && image.type == GCN_IMAGE_CUBE)
        return gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, image.base);
    if (left && !gcn_image_has_registers(w, op, image.coordinates, (unsigned)__builtin_popcount(results)))
        return NULL;
    for (uint64_t lanes = left; lanes; lanes &= lanes - 1)
        level_of_detail(w, op, &image, (unsigned)__builtin_ctzll(lanes), answers[__builtin_ctzll(lanes)]);
    for (; left; left &= left - 1) /* now, as the coordinates of other lanes may lie there */
        gcn_image_put(w, op, &image, (unsigned)__builtin_ctzll(left), answers[__builtin_ctzll(left)], results);
    return op + 1;
}

/* All operations: every kind of level, with and without comparison and offsets. */
#define PLAIN(X, name, form) X(name, form) X(name##_cl, form) X(name##_l, form) X(name##_lz, form)                 \
    X(name##_b, form | BIAS) X(name##_b_cl, form | BIAS)
#define PLAIN_O(X, name, form) X(name##_o, form) X(name##_cl_o, form) X(name##_l_o, form) X(name##_lz_o, form)     \
    X(name##_b_o, form | BIAS) X(name##_b_cl_o, form | BIAS)
#define DERIVED(X, name, form)                                                                                     \
    X(name##_d, form | DERIVATIVES) X(name##_d_cl, form | DERIVATIVES)                                             \
    X(name##_cd, form | DERIVATIVES) X(name##_cd_cl, form | DERIVATIVES)
#define DERIVED_O(X, name, form)                                                                                   \
    X(name##_d_o, form | DERIVATIVES) X(name##_d_cl_o, form | DERIVATIVES)                                         \
    X(name##_cd_o, form | DERIVATIVES) X(name##_cd_cl_o, form | DERIVATIVES)
#define OPERATIONS(X)                                                                                              \
    PLAIN(X, image_sample, 0) PLAIN_O(X, image_sample, OFFSET)                                                     \
    PLAIN(X, image_sample_c, COMPARE) PLAIN_O(X, image_sample_c, COMPARE | OFFSET)                                 \
    DERIVED(X, image_sample, 0) DERIVED_O(X, image_sample, OFFSET)                                                 \
    DERIVED(X, image_sample_c, COMPARE) DERIVED_O(X, image_sample_c, COMPARE | OFFSET)                             \
    X(image_gather4h, GATHER | ROW)                                                                                \
    PLAIN(X, image_gather4, GATHER) PLAIN_O(X, image_gather4, GATHER | OFFSET)                                     \
    PLAIN(X, image_gather4_c, GATHER | COMPARE) PLAIN_O(X, image_gather4_c, GATHER | COMPARE | OFFSET)

#define HANDLER(name, form)                                                                                        \
    static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)                                \
    {                                                                                                              \
        return sample(w, op, form);                                                                                \
    }
OPERATIONS(HANDLER)

#define ROW(name, form) {GCN_OP_##name, name},
/* clang-format off */
const struct gcn_handler_row gcn_sample_handlers[] = {
    OPERATIONS(ROW)
    {GCN_OP_image_get_lod, image_get_lod},
    {0, NULL},
};
/* clang-format on */
