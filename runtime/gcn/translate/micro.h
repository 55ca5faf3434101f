/* SPDX-License-Identifier: MIT */
/* Micro-operations that the translator puts before and after an operation, for the operand forms that its handler
 * does not know. They prepare sources in w->temp[] (all lanes) and post-process results (lanes of EXEC).
 *
 *   MICRO(id)          dst          src[0]        imm                          aux
 *   SPLAT32            temp line    scalar        and-mask                     xor-mask
 *   SPLAT64            2 temp lines scalar pair   and-mask of the high dword   xor-mask of it
 *   MOD32, MOD64       temp         line(s)       as SPLAT                     as SPLAT
 *   SELECT             temp line    line          SDWA selection, 8 = sext     MICRO_ABS, MICRO_NEG, MICRO_SIGN32
 *   PLACE              vdst line    temp line     SDWA selection, 8 * unused   -
 *   DPP                temp line(s) line(s)          control                      MICRO_BOUND, MICRO_* << 16
 *   EXEC_RESTORE       -            -             -                            -            ends what DPP began
 *   CLAMP16/32/64/PK   vdst         -             output modifier              clamp
 *   PACKED             temp line    line          MICRO_LO_HIGH, ...           -
 *   PAIR               2 temp lines 2 lines       MICRO_LO_HIGH, ...           -
 *   MIX                temp line    line          MICRO_HIGH, ...              -
 *   INDEX_SRC          temp line(s) -             first VGPR                   lines, index mode bit << 8
 *   INDEX_DST          temp line(s) temp line(s)  first VGPR                   lines
 *   LDS_DIRECT         temp line    -             -                            -
 *   SPECIAL            scalar       -             operand code of VCCZ, EXECZ  -
 *   SCALAR64           scalar pair  scalar pair   -                            -
 *
 * DPP has two constants besides: in src[1] a line with the lane that each lane reads, or all ones, and in src[2] the
 * lanes that the masks of rows and banks enable.
 */
#ifndef RUNTIME_GCN_MICRO_H
#define RUNTIME_GCN_MICRO_H

#include "runtime/gcn/exec/exec.h"

#define GCN_MICROS(MICRO)                                                                                       \
    MICRO(SPLAT32) MICRO(SPLAT64) MICRO(MOD32) MICRO(MOD64) MICRO(SELECT) MICRO(PLACE) MICRO(DPP)               \
    MICRO(EXEC_RESTORE) MICRO(CLAMP16) MICRO(CLAMP32) MICRO(CLAMP64) MICRO(CLAMPPK) MICRO(PACKED) MICRO(PAIR) MICRO(MIX) \
    MICRO(INDEX_SRC) MICRO(INDEX_DST) MICRO(LDS_DIRECT) MICRO(SPECIAL) MICRO(SCALAR64)

/* GCN_MICRO_EXEC_RESTORE, ...: one for each name in the list above. */
enum gcn_micro {
#define MICRO(id) GCN_MICRO_##id,
    GCN_MICROS(MICRO)
#undef MICRO
        GCN_MICRO_COUNT
};

enum {
    MICRO_ABS = 1,
    MICRO_NEG = 2,
    MICRO_SIGN32 = 4, /* the sign is bit 31, else bit 15 */
    MICRO_WIDE = 8,   /* of the second of two lines */
};

/* In aux of DPP: lanes that have no lane to read are written all the same, with zero as the source. */
enum { MICRO_BOUND = 1 };

enum {
    MICRO_LO_HIGH = 1, /* the low result takes the high half */
    MICRO_HI_HIGH = 2, /* the high result takes the high half */
    MICRO_LO_NEG = 4,
    MICRO_HI_NEG = 8,
};

enum {
    MICRO_HIGH = 2, /* the f16 source is in the high half */
    MICRO_MIX_ABS = 4,
    MICRO_MIX_NEG = 8,
};

/* In aux of matrix operations. */
enum {
    MATRIX_CONSTANT = 1, /* C is one constant */
    MATRIX_FLUSH = 2,    /* denormals count as zero in operations on f16 and bf16 */
};

#endif
