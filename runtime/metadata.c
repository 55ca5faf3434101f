/* SPDX-License-Identifier: MIT */
/* The metadata of a code object: a MessagePack document in a note.
 *
 * Input: bytes of any content. Output: what it says about each kernel.
 * Invariant: the cursor never leaves the document; a document that is cut off, nested too deeply or of
 * another shape than expected just says less. (LLVM AMDGPU guide, "Code Object V3 Metadata" and later) */
#include "runtime/code_object.h"

enum { DEPTH_MAX = 16 };

struct cursor {
    const uint8_t *at, *end;
    bool bad;
};

enum kind { OTHER, UNSIGNED, BOOLEAN, TEXT, ARRAY, MAP };

/* One object's head: scalars are complete, of arrays and maps the elements follow. */
struct item {
    enum kind kind;
    uint64_t number; /* the value, or the count of elements or pairs */
    struct bytes text;
};

static uint64_t take(struct cursor *c, size_t bytes)
{
    uint64_t value = 0;
    if ((size_t)(c->end - c->at) < bytes) {
        c->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | *c->at++; /* big-endian */
    return value;
}

static struct item take_bytes(struct cursor *c, enum kind kind, uint64_t length)
{
    if ((uint64_t)(c->end - c->at) < length) {
        c->bad = true;
        return (struct item){OTHER};
    }
    struct item item = {kind, length, {c->at, (size_t)length}};
    c->at += length;
    return item;
}

static struct item next(struct cursor *c)
{
    uint8_t head = (uint8_t)take(c, 1);
    if (c->bad)
        return (struct item){OTHER};
    if (head <= 0x7f)
        return (struct item){UNSIGNED, head};
    if (head <= 0x8f)
        return (struct item){MAP, head & 15};
    if (head <= 0x9f)
        return (struct item){ARRAY, head & 15};
    if (head <= 0xbf)
        return take_bytes(c, TEXT, head & 31);
    switch (head) {
    case 0xc2:
    case 0xc3: return (struct item){BOOLEAN, head & 1};
    case 0xc4:
    case 0xc5:
    case 0xc6: /* binary */ return take_bytes(c, OTHER, take(c, (size_t)1 << (head - 0xc4)));
    case 0xc7:
    case 0xc8:
    case 0xc9: /* extension: length, type, data */ return take_bytes(c, OTHER, take(c, (size_t)1 << (head - 0xc7)) + 1);
    case 0xca: return take_bytes(c, OTHER, 4);
    case 0xcb: return take_bytes(c, OTHER, 8);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf: return (struct item){UNSIGNED, take(c, (size_t)1 << (head - 0xcc))};
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: /* signed: no key of interest is negative */ return take_bytes(c, OTHER, (uint64_t)1 << (head - 0xd0));
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8: /* extension of fixed size */ return take_bytes(c, OTHER, ((uint64_t)1 << (head - 0xd4)) + 1);
    case 0xd9:
    case 0xda:
    case 0xdb: return take_bytes(c, TEXT, take(c, (size_t)1 << (head - 0xd9)));
    case 0xdc:
    case 0xdd: return (struct item){ARRAY, take(c, (size_t)2 << (head - 0xdc))};
    case 0xde:
    case 0xdf: return (struct item){MAP, take(c, (size_t)2 << (head - 0xde))};
    default: /* nil, and negative numbers of one byte */ return (struct item){OTHER};
    }
}

/* Passes over the elements of an item whose head has been read. */
static void skip(struct cursor *c, struct item item, int depth)
{
    if (item.kind != ARRAY && item.kind != MAP)
        return;
    if (depth == DEPTH_MAX) {
        c->bad = true;
        return;
    }
    uint64_t count = item.kind == MAP ? item.number * 2 : item.number;
    for (uint64_t i = 0; i < count && !c->bad; i++)
        skip(c, next(c), depth + 1);
}

static bool is_key(struct item item, const char *key)
{
    return item.kind == TEXT && item.text.size == strlen(key) && !memcmp(item.text.data, key, item.text.size);
}

static uint32_t as_u32(struct item item)
{
    return item.number > UINT32_MAX ? UINT32_MAX : (uint32_t)item.number;
}

/* One element of amdhsa.kernels. */
static void read_kernel(struct cursor *c, uint64_t pairs,
                        void (*set)(struct bytes symbol, const struct kernel_info *info, void *data), void *data)
{
    struct kernel_info info = {.kernarg_align = 16, .wavefront_size = 64};
    struct bytes symbol = {NULL, 0};
    for (uint64_t i = 0; i < pairs && !c->bad; i++) {
        struct item key = next(c), value = next(c);
        if (is_key(key, ".symbol") && value.kind == TEXT)
            symbol = value.text;
        else if (is_key(key, ".kernarg_segment_size") && value.kind == UNSIGNED)
            info.kernarg_size = as_u32(value);
        else if (is_key(key, ".kernarg_segment_align") && value.kind == UNSIGNED && value.number > 16 &&
                 value.number <= 4096 && is_power_of_two(value.number))
            info.kernarg_align = as_u32(value);
        else if (is_key(key, ".group_segment_fixed_size") && value.kind == UNSIGNED)
            info.group_size = as_u32(value);
        else if (is_key(key, ".private_segment_fixed_size") && value.kind == UNSIGNED)
            info.private_size = as_u32(value);
        else if (is_key(key, ".wavefront_size") && value.kind == UNSIGNED)
            info.wavefront_size = as_u32(value);
        else if (is_key(key, ".uses_dynamic_stack") && value.kind == BOOLEAN)
            info.dynamic_stack = value.number;
        skip(c, key, 0);
        skip(c, value, 0);
    }
    if (symbol.data && !c->bad)
        set(symbol, &info, data);
}

void metadata_kernels(struct bytes note, void (*set)(struct bytes symbol, const struct kernel_info *info, void *data),
                      void *data)
{
    struct cursor c = {note.data, note.data + note.size, false};
    struct item top = next(&c);
    for (uint64_t i = 0; top.kind == MAP && i < top.number && !c.bad; i++) {
        struct item key = next(&c), value = next(&c);
        bool kernels = is_key(key, "amdhsa.kernels") && value.kind == ARRAY;
        skip(&c, key, 0);
        if (!kernels)
            skip(&c, value, 0);
        for (uint64_t j = 0; kernels && j < value.number && !c.bad; j++) {
            struct item kernel = next(&c);
            if (kernel.kind == MAP)
                read_kernel(&c, kernel.number, set, data);
            else
                skip(&c, kernel, 0);
        }
    }
}
