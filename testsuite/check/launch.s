// Four kernels that do nothing. One requires groups of 16x4x1 and memory of each kind; one accepts any launch; the
// arguments of one are aligned like those of most kernels; one has the limits of control directives of HSAIL.
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
    .globl q
    .p2align 8
    .type q,@function
q:
    s_endpgm
    .section .note.hsail,"a",@note
    .long 6, 2f - 1f, 2                 // the note of limits (support/launch_note.h), with a record that is cut off
    .asciz "HSAIL"
    .p2align 2
1:  .asciz "q"
    .quad 2, 96, 8, 1, 1000, 101, 1     // two dimensions, 96x8x1, at most 1000 work-items, 100 bytes, whole groups
    .asciz "m"
    .quad 3
2:  .p2align 2
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
    .amdhsa_kernel q
        .amdhsa_group_segment_fixed_size 64
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
  - .name: q
    .symbol: q.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .end_amdgpu_metadata
