/* SPDX-License-Identifier: MIT */
/* Seeded mutations of modules: whatever the bytes, opening and dumping neither crash nor read outside, and what was
 * opened can be walked by the unchecked accessors. Best under sanitizers: each module is in a block of its own size.
 *
 * BRIG_MUTATIONS and BRIG_SEED in the environment change how many and which. */
#include "brig/item.h"
#include "support/alloc.h"
#include "testsuite/brig/sample.h"
#include "testsuite/brig/walk.h"
#include "testsuite/tap.h"

#include <stdlib.h>

static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % limit);
}

/* ---- Mutations ------------------------------------------------------------------------------------- */

struct block {
    uint8_t *data;
    size_t size;
};

static void flip_bits(struct block *block)
{
    for (uint32_t n = 1 + random_below(4); n > 0; n--)
        block->data[random_below((uint32_t)block->size)] ^= (uint8_t)(1u << random_below(8));
}

static void set_word(struct block *block)
{
    static const uint32_t values[] = {0, 1, 4, 8, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    uint32_t at = random_below((uint32_t)block->size / 4) * 4;
    store32(block->data + at, random_below(2) ? values[random_below(8)] : random_below(4096) * 4);
}

static void cut(struct block *block)
{
    block->size = random_below((uint32_t)block->size + 1);
    if (block->size >= 104 && random_below(2))
        store64(block->data + 16, block->size & ~(size_t)15); /* a size that fits what is left */
}

static void copy_range(struct block *block)
{
    uint32_t length = 4 * (1 + random_below(16)), limit = (uint32_t)block->size - length;
    memmove(block->data + random_below(limit / 4) * 4, block->data + random_below(limit / 4) * 4, length);
}

/* A random entry of a section of the still intact module. */
static uint32_t pick_entry(const struct brig_view *view, unsigned index)
{
    const struct brig_section *section = &view->section[index];
    uint32_t count = 0, found = section->first;
    for (uint32_t at = section->first; at < section->size;) {
        if (random_below(++count) == 0)
            found = at;
        at += index == HSA_BRIG_SECTION_INDEX_DATA ? 4 + (uint32_t)align_up(load32(section->data + at), 4)
                                                   : brig_entry_(section, at)->byte_count;
    }
    return found;
}

/* Something that could stand in the field, or nearly so. */
static uint64_t field_value(const struct brig_view *view, const struct brig_field *field, uint64_t old)
{
    switch (random_below(4)) {
    case 0: return old + 4 * random_below(3) - 4;
    case 1: return random_below(2) ? 0 : UINT64_MAX;
    default: break;
    }
    switch (field->role) {
    case BRIG_ROLE_STRING:
    case BRIG_ROLE_OPERANDS:
    case BRIG_ROLE_CODES: return pick_entry(view, HSA_BRIG_SECTION_INDEX_DATA);
    case BRIG_ROLE_OPERAND: return pick_entry(view, HSA_BRIG_SECTION_INDEX_OPERAND);
    case BRIG_ROLE_CODE: return pick_entry(view, HSA_BRIG_SECTION_INDEX_CODE);
    default: return random_below(256);
    }
}

/* Changes one field of one entry, or one element of a list of it; ENTRY is in BLOCK, VIEW of the original. */
static void change_field(struct block *block, const struct brig_view *view)
{
    unsigned index = random_below(2) ? HSA_BRIG_SECTION_INDEX_CODE : HSA_BRIG_SECTION_INDEX_OPERAND;
    uint32_t at = pick_entry(view, index);
    const hsa_brig_base_t *entry = brig_entry_(&view->section[index], at);
    const struct brig_struct_info *layout = brig_kind(entry->kind)->layout;
    if (layout->fields[0].width > sizeof *entry && random_below(2))
        layout = brig_inst_base();
    const struct brig_field *field = &layout->fields[random_below(layout->field_count)];
    uint64_t value = field_value(view, field, brig_field_value(entry, field));
    uint8_t *place = block->data + (view->section[index].data - view->module.data) + at + field->offset;
    uint32_t list = (uint32_t)brig_field_value(entry, field);
    bool operands = field->role == BRIG_ROLE_OPERANDS;
    if ((operands || field->role == BRIG_ROLE_CODES) && brig_list(view, list).count && random_below(2)) {
        uint32_t element = random_below(brig_list(view, list).count);
        value = pick_entry(view, operands ? HSA_BRIG_SECTION_INDEX_OPERAND : HSA_BRIG_SECTION_INDEX_CODE);
        place = block->data + ((const uint8_t *)&brig_list(view, list).items[element] - view->module.data);
        memcpy(place, &value, 4);
        return;
    }
    if (field->role == BRIG_ROLE_BASE && random_below(2))
        value = entry->byte_count | (uint64_t)((entry->kind & 0xf000u) | random_below(24)) << 16;
    memcpy(place, &value, field->width < sizeof value ? field->width : sizeof value);
}

static void mutate(struct block *block, const struct brig_view *view)
{
    for (uint32_t n = 1 + random_below(3); n > 0 && block->size > 256; n--) {
        switch (random_below(10)) {
        case 0: flip_bits(block); break;
        case 1: set_word(block); break;
        case 2: copy_range(block); break;
        case 3:
            if (random_below(4) == 0)
                cut(block);
            break;
        default: change_field(block, view); break;
        }
    }
}

/* ---- The loop -------------------------------------------------------------------------------------- */

struct tally {
    unsigned accepted, refused, wrong;
};

static void try_module(const uint8_t *bytes, size_t size, struct tally *tally)
{
    uint8_t *own = mem_alloc(size);
    bool good = true;
    memcpy(own, bytes, size);
    *(walk_untrusted(own, size, &good) == BRIG_OK ? &tally->accepted : &tally->refused) += 1;
    tally->wrong += !good;
    mem_free(own);
}

static void mutations(const char *name, const uint8_t *module, size_t size, unsigned count)
{
    struct tally tally = {0, 0, 0};
    struct brig_view view;
    if (!ok(brig_open(module, size, NULL, &view) == BRIG_OK && walk_opened(&view), "%s is valid", name))
        return;
    struct block block = {mem_alloc(size), size};
    for (unsigned i = 0; i < count; i++) {
        memcpy(block.data, module, size);
        block.size = size;
        mutate(&block, &view);
        try_module(block.data, block.size, &tally);
    }
    mem_free(block.data);
    ok(tally.wrong == 0, "%s: %u mutations, %u of them accepted", name, count, tally.accepted);
    ok(tally.refused > count / 4 && tally.accepted > count / 100, "... and the mutations are neither wild nor tame");
}

static unsigned number_from(const char *name, unsigned fallback)
{
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : fallback;
}

int main(void)
{
    unsigned count = number_from("BRIG_MUTATIONS", 18000) / 3;
    state = number_from("BRIG_SEED", 1);
    for (uint32_t minor = 0; minor <= 2; minor += 2) {
        struct sample sample;
        if (ok(sample_build(&sample, minor), "the sample is built"))
            mutations(minor ? "the sample of BRIG 1:2" : "the sample of BRIG 1:0", sample.module, sample.size, count);
        mem_free(sample.module);
    }
    char path[4096];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/brig/data/wide.brig", srcdir ? srcdir : ".");
    FILE *file = fopen(path, "rb");
    uint8_t *module = mem_zalloc(1, 65536);
    size_t size = file ? fread(module, 1, 65536, file) : 0;
    if (file)
        fclose(file);
    mutations("a module of another producer", module, size, count);
    mem_free(module);
    return tap_done();
}
