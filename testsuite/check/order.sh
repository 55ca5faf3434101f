# SPDX-License-Identifier: MIT
# Tests what counts as order between work-groups for the checker of races: orders and scopes of atomic operations, as
# machine code has them.
checker=race
. "$srcdir/testsuite/check/cases.sh"

# Work-items store, count themselves, and the last one reads what the next group stored.
last() { # BEFORE ORDER_SCOPE AFTER
    printf '    workgroupid_u32 $s7, 0;\n    add_u32 $s7, $s7, 1;\n    and_b32 $s7, $s7, 3;\n    mul_u32 $s7, $s7, 256;\n'
    printf '    cvt_u64_u32 $d5, $s7;\n    add_u64 $d5, $d0, $d5;\n    st_global_u32 $s0, [$d2];\n    %s\n' "$1"
    printf '    atomic_add_global_%s_u32 $s5, [$d1], 1;\n    %s\n' "$2" "$3"
    printf '    cmp_ne_b1_u32 $c0, $s5, 255;\n    cbr_b1 $c0, @end;\n    ld_global_u32 $s6, [$d5]; // HERE\n'
    printf '    st_global_u32 $s6, [$d1+16];\n'
}
# One work-item of each group, number 5; the compiler does not know that, or it would load by scalar instructions.
one() {
    printf '    ld_global_u32 $s8, [$d3];\n    and_b32 $s8, $s8, 63;\n    cmp_ne_b1_u32 $c0, $s8, 5;\n    cbr_b1 $c0, @end;\n'
    printf '    cvt_u64_u32 $d5, $s1;\n    shl_u64 $d5, $d5, 2;\n    add_u64 $d5, $d0, $d5;\n    workgroupid_u32 $s5, 0;\n'
}
# The first group stores and sets a flag, another one waits for it and reads.
flag() { # BEFORE STORE LOAD AFTER
    one
    printf '    cmp_ne_b1_u32 $c0, $s5, 0;\n    cbr_b1 $c0, @wait;\n    st_global_u32 7, [$d5];\n    %s\n' "$1"
    printf '    %s [$d0], 1;\n    br @end;\n@wait:\n    %s $s6, [$d0];\n' "$2" "$3"
    printf '    cmp_ne_b1_u32 $c0, $s6, 1;\n    cbr_b1 $c0, @wait;\n    %s\n    ld_global_u32 $s7, [$d5]; // HERE\n' "$4"
    printf '    st_global_u32 $s7, [$d2];\n'
}
# All groups change one place while they hold a lock.
lock() { # ORDER OF TAKING, OF LEAVING
    one
    printf '@lock:\n    atomic_cas_global_%s_b32 $s6, [$d0], 0, 1;\n    cmp_ne_b1_u32 $c0, $s6, 0;\n    cbr_b1 $c0, @lock;\n' "$1"
    printf '    ld_global_u32 $s7, [$d5]; // HERE\n    add_u32 $s7, $s7, 1;\n    st_global_u32 $s7, [$d5];\n'
    printf '    atomicnoret_st_global_%s_b32 [$d0], 0;\n' "$2"
}

for scope in agent system; do
    last '' scar_$scope '' >body
        right "last: both orders, $scope" -g 256 -w 64
    last "memfence_screl_$scope;" rlx_$scope "memfence_scacq_$scope;" >body
        right "last: fences, $scope" -g 256 -w 64
    last "memfence_screl_$scope;" scacq_$scope '' >body
        right "last: fence and acquire, $scope" -g 256 -w 64
    last '' screl_$scope "memfence_scacq_$scope;" >body
        right "last: release and fence, $scope" -g 256 -w 64
    last '' rlx_$scope '' >body
        wrong "last: relaxed, $scope" race-global 'store_dword' -g 256 -w 64
    last "memfence_screl_$scope;" rlx_$scope '' >body
        wrong "last: nobody acquires, $scope" race-global 'store_dword' -g 256 -w 64
    last '' rlx_$scope "memfence_scacq_$scope;" >body
        wrong "last: nobody releases, $scope" race-global 'store_dword' -g 256 -w 64
    flag '' atomicnoret_st_global_screl_${scope}_b32 atomic_ld_global_scacq_${scope}_b32 '' >body
        right "flag: release and acquire, $scope" -g 128 -w 64
    flag "memfence_screl_$scope;" atomicnoret_st_global_rlx_${scope}_b32 atomic_ld_global_rlx_${scope}_b32 \
        "memfence_scacq_$scope;" >body
        right "flag: fences, $scope" -g 128 -w 64
    flag '' atomicnoret_st_global_rlx_${scope}_b32 atomic_ld_global_scacq_${scope}_b32 '' >body
        wrong "flag: nobody releases, $scope" race-global 'global_store_dword' -g 128 -w 64
    flag '' atomicnoret_st_global_screl_${scope}_b32 atomic_ld_global_rlx_${scope}_b32 '' >body
        wrong "flag: nobody acquires, $scope" race-global 'global_store_dword' -g 128 -w 64
    lock scacq_$scope screl_$scope >body
        right "lock, $scope" -g 256 -w 64
    lock scar_$scope screl_$scope >body
        right "lock taken in both orders, $scope" -g 256 -w 64
    lock rlx_$scope rlx_$scope >body
        wrong "relaxed lock, $scope" race-global 'global_store_dword' -g 256 -w 64
    lock rlx_$scope screl_$scope >body
        wrong "lock taken relaxed, $scope" race-global 'global_store_dword' -g 256 -w 64
    lock scacq_$scope rlx_$scope >body
        wrong "lock left relaxed, $scope" race-global 'global_store_dword' -g 256 -w 64
done
for scope in wave wg; do
    last '' scar_$scope '' >body
        wrong "last: scope $scope is too narrow" race-global 'global_store_dword' -g 256 -w 64
    lock scacq_$scope screl_$scope >body
        wrong "lock: scope $scope is too narrow" race-global 'global_store_dword' -g 256 -w 64
done
# In a group the scope of the group suffices.
last '' scar_wg '' >body
sed -i 's/and_b32 $s7, $s7, 3;/and_b32 $s7, $s7, 0;/' body
    right "last: in a group" -g 256 -w 256
# A place that is counted in atomically by all but one.
printf '    atomicnoret_add_global_rlx_agent_u32 [$d0], 1;\n' >body
    right "all count" -g 256 -w 64
printf '    cmp_ne_b1_u32 $c0, $s0, 77;\n    cbr_b1 $c0, @add;\n    st_global_u32 0, [$d0];\n    br @end;\n@add:\n    atomicnoret_add_global_rlx_agent_u32 [$d0], 1;\n' >body
    wrong "one stores" race-global 'global_store_dword' -g 256 -w 64
tap_done
