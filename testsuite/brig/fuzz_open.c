/* SPDX-License-Identifier: MIT */
/* libFuzzer target: opens, walks and dumps arbitrary bytes. Seeds: testsuite/brig/data/wide.brig. */
#include "support/alloc.h"
#include "testsuite/brig/walk.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *own = mem_alloc(size); /* aligned, and of the size that a sanitizer can watch */
    bool good = true;
    if (!own)
        return 0;
    if (size)
        memcpy(own, data, size);
    walk_untrusted(own, size, &good);
    mem_free(own);
    if (!good)
        abort();
    return 0;
}
