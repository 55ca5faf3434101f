/* SPDX-License-Identifier: MIT */
/* Third walk over a file of rows: the table of the saturating (CLAMP) forms. No include guard; see valu.h. */
#undef V1
#undef V2
#undef V3
#undef VM
#undef S2
#undef S3
#undef SM
#define V1(id, class, cost, R, A, expr)
#define V2(id, class, cost, R, A, B, expr)
#define V3(id, class, cost, R, A, B, C, expr)
#define VM(id, class, R, A, B, C, IN, OUT, expr, bit)
#define S2(id, R, A, B, expr) {GCN_OP_##id, id##_sat_pp},
#define S3(id, R, A, B, C, expr) {GCN_OP_##id, id##_sat_pp},
#define SM(id, R, A, B, C, IN, OUT, expr, bit) {GCN_OP_##id, id##_sat_pp},
