/* SPDX-License-Identifier: MIT */
/* Reading the DWARF line table of a code object. (DWARF 4 and 5, section 6.2)
 * Input: a code object whose line table may hold anything. Output: the file and line of one address.
 * Invariant: nothing outside the table is read; time is linear in the size of the table. */
#include "runtime/lines.h"

#include "runtime/dwarf.h"

#include <stdio.h>

enum { DIRECTORY_FORMATS = 16 }; /* fields of an entry for a directory or file; more are refused */
enum { LNCT_PATH = 1 };
enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_CONST_ADD_PC = 8,
    LNS_FIXED_ADVANCE_PC = 9,
};
enum { LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS = 2 };

/* ---- sections ---- */

struct sections {
    struct bytes line, line_strings, strings;
};

static struct sections find_sections(const struct code_object *object)
{
    return (struct sections){.line = code_object_section(object, ".debug_line"),
                             .line_strings = code_object_section(object, ".debug_line_str"),
                             .strings = code_object_section(object, ".debug_str")};
}

/* ---- one unit of the table ---- */

struct unit {
    const struct sections *sections;
    struct dwarf_cursor files, program;
    unsigned version, offset_size;
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    uint8_t lengths[256]; /* how many operands each standard operation has */
};

/* Reads the header of the first unit in TABLE. Its directories and files lie between the lengths of the operations and
 * the program. */
static bool open_unit(struct dwarf_cursor *table, const struct sections *sections, struct unit *u)
{
    uint64_t length = dwarf_number(table, 4);
    *u = (struct unit){.sections = sections, .offset_size = 4};
    if (length == UINT32_MAX) {
        length = dwarf_number(table, 8);
        u->offset_size = 8;
    }
    struct dwarf_cursor c = {.left = dwarf_range(table, length)};
    u->version = (unsigned)dwarf_number(&c, 2);
    if (table->failed || u->version < 2 || u->version > 5)
        return false;
    if (u->version == 5)
        dwarf_range(&c, 2); /* sizes of addresses and of segment selectors */
    uint64_t header = dwarf_number(&c, u->offset_size);
    u->files.left = dwarf_range(&c, header);
    u->program = c;
    u->min_length = (uint8_t)dwarf_number(&u->files, 1);
    dwarf_range(&u->files, u->version >= 4 ? 2 : 1); /* how many operations an instruction has, and is_stmt */
    u->line_base = (int8_t)dwarf_number(&u->files, 1);
    u->line_range = (uint8_t)dwarf_number(&u->files, 1);
    u->opcode_base = (uint8_t)dwarf_number(&u->files, 1);
    for (unsigned i = 1; i < u->opcode_base; i++)
        u->lengths[i] = (uint8_t)dwarf_number(&u->files, 1);
    return !c.failed && !u->files.failed && u->line_range && u->opcode_base;
}

/* Passes over a value of FORM. Returns it if it is text and WANTED, else "". */
static const char *take_form(struct unit *u, struct dwarf_cursor *c, uint64_t form, bool wanted)
{
    uint64_t offset;
    switch (form) {
    case DWARF_FORM_STRING: return dwarf_text(c);
    case DWARF_FORM_LINE_STRP:
        offset = dwarf_number(c, u->offset_size);
        return wanted ? dwarf_text_at(u->sections->line_strings, offset) : "";
    case DWARF_FORM_STRP:
        offset = dwarf_number(c, u->offset_size);
        return wanted ? dwarf_text_at(u->sections->strings, offset) : "";
    case DWARF_FORM_UDATA: dwarf_leb(c, false); break;
    case DWARF_FORM_DATA1: dwarf_range(c, 1); break;
    case DWARF_FORM_DATA2: dwarf_range(c, 2); break;
    case DWARF_FORM_DATA4: dwarf_range(c, 4); break;
    case DWARF_FORM_DATA8: dwarf_range(c, 8); break;
    case DWARF_FORM_DATA16: dwarf_range(c, 16); break;
    case DWARF_FORM_BLOCK: dwarf_range(c, dwarf_leb(c, false)); break;
    default: c->failed = true;
    }
    return "";
}

/* Reads one list of entries of version 5, directories or files. Returns the path of entry WANTED, or "". */
static const char *take_list(struct unit *u, struct dwarf_cursor *c, uint64_t wanted)
{
    uint64_t content[DIRECTORY_FORMATS], form[DIRECTORY_FORMATS];
    const char *path = "";
    unsigned formats = (unsigned)dwarf_number(c, 1);
    if (formats > DIRECTORY_FORMATS)
        c->failed = true;
    for (unsigned i = 0; i < formats && !c->failed; i++) {
        content[i] = dwarf_leb(c, false);
        form[i] = dwarf_leb(c, false);
    }
    uint64_t count = dwarf_leb(c, false);
    for (uint64_t n = 0; n < count && formats && !c->failed && c->left.size; n++)
        for (unsigned i = 0; i < formats && !c->failed; i++) {
            bool is_path = n == wanted && content[i] == LNCT_PATH;
            const char *text = take_form(u, c, form[i], is_path);
            path = is_path ? text : path;
        }
    return c->failed ? "" : path;
}

static const char *file_name(struct unit *u, uint64_t number)
{
    struct dwarf_cursor c = u->files;
    if (u->version == 5) {
        take_list(u, &c, UINT64_MAX);
        return take_list(u, &c, number);
    }
    while (*dwarf_text(&c))
        ; /* directories */
    for (uint64_t n = 1; !c.failed; n++) {
        const char *name = dwarf_text(&c);
        if (!*name || n == number)
            return name;
        for (int i = 0; i < 3; i++) /* directory, time, size */
            dwarf_leb(&c, false);
    }
    return "";
}

/* ---- the program ---- */

struct line_row {
    uint64_t address, file;
    uint32_t line;
};

struct machine {
    struct line_row row, before; /* BEFORE: the last row of the sequence that has a line; its line is 0 at first */
    uint64_t wanted;
    bool found;
};

/* Adds the current row, which begins at its address: the row before covers what lies between the two. END: the row ends
 * the sequence. */
static void add_row(struct machine *m, bool end)
{
    if (m->before.line && m->before.address <= m->wanted && m->wanted < m->row.address)
        m->found = true;
    else if (end)
        m->before.line = 0;
    else if (m->row.line)
        m->before = m->row;
}

static void extended(struct machine *m, struct dwarf_cursor *c)
{
    struct dwarf_cursor operand = {.left = dwarf_range(c, dwarf_leb(c, false))};
    uint64_t operation = dwarf_number(&operand, 1);
    if (operation == LNE_END_SEQUENCE) {
        add_row(m, true);
        m->row = (struct line_row){.file = 1, .line = 1};
    } else if (operation == LNE_SET_ADDRESS && operand.left.size <= 8) {
        m->row.address = dwarf_number(&operand, (unsigned)operand.left.size);
    }
}

static void advance(struct machine *m, const struct unit *u, uint8_t special, bool line)
{
    m->row.address += (uint64_t)(special / u->line_range) * u->min_length;
    if (line)
        m->row.line += (uint32_t)(u->line_base + special % u->line_range);
}

static void standard(struct machine *m, const struct unit *u, struct dwarf_cursor *c, uint8_t operation)
{
    switch (operation) {
    case LNS_COPY: add_row(m, false); break;
    case LNS_ADVANCE_PC: m->row.address += dwarf_leb(c, false) * u->min_length; break;
    case LNS_ADVANCE_LINE: m->row.line += (uint32_t)dwarf_leb(c, true); break;
    case LNS_SET_FILE: m->row.file = dwarf_leb(c, false); break;
    case LNS_CONST_ADD_PC: advance(m, u, (uint8_t)(255 - u->opcode_base), false); break;
    case LNS_FIXED_ADVANCE_PC: m->row.address += dwarf_number(c, 2); break;
    default:
        for (unsigned i = 0; i < u->lengths[operation]; i++)
            dwarf_leb(c, false);
    }
}

static bool run_program(struct unit *u, uint64_t wanted, struct line_row *row)
{
    struct machine m = {.row = {.file = 1, .line = 1}, .wanted = wanted};
    struct dwarf_cursor *c = &u->program;
    while (c->left.size && !c->failed && !m.found) {
        uint8_t operation = (uint8_t)dwarf_number(c, 1);
        if (operation >= u->opcode_base) {
            advance(&m, u, (uint8_t)(operation - u->opcode_base), true);
            add_row(&m, false);
        } else if (operation) {
            standard(&m, u, c, operation);
        } else {
            extended(&m, c);
        }
    }
    *row = m.before;
    return m.found;
}

bool lines_find(const struct code_object *object, uint64_t address, char *file, size_t size, uint32_t *line)
{
    const struct sections sections = find_sections(object);
    struct dwarf_cursor table = {.left = sections.line};
    while (table.left.size && !table.failed) {
        struct unit u;
        struct line_row row;
        if (!open_unit(&table, &sections, &u) || !run_program(&u, address, &row))
            continue;
        snprintf(file, size, "%s", file_name(&u, row.file));
        *line = row.line;
        return true;
    }
    return false;
}

void lines_file(const struct code_object *object, uint64_t offset, uint64_t number, char *file, size_t size)
{
    const struct sections sections = find_sections(object);
    struct dwarf_cursor table = dwarf_at(sections.line, offset);
    struct unit u;
    bool opened = !table.failed && open_unit(&table, &sections, &u);
    snprintf(file, size, "%s", opened ? file_name(&u, number) : "");
}
