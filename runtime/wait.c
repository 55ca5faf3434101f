/* SPDX-License-Identifier: MIT */
/* Waits of host threads: for one signal, for any or all of several, for signal groups. (1.0P 2.4.1.14; MV 3.3)
 *
 * Input: live signals, or groups, whose handles are checked; conditions. Output: the value that met its condition.
 * Invariant: a waiter looks at the values for a short time, then arms watches and sleeps on a futex. (Measurements
 * showed that yielding the processor before sleeping is slower, much slower on a busy machine.) A value that changed
 * without notice, by a silent store or by device code that does not interrupt, is found when a slice of sleep ends. An
 * active waiter looks for longer, yielding, and sleeps in shorter slices; but it does sleep, since what it waits for is
 * often computed by this processor: a kernel of a tenth of a millisecond took nine times as long beside one that
 * polled. */
#include "runtime/signal.h"

#include "runtime/agent.h"
#include "runtime/clock.h"
#include "support/cpu.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SPIN_TURNS = 200, /* how often the values are looked at, with a pause in between: about 5 microseconds */
    /* Ticks of the system timestamp: how long a waiter sleeps at once, if it waits actively, and how long it polls
     * before. */
    SLICE = 4000000 / CLOCK_NANOSECONDS,
    ACTIVE_SLICE = 100000 / CLOCK_NANOSECONDS,
    POLLING = 100000 / CLOCK_NANOSECONDS,
    STACK_WATCHES = 8 /* more signals than this need memory to sleep on */
};

struct sleeper {
    _Atomic uint32_t woken;
};

/* Once WOKEN is set, the sleeper may have gone: the kernel only compares its address. */
static void sleeper_wake(hsam_signal_watch *watch)
{
    struct sleeper *sleeper = watch->user;
    atomic_store_explicit(&sleeper->woken, 1, memory_order_release);
    syscall(SYS_futex, &sleeper->woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The index of the first condition that holds now, or COUNT. */
static uint32_t look_at_signals(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                                const hsa_signal_value_t *values, hsa_signal_value_t *seen)
{
    for (uint32_t i = 0; i < count; i++) {
        *seen = atomic_load_explicit(&signal_line(signals[i])->value, memory_order_acquire);
        if (signal_condition_holds(conditions[i], *seen, values[i]))
            return i;
    }
    return count;
}

/* Sleeps until a watch has been notified or LONGEST has passed, but not beyond DEADLINE. */
static void sleep_slice(struct sleeper *sleeper, uint64_t longest, uint64_t deadline)
{
    uint64_t now = clock_now(), until = now + longest;
    if (until > deadline)
        until = deadline > now ? deadline : now;
    struct timespec slice = {.tv_nsec = (long)(until - now) * CLOCK_NANOSECONDS};
    syscall(SYS_futex, &sleeper->woken, FUTEX_WAIT_PRIVATE, 0, &slice, NULL, 0);
}

/* Watches all signals and sleeps until the condition of one holds or DEADLINE has passed. Returns its index. */
static uint32_t sleep_any(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                          const hsa_signal_value_t *values, uint64_t slice, uint64_t deadline,
                          hsam_signal_watch *watches, hsa_signal_value_t *seen)
{
    uint32_t hit = count;
    while (hit == count && clock_now() < deadline) {
        struct sleeper sleeper = {0};
        uint32_t armed = 0;
        for (; armed < count; armed++) {
            watches[armed] = (hsam_signal_watch){
                .signal = signals[armed],
                .condition = conditions[armed],
                .value = values[armed],
                .notify = sleeper_wake,
                .user = &sleeper};
            if (!signal_watch(&watches[armed]))
                break;
        }
        while (armed == count && (hit = look_at_signals(count, signals, conditions, values, seen)) == count &&
               !atomic_load_explicit(&sleeper.woken, memory_order_acquire) && clock_now() < deadline)
            sleep_slice(&sleeper, slice, deadline);
        /* The lock that signal_unwatch() takes may still be held by the thread that wakes this one. Nobody knows the
         * only watch any more if it has been notified. */
        bool notified = count == 1 && atomic_load_explicit(&sleeper.woken, memory_order_acquire);
        for (uint32_t i = 0; i < armed && !notified; i++)
            signal_unwatch(&watches[i]);
        if (hit == count)
            hit = look_at_signals(count, signals, conditions, values, seen);
    }
    return hit;
}

/* Looks at the values until the condition of one holds or DEADLINE has passed. Returns its index. */
static uint32_t poll_any(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                         const hsa_signal_value_t *values, uint64_t deadline, hsa_signal_value_t *seen)
{
    uint32_t hit = count;
    while (hit == count && clock_now() < deadline) {
        hit = look_at_signals(count, signals, conditions, values, seen);
        if (hit == count)
            sched_yield();
    }
    return hit;
}

uint32_t signal_wait_any(uint32_t count, const hsa_signal_t *signals, const hsa_signal_condition_t *conditions,
                         const hsa_signal_value_t *values, uint64_t timeout, bool poll, hsa_signal_value_t *seen)
{
    uint32_t hit;
    for (unsigned turn = cpu_spins(SPIN_TURNS); turn; turn--) {
        if ((hit = look_at_signals(count, signals, conditions, values, seen)) < count)
            return hit;
        if (!timeout)
            return count;
        __builtin_ia32_pause();
    }
    uint64_t start = clock_now(), deadline;
    if (__builtin_add_overflow(start, timeout, &deadline))
        deadline = UINT64_MAX;
    if (poll)
        hit = poll_any(count, signals, conditions, values, POLLING < timeout ? start + POLLING : deadline, seen);
    hsam_signal_watch few[STACK_WATCHES], *watches = few;
    if (hit == count && count > STACK_WATCHES)
        watches = mem_zalloc(count, sizeof *watches);
    if (hit == count && watches)
        hit = sleep_any(count, signals, conditions, values, poll ? ACTIVE_SLICE : SLICE, deadline, watches, seen);
    if (hit == count)
        hit = poll_any(count, signals, conditions, values, deadline, seen);
    if (watches != few)
        mem_free(watches);
    return hit;
}

static hsa_signal_value_t wait_one(hsa_signal_t signal, hsa_signal_condition_t condition,
                                   hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                   hsa_wait_state_t wait_state_hint)
{
    if (!signal_condition_valid(condition))
        return 0;
    hsa_signal_value_t seen;
    signal_wait_any(1, &signal, &condition, &compare_value, timeout_hint, wait_state_hint == HSA_WAIT_STATE_ACTIVE,
                    &seen);
    return seen;
}

HSA_API hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                     hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                                     hsa_wait_state_t wait_state_hint)
{
    return wait_one(signal, condition, compare_value, timeout_hint, wait_state_hint);
}

HSA_API hsa_signal_value_t hsa_signal_wait_relaxed(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                   hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                                   hsa_wait_state_t wait_state_hint)
{
    return wait_one(signal, condition, compare_value, timeout_hint, wait_state_hint);
}

static bool conditions_valid(uint32_t count, const hsa_signal_condition_t *conditions)
{
    for (uint32_t i = 0; i < count; i++)
        if (!signal_condition_valid(conditions[i]))
            return false;
    return true;
}

HSA_API uint32_t hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                         hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t *satisfying_value)
{
    if (!runtime_up() || !signal_count || !signals || !conds || !values || !conditions_valid(signal_count, conds))
        return UINT32_MAX;
    hsa_signal_value_t seen;
    uint32_t hit =
        signal_wait_any(signal_count, signals, conds, values, timeout_hint, wait_hint == HSA_WAIT_STATE_ACTIVE, &seen);
    if (hit == signal_count)
        return UINT32_MAX;
    if (satisfying_value)
        *satisfying_value = seen;
    return hit;
}

HSA_API uint32_t hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t *signals, hsa_signal_condition_t *conds,
                                         hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
                                         hsa_signal_value_t *satisfying_values)
{
    if (!runtime_up() || !signal_count || !signals || !conds || !values || !conditions_valid(signal_count, conds))
        return UINT32_MAX;
    uint64_t start = clock_now();
    for (uint32_t i = 0; i < signal_count; i++) {
        uint64_t spent = clock_now() - start;
        hsa_signal_value_t seen;
        if (signal_wait_any(1, &signals[i], &conds[i], &values[i], spent < timeout_hint ? timeout_hint - spent : 0,
                            wait_hint == HSA_WAIT_STATE_ACTIVE, &seen) == 1)
            return UINT32_MAX;
        if (satisfying_values)
            satisfying_values[i] = seen;
    }
    return 0;
}

/* ---- groups ---- */

struct signal_group {
    uint32_t count;
    hsa_signal_t signals[];
};

HSA_API hsa_status_t hsa_signal_group_create(uint32_t num_signals, const hsa_signal_t *signals, uint32_t num_consumers,
                                             const hsa_agent_t *consumers, hsa_signal_group_t *signal_group)
{
    CHECK_UP();
    CHECK_ARGUMENT(num_signals && signals && num_consumers && consumers && signal_group);
    for (uint32_t i = 0; i < num_signals; i++)
        CHECK(signal_find(signals[i]), HSA_STATUS_ERROR_INVALID_SIGNAL);
    for (uint32_t i = 0; i < num_consumers; i++)
        CHECK(agent_find(consumers[i]), HSA_STATUS_ERROR_INVALID_AGENT);
    struct signal_group *group = mem_alloc(sizeof *group + num_signals * sizeof *signals);
    CHECK(group, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    group->count = num_signals;
    memcpy(group->signals, signals, num_signals * sizeof *signals);
    uint64_t handle = handle_new(HANDLE_SIGNAL_GROUP, group);
    if (!handle) {
        mem_free(group);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    signal_group->handle = handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t signal_group)
{
    CHECK_UP();
    struct signal_group *group = handle_get(signal_group.handle, HANDLE_SIGNAL_GROUP);
    CHECK(group, HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    handle_delete(signal_group.handle);
    mem_free(group);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_group_wait_any_scacquire(
    hsa_signal_group_t signal_group, const hsa_signal_condition_t *conditions, const hsa_signal_value_t *compare_values,
    hsa_wait_state_t wait_state_hint, hsa_signal_t *signal, hsa_signal_value_t *value)
{
    CHECK_UP();
    const struct signal_group *group = handle_get(signal_group.handle, HANDLE_SIGNAL_GROUP);
    CHECK(group, HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    CHECK_ARGUMENT(conditions && compare_values && signal && value && conditions_valid(group->count, conditions));
    uint32_t hit = signal_wait_any(group->count, group->signals, conditions, compare_values, UINT64_MAX,
                                   wait_state_hint == HSA_WAIT_STATE_ACTIVE, value);
    *signal = group->signals[hit];
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_group_wait_any_relaxed(
    hsa_signal_group_t signal_group, const hsa_signal_condition_t *conditions, const hsa_signal_value_t *compare_values,
    hsa_wait_state_t wait_state_hint, hsa_signal_t *signal, hsa_signal_value_t *value)
{
    return hsa_signal_group_wait_any_scacquire(
        signal_group, conditions, compare_values, wait_state_hint, signal, value);
}

/* Releases a group that the client has left. */
static void group_visit(void *object)
{
    mem_free(object);
}

void signal_groups_shut_down(void)
{
    handle_visit(HANDLE_SIGNAL_GROUP, group_visit);
}
