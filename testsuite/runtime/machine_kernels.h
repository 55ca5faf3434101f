/* SPDX-License-Identifier: MIT */
/* Kernels for gfx900, written as machine code, so that tests of queues need neither finalizer nor LLVM. */
#ifndef TESTSUITE_RUNTIME_MACHINE_KERNELS_H
#define TESTSUITE_RUNTIME_MACHINE_KERNELS_H

#include "hsa/hsa.h"

enum machine_kernel {
    MACHINE_ADD,   /* adds 1 to the 64-bit number at the kernarg address */
    MACHINE_STORE, /* stores 42 to the signal whose structure the kernarg address is, then interrupts with its event */
    MACHINE_EMPTY, /* ends */
    MACHINE_SPIN,  /* never ends */
    MACHINE_UNIT,  /* sets the bit of its compute unit in the dword at the kernarg address */
    /* These kernels use three dwords at the kernarg address, and resource 5 of global wave sync. */
    MACHINE_GWS_INIT, /* sets the counter of the resource to the first dword */
    MACHINE_GWS_MEET, /* each group adds 1 to the second dword, meets all others, adds the second dword to the third and
                         meets all again; the first dword is the number of groups less 1 */
    MACHINE_GWS_SEMAPHORE, /* each group except the first waits at the semaphore, then adds 1 to the second dword. The
                              first group adds 3 to the semaphore, waits until the second dword is 3, and then releases
                              all until the second dword equals the first */
    MACHINE_FILL, /* in groups of 64: stores the second 64-bit number at the kernarg address to the address that the
                     first one is, and to those after it, 8 bytes by each work-item */
    MACHINE_KERNELS
};

/* Loads the kernels for AGENT, and sets OBJECTS to the values for the field kernel_object of dispatch packets. Returns
 * the executable, with handle 0 if a step failed. */
hsa_executable_t machine_load(hsa_agent_t agent, uint64_t objects[MACHINE_KERNELS]);

#endif
