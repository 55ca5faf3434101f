# SPDX-License-Identifier: MIT
# Work-items that end before a barrier, in kernels of HIP that clang compiles without optimisation and with it. Comments
# in early.hip say what the checker of barriers has to find.
. "$srcdir/testsuite/tap.sh"
run=$(cd "$builddir" && pwd)/hsailrun
source=$(cd "$srcdir" && pwd)/testsuite/check/early.hip
cd "$work" || exit 99
for tool in clang-19 ld.lld-19; do
    command -v $tool >/dev/null && continue
    skip "kernels of HIP" "$tool is missing"
    tap_done
done

compile() { # LEVEL
    clang-19 -x hip --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib \
        -mcode-object-version=4 -g "$1" -Wall -o k.co "$source"
}
# The cases, a line each: KERNEL LINE KIND N [ID FACT]; the line is that of the mark HERE.
cases() {
    awk '/^\/\/ CASE (right|wrong) [0-9]/ { sub("// CASE ", ""); list[++n] = $0 }
        /^KERNEL/ { name = $2; sub("[(].*", "", name) }
        /\/\/ HERE/ { here = FNR }
        /^}/ { for (i = 1; i <= n; i++) print name, here + 0, list[i]; n = here = 0 }' "$source"
}
judge() { # KERNEL LINE KIND N ID FACT
    "$run" -q -k "$1" --check=barrier -g 256 -w 256 k.co 'u32[256]' 'u32[256]:iota' "u32:$4" >said 2>&1
    status=$?
    cat said
    if [ "$3" = right ]; then
        [ $status -eq 0 ] && [ ! -s said ]
    else
        [ $status -eq 1 ] && grep -qF "[$5]" said && grep -qF -- "$6" said && grep -q "early\.hip:$2\b" said
    fi
}
for level in -O0 -O2; do
    check "clang compiles with $level" compile $level
    while read -r kernel line kind n id fact; do
        check "$level, $kind: $kernel with $n" judge "$kernel" "$line" "$kind" "$n" "$id" "$fact"
    done <<END
$(cases)
END
done
tap_done
