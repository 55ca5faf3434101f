/* SPDX-License-Identifier: MIT */
/* Instructions of AMD's extension amd:gcn on integers, and those without a result, executed and compared with what the
 * Vega manual says of the machine's instructions, in plain C. */
#include "testsuite/finalizer/vendor_case.h"
#include "testsuite/tap.h"

#include <string.h>

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

/* Four sums of whole words, of which the kernel makes one number. */
static uint64_t wide_differences(const struct sources *s)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++)
        result = result * 5 + differences((uint32_t)(s->wide[0] >> 8 * i), s->word[1], 8, true) + s->word[i];
    return result;
}

static uint64_t second_word(const struct sources *s)
{
    return s->word[1];
}

static const struct vendor_case cases[] = {
    {"amd_gcn_madu $d4, $s0, $s1, $d2", umad, true, FILL_INTEGERS},
    {"amd_gcn_mads $d4, $s0, $s1, $d2", smad, true, FILL_INTEGERS},
    {"amd_gcn_min3_u32 $s8, $s0, $s1, $s2", least_u32, false, FILL_INTEGERS},
    {"amd_gcn_med3_u32 $s8, $s0, $s1, $s2", middle_u32, false, FILL_INTEGERS},
    {"amd_gcn_max3_u32 $s8, $s0, $s1, $s2", most_u32, false, FILL_INTEGERS},
    {"amd_gcn_min3_s32 $s8, $s0, $s1, $s2", least_s32, false, FILL_INTEGERS},
    {"amd_gcn_med3_s32 $s8, $s0, $s1, $s2", middle_s32, false, FILL_INTEGERS},
    {"amd_gcn_max3_s32 $s8, $s0, $s1, $s2", most_s32, false, FILL_INTEGERS},
    {"amd_gcn_min3_f32 $s8, $s0, $s1, $s2", least_f32, false, FILL_FLOATS},
    {"amd_gcn_med3_f32 $s8, $s0, $s1, $s2", middle_f32, false, FILL_FLOATS},
    {"amd_gcn_max3_f32 $s8, $s0, $s1, $s2", most_f32, false, FILL_FLOATS},
    {"amd_gcn_bfm_b32 $s8, $s0, $s1", field_mask, false, FILL_INTEGERS},
    {"amd_gcn_msad_b32 $s8, $s0, $s1, $s2", byte_differences, false, FILL_INTEGERS},
    {"amd_gcn_sadw_b32 $s8, $s0, $s1, $s2", half_differences, false, FILL_INTEGERS},
    {"amd_gcn_sadd_b32 $s8, $s0, $s1, $s2", word_differences, false, FILL_INTEGERS},
    {"amd_gcn_qsad_b64 $d4, $d2, $s1, $d3", quad_differences, true, FILL_INTEGERS},
    {"amd_gcn_mqsad_b64 $d4, $d2, $s1, $d3", masked_quad_differences, true, FILL_INTEGERS},
    {"amd_gcn_mqsad4 ($s10, $s11, $s12, $s13), $d2, $s1, ($s0, $s1, $s2, $s3);\nmad_u32 $s11, $s10, 5, $s11;\n"
     "mad_u32 $s12, $s11, 5, $s12; mad_u32 $s8, $s12, 5, $s13",
     wide_differences, false, FILL_INTEGERS},
    {"amd_gcn_sleep_u32 2; and_b32 $s10, $s0, 7; amd_gcn_sleep_u32 $s10; mov_b32 $s8, $s1", second_word, false,
     FILL_INTEGERS},
    {"amd_gcn_priority_u32 3; amd_gcn_priority_u32 $s0; amd_gcn_priority_u32 0; mov_b32 $s8, $s1", second_word, false,
     FILL_INTEGERS}};

int main(void)
{
    for (unsigned i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const struct vendor_case *c = &cases[i / 2];
        const char *options = i % 2 ? "-O0" : "-O2";
        ok(vendor_right(c, options), "%.*s with '%s'", (int)strcspn(c->instruction, "\n"), c->instruction, options);
    }
    return tap_done();
}
