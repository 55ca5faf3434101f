/* SPDX-License-Identifier: MIT */
/* Compares every signal operation and every queue index operation, in each of its memory orders and also under its old
 * names, with plain C. */
#include "testsuite/runtime/common.h"

typedef void (*change)(hsa_signal_t signal, hsa_signal_value_t value);
typedef hsa_signal_value_t (*exchange)(hsa_signal_t signal, hsa_signal_value_t value);
typedef uint64_t (*load)(const hsa_queue_t *queue);
typedef void (*store)(const hsa_queue_t *queue, uint64_t value);
typedef uint64_t (*add)(const hsa_queue_t *queue, uint64_t value);
typedef uint64_t (*cas)(const hsa_queue_t *queue, uint64_t expected, uint64_t value);

enum { BEFORE = 0x5c, OPERAND = 0x36 };

static const struct {
    change function;
    hsa_signal_value_t after; /* what the operation makes of BEFORE and OPERAND */
    const char *name;
} changes[] = {
#define ROW(function, after) {function, after, #function},
    ROW(hsa_signal_add_acq_rel, BEFORE + OPERAND) ROW(hsa_signal_add_acquire, BEFORE + OPERAND) ROW(
        hsa_signal_add_relaxed,
        BEFORE +
            OPERAND) ROW(hsa_signal_add_release, BEFORE + OPERAND) ROW(hsa_signal_add_scacq_screl, BEFORE + OPERAND)
        ROW(hsa_signal_add_scacquire, BEFORE + OPERAND) ROW(hsa_signal_add_screlease, BEFORE + OPERAND) ROW(
            hsa_signal_subtract_acq_rel, BEFORE - OPERAND) ROW(hsa_signal_subtract_acquire, BEFORE - OPERAND)
            ROW(hsa_signal_subtract_relaxed, BEFORE - OPERAND) ROW(hsa_signal_subtract_release, BEFORE - OPERAND) ROW(
                hsa_signal_subtract_scacq_screl, BEFORE - OPERAND) ROW(hsa_signal_subtract_scacquire, BEFORE - OPERAND)
                ROW(hsa_signal_subtract_screlease, BEFORE - OPERAND) ROW(hsa_signal_and_acq_rel, BEFORE &OPERAND) ROW(
                    hsa_signal_and_acquire, BEFORE &OPERAND) ROW(hsa_signal_and_relaxed, BEFORE &OPERAND)
                    ROW(hsa_signal_and_release, BEFORE &OPERAND) ROW(hsa_signal_and_scacq_screl, BEFORE &OPERAND) ROW(
                        hsa_signal_and_scacquire, BEFORE &OPERAND) ROW(hsa_signal_and_screlease, BEFORE &OPERAND)
                        ROW(hsa_signal_or_acq_rel, BEFORE | OPERAND) ROW(hsa_signal_or_acquire, BEFORE | OPERAND)
                            ROW(hsa_signal_or_relaxed, BEFORE | OPERAND) ROW(hsa_signal_or_release, BEFORE | OPERAND)
                                ROW(hsa_signal_or_scacq_screl, BEFORE | OPERAND)
                                    ROW(hsa_signal_or_scacquire, BEFORE | OPERAND)
                                        ROW(hsa_signal_or_screlease, BEFORE | OPERAND)
                                            ROW(hsa_signal_xor_acq_rel, BEFORE ^ OPERAND)
                                                ROW(hsa_signal_xor_acquire, BEFORE ^ OPERAND)
                                                    ROW(hsa_signal_xor_relaxed, BEFORE ^ OPERAND)
                                                        ROW(hsa_signal_xor_release, BEFORE ^ OPERAND)
                                                            ROW(hsa_signal_xor_scacq_screl, BEFORE ^ OPERAND)
                                                                ROW(hsa_signal_xor_scacquire, BEFORE ^ OPERAND)
                                                                    ROW(hsa_signal_xor_screlease, BEFORE ^ OPERAND)
#undef ROW
};

static const struct {
    exchange function;
    const char *name;
} exchanges[] = {
#define ROW(function) {function, #function},
    ROW(hsa_signal_exchange_acq_rel) ROW(hsa_signal_exchange_acquire) ROW(hsa_signal_exchange_relaxed)
        ROW(hsa_signal_exchange_release) ROW(hsa_signal_exchange_scacq_screl) ROW(hsa_signal_exchange_scacquire)
            ROW(hsa_signal_exchange_screlease)};

static const struct {
    load function;
    const char *name;
} loads[] = {ROW(hsa_queue_load_read_index_acquire) ROW(hsa_queue_load_read_index_relaxed)
                 ROW(hsa_queue_load_read_index_scacquire) ROW(hsa_queue_load_write_index_acquire)
                     ROW(hsa_queue_load_write_index_relaxed) ROW(hsa_queue_load_write_index_scacquire)};

static const struct {
    store function;
    const char *name;
} stores[] = {ROW(hsa_queue_store_write_index_relaxed) ROW(hsa_queue_store_write_index_release)
                  ROW(hsa_queue_store_write_index_screlease) ROW(hsa_queue_store_read_index_relaxed)
                      ROW(hsa_queue_store_read_index_release) ROW(hsa_queue_store_read_index_screlease)};

static const struct {
    add function;
    const char *name;
} adds[] = {ROW(hsa_queue_add_write_index_acq_rel) ROW(hsa_queue_add_write_index_acquire) ROW(
    hsa_queue_add_write_index_relaxed) ROW(hsa_queue_add_write_index_release) ROW(hsa_queue_add_write_index_scacq_screl)
                ROW(hsa_queue_add_write_index_scacquire) ROW(hsa_queue_add_write_index_screlease)};

static const struct {
    cas function;
    const char *name;
} cass[] = {ROW(hsa_queue_cas_write_index_acq_rel) ROW(hsa_queue_cas_write_index_acquire) ROW(
    hsa_queue_cas_write_index_relaxed) ROW(hsa_queue_cas_write_index_release) ROW(hsa_queue_cas_write_index_scacq_screl)
                ROW(hsa_queue_cas_write_index_scacquire) ROW(hsa_queue_cas_write_index_screlease)};

#undef ROW

#define COUNT(table) (sizeof(table) / sizeof *(table))

static hsa_queue_t *queue;

static hsa_status_t pick_region(hsa_region_t region, void *data)
{
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

static void signals(hsa_signal_t signal)
{
    for (size_t i = 0; i < COUNT(changes); i++) {
        hsa_signal_store_relaxed(signal, BEFORE);
        changes[i].function(signal, OPERAND);
        ok(hsa_signal_load_scacquire(signal) == changes[i].after, "%s", changes[i].name);
    }
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        hsa_signal_store_relaxed(signal, BEFORE);
        ok(exchanges[i].function(signal, OPERAND) == BEFORE && hsa_signal_load_relaxed(signal) == OPERAND, "%s",
           exchanges[i].name);
    }
}

static void indexes(void)
{
    for (size_t i = 0; i < COUNT(stores); i++) {
        stores[i].function(queue, 100 + i);
        bool write = strstr(stores[i].name, "write") != NULL;
        ok((write ? hsa_queue_load_write_index_relaxed(queue) : hsa_queue_load_read_index_relaxed(queue)) == 100 + i,
           "%s", stores[i].name);
    }
    hsa_queue_store_read_index_relaxed(queue, 7);
    hsa_queue_store_write_index_relaxed(queue, 9);
    for (size_t i = 0; i < COUNT(loads); i++)
        ok(loads[i].function(queue) == (strstr(loads[i].name, "read") ? 7 : 9), "%s", loads[i].name);
    for (size_t i = 0; i < COUNT(adds); i++) {
        hsa_queue_store_write_index_relaxed(queue, 9);
        ok(adds[i].function(queue, 4) == 9 && hsa_queue_load_write_index_relaxed(queue) == 13, "%s", adds[i].name);
    }
    for (size_t i = 0; i < COUNT(cass); i++) {
        hsa_queue_store_write_index_relaxed(queue, 9);
        ok(cass[i].function(queue, 8, 20) == 9 && hsa_queue_load_write_index_relaxed(queue) == 9 &&
               cass[i].function(queue, 9, 20) == 9 && hsa_queue_load_write_index_relaxed(queue) == 20,
           "%s", cass[i].name);
    }
}

int main(void)
{
    hsa_signal_t signal = {0};
    hsa_agent_t cpu = {0};
    hsa_region_t region = {0};
    setenv("HSA_AGENT_DRIVERS", "", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_signal_create(0, 0, NULL, &signal) == HSA_STATUS_SUCCESS, "start");
    test_agent(&cpu);
    hsa_agent_iterate_regions(cpu, pick_region, &region);
    ok(hsa_soft_queue_create(region, 64, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, signal, &queue) ==
           HSA_STATUS_SUCCESS,
       "a queue");
    signals(signal);
    indexes();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
