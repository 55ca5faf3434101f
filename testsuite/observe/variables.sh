# SPDX-License-Identifier: MIT
# Registers and variables of HSAIL at the prompt: their values follow from the kernel by hand. In code of -O0 all are known;
# in optimised code some are, and no wrong one is shown.
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
check "a variable in private memory" says '%p = 0, 5 more from each lane to the next, in all lanes'
check "registers that the kernel does not have" [ "$(grep -c '^error: the code object knows of no register .* but of: .*$s6.* %p .*%out %n$' said)" -eq 4 ]
check "a lane that a wave does not have" says 'error: $s3 has a value in the lanes 0 to 63'

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
check "without -g only arguments are known" says 'error: the code object knows of no register $s0 of HSAIL here, but of: %out %n'

for level in -O0 -O2; do
    "$fin" -g $level k.hsail -o k$level.co
    check "$level: damaged debug information" "$reader" k$level.co '$s0' '$d1' '$s8'
done

# ---- arguments of calls: two blocks have variables of the same names ----

at -O0 "$(line_of 'call &twice')" 'p %x' 'c' 'p %x' q
check "an argument in its block" says '%x = 0, 5 more from each lane to the next, in all lanes'
at -O0 "$(line_of 'call &down(%r)')" 'p %x' q
check "one of the same name in another block" says '%x = 3 in all lanes'

# ---- variables of each segment ----

cat >v.hsail <<'END_OF_TEXT'
module &m:1:0:$full:$large:$near;
prog global_u32 &counter;
global_f32 &table[12] = f32[](1.0f,2.5f,-3.0f,0.0f,0.0f,0.0f,0.0f,0.0f,0.0f,0.0f,0.0f,0.0f);
prog readonly_s16 &small = s16(-5);
group_u32 &shared[64];
private_u32 &own;
private_u16 &owns[4];
prog kernel &k(kernarg_u64 %out, kernarg_u32 %n, kernarg_f32 %f, kernarg_s16 %list[3])
{
    private_f64 %real; private_u8 %bytes[16]; group_s64 %sums[4]; group_f64 %mean; group_b32 %mask;
    global_s32 %local = s32(-7); spill_s32 %spilled; group_u8x4 %packed;
    ld_kernarg_u64 $d0, [%out];
    ld_kernarg_u32 $s0, [%n];
    workitemid_u32 $s1, 0;
    mul_u32 $s3, $s1, $s0;
    st_private_u32 $s3, [&own];
    st_private_u16 $s3, [&owns][4];
    st_private_u8 3, [%bytes][3];
    st_private_f64 0d3fe0000000000000, [%real];
    shl_u32 $s6, $s1, 2;
    st_group_u32 $s1, [&shared][$s6];
    st_group_s64 -99, [%sums][8];
    st_group_f64 0d3ff8000000000000, [%mean];
    st_group_u32 0xabc, [%mask];
    st_group_u32 0x01020304, [%packed];
    ld_global_s32 $s7, [%local];
    ld_readonly_s16 $s8, [&small];
    ld_global_f32 $s9, [&table][4];
    st_spill_s32 $s7, [%spilled];
    st_global_u32 77, [&counter];
    barrier;
    st_global_u32 $s3, [$d0];
    ret;
};
END_OF_TEXT
# shown LEVEL COMMAND...: the answers before the last store
shown() {
    level=$1
    shift
    for command; do echo "$command"; done >commands
    timeout 60 "$run" -O "$level" --break="$(grep -n 'st_global_u32 $s3' v.hsail | cut -d: -f1)" -q -g 64 v.hsail 'u32[64]' u32:5 \
        f32:1.5 s16:-1 s16:2 s16:3 <commands >out 2>said
}
for level in -O0 -O2; do
    shown $level 'p &counter' 'p &table' 'p &table[1]' 'p &table[1] 3' 'p &table 12' 'p &small' 'p &shared' 'p &shared[60] 4' 'p %sums' \
        'p %mean' 'p %mask' 'p %packed' 'p %n' 'p n' 'p %f' 'p %list' 'p %list[2]' q
    check "$level: global memory" says '&counter = 77' '&table[0-7] = 1 2.5 -3 0 0 0 0 0, 8 of 12 elements' '&table[1] = 2.5' \
        '&table[1-3] = 2.5 -3 0, 3 of 12 elements' '&table[0-11] = 1 2.5 -3 0 0 0 0 0 0 0 0 0' '&small = -5'
    check "$level: group memory" says '&shared[0-7] = 0 1 2 3 4 5 6 7, 8 of 64 elements' '&shared[60-63] = 60 61 62 63, 4 of 64 elements' \
        '%sums[0-3] = 0 -99 0 0' '%mean = 1.5' '%mask = 0x00000abc' '%packed = 0x01020304'
    check "$level: arguments of the kernel" says '%n = 5' 'n = 5' '%f = 1.5' '%list[0-2] = -1 2 3' '%list[2] = 3'
done
shown -O0 'p &own' 'p &own[3]' 'p &owns[2]' 'p &owns[2][7]' 'p &owns[1] 2' 'p %bytes[3]' 'p %real' 'p %spilled' 'p %local' q
check "private memory" says '&own = 0, 5 more from each lane to the next, in all lanes' '&own[3] = 15 in lane 3' '&owns[2][7] = 35 in lane 7' \
    '&owns[2] = 0, 5 more from each lane to the next, in all lanes' '&owns[1] = 0 in all lanes' '%bytes[3] = 3 in all lanes' \
    '%real = 0.5 in all lanes' '%spilled = -7 in all lanes' '%local = -7'
shown -O0 'p &table[12]' 'p &table 13' 'p &small[1]' 'p &shared[1][2]' 'p &own[64]' 'p &own 2' 'p &owns[1][64]' 'p &owns[4]' 'p &shared[x]' \
    'p &shared[1' 'p &shared[1] 0' 'p &shared[1] x' 'p &shared[99999999999999999999]' 'p &nothing' p q
check "elements that are not there" says 'error: &table has the elements 0 to 11' 'error: &small is no array: it has only the element 0' \
    'error: &owns has the elements 0 to 3' 'error: &shared has the elements 0 to 63'
check "lanes that are not there" says 'error: all work-items share &shared, so lanes have no values of their own' \
    'error: &own has a value in the lanes 0 to 63' 'error: &owns has a value in the lanes 0 to 63' \
    'error: &own is no array: &own[LANE] is its value in a lane'
check "what is not known, and what is" sh -c 'cat said; [ "$(grep -c "^error: a register .* the code object knows of: .*%sums.*\$s0.*%bytes.*&own .*&counter.* %out %n %f %list$" said)" -eq 6 ]'
shown -O0 'json on' 'p &table[1] 2' 'p %sums[1]' 'p &own[3]' 'p %real[0]' 'p %f' 'p &nothing' q
check "JSON of variables" says '{"kind":"variable","name":"&own[3]","type":"u32","lanes":"0x8","values":[15]}' \
    '{"kind":"variable","name":"%real[0]","type":"f64","lanes":"0x1","values":[0.5]}'
check "JSON of elements" sh -c 'cat said
    grep -q "^{\"kind\":\"variable\",\"name\":\"&table\",\"type\":\"f32\",\"segment\":\"global\",\"address\":\"0x[0-9a-f]*\",\"elements\":12,\"first\":1,\"values\":\[2.5,-3\]}$" said &&
    grep -q "^{\"kind\":\"variable\",\"name\":\"%sums\",.*\"segment\":\"group\",.*\"first\":1,\"values\":\[\"0xffffffffffffff9d\"\]}$" said &&
    grep -q "\"name\":\"%f\",\"type\":\"f32\",\"segment\":\"kernarg\",.*\"values\":\[1.5\]}$" said'
"$fin" -g -O0 v.hsail -o v.co
check "damaged debug information of variables" "$reader" v.co '&table' '%sums' '&own'

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
cat >spaces.cl <<'END_OF_TEXT'
namespace outer {
namespace inner {
__kernel void k(__global unsigned *out, unsigned n)
{
    unsigned i = __builtin_amdgcn_workitem_id_x();
    out[i] = i * n;
}
}
}
END_OF_TEXT
for version in 4 5; do
    clang-19 -x cl -cl-std=clc++ --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 -gdwarf-$version -O0 \
        -o spaces.co spaces.cl
    printf 'p i\np n\nq\n' | timeout 60 "$run" --break=6 -q -g 64 -w 64 spaces.co 'u32[64]' u32:5 >out 2>said
    check "DWARF $version: variables of a kernel in a namespace" says 'i = 0, 1 more from each lane to the next, in all lanes' \
        'n = 5 in all lanes'
    clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 -gdwarf-$version -O0 -o k.co k.cl
    printf 'p i\np n\np big\np array\np out\np shared\np nothing\nq\n' |
        timeout 60 "$run" --break=9 -q -g 64 -w 64 k.co 'u32[64]' u32:5 >out 2>said
    check "DWARF $version: variables of OpenCL C" says 'i = 0, 1 more from each lane to the next, in all lanes' 'n = 5 in all lanes' \
        'big = -3, 1 more from each lane to the next, in all lanes' 'shared = 5' \
        'array[2] = 3 in all lanes' 'array[3] = 0, 1 more from each lane to the next, in all lanes'
    check "DWARF $version: what is no number" grep -q '^error: out is a structure, a pointer or the like' said
    check "DWARF $version: what is no name" grep -q '^error: a register .* wanted, not nothing; the code object knows of: .*big' said
done
tap_done
