/* SPDX-License-Identifier: MIT */
/* Places compiled code in memory: first writable, then executable, never both.
 * Input: an object file as LLVM makes it for a module of one function. Output: its sections, relocated, and the entry.
 * Invariant: code that refers to anything else than itself and its imports is refused. */
#include "runtime/gcn/jit/build.h"

#include "support/alloc.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>

struct object {
    const char *bytes;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    uint64_t *place; /* where each section is in MEMORY; UINT64_MAX: not loaded */
    char *memory;
    const struct gcn_jit *jit; /* for what it imports: ... */
    const struct gcn_unit *unit;
    gcn_handler *const *handlers;
};

static bool lies_within(const struct object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

static bool is_loaded(const Elf64_Shdr *section)
{
    return section->sh_flags & SHF_ALLOC && section->sh_type != SHT_X86_64_UNWIND && section->sh_size;
}

/* Gives each loaded section its place; returns the size of them all. */
static size_t lay_out_sections(struct object *o)
{
    size_t size = 0;
    for (unsigned i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        o->place[i] = UINT64_MAX;
        if (!is_loaded(section))
            continue;
        size_t align = section->sh_addralign ? section->sh_addralign : 1;
        size = (size + align - 1) & ~(align - 1);
        o->place[i] = size;
        size += section->sh_size;
    }
    return size;
}

static bool relocate_one(const struct object *o, uint64_t target, const Elf64_Rela *rela, const Elf64_Sym *symbol,
                         const char *names)
{
    char *at = o->memory + o->place[target] + rela->r_offset;
    uint64_t value;
    uint32_t distance;
    if (symbol->st_shndx == SHN_UNDEF) {
        value = import_value(o->jit, o->handlers, o->unit->total, names + symbol->st_name);
        if (!value || ELF64_R_TYPE(rela->r_info) != R_X86_64_64)
            return false;
    } else if (symbol->st_shndx >= o->header->e_shnum || o->place[symbol->st_shndx] == UINT64_MAX) {
        return false;
    } else {
        value = (uint64_t)(uintptr_t)o->memory + o->place[symbol->st_shndx] + symbol->st_value;
    }
    value += (uint64_t)rela->r_addend;
    switch (ELF64_R_TYPE(rela->r_info)) {
    case R_X86_64_64: memcpy(at, &value, sizeof value); return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        distance = (uint32_t)(value - (uint64_t)(uintptr_t)at);
        memcpy(at, &distance, sizeof distance);
        return true;
    default: return false;
    }
}

static bool relocate(const struct object *o)
{
    for (unsigned i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        if (section->sh_type != SHT_RELA || section->sh_info >= o->header->e_shnum ||
            o->place[section->sh_info] == UINT64_MAX)
            continue;
        if (section->sh_link >= o->header->e_shnum || !lies_within(o, section->sh_offset, section->sh_size))
            return false;
        const Elf64_Sym *symbols = (const void *)(o->bytes + o->sections[section->sh_link].sh_offset);
        const char *names = o->bytes + o->sections[o->sections[section->sh_link].sh_link].sh_offset;
        const Elf64_Rela *rela = (const void *)(o->bytes + section->sh_offset);
        for (size_t k = 0; k < section->sh_size / sizeof *rela; k++)
            if (!relocate_one(o, section->sh_info, &rela[k], &symbols[ELF64_R_SYM(rela[k].r_info)], names))
                return false;
    }
    return true;
}

/* The function's address; the module has one. */
static void *find_entry(const struct object *o)
{
    for (unsigned i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *section = &o->sections[i];
        if (section->sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbol = (const void *)(o->bytes + section->sh_offset);
        for (size_t k = 0; k < section->sh_size / sizeof *symbol; k++)
            if (ELF64_ST_TYPE(symbol[k].st_info) == STT_FUNC && symbol[k].st_shndx < o->header->e_shnum &&
                o->place[symbol[k].st_shndx] != UINT64_MAX)
                return o->memory + o->place[symbol[k].st_shndx] + symbol[k].st_value;
    }
    return NULL;
}

static bool place_code(struct object *o, struct gcn_jit_code *code)
{
    code->size = (lay_out_sections(o) + 4095) & ~(size_t)4095;
    void *memory = mmap(NULL, code->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    o->memory = memory;
    for (unsigned i = 0; i < o->header->e_shnum; i++)
        if (o->place[i] != UINT64_MAX && o->sections[i].sh_type != SHT_NOBITS)
            memcpy(o->memory + o->place[i], o->bytes + o->sections[i].sh_offset, o->sections[i].sh_size);
    void *entry = find_entry(o);
    if (!entry || !relocate(o) || mprotect(memory, code->size, PROT_READ | PROT_EXEC)) {
        munmap(memory, code->size);
        return false;
    }
    code->memory = memory;
    memcpy(&code->entry, &entry, sizeof entry);
    return true;
}

bool object_load(const struct gcn_jit *jit, const struct gcn_unit *unit, gcn_handler *const *handlers,
                 const char *object, size_t size, struct gcn_jit_code *code)
{
    struct object o = {
        .bytes = object, .size = size, .header = (const void *)object, .jit = jit, .unit = unit, .handlers = handlers};
    if (size < sizeof *o.header || !lies_within(&o, o.header->e_shoff, o.header->e_shnum * sizeof *o.sections))
        return false;
    o.sections = (const void *)(object + o.header->e_shoff);
    o.place = mem_alloc(o.header->e_shnum * sizeof *o.place);
    bool done = o.place && place_code(&o, code);
    mem_free(o.place);
    return done;
}
