/* SPDX-License-Identifier: MIT */
/* What clients have written to a file of theirs while the runtime works. */
#ifndef RUNTIME_LOGGING_H
#define RUNTIME_LOGGING_H

#include <stddef.h>

/* Logs that SLICES times ROWS rows of ROW bytes are copied, if the client wants to know. */
void logging_copy(const void *destination, const void *source, size_t row, size_t rows, size_t slices);

/* Forgets the client's file. */
void logging_shut_down(void);

#endif
