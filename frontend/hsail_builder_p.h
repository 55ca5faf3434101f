/* SPDX-License-Identifier: MIT */
/* The state of a builder of hsail/builder.h; private to the files that implement it. */
#ifndef FRONTEND_HSAIL_BUILDER_P_H
#define FRONTEND_HSAIL_BUILDER_P_H

#include "frontend/asm_p.h"
#include "frontend/hsail_p.h"
#include "hsail/builder.h"
#include "support/arena.h"
#include "support/textbuf.h"

/* Where the next statement goes. */
enum builder_place { IN_MODULE, IN_OUTPUTS, IN_INPUTS, IN_BODY, FINISHED };

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

/* An entry of a code block whose order was changed. The first node is no entry: it closes the list at both ends. */
struct hsail_node {
    uint32_t code; /* in hsa_code; ascending */
    uint32_t next, previous;
    uint32_t next_label, previous_label; /* of a label, and of the first node */
    bool is_label;
    bool in_arg_block; /* whether what follows it is */
};

struct hsail_builder_s {
    hsail_context_t *context;
    struct assembler as;
    struct asm_result result;
    struct diag_list list;
    struct arena memory; /* names, which symbols lead to */
    enum builder_place place;
    bool is_signature;
    hsail_status_t status;

    /* The code block: what was there before it, its virtual registers, and where statements go. */
    struct brig_mark body;
    size_t body_patches;
    uint32_t body_number;    /* of code blocks so far */
    VEC(uint8_t) registers;  /* their kinds */
    uint32_t first_register; /* number of the first of them */
    unsigned control_limit, register_limit;
    VEC(struct hsail_node) nodes;
    uint32_t noted;        /* end of the code that has nodes */
    uint32_t cursor;       /* the node after which statements go */
    uint32_t cursor_label; /* the label of the block that it is in, or NO_LABEL when not known */
    bool moved;

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

/* A call, for messages. */
#define CALL(what_, write_, ...) \
    &(const struct hsail_call){.what = what_, .write = write_ __VA_OPT__(, ) __VA_ARGS__}

#define IN(place) (1u << (place))
#define ANYWHERE (IN(IN_MODULE) | IN(IN_BODY))

/* Begins a statement that may stand in the PLACES, a sum of bits; false when it must not be made. */
bool hsail_builder_enter(hsail_builder_t *builder, unsigned places, const struct hsail_call *call,
                         const struct mem_hooks **before);

/* Ends a statement; the first failure is kept. hsail_builder_refuse() ends one with an argument that is not valid:
 * PROBLEM says which, and why.
 */
hsail_status_t hsail_builder_leave(hsail_builder_t *builder, const struct mem_hooks *before);
hsail_status_t hsail_builder_refuse(hsail_builder_t *builder, const struct mem_hooks *before, const char *problem);

/* Problems that several calls have. */
static const char no_name[] = "the name is NULL", no_operands[] = "the operands are NULL",
                  no_text[] = "an operand is not possible";

/* Prepares a statement that the assembler reads from text: HEAD, then OPERANDS. False when they are impossible. */
bool hsail_builder_set(hsail_builder_t *builder, const char *head, const hsail_operand_t *operands, unsigned count);

/* What a mnemonic means; NULL after an error. */
const struct asm_mnemonic *hsail_builder_mnemonic(hsail_builder_t *builder, const char *text);

/* hsail_cursor.c: around a code block. */
void hsail_builder_body_begin(hsail_builder_t *builder);
void hsail_builder_body_end(hsail_builder_t *builder);

/* Makes a name, or more, the text that spans refer to, and returns its span; empty for NULL or when memory is out. */
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
