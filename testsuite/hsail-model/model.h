/* SPDX-License-Identifier: MIT */
/* The model: an interpreter of HSAIL, written from the manual, that says what programs should compute. It shares no
 * code with the finalizer, the runtime or the reader of BRIG. It runs a kernel of a module that has been validated, and
 * tells what memory holds afterwards, and which bits of it the manual leaves undefined.
 *
 * Work-items run in turn up to the next instruction at which they meet: a barrier, or one that uses the lanes of a
 * wavefront. If the lanes of a wavefront have stopped at different instructions of that kind, those in the innermost
 * call go first, then those at the earliest instruction. A program whose results depend on this order, or on the order
 * of atomic operations, has no defined result.
 *
 * The model has no images, samplers, signals, queues and exceptions, and runs single modules only. */
#ifndef TESTSUITE_HSAIL_MODEL_MODEL_H
#define TESTSUITE_HSAIL_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

enum model_status {
    MODEL_DONE,
    MODEL_UNSUPPORTED, /* an instruction that the model lacks, or too much of something */
    MODEL_OPEN,        /* control flow or an address depends on what is undefined */
    MODEL_FAULT,       /* memory that does not exist */
    MODEL_ENDLESS      /* too many steps, or every work-item waits */
};

struct model_dispatch {
    uint32_t grid[3], group[3]; /* work-items; 1 if a dimension is not used */
    unsigned dimensions;
    const void *kernarg;
    size_t kernarg_size;
};

/* A model of the module of SIZE bytes at BRIG, which must stay there; NULL when memory is out. */
struct model *model_open(const void *brig, size_t size);
void model_close(struct model *model);

/* Makes the payload of every NaN undefined, as it is in the base profile, even for a module of the full profile. */
void model_set_any_payload(struct model *model);

/* Gives kernels a copy of the SIZE bytes at ADDRESS, which they access by this address. */
bool model_map(struct model *model, const void *address, size_t size);

/* The copy of what was mapped at ADDRESS, and a mask of its undefined bits. */
const uint8_t *model_bytes(const struct model *model, const void *address);
const uint8_t *model_undefined(const struct model *model, const void *address);

/* Runs the kernel called NAME (with its '&'). */
enum model_status model_run(struct model *model, const char *name, const struct model_dispatch *dispatch);

/* Why the last run failed, in words. */
const char *model_reason(const struct model *model);

/* How often each opcode was executed, by hsa_brig_opcode_t below MODEL_OPCODES. */
enum { MODEL_OPCODES = 160 };
const uint64_t *model_counts(const struct model *model);

#endif
