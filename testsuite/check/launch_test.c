/* SPDX-License-Identifier: MIT */
/* Dispatch packets that contradict their kernels: each is refused with the field, its value and the limit; packets that
 * just meet the limit are not. The kernels are in launch.s; launch.sh makes the code object that the first argument
 * names. The second one names a code object that the finalizer has made of launch.hsail, if there is a finalizer. */
#include "hsa/hsa_ext_amd.h"
#include "hsa/hsa_ven_hsail_report.h"
#include "testsuite/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static struct {
    hsa_agent_t agent;
    uint64_t k, m, p, q; /* kernel objects */
    void *kernarg;
    char json[4096];
    unsigned reports;
    hsa_status_t status;
} test;

static void on_report(const hsa_ven_hsail_report_t *report, void *data)
{
    (void)data;
    test.reports++;
    snprintf(test.json, sizeof test.json, "%s", report->json);
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)queue, (void)data;
    __atomic_store_n(&test.status, status, __ATOMIC_RELEASE);
}

static hsa_status_t take_gpu(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU)
        test.agent = agent;
    return HSA_STATUS_SUCCESS;
}

static uint64_t kernel_object(hsa_executable_t executable, const char *name)
{
    hsa_executable_symbol_t symbol;
    uint64_t object = 0;
    if (hsa_executable_get_symbol_by_name(executable, name, &test.agent, &symbol) == HSA_STATUS_SUCCESS)
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
    return object;
}

static bool load_file(const char *file, hsa_executable_t *loaded)
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    int opened = open(file, O_RDONLY);
    if (opened < 0 || hsa_code_object_reader_create_from_file(opened, &reader) != HSA_STATUS_SUCCESS ||
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable) !=
            HSA_STATUS_SUCCESS ||
        hsa_executable_load_agent_code_object(executable, test.agent, reader, NULL, NULL) != HSA_STATUS_SUCCESS ||
        hsa_executable_freeze(executable, NULL) != HSA_STATUS_SUCCESS)
        return false;
    *loaded = executable;
    return true;
}

static bool load(const char *file)
{
    hsa_executable_t executable;
    hsa_iterate_agents(take_gpu, NULL);
    if (!load_file(file, &executable))
        return false;
    test.q = kernel_object(executable, "q.kd");
    test.k = kernel_object(executable, "k.kd");
    test.m = kernel_object(executable, "m.kd");
    test.p = kernel_object(executable, "p.kd");
    return test.k && test.m && test.p && test.q;
}

/* Submits PACKET to a new queue; returns its error text, in memory that the next call changes. */
static const char *submit(hsa_kernel_dispatch_packet_t packet)
{
    static char text[1024];
    const char *found = NULL;
    hsa_queue_t *queue;
    hsa_signal_t done;
    test.status = HSA_STATUS_SUCCESS;
    test.reports = 0;
    *test.json = *text = 0;
    if (hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS ||
        hsa_queue_create(test.agent, 64, HSA_QUEUE_TYPE_SINGLE, on_error, NULL, 0, 0, &queue) != HSA_STATUS_SUCCESS)
        exit(99);
    packet.completion_signal = done;
    hsa_kernel_dispatch_packet_t *slot = queue->base_address;
    memcpy((char *)slot + 4, (char *)&packet + 4, sizeof packet - 4);
    hsa_queue_store_write_index_relaxed(queue, 1);
    uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
    __atomic_store_n((uint32_t *)slot, header | (uint32_t)packet.setup << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, 0);
    hsa_signal_value_t left =
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    while (left < 0 && !__atomic_load_n(&test.status, __ATOMIC_ACQUIRE))
        ;
    if (left < 0 && hsa_amd_queue_get_info(queue, HSA_EXT_QUEUE_INFO_ERROR_TEXT, &found) == HSA_STATUS_SUCCESS && found)
        snprintf(text, sizeof text, "%s", found);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(done);
    return text;
}

static hsa_kernel_dispatch_packet_t good(uint64_t object)
{
    hsa_kernel_dispatch_packet_t packet = {
        .setup = object == test.k ? 2 : 1,
        .workgroup_size_x = object == test.k ? 16 : 64,
        .workgroup_size_y = object == test.k ? 4 : 1,
        .workgroup_size_z = 1,
        .grid_size_x = 64,
        .grid_size_y = object == test.k ? 64 : 1,
        .grid_size_z = 1,
        .private_segment_size = 48,
        .group_segment_size = 512,
        .kernel_object = object,
        .kernarg_address = test.kernarg};
    return packet;
}

static void accepted(const char *name, hsa_kernel_dispatch_packet_t packet)
{
    const char *text = submit(packet);
    ok(test.status == HSA_STATUS_SUCCESS && !test.reports && !*text, "accepted: %s %s", name, text);
}

/* Tests that PACKET is refused. KERNEL is the kernel's name as the text has it. */
static void refused(const char *kernel, hsa_kernel_dispatch_packet_t packet, hsa_status_t status, const char *id,
                    const char *field, uint64_t value, uint64_t limit)
{
    char wanted[160], named[64], numbers[2][32];
    const char *text = submit(packet);
    snprintf(wanted, sizeof wanted, "\"field\":\"%s\",\"value\":%llu,\"limit\":%llu", field, (unsigned long long)value,
             (unsigned long long)limit);
    snprintf(named, sizeof named, "[%s]", id);
    snprintf(numbers[0], sizeof numbers[0], value > 100000 ? "0x%llx" : "%llu", (unsigned long long)value);
    snprintf(numbers[1], sizeof numbers[1], "%llu", (unsigned long long)limit);
    ok(test.status == status, "%s: status 0x%x", id, test.status);
    ok(strstr(text, named) && strstr(text, field) && strstr(text, kernel), "the text names kernel and field: %s", text);
    ok((strstr(text, numbers[0]) || !value) && strstr(text, limit ? numbers[1] : ""), "the text has value and limit");
    ok(test.reports == 1 && strstr(test.json, wanted) && strstr(test.json, id),
       "the report as JSON has field, value and limit: %s", test.json);
}

#define REFUSED(kernel, change, status, ...)                                                               \
    do {                                                                                                     \
        hsa_kernel_dispatch_packet_t p = good(kernel);                                                       \
        change;                                                                                              \
        refused(kernel == test.k ? "kernel k " : "kernel m ", p, HSA_STATUS_ERROR_##status, __VA_ARGS__);     \
    } while (0)
#define ACCEPTED(kernel, change)                                                                           \
    do {                                                                                                     \
        hsa_kernel_dispatch_packet_t p = good(kernel);                                                       \
        change;                                                                                              \
        accepted(#change, p);                                                                                \
    } while (0)

static void test_sizes(void)
{
    ACCEPTED(test.k, (void)0);
    ACCEPTED(test.m, (void)0);
    REFUSED(test.k, p.setup = 0, INCOMPATIBLE_ARGUMENTS, "packet-dimensions", "setup", 0, 3);
    REFUSED(test.m, p.setup = 5, INVALID_PACKET_FORMAT, "packet-reserved", "setup above its dimensions", 1, 0);
    REFUSED(test.m, p.reserved0 = 9, INVALID_PACKET_FORMAT, "packet-reserved", "reserved0", 9, 0);
    ACCEPTED(test.m, p.reserved2 = 9);
    REFUSED(test.m, p.workgroup_size_x = 0, INCOMPATIBLE_ARGUMENTS, "packet-empty", "workgroup_size_x", 0, 1);
    REFUSED(test.k, p.grid_size_y = 0, INCOMPATIBLE_ARGUMENTS, "packet-empty", "grid_size_y", 0, 1);
    REFUSED(test.m, p.workgroup_size_y = 2, INCOMPATIBLE_ARGUMENTS, "packet-flat", "workgroup_size_y", 2, 1);
    REFUSED(test.k, p.grid_size_z = 3, INCOMPATIBLE_ARGUMENTS, "packet-flat", "grid_size_z", 3, 1);
    REFUSED(test.m, p.workgroup_size_x = 1025, INVALID_ARGUMENT, "packet-group-size", "workgroup_size", 1025, 1024);
    REFUSED(test.m, p.workgroup_size_x = 193, INVALID_ARGUMENT, "packet-flat-group", "workgroup_size", 193, 192);
    ACCEPTED(test.m, p.workgroup_size_x = 192);
    ACCEPTED(test.m, p.workgroup_size_x = 7);
    REFUSED(test.k, p.workgroup_size_x = 8, INVALID_ARGUMENT, "packet-required-group", "workgroup_size_x", 8, 16);
    REFUSED(test.k, p.workgroup_size_y = 2, INVALID_ARGUMENT, "packet-required-group", "workgroup_size_y", 2, 4);
    ACCEPTED(test.k, p.grid_size_x = 3);
}

static void test_memory(void)
{
    REFUSED(test.k, p.group_segment_size = 511, INVALID_ALLOCATION, "packet-group-memory", "group_segment_size", 511,
            512);
    REFUSED(test.k, p.group_segment_size = 65537, INVALID_ALLOCATION, "packet-group-memory", "group_segment_size",
            65537, 65536);
    ACCEPTED(test.k, p.group_segment_size = 65536);
    REFUSED(test.k, p.private_segment_size = 47, INVALID_ALLOCATION, "packet-private-memory", "private_segment_size",
            47, 48);
    ACCEPTED(test.k, p.private_segment_size = 4096);
    ACCEPTED(test.m, p.private_segment_size = p.group_segment_size = 0);
    REFUSED(test.k, p.kernarg_address = NULL, INVALID_ARGUMENT, "packet-kernarg", "kernarg_address", 0, 0);
    ACCEPTED(test.m, p.kernarg_address = NULL);
    void *at = (char *)test.kernarg + 16; /* aligned enough for most kernels, but this one wants 64 */
    REFUSED(test.k, p.kernarg_address = at, INVALID_ARGUMENT, "packet-kernarg", "kernarg_address", (uintptr_t)at, 64);
    ACCEPTED(test.k, p.kernarg_address = (char *)test.kernarg + 64);
    ACCEPTED(test.p, p.kernarg_address = (char *)test.kernarg + 8);
    hsa_kernel_dispatch_packet_t p = good(test.p);
    p.kernarg_address = (char *)test.kernarg + 4;
    refused("kernel p ", p, HSA_STATUS_ERROR_INVALID_ARGUMENT, "packet-kernarg", "kernarg_address",
            (uintptr_t)p.kernarg_address, 8);
    p = good(test.m);
    p.kernel_object = 0x123456789ac0;
    refused("kernel at 0x123456789ac0 ", p, HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "packet-kernel-object",
            "kernel_object", 0x123456789ac0, 0);
    p.kernel_object = test.m + 4;
    refused("kernel at 0x", p, HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "packet-kernel-object", "kernel_object",
            test.m + 4, 0);
}

/* A launch of kernel q, or &q, with a change. */
#define DIRECTIVE(change, ...)                                                                             \
    do {                                                                                                     \
        hsa_kernel_dispatch_packet_t p = allowed(object);                                                    \
        change;                                                                                              \
        refused(name, p, HSA_STATUS_ERROR_INVALID_ARGUMENT, __VA_ARGS__);                                    \
    } while (0)

static hsa_kernel_dispatch_packet_t allowed(uint64_t object)
{
    hsa_kernel_dispatch_packet_t packet = good(object);
    packet.setup = 2;
    packet.workgroup_size_x = 32;
    packet.workgroup_size_y = 4;
    packet.grid_size_x = 96;
    packet.grid_size_y = 8;
    packet.group_segment_size = 164;
    return packet;
}

/* Control directives: two dimensions, a grid of 96x8x1, at most 100 bytes of dynamic group memory beside the kernel's
 * own 64, no partial work-groups. */
static void test_directives(uint64_t object, const char *name)
{
    accepted(name, allowed(object));
    DIRECTIVE(p.setup = 3, "packet-required-dimensions", "setup", 3, 2);
    DIRECTIVE(p.grid_size_x = 64, "packet-required-grid", "grid_size_x", 64, 96);
    DIRECTIVE(p.grid_size_y = 12, "packet-required-grid", "grid_size_y", 12, 8);
    DIRECTIVE(p.workgroup_size_x = 64, "packet-partial-group", "grid_size_x", 96, 64);
    DIRECTIVE(p.workgroup_size_y = 3, "packet-partial-group", "grid_size_y", 8, 3);
    DIRECTIVE(p.group_segment_size = 165, "packet-dynamic-group", "group_segment_size", 165, 164);
}

/* The directives of launch.hsail, as the finalizer tells of them. &f: at most 1000 work-items. */
static void test_finalized(const char *file)
{
    hsa_executable_t executable;
    uint64_t q = 0, f = 0;
    if (load_file(file, &executable)) {
        q = kernel_object(executable, "&q");
        f = kernel_object(executable, "&f");
    }
    if (!ok(q && f, "the kernels of HSAIL are there"))
        return;
    test_directives(q, "kernel &q ");
    hsa_kernel_dispatch_packet_t p = good(f);
    p.grid_size_x = 1000;
    accepted("as many work-items as allowed", p);
    p.grid_size_x = 1001;
    refused("kernel &f ", p, HSA_STATUS_ERROR_INVALID_ARGUMENT, "packet-flat-grid", "grid_size", 1001, 1000);
}

int main(int argc, char **argv)
{
    hsa_ven_hsail_report_1_00_pfn_t table;
    if (argc < 2 || hsa_init() != HSA_STATUS_SUCCESS)
        return 99;
    test.kernarg = aligned_alloc(4096, 4096);
    if (!ok(load(argv[1]) && test.kernarg, "the kernels are there") ||
        hsa_system_get_major_extension_table(HSA_EXTENSION_HSAIL_REPORT, 1, sizeof table, &table) != HSA_STATUS_SUCCESS)
        return 99;
    table.hsa_ven_hsail_report_set_handler(on_report, NULL);
    test_sizes();
    test_memory();
    test_directives(test.q, "kernel q ");
    if (argc > 2)
        test_finalized(argv[2]);
    else
        ok(true, "launch.hsail # SKIP configured with --without-llvm");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "stop");
    free(test.kernarg);
    return tap_done();
}
