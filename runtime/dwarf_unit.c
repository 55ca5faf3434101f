/* SPDX-License-Identifier: MIT */
/* Reading entries of .debug_info. (DWARF 5, sections 2 and 7; version 4 without its lists of locations and ranges)
 * Input: sections that may hold anything. Output: entries and what their attributes mean.
 * Invariant: nothing outside the sections is read; no more steps are made than the budget has. */
#include "runtime/dwarf_unit.h"

enum {
    FORM_ADDR = 0x01,
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_BLOCK1 = 0x0a,
    FORM_FLAG = 0x0c,
    FORM_SDATA = 0x0d,
    FORM_REF_ADDR = 0x10,
    FORM_REF1 = 0x11,
    FORM_REF2 = 0x12,
    FORM_REF4 = 0x13,
    FORM_REF8 = 0x14,
    FORM_REF_UDATA = 0x15,
    FORM_SEC_OFFSET = 0x17,
    FORM_EXPRLOC = 0x18,
    FORM_FLAG_PRESENT = 0x19,
    FORM_STRX = 0x1a,
    FORM_ADDRX = 0x1b,
    FORM_REF_SIG8 = 0x20,
    FORM_IMPLICIT_CONST = 0x21,
    FORM_LOCLISTX = 0x22,
    FORM_RNGLISTX = 0x23,
    FORM_STRX1 = 0x25,
    FORM_STRX2 = 0x26,
    FORM_STRX3 = 0x27,
    FORM_STRX4 = 0x28,
    FORM_ADDRX1 = 0x29,
    FORM_ADDRX2 = 0x2a,
    FORM_ADDRX3 = 0x2b,
    FORM_ADDRX4 = 0x2c,
};

struct dwarf_sections dwarf_sections_of(const struct code_object *object, uint64_t *budget)
{
    return (struct dwarf_sections){
        .info = code_object_section(object, ".debug_info"),
        .abbreviations = code_object_section(object, ".debug_abbrev"),
        .strings = code_object_section(object, ".debug_str"),
        .line_strings = code_object_section(object, ".debug_line_str"),
        .string_offsets = code_object_section(object, ".debug_str_offsets"),
        .addresses = code_object_section(object, ".debug_addr"),
        .ranges = code_object_section(object, ".debug_rnglists"),
        .locations = code_object_section(object, ".debug_loclists"),
        .budget = budget};
}

/* Takes one step; C fails when there is none left. */
static void spend(const struct dwarf_unit *u, struct dwarf_cursor *c)
{
    if (*u->sections->budget)
        --*u->sections->budget;
    else
        c->failed = true;
}

/* ---- attributes ---- */

static struct dwarf_value number_of(enum dwarf_class class, uint64_t number)
{
    return (struct dwarf_value){.class = class, .number = number};
}

static struct dwarf_value take_block(struct dwarf_cursor *c, uint64_t size)
{
    return (struct dwarf_value){.class = DWARF_BLOCK, .block = dwarf_range(c, size)};
}

static struct dwarf_value take_text(const char *text)
{
    return (struct dwarf_value){.class = DWARF_TEXT, .text = text};
}

static struct dwarf_value take_value(const struct dwarf_unit *u, struct dwarf_cursor *c, uint64_t form,
                                     uint64_t implicit)
{
    switch (form) {
    case FORM_ADDR: return number_of(DWARF_ADDRESS, dwarf_number(c, 8));
    case FORM_ADDRX: return number_of(DWARF_ADDRESS_INDEX, dwarf_leb(c, false));
    case FORM_ADDRX1: return number_of(DWARF_ADDRESS_INDEX, dwarf_number(c, 1));
    case FORM_ADDRX2: return number_of(DWARF_ADDRESS_INDEX, dwarf_number(c, 2));
    case FORM_ADDRX3: return number_of(DWARF_ADDRESS_INDEX, dwarf_number(c, 3));
    case FORM_ADDRX4: return number_of(DWARF_ADDRESS_INDEX, dwarf_number(c, 4));
    case FORM_BLOCK1: return take_block(c, dwarf_number(c, 1));
    case FORM_BLOCK2: return take_block(c, dwarf_number(c, 2));
    case FORM_BLOCK4: return take_block(c, dwarf_number(c, 4));
    case DWARF_FORM_BLOCK:
    case FORM_EXPRLOC: return take_block(c, dwarf_leb(c, false));
    case DWARF_FORM_DATA1:
    case FORM_FLAG: return number_of(DWARF_CONSTANT, dwarf_number(c, 1));
    case DWARF_FORM_DATA2: return number_of(DWARF_CONSTANT, dwarf_number(c, 2));
    case DWARF_FORM_DATA4:
    case FORM_SEC_OFFSET: return number_of(DWARF_CONSTANT, dwarf_number(c, 4));
    case DWARF_FORM_DATA8: return number_of(DWARF_CONSTANT, dwarf_number(c, 8));
    case DWARF_FORM_DATA16: return take_block(c, 16);
    case DWARF_FORM_UDATA: return number_of(DWARF_CONSTANT, dwarf_leb(c, false));
    case FORM_SDATA: return number_of(DWARF_CONSTANT, dwarf_leb(c, true));
    case FORM_FLAG_PRESENT: return number_of(DWARF_CONSTANT, 1);
    case FORM_IMPLICIT_CONST: return number_of(DWARF_CONSTANT, implicit);
    case FORM_REF1: return number_of(DWARF_REFERENCE, dwarf_number(c, 1));
    case FORM_REF2: return number_of(DWARF_REFERENCE, dwarf_number(c, 2));
    case FORM_REF4: return number_of(DWARF_REFERENCE, dwarf_number(c, 4));
    case FORM_REF8: return number_of(DWARF_REFERENCE, dwarf_number(c, 8));
    case FORM_REF_UDATA: return number_of(DWARF_REFERENCE, dwarf_leb(c, false));
    case FORM_REF_ADDR: return number_of(DWARF_ABSENT, dwarf_number(c, 4)); /* in other units */
    case FORM_REF_SIG8: return number_of(DWARF_ABSENT, dwarf_number(c, 8));
    case DWARF_FORM_STRING: return take_text(dwarf_text(c));
    case DWARF_FORM_STRP: return take_text(dwarf_text_at(u->sections->strings, dwarf_number(c, 4)));
    case DWARF_FORM_LINE_STRP: return take_text(dwarf_text_at(u->sections->line_strings, dwarf_number(c, 4)));
    case FORM_STRX: return number_of(DWARF_TEXT_INDEX, dwarf_leb(c, false));
    case FORM_STRX1: return number_of(DWARF_TEXT_INDEX, dwarf_number(c, 1));
    case FORM_STRX2: return number_of(DWARF_TEXT_INDEX, dwarf_number(c, 2));
    case FORM_STRX3: return number_of(DWARF_TEXT_INDEX, dwarf_number(c, 3));
    case FORM_STRX4: return number_of(DWARF_TEXT_INDEX, dwarf_number(c, 4));
    case FORM_LOCLISTX:
    case FORM_RNGLISTX: return number_of(DWARF_LIST_INDEX, dwarf_leb(c, false));
    default: c->failed = true;
    }
    return number_of(DWARF_ABSENT, 0);
}

static void keep(struct dwarf_entry *entry, uint64_t attribute, const struct dwarf_value *value)
{
    switch (attribute) {
#define DWARF_ATTRIBUTE(name, number)                                                                                  \
    case number: entry->value[DWARF_AT_##name] = *value; break;
        DWARF_ATTRIBUTES(DWARF_ATTRIBUTE)
#undef DWARF_ATTRIBUTE
    default: break;
    }
}

bool dwarf_entry_take(const struct dwarf_unit *u, struct dwarf_cursor *c, struct dwarf_entry *entry)
{
    uint64_t number = dwarf_leb(c, false);
    memset(entry, 0, sizeof *entry);
    if (!number || c->failed)
        return !c->failed;
    if (number > u->abbreviations.count)
        return false;
    struct dwarf_cursor form = dwarf_at(u->sections->abbreviations, u->abbreviations.items[number - 1]);
    entry->tag = dwarf_leb(&form, false);
    entry->has_children = dwarf_number(&form, 1);
    while (!c->failed && !form.failed) {
        spend(u, c);
        uint64_t attribute = dwarf_leb(&form, false), kind = dwarf_leb(&form, false), implicit = 0;
        if (kind == FORM_IMPLICIT_CONST)
            implicit = dwarf_leb(&form, true);
        if (!attribute && !kind)
            break;
        struct dwarf_value value = take_value(u, c, kind, implicit);
        keep(entry, attribute, &value);
    }
    return !c->failed && !form.failed && entry->tag;
}

bool dwarf_entry_from(const struct dwarf_unit *u, const struct dwarf_value *value, struct dwarf_entry *entry,
                      struct dwarf_cursor *c)
{
    *c = dwarf_at(u->bytes, value->number);
    return value->class == DWARF_REFERENCE && !c->failed && dwarf_entry_take(u, c, entry) && entry->tag;
}

bool dwarf_entry_at(const struct dwarf_unit *u, const struct dwarf_value *value, struct dwarf_entry *entry)
{
    struct dwarf_cursor c;
    return dwarf_entry_from(u, value, entry, &c);
}

const char *dwarf_value_text(const struct dwarf_unit *u, const struct dwarf_value *value)
{
    if (value->class == DWARF_TEXT)
        return value->text;
    uint64_t base = u->root.value[DWARF_AT_STRINGS_BASE].number, at;
    if (value->class != DWARF_TEXT_INDEX || value->number > UINT32_MAX || base > UINT32_MAX)
        return "";
    struct dwarf_cursor c = dwarf_at(u->sections->string_offsets, base + 4 * value->number);
    at = dwarf_number(&c, 4);
    return c.failed ? "" : dwarf_text_at(u->sections->strings, at);
}

uint64_t dwarf_indexed_address(const struct dwarf_unit *u, uint64_t index)
{
    uint64_t base = u->root.value[DWARF_AT_ADDRESSES_BASE].number;
    if (index > UINT32_MAX || base > UINT32_MAX)
        return 0;
    struct dwarf_cursor c = dwarf_at(u->sections->addresses, base + 8 * index);
    return dwarf_number(&c, 8);
}

uint64_t dwarf_value_address(const struct dwarf_unit *u, const struct dwarf_value *value)
{
    return value->class == DWARF_ADDRESS         ? value->number
           : value->class == DWARF_ADDRESS_INDEX ? dwarf_indexed_address(u, value->number)
                                                 : 0;
}

/* ---- lists of ranges, and of locations, which are ranges with an expression each ---- */

enum list_entry {
    LIST_END,
    LIST_BASE_INDEX,
    LIST_INDICES,
    LIST_INDEX_LENGTH,
    LIST_OFFSETS,
    LIST_DEFAULT, /* lists of ranges have no such entry: for them, all that follow have numbers that are less by one */
    LIST_BASE,
    LIST_ADDRESSES,
    LIST_ADDRESS_LENGTH,
};

struct list_range {
    uint64_t base, first, end;
};

/* Takes what ENTRY says of the range. Returns whether it is one. */
static bool take_list_range(const struct dwarf_unit *u, struct dwarf_cursor *c, unsigned entry, struct list_range *r)
{
    switch (entry) {
    case LIST_BASE_INDEX: r->base = dwarf_indexed_address(u, dwarf_leb(c, false)); return false;
    case LIST_BASE: r->base = dwarf_number(c, 8); return false;
    case LIST_INDICES:
        r->first = dwarf_indexed_address(u, dwarf_leb(c, false));
        r->end = dwarf_indexed_address(u, dwarf_leb(c, false));
        return true;
    case LIST_INDEX_LENGTH:
        r->first = dwarf_indexed_address(u, dwarf_leb(c, false));
        r->end = r->first + dwarf_leb(c, false);
        return true;
    case LIST_OFFSETS:
        r->first = r->base + dwarf_leb(c, false);
        r->end = r->base + dwarf_leb(c, false);
        return true;
    case LIST_DEFAULT: *r = (struct list_range){r->base, 0, UINT64_MAX}; return true;
    case LIST_ADDRESSES:
        r->first = dwarf_number(c, 8);
        r->end = dwarf_number(c, 8);
        return true;
    case LIST_ADDRESS_LENGTH:
        r->first = dwarf_number(c, 8);
        r->end = r->first + dwarf_leb(c, false);
        return true;
    default: c->failed = true; return false;
    }
}

/* Whether the list of VALUE, in SECTION, has ADDRESS; *EXPRESSION, unless NULL, is what it says of it. */
static bool search_list(const struct dwarf_unit *u, struct bytes section, uint64_t base,
                        const struct dwarf_value *value, uint64_t address, struct bytes *expression)
{
    uint64_t at = value->number;
    if (value->class == DWARF_LIST_INDEX) {
        struct dwarf_cursor index =
            dwarf_at(section, at < UINT32_MAX && base < UINT32_MAX ? base + 4 * at : UINT64_MAX);
        at = base + dwarf_number(&index, 4);
        if (index.failed)
            return false;
    }
    struct dwarf_cursor c = dwarf_at(section, at);
    struct list_range range = {.base = dwarf_value_address(u, &u->root.value[DWARF_AT_LOW_PC])};
    while (!c.failed) {
        spend(u, &c);
        unsigned entry = (unsigned)dwarf_number(&c, 1);
        if (entry == LIST_END)
            break;
        if (!expression && entry >= LIST_DEFAULT)
            entry++;
        if (!take_list_range(u, &c, entry, &range))
            continue;
        struct bytes said = expression ? dwarf_range(&c, dwarf_leb(&c, false)) : (struct bytes){NULL, 0};
        if (c.failed || address < range.first || address >= range.end)
            continue;
        if (expression)
            *expression = said;
        return true;
    }
    return false;
}

bool dwarf_entry_covers(const struct dwarf_unit *u, const struct dwarf_entry *entry, uint64_t address)
{
    const struct dwarf_value *ranges = &entry->value[DWARF_AT_RANGES], *high = &entry->value[DWARF_AT_HIGH_PC];
    if (ranges->class != DWARF_ABSENT)
        return u->version >= 5 &&
               search_list(u, u->sections->ranges, u->root.value[DWARF_AT_RANGES_BASE].number, ranges, address, NULL);
    if (high->class == DWARF_ABSENT)
        return false;
    uint64_t low = dwarf_value_address(u, &entry->value[DWARF_AT_LOW_PC]);
    uint64_t end = high->class == DWARF_CONSTANT ? low + high->number : dwarf_value_address(u, high);
    return address >= low && address < end;
}

struct bytes dwarf_value_location(const struct dwarf_unit *u, const struct dwarf_value *value, uint64_t address)
{
    struct bytes expression = {NULL, 0};
    if (value->class == DWARF_BLOCK)
        return value->block;
    if (u->version >= 5 && (value->class == DWARF_CONSTANT || value->class == DWARF_LIST_INDEX))
        search_list(u, u->sections->locations, u->root.value[DWARF_AT_LOCATIONS_BASE].number, value, address,
                    &expression);
    return expression;
}

/* ---- units ---- */

/* Notes where the abbreviations from OFFSET on are. Their numbers have to be 1, 2, 3 and so on, as compilers give them.
 */
static bool find_abbreviations(struct dwarf_unit *u, uint64_t offset)
{
    struct bytes section = u->sections->abbreviations;
    struct dwarf_cursor c = dwarf_at(section, offset);
    while (!c.failed) {
        uint64_t number = dwarf_leb(&c, false), attribute, form;
        if (!number)
            break;
        if (number != u->abbreviations.count + 1 || section.size > UINT32_MAX ||
            !vec_push(&u->abbreviations, (uint32_t)(c.left.data - section.data)))
            return false;
        dwarf_leb(&c, false);
        dwarf_number(&c, 1);
        do {
            spend(u, &c);
            attribute = dwarf_leb(&c, false);
            form = dwarf_leb(&c, false);
            if (form == FORM_IMPLICIT_CONST)
                dwarf_leb(&c, true);
        } while (!c.failed && (attribute || form));
    }
    return !c.failed;
}

bool dwarf_unit_open(struct dwarf_unit *u, const struct dwarf_sections *sections, struct dwarf_cursor *info)
{
    enum { UNIT_COMPILE = 1 };
    *u = (struct dwarf_unit){.sections = sections, .bytes = info->left};
    spend(u, info);
    uint64_t length = dwarf_number(info, 4), abbreviations;
    if (length == UINT32_MAX) { /* units of 64 bits, which nobody makes */
        info->failed = true;
        return false;
    }
    struct dwarf_cursor c = {.left = dwarf_range(info, length)};
    u->bytes.size = (size_t)length + 4;
    if (info->failed)
        return false;
    u->version = (unsigned)dwarf_number(&c, 2);
    uint64_t type = u->version >= 5 ? dwarf_number(&c, 1) : UNIT_COMPILE, address_size;
    if (u->version >= 5) {
        address_size = dwarf_number(&c, 1);
        abbreviations = dwarf_number(&c, 4);
    } else {
        abbreviations = dwarf_number(&c, 4);
        address_size = dwarf_number(&c, 1);
    }
    if (c.failed || u->version < 4 || u->version > 5 || type != UNIT_COMPILE || address_size != 8 ||
        !find_abbreviations(u, abbreviations) || !dwarf_entry_take(u, &c, &u->root))
        return false;
    u->entries = c;
    return true;
}

void dwarf_unit_visit(const struct dwarf_unit *u, uint64_t address, dwarf_visit *visit, void *data)
{
    struct dwarf_cursor c = u->entries;
    struct dwarf_entry entry;
    uint64_t depth = 1, outside = UINT64_MAX; /* entries deeper than OUTSIDE do not have the address */
    uint64_t spaces = 0;                      /* the namespaces that the entry is in */
    while (u->root.has_children && depth && dwarf_entry_take(u, &c, &entry)) {
        if (!entry.tag) {
            depth--;
            outside = depth <= outside ? UINT64_MAX : outside;
            spaces -= spaces && depth == spaces;
            continue;
        }
        if (entry.tag == DWARF_TAG_NAMESPACE && depth == spaces + 1) {
            spaces += entry.has_children;
            depth += entry.has_children;
            continue;
        }
        bool is_scope = entry.tag == DWARF_TAG_SUBPROGRAM || entry.tag == DWARF_TAG_INLINED_SUBROUTINE ||
                        entry.tag == DWARF_TAG_LEXICAL_BLOCK;
        bool inside = is_scope && outside == UINT64_MAX && dwarf_entry_covers(u, &entry, address);
        if (inside || (outside == UINT64_MAX && !is_scope))
            visit(u, &entry, depth - spaces, data);
        if (!inside && outside == UINT64_MAX && entry.has_children)
            outside = depth;
        depth += entry.has_children;
    }
}

void dwarf_unit_close(struct dwarf_unit *u)
{
    vec_free(&u->abbreviations);
}
