/* SPDX-License-Identifier: MIT */
/* From opcode to handler. Input: a decoded instruction. Output: its LLVM instructions, by lower.def.
 * Invariant: an opcode without a row of lower.def does not compile. */
#include "finalizer/lower.h"

bool lower_inst(struct fn *f, const struct lang_inst *in)
{
    if (in->operands.count < lang_operand_count(in))
        return fn_fail(f, "instruction '%s' lacks operands", in->op->text);
    switch ((hsa_brig_opcode_t)in->op->code) {
#define LOWER(opcode, handler, ...)                                                                          \
    case HSA_BRIG_OPCODE_##opcode:                                                                           \
        return handler(f, in __VA_OPT__(, ) __VA_ARGS__);
#include "finalizer/lower.def"
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    case HSA_VEN_##vendor##_BRIG_OPCODE_##name:
#include "brig/tables/opcode.def"
        break;
    }
    return fn_unsupported(f, in);
}
