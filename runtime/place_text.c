/* SPDX-License-Identifier: MIT */
/* Writes places in code; see place_text.h.
 * Input: a place, parts of which may not be known. Output: text, or members of JSON, of those that are. Invariant: what
 * is not known leaves nothing behind. */
#include "runtime/place_text.h"

#include "runtime/demangle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void place_text(const hsam_place *place, uint64_t pc, struct textbuf *text)
{
    char name[DEMANGLED_NAME];
    if (*place->function)
        textbuf_printf(text, "%s+0x%" PRIx64, demangle(place->function, name), place->offset);
    else
        textbuf_printf(text, "0x%" PRIx64, pc);
    if (*place->file)
        textbuf_printf(text, ", %s:%u", place->file, place->line);
}

void name_json(const char *member, const char *symbol, struct textbuf *json)
{
    char name[DEMANGLED_NAME], readable[32];
    textbuf_json_member(json, member, symbol);
    if (!strcmp(demangle(symbol, name), symbol))
        return;
    snprintf(readable, sizeof readable, "%s_name", member);
    textbuf_json_member(json, readable, name);
}

void place_json(const hsam_place *place, struct textbuf *json)
{
    if (*place->function) {
        name_json("function", place->function, json);
        textbuf_printf(json, ",\"offset\":%" PRIu64, place->offset);
    }
    if (*place->file) {
        textbuf_json_member(json, "file", place->file);
        textbuf_printf(json, ",\"line\":%u", place->line);
    }
}

void calls_json(const hsam_call *calls, size_t count, struct textbuf *json)
{
    for (size_t i = 0; i < count; i++) {
        textbuf_puts(json, i ? ",{\"file\":" : ",\"called\":[{\"file\":");
        textbuf_json(json, calls[i].file, strlen(calls[i].file));
        textbuf_printf(json, ",\"line\":%u}", calls[i].line);
    }
    textbuf_puts(json, count ? "]" : "");
}
