/* SPDX-License-Identifier: MIT */
/* Tests callbacks that end what calls them: a queue's own callback destroys the queue, or the callbacks of two queues
 * destroy each other's queue; callbacks of queues, signals and the system shut the runtime down. The end takes effect
 * after the callback has returned, as the counters of the test driver show. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include <sched.h>

enum { AGAIN = 40 };

static hsa_agent_t agent;
static uint64_t kernels[MACHINE_KERNELS];

/* What the callbacks do, and the answers that they get. */
static struct {
    hsa_queue_t *destroy[2]; /* by callback number */
    bool shut_down, init;
    hsa_status_t destroyed[2], destroyed_again[2], ended, ended_again, started;
    unsigned rung;   /* atomic: doorbells that the client has rung and does not touch any more */
    unsigned inside; /* atomic: callbacks that have begun */
    unsigned wait;   /* until so many have begun */
    unsigned done;   /* atomic: callbacks that are about to return */
} plan;

static void plan_reset(void)
{
    memset(&plan, 0, sizeof plan);
}

static void follow_plan(unsigned number)
{
    __atomic_fetch_add(&plan.inside, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&plan.inside, __ATOMIC_SEQ_CST) < plan.wait ||
           __atomic_load_n(&plan.rung, __ATOMIC_SEQ_CST) < (plan.wait ? plan.wait : 1))
        sched_yield();
    if (plan.destroy[number]) {
        plan.destroyed[number] = hsa_queue_destroy(plan.destroy[number]);
        plan.destroyed_again[number] = hsa_queue_destroy(plan.destroy[number]);
    }
    if (plan.shut_down) {
        plan.ended = hsa_shut_down();
        plan.ended_again = hsa_shut_down();
    }
    if (plan.init)
        plan.started = hsa_init();
    __atomic_fetch_add(&plan.done, 1, __ATOMIC_SEQ_CST);
}

static void wait_until_done(unsigned callbacks)
{
    while (__atomic_load_n(&plan.done, __ATOMIC_SEQ_CST) < callbacks)
        sched_yield();
}

static void queue_failed(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)status, (void)queue;
    follow_plan(*(const unsigned *)data);
}

static const unsigned numbers[2] = {0, 1};

/* Makes a queue. It tries several times, as queues whose end was deferred still count. */
static hsa_queue_t *queue_make_patiently(unsigned number)
{
    hsa_queue_t *queue = NULL;
    while (hsa_queue_create(agent, 64, 0, queue_failed, (void *)(uintptr_t)&numbers[number], 0, 0, &queue) ==
           HSA_STATUS_ERROR_OUT_OF_RESOURCES)
        sched_yield();
    return queue;
}

/* Lets QUEUE fail. */
static void submit_nonsense(hsa_queue_t *queue)
{
    hsa_kernel_dispatch_packet_t packet = kernel_packet(0, 1, (hsa_signal_t){0});
    packet.header = 0xff;
    submit(queue, &packet);
    __atomic_fetch_add(&plan.rung, 1, __ATOMIC_SEQ_CST);
}

/* Whether a new queue does its work. */
static bool agent_works(void)
{
    hsa_queue_t *queue = queue_make_patiently(0);
    hsa_signal_t done;
    if (!queue || hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS)
        return false;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_EMPTY], 1, done);
    submit(queue, &packet);
    bool works = hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0;
    return hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS && hsa_signal_destroy(done) == HSA_STATUS_SUCCESS && works;
}

static void own_queue(void)
{
    bool good = true;
    for (unsigned i = 0; i < AGAIN; i++) {
        plan_reset();
        plan.destroy[0] = queue_make_patiently(0);
        submit_nonsense(plan.destroy[0]);
        wait_until_done(1);
        good &= plan.destroyed[0] == HSA_STATUS_SUCCESS && plan.destroyed_again[0] == HSA_STATUS_ERROR_INVALID_QUEUE;
    }
    ok(good, "%d queues are destroyed by their own callbacks, once each", AGAIN);
    ok(agent_works(), "the agent makes queues that work after that");
}

static void each_other(void)
{
    bool good = true;
    for (unsigned i = 0; i < AGAIN; i++) {
        plan_reset();
        hsa_queue_t *a = queue_make_patiently(0), *b = queue_make_patiently(1);
        plan.destroy[0] = b;
        plan.destroy[1] = a;
        plan.wait = 2;
        submit_nonsense(a);
        submit_nonsense(b);
        wait_until_done(2);
        good &= plan.destroyed[0] == HSA_STATUS_SUCCESS && plan.destroyed[1] == HSA_STATUS_SUCCESS;
    }
    ok(good, "queues destroy each other in their callbacks");
    plan_reset();
    plan.destroy[0] = queue_make_patiently(1);
    submit_nonsense(queue_make_patiently(0));
    wait_until_done(1);
    ok(plan.destroyed[0] == HSA_STATUS_SUCCESS && plan.destroyed_again[0] == HSA_STATUS_ERROR_INVALID_QUEUE,
       "a callback destroys another queue");
}

/* Waits for the callback that shuts the runtime down, and checks what is left. */
static void look_after_end(const char *who)
{
    uint16_t major;
    wait_until_done(1);
    ok(plan.ended == HSA_STATUS_SUCCESS && plan.ended_again == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "%s shuts the runtime down, once", who);
    ok(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "%s: it is down", who);
}

/* START brings the runtime up, with the agent in its variable. */
static void shut_downs(bool (*start_runtime)(void))
{
    plan_reset();
    plan.shut_down = plan.init = true;
    submit_nonsense(queue_make_patiently(0));
    look_after_end("a queue's callback");
    ok(plan.started == HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "a callback cannot start the runtime again before it has returned");
    ok(start_runtime() && agent_works(), "another thread can start the runtime again");

    plan_reset();
    plan.shut_down = true;
    plan.destroy[0] = queue_make_patiently(0);
    submit_nonsense(plan.destroy[0]);
    look_after_end("a callback that has destroyed its queue");
    ok(start_runtime() && agent_works(), "the runtime starts again after a callback of a destroyed queue");
}

static bool signal_changed(hsa_signal_value_t value, void *data)
{
    (void)value, (void)data;
    if (!__atomic_load_n(&plan.inside, __ATOMIC_SEQ_CST)) /* it is called again, as it returns true */
        follow_plan(0);
    return true;
}

static void signal_handlers(bool (*start_runtime)(void))
{
    hsa_signal_t signal;
    plan_reset();
    plan.shut_down = true;
    hsa_signal_create(1, 0, NULL, &signal);
    hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 0, signal_changed, NULL);
    hsa_signal_store_screlease(signal, 0);
    __atomic_fetch_add(&plan.rung, 1, __ATOMIC_SEQ_CST);
    look_after_end("a handler of a signal");
    ok(start_runtime() && agent_works(), "the runtime starts again after a handler of a signal");
}

/* The callback and the main thread both shut down; exactly one of them succeeds, whichever is first. */
static void races(bool (*start_runtime)(void))
{
    bool good = true;
    for (unsigned i = 0; i < AGAIN / 4; i++) {
        plan_reset();
        plan.shut_down = true;
        submit_nonsense(queue_make_patiently(0));
        while (i % 2 && !__atomic_load_n(&plan.inside, __ATOMIC_SEQ_CST))
            sched_yield();
        hsa_status_t mine = hsa_shut_down();
        bool first = mine == HSA_STATUS_SUCCESS;
        if (!first || __atomic_load_n(&plan.inside, __ATOMIC_SEQ_CST)) {
            wait_until_done(1);
            good &= plan.ended_again == HSA_STATUS_ERROR_NOT_INITIALIZED &&
                    first == (plan.ended == HSA_STATUS_ERROR_NOT_INITIALIZED) &&
                    (first || mine == HSA_STATUS_ERROR_NOT_INITIALIZED);
        }
        good &= start_runtime();
    }
    ok(good, "the callback and another thread shut down at the same time");
}

static bool test_driver_start(void)
{
    bool up = hsa_init() == HSA_STATUS_SUCCESS;
    agent = test_agent(NULL);
    kernels[MACHINE_EMPTY] = 1;
    return up && agent.handle;
}

static bool software_gpu_start(void)
{
    bool up = hsa_init() == HSA_STATUS_SUCCESS;
    agent = agent_named("gfx900", NULL);
    return up && agent.handle && machine_load(agent, kernels).handle;
}

static hsa_status_t system_event(const hsa_amd_event_t *event, void *data)
{
    (void)event, (void)data;
    follow_plan(0);
    return HSA_STATUS_SUCCESS;
}

/* A fault of memory is told to the handlers of system events, by the thread of the queue, before the queue stops. */
static void system_events(void)
{
    plan_reset();
    plan.shut_down = true;
    hsa_queue_t *queue = NULL;
    hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue);
    plan.destroy[0] = queue;
    hsa_amd_register_system_event_handler(system_event, NULL);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_ADD], 1, (hsa_signal_t){0});
    packet.kernarg_address = NULL;
    submit(queue, &packet);
    __atomic_fetch_add(&plan.rung, 1, __ATOMIC_SEQ_CST);
    wait_until_done(1);
    ok(plan.destroyed[0] == HSA_STATUS_SUCCESS && plan.ended == HSA_STATUS_SUCCESS,
       "a handler of system events destroys the queue that has faulted, and shuts down");
    ok(software_gpu_start() && agent_works(), "the runtime starts again after a handler of system events");
}

static void everything(bool (*start_runtime)(void))
{
    own_queue();
    each_other();
    shut_downs(start_runtime);
    signal_handlers(start_runtime);
    races(start_runtime);
}

int main(void)
{
    static const char *const modes[] = {"", "async"};
    setenv("HSA_AGENT_DRIVERS", TEST_DRIVER, 1);
    if (!counts()) /* the counters must be there before the runtime loads the driver */
        return tap_done();
    for (int i = 0; i < 2; i++) {
        setenv("HSA_TEST_DRIVER", modes[i], 1);
        if (!ok(test_driver_start(), "start with driver \"%s\"", modes[i]))
            return tap_done();
        everything(test_driver_start);
        ok(hsa_shut_down() == HSA_STATUS_SUCCESS && counts()->queue_new == counts()->queue_remove &&
               counts()->client_new == counts()->client_remove,
           "each queue of the driver has ended");
    }
    unsetenv("HSA_AGENT_DRIVERS");
    if (!ok(software_gpu_start(), "start with the software GPU"))
        return tap_done();
    everything(software_gpu_start);
    system_events();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
