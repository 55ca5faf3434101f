# Runs every example with hsailrun, from text, from BRIG and from a code object, with one and with two worker threads,
# and compares the results with what plain C computes.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
tools=$builddir

run_example() { # name file: runs it and compares every changed buffer
    rm -f "$work/$1".*.out
    # shellcheck disable=SC2046 # words without blanks
    "$tools/hsailrun" $(cat "$work/$1.command") "$2" $(cat "$work/$1.arguments") || return 1
    for expected in "$work/$1".*.expected; do
        cmp "$expected" "${expected%.expected}.out" || return 1
    done
}

checked_example() { # name file: the checkers find nothing
    # shellcheck disable=SC2046 # words without blanks
    "$tools/hsailrun" --check=all $(cat "$work/$1.command") "$2" $(cat "$work/$1.arguments") 2>"$work/found" &&
        [ ! -s "$work/found" ] || { cat "$work/found"; return 1; }
}

"$builddir/testsuite/examples/example_files" "$work" >"$work/names" || exit 99
while read -r name; do
    source=$srcdir/examples/$name.hsail
    for threads in 1 2; do
        HSA_GCN_THREADS=$threads
        export HSA_GCN_THREADS
        check "$name from text, $threads threads" run_example "$name" "$source"
    done
    check "$name assembles" "$tools/hsailasm" -o "$work/$name.brig" "$source"
    check "$name from BRIG" run_example "$name" "$work/$name.brig"
    check "$name finalizes" "$tools/hsailfin" -o "$work/$name.co" "$work/$name.brig"
    check "$name from a code object" run_example "$name" "$work/$name.co"
    check "$name passes all checkers" checked_example "$name" "$source"
done <"$work/names"

tap_done
