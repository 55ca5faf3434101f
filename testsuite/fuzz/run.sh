#!/bin/sh
# Runs the fuzz targets of a build directory that was configured with --enable-fuzzers, after `make fuzz-build`:
#
#   testsuite/fuzz/run.sh SECONDS [TARGET...]     from the build directory; all targets when none is named
#
# Two targets run at a time. Prints TAP: one result per target, with the number of executions and the edges that it
# covers. Inputs that fail are in testsuite/fuzz/NAME-*, with the log beside them; inputs that reach something new are
# in testsuite/fuzz/found/NAME, and the next run begins with them.
set -u

seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
[ $# -gt 0 ] || set -- text brig disassemble validate roundtrip format reader

# The words of libFuzzer's last line of statistics: `#N DONE cov: C ft: ...`
statistics() {
    awk '/^#[0-9]+[ \t]+DONE/ { sub(/#/, "", $1); printf "%s executions, %s edges", $1, $4 }' "$1"
}

run() { # target
    folder=testsuite/fuzz
    seeds=$folder/seeds/brig
    case $1 in text | format) seeds=$folder/seeds/text ;; esac
    mkdir -p "$folder/found/$1"
    UBSAN_OPTIONS=print_stacktrace=1 "$folder/fuzz" "$1" -max_total_time="$seconds" -max_len=20000 -timeout=60 -mutate_depth=3 \
        -rss_limit_mb=2048 -artifact_prefix="$folder/$1-" "$folder/found/$1" "$seeds" >"$folder/$1.log" 2>&1
    echo $? >"$folder/$1.status"
}

number=0
failed=0
report() { # target
    number=$((number + 1))
    log=testsuite/fuzz/$1.log
    if [ "$(cat "testsuite/fuzz/$1.status" 2>/dev/null)" = 0 ]; then
        echo "ok $number - fuzz_$1: $seconds s, $(statistics "$log")"
    else
        failed=1
        echo "not ok $number - fuzz_$1"
        tail -n 40 "$log" | sed 's/^/# /'
    fi
}

while [ $# -gt 0 ]; do
    run "$1" &
    if [ $# -gt 1 ]; then
        run "$2" &
    fi
    wait
    report "$1"
    [ $# -lt 2 ] || report "$2"
    shift
    [ $# -eq 0 ] || shift
done
echo "1..$number"
exit "$failed"
