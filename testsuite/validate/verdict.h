/* SPDX-License-Identifier: MIT */
/* What the assembler and the checks say of a text or of a module, and whether it survives printing. */
#ifndef TESTSUITE_VALIDATE_VERDICT_H
#define TESTSUITE_VALIDATE_VERDICT_H

#include "brig/diag_rule.h"
#include "brig/module.h"

struct verdict {
    bool accepted;
    const struct diag_rule *error; /* the first; NULL when accepted */
    char message[160];             /* of it */
    uint8_t *module;               /* of a text that the assembler took; verdict_free() ends it */
    size_t size;
};

/* Assembles, opens and validates, and looks for lint if asked to; what was found is in DIAG. */
enum brig_status check_findings(const char *text, bool lint, struct diag_list *diag);

/* The same with a verdict. */
void check_text(const char *text, struct verdict *verdict);

/* Opens and validates; the module stays the caller's. */
void check_module(struct bytes module, struct verdict *verdict);

void verdict_free(struct verdict *verdict);

/* Whether a refused module was opened: only the rules of meaning were broken, so it can be printed. */
bool check_opens(struct bytes module);

/* Prints a module that opens. NULL when it cannot; else the caller's to mem_free(). */
char *check_print(struct bytes module);

/* What is wrong with the way from an accepted module to text and back; NULL when nothing. */
const char *check_round_trip(struct bytes module);

#endif
