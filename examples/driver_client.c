/* SPDX-License-Identifier: MIT */
/* Uses the agent of driver.c: has it call a function of this program once for each of 1,000 work-items.
 *
 *     cc driver_client.c -o driver_client $(pkg-config --cflags --libs hsa-runtime64)
 *     HSA_AGENT_DRIVERS=$PWD/driver.so ./driver_client
 *
 * Output: a line with the sum; exit status 0 when it is right, 1 when something failed. */
#include <hsa/hsa.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 1000 };

struct arguments {
    uint64_t sum;
};

static void add_index(void *data, const uint32_t item[3])
{
    struct arguments *arguments = data;
    arguments->sum += item[0];
}

static hsa_status_t find_toy(hsa_agent_t agent, void *data)
{
    char name[64] = "";
    hsa_status_t status = hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name);
    if (status != HSA_STATUS_SUCCESS || strcmp(name, "toy"))
        return status;
    *(hsa_agent_t *)data = agent;
    return HSA_STATUS_INFO_BREAK;
}

/* Writes the packet to the queue; its header comes last, as the agent may take the packet from then on. */
static void submit(hsa_queue_t *queue, const hsa_kernel_dispatch_packet_t *packet)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *slot = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
    memcpy((char *)slot + 4, (const char *)packet + 4, sizeof *packet - 4);
    uint32_t first;
    memcpy(&first, packet, sizeof first);
    __atomic_store_n((uint32_t *)(void *)slot, first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static int use(hsa_agent_t toy)
{
    struct arguments arguments = {0};
    hsa_queue_t *queue;
    hsa_signal_t done;
    if (hsa_queue_create(toy, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) ||
        hsa_signal_create(1, 0, NULL, &done)) {
        fputs("the agent gives no queue\n", stderr);
        return 1;
    }
    hsa_kernel_dispatch_packet_t packet = {
        .header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE,
        .setup = 1,
        .workgroup_size_x = 1,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = ITEMS,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .kernel_object = (uintptr_t)add_index,
        .kernarg_address = &arguments,
        .completion_signal = done,
    };
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    printf("the sum of all work-items is %llu\n", (unsigned long long)arguments.sum);
    hsa_queue_destroy(queue);
    hsa_signal_destroy(done);
    return arguments.sum == (uint64_t)ITEMS * (ITEMS - 1) / 2 ? 0 : 1;
}

int main(void)
{
    hsa_agent_t toy = {0};
    if (hsa_init() != HSA_STATUS_SUCCESS)
        return 1;
    hsa_iterate_agents(find_toy, &toy);
    if (!toy.handle)
        fputs("there is no agent \"toy\"; HSA_AGENT_DRIVERS has to name driver.so\n", stderr);
    int status = toy.handle ? use(toy) : 1;
    hsa_shut_down();
    return status;
}
