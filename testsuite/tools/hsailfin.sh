# Tests what hsailfin accepts, refuses and writes.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99
cp "$srcdir"/examples/*.hsail "$work" && chmod u+w "$work"/* && cd "$work" || exit 99

says() { # word command...: the command fails with status 1 and says the word
    word=$1
    shift
    "$@" 2>messages
    status=$?
    [ "$status" -eq 1 ] && grep -q -- "$word" messages
}

check "text is finalized" "$tools/hsailfin" vector_copy.hsail
check "the default output is named after the input" test -s vector_copy.co
check "a code object is an ELF file" sh -c 'head -c 4 vector_copy.co | od -An -c | grep -q "177 *E *L *F"'
check "BRIG is finalized" sh -c '"$1/hsailasm" -o v.brig vector_copy.hsail && "$1/hsailfin" -o b.co v.brig' sh "$tools"
check "and gives the same code" cmp vector_copy.co b.co
check "standard input and output" sh -c '"$1/hsailfin" -o - - <vector_copy.hsail >s.co && cmp vector_copy.co s.co' sh "$tools"
check "a target in full" "$tools/hsailfin" -t amdgcn-amd-amdhsa--gfx900:xnack- -o t.co vector_copy.hsail
check "another target" "$tools/hsailfin" --target=gfx906 -o u.co vector_copy.hsail
check "options of the finalizer" "$tools/hsailfin" --finalizer-options=-O0 -o o.co vector_copy.hsail
check "which change the code" sh -c '! cmp vector_copy.co o.co'
for option in -O0 '-O 0' --optimize=0 '-O -O0' '-O3 --finalizer-options=-O0' '-O2 -O0'; do
    # shellcheck disable=SC2086 # a list of options
    check "$option is the same" sh -c '"$@" && cmp o.co level.co' sh "$tools/hsailfin" $option -o level.co vector_copy.hsail
done
for option in -O1 -O2 -O3 '-O0 -O3'; do
    # shellcheck disable=SC2086
    check "$option is the default" sh -c '"$@" && cmp vector_copy.co level.co' sh \
        "$tools/hsailfin" $option -o level.co vector_copy.hsail
done
check "text for the finalizer after -O, as of old" "$tools/hsailfin" -O '-O2 -dump-code=old.co' -o level.co vector_copy.hsail
check "is read whole" cmp level.co old.co

cat >callee.hsail <<'END'
module &callee:1:0:$full:$large:$near;
prog function &twice(arg_u32 %out)(arg_u32 %in)
{
    ld_arg_u32 $s0, [%in];
    add_u32 $s0, $s0, $s0;
    st_arg_u32 $s0, [%out];
    ret;
};
END
cat >caller.hsail <<'END'
module &caller:1:0:$full:$large:$near;
decl prog function &twice(arg_u32 %out)(arg_u32 %in);
prog kernel &double(kernarg_u64 %buffer)
{
    workitemabsid_u32 $s0, 0;
    shl_u32 $s1, $s0, 2;
    cvt_u64_u32 $d0, $s1;
    ld_kernarg_u64 $d1, [%buffer];
    add_u64 $d0, $d0, $d1;
    {
        arg_u32 %in;
        arg_u32 %out;
        ld_global_u32 $s2, [$d0];
        st_arg_u32 $s2, [%in];
        call &twice(%out)(%in);
        ld_arg_u32 $s2, [%out];
    }
    st_global_u32 $s2, [$d0];
    ret;
};
END
check "two modules are linked" "$tools/hsailfin" -o linked.co caller.hsail callee.hsail
check "a function that no module defines" says twice "$tools/hsailfin" -o missing.co caller.hsail
check "leaves no output" test ! -e missing.co

echo keep >kept.co
check "an unknown target" says gfx9999 "$tools/hsailfin" -t gfx9999 -o kept.co vector_copy.hsail
check "is told of the known ones" grep -q 'gfx900.*gfx942' messages
check "an unknown option of the finalizer" says frobnicate "$tools/hsailfin" -O -frobnicate -o kept.co vector_copy.hsail
check "a file that the finalizer cannot write" says no-such-folder \
    "$tools/hsailfin" --finalizer-options=-dump-isa=no-such-folder/x -o kept.co vector_copy.hsail
check "-S of what cannot be compiled" says 'twice is called' "$tools/hsailfin" -S -o kept.co caller.hsail
printf 'module &m:1:0:$full:$large:$near;\nkernel &k() { add_u33 $s0, $s0, 1; };\n' >bad.hsail
check "bad text" says 'bad.hsail:2:' "$tools/hsailfin" -o kept.co bad.hsail
check "a code object is no input" says "code object" "$tools/hsailfin" -o kept.co vector_copy.co
: >empty
check "an empty file" says empty "$tools/hsailfin" -o kept.co empty
check "a file that is not there" says nowhere "$tools/hsailfin" -o kept.co nowhere
check "after all that the output is as it was" test "$(cat kept.co)" = keep
check "an output that cannot be written" says no-such-folder "$tools/hsailfin" -o no-such-folder/x.co vector_copy.hsail
check "a full disk" says full "$tools/hsailfin" -o /dev/full vector_copy.hsail
expect_status 2 "no file" "$tools/hsailfin"
expect_status 2 "a level that there is not" "$tools/hsailfin" -O4 vector_copy.hsail
expect_status 2 "no level" "$tools/hsailfin" -O vector_copy.hsail
expect_status 2 "assembly for two files" "$tools/hsailfin" -S -O -dump-isa=x vector_copy.hsail
expect_status 2 "an unknown option" "$tools/hsailfin" --frobnicate x
expect_status 2 "standard input without an output" "$tools/hsailfin" -
expect_status 2 "standard input twice" "$tools/hsailfin" -o x.co - -
expect_status 0 "help" "$tools/hsailfin" --help
expect_status 0 "version" "$tools/hsailfin" --version

# Targets: the rows of support/amdgpu.def say which features a processor has; targets.sh tries all processors.
check "targets are listed" sh -c '"$1/hsailfin" --list-targets >targets' sh "$tools"
check "gfx906 with its features" grep -qx "$(printf 'gfx906\t64\tsramecc xnack')" targets
check "gfx803 without any" grep -qx "$(printf 'gfx803\t64\t')" targets
check "none that is refused" sh -c 'cut -f 1 targets | while read -r target; do
    "$1/hsailfin" -t "$target" -o t.co vector_copy.hsail || exit 1; done' sh "$tools"
check "a list that cannot be written" sh -c '"$1/hsailfin" --list-targets >/dev/full; test $? -eq 1' sh "$tools"

# Text instead of a code object.
mkdir "a folder"
check "machine code as text" "$tools/hsailfin" -S vector_copy.hsail
check "is named after the input" grep -q 's_endpgm' vector_copy.s
check "a name with a blank" sh -c '"$1/hsailfin" -S -o "a folder/x" vector_copy.hsail && cmp "a folder/x" vector_copy.s' sh "$tools"
check "a temporary folder with one" sh -c 'TMPDIR="$PWD/a folder" "$1/hsailfin" -S -o - vector_copy.hsail | cmp - vector_copy.s' \
    sh "$tools"
check "levels apply to it" sh -c '"$1/hsailfin" -S -O0 -o slow.s vector_copy.hsail && ! cmp slow.s vector_copy.s' sh "$tools"
check "LLVM IR" "$tools/hsailfin" --emit-llvm vector_copy.hsail
check "is named after the input, too" grep -q 'target triple = "amdgcn-amd-amdhsa"' vector_copy.ll
check "with -S it is still IR" sh -c '"$1/hsailfin" --emit-llvm -S -o - vector_copy.hsail | cmp - vector_copy.ll' sh "$tools"
mkdir temporary
check "the file in between" sh -c 'TMPDIR=$PWD/temporary "$1/hsailfin" -S -o x.s vector_copy.hsail' sh "$tools"
check "does not stay" rmdir temporary
if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/llvm-mc" ]; then
    check "llvm-mc reads the assembly" "$LLVM_BINDIR/llvm-mc" -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj \
        -o mc.o vector_copy.s
else
    skip "llvm-mc reads the assembly" "no llvm-mc"
fi
if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/opt" ]; then
    check "opt reads the IR" "$LLVM_BINDIR/opt" -passes=verify -disable-output vector_copy.ll
else
    skip "opt reads the IR" "no opt"
fi

# What kernels use: group and private memory are known here, and llvm-readelf reads the rest.
cat >use.hsail <<'END'
module &use:1:0:$full:$large:$near;
prog kernel &first(kernarg_u64 %buffer)
{
    group_u32 %g[64];
    private_u32 %p[12];
    workitemid_u32 $s0, 0;
    and_b32 $s0, $s0, 7;
    shl_u32 $s1, $s0, 2;
    st_group_u32 $s0, [%g][$s1];
    st_private_u32 $s0, [%p][$s1];
    barrier;
    ld_private_u32 $s2, [%p];
    ld_group_u32 $s3, [%g];
    add_u32 $s2, $s2, $s3;
    ld_kernarg_u64 $d0, [%buffer];
    st_global_u32 $s2, [$d0];
    ret;
};
prog kernel &second() { ret; };
END
for target in gfx900 gfx90a; do
    check "what kernels use on $target" sh -c '"$1/hsailfin" -v -t $2 -o use.co use.hsail 2>use >out && test ! -s out' sh \
        "$tools" $target
    check "a line for each" test "$(cut -d : -f 1 use | tr '\n' ' ')" = '&first &second '
    check "group memory" test "$(sed -n 's/.*LDS \([0-9]*\) bytes.*/\1/p' use | tr '\n' ' ')" = '256 0 '
    check "private memory" sh -c 'n=$(sed -n "/&first/s/.*scratch \([0-9]*\) bytes.*/\1/p" use) && [ "$n" -ge 48 ] && [ "$n" -le 64 ]'
    if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/llvm-readelf" ]; then
        "$LLVM_BINDIR/llvm-readelf" --notes use.co >notes
        for word in 'VGPRs .vgpr_count' 'AGPRs .agpr_count' 'SGPRs .sgpr_count' 'spilled VGPRs .vgpr_spill_count' \
            'spilled SGPRs .sgpr_spill_count'; do
            sed -n "s/.*[:,] ${word% *} \([0-9]*\).*/\1/p" use >seen
            sed -n "s/^[ -]*${word##* }: *\([0-9]*\).*/\1/p" notes >wanted
            check "${word% *} on $target" sh -c 'cat seen wanted; cmp seen wanted && { [ -s seen ] || [ "$1" = AGPRs-gfx900 ]; }' sh \
                "${word% *}-$target"
        done
    else
        skip "registers on $target" "no llvm-readelf"
    fi
done
check "beside a code object on standard output" sh -c '"$1/hsailfin" -v -t gfx90a -o - use.hsail 2>again | cmp - use.co && cmp use again' \
    sh "$tools"
check "beside text" sh -c '"$1/hsailfin" -Sv -t gfx90a -o use.s use.hsail 2>again && cmp use again' sh "$tools"
check "not in a program without kernels" sh -c '"$1/hsailfin" -v -o f.co callee.hsail 2>again && test ! -s again' sh "$tools"

# long_function NAME CALLED: a function that is too long to be inlined and calls CALLED, which has been declared
long_function() {
    printf 'function &%s(arg_u32 %%r)(arg_u32 %%a)\n{\nld_arg_u32 $s0, [%%a];\n' "$1"
    awk 'BEGIN { while (i++ < 60) print "mul_u32 $s0, $s0, 17; xor_b32 $s0, $s0, 55;" }' </dev/null
    printf '{ arg_u32 %%x; arg_u32 %%y; st_arg_u32 $s0, [%%y]; call &%s(%%x)(%%y); ld_arg_u32 $s1, [%%x]; }\n' "$2" "$2"
    printf 'st_arg_u32 $s1, [%%r];\n};\n'
}
for called in outer end; do
    {
        printf 'module &m:1:0:$full:$large:$near;\ndecl function &outer(arg_u32 %%r)(arg_u32 %%a);\n'
        printf 'function &end(arg_u32 %%r)(arg_u32 %%a)\n{\nprivate_u32 %%p[32]; ld_arg_u32 $s0, [%%a];\n'
        printf 'st_private_u32 $s0, [%%p][$s0]; ld_private_u32 $s0, [%%p]; st_arg_u32 $s0, [%%r];\n};\n'
        long_function inner $called
        long_function outer inner
        printf 'prog kernel &calls(kernarg_u64 %%b)\n{\nld_kernarg_u64 $d0, [%%b]; ld_global_u32 $s0, [$d0];\n'
        printf '{ arg_u32 %%x; arg_u32 %%y; st_arg_u32 $s0, [%%y]; call &outer(%%x)(%%y); ld_arg_u32 $s1, [%%x]; }\n'
        printf '{ arg_u32 %%x; arg_u32 %%y; st_arg_u32 $s1, [%%y]; call &inner(%%x)(%%y); ld_arg_u32 $s1, [%%x]; }\n'
        printf 'st_global_u32 $s1, [$d0];\n};\n'
    } >calls.hsail
    check "calls of $called compile" sh -c '"$1/hsailfin" -v -o calls.co calls.hsail 2>use' sh "$tools"
    scratch=$(sed -n 's/.*scratch \([0-9]*\) bytes.*/\1/p' use)
    if [ $called = end ]; then
        check "what functions need is all that a kernel needs ($scratch bytes)" test "$scratch" -ge 128 -a "$scratch" -le 512
    else
        check "with recursion it needs more ($scratch bytes)" test "$scratch" -ge 16384
    fi
done

# ---- what is not optimized ----

# kernel NAME: a kernel with the statements of standard input
kernel() {
    printf 'module &m:1:0:$full:$large:$near;\nprog kernel &%s(kernarg_u64 %%p)\n{\nld_kernarg_u64 $d0, [%%p];\n' "$1"
    cat
    printf '};\n'
}
awk 'BEGIN { while (i++ < 2600) print "atomicnoret_add_global_rlx_agent_u32 [$d0], 1;" }' >atomics
kernel straight <atomics >straight.hsail
{
    echo 'mov_b32 $s0, 0; @again: add_u32 $s0, $s0, 1; cmp_lt_b1_u32 $c0, $s0, 9; cbr_b1 $c0, @again;'
    cat atomics
} | kernel long >long.hsail
{
    echo 'ld_global_u32 $s0, [$d0]; sbr_u32 $s0 [@a, @b, @b]; @a: st_global_u32 $s0, [$d0]; @b:'
    cat atomics
} | kernel chooses >chooses.hsail
awk 'BEGIN {
    print "ld_global_u32 $s0, [$d0];"
    for (; i < 320; i++)
        printf "@n%d:\nadd_u32 $s0, $s0, %d;\ncmp_eq_b1_u32 $c0, $s0, %d;\ncbr_b1 $c0, @n%d;\n", i, i, i * 7, (i * 131 + 17) % 320
    print "st_global_u32 $s0, [$d0];"
}' </dev/null | kernel tangled >tangled.hsail
awk 'BEGIN {
    for (; i < 100; i++) {
        printf "ld_global_u32 $s0, [$d0];\n@again%d:\nadd_u32 $s0, $s0, 3;\ncmp_gt_b1_u32 $c0, $s0, 90;\ncbr_b1 $c0, @end%d;\n", i, i
        printf "add_u32 $s0, $s0, 7;\ncmp_lt_b1_u32 $c0, $s0, 80;\ncbr_b1 $c0, @again%d;\n@end%d:\nst_global_u32 $s0, [$d0];\n", i, i
    }
}' </dev/null | kernel loops >loops.hsail
# warns ID KERNEL [OPTION...]: the file of that name is finalized, with one warning, which names the kernel
warns() {
    id=$1 name=$2
    shift 2
    "$tools/hsailfin" "$@" -o w.co "$name.hsail" 2>err && test -s w.co && test "$(wc -l <err)" = 1 && grep "&$name .*$id" err || {
        cat err
        return 1
    }
}
# quiet KERNEL [OPTION...]: the file of that name is finalized without a warning
quiet() {
    name=$1
    shift
    "$tools/hsailfin" "$@" -o w.co "$name.hsail" 2>&1 | { ! grep .; }
}
check "a warning names a function that is too long to be optimized with lines" warns 'limit 40000.*\[function-long]' long -g
check "because of a loop, or of a switch" warns 'limit 40000.*\[function-long]' chooses -g
check "not without any" quiet straight -g
check "as JSON" warns '"severity":"warning","id":"function-long"\|"id":"function-long"' long -g --diagnostics=json
check "or has too irregular flow" warns 'limit is 300.*\[function-irregular]' tangled -g
check "also if no worker compiles" env HSAIL_FINALIZER_WORKER=0 sh -c '"$1/hsailfin" -g -o w.co long.hsail 2>&1 | grep "function-long"' \
    sh "$tools"
check "not if no optimization is wanted" quiet long -O0 -g
check "nor for many loops with two exits" quiet loops -g
for name in long chooses tangled straight loops; do
    check "without lines, $name gives no warning" quiet "$name"
    check "nor does it at -O0" quiet "$name" -O0
done
check "-pieces=N divides shorter functions" sh -c '"$1/hsailfin" --finalizer-options=-pieces=200 -S -o - loops.hsail | grep -c "s_swappc_b64" >calls
    test "$(cat calls)" -ge 3' sh "$tools"
for text in -pieces= -pieces=x -pieces=1x -pieces=1234567890 -pieces=-1; do
    check "$text is no option" sh -c '! "$1/hsailfin" --finalizer-options="$2" -o w.co loops.hsail 2>err && grep "option-unknown" err' sh \
        "$tools" "$text"
done
check "hsailrun, which wants lines, warns, too" sh -c '"$1/hsailrun" -g 1 long.hsail "u32[1]" >out 2>err; cat out err
    grep -q "warning: &long .*\[function-long]" err && grep -q ": 2600" out' sh "$tools"

if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/llvm-readelf" ]; then
    check "llvm-readelf finds nothing wrong" sh -c '"$1/llvm-readelf" -a vector_copy.co 2>&1 >dump | { ! grep .; }' sh "$LLVM_BINDIR"
    check "and sees a code object of version 4" grep -q 'ABI Version: *2' dump
    check "with the kernel in its notes" grep -q 'vector_copy.kd' dump
else
    skip "llvm-readelf finds nothing wrong" "no llvm-readelf"
fi

tap_done
