/* SPDX-License-Identifier: MIT */
/* What the tests of the runtime share. */
#ifndef TESTSUITE_RUNTIME_COMMON_H
#define TESTSUITE_RUNTIME_COMMON_H

#include "hsa/hsa.h"
#include "hsa/hsa_ext_amd.h"
#include "testsuite/dispatch_packet.h"
#include "testsuite/runtime/test_driver.h"
#include "testsuite/tap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TEST_DRIVER
#define TEST_DRIVER "test_driver.so" /* the Makefile knows where it is built */
#endif

/* Starts the runtime with the test driver in the given mode. */
__attribute__((unused)) static bool start(const char *mode)
{
    setenv("HSA_AGENT_DRIVERS", TEST_DRIVER, 1);
    setenv("HSA_TEST_DRIVER", mode, 1);
    return ok(hsa_init() == HSA_STATUS_SUCCESS, "start with driver \"%s\"", mode);
}

/* The counters of the test driver that the runtime has loaded. */
__attribute__((unused)) static struct test_driver_counts *counts(void)
{
    static void *library;
    if (!library)
        library = dlopen(TEST_DRIVER, RTLD_NOW);
    return library ? dlsym(library, "test_driver_counts") : NULL;
}

struct wanted_agent {
    const char *name;
    hsa_agent_t named, cpu;
};

__attribute__((unused)) static hsa_status_t find_agent(hsa_agent_t agent, void *data)
{
    char name[64];
    struct wanted_agent *wanted = data;
    hsa_device_type_t type;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name);
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_CPU)
        wanted->cpu = agent;
    if (!strcmp(name, wanted->name))
        wanted->named = agent;
    return HSA_STATUS_SUCCESS;
}

/* Finds the agent called NAME, or handle 0 if there is none, and the CPU. */
__attribute__((unused)) static hsa_agent_t agent_named(const char *name, hsa_agent_t *cpu)
{
    struct wanted_agent wanted = {.name = name};
    hsa_iterate_agents(find_agent, &wanted);
    if (cpu)
        *cpu = wanted.cpu;
    return wanted.named;
}

/* Finds the agent of the test driver, and the CPU. */
__attribute__((unused)) static hsa_agent_t test_agent(hsa_agent_t *cpu)
{
    return agent_named("test", cpu);
}

/* A packet that dispatches GROUPS groups of one work-item each. */
__attribute__((unused)) static hsa_kernel_dispatch_packet_t kernel_packet(uint64_t kernel, uint32_t groups,
                                                                          hsa_signal_t completion)
{
    hsa_kernel_dispatch_packet_t packet = dispatch_packet(kernel, 1, groups);
    packet.completion_signal = completion;
    return packet;
}

/* Writes a packet to its place in the ring and rings the doorbell. */
static inline void put_packet(hsa_queue_t *queue, uint64_t index, const void *packet)
{
    char *slot = (char *)queue->base_address + (index & (queue->size - 1)) * 64;
    memcpy(slot + 4, (const char *)packet + 4, 60);
    uint32_t head;
    memcpy(&head, packet, 4);
    __atomic_store_n((uint32_t *)(void *)slot, head, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

/* Waits for a place in the ring, and puts a packet there. */
__attribute__((unused)) static uint64_t submit(hsa_queue_t *queue, const void *packet)
{
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
        ;
    put_packet(queue, index, packet);
    return index;
}

/* Standard error, while it is redirected to a file. */
struct capture {
    FILE *file;
    int output;
    char text[2000];
};

__attribute__((unused)) static void capture_begin(struct capture *capture)
{
    capture->file = tmpfile();
    capture->output = dup(STDERR_FILENO);
    if (capture->file && capture->output >= 0)
        dup2(fileno(capture->file), STDERR_FILENO);
}

/* Returns what has been printed since capture_begin(). */
__attribute__((unused)) static const char *capture_end(struct capture *capture)
{
    if (!capture->file || capture->output < 0)
        return "no temporary file";
    dup2(capture->output, STDERR_FILENO);
    close(capture->output);
    rewind(capture->file);
    capture->text[fread(capture->text, 1, sizeof capture->text - 1, capture->file)] = 0;
    fclose(capture->file);
    return capture->text;
}

/* For hsa_amd_agent_iterate_memory_pools(): keeps the last pool that clients may allocate from. */
__attribute__((unused)) static hsa_status_t find_pool(hsa_amd_memory_pool_t found, void *data)
{
    bool may = false;
    hsa_amd_memory_pool_get_info(found, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &may);
    if (may)
        *(hsa_amd_memory_pool_t *)data = found;
    return HSA_STATUS_SUCCESS;
}

#endif
