# SPDX-License-Identifier: MIT
# Programs in OpenCL C, compiled by clang for each processor and at each level of optimization, compute the same on the
# software GPU, interpreted and compiled, as on the host, which executes them as C.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
here=$(cd "$srcdir/testsuite/gcn/exact" && pwd) || exit 99
compare=$(cd "$builddir" && pwd)/testsuite/gcn/exact/compare
cd "$work" || exit 99
if [ -z "$CLANG" ] || ! [ -x "$LLVM_BINDIR/ld.lld" ]; then
    skip "programs" "no clang or ld.lld of LLVM 19"
    tap_done
fi

equal() { # processor, how its code is executed, code object
    HSA_GCN_AGENTS=$1 HSA_GCN_JIT=$2 "$compare" "$3"
}
has() { # at least so many operations whose names end so
    "$LLVM_BINDIR/llvm-objdump" -d --no-show-raw-insn "$3" | awk -v least="$1" -v ending="_$2\$" '
        $1 ~ ending { seen++ } END { print seen + 0; exit seen < least }'
}

for target in gfx900:xnack- gfx906:sramecc+:xnack- gfx908:sramecc+:xnack- gfx90a:sramecc+:xnack-; do
    processor=${target%%:*} levels=2
    [ $processor != gfx900 ] || levels='0 1 2 3'
    for level in $levels; do
        code=$processor-$level.co
        # No product is fused that is not fused on the host, and quotients and roots are rounded as there.
        check "clang compiles for $processor at -O$level" "$CLANG" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa \
            "-mcpu=$target" -nogpulib -mcode-object-version=4 "-O$level" -ffp-contract=off \
            -cl-fp32-correctly-rounded-divide-sqrt "--ld-path=$LLVM_BINDIR/ld.lld" -o $code "$here/programs.cl"
        for how in off now; do
            check "the same results with $processor, -O$level, HSA_GCN_JIT=$how" equal $processor $how $code
        done
    done
done
check "parts of registers are operands" has 50 sdwa gfx900-2.co
check "lanes exchange values" has 10 dpp gfx900-2.co
tap_done
