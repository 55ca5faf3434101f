/* SPDX-License-Identifier: MIT */
/* The operation, type and encoding tables, expanded from tables/<name>.def. Constant data; no code. */
#include "runtime/gcn/inst.h"

const struct gcn_type_info gcn_type_info[GCN_TYPE_COUNT] = {
#define TYPE(id, bits, elements, kind) [GCN_T_##id] = {bits, elements, GCN_KIND_##kind, ((bits) + 31) / 32},
#include "runtime/gcn/tables/type.def"
#undef TYPE
};

const char *const gcn_encoding_name[GCN_ENCODING_COUNT] = {
#define ENCODING(id, prefix) [GCN_##id] = #id,
#include "runtime/gcn/tables/encoding.def"
#undef ENCODING
};

/* F(a, b, ...): the union of up to six flags. */
#define F(...) F_UNION_(__VA_ARGS__, NONE, NONE, NONE, NONE, NONE)
#define F_UNION_(a, b, c, d, e, f, ...)                                                                      \
    (GCN_F_##a | GCN_F_##b | GCN_F_##c | GCN_F_##d | GCN_F_##e | GCN_F_##f)

const struct gcn_op_info gcn_op_info[GCN_OP_COUNT] = {
#define OP(id_, encoding_, opcode_, dst_, src0_, src1_, src2_, bytes_, flags_)                                 \
    [GCN_OP_##id_] = {.name = #id_,                                                                          \
                      .flags = (flags_),                                                                     \
                      .opcode = (opcode_),                                                                   \
                      .encoding = GCN_##encoding_,                                                               \
                      .dst = GCN_T_##dst_,                                                                   \
                      .src = {GCN_T_##src0_, GCN_T_##src1_, GCN_T_##src2_},                                  \
                      .bytes = (bytes_)},
#include "runtime/gcn/tables/op.def"
#undef OP
};
