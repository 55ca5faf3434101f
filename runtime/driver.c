/* SPDX-License-Identifier: MIT */
/* Registers agents: those of the built-in drivers, then those of HSA_AGENT_DRIVERS. (MV 2.3)
 *
 * Input: the functions and the configuration of each agent. They come from a driver, so their pointers are trusted,
 * but what they say is checked for contradictions.
 * Output: runtime.agents, each with a handle for itself, its regions, caches and instruction sets.
 * Invariant: agents are added inside hsa_init() only, and stay until agents_shut_down(). */
#include "config.h"

#include "runtime/agent.h"
#include "runtime/clock.h"
#include "runtime/driver_services.h"
#include "runtime/memory.h"
#include "runtime/message.h"
#include "runtime/place.h"
#include "runtime/report.h"
#include "runtime/request.h"
#include "runtime/signal.h"
#include "support/bytes.h"

#include <dlfcn.h>
#include <stdlib.h>

/* host_driver_init(), gcn_driver_init(): one for each row of runtime/drivers.def. */
#define DRIVER(name) int name##_driver_init(hsa_register_agent_t register_agent);
#include "runtime/drivers.def"
#undef DRIVER

static VEC(void *) libraries; /* of HSA_AGENT_DRIVERS */

static const hsa_generic_driver_interface generic_interface = {
    .struct_size = sizeof(hsa_generic_driver_interface),
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .agent_reply = request_reply,
    .client_error = service_client_error,
    .destination_unreachable = service_destination_unreachable,
    .queue_error = service_queue_error,
    .signal_valid = signal_valid,
    .signal_add = signal_add,
    .signal_fail = signal_fail,
    .signal_interrupt = signal_interrupt,
    .signal_watch = signal_watch,
    .signal_unwatch = signal_unwatch,
    .agent_memory_reserve = service_memory_reserve,
    .agent_memory_unreserve = service_memory_unreserve,
    .agent_memory_allocate = service_memory_allocate,
    .agent_memory_allocate_safe_to_access = service_memory_allocate_locked,
    .agent_memory_free = service_memory_free,
    .launch_dll = service_launch_dll,
    .timestamp = clock_now,
    .report = service_report,
    .memory_extent = memory_extent,
    .code_place = service_code_place,
    .code_variable = service_code_variable,
    .code_calls = service_code_calls,
    .code_variables = service_code_variables,
    .kernel_arguments = service_kernel_arguments,
    .kernel_known = service_kernel_known,
    .memory_freed = memory_freed,
};

/* ---- consistency of what a driver says ---- */

static bool name_fits(const char *name, size_t limit)
{
    return name && *name && strlen(name) < limit;
}

static bool region_consistent(const hsam_region *region)
{
    if (region->segment != HSA_REGION_SEGMENT_GLOBAL && region->global_flags)
        return false;
    if (!region->alloc_max_size)
        return true;
    return region->segment == HSA_REGION_SEGMENT_GLOBAL && is_power_of_two(region->alloc_granule) &&
           is_power_of_two(region->alloc_alignment) && region->alloc_alignment <= (2u << 20) &&
           !(region->global_flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) !=
               !(region->global_flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED);
}

/* Describes the first contradiction in a configuration; NULL when there is none. */
static const char *contradiction(const hsa_agent_driver_config *config)
{
    if (!name_fits(config->name, 64) || !name_fits(config->vendor_name, 64))
        return "name and vendor_name have 1 to 63 bytes";
    if (config->product_name && strlen(config->product_name) >= 64)
        return "product_name has at most 63 bytes";
    if (config->uuid && strlen(config->uuid) >= 21)
        return "uuid has at most 20 bytes";
    if (config->features & HSA_AGENT_FEATURE_KERNEL_DISPATCH) {
        if (!config->queues_max || !is_power_of_two(config->queue_min_size) ||
            !is_power_of_two(config->queue_max_size) || config->queue_min_size > config->queue_max_size)
            return "an agent that dispatches kernels has queues, and their least and largest sizes are powers of two";
        if (!config->isa_count)
            return "an agent that dispatches kernels has an instruction set";
    }
    for (size_t i = 0; i < config->region_count; i++)
        if (!region_consistent(&config->regions[i]))
            return "clients allocate in global regions that are either fine-grained or coarse-grained, by a granule "
                   "and "
                   "an alignment that are powers of two; only global regions have flags";
    for (size_t i = 0; i < config->isa_count; i++)
        if (!name_fits(config->isas[i].name, 256) || !config->isas[i].wavefront_sizes[0])
            return "an instruction set has a name of 1 to 255 bytes and a wavefront size";
    for (size_t i = 0; i < config->cache_count; i++)
        if (!config->caches[i].name)
            return "a cache has a name";
    return NULL;
}

/* ---- one agent ---- */

static void agent_free(struct agent *agent)
{
    for (size_t i = 0; agent->regions && i < agent->config.region_count; i++)
        handle_delete(agent->regions[i].handle.handle);
    for (size_t i = 0; agent->caches && i < agent->config.cache_count; i++)
        handle_delete(agent->caches[i].handle.handle);
    for (size_t i = 0; agent->isas && i < agent->config.isa_count; i++) {
        handle_delete(agent->isas[i].handle.handle);
        handle_delete(agent->isas[i].wavefronts[0].handle.handle);
        handle_delete(agent->isas[i].wavefronts[1].handle.handle);
    }
    handle_delete(agent->handle.handle);
    mem_free(agent->regions);
    mem_free(agent->caches);
    mem_free(agent->isas);
    pthread_mutex_destroy(&agent->client_lock);
    mem_free(agent);
}

static bool isa_make(struct isa *isa, struct agent *agent, const hsam_isa *is)
{
    isa->agent = agent;
    isa->is = is;
    isa->handle.handle = handle_new(HANDLE_ISA, isa);
    bool good = isa->handle.handle;
    for (size_t i = 0; i < 2 && is->wavefront_sizes[i]; i++) {
        isa->wavefronts[i].size = is->wavefront_sizes[i];
        isa->wavefronts[i].handle.handle = handle_new(HANDLE_WAVEFRONT, &isa->wavefronts[i]);
        good = good && isa->wavefronts[i].handle.handle;
    }
    return good;
}

/* Makes the objects, with their handles, by which clients see the configuration; false when memory is out. */
static bool agent_topology(struct agent *agent)
{
    const hsa_agent_driver_config *config = &agent->config;
    agent->regions = mem_zalloc(config->region_count + 1, sizeof *agent->regions);
    agent->caches = mem_zalloc(config->cache_count + 1, sizeof *agent->caches);
    agent->isas = mem_zalloc(config->isa_count + 1, sizeof *agent->isas);
    if (!agent->regions || !agent->caches || !agent->isas)
        return false;
    bool good = (agent->handle.handle = handle_new(HANDLE_AGENT, agent)) != 0;
    for (size_t i = 0; i < config->region_count; i++) {
        struct region *region = &agent->regions[i];
        *region = (struct region){.agent = agent, .is = &config->regions[i]};
        good = (region->handle.handle = handle_new(HANDLE_REGION, region)) && good;
    }
    for (size_t i = 0; i < config->cache_count; i++) {
        struct cache *cache = &agent->caches[i];
        cache->is = &config->caches[i];
        good = (cache->handle.handle = handle_new(HANDLE_CACHE, cache)) && good;
    }
    for (size_t i = 0; i < config->isa_count; i++)
        good = isa_make(&agent->isas[i], agent, &config->isas[i]) && good;
    return good;
}

/* Whether the core serves a driver of that version, whose structure has SIZE bytes where the core's has MOST. */
static bool version_served(uint16_t major, uint16_t minor, size_t size, size_t most)
{
    if (major == HSAM_VERSION_MAJOR && minor <= HSAM_VERSION_MINOR && size <= most)
        return true;
    message_print(MESSAGE_DRIVER_VERSION, major, minor, HSAM_VERSION_MAJOR, HSAM_VERSION_MINOR);
    return false;
}

HSA_API const hsa_generic_driver_interface *hsa_register_agent(
    const hsa_agent_driver_interface *interface, const hsa_agent_driver_config *config, void *driver,
    hsa_generic_driver_config *generic)
{
    if (!interface || !config || !generic || runtime_up())
        return NULL;
    *generic = (hsa_generic_driver_config){.major = HSAM_VERSION_MAJOR, .minor = HSAM_VERSION_MINOR};
    if (!version_served(interface->major, interface->minor, interface->struct_size, sizeof *interface) ||
        !version_served(config->major, config->minor, config->struct_size, sizeof *config) ||
        runtime.agents.count >= UINT16_MAX)
        return NULL;
    struct agent *agent = mem_zalloc(1, sizeof *agent);
    if (!agent)
        return NULL;
    pthread_mutex_init(&agent->client_lock, NULL);
    memcpy(&agent->interface, interface, interface->struct_size);
    memcpy(&agent->config, config, config->struct_size);
    agent->driver = driver;
    agent->visible = true;
    const char *wrong = contradiction(&agent->config);
    if (wrong) {
        message_print(MESSAGE_DRIVER_CONFIG, wrong);
        agent->config.region_count = agent->config.cache_count = agent->config.isa_count = 0;
        agent_free(agent);
        return NULL;
    }
    if (!agent_topology(agent) || !vec_push(&runtime.agents, agent)) {
        agent_free(agent);
        return NULL;
    }
    agent->generic = (hsa_generic_driver_config){
        .major = HSAM_VERSION_MAJOR,
        .minor = HSAM_VERSION_MINOR,
        .device_driver_id = (uint16_t)runtime.agents.count,
        .agent = agent->handle,
    };
    *generic = agent->generic;
    return &generic_interface;
}

/* ---- all drivers ---- */

/* Lets the driver in LIBRARY register its agents, and returns whether it has any. If the driver fails, the agents that
 * it has registered are forgotten. */
static bool library_start(void *library, const char *path)
{
    int (*init)(hsa_register_agent_t) = (int (*)(hsa_register_agent_t))dlsym(library, "hsam_agent_driver_init");
    size_t before = runtime.agents.count;
    int count = init ? init(hsa_register_agent) : 0;
    if (count > 0)
        return true;
    if (count < 0)
        message_print(MESSAGE_DRIVER_NONE, path, count);
    else if (!init)
        message_print(MESSAGE_DRIVER_ENTRY, path);
    while (runtime.agents.count > before)
        agent_free(runtime.agents.items[--runtime.agents.count]);
    return false;
}

/* Loads the driver at PATH. One that is missing or fails is reported and left out, as if its hardware were absent. */
static hsa_status_t library_load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        message_print(MESSAGE_DRIVER_LOAD, dlerror());
        return HSA_STATUS_SUCCESS;
    }
    if (!library_start(library, path)) {
        dlclose(library);
        return HSA_STATUS_SUCCESS;
    }
    return vec_push(&libraries, library) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static hsa_status_t libraries_load(const char *paths)
{
    while (paths && *paths) {
        size_t length = strcspn(paths, ":");
        char *path = mem_alloc(length + 1);
        CHECK(path, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        memcpy(path, paths, length);
        path[length] = 0;
        hsa_status_t status = length ? library_load(path) : HSA_STATUS_SUCCESS;
        mem_free(path);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        paths += length + (paths[length] == ':');
    }
    return HSA_STATUS_SUCCESS;
}

/* Whether LIST ("0,2,GPU-abc") names AGENT, by its UUID or by ORDINAL, its number among those that are no CPUs. */
static bool list_names(const char *list, const struct agent *agent, unsigned ordinal)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        const char *uuid = agent->config.uuid;
        char *end;
        unsigned long number = strtoul(list, &end, 10);
        if (length && end == list + length && number == ordinal)
            return true;
        if (length && uuid && strlen(uuid) == length && !memcmp(list, uuid, length))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static void hide_agents(void)
{
    const char *list = getenv("ROCR_VISIBLE_DEVICES");
    unsigned ordinal = 0;
    for (size_t i = 0; list && i < runtime.agents.count; i++) {
        struct agent *agent = runtime.agents.items[i];
        if (agent->config.device_type != HSA_DEVICE_TYPE_CPU)
            agent->visible = list_names(list, agent, ordinal++);
    }
}

hsa_status_t agents_init(void)
{
#define DRIVER(name)                                                                                         \
    if (name##_driver_init(hsa_register_agent) < 0)                                                          \
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
#include "runtime/drivers.def"
#undef DRIVER
    hsa_status_t status = libraries_load(secure_getenv("HSA_AGENT_DRIVERS"));
    hide_agents();
    return status;
}

static void disconnect(struct agent *agent)
{
    struct request request;
    if (agent->has_client && agent->interface.client_remove)
        request_finish(&request, agent->interface.client_remove(agent->driver, agent->client, request_start(&request)));
    agent->has_client = false;
}

void agents_disconnect(void)
{
    for (size_t i = runtime.agents.count; i-- > 1;)
        disconnect(runtime.agents.items[i]);
}

void agents_shut_down(void)
{
    if (runtime.agents.count)
        disconnect(agent_host());
    for (size_t i = runtime.agents.count; i-- > 0;) {
        struct agent *agent = runtime.agents.items[i];
        if (agent->interface.fini)
            agent->interface.fini(agent->driver);
        agent_free(agent);
    }
    vec_free(&runtime.agents);
    for (size_t i = 0; i < libraries.count; i++)
        dlclose(libraries.items[i]);
    vec_free(&libraries);
}
