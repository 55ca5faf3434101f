# SPDX-License-Identifier: MIT
# Makes code objects from assembler text. To be sourced after tap.sh.
lld=$LLVM_BINDIR/ld.lld
[ -x "$lld" ] || lld=$(command -v ld.lld-19 || command -v ld.lld)
if [ -z "$LLVM_BINDIR" ] || [ ! -x "$LLVM_BINDIR/llvm-mc" ] || [ -z "$lld" ]; then
    skip "observers" "llvm-mc or ld.lld is missing"
    tap_done
fi

assemble() { # FILE.s FILE.co
    "$LLVM_BINDIR/llvm-mc" -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -mattr=-xnack -filetype=obj "$1" -o "$work/object.o" &&
        "$lld" -shared "$work/object.o" -o "$2"
}
