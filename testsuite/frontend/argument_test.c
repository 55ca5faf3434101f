/* SPDX-License-Identifier: MIT */
/* Arguments of hsail.h that no caller should pass, and inputs that are hardly any: a status is the answer. */
#include "hsail/hsail.h"

#include "testsuite/tap.h"

#include <string.h>

int main(void)
{
    hsail_context_t *context;
    hsail_module_t *module;
    ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, "a context with the C library's memory");
    ok(hsail_context_create(NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(NULL, NULL, "", 0, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", 0, 8, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", SIZE_MAX, 0, &module) == HSAIL_STATUS_TOO_LARGE &&
           hsail_module_load(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_module_validate(context, NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_context_set_warning(context, "nothing") == HSAIL_STATUS_ARGUMENT,
       "arguments are checked");
    ok(hsail_assemble(context, NULL, NULL, 0, 0, &module) == HSAIL_STATUS_INVALID && !module, "no text at all");
    static const char nul[] = "module &m:1:0:$full:$large:$default;\0global_u32 &x;";
    ok(hsail_assemble(context, NULL, nul, sizeof nul - 1, 0, &module) == HSAIL_STATUS_INVALID, "a NUL is no end");
    hsail_module_destroy(NULL);
    hsail_context_destroy(context);
    hsail_context_destroy(NULL);
    ok(!strcmp(hsail_status_text(HSAIL_STATUS_OK), "success") && *hsail_version(), "words");
    return tap_done();
}
