// A kernel whose counts are known. After each instruction is what must be counted for it, with a group of 96
// work-items, which is a wave of 64 lanes and one of 32. The numbers were derived by hand from doc/PROFILING.md.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_dwordx2 s[2:3], s[0:1], 0x0      //= executed=2 lanes=96 cycles=8 kernarg.read=16
    s_waitcnt lgkmcnt(0)                    //= executed=2 lanes=96 cycles=8 class=wait
    v_lshlrev_b32_e32 v1, 2, v0             //= executed=2 lanes=96 cycles=8 class=valu
    global_store_dword v1, v0, s[2:3]       //= executed=2 lanes=96 cycles=8 global.written=384 vector_accesses=2 cache_lines=6 cache_bytes=384
    v_lshlrev_b32_e32 v2, 4, v0             //= executed=2 lanes=96 cycles=8
    global_load_dword v3, v2, s[2:3]        //= executed=2 lanes=96 cycles=24 global.read=384 cache_lines=24 cache_bytes=384
    v_lshlrev_b32_e32 v3, 7, v0             //= executed=2 lanes=96 cycles=8
    global_load_dwordx2 v[4:5], v3, s[2:3]  //= executed=2 lanes=96 cycles=96 global.read=768 cache_lines=96 cache_bytes=768
    v_mov_b32_e32 v8, 0                     //= executed=2 lanes=96 cycles=8
    global_load_dword v4, v8, s[2:3] offset:62 //= executed=2 lanes=96 cycles=8 global.read=384 cache_lines=4 cache_bytes=8
    s_waitcnt vmcnt(0)                      //= executed=2 lanes=96 cycles=8
    ds_write_b32 v1, v0                     //= executed=2 lanes=96 cycles=8 group.written=384 lds_accesses=2 lds_passes=3 bank_conflicts=0
    v_lshlrev_b32_e32 v3, 3, v0             //= executed=2 lanes=96 cycles=8
    ds_read_b32 v4, v3                      //= executed=2 lanes=96 cycles=8 group.read=384 lds_passes=6 bank_conflicts=3
    v_lshlrev_b32_e32 v3, 7, v0             //= executed=2 lanes=96 cycles=8
    ds_read_b32 v4, v3                      //= executed=2 lanes=96 cycles=96 lds_passes=96 bank_conflicts=93
    ds_read_b64 v[4:5], v2                  //= executed=2 lanes=96 cycles=12 group.read=768 lds_passes=12 bank_conflicts=6
    ds_read2_b32 v[4:5], v1 offset1:1       //= executed=2 lanes=96 cycles=8 group.read=768 lds_passes=6 bank_conflicts=0
    ds_read_b32 v4, v8                      //= executed=2 lanes=96 cycles=8 lds_passes=3 bank_conflicts=0
    ds_add_u32 v8, v0                       //= executed=2 lanes=96 cycles=96 group.atomic=384 lds_passes=96 bank_conflicts=93
    s_waitcnt lgkmcnt(0)                    //= executed=2 lanes=96 cycles=8
    v_rcp_f32_e32 v4, v0                    //= executed=2 lanes=96 cycles=32
    v_mul_lo_u32 v4, v0, v0                 //= executed=2 lanes=96 cycles=32
    v_add_f64 v[4:5], v[4:5], v[4:5]        //= executed=2 lanes=96 cycles=32
    s_mov_b32 s4, 5                         //= executed=2 lanes=96 cycles=8 class=salu
loop:
    s_sub_u32 s4, s4, 1                     //= executed=10 lanes=480 cycles=40
    s_cmp_lg_u32 s4, 0                      //= executed=10 lanes=480 cycles=40
    s_cbranch_scc1 loop                     //= executed=10 lanes=480 cycles=40 class=branch taken=8 mixed=0 mixed_taken=0
    v_and_b32_e32 v4, 3, v0                 //= executed=2 lanes=96 cycles=8
    v_cmp_eq_u32_e32 vcc, 0, v4             //= executed=2 lanes=96 cycles=8
    s_and_saveexec_b64 s[6:7], vcc          //= executed=2 lanes=96 cycles=8
    s_cbranch_execz skip                    //= executed=2 lanes=24 cycles=8 taken=0 mixed=2 mixed_taken=0
    global_store_dword v1, v0, s[2:3]       //= executed=2 lanes=24 cycles=8 global.written=96 cache_lines=6 cache_bytes=96
skip:
    s_branch next                           //= executed=2 lanes=24 cycles=8 taken=2 mixed=2 mixed_taken=2
next:
    s_mov_b64 exec, s[6:7]                  //= executed=2 lanes=24 cycles=8
    v_readfirstlane_b32 s8, v0              //= executed=2 lanes=96 cycles=8
    s_lshr_b32 s8, s8, 4                    //= executed=2 lanes=96 cycles=8
    s_add_u32 s8, s8, 1                     //= executed=2 lanes=96 cycles=8
again:                                      // once in the first wave, five times in the second
    s_sub_u32 s8, s8, 1                     //= executed=6 lanes=224 cycles=24
    s_cmp_lg_u32 s8, 0                      //= executed=6 lanes=224 cycles=24
    s_cbranch_scc1 again                    //= executed=6 lanes=224 cycles=24 taken=4
    s_barrier                               //= executed=2 lanes=96 cycles=8 class=barrier waited=60
    s_endpgm                                //= executed=2 lanes=96 cycles=8 class=other

    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_group_segment_fixed_size 16384
        .amdhsa_next_free_vgpr 12
        .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

    .amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16384
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 12
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
    .end_amdgpu_metadata
