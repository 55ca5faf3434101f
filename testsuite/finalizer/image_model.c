/* SPDX-License-Identifier: MIT */
/* Images in plain C; see image_model.h. Input: bytes and coordinates. Output: texels. This was written from tables 7-2
 * and 7-3 and from the pseudo code of 7.1.6. */
#include "testsuite/finalizer/image_model.h"

#include <math.h>
#include <string.h>

/* How many components are in memory, and which of them R, G, B and A come from, or whether they are 0 or 1. */
static const struct order {
    unsigned count;
    const char *from; /* digits name components; z is zero, o is one */
    bool curve;
} orders[] = {
    [HSA_EXT_IMAGE_CHANNEL_ORDER_A] = {1, "zzz0", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_R] = {1, "0zzo", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_RG] = {2, "01zo", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_RA] = {2, "0zz1", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_RGB] = {3, "012o", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA] = {4, "0123", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA] = {4, "2103", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_ARGB] = {4, "1230", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_ABGR] = {4, "3210", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA] = {4, "0123", true},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_SBGRA] = {4, "2103", true},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_INTENSITY] = {1, "0000", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_LUMINANCE] = {1, "000o", false},
    [HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH] = {1, "0zzo", false},
};

static unsigned component_bytes(uint32_t type)
{
    switch (type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8: return 1;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT: return 4;
    default: return 2;
    }
}

unsigned picture_bytes(hsa_ext_image_format_t format)
{
    switch (format.channel_type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555:
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565: return 2;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_101010: return 4;
    default: return component_bytes(format.channel_type) * orders[format.channel_order].count;
    }
}

bool picture_is_integer(hsa_ext_image_format_t format)
{
    return format.channel_type >= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8 &&
           format.channel_type <= HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32;
}

bool picture_is_array(hsa_ext_image_geometry_t geometry)
{
    return geometry == HSA_EXT_IMAGE_GEOMETRY_1DA || geometry == HSA_EXT_IMAGE_GEOMETRY_2DA ||
           geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH;
}

/* The COUNT bits from bit FIRST on, as a fraction of their largest value. */
static float part_of(uint32_t word, unsigned first, unsigned count)
{
    uint32_t most = (1u << count) - 1;
    return (float)((double)(word >> first & most) / most);
}

/* Component I of a packed element, which has red in its upper bits. */
static float packed(uint32_t type, const uint8_t *at, unsigned i)
{
    uint32_t word = 0;
    memcpy(&word, at, type == HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_101010 ? 4 : 2);
    if (type == HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_101010)
        return part_of(word, 20 - 10 * i, 10);
    if (type == HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555)
        return part_of(word, 10 - 5 * i, 5);
    return i == 0 ? part_of(word, 11, 5) : i == 1 ? part_of(word, 5, 6) : part_of(word, 0, 5);
}

/* The component at AT, as a float or as the bits of an integer. */
static union texel component(uint32_t type, const uint8_t *at)
{
    union texel t = {{0}};
    int16_t s16;
    uint16_t u16;
    _Float16 half;
    memcpy(&s16, at, component_bytes(type) > 1 ? 2 : 1);
    memcpy(&u16, at, component_bytes(type) > 1 ? 2 : 1);
    memcpy(&half, at, component_bytes(type) > 1 ? 2 : 1);
    switch (type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8: t.number[0] = fmaxf((float)((int8_t)*at / 127.0), -1); break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16: t.number[0] = fmaxf((float)(s16 / 32767.0), -1); break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8: t.number[0] = (float)(*at / 255.0); break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16: t.number[0] = (float)(u16 / 65535.0); break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8: t.integer[0] = (uint32_t)(int8_t)*at; break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT16: t.integer[0] = (uint32_t)s16; break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8: t.integer[0] = *at; break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16: t.integer[0] = u16; break;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT: t.number[0] = (float)half; break;
    default: memcpy(&t, at, 4);
    }
    return t;
}

static float linear_of(float x)
{
    return (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

/* The element at AT. NULL stands for the border, whose components are 0. */
static union texel element(hsa_ext_image_format_t format, const uint8_t *at)
{
    const struct order *order = &orders[format.channel_order];
    uint32_t type = format.channel_type;
    bool in_one = order->count == 3, integer = picture_is_integer(format);
    union texel result = {{0}};
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = (unsigned)(order->from[i] - '0');
        if (order->from[i] == 'o')
            integer ? (result.integer[i] = 1) : (uint32_t)(result.number[i] = 1);
        else if (order->from[i] != 'z' && at && in_one)
            result.number[i] = packed(type, at, from);
        else if (order->from[i] != 'z' && at)
            result.integer[i] = component(type, at + from * component_bytes(type)).integer[0];
        if (order->curve && i < 3)
            result.number[i] = linear_of(result.number[i]);
    }
    return result;
}

static const uint8_t *place_of(const struct picture *p, const int at[3], unsigned layer)
{
    size_t slice = picture_is_array(p->geometry) ? layer : (size_t)at[2];
    return p->data + slice * p->slice + (size_t)at[1] * p->row + (size_t)at[0] * picture_bytes(p->format);
}

union texel picture_load(const struct picture *p, const int at[3], unsigned layer)
{
    for (unsigned i = 0; i < 3; i++)
        if (at[i] < 0)
            return element(p->format, NULL);
    return element(p->format, place_of(p, at, layer));
}

/* Whether FIELD is the fraction X of MOST, as near as the document asks (UnsignedNormalize, SignedNormalize). What is
 * below the range may become the least number of all, which stands for -1, too. */
static bool is_fraction(double field, double x, double least, double most)
{
    double clamped = x != x ? 0 : fmax(least, fmin(x, 1));
    return fabs(field - clamped * most) <= 0.6 || (x < -1 && least < 0 && field == -most - 1);
}

/* Whether the component at AT is what storing component I of STORED makes of it. */
static bool is_component(uint32_t type, const uint8_t *at, const union texel *stored, unsigned i)
{
    int32_t integer = (int32_t)stored->integer[i];
    double x = (double)stored->number[i];
    int16_t s16;
    uint16_t u16;
    _Float16 half, rounded = (_Float16)stored->number[i];
    uint32_t word;
    memcpy(&s16, at, component_bytes(type) > 1 ? 2 : 1);
    memcpy(&u16, at, component_bytes(type) > 1 ? 2 : 1);
    memcpy(&half, at, component_bytes(type) > 1 ? 2 : 1);
    memcpy(&word, at, component_bytes(type));
    switch (type) {
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8: return is_fraction((int8_t)*at, x, -1, 127);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16: return is_fraction(s16, x, -1, 32767);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8: return is_fraction(*at, x, 0, 255);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16: return is_fraction(u16, x, 0, 65535);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8:
        return (int8_t)*at == (integer < -128 ? -128 : integer > 127 ? 127 : integer);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT16:
        return s16 == (integer < -32768 ? -32768 : integer > 32767 ? 32767 : integer);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8: return *at == (stored->integer[i] > 255 ? 255 : stored->integer[i]);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16:
        return u16 == (stored->integer[i] > 65535 ? 65535 : stored->integer[i]);
    case HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT: return x != x ? half != half : half == rounded;
    case HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT:
        return x != x ? (word & 0x7fffffff) > 0x7f800000 : word == stored->integer[i];
    default: return word == stored->integer[i];
    }
}

bool picture_is_stored(const struct picture *p, const int at[3], unsigned layer, union texel stored)
{
    const uint8_t *place = place_of(p, at, layer);
    const struct order *order = &orders[p->format.channel_order];
    uint32_t type = p->format.channel_type;
    for (unsigned i = 0; i < order->count; i++) {
        unsigned from = (unsigned)(strchr(order->from, (int)('0' + i)) - order->from);
        unsigned bits = type == HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_101010 ? 10
                        : type == HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565 && i == 1
                            ? 6
                            : 5;
        double most = (double)((1u << bits) - 1);
        bool good = order->count == 3
                        ? is_fraction((double)packed(type, place, i) * most, (double)stored.number[from], 0, most)
                        : is_component(type, place + i * component_bytes(type), &stored, from);
        if (!good)
            return false;
    }
    return true;
}

/* The index that INDEX becomes by the addressing mode; -1 is the border. */
static int address(unsigned addressing, int index, int size)
{
    if (index >= 0 && index < size)
        return index;
    int tile = (int)floor((double)index / size), inside = index - tile * size;
    switch (addressing) {
    case HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_BORDER: return -1;
    case HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT: return inside;
    case HSA_EXT_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT: return tile & 1 ? size - 1 - inside : inside;
    default: return index < 0 ? 0 : size - 1;
    }
}

union texel picture_read(const struct picture *p, bool normalized, bool linear, unsigned addressing,
                         const float *coordinate)
{
    bool array = picture_is_array(p->geometry);
    unsigned dimensions = p->coordinates - array, layer = 0;
    int low[3] = {0}, high[3] = {0}, at[3];
    double part[3] = {0}, sum[4] = {0};
    for (unsigned i = 0; i < dimensions; i++) {
        double u = (normalized ? (double)coordinate[i] * p->size[i] : (double)coordinate[i]) - (linear ? 0.5 : 0);
        low[i] = address(addressing, (int)floor(u), (int)p->size[i]);
        high[i] = address(addressing, (int)floor(u) + 1, (int)p->size[i]);
        part[i] = linear ? u - floor(u) : 0;
    }
    if (array)
        layer = (unsigned)fmax(0, fmin(nearbyint(coordinate[dimensions]), p->layers - 1));
    if (!linear)
        return picture_load(p, low, layer);
    for (unsigned corner = 0; corner < 1u << dimensions; corner++) {
        double weight = 1;
        for (unsigned i = 0; i < 3; i++) {
            at[i] = corner >> i & 1 ? high[i] : low[i];
            weight *= i >= dimensions ? 1 : corner >> i & 1 ? part[i] : 1 - part[i];
        }
        union texel t = picture_load(p, at, layer);
        for (unsigned i = 0; i < 4 && weight != 0; i++)
            sum[i] += weight * t.number[i];
    }
    return (union texel){{(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]}};
}
