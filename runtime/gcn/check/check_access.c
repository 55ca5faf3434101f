/* SPDX-License-Identifier: MIT */
/* The checker of memory: every access must lie inside memory that the kernel has.
 * Input: a wave about to execute a memory instruction. Output: findings; the wave goes on.
 * Invariant: nothing that the kernel sees changes. */
#include "runtime/gcn/check/check.h"

/* Scalar loads may read past the end of an allocation, up to the next multiple of this size. */
enum { SCALAR_SLACK = 16 };

static bool holds(const hsam_extent *extent, uint64_t address, uint64_t bytes)
{
    return address - extent->base < extent->size && bytes <= extent->size - (address - extent->base);
}

/* Finds memory that no client allocated, but that the kernel was given: its packet, or private memory. */
static bool find_own(const struct gcn_wave *w, uint64_t address, hsam_extent *extent)
{
    const struct gcn_group *g = w->group;
    const hsam_extent packet = {g->dispatch->packet_address, sizeof g->dispatch->packet};
    const hsam_extent scratch = {(uintptr_t)g->scratch, 2 * g->scratch_size};
    *extent = holds(&packet, address, 1) ? packet : scratch;
    return holds(extent, address, 1);
}

bool gcn_check_allocated(const struct gcn_wave *w, uint64_t address, uint64_t bytes, bool scalar)
{
    struct gcn_group_check *check = w->group->check;
    for (unsigned i = 0; i < GCN_EXTENTS; i++)
        if (holds(&check->extents[i], address, bytes))
            return true;
    const hsa_generic_driver_interface *core = w->group->dispatch->check->agent->core;
    hsam_extent extent;
    if (!core->memory_extent)
        return true;
    if (!core->memory_extent(address, &extent) && !find_own(w, address, &extent) &&
        !gcn_check_host(w->group->dispatch->check, address, &extent))
        return false;
    check->extents[check->next++ % GCN_EXTENTS] = extent;
    if (scalar)
        extent.size = (extent.size + SCALAR_SLACK - 1) & ~(uint64_t)(SCALAR_SLACK - 1);
    return holds(&extent, address, bytes);
}

enum gcn_finding_kind gcn_check_stray_kind(const struct gcn_wave *w, uint64_t address)
{
    const hsa_generic_driver_interface *core = w->group->dispatch->check->agent->core;
    return core->memory_freed && core->memory_freed(address) ? GCN_FINDING_FREED : GCN_FINDING_GLOBAL;
}

static bool is_allowed(const struct gcn_wave *w, const struct gcn_access *a, unsigned lane, uint64_t address)
{
    switch (a->segment[lane]) {
    case HSAM_ACCESS_GROUP: return address + a->bytes <= w->lds_size;
    case HSAM_ACCESS_PRIVATE: return address + a->bytes <= w->group->dispatch->private_wanted;
    default: return gcn_check_allocated(w, address, a->bytes, a->scalar);
    }
}

static enum gcn_finding_kind kind_of(const struct gcn_wave *w, uint8_t segment, uint64_t address)
{
    return segment == HSAM_ACCESS_GROUP     ? GCN_FINDING_GROUP
           : segment == HSAM_ACCESS_PRIVATE ? GCN_FINDING_PRIVATE
                                            : gcn_check_stray_kind(w, address);
}

/* The quick answer for most instructions: whether all lanes access one allocation, or stay inside of their group or
 * private memory. */
static bool is_known(const struct gcn_wave *w, const struct gcn_access *a)
{
    if (!a->uniform) /* a buffer may contain none of the elements */
        return !a->lanes;
    uint8_t segment = a->segment[__builtin_ctzll(a->lanes)];
    if (segment != HSAM_ACCESS_GLOBAL)
        return a->high + a->bytes <= (segment == HSAM_ACCESS_GROUP ? w->lds_size : w->group->dispatch->private_wanted);
    return gcn_check_allocated(w, a->low, a->high - a->low + a->bytes, a->scalar);
}

static void check_memory(const struct gcn_wave *w, const struct gcn_access *a, uint64_t pc)
{
    struct gcn_finding first = {0};
    uint64_t count = 0;
    if (is_known(w, a))
        return;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        for (unsigned part = 0; part < a->parts; part++) {
            if (is_allowed(w, a, lane, a->address[part][lane]))
                continue;
            if (!count++)
                first = (struct gcn_finding){
                    .kind = kind_of(w, a->segment[lane], a->address[part][lane]),
                    .writes = a->writes,
                    .atomic = a->atomic,
                    .segment = a->segment[lane],
                    .bytes = a->bytes,
                    .address = a->address[part][lane],
                    .by = gcn_check_party(w, pc, a->scalar ? -1 : (int)lane)};
        }
    }
    if (count)
        gcn_check_add(w->group->dispatch->check, &first, count);
}

static void add_misaligned(const struct gcn_wave *w, const struct gcn_access *a, uint8_t segment, uint64_t address,
                           struct gcn_party by)
{
    const struct gcn_finding found = {
        .kind = GCN_FINDING_ALIGNMENT,
        .writes = a->writes,
        .atomic = a->atomic,
        .segment = segment,
        .bytes = a->bytes,
        .address = address,
        .by = by};
    gcn_check_add(w->group->dispatch->check, &found, 1);
}

/* Looks for addresses with which the machine does something else than the program says: it drops two bits of those of
 * scalar accesses, and a dword of private memory that is not aligned reaches into that of another work-item. */
static void check_alignment(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_access *a, uint64_t pc)
{
    if (a->scalar) {
        uint64_t address = gcn_s64(w, op->src[0]) + (uint64_t)(int64_t)op->imm + gcn_s32(w, op->src[1]);
        if (address % 4)
            add_misaligned(w, a, HSAM_ACCESS_GLOBAL, address, gcn_check_party(w, pc, -1));
        return;
    }
    uint32_t alignment = a->bytes < 4 ? a->bytes : 4;
    if (!a->lanes || (a->uniform && a->segment[__builtin_ctzll(a->lanes)] != HSAM_ACCESS_PRIVATE))
        return;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (a->segment[lane] == HSAM_ACCESS_PRIVATE && a->address[0][lane] % alignment) {
            add_misaligned(w, a, HSAM_ACCESS_PRIVATE, a->address[0][lane], gcn_check_party(w, pc, (int)lane));
            return;
        }
    }
}

/* The quick answer for most accesses to global memory, if only memory and barriers are checked: whether OP accesses one
 * allocation at equal distances, and all work-items of the wave have come to all barriers so far. */
static bool is_plain(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_op_info *info)
{
    const struct gcn_group_check *check = w->group->check;
    uint64_t low, high;
    return (info->encoding == GCN_GLOBAL || info->encoding == GCN_FLAT) && op->aux & GCN_SEG_GLOBAL &&
           !(op->aux & (GCN_LDS | GCN_GDS)) && !check->absent[w->index].lanes && gcn_access_steps(w, op, &low, &high) &&
           gcn_check_allocated(w, low, high - low + info->bytes, false);
}

const struct gcn_uop *gcn_check_access(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_group_check *check = w->group ? w->group->check : NULL;
    if (!check)
        return op + 1;
    struct gcn_access *access = &check->access;
    unsigned checks = w->group->dispatch->check->checks;
    if (!(checks & (GCN_CHECK_RACE | GCN_CHECK_INIT)) && is_plain(w, op + 1, &gcn_op_info[op->imm]))
        return op + 1;
    bool known = check->accessed == op + 1;
    uint64_t pc = gcn_unit_pc(w->unit, op);
    check->accessed = NULL;
    if (!known && !gcn_access_of(w, op + 1, (unsigned)op->imm, access)) {
        if (checks & GCN_CHECK_MEMORY)
            gcn_check_described(w, op + 1, (unsigned)op->imm, pc);
        return op + 1;
    }
    if (checks & GCN_CHECK_BARRIER)
        gcn_check_return(w, access, pc);
    if (checks & GCN_CHECK_MEMORY) {
        gcn_check_foreign(w, access, pc);
        check_memory(w, access, pc);
        check_alignment(w, op + 1, access, pc);
    }
    if (checks & GCN_CHECK_RACE)
        gcn_check_race(w, op + 1, (unsigned)op->imm, access, pc);
    return op + 1;
}
