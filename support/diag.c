/* SPDX-License-Identifier: MIT */
/* Diagnostics; see diag.h.
 * Input: rules, places and arguments. Output: messages in source order, as text or JSON. Invariant: a note stands
 * after what it explains, or is dropped with it. */
#include "support/diag.h"

#include <stdlib.h>

#define MESSAGE_BYTES 80u /* at most, of an argument that comes from the input */
#define LINE_BYTES 100u   /* at most, of a source line */
#define CARET_MARGIN 40u  /* before the caret when the line is clipped */

/* ---- Reporting ------------------------------------------------------------------------------------- */

static void add_arg(struct textbuf *text, const struct diag_arg *arg)
{
    switch (arg->kind) {
    case DIAG_ARG_STRING: textbuf_puts(text, arg->string); break;
    case DIAG_ARG_BYTES: textbuf_quote(text, arg->bytes, MESSAGE_BYTES); break;
    case DIAG_ARG_UNSIGNED: textbuf_printf(text, "%llu", (unsigned long long)arg->number); break;
    case DIAG_ARG_SIGNED: textbuf_printf(text, "%lld", (long long)arg->signed_number); break;
    case DIAG_ARG_CHAR: textbuf_printf(text, "%c", (int)arg->number); break;
    }
}

/* Returns the message, or the bare format when there is no memory for it. */
static const char *make_message(struct diag_list *list, const struct diag_rule *rule, unsigned count,
                                const struct diag_arg *args)
{
    struct textbuf text = {0};
    unsigned next = 0;
    for (const char *at = rule->format; *at;) {
        size_t plain = strcspn(at, "{");
        textbuf_add(&text, at, plain);
        at += plain;
        if (at[0] == '{' && at[1] == '}') {
            if (next < count)
                add_arg(&text, &args[next++]);
            at += 2;
        } else if (*at) {
            textbuf_add(&text, at++, 1);
        }
    }
    char *copy = text.failed ? NULL : arena_strndup(&list->memory, text.data ? text.data : "", text.size);
    textbuf_free(&text);
    if (!copy)
        list->out_of_memory = true;
    return copy ? copy : rule->format;
}

void diag_report_(struct diag_list *list, const struct diag_rule *rule, struct diag_place place, unsigned count,
                  const struct diag_arg *args)
{
    if (!list)
        return;
    enum diag_severity severity = list->adjust ? list->adjust(list->context, rule) : rule->severity;
    if (severity == DIAG_LINT)
        severity = DIAG_WARNING;
    if (severity == DIAG_WARNING && list->warnings_are_errors)
        severity = DIAG_ERROR;
    bool note = severity == DIAG_NOTE;
    if (note && (list->dropping_notes || !list->items.count))
        return;
    bool full = diag_full(list);
    list->errors += severity == DIAG_ERROR;
    list->warnings += severity == DIAG_WARNING;
    if (!note)
        list->dropping_notes = severity == DIAG_OFF || full;
    if (severity == DIAG_OFF || full)
        return;
    struct diag diag = {
        .rule = rule,
        .severity = severity,
        .place = place,
        .message = make_message(list, rule, count, args),
        .sort = note ? list->items.items[list->items.count - 1].sort : place,
        .serial = list->serial++,
    };
    if (!vec_push(&list->items, diag))
        list->out_of_memory = true;
}

static int compare_places(const void *left, const void *right)
{
    const struct diag *a = left, *b = right;
    if (a->sort.where != b->sort.where)
        return a->sort.where < b->sort.where ? -1 : 1;
    if (a->sort.order != b->sort.order)
        return a->sort.order < b->sort.order ? -1 : 1;
    if (a->sort.begin != b->sort.begin)
        return a->sort.begin < b->sort.begin ? -1 : 1;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

void diag_sort(struct diag_list *list)
{
    if (list->items.count)
        qsort(list->items.items, list->items.count, sizeof *list->items.items, compare_places);
}

void diag_list_free(struct diag_list *list)
{
    vec_free(&list->items);
    arena_free(&list->memory);
    list->errors = list->warnings = 0;
    list->out_of_memory = list->dropping_notes = false;
}

/* ---- Showing --------------------------------------------------------------------------------------- */

const char *diag_severity_name(enum diag_severity severity)
{
    static const char *const names[] = {"off", "note", "warning", "error", "lint"};
    return names[severity];
}

/* A line, clipped to a window around the caret, and LENGTH bytes of it underlined from the caret on; tabs stay so that
 * both line up. */
static void show_line(struct textbuf *out, struct bytes line, size_t caret, size_t length, bool colour)
{
    if (caret > line.size)
        return;
    size_t start = caret > LINE_BYTES - CARET_MARGIN ? caret - CARET_MARGIN : 0;
    size_t end = line.size - start > LINE_BYTES ? start + LINE_BYTES : line.size;
    if (length > end - caret)
        length = end - caret;
    const char *clip_left = start ? "..." : "", *clip_right = end < line.size ? "..." : "";
    textbuf_printf(out, "    %s", clip_left);
    for (size_t i = start; i < end; i++) {
        uint8_t c = line.data[i];
        textbuf_add(out, c == '\t' || (c >= 0x20 && c != 0x7f) ? &c : (const uint8_t *)"?", 1);
    }
    textbuf_printf(out, "%s\n    ", clip_right);
    textbuf_fill(out, ' ', strlen(clip_left));
    for (size_t i = start; i < caret; i++)
        textbuf_add(out, line.data[i] == '\t' ? "\t" : " ", 1);
    textbuf_puts(out, colour ? "\033[1;32m^" : "^");
    textbuf_fill(out, '~', length ? length - 1 : 0);
    textbuf_puts(out, colour ? "\033[0m\n" : "\n");
}

static void show_place(struct textbuf *out, const struct diag *diag, struct source *source, bool colour)
{
    const struct diag_place *place = &diag->place;
    const struct diag_excerpt *excerpt = &diag->excerpt;
    if (place->where == DIAG_IN_TEXT && source) {
        struct source_position position = source_position(source, (size_t)place->begin);
        if (position.line)
            show_line(out, source_line(source, position.line), position.column - 1, (size_t)(place->end - place->begin),
                      colour);
    } else if (excerpt->line) {
        show_line(out, (struct bytes){(const uint8_t *)excerpt->line, strlen(excerpt->line)}, excerpt->begin,
                  excerpt->end - excerpt->begin, colour);
    }
}

void diag_text(struct textbuf *out, const struct diag *diag, const char *name, struct source *source, bool colour)
{
    static const char *const colours[] = {"", "\033[1;36m", "\033[1;35m", "\033[1;31m"};
    const struct diag_place *place = &diag->place;
    const struct diag_origin *origin = &diag->origin;
    textbuf_puts(out, origin->line && *origin->file ? origin->file : name ? name : "<input>");
    if (place->where == DIAG_IN_TEXT && source) {
        struct source_position position = source_position(source, (size_t)place->begin);
        textbuf_printf(out, ":%zu:%zu", position.line, position.column);
    } else if (origin->line) {
        textbuf_printf(out, ":%u:%u", (unsigned)origin->line, (unsigned)origin->column);
    } else if (place->where == DIAG_IN_BINARY) {
        textbuf_printf(out, ": %s+0x%llx", place->section, (unsigned long long)place->begin);
    }
    textbuf_printf(out, ": %s%s:%s %s", colour ? colours[diag->severity] : "", diag_severity_name(diag->severity),
                   colour ? "\033[0m" : "", diag->message);
    if (diag->severity != DIAG_NOTE)
        textbuf_printf(out, " [%s]", diag->rule->id);
    if (*diag->rule->section)
        textbuf_printf(out, " (PRM %s)", diag->rule->section);
    textbuf_puts(out, "\n");
    show_place(out, diag, source, colour);
}

void diag_json(struct textbuf *out, const struct diag *diag, const char *name, struct source *source)
{
    const struct diag_place *place = &diag->place;
    if (!name)
        name = "<input>";
    textbuf_puts(out, "{\"file\":");
    textbuf_json(out, name, strlen(name));
    if (place->where == DIAG_IN_TEXT && source) {
        struct source_position begin = source_position(source, (size_t)place->begin);
        struct source_position end = source_position(source, (size_t)place->end);
        textbuf_printf(out, ",\"line\":%zu,\"column\":%zu,\"end_line\":%zu,\"end_column\":%zu", begin.line,
                       begin.column, end.line, end.column);
    } else if (place->where == DIAG_IN_BINARY) {
        textbuf_printf(out, ",\"brig_section\":\"%s\",\"offset\":%llu", place->section,
                       (unsigned long long)place->begin);
    }
    if (diag->excerpt.line) {
        textbuf_puts(out, ",\"entry\":");
        textbuf_json(out, diag->excerpt.line, strlen(diag->excerpt.line));
        textbuf_printf(out, ",\"column\":%u,\"end_column\":%u", diag->excerpt.begin + 1u, diag->excerpt.end + 1u);
    }
    if (diag->origin.line) {
        textbuf_puts(out, ",\"source\":");
        textbuf_json(out, diag->origin.file, strlen(diag->origin.file));
        textbuf_printf(out, ",\"source_line\":%u,\"source_column\":%u", (unsigned)diag->origin.line,
                       (unsigned)diag->origin.column);
    }
    textbuf_printf(out, ",\"severity\":\"%s\",\"id\":\"%s\",\"message\":", diag_severity_name(diag->severity),
                   diag->rule->id);
    textbuf_json(out, diag->message, strlen(diag->message));
    textbuf_printf(out, ",\"prm\":\"%s\"}\n", diag->rule->section);
}
