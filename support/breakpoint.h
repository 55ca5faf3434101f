/* SPDX-License-Identifier: MIT */
/* Breakpoints: where kernels are to stop. The tools and the runtime read the same words. */
#ifndef SUPPORT_BREAKPOINT_H
#define SUPPORT_BREAKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum breakpoint_kind {
    BREAKPOINT_START,    /* the first instruction of every kernel */
    BREAKPOINT_LINE,     /* NUMBER, in the file NAME unless that is empty */
    BREAKPOINT_PC,       /* NUMBER: an address, or an offset in any kernel */
    BREAKPOINT_FUNCTION, /* NUMBER bytes after the beginning of kernel or function NAME */
};

struct breakpoint {
    enum breakpoint_kind kind;
    char name[256];
    uint64_t number;
};

/* Reads "start", "12", "k.hsail:12", "0x40", "&k" or "k+0x40", of LENGTH characters. False if it is something else. */
bool breakpoint_parse(const char *text, size_t length, struct breakpoint *breakpoint);

#endif
