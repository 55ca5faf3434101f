/* SPDX-License-Identifier: MIT */
/* Messages for people. Input: rows of message.def and their arguments. Output: lines on standard error, or nothing.
 * Invariant: nothing else in the runtime prints. */
#include "config.h"

#include "runtime/message.h"

#include "support/message_line.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum message_subject { QUEUES, LOADER, DRIVERS, TOOLS, CHECKS };

static const struct {
    const char *id, *text;
    enum message_subject subject;
} rows[MESSAGE_COUNT] = {
#define MESSAGE(name, id, subject, text) {id, text, subject},
#include "runtime/message.def"
#undef MESSAGE
};

/* Whether the environment asks for messages about SUBJECT. A user who names drivers in HSA_AGENT_DRIVERS, or tools in
 * HSA_TOOLS_LIB, is told about them unless the variable for their messages is 0; so is the user of a queue that stops.
 */
static bool message_wanted(enum message_subject subject)
{
    const char *wish = NULL;
    switch (subject) {
    case QUEUES: wish = secure_getenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE"); return !wish || strcmp(wish, "0") != 0;
    case LOADER:
        wish = secure_getenv("HSA_ENABLE_LOADER_MESSAGE");
        return wish && (!strcmp(wish, "1") || !strcmp(wish, "json"));
    case CHECKS: return true; /* HSA_GCN_CHECK asked for them */
    case DRIVERS: wish = secure_getenv("HSA_AGENT_DRIVERS_MESSAGE"); return !wish || strcmp(wish, "0") != 0;
    case TOOLS: wish = secure_getenv("HSA_TOOLS_REPORT_LOAD_FAILURE"); return !wish || strcmp(wish, "0") != 0;
    }
    return false;
}

bool message_queues_asked(void)
{
    const char *wish = secure_getenv("HSA_ENABLE_QUEUE_FAULT_MESSAGE");
    return wish && !strcmp(wish, "1");
}

void message_print(enum message message, ...)
{
    char text[2048];
    va_list arguments;
    if (!message_wanted(rows[message].subject))
        return;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, rows[message].text, arguments);
    va_end(arguments);
    const char *form = rows[message].subject == LOADER ? secure_getenv("HSA_ENABLE_LOADER_MESSAGE") : NULL;
    message_line_print((form && !strcmp(form, "json")) || message_line_json(), rows[message].id, text);
}
