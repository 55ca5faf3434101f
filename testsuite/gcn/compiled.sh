# Runs programs of the suite again, with HSA_GCN_JIT set so that everything is compiled before the software GPU
# executes it.
. "$srcdir/testsuite/tap.sh"

HSA_GCN_JIT=now
export HSA_GCN_JIT

for name in gcn/sequence_test gcn/driver_test finalizer/run_test; do
    program=$builddir/testsuite/$name
    if [ -x "$program" ]; then
        check "$name passes compiled" "$program"
    else
        skip "$name passes compiled" "not built"
    fi
done
HSA_GCN_JIT_WORKER=$work/missing
check "without the compiler everything is interpreted" "$builddir/testsuite/gcn/sequence_test"
tap_done
