// SPDX-License-Identifier: MIT
// Kernels of HIP for the checker of memory, which use buffer descriptors. The buffers of the test have 1,024 bytes.
//
// CASE right N: nothing is found with that N. CASE wrong N ID FACT: that is found, with this fact, at the line HERE.
// There is a group of 512 work-items.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __builtin_amdgcn_workitem_id_x()
#define RAW 0x27000
#define SWIZZLED (short)0x8000 /* each dword stands 32 bytes after the one before */

// CASE right 1024
// CASE right 512
// CASE right 4
// CASE wrong 1028 memory-global 0 bytes after the end of the 1024-byte buffer
// CASE wrong 2048 memory-global by work-item (256,0,0)
// CASE wrong 4294967295 memory-global by work-item (256,0,0)
KERNEL store(unsigned *out, unsigned *in, unsigned n)
{
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(out, 0, n, RAW);
    __builtin_amdgcn_raw_buffer_store_b32(in[ITEM & 255], buffer, 4 * ITEM, 0, 0); // HERE
}

// CASE right 1024
// CASE right 16
// CASE wrong 1040 memory-global by work-item (64,0,0)
KERNEL load_four(unsigned *out, unsigned *in, unsigned n)
{
    typedef unsigned four __attribute__((ext_vector_type(4)));
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(in, 0, n, RAW);
    four data = __builtin_amdgcn_raw_buffer_load_b128(buffer, 16 * ITEM, 0, 0); // HERE
    if (ITEM < 256)
        out[ITEM] = data.x + data.y + data.z + data.w;
}

// CASE right 4
// CASE right 128
// CASE wrong 132 memory-global by work-item (32,0,0)
// CASE wrong 256 memory-global 0 bytes after the end of the 1024-byte buffer
KERNEL swizzled(unsigned *out, unsigned *in, unsigned n)
{
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(in, SWIZZLED, n, RAW);
    unsigned data = __builtin_amdgcn_raw_buffer_load_b32(buffer, 4 * ITEM, 0, 0); // HERE
    if (ITEM < 256)
        out[ITEM] = data;
}
