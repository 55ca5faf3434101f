# Assembles every module of bad/. Lines `// DIAG: line:column id` at its end list all the diagnostics that it must get,
# in order. Covers R1-R6, R29, R34, R35.
. "$srcdir/testsuite/tap.sh"
asm=$(program hsailasm)

# Objects of JSON, one per line: strings with their escapes, numbers, nothing else.
is_json() {
    ! LC_ALL=C grep -Ev '^\{("[a-z_]+":("([^"\\[:cntrl:]]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"|[0-9]+)(,|\}$))+$' "$1"
}

for file in "$srcdir"/testsuite/frontend/bad/*.hsail; do
    name=${file##*/}
    sed -n 's,^// DIAG: ,,p' "$file" >"$work/want"
    want=$(sed -n 's,^// EXIT: ,,p' "$file")
    "$asm" --validate --diagnostics=json "$file" >"$work/stdout" 2>"$work/json"
    status=$?
    sed -n 's/.*"line":\([0-9]*\),"column":\([0-9]*\),.*"id":"\([^"]*\)".*/\1:\2 \3/p' "$work/json" >"$work/got"
    check "$name gets its diagnostics" diff "$work/want" "$work/got"
    check "$name is reported as JSON" is_json "$work/json"
    check "$name ends with status $want" [ "$status" -eq "$want" ]
    check "$name prints nothing else" [ ! -s "$work/stdout" ]
done

# Each id must be expected by some test, as nobody has seen the report of one that is not.
expected() {
    "$asm" --list-diagnostics | cut -f 1 | sort -u >"$work/ids"
    cat "$srcdir"/testsuite/frontend/bad/*.hsail "$srcdir"/testsuite/frontend/*_test.c "$srcdir"/testsuite/brig/*.c \
        "$srcdir"/testsuite/frontend/*_test.sh >"$work/all"
    while read -r id; do
        grep -q "[ \"]$id\([ \"]\|\$\)" "$work/all" || echo "$id"
    done <"$work/ids" >"$work/unexpected"
    sed -n '/^DIAG(BAD_BYTE/,/^DIAG(PROPERTY_MISSING/s/^DIAG(\([A-Z0-9_]*\), .*/\1/p' \
        "$srcdir/brig/tables/diag.def" | tr 'A-Z_' 'a-z-' >"$work/ours"
    grep -Fxf "$work/ours" "$work/unexpected" && return 1
    return 0
}
check "every diagnostic of the text is expected by a test" expected
tap_done
