/* SPDX-License-Identifier: MIT */
/* Instruction set names, and what the finalizer must know of each set. */
#ifndef FINALIZER_TARGET_H
#define FINALIZER_TARGET_H

#include "support/amdgpu.h"

struct target {
    const char *cpu;   /* as LLVM calls it; static */
    char features[32]; /* LLVM feature string: "", "+xnack", "-xnack,+sramecc" ... */
    uint32_t wave;     /* work-items per wavefront */
};

/* Whether code can be generated for PROCESSOR. */
bool target_is_supported(const struct amdgpu_processor *processor);

/* Reads an instruction set name: "amdgcn-amd-amdhsa--gfx900:xnack-", "gfx900:xnack-" or "AMD:AMDGPU:9:0:0".
 * False when it names none that code can be generated for. */
bool target_parse(const char *name, struct target *target);

#endif
