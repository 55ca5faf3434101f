/* SPDX-License-Identifier: MIT */
/* Tests what the core and agent drivers say to each other: configurations, handles, cookies, signals and their roots;
 * and drivers that support nothing, or do not remove what they must. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

static hsa_agent_t agent, other, cpu;
static struct test_driver_counts *count;

static bool with_driver(const char *mode)
{
    if (!start(mode))
        return false;
    agent = agent_named("test", &cpu);
    other = agent_named("other", NULL);
    return true;
}

static bool makes_queue(hsa_agent_t of, hsa_status_t wanted)
{
    hsa_queue_t *queue = NULL;
    hsa_status_t status = hsa_queue_create(of, 64, 0, NULL, NULL, 0, 0, &queue);
    if (status == HSA_STATUS_SUCCESS)
        hsa_queue_destroy(queue);
    return status == wanted;
}

/* ---- registration ---- */

static void configurations(void)
{
    char vendor[64] = "";
    uint32_t most = 0, id = 0;
    if (!with_driver("fakevram"))
        return;
    ok(!hsa_agent_get_info(agent, HSA_AGENT_INFO_VENDOR_NAME, vendor) && !strcmp(vendor, "test") &&
           !hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &most) && most == 65536,
       "clients read what a driver says in its configuration");
    ok(!hsa_agent_get_info(other, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_UID, &id) &&
           count->generic.device_driver_id == id && count->generic.agent.handle == other.handle &&
           count->generic.major == HSAM_VERSION_MAJOR && count->generic.minor == HSAM_VERSION_MINOR,
       "a driver reads the core's version and its agent's handle and number in the core's configuration");
    ok(count->core->struct_size == sizeof *count->core && count->core->major == HSAM_VERSION_MAJOR,
       "the functions of the core have its version");
    hsa_shut_down();
}

/* ---- requests ---- */

/* The driver answers each request three times: with a cookie that is unknown, with the right one, and once more. */
static void cookies(void)
{
    hsa_signal_t signal;
    int wrong = count->wrong_handles, removed = count->queue_remove, signals = count->signal_remove;
    if (!with_driver("async,signals"))
        return;
    bool made = true;
    for (int i = 0; i < 20; i++) {
        made = makes_queue(agent, HSA_STATUS_SUCCESS) && made;
        made = !hsa_signal_create(i, 0, NULL, &signal) && !hsa_signal_destroy(signal) && made;
    }
    ok(made, "the first answer with the cookie of a request counts, and no other answer does");
    ok(count->queue_remove == removed + 20 && count->signal_remove >= signals + 20 && count->wrong_handles == wrong,
       "requests name the driver's own handles of the process, its queues and signals");
    hsa_shut_down();
}

/* ---- signals ---- */

static void announcements(void)
{
    hsa_signal_t all, hosts, agents;
    if (!with_driver("signals") || !ok(makes_queue(agent, HSA_STATUS_SUCCESS), "an agent takes the process"))
        return;
    int made = count->signal_new;
    ok(!hsa_signal_create(42, 0, NULL, &all) && count->announced == 42 && count->signal_new == made + 1,
       "a signal has its value before it is announced");
    ok(!hsa_signal_create(7, 1, &cpu, &hosts) && count->signal_new == made + 1,
       "a signal that only others consume is not announced");
    ok(!hsa_signal_create(-3, 1, &agent, &agents) && count->signal_new == made + 2 && count->announced == -3,
       "a signal that the agent consumes is announced to it");
    int unblocked = count->unblocked;
    hsa_signal_store_screlease(all, 1);
    hsa_signal_add_relaxed(agents, 1);
    ok(count->unblocked == unblocked + 2, "a sender unblocks an agent whose root says that it sleeps");
    hsa_signal_store_screlease(hosts, 1);
    ok(count->unblocked == unblocked + 2, "a sender does not unblock an agent that is no consumer");
    hsa_signal_silent_store_relaxed(all, 2);
    ok(count->unblocked == unblocked + 2, "a silent store unblocks nobody");
    int removed = count->signal_remove;
    hsa_signal_destroy(all);
    hsa_signal_destroy(hosts);
    ok(count->signal_remove == removed + 1, "a driver is told that a signal is destroyed if it was told of it");
    hsa_shut_down();
    ok(count->signal_remove == count->signal_new, "a driver is told at shut down of signals that are left");
}

/* ---- odd drivers ---- */

/* Runs a kernel on the software GPU, to see that the rest of the process works. */
static bool others_work(void)
{
    uint64_t objects[MACHINE_KERNELS] = {0}, counter = 0;
    hsa_agent_t gpu = agent_named("gfx900", NULL);
    hsa_signal_t done = {0};
    hsa_queue_t *queue = NULL;
    if (!gpu.handle || !machine_load(gpu, objects).handle || hsa_signal_create(1, 0, NULL, &done) ||
        hsa_queue_create(gpu, 64, 0, NULL, NULL, 0, 0, &queue))
        return false;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(objects[MACHINE_ADD], 1, done);
    packet.kernarg_address = &counter;
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(done);
    return counter == 1;
}

static hsa_status_t own_region(hsa_region_t region, void *data)
{
    uint32_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (!(flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED))
        return HSA_STATUS_SUCCESS;
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

/* "test" does not even take the process; "other" takes it, and supports nothing else. */
static void null(void)
{
    uint64_t objects[MACHINE_KERNELS];
    hsa_region_t region = {0};
    void *memory = NULL;
    char name[64] = "";
    int finished = count->fini;
    if (!with_driver("null"))
        return;
    ok(agent.handle && other.handle && !hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name) && !strcmp(name, "test"),
       "agents whose drivers support nothing are listed");
    ok(makes_queue(agent, HSA_STATUS_ERROR_OUT_OF_RESOURCES), "an agent that does not take the process has no queues");
    ok(makes_queue(other, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION), "an agent that supports no queues has none");
    hsa_agent_iterate_regions(other, own_region, &region);
    ok(!hsa_memory_allocate(region, 4096, &memory) && memory, "memory that a driver does not give out is the host's");
    ok(hsa_memory_assign_agent(memory, other, HSA_ACCESS_PERMISSION_RW) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "an agent that cannot own memory gets none assigned");
    hsa_signal_t signal;
    ok(hsa_signal_create(0, 1, &agent, &signal) == HSA_STATUS_ERROR_OUT_OF_RESOURCES,
       "an agent that does not take the process consumes no signals");
    ok(!hsa_signal_create(0, 1, &other, &signal) && !hsa_signal_destroy(signal),
       "an agent that supports no announcements consumes signals");
    ok(!machine_load(other, objects).handle, "code is not loaded for an agent that supports none");
    ok(count->not_supported > 4 && others_work(), "the rest of the process works beside drivers that support nothing");
    ok(!hsa_shut_down() && count->fini == finished + 2, "drivers that support nothing come to their end");
}

static void stubborn(void)
{
    hsa_queue_t *queue = NULL;
    if (!with_driver("stubborn"))
        return;
    ok(!hsa_queue_create(agent, 64, 0, NULL, NULL, 0, 0, &queue), "a queue of a driver that does not remove it");
    hsa_queue_destroy(queue);
    ok(makes_queue(agent, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION),
       "an agent whose driver did not remove a queue gets no queues any more");
    ok(others_work(), "the process lives on when a driver does not remove a queue");
    hsa_shut_down();
}

int main(void)
{
    count = counts();
    if (!count)
        return tap_done();
    configurations();
    cookies();
    announcements();
    null();
    stubborn();
    return tap_done();
}
