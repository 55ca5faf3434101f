# What the scripts of testsuite/clients share. This file is sourced, not run.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
run=$(cd "$builddir" && pwd)/hsa-run
libraries=$(cd "$builddir" && pwd)/.libs
export TMPDIR="$work"

if [ ! -f "$libraries/hsa-run-redirect.so" ] || [ "${TEST_SANITIZERS:-no}" != no ]; then
    skip "${0##*/}" "no shared library, or one with sanitizers, which cannot be preloaded"
    tap_done
fi

# results NAME COMMAND...: runs the command; each line "PASS what", "FAIL what" or "SKIP what: why" becomes a result.
results() {
    name=$1
    shift
    timeout 300 "$@" > "$work/said" 2> "$work/errors"
    tap_got=$?
    while read -r verdict what; do
        case $verdict in
        PASS) check "$name: $what" true ;;
        FAIL) check "$name: $what" cat "$work/errors" /nonexistent ;;
        SKIP) skip "$name: ${what%%:*}" "${what#*: }" ;;
        esac
    done < "$work/said"
    [ "$tap_got" = 0 ] || cat "$work/errors" >&2
    check "$name ends well" test "$tap_got" = 0
}

# compiled NAME HEADER PACKAGE LINKED...: compiles NAME.cpp for the GPU that hipcc finds; otherwise says why not.
compiled() {
    name=$1 header=$2 package=$3
    shift 3
    if ! command -v hipcc > /dev/null || [ ! -f "/usr/include/$header" ]; then
        skip "$name" "the package hipcc or $package is not installed"
        return 1
    fi
    # Linked like programs that are built with this runtime in their library path: every symbol has to be there.
    check "$name compiles" "$run" hipcc -O1 -w -std=c++17 "$srcdir/testsuite/clients/$name.cpp" -o "$work/$name" \
        -Wl,-rpath-link,"$libraries" -Wl,--no-allow-shlib-undefined "$@"
    [ -x "$work/$name" ]
}

# client NAME HEADER PACKAGE HSA_RUN_OPTIONS LINKED...: compiles, runs, and counts.
client() {
    options=$4
    name=$1 header=$2 package=$3
    shift 4
    compiled "$name" "$header" "$package" "$@" || return 0
    # shellcheck disable=SC2086 # a list of options
    LD_BIND_NOW=1 results "$name" "$run" $options "$work/$name" all
}

# programs NAME HSA_RUN_OPTIONS: compiles the file, and runs each of its small programs as a process.
programs() {
    name=$1 options=$2
    compiled "$name" hip/hip_runtime.h libamdhip64-dev || return 0
    "$run" "$work/$name" > "$work/names"
    while read -r program; do
        # shellcheck disable=SC2086 # a list of options
        check "$name: $program" timeout 300 "$run" $options "$work/$name" "$program"
    done < "$work/names"
}
