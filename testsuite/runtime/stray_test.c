/* SPDX-License-Identifier: MIT */
/* Tests that nothing the runtime relies on is where kernels can write, nor where another process can that shares a
 * signal: kernels of the software GPU, which may touch only what they were given, fill all memory around signals,
 * images and samplers with numbers of different kinds. Expected: what the host does with them then has a status, and
 * the process goes on. A test driver that is told of signals is told of their end even so. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include "hsa/amd_hsa_signal.h"
#include "hsa/hsa_ext_image.h"

#include <pthread.h>

enum { PAGE = 4096, GROUP = 64, SIGNALS = 6 };

/* Neither of them is the value of a completion signal before its packet is complete. */
static const uint64_t fillings[] = {
    0, UINT64_MAX, 0x4141414141414141, 0x8000000080000000, 0x0000000100000001, 0x80000001ffffffff};
enum { FILLINGS = sizeof fillings / sizeof fillings[0] };

#ifdef __SANITIZE_THREAD__
enum { RACES_REPORTED = 1 }; /* what the kernels do here are data races */
#else
enum { RACES_REPORTED = 0 };
#endif

static hsa_agent_t agent;
static uint64_t kernels[MACHINE_KERNELS];

static hsa_signal_t make(hsa_signal_value_t value)
{
    hsa_signal_t signal = {0};
    hsa_signal_create(value, 0, NULL, &signal);
    return signal;
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)queue;
    *(_Atomic hsa_status_t *)data = status;
}

/* Lets a kernel fill SIZE bytes at AT, which may include everything that belongs to its own queue and signal; so the
 * queue is a new one. Returns the status of the kernel. */
static hsa_status_t fill(uintptr_t at, size_t size, uint64_t value)
{
    static uint64_t arguments[PAGE / 8] __attribute__((aligned(PAGE)));
    _Atomic hsa_status_t status = HSA_STATUS_SUCCESS;
    hsa_queue_t *queue;
    if (hsa_memory_register(arguments, sizeof arguments) ||
        hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_SINGLE, on_error, (void *)&status, 0, 0, &queue))
        return HSA_STATUS_ERROR;
    arguments[0] = at;
    arguments[1] = value;
    hsa_signal_t done = make(12345);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_FILL], (uint32_t)(size / 8), done);
    packet.workgroup_size_x = GROUP;
    packet.kernarg_address = arguments;
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_NE, 12345, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    bool ended =
        !hsa_queue_destroy(queue) && !hsa_signal_destroy(done) && !hsa_memory_deregister(arguments, sizeof arguments);
    return ended ? status : HSA_STATUS_ERROR;
}

/* Fills all memory around ADDRESS that kernels may touch, page by page. Returns how many pages that are. */
static unsigned fill_around(uint64_t address, uint64_t value)
{
    unsigned pages = 0;
    for (uintptr_t at = address & ~(uintptr_t)(PAGE - 1); !fill(at, PAGE, value); at += PAGE)
        pages++;
    for (uintptr_t at = (address & ~(uintptr_t)(PAGE - 1)) - PAGE; !fill(at, PAGE, value); at -= PAGE)
        pages++;
    return pages;
}

/* ---- what the host does with a signal ---- */

static bool on_value(hsa_signal_value_t value, void *data)
{
    (void)value, (void)data;
    return false;
}

static void *sleep_until_zero(void *signal)
{
    hsa_signal_wait_scacquire(*(hsa_signal_t *)signal, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    return NULL;
}

/* Everything that somebody can be doing with signals while they are overwritten. */
struct activity {
    hsa_signal_t signals[SIGNALS];
    pthread_t sleepers[2]; /* wait for the first two signals */
    hsa_queue_t *waiting;  /* its first packet waits for the third; it is the queue's own signal that completes it */
    hsa_queue_t *soft;     /* the fourth is its doorbell */
};

static hsa_status_t first_region(hsa_region_t region, void *data)
{
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

static bool begin(struct activity *it)
{
    hsa_region_t region = {0};
    bool good = true;
    for (unsigned i = 0; i < SIGNALS; i++)
        good &= (it->signals[i] = make(7)).handle != 0;
    for (unsigned i = 0; i < 2; i++)
        good &= !pthread_create(&it->sleepers[i], NULL, sleep_until_zero, &it->signals[i]);
    good &= !hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &it->waiting);
    hsa_barrier_and_packet_t barrier = {.header = HSA_PACKET_TYPE_BARRIER_AND,
                                        .dep_signal = {it->signals[2], it->signals[0]},
                                        .completion_signal = it->signals[4]};
    if (good)
        submit(it->waiting, &barrier);
    hsa_agent_iterate_regions(agent, first_region, &region);
    good &= !hsa_soft_queue_create(
        region, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH, it->signals[3], &it->soft);
    for (unsigned i = 0; i < SIGNALS; i++)
        good &= !hsa_amd_signal_async_handler(it->signals[i], HSA_SIGNAL_CONDITION_EQ, 99, on_value, NULL);
    usleep(10000); /* so that threads sleep by then */
    return good;
}

static bool end(struct activity *it)
{
    bool good = true;
    hsa_amd_profiling_dispatch_time_t time;
    hsa_signal_t more[SIGNALS];
    for (unsigned i = SIGNALS; i-- > 0;) { /* the fifth before those that let the packet go on, which changes it */
        hsa_signal_t signal = it->signals[i];
        hsa_signal_store_screlease(signal, 3);
        hsa_signal_add_scacq_screl(signal, 1);
        good &= hsa_signal_load_relaxed(signal) == 4 && hsa_signal_exchange_scacquire(signal, 5) == 4;
        good &= hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 8, 1000000, HSA_WAIT_STATE_BLOCKED) == 5;
        good &= !hsa_amd_profiling_get_dispatch_time(agent, signal, &time);
        good &= !hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 98, on_value, NULL);
        hsa_signal_store_relaxed(signal, 0);
    }
    for (unsigned i = 0; i < 2; i++)
        pthread_join(it->sleepers[i], NULL);
    good &= !hsa_queue_destroy(it->waiting) && !hsa_queue_destroy(it->soft);
    for (unsigned i = 0; i < SIGNALS; i++) {
        good &= !hsa_signal_destroy(it->signals[i]);
        good &= hsa_signal_destroy(it->signals[i]) == HSA_STATUS_ERROR_INVALID_SIGNAL;
        more[i] = make((hsa_signal_value_t)i);
    }
    for (unsigned i = 0; i < SIGNALS; i++)
        good &= hsa_signal_load_relaxed(more[i]) == (hsa_signal_value_t)i && !hsa_signal_destroy(more[i]);
    return good;
}

static void ordinary(void)
{
    for (unsigned i = 0; i < FILLINGS; i++) {
        struct activity activity;
        if (!ok(begin(&activity), "signals that somebody waits for"))
            return;
        unsigned pages = fill_around(activity.signals[0].handle, fillings[i]);
        ok(pages >= 1, "a kernel fills %u pages of signals with %016llx", pages, (unsigned long long)fillings[i]);
        ok(end(&activity), "and the host goes on using them");
    }
    struct activity left;
    ok(begin(&left), "signals that are left");
    ok(fill(left.signals[0].handle, sizeof(amd_signal_t) * SIGNALS, fillings[2]) == HSA_STATUS_SUCCESS,
       "a kernel fills just some of them");
    for (unsigned i = 0; i < 2; i++) {
        hsa_signal_store_relaxed(left.signals[i], 0);
        pthread_join(left.sleepers[i], NULL);
    }
}

/* ---- signals that processes share ---- */

static _Atomic bool enough;

/* Does what another process could do to a signal: overwrites all that is shared of it, all the time. */
static void *overwrite(void *page)
{
    for (unsigned n = 0; !enough; n++)
        for (size_t i = 0; i < PAGE / 8; i++)
            __atomic_store_n((uint64_t *)page + i, fillings[n % FILLINGS], __ATOMIC_RELAXED);
    return NULL;
}

static void overwritten_by_kernel(void)
{
    pthread_t sleeper;
    hsa_signal_t signal;
    bool good = true;
    for (unsigned i = 0; i < FILLINGS && good; i++) {
        good = !hsa_amd_signal_create(7, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal) &&
               !pthread_create(&sleeper, NULL, sleep_until_zero, &signal) && !usleep(10000) &&
               fill_around(signal.handle, fillings[i]);
        hsa_signal_store_relaxed(signal, 0);
        good = good && !pthread_join(sleeper, NULL) && !hsa_signal_destroy(signal);
    }
    ok(good, "a kernel fills all around a signal that processes share, and the host goes on using it");
}

static void overwritten_by_process(void)
{
    pthread_t other;
    hsa_signal_t signal, again;
    hsa_amd_ipc_signal_t handle;
    bool good = true;
    for (unsigned i = 0; i < 200 && good; i++) {
        enough = false;
        good = !hsa_amd_signal_create(7, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal) &&
               !hsa_amd_ipc_signal_create(signal, &handle) && !hsa_amd_ipc_signal_attach(&handle, &again) &&
               !hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_EQ, 99, on_value, NULL) &&
               !pthread_create(&other, NULL, overwrite, (void *)(uintptr_t)again.handle);
        hsa_signal_add_relaxed(signal, 1);
        good = good && !hsa_signal_destroy(signal);
        enough = true;
        good = good && !pthread_join(other, NULL) && !hsa_signal_destroy(again);
    }
    ok(good, "one ends while another process overwrites it all the time");
}

/* ---- images and samplers ---- */

static void images(void)
{
    enum { SIDE = 8, ROW = 256 };
    static uint32_t texels[SIDE * ROW / 4] __attribute__((aligned(PAGE)));
    const hsa_ext_image_descriptor_t is = {
        .geometry = HSA_EXT_IMAGE_GEOMETRY_2D,
        .width = SIDE,
        .height = SIDE,
        .format = {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, HSA_EXT_IMAGE_CHANNEL_ORDER_R}};
    const hsa_ext_sampler_descriptor_t how = {
        HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED, HSA_EXT_SAMPLER_FILTER_MODE_NEAREST,
        HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
    const hsa_ext_image_region_t whole = {{0}, {SIDE, SIDE, 1}};
    bool good = true;
    for (unsigned i = 0; i < FILLINGS && good; i++) {
        hsa_ext_image_t image;
        hsa_ext_sampler_t sampler;
        uint32_t color[4] = {i + 1}, copy[SIDE * SIDE] = {0};
        good = !hsa_ext_image_create(agent, &is, texels, HSA_ACCESS_PERMISSION_RW, &image) &&
               !hsa_ext_sampler_create(agent, &how, &sampler) && fill_around(image.handle, fillings[i]) &&
               fill_around(sampler.handle, fillings[i]);
        good = good && !hsa_ext_image_clear(agent, image, color, &whole) &&
               !hsa_ext_image_copy(agent, image, &whole.offset, image, &whole.offset, &whole.range) &&
               !hsa_ext_image_export(agent, image, copy, 0, 0, &whole) && copy[0] == i + 1 &&
               copy[SIDE * SIDE - 1] == i + 1 && texels[(SIDE - 1) * ROW / 4] == i + 1;
        good = good && !hsa_ext_image_destroy(agent, image) && !hsa_ext_sampler_destroy(agent, sampler) &&
               hsa_ext_image_destroy(agent, image) && hsa_ext_sampler_destroy(agent, sampler);
    }
    ok(good, "the host goes on using images and samplers whose resources were overwritten");
}

/* ---- signals of which a driver was told ---- */

static void announced(void)
{
    if (!counts() || !start("signals"))
        return;
    int made = counts()->signal_new, removed = counts()->signal_remove;
    bool good = true;
    for (unsigned i = 0; i < FILLINGS; i++) {
        hsa_signal_t signal = make(1);
        for (size_t n = 0; n < sizeof(amd_signal_t) / 8; n++)
            ((volatile uint64_t *)(uintptr_t)signal.handle)[n] = fillings[i];
        ((volatile amd_signal_t *)(uintptr_t)signal.handle)->kind = AMD_SIGNAL_KIND_DOORBELL;
        hsa_signal_store_relaxed(signal, 5);
        good &= hsa_signal_destroy(signal) == HSA_STATUS_SUCCESS;
        hsa_signal_store_relaxed(signal, 6); /* somebody is late */
    }
    ok(good && counts()->signal_new - made == FILLINGS && counts()->signal_remove - removed == FILLINGS,
       "a driver is told that overwritten signals are destroyed");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
}

int main(void)
{
    announced();
    unsetenv("HSA_AGENT_DRIVERS");
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    setenv("HSA_GCN_MEMORY", "guarded", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start with the software GPU");
    agent = agent_named("gfx900", NULL);
    if (!ok(agent.handle && machine_load(agent, kernels).handle, "its kernels are loaded"))
        return tap_done();
    if (RACES_REPORTED) {
        tap_skip("kernels that overwrite signals and images", "the thread sanitizer reports them");
    } else {
        ordinary();
        overwritten_by_kernel();
        images();
    }
    overwritten_by_process();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with overwritten signals left");
    return tap_done();
}
