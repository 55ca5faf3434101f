/* SPDX-License-Identifier: MIT */
/* Memory of the process that HSA was not told about, which kernels may use in the full profile.
 * Input: an address outside of all allocations; /proc/self/maps; the allocator that hsa-run preloads. Output: a part of
 * the process' memory that holds the address.
 * Invariant: pages next to an allocation of HSA are not the host's, so that an access just outside of one is found. */
#include "runtime/gcn/check/check.h"
#include "runtime/heap_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 4096, WINDOW = 64 * PAGE };

struct host_mapping {
    uint64_t from, to;
    bool has_name;
};

/* The mappings of the process, as they were when an address was looked for in vain. */
struct host_memory {
    VEC(struct host_mapping) mappings;
};

void gcn_check_host_free(struct gcn_check *check)
{
    if (check->host)
        vec_free(&check->host->mappings);
    mem_free(check->host);
    check->host = NULL;
}

static void read_mappings(struct host_memory *host)
{
    char line[512], mode[8], name[256];
    FILE *file = fopen("/proc/self/maps", "re");
    host->mappings.count = 0;
    while (file && fgets(line, sizeof line, file)) {
        struct host_mapping mapping = {0};
        *name = 0;
        int words =
            sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %255s", &mapping.from, &mapping.to, mode, name);
        mapping.has_name = words == 4 && strcmp(name, "[heap]") != 0;
        if (words >= 3 && *mode == 'r' && !vec_push(&host->mappings, mapping))
            break;
    }
    if (file)
        fclose(file);
}

static const struct host_mapping *find(const struct host_memory *host, uint64_t address)
{
    for (size_t i = 0; i < host->mappings.count; i++)
        if (address - host->mappings.items[i].from < host->mappings.items[i].to - host->mappings.items[i].from)
            return &host->mappings.items[i];
    return NULL;
}

/* Whether an allocation of HSA is in the page at PAGE, or in one of those beside it, which separate it from others. */
static bool is_hsas(const struct gcn_check *check, uint64_t page)
{
    hsam_extent extent;
    for (uint64_t at = page - 2 * PAGE; at != page + 2 * PAGE; at += PAGE)
        if (check->agent->core->memory_extent(at, &extent))
            return true;
    return false;
}

/* The pages around ADDRESS that are the host's, not many of them. */
static bool find_pages(const struct gcn_check *check, const struct host_mapping *mapping, uint64_t address,
                       hsam_extent *extent)
{
    uint64_t page = address / PAGE * PAGE, from = page, to = page;
    uint64_t lowest = page / WINDOW * WINDOW, highest = lowest + WINDOW;
    while (to < highest && to < mapping->to && !is_hsas(check, to))
        to += PAGE;
    while (to > page && from > lowest && from > mapping->from && !is_hsas(check, from - PAGE))
        from -= PAGE;
    *extent = (hsam_extent){from, to - from};
    return to > page;
}

static bool find_locked(struct gcn_check *check, uint64_t address, hsam_extent *extent)
{
    enum heap_answer answer = heap_block(address, &extent->base, &extent->size);
    if (answer == HEAP_INSIDE)
        return true;
    if (!check->host && !(check->host = mem_zalloc(1, sizeof *check->host)))
        return true;
    const struct host_mapping *mapping = find(check->host, address);
    if (!mapping) {
        read_mappings(check->host);
        mapping = find(check->host, address);
    }
    return mapping && !(answer == HEAP_BETWEEN && !mapping->has_name) && find_pages(check, mapping, address, extent);
}

bool gcn_check_host(struct gcn_check *check, uint64_t address, hsam_extent *extent)
{
    if (!check->agent->host_counts)
        return false;
    pthread_mutex_lock(&check->lock);
    bool found = find_locked(check, address, extent);
    pthread_mutex_unlock(&check->lock);
    return found;
}
