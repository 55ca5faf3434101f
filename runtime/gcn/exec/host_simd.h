/* SPDX-License-Identifier: MIT */
/* Names for the files that are built several times, once per instruction set of the host.
 *
 * The build defines GCN_SIMD as base, avx2 or avx512 for such files; everything they export is named through
 * GCN_SIMD_SYM(), everything else in them is static. */
#ifndef RUNTIME_GCN_HOST_SIMD_H
#define RUNTIME_GCN_HOST_SIMD_H

#include "runtime/gcn/exec/exec.h"

#define GCN_SIMD_JOIN2(name, isa) name##_##isa
#define GCN_SIMD_JOIN(name, isa) GCN_SIMD_JOIN2(name, isa)
#define GCN_SIMD_SYM(name) GCN_SIMD_JOIN(name, GCN_SIMD)

/* Lanes of a short row, as of work-groups that are 8 wide. */
enum { GCN_SHORT_ROW = 8 };

/* Loops over lanes: operands of one handler overlap at equal lanes only, so iterations are independent. */
#ifdef __clang__
#define GCN_LANE_LOOP \
    _Pragma("clang loop vectorize(assume_safety) interleave(enable)") for (int i = 0; i < GCN_LANES; i++)
#else
#define GCN_LANE_LOOP _Pragma("GCC ivdep") for (int i = 0; i < GCN_LANES; i++)
#endif

/* Before a loop with a constant number of rounds, 16 of which, or all, are to be done without a test in between. */
#ifdef __clang__
#define GCN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define GCN_UNROLL _Pragma("GCC unroll 16")
#endif

/* Tables of handlers: from files built once, and from files built per instruction set. A new file with handlers
 * adds its table here, and itself to the matching list in local.mk. */
#define GCN_PLAIN_TABLES(X) \
    X(gcn_salu_handlers)     \
    X(gcn_smem_handlers)     \
    X(gcn_atomic_handlers)   \
    X(gcn_lds_atomic_handlers) \
    X(gcn_buffer_other_handlers) \
    X(gcn_typed_handlers) \
    X(gcn_image_handlers) \
    X(gcn_sample_handlers) \
    X(gcn_gws_handlers)
#define GCN_SIMD_TABLES(X) \
    X(gcn_flat_handlers)  \
    X(gcn_lds_handlers)   \
    X(gcn_matrix_handlers) \
    X(gcn_buffer_handlers)

#endif
