/* SPDX-License-Identifier: MIT */
/* Mutators that know the form of what they change: BRIG modules and HSAIL texts. The same input and seed give the same
 * result.
 *
 * The function BYTES is libFuzzer's, or mutate_bytes(): it changes the SIZE bytes at DATA, a block of MOST bytes,
 * without knowing what they are. It and both mutators return the new size, at most MOST. */
#ifndef TESTSUITE_FUZZ_MUTATE_H
#define TESTSUITE_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

typedef size_t mutate_bytes_fn(uint8_t *data, size_t size, size_t most);

size_t mutate_brig(uint8_t *data, size_t size, size_t most, uint64_t seed, mutate_bytes_fn *bytes);
size_t mutate_text(uint8_t *data, size_t size, size_t most, uint64_t seed, mutate_bytes_fn *bytes);

#endif
