/* SPDX-License-Identifier: MIT */
/* From a kernel-dispatch packet to waves: checks, work-item ids, initial registers.
 * Input: AQL packet and kernel descriptor. Output: a dispatch; groups whose waves stand at the kernel's first
 * instruction. Invariant: no field of packet or descriptor is trusted. LLVM AMDGPU guide, "Initial Kernel
 * Execution State". */
#include "runtime/gcn/check/check.h"
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/group.h"
#include "runtime/gcn/observe/observe.h"
#include "support/alloc.h"

#include <string.h>

/* The packet's sizes */

/* The names of a packet's fields by dimension. */
static const char *const group_fields[3] = {"workgroup_size_x", "workgroup_size_y", "workgroup_size_z"};
static const char *const grid_fields[3] = {"grid_size_x", "grid_size_y", "grid_size_z"};

/* Takes the sizes of dimension I of DIMENSIONS. */
static hsa_status_t check_dimension(struct gcn_dispatch *d, unsigned i, unsigned dimensions, uint32_t size,
                                    uint32_t grid)
{
    if (i < dimensions && !size)
        return gcn_launch_refuse(d, GCN_LAUNCH_EMPTY, group_fields[i], size, 1);
    if (i < dimensions && !grid)
        return gcn_launch_refuse(d, GCN_LAUNCH_EMPTY, grid_fields[i], grid, 1);
    if (i >= dimensions && size > 1)
        return gcn_launch_refuse(d, GCN_LAUNCH_FLAT, group_fields[i], size, 1);
    if (i >= dimensions && grid > 1)
        return gcn_launch_refuse(d, GCN_LAUNCH_FLAT, grid_fields[i], grid, 1);
    d->size[i] = i < dimensions ? size : 1;
    d->grid[i] = i < dimensions ? grid : 1;
    d->groups[i] = ((uint64_t)d->grid[i] + d->size[i] - 1) / d->size[i];
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_sizes(struct gcn_dispatch *d)
{
    const hsa_kernel_dispatch_packet_t *p = &d->packet;
    const uint32_t size[3] = {p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z};
    const uint32_t grid[3] = {p->grid_size_x, p->grid_size_y, p->grid_size_z};
    unsigned dimensions = p->setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS & 3;
    uint64_t items = 1;
    if (!dimensions)
        return gcn_launch_refuse(d, GCN_LAUNCH_DIMENSIONS, "setup", dimensions, 3);
    d->group_total = 1;
    for (unsigned i = 0; i < 3; i++) {
        hsa_status_t status = check_dimension(d, i, dimensions, size[i], grid[i]);
        if (status)
            return status;
        items *= d->size[i];
        if (__builtin_mul_overflow(d->group_total, d->groups[i], &d->group_total))
            return gcn_launch_refuse(d, GCN_LAUNCH_GRID_SIZE, grid_fields[i], grid[i], UINT64_MAX / d->group_total);
    }
    if (items > GCN_GROUP_ITEMS_MAX)
        return gcn_launch_refuse(d, GCN_LAUNCH_GROUP_SIZE, "workgroup_size", items, GCN_GROUP_ITEMS_MAX);
    d->wave_count = (uint32_t)(items + GCN_LANES - 1) / GCN_LANES;
    return HSA_STATUS_SUCCESS;
}

enum { PRIVATE_MAX = 1 << 24 }; /* bytes of a work-item */

static hsa_status_t check_memory_sizes(struct gcn_dispatch *d)
{
    const hsa_kernel_dispatch_packet_t *p = &d->packet;
    const amd_kernel_descriptor_t *k = &d->descriptor;
    d->lds_size =
        p->group_segment_size > k->group_segment_fixed_size ? p->group_segment_size : k->group_segment_fixed_size;
    uint32_t private_size = p->private_segment_size > k->private_segment_fixed_size
                                ? p->private_segment_size
                                : k->private_segment_fixed_size;
    uint32_t lds = d->target->processor->generation->lds;
    if (d->lds_size > lds)
        return gcn_launch_refuse(d, GCN_LAUNCH_GROUP_MEMORY_MOST, "group_segment_size", d->lds_size, lds);
    if (private_size > PRIVATE_MAX)
        return gcn_launch_refuse(d, GCN_LAUNCH_PRIVATE_MEMORY_MOST, "private_segment_size", private_size, PRIVATE_MAX);
    d->private_wanted = private_size;
    d->private_size = (private_size + 15) & ~UINT32_C(15);
    d->scratch_wave = (uint64_t)d->private_size * GCN_LANES;
    d->registers = d->target->processor->generation->granule64 *
                   (gcn_field(k->compute_pgm_rsrc1, d->target->layout->descriptor.vgprs) + 1);
    struct gcn_field accumulation = d->target->layout->descriptor.accumulation;
    d->vectors = accumulation.width ? 4 * (gcn_field(k->compute_pgm_rsrc3, accumulation) + 1) : d->registers;
    if (d->vectors > d->registers)
        return gcn_launch_refuse(d, GCN_LAUNCH_ACCUMULATION, "kernel_object", p->kernel_object, 0);
    d->accumulators =
        accumulation.width ? d->registers - d->vectors
        : gcn_target_has(d->target, GCN_OP_v_accvgpr_read_b32)
            ? d->registers
            : 0;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t find_kernel(struct gcn_dispatch *d)
{
    uint64_t object = d->packet.kernel_object;
    if (object % 64 || !gcn_cache_contains(d->cache, object, sizeof d->descriptor))
        return gcn_launch_refuse(d, GCN_LAUNCH_OBJECT, "kernel_object", object, 0);
    memcpy(&d->descriptor, (const void *)(uintptr_t)object, sizeof d->descriptor);
    uint32_t lanes = d->descriptor.kernel_code_properties & AMD_KERNEL_ENABLE_WAVEFRONT_SIZE32 ? 32 : 64;
    if (lanes != GCN_LANES || !(d->target->processor->generation->waves & lanes))
        return gcn_launch_refuse(d, GCN_LAUNCH_WAVE, "kernel_object", object, 0);
    uint64_t pc = object + (uint64_t)d->descriptor.kernel_code_entry_byte_offset;
    enum gcn_fault_kind kind = GCN_FAULT_FETCH;
    if (pc % 4 || !gcn_cache_find(d->cache, pc, &d->entry, &kind))
        return gcn_launch_refuse(
            d, kind == GCN_FAULT_FETCH ? GCN_LAUNCH_CODE : GCN_LAUNCH_TRANSLATION, "kernel_object", object, 0);
    bool exact = gcn_field(d->descriptor.compute_pgm_rsrc2, d->target->layout->descriptor.exceptions) ||
                 gcn_cache_asks(d->cache, d->entry.unit);
    if (exact && !gcn_cache_find(d->cache, pc | GCN_EXACT, &d->entry, &kind))
        return gcn_launch_refuse(d, GCN_LAUNCH_TRANSLATION, "kernel_object", object, 0);
    return HSA_STATUS_SUCCESS;
}

static uint32_t initial_mode(const amd_kernel_descriptor_t *k, const struct gcn_descriptor_fields *fields)
{
    uint32_t rsrc1 = k->compute_pgm_rsrc1, rsrc2 = k->compute_pgm_rsrc2;
    return gcn_field(rsrc1, fields->float_mode) << GCN_MODE_ROUND32 |
           gcn_field(rsrc1, fields->dx10_clamp) << GCN_MODE_DX10_CLAMP |
           gcn_field(rsrc1, fields->ieee) << GCN_MODE_IEEE | gcn_field(rsrc1, fields->fp16_ovfl) << GCN_MODE_FP16_OVFL |
           gcn_field(rsrc2, fields->exceptions) << GCN_MODE_EXCP_EN;
}

static void read_start(struct gcn_dispatch *d)
{
    const struct gcn_descriptor_fields *fields = &d->target->layout->descriptor;
    uint32_t rsrc2 = d->descriptor.compute_pgm_rsrc2;
    d->start = (struct gcn_wave_start){
        .mode = initial_mode(&d->descriptor, fields),
        .user_sgprs = (uint8_t)gcn_field(rsrc2, fields->user_sgprs),
        .group_ids = (uint8_t)gcn_field(rsrc2, fields->group_id),
        .item_ids = (uint8_t)gcn_field(rsrc2, fields->item_ids),
        .group_info = gcn_field(rsrc2, fields->group_info),
        .scratch = gcn_field(rsrc2, fields->scratch),
    };
}

/* How many work-items, along dimension I, the groups at the far edge of the grid have: fewer than the others unless the
 * grid is a multiple of the group. */
static uint32_t edge_size(const struct gcn_dispatch *d, unsigned i)
{
    uint32_t rest = d->grid[i] % d->size[i];
    return rest ? rest : d->size[i];
}

static bool make_shape(struct gcn_group_shape *shape, const uint32_t size[3])
{
    uint32_t total = size[0] * size[1] * size[2], n = 0;
    shape->wave_count = (total + GCN_LANES - 1) / GCN_LANES;
    shape->ids = mem_zalloc(shape->wave_count, sizeof *shape->ids);
    if (!shape->ids)
        return false;
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++, n++) {
                struct gcn_wave_ids *wave = &shape->ids[n / GCN_LANES];
                wave->id[0][n % GCN_LANES] = x;
                wave->id[1][n % GCN_LANES] = y;
                wave->id[2][n % GCN_LANES] = z;
            }
    for (uint32_t i = 0; i < shape->wave_count; i++)
        shape->ids[i].lanes = UINT64_MAX;
    if (total % GCN_LANES)
        shape->ids[shape->wave_count - 1].lanes = (UINT64_C(1) << total % GCN_LANES) - 1;
    return true;
}

static hsa_status_t make_shapes(struct gcn_dispatch *d)
{
    for (unsigned n = 0; n < GCN_SHAPES; n++) {
        uint32_t size[3];
        bool exists = true;
        for (unsigned i = 0; i < 3; i++) {
            bool edge = n >> i & 1;
            size[i] = edge ? edge_size(d, i) : d->size[i];
            exists &= edge ? size[i] < d->size[i] : d->grid[i] >= d->size[i];
        }
        if (exists && !make_shape(&d->shapes[n], size))
            return gcn_launch_refuse(d, GCN_LAUNCH_SHAPES, "kernel_object", d->packet.kernel_object, 0);
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t gcn_dispatch_begin(struct gcn_dispatch *d, struct gcn_cache *cache,
                                const hsa_kernel_dispatch_packet_t *packet, uint64_t packet_address,
                                uint64_t queue_address, uint64_t id)
{
    *d = (struct gcn_dispatch){
        .target = gcn_cache_target(cache),
        .cache = cache,
        .packet = *packet,
        .packet_address = packet_address,
        .queue_address = queue_address,
        .id = id,
    };
    gcn_cache_enter(cache);
    hsa_status_t status = check_sizes(d);
    if (!status)
        status = find_kernel(d);
    if (!status)
        status = check_memory_sizes(d);
    if (!status)
        status = make_shapes(d);
    if (!status)
        read_start(d);
    return status;
}

void gcn_dispatch_end(struct gcn_dispatch *d)
{
    for (unsigned n = 0; n < GCN_SHAPES; n++)
        mem_free(d->shapes[n].ids);
    memset(d->shapes, 0, sizeof d->shapes);
    mem_free(d->rest);
    d->rest = NULL;
    gcn_cache_leave(d->cache);
}

void gcn_dispatch_fail(struct gcn_dispatch *d, const struct gcn_fault *fault)
{
    uint32_t none = 0;
    if (__atomic_compare_exchange_n(&d->fault_state, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        d->fault = *fault;
        __atomic_store_n(&d->fault_state, 2, __ATOMIC_RELEASE);
        __atomic_store_n(&d->stop, 1, __ATOMIC_RELEASE);
    }
}

/* Initial registers */

void gcn_group_index(const struct gcn_dispatch *d, uint64_t linear, uint64_t index[3])
{
    /* Divisions are most of what an empty group costs; in one dimension there is nothing to divide. */
    uint64_t row = linear < d->groups[0] ? 0 : linear / d->groups[0];
    index[0] = linear - row * d->groups[0];
    index[2] = row < d->groups[1] ? 0 : row / d->groups[1];
    index[1] = row - index[2] * d->groups[1];
}

const struct gcn_group_shape *gcn_group_shape_at(const struct gcn_dispatch *d, const uint64_t index[3])
{
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++)
        n |= (unsigned)(d->grid[i] - index[i] * d->size[i] < d->size[i]) << i;
    return &d->shapes[n];
}

static unsigned put_pair(uint32_t *s, unsigned at, uint64_t value)
{
    s[at] = (uint32_t)value;
    s[at + 1] = (uint32_t)(value >> 32);
    return at + 2;
}

/* Puts the descriptor of private memory into the scalar registers from AT on; returns the number of the next one. The
 * descriptor is swizzled, so that one dword of all 64 work-items makes a line. */
static unsigned put_private_buffer(uint32_t *s, unsigned at, const struct gcn_group *g)
{
    enum { STRIDE_64 = 3 << 21, ADD_LANE = 1 << 23 };
    uint64_t base = (uint64_t)(uintptr_t)g->scratch;
    s[at] = (uint32_t)base;
    s[at + 1] = ((uint32_t)(base >> 32) & 0xffff) | UINT32_C(1) << 31;
    s[at + 2] = g->scratch_size > UINT32_MAX ? UINT32_MAX : (uint32_t)g->scratch_size;
    s[at + 3] = STRIDE_64 | ADD_LANE;
    return at + 4;
}

unsigned gcn_initial_scalars(uint32_t *s, const struct gcn_dispatch *d, const struct gcn_group *g, uint32_t wave)
{
    uint32_t enabled = d->descriptor.kernel_code_properties;
    unsigned at = 0;
    if (enabled & AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER)
        at = put_private_buffer(s, at, g);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_DISPATCH_PTR)
        at = put_pair(s, at, d->packet_address);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_QUEUE_PTR)
        at = put_pair(s, at, d->queue_address);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_KERNARG_SEGMENT_PTR)
        at = put_pair(s, at, (uint64_t)(uintptr_t)d->packet.kernarg_address);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_DISPATCH_ID)
        at = put_pair(s, at, d->id);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_FLAT_SCRATCH_INIT)
        at = put_pair(s, at, (uint64_t)(uintptr_t)g->scratch);
    if (enabled & AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE)
        s[at++] = d->private_size;
    at = d->start.user_sgprs;
    for (unsigned i = 0; i < 3; i++)
        if (d->start.group_ids >> i & 1)
            s[at++] = (uint32_t)g->index[i];
    if (d->start.group_info)
        s[at++] = (wave == 0 ? UINT32_C(1) << 31 : 0) | g->wave_count;
    if (d->start.scratch)
        s[at++] = (uint32_t)(wave * d->scratch_wave);
    return at;
}

/* Returns how many registers are set. */
static unsigned init_vgprs(struct gcn_wave *w, const struct gcn_dispatch *d, const struct gcn_wave_ids *ids)
{
    if (d->target->layout->unified) {
        for (unsigned i = 0; i < GCN_LANES; i++)
            w->v[0][i] = ids->id[0][i] | ids->id[1][i] << 10 | ids->id[2][i] << 20;
        return 1;
    }
    memcpy(w->v[0], ids->id[0], GCN_LINE);
    if (d->start.item_ids >= 1)
        memcpy(w->v[1], ids->id[1], GCN_LINE);
    if (d->start.item_ids >= 2)
        memcpy(w->v[2], ids->id[2], GCN_LINE);
    return d->start.item_ids < 3 ? d->start.item_ids + 1 : 3;
}

static void init_wave(struct gcn_wave *w, struct gcn_group *g, const struct gcn_dispatch *d,
                      const struct gcn_wave_ids *ids)
{
    uint32_t mode = d->start.mode;
    w->group = g;
    gcn_wave_enter(w, &d->entry);
    w->scc = 0;
    if (w->mode != mode || !w->base[0]) { /* base[0] is zero in memory that has not held a wave yet */
        w->mode = mode;
        gcn_mode_changed(w);
    }
    w->base[0] = (const char *)w;
    w->trapsts = 0;
    w->store_fence = 0;
    w->gws_wait = 0;
    w->guest = d->guest;
    w->lds = g->lds;
    w->lds_size = d->lds_size;
    w->scratch = g->scratch ? g->scratch + w->index * d->scratch_wave : NULL;
    w->scratch_size = d->private_size;
    w->group_tag = w->private_tag = 0;
    gcn_set64(w, GCN_S_VCC, 0);
    w->s[GCN_S_M0] = 0;
    gcn_set64(w, GCN_S_EXEC, ids->lanes);
    unsigned scalars = gcn_initial_scalars(w->s, d, g, w->index);
    unsigned vectors = init_vgprs(w, d, ids);
    if (d->check)
        gcn_check_wave(w, vectors, scalars);
}

/* The compute unit that is number N of those that D may use. */
static uint32_t unit_of(const struct gcn_dispatch *d, uint32_t n)
{
    for (uint32_t i = 0; i < GCN_COMPUTE_UNITS_MAX; i++)
        if (d->unit_mask[i / 32] >> i % 32 & 1 && !n--)
            return i;
    return 0;
}

bool gcn_group_start(struct gcn_group *g, struct gcn_dispatch *d, uint64_t linear, uint32_t worker)
{
    if (!gcn_group_reserve(g, d))
        return false;
    g->dispatch = d;
    g->worker = d->units ? unit_of(d, worker % d->units) : worker;
    if (d->check && !gcn_check_group(g))
        return false;
    gcn_group_index(d, linear, g->index);
    g->ended = g->waiting = g->rounds = 0;
    const struct gcn_group_shape *shape = gcn_group_shape_at(d, g->index);
    g->shape = shape;
    g->wave_count = shape->wave_count;
    if (d->observe && !gcn_observe_group(g))
        return false;
    for (uint32_t i = 0; i < shape->wave_count; i++) {
        g->waves[i]->index = i;
        g->state[i] = GCN_STOP_YIELD;
        g->turns[i] = (struct gcn_turn){0};
        init_wave(g->waves[i], g, d, &shape->ids[i]);
    }
    return true;
}
