/* SPDX-License-Identifier: MIT */
/* Short forms for tests that make modules with a builder, which they call B. */
#ifndef TESTSUITE_FRONTEND_TEST_EMIT_H
#define TESTSUITE_FRONTEND_TEST_EMIT_H

#include "hsail/builder.h"

/* An instruction with its operands, at least one. */
#define EMIT(mnemonic, ...)                                                                      \
    do {                                                                                         \
        const hsail_operand_t operands_[] = {__VA_ARGS__};                                       \
        hsail_builder_instruction(b, mnemonic, operands_, sizeof operands_ / sizeof *operands_); \
    } while (0)

#define S(n) hsail_register('s', n)
#define D(n) hsail_register('d', n)

#endif
