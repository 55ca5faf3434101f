# SPDX-License-Identifier: MIT
# Which defects of LLVM that the finalizer avoids does the installed LLVM still have? Each program in probes/ shows one
# when LLVM compiles it by itself. Its first line names the page of doc/decisions; there are two patterns for the
# assembly that LLVM makes, on one line or on several: one that shows the defect, and one of right code. Another line may
# name a processor other than gfx900, or the only pass that runs: such a program is machine code between passes, and so
# is what LLVM makes of it. A defect that is gone is no failure: its cure can be taken out, and the random programs
# decide.
. "$srcdir/testsuite/tap.sh"
llc=$LLVM_BINDIR/llc

# pattern NAME FILE: the pattern of that name
pattern() { sed -n "s/^[;#] $1: //p" "$2"; }

# shows NAME FILE: the assembly in $work/code, also as one line, matches the pattern of that name
shows() { grep -qE -e "$(pattern "$1" "$2")" "$work/code" "$work/line"; }

for file in "$srcdir"/testsuite/finalizer/probes/*.*; do
    name=$(basename "${file%.*}")
    what="$name: $(sed -n '1s/^[;#] \(.*\) (.*/\1/p' "$file")"
    if [ ! -x "$llc" ]; then
        skip "$what" "there is no llc"
        continue
    fi
    processor=$(pattern processor "$file")
    pass=$(pattern pass "$file")
    "$llc" -mtriple=amdgcn-amd-amdhsa -mcpu="${processor:-gfx900}" -O2 ${pass:+"-run-pass=$pass"} -o - "$file" \
        >"$work/all" 2>&1
    sed '/amdhsa_kernel/,$d' "$work/all" | sed 's/[[:blank:]]*;.*//' >"$work/code"
    tr '\n\t' '  ' <"$work/code" >"$work/line"
    if shows wrong "$file"; then
        check "$what" true
    elif shows right "$file"; then
        check "$what: this LLVM is right, and the cure of doc/decisions/$name.md can go" true
    else
        skip "$what" "this LLVM makes other code, which is to be looked at: $(wc -l <"$work/code") lines"
    fi
    check "$name has a page" test -f "$srcdir/doc/decisions/$name.md"
done
tap_done
