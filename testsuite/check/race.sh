# SPDX-License-Identifier: MIT
# Tests the checker of races with accesses that nothing orders, and with the same accesses ordered by barriers or
# atomics, or made by one wave.
checker=race
. "$srcdir/testsuite/check/cases.sh"

# Each work-item stores to group memory and reads what another work-item has stored, with or without a BARRIER.
exchange() { # TYPE DISTANCE BARRIER
    bytes=$((${1#?} / 8)) r='$s4'
    [ $bytes -lt 8 ] || r='$d4'
    printf '    mul_u32 $s5, $s1, %s;\n    cvt_u64_u32 $d4, $s1;\n    mov_b32 $s4, $s1;\n' $bytes
    printf '    st_group_%s %s, [%%t][$s5];\n    %s\n' "$1" "$r" "$3"
    printf '    xor_b32 $s6, $s5, %s;\n    ld_group_%s %s, [%%t][$s6];\n' $(($2 * bytes)) "$1" "$r"
    [ $bytes -lt 8 ] || printf '    cvt_u32_u64 $s4, $d4;\n'
    printf '    st_global_u32 $s4, [$d2];\n'
}
for type in u8 u16 u32; do
    for distance in 64 65 100 127 128 129 192 255; do
        [ $((distance * ${type#?} / 8)) -lt 1024 ] || continue
        exchange $type $distance '' >body
    wrong "$type at $distance" race-group 'without order' -g 256
        exchange $type $distance 'barrier;' >body
    right "$type at $distance with barrier" -g 256
    done
    for distance in 1 2 31 32 63; do
        exchange $type $distance '' >body
    right "$type at $distance, in a wave" -g 256
    done
done
exchange u64 64 '' >body
    wrong "u64" race-group 'ds_read' -g 128 -w 128
exchange u64 64 'barrier;' >body
    right "u64 with barrier" -g 128 -w 128

# All work-items store to the same place.
for op in st_group_u32 st_group_u8; do
    printf '    %s $s1, [%%t];\n' $op >body
    wrong "$op of ids" race-group 'group address 0x0' -g 256
    printf '    %s $s1, [%%t];\n' $op >body
    wrong "$op of ids in a wave" race-group 'work-item (0,0,0)' -g 64
    printf '    %s $s2, [%%t];\n' $op >body
    right "$op of one value in a wave" -g 64
    printf '    cmp_ne_b1_u32 $c0, $s1, 9;\n    cbr_b1 $c0, @end;\n    %s $s1, [%%t];\n' $op >body
    right "$op by one" -g 256
done
printf '    st_global_u32 $s0, [$d0];\n' >body
    wrong "one global place" race-global 'global_store_dword' -g 256
printf '    st_global_u32 $s0, [$d0];\n' >body
    wrong "one global place, groups" race-global 'work-group' -g 128 -w 64
printf '    cmp_ne_b1_u32 $c0, $s1, 9;\n    cbr_b1 $c0, @end;\n    st_global_u32 $s0, [$d0];\n' >body
wrong "one global place by one of each group" race-global 'work-item (9,0,0) of work-group (1,0,0)' -g 128 -w 64
printf '    st_global_u32 $s0, [$d2];\n' >body
    right "global places of their own" -g 256
for d in 64 128 255; do
    printf '    st_global_u32 $s0, [$d2];\n    xor_b32 $s5, $s0, %s;\n    cvt_u64_u32 $d5, $s5;\n    shl_u64 $d5, $d5, 2;\n    add_u64 $d5, $d5, $d0;\n    ld_global_u32 $s6, [$d5];\n    st_global_u32 $s6, [$d3];\n' $d >body
    wrong "global exchange at $d" race-global 'global_load_dword' -g 256
    wrong "global exchange at $d, groups" race-global 'global_load_dword' -g 256 -w 64
    sed 's/xor_b32/memfence_screl_agent; barrier; memfence_scacq_agent; xor_b32/' body >body2 && mv body2 body
    right "global exchange at $d with barrier" -g 256
done

# Atomic operations: no race with each other, but with a plain access.
for op in add or xor max; do
    type=u32
    case $op in or | xor) type=b32 ;; esac
    printf '    atomicnoret_%s_group_rlx_wg_%s [%%t], $s1;\n' $op $type >body
    right "atomic $op in group memory" -g 256
    printf '    atomicnoret_%s_global_rlx_agent_%s [$d0], $s1;\n' $op $type >body
    right "atomic $op in global memory" -g 256 -w 64
    printf '    cmp_ne_b1_u32 $c0, $s1, 200;\n    cbr_b1 $c0, @add;\n    st_group_u32 5, [%%t];\n@add:\n    atomicnoret_%s_group_rlx_wg_%s [%%t], $s1;\n' $op $type >body
        wrong "atomic $op and a store" race-group 'ds_write_b32' -g 256
done
needs_barrier() { # barrier name instruction: the body, which is only right with the barrier, has it or (empty) has not
    if [ -z "$1" ]; then wrong "$2" race-group "$3" -g 256
    else right "$2 with barriers" -g 256; fi
}

# Histogram, the counts set to zero without and with a barrier.
for barrier in '' 'barrier;'; do
    printf '    st_group_u32 0, [%%t][$s3];\n    %s\n    mul_u32 $s5, $s1, 77;\n    and_b32 $s5, $s5, 1020;\n    atomicnoret_add_group_rlx_wg_u32 [%%t][$s5], 1;\n' "$barrier" >body
    needs_barrier "$barrier" histogram 'ds_add'
done
# Double buffering: at each barrier, the halves that are written and read are exchanged.
printf '    mov_b32 $s5, 0;\n@loop:\n    and_b32 $s6, $s5, 1;\n    shl_u32 $s6, $s6, 9;\n    shr_u32 $s7, $s3, 1;\n    and_b32 $s7, $s7, 508;\n    cmp_ge_b1_u32 $c1, $s1, 128;\n    cbr_b1 $c1, @skip;\n    add_u32 $s8, $s6, $s3;\n    st_group_u32 $s5, [%%t][$s8];\n@skip:\n    barrier;\n    add_u32 $s8, $s6, $s7;\n    ld_group_u32 $s9, [%%t][$s8];\n    st_global_u32 $s9, [$d2];\n    add_u32 $s5, $s5, 1;\n    cmp_lt_b1_u32 $c0, $s5, 6;\n    cbr_b1 $c0, @loop;\n' >body
right "double buffering" -g 256
sed 's/and_b32 $s6, $s5, 1;/mov_b32 $s6, 0;/' body >body2 && mv body2 body
wrong "single buffering" race-group 'ds_' -g 256
# Sums in a tree, with a barrier for each step, or without.
for barrier in 'barrier;' ''; do
    printf '    st_group_u32 $s1, [%%t][$s3];\n    barrier;\n    mov_b32 $s5, 128;\n@loop:\n    cmp_ge_b1_u32 $c0, $s1, $s5;\n    cbr_b1 $c0, @idle;\n    add_u32 $s6, $s1, $s5;\n    shl_u32 $s6, $s6, 2;\n    ld_group_u32 $s7, [%%t][$s6];\n    ld_group_u32 $s8, [%%t][$s3];\n    add_u32 $s7, $s7, $s8;\n    st_group_u32 $s7, [%%t][$s3];\n@idle:\n    %s\n    shr_u32 $s5, $s5, 1;\n    cmp_gt_b1_u32 $c0, $s5, 0;\n    cbr_b1 $c0, @loop;\n' "$barrier" >body
    needs_barrier "$barrier" sums 'ds_'
done
# An atomic counter tells which group is the last one, and that group reads what the others have stored.
printf '    st_global_u32 $s0, [$d2];\n    atomic_add_global_scar_agent_u32 $s5, [$d1], 1;\n    cmp_ne_b1_u32 $c0, $s5, 255;\n    cbr_b1 $c0, @end;\n    ld_global_u32 $s6, [$d0];\n    st_global_u32 $s6, [$d0+1020];\n' >body
    right "the last one reads" -g 256 -w 64
corpus_done
