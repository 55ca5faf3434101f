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
    BLOCK_BITS = 9, /* pages of a block, which covers 2 MiB */
    BLOCK_PAGES = 1 << BLOCK_BITS,
    STEPS = 2 * BLOCK_PAGES, /* of pages or blocks, in which a wave looks for either end of what it remembers */
    SPAN = 16,               /* pages, at which lanes are looked up together */
    /* Of so many look-ups that find nothing remembered, one has its surroundings remembered: first while there is room
     * for them, and then in place of others. Kernels may access more places by turns than can be remembered. */
    PATIENCE = 8,
    LONG_PATIENCE = 256,
};

struct leaf {
    uint32_t ranges[1 << LEAF_BITS];                /* atomic: how many ranges each page is part of */
    uint32_t usable[1 << (LEAF_BITS - BLOCK_BITS)]; /* atomic: how many pages of each block are part of any */
};

struct guest_range {
    uint64_t at, size;
};

struct guest_memory {
    uint32_t generation; /* atomic: changes whenever a page stops being usable; no two maps share a value */
    pthread_mutex_t lock;
    VEC(struct guest_range) ranges;    /* by address */
    struct leaf *root[1 << ROOT_BITS]; /* atomic; leaves are kept until the map is freed */
};

_Static_assert(offsetof(struct guest_memory, generation) == GUEST_GENERATION, "compiled code has it");

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

/* The leaf that has PAGE, or NULL. */
static struct leaf *leaf_of(struct guest_memory *map, uint64_t page)
{
    return page >> (LEAF_BITS + ROOT_BITS) ? NULL : __atomic_load_n(&map->root[page >> LEAF_BITS], __ATOMIC_ACQUIRE);
}

static uint32_t page_in_leaf(uint64_t page)
{
    return page & ((1 << LEAF_BITS) - 1);
}

/* Makes a page of which there is a leaf part of one more range, or of one less. */
static void add_page(struct guest_memory *map, uint64_t page)
{
    struct leaf *leaf = leaf_of(map, page);
    uint32_t i = page_in_leaf(page);
    if (!__atomic_fetch_add(&leaf->ranges[i], 1, __ATOMIC_RELEASE))
        __atomic_fetch_add(&leaf->usable[i >> BLOCK_BITS], 1, __ATOMIC_RELEASE);
}

static void remove_page(struct guest_memory *map, uint64_t page)
{
    struct leaf *leaf = leaf_of(map, page);
    uint32_t i = page_in_leaf(page);
    if (!__atomic_sub_fetch(&leaf->ranges[i], 1, __ATOMIC_RELEASE))
        __atomic_fetch_sub(&leaf->usable[i >> BLOCK_BITS], 1, __ATOMIC_RELEASE);
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
        add_page(map, page);
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
            remove_page(map, page);
        memmove(range, range + 1, (--map->ranges.count - i) * sizeof *range);
        __atomic_store_n(&map->generation, new_generation(), __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&map->lock);
}

static bool is_usable_page(struct guest_memory *map, uint64_t page)
{
    const struct leaf *leaf = leaf_of(map, page);
    return leaf && __atomic_load_n(&leaf->ranges[page_in_leaf(page)], __ATOMIC_ACQUIRE);
}

/* Whether all pages of the block that begins at PAGE are usable. */
static bool is_usable_block(struct guest_memory *map, uint64_t page)
{
    const struct leaf *leaf = leaf_of(map, page);
    return leaf && __atomic_load_n(&leaf->usable[page_in_leaf(page) >> BLOCK_BITS], __ATOMIC_ACQUIRE) == BLOCK_PAGES;
}

/* The first of the usable pages before PAGE that lie next to each other, and the end of those from PAGE on; both no
 * farther away than so many steps lead. */
static uint64_t begin_of_usable(struct guest_memory *map, uint64_t page)
{
    for (unsigned step = 0; page && step < STEPS; step++)
        if (page % BLOCK_PAGES == 0 && is_usable_block(map, page - BLOCK_PAGES))
            page -= BLOCK_PAGES;
        else if (is_usable_page(map, page - 1))
            page--;
        else
            break;
    return page;
}

static uint64_t end_of_usable(struct guest_memory *map, uint64_t page)
{
    for (unsigned step = 0; step < STEPS; step++)
        if (page % BLOCK_PAGES == 0 && is_usable_block(map, page))
            page += BLOCK_PAGES;
        else if (is_usable_page(map, page))
            page++;
        else
            break;
    return page;
}

/* Has W remember the usable pages around PAGE, which was found usable in GENERATION, in place of what it has remembered
 * longest. */
static void remember_pages(struct gcn_wave *w, uint64_t page, uint32_t generation)
{
    uint64_t low = begin_of_usable(w->guest, page), high = end_of_usable(w->guest, page);
    if (w->guest_generation != generation) {
        memset(w->guest_windows, 0, sizeof w->guest_windows);
        w->guest_generation = generation;
        w->guest_next = 0;
    }
    w->guest_windows[w->guest_next++ % GCN_WINDOWS] = (struct gcn_window){low << PAGE_BITS, (high - low) << PAGE_BITS};
}

const struct gcn_window *guest_memory_window(const struct gcn_wave *w, uint64_t address, uint64_t size)
{
    if (w->guest_generation != __atomic_load_n(&w->guest->generation, __ATOMIC_ACQUIRE))
        return NULL;
    for (int i = 0; i < GCN_WINDOWS; i++) {
        const struct gcn_window *window = &w->guest_windows[i];
        if (size <= window->size && address - window->low <= window->size - size)
            return window;
    }
    return NULL;
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
    bool room = w->guest_next < GCN_WINDOWS || w->guest_generation != generation;
    if (++w->guest_misses % (room ? PATIENCE : LONG_PATIENCE) == 0)
        remember_pages(w, address >> PAGE_BITS, generation);
    return true;
}

bool guest_memory_holds(struct gcn_wave *w, uint64_t address, uint64_t size)
{
    return guest_memory_window(w, address, size) || look_up(w, address, size);
}

/* Like guest_window_has(), for LANES. */
static bool window_has_lanes(const struct gcn_window *window, const uint64_t *address, uint64_t lanes, uint64_t size)
{
    if (lanes == UINT64_MAX)
        return guest_window_has(window, address, size);
    uint64_t most = window->size - size, beyond = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        uint64_t offset = address[__builtin_ctzll(left)] - window->low;
        beyond |= offset | (most - offset);
    }
    return !(beyond >> 63);
}

/* Looks up lanes that are near each other together. */
static bool look_up_near(struct gcn_wave *w, const uint64_t *address, uint64_t lanes, uint64_t size)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        uint64_t at = address[__builtin_ctzll(left)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return high - low < (uint64_t)SPAN << PAGE_BITS && look_up(w, low, high - low + size);
}

bool guest_memory_holds_lanes(struct gcn_wave *w, const uint64_t *address, uint64_t lanes, uint64_t size)
{
    if (!lanes)
        return true;
    const struct gcn_window *window = guest_memory_window(w, address[__builtin_ctzll(lanes)], size);
    if (window ? window_has_lanes(window, address, lanes, size) : look_up_near(w, address, lanes, size))
        return true;
    for (uint64_t left = lanes; left; left &= left - 1)
        if (!guest_memory_holds(w, address[__builtin_ctzll(left)], size))
            return false;
    return true;
}
