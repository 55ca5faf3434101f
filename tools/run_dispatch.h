/* SPDX-License-Identifier: MIT */
/* Dispatching a kernel and waiting for it: the last step of hsailrun. */
#ifndef TOOLS_RUN_DISPATCH_H
#define TOOLS_RUN_DISPATCH_H

#include "hsa/hsa.h"
#include "tools/run_argument.h"
#include "tools/run_kernel.h"

struct run_dispatch {
    unsigned dimensions;    /* 1 to 3; 0 until a grid is given */
    uint32_t grid[3];       /* work-items */
    uint16_t group[3];      /* work-items of a work-group; 0 until they are given */
    uint32_t extra_group;   /* bytes of group memory on top of the kernel's own */
    uint32_t extra_private; /* the same of private memory */
    uint64_t repeat;        /* dispatches, one after the other */
    uint64_t timeout;       /* seconds for each, 0 for no limit */
    double best, total;     /* result: seconds of the fastest dispatch, and of all */
};

/* Opens the allocator for buffers that the AGENT's kernels can reach; *MEMORY's functions stay valid until
 * hsa_shut_down(). Prints what went wrong and returns false. */
bool run_memory_open(const struct cli_program *program, hsa_agent_t agent, struct run_memory *memory);

/* Runs the kernel with the COUNT arguments. Prints what went wrong and returns false. */
bool run_dispatch(const struct cli_program *program, hsa_agent_t agent, const struct run_kernel *kernel,
                  const struct run_argument *arguments, size_t count, struct run_dispatch *dispatch);

#endif
