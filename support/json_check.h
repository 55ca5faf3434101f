/* SPDX-License-Identifier: MIT */
/* Whether text is one JSON value, and the strings in it (RFC 8259). */
#ifndef SUPPORT_JSON_CHECK_H
#define SUPPORT_JSON_CHECK_H

#include "support/bytes.h"

/* Whether TEXT is one JSON value, not nested deeper than 64. For each member of an object whose value is a string,
 * ON_TEXT, which may be NULL, gets its name and that string, both as they are written between the quotes. */
bool json_check(struct bytes text, void (*on_text)(void *user, struct bytes name, struct bytes value), void *user);

#endif
