/* SPDX-License-Identifier: MIT */
/* The linker's own view of an object while it is being linked; private to link*.c. */
#ifndef FINALIZER_LINK_INTERNAL_H
#define FINALIZER_LINK_INTERNAL_H

#include "finalizer/link.h"
#include "support/arena.h"
#include "support/textbuf.h"
#include "support/vec.h"

#include <elf.h>
#include <stdint.h>

#define LINK_PAGE           4096u
#define R_AMDGPU_ABS64      3u
#define R_AMDGPU_RELATIVE64 13u
#define LINK_MAX_IMAGE      ((uint64_t)1 << 40) /* no address is above it, so that no sum of addresses overflows */

/* The segment that a section goes to. Loaded ones come first, in the order of their addresses. */
enum link_segment { LINK_READ, LINK_EXEC, LINK_WRITE, LINK_ZERO, LINK_FILE, LINK_DROP };

struct link_section {
    const char *name;
    struct bytes data; /* empty for SHT_NOBITS */
    uint64_t size, align, flags;
    uint32_t type;
    uint32_t rela; /* index of its relocation section, or 0 */
    enum link_segment segment;
    uint64_t offset; /* its offset in the image, which is also its address when loaded */
    uint32_t out;    /* its index among the output sections */
};

struct link_symbol {
    const char *name;
    uint64_t value, size;
    uint32_t section; /* input section, or SHN_UNDEF, SHN_ABS */
    uint8_t info, other;
    bool used;        /* a relocation of what is loaded refers to it */
    uint32_t dynamic; /* index in .dynsym, or 0 */
    uint32_t got;     /* slot + 1 in .got, or 0 */
};

/* Parts of the output that the linker makes itself. */
enum link_part {
    PART_DYNSYM,
    PART_GNU_HASH,
    PART_HASH,
    PART_DYNSTR,
    PART_RELA, /* read only */
    PART_DYNAMIC,
    PART_GOT, /* writable */
    PART_SYMTAB,
    PART_SHSTRTAB,
    PART_STRTAB, /* not loaded */
    PART_COUNT
};

struct link_buffer {
    uint8_t *data;
    uint64_t size, offset;
    uint32_t out;
};

struct link_state {
    struct link_result *result;
    struct arena arena;
    struct bytes object;
    const Elf64_Ehdr *header;
    struct link_section *sections;
    uint32_t section_count, symtab;
    struct link_symbol *symbols;
    uint32_t symbol_count;
    uint32_t *dynamic;                       /* symbol of each .dynsym index from 1 on, by GNU hash */
    uint32_t dynamic_count, dynamic_defined; /* their number, and the first index of one that is defined */
    uint32_t got_count;
    uint64_t relative_count, dynamic_reloc_count;
    struct link_buffer parts[PART_COUNT];
    uint64_t segment_offset[LINK_DROP], segment_end[LINK_DROP]; /* begin and end of each loaded segment in memory */
    uint64_t file_end;                                          /* end of what is loaded from the file */
    uint32_t out_count;
    uint64_t section_table; /* offset of the section headers */
    uint8_t *image;
    uint64_t image_size;
    Elf64_Rela *rela_next; /* where the next dynamic relocation is written */
};

/* Each records why linking fails and returns false. */
#define link_fail(s, name, ...) failure_record(&(s)->result->failure, name __VA_OPT__(, ) __VA_ARGS__)
#define link_no_memory(s)       link_fail(s, OUT_OF_MEMORY)

bool link_read(struct link_state *s);        /* finds the object's sections and symbols */
bool link_scan_relocs(struct link_state *s); /* marks symbols, counts slots and dynamic relocations */
bool link_layout(struct link_state *s);      /* makes the parts and gives everything its place */
bool link_apply_relocs(struct link_state *s);
bool link_write(struct link_state *s); /* writes headers, tables and the section table */
bool link_make_hashes(struct link_state *s);

/* Whether NOTES, the notes of an object, begin with a code object's metadata; and one note of such metadata made of
 * several, with the kernels of all. */
bool link_has_metadata(struct bytes notes);
bool link_join_metadata(struct link_result *result, struct bytes notes, struct textbuf *joined);

/* Whether the loader rather than the linker decides the symbol's address. */
bool link_preemptible(const struct link_symbol *symbol);
uint64_t link_symbol_address(const struct link_state *s, const struct link_symbol *symbol);

#endif
