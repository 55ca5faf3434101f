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

struct hsail_builder_s {
    hsail_context_t *context;
    struct assembler as;
    struct asm_result result;
    struct diag_list list;
    struct arena memory; /* names, which symbols lead to */
    enum place place;
    bool is_signature;
    hsail_status_t status;
};

static const struct span nothing = {0, 0};

/* A name, or more, as the text that spans are in; empty for NULL or when memory is out. */
struct span hsail_builder_text(hsail_builder_t *builder, const char *text);

/* hsail_operand.c: operand INDEX of an instruction; 0 when it is not possible there or an error was reported. */
uint32_t hsail_builder_operand(hsail_builder_t *builder, const hsail_operand_t *operand,
                               const struct asm_mnemonic *mnemonic, unsigned index);

/* Writes the text of an operand that is no address, vector or list of names; false when there is none. */
bool hsail_builder_write(struct textbuf *text, const hsail_operand_t *operand);

#endif
