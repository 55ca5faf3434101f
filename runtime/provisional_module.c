/* SPDX-License-Identifier: MIT */
/* Modules of HSA 1.0 provisional: a table of sections becomes a BRIG module, and its symbols are read. (1.0P 3.1)
 *
 * Input: the client's sections; the sizes in their headers are believed, as the interface tells no others.
 * Output: bytes that the finalizer validates, and symbols. Invariant: nothing is read outside of a section. */
#include "runtime/provisional_module.h"

#include "support/alloc.h"

#include <string.h>

/* The layout of BRIG, as far as it is needed here. */
enum {
    HEADER_SIZE = 104,
    SECTION_HEADER = 16, /* without the name */
    SECTIONS_MOST = 64,
    KIND_FUNCTION = 0x1006,
    KIND_INDIRECT = 0x1007,
    KIND_KERNEL = 0x1008,
    KIND_MODULE = 0x100b,
    KIND_VARIABLE = 0x100e,
    SYMBOL_SIZE = 28, /* of the entries of executables and variables */
    SEGMENT_GLOBAL = 2,
    SEGMENT_READONLY = 3,
    LINKAGE_MODULE = 2,
    ALLOCATION_PROGRAM = 1,
    ALLOCATION_AGENT = 2,
};

static uint32_t word(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

struct section {
    const char *from; /* the name */
    uint32_t size, header, name;
};

/* Reads a header of 1.0P or of BRIG 1.0, where the word after the size is 0. False if it contradicts itself, or is too
 * short for one of BRIG 1.0. */
static bool read_section(const char *bytes, struct section *section)
{
    bool now = bytes && !word(bytes + 4);
    if (!bytes)
        return false;
    *section = now ? (struct section){bytes + 16, word(bytes), word(bytes + 8), word(bytes + 12)}
                   : (struct section){bytes + 12, word(bytes), word(bytes + 4), word(bytes + 8)};
    return section->size <= INT32_MAX && section->size % 4 == 0 && section->header % 4 == 0 &&
           section->header <= section->size && section->name <= section->header &&
           section->header - section->name >= SECTION_HEADER;
}

static size_t round_16(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

/* Writes the section as one of BRIG 1.0. */
static void write_section(char *to, const struct section *section, const char *bytes)
{
    memcpy(to, &(uint64_t){section->size}, 8);
    memcpy(to + 8, &section->header, 4);
    memcpy(to + 12, &section->name, 4);
    memcpy(to + 16, section->from, section->name);
    memcpy(to + section->header, bytes + section->header, section->size - section->header);
}

hsa_status_t module_1p_make(struct module_1p *module, const struct brig_table_1p *table)
{
    struct section sections[SECTIONS_MOST];
    if (table->section_count < 3 || table->section_count > SECTIONS_MOST)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    size_t index = round_16(HEADER_SIZE), size = round_16(index + table->section_count * sizeof(uint64_t));
    for (uint32_t i = 0; i < table->section_count; i++) {
        if (!read_section(table->section[i], &sections[i]))
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        size = round_16(size + sections[i].size);
    }
    char *bytes = mem_zalloc(1, size);
    if (!bytes)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    size_t at = round_16(index + table->section_count * sizeof(uint64_t));
    for (uint32_t i = 0; i < table->section_count; i++) {
        memcpy(bytes + index + i * sizeof(uint64_t), &(uint64_t){at}, sizeof(uint64_t));
        write_section(bytes + at, &sections[i], table->section[i]);
        if (i == 0)
            module->data = bytes + at;
        if (i == 1)
            module->code = bytes + at;
        at = round_16(at + sections[i].size);
    }
    const char *first = module->code + sections[1].header;
    bool has_version = sections[1].size - sections[1].header >= 20 && word(first) >> 16 == KIND_MODULE;
    module->hsail[0] = has_version ? word(first + 8) : 1;
    module->hsail[1] = has_version ? word(first + 12) : 0;
    uint32_t numbers[2] = {
        1, module->hsail[1] ? 2 : 0}; /* the versions of BRIG that HSAIL 1:0 and its successors have */
    memcpy(bytes, "HSA BRIG", 8);
    memcpy(bytes + 8, numbers, sizeof numbers);
    memcpy(bytes + 16, &(uint64_t){size}, 8);
    memcpy(bytes + 92, &table->section_count, 4);
    memcpy(bytes + 96, &(uint64_t){index}, 8);
    module->table = table;
    module->bytes = bytes;
    module->size = size;
    module->data_size = sections[0].size;
    module->code_size = sections[1].size;
    return HSA_STATUS_SUCCESS;
}

void module_1p_free(struct module_1p *module)
{
    mem_free(module->own);
    mem_free(module->bytes);
    mem_free(module);
}

struct module_1p *module_1p_copy(const struct module_1p *from)
{
    struct module_1p *copy = mem_zalloc(1, sizeof *copy);
    char *bytes = copy ? mem_alloc(from->size) : NULL;
    if (!bytes) {
        mem_free(copy);
        return NULL;
    }
    memcpy(bytes, from->bytes, from->size);
    *copy = *from;
    copy->own = NULL;
    copy->bytes = bytes;
    copy->code = bytes + (from->code - from->bytes);
    copy->data = bytes + (from->data - from->bytes);
    return copy;
}

hsa_status_t module_1p_table(const char *bytes, size_t size, struct brig_table_1p **result)
{
    uint64_t index, length;
    if (size < HEADER_SIZE || memcmp(bytes, "HSA BRIG", 8) != 0)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    uint32_t count = word(bytes + 92);
    memcpy(&index, bytes + 96, sizeof index);
    if (count < 3 || count > SECTIONS_MOST || index > size || size - index < count * sizeof index)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    size_t head = round_16(sizeof(struct brig_table_1p) + count * sizeof(void *));
    struct brig_table_1p *table = mem_zalloc(1, head + size);
    if (!table)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    char *copy = (char *)table + head;
    memcpy(copy, bytes, size);
    table->section_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t offset;
        memcpy(&offset, copy + index + i * sizeof offset, sizeof offset);
        bool inside = offset <= size && size - offset >= SECTION_HEADER;
        if (inside)
            memcpy(&length, copy + offset, sizeof length);
        if (!inside || length > size - offset) {
            mem_free(table);
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        }
        table->section[i] = copy + offset;
    }
    *result = table;
    return HSA_STATUS_SUCCESS;
}

void module_1p_declare(struct module_1p *module, uint32_t symbol)
{
    char *entry = module->bytes + (module->code - module->bytes) + symbol;
    memset(entry + 8, 0, 4); /* the initializer */
    entry[24] &= ~1;
}

/* ---- symbols ---- */

/* Copies the string at OFFSET of the data section. */
static bool read_name(const struct module_1p *module, uint32_t offset, char name[256])
{
    if (offset > module->data_size || module->data_size - offset < 4)
        return false;
    uint32_t length = word(module->data + offset);
    if (length > module->data_size - offset - 4 || length > 255)
        return false;
    memcpy(name, module->data + offset + 4, length);
    name[length] = '\0';
    return true;
}

bool symbol_1p_read(const struct module_1p *module, uint32_t offset, struct symbol_1p *symbol)
{
    uint32_t first = word(module->code + 8);
    if (offset < first || offset % 4 || module->code_size < SYMBOL_SIZE || offset > module->code_size - SYMBOL_SIZE)
        return false;
    const char *entry = module->code + offset;
    *symbol = (struct symbol_1p){.module = module, .offset = offset};
    switch (word(entry) >> 16) {
    case KIND_KERNEL: symbol->kind = SYMBOL_KERNEL_1P; break;
    case KIND_INDIRECT: symbol->kind = SYMBOL_INDIRECT_1P; break;
    case KIND_FUNCTION: break;
    case KIND_VARIABLE:
        symbol->kind = SYMBOL_VARIABLE_1P;
        symbol->readonly = entry[14] == SEGMENT_READONLY;
        symbol->of_program = entry[14] == SEGMENT_GLOBAL && entry[26] == ALLOCATION_PROGRAM;
        symbol->of_agent = symbol->readonly || entry[26] == ALLOCATION_AGENT;
        break;
    default: return false;
    }
    symbol->is_definition = entry[24] & 1;
    symbol->of_module = entry[25] == LINKAGE_MODULE;
    return read_name(module, word(entry + 4), symbol->name);
}

bool module_1p_name(const struct module_1p *module, char name[256])
{
    uint32_t first = word(module->code + 8);
    return module->code_size - first >= 8 && word(module->code + first) >> 16 == KIND_MODULE &&
           read_name(module, word(module->code + first + 4), name);
}

bool module_1p_next(const struct module_1p *module, uint32_t *at, struct symbol_1p *found)
{
    if (!*at)
        *at = word(module->code + 8);
    while (*at <= module->code_size && module->code_size - *at >= 4) {
        uint32_t here = *at, size = word(module->code + here) & 0xffff;
        if (size < 4)
            return false;
        *at += size;
        if (symbol_1p_read(module, here, found))
            return true;
    }
    return false;
}

/* Finds a definition of that name in the module. */
static bool find_definition(const struct module_1p *module, const char *name, struct symbol_1p *found)
{
    for (uint32_t at = 0; module_1p_next(module, &at, found);)
        if (found->is_definition && !strcmp(found->name, name))
            return true;
    return false;
}

bool program_1p_shares(const struct program_1p *program)
{
    struct symbol_1p symbol;
    for (size_t i = 0; i < program->modules.count; i++) {
        const struct module_1p *module = program->modules.items[i];
        for (uint32_t at = 0; module_1p_next(module, &at, &symbol);)
            if (symbol.is_definition && symbol.of_program)
                return true;
    }
    return false;
}

bool symbol_1p_definition(const struct program_1p *program, const struct symbol_1p *symbol, struct symbol_1p *found)
{
    if (find_definition(symbol->module, symbol->name, found))
        return true;
    for (size_t i = 0; i < program->modules.count && !symbol->of_module; i++)
        if (program->modules.items[i] != symbol->module &&
            find_definition(program->modules.items[i], symbol->name, found) && !found->of_module)
            return true;
    return false;
}
