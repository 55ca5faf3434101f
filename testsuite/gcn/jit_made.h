/* SPDX-License-Identifier: MIT */
/* Programs that are made for one part of the compiler each. */
#ifndef TESTSUITE_GCN_JIT_MADE_H
#define TESTSUITE_GCN_JIT_MADE_H

#include "runtime/gcn/engine.h"

#include <stdbool.h>

/* How many kinds of these there are. */
extern const unsigned made_kinds;

/* Compares about PROGRAMS of a kind, compiled for ENGINE, with the interpreter, and prints what differs. *WHAT says
 * what they are. */
bool made_compare(const struct gcn_engine *engine, unsigned kind, unsigned programs, const char **what);

#endif
