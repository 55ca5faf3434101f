/* SPDX-License-Identifier: MIT */
/* The operation, type and encoding tables, expanded from tables/<name>.def. Constant data; no code. */
#include "runtime/gcn/inst/inst.h"

const struct gcn_type_info gcn_type_info[GCN_TYPE_COUNT] = {
#define TYPE(id, bits, elements, kind) [GCN_T_##id] = {bits, elements, GCN_KIND_##kind, ((bits) + 31) / 32},
#include "runtime/gcn/tables/gcn_type.def"
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

/* Values of the column of targets. */
#define ALL        (uint8_t)((1u << GCN_TARGET_COUNT) - 1)
#define ONLY(id)   (1u << GCN_TARGET_##id)
#define FROM(id)   (ALL & ~(ONLY(id) - 1))
#define UPTO(id)   ((ONLY(id) << 1) - 1)
_Static_assert(GCN_TARGET_COUNT <= 8, "gcn_op_info.targets has a bit for each");

const struct gcn_op_info gcn_op_info[GCN_OP_COUNT] = {
#define OP(...) OP_ON(ALL, __VA_ARGS__)
#define OP_ON(targets, id, ...) OP_NAMED(targets, id, id, __VA_ARGS__)
#define OP_NAMED(targets_, id_, name_, encoding_, opcode_, dst_, src0_, src1_, src2_, bytes_, flags_) \
    [GCN_OP_##id_] = {.name = #name_,                                                         \
                      .flags = (flags_),                                                    \
                      .opcode = (opcode_),                                                  \
                      .encoding = GCN_##encoding_,                                          \
                      .targets = (targets_),                                                \
                      .dst = GCN_T_##dst_,                                                  \
                      .src = {GCN_T_##src0_, GCN_T_##src1_, GCN_T_##src2_},                 \
                      .bytes = (bytes_)},
#include "runtime/gcn/tables/op.def"
#undef OP_NAMED
#undef OP_ON
#undef OP
};
