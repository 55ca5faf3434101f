/* SPDX-License-Identifier: MIT */
/* What the checker of races remembers: who has accessed which bytes last, and what orders that. */
#ifndef RUNTIME_GCN_RACE_TABLE_H
#define RUNTIME_GCN_RACE_TABLE_H

#include "runtime/gcn/check/check.h"

enum { RACE_PAGE_DWORDS = 1024, RACE_READERS = 2, RACE_BLOCK_PAGES = 16, RACE_RECENT = 64, RACE_NEAR = 512 };

/* An instruction that a wave has executed: once, or several times with nothing in between that would order them. */
struct race_event {
    uint64_t group, pc, time;
    uint32_t epoch;
    uint16_t wave;
    bool atomic, writes;
    bool drained; /* no store of the wave to global memory was on its way */
    bool waited;  /* the wave waited for its stores just before */
    bool alone;   /* a store of one lane to global memory, and the only event that has this TIME */
};

/* When a work-group, or for group memory a wave, did last what orders accesses. */
struct race_order {
    uint64_t atomic;   /* an atomic operation */
    uint64_t released; /* one that tells others what was stored before */
    uint64_t acquired; /* the last one before its cache was emptied */
    bool waits;        /* it came to a barrier of all work-groups, and has accessed nothing since */
};

/* Accesses with different parties are of different waves; those with the same one may be. RACE_ATOMIC is a bit beside
 * the party. */
enum { RACE_PARTY = 0x7fff, RACE_ATOMIC = 0x8000 };

/* An access to some bytes of a dword: the number of its event, its party, its lane and a bit for each byte. These are
 * one number because it is stored and loaded millions of times. If the event is less than BASE of the table, the access
 * is of a dispatch or group that has ended. */
struct race_mark {
    uint64_t bits;
};

struct race_cell {
    struct race_mark write, read[RACE_READERS];
};

struct race_page {
    uint64_t number; /* number of its first dword, divided by RACE_PAGE_DWORDS, plus 1 */
    struct race_page *next;
    struct race_cell cells[RACE_PAGE_DWORDS];
};

struct race_block {
    struct race_block *next;
    struct race_page pages[RACE_BLOCK_PAGES];
};

/* The dwords that were accessed, by address, and what each group did that orders them, by the linear index of the
 * group. */
struct race_table {
    pthread_mutex_t lock;
    struct race_page **buckets;
    size_t size, count;
    struct race_block *blocks;
    unsigned block_used; /* how many pages of the first block are in use */
    struct {
        uint64_t number; /* 0: none */
        struct race_page *page;
    } near[RACE_NEAR]; /* those looked up last, by number */
    VEC(struct race_event) events;
    uint32_t base;    /* number of the first event; lower numbers are of dispatches or groups that have ended */
    uint32_t settled; /* of group memory: a barrier orders events with lower numbers before those to come */
    uint32_t epoch;   /* how many barriers had been passed at SETTLED */
    uint32_t recent[RACE_RECENT]; /* numbers of events, by wave and instruction */
    uint64_t time;                /* atomic operations so far, plus 1 */
    struct race_order *orders;    /* by group, or for group memory by wave */
    uint64_t order_count;
    bool by_wave;
};

/* All of the following needs the lock of TABLE. */

static inline uint32_t race_event_in(struct race_mark mark)
{
    return (uint32_t)mark.bits;
}

static inline unsigned race_party_in(struct race_mark mark)
{
    return (unsigned)(mark.bits >> 32) & 0xffff;
}

static inline unsigned race_lane_in(struct race_mark mark)
{
    return (unsigned)(mark.bits >> 48) & 0xff;
}

static inline unsigned race_bytes_in(struct race_mark mark)
{
    return (unsigned)(mark.bits >> 56);
}

/* The access of LANE to BYTES of a dword, as bits, where EVENT is the one that race_mark_of() gave. */
static inline struct race_mark race_mark_at(struct race_mark event, unsigned lane, unsigned bytes)
{
    return (struct race_mark){event.bits | (uint64_t)lane << 48 | (uint64_t)bytes << 56};
}

/* The event of the number, without a lane. */
static inline struct race_mark race_mark_of(uint32_t number, const struct race_event *event)
{
    uint64_t party = (event->group * GCN_GROUP_WAVES_MAX + event->wave) & RACE_PARTY;
    return (struct race_mark){number | (party | (event->atomic ? RACE_ATOMIC : 0)) << 32};
}

static inline const struct race_event *race_event_of(const struct race_table *table, struct race_mark mark)
{
    return &table->events.items[race_event_in(mark) - table->base];
}

/* Whether the same wave made A and B, which are live. */
static inline bool race_is_same_wave(const struct race_table *table, struct race_mark a, struct race_mark b)
{
    if ((race_party_in(a) ^ race_party_in(b)) & RACE_PARTY)
        return false;
    if (table->by_wave)
        return true;
    const struct race_event *first = race_event_of(table, a), *second = race_event_of(table, b);
    return first->wave == second->wave && first->group == second->group;
}

static inline bool race_is_live(const struct race_table *table, struct race_mark mark)
{
    return race_event_in(mark) >= table->base;
}

/* To be called before events of EPOCH, the number of barriers that the group of TABLE has passed. */
static inline void race_settle(struct race_table *table, uint32_t epoch)
{
    if (table->epoch == epoch)
        return;
    table->epoch = epoch;
    table->settled = table->base + (uint32_t)table->events.count;
}

/* The page NUMBER; NULL if memory has run out, in which case a race may be missed. */
struct race_page *race_page_of(struct race_table *table, uint64_t number);

/* The number of EVENT, which may have happened before; 0 if there are too many. */
uint32_t race_event_number(struct race_table *table, const struct race_event *event);

/* The order of the party of EVENT; NULL unless something has ordered. */
struct race_order *race_order_of(struct race_table *table, const struct race_event *event);

/* Notes that the party of EVENT executes an atomic operation now; RELEASES: one that tells other groups what was stored
 * before. */
void race_synchronise(struct race_table *table, const struct gcn_dispatch *d, const struct race_event *event,
                      bool releases);

/* Notes that somebody has got the flag that STORE has set. What the party of STORE did before that is released. */
void race_release_flag(struct race_table *table, const struct gcn_dispatch *d, const struct race_event *store);

/* To be called before the party of EVENT accesses something: notes that it has left a barrier of all work-groups. */
void race_leave_grid_barrier(struct race_table *table, const struct race_event *event);

/* Whether a store that looks like any other may be an atomic one, as OTHER is atomic: that of a flag which OTHER loads,
 * or of a lock which OTHER changes. */
bool race_is_flag(const struct race_table *table, const struct race_event *store, const struct race_event *other);

/* Notes in CELL that NOW reads it. */
static inline void race_note_read(const struct race_table *table, struct race_cell *cell, struct race_mark now)
{
    struct race_mark first = cell->read[0];
    if (race_event_in(first) != race_event_in(now) && race_is_live(table, first) &&
        !race_is_same_wave(table, first, now))
        cell->read[1] = first;
    cell->read[0] = now;
}

/* The earlier access to CELL with which NOW races, or NULL; WRITES tells whether NOW writes. */
const struct race_mark *race_find(struct race_table *table, const struct race_cell *cell, struct race_mark now,
                                  bool writes);

#endif
