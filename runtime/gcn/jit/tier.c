/* SPDX-License-Identifier: MIT */
/* Counts how hot units are, and has them compiled: at once or by a background thread; a process of its own does the
 * work (doc/decisions/gcn-compile-process.md).
 * Input: units and their heat. Output: handlers in place of the first micro-operations of blocks.
 * Invariant: a unit is compiled at most once, and its own handlers stay known. Whatever happens to the worker, the
 * process goes on with the interpreter. */
#include "config.h"

#include "runtime/gcn/jit/tier.h"

#include "runtime/gcn/jit/jit_client.h"
#include "support/alloc.h"
#include "support/message_line.h"
#include "support/thread.h"
#include "support/worker_process.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A worker ends when there has been nothing to do for IDLE_SECONDS. After DEATHS_MAX failures all further code is
 * interpreted; a worker that does not answer in time has failed, too. */
enum { IDLE_SECONDS = 10, DEATHS_MAX = 8 };

/* Each time that HOT more micro-operations of a unit have been executed, which the interpreter does in about two
 * milliseconds, the unit is looked at. If waves spent no more than one in STRAIGHT_SHARE of these on going through the
 * unit from one end to the other, they are in loops most of the time, and the loops are compiled. Otherwise all of the
 * unit is, but only when a fifth of the time that this takes, in which COMPILE_COST micro-operations could be
 * interpreted for each of its own, has been spent on interpreting it. */
enum { HOT = 300000, STRAIGHT_SHARE = 32, COMPILE_COST = 20000 };

struct gcn_tier_job {
    struct gcn_tier_job *next;
    struct gcn_unit *unit;
    gcn_handler **handlers; /* the handlers that the unit had before */
    unsigned flags;
    struct gcn_jit_code code;
    bool compiled;
};

/* LOCK is held for short times only, so that fork() can wait for it. COMPILING is held while a unit is compiled, and
 * taken before LOCK. */
static struct {
    pthread_mutex_t lock, compiling;
    pthread_cond_t changed;
    struct gcn_tier_job *queue, *running;
    unsigned users, compiled, flags;
    enum gcn_tier_mode mode;
    bool configured, has_thread;
    bool stop; /* the thread is about to end, and somebody waits for that */
    pthread_t thread;
    int socket;                      /* of the worker, or -1; changed under both locks */
    bool interrupted;                /* SOCKET was shut down because nobody wants the answer any more */
    struct jit_client *client;       /* under COMPILING, as are the following; NULL if there is no worker */
    const struct gcn_engine *engine; /* that CLIENT compiles for */
    unsigned deaths;
    struct jit_cost cost; /* of all compilations; its members are atomic */
    bool given_up;        /* atomic */
} tier = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .compiling = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER,
          .socket = -1};

static enum gcn_tier_mode tier_mode(void)
{
    if (!__atomic_load_n(&tier.configured, __ATOMIC_ACQUIRE)) {
        const char *wish = getenv("HSA_GCN_JIT");
        enum gcn_tier_mode mode =
            !wish || !*wish || !strcmp(wish, "auto") ? GCN_TIER_AUTO
            : !strcmp(wish, "now")                   ? GCN_TIER_NOW
                                                     : GCN_TIER_OFF;
        /* whoever has more rights than their caller must not execute what a process of the caller has made */
        if (getauxval(AT_SECURE))
            mode = GCN_TIER_OFF;
        tier.flags = mode == GCN_TIER_NOW ? GCN_JIT_WHOLE | GCN_JIT_KEEP : 0;
        __atomic_store_n(&tier.mode, mode, __ATOMIC_RELAXED);
        __atomic_store_n(&tier.configured, true, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&tier.mode, __ATOMIC_RELAXED);
}

void gcn_tier_set_mode(enum gcn_tier_mode mode, unsigned flags)
{
    tier_mode();
    tier.flags = flags;
    __atomic_store_n(&tier.mode, mode, __ATOMIC_RELAXED);
}

unsigned gcn_tier_count(void)
{
    return __atomic_load_n(&tier.compiled, __ATOMIC_RELAXED);
}

struct jit_cost gcn_tier_cost(void)
{
    return (struct jit_cost){__atomic_load_n(&tier.cost.nanoseconds, __ATOMIC_RELAXED),
                             __atomic_load_n(&tier.cost.instructions, __ATOMIC_RELAXED)};
}

/* The worker */

/* Tells the user why something is interpreted, if they want to know. ID is a word for programs. */
__attribute__((format(printf, 2, 3))) static void tell_trouble(const char *id, const char *format, ...)
{
    const char *wish = secure_getenv("HSA_GCN_JIT_MESSAGE");
    char text[256];
    va_list arguments;
    if (!wish || strcmp(wish, "1"))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_line_print(message_line_json(), id, text);
}

static void give_up(void)
{
    __atomic_store_n(&tier.given_up, true, __ATOMIC_RELAXED);
}

/* Called with COMPILING held. A child of fork() finds the client here or not, but never one that is freed. */
static void close_worker(void)
{
    pthread_mutex_lock(&tier.lock);
    struct jit_client *client = tier.client;
    if (tier.socket >= 0)
        close(tier.socket);
    tier.socket = -1;
    tier.client = NULL;
    tier.engine = NULL;
    pthread_mutex_unlock(&tier.lock);
    jit_client_free(client);
}

/* Has whoever waits for the worker wait no longer. Called with LOCK held. */
static void interrupt(void)
{
    tier.interrupted = true;
    if (tier.socket >= 0)
        shutdown(tier.socket, SHUT_RDWR);
}

static bool is_interrupted(void)
{
    pthread_mutex_lock(&tier.lock);
    bool interrupted = tier.interrupted;
    pthread_mutex_unlock(&tier.lock);
    return interrupted;
}

/* Starts a worker for ENGINE. Called with COMPILING held. */
static void open_worker(const struct gcn_engine *engine)
{
    static const struct companion program = {
        "hsail-gcn-worker", {"../libexec/hsail", "../../libexec/hsail", "hsail", ".."}, PKGLIBEXECDIR, X_OK};
    int fd = worker_launch(&program, secure_getenv("HSA_GCN_JIT_WORKER"));
    if (fd < 0) {
        give_up();
        tell_trouble("compiler-start", "everything is interpreted, as %s cannot be started", program.name);
        return;
    }
    pthread_mutex_lock(&tier.lock);
    tier.socket = fd;
    bool interrupted = tier.interrupted;
    pthread_mutex_unlock(&tier.lock);
    tier.client = interrupted ? NULL : jit_client_new(fd, engine);
    tier.engine = engine;
    if (tier.client)
        return;
    close_worker();
    if (is_interrupted())
        return;
    give_up();
    tell_trouble("compiler-silent", "everything is interpreted, as %s does not answer or is of another build",
                 program.name);
}

static void count_death(int signal)
{
    if (signal)
        tell_trouble("compiler-ended", "a kernel is interpreted, as signal %d ended the process that compiled it",
                     signal);
    else
        tell_trouble("compiler-ended",
                     "a kernel is interpreted, as the process that compiled it ended or answered nonsense");
    if (++tier.deaths < DEATHS_MAX)
        return;
    give_up();
    tell_trouble("compiler-off", "everything is interpreted from now on");
}

/* Compiles the unit of JOB. A worker that has waited may have ended in the meantime; the unit then goes to a new one.
 */
static void compile_job(struct gcn_tier_job *job)
{
    const struct gcn_engine *engine = job->unit->engine;
    int signal = 0;
    struct jit_cost cost = {0};
    pthread_mutex_lock(&tier.compiling);
    for (bool is_new = false; !is_new && !__atomic_load_n(&tier.given_up, __ATOMIC_RELAXED);) {
        if (tier.client && tier.engine != engine)
            close_worker();
        is_new = !tier.client;
        if (is_new)
            open_worker(engine);
        if (!tier.client)
            break;
        enum jit_outcome outcome =
            jit_client_compile(tier.client, job->unit, job->handlers, job->flags, &job->code, &signal, &cost);
        __atomic_fetch_add(&tier.cost.nanoseconds, cost.nanoseconds, __ATOMIC_RELAXED);
        __atomic_fetch_add(&tier.cost.instructions, cost.instructions, __ATOMIC_RELAXED);
        job->compiled = outcome == JIT_COMPILED;
        if (outcome != JIT_LOST)
            break;
        close_worker();
        if (is_interrupted())
            break;
        if (is_new || signal) {
            count_death(signal);
            break;
        }
    }
    pthread_mutex_unlock(&tier.compiling);
}

/* Jobs */

/* Puts the compiled handler where blocks begin. */
static void install(struct gcn_tier_job *job)
{
    struct gcn_uop *ops = (struct gcn_uop *)(uintptr_t)job->unit->ops;
    for (uint32_t i = 0; job->compiled && i < job->unit->total; i++)
        if (job->code.entries[i])
            __atomic_store_n(&ops[i].fn, job->code.entry, __ATOMIC_RELEASE);
    __atomic_fetch_add(&tier.compiled, job->compiled, __ATOMIC_RELAXED);
}

static struct gcn_tier_job *new_job(struct gcn_unit *unit)
{
    struct gcn_tier_job *job = mem_zalloc(1, sizeof *job);
    if (job)
        job->handlers = mem_zalloc(unit->total, sizeof *job->handlers);
    if (!job || !job->handlers) {
        mem_free(job);
        return NULL;
    }
    job->unit = unit;
    for (uint32_t i = 0; i < unit->total; i++)
        job->handlers[i] = unit->ops[i].fn;
    return job;
}

static bool publish_job(struct gcn_unit *unit, unsigned flags)
{
    struct gcn_tier_job *job = new_job(unit);
    if (job)
        job->flags = tier.flags | flags;
    __atomic_store_n(&unit->job, job, __ATOMIC_RELEASE);
    return job;
}

void gcn_tier_made(struct gcn_unit *unit)
{
    if (tier_mode() != GCN_TIER_NOW || __atomic_load_n(&tier.given_up, __ATOMIC_RELAXED))
        return;
    if (publish_job(unit, 0)) {
        compile_job(unit->job);
        install(unit->job);
    }
}

/* The background */

/* Called with LOCK held. */
static void wait_for_job(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += IDLE_SECONDS;
    if (tier.socket < 0) {
        pthread_cond_wait(&tier.changed, &tier.lock);
    } else if (pthread_cond_timedwait(&tier.changed, &tier.lock, &until) == ETIMEDOUT && !tier.queue && !tier.stop) {
        pthread_mutex_unlock(&tier.lock);
        pthread_mutex_lock(&tier.compiling);
        close_worker();
        pthread_mutex_unlock(&tier.compiling);
        pthread_mutex_lock(&tier.lock);
    }
}

static void *work(void *unused)
{
    (void)unused;
    setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
    pthread_mutex_lock(&tier.lock);
    while (!tier.stop) {
        struct gcn_tier_job *job = tier.queue;
        if (!job) {
            wait_for_job();
            continue;
        }
        tier.queue = job->next;
        tier.running = job;
        tier.interrupted = false;
        pthread_mutex_unlock(&tier.lock);
        compile_job(job);
        install(job);
        pthread_mutex_lock(&tier.lock);
        tier.running = NULL;
        tier.interrupted = false;
        pthread_cond_broadcast(&tier.changed);
    }
    pthread_mutex_unlock(&tier.lock);
    return NULL;
}

/* Called with LOCK held. */
static void start_thread(void)
{
    if (!tier.has_thread)
        tier.has_thread = !thread_start(&tier.thread, work, NULL);
}

/* Ends the thread, or waits until whoever ends it has done so. Called with LOCK held. */
static void end_thread(void)
{
    while (tier.stop)
        pthread_cond_wait(&tier.changed, &tier.lock);
    if (!tier.has_thread || tier.users)
        return;
    pthread_t thread = tier.thread;
    tier.stop = true;
    interrupt();
    pthread_cond_broadcast(&tier.changed);
    pthread_mutex_unlock(&tier.lock);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&tier.lock);
    tier.has_thread = tier.stop = tier.interrupted = false;
    pthread_cond_broadcast(&tier.changed);
    if (tier.queue) /* of a cache made meanwhile */
        start_thread();
}

static void hold_tier(void)
{
    pthread_mutex_lock(&tier.lock);
}

static void release_tier(void)
{
    pthread_mutex_unlock(&tier.lock);
}

/* In a child of fork() there is no thread, and the worker stays the parent's. What waits in the queue still waits
 * there; what was being compiled stays interpreted. */
static void renew_tier(void)
{
    if (tier.socket >= 0)
        close(tier.socket);
    tier.socket = -1;
    jit_client_free(tier.client);
    tier.client = NULL;
    tier.engine = NULL;
    tier.running = NULL;
    tier.has_thread = tier.stop = tier.interrupted = false;
    pthread_mutex_init(&tier.compiling, NULL);
    pthread_cond_init(&tier.changed, NULL);
    pthread_mutex_unlock(&tier.lock);
}

static void watch_tier_forks(void)
{
    pthread_atfork(hold_tier, release_tier, renew_tier);
}

static void enqueue_unit(struct gcn_unit *unit, unsigned flags)
{
    pthread_mutex_lock(&tier.lock);
    if (!unit->job && publish_job(unit, flags)) {
        struct gcn_tier_job **link = &tier.queue;
        while (*link)
            link = &(*link)->next;
        *link = unit->job;
        start_thread();
        pthread_cond_broadcast(&tier.changed);
    }
    pthread_mutex_unlock(&tier.lock);
}

/* What is to be compiled of UNIT, which waves have gone through PASSES times in EXECUTED micro-operations. */
static void judge_unit(struct gcn_unit *unit, uint64_t executed, uint64_t passes)
{
    bool whole = passes * unit->total * STRAIGHT_SHARE >= executed;
    if (!whole)
        enqueue_unit(unit, 0);
    else if (5 * executed >= (uint64_t)COMPILE_COST * unit->total)
        enqueue_unit(unit, GCN_JIT_WHOLE);
}

/* Threads do not write to the same place for ever: neither for units that have their jobs nor for those that are so
 * short that nothing in them is ever counted. */
void gcn_tier_heat(const struct gcn_unit *unit, uint32_t executed, bool through)
{
    struct gcn_unit *u = (struct gcn_unit *)(uintptr_t)unit;
    if (__atomic_load_n(&u->job, __ATOMIC_RELAXED) || (!executed && !through) || tier_mode() != GCN_TIER_AUTO ||
        __atomic_load_n(&tier.given_up, __ATOMIC_RELAXED))
        return;
    uint64_t before = __atomic_load_n(&u->heat, __ATOMIC_RELAXED);
    if (executed)
        before = __atomic_fetch_add(&u->heat, executed, __ATOMIC_RELAXED);
    if (through && before + executed)
        __atomic_fetch_add(&u->passes, 1, __ATOMIC_RELAXED);
    if (before / HOT != (before + executed) / HOT)
        judge_unit(u, before + executed, __atomic_load_n(&u->passes, __ATOMIC_RELAXED));
}

/* A handler is replaced only after the unit has its job. */
gcn_handler *gcn_tier_handler(const struct gcn_unit *unit, uint32_t index)
{
    gcn_handler *now = __atomic_load_n(&unit->ops[index].fn, __ATOMIC_ACQUIRE);
    const struct gcn_tier_job *job = __atomic_load_n(&unit->job, __ATOMIC_ACQUIRE);
    return job ? job->handlers[index] : now;
}

void gcn_tier_forget(struct gcn_unit *unit)
{
    pthread_mutex_lock(&tier.lock);
    struct gcn_tier_job *job = unit->job, **link = &tier.queue;
    while (*link && *link != job)
        link = &(*link)->next;
    if (job && *link)
        *link = job->next;
    if (job && tier.running == job)
        interrupt();
    while (job && tier.running == job)
        pthread_cond_wait(&tier.changed, &tier.lock);
    pthread_mutex_unlock(&tier.lock);
    if (!job)
        return;
    object_unload(&job->code);
    mem_free(job->code.entries);
    mem_free(job->handlers);
    mem_free(job);
    unit->job = NULL;
}

void gcn_tier_acquire(void)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_tier_forks);
    pthread_mutex_lock(&tier.lock);
    tier.users++;
    pthread_mutex_unlock(&tier.lock);
}

void gcn_tier_release(void)
{
    pthread_mutex_lock(&tier.lock);
    bool last = --tier.users == 0;
    if (last)
        end_thread();
    pthread_mutex_unlock(&tier.lock);
    if (!last) /* so as not to wait for what is compiled for others */
        return;
    pthread_mutex_lock(&tier.compiling);
    pthread_mutex_lock(&tier.lock);
    last = tier.users == 0;
    pthread_mutex_unlock(&tier.lock);
    if (last)
        close_worker();
    pthread_mutex_unlock(&tier.compiling);
}
