#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how fast HIP is under hsa-run, in both profiles, if hipcc is installed.
# Input: hsa-run in the directory that it is called in. Output: lines in the form of bench/bench.h.
command -v hipcc > /dev/null && [ -f /usr/include/hip/hip_runtime.h ] || exit 0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
./hsa-run hipcc -O2 -w "$(dirname "$0")/hip_bench.cpp" -o "$work/hip_bench" || exit 1
./hsa-run --agents=1 "$work/hip_bench" base
LD_LIBRARY_PATH=$PWD/.libs HSA_GCN_PROFILE=full "$work/hip_bench" full
