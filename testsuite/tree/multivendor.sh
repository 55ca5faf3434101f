# Every requirement of the multi-vendor specification must have a row in doc/MULTIVENDOR.md, and the case of a test that
# a row names must have been executed and have passed. The Makefile has those tests run before this one.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

ROWS=57 # how many requirements the specification has

rows() {
    sed -n 's/^| \(MV-[0-9]*\) |.*/\1/p' "$srcdir/doc/MULTIVENDOR.md"
}
rows >"$work/rows"
awk -v n=$ROWS 'BEGIN { for (i = 1; i <= n; i++) printf "MV-%02d\n", i }' >"$work/wanted"
check "each requirement has one row, in order" cmp "$work/wanted" "$work/rows"

awk -F ' [|] ' '/^[|] MV-/ { sub(/ [|]$/, "", $4); sub(/: /, "\t", $4)
    if ($4 ~ /\t/) print substr($1, 3) "\t" $4 }' "$srcdir/doc/MULTIVENDOR.md" >"$work/cases"
failing() {
    while IFS='	' read -r row test case; do
        log=$builddir/testsuite/runtime/$test.log
        grep -F -- "$case" "$log" | grep -v '# SKIP' | grep -q '^ok ' || echo "$row: $test has not passed \"$case\""
        grep -F -- "$case" "$log" | grep '^not ok ' | sed "s/^/$row: /"
    done <"$work/cases"
}
check_quiet "the cases that it names pass" failing
unlisted() { # the Makefile has to know the tests, so that they run first
    cut -f 2 "$work/cases" | sort -u | while read -r test; do
        grep -q "^testsuite/tree/multivendor.log:.*testsuite/runtime/$test.log" "$builddir/Makefile" || echo "$test"
    done
}
check_quiet "the tests that it names run before this one" unlisted

unexplained() { # a row without a case says why
    grep '^| MV-.* | |$' "$srcdir/doc/MULTIVENDOR.md" | grep -v 'no object\|adapted\|every test here'
}
check_quiet "a row without a case says why" unexplained
tap_done
