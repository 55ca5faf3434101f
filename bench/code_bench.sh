#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts the machine instructions of the examples, and those that clang -O2 makes of the same kernels in OpenCL C
# (bench/examples.cl). Prints the lines that bench/bench.h describes. `make bench` runs this in the build folder.
# CODE_BENCH_KINDS=1 also prints how many instructions of each kind there are on either side.
set -u
source=${srcdir:-.}
[ -x ./hsailfin ] && [ -n "${CLANG:-}" ] && [ -x "${LLVM_BINDIR:-}/llvm-objdump" ] || exit 0
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 1

# code FILE KERNEL: its instructions up to the last end, as words of the mnemonic
code() {
    "$LLVM_BINDIR/llvm-objdump" -d --no-show-raw-insn "$1" |
        awk -v name="<$2>:" '/^[0-9a-f]+ </ { inside = index($0, name) } inside && /^\t/ { print $1 }' |
        awk '{ line[NR] = $1 } $1 == "s_endpgm" { last = NR } END { for (i = 1; i <= last; i++) print line[i] }'
}

# kinds OURS THEIRS: the mnemonics whose numbers differ, with both
kinds() {
    { sed 's/$/ a/' "$1" && sed 's/$/ b/' "$2"; } | sed 's/_e32 / /; s/_e64 / /; s/_co_u32 / /; s/_u32 / /' | awk '
        { n[$1, $2]++; seen[$1] = 1 }
        END { for (m in seen) if (n[m, "a"] != n[m, "b"]) print "#     " m, n[m, "a"] + 0, n[m, "b"] + 0 }' | sort
}

"$CLANG" -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4 -nogpulib -cl-std=CL2.0 -O2 -fuse-ld=lld \
    -o "$work/examples.co" "$source/bench/examples.cl" || exit 1
for name in vector_copy vector_add mandelbrot histogram reduce transpose; do
    ./hsailfin -t gfx900:xnack- -o "$work/$name.co" "$source/examples/$name.hsail" || exit 1
    code "$work/$name.co" "&$name" >"$work/ours"
    code "$work/examples.co" "$name" >"$work/theirs"
    awk -v name="$name" -v a="$(wc -l <"$work/ours")" -v b="$(wc -l <"$work/theirs")" 'BEGIN {
        printf "instructions of %s\t%d\t\t0\t-\n... of clang -O2\t%d\t\t0\t-\n", name, a, b
        printf "... beside those of clang\t%.2f\ttimes\t1.1\tat-most\n", a / b }'
    [ -z "${CODE_BENCH_KINDS:-}" ] || kinds "$work/ours" "$work/theirs"
done
