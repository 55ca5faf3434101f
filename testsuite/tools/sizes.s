// A kernel that takes two buffers and does nothing; its metadata require a group of @REQUIRED@ and allow @MOST@ work-items.
.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
.text
.globl k
.p2align 8
.type k,@function
k: s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
 .amdhsa_next_free_vgpr 4
 .amdhsa_next_free_sgpr 16
 .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
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
    .vgpr_count: 4
    .max_flat_workgroup_size: @MOST@
    .reqd_workgroup_size: @REQUIRED@
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
