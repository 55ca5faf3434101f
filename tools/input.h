/* SPDX-License-Identifier: MIT */
/* Input files of hsailfin and hsailrun: HSAIL text, BRIG or a code object, told apart by their first bytes. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "hsail/hsail.h"
#include "support/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *name;       /* as on the command line */
    hsail_module_t *module; /* validated; NULL for a code object */
    uint8_t *code;          /* an ELF file, not looked at any further; NULL for a module */
    size_t code_size;
    bool lines;           /* set by the caller: add loc directives to text that has none */
    double assemble_time; /* seconds that assembly and validation took */
};

/* Reads the file NAME, `-` for standard input. Prints diagnostics and returns false when the file cannot be used;
 * *INPUT is then still for input_free(). */
bool input_read(const struct cli_program *program, const char *name, struct input *input);

/* Prints a diagnostic on the stream USER, for the callbacks of hsail/hsail.h; as JSON if messages are JSON. */
void input_print_diagnostic(void *user, const hsail_diagnostic_t *diagnostic);

/* Gives back what it holds; a zeroed input is fine. */
void input_free(struct input *input);

#endif
