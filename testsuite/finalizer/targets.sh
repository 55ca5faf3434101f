# Every processor of support/amdgpu.def as a target: the examples compile, to code objects for just that processor, or
# the target is refused by its name.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
tool=$builddir/hsailfin
readelf=$LLVM_BINDIR/llvm-readelf

# Those that must be accepted.
cat >"$work/wanted" <<END
gfx801 gfx802 gfx803 gfx805 gfx810
gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90a gfx90c
gfx940 gfx941 gfx942
END

compiles() { # name mach
    for example in "$srcdir"/examples/*.hsail; do
        "$tool" -t "$1" -o "$work/code.co" "$example" || return 1
        [ ! -x "$readelf" ] || [ "$(mach "$work/code.co")" -eq "$(($2))" ] || return 1
    done
}
mach() {
    flags=$("$readelf" -h "$1" | sed -n 's/.*Flags: *\(0x[0-9A-Fa-f]*\).*/\1/p')
    echo $((flags & 255))
}
refused() { ! "$tool" -t "$1" -o "$work/code.co" "$srcdir/examples/vector_add.hsail" 2>"$work/err" && grep -q "$1" "$work/err"; }

"$builddir/testsuite/support/amdgpu_test" list >"$work/rows"
while read -r name number _; do
    if grep -qw "$name" "$work/wanted"; then
        check "$name" compiles "$name" "$number"
    elif "$tool" -t "$name" -o "$work/code.co" "$srcdir/examples/vector_add.hsail" 2>/dev/null; then
        check "$name, which nobody asked for" compiles "$name" "$number"
    else
        check "$name is refused" refused "$name"
    fi
done <"$work/rows"
check "features reach the code" "$tool" -t gfx90a:sramecc+:xnack- -o "$work/code.co" "$srcdir/examples/vector_add.hsail"
if [ -x "$readelf" ]; then
    features() { "$readelf" --notes "$work/code.co" | grep -q 'amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-'; }
    check "and the notes name them" features
fi
tap_done
