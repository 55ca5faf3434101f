// SPDX-License-Identifier: MIT
// Kernels that read from the place that their first argument names. k: work-item N reads the N-th dword at an address;
// s: a scalar load from the address; i: the texel (N, 0) of an image; b: a raw buffer of 256 bytes. All of them store
// what they have read to the address in the second argument.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_dwordx4 s[0:3], s[4:5], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[0:1]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v2, s[2:3]
    s_endpgm
    .globl s
    .p2align 8
    .type s,@function
s:
    s_load_dwordx4 s[0:3], s[4:5], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_load_dword s6, s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v2, s6
    global_store_dword v1, v2, s[2:3]
    s_endpgm
    .globl i
    .p2align 8
    .type i,@function
i:
    s_load_dwordx4 s[0:3], s[4:5], 0x0
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v4, v0
    v_mov_b32 v5, 0
    s_waitcnt lgkmcnt(0)
    s_load_dwordx8 s[8:15], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    image_load v2, v[4:5], s[8:15] dmask:0x1 unorm
    s_waitcnt vmcnt(0)
    global_store_dword v1, v2, s[2:3]
    s_endpgm
    .globl b
    .p2align 8
    .type b,@function
b:
    s_load_dwordx4 s[0:3], s[4:5], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_mov_b32 s14, 0x100
    s_mov_b32 s15, 0x27000
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s12, s0
    s_and_b32 s13, s1, 0xffff
    s_buffer_load_dword s6, s[12:15], 0x0
    buffer_load_format_x v2, v1, s[12:15], 0 offen
    s_waitcnt vmcnt(0) lgkmcnt(0)
    global_store_dword v1, v2, s[2:3]
    s_endpgm
    .rodata
    .p2align 6
    .macro kernel name
    .amdhsa_kernel \name
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_private_segment_buffer 1
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .endm
    kernel k
    kernel s
    kernel i
    kernel b
    .amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
  - .name: s
    .symbol: s.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
  - .name: i
    .symbol: i.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
  - .name: b
    .symbol: b.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .end_amdgpu_metadata
