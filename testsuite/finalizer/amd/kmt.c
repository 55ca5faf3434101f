/* SPDX-License-Identifier: MIT */
/* A stand-in for libhsakmt.so.1, through which AMD's runtime reaches the kernel driver: a machine with a CPU and
 * without a GPU. With it hsa_init() of AMD's runtime succeeds where there is no driver.
 * Input: what that runtime asks during hsa_init(). Output: one node with memory; events that nobody signals. Invariant:
 * what only GPUs have is not supported. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <hsakmt.h>

HSAKMT_STATUS hsaKmtOpenKFD(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtCloseKFD(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetVersion(HsaVersionInfo *version)
{
    *version = (HsaVersionInfo){.KernelInterfaceMajorVersion = 1, .KernelInterfaceMinorVersion = 8};
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtAcquireSystemProperties(HsaSystemProperties *properties)
{
    memset(properties, 0, sizeof *properties);
    properties->NumNodes = 1;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtReleaseSystemProperties(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeProperties(HSAuint32 node, HsaNodeProperties *properties)
{
    (void)node;
    memset(properties, 0, sizeof *properties);
    properties->NumCPUCores = 1;
    properties->NumMemoryBanks = 1;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeMemoryProperties(HSAuint32 node, HSAuint32 count, HsaMemoryProperties *properties)
{
    (void)node;
    memset(properties, 0, count * sizeof *properties);
    for (HSAuint32 i = 0; i < count; i++) {
        properties[i].HeapType = HSA_HEAPTYPE_SYSTEM;
        properties[i].SizeInBytes = (HSAuint64)1 << 32;
    }
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeCacheProperties(HSAuint32 node, HSAuint32 processor, HSAuint32 count,
                                           HsaCacheProperties *properties)
{
    (void)node, (void)processor;
    memset(properties, 0, count * sizeof *properties);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeIoLinkProperties(HSAuint32 node, HSAuint32 count, HsaIoLinkProperties *properties)
{
    (void)node;
    memset(properties, 0, count * sizeof *properties);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetClockCounters(HSAuint32 node, HsaClockCounters *counters)
{
    struct timespec now;
    (void)node;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memset(counters, 0, sizeof *counters);
    counters->SystemClockCounter = (HSAuint64)now.tv_sec * 1000000000 + (HSAuint64)now.tv_nsec;
    counters->SystemClockFrequencyHz = 1000000000;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtAllocMemory(HSAuint32 node, HSAuint64 size, HsaMemFlags flags, void **memory)
{
    (void)node, (void)flags;
    *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *memory == MAP_FAILED ? HSAKMT_STATUS_NO_MEMORY : HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtFreeMemory(void *memory, HSAuint64 size)
{
    return munmap(memory, size) ? HSAKMT_STATUS_ERROR : HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtMapMemoryToGPU(void *memory, HSAuint64 size, HSAuint64 *address)
{
    (void)size;
    if (address)
        *address = (HSAuint64)(uintptr_t)memory;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtUnmapMemoryToGPU(void *memory)
{
    (void)memory;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtCreateEvent(HsaEventDescriptor *description, bool manual, bool signalled, HsaEvent **event)
{
    (void)description, (void)manual, (void)signalled;
    *event = calloc(1, sizeof **event);
    return *event ? HSAKMT_STATUS_SUCCESS : HSAKMT_STATUS_NO_MEMORY;
}

HSAKMT_STATUS hsaKmtDestroyEvent(HsaEvent *event)
{
    free(event);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtSetEvent(HsaEvent *event)
{
    (void)event;
    return HSAKMT_STATUS_SUCCESS;
}

/* The runtime looks at its signals again after each wait. */
HSAKMT_STATUS hsaKmtWaitOnMultipleEvents(HsaEvent *events[], HSAuint32 count, bool all, HSAuint32 milliseconds)
{
    (void)events, (void)count, (void)all, (void)milliseconds;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtWaitOnEvent(HsaEvent *event, HSAuint32 milliseconds)
{
    return hsaKmtWaitOnMultipleEvents(&event, 1, false, milliseconds);
}

HSAKMT_STATUS hsaKmtRuntimeEnable(void *debug, bool set_up)
{
    (void)debug, (void)set_up;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtRuntimeDisable(void)
{
    return HSAKMT_STATUS_SUCCESS;
}
