/* SPDX-License-Identifier: MIT */
/* The mutator of BRIG modules; see mutate.h.
 * Input: bytes. Output: a module with few changes, most of them to something that is legal in that place. Invariant:
 * only what a mutation is about becomes inconsistent. */
#include "testsuite/fuzz/mutate_p.h"

static struct loose_item *any_item(struct mutator *m, unsigned section)
{
    struct loose_section *in = &m->loose.section[section];
    return in->items.count ? &in->items.items[below(m, in->items.count)] : NULL;
}

struct loose_item *some_item(struct mutator *m, unsigned section, fits_fn *fits, uint32_t argument)
{
    struct loose_section *in = &m->loose.section[section];
    size_t start = below(m, in->items.count);
    for (size_t i = 0; i < in->items.count; i++) {
        struct loose_item *item = &in->items.items[(start + i) % in->items.count];
        if (fits(item, argument))
            return item;
    }
    return NULL;
}

bool has_kind(const struct loose_item *item, uint32_t kind)
{
    return loose_kind(item) == kind;
}

static bool has_kind_bit(const struct loose_item *item, uint32_t kinds)
{
    return kinds & brig_kind_bit(loose_kind(item));
}

static bool has_content(const struct loose_item *item, uint32_t content)
{
    return item->content == content;
}

static void store_field(struct loose_item *item, const struct brig_field *field, uint64_t value)
{
    if (item->size >= (uint32_t)field->offset + field->width && field->width <= 8)
        memcpy(item->bytes + field->offset, &value, field->width);
}

static uint64_t field_of(const struct loose_item *item, const struct brig_field *field)
{
    return item->size >= (uint32_t)field->offset + field->width ? brig_field_value(item->bytes, field) : 0;
}

/* ---- Values ---------------------------------------------------------------------------------------- */

uint32_t random_type(struct mutator *m, bool array)
{
    for (;;) {
        uint32_t code = below(m, 0x70);
        if (lang_type(code))
            return array && one_in(m, 2) ? code | HSA_BRIG_TYPE_CLASS_ARRAY : code;
    }
}

uint64_t random_number(struct mutator *m, uint64_t old)
{
    switch (below(m, 5)) {
    case 0: return old + below(m, 3) - 1;
    case 1: return mutate_edge(&m->state);
    case 2: return mutate_next(&m->state);
    case 3: return (uint64_t)mutate_edge(&m->state) << 32 | mutate_edge(&m->state);
    default: return below(m, 40);
    }
}

uint32_t random_enum(struct mutator *m, unsigned set)
{
    uint32_t count = 0;
    while (count < 64 && lang_value_text((enum lang_set)set, count))
        count++;
    return below(m, one_in(m, 16) ? 256 : count);
}

static uint32_t random_opcode(struct mutator *m, uint32_t kind)
{
    for (unsigned tries = 0; tries < 200; tries++) {
        const struct lang_op *op = lang_op(below(m, 160) + (one_in(m, 16) ? HSA_BRIG_OPCODE_FIRST_USER_DEFINED : 0));
        if (op && (op->kind == kind || op->short_kind == kind))
            return op->code;
    }
    return below(m, 256);
}

uint32_t new_data(struct mutator *m, const void *bytes, uint32_t size, enum loose_content content)
{
    struct loose_item *item = loose_insert(&m->loose, DATA, m->loose.section[DATA].items.count, size);
    if (!item)
        return 0;
    if (size)
        memcpy(item->bytes, bytes, size);
    item->content = content;
    return reference_to(item);
}

/* A reference that the field may have; now and then any reference. */
static uint32_t random_reference(struct mutator *m, const struct brig_field *field)
{
    unsigned section = loose_target(field);
    if (one_in(m, 24))
        return one_in(m, 2) ? 0 : reference_to(any_item(m, section));
    switch (field->role) {
    case BRIG_ROLE_STRING: return reference_to(some_item(m, DATA, has_content, LOOSE_BYTES));
    case BRIG_ROLE_OPERANDS: return reference_to(some_item(m, DATA, has_content, LOOSE_OPERANDS));
    case BRIG_ROLE_CODES: return reference_to(some_item(m, DATA, has_content, LOOSE_CODES));
    default: break;
    }
    if (field->argument == BRIG_TARGET_POSITION)
        return one_in(m, 8) ? LOOSE_END : reference_to(any_item(m, CODE));
    return reference_to(some_item(m, section, has_kind_bit, brig_target_kinds((enum brig_target)field->argument)));
}

static uint64_t random_value(struct mutator *m, const struct loose_item *item, const struct brig_field *field)
{
    uint64_t old = field_of(item, field);
    switch ((enum brig_role)field->role) {
    case BRIG_ROLE_TYPE: return random_type(m, field->argument == BRIG_TYPES_ARRAY);
    case BRIG_ROLE_ENUM: return random_enum(m, field->argument);
    case BRIG_ROLE_FLAGS: return old ^ UINT64_C(1) << below(m, one_in(m, 16) ? 8 : 2);
    case BRIG_ROLE_OPCODE: return random_opcode(m, loose_kind(item));
    case BRIG_ROLE_NUMBER: return random_number(m, old);
    case BRIG_ROLE_ZERO: return one_in(m, 32) ? random_number(m, old) : 0;
    case BRIG_ROLE_STRING:
    case BRIG_ROLE_OPERANDS:
    case BRIG_ROLE_CODES:
    case BRIG_ROLE_OPERAND:
    case BRIG_ROLE_CODE: return random_reference(m, field);
    default: return old;
    }
}

/* ---- Mutations ------------------------------------------------------------------------------------- */

static void change_field(struct mutator *m)
{
    const struct brig_field *fields[LOOSE_MOST_FIELDS];
    struct loose_item *item = any_item(m, one_in(m, 3) ? OPERAND : CODE);
    unsigned count = item ? loose_fields(loose_kind(item), fields) : 0;
    if (count) {
        const struct brig_field *field = fields[below(m, count)];
        store_field(item, field, random_value(m, item, field));
    }
}

/* Changes the header of an entry: its kind, or its byte count to a wrong one. */
static void change_base(struct mutator *m)
{
    struct loose_item *item = any_item(m, one_in(m, 2) ? OPERAND : CODE);
    if (!item || item->size < 4)
        return;
    if (one_in(m, 3))
        store16(item->bytes, (uint16_t)random_number(m, load16(item->bytes)));
    else
        store16(item->bytes + 2, (uint16_t)((loose_kind(item) & ~31u) | below(m, 20)));
}

/* Makes an entry longer than its structure. */
static void lengthen(struct mutator *m)
{
    struct loose_item *item = any_item(m, one_in(m, 2) ? OPERAND : CODE);
    uint32_t more = 4 * (1 + below(m, 3));
    if (!item || item->size < 4 || item->size > 1000)
        return;
    uint8_t *bytes = arena_zalloc(&m->loose.memory, 1, item->size + more);
    if (!bytes)
        return;
    memcpy(bytes, item->bytes, item->size);
    if (one_in(m, 2))
        memset(bytes + item->size, 0xa5, more);
    item->bytes = bytes;
    item->size += more;
    store16(bytes, (uint16_t)item->size);
}

static struct loose_item *copy_item(struct mutator *m, unsigned section, size_t from, size_t to)
{
    struct loose_section *in = &m->loose.section[section];
    uint32_t size = in->items.items[from].size;
    struct loose_item *copy = loose_insert(&m->loose, section, to, size);
    if (copy) {
        const struct loose_item *item = &in->items.items[from + (to <= from)];
        memcpy(copy->bytes, item->bytes, size);
        copy->content = item->content;
    }
    return copy;
}

/* Repeats, moves or removes entries of a section. */
static void change_order(struct mutator *m)
{
    unsigned section = one_in(m, 4) ? below(m, 3) : CODE;
    struct loose_section *in = &m->loose.section[section];
    if (in->items.count < 2)
        return;
    size_t one = below(m, in->items.count), two = one_in(m, 2) ? below(m, in->items.count) : one + 1;
    two = two < in->items.count ? two : 0;
    switch (below(m, 3)) {
    case 0: copy_item(m, section, one, two); break;
    case 1: loose_remove(&m->loose, section, one); break;
    default: {
        struct loose_item item = in->items.items[one];
        in->items.items[one] = in->items.items[two];
        in->items.items[two] = item;
    }
    }
}

/* Changes the number or order of the elements of a list. */
static void change_list(struct mutator *m)
{
    struct loose_item *list = some_item(m, DATA, has_content, one_in(m, 4) ? LOOSE_CODES : LOOSE_OPERANDS);
    if (!list)
        return;
    unsigned section = list->content == LOOSE_CODES ? CODE : OPERAND;
    uint32_t count = list->size / 4;
    uint8_t *element = list->bytes + below(m, count) * 4;
    const struct loose_item *old = count ? loose_find(&m->loose, section, load32(element)) : NULL;
    uint32_t other =
        reference_to(old && !one_in(m, 8) ? some_item(m, section, has_kind, loose_kind(old)) : any_item(m, section));
    uint8_t *bytes = arena_zalloc(&m->loose.memory, 1, list->size + 8);
    switch (below(m, 5)) {
    case 0: list->size -= count ? 4 : 0; break;
    case 1:
        if (!bytes)
            return;
        if (list->size)
            memcpy(bytes, list->bytes, list->size);
        store32(bytes + list->size, other);
        list->bytes = bytes;
        list->size += 4;
        break;
    default:
        if (count)
            store32(element, other);
    }
}

/* Changes a name, comment, file name or constant. */
static void change_bytes(struct mutator *m)
{
    struct loose_item *item = some_item(m, DATA, has_content, LOOSE_BYTES);
    uint8_t buffer[256];
    if (!item || item->size > sizeof buffer / 2)
        return;
    size_t size = item->size;
    if (size)
        memcpy(buffer, item->bytes, size);
    if (size && one_in(m, 3)) {
        static const uint8_t odd[] = "&%@$_.0aZ/\\\"\n\r\t\0\x7f\x80\xff";
        buffer[below(m, size)] = odd[below(m, sizeof odd - 1)];
    } else if (one_in(m, 2)) {
        for (size_t i = 0; i < size; i++)
            buffer[i] = one_in(m, 2) ? (uint8_t)mutate_next(&m->state) : buffer[i];
    } else {
        size = m->bytes(buffer, size, sizeof buffer);
    }
    uint8_t *bytes = arena_zalloc(&m->loose.memory, 1, align_up(size, 4) + 4);
    if (!bytes)
        return;
    memcpy(bytes, buffer, size);
    item->bytes = bytes;
    item->size = (uint32_t)size;
}

/* Gives a constant another type, and bytes of its own that suit the type. */
static void change_constant(struct mutator *m)
{
    struct loose_item *item = some_item(m, OPERAND, has_kind, HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES);
    uint8_t bytes[64];
    if (!item || item->size < sizeof(hsa_brig_operand_constant_bytes_t))
        return;
    hsa_brig_operand_constant_bytes_t *constant = (void *)item->bytes;
    uint32_t type = one_in(m, 3) ? random_type(m, true) : constant->type, size = lang_type_size(type);
    uint32_t count = lang_type_is_array(type) ? 1 + below(m, 3) : 1;
    for (uint32_t i = 0; i < sizeof bytes / 4; i++)
        store32(bytes + i * 4, (uint32_t)random_number(m, 0));
    constant->type = (uint16_t)type;
    constant->bytes = new_data(m, bytes, size * count < sizeof bytes ? size * count : 4, LOOSE_BYTES);
}

/* Inserts an entry of any kind, with values that its fields may have. */
static void insert_entry(struct mutator *m)
{
    const struct brig_field *fields[LOOSE_MOST_FIELDS];
    bool operand = one_in(m, 2);
    uint32_t kind = operand ? HSA_BRIG_KIND_OPERAND_BEGIN + below(m, 14) : HSA_BRIG_KIND_DIRECTIVE_BEGIN + below(m, 16);
    unsigned section = operand ? OPERAND : CODE, count = loose_fields(kind, fields);
    uint32_t size = brig_kind(kind)->layout->size;
    struct loose_item *item =
        loose_insert(&m->loose, section, below(m, m->loose.section[section].items.count + 1), size);
    if (!item)
        return;
    store16(item->bytes, (uint16_t)size);
    store16(item->bytes + 2, (uint16_t)kind);
    for (unsigned i = 0; i < count; i++)
        store_field(item, fields[i], random_value(m, item, fields[i]));
    uint32_t reference = reference_to(item);
    struct loose_item *list = operand ? some_item(m, DATA, has_content, LOOSE_OPERANDS) : NULL;
    if (list && list->size)
        store32(list->bytes + below(m, list->size / 4) * 4, reference);
}

static void change_something(struct mutator *m)
{
    switch (below(m, 16)) {
    case 0: change_base(m); break;
    case 1: lengthen(m); break;
    case 2:
    case 3: change_order(m); break;
    case 4:
    case 5: change_list(m); break;
    case 6: change_bytes(m); break;
    case 7: change_constant(m); break;
    case 8:
    case 9:
    case 10: insert_instruction(m); break;
    case 11: insert_entry(m); break;
    default: change_field(m); break;
    }
}

size_t mutate_brig(uint8_t *data, size_t size, size_t most, uint64_t seed, mutate_bytes_fn *bytes)
{
    struct mutator m = {.state = seed, .bytes = bytes};
    size_t result = 0;
    void *copy = size ? malloc(size) : NULL; /* aligned */
    if (copy)
        memcpy(copy, data, size);
    if (copy && !one_in(&m, 16) && loose_read(&m.loose, copy, size)) {
        for (uint32_t n = 1 + (one_in(&m, 6) ? below(&m, 8) : 0); n; n--)
            change_something(&m);
        if (one_in(&m, 16))
            m.loose.brig_minor = below(&m, 4);
        struct loose_layout layout = {0};
        if (one_in(&m, 16)) {
            unsigned wrong = one_in(&m, 2) ? below(&m, 256) : 0;
            layout = (struct loose_layout){below(&m, 6), below(&m, 4), below(&m, 8), wrong};
        }
        result = loose_write(&m.loose, &layout, data, most);
    }
    loose_free(&m.loose);
    if (!result) {
        if (copy)
            memcpy(data, copy, size);
        result = bytes(data, size, most);
    }
    free(copy);
    return result;
}
