/* SPDX-License-Identifier: MIT */
/* Fuzz target of the structural and the semantic check; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

/* The verdict on DATA with errors counted; -1 when memory was out. */
static int verdict(struct fuzz_session *session, const uint8_t *data, size_t size, size_t most_errors)
{
    hsail_module_t *module;
    session->errors = session->warnings = 0;
    hsail_context_set_max_errors(session->context, most_errors);
    hsail_status_t status = hsail_module_load(session->context, "fuzz.brig", data, size, 0, &module);
    if (fuzz_no_memory(session, status))
        return -1;
    bool valid = status == HSAIL_STATUS_OK;
    FUZZ_CHECK(valid ? module && !session->errors
                     : status == HSAIL_STATUS_INVALID && !module && (session->errors || session->failing),
               "%s with %zu errors", hsail_status_text(status), session->errors);
    hsail_module_destroy(module);
    return valid;
}

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_module_t *module;
    int valid = verdict(session, data, size, 0);
    size_t errors = session->errors, warnings = session->warnings;
    if (valid < 0)
        return;
    int again = verdict(session, data, size, 0);
    FUZZ_CHECK(again < 0 || session->failing || (errors == session->errors && warnings == session->warnings),
               "%zu errors, then %zu", errors, session->errors);
    FUZZ_CHECK(again < 0 || again == valid, "another verdict");
    again = verdict(session, data, size, 1);
    FUZZ_CHECK(again < 0 || again == valid, "another verdict when one error is enough");
    hsail_status_t status = hsail_module_load(session->context, NULL, data, size, HSAIL_NO_VALIDATION, &module);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK || !valid, "valid, but not sound");
        if (module)
            status = hsail_module_validate(session->context, NULL, module);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK((status == HSAIL_STATUS_OK) == valid, "another verdict in two steps");
    }
    hsail_module_destroy(module);
    status = hsail_context_set_warning(session->context, "lint");
    again = fuzz_no_memory(session, status) ? -1 : verdict(session, data, size, 0);
    FUZZ_CHECK(again < 0 || again == valid, "another verdict with the lint");
    status = hsail_context_set_warning(session->context, "no-lint");
    FUZZ_CHECK(status == HSAIL_STATUS_OK, "the lint cannot be switched off");
    status = hsail_context_set_warning(session->context, "error");
    again = fuzz_no_memory(session, status) ? -1 : verdict(session, data, size, 0);
    FUZZ_CHECK(again < 0 || session->failing || again == (valid && !warnings), "warnings as errors: %d", again);
}

void fuzz_validate(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
