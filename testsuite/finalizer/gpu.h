/* SPDX-License-Identifier: MIT */
/* Runs HSAIL text for tests of the finalizer: assembles, finalizes and loads it, and executes its kernels on the engine
 * of the software GPU, without the HSA runtime. */
#ifndef TESTSUITE_FINALIZER_GPU_H
#define TESTSUITE_FINALIZER_GPU_H

#include "runtime/gcn/wave.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* In the environment, GPU_TARGET names the processor, which is gfx900 by default. GPU_ALSO names further targets for
 * which every text must compile, too, each perhaps with options after a slash. */

/* Assembles, finalizes and loads TEXT; NULL, after printing the reason, if that fails. OPTIONS are those of
 * hsail_finalize(). */
struct gpu *gpu_open(const char *text, const char *options);
void gpu_close(struct gpu *gpu);

/* Dispatches the kernel called NAME (with its '&') over GRID work-items in groups of GROUP, one dimension,
 * with COUNT 64-bit kernel arguments. False, after printing the reason, if that fails or if the checkers that
 * HSA_GCN_CHECK names have found something. */
bool gpu_run(struct gpu *gpu, const char *name, uint32_t grid, uint16_t group, const uint64_t *arguments, size_t count);

/* What has stopped the last kernel that was run. */
const struct gcn_fault *gpu_fault(const struct gpu *gpu);

/* Sets the completion signal in the packets of the kernels; it is 0 at first. */
void gpu_set_completion(struct gpu *gpu, uint64_t signal);

/* Sets how many bytes of private memory the packets grant beyond what the kernel's descriptor asks for; 0 at first. */
void gpu_set_private(struct gpu *gpu, uint32_t bytes);

/* The descriptor of a kernel, 64 bytes; NULL, after printing a message, if there is no such kernel. */
const void *gpu_descriptor(const struct gpu *gpu, const char *name);

#endif
