# hsailfin: what it accepts, refuses and writes.
. "$srcdir/testsuite/tap.sh"
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
check "options of the finalizer" "$tools/hsailfin" -O -O0 -o o.co vector_copy.hsail
check "which change the code" sh -c '! cmp vector_copy.co o.co'

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
check "an unknown option of the finalizer" says frobnicate "$tools/hsailfin" -O -frobnicate -o kept.co vector_copy.hsail
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
expect_status 2 "an unknown option" "$tools/hsailfin" --frobnicate x
expect_status 2 "standard input without an output" "$tools/hsailfin" -
expect_status 2 "standard input twice" "$tools/hsailfin" -o x.co - -
expect_status 0 "help" "$tools/hsailfin" --help
expect_status 0 "version" "$tools/hsailfin" --version

if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/llvm-readelf" ]; then
    check "llvm-readelf finds nothing wrong" sh -c '"$1/llvm-readelf" -a vector_copy.co 2>&1 >dump | { ! grep .; }' sh "$LLVM_BINDIR"
    check "and sees a code object of version 4" grep -q 'ABI Version: *2' dump
    check "with the kernel in its notes" grep -q 'vector_copy.kd' dump
else
    skip "llvm-readelf finds nothing wrong" "no llvm-readelf"
fi

tap_done
