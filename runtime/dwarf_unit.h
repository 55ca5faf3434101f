/* SPDX-License-Identifier: MIT */
/* The entries of a unit of .debug_info: what a code object says of its functions, variables and types. */
#ifndef RUNTIME_DWARF_UNIT_H
#define RUNTIME_DWARF_UNIT_H

#include "runtime/code_object.h"
#include "runtime/dwarf.h"
#include "support/vec.h"

/* The attributes that are kept, of the many that there are: name here, number in DWARF. */
#define DWARF_ATTRIBUTES(X)                                                                                            \
    X(LOCATION, 0x02)                                                                                                  \
    X(NAME, 0x03)                                                                                                      \
    X(BYTE_SIZE, 0x0b)                                                                                                 \
    X(LINES, 0x10)                                                                                                     \
    X(LOW_PC, 0x11)                                                                                                    \
    X(HIGH_PC, 0x12)                                                                                                   \
    X(ORIGIN, 0x31)                                                                                                    \
    X(ENCODING, 0x3e)                                                                                                  \
    X(FRAME_BASE, 0x40)                                                                                                \
    X(SPECIFICATION, 0x47)                                                                                             \
    X(CALL_FILE, 0x58)                                                                                                 \
    X(CALL_LINE, 0x59)                                                                                                 \
    X(TYPE, 0x49)                                                                                                      \
    X(UPPER_BOUND, 0x2f)                                                                                               \
    X(ELEMENTS, 0x37)                                                                                                  \
    X(RANGES, 0x55)                                                                                                    \
    X(STRINGS_BASE, 0x72)                                                                                              \
    X(ADDRESSES_BASE, 0x73)                                                                                            \
    X(RANGES_BASE, 0x74)                                                                                               \
    X(LOCATIONS_BASE, 0x8c)

/* DWARF_AT_LOCATION, ...: indices of their values in an entry. */
enum dwarf_attribute {
#define DWARF_ATTRIBUTE(name, number) DWARF_AT_##name,
    DWARF_ATTRIBUTES(DWARF_ATTRIBUTE)
#undef DWARF_ATTRIBUTE
        DWARF_AT_COUNT
};

enum dwarf_tag {
    DWARF_TAG_ARRAY_TYPE = 0x01,
    DWARF_TAG_FORMAL_PARAMETER = 0x05,
    DWARF_TAG_LEXICAL_BLOCK = 0x0b,
    DWARF_TAG_TYPEDEF = 0x16,
    DWARF_TAG_INLINED_SUBROUTINE = 0x1d,
    DWARF_TAG_SUBRANGE_TYPE = 0x21,
    DWARF_TAG_BASE_TYPE = 0x24,
    DWARF_TAG_CONST_TYPE = 0x26,
    DWARF_TAG_SUBPROGRAM = 0x2e,
    DWARF_TAG_VARIABLE = 0x34,
    DWARF_TAG_VOLATILE_TYPE = 0x35,
    DWARF_TAG_NAMESPACE = 0x39,
};

/* What an attribute holds, as its class says. */
struct dwarf_value {
    enum dwarf_class {
        DWARF_ABSENT,
        DWARF_CONSTANT,      /* and offsets in other sections */
        DWARF_ADDRESS,       /* an address */
        DWARF_ADDRESS_INDEX, /* the number of one in .debug_addr */
        DWARF_REFERENCE,     /* the offset of an entry, from the beginning of the unit */
        DWARF_TEXT,          /* TEXT */
        DWARF_TEXT_INDEX,    /* the number of one in .debug_str_offsets */
        DWARF_LIST_INDEX,    /* the number of a list of ranges or locations */
        DWARF_BLOCK,         /* an expression */
    } class;
    uint64_t number;
    const char *text;
    struct bytes block;
};

struct dwarf_entry {
    uint64_t tag; /* 0: the end of the children of an entry */
    bool has_children;
    struct dwarf_value value[DWARF_AT_COUNT];
};

struct dwarf_sections {
    struct bytes info, abbreviations, strings, line_strings, string_offsets, addresses, ranges, locations;
    uint64_t *budget; /* steps that reading may take: units may share lists and abbreviations without end */
};

struct dwarf_unit {
    const struct dwarf_sections *sections;
    struct bytes bytes; /* of the unit, with its header */
    struct dwarf_cursor entries;
    unsigned version;
    VEC(uint32_t) abbreviations; /* where each of them is described; the first has the number 1 */
    struct dwarf_entry root;
};

struct dwarf_sections dwarf_sections_of(const struct code_object *object, uint64_t *budget);

/* Opens the unit at the front of INFO, and takes it from there; its root has been read. False: it cannot be read, and
 * INFO tells whether there may be another one. The unit is to be closed in any case. */
bool dwarf_unit_open(struct dwarf_unit *u, const struct dwarf_sections *sections, struct dwarf_cursor *info);
void dwarf_unit_close(struct dwarf_unit *u);

/* Takes the next entry from C, a cursor in the unit. False: it cannot be read. */
bool dwarf_entry_take(const struct dwarf_unit *u, struct dwarf_cursor *c, struct dwarf_entry *entry);

/* Reads the entry that VALUE refers to. dwarf_entry_from() also sets C to what follows it: its children, if it has any.
 */
bool dwarf_entry_at(const struct dwarf_unit *u, const struct dwarf_value *value, struct dwarf_entry *entry);
bool dwarf_entry_from(const struct dwarf_unit *u, const struct dwarf_value *value, struct dwarf_entry *entry,
                      struct dwarf_cursor *c);

/* What attributes mean: a text, "" if they hold none; an address, 0 if none. */
const char *dwarf_value_text(const struct dwarf_unit *u, const struct dwarf_value *value);
uint64_t dwarf_value_address(const struct dwarf_unit *u, const struct dwarf_value *value);
uint64_t dwarf_indexed_address(const struct dwarf_unit *u, uint64_t index);

/* Whether the code of ENTRY includes ADDRESS. */
bool dwarf_entry_covers(const struct dwarf_unit *u, const struct dwarf_entry *entry, uint64_t address);

/* Calls VISIT for each function, inlined function and block whose code includes ADDRESS, from the outside to the
 * inside, and for everything else that they contain; and for what belongs to no function, with the DEPTH 1. What is in
 * a namespace counts as outside of it. */
typedef void dwarf_visit(const struct dwarf_unit *u, const struct dwarf_entry *entry, uint64_t depth, void *data);
void dwarf_unit_visit(const struct dwarf_unit *u, uint64_t address, dwarf_visit *visit, void *data);

/* The expression that VALUE has at ADDRESS, which may be in a list of them; empty if there is none. */
struct bytes dwarf_value_location(const struct dwarf_unit *u, const struct dwarf_value *value, uint64_t address);

#endif
