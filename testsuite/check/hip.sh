# SPDX-License-Identifier: MIT
# Wrong and right kernels of HIP, which clang compiles without optimisation and with it: early.hip for the checker of
# barriers, buffer.hip for that of memory, flag.hip for that of races. Comments there say what has to be found. At the level
# `library`, the kernels are optimised and linked with a library of OpenCL C, as ROCm's programs are, so that the metadata
# say "OpenCL C".
. "$srcdir/testsuite/tap.sh"
run=$(program hsailrun)
sources=$(cd "$srcdir" && pwd)/testsuite/check
cd "$work" || exit 99
for tool in clang-19 ld.lld-19 llvm-readelf-19; do
    command -v $tool >/dev/null && continue
    skip "kernels of HIP" "$tool is missing"
    tap_done
done

compile() { # FILE LEVEL
    file=$1
    shift
    if [ "$1" = library ]; then
        echo 'int square(int n) { return n * n; }' >library.cl
        clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 -emit-llvm -c \
            -o library.bc library.cl
        set -- -O2 -Xclang -mlink-builtin-bitcode -Xclang library.bc
    fi
    clang-19 -x hip --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib \
        -mcode-object-version=4 -g -Wall -o k.co "$sources/$file.hip" "$@"
}
# The cases of a file, a line each: KERNEL LINE KIND N [ID FACT]; the line is that of the mark HERE.
cases() { # FILE
    awk '/^\/\/ CASE (right|wrong|optimised) [0-9]/ { sub("// CASE ", ""); list[++n] = $0 }
        /^KERNEL/ { name = $2; sub("[(].*", "", name) }
        /\/\/ HERE/ { here = FNR }
        /^}/ { for (i = 1; i <= n; i++) print name, here + 0, list[i]; n = here = 0 }' "$sources/$1.hip"
}
judge() { # FILE KERNEL LINE KIND N ID FACT
    "$run" -q -k "$2" "--check=$checker" $sizes k.co 'u32[256]' 'u32[256]:iota' "u32:$5" >said 2>&1
    status=$?
    cat said
    if [ "$4" = right ]; then
        [ $status -eq 0 ] && [ ! -s said ]
    else
        [ $status -eq 1 ] && grep -qF "[$6]" said && grep -qF -- "$7" said && grep -q "$1\.hip:$3\b" said
    fi
}
all() { # FILE CHECKER OPTION...
    file=$1 checker=$2
    shift 2
    sizes=$*
    for level in -O0 -O2 library; do
        [ "$level $checker" != "library memory" ] && [ "$level $checker" != "library race" ] || continue
        check "$file.hip is compiled with $level" compile "$file" $level
        while read -r kernel line kind n id fact; do
            [ "$kind $level" != "optimised -O0" ] || continue
            check "$level, $kind: $kernel with $n" judge "$file" "$kernel" "$line" "$kind" "$n" "$id" "$fact"
        done <<END
$(cases "$file")
END
    done
}
all early barrier -g 256 -w 256
check "linked with a library of OpenCL C, a kernel has metadata that say so" sh -c 'llvm-readelf-19 --notes k.co | grep "language:.*OpenCL C"'
all buffer memory -g 512 -w 512
all flag race -g 256 -w 64
tap_done
