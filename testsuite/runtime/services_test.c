/* SPDX-License-Identifier: MIT */
/* Tests what the core does when drivers ask for it: memory, answers, faults, signals that other devices send,
 * libraries. The test calls the functions that the test driver was given. */
#include "testsuite/runtime/common.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static const hsa_generic_driver_interface *core;
static hsam_handle_t client;

/* Asks the operating system whether the host can read the byte at ADDRESS. */
static bool host_reaches(const void *address)
{
    int ends[2];
    if (pipe(ends))
        return true;
    bool reaches = write(ends[1], address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return reaches;
}

static void memory(void)
{
    void *at = NULL, *safe = NULL;
    unsigned char there[16];
    ok(core->agent_memory_reserve(client, 5000, &at) == HSAM_Done && (uintptr_t)at % 4096 == 0 && !host_reaches(at) &&
           core->agent_memory_reserve(client, 0, &safe) == HSAM_Invalid_Argument &&
           core->agent_memory_reserve(client, SIZE_MAX, &safe) == HSAM_Invalid_Argument,
       "addresses are reserved, in whole pages");
    ok(core->agent_memory_unreserve(client, at, 9000) == HSAM_Invalid_Argument &&
           core->agent_memory_free(client, at, 5000) == HSAM_Invalid_Argument &&
           core->agent_memory_unreserve(client, at, 8192) == HSAM_Done &&
           core->agent_memory_unreserve(client, at, 5000) == HSAM_Invalid_Argument,
       "and given back as they were obtained, once");
    ok(core->agent_memory_allocate(client, 10000, &at) == HSAM_Done && !((char *)at)[12287] &&
           core->agent_memory_unreserve(client, at, 10000) == HSAM_Invalid_Argument &&
           core->agent_memory_free(client, at, 10000) == HSAM_Done,
       "memory is 0, and of whole pages");
    ok(core->agent_memory_allocate_safe_to_access(client, sizeof there * 4096, &safe) == HSAM_Done &&
           !mincore(safe, sizeof there * 4096, there) && there[0] & 1 && there[15] & 1,
       "memory that is safe to access is there");
    core->agent_memory_free(client, safe, sizeof there * 4096);
}

static hsa_amd_event_t event;
static int events;

static hsa_status_t on_event(const hsa_amd_event_t *it, void *data)
{
    event = *it;
    ++*(int *)data;
    return HSA_STATUS_SUCCESS;
}

static void faults(hsa_agent_t agent)
{
    hsam_fault fault = {.address = 0x1234000, .reason = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT};
    ok(!hsa_amd_register_system_event_handler(on_event, &events), "a handler of system events is registered");
    core->client_error(client, &fault);
    ok(events == 1 && event.memory_fault.agent.handle == agent.handle &&
           event.memory_fault.virtual_address == 0x1234000 &&
           event.memory_fault.fault_reason_mask == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT,
       "is told of a fault that concerns no queue");
}

static void senders(void)
{
    hsa_signal_t signal;
    hsa_signal_create(0, 0, NULL, &signal);
    int unblocked = counts()->unblocked;
    core->destination_unreachable(client, signal, counts()->generic.device_driver_id);
    ok(counts()->unblocked == unblocked + 1, "a sender outside the core has an agent unblocked");
    core->destination_unreachable(client, signal, 999);
    core->destination_unreachable(client, (hsa_signal_t){0xbad0}, counts()->generic.device_driver_id);
    ok(counts()->unblocked == unblocked + 1, "an unknown agent or signal is ignored");
    hsa_signal_destroy(signal);
}

static hsa_status_t collect(hsa_agent_t agent, void *data)
{
    uint32_t id = 0;
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_UID, &id);
    if (id && id < 64)
        *(uint64_t *)data ^= UINT64_C(1) << id;
    return HSA_STATUS_SUCCESS;
}

static void rest(void)
{
    uint64_t ids = 0, before = 0, after = 0;
    hsa_iterate_agents(collect, &ids);
    ok(__builtin_popcountll(ids) == 4, "every agent has a number of its own");
    core->agent_reply(HSAM_Done, (void *)(uintptr_t)0x123456);
    ok(core->launch_dll(client, "libc.so.6") == HSAM_Done &&
           core->launch_dll(client, "libmissing.so.0") == HSAM_Invalid_Argument &&
           core->launch_dll(client, NULL) == HSAM_Invalid_Argument,
       "a library is loaded, one that is missing is not");
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before);
    uint64_t now = core->timestamp();
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after);
    ok(before <= now && now <= after, "drivers and clients have one clock");
    hsa_agent_driver_interface interface = {.struct_size = sizeof interface, .major = HSAM_VERSION_MAJOR};
    hsa_agent_driver_config config = {.struct_size = sizeof config, .major = HSAM_VERSION_MAJOR};
    hsa_generic_driver_config generic = {.major = 99};
    ok(!hsa_register_agent(NULL, &config, NULL, &generic) && !hsa_register_agent(&interface, &config, NULL, &generic) &&
           generic.major == 99,
       "nobody registers an agent after hsa_init()");
}

int main(void)
{
    void *left = NULL;
    hsa_queue_t *queue = NULL;
    if (!counts() || !start("fakevram,signals"))
        return tap_done();
    core = counts()->core;
    hsa_agent_t agent = test_agent(NULL);
    ok(!hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue), "the process is introduced");
    client = counts()->client;
    memory();
    faults(agent);
    senders();
    rest();
    ok(core->agent_memory_allocate(client, 4096, &left) == HSAM_Done && !hsa_shut_down() && !host_reaches(left),
       "what a driver leaves is released at the end");
    return tap_done();
}
