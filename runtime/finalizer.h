/* SPDX-License-Identifier: MIT */
/* The finalizer, a library of its own that is loaded when it is first used. */
#ifndef RUNTIME_FINALIZER_H
#define RUNTIME_FINALIZER_H

#include "hsa/hsa_ext_finalize.h"

/* Whether the library can be found; does not load it. */
bool finalizer_usable(void);

/* The public functions, as a hsa_ext_finalizer_1_00_pfn_t. */
const void *finalizer_table(void);

void finalizer_shut_down(void);

#endif
