/* SPDX-License-Identifier: MIT */
/* Counts how hot units are, and has them compiled: at once or by a background thread.
 * Input: units and their heat. Output: handlers in place of the first micro-operations of blocks.
 * Invariant: a unit is compiled at most once, and its own handlers stay known. The library is loaded only when the
 * first unit is to be compiled, as LLVM comes with it. */
#include "config.h"

#include "runtime/gcn/jit/tier.h"

#include "runtime/gcn/jit/jit.h"
#include "support/alloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* LLVM keeps some memory for each unit until the compiler is closed. So it is closed after this many units, and when
 * there has been nothing to do for this long. */
enum { UNITS_OF_COMPILER = 256, IDLE_SECONDS = 10 };

/* Micro-operations that are interpreted in about two milliseconds. */
enum { HOT = 300000 };

struct gcn_tier_job {
    struct gcn_tier_job *next;
    struct gcn_unit *unit;
    gcn_handler **handlers; /* the handlers that the unit had before */
    struct gcn_jit_code code;
    bool compiled;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct gcn_tier_job *queue, *running;
    unsigned users, compiled, flags;
    enum gcn_tier_mode mode;
    bool configured, tried, stop, has_thread;
    pid_t process; /* the process that has the thread */
    pthread_t thread;
    const struct gcn_jit_table *table;
    struct gcn_jit *jit; /* for one engine at a time; used under COMPILING */
    unsigned units;      /* how many units JIT has compiled */
    const struct gcn_engine *engine;
    pthread_mutex_t compiling;
} tier = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .compiling = PTHREAD_MUTEX_INITIALIZER};

static enum gcn_tier_mode tier_mode(void)
{
    if (!__atomic_load_n(&tier.configured, __ATOMIC_ACQUIRE)) {
        const char *wish = getenv("HSA_GCN_JIT");
        enum gcn_tier_mode mode =
            wish && !strcmp(wish, "now")    ? GCN_TIER_NOW
            : wish && !strcmp(wish, "auto") ? GCN_TIER_AUTO
                                            : GCN_TIER_OFF;
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

/* The compiler */

/* Opens the library from beside the file that this code is in, or from where the dynamic linker looks. */
static void *open_library(void)
{
    char path[4096];
    const char *wish = secure_getenv("HSA_GCN_JIT_LIBRARY");
    Dl_info self;
    if (wish && *wish)
        return dlopen(wish, RTLD_NOW | RTLD_LOCAL);
    if (dladdr((const void *)(uintptr_t)gcn_tier_made, &self) && self.dli_fname) {
        const char *slash = strrchr(self.dli_fname, '/');
        int length = slash ? (int)(slash - self.dli_fname + 1) : 0;
        if ((size_t)snprintf(path, sizeof path, "%.*s" GCN_JIT_LIBRARY, length, self.dli_fname) < sizeof path &&
            access(path, R_OK) == 0)
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return dlopen(GCN_JIT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

/* Called with COMPILING held. */
static void close_compiler(void)
{
    if (tier.jit)
        tier.table->close(tier.jit);
    tier.jit = NULL;
    tier.engine = NULL;
    tier.units = 0;
}

/* A process may end without a shut-down while the background thread is in LLVM. LLVM's destructors, which exit() calls
 * in an order that nobody outside of it decides, must not find the thread there. */

/* Lets the background thread end its job and do no other, but waits for SECONDS at most. */
static void stop_work(unsigned seconds)
{
    struct timespec until;
    if (tier.process != getpid())
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&tier.lock);
    tier.stop = true;
    pthread_cond_broadcast(&tier.changed);
    while (tier.running && !pthread_cond_timedwait(&tier.changed, &tier.lock, &until))
        ;
    pthread_mutex_unlock(&tier.lock);
}

/* Called by exit() in the main thread before all destructors, and where the main thread ends by itself. */
static void stop_with_main_thread(void *unused)
{
    (void)unused;
    stop_work(60);
}

/* Called among the destructors, which is too late if LLVM's have been called: so it waits only for a while. */
static void stop_at_exit(void)
{
    stop_work(1);
}

/* Sees to it that the background thread stops in time. Called with LOCK held. */
static void watch_exit(void)
{
    extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *library);
    extern void *__dso_handle;
    static bool watched;
    if (watched || gettid() != getpid())
        return;
    watched = !__cxa_thread_atexit_impl(stop_with_main_thread, NULL, &__dso_handle);
}

/* Readies the compiler for ENGINE. Called with COMPILING held. */
static bool ready(const struct gcn_engine *engine)
{
    if (!tier.tried) {
        tier.tried = true;
        void *library = open_library();
        const struct gcn_jit_table *table = library ? dlsym(library, "gcn_jit_table") : NULL;
        tier.table = table && table->layout == GCN_JIT_LAYOUT ? table : NULL;
        if (tier.table && atexit(stop_at_exit))
            tier.table = NULL;
    }
    if (!tier.table)
        return false;
    if (tier.engine != engine || tier.units++ >= UNITS_OF_COMPILER)
        close_compiler();
    if (!tier.jit) {
        static const struct gcn_jit_control control = {gcn_control_branches, gcn_control_count, gcn_control_enter};
        tier.jit = tier.table->open(engine, &control);
        tier.engine = engine;
    }
    return tier.jit;
}

static void compile_job(struct gcn_tier_job *job)
{
    const struct gcn_unit *unit = job->unit;
    pthread_mutex_lock(&tier.compiling);
    job->compiled = ready(unit->engine) && tier.table->compile(tier.jit, unit, job->handlers, tier.flags, &job->code);
    pthread_mutex_unlock(&tier.compiling);
}

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

void gcn_tier_made(struct gcn_unit *unit)
{
    if (tier_mode() != GCN_TIER_NOW)
        return;
    unit->job = new_job(unit);
    if (unit->job) {
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
    if (!tier.jit) {
        pthread_cond_wait(&tier.changed, &tier.lock);
    } else if (pthread_cond_timedwait(&tier.changed, &tier.lock, &until) == ETIMEDOUT && !tier.stop) {
        pthread_mutex_lock(&tier.compiling);
        close_compiler();
        pthread_mutex_unlock(&tier.compiling);
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
        pthread_mutex_unlock(&tier.lock);
        compile_job(job);
        install(job);
        pthread_mutex_lock(&tier.lock);
        tier.running = NULL;
        pthread_cond_broadcast(&tier.changed);
    }
    pthread_mutex_unlock(&tier.lock);
    return NULL;
}

/* Called with LOCK held. After fork() the child does not have the thread of its parent. */
static void start_thread(void)
{
    sigset_t all, before;
    if (tier.has_thread && tier.process == getpid())
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    tier.has_thread = !pthread_create(&tier.thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    tier.process = getpid();
}

static void enqueue_unit(struct gcn_unit *unit)
{
    pthread_mutex_lock(&tier.lock);
    if (!unit->job && (unit->job = new_job(unit)) != NULL) {
        struct gcn_tier_job **link = &tier.queue;
        while (*link)
            link = &(*link)->next;
        *link = unit->job;
        start_thread();
        pthread_cond_broadcast(&tier.changed);
    }
    pthread_mutex_unlock(&tier.lock);
}

void gcn_tier_heat(const struct gcn_unit *unit, uint32_t executed)
{
    struct gcn_unit *u = (struct gcn_unit *)(uintptr_t)unit;
    if (!executed || tier_mode() != GCN_TIER_AUTO)
        return;
    uint32_t before = __atomic_fetch_add(&u->heat, executed, __ATOMIC_RELAXED);
    if (before < HOT && before + executed >= HOT)
        enqueue_unit(u);
}

void gcn_tier_forget(struct gcn_unit *unit)
{
    pthread_mutex_lock(&tier.lock);
    struct gcn_tier_job *job = unit->job, **link = &tier.queue;
    while (*link && *link != job)
        link = &(*link)->next;
    if (job && *link)
        *link = job->next;
    while (job && tier.running == job)
        pthread_cond_wait(&tier.changed, &tier.lock);
    pthread_mutex_unlock(&tier.lock);
    if (!job)
        return;
    if (job->compiled)
        tier.table->release(&job->code);
    mem_free(job->code.entries);
    mem_free(job->handlers);
    mem_free(job);
    unit->job = NULL;
}

void gcn_tier_acquire(void)
{
    pthread_mutex_lock(&tier.lock);
    tier.users++;
    if (tier_mode() == GCN_TIER_AUTO)
        watch_exit();
    pthread_mutex_unlock(&tier.lock);
}

void gcn_tier_release(void)
{
    pthread_mutex_lock(&tier.lock);
    bool last = --tier.users == 0, join = last && tier.has_thread && tier.process == getpid();
    tier.stop = join;
    pthread_cond_broadcast(&tier.changed);
    pthread_mutex_unlock(&tier.lock);
    if (join) {
        pthread_join(tier.thread, NULL);
        pthread_mutex_lock(&tier.lock);
        tier.has_thread = false;
        tier.stop = false;
        if (tier.queue) /* of a cache made meanwhile */
            start_thread();
        pthread_mutex_unlock(&tier.lock);
    }
    pthread_mutex_lock(&tier.compiling);
    if (last)
        close_compiler();
    pthread_mutex_unlock(&tier.compiling);
}
