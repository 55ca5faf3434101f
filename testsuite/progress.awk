# Turns the output of `make check` into a short report: each test program as its first result comes in, every
# result that is not a pass, and the sums. The exit status is 1 when something failed or nothing was run.
#   -v quiet=1    print the sums only
#
# The sums count TAP results, from the lines of the automake driver: `PASS: testsuite/area/program 3 - what`.
/^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): / {
    kind = $1
    sub(/:$/, "", kind)
    if (kind == "FAIL")
        has_failed[$2] = 1
    # A program that reports a failure also exits with a status: that is one failure, not two.
    if (kind == "ERROR" && ($2 in has_failed))
        next
    count[kind]++
    if (!quiet && !($2 in seen)) {
        seen[$2] = 1
        print "  " $2
    }
    if (!quiet && kind != "PASS" && kind != "XFAIL")
        print "    " $0
    fflush()
    next
}
/^make(\[[0-9]+\])?: \*\*\* / && !/check|TESTS|test-suite\.log/ {
    broken++
    if (!quiet)
        print "    " $0
}
END {
    passed = count["PASS"] + count["XFAIL"]
    failed = count["FAIL"] + count["XPASS"] + count["ERROR"] + broken
    if (!passed && !failed)
        failed = 1
    printf "%d passed, %d failed, %d skipped\n", passed, failed, count["SKIP"]
    exit failed > 0
}
