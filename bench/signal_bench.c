/* SPDX-License-Identifier: MIT */
/* Measures the round trip of a signal between two host threads, through the public API: spinning, and sleeping beside
 * the same with a bare futex. Output: lines in the form of bench/bench.h.
 *
 * A thread that is to sleep is given time for that: whoever answers waits a while before. What counts is the time from
 * each store until the other thread has seen it. */
#include "bench/bench.h"
#include "bench/bench_hsa.h"
#include "hsa/hsa.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRIPS = 60, SPIN_TRIPS = 1000, ROUNDS = 20 };

/* How the two threads tell each other: tell() makes the number of a side VALUE, await() returns when it is that. */
struct way {
    void (*tell)(unsigned side, uint32_t value);
    void (*await)(unsigned side, uint32_t value);
    double rest; /* seconds before each answer */
};

static hsa_signal_t signals[2];
static _Atomic uint32_t words[2];
static double told[2]; /* when each side was told last */

static void signal_tell(unsigned side, uint32_t value)
{
    hsa_signal_store_screlease(signals[side], value);
}

static void signal_sleep(unsigned side, uint32_t value)
{
    while (hsa_signal_wait_scacquire(
               signals[side], HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) != value)
        ;
}

static void signal_spin(unsigned side, uint32_t value)
{
    while (hsa_signal_wait_scacquire(
               signals[side], HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) != value)
        ;
}

static void futex_tell(unsigned side, uint32_t value)
{
    atomic_store_explicit(&words[side], value, memory_order_release);
    syscall(SYS_futex, &words[side], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void futex_sleep(unsigned side, uint32_t value)
{
    uint32_t seen;
    while ((seen = atomic_load_explicit(&words[side], memory_order_acquire)) != value)
        syscall(SYS_futex, &words[side], FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static const struct way spinning = {signal_tell, signal_spin, 0};
static const struct way sleeping = {signal_tell, signal_sleep, 100e-6};
static const struct way bare = {futex_tell, futex_sleep, 100e-6};

static void tell(const struct way *way, unsigned side, uint32_t value)
{
    for (double start = bench_clock(); bench_clock() < start + way->rest;)
        ;
    told[side] = bench_clock();
    way->tell(side, value);
}

/* Waits until SIDE is told VALUE; returns how long ago that was done. */
static double await(const struct way *way, unsigned side, uint32_t value)
{
    way->await(side, value);
    return bench_clock() - told[side];
}

struct peer {
    const struct way *way;
    unsigned trips;
    double *there; /* the time of each trip to the peer; NULL: not asked for */
};

static void *answer(void *argument)
{
    const struct peer *peer = argument;
    for (unsigned i = 0; i < peer->trips; i++) {
        if (peer->there) {
            peer->there[i] = await(peer->way, 0, i + 1);
            tell(peer->way, 1, i + 1);
        } else {
            peer->way->await(0, i + 1);
            peer->way->tell(1, i + 1);
        }
    }
    return NULL;
}

static void begin(struct peer *peer, pthread_t *thread)
{
    for (unsigned side = 0; side < 2; side++) {
        hsa_signal_store_screlease(signals[side], 0);
        atomic_store(&words[side], 0);
    }
    bench_require((hsa_status_t)pthread_create(thread, NULL, answer, peer), "thread");
}

/* The seconds of the quickest trip there and of the quickest back. */
static double quickest(const struct way *way)
{
    static double there[TRIPS];
    double best[2] = {1, 1};
    struct peer peer = {way, TRIPS, there};
    pthread_t thread;
    begin(&peer, &thread);
    for (unsigned i = 0; i < TRIPS; i++) {
        tell(way, 0, i + 1);
        double back = await(way, 1, i + 1);
        best[0] = there[i] < best[0] ? there[i] : best[0];
        best[1] = back < best[1] ? back : best[1];
    }
    pthread_join(thread, NULL);
    return best[0] + best[1];
}

/* The seconds of a round trip, on the average of many in a row. */
static double average(const struct way *way)
{
    struct peer peer = {way, SPIN_TRIPS, NULL};
    pthread_t thread;
    begin(&peer, &thread);
    double start = bench_clock();
    for (unsigned i = 0; i < SPIN_TRIPS; i++) {
        way->tell(0, i + 1);
        way->await(1, i + 1);
    }
    double time = bench_clock() - start;
    pthread_join(thread, NULL);
    return time / SPIN_TRIPS;
}

int main(void)
{
    double spin = 1, sleep_time = 1, futex = 1;
    bench_require(hsa_init(), "start");
    for (unsigned side = 0; side < 2; side++)
        bench_require(hsa_signal_create(0, 0, NULL, &signals[side]), "signal");
    for (unsigned round = 0; round < ROUNDS; round++) {
        double times[3] = {average(&spinning), quickest(&sleeping), quickest(&bare)};
        spin = times[0] < spin ? times[0] : spin;
        sleep_time = times[1] < sleep_time ? times[1] : sleep_time;
        futex = times[2] < futex ? times[2] : futex;
    }
    bench_at_most("signal round trip, spinning", spin * 1e6, "us", 1);
    bench_at_most("signal round trip, sleeping", sleep_time * 1e6, "us", 10);
    bench_at_most("signal round trip, sleeping, of a futex's", sleep_time / futex, "times", 1.5);
    for (unsigned side = 0; side < 2; side++)
        hsa_signal_destroy(signals[side]);
    hsa_shut_down();
    return 0;
}
