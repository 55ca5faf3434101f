/* SPDX-License-Identifier: MIT */
/* Reading DWARF: bytes that are read once, from the front, and may be anything. */
#ifndef RUNTIME_DWARF_H
#define RUNTIME_DWARF_H

#include "support/bytes.h"

/* After the end, or a failure, all bytes are 0. */
struct dwarf_cursor {
    struct bytes left;
    bool failed;
};

static inline struct bytes dwarf_range(struct dwarf_cursor *c, uint64_t size)
{
    struct bytes taken = bytes_slice(c->left, 0, size);
    if (size > c->left.size) {
        c->failed = true;
        c->left.size = 0;
        return (struct bytes){NULL, 0};
    }
    c->left.data += size;
    c->left.size -= size;
    return taken;
}

static inline uint64_t dwarf_number(struct dwarf_cursor *c, unsigned size)
{
    uint64_t value = 0;
    struct bytes taken = dwarf_range(c, size);
    if (taken.size)
        memcpy(&value, taken.data, taken.size);
    return value;
}

/* Takes a LEB128 number. With SIGN it is signed: the bits above its highest one repeat its sign. */
static inline uint64_t dwarf_leb(struct dwarf_cursor *c, bool sign)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)dwarf_number(c, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (sign && byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    return value;
}

static inline const char *dwarf_text(struct dwarf_cursor *c)
{
    const char *text = (const char *)c->left.data;
    size_t length = c->left.size ? strnlen(text, c->left.size) : 0;
    dwarf_range(c, length + 1);
    return c->failed ? "" : text;
}

/* A cursor from OFFSET of SECTION on; it has failed if that is not inside. */
static inline struct dwarf_cursor dwarf_at(struct bytes section, uint64_t offset)
{
    struct dwarf_cursor c = {.left = section};
    dwarf_range(&c, offset);
    return c;
}

/* The string at OFFSET; "" when nothing terminates it. */
static inline const char *dwarf_text_at(struct bytes section, uint64_t offset)
{
    struct dwarf_cursor c = dwarf_at(section, offset);
    return offset < section.size ? dwarf_text(&c) : "";
}

/* Forms of attributes that both tables of lines and those of variables have. */
enum {
    DWARF_FORM_DATA2 = 0x05,
    DWARF_FORM_DATA4 = 0x06,
    DWARF_FORM_DATA8 = 0x07,
    DWARF_FORM_STRING = 0x08,
    DWARF_FORM_BLOCK = 0x09,
    DWARF_FORM_DATA1 = 0x0b,
    DWARF_FORM_STRP = 0x0e,
    DWARF_FORM_UDATA = 0x0f,
    DWARF_FORM_DATA16 = 0x1e,
    DWARF_FORM_LINE_STRP = 0x1f,
};

#endif
