/* SPDX-License-Identifier: MIT */
/* Tests how elements of typed buffers and images are converted: every value of the small formats in both directions,
 * the numbers at the ends of each range, and saturation. */
#include "runtime/gcn/exec/exec_pixel.h"

#include <math.h>
#include <string.h>

#include "testsuite/tap.h"
#include "testsuite/float_bits.h"

/* The component X of an element with one field. */
static float decode_x(unsigned data, unsigned number, uint64_t element)
{
    uint32_t c[4];
    gcn_pixel_decode((struct gcn_pixel_format){(uint8_t)data, (uint8_t)number}, &element, c);
    return f32_of_bits(c[0]);
}

static uint64_t encode_x(unsigned data, unsigned number, uint32_t x)
{
    uint32_t c[4] = {x, 0, 0, 0};
    uint64_t element[2] = {0};
    gcn_pixel_encode((struct gcn_pixel_format){(uint8_t)data, (uint8_t)number}, c, element);
    return element[0];
}

/* Converts every element of a format of at most 16 bits in both directions, which must give the same element (with
 * SNORM, the lowest value becomes the second lowest). */
static void round_trip(unsigned data, unsigned number, const char *name)
{
    struct gcn_pixel_format format = {(uint8_t)data, (uint8_t)number};
    unsigned wrong = 0, bytes = gcn_pixel_bytes(format);
    for (uint32_t i = 0; i < 1u << 8 * bytes; i++) {
        uint32_t c[4], again = 0, twice[4];
        gcn_pixel_decode(format, &i, c);
        gcn_pixel_encode(format, c, &again);
        gcn_pixel_decode(format, &again, twice);
        bool nan = number == GCN_NUM_FLOAT && (i & 0x7C00) == 0x7C00 && (i & 0x3FF);
        wrong += (again != i && number != GCN_NUM_SNORM && !nan) || (memcmp(c, twice, sizeof c) && !nan);
    }
    ok(!wrong, "%s: every element survives", name);
}

int main(void)
{
    round_trip(1, GCN_NUM_UNORM, "8 UNORM");
    round_trip(1, GCN_NUM_SNORM, "8 SNORM");
    round_trip(1, GCN_NUM_SRGB, "8 SRGB");
    round_trip(2, GCN_NUM_UNORM, "16 UNORM");
    round_trip(2, GCN_NUM_SINT, "16 SINT");
    round_trip(2, GCN_NUM_USCALED, "16 USCALED");
    round_trip(2, GCN_NUM_SSCALED, "16 SSCALED");
    round_trip(2, GCN_NUM_FLOAT, "16 FLOAT");
    round_trip(3, GCN_NUM_UINT, "8_8 UINT");
    round_trip(3, GCN_NUM_SNORM, "8_8 SNORM");
    round_trip(16, GCN_NUM_UNORM, "5_6_5 UNORM");
    round_trip(17, GCN_NUM_UNORM, "1_5_5_5 UNORM");
    round_trip(18, GCN_NUM_UNORM, "5_5_5_1 UNORM");
    round_trip(19, GCN_NUM_UNORM, "4_4_4_4 UNORM");
    ok(decode_x(1, GCN_NUM_UNORM, 255) == 1 && decode_x(1, GCN_NUM_UNORM, 51) == 0.2f, "UNORM");
    ok(decode_x(1, GCN_NUM_SNORM, 0x80) == -1 && decode_x(1, GCN_NUM_SNORM, 0x81) == -1 &&
           decode_x(1, GCN_NUM_SNORM, 127) == 1,
       "SNORM");
    ok(decode_x(2, GCN_NUM_SSCALED, 0xFFFE) == -2 && decode_x(2, GCN_NUM_USCALED, 0xFFFE) == 65534, "SCALED");
    ok(decode_x(2, GCN_NUM_FLOAT, 0x3C00) == 1 && decode_x(4, GCN_NUM_FLOAT, 0x40490FDB) == f32_of_bits(0x40490FDB),
       "FLOAT");
    ok(decode_x(6, GCN_NUM_FLOAT, 0x3C0) == 1 && decode_x(7, GCN_NUM_FLOAT, 0x1E0) == 1, "floats of 11 and 10 bits");
    ok(fabsf(decode_x(1, GCN_NUM_SRGB, 128) - 0.2158605f) < 1e-6f && decode_x(1, GCN_NUM_SRGB, 255) == 1, "SRGB");
    ok(encode_x(1, GCN_NUM_UNORM, bits_of_f32(0.5f)) == 128 && encode_x(1, GCN_NUM_UNORM, bits_of_f32(-3)) == 0 &&
           encode_x(1, GCN_NUM_UNORM, bits_of_f32(7)) == 255 && encode_x(1, GCN_NUM_UNORM, bits_of_f32(NAN)) == 0,
       "UNORM saturates");
    ok(encode_x(1, GCN_NUM_SNORM, bits_of_f32(-1)) == 0x81 &&
           encode_x(1, GCN_NUM_SNORM, bits_of_f32(-INFINITY)) == 0x81,
       "SNORM saturates");
    ok(encode_x(1, GCN_NUM_UINT, 300) == 255 && encode_x(1, GCN_NUM_SINT, 300) == 127 &&
           encode_x(1, GCN_NUM_SINT, (uint32_t)-300) == 0x80 && encode_x(4, GCN_NUM_UINT, 0xFFFFFFFF) == 0xFFFFFFFF &&
           encode_x(4, GCN_NUM_SINT, 0x80000000) == 0x80000000,
       "integers saturate");
    uint32_t c[4], order[4] = {1, 2, 3, 4};
    uint32_t element = 1u << 30 | 2u << 20 | 3u << 10 | 5;
    gcn_pixel_decode((struct gcn_pixel_format){9, GCN_NUM_UINT}, &element, c);
    ok(c[0] == 5 && c[1] == 3 && c[2] == 2 && c[3] == 1, "2_10_10_10: X is the lowest field");
    gcn_pixel_decode((struct gcn_pixel_format){1, GCN_NUM_UINT}, &element, c);
    ok(c[0] == 5 && c[1] == 0 && c[2] == 0 && c[3] == 1, "components that are not there are 0, 0, 0, 1");
    uint32_t bgra = 6 | 5 << 3 | 4 << 6 | 7 << 9;
    memcpy(c, order, sizeof c);
    gcn_pixel_select((struct gcn_pixel_format){10, GCN_NUM_UINT}, bgra, c);
    ok(c[0] == 3 && c[1] == 2 && c[2] == 1 && c[3] == 4, "DST_SEL chooses");
    gcn_pixel_unselect(bgra, c);
    ok(!memcmp(c, order, sizeof c), "stores undo DST_SEL");
    gcn_pixel_select((struct gcn_pixel_format){10, GCN_NUM_FLOAT}, 0 | 1 << 3 | 4 << 6 | 1 << 9, c);
    ok(c[0] == 0 && f32_of_bits(c[1]) == 1 && c[2] == 1 && f32_of_bits(c[3]) == 1, "DST_SEL has constants");
    ok(gcn_pixel_bytes((struct gcn_pixel_format){0, 0}) == 0 &&
           gcn_pixel_bytes((struct gcn_pixel_format){15, 0}) == 0 &&
           gcn_pixel_bytes((struct gcn_pixel_format){63, 0}) == 0,
       "formats that do not exist have no size");
    return tap_done();
}
