# SPDX-License-Identifier: MIT
# Tests the checker of memory with accesses just outside of a kernel's memory, and with the last ones that are inside.
checker=memory
. "$srcdir/testsuite/check/cases.sh"

# register TYPE
register() {
    case $1 in
    *64) echo '$d4' ;;
    *) echo '$s4' ;;
    esac
}

# Work-item 70 of a grid of 128 in groups of 64 accesses [$d0 + BY].
global() { # STATEMENT BY
    printf '    mov_b32 $s4, 1;\n    mov_b64 $d4, 1;\n    add_u64 $d5, $d0, %s;\n' "$2"
    printf '    cmp_ne_b1_u32 $c0, $s0, 70;\n    cbr_b1 $c0, @end;\n    %s // HERE\n' "$1"
    printf '    st_global_u64 $d4, [$d0];\n    st_global_u32 $s4, [$d0+8];\n'
}

for type in u8 u16 u32 u64 f32; do
    bytes=$((${type#?} / 8)) r=$(register $type)
    for op in ld st; do
        at=$((1024 - bytes)) before=$((18446744073709551615 - bytes + 1))
        before=$(printf '%u' "-$bytes")
        statement="${op}_global_$type $r, [\$d5];"
        global "$statement" "$before" >body
            wrong "$op $type before" memory-global "$bytes bytes before the 1024-byte buffer of argument 1" -g 128 -w 64
        global "$statement" 1024 >body
            wrong "$op $type after" memory-global "0 bytes after the end of the 1024-byte buffer" -g 128 -w 64
        global "$statement" 1024 >body
    wrong "$op $type has ids" memory-global \
            'work-item (6,0,0) of work-group (1,0,0)' -g 128 -w 64
        global "$statement" $at >body
    right "$op $type last" -g 128 -w 64
        global "$statement" 0 >body
    right "$op $type first" -g 128 -w 64
    done
done
for op in add and or xor exch min max; do
    type=u32
    case $op in and | or | xor | exch) type=b32 ;; esac
    statement="atomic_${op}_global_rlx_agent_$type \$s4, [\$d5], 1;"
    global "$statement" 1024 >body
        wrong "atomic $op after" memory-global "changes 4 bytes at global address" -g 128 -w 64
    global "$statement" 1020 >body
    right "atomic $op last" -g 128 -w 64
done
global 'st_v4_global_u32 ($s4, $s4, $s4, $s4), [$d5];' 1016 >body
    wrong "half of a vector" memory-global 'writes' -g 128 -w 64
global 'st_v4_global_u32 ($s4, $s4, $s4, $s4), [$d5];' 1008 >body
    right "a whole vector" -g 128 -w 64

# Group memory: all work-items but number 100 stay inside.
group() { # STATEMENT LAST
    printf '    mov_b32 $s4, 1;\n    mov_b64 $d4, 1;\n    cmp_eq_b1_u32 $c0, $s1, 100;\n    cmov_b32 $s5, $c0, %s, 0;\n' "$2"
    printf '    cmp_ne_b1_u32 $c1, $s1, 100;\n    cbr_b1 $c1, @end;\n    %s // HERE\n' "$1"
    printf '    st_global_u64 $d4, [$d0];\n    st_global_u32 $s4, [$d0+8];\n'
}
for type in u8 u16 u32 u64; do
    bytes=$((${type#?} / 8)) r=$(register $type)
    for op in ld st; do
        statement="${op}_group_$type $r, [%t][\$s5];"
        group "$statement" 1024 >body
    wrong "$op group $type after" memory-group 'work-item (100,0,0)' -g 256
        group "$statement" $((1024 - bytes)) >body
    right "$op group $type last" -g 256
    done
done
for op in add exch cas; do
    case $op in
    cas) statement='atomic_cas_group_rlx_wg_b32 $s4, [%t][$s5], 1, 2;' ;;
    add) statement='atomic_add_group_rlx_wg_u32 $s4, [%t][$s5], 1;' ;;
    exch) statement='atomic_exch_group_rlx_wg_b32 $s4, [%t][$s5], 1;' ;;
    esac
    group "$statement" 1024 >body
    wrong "atomic $op group after" memory-group 'group address 0x400' -g 256
    group "$statement" 1020 >body
    right "atomic $op group last" -g 256
done

# Private memory: all work-items but number 100 stay inside of their 64 bytes, %p and what the compiler adds for a base.
private() { # STATEMENT LAST
    printf '    mov_b32 $s4, 1;\n    mov_b64 $d4, 1;\n    cmp_eq_b1_u32 $c0, $s1, 100;\n    cmov_b32 $s5, $c0, %s, 0;\n' "$2"
    printf '    %s // HERE\n' "$1"
    printf '    st_global_u64 $d4, [$d0];\n    st_global_u32 $s4, [$d0+8];\n'
}
for type in u8 u16 u32 u64; do
    bytes=$((${type#?} / 8)) r=$(register $type) size="align($bytes)_$type"
    for op in ld st; do
        statement="${op}_private_$size $r, [%p][\$s5];"
        private "$statement" 1048576 >body
    wrong "$op private $type far after" memory-private 'work-item (100,0,0)' -g 256 -w 128
        private "$statement" $((64 - bytes)) >body
    right "$op private $type last" -g 256 -w 128
        private "${op}_private_$type $r, [%p][\$s5];" 3 >body
    right "$op private $type anywhere" -g 256 -w 128
    done
done
for at in 1 2 3 6; do
    for type in u32 u64; do
        r=$(register $type)
        private "st_private_align(4)_$type $r, [%p][\$s5];" $at >body
    wrong "st private $type aligned, at $at" memory-alignment 'work-item (100,0,0)' -g 128 -w 128
        private "ld_private_$type $r, [%p][\$s5];" $at >body
    right "ld private $type at $at" -g 128 -w 128
        group "ld_group_$type $r, [%t][\$s5];" $at >body
    right "ld group $type at $at" -g 128 -w 128
        global "st_global_$type $r, [\$d5];" $((at + 64)) >body
    right "st global $type at $at" -g 128 -w 64
    done
done

# Promises of `align` that do not hold, and those that do.
for align in 2 4 8 16 64; do
    half=$((align / 2))
    for type in u16 u32 u64; do
        r=$(register $type) bytes=$((${type#?} / 8))
        for access in st_global: ld_global: st: ld:; do
            statement="${access%:}_align($align)_$type $r, [\$d5];"
            global "$statement" $((64 + half)) >body
            wrong "$statement" memory-promise "$bytes bytes at global address" -g 128 -w 64
            check "the promise, and how far it is off" grep -q ", $half above a multiple of $align, inside the 1024-byte" said
            global "$statement" 64 >body
            right "$statement" -g 128 -w 64
        done
        group "ld_group_align($align)_$type $r, [%t][\$s5];" $half >body
    if [ $align -gt 16 ]; then # %t has only 16
        continue
    fi
        wrong "group, align($align)_$type" memory-promise 'work-item (100,0,0)' -g 256
        group "ld_group_align($align)_$type $r, [%t][\$s5];" 16 >body
    right "group, align($align)_$type" -g 256
    done
done
private 'st_private_align(8)_u32 $s4, [%p][$s5];' 4 >body
    wrong "private, align(8)" memory-promise '4 above a multiple of 8' -g 128 -w 128
private 'st_private_align(8)_u32 $s4, [%p][$s5];' 8 >body
    right "private, align(8)" -g 128 -w 128
global 'st_v4_global_align(16)_u32 ($s4, $s4, $s4, $s4), [$d5];' 72 >body
    wrong "a vector, align(16)" memory-promise 'writes 16 bytes at global address' -g 128 -w 64
global 'st_v4_global_align(16)_u32 ($s4, $s4, $s4, $s4), [$d5];' 80 >body
    right "a vector, align(16)" -g 128 -w 64
# Accesses that the compiler joins keep their own promises.
global 'ld_global_align(4)_u32 $s4, [$d5]; ld_global_align(8)_u32 $s6, [$d5+4]; add_u32 $s4, $s4, $s6;' 64 >body
    wrong "the second of two loads" memory-promise '4 above a multiple of 8' -g 128 -w 64
global 'ld_global_align(8)_u32 $s4, [$d5]; ld_global_align(4)_u32 $s6, [$d5+4]; add_u32 $s4, $s4, $s6;' 64 >body
    right "two loads" -g 128 -w 64

# A flat address of group or private memory goes through global memory, and is used by another work-item.
through() { # SEGMENT VARIABLE ITEM: the first work-item tells the address of its VARIABLE, ITEM uses that
    printf '    lda_%s_u32 $s4, [%s];\n    stof_%s_u64_u32 $d4, $s4;\n' "$1" "$2" "$1"
    printf '    st_u32 $s0, [$d4];\n    cmp_ne_b1_u32 $c0, $s0, 0;\n    cbr_b1 $c0, @told;\n    st_global_u64 $d4, [$d0];\n'
    printf '@told:\n    barrier;\n    cmp_ne_b1_u32 $c0, $s0, %s;\n    cbr_b1 $c0, @end;\n' "$3"
    printf '    ld_global_u64 $d5, [$d0];\n    st_u32 $s0, [$d5]; // HERE\n'
}
HSA_GCN_THREADS=1 # groups run in order
export HSA_GCN_THREADS
through group %t 70 >body
    wrong "group memory of another group" memory-other-group 'work-item (6,0,0) of work-group (1,0,0)' -g 128 -w 64
    wrong "it is named" memory-other-group 'of work-group (0,0,0)' -g 128 -w 64
    right "group memory of another wave of the group" -g 128 -w 128
through private %p 70 >body
    wrong "private memory of another group" memory-other-wave 'work-item (6,0,0) of work-group (1,0,0)' -g 128 -w 64
    wrong "private memory of another wave" memory-other-wave 'work-item (70,0,0) of work-group (0,0,0)' -g 128 -w 128
through private %p 0 >body
    right "one's own private memory" -g 128 -w 64
through group %t 0 >body
    right "one's own group memory" -g 128 -w 64
through group %t 3 | sed 's/ld_global.*/ftos_group_u32_u64 $s5, $d4; segmentp_group_b1_u64 $c1, $d4; cmov_b32 $s5, $c1, $s5, 5000;/;s/st_u32 $s0, .$d5./st_group_u32 $s0, [$s5]/' >body
    right "a flat address of the group is known as one" -g 128 -w 64
unset HSA_GCN_THREADS

# A buffer whose size is odd, so that it ends within a page and within a dword.
exact() { # COUNT ANSWER
    printf 'module &m:1:0:$full:$large:$near;\nprog kernel &k(kernarg_u64 %%out)\n{\n    workitemabsid_u32 $s0, 0;\n    ld_kernarg_u64 $d0, [%%out];\n    cvt_u64_u32 $d1, $s0;\n    add_u64 $d0, $d0, $d1;\n    st_global_u8 $s0, [$d0];\n    ret;\n};\n' >k.hsail
    "$run" -q --check=memory -g "$1" k.hsail 'u8[77]' >said 2>&1
    rc=$?
    cat said
    [ $rc -eq "$2" ]
}
check "right: 77 work-items and 77 bytes" exact 77 0
check "wrong: 78 work-items and 77 bytes" exact 78 1
corpus_done
