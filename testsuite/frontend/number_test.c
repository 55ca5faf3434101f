/* SPDX-License-Identifier: MIT */
/* Compares numbers with the C library (f32, f64) and with exact integer arithmetic (f16), and tries both sides of every
 * tie in rounding. Covers S45, S48 of the feature list (PRM 4.8.1, 4.8.2). */
#include "frontend/number.h"

#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 20240229;

static uint64_t random64(void)
{
    return xorshift(&seed);
}

static bool read(const char *text, enum number_width width, uint64_t *bits)
{
    return number_float(text, strlen(text), width, bits);
}

static bool is(const char *text, enum number_width width, uint64_t want)
{
    uint64_t bits = 0;
    bool fits = read(text, width, &bits);
    if (fits && bits == want)
        return true;
    printf("# %s: %s %llx, expected %llx\n", text, fits ? "read as" : "too large", (unsigned long long)bits,
           (unsigned long long)want);
    return false;
}

/* What the C library reads; false for an overflow. */
static bool host_read(const char *text, enum number_width width, uint64_t *bits)
{
    *bits = 0;
    if (width == NUMBER_F32) {
        float single = strtof(text, NULL);
        memcpy(bits, &single, sizeof single);
        return isfinite(single);
    }
    double value = strtod(text, NULL);
    memcpy(bits, &value, sizeof value);
    return isfinite(value);
}

static bool agrees(const char *text, enum number_width width)
{
    uint64_t ours = 0, theirs = 0;
    bool fits = read(text, width, &ours), host_fits = host_read(text, width, &theirs);
    if (fits == host_fits && (!fits || ours == theirs))
        return true;
    printf("# %s: %d %llx, C library %d %llx\n", text, fits, (unsigned long long)ours, host_fits,
           (unsigned long long)theirs);
    return false;
}

/* Random digits, with a point and an exponent anywhere. */
static void random_literal(char *text, bool hexadecimal)
{
    int digits = 1 + (int)(random64() % 40), point = (int)(random64() % (unsigned)(digits + 1));
    int used = hexadecimal ? sprintf(text, "0x") : 0;
    for (int i = 0; i < digits; i++) {
        if (i == point)
            text[used++] = '.';
        text[used++] = "0123456789abcdef"[random64() % (hexadecimal ? 16 : 10)];
    }
    int range = random64() % 4 ? 40 : 700;
    sprintf(text + used, "%c%d", hexadecimal ? 'p' : 'e', (int)(random64() % (unsigned)range) - range / 2);
}

static void test_host(void)
{
    bool good = true;
    char text[128];
    for (int i = 0; i < 40000 && good; i++) {
        random_literal(text, i & 1);
        good = agrees(text, NUMBER_F32) && agrees(text, NUMBER_F64);
    }
    ok(good, "random literals as the C library reads them");
}

/* The midpoint between two neighbours, exactly, a little less and a little more. */
static void test_ties(void)
{
    bool good = true;
    for (int i = 0; i < 4000 && good; i++) {
        uint32_t bits = (uint32_t)(random64() >> 33);
        if (bits >= 0x7f7fffff)
            continue;
        uint32_t above = bits + 1;
        float low, high;
        memcpy(&low, &bits, sizeof low);
        memcpy(&high, &above, sizeof high);
        double middle = ((double)low + (double)high) / 2;
        char text[1200];
        int length = sprintf(text, "%.*e", 120, middle);
        char *e = strchr(text, 'e');
        good = is(text, NUMBER_F32, bits & 1 ? above : bits);
        char exponent[16];
        strcpy(exponent, e);
        memmove(e + 900, e, (size_t)(text + length - e) + 1);
        memset(e, '0', 900);
        e[899] = '1'; /* digit 1,020 decides */
        good = good && is(text, NUMBER_F32, above);
    }
    ok(good, "ties to even, whatever the number of digits");
}

static void test_half(void)
{
    bool good = true;
    char text[64];
    for (uint32_t bits = 0; bits < 0x7bff && good; bits++) {
        uint32_t biased = bits >> 10, fraction = (bits & 1023) | (biased ? 1024 : 0);
        double value = ldexp(fraction, (int)(biased ? biased : 1) - 25);
        double step = ldexp(1, (int)(biased ? biased : 1) - 25);
        sprintf(text, "%.30eh", value);
        good = is(text, NUMBER_F16, bits);
        sprintf(text, "%.40eh", value + step / 2);
        good = good && is(text, NUMBER_F16, bits + (bits & 1));
        sprintf(text, "%ah", value + step * 0.75);
        good = good && is(text, NUMBER_F16, bits + 1);
        sprintf(text, "%ah", value + step * 0.25);
        good = good && is(text, NUMBER_F16, bits);
    }
    ok(good, "every f16 value and what lies between");
}

static void test_named(void)
{
    uint64_t bits;
    ok(is("0f3f800000", NUMBER_F32, 0x3f800000) && is("0hFfFf", NUMBER_F16, 0xffff) &&
           is("0d7ff0000000000001", NUMBER_F64, 0x7ff0000000000001),
       "IEEE forms");
    ok(is("0e0f", NUMBER_F32, 0) && is("0.f", NUMBER_F32, 0) && is(".5", NUMBER_F64, 0x3fe0000000000000) &&
           is("5.d", NUMBER_F64, 0x4014000000000000) && is("0x.8p1", NUMBER_F64, 0x3ff0000000000000) &&
           is("0X1.P-1074", NUMBER_F64, 1),
       "short forms");
    ok(!read("3.5e38f", NUMBER_F32, &bits) && !read("65520.0h", NUMBER_F16, &bits) &&
           !read("1e999999999999999999", NUMBER_F64, &bits) && !read("0x1p1024", NUMBER_F64, &bits),
       "overflow");
    ok(is("65519.99h", NUMBER_F16, 0x7bff) && is("3.4028235677973366e38f", NUMBER_F32, 0x7f7fffff) &&
           !read("3.4028235677973367e38f", NUMBER_F32, &bits),
       "the edge of overflow");
    ok(is("1e-999999999999999999", NUMBER_F64, 0) && is("2.4703282292062327e-324", NUMBER_F64, 0) &&
           is("2.4703282292062328e-324", NUMBER_F64, 1) && is("0e99999999999999", NUMBER_F64, 0),
       "underflow");
    uint64_t value;
    ok(number_integer("18446744073709551615", 20, &value) && value == UINT64_MAX &&
           !number_integer("18446744073709551616", 20, &value) && number_integer("0x0fF", 5, &value) && value == 255 &&
           number_integer("0777", 4, &value) && value == 511 && number_integer("0", 1, &value) && value == 0,
       "integers");
}

static void test_print(void)
{
    static const int size[] = {16, 32, 64};
    bool good = true;
    for (int i = 0; i < 60000 && good; i++) {
        enum number_width width = (enum number_width)(i % 3);
        uint64_t bits = random64() >> (64 - size[width]), back = 0;
        for (int style = NUMBER_IEEE; style <= NUMBER_DECIMAL && good; style++) {
            char text[NUMBER_TEXT];
            size_t length = number_print(text, bits, width, (enum number_style)style);
            size_t skip = text[0] == '-';
            good = length == strlen(text) && read(text + skip, width, &back) &&
                   (back | (uint64_t)skip << (size[width] - 1)) == bits;
            if (!good)
                printf("# %llx printed as %s reads as %llx\n", (unsigned long long)bits, text,
                       (unsigned long long)back);
        }
    }
    ok(good, "what is printed reads back to the same bits");
    char text[NUMBER_TEXT];
    number_print(text, 0x3dcccccd, NUMBER_F32, NUMBER_DECIMAL);
    ok(!strcmp(text, "0.1f"), "shortest decimal: %s", text);
    number_print(text, 0x4059000000000000, NUMBER_F64, NUMBER_DECIMAL);
    ok(!strcmp(text, "100.0d"), "an integer keeps its point: %s", text);
    number_print(text, 0x0001, NUMBER_F16, NUMBER_C99);
    ok(!strcmp(text, "0x1p-24h"), "a subnormal in C99 form: %s", text);
    number_print(text, 0x7fc00000, NUMBER_F32, NUMBER_DECIMAL);
    ok(!strcmp(text, "0f7fc00000"), "a NaN has IEEE form only: %s", text);
}

int main(void)
{
    test_named();
    test_host();
    test_ties();
    test_half();
    test_print();
    fesetround(FE_UPWARD);
    test_named();
    test_half();
    return tap_done();
}
