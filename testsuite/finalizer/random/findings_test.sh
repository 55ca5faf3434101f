# Runs the smallest programs that the finalizer once compiled wrongly. Each must give the right numbers, except those
# that known.def names; if one of these is right again, the test says so, and its row can be removed. A program that was
# wrong only on some processors, or with some inputs, names one of these in its comment.
. "$srcdir/testsuite/tap.sh"
needs_finalizer

touch "$work/mended"
judge() { # the program must be right, unless it is known to be wrong
    seed=$(sed -n 's,^// .*Seed: \([0-9]*\)$,\1,p' "$1")
    GPU_TARGET=$(sed -n 's,^// .*Processor: \(gfx[0-9a-f]*\)$,\1,p' "$1") \
        "$builddir/testsuite/finalizer/random/random_test" judge "$1" ${seed:+"$seed"} >"$work/verdict"
    status=$?
    if ! grep -q "${1##*/}" "$srcdir/testsuite/finalizer/random/known.def"; then
        [ $status = 0 ] || cat "$work/verdict"
        return $status
    fi
    if [ $status = 0 ]; then
        echo "# ${1##*/} is right now: its row in known.def can go" >>"$work/mended"
    fi
    [ $status -le 1 ]
}

for file in "$srcdir"/testsuite/finalizer/findings/*.hsail; do
    check "${file##*/}" judge "$file"
done
cat "$work/mended"
tap_done
