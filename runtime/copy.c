/* SPDX-License-Identifier: MIT */
/* Asynchronous copies, tasks that wait for their dependencies. (ROCR documentation 4.8)
 *
 * Input: addresses, boxes, signals. Output: the bytes copied, and the completion signal decremented, or made negative
 * when the copy failed. */
#include "runtime/clock.h"
#include "runtime/logging.h"
#include "runtime/memory.h"
#include "runtime/ordered.h"

struct copy_task {
    struct ordered_task task;
    char *destination;
    const char *source;
    size_t row; /* bytes to copy of each row */
    uint32_t rows, slices;
    size_t destination_pitch, destination_slice, source_pitch, source_slice;
};

static _Atomic bool profiling;

HSA_API hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable)
{
    CHECK_UP();
    atomic_store(&profiling, enable);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t copy_box(const struct copy_task *it)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    logging_copy(it->destination, it->source, it->row, it->rows, it->slices);
    for (uint32_t z = 0; z < it->slices; z++)
        for (uint32_t y = 0; y < it->rows && status == HSA_STATUS_SUCCESS; y++)
            status = memory_copy(it->destination + z * it->destination_slice + y * it->destination_pitch,
                                 it->source + z * it->source_slice + y * it->source_pitch, it->row);
    return status;
}

static hsa_status_t copy_work(struct ordered_task *task)
{
    uint64_t start = clock_now();
    hsa_status_t status = copy_box((struct copy_task *)task);
    struct signal *completion = signal_find(task->completion);
    if (completion && atomic_load(&profiling)) {
        completion->line->start_ts = start;
        completion->line->end_ts = clock_now();
    }
    return status;
}

static hsa_status_t copy_start(struct copy_task it, uint32_t dependencies, const hsa_signal_t *dependency)
{
    CHECK_ARGUMENT(!dependencies == !dependency && it.task.completion.handle);
    hsa_status_t status = ordered_check(it.task.completion, dependencies, dependency);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct copy_task *task = mem_alloc(sizeof *task);
    CHECK(task, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *task = it;
    task->task.work = copy_work;
    return ordered_start(&task->task, dependencies, dependency);
}

HSA_API hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent,
                                               size_t size, uint32_t num_dep_signals, const hsa_signal_t *dep_signals,
                                               hsa_signal_t completion_signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(dst && src);
    CHECK(agent_find(dst_agent) && agent_find(src_agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(!num_dep_signals == !dep_signals);
    if (!size)
        return HSA_STATUS_SUCCESS;
    return copy_start(
        (struct copy_task){.destination = dst,
                           .source = src,
                           .row = size,
                           .rows = 1,
                           .slices = 1,
                           .task.completion = completion_signal},
        num_dep_signals, dep_signals);
}

static const uint32_t copy_engines = HSA_AMD_SDMA_ENGINE_0; /* the copy worker */

HSA_API hsa_status_t hsa_amd_memory_async_copy_on_engine(
    void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent, size_t size, uint32_t num_dep_signals,
    const hsa_signal_t *dep_signals, hsa_signal_t completion_signal, hsa_amd_sdma_engine_id_t engine_id,
    bool force_copy_on_sdma)
{
    CHECK_UP();
    (void)force_copy_on_sdma;
    CHECK_ARGUMENT((uint32_t)engine_id == copy_engines && completion_signal.handle);
    return hsa_amd_memory_async_copy(
        dst, dst_agent, src, src_agent, size, num_dep_signals, dep_signals, completion_signal);
}

HSA_API hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                       uint32_t *engine_ids_mask)
{
    CHECK_UP();
    CHECK(agent_find(dst_agent) && agent_find(src_agent) && dst_agent.handle != src_agent.handle,
          HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(engine_ids_mask);
    *engine_ids_mask = copy_engines;
    return HSA_STATUS_SUCCESS;
}

/* Whether a box of RANGE at OFFSET fits the rows and slices of MEMORY. */
static bool box_fits(const hsa_pitched_ptr_t *memory, const hsa_dim3_t *offset, const hsa_dim3_t *range)
{
    size_t rows = (size_t)offset->y + range->y;
    bool many_rows = rows > 1 || range->z > 1;
    return memory->base && (!many_rows || (size_t)offset->x + range->x <= memory->pitch) &&
           ((size_t)offset->z + range->z <= 1 || rows * memory->pitch <= memory->slice);
}

static size_t box_start(const hsa_pitched_ptr_t *memory, const hsa_dim3_t *offset)
{
    return offset->x + offset->y * memory->pitch + offset->z * memory->slice;
}

HSA_API hsa_status_t hsa_amd_memory_async_copy_rect(
    const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset, const hsa_pitched_ptr_t *src,
    const hsa_dim3_t *src_offset, const hsa_dim3_t *range, hsa_agent_t copy_agent, hsa_amd_copy_direction_t dir,
    uint32_t num_dep_signals, const hsa_signal_t *dep_signals, hsa_signal_t completion_signal)
{
    CHECK_UP();
    CHECK_ARGUMENT(dst && dst_offset && src && src_offset && range && dir <= hsaDeviceToDevice);
    CHECK(agent_find(copy_agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(!num_dep_signals == !dep_signals && box_fits(dst, dst_offset, range) &&
                   box_fits(src, src_offset, range));
    if (!range->x || !range->y || !range->z)
        return HSA_STATUS_SUCCESS;
    return copy_start(
        (struct copy_task){
            .destination = (char *)dst->base + box_start(dst, dst_offset),
            .source = (const char *)src->base + box_start(src, src_offset),
            .row = range->x,
            .rows = range->y,
            .slices = range->z,
            .destination_pitch = dst->pitch,
            .destination_slice = dst->slice,
            .source_pitch = src->pitch,
            .source_slice = src->slice,
            .task.completion = completion_signal},
        num_dep_signals, dep_signals);
}
