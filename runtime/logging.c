/* SPDX-License-Identifier: MIT */
/* What clients have written to a file of theirs while the runtime works. (ROCR documentation 4.9)
 *
 * Input: flags, and what copies do. Output: a line for each copy. Invariant: the client keeps the file open until it
 * names another one or the runtime ends. */
#include "runtime/logging.h"

#include "runtime/core.h"

#include <stdio.h>

static struct {
    pthread_mutex_t lock;
    _Atomic bool copies;
    FILE *file; /* NULL: standard error */
} logging = {.lock = PTHREAD_MUTEX_INITIALIZER};

HSA_API hsa_status_t hsa_amd_enable_logging(uint8_t *flags, void *file)
{
    CHECK_UP();
    CHECK_ARGUMENT(flags);
    pthread_mutex_lock(&logging.lock);
    atomic_store(&logging.copies, hsa_flag_isset64(flags, HSA_AMD_LOG_FLAG_BLIT_KERNEL_PKTS));
    logging.file = file;
    pthread_mutex_unlock(&logging.lock);
    return HSA_STATUS_SUCCESS;
}

void logging_copy(const void *destination, const void *source, size_t row, size_t rows, size_t slices)
{
    if (!atomic_load_explicit(&logging.copies, memory_order_relaxed))
        return;
    pthread_mutex_lock(&logging.lock);
    FILE *file = logging.file ? logging.file : stderr;
    if (atomic_load(&logging.copies)) {
        fprintf(file, "copy: to %p from %p, %zu bytes in %zu rows of %zu slices\n", destination, source, row, rows,
                slices);
        fflush(file);
    }
    pthread_mutex_unlock(&logging.lock);
}

void logging_shut_down(void)
{
    atomic_store(&logging.copies, false);
    logging.file = NULL;
}
