#!/bin/sh
# watch.sh SECONDS COMMAND [ARGUMENT...]: runs a command and exits with its status, or with that of its death if it has
# not ended after SECONDS (0: however long it takes). Then it first prints, as lines of TAP, what each thread of the
# command and of its children was doing, so that a test which hangs is a failure that explains itself. A command that
# ends, but took five seconds or more, is followed by a line that says how long it took. A command that would begin at or
# after $TEST_DEADLINE, in seconds since 1970, is skipped.
limit=$1
shift

descendants() { # process: prints its children and their children, but not the watcher
    # shellcheck disable=SC2013 # words are right
    for child in $(sed 's/(.*)//' /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$3 == parent { print $1 }'); do
        [ "$child" = "$watcher" ] || { echo "$child" && descendants "$child"; }
    done
}

# Prints a line for each thread of a process: the functions it is in, the innermost first, each with its line if known.
# Without GDB, or the right to use it, what the thread waits for in the kernel.
where_is() { # process
    echo "# process $1: $(tr '\0' ' ' <"/proc/$1/cmdline")"
    gdb -nx -batch -p "$1" -ex 'thread apply all backtrace 24' 2>/dev/null </dev/null | awk '
        /^Thread / { if (line) print line; line = "# thread " $2 ":"; few = 0 }
        /^#/ && line {
            place = match($0, /[^\/ ]+:[0-9]+$/) ? " " substr($0, RSTART) : ""
            line = line (few++ ? " < " : " ") ($2 ~ /^0x/ ? $4 : $2) place
        }
        END { if (line) print line; exit !line }' && return
    for thread in "/proc/$1/task/"*; do
        echo "# thread ${thread##*/}: in the kernel at $(cat "$thread/wchan")"
    done
}

watch() { # command...
    sleeper=
    trap 'kill $sleeper 2>/dev/null; exit 0' TERM
    sleep "$limit" >/dev/null 2>&1 &
    sleeper=$!
    wait "$sleeper"
    # shellcheck disable=SC2034 # the fields of no interest
    read -r watcher name state parent rest </proc/self/stat
    [ "$parent" = "$$" ] || exit 0
    processes=$(descendants "$$")
    for process in $processes; do
        where_is "$process"
    done
    echo "Bail out! $* has not ended after $limit s"
    # shellcheck disable=SC2086 # a list of words
    kill -KILL $processes
}

start=$(date +%s)
if [ -n "${TEST_DEADLINE-}" ] && [ "$start" -ge "$TEST_DEADLINE" ]; then
    echo "1..0 # SKIP no time is left for it"
    exit 0
fi
if [ "$limit" -eq 0 ]; then
    exec "$@"
fi
watch "$@" &
guard=$!
trap 'kill $guard; exit 99' HUP INT TERM
"$@"
status=$?
kill "$guard" 2>/dev/null
wait "$guard" 2>/dev/null
took=$(($(date +%s) - start))
[ "$took" -lt 5 ] || echo "# took $took s"
exit "$status"
