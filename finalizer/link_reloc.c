/* SPDX-License-Identifier: MIT */
/* Relocations: which need a GOT slot or the loader, and the application of all others.
 * Input: the relocation sections of the object. Output: patched bytes of the image, .got and .rela.dyn.
 * Invariant: link_scan_relocs() counts exactly the entries that link_apply_relocs() writes. */
#include "finalizer/link_internal.h"

enum reloc_kind { NOP, ABS, REL, GOT, UNKNOWN };
enum reloc_part { W64, W32, LO, HI, B16 };

struct reloc_row {
    enum reloc_kind kind;
    enum reloc_part part;
};

static struct reloc_row row_of(uint32_t type)
{
    switch (type) {
#define RELOC(number, name, kind, part)                                                                      \
    case number:                                                                                             \
        return (struct reloc_row){kind, part};
#include "finalizer/link_reloc.def"
#undef RELOC
    default: /* a number from a file */ return (struct reloc_row){UNKNOWN, W64};
    }
}

bool link_preemptible(const struct link_symbol *symbol)
{
    return symbol->section == SHN_UNDEF ||
           (ELF64_ST_BIND(symbol->info) != STB_LOCAL && ELF64_ST_VISIBILITY(symbol->other) == STV_DEFAULT);
}

uint64_t link_symbol_address(const struct link_state *s, const struct link_symbol *symbol)
{
    bool placed = symbol->section != SHN_UNDEF && symbol->section != SHN_ABS &&
                  s->sections[symbol->section].segment != LINK_FILE; /* these have no addresses */
    return symbol->value + (placed ? s->sections[symbol->section].offset : 0);
}

typedef bool reloc_visitor(struct link_state *s, const struct link_section *section, const Elf64_Rela *rela,
                           struct reloc_row row, struct link_symbol *symbol);

/* Calls VISIT for every relocation of every section that is kept. */
static bool for_each_reloc(struct link_state *s, reloc_visitor *visit)
{
    for (uint32_t i = 1; i < s->section_count; i++) {
        const struct link_section *section = &s->sections[i];
        if (!section->rela || section->segment == LINK_DROP)
            continue;
        struct bytes table = s->sections[section->rela].data;
        const Elf64_Rela *rela = (const void *)table.data;
        for (size_t n = table.size / sizeof *rela; n; n--, rela++) {
            uint32_t index = ELF64_R_SYM(rela->r_info);
            struct reloc_row row = row_of(ELF64_R_TYPE(rela->r_info));
            if (row.kind == UNKNOWN || index >= s->symbol_count || (!index && row.kind != NOP))
                return link_fail(s, LINK_TYPE, section->name, (unsigned)ELF64_R_TYPE(rela->r_info), index);
            uint64_t width = row.part == W64 ? 8 : row.part == B16 ? 2 : 4;
            if (row.kind != NOP && !range_inside(rela->r_offset, width, section->data.size))
                return link_fail(s, LINK_PLACE, section->name);
            if (row.kind != NOP && !visit(s, section, rela, row, &s->symbols[index]))
                return false;
        }
    }
    return true;
}

static bool scan_relocation(struct link_state *s, const struct link_section *section, const Elf64_Rela *rela,
                            struct reloc_row row, struct link_symbol *symbol)
{
    (void)rela;
    bool placed = symbol->section != SHN_UNDEF && symbol->section != SHN_ABS;
    if (placed && s->sections[symbol->section].segment == LINK_DROP)
        return link_fail(s, LINK_DROPPED, section->name, symbol->name);
    if (section->segment == LINK_FILE) /* debug information takes link-time addresses */
        return row.kind == ABS || link_fail(s, LINK_UNEXPECTED, section->name);
    symbol->used = true;
    switch (row.kind) {
    case GOT:
        if (!symbol->got) {
            symbol->got = ++s->got_count;
            s->dynamic_reloc_count++;
        }
        return true;
    case REL:
        if (symbol->section == SHN_UNDEF)
            return link_fail(s, LINK_UNDEFINED, symbol->name);
        return symbol->section != SHN_ABS || link_fail(s, LINK_ABSOLUTE, symbol->name);
    case ABS:
        if (symbol->section == SHN_ABS)
            return true;
        if (row.part != W64)
            return link_fail(s, LINK_32_BITS, section->name, symbol->name);
        s->dynamic_reloc_count++;
        return true;
    case NOP:
    case UNKNOWN: break;
    }
    return true;
}

bool link_scan_relocs(struct link_state *s)
{
    return for_each_reloc(s, scan_relocation);
}

/* Writes one dynamic relocation for the eight bytes at PLACE that must hold SYMBOL + ADDEND. */
static void add_dynamic(struct link_state *s, uint64_t place, const struct link_symbol *symbol, int64_t addend)
{
    Elf64_Rela *rela = s->rela_next++;
    rela->r_offset = place;
    if (link_preemptible(symbol)) {
        rela->r_info = ELF64_R_INFO((uint64_t)symbol->dynamic, R_AMDGPU_ABS64);
        rela->r_addend = addend;
    } else {
        rela->r_info = ELF64_R_INFO(0, R_AMDGPU_RELATIVE64);
        rela->r_addend = (int64_t)(link_symbol_address(s, symbol) + (uint64_t)addend);
    }
}

static bool store_part(struct link_state *s, uint8_t *at, enum reloc_part part, uint64_t value,
                       const struct link_symbol *symbol)
{
    int64_t distance = ((int64_t)value - 4) / 4;
    switch (part) {
    case W64: store64(at, value); return true;
    case LO: store32(at, (uint32_t)value); return true;
    case HI: store32(at, (uint32_t)(value >> 32)); return true;
    case W32:
        store32(at, (uint32_t)value);
        return (int64_t)value == (int32_t)value || value <= UINT32_MAX || link_fail(s, LINK_REACH, symbol->name);
    case B16:
        store16(at, (uint16_t)distance);
        return distance == (int16_t)distance || link_fail(s, LINK_BRANCH, symbol->name);
    }
    return true;
}

static bool apply_reloc(struct link_state *s, const struct link_section *section, const Elf64_Rela *rela,
                        struct reloc_row row, struct link_symbol *symbol)
{
    uint64_t place = section->offset + rela->r_offset;
    uint64_t addend = (uint64_t)rela->r_addend;
    uint64_t target = link_symbol_address(s, symbol) + addend;
    uint8_t *at = s->image + place;
    if (row.kind == GOT)
        target = s->parts[PART_GOT].offset + 8 * (uint64_t)(symbol->got - 1) + addend;
    if (row.kind != ABS)
        target -= place;
    else if (section->segment != LINK_FILE && symbol->section != SHN_ABS) {
        add_dynamic(s, place, symbol, rela->r_addend);
        return true;
    }
    return store_part(s, at, row.part, target, symbol);
}

/* The loader applies RELATIVE64 by address alone, so they come first, as DT_RELACOUNT promises. */
static bool sort_relative_first(struct link_state *s)
{
    Elf64_Rela *first = (void *)s->parts[PART_RELA].data;
    uint64_t count = (uint64_t)(s->rela_next - first), kept = 0, others = 0;
    Elf64_Rela *symbolic = arena_zalloc(&s->arena, count, sizeof *symbolic);
    if (!symbolic)
        return link_no_memory(s);
    for (uint64_t i = 0; i < count; i++)
        if (ELF64_R_TYPE(first[i].r_info) == R_AMDGPU_RELATIVE64)
            first[kept++] = first[i];
        else
            symbolic[others++] = first[i];
    for (uint64_t i = 0; i < others; i++)
        first[kept + i] = symbolic[i];
    s->relative_count = kept;
    return true;
}

bool link_apply_relocs(struct link_state *s)
{
    s->rela_next = (void *)s->parts[PART_RELA].data;
    if (!for_each_reloc(s, apply_reloc))
        return false;
    for (uint32_t i = 1; i < s->symbol_count; i++)
        if (s->symbols[i].got)
            add_dynamic(s, s->parts[PART_GOT].offset + 8 * (uint64_t)(s->symbols[i].got - 1), &s->symbols[i], 0);
    return sort_relative_first(s);
}
