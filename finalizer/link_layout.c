/* SPDX-License-Identifier: MIT */
/* Gives every section, table and header of the code object its place.
 * Input: sections, symbols and counts. Output: offsets, sizes, the image allocated and the sections copied
 * into it. Invariant: what is loaded has address = file offset; each change of access rights starts a new
 * page. */
#include "finalizer/link_internal.h"

#include <string.h>

enum { LINK_PROGRAM_HEADERS = 8 };

static bool is_exported(const struct link_state *s, const struct link_symbol *symbol)
{
    if (ELF64_ST_BIND(symbol->info) == STB_LOCAL)
        return false;
    if (symbol->section == SHN_UNDEF)
        return symbol->used;
    if (symbol->section != SHN_ABS && s->sections[symbol->section].segment == LINK_DROP)
        return false;
    uint8_t visibility = ELF64_ST_VISIBILITY(symbol->other);
    return visibility == STV_DEFAULT || visibility == STV_PROTECTED;
}

/* Collects the dynamic symbols, undefined ones first; link_make_hashes() orders the rest. */
static bool choose_dynamic_symbols(struct link_state *s)
{
    s->dynamic = arena_zalloc(&s->arena, (size_t)s->symbol_count + 1, sizeof *s->dynamic);
    if (!s->dynamic)
        return link_no_memory(s);
    s->dynamic_count = 1;
    for (int defined = 0; defined < 2; defined++) {
        if (defined)
            s->dynamic_defined = s->dynamic_count;
        for (uint32_t i = 1; i < s->symbol_count; i++)
            if (is_exported(s, &s->symbols[i]) && (s->symbols[i].section != SHN_UNDEF) == defined) {
                s->symbols[i].dynamic = s->dynamic_count;
                s->dynamic[s->dynamic_count++] = i;
            }
    }
    return true;
}

static bool reserve_part(struct link_state *s, enum link_part part, uint64_t size)
{
    s->parts[part].size = size;
    s->parts[part].data = arena_zalloc(&s->arena, 1, size + 1);
    return s->parts[part].data || link_no_memory(s);
}

static bool make_parts(struct link_state *s)
{
    static const char section_names[] =
        "\0.dynsym\0.gnu.hash\0.hash\0.dynstr\0.rela.dyn\0.dynamic\0.got\0.symtab"
        "\0.shstrtab\0.strtab";
    uint64_t dynstr = 1, strtab = 1, names = sizeof section_names;
    for (uint32_t i = 1; i < s->dynamic_count; i++)
        dynstr += strlen(s->symbols[s->dynamic[i]].name) + 1;
    for (uint32_t i = 1; i < s->symbol_count; i++)
        strtab += strlen(s->symbols[i].name) + 1;
    for (uint32_t i = 1; i < s->section_count; i++)
        names += strlen(s->sections[i].name) + 1;
    if (!reserve_part(s, PART_DYNSYM, s->dynamic_count * sizeof(Elf64_Sym)) || !reserve_part(s, PART_DYNSTR, dynstr) ||
        !reserve_part(s, PART_RELA, s->dynamic_reloc_count * sizeof(Elf64_Rela)) ||
        !reserve_part(s, PART_DYNAMIC, 16 * sizeof(Elf64_Dyn)) ||
        !reserve_part(s, PART_GOT, 8 * (uint64_t)s->got_count) ||
        !reserve_part(s, PART_SYMTAB, s->symbol_count * sizeof(Elf64_Sym)) || !reserve_part(s, PART_STRTAB, strtab) ||
        !reserve_part(s, PART_SHSTRTAB, names))
        return false;
    memcpy(s->parts[PART_SHSTRTAB].data, section_names, sizeof section_names);
    return true;
}

static uint64_t place_part(struct link_state *s, enum link_part part, uint64_t at)
{
    s->parts[part].offset = align_up(at, 8);
    s->parts[part].out = s->parts[part].size ? s->out_count++ : 0;
    return s->parts[part].offset + s->parts[part].size;
}

static uint64_t place_sections(struct link_state *s, enum link_segment segment, bool notes, uint64_t at)
{
    for (uint32_t i = 1; i < s->section_count; i++) {
        struct link_section *section = &s->sections[i];
        if (section->segment != segment || (section->type == SHT_NOTE) != notes || !section->size)
            continue;
        section->offset = align_up(at, section->align);
        section->out = s->out_count++;
        at = section->offset + section->size;
    }
    return at;
}

/* Starts SEGMENT on a new page, so that it can have access rights of its own. */
static uint64_t begin_segment(struct link_state *s, enum link_segment segment, uint64_t at)
{
    return s->segment_offset[segment] = align_up(at, LINK_PAGE);
}

static bool place_everything(struct link_state *s)
{
    uint64_t at = sizeof(Elf64_Ehdr) + LINK_PROGRAM_HEADERS * sizeof(Elf64_Phdr);
    s->out_count = 1;
    s->segment_offset[LINK_READ] = 0;
    at = place_sections(s, LINK_READ, true, at);
    for (enum link_part part = PART_DYNSYM; part <= PART_RELA; part++)
        at = place_part(s, part, at);
    s->segment_end[LINK_READ] = at = place_sections(s, LINK_READ, false, at);
    at = begin_segment(s, LINK_EXEC, at);
    s->segment_end[LINK_EXEC] = at = place_sections(s, LINK_EXEC, false, at);
    at = begin_segment(s, LINK_WRITE, at);
    at = place_part(s, PART_DYNAMIC, at);
    at = place_part(s, PART_GOT, at);
    s->segment_end[LINK_WRITE] = s->file_end = at = place_sections(s, LINK_WRITE, false, at);
    /* Zero-filled memory has addresses but no bytes in the file; sections that are not loaded follow the file's
     * loaded bytes. */
    s->segment_offset[LINK_ZERO] = at;
    s->segment_end[LINK_ZERO] = place_sections(s, LINK_ZERO, false, at);
    at = place_sections(s, LINK_FILE, false, s->file_end);
    for (enum link_part part = PART_SYMTAB; part < PART_COUNT; part++)
        at = place_part(s, part, at);
    s->section_table = align_up(at, 8);
    s->image_size = s->section_table + s->out_count * sizeof(Elf64_Shdr);
    if (s->out_count >= SHN_LORESERVE || s->image_size > LINK_MAX_IMAGE || s->segment_end[LINK_ZERO] > LINK_MAX_IMAGE)
        return link_fail(s, LINK_SIZE);
    return true;
}

bool link_layout(struct link_state *s)
{
    if (!choose_dynamic_symbols(s) || !link_make_hashes(s) || !make_parts(s) || !place_everything(s))
        return false;
    s->image = mem_zalloc(1, s->image_size);
    if (!s->image)
        return link_no_memory(s);
    for (uint32_t i = 1; i < s->section_count; i++)
        if (s->sections[i].out && s->sections[i].segment != LINK_ZERO)
            memcpy(s->image + s->sections[i].offset, s->sections[i].data.data, s->sections[i].size);
    return true;
}
