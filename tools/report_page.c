/* SPDX-License-Identifier: MIT */
/* The page that shows what was counted and found; see report_page.h.
 * Input: lines of JSON and texts, whatever they hold. Output: an HTML file. Invariant: the data are one JSON value in
 * which no `<` stands, so nothing in them ends the element that holds them or begins another. */
#include "config.h"

#include "tools/report_page.h"

#include "support/alloc.h"
#include "support/json_check.h"
#include "tools/report_page_text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WANTED = 1000, MOST_NAME = 255, MOST_SOURCE = 8 << 20 };

/* Appends text that is JSON already. A `<` in it can only be part of a string, and is replaced by its escape. */
static void add_json(struct textbuf *text, const char *json, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *less = memchr(json + at, '<', size - at);
        size_t piece = less ? (size_t)(less - json) - at : size - at;
        textbuf_add(text, json + at, piece);
        if (less)
            textbuf_puts(text, "\\u003c");
        at += piece + (less != NULL);
    }
}

/* Appends text as a JSON string. It stays in UTF-8; browsers show other bytes as unknown characters. */
static void add_string(struct textbuf *text, const char *string, size_t size)
{
    textbuf_puts(text, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)string[i];
        if (c < 0x20 || c == 0x7f || c == '<')
            textbuf_printf(text, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            textbuf_add(text, (const char[]){'\\', (char)c}, 2);
        else
            textbuf_add(text, string + i, 1);
    }
    textbuf_puts(text, "\"");
}

static const char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool is_among(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static char *copy_name(struct report_page *page, const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = mem_alloc(size);
    if (copy)
        memcpy(copy, name, size);
    else
        page->failed = true;
    return copy;
}

/* Remembers the value of each member "file". A value with escapes in it is ignored: no source has such a name. */
static void on_text(void *user, struct bytes name, struct bytes value)
{
    struct report_page *page = user;
    char file[MOST_NAME + 1];
    const uint8_t *start = value.data;
    if (name.size != 4 || memcmp(name.data, "file", 4) != 0 || page->wanted.count == MOST_WANTED)
        return;
    for (const uint8_t *at = value.data; at < value.data + value.size; at++)
        if (*at == '/')
            start = at + 1;
    size_t size = (size_t)(value.data + value.size - start);
    if (!size || size > MOST_NAME || memchr(start, '\\', size))
        return;
    memcpy(file, start, size);
    file[size] = '\0';
    if (!strcmp(file, "..") || !strcmp(file, ".") || is_among(page->wanted.items, page->wanted.count, file))
        return;
    char *copy = copy_name(page, file);
    if (copy && !vec_push(&page->wanted, copy))
        page->failed = true;
}

bool report_page_add_records(const struct cli_program *program, struct report_page *page, const char *name,
                             const void *data, size_t size)
{
    const char *at = data, *end = at + size;
    for (unsigned line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct bytes text = {(const uint8_t *)at, (size_t)((stop ? stop : end) - at)};
        at = stop ? stop + 1 : end;
        if (!text.size)
            continue;
        if (*text.data != '{' || !json_check(text, on_text, page)) {
            cli_error(program, "%s:%u: this is no JSON object, as the runtime writes them", name, line);
            return false;
        }
        textbuf_puts(&page->records, page->records.size ? ",\n" : "");
        add_json(&page->records, (const char *)text.data, text.size);
    }
    return true;
}

bool report_page_add_file(const struct cli_program *program, struct report_page *page, const char *name, size_t from)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file(program, name, &data, &size))
        return false;
    if (from > size)
        from = size;
    bool added = report_page_add_records(program, page, strcmp(name, "-") ? name : "<stdin>", data + from, size - from);
    mem_free(data);
    return added;
}

void report_page_add_source(struct report_page *page, const char *name, const void *data, size_t size, bool hsail)
{
    const char *base = base_name(name);
    if (is_among(page->given.items, page->given.count, base))
        return;
    char *copy = copy_name(page, base);
    if (!copy || !vec_push(&page->given, copy)) {
        page->failed = true;
        mem_free(copy);
        return;
    }
    textbuf_puts(&page->sources, page->sources.size ? ",\n{\"name\":" : "{\"name\":");
    add_string(&page->sources, base, strlen(base));
    textbuf_printf(&page->sources, ",\"hsail\":%s,\"text\":", hsail ? "true" : "false");
    add_string(&page->sources, data, size);
    textbuf_puts(&page->sources, "}");
}

/* Whether a file of that name has HSAIL text. */
static bool is_hsail(const char *name)
{
    size_t length = strlen(name);
    return length > 6 && !strcmp(name + length - 6, ".hsail");
}

static void add_source_file(struct report_page *page, const char *folder, const char *name)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return;
    FILE *file = fopen(path, "rbe");
    char *text = file ? mem_alloc(MOST_SOURCE) : NULL;
    if (text) {
        size_t size = fread(text, 1, MOST_SOURCE, file);
        if (!ferror(file) && size && size < MOST_SOURCE)
            report_page_add_source(page, name, text, size, is_hsail(name));
    }
    mem_free(text);
    if (file)
        fclose(file);
}

void report_page_find_sources(struct report_page *page, const char *folder)
{
    for (size_t i = 0; i < page->wanted.count; i++)
        if (!is_among(page->given.items, page->given.count, page->wanted.items[i]))
            add_source_file(page, folder, page->wanted.items[i]);
}

bool report_page_write(const struct cli_program *program, struct report_page *page, const char *title, const char *file)
{
    struct textbuf out = {0};
    for (size_t i = 0; i < sizeof page_before / sizeof *page_before; i++)
        textbuf_puts(&out, page_before[i]);
    textbuf_puts(&out, "{\"version\":\"" PACKAGE_VERSION "\",\"title\":");
    add_string(&out, title, strlen(title));
    textbuf_puts(&out, ",\"records\":[\n");
    textbuf_add(&out, page->records.data ? page->records.data : "", page->records.size);
    textbuf_puts(&out, "],\"sources\":[\n");
    textbuf_add(&out, page->sources.data ? page->sources.data : "", page->sources.size);
    textbuf_puts(&out, "]}\n");
    for (size_t i = 0; i < sizeof page_after / sizeof *page_after; i++)
        textbuf_puts(&out, page_after[i]);
    bool written = false;
    if (page->failed || page->records.failed || page->sources.failed || out.failed)
        cli_error(program, "not enough memory");
    else
        written = cli_write_file(program, file, out.data, out.size);
    textbuf_free(&out);
    return written;
}

void report_page_free(struct report_page *page)
{
    textbuf_free(&page->records);
    textbuf_free(&page->sources);
    for (size_t i = 0; i < page->wanted.count; i++)
        mem_free(page->wanted.items[i]);
    for (size_t i = 0; i < page->given.count; i++)
        mem_free(page->given.items[i]);
    vec_free(&page->wanted);
    vec_free(&page->given);
}
