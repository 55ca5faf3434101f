/* SPDX-License-Identifier: MIT */
/* Places in code, as reports, counts and traces write them. */
#ifndef RUNTIME_PLACE_TEXT_H
#define RUNTIME_PLACE_TEXT_H

#include "hsa/hsam.h"
#include "support/textbuf.h"

/* Adds "kernel+0x10, file.hsail:7", of what is known; PC stands for a function that is not. */
void place_text(const hsam_place *place, uint64_t pc, struct textbuf *text);

/* Adds MEMBER, the name of a symbol, to an object that has members already. If SYMBOL encodes a name of C++, adds
 * MEMBER_name, too: the name as people write it. */
void name_json(const char *member, const char *symbol, struct textbuf *json);

/* Adds the members function (as above), offset, file and line to an object that has members already, of what is known.
 */
void place_json(const hsam_place *place, struct textbuf *json);

/* Adds the member called, the lines of COUNT calls from the inside to the outside, unless there are none. */
void calls_json(const hsam_call *calls, size_t count, struct textbuf *json);

#endif
