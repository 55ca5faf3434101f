/* SPDX-License-Identifier: MIT */
/* Tests constants as operands: which kind of constant is allowed for which type (R49, R50: PRM table 4-1), and which
 * bytes and type BRIG gets for constants whose value the document states (S45, S48-S50: 4.8.1, 4.8.5, 4.14.2, 18.6.1).
 */
#include "brig/validate.h"
#include "frontend/asm.h"
#include "testsuite/tap.h"

#include <string.h>

/* ---- Bytes ----------------------------------------------------------------------------------------- */

static const struct {
    unsigned minor; /* the minor version of the module */
    const char *statement;
    uint16_t type;
    uint8_t size;
    uint8_t bytes[16];
} vectors[] = {
    /* The element that is written first is the most significant one; a single number with the same bits is the same. */
    {2, "add_pp_s16x2 $s1, $s2, s16x2(-23,56);", HSA_BRIG_TYPE_S16X2, 4, {0x38, 0, 0xe9, 0xff}},
    {2, "add_pp_s16x2 $s1, $s2, 0xffe90038;", HSA_BRIG_TYPE_S16X2, 4, {0x38, 0, 0xe9, 0xff}},
    {2, "add_pp_u16x2 $s1, $s2, u16x2(23,56);", HSA_BRIG_TYPE_U16X2, 4, {0x38, 0, 0x17, 0}},
    {2, "add_pp_u16x2 $s1, $s2, 0x170038;", HSA_BRIG_TYPE_U16X2, 4, {0x38, 0, 0x17, 0}},
    {2, "add_pp_s16x4 $d1, $d2, s16x4(23,56,34,10);", HSA_BRIG_TYPE_S16X4, 8, {10, 0, 34, 0, 56, 0, 23, 0}},
    {2, "add_pp_s16x4 $d1, $d2, 0x1700380022000a;", HSA_BRIG_TYPE_S16X4, 8, {10, 0, 34, 0, 56, 0, 23, 0}},
    {2, "add_pp_u16x4 $d1, $d2, u16x4(1,0,1,0);", HSA_BRIG_TYPE_U16X4, 8, {0, 0, 1, 0, 0, 0, 1, 0}},
    {2, "add_pp_u16x4 $d1, $d2, 0x1000000010000;", HSA_BRIG_TYPE_U16X4, 8, {0, 0, 1, 0, 0, 0, 1, 0}},
    {2, "add_pp_s8x4 $s1, $s2, s8x4(23,56,34,10);", HSA_BRIG_TYPE_S8X4, 4, {10, 34, 56, 23}},
    {2, "add_pp_s8x4 $s1, $s2, 0x1738220a;", HSA_BRIG_TYPE_S8X4, 4, {10, 34, 56, 23}},
    {2, "add_pp_u8x4 $s1, $s2, u8x4(1,0,1,0);", HSA_BRIG_TYPE_U8X4, 4, {0, 1, 0, 1}},
    {2, "add_pp_u8x4 $s1, $s2, 0x1000100;", HSA_BRIG_TYPE_U8X4, 4, {0, 1, 0, 1}},
    {2, "add_pp_s8x8 $d1, $d2, s8x8(23,56,34,10,0,0,0,0);", HSA_BRIG_TYPE_S8X8, 8, {0, 0, 0, 0, 10, 34, 56, 23}},
    {2, "add_pp_s8x8 $d1, $d2, 1673124687913156608;", HSA_BRIG_TYPE_S8X8, 8, {0, 0, 0, 0, 10, 34, 56, 23}},
    {2, "add_pp_s8x8 $d1, $d2, 0x1738220a00000000;", HSA_BRIG_TYPE_S8X8, 8, {0, 0, 0, 0, 10, 34, 56, 23}},
    /* For this pair, the document has the literal with its halves exchanged. */
    {2, "add_pp_f32x2 $d1, $d2, f32x2(2.0f, 1.0f);", HSA_BRIG_TYPE_F32X2, 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}},
    {2, "add_pp_f32x2 $d1, $d2, 0x400000003f800000;", HSA_BRIG_TYPE_F32X2, 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}},
    {2, "add_pp_f16x2 $s1, $s2, f16x2(1.0h, 2.0h);", HSA_BRIG_TYPE_F16X2, 4, {0, 0x40, 0, 0x3c}},
    /* Elements and values keep their lower bits. */
    {2, "add_pp_u8x4 $s1, $s2, u8x4(257, -1, 2, 3);", HSA_BRIG_TYPE_U8X4, 4, {3, 2, 0xff, 1}},
    {2, "add_s64 $d0, $d0, 0xfffffffff;", HSA_BRIG_TYPE_S64, 8, {0xff, 0xff, 0xff, 0xff, 15}},
    {2, "add_s32 $s0, $s0, 0xfffffffff;", HSA_BRIG_TYPE_S32, 4, {0xff, 0xff, 0xff, 0xff}},
    {2, "add_u32 $s0, $s0, -1;", HSA_BRIG_TYPE_U32, 4, {0xff, 0xff, 0xff, 0xff}},
    {2, "add_s32 $s0, $s0, 25;", HSA_BRIG_TYPE_S32, 4, {25}},
    {2, "add_s32 $s0, $s0, 025;", HSA_BRIG_TYPE_S32, 4, {21}},
    {2, "shl_u64 $d0, $d0, 33;", HSA_BRIG_TYPE_U32, 4, {33}},
    {2, "shuffle_u8x4 $s0, $s1, $s2, 0x1b;", HSA_BRIG_TYPE_U32, 4, {0x1b}},
    {2, "cvt_u32_u8 $s0, 300;", HSA_BRIG_TYPE_U8, 1, {44}},
    /* Bits keep what was written; HSAIL 1:0 has unsigned types there. */
    {2, "mov_b1 $c0, 1;", HSA_BRIG_TYPE_U8, 1, {1}},
    {2, "mov_b32 $s1, 3.7f;", HSA_BRIG_TYPE_F32, 4, {0xcd, 0xcc, 0x6c, 0x40}},
    {0, "mov_b32 $s1, 3.7f;", HSA_BRIG_TYPE_U32, 4, {0xcd, 0xcc, 0x6c, 0x40}},
    {2, "mov_b32 $s1, -2;", HSA_BRIG_TYPE_S32, 4, {0xfe, 0xff, 0xff, 0xff}},
    {0, "mov_b32 $s1, -2;", HSA_BRIG_TYPE_U32, 4, {0xfe, 0xff, 0xff, 0xff}},
    {2, "mov_b64 $d1, 0.0;", HSA_BRIG_TYPE_F64, 8, {0}},
    {2, "mov_b128 $q1, u32x4(1, 2, 3, 4);", HSA_BRIG_TYPE_U32X4, 16, {4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1}},
    {0, "mov_b128 $q1, u32x4(1, 2, 3, 4);", HSA_BRIG_TYPE_U8X16, 16, {4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1}},
    {2, "mov_b128 $q1, u64x2(1, 2);", HSA_BRIG_TYPE_U64X2, 16, {2, 0, 0, 0, 0, 0, 0, 0, 1}},
    {2, "neg_f64 $d3, 1.0D;", HSA_BRIG_TYPE_F64, 8, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
    {2, "neg_f16 $s3, -0x1p0h;", HSA_BRIG_TYPE_F16, 2, {0, 0xbc}},
    {2, "mov_sig64 $d0, sig64(0);", HSA_BRIG_TYPE_SIG64, 8, {0}},
};

/* Assembles and validates a kernel of one statement; the view is valid until the result is freed. */
static bool take(unsigned minor, const char *statement, struct asm_result *result, struct brig_view *view)
{
    char text[600];
    snprintf(text, sizeof text, "module &m:1:%u:$full:$large:$default;\n%skernel &k() {\n%s\n};\n", minor,
             "extension \"IMAGE\";\n", statement);
    return asm_text(text, strlen(text), NULL, result) == BRIG_OK &&
           brig_open(result->module, result->size, NULL, view) == BRIG_OK && brig_validate(view, NULL) == BRIG_OK;
}

/* The last constant of the module. */
static const hsa_brig_operand_constant_bytes_t *last_constant(const struct brig_view *view)
{
    const struct brig_section *section = &view->section[HSA_BRIG_SECTION_INDEX_OPERAND];
    const hsa_brig_operand_constant_bytes_t *found = NULL;
    for (uint32_t at = section->first; at < section->size; at += brig_operand(view, at)->byte_count)
        if (brig_operand(view, at)->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
            found = (const void *)brig_operand(view, at);
    return found;
}

static void test_bytes(void)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct asm_result result = {0};
        struct brig_view view;
        const hsa_brig_operand_constant_bytes_t *constant =
            take(vectors[i].minor, vectors[i].statement, &result, &view) ? last_constant(&view) : NULL;
        struct bytes bytes = constant ? brig_bytes(&view, constant->bytes) : (struct bytes){0};
        ok(constant && constant->type == vectors[i].type && bytes.size == vectors[i].size &&
               memcmp(bytes.data, vectors[i].bytes, bytes.size) == 0,
           "HSAIL 1.%u: %s", vectors[i].minor, vectors[i].statement);
        asm_result_free(&result);
    }
}

/* ---- Table 4-1 ------------------------------------------------------------------------------------- */

enum kind { BIT, INTEGER, FLOAT, PACKED, HANDLE, ARRAY };

/* The types that operands can expect, each with an instruction that has such an operand. */
static const struct {
    const char *name;
    enum kind kind;
    unsigned bits;
    const char *before;
} places[] = {
    {"b1", BIT, 1, "mov_b1 $c0, "},
    {"b32", BIT, 32, "mov_b32 $s0, "},
    {"b64", BIT, 64, "mov_b64 $d0, "},
    {"b128", BIT, 128, "mov_b128 $q0, "},
    {"u8", INTEGER, 8, "cvt_u32_u8 $s0, "},
    {"s16", INTEGER, 16, "cvt_u32_s16 $s0, "},
    {"u32", INTEGER, 32, "mov_u32 $s0, "},
    {"s32", INTEGER, 32, "mov_s32 $s0, "},
    {"u64", INTEGER, 64, "mov_u64 $d0, "},
    {"s64", INTEGER, 64, "mov_s64 $d0, "},
    {"f16", FLOAT, 16, "mov_f16 $s0, "},
    {"f32", FLOAT, 32, "mov_f32 $s0, "},
    {"f64", FLOAT, 64, "mov_f64 $d0, "},
    {"u8x4", PACKED, 32, "add_pp_u8x4 $s0, $s1, "},
    {"s16x2", PACKED, 32, "add_pp_s16x2 $s0, $s1, "},
    {"f32x2", PACKED, 64, "add_pp_f32x2 $d0, $d1, "},
    {"u64x2", PACKED, 128, "add_pp_u64x2 $q0, $q1, "},
    {"f64x2", PACKED, 128, "add_pp_f64x2 $q0, $q1, "},
    {"roimg", HANDLE, 64, "mov_roimg $d0, "},
    {"samp", HANDLE, 64, "mov_samp $d0, "},
    {"sig64", HANDLE, 64, "mov_sig64 $d0, "},
};

/* Constants, and their types as written; "" for a plain integer. */
static const struct {
    const char *type;
    enum kind kind;
    unsigned bits;
    const char *text;
} constants[] = {
    {"", INTEGER, 0, "1"},
    {"", INTEGER, 0, "-1"},
    {"", INTEGER, 0, "0xfffffffff"},
    {"", INTEGER, 0, "WAVESIZE"},
    {"f16", FLOAT, 16, "1.0h"},
    {"f32", FLOAT, 32, "1.0f"},
    {"f64", FLOAT, 64, "1.0"},
    {"u8", INTEGER, 8, "u8(1)"},
    {"s16", INTEGER, 16, "s16(1)"},
    {"u32", INTEGER, 32, "u32(1)"},
    {"s32", INTEGER, 32, "s32(-1)"},
    {"u64", INTEGER, 64, "u64(1)"},
    {"s64", INTEGER, 64, "s64(1)"},
    {"f32", FLOAT, 32, "f32(1.0f)"},
    {"f64", FLOAT, 64, "f64(1.0)"},
    {"u8x4", PACKED, 32, "u8x4(1, 2, 3, 4)"},
    {"s16x2", PACKED, 32, "s16x2(1, 2)"},
    {"f32x2", PACKED, 64, "f32x2(1.0f, 2.0f)"},
    {"u64x2", PACKED, 128, "u64x2(1, 2)"},
    {"f64x2", PACKED, 128, "f64x2(1.0, 2.0)"},
    {"roimg", HANDLE, 64, "roimg(geometry=1d, width=1, channel_type=float, channel_order=r)"},
    {"samp", HANDLE, 64, "samp(coord=normalized, filter=nearest, addressing=repeat)"},
    {"sig64", HANDLE, 64, "sig64(0)"},
    {"u32[]", ARRAY, 32, "u32[](1)"},
    {"{}", ARRAY, 32, "{u32(1)}"},
};

/* What the table says of constant C where type P is expected. */
static bool allowed(size_t c, size_t p)
{
    bool integer = constants[c].kind == INTEGER && !constants[c].bits;
    bool wavesize = strcmp(constants[c].text, "WAVESIZE") == 0, bit = strcmp(constants[c].text, "1") == 0;
    if (places[p].kind == BIT && places[p].bits == 1)
        return bit || wavesize;              /* one bit holds 0 or 1 (18.6.1) */
    if (integer && places[p].kind == PACKED) /* doc/decisions/packed-literals.md */
        return places[p].bits <= 64 && !(wavesize && places[p].name[0] == 'f');
    if (integer)
        return (places[p].kind == BIT || places[p].kind == INTEGER) && places[p].bits <= 64;
    if (constants[c].kind == HANDLE)
        return strcmp(constants[c].type, "sig64") == 0 && strcmp(places[p].name, "sig64") == 0;
    if (constants[c].kind == ARRAY)
        return false;
    return places[p].kind == BIT ? places[p].bits == constants[c].bits : strcmp(places[p].name, constants[c].type) == 0;
}

static void test_table(void)
{
    for (size_t c = 0; c < sizeof constants / sizeof *constants; c++) {
        const char *wrong = NULL;
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            char statement[256];
            struct asm_result result = {0};
            struct brig_view view;
            snprintf(statement, sizeof statement, "%s%s;", places[p].before, constants[c].text);
            if (take(2, statement, &result, &view) != allowed(c, p)) {
                wrong = places[p].name;
                printf("# %s is wrongly %s\n", statement, allowed(c, p) ? "refused" : "accepted");
            }
            asm_result_free(&result);
        }
        ok(!wrong, "%s stands for the types of table 4-1 and no others", constants[c].text);
    }
}

int main(void)
{
    test_bytes();
    test_table();
    return tap_done();
}
