/* SPDX-License-Identifier: MIT */
/* Memory that comes from other processes and files, and attributes of address ranges. */
#ifndef RUNTIME_SHARE_H
#define RUNTIME_SHARE_H

#include "runtime/core.h"

/* Unmaps what clients have mapped and left, and ends the sharing of their allocations. */
void shares_shut_down(void);

/* svm.c: all ranges have their default attributes again. */
void svm_shut_down(void);

#endif
