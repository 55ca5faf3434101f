/* SPDX-License-Identifier: MIT */
/* What libFuzzer calls. The first argument of the program names the target; the others are libFuzzer's. */
#include "testsuite/fuzz/mutate.h"
#include "testsuite/fuzz/fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer's own */

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    for (int i = 0; i < FUZZ_TARGETS && *count > 1 && !target; i++)
        if (!strcmp((*arguments)[1], fuzz_targets[i].name))
            target = &fuzz_targets[i];
    if (!target) {
        fputs("usage: fuzz TARGET [libFuzzer's arguments]\n", stderr);
        exit(2);
    }
    (*arguments)[1] = (*arguments)[0]; /* the name is no argument of libFuzzer */
    --*count;
    ++*arguments;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target->run(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return (target->text ? mutate_text : mutate_brig)(data, size, most, seed, LLVMFuzzerMutate);
}
