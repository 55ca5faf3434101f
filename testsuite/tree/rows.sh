# The checklist of HSAIL, and what finds the rows of it that no test names.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"
rows=$srcdir/testsuite/rows.txt

check_quiet "every row has an id and says what it is" grep -vE '^(#.*|[SAMGBCPQR][0-9]+ .*[a-z].*|)$' "$rows"
check_quiet "no row stands twice" sh -c 'grep -v "^#" "$1" | cut -d " " -f 1 | sort | uniq -d' sh "$rows"

cat >"$work/rows" <<'END_ROWS'
# comment
A01 alone
A02 first of a range
A03 inside of a range
A04 last of a range
A05 only in code
A06 only part of a word
R1 name of a case
R2 only what a case expects
R10 last in a range of rules
R9 inside of a range of rules
END_ROWS
cat >"$work/heading.c" <<'END_C'
/* SPDX-License-Identifier: MIT */
/* Covers A01, A02-A04 and xA06, A06_x. */
#include "A05.h"
/* A05 */
END_C
printf '%s\n' '== R1 name: R2' 'R2' '== R8-R10 range: ok' >"$work/cases.txt"
found() { # the rows that the fixtures do not name
    awk -f "$srcdir/testsuite/rows.awk" "$work/rows" "$work/heading.c" "$work/cases.txt" | cut -d ' ' -f 1 | tr '\n' ' '
}
check "rows that no test names are found" test "$(found)" = "A05 A06 R2 "

tap_done
