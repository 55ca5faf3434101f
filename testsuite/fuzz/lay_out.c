/* SPDX-License-Identifier: MIT */
/* Fuzz target of the formatter and of HSAIL_LINES, for all text that assembles, valid or not; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include "hsail/rewriter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_module(const hsail_module_t *one, const hsail_module_t *two)
{
    return hsail_module_size(one) == hsail_module_size(two) &&
           !memcmp(hsail_module_data(one), hsail_module_data(two), hsail_module_size(one));
}

/* The formatted text must assemble to the same module, and must not change when it is formatted again. */
static void check_format(struct fuzz_session *session, const hsail_module_t *module, const uint8_t *data, size_t size)
{
    struct fuzz_text text = {0}, twice = {0};
    hsail_module_t *again = NULL;
    hsail_status_t status = hsail_format(session->context, NULL, data, size, HSAIL_NO_VALIDATION, fuzz_keep, &text);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "not laid out: %s", hsail_status_text(status));
        status = hsail_assemble(session->context, "laid out", text.data, text.size, HSAIL_NO_VALIDATION, &again);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(status == HSAIL_STATUS_OK && same_module(module, again), "not the same when laid out:\n%s",
                       text.data);
        status = hsail_format(session->context, NULL, text.data, text.size, HSAIL_NO_VALIDATION, fuzz_keep, &twice);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(
                status == HSAIL_STATUS_OK && text.size == twice.size && !memcmp(text.data, twice.data, text.size),
                "laid out again:\n%s\nfrom\n%s", twice.data ? twice.data : "", text.data);
    }
    hsail_module_destroy(again);
    free(text.data);
    free(twice.data);
}

/* What HSAIL_LINES added to a module, and whether the text had loc directives itself. */
struct lines {
    char name[40]; /* of the file in the directives that HSAIL_LINES adds */
    bool has_own;
};

/* Drops the loc directives of code blocks. */
static hsail_rewrite_t drop_lines(void *user, const hsail_statement_t *statement)
{
    struct lines *lines = user;
    if (statement->place != HSAIL_AT_ENTRY || !statement->executable.code ||
        statement->entry.kind != HSA_BRIG_KIND_DIRECTIVE_LOC)
        return HSAIL_REWRITE_KEEP;
    lines->has_own |= strcmp(statement->entry.name.data, lines->name) != 0;
    return HSAIL_REWRITE_DROP;
}

/* HSAIL_LINES only adds lines; if the text has loc directives itself, it adds nothing. The name of the file depends on
 * the text: libFuzzer puts what it sees compared into later texts, so a constant name would come up in the text. */
static void check_lines(struct fuzz_session *session, const hsail_module_t *module, const uint8_t *data, size_t size)
{
    hsail_module_t *with = NULL, *without = NULL;
    hsail_reader_t *reader = NULL;
    struct lines lines = {0};
    snprintf(lines.name, sizeof lines.name, "text %016" PRIx64, fuzz_choice(data, size));
    hsail_status_t status =
        hsail_assemble(session->context, lines.name, data, size, HSAIL_NO_VALIDATION | HSAIL_LINES, &with);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "lines: %s", hsail_status_text(status));
        status = hsail_reader_open_module(session->context, with, &reader);
    }
    if (!fuzz_no_memory(session, status))
        status = hsail_rewrite(session->context, NULL, reader, drop_lines, &lines, HSAIL_NO_VALIDATION, &without);
    if (!fuzz_no_memory(session, status))
        FUZZ_CHECK(status == HSAIL_STATUS_OK && same_module(module, lines.has_own ? with : without),
                   "lines change more");
    hsail_reader_destroy(reader);
    hsail_module_destroy(with);
    hsail_module_destroy(without);
}

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_module_t *module = NULL;
    hsail_status_t status = hsail_assemble(session->context, NULL, data, size, HSAIL_NO_VALIDATION, &module);
    if (!fuzz_no_memory(session, status) && status == HSAIL_STATUS_OK) {
        check_format(session, module, data, size);
        check_lines(session, module, data, size);
    }
    hsail_module_destroy(module);
}

void fuzz_format(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
