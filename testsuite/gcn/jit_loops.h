/* SPDX-License-Identifier: MIT */
/* Random loops that diverge. */
#ifndef TESTSUITE_GCN_JIT_LOOPS_H
#define TESTSUITE_GCN_JIT_LOOPS_H

#include "runtime/gcn/engine.h"

#include <stdbool.h>

/* Compares LOOPS of them, compiled for ENGINE, with the interpreter, and prints what differs. */
bool loops_compare(const struct gcn_engine *engine, unsigned loops);

#endif
