/* SPDX-License-Identifier: MIT */
/* Writes a module in another legal shape; see foreign.h.
 * Input: an opened module. Output: bytes. Invariant: fields are copied according to the rows of item.def, and
 * references are replaced by those to the copies, so nothing but the shape changes. */
#include "testsuite/brig/foreign.h"

#include "brig/item.h"
#include "support/vec.h"
#include "testsuite/xorshift.h"

#include <stdio.h>

#define DATA HSA_BRIG_SECTION_INDEX_DATA
#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND
#define MOST_REFS 2u  /* the most references that an entry has, apart from those to hsa_code */
#define MOST_EXTRA 4u /* sections beyond the three */
#define NO_ITEM UINT32_MAX

/* An entry to write. */
struct item {
    uint32_t old;            /* its offset in the opened module; 0: it was not there */
    uint32_t at;             /* its offset in the new module */
    const uint8_t *from;     /* hsa_code and hsa_operand: the entry as it was; hsa_data: its bytes */
    uint32_t size, longer;   /* its size, and how many further bytes make it longer */
    uint32_t ref[MOST_REFS]; /* by field: the item of hsa_data or hsa_operand that it refers to */
    uint8_t role;            /* hsa_data: STRING, OPERANDS or CODES */
    uint32_t first;          /* hsa_data, OPERANDS: its elements in `elements` */
};

struct foreign {
    const struct brig_view *view;
    unsigned shapes;
    uint64_t state;
    bool failed;
    VEC(struct item) items[3];
    VEC(uint32_t) elements;
    uint32_t *place[2]; /* by old offset in hsa_code / 4: the new offset; the same for references to a POSITION */
    uint32_t header[3], bytes[3];
};

static uint32_t below(struct foreign *f, uint32_t limit)
{
    return (uint32_t)((xorshift(&f->state) >> 16) % limit);
}

static bool shaped(const struct foreign *f, enum foreign_shape shape)
{
    return f->shapes & shape;
}

/* ---- Following references -------------------------------------------------------------------------- */

/* The fields of an entry that refer to something. */
static unsigned references(const hsa_brig_base_t *entry, const struct brig_field *fields[8])
{
    const struct brig_struct_info *layout = brig_kind(entry->kind)->layout;
    unsigned count = 0;
    if (brig_is_inst(entry))
        for (unsigned i = 0; i < brig_inst_base()->field_count; i++)
            if (brig_inst_base()->fields[i].role >= BRIG_ROLE_STRING)
                fields[count++] = &brig_inst_base()->fields[i];
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].role >= BRIG_ROLE_STRING)
            fields[count++] = &layout->fields[i];
    return count;
}

static bool to_code(const struct brig_field *field)
{
    return field->role == BRIG_ROLE_CODE;
}

static uint32_t put_item(struct foreign *f, unsigned section, struct item item)
{
    if (shaped(f, FOREIGN_LONGER) && section != DATA && below(f, 3) == 0)
        item.longer = 4 * below(f, 6);
    if (!vec_push(&f->items[section], item)) {
        f->failed = true;
        return NO_ITEM;
    }
    return (uint32_t)f->items[section].count - 1;
}

/* The item for the same entry or bytes as WANTED, if there is one and the shape lets references share it. */
static uint32_t known_item(const struct foreign *f, unsigned section, const struct item *wanted)
{
    if (shaped(f, FOREIGN_UNSHARED))
        return NO_ITEM;
    for (uint32_t i = 0; i < f->items[section].count; i++) {
        const struct item *item = &f->items[section].items[i];
        bool same = shaped(f, FOREIGN_SHARED)
                        ? item->size == wanted->size && !memcmp(item->from, wanted->from, item->size)
                        : item->old && item->old == wanted->old;
        if (same && item->role == wanted->role && (item->old || section == DATA))
            return i;
    }
    return NO_ITEM;
}

static uint32_t need_operand(struct foreign *f, uint32_t old);

static uint32_t need_data(struct foreign *f, uint32_t old, uint8_t role)
{
    struct bytes bytes = brig_bytes(f->view, old);
    struct item item = {.old = old, .from = bytes.data, .size = (uint32_t)bytes.size, .role = role};
    uint32_t known = known_item(f, DATA, &item);
    if (known != NO_ITEM)
        return known;
    struct brig_list list = brig_list(f->view, old);
    VEC(uint32_t) found = {0};
    for (uint32_t i = 0; role == BRIG_ROLE_OPERANDS && i < list.count; i++)
        f->failed |= !vec_push(&found, need_operand(f, list.items[i]));
    item.first = (uint32_t)f->elements.count;
    for (size_t i = 0; i < found.count; i++)
        f->failed |= !vec_push(&f->elements, found.items[i]);
    vec_free(&found);
    return put_item(f, DATA, item);
}

/* Adds the items that the fields of an entry refer to, except those in hsa_code. */
static void need_references(struct foreign *f, const hsa_brig_base_t *entry, uint32_t ref[MOST_REFS])
{
    const struct brig_field *fields[8];
    unsigned count = references(entry, fields), used = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t old = (uint32_t)brig_field_value(entry, fields[i]);
        if (to_code(fields[i]))
            continue;
        ref[used++] = !old                                   ? NO_ITEM
                      : fields[i]->role == BRIG_ROLE_OPERAND ? need_operand(f, old)
                                                             : need_data(f, old, fields[i]->role);
    }
}

static uint32_t need_operand(struct foreign *f, uint32_t old)
{
    const hsa_brig_base_t *entry = brig_operand(f->view, old);
    struct item item = {.old = old, .from = (const uint8_t *)entry, .size = entry->byte_count};
    uint32_t known = known_item(f, OPERAND, &item);
    if (known != NO_ITEM)
        return known;
    need_references(f, entry, item.ref);
    return put_item(f, OPERAND, item);
}

/* ---- What the module contains ---------------------------------------------------------------------- */

/* Adds TEXT, which no item has yet, to hsa_data. */
static uint32_t put_text(struct foreign *f, const char *text)
{
    return put_item(
        f, DATA,
        (struct item){.from = (const uint8_t *)text, .size = (uint32_t)strlen(text), .role = BRIG_ROLE_STRING});
}

static void put_annotation(struct foreign *f)
{
    static const uint32_t nothing[8] = {0};
    static const hsa_brig_directive_comment_t comment = {{sizeof comment, HSA_BRIG_KIND_DIRECTIVE_COMMENT}, 0};
    static const hsa_brig_directive_loc_t loc = {{sizeof loc, HSA_BRIG_KIND_DIRECTIVE_LOC}, 0, 7, 9};
    static const hsa_brig_directive_pragma_t pragma = {{sizeof pragma, HSA_BRIG_KIND_DIRECTIVE_PRAGMA}, 0};
    static const hsa_brig_operand_string_t string = {{sizeof string, HSA_BRIG_KIND_OPERAND_STRING}, 0};
    static const uint8_t none[][12] = {{4}, {8}, {12}};
    static const char *const comments[] = {
        "// from elsewhere", "//", "", "no slashes", "two\nlines", "// \t\"\\ \xc3\xa9"};
    struct item item = {0};
    switch (below(f, 4)) {
    case 0:
        item.from = (const uint8_t *)&comment;
        item.ref[0] = put_text(f, comments[below(f, sizeof comments / sizeof *comments)]);
        break;
    case 1:
        item.from = (const uint8_t *)&loc;
        item.ref[0] = put_text(f, below(f, 2) ? "foreign.cl" : "");
        break;
    case 2: {
        item.from = (const uint8_t *)&pragma;
        uint32_t text = put_text(f, "foreign");
        uint32_t operand =
            put_item(f, OPERAND, (struct item){.from = (const uint8_t *)&string, .size = sizeof string, .ref = {text}});
        uint32_t first = (uint32_t)f->elements.count;
        f->failed |= !vec_push(&f->elements, operand);
        item.ref[0] = put_item(
            f, DATA,
            (struct item){.from = (const uint8_t *)nothing, .size = 4, .role = BRIG_ROLE_OPERANDS, .first = first});
        break;
    }
    default: item.from = none[below(f, 3)]; break;
    }
    item.size = load16(item.from);
    f->failed |= !vec_push(&f->items[CODE], item);
}

static void collect(struct foreign *f)
{
    for (uint32_t at = brig_first_code(f->view); at < brig_end_code(f->view); at = brig_next_code(f->view, at)) {
        const hsa_brig_base_t *entry = brig_code(f->view, at);
        struct item item = {.old = at, .from = (const uint8_t *)entry, .size = entry->byte_count};
        while (shaped(f, FOREIGN_ANNOTATIONS) && below(f, 3) == 0)
            put_annotation(f);
        if (entry->kind == HSA_BRIG_KIND_NONE) {
            f->failed |= !vec_push(&f->items[CODE], item);
            continue;
        }
        need_references(f, entry, item.ref);
        put_item(f, CODE, item);
        if (shaped(f, FOREIGN_UNUSED) && below(f, 4) == 0) {
            static const hsa_brig_operand_wavesize_t unused = {{sizeof unused, HSA_BRIG_KIND_OPERAND_WAVESIZE}};
            put_item(f, OPERAND, (struct item){.from = (const uint8_t *)&unused, .size = sizeof unused});
            put_text(f, "nobody's");
        }
    }
    while (shaped(f, FOREIGN_ANNOTATIONS) && below(f, 2) == 0)
        put_annotation(f);
}

/* ---- Where it goes --------------------------------------------------------------------------------- */

static uint32_t length(unsigned section, const struct item *item)
{
    return section == DATA ? 4 + (item->size + 3) / 4 * 4 : item->size + item->longer;
}

/* A random order of N numbers. */
static uint32_t *shuffled(struct foreign *f, size_t n, bool really)
{
    uint32_t *order = mem_zalloc(n + 1, sizeof *order);
    for (uint32_t i = 0; order && i < n; i++)
        order[i] = i;
    for (uint32_t i = (uint32_t)n; order && really && i > 1; i--) {
        uint32_t other = below(f, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    f->failed |= !order;
    return order;
}

static void lay_out(struct foreign *f, unsigned section)
{
    uint32_t at = f->header[section], before = at;
    uint32_t *order = shuffled(f, f->items[section].count, section != CODE && shaped(f, FOREIGN_ORDER));
    for (size_t i = 0; order && i < f->items[section].count; i++) {
        struct item *item = &f->items[section].items[order[i]];
        item->at = at;
        at += length(section, item);
        if (section == CODE && item->old) {
            f->place[0][item->old / 4] = item->at;
            f->place[1][item->old / 4] = below(f, 2) ? before : item->at;
            before = at;
        }
    }
    if (section == CODE) {
        f->place[0][brig_end_code(f->view) / 4] = at;
        f->place[1][brig_end_code(f->view) / 4] = below(f, 2) ? before : at;
    }
    f->bytes[section] = at;
    mem_free(order);
}

/* ---- Writing it ------------------------------------------------------------------------------------ */

static void write_entry(struct foreign *f, uint8_t *to, unsigned section, const struct item *item)
{
    const struct brig_field *fields[8];
    const hsa_brig_base_t *entry = (const void *)item->from;
    uint32_t total = length(section, item);
    memcpy(to, item->from, item->size);
    memcpy(to, &(uint16_t){(uint16_t)total}, 2);
    for (uint32_t i = item->size; i < total; i++)
        to[i] = (uint8_t)below(f, 256);
    if (entry->kind == HSA_BRIG_KIND_NONE)
        return;
    unsigned count = references(entry, fields), used = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = (uint32_t)brig_field_value(entry, fields[i]);
        if (to_code(fields[i])) {
            value = value ? f->place[fields[i]->argument == BRIG_TARGET_POSITION][value / 4] : 0;
        } else {
            uint32_t ref = item->ref[used++];
            value = ref == NO_ITEM ? 0 : f->items[fields[i]->role == BRIG_ROLE_OPERAND ? OPERAND : DATA].items[ref].at;
        }
        memcpy(to + fields[i]->offset, &value, 4);
    }
}

static void write_data(const struct foreign *f, uint8_t *to, const struct item *item)
{
    memcpy(to, &item->size, 4);
    memcpy(to + 4, item->from, item->size);
    for (uint32_t i = 0; item->role != BRIG_ROLE_STRING && i < item->size / 4; i++) {
        uint32_t value = item->role == BRIG_ROLE_OPERANDS
                             ? f->items[OPERAND].items[f->elements.items[item->first + i]].at
                             : f->place[0][load32(item->from + 4 * (size_t)i) / 4];
        memcpy(to + 4 + 4 * (size_t)i, &value, 4);
    }
}

static void write_section(struct foreign *f, uint8_t *to, unsigned section)
{
    for (size_t i = 0; i < f->items[section].count; i++) {
        const struct item *item = &f->items[section].items[i];
        if (section == DATA)
            write_data(f, to + item->at, item);
        else
            write_entry(f, to + item->at, section, item);
    }
}

static void write_header(struct foreign *f, uint8_t *to, const char *name, uint64_t bytes, uint32_t header)
{
    uint32_t name_length = (uint32_t)strlen(name);
    memcpy(to, &bytes, 8);
    memcpy(to + 8, &header, 4);
    memcpy(to + 12, &name_length, 4);
    memcpy(to + 16, name, name_length);
    if (shaped(f, FOREIGN_SECTIONS)) /* bytes that an implementation may keep there, before the padding */
        for (uint32_t i = 16 + name_length; i + 3 < header; i++)
            to[i] = (uint8_t)below(f, 256);
}

static uint64_t aligned(uint64_t at)
{
    return (at + 15) / 16 * 16;
}

static bool write_module(struct foreign *f, uint8_t **module, size_t *size)
{
    static const char *const names[] = {"hsa_data", "hsa_code", "hsa_operand", "", "debug", "no.such.name", "hsa_data"};
    bool odd = shaped(f, FOREIGN_SECTIONS);
    uint32_t count = 3 + (odd ? below(f, MOST_EXTRA + 1) : 0);
    uint64_t place[3 + MOST_EXTRA], bytes[3 + MOST_EXTRA], index = 0, end = sizeof(hsa_brig_module_header_t);
    uint32_t *order = shuffled(f, count + 1, odd);
    for (uint32_t i = 0; order && i <= count; i++) { /* in ORDER, COUNT stands for the index of sections */
        uint32_t which = order[i];
        if (which == count) {
            index = (end + 7) / 8 * 8;
            end = index + 8 * (uint64_t)count;
            continue;
        }
        place[which] = aligned(end);
        bytes[which] = which < 3 ? f->bytes[which] : 40 + 4 * (uint64_t)below(f, 20);
        end = place[which] + bytes[which];
    }
    uint8_t *to = order ? mem_zalloc(aligned(end), 1) : NULL;
    mem_free(order);
    if (!to)
        return false;
    hsa_brig_module_header_t header = {
        .brig_major = 1,
        .brig_minor = f->view->brig_minor,
        .byte_count = aligned(end),
        .section_count = count,
        .section_index = index};
    memcpy(header.identification, "HSA BRIG", 8);
    if (shaped(f, FOREIGN_VERSION))
        header.brig_minor =
            (header.brig_minor + 1 + below(f, HSA_BRIG_VERSION_BRIG_MINOR)) % (HSA_BRIG_VERSION_BRIG_MINOR + 1);
    for (unsigned i = 0; odd && i < sizeof header.hash; i++)
        header.hash[i] = (uint8_t)below(f, 256);
    memcpy(to, &header, sizeof header);
    memcpy(to + index, place, 8 * (size_t)count);
    for (uint32_t i = 0; i < count; i++) {
        write_header(f, to + place[i], names[i], bytes[i], i < 3 ? f->header[i] : 32);
        if (i < 3)
            write_section(f, to + place[i], i);
        else
            memset(to + place[i] + 32, 0xa5, bytes[i] - 32);
    }
    *module = to;
    *size = aligned(end);
    return true;
}

bool foreign_write(const struct brig_view *view, unsigned shapes, uint64_t seed, uint8_t **module, size_t *size)
{
    struct foreign f = {.view = view, .shapes = shapes, .state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1};
    size_t quarters = view->section[CODE].size / 4 + 1;
    f.place[0] = mem_zalloc(quarters, sizeof *f.place[0]);
    f.place[1] = mem_zalloc(quarters, sizeof *f.place[1]);
    bool good = f.place[0] && f.place[1];
    if (good) {
        collect(&f);
        for (unsigned i = 0; i < 3 && !f.failed; i++) {
            f.header[i] = i == OPERAND ? 28 : 24;
            if (shaped(&f, FOREIGN_SECTIONS))
                f.header[i] += 4 * below(&f, 8);
            lay_out(&f, i);
        }
        good = !f.failed && write_module(&f, module, size);
    }
    for (unsigned i = 0; i < 3; i++)
        vec_free(&f.items[i]);
    vec_free(&f.elements);
    mem_free(f.place[0]);
    mem_free(f.place[1]);
    return good;
}
