/* SPDX-License-Identifier: MIT */
/* Faults of kernels: finds out which work-item it was and what it accessed, and reports that.
 * Input: the fault that stopped a wave. Output: a report to the core, and the error of the queue.
 * Invariant: what is not known for certain is left out, never guessed. */
#include "runtime/gcn/fault.h"

#include "hsa/hsa_ext_amd.h"
#include "runtime/gcn/access.h"
#include "runtime/gcn/translate/translate.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *id, *text;
    hsa_status_t status;
} rows[] = {
#define GCN_FAULT(kind, id, status, text) [GCN_FAULT_##kind] = {id, text, (hsa_status_t)(status)},
#include "runtime/gcn/tables/fault.def"
#undef GCN_FAULT
};

static bool is_access(enum gcn_fault_kind kind)
{
    return kind == GCN_FAULT_MEMORY || kind == GCN_FAULT_APERTURE || kind == GCN_FAULT_ALIGNMENT;
}

void gcn_locate_item(const struct gcn_group *g, const struct gcn_wave *w, int lane, uint64_t group[3], uint32_t item[3])
{
    for (unsigned i = 0; i < 3; i++) {
        group[i] = g->index[i];
        item[i] = lane < 0 ? 0 : g->shape->ids[w->index].id[i][lane];
    }
}

/* The segment of the address that FAULT names, as far as the address alone tells. */
static enum hsam_access_segment fault_segment(const struct gcn_fault *fault)
{
    if (fault->kind == GCN_FAULT_APERTURE)
        return fault->address >> 32 == GCN_PRIVATE_BASE_HI || fault->address >> 32 >= GCN_TAGGED_PRIVATE
                   ? HSAM_ACCESS_PRIVATE
                   : HSAM_ACCESS_GROUP;
    return HSAM_ACCESS_GLOBAL;
}

static bool is_exception(enum gcn_fault_kind kind)
{
    return kind >= GCN_FAULT_EXC_INVALID && kind <= GCN_FAULT_EXC_INT_DIVISION;
}

void gcn_fault_locate(const struct gcn_group *g, struct gcn_wave *w)
{
    struct gcn_fault *fault = &w->fault;
    struct gcn_inst inst;
    struct gcn_access access;
    int lane = -1;
    snprintf(fault->text, sizeof fault->text, "%s", fault->name);
    bool decoded = gcn_cache_decode(w->unit->cache, fault->pc, &inst, fault->text, sizeof fault->text);
    fault->has_address = is_access(fault->kind);
    fault->segment = (uint8_t)fault_segment(fault);
    if (decoded && fault->has_address && gcn_access_of(w, w->at, inst.op, &access)) {
        lane = gcn_access_lane(&access, fault->address);
        fault->bytes = access.bytes;
        fault->writes = access.writes;
        fault->atomic = access.atomic;
    }
    if (lane >= 0) {
        fault->segment = access.segment[lane];
        if (access.parts == 1)
            fault->address = access.address[0][lane];
    }
    if (lane >= 0 && access.scalar)
        lane = -1; /* the access was for all work-items of the wave */
    if (fault->kind == GCN_FAULT_TRAP && gcn_exec(w))
        lane = __builtin_ctzll(gcn_exec(w)); /* all that are active stop; the first of them */
    if (is_exception(fault->kind)) {         /* what raised it has put the lane there */
        lane = (int)fault->address;
        fault->address = 0;
    }
    fault->has_item = lane >= 0;
    gcn_locate_item(g, w, lane, fault->group, fault->item);
}

static uint32_t reason(const struct gcn_fault *fault, const struct gcn_agent *agent)
{
    hsam_extent extent;
    bool there = agent->core->memory_extent && agent->core->memory_extent(fault->address, &extent);
    return fault->writes && there ? HSA_AMD_MEMORY_FAULT_READ_ONLY : HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
}

/* The text of the error, for a core that takes no reports. */
static void describe_fault(const struct gcn_fault *fault, char *text, size_t size)
{
    char address[32] = "";
    if (fault->has_address || fault->address)
        snprintf(address, sizeof address, " (0x%llx)", (unsigned long long)fault->address);
    snprintf(text, size, "%s at 0x%llx %s%s [%s]", fault->name, (unsigned long long)fault->pc, rows[fault->kind].text,
             address, rows[fault->kind].id);
}

void gcn_fault_report(const struct gcn_dispatch *d, const struct gcn_agent *agent, const amd_queue_t *queue,
                      struct packet_error *error)
{
    const struct gcn_fault *fault = &d->fault;
    error->status = rows[fault->kind].status;
    describe_fault(fault, error->text, sizeof error->text);
    hsam_report report = {
        .struct_size = sizeof report,
        .id = rows[fault->kind].id,
        .text = rows[fault->kind].text,
        .count = 1,
        .kernel_object = d->packet.kernel_object,
        .queue = queue->hsa_queue.id,
        .by = {.pc = fault->pc, .instruction = fault->text, .has_group = true, .has_item = fault->has_item},
        .segment = fault->has_address ? (hsam_access_segment)fault->segment : HSAM_ACCESS_NONE,
        .writes = fault->writes,
        .atomic = fault->atomic,
        .bytes = fault->bytes,
        .address = fault->address};
    memcpy(report.by.group, fault->group, sizeof report.by.group);
    memcpy(report.by.item, fault->item, sizeof report.by.item);
    if (agent->core->report)
        agent->core->report(&report, error->text, sizeof error->text);
    const hsam_fault event = {.address = fault->address, .reason = reason(fault, agent), .text = error->text};
    if (fault->kind == GCN_FAULT_MEMORY && agent->core->client_error)
        agent->core->client_error(agent->client, &event);
}
