/* SPDX-License-Identifier: MIT */
/* The legal mnemonics of syntax.def, and text made from them. Knows nothing of brig/. */
#ifndef TESTSUITE_VALIDATE_SYNTAX_H
#define TESTSUITE_VALIDATE_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of struct syntax_row.since. */
enum { V10 = 0, V12 = 2, ONLY_1_0 = 255 };

/* The four kinds of modules. */
enum syntax_world { SYNTAX_FULL_LARGE, SYNTAX_FULL_SMALL, SYNTAX_BASE_LARGE, SYNTAX_BASE_SMALL, SYNTAX_WORLDS };

struct syntax_row {
    const char *mnemonics; /* a pattern */
    const char *operands;
    uint8_t since; /* minor version of HSAIL, or ONLY_1_0 */
    uint8_t gate;  /* the sum of 1 << enum syntax_world for the kinds of modules that have it */
};

extern const struct syntax_row syntax_rows[];
extern const size_t syntax_row_count;

/* How many mnemonics a pattern stands for, and the INDEX-th of them; a # becomes some number. */
uint64_t syntax_count(const char *pattern);
void syntax_expand(const char *pattern, uint64_t index, char *text, size_t size);

bool syntax_matches(const char *pattern, const char *text);

/* Whether one of the mnemonics of a pattern begins with TEXT. */
bool syntax_begins(const char *pattern, const char *text);

/* Whether a pattern is of this opcode; how many alternatives it has for opcodes is in *OPCODES. */
bool syntax_is_of(const char *pattern, const char *opcode, unsigned *opcodes);

/* Whether modules of HSAIL 1:MINOR have the mnemonics of a row. */
bool syntax_has(const struct syntax_row *row, unsigned minor);

/* The row that makes a mnemonic legal in a module of HSAIL 1:MINOR, or NULL. */
const struct syntax_row *syntax_find(const char *mnemonic, enum syntax_world world, unsigned minor);

/* The INDEX-th type at the end of a mnemonic, from 1; empty when there is none. */
void syntax_type(const char *mnemonic, unsigned index, char *type, size_t size);

/* A statement with this mnemonic and suitable operands. VARIANT chooses among registers, constants, forms of addresses
 * and the like; with VARIANT 0 all sources are registers. */
void syntax_statement(const struct syntax_row *row, const char *mnemonic, enum syntax_world world, unsigned variant,
                      char *text, size_t size);

/* The NUMBER-th statement that differs from a legal one in an operand. It must get one of the findings in the list,
 * which blanks separate. TEXT is empty if that operand cannot be wrong in this way. False after the last. */
bool syntax_wrong_operand(const struct syntax_row *row, const char *mnemonic, enum syntax_world world, unsigned number,
                          char *text, size_t size, const char **ids);

/* The NUMBER-th mnemonic that differs in a word from this one; it may be legal too. False after the last. */
bool syntax_wrong_mnemonic(const char *mnemonic, unsigned number, char *text, size_t size);

/* A module that holds STATEMENTS: those that use formal arguments in a function, the others in a kernel. */
void syntax_module(enum syntax_world world, unsigned minor, const char *in_kernel, const char *in_function, char *text,
                   size_t size);

/* Whether a statement has to stand in a function. */
bool syntax_in_function(const char *mnemonic);

#endif
