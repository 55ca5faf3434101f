# One fact in one place: an opcode's spelling stands in the table, and no code compares with a copy of it.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

sed -n 's/^OP[A-Z_]* *([^"]*"\([A-Za-z0-9_]*\)".*/\1/p' "$srcdir/brig/tables/opcode.def" >"$work/opcodes"
check "the opcode table is read" test "$(wc -l <"$work/opcodes")" -ge 177
check_quiet "no opcode has two rows" sh -c 'sort "$1" | uniq -d' sh "$work/opcodes"

copies() { # string literals that are exactly an opcode; short ones are also ordinary words
    # shellcheck disable=SC2046 # list of files without blanks
    (cd "$srcdir" && grep -noE '"[A-Za-z0-9_]{6,}"' $(tree_files '*.[ch]' '*.re' '*.y' |
        grep -E '^(brig|frontend|finalizer|tools|support)/') /dev/null) |
        awk -F: -v opcodes="$work/opcodes" '
            BEGIN { while ((getline line < opcodes) > 0) opcode["\"" line "\""] = 1 }
            $3 in opcode { print $1 ":" $2 ": " $3 }'
}
check_quiet "opcode names are written in the table only" copies

tap_done
