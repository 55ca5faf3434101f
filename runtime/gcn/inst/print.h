/* SPDX-License-Identifier: MIT */
/* Text form of decoded instructions: LLVM's assembler syntax. */
#ifndef RUNTIME_GCN_PRINT_H
#define RUNTIME_GCN_PRINT_H

#include "runtime/gcn/inst/gcn_target.h"

/**
 * Writes the text of INST, which is one of TARGET, to BUF of SIZE bytes, NUL-terminated and cut off where it does not
 * fit.
 *
 * Returns the length of the whole text without NUL. Branch distances are printed as the assembler takes
 * them, in dwords from the next instruction; gcn_branch_target() gives the address.
 */
size_t gcn_print(const struct gcn_target *target, const struct gcn_inst *inst, char *buf, size_t size);

#endif
