/* SPDX-License-Identifier: MIT */
/* The state of a rewrite and the calls between its files; private to those that implement hsail/rewriter.h. */
#ifndef FRONTEND_HSAIL_REWRITE_P_H
#define FRONTEND_HSAIL_REWRITE_P_H

#include "brig/mnemonic.h"
#include "frontend/hsail_builder_p.h"
#include "frontend/hsail_reader_p.h"
#include "hsail/rewriter.h"

/* A mnemonic as text, and the types that its operands are to have. */
struct rewrite_mnemonic {
    struct brig_key key; /* zero in a free slot */
    uint16_t vector;     /* elements of the vector operand, which no key holds */
    uint16_t type[LANG_MAX_OPERANDS];
    bool narrow; /* addresses have 32 bits */
    char text[HSAIL_MNEMONIC_SIZE];
};

#define REWRITE_MNEMONICS 512u /* a power of two */

struct rewrite {
    const hsail_reader_t *reader;
    const struct brig_view *view;
    hsail_rewrite_callback_t callback;
    void *user;
    hsail_statement_t statement;
    struct arena memory; /* of the statement */
    unsigned statements; /* since the memory was released */
    struct rewrite_mnemonic *mnemonics;
    bool out_of_memory, stopped;
};

/* hsail_rewrite_operand.c: operands as the builder takes them; they live as long as the statement. */
const struct rewrite_mnemonic *rewrite_mnemonic(struct rewrite *rewrite, uint32_t code);
hsail_operand_t *rewrite_operands(struct rewrite *rewrite, uint32_t code, const struct rewrite_mnemonic *mnemonic,
                                  uint32_t *count);
hsail_operand_t rewrite_initializer(struct rewrite *rewrite, const hsa_brig_directive_variable_t *variable);

#endif
