/* SPDX-License-Identifier: MIT */
/* Reads what kernels use from the metadata of a code object. (LLVM AMDGPU guide, "Code Object V4 Metadata")
 * Input: an ELF file of any content. Output: a line of text per kernel. Invariant: see support/msgpack.h. */
#include "tools/fin_usage.h"

#include "support/elf_note.h"
#include "support/kernel_argument.h"
#include "support/msgpack.h"

/* What a kernel's line shows, in this order. Processors without accumulation registers have no count of them. */
static const struct {
    const char *key, *label, *unit;
} rows[] = {
    {".vgpr_count", "VGPRs", ""},
    {".agpr_count", "AGPRs", ""},
    {".sgpr_count", "SGPRs", ""},
    {".vgpr_spill_count", "spilled VGPRs", ""},
    {".sgpr_spill_count", "spilled SGPRs", ""},
    {".group_segment_fixed_size", "LDS", " bytes"},
    {".private_segment_fixed_size", "scratch", " bytes"},
};

/* Passes over one element of amdhsa.kernels. */
static void describe_kernel(struct msgpack_cursor *c, struct textbuf *text)
{
    const struct msgpack_cursor start = *c;
    const char *separator = ": ";
    struct msgpack_item value;
    msgpack_skip(c, msgpack_next(c));
    struct msgpack_cursor at = start;
    if (!msgpack_find(&at, msgpack_next(&at), ".name", &value) || value.kind != MSGPACK_TEXT)
        return;
    textbuf_quote(text, value.text, 1024);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at = start;
        if (!msgpack_find(&at, msgpack_next(&at), rows[i].key, &value) || value.kind != MSGPACK_UNSIGNED)
            continue;
        textbuf_printf(text, "%s%s %llu%s", separator, rows[i].label, (unsigned long long)value.number, rows[i].unit);
        separator = ", ";
    }
    at = start;
    if (msgpack_find(&at, msgpack_next(&at), ".uses_dynamic_stack", &value) && value.kind == MSGPACK_BOOLEAN &&
        value.number)
        textbuf_puts(text, " and what called functions need");
    textbuf_puts(text, "\n");
}

bool usage_describe(struct bytes code, struct textbuf *text)
{
    struct bytes note;
    struct msgpack_item kernels;
    if (!elf_find_note(code, "AMDGPU", NOTE_METADATA, &note))
        return false;
    struct msgpack_cursor c = {note.data, note.data + note.size, false};
    /* A program of functions only has no kernels to list. */
    if (!msgpack_find(&c, msgpack_next(&c), "amdhsa.kernels", &kernels) || kernels.kind != MSGPACK_ARRAY)
        return !c.bad;
    for (uint64_t i = 0; i < kernels.number && !c.bad; i++)
        describe_kernel(&c, text);
    return !c.bad;
}
