/* SPDX-License-Identifier: MIT */
/* Input files of hsailfin and hsailrun: HSAIL text, BRIG or a code object, told apart by their first bytes. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "support/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum input_kind { INPUT_BRIG, INPUT_CODE };

struct input {
    const char *name; /* as on the command line */
    enum input_kind kind;
    uint8_t *data; /* BRIG, validated, or an ELF file */
    size_t size;
    double assemble_time; /* seconds, for text and BRIG: assembly and validation */
};

/* Reads the file NAME, `-` for standard input; text becomes BRIG, and BRIG is validated. Prints diagnostics and
 * returns false when the file cannot be used; *INPUT is then still for input_free(). */
bool input_read(const struct cli_program *program, const char *name, struct input *input);

/* Gives back the data; a zeroed input is fine. */
void input_free(struct input *input);

#endif
