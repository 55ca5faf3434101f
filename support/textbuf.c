/* SPDX-License-Identifier: MIT */
/* Text that grows; see textbuf.h.
 * Input: pieces of text. Output: the pieces one after the other. Invariant: if data is not NULL, capacity is greater
 * than size. */
#include "support/textbuf.h"

#include "support/alloc.h"

#include <stdio.h>

static bool reserve(struct textbuf *text, size_t more)
{
    if (text->failed)
        return false;
    if (more < text->capacity - text->size)
        return true;
    size_t want = text->capacity ? text->capacity + text->capacity / 2 : 256, need;
    if (__builtin_add_overflow(text->size, more, &need) || need == SIZE_MAX) {
        text->failed = true;
        return false;
    }
    if (want <= need)
        want = need + 1;
    char *data = mem_realloc(text->data, want);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = want;
    return true;
}

void textbuf_add(struct textbuf *text, const void *data, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void textbuf_puts(struct textbuf *text, const char *string)
{
    textbuf_add(text, string, strlen(string));
}

void textbuf_fill(struct textbuf *text, char character, size_t count)
{
    if (!reserve(text, count))
        return;
    memset(text->data + text->size, character, count);
    text->size += count;
    text->data[text->size] = '\0';
}

void textbuf_printf(struct textbuf *text, const char *format, ...)
{
    char small[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if ((size_t)length < sizeof small) {
        textbuf_add(text, small, (size_t)length);
        return;
    }
    if (!reserve(text, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(text->data + text->size, (size_t)length + 1, format, args);
    va_end(args);
    text->size += (size_t)length;
}

void textbuf_quote(struct textbuf *text, struct bytes bytes, size_t limit)
{
    size_t count = bytes.size < limit ? bytes.size : limit;
    for (size_t i = 0; i < count; i++) {
        uint8_t c = bytes.data[i];
        if (c >= 0x20 && c < 0x7f)
            textbuf_add(text, &c, 1);
        else
            textbuf_printf(text, "\\x%02x", c);
    }
    if (count < bytes.size)
        textbuf_puts(text, "...");
}

void textbuf_json(struct textbuf *text, const void *data, size_t size)
{
    const uint8_t *at = data;
    textbuf_puts(text, "\"");
    for (size_t i = 0; i < size; i++) {
        if (at[i] == '"' || at[i] == '\\')
            textbuf_printf(text, "\\%c", at[i]);
        else if (at[i] < 0x20 || at[i] >= 0x7f)
            textbuf_printf(text, "\\u%04x", at[i]);
        else
            textbuf_add(text, &at[i], 1);
    }
    textbuf_puts(text, "\"");
}

void textbuf_json_member(struct textbuf *json, const char *name, const char *value)
{
    textbuf_printf(json, ",\"%s\":", name);
    textbuf_json(json, value, strlen(value));
}

void textbuf_clear(struct textbuf *text)
{
    text->size = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

void textbuf_free(struct textbuf *text)
{
    mem_free(text->data);
    *text = (struct textbuf){0};
}
