/* SPDX-License-Identifier: MIT */
/* Which compute units of its agent a queue may use, and how urgent its kernels are. (ROCR documentation 4.9)
 *
 * Input: masks and priorities of clients, and HSA_CU_MASK. Output: what the driver of the agent reads through
 * hsam_queue_info before it starts a kernel. Invariant: a queue has at least one unit, and only units that HSA_CU_MASK
 * leaves its agent, unless it leaves none. */
#include "config.h"

#include "runtime/agent.h"
#include "runtime/queue.h"

#include <ctype.h>
#include <stdlib.h>

enum { WORD_BITS = 32, MASK_BITS = QUEUE_CU_WORDS * WORD_BITS };

/* ---- the environment ---- */

/* Reads a number below LIMIT at *TEXT; false if there is none. */
static bool read_number(const char **text, unsigned limit, unsigned *number)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    *text = end;
    *number = (unsigned)value;
    return value < limit;
}

/* Reads a list such as 0-3,8 at *TEXT and calls SET for each number of it; false when it is no list. */
static bool read_list(const char **text, unsigned limit, void (*set)(void *data, unsigned number), void *data)
{
    for (;; (*text)++) {
        unsigned from, to;
        if (!read_number(text, limit, &from))
            return false;
        to = from;
        if (**text == '-') {
            (*text)++;
            if (!read_number(text, limit, &to) || to < from)
                return false;
        }
        for (unsigned i = from; i <= to; i++)
            set(data, i);
        if (**text != ',')
            return true;
    }
}

struct wanted {
    unsigned index;
    bool found;
};

static void see_agent(void *data, unsigned number)
{
    struct wanted *wanted = data;
    wanted->found |= number == wanted->index;
}

static void set_bit(void *data, unsigned number)
{
    ((uint32_t *)data)[number / WORD_BITS] |= UINT32_C(1) << number % WORD_BITS;
}

/* Whether HSA_CU_MASK ("agents:units;agents:units...") has a mask for the agent with number INDEX among those that are
 * not CPUs. If any part of the value is wrong, it has a mask for no agent. */
static bool environment_mask(unsigned index, uint32_t mask[QUEUE_CU_WORDS])
{
    const char *text = getenv("HSA_CU_MASK");
    bool any = false;
    if (!text || !*text)
        return false;
    for (;; text++) {
        uint32_t units[QUEUE_CU_WORDS] = {0};
        struct wanted wanted = {.index = index};
        if (!read_list(&text, MASK_BITS, see_agent, &wanted) || *text++ != ':' ||
            !read_list(&text, MASK_BITS, set_bit, units))
            return false;
        if (wanted.found) {
            memcpy(mask, units, sizeof units);
            any = true;
        }
        if (*text != ';')
            return any && !*text;
    }
}

/* ---- masks ---- */

static unsigned index_of(const struct agent *agent)
{
    unsigned index = 0;
    for (size_t i = 0; i < runtime.agents.count && runtime.agents.items[i] != agent; i++)
        index += runtime.agents.items[i]->config.device_type != HSA_DEVICE_TYPE_CPU;
    return index;
}

static bool has_units(const uint32_t mask[QUEUE_CU_WORDS])
{
    for (unsigned i = 0; i < QUEUE_CU_WORDS; i++)
        if (mask[i])
            return true;
    return false;
}

void cu_mask_default(const struct agent *agent, uint32_t mask[QUEUE_CU_WORDS])
{
    uint32_t all[QUEUE_CU_WORDS] = {0}, allowed[QUEUE_CU_WORDS];
    uint32_t units = agent ? agent->config.compute_unit_count : 0;
    for (unsigned i = 0; i < MASK_BITS && (i < units || !units); i++)
        set_bit(all, i);
    memcpy(mask, all, sizeof all);
    if (!agent || !environment_mask(index_of(agent), allowed))
        return;
    for (unsigned i = 0; i < QUEUE_CU_WORDS; i++)
        allowed[i] &= all[i];
    if (has_units(allowed))
        memcpy(mask, allowed, sizeof allowed);
}

static void cu_mask_publish(struct queue *queue, const uint32_t mask[QUEUE_CU_WORDS])
{
    for (unsigned i = 0; i < QUEUE_CU_WORDS; i++)
        __atomic_store_n(&queue->cu_mask[i], mask[i], __ATOMIC_RELAXED);
}

HSA_API hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *pointer, uint32_t num_cu_mask_count,
                                               const uint32_t *cu_mask)
{
    CHECK_UP();
    struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    CHECK_ARGUMENT(num_cu_mask_count % WORD_BITS == 0 && !num_cu_mask_count == !cu_mask);
    uint32_t allowed[QUEUE_CU_WORDS], mask[QUEUE_CU_WORDS] = {0};
    cu_mask_default(queue->agent, allowed);
    if (!num_cu_mask_count) {
        cu_mask_publish(queue, allowed);
        return HSA_STATUS_SUCCESS;
    }
    uint32_t units = queue->agent ? queue->agent->config.compute_unit_count : 0;
    bool reduced = false;
    for (uint32_t i = 0; i < num_cu_mask_count && i < MASK_BITS; i++) {
        bool wanted = cu_mask[i / WORD_BITS] >> i % WORD_BITS & 1;
        bool may = allowed[i / WORD_BITS] >> i % WORD_BITS & 1;
        reduced |= wanted && !may && i < units;
        if (wanted && may)
            set_bit(mask, i);
    }
    CHECK_ARGUMENT(has_units(mask)); /* a queue without units would never execute anything */
    cu_mask_publish(queue, mask);
    return reduced ? (hsa_status_t)HSA_STATUS_CU_MASK_REDUCED : HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t *pointer, uint32_t num_cu_mask_count,
                                               uint32_t *cu_mask)
{
    CHECK_UP();
    const struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    CHECK_ARGUMENT(num_cu_mask_count && num_cu_mask_count % WORD_BITS == 0 && cu_mask);
    for (uint32_t i = 0; i < num_cu_mask_count / WORD_BITS; i++)
        cu_mask[i] = i < QUEUE_CU_WORDS ? __atomic_load_n(&queue->cu_mask[i], __ATOMIC_RELAXED) : 0;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *pointer, hsa_amd_queue_priority_t priority)
{
    CHECK_UP();
    struct queue *queue = queue_find_served(pointer);
    CHECK(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
    CHECK_ARGUMENT(priority <= HSA_AMD_QUEUE_PRIORITY_HIGH);
    __atomic_store_n(&queue->priority, (uint32_t)priority, __ATOMIC_RELAXED);
    return HSA_STATUS_SUCCESS;
}
