/* SPDX-License-Identifier: MIT */
/* The driver of the software GPU, which the core calls through the component interface (hsa/hsam.h).
 * Input: the environment: HSA_GCN_AGENTS (the processors of the agents, or how many agents of the first processor in
 * target.def there are, which is one by default), HSA_GCN_THREADS (host threads per dispatch, default: the processors
 * online), HSA_GCN_HOST_ISA (base, avx2 or avx512, default: the best that the host runs), HSA_GCN_MEMORY (guarded or
 * host: what memory kernels may touch). Output: agents. Invariant: a value of the environment that makes no sense
 * is ignored. */
#include "runtime/gcn/gcn_agent.h"

#include "runtime/gcn/check/check.h"
#include "runtime/gcn/exec/exec_clock.h"
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/observe/observe.h"
#include "support/alloc.h"
#include "support/cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

/* Memory is the host's: every region is the same memory, reachable by all. Agents fill in the sizes. */
static const hsam_region regions[GCN_REGIONS] = {
#define GLOBAL(flags)                                                                                        \
    {                                                                                                        \
        .segment = HSA_REGION_SEGMENT_GLOBAL, .global_flags = (flags), .alloc_granule = 4096,                \
        .alloc_alignment = 4096, .host_accessible = true, .accessible_by_all = true                          \
    }
    GLOBAL(HSA_REGION_GLOBAL_FLAG_FINE_GRAINED),
    GLOBAL(HSA_REGION_GLOBAL_FLAG_KERNARG | HSA_REGION_GLOBAL_FLAG_FINE_GRAINED),
    GLOBAL(HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED),
    {.segment = HSA_REGION_SEGMENT_GROUP},
#undef GLOBAL
};

static const hsam_isa common_isa = {
    .wavefront_sizes = {GCN_LANES, 0},
    .profiles = {true, true},
    .default_float_rounding_modes = {false, true, true},
    .base_profile_default_float_rounding_modes = {false, true, true},
    .fast_f16 = true,
    .workgroup_max_dim = {GCN_GROUP_ITEMS_MAX, GCN_GROUP_ITEMS_MAX, GCN_GROUP_ITEMS_MAX},
    .workgroup_max_size = GCN_GROUP_ITEMS_MAX,
    .grid_max_dim = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
    .grid_max_size = UINT64_MAX,
    .fbarrier_max_size = 32,
    .exception_policies = {[HSA_PROFILE_FULL] = HSA_EXCEPTION_POLICY_BREAK | HSA_EXCEPTION_POLICY_DETECT},
    .fma_round_method = {HSA_ROUND_METHOD_SINGLE, HSA_ROUND_METHOD_SINGLE},
};

static const hsam_cache caches[] = {{"L1", 1, 16 * 1024}, {"L2", 2, 4096 * 1024}};

/* The interface */

static HSAM_Error client_new(void *driver, hsam_handle_t client, void *space, void *cookie, hsam_handle_t *at_agent)
{
    (void)space, (void)cookie;
    struct gcn_agent *agent = driver;
    if (!gcn_guard_acquire())
        return HSAM_OutOfResources;
    agent->pool = gcn_pool_new(agent->threads - 1);
    if (!agent->pool) {
        gcn_guard_release();
        return HSAM_OutOfResources;
    }
    agent->client = client;
    *at_agent = client;
    return HSAM_Done;
}

static HSAM_Error client_remove(void *driver, hsam_handle_t client, void *cookie)
{
    (void)client, (void)cookie;
    struct gcn_agent *agent = driver;
    gcn_pool_free(agent->pool);
    agent->pool = NULL;
    gcn_guard_release();
    return HSAM_Done;
}

/* Reads from every page of a code object, so that the process has all of them and they count as written: what the file
 * leaves out is 0. */
static void touch_pages(const void *base, size_t size)
{
    enum { PAGE = 4096 };
    const volatile char *bytes = base;
    for (size_t at = 0; at < size; at += PAGE)
        (void)bytes[at];
}

static HSAM_Error code_load(void *driver, hsam_handle_t client, const hsam_code *code, void *cookie,
                            hsam_handle_t *at_agent)
{
    (void)client, (void)cookie;
    struct gcn_agent *agent = driver;
    if (!guest_memory_add(agent->guest, code->base, code->size))
        return HSAM_OutOfResources;
    if (agent->checks & GCN_CHECK_INIT)
        touch_pages(code->base, code->size);
    struct gcn_code *loaded = gcn_cache_add(agent->cache, code->text, code->text_size, code->base, code->size);
    if (!loaded)
        guest_memory_remove(agent->guest, code->base);
    *at_agent = (hsam_handle_t)(intptr_t)loaded;
    __atomic_fetch_add(&agent->loads, 1, __ATOMIC_RELEASE);
    return loaded ? HSAM_Done : HSAM_OutOfResources;
}

static HSAM_Error code_unload(void *driver, hsam_handle_t client, hsam_handle_t code, void *cookie)
{
    (void)client, (void)cookie;
    struct gcn_agent *agent = driver;
    struct gcn_code *loaded = (struct gcn_code *)(intptr_t)code;
    guest_memory_remove(agent->guest, gcn_code_base(loaded));
    gcn_cache_remove(agent->cache, loaded);
    __atomic_fetch_add(&agent->loads, 1, __ATOMIC_RELEASE);
    return HSAM_Done;
}

/* What the core tells about memory matters only to an agent that guards it. */
static HSAM_Error memory_allocation(void *driver, hsam_handle_t client, void *address, size_t size,
                                    hsam_segment segment, uint32_t global_flags, void *cookie)
{
    (void)client, (void)segment, (void)global_flags, (void)cookie;
    struct gcn_agent *agent = driver;
    return guest_memory_add(agent->guest, address, size) ? HSAM_Done : HSAM_OutOfResources;
}

static HSAM_Error memory_free(void *driver, hsam_handle_t client, void *address, void *cookie)
{
    (void)client, (void)cookie;
    struct gcn_agent *agent = driver;
    guest_memory_remove(agent->guest, address);
    return HSAM_Done;
}

static void fini(void *driver)
{
    struct gcn_agent *agent = driver;
    gcn_cache_free(agent->cache);
    guest_memory_free(agent->guest);
    gcn_check_forget(agent);
    gcn_observe_wish_free(agent->observe);
    mem_free(agent);
}

static const hsa_agent_driver_interface interface = {
    .struct_size = sizeof(hsa_agent_driver_interface),
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .client_new = client_new,
    .client_remove = client_remove,
    .unblock_destination = gcn_queue_unblock,
    .memory_allocation = memory_allocation,
    .memory_free = memory_free,
    .queue_new = gcn_queue_new,
    .queue_remove = gcn_queue_remove,
    .queue_inactivate = gcn_queue_inactivate,
    .code_load = code_load,
    .code_unload = code_unload,
    .fini = fini,
};

/* Registration */

/* The number that NAME holds in the environment if it lies between LOW and HIGH, else FALLBACK. */
static unsigned long setting(const char *name, unsigned long low, unsigned long high, unsigned long fallback)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text || *text == '-')
        return fallback;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    return *end || errno || value < low || value > high ? fallback : value;
}

/* How much memory an agent says it has: HSA_GCN_MEMORY_SIZE in MiB, or by default a quarter of the host's memory and at
 * most 4 GiB, since some programs take most of what they find. */
static size_t host_memory(void)
{
    enum { MIB = 20 };
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t quarter = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 4 >> MIB : 1024;
    return setting("HSA_GCN_MEMORY_SIZE", SOFTWARE_GPU_MEMORY_MIN, SIZE_MAX >> MIB, quarter < 4096 ? quarter : 4096)
           << MIB;
}

/* A card of its own (base), or part of the host's memory system (full). */
static hsa_profile_t profile(void)
{
    const char *text = getenv("HSA_GCN_PROFILE");
    return text && !strcmp(text, "base") ? HSA_PROFILE_BASE : HSA_PROFILE_FULL;
}

static unsigned default_threads(void)
{
    unsigned count = cpu_count();
    return count > THREADS_MAX ? THREADS_MAX : count;
}

/* Fills in what depends on the processor of AGENT. */
static void describe_processor(struct gcn_agent *agent)
{
    const struct amdgpu_processor *is = agent->target->processor;
    agent->isa = common_isa;
    agent->isa.name = agent->target->isa;
    agent->isa.waves_per_compute_unit = GCN_UNIT_SIMDS * is->generation->simd_waves;
    memcpy(agent->regions, regions, sizeof regions);
    for (size_t i = 0; i < GCN_REGIONS; i++)
        if (regions[i].segment == HSA_REGION_SEGMENT_GLOBAL)
            agent->regions[i].size = agent->regions[i].alloc_max_size = host_memory();
        else
            agent->regions[i].size = is->generation->lds;
    snprintf(agent->product, sizeof agent->product, "%s in software", is->name);
}

/* Whether kernels may touch only memory that HSA gave out or was told of. Programs written for the base profile expect
 * no more than that. */
static bool is_guarded(hsa_profile_t profile)
{
    const char *text = getenv("HSA_GCN_MEMORY");
    if (text && (!strcmp(text, "guarded") || !strcmp(text, "host")))
        return *text == 'g';
    return profile == HSA_PROFILE_BASE;
}

static void configure(struct gcn_agent *agent, unsigned number)
{
    const struct amdgpu_processor *is = agent->target->processor;
    snprintf(agent->uuid, sizeof agent->uuid, "GPU-%016x", number);
    agent->threads = (unsigned)setting("HSA_GCN_THREADS", 1, THREADS_MAX, default_threads());
    agent->config = (hsa_agent_driver_config){
        .struct_size = sizeof agent->config,
        .major = HSAM_VERSION_MAJOR,
        .minor = HSAM_VERSION_MINOR,
        .name = is->name,
        .vendor_name = "AMD",
        .product_name = agent->product,
        .uuid = agent->uuid,
        .device_type = HSA_DEVICE_TYPE_GPU,
        .profile = profile(),
        .features = HSA_AGENT_FEATURE_KERNEL_DISPATCH,
        .default_float_rounding_mode = HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
        .queues_max = 128,
        .queue_min_size = 64,
        .queue_max_size = 131072,
        .queue_type = HSA_QUEUE_TYPE_MULTI,
        .cooperative_queues = true,
        .page_fault_supported = true,
        .node = number + 1, /* the host is node 0 */
        .regions = agent->regions,
        .region_count = GCN_REGIONS,
        .caches = caches,
        .cache_count = sizeof caches / sizeof caches[0],
        .isas = &agent->isa,
        .isa_count = 1,
        .chip_id = is->chip,
        .cacheline_size = 64,
        .compute_unit_count = agent->threads,
        .max_clock_mhz = GCN_CORE_MHZ,
        .max_waves_per_cu = agent->isa.waves_per_compute_unit,
        .simds_per_cu = GCN_UNIT_SIMDS,
        .shader_engines = 1,
        .shader_arrays_per_engine = 1,
        .memory_width_bits = 64,
        .memory_max_mhz = 1000,
    };
}

static int add_agent(hsa_register_agent_t register_agent, unsigned number, const struct gcn_engine *engine,
                     const struct gcn_target *target)
{
    struct gcn_agent *agent = mem_zalloc(1, sizeof *agent);
    if (!agent)
        return 0;
    agent->engine = engine;
    agent->target = target;
    describe_processor(agent);
    configure(agent, number);
    agent->cache = gcn_cache_new(engine, target);
    agent->checks = gcn_checks_named(getenv("HSA_GCN_CHECK"));
    pthread_mutex_init(&agent->reported_lock, NULL);
    if (agent->cache)
        gcn_cache_check(agent->cache, agent->checks);
    agent->observe = gcn_observe_wish_new();
    if (agent->cache && agent->observe)
        gcn_cache_observe(agent->cache);
    bool guarded = is_guarded(agent->config.profile);
    agent->guest = guarded ? guest_memory_new() : NULL;
    const char *guard = getenv("HSA_MEMORY_GUARD");
    agent->host_counts = !guarded && !(guard && !strcmp(guard, "1"));
    agent->core = agent->cache && (agent->guest || !guarded)
                      ? register_agent(&interface, &agent->config, agent, &agent->generic)
                      : NULL;
    if (!agent->core)
        fini(agent);
    return agent->core != NULL;
}

/* The processors in TEXT, separated by commas; returns how many, or 0 when it is not such a list. */
static unsigned listed_agents(const char *text, const struct gcn_target *list[SOFTWARE_GPUS_MAX])
{
    for (unsigned count = 0; count < SOFTWARE_GPUS_MAX; text++) {
        size_t length = strcspn(text, ",");
        list[count] = gcn_target_find(text, length);
        if (!list[count++])
            return 0;
        text += length;
        if (!*text)
            return count;
    }
    return 0;
}

/* The agents that the environment asks for. */
static unsigned wanted_agents(const struct gcn_target *list[SOFTWARE_GPUS_MAX])
{
    const char *text = getenv("HSA_GCN_AGENTS");
    unsigned count = text ? listed_agents(text, list) : 0;
    if (count)
        return count;
    count = (unsigned)setting("HSA_GCN_AGENTS", 0, SOFTWARE_GPUS_MAX, 1);
    for (unsigned i = 0; i < count; i++)
        list[i] = gcn_target_number(0);
    return count;
}

int gcn_driver_init(hsa_register_agent_t register_agent)
{
    const struct gcn_target *list[SOFTWARE_GPUS_MAX];
    unsigned count = wanted_agents(list);
    const struct gcn_engine *engine = gcn_engine_select(getenv("HSA_GCN_HOST_ISA"));
    if (!engine)
        engine = gcn_engine_select(NULL);
    for (unsigned i = 0; i < count; i++)
        if (!add_agent(register_agent, i, engine, list[i]))
            return HSAM_OutOfResources;
    return (int)count;
}
