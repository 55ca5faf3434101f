/* SPDX-License-Identifier: MIT */
/* Tests memory that belongs to its driver, and the other additions of version 2 of the component interface, with two
 * agents whose memory the host cannot reach: agents that come late, events, doorbells, residence, versions. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 200000, WORDS = SIZE / 4 };

static hsa_agent_t agent, other, cpu;
static struct test_driver_counts *count;
static hsa_region_t regions[2]; /* coarse-grained ones, of AGENT and OTHER */
static hsa_region_t fine;

static hsa_status_t find_region(hsa_region_t region, void *data)
{
    uint32_t flags = 0;
    size_t limit = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    hsa_region_get_info(region, HSA_REGION_INFO_ALLOC_MAX_SIZE, &limit);
    if (limit && flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED && !((hsa_region_t *)data)->handle)
        *(hsa_region_t *)data = region;
    if (flags == HSA_REGION_GLOBAL_FLAG_FINE_GRAINED)
        fine = region;
    return HSA_STATUS_SUCCESS;
}

static bool begin(const char *mode)
{
    if (!start(mode))
        return false;
    agent = agent_named("test", &cpu);
    other = agent_named("other", NULL);
    memset(regions, 0, sizeof regions);
    hsa_agent_iterate_regions(agent, find_region, &regions[0]);
    hsa_agent_iterate_regions(other, find_region, &regions[1]);
    return true;
}

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

static uint32_t pattern[WORDS], result[WORDS];

static bool comes_back(const void *address, size_t size)
{
    memset(result, 0, sizeof result);
    return hsa_memory_copy(result, address, size) == HSA_STATUS_SUCCESS && !memcmp(result, pattern, size);
}

/* ---- memory ---- */

static void private_memory(void)
{
    char *mine = NULL;
    void *large = NULL;
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    ok(hsa_memory_allocate(regions[0], SIZE, (void **)&mine) == HSA_STATUS_SUCCESS && (uintptr_t)mine % 4096 == 0 &&
           !host_reaches(mine) && !host_reaches(mine + SIZE - 1),
       "the host cannot reach memory of the agent");
    ok(hsa_amd_pointer_info(mine + 5, &info, NULL, NULL, NULL) == HSA_STATUS_SUCCESS && !info.hostBaseAddress &&
           info.agentBaseAddress == mine && info.agentOwner.handle == agent.handle,
       "memory that the host cannot reach has no host address");
    hsa_amd_ipc_memory_t name;
    ok(hsa_amd_ipc_memory_create(mine, 200704, &name) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "memory of the agent cannot be shared with another process");
    ok(hsa_memory_copy(result, mine, SIZE) == HSA_STATUS_SUCCESS && !result[0] && !result[WORDS - 1],
       "memory of the agent is 0 at first");
    ok(hsa_memory_copy(mine, pattern, SIZE) == HSA_STATUS_SUCCESS && comes_back(mine, SIZE),
       "bytes are copied to the agent's memory and back");
    ok(hsa_memory_copy(mine + 1001, pattern, 777) == HSA_STATUS_SUCCESS && comes_back(mine + 1001, 777) &&
           hsa_memory_copy(mine, mine + 1001, 777) == HSA_STATUS_SUCCESS && comes_back(mine, 777),
       "parts of the agent's memory are copied, also inside it");
    ok(hsa_amd_memory_fill(mine, 0xabcd1234, WORDS) == HSA_STATUS_SUCCESS &&
           hsa_memory_copy(result, mine, SIZE) == HSA_STATUS_SUCCESS && result[0] == 0xabcd1234 &&
           result[WORDS / 2] == 0xabcd1234 && result[WORDS - 1] == 0xabcd1234,
       "the agent's memory is filled with a value");
    ok(hsa_memory_allocate(regions[0], 65 << 20, &large) == HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "an allocation larger than the driver's memory is out of resources");
    hsa_signal_t done;
    hsa_signal_create(2, 0, NULL, &done);
    hsa_pitched_ptr_t to = {mine, 64, 1024}, from = {pattern, 64, 1024};
    hsa_dim3_t zero = {0, 0, 0}, range = {8, 3, 2};
    ok(hsa_amd_memory_async_copy(mine + 8192, agent, pattern, cpu, 8192, 0, NULL, done) == HSA_STATUS_SUCCESS &&
           hsa_amd_memory_async_copy_rect(&to, &zero, &from, &zero, &range, agent, hsaHostToDevice, 0, NULL, done) ==
               HSA_STATUS_SUCCESS &&
           hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0 &&
           comes_back(mine + 8192, 8192),
       "asynchronous copies reach the agent's memory");
    ok(hsa_memory_copy(result, mine, 4096) == HSA_STATUS_SUCCESS &&
           !memcmp((char *)result + 1024 + 128, (char *)pattern + 1024 + 128, 8) && result[2] == 0xabcd1234,
       "an asynchronous copy of a box writes the box only");
    hsa_signal_destroy(done);
    ok(hsa_memory_free(mine) == HSA_STATUS_SUCCESS && count->memory_new == count->memory_delete,
       "freed memory goes back to its driver");
}

static void two_agents(void)
{
    char *mine = NULL, *others = NULL;
    hsa_memory_allocate(regions[0], SIZE, (void **)&mine);
    hsa_memory_allocate(regions[1], SIZE, (void **)&others);
    hsa_memory_copy(mine, pattern, SIZE);
    int copies = count->memory_copy, maps = count->memory_map, unmaps = count->memory_unmap;
    ok(hsa_memory_copy(others, mine, SIZE) == HSA_STATUS_SUCCESS && count->memory_copy - copies == 2 * 4 &&
           comes_back(others, SIZE),
       "between two agents memory is copied block by block through the host");
    uint32_t n = 0;
    hsa_agent_t *list = NULL;
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    int told = count->memory_allocation;
    ok(hsa_amd_agents_allow_access(1, &other, NULL, mine) == HSA_STATUS_SUCCESS && count->memory_map == maps + 1 &&
           count->memory_allocation == told + 1 &&
           hsa_amd_pointer_info(mine, &info, malloc, &n, &list) == HSA_STATUS_SUCCESS && n == 2,
       "another agent is given access, and told");
    free(list);
    hsa_agent_t both[2] = {agent, cpu};
    ok(hsa_amd_agents_allow_access(2, both, NULL, mine) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           count->memory_unmap == unmaps,
       "an agent that cannot reach it is refused, and nothing changes");
    int freed = count->memory_free;
    ok(hsa_amd_agents_allow_access(1, &agent, NULL, mine) == HSA_STATUS_SUCCESS && count->memory_unmap == unmaps + 1 &&
           count->memory_free == freed + 1,
       "the access of another agent is taken away");
    hsa_memory_free(mine); /* hsa_shut_down() has to free OTHERS */
}

/* ---- queues and code ---- */

static test_driver_reach_t *reach;

static void add_words(const hsa_kernel_dispatch_packet_t *packet, const hsa_generic_driver_interface *core)
{
    (void)core;
    uint32_t *words = reach(packet->kernarg_address);
    for (size_t i = 0; i < WORDS; i++)
        words[i] += 1;
}

static void kernels(void)
{
    hsa_queue_t *queue = NULL;
    hsa_signal_t done;
    uint32_t *mine = NULL;
    int told = count->memory_allocation;
    ok(hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_SUCCESS &&
           !count->last_queue.own_memory && count->last_queue.memory.host_accessible &&
           count->last_queue.memory.address == (void *)queue && count->memory_allocation > told,
       "a queue is in the host's memory when the driver says so, and the agent is told of it");
    const char *own = count->last_queue.destination_private;
    ok(own && !own[0] && !own[127], "the driver has its private part of the queue");
    hsa_signal_create(1, 0, NULL, &done);
    hsa_memory_allocate(regions[0], SIZE, (void **)&mine);
    hsa_memory_copy(mine, pattern, SIZE);
    hsa_kernel_dispatch_packet_t packet = {
        .header = HSA_PACKET_TYPE_KERNEL_DISPATCH,
        .kernel_object = (uintptr_t)add_words,
        .kernarg_address = mine,
        .completion_signal = done};
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_memory_copy(result, mine, SIZE);
    size_t wrong = 0;
    for (size_t i = 0; i < WORDS; i++)
        wrong += result[i] != pattern[i] + 1;
    ok(!wrong, "a kernel works on the agent's memory");
    hsa_memory_free(mine);
    hsa_signal_destroy(done);
    hsa_queue_destroy(queue);
}

static void code(void)
{
    uint64_t objects[MACHINE_KERNELS] = {0};
    int given = count->memory_new, protects = count->memory_protect;
    hsa_executable_t executable = machine_load(agent, objects);
    const char *base = count->last_code.base;
    ok(executable.handle && count->memory_new == given + 1 && !host_reaches(base) &&
           objects[0] - (uintptr_t)base < count->last_code.size,
       "code is placed in the agent's memory");
    ok(count->memory_protect > protects, "the code in the agent's memory is protected");
    int64_t entry[3];
    uint32_t instruction = 0;
    ok(hsa_memory_copy(entry, (void *)(uintptr_t)objects[MACHINE_EMPTY], sizeof entry) == HSA_STATUS_SUCCESS &&
           hsa_memory_copy(&instruction, (char *)(uintptr_t)objects[MACHINE_EMPTY] + entry[2], 4) ==
               HSA_STATUS_SUCCESS &&
           instruction == 0xbf810000,
       "the agent's memory has the machine code");
    void *locked = (void *)(uintptr_t)base;
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_memory_register(locked, 4096);
    ok(!hsa_executable_destroy(executable) && count->memory_delete == count->memory_new - 1,
       "the memory of code goes back to its driver");
    hsa_memory_deregister(locked, 4096);
    ok(!hsa_amd_pointer_info(locked, &info, NULL, NULL, NULL) && info.type == HSA_EXT_POINTER_TYPE_UNKNOWN,
       "nothing is known of the memory of code afterwards, though the client has registered its address");
}

static void with_fakevram(const char *mode)
{
    int clients = count->client_new;
    if (!begin(mode))
        return;
    ok(agent.handle && other.handle && regions[0].handle && regions[1].handle, "both agents are there");
    private_memory();
    two_agents();
    kernels();
    code();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && count->memory_new == count->memory_delete &&
           count->memory_allocation == count->memory_free && count->client_new == clients + 2 &&
           count->client_new == count->client_remove,
       "all memory is given back, and withdrawn, at the end");
}

/* ---- an agent that comes late ---- */

static void late(void)
{
    enum { FINE = 1 << 20, REGISTERED = 8192 };
    static char registered[REGISTERED];
    void *memory = NULL, *freed = NULL;
    hsa_signal_t signal;
    hsa_queue_t *queue = NULL;
    if (!begin("async"))
        return;
    int told = count->memory_allocation, clients = count->client_new;
    hsa_signal_create(0, 0, NULL, &signal);
    ok(!hsa_memory_allocate(fine, FINE, &memory) && !hsa_memory_allocate(fine, FINE, &freed) &&
           !hsa_memory_free(freed) && !hsa_memory_register(registered, REGISTERED) && count->client_new == clients &&
           count->memory_allocation == told,
       "an agent that is not used is told nothing");
    ok(!hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) && count->client_new == clients + 1 &&
           count->memory_allocation == told + 4 && count->told_bytes > FINE + REGISTERED + 64 * 64,
       "at its first use an agent is told of fine-grained memory, registered memory, signals and its queue");
    int gone = count->memory_free;
    ok(!hsa_memory_free(memory) && count->memory_free == gone + 1, "an agent is told when memory goes");
    hsa_shut_down();
    ok(count->memory_allocation == count->memory_free, "at shut down an agent is told that all memory has gone");
}

/* If the introduction of an agent fails half-way, it is repeated from the start. */
static void shy(void)
{
    enum { FINE = 1 << 20 };
    void *memory = NULL;
    hsa_signal_t signal;
    hsa_queue_t *queue = NULL;
    if (!begin("shy"))
        return;
    int clients = count->client_new, gone = count->client_remove;
    hsa_signal_create(0, 0, NULL, &signal);
    hsa_memory_allocate(fine, FINE, &memory);
    ok(hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_OUT_OF_RESOURCES &&
           count->client_new == clients + 1 && count->client_remove == gone + 1,
       "an agent that refuses memory is not used");
    ok(!hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) && count->told_bytes > 2 * FINE,
       "an agent that takes the memory at a second try is used, and told of all of it");
    hsa_shut_down();
}

static void pinned(void)
{
    enum { BYTES = 1 << 20 };
    void *memory = NULL;
    hsa_queue_t *queue = NULL;
    unsigned char there[BYTES / 4096];
    if (!begin("fakevram,pinned"))
        return;
    hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue);
    unsigned resident = 0;
    ok(!hsa_memory_allocate(fine, BYTES, &memory) && !mincore(memory, BYTES, there),
       "memory is allocated for an agent that cannot page fault");
    for (size_t i = 0; i < sizeof there; i++)
        resident += there[i] & 1;
    ok(resident == sizeof there, "memory for an agent that cannot page fault is resident (%u pages of %zu)", resident,
       sizeof there);
    hsa_memory_free(memory);
    int asked = count->memory_resident;
    ok(!hsa_memory_allocate(regions[0], BYTES, &memory) &&
           !hsa_memory_assign_agent(memory, agent, HSA_ACCESS_PERMISSION_RW) && count->memory_resident == asked + 1,
       "memory of a driver whose agent cannot page fault is made resident by that driver");
    hsa_shut_down();
}

/* ---- events and doorbells ---- */

static void events(void)
{
    hsa_signal_t signal, hosts;
    if (!begin("events"))
        return;
    ok(!hsa_signal_create(0, 0, NULL, &signal) && count->event_new == 1, "the driver chooses the event of a signal");
    const amd_signal_t *amd = (const amd_signal_t *)(uintptr_t)signal.handle;
    ok(amd->event_id == 77 && amd->event_mailbox_ptr == (uintptr_t)&count->mailbox,
       "device code finds the chosen event in the signal");
    ok(!hsa_signal_create(0, 1, &cpu, &hosts) && count->event_new == 1,
       "the driver does not choose the event of a signal that only others consume");
    ok(!hsa_signal_destroy(signal) && count->event_remove == 1 && !hsa_signal_destroy(hosts) &&
           count->event_remove == 1,
       "events go back to the driver with their signals");
    hsa_signal_create(0, 1, &agent, &signal);
    hsa_shut_down();
    ok(count->event_new == count->event_remove, "events of signals that are left go back to the driver at shut down");
}

static void doorbell(void)
{
    hsa_queue_t *queue = NULL;
    hsa_signal_t done;
    if (!begin("bell"))
        return;
    hsa_signal_create(3, 0, NULL, &done);
    ok(!hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue), "a queue with a doorbell of the driver");
    hsa_kernel_dispatch_packet_t packet = {
        .header = HSA_PACKET_TYPE_KERNEL_DISPATCH, .kernel_object = 1, .completion_signal = done};
    for (uint64_t i = 0; i < 3; i++) {
        submit(queue, &packet);
        ok(__atomic_load_n(&count->doorbell, __ATOMIC_ACQUIRE) == i, "the doorbell gets the index of packet %u",
           (unsigned)i);
    }
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_shut_down();
}

/* ---- drivers that are refused, or should be ---- */

static void versions(void)
{
    static const char *const modes[] = {"oldversion", "newer"};
    for (size_t i = 0; i < 2; i++) {
        int refused = count->refused, registered = count->registered;
        memset(&count->generic, 0xff, sizeof count->generic);
        start(modes[i]);
        ok(!agent_named("test", NULL).handle && count->refused == refused + 1 && count->registered == registered,
           "%s: the driver is refused", modes[i]);
        ok(count->generic.major == HSAM_VERSION_MAJOR && count->generic.minor == HSAM_VERSION_MINOR &&
               !count->generic.agent.handle,
           "%s: a refused driver is told the version that is served", modes[i]);
        hsa_shut_down();
    }
}

static void messages(void)
{
    static const struct {
        const char *mode, *value, *says;
    } cases[] = {{"oldversion", NULL, "[driver-version]"},
                 {"broken", "maybe", "[driver-config]"},
                 {"newer", "1", "[driver-none]"},
                 {"broken", "0", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture capture;
        if (cases[i].value)
            setenv("HSA_AGENT_DRIVERS_MESSAGE", cases[i].value, 1);
        capture_begin(&capture);
        start(cases[i].mode);
        hsa_shut_down();
        const char *text = capture_end(&capture);
        ok(cases[i].says ? strstr(text, cases[i].says) != NULL : !*text, "%s: %s is reported", cases[i].mode,
           cases[i].says ? cases[i].says : "nothing");
        unsetenv("HSA_AGENT_DRIVERS_MESSAGE");
    }
    struct capture capture;
    capture_begin(&capture);
    setenv("HSA_AGENT_DRIVERS", "/missing.so", 1);
    bool up = !hsa_init() && !hsa_shut_down();
    ok(up && strstr(capture_end(&capture), "[driver-load]"), "a driver that is missing is reported");
}

static void lies(void)
{
    void *memory = NULL;
    hsa_queue_t *queue = NULL;
    if (!begin("lying"))
        return;
    ok(hsa_memory_allocate(regions[0], 4096, &memory) == HSA_STATUS_ERROR && !memory,
       "memory that is smaller than asked for is not given to a client");
    ok(hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_QUEUE_CREATION,
       "an agent whose driver gave wrong memory gets no queues any more");
    hsa_shut_down();
}

int main(void)
{
    count = counts();
    if (!count)
        return tap_done();
    *(void **)&reach = dlsym(dlopen(TEST_DRIVER, RTLD_NOW), "test_driver_reach");
    for (size_t i = 0; i < WORDS; i++)
        pattern[i] = (uint32_t)(i * 2654435761u);
    with_fakevram("fakevram");
    with_fakevram("fakevram,async");
    late();
    shy();
    pinned();
    events();
    doorbell();
    versions();
    messages();
    lies();
    return tap_done();
}
