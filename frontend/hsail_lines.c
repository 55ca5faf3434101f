/* SPDX-License-Identifier: MIT */
/* Adds the lines of the text to a module whose text has no line numbers itself: HSAIL_LINES of hsail/hsail.h.
 * Input: a module, and where in the text each of its statements came from. Output: the module with a loc before the
 * first statement of each line of a code block, as if the text had it. Invariant: nothing else changes. */
#include "frontend/hsail_p.h"

#include "hsail/rewriter.h"

struct pass {
    const struct asm_result *result;
    const char *text, *name;
    uint32_t at, line; /* the place in the text up to which lines have been counted, and its line */
    uint32_t told;     /* the line of the last loc */
    bool in_body;
    bool has_own; /* the text has a loc in a code block */
};

static uint32_t line_of(struct pass *pass, uint32_t code)
{
    uint32_t at = asm_statement_at(pass->result, code);
    for (; pass->at < at; pass->at++)
        pass->line += pass->text[pass->at] == '\n';
    return pass->line;
}

/* Whether ENTRY gets a loc: not what runs no code, and not what begins a block, as a loc before that would not belong
 * to the block. */
static bool wants_line(const hsail_entry_t *entry)
{
    return entry->kind != HSA_BRIG_KIND_DIRECTIVE_LABEL && entry->kind != HSA_BRIG_KIND_DIRECTIVE_COMMENT &&
           entry->kind != HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START &&
           entry->kind != HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END;
}

static hsail_rewrite_t add_line(void *user, const hsail_statement_t *statement)
{
    struct pass *pass = user;
    if (statement->place != HSAIL_AT_ENTRY)
        pass->in_body = statement->place == HSAIL_AT_BODY;
    else if (pass->in_body && statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_LOC)
        pass->has_own = true;
    else if (pass->in_body && wants_line(&statement->entry)) {
        uint32_t line = line_of(pass, statement->entry.code);
        if (line != pass->told)
            hsail_builder_location(statement->builder, line, 1, pass->name);
        pass->told = line;
    }
    return pass->has_own ? HSAIL_REWRITE_STOP : HSAIL_REWRITE_KEEP;
}

hsail_status_t hsail_add_lines(const hsail_context_t *context, const char *name, const char *text,
                               const struct asm_result *result, hsail_module_t **module)
{
    hsail_context_t quiet = *context; /* the text has been reported on already */
    struct pass pass = {.result = result, .text = text, .name = name ? name : "<input>", .line = 1};
    hsail_reader_t *reader;
    hsail_module_t *made;
    hsail_context_set_diagnostics(&quiet, NULL, NULL);
    hsail_status_t status = hsail_reader_open_module(&quiet, *module, &reader);
    if (status != HSAIL_STATUS_OK)
        return status;
    status = hsail_rewrite(&quiet, name, reader, add_line, &pass, HSAIL_NO_VALIDATION, &made);
    hsail_reader_destroy(reader);
    if (status == HSAIL_STATUS_OK) {
        hsail_module_destroy(*module);
        *module = made;
    }
    return pass.has_own ? HSAIL_STATUS_OK : status;
}
