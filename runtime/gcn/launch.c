/* SPDX-License-Identifier: MIT */
/* Launch checks: compares a kernel-dispatch packet with what its kernel needs.
 * Input: packet, kernel descriptor, metadata. Output: a status, and a report that names field, value and limit.
 * Invariant: only what cannot be right is refused. reserved2 is not looked at: AMD's runtime for HIP keeps a number
 * there. */
#include "runtime/gcn/launch.h"

#include "runtime/gcn/gcn_agent.h"
#include "runtime/gcn/group.h"
#include "runtime/packet.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *id, *relation, *why;
    hsa_status_t status;
} rows[] = {
#define LAUNCH(name, id, status, relation, why) [GCN_LAUNCH_##name] = {id, relation, why, HSA_STATUS_ERROR_##status},
#include "runtime/gcn/tables/launch.def"
#undef LAUNCH
};

hsa_status_t gcn_launch_refuse(struct gcn_dispatch *d, enum gcn_launch_row row, const char *field, uint64_t value,
                               uint64_t limit)
{
    d->refused = (struct gcn_launch_error){row, field, value, limit};
    return rows[row].status;
}

/* ---- what the kernel needs ---- */

static hsa_status_t check_groups(struct gcn_dispatch *d, const hsam_kernel *kernel)
{
    static const char *const fields[3] = {"workgroup_size_x", "workgroup_size_y", "workgroup_size_z"};
    for (unsigned i = 0; i < 3 && kernel->required_group[0]; i++)
        if (d->size[i] != kernel->required_group[i])
            return gcn_launch_refuse(d, GCN_LAUNCH_REQUIRED_GROUP, fields[i], d->size[i], kernel->required_group[i]);
    uint32_t items = d->size[0] * d->size[1] * d->size[2];
    if (kernel->max_group && items > kernel->max_group)
        return gcn_launch_refuse(d, GCN_LAUNCH_FLAT_GROUP, "workgroup_size", items, kernel->max_group);
    return HSA_STATUS_SUCCESS;
}

/* What directives of HSAIL require, as far as metadata have no words for it. */
static hsa_status_t check_directives(struct gcn_dispatch *d, const hsam_launch_limits *limits)
{
    static const char *const fields[3] = {"grid_size_x", "grid_size_y", "grid_size_z"};
    const hsa_kernel_dispatch_packet_t *p = &d->packet;
    unsigned dimensions = p->setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS & 3;
    uint64_t items = 1, most = d->descriptor.group_segment_fixed_size + (limits->dynamic_group - 1);
    if (limits->dimensions && dimensions != limits->dimensions)
        return gcn_launch_refuse(d, GCN_LAUNCH_REQUIRED_DIMENSIONS, "setup", dimensions, limits->dimensions);
    for (unsigned i = 0; i < 3; i++) {
        if (limits->grid[0] && d->grid[i] != limits->grid[i])
            return gcn_launch_refuse(d, GCN_LAUNCH_REQUIRED_GRID, fields[i], d->grid[i], limits->grid[i]);
        if (limits->whole_groups && d->grid[i] % d->size[i])
            return gcn_launch_refuse(d, GCN_LAUNCH_PARTIAL_GROUP, fields[i], d->grid[i], d->size[i]);
        items = __builtin_mul_overflow(items, d->grid[i], &items) ? UINT64_MAX : items;
    }
    if (limits->flat_grid && items > limits->flat_grid)
        return gcn_launch_refuse(d, GCN_LAUNCH_FLAT_GRID, "grid_size", items, limits->flat_grid);
    if (limits->dynamic_group && p->group_segment_size > most)
        return gcn_launch_refuse(d, GCN_LAUNCH_DYNAMIC_GROUP, "group_segment_size", p->group_segment_size, most);
    return HSA_STATUS_SUCCESS;
}

/* The kernel itself says what alignment its code relies on. HSA asks clients for 16 and more, but a GPU does not look,
 * and OpenMP's library of Clang 14 puts arguments of 72 bytes one after another. */
static hsa_status_t check_kernarg(struct gcn_dispatch *d, const hsam_kernel *kernel)
{
    enum { SCALAR_LOAD_ALIGNMENT = 4 };
    uint64_t at = (uint64_t)(uintptr_t)d->packet.kernarg_address;
    uint32_t alignment = kernel->kernarg_align > SCALAR_LOAD_ALIGNMENT ? kernel->kernarg_align : SCALAR_LOAD_ALIGNMENT;
    if (!d->descriptor.kernarg_size && !kernel->kernarg_size)
        return HSA_STATUS_SUCCESS;
    if (!at)
        return gcn_launch_refuse(d, GCN_LAUNCH_KERNARG, "kernarg_address", at, 0);
    if (at % alignment)
        return gcn_launch_refuse(d, GCN_LAUNCH_KERNARG_ALIGNMENT, "kernarg_address", at, alignment);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_segments(struct gcn_dispatch *d)
{
    const hsa_kernel_dispatch_packet_t *p = &d->packet;
    const amd_kernel_descriptor_t *k = &d->descriptor;
    if (p->group_segment_size < k->group_segment_fixed_size)
        return gcn_launch_refuse(
            d, GCN_LAUNCH_GROUP_MEMORY, "group_segment_size", p->group_segment_size, k->group_segment_fixed_size);
    if (p->private_segment_size < k->private_segment_fixed_size)
        return gcn_launch_refuse(d, GCN_LAUNCH_PRIVATE_MEMORY, "private_segment_size", p->private_segment_size,
                                 k->private_segment_fixed_size);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t gcn_launch_check(struct gcn_dispatch *d, const hsam_kernel *kernel)
{
    enum { SETUP_BITS = HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS + 2 };
    const hsa_kernel_dispatch_packet_t *p = &d->packet;
    if (p->setup >> SETUP_BITS)
        return gcn_launch_refuse(d, GCN_LAUNCH_RESERVED, "setup above its dimensions", p->setup >> SETUP_BITS, 0);
    if (p->reserved0)
        return gcn_launch_refuse(d, GCN_LAUNCH_RESERVED, "reserved0", p->reserved0, 0);
    hsa_status_t status = check_groups(d, kernel);
    if (!status)
        status = check_segments(d);
    if (!status)
        status = check_directives(d, &kernel->limits);
    return status ? status : check_kernarg(d, kernel);
}

/* ---- reports ---- */

static void describe_launch(const struct gcn_launch_error *refused, char *text, size_t size)
{
    const char *relation = rows[refused->row].relation, *why = rows[refused->row].why;
    size_t length = strlen(relation);
    char value[24];
    bool sentence = length && relation[length - 1] == '.', address = strstr(refused->field, "_address") != NULL;
    snprintf(value, sizeof value, address || strstr(refused->field, "object") ? "0x%llx" : "%llu",
             (unsigned long long)refused->value);
    if (sentence)
        snprintf(text, size, "is launched with %s %s, which must be %.*s", refused->field, value, (int)length - 1,
                 relation);
    else
        snprintf(text, size, "is launched with %s %s, which must be %s%s%llu%s%s", refused->field, value, relation,
                 length ? " " : "", (unsigned long long)refused->limit, *why ? ": " : "", why);
}

void gcn_launch_report(const struct gcn_dispatch *d, const struct gcn_agent *agent, const amd_queue_t *queue,
                       struct packet_error *error)
{
    const struct gcn_launch_error *refused = &d->refused;
    char text[256];
    describe_launch(refused, text, sizeof text);
    error->status = rows[refused->row].status;
    snprintf(error->text, sizeof error->text, "a kernel %s [%s]", text, rows[refused->row].id);
    const hsam_report report = {
        .struct_size = sizeof report,
        .id = rows[refused->row].id,
        .text = text,
        .count = 1,
        .kernel_object = d->packet.kernel_object,
        .queue = queue->hsa_queue.id,
        .field = refused->field,
        .value = refused->value,
        .limit = refused->limit};
    if (agent->core->report)
        agent->core->report(&report, error->text, sizeof error->text);
}
