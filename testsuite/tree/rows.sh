# Each row of the checklist of HSAIL must have its cases; and the script that finds rows without cases must work.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"
rows=$srcdir/testsuite/rows.txt

check_quiet "every row has an id and says what it is" grep -vE '^(#.*|[SAMGBCPQR][0-9]+ .*[a-z].*|)$' "$rows"
check_quiet "no row stands twice" sh -c 'grep -v "^#" "$1" | cut -d " " -f 1 | sort | uniq -d' sh "$rows"

mkdir -p "$work/good" "$work/bad"
cat >"$work/rows" <<'END_ROWS'
# comment
A01 alone
A02 first of a range
A03 inside of a range
A04 last of a range
A05 only in code
A06 only part of a word
A07 refused nowhere
A08 has nothing to refuse [good: any operand will do]
R1 name of a case
R2 only what a case expects
R3 accepted by a case
R9 inside of a range of rules
R10 last in a range of rules
R11 is tested by a program [elsewhere: it takes two modules]
R12 is tested by none [elsewhere: it takes two modules]
END_ROWS
cat >"$work/good/file.hsail" <<'END_GOOD'
/* Covers A01, A02-A04 and xA06, A06_x. */
/* A07 and A08 */
module &m:1:2:$full:$large:$default; /* A05 */
END_GOOD
echo '// A01-A04' >"$work/bad/file.hsail"
printf '/* R11 */\n#include "R12.h"\n' >"$work/test.c"
printf '%s\n' '== R1 name: R2' 'R2' '== R1 R3 ok: ok' '== R8-R10 range: ok' '== R8-R10 range: bad' >"$work/cases.txt"
missing() { # the rows for which the fixtures have no test
    awk -f "$srcdir/testsuite/rows.awk" "$work/rows" "$work/good/file.hsail" "$work/bad/file.hsail" "$work/test.c" \
        "$work/cases.txt" | sed 's/ .*: no/ no/'
}
cat >"$work/expected" <<'END_EXPECTED'
A05 no good case
A05 no bad case
A06 no good case
A06 no bad case
A07 no bad case
R2 no good case
R2 no bad case
R3 no bad case
R12 no test
END_EXPECTED
missing >"$work/actual"
check "rows without good or bad cases are found" diff "$work/expected" "$work/actual"

uncovered() {
    # shellcheck disable=SC2046 # list of files without blanks
    awk -f "$srcdir/testsuite/rows.awk" "$rows" $(find "$srcdir/testsuite" -type f \
        '(' -name '*.c' -o -name '*.sh' -o -name '*.hsail' -o -path '*/cases/*.txt' ')')
}
check_quiet "every row of the checklist has a good and a bad case" uncovered

tap_done
