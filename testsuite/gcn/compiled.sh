# Runs programs of the suite again, with HSA_GCN_JIT set so that everything is compiled before the software GPU
# executes it.
. "$srcdir/testsuite/tap.sh"

HSA_GCN_JIT=now
export HSA_GCN_JIT

for name in gcn/sequence_test gcn/bulk_test gcn/driver_test finalizer/run_test; do
    program=$builddir/testsuite/$name
    if [ -x "$program" ]; then
        check "$name passes compiled" "$program"
    else
        skip "$name passes compiled" "not built"
    fi
done
HSA_GCN_JIT_WORKER=$work/missing
check "without the compiler everything is interpreted" "$builddir/testsuite/gcn/sequence_test"

# Every line of standard error, which are those of the program's own messages.
said() { # LINE [VARIABLE=VALUE]
    line=$1
    shift
    env HSA_GCN_JIT_MESSAGE=1 "$@" "$builddir/testsuite/gcn/sequence_test" 2>&1 >/dev/null | sort -u >"$work/said"
    printf '%s\n' "$line" | diff - "$work/said"
}
why='everything is interpreted, as hsail-gcn-worker cannot be started'
if grep -q avx2 /proc/cpuinfo; then
    check "HSA_GCN_JIT_MESSAGE says why" said "hsa: $why [compiler-start]"
    check "HSA_GCN_JIT_MESSAGE says it in JSON" \
        said '{"kind":"error","tool":"hsa","id":"compiler-start","text":"'"$why"'"}' HSA_MESSAGES_JSON=1
else
    skip "HSA_GCN_JIT_MESSAGE says why" "this host has no AVX2"
fi
tap_done
