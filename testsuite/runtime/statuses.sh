# SPDX-License-Identifier: MIT
# Provokes every documented status, after making two code objects with LLVM's assembler and linker: one that uses a
# variable which nobody defines, and one with nothing but a variable.
. "$srcdir/testsuite/tap.sh"

provoke=$srcdir/testsuite/runtime/provoke
lld=$LLVM_BINDIR/ld.lld
[ -x "$lld" ] || lld=`command -v ld.lld-19 || command -v ld.lld`
link() { # FILE.s FILE.so
    "$LLVM_BINDIR/llvm-mc" -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -mattr=-xnack -filetype=obj "$1" -o "$work/object.o" &&
        "$lld" -shared "$work/object.o" -o "$2"
}
if [ -n "$LLVM_BINDIR" ] && [ -x "$LLVM_BINDIR/llvm-mc" ] && [ -n "$lld" ]; then
    cat >"$work/variable.s" <<'END'
        .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
        .amdhsa_code_object_version 4
        .data
        .globl variable
        .type variable,@object
variable: .quad 1
        .size variable, 8
END
    link "$srcdir/testsuite/runtime/object.s" "$work/object.so" && link "$work/variable.s" "$work/variable.so" || exit 99
    TEST_OBJECT=$work/object.so TEST_PROGRAM_OBJECT=$work/variable.so
    export TEST_OBJECT TEST_PROGRAM_OBJECT
fi
LC_ALL=C awk -f "$provoke/missing.awk" "$provoke/documented.txt" "$provoke"/*.def >"$work/.out" 2>&1 && [ ! -s "$work/.out" ]
report $? "each documented status has a row"
provoke=$srcdir/testsuite/runtime/provoke_1p
LC_ALL=C awk -f "${provoke%_1p}/missing.awk" "$provoke/documented_1p.txt" "$provoke/provoke_provisional.def" >"$work/.out" 2>&1 && [ ! -s "$work/.out" ]
report $? "each documented status of HSA 1.0 provisional has a row"
"$builddir/testsuite/runtime/statuses_test" >"$work/output" 2>&1
status=$?
sed -n 's/^not ok [0-9]* - /# not: /p; /^#/p; s/^ok [0-9]* - \(.*\) # SKIP/# skipped: \1:/p' "$work/output"
report $status "each status is provoked"
tap_done
