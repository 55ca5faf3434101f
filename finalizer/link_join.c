/* SPDX-License-Identifier: MIT */
/* Joins relocatable objects, the shares of one program, to one relocatable object.
 * Input: ELF64 files, each checked as the linker checks its input. Output: one file with their loaded sections,
 * sections of one name after the other, and their symbols; what one file defines is what the others mean by its name.
 * Invariant: the order of the files alone decides the order of everything. */
#include "finalizer/link_internal.h"

#include "support/hash.h"
#include "support/hash_table.h"

/* A section of the joined file. */
struct join_section {
    const char *name;
    uint64_t flags, align, size, offset;
    uint32_t type;
    struct textbuf data, rela;
};

struct join_object {
    struct link_state state;
    uint32_t *group;   /* by section: index + 1 of the joined section that it is a part of, or 0 */
    uint64_t *base;    /* by section: where it begins in that */
    uint32_t *symbols; /* by symbol: its number in the joined file, or 0 */
};

struct join {
    struct link_result *result;
    struct arena arena;
    struct join_object *objects;
    size_t count;
    VEC(struct join_section) sections;
    VEC(Elf64_Sym) symbols;
    VEC(const char *) names; /* of the symbols */
    uint32_t first_global;
    struct hash_table globals;
    struct textbuf image;
};

static bool open_objects(struct join *j, const struct bytes *objects)
{
    j->objects = arena_zalloc(&j->arena, j->count, sizeof *j->objects);
    if (!j->objects)
        return link_no_memory(j);
    for (size_t i = 0; i < j->count; i++) {
        struct join_object *o = &j->objects[i];
        struct link_state *s = &o->state;
        s->result = j->result;
        s->object = objects[i];
        if ((uintptr_t)objects[i].data % 8)
            return link_fail(j, LINK_ALIGN);
        if (!link_read(s))
            return false;
        if (memcmp(s->header->e_ident, j->objects[0].state.header->e_ident, EI_NIDENT) ||
            s->header->e_flags != j->objects[0].state.header->e_flags)
            return link_fail(j, LINK_DIFFERENT);
        o->group = arena_zalloc(&j->arena, s->section_count, sizeof *o->group);
        o->base = arena_zalloc(&j->arena, s->section_count, sizeof *o->base);
        o->symbols = arena_zalloc(&j->arena, (size_t)s->symbol_count + 1, sizeof *o->symbols);
        if (!o->group || !o->base || !o->symbols)
            return link_no_memory(j);
    }
    return true;
}

/* The index of the joined section for one like IN; the number of sections if memory is out. */
static size_t section_like(struct join *j, const struct link_section *in)
{
    uint64_t flags = in->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR);
    size_t i = 0;
    for (; i < j->sections.count; i++) {
        const struct join_section *known = &j->sections.items[i];
        if (known->type == in->type && known->flags == flags && !strcmp(known->name, in->name))
            return i;
    }
    struct join_section added = {.name = in->name, .flags = flags, .type = in->type};
    return vec_push(&j->sections, added) ? i : SIZE_MAX;
}

/* Appends the loaded sections of an object. What is not loaded is debug information, of which programs with shares have
 * none. */
static bool add_sections(struct join *j, struct join_object *o)
{
    for (uint32_t i = 1; i < o->state.section_count; i++) {
        const struct link_section *in = &o->state.sections[i];
        if (in->segment == LINK_DROP || in->segment == LINK_FILE)
            continue;
        size_t index = section_like(j, in);
        if (index == SIZE_MAX)
            return link_no_memory(j);
        struct join_section *out = &j->sections.items[index];
        o->group[i] = (uint32_t)index + 1;
        o->base[i] = align_up(out->size, in->align);
        if (out->align < in->align)
            out->align = in->align;
        if (o->base[i] + in->size > LINK_MAX_IMAGE)
            return link_fail(j, LINK_SIZE);
        if (in->type != SHT_NOBITS) {
            textbuf_fill(&out->data, '\0', o->base[i] - out->size);
            textbuf_add(&out->data, in->data.data, in->size);
        }
        out->size = o->base[i] + in->size;
    }
    return true;
}

/* The symbol as one of the joined file. A section's own symbol becomes one without a type, as it is no longer the
 * section's beginning. */
static Elf64_Sym joined_symbol(const struct join_object *o, const struct link_symbol *in)
{
    Elf64_Sym out = {.st_info = in->info, .st_other = in->other, .st_value = in->value, .st_size = in->size};
    out.st_shndx = (uint16_t)in->section;
    if (in->section != SHN_UNDEF && in->section != SHN_ABS) {
        out.st_shndx = (uint16_t)o->group[in->section];
        out.st_value += o->base[in->section];
    }
    if (ELF64_ST_TYPE(in->info) == STT_SECTION)
        out.st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE);
    return out;
}

/* Gives the symbol the number of an earlier one of its name, which it may define, or the next one. */
static bool add_global(struct join *j, const char *name, Elf64_Sym symbol, uint32_t *number)
{
    uint32_t hash = (uint32_t)hash_bytes(hash_seed(), name, strlen(name));
    for (uint32_t at = hash; (*number = hash_table_next(&j->globals, hash, &at));) {
        Elf64_Sym *known = &j->symbols.items[*number];
        if (strcmp(j->names.items[*number], name) != 0)
            continue;
        if (symbol.st_shndx != SHN_UNDEF && known->st_shndx != SHN_UNDEF)
            return link_fail(j, LINK_TWICE, name);
        if (symbol.st_shndx != SHN_UNDEF)
            *known = symbol;
        return true;
    }
    *number = (uint32_t)j->symbols.count;
    return (vec_push(&j->symbols, symbol) && vec_push(&j->names, name) && hash_table_add(&j->globals, hash, *number)) ||
           link_no_memory(j);
}

static bool add_symbols(struct join *j, struct join_object *o, bool global)
{
    for (uint32_t i = 1; i < o->state.symbol_count; i++) {
        const struct link_symbol *in = &o->state.symbols[i];
        bool placed = in->section != SHN_UNDEF && in->section != SHN_ABS;
        if ((ELF64_ST_BIND(in->info) != STB_LOCAL) != global || (placed && !o->group[in->section]))
            continue;
        Elf64_Sym symbol = joined_symbol(o, in);
        o->symbols[i] = (uint32_t)j->symbols.count;
        if (global ? !add_global(j, in->name, symbol, &o->symbols[i])
                   : !vec_push(&j->symbols, symbol) || !vec_push(&j->names, in->name))
            return link_no_memory(j);
    }
    return true;
}

static bool add_all_symbols(struct join *j)
{
    Elf64_Sym none = {0};
    if (!vec_push(&j->symbols, none) || !vec_push(&j->names, ""))
        return link_no_memory(j);
    for (int global = 0; global < 2; global++) {
        if (global)
            j->first_global = (uint32_t)j->symbols.count;
        for (size_t i = 0; i < j->count; i++)
            if (!add_symbols(j, &j->objects[i], global))
                return false;
    }
    return true;
}

static bool add_relocations(struct join *j, struct join_object *o)
{
    for (uint32_t i = 1; i < o->state.section_count; i++) {
        const struct link_section *in = &o->state.sections[i];
        if (!in->rela || !o->group[i])
            continue;
        struct bytes table = o->state.sections[in->rela].data;
        for (size_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela rela;
            memcpy(&rela, table.data + at, sizeof rela);
            uint32_t index = ELF64_R_SYM(rela.r_info), type = ELF64_R_TYPE(rela.r_info);
            if (index >= o->state.symbol_count)
                return link_fail(j, LINK_TYPE, in->name, type, index);
            if (index && !o->symbols[index])
                return link_fail(j, LINK_DROPPED, in->name, o->state.symbols[index].name);
            if (!range_inside(rela.r_offset, 1, in->size))
                return link_fail(j, LINK_PLACE, in->name);
            rela.r_offset += o->base[i];
            rela.r_info = ELF64_R_INFO((uint64_t)o->symbols[index], type);
            textbuf_add(&j->sections.items[o->group[i] - 1].rela, &rela, sizeof rela);
        }
    }
    return true;
}

/* Makes one document of the metadata of all files, if there is any: the loader reads one. */
static bool join_metadata(struct join *j)
{
    for (size_t i = 0; i < j->sections.count; i++) {
        struct join_section *section = &j->sections.items[i];
        struct bytes notes = {(const uint8_t *)section->data.data, section->data.size};
        struct textbuf joined = {0};
        if (section->type != SHT_NOTE || !link_has_metadata(notes))
            continue;
        bool done = link_join_metadata(j->result, notes, &joined);
        textbuf_free(&section->data);
        section->data = joined;
        section->size = joined.size;
        return done;
    }
    return true;
}

/* ---- Writing ---- */

/* Adds SIZE bytes where a multiple of ALIGN is, and returns where that is. */
static uint64_t put(struct join *j, const void *data, size_t size, uint64_t align)
{
    textbuf_fill(&j->image, '\0', align_up(j->image.size, align) - j->image.size);
    uint64_t offset = j->image.size;
    textbuf_add(&j->image, data, size);
    return offset;
}

/* Adds a string table of COUNT names, the first of which is empty; OFFSETS gets where each begins. */
static Elf64_Shdr put_names(struct join *j, const char *const *names, size_t count, uint32_t *offsets)
{
    Elf64_Shdr header = {.sh_type = SHT_STRTAB, .sh_offset = j->image.size, .sh_addralign = 1};
    for (size_t i = 0; i < count; i++) {
        offsets[i] = (uint32_t)(j->image.size - header.sh_offset);
        textbuf_add(&j->image, names[i], strlen(names[i]) + 1);
    }
    header.sh_size = j->image.size - header.sh_offset;
    return header;
}

/* The sections of the file: none, the joined ones, their relocations, and three tables. */
static bool write_sections(struct join *j, Elf64_Shdr *headers, size_t count, const char **names, uint32_t *offsets)
{
    size_t number = j->sections.count, symtab = 2 * number + 1, strtab = symtab + 1;
    for (size_t i = 0; i < number; i++) {
        const struct join_section *s = &j->sections.items[i];
        if (s->data.failed || s->rela.failed)
            return link_no_memory(j);
        headers[i + 1] =
            (Elf64_Shdr){.sh_type = s->type, .sh_flags = s->flags, .sh_size = s->size, .sh_addralign = s->align};
        headers[i + 1].sh_offset = put(j, s->data.data, s->data.size, s->align);
        headers[number + i + 1] = (Elf64_Shdr){
            .sh_type = SHT_RELA,
            .sh_size = s->rela.size,
            .sh_addralign = 8,
            .sh_link = (uint32_t)symtab,
            .sh_info = (uint32_t)i + 1,
            .sh_entsize = sizeof(Elf64_Rela)};
        headers[number + i + 1].sh_offset = put(j, s->rela.data, s->rela.size, 8);
        names[i + 1] = s->name;
        names[number + i + 1] = ".rela";
    }
    uint32_t *places = arena_alloc(&j->arena, j->names.count * sizeof *places);
    if (!places)
        return link_no_memory(j);
    headers[strtab] = put_names(j, j->names.items, j->names.count, places);
    for (size_t i = 0; i < j->symbols.count; i++)
        j->symbols.items[i].st_name = places[i];
    headers[symtab] = (Elf64_Shdr){
        .sh_type = SHT_SYMTAB,
        .sh_size = j->symbols.count * sizeof(Elf64_Sym),
        .sh_addralign = 8,
        .sh_link = (uint32_t)strtab,
        .sh_info = j->first_global,
        .sh_entsize = sizeof(Elf64_Sym)};
    headers[symtab].sh_offset = put(j, j->symbols.items, headers[symtab].sh_size, 8);
    names[symtab] = ".symtab";
    names[strtab] = names[count - 1] = ".strtab";
    headers[count - 1] = put_names(j, names, count, offsets);
    for (size_t i = 1; i < count; i++)
        headers[i].sh_name = offsets[i];
    return true;
}

static bool write_object(struct join *j)
{
    size_t count = 2 * j->sections.count + 4;
    Elf64_Shdr *headers = arena_zalloc(&j->arena, count, sizeof *headers);
    const char **names = arena_zalloc(&j->arena, count, sizeof *names);
    uint32_t *offsets = arena_zalloc(&j->arena, count, sizeof *offsets);
    Elf64_Ehdr header = *j->objects[0].state.header;
    if (!headers || !names || !offsets)
        return link_no_memory(j);
    if (count >= SHN_LORESERVE || j->symbols.count > UINT32_MAX)
        return link_fail(j, LINK_SIZE);
    names[0] = "";
    put(j, &header, sizeof header, 8);
    if (!write_sections(j, headers, count, names, offsets))
        return false;
    header.e_shoff = put(j, headers, count * sizeof *headers, 8);
    header.e_shnum = (uint16_t)count;
    header.e_shstrndx = (uint16_t)(count - 1);
    if (j->image.failed)
        return link_no_memory(j);
    memcpy(j->image.data, &header, sizeof header);
    return true;
}

static bool join_all(struct join *j, const struct bytes *objects)
{
    if (!open_objects(j, objects))
        return false;
    for (size_t i = 0; i < j->count; i++)
        if (!add_sections(j, &j->objects[i]))
            return false;
    if (!add_all_symbols(j))
        return false;
    for (size_t i = 0; i < j->count; i++)
        if (!add_relocations(j, &j->objects[i]))
            return false;
    return join_metadata(j) && write_object(j);
}

struct link_result link_join(const struct bytes *objects, size_t count)
{
    struct link_result result = {0};
    struct join join = {.result = &result, .count = count};
    if (join_all(&join, objects)) {
        result.image = join.image.data;
        result.size = join.image.size;
    } else {
        textbuf_free(&join.image);
    }
    for (size_t i = 0; join.objects && i < count; i++)
        arena_free(&join.objects[i].state.arena);
    for (size_t i = 0; i < join.sections.count; i++) {
        textbuf_free(&join.sections.items[i].data);
        textbuf_free(&join.sections.items[i].rela);
    }
    vec_free(&join.sections);
    vec_free(&join.symbols);
    vec_free(&join.names);
    hash_table_free(&join.globals);
    arena_free(&join.arena);
    return result;
}
