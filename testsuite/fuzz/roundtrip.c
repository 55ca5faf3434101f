/* SPDX-License-Identifier: MIT */
/* Fuzz target of printing and assembling: a valid module must be printed as text that assembles to an equivalent
 * module, which is valid, too; and so must its copy by a rewrite. See fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include "hsail/rewriter.h"
#include "testsuite/brig/equivalent.h"

#include <stdlib.h>

static void check_equivalent(const hsail_module_t *one, const hsail_module_t *two, const char *text)
{
    struct brig_view left, right;
    char why[256] = "";
    FUZZ_CHECK(brig_open(hsail_module_data(one), hsail_module_size(one), NULL, &left) == BRIG_OK &&
                   brig_open(hsail_module_data(two), hsail_module_size(two), NULL, &right) == BRIG_OK,
               "a module that cannot be opened");
    FUZZ_CHECK(brig_equivalent(&left, &right, why, sizeof why), "%s\n%s", why, text);
}

/* A module that was made from text must be printed as text that assembles to the same bytes. */
static void check_stable(struct fuzz_session *session, const hsail_module_t *module, hsail_float_t style,
                         hsail_layout_t layout)
{
    hsail_module_t *again = NULL;
    struct fuzz_text text = {0};
    hsail_status_t status = hsail_disassemble_as(session->context, module, style, layout, fuzz_keep, &text);
    if (!fuzz_no_memory(session, status))
        status = hsail_assemble(session->context, "printed again", text.data, text.size, 0, &again);
    if (!fuzz_no_memory(session, status))
        FUZZ_CHECK(status == HSAIL_STATUS_OK && hsail_module_size(module) == hsail_module_size(again) &&
                       !memcmp(hsail_module_data(module), hsail_module_data(again), hsail_module_size(again)),
                   "other bytes when printed again:\n%s", text.data);
    hsail_module_destroy(again);
    free(text.data);
}

/* A copy must be equivalent, too. */
static void check_copy(struct fuzz_session *session, const hsail_module_t *module, const char *text)
{
    hsail_reader_t *reader = NULL;
    hsail_module_t *copy = NULL;
    hsail_status_t status = hsail_reader_open_module(session->context, module, &reader);
    if (!fuzz_no_memory(session, status))
        status = hsail_rewrite(session->context, "copied", reader, NULL, NULL, 0, &copy);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "valid, but its copy is not:\n%s", text);
        check_equivalent(module, copy, text);
    }
    hsail_module_destroy(copy);
    hsail_reader_destroy(reader);
}

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_module_t *module = NULL, *again = NULL;
    struct fuzz_text text = {0};
    hsail_float_t style = (hsail_float_t)(fuzz_choice(data, size) / 16 % 3);
    hsail_layout_t layout = (hsail_layout_t)(fuzz_choice(data, size) / 48 % 2);
    hsail_status_t status = hsail_module_load(session->context, NULL, data, size, 0, &module);
    if (!fuzz_no_memory(session, status) && status == HSAIL_STATUS_OK)
        status = hsail_disassemble_as(session->context, module, style, layout, fuzz_keep, &text);
    if (!fuzz_no_memory(session, status) && module) {
        status = hsail_assemble(session->context, "printed", text.data, text.size, 0, &again);
        if (!fuzz_no_memory(session, status)) {
            FUZZ_CHECK(status == HSAIL_STATUS_OK, "valid, but its text is not:\n%s", text.data);
            check_equivalent(module, again, text.data);
            check_stable(session, again, style, layout);
            check_copy(session, module, text.data);
        }
    }
    hsail_module_destroy(again);
    hsail_module_destroy(module);
    free(text.data);
}

void fuzz_roundtrip(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
