/* SPDX-License-Identifier: MIT */
/* Every call of the builder that fails must give its message at once: the rule, the operand counted as the caller gave
 * it, the statement as text, and the latest loc. The callback gets the same message at the end. */
#include "hsail/builder.h"

#include "testsuite/frontend/test_emit.h"
#include "testsuite/frontend/test_memory.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

static const char *const f_out[] = {"%r"}, *const labels[] = {"@a", "&f"}, *const unknown[] = {"%none"},
                         *const functions[] = {"&f", "&k"};

static void in_body(hsail_builder_t *b)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(b);
    hsail_builder_location(b, 7, 3, "kernel.cl");
}

static void empty(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_instruction(b, "", NULL, 0);
}
static void nonsense(hsail_builder_t *b)
{
    in_body(b);
    EMIT("frobnicate_u32", S(0), S(1));
}
static void keyword(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_instruction(b, "kernel", NULL, 0);
}
static void blank(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_instruction(b, " ", NULL, 0);
}
static void no_mnemonic(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_instruction(b, NULL, NULL, 0);
}
static void no_array(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_instruction(b, "add_u32", NULL, 3);
}
static void count(hsail_builder_t *b)
{
    in_body(b);
    EMIT("add_u32", S(0), S(1));
}
static void modifier(hsail_builder_t *b)
{
    in_body(b);
    EMIT("add_odd_u32", S(0), S(1), S(2));
}
static void third(hsail_builder_t *b)
{
    in_body(b);
    EMIT("add_u32", S(0), S(1), hsail_register('x', 9));
}
static void first(hsail_builder_t *b)
{
    in_body(b);
    EMIT("add_u32", hsail_name(NULL), S(1), S(2));
}
static void number(hsail_builder_t *b)
{
    in_body(b);
    EMIT("add_u32", S(0), S(2048), S(2));
}
static void address(hsail_builder_t *b)
{
    in_body(b);
    hsail_operand_t base = D(3);
    EMIT("ld_global_u32", S(0), hsail_address("&none", &base, -8));
}
static void vector(hsail_builder_t *b)
{
    in_body(b);
    hsail_operand_t two[] = {S(0), S(1)};
    EMIT("ld_v4_global_u32", hsail_vector(two, 2), hsail_address("&x", NULL, 0));
}
static void call_inputs(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_arg_block(b);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_TYPE_U32, "%r", NULL, 0, NULL, 0);
    EMIT("call", hsail_name("&f"), hsail_names(f_out, 1), hsail_names(unknown, 1));
}
static void call_target(hsail_builder_t *b)
{
    in_body(b);
    EMIT("call", S(1), hsail_names(NULL, 0), hsail_names(NULL, 0));
}
static void call_order(hsail_builder_t *b)
{
    in_body(b);
    EMIT("call", hsail_names(NULL, 0), hsail_name("&f"), hsail_names(NULL, 0));
}
static void call_kernel(hsail_builder_t *b)
{
    in_body(b);
    EMIT("call", hsail_name("&k"), hsail_names(NULL, 0), hsail_names(NULL, 0));
}
static void call_among(hsail_builder_t *b)
{
    in_body(b);
    EMIT("scall_u32", S(0), hsail_names(NULL, 0), hsail_names(NULL, 0), hsail_names(functions, 2));
}
static void fbarrier(hsail_builder_t *b)
{
    in_body(b);
    EMIT("initfbar", hsail_name("&f"));
}
static void table(hsail_builder_t *b)
{
    in_body(b);
    EMIT("sbr_u32", S(0), hsail_names(labels, 1));
    hsail_builder_end(b);
}
static void label(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_label(b, "end");
}
static void control(hsail_builder_t *b)
{
    in_body(b);
    hsail_operand_t reg = S(0);
    hsail_builder_control(b, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM, &reg, 1);
}
static void pragma(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_pragma(b, NULL, 2);
}
static void nested(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&g", HSAIL_PROGRAM_LINKAGE);
}
static void outside(hsail_builder_t *b)
{
    hsail_builder_instruction(b, "ret", NULL, 0);
}
static void array_type(hsail_builder_t *b)
{
    hsail_shape_t shape = {16, 1, 4};
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32_ARRAY, "&y", &shape, HSAIL_CONST, NULL, 0);
}
static void alignment(hsail_builder_t *b)
{
    hsail_shape_t shape = {3, 0, 0};
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32, "&y", &shape, 0, NULL, 0);
}
static void initializer(hsail_builder_t *b)
{
    hsail_builder_variable_init(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32, "&y", NULL, 0, NULL);
}
static void flags(hsail_builder_t *b)
{
    hsail_builder_fbarrier(b, "&fb", HSAIL_CONST);
}
static void formal(hsail_builder_t *b)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, NULL, NULL);
}
static void kind(hsail_builder_t *b)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_LABEL, "&k", 0);
}
static void location(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_location(b, 0, 1, "x.cl");
}
static void comment(hsail_builder_t *b)
{
    hsail_builder_comment(b, "two\nlines");
}
static void header(hsail_builder_t *b)
{
    hsail_builder_module(b, "&m", 7, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE, (hsa_brig_round_t)99);
}

static void few_registers(hsail_builder_t *b)
{
    hsail_builder_register_limit(b, 1, 3);
    in_body(b);
    EMIT("add_u64", hsail_builder_register(b, 'd'), D(0), hsail_builder_register(b, 'd'));
    hsail_builder_end(b);
}
static void other_body(hsail_builder_t *b)
{
    in_body(b);
    hsail_operand_t old = hsail_builder_register(b, 's');
    hsail_builder_end(b);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k2", 0);
    hsail_builder_body(b);
    EMIT("not_b32", S(0), old);
}
static void wrong_kind(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_register(b, 'x');
}
static void no_place(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_move(b, (hsail_place_t)9, NULL);
}
static void no_label(hsail_builder_t *b)
{
    in_body(b);
    EMIT("br", hsail_name("@later"));
    hsail_builder_move(b, HSAIL_BLOCK_END, "@later");
}
static void out_of_block(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_arg_block(b);
    hsail_builder_move(b, HSAIL_BLOCK_BEGIN, NULL);
}
static void into_block(hsail_builder_t *b)
{
    in_body(b);
    hsail_builder_arg_block(b);
    hsail_builder_label(b, "@in");
    hsail_builder_arg_block_end(b);
    hsail_builder_move(b, HSAIL_BLOCK_BEGIN, "@in");
}
static void old_position(hsail_builder_t *b)
{
    hsail_position_t position;
    in_body(b);
    hsail_builder_position(b, &position);
    hsail_builder_end(b);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k2", 0);
    hsail_builder_body(b);
    hsail_builder_move_to(b, position);
}
static void limit(hsail_builder_t *b)
{
    hsail_builder_register_limit(b, 129, 2048);
}

/* The calls and their messages; without a STATEMENT the message is that of hsail_builder_finish(). */
static const struct {
    void (*emit)(hsail_builder_t *b);
    hsail_status_t status;
    const char *id, *message, *statement;
    unsigned line; /* the line of the loc; 0: there is no loc */
} rows[] = {
    {empty, HSAIL_STATUS_INVALID, "instruction-unknown", "", "?", 7},
    {blank, HSAIL_STATUS_INVALID, "instruction-unknown", "", " ;", 7},
    {nonsense, HSAIL_STATUS_INVALID, "instruction-unknown", "frobnicate_u32", "frobnicate_u32 $s0, $s1;", 7},
    {keyword, HSAIL_STATUS_INVALID, "instruction-unknown", "kernel", "kernel;", 7},
    {no_mnemonic, HSAIL_STATUS_ARGUMENT, "builder-argument", "mnemonic is NULL", "?;", 7},
    {no_array, HSAIL_STATUS_ARGUMENT, "builder-argument", "operands are NULL", "add_u32 ?;", 7},
    {count, HSAIL_STATUS_INVALID, "operand-count", "2 instead of 3", "add_u32 $s0, $s1;", 7},
    {modifier, HSAIL_STATUS_INVALID, "modifier", "odd", "add_odd_u32 $s0, $s1, $s2;", 7},
    {third, HSAIL_STATUS_INVALID, "builder-operand", "operand 2 of add", "add_u32 $s0, $s1, $?;", 7},
    {first, HSAIL_STATUS_INVALID, "builder-operand", "operand 0 of add", "add_u32 ?, $s1, $s2;", 7},
    {number, HSAIL_STATUS_INVALID, "register-number", "the number of the register", "add_u32 $s0, $s2048, $s2;", 7},
    {address, HSAIL_STATUS_INVALID, "name-unknown", "&none", "ld_global_u32 $s0, [&none][$d3-8];", 7},
    {vector, HSAIL_STATUS_INVALID, "builder-operand", "operand 0 of ld", "ld_v4_global_u32 ($s0, $s1), [&x];", 7},
    {call_inputs, HSAIL_STATUS_INVALID, "name-unknown", "%none", "call &f(%r)(%none);", 7},
    {call_target, HSAIL_STATUS_INVALID, "builder-operand", "operand 0 of call", "call $s1()();", 7},
    {call_order, HSAIL_STATUS_INVALID, "builder-operand", "operand 0 of call", "call () &f();", 7},
    {call_kernel, HSAIL_STATUS_INVALID, "name-kind", "&k is no function", "call &k()();", 7},
    {call_among, HSAIL_STATUS_INVALID, "name-kind", "&k is no function", "scall_u32 $s0()() [&f, &k];", 7},
    {fbarrier, HSAIL_STATUS_INVALID, "name-kind", "&f is no fbarrier", "initfbar &f;", 7},
    {table, HSAIL_STATUS_INVALID, "label-undefined", "@a", "}", 7},
    {label, HSAIL_STATUS_ARGUMENT, "builder-argument", "begin with @", "end:", 7},
    {control, HSAIL_STATUS_INVALID, "", "", "requireddim $s0;", 7},
    {pragma, HSAIL_STATUS_ARGUMENT, "builder-argument", "operands are NULL", "pragma ?;", 7},
    {nested, HSAIL_STATUS_INVALID, "builder-order", "function", "prog function &g", 7},
    {outside, HSAIL_STATUS_INVALID, "builder-order", "an instruction", "ret;", 0},
    {array_type, HSAIL_STATUS_ARGUMENT, "builder-argument", "type", "align(16) const global_u32 &y[4];", 0},
    {alignment, HSAIL_STATUS_ARGUMENT, "builder-argument", "alignment", "align(3) global_u32 &y;", 0},
    {initializer, HSAIL_STATUS_ARGUMENT, "builder-argument", "initializer is NULL", "global_u32 &y;", 0},
    {flags, HSAIL_STATUS_ARGUMENT, "builder-argument", "flag", "const fbarrier &fb;", 0},
    {formal, HSAIL_STATUS_ARGUMENT, "builder-argument", "name is NULL", "kernarg_u32 ?", 0},
    {kind, HSAIL_STATUS_ARGUMENT, "builder-argument", "kind", "? &k", 0},
    {location, HSAIL_STATUS_ARGUMENT, "builder-argument", "count from 1", "loc 0 1 \"x.cl\";", 7},
    {comment, HSAIL_STATUS_ARGUMENT, "builder-argument", "more than one line", "//two\\x0alines", 0},
    {few_registers, HSAIL_STATUS_INVALID, "builder-registers", "needs 7 s, d and q registers at once, the limit is 3",
     "}", 7},
    {other_body, HSAIL_STATUS_INVALID, "builder-operand", "operand 1 of not", "not_b32 $s0, $s(0);", 7},
    {wrong_kind, HSAIL_STATUS_ARGUMENT, "builder-argument", "none of c, s, d and q", "?", 7},
    {no_place, HSAIL_STATUS_ARGUMENT, "builder-argument", "no such place", "?", 7},
    {no_label, HSAIL_STATUS_INVALID, "builder-position", "label was not placed", "to @later", 7},
    {out_of_block, HSAIL_STATUS_INVALID, "builder-position", "open arg block", "?", 7},
    {into_block, HSAIL_STATUS_INVALID, "builder-position", "inside an arg block", "to @in", 7},
    {old_position, HSAIL_STATUS_INVALID, "builder-position", "not of this code block", "?", 7},
    {limit, HSAIL_STATUS_ARGUMENT, "builder-argument", "above that of HSAIL", "?", 0},
    {header, HSAIL_STATUS_ARGUMENT, "builder-argument", "rounding", "module &m:7:0:$full:$large:$?;", 0},
};

struct seen {
    unsigned count;
    char id[64], message[256], entry[256], source[64], text[1024];
    size_t line, column, used;
};

static int add(void *user, const void *data, size_t size)
{
    struct seen *seen = user;
    if (seen->used + size >= sizeof seen->text)
        return 1;
    memcpy(seen->text + seen->used, data, size);
    seen->used += size;
    seen->text[seen->used] = '\0';
    return 0;
}

static void show(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct seen *seen = user;
    if (diagnostic->severity != HSAIL_SEVERITY_ERROR || seen->count++)
        return;
    snprintf(seen->id, sizeof seen->id, "%s", diagnostic->id);
    snprintf(seen->message, sizeof seen->message, "%s", diagnostic->message);
    snprintf(seen->entry, sizeof seen->entry, "%s", diagnostic->entry ? diagnostic->entry : "");
    snprintf(seen->source, sizeof seen->source, "%s", diagnostic->source ? diagnostic->source : "");
    seen->line = diagnostic->source_line;
    seen->column = diagnostic->source_column;
    hsail_diagnostic_print(diagnostic, HSAIL_PRINT_TEXT, add, seen);
}

static hsail_builder_t *begin(hsail_context_t *context)
{
    hsail_builder_t *b = NULL;
    if (hsail_builder_create(context, &b) != HSAIL_STATUS_OK)
        exit(99);
    hsail_builder_module(b, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32, "&x", NULL, 0, NULL, 0);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&f", HSAIL_PROGRAM_LINKAGE | HSAIL_DECLARATION);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%r", NULL);
    hsail_builder_inputs(b);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%x", NULL);
    hsail_builder_end(b);
    return b;
}

static void test_row(hsail_context_t *context, size_t i)
{
    struct seen seen = {0};
    hsail_module_t *module;
    hsail_builder_t *b = begin(context);
    hsail_context_set_diagnostics(context, show, &seen);
    ok(!hsail_builder_error(b), "row %zu: no error at first", i);
    rows[i].emit(b);
    const hsail_diagnostic_t *error = hsail_builder_error(b);
    bool at_once = rows[i].statement != NULL;
    ok(!error == !at_once, "an error as soon as the call has failed");
    if (!error)
        hsail_builder_end(b);
    ok(hsail_builder_finish(b, NULL, 0, &module) == rows[i].status && !module, "the status");
    error = hsail_builder_error(b);
    if (!error)
        return hsail_builder_destroy(b);
    ok(strstr(error->id, rows[i].id) && strstr(error->message, rows[i].message) && *error->message, "%s: %s: %s",
       rows[i].id, error->id, error->message);
    const char *entry = error->entry ? error->entry : "";
    ok(!at_once || !strcmp(entry, rows[i].statement) || (*rows[i].statement == '?' && !rows[i].statement[1]),
       "the error has the statement as text: %s", entry);
    const char *source = error->source ? error->source : "";
    ok(error->source_line == rows[i].line &&
           (!rows[i].line || (error->source_column == 3 && !strcmp(source, "kernel.cl"))),
       "the error is at the loc: %s:%zu", source, error->source_line);
    ok(!strcmp(seen.id, error->id) && !strcmp(seen.message, error->message) && !strcmp(seen.entry, entry) &&
           seen.line == error->source_line && !strcmp(seen.source, source),
       "the callback gets the same: %s", seen.message);
    struct seen printed = {0};
    ok(hsail_diagnostic_print(error, HSAIL_PRINT_TEXT, add, &printed) == HSAIL_STATUS_OK &&
           !strcmp(printed.text, seen.text) && (!rows[i].line || !strncmp(seen.text, "kernel.cl:7:3: error: ", 22)),
       "the error is printed: %s", printed.text);
    hsail_builder_destroy(b);
}

/* What is only found out at the end is reported at its own statement, not at the last one. */
static void test_finish(hsail_context_t *context)
{
    struct seen seen = {0};
    hsail_module_t *module;
    hsail_builder_t *b = begin(context);
    hsail_context_set_diagnostics(context, show, &seen);
    in_body(b);
    EMIT("add_u32", S(0), S(1), S(2));
    hsail_builder_location(b, 12, 9, NULL);
    EMIT("add_u32", S(0), D(1), S(2));
    hsail_builder_location(b, 13, 1, "other.cl");
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
    ok(!hsail_builder_error(b), "every call is right by itself");
    ok(hsail_builder_finish(b, "name", 0, &module) == HSAIL_STATUS_INVALID,
       "a module with a wrong operand is refused at the end");
    const hsail_diagnostic_t *error = hsail_builder_error(b);
    ok(error && !strcmp(error->id, "operand-register") && strstr(error->message, "operand 1 of add") &&
           !strcmp(error->entry, "add_u32 $s0, $d1, $s2;") && error->source_line == 12 && error->source_column == 9 &&
           !strcmp(error->source, "kernel.cl") && !strcmp(error->name, "name"),
       "its error is at the loc before the statement: %s", error ? error->entry : "none");
    ok(!strcmp(seen.id, "operand-register") && seen.line == 12, "the callback gets the error: %s", seen.text);
    ok(hsail_builder_label(b, "@x") == HSAIL_STATUS_INVALID && hsail_builder_error(b) == error,
       "the error stays after further calls");
    hsail_builder_destroy(b);
}

static void test_after(hsail_context_t *context)
{
    hsail_module_t *module, *again;
    hsail_builder_t *b = begin(context);
    hsail_context_set_diagnostics(context, NULL, NULL);
    ok(hsail_builder_finish(b, NULL, 0, &module) == HSAIL_STATUS_OK && !hsail_builder_error(b), "a module");
    ok(hsail_builder_comment(b, "late") == HSAIL_STATUS_ARGUMENT, "no statement is accepted after the end");
    const hsail_diagnostic_t *error = hsail_builder_error(b);
    ok(error && !strcmp(error->id, "builder-order") && strstr(error->message, "a comment"),
       "the error says that the order is wrong");
    ok(hsail_builder_finish(b, NULL, 0, &again) == HSAIL_STATUS_ARGUMENT && !again && hsail_builder_error(b) == error,
       "a builder cannot end twice");
    hsail_module_destroy(module);
    hsail_builder_destroy(b);
    ok(!hsail_builder_error(NULL), "without a builder there is no error");
    b = begin(context);
    ok(hsail_builder_finish(b, NULL, 99, &module) == HSAIL_STATUS_ARGUMENT && hsail_builder_error(b),
       "an unknown flag of the end has its message");
    hsail_builder_destroy(b);
}

/* When an allocation fails, saying so needs no further one. */
static void test_memory(void)
{
    bool failed = true, good = true;
    for (long n = 2; failed && good; n++) {
        struct memory memory = {.countdown = n};
        const hsail_allocator_t allocator = memory_allocator(&memory);
        hsail_context_t *context = NULL;
        hsail_builder_t *b = NULL;
        hsail_module_t *module = NULL;
        hsail_status_t status = hsail_context_create(&allocator, &context);
        if (status == HSAIL_STATUS_OK)
            status = hsail_builder_create(context, &b);
        if (status == HSAIL_STATUS_OK) {
            hsail_builder_module(b, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                                 HSA_BRIG_ROUND_FLOAT_DEFAULT);
            in_body(b);
            EMIT("add_u32", S(0), S(1), S(2));
            hsail_builder_end(b);
            status = hsail_builder_finish(b, NULL, 0, &module);
            const hsail_diagnostic_t *error = hsail_builder_error(b);
            good =
                status == HSAIL_STATUS_OK ? !error : error && !strcmp(error->id, "builder-status") && *error->message;
        }
        failed = memory.failed;
        good = good && (status == HSAIL_STATUS_OK) == !failed;
        hsail_module_destroy(module);
        hsail_builder_destroy(b);
        hsail_context_destroy(context);
        good = good && memory_clean(&memory);
    }
    ok(good, "each allocation may fail, which is said");
}

int main(void)
{
    hsail_context_t *context;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(context, i);
    test_finish(context);
    test_after(context);
    test_memory();
    hsail_context_destroy(context);
    return tap_done();
}
