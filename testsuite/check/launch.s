// Three kernels that do nothing. One requires groups of 16x4x1 and memory of each kind; one accepts any launch; the
// arguments of one are aligned like those of most kernels.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_endpgm
    .globl m
    .p2align 8
    .type m,@function
m:
    s_endpgm
    .globl p
    .p2align 8
    .type p,@function
p:
    s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_kernarg_size 24
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_private_segment_fixed_size 48
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel
    .amdhsa_kernel m
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel
    .amdhsa_kernel p
        .amdhsa_kernarg_size 24
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel
    .amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 64
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 48
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [16, 4, 1]
  - .name: m
    .symbol: m.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 4
    .max_flat_workgroup_size: 192
  - .name: p
    .symbol: p.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .end_amdgpu_metadata
