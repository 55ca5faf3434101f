/* SPDX-License-Identifier: MIT */
/* The map of pages that kernels of a guarded agent may touch; see guest_memory.h.
 * Input: ranges that become usable or stop being so; addresses of a wave. Output: whether the wave may access them.
 * Invariant: looking up takes no lock. Once guest_memory_remove() has returned, no wave remembers the removed pages as
 * usable; only accesses that were looked up before may still touch them. */
#include "runtime/gcn/guest_memory.h"

#include "support/search.h"
#include "support/vec.h"

#include <pthread.h>
#include <string.h>

enum {
    PAGE_BITS = 12,
    LEAF_BITS = 17, /* pages of a leaf, which covers 512 MiB */
    ROOT_BITS = 47 - LEAF_BITS - PAGE_BITS,
    WINDOW = 512, /* how many pages a wave remembers at a place, at most */
    SPAN = 16,    /* pages, at which lanes are looked up together */
    PATIENCE = 8, /* of so many look-ups that find nothing remembered, one has its surroundings remembered */
};

struct leaf {
    uint32_t ranges[1 << LEAF_BITS]; /* atomic: how many ranges each page is part of */
};

struct guest_range {
    uint64_t at, size;
};

struct guest_memory {
    pthread_mutex_t lock;
    VEC(struct guest_range) ranges; /* by address */
    uint32_t generation;            /* atomic: changes whenever a page stops being usable; no two maps share a value */
    struct leaf *root[1 << ROOT_BITS]; /* atomic; leaves are kept until the map is freed */
};

static uint32_t new_generation(void)
{
    static uint32_t last; /* atomic */
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

struct guest_memory *guest_memory_new(void)
{
    struct guest_memory *map = mem_zalloc(1, sizeof *map);
    if (map) {
        pthread_mutex_init(&map->lock, NULL);
        map->generation = new_generation();
    }
    return map;
}

void guest_memory_free(struct guest_memory *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < sizeof map->root / sizeof map->root[0]; i++)
        mem_free(map->root[i]);
    vec_free(&map->ranges);
    pthread_mutex_destroy(&map->lock);
    mem_free(map);
}

/* The counter of PAGE, or NULL. */
static uint32_t *counter(struct guest_memory *map, uint64_t page)
{
    struct leaf *leaf = __atomic_load_n(&map->root[page >> LEAF_BITS], __ATOMIC_ACQUIRE);
    return leaf ? &leaf->ranges[page & ((1 << LEAF_BITS) - 1)] : NULL;
}

/* The first and last page of a range; false if it has none or is not in the address space. */
static bool pages_of(uint64_t at, uint64_t size, uint64_t *first, uint64_t *last)
{
    if (!size || size > MEM_LIMIT || !mem_is_host(at, size))
        return false;
    *first = at >> PAGE_BITS;
    *last = (at + size - 1) >> PAGE_BITS;
    return true;
}

static bool make_leaves(struct guest_memory *map, uint64_t first, uint64_t last)
{
    for (uint64_t i = first >> LEAF_BITS; i <= last >> LEAF_BITS; i++) {
        struct leaf *leaf = map->root[i] ? map->root[i] : mem_zalloc(1, sizeof *leaf);
        if (!leaf)
            return false;
        __atomic_store_n(&map->root[i], leaf, __ATOMIC_RELEASE);
    }
    return true;
}

/* The first of the sorted ranges at AT or beyond. */
static size_t find_range(const struct guest_memory *map, uint64_t at)
{
    return search_first(map->ranges.count, i, map->ranges.items[i].at >= at);
}

static void insert_range(struct guest_memory *map, uint64_t at, uint64_t size)
{
    size_t i = find_range(map, at), after = map->ranges.count++ - i;
    memmove(map->ranges.items + i + 1, map->ranges.items + i, after * sizeof *map->ranges.items);
    map->ranges.items[i] = (struct guest_range){at, size};
}

bool guest_memory_add(struct guest_memory *map, const void *address, uint64_t size)
{
    uint64_t at = (uint64_t)(uintptr_t)address, first, last;
    if (!map || !pages_of(at, size, &first, &last))
        return true;
    pthread_mutex_lock(&map->lock);
    bool done = vec_reserve(&map->ranges, 1) && make_leaves(map, first, last);
    if (done)
        insert_range(map, at, size);
    for (uint64_t page = first; done && page <= last; page++)
        __atomic_fetch_add(counter(map, page), 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&map->lock);
    return done;
}

void guest_memory_remove(struct guest_memory *map, const void *address)
{
    uint64_t at = (uint64_t)(uintptr_t)address, first, last;
    if (!map)
        return;
    pthread_mutex_lock(&map->lock);
    size_t i = find_range(map, at);
    struct guest_range *range = map->ranges.items + i;
    if (i < map->ranges.count && range->at == at && pages_of(at, range->size, &first, &last)) {
        for (uint64_t page = first; page <= last; page++)
            __atomic_fetch_sub(counter(map, page), 1, __ATOMIC_RELEASE);
        memmove(range, range + 1, (--map->ranges.count - i) * sizeof *range);
        __atomic_store_n(&map->generation, new_generation(), __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&map->lock);
}

static bool is_usable_page(struct guest_memory *map, uint64_t page)
{
    if (page >> (LEAF_BITS + ROOT_BITS))
        return false;
    const uint32_t *ranges = counter(map, page);
    return ranges && __atomic_load_n(ranges, __ATOMIC_ACQUIRE);
}

/* Has W remember the usable pages around PAGE, which was found usable in GENERATION, in place of what it has remembered
 * longest. */
static void remember_pages(struct gcn_wave *w, uint64_t page, uint32_t generation)
{
    struct guest_memory *map = w->guest;
    uint64_t low = page, high = page + 1;
    if (w->guest_generation != generation) {
        memset(w->guest_windows, 0, sizeof w->guest_windows);
        w->guest_generation = generation;
    }
    while (low && page - low < WINDOW / 4 && is_usable_page(map, low - 1))
        low--;
    while (high - low < WINDOW && is_usable_page(map, high))
        high++;
    w->guest_windows[w->guest_next] = (struct gcn_window){low << PAGE_BITS, (high - low) << PAGE_BITS};
    w->guest_next = (w->guest_next + 1) % GCN_WINDOWS;
}

static inline bool is_remembered(const struct gcn_wave *w, uint64_t address, uint64_t size)
{
    if (w->guest_generation != __atomic_load_n(&w->guest->generation, __ATOMIC_ACQUIRE))
        return false;
    for (int i = 0; i < GCN_WINDOWS; i++) {
        const struct gcn_window *window = &w->guest_windows[i];
        if (size <= window->size && address - window->low <= window->size - size)
            return true;
    }
    return false;
}

bool guest_memory_covers(struct guest_memory *map, uint64_t address, uint64_t size)
{
    for (uint64_t page = address >> PAGE_BITS; page <= (address + size - 1) >> PAGE_BITS; page++)
        if (!is_usable_page(map, page))
            return false;
    return true;
}

/* Looks up the pages of a range that is not remembered. To walk to the ends of what is usable around it pays only where
 * more accesses follow, so it is not done each time: addresses may be scattered. */
static bool look_up(struct gcn_wave *w, uint64_t address, uint64_t size)
{
    uint32_t generation = __atomic_load_n(&w->guest->generation, __ATOMIC_ACQUIRE);
    if (!guest_memory_covers(w->guest, address, size))
        return false;
    if (++w->guest_misses % PATIENCE == 0)
        remember_pages(w, address >> PAGE_BITS, generation);
    return true;
}

bool guest_memory_holds(struct gcn_wave *w, uint64_t address, uint64_t size)
{
    return is_remembered(w, address, size) || look_up(w, address, size);
}

bool guest_memory_holds_lanes(struct gcn_wave *w, const uint64_t *address, uint64_t lanes, uint64_t size)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        uint64_t at = address[__builtin_ctzll(left)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (!lanes || is_remembered(w, low, high - low + size))
        return true;
    if (high - low < (uint64_t)SPAN << PAGE_BITS && look_up(w, low, high - low + size))
        return true;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (!guest_memory_holds(w, address[__builtin_ctzll(left)], size))
            return false;
    return true;
}
