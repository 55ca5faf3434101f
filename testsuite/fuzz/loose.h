/* SPDX-License-Identifier: MIT */
/* A BRIG module taken apart, so that entries can be changed, added and removed without spoiling the rest.
 *
 * Each entry has a number that never changes; references hold numbers instead of offsets. When the module is put
 * together again, sections get their places and numbers become offsets. A reference that leads to no entry keeps its
 * value, so that a broken module stays broken in the same way. */
#ifndef TESTSUITE_FUZZ_LOOSE_H
#define TESTSUITE_FUZZ_LOOSE_H

#include "brig/item.h"
#include "support/arena.h"
#include "support/vec.h"

/* A reference to entry N is LOOSE_REFERENCE | N, to the end of hsa_code LOOSE_END. */
#define LOOSE_REFERENCE UINT32_C(0x80000000)
#define LOOSE_END UINT32_C(0xffffffff)
#define LOOSE_MOST_FIELDS 16u

/* What an entry of hsa_data holds. */
enum loose_content { LOOSE_BYTES, LOOSE_OPERANDS, LOOSE_CODES };

struct loose_item {
    uint8_t *bytes; /* the whole entry; in hsa_data without its byte count */
    uint32_t size;  /* of BYTES; a multiple of 4 except in hsa_data */
    uint32_t number;
    enum loose_content content; /* of hsa_data */
};

struct loose_section {
    VEC(struct loose_item) items;
};

struct loose {
    struct arena memory;
    struct loose_section section[3]; /* by HSA_BRIG_SECTION_INDEX_ */
    uint32_t numbers;                /* the next number; those below are taken */
    uint32_t brig_minor;
};

/* How the parts are put together. All zeros is the usual way. */
struct loose_layout {
    unsigned order;         /* which of the six orders the sections have */
    unsigned more_sections; /* how many sections follow the three */
    unsigned more_header;   /* by how many dwords headers are longer */
    unsigned wrong_bytes;   /* how many bytes of the headers of module and sections are spoiled */
};

/* Takes apart a module that brig_read() accepts; false if it does not, or when memory is out. LOOSE must be freed in
 * any case. */
bool loose_read(struct loose *loose, const uint8_t *bytes, size_t size);
void loose_free(struct loose *loose);

/* Writes the module to OUT; returns its size, or 0 if that would exceed MOST. */
size_t loose_write(const struct loose *loose, const struct loose_layout *layout, uint8_t *out, size_t most);

/* Adds an entry of SIZE zero bytes before entry INDEX of a section; NULL when memory is out. */
struct loose_item *loose_insert(struct loose *loose, unsigned section, size_t index, uint32_t size);

/* Removes an entry. References to it go to the next one, or to the end. */
void loose_remove(struct loose *loose, unsigned section, size_t index);

/* The item that a reference leads to, or NULL. */
struct loose_item *loose_find(const struct loose *loose, unsigned section, uint32_t reference);

/* Lists the fields of a kind of entry, including those of an instruction's base; returns how many. 0: no such kind. */
unsigned loose_fields(uint32_t kind, const struct brig_field *fields[LOOSE_MOST_FIELDS]);

static inline uint32_t loose_kind(const struct loose_item *item)
{
    return item->size >= sizeof(hsa_brig_base_t) ? load16(item->bytes + 2) : HSA_BRIG_KIND_NONE;
}

/* The section that the references of a field lead to. */
static inline unsigned loose_target(const struct brig_field *field)
{
    switch (field->role) {
    case BRIG_ROLE_OPERAND: return HSA_BRIG_SECTION_INDEX_OPERAND;
    case BRIG_ROLE_CODE: return HSA_BRIG_SECTION_INDEX_CODE;
    default: return HSA_BRIG_SECTION_INDEX_DATA;
    }
}

static inline bool loose_is_reference(const struct brig_field *field)
{
    switch (field->role) {
    case BRIG_ROLE_STRING:
    case BRIG_ROLE_OPERANDS:
    case BRIG_ROLE_CODES:
    case BRIG_ROLE_OPERAND:
    case BRIG_ROLE_CODE: return true;
    default: return false;
    }
}

#endif
