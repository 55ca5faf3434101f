# Tests testsuite/progress.awk with the output of a suite in which one result fails and one program dies.
. "$srcdir/testsuite/tap.sh"
awk=${AWK:-awk}

numbered() { # count indent
    awk -v count="$1" -v indent="$2" 'BEGIN { for (i = 1; i <= count; i++) print indent "# line " i }'
}

mkdir -p "$work/testsuite/area"
{
    printf 'ok 1 - fine\nPASS: testsuite/area/one.sh 1 - fine\n# not of interest\n'
    printf 'not ok 2 - wrong\nFAIL: testsuite/area/one.sh 2 - wrong\n'
    numbered 30 ""
    printf 'ok 3 - later\nPASS: testsuite/area/one.sh 3 - later\n# neither this\n1..3\n'
    printf 'ERROR: testsuite/area/one.sh - exited with status 1\n'
} >"$work/testsuite/area/one.log"
{
    printf 'ok 1 - begins\nPASS: testsuite/area/two 1 - begins\nlast words\n# took 17 s\n'
    printf 'ERROR: testsuite/area/two - missing test plan\n'
} >"$work/testsuite/area/two.log"
cat "$work/testsuite/area/one.log" "$work/testsuite/area/two.log" | grep -E '^(PASS|FAIL|ERROR):' >"$work/check.log"

{
    printf '    FAIL: testsuite/area/one.sh 2 - wrong\n'
    numbered 20 "        "
    printf '    ERROR: testsuite/area/two - missing test plan\n        last words\n        # took 17 s\n'
} >"$work/expected"
{
    echo "  testsuite/area/one.sh"
    sed '/two/,$d' "$work/expected"
    echo "  testsuite/area/two (17 s)"
    sed -n '/two/,$p' "$work/expected"
    echo "3 passed, 2 failed, 0 skipped"
} >"$work/report"

summarize() { # option...
    "$awk" "$@" -v logs="$work" -f "$srcdir/testsuite/progress.awk" "$work/check.log"
}
expect_status 1 "a failure gives a status" summarize
summarize >"$work/seen"
check "the report shows what a failed result printed, and long durations" diff "$work/report" "$work/seen"
summarize -v quiet=1 -v failures="$work/failures" >"$work/seen"
check "the failures are collected" diff "$work/expected" "$work/failures"
check "and only the sums printed" test "$(cat "$work/seen")" = "3 passed, 2 failed, 0 skipped"

report_of() { echo "$1" | "$awk" -v logs="$work" -f "$srcdir/testsuite/progress.awk"; }
expect_status 1 "a suite without results has failed" report_of "make: nothing to be done"
expect_status 0 "one whose tests were all skipped has not" report_of "SKIP: testsuite/area/one.sh - no time is left for it"
tap_done
