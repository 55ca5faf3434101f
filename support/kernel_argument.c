/* SPDX-License-Identifier: MIT */
/* Reads the arguments of a kernel from metadata. (LLVM AMDGPU guide, "AMDHSA Code Object V3 Kernel Argument Metadata
 * Map") Input: bytes of any content. Output: names, types and places, as they are said. Invariant: the cursor is after
 * the argument, or bad. */
#include "support/kernel_argument.h"

#include <string.h>

bool kernel_argument_next(struct msgpack_cursor *c, struct kernel_argument *argument)
{
    struct bytes none = {(const uint8_t *)"", 0};
    *argument = (struct kernel_argument){.name = none, .type = none, .kind = none};
    struct msgpack_item map = msgpack_next(c);
    if (c->bad || map.kind != MSGPACK_MAP)
        return false;
    for (uint64_t i = 0; i < map.number && !c->bad; i++) {
        struct msgpack_item key = msgpack_next(c);
        msgpack_skip(c, key);
        struct msgpack_item value = msgpack_next(c);
        if (msgpack_is(key, ".name") && value.kind == MSGPACK_TEXT)
            argument->name = value.text;
        else if (msgpack_is(key, ".type_name") && value.kind == MSGPACK_TEXT)
            argument->type = value.text;
        else if (msgpack_is(key, ".value_kind") && value.kind == MSGPACK_TEXT)
            argument->kind = value.text;
        else if (msgpack_is(key, ".offset") && value.kind == MSGPACK_UNSIGNED)
            argument->offset = msgpack_u32(value);
        else if (msgpack_is(key, ".size") && value.kind == MSGPACK_UNSIGNED)
            argument->size = msgpack_u32(value);
        msgpack_skip(c, value);
    }
    return !c->bad;
}

bool kernel_argument_is_hidden(const struct kernel_argument *argument, struct bytes *rest)
{
    static const char hidden[] = "hidden_";
    const size_t prefix = sizeof hidden - 1;
    *rest = bytes_slice(argument->kind, prefix, argument->kind.size - prefix);
    return argument->kind.size > prefix && !memcmp(argument->kind.data, hidden, prefix);
}
