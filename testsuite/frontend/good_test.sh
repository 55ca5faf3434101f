# Tests every module of good/, and of prm/, which has the examples of the PRM. Each must assemble, and be printed in
# every style as text that assembles to the same bytes. If the other assembler knows the module's version of HSAIL, it
# must write the same bytes.
. "$srcdir/testsuite/tap.sh"

asm=$(program hsailasm)
asm() { "$asm" "$@"; }

same_after_printing() { # module style
    asm -d --float="$2" -o "$work/again.hsail" "$1" && asm -o "$work/again.brig" "$work/again.hsail" &&
        cmp "$1" "$work/again.brig"
}

same_after_readable() { # module
    asm -d --layout=readable -o "$work/again.hsail" "$1" && asm -o "$work/again.brig" "$work/again.hsail" &&
        cmp "$1" "$work/again.brig" && ! grep -nE "$(printf '\t')|[ ]\$" "$work/again.hsail" | grep -v //
}

same_text_after_printing() { # module
    asm -d -o "$work/one.hsail" "$1" && asm -d -o "$work/two.hsail" "$work/one.hsail" &&
        cmp "$work/one.hsail" "$work/two.hsail"
}

as_the_other() { # source module
    "$HSAILASM_1_0" -assemble -brig -o "$work/other.brig" "$1" && cmp "$work/other.brig" "$2"
}

for file in "$srcdir"/testsuite/frontend/good/*.hsail "$srcdir"/testsuite/frontend/prm/*.hsail \
    "$srcdir"/examples/*.hsail; do
    name=${file##*/}
    module=$work/$name.brig
    check "$name assembles" asm -o "$module" "$file"
    [ -e "$module" ] || continue
    for style in ieee c99 decimal; do
        check "$name, printed with $style numbers, is the same module" same_after_printing "$module" "$style"
    done
    check "$name in the readable layout is the same module" same_after_readable "$module"
    check "$name, printed twice, is the same text" same_text_after_printing "$module"
    if ! grep -q '^module.*:1:0:' "$file"; then
        continue
    elif [ -n "$HSAILASM_1_0" ]; then
        check "$name is what the HSAIL 1.0 assembler writes" as_the_other "$file" "$module"
    else
        skip "$name is what the HSAIL 1.0 assembler writes" "no HSAILasm"
    fi
done

# Section 4.8.2 writes the same number in three ways.
same_doubles() {
    asm -d -o "$work/numbers.hsail" "$srcdir/testsuite/frontend/prm/constants.hsail" &&
        [ "$(grep '&d[123] = ' "$work/numbers.hsail" | sed 's/.*=//' | sort -u | wc -l)" -eq 1 ]
}
check "a number is the same in decimal, in hexadecimal and by its bits" same_doubles
tap_done
