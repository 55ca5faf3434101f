/* SPDX-License-Identifier: MIT */
/* An agent driver: a device of your own behind the HSA API, in a shared object that needs nothing to link with.
 *
 *     cc -shared -fPIC driver.c -o driver.so $(pkg-config --cflags hsa-runtime64) -pthread
 *     HSA_AGENT_DRIVERS=$PWD/driver.so hsainfo
 *
 * This device executes C functions: the kernel_object of a dispatch packet is the address of a `toy_kernel`, which is
 * called for each work-item, one after the other. driver_client.c is a program that uses it. Each queue has a thread
 * that takes packets as the comment of hsam_queue_info in hsa/hsam.h says.
 *
 * Input: requests of the runtime, packets. Output: an agent called "toy". Invariant: when queue_remove() is answered,
 * nothing of the queue is touched any more. */
#include <hsa/hsam.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef void (*toy_kernel)(void *arguments, const uint32_t item[3]);

/* A queue and its thread. */
struct toy_queue {
    const hsam_queue_info *info;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under LOCK: */
    bool awake;      /* somebody has rung since the thread looked last */
    bool stop, idle; /* it is to end; it is to take no more packets */
};

static const hsa_generic_driver_interface *core; /* what the runtime does for drivers */

/* ---- packets ---- */

static unsigned packet_type(const hsa_kernel_dispatch_packet_t *slot)
{
    uint16_t header = __atomic_load_n(&slot->header, __ATOMIC_ACQUIRE);
    return header >> HSA_PACKET_HEADER_TYPE & ((1 << HSA_PACKET_HEADER_WIDTH_TYPE) - 1);
}

static void execute(const hsa_kernel_dispatch_packet_t *packet)
{
    toy_kernel kernel = (toy_kernel)(uintptr_t)packet->kernel_object;
    uint32_t item[3];
    for (item[2] = 0; item[2] < packet->grid_size_z; item[2]++)
        for (item[1] = 0; item[1] < packet->grid_size_y; item[1]++)
            for (item[0] = 0; item[0] < packet->grid_size_x; item[0]++)
                kernel(packet->kernarg_address, item);
}

/* Executes a packet. False: the queue has been stopped, and its error callback was called. */
static bool process(const struct toy_queue *queue, const hsa_kernel_dispatch_packet_t *packet)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    const char *text = NULL;
    if (packet_type(packet) != HSA_PACKET_TYPE_KERNEL_DISPATCH) {
        status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
        text = "the toy takes kernel-dispatch packets only";
    } else if (!packet->kernel_object) {
        status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
        text = "the packet has no kernel";
    }
    bool completes = packet->completion_signal.handle && core->signal_valid(packet->completion_signal);
    if (status != HSA_STATUS_SUCCESS) {
        if (completes)
            core->signal_fail(packet->completion_signal);
        core->queue_error(queue->info->queue, status, text);
        return false;
    }
    execute(packet);
    if (completes)
        core->signal_add(packet->completion_signal, -1);
    return true;
}

/* ---- the thread of a queue ---- */

/* Waits for the next packet and takes it out of the queue; false: the queue ends. */
static bool take_packet(struct toy_queue *queue, hsa_kernel_dispatch_packet_t *packet)
{
    const hsam_queue_info *info = queue->info;
    hsa_root_dest_node *root = info->doorbell_root;
    uint64_t index = __atomic_load_n(info->read_index, __ATOMIC_RELAXED);
    hsa_kernel_dispatch_packet_t *slot = (hsa_kernel_dispatch_packet_t *)info->packets + index % info->size;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        queue->awake = false;
        __atomic_store_n(&root->state, 1, __ATOMIC_SEQ_CST); /* from now on senders call unblock_destination() */
        if (queue->stop || (!queue->idle && packet_type(slot) != HSA_PACKET_TYPE_INVALID))
            break;
        while (!queue->awake)
            pthread_cond_wait(&queue->changed, &queue->lock);
    }
    __atomic_store_n(&root->state, 0, __ATOMIC_SEQ_CST);
    bool taken = !queue->stop;
    if (taken) {
        memcpy(packet, slot, sizeof *packet);
        __atomic_store_n(&slot->header, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, __ATOMIC_RELAXED);
        __atomic_store_n(info->read_index, index + 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

static void *run(void *argument)
{
    struct toy_queue *queue = argument;
    hsa_kernel_dispatch_packet_t packet;
    while (take_packet(queue, &packet) && process(queue, &packet))
        ;
    return NULL;
}

/* Wakes the thread of QUEUE; if FLAG is not NULL, it becomes true before that. */
static void wake(struct toy_queue *queue, bool *flag)
{
    pthread_mutex_lock(&queue->lock);
    if (flag)
        *flag = true;
    queue->awake = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* ---- requests of the runtime ---- */

static struct toy_queue *queue_of(hsam_handle_t handle)
{
    return (struct toy_queue *)(uintptr_t)handle;
}

static HSAM_Error queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                            hsam_handle_t *at_agent)
{
    (void)driver, (void)client, (void)cookie;
    struct toy_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return HSAM_OutOfResources;
    queue->info = info;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    *at_agent = (hsam_handle_t)(uintptr_t)queue;
    if (!pthread_create(&queue->thread, NULL, run, queue))
        return HSAM_Done;
    free(queue);
    return HSAM_OutOfResources;
}

static HSAM_Error queue_remove(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    struct toy_queue *queue = queue_of(handle);
    wake(queue, &queue->stop);
    pthread_join(queue->thread, NULL);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return HSAM_Done;
}

static HSAM_Error queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    (void)driver, (void)client, (void)cookie;
    struct toy_queue *queue = queue_of(handle);
    wake(queue, &queue->idle);
    return HSAM_Done;
}

static void unblock_destination(void *driver, hsam_handle_t client, hsam_handle_t handle)
{
    (void)driver, (void)client;
    wake(queue_of(handle), NULL);
}

/* ---- what the agent is ---- */

static const hsa_agent_driver_interface interface = {
    .struct_size = sizeof interface,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .unblock_destination = unblock_destination,
    .queue_new = queue_new,
    .queue_remove = queue_remove,
    .queue_inactivate = queue_inactivate,
};

static const hsam_isa isa = {
    .name = "toy-c-functions",
    .wavefront_sizes = {1},
    .profiles = {true, true},
    .default_float_rounding_modes = {[HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR] = true},
    .workgroup_max_dim = {1024, 1024, 1024},
    .workgroup_max_size = 1024,
    .grid_max_dim = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
    .grid_max_size = UINT64_MAX,
};

static const hsa_agent_driver_config config = {
    .struct_size = sizeof config,
    .major = HSAM_VERSION_MAJOR,
    .minor = HSAM_VERSION_MINOR,
    .name = "toy",
    .vendor_name = "example",
    .product_name = "a device that calls C functions",
    .device_type = HSA_DEVICE_TYPE_DSP,
    .profile = HSA_PROFILE_FULL,
    .features = HSA_AGENT_FEATURE_KERNEL_DISPATCH,
    .queues_max = 16,
    .queue_min_size = 64,
    .queue_max_size = 4096,
    .page_fault_supported = true,
    .isas = &isa,
    .isa_count = 1,
};

__attribute__((visibility("default"))) int hsam_agent_driver_init(hsa_register_agent_t register_agent)
{
    hsa_generic_driver_config generic;
    core = register_agent(&interface, &config, NULL, &generic);
    return core ? 1 : HSAM_Invalid_Argument;
}
