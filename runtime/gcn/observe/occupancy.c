/* SPDX-License-Identifier: MIT */
/* Registers, memory and occupancy of a kernel. (LLVM AMDGPU guide, "Kernel Descriptor", "Code Object V4 Metadata")
 * Input: a dispatch with its kernel descriptor, and what the metadata says. Output: numbers, as text and JSON.
 * Invariant: what LLVM computes for the same kernel, but for group memory, which the dispatch may add to. */
#include "runtime/gcn/observe/occupancy.h"

#include "runtime/demangle.h"
#include "runtime/place_text.h"

enum {
    SIMD_SGPRS = 800,    /* scalar registers of a SIMD, from GFX8 on */
    SGPR_FIELD_UNIT = 8, /* GRANULATED_WAVEFRONT_SGPR_COUNT, at bit SGPR_FIELD, counts registers in eights */
    SGPR_FIELD = 6,
    SGPR_FIELD_MASK = 15,
};

static uint32_t least_waves(uint32_t have, uint32_t need, uint32_t most)
{
    return !need || have / need > most ? most : have / need;
}

static void limit_registers(struct gcn_occupancy *o, const struct gcn_dispatch *d)
{
    const struct amdgpu_generation *is = d->target->processor->generation;
    uint32_t field = d->descriptor.compute_pgm_rsrc1 >> SGPR_FIELD & SGPR_FIELD_MASK;
    o->vgprs_allocated = d->registers;
    o->sgprs_allocated =
        (field + 1 + (is->sgpr_granule / SGPR_FIELD_UNIT - 1)) * SGPR_FIELD_UNIT / is->sgpr_granule * is->sgpr_granule;
    o->waves[GCN_LIMIT_HARDWARE] = is->simd_waves;
    o->waves[GCN_LIMIT_VGPRS] = least_waves(is->vgprs, o->vgprs_allocated, is->simd_waves);
    o->waves[GCN_LIMIT_SGPRS] = least_waves(SIMD_SGPRS, o->sgprs_allocated, is->simd_waves);
}

/* A compute unit holds whole work-groups only, and its SIMDs share their waves as evenly as possible. */
static void limit_groups(struct gcn_occupancy *o, const struct gcn_dispatch *d)
{
    const struct amdgpu_generation *is = d->target->processor->generation;
    uint32_t most = is->simd_waves, by_waves = GCN_UNIT_SIMDS * most / o->group_waves;
    uint32_t groups = least_waves(is->lds, o->lds, GCN_UNIT_SIMDS * most);
    uint32_t waves = (groups * o->group_waves + GCN_UNIT_SIMDS - 1) / GCN_UNIT_SIMDS;
    o->waves[GCN_LIMIT_LDS] = waves < most ? waves : most;
    waves = (by_waves * o->group_waves + GCN_UNIT_SIMDS - 1) / GCN_UNIT_SIMDS;
    o->waves[GCN_LIMIT_GROUP] = waves < most ? waves : most;
}

struct gcn_occupancy gcn_occupancy(const struct gcn_dispatch *d, const hsam_kernel *kernel)
{
    struct gcn_occupancy o = {
        .target = d->target,
        .exact = kernel->has_registers,
        .vgprs = kernel->vgprs,
        .agprs = kernel->agprs,
        .sgprs = kernel->sgprs,
        .vgpr_spills = kernel->vgpr_spills,
        .sgpr_spills = kernel->sgpr_spills,
        .scratch = d->private_size,
        .lds = d->lds_size,
        .group_waves = d->wave_count};
    limit_registers(&o, d);
    limit_groups(&o, d);
    o.occupancy = o.waves[0];
    for (unsigned i = 1; i < GCN_LIMITS; i++)
        if (o.waves[i] < o.occupancy) {
            o.occupancy = o.waves[i];
            o.limit = (enum gcn_limit)i;
        }
    return o;
}

static const char *const limits[GCN_LIMITS][2] = {
    [GCN_LIMIT_HARDWARE] = {"hardware", "the most that the hardware holds"},
    [GCN_LIMIT_VGPRS] = {"vgprs", "limited by vector registers"},
    [GCN_LIMIT_SGPRS] = {"sgprs", "limited by scalar registers"},
    [GCN_LIMIT_LDS] = {"lds", "limited by group memory"},
    [GCN_LIMIT_GROUP] = {"group", "limited by the size of the work-groups"},
};

void gcn_occupancy_text(const struct gcn_occupancy *o, const char *kernel, struct textbuf *text)
{
    char name[DEMANGLED_NAME];
    textbuf_printf(text, "kernel %s for %s\n", *kernel ? demangle(kernel, name) : "without a name",
                   o->target->processor->name);
    if (o->exact) {
        textbuf_printf(text, "  VGPRs      %6u, %u allocated, %u spilled\n", o->vgprs, o->vgprs_allocated,
                       o->vgpr_spills);
        textbuf_printf(text, "  SGPRs      %6u, %u allocated, %u spilled\n", o->sgprs, o->sgprs_allocated,
                       o->sgpr_spills);
    } else {
        textbuf_printf(text, "  VGPRs      %6u allocated\n  SGPRs      %6u allocated\n", o->vgprs_allocated,
                       o->sgprs_allocated);
    }
    if (o->agprs)
        textbuf_printf(text, "  AGPRs      %6u\n", o->agprs);
    textbuf_printf(text, "  scratch    %6u bytes of a work-item\n  LDS        %6u bytes of a work-group of %u wave%s\n",
                   o->scratch, o->lds, o->group_waves, o->group_waves == 1 ? "" : "s");
    textbuf_printf(text, "  occupancy  %6u waves of each SIMD, %s\n", o->occupancy, limits[o->limit][1]);
}

void gcn_occupancy_json(const struct gcn_occupancy *o, struct textbuf *json)
{
    textbuf_puts(json, "\"registers\":{");
    if (o->exact)
        textbuf_printf(json, "\"vgprs\":%u,\"agprs\":%u,\"sgprs\":%u,\"vgpr_spills\":%u,\"sgpr_spills\":%u,", o->vgprs,
                       o->agprs, o->sgprs, o->vgpr_spills, o->sgpr_spills);
    textbuf_printf(json, "\"vgprs_allocated\":%u,\"sgprs_allocated\":%u,\"scratch\":%u,\"lds\":%u}", o->vgprs_allocated,
                   o->sgprs_allocated, o->scratch, o->lds);
    textbuf_printf(json, ",\"occupancy\":{\"waves\":%u,\"limit\":\"%s\"", o->occupancy, limits[o->limit][0]);
    for (unsigned i = 0; i < GCN_LIMITS; i++)
        textbuf_printf(json, ",\"%s\":%u", limits[i][0], o->waves[i]);
    textbuf_puts(json, "}");
}

void gcn_occupancy_line(const struct gcn_occupancy *o, const char *kernel, struct textbuf *json)
{
    textbuf_puts(json, "{\"kind\":\"registers\"");
    name_json("kernel", kernel, json);
    textbuf_printf(json, ",\"target\":\"%s\",", o->target->processor->name);
    gcn_occupancy_json(o, json);
    textbuf_puts(json, "}\n");
}
