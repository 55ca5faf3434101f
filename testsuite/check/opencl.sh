# SPDX-License-Identifier: MIT
# A corpus of wrong and right kernels in OpenCL C, compiled by clang: the checkers find the wrong ones, with the line,
# and are silent about the right ones. oclgrind, which interprets LLVM's intermediate code, is the second opinion. Both
# verdicts are printed; where they differ, opencl/known.txt has to say so, and why.
. "$srcdir/testsuite/tap.sh"
corpus=$(cd "$srcdir/testsuite/check/opencl" && pwd)
run=$(program hsailrun)
needs_finalizer
cd "$work" || exit 99
for tool in clang-19 ld.lld-19; do
    command -v $tool >/dev/null && continue
    skip "OpenCL kernels" "$tool is missing"
    tap_done
done

compile() { # FILE LEVEL
    clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -mcode-object-version=4 -g "$2" -w \
        -include "$corpus/prelude.cl" -o "$1$2.co" "$1.cl"
}
launch() { # FILE LEVEL KERNEL
    "$run" -q --check=all -k "$3" -g 256 -w 128 "$1$2.co" 'u32[256]' 'u32[256]:iota' u32:7 >said 2>&1
}
found() { # FILE LEVEL KERNEL LINE ID
    launch "$1" "$2" "$3"
    [ $? -eq 1 ] && grep -q "\[$5" said && grep -q "$1\.cl:$4: " said || { cat said; return 1; }
}
silent() {
    launch "$@" && [ ! -s said ] || { cat said; return 1; }
}
# Prints what oclgrind says about the kernel; the file `lines` gets the lines.
second() { # FILE KERNEL
    printf '%s\n' "$1.cl" "$2" '256 1 1' '128 1 1' '<size=1024 fill=0>' '<size=1024 range=0:1:255 uint>' \
        '<size=4 uint>' 7 >k.sim
    oclgrind-kernel --build-options -O0 --data-races --uninitialized --max-errors 100 k.sim >theirs 2>&1 || { echo failed; return; }
    sed -n 's/^.*At line \([0-9]*\) .*/\1/p' theirs | sort -nu | tr '\n' ' ' >lines
    if [ -s lines ]; then echo found; else echo silent; fi
}
known() { # KERNEL WHO
    grep -q "^$1 $2 " "$corpus/known.txt"
}

agree=0 differ=0
compare() { # FILE KERNEL LINE OURS
    theirs=$(second "$1" "$2")
    where=
    [ "$theirs$3" = found- ] || ! grep -qw -- "$3" lines || where=", the same line"
    echo "# $1 $2: ours $4, oclgrind $theirs$where" >>table
    if [ "$4" = "$theirs" ]; then
        agree=$((agree + 1))
        ! known "$2" oclgrind && ! known "$2" ours || echo "$2: known.txt says that they differ" >>wrong
    else
        differ=$((differ + 1))
        known "$2" oclgrind || known "$2" ours || { echo "$2: ours $4, oclgrind $theirs" >>wrong; head -n 7 theirs >>wrong; }
    fi
}
: >table
: >wrong
for file in memory barrier race init; do
    { cat "$corpus/$file.cl"; awk -v checker=$file -f "$corpus/family.awk"; } >$file.cl
    check "$file.cl compiles at -O0" compile $file -O0
    check "$file.cl compiles at -O2" compile $file -O2
    awk -f "$corpus/list.awk" $file.cl >kernels
    wrong=$(cut -d' ' -f1 kernels | while read -r kernel; do known "$kernel" ours || echo "$kernel"; done | grep -c ^wrong)
    right=$(grep -c ^right kernels)
    echo "# OpenCL, checker $file: $wrong wrong kernels to be found, $right right ones"
    check "$file.cl has 40 wrong kernels that are found, and 40 right ones" test "$wrong" -ge 40 -a "$right" -ge 40
    while read -r kernel line id; do
        ours=found
        if [ "$id" = - ]; then
            ours=silent
            check "$file $kernel" silent $file -O0 "$kernel"
            check "$file $kernel, optimised" silent $file -O2 "$kernel"
        elif known "$kernel" ours; then
            ours=silent
            check "$file $kernel is known not to be found" silent $file -O0 "$kernel"
        else
            check "$file $kernel" found $file -O0 "$kernel" "$line" "$id"
        fi
        ! command -v oclgrind-kernel >/dev/null || compare $file "$kernel" "$line" $ours
    done <kernels
done
if command -v oclgrind-kernel >/dev/null; then
    cat table
    echo "# $agree verdicts agree, $differ differ, as opencl/known.txt tells"
    check "oclgrind agrees, or known.txt has the reason" sh -c '! [ -s wrong ] || { cat wrong; exit 1; }'
else
    skip "second opinion" "oclgrind is missing"
fi
tap_done
