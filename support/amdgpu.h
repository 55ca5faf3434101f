/* SPDX-License-Identifier: MIT */
/* AMD's processors: look-up in the table amdgpu.def, and the one parser of target ids.
 *
 * Processors and generations are constant and live for ever. */
#ifndef SUPPORT_AMDGPU_H
#define SUPPORT_AMDGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* AMDGPU_GFX6, ...: one for each row of AMDGPU_GENERATION. */
enum amdgpu_generation_id {
#define AMDGPU_GENERATION(id, ...) AMDGPU_##id,
#include "support/amdgpu.def"
#undef AMDGPU_GENERATION
    AMDGPU_GENERATION_COUNT
};

/* What a group of processors has in common. */
struct amdgpu_generation {
    enum amdgpu_generation_id id;
    uint32_t wave;         /* lanes of a wave unless code asks for another size; HSAIL's WAVESIZE */
    uint32_t waves;        /* all sizes that waves can have, or-ed */
    uint32_t simd_waves;   /* how many waves a SIMD holds at once */
    uint32_t lds;          /* bytes of group memory that a work-group may have */
    uint32_t vgprs;        /* vector registers that a wave may have, including accumulation registers */
    uint32_t granule64;    /* unit in which the kernel descriptor counts them for waves of 64 lanes */
    uint32_t granule32;    /* the same for waves of 32; 0: there are no such waves */
    uint32_t sgprs;        /* scalar registers that a program can name */
    uint32_t sgpr_granule; /* unit in which the kernel descriptor counts them; 0: it does not */
    bool images;           /* its image instructions take the resources of support/image_gfx9.h */
};

struct amdgpu_processor {
    const char *name;
    const struct amdgpu_generation *generation;
    uint32_t mach, major, minor, stepping;
    bool xnack, sramecc; /* whether a target id may name the feature */
    uint8_t code_object; /* first version of the code object format that can hold its code */
    uint8_t llvm;        /* first release of LLVM that generates code for it, or 19 if release 19 does */
    uint16_t chip;       /* PCI device id that the software GPU reports; 0: it does not execute its code */
};

/* A target id: a processor, and for each feature '+' (on), '-' (off), or 0, if the code runs with both. */
struct amdgpu_target {
    const struct amdgpu_processor *processor;
    char xnack, sramecc;
};

/* What can be asked for: how many software GPUs, and the least memory of each in MiB. */
enum { SOFTWARE_GPUS_MAX = 16, SOFTWARE_GPU_MEMORY_MIN = 64 };

enum { AMDGPU_NAME_SIZE = 64 }; /* room for any name that amdgpu_target_name() makes */

/* The rows in the order of the table; *COUNT is their number. */
const struct amdgpu_processor *amdgpu_processors(size_t *count);

/* The processor of that name, number or version, or NULL if there is none. A version never means a generic one. */
const struct amdgpu_processor *amdgpu_by_name(const char *name, size_t length);
const struct amdgpu_processor *amdgpu_by_mach(uint32_t mach);
const struct amdgpu_processor *amdgpu_by_version(uint32_t major, uint32_t minor, uint32_t stepping);

/* Reads a target id of LENGTH bytes: "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", the same without the triple, or
 * "AMD:AMDGPU:9:0:10". Features may stand in any order, each once. False, with *TARGET undefined, for anything else,
 * for a processor that is not in the table, and for a feature that the processor does not have. */
bool amdgpu_target_parse(const char *name, size_t length, struct amdgpu_target *target);

/* Writes the canonical target id, with the triple, to NAME. */
void amdgpu_target_name(const struct amdgpu_target *target, char name[AMDGPU_NAME_SIZE]);

/* Whether code for CODE runs on AGENT: the processor is the same, and so is each feature that CODE sets. */
bool amdgpu_target_runs_on(const struct amdgpu_target *code, const struct amdgpu_target *agent);

#endif
