/* SPDX-License-Identifier: MIT */
/* Ownership, copying and filling of memory. (1.0P 2.7; MV 5.4)
 *
 * Input: addresses of any value. Output: copied bytes; the requests by which ownership changes.
 * Invariant: memory that the host cannot reach, or whose owner has its own way to copy, is touched by the driver
 * concerned only; everything else the host copies itself. */
#include "config.h"

#include "runtime/memory.h"

#include "runtime/request.h"
#include "support/bytes.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BOUNCE_BYTES = 64 * 1024 };

/* ---- ownership ---- */

struct assignment {
    struct agent *to, *from;
    struct allocation *allocation;
};

static hsa_status_t assign(struct allocation *allocation, void *data)
{
    struct assignment *assignment = data;
    if (!allocation || !region_coarse(allocation->region))
        return HSA_STATUS_SUCCESS;
    assignment->allocation = allocation;
    assignment->from = allocation->owner;
    allocation->owner = assignment->to;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_assign_agent(void *ptr, hsa_agent_t handle, hsa_access_permission_t access)
{
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(ptr && access >= HSA_ACCESS_PERMISSION_RO && access <= HSA_ACCESS_PERMISSION_RW);
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct assignment assignment = {.to = agent};
    status = memory_with(ptr, assign, &assignment);
    struct allocation *allocation = assignment.allocation;
    if (!allocation)
        return status;
    struct request request;
    struct agent *from = assignment.from;
    hsam_handle_t from_client;
    if (from && from != agent && from->interface.memory_release && agent_has_client(from, &from_client))
        request_finish(&request, from->interface.memory_release(
                                     from->driver, from_client, allocation->base, request_start(&request)));
    status = memory_tell(allocation, agent);
    if (status == HSA_STATUS_SUCCESS && agent->interface.memory_acquire)
        status = request_status(request_finish(
            &request,
            agent->interface.memory_acquire(agent->driver, client, allocation->base, access, request_start(&request))));
    return status;
}

/* ---- copies ---- */

/* The agent whose driver must do copies to or from an address itself, or NULL. */
static hsa_status_t find_copier(struct allocation *allocation, void *data)
{
    struct agent **copier = data;
    *copier = NULL;
    if (allocation && !allocation->memory.host_accessible)
        *copier = allocation->provider;
    else if (allocation && allocation->owner && allocation->owner->interface.memory_copy)
        *copier = allocation->owner;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t copy_by(struct agent *agent, void *destination, const void *source, size_t size)
{
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    CHECK(agent->interface.memory_copy, HSA_STATUS_ERROR);
    struct request request;
    return request_status(request_finish(
        &request,
        agent->interface.memory_copy(agent->driver, client, destination, source, size, request_start(&request))));
}

/* Copies between the private memory of two agents, block by block through memory of the host. */
static hsa_status_t copy_by_two(struct agent *to, struct agent *from, char *destination, const char *source,
                                size_t size)
{
    char *bounce = mem_alloc(BOUNCE_BYTES);
    CHECK(bounce, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t done = 0; done < size && status == HSA_STATUS_SUCCESS; done += BOUNCE_BYTES) {
        size_t part = size - done < BOUNCE_BYTES ? size - done : BOUNCE_BYTES;
        status = copy_by(from, bounce, source + done, part);
        if (status == HSA_STATUS_SUCCESS)
            status = copy_by(to, destination + done, bounce, part);
    }
    mem_free(bounce);
    return status;
}

/* Bytes that may all lie in one allocation. */
struct copy_span {
    const char *at;
    size_t bytes;
    bool inside;
};

static hsa_status_t find_span(struct allocation *allocation, void *data)
{
    struct copy_span *span = data;
    span->inside = allocation && !allocation->mapped && span->at >= allocation->base &&
                   range_inside((uint64_t)(span->at - allocation->base), span->bytes, allocation->size);
    return HSA_STATUS_SUCCESS;
}

static bool is_ours(const void *at, size_t size)
{
    struct copy_span span = {.at = at, .bytes = size};
    memory_with_any(at, find_span, &span);
    return span.inside;
}

/* Memory that HSA was not told of may not be there, and a mapping may not be accessible; then the operating system,
 * which is asked to copy, says so. */
static hsa_status_t copy_by_host(char *destination, const char *source, size_t size)
{
    bool overlap = destination < source + size && source < destination + size;
    bool known = is_ours(destination, size) && is_ours(source, size);
    size_t done = 0;
    while (!known && !overlap && done < size) {
        struct iovec to = {destination + done, size - done}, from = {(char *)(uintptr_t)source + done, size - done};
        ssize_t copied = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
        CHECK(copied >= 0 || errno != EFAULT, HSA_STATUS_ERROR_INVALID_ARGUMENT);
        if (copied <= 0)
            break; /* the system does not do it for us: a filter of system calls */
        done += (size_t)copied;
    }
    memmove(destination + done, source + done, size - done);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t memory_copy(void *destination, const void *source, size_t size)
{
    struct agent *to, *from;
    memory_with_any(destination, find_copier, &to);
    memory_with_any(source, find_copier, &from);
    if (to && from && to != from)
        return copy_by_two(to, from, destination, source, size);
    if (to || from)
        return copy_by(to ? to : from, destination, source, size);
    return copy_by_host(destination, source, size);
}

hsa_status_t memory_write(const struct allocation *allocation, size_t offset, const void *source, size_t size)
{
    if (!allocation->memory.host_accessible)
        return copy_by(allocation->provider, allocation->base + offset, source, size);
    memcpy(allocation->base + offset, source, size);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
    CHECK_UP();
    CHECK_ARGUMENT(dst && src);
    return size ? memory_copy(dst, src, size) : HSA_STATUS_SUCCESS;
}

/* ---- filling ---- */

struct fill {
    char *at;
    size_t bytes;
    bool mapped;
};

static hsa_status_t check_fill(struct allocation *allocation, void *data)
{
    struct fill *fill = data;
    CHECK(allocation && fill->bytes <= allocation->size - (size_t)(fill->at - allocation->base),
          HSA_STATUS_ERROR_INVALID_ALLOCATION);
    fill->mapped = allocation->mapped;
    return HSA_STATUS_SUCCESS;
}

static void fill_words(uint32_t *words, uint32_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = value;
}

/* Fills memory that the driver of AGENT must write itself, or, if that is NULL, that may not be accessible. */
static hsa_status_t fill_by(struct agent *agent, struct fill fill, uint32_t value)
{
    uint32_t *pattern = mem_alloc(BOUNCE_BYTES);
    CHECK(pattern, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    fill_words(pattern, value, BOUNCE_BYTES / sizeof *pattern);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t done = 0; done < fill.bytes && status == HSA_STATUS_SUCCESS; done += BOUNCE_BYTES) {
        size_t part = fill.bytes - done < BOUNCE_BYTES ? fill.bytes - done : BOUNCE_BYTES;
        status =
            agent ? copy_by(agent, fill.at + done, pattern, part) : copy_by_host(fill.at + done, (char *)pattern, part);
    }
    mem_free(pattern);
    return status;
}

HSA_API hsa_status_t hsa_amd_memory_fill(void *ptr, uint32_t value, size_t count)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && (uintptr_t)ptr % 4 == 0);
    if (!count)
        return HSA_STATUS_SUCCESS;
    CHECK(count <= SIZE_MAX / 4, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    struct fill fill = {.at = ptr, .bytes = count * 4};
    struct agent *copier;
    hsa_status_t status = memory_with(ptr, check_fill, &fill);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    memory_with(ptr, find_copier, &copier);
    if (copier || fill.mapped)
        return fill_by(copier, fill, value);
    fill_words(ptr, value, count);
    return HSA_STATUS_SUCCESS;
}
