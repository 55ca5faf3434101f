# SPDX-License-Identifier: MIT
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

# compiled NAME HEADERS PACKAGES LINKED...: compiles NAME.cpp for the GPU that hipcc finds, if there are hipcc and all of
# the headers; otherwise says why not.
compiled() {
    name=$1 headers=$2 packages=$3
    shift 3
    there=yes
    command -v hipcc > /dev/null || there=no
    for header in $headers; do
        [ -f "/usr/include/$header" ] || there=no
    done
    if [ $there = no ]; then
        skip "$name" "the package hipcc or $packages is not installed"
        return 1
    fi
    # Linked like programs that are built with this runtime in their library path: every symbol has to be there.
    check "$name compiles" "$run" hipcc -O1 -w -std=c++17 "$srcdir/testsuite/clients/$name.cpp" -o "$work/$name" \
        -Wl,-rpath-link,"$libraries" -Wl,--no-allow-shlib-undefined "$@"
    [ -x "$work/$name" ]
}

# client NAME HEADERS PACKAGES HSA_RUN_OPTIONS LINKED...: compiles the program, runs it, and reports its results.
client() {
    name=$1 headers=$2 packages=$3 options=$4
    shift 4
    compiled "$name" "$headers" "$packages" "$@" || return 0
    # shellcheck disable=SC2086 # a list of options
    LD_BIND_NOW=1 results "$name" "$run" $options "$work/$name" all
}

# programs NAME HSA_RUN_OPTIONS: compiles the file, and runs each of its small programs as a process. One that ends with
# 77 is skipped, with its last line as the reason.
programs() {
    name=$1 options=$2
    compiled "$name" hip/hip_runtime.h libamdhip64-dev || return 0
    "$run" "$work/$name" > "$work/names"
    while read -r program; do
        # shellcheck disable=SC2086 # a list of options
        timeout 300 "$run" $options "$work/$name" "$program" > "$work/said" 2>&1
        case $? in
        0) check "$name: $program" true ;;
        77) skip "$name: $program" "$(tail -n 1 "$work/said")" ;;
        *) check "$name: $program" cat "$work/said" /nonexistent ;;
        esac
    done < "$work/names"
}
