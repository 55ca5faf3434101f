/* SPDX-License-Identifier: MIT */
/* Finds the sections of a BRIG module (PRM 18.2, 18.3.18, 18.3.25); see module.h.
 * Input: bytes from anywhere. Output: a view whose sections lie inside of them. Invariant: nothing is read before
 * its range was checked; entries are not looked at. */
#include "brig/diag_rule.h"
#include "brig/language.h"
#include "brig/limit.h"
#include "brig/structure.h"
#include "support/alloc.h"

#include <stdlib.h>

#define HEADER_SIZE sizeof(hsa_brig_module_header_t)
#define SECTION_HEADER offsetof(hsa_brig_section_header_t, name)
#define FIELD64(base, type, member) load64((base) + offsetof(type, member))
#define FIELD32(base, type, member) load32((base) + offsetof(type, member))

#define MODULE64(member) FIELD64(module->data, hsa_brig_module_header_t, member)
#define MODULE32(member) FIELD32(module->data, hsa_brig_module_header_t, member)

static bool read_header(struct bytes *module, struct diag_list *diag)
{
    struct diag_place start = diag_in_module(0);
    if ((uintptr_t)module->data % 4) {
        diag_report(diag, DIAG_RULE(BRIG_ALIGNMENT), start);
        return false;
    }
    if (module->size < HEADER_SIZE) {
        bool magic = module->size >= 8 && memcmp(module->data, "HSA BRIG", 8) == 0;
        if (magic || module->size < 8)
            diag_report(diag, DIAG_RULE(BRIG_TRUNCATED), start, module->size);
        else
            diag_report(diag, DIAG_RULE(BRIG_MAGIC), start);
        return false;
    }
    if (memcmp(module->data, "HSA BRIG", 8) != 0) {
        diag_report(diag, DIAG_RULE(BRIG_MAGIC), start);
        return false;
    }
    uint32_t major = MODULE32(brig_major), minor = MODULE32(brig_minor);
    if (major != HSA_BRIG_VERSION_BRIG_MAJOR || minor > HSA_BRIG_VERSION_BRIG_MINOR) {
        diag_report(diag, DIAG_RULE(BRIG_VERSION), diag_in_module(8), major, minor);
        return false;
    }
    uint64_t size = MODULE64(byte_count);
    if (size % 16 || size > module->size || size < HEADER_SIZE) {
        diag_report(diag, DIAG_RULE(BRIG_BYTE_COUNT), diag_in_module(16), size, module->size);
        return false;
    }
    if (size < module->size)
        diag_report(diag, DIAG_RULE(BRIG_TRAILING), diag_in_module(size), module->size - size);
    module->size = size;
    if (MODULE32(reserved))
        diag_report(diag, DIAG_RULE(BRIG_RESERVED), diag_in_module(88), "hsa_brig_module_header", "reserved");
    return !MODULE32(reserved);
}

/* A part of the module that must not share bytes with another. */
struct part {
    uint64_t begin, end;
};

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Checks that no parts overlap and that only zeros, and few of them, lie between them. */
static enum brig_status check_parts(struct bytes module, struct part *parts, size_t count, struct diag_list *diag)
{
    enum brig_status status = BRIG_OK;
    uint64_t end = 0;
    qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0; i <= count; i++) {
        uint64_t begin = i < count ? parts[i].begin : module.size;
        if (begin < end) {
            diag_report(diag, DIAG_RULE(BRIG_OVERLAP), diag_in_module(begin), begin);
            status = BRIG_INVALID;
        }
        for (uint64_t at = end; at < begin; at++)
            if (module.data[at]) {
                diag_report(diag, DIAG_RULE(BRIG_PADDING), diag_in_module(at), at);
                status = BRIG_INVALID;
                break;
            }
        if (begin > end && begin - end >= 16)
            diag_report(diag, DIAG_RULE(BRIG_GAP), diag_in_module(end), begin - end, end);
        if (i < count && parts[i].end > end)
            end = parts[i].end;
    }
    return status;
}

static bool check_name(const uint8_t *header, uint32_t index, struct diag_list *diag, uint64_t at)
{
    const char *expected = lang_value_text(LANG_SET_SECTION_INDEX, index);
    struct bytes name = {header + SECTION_HEADER, FIELD32(header, hsa_brig_section_header_t, name_length)};
    if (bytes_are_text(name, expected))
        return true;
    diag_report(diag, DIAG_RULE(BRIG_SECTION_NAME), diag_in_module(at), index, name, expected);
    return false;
}

static bool read_section(struct brig_view *view, uint32_t index, uint64_t at, struct part *part, struct diag_list *diag)
{
    struct bytes module = view->module;
    if (at % 16 || at < HEADER_SIZE || !range_inside(at, SECTION_HEADER, module.size)) {
        diag_report(diag, DIAG_RULE(BRIG_SECTION_PLACE), diag_in_module(at), index, at);
        return false;
    }
    const uint8_t *header = module.data + at;
    uint64_t size = FIELD64(header, hsa_brig_section_header_t, byte_count);
    uint32_t first = FIELD32(header, hsa_brig_section_header_t, header_byte_count);
    uint32_t name_length = FIELD32(header, hsa_brig_section_header_t, name_length);
    bool whole = index >= 3 || (size % 4 == 0 && first % 4 == 0);
    if (!whole || !range_inside(at, size, module.size) || first > size ||
        !range_inside(SECTION_HEADER, name_length, first)) {
        diag_report(diag, DIAG_RULE(BRIG_SECTION_SIZE), diag_in_module(at), index, size, first);
        return false;
    }
    *part = (struct part){at, at + size};
    if (index >= 3)
        return true;
    if (size > LIMIT_SECTION_BYTES) {
        diag_report(diag, DIAG_RULE(BRIG_SECTION_LIMIT), diag_in_module(at), index, size);
        return false;
    }
    view->section[index] = (struct brig_section){header, (uint32_t)size, first};
    return check_name(header, index, diag, at);
}

enum brig_status brig_read(const void *bytes, size_t size, struct diag_list *diag, struct brig_view *view)
{
    struct bytes block = {bytes, size}, *module = &block;
    *view = (struct brig_view){0};
    if (!read_header(module, diag))
        return BRIG_INVALID;
    uint32_t count = MODULE32(section_count);
    uint64_t index = MODULE64(section_index);
    view->module = block;
    view->brig_minor = MODULE32(brig_minor);
    view->section_count = count;
    if (count < 3) {
        diag_report(diag, DIAG_RULE(BRIG_SECTION_COUNT), diag_in_module(92), count);
        return BRIG_INVALID;
    }
    if (index % 8 || index < HEADER_SIZE || !range_inside(index, (uint64_t)count * 8, block.size)) {
        diag_report(diag, DIAG_RULE(BRIG_SECTION_INDEX), diag_in_module(96), index, count);
        return BRIG_INVALID;
    }
    struct part *parts = mem_zalloc((size_t)count + 2, sizeof *parts);
    if (!parts)
        return BRIG_OUT_OF_MEMORY;
    parts[0] = (struct part){0, HEADER_SIZE};
    parts[1] = (struct part){index, index + (uint64_t)count * 8};
    enum brig_status status = BRIG_OK;
    for (uint32_t i = 0; i < count; i++)
        if (!read_section(view, i, load64(block.data + index + (uint64_t)i * 8), &parts[i + 2], diag))
            status = BRIG_INVALID;
    if (status == BRIG_OK)
        status = check_parts(block, parts, (size_t)count + 2, diag);
    mem_free(parts);
    return status;
}

enum brig_status brig_open(const void *bytes, size_t size, struct diag_list *diag, struct brig_view *view)
{
    enum brig_status status = brig_read(bytes, size, diag, view);
    return status == BRIG_OK ? brig_check_structure(view, diag) : status;
}

enum brig_status brig_open_built(const void *bytes, size_t size, uint64_t referred, struct diag_list *diag,
                                 struct brig_view *view)
{
    enum brig_status status = brig_read(bytes, size, diag, view);
    return status == BRIG_OK ? brig_check_built_structure(view, referred, diag) : status;
}
