/* SPDX-License-Identifier: MIT */
/* Host threads that help queues to execute dispatches.
 * Input: dispatches from queue threads. Output: their groups executed by several threads.
 * Invariant: every helper has left a dispatch before gcn_pool_run() returns. */
#include "runtime/gcn/pool.h"
#include "support/alloc.h"
#include "support/thread.h"

#include <pthread.h>

enum { SHARED_WAVES = 32 }; /* with fewer, waking a helper costs more than it saves */

/* A dispatch that wants help; lives on the stack of its queue thread. */
struct pool_job {
    struct pool_job *next;
    struct gcn_dispatch *dispatch;
    struct gcn_shared_work *work; /* NULL: groups of the dispatch */
    unsigned helpers;             /* how many work on it now */
    bool out_of_memory;
};

struct helper {
    struct gcn_pool *pool;
    pthread_t thread;
    struct gcn_worker worker;
};

struct gcn_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, left; /* there is a job; a helper has left one */
    struct pool_job *jobs;
    uint32_t running[GCN_PRIORITIES]; /* atomic: dispatches by priority */
    bool ending;
    unsigned helper_count;
    struct helper helpers[];
};

static bool has_more(const struct pool_job *job)
{
    const struct gcn_dispatch *d = job->dispatch;
    if (job->work)
        return job->work->is_left(job->work);
    return !gcn_dispatch_is_over(d) && __atomic_load_n(&d->next, __ATOMIC_RELAXED) < d->group_total;
}

static bool wants_help(const struct pool_job *job)
{
    const struct gcn_dispatch *d = job->dispatch;
    return has_more(job) && (!d->units || job->helpers + 1 < d->units) && !gcn_dispatch_is_outranked(d);
}

static struct pool_job *find_job(struct gcn_pool *pool)
{
    struct pool_job *job = pool->jobs;
    while (job && !wants_help(job))
        job = job->next;
    return job;
}

static bool run_job(const struct pool_job *job, struct gcn_worker *worker)
{
    if (!job->work)
        return gcn_worker_run(worker, job->dispatch);
    job->work->run(job->work, worker);
    return true;
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    struct gcn_pool *pool = helper->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending) {
        struct pool_job *job = find_job(pool);
        if (!job) {
            pthread_cond_wait(&pool->work, &pool->lock);
            continue;
        }
        job->helpers++;
        pthread_mutex_unlock(&pool->lock);
        bool done = run_job(job, &helper->worker);
        pthread_mutex_lock(&pool->lock);
        job->out_of_memory |= !done;
        if (--job->helpers == 0)
            pthread_cond_broadcast(&pool->left);
    }
    pthread_mutex_unlock(&pool->lock);
    gcn_worker_free(&helper->worker);
    return NULL;
}

static void end_helpers(struct gcn_pool *pool, unsigned started)
{
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < started; i++)
        pthread_join(pool->helpers[i].thread, NULL);
}

void gcn_pool_free(struct gcn_pool *pool)
{
    if (!pool)
        return;
    end_helpers(pool, pool->helper_count);
    pthread_cond_destroy(&pool->left);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    mem_free(pool);
}

struct gcn_pool *gcn_pool_new(unsigned helpers)
{
    struct gcn_pool *pool = mem_zalloc(1, sizeof *pool + helpers * sizeof pool->helpers[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->left, NULL);
    for (unsigned i = 0; i < helpers; i++) {
        struct helper *helper = &pool->helpers[i];
        helper->pool = pool;
        helper->worker.number = i;
        helper->worker.helps = true;
        if (thread_start(&helper->thread, helper_main, helper)) {
            gcn_pool_free(pool);
            return NULL;
        }
        pool->helper_count++;
    }
    return pool;
}

static bool run_shared(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_dispatch *d,
                       struct gcn_shared_work *work)
{
    struct pool_job job = {.dispatch = d, .work = work}, **link;
    if (!pool->helper_count || d->group_total == 1 || d->group_total * d->wave_count < SHARED_WAVES)
        return run_job(&job, worker);
    pthread_mutex_lock(&pool->lock);
    job.next = pool->jobs;
    pool->jobs = &job;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    bool done = run_job(&job, worker);
    pthread_mutex_lock(&pool->lock);
    for (link = &pool->jobs; *link != &job; link = &(*link)->next)
        ;
    *link = job.next;
    while (job.helpers)
        pthread_cond_wait(&pool->left, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return done && !job.out_of_memory;
}

static bool run_counted(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_dispatch *d,
                        struct gcn_shared_work *work)
{
    uint32_t *count = &pool->running[d->priority];
    d->running = pool->running;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    bool done = run_shared(pool, worker, d, work);
    if (!__atomic_sub_fetch(count, 1, __ATOMIC_RELAXED) && d->priority) { /* less urgent ones get helpers again */
        pthread_mutex_lock(&pool->lock);
        if (pool->jobs)
            pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->lock);
    }
    return done;
}

bool gcn_pool_run(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_dispatch *d)
{
    return run_counted(pool, worker, d, NULL);
}

void gcn_pool_share(struct gcn_pool *pool, struct gcn_worker *worker, struct gcn_shared_work *work)
{
    run_counted(pool, worker, work->dispatch, work);
}
