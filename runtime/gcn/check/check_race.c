/* SPDX-License-Identifier: MIT */
/* The checker of races: two work-items touch the same bytes, one of them writes, and nothing orders them.
 * Input: what waves are about to access. Output: findings that name both sides.
 * Invariant: what race_table.c calls a race is found, and stores by one instruction to one place if their values
 * differ. */
#include "runtime/gcn/check/race_table.h"

#include "support/hash.h"

#include <string.h>

enum { JUST_BEFORE = 32 }; /* bytes of code between a wait and a store that may be a flag */

struct touch {
    struct race_table *table;
    struct gcn_check *check;
    const struct gcn_wave *w;
    const struct gcn_uop *op;
    const struct gcn_access *access;
    struct race_page *page; /* touched last */
    uint64_t number;        /* of that page; 0: there is none */
    struct race_event event;
    struct race_mark now; /* its event, without a lane */
    enum gcn_finding_kind kind;
    uint32_t bytes;   /* how many of those accessed the program is sure to have asked for */
    unsigned element; /* these in one dword, as bits */
};

static struct gcn_party party_of(const struct race_event *event, unsigned lane)
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

/* LANE of T races with OTHER_LANE of EVENT. */
static void add_race(const struct touch *t, unsigned lane, const struct race_event *event, unsigned other_lane,
                     uint64_t address, uint8_t segment, bool written)
{
    bool same = written && stores_same(t, lane, address, segment);
    const struct gcn_finding found = {
        .kind = same ? same_kind(t->kind) : t->kind,
        .has_other = true,
        .writes = t->access->writes,
        .atomic = t->access->atomic,
        .segment = segment,
        .bytes = t->access->bytes,
        .address = address,
        .poll = segment == HSAM_ACCESS_GROUP && written != t->access->writes,
        .guess = t->event.atomic && !event->writes                ? event->pc
                 : event->atomic && written && !t->access->writes ? t->event.pc
                                                                  : 0,
        .by = party_of(&t->event, lane),
        .other = party_of(event, other_lane)};
    gcn_check_add(t->check, &found, 1);
}

static struct race_cell *cell_of(struct touch *t, uint64_t address)
{
    uint64_t number = address / 4 / RACE_PAGE_DWORDS + 1;
    if (t->number != number) { /* not that of the page itself, which may have to be fetched */
        t->page = race_page_of(t->table, number);
        t->number = number;
    }
    return t->page ? &t->page->cells[address / 4 % RACE_PAGE_DWORDS] : NULL;
}

/* The atomic operation of T gets what a store has left in CELL. If that was a flag, it tells what was stored before. */
static void note_flag(const struct touch *t, const struct race_cell *cell)
{
    if (!t->event.atomic || !t->access->reads || !race_is_live(t->table, cell->write))
        return;
    const struct race_event *store = race_event_of(t->table, cell->write);
    if (store->drained && race_is_flag(t->table, store, &t->event))
        race_release_flag(t->table, t->w->group->dispatch, store);
}

/* Which bytes of the dword of AT an access has that ends at END, as bits. */
static unsigned bytes_at(uint64_t at, uint64_t end)
{
    uint64_t bytes = end - at < 4 - at % 4 ? end - at : 4 - at % 4;
    return ((1u << bytes) - 1) << at % 4;
}

static void touch(struct touch *t, unsigned lane, uint64_t address, uint8_t segment)
{
    const struct race_mark *race = NULL;
    struct race_mark other;
    bool written = false;
    uint64_t end = address + t->bytes;
    for (uint64_t at = address; at < end; at = (at & ~UINT64_C(3)) + 4) {
        struct race_cell *cell = cell_of(t, at);
        if (!cell)
            return;
        struct race_mark now = race_mark_at(t->now, lane, bytes_at(at, end));
        note_flag(t, cell);
        if (!race && (race = race_find(t->table, cell, now, t->access->writes)) != NULL) {
            other = *race;
            written = race == &cell->write;
            race = &other;
        }
        if (t->access->writes)
            cell->write = now;
        if (t->access->reads)
            race_note_read(t->table, cell, now);
    }
    if (race)
        add_race(t, lane, race_event_of(t->table, other), race_lane_in(other), address, segment, written);
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
            add_race(t, lane, &t->event, table[at] - 1u, a->address[part][lane], a->segment[lane], false);
            return;
        }
    }
}

/* What does not change while the lanes of an access are looked at. */
struct pace {
    uint32_t settled, event;
    bool reads, writes;
};

/* Whether MARK clearly races with nothing that T does. What an atomic operation finds may be a flag, even one that the
 * same wave has set, so that is looked at more closely. */
static bool is_harmless(const struct touch *t, struct race_mark mark)
{
    if (race_party_in(mark) & race_party_in(t->now) & RACE_ATOMIC)
        return true;
    return (t->table->by_wave || !t->event.atomic) && race_is_same_wave(t->table, mark, t->now);
}

/* The quick answer for most earlier accesses. */
static inline bool is_over(const struct touch *t, struct pace pace, struct race_mark mark)
{
    return race_event_in(mark) < pace.settled || race_event_in(mark) == pace.event || is_harmless(t, mark);
}

/* Notes NOW, an access to bytes of one dword, and returns true if it clearly races with nothing in CELL. */
static inline bool touch_quickly(const struct touch *t, struct pace pace, struct race_cell *cell, struct race_mark now)
{
    if (!is_over(t, pace, cell->write))
        return false;
    if (pace.writes) {
        for (unsigned i = 0; i < RACE_READERS; i++)
            if (!is_over(t, pace, cell->read[i]))
                return false;
        cell->write = now;
    }
    if (pace.reads && race_event_in(cell->read[0]) == pace.event)
        cell->read[0] = now;
    else if (pace.reads)
        race_note_read(t->table, cell, now);
    return true;
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
    const struct race_cell *cell = cell_of(t, a->address[0][lane]);
    return cell && race_is_live(t->table, cell->write) && race_event_of(t->table, cell->write)->atomic;
}

static bool compares(unsigned id)
{
    switch (id) {
    case GCN_OP_flat_atomic_cmpswap:
    case GCN_OP_flat_atomic_cmpswap_x2:
    case GCN_OP_buffer_atomic_cmpswap:
    case GCN_OP_buffer_atomic_cmpswap_x2:
    case GCN_OP_ds_cmpst_b32:
    case GCN_OP_ds_cmpst_b64:
    case GCN_OP_ds_cmpst_rtn_b32:
    case GCN_OP_ds_cmpst_rtn_b64: return true;
    default: return false;
    }
}

/* Whether a lane of A accesses what it has read by READ. */
static bool is_same_place(const struct gcn_plain_read *read, const struct gcn_access *a)
{
    uint64_t both = read->pc ? read->lanes & a->lanes : 0;
    unsigned lane = both ? (unsigned)__builtin_ctzll(both) : 0;
    return both && read->address[lane] == a->address[0][lane];
}

/* Remembers plain reads, and finds those of a place that a compare-and-swap of the same wave changes soon after: the
 * loops that compilers and programs make for atomic operations that the machine lacks begin with such a read, and it
 * does no harm if that does not get the newest value. */
static void note_guess(const struct touch *t, struct gcn_group_check *check, unsigned id)
{
    const struct gcn_access *a = t->access;
    struct gcn_plain_read *reads = check->reads[t->event.wave];
    if (!a->writes && !t->event.atomic) {
        struct gcn_plain_read *read = &reads[check->next_read[t->event.wave]++ % GCN_PLAIN_READS];
        read->pc = t->event.pc;
        read->lanes = a->scalar ? UINT64_MAX : a->lanes;
        for (unsigned i = 0; a->scalar && i < GCN_LANES; i++)
            read->address[i] = a->address[0][__builtin_ctzll(a->lanes)];
        if (!a->scalar)
            memcpy(read->address, a->address[0], sizeof read->address);
    } else if (compares(id)) {
        for (unsigned i = 0; i < GCN_PLAIN_READS; i++)
            if (is_same_place(&reads[i], a))
                gcn_check_guess(t->check, reads[i].pc);
    }
}

/* Touches what a lane accesses at ADDRESS. */
static inline void touch_one(struct touch *t, struct pace pace, unsigned lane, uint64_t address, uint8_t segment)
{
    if (address % 4 + t->bytes <= 4) { /* the same as below, for most accesses */
        struct race_cell *cell = cell_of(t, address);
        if (cell && !touch_quickly(t, pace, cell, race_mark_at(t->now, lane, t->element << address % 4)))
            touch(t, lane, address, segment);
        return;
    }
    for (uint64_t at = address, end = address + t->bytes; at < end; at = (at & ~UINT64_C(3)) + 4) {
        struct race_cell *cell = cell_of(t, at);
        if (cell && !touch_quickly(t, pace, cell, race_mark_at(t->now, lane, bytes_at(at, end)))) {
            touch(t, lane, address, segment);
            return;
        }
    }
}

/* Has the processor fetch the cells of all lanes at the same time if they lie far apart. */
static void fetch_cells(struct touch *t)
{
    enum { FAR = 1 << 14 };
    const struct gcn_access *a = t->access;
    if (!a->uniform || a->high - a->low < FAR)
        return;
    for (uint64_t left = a->lanes; left; left &= left - 1)
        __builtin_prefetch(cell_of(t, a->address[0][__builtin_ctzll(left)]), 1);
}

static void touch_lanes(struct touch *t, const struct gcn_wave *w, const struct gcn_uop *op, uint8_t segment)
{
    const struct gcn_access *a = t->access;
    const struct pace pace = {t->table->settled, race_event_in(t->now), a->reads, a->writes};
    bool any = false;
    if (!t->table->by_wave)
        fetch_cells(t);
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (a->segment[lane] != segment)
            continue;
        any = true;
        for (unsigned part = 0; part < a->parts; part++)
            if (segment != HSAM_ACCESS_GROUP || a->address[part][lane] + a->bytes <= w->lds_size)
                touch_one(t, pace, lane, a->address[part][lane], segment);
    }
    for (unsigned part = 0; any && a->lines && a->writes && !a->atomic && part < a->parts; part++)
        check_store(t, w, op, part);
}

static void synchronise_locked(struct race_table *table, const struct gcn_dispatch *d, const struct race_event *event,
                               bool releases)
{
    pthread_mutex_lock(&table->lock);
    race_synchronise(table, d, event, releases);
    pthread_mutex_unlock(&table->lock);
}

/* Compilers load a dword where the program wants its first byte or two, and four dwords instead of three. */
static uint32_t wanted_bytes(const struct gcn_access *a)
{
    return !a->scalar ? a->bytes : a->bytes == 4 ? 1 : a->bytes == 16 ? 12 : a->bytes;
}

/* Whether the store of T may be a flag: one lane makes it, and nothing else of the wave is on its way. */
static bool may_be_flag(const struct touch *t)
{
    const struct gcn_access *a = t->access;
    return t->event.drained && a->writes && !t->event.atomic && !(a->lanes & (a->lanes - 1));
}

void gcn_check_race(struct gcn_wave *w, const struct gcn_uop *op, unsigned id, const struct gcn_access *a, uint64_t pc)
{
    struct gcn_group *g = w->group;
    const struct gcn_dispatch *d = g->dispatch;
    struct gcn_party me = gcn_check_party(w, pc, 0);
    uint8_t segment = a->lanes ? a->segment[__builtin_ctzll(a->lanes)] : HSAM_ACCESS_PRIVATE;
    if (segment == HSAM_ACCESS_PRIVATE || (a->scalar && (a->writes || a->atomic)))
        return; /* private memory is not shared */
    struct touch t = {
        .table = segment == HSAM_ACCESS_GROUP ? g->check->races : d->check->races,
        .check = d->check,
        .w = w,
        .op = op,
        .access = a,
        .bytes = wanted_bytes(a),
        .kind = segment == HSAM_ACCESS_GROUP ? GCN_FINDING_RACE_GROUP : GCN_FINDING_RACE_GLOBAL,
        .event = {.group = me.group,
                  .pc = pc,
                  .epoch = g->check->epoch,
                  .wave = (uint16_t)w->index,
                  .atomic = a->atomic || (!a->scalar && op->aux & GCN_GLC),
                  .writes = a->writes,
                  .drained = segment != HSAM_ACCESS_GROUP && !(g->check->storing >> w->index & 1),
                  .waited = segment != HSAM_ACCESS_GROUP && pc - g->check->waited[w->index] < JUST_BEFORE}};
    pthread_mutex_lock(&t.table->lock);
    race_leave_grid_barrier(t.table, &t.event);
    t.event.alone = may_be_flag(&t);
    t.event.time = t.event.alone ? ++t.table->time : t.table->time;
    if (t.table->by_wave)
        race_settle(t.table, t.event.epoch);
    uint32_t number = race_event_number(t.table, &t.event);
    t.now = race_mark_of(number, &t.event);
    t.element = t.bytes < 4 ? (1u << t.bytes) - 1 : 15;
    note_poll(&t, g->check);
    note_guess(&t, g->check, id);
    bool acquires = number && is_acquire(&t, w);
    if (number)
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
    const struct race_event event = {.group = gcn_check_party(w, 0, 0).group};
    pthread_mutex_lock(&table->lock);
    struct race_order *order = race_order_of(table, &event);
    if (order)
        order->acquired = order->atomic;
    pthread_mutex_unlock(&table->lock);
    return op + 1;
}

const struct gcn_uop *gcn_check_grid_barrier(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct race_table *table = w->group && w->group->check ? w->group->dispatch->check->races : NULL;
    if (!table || !gcn_exec(w))
        return op + 1;
    const struct race_event event = {.group = gcn_check_party(w, 0, 0).group};
    pthread_mutex_lock(&table->lock);
    race_synchronise(table, w->group->dispatch, &event, true);
    struct race_order *order = race_order_of(table, &event);
    if (order)
        order->waits = true;
    pthread_mutex_unlock(&table->lock);
    return op + 1;
}
