/* SPDX-License-Identifier: MIT */
/* A program whose kernel faults, for paths.sh: it prints what it learns of the fault.
 * Input: a code object with the kernel k of freed.s; the words callback, handler, where the program is to have one;
 * null or before, for the address that the kernel reads from. Output: lines on standard output. */
#include "hsa/hsa_ext_amd.h"
#include "hsa/hsa_ven_hsail_report.h"
#include "testsuite/dispatch_packet.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    hsa_agent_t agent;
    hsa_region_t region;
    hsa_ven_hsail_report_1_01_pfn_t table;
    int told; /* accessed atomically */
} client;

#define MUST(call)                                                                                         \
    do {                                                                                                     \
        hsa_status_t status_ = (call);                                                                       \
        if (status_ != HSA_STATUS_SUCCESS && status_ != HSA_STATUS_INFO_BREAK)                               \
            fprintf(stderr, "%s: 0x%x\n", #call, status_), exit(99);                                         \
    } while (0)

/* Prints what the extension says of the fault. */
static void print_current(const char *where)
{
    const hsa_ven_hsail_report_t *report;
    if (client.table.hsa_ven_hsail_report_current(&report) == HSA_STATUS_SUCCESS)
        printf("%s id: %s\n%s text: %s\n%s json: %s\n", where, report->id, where, report->text, where, report->json);
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    const char *text = "";
    (void)data;
    MUST(hsa_amd_queue_get_info(queue, HSA_EXT_QUEUE_INFO_ERROR_TEXT, &text));
    printf("callback status: 0x%x\ncallback error text: %s\n", status, text);
    print_current("callback");
    __atomic_store_n(&client.told, 1, __ATOMIC_RELEASE);
}

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
    (void)data;
    printf("event type: %u\nevent agent: %s\nevent address: 0x%llx\nevent reason: %u\n", event->event_type,
           event->memory_fault.agent.handle == client.agent.handle ? "right" : "wrong",
           (unsigned long long)event->memory_fault.virtual_address, event->memory_fault.fault_reason_mask);
    print_current("event");
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_gpu(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    (void)data;
    MUST(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_GPU)
        client.agent = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_region(hsa_region_t region, void *data)
{
    uint32_t flags = 0;
    (void)data;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        client.region = region;
    return HSA_STATUS_SUCCESS;
}

static uint64_t load_kernel(const char *file)
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    uint64_t object;
    MUST(hsa_code_object_reader_create_from_file(open(file, O_RDONLY), &reader));
    MUST(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
    MUST(hsa_executable_load_agent_code_object(executable, client.agent, reader, NULL, NULL));
    MUST(hsa_executable_freeze(executable, NULL));
    MUST(hsa_executable_get_symbol_by_name(executable, "k.kd", &client.agent, &symbol));
    MUST(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
    return object;
}

/* Dispatches OBJECT with two addresses, and waits until the dispatch has failed and the callback, if any, was called.
 */
static void run_kernel(uint64_t object, void *const arguments[2], bool callback)
{
    hsa_queue_t *queue;
    hsa_signal_t done;
    void *kernarg;
    MUST(hsa_memory_allocate(client.region, 16, &kernarg));
    memcpy(kernarg, arguments, 16);
    MUST(hsa_signal_create(1, 0, NULL, &done));
    MUST(hsa_queue_create(client.agent, 64, HSA_QUEUE_TYPE_SINGLE, callback ? on_error : NULL, NULL, 0, 0, &queue));
    hsa_kernel_dispatch_packet_t *slot = queue->base_address;
    hsa_kernel_dispatch_packet_t packet = dispatch_packet(object, 64, 64);
    uint16_t header = packet.header;
    packet.header = HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE;
    packet.kernarg_address = kernarg;
    packet.completion_signal = done;
    *slot = packet;
    hsa_queue_store_write_index_relaxed(queue, 1);
    __atomic_store_n(&slot->header, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, 0);
    hsa_signal_value_t left =
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    while (callback && !__atomic_load_n(&client.told, __ATOMIC_ACQUIRE))
        ;
    printf("signal: %d\n", left < 0 ? -1 : 1);
    hsa_queue_destroy(queue);
}

int main(int argc, char **argv)
{
    bool callback = false, null = false;
    MUST(hsa_init());
    MUST(hsa_iterate_agents(take_gpu, NULL));
    MUST(hsa_agent_iterate_regions(client.agent, take_region, NULL));
    MUST(hsa_system_get_major_extension_table(HSA_EXTENSION_HSAIL_REPORT, 1, sizeof client.table, &client.table));
    for (int i = 2; i < argc; i++) {
        callback |= !strcmp(argv[i], "callback");
        null |= !strcmp(argv[i], "null");
        if (!strcmp(argv[i], "handler"))
            MUST(hsa_amd_register_system_event_handler(on_event, NULL));
    }
    void *buffer, *arguments[2] = {NULL, NULL};
    MUST(hsa_memory_allocate(client.region, 4096, &buffer));
    arguments[1] = buffer;
    if (!null)
        arguments[0] = (char *)buffer - 256;
    run_kernel(argc > 1 ? load_kernel(argv[1]) : 0, arguments, callback);
    const hsa_ven_hsail_report_t *report;
    printf("later: 0x%x\n", client.table.hsa_ven_hsail_report_current(&report));
    MUST(hsa_shut_down());
    return 0;
}
