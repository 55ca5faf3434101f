# Compiles without a worker: the compiler's module must be found near the library, and one that cannot be used be
# refused.
. "$srcdir/testsuite/tap.sh"

if [ "${TEST_LLVM:-none}" = none ]; then
    skip "the compiler is loaded without a worker" "configured with --without-llvm"
    tap_done
fi
if [ "$TEST_SANITIZERS" != no ]; then
    skip "the compiler is loaded without a worker" "a library of the sanitizers has to come first"
    tap_done
fi
mkdir "$work/lib"
cp "$builddir"/.libs/libhsa-ext-finalize64.so.1.* "$work/lib/libhsa-ext-finalize64.so.1"
tool=$builddir/.libs/hsailfin
[ -x "$tool" ] || tool=$builddir/hsailfin

finalize() {
    HSAIL_FINALIZER_WORKER=0 LD_LIBRARY_PATH=$work/lib:$builddir/.libs "$tool" -o "$work/code" \
        "$srcdir/examples/vector_copy.hsail" 2>"$work/messages"
    status=$?
    cat "$work/messages"
    return $status
}
refuses() { ! finalize && grep -qF "[$1]" "$work/messages"; }

if finalize >/dev/null; then
    skip "a missing compiler is reported" "an installed one was found"
else
    check "a missing compiler is reported" grep -qF "[compiler-missing]" "$work/messages"
fi
echo nothing >"$work/lib/hsail-compile.so"
check "one that is no library is reported" refuses compiler-load
version=$("$builddir/hsailfin" --version | sed -n '1s/.* //p')
other=$(echo "$version" | tr 0-9 7)
LC_ALL=C sed "s/$version/$other/g" "$builddir/.libs/hsail-compile.so" >"$work/lib/hsail-compile.so"
check "one of another build is refused" refuses compiler-build
cp "$builddir/.libs/hsail-compile.so" "$work/lib"
check "the library's own compiles" finalize

# LLVM recurses along this chain, deeper than the stack of an application's thread allows.
awk 'BEGIN {
    print "module &m:1:2:$full:$large:$near;\nprog kernel &k(kernarg_u64 %p) {\nld_kernarg_u64 $d0, [%p];"
    print "ld_global_u32 $s0, [$d0];\nmov_b32 $s1, 0;"
    for (i = 0; i < 4000; i++)
        print "mad_u32 $s0, $s0, $s0, " i ";\ncmp_lt_b1_u32 $c0, $s0, " i ";\ncbr_b1 $c0, @l" i ";\nadd_u32 $s1, $s1, $s0;\n@l" i ":"
    print "st_global_u32 $s1, [$d0];\n};"
}' >"$work/long.hsail"
long() {
    (ulimit -s 256 && HSAIL_FINALIZER_WORKER=0 LD_LIBRARY_PATH=$work/lib:$builddir/.libs "$tool" -O0 -o "$work/code" "$work/long.hsail")
}
check "a long program compiles though the stack of the caller has 256 KiB only" long
tap_done
