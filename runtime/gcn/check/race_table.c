/* SPDX-License-Identifier: MIT */
/* The accesses that the checker of races remembers, and whether two of them are ordered.
 * Input: accesses, atomic operations. Output: an earlier access that races with a new one.
 * Invariant: two accesses are ordered if the same wave made both; if both are of one group, which passed a barrier in
 * between; or if atomic operations after the first access order them. Two atomic accesses are no race.
 *
 * Within a group, atomic operations of both waves order. Between groups, the first side has to release: to change
 * something atomically, or store a flag, while no store of that wave is on its way; and the second to acquire: to
 * execute an atomic operation and then empty its cache, unless it bypasses that. This is how LLVM's memory model makes
 * machine code of orders and of scopes as wide as the agent. */
#include "runtime/gcn/check/race_table.h"

#include "support/hash.h"

#include <string.h>
#include <sys/mman.h>

enum { EVENTS_MAX = 1 << 26 }; /* in a dispatch, or a group; races with later events are missed */

struct race_table *race_table_new(bool by_wave)
{
    enum { FIRST_SIZE = 64 };
    struct race_table *table = mem_zalloc(1, sizeof *table);
    struct race_page **buckets = table ? mem_zalloc(FIRST_SIZE, sizeof *buckets) : NULL;
    if (!buckets) {
        mem_free(table);
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->buckets = buckets;
    table->size = FIRST_SIZE;
    table->by_wave = by_wave;
    table->base = table->settled = 1;
    table->time = 1;
    return table;
}

static void free_pages(struct race_table *table)
{
    for (struct race_block *next; table->blocks; table->blocks = next) {
        next = table->blocks->next;
        munmap(table->blocks, sizeof *table->blocks);
    }
    memset(table->buckets, 0, table->size * sizeof(struct race_page *));
    memset(table->near, 0, sizeof table->near);
    table->count = 0;
    table->block_used = 0;
}

void race_table_free(struct race_table *table)
{
    if (!table)
        return;
    free_pages(table);
    pthread_mutex_destroy(&table->lock);
    vec_free(&table->events);
    mem_free(table->buckets);
    mem_free(table->orders);
    mem_free(table);
}

void race_table_restart(struct race_table *table)
{
    enum { BASE_MAX = 1u << 31, PAGES_MAX = 1 << 12 };
    table->base += (uint32_t)table->events.count;
    table->events.count = 0;
    if (table->base > BASE_MAX || table->count > PAGES_MAX) {
        free_pages(table);
        table->base = 1;
    }
    table->settled = table->base;
    table->epoch = 0;
    memset(table->recent, 0, sizeof table->recent);
    mem_free(table->orders);
    table->orders = NULL;
    table->order_count = 0;
    table->time = 1;
}

static void grow(struct race_table *table)
{
    struct race_page **buckets = mem_zalloc(2 * table->size, sizeof *buckets);
    if (!buckets)
        return;
    for (size_t i = 0; i < table->size; i++)
        for (struct race_page *page = table->buckets[i], *next; page; page = next) {
            next = page->next;
            size_t at = hash_u64(0, page->number) & (2 * table->size - 1);
            page->next = buckets[at];
            buckets[at] = page;
        }
    mem_free(table->buckets);
    table->buckets = buckets;
    table->size *= 2;
}

static struct race_page *page_new(struct race_table *table)
{
    if (!table->blocks || table->block_used == RACE_BLOCK_PAGES) {
        struct race_block *block =
            mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (block == MAP_FAILED)
            return NULL;
        block->next = table->blocks;
        table->blocks = block;
        table->block_used = 0;
    }
    return &table->blocks->pages[table->block_used++];
}

static struct race_page *find_page(struct race_table *table, uint64_t number)
{
    struct race_page **link = &table->buckets[hash_u64(0, number) & (table->size - 1)];
    struct race_page *page = *link;
    while (page && page->number != number)
        page = page->next;
    if (page)
        return page;
    page = page_new(table);
    if (!page)
        return NULL;
    page->number = number;
    page->next = *link;
    *link = page;
    if (++table->count > 2 * table->size)
        grow(table);
    return page;
}

struct race_page *race_page_of(struct race_table *table, uint64_t number)
{
    size_t at = number % RACE_NEAR;
    if (table->near[at].number == number)
        return table->near[at].page;
    struct race_page *page = find_page(table, number);
    if (page) {
        table->near[at].number = number;
        table->near[at].page = page;
    }
    return page;
}

/* ---- events ---- */

static bool is_equal(const struct race_event *a, const struct race_event *b)
{
    return a->group == b->group && a->pc == b->pc && a->time == b->time && a->epoch == b->epoch && a->wave == b->wave &&
           a->atomic == b->atomic && a->drained == b->drained && a->waited == b->waited;
}

uint32_t race_event_number(struct race_table *table, const struct race_event *event)
{
    uint32_t *recent = &table->recent[hash_u64(event->pc, event->wave + event->group) % RACE_RECENT];
    if (*recent >= table->base && is_equal(&table->events.items[*recent - table->base], event))
        return *recent;
    if (table->events.count >= EVENTS_MAX || !vec_push(&table->events, *event))
        return 0;
    return *recent = table->base + (uint32_t)table->events.count - 1;
}

/* ---- order ---- */

struct race_order *race_order_of(struct race_table *table, const struct race_event *event)
{
    uint64_t party = table->by_wave ? event->wave : event->group;
    return party < table->order_count ? &table->orders[party] : NULL;
}

/* The order of the party of EVENT; NULL if there are too many parties, or memory has run out. */
static struct race_order *order_of(struct race_table *table, const struct gcn_dispatch *d,
                                   const struct race_event *event)
{
    enum { PARTIES_MAX = 1 << 24 };
    uint64_t parties = table->by_wave ? GCN_GROUP_WAVES_MAX : d->group_total;
    if (!table->orders && parties <= PARTIES_MAX) {
        table->orders = mem_zalloc(parties, sizeof *table->orders);
        table->order_count = table->orders ? parties : 0;
    }
    return race_order_of(table, event);
}

void race_synchronise(struct race_table *table, const struct gcn_dispatch *d, const struct race_event *event,
                      bool releases)
{
    struct race_order *order = order_of(table, d, event);
    if (!order)
        return;
    order->atomic = ++table->time;
    if (releases)
        order->released = order->atomic;
}

/* Nobody leaves before all others have come, so what they did before has an earlier time. */
void race_leave_grid_barrier(struct race_table *table, const struct race_event *event)
{
    struct race_order *order = table->by_wave ? NULL : race_order_of(table, event);
    if (order && order->waits) {
        order->waits = false;
        order->atomic = order->acquired = ++table->time;
    }
}

static bool is_ordered(struct race_table *table, const struct race_event *before, const struct race_event *now)
{
    if (before->group == now->group && (before->epoch != now->epoch || before->wave == now->wave))
        return true;
    const struct race_order *a = race_order_of(table, before), *b = race_order_of(table, now);
    if (!a || !b)
        return false;
    if (before->group == now->group)
        return a->atomic > before->time && b->atomic > before->time;
    return a->released > before->time && (now->atomic ? b->atomic : b->acquired) > before->time;
}

void race_release_flag(struct race_table *table, const struct gcn_dispatch *d, const struct race_event *store)
{
    if (!store->alone) {
        race_synchronise(table, d, store, true);
        return;
    }
    struct race_order *order = order_of(table, d, store);
    if (order && order->released < store->time)
        order->released = store->time;
    if (order && order->atomic < store->time)
        order->atomic = store->time;
}

bool race_is_flag(const struct race_table *table, const struct race_event *store, const struct race_event *other)
{
    return !table->by_wave && store->writes && !store->atomic && other->atomic && (!other->writes || store->waited);
}

static bool is_race(struct race_table *table, struct race_mark before, struct race_mark now)
{
    if (!race_is_live(table, before) || !(race_bytes_in(before) & race_bytes_in(now)) ||
        race_event_in(before) == race_event_in(now))
        return false;
    const struct race_event *first = race_event_of(table, before), *second = race_event_of(table, now);
    return !(first->atomic && second->atomic) && !race_is_flag(table, first, second) &&
           !race_is_flag(table, second, first) && !is_ordered(table, first, second);
}

const struct race_mark *race_find(struct race_table *table, const struct race_cell *cell, struct race_mark now,
                                  bool writes)
{
    if (is_race(table, cell->write, now))
        return &cell->write;
    for (unsigned i = 0; writes && i < RACE_READERS; i++)
        if (is_race(table, cell->read[i], now))
            return &cell->read[i];
    return NULL;
}
