/* SPDX-License-Identifier: MIT */
/* Verdicts: what the assembler and the checks say about a text or a module, and whether it survives printing. */
#ifndef TESTSUITE_VALIDATE_VERDICT_H
#define TESTSUITE_VALIDATE_VERDICT_H

#include "brig/diag_rule.h"
#include "brig/module.h"

struct verdict {
    bool accepted;
    const struct diag_rule *error; /* the first error; NULL if it was accepted */
    char message[160];             /* the message of the first error */
    uint8_t *module;               /* the module of a text that was assembled; verdict_free() frees it */
    size_t size;
};

/* Assembles, opens and validates, and looks for lint if asked to; what was found is in DIAG. */
enum brig_status check_findings(const char *text, bool lint, struct diag_list *diag);

/* The same, as a verdict. */
void check_text(const char *text, struct verdict *verdict);

/* Opens and validates a module, which still belongs to the caller. */
void check_module(struct bytes module, struct verdict *verdict);

void verdict_free(struct verdict *verdict);

/* Whether a refused module can be opened: then it only breaks rules of meaning, and can be printed. */
bool check_opens(struct bytes module);

/* Prints a module that can be opened. The caller frees the text with mem_free(); NULL if it cannot be printed. */
char *check_print(struct bytes module);

/* Turns an accepted module into text and back. Returns what goes wrong; NULL if nothing does. */
const char *check_round_trip(struct bytes module);

#endif
