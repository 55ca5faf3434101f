/* SPDX-License-Identifier: MIT */
/* A reader of MessagePack, the encoding of a code object's metadata.
 *
 * The bytes may hold anything; the cursor never leaves them. If a document is cut off or nested too deeply, the reader
 * sets BAD, and every further item is MSGPACK_OTHER. */
#ifndef SUPPORT_MSGPACK_H
#define SUPPORT_MSGPACK_H

#include "support/bytes.h"

struct msgpack_cursor {
    const uint8_t *at, *end;
    bool bad;
};

enum msgpack_kind { MSGPACK_OTHER, MSGPACK_UNSIGNED, MSGPACK_BOOLEAN, MSGPACK_TEXT, MSGPACK_ARRAY, MSGPACK_MAP };

/* The head of one object. That is the whole of a scalar; after the head of an array or map its elements are read. */
struct msgpack_item {
    enum msgpack_kind kind;
    uint64_t number; /* the value, or the number of elements or pairs */
    struct bytes text;
};

/* Reads the next head. */
struct msgpack_item msgpack_next(struct msgpack_cursor *cursor);

/* Skips the elements of ITEM, whose head has just been read; does nothing for a scalar. */
void msgpack_skip(struct msgpack_cursor *cursor, struct msgpack_item item);

/* Skips the pairs of MAP, whose head has just been read, up to the value of KEY, and reads its head into *VALUE.
 * False if MAP is no map or has no such key. */
bool msgpack_find(struct msgpack_cursor *cursor, struct msgpack_item map, const char *key, struct msgpack_item *value);

/* Whether ITEM is the text KEY. */
static inline bool msgpack_is(struct msgpack_item item, const char *key)
{
    return item.kind == MSGPACK_TEXT && bytes_are_text(item.text, key);
}

/* The number, or UINT32_MAX if it is larger. */
static inline uint32_t msgpack_u32(struct msgpack_item item)
{
    return item.number > UINT32_MAX ? UINT32_MAX : (uint32_t)item.number;
}

#endif
