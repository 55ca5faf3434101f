/* SPDX-License-Identifier: MIT */
/* Tests start and end of the runtime, information queries, regions, pools, copies and ownership. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/interpose.h"
#include "testsuite/seconds.h"

#include "hsa/hsa_ext_finalize.h"
static hsa_agent_t agent, cpu;

struct regions {
    hsa_region_t fine, kernarg, coarse, group;
};

static hsa_status_t sort_region(hsa_region_t region, void *data)
{
    struct regions *to = data;
    hsa_region_segment_t segment;
    uint32_t flags;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (segment == HSA_REGION_SEGMENT_GROUP)
        to->group = region;
    else if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        to->kernarg = region;
    else if (flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED)
        to->fine = region;
    else if (!to->coarse.handle)
        to->coarse = region; /* the first one is the agent's own */
    return HSA_STATUS_SUCCESS;
}

static void life(void)
{
    const char *text = NULL;
    ok(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_iterate_agents(NULL, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_memory_free(&text) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_ext_program_destroy((hsa_ext_program_t){0}) == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "nothing works before hsa_init");
    ok(hsa_status_string(HSA_STATUS_ERROR_INVALID_QUEUE, &text) == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "nor do status strings");
    start("");
    ok(hsa_status_string(HSA_STATUS_ERROR_INVALID_QUEUE, &text) == HSA_STATUS_SUCCESS &&
           !strncmp(text, "HSA_STATUS_ERROR_INVALID_QUEUE: ", 32) &&
           hsa_status_string((hsa_status_t)HSA_EXT_STATUS_ERROR_INVALID_MODULE, &text) == HSA_STATUS_SUCCESS &&
           hsa_status_string((hsa_status_t)0x777, &text) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_status_string(HSA_STATUS_SUCCESS, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "status strings");
    ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_shut_down() == HSA_STATUS_SUCCESS &&
           hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &text) == HSA_STATUS_SUCCESS,
       "initialisations nest");
    hsa_agent_t old = test_agent(NULL);
    uint32_t number;
    hsa_shut_down();
    start("");
    ok(hsa_agent_get_info(old, HSA_AGENT_INFO_NODE, &number) == HSA_STATUS_ERROR_INVALID_AGENT,
       "handles die with the runtime");
}

static void information(void)
{
    uint64_t first = 0, second = 0, frequency = 0;
    uint8_t mask[128];
    ok(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &first) == HSA_STATUS_SUCCESS &&
           hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &second) == HSA_STATUS_SUCCESS && second >= first &&
           hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency) == HSA_STATUS_SUCCESS &&
           frequency >= 1000000 && frequency <= 400000000,
       "the clock does not run backwards, and its frequency is one that HSA allows");
    double before = seconds_now(), from, to;
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &first);
    from = seconds_now();
    usleep(20000);
    to = seconds_now();
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &second);
    double passed = (double)(second - first) / (double)frequency, after = seconds_now();
    ok(passed >= to - from - 1e-6 && passed <= after - before + 1e-6, "the clock has the frequency that it reports");
    ok(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, mask) == HSA_STATUS_SUCCESS &&
           hsa_system_get_info((hsa_system_info_t)99, mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_system_get_info(HSA_SYSTEM_INFO_ENDIANNESS, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "system attributes");
    bool result = true;
    uint16_t minor = 9;
    const char *name = NULL;
    ok(hsa_system_extension_supported(HSA_EXTENSION_PROFILING_EVENTS, 1, 0, &result) == HSA_STATUS_SUCCESS && !result &&
           hsa_system_major_extension_supported(77, 1, &minor, &result) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_extension_get_name(HSA_EXTENSION_FINALIZER, &name) == HSA_STATUS_SUCCESS &&
           !strcmp(name, "HSA_EXTENSION_FINALIZER") &&
           hsa_system_get_major_extension_table(HSA_EXTENSION_PROFILING_EVENTS, 1, 8, mask) == HSA_STATUS_ERROR &&
           hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, 0, mask) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "extensions");
    uint32_t size = 0;
    hsa_isa_t isa = {0}, other = {0};
    ok(hsa_agent_get_info(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE, &size) == HSA_STATUS_SUCCESS && size == 64 &&
           hsa_agent_get_info(agent, (hsa_agent_info_t)0x777, &size) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_agent_get_info((hsa_agent_t){agent.handle + 1}, HSA_AGENT_INFO_NODE, &size) ==
               HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa) == HSA_STATUS_SUCCESS,
       "agent attributes");
    ok(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx900:xnack-", &other) == HSA_STATUS_SUCCESS &&
           hsa_isa_from_name("AMD:AMDGPU:9:0:0", &other) == HSA_STATUS_SUCCESS &&
           hsa_isa_from_name("amdgcn-amd-amdhsa--gfx900:xnack+", &other) == HSA_STATUS_ERROR_INVALID_ISA_NAME &&
           hsa_isa_from_name("amdgcn-amd-amdhsa--gfx9", &other) == HSA_STATUS_ERROR_INVALID_ISA_NAME &&
           hsa_isa_from_name("amdgcn-amd-amdhsa--gfx900:xnack-:xnack-", &other) == HSA_STATUS_ERROR_INVALID_ISA_NAME &&
           hsa_isa_get_info((hsa_isa_t){agent.handle}, HSA_ISA_INFO_NAME_LENGTH, 0, &size) ==
               HSA_STATUS_ERROR_INVALID_ISA &&
           hsa_isa_get_info(isa, HSA_ISA_INFO_NAME_LENGTH, 1, &size) == HSA_STATUS_ERROR_INVALID_INDEX,
       "instruction sets by name");
}

static void allocation(const struct regions *r)
{
    void *p = NULL, *big = NULL;
    ok(hsa_memory_allocate((hsa_region_t){5}, 8, &p) == HSA_STATUS_ERROR_INVALID_REGION &&
           hsa_memory_allocate(r->fine, 0, &p) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_allocate(r->fine, 8, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_allocate(r->group, 8, &p) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_memory_allocate(r->coarse, (size_t)1 << 30, &p) == HSA_STATUS_ERROR_INVALID_ALLOCATION,
       "wrong allocations are refused");
    ok(hsa_memory_allocate(r->fine, 100, &p) == HSA_STATUS_SUCCESS && (uintptr_t)p % 4096 == 0 && !((char *)p)[4095] &&
           hsa_memory_allocate(r->coarse, 1 << 20, &big) == HSA_STATUS_SUCCESS && (uintptr_t)big % 4096 == 0 &&
           !((char *)big)[(1 << 20) - 1],
       "memory is aligned, zero and of whole granules");
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    ok(hsa_amd_pointer_info((char *)p + 50, &info, NULL, NULL, NULL) == HSA_STATUS_SUCCESS &&
           info.type == HSA_EXT_POINTER_TYPE_HSA && info.hostBaseAddress == p && info.sizeInBytes == 4096 &&
           info.agentOwner.handle == cpu.handle,
       "an address is known");
    int local = 0;
    uint32_t count = 0;
    hsa_agent_t *list = NULL;
    ok(hsa_amd_pointer_info(&local, &info, NULL, NULL, NULL) == HSA_STATUS_SUCCESS &&
           info.type == HSA_EXT_POINTER_TYPE_UNKNOWN &&
           hsa_amd_pointer_info(big, &info, malloc, &count, &list) == HSA_STATUS_SUCCESS && count == 1 &&
           list[0].handle == agent.handle,
       "strangers and owners are told apart");
    free(list);
    list = NULL;
    ok(hsa_amd_agents_allow_access(1, &cpu, NULL, big) == HSA_STATUS_SUCCESS &&
           hsa_amd_agents_allow_access(1, &cpu, NULL, &local) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_pointer_info(big, &info, malloc, &count, &list) == HSA_STATUS_SUCCESS && count == 2,
       "access is given");
    free(list);
    ok(hsa_amd_memory_fill(p, 0xabcd1234, 25) == HSA_STATUS_SUCCESS && ((uint32_t *)p)[24] == 0xabcd1234 &&
           hsa_amd_memory_fill(p, 0, 1025) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_amd_memory_fill((char *)p + 1, 0, 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "fill stays inside");
    ok(hsa_amd_memory_lock(&local, sizeof local, NULL, 0, &p) == HSA_STATUS_SUCCESS && p == &local &&
           hsa_amd_memory_unlock(&local) == HSA_STATUS_SUCCESS &&
           hsa_amd_memory_unlock(&local) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_register(NULL, 0) == HSA_STATUS_SUCCESS && hsa_memory_register(NULL, 64) == HSA_STATUS_SUCCESS &&
           hsa_memory_register(&local, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "lock and register");
    ok(hsa_memory_free(big) == HSA_STATUS_SUCCESS && hsa_memory_free(big) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_memory_free(&local) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_memory_free(NULL) == HSA_STATUS_SUCCESS,
       "only allocations are freed, once");
}

static int released;

static void on_release(void *ptr, void *data)
{
    (void)ptr;
    released += *(int *)data;
}

static void copies(const struct regions *r)
{
    char *from, *to;
    int one = 1;
    hsa_memory_allocate(r->fine, 8192, (void **)&from);
    hsa_memory_allocate(r->fine, 8192, (void **)&to);
    for (int i = 0; i < 8192; i++)
        from[i] = (char)(i * 7);
    ok(hsa_memory_copy(to, NULL, 4) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_copy(to, from, 0) == HSA_STATUS_SUCCESS && !to[1] &&
           hsa_memory_copy(to, from, 8192) == HSA_STATUS_SUCCESS && !memcmp(to, from, 8192),
       "copy");
    memset(to, 0, 8192);
    hsa_signal_t gate, done;
    hsa_signal_create(1, 0, NULL, &gate);
    hsa_signal_create(1, 0, NULL, &done);
    hsa_signal_t none = {0};
    ok(hsa_amd_memory_async_copy(to, cpu, from, cpu, 10, 1, NULL, done) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_memory_async_copy(to, cpu, from, cpu, 10, 0, NULL, none) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_memory_async_copy(to, (hsa_agent_t){2}, from, cpu, 10, 0, NULL, done) ==
               HSA_STATUS_ERROR_INVALID_AGENT,
       "wrong copies are refused");
    ok(hsa_amd_memory_async_copy(to, cpu, from, cpu, 8192, 1, &gate, done) == HSA_STATUS_SUCCESS &&
           hsa_signal_wait_relaxed(done, HSA_SIGNAL_CONDITION_LT, 1, 2000000, HSA_WAIT_STATE_BLOCKED) == 1 && !to[1],
       "an asynchronous copy waits");
    hsa_signal_store_screlease(gate, 0);
    ok(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0 &&
           !memcmp(to, from, 8192),
       "and then copies");
    hsa_signal_store_relaxed(done, 1);
    ok(hsa_amd_memory_async_copy(to, cpu, (void *)8, cpu, 16, 0, NULL, done) == HSA_STATUS_SUCCESS &&
           hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) < 0,
       "a copy from where nothing is makes its signal negative");
    ok(hsa_memory_copy((void *)8, from, 16) == HSA_STATUS_ERROR_INVALID_ARGUMENT, "one to there is refused");
    char *plain = malloc(3 << 20), *other = calloc(3, 1 << 20);
    memset(plain, 5, 3 << 20);
    ok(hsa_memory_copy(other, plain, 3 << 20) == HSA_STATUS_SUCCESS && !memcmp(other, plain, 3 << 20) &&
           hsa_memory_copy(other + 1, other, 100) == HSA_STATUS_SUCCESS,
       "memory that HSA does not know is copied");
    free(plain);
    free(other);
    hsa_signal_store_relaxed(done, 0);
    memset(to, 0, 8192);
    hsa_pitched_ptr_t source = {from, 64, 1024}, target = {to, 32, 256};
    hsa_dim3_t at = {4, 1, 0}, start_at = {0, 0, 0}, range = {8, 3, 2}, wide = {65, 2, 1};
    ok(hsa_amd_memory_async_copy_rect(&target, &start_at, &source, &at, &wide, agent, hsaHostToHost, 0, NULL, done) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_memory_async_copy_rect(
               &target, &start_at, &source, &at, &range, agent, hsaHostToHost, 0, NULL, done) == HSA_STATUS_SUCCESS &&
           hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == -1 &&
           !memcmp(to + 256 + 64, from + 1024 + 3 * 64 + 4, 8) && !to[8],
       "a box is copied");
    hsa_signal_destroy(gate);
    hsa_signal_destroy(done);
    ok(hsa_amd_register_deallocation_callback(to, on_release, &one) == HSA_STATUS_SUCCESS &&
           hsa_amd_deregister_deallocation_callback(from, on_release) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_free(to) == HSA_STATUS_SUCCESS && released == 1,
       "a release is told");
    hsa_memory_free(from);
}

/* Coarse-grained memory that its agent keeps elsewhere. */
static void ownership(const struct regions *r)
{
    char *mine = NULL, out[16] = {0};
    hsa_memory_allocate(r->coarse, 200000, (void **)&mine);
    ok(hsa_memory_assign_agent(mine, agent, HSA_ACCESS_PERMISSION_NONE) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_assign_agent(NULL, agent, HSA_ACCESS_PERMISSION_RW) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_assign_agent(mine, agent, HSA_ACCESS_PERMISSION_RW) == HSA_STATUS_SUCCESS &&
           counts()->memory_acquire == 1 && counts()->memory_allocation >= 1,
       "the new owner learns of it");
    ok(hsa_memory_copy(mine + 100000, "private memory", 15) == HSA_STATUS_SUCCESS && !mine[100000] &&
           hsa_memory_copy(out, mine + 100000, 15) == HSA_STATUS_SUCCESS && !strcmp(out, "private memory") &&
           counts()->memory_copy == 2,
       "the owner copies");
    ok(hsa_memory_assign_agent(mine, cpu, HSA_ACCESS_PERMISSION_RW) == HSA_STATUS_SUCCESS &&
           counts()->memory_release == 1,
       "the old owner lets go");
    hsa_memory_assign_agent(mine, agent, HSA_ACCESS_PERMISSION_RW);
    ok(hsa_memory_free(mine) == HSA_STATUS_SUCCESS, "and is told when it is freed");
}

/* Starts and ends the runtime again and again, and makes another allocation fail each time. Each failure must be
 * reported by a status, and nothing may leak. */
static void out_of_memory(const struct regions *r)
{
    if (!CAN_INTERPOSE) {
        tap_skip("each allocation can fail", "the sanitizer has the allocator");
        return;
    }
    bool good = true;
    long n = 0;
    for (int failed = 1; failed && n < 100; n++) {
        hsa_signal_t signal = {0};
        hsa_signal_group_t group = {0};
        hsa_executable_t executable = {0};
        hsa_queue_t *queue = NULL;
        void *memory = NULL;
        allocations_left = n;
        hsa_status_t status = hsa_signal_create(0, 0, NULL, &signal);
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_signal_group_create(1, &signal, 1, &cpu, &group);
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_memory_allocate(r->fine, 64, &memory);
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue);
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable);
        if (status == HSA_STATUS_SUCCESS)
            status = hsa_executable_global_variable_define(executable, "name", memory);
        failed = allocations_left < 0;
        allocations_left = -1;
        good &= status == (failed ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS);
        hsa_executable_destroy(executable);
        hsa_queue_destroy(queue);
        hsa_memory_free(memory);
        hsa_signal_group_destroy(group);
        hsa_signal_destroy(signal);
    }
    ok(good && n > 5 && n < 100, "each of %ld allocations can fail", n - 1);
}

int main(void)
{
    struct regions regions = {{0}};
    if (!counts())
        return tap_done();
    life();
    agent = test_agent(&cpu);
    hsa_agent_iterate_regions(agent, sort_region, &regions);
    ok(regions.fine.handle && regions.kernarg.handle && regions.coarse.handle && regions.group.handle,
       "the agent reaches its own regions and the system's");
    information();
    allocation(&regions);
    copies(&regions);
    out_of_memory(&regions);
    void *left;
    hsa_memory_allocate(regions.fine, 100000, &left);
    hsa_memory_allocate(regions.fine, 1000000, &left);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with memory left");
    memset(counts(), 0, sizeof *counts());
    start("vram,async");
    agent = test_agent(&cpu);
    memset(&regions, 0, sizeof regions);
    hsa_agent_iterate_regions(agent, sort_region, &regions);
    ownership(&regions);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
