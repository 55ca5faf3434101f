/* SPDX-License-Identifier: MIT */
/* Finding a variable in the DWARF entries of a code object, and where it is at an instruction.
 * Input: a code object whose debug information may hold anything. Output: type and location, an expression that an
 * agent evaluates. Invariant: nothing outside the sections is read, and no more than BUDGET steps are made. */
#include "runtime/variables.h"

#include "runtime/dwarf_unit.h"
#include "runtime/lines.h"

enum { BUDGET = 1 << 25 }; /* attributes and entries of lists */

/* ---- expressions ---- */

enum operand { NO_SUCH, NOTHING, BYTES1, BYTES2, BYTES4, BYTES8, UNSIGNED, SIGNED, REGISTER_SIGNED, ENTRY, ADDRESS };

/* What follows OPERATION. */
static enum operand operand_of(unsigned operation)
{
    if ((operation >= 0x30 && operation <= 0x4f) || (operation >= 0x19 && operation <= 0x22) ||
        (operation >= 0x24 && operation <= 0x27) || (operation >= 0x29 && operation <= 0x2e))
        return NOTHING; /* literals, arithmetic, comparisons */
    switch (operation) {
    case HSAM_OP_DUP:
    case HSAM_OP_DROP:
    case HSAM_OP_SWAP:
    case HSAM_OP_XDEREF:
    case HSAM_OP_STACK_VALUE: return NOTHING;
    case HSAM_OP_CONST1U:
    case HSAM_OP_CONST1S: return BYTES1;
    case HSAM_OP_CONST2U:
    case HSAM_OP_CONST2S: return BYTES2;
    case HSAM_OP_CONST4U:
    case HSAM_OP_CONST4S: return BYTES4;
    case HSAM_OP_ADDR:
    case HSAM_OP_CONST8U:
    case HSAM_OP_CONST8S: return BYTES8;
    case HSAM_OP_CONSTU:
    case HSAM_OP_PLUS_UCONST:
    case HSAM_OP_REGX:
    case HSAM_OP_PIECE: return UNSIGNED;
    case HSAM_OP_CONSTS:
    case HSAM_OP_FBREG: return SIGNED;
    case HSAM_OP_BREGX: return REGISTER_SIGNED;
    case HSAM_OP_CONVERT: return ENTRY;
    case HSAM_OP_ADDRX: return ADDRESS;
    default: return NO_SUCH;
    }
}

struct writer {
    uint8_t *at;
    uint32_t size, room;
    bool full;
};

static void put(struct writer *w, const void *data, size_t size)
{
    w->full |= size > w->room - w->size;
    if (w->full)
        return;
    memcpy(w->at + w->size, data, size);
    w->size += (uint32_t)size;
}

/* An address of the file's address space; nothing that is loaded is at 0. */
static void put_address(struct writer *w, uint64_t address, uint64_t loaded)
{
    uint8_t operation[9] = {HSAM_OP_ADDR};
    store64(operation + 1, address ? address + loaded : 0);
    put(w, operation, sizeof operation);
}

/* The size of the type to convert to, with the highest bit set if it is signed; 0: the general one, 255: not known. */
static uint8_t conversion(const struct dwarf_unit *u, uint64_t offset)
{
    struct dwarf_entry type;
    if (!offset)
        return 0;
    if (!dwarf_entry_at(u, &(struct dwarf_value){.class = DWARF_REFERENCE, .number = offset}, &type) ||
        type.tag != DWARF_TAG_BASE_TYPE || type.value[DWARF_AT_BYTE_SIZE].number > 8)
        return UINT8_MAX;
    uint64_t encoding = type.value[DWARF_AT_ENCODING].number;
    return (uint8_t)(type.value[DWARF_AT_BYTE_SIZE].number |
                     (encoding == HSAM_NUMBER_SIGNED || encoding == HSAM_NUMBER_SIGNED_CHAR ? 0x80 : 0));
}

/* Copies EXPRESSION, with what refers to other sections replaced, and LOADED added to addresses. Returns its size
 * there, 0 if it cannot be said. */
static uint32_t copy_expression(const struct dwarf_unit *u, uint64_t loaded, struct bytes expression, uint8_t *to,
                                uint32_t room)
{
    struct writer w = {to, 0, room, false};
    struct dwarf_cursor c = {.left = expression};
    while (c.left.size && !c.failed) {
        const uint8_t *begin = c.left.data;
        uint8_t operation = (uint8_t)dwarf_number(&c, 1);
        enum operand operand = operand_of(operation);
        if (operand == NO_SUCH)
            return 0;
        if (operand >= BYTES1 && operand <= BYTES8)
            dwarf_range(&c, (uint64_t)1 << (operand - BYTES1));
        if (operand >= UNSIGNED)
            dwarf_leb(&c, false); /* the bytes of a signed number are as many */
        if (operand == REGISTER_SIGNED)
            dwarf_leb(&c, true);
        struct dwarf_cursor number = {.left = {begin + 1, (size_t)(c.left.data - begin - 1)}};
        if (operand == ENTRY) {
            uint8_t converted[] = {operation, conversion(u, dwarf_leb(&number, false))};
            if (converted[1] == UINT8_MAX)
                return 0;
            put(&w, converted, sizeof converted);
        } else if (operand == ADDRESS) {
            put_address(&w, dwarf_indexed_address(u, dwarf_leb(&number, false)), loaded);
        } else if (operation == HSAM_OP_ADDR) {
            put_address(&w, dwarf_number(&number, 8), loaded);
        } else {
            put(&w, begin, (size_t)(c.left.data - begin));
        }
    }
    return c.failed || w.full ? 0 : w.size;
}

/* ---- entries ---- */

struct variable_search {
    const struct dwarf_unit *unit;
    uint64_t address, loaded;
    const char *name; /* NULL: all names are wanted */
    hsam_variable *found;
    bool global; /* what belongs to no function is wanted, and nothing else */
    bool has;
    struct bytes frame; /* the frame base of the function */
    char *names;
    size_t names_size, names_used, count; /* COUNT may be more names than there is room for */
};

/* An attribute of ENTRY, or of the entry that it is an instance of. */
static struct dwarf_value attribute(const struct dwarf_unit *u, const struct dwarf_entry *entry,
                                    enum dwarf_attribute which)
{
    struct dwarf_entry origin;
    if (entry->value[which].class == DWARF_ABSENT && dwarf_entry_at(u, &entry->value[DWARF_AT_ORIGIN], &origin))
        return origin.value[which];
    return entry->value[which];
}

/* The type that VALUE refers to, without other names and qualifiers of it; C is what follows its entry. */
static bool type_at(const struct dwarf_unit *u, struct dwarf_value value, struct dwarf_entry *type,
                    struct dwarf_cursor *c)
{
    enum { STEPS = 16 };
    for (unsigned i = 0; i < STEPS && dwarf_entry_from(u, &value, type, c); i++) {
        if (type->tag != DWARF_TAG_TYPEDEF && type->tag != DWARF_TAG_CONST_TYPE && type->tag != DWARF_TAG_VOLATILE_TYPE)
            return true;
        value = type->value[DWARF_AT_TYPE];
    }
    return false;
}

/* The elements of the array whose children C is at; 0: it has more than one dimension, or nobody says how many. */
static uint64_t count_at(const struct dwarf_unit *u, struct dwarf_cursor *c)
{
    struct dwarf_entry range, next;
    if (!dwarf_entry_take(u, c, &range) || range.tag != DWARF_TAG_SUBRANGE_TYPE || range.has_children ||
        !dwarf_entry_take(u, c, &next) || next.tag)
        return 0;
    if (range.value[DWARF_AT_ELEMENTS].class == DWARF_CONSTANT)
        return range.value[DWARF_AT_ELEMENTS].number;
    return range.value[DWARF_AT_UPPER_BOUND].class == DWARF_CONSTANT ? range.value[DWARF_AT_UPPER_BOUND].number + 1 : 0;
}

/* Sets the members of V that say what its type is; false if it is not a simple one. */
static bool tell_type(const struct dwarf_unit *u, struct dwarf_value value, hsam_variable *v)
{
    struct dwarf_entry type = {0};
    struct dwarf_cursor c;
    bool known = type_at(u, value, &type, &c);
    if (known && type.tag == DWARF_TAG_ARRAY_TYPE) {
        v->count = type.has_children ? count_at(u, &c) : 0;
        known = v->count && type_at(u, type.value[DWARF_AT_TYPE], &type, &c);
    }
    uint64_t size = type.value[DWARF_AT_BYTE_SIZE].number;
    if (!known || type.tag != DWARF_TAG_BASE_TYPE || size > 16)
        return false;
    v->size = (uint32_t)size;
    v->number = (uint32_t)type.value[DWARF_AT_ENCODING].number;
    const char *name = dwarf_value_text(u, &type.value[DWARF_AT_NAME]);
    memcpy(v->type, name, strnlen(name, sizeof v->type - 1));
    return true;
}

static void look_at_variable(struct variable_search *s, const struct dwarf_entry *entry)
{
    const struct dwarf_unit *u = s->unit;
    hsam_variable *v = s->found;
    *v = (hsam_variable){0};
    if (!tell_type(u, attribute(u, entry, DWARF_AT_TYPE), v))
        return;
    struct bytes location = dwarf_value_location(u, &entry->value[DWARF_AT_LOCATION], s->address);
    v->location_size = copy_expression(u, s->loaded, location, v->location, sizeof v->location);
    v->frame_size = copy_expression(u, s->loaded, s->frame, v->frame, sizeof v->frame);
}

/* Whether the names, which have blanks between them, contain NAME. */
static bool has_name(const struct variable_search *s, const char *name, size_t length)
{
    for (size_t at = 0; at < s->names_used; at += strcspn(s->names + at, " ") + 1)
        if (!strncmp(s->names + at, name, length) && s->names[at + length] == ' ')
            return true;
    return false;
}

static void add_name(struct variable_search *s, const char *name)
{
    size_t length = strlen(name);
    if (!length || strchr(name, ' ') || has_name(s, name, length))
        return;
    s->count++;
    if (length + 1 >= s->names_size - s->names_used)
        return;
    memcpy(s->names + s->names_used, name, length);
    s->names_used += length;
    s->names[s->names_used++] = ' ';
    s->names[s->names_used] = 0;
}

/* A function that has the address: its variables hide those of functions that it is inlined into. */
static void enter(struct variable_search *s, const struct dwarf_entry *entry)
{
    s->has = false;
    s->names_used = s->count = 0;
    if (s->names)
        *s->names = 0;
    if (entry->tag == DWARF_TAG_SUBPROGRAM)
        s->frame = entry->value[DWARF_AT_FRAME_BASE].block;
}

static void visit_variable(const struct dwarf_unit *u, const struct dwarf_entry *entry, uint64_t depth, void *data)
{
    struct variable_search *s = data;
    s->unit = u;
    if (!s->global && (entry->tag == DWARF_TAG_SUBPROGRAM || entry->tag == DWARF_TAG_INLINED_SUBROUTINE))
        enter(s, entry);
    if ((entry->tag != DWARF_TAG_VARIABLE && entry->tag != DWARF_TAG_FORMAL_PARAMETER) || s->global != (depth == 1))
        return;
    struct dwarf_value value = attribute(u, entry, DWARF_AT_NAME);
    const char *name = dwarf_value_text(u, &value);
    if (!s->name) {
        add_name(s, name);
    } else if (!strcmp(name, s->name)) {
        look_at_variable(s, entry);
        s->has = true;
    }
}

static void search_units(const struct code_object *object, struct variable_search *search)
{
    uint64_t budget = BUDGET;
    const struct dwarf_sections sections = dwarf_sections_of(object, &budget);
    struct dwarf_cursor info = {.left = sections.info};
    while (info.left.size && !info.failed && !search->has) {
        struct dwarf_unit unit;
        if (dwarf_unit_open(&unit, &sections, &info))
            dwarf_unit_visit(&unit, search->address, visit_variable, search);
        dwarf_unit_close(&unit);
    }
}

bool variables_find(const struct code_object *object, uint64_t loaded, uint64_t address, const char *name,
                    hsam_variable *variable)
{
    struct variable_search search = {.address = address, .loaded = loaded, .name = name, .found = variable};
    search_units(object, &search);
    search.global = true;
    search_units(object, &search);
    return search.has;
}

size_t variables_list(const struct code_object *object, uint64_t address, char *names, size_t size)
{
    struct variable_search locals = {.address = address, .names = names, .names_size = size};
    *names = 0;
    search_units(object, &locals);
    struct variable_search globals = {.address = address, .global = true, .names = names + locals.names_used};
    globals.names_size = size - locals.names_used;
    search_units(object, &globals);
    return locals.count + globals.count;
}

/* ---- calls that were inlined ---- */

struct call_search {
    const struct code_object *object;
    hsam_call *calls;
    size_t room, count; /* COUNT may be greater: of the outermost, which come first, only the last are kept */
};

static void visit_call(const struct dwarf_unit *u, const struct dwarf_entry *entry, uint64_t depth, void *data)
{
    (void)depth;
    struct call_search *s = data;
    uint64_t line = entry->value[DWARF_AT_CALL_LINE].number;
    if (entry->tag == DWARF_TAG_SUBPROGRAM)
        s->count = 0;
    if (entry->tag != DWARF_TAG_INLINED_SUBROUTINE || !line || line > UINT32_MAX)
        return;
    hsam_call *call = &s->calls[s->count++ % s->room];
    call->line = (uint32_t)line;
    lines_file(s->object, u->root.value[DWARF_AT_LINES].number, entry->value[DWARF_AT_CALL_FILE].number, call->file,
               sizeof call->file);
}

size_t calls_find(const struct code_object *object, uint64_t address, hsam_call *calls, size_t count)
{
    enum { MOST = 16 };
    uint64_t budget = BUDGET;
    const struct dwarf_sections sections = dwarf_sections_of(object, &budget);
    struct dwarf_cursor info = {.left = sections.info};
    hsam_call found[MOST];
    struct call_search search = {.object = object, .calls = found, .room = MOST};
    while (info.left.size && !info.failed && !search.count) {
        struct dwarf_unit unit;
        if (dwarf_unit_open(&unit, &sections, &info))
            dwarf_unit_visit(&unit, address, visit_call, &search);
        dwarf_unit_close(&unit);
    }
    if (count > search.count)
        count = search.count;
    if (count > MOST)
        count = MOST;
    for (size_t i = 0; i < count; i++)
        calls[i] = found[(search.count - 1 - i) % MOST];
    return count;
}
