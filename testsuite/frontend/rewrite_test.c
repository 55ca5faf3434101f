/* SPDX-License-Identifier: MIT */
/* Rewriting modules: a copy of every module of the suite has the same bytes, and a copy of the same module in the shape
 * of another producer is printed as the same text. Statements are dropped, replaced and inserted. When an allocation
 * fails, the answer is OUT_OF_MEMORY. */
#include "hsail/rewriter.h"

#include "support/alloc.h"
#include "testsuite/brig/foreign.h"
#include "testsuite/frontend/test_memory.h"
#include "testsuite/frontend/test_show.h"
#include "testsuite/modules.h"

static hsail_context_t *context;

static hsail_status_t rewrite(hsail_context_t *with, const hsail_module_t *from, hsail_rewrite_callback_t callback,
                              void *user, unsigned flags, hsail_module_t **to)
{
    hsail_reader_t *reader;
    *to = NULL;
    hsail_status_t status = hsail_reader_open_module(with, from, &reader);
    if (status == HSAIL_STATUS_OK)
        status = hsail_rewrite(with, NULL, reader, callback, user, flags, to);
    hsail_reader_destroy(reader);
    return status;
}

static struct kept text_of(const hsail_module_t *module)
{
    struct kept text = {0};
    if (hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &text) != HSAIL_STATUS_OK)
        exit(99);
    return text;
}

/* ---- Copies ---------------------------------------------------------------------------------------- */

static bool same_bytes(const hsail_module_t *a, const hsail_module_t *b)
{
    return a && b && hsail_module_size(a) == hsail_module_size(b) &&
           !memcmp(hsail_module_data(a), hsail_module_data(b), hsail_module_size(a));
}

/* Builds each statement by hand instead of keeping it. */
static hsail_rewrite_t emit_all(void *user, const hsail_statement_t *statement)
{
    (void)user;
    return hsail_statement_emit(statement) == HSAIL_STATUS_ARGUMENT ? HSAIL_REWRITE_KEEP : HSAIL_REWRITE_DROP;
}

/* The module as other producers may write it: entries in another order, longer, shared or not, and annotations
 * anywhere. */
static void test_foreign(const char *name, const hsail_module_t *module)
{
    struct brig_view view;
    bool good = brig_open(hsail_module_data(module), hsail_module_size(module), NULL, &view) == BRIG_OK;
    for (unsigned i = 0; i <= 8 && good; i++) {
        unsigned shapes = i < 8 ? 1u << i : FOREIGN_SHAPES & ~(unsigned)FOREIGN_UNSHARED;
        hsail_module_t *foreign = NULL, *copy = NULL;
        uint8_t *bytes;
        size_t size;
        if (!foreign_write(&view, shapes, 7 + i, &bytes, &size))
            exit(99);
        good = hsail_module_load(context, name, bytes, size, HSAIL_NO_VALIDATION, &foreign) == HSAIL_STATUS_OK &&
               rewrite(context, foreign, NULL, NULL, HSAIL_NO_VALIDATION, &copy) == HSAIL_STATUS_OK;
        struct kept want = good ? text_of(foreign) : (struct kept){0}, got = good ? text_of(copy) : (struct kept){0};
        good = good && !strcmp(want.data, got.data);
        if (!good)
            printf("# shapes 0x%x\n", shapes);
        free(want.data);
        free(got.data);
        hsail_module_destroy(copy);
        hsail_module_destroy(foreign);
        mem_free(bytes);
    }
    ok(good, "%s of other producers prints the same", name);
}

static void test_module(const char *path, const char *name, struct kept text)
{
    hsail_module_t *module, *copy;
    if (!ok(hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK,
            "%s assembles", name))
        return;
    hsail_status_t status = rewrite(context, module, NULL, NULL, HSAIL_NO_VALIDATION, &copy);
    ok(status == HSAIL_STATUS_OK && same_bytes(module, copy), "%s copied: %s", name, hsail_status_text(status));
    hsail_module_destroy(copy);
    status = rewrite(context, module, emit_all, NULL, HSAIL_NO_VALIDATION, &copy);
    ok(status == HSAIL_STATUS_OK && same_bytes(module, copy), "%s built by hand: %s", name, hsail_status_text(status));
    hsail_module_destroy(copy);
    test_foreign(name, module);
    hsail_module_destroy(module);
}

/* ---- Changes --------------------------------------------------------------------------------------- */

static const char source[] =
    "module &m:1:2:$full:$large:$default;\n"
    "global_u32 &unused[2] = u32[](1, 2);\n"
    "function &helper(arg_u32 %r)(arg_u32 %x)\n{\n\tret;\n};\n"
    "prog kernel &k(kernarg_u64 %p)\n{\n"
    "\tld_kernarg_align(8)_u64 $d0, [%p];\n"
    "\tadd_u32 $s0, $s1, 7;\n"
    "\tst_global_u32 $s0, [$d0];\n"
    "\tbarrier;\n"
    "@end:\n\tret;\n};\n";

static const char initialized[] =
    "module &m:1:0:$full:$large:$default;\n"
    "global_b8 &mixed[20] = {u32(1), u64x2(2, 3)};\n"
    "kernel &k()\n{\n\tpragma \"p\", {u32(1)};\n\tret;\n};\n";

/* All of the changes at once. */
static hsail_rewrite_t change(void *user, const hsail_statement_t *statement)
{
    const hsail_entry_t *entry = &statement->entry;
    hsail_operand_t operands[3];
    *(unsigned *)user |= 1u << statement->place;
    if (statement->place == HSAIL_AT_INPUTS_END && statement->executable.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL)
        hsail_builder_formal(statement->builder, HSA_BRIG_TYPE_U32, "%more", NULL);
    if (statement->place == HSAIL_AT_MODULE_END)
        hsail_builder_comment(statement->builder, " the end");
    if (statement->place != HSAIL_AT_ENTRY)
        return HSAIL_REWRITE_KEEP;
    if (!strcmp(entry->name.data, "&unused") || !strcmp(entry->name.data, "&helper"))
        return HSAIL_REWRITE_DROP;
    if (!hsail_is_instruction(entry))
        return HSAIL_REWRITE_KEEP;
    if (entry->u.instruction.opcode == HSA_BRIG_OPCODE_BARRIER)
        return HSAIL_REWRITE_DROP;
    if (entry->u.instruction.opcode == HSA_BRIG_OPCODE_ADD) { /* replaced */
        memcpy(operands, statement->operands, sizeof operands);
        operands[2] = hsail_integer(8);
        hsail_builder_instruction(statement->builder, "sub_u32", operands, statement->operand_count);
        return HSAIL_REWRITE_DROP;
    }
    if (entry->u.instruction.opcode == HSA_BRIG_OPCODE_ST) { /* one before, one after */
        hsail_builder_instruction(statement->builder, "nop", NULL, 0);
        hsail_statement_emit(statement);
        hsail_builder_comment(statement->builder, " stored");
        return HSAIL_REWRITE_DROP;
    }
    return HSAIL_REWRITE_KEEP;
}

static void test_changes(const hsail_module_t *module)
{
    static const char want[] =
        "module &m:1:2:$full:$large:$default;\n\n"
        "prog kernel &k(\n\tkernarg_u64 %p,\n\tkernarg_u32 %more)\n{\n"
        "\tld_kernarg_align(8)_u64\t$d0, [%p];\n"
        "\tsub_u32\t$s0, $s1, 8;\n"
        "\tnop;\n"
        "\tst_global_u32\t$s0, [$d0];\n"
        "\t// stored\n"
        "@end:\n\tret;\n};\n"
        "// the end\n";
    hsail_module_t *copy;
    unsigned places = 0;
    hsail_status_t status = rewrite(context, module, change, &places, 0, &copy);
    struct kept got = copy ? text_of(copy) : (struct kept){0};
    ok(status == HSAIL_STATUS_OK && got.data && !strcmp(got.data, want), "statements are dropped, replaced, inserted");
    ok(places == (1u << (HSAIL_AT_MODULE_END + 1)) - 1, "the callback sees every place");
    free(got.data);
    hsail_module_destroy(copy);
}

static hsail_rewrite_t stop(void *user, const hsail_statement_t *statement)
{
    *(unsigned *)user += 1;
    return hsail_is_instruction(&statement->entry) ? HSAIL_REWRITE_STOP : HSAIL_REWRITE_KEEP;
}

/* Builds statements that are not allowed. */
static hsail_rewrite_t spoil(void *user, const hsail_statement_t *statement)
{
    (void)user;
    if (statement->place == HSAIL_AT_BODY)
        hsail_builder_instruction(statement->builder, "no_such_thing", NULL, 0);
    return HSAIL_REWRITE_KEEP;
}

static hsail_rewrite_t headless(void *user, const hsail_statement_t *statement)
{
    (void)user;
    return statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_MODULE && statement->place == HSAIL_AT_ENTRY
               ? HSAIL_REWRITE_DROP
               : HSAIL_REWRITE_KEEP;
}

static void test_failures(const hsail_module_t *module)
{
    hsail_module_t *copy;
    hsail_reader_t *reader;
    unsigned calls = 0;
    ok(rewrite(context, module, stop, &calls, 0, &copy) == HSAIL_STATUS_SINK && !copy, "the callback may stop");
    ok(calls == 8, "the rewrite stops at once: %u calls", calls);
    hsail_context_set_diagnostics(context, NULL, NULL);
    ok(rewrite(context, module, spoil, NULL, 0, &copy) == HSAIL_STATUS_INVALID && !copy, "errors of the builder count");
    ok(rewrite(context, module, headless, NULL, 0, &copy) == HSAIL_STATUS_INVALID && !copy,
       "errors of the module count");
    hsail_context_set_diagnostics(context, show_error, NULL);
    if (hsail_reader_open_module(context, module, &reader) != HSAIL_STATUS_OK)
        exit(99);
    ok(hsail_rewrite(NULL, NULL, reader, NULL, NULL, 0, &copy) == HSAIL_STATUS_ARGUMENT &&
           hsail_rewrite(context, NULL, NULL, NULL, NULL, 0, &copy) == HSAIL_STATUS_ARGUMENT &&
           hsail_rewrite(context, NULL, reader, NULL, NULL, 0, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_rewrite(context, NULL, reader, NULL, NULL, 8, &copy) == HSAIL_STATUS_ARGUMENT &&
           hsail_statement_emit(NULL) == HSAIL_STATUS_ARGUMENT,
       "arguments are checked");
    hsail_reader_destroy(reader);
}

/* The same with allocation N failing, alone or with all that follow; false when something is wrong. */
static bool run_short_of_memory(const hsail_module_t *module, hsail_rewrite_callback_t callback, long n, bool once,
                                bool *failed)
{
    struct memory memory = {.countdown = n, .once = once};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    hsail_context_t *with;
    hsail_module_t *copy = NULL;
    hsail_status_t status = hsail_context_create(&allocator, &with);
    if (status == HSAIL_STATUS_OK)
        status = rewrite(with, module, callback, NULL, 0, &copy);
    *failed = memory.failed;
    bool good = status == (*failed ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK) && !copy == *failed;
    hsail_module_destroy(copy);
    hsail_context_destroy(with);
    if (!good || !memory_clean(&memory))
        printf("# allocation %ld: %s, %ld blocks left\n", n, hsail_status_text(status), memory.blocks);
    return good && memory_clean(&memory);
}

static void test_memory(const hsail_module_t *module, hsail_rewrite_callback_t callback, const char *how)
{
    bool good = true, failed = true;
    long n = 0;
    for (; failed && good; n++)
        good = run_short_of_memory(module, callback, n, true, &failed) &&
               run_short_of_memory(module, callback, n, false, &failed);
    ok(good && n > 10, "%s: each of %ld allocations may fail", how, n - 1);
}

int main(void)
{
    hsail_module_t *module;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_context_set_diagnostics(context, show_error, NULL);
    for_each_module(test_module);
    if (ok(hsail_assemble(context, NULL, source, sizeof source - 1, 0, &module) == HSAIL_STATUS_OK, "a module")) {
        test_changes(module);
        test_failures(module);
        test_memory(module, NULL, "kept");
    }
    hsail_module_destroy(module);
    if (ok(hsail_assemble(context, NULL, initialized, sizeof initialized - 1, 0, &module) == HSAIL_STATUS_OK,
           "a module to be built by hand is assembled"))
        test_memory(module, emit_all, "built by hand");
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return tap_done();
}
