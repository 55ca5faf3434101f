/* SPDX-License-Identifier: MIT */
/* The project's oracle: an interpreter of HSAIL written from the manual, which shares no code with the finalizer, the
 * runtime or the reader of BRIG. It runs a kernel of a module that has been validated and tells what memory holds
 * afterwards, and which bits of it the manual leaves open.
 *
 * Work-items run in turn up to the next instruction at which they meet: a barrier, or one that looks at the lanes of
 * a wavefront. Of the lanes of a wavefront that stopped at different instructions of that kind, those in the innermost
 * call go first, then those at the earliest instruction; a program in which another order makes a difference has no
 * defined result. The same holds of the order of atomics.
 *
 * Not there: images, samplers, signals, queues, exceptions, several modules. */
#ifndef TESTSUITE_HSAIL_MODEL_MODEL_H
#define TESTSUITE_HSAIL_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

enum model_status {
    MODEL_DONE,
    MODEL_UNSUPPORTED, /* an instruction that is not there, or too much of something */
    MODEL_OPEN,        /* control flow or an address depends on what is undefined */
    MODEL_FAULT,       /* memory that does not exist */
    MODEL_ENDLESS      /* too many steps, or every work-item waits */
};

struct model_dispatch {
    uint32_t grid[3], group[3]; /* work-items; 1 where a dimension is not used */
    unsigned dimensions;
    const void *kernarg;
    size_t kernarg_size;
};

/* A model of the module of SIZE bytes at BRIG, which stay there; NULL without memory. */
struct model *model_open(const void *brig, size_t size);
void model_close(struct model *model);

/* Leaves the payload of every NaN open, as the base profile does, though the module may be of the full one. */
void model_set_any_payload(struct model *model);

/* Gives kernels a copy of the SIZE bytes at ADDRESS, under that address. */
bool model_map(struct model *model, const void *address, size_t size);

/* The copy of what was mapped at ADDRESS, and a mask of its undefined bits. */
const uint8_t *model_bytes(const struct model *model, const void *address);
const uint8_t *model_undefined(const struct model *model, const void *address);

/* Runs the kernel called NAME (with its '&'). */
enum model_status model_run(struct model *model, const char *name, const struct model_dispatch *dispatch);

/* Why the last run did not end well, in words. */
const char *model_reason(const struct model *model);

/* How often each opcode was executed, by hsa_brig_opcode_t below MODEL_OPCODES. */
enum { MODEL_OPCODES = 160 };
const uint64_t *model_counts(const struct model *model);

#endif
