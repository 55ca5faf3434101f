/* SPDX-License-Identifier: MIT */
/* The builder must be able to make everything that a text can say. Every module of the suite is assembled, and then
 * made again by one call of the builder for each entry. The bytes must be the same, even if the blocks are made in
 * another order. If an allocation fails, the answer must be OUT_OF_MEMORY. With virtual registers and hardly any real
 * ones the module must still be valid. */
#include "hsail/builder.h"

#include "testsuite/frontend/test_memory.h"
#include "testsuite/frontend/transcribe.h"
#include "testsuite/frontend/test_show.h"
#include "testsuite/modules.h"

/* The same with allocation N failing, alone or with all that follow; false when something is wrong. */
static bool run_short_of_memory(const struct brig_view *view, const char *printed,
                                const struct transcribe_options *options, long n, bool once, bool *failed)
{
    struct memory memory = {.countdown = n, .once = once};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    hsail_status_t status = hsail_context_create(&allocator, &context);
    if (status == HSAIL_STATUS_OK)
        status = transcribe(context, NULL, view, printed, options, &module);
    *failed = memory.failed;
    bool good = status == (*failed ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK) && !module == *failed;
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    if (!good || !memory_clean(&memory))
        printf("# allocation %ld%s: %s, %ld blocks left\n", n, once ? " alone" : "", hsail_status_text(status),
               memory.blocks);
    return good && memory_clean(&memory);
}

static void test_memory(const char *name, const char *what, const struct brig_view *view, const char *printed,
                        const struct transcribe_options *options)
{
    bool good = true, failed = true;
    long n = 0;
    for (; failed && good; n++)
        good = run_short_of_memory(view, printed, options, n, true, &failed) &&
               run_short_of_memory(view, printed, options, n, false, &failed);
    ok(good, "%s%s: each of %ld allocations may fail", name, what, n - 1);
}

static const struct transcribe_options in_order = {.flags = HSAIL_NO_VALIDATION},
                                       few = {.is_virtual = 16, .control = 9, .weighted = 64, .is_shuffled = true};

static void test_module(hsail_context_t *context, const char *name, const hsail_module_t *want, bool short_of_memory)
{
    struct brig_view view;
    struct kept printed = {0};
    hsail_module_t *module;
    if (brig_open(hsail_module_data(want), hsail_module_size(want), NULL, &view) != BRIG_OK ||
        hsail_disassemble(context, want, HSAIL_FLOAT_IEEE, keep, &printed) != HSAIL_STATUS_OK)
        exit(99);
    for (unsigned i = 0; i < 4; i++) {
        struct transcribe_options options = {.is_shuffled = i > 0, .seed = i, .flags = HSAIL_NO_VALIDATION};
        hsail_status_t status = transcribe(context, name, &view, printed.data, &options, &module);
        bool same = hsail_module_size(module) == hsail_module_size(want) &&
                    !memcmp(hsail_module_data(module), hsail_module_data(want), hsail_module_size(want));
        ok(status == HSAIL_STATUS_OK && same, "%s without text%s: %s", name, i ? ", in another order" : "",
           status != HSAIL_STATUS_OK ? hsail_status_text(status)
           : same                    ? "the same"
                                     : "other bytes");
        hsail_module_destroy(module);
    }
    if (short_of_memory) {
        test_memory(name, "", &view, printed.data, &in_order);
        test_memory(name, " with few registers", &view, printed.data, &few);
    }
    free(printed.data);
}

/* With virtual registers a module is as valid as without, and is printed as text that assembles to the same bytes. */
static void test_virtual(hsail_context_t *context, const char *name, const hsail_module_t *want)
{
    struct brig_view view;
    struct kept printed = {0}, again = {0};
    hsail_module_t *module, *assembled = NULL;
    if (brig_open(hsail_module_data(want), hsail_module_size(want), NULL, &view) != BRIG_OK ||
        hsail_disassemble(context, want, HSAIL_FLOAT_IEEE, keep, &printed) != HSAIL_STATUS_OK)
        exit(99);
    hsail_status_t status = transcribe(context, name, &view, printed.data, &few, &module);
    ok(status == HSAIL_STATUS_OK, "%s with few registers: %s", name, hsail_status_text(status));
    ok(module && hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &again) == HSAIL_STATUS_OK &&
           hsail_assemble(context, name, again.data, again.size, 0, &assembled) == HSAIL_STATUS_OK &&
           hsail_module_size(module) == hsail_module_size(assembled) &&
           !memcmp(hsail_module_data(module), hsail_module_data(assembled), hsail_module_size(module)),
       "the text of a module with virtual registers gives the same bytes");
    hsail_module_destroy(assembled);
    hsail_module_destroy(module);
    free(printed.data);
    free(again.data);
}

static hsail_context_t *context;

static void test_text(const char *path, const char *name, struct kept text)
{
    hsail_module_t *module;
    if (hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK)
        test_module(context, name, module, strstr(path, "/good/"));
    else
        ok(false, "%s assembles", path);
    if (module && hsail_module_validate(context, path, module) == HSAIL_STATUS_OK)
        test_virtual(context, name, module);
    hsail_module_destroy(module);
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_context_set_diagnostics(context, show_error, NULL);
    for_each_module(test_text);
    hsail_context_destroy(context);
    return tap_done();
}
