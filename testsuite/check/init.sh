# SPDX-License-Identifier: MIT
# Tests the checker of initialisation with values that were never written and decide something, and with others.
checker=init
. "$srcdir/testsuite/check/cases.sh"

lines() { # LINE...: a body
    for line; do printf '    %s\n' "$line"; done >body
}
store='st_global_u32 $s4, [$d2];'
here='st_global_u32 $s4, [$d2]; // HERE'
unset in

# Memory that nobody has written, of each segment and size.
for type in u8 u16 u32; do
    lines "ld_group_$type \$s4, [%t][\$s3];" "$here"
    wrong "group $type" init-store 'from group memory at 0x0, which nothing has written' -g 64
    lines 'st_group_u32 $s0, [%t][$s3];' "ld_group_$type \$s4, [%t][\$s3];" "$store"
    right "group $type" -g 64
    lines "ld_private_$type \$s4, [%p];" "$here"
    wrong "private $type" init-store 'from private memory' -g 64
    lines 'st_private_u32 $s0, [%p];' "ld_private_$type \$s4, [%p];" "$store"
    right "private $type" -g 64
    in=unwritten
    lines "ld_global_$type \$s4, [\$d3];" "$here"
    wrong "global $type" init-store 'from global memory' -g 64
    in=zero
    right "global $type" -g 64
    unset in
done
lines 'ld_group_u64 $d4, [%t][$s3];' 'st_global_u64 $d4, [$d0]; // HERE'
wrong "group u64" init-store 'writes 8 bytes' -g 1
lines 'ld_v4_group_u32 ($s4, $s5, $s6, $s7), [%t];' 'add_u32 $s4, $s4, $s7;' "$here"
wrong "group vector" init-store 'group memory' -g 64
lines 'st_group_u8 $s0, [%t][$s3];' 'ld_group_u32 $s4, [%t][$s3];' "$here"
wrong "a byte is not a word" init-store 'group memory' -g 64
lines 'st_group_u8 $s0, [%t][$s3];' 'ld_group_u32 $s4, [%t][$s3];' 'and_b32 $s4, $s4, 255;' "$store"
right "a byte of a word" -g 64
lines 'st_group_u16 $s0, [%t][$s3];' 'ld_group_u32 $s4, [%t][$s3];' 'shl_u32 $s4, $s4, 16;' "$store"
right "a half of a word" -g 64

# Registers: never written, or on one path only.
lines 'add_u32 $s4, $s9, 1;' "$here"
wrong "register" init-store 'work-item (0,0,0)' -g 64
lines 'add_u64 $d4, $d9, 1;' 'cvt_u32_u64 $s4, $d4;' "$here"
wrong "long register" init-store 'global_store_dword' -g 64
lines 'cbr_b1 $c5, @end; // HERE' 'st_global_u32 $s0, [$d2];'
wrong "condition" init-branch 'work-item (0,0,0)' -g 64
for k in 1 5 33 63 64 100 200 255; do
    lines "cmp_ge_b1_u32 \$c0, \$s1, $k;" 'cbr_b1 $c0, @skip;' 'add_u32 $s4, $s0, 3;' '@skip:' "$here"
    wrong "from $k on" init-store "work-item ($k,0,0)" -g 256
    lines 'mov_b32 $s4, 0;' "cmp_ge_b1_u32 \$c0, \$s1, $k;" 'cbr_b1 $c0, @skip;' 'add_u32 $s4, $s0, 3;' '@skip:' "$store"
    right "from $k on" -g 256
    lines "cmp_ge_b1_u32 \$c0, \$s1, $k;" 'cbr_b1 $c0, @end;' 'add_u32 $s4, $s0, 3;' "$store"
    right "below $k only" -g 256
done
# Group memory in which one place is not written.
for k in 0 31 70 255; do
    lines "cmp_eq_b1_u32 \$c0, \$s1, $k;" 'cbr_b1 $c0, @skip;' 'st_group_u32 $s0, [%t][$s3];' '@skip:' 'barrier;' \
        'ld_group_u32 $s4, [%t][$s3];' "$here"
    wrong "all but $k" init-store "work-item ($k,0,0)" -g 256
    lines 'st_group_u32 $s0, [%t][$s3];' 'barrier;' "xor_b32 \$s5, \$s1, $k;" 'shl_u32 $s5, $s5, 2;' \
        'ld_group_u32 $s4, [%t][$s5];' "$store"
    right "of another, $k" -g 256
done

# The result of an operation is undefined if its operands are.
operation() { # STATEMENT
    lines 'ld_group_u32 $s5, [%t][$s3];' "$1" "$here"
    wrong "$1" init-store 'group memory' -g 64
    lines 'st_group_u32 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' "$1" "$store"
    right "$1" -g 64
}
for op in add_u32 sub_u32 mul_u32 max_u32 mulhi_u32 and_b32 or_b32 xor_b32 shl_u32 div_u32 add_f32 mul_f32; do
    operation "$op \$s4, \$s0, \$s5;"
done
operation 'shr_u32 $s4, $s5, 3;'
operation 'mad_u32 $s4, $s0, $s1, $s5;'
operation 'not_b32 $s4, $s5;'
operation 'popcount_u32_b32 $s4, $s5;'
operation 'bitextract_u32 $s4, $s5, 3, 7;'
operation 'bitinsert_u32 $s4, $s0, $s5, 4, 4;'
operation 'cvt_f32_u32 $s4, $s5;'
operation 'bytealign_b32 $s4, $s0, $s5, 1;'
operation 'add_pp_u8x4 $s4, $s0, $s5;'

# Branches and addresses.
for compare in eq ne lt le gt ge; do
    lines 'ld_group_u32 $s5, [%t][$s3];' "cmp_${compare}_b1_u32 \$c0, \$s5, 9;" 'cbr_b1 $c0, @end; // HERE' \
        'st_global_u32 $s0, [$d2];'
    wrong "branch by $compare" init-branch 'group memory' -g 64
    lines 'st_group_u32 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' "cmp_${compare}_b1_u32 \$c0, \$s5, 9;" \
        'cbr_b1 $c0, @end;' 'st_global_u32 $s0, [$d2];'
    right "branch by $compare" -g 64
done
lines 'ld_group_u32 $s5, [%t];' 'mov_b32 $s4, 0;' '@loop:' 'add_u32 $s4, $s4, 1;' 'cmp_lt_b1_u32 $c0, $s4, $s5;' \
    'cbr_b1 $c0, @loop; // HERE' "$store"
wrong "loop" init-branch 'group memory' -g 64
undefined='ld_group_u32 $s5, [%t][$s3]; and_b32 $s5, $s5, 60;'
lines "$undefined" 'ld_group_u32 $s4, [%t][$s5]; // HERE'  "$store"
wrong "group address of a load" init-address 'ds_read_b32' -g 64
lines "$undefined" 'st_group_u32 $s0, [%t][$s5]; // HERE'
wrong "group address of a store" init-address 'ds_write_b32' -g 64
lines "$undefined" 'cvt_u64_u32 $d4, $s5;' 'add_u64 $d4, $d4, $d1;' 'ld_global_u32 $s4, [$d4]; // HERE' "$store"
wrong "global address of a load" init-address 'global_load_dword' -g 64
lines "$undefined" 'cvt_u64_u32 $d4, $s5;' 'add_u64 $d4, $d4, $d0;' 'st_global_u32 $s0, [$d4]; // HERE'
wrong "global address of a store" init-address 'global_store_dword' -g 64
lines "$undefined" 'ld_private_u32 $s4, [%p][$s5]; // HERE' "$store"
wrong "private address" init-address 'private' -g 64
lines "$undefined" 'cvt_u64_u32 $d4, $s5;' 'add_u64 $d4, $d4, $d0;' \
    'atomicnoret_add_global_rlx_agent_u32 [$d4], 1; // HERE'
wrong "address of an atomic operation" init-address 'global_atomic_add' -g 64
lines 'st_group_u32 $s0, [%t][$s3];' "$undefined" 'ld_group_u32 $s4, [%t][$s5];' "$store"
right "address" -g 64

# Atomic operations.
lines 'atomicnoret_add_group_rlx_wg_u32 [%t][$s3], 1;' 'ld_group_u32 $s4, [%t][$s3];' "$here"
wrong "counter in group memory" init-store 'group memory' -g 64
lines 'st_group_u32 0, [%t][$s3];' 'barrier;' 'atomicnoret_add_group_rlx_wg_u32 [%t][$s3], 1;' \
    'ld_group_u32 $s4, [%t][$s3];' "$store"
right "counter in group memory" -g 64
lines 'atomic_exch_group_rlx_wg_b32 $s4, [%t][$s3], $s0;' "$here"
wrong "what was exchanged" init-store 'group memory' -g 64
lines 'atomic_exch_group_rlx_wg_b32 $s5, [%t][$s3], $s0;' 'ld_group_u32 $s4, [%t][$s3];' "$store"
right "what was exchanged for it" -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'atomicnoret_add_global_rlx_agent_u32 [$d0], $s5; // HERE'
wrong "added to global memory" init-store 'global_atomic_add' -g 64
in=unwritten
lines 'atomicnoret_add_global_rlx_agent_u32 [$d1], 1; // HERE'
wrong "counter in global memory" init-store 'from global memory' -g 64
in=zero
right "counter in global memory" -g 64
unset in

# Values of other lanes.
lines 'cmp_eq_b1_u32 $c0, $s1, 3;' 'cbr_b1 $c0, @skip;' 'st_group_u32 $s0, [%t][$s3];' '@skip:' 'barrier;' \
    'ld_group_u32 $s5, [%t][$s3];' 'activelanepermute_b32 $s4, $s5, 3, 0, 0;' "$here"
wrong "of lane 3" init-store 'group memory' -g 64
lines 'cmp_eq_b1_u32 $c0, $s1, 3;' 'cbr_b1 $c0, @skip;' 'st_group_u32 $s0, [%t][$s3];' '@skip:' 'barrier;' \
    'ld_group_u32 $s5, [%t][$s3];' 'activelanepermute_b32 $s4, $s5, 2, 0, 0;' "$store"
right "of lane 2" -g 64

# Copying a value is no use of it, and known bits can define a result.
lines 'ld_group_u32 $s5, [%t][$s3];' 'st_private_u32 $s5, [%p];' 'ld_private_u32 $s6, [%p];' \
    'st_group_u32 $s6, [%t][$s3];' "st_global_u32 \$s0, [\$d2];"
right "copies" -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'st_private_u32 $s5, [%p];' 'ld_private_u32 $s4, [%p];' "$here"
wrong "a copy, stored" init-store 'group memory at 0x0' -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'and_b32 $s4, $s5, 0; or_b32 $s4, $s4, $s0;' "$store"
right "and with 0" -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'ld_group_u32 $s6, [%t][$s3];' 'and_b32 $s6, $s6, 0xff00;' 'and_b32 $s4, $s6, $s2;' "$store"
right "and with bits that are 0" -g 64
lines 'st_group_u16 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'or_b32 $s4, $s5, 0xffff0000;' "$store"
right "or with 1" -g 64
lines 'st_group_u16 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'bitextract_u32 $s4, $s5, 2, 9;' "$store"
right "bits of the half that is written" -g 64
lines 'st_group_u16 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'bitextract_u32 $s4, $s5, 12, 9;' "$here"
wrong "bits of both halves" init-store 'group memory' -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'cmp_lt_b1_u32 $c0, $s0, 500;' 'cmov_b32 $s4, $c0, $s0, $s5;' "$store"
right "not chosen" -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'cmp_lt_b1_u32 $c0, $s0, $s2;' 'cmov_b32 $s4, $c0, $s0, $s5;' "$here"
wrong "chosen by some" init-store 'work-item (7,0,0)' -g 64
lines 'st_group_u8 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'and_b32 $s5, $s5, 1;' \
    'cmp_eq_b1_u32 $c0, $s5, 0;' 'cbr_b1 $c0, @end;' 'st_global_u32 $s0, [$d2];'
right "a bit that is written decides" -g 64
lines 'st_group_u8 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'shr_u32 $s4, $s5, 8;' "$here"
wrong "shifted to what is not written" init-store 'group memory' -g 64
lines 'ld_group_u32 $s5, [%t][$s3];' 'mul_u32 $s4, $s5, 0;' 'add_u32 $s4, $s4, $s0;' "$store"
right "times 0" -g 64
lines 'st_group_u8 $s0, [%t][$s3];' 'ld_group_u32 $s5, [%t][$s3];' 'add_u32 $s5, $s5, $s2;' 'and_b32 $s4, $s5, 255;' "$store"
right "the low byte of a sum" -g 64

# Group memory with partial waves, with several waves in a group, and at the edges of the grid.
for sizes in '-g 100 -w 100' '-g 100 -w 64' '-g 7' '-g 130 -w 65'; do
    lines 'st_group_u32 $s0, [%t][$s3];' 'barrier;' 'ld_group_u32 $s4, [%t];' "$store"
    right "first of a group, $sizes" $sizes
    lines 'ld_group_u32 $s4, [%t][$s3];' "$here"
    wrong "edge, $sizes" init-store 'work-item (0,0,0)' $sizes
done
lines 'st_group_u32 $s1, [%t][$s3];' 'barrier;' 'mov_b32 $s5, 128;' '@loop:' 'cmp_ge_b1_u32 $c0, $s1, $s5;' \
    'cbr_b1 $c0, @idle;' 'add_u32 $s6, $s1, $s5;' 'shl_u32 $s6, $s6, 2;' 'ld_group_u32 $s7, [%t][$s6];' \
    'ld_group_u32 $s8, [%t][$s3];' 'add_u32 $s7, $s7, $s8;' 'st_group_u32 $s7, [%t][$s3];' '@idle:' 'barrier;' \
    'shr_u32 $s5, $s5, 1;' 'cmp_gt_b1_u32 $c0, $s5, 0;' 'cbr_b1 $c0, @loop;' 'ld_group_u32 $s4, [%t];' "$store"
right "sums" -g 256
sed 's/mov_b32 $s5, 128/mov_b32 $s5, 256/; s/store/&/; s/\[%t\]\[$s6\]/[%t][$s9]/; s/ld_group_u32 $s7/and_b32 $s9, $s6, 1020; &/' \
    body >body2 && mv body2 body
right "sums that begin too far, in memory that is written" -g 256
wrong_half='cmp_ge_b1_u32 $c0, $s1, 128;'
lines "$wrong_half" 'cbr_b1 $c0, @skip;' 'st_group_u32 $s1, [%t][$s3];' '@skip:' 'barrier;' 'xor_b32 $s5, $s3, 512;' \
    'ld_group_u32 $s4, [%t][$s5];' "$here"
wrong "sums of what half of a group has written" init-store 'work-item (0,0,0)' -g 256
corpus_done
