/* SPDX-License-Identifier: MIT */
/* The canonical layout of HSAIL text. */
#ifndef FRONTEND_FORMAT_H
#define FRONTEND_FORMAT_H

#include "support/textbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* Lays TEXT out, which assembles, is SIZE bytes long and is followed by a NUL. OUT gets the same tokens and comments in
 * the same order, so it assembles to the same module, and laid out again it stays as it is. False when memory is out.
 * Time is linear. */
bool format_text(const char *text, size_t size, struct textbuf *out);

#endif
