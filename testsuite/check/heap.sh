# SPDX-License-Identifier: MIT
# The checker of memory in the full profile, where kernels may use memory that HSA was not told about: nothing is said of
# that, and under hsa-run accesses beyond blocks of malloc() are found, to the byte.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
assemble "$srcdir/testsuite/check/freed.s" "$work/freed.co" || exit 99
program=$builddir/testsuite/check/heap_test
export HSA_GCN_PROFILE=full

plain() { # KIND: what is said without hsa-run
    HSA_GCN_CHECK=all "$program" "$work/freed.co" "$1" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
}
silent() {
    "$@" && ! [ -s "$work/said" ] || { cat "$work/said"; return 1; }
}
for kind in block moved aligned large pages stack fixed; do
    check "right: $kind" silent plain $kind
done
guarded() {
    HSA_MEMORY_GUARD=1 HSA_GCN_CHECK=memory "$program" "$work/freed.co" block >"$work/said" 2>&1
    cat "$work/said"
    grep -q '\[memory-global\]' "$work/said"
}
check "with guards, memory that HSA does not know is none" guarded

if [ ! -f "$builddir/.libs/hsa-run-heap.so" ] || ldd "$builddir/.libs/libhsa-runtime64.so" | grep -q 'lib[atu]*san'; then
    skip "blocks of malloc()" "no shared library, or one with sanitizers, which cannot be preloaded"
    tap_done
fi
run() { # CHECKS KIND
    "$builddir/hsa-run" --check="$1" "$program" "$work/freed.co" "$2" >"$work/said" 2>&1
}
found() { # KIND FACT
    run memory "$1"
    [ $? -eq 1 ] && grep -q '\[memory-global\]' "$work/said" && grep -qF -- "$2" "$work/said" || { cat "$work/said"; return 1; }
}
for kind in block moved aligned large pages stack fixed forks; do
    check "hsa-run, right: $kind" silent run all $kind
done
check "wrong: three bytes too few" found short "253-byte block of malloc()"
check "and who did it" found short "work-item (63,0,0)"
check "wrong: before the block" found before "reads 4 bytes at global address"
check "wrong: realloc() made it too small" found moved-short "0 bytes after the end of the 248-byte block of malloc()"
check "wrong: the end of a large block" found large-short "0 bytes after the end of the 4194304-byte block of malloc()"
check "wrong: the end of the last of 5000 large blocks" found many "0 bytes after the end of the 163840-byte block of malloc()"
check "other checkers do not need it" run race short
tap_done
