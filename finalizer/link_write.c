/* SPDX-License-Identifier: MIT */
/* Writes the tables, the ELF header, the program headers and the section headers of the code object.
 * Input: a state whose layout is final and whose sections are relocated. Output: the finished image.
 * Invariant: everything loaded is covered by exactly one PT_LOAD. */
#include "finalizer/link_internal.h"

#include <string.h>

struct table_row {
    enum link_part part;
    const char *name;
    uint32_t type;
    uint64_t flags, entry;
};

static const struct table_row tables[PART_COUNT] = {
    {PART_DYNSYM, ".dynsym", SHT_DYNSYM, SHF_ALLOC, sizeof(Elf64_Sym)},
    {PART_GNU_HASH, ".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 0},
    {PART_HASH, ".hash", SHT_HASH, SHF_ALLOC, 4},
    {PART_DYNSTR, ".dynstr", SHT_STRTAB, SHF_ALLOC, 0},
    {PART_RELA, ".rela.dyn", SHT_RELA, SHF_ALLOC, sizeof(Elf64_Rela)},
    {PART_DYNAMIC, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, sizeof(Elf64_Dyn)},
    {PART_GOT, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0},
    {PART_SYMTAB, ".symtab", SHT_SYMTAB, 0, sizeof(Elf64_Sym)},
    {PART_SHSTRTAB, ".shstrtab", SHT_STRTAB, 0, 0},
    {PART_STRTAB, ".strtab", SHT_STRTAB, 0, 0},
};

/* Appends TEXT to a string table whose next free byte is *AT; returns its offset. */
static uint32_t add_string(struct link_buffer *table, uint64_t *at, const char *text)
{
    size_t length = strlen(text) + 1;
    uint32_t offset = (uint32_t)*at;
    memcpy(table->data + *at, text, length);
    *at += length;
    return offset;
}

/* A symbol has 16 bits for its section number; the layout ensures that all numbers stay below the reserved ones. */
static Elf64_Sym output_symbol(const struct link_state *s, const struct link_symbol *in, uint32_t name)
{
    Elf64_Sym out = {.st_name = name, .st_info = in->info, .st_other = in->other, .st_size = in->size};
    out.st_value = link_symbol_address(s, in);
    out.st_shndx =
        (uint16_t)(in->section == SHN_UNDEF || in->section == SHN_ABS ? in->section : s->sections[in->section].out);
    return out;
}

static bool is_kept(const struct link_state *s, const struct link_symbol *symbol)
{
    if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS)
        return true;
    return s->sections[symbol->section].out != 0;
}

/* Writes local symbols first, as ELF demands; hidden ones become local. Returns the index of the first global
 * symbol. */
static uint32_t fill_symtab(struct link_state *s)
{
    Elf64_Sym *out = (Elf64_Sym *)(void *)s->parts[PART_SYMTAB].data + 1;
    uint64_t at = 1;
    uint32_t count = 1, first_global = 0;
    for (int global = 0; global < 2; global++) {
        if (global)
            first_global = count;
        for (uint32_t i = 1; i < s->symbol_count; i++) {
            struct link_symbol in = s->symbols[i];
            uint8_t visibility = ELF64_ST_VISIBILITY(in.other);
            if (in.section != SHN_UNDEF && (visibility == STV_HIDDEN || visibility == STV_INTERNAL))
                in.info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(in.info));
            if ((ELF64_ST_BIND(in.info) != STB_LOCAL) != global || !is_kept(s, &in) ||
                (in.section == SHN_UNDEF && !in.dynamic))
                continue;
            *out++ = output_symbol(s, &in, add_string(&s->parts[PART_STRTAB], &at, in.name));
            count++;
        }
    }
    s->parts[PART_SYMTAB].size = count * sizeof *out;
    return first_global;
}

static void fill_dynsym(struct link_state *s)
{
    Elf64_Sym *out = (void *)s->parts[PART_DYNSYM].data;
    uint64_t at = 1;
    for (uint32_t i = 1; i < s->dynamic_count; i++) {
        const struct link_symbol *in = &s->symbols[s->dynamic[i]];
        out[i] = output_symbol(s, in, add_string(&s->parts[PART_DYNSTR], &at, in->name));
    }
}

static void fill_dynamic(struct link_state *s)
{
    Elf64_Dyn *next = (void *)s->parts[PART_DYNAMIC].data;
    const struct link_buffer *p = s->parts;
#define DYNAMIC(tag, value) (*next++ = (Elf64_Dyn){.d_tag = (tag), .d_un.d_val = (value)})
    if (p[PART_RELA].size) {
        DYNAMIC(DT_RELA, p[PART_RELA].offset);
        DYNAMIC(DT_RELASZ, p[PART_RELA].size);
        DYNAMIC(DT_RELAENT, sizeof(Elf64_Rela));
        if (s->relative_count)
            DYNAMIC(DT_RELACOUNT, s->relative_count);
    }
    DYNAMIC(DT_SYMTAB, p[PART_DYNSYM].offset);
    DYNAMIC(DT_SYMENT, sizeof(Elf64_Sym));
    DYNAMIC(DT_STRTAB, p[PART_DYNSTR].offset);
    DYNAMIC(DT_STRSZ, p[PART_DYNSTR].size);
    DYNAMIC(DT_GNU_HASH, p[PART_GNU_HASH].offset);
    DYNAMIC(DT_HASH, p[PART_HASH].offset);
    DYNAMIC(DT_NULL, 0);
#undef DYNAMIC
}

static void write_parts(struct link_state *s)
{
    for (int i = 0; i < PART_COUNT; i++)
        if (s->parts[i].size && i != PART_GOT)
            memcpy(s->image + s->parts[i].offset, s->parts[i].data, s->parts[i].size);
}

static void add_segment(Elf64_Phdr **next, uint32_t type, uint32_t flags, uint64_t start, uint64_t file_size,
                        uint64_t memory_size, uint64_t align)
{
    *(*next)++ = (Elf64_Phdr){
        .p_type = type,
        .p_flags = flags,
        .p_offset = start,
        .p_vaddr = start,
        .p_paddr = start,
        .p_filesz = file_size,
        .p_memsz = memory_size,
        .p_align = align};
}

/* One segment for all notes, which the layout puts one after the other. */
static void add_notes(struct link_state *s, Elf64_Phdr **next)
{
    uint64_t begin = 0, end = 0;
    for (uint32_t i = 1; i < s->section_count; i++) {
        const struct link_section *section = &s->sections[i];
        if (section->segment != LINK_READ || section->type != SHT_NOTE || !section->out)
            continue;
        begin = begin ? begin : section->offset;
        end = section->offset + section->size;
    }
    if (end)
        add_segment(next, PT_NOTE, PF_R, begin, end - begin, end - begin, 4);
}

static uint16_t write_program_headers(struct link_state *s)
{
    Elf64_Phdr *first = (void *)(s->image + sizeof(Elf64_Ehdr)), *next = first;
    const uint64_t *from = s->segment_offset, *to = s->segment_end;
    add_segment(&next, PT_PHDR, PF_R, sizeof(Elf64_Ehdr), 0, 0, 8);
    add_segment(&next, PT_LOAD, PF_R, 0, to[LINK_READ], to[LINK_READ], LINK_PAGE);
    if (to[LINK_EXEC] > from[LINK_EXEC])
        add_segment(&next, PT_LOAD, PF_R | PF_X, from[LINK_EXEC], to[LINK_EXEC] - from[LINK_EXEC],
                    to[LINK_EXEC] - from[LINK_EXEC], LINK_PAGE);
    add_segment(&next, PT_LOAD, PF_R | PF_W, from[LINK_WRITE], to[LINK_WRITE] - from[LINK_WRITE],
                to[LINK_ZERO] - from[LINK_WRITE], LINK_PAGE);
    add_segment(&next, PT_DYNAMIC, PF_R | PF_W, s->parts[PART_DYNAMIC].offset, s->parts[PART_DYNAMIC].size,
                s->parts[PART_DYNAMIC].size, 8);
    add_segment(&next, PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0);
    add_notes(s, &next);
    uint16_t count = (uint16_t)(next - first);
    first->p_filesz = first->p_memsz = count * sizeof(Elf64_Phdr);
    return count;
}

static void write_section_headers(struct link_state *s, uint32_t first_global)
{
    Elf64_Shdr *out = (void *)(s->image + s->section_table);
    struct link_buffer *names = &s->parts[PART_SHSTRTAB];
    uint64_t at = 1;
    for (int i = 0; i < PART_COUNT; i++) {
        const struct table_row *row = &tables[i];
        const struct link_buffer *part = &s->parts[i];
        if (!part->out)
            continue;
        Elf64_Shdr h = {.sh_name = add_string(names, &at, row->name),
                        .sh_type = row->type,
                        .sh_flags = row->flags,
                        .sh_offset = part->offset,
                        .sh_size = part->size,
                        .sh_addralign = 8,
                        .sh_entsize = row->entry};
        h.sh_addr = row->flags & SHF_ALLOC ? part->offset : 0;
        if (i == PART_DYNSYM || i == PART_DYNAMIC)
            h.sh_link = s->parts[PART_DYNSTR].out;
        else if (i == PART_SYMTAB)
            h.sh_link = s->parts[PART_STRTAB].out;
        else if (i == PART_HASH || i == PART_GNU_HASH || i == PART_RELA)
            h.sh_link = s->parts[PART_DYNSYM].out;
        h.sh_info = i == PART_DYNSYM ? 1 : i == PART_SYMTAB ? first_global : 0;
        out[part->out] = h;
    }
    for (uint32_t i = 1; i < s->section_count; i++) {
        const struct link_section *in = &s->sections[i];
        if (!in->out)
            continue;
        bool loaded = in->flags & SHF_ALLOC;
        out[in->out] = (Elf64_Shdr){
            .sh_name = add_string(names, &at, in->name),
            .sh_type = in->type,
            .sh_flags = in->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR),
            .sh_addr = loaded ? in->offset : 0,
            .sh_size = in->size,
            .sh_offset = in->segment == LINK_ZERO ? s->file_end : in->offset,
            .sh_addralign = in->align};
    }
}

static void write_header(struct link_state *s, uint16_t program_headers)
{
    Elf64_Ehdr *h = (void *)s->image;
    memcpy(h->e_ident, s->header->e_ident, EI_NIDENT); /* the code generator has chosen OSABI and ABI version */
    h->e_type = ET_DYN;
    h->e_machine = s->header->e_machine;
    h->e_version = EV_CURRENT;
    h->e_flags = s->header->e_flags;
    h->e_ehsize = sizeof *h;
    h->e_phoff = sizeof *h;
    h->e_phentsize = sizeof(Elf64_Phdr);
    h->e_phnum = program_headers;
    h->e_shoff = s->section_table;
    h->e_shentsize = sizeof(Elf64_Shdr);
    h->e_shnum = (uint16_t)s->out_count;
    h->e_shstrndx = (uint16_t)s->parts[PART_SHSTRTAB].out;
}

bool link_write(struct link_state *s)
{
    uint32_t first_global = fill_symtab(s);
    fill_dynsym(s);
    fill_dynamic(s);
    write_section_headers(s, first_global);
    write_parts(s);
    write_header(s, write_program_headers(s));
    return true;
}
