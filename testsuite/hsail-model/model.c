/* SPDX-License-Identifier: MIT */
/* Modules, mappings, and the groups of a dispatch, which run one after the other; see model.h. Input: a module and a
 * dispatch. Output: memory. Invariant: each group starts with group memory that is undefined. */
#include "testsuite/hsail-model/model_parts.h"

#include <stdlib.h>
#include <string.h>

struct model *model_open(const void *brig, size_t size)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m || size < sizeof(hsa_brig_module_header_t))
        return free(m), NULL;
    if (model_layout(m, brig) && model_initialize(m) && model_memory_new(&m->group, 0, MODEL_GROUP, 0xff))
        return m;
    model_close(m);
    return NULL;
}

void model_close(struct model *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->map_count; i++)
        model_memory_free(&m->maps[i]);
    model_memory_free(&m->globals);
    model_memory_free(&m->group);
    model_memory_free(&m->kernarg);
    free(m->places);
    free(m->frame_sizes);
    free(m);
}

void model_set_any_payload(struct model *m)
{
    m->any_payload = true;
}

bool model_map(struct model *m, const void *address, size_t size)
{
    if (m->map_count == MODEL_MAPS)
        return false;
    struct model_memory *memory = &m->maps[m->map_count++];
    if (!model_memory_new(memory, (uint64_t)(uintptr_t)address, size, 0))
        return false;
    memcpy(memory->bytes, address, size);
    return true;
}

static const struct model_memory *mapped(const struct model *m, const void *address)
{
    for (unsigned i = 0; i < m->map_count; i++)
        if (m->maps[i].base == (uint64_t)(uintptr_t)address)
            return &m->maps[i];
    return NULL;
}

const uint8_t *model_bytes(const struct model *m, const void *address)
{
    const struct model_memory *memory = mapped(m, address);
    return memory ? memory->bytes : NULL;
}

const uint8_t *model_undefined(const struct model *m, const void *address)
{
    const struct model_memory *memory = mapped(m, address);
    return memory ? memory->undefined : NULL;
}

const char *model_reason(const struct model *m)
{
    return m->reason;
}

const uint64_t *model_counts(const struct model *m)
{
    return m->counts;
}

static void free_items(struct model *m)
{
    for (unsigned i = 0; m->items && i < m->item_count; i++) {
        for (unsigned n = 0; n < m->items[i].depth; n++)
            free(m->items[i].frames[n]);
        model_memory_free(&m->items[i].private_);
    }
    free(m->items);
    m->items = NULL;
}

/* How many work-items the group has in dimension DIM. */
static uint32_t extent(const struct model *m, unsigned dim)
{
    uint32_t size = m->dispatch->group[dim], left = m->dispatch->grid[dim] - m->group_id[dim] * size;
    return left < size ? left : size;
}

static bool make_items(struct model *m, uint32_t kernel)
{
    uint32_t x = extent(m, 0), y = extent(m, 1), z = extent(m, 2);
    m->item_count = x * y * z;
    m->items = calloc(m->item_count, sizeof *m->items);
    if (!m->items)
        return model_stop(m, MODEL_UNSUPPORTED, "no memory");
    for (unsigned i = 0; i < m->item_count; i++) {
        struct model_item *item = &m->items[i];
        item->flat = i;
        item->id[0] = i % x;
        item->id[1] = i / x % y;
        item->id[2] = i / x / y;
        if (!model_memory_new(&item->private_, 0, MODEL_PRIVATE, 0) || !model_enter(m, item, kernel, 0))
            return model_stop(m, MODEL_UNSUPPORTED, "no memory");
    }
    return true;
}

enum model_status model_run(struct model *m, const char *name, const struct model_dispatch *dispatch)
{
    uint32_t kernel = model_find_kernel(m, name);
    const uint32_t *grid = dispatch->grid, *group = dispatch->group;
    m->dispatch = dispatch;
    m->status = MODEL_DONE;
    m->reason[0] = '\0';
    if (!kernel || (uint64_t)group[0] * group[1] * group[2] > MODEL_GROUP_ITEMS) {
        model_stop(m, MODEL_UNSUPPORTED, "no such kernel, or a large group");
        return m->status;
    }
    model_memory_free(&m->kernarg);
    if (!model_memory_new(&m->kernarg, MODEL_KERNARG, dispatch->kernarg_size, 0))
        model_stop(m, MODEL_UNSUPPORTED, "no memory");
    else
        memcpy(m->kernarg.bytes, dispatch->kernarg, dispatch->kernarg_size);
    for (uint32_t z = 0; z * group[2] < grid[2] && m->status == MODEL_DONE; z++)
        for (uint32_t y = 0; y * group[1] < grid[1] && m->status == MODEL_DONE; y++)
            for (uint32_t x = 0; x * group[0] < grid[0] && m->status == MODEL_DONE; x++) {
                m->group_id[0] = x;
                m->group_id[1] = y;
                m->group_id[2] = z;
                m->steps = 0;
                memset(m->group.undefined, 0xff, m->group.size);
                if (make_items(m, kernel))
                    model_run_group(m);
                free_items(m);
            }
    return m->status;
}
