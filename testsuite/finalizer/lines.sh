# SPDX-License-Identifier: MIT
# Tests the line tables of hsailfin -g: LLVM's tools must accept them and show the lines of the text, or those of its loc
# directives, the code must be the same, and registers must be variables.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
fin=$(cd "$builddir" && pwd)/hsailfin
srcdir=$(cd "$srcdir" && pwd)
cd "$work" || exit 99

cat >k.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog function &f(arg_u32 %r)(arg_u32 %x)
{
    ld_arg_u32 $s0, [%x];
    mul_u32 $s0, $s0, $s0; /* a comment; with { and } */
    st_arg_u32 $s0, [%r];
};
prog kernel &k(kernarg_u64 %out)
{
    workitemabsid_u32 $s0, 0; ld_kernarg_u64 $d0, [%out];
    {
        arg_u32 %x; arg_u32 %r;
        st_arg_u32 $s0, [%x];
        call &f(%r)(%x);
        ld_arg_u32 $s1, [%r];
    }
    cvt_u64_u32 $d1, $s0;
    shl_u64 $d1, $d1, 2;
    add_u64 $d0, $d0, $d1;
@store:
    st_global_u32 $s1, [$d0];
    ret;
};
END
sed 's/^    st_global/    loc 777 3 "far.cl"; &/' k.hsail >loc.hsail
for tool in llvm-dwarfdump-19 llvm-objdump-19; do
    command -v $tool >/dev/null && continue
    skip "lines" "$tool is missing"
    tap_done
done

verified() {
    "$fin" -g "$@" -o k.co && llvm-dwarfdump-19 --verify k.co >out 2>&1 && grep 'No errors' out || { cat out; return 1; }
}
# shown LINE INSTRUCTION: in the disassembly, the instruction follows that line
shown() {
    llvm-objdump-19 -d --line-numbers k.co >dis 2>&1
    awk -v line="$1" -v want="$2" '/^; .*:[0-9]+$/ { now = $0 } index($0, want) && now ~ (line "$") { found = 1 } END { exit !found }' dis ||
        { cat dis; return 1; }
}
check "lines of the text verify" verified k.hsail
check "a store has its line" shown 'k.hsail:21' global_store_dword
check "what was inlined has its own" shown 'k.hsail:5' v_mul_lo_u32
check "lines of -O0 verify" verified -O0 k.hsail
check "a store has its line at -O0" shown 'k.hsail:21' store_dword
check "loc verifies" verified loc.hsail
check "and wins" shown 'far.cl:777' global_store_dword
"$fin" k.hsail -o plain.co
check "without -g there are none" sh -c '! llvm-readelf-19 -S plain.co | grep debug_line'
for example in "$srcdir"/examples/*.hsail; do
    check "${example##*/} verifies" verified "$example"
    check "${example##*/} verifies at -O0" verified -O0 "$example"
done

# Lines are no code, and variables are none at -O0 (doc/decisions/llvm-debug-values.md). run.hsail has all kinds of
# control flow, calls and memory.
code_of() { # OPTION...: the code of run.hsail
    "$fin" "$@" "$srcdir/testsuite/finalizer/run.hsail" -o code.co 2>out || { cat out; return 1; }
    llvm-objdump-19 -d --no-leading-addr code.co | sed 1,3d
}
same_code() { code_of "$1" >a && code_of "$1" "$2" >b && [ -s a ] && cmp a b; }
check "lines do not change code" same_code -O2 --finalizer-options=-gline-tables-only
check "variables do not change code at -O0" same_code -O0 -g

# ---- variables ----

# variables OPTION: the names of variables in the code object, of functions that are inlined as well
variables() {
    "$fin" -g "$1" k.hsail -o k.co && llvm-dwarfdump-19 --debug-info k.co | sed -n 's/^ *DW_AT_name[^"]*("\([$%][^"]*\)")$/\1/p' |
        sort -u | tr '\n' ' '
}
check "every register is a variable at -O0" [ "$(variables -O0)" = '$d0 $d1 $s0 $s1 %r %x ' ]
check "and at -O2, as far as LLVM keeps them" sh -c 'case $1 in *\$d*\$s0*) ;; *) echo "$1"; exit 1 ;; esac' sh "$(variables -O2)"
cat >v.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog global_u32 &counter;
group_f32 &shared[64];
private_u16 &own[4];
prog function &f(arg_u32 %r)(arg_u32 %x)
{
    group_u64 %inside;
    ld_arg_u32 $s0, [%x];
    st_group_u64 1, [%inside];
    st_private_u16 $s0, [&own][2];
    ld_private_u16 $s0, [&own][2];
    st_arg_u32 $s0, [%r];
};
prog kernel &k(kernarg_u64 %out)
{
    group_s8 %sums[3];
    private_u32 %p[2];
    workitemid_u32 $s0, 0;
    st_private_u32 $s0, [%p][4];
    st_group_f32 1.0f, [&shared][$s0];
    st_group_s8 1, [%sums];
    st_global_u32 1, [&counter];
    {
        arg_u32 %x; arg_u32 %r;
        st_arg_u32 $s0, [%x];
        call &f(%r)(%x);
        ld_arg_u32 $s1, [%r];
    }
    {
        arg_u32 %x; arg_u32 %r;
        st_arg_u32 7, [%x];
        call &f(%r)(%x);
        ld_arg_u32 $s2, [%r];
    }
    ld_kernarg_u64 $d0, [%out];
    st_v2_global_u32 ($s1, $s2), [$d0];
    ret;
};
END
# described NAME TYPE LOCATION: the variable has that type, and a location that matches
described() {
    llvm-dwarfdump-19 --debug-info k.co | awk -v name="(\"$1\")" -v type="\"$2\")" -v place="$3" '
        /^0x/ { if (n && t && l) found = 1; n = t = l = 0 }
        index($0, "DW_AT_name") && index($0, name) { n = 1 }
        index($0, "DW_AT_type") && index($0, type) { t = 1 }
        /DW_AT_location/ && $0 ~ place { l = 1 }
        END { exit !found }' || { llvm-dwarfdump-19 --debug-info k.co; return 1; }
}
for level in -O0 -O2; do
    check "variables of each segment verify at $level" verified $level v.hsail
    check "$level: one in global memory" described '&counter' u32 'DW_OP_addrx 0x[0-9a-f]*\\)'
    check "$level: one of the module in group memory" described '&shared' 'f32[64]' 'DW_OP_plus_uconst 0x[0-9a-f]*, DW_OP_lit2, DW_OP_swap, DW_OP_xderef'
    check "$level: one of a kernel in group memory" described '%sums' 's8[3]' 'DW_OP_plus_uconst 0x[0-9a-f]*, DW_OP_lit2, DW_OP_swap, DW_OP_xderef'
    check "$level: each has a place of its own" [ "$(llvm-dwarfdump-19 --debug-info k.co | grep -o 'plus_uconst 0x[0-9a-f]*, DW_OP_lit2' | sort -u | wc -l)" -eq 3 ]
    check "$level: no symbol is left undefined" sh -c '! llvm-readelf-19 -sW k.co | grep -v "NOTYPE  LOCAL" | grep UND'
done
check "arrays in private memory" sh -c '"$1" -g -O0 v.hsail -o k.co' sh "$fin"
check "one of a kernel" described '%p' 'u32[2]' 'DW_OP_fbreg'
check "one of the module" described '&own' 'u16[4]' 'DW_OP_fbreg'
# A scope has a name once: arguments of calls belong to their block.
names_once() {
    llvm-dwarfdump-19 --debug-info k.co | awk '
        match($0, /^0x[0-9a-f]*: +/) { depth = RLENGTH; scope[depth] = ++count; is = /DW_TAG_(variable|formal_parameter)/ }
        is && /DW_AT_name/ { for (d = depth - 1; d && !(d in scope); d--); if (seen[scope[d] $0]++) { print; twice = 1 } }
        END { exit twice }' && [ "$(llvm-dwarfdump-19 --debug-info k.co | grep -c '("%x")')" -eq 3 ]
}
check "no variable is there twice, and none is lost" names_once
same_code() { # FILE LEVEL
    "$fin" "$2" "$1" -o a.co && "$fin" "$2" -g "$1" -o b.co && for co in a b; do
        llvm-objdump-19 -d --no-leading-addr $co.co | sed 's/ *<.*>//;s,//.*:,,;/file format/d' >$co.dis
    done && [ "$(wc -l <a.dis)" -gt 9 ] && cmp a.dis b.dis
}
for file in k.hsail v.hsail "$srcdir"/examples/*.hsail; do
    for level in -O0 -O2; do
        check "${file##*/}: -g does not change the code of $level" same_code "$file" $level
    done
done
tap_done
