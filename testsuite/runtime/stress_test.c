/* SPDX-License-Identifier: MIT */
/* Many threads with many queues, signals and waiters, and many starts and ends of the runtime. What is done may be
 * multiplied by the environment variable STRESS, for runs outside of the suite: at 100 each of 8 threads sends 100,000
 * packets to 8 queues, and the runtime starts and ends 10,000 times. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { THREADS = 8, QUEUES = 8, PACKETS = 1000, SIGNALS = 1000, WAITERS = 64, STARTS = 100, FAULT_EVERY = 16 };

static hsa_agent_t cpu, gpu;
static unsigned times = 1;
static hsa_queue_t *queues[QUEUES];
static _Atomic unsigned errors, met, faults;
static uint64_t kernels[MACHINE_KERNELS];

/* ---- packets ---- */

static hsa_barrier_and_packet_t barrier(hsa_signal_t after, hsa_signal_t completion)
{
    return (hsa_barrier_and_packet_t){
        .header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {after}, .completion_signal = completion};
}

static void count_error(hsa_status_t status, hsa_queue_t *source, void *data)
{
    (void)source;
    atomic_fetch_add((_Atomic unsigned *)data, status != HSA_STATUS_SUCCESS);
}

static hsa_signal_t new_signal(void)
{
    hsa_signal_t signal = {0};
    errors += hsa_signal_create(1, 0, NULL, &signal) != HSA_STATUS_SUCCESS;
    return signal;
}

static hsa_signal_value_t wait_below_1(hsa_signal_t signal)
{
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* Submits a kernel that waits for the packets before it. */
static void submit_kernel(hsa_queue_t *queue, enum machine_kernel kernel, void *argument, hsa_signal_t completion)
{
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[kernel], 1, completion);
    packet.header |= 1 << HSA_PACKET_HEADER_BARRIER;
    packet.kernarg_address = argument;
    submit(queue, &packet);
}

/* After AFTER, a kernel adds 1 to a number and the next one faults, in a queue of its own. A packet of the queue SHARED
 * depends on the latter, so it completes with an error; the queue goes on. */
static void send_fault(hsa_queue_t *shared, hsa_signal_t after)
{
    _Atomic unsigned told = 0;
    uint64_t number = 0;
    hsa_queue_t *queue;
    if (hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, count_error, &told, 0, 0, &queue) != HSA_STATUS_SUCCESS) {
        errors++;
        return;
    }
    hsa_signal_t failed = new_signal(), end = new_signal();
    hsa_barrier_and_packet_t first = barrier(after, (hsa_signal_t){0}), last = barrier(failed, end);
    submit(queue, &first);
    submit_kernel(queue, MACHINE_ADD, &number, (hsa_signal_t){0});
    submit_kernel(queue, MACHINE_GWS_INIT, (void *)8, failed); /* it loads; the thread sanitizer locks before atomics */
    submit_kernel(queue, MACHINE_ADD, &number, (hsa_signal_t){0});
    submit(shared, &last);
    errors += wait_below_1(end) >= 0 || wait_below_1(failed) >= 0;
    errors += hsa_queue_destroy(queue) != HSA_STATUS_SUCCESS;
    errors += told != 1 || number != 1;
    errors += hsa_signal_destroy(failed) != HSA_STATUS_SUCCESS || hsa_signal_destroy(end) != HSA_STATUS_SUCCESS;
    faults++;
}

/* Sends chains of packets: each depends on the one before it, which another queue has. Something that depends on the
 * last one may fault. */
static void *send_chains(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    for (unsigned sent = 0; sent < PACKETS * times; sent += QUEUES) {
        hsa_signal_t links[QUEUES + 1];
        for (unsigned i = 0; i <= QUEUES; i++)
            links[i] = new_signal();
        for (unsigned i = 0; i < QUEUES; i++) {
            hsa_barrier_and_packet_t packet = barrier(links[i], links[i + 1]);
            submit(queues[(seed + i) % QUEUES], &packet);
        }
        hsa_signal_store_screlease(links[0], 0);
        if (kernels[MACHINE_ADD] && sent / QUEUES % FAULT_EVERY == 0)
            send_fault(queues[seed % QUEUES], links[QUEUES]);
        wait_below_1(links[QUEUES]);
        for (unsigned i = 0; i <= QUEUES; i++)
            errors += hsa_signal_destroy(links[i]) != HSA_STATUS_SUCCESS;
        seed = seed * 5 + 1;
    }
    return NULL;
}

/* Makes queues, sends them a packet that is refused, and destroys them. */
static void *break_queues(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 10 * times; i++) {
        _Atomic unsigned told = 0;
        hsa_queue_t *queue;
        hsa_signal_t done = new_signal();
        if (hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, count_error, &told, 0, 0, &queue) != HSA_STATUS_SUCCESS) {
            errors++;
            continue;
        }
        hsa_kernel_dispatch_packet_t packet = kernel_packet(0, 1, done);
        submit(queue, &packet);
        wait_below_1(done);
        hsa_queue_destroy(queue);
        errors += told != 1;
        hsa_signal_destroy(done);
    }
    return NULL;
}

static void packets(void)
{
    pthread_t threads[THREADS + 1];
    for (unsigned i = 0; i < QUEUES; i++)
        if (hsa_queue_create(gpu, 256, HSA_QUEUE_TYPE_MULTI, count_error, &errors, 0, 0, &queues[i]) !=
            HSA_STATUS_SUCCESS)
            errors++;
    for (uintptr_t i = 0; i <= THREADS; i++)
        pthread_create(&threads[i], NULL, i < THREADS ? send_chains : break_queues, (void *)i);
    for (unsigned i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < QUEUES; i++)
        errors += hsa_queue_destroy(queues[i]) != HSA_STATUS_SUCCESS;
    ok(!errors, "%u threads send %u packets each to %u queues", THREADS, PACKETS * times, QUEUES);
    ok(faults >= THREADS * PACKETS * times / QUEUES / FAULT_EVERY,
       "%u kernels fault meanwhile, and what depends on them fails", faults);
}

/* ---- signals ---- */

static hsa_signal_t signals[SIGNALS];

/* Waits for every signal in turn, each waiter from another one on. */
static void *wait_for_all(void *argument)
{
    uintptr_t first = (uintptr_t)argument * (SIGNALS / WAITERS);
    for (unsigned i = 0; i < SIGNALS; i++)
        met += hsa_signal_wait_scacquire(
                   signals[(first + i) % SIGNALS], HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 1;
    return NULL;
}

static void waiters(void)
{
    pthread_t threads[WAITERS];
    for (unsigned i = 0; i < SIGNALS; i++)
        hsa_signal_create(0, 0, NULL, &signals[i]);
    for (uintptr_t i = 0; i < WAITERS; i++)
        pthread_create(&threads[i], NULL, wait_for_all, (void *)i);
    for (unsigned i = 0; i < SIGNALS; i++)
        hsa_signal_add_screlease(signals[i * 7 % SIGNALS], 1);
    for (unsigned i = 0; i < WAITERS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < SIGNALS; i++)
        errors += hsa_signal_destroy(signals[i]) != HSA_STATUS_SUCCESS;
    ok(met == SIGNALS * WAITERS && !errors, "%u waiters see all of %u signals", WAITERS, SIGNALS);
}

/* ---- starts, ends, and forks ---- */

/* Kilobytes of memory in use; 0: unknown. */
static long memory_in_use(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static int files_in_use(void)
{
    int count = 0;
    for (int i = 0; i < 1024; i++)
        count += dup2(i, i) >= 0;
    return count;
}

static void starts(void)
{
    bool good = true;
    long before = 0;
    int files = 0;
    for (unsigned i = 0; i < STARTS * times; i++) {
        hsa_queue_t *queue;
        good &= hsa_init() == HSA_STATUS_SUCCESS;
        gpu = agent_named("gfx900", NULL);
        good &= hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue) == HSA_STATUS_SUCCESS;
        good &= hsa_shut_down() == HSA_STATUS_SUCCESS;
        if (i == STARTS / 2) { /* what the C library keeps is kept by then */
            before = memory_in_use();
            files = files_in_use();
        }
    }
    long grown = memory_in_use() - before;
    ok(good && files_in_use() == files, "the runtime starts and ends %u times", STARTS * times);
#ifdef __SANITIZE_ADDRESS__
    tap_skip("it needs no more memory each time", "the address sanitizer keeps what was freed");
    (void)grown;
#else
    ok(grown < 4096, "it needs no more memory each time: %ld kB", grown);
#endif
}

static int status_of_child(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A child of fork() may end and run another program. HSA is for its parent, unless the runtime was down. */
static void forks(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (!child)
        _exit(5);
    ok(status_of_child(child) == 5, "a child ends while the runtime is up");
    child = fork();
    if (!child) {
        execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
        _exit(1);
    }
    ok(status_of_child(child) == 6, "a child runs another program");
    child = fork();
    if (!child) {
        hsa_signal_t signal;
        bool refused =
            hsa_signal_create(1, 0, NULL, &signal) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
            hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED && hsa_init() == HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        exit(refused ? 7 : 1);
    }
    ok(status_of_child(child) == 7, "a child that uses HSA gets a status, and ends");
    hsa_signal_t mine;
    ok(hsa_signal_create(1, 0, NULL, &mine) == HSA_STATUS_SUCCESS && hsa_signal_destroy(mine) == HSA_STATUS_SUCCESS,
       "the parent goes on");
}

int main(void)
{
    const char *wish = getenv("STRESS");
    if (wish && atoi(wish) > 0)
        times = (unsigned)atoi(wish);
    setenv("HSA_AGENT_DRIVERS", "", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", &cpu);
    ok(machine_load(gpu, kernels).handle, "load kernels");
    packets();
    waiters();
    forks();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    fflush(stdout);
    pid_t child = fork();
    if (!child)
        _exit(hsa_init() == HSA_STATUS_SUCCESS && hsa_shut_down() == HSA_STATUS_SUCCESS ? 8 : 1);
    ok(status_of_child(child) == 8, "a child starts the runtime that is down in its parent");
    starts();
    return tap_done();
}
