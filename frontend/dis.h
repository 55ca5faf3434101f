/* SPDX-License-Identifier: MIT */
/* BRIG to HSAIL text (PRM 4, 18, 19). */
#ifndef FRONTEND_DIS_H
#define FRONTEND_DIS_H

#include "brig/module.h"
#include "frontend/number.h"
#include "support/textbuf.h"

enum dis_status { DIS_OK, DIS_OUT_OF_MEMORY, DIS_SINK };

/* How statements are laid out. */
enum dis_layout {
    DIS_TABS,    /* as HSAILasm of the HSA Foundation does */
    DIS_READABLE /* for format_text() to lay out as people write it */
};

/* Prints a module that brig_open() accepted. SINK gets the text in pieces; a result other than 0 ends the output and
 * gives DIS_SINK. The text assembles to an equivalent module; to equal bytes when asm_text() made it. */
enum dis_status dis_module(const struct brig_view *view, enum number_style style, enum dis_layout layout,
                           int (*sink)(void *user, const void *data, size_t size), void *user);

/* Prints the entry of hsa_code at CODE alone, of a kernel or function its head, of a variable all but the value.
 * OUT gets one line. False when memory is out. */
bool dis_entry(const struct brig_view *view, uint32_t code, struct textbuf *out);

/* Prints the mnemonic of the instruction at CODE with its modifiers. False when memory is out. */
bool dis_mnemonic(const struct brig_view *view, uint32_t code, struct textbuf *out);

#endif
