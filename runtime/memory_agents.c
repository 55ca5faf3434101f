/* SPDX-License-Identifier: MIT */
/* Tells agents of memory: that they may use it, that another agent may, and that it is about to go. (MV 5.3)
 *
 * Input: allocations. Output: requests to the drivers of agents that have been introduced to the process.
 * Invariant: an agent is in an allocation's list TOLD exactly while its driver knows of it, and an agent that is
 * introduced learns of what was there before; the lock of requests orders the two. It is held during the requests,
 * which are answered without a call back into this file. */
#include "runtime/memory.h"

#include "runtime/request.h"

static pthread_mutex_t requests = PTHREAD_MUTEX_INITIALIZER;

static hsam_segment region_segment(const struct region *region)
{
    if (!region)
        return HSAM_SEGMENT_SYSTEM;
    return region->is->global_flags & HSA_REGION_GLOBAL_FLAG_KERNARG ? HSAM_SEGMENT_KERNARG : HSAM_SEGMENT_GLOBAL;
}

hsa_status_t memory_resident(struct agent *provider, void *address, size_t size, hsam_residence residence)
{
    struct agent *by = provider ? provider : agent_host();
    hsam_handle_t client;
    struct request request;
    if (!by->interface.memory_resident || !agent_has_client(by, &client))
        return HSA_STATUS_SUCCESS;
    return request_status(request_finish(&request, by->interface.memory_resident(by->driver, client, address, size,
                                                                                 residence, request_start(&request))));
}

/* ---- one agent; the caller holds the lock ---- */

/* The place of AGENT among those that know of the memory, or the end of the list. */
static size_t find_told(const struct allocation *allocation, const struct agent *agent)
{
    size_t i = 0;
    while (i < allocation->told.count && allocation->told.items[i] != agent)
        i++;
    return i;
}

/* Tells the driver of AGENT that it may use SIZE bytes at BASE, in REGION or, if that is NULL, of the process. It is no
 * error if the driver does not support being told. */
static hsa_status_t announce_memory(struct agent *agent, hsam_handle_t client, void *base, size_t size,
                                    const struct region *region)
{
    struct request request;
    if (!agent->interface.memory_allocation)
        return HSA_STATUS_SUCCESS;
    HSAM_Error error = request_finish(
        &request, agent->interface.memory_allocation(agent->driver, client, base, size, region_segment(region),
                                                     region ? region->is->global_flags : 0, request_start(&request)));
    return error == HSAM_Not_Supported ? HSA_STATUS_SUCCESS : request_status(error);
}

static hsa_status_t tell_agent(struct allocation *allocation, struct agent *agent, hsam_handle_t client)
{
    if ((!agent->interface.memory_allocation && agent->config.page_fault_supported) ||
        find_told(allocation, agent) < allocation->told.count)
        return HSA_STATUS_SUCCESS;
    CHECK(vec_push(&allocation->told, agent), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!agent->config.page_fault_supported)
        status = memory_resident(allocation->provider, allocation->base, allocation->size, HSAM_RESIDENCE_LOCKED);
    if (status == HSA_STATUS_SUCCESS)
        status = announce_memory(agent, client, allocation->base, allocation->size, allocation->region);
    if (status != HSA_STATUS_SUCCESS)
        allocation->told.count--; /* requests are one at a time, so the agent is still the last */
    return status;
}

static void withdraw(struct allocation *allocation, struct agent *agent)
{
    size_t i = find_told(allocation, agent);
    hsam_handle_t client;
    struct request request;
    if (i == allocation->told.count)
        return;
    allocation->told.items[i] = allocation->told.items[--allocation->told.count];
    if (agent->interface.memory_free && agent_has_client(agent, &client))
        request_finish(&request,
                       agent->interface.memory_free(agent->driver, client, allocation->base, request_start(&request)));
}

/* ---- any agent ---- */

hsa_status_t memory_tell(struct allocation *allocation, struct agent *agent)
{
    hsam_handle_t client;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    pthread_mutex_lock(&requests);
    if (agent_has_client(agent, &client))
        status = tell_agent(allocation, agent, client);
    pthread_mutex_unlock(&requests);
    return status;
}

hsa_status_t memory_tell_range(struct agent *agent, void *base, size_t size)
{
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    pthread_mutex_lock(&requests);
    status = announce_memory(agent, client, base, size, NULL);
    pthread_mutex_unlock(&requests);
    return status;
}

hsa_status_t memory_tell_all(struct allocation *allocation)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; i < runtime.agents.count && status == HSA_STATUS_SUCCESS; i++)
        status = memory_tell(allocation, runtime.agents.items[i]);
    return status;
}

void memory_withdraw(struct allocation *allocation)
{
    pthread_mutex_lock(&requests);
    while (allocation->told.count)
        withdraw(allocation, allocation->told.items[allocation->told.count - 1]);
    pthread_mutex_unlock(&requests);
}

/* ---- an agent that is introduced ---- */

static bool may_access(const struct allocation *allocation, const struct agent *agent)
{
    for (size_t i = 0; i < allocation->allowed.count; i++)
        if (allocation->allowed.items[i] == agent)
            return true;
    return false;
}

struct introduction {
    struct agent *agent;
    hsam_handle_t client;
};

static hsa_status_t introduce_memory(struct allocation *allocation, void *data)
{
    const struct introduction *it = data;
    bool everybodys =
        allocation->purpose == HSAM_MEMORY_SIGNALS ||
        (allocation->purpose == HSAM_MEMORY_CLIENT && !allocation->mapped && !region_coarse(allocation->region));
    if (!everybodys && !memory_in_region_of(allocation, it->agent) && !may_access(allocation, it->agent))
        return HSA_STATUS_SUCCESS;
    return tell_agent(allocation, it->agent, it->client);
}

/* Withdraws the memory from an agent whose introduction failed. The agent has no client, so its driver is not asked. */
static hsa_status_t forget_memory(struct allocation *allocation, void *data)
{
    withdraw(allocation, data);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t memory_introduce(struct agent *agent, hsam_handle_t client)
{
    struct introduction it = {agent, client};
    pthread_mutex_lock(&requests);
    hsa_status_t status = memory_visit(introduce_memory, &it);
    if (status == HSA_STATUS_SUCCESS) {
        agent->client = client;
        atomic_store_explicit(&agent->has_client, true, memory_order_release);
    } else if (memory_visit(forget_memory, agent) != HSA_STATUS_SUCCESS) {
        atomic_store(&agent->failed, true); /* the visit failed, so it is unknown what the agent knows */
    }
    pthread_mutex_unlock(&requests);
    return status;
}

/* ---- access that a client gives ---- */

/* Whether AGENT may use the memory although no client has allowed it. */
static bool may_anyway(const struct allocation *allocation, const struct agent *agent)
{
    return !allocation->mapped &&
           (!allocation->region || allocation->provider == agent || region_reachable(allocation->region, agent));
}

/* Makes the memory reachable for AGENT; the caller holds the lock. */
static hsa_status_t grant(struct allocation *allocation, struct agent *agent)
{
    struct agent *provider = allocation->provider;
    hsam_handle_t client;
    struct request request;
    if (!allocation->mapped && (!allocation->region || provider == agent))
        return HSA_STATUS_SUCCESS;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (allocation->mapped || region_reachable(allocation->region, agent))
        ; /* it is mapped there already, but the agent may not know of it */
    else if (!provider->interface.memory_map)
        status = allocation->memory.host_accessible ? status : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if (agent_has_client(provider, &client))
        status = request_status(request_finish(
            &request, provider->interface.memory_map(provider->driver, client, &allocation->memory,
                                                     agent->generic.device_driver_id, request_start(&request))));
    if (status == HSA_STATUS_SUCCESS && agent_has_client(agent, &client))
        status = tell_agent(allocation, agent, client);
    return status;
}

static void revoke(struct allocation *allocation, struct agent *agent)
{
    struct agent *provider = allocation->provider;
    hsam_handle_t client;
    struct request request;
    if (may_anyway(allocation, agent))
        return;
    if (allocation->owner != agent)
        withdraw(allocation, agent);
    if (provider && provider->interface.memory_unmap && agent_has_client(provider, &client))
        request_finish(&request,
                       provider->interface.memory_unmap(provider->driver, client, &allocation->memory,
                                                        agent->generic.device_driver_id, request_start(&request)));
}

struct access {
    uint32_t count;
    struct agent *const *agents;
    struct allocation *allocation;
    VEC(struct agent *) before;
};

static hsa_status_t find(struct allocation *allocation, void *data)
{
    struct access *access = data;
    CHECK_ARGUMENT(allocation);
    access->allocation = allocation;
    return HSA_STATUS_SUCCESS;
}

/* Puts the new list of allowed agents in place of the old one, which becomes BEFORE. Called under the lock of the list
 * of memory, as others read it there. */
static hsa_status_t exchange(struct allocation *allocation, void *data)
{
    struct access *access = data;
    CHECK_ARGUMENT(allocation == access->allocation);
    CHECK(vec_reserve(&access->before, access->count), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    memcpy(access->before.items, access->agents, access->count * sizeof *access->agents);
    access->before.count = access->count;
    struct agent **items = allocation->allowed.items;
    size_t count = allocation->allowed.count, capacity = allocation->allowed.capacity;
    allocation->allowed.items = access->before.items;
    allocation->allowed.count = access->before.count;
    allocation->allowed.capacity = access->before.capacity;
    access->before.items = items;
    access->before.count = count;
    access->before.capacity = capacity;
    return HSA_STATUS_SUCCESS;
}

static bool names(const struct access *access, const struct agent *agent)
{
    for (uint32_t i = 0; i < access->count; i++)
        if (access->agents[i] == agent)
            return true;
    return false;
}

hsa_status_t memory_allow(const void *address, uint32_t count, struct agent *const *agents)
{
    struct access access = {.count = count, .agents = agents};
    pthread_mutex_lock(&requests);
    hsa_status_t status = memory_with(address, find, &access);
    uint32_t granted = 0;
    while (status == HSA_STATUS_SUCCESS && granted < count) {
        if (!may_access(access.allocation, agents[granted]))
            status = grant(access.allocation, agents[granted]);
        granted += status == HSA_STATUS_SUCCESS;
    }
    if (status == HSA_STATUS_SUCCESS)
        status = memory_with(address, exchange, &access);
    if (status == HSA_STATUS_SUCCESS) {
        for (size_t i = 0; i < access.before.count; i++)
            if (!names(&access, access.before.items[i]))
                revoke(access.allocation, access.before.items[i]);
    } else {
        for (uint32_t i = 0; i < granted; i++)
            if (!may_access(access.allocation, agents[i]))
                revoke(access.allocation, agents[i]);
    }
    vec_free(&access.before);
    pthread_mutex_unlock(&requests);
    return status;
}

/* ---- moving to another region ---- */

bool memory_of_host(const struct region *region)
{
    return region->is->segment == HSA_REGION_SEGMENT_GLOBAL && region->is->alloc_max_size &&
           (region->agent == agent_host() || !region->agent->interface.memory_new);
}

bool memory_migrates(const struct region *from, const struct region *to)
{
    return from == to || (memory_of_host(from) && memory_of_host(to));
}

static hsa_status_t change_region(struct allocation *allocation, void *data)
{
    struct region *to = data;
    CHECK_ARGUMENT(allocation && allocation->region);
    CHECK(memory_migrates(allocation->region, to) && allocation->size <= to->is->alloc_max_size,
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    allocation->region = to;
    allocation->owner = NULL;
    allocation->allowed.count = 0;
    return HSA_STATUS_SUCCESS;
}

/* Tells AGENT of the memory that was moved; the caller holds the lock. */
static hsa_status_t tell_moved(struct allocation *allocation, struct agent *agent)
{
    hsam_handle_t client;
    bool may = !region_coarse(allocation->region) || memory_in_region_of(allocation, agent);
    return may && agent_has_client(agent, &client) ? tell_agent(allocation, agent, client) : HSA_STATUS_SUCCESS;
}

hsa_status_t memory_migrate(const void *address, struct region *region)
{
    struct access access = {0};
    pthread_mutex_lock(&requests);
    hsa_status_t status = memory_with(address, find, &access);
    struct allocation *allocation = access.allocation;
    if (status == HSA_STATUS_SUCCESS && allocation->region != region) {
        status = memory_with(address, change_region, region);
        while (status == HSA_STATUS_SUCCESS && allocation->told.count)
            withdraw(allocation, allocation->told.items[allocation->told.count - 1]);
        for (size_t i = 0; i < runtime.agents.count && status == HSA_STATUS_SUCCESS; i++)
            status = tell_moved(allocation, runtime.agents.items[i]);
    }
    pthread_mutex_unlock(&requests);
    return status;
}
