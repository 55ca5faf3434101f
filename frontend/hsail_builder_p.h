/* SPDX-License-Identifier: MIT */
/* What is behind a builder of hsail/builder.h; private to the files that implement it. */
#ifndef FRONTEND_HSAIL_BUILDER_P_H
#define FRONTEND_HSAIL_BUILDER_P_H

#include "frontend/asm_p.h"
#include "frontend/hsail_p.h"
#include "hsail/builder.h"
#include "support/arena.h"
#include "support/textbuf.h"

/* Where the next statement goes. */
enum place { IN_MODULE, IN_OUTPUTS, IN_INPUTS, IN_BODY, FINISHED };

/* A call as it was made, for messages. What its pointers lead to is the caller's, and may be anything. */
struct hsail_call {
    const char *what; /* for messages: "a label" */
    void (*write)(struct textbuf *text, const struct hsail_call *call);
    const char *word; /* before the name; NULL: nothing */
    const char *end;  /* of the statement; NULL: a semicolon */
    const char *name; /* of what it makes, or the mnemonic */
    const hsail_operand_t *operands;
    unsigned count, flags;
    uint32_t number[2]; /* version, line and column */
    const char *texts[3];
    const hsail_shape_t *shape;
    uint32_t segment, type;
    bool is_variable, needs_name;
};

/* hsail_statement.c: how statements are written. */
void hsail_text_name(struct textbuf *text, const struct hsail_call *call);
void hsail_text_word(struct textbuf *text, const struct hsail_call *call);
void hsail_text_operands(struct textbuf *text, const struct hsail_call *call);
void hsail_text_location(struct textbuf *text, const struct hsail_call *call);
void hsail_text_module(struct textbuf *text, const struct hsail_call *call);
void hsail_text_definition(struct textbuf *text, const struct hsail_call *call);

struct hsail_builder_s {
    hsail_context_t *context;
    struct assembler as;
    struct asm_result result;
    struct diag_list list;
    struct arena memory; /* names, which symbols lead to */
    enum place place;
    bool is_signature;
    hsail_status_t status;

    /* Messages: the call that is going on, findings that were given their place, the latest loc, the first error. */
    const struct hsail_call *call;
    size_t findings;
    uint32_t line, column; /* 0: there was none; its file is the assembler's */
    bool has_error;
    struct diag error;
    struct hsail_shown shown;
    hsail_diagnostic_t public_error;
};

static const struct span nothing = {0, 0};

/* A name, or more, as the text that spans are in; empty for NULL or when memory is out. */
struct span hsail_builder_text(hsail_builder_t *builder, const char *text);

/* hsail_statement.c: gives new findings the call's statement and place; keeps the first error, or that there is a
 * STATUS without one. */
void hsail_builder_place_findings(hsail_builder_t *builder);
void hsail_builder_keep(hsail_builder_t *builder, const struct diag *diag, const char *name);
void hsail_builder_keep_status(hsail_builder_t *builder);

/* hsail_operand.c: operand INDEX of an instruction; 0 when it is not possible there or an error was reported. */
uint32_t hsail_builder_operand(hsail_builder_t *builder, const hsail_operand_t *operand,
                               const struct asm_mnemonic *mnemonic, unsigned index);

/* Writes the text of an operand that is no address, vector or list of names; false when there is none. */
bool hsail_builder_write(struct textbuf *text, const hsail_operand_t *operand);

#endif
