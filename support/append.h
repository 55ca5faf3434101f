/* SPDX-License-Identifier: MIT */
/* Appending to files that several processes write. */
#ifndef SUPPORT_APPEND_H
#define SUPPORT_APPEND_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the file NAME for append_to(), and creates it if it is missing; -1 with errno: impossible. */
int append_open(const char *name);

/* Appends DATA to FILE, which may also be a terminal or a pipe. What other processes append with this function at the
 * same time comes before or after it, not in between. False with errno: something is missing; EBUSY, another process
 * has held the lock of the file for MILLISECONDS, or for half a minute. */
bool append_to(int file, const void *data, size_t size);
bool append_within(int file, const void *data, size_t size, unsigned milliseconds);

/* What the value of errno means after one of these has failed. */
const char *append_failure(int error);

#endif
