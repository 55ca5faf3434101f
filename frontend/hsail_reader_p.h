/* SPDX-License-Identifier: MIT */
/* The state of a reader of hsail/reader.h; private to the files that implement it. */
#ifndef FRONTEND_HSAIL_READER_P_H
#define FRONTEND_HSAIL_READER_P_H

#include "frontend/hsail_p.h"
#include "hsail/reader.h"
#include "support/hash_table.h"

struct hsail_reader_s {
    struct mem_hooks hooks;
    bool has_hooks;
    struct brig_view view;
    char *strings;             /* hsa_data once more, the bytes of an entry at its offset and a NUL after them */
    uint8_t *starts[3];        /* of hsa_code and hsa_operand, by HSA_BRIG_SECTION_INDEX_: a bit per word, an entry
                                  begins there */
    uint64_t seed;             /* of the hashes */
    struct hash_table symbols; /* of the module; items are their offsets by 4 */
};

/* Whether an entry of the section begins at OFFSET. */
static inline bool hsail_reader_has(const hsail_reader_t *reader, unsigned section, uint32_t offset)
{
    uint32_t word = offset / 4;
    return offset && offset % 4 == 0 && offset < reader->view.section[section].size &&
           reader->starts[section][word / 8] >> word % 8 & 1;
}

/* A string of hsa_data. */
hsail_text_t hsail_reader_text(const hsail_reader_t *reader, uint32_t data);

/* The name of a directive that has one; empty for another entry. */
hsail_text_t hsail_reader_name(const hsail_reader_t *reader, uint32_t code);

/* The executable at CODE, or NULL. */
const hsa_brig_directive_executable_t *hsail_reader_executable(const hsail_reader_t *reader, hsail_code_t code);

/* Whether an executable has a body. */
static inline bool hsail_reader_has_body(const hsa_brig_directive_executable_t *entry)
{
    return entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE &&
           (entry->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION);
}

/* hsail_reader_operand.c: the number in BRIG of operand INDEX of the text: a call names its target first. */
uint32_t hsail_reader_operand_index(const hsa_brig_base_t *entry, uint32_t index);

#endif
