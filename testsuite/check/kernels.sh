# SPDX-License-Identifier: MIT
# Runs the kernels of the finalizer's tests, and random programs, with the checkers. These kernels are right, so a finding
# means that a checker or the compiler is wrong. With HSAIL_CHECKED=COUNT, as `make check-checkers` sets it, all of these
# tests run, and COUNT random programs of each kind.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
export srcdir
count=${HSAIL_CHECKED:-}

silent() { # CHECKERS PROGRAM
    HSA_GCN_CHECK=$1 "$builddir/testsuite/finalizer/$2" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    ! grep "the checkers find\|\[finding\]" "$work/said" && grep -q '^ok' "$work/said"
}

for program in run_test flow_test float_test cvt_test miscompiled_test image_test long_test signal_test handle_test \
    linkage_test dynamic_group_test image_init_test vendor_test vendor_float_test small_test rounding_test \
    ${count:+alloca_test exception_test image_matrix_test random/execute_test}; do
    check "$program" silent all $program
done
# These read variables that nobody has written.
RANDOM_PROGRAMS=${count:-20} RANDOM_SEED=${count:+1}
RANDOM_SEED=${RANDOM_SEED:-7000}
export RANDOM_PROGRAMS RANDOM_SEED
check "random programs" silent memory,barrier,race random/random_test
if [ -n "$count" ]; then
    VIRTUAL_PROGRAMS=$count
    export VIRTUAL_PROGRAMS
    check "random programs with other registers" silent memory,barrier,race random/virtual_test
fi
tap_done
