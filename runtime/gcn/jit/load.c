/* SPDX-License-Identifier: MIT */
/* Places compiled code in memory: first writable, then executable, never both.
 * Input: an object file as LLVM makes it for a module of one function; it has come from another process, so every
 * offset in it is checked. Output: its sections, relocated, and the entry. Invariant: code that refers to anything else
 * than itself and its imports is refused. */
#include "runtime/gcn/jit/chunk.h"
#include "runtime/gcn/jit/jit_client.h"

#include "support/alloc.h"
#include "support/bytes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACED_MAX = 64 << 20, NOT_PLACED = -1 };

struct object {
    struct bytes file;
    const Elf64_Shdr *sections;
    unsigned count;
    int64_t *place; /* where each section is in MEMORY, or NOT_PLACED */
    char *memory;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    struct bytes names;
    gcn_handler *const *handlers; /* of the unit's micro-operations, which it may import */
    uint32_t handler_count;
    unsigned lanes; /* of a chunk: tells which functions for chunks it may import */
};

/* What the object names: see import.c. */

static bool read_number(const char *text, unsigned long *number)
{
    char *end;
    *number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end;
}

/* The value of what the object calls NAME; 0 if there is none. */
static uint64_t value_of_import(const struct object *o, const char *name)
{
    unsigned long number;
    if (!strcmp(name, "handlers"))
        return (uint64_t)(uintptr_t)o->handlers;
    if (!strncmp(name, "handler", 7))
        return read_number(name + 7, &number) && number < o->handler_count
                   ? (uint64_t)(uintptr_t)o->handlers[number]
                   : 0;
    if (strncmp(name, "chunk", 5) || !read_number(name + 5, &number))
        return 0;
    const struct chunk_row *row = o->lanes == 16 ? chunk_rows_avx512 : chunk_rows_avx2;
    while (row->function && number) {
        row++;
        number--;
    }
    return (uint64_t)(uintptr_t)row->function;
}

/* Sections */

static bool read_sections(struct object *o)
{
    const Elf64_Ehdr *header = (const void *)o->file.data;
    if (o->file.size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 || header->e_type != ET_REL ||
        header->e_shentsize != sizeof *o->sections || header->e_shoff % 8 ||
        !range_inside(header->e_shoff, header->e_shnum * sizeof *o->sections, o->file.size))
        return false;
    o->sections = (const void *)(o->file.data + header->e_shoff);
    o->count = header->e_shnum;
    for (unsigned i = 0; i < o->count; i++)
        if (o->sections[i].sh_type != SHT_NOBITS &&
            !range_inside(o->sections[i].sh_offset, o->sections[i].sh_size, o->file.size))
            return false;
    return true;
}

/* Finds the table of symbols, and that of their names, which ends in a NUL. */
static bool read_symbols(struct object *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        if (section->sh_type != SHT_SYMTAB)
            continue;
        if (o->symbols || section->sh_offset % 8 || section->sh_link >= o->count)
            return false;
        const Elf64_Shdr *names = &o->sections[section->sh_link];
        o->symbols = (const void *)(o->file.data + section->sh_offset);
        o->symbol_count = section->sh_size / sizeof *o->symbols;
        o->names = bytes_slice(o->file, names->sh_offset, names->sh_size);
        if (names->sh_type != SHT_STRTAB || !o->names.size || o->names.data[o->names.size - 1])
            return false;
    }
    return o->symbols;
}

static bool is_loaded(const Elf64_Shdr *section)
{
    return section->sh_flags & SHF_ALLOC && section->sh_type != SHT_X86_64_UNWIND && section->sh_size;
}

/* Gives each loaded section its place; returns the size of them all, or 0 if it cannot be right. */
static size_t lay_out_sections(struct object *o)
{
    uint64_t size = 0;
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        uint64_t align = section->sh_addralign ? section->sh_addralign : 1;
        o->place[i] = NOT_PLACED;
        if (!is_loaded(section))
            continue;
        if (!is_power_of_two(align) || align > 4096 || section->sh_size > PLACED_MAX)
            return 0;
        size = align_up(size, align);
        o->place[i] = (int64_t)size;
        size += section->sh_size;
        if (size > PLACED_MAX)
            return 0;
    }
    return align_up(size, 4096);
}

/* Relocations */

/* Where SYMBOL is in memory; 0 if nowhere. */
static uint64_t address_of(const struct object *o, const Elf64_Sym *symbol)
{
    if (symbol->st_shndx >= o->count || o->place[symbol->st_shndx] == NOT_PLACED ||
        symbol->st_value > o->sections[symbol->st_shndx].sh_size)
        return 0;
    return (uint64_t)(uintptr_t)o->memory + (uint64_t)o->place[symbol->st_shndx] + symbol->st_value;
}

static bool relocate_one(const struct object *o, unsigned target, const Elf64_Rela *rela)
{
    unsigned type = ELF64_R_TYPE(rela->r_info), size = type == R_X86_64_64 ? 8 : 4;
    if (ELF64_R_SYM(rela->r_info) >= o->symbol_count ||
        !range_inside(rela->r_offset, size, o->sections[target].sh_size))
        return false;
    const Elf64_Sym *symbol = &o->symbols[ELF64_R_SYM(rela->r_info)];
    uint64_t value;
    if (symbol->st_shndx != SHN_UNDEF)
        value = address_of(o, symbol);
    else
        value = type == R_X86_64_64 && symbol->st_name < o->names.size
                    ? value_of_import(o, (const char *)o->names.data + symbol->st_name)
                    : 0;
    if (!value)
        return false;
    char *at = o->memory + o->place[target] + rela->r_offset;
    value += (uint64_t)rela->r_addend;
    switch (type) {
    case R_X86_64_64: store64(at, value); return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: store32(at, (uint32_t)(value - (uint64_t)(uintptr_t)at)); return true;
    default: return false;
    }
}

static bool relocate(const struct object *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        if (section->sh_type == SHT_REL)
            return false;
        if (section->sh_type != SHT_RELA || section->sh_info >= o->count || o->place[section->sh_info] == NOT_PLACED)
            continue;
        const Elf64_Rela *rela = (const void *)(o->file.data + section->sh_offset);
        if (section->sh_offset % 8 || o->sections[section->sh_info].sh_type == SHT_NOBITS)
            return false;
        for (size_t k = 0; k < section->sh_size / sizeof *rela; k++)
            if (!relocate_one(o, section->sh_info, &rela[k]))
                return false;
    }
    return true;
}

/* The function's address; the module has one. */
static uint64_t find_entry(const struct object *o)
{
    for (size_t i = 0; i < o->symbol_count; i++) {
        const Elf64_Sym *symbol = &o->symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx < o->count &&
            o->sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR)
            return address_of(o, symbol);
    }
    return 0;
}

static bool place_code(struct object *o, struct gcn_jit_code *code)
{
    size_t size = lay_out_sections(o);
    void *memory = size ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (memory == MAP_FAILED)
        return false;
    o->memory = memory;
    for (unsigned i = 0; i < o->count; i++)
        if (o->place[i] != NOT_PLACED && o->sections[i].sh_type != SHT_NOBITS)
            memcpy(o->memory + o->place[i], o->file.data + o->sections[i].sh_offset, o->sections[i].sh_size);
    uint64_t entry = find_entry(o);
    if (!entry || !relocate(o) || mprotect(memory, size, PROT_READ | PROT_EXEC)) {
        munmap(memory, size);
        return false;
    }
    code->memory = memory;
    code->size = size;
    memcpy(&code->entry, &entry, sizeof entry);
    return true;
}

bool object_load(const char *object, size_t size, gcn_handler *const *handlers, uint32_t count, unsigned lanes,
                 struct gcn_jit_code *code)
{
    struct object o = {
        .file = {(const uint8_t *)object, size}, .handlers = handlers, .handler_count = count, .lanes = lanes};
    if (!read_sections(&o) || !read_symbols(&o))
        return false;
    o.place = mem_alloc(o.count * sizeof *o.place);
    bool done = o.place && place_code(&o, code);
    mem_free(o.place);
    return done;
}

void object_unload(struct gcn_jit_code *code)
{
    if (code->memory)
        munmap(code->memory, code->size);
    code->memory = NULL;
}
