/* SPDX-License-Identifier: MIT */
/* The kernel descriptor, to which HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT points (code object version 3 and later):
 * 64 bytes, aligned to 64, which a code object has in its read-only data under the symbol "<kernel>.kd". */
#ifndef HSA_AMD_HSA_KERNEL_CODE_H
#define HSA_AMD_HSA_KERNEL_CODE_H

#include <stdint.h>

/* Bits of amd_kernel_descriptor_t.kernel_code_properties: which registers the packet processor sets up. */
enum {
    AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER = 1 << 0,
    AMD_KERNEL_ENABLE_SGPR_DISPATCH_PTR = 1 << 1,
    AMD_KERNEL_ENABLE_SGPR_QUEUE_PTR = 1 << 2,
    AMD_KERNEL_ENABLE_SGPR_KERNARG_SEGMENT_PTR = 1 << 3,
    AMD_KERNEL_ENABLE_SGPR_DISPATCH_ID = 1 << 4,
    AMD_KERNEL_ENABLE_SGPR_FLAT_SCRATCH_INIT = 1 << 5,
    AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE = 1 << 6,
    AMD_KERNEL_ENABLE_WAVEFRONT_SIZE32 = 1 << 10,
    AMD_KERNEL_USES_DYNAMIC_STACK = 1 << 11
};

typedef struct __attribute__((aligned(64))) amd_kernel_descriptor_s {
    uint32_t group_segment_fixed_size;   /* bytes per work-group */
    uint32_t private_segment_fixed_size; /* bytes per work-item */
    uint32_t kernarg_size;               /* bytes */
    uint8_t reserved0[4];
    int64_t kernel_code_entry_byte_offset; /* from the descriptor to the code, which is aligned to 256 */
    uint8_t reserved1[20];
    uint32_t compute_pgm_rsrc3;
    uint32_t compute_pgm_rsrc1;
    uint32_t compute_pgm_rsrc2;
    uint16_t kernel_code_properties;
    uint16_t kernarg_preload;
    uint8_t reserved2[4];
} amd_kernel_descriptor_t;

#endif
