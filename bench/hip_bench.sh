#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how fast HIP is, in both profiles, and how much of its start is spent in this runtime, if hipcc is installed.
# Input: hsa-run in the directory that it is called in. Output: lines in the form of bench/bench.h.
command -v hipcc > /dev/null && [ -f /usr/include/hip/hip_runtime.h ] || exit 0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
source=$(dirname "$0")
./hsa-run hipcc -O2 -w "$source/hip_bench.cpp" -o "$work/hip_bench" || exit 1
${CC:-cc} -shared -fPIC -O2 -I"$source/.." "$source/hip_start.c" -o "$work/hip_start.so" || exit 1
for profile in base full; do
    LD_AUDIT=$work/hip_start.so LD_LIBRARY_PATH=$PWD/.libs HSA_GCN_PROFILE=$profile "$work/hip_bench" $profile start
done
./hsa-run --agents=1 "$work/hip_bench" base
for program in hip_solve hip_streams; do
    ./hsa-run hipcc -O2 -w "$source/$program.cpp" -o "$work/$program" && ./hsa-run --agents=1 "$work/$program"
done
LD_LIBRARY_PATH=$PWD/.libs HSA_GCN_PROFILE=full "$work/hip_bench" full
