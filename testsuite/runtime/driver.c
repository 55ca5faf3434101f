/* SPDX-License-Identifier: MIT */
/* See driver.h. One thread per queue, one thread for late answers. */
#include "testsuite/runtime/driver.h"

#include "runtime/packet.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) struct test_driver_counts test_driver_counts;

static const hsa_generic_driver_interface *core;
static hsa_generic_driver_config generic;
static bool async, vram;

#define COUNT(what) __atomic_add_fetch(&test_driver_counts.what, 1, __ATOMIC_RELAXED)

/* ---- late answers ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    struct {
        HSAM_Error result;
        void *cookie;
    } items[64];
    int count;
    bool stop;
} answers = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *answer(void *argument)
{
    unsigned seed = 1;
    pthread_mutex_lock(&answers.lock);
    while (!answers.stop || answers.count) {
        if (!answers.count) {
            pthread_cond_wait(&answers.changed, &answers.lock);
            continue;
        }
        answers.count--;
        HSAM_Error result = answers.items[answers.count].result;
        void *cookie = answers.items[answers.count].cookie;
        pthread_mutex_unlock(&answers.lock);
        usleep((useconds_t)rand_r(&seed) % 100);
        core->agent_reply(HSAM_Fault, (char *)cookie + 1000000); /* nobody asked that */
        core->agent_reply(result, cookie);
        core->agent_reply(HSAM_Fault, cookie); /* too late, ignored */
        pthread_mutex_lock(&answers.lock);
    }
    pthread_mutex_unlock(&answers.lock);
    return argument;
}

static HSAM_Error reply(HSAM_Error result, void *cookie)
{
    if (!async)
        return result;
    pthread_mutex_lock(&answers.lock);
    answers.items[answers.count].result = result;
    answers.items[answers.count++].cookie = cookie;
    pthread_cond_signal(&answers.changed);
    pthread_mutex_unlock(&answers.lock);
    return HSAM_Async;
}

/* ---- queues ---- */

struct queue {
    const hsam_queue_info *info;
    pthread_t thread;
    _Atomic uint32_t bell;
    _Atomic bool stop, inactive;
};

static void ring(struct queue *queue)
{
    atomic_fetch_add(&queue->bell, 1);
    syscall(SYS_futex, &queue->bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void notified(hsam_signal_watch *watch)
{
    ring(watch->user);
}

/* Sleeps until somebody rings, unless something came up since the state was set. */
static void rest(struct queue *queue)
{
    for (int spin = 0; spin < 2000; spin++) {
        if (packet_type(packet_peek(queue->info)) != HSA_PACKET_TYPE_INVALID || queue->stop)
            return;
        __builtin_ia32_pause();
    }
    uint32_t bell = atomic_load(&queue->bell);
    __atomic_store_n(&queue->info->doorbell_root->state, 1, __ATOMIC_SEQ_CST);
    if (packet_type(packet_peek(queue->info)) == HSA_PACKET_TYPE_INVALID && !queue->stop)
        syscall(SYS_futex, &queue->bell, FUTEX_WAIT_PRIVATE, bell, NULL, NULL, 0);
    __atomic_store_n(&queue->info->doorbell_root->state, 0, __ATOMIC_SEQ_CST);
}

/* Waits for the dependencies of a barrier packet; false when the queue is to stop. */
static bool barrier(struct queue *queue, union packet *packet, bool *failed, bool *invalid)
{
    unsigned pending;
    while (!queue->stop) {
        enum packet_wait wait = packet_dependencies(packet, core, &pending);
        *failed = wait == PACKET_READY_ERROR;
        *invalid = wait == PACKET_INVALID_SIGNAL;
        if (wait != PACKET_WAITING)
            return true;
        hsam_signal_watch watches[2 * PACKET_DEPENDENCIES];
        uint32_t bell = atomic_load(&queue->bell);
        int armed = packet_watch(packet, core, watches, notified, queue);
        if (armed > 0 && !queue->stop)
            syscall(SYS_futex, &queue->bell, FUTEX_WAIT_PRIVATE, bell, NULL, NULL, 0);
        while (armed > 0)
            core->signal_unwatch(&watches[--armed]);
    }
    return false;
}

static void complete(const union packet *packet, bool failed)
{
    hsa_signal_t signal = packet_completion(packet);
    if (!signal.handle)
        return;
    if (failed)
        core->signal_fail(signal);
    else
        core->signal_add(signal, -1);
}

/* One packet; false when the queue stops for good. */
static bool process(struct queue *queue)
{
    union packet packet;
    bool failed = false, invalid = false;
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
    packet_take(queue->info, &packet);
    hsa_signal_t completion = packet_completion(&packet);
    if (completion.handle && !core->signal_valid(completion)) {
        core->queue_error(queue->info->queue, status, "completion signal");
        return false;
    }
    switch (packet_type(packet.header)) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
        if (packet.dispatch.kernel_object > 1) {
            ((test_kernel)packet.dispatch.kernel_object)(&packet.dispatch, core);
        } else if (!packet.dispatch.kernel_object) {
            invalid = true;
            status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
        }
        break;
    case HSA_PACKET_TYPE_BARRIER_AND:
    case HSA_PACKET_TYPE_BARRIER_OR:
        if (!barrier(queue, &packet, &failed, &invalid))
            return false;
        break;
    default: invalid = true;
    }
    complete(&packet, failed || invalid);
    if (invalid)
        core->queue_error(queue->info->queue, status, "test driver: cannot process packet");
    return !invalid;
}

static void *run(void *argument)
{
    struct queue *queue = argument;
    while (!queue->stop)
        if (queue->inactive || packet_type(packet_peek(queue->info)) == HSA_PACKET_TYPE_INVALID)
            rest(queue);
        else if (!process(queue))
            break;
    return NULL;
}

static HSAM_Error queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                            hsam_handle_t *at_agent)
{
    (void)driver, (void)client;
    COUNT(queue_new);
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return HSAM_OutOfResources;
    queue->info = info;
    *at_agent = (hsam_handle_t)(uintptr_t)queue;
    pthread_create(&queue->thread, NULL, run, queue);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error queue_remove(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    (void)driver, (void)client;
    COUNT(queue_remove);
    struct queue *queue = (struct queue *)(uintptr_t)handle;
    queue->stop = true;
    ring(queue);
    pthread_join(queue->thread, NULL);
    free(queue);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    (void)driver, (void)client;
    COUNT(queue_inactivate);
    ((struct queue *)(uintptr_t)handle)->stop = true;
    ring((struct queue *)(uintptr_t)handle);
    return reply(HSAM_Done, cookie);
}

static void unblock_destination(void *driver, hsam_handle_t client, hsam_handle_t handle)
{
    (void)driver, (void)client;
    COUNT(unblocked);
    if (handle)
        ring((struct queue *)(uintptr_t)handle);
}

/* ---- everything else ---- */

static HSAM_Error client_new(void *driver, hsam_handle_t client, void *space, void *cookie, hsam_handle_t *at_agent)
{
    (void)driver, (void)space;
    COUNT(client_new);
    *at_agent = client + 100;
    return reply(HSAM_Done, cookie);
}

static HSAM_Error client_remove(void *driver, hsam_handle_t client, void *cookie)
{
    (void)driver, (void)client;
    COUNT(client_remove);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error signal_new(void *driver, hsam_handle_t client, hsa_signal_t signal, hsa_root_dest_node *root,
                             void *cookie, hsam_handle_t *at_agent)
{
    (void)driver, (void)client, (void)signal;
    COUNT(signal_new);
    root->state = 1;
    *at_agent = 0;
    return reply(HSAM_Done, cookie);
}

static HSAM_Error signal_remove(void *driver, hsam_handle_t client, hsam_handle_t signal, void *cookie)
{
    (void)driver, (void)client, (void)signal;
    COUNT(signal_remove);
    return reply(HSAM_Done, cookie);
}

/* The private copy of one coarse-grained allocation. */
static struct {
    char *address, *copy;
    size_t size;
} private_memory;

static char *there(const void *address)
{
    char *at = (char *)(uintptr_t)address;
    if (vram && at >= private_memory.address && at < private_memory.address + private_memory.size)
        return private_memory.copy + (at - private_memory.address);
    return at;
}

static HSAM_Error memory_allocation(void *driver, hsam_handle_t client, void *address, size_t size,
                                    hsam_segment segment, uint32_t flags, void *cookie)
{
    (void)driver, (void)client, (void)segment;
    COUNT(memory_allocation);
    if (vram && flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED) {
        private_memory.address = address;
        private_memory.size = size;
        private_memory.copy = calloc(1, size);
    }
    return reply(HSAM_Done, cookie);
}

static HSAM_Error memory_free(void *driver, hsam_handle_t client, void *address, void *cookie)
{
    (void)driver, (void)client;
    COUNT(memory_free);
    if (address == private_memory.address) {
        free(private_memory.copy);
        memset(&private_memory, 0, sizeof private_memory);
    }
    return reply(HSAM_Done, cookie);
}

static HSAM_Error memory_acquire(void *driver, hsam_handle_t client, void *address, hsa_access_permission_t access,
                                 void *cookie)
{
    (void)driver, (void)client, (void)address, (void)access;
    COUNT(memory_acquire);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error memory_release(void *driver, hsam_handle_t client, void *address, void *cookie)
{
    (void)driver, (void)client, (void)address;
    COUNT(memory_release);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error memory_copy(void *driver, hsam_handle_t client, void *to, const void *from, size_t size, void *cookie)
{
    (void)driver, (void)client;
    COUNT(memory_copy);
    memcpy(there(to), there(from), size);
    return reply(HSAM_Done, cookie);
}

static HSAM_Error code_load(void *driver, hsam_handle_t client, const hsam_code *code, void *cookie,
                            hsam_handle_t *at_agent)
{
    (void)driver, (void)client;
    COUNT(code_load);
    test_driver_counts.last_code = *code;
    *at_agent = 7;
    return reply(HSAM_Done, cookie);
}

static HSAM_Error code_unload(void *driver, hsam_handle_t client, hsam_handle_t code, void *cookie)
{
    (void)driver, (void)client, (void)code;
    COUNT(code_unload);
    return reply(HSAM_Done, cookie);
}

static void fini(void *driver)
{
    (void)driver;
    COUNT(fini);
    if (!async)
        return;
    pthread_mutex_lock(&answers.lock);
    answers.stop = true;
    pthread_cond_signal(&answers.changed);
    pthread_mutex_unlock(&answers.lock);
    pthread_join(answers.thread, NULL);
    answers.stop = false;
}

static hsa_agent_driver_interface interface = {
    .struct_size = sizeof interface,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .client_new = client_new,
    .client_remove = client_remove,
    .unblock_destination = unblock_destination,
    .queue_new = queue_new,
    .queue_remove = queue_remove,
    .queue_inactivate = queue_inactivate,
    .memory_allocation = memory_allocation,
    .memory_free = memory_free,
    .memory_acquire = memory_acquire,
    .memory_release = memory_release,
    .memory_copy = memory_copy,
    .code_load = code_load,
    .code_unload = code_unload,
    .fini = fini,
};

static const hsam_region regions[] = {
    {HSA_REGION_SEGMENT_GLOBAL, HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED, 1 << 30, 1 << 29, 4096, 4096, true, false},
    {HSA_REGION_SEGMENT_GROUP, 0, 65536, 0, 0, 0, false, false},
};

static const hsam_isa isas[] = {{
    .name = "amdgcn-amd-amdhsa--gfx900:xnack-",
    .wavefront_sizes = {64},
    .profiles = {true, true},
    .default_float_rounding_modes = {[HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR] = true},
    .workgroup_max_dim = {1024, 1024, 1024},
    .workgroup_max_size = 1024,
    .grid_max_dim = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
    .grid_max_size = UINT64_MAX,
    .fbarrier_max_size = 32,
}};

static hsa_agent_driver_config config = {
    .struct_size = sizeof config,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .name = "test",
    .vendor_name = "test",
    .uuid = "GPU-0123456789abcdef",
    .device_type = HSA_DEVICE_TYPE_GPU,
    .profile = HSA_PROFILE_FULL,
    .features = HSA_AGENT_FEATURE_KERNEL_DISPATCH,
    .queues_max = 8,
    .queue_min_size = 64,
    .queue_max_size = 65536,
    .page_fault_supported = true,
    .regions = regions,
    .region_count = 2,
    .isas = isas,
    .isa_count = 1,
};

int hsam_agent_driver_init(hsa_register_agent_t register_agent)
{
    const char *words = getenv("HSA_TEST_DRIVER");
    words = words ? words : "";
    async = strstr(words, "async");
    vram = strstr(words, "vram");
    interface.signal_new = strstr(words, "signals") ? signal_new : NULL;
    interface.signal_remove = strstr(words, "signals") ? signal_remove : NULL;
    interface.minor = (uint16_t)(HSAM_VERSION_MINOR + (strstr(words, "newer") != NULL));
    config.queue_max_size = strstr(words, "broken") ? 1000 : 65536;
    core = register_agent(&interface, &config, NULL, &generic);
    if (!core)
        return HSAM_Invalid_Argument;
    COUNT(registered);
    if (async)
        pthread_create(&answers.thread, NULL, answer, NULL);
    return 1;
}
