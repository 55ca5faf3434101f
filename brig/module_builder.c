/* SPDX-License-Identifier: MIT */
/* Appends entries to three growing sections; see module_builder.h.
 * Input: entries. Output: one module. Invariant: a section holds whole entries after its header, and its size
 * fits an offset; after an error nothing is appended any more. */
#include "brig/module_builder.h"

#include "brig/language.h"
#include "brig/item.h"
#include "brig/limit.h"
#include "support/alloc.h"
#include "support/hash.h"

#define FIRST_CAPACITY 4096u

#define DATA HSA_BRIG_SECTION_INDEX_DATA
#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND

static void builder_fail(struct brig_builder *builder, enum brig_status status)
{
    if (builder->status == BRIG_OK)
        builder->status = status;
}

static uint8_t *buffer_block(const struct brig_buffer *buffer)
{
    return buffer->data ? buffer->data - BRIG_FRONT : NULL;
}

/* ALLOCATE is mem_realloc() or mem_reserve(). */
static bool set_capacity(struct brig_buffer *buffer, size_t capacity, void *(*allocate)(void *, size_t))
{
    uint8_t *block = allocate(buffer_block(buffer), BRIG_FRONT + capacity);
    if (!block)
        return false;
    buffer->data = block + BRIG_FRONT;
    buffer->capacity = capacity;
    return true;
}

static void free_buffer(struct brig_buffer *buffer)
{
    mem_free(buffer_block(buffer));
    *buffer = (struct brig_buffer){0};
}

static bool buffer_grow(struct brig_builder *builder, struct brig_buffer *buffer, size_t more)
{
    size_t want = buffer->capacity ? buffer->capacity + buffer->capacity / 2 : FIRST_CAPACITY;
    if (more > LIMIT_SECTION_BYTES - buffer->size) {
        builder_fail(builder, BRIG_TOO_LARGE);
        return false;
    }
    if (want < buffer->size + more)
        want = buffer->size + more;
    if (set_capacity(buffer, want, mem_realloc))
        return true;
    builder_fail(builder, BRIG_OUT_OF_MEMORY);
    return false;
}

/* SIZE new bytes, not cleared, at the end of a section; NULL after an error. */
static inline uint8_t *append(struct brig_builder *builder, unsigned section, size_t size)
{
    struct brig_buffer *buffer = &builder->section[section];
    if (builder->status != BRIG_OK)
        return NULL;
    if (size > buffer->capacity - buffer->size && !buffer_grow(builder, buffer, size))
        return NULL;
    uint8_t *at = buffer->data + buffer->size;
    buffer->size += size;
    return at;
}

/* ---- Sections -------------------------------------------------------------------------------------- */

/* Room for the name and its length as other readers count it: 23 bytes in addition to the name (see container layout in
 * doc/decisions). */
static uint32_t header_size(const char *name)
{
    return (uint32_t)align_up(23 + strlen(name), 4);
}

static void put_section_header(struct brig_builder *builder, unsigned section)
{
    const char *name = lang_value_text(LANG_SET_SECTION_INDEX, section);
    uint32_t size = header_size(name);
    uint8_t *header = append(builder, section, size);
    if (!header)
        return;
    memset(header, 0, size);
    store32(header + offsetof(hsa_brig_section_header_t, header_byte_count), size);
    store32(header + offsetof(hsa_brig_section_header_t, name_length), (uint32_t)strlen(name));
    memcpy(header + offsetof(hsa_brig_section_header_t, name), name, strlen(name));
}

enum brig_status brig_builder_init(struct brig_builder *builder, uint32_t brig_minor)
{
    *builder = (struct brig_builder){.brig_minor = brig_minor, .seed = hash_seed()};
    for (unsigned i = 0; i < 3; i++)
        put_section_header(builder, i);
    return builder->status;
}

void brig_builder_expect_text(struct brig_builder *builder, size_t size)
{
    if (size < FIRST_CAPACITY || size > LIMIT_SECTION_BYTES / 4)
        return;
    for (unsigned i = 0; i < 3; i++) /* the block of the first section becomes the module */
        set_capacity(&builder->section[i], i == DATA ? 2 * size : size, mem_reserve);
}

void brig_builder_free(struct brig_builder *builder)
{
    for (unsigned i = 0; i < 3; i++)
        free_buffer(&builder->section[i]);
    hash_table_free(&builder->pool);
    *builder = (struct brig_builder){.status = BRIG_INVALID};
}

/* ---- hsa_data -------------------------------------------------------------------------------------- */

static uint8_t *put_data(struct brig_builder *builder, size_t size, uint32_t *offset)
{
    *offset = brig_here(builder, DATA);
    if (size > LIMIT_SECTION_BYTES - 8) {
        builder_fail(builder, BRIG_TOO_LARGE);
        return NULL;
    }
    size_t padded = align_up(size, 4);
    uint8_t *entry = append(builder, DATA, 4 + padded);
    if (!entry) {
        *offset = 0;
        return NULL;
    }
    if (padded != size)
        store32(entry + padded, 0); /* clears the padding with the rest of the last word, which the bytes overwrite */
    store32(entry, (uint32_t)size);
    return entry + 4;
}

uint32_t brig_pool_bytes(struct brig_builder *builder, const void *data, size_t size)
{
    if (builder->status != BRIG_OK)
        return 0;
    uint32_t hash = (uint32_t)hash_bytes(builder->seed, data, size), offset;
    for (uint32_t at = hash; (offset = hash_table_next(&builder->pool, hash, &at));) {
        const uint8_t *known = builder->section[DATA].data + offset;
        if (load32(known) == size && (size == 0 || memcmp(known + 4, data, size) == 0))
            return offset;
    }
    uint8_t *bytes = put_data(builder, size, &offset);
    if (!bytes)
        return 0;
    if (size)
        memcpy(bytes, data, size);
    if (!hash_table_add(&builder->pool, hash, offset))
        builder_fail(builder, BRIG_OUT_OF_MEMORY);
    return offset;
}

uint32_t brig_put_bytes(struct brig_builder *builder, const void *data, size_t size)
{
    builder->referred += size;
    return brig_pool_bytes(builder, data, size);
}

uint32_t brig_put_again(struct brig_builder *builder, uint32_t bytes)
{
    if (builder->status == BRIG_OK)
        builder->referred += load32(builder->section[DATA].data + bytes);
    return bytes;
}

uint32_t brig_put_list(struct brig_builder *builder, const uint32_t *items, size_t count)
{
    uint32_t offset;
    if (count > LIMIT_SECTION_BYTES / 4) {
        builder_fail(builder, BRIG_TOO_LARGE);
        return 0;
    }
    uint8_t *list = put_data(builder, count * 4, &offset);
    builder->referred += count * 4;
    if (list && items && count)
        memcpy(list, items, count * 4);
    else if (list)
        memset(list, 0, count * 4);
    return offset;
}

/* ---- hsa_code and hsa_operand ---------------------------------------------------------------------- */

/* Inlined below, where kind and size are constants. */
inline void *brig_put_entry(struct brig_builder *builder, hsa_brig_kind_t kind, size_t size, uint32_t *offset)
{
    unsigned section = kind >= HSA_BRIG_KIND_OPERAND_BEGIN ? OPERAND : CODE;
    uint32_t here = brig_here(builder, section);
    uint8_t *entry = append(builder, section, size);
    if (offset)
        *offset = entry ? here : 0;
    if (!entry)
        return builder->scratch;
    memset(entry, 0, size);
    store16(entry, (uint16_t)size);
    store16(entry + 2, (uint16_t)kind);
    return entry;
}

uint32_t brig_put_pad(struct brig_builder *builder, uint32_t byte_count)
{
    uint32_t offset = brig_here(builder, CODE);
    uint8_t *entry = append(builder, CODE, byte_count);
    if (!entry)
        return 0;
    memset(entry, 0, byte_count);
    store16(entry, (uint16_t)byte_count);
    return offset;
}

uint32_t brig_put_register(struct brig_builder *builder, hsa_brig_register_kind_t kind, uint16_t number)
{
    uint32_t offset;
    hsa_brig_operand_register_t *entry =
        BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_REGISTER, hsa_brig_operand_register_t, &offset);
    entry->reg_kind = (uint16_t)kind;
    entry->reg_num = number;
    return offset;
}

uint32_t brig_put_address(struct brig_builder *builder, uint32_t symbol, uint32_t reg, uint64_t displacement)
{
    uint32_t offset;
    hsa_brig_operand_address_t *entry =
        BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_ADDRESS, hsa_brig_operand_address_t, &offset);
    entry->symbol = symbol;
    entry->reg = reg;
    entry->offset = (hsa_brig_uint64_t){(uint32_t)displacement, (uint32_t)(displacement >> 32)};
    return offset;
}

uint32_t brig_put_code_ref(struct brig_builder *builder, uint32_t ref)
{
    uint32_t offset;
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_CODE_REF, hsa_brig_operand_code_ref_t, &offset)->ref = ref;
    return offset;
}

uint32_t brig_put_constant(struct brig_builder *builder, uint16_t type, const void *bytes, size_t size)
{
    uint32_t offset, data = brig_put_bytes(builder, bytes, size);
    hsa_brig_operand_constant_bytes_t *entry =
        BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES, hsa_brig_operand_constant_bytes_t, &offset);
    entry->type = type;
    entry->bytes = data;
    return offset;
}

uint32_t brig_put_constant_list(struct brig_builder *builder, uint16_t type, const uint32_t *items, size_t count)
{
    uint32_t offset, list = brig_put_list(builder, items, count);
    hsa_brig_operand_constant_operand_list_t *entry = BRIG_PUT(
        builder, HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST, hsa_brig_operand_constant_operand_list_t, &offset);
    entry->type = type;
    entry->elements = list;
    return offset;
}

uint32_t brig_put_expression(struct brig_builder *builder, uint16_t type, hsa_brig_expression_operation_t operation,
                             const uint32_t *operands, size_t count)
{
    uint32_t offset, list = brig_put_list(builder, operands, count);
    hsa_brig_operand_constant_expression_t *entry =
        BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_CONSTANT_EXPRESSION, hsa_brig_operand_constant_expression_t, &offset);
    entry->type = type;
    entry->expression_operation = (uint16_t)operation;
    entry->operands = list;
    return offset;
}

uint32_t brig_put_operand_list(struct brig_builder *builder, const uint32_t *items, size_t count)
{
    uint32_t offset, list = brig_put_list(builder, items, count);
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_OPERAND_LIST, hsa_brig_operand_operand_list_t, &offset)->elements = list;
    return offset;
}

uint32_t brig_put_code_list(struct brig_builder *builder, const uint32_t *items, size_t count)
{
    uint32_t offset, list = brig_put_list(builder, items, count);
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_CODE_LIST, hsa_brig_operand_code_list_t, &offset)->elements = list;
    return offset;
}

uint32_t brig_put_string(struct brig_builder *builder, const void *text, size_t size)
{
    uint32_t offset, data = brig_put_bytes(builder, text, size);
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_STRING, hsa_brig_operand_string_t, &offset)->string = data;
    return offset;
}

uint32_t brig_put_wavesize(struct brig_builder *builder)
{
    uint32_t offset;
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_WAVESIZE, hsa_brig_operand_wavesize_t, &offset);
    return offset;
}

uint32_t brig_put_align(struct brig_builder *builder, hsa_brig_alignment_t align)
{
    uint32_t offset;
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_ALIGN, hsa_brig_operand_align_t, &offset)->align = (uint8_t)align;
    return offset;
}

uint32_t brig_put_zero(struct brig_builder *builder, uint64_t byte_count)
{
    uint32_t offset;
    BRIG_PUT(builder, HSA_BRIG_KIND_OPERAND_ZERO, hsa_brig_operand_zero_t, &offset)->zero_byte_count =
        (hsa_brig_uint64_t){(uint32_t)byte_count, (uint32_t)(byte_count >> 32)};
    return offset;
}

/* ---- Going back ------------------------------------------------------------------------------------ */

struct brig_mark brig_builder_mark(const struct brig_builder *builder)
{
    struct brig_mark mark = {.referred = builder->referred};
    for (unsigned i = 0; i < 3; i++)
        mark.size[i] = (uint32_t)builder->section[i].size;
    return mark;
}

/* Removes an entry of hsa_data from the table of pooled bytes, if it is there; lists are not. */
static void forget_bytes(struct brig_builder *builder, uint32_t offset, uint32_t size)
{
    uint32_t hash = (uint32_t)hash_bytes(builder->seed, builder->section[DATA].data + offset + 4, size), item;
    for (uint32_t at = hash; (item = hash_table_next(&builder->pool, hash, &at));) {
        if (item == offset) {
            hash_table_remove(&builder->pool, hash, item);
            return;
        }
    }
}

void brig_builder_rewind(struct brig_builder *builder, const struct brig_mark *mark)
{
    if (builder->status != BRIG_OK)
        return;
    for (uint32_t at = mark->size[DATA]; at < builder->section[DATA].size;) {
        uint32_t size = load32(builder->section[DATA].data + at);
        forget_bytes(builder, at, size);
        at += 4 + (uint32_t)align_up(size, 4);
    }
    for (unsigned i = 0; i < 3; i++)
        builder->section[i].size = mark->size[i];
    builder->referred = mark->referred;
}

/* ---- Patching and finishing ------------------------------------------------------------------------ */

void *brig_edit(struct brig_builder *builder, hsa_brig_section_index_t section, uint32_t offset)
{
    if (offset && builder->status == BRIG_OK)
        return builder->section[section].data + offset;
    return memset(builder->scratch, 0, sizeof builder->scratch); /* zeros, which nobody takes for a size or a type */
}

void brig_edit_list(struct brig_builder *builder, uint32_t list, uint32_t index, uint32_t value)
{
    if (list && builder->status == BRIG_OK)
        store32(builder->section[DATA].data + list + 4 + (size_t)index * 4, value);
}

void brig_builder_view(const struct brig_builder *builder, struct brig_view *view)
{
    *view = (struct brig_view){.brig_minor = builder->brig_minor, .section_count = 3};
    for (unsigned i = 0; i < 3; i++)
        view->section[i] = (struct brig_section){builder->section[i].data, (uint32_t)builder->section[i].size,
                                                 header_size(lang_value_text(LANG_SET_SECTION_INDEX, i))};
}

static void put_module_header(uint8_t *block, uint32_t brig_minor, const uint64_t at[3], uint64_t end)
{
    hsa_brig_module_header_t header = {
        .identification = {'H', 'S', 'A', ' ', 'B', 'R', 'I', 'G'},
        .brig_major = HSA_BRIG_VERSION_BRIG_MAJOR,
        .brig_minor = brig_minor,
        .byte_count = end,
        .section_count = 3,
        .section_index = sizeof header,
    };
    memset(block, 0, BRIG_FRONT);
    memcpy(block, &header, sizeof header);
    memcpy(block + sizeof header, at, 3 * sizeof *at);
}

/* The block of the first section grows to the whole module, so that only the others are copied. */
enum brig_status brig_finish(struct brig_builder *builder, uint8_t **module, size_t *size)
{
    struct brig_buffer *first = &builder->section[DATA];
    *module = NULL;
    *size = 0;
    if (builder->status != BRIG_OK)
        return builder->status;
    uint64_t at[3], end = BRIG_FRONT;
    for (unsigned i = 0; i < 3; i++) {
        at[i] = end;
        end = align_up(end + builder->section[i].size, 16);
    }
    hash_table_free(&builder->pool);
    if (!set_capacity(first, end - BRIG_FRONT, mem_realloc))
        return BRIG_OUT_OF_MEMORY;
    uint8_t *block = buffer_block(first);
    put_module_header(block, builder->brig_minor, at, end);
    for (unsigned i = 0; i < 3; i++) {
        struct brig_buffer *section = &builder->section[i];
        uint64_t next = i < 2 ? at[i + 1] : end;
        if (i != DATA)
            memcpy(block + at[i], section->data, section->size);
        store64(block + at[i] + offsetof(hsa_brig_section_header_t, byte_count), section->size);
        memset(block + at[i] + section->size, 0, next - at[i] - section->size);
        if (i != DATA)
            free_buffer(section);
    }
    *first = (struct brig_buffer){0};
    builder->status = BRIG_INVALID; /* nothing more may be appended */
    *module = block;
    *size = end;
    return BRIG_OK;
}
