/* SPDX-License-Identifier: MIT */
/* Attributes of shared virtual memory, and prefetching. (ROCR documentation 4.8)
 *
 * Input: ranges of addresses and lists of attributes of any value. Output: what was set, asked for any range.
 * Invariant: the ranges of the list are whole pages, ascending, and do not overlap; neighbours differ. All memory is
 * the host's, so attributes are remembered and never move anything; agents that are given access are told of it. */
#include "runtime/agent.h"
#include "runtime/memory.h"
#include "runtime/ordered.h"
#include "runtime/share.h"
#include "support/bytes.h"

#include <unistd.h>

enum { PLAIN_COUNT = HSA_AMD_SVM_ATTRIB_GPU_EXEC + 1, AGENTS_MAX = 64, GRANULARITY_MAX = 63 };

struct attributes {
    uint64_t plain[PLAIN_COUNT];
    uint64_t in_place, denied; /* bit I: agent I has this access; when both are 0, it may access after migration */
};

struct svm_range {
    uintptr_t from, to;
    struct attributes is;
};

typedef VEC(struct svm_range) range_list;

static struct {
    pthread_mutex_t lock;
    range_list ranges;
} svm = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct attributes defaults = {.plain = {[HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY] = 9}}; /* 2 MB */

/* ---- checking what comes from the client ---- */

static unsigned agent_index(uint64_t handle)
{
    for (unsigned i = 0; i < runtime.agents.count && i < AGENTS_MAX; i++)
        if (runtime.agents.items[i]->handle.handle == handle)
            return i;
    return AGENTS_MAX;
}

static bool page_range(const void *at, size_t size, uintptr_t *from, uintptr_t *to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end;
    if (!at || !size || __builtin_add_overflow((uintptr_t)at, size, &end) || end > UINTPTR_MAX - page)
        return false;
    *from = (uintptr_t)at & ~(page - 1);
    *to = align_up(end, page);
    return true;
}

static hsa_status_t check_pair(const hsa_amd_svm_attribute_pair_t *pair)
{
    switch (pair->attribute) {
    case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        CHECK_ARGUMENT(pair->value < HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_READ_ONLY:
    case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
    case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
    case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
    case HSA_AMD_SVM_ATTRIB_GPU_EXEC: return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
        CHECK(!pair->value || agent_find((hsa_agent_t){pair->value}), HSA_STATUS_ERROR_INVALID_AGENT);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE:
    case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE:
    case HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS:
        CHECK(agent_index(pair->value) < AGENTS_MAX, HSA_STATUS_ERROR_INVALID_AGENT);
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* ---- setting ---- */

static void apply_attribute(struct attributes *to, const hsa_amd_svm_attribute_pair_t *pair)
{
    uint64_t value = pair->value;
    if (pair->attribute < PLAIN_COUNT) {
        bool truth =
            pair->attribute == HSA_AMD_SVM_ATTRIB_READ_ONLY || pair->attribute == HSA_AMD_SVM_ATTRIB_HIVE_LOCAL ||
            pair->attribute == HSA_AMD_SVM_ATTRIB_READ_MOSTLY || pair->attribute == HSA_AMD_SVM_ATTRIB_GPU_EXEC;
        if (pair->attribute == HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY && value > GRANULARITY_MAX)
            value = GRANULARITY_MAX;
        to->plain[pair->attribute] = truth ? value != 0 : value;
        return;
    }
    uint64_t bit = UINT64_C(1) << agent_index(value);
    to->in_place &= ~bit;
    to->denied &= ~bit;
    if (pair->attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE)
        to->in_place |= bit;
    if (pair->attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS)
        to->denied |= bit;
}

/* Appends a range, joined to the one before when they touch and are alike. The caller has reserved the room. */
static void append_range(range_list *list, uintptr_t from, uintptr_t to, const struct attributes *is)
{
    if (from >= to)
        return;
    struct svm_range *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->to == from && !memcmp(&last->is, is, sizeof *is))
        last->to = to;
    else
        list->items[list->count++] = (struct svm_range){from, to, *is};
}

static void append_changed(range_list *list, uintptr_t from, uintptr_t to, const struct attributes *before,
                           const hsa_amd_svm_attribute_pair_t *pairs, size_t count)
{
    struct attributes is = *before;
    for (size_t i = 0; i < count; i++)
        apply_attribute(&is, &pairs[i]);
    append_range(list, from, to, &is);
}

/* Rebuilds the list with PAIRS applied to [FROM, TO); the caller holds the lock. */
static bool change_range(uintptr_t from, uintptr_t to, const hsa_amd_svm_attribute_pair_t *pairs, size_t count)
{
    range_list list = {0};
    if (!vec_reserve(&list, svm.ranges.count * 2 + 3))
        return false;
    uintptr_t done = from; /* how far [FROM, TO) has been written */
    for (size_t i = 0; i < svm.ranges.count; i++) {
        const struct svm_range *r = &svm.ranges.items[i];
        append_range(&list, r->from, r->to < from ? r->to : from, &r->is);
        if (r->from >= to && done < to) {
            append_changed(&list, done, to, &defaults, pairs, count);
            done = to;
        }
        uintptr_t low = r->from > from ? r->from : from, high = r->to < to ? r->to : to;
        if (low < high) {
            append_changed(&list, done, low, &defaults, pairs, count);
            append_changed(&list, low, high, &r->is, pairs, count);
            done = high;
        }
        append_range(&list, r->from > to ? r->from : to, r->to, &r->is);
    }
    append_changed(&list, done, to, &defaults, pairs, count);
    vec_free(&svm.ranges);
    svm.ranges = list;
    return true;
}

/* Tells the agents that PAIRS give access about the range. */
static hsa_status_t tell_agents(uintptr_t from, uintptr_t to, const hsa_amd_svm_attribute_pair_t *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].attribute != HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE &&
            pairs[i].attribute != HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE)
            continue;
        struct agent *agent = agent_find((hsa_agent_t){pairs[i].value});
        hsa_status_t status =
            agent ? memory_tell_range(agent, (void *)from, to - from) : HSA_STATUS_ERROR_INVALID_AGENT;
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_amd_svm_attributes_set(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                                size_t attribute_count)
{
    CHECK_UP();
    uintptr_t from, to;
    CHECK_ARGUMENT(page_range(ptr, size, &from, &to) && (attribute_list || !attribute_count));
    for (size_t i = 0; i < attribute_count; i++) {
        hsa_status_t status = check_pair(&attribute_list[i]);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    pthread_mutex_lock(&svm.lock);
    bool done = change_range(from, to, attribute_list, attribute_count);
    pthread_mutex_unlock(&svm.lock);
    CHECK(done, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return tell_agents(from, to, attribute_list, attribute_count);
}

/* ---- asking ---- */

/* Changes SUM to what holds for it and for PART, two parts of a range, together. */
static void merge_attributes(struct attributes *sum, const struct attributes *part)
{
    for (unsigned i = 0; i < PLAIN_COUNT; i++) {
        if (sum->plain[i] == part->plain[i])
            continue;
        switch (i) {
        case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG: sum->plain[i] = HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE; break;
        case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
            sum->plain[i] = sum->plain[i] < part->plain[i] ? sum->plain[i] : part->plain[i];
            break;
        default: sum->plain[i] = 0; break; /* the parts do not agree on a location, or only one has the flag */
        }
    }
    sum->in_place &= part->in_place;
    sum->denied |= part->denied;
}

/* What holds for all of [FROM, TO). The caller holds the lock. */
static struct attributes attributes_of(uintptr_t from, uintptr_t to)
{
    struct attributes sum = defaults;
    bool any = false;
    uintptr_t covered = from;
    for (size_t i = 0; i < svm.ranges.count && covered < to; i++) {
        const struct svm_range *r = &svm.ranges.items[i];
        if (r->to <= covered)
            continue;
        if (r->from > covered) { /* a gap, for which nothing was set */
            if (any)
                merge_attributes(&sum, &defaults);
            any = true;
            covered = r->from;
        }
        if (covered >= to)
            break;
        if (any)
            merge_attributes(&sum, &r->is);
        else
            sum = r->is;
        any = true;
        covered = r->to;
    }
    if (any && covered < to)
        merge_attributes(&sum, &defaults);
    return sum;
}

HSA_API hsa_status_t hsa_amd_svm_attributes_get(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                                size_t attribute_count)
{
    CHECK_UP();
    uintptr_t from, to;
    CHECK_ARGUMENT(page_range(ptr, size, &from, &to) && (attribute_list || !attribute_count));
    for (size_t i = 0; i < attribute_count; i++) {
        bool query = attribute_list[i].attribute == HSA_AMD_SVM_ATTRIB_ACCESS_QUERY;
        CHECK_ARGUMENT(query || attribute_list[i].attribute < PLAIN_COUNT);
        CHECK(!query || agent_index(attribute_list[i].value) < AGENTS_MAX, HSA_STATUS_ERROR_INVALID_AGENT);
    }
    pthread_mutex_lock(&svm.lock);
    struct attributes are = attributes_of(from, to);
    pthread_mutex_unlock(&svm.lock);
    for (size_t i = 0; i < attribute_count; i++) {
        hsa_amd_svm_attribute_pair_t *pair = &attribute_list[i];
        if (pair->attribute < PLAIN_COUNT) {
            pair->value = are.plain[pair->attribute];
            continue;
        }
        uint64_t bit = UINT64_C(1) << agent_index(pair->value);
        pair->attribute = are.denied & bit     ? HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS
                          : are.in_place & bit ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE
                                               : HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
    }
    return HSA_STATUS_SUCCESS;
}

bool svm_extent(uint64_t address, hsam_extent *extent)
{
    bool found = false;
    *extent = (hsam_extent){0};
    pthread_mutex_lock(&svm.lock);
    for (size_t i = 0; i < svm.ranges.count; i++) {
        const struct svm_range *range = &svm.ranges.items[i];
        if (extent->base + extent->size == range->from)
            extent->size = range->to - extent->base;
        else if (!found)
            *extent = (hsam_extent){range->from, range->to - range->from};
        else
            break;
        found |= address - range->from < range->to - range->from;
    }
    pthread_mutex_unlock(&svm.lock);
    return found;
}

/* ---- prefetching ---- */

struct prefetch_task {
    struct ordered_task task;
    uintptr_t from, to;
    hsa_agent_t agent;
};

/* Records the location to which the client wanted the memory moved. */
static hsa_status_t prefetch_work(struct ordered_task *task)
{
    const struct prefetch_task *it = (const struct prefetch_task *)task;
    hsa_amd_svm_attribute_pair_t pair = {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, it->agent.handle};
    pthread_mutex_lock(&svm.lock);
    bool good = change_range(it->from, it->to, &pair, 1);
    pthread_mutex_unlock(&svm.lock);
    return good ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

HSA_API hsa_status_t hsa_amd_svm_prefetch_async(void *ptr, size_t size, hsa_agent_t agent, uint32_t num_dep_signals,
                                                const hsa_signal_t *dep_signals, hsa_signal_t completion_signal)
{
    CHECK_UP();
    uintptr_t from, to;
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(page_range(ptr, size, &from, &to) && (dep_signals || !num_dep_signals));
    hsa_status_t status = ordered_check(completion_signal, num_dep_signals, dep_signals);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct prefetch_task *it = mem_alloc(sizeof *it);
    CHECK(it, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *it = (struct prefetch_task){{.work = prefetch_work, .completion = completion_signal}, from, to, agent};
    return ordered_start(&it->task, num_dep_signals, dep_signals);
}

void svm_shut_down(void)
{
    vec_free(&svm.ranges);
}
