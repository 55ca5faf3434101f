/* SPDX-License-Identifier: MIT */
/* The checkers of the software GPU: what they find in a dispatch, and what they remember of its accesses.
 *
 * Code is translated with a micro-operation of a checker before each instruction that concerns one; without checkers
 * there are none, and nothing is slower. doc/CHECKING.md describes what is found. */
#ifndef RUNTIME_GCN_CHECK_H
#define RUNTIME_GCN_CHECK_H

#include "runtime/gcn/access.h"
#include "runtime/gcn/gcn_agent.h"
#include "runtime/gcn/group.h"
#include "support/vec.h"

enum gcn_check_number {
#define CHECK(name, word) GCN_CHECK_NUMBER_##name,
#include "support/checker.def"
#undef CHECK
};

/* The bits of every member and parameter named `checks`. */
enum {
#define CHECK(name, word) GCN_CHECK_##name = 1 << GCN_CHECK_NUMBER_##name,
#include "support/checker.def"
#undef CHECK
};

enum gcn_finding_kind {
#define FINDING(kind, id, text, and) GCN_FINDING_##kind,
#include "runtime/gcn/tables/check.def"
#undef FINDING
};

/* Where a value that was never written comes from. */
enum gcn_origin_kind { GCN_ORIGIN_NONE, GCN_ORIGIN_VECTOR, GCN_ORIGIN_SCALAR, GCN_ORIGIN_SCC, GCN_ORIGIN_MEMORY };

struct gcn_origin {
    enum gcn_origin_kind kind;
    uint8_t segment;     /* of memory: enum hsam_access_segment */
    uint64_t number, pc; /* of the register, or the address; the instruction that read it first */
};

/* A work-item at an instruction; the whole wave if ITEM is -1. */
struct gcn_party {
    uint64_t pc;    /* 0: at no instruction */
    uint64_t group; /* linear index */
    int32_t item;   /* flat id in the group */
};

struct gcn_finding {
    enum gcn_finding_kind kind;
    bool has_other, writes, atomic;
    bool poll;       /* it does not count if some wave polls the word of group memory at ADDRESS */
    uint64_t guess;  /* nor if the plain read at this place guesses what a compare-and-swap finds; 0: there is none */
    uint8_t segment; /* enum hsam_access_segment */
    uint32_t bytes;
    uint64_t address, count;
    struct gcn_party by, other;
    struct gcn_origin origin; /* of a value that was never written */
    uint32_t promised;        /* the alignment that the instruction promises, or 0 */
    struct gcn_reported key;  /* filled in by gcn_check_add() */
};

struct race_table;

/* What the checkers know of a dispatch. */
struct gcn_check {
    unsigned checks;
    bool ended_count; /* work-items that have ended are missing at barriers, as the kernel's language demands them there
                       */
    const struct gcn_dispatch *dispatch;
    struct gcn_agent *agent;
    const amd_queue_t *queue;
    uint64_t progressed;  /* atomic: when some work-group went on last, in seconds */
    uint64_t first_group; /* how many work-groups earlier dispatches of the agent had */
    pthread_mutex_t lock; /* protects FINDINGS; RACES has a lock of its own */
    VEC(struct gcn_finding) findings;
    struct race_table *races;             /* accesses to global memory */
    uint32_t polls[GCN_LDS_MAX / 4 / 32]; /* words of group memory that are polled, as bits; atomic */
    VEC(uint64_t) guesses;          /* instructions that read what a compare-and-swap expects; protected by LOCK */
    VEC(struct gcn_origin) origins; /* protected by LOCK */
    struct host_memory *host;       /* protected by LOCK */
    struct fresh_memory *fresh;     /* what of global memory had been written when the dispatch began */
};

enum { GCN_EXTENTS = 4 };

struct gcn_last_read {
    uint64_t pc;
    uint32_t address, epoch;
};

/* A plain read of memory. */
struct gcn_plain_read {
    uint64_t pc, lanes, address[GCN_LANES];
};

enum { GCN_PLAIN_READS = 4 };

/* The work-items of a wave that were not active when it came to a barrier. */
struct gcn_absent {
    uint64_t lanes, pc; /* their lanes, and the barrier */
    int present;        /* the first lane that was active there */
};

/* What they know of a work-group while it runs. */
struct gcn_group_check {
    uint32_t epoch;                                      /* barriers passed */
    hsam_extent extents[GCN_EXTENTS];                    /* the allocations looked up last */
    unsigned next;                                       /* which extent is replaced next, modulo GCN_EXTENTS */
    struct race_table *races;                            /* accesses to group memory */
    uint32_t storing;                                    /* bits of waves with stores to global memory on their way */
    uint64_t waited[GCN_GROUP_WAVES_MAX];                /* the instruction after the last wait for stores, by wave */
    struct gcn_last_read last_read[GCN_GROUP_WAVES_MAX]; /* of group memory, by wave */
    struct gcn_plain_read reads[GCN_GROUP_WAVES_MAX][GCN_PLAIN_READS]; /* the last ones of each wave */
    uint8_t next_read[GCN_GROUP_WAVES_MAX];
    struct gcn_absent absent[GCN_GROUP_WAVES_MAX]; /* used unless ENDED_COUNT is set */
    uint64_t barrier[GCN_GROUP_WAVES_MAX];         /* the one to which a wave came last */
    struct init_group *init;                       /* what has been written */
    const struct gcn_uop *accessed; /* the instruction whose access the checker of initialisation has left in ACCESS */
    struct gcn_access access;
};

/* The checkers that TEXT names, as in "memory,race" or "all"; 0 if one of its words names no checker. */
unsigned gcn_checks_named(const char *text);

/* The first readies CHECK for a dispatch of KERNEL from QUEUE and returns false if memory has run out; the second
 * reports what was found in the dispatch, each finding once in the life of the agent; the third forgets what AGENT has
 * reported. */
bool gcn_check_begin(struct gcn_check *check, const struct gcn_dispatch *d, const hsam_kernel *kernel,
                     struct gcn_agent *agent, const amd_queue_t *queue);
void gcn_check_end(struct gcn_check *check);
void gcn_check_forget(struct gcn_agent *agent);

/* Readies G for its next work-group; false if memory has run out. */
bool gcn_check_group(struct gcn_group *g);
/* To be called when W has its first registers: LINES vector registers, SCALARS scalar ones. */
void gcn_check_wave(struct gcn_wave *w, unsigned lines, unsigned scalars);
void gcn_check_group_free(struct gcn_group *g);

/* check_aperture.c: makes the flat addresses of W's group and private memory differ from those of other groups and
 * waves; and looks for addresses of those in ACCESS, which W is about to make at PC. */
void gcn_check_tag(struct gcn_wave *w);
void gcn_check_foreign(const struct gcn_wave *w, const struct gcn_access *access, uint64_t pc);

/* Adds FINDING, which occurred COUNT times, to those of CHECK. */
void gcn_check_add(struct gcn_check *check, const struct gcn_finding *finding, uint64_t count);

/* Notes that some wave polls the word of group memory at ADDRESS. */
void gcn_check_poll(struct gcn_check *check, uint32_t address);

/* Notes that the read at PC guesses what a compare-and-swap finds. */
void gcn_check_guess(struct gcn_check *check, uint64_t pc);

/* Reports FINDING at once, unless the agent has reported it. */
void gcn_check_tell(struct gcn_check *check, const struct gcn_finding *finding);

/* The work-item in LANE of W. */
struct gcn_party gcn_check_party(const struct gcn_wave *w, uint64_t pc, int lane);

/* Micro-operations of the checkers. The first stands before each memory instruction, with the operation in imm; the
 * second before s_barrier. */
gcn_handler gcn_check_access;
gcn_handler gcn_check_barrier;

/* check_promise.c: stands for s_nop with the constant in imm, which describes what alignment is promised. */
gcn_handler gcn_check_promise;

/* Stand before s_waitcnt that waits for stores, and before instructions that empty the cache of vector loads. */
gcn_handler gcn_check_wait;
gcn_handler gcn_check_acquire;

/* Stands before ds_gws_barrier, at which all work-groups of a dispatch can wait for each other. */
gcn_handler gcn_check_grid_barrier;

/* Stands before each instruction that reads or writes registers, with the index of its plan in imm. */
gcn_handler gcn_check_init;

/* check_access.c: whether BYTES at ADDRESS lie in an allocation, and what it is called if they do not. SCALAR: by a
 * scalar load, which may read some bytes more. */
bool gcn_check_allocated(const struct gcn_wave *w, uint64_t address, uint64_t bytes, bool scalar);
enum gcn_finding_kind gcn_check_stray_kind(const struct gcn_wave *w, uint64_t address);

/* check_host.c: whether ADDRESS, which is in no allocation, is in memory of the process that kernels may use all the
 * same; *EXTENT becomes a part of that memory. */
bool gcn_check_host(struct gcn_check *check, uint64_t address, hsam_extent *extent);
void gcn_check_host_free(struct gcn_check *check);

/* check_descriptor.c: to be called when W is about to execute OP, of the operation ID, at PC, which gcn_access_of()
 * does not describe. */
void gcn_check_described(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, uint64_t pc);

/* check_barrier.c: to be called when the waves of G that wait at a barrier are about to go on, and when W is about to
 * make ACCESS at PC. */
void gcn_check_release(struct gcn_group *g);
void gcn_check_return(const struct gcn_wave *w, const struct gcn_access *access, uint64_t pc);

/* check_wait.c: to be called after each round of a host thread, which has COUNT work-groups left; PROGRESSED tells
 * whether any of those that it had could go on, or computes. */
void gcn_check_round(struct gcn_check *check, struct gcn_group *const *groups, unsigned count, bool progressed);

/* check_race.c: to be called when W is about to make ACCESS by the instruction OP, of the operation ID, at PC. */
void gcn_check_race(struct gcn_wave *w, const struct gcn_uop *op, unsigned id, const struct gcn_access *access,
                    uint64_t pc);
/* race_table.c: a new table. BY_WAVE: it is for group memory, where waves and not groups are told apart. */
struct race_table *race_table_new(bool by_wave);
void race_table_free(struct race_table *table);
/* Forgets all accesses, but keeps the memory. */
void race_table_restart(struct race_table *table);

#endif
