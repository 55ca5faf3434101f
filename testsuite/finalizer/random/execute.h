/* SPDX-License-Identifier: MIT */
/* What the files of execute_test share: they make statements of a kernel for each mnemonic of syntax.def. */
#ifndef TESTSUITE_FINALIZER_RANDOM_EXECUTE_H
#define TESTSUITE_FINALIZER_RANDOM_EXECUTE_H

#include "testsuite/finalizer/random/random.h"
#include "testsuite/validate/syntax.h"

/* A kernel that is being made. */
struct execute {
    struct random random;
    struct random_text out;
    unsigned offset; /* where the next result goes in the work-item's output */
};

/* Whether all operands of the row are values, so that random_operands() can write them. */
bool execute_is_of_values(const struct syntax_row *row);

/* Writes lines that execute the mnemonic of ROW and store its results; false if these functions cannot do so. */
bool execute_statement(struct execute *e, const struct syntax_row *row, const char *mnemonic);

/* The same for a mnemonic with an address, across lanes, about the dispatch or of control flow. */
bool execute_other(struct execute *e, const struct syntax_row *row, const char *mnemonic);

bool execute_control(struct execute *e, const struct syntax_row *row, const char *mnemonic);

/* Stores register NAME ("$s3") as the next result. */
void execute_store(struct execute *e, const char *name);

/* Writes variables and the beginning of a kernel, which puts values into registers 0 to 7 of each kind. */
void execute_begin(struct execute *e, const char *name);
void execute_module(struct random_text *out);

#endif
