# In a build without LLVM, reports every program that would test the finalizer as skipped.
. "$srcdir/testsuite/tap.sh"
for test in $LLVM_TESTS; do
    skip "$test" "configured with --without-llvm"
done
tap_done
