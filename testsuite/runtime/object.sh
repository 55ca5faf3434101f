# SPDX-License-Identifier: MIT
# Makes a code object of object.s with LLVM's assembler and linker, then runs the tests that load it.
. "$srcdir/testsuite/tap.sh"

lld=$LLVM_BINDIR/ld.lld
[ -x "$lld" ] || lld=`command -v ld.lld-19 || command -v ld.lld`
if [ -z "$LLVM_BINDIR" ] || [ ! -x "$LLVM_BINDIR/llvm-mc" ] || [ -z "$lld" ]; then
    skip "executables" "llvm-mc or ld.lld is missing"
    tap_done
fi
"$LLVM_BINDIR/llvm-mc" -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -mattr=-xnack -filetype=obj \
    "$srcdir/testsuite/runtime/object.s" -o "$work/object.o" &&
    "$lld" -shared "$work/object.o" -o "$work/object.so" || exit 99
TEST_OBJECT=$work/object.so
export TEST_OBJECT
"$builddir/testsuite/runtime/executable_test"
