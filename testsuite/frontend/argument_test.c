/* SPDX-License-Identifier: MIT */
/* Tests arguments that no caller should pass to the functions of hsail.h, and inputs that are nearly empty: the answer
 * must be a status. */
#include "hsail/hsail.h"

#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

static const char module_line[] = "module &m:1:0:$full:$large:$default;";
static size_t most_bytes;

static void *allocate(void *user, size_t size)
{
    (void)user;
    if (size > most_bytes)
        most_bytes = size;
    return malloc(size);
}

static void *reallocate(void *user, void *block, size_t size)
{
    (void)user;
    return realloc(block, size);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

/* With HSAIL_TERMINATED the module is the same. The text consists mostly of blanks, and no block as large as the text
 * may be allocated. */
static void test_terminated(const char *name, const char *end, bool legal)
{
    static const hsail_allocator_t allocator = {allocate, reallocate, release, NULL};
    static char text[1 << 20];
    hsail_context_t *context;
    hsail_module_t *copied, *module;
    if (hsail_context_create(&allocator, &context) != HSAIL_STATUS_OK)
        exit(99);
    size_t size = sizeof text - 1;
    memset(text, ' ', size);
    memcpy(text, module_line, sizeof module_line - 1);
    memcpy(text + size - strlen(end), end, strlen(end));
    most_bytes = 0;
    hsail_status_t want = hsail_assemble(context, name, text, size, 0, &copied);
    bool copy = most_bytes > size;
    most_bytes = 0;
    hsail_status_t status = hsail_assemble(context, name, text, size, HSAIL_TERMINATED, &module);
    ok(copy && most_bytes < size && status == want && (status == HSAIL_STATUS_OK) == legal &&
           hsail_module_size(module) == hsail_module_size(copied) &&
           (!legal || !memcmp(hsail_module_data(module), hsail_module_data(copied), hsail_module_size(copied))),
       "%s, terminated: not copied, and the same", name);
    hsail_module_destroy(module);
    hsail_module_destroy(copied);
    hsail_context_destroy(context);
}

static int stop(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return size != 0;
}

/* Printing and formatting, with wrong arguments, and with a sink that takes nothing. */
static void test_printing(hsail_context_t *context)
{
    hsail_module_t *module;
    size_t size = sizeof module_line - 1;
    if (hsail_assemble(context, NULL, module_line, size, 0, &module) != HSAIL_STATUS_OK)
        exit(99);
    ok(hsail_disassemble_as(context, module, HSAIL_FLOAT_IEEE, (hsail_layout_t)2, stop, NULL) ==
               HSAIL_STATUS_ARGUMENT &&
           hsail_disassemble_as(context, NULL, HSAIL_FLOAT_IEEE, HSAIL_LAYOUT_READABLE, stop, NULL) ==
               HSAIL_STATUS_ARGUMENT &&
           hsail_format(context, NULL, module_line, size, 0, NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_format(NULL, NULL, module_line, size, 0, stop, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_format(context, NULL, module_line, size, 8, stop, NULL) == HSAIL_STATUS_ARGUMENT,
       "layouts are checked");
    ok(hsail_disassemble_as(context, module, HSAIL_FLOAT_IEEE, HSAIL_LAYOUT_READABLE, stop, NULL) ==
               HSAIL_STATUS_SINK &&
           hsail_format(context, NULL, module_line, size, HSAIL_TERMINATED, stop, NULL) == HSAIL_STATUS_SINK &&
           hsail_format(context, NULL, module_line, size - 1, 0, stop, NULL) == HSAIL_STATUS_INVALID,
       "a sink that takes nothing, and a text that is none");
    hsail_module_destroy(module);
}

int main(void)
{
    hsail_context_t *context;
    hsail_module_t *module;
    ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, "a context with the C library's memory");
    ok(hsail_context_create(NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(NULL, NULL, "", 0, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", 0, 8, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, NULL, 0, HSAIL_TERMINATED, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "ab", 1, HSAIL_TERMINATED, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_module_load(context, NULL, "", 0, HSAIL_TERMINATED, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", SIZE_MAX, 0, &module) == HSAIL_STATUS_TOO_LARGE &&
           hsail_module_load(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_module_validate(context, NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_context_set_warning(context, "nothing") == HSAIL_STATUS_ARGUMENT,
       "arguments are checked");
    ok(hsail_assemble(context, NULL, NULL, 0, 0, &module) == HSAIL_STATUS_INVALID && !module,
       "a text of no bytes is refused");
    static const char nul[] = "module &m:1:0:$full:$large:$default;\0global_u32 &x;";
    ok(hsail_assemble(context, NULL, nul, sizeof nul - 1, 0, &module) == HSAIL_STATUS_INVALID,
       "a NUL does not end a text");
    test_terminated("a module", "global_u32 &x;", true);
    test_terminated("a wrong module", "global_u32 &x", false);
    test_printing(context);
    hsail_module_destroy(NULL);
    hsail_context_destroy(context);
    hsail_context_destroy(NULL);
    ok(!strcmp(hsail_status_text(HSAIL_STATUS_OK), "success") && *hsail_version(), "words");
    return tap_done();
}
