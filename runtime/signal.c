/* SPDX-License-Identifier: MIT */
/* Creating and destroying signals. (1.0P 2.4; MV 3.2)
 *
 * Input: values, consumers and handles of any value. Output: struct signal, announced to the drivers that asked for it.
 * Invariant: who sets `life` to SIGNAL_FREE deletes the signal. */
#include "runtime/signal_slot.h"

#include "runtime/agent.h"
#include "runtime/request.h"

enum { EVENT_IDS = 255 }; /* an interrupt message carries 8 bits; 0 is none */

struct signal *signal_new(hsa_signal_value_t value, uint32_t life)
{
    struct signal *signal = signal_slot_take();
    if (!signal)
        return NULL;
    struct signal_line *line = signal->line;
    line->kind = life == SIGNAL_QUEUE ? AMD_SIGNAL_KIND_DOORBELL : AMD_SIGNAL_KIND_USER;
    atomic_store_explicit(&line->value, value, memory_order_relaxed);
    line->event_id = 1 + (uint32_t)((uintptr_t)line / sizeof *line % EVENT_IDS);
    line->event_mailbox_ptr = (uintptr_t)&line->mailbox;
    line->start_ts = line->end_ts = 0;
    line->queue = NULL;
    atomic_store_explicit(&line->attention, 0, memory_order_relaxed);
    signal_slot_renew(signal); /* a late sender may still look at the watches, of which there are none */
    signal->roots = NULL;
    signal->root_count = 0;
    signal->is_doorbell = life == SIGNAL_QUEUE;
    signal->event_agent = NULL;
    atomic_store_explicit(&signal->life, life, memory_order_release);
    return signal;
}

/* Gives the event back to the driver that chose it. */
static void event_end(struct signal *signal)
{
    struct agent *agent = signal->event_agent;
    hsam_handle_t client;
    struct request request;
    if (agent && agent->interface.event_remove && agent_has_client(agent, &client))
        request_finish(&request,
                       agent->interface.event_remove(agent->driver, client, signal->event, request_start(&request)));
    signal->event_agent = NULL;
}

static void ipc_delete(struct signal *signal)
{
    atomic_store_explicit(&signal->life, SIGNAL_FREE, memory_order_release);
    signal_watches_drop(signal);
    signal_ipc_end(signal);
    signal_slot_ipc_free(signal);
}

void signal_delete(struct signal *signal)
{
    if (!signal)
        return;
    if (signal_is_ipc(signal)) {
        ipc_delete(signal);
        return;
    }
    bool user = !signal->is_doorbell;
    if (signal->root_count)
        signal_roots_drop(signal);
    for (uint32_t i = 0; user && i < signal->root_count; i++) {
        struct signal_root *root = &signal->roots[i];
        struct request request;
        if (root->agent->interface.signal_remove)
            request_finish(&request, root->agent->interface.signal_remove(
                                         root->agent->driver, root->client, root->at_agent, request_start(&request)));
    }
    event_end(signal);
    atomic_store_explicit(&signal->life, SIGNAL_FREE, memory_order_release);
    signal_watches_drop(signal);
    if (user)
        mem_free(signal->roots);
    signal->roots = NULL;
    signal->root_count = 0;
    signal->line->kind = AMD_SIGNAL_KIND_INVALID;
    signal_slot_give(signal);
}

void signals_delete_all(void)
{
    uint32_t used = signal_count(), shared = signal_ipc_count();
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load(&signal_number(i)->life) != SIGNAL_FREE)
            signal_delete(signal_number(i));
    for (uint32_t i = 0; i < shared; i++)
        if (atomic_load(&signal_ipc_number(i)->life) != SIGNAL_FREE)
            signal_delete(signal_ipc_number(i));
}

/* ---- API ---- */

/* Whether AGENT is among the consumers. When none are named, every agent is one. */
static bool consumes(const struct agent *agent, uint32_t count, const hsa_agent_t *consumers)
{
    for (uint32_t i = 0; i < count; i++)
        if (consumers[i].handle == agent->handle.handle)
            return true;
    return count == 0;
}

/* Introduces the process to a consumer. An agent that is one of COUNT consumers has to take it; if none are named, one
 * that does not is passed over. */
static hsa_status_t consumer_client(struct agent *agent, uint32_t count, hsam_handle_t *client, bool *takes)
{
    if (!count)
        return agent_client_if_willing(agent, client, takes);
    *takes = true;
    return agent_client(agent, client);
}

/* Gives SIGNAL a root for every consumer whose driver wants to be told of sends, and tells that driver of it. */
static hsa_status_t roots_make(struct signal *signal, uint32_t count, const hsa_agent_t *consumers)
{
    uint32_t interested = 0;
    for (size_t i = 0; i < runtime.agents.count; i++)
        interested += runtime.agents.items[i]->interface.signal_new != NULL;
    if (!interested)
        return HSA_STATUS_SUCCESS;
    signal->roots = mem_zalloc(interested, sizeof *signal->roots);
    CHECK(signal->roots, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (!agent->interface.signal_new || !consumes(agent, count, consumers))
            continue;
        struct signal_root *root = &signal->roots[signal->root_count];
        *root = (struct signal_root){.node = &root->own_node, .agent = agent};
        root->own_node.device_driver_id = agent->generic.device_driver_id;
        bool takes;
        hsa_status_t status = consumer_client(agent, count, &root->client, &takes);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        if (!takes)
            continue;
        struct request request;
        HSAM_Error error =
            request_finish(&request, agent->interface.signal_new(agent->driver, root->client, signal_handle(signal),
                                                                 root->node, request_start(&request), &root->at_agent));
        if (error == HSAM_Not_Supported)
            continue;
        CHECK(error == HSAM_Done, request_status(error));
        signal->root_count++;
    }
    if (signal->root_count)
        signal_roots_show(signal);
    return HSA_STATUS_SUCCESS;
}

/* Asks the driver of the first consumer that chooses events itself by which event device code is to interrupt. */
static hsa_status_t event_choose(struct signal *signal, uint32_t count, const hsa_agent_t *consumers)
{
    for (size_t i = 0; i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (!agent->interface.event_new || !consumes(agent, count, consumers))
            continue;
        hsam_handle_t client;
        hsam_event event = {0};
        struct request request;
        bool takes;
        hsa_status_t status = consumer_client(agent, count, &client, &takes);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        if (!takes)
            continue;
        HSAM_Error error = request_finish(
            &request,
            agent->interface.event_new(agent->driver, client, signal_handle(signal), request_start(&request), &event));
        if (error == HSAM_Not_Supported)
            continue;
        CHECK(error == HSAM_Done, request_status(error));
        signal->line->event_id = event.id;
        signal->line->event_mailbox_ptr = event.mailbox;
        signal->event = event.event;
        signal->event_agent = agent;
        break;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t signal_check_consumers(uint32_t count, const hsa_agent_t *consumers, const hsa_signal_t *signal)
{
    CHECK_ARGUMENT(signal && (consumers || !count));
    for (uint32_t i = 0; i < count; i++) {
        CHECK(agent_find(consumers[i]), HSA_STATUS_ERROR_INVALID_AGENT);
        for (uint32_t j = 0; j < i; j++)
            CHECK_ARGUMENT(consumers[i].handle != consumers[j].handle);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                       const hsa_agent_t *consumers, hsa_signal_t *signal)
{
    CHECK_UP();
    hsa_status_t status = signal_check_consumers(num_consumers, consumers, signal);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct signal *made = signal_new(initial_value, SIGNAL_USER);
    CHECK(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    status = roots_make(made, num_consumers, consumers);
    if (status == HSA_STATUS_SUCCESS)
        status = event_choose(made, num_consumers, consumers);
    if (status != HSA_STATUS_SUCCESS) {
        signal_delete(made);
        return status;
    }
    *signal = signal_handle(made);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(signal.handle);
    struct signal *found = signal_find(signal);
    /* The exchange decides between two threads that destroy the same signal. */
    uint32_t user = found && signal_is_ipc(found) ? SIGNAL_IPC : SIGNAL_USER;
    CHECK(found && atomic_compare_exchange_strong(&found->life, &user, SIGNAL_FREE), HSA_STATUS_ERROR_INVALID_SIGNAL);
    signal_delete(found);
    return HSA_STATUS_SUCCESS;
}
