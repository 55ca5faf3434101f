/* SPDX-License-Identifier: MIT */
/* Integer arithmetic (PRM 5.2-5.7).
 * Input: LLVM integers of equal width. Output: the result as HSAIL defines it, or some value where it does not.
 * Invariant: each operation of enum int_op has its case; the file does not compile when one is missing. */
#include "finalizer/emit.h"

LLVMValueRef emit_shift_count(struct emit *e, LLVMValueRef count, unsigned bits)
{
    LLVMValueRef masked = LLVMBuildAnd(e->b, count, emit_int(e, emit_width(count), bits - 1), "");
    return emit_resize(e, masked, bits, false);
}

/* The product with signs of A and B, which have 64 bits, from PRODUCT, which is that without signs: from its upper
 * half, each factor is taken if the other is negative. */
static LLVMValueRef signed_product(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef product)
{
    LLVMValueRef last = emit_int(e, 64, 63), high = emit_upper_half(e, product);
    high = LLVMBuildSub(e->b, high, LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, a, last, ""), b, ""), "");
    high = LLVMBuildSub(e->b, high, LLVMBuildAnd(e->b, LLVMBuildAShr(e->b, b, last, ""), a, ""), "");
    high = LLVMBuildShl(e->b, emit_resize(e, high, 128, false), emit_int(e, 128, 64), "");
    return LLVMBuildOr(e->b, high, emit_resize(e, emit_resize(e, product, 64, false), 128, false), "");
}

/* The whole product, in twice the bits. When it has 128 bits, LLVM 19 must not know anything about its factors
 * (doc/decisions/llvm-wide-multiply.md), nor extend their signs: it would multiply these, too, as factors of 64 bits
 * (doc/decisions/llvm-halves-of-sums.md). */
static LLVMValueRef product(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    unsigned bits = emit_width(a);
    bool is_long = bits == 64, extends = is_signed && !is_long;
    if (is_long) {
        a = emit_opaque(e, a);
        b = emit_opaque(e, b);
    }
    LLVMValueRef whole =
        LLVMBuildMul(e->b, emit_resize(e, a, 2 * bits, extends), emit_resize(e, b, 2 * bits, extends), "");
    return is_signed && is_long ? signed_product(e, a, b, whole) : whole;
}

static LLVMValueRef mulhi(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    return emit_upper_half(e, product(e, is_signed, a, b));
}

/* LLVM does not define division by 0, nor of the smallest dividend by -1. Dividing by 1 instead makes the quotient the
 * dividend and the remainder 0. */
static LLVMValueRef safe_divisor(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    unsigned bits = emit_width(a);
    LLVMValueRef bad = LLVMBuildICmp(e->b, LLVMIntEQ, b, emit_int(e, bits, 0), "");
    if (is_signed) {
        LLVMValueRef least = emit_sign_mask(e, bits);
        LLVMValueRef over = LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, a, least, ""),
                                         LLVMBuildICmp(e->b, LLVMIntEQ, b, LLVMConstAllOnes(LLVMTypeOf(b)), ""), "");
        bad = LLVMBuildOr(e->b, bad, over, "");
    }
    return emit_select(e, bad, emit_int(e, bits, 1), b);
}

/* Bits 47-32 of the product of two 24-bit integers. */
static LLVMValueRef mul24hi(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef unused = emit_int(e, 32, 8);
    a = LLVMBuildShl(e->b, a, unused, "");
    b = LLVMBuildShl(e->b, b, unused, "");
    a = is_signed ? LLVMBuildAShr(e->b, a, unused, "") : LLVMBuildLShr(e->b, a, unused, "");
    b = is_signed ? LLVMBuildAShr(e->b, b, unused, "") : LLVMBuildLShr(e->b, b, unused, "");
    return emit_int_op(e, INT_MULHI, is_signed, a, b);
}

/* Returns 1 when a + b carries, or a - b borrows, and else 0; the operands count as unsigned even if the type is
 * signed. */
static LLVMValueRef carry(struct emit *e, bool borrow, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef out = borrow ? LLVMBuildICmp(e->b, LLVMIntULT, a, b, "")
                              : LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildAdd(e->b, a, b, ""), a, "");
    return emit_resize(e, out, emit_width(a), false);
}

/* a * b + c. To saturate, it is computed in twice the bits, which hold the largest sum, and then clamped. */
static LLVMValueRef mad(struct emit *e, bool is_signed, bool saturate, LLVMValueRef *a)
{
    unsigned bits = emit_width(a[0]);
    if (!saturate)
        return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, a[0], a[1], ""), a[2], "");
    LLVMValueRef sum =
        LLVMBuildAdd(e->b, product(e, is_signed, a[0], a[1]), emit_resize(e, a[2], 2 * bits, is_signed), "");
    return emit_int_to_int(e, true, is_signed, sum, is_signed, bits);
}

LLVMValueRef emit_int_any(struct emit *e, enum int_op op, bool is_signed, bool saturate, LLVMValueRef *args)
{
    LLVMValueRef a = args[0];
    switch (op) {
    case INT_NONE: return NULL;
    case INT_ABS: return emit_int_abs(e, a);
    case INT_NEG: return LLVMBuildNeg(e->b, a, "");
    case INT_NOT: return LLVMBuildNot(e->b, a, "");
    case INT_MAD: return mad(e, is_signed, saturate, args);
    case INT_MAD24: return LLVMBuildAdd(e->b, LLVMBuildMul(e->b, a, args[1], ""), args[2], "");
    case INT_MAD24HI: return LLVMBuildAdd(e->b, mul24hi(e, is_signed, a, args[1]), args[2], "");
    case INT_ADD:
    case INT_SUB:
    case INT_MUL:
        if (saturate)
            return emit_int_sat(e, op, is_signed, a, args[1]);
        break;
    case INT_MULHI:
    case INT_DIV:
    case INT_REM:
    case INT_MIN:
    case INT_MAX:
    case INT_SHL:
    case INT_SHR:
    case INT_CARRY:
    case INT_BORROW:
    case INT_MUL24:
    case INT_MUL24HI:
    case INT_AND:
    case INT_OR:
    case INT_XOR: break;
    }
    return emit_int_op(e, op, is_signed, a, args[1]);
}

LLVMValueRef emit_int_op(struct emit *e, enum int_op op, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    switch (op) {
    case INT_NONE:
    case INT_ABS:
    case INT_NEG:
    case INT_NOT:
    case INT_MAD:
    case INT_MAD24:
    case INT_MAD24HI: break; /* these do not take two arguments */
    case INT_CARRY: return carry(e, false, a, b);
    case INT_BORROW: return carry(e, true, a, b);
    case INT_MUL24: return LLVMBuildMul(e->b, a, b, "");
    case INT_MUL24HI: return mul24hi(e, is_signed, a, b);
    case INT_AND: return LLVMBuildAnd(e->b, a, b, "");
    case INT_OR: return emit_or(e, a, b);
    case INT_XOR: return LLVMBuildXor(e->b, a, b, "");
    case INT_ADD: return LLVMBuildAdd(e->b, a, b, "");
    case INT_SUB: return LLVMBuildSub(e->b, a, b, "");
    case INT_MUL: return LLVMBuildMul(e->b, a, b, "");
    case INT_MULHI: return mulhi(e, is_signed, a, b);
    case INT_DIV:
    case INT_REM: return emit_int_divide(e, op == INT_REM, is_signed, a, safe_divisor(e, is_signed, a, b));
    case INT_MIN: return emit_call2(e, is_signed ? "llvm.smin" : "llvm.umin", a, b);
    case INT_MAX: return emit_call2(e, is_signed ? "llvm.smax" : "llvm.umax", a, b);
    case INT_SHL: return LLVMBuildShl(e->b, a, emit_shift_count(e, b, emit_width(a)), "");
    case INT_SHR:
        b = emit_shift_count(e, b, emit_width(a));
        return is_signed ? LLVMBuildAShr(e->b, a, b, "") : LLVMBuildLShr(e->b, a, b, "");
    }
    return a;
}

LLVMValueRef emit_int_sat(struct emit *e, enum int_op op, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
    if (op == INT_ADD)
        return emit_call2(e, is_signed ? "llvm.sadd.sat" : "llvm.uadd.sat", a, b);
    if (op == INT_SUB)
        return emit_call2(e, is_signed ? "llvm.ssub.sat" : "llvm.usub.sat", a, b);
    return emit_int_to_int(e, true, is_signed, product(e, is_signed, a, b), is_signed, emit_width(a));
}

/* Works on words of 32 bits: LLVM 19 splits a wider `or` into words too late to fold the constant ones correctly
 * (doc/decisions/llvm-wide-or.md). */
LLVMValueRef emit_or(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    unsigned bits = emit_width(a), count = bits / 32;
    if (bits <= 32)
        return LLVMBuildOr(e->b, a, b, "");
    LLVMTypeRef words = LLVMVectorType(e->i32, count);
    LLVMValueRef x = LLVMBuildBitCast(e->b, a, words, ""), y = LLVMBuildBitCast(e->b, b, words, "");
    LLVMValueRef result = LLVMGetPoison(words);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef at = emit_int(e, 32, i);
        LLVMValueRef word =
            LLVMBuildOr(e->b, LLVMBuildExtractElement(e->b, x, at, ""), LLVMBuildExtractElement(e->b, y, at, ""), "");
        result = LLVMBuildInsertElement(e->b, result, word, at, "");
    }
    return LLVMBuildBitCast(e->b, result, LLVMTypeOf(a), "");
}

LLVMValueRef emit_int_abs(struct emit *e, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return emit_call(e, "llvm.abs", &type, 1, (LLVMValueRef[]){a, emit_int(e, 1, 0)}, 2);
}

LLVMValueRef emit_bitmask(struct emit *e, unsigned bits, LLVMValueRef offset, LLVMValueRef width)
{
    LLVMValueRef one = emit_int(e, bits, 1);
    LLVMValueRef field = LLVMBuildSub(e->b, LLVMBuildShl(e->b, one, emit_shift_count(e, width, bits), ""), one, "");
    return LLVMBuildShl(e->b, field, emit_shift_count(e, offset, bits), "");
}

LLVMValueRef emit_bitextract(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef offset, LLVMValueRef width)
{
    unsigned bits = emit_width(a);
    LLVMValueRef size = emit_int(e, bits, bits), zero = emit_int(e, bits, 0);
    LLVMValueRef w = emit_shift_count(e, width, bits);
    LLVMValueRef field = LLVMBuildLShr(e->b, a, emit_shift_count(e, offset, bits), "");
    /* Shifting the field up to the top and down again extends it. A width of 0 has nothing to extend, and its shift
     * would be by BITS. */
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, w, zero, "");
    LLVMValueRef up = emit_select(e, none, zero, LLVMBuildSub(e->b, size, w, ""));
    field = LLVMBuildShl(e->b, field, up, "");
    field = is_signed ? LLVMBuildAShr(e->b, field, up, "") : LLVMBuildLShr(e->b, field, up, "");
    return emit_select(e, none, zero, field);
}

LLVMValueRef emit_firstbit(struct emit *e, bool is_signed, LLVMValueRef a)
{
    unsigned bits = emit_width(a);
    if (is_signed) { /* in a negative number, the highest 0 counts */
        LLVMValueRef sign = LLVMBuildAShr(e->b, a, emit_int(e, bits, bits - 1), "");
        a = LLVMBuildXor(e->b, a, sign, "");
    }
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, a, emit_int(e, bits, 0), "");
    LLVMValueRef count = emit_call(e, "llvm.ctlz", &type, 1, (LLVMValueRef[]){a, emit_int(e, 1, 0)}, 2);
    return emit_select(e, none, emit_int(e, 32, UINT32_MAX), emit_resize(e, count, 32, false));
}

LLVMValueRef emit_lastbit(struct emit *e, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef none = LLVMBuildICmp(e->b, LLVMIntEQ, a, emit_int(e, emit_width(a), 0), "");
    LLVMValueRef count = emit_call(e, "llvm.cttz", &type, 1, (LLVMValueRef[]){a, emit_int(e, 1, 0)}, 2);
    return emit_select(e, none, emit_int(e, 32, UINT32_MAX), emit_resize(e, count, 32, false));
}
