/* SPDX-License-Identifier: MIT */
/* Reads the metadata of a code object, a MessagePack document in one of its notes. (LLVM AMDGPU guide, "Code Object V3
 * Metadata" and later)
 *
 * Input: bytes of any content. Output: what the document says about each kernel.
 * Invariant: a document that is cut off, nested too deeply or of an unexpected shape is not refused; what it does not
 * say remains unknown. */
#include "runtime/code_object.h"
#include "support/msgpack.h"

/* One element of amdhsa.kernels. */
static void read_kernel(struct msgpack_cursor *c, uint64_t pairs,
                        void (*set)(struct bytes symbol, const struct kernel_info *info, void *data), void *data)
{
    struct kernel_info info = {.kernarg_align = 16, .wavefront_size = 64};
    struct bytes symbol = {NULL, 0};
    for (uint64_t i = 0; i < pairs && !c->bad; i++) {
        struct msgpack_item key = msgpack_next(c), value = msgpack_next(c);
        if (msgpack_is(key, ".symbol") && value.kind == MSGPACK_TEXT)
            symbol = value.text;
        else if (msgpack_is(key, ".kernarg_segment_size") && value.kind == MSGPACK_UNSIGNED)
            info.kernarg_size = msgpack_u32(value);
        else if (msgpack_is(key, ".kernarg_segment_align") && value.kind == MSGPACK_UNSIGNED && value.number > 16 &&
                 value.number <= 4096 && is_power_of_two(value.number))
            info.kernarg_align = msgpack_u32(value);
        else if (msgpack_is(key, ".group_segment_fixed_size") && value.kind == MSGPACK_UNSIGNED)
            info.group_size = msgpack_u32(value);
        else if (msgpack_is(key, ".private_segment_fixed_size") && value.kind == MSGPACK_UNSIGNED)
            info.private_size = msgpack_u32(value);
        else if (msgpack_is(key, ".wavefront_size") && value.kind == MSGPACK_UNSIGNED)
            info.wavefront_size = msgpack_u32(value);
        else if (msgpack_is(key, ".uses_dynamic_stack") && value.kind == MSGPACK_BOOLEAN)
            info.dynamic_stack = value.number;
        msgpack_skip(c, key);
        msgpack_skip(c, value);
    }
    if (symbol.data && !c->bad)
        set(symbol, &info, data);
}

void metadata_kernels(struct bytes note, void (*set)(struct bytes symbol, const struct kernel_info *info, void *data),
                      void *data)
{
    struct msgpack_cursor c = {note.data, note.data + note.size, false};
    struct msgpack_item kernels = {0};
    if (!msgpack_find(&c, msgpack_next(&c), "amdhsa.kernels", &kernels) || kernels.kind != MSGPACK_ARRAY)
        return;
    for (uint64_t i = 0; i < kernels.number && !c.bad; i++) {
        struct msgpack_item kernel = msgpack_next(&c);
        if (kernel.kind == MSGPACK_MAP)
            read_kernel(&c, kernel.number, set, data);
        else
            msgpack_skip(&c, kernel);
    }
}
