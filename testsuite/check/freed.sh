# SPDX-License-Identifier: MIT
# Makes the code object of freed.s, and runs the test that executes its kernels on memory that was freed.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
assemble "$srcdir/testsuite/check/freed.s" "$work/freed.co" || exit 99
"$builddir/testsuite/check/freed_test" "$work/freed.co"
