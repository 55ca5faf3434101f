# SPDX-License-Identifier: MIT
# Runs the kernels of the finalizer's tests with the checkers. These kernels are right, so a finding means that a
# checker or the compiler is wrong.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
export srcdir

silent() { # PROGRAM
    HSA_GCN_CHECK=$checks "$builddir/testsuite/finalizer/$1" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    ! grep "the checkers find\|\[finding\]" "$work/said" && grep -q '^ok' "$work/said"
}

checks=all
for program in run_test flow_test float_test cvt_test miscompiled_test image_test long_test signal_test; do
    check "$program" silent $program
done
tap_done
