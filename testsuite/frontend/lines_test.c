/* SPDX-License-Identifier: MIT */
/* HSAIL_LINES: the module is the same as if the text had a loc before the first statement of each line of a code block.
 * Each statement of each module of the suite gets the line that it is in, and nothing else changes. */
#include "hsail/rewriter.h"

#include "testsuite/modules.h"

#include <string.h>

static hsail_context_t *context;

static bool same_bytes(const hsail_module_t *a, const hsail_module_t *b)
{
    return a && b && hsail_module_size(a) == hsail_module_size(b) &&
           !memcmp(hsail_module_data(a), hsail_module_data(b), hsail_module_size(a));
}

/* TEXT must assemble with HSAIL_LINES to the module that WANT assembles to without. */
static void test_text(const char *what, const char *text, const char *want)
{
    hsail_module_t *made = NULL, *wanted = NULL;
    bool good = hsail_assemble(context, "a \"b.hsail", text, strlen(text), HSAIL_LINES, &made) == HSAIL_STATUS_OK &&
                hsail_assemble(context, NULL, want, strlen(want), 0, &wanted) == HSAIL_STATUS_OK;
    ok(good && same_bytes(made, wanted), "%s", what);
    hsail_module_destroy(made);
    hsail_module_destroy(wanted);
}

static const char plain[] =
    "module &m:1:0:$full:$large:$default;\n"                      /* 1 */
    "loc 99;\n"                                                   /* 2 */
    "global_b32 &g[2] = {u32(1), u32(2)};\n"                      /* 3 */
    "decl prog function &f()(arg_u32 %x);\n"                      /* 4 */
    "kernel &k() { // group_u32 %y;\n"                            /* 5 */
    "group_u32 %x; add_u32 $s1, $s1, 1; sub_u32 $s1,\n"           /* 6 */
    "$s1, 2; @a: mul_u32\n"                                       /* 7 */
    "$s1, $s1, 3;\n\n@b: // \"\n{ arg_u32 %x; call &f()(%x); }\n" /* 8 9 10 11 */
    "{\narg_u32 %x;\ncall &f()(%x); }\n"                          /* 12 13 14 */
    "br @b; };\n";                                                /* 15 */
#define LOC(line) "loc " #line " 1 \"a \\\"b.hsail\"; "
static const char told[] =
    "module &m:1:0:$full:$large:$default;\n"
    "loc 99;\n"
    "global_b32 &g[2] = {u32(1), u32(2)};\n"
    "decl prog function &f()(arg_u32 %x);\n"
    "kernel &k() { // group_u32 %y;\n" LOC(
        6) "group_u32 %x; add_u32 $s1, $s1, 1; sub_u32 $s1, $s1, 2;\n"
           "@a: " LOC(7) "mul_u32 $s1, $s1, 3; @b: // \"\n"
                         "{ " LOC(11) "arg_u32 %x; call &f()(%x); }\n"
                                      "{ " LOC(13) "arg_u32 %x; " LOC(14) "call &f()(%x); }\n" LOC(15) "br @b; };\n";

/* ---- Every module ---------------------------------------------------------------------------------- */

struct look {
    const char *text;
    uint32_t line;  /* the line of the last loc */
    uint32_t wrong; /* a line that a loc gave an instruction that is not there */
    bool right, has_own;
};

/* Whether line LINE of TEXT contains WORD. In any layout, the line of a statement contains its opcode. */
static bool line_has(const char *text, uint32_t line, const char *word)
{
    const char *at = text;
    for (; at && line > 1; line--)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    const char *end = at ? strchr(at, '\n') : NULL;
    const char *found = at ? strstr(at, word) : NULL;
    return found && (!end || found < end);
}

/* Removes the loc directives of code blocks, and checks the line that they give each instruction. */
static hsail_rewrite_t take_line(void *user, const hsail_statement_t *statement)
{
    struct look *look = user;
    if (statement->place != HSAIL_AT_ENTRY || !statement->executable.code)
        return HSAIL_REWRITE_KEEP;
    if (statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_LOC) {
        look->has_own |= strcmp(statement->entry.name.data, "lines of this test") != 0;
        look->line = statement->entry.u.location.line;
        return HSAIL_REWRITE_DROP;
    }
    if (hsail_is_instruction(&statement->entry) && !look->has_own &&
        !line_has(look->text, look->line, statement->entry.u.instruction.text)) {
        look->wrong = look->line;
        look->right = false;
    }
    return HSAIL_REWRITE_KEEP;
}

static void test_module(const char *path, const char *name, struct kept text)
{
    hsail_module_t *plain_module = NULL, *lines = NULL, *again = NULL;
    hsail_reader_t *reader = NULL;
    struct look look = {.right = true};
    look.text = text.data;
    bool good =
        hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &plain_module) == HSAIL_STATUS_OK &&
        hsail_assemble(context, "lines of this test", text.data, text.size, HSAIL_LINES | HSAIL_NO_VALIDATION,
                       &lines) == HSAIL_STATUS_OK &&
        hsail_reader_open_module(context, lines, &reader) == HSAIL_STATUS_OK &&
        hsail_rewrite(context, NULL, reader, take_line, &look, HSAIL_NO_VALIDATION, &again) == HSAIL_STATUS_OK;
    if (look.has_own)
        ok(good && same_bytes(plain_module, lines), "%s has lines of its own", name);
    else
        ok(good && look.right && same_bytes(plain_module, again), "%s gets lines; not right: %u", name,
           (unsigned)look.wrong);
    hsail_reader_destroy(reader);
    hsail_module_destroy(plain_module);
    hsail_module_destroy(lines);
    hsail_module_destroy(again);
}

int main(void)
{
    static const char own[] = "module &m:1:0:$full:$large:$default;\nkernel &k() {\nbr @a; loc 7;\n@a:\n};\n";
    hsail_module_t *module;
    struct kept text = {0};
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    test_text("each line of a code block is told once", plain, told);
    test_text("lines of the text's own stay", own, own);
    ok(hsail_assemble(context, NULL, "kernel", 6, HSAIL_LINES, &module) == HSAIL_STATUS_INVALID && !module,
       "text that is not valid");
    ok(hsail_format(context, NULL, own, sizeof own - 1, HSAIL_LINES, keep, &text) == HSAIL_STATUS_ARGUMENT,
       "text that is laid out gets no lines");
    for_each_module(test_module);
    hsail_context_destroy(context);
    return tap_done();
}
