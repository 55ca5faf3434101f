# Turns the output of `make check` into a short report: each test program when its first result comes in, with how long
# it took if its log says so already, every result that is not a pass, what a failed test has printed, and the sums. The
# exit status is 1 if something failed or nothing was run.
#   -v logs=DIRECTORY    the build directory: the logs of programs there have what failed tests printed
#   -v quiet=1           print the sums only
#   -v failures=FILE     append the failures, with what they printed, to FILE
#
# The sums count TAP results, from the lines of the automake driver: `PASS: testsuite/area/program 3 - what`.
BEGIN {
    MOST_LINES = 20
}
function show(line) {
    if (!quiet)
        print line
    if (failures)
        print line >>failures
}
function log_of(program) {
    sub(/\.sh$/, "", program)
    return (logs ? logs : ".") "/" program ".log"
}
# ` (N s)` if the log of the program says how long it took (testsuite/watch.sh), or nothing.
function duration(program,    path, line, took) {
    path = log_of(program)
    while ((getline line <path) > 0)
        if (line ~ /^# took [0-9]+ s$/)
            took = " (" substr(line, 8) ")"
    close(path)
    return took
}
# What the program printed after RESULT, which is a line of its log; or, if the program as a whole has failed, the end
# of what it printed. At most MOST_LINES.
function explain(program, result, is_whole,    path, line, found, count, said, i) {
    path = log_of(program)
    while ((getline line <path) > 0) {
        if (line == result && !is_whole) {
            found = 1
        } else if (line ~ /^(not )?ok |^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): |^1\.\./) {
            if (found)
                break
        } else if (is_whole || (found && count < MOST_LINES)) {
            said[count++ % MOST_LINES] = line
        }
    }
    close(path)
    for (i = count > MOST_LINES ? count - MOST_LINES : 0; i < count; i++)
        show("        " said[i % MOST_LINES])
}
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
        print "  " $2 duration($2)
    }
    if (kind == "SKIP" && !quiet)
        print "    " $0
    if (kind == "FAIL" || kind == "XPASS" || kind == "ERROR") {
        show("    " $0)
        explain($2, $0, kind == "ERROR")
    }
    fflush()
    next
}
/^make(\[[0-9]+\])?: \*\*\* / && !/check|TESTS|test-suite\.log/ {
    broken++
    show("    " $0)
}
END {
    passed = count["PASS"] + count["XFAIL"]
    failed = count["FAIL"] + count["XPASS"] + count["ERROR"] + broken
    if (!passed && !failed && !count["SKIP"])
        failed = 1
    printf "%d passed, %d failed, %d skipped\n", passed, failed, count["SKIP"]
    exit failed > 0
}
