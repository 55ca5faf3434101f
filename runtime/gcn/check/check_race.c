/* SPDX-License-Identifier: MIT */
/* The checker of races: two work-items touch the same bytes, one of them writes, and nothing orders them.
 * Input: what waves are about to access. Output: findings that name both sides.
 * Invariant: two accesses are ordered if the same wave made both; if both are of one group, which passed a barrier in
 * between; or if atomic operations after the first access order them. Two atomic accesses are no race. Stores by one
 * instruction to one place are a race only if their values differ.
 *
 * Within a group, atomic operations of both waves order. Between groups, the first side has to release: to change
 * something atomically, or store a flag, while no store of that wave is on its way; and the second to acquire: to
 * execute an atomic operation and then empty its cache, unless it bypasses that. This is how LLVM's memory model makes
 * machine code of orders and of scopes as wide as the agent. */
#include "runtime/gcn/check/check.h"

#include "support/hash.h"

#include <string.h>
#include <sys/mman.h>

enum {
    PAGE_DWORDS = 256,
    READERS = 2,
    BLOCK_PAGES = 64,
    RECENT = 64,
    JUST_BEFORE = 32,     /* bytes of code between a wait and a store that may be a flag */
    EVENTS_MAX = 1 << 26, /* in a dispatch, or a group; races with later events are missed */
};

/* An instruction that a wave has executed: once, or several times with nothing in between that would order them. */
struct event {
    uint64_t group, pc, time;
    uint32_t epoch;
    uint16_t wave;
    bool atomic, writes;
    bool drained; /* no store of the wave to global memory was on its way */
    bool waited;  /* the wave waited for its stores just before */
};

/* When a work-group, or for group memory a wave, did last what orders accesses. */
struct order {
    uint64_t atomic;   /* an atomic operation */
    uint64_t released; /* one that tells others what was stored before */
    uint64_t acquired; /* the last one before its cache was emptied */
};

/* An access to some bytes of a dword. Its event has the number EVENT; if this is less than BASE of the table, the
 * access is of a dispatch or group that has ended. */
struct mark {
    uint32_t event;
    uint8_t lane, mask;
};

struct cell {
    struct mark write, read[READERS];
};

struct page {
    uint64_t number; /* number of its first dword, divided by PAGE_DWORDS, plus 1 */
    struct page *next;
    struct cell cells[PAGE_DWORDS];
};

struct race_block {
    struct race_block *next;
    struct page pages[BLOCK_PAGES];
};

/* The dwords that were accessed, by address, and what each group did that orders them, by the linear index of the
 * group. */
struct race_table {
    pthread_mutex_t lock;
    struct page **buckets;
    size_t size, count;
    struct race_block *blocks;
    unsigned block_used; /* how many pages of the first block are in use */
    VEC(struct event) events;
    uint32_t base;           /* number of the first event; lower numbers are of dispatches or groups that have ended */
    uint32_t recent[RECENT]; /* numbers of events, by wave and instruction */
    uint64_t time;           /* atomic operations so far, plus 1 */
    struct order *orders;    /* by group, or for group memory by wave */
    uint64_t order_count;
    bool by_wave;
};

struct race_table *race_table_new(bool by_wave)
{
    enum { FIRST_SIZE = 64 };
    struct race_table *table = mem_zalloc(1, sizeof *table);
    struct page **buckets = table ? mem_zalloc(FIRST_SIZE, sizeof *buckets) : NULL;
    if (!buckets) {
        mem_free(table);
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->buckets = buckets;
    table->size = FIRST_SIZE;
    table->by_wave = by_wave;
    table->base = 1;
    table->time = 1;
    return table;
}

static void free_pages(struct race_table *table)
{
    for (struct race_block *next; table->blocks; table->blocks = next) {
        next = table->blocks->next;
        munmap(table->blocks, sizeof *table->blocks);
    }
    memset(table->buckets, 0, table->size * sizeof(struct page *));
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
    enum { BASE_MAX = 1u << 31, PAGES_MAX = 1 << 14 };
    table->base += (uint32_t)table->events.count;
    table->events.count = 0;
    if (table->base > BASE_MAX || table->count > PAGES_MAX) {
        free_pages(table);
        table->base = 1;
    }
    memset(table->recent, 0, sizeof table->recent);
    mem_free(table->orders);
    table->orders = NULL;
    table->order_count = 0;
    table->time = 1;
}

static void grow(struct race_table *table)
{
    struct page **buckets = mem_zalloc(2 * table->size, sizeof *buckets);
    if (!buckets)
        return;
    for (size_t i = 0; i < table->size; i++)
        for (struct page *page = table->buckets[i], *next; page; page = next) {
            next = page->next;
            size_t at = hash_u64(0, page->number) & (2 * table->size - 1);
            page->next = buckets[at];
            buckets[at] = page;
        }
    mem_free(table->buckets);
    table->buckets = buckets;
    table->size *= 2;
}

static struct page *page_new(struct race_table *table)
{
    if (!table->blocks || table->block_used == BLOCK_PAGES) {
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

/* The page NUMBER; NULL if memory has run out, in which case a race may be missed. */
static struct page *page_of(struct race_table *table, uint64_t number)
{
    struct page **link = &table->buckets[hash_u64(0, number) & (table->size - 1)];
    struct page *page = *link;
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

/* ---- events ---- */

static const struct event *event_of(const struct race_table *table, const struct mark *mark)
{
    return &table->events.items[mark->event - table->base];
}

static bool is_live(const struct race_table *table, const struct mark *mark)
{
    return mark->event >= table->base;
}

static bool is_equal(const struct event *a, const struct event *b)
{
    return a->group == b->group && a->pc == b->pc && a->time == b->time && a->epoch == b->epoch && a->wave == b->wave &&
           a->atomic == b->atomic && a->drained == b->drained && a->waited == b->waited;
}

/* The number of EVENT, which may have happened before; 0 if there are too many. */
static uint32_t event_number(struct race_table *table, const struct event *event)
{
    uint32_t *recent = &table->recent[hash_u64(event->pc, event->wave + event->group) % RECENT];
    if (*recent >= table->base && is_equal(&table->events.items[*recent - table->base], event))
        return *recent;
    if (table->events.count >= EVENTS_MAX || !vec_push(&table->events, *event))
        return 0;
    return *recent = table->base + (uint32_t)table->events.count - 1;
}

/* ---- order ---- */

/* The order of the party of EVENT; NULL unless something has ordered. */
static struct order *order_of(struct race_table *table, const struct event *event)
{
    uint64_t party = table->by_wave ? event->wave : event->group;
    return party < table->order_count ? &table->orders[party] : NULL;
}

/* Notes that the party of EVENT executes an atomic operation now; RELEASES: one that tells other groups what was stored
 * before. */
static void synchronise(struct race_table *table, const struct gcn_dispatch *d, const struct event *event,
                        bool releases)
{
    enum { PARTIES_MAX = 1 << 24 };
    uint64_t parties = table->by_wave ? GCN_GROUP_WAVES_MAX : d->group_total;
    if (!table->orders && parties <= PARTIES_MAX) {
        table->orders = mem_zalloc(parties, sizeof *table->orders);
        table->order_count = table->orders ? parties : 0;
    }
    struct order *order = order_of(table, event);
    if (!order)
        return;
    order->atomic = ++table->time;
    if (releases)
        order->released = order->atomic;
}

static bool is_ordered(struct race_table *table, const struct event *before, const struct event *now)
{
    if (before->group == now->group && (before->epoch != now->epoch || before->wave == now->wave))
        return true;
    const struct order *a = order_of(table, before), *b = order_of(table, now);
    if (!a || !b)
        return false;
    if (before->group == now->group)
        return a->atomic > before->time && b->atomic > before->time;
    return a->released > before->time && (now->atomic ? b->atomic : b->acquired) > before->time;
}

/* Whether a store that looks like any other may be an atomic one, as OTHER is atomic: that of a flag which OTHER loads,
 * or of a lock which OTHER changes. */
static bool is_flag(const struct race_table *table, const struct event *store, const struct event *other)
{
    return !table->by_wave && store->writes && !store->atomic && other->atomic && (!other->writes || store->waited);
}

static bool is_race(struct race_table *table, const struct mark *before, const struct mark *now)
{
    if (!is_live(table, before) || !(before->mask & now->mask) || before->event == now->event)
        return false;
    const struct event *first = event_of(table, before), *second = event_of(table, now);
    return !(first->atomic && second->atomic) && !is_flag(table, first, second) && !is_flag(table, second, first) &&
           !is_ordered(table, first, second);
}

static void note_read(const struct race_table *table, struct cell *cell, const struct mark *now)
{
    struct mark *first = &cell->read[0];
    if (first->event != now->event && is_live(table, first)) {
        const struct event *a = event_of(table, first), *b = event_of(table, now);
        if (a->group != b->group || a->wave != b->wave)
            cell->read[1] = *first;
    }
    *first = *now;
}

/* The earlier access with which NOW races, or NULL; WRITES tells whether NOW writes. */
static const struct mark *find_race(struct race_table *table, const struct cell *cell, const struct mark *now,
                                    bool writes)
{
    if (is_race(table, &cell->write, now))
        return &cell->write;
    for (unsigned i = 0; writes && i < READERS; i++)
        if (is_race(table, &cell->read[i], now))
            return &cell->read[i];
    return NULL;
}

/* ---- accesses ---- */

struct touch {
    struct race_table *table;
    struct gcn_check *check;
    const struct gcn_wave *w;
    const struct gcn_uop *op;
    const struct gcn_access *access;
    struct page *page; /* touched last */
    struct event event;
    struct mark now;
    enum gcn_finding_kind kind;
};

static struct gcn_party party_of(const struct event *event, unsigned lane)
{
    return (struct gcn_party){event->pc, event->group, event->wave * GCN_LANES + (int32_t)lane};
}

static enum gcn_finding_kind same_kind(enum gcn_finding_kind kind)
{
    return kind == GCN_FINDING_RACE_GROUP ? GCN_FINDING_SAME_GROUP : GCN_FINDING_SAME_GLOBAL;
}

/* Whether LANE stores what ADDRESS holds already. */
static bool stores_same(const struct touch *t, unsigned lane, uint64_t address, uint8_t segment)
{
    const struct gcn_access *a = t->access;
    if (a->reads || a->parts > 1 || !a->lines)
        return false;
    const uint8_t *there = segment == HSAM_ACCESS_GROUP ? t->w->lds + address : (const uint8_t *)(uintptr_t)address;
    const uint32_t *data = gcn_line(t->w, t->op->src[1]);
    for (uint32_t n = 0; n < a->bytes; n += 4)
        if (memcmp(there + n, &data[n / 4 * GCN_LANES + lane], a->bytes - n < 4 ? a->bytes - n : 4) != 0)
            return false;
    return true;
}

static void add_race(const struct touch *t, const struct mark *now, const struct event *event, const struct mark *other,
                     uint64_t address, uint8_t segment, bool written)
{
    bool same = written && stores_same(t, now->lane, address, segment);
    const struct gcn_finding found = {
        .kind = same ? same_kind(t->kind) : t->kind,
        .has_other = true,
        .writes = t->access->writes,
        .atomic = t->access->atomic,
        .segment = segment,
        .bytes = t->access->bytes,
        .address = address,
        .poll =
            segment == HSAM_ACCESS_GROUP && !(written && !event->atomic) && !(t->access->writes && !t->event.atomic),
        .by = party_of(&t->event, now->lane),
        .other = party_of(event, other->lane)};
    gcn_check_add(t->check, &found, 1);
}

static struct cell *cell_of(struct touch *t, uint64_t address)
{
    uint64_t number = address / 4 / PAGE_DWORDS + 1;
    if (!t->page || t->page->number != number)
        t->page = page_of(t->table, number);
    return t->page ? &t->page->cells[address / 4 % PAGE_DWORDS] : NULL;
}

/* The atomic operation of T gets what a store has left in CELL. If that was a flag, it tells what was stored before. */
static void note_flag(const struct touch *t, const struct cell *cell)
{
    if (!t->event.atomic || !t->access->reads || !is_live(t->table, &cell->write))
        return;
    const struct event *store = event_of(t->table, &cell->write);
    if (store->drained && is_flag(t->table, store, &t->event))
        synchronise(t->table, t->w->group->dispatch, store, true);
}

static void touch(struct touch *t, uint64_t address, uint8_t segment)
{
    const struct mark *race = NULL;
    struct mark other;
    bool written = false;
    uint64_t end = address + t->access->bytes;
    for (uint64_t at = address; at < end; at = (at & ~UINT64_C(3)) + 4) {
        uint64_t stop = (at & ~UINT64_C(3)) + 4 < end ? (at & ~UINT64_C(3)) + 4 : end;
        struct cell *cell = cell_of(t, at);
        if (!cell)
            return;
        t->now.mask = (uint8_t)(((1u << (stop - at)) - 1) << at % 4);
        note_flag(t, cell);
        if (!race && (race = find_race(t->table, cell, &t->now, t->access->writes)) != NULL) {
            other = *race;
            written = race == &cell->write;
            race = &other;
        }
        if (t->access->writes)
            cell->write = t->now;
        if (t->access->reads)
            note_read(t->table, cell, &t->now);
    }
    if (race)
        add_race(t, &t->now, event_of(t->table, race), race, address, segment, written);
}

/* Whether lanes I and K store different values. */
static bool differs(const struct gcn_wave *w, const struct gcn_uop *op, uint32_t bytes, unsigned part, unsigned i,
                    unsigned k)
{
    const uint32_t *data = gcn_line(w, op->src[1 + part]);
    for (uint32_t n = 0; n < bytes; n += 4) {
        uint32_t mask = bytes - n >= 4 ? UINT32_MAX : (1u << 8 * (bytes - n)) - 1;
        if ((data[n / 4 * GCN_LANES + i] ^ data[n / 4 * GCN_LANES + k]) & mask)
            return true;
    }
    return false;
}

/* Whether the addresses increase from lane to lane, so that no two lanes access the same one. */
static bool increases(const struct gcn_access *a, unsigned part)
{
    uint64_t last = 0;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        uint64_t at = a->address[part][__builtin_ctzll(left)];
        if (at <= last && left != a->lanes)
            return false;
        last = at;
    }
    return true;
}

/* Looks for two lanes of one store that write different values to one address: the machine orders them, but the
 * language does not. */
static void check_store(struct touch *t, const struct gcn_wave *w, const struct gcn_uop *op, unsigned part)
{
    enum { SLOTS = 256 };
    const struct gcn_access *a = t->access;
    uint8_t table[SLOTS] = {0}; /* lane + 1, by hash of the address */
    if (increases(a, part))
        return;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), at = hash_u64(0, a->address[part][lane]) % SLOTS;
        while (table[at] && a->address[part][table[at] - 1] != a->address[part][lane])
            at = (at + 1) % SLOTS;
        if (!table[at]) {
            table[at] = (uint8_t)(lane + 1);
        } else if (differs(w, op, a->bytes, part, table[at] - 1u, lane)) {
            const struct mark now = {.lane = (uint8_t)lane}, other = {.lane = (uint8_t)(table[at] - 1)};
            add_race(t, &now, &t->event, &other, a->address[part][lane], a->segment[lane], false);
            return;
        }
    }
}

/* Notes NOW, an access to all four bytes of a dword, and returns true if it clearly races with nothing in CELL. */
static inline bool touch_quickly(const struct touch *t, struct cell *cell, struct mark now)
{
    uint32_t base = t->table->base;
    if (cell->write.event >= base && cell->write.event != now.event)
        return false;
    if (t->access->writes) {
        for (unsigned i = 0; i < READERS; i++)
            if (cell->read[i].event >= base && cell->read[i].event != now.event)
                return false;
        cell->write = now;
    } else {
        if (cell->read[0].event >= base && cell->read[0].event != now.event)
            return false;
        cell->read[0] = now;
    }
    return true;
}

/* Touches whole dwords, one per lane. */
static void touch_dwords(struct touch *t, uint8_t segment)
{
    const struct gcn_access *a = t->access;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t at = a->address[0][lane];
        struct cell *cell = cell_of(t, at);
        t->now.lane = (uint8_t)lane;
        t->now.mask = 15;
        if (cell && !touch_quickly(t, cell, t->now))
            touch(t, at, segment);
    }
}

static bool is_dwords(const struct gcn_access *a, const struct gcn_wave *w, uint8_t segment)
{
    uint64_t unaligned = 0;
    if (!a->uniform || a->bytes != 4 || a->reads == a->writes ||
        (segment == HSAM_ACCESS_GROUP && a->high + 4 > w->lds_size))
        return false;
    for (uint64_t left = a->lanes; left; left &= left - 1)
        unaligned |= a->address[0][__builtin_ctzll(left)] & 3;
    return !unaligned;
}

/* Notes a poll: a wave whose last read of group memory was of the same place by the same instruction. */
static void note_poll(const struct touch *t, struct gcn_group_check *check)
{
    const struct gcn_access *a = t->access;
    unsigned lane = (unsigned)__builtin_ctzll(a->lanes);
    const struct gcn_last_read now = {t->event.pc, (uint32_t)a->address[0][lane], check->epoch};
    struct gcn_last_read *last = &check->last_read[t->event.wave];
    if (a->writes || a->segment[lane] != HSAM_ACCESS_GROUP)
        return;
    if (last->pc == now.pc && last->address == now.address && last->epoch == now.epoch)
        gcn_check_poll(t->check, now.address);
    *last = now;
}

/* Whether this read of group memory gets what an atomic operation has left there: loads that are atomic themselves look
 * like any other. */
static bool is_acquire(struct touch *t, const struct gcn_wave *w)
{
    const struct gcn_access *a = t->access;
    unsigned lane = (unsigned)__builtin_ctzll(a->lanes);
    if (a->writes || a->segment[lane] != HSAM_ACCESS_GROUP || a->address[0][lane] + a->bytes > w->lds_size)
        return false;
    const struct cell *cell = cell_of(t, a->address[0][lane]);
    return cell && is_live(t->table, &cell->write) && event_of(t->table, &cell->write)->atomic;
}

static void touch_lanes(struct touch *t, const struct gcn_wave *w, const struct gcn_uop *op, uint8_t segment)
{
    const struct gcn_access *a = t->access;
    bool any = is_dwords(a, w, segment);
    if (any)
        touch_dwords(t, segment);
    for (uint64_t left = any ? 0 : a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (a->segment[lane] != segment)
            continue;
        any = true;
        t->now.lane = (uint8_t)lane;
        for (unsigned part = 0; part < a->parts; part++)
            if (segment != HSAM_ACCESS_GROUP || a->address[part][lane] + a->bytes <= w->lds_size)
                touch(t, a->address[part][lane], segment);
    }
    for (unsigned part = 0; any && a->lines && a->writes && !a->atomic && part < a->parts; part++)
        check_store(t, w, op, part);
}

static void synchronise_locked(struct race_table *table, const struct gcn_dispatch *d, const struct event *event,
                               bool releases)
{
    pthread_mutex_lock(&table->lock);
    synchronise(table, d, event, releases);
    pthread_mutex_unlock(&table->lock);
}

void gcn_check_race(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_access *a, uint64_t pc)
{
    struct gcn_group *g = w->group;
    const struct gcn_dispatch *d = g->dispatch;
    struct gcn_party me = gcn_check_party(w, pc, 0);
    uint8_t segment = a->lanes ? a->segment[__builtin_ctzll(a->lanes)] : HSAM_ACCESS_PRIVATE;
    if (a->scalar || segment == HSAM_ACCESS_PRIVATE)
        return; /* scalar loads read constants, and private memory is not shared */
    struct touch t = {
        .table = segment == HSAM_ACCESS_GROUP ? g->check->races : d->check->races,
        .check = d->check,
        .w = w,
        .op = op,
        .access = a,
        .kind = segment == HSAM_ACCESS_GROUP ? GCN_FINDING_RACE_GROUP : GCN_FINDING_RACE_GLOBAL,
        .event = {.group = me.group,
                  .pc = pc,
                  .epoch = g->check->epoch,
                  .wave = (uint16_t)w->index,
                  .atomic = a->atomic || op->aux & GCN_GLC,
                  .writes = a->writes,
                  .drained = segment != HSAM_ACCESS_GROUP && !(g->check->storing >> w->index & 1),
                  .waited = segment != HSAM_ACCESS_GROUP && pc - g->check->waited[w->index] < JUST_BEFORE}};
    pthread_mutex_lock(&t.table->lock);
    t.event.time = t.table->time;
    t.now.event = event_number(t.table, &t.event);
    note_poll(&t, g->check);
    bool acquires = t.now.event && is_acquire(&t, w);
    if (t.now.event)
        touch_lanes(&t, w, op, segment);
    pthread_mutex_unlock(&t.table->lock);
    if (segment != HSAM_ACCESS_GROUP)
        g->check->waited[w->index] = 0;
    if (a->writes && !t.event.atomic && segment != HSAM_ACCESS_GROUP)
        g->check->storing |= UINT32_C(1) << w->index;
    if (t.event.atomic)
        synchronise_locked(d->check->races, d, &t.event, a->writes && t.event.drained);
    if (t.event.atomic || acquires)
        synchronise_locked(g->check->races, d, &t.event, false);
}

const struct gcn_uop *gcn_check_wait(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_group_check *check = w->group ? w->group->check : NULL;
    if (check) {
        check->storing &= ~(UINT32_C(1) << w->index);
        check->waited[w->index] = gcn_unit_pc(w->unit, op) + 4;
    }
    return op + 1;
}

const struct gcn_uop *gcn_check_acquire(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct race_table *table = w->group && w->group->check ? w->group->dispatch->check->races : NULL;
    if (!table)
        return op + 1;
    const struct event event = {.group = gcn_check_party(w, 0, 0).group};
    pthread_mutex_lock(&table->lock);
    struct order *order = order_of(table, &event);
    if (order)
        order->acquired = order->atomic;
    pthread_mutex_unlock(&table->lock);
    return op + 1;
}
