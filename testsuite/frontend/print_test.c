/* SPDX-License-Identifier: MIT */
/* What is printed must assemble to the same again: every f16, many f32 and f64, all special ones among them, in every
 * style, as initializers and as operands; strings and comments with all bytes (PRM 4.5, 4.8.2, 4.4). */
#include "hsail/builder.h"

#include "testsuite/frontend/test_show.h"
#include "testsuite/kept.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>

static hsail_context_t *context;

/* Whether a module, printed with numbers of a style, assembles to the same bytes. */
static bool same_again(const hsail_module_t *module, hsail_float_t style)
{
    struct kept text = {0};
    hsail_module_t *again = NULL;
    bool same = hsail_disassemble(context, module, style, keep, &text) == HSAIL_STATUS_OK &&
                hsail_assemble(context, NULL, text.data, text.size, HSAIL_NO_VALIDATION, &again) == HSAIL_STATUS_OK &&
                hsail_module_size(module) == hsail_module_size(again) &&
                !memcmp(hsail_module_data(module), hsail_module_data(again), hsail_module_size(module));
    hsail_module_destroy(again);
    free(text.data);
    return same;
}

static hsail_builder_t *begin(unsigned minor)
{
    hsail_builder_t *builder;
    if (hsail_builder_create(context, &builder) != HSAIL_STATUS_OK)
        exit(99);
    hsail_builder_module(builder, "&m", 1, minor, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    return builder;
}

static void finish(hsail_builder_t *builder, const char *what)
{
    static const char *const names[] = {
        [HSAIL_FLOAT_IEEE] = "IEEE", [HSAIL_FLOAT_C99] = "C99", [HSAIL_FLOAT_DECIMAL] = "decimal"};
    hsail_module_t *module;
    if (ok(hsail_builder_finish(builder, NULL, 0, &module) == HSAIL_STATUS_OK, "a module of %s", what))
        for (int style = HSAIL_FLOAT_IEEE; style <= HSAIL_FLOAT_DECIMAL; style++)
            ok(same_again(module, (hsail_float_t)style), "%s in %s style", what, names[style]);
    hsail_module_destroy(module);
    hsail_builder_destroy(builder);
}

/* ---- Numbers --------------------------------------------------------------------------------------- */

#define MANY 20000
#define HALVES 65536

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
    return xorshift(&state);
}

/* Random bits of a float with a fraction of FRACTION bits and an exponent of EXPONENT bits. One in three is subnormal,
 * infinite, a NaN, or has a fraction with a single bit set. */
static uint64_t some_bits(unsigned fraction, unsigned exponent)
{
    uint64_t ones = (UINT64_C(1) << exponent) - 1, random = random64();
    uint64_t low = random & ((UINT64_C(1) << fraction) - 1), high = random >> 53 & ones, sign = random >> 52 & 1;
    switch (random64() % 12) {
    case 0: high = 0; break;
    case 1: high = ones; break;
    case 2: low = UINT64_C(1) << random % fraction; break;
    case 3: low = random & 1 ? (UINT64_C(1) << fraction) - 1 : 0; break;
    default: break;
    }
    return sign << (fraction + exponent) | high << fraction | low;
}

static void put_array(hsail_builder_t *builder, hsa_brig_type_t type, const char *name, const void *data, size_t count,
                      size_t size)
{
    hsail_shape_t shape = {0, 1, count};
    hsail_builder_variable(builder, HSA_BRIG_SEGMENT_READONLY, type, name, &shape, 0, data, count * size);
}

static void test_initializers(void)
{
    static uint16_t halves[HALVES];
    static uint32_t singles[MANY];
    static uint64_t doubles[MANY];
    for (uint32_t i = 0; i < HALVES; i++)
        halves[i] = (uint16_t)i;
    for (int i = 0; i < MANY; i++) {
        singles[i] = (uint32_t)some_bits(23, 8);
        doubles[i] = some_bits(52, 11);
    }
    hsail_builder_t *builder = begin(2);
    put_array(builder, HSA_BRIG_TYPE_F16, "&halves", halves, HALVES, 2);
    put_array(builder, HSA_BRIG_TYPE_F32, "&singles", singles, MANY, 4);
    put_array(builder, HSA_BRIG_TYPE_F64, "&doubles", doubles, MANY, 8);
    put_array(builder, HSA_BRIG_TYPE_F16X8, "&packed_halves", halves, HALVES / 8, 16);
    put_array(builder, HSA_BRIG_TYPE_F32X2, "&packed_singles", singles, MANY / 2, 8);
    put_array(builder, HSA_BRIG_TYPE_F64X2, "&packed_doubles", doubles, MANY / 2, 16);
    finish(builder, "initializers");
}

/* Operands whose type is known, and operands that are only bits. A NaN may have either sign and any payload. */
static void test_operands(unsigned minor)
{
    static const struct {
        const char *typed, *bits;
        hsa_brig_type_t type;
        char kind;
        unsigned fraction, exponent;
    } rows[] = {{"add_f16", NULL, HSA_BRIG_TYPE_F16, 's', 10, 5},
                {"add_f32", "mov_b32", HSA_BRIG_TYPE_F32, 's', 23, 8},
                {"add_f64", "mov_b64", HSA_BRIG_TYPE_F64, 'd', 52, 11}};
    char what[32];
    hsail_builder_t *builder = begin(minor);
    hsail_builder_begin(builder, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(builder);
    for (int i = 0; i < 6000; i++) {
        uint64_t bits = some_bits(rows[i % 3].fraction, rows[i % 3].exponent);
        hsail_operand_t operands[] = {hsail_register(rows[i % 3].kind, 0), hsail_register(rows[i % 3].kind, 1),
                                      hsail_constant(rows[i % 3].type, &bits)};
        hsail_builder_instruction(builder, rows[i % 3].typed, operands, 3);
        operands[1] = operands[2];
        if (rows[i % 3].bits)
            hsail_builder_instruction(builder, rows[i % 3].bits, operands, 2);
    }
    hsail_builder_end(builder);
    snprintf(what, sizeof what, "operands of HSAIL 1:%u", minor);
    finish(builder, what);
}

/* ---- Strings and comments -------------------------------------------------------------------------- */

static void test_strings(void)
{
    char all[512];
    hsail_builder_t *builder = begin(0);
    for (int i = 0; i < 512; i++)
        all[i] = (char)(i < 256 ? i : i * 7); /* in two orders */
    hsail_operand_t operands[] = {
        hsail_string(all, 512), hsail_string("", 0), hsail_string("\0", 1), hsail_string("\0011", 2)};
    hsail_builder_pragma(builder, operands, 4);
    for (int i = 0; i < 256; i++) {
        char three[] = {(char)i, '7', (char)i};
        operands[0] = hsail_string(three, 3);
        hsail_builder_pragma(builder, operands, 1);
        if (i)
            hsail_builder_location(builder, 1, 1, (char[]){'a', (char)i, 'f', '\0'});
    }
    for (int i = 1; i < 256; i++)
        if (i != '\n' && i != '\r')
            hsail_builder_comment(builder, (char[]){'*', (char)i, '/', (char)i, '\\', '\0'});
    ok(hsail_builder_comment(builder, " /* not a block") == HSAIL_STATUS_OK, "all of them can be built");
    finish(builder, "strings and comments");
}

/* ---- What other producers write -------------------------------------------------------------------- */

/* The text of MODULE; the caller frees it. */
static char *text_of(const char *hsail, unsigned kind, unsigned from, unsigned to)
{
    hsail_module_t *module = NULL, *other = NULL;
    struct kept text = {0};
    hsail_status_t status = hsail_assemble(context, NULL, hsail, strlen(hsail), 0, &module);
    size_t size = module ? hsail_module_size(module) : 0;
    uint8_t *bytes = module ? malloc(size) : NULL;
    if (bytes) {
        memcpy(bytes, hsail_module_data(module), size);
        /* Constants have their type after the kind. */
        for (size_t at = 0; at + 6 <= size; at += 4)
            if (bytes[at + 2] == (kind & 0xff) && bytes[at + 3] == kind >> 8 && bytes[at + 4] == from && !bytes[at + 5])
                bytes[at + 4] = (uint8_t)to;
        status = hsail_module_load(context, NULL, bytes, size, 0, &other);
    }
    if (status == HSAIL_STATUS_OK && other)
        status = hsail_disassemble(context, other, HSAIL_FLOAT_IEEE, keep, &text);
    if (status != HSAIL_STATUS_OK)
        printf("# %s\n", hsail_status_text(status));
    hsail_module_destroy(module);
    hsail_module_destroy(other);
    free(bytes);
    return text.data;
}

/* Where b1 is expected, a constant is u8, or s8 from some producers; text has one way to write both (S41, R49). */
static void test_signed_b1(void)
{
    char *text = text_of("module &m:1:2:$full:$large:$default;\nkernel &k()\n{\n\tmov_b1 $c0, 1;\n};\n",
                         HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES, HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_S8);
    ok(text && strstr(text, "mov_b1\t$c0, 1;"), "a signed constant of type b1 is a bare number");
    free(text);
}

/* The builder declares placeholders as the assembler does (S12). */
static void test_placeholders(void)
{
    static const char wanted[] = "decl prog global_u64 &__hsa.tools.profile.queueid;";
    hsail_builder_t *builder = begin(2);
    hsail_operand_t operands[] = {hsail_string("hsa.tools.profile.event.trigger", 31), hsail_integer(1),
                                  hsail_name("&__hsa.tools.profile.queueid")};
    hsail_module_t *module = NULL;
    struct kept text = {0};
    hsail_builder_begin(builder, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(builder);
    hsail_builder_pragma(builder, operands, 3);
    hsail_builder_end(builder);
    if (ok(hsail_builder_finish(builder, NULL, 0, &module) == HSAIL_STATUS_OK, "a placeholder without declaration"))
        ok(hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &text) == HSAIL_STATUS_OK,
           "a placeholder is printed");
    ok(text.data && strstr(text.data, wanted), "a placeholder is declared at the end");
    ok(module && same_again(module, HSAIL_FLOAT_IEEE), "the printed placeholder assembles to the same bytes");
    free(text.data);
    hsail_module_destroy(module);
    hsail_builder_destroy(builder);
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_context_set_diagnostics(context, show_error, NULL);
    test_initializers();
    test_operands(0);
    test_operands(2);
    test_strings();
    test_signed_b1();
    test_placeholders();
    hsail_context_destroy(context);
    return tap_done();
}
