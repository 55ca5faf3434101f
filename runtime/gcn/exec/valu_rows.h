/* SPDX-License-Identifier: MIT */
/* Second walk over a file of rows: the table of its handlers. No include guard; see valu.h. */
#undef V1
#undef V2
#undef V3
#undef VM
#undef S2
#undef S3
#undef SM
#undef P2
#undef P3
#undef W2
#undef W3
#undef VC
#define ROW1_HOT(id) {GCN_OP_##id, id##_pp, id##_sp, NULL},
#define ROW1_VEC ROW1_HOT
#define ROW1_COLD(id) {GCN_OP_##id, id##_pp, NULL, NULL},
#define ROW2_HOT(id) {GCN_OP_##id, id##_pp, id##_sp, id##_ps},
#define ROW2_VEC ROW2_HOT
#define ROW2_WIDE ROW2_HOT
#define ROW2_VEC256 ROW2_HOT
#define ROW2_COLD(id) {GCN_OP_##id, id##_pp, NULL, NULL},
#define ROW2_HALF ROW2_COLD
#define ROW2_HALFP ROW2_COLD
#define V1(id, class, cost, R, A, expr) ROW1_##cost(id)
#define V2(id, class, cost, R, A, B, expr) ROW2_##cost(id)
#define V3(id, class, cost, R, A, B, C, expr) {GCN_OP_##id, id##_pp, NULL, NULL},
#define VM(id, class, R, A, B, C, IN, OUT, expr, bit) {GCN_OP_##id, id##_pp, NULL, NULL},
#define S2(id, R, A, B, expr)
#define S3(id, R, A, B, C, expr)
#define SM(id, R, A, B, C, IN, OUT, expr, bit)
#define P2(id, class, T, expr) {GCN_OP_##id, id##_pp, NULL, NULL},
#define P3(id, class, T, expr) {GCN_OP_##id, id##_pp, NULL, NULL},
#define W2(id, class, expr) {GCN_OP_##id, id##_pp, NULL, NULL},
#define W3(id, class, expr) {GCN_OP_##id, id##_pp, NULL, NULL},
#define VC_HOT(id, form) {GCN_OP_##id, id##_pp, id##_sp, NULL},
#define VC_COLD(id, form) {GCN_OP_##id, id##_pp, NULL, NULL},
#if defined(__AVX2__)
#define VC_WIDE VC_HOT
#else
#define VC_WIDE VC_COLD
#endif
#define VC(name, class, cost, A, B, bit) VC_##cost(v_cmp_##name, ) VC_##cost(v_cmpx_##name, )
