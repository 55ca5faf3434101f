/* SPDX-License-Identifier: MIT */
/* Fuzz target of the assembler, whose verdict must be the same in whatever way it is asked for; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include <stdlib.h>
#include <string.h>

static bool same_module(const hsail_module_t *one, const hsail_module_t *two)
{
    return hsail_module_size(one) == hsail_module_size(two) &&
           !memcmp(hsail_module_data(one), hsail_module_data(two), hsail_module_size(one));
}

/* A module made from text must be printed as text that assembles to the same bytes, in any style of numbers. */
static void check_printed(struct fuzz_session *session, const hsail_module_t *module, hsail_float_t style)
{
    struct fuzz_text text = {0};
    hsail_module_t *again = NULL;
    hsail_status_t status = hsail_disassemble(session->context, module, style, fuzz_keep, &text);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "not printed: %s", hsail_status_text(status));
        status = hsail_assemble(session->context, "printed", text.data, text.size, 0, &again);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(status == HSAIL_STATUS_OK && same_module(module, again), "not the same when printed:\n%s",
                       text.data);
    }
    hsail_module_destroy(again);
    free(text.data);
}

/* The formatted text must assemble to the same module, and must not change when it is formatted again. */
static void check_formatted(struct fuzz_session *session, const hsail_module_t *module, const uint8_t *data,
                            size_t size)
{
    struct fuzz_text text = {0}, twice = {0};
    hsail_module_t *again = NULL;
    hsail_status_t status = hsail_format(session->context, NULL, data, size, 0, fuzz_keep, &text);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "not laid out: %s", hsail_status_text(status));
        status = hsail_assemble(session->context, "laid out", text.data, text.size, 0, &again);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(status == HSAIL_STATUS_OK && same_module(module, again), "not the same when laid out:\n%s",
                       text.data);
        status = hsail_format(session->context, NULL, text.data, text.size, 0, fuzz_keep, &twice);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(text.size == twice.size && !memcmp(text.data, twice.data, text.size),
                       "laid out again:\n%s\nfrom\n%s", twice.data, text.data);
    }
    hsail_module_destroy(again);
    free(text.data);
    free(twice.data);
}

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_module_t *module = NULL, *unchecked = NULL, *loaded = NULL;
    hsail_status_t status = hsail_assemble(session->context, "fuzz.hsail", data, size, 0, &module);
    if (fuzz_no_memory(session, status))
        return;
    bool valid = status == HSAIL_STATUS_OK;
    FUZZ_CHECK(valid ? module && !session->errors
                     : status == HSAIL_STATUS_INVALID && !module && (session->errors || session->failing),
               "assembled: %s, %zu errors", hsail_status_text(status), session->errors);
    status = hsail_assemble(session->context, NULL, data, size, HSAIL_NO_VALIDATION, &unchecked);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(!valid || (status == HSAIL_STATUS_OK && same_module(module, unchecked)), "validation changes it");
        if (unchecked)
            status = hsail_module_load(
                session->context, "fuzz.brig", hsail_module_data(unchecked), hsail_module_size(unchecked), 0, &loaded);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK((status == HSAIL_STATUS_OK) == valid, "as text %s, as BRIG not", valid ? "valid" : "invalid");
    }
    if (valid) {
        check_printed(session, module, (hsail_float_t)(fuzz_choice(data, size) / 16 % 3));
        check_formatted(session, module, data, size);
    }
    hsail_module_destroy(loaded);
    hsail_module_destroy(unchecked);
    hsail_module_destroy(module);
}

void fuzz_text(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
