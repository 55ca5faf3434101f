/* SPDX-License-Identifier: MIT */
/* Executes instructions of amd:gcn; see vendor_case.h. Input: cases. Output: verdicts. */
#include "testsuite/finalizer/vendor_case.h"

#include "testsuite/finalizer/gpu.h"
#include "testsuite/xorshift.h"

#include <stdio.h>
#include <string.h>

enum { GRID = 512 };

static uint32_t next_random(void)
{
    static uint64_t state = 88172645463325252u;
    return (uint32_t)(xorshift(&state) >> 16);
}

static uint32_t random_word(enum vendor_fill fill, unsigned index)
{
    /* 0, the least and the largest subnormal number, 1, infinity, a quiet and a signaling NaN */
    static const uint32_t edges[] = {0, 1, 0x7fffff, 0x3f800000, 0x7f800000, 0x7fc00123, 0x7f800123};
    uint32_t bits = next_random(), sign = next_random() & 0x80000000;
    if (fill == FILL_INTEGERS)
        return bits & ~(255u << 8 * (next_random() % 4));
    if (fill == FILL_FLOATS) {
        float number = (float)(int32_t)bits / 3;
        memcpy(&bits, &number, sizeof bits);
    } else if (index == 2)
        bits = next_random() % 700 - 350;
    else if (index == 3)
        bits &= bits & 0x4000 ? 0xbbffbbff : 0xffffffff & ~0x04000400u;
    else if (next_random() % 4 == 0)
        bits = sign | edges[next_random() % (sizeof edges / sizeof *edges)];
    return bits;
}

static uint64_t random_double(enum vendor_fill fill)
{
    static const uint64_t edges[] = {
        0, 1, 0xfffffffffffff, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000123, 0x7ff0000000000123};
    uint64_t bits = (uint64_t)next_random() << 32 | next_random();
    if (fill == FILL_NUMBERS && next_random() % 4 == 0)
        bits = (bits & UINT64_C(1) << 63) | edges[next_random() % (sizeof edges / sizeof *edges)];
    return bits;
}

bool vendor_right(const struct vendor_case *c, const char *options)
{
    static struct sources in[GRID];
    static uint64_t out[GRID];
    char text[1024];
    unsigned wrong = 0;
    snprintf(text, sizeof text,
             "module &m:1:2:$full:$large:$near;\nextension \"amd:gcn\";\nprog kernel &k(kernarg_u64 %%in, kernarg_u64 "
             "%%out) "
             "{\nworkitemabsid_u32 $s9, 0; cvt_u64_u32 $d5, $s9; shl_u64 $d6, $d5, 5; ld_kernarg_u64 $d7, [%%in]; "
             "add_u64 $d6, $d6, $d7; ld_v4_global_u32 ($s0, $s1, $s2, $s3), [$d6]; ld_v2_global_u64 ($d2, $d3), [$d6 + "
             "16];\nshl_u64 $d5, $d5, 3; ld_kernarg_u64 $d7, [%%out]; add_u64 $d7, $d7, $d5;\n%s;\n%s"
             "st_global_u64 $d4, [$d7];\n};\n",
             c->instruction, c->is_wide ? "" : "cvt_u64_u32 $d4, $s8;\n");
    for (unsigned n = 0; n < GRID; n++) {
        for (unsigned i = 0; i < 4; i++)
            in[n].word[i] = random_word(c->fill, i);
        for (unsigned i = 0; i < 2; i++)
            in[n].wide[i] = random_double(c->fill);
    }
    struct gpu *gpu = gpu_open(text, options);
    bool ran = gpu && gpu_run(gpu, "&k", GRID, 64, (const uint64_t[]){(uintptr_t)in, (uintptr_t)out}, 2);
    for (unsigned n = 0; ran && n < GRID; n++) {
        uint64_t expected = c->expected(&in[n]);
        if (out[n] != expected && wrong++ < 3)
            printf("# %08x %08x %08x %08x %016llx %016llx give %llx, not %llx\n", in[n].word[0], in[n].word[1],
                   in[n].word[2], in[n].word[3], (unsigned long long)in[n].wide[0], (unsigned long long)in[n].wide[1],
                   (unsigned long long)out[n], (unsigned long long)expected);
    }
    if (gpu)
        gpu_close(gpu);
    return ran && !wrong;
}
