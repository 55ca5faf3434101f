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

/* How many bytes of DATA are a character of UTF-8, which becomes *CODE; 0: they begin with none. */
static size_t utf8_character(const uint8_t *data, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length =
        data[0] < 0x80             ? 1
        : (data[0] & 0xe0) == 0xc0 ? 2
        : (data[0] & 0xf0) == 0xe0 ? 3
        : (data[0] & 0xf8) == 0xf0 ? 4
                                   : 0;
    if (!length || length > size)
        return 0;
    *code = length == 1 ? data[0] : data[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((data[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (data[i] & 0x3f);
    }
    return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : length;
}

void textbuf_json(struct textbuf *text, const void *data, size_t size)
{
    const uint8_t *at = data;
    textbuf_puts(text, "\"");
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code;
        length = utf8_character(at + i, size - i, &code);
        if (!length) {
            length = 1;
            code = 0xfffd; /* stands for a byte that is no text */
        }
        if (code == '"' || code == '\\')
            textbuf_printf(text, "\\%c", (int)code);
        else if (code >= 0x10000)
            textbuf_printf(text, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
        else if (code < 0x20 || code >= 0x7f)
            textbuf_printf(text, "\\u%04x", code);
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
