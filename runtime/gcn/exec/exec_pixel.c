/* SPDX-License-Identifier: MIT */
/* Converts elements of typed buffers and images.
 *
 * Input: a format and either the bytes of an element or its components. Output: the other of the two. Fields are
 * little-endian strings of bits, with X at the low end; every result is correctly rounded, to nearest even. */
#include "runtime/gcn/exec/exec_pixel.h"

#include <string.h>

#include "runtime/gcn/exec/lane.h"

static const struct {
    uint8_t bytes, bits[4];
} layouts[32] = {
#define PIXEL(code, name, bytes, x, y, z, w) [code] = {bytes, {x, y, z, w}},
#include "runtime/gcn/tables/pixel.def"
#undef PIXEL
};

unsigned gcn_pixel_bytes(struct gcn_pixel_format format)
{
    return format.data < 32 ? layouts[format.data].bytes : 0;
}

/* Fields */

static uint32_t get_field(const uint8_t *memory, unsigned at, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned i = at / 8; i <= (at + bits - 1) / 8; i++)
        value |= (uint64_t)memory[i] << 8 * (i - at / 8);
    return (uint32_t)(value >> at % 8 & ((UINT64_C(1) << bits) - 1));
}

static void put_field(uint8_t *memory, unsigned at, unsigned bits, uint32_t value)
{
    for (unsigned i = 0; i < bits; i++)
        memory[(at + i) / 8] |= (uint8_t)((value >> i & 1) << (at + i) % 8);
}

static int32_t sign_extend(uint32_t value, unsigned bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* The curve of IEC 61966-2-1. */

static double srgb_to_linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double linear_to_srgb(double x)
{
    return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

/* A float of 10 or 11 bits is a positive half-precision number without its low mantissa bits. */
static uint32_t float_field(uint32_t value, unsigned bits)
{
    switch (bits) {
    case 32: return value;
    case 16: return lane_bits32(lane_from16(value));
    case 11: return lane_bits32(lane_from16(value << 4));
    case 10: return lane_bits32(lane_from16(value << 5));
    default: return 0;
    }
}

static uint32_t to_float_field(uint32_t component, unsigned bits)
{
    uint32_t half = lane_to16(lane_f32(component));
    if (bits >= 16)
        return bits == 32 ? component : half;
    if ((half & 0x7FFF) > 0x7C00) /* the short mantissa must not turn a NaN into infinity */
        half = 0x7E00;
    return half & 0x8000 || bits < 10 ? 0 : half >> (15 - bits);
}

static uint32_t decode_field(enum gcn_number number, unsigned channel, uint32_t value, unsigned bits)
{
    double max = (double)(UINT32_MAX >> (32 - bits)), smax = bits > 1 ? (double)(UINT32_MAX >> (33 - bits)) : 1;
    double signed_value = sign_extend(value, bits);
    switch (number) {
    case GCN_NUM_UNORM: return lane_bits32((float)(value / max));
    case GCN_NUM_SNORM: return lane_bits32((float)(signed_value <= -smax ? -1 : signed_value / smax));
    case GCN_NUM_USCALED: return lane_bits32((float)value);
    case GCN_NUM_SSCALED: return lane_bits32((float)signed_value);
    case GCN_NUM_UINT: return value;
    case GCN_NUM_SINT: return (uint32_t)sign_extend(value, bits);
    case GCN_NUM_FLOAT: return float_field(value, bits);
    case GCN_NUM_SRGB: return lane_bits32((float)(channel < 3 ? srgb_to_linear(value / max) : value / max));
    }
    return 0;
}

/* X clamped to [LOW, HIGH], rounded to an integer; NaN is 0. */
static uint32_t clamp_round(double x, double low, double high)
{
    if (!(x == x))
        return 0;
    x = x < low ? low : x > high ? high : x;
    return (uint32_t)(int64_t)nearbyint(x);
}

static uint32_t encode_field(enum gcn_number number, unsigned channel, uint32_t component, unsigned bits)
{
    double max = (double)(UINT32_MAX >> (32 - bits)), smax = bits > 1 ? (double)(UINT32_MAX >> (33 - bits)) : 1;
    double x = lane_f32(component);
    int64_t integer = (int32_t)component;
    switch (number) {
    case GCN_NUM_UNORM: return clamp_round(x * max, 0, max);
    case GCN_NUM_SNORM: return clamp_round(x * smax, -smax, smax);
    case GCN_NUM_USCALED: return clamp_round(trunc(x), 0, max);
    case GCN_NUM_SSCALED: return clamp_round(trunc(x), -smax - 1, smax);
    case GCN_NUM_UINT: return component > max ? (uint32_t)max : component;
    case GCN_NUM_SINT:
        integer = integer > smax ? (int64_t)smax : integer < -smax - 1 ? -(int64_t)smax - 1 : integer;
        return (uint32_t)integer;
    case GCN_NUM_FLOAT: return to_float_field(component, bits);
    case GCN_NUM_SRGB: return clamp_round((channel < 3 && x > 0 && x < 1 ? linear_to_srgb(x) : x) * max, 0, max);
    }
    return 0;
}

void gcn_pixel_decode(struct gcn_pixel_format format, const void *memory, uint32_t component[4])
{
    const uint8_t *bits = layouts[format.data & 31].bits;
    unsigned at = 0;
    for (unsigned i = 0; i < 4; i++) {
        component[i] = i < 3 ? 0 : gcn_pixel_is_integer(format) ? 1 : lane_bits32(1);
        if (bits[i])
            component[i] = decode_field(format.number, i, get_field(memory, at, bits[i]), bits[i]);
        at += bits[i];
    }
}

void gcn_pixel_encode(struct gcn_pixel_format format, const uint32_t component[4], void *memory)
{
    const uint8_t *bits = layouts[format.data & 31].bits;
    unsigned at = 0;
    memset(memory, 0, layouts[format.data & 31].bytes);
    for (unsigned i = 0; i < 4; i++) {
        if (bits[i])
            put_field(memory, at, bits[i], encode_field(format.number, i, component[i], bits[i]));
        at += bits[i];
    }
}

void gcn_pixel_select(struct gcn_pixel_format format, uint32_t selection, uint32_t component[4])
{
    uint32_t from[4];
    memcpy(from, component, sizeof from);
    for (unsigned i = 0; i < 4; i++) {
        unsigned by = selection >> 3 * i & 7;
        component[i] = by >= GCN_SEL_X                ? from[by - GCN_SEL_X]
                       : by != GCN_SEL_ONE            ? 0
                       : gcn_pixel_is_integer(format) ? 1
                                                      : lane_bits32(1);
    }
}

/* If loads take several components from one field, the first of these is the one that is stored. */
void gcn_pixel_unselect(uint32_t selection, uint32_t component[4])
{
    uint32_t from[4];
    memcpy(from, component, sizeof from);
    memset(component, 0, sizeof from);
    for (unsigned i = 4; i-- > 0;) {
        unsigned by = selection >> 3 * i & 7;
        if (by >= GCN_SEL_X)
            component[by - GCN_SEL_X] = from[i];
    }
}

uint32_t gcn_pixel_to16(struct gcn_pixel_format format, uint32_t component)
{
    return gcn_pixel_is_integer(format) ? component & 0xFFFF : lane_to16(lane_f32(component));
}

uint32_t gcn_pixel_from16(struct gcn_pixel_format format, uint32_t half)
{
    if (format.number == GCN_NUM_SINT)
        return (uint32_t)(int16_t)half;
    return format.number == GCN_NUM_UINT ? half & 0xFFFF : lane_bits32(lane_from16(half & 0xFFFF));
}
