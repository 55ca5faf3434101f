// A code object as LLVM makes them: two kernels, variables of every kind, relocations, metadata.
        .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
        .amdhsa_code_object_version 4
        .text
        .globl  first
        .p2align 8
        .type   first,@function
first:
        s_endpgm
        .size   first, .-first
        .globl  second
        .p2align 8
        .type   second,@function
second:
        s_nop 0
        s_endpgm
        .size   second, .-second

        .rodata
        .p2align 6
        .amdhsa_kernel first
                .amdhsa_kernarg_size 20
                .amdhsa_group_segment_fixed_size 256
                .amdhsa_private_segment_fixed_size 16
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        .amdhsa_kernel second
                .amdhsa_kernarg_size 8
                .amdhsa_next_free_vgpr 1
                .amdhsa_next_free_sgpr 1
        .end_amdhsa_kernel

        .section .rodata.table,"a",@progbits
        .globl  table
        .type   table,@object
        .p2align 2
table:  .long 1, 2, 3, 4
        .size   table, .-table

        .data
        .globl  counter
        .type   counter,@object
        .p2align 3
counter: .quad 42
        .size   counter, 8
        .globl  pointers
        .type   pointers,@object
        .p2align 3
pointers:
        .quad   counter
        .quad   table+4
        .quad   external
        .quad   local
        .size   pointers, 32
local:  .quad   7
        .globl  unreferenced            // undefined, and no relocation names it
        .type   unreferenced,@object
        .bss
        .globl  zeros
        .type   zeros,@object
        .p2align 4
zeros:  .zero   64
        .size   zeros, 64

        .amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx900:xnack-
amdhsa.kernels:
  - .name: first
    .symbol: first.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 32
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 16
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
...
        .end_amdgpu_metadata
