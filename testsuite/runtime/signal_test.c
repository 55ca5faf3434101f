/* SPDX-License-Identifier: MIT */
/* Tests signals: every operation under every name, waiting, waking from many threads, handlers, groups. */
#include "testsuite/runtime/common.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static hsa_signal_t make(hsa_signal_value_t value)
{
    hsa_signal_t signal = {0};
    hsa_signal_create(value, 0, NULL, &signal);
    return signal;
}

/* One read-modify-write operation under all its names, with the value 12 and the operand 10. */
#define TRY(name, expected)                                                                                  \
    do {                                                                                                     \
        hsa_signal_store_relaxed(s, 12);                                                                     \
        name(s, 10);                                                                                         \
        good &= hsa_signal_load_scacquire(s) == (expected);                                                  \
    } while (0)
#define TRY_ALL(base, expected)                                                                              \
    do {                                                                                                     \
        bool good = true;                                                                                    \
        TRY(base##_relaxed, expected);                                                                       \
        TRY(base##_scacquire, expected);                                                                     \
        TRY(base##_screlease, expected);                                                                     \
        TRY(base##_scacq_screl, expected);                                                                   \
        TRY(base##_acquire, expected);                                                                       \
        TRY(base##_release, expected);                                                                       \
        TRY(base##_acq_rel, expected);                                                                       \
        ok(good, #base);                                                                                     \
    } while (0)
#define TRY_CAS(name)                                                                                        \
    do {                                                                                                     \
        hsa_signal_store_relaxed(s, 7);                                                                      \
        good &= name(s, 7, 8) == 7 && hsa_signal_load_relaxed(s) == 8;                                       \
        good &= name(s, 7, 9) == 8 && hsa_signal_load_relaxed(s) == 8;                                       \
    } while (0)

static void operations(void)
{
    hsa_signal_t s = make(-5);
    ok(hsa_signal_load_relaxed(s) == -5 && hsa_signal_load_acquire(s) == -5, "initial value");
    TRY_ALL(hsa_signal_add, 22);
    TRY_ALL(hsa_signal_subtract, 2);
    TRY_ALL(hsa_signal_and, 8);
    TRY_ALL(hsa_signal_or, 14);
    TRY_ALL(hsa_signal_xor, 6);
    TRY_ALL(hsa_signal_exchange, 10);
    bool good = true;
    TRY_CAS(hsa_signal_cas_relaxed);
    TRY_CAS(hsa_signal_cas_scacquire);
    TRY_CAS(hsa_signal_cas_screlease);
    TRY_CAS(hsa_signal_cas_scacq_screl);
    TRY_CAS(hsa_signal_cas_acquire);
    TRY_CAS(hsa_signal_cas_release);
    TRY_CAS(hsa_signal_cas_acq_rel);
    ok(good, "hsa_signal_cas");
    hsa_signal_store_release(s, 1);
    hsa_signal_silent_store_relaxed(s, 2);
    hsa_signal_silent_store_screlease(s, 3);
    ok(hsa_signal_load_relaxed(s) == 3 && hsa_signal_exchange_relaxed(s, 4) == 3, "stores and the old value");
    volatile hsa_signal_value_t *at = NULL;
    ok(hsa_amd_signal_value_pointer(s, &at) == HSA_STATUS_SUCCESS && (uintptr_t)at == s.handle + 8 && *at == 4,
       "the value lies at +8");
    hsa_signal_destroy(s);
}

static void handles(void)
{
    hsa_agent_t cpu, agent = test_agent(&cpu), twice[2] = {agent, agent}, both[2] = {agent, cpu};
    hsa_signal_t s = make(0), other;
    ok(hsa_signal_create(0, 0, NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_create(0, 1, NULL, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_create(0, 2, twice, &other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_create(0, 1, &(hsa_agent_t){99}, &other) == HSA_STATUS_ERROR_INVALID_AGENT,
       "wrong consumers are refused");
    ok(hsa_signal_create(0, 2, both, &other) == HSA_STATUS_SUCCESS && hsa_signal_destroy(other) == HSA_STATUS_SUCCESS,
       "consumers");
    ok(hsa_signal_destroy((hsa_signal_t){0}) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_destroy((hsa_signal_t){s.handle + 8}) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
           hsa_signal_destroy((hsa_signal_t){s.handle + (1 << 20)}) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
           hsa_signal_destroy((hsa_signal_t){UINT64_MAX}) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
           hsa_signal_destroy((hsa_signal_t){1}) == HSA_STATUS_ERROR_INVALID_SIGNAL,
       "made-up signals are refused");
    ok(hsa_signal_destroy(s) == HSA_STATUS_SUCCESS && hsa_signal_destroy(s) == HSA_STATUS_ERROR_INVALID_SIGNAL,
       "a destroyed signal is refused");
}

static void waits(void)
{
    hsa_signal_t s = make(5);
    ok(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_EQ, 5, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 5 &&
           hsa_signal_wait_acquire(s, HSA_SIGNAL_CONDITION_NE, 4, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) == 5 &&
           hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 6, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 5 &&
           hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_GTE, 5, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 5,
       "conditions that hold");
    ok(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 6, 0, HSA_WAIT_STATE_BLOCKED) == 5 &&
           hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, -1, 3000000, HSA_WAIT_STATE_BLOCKED) == 5 &&
           hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, -1, 300000, HSA_WAIT_STATE_ACTIVE) == 5,
       "waits end after their time");
    ok(hsa_signal_wait_scacquire(s, (hsa_signal_condition_t)9, 5, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0,
       "an unknown condition returns at once");
    hsa_signal_destroy(s);
}

static void *silent_later(void *argument)
{
    usleep(20000);
    hsa_signal_silent_store_relaxed(*(hsa_signal_t *)argument, 1);
    return NULL;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A thread that waits actively for long leaves its processor to those for which it waits, but finds what is stored
 * silently all the same. */
static void active(void)
{
    pthread_t thread;
    hsa_signal_t s = make(0);
    double before = processor_seconds();
    hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 1, 30000000, HSA_WAIT_STATE_ACTIVE); /* 0.3 s */
    double used = processor_seconds() - before;
    ok(used < 0.15, "an active wait of 0.3 s takes %.3f s of a processor", used);
    pthread_create(&thread, NULL, silent_later, &s);
    ok(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) == 1,
       "an active wait finds a silent store");
    pthread_join(thread, NULL);
    hsa_signal_destroy(s);
}

/* Two threads hand a number to each other. If a wake-up is missed, a thread sleeps longer; a hundred of these are
 * noticed.
 */
enum { TURNS = 3000 };
static hsa_signal_t ping, pong;

static void *partner(void *argument)
{
    for (int i = 1; i <= TURNS; i++) {
        hsa_signal_wait_scacquire(ping, HSA_SIGNAL_CONDITION_EQ, i, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
        hsa_signal_store_screlease(pong, i);
    }
    return argument;
}

static void handover(void)
{
    pthread_t thread;
    ping = make(0);
    pong = make(0);
    pthread_create(&thread, NULL, partner, NULL);
    bool good = true;
    for (int i = 1; i <= TURNS; i++) {
        if (i % 64 == 0)
            usleep(200); /* let the other one fall asleep */
        hsa_signal_store_screlease(ping, i);
        good &= hsa_signal_wait_scacquire(pong, HSA_SIGNAL_CONDITION_EQ, i, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == i;
    }
    pthread_join(thread, NULL);
    ok(good, "3000 hand-overs");
    pthread_create(&thread, NULL, silent_later, &pong);
    hsa_signal_store_relaxed(pong, 0);
    ok(hsa_signal_wait_scacquire(pong, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 1,
       "a silent store is found");
    pthread_join(thread, NULL);
    hsa_signal_destroy(ping);
    hsa_signal_destroy(pong);
}

/* Many threads wait for the same signal, and many change it. */
enum { THREADS = 8, STEPS = 500 };
static hsa_signal_t total, gate;

static void *worker(void *argument)
{
    hsa_signal_wait_scacquire(gate, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    for (int i = 0; i < STEPS; i++) {
        hsa_signal_add_scacq_screl(total, 1);
        hsa_signal_t own = make(i); /* making signals also changes the list of slots, which all threads share */
        if (hsa_signal_load_relaxed(own) != i || hsa_signal_destroy(own) != HSA_STATUS_SUCCESS)
            return argument;
    }
    hsa_signal_wait_scacquire(total, HSA_SIGNAL_CONDITION_GTE, THREADS * STEPS, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    return NULL;
}

static void crowd(void)
{
    pthread_t threads[THREADS];
    total = make(0);
    gate = make(0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, &total);
    usleep(5000);
    hsa_signal_store_screlease(gate, 1);
    bool good = true;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        good &= !result;
    }
    ok(good && hsa_signal_load_relaxed(total) == THREADS * STEPS, "8 threads add, make, destroy and wait");
    hsa_signal_destroy(total);
    hsa_signal_destroy(gate);
}

static void *store_third(void *argument)
{
    usleep(3000);
    hsa_signal_store_relaxed(((hsa_signal_t *)argument)[2], 3);
    return NULL;
}

static void several(void)
{
    enum { N = 12 };
    hsa_signal_t s[N], hit = {0};
    hsa_signal_condition_t conditions[N];
    hsa_signal_value_t values[N], seen = 0, all[N];
    for (int i = 0; i < N; i++) {
        s[i] = make(0);
        conditions[i] = HSA_SIGNAL_CONDITION_EQ;
        values[i] = i + 1;
    }
    ok(hsa_amd_signal_wait_any(N, s, conditions, values, 2000000, HSA_WAIT_STATE_BLOCKED, &seen) == UINT32_MAX &&
           hsa_amd_signal_wait_any(0, s, conditions, values, 0, HSA_WAIT_STATE_BLOCKED, &seen) == UINT32_MAX,
       "wait for any: time is over");
    pthread_t thread;
    pthread_create(&thread, NULL, store_third, s);
    ok(hsa_amd_signal_wait_any(N, s, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &seen) == 2 && seen == 3,
       "wait for any of 12");
    pthread_join(thread, NULL);
    ok(hsa_amd_signal_wait_all(N, s, conditions, values, 1000000, HSA_WAIT_STATE_BLOCKED, all) == UINT32_MAX,
       "wait for all: time is over");
    hsa_agent_t cpu;
    test_agent(&cpu);
    hsa_signal_group_t group = {0};
    ok(hsa_signal_group_create(0, s, 1, &cpu, &group) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_group_create(N, s, 0, &cpu, &group) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_group_create(1, &(hsa_signal_t){5}, 1, &cpu, &group) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
           hsa_signal_group_destroy(group) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP,
       "wrong groups are refused");
    ok(hsa_signal_group_create(N, s, 1, &cpu, &group) == HSA_STATUS_SUCCESS &&
           hsa_signal_group_wait_any_scacquire(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &hit, &seen) ==
               HSA_STATUS_SUCCESS &&
           hit.handle == s[2].handle && seen == 3,
       "a group finds its signal");
    ok(hsa_signal_group_wait_any_relaxed(group, NULL, values, HSA_WAIT_STATE_BLOCKED, &hit, &seen) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_group_destroy(group) == HSA_STATUS_SUCCESS &&
           hsa_signal_group_destroy(group) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP,
       "a destroyed group is refused");
    for (int i = 0; i < N; i++)
        hsa_signal_store_relaxed(s[i], i + 1);
    ok(hsa_amd_signal_wait_all(N, s, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, all) == 0 &&
           all[N - 1] == N,
       "wait for all");
    for (int i = 0; i < N; i++)
        hsa_signal_destroy(s[i]);
}

static hsa_signal_t handled;

static bool handler(hsa_signal_value_t value, void *argument)
{
    __atomic_store_n((hsa_signal_value_t *)argument, value, __ATOMIC_RELAXED);
    hsa_signal_add_screlease(handled, 1);
    return value < 3;
}

static void function(void *argument)
{
    hsa_signal_store_screlease(*(hsa_signal_t *)argument, 100);
}

static void handlers(void)
{
    hsa_signal_t s = make(0);
    hsa_signal_value_t last = 0;
    handled = make(0);
    ok(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_GTE, 1, NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_signal_async_handler((hsa_signal_t){3}, HSA_SIGNAL_CONDITION_GTE, 1, handler, &last) ==
               HSA_STATUS_ERROR_INVALID_SIGNAL,
       "wrong handlers are refused");
    ok(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_GTE, 3, handler, &last) == HSA_STATUS_SUCCESS, "handler");
    hsa_signal_store_relaxed(s, 1);
    hsa_signal_store_relaxed(s, 3);
    hsa_signal_wait_scacquire(handled, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    ok(__atomic_load_n(&last, __ATOMIC_RELAXED) == 3, "a handler is called with the value");
    ok(hsa_amd_async_function(function, &handled) == HSA_STATUS_SUCCESS &&
           hsa_signal_wait_scacquire(handled, HSA_SIGNAL_CONDITION_EQ, 100, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 100,
       "a function is called");
    hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 9, handler, &last);
    ok(hsa_signal_destroy(s) == HSA_STATUS_SUCCESS, "a signal with a handler can be destroyed");
    s = make(0);
    hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 9, handler, &last); /* hsa_shut_down() has to remove it */
}

int main(void)
{
    hsa_signal_t s;
    ok(hsa_signal_create(0, 0, NULL, &s) == HSA_STATUS_ERROR_NOT_INITIALIZED, "not initialised");
    if (!start("async"))
        return tap_done();
    operations();
    handles();
    waits();
    active();
    handover();
    crowd();
    several();
    handlers();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
