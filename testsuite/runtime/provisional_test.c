/* SPDX-License-Identifier: MIT */
/* A program of 2014: compiled with the headers of HSA 1.0 provisional, it gets that interface of the library, also
 * where the interface of 1.2 has the same names. Only its kernel comes from a file of today's tools, see
 * provisional_kernel.c. */
#define _GNU_SOURCE /* dlvsym() */
#include "hsa-1.0p/hsa.h"
#include "hsa-1.0p/hsa_ext_amd.h"
#include "hsa-1.0p/hsa_ext_image.h"
#include "testsuite/tap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The address of the kernel &vector_add, or 0. */
uint64_t provisional_kernel(uint64_t agent);

static hsa_agent_t cpu, gpu;
static hsa_region_t global, kernarg, group;

static hsa_status_t keep_agent(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    ++*(int *)data;
    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) != HSA_STATUS_SUCCESS)
        return HSA_STATUS_ERROR;
    if (type == HSA_DEVICE_TYPE_CPU)
        cpu = agent;
    else if (type == HSA_DEVICE_TYPE_GPU)
        gpu = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t stop_at_once(hsa_agent_t agent, void *data)
{
    (void)agent;
    return *(hsa_status_t *)data;
}

static hsa_status_t keep_region(hsa_region_t region, void *data)
{
    hsa_segment_t segment;
    uint32_t flags;
    (void)data;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(region, HSA_REGION_INFO_FLAGS, &flags);
    if (segment == HSA_SEGMENT_GROUP)
        group = region;
    else if (segment == HSA_SEGMENT_GLOBAL && flags & HSA_REGION_FLAG_KERNARG)
        kernarg = region;
    else if (segment == HSA_SEGMENT_GLOBAL)
        global = region;
    return HSA_STATUS_SUCCESS;
}

static void statuses(void)
{
    const char *text = "";
    hsa_status_t stop = HSA_STATUS_ERROR_INVALID_QUEUE;
    hsa_signal_t signal;
    ok(hsa_status_string(HSA_STATUS_ERROR_INVALID_SIGNAL, &text) == HSA_STATUS_SUCCESS &&
           strstr(text, "INVALID_SIGNAL"),
       "a status has its text: %s", text);
    ok(hsa_status_string(HSA_EXT_STATUS_INFO_ALREADY_INITIALIZED, &text) == HSA_STATUS_SUCCESS &&
           hsa_status_string((hsa_status_t)0x1006, &text) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "the numbers are those of 1.0P");
    ok(hsa_iterate_agents(NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_iterate_agents(stop_at_once, &stop) == stop,
       "a callback's status comes back unchanged");
    ok(hsa_agent_get_info(0, HSA_AGENT_INFO_NAME, &text) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_signal_destroy(0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_signal_destroy(7) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
           hsa_signal_create(0, 1, NULL, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_destroy(NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_memory_register(&text, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "errors of agents, signals, queues and memory");
}

static void information(void)
{
    uint16_t major = 9, minor = 9, frequency = 0, sides[3] = {0};
    uint64_t before = 0, after = 0, longest = 0;
    uint32_t size = 0, caches[4] = {0};
    char name[64] = "";
    hsa_dim3_t extent = {0, 0, 0};
    hsa_agent_feature_t feature = 0;
    int has = 7, linker = 5;
    ok(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) == HSA_STATUS_SUCCESS &&
           hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor) == HSA_STATUS_SUCCESS && major == 1 &&
           minor == 0 && hsa_system_get_info((hsa_system_info_t)5, &major) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "version 1.0");
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    hsa_system_get_info(HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, &longest);
    hsa_signal_t signal;
    hsa_signal_create(1, 0, NULL, &signal);
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before);
    hsa_signal_wait_acquire(signal, HSA_EQ, 0, (uint64_t)frequency * 3000, HSA_WAIT_EXPECTANCY_SHORT); /* 3 ms */
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after);
    ok(frequency >= 1 && frequency <= 400 && longest && after - before >= (uint64_t)frequency * 3000,
       "waits and the clock of %u MHz have the same ticks", frequency);
    hsa_signal_destroy(signal);
    ok(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name) == HSA_STATUS_SUCCESS && !strcmp(name, "gfx900") &&
           hsa_agent_get_info(gpu, HSA_AGENT_INFO_FEATURE, &feature) == HSA_STATUS_SUCCESS &&
           feature & HSA_AGENT_FEATURE_DISPATCH &&
           hsa_agent_get_info(gpu, HSA_AGENT_INFO_WAVEFRONT_SIZE, &size) == HSA_STATUS_SUCCESS && size == 64 &&
           hsa_agent_get_info(gpu, HSA_AGENT_INFO_WORKGROUP_MAX_DIM, sides) == HSA_STATUS_SUCCESS && sides[0] == 1024 &&
           hsa_agent_get_info(gpu, HSA_AGENT_INFO_CACHE_SIZE, caches) == HSA_STATUS_SUCCESS &&
           hsa_agent_get_info(gpu, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &size) == HSA_STATUS_SUCCESS && size >= 64,
       "attributes of the agent %s", name);
    ok(hsa_agent_get_info(gpu, HSA_EXT_AGENT_INFO_IMAGE2D_MAX_DIM, &extent) == HSA_STATUS_SUCCESS &&
           extent.x == 16384 && extent.y == 16384 && extent.z == 1 &&
           hsa_agent_get_info(gpu, HSA_EXT_AGENT_INFO_SAMPLER_MAX, &size) == HSA_STATUS_SUCCESS && size >= 16 &&
           hsa_agent_get_info(gpu, (hsa_agent_info_t)22, &size) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "of its images, too");
    ok(hsa_extension_query(HSA_EXT_IMAGES, &has) == HSA_STATUS_SUCCESS && has == 1 &&
           hsa_extension_query(HSA_EXT_FINALIZER, &has) == HSA_STATUS_SUCCESS &&
           hsa_extension_query(HSA_EXT_LINKER, &linker) == HSA_STATUS_SUCCESS && has == linker &&
           hsa_extension_query(HSA_SVEXT_START, &has) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_vendor_extension_query(HSA_SVEXT_START, NULL, &has) == HSA_STATUS_SUCCESS && has == 0 &&
           hsa_vendor_extension_query(HSA_EXT_IMAGES, NULL, &has) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "extensions");
}

static void allocation(void)
{
    void *memory = &memory;
    size_t granule = 0;
    hsa_agent_t owner = 0;
    hsa_agent_iterate_regions(gpu, keep_region, NULL);
    ok(global && kernarg && group, "regions");
    ok(hsa_region_get_info(group, HSA_REGION_INFO_AGENT, &owner) == HSA_STATUS_SUCCESS && owner == gpu &&
           hsa_region_get_info(global, HSA_REGION_INFO_ALLOC_GRANULE, &granule) == HSA_STATUS_SUCCESS && granule &&
           hsa_region_get_info(global, (hsa_region_info_t)10, &granule) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_region_get_info(0, HSA_REGION_INFO_SIZE, &granule) == HSA_STATUS_ERROR_INVALID_REGION,
       "their attributes");
    ok(hsa_memory_allocate(global, 0, &memory) == HSA_STATUS_SUCCESS && !memory &&
           hsa_memory_allocate(group, 64, &memory) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_memory_allocate(global, 64, &memory) == HSA_STATUS_SUCCESS && memory &&
           hsa_memory_free(memory) == HSA_STATUS_SUCCESS && hsa_memory_free(NULL) == HSA_STATUS_SUCCESS,
       "an allocation of nothing is NULL");
}

static hsa_status_t stopped;

static void on_error(hsa_status_t status, hsa_queue_t *source)
{
    stopped = source->size == 64 ? status : HSA_STATUS_ERROR;
}

static void submit(hsa_queue_t *queue, const void *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    char *slot = (char *)(uintptr_t)queue->base_address + index % queue->size * 64;
    uint32_t head;
    memcpy(slot + 4, (const char *)packet + 4, 60);
    memcpy(&head, packet, sizeof head);
    __atomic_store_n((uint32_t *)(void *)slot, head, __ATOMIC_RELEASE);
    hsa_signal_store_release(queue->doorbell_signal, (hsa_signal_value_t)index);
}

struct vector_add_arguments {
    float *a, *b, *sum;
    uint32_t count;
};

static void dispatch(hsa_queue_t *queue, uint64_t kernel)
{
    enum { COUNT = 100 };
    float a[COUNT], b[COUNT], sum[COUNT] = {0};
    bool good = true;
    hsa_signal_t done, gate;
    struct vector_add_arguments *arguments;
    hsa_memory_allocate(kernarg, sizeof *arguments, (void **)&arguments);
    *arguments = (struct vector_add_arguments){a, b, sum, COUNT};
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    hsa_signal_create(1, 0, NULL, &done);
    hsa_signal_create(1, 1, &gpu, &gate);
    hsa_barrier_packet_t barrier = {.header = {.type = HSA_PACKET_TYPE_BARRIER, .barrier = 1}, .dep_signal = {gate}};
    hsa_dispatch_packet_t packet = {
        .header = {.type = HSA_PACKET_TYPE_DISPATCH,
                   .acquire_fence_scope = HSA_FENCE_SCOPE_SYSTEM,
                   .release_fence_scope = HSA_FENCE_SCOPE_SYSTEM},
        .dimensions = 1,
        .workgroup_size_x = 64,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = COUNT,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .kernel_object_address = kernel,
        .kernarg_address = (uintptr_t)arguments,
        .completion_signal = done};
    submit(queue, &barrier);
    submit(queue, &packet);
    bool early = hsa_signal_load_acquire(done) != 1;
    hsa_signal_store_release(gate, 0);
    while (hsa_signal_wait_acquire(done, HSA_LT, 1, UINT64_MAX, HSA_WAIT_EXPECTANCY_UNKNOWN) != 0)
        ;
    for (int i = 0; i < COUNT; i++)
        good &= sum[i] == (float)i + 0.5f;
    ok(!early && good, "a kernel runs after the barrier");
    hsa_amd_dispatch_time_t time = {0, 0};
    ok(hsa_ext_get_dispatch_times(gpu, done, &time) == HSA_STATUS_SUCCESS && time.start && time.end >= time.start,
       "and was timed");
    hsa_signal_destroy(gate);
    hsa_signal_destroy(done);
    hsa_memory_free(arguments);
}

static void queues(void)
{
    hsa_queue_t *queue = NULL, *service = NULL;
    ok(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, &service) == HSA_STATUS_SUCCESS &&
           hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, on_error, service, &queue) == HSA_STATUS_SUCCESS &&
           queue->size == 64 && queue->type == HSA_QUEUE_TYPE_SINGLE && queue->features & HSA_QUEUE_FEATURE_DISPATCH &&
           queue->service_queue == (uintptr_t)service && queue->id != service->id && !service->service_queue,
       "queues with a number and a service queue");
    ok(hsa_queue_create(gpu, 65, HSA_QUEUE_TYPE_MULTI, NULL, NULL, &service) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_create(gpu, 64, (hsa_queue_type_t)2, NULL, NULL, &service) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_queue_create(cpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, &service) ==
               HSA_STATUS_ERROR_INVALID_QUEUE_CREATION,
       "wrong queues are refused");
    uint64_t kernel = provisional_kernel(gpu);
    hsa_amd_memory_type_t memory = HSA_AMD_MEMORY_TYPE_COHERENT;
    ok(hsa_ext_set_profiling(queue, 1) == HSA_STATUS_SUCCESS &&
           hsa_ext_set_memory_type(gpu, HSA_AMD_MEMORY_TYPE_NONCOHERENT) == HSA_STATUS_SUCCESS &&
           hsa_ext_get_memory_type(gpu, &memory) == HSA_STATUS_SUCCESS && memory == HSA_AMD_MEMORY_TYPE_NONCOHERENT &&
           hsa_ext_set_memory_type(cpu, memory) == HSA_STATUS_ERROR_INVALID_AGENT,
       "AMD's functions of 2014");
    if (ok(kernel != 0, "a kernel"))
        dispatch(queue, kernel);
    hsa_dispatch_packet_t wrong = {.header = {.type = HSA_PACKET_TYPE_DISPATCH}, .dimensions = 3};
    hsa_signal_create(1, 0, NULL, &wrong.completion_signal);
    submit(queue, &wrong);
    hsa_signal_wait_relaxed(wrong.completion_signal, HSA_LT, 1, UINT64_MAX, HSA_WAIT_EXPECTANCY_LONG);
    ok(hsa_queue_inactivate(queue) == HSA_STATUS_SUCCESS && hsa_queue_destroy(queue) == HSA_STATUS_SUCCESS &&
           hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "queues end once");
    ok(stopped >= HSA_STATUS_ERROR && stopped <= HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "a queue's error is told: %#x",
       (unsigned)stopped);
}

static void images(void)
{
    hsa_ext_image_descriptor_t is = {
        HSA_EXT_IMAGE_GEOMETRY_2D,
        8,
        8,
        1,
        1,
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
    hsa_ext_image_info_t info = {0, 0};
    hsa_ext_image_handle_t image = {0};
    hsa_ext_sampler_handle_t sampler = {0};
    hsa_ext_image_region_t all = {{0, 0, 0}, {8, 8, 1}};
    uint32_t mask = 0;
    uint8_t texels[8 * 8 * 4], back[8 * 8 * 4] = {0};
    void *data = NULL;
    hsa_signal_t done;
    hsa_signal_create(2, 0, NULL, &done);
    memset(texels, 5, sizeof texels);
    ok(hsa_ext_image_get_format_capability(gpu, &is.format, is.geometry, &mask) == HSA_STATUS_SUCCESS &&
           mask & HSA_EXT_IMAGE_FORMAT_READ_ONLY &&
           hsa_ext_image_get_info(gpu, &is, HSA_EXT_IMAGE_ACCESS_PERMISSION_READ_WRITE, &info) == HSA_STATUS_SUCCESS &&
           info.image_size >= sizeof texels &&
           hsa_ext_image_get_info(gpu, &is, (hsa_ext_image_access_permission_t)3, &info) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "what images need");
    hsa_memory_allocate(global, info.image_size, &data);
    ok(hsa_ext_image_create_handle(gpu, &is, data, HSA_EXT_IMAGE_ACCESS_PERMISSION_READ_WRITE, &image) ==
               HSA_STATUS_SUCCESS &&
           hsa_ext_image_import(gpu, texels, 0, 0, image, &all, &done) == HSA_STATUS_SUCCESS &&
           hsa_signal_load_acquire(done) == 1 &&
           hsa_ext_image_export(gpu, image, back, 0, 0, &all, NULL) == HSA_STATUS_SUCCESS &&
           !memcmp(texels, back, sizeof back),
       "an import decrements its signal");
    float color[4] = {1, 300, -3, 2.9f};
    all.image_range.width = 1;
    ok(hsa_ext_image_clear(gpu, image, color, &all, &done) == HSA_STATUS_SUCCESS &&
           hsa_signal_load_relaxed(done) == 0 &&
           hsa_ext_image_copy(gpu, image, image, &all, NULL) == HSA_STATUS_SUCCESS &&
           hsa_ext_image_export(gpu, image, back, 0, 0, &all, NULL) == HSA_STATUS_SUCCESS && back[0] == 1 &&
           back[1] == 255 && back[2] == 0 && back[3] == 2,
       "floats become integers");
    is.width = 1 << 20;
    ok(hsa_ext_image_get_info(gpu, &is, HSA_EXT_IMAGE_ACCESS_PERMISSION_READ_ONLY, &info) ==
               HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED &&
           hsa_ext_image_destroy_handle(gpu, &image) == HSA_STATUS_SUCCESS &&
           hsa_ext_image_destroy_handle(gpu, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "statuses of images");
    hsa_ext_sampler_descriptor_t repeat = {
        HSA_EXT_SAMPLER_COORD_NORMALIZED, HSA_EXT_SAMPLER_FILTER_LINEAR, HSA_EXT_SAMPLER_ADDRESSING_REPEAT};
    ok(hsa_ext_sampler_create_handle(gpu, &repeat, &sampler) == HSA_STATUS_SUCCESS &&
           hsa_ext_sampler_destroy_handle(gpu, &sampler) == HSA_STATUS_SUCCESS,
       "a sampler of normalized coordinates may repeat");
    repeat.coordinate_mode = HSA_EXT_SAMPLER_COORD_UNNORMALIZED;
    ok(hsa_ext_sampler_create_handle(gpu, &repeat, &sampler) == HSA_STATUS_ERROR, "and no other");
    hsa_memory_free(data);
    hsa_signal_destroy(done);
}

int main(void)
{
    int agents = 0;
    setenv("HSA_AGENT_DRIVERS", "", 1);
    ok(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_iterate_agents(keep_agent, &agents) == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "nothing works before hsa_init()");
    ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_iterate_agents(keep_agent, &agents) == HSA_STATUS_SUCCESS &&
           agents >= 2 && cpu && gpu,
       "agents");
    statuses();
    information();
    allocation();
    queues();
    images();
    ok(sizeof(hsa_queue_t) == 40 && sizeof(hsa_dispatch_packet_t) == 64 && sizeof(hsa_agent_dispatch_packet_t) == 64 &&
           sizeof(hsa_barrier_packet_t) == 64 && sizeof(hsa_packet_header_t) == 2 &&
           sizeof(hsa_ext_image_descriptor_t) == 48,
       "structures have the sizes of 2014");
    ok(dlvsym(RTLD_DEFAULT, "hsa_ext_set_profiling", "HSA_1.0P") &&
           dlvsym(RTLD_DEFAULT, "hsa_queue_create", "ROCR_1") &&
           dlvsym(RTLD_DEFAULT, "hsa_queue_create", "ROCR_1") != dlvsym(RTLD_DEFAULT, "hsa_queue_create", "HSA_1.0P"),
       "both versions can be asked for");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
