/* SPDX-License-Identifier: MIT */
/* The checker of memory for accesses by descriptors: images, typed and swizzled buffers, buffers that scalar
 * instructions load from.
 * Input: a wave about to execute an instruction that gcn_access_of() does not describe. Output: findings.
 * Invariant: elements outside of what the descriptor describes are no accesses, as the machine leaves them out. A
 * descriptor may describe a buffer as larger than it is, as some programs do, but not an image. */
#include "runtime/gcn/check/check.h"

#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_image.h"
#include "runtime/gcn/inst/inst.h"

/* What is found in an instruction, and how often. */
struct stray {
    struct gcn_finding first;
    uint64_t count;
};

static void add_stray(struct stray *stray, const struct gcn_wave *w, uint64_t address, uint32_t bytes, int lane)
{
    if (stray->count++)
        return;
    stray->first.kind = gcn_check_stray_kind(w, address);
    stray->first.address = address;
    stray->first.bytes = bytes;
    stray->first.by.item = lane;
}

/* Elements as gcn_buffer_read() and gcn_buffer_write() move them. */
static void check_element(struct stray *stray, const struct gcn_wave *w, const struct gcn_uop *op,
                          const struct gcn_buffer *b, unsigned lane, unsigned bytes)
{
    uint32_t offset = gcn_buffer_offset(w, op, lane);
    for (unsigned i = 0, step; i < bytes; i += step) {
        uint64_t address;
        step = bytes - i < 4 ? bytes - i : 4;
        if (!gcn_buffer_element(w, op, b, lane, offset + i, step, &address))
            continue;
        unsigned adjacent = b->swizzle && offset % 4 + step > 4 ? 4 - offset % 4 : step;
        if (!gcn_check_allocated(w, address, adjacent, false))
            add_stray(stray, w, address, adjacent, (int)lane);
    }
}

static void check_buffer(struct stray *stray, const struct gcn_wave *w, const struct gcn_uop *op, unsigned id)
{
    const struct gcn_op_info *info = &gcn_op_info[id];
    struct gcn_buffer b = gcn_buffer_of(w, op);
    bool typed = info->encoding == GCN_MTBUF || info->flags & GCN_F_FORMAT;
    unsigned bytes = typed ? gcn_pixel_bytes(gcn_buffer_format(w, op, info->encoding == GCN_MTBUF, NULL)) : info->bytes;
    if (gcn_buffer_is_private(&b, op))
        return;
    for (uint64_t left = gcn_exec(w); left; left &= left - 1)
        check_element(stray, w, op, &b, (unsigned)__builtin_ctzll(left), bytes);
}

static void check_scalar(struct stray *stray, const struct gcn_wave *w, const struct gcn_uop *op, unsigned id)
{
    const struct gcn_op_info *info = &gcn_op_info[id];
    unsigned inside;
    if (info->src[0] != GCN_T_B128 || !info->bytes) /* 128 bits: the descriptor of a buffer */
        return;
    uint64_t address = gcn_buffer_scalar(w, op, info->bytes / 4, &inside);
    if (inside && !gcn_check_allocated(w, address, 4 * inside, true))
        add_stray(stray, w, address, 4 * inside, -1);
}

static void check_image(struct stray *stray, const struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_image image;
    if (!gcn_image_known(w, op, &image) || !image.size[2])
        return;
    uint64_t rows = (uint64_t)(image.first + image.size[2] - 1) * image.rows + image.size[1] - 1;
    uint64_t bytes = (rows * image.pitch + image.size[0]) * image.bytes;
    if (gcn_check_allocated(w, image.base, bytes, false))
        return;
    add_stray(stray, w, image.base, bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes, -1);
    if (stray->first.kind == GCN_FINDING_GLOBAL)
        stray->first.kind = GCN_FINDING_IMAGE;
}

void gcn_check_described(const struct gcn_wave *w, const struct gcn_uop *op, unsigned id, uint64_t pc)
{
    const struct gcn_op_info *info = &gcn_op_info[id];
    struct stray stray = {.first = {.writes = info->flags & (GCN_F_STORE | GCN_F_ATOMIC),
                                    .atomic = info->flags & GCN_F_ATOMIC,
                                    .segment = HSAM_ACCESS_GLOBAL}};
    if (!gcn_exec(w))
        return;
    switch (info->encoding) {
    case GCN_MUBUF:
    case GCN_MTBUF: check_buffer(&stray, w, op, id); break;
    case GCN_MIMG:
        if (id != GCN_OP_image_get_resinfo && id != GCN_OP_image_get_lod) /* these access no texel */
            check_image(&stray, w, op);
        break;
    case GCN_SMEM: check_scalar(&stray, w, op, id); break;
    default: break;
    }
    if (!stray.count)
        return;
    stray.first.by = gcn_check_party(w, pc, stray.first.by.item);
    gcn_check_add(w->group->dispatch->check, &stray.first, stray.count);
}
