/* SPDX-License-Identifier: MIT */
/* Which global memory nobody has written before a dispatch. The host may write all memory of the software GPU through a
 * pointer, which no checker sees; but a page that no one has written yet is in no page table.
 * Input: allocations, as the core lists them; the table of pages that the kernel shows. Output: shadows.
 * Invariant: what may have been written is taken as written: pages that are there, and all memory if the kernel shows
 * no table. An extent stays as it is until the dispatch has ended, but for pages that others write meanwhile. */
#include "runtime/gcn/check/check_init.h"

#include "support/vec.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE_BITS = 12, PAGES_AT_ONCE = 512 };

/* Bits of an entry of the table: the page is in memory, or it is swapped out. */
static const uint64_t page_is_there = UINT64_C(3) << 62;

struct fresh_memory {
    VEC(struct fresh_extent *) extents;
    int table; /* of pages */
};

static void extent_free(struct fresh_extent *extent)
{
    if (extent->defined)
        munmap(extent->defined, extent->size);
    mem_free(extent->present);
    mem_free(extent);
}

void fresh_free(struct gcn_check *check)
{
    struct fresh_memory *fresh = check->fresh;
    if (!fresh)
        return;
    for (size_t i = 0; i < fresh->extents.count; i++)
        extent_free(fresh->extents.items[i]);
    vec_free(&fresh->extents);
    if (fresh->table >= 0)
        close(fresh->table);
    mem_free(fresh);
    check->fresh = NULL;
}

/* Notes which pages of EXTENT exist; returns whether all do, or this cannot be found out. */
static bool all_present(struct fresh_extent *extent, int table)
{
    uint64_t entries[PAGES_AT_ONCE], first = extent->base >> PAGE_BITS;
    uint64_t count = ((extent->base + extent->size - 1) >> PAGE_BITS) - first + 1;
    bool all = true;
    extent->present = table >= 0 ? mem_zalloc(count, 1) : NULL;
    for (uint64_t i = 0; extent->present && i < count; i += PAGES_AT_ONCE) {
        uint64_t n = count - i < PAGES_AT_ONCE ? count - i : PAGES_AT_ONCE;
        if (pread(table, entries, n * 8, (off_t)((first + i) * 8)) != (ssize_t)(n * 8))
            return true;
        for (uint64_t k = 0; k < n; k++)
            all &= extent->present[i + k] = (entries[k] & page_is_there) != 0;
    }
    return all || !extent->present;
}

static struct fresh_extent *extent_new(const hsam_extent *found, int table)
{
    struct fresh_extent *extent = mem_zalloc(1, sizeof *extent);
    if (!extent)
        return NULL;
    extent->base = found->base;
    extent->size = found->size;
    if (all_present(extent, table))
        return extent;
    void *defined =
        mmap(NULL, extent->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    extent->defined = defined == MAP_FAILED ? NULL : defined;
    return extent;
}

static bool holds(const struct fresh_extent *extent, uint64_t address)
{
    return address - extent->base < extent->size;
}

static struct fresh_memory *fresh_of(struct gcn_check *check)
{
    if (!check->fresh && (check->fresh = mem_zalloc(1, sizeof *check->fresh)))
        check->fresh->table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    return check->fresh;
}

/* The caller holds the lock. */
static const struct fresh_extent *find(struct gcn_check *check, uint64_t address)
{
    struct fresh_memory *fresh = fresh_of(check);
    hsam_extent found;
    for (size_t i = 0; fresh && i < fresh->extents.count; i++)
        if (holds(fresh->extents.items[i], address))
            return fresh->extents.items[i];
    if (!fresh || !check->agent->core->memory_extent || !check->agent->core->memory_extent(address, &found))
        return NULL;
    struct fresh_extent *extent = extent_new(&found, fresh->table);
    if (extent && !vec_push(&fresh->extents, extent)) {
        extent_free(extent);
        return NULL;
    }
    return extent;
}

const struct fresh_extent *fresh_find(struct gcn_check *check, struct init_group *group, uint64_t address)
{
    for (unsigned i = 0; i < GCN_EXTENTS; i++)
        if (group->known[i] && holds(group->known[i], address))
            return group->known[i];
    pthread_mutex_lock(&check->lock);
    const struct fresh_extent *extent = find(check, address);
    pthread_mutex_unlock(&check->lock);
    if (extent)
        group->known[group->next++ % GCN_EXTENTS] = extent;
    return extent;
}

bool fresh_is_present(const struct fresh_extent *extent, uint64_t address)
{
    return extent->present[(address >> PAGE_BITS) - (extent->base >> PAGE_BITS)];
}
