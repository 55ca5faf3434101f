/* SPDX-License-Identifier: MIT */
/* Reading MessagePack; see msgpack.h.
 * Input: bytes of any content. Output: items. Invariant: nothing outside the cursor's bytes is read, and nesting is
 * bounded. */
#include "support/msgpack.h"

enum { DEPTH_MAX = 16 };

static uint64_t msgpack_take(struct msgpack_cursor *c, size_t bytes)
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

static struct msgpack_item take_bytes(struct msgpack_cursor *c, enum msgpack_kind kind, uint64_t length)
{
    if ((uint64_t)(c->end - c->at) < length) {
        c->bad = true;
        return (struct msgpack_item){MSGPACK_OTHER};
    }
    struct msgpack_item item = {kind, length, {c->at, (size_t)length}};
    c->at += length;
    return item;
}

struct msgpack_item msgpack_next(struct msgpack_cursor *c)
{
    uint8_t head = (uint8_t)msgpack_take(c, 1);
    if (c->bad)
        return (struct msgpack_item){MSGPACK_OTHER};
    if (head <= 0x7f)
        return (struct msgpack_item){MSGPACK_UNSIGNED, head};
    if (head <= 0x8f)
        return (struct msgpack_item){MSGPACK_MAP, head & 15};
    if (head <= 0x9f)
        return (struct msgpack_item){MSGPACK_ARRAY, head & 15};
    if (head <= 0xbf)
        return take_bytes(c, MSGPACK_TEXT, head & 31);
    switch (head) {
    case 0xc2:
    case 0xc3: return (struct msgpack_item){MSGPACK_BOOLEAN, head & 1};
    case 0xc4:
    case 0xc5:
    case 0xc6: /* binary */ return take_bytes(c, MSGPACK_OTHER, msgpack_take(c, (size_t)1 << (head - 0xc4)));
    case 0xc7:
    case 0xc8:
    case 0xc9: /* extension: length, type, data */
        return take_bytes(c, MSGPACK_OTHER, msgpack_take(c, (size_t)1 << (head - 0xc7)) + 1);
    case 0xca: return take_bytes(c, MSGPACK_OTHER, 4);
    case 0xcb: return take_bytes(c, MSGPACK_OTHER, 8);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf: return (struct msgpack_item){MSGPACK_UNSIGNED, msgpack_take(c, (size_t)1 << (head - 0xcc))};
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: /* signed: no key of interest is negative */
        return take_bytes(c, MSGPACK_OTHER, (uint64_t)1 << (head - 0xd0));
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8: /* extension of fixed size */ return take_bytes(c, MSGPACK_OTHER, ((uint64_t)1 << (head - 0xd4)) + 1);
    case 0xd9:
    case 0xda:
    case 0xdb: return take_bytes(c, MSGPACK_TEXT, msgpack_take(c, (size_t)1 << (head - 0xd9)));
    case 0xdc:
    case 0xdd: return (struct msgpack_item){MSGPACK_ARRAY, msgpack_take(c, (size_t)2 << (head - 0xdc))};
    case 0xde:
    case 0xdf: return (struct msgpack_item){MSGPACK_MAP, msgpack_take(c, (size_t)2 << (head - 0xde))};
    default: /* nil, and negative numbers of one byte */ return (struct msgpack_item){MSGPACK_OTHER};
    }
}

/* Passes over the elements of an item whose head has been read. */
static void skip_item(struct msgpack_cursor *c, struct msgpack_item item, int depth)
{
    if (item.kind != MSGPACK_ARRAY && item.kind != MSGPACK_MAP)
        return;
    if (depth == DEPTH_MAX) {
        c->bad = true;
        return;
    }
    uint64_t count = item.kind == MSGPACK_MAP ? item.number * 2 : item.number;
    for (uint64_t i = 0; i < count && !c->bad; i++)
        skip_item(c, msgpack_next(c), depth + 1);
}

void msgpack_skip(struct msgpack_cursor *cursor, struct msgpack_item item)
{
    skip_item(cursor, item, 0);
}

bool msgpack_find(struct msgpack_cursor *cursor, struct msgpack_item map, const char *key, struct msgpack_item *value)
{
    for (uint64_t i = 0; map.kind == MSGPACK_MAP && i < map.number && !cursor->bad; i++) {
        struct msgpack_item name = msgpack_next(cursor);
        msgpack_skip(cursor, name);
        *value = msgpack_next(cursor);
        if (msgpack_is(name, key))
            return !cursor->bad;
        msgpack_skip(cursor, *value);
    }
    return false;
}
