# Tests the examples of the builder: what they make is printed as text that assembles to the same bytes, and its results
# are those that awk computes.
. "$srcdir/testsuite/tap.sh"
tools=$builddir

for name in builder builder_registers; do
    check "$name writes BRIG" "$builddir/examples/$name" "$work/$name.brig"
    check "$name prints" sh -c '"$1" >"$2"' sh "$builddir/examples/$name" "$work/$name.hsail"
    check "$name prints what assembles" "$tools/hsailasm" -o "$work/$name.again" "$work/$name.hsail"
    check "to the same" cmp "$work/$name.brig" "$work/$name.again"
done

if [ "${TEST_LLVM:-none}" = none ]; then
    skip "what they make runs" "configured with --without-llvm"
    tap_done
fi
"$tools/hsailrun" -g 128 "$work/builder.brig" 'f32[128]:iota' 'f32[128]:0.5' 'f32[128]' f32:3 u32:100 >"$work/saxpy" 2>&1
check "builder's kernel computes" grep -q 'argument 3: f32\[128\]: 0.5 3.5 6.5 9.5 12.5 15.5 18.5 21.5' "$work/saxpy"

# x + x * x + ... modulo 2^32 is exact in a double as long as both factors are below 2^26.
awk 'BEGIN {
    printf "argument 2: u32[64]:"
    for (x = 0; x < 8; x++) {
        y = x
        for (n = 3; n; n--)
            y = y * y + x
        printf " %d", y
    }
}' >"$work/expected"
"$tools/hsailrun" -g 64 "$work/builder_registers.brig" 'u32[64]:iota' 'u32[64]' u32:3 >"$work/rounds" 2>&1
check "builder_registers' kernel computes" grep -qF "$(cat "$work/expected")" "$work/rounds"

tap_done
