/* SPDX-License-Identifier: MIT */
/* The packet with which most tests dispatch a kernel. */
#ifndef TESTSUITE_DISPATCH_PACKET_H
#define TESTSUITE_DISPATCH_PACKET_H

#include "hsa/hsa.h"

/* A packet that dispatches GRID work-items of the kernel object KERNEL in groups of GROUP, in one dimension. */
__attribute__((unused)) static hsa_kernel_dispatch_packet_t dispatch_packet(uint64_t kernel, uint32_t group,
                                                                            uint32_t grid)
{
    return (hsa_kernel_dispatch_packet_t){
        .header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE,
        .setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS,
        .workgroup_size_x = (uint16_t)group,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
        .grid_size_x = grid,
        .grid_size_y = 1,
        .grid_size_z = 1,
        .kernel_object = kernel};
}

#endif
