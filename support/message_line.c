/* SPDX-License-Identifier: MIT */
/* Messages on standard error.
 *
 * Input: texts, and what the environment says of their form. Output: lines. Invariant: a line is written in one piece.
 */
#define _GNU_SOURCE
#include "support/message_line.h"

#include "support/textbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool message_line_json(void)
{
    const char *wish = secure_getenv("HSA_MESSAGES_JSON");
    return wish && !strcmp(wish, "1");
}

void message_line_print(bool json, const char *id, const char *text)
{
    struct textbuf line = {0};
    if (json) {
        textbuf_puts(&line, "{\"kind\":\"error\",\"tool\":\"hsa\"");
        textbuf_json_member(&line, "id", id);
        textbuf_json_member(&line, "text", text);
        textbuf_puts(&line, "}");
    } else {
        textbuf_printf(&line, "hsa: %s [%s]", text, id);
    }
    if (!line.failed)
        fprintf(stderr, "%s\n", line.data);
    textbuf_free(&line);
}
