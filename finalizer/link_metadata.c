/* SPDX-License-Identifier: MIT */
/* The metadata of code objects (LLVM guide, "Code Object V4 Metadata"), as far as joining relocatable objects needs it.
 * Input: the notes of all objects, one after the other. Output: one note. Invariant: the kernels are in the order of
 * the notes; everything else is as the first note says. */
#include "finalizer/link_internal.h"

#include "support/elf_note.h"
#include "support/msgpack.h"

static const char metadata_owner[8] = "AMDGPU";
enum { METADATA_TYPE = 32 };

static bool is_metadata(const struct elf_note *note)
{
    return note->type == METADATA_TYPE && note->owner.size == strlen(metadata_owner) + 1 &&
           !memcmp(note->owner.data, metadata_owner, note->owner.size);
}

bool link_has_metadata(struct bytes notes)
{
    struct elf_note note;
    uint64_t at = 0;
    return elf_next_note(notes, &at, &note) && is_metadata(&note);
}

/* Where the list of kernels is in the metadata: its head, and its elements. */
struct metadata_kernels {
    const uint8_t *head, *begin, *end;
    uint64_t count;
};

static bool find_kernels(struct bytes metadata, struct metadata_kernels *list)
{
    struct msgpack_cursor cursor = {metadata.data, metadata.data + metadata.size, false};
    struct msgpack_item map = msgpack_next(&cursor);
    for (uint64_t i = 0; map.kind == MSGPACK_MAP && i < map.number && !cursor.bad; i++) {
        struct msgpack_item key = msgpack_next(&cursor);
        msgpack_skip(&cursor, key);
        list->head = cursor.at;
        struct msgpack_item value = msgpack_next(&cursor);
        list->begin = cursor.at;
        msgpack_skip(&cursor, value);
        list->end = cursor.at;
        list->count = value.number;
        if (msgpack_is(key, "amdhsa.kernels") && value.kind == MSGPACK_ARRAY)
            return !cursor.bad;
    }
    return false;
}

static void add_array_head(struct textbuf *out, uint64_t count)
{
    uint8_t head[] = {0xdd, (uint8_t)(count >> 24), (uint8_t)(count >> 16), (uint8_t)(count >> 8), (uint8_t)count};
    if (count < 16)
        head[4] = 0x90 | (uint8_t)count;
    else if (count <= UINT16_MAX)
        head[2] = 0xdc;
    unsigned skip = count < 16 ? 4 : count <= UINT16_MAX ? 2 : 0;
    textbuf_add(out, head + skip, sizeof head - skip);
}

static void add_note(struct textbuf *joined, struct bytes first, const struct metadata_kernels *list,
                     const struct textbuf *kernels, uint64_t count)
{
    struct textbuf document = {0};
    textbuf_add(&document, first.data, (size_t)(list->head - first.data));
    add_array_head(&document, count);
    textbuf_add(&document, kernels->data, kernels->size);
    textbuf_add(&document, list->end, (size_t)(first.data + first.size - list->end));
    Elf64_Nhdr head = {strlen(metadata_owner) + 1, (Elf64_Word)document.size, METADATA_TYPE};
    textbuf_add(joined, &head, sizeof head);
    textbuf_add(joined, metadata_owner, sizeof metadata_owner);
    textbuf_add(joined, document.data, document.size);
    textbuf_fill(joined, '\0', align_up(joined->size, 4) - joined->size);
    joined->failed |= document.failed || kernels->failed;
    textbuf_free(&document);
}

bool link_join_metadata(struct link_result *result, struct bytes notes, struct textbuf *joined)
{
    struct metadata_kernels list, base = {0};
    struct textbuf kernels = {0};
    struct bytes first = {0};
    struct elf_note note;
    uint64_t count = 0;
    bool good = true;
    for (uint64_t at = 0; good && elf_next_note(notes, &at, &note);) {
        good = is_metadata(&note) && find_kernels(note.content, &list);
        if (!good)
            break;
        if (!first.data) {
            first = note.content;
            base = list;
        }
        textbuf_add(&kernels, list.begin, (size_t)(list.end - list.begin));
        count += list.count;
    }
    if (good && first.data && count <= UINT32_MAX)
        add_note(joined, first, &base, &kernels, count);
    else
        failure_record(&result->failure, LINK_METADATA);
    textbuf_free(&kernels);
    if (joined->failed)
        failure_record(&result->failure, OUT_OF_MEMORY);
    return !result->failure.message;
}
