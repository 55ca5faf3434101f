#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures what the checkers of the software GPU cost: the time of a kernel with them, divided by its time without.
# Prints the lines that bench/bench.h describes. `make bench` runs this in the build folder; with names of kernels as
# arguments, only those are measured.
set -u
examples=${srcdir:-.}/examples
n=${CHECK_BENCH_SIZE:-1048576}
only=" $* "
HSA_GCN_THREADS=1 HSA_GCN_JIT=0
export HSA_GCN_THREADS HSA_GCN_JIT

# Prints how many seconds of processor time COMMAND takes.
seconds() { # COMMAND...
    ("$@" >/dev/null 2>&1; times) | tail -n 1 | awk '{
        for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] }
        print sum }'
}

cost() { # CHECKS or - COMMAND...: the time that one more dispatch takes, the least of three
    option=--check=$1
    [ "$1" != - ] || option=-q
    shift
    for _ in 1 2 3; do
        once=$(seconds ./hsailrun -q --repeat=1 "$option" "$@")
        often=$(seconds ./hsailrun -q --repeat="$rounds" "$option" "$@")
        echo "$once $often"
    done | awk -v n="$rounds" '{ d = ($2 - $1) / (n - 1); if (NR == 1 || d < least) least = d } END { print least }'
}

measure() { # NAME COMMAND...
    name=$1
    shift
    [ "$only" = "  " ] || case $only in *" $name "*) ;; *) return ;; esac
    rounds=101
    plain=$(cost - "$@")
    rounds=11
    while read -r checks most; do
        with=$(cost "$checks" "$@")
        awk -v name="check $checks, $name" -v a="$with" -v b="$plain" -v most="$most" \
            'BEGIN { printf "%s\t%.2f\ttimes plain\t%s\tat-most\n", name, a / b, most }'
    done <<END
memory,barrier 4
race 30
init 30
all 30
END
}

# Not vector_copy: without checkers it is not interpreted but done at once, as it only copies.
measure transpose -g 512,512 "$examples/transpose.hsail" 'f32[262144]:iota' 'f32[262144]' u32:512 u32:512
measure reduce -g "$n" "$examples/reduce.hsail" "u32[$n]:iota" "u32:$n" "u32[$((n / 256))]"
measure mandelbrot -g 256,256 "$examples/mandelbrot.hsail" 'u32[65536]' u32:256 u32:256 f32:-2 f32:-1.5 f32:0.01171875 u32:64

# Kernels of OpenCL C that do little but access memory, each as large as bench/compiled_bench.c runs it.
objects=${CHECK_BENCH_OBJECTS:-bench/compiled_kernels.co}
if [ ! -e "$objects" ]; then
    echo "check_bench.sh: no clang has made $objects, so its kernels are not measured" >&2
    exit 0
fi
while read -r name groups n; do
    measure "$name" -k "$name" -g "$((groups * 256))" -w 256 "$objects" 'u32[1048576]' 'u32[1048576]:random' "u32:$n"
done <<END
nbody 8 1024
matmul 64 128
stencil 16 64
histogram 8 200
bytes 16 256
bitonic 8 20
END
