/* SPDX-License-Identifier: MIT */
/* Makes a BRIG module by appending entries (PRM 18.2-18.6).
 *
 * The builder owns three growing sections. Appending returns the offset of the new entry. An error (memory, size) is
 * kept until brig_finish() reports it: every later call is accepted and ignored, offsets returned are 0, and pointers
 * returned lead to memory that may be written to and is thrown away. So callers check once, at the end. A pointer into
 * the module is valid until the next append to the same section. One thread at a time.
 *
 * Strings and constant bytes are pooled: equal bytes share one entry of hsa_data. Lists and operands are never shared.
 * A module whose instructions are written in the order that language.h describes equals byte for byte what other
 * producers of BRIG 1.0 write. */
#ifndef BRIG_MODULE_BUILDER_H
#define BRIG_MODULE_BUILDER_H

#include "brig/module.h"
#include "support/hash_table.h"

/* Bytes of a module before its first section: its header and the offsets of its sections. */
#define BRIG_FRONT ((sizeof(hsa_brig_module_header_t) + 3 * sizeof(uint64_t) + 15) / 16 * 16)

/* A section that grows: CAPACITY bytes at DATA, which is BRIG_FRONT bytes after the start of its block. */
struct brig_buffer {
    uint8_t *data;
    size_t size, capacity;
};

struct brig_builder {
    struct brig_buffer section[3]; /* by HSA_BRIG_SECTION_INDEX_ */
    struct hash_table pool;        /* offsets of the bytes in hsa_data */
    uint32_t brig_minor;
    uint64_t seed;
    uint64_t referred; /* bytes of hsa_data that entries refer to, shared ones each time */
    enum brig_status status;
    _Alignas(16) uint8_t scratch[128]; /* where writes go after an error */
};

/* Starts a module of BRIG 1:BRIG_MINOR (0 or 2). Returns BRIG_OK or BRIG_OUT_OF_MEMORY; the builder can be
 * used and must be freed either way. */
enum brig_status brig_builder_init(struct brig_builder *builder, uint32_t brig_minor);

/* Makes room, with mem_reserve(), for what a text of SIZE bytes is likely to become, so that growing sections are
 * copied less often. */
void brig_builder_expect_text(struct brig_builder *builder, size_t size);

void brig_builder_free(struct brig_builder *builder);

/* The offset that the next entry of a section will have, which is also the end of what was appended so far. */
static inline uint32_t brig_here(const struct brig_builder *builder, hsa_brig_section_index_t section)
{
    return (uint32_t)builder->section[section].size;
}

/* The offset of an entry of hsa_data with these bytes, of an existing one if there is one. SIZE may be 0. Each call
 * stands for one reference, which is counted. */
uint32_t brig_put_bytes(struct brig_builder *builder, const void *data, size_t size);

/* brig_pool_bytes() does the same for bytes that nothing refers to yet; brig_put_again() counts one more reference to
 * bytes that are there. */
uint32_t brig_pool_bytes(struct brig_builder *builder, const void *data, size_t size);
uint32_t brig_put_again(struct brig_builder *builder, uint32_t bytes);

/* A new list of COUNT offsets; zeros when ITEMS is NULL. */
uint32_t brig_put_list(struct brig_builder *builder, const uint32_t *items, size_t count);

/* A new entry of KIND and its offset in *OFFSET (which may be NULL); all but its base is zero. SIZE is that of
 * its structure, at most 64. The kind decides between hsa_code and hsa_operand. */
void *brig_put_entry(struct brig_builder *builder, hsa_brig_kind_t kind, size_t size, uint32_t *offset);
#define BRIG_PUT(builder, kind, type, offset) ((type *)brig_put_entry(builder, kind, sizeof(type), offset))

/* An entry of kind NONE, BYTE_COUNT long: a multiple of 4 from 4 to 65532. */
uint32_t brig_put_pad(struct brig_builder *builder, uint32_t byte_count);

/* Entries of hsa_operand. */
uint32_t brig_put_register(struct brig_builder *builder, hsa_brig_register_kind_t kind, uint16_t number);
uint32_t brig_put_address(struct brig_builder *builder, uint32_t symbol, uint32_t reg, uint64_t offset);
uint32_t brig_put_code_ref(struct brig_builder *builder, uint32_t ref);
uint32_t brig_put_constant(struct brig_builder *builder, uint16_t type, const void *bytes, size_t size);
uint32_t brig_put_constant_list(struct brig_builder *builder, uint16_t type, const uint32_t *items, size_t count);
uint32_t brig_put_expression(struct brig_builder *builder, uint16_t type, hsa_brig_expression_operation_t operation,
                             const uint32_t *operands, size_t count);
uint32_t brig_put_operand_list(struct brig_builder *builder, const uint32_t *items, size_t count);
uint32_t brig_put_code_list(struct brig_builder *builder, const uint32_t *items, size_t count); /* NULL: zeros */
uint32_t brig_put_string(struct brig_builder *builder, const void *text, size_t size);
uint32_t brig_put_wavesize(struct brig_builder *builder);
uint32_t brig_put_align(struct brig_builder *builder, hsa_brig_alignment_t align);
uint32_t brig_put_zero(struct brig_builder *builder, uint64_t byte_count);

/* A state of the builder to go back to. */
struct brig_mark {
    uint32_t size[3];
    uint64_t referred;
};
struct brig_mark brig_builder_mark(const struct brig_builder *builder);

/* Drops what was appended after the mark. The caller has to redirect what older entries refer to there. */
void brig_builder_rewind(struct brig_builder *builder, const struct brig_mark *mark);

/* For patching what was appended: the entry at OFFSET; zeros that may be written to when OFFSET is 0, and after an
 * error. */
void *brig_edit(struct brig_builder *builder, hsa_brig_section_index_t section, uint32_t offset);

/* For patching: element INDEX of the list that brig_put_list() or a CODE_LIST's `elements` named. */
void brig_edit_list(struct brig_builder *builder, uint32_t list, uint32_t index, uint32_t value);

/* A view of the unfinished module, for looking back; void after the next append. */
void brig_builder_view(const struct brig_builder *builder, struct brig_view *view);

/* Ends the module: *MODULE gets one block, aligned to 16, that the caller frees with mem_free(). The builder is
 * empty after that and can only be freed. Returns BRIG_OK, BRIG_OUT_OF_MEMORY or BRIG_TOO_LARGE. */
enum brig_status brig_finish(struct brig_builder *builder, uint8_t **module, size_t *size);

#endif
