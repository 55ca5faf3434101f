/* SPDX-License-Identifier: MIT */
/* The exceptions of floating-point operations: exact arithmetic on numbers of any format, and the micro-operation that
 * accounts for them. Numbers are unpacked into an integer and an exponent, so nothing depends on the host's modes. */
#ifndef RUNTIME_GCN_EXACT_H
#define RUNTIME_GCN_EXACT_H

#include "runtime/gcn/exec/exec.h"

#include <stdbool.h>

/* The bits of TRAPSTS, and from GCN_MODE_EXCP_EN on those of MODE. */
enum {
    EXACT_INVALID = 1 << 0,
    EXACT_DENORMAL = 1 << 1, /* a source is denormal, and is not taken for 0 */
    EXACT_DIVISION = 1 << 2,
    EXACT_OVERFLOW = 1 << 3,
    EXACT_UNDERFLOW = 1 << 4,
    EXACT_INEXACT = 1 << 5,
    EXACT_INT_DIVISION = 1 << 6,
    EXACT_ALL = 0x7f,
};

enum exact_class { EXACT_ZERO, EXACT_FINITE, EXACT_INFINITE, EXACT_NAN };

/* A finite number is MANTISSA * 2^EXPONENT; its lowest bit is also set for bits that are lost below. */
struct exact_number {
    enum exact_class class;
    bool negative, signaling, denormal;
    int32_t exponent;
    unsigned __int128 mantissa;
};

struct exact_format {
    int precision, least, most; /* bits of the significand; exponents of the smallest normal and the largest number */
};

/* The format with BITS bits: 16, 32 or 64. */
const struct exact_format *exact_format_of(unsigned bits);

struct exact_number exact_unpack(uint64_t bits, const struct exact_format *format);
struct exact_number exact_integer(int64_t value);

/* Exact results of finite numbers and zeros; what is lost of a sum sets its lowest bit, far below any rounding. */
struct exact_number exact_sum(struct exact_number a, struct exact_number b);
struct exact_number exact_product(struct exact_number a, struct exact_number b);

/* Rounds X to FORMAT in a rounding mode of MODE, and adds to *FLAGS what exceptions that raises. FLUSH: denormal
 * results become 0. Tininess is detected after rounding. */
struct exact_number exact_round(struct exact_number x, const struct exact_format *format, unsigned rounding, bool flush,
                                uint32_t *flags);

/* The largest integer that is not above X, and whether X is one; X is finite or 0. */
struct exact_number exact_floor(struct exact_number x, bool *integral);

/* What the host tells of all lanes at once: the exceptions that the lanes of MASK raise in an operation on floats, or
 * on doubles. False if the host cannot tell. */
enum exact_quick { EXACT_QUICK_ADD, EXACT_QUICK_SUB, EXACT_QUICK_MUL, EXACT_QUICK_FMA };
struct exact_quick_mode {
    unsigned rounding;
    bool flush_in, flush_out, wide;
};
bool exact_quick(enum exact_quick operation, const struct exact_quick_mode *mode, const uint32_t *const lines[3],
                 const uint32_t *mask, uint32_t *flags);

/* What numbers there are in the lanes of MASK of a line of floats or doubles. */
enum { EXACT_SCAN_SIGNALING = 1, EXACT_SCAN_QUIET = 2, EXACT_SCAN_DENORMAL = 4 };
unsigned exact_scan(const uint32_t *line, bool wide, const uint32_t *mask);

/* Accounts for the exceptions of the operation IMM, whose operands are lines, in TRAPSTS; raises a fault if one of them
 * is enabled. Its aux is GCN_EXACT_SIGNALS if quiet NaNs are invalid, and for v_div_fmas where the lane mask is << 16.
 */
gcn_handler gcn_exact_account;
enum { GCN_EXACT_SIGNALS = 1 };

/* Whether the operation ID can raise exceptions. */
bool gcn_exact_knows(unsigned id);

#endif
