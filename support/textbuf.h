/* SPDX-License-Identifier: MIT */
/* Growing text. An allocation failure is kept: later additions do nothing and textbuf_failed() tells. */
#ifndef SUPPORT_TEXTBUF_H
#define SUPPORT_TEXTBUF_H

#include "support/bytes.h"

#include <stdarg.h>

/* Zero-initialised is empty and valid. DATA is ended by a NUL as soon as anything was added. */
struct textbuf {
    char *data;
    size_t size, capacity;
    bool failed;
};

void textbuf_add(struct textbuf *text, const void *data, size_t size);
void textbuf_puts(struct textbuf *text, const char *string);
void textbuf_fill(struct textbuf *text, char character, size_t count);
__attribute__((format(printf, 2, 3))) void textbuf_printf(struct textbuf *text, const char *format, ...);

/* Bytes from outside, safe for a terminal: printable ASCII as it is, the rest as \xNN, and no more than LIMIT
 * bytes of them, with "..." when some were left out. */
void textbuf_quote(struct textbuf *text, struct bytes bytes, size_t limit);

/* Bytes as a JSON string with its quotes; bytes from 0x80 count as Latin-1. */
void textbuf_json(struct textbuf *text, const void *data, size_t size);

/* Empties it, keeping the memory; forgets a failure. */
void textbuf_clear(struct textbuf *text);

void textbuf_free(struct textbuf *text);

#endif
