/* SPDX-License-Identifier: MIT */
/* Diagnostics, which the libraries find and their callers show.
 *
 * Each diagnostic is an instance of a rule: a row of a table, with an id and the section of the document that states
 * the rule. A list collects diagnostics and sorts them by their places. It owns its memory; diag_list_free() releases
 * it. Only one thread at a time may use a list. */
#ifndef SUPPORT_DIAG_H
#define SUPPORT_DIAG_H

#include "support/arena.h"
#include "support/source.h"
#include "support/textbuf.h"

enum diag_severity {
    DIAG_OFF, /* only returned by diag_list.adjust */
    DIAG_NOTE,
    DIAG_WARNING,
    DIAG_ERROR,
    DIAG_LINT /* only of a rule: a warning that is off unless it is asked for */
};

struct diag_rule {
    const char *id;      /* stable, lower case with hyphens */
    const char *format;  /* each {} takes the next argument */
    const char *section; /* section of the PRM, or "" */
    const char *manual;  /* one sentence for the manual */
    enum diag_severity severity;
};

/* A part of an entry of a binary, in numbers that the code that knows the entries gives. Zero is the whole entry. */
struct diag_part {
    uint8_t kind, index;
    uint16_t element;
};

/* Where something was found: in a range of a text, at a place in a section of a binary, or at no place. */
struct diag_place {
    enum { DIAG_NOWHERE, DIAG_IN_TEXT, DIAG_IN_BINARY } where;
    const char *section;   /* DIAG_IN_BINARY: name of the section, a constant string */
    uint32_t order;        /* DIAG_IN_BINARY: position of the section among the others, for sorting */
    struct diag_part part; /* DIAG_IN_BINARY */
    uint64_t begin, end;   /* byte offsets; END may equal BEGIN */
};

static inline struct diag_place diag_in_text(uint64_t begin, uint64_t end)
{
    return (struct diag_place){.where = DIAG_IN_TEXT, .begin = begin, .end = end};
}

/* An entry of a binary as a line of text, and the columns of the part that is meant, counted from 0. */
struct diag_excerpt {
    const char *line; /* NULL: none */
    uint32_t begin, end;
};

/* Where a statement comes from, as the input itself says. */
struct diag_origin {
    const char *file; /* "" if the input does not say it */
    uint32_t line;    /* 0: no origin */
    uint32_t column;
};

struct diag {
    const struct diag_rule *rule;
    enum diag_severity severity;
    struct diag_place place;
    const char *message;         /* ended by a NUL */
    struct diag_place sort;      /* the place it is sorted by; a note has that of the finding it explains */
    struct diag_excerpt excerpt; /* the entry at the place, if the place is not in a text */
    struct diag_origin origin;
    uint64_t serial; /* number in the order of reporting */
};

struct diag_list {
    VEC(struct diag) items;
    size_t limit;            /* how many errors are kept; 0: all */
    size_t errors, warnings; /* how many were reported, including those that were not kept */
    bool warnings_are_errors;
    bool out_of_memory; /* a diagnostic was lost */
    /* Optional: returns the severity that the caller wants for a rule; DIAG_OFF drops its diagnostics. */
    enum diag_severity (*adjust)(void *context, const struct diag_rule *rule);
    void *context;
    uint64_t serial;
    bool dropping_notes; /* the finding that they explain was dropped */
    struct arena memory;
};

/* An argument of a message. */
struct diag_arg {
    enum { DIAG_ARG_STRING, DIAG_ARG_BYTES, DIAG_ARG_UNSIGNED, DIAG_ARG_SIGNED, DIAG_ARG_CHAR } kind;
    union {
        const char *string;
        struct bytes bytes; /* shown in quotes and shortened; see textbuf_quote() */
        uint64_t number;
        int64_t signed_number;
    };
};

static inline struct diag_arg diag_arg_string(const char *s)
{
    return (struct diag_arg){.kind = DIAG_ARG_STRING, .string = s ? s : "?"};
}
static inline struct diag_arg diag_arg_bytes(struct bytes b)
{
    return (struct diag_arg){.kind = DIAG_ARG_BYTES, .bytes = b};
}
static inline struct diag_arg diag_arg_unsigned(uint64_t n)
{
    return (struct diag_arg){.kind = DIAG_ARG_UNSIGNED, .number = n};
}
static inline struct diag_arg diag_arg_signed(int64_t n)
{
    return (struct diag_arg){.kind = DIAG_ARG_SIGNED, .signed_number = n};
}
static inline struct diag_arg diag_arg_char(char c)
{
    return (struct diag_arg){.kind = DIAG_ARG_CHAR, .number = (uint8_t)c};
}

#define DIAG_ARG_(x)                                                                                          \
    _Generic((x), char *: diag_arg_string, const char *: diag_arg_string, struct bytes: diag_arg_bytes,       \
        char: diag_arg_char, int: diag_arg_signed, long: diag_arg_signed, long long: diag_arg_signed,         \
        bool: diag_arg_unsigned, unsigned char: diag_arg_unsigned, unsigned short: diag_arg_unsigned,         \
        unsigned: diag_arg_unsigned, unsigned long: diag_arg_unsigned, unsigned long long: diag_arg_unsigned)(x)

/* The number of the arguments, and the arguments, each of them converted. */
#define DIAG_PICK_(a, b, c, d, e, n, ...) n
#define DIAG_COUNT_(...) DIAG_PICK_(__VA_ARGS__ __VA_OPT__(, ) 5, 4, 3, 2, 1, 0, )
#define DIAG_ARGS_0() {0}
#define DIAG_ARGS_1(a) DIAG_ARG_(a)
#define DIAG_ARGS_2(a, b) DIAG_ARG_(a), DIAG_ARG_(b)
#define DIAG_ARGS_3(a, b, c) DIAG_ARG_(a), DIAG_ARG_(b), DIAG_ARG_(c)
#define DIAG_ARGS_4(a, b, c, d) DIAG_ARG_(a), DIAG_ARG_(b), DIAG_ARG_(c), DIAG_ARG_(d)
#define DIAG_ARGS_5(a, b, c, d, e) DIAG_ARG_(a), DIAG_ARG_(b), DIAG_ARG_(c), DIAG_ARG_(d), DIAG_ARG_(e)
#define DIAG_PASTE_(n) DIAG_ARGS_##n
#define DIAG_CHOOSE_(n) DIAG_PASTE_(n)

/* Reports an instance of RULE (const struct diag_rule *) at PLACE with up to five arguments: strings, struct bytes
 * and integers. LIST may be NULL. A rule of severity note explains the diagnostic that was reported last. */
#define diag_report(list, rule, place, ...)                                                                   \
    diag_report_(list, rule, place, DIAG_COUNT_(__VA_ARGS__),                                                 \
                 (const struct diag_arg[]){DIAG_CHOOSE_(DIAG_COUNT_(__VA_ARGS__))(__VA_ARGS__)})
void diag_report_(struct diag_list *list, const struct diag_rule *rule, struct diag_place place, unsigned count,
                  const struct diag_arg *args);

/* Whether the limit of errors is reached, so that it is useless to look for more. LIST may be NULL. */
static inline bool diag_full(const struct diag_list *list)
{
    return list && list->limit && list->errors >= list->limit;
}

/* Sorts the diagnostics by place. Those at one place keep the order in which they were reported. */
void diag_sort(struct diag_list *list);

/* Appends a diagnostic as text: `name:line:column: error: message [id] (PRM 4.5)`. If its place is in a text, or it has
 * an excerpt, the line and a caret below follow. SOURCE may be NULL if the place is not in a text; then the text begins
 * with the origin if there is one, else with NAME. */
void diag_text(struct textbuf *out, const struct diag *diag, const char *name, struct source *source, bool colour);

/* Appends a diagnostic as one JSON object and a newline. */
void diag_json(struct textbuf *out, const struct diag *diag, const char *name, struct source *source);

const char *diag_severity_name(enum diag_severity severity);

void diag_list_free(struct diag_list *list);

#endif
