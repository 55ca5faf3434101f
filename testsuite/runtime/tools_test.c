/* SPDX-License-Identifier: MIT */
/* Tests tools libraries: loading, every row of every table, unloading, and queues whose packets handlers see.
 * Expected is what hsa_api_trace.h says. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"
#include "testsuite/runtime/tool.h"

static struct tool_state *state;
static tool_answer_t answer;

static bool start_with(const char *list)
{
    setenv("HSA_TOOLS_LIB", list, 1);
    return hsa_init() == HSA_STATUS_SUCCESS;
}

/* ---- loading ---- */

static void loading(void)
{
    struct capture capture;
    capture_begin(&capture);
    bool up = start_with("/nonexistent/a\\ b.so  \"" TEST_TOOL "\"");
    const char *said = capture_end(&capture);
    ok(up && state->loads == 1, "a tools library is loaded");
    ok(strstr(said, "[tool-load]") && strstr(said, "/nonexistent/a b.so"),
       "a tools library that does not exist is reported");
    ok(state->failed == 1 && !strcmp(state->failed_name, "/nonexistent/a b.so"),
       "OnLoad() is told the name of the library that does not exist");
    ok(state->version == HSA_API_TABLE_MAJOR_VERSION && state->agents >= 2, "the runtime is up for OnLoad()");
    ok(state->nested, "OnLoad() may start and end the runtime once more");
}

static void ending(void)
{
    ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_shut_down() == HSA_STATUS_SUCCESS && !state->unloads &&
           state->loads == 1,
       "only the first start and the last end count");
    answer(true);
    answer(false);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && state->unloads == 1 && state->up_at_unload,
       "the runtime is up for OnUnload()");
    ok(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED, "the runtime is down after OnUnload()");
}

static void refusing(void)
{
    struct capture capture;
    setenv("HSA_TEST_TOOL", "refuse", 1);
    capture_begin(&capture);
    bool up = start_with(TEST_TOOL);
    const char *said = capture_end(&capture);
    ok(up && strstr(said, "[tool-refused]"), "OnLoad() returns false");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS && state->unloads == 1, "OnUnload() is not called then");
    capture_begin(&capture);
    up = start_with(TEST_DRIVER);
    said = capture_end(&capture);
    ok(up && strstr(said, "[tool-entry]"), "a library without OnLoad()");
    hsa_shut_down();
    setenv("HSA_TOOLS_REPORT_LOAD_FAILURE", "0", 1);
    capture_begin(&capture);
    up = start_with("/nonexistent.so \"");
    said = capture_end(&capture);
    ok(up && !*said && hsa_shut_down() == HSA_STATUS_SUCCESS, "reports can be turned off");
    unsetenv("HSA_TEST_TOOL");
    unsetenv("HSA_TOOLS_REPORT_LOAD_FAILURE");
}

/* ---- every row ---- */

/* Calls the function that the runtime exports as NAME; its row takes no arguments now. */
static uint64_t call_exported(const char *name)
{
    uint64_t (*function)(void) = (uint64_t (*)(void))dlsym(RTLD_DEFAULT, name);
    return function ? function() : 0;
}

static void rows(void)
{
    static const struct {
        const char *name;
        enum tool_row row;
        bool hidden;
    } all[] = {
#define HSA_API_CORE(name)       {#name, ROW_##name, false},
#define HSA_API_AMD(name)        {#name, ROW_##name, false},
#define HSA_API_AMD_HIDDEN(name) {#name, ROW_##name, true},
#define HSA_API_FINALIZER(name)  {#name, ROW_##name, false},
#define HSA_API_IMAGE(name)      {#name, ROW_##name, false},
#define HSA_API_OLD(old, name)   {#old, ROW_##name, false},
#include "hsa/hsa_api_trace.def"
    };
    hsa_ext_images_1_pfn_t images;
    hsa_ext_finalizer_1_00_pfn_t finalizer = {0};
    bool tables = !hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, sizeof images, &images);
    hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof finalizer, &finalizer);
    unsigned wrong = 0, hidden = 0;
    answer(true);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint64_t got = call_exported(all[i].name), wanted = all[i].hidden ? 0 : all[i].row;
        if (got != wanted)
            printf("# %s calls row %u\n", all[i].name, (unsigned)got);
        wrong += got != wanted;
        hidden += all[i].hidden;
    }
    uint64_t image =
        tables ? (uint64_t)images.hsa_ext_image_clear((hsa_agent_t){0}, (hsa_ext_image_t){0}, NULL, NULL) : 0;
    uint64_t program =
        finalizer.hsa_ext_program_destroy ? (uint64_t)finalizer.hsa_ext_program_destroy((hsa_ext_program_t){0}) : 0;
    answer(false);
    ok(!wrong && hidden == 3, "each of %zu functions calls its row", sizeof all / sizeof *all);
    ok(image == ROW_hsa_ext_image_clear, "the table of the image extension calls its row");
    if (finalizer.hsa_ext_program_destroy)
        ok(program == ROW_hsa_ext_program_destroy, "the table of the finalizer calls its row");
    else
        tap_skip("the table of the finalizer calls its row", "the runtime does not find it");
}

/* ---- queues with handlers ---- */

enum { PACKETS = 500 };

struct seen {
    unsigned calls, packets, twice;
    uint64_t next;
    bool in_order;
};

/* Passes kernels on; those whose packet number is a multiple of ten are passed on twice. */
static void double_some(const void *packets, uint64_t count, uint64_t index, void *data,
                        hsa_amd_queue_intercept_packet_writer writer)
{
    struct seen *seen = data;
    const hsa_kernel_dispatch_packet_t *p = packets;
    seen->calls++;
    seen->in_order &= index == seen->next;
    seen->next = index + count;
    seen->packets += (unsigned)count; /* this must happen before the last packet can complete */
    for (uint64_t i = 0; i < count; i++) {
        if ((index + i) % 10 == 0) {
            hsa_kernel_dispatch_packet_t more = p[i];
            more.completion_signal.handle = 0;
            writer(&more, 1);
            seen->twice++;
        }
        writer(&p[i], 1);
    }
}

static void count_only(const void *packets, uint64_t count, uint64_t index, void *data,
                       hsa_amd_queue_intercept_packet_writer writer)
{
    (void)index;
    ((struct seen *)data)->packets += (unsigned)count;
    writer(packets, count);
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    hsa_queue_t **seen = data;
    *seen = status == HSA_STATUS_SUCCESS ? NULL : queue;
}

static void handlers(void)
{
    uint64_t objects[MACHINE_KERNELS];
    hsa_agent_t gpu = agent_named("gfx900", NULL);
    hsa_executable_t executable = machine_load(gpu, objects);
    const struct AmdExtTable *amd = state->amd;
    hsa_queue_t *queue = NULL, *plain = NULL, *broken = NULL;
    struct seen first = {.in_order = true}, second = {.in_order = true};
    ok(executable.handle && !amd->hsa_amd_queue_intercept_create_fn(
                                gpu, 64, HSA_QUEUE_TYPE_MULTI, on_error, &broken, UINT32_MAX, UINT32_MAX, &queue),
       "a queue with handlers");
    ok(!amd->hsa_amd_queue_intercept_register_fn(queue, count_only, &first) &&
           !amd->hsa_amd_queue_intercept_register_fn(queue, double_some, &second),
       "a queue gets two handlers");
    hsa_signal_t done;
    static uint64_t number;
    static uint64_t *kernarg = &number;
    hsa_signal_create(PACKETS, 0, NULL, &done);
    hsa_kernel_dispatch_packet_t packet = kernel_packet(objects[MACHINE_ADD], 1, done);
    packet.header |= 1 << HSA_PACKET_HEADER_BARRIER | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    packet.kernarg_address = kernarg;
    for (unsigned i = 0; i < PACKETS; i++)
        submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    ok(number == PACKETS + PACKETS / 10, "what handlers write is executed: %llu", (unsigned long long)number);
    ok(second.packets == PACKETS && second.in_order && second.twice == PACKETS / 10,
       "the last handler sees packets first");
    ok(first.packets == PACKETS + PACKETS / 10, "the first one sees what that one wrote");
    ok(amd->hsa_amd_queue_intercept_register_fn(queue, NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "NULL is no handler");
    hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &plain);
    ok(amd->hsa_amd_queue_intercept_register_fn(plain, count_only, &first) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "a queue that was made without room for handlers");
    hsa_queue_destroy(plain);
    packet.header = HSA_PACKET_TYPE_AGENT_DISPATCH;
    submit(queue, &packet);
    for (unsigned i = 0; i < 2000 && !__atomic_load_n(&broken, __ATOMIC_ACQUIRE); i++)
        usleep(1000);
    ok(broken == queue, "errors are reported for the client's queue");
    ok(!hsa_queue_destroy(queue) && hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE,
       "a queue with handlers is destroyed once");
    ok(!amd->hsa_amd_queue_intercept_create_fn(gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue),
       "a queue with handlers may be left alive");
    hsa_signal_destroy(done);
    hsa_executable_destroy(executable);
}

struct destroyer {
    hsa_status_t status;
    bool rung;         /* atomic: the client does not touch the doorbell any more */
    hsa_queue_t *seen; /* atomic */
};

static void destroy_front(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)status;
    struct destroyer *destroyer = data;
    while (!__atomic_load_n(&destroyer->rung, __ATOMIC_ACQUIRE))
        usleep(1000);
    destroyer->status = hsa_queue_destroy(queue);
    __atomic_store_n(&destroyer->seen, queue, __ATOMIC_RELEASE);
}

/* The queue of the agent calls; the client has the other one, whose thread waits for packets. */
static void destroyed_in_callback(void)
{
    hsa_queue_t *queue = NULL;
    struct destroyer destroyer = {.status = HSA_STATUS_ERROR};
    ok(!state->amd->hsa_amd_queue_intercept_create_fn(agent_named("gfx900", NULL), 64, HSA_QUEUE_TYPE_MULTI,
                                                      destroy_front, &destroyer, UINT32_MAX, UINT32_MAX, &queue),
       "another queue with handlers");
    hsa_kernel_dispatch_packet_t packet = kernel_packet(0, 1, (hsa_signal_t){0});
    packet.header = HSA_PACKET_TYPE_AGENT_DISPATCH;
    submit(queue, &packet);
    __atomic_store_n(&destroyer.rung, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&destroyer.seen, __ATOMIC_ACQUIRE))
        usleep(1000);
    ok(destroyer.status == HSA_STATUS_SUCCESS && destroyer.seen == queue,
       "the callback of a queue with handlers destroys the queue");
    ok(hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE, "the destroyed queue is not destroyed again");
}

int main(void)
{
    void *tool = dlopen(TEST_TOOL, RTLD_NOW | RTLD_LOCAL);
    state = tool ? dlsym(tool, "tool_state") : NULL;
    answer = tool ? (tool_answer_t)dlsym(tool, "tool_answer") : NULL;
    if (!ok(state && answer, "the test's tools library")) {
        printf("# %s\n", dlerror());
        return tap_done();
    }
    loading();
    rows();
    handlers();
    destroyed_in_callback();
    ending();
    refusing();
    return tap_done();
}
