# Tests hsailrun: arguments, ways to fill buffers, results and refusals.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99
cp "$srcdir"/examples/*.hsail "$work" && chmod u+w "$work"/* && cd "$work" || exit 99
run=$tools/hsailrun
fin=$tools/hsailfin

# A code object that hsailfin has made from examples/vector_add.hsail for gfx900 also runs without a finalizer.
code_object_adds() {
    "$run" -g 256 "$srcdir/testsuite/tools/vector_add.co" 'f32[256]:iota' 'f32[256]:0.5' 'f32[256]' u32:256 >out &&
        grep -q '^argument 3: f32\[256\]: 0.5 1.5 2.5 3.5' out
}
check "a code object runs" code_object_adds
if [ "${TEST_LLVM:-none}" = none ]; then
    says_what_is_missing() {
        ! "$run" -g 1 vector_copy.hsail 'f32[1]' 'f32[1]' u32:1 2>err && cat err &&
            grep -q 'vector_copy.hsail is HSAIL, and the finalizer .* is not installed' err
    }
    check "HSAIL is refused, as there is no finalizer" says_what_is_missing
    skip "HSAIL runs" "configured with --without-llvm"
    tap_done
fi

# identity TYPE BYTES: a kernel that copies elements of a type, so that the output is the values of the input.
identity() {
    cat <<END
module &identity:1:0:\$full:\$large:\$near;
prog kernel &copy(kernarg_u64 %in, kernarg_u64 %out)
{
    workitemabsid_u32 \$s0, 0;
    cvt_u64_u32 \$d0, \$s0;
    mul_u64 \$d0, \$d0, $2;
    ld_kernarg_u64 \$d1, [%in];
    ld_kernarg_u64 \$d2, [%out];
    add_u64 \$d1, \$d1, \$d0;
    add_u64 \$d2, \$d2, \$d0;
    ld_global_$1 $3, [\$d1];
    st_global_$1 $3, [\$d2];
    ret;
};
END
}
identity u8 1 '$s1' >1.hsail
identity u16 2 '$s1' >2.hsail
identity u32 4 '$s1' >4.hsail
identity u64 8 '$d3' >8.hsail

gives() { # expected words: what is printed of argument 2 after the kernel for this size of elements
    case $1 in
    ?8*) width=1 ;;
    ?16*) width=2 ;;
    ?32*) width=4 ;;
    *) width=8 ;;
    esac
    count=${1#*\[}
    count=${count%%\]*}
    shown=$("$run" -q -p 2 -g "$count" $width.hsail "$1" "${1%%:*}" | tr '\n' ' ') || return 1
    [ "$shown" = "$2 " ] || {
        echo "shown: $shown"
        return 1
    }
}
check "zero" gives 'u32[3]:zero' '0 0 0'
check "iota" gives 'u32[5]:iota' '0 1 2 3 4'
check "iota from a start" gives 's8[4]:iota=-2' '-2 -1 0 1'
check "iota wraps around" gives 'u8[3]:iota=254' '254 255 0'
check "iota of floats" gives 'f32[3]:iota=0.5' '0.5 1.5 2.5'
check "a list" gives 'u16[3]:1,0x10,65535' '1 16 65535'
check "one value throughout" gives 's64[3]:-9223372036854775808' \
    '-9223372036854775808 -9223372036854775808 -9223372036854775808'
check "f64" gives 'f64[3]:0.1,-0.0,inf' '0.10000000000000001 -0 inf'
check "f32" gives 'f32[3]:0.1,0x1p-149,-nan' '0.100000001 1.40129846e-45 -nan'
check "f16" gives 'f16[3]:0.1,65504,0x1p-24' '0.099976 65504 5.9605e-08'
check "bits are shown in hexadecimal" gives 'b32[2]:255,0xdeadbeef' '0x000000ff 0xdeadbeef'
check "u64 in full" gives 'u64[2]:18446744073709551615,7' '18446744073709551615 7'

same_random() {
    "$run" -q -p 2 -g 100 4.hsail "$1" 'u32[100]' >r1 && "$run" -q -p 2 -g 100 4.hsail "$1" 'u32[100]' >r2 &&
        cmp r1 r2 && [ "$(sort -u r1 | wc -l)" -gt 90 ]
}
check "random is repeated by its seed" same_random 'u32[100]:random=5'
check "random without a seed is repeated too" same_random 'u32[100]:random'
cp r1 r0
check "another seed gives other numbers" sh -c '"$1" -q -p 2 -g 100 4.hsail "u32[100]:random=6" "u32[100]" | { ! cmp -s r0 -; }' sh "$run"
check "random floats are at least 0 and below 1" sh -c '"$1" -q -p 2 -g 1000 4.hsail "f32[1000]:random" "f32[1000]" |
    awk "{ if (\$1 < 0 || \$1 >= 1) bad = 1; sum += \$1 } END { exit bad || sum < 400 || sum > 600 }"' sh "$run"

printf 'abcdefgh' >eight
check "a file gives the elements" gives 'b8[8]:@eight' '0x61 0x62 0x63 0x64 0x65 0x66 0x67 0x68'
check "a result is saved" "$run" -q -g 8 -s 2:out 1.hsail 'u8[]:@eight' 'u8[8]'
check "as the bytes it has" cmp eight out
check "a result goes to standard output" sh -c '"$1" -q -g 8 -s 2:- 1.hsail "u8[]:@eight" "u8[8]" | cmp eight -' sh "$run"
check "the first elements are shown" sh -c '"$1" -g 9 4.hsail "u32[9]:iota" "u32[9]" >shown &&
    printf "argument 1: u32[9]: 0 1 2 3 4 5 6 7 ...\nargument 2: u32[9]: 0 1 2 3 4 5 6 7 ...\n" | cmp - shown' sh "$run"
check "kernels are listed" sh -c '"$1" --list 4.hsail | grep -q "^&copy(u64 %in, u64 %out): kernarg 16, group 0, private 0 bytes$"' sh "$run"
check "standard input" sh -c '"$1" -q -g 4 - "u32[4]" "u32[4]" <4.hsail' sh "$run"
check "a name with and without its mark" sh -c '"$1" -q -k copy 4.hsail "u32[1]" "u32[1]" && "$1" -q -k "&copy" 4.hsail "u32[1]" "u32[1]"' sh "$run"
check "an agent by its index" sh -c '"$1" -a 1 -q 4.hsail "u32[1]" "u32[1]"' sh "$run"
check "an agent by its name" sh -c '"$1" -a gfx900 -q 4.hsail "u32[1]" "u32[1]"' sh "$run"
check "repeated runs are timed" sh -c '"$1" -r 5 --time -q 4.hsail "u32[1]" "u32[1]" 2>&1 | grep -q "fastest of 5"' sh "$run"

# What a kernel takes and requires is known of its code object, too.
cat >limits.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &k(kernarg_u64 %out, kernarg_f32 %x, align(16) kernarg_u8 %pad[5])
{
    requireddim 2;
    requiredgridsize 96,8,1;
    maxdynamicgroupsize 100;
    maxflatgridsize 1000;
    requirenopartialworkgroups;
    ret;
};
END
{
    echo 'module &m:1:0:$full:$large:$near;'
    for name in zebra ant mole bear cat yak dog; do echo "prog kernel &$name(kernarg_u32 %n) { ret; };"; done
} >order.hsail
sed 's/&m:/\&other:/; s/&\([a-z]*\)(/\&\1_2(/' order.hsail >order2.hsail
in_order() { # FILE...: the kernels have the order of the file
    "$run" --list "$@" >list && sed 's/(.*//' list | tr '\n' ' ' >names && cat names
}
names='&zebra &ant &mole &bear &cat &yak &dog '
check "kernels are listed in the order of the text" [ "$(in_order order.hsail)" = "$names" ]
"$tools/hsailasm" order.hsail -o order.brig
"$fin" order.hsail -o order.co
check "in that of BRIG" [ "$(in_order order.brig)" = "$names" ]
check "in that of a code object" [ "$(in_order order.co)" = "$names" ]
check "and one module after the other" [ "$(in_order --module=order2.hsail order.hsail)" = "$names$(echo "$names" | sed 's/\([a-z]\) /\1_2 /g')" ]
same_list() {
    "$fin" -o limits.co limits.hsail && "$run" --list limits.hsail >1 && "$run" --list limits.co >2 && cat 1 2 && cmp 1 2 &&
        grep -q 'f32 %x, u8 %pad\[5\].*2 dimensions.*grid required 96,8,1.*at most 1000 work-items.*no partial.*at most 100 bytes' 1 &&
        "$run" --list --json limits.hsail >1 && "$run" --list --json limits.co >2 && sed 's/"%/"/g' 1 | cmp - 2
}
check "a code object has the signature and the limits of its HSAIL" same_list

# Everything as JSON: each line of both outputs is an object.
is_json() { # FILE...
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys
for name in sys.argv[1:]:
    for line in open(name):
        assert isinstance(json.loads(line), dict)' "$@"
    else
        ! grep -v '^{.*}$' "$@"
    fi
}
json() { # STATUS WORD ARGUMENT...: hsailrun --json ends so, and WORD, a pattern, is in what it writes
    wanted=$1 word=$2
    shift 2
    "$run" --json "$@" >out.json 2>err.json
    status=$?
    cat out.json err.json
    [ $status -eq "$wanted" ] && is_json out.json err.json && cat out.json err.json | grep -q -- "$word"
}
check "JSON: results" json 0 '"argument":1,"type":"f32","count":3,"values":\[0,1,2\]' -g 3 4.hsail 'f32[3]:iota' 'u32[3]'
check "JSON: values that JSON has no numbers for" json 0 '"values":\["inf",1,"-nan"\]' -g 3 4.hsail 'f32[3]:inf,1,-nan' 'u32[3]'
check "JSON: all elements" json 0 '"count":9,"values":\[0,1,2,3,4,5,6,7,8\]' -g 9 -p 2 4.hsail 'u32[9]:iota' 'u32[9]'
check "JSON: arguments that do not fit" json 1 '"kind":"error","tool":"hsailrun","text":"argument 4.*f32.*u32' -g 1 vector_add.hsail \
    'f32[1]' 'f32[1]' 'f32[1]' f32:1
check "JSON: with the signature" grep -q '"kind":"kernel","kernel":"&vector_add","arguments":\[{"offset":0' err.json
check "JSON: sizes that contradict" json 1 'requiredgridsize says 96,8,1' -g 32,8 limits.hsail 'u32[1]' f32:1 u8:1 u8:1 u8:1 u8:1 u8:1
check "JSON: a wrong argument" json 2 '"text":"argument `u33:1`' 4.hsail u33:1
check "JSON: a wrong option" json 2 '"kind":"usage".*--grid' -g x 4.hsail
check "JSON: a file that is missing" json 1 'nowhere.hsail: No such file' nowhere.hsail
check "JSON: a file of another kind" json 1 'no code object' "$(command -v sh)"
sed 's/ld_global_u32/ld_global_u33/' 4.hsail >typo.hsail
check "JSON: diagnostics" json 1 '"line":11.*"severity":"error","id":"modifier"' typo.hsail 'u32[1]' 'u32[1]'
check "JSON: a fault" json 1 '"kind":"fault","id":"fault-memory"' -g 1 4.hsail 'u32[1]' u64:0
fin_json() { # PATTERN ARGUMENT...
    word=$1
    shift
    ! "$fin" --diagnostics=json -o no.co "$@" 2>err.json && cat err.json && is_json err.json && grep -q -- "$word" err.json
}
check "JSON of hsailfin: diagnostics" fin_json '"severity": *"error"' typo.hsail
check "JSON of hsailfin: a target" fin_json 'target-unknown' -t gfx1 4.hsail
check "JSON of hsailfin: a file" fin_json '"kind":"error"' nowhere.hsail

saved=2
refuses() { # word command...: exit status 1, the word in the message, no output of argument $saved
    word=$1
    shift
    rm -f no
    "$run" -s $saved:no "$@" >out 2>messages
    status=$?
    cat messages
    [ "$status" -eq 1 ] && grep -q -- "$word" messages && [ ! -e no ]
}
check "too few arguments" refuses 'takes 4' -g 1 vector_add.hsail 'f32[1]' 'f32[1]'
check "too many arguments" refuses 'takes 2' -g 1 4.hsail 'u32[1]' 'u32[1]' u32:1
check "the signature is shown" grep -q '^the kernel is &copy(u64 %in, u64 %out)$' messages
check "a number too wide" refuses 'argument 4.*u64.*u32 for %count' -g 1 vector_add.hsail 'f32[1]' 'f32[1]' 'f32[1]' u64:1
check "a float for an integer" refuses 'argument 4.*f32.*u32' -g 1 vector_add.hsail 'f32[1]' 'f32[1]' 'f32[1]' f32:1
check "a float for an address" refuses 'argument 1.*f32.*u64' -g 1 vector_add.hsail f32:1 'f32[1]' 'f32[1]' u32:1
check "a buffer for a number" refuses 'argument 4.*buffer.*u32' -g 1 vector_add.hsail 'f32[1]' 'f32[1]' 'f32[1]' 'u32[1]'
check "a kernel that is not there" refuses 'no kernel' -k other 4.hsail 'u32[1]' 'u32[1]'
check "an agent that is not there" refuses 'no agent' -a 17 4.hsail 'u32[1]' 'u32[1]'
check "an agent that runs no kernels" refuses 'does not run kernels' -a 0 4.hsail 'u32[1]' 'u32[1]'
check "a file that is too short" refuses 'size' -g 8 1.hsail 'u8[9]:@eight' 'u8[8]'
check "half an element" refuses 'whole number' -g 2 2.hsail 'u64[1]:@eight' 'u8[8]:random=x'
check "bad elements" refuses 'element' -g 2 4.hsail 'u32[2]:1,x' 'u32[2]'
check "too few elements" refuses 'fewer' -g 2 4.hsail 'u32[3]:1,2' 'u32[2]'
check "too many elements" refuses 'more' -g 2 4.hsail 'u32[2]:1,2,3' 'u32[2]'
check "an element its type cannot hold" refuses 'element' -g 2 1.hsail 'u8[2]:1,256' 'u8[2]'
check "a group larger than the agent's" refuses . -g 4096 -w 4096 4.hsail 'u32[4096]' 'u32[4096]'
check "an ELF file that is no code object" refuses 'no code object' "$(command -v sh)" 'u32[1]' 'u32[1]'
no_finalizer() {
    ! HSA_EXT_FINALIZE_LIBRARY=$work/nowhere.so "$run" 4.hsail 'u32[1]' 'u32[1]' 2>err && cat err &&
        grep -q 'finalizer-load' err && grep -q 'nowhere.so: .*No such file' err && grep -q 'not installed' err
}
check "why the finalizer cannot be loaded" no_finalizer
printf 'module &m:1:0:$full:$large:$near;\nprog kernel &k(kernarg_u64 %%a, kernarg_u64 %%b) { @x: br @x; };\n' >endless.hsail
check "a kernel that does not end" refuses 'did not end' --timeout 1 endless.hsail 'u32[1]' 'u32[1]'
cat >wild.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &wild(kernarg_u64 %a, kernarg_u64 %b)
{
    ld_kernarg_u64 $d0, [%a];
    st_global_u32 1, [$d0];
    ret;
};
END
check "a kernel that stores where nothing is" refuses 'fault-memory' wild.hsail u64:16 'u32[1]'
cat >null.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &null(kernarg_u64 %a, kernarg_u64 %out)
{
    ld_kernarg_u64 $d0, [%a];
    cmp_ne_b1_u64 $c0, $d0, 0;
    cbr_b1 $c0, @else;
    mov_b64 $d2, 0;
    st_u32 7, [$d2];
@else:
    ld_kernarg_u64 $d1, [%out];
    st_global_u32 2, [$d1];
    ret;
};
END
check "a kernel that stores at the null address" refuses 'fault-memory' null.hsail u64:0 'u32[1]'
check "but not one that might" "$run" null.hsail u64:1 'u32[1]'
cat >near.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &near(kernarg_u64 %out, kernarg_u64 %by)
{
    workitemabsid_u32 $s0, 0;
    ld_kernarg_u64 $d1, [%out];
    ld_kernarg_u64 $d2, [%by];
    add_u64 $d1, $d1, $d2;
    cmp_ne_b1_u32 $c0, $s0, 70;
    cbr_b1 $c0, @end;
    st_global_u32 $s0, [$d1];
@end:
    ret;
};
END
# facts BY: what is reported about a store by work-item 70, BY bytes away from a buffer of 256 bytes
facts() {
    rm -f report.json
    if "$run" --report-json=report.json -g 128 -w 64 near.hsail 'u32[64]' "u64:$1" 2>facts.txt; then return 1; fi
    cat facts.txt
    for fact in 'kernel &near' 'work-item (6,0,0)' 'work-group (1,0,0)' 'global_store_dword' '&near+0x' 'writes 4 bytes' "$2"
    do
        grep -qF -- "$fact" facts.txt || { echo "# no $fact"; return 1; }
    done
    [ `wc -l <report.json` -eq 1 ] && grep -qF -- "$3" report.json &&
        grep -q '"kernel":"&near".*"work_group":\[1,0,0\],"work_item":\[6,0,0\].*"access":"write"' report.json
}
check "a store before a buffer names all facts" facts 18446744073709551608 \
    '8 bytes before the 256-byte buffer of argument 1, %out' '"distance":8,"where":"before"'
check "and one after the page that it has" facts 4096 '3840 bytes after the end of the 256-byte' \
    '"distance":3840,"where":"after"'
check "a pipe takes reports, too" sh -c 'HSA_REPORT_FILE=/proc/self/fd/1 "$1" wild.hsail u64:0 "u32[1]" 2>/dev/null |
    grep "\"address\":\"0x0\""' sh "$run"
check "the address 0 is told too" sh -c '"$1" wild.hsail u64:0 "u32[1]" 2>&1 | grep "address 0x0$"' sh "$run"
printf '#include <stdio.h>\n' >text.hsail
cat >trap.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &k(kernarg_u64 %in, kernarg_u64 %out)
{
    workitemabsid_u32 $s0, 0;
    cmp_lt_b1_u32 $c0, $s0, 70;
    cbr_b1 $c0, @end;
    debugtrap_u32 $s0;
@end:
    ret;
};
END
check "a trap names the work-item" refuses 'work-item (70,0,0) of work-group (0,0,0) at &k+0x.*, trap.hsail:7: s_trap' \
    -g 128 -w 128 trap.hsail 'u32[1]' 'u32[1]'
check "a file that is no HSAIL" refuses 'text.hsail:1:1' text.hsail 'u32[1]' 'u32[1]'
printf '\177ELFnot really' >elf
check "a file that only begins as an ELF file" refuses elf elf 'u32[1]' 'u32[1]'

# ---- what directives require ----
cat >limits.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &required(kernarg_u64 %a, kernarg_u64 %out)
{
    requireddim 2;
    requiredgridsize 8, 6, 1;
    requiredworkgroupsize 4, 2, 1;
    workgroupsize_u32 $s0, 0;
    workgroupsize_u32 $s1, 1;
    shl_u32 $s1, $s1, 16;
    or_b32 $s0, $s0, $s1;
    ld_kernarg_u64 $d0, [%out];
    st_global_u32 $s0, [$d0];
    ret;
};
prog kernel &limited(kernarg_u64 %a, kernarg_u64 %out)
{
    maxflatworkgroupsize 96;
    maxflatgridsize 1000;
    maxdynamicgroupsize 64;
    workgroupsize_u32 $s0, 0;
    ld_kernarg_u64 $d0, [%out];
    st_global_u32 $s0, [$d0];
    ret;
};
prog kernel &whole(kernarg_u64 %a, kernarg_u64 %out)
{
    requirenopartialworkgroups;
    ret;
};
END
shows() { # expected command...: what argument 2 prints
    want=$1
    shift
    shown=$("$run" -q -p 2 "$@" 'u32[1]' 'u32[1]' | tr '\n' ' ')
    echo "shown: $shown"
    [ "$shown" = "$want " ]
}
check "required sizes are the defaults" shows 131076 -k required limits.hsail
check "required sizes can be said, too" shows 131076 -k required -g 8,6 -w 4,2 limits.hsail
check "the default group keeps to the limit" shows 96 -k limited -g 300 limits.hsail
check "another number of dimensions" refuses '1 dimension.*requireddim says 2' -k required -g 8 limits.hsail 'u32[1]' 'u32[1]'
check "another grid" refuses 'grid says 8,8,1.*requiredgridsize says 8,6,1' -k required -g 8,8 limits.hsail 'u32[1]' 'u32[1]'
check "another group" refuses 'group says 8,1,1.*requiredworkgroupsize says 4,2,1' -k required -w 8 limits.hsail 'u32[1]' 'u32[1]'
check "a group above the kernel's limit" refuses '128.*maxflatworkgroupsize says 96' -k limited -g 300 -w 128 limits.hsail 'u32[1]' 'u32[1]'
check "a grid above the kernel's limit" refuses '1001.*maxflatgridsize says 1000' -k limited -g 1001 limits.hsail 'u32[1]' 'u32[1]'
cat >contradict.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &group(kernarg_u64 %a, kernarg_u64 %b) { requiredworkgroupsize 64, 2, 1; maxflatworkgroupsize 32; };
prog kernel &grid(kernarg_u64 %a, kernarg_u64 %b) { requiredgridsize 64, 2, 1; maxflatgridsize 32; };
END
check "a required group above the limit" refuses 'requiredworkgroupsize is 128 .*maxflatworkgroupsize 32' \
    -k group -g 128,4 contradict.hsail 'u32[1]' 'u32[1]'
check "a required grid above the limit" refuses 'requiredgridsize is 128 .*maxflatgridsize 32' -k grid contradict.hsail 'u32[1]' 'u32[1]'
check "group memory above the kernel's limit" refuses '65.*maxdynamicgroupsize says 64' -k limited --group-memory 65 limits.hsail 'u32[1]' 'u32[1]'
check "a partial group" refuses 'grid of 30.*groups of 16' -k whole -g 30 -w 16 limits.hsail 'u32[1]' 'u32[1]'
check "whole groups" "$run" -q -k whole -g 32 -w 16 limits.hsail 'u32[1]' 'u32[1]'
check "a code object knows its required group" sh -c '"$1/hsailfin" -o limits.co limits.hsail &&
    "$1/hsailrun" -k required -g 8,6 -w 8,6 limits.co "u32[1]" "u32[1]" 2>&1 | grep "requiredworkgroupsize says 4,2,1"' sh "$tools"
check "and its arguments" sh -c '"$1/hsailrun" -k whole limits.co "u32[1]" u32:1 2>&1 | grep "argument 2.*u32"' sh "$tools"

# Metadata may contain what no compiler writes.
sized() { # required most
    sed "s/@REQUIRED@/$1/; s/@MOST@/$2/" "$srcdir/testsuite/tools/sizes.s" >sizes.s
    "$CLANG" -target amdgcn-amd-amdhsa -mcpu=gfx900:xnack- -mcode-object-version=4 -fuse-ld=lld -o sizes.co sizes.s
}
if [ -n "$CLANG" ] && sized '[8,8,1]' 64 2>/dev/null; then
    check "a code object's required group is the default" "$run" -g 64,64 sizes.co 'u32[1]' 'u32[1]'
    check "its dimensions" refuses 'requiredworkgroupsize 8,8,1 .*grid, which has 1' -g 64 sizes.co 'u32[1]' 'u32[1]'
    sized '[16,32,1]' 256
    check "its required group above its limit" refuses 'requiredworkgroupsize is 512 .*maxflatworkgroupsize 256' \
        -g 64,64 -w 16,32 sizes.co 'u32[1]' 'u32[1]'
    sized '[70000,1,1]' 1024
    check "its required group above the agent's limit" refuses 'requiredworkgroupsize is 70000 .*at most 1024' \
        sizes.co 'u32[1]' 'u32[1]'
    sized '[0,8,1]' 64
    check "its required group of nothing" refuses 'requiredworkgroupsize is 0,8,1' sizes.co 'u32[1]' 'u32[1]'
else
    skip "a code object's required group" "no clang that assembles for AMD GPUs"
fi
check "a group above the agent's limit" refuses '2048.*at most 1024' -g 4096 -w 2048 4.hsail 'u32[1]' 'u32[1]'
cat >differ.hsail <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &most(kernarg_u64 %a, kernarg_u64 %b) { maxflatworkgroupsize 32; maxflatworkgroupsize 64; };
prog kernel &group(kernarg_u64 %a, kernarg_u64 %b) { requiredworkgroupsize 4, 2, 1; requiredworkgroupsize 8, 2, 1; };
END
check "the tighter of two limits holds" refuses '64.*maxflatworkgroupsize says 32' -k most -w 64 differ.hsail 'u32[1]' 'u32[1]'
check "the tighter of two required groups" refuses 'requiredworkgroupsize says 4,2,1' \
    -k group -g 16,16 -w 8,2 differ.hsail 'u32[1]' 'u32[1]'

# ---- profiles and modules ----
sed 's/\$full/$base/' 4.hsail >base.hsail
shows7() { "$run" -q -p 2 -g 1 base.hsail 'u32[1]:7' 'u32[1]' | grep -qx 7; }
check "a module of the base profile runs" shows7
cat >main.hsail <<'END'
module &main:1:0:$full:$large:$near;
decl prog function &twice(arg_u32 %r)(arg_u32 %x);
prog kernel &k(kernarg_u64 %in, kernarg_u64 %out)
{
    ld_kernarg_u64 $d0, [%in];
    ld_global_u32 $s0, [$d0];
    {
        arg_u32 %r;
        arg_u32 %x;
        st_arg_u32 $s0, [%x];
        call &twice(%r)(%x);
        ld_arg_u32 $s0, [%r];
    }
    ld_kernarg_u64 $d0, [%out];
    st_global_u32 $s0, [$d0];
    ret;
};
END
cat >twice.hsail <<'END'
module &library:1:0:$full:$large:$near;
prog function &twice(arg_u32 %r)(arg_u32 %x)
{
    ld_arg_u32 $s0, [%x];
    add_u32 $s0, $s0, $s0;
    st_arg_u32 $s0, [%r];
    ret;
};
END
linked() { "$run" -q -p 2 -m twice.hsail main.hsail 'u32[1]:21' 'u32[1]' | grep -qx 42; }
check "two modules are linked" linked
check "a code object and a module are not" refuses 'already linked' -m twice.hsail limits.co 'u32[1]' 'u32[1]'

# ---- images, samplers, signals and queues ----
cat >objects.hsail <<'END'
module &m:1:0:$full:$large:$near;
extension "IMAGE";
prog kernel &texels(kernarg_roimg %from, kernarg_rwimg %to)
{
    ld_kernarg_roimg $d0, [%from];
    ld_kernarg_rwimg $d1, [%to];
    workitemabsid_u32 $s0, 0;
    workitemabsid_u32 $s1, 1;
    workitemabsid_u32 $s2, 2;
    ldimage_v4_3d_u32_roimg_u32 ($s4, $s5, $s6, $s7), $d0, ($s0, $s1, $s2);
    add_u32 $s4, $s4, 100;
    stimage_v4_2da_u32_rwimg_u32 ($s4, $s5, $s6, $s7), $d1, ($s0, $s1, $s2);
};
prog kernel &sampled(kernarg_roimg %from, kernarg_samp %by, kernarg_u64 %out)
{
    ld_kernarg_roimg $d0, [%from];
    ld_kernarg_samp $d1, [%by];
    rdimage_v4_1d_f32_roimg_f32 ($s4, $s5, $s6, $s7), $d0, $d1, 0f3f400000;
    ld_kernarg_u64 $d2, [%out];
    st_global_u32 $s4, [$d2];
    querysampler_addressing_u32 $s0, $d1;
    st_global_u32 $s0, [$d2 + 4];
    queryimage_1d_channeltype_u32_roimg $s0, $d0;
    st_global_u32 $s0, [$d2 + 8];
};
prog kernel &signals(kernarg_sig64 %signal, kernarg_u64 %queue, kernarg_u64 %out)
{
    ld_kernarg_sig64 $d0, [%signal];
    signalnoret_add_screl_s64_sig64 $d0, -7;
    ld_kernarg_u64 $d1, [%queue];
    addqueuewriteindex_global_screl_u64 $d2, [$d1], 3;
    ldqueuewriteindex_global_rlx_u64 $d3, [$d1];
    ld_kernarg_u64 $d1, [%out];
    st_global_u64 $d3, [$d1];
};
END
prints() { # expected words, which argument, command...
    want=$1 number=$2
    shift 2
    shown=$("$run" -q -p "$number" "$@" | tr '\n' ' ')
    echo "shown: $shown"
    [ "$shown" = "$want " ]
}
check "images: each channel of each texel" prints '105 6 107 8 109 10 111 12 101 2 103 4' 2 -k texels -g 2,1,3 objects.hsail \
    'roimg[2x1x3]:3d,rg,unsigned_int16:5,6,7,8,9,10,11,12,1,2,3,4' 'rwimg[2x1x3]:2da,rg,unsigned_int8'
line="roimg[4]:1d,r,float:2,4,4,6"
# 0.75 is the middle between the last two texels, and 0x40a00000 is 5.
check "a sampler that interpolates" prints '0x40a00000 0x00000003 0x0000000f' 3 -k sampled objects.hsail "$line" \
    samp:normalized,linear,repeat 'b32[3]'
check "and one that does not" prints '0x40c00000 0x00000001 0x0000000f' 3 -k sampled objects.hsail "$line" \
    samp:normalized,nearest,clamp_to_edge 'b32[3]'
check "a signal and a queue" sh -c '"$1" -k signals objects.hsail sig64:5 queue "u64[1]" >shown &&
    printf "argument 1: sig64: -2\nargument 3: u64[1]: 3\n" | cmp - shown' sh "$run"
check "of a code object, too" sh -c '"$1/hsailfin" -o objects.co objects.hsail &&
    "$1/hsailrun" -k signals objects.co sig64:-1 queue:128 "u64[1]" | grep -qx "argument 1: sig64: -8"' sh "$tools"
check "an image for another kind of image" refuses 'is rwimg.*wants roimg for %from' -k texels objects.hsail \
    'rwimg[1x1x1]:3d,rg,unsigned_int16' 'rwimg[2x1x3]:2da,rg,unsigned_int8'
saved=3
check "a signal for a sampler" refuses 'is sig64.*wants samp' -k sampled objects.hsail "$line" sig64:1 'u32[3]'
check "a buffer for an image" refuses 'buffer.*wants roimg' -k sampled objects.hsail 'u32[3]' sig64:1 'u32[3]'
check "an image that the agent cannot make" refuses IMAGE_SIZE_UNSUPPORTED -k sampled objects.hsail \
    'roimg[99999999]:1d,r,float' samp:normalized,nearest,repeat 'u32[3]'
check "such a sampler" refuses SAMPLER_DESCRIPTOR_UNSUPPORTED -k sampled objects.hsail "$line" \
    samp:unnormalized,nearest,repeat 'u32[3]'
saved=2

usage() { # word command...
    word=$1
    shift
    "$run" "$@" >out 2>messages
    status=$?
    cat messages
    [ "$status" -eq 2 ] && grep -q -- "$word" messages
}
check "no file" usage 'no file'
check "a bad type" usage 'type' 4.hsail 'u31[3]' 'u32[3]'
check "a bad count" usage 'count' 4.hsail 'u32[0]' 'u32[3]'
check "a huge count" usage 'count' 4.hsail 'u64[99999999999999999999]'
check "a bad scalar" usage '256.*u8' 4.hsail u8:256
check "a scalar without a value" usage 'value' 4.hsail u8
check "a bad grid" usage 'grid' -g 0 4.hsail
check "a grid of four dimensions" usage 'grid' -g 1,1,1,1 4.hsail
cat >square.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &k(kernarg_u64 %out)
{
    requiredworkgroupsize 4,2,1;
    ld_kernarg_u64 $d0, [%out];
    gridsize_u32 $s0, 0;
    gridsize_u32 $s1, 1;
    workitemid_u32 $s2, 1;
    st_v3_global_u32 ($s0, $s1, $s2), [$d0];
    ret;
};
END
check "without --grid there is one work-group of the required size" sh -c '"$1" square.hsail "u32[3]" | grep -q ": 4 2 [01]$"' sh "$run"
sed '/requiredworkgroupsize/d' square.hsail >any.hsail
check "or of the size of --group" sh -c '"$1" -w 8,2 any.hsail "u32[3]" | grep -q ": 8 2 [01]$"' sh "$run"
sed 's/full/base/; s/&m/\&other/; s/&k/\&second/' any.hsail >other.hsail
differs() { # WORDS: the other module is refused with these words
    ! "$run" --module=other.hsail any.hsail 'u32[3]' >out 2>said && cat said && grep -qF "$1" said
}
check "modules of two profiles: both are named" differs 'profile $base, and the program of $full'
sed 's/large/small/; s/&m/\&other/; s/&k/\&second/; s/ld_kernarg_u64 $d0/ld_kernarg_u32 $s3/; s/kernarg_u64/kernarg_u32/; s/\[$d0\]/[$s3]/' any.hsail >other.hsail
check "modules of two machine models: both are named" differs 'machine model $small, and the program of $large'
check "a group of more dimensions" usage 'dimensions' -g 16 -w 4,4 4.hsail
check "a print of a scalar" usage 'no buffer' -p 1 4.hsail u32:1
check "a save of nothing" usage 'no buffer' -s 3:x 4.hsail u32:1
for argument in 'roimg[4x4]:1d,r,float' 'roimg[4]:1d,r,floaty' 'roimg[4]:1d,bgra,float' 'roimg[4' 'roimg[4]' roimg 'roimg[0]:1d,r,float' \
    'roimg[4]:1d,r' samp:normalized,nearest samp:normalized,nearest,repeat,repeat samp sig64 sig64: sig64:x queue:3 queue:0; do
    check "$argument" usage 'argument .*:' -k sampled objects.hsail "$argument"
done
expect_status 0 "help" "$run" --help
expect_status 0 "version" "$run" --version

tap_done
