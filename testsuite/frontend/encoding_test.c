/* SPDX-License-Identifier: MIT */
/* Compares instructions with bytes that were written by hand from the structures and codes of PRM 18.3 and 18.5.2: A02,
 * A08, A26, A50, A51, M01, M02. They are newer than HSAIL 1:0, so no other assembler knows them; similar instructions
 * that one knows are among them. The offset of the operands is not compared. */
#include "brig/module.h"
#include "frontend/asm.h"
#include "testsuite/tap.h"

#include <string.h>

enum { BASIC = 0x02, CVT = 0x05, MEM = 0x08, MOD = 0x0a, OPERANDS = 8, OPERANDS_END = 12 };

#define ENTRY(size, kind, opcode, type, ...)                                                                 \
    size,                                                                                                    \
    {                                                                                                        \
        size, 0, kind, 0x20, opcode, 0, type, 0, 0, 0, 0, 0, __VA_ARGS__                                     \
    }

static const struct {
    const char *statement;
    uint8_t size, bytes[20];
} entries[] = {
    /* modifier (1 ftz, 2 sat), round, pack */
    {"add_u32 $s0, $s1, $s2;", ENTRY(12, BASIC, 2, 0x03)},
    {"add_sat_u8 $s0, $s1, $s2;", ENTRY(16, MOD, 2, 0x01, 2, 0, 0, 0)},
    {"sub_sat_s64 $d0, $d1, $d2;", ENTRY(16, MOD, 20, 0x08, 2, 0, 0, 0)},
    {"mad_sat_s16 $s0, $s1, $s2, $s3;", ENTRY(16, MOD, 11, 0x06, 2, 0, 0, 0)},
    {"add_pp_sat_u8x4 $s0, $s1, $s2;", ENTRY(16, MOD, 2, 0x21, 0, 0, 7, 0)},
    {"mul_ss_sat_s16x2 $s0, $s1, $s2;", ENTRY(16, MOD, 14, 0x26, 0, 0, 10, 0)},
    {"add_ftz_up_pp_f16x2 $s0, $s1, $s2;", ENTRY(16, MOD, 2, 0x29, 1, 4, 1, 0)},
    {"max_ftz_f32 $s0, $s1, $s2;", ENTRY(16, MOD, 12, 0x0a, 1, 0, 0, 0)},
    {"cmov_b128 $q0, $c0, $q1, $q2;", ENTRY(12, BASIC, 49, 0x11)},
    /* source type, modifier, round */
    {"cvt_sat_u8_u32 $s0, $s1;", ENTRY(16, CVT, 70, 0x01, 0x03, 0, 2, 0)},
    {"cvt_u8_u32 $s0, $s1;", ENTRY(16, CVT, 70, 0x01, 0x03, 0, 0, 0)},
    {"cvt_pp_u8x4_u16x4 $s0, $d1;", ENTRY(16, CVT, 70, 0x21, 0x42, 0, 0, 0)},
    {"cvt_pp_sat_u8x4_u16x4 $s0, $d1;", ENTRY(16, CVT, 70, 0x21, 0x42, 0, 2, 0)},
    {"cvt_pp_sat_u16x2_s16x2 $s0, $s1;", ENTRY(16, CVT, 70, 0x22, 0x26, 0, 2, 0)},
    {"cvt_pp_u16x2_f32x2 $s0, $d1;", ENTRY(16, CVT, 70, 0x22, 0x4a, 0, 0, 7)},
    {"cvt_ftz_szeroi_sat_pp_u16x2_f32x2 $s0, $d1;", ENTRY(16, CVT, 70, 0x22, 0x4a, 0, 1, 19)},
    {"cvt_pp_f16x2_u32x2 $s0, $d1;", ENTRY(16, CVT, 70, 0x29, 0x43, 0, 0, 1)},
    {"cvt_down_pp_f16x2_f32x2 $s0, $d1;", ENTRY(16, CVT, 70, 0x29, 0x4a, 0, 0, 5)},
    {"cvt_ftz_pp_f32x2_f16x2 $d0, $s1;", ENTRY(16, CVT, 70, 0x4a, 0x29, 0, 1, 0)},
    /* segment, align, equiv, width, modifier (1 const, 2 nt) */
    {"ld_global_nt_u32 $s0, [$d1];", ENTRY(20, MEM, 71, 0x03, 2, 1, 0, 1, 2, 0, 0, 0)},
    {"ld_const_nt_u32 $s0, [$d1];", ENTRY(20, MEM, 71, 0x03, 1, 1, 0, 1, 3, 0, 0, 0)},
    {"ld_readonly_align(16)_equiv(9)_width(all)_nt_f64 $d0, [$d1];", ENTRY(20, MEM, 71, 0x0b, 3, 5, 9, 34, 2, 0, 0, 0)},
    {"st_group_align(2)_nt_u16 $s0, [$s1];", ENTRY(20, MEM, 72, 0x02, 5, 2, 0, 0, 2, 0, 0, 0)},
};

/* The first instruction of a kernel; valid until the result is freed. */
static const hsa_brig_base_t *assemble(const char *statement, struct asm_result *result)
{
    char text[400];
    struct brig_view view;
    snprintf(text, sizeof text, "module &m:1:2:$full:$large:$default;\nkernel &k() {\n%s\n};\n", statement);
    if (asm_text(text, strlen(text), NULL, result) != BRIG_OK ||
        brig_open(result->module, result->size, NULL, &view) != BRIG_OK)
        return NULL;
    for (uint32_t at = brig_first_code(&view); at < brig_end_code(&view); at = brig_next_code(&view, at))
        if (brig_is_inst(brig_code(&view, at)))
            return brig_code(&view, at);
    return NULL;
}

int main(void)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct asm_result result = {0};
        const hsa_brig_base_t *entry = assemble(entries[i].statement, &result);
        uint8_t bytes[sizeof entries->bytes] = {0};
        if (entry && entry->byte_count <= sizeof bytes)
            memcpy(bytes, entry, entry->byte_count);
        memset(bytes + OPERANDS, 0, OPERANDS_END - OPERANDS);
        ok(entry && entry->byte_count == entries[i].size && memcmp(bytes, entries[i].bytes, sizeof bytes) == 0, "%s",
           entries[i].statement);
        asm_result_free(&result);
    }
    return tap_done();
}
