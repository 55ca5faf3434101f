# Every requirement of the multi-vendor specification must have a row in doc/MULTIVENDOR.md, and the test that a row
# names must have the case that the row names.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

ROWS=57 # how many requirements the specification has

rows() {
    sed -n 's/^| \(MV-[0-9]*\) |.*/\1/p' "$srcdir/doc/MULTIVENDOR.md"
}
rows >"$work/rows"
awk -v n=$ROWS 'BEGIN { for (i = 1; i <= n; i++) printf "MV-%02d\n", i }' >"$work/wanted"
check "each requirement has one row, in order" cmp "$work/wanted" "$work/rows"

missing() {
    awk -F ' [|] ' '/^[|] MV-/ { sub(/ [|]$/, "", $4); sub(/: /, "\t", $4)
        if ($4 ~ /\t/) print substr($1, 3) "\t" $4 }' "$srcdir/doc/MULTIVENDOR.md" |
        while IFS='	' read -r row test case; do
            grep -qF -- "$case" "$srcdir/testsuite/runtime/$test.c" || echo "$row: $test.c has no case \"$case\""
        done
}
check_quiet "the cases that it names exist" missing

unexplained() { # a row without a case says why
    grep '^| MV-.* | |$' "$srcdir/doc/MULTIVENDOR.md" | grep -v 'no object\|adapted\|every test here'
}
check_quiet "a row without a case says why" unexplained
tap_done
