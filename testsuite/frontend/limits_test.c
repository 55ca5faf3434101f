/* SPDX-License-Identifier: MIT */
/* Tests texts at the limits of brig/limit.h and beyond. Up to a limit, the text is accepted; beyond it, a diagnostic or
 * a status says so. Covers R29, R34. */
#include "brig/limit.h"
#include "hsail/hsail.h"
#include "support/textbuf.h"
#include "testsuite/tap.h"

#include <stdlib.h>

#define HEADER "module &m:1:2:$full:$large:$default;\n"

/* How often the wanted id was reported, how often of these in a place after the beginning of a line, and how often
 * other ids were reported. */
struct seen {
    const char *id;
    size_t count, others, columns;
};

static void count(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct seen *seen = user;
    bool wanted = !strcmp(diagnostic->id, seen->id);
    seen->count += wanted;
    seen->others += !wanted && diagnostic->severity == HSAIL_SEVERITY_ERROR;
    seen->columns += wanted && diagnostic->column > 2;
}

/* Assembles a text, and frees it. MOST is the limit of errors; -1 leaves the default. */
static hsail_status_t assemble(struct textbuf *text, long most, struct seen *seen)
{
    hsail_context_t *context;
    hsail_module_t *module;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        exit(99);
    hsail_context_set_diagnostics(context, count, seen);
    if (most >= 0)
        hsail_context_set_max_errors(context, (size_t)most);
    hsail_status_t status = text->failed ? HSAIL_STATUS_OUT_OF_MEMORY
                                         : hsail_assemble(context, "limits", text->data, text->size, 0, &module);
    if (status == HSAIL_STATUS_OK)
        hsail_module_destroy(module);
    hsail_context_destroy(context);
    textbuf_free(text);
    return status;
}

static void nested_blocks(void)
{
    for (unsigned more = 0; more < 3; more++) {
        struct textbuf text = {0};
        struct seen seen = {.id = "limit"};
        unsigned depth = more == 2 ? 100000 : LIMIT_NESTED_BLOCKS + more;
        textbuf_puts(&text, HEADER "kernel &k()\n{\n");
        textbuf_fill(&text, '{', depth);
        textbuf_fill(&text, '}', depth);
        textbuf_puts(&text, "};\n");
        hsail_status_t status = assemble(&text, 0, &seen);
        ok(status == HSAIL_STATUS_INVALID && seen.count == (more != 0), "%u nested blocks: the limit is %sreported",
           depth, more ? "" : "not ");
    }
}

static void formals(void)
{
    for (unsigned more = 0; more < 2; more++) {
        struct textbuf text = {0};
        struct seen seen = {.id = "limit"};
        textbuf_puts(&text, HEADER "decl function &f()(arg_u8 %a0");
        for (unsigned i = 1; i < LIMIT_FORMALS + more; i++)
            textbuf_printf(&text, ", arg_u8 %%a%u", i);
        textbuf_puts(&text, ");\n");
        assemble(&text, 0, &seen);
        ok(seen.count == more, "%u formal arguments: the limit is %sreported", LIMIT_FORMALS + more,
           more ? "" : "not ");
    }
}

/* One statement with a number at or beyond the limit. */
static void numbers(const char *what, const char *format, unsigned limit, const char *id)
{
    for (unsigned more = 0; more < 2; more++) {
        struct textbuf text = {0};
        struct seen seen = {.id = id};
        textbuf_puts(&text, HEADER "kernel &k()\n{\n");
        textbuf_printf(&text, format, limit + more);
        textbuf_puts(&text, "};\n");
        hsail_status_t status = assemble(&text, 0, &seen);
        ok(status == (more ? HSAIL_STATUS_INVALID : HSAIL_STATUS_OK) && seen.count == more && !seen.others,
           "%s %u is %s", what, limit + more, more ? "refused" : "accepted");
    }
}

static void errors(void)
{
    static const struct {
        long most;
        size_t expected;
    } rows[] = {{-1, LIMIT_ERRORS}, {10, 10}, {0, 2 * LIMIT_ERRORS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct textbuf text = {0};
        struct seen seen = {.id = "operand-register"};
        textbuf_puts(&text, HEADER "kernel &k()\n{\n");
        for (unsigned line = 0; line < 2 * LIMIT_ERRORS; line++)
            textbuf_puts(&text, "add_u32 $d0, $s0, 1;\n");
        textbuf_puts(&text, "};\n");
        assemble(&text, rows[i].most, &seen);
        ok(seen.count == rows[i].expected, "%zu errors reported where %ld are asked for", seen.count, rows[i].most);
    }
}

/* Thousands of findings in one statement: all are reported, but only the first at their own places in it. */
static void places(unsigned findings, bool all)
{
    struct textbuf text = {0};
    struct seen seen = {.id = "scall-mismatch"};
    textbuf_puts(&text, HEADER "function &f()()\n{\n};\nfunction &g()(arg_u32 %x)\n{\n};\nkernel &k()\n{\n"
                               "{\nscall_u32 $s0 ()() [&f");
    for (unsigned i = 0; i < findings; i++)
        textbuf_puts(&text, ", &g");
    textbuf_puts(&text, "];\n}\n};\n");
    assemble(&text, 0, &seen);
    ok(seen.count == findings && seen.columns && (seen.columns == findings) == all,
       "%u findings in a statement, %zu by their place in it", findings, seen.columns);
}

static void sizes(void)
{
    hsail_context_t *context;
    hsail_module_t *module;
    struct textbuf text = {0};
    struct seen seen = {.id = ""};
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        exit(99);
    ok(hsail_assemble(context, "long", "", (size_t)LIMIT_TEXT_BYTES + 1, 0, &module) == HSAIL_STATUS_TOO_LARGE,
       "a text of 4 GiB is refused before it is read");
    hsail_context_destroy(context);
    textbuf_puts(&text, HEADER "global_u8 &x[1073741824];\nglobal_b8 &y[1073741824] = {u8(1), zero(1073741823)};\n"
                               "global_u64 &z[2305843009213693951];\n");
    ok(assemble(&text, 0, &seen) == HSAIL_STATUS_OK, "arrays as large as they like take no memory");
}

int main(void)
{
    nested_blocks();
    formals();
    numbers("operand of pad", "pad %u;\n", LIMIT_PAD, "integer-range");
    numbers("register $s", "mov_b32 $s%u, 0;\n", LIMIT_REGISTER_NUMBER - 1, "register-number");
    errors();
    places(100, true);
    places(20000, false);
    sizes();
    return tap_done();
}
