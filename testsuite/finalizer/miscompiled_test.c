/* SPDX-License-Identifier: MIT */
/* Code that LLVM once compiled wrongly, executed at every level of optimisation (A01-A06, A12, A17-A20): the kernels of
 * miscompiled.hsail on edge and random values, compared with the same in C. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"
#include "testsuite/float_bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 4096, WORDS = 4 };

static void divide_24(const uint32_t *in, uint32_t *out)
{
    uint32_t a = in[0] & 0xffffff, b = (in[1] & 0xff) | 1, c = (in[2] & 0xffff) | 1;
    out[0] = a / b;
    out[1] = a % b;
    out[2] = 0xfffffffe / c;
    out[3] = 0xfffffffe % c;
}

static void divide_s8(const uint32_t *in, uint32_t *out)
{
    int a = (int8_t)in[0], b = (int8_t)(in[0] >> 8) | 1, c = (int16_t)in[1], d = (int16_t)(in[1] >> 16) | 1;
    out[0] = (uint32_t)(a / b);
    out[1] = (uint32_t)(a % b);
    out[2] = (uint32_t)(c / d);
    out[3] = (uint32_t)(c % d);
}

static void divide_full(const uint32_t *in, uint32_t *out)
{
    int64_t c = (int32_t)in[2], d = (int32_t)(in[3] | 2);
    out[0] = in[0] / (in[1] | 1);
    out[1] = in[0] % (in[1] | 1);
    out[2] = (uint32_t)(c / d);
    out[3] = (uint32_t)(c % d);
}

static void put_64(uint32_t *out, uint64_t a, uint64_t b)
{
    memcpy(out, &a, 8);
    memcpy(out + 2, &b, 8);
}

static void divide_u64(const uint32_t *in, uint32_t *out)
{
    uint64_t a = in[0] & 0xffffff, b = (in[2] & 0xff) | 1;
    put_64(out, a / b, a % 3);
}

static void divide_s64(const uint32_t *in, uint32_t *out)
{
    int64_t a = (int8_t)in[0], b = (int8_t)(in[0] >> 8) | 1;
    put_64(out, (uint64_t)(a / b), (uint64_t)(a % b));
}

static void or_constants(const uint32_t *in, uint32_t *out)
{
    uint64_t a = in[0] | (uint64_t)in[1] << 32, b = in[2] | (uint64_t)in[3] << 32;
    put_64(out, a | 0xffffffffffffe19e | b, 0x12345678ffffffff | a | b);
}

static void extend(const uint32_t *in, uint32_t *out)
{
    out[0] = bits_of_f32((in[0] & 0x8000 ? -1.0f : 1.0f) + 2.0f);
    out[1] = bits_of_f32(in[1] & 0x80 ? -2.0f : 2.0f);
    out[2] = out[3] = in[0] & 0x3fff; /* a finite half, times 1 */
}

static void negative_zero(const uint32_t *in, uint32_t *out)
{
    out[0] = (in[0] & 0xffff0000) | 0x8000;
    out[1] = (in[0] & 0xffff0000) | 0x8000;
    out[2] = (in[1] & 0xffff) | 0x80000000;
    out[3] = 0x80000000;
}

static void choose(const uint32_t *in, uint32_t *out)
{
    uint32_t low = in[0] & 0xffff ? 15 : 2, high = in[0] >> 16 ? 42861 : 50368, chosen = high << 16 | low;
    out[0] = chosen;
    out[1] = 0;
    for (unsigned at = 0; at < 32; at += 8) /* of the count, as many bits are used as an element needs */
        out[1] |= ((in[1] >> at & 0xff) << (chosen & 7) & 0xff) << at;
    out[2] = ((high + 1) & 0xffff) << 16 | (low + 2);
    out[3] = 0xffffffff >> (chosen & 31);
}

/* The upper half of the result takes elements 6, 3, 6 and 0 of the shifted value. */
static void signed_bytes(const uint32_t *in, uint32_t *out)
{
    uint32_t sign = in[1] >> 31 ? 0xff : 0;
    out[0] = 0x02050605;
    out[1] = sign | (in[1] >> 24) << 8 | sign << 16 | in[1] << 24;
    out[2] = in[0];
    out[3] = in[1];
}

static const struct {
    const char *kernel;
    void (*model)(const uint32_t *in, uint32_t *out);
} cases[] = {{"&divide_24", divide_24},     {"&divide_s8", divide_s8},
             {"&divide_full", divide_full}, {"&divide_u64", divide_u64},
             {"&divide_s64", divide_s64},   {"&or_constants", or_constants},
             {"&extend", extend},           {"&negative_zero", negative_zero},
             {"&choose", choose},           {"&signed_bytes", signed_bytes}};

static uint32_t in[GRID][WORDS], out[GRID][WORDS];

static void fill(void)
{
    static const uint32_t edges[] = {
        0,        1,        3,          0xffffffff, 0x80000000, 0x7fffffff, 0xff80,     0xff800080, 0xe60d45,
        0xffffff, 0xfffffe, 0x3c00bc00, 0x80008000, 0xffff0000, 0x80ff,     0xffff8000, 0x00010001, 0x7f8000ff};
    uint64_t state = 42;
    for (unsigned i = 0; i < GRID; i++)
        for (unsigned k = 0; k < WORDS; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            in[i][k] = state >> 60 < 6 ? edges[(state >> 40) % (sizeof edges / sizeof edges[0])] : state >> 28;
        }
    in[0][0] = 15076805; /* a third of this is not what a computation in 24 bits of floating point gives */
    in[0][1] = 3;
}

static bool right(struct gpu *gpu, size_t index)
{
    memset(out, 0xcd, sizeof out);
    if (!gpu_run(gpu, cases[index].kernel, GRID, 64, (uint64_t[]){(uintptr_t)in, (uintptr_t)out}, 2))
        return false;
    for (unsigned i = 0; i < GRID; i++) {
        uint32_t expected[WORDS];
        cases[index].model(in[i], expected);
        for (unsigned k = 0; k < WORDS; k++)
            if (out[i][k] != expected[k]) {
                printf("# from %08x %08x %08x %08x word %u is %08x, not %08x\n", in[i][0], in[i][1], in[i][2], in[i][3],
                       k, out[i][k], expected[k]);
                return false;
            }
    }
    return true;
}

int main(void)
{
    static char text[1 << 16];
    static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3"};
    char path[512];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/finalizer/miscompiled.hsail", source ? source : ".");
    FILE *file = fopen(path, "rb");
    if (!file)
        return 99;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    fill();
    for (size_t level = 0; level < sizeof levels / sizeof levels[0]; level++) {
        struct gpu *gpu = gpu_open(text, levels[level]);
        if (!ok(gpu, "finalizes with '%s'", levels[level]))
            continue;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            ok(right(gpu, i), "%s with '%s'", cases[i].kernel, levels[level]);
        gpu_close(gpu);
    }
    return tap_done();
}
