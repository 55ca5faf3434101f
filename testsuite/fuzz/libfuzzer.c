/* SPDX-License-Identifier: MIT */
/* What libFuzzer calls, for the target that the build names in FUZZ_TARGET; FUZZ_MUTATE is its mutator. */
#include "testsuite/fuzz/mutate.h"
#include "testsuite/fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer's own */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ_TARGET(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return FUZZ_MUTATE(data, size, most, seed, LLVMFuzzerMutate);
}
