# SPDX-License-Identifier: MIT
# Registers of HSAIL at the prompt: their values by lane follow from the kernel by hand. In code of -O0 all are known; in
# optimised code some are, and no wrong one is shown.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
run=$(cd "$builddir" && pwd)/hsailrun
fin=$(cd "$builddir" && pwd)/hsailfin
reader=$(cd "$builddir" && pwd)/testsuite/runtime/variables_test
cd "$work" || exit 99

cat >k.hsail <<'END_OF_TEXT'
module &m:1:0:$full:$large:$near;
prog function &twice(arg_u32 %r)(arg_u32 %x)
{
    ld_arg_u32 $s0, [%x];
    mul_u32 $s9, $s0, 2;
    st_arg_u32 $s9, [%r];
    ret;
};
prog function &down(arg_u32 %r)(arg_u32 %x)
{
    ld_arg_u32 $s0, [%x];
    mov_b32 $s8, 0;
    cmp_eq_b1_u32 $c0, $s0, 0;
    cbr_b1 $c0, @end;
    sub_u32 $s1, $s0, 1;
    {
        arg_u32 %y; arg_u32 %z;
        st_arg_u32 $s1, [%y];
        call &down(%z)(%y);
        ld_arg_u32 $s8, [%z];
    }
    add_u32 $s8, $s8, $s0;
@end:
    st_arg_u32 $s8, [%r];
    ret;
};
prog kernel &k(kernarg_u64 %out, kernarg_u32 %n)
{
    private_u32 %p;
    ld_kernarg_u64 $d0, [%out];
    ld_kernarg_u32 $s0, [%n];
    workitemabsid_u32 $s1, 0;
    cvt_u64_u32 $d1, $s1;
    mul_u64 $d2, $d1, 0x100000001;
    combine_v2_b128_b64 $q0, ($d1, $d2);
    mul_u32 $s3, $s1, $s0;
    st_private_u32 $s3, [%p];
    cmp_lt_b1_u32 $c0, $s1, 9;
    {
        arg_u32 %x; arg_u32 %r;
        st_arg_u32 $s3, [%x];
        call &twice(%r)(%x);
        ld_arg_u32 $s4, [%r];
    }
    {
        arg_u32 %x; arg_u32 %r;
        st_arg_u32 3, [%x];
        call &down(%r)(%x);
        ld_arg_u32 $s5, [%r];
    }
    shl_u64 $d1, $d1, 2;
    add_u64 $d1, $d0, $d1;
    add_u32 $s6, $s4, $s5;
    st_global_u32 $s6, [$d1];
    ret;
};
END_OF_TEXT
line_of() { grep -nF "$1" k.hsail | head -n 1 | cut -d: -f1; }
# at LEVEL PLACE COMMAND...: the answers, in `said`
at() {
    level=$1 place=$2
    shift 2
    for command; do echo "$command"; done >commands
    timeout 60 "$run" -O "$level" --private-memory=4096 --break="$place" -q -g 64 k.hsail 'u32[64]' u32:5 <commands >out 2>said
}
says() {
    cat said
    for text; do
        grep -qFx -- "$text" said || { echo "not said: $text"; return 1; }
    done
}
store=$(line_of 'st_global')
at -O0 "$store" 'p $s0' 'p $s1' 'p $s3[7]' 'p $s4' 'p $s5' 'p $s6' 'p $d1[0]' 'p $d0[0]' 'p $d2' 'p %p' 'p $q0' 'p $c0[8]' 'p $c0[9]' \
    'p $s77' 'p $s3[64]' 'p $s3[' 'p $' 'p $s9' q
check "a register that is the same everywhere" says '$s0 = 0x00000005 in all lanes'
check "one for each lane" says '$s1 = 0x00000000, 1 more from each lane to the next, in all lanes' '$s3[7] = 0x00000023 in lane 7'
check "results of calls" says '$s4 = 0x00000000, 10 more from each lane to the next, in all lanes' '$s5 = 0x00000006 in all lanes' \
    '$s6 = 0x00000006, 10 more from each lane to the next, in all lanes'
check "64 bits" says '$d2 = 0x0000000000000000, 4294967297 more from each lane to the next, in all lanes'
check "an address" sh -c 'a=$(sed -n "s/^\$d1\[0\] = \(.*\) in lane 0/\1/p" said); b=$(sed -n "s/^\$d0\[0\] = \(.*\) in lane 0/\1/p" said); [ -n "$a" ] && [ "$a" = "$b" ]'
check "128 bits" says '$q0, low half = 0x0000000000000000, 1 more from each lane to the next, in all lanes' \
    '$q0, high half = 0x0000000000000000, 4294967297 more from each lane to the next, in all lanes'
check "one bit" says '$c0[8] = 0x01 in lane 8' '$c0[9] = 0x00 in lane 9'
check "a variable in private memory" says '%p = 0x00000000, 5 more from each lane to the next, in all lanes'
check "registers that the kernel does not have" [ "$(grep -c '^error: the code object knows of no register' said)" -eq 5 ]

at -O0 "$(line_of 'st_arg_u32 $s9, [%r]')" 'p $s0' 'p $s9' 'p $s3' q
check "a function that is inlined has its own registers" says '$s0 = 0x00000000, 5 more from each lane to the next, in all lanes' \
    '$s9 = 0x00000000, 10 more from each lane to the next, in all lanes'
check "and not its caller's" grep -q '^error: the code object knows of no register $s3' said
# The innermost call returns first: its argument is 0, and its callers add 1, 2 and 3.
at -O0 "$(line_of 'st_arg_u32 $s8, [%r]')" 'p $s0' 'p $s8' c 'p $s0' 'p $s8' c 'p $s0' 'p $s8' c 'p $s8' q
check "each call of a recursive function has its own" [ "$(sed -n 's/^$s[08] = 0x0000000\(.\) in all lanes/\1/p' said | tr '\n' ' ')" = '0 0 1 1 2 3 6 ' ]
at -O0 "$store" 'json on' 'p $s1' 'p $d2[3]' 'p $q0[3]' 'p $s77' q
check "JSON: 32 bits" grep -q '^{"kind":"register","name":"$s1","lanes":"0xffffffffffffffff","values":\[0,1,2,.*,63\]}$' said
check "JSON: more" says '{"kind":"register","name":"$d2[3]","lanes":"0x8","values":["0x0000000300000003"]}' \
    '{"kind":"register","name":"$q0[3]","lanes":"0x8","values":["0x00000003000000030000000000000003"]}'
check "JSON: an error" grep -q '^{"kind":"error"' said

at -O2 "$store" 'p $s6' 'p $s0' 'p $s3' q
check "in optimised code, the value that is stored is known" says '$s6 = 0x00000006, 10 more from each lane to the next, in all lanes'
check "others are right or refused" sh -c 'cat said; ! grep "^\$s0 = " said | grep -v "0x00000005 in all lanes" && ! grep "^\$s3 = " said | grep -v "0x00000000, 5 more"'
at -O2 "$store" 'p $c0' q
check "what is nowhere is refused" grep -q '^error: $c0 is optimised out here' said
"$fin" k.hsail -o k.co
printf 'p $s0\nq\n' | timeout 60 "$run" --private-memory=4096 --break=start -q -g 64 k.co 'u32[64]' u32:5 >out 2>said
check "without -g nothing is known" grep -q '^error: the code object knows of no register $s0 .*-g' said

for level in -O0 -O2; do
    "$fin" -g $level k.hsail -o k$level.co
    check "$level: damaged debug information" "$reader" k$level.co '$s0' '$d1' '$s8'
done

# ---- calls that are inlined ----

cat >call.hsail <<'END_OF_TEXT'
module &m:1:0:$full:$large:$near;
prog function &put()(arg_u64 %to)
{
    ld_arg_u64 $d0, [%to];
    st_global_u32 1, [$d0];
    ret;
};
prog kernel &k(kernarg_u64 %out)
{
    ld_kernarg_u64 $d0, [%out];
    {
        arg_u64 %to;
        st_arg_u64 $d0, [%to];
        call &put()(%to);
    }
    add_u64 $d0, $d0, 4096; // the page after the buffer, which is not there
    {
        arg_u64 %to;
        st_arg_u64 $d0, [%to];
        call &put()(%to);
    }
    ret;
};
END_OF_TEXT
HSA_REPORT_FILE=report.json timeout 60 "$run" -q call.hsail 'u32[1]' >out 2>said
check "a fault in an inlined function names it and the call" sh -c 'cat said report.json; grep -q "call.hsail:5: " said && grep -q "called at call.hsail:20$" said'
check "in JSON as well" grep -q '"called":\[{"file":"call.hsail","line":20}\]' report.json

# ---- variables of OpenCL C ----

if ! command -v clang-19 >/dev/null || ! command -v ld.lld-19 >/dev/null; then
    skip "variables of OpenCL C" "clang-19 or ld.lld-19 is missing"
    tap_done
fi
cat >k.cl <<'END_OF_TEXT'
__kernel void k(__global unsigned *out, unsigned n)
{
    unsigned i = __builtin_amdgcn_workitem_id_x();
    long big = (long)i - 3;
    unsigned short array[4] = {1, 2, 3, i};
    __local unsigned shared;
    if (i == 5)
        shared = n;
    out[i] = i * n + array[i % 4] + big + shared;
}
END_OF_TEXT
for version in 4 5; do
    clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 -gdwarf-$version -O0 -o k.co k.cl
    printf 'p i\np n\np big\np array\np shared\np nothing\nq\n' |
        timeout 60 "$run" --break=9 -q -g 64 -w 64 k.co 'u32[64]' u32:5 >out 2>said
    check "DWARF $version: variables of OpenCL C" says 'i = 0x00000000, 1 more from each lane to the next, in all lanes' 'n = 0x00000005 in all lanes' \
        'big = 0xfffffffffffffffd, 1 more from each lane to the next, in all lanes' 'shared = 0x00000005 in all lanes'
    check "DWARF $version: an array is none" grep -q '^error: array is an array' said
    check "DWARF $version: what is no name" grep -q '^error: a register is wanted .* not nothing$' said
done
tap_done
