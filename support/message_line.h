/* SPDX-License-Identifier: MIT */
/* The lines in which the runtime and its drivers say something on standard error. */
#ifndef SUPPORT_MESSAGE_LINE_H
#define SUPPORT_MESSAGE_LINE_H

#include <stdbool.h>

/* Whether HSA_MESSAGES_JSON asks for JSON on standard error. */
bool message_line_json(void);

/* Prints TEXT with its ID, as text or as an object of JSON; nothing if memory has run out. */
void message_line_print(bool json, const char *id, const char *text);

#endif
