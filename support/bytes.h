/* SPDX-License-Identifier: MIT */
/* Little-endian loads and stores at any alignment, and bounds-checked ranges of untrusted bytes. */
#ifndef SUPPORT_BYTES_H
#define SUPPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a little-endian host is assumed"
#endif

#define BYTES_LOAD_STORE_(bits)                                      \
    static inline uint##bits##_t load##bits(const void *from)        \
    {                                                                \
        uint##bits##_t value;                                        \
        memcpy(&value, from, sizeof value);                          \
        return value;                                                \
    }                                                                \
    static inline void store##bits(void *to, uint##bits##_t value)   \
    {                                                                \
        memcpy(to, &value, sizeof value);                            \
    }
BYTES_LOAD_STORE_(16)
BYTES_LOAD_STORE_(32)
BYTES_LOAD_STORE_(64)

/* A range of bytes that somebody else owns. */
struct bytes {
    const uint8_t *data;
    size_t size;
};

/* Whether [offset, offset + length) lies inside SIZE bytes. Computed without overflow. */
static inline bool range_inside(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

/* The sub-range, or {NULL, 0} if it does not lie inside the range. */
static inline struct bytes bytes_slice(struct bytes whole, uint64_t offset, uint64_t length)
{
    if (!range_inside(offset, length, whole.size))
        return (struct bytes){NULL, 0};
    return (struct bytes){whole.data + offset, (size_t)length};
}

/* Whether the range holds exactly the characters of TEXT. An empty range holds "". */
static inline bool bytes_are_text(struct bytes bytes, const char *text)
{
    size_t length = strlen(text);
    return bytes.size == length && (!length || memcmp(bytes.data, text, length) == 0);
}

/* VALUE rounded up to a multiple of ALIGN, a power of two. The caller makes sure that this does not overflow. */
static inline uint64_t align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

static inline bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

#endif
