/* SPDX-License-Identifier: MIT */
/* The builder must make the same bytes as the assembler makes from the same statements as text, and refuse calls in the
 * wrong order and wrong arguments. transcribe_test makes everything that a text can say, and makes each allocation
 * fail. */
#include "hsail/builder.h"

#include "testsuite/frontend/test_emit.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- The same module twice ------------------------------------------------------------------------- */

static const char text_1_0[] =
    "module &m:1:0:$full:$large:$default;\n"
    "extension \"IMAGE\";\n"
    "// a comment\n"
    "loc 3 4 \"file.cl\";\n"
    "loc 5 1;\n"
    "decl prog function &later(arg_u32 %r)(arg_u32 %x);\n"
    "prog global_u32 &counter = 7;\n"
    "alloc(agent) global_f32 &table[2] = f32[](1.0f, 2.0f);\n"
    "const align(16) readonly_b32 &bits = 1;\n"
    "fbarrier &fb;\n"
    "signature &sig(arg_u32)(arg_u32 %x, align(8) arg_u8 %rest[]);\n"
    "prog kernel &k(kernarg_u64 %a, align(16) kernarg_u32 %b[4])\n{\n"
    "requireddim 3;\n"
    "requiredgridsize 4, 5, 6;\n"
    "group_u32 %scratch[64];\n"
    "@loop:\n"
    "ld_kernarg_align(8)_width(all)_u64 $d0, [%a];\n"
    "ld_v2_global_f32 ($s0, $s1), [$d0+8];\n"
    "st_group_u32 $s0, [%scratch][$s1-4];\n"
    "st_v2_global_f32 ($s0, 1.5f), [&table];\n"
    "add_u32 $s1, $s1, WAVESIZE;\n"
    "add_s32 $s1, $s1, -5;\n"
    "mov_b32 $s2, 1.0f;\n"
    "mov_b64 $d2, 0x123456789;\n"
    "add_pp_u8x4 $s3, $s3, u8x4(1, 2, 3, 4);\n"
    "mul_ftz_up_f32 $s4, $s4, 2.0f;\n"
    "cmp_lt_b1_f64 $c0, $d1, 0.5;\n"
    "cbr_b1 $c0, @end;\n"
    "sbr_u32 $s0 [@loop, @end];\n"
    "initfbar &fb;\n"
    "atomic_add_global_scar_system_u32 $s5, [&counter], 1;\n"
    "{\n"
    "arg_u32 %r;\narg_u32 %x;\n"
    "st_arg_u32 $s0, [%x];\n"
    "call &later(%r)(%x);\n"
    "}\n"
    "@end:\n"
    "ret;\n"
    "};\n"
    "prog function &later(arg_u32 %r)(arg_u32 %x)\n{\nret;\n};\n";

static void emit_body(hsail_builder_t *b)
{
    hsail_operand_t three = hsail_integer(3), grid[] = {hsail_integer(4), hsail_integer(5), hsail_integer(6)};
    static const char *const labels[] = {"@loop", "@end"}, *const out[] = {"%r"}, *const in[] = {"%x"};
    hsail_operand_t d0 = D(0), s1 = S(1), pair[] = {S(0), S(1)}, mixed[] = {S(0), hsail_f32(1.5f)};
    static const uint8_t packed[] = {4, 3, 2, 1};
    hsail_builder_control(b, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM, &three, 1);
    hsail_builder_control(b, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE, grid, 3);
    hsail_builder_variable(
        b, HSA_BRIG_SEGMENT_GROUP, HSA_BRIG_TYPE_U32, "%scratch", &(hsail_shape_t){0, 1, 64}, 0, NULL, 0);
    hsail_builder_label(b, "@loop");
    EMIT("ld_kernarg_align(8)_width(all)_u64", D(0), hsail_address("%a", NULL, 0));
    EMIT("ld_v2_global_f32", hsail_vector(pair, 2), hsail_address(NULL, &d0, 8));
    EMIT("st_group_u32", S(0), hsail_address("%scratch", &s1, -4));
    EMIT("st_v2_global_f32", hsail_vector(mixed, 2), hsail_address("&table", NULL, 0));
    EMIT("add_u32", S(1), S(1), hsail_wavesize());
    EMIT("add_s32", S(1), S(1), hsail_integer(-5));
    EMIT("mov_b32", S(2), hsail_f32(1.0f));
    EMIT("mov_b64", D(2), hsail_integer(0x123456789));
    EMIT("add_pp_u8x4", S(3), S(3), hsail_constant(HSA_BRIG_TYPE_U8X4, packed));
    EMIT("mul_ftz_up_f32", S(4), S(4), hsail_f32(2.0f));
    EMIT("cmp_lt_b1_f64", hsail_register('c', 0), D(1), hsail_f64(0.5));
    EMIT("cbr_b1", hsail_register('c', 0), hsail_name("@end"));
    EMIT("sbr_u32", S(0), hsail_names(labels, 2));
    EMIT("initfbar", hsail_name("&fb"));
    EMIT("atomic_add_global_scar_system_u32", S(5), hsail_address("&counter", NULL, 0), hsail_integer(1));
    hsail_builder_arg_block(b);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_TYPE_U32, "%r", NULL, 0, NULL, 0);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_TYPE_U32, "%x", NULL, 0, NULL, 0);
    EMIT("st_arg_u32", S(0), hsail_address("%x", NULL, 0));
    EMIT("call", hsail_name("&later"), hsail_names(out, 1), hsail_names(in, 1));
    hsail_builder_arg_block_end(b);
    hsail_builder_label(b, "@end");
    hsail_builder_instruction(b, "ret", NULL, 0);
}

static void emit_later(hsail_builder_t *b, unsigned flags)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&later", HSAIL_PROGRAM_LINKAGE | flags);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%r", NULL);
    hsail_builder_inputs(b);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%x", NULL);
}

static void emit_module(hsail_builder_t *b)
{
    static const uint32_t seven = 7, one = 1;
    static const float table[] = {1, 2};
    hsail_builder_module(b, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    hsail_builder_extension(b, "IMAGE");
    hsail_builder_comment(b, " a comment");
    hsail_builder_location(b, 3, 4, "file.cl");
    hsail_builder_location(b, 5, 1, NULL);
    emit_later(b, HSAIL_DECLARATION);
    hsail_builder_end(b);
    hsail_builder_variable(
        b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32, "&counter", NULL, HSAIL_PROGRAM_LINKAGE, &seven, sizeof seven);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_F32, "&table", &(hsail_shape_t){0, 1, 2},
                           HSAIL_AGENT_ALLOCATION, table, sizeof table);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_READONLY, HSA_BRIG_TYPE_B32, "&bits", &(hsail_shape_t){16, 0, 0},
                           HSAIL_CONST, &one, sizeof one);
    hsail_builder_fbarrier(b, "&fb", 0);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_SIGNATURE, "&sig", 0);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, NULL, NULL);
    hsail_builder_inputs(b);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%x", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U8, "%rest", &(hsail_shape_t){8, 1, 0});
    hsail_builder_end(b);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", HSAIL_PROGRAM_LINKAGE);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%a", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%b", &(hsail_shape_t){16, 1, 4});
    hsail_builder_body(b);
    emit_body(b);
    hsail_builder_end(b);
    emit_later(b, 0);
    hsail_builder_body(b);
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
}

static void show(void *user, const hsail_diagnostic_t *diagnostic)
{
    snprintf(user, 64, "%s", diagnostic->id);
}

/* The text has `align` and `const` in the order of the grammar. */
static void test_same(hsail_context_t *context)
{
    char text[sizeof text_1_0], last[64] = "";
    hsail_module_t *assembled, *built, *again;
    hsail_builder_t *builder;
    strcpy(text, text_1_0);
    char *swapped = strstr(text, "const align(16)");
    memcpy(swapped, "align(16) const", strlen("align(16) const"));
    hsail_context_set_diagnostics(context, show, last);
    ok(hsail_assemble(context, NULL, text, strlen(text), 0, &assembled) == HSAIL_STATUS_OK, "the text: %s", last);
    ok(hsail_builder_create(context, &builder) == HSAIL_STATUS_OK, "a builder");
    emit_module(builder);
    hsail_status_t status = hsail_builder_finish(builder, NULL, 0, &built);
    ok(status == HSAIL_STATUS_OK, "the builder makes the same module without text: %s %s", hsail_status_text(status),
       last);
    ok(assembled && built && hsail_module_size(assembled) == hsail_module_size(built) &&
           !memcmp(hsail_module_data(assembled), hsail_module_data(built), hsail_module_size(built)),
       "the builder and the assembler make the same bytes");
    ok(hsail_builder_finish(builder, NULL, 0, &again) == HSAIL_STATUS_ARGUMENT && !again,
       "a builder cannot be finished twice");
    hsail_module_destroy(built);
    hsail_module_destroy(assembled);
    hsail_builder_destroy(builder);
    hsail_builder_destroy(NULL);
}

/* ---- Wrong calls ----------------------------------------------------------------------------------- */

enum wrong {
    ORDER,
    TWICE_IN_BODY,
    UNKNOWN,
    MODIFIER,
    COUNT,
    KIND,
    NAME,
    LABEL,
    OPEN_BLOCK,
    CONSTANT,
    OLD,
    WRONG_COUNT
};

static const char *const expected[] = {
    "builder-order", "builder-order",   "instruction-unknown", "modifier",      "operand-count", "builder-operand",
    "name-unknown",  "label-undefined", "builder-order",       "constant-type", "needs-1-2"};

static void emit_wrong(hsail_builder_t *b, enum wrong wrong)
{
    hsail_builder_module(b, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    if (wrong == ORDER)
        hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(b);
    switch (wrong) {
    case TWICE_IN_BODY: hsail_builder_body(b); break;
    case UNKNOWN: hsail_builder_instruction(b, "kernel", NULL, 0); break;
    case MODIFIER: hsail_builder_instruction(b, "add_odd_u32", NULL, 0); break;
    case COUNT: EMIT("add_u32", S(0), S(1)); break;
    case KIND: EMIT("add_u32", S(0), S(1), hsail_register('x', 0)); break;
    case NAME: EMIT("ld_global_u32", S(0), hsail_address("&none", NULL, 0)); break;
    case LABEL: EMIT("br", hsail_name("@none")); break;
    case OPEN_BLOCK: hsail_builder_arg_block(b); break;
    case CONSTANT: EMIT("add_u32", S(0), S(1), hsail_f32(1.0f)); break;
    case OLD: EMIT("add_sat_u32", S(0), S(1), S(2)); break;
    case ORDER:
    case WRONG_COUNT: break;
    }
    hsail_builder_end(b);
}

static void test_wrong(hsail_context_t *context)
{
    for (enum wrong wrong = ORDER; wrong < WRONG_COUNT; wrong++) {
        char last[64] = "";
        hsail_builder_t *builder;
        hsail_module_t *module;
        hsail_context_set_diagnostics(context, show, last);
        if (hsail_builder_create(context, &builder) != HSAIL_STATUS_OK)
            exit(99);
        emit_wrong(builder, wrong);
        hsail_status_t status = hsail_builder_finish(builder, NULL, 0, &module);
        ok(status == HSAIL_STATUS_INVALID && !module && !strcmp(last, expected[wrong]), "%s: %s", expected[wrong],
           last);
        hsail_builder_destroy(builder);
    }
    hsail_builder_t *builder;
    hsail_module_t *module;
    hsail_context_set_diagnostics(context, NULL, NULL);
    if (hsail_builder_create(context, &builder) != HSAIL_STATUS_OK)
        exit(99);
    ok(hsail_builder_module(builder, NULL, 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                            HSA_BRIG_ROUND_FLOAT_DEFAULT) == HSAIL_STATUS_ARGUMENT &&
           hsail_builder_comment(builder, "later") == HSAIL_STATUS_ARGUMENT &&
           hsail_builder_finish(builder, NULL, 0, &module) == HSAIL_STATUS_ARGUMENT,
       "the first failure stays");
    hsail_builder_destroy(builder);
    ok(hsail_builder_label(NULL, "@x") == HSAIL_STATUS_ARGUMENT &&
           hsail_builder_create(NULL, &builder) == HSAIL_STATUS_ARGUMENT,
       "NULL is an argument that is not valid");
}

int main(void)
{
    hsail_context_t *context;
    if (!ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, "a context"))
        return tap_done();
    test_same(context);
    test_wrong(context);
    hsail_context_destroy(context);
    return tap_done();
}
