/* SPDX-License-Identifier: MIT */
/* HSAIL text to BRIG (PRM 4, 18, 19). */
#ifndef FRONTEND_ASM_H
#define FRONTEND_ASM_H

#include "brig/language.h"
#include "brig/module.h"
#include "support/diag.h"

/* Where a code entry came from in the text. */
struct asm_position {
    uint32_t code; /* offset in hsa_code */
    uint32_t text; /* offset of the statement's first byte */
};

struct asm_result {
    uint8_t *module; /* aligned to 16; the caller's to mem_free(); NULL after an error */
    size_t size;
    uint64_t referred;                  /* of the builder, for brig_open_built() */
    VEC(struct asm_position) positions; /* in ascending order; free with asm_result_free() */
    bool cut; /* a kernel or function was left in the middle: its formal arguments are not all there */
};

/* Assembles the SIZE bytes at TEXT; TEXT[SIZE] must be readable and 0. What is wrong is reported to DIAG, in no
 * particular order: sort it. The module is well formed but not validated. Returns BRIG_OK, BRIG_INVALID,
 * BRIG_OUT_OF_MEMORY or BRIG_TOO_LARGE. Linear time. */
enum brig_status asm_text(const char *text, size_t size, struct diag_list *diag, struct asm_result *result);

/* The same; but after BRIG_INVALID, RESULT has what could be made of the text, if anything: statements with errors are
 * left out, so a finding in it may be the consequence of an earlier one. DIAG must not be NULL. */
enum brig_status asm_text_partly(const char *text, size_t size, struct diag_list *diag, struct asm_result *result);

void asm_result_free(struct asm_result *result);

/* The range of the text that a part of the entry at CODE came from. */
struct diag_place asm_place_in_text(const struct asm_result *result, const char *text, size_t size, uint32_t code,
                                    const hsa_brig_base_t *entry, struct diag_part part);

/* Where in the text the statement of the entry at CODE begins; 0 when it has none. */
uint32_t asm_statement_at(const struct asm_result *result, uint32_t code);

/* Appends a mnemonic with its modifiers as they are written, in brackets when they may be left out. */
void asm_list_modifiers(struct textbuf *text, const struct lang_op *op);

#endif
