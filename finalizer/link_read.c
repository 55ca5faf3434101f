/* SPDX-License-Identifier: MIT */
/* Reads the relocatable object: section headers, names, symbols.
 * Input: the bytes of an ELF64 file. Output: link_state.sections and .symbols, names pointing into the
 * object. Invariant: every offset, index and string taken from the object was checked against its size. */
#include "finalizer/link_internal.h"

#include <string.h>

#define EM_AMDGPU_MACHINE 224

static bool check_header(struct link_state *s)
{
    const Elf64_Ehdr *h = (const void *)s->object.data;
    if (s->object.size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_ident[EI_DATA] != ELFDATA2LSB)
        return link_fail(s, LINK_ELF);
    if (h->e_machine != EM_AMDGPU_MACHINE || h->e_type != ET_REL)
        return link_fail(s, LINK_MACHINE, h->e_machine, h->e_type);
    if (h->e_shentsize != sizeof(Elf64_Shdr) || !h->e_shnum || h->e_shoff % 8 ||
        !range_inside(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), s->object.size))
        return link_fail(s, LINK_SECTIONS);
    s->header = h;
    return true;
}

/* The NUL-terminated string at OFFSET of TABLE, or NULL. */
static const char *string_at(struct bytes table, uint64_t offset)
{
    if (offset >= table.size || !memchr(table.data + offset, 0, table.size - offset))
        return NULL;
    return (const char *)table.data + offset;
}

static enum link_segment link_segment_of(const struct link_section *section)
{
    if (!section->size)
        return LINK_DROP;
    if (section->flags & SHF_ALLOC) {
        if (section->type == SHT_NOBITS)
            return LINK_ZERO;
        if (section->flags & SHF_EXECINSTR)
            return LINK_EXEC;
        return section->flags & SHF_WRITE ? LINK_WRITE : LINK_READ;
    }
    /* Of the rest only debug information and producer notes are worth keeping. */
    if (section->type == SHT_PROGBITS && (!strncmp(section->name, ".debug", 6) || !strcmp(section->name, ".comment")))
        return LINK_FILE;
    return LINK_DROP;
}

static bool read_section(struct link_state *s, uint32_t index, const Elf64_Shdr *h, struct bytes names)
{
    struct link_section *section = &s->sections[index];
    section->name = string_at(names, h->sh_name);
    if (!section->name)
        return link_fail(s, LINK_SECTION_NAME, index);
    if (h->sh_type != SHT_NOBITS && h->sh_type != SHT_NULL) {
        if (!range_inside(h->sh_offset, h->sh_size, s->object.size))
            return link_fail(s, LINK_SECTION_PLACE, section->name);
        section->data = bytes_slice(s->object, h->sh_offset, h->sh_size);
    }
    section->size = h->sh_size;
    section->align = h->sh_addralign ? h->sh_addralign : 1;
    section->flags = h->sh_flags;
    section->type = h->sh_type;
    if (!is_power_of_two(section->align) || section->align > LINK_PAGE || section->size > LINK_MAX_IMAGE)
        return link_fail(s, LINK_SECTION_SIZE, section->name);
    if (section->flags & SHF_TLS)
        return link_fail(s, LINK_SECTION_TLS, section->name);
    section->segment = link_segment_of(section);
    if (section->type == SHT_SYMTAB)
        s->symtab = index;
    return true;
}

static bool read_sections(struct link_state *s)
{
    const Elf64_Shdr *h = (const void *)(s->object.data + s->header->e_shoff);
    s->section_count = s->header->e_shnum;
    s->sections = arena_zalloc(&s->arena, s->section_count, sizeof *s->sections);
    if (!s->sections)
        return link_no_memory(s);
    uint32_t names = s->header->e_shstrndx;
    if (names >= s->section_count || !range_inside(h[names].sh_offset, h[names].sh_size, s->object.size))
        return link_fail(s, LINK_SECTION_NAMES);
    struct bytes table = bytes_slice(s->object, h[names].sh_offset, h[names].sh_size);
    s->sections[0].segment = LINK_DROP;
    for (uint32_t i = 1; i < s->section_count; i++)
        if (!read_section(s, i, &h[i], table))
            return false;
    for (uint32_t i = 1; i < s->section_count; i++) {
        if (h[i].sh_type == SHT_REL)
            return link_fail(s, LINK_ADDENDS, s->sections[i].name);
        if (h[i].sh_type != SHT_RELA)
            continue;
        if (h[i].sh_info >= s->section_count || h[i].sh_link != s->symtab || h[i].sh_size % sizeof(Elf64_Rela) ||
            h[i].sh_offset % 8)
            return link_fail(s, LINK_RELOCATIONS, s->sections[i].name);
        s->sections[h[i].sh_info].rela = i;
    }
    return true;
}

static bool read_symbol(struct link_state *s, uint32_t index, const Elf64_Sym *in, struct bytes names)
{
    struct link_symbol *symbol = &s->symbols[index];
    *symbol = (struct link_symbol){
        string_at(names, in->st_name), in->st_value, in->st_size, in->st_shndx, in->st_info, in->st_other};
    if (!symbol->name)
        return link_fail(s, LINK_SYMBOL_NAME, index);
    if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS)
        return true;
    if (symbol->section >= s->section_count)
        return link_fail(s, LINK_SYMBOL_SECTION, symbol->name, symbol->section);
    if (!range_inside(symbol->value, symbol->size, s->sections[symbol->section].size))
        return link_fail(s, LINK_SYMBOL_PLACE, symbol->name);
    return true;
}

static bool read_symbols(struct link_state *s)
{
    if (!s->symtab)
        return link_fail(s, LINK_SYMBOLS_MISSING);
    const Elf64_Shdr *h = (const Elf64_Shdr *)(const void *)(s->object.data + s->header->e_shoff) + s->symtab;
    struct bytes table = s->sections[s->symtab].data;
    if (h->sh_link >= s->section_count || table.size % sizeof(Elf64_Sym) || h->sh_offset % 8)
        return link_fail(s, LINK_SYMBOLS);
    struct bytes names = s->sections[h->sh_link].data;
    s->symbol_count = (uint32_t)(table.size / sizeof(Elf64_Sym));
    s->symbols = arena_zalloc(&s->arena, (size_t)s->symbol_count + 1, sizeof *s->symbols);
    if (!s->symbols)
        return link_no_memory(s);
    const Elf64_Sym *in = (const void *)table.data;
    for (uint32_t i = 1; i < s->symbol_count; i++)
        if (!read_symbol(s, i, &in[i], names))
            return false;
    if (s->symbol_count)
        s->symbols[0].name = "";
    return true;
}

bool link_read(struct link_state *s)
{
    return check_header(s) && read_sections(s) && read_symbols(s);
}
