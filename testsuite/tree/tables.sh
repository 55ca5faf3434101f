# Each fact must be in one place only: the spelling of an opcode is in the table, and no code compares with a copy of
# it; a message of the finalizer or the runtime is a row of its table, and each row is used.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

sed -n 's/^OP[A-Z_]* *([^"]*"\([A-Za-z0-9_]*\)".*/\1/p' "$srcdir/brig/tables/opcode.def" >"$work/opcodes"
check "the opcode table is read" test "$(wc -l <"$work/opcodes")" -ge 177
check_quiet "no opcode has two rows" sh -c 'sort "$1" | uniq -d' sh "$work/opcodes"

copies() { # string literals that are exactly an opcode; short opcodes are left out, as they are also ordinary words
    # shellcheck disable=SC2046 # list of files without blanks
    (cd "$srcdir" && grep -noE '"[A-Za-z0-9_]{6,}"' $(tree_files '*.[ch]' '*.re' '*.y' |
        grep -E '^(brig|frontend|finalizer|tools|support)/') /dev/null) |
        awk -F: -v opcodes="$work/opcodes" '
            BEGIN { while ((getline line < opcodes) > 0) opcode["\"" line "\""] = 1 }
            $3 in opcode { print $1 ":" $2 ": " $3 }'
}
check_quiet "opcode names are written in the table only" copies

rows() { sed -n 's/^MESSAGE(\([A-Z0-9_]*\), "\([a-z0-9-]*\)".*/\1 \2/p' "$srcdir/$1"; }
used() { # the rows of a folder's table that its code names
    # shellcheck disable=SC2046 # list of files without blanks
    (cd "$srcdir" && cat $(tree_files '*.c' | grep "^$1/")) |
        grep -oE '\b[a-z]+_(fail|record|print)\([^",;]*, *[A-Z0-9_]+|\bmessage_(print\(MESSAGE_|text_)[A-Z0-9_]+' |
        grep -oE '[A-Z0-9_]+$' | sed -E 's/^(MESSAGE)?_//' | sort -u
}
unused() { rows "$1" | awk '{ print $1 }' | sort | comm -23 - "$work/used"; }
repeated() { rows "$1" | awk '{ print $2 }' | sort | uniq -d; }

# String literals with two adjacent words are meant for people. Exceptions are IR as text, features of targets, and the
# prefix of what is printed.
sentences() {
    # shellcheck disable=SC2046 # list of files without blanks
    (cd "$srcdir" && grep -nE '"([^"\\]|\\.)*[A-Za-z]{2,}:? [a-z]{2,}' $(tree_files '*.[ch]' | grep "^$1/") /dev/null) |
        grep -vE '^[^:]*:[0-9]*:(#include| \*|/\*)|"[^"]*(@t\(|%%|ret void }"|sramecc xnack|hsail finalizer: )|""\); /\*'
}
for table in finalizer/failure.def runtime/message.def; do
    used "${table%/*}" >"$work/used"
    check "messages of ${table%/*} are rows of $table" test "$(rows "$table" | wc -l)" -ge 8
    check_quiet "each row of $table is used" unused "$table"
    check_quiet "no id of $table stands twice" repeated "$table"
done
check_quiet "the finalizer has no message outside of its table" sentences finalizer

tap_done
