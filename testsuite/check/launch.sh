# SPDX-License-Identifier: MIT
# Makes the code object of launch.s, and runs the test that dispatches its kernels.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
assemble "$srcdir/testsuite/check/launch.s" "$work/launch.co" || exit 99
"$builddir/testsuite/check/launch_test" "$work/launch.co"
