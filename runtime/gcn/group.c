/* SPDX-License-Identifier: MIT */
/* Runs work-groups on a host thread: the waves of a group in turn, each to a barrier or its end, and several groups in
 * turn if they wait for each other. Input: a dispatch. Output: its groups executed. Invariant: a worker never waits
 * while a wave can do something useful; a wave that spins gives way to the other waves of its group, then to other
 * groups. */
#include "runtime/gcn/check/check.h"
#include "runtime/gcn/exec/exec_clock.h"
#include "runtime/gcn/fault.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/observe/observe.h"
#include "support/alloc.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Memory of a group: address space, which costs nothing until it is touched */

static void *map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Compiled code may read some bytes beyond those that lanes take. */
enum { LDS_MAPPED = GCN_LDS_MAX + 4096 };

/* Adjacent waves are so far apart that their register files start at different places of the cache. */
enum { WAVE_STRIDE = (sizeof(struct gcn_wave) + 4095) / 4096 * 4096 + 4096 };

static void free_scratch(struct gcn_group *g)
{
    if (!g->scratch)
        return;
    guest_memory_remove(g->guest, g->scratch);
    munmap(g->scratch, 2 * g->scratch_size);
    g->scratch = NULL;
    g->scratch_size = 0;
}

static bool reserve_scratch(struct gcn_group *g, const struct gcn_dispatch *d)
{
    /* twice the size, as the descriptor of each wave covers the size of all waves, from the base of its own on */
    uint64_t size = d->wave_count * d->scratch_wave;
    if (size <= g->scratch_size)
        return true;
    free_scratch(g);
    size = (size + 65535) & ~UINT64_C(65535);
    g->scratch = map_memory(2 * size);
    if (!g->scratch)
        return false;
    g->scratch_size = size;
    g->guest = d->guest;
    return guest_memory_add(g->guest, g->scratch, 2 * size);
}

bool gcn_group_reserve(struct gcn_group *g, const struct gcn_dispatch *d)
{
    for (uint32_t i = 0; i < d->wave_count; i++)
        if (!g->waves[i] && !(g->waves[i] = map_memory(WAVE_STRIDE)))
            return false;
    if (!g->lds && !(g->lds = map_memory(LDS_MAPPED)))
        return false;
    return reserve_scratch(g, d);
}

void gcn_group_free(struct gcn_group *g)
{
    for (uint32_t i = 0; i < GCN_GROUP_WAVES_MAX; i++)
        if (g->waves[i])
            munmap(g->waves[i], WAVE_STRIDE);
    if (g->lds)
        munmap(g->lds, LDS_MAPPED);
    free_scratch(g);
    gcn_check_group_free(g);
    mem_free(g->observe);
    mem_free(g);
}

void gcn_worker_free(struct gcn_worker *worker)
{
    for (unsigned i = 0; i < GCN_RESIDENT_MAX; i++)
        if (worker->residents[i])
            gcn_group_free(worker->residents[i]);
    memset(worker->residents, 0, sizeof worker->residents);
}

/* Running */

uint32_t gcn_float_begin(void)
{
    uint32_t caller_csr, csr = 0x1f80; /* no exceptions, no flushing, rounding to nearest even */
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(caller_csr) : "m"(csr) : "memory");
    return caller_csr;
}

void gcn_float_end(uint32_t caller_csr)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(caller_csr) : "memory");
}

/* What came of a round of turns: PROGRESS if a wave came to a barrier or its end; BUSY if some wave could go on;
 * WAITING if all wait for others; DONE if all have ended; FAILED after a fault. */
enum progress { PROGRESS, BUSY, WAITING, DONE, FAILED };

/* After so many rounds in which a group was busy without progress, it is taken to wait for others in a way that turns
 * do not notice. */
enum { PATIENCE = 64 };

static void release_barrier(struct gcn_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->state[i] == GCN_STOP_BARRIER)
            g->state[i] = GCN_STOP_YIELD;
    g->waiting = 0;
}

static bool is_wave_ready(const struct gcn_group *g, uint32_t i)
{
    return g->state[i] == GCN_STOP_YIELD || (g->state[i] == GCN_STOP_SLEEP && gcn_core_clock() >= g->waves[i]->wake);
}

/* How the groups of a worker take turns. */
struct rounds {
    unsigned left, first; /* how many groups the worker has; the first of them that the next round is for */
    bool backwards;       /* the next round goes from the last to the first */
    unsigned waiting;     /* waves that waited for memory when they were looked at last */
    unsigned useful;      /* turns of other waves since all groups had one */
    bool computed;        /* in the last round, some wave neither waited nor stopped */
};

/* Notes why W has stopped. */
static void note_stop(struct gcn_group *g, const struct gcn_wave *w)
{
    g->state[w->index] = (uint8_t)w->stop;
    g->ended += w->stop == GCN_STOP_END;
    g->waiting += w->stop == GCN_STOP_BARRIER;
}

/* The wave after W, if W has come to a barrier or its end, and that one is ready for a turn. */
static struct gcn_wave *next_wave(struct gcn_wave *w)
{
    struct gcn_group *g = w->group;
    uint32_t next = w->index + 1;
    if ((w->stop != GCN_STOP_BARRIER && w->stop != GCN_STOP_END) || next == g->wave_count ||
        g->state[next] != GCN_STOP_YIELD || g->turns[next].place ||
        __atomic_load_n(&g->dispatch->stop, __ATOMIC_RELAXED))
        return NULL;
    note_stop(g, w);
    return g->waves[next];
}

/* Gives each wave that is ready a turn. */
static enum progress group_run(struct gcn_group *g, struct gcn_dispatch *d, struct rounds *r)
{
    const uint32_t before = g->ended + g->waiting;
    gcn_next_wave *next = r->backwards || d->check || d->observe ? NULL : next_wave;
    bool busy = false;
    for (uint32_t n = 0; n < g->wave_count && !__atomic_load_n(&d->stop, __ATOMIC_RELAXED); n++) {
        uint32_t i = r->backwards ? g->wave_count - 1 - n : n;
        if (!is_wave_ready(g, i))
            continue;
        struct gcn_wave *w = g->waves[i];
        enum gcn_stop stop = gcn_turns_run(&w, g->turns, d->vectors, &d->stop, next);
        note_stop(g, w);
        if (stop == GCN_STOP_FAULT) {
            gcn_fault_locate(g, w);
            gcn_dispatch_fail(d, &w->fault);
            return FAILED;
        }
        if (next)
            n = w->index;
        bool waits = stop == GCN_STOP_YIELD && g->turns[w->index].place;
        busy |= stop == GCN_STOP_YIELD && !waits;
        r->waiting += waits;
        r->useful += stop == GCN_STOP_SLEEP || (stop == GCN_STOP_YIELD && !waits);
    }
    bool forward = g->ended + g->waiting != before;
    r->computed |= busy;
    r->useful += g->ended + g->waiting - before;
    if (g->ended == g->wave_count)
        return DONE;
    if (g->waiting && g->waiting + g->ended == g->wave_count) {
        if (d->check)
            gcn_check_release(g);
        if (d->observe)
            gcn_observe_release(g);
        release_barrier(g);
        forward = true;
    }
    g->rounds = forward ? 0 : g->rounds + 1;
    return forward ? PROGRESS : busy && g->rounds < PATIENCE ? BUSY : WAITING;
}

static unsigned residents_max(const struct gcn_dispatch *d)
{
    return d->gws ? GCN_RESIDENT_MAX : GCN_RESIDENT_USUAL;
}

struct gcn_group *gcn_worker_resident(struct gcn_worker *worker, unsigned n)
{
    if (!worker->residents[n])
        worker->residents[n] = mem_zalloc(1, sizeof *worker->residents[n]);
    return worker->residents[n];
}

/* Starts the next group that nobody has taken, as number LEFT of the residents. Returns false if there is none, or no
 * place or memory for it. */
static bool start_next(struct gcn_worker *worker, struct gcn_dispatch *d, unsigned left, bool *out_of_memory)
{
    if (left == residents_max(d) || __atomic_load_n(&d->next, __ATOMIC_RELAXED) >= d->group_total)
        return false;
    struct gcn_group **resident = &worker->residents[left];
    if (!gcn_worker_resident(worker, left)) {
        *out_of_memory = true;
        return false;
    }
    uint64_t linear = __atomic_fetch_add(&d->next, 1, __ATOMIC_RELAXED);
    if (linear >= d->group_total)
        return false;
    if (d->rest)
        linear = d->rest[linear];
    if (!gcn_group_start(*resident, d, linear, worker->number)) { /* it is taken, so nobody else will execute it */
        __atomic_store_n(&d->stop, 1, __ATOMIC_RELEASE);
        *out_of_memory = true;
        return false;
    }
    (*resident)->in_use = true;
    return true;
}

/* To be called when all waves seem to sleep or to wait for somebody else: gives the host's processor away, for longer
 * the more often that has happened. If there were USEFUL turns, somebody computes for long, and is not made to wait. */
static void give_way(unsigned useful, unsigned *times)
{
    struct timespec pause = {0, 50000};
    if (useful || ++*times < 16)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

/* Moves the groups in use to the front of the first COUNT residents, in the order in which they have begun; returns how
 * many these are. */
static unsigned keep_running(struct gcn_worker *worker, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        struct gcn_group *g = worker->residents[i];
        if (!g->in_use)
            continue;
        worker->residents[i] = worker->residents[kept];
        worker->residents[kept++] = g;
    }
    return kept;
}

/* The rounds that a group has at once, as long as it comes from barrier to barrier and nobody else wants a turn. */
enum { AT_ONCE = 16 };

static bool may_go_on(const struct gcn_dispatch *d, const struct rounds *r)
{
    return r->left == 1 && !r->waiting && !gcn_dispatch_is_outranked(d);
}

/* Runs each group that R says once; returns whether any of them made progress. If most waves wait for memory, the next
 * round goes the other way: of two rounds, one then meets each wave after those that it waits for, be they earlier or
 * later ones. */
static bool run_residents(struct gcn_worker *worker, struct gcn_dispatch *d, struct rounds *r)
{
    bool progressed = false;
    uint64_t done = 0;
    r->computed = false;
    if (!r->first)
        r->waiting = r->useful = 0;
    for (unsigned n = r->first; n < r->left; n++) {
        struct gcn_group *g = worker->residents[r->backwards ? r->left - 1 - n + r->first : n];
        enum progress progress = group_run(g, d, r);
        for (unsigned round = 1; round < AT_ONCE && progress == PROGRESS && may_go_on(d, r); round++)
            progress = group_run(g, d, r);
        progressed |= progress != WAITING;
        done += progress == DONE;
        g->in_use = progress != DONE && progress != FAILED;
    }
    if (done)
        __atomic_fetch_add(&d->done, done, __ATOMIC_ACQ_REL);
    r->left = keep_running(worker, r->left);
    if (r->waiting > r->useful)
        r->backwards = !r->backwards;
    return progressed;
}

/* The worker goes on nevertheless, as the urgent kernel may wait for this one. */
void gcn_dispatch_let_pass(const struct gcn_dispatch *d)
{
    struct timespec pause = {0, 200000};
    if (gcn_dispatch_is_outranked(d))
        nanosleep(&pause, NULL);
}

/* Starts up to COUNT groups, which alone run in the next round. Returns false if none could start. */
static bool start_more(struct gcn_worker *worker, struct gcn_dispatch *d, struct rounds *r, unsigned count,
                       bool *out_of_memory)
{
    unsigned before = r->left;
    while (r->left < before + count && start_next(worker, d, r->left, out_of_memory))
        r->left++;
    r->first = r->left > before ? before : 0;
    return r->left > before;
}

enum { WORTH = 6 }; /* so many looks at waves that wait are worth a turn of one that goes on */

/* While all groups wait, more and more are started, twice as many each time. Each look at a wave that waits costs, so
 * those that wait have their next turn when enough turns of others have been useful, or nothing is left to start. */
bool gcn_worker_run(struct gcn_worker *worker, struct gcn_dispatch *d)
{
    bool out_of_memory = false;
    unsigned idle = 0, more = 1;
    struct rounds r = {0};
    uint32_t caller_csr = gcn_float_begin();
    while (!__atomic_load_n(&d->stop, __ATOMIC_ACQUIRE)) {
        if (!r.left && (out_of_memory || (worker->helps && gcn_dispatch_is_outranked(d)) ||
                        !start_more(worker, d, &r, 1, &out_of_memory)))
            break;
        gcn_dispatch_let_pass(d);
        bool progressed = run_residents(worker, d, &r);
        r.first = 0;
        if (progressed)
            idle = 0;
        if (d->check)
            gcn_check_round(d->check, worker->residents, r.left, progressed || r.computed);
        more = progressed ? 1 : more < GCN_RESIDENT_USUAL ? 2 * more : GCN_RESIDENT_USUAL;
        bool enough = progressed && r.waiting <= WORTH * r.useful;
        if (r.left && !enough && !start_more(worker, d, &r, more, &out_of_memory) && !progressed)
            give_way(r.useful, &idle);
    }
    gcn_float_end(caller_csr);
    return !out_of_memory;
}
