/* SPDX-License-Identifier: MIT */
/* Fuzz target of printing: it prints whatever can be opened; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include <stdlib.h>
#include <string.h>

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_module_t *module = NULL, *again = NULL;
    struct fuzz_text text = {0}, same = {0};
    hsail_float_t style = (hsail_float_t)(fuzz_choice(data, size) / 16 % 3);
    hsail_layout_t layout = (hsail_layout_t)(fuzz_choice(data, size) / 48 % 2);
    hsail_status_t status = hsail_module_load(session->context, NULL, data, size, HSAIL_NO_VALIDATION, &module);
    if (!fuzz_no_memory(session, status) && status == HSAIL_STATUS_OK) {
        status = hsail_disassemble_as(session->context, module, style, layout, fuzz_keep, &text);
        if (!fuzz_no_memory(session, status)) {
            FUZZ_CHECK(status == HSAIL_STATUS_OK && text.size, "not printed: %s", hsail_status_text(status));
            status = hsail_disassemble_as(session->context, module, style, layout, fuzz_keep, &same);
            if (!fuzz_no_memory(session, status))
                FUZZ_CHECK(text.size == same.size && !memcmp(text.data, same.data, text.size), "another text");
            /* Text of a module that breaks rules may be refused; it must not do harm. */
            if (text.size < 1u << 20)
                fuzz_no_memory(session, hsail_assemble(session->context, "printed", text.data, text.size,
                                                       HSAIL_NO_VALIDATION, &again));
        }
    }
    hsail_module_destroy(again);
    hsail_module_destroy(module);
    free(text.data);
    free(same.data);
}

void fuzz_disassemble(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
