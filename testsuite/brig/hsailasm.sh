# SPDX-License-Identifier: MIT
# BRIG that an independent assembler has written is opened without a finding, and that assembler still writes the same
# bytes for our texts.
. "$srcdir/testsuite/tap.sh"
data=$srcdir/testsuite/brig/data
tool=$builddir/testsuite/brig/open_tool

silent() { # file...
    out=$("$tool" "$@") && [ -z "$out" ] || { printf '%s\n' "$out"; return 1; }
}

check "a module of every HSAIL 1.0 construct opens without a finding" silent "$data/wide.brig"
expect_status 1 "text is refused" "$tool" "$data/wide.hsail"
if [ -z "$HSAILASM_1_0" ]; then
    skip "the HSAIL 1.0 assembler's output opens" "no HSAILasm"
    tap_done
    exit
fi
check "the HSAIL 1.0 assembler takes the text" "$HSAILASM_1_0" -assemble "$data/wide.hsail" -o "$work/wide.brig"
check "... and writes the bytes that are kept here" cmp "$work/wide.brig" "$data/wide.brig"
# Debug information and the source add sections of their own.
check "... and, with the source in it" "$HSAILASM_1_0" -assemble -include-source "$data/wide.hsail" -o "$work/source.brig"
check "... its module opens without a finding" silent "$work/source.brig"
if [ -d "$srcdir/examples" ]; then
    for text in "$srcdir"/examples/*.hsail; do
        name=${text##*/}
        if "$HSAILASM_1_0" -assemble "$text" -o "$work/$name.brig" >"$work/.out" 2>&1; then
            check "$name of the HSAIL 1.0 assembler opens without a finding" silent "$work/$name.brig"
        else
            skip "$name opens" "the HSAIL 1.0 assembler refuses it"
        fi
    done
fi
tap_done
