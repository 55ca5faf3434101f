/* SPDX-License-Identifier: MIT */
/* Random numbers, and text that grows; see random.h. Input: a seed. Output: the same numbers every time. Invariant:
 * there is no state except the generator's. */
#include "testsuite/finalizer/random/random.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64, with its published constants. */
uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned random_below(struct random *r, unsigned count)
{
    return (unsigned)(random_next(r) >> 32) % count;
}

bool random_chance(struct random *r, unsigned percent)
{
    return random_below(r, 100) < percent;
}

static uint64_t low(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

/* A float near 0, the smallest normal number, 1, an integer, the largest number or infinity, or a NaN. */
static uint64_t float_bits(struct random *r, unsigned bits)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t one = low(bits - mantissa - 2) << mantissa, infinity = low(bits - mantissa - 1) << mantissa;
    const uint64_t points[] = {
        0,
        1,
        low(mantissa),
        low(mantissa) + 1,
        one,
        one + (UINT64_C(1) << mantissa),
        infinity - 1,
        infinity,
        infinity + 1,
        infinity | UINT64_C(1) << (mantissa - 1)};
    uint64_t value = points[random_below(r, sizeof points / sizeof *points)];
    if (random_chance(r, 60)) /* an ordinary number, whose exponent is near that of 1 */
        value = one + ((uint64_t)random_below(r, 17) << mantissa) - (UINT64_C(8) << mantissa) +
                (random_next(r) & low(mantissa) & ~low(random_below(r, mantissa)));
    return (value | (uint64_t)random_below(r, 2) << (bits - 1)) & low(bits);
}

uint64_t random_bits(struct random *r, unsigned bits)
{
    uint64_t value = random_next(r);
    switch (random_below(r, 8)) {
    case 0: value = random_below(r, 17); break;
    case 1: value = UINT64_C(0) - random_below(r, 17); break;
    case 2: value = (UINT64_C(1) << random_below(r, bits)) - random_below(r, 2); break;
    case 3: value = UINT64_C(0x0101010101010101) * (value & 255); break;
    case 4: value &= low(1 + random_below(r, bits)); break;
    case 5: return bits >= 16 ? float_bits(r, bits) : value & low(bits);
    case 6: return bits >= 32 ? float_bits(r, bits / 2) | float_bits(r, bits / 2) << bits / 2 : value & low(bits);
    default: break;
    }
    return value & low(bits);
}

void random_put(struct random_text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out->text + out->used, out->size - out->used, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < out->size - out->used)
        out->used += (size_t)n;
}

bool random_is_known(const char *line)
{
    static const char *const shapes[] = {
#define KNOWN(shape, reason) shape,
#include "testsuite/finalizer/random/known.def"
        NULL};
    for (size_t i = 0; shapes[i]; i++)
        if (!fnmatch(shapes[i], line, 0))
            return !getenv("RANDOM_KNOWN");
    return false;
}

void random_leave_out(struct random_text *out, size_t begin)
{
    char *line = out->text + begin, *to = line;
    out->text[out->used] = '\0';
    while (*line) {
        size_t length = strcspn(line, "\n");
        bool last = !line[length];
        line[length] = '\0';
        if (!random_is_known(line)) {
            memmove(to, line, length);
            to += length;
            *to++ = '\n';
        }
        line += length + !last;
    }
    *to = '\0';
    out->used = (size_t)(to - out->text);
}

void random_header(struct random_text *out)
{
    random_put(out, "module &random:1:2:$full:$large:$near;\n");
}
