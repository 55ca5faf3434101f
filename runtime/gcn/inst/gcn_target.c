/* SPDX-License-Identifier: MIT */
/* The processors that the software GPU executes, expanded from runtime/gcn/tables/target.def.
 * Input: names. Output: targets. Invariant: built once, at the first call, and constant from then on. */
#include "runtime/gcn/inst/gcn_target.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

const char *const gcn_hwreg_name[] = {
    NULL,
#define HWREG(id) #id,
#include "runtime/gcn/tables/number.def"
#undef HWREG
};

const char *const gcn_sendmsg_name[] = {
    NULL,
#define SENDMSG(id) #id,
#include "runtime/gcn/tables/number.def"
#undef SENDMSG
};

/* What all processors of GFX9 have in common. */
#define GFX9_LAYOUT \
    .sgprs = 102, \
    .vop3 = \
        {[GCN_VOPC] = 0, [GCN_VOP2] = 256, [GCN_VOP1] = 320, [GCN_VOP3] = 448, [GCN_VINTRP] = 624, [GCN_VOP3P] = 896}, \
    .vm = {{0, 4}, {14, 2}}, \
    .exp = {4, 3}, \
    .lgkm = {8, 4}, \
    .hwreg = {[1] = GCN_HWREG_MODE, \
              [2] = GCN_HWREG_STATUS, \
              [3] = GCN_HWREG_TRAPSTS, \
              [4] = GCN_HWREG_HW_ID, \
              [5] = GCN_HWREG_GPR_ALLOC, \
              [6] = GCN_HWREG_LDS_ALLOC, \
              [7] = GCN_HWREG_IB_STS, \
              [15] = GCN_HWREG_SH_MEM_BASES, \
              [16] = GCN_HWREG_TBA_LO, \
              [17] = GCN_HWREG_TBA_HI, \
              [18] = GCN_HWREG_TMA_LO, \
              [19] = GCN_HWREG_TMA_HI}, \
    .message = {[1] = GCN_SENDMSG_INTERRUPT, \
                [2] = GCN_SENDMSG_GS, \
                [3] = GCN_SENDMSG_GS_DONE, \
                [4] = GCN_SENDMSG_SAVEWAVE, \
                [5] = GCN_SENDMSG_STALL_WAVE_GEN, \
                [6] = GCN_SENDMSG_HALT_WAVES, \
                [7] = GCN_SENDMSG_ORDERED_PS_DONE, \
                [8] = GCN_SENDMSG_EARLY_PRIM_DEALLOC, \
                [9] = GCN_SENDMSG_GS_ALLOC_REQ, \
                [10] = GCN_SENDMSG_GET_DOORBELL, \
                [15] = GCN_SENDMSG_SYSMSG}, \
    .descriptor = {.vgprs = {0, 6}, \
                   .float_mode = {12, 8}, \
                   .dx10_clamp = {21, 1}, \
                   .ieee = {23, 1}, \
                   .fp16_ovfl = {26, 1}, \
                   .scratch = {0, 1}, \
                   .user_sgprs = {1, 5}, \
                   .group_id = {7, 3}, \
                   .group_info = {10, 1}, \
                   .item_ids = {11, 2}, \
                   .exceptions = {24, 7}}

/* Vega and gfx908: gfx900 to gfx90c, without gfx90a. */
static const struct gcn_layout gfx9_layout = {GFX9_LAYOUT};
static const struct gcn_layout gfx90a_layout = {GFX9_LAYOUT, .unified = true, .descriptor.accumulation = {0, 6}};

static const struct {
    const char *processor, *features;
    uint8_t number; /* bit in gcn_op_info.targets */
    const struct gcn_layout *layout;
} rows[] = {
#define TARGET(id, features, layout) {#id, features, GCN_TARGET_##id, &layout##_layout},
#include "runtime/gcn/tables/target.def"
#undef TARGET
};

static struct gcn_target targets[GCN_TARGET_COUNT];

static void build_targets(void)
{
    for (size_t i = 0; i < GCN_TARGET_COUNT; i++) {
        struct gcn_target *target = &targets[i];
        target->processor = amdgpu_by_name(rows[i].processor, strlen(rows[i].processor));
        target->layout = rows[i].layout;
        snprintf(target->isa, sizeof target->isa, "amdgcn-amd-amdhsa--%s%s", rows[i].processor, rows[i].features);
        for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
            const struct gcn_op_info *info = &gcn_op_info[op];
            unsigned first = info->encoding == GCN_VOP3 ? target->layout->vop3[GCN_VOP3] : 0;
            if (info->targets >> rows[i].number & 1)
                target->op_of[info->encoding][info->opcode - first] = (uint16_t)(op + 1);
        }
    }
}

const struct gcn_target *gcn_target_number(size_t number)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build_targets);
    return number < GCN_TARGET_COUNT ? &targets[number] : NULL;
}

const struct gcn_target *gcn_target_find(const char *name, size_t length)
{
    const struct amdgpu_processor *processor = amdgpu_by_name(name, length);
    const struct gcn_target *target;
    for (size_t i = 0; processor && (target = gcn_target_number(i)); i++)
        if (target->processor == processor)
            return target;
    return NULL;
}
