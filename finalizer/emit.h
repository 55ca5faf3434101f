/* SPDX-License-Identifier: MIT */
/* Building blocks of the lowering: functions that build LLVM instructions with the meaning of HSAIL's and know nothing
 * of BRIG.
 *
 * Where HSAIL leaves only a result undefined, but LLVM would leave the behaviour of the whole program undefined, these
 * functions build the guard against that. A value of a packed type is an integer of the whole size; floating point
 * values are LLVM's half, float and double. */
#ifndef FINALIZER_EMIT_H
#define FINALIZER_EMIT_H

#include "finalizer/llvm.h"
#include "finalizer/type.h"
#include "support/vec.h"

/* Address spaces of AMDGPU. */
enum space { SPACE_FLAT = 0, SPACE_GLOBAL = 1, SPACE_GROUP = 3, SPACE_CONSTANT = 4, SPACE_PRIVATE = 5, SPACE_COUNT };

/* Rounding as the MODE register encodes it. */
enum fp_round { FP_NEAR, FP_UP, FP_DOWN, FP_ZERO };

struct fp_env {
    enum fp_round round;
    bool ftz; /* subnormal sources and results become zero */
};

/* An atomic instruction to be cloned, and the module that owns it. */
struct emit_template {
    uint64_t key;
    LLVMValueRef inst;
    LLVMModuleRef module;
};

struct emit {
    struct llvm_session *session;
    const struct target *target;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i8, i16, i32, i64, i128, f16, f32, f64, void_;
    LLVMTypeRef ptr[SPACE_COUNT];
    unsigned exceptions; /* EMIT_INVALID, ...: those that count in this function (emit_exception.c); 0: none */
    unsigned breaks;     /* those of them that stop the kernel */
    VEC(struct emit_template) templates;
};

void emit_open(struct emit *e, struct llvm_session *session, const struct target *target);
void emit_close(struct emit *e);

/* ---- emit.c: types, constants, intrinsics ---- */
LLVMTypeRef emit_int_type(struct emit *e, unsigned bits);
LLVMTypeRef emit_type(struct emit *e, unsigned type); /* the type of values of TYPE, which is no array type of BRIG */
LLVMTypeRef emit_float_type(struct emit *e, unsigned bits);
LLVMValueRef emit_int(struct emit *e, unsigned bits, uint64_t value);
LLVMValueRef emit_sign_mask(struct emit *e, unsigned bits);                   /* an integer of BITS, at most 64 */
LLVMValueRef emit_bits(struct emit *e, LLVMValueRef value, LLVMTypeRef type); /* the same bits, as TYPE */
LLVMValueRef emit_as_int(struct emit *e, LLVMValueRef value);
LLVMValueRef emit_as_float(struct emit *e, LLVMValueRef value); /* the number that the bits of an integer encode */
unsigned emit_mantissa(unsigned bits);           /* bits of the mantissa of a floating point number of BITS */
bool emit_is_nan(uint64_t value, unsigned bits); /* whether VALUE is a NaN in that format */
LLVMValueRef emit_resize(struct emit *e, LLVMValueRef value, unsigned bits, bool is_signed);
LLVMValueRef emit_upper_half(struct emit *e, LLVMValueRef value); /* of an integer, in half of its bits */
unsigned emit_width(LLVMValueRef value);       /* how many bits an integer or floating point value has */
unsigned emit_element_width(LLVMTypeRef type); /* how many bits a number of TYPE, or each of its elements, has */
bool emit_is_vector(LLVMTypeRef type);
bool emit_is_float(LLVMTypeRef type); /* of one floating point number */
LLVMValueRef emit_select(struct emit *e, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no);
/* Whether INST calls a function whose name begins with PREFIX. */
bool emit_is_call_of(LLVMValueRef inst, const char *prefix);
/* Has USER use AFTER wherever it uses BEFORE. */
void emit_exchange(LLVMValueRef user, LLVMValueRef before, LLVMValueRef after);
LLVMValueRef emit_freeze(struct emit *e, LLVMValueRef value);

/* Calls an intrinsic; OVERLOADS are the types that its name ends with. */
LLVMValueRef emit_call(struct emit *e, const char *name, LLVMTypeRef *overloads, unsigned overload_count,
                       LLVMValueRef *args, unsigned arg_count);
LLVMValueRef emit_call0(struct emit *e, const char *name);                                 /* f() */
LLVMValueRef emit_call1(struct emit *e, const char *name, LLVMValueRef a);                 /* f.T(a) */
LLVMValueRef emit_call2(struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b); /* f.T(a, b) */
LLVMValueRef emit_asm(struct emit *e, const char *text, const char *constraints, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count, bool side_effects);
/* Tells LLVM that the number that CALL returns is less than LIMIT. */
void emit_below(struct emit *e, LLVMValueRef call, uint64_t limit);

/* The same value, of 16, 32 or 64 bits, but LLVM can no longer tell where it comes from. */
LLVMValueRef emit_opaque(struct emit *e, LLVMValueRef value);
/* Makes a block after the current one; the builder stays where it is. */
LLVMBasicBlockRef emit_block(struct emit *e, const char *name);

/* ---- emit_int.c: integer arithmetic on values of equal width ---- */
enum int_op {
    INT_NONE, /* the operation does not exist on integers */
    INT_ADD,
    INT_SUB,
    INT_MUL,
    INT_MULHI,
    INT_DIV,
    INT_REM,
    INT_MIN,
    INT_MAX,
    INT_SHL,
    INT_SHR,
    INT_ABS,
    INT_NEG,
    INT_CARRY,
    INT_BORROW,
    INT_MAD,
    INT_MUL24,
    INT_MAD24,
    INT_MUL24HI,
    INT_MAD24HI,
    INT_AND,
    INT_OR,
    INT_XOR,
    INT_NOT
};
/* Builds operation OP on its ARGS; NULL for INT_NONE. SATURATE is for add, sub, mul and mad only. */
LLVMValueRef emit_int_any(struct emit *e, enum int_op op, bool is_signed, bool saturate, LLVMValueRef *args);
/* The same for an operation with two arguments. */
LLVMValueRef emit_int_op(struct emit *e, enum int_op op, bool is_signed, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_int_sat(struct emit *e, enum int_op op, bool is_signed, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_int_abs(struct emit *e, LLVMValueRef a);
LLVMValueRef emit_or(struct emit *e, LLVMValueRef a, LLVMValueRef b);
/* ---- emit_div.c ---- */
/* Quotient or remainder; B is not 0, and not -1 where A is the smallest number. */
LLVMValueRef emit_int_divide(struct emit *e, bool remainder, bool is_signed, LLVMValueRef a, LLVMValueRef b);
/* Bits [offset, offset + width) of A, sign or zero extended; OFFSET, WIDTH are i32. */
LLVMValueRef emit_bitextract(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef offset, LLVMValueRef width);
LLVMValueRef emit_bitmask(struct emit *e, unsigned bits, LLVMValueRef offset, LLVMValueRef width);
LLVMValueRef emit_shift_count(struct emit *e, LLVMValueRef count, unsigned bits); /* masked, BITS wide */
/* The position, counted from the top, of the highest bit that differs from the sign (or from 0); all ones if there is
 * no such bit. */
LLVMValueRef emit_firstbit(struct emit *e, bool is_signed, LLVMValueRef a);
LLVMValueRef emit_lastbit(struct emit *e, LLVMValueRef a);

/* ---- emit_fp.c: floating point; every operand has the type of the result ---- */
enum fp_op {
    FP_NONE, /* the operation does not exist on floating point numbers */
    FP_ABS,  /* the first three change the sign bit only */
    FP_NEG,
    FP_COPYSIGN,
    FP_ADD,
    FP_SUB,
    FP_MUL,
    FP_DIV,
    FP_MIN,
    FP_MAX,
    FP_FMA,
    FP_MAD,
    FP_SQRT,
    FP_FRACT,
    FP_CEIL,
    FP_FLOOR,
    FP_RINT,
    FP_TRUNC
};
/* Builds operation OP on its ARGS; NULL for FP_NONE, and if its exceptions count and the machine raises none. */
LLVMValueRef emit_fp_op(struct emit *e, enum fp_op op, struct fp_env env, LLVMValueRef *args);
LLVMValueRef emit_flush(struct emit *e, LLVMValueRef value);
/* VALUE, the result of an operation, with a signaling NaN made quiet. LLVM may replace an operation by one of its
 * operands (x * 1.0 by x, a conversion there and back), which makes none quiet. It removes this where the operation
 * stays. */
LLVMValueRef emit_quieted(struct emit *e, LLVMValueRef value);
LLVMValueRef emit_flush_result(struct emit *e, LLVMValueRef value); /* which underflows if it is subnormal */
LLVMValueRef emit_fp_abs(struct emit *e, LLVMValueRef a);
LLVMValueRef emit_fp_neg(struct emit *e, LLVMValueRef a);
LLVMValueRef emit_copysign(struct emit *e, LLVMValueRef magnitude, LLVMValueRef sign);
LLVMValueRef emit_class(struct emit *e, LLVMValueRef value, LLVMValueRef mask);
LLVMValueRef emit_is_class(struct emit *e, LLVMValueRef value, unsigned mask);
/* Builds one machine instruction that executes under a rounding mode. In TEXT, $0 is the result; $1, $2 and so on are
 * the arguments. */
LLVMValueRef emit_rounded(struct emit *e, enum fp_round round, const char *text, LLVMTypeRef result, LLVMValueRef *args,
                          unsigned count);
LLVMValueRef emit_sqrt(struct emit *e, enum fp_round round, LLVMValueRef a);
LLVMValueRef emit_div(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b);

/* The steps of a division and a root of finite doubles that are not 0: the quotient of the mantissas, adjusted for
 * ROUND, and its residual; what makes that the quotient; the residual of the root of a mantissa. A residual is 0
 * exactly where the result is exact. */
LLVMValueRef emit_mantissa_quotient(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b,
                                    LLVMValueRef *residual);
LLVMValueRef emit_scaled_quotient(struct emit *e, enum fp_round round, LLVMValueRef q, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_root_residual(struct emit *e, LLVMValueRef a);

/* ---- emit_exception.c: floating point whose exceptions count ---- */
/* The exceptions as the machine's registers number them. */
enum { EMIT_INVALID = 1, EMIT_DIVISION = 4, EMIT_OVERFLOW = 8, EMIT_UNDERFLOW = 16, EMIT_INEXACT = 32 };
/* Classes of numbers as v_cmp_class numbers them. */
enum {
    EMIT_CLASS_SNAN = 0x001,
    EMIT_CLASS_NAN = 0x003,
    EMIT_CLASS_ZERO = 0x060,
    EMIT_CLASS_SUBNORMAL = 0x090,
    EMIT_CLASS_INFINITE = 0x204
};
unsigned emit_exception_register(const struct emit *e); /* that has the flags in its lowest bits */
unsigned emit_exception_bits(unsigned hsail);           /* the machine's bits for those of HSAIL */
/* Between begin and end, exceptions do not count. Sources must be taken through emit_quiet_source(), and one or two
 * results go through the end; without exceptions that count, all of it does nothing. */
LLVMValueRef emit_quiet_begin(struct emit *e);
LLVMValueRef emit_quiet_source(struct emit *e, LLVMValueRef token, LLVMValueRef value);
void emit_quiet_end(struct emit *e, LLVMValueRef token, LLVMValueRef *values, unsigned count);
/* Raises an exception where CONDITION is true, if it counts; underflow is inexact, too. */
void emit_raise(struct emit *e, unsigned exception, LLVMValueRef condition);
LLVMValueRef emit_exact_div(struct emit *e, enum fp_round round, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_exact_sqrt(struct emit *e, enum fp_round round, LLVMValueRef a);
LLVMValueRef emit_exact_fract(struct emit *e, enum fp_round round,
                              LLVMValueRef a); /* not corrected for large results */
/* Any comparison of floating point numbers; SIGNALS: quiet NaNs are invalid. */
LLVMValueRef emit_compare(struct emit *e, LLVMRealPredicate predicate, bool signals, LLVMValueRef a, LLVMValueRef b);
/* An integer type to convert to; SIGNALS: what is not integral is inexact. */
struct int_limits {
    unsigned bits;
    bool is_signed, saturates, signals;
};
LLVMValueRef emit_exact_to_int(struct emit *e, struct fp_env env, struct int_limits to, LLVMValueRef a);
/* To another type of floating point, rounded to nearest; nothing that it raises counts. */
LLVMValueRef emit_quiet_to_fp(struct emit *e, LLVMValueRef a, LLVMTypeRef to);

/* ---- emit_half.c: half precision on processors without instructions for it ---- */
static inline bool emit_has_half(const struct emit *e)
{
    return target_generation(e->target) >= AMDGPU_GFX8;
}
/* Addition, subtraction, multiplication, fma, minimum or maximum; the other operations LLVM does itself. */
LLVMValueRef emit_half_op(struct emit *e, enum fp_op op, enum fp_round round, LLVMValueRef *args);
LLVMValueRef emit_half_class(struct emit *e, LLVMValueRef value, LLVMValueRef mask);
/* The number nearest to an exact value, and an error with the sign of (exact - nearest), made the number next to that
 * value in the direction ROUND. */
LLVMValueRef emit_adjust(struct emit *e, enum fp_round round, LLVMValueRef nearest, LLVMValueRef error);

/* ---- emit_cvt.c: conversions ---- */
LLVMValueRef emit_fp_to_fp(struct emit *e, struct fp_env env, LLVMValueRef a, LLVMTypeRef to);
LLVMValueRef emit_int_to_fp(struct emit *e, enum fp_round round, bool is_signed, LLVMValueRef a, LLVMTypeRef to);
LLVMValueRef emit_fp_to_int(struct emit *e, struct fp_env env, bool saturate, bool is_signed, LLVMValueRef a,
                            unsigned bits);
LLVMValueRef emit_int_to_int(struct emit *e, bool saturate, bool from_signed, LLVMValueRef a, bool to_signed,
                             unsigned bits);

/* ---- emit_atomic.c: memory operations that synchronize ---- */
struct atomic_place {
    enum space space;
    unsigned order; /* HSA_BRIG_MEMORY_ORDER_ */
    unsigned scope; /* HSA_BRIG_MEMORY_SCOPE_ */
};
LLVMValueRef emit_atomic_load(struct emit *e, struct atomic_place place, LLVMValueRef pointer, unsigned bits);
void emit_atomic_store(struct emit *e, struct atomic_place place, LLVMValueRef pointer, LLVMValueRef value);
LLVMValueRef emit_atomic_rmw(struct emit *e, struct atomic_place place, const char *op, LLVMValueRef pointer,
                             LLVMValueRef value);
LLVMValueRef emit_atomic_cas(struct emit *e, struct atomic_place place, LLVMValueRef pointer, LLVMValueRef expected,
                             LLVMValueRef desired);
void emit_fence(struct emit *e, unsigned order, unsigned scope);

#endif
