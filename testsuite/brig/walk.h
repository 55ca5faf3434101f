/* SPDX-License-Identifier: MIT */
/* A consumer of modules that trusts brig_open(), for tests and fuzzers. */
#ifndef TESTSUITE_BRIG_WALK_H
#define TESTSUITE_BRIG_WALK_H

#include "brig/module.h"

/* Reads every field, list, string and instruction of an opened module; returns whether all are as module.h promises. */
bool walk_opened(const struct brig_view *view);

/* Opens, walks and dumps bytes of any content, aligned to 4; clears *GOOD if a promise is broken. */
enum brig_status walk_untrusted(const void *bytes, size_t size, bool *good);

#endif
