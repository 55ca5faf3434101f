/* SPDX-License-Identifier: MIT */
/* A text that grows. After an allocation has failed, later additions do nothing, and textbuf_failed() says so. */
#ifndef SUPPORT_TEXTBUF_H
#define SUPPORT_TEXTBUF_H

#include "support/bytes.h"

#include <stdarg.h>

/* A zero-initialised buffer is empty and valid. As soon as anything has been added, a NUL follows the text. */
struct textbuf {
    char *data;
    size_t size, capacity;
    bool failed;
};

void textbuf_add(struct textbuf *text, const void *data, size_t size);
void textbuf_puts(struct textbuf *text, const char *string);
void textbuf_fill(struct textbuf *text, char character, size_t count);
__attribute__((format(printf, 2, 3))) void textbuf_printf(struct textbuf *text, const char *format, ...);

/* Adds bytes from outside so that a terminal can show them: printable ASCII as it is, other bytes as \xNN. Of more than
 * LIMIT bytes, the first LIMIT and "..." are added. */
void textbuf_quote(struct textbuf *text, struct bytes bytes, size_t limit);

/* Adds bytes as a JSON string with its quotes; bytes from 0x80 on are taken for Latin-1. */
void textbuf_json(struct textbuf *text, const void *data, size_t size);

/* Adds ,"NAME":"VALUE" with VALUE as such a string. */
void textbuf_json_member(struct textbuf *json, const char *name, const char *value);

/* Empties the buffer, keeps its memory, and forgets a failure. */
void textbuf_clear(struct textbuf *text);

void textbuf_free(struct textbuf *text);

#endif
