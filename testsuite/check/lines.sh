# SPDX-License-Identifier: MIT
# Lines of the source in faults and findings of code objects of other compilers: clang compiles OpenCL with DWARF 4 and
# 5, with and without optimisation. llvm-symbolizer must agree about every instruction.
. "$srcdir/testsuite/tap.sh"
run=$(program hsailrun)
places=$(cd "$builddir" && pwd)/testsuite/runtime/lines_test
cd "$work" || exit 99
for tool in clang-19 ld.lld-19 llvm-objdump-19 llvm-symbolizer-19; do
    command -v $tool >/dev/null && continue
    skip "lines of OpenCL" "$tool is missing"
    tap_done
done

cat >store.h <<'END'
static inline void store(__global unsigned *out, unsigned at, unsigned value)
{
    out[at] = value; // STORE
}
END
cat >k.cl <<'END'
#include "store.h"
__kernel void stray(__global unsigned *out, unsigned step)
{
    unsigned i = __builtin_amdgcn_workitem_id_x();
    store(out, i * step, i); // CALL
}
__kernel void race(__global unsigned *out, unsigned step)
{
    __local unsigned t[256];
    unsigned i = __builtin_amdgcn_workitem_id_x();
    t[i] = i;                  // FIRST
    out[i] = t[255 - i] * step; // SECOND
}
__kernel void right(__global unsigned *out, unsigned step)
{
    unsigned i = __builtin_amdgcn_workitem_id_x();
    store(out, i, i * step);
}
END
line_of() { # MARK FILE
    grep -n "// $1" "$2" | cut -d: -f1
}
compile() { # VERSION LEVEL
    clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 "-gdwarf-$1" "$2" \
        -o k.co k.cl
}
says() { # KERNEL CHECKS STATUS ARGUMENT FACT...
    "$run" -q -k "$1" ${2:+--check=$2} -g 256 -w 256 k.co 'u32[256]' "$4" >said 2>&1
    [ $? -eq "$3" ] || { cat said; return 1; }
    shift 4
    for fact; do
        grep -qF -- "$fact" said || { echo "not said: $fact"; cat said; return 1; }
    done
}
# Compares for all instructions what lines_test says with what LLVM says. Both name the file without its folder here;
# LLVM gives line 0 to what no line covers.
same_places() {
    llvm-objdump-19 -d --no-show-raw-insn k.co | sed -n 's,.*// \(0*[0-9A-F]*\):.*,0x\1,p;s,^ *\([0-9a-f]*\):.*,0x\1,p' >addresses
    [ "$(wc -l <addresses)" -gt 20 ] || return 1
    "$places" k.co $(cat addresses) | sed 's,.*/,,;s,??:0,none,' >ours
    llvm-symbolizer-19 --obj=k.co --no-inlines --functions=none --basenames --output-style=GNU $(cat addresses) |
        sed '/^$/d;s/ (.*//;s,.*:0$,none,;s,??.*,none,;s,.*:?$,none,' >theirs
    paste -d' ' addresses ours theirs | awk '$2 != $3 && $2 ":0" != $3 { print; bad = 1 } END { exit bad }'
}
for version in 4 5; do
    for level in -O0 -O2; do
        name="DWARF $version, $level"
        check "$name: clang compiles" compile $version $level
        check "$name: a fault names the line of the header" says stray "" 1 u32:1024 \
            "work-item (1,0,0)" "store.h:$(line_of STORE store.h): "
        check "$name: a stray store too" says stray memory 1 u32:2 "store.h:$(line_of STORE store.h): " memory-global
        [ $level = -O0 ] || check "$name: with the call, as the function is inlined" says stray memory 1 u32:2 \
            "called at k.cl:$(line_of CALL k.cl)"
        check "$name: a race names both lines" says race race 1 u32:1 "k.cl:$(line_of FIRST k.cl): ds_write" \
            "k.cl:$(line_of SECOND k.cl): ds_read" race-group
        check "$name: nothing is said of a right kernel" says right all 0 u32:1
        check "$name: every instruction has LLVM's line" same_places
    done
done

# What metadata says of OpenCL's arguments is checked before a kernel is launched.
refused() { # FACT ARGUMENT...
    fact=$1
    shift
    ! "$run" -q -k right -g 256 -w 256 k.co "$@" 2>said && cat said && grep -q "$fact" said &&
        grep -q "^the kernel is right(address[^,]*, uint[^,)]*)" said
}
check "kernels are listed with the types of OpenCL" sh -c '"$1" --list k.co | grep "^right(address.*, uint"' sh "$run"
check "a missing argument" refused 'takes 2' 'u32[256]'
check "one of another kind" refused 'argument 2.*f32.*uint' 'u32[256]' f32:1
check "one of another size" refused 'argument 2.*u64.*uint' 'u32[256]' u64:1
check "without -g there is no line" sh -c 'clang-19 -x cl --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 \
    -O1 -o k.co k.cl && ! "$1" -k stray -g 256 k.co "u32[256]" u32:1024 >said 2>&1 && ! grep -q "k.cl\|store.h" said && grep "at stray+0x" said' \
    sh "$run"
tap_done
