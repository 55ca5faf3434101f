/* SPDX-License-Identifier: MIT */
/* Names of instruction sets, and what the finalizer must know of each. */
#ifndef FINALIZER_TARGET_H
#define FINALIZER_TARGET_H

#include "support/amdgpu.h"

struct target {
    const struct amdgpu_processor *processor;
    const char *cpu;      /* LLVM's name of the processor; a constant */
    char features[64];    /* LLVM feature string: "", "+xnack", "-xnack,+sramecc" ... */
    uint32_t wave;        /* work-items per wavefront */
    uint32_t code_object; /* version of the code object's format */
};

/* Whether code can be generated for PROCESSOR. */
bool target_is_supported(const struct amdgpu_processor *processor);

/* Reads an instruction set name: "amdgcn-amd-amdhsa--gfx900:xnack-", "gfx900:xnack-" or "AMD:AMDGPU:9:0:0".
 * False if there is no such instruction set, or no code can be generated for it. */
bool target_parse(const char *name, struct target *target);

/* Chooses the size of waves and the version of code objects; 0 leaves what it is. False where the processor lacks it.
 */
bool target_set_wave(struct target *target, uint32_t wave);
bool target_set_code_object(struct target *target, uint32_t version);

static inline enum amdgpu_generation_id target_generation(const struct target *target)
{
    return target->processor->generation->id;
}

#endif
