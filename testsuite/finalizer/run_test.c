/* SPDX-License-Identifier: MIT */
/* Executes calls, segments, lanes, fbarriers, switches and allocation at run time (C01-C07, A20, A46, A47, B03, B06,
 * B12, M20): the kernels of run.hsail, compared with the same in C. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

enum { GRID = 256 };

static uint32_t recurse(uint32_t i)
{
    uint32_t r = 1;
    for (uint32_t n = i & 7; n > 1; n--)
        r *= n;
    return r;
}

static uint32_t chosen(uint32_t i)
{
    return i & 1 ? i * 5 : i + 5;
}
static uint32_t arrays(uint32_t i)
{
    return i + 1 + 2 + 3 + i;
}

/* 100 + (id + 1000) from memory, three of five questions with the answer yes, a global and a readonly variable. */
static uint32_t segments(uint32_t i)
{
    return 100 + i + 1000 + 100000 + 10000000 + 200000 + 5 + 30;
}
static uint32_t lanes(uint32_t i)
{
    return i ^ 1;
}

static uint32_t allocate(uint32_t i)
{
    uint32_t last = i & 15;
    return last * (last + 1) / 2;
}

static uint32_t fbarriers(uint32_t i)
{
    (void)i;
    return 255 * 256 / 2;
}

static uint32_t switches(uint32_t i)
{
    static const uint32_t steps[] = {1, 10, 1100, 1000};
    uint32_t sum = 0;
    for (uint32_t n = i & 15;; n--) {
        sum += steps[n & 3];
        if (!n)
            return sum;
    }
}

/* The counter starts at the work-item's number and goes up by 7 three times; it is read twice. */
static uint32_t privates(uint32_t i)
{
    return 2 * (i + 21) + i;
}

/* second(0) leaves its number times 4 in group memory, to which second(2) adds 2. */
static uint32_t mutual(uint32_t i)
{
    return i % 64 * 4 + 2;
}

/* What the addresses lead to, and the numbers beside them, two digits each: 12, 77, 13, 11. */
static uint32_t packed_addresses(uint32_t i)
{
    (void)i;
    return 12771311;
}

static const struct {
    const char *kernel;
    uint32_t (*expected)(uint32_t id);
    uint16_t group;
} cases[] = {{"&recurse", recurse, 64},   {"&indirect", chosen, 64},      {"&scall", chosen, 64},
             {"&arrays", arrays, 64},     {"&segments", segments, 64},    {"&lanes", lanes, 64},
             {"&allocate", allocate, 64}, {"&fbarriers", fbarriers, 256}, {"&switches", switches, 64},
             {"&privates", privates, 64}, {"&mutual", mutual, 64},        {"&packed_addresses", packed_addresses, 64}};

static void check_all(const char *text, const char *options)
{
    struct gpu *gpu = gpu_open(text, options);
    if (!ok(gpu, "finalizes with '%s'", options))
        return;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static uint32_t out[GRID];
        memset(out, 0xcd, sizeof out);
        bool good = gpu_run(gpu, cases[k].kernel, GRID, cases[k].group, (uint64_t[]){(uintptr_t)out}, 1);
        for (uint32_t i = 0; good && i < GRID; i++)
            if (out[i] != cases[k].expected(i)) {
                printf("# work-item %u gives %u, not %u\n", i, out[i], cases[k].expected(i));
                good = false;
            }
        ok(good, "%s with '%s'", cases[k].kernel, options);
    }
    gpu_close(gpu);
}

int main(void)
{
    static char text[1 << 16];
    char path[512];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/finalizer/run.hsail", source ? source : ".");
    FILE *file = fopen(path, "rb");
    if (!file)
        return 99;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    check_all(text, "-O2");
    check_all(text, "-O0");
    check_all(text, "-O2 -shares=4");
    return tap_done();
}
