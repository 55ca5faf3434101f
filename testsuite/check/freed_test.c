/* SPDX-License-Identifier: MIT */
/* Tests the checker of memory with freed memory, images and buffers, in the way that any program can use it: with
 * HSA_GCN_CHECK alone, and with memory of the pools. The kernels are in freed.s; freed.sh makes the code object that
 * the first argument names. */
#include "config.h"

#include "hsa/hsa_ext_image.h"
#include "hsa/hsa_ven_hsail_report.h"
#include "testsuite/runtime/common.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ITEMS = 64 };

static struct {
    hsa_agent_t agent;
    hsa_amd_memory_pool_t pool;
    hsa_executable_t executable;
    uint64_t *kernarg;
    uint32_t *out;
    char text[4096], id[64];
    unsigned findings;
} test;

static void on_report(const hsa_ven_hsail_report_t *report, void *data)
{
    (void)data;
    if (report->kind != HSA_VEN_HSAIL_REPORT_FINDING || test.findings++)
        return;
    snprintf(test.text, sizeof test.text, "%s", report->text);
    snprintf(test.id, sizeof test.id, "%s", report->id);
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)status, (void)queue, (void)data;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t pool, void *data)
{
    bool may;
    (void)data;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &may);
    if (may && !test.pool.handle)
        test.pool = pool;
    return HSA_STATUS_SUCCESS;
}

static void *allocate(size_t size)
{
    void *memory = NULL;
    if (hsa_amd_memory_pool_allocate(test.pool, size, 0, &memory) != HSA_STATUS_SUCCESS)
        exit(99);
    return memory;
}

static bool load(const char *file)
{
    hsa_code_object_reader_t reader;
    int opened = open(file, O_RDONLY);
    test.agent = agent_named("gfx900", NULL);
    hsa_amd_agent_iterate_memory_pools(test.agent, take_pool, NULL);
    return opened >= 0 && hsa_code_object_reader_create_from_file(opened, &reader) == HSA_STATUS_SUCCESS &&
           hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                     &test.executable) == HSA_STATUS_SUCCESS &&
           hsa_executable_load_agent_code_object(test.executable, test.agent, reader, NULL, NULL) ==
               HSA_STATUS_SUCCESS &&
           hsa_executable_freeze(test.executable, NULL) == HSA_STATUS_SUCCESS;
}

/* Runs the kernel NAME with ITEMS work-items on ADDRESS. The queue stops if there is no memory at that address. */
static void run(const char *name, const void *address)
{
    hsa_executable_symbol_t symbol;
    hsa_signal_t done;
    hsa_queue_t *queue;
    uint64_t object = 0;
    test.findings = 0;
    *test.text = *test.id = 0;
    if (hsa_executable_get_symbol_by_name(test.executable, name, &test.agent, &symbol) != HSA_STATUS_SUCCESS ||
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object) !=
            HSA_STATUS_SUCCESS ||
        hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS ||
        hsa_queue_create(test.agent, 64, HSA_QUEUE_TYPE_SINGLE, on_error, NULL, 0, 0, &queue) != HSA_STATUS_SUCCESS)
        exit(99);
    test.kernarg[0] = (uintptr_t)address;
    test.kernarg[1] = (uintptr_t)test.out;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(object, ITEMS, done);
    packet.workgroup_size_x = ITEMS;
    packet.kernarg_address = test.kernarg;
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(done);
}

static void silent(const char *name, const char *kernel, const void *address)
{
    run(kernel, address);
    ok(!test.findings, "right: %s %s", name, test.text);
}

/* FACT is a part of the text of the report. */
static void found(const char *name, const char *kernel, const void *address, const char *id, const char *fact)
{
    run(kernel, address);
    ok(test.findings == 1 && !strcmp(test.id, id) && strstr(test.text, fact), "wrong: %s [%s] %s", name, id, test.text);
}

static pid_t freeing_thread;

static void *free_in_thread(void *memory)
{
    pthread_setname_np(pthread_self(), "that-frees");
    freeing_thread = (pid_t)syscall(SYS_gettid);
    hsa_amd_memory_pool_free(memory);
    return NULL;
}

/* Whether the last report says that this thread allocated the memory, and the other one freed it. */
static bool names_callers(void)
{
    char allocated[64], freed[64];
    snprintf(allocated, sizeof allocated, " in thread %d (", (int)syscall(SYS_gettid));
    snprintf(freed, sizeof freed, " in thread %d (that-frees)", (int)freeing_thread);
    const char *by = strstr(test.text, "allocated by "), *after = by ? strstr(by, "freed by ") : NULL;
    return by && after && strstr(by, allocated) && strstr(by, allocated) < after && strstr(after, freed) &&
           strstr(after, "freed_test");
}

static void test_freed(void)
{
    uint32_t *memory = allocate(4096), *short_one = allocate(4 * ITEMS - 8);
    for (uint32_t i = 0; i < ITEMS; i++)
        memory[i] = i;
    silent("memory that is there", "k", memory);
    silent("the last dwords that are there", "k", memory + 1024 - ITEMS);
    silent("a scalar load", "s", memory);
    found("two dwords too many", "k", short_one, "memory-global", "0 bytes after the end of the 248-byte allocation");
    pthread_t thread;
    if (pthread_create(&thread, NULL, free_in_thread, memory) != 0)
        exit(99);
    pthread_join(thread, NULL);
    found("freed memory", "k", memory, "memory-freed", "inside the 4096-byte allocation, which was freed");
    ok(strstr(test.text, "work-item (0,0,0)") && strstr(test.text, "k+0x"), "work-item and place are named");
    ok(names_callers(), "the threads that allocated and freed the memory are named");
    bool again = false;
    for (unsigned i = 0; i < 200; i++) {
        void *other = allocate(4096);
        again |= other == memory;
        hsa_amd_memory_pool_free(other);
    }
    ok(!again, "nobody gets the addresses soon");
    found("freed memory, by a scalar load", "s", memory + 8, "memory-freed", "which was freed");
    void *last = allocate(4096);
    silent("memory that came later", "s", last);
    hsa_amd_memory_pool_free(last);
    hsa_amd_memory_pool_free(short_one);
}

static void test_alignment(void)
{
    char *memory = allocate(4096);
    silent("a scalar load at a multiple of 4", "s", memory + 12);
    found("a scalar load elsewhere", "s", memory + 6, "memory-alignment", "reads 4 bytes at global address 0x");
    hsa_amd_memory_pool_free(memory);
}

static void test_buffers(void)
{
    uint32_t *memory = allocate(256), *small = allocate(252);
    silent("a buffer", "b", memory);
    found("a buffer that is described too large", "b", small, "memory-global", "0 bytes after the end of the 252-byte");
    hsa_amd_memory_pool_free(memory);
    found("a freed buffer", "b", memory, "memory-freed", "256-byte allocation, which was freed");
    hsa_amd_memory_pool_free(small);
}

static hsa_ext_image_t image_of(const void *memory, size_t rows)
{
    hsa_ext_image_t image;
    const hsa_ext_image_descriptor_t is = {
        .geometry = HSA_EXT_IMAGE_GEOMETRY_2D,
        .width = ITEMS,
        .height = rows,
        .format = {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, HSA_EXT_IMAGE_CHANNEL_ORDER_R}};
    if (hsa_ext_image_create(test.agent, &is, memory, HSA_ACCESS_PERMISSION_RW, &image) != HSA_STATUS_SUCCESS)
        exit(99);
    return image;
}

static const void *handle_of(hsa_ext_image_t image)
{
    return (const void *)(uintptr_t)image.handle;
}

static void test_images(void)
{
    uint32_t *memory = allocate(4096);
    hsa_ext_image_t whole = image_of(memory, 16), larger = image_of(memory, 17);
    silent("an image", "i", handle_of(whole));
    found("an image that is larger than its memory", "i", handle_of(larger), "memory-image", "reads 4352 bytes");
    ok(strstr(test.text, "inside the 4096-byte allocation"), "its allocation is named");
    hsa_amd_memory_pool_free(memory);
    found("an image whose memory was freed", "i", handle_of(whole), "memory-freed", "which was freed");
    hsa_ext_image_destroy(test.agent, whole);
    hsa_ext_image_destroy(test.agent, larger);
}

int main(int argc, char **argv)
{
    hsa_ven_hsail_report_1_00_pfn_t table;
    unsetenv("HSA_MEMORY_GUARD");
    setenv("HSA_GCN_CHECK", "memory", 1);
    if (argc < 2 || hsa_init() != HSA_STATUS_SUCCESS)
        return 99;
    if (!ok(load(argv[1]), "the kernels are there") ||
        hsa_system_get_major_extension_table(HSA_EXTENSION_HSAIL_REPORT, 1, sizeof table, &table) != HSA_STATUS_SUCCESS)
        return 99;
    table.hsa_ven_hsail_report_set_handler(on_report, NULL);
    test.kernarg = allocate(4096);
    test.out = allocate(4096);
    test_images();
    test_alignment();
    test_buffers();
    test_freed();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "stop");
    return tap_done();
}
