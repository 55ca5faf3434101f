/* SPDX-License-Identifier: MIT */
/* A BRIG module in memory, read in place (PRM 18.2). brig/module_builder.h makes modules.
 *
 * A view points into bytes that somebody else owns and that must outlive it. brig_open() is the only way to
 * get one from untrusted bytes: after it returned BRIG_OK,
 *  - every non-zero offset in a known field leads to the start of an entry of a kind that belongs there,
 *  - every list holds whole offsets, each of which does the same,
 *  - an instruction has the operands of its opcode (kinds and number),
 *  - lists of constants nest at most two deep, nothing leads back to itself,
 * so the accessors below need no checks. Reading a view from several threads is safe. */
#ifndef BRIG_MODULE_H
#define BRIG_MODULE_H

#include "hsail/brig.h"
#include "support/bytes.h"

/* One standard section; DATA is the start of its header, and offsets count from there. */
struct brig_section {
    const uint8_t *data;
    uint32_t size;  /* with the header; every entry ends by here */
    uint32_t first; /* offset of the first entry */
};

struct brig_view {
    struct bytes module;            /* the whole block */
    struct brig_section section[3]; /* by HSA_BRIG_SECTION_INDEX_ */
    uint32_t brig_minor;            /* 0 to 2 */
    uint32_t section_count;         /* 3 and more */
    uint32_t header;                /* offset in hsa_code of the module directive */
    uint32_t operand_kinds;         /* kinds of operands that there are, a bit each: brig_kind_bit() */
};

enum brig_status {
    BRIG_OK,
    BRIG_INVALID, /* refused; the reasons were reported */
    BRIG_OUT_OF_MEMORY,
    BRIG_TOO_LARGE, /* a standard section would exceed 4 GiB */
};

/* A list of offsets. */
struct brig_list {
    const uint32_t *items;
    uint32_t count;
};

static inline const hsa_brig_base_t *brig_entry_(const struct brig_section *section, uint32_t offset)
{
    return (const hsa_brig_base_t *)(const void *)(section->data + offset);
}

/* Entries of hsa_code. Step with:
 *     for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) */
static inline const hsa_brig_base_t *brig_code(const struct brig_view *view, uint32_t offset)
{
    return brig_entry_(&view->section[HSA_BRIG_SECTION_INDEX_CODE], offset);
}

static inline uint32_t brig_first_code(const struct brig_view *view)
{
    return view->section[HSA_BRIG_SECTION_INDEX_CODE].first;
}

static inline uint32_t brig_end_code(const struct brig_view *view)
{
    return view->section[HSA_BRIG_SECTION_INDEX_CODE].size;
}

static inline uint32_t brig_next_code(const struct brig_view *view, uint32_t offset)
{
    return offset + brig_code(view, offset)->byte_count;
}

/* An entry of hsa_operand; the offset is not 0. */
/* BRIG_OPERAND_ADDRESS, BRIG_OPERAND_ALIGN, ...: the kinds of entries of hsa_operand, and no others, so that a switch
 * over them can name them all. The values are those of hsa_brig_kind_t. */
enum brig_operand_kind {
#define KIND_IN_CODE(name, code)
#define KIND_IN_OPERAND(name, code) BRIG_##name = code,
#define KIND(name, code, struct_, section) KIND_IN_##section(name, code)
#include "brig/tables/item.def"
#undef KIND_IN_CODE
#undef KIND_IN_OPERAND
};

static inline const hsa_brig_base_t *brig_operand(const struct brig_view *view, uint32_t offset)
{
    return brig_entry_(&view->section[HSA_BRIG_SECTION_INDEX_OPERAND], offset);
}

/* The bytes of an entry of hsa_data; empty for offset 0. */
static inline struct bytes brig_bytes(const struct brig_view *view, uint32_t offset)
{
    if (!offset)
        return (struct bytes){(const uint8_t *)"", 0};
    const uint8_t *entry = view->section[HSA_BRIG_SECTION_INDEX_DATA].data + offset;
    return (struct bytes){entry + 4, load32(entry)};
}

/* A string in hsa_data: a name with its sigil, a comment, a file name; not ended by a NUL. */
#define brig_string brig_bytes

/* The offsets in a list of hsa_data; empty for offset 0. */
static inline struct brig_list brig_list(const struct brig_view *view, uint32_t offset)
{
    struct bytes bytes = brig_bytes(view, offset);
    return (struct brig_list){(const uint32_t *)(const void *)bytes.data, (uint32_t)(bytes.size / 4)};
}

static inline uint64_t brig_u64(hsa_brig_uint64_t value)
{
    return (uint64_t)value.hi << 32 | value.lo;
}

static inline bool brig_is_directive(const hsa_brig_base_t *entry)
{
    return entry->kind >= HSA_BRIG_KIND_DIRECTIVE_BEGIN && entry->kind < HSA_BRIG_KIND_DIRECTIVE_END;
}

static inline bool brig_is_inst(const hsa_brig_base_t *entry)
{
    return entry->kind >= HSA_BRIG_KIND_INST_BEGIN && entry->kind < HSA_BRIG_KIND_INST_END;
}

/* The operands of an instruction, control directive or pragma, in the order of BRIG; none of any other entry. */
static inline struct brig_list brig_entry_operands(const struct brig_view *view, const hsa_brig_base_t *entry)
{
    const void *structure = entry;
    if (brig_is_inst(entry))
        return brig_list(view, ((const hsa_brig_inst_base_t *)structure)->operands);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_CONTROL)
        return brig_list(view, ((const hsa_brig_directive_control_t *)structure)->operands);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA)
        return brig_list(view, ((const hsa_brig_directive_pragma_t *)structure)->operands);
    return (struct brig_list){0};
}

/* Kernel, function, indirect function or signature: all of them are an hsa_brig_directive_executable_t. */
static inline bool brig_is_executable(const hsa_brig_base_t *entry)
{
    return (entry->kind >= HSA_BRIG_KIND_DIRECTIVE_FUNCTION && entry->kind <= HSA_BRIG_KIND_DIRECTIVE_KERNEL) ||
           entry->kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
}

/* Entries that may stand between any others and mean nothing to them (PRM 4.3.1, 18.5.1.12). */
static inline bool brig_is_annotation(const hsa_brig_base_t *entry)
{
    return entry->kind == HSA_BRIG_KIND_NONE || entry->kind == HSA_BRIG_KIND_DIRECTIVE_COMMENT ||
           entry->kind == HSA_BRIG_KIND_DIRECTIVE_LOC || entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA;
}

static inline const hsa_brig_directive_module_t *brig_module_directive(const struct brig_view *view)
{
    return (const hsa_brig_directive_module_t *)(const void *)brig_code(view, view->header);
}

/* An extension directive, with a version or without: both have the name in the same place. */
static inline bool brig_is_extension(const hsa_brig_base_t *entry)
{
    return entry->kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION || entry->kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION;
}

/* The major and minor version that the extension directive at CODE asks for; one that names none asks for the
 * version of HSAIL that the module has (PRM 13.1). */
static inline void brig_extension_version(const struct brig_view *view, uint32_t code, uint32_t version[2])
{
    const hsa_brig_base_t *entry = brig_code(view, code);
    const hsa_brig_directive_extension_version_t *extension = (const void *)entry;
    const hsa_brig_directive_module_t *module = brig_module_directive(view);
    bool versioned = entry->kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION;
    version[0] = versioned ? extension->extension_major : module->hsail_major;
    version[1] = versioned ? extension->extension_minor : module->hsail_minor;
}

/* For bytes that brig_open() has not accepted: the entry at OFFSET if it is aligned, lies inside the section
 * and is at least SIZE bytes long by its own count; otherwise NULL. */
static inline const hsa_brig_base_t *brig_checked_entry(const struct brig_section *section, uint64_t offset,
                                                        size_t size)
{
    if (offset < section->first || offset % 4 || !range_inside(offset, sizeof(hsa_brig_base_t), section->size))
        return NULL;
    const hsa_brig_base_t *entry = brig_entry_(section, (uint32_t)offset);
    if (entry->byte_count < sizeof *entry || entry->byte_count < size || entry->byte_count % 4)
        return NULL;
    return range_inside(offset, entry->byte_count, section->size) ? entry : NULL;
}

/* As brig_checked_entry(), for the bytes of an entry of hsa_data; {NULL, 0} when it does not lie inside. */
static inline struct bytes brig_checked_bytes(const struct brig_view *view, uint64_t offset)
{
    const struct brig_section *data = &view->section[HSA_BRIG_SECTION_INDEX_DATA];
    if (offset < data->first || offset % 4 || !range_inside(offset, 4, data->size))
        return (struct bytes){NULL, 0};
    return bytes_slice((struct bytes){data->data, data->size}, offset + 4, load32(data->data + offset));
}

struct diag_list;

/* Makes VIEW of the SIZE bytes at BYTES, which must be aligned to 4: finds the sections (permissively: any
 * minor version up to 2, any header sizes, more sections, longer entries) and checks the structure of every
 * entry (PRM 18; the rules named in brig/tables/diag.def). Findings go to DIAG, which may be NULL.
 * Returns BRIG_OK, BRIG_INVALID or BRIG_OUT_OF_MEMORY; VIEW is usable after BRIG_OK only. Linear time. */
enum brig_status brig_open(const void *bytes, size_t size, struct diag_list *diag, struct brig_view *view);

/* As brig_open(), for a module that brig_finish() has just made and whose entries all have valid fields, which are not
 * checked again. REFERRED is the member of the builder. */
enum brig_status brig_open_built(const void *bytes, size_t size, uint64_t referred, struct diag_list *diag,
                                 struct brig_view *view);

/* The first half of brig_open(): container and sections, without a look at the entries. For printing what
 * cannot be opened; only the checked accessors may be used then. */
enum brig_status brig_read(const void *bytes, size_t size, struct diag_list *diag, struct brig_view *view);

#endif
