/* SPDX-License-Identifier: MIT */
/* What the checker of races remembers: who has accessed which bytes last, and what orders that. */
#ifndef RUNTIME_GCN_RACE_TABLE_H
#define RUNTIME_GCN_RACE_TABLE_H

#include "runtime/gcn/check/check.h"

enum { RACE_PAGE_DWORDS = 256, RACE_READERS = 2, RACE_BLOCK_PAGES = 64, RACE_RECENT = 64 };

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

/* An access to some bytes of a dword. Its event has the number EVENT; if this is less than BASE of the table, the
 * access is of a dispatch or group that has ended. */
struct race_mark {
    uint32_t event;
    uint8_t lane, mask;
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
    VEC(struct race_event) events;
    uint32_t base; /* number of the first event; lower numbers are of dispatches or groups that have ended */
    uint32_t recent[RACE_RECENT]; /* numbers of events, by wave and instruction */
    uint64_t time;                /* atomic operations so far, plus 1 */
    struct race_order *orders;    /* by group, or for group memory by wave */
    uint64_t order_count;
    bool by_wave;
};

/* All of the following needs the lock of TABLE. */

static inline const struct race_event *race_event_of(const struct race_table *table, const struct race_mark *mark)
{
    return &table->events.items[mark->event - table->base];
}

static inline bool race_is_live(const struct race_table *table, const struct race_mark *mark)
{
    return mark->event >= table->base;
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
void race_note_read(const struct race_table *table, struct race_cell *cell, const struct race_mark *now);

/* The earlier access to CELL with which NOW races, or NULL; WRITES tells whether NOW writes. */
const struct race_mark *race_find(struct race_table *table, const struct race_cell *cell, const struct race_mark *now,
                                  bool writes);

#endif
