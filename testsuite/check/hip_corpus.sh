# SPDX-License-Identifier: MIT
# The corpus of OpenCL C (opencl.sh) once more, as kernels of HIP. In HIP it is no mistake if a work-item ends before a
# barrier; all other mistakes have to be found at the same lines. Early returns have cases of their own in early.hip.
. "$srcdir/testsuite/tap.sh"
corpus=$(cd "$srcdir/testsuite/check/opencl" && pwd)
early=$(cd "$srcdir/testsuite/check" && pwd)/early.hip
run=$(program hsailrun)
cd "$work" || exit 99
for tool in clang-19 ld.lld-19; do
    command -v $tool >/dev/null && continue
    skip "the corpus as HIP" "$tool is missing"
    tap_done
done

compile() { # FILE
    { sed 's/^void /device void /' "$corpus/$1.cl"; awk -v checker="$1" -f "$corpus/family.awk"; } >"$1.cl"
    clang-19 -x hip --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib \
        -mcode-object-version=4 -g -O0 -w -include "$corpus/as_hip.hip" -o "$1.co" "$1.cl"
}
launch() { # FILE KERNEL
    "$run" -q --check=all -k "$2" -g 256 -w 128 "$1.co" 'u32[256]' 'u32[256]:iota' u32:7 >said 2>&1
}
found() { # FILE KERNEL LINE ID
    launch "$1" "$2"
    [ $? -eq 1 ] && grep -q "\[$4\]" said && grep -q "$1\.cl:$3: " said || { cat said; return 1; }
}
silent() {
    launch "$@" && [ ! -s said ] || { cat said; return 1; }
}
# Whether a kernel that its name calls right or wrong is right in HIP.
is_right() { # KERNEL
    case $1 in
    right_* | wrong_early_return | wrong_wave_returns | wrong_loop_by_wave | wrong_return_*) return 0 ;;
    esac
    return 1
}
for file in memory barrier race init; do
    check "$file.cl compiles as HIP" compile $file
    awk -f "$corpus/list.awk" $file.cl >kernels
    wrong=0 right=0
    while read -r kernel line id; do
        case $kernel in # its flat address lies outside of the aperture of group memory
        wrong_local_before) id=memory-global ;;
        esac
        if is_right "$kernel"; then
            right=$((right + 1))
            check "$file, right: $kernel" silent $file "$kernel"
        elif grep -q "^$kernel ours " "$corpus/known.txt"; then
            check "$file, wrong, but not found: $kernel" silent $file "$kernel"
        else
            wrong=$((wrong + 1))
            check "$file, wrong: $kernel" found $file "$kernel" "$line" "$id"
        fi
    done <kernels
    if [ $file = barrier ]; then # the early returns count, too; hip.sh runs them
        wrong=$((wrong + $(grep -c '^// CASE wrong' "$early"))) right=$((right + $(grep -c '^// CASE right' "$early")))
    fi
    echo "# HIP, checker $file: $wrong wrong kernels, $right right ones"
    check "$file: there are 40 wrong kernels and 40 right ones" test $wrong -ge 40 -a $right -ge 40
done
tap_done
