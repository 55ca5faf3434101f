/* SPDX-License-Identifier: MIT */
/* The agent driver of the tests; see test_driver.h. It has one thread for late answers; the packet processor makes one
 * for each queue. */
#include "testsuite/runtime/driver_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) struct test_driver_counts test_driver_counts;

static const hsa_generic_driver_interface *core;
static bool async, bell, stubborn;

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
        core->agent_reply(HSAM_Fault, (char *)cookie + 1000000); /* there was no such request */
        core->agent_reply(result, cookie);
        core->agent_reply(HSAM_Fault, cookie); /* a second answer, which must be ignored */
        pthread_mutex_lock(&answers.lock);
    }
    pthread_mutex_unlock(&answers.lock);
    return argument;
}

HSAM_Error test_driver_reply(HSAM_Error result, void *cookie)
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

/* ---- handles ---- */

enum { CLIENT = 100, OTHER_CLIENT = 200, SIGNALS = 1000000 };

/* Counts a request that does not name the process as client_new() does. */
static void check_client(const void *driver, hsam_handle_t client)
{
    if (client != (driver ? OTHER_CLIENT : CLIENT))
        COUNT(wrong_handles);
}

/* ---- queues ---- */

static bool dispatch(struct packet_processor *processor, const union packet *packet, uint64_t index,
                     struct packet_error *error)
{
    (void)processor, (void)index;
    uint64_t kernel = packet->dispatch.kernel_object;
    if (kernel > 1) {
        ((test_kernel)kernel)(&packet->dispatch, core);
    } else if (!kernel) {
        error->status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
        snprintf(error->text, sizeof error->text, "the kernel-dispatch packet asks for what the agent cannot do");
    }
    return true;
}

static const struct packet_agent packet_agent = {.dispatch = dispatch};

static HSAM_Error queue_new(void *driver, hsam_handle_t client, const hsam_queue_info *info, void *cookie,
                            hsam_handle_t *at_agent)
{
    check_client(driver, client);
    COUNT(queue_new);
    struct packet_processor *queue = calloc(1, sizeof *queue);
    if (!queue)
        return HSAM_OutOfResources;
    *at_agent = (hsam_handle_t)(uintptr_t)queue;
    test_driver_counts.last_queue = *info;
    if (bell) {
        info->doorbell_root->doorbell_address = &test_driver_counts.doorbell;
        info->doorbell_root->doorbell = HSAM_DOORBELL_SIGNAL;
    }
    if (packet_processor_start(queue, &packet_agent, core, info)) {
        test_driver_noise_at(queue);
        return test_driver_reply(HSAM_Done, cookie);
    }
    free(queue);
    return HSAM_OutOfResources;
}

static HSAM_Error queue_remove(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    check_client(driver, client);
    COUNT(queue_remove);
    struct packet_processor *queue = (struct packet_processor *)(uintptr_t)handle;
    test_driver_quiet_at(queue);
    packet_processor_stop(queue);
    free(queue);
    return test_driver_reply(stubborn ? HSAM_Busy : HSAM_Done, cookie);
}

static HSAM_Error queue_inactivate(void *driver, hsam_handle_t client, hsam_handle_t handle, void *cookie)
{
    check_client(driver, client);
    COUNT(queue_inactivate);
    packet_processor_inactivate((struct packet_processor *)(uintptr_t)handle);
    return test_driver_reply(HSAM_Done, cookie);
}

static void unblock_destination(void *driver, hsam_handle_t client, hsam_handle_t handle)
{
    check_client(driver, client);
    COUNT(unblocked);
    if (handle > 2 * (hsam_handle_t)SIGNALS)
        packet_processor_wake((struct packet_processor *)(uintptr_t)handle);
}

/* ---- everything else ---- */

static HSAM_Error client_new(void *driver, hsam_handle_t client, void *space, void *cookie, hsam_handle_t *at_agent)
{
    (void)space, (void)client;
    COUNT(client_new);
    test_driver_counts.told_bytes = 0;
    *at_agent = test_driver_counts.client = driver ? OTHER_CLIENT : CLIENT;
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error client_remove(void *driver, hsam_handle_t client, void *cookie)
{
    check_client(driver, client);
    COUNT(client_remove);
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error signal_new(void *driver, hsam_handle_t client, hsa_signal_t signal, hsa_root_dest_node *root,
                             void *cookie, hsam_handle_t *at_agent)
{
    check_client(driver, client);
    const amd_signal_t *amd = (const amd_signal_t *)(uintptr_t)signal.handle;
    test_driver_counts.announced = amd->value;
    root->state = 1;
    *at_agent = SIGNALS + COUNT(signal_new) % SIGNALS;
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error signal_remove(void *driver, hsam_handle_t client, hsam_handle_t signal, void *cookie)
{
    check_client(driver, client);
    if (signal < SIGNALS || signal >= 2 * (hsam_handle_t)SIGNALS)
        COUNT(wrong_handles);
    COUNT(signal_remove);
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error event_new(void *driver, hsam_handle_t client, hsa_signal_t signal, void *cookie, hsam_event *event)
{
    (void)driver, (void)client, (void)signal;
    *event = (hsam_event){.id = 77, .mailbox = (uintptr_t)&test_driver_counts.mailbox, .event = COUNT(event_new)};
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error event_remove(void *driver, hsam_handle_t client, hsam_handle_t event, void *cookie)
{
    (void)driver, (void)client;
    COUNT(event_remove);
    return test_driver_reply(event > 0 ? HSAM_Done : HSAM_Fault, cookie);
}

static HSAM_Error code_load(void *driver, hsam_handle_t client, const hsam_code *code, void *cookie,
                            hsam_handle_t *at_agent)
{
    (void)driver, (void)client;
    COUNT(code_load);
    test_driver_counts.last_code = *code;
    *at_agent = 7;
    return test_driver_reply(HSAM_Done, cookie);
}

static HSAM_Error code_unload(void *driver, hsam_handle_t client, hsam_handle_t code, void *cookie)
{
    (void)driver, (void)client, (void)code;
    COUNT(code_unload);
    return test_driver_reply(HSAM_Done, cookie);
}

static void fini(void *driver)
{
    COUNT(fini);
    test_driver_noise_stop();
    if (!async || driver)
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
    .memory_allocation = test_driver_memory_allocation,
    .memory_free = test_driver_memory_free,
    .memory_acquire = test_driver_memory_acquire,
    .memory_release = test_driver_memory_release,
    .memory_copy = test_driver_memory_copy,
    .code_load = code_load,
    .code_unload = code_unload,
    .fini = fini,
};

static hsam_region regions[] = {
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

/* Whether WORD is in the list of WORDS. */
static bool has(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (; words && *words; words += strcspn(words, ",") + (words[strcspn(words, ",")] == ','))
        if (strcspn(words, ",") == length && !strncmp(words, word, length))
            return true;
    return false;
}

static int add(hsa_register_agent_t register_agent, const hsa_agent_driver_interface *functions, const char *name,
               void *driver)
{
    config.name = name;
    core = register_agent(functions, &config, driver, &test_driver_counts.generic);
    test_driver_counts.core = core;
    if (core)
        COUNT(registered);
    else
        COUNT(refused);
    return core != NULL;
}

int hsam_agent_driver_init(hsa_register_agent_t register_agent)
{
    const char *words = getenv("HSA_TEST_DRIVER");
    bool fakevram = has(words, "fakevram");
    async = has(words, "async");
    bell = has(words, "bell");
    stubborn = has(words, "stubborn");
    interface.signal_new = has(words, "signals") ? signal_new : NULL;
    interface.signal_remove = has(words, "signals") ? signal_remove : NULL;
    interface.event_new = has(words, "events") ? event_new : NULL;
    interface.event_remove = has(words, "events") ? event_remove : NULL;
    interface.major = (uint16_t)(HSAM_VERSION_MAJOR - has(words, "oldversion"));
    interface.minor = (uint16_t)(HSAM_VERSION_MINOR + has(words, "newer"));
    config.queue_max_size = has(words, "broken") ? 1000 : 65536;
    config.queue_private_size = fakevram ? 128 : 0;
    config.page_fault_supported = !has(words, "pinned");
    regions[0].host_accessible = !fakevram;
    test_driver_memory(&interface, has(words, "vram"), fakevram, has(words, "lying"), has(words, "shy"));
    hsa_agent_driver_interface functions[2] = {interface, interface};
    bool null = has(words, "null"), two = fakevram || null;
    for (size_t i = 0; null && i < 2; i++)
        test_driver_null(&functions[i], i == 1);
    if (!add(register_agent, &functions[0], "test", NULL))
        return HSAM_Invalid_Argument;
    if (two && !add(register_agent, &functions[1], "other", &config))
        return HSAM_OutOfResources;
    if (async)
        pthread_create(&answers.thread, NULL, answer, NULL);
    if (has(words, "spurious"))
        test_driver_noise_start();
    return 1 + two;
}
