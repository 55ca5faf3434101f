# SPDX-License-Identifier: MIT
# Runs programs on the software GPU that use it by other ways than HIP alone: OpenMP by Clang 14, Clang 19 and GCC 12,
# two processes of MPI, and a tools library.
. "$srcdir/testsuite/clients/client.sh"

# Without this a region that no device runs would be run by the host.
export OMP_TARGET_OFFLOAD=MANDATORY
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode

# A process with LLVM's libomp has a file in /dev/shm until it ends by itself. What a program of this test that crashed or
# was killed has left there goes with the test.
forget_libomp() {
    find /dev/shm -maxdepth 1 -name '__KMP_REGISTERED_LIB_*' -user "$(id -u)" -newer "$work/started" | while read -r file; do
        process=${file##*_LIB_}
        [ -d "/proc/${process%_*}" ] || rm -f "$file"
    done
}
touch "$work/started"
trap 'forget_libomp; rm -rf "$work"' EXIT

# openmp COMPILER LIBRARY_FOLDER NEEDED_FILES PACKAGES OPTION...
openmp() {
    compiler=$1 folder=$2 needed=$3 packages=$4
    shift 4
    there=yes
    for file in $needed; do
        [ -e "$file" ] || there=no
    done
    if ! command -v "$compiler" > /dev/null || [ $there = no ]; then
        skip "OpenMP by $compiler" "one of the packages $packages is not installed"
        return
    fi
    check "OpenMP by $compiler compiles" "$compiler" -O2 -w -fopenmp -I"$srcdir" "$@" -o "$work/openmp"
    LD_LIBRARY_PATH=$folder results "OpenMP by $compiler" "$run" --agents=2 "$work/openmp"
    rm -f "$work/openmp"
}

openmp_source=$srcdir/testsuite/clients/openmp.c
llvm=/usr/lib/llvm-14
openmp clang-14 $llvm/lib \
    "$llvm/lib/libomptarget-new-amdgpu-gfx900.bc $llvm/bin/lld $llvm/bin/llvm-link $llvm/bin/clang-offload-wrapper $bitcode" \
    "clang-14, clang-tools-14, lld-14, llvm-14, libomp-14-dev, rocm-device-libs" -DCLANG_14 -fopenmp-targets=amdgcn-amd-amdhsa \
    -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx900 --libomptarget-amdgcn-bc-path=/usr/lib/llvm-14/lib \
    --rocm-device-lib-path="$bitcode" "$openmp_source"
# Debian does not install libomp-19-dev beside libomp-14-dev. LIBOMP_19 names a folder /usr/lib/llvm-19 of its files that
# are somewhere else.
llvm=/usr/lib/llvm-19
libomp=${LIBOMP_19:-$llvm}
openmp clang-19 "$libomp/lib" \
    "$libomp/lib/libomptarget-amdgpu-gfx900.bc $llvm/bin/lld $llvm/bin/clang-offload-packager $llvm/bin/clang-linker-wrapper $bitcode" \
    "clang-19, clang-tools-19, lld-19, libomp-19-dev (or LIBOMP_19, see doc/TESTING.md), rocm-device-libs" \
    -I"$libomp/lib/clang/19/include" -L"$libomp/lib" --libomptarget-amdgpu-bc-path="$libomp/lib" --offload-arch=gfx900 \
    --rocm-device-lib-path="$bitcode" "$openmp_source" -lm
openmp gcc-12 /nonexistent "$(gcc-12 -print-file-name=accel/amdgcn-amdhsa/mkoffload 2> /dev/null || echo /nonexistent)" \
    "gcc-12, gcc-12-offload-amdgcn, libgomp-plugin-amdgcn1" -no-pie -foffload=amdgcn-amdhsa \
    -foffload-options=-march=gfx900 -foffload-options=-lm "$openmp_source" -lm

if ! command -v mpicxx > /dev/null || ! command -v mpirun > /dev/null; then
    skip "MPI" "the package openmpi-bin or libopenmpi-dev is not installed"
else
    # shellcheck disable=SC2046 # lists of options
    if compiled mpi_ranks hip/hip_runtime.h libamdhip64-dev $(mpicxx --showme:compile) $(mpicxx --showme:link); then
        # Root has to say that it may, and a machine with one processor that two processes share it.
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 results "MPI" mpirun --oversubscribe -n 2 \
            "$run" --agents=2 "$work/mpi_ranks"
    fi
fi

if [ ! -f /usr/include/hsa/hsa_api_trace.h ] || ! command -v g++ > /dev/null; then
    skip "tools library" "the package libhsa-runtime-dev is not installed"
elif compiled tool_client hip/hip_runtime.h libamdhip64-dev; then
    check "packet_counter compiles" g++ -O1 -shared -fPIC -DAMD_INTERNAL_BUILD \
        "$srcdir/testsuite/clients/packet_counter.cpp" -o "$work/packet_counter.so"
    PACKET_COUNTER=$work/counted HSA_TOOLS_LIB=$work/packet_counter.so \
        results "tools library" "$run" --agents=1 "$work/tool_client"
    echo "packets: $(cat "$work/counted")"
    check "tools library: it sees twelve dispatches" grep -q " dispatches 12 .* failures 0$" "$work/counted"
    check "tools library: it sees queues and copies" grep -Eq "queues [1-9].* copies [1-9]" "$work/counted"
    check "tools library: it sees the kernels" grep -Eq " kernels ([2-9]|[1-9][0-9])" "$work/counted"
fi
tap_done
