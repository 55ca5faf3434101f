/* SPDX-License-Identifier: MIT */
/* Taking a module apart and putting it together; see loose.h.
 * Input: bytes of any content. Output: items, or bytes. Invariant: an entry is only changed if its bytes hold all
 * fields of its kind. */
#include "testsuite/fuzz/loose.h"

#include "support/alloc.h"

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND
#define DATA HSA_BRIG_SECTION_INDEX_DATA

unsigned loose_fields(uint32_t kind, const struct brig_field *fields[LOOSE_MOST_FIELDS])
{
    const struct brig_kind_info *info = brig_kind(kind);
    unsigned count = 0;
    for (unsigned i = 0; info && i < info->layout->field_count; i++) {
        const struct brig_field *field = &info->layout->fields[i];
        if (field->role != BRIG_ROLE_BASE) {
            fields[count++] = field;
            continue;
        }
        const struct brig_struct_info *base = brig_inst_base();
        for (unsigned j = 0; field->width > sizeof(hsa_brig_base_t) && j < base->field_count; j++)
            if (base->fields[j].role != BRIG_ROLE_BASE)
                fields[count++] = &base->fields[j];
    }
    return count;
}

static bool holds(const struct loose_item *item, const struct brig_field *field)
{
    return item->size >= (uint32_t)field->offset + field->width;
}

static struct loose_item *add(struct loose *loose, unsigned section, size_t index, const uint8_t *bytes, uint32_t size)
{
    struct loose_section *in = &loose->section[section];
    uint8_t *own = arena_zalloc(&loose->memory, 1, align_up(size, 4) + 8);
    if (!own || !vec_push(&in->items, ((struct loose_item){0})))
        return NULL;
    if (bytes)
        memcpy(own, bytes, size);
    struct loose_item *item = &in->items.items[index];
    memmove(item + 1, item, (in->items.count - 1 - index) * sizeof *item);
    *item = (struct loose_item){own, size, loose->numbers++, LOOSE_BYTES};
    return item;
}

struct loose_item *loose_insert(struct loose *loose, unsigned section, size_t index, uint32_t size)
{
    return add(loose, section, index, NULL, size);
}

/* ---- Reading --------------------------------------------------------------------------------------- */

/* For each offset / 4 the number of the entry there, as a reference; 0 where no entry begins. */
struct places {
    uint32_t *reference[3];
    uint32_t size[3];
};

static bool read_section(struct loose *loose, const struct brig_view *view, unsigned index, uint32_t *reference)
{
    const struct brig_section *section = &view->section[index];
    for (uint32_t at = section->first; at < section->size;) {
        uint32_t size;
        const uint8_t *bytes;
        if (index == DATA) {
            struct bytes data = brig_checked_bytes(view, at);
            if (!data.data)
                return true;
            bytes = data.data;
            size = (uint32_t)data.size;
        } else {
            const hsa_brig_base_t *entry = brig_checked_entry(section, at, sizeof *entry);
            if (!entry)
                return true;
            bytes = (const uint8_t *)entry;
            size = entry->byte_count;
        }
        struct loose_item *item = add(loose, index, loose->section[index].items.count, bytes, size);
        if (!item)
            return false;
        reference[at / 4] = LOOSE_REFERENCE | item->number;
        uint64_t next = at + (index == DATA ? 4 + align_up(size, 4) : size);
        at = next < section->size ? (uint32_t)next : section->size;
    }
    return true;
}

static uint32_t resolve(const struct places *places, unsigned section, uint32_t offset)
{
    if (section == CODE && offset && offset == places->size[CODE])
        return LOOSE_END;
    if (!offset || offset % 4 || offset >= places->size[section])
        return offset;
    uint32_t reference = places->reference[section][offset / 4];
    return reference ? reference : offset;
}

static void resolve_list(struct loose *loose, const struct places *places, uint32_t reference, bool code)
{
    struct loose_item *list = loose_find(loose, DATA, reference);
    if (!list || list->content != LOOSE_BYTES || list->size % 4)
        return;
    list->content = code ? LOOSE_CODES : LOOSE_OPERANDS;
    for (uint32_t at = 0; at < list->size; at += 4)
        store32(list->bytes + at, resolve(places, code ? CODE : OPERAND, load32(list->bytes + at)));
}

static void resolve_entry(struct loose *loose, const struct places *places, struct loose_item *item)
{
    const struct brig_field *fields[LOOSE_MOST_FIELDS];
    unsigned count = loose_fields(loose_kind(item), fields);
    for (unsigned i = 0; i < count; i++) {
        if (!loose_is_reference(fields[i]) || !holds(item, fields[i]))
            continue;
        uint8_t *at = item->bytes + fields[i]->offset;
        uint32_t reference = resolve(places, loose_target(fields[i]), load32(at));
        store32(at, reference);
        if (fields[i]->role == BRIG_ROLE_OPERANDS || fields[i]->role == BRIG_ROLE_CODES)
            resolve_list(loose, places, reference, fields[i]->role == BRIG_ROLE_CODES);
    }
}

bool loose_read(struct loose *loose, const uint8_t *bytes, size_t size)
{
    struct brig_view view;
    struct places places = {0};
    *loose = (struct loose){0};
    if (brig_read(bytes, size, NULL, &view) != BRIG_OK)
        return false;
    loose->brig_minor = view.brig_minor;
    bool good = true;
    for (unsigned i = 0; i < 3 && good; i++) {
        places.size[i] = view.section[i].size;
        places.reference[i] = arena_zalloc(&loose->memory, (size_t)places.size[i] / 4 + 1, sizeof(uint32_t));
        good = places.reference[i] && read_section(loose, &view, i, places.reference[i]);
    }
    for (unsigned i = CODE; i <= OPERAND && good; i++)
        for (size_t at = 0; at < loose->section[i].items.count; at++)
            resolve_entry(loose, &places, &loose->section[i].items.items[at]);
    return good;
}

void loose_free(struct loose *loose)
{
    for (unsigned i = 0; i < 3; i++)
        vec_free(&loose->section[i].items);
    arena_free(&loose->memory);
}

/* ---- Changing -------------------------------------------------------------------------------------- */

struct loose_item *loose_find(const struct loose *loose, unsigned section, uint32_t reference)
{
    const struct loose_section *in = &loose->section[section];
    for (size_t i = 0; reference & LOOSE_REFERENCE && i < in->items.count; i++)
        if (in->items.items[i].number == (reference & ~LOOSE_REFERENCE))
            return &in->items.items[i];
    return NULL;
}

static void redirect_list(struct loose_item *list, uint32_t from, uint32_t to)
{
    for (uint32_t at = 0; at + 4 <= list->size; at += 4)
        if (load32(list->bytes + at) == from)
            store32(list->bytes + at, to);
}

static void redirect_entry(struct loose_item *item, unsigned section, uint32_t from, uint32_t to)
{
    const struct brig_field *fields[LOOSE_MOST_FIELDS];
    unsigned count = loose_fields(loose_kind(item), fields);
    for (unsigned i = 0; i < count; i++)
        if (loose_is_reference(fields[i]) && holds(item, fields[i]) && loose_target(fields[i]) == section &&
            load32(item->bytes + fields[i]->offset) == from)
            store32(item->bytes + fields[i]->offset, to);
}

void loose_remove(struct loose *loose, unsigned section, size_t index)
{
    struct loose_section *in = &loose->section[section];
    struct loose_item *item = &in->items.items[index];
    uint32_t from = LOOSE_REFERENCE | item->number;
    uint32_t to = index + 1 < in->items.count ? LOOSE_REFERENCE | item[1].number : section == CODE ? LOOSE_END : 0;
    memmove(item, item + 1, (in->items.count - index - 1) * sizeof *item);
    in->items.count--;
    for (unsigned i = CODE; i <= OPERAND; i++)
        for (size_t at = 0; at < loose->section[i].items.count; at++)
            redirect_entry(&loose->section[i].items.items[at], section, from, to);
    enum loose_content content = section == CODE ? LOOSE_CODES : LOOSE_OPERANDS;
    for (size_t at = 0; section != DATA && at < loose->section[DATA].items.count; at++)
        if (loose->section[DATA].items.items[at].content == content)
            redirect_list(&loose->section[DATA].items.items[at], from, to);
}

/* ---- Writing --------------------------------------------------------------------------------------- */

struct writer {
    const struct loose *loose;
    uint32_t *offset; /* by number of the entry */
    uint32_t size[3];
    uint32_t header; /* size of a section's header */
    uint8_t *out;
    size_t most, used;
};

static uint64_t size_of(unsigned section, const struct loose_item *item)
{
    return section == DATA ? 4 + align_up(item->size, 4) : item->size;
}

static bool place_items(struct writer *writer)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct loose_section *in = &writer->loose->section[i];
        uint64_t at = writer->header;
        for (size_t n = 0; n < in->items.count; n++) {
            writer->offset[in->items.items[n].number] = (uint32_t)at;
            at += size_of(i, &in->items.items[n]);
            if (at > writer->most)
                return false;
        }
        writer->size[i] = (uint32_t)at;
    }
    return true;
}

static uint32_t offset_of(const struct writer *writer, uint32_t reference)
{
    if (reference == LOOSE_END)
        return writer->size[CODE];
    if (!(reference & LOOSE_REFERENCE) || (reference & ~LOOSE_REFERENCE) >= writer->loose->numbers)
        return reference;
    return writer->offset[reference & ~LOOSE_REFERENCE];
}

static void write_item(const struct writer *writer, unsigned section, const struct loose_item *item, uint8_t *out)
{
    const struct brig_field *fields[LOOSE_MOST_FIELDS];
    if (section == DATA) {
        store32(out, item->size);
        out += 4;
    }
    if (item->size)
        memcpy(out, item->bytes, item->size);
    if (section == DATA) {
        for (uint32_t at = 0; item->content != LOOSE_BYTES && at + 4 <= item->size; at += 4)
            store32(out + at, offset_of(writer, load32(item->bytes + at)));
        return;
    }
    unsigned count = loose_fields(loose_kind(item), fields);
    for (unsigned i = 0; i < count; i++)
        if (loose_is_reference(fields[i]) && holds(item, fields[i]))
            store32(out + fields[i]->offset, offset_of(writer, load32(item->bytes + fields[i]->offset)));
}

/* Adds SIZE zero bytes at the end, aligned; NULL if there is no room. */
static uint8_t *room(struct writer *writer, uint64_t size, size_t *at)
{
    *at = align_up(writer->used, 16);
    if (!range_inside(*at, size, writer->most))
        return NULL;
    memset(writer->out + writer->used, 0, *at + size - writer->used);
    writer->used = *at + size;
    return writer->out + *at;
}

static bool write_section(struct writer *writer, unsigned index, size_t *at)
{
    static const char *const names[] = {"hsa_data", "hsa_code", "hsa_operand", "vendor_notes"};
    const char *name = names[index < 3 ? index : 3];
    uint64_t size = index < 3 ? writer->size[index] : writer->header;
    uint8_t *out = room(writer, size, at);
    if (!out)
        return false;
    store64(out, size);
    store32(out + 8, writer->header);
    store32(out + 12, (uint32_t)strlen(name));
    memcpy(out + 16, name, strlen(name));
    for (size_t i = 0; index < 3 && i < writer->loose->section[index].items.count; i++) {
        const struct loose_item *item = &writer->loose->section[index].items.items[i];
        write_item(writer, index, item, out + writer->offset[item->number]);
    }
    return true;
}

static size_t write_module(struct writer *writer, const struct loose_layout *layout)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    size_t at, index_at, places[8];
    unsigned count = 3 + layout->more_sections % 4;
    if (!room(writer, sizeof(hsa_brig_module_header_t), &at) || !room(writer, count * 8u, &index_at))
        return 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned section = i < 3 ? orders[layout->order % 6][i] : i;
        if (!write_section(writer, section, &places[section]))
            return 0;
    }
    for (unsigned i = 0; i < count; i++)
        store64(writer->out + index_at + i * 8, places[i]);
    if (!room(writer, 0, &at))
        return 0;
    uint8_t *header = writer->out;
    memcpy(header, "HSA BRIG", 8);
    store32(header + 8, HSA_BRIG_VERSION_BRIG_MAJOR);
    store32(header + 12, writer->loose->brig_minor);
    store64(header + 16, writer->used);
    store32(header + 92, count);
    store64(header + 96, index_at);
    for (unsigned i = 0; i < layout->wrong_bytes % 4; i++)
        writer->out[(layout->wrong_bytes * 37u + i * 11u) % writer->used] ^= (uint8_t)(layout->wrong_bytes >> i);
    return writer->used;
}

size_t loose_write(const struct loose *loose, const struct loose_layout *layout, uint8_t *out, size_t most)
{
    struct writer writer = {
        .loose = loose,
        .offset = mem_zalloc((size_t)loose->numbers + 1, sizeof(uint32_t)),
        .header = 32 + layout->more_header % 8 * 4,
        .out = out,
        .most = most,
    };
    size_t size = writer.offset && place_items(&writer) ? write_module(&writer, layout) : 0;
    mem_free(writer.offset);
    return size;
}
