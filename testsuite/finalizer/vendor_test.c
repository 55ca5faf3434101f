/* SPDX-License-Identifier: MIT */
/* Instructions of AMD's extensions that the finalizer compiles, executed and compared with what the Vega manual says of
 * the machine's instructions, in plain C; and one that it refuses. */
#include "hsail/finalize.h"
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include <stdio.h>
#include <string.h>

enum { GRID = 512 };

/* What a work-item computes with: three words and two long ones. */
struct sources {
    uint32_t word[4];
    uint64_t wide[2];
};

static uint64_t umad(const struct sources *s)
{
    return (uint64_t)s->word[0] * s->word[1] + s->wide[0];
}

static uint64_t smad(const struct sources *s)
{
    return (uint64_t)((int64_t)(int32_t)s->word[0] * (int32_t)s->word[1]) + s->wide[0];
}

#define RANKS(suffix, type)                                                                                  \
    static void sort_##suffix(const struct sources *s, type sorted[3])                                       \
    {                                                                                                        \
        memcpy(sorted, s->word, 3 * sizeof *sorted);                                                         \
        for (unsigned i = 0; i < 3; i++)                                                                     \
            for (unsigned k = i + 1; k < 3; k++)                                                             \
                if (sorted[k] < sorted[i]) {                                                                 \
                    type other = sorted[i];                                                                  \
                    sorted[i] = sorted[k];                                                                   \
                    sorted[k] = other;                                                                       \
                }                                                                                            \
    }                                                                                                        \
    static uint64_t ranked_##suffix(const struct sources *s, unsigned rank)                                  \
    {                                                                                                        \
        type sorted[3];                                                                                      \
        uint32_t bits;                                                                                       \
        sort_##suffix(s, sorted);                                                                            \
        memcpy(&bits, &sorted[rank], sizeof bits);                                                           \
        return bits;                                                                                         \
    }                                                                                                        \
    static uint64_t least_##suffix(const struct sources *s)                                                  \
    {                                                                                                        \
        return ranked_##suffix(s, 0);                                                                        \
    }                                                                                                        \
    static uint64_t middle_##suffix(const struct sources *s)                                                 \
    {                                                                                                        \
        return ranked_##suffix(s, 1);                                                                        \
    }                                                                                                        \
    static uint64_t most_##suffix(const struct sources *s)                                                   \
    {                                                                                                        \
        return ranked_##suffix(s, 2);                                                                        \
    }
RANKS(u32, uint32_t)
RANKS(s32, int32_t)
RANKS(f32, float)

static uint64_t field_mask(const struct sources *s)
{
    return (uint32_t)(((UINT64_C(1) << (s->word[0] % 32)) - 1) << s->word[1] % 32);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Adds the differences of COUNT fields of BITS bits; where MASKED, those of fields that are 0 in B are left out. */
static uint32_t differences(uint32_t a, uint32_t b, unsigned bits, bool masked)
{
    uint32_t sum = 0, mask = (1u << bits) - 1;
    for (unsigned at = 0; at < 32; at += bits)
        if (!masked || (b >> at & mask))
            sum += distance(a >> at & mask, b >> at & mask);
    return sum;
}

static uint64_t byte_differences(const struct sources *s)
{
    return (uint32_t)(differences(s->word[0], s->word[1], 8, true) + s->word[2]);
}

static uint64_t half_differences(const struct sources *s)
{
    return (uint32_t)(differences(s->word[0], s->word[1], 16, false) + s->word[2]);
}

static uint64_t word_differences(const struct sources *s)
{
    return (uint32_t)(distance(s->word[0], s->word[1]) + s->word[2]);
}

/* Four sums of 16 bits, each with the first source one byte further on. */
static uint64_t sliding(const struct sources *s, bool masked)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t window = (uint32_t)(s->wide[0] >> 8 * i);
        uint16_t sum = (uint16_t)(differences(window, s->word[1], 8, masked) + (s->wide[1] >> 16 * i));
        result |= (uint64_t)sum << 16 * i;
    }
    return result;
}

static uint64_t quad_differences(const struct sources *s)
{
    return sliding(s, false);
}

static uint64_t masked_quad_differences(const struct sources *s)
{
    return sliding(s, true);
}

static const struct {
    const char *instruction;
    uint64_t (*expected)(const struct sources *s);
    bool is_wide;
} cases[] = {
    {"amd_gcn_madu $d4, $s0, $s1, $d2", umad, true},
    {"amd_gcn_mads $d4, $s0, $s1, $d2", smad, true},
    {"amd_gcn_min3_u32 $s8, $s0, $s1, $s2", least_u32, false},
    {"amd_gcn_med3_u32 $s8, $s0, $s1, $s2", middle_u32, false},
    {"amd_gcn_max3_u32 $s8, $s0, $s1, $s2", most_u32, false},
    {"amd_gcn_min3_s32 $s8, $s0, $s1, $s2", least_s32, false},
    {"amd_gcn_med3_s32 $s8, $s0, $s1, $s2", middle_s32, false},
    {"amd_gcn_max3_s32 $s8, $s0, $s1, $s2", most_s32, false},
    {"amd_gcn_min3_f32 $s8, $s0, $s1, $s2", least_f32, false},
    {"amd_gcn_med3_f32 $s8, $s0, $s1, $s2", middle_f32, false},
    {"amd_gcn_max3_f32 $s8, $s0, $s1, $s2", most_f32, false},
    {"amd_gcn_bfm_b32 $s8, $s0, $s1", field_mask, false},
    {"amd_gcn_msad_b32 $s8, $s0, $s1, $s2", byte_differences, false},
    {"amd_gcn_sadw_b32 $s8, $s0, $s1, $s2", half_differences, false},
    {"amd_gcn_sadd_b32 $s8, $s0, $s1, $s2", word_differences, false},
    {"amd_gcn_qsad_b64 $d4, $d2, $s1, $d3", quad_differences, true},
    {"amd_gcn_mqsad_b64 $d4, $d2, $s1, $d3", masked_quad_differences, true}};

static uint32_t next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Floats are neither NaN nor denormal; a byte in four is 0. */
static void fill(struct sources *all, bool floats)
{
    for (unsigned n = 0; n < GRID; n++) {
        for (unsigned i = 0; i < 4; i++) {
            uint32_t bits = next_random();
            float number = (float)(int32_t)bits / 3;
            bits &= ~(255u << 8 * (next_random() % 4));
            memcpy(&all[n].word[i], floats ? (const void *)&number : (const void *)&bits, 4);
        }
        for (unsigned i = 0; i < 2; i++)
            all[n].wide[i] = (uint64_t)next_random() << 32 | next_random();
    }
}

static void test_case(unsigned number, const char *options)
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
             cases[number].instruction, cases[number].is_wide ? "" : "cvt_u64_u32 $d4, $s8;\n");
    fill(in, strstr(cases[number].instruction, "_f32"));
    struct gpu *gpu = gpu_open(text, options);
    bool ran = gpu && gpu_run(gpu, "&k", GRID, 64, (const uint64_t[]){(uintptr_t)in, (uintptr_t)out}, 2);
    for (unsigned n = 0; ran && n < GRID; n++)
        wrong += out[n] != cases[number].expected(&in[n]);
    ok(ran && !wrong, "%s with '%s'", cases[number].instruction, options);
    if (gpu)
        gpu_close(gpu);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_case(i, "-O2");
        test_case(i, "-O0");
    }
    return tap_done();
}
