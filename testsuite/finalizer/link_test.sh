# Compares the linker of code objects with ld.lld: both must write the same symbols, descriptors, notes and dynamic
# relocations, and code whose references lead to the same symbols.
. "$srcdir/testsuite/tap.sh"

llc=$LLVM_BINDIR/llc
readelf=$LLVM_BINDIR/llvm-readelf
lld=$LLVM_BINDIR/ld.lld
tool=$builddir/testsuite/finalizer/link_tool

for program in "$llc" "$readelf" "$lld"; do
    if [ ! -x "$program" ]; then
        skip "comparison with ld.lld" "no $program"
        tap_done
        exit
    fi
done

object=$work/link.o
check "an object is made" "$llc" -mcpu=gfx900 -filetype=obj "$srcdir/testsuite/finalizer/link.ll" -o "$object"
check "it links" "$tool" "$object" "$work/ours"
check "ld.lld links it" "$lld" -shared "$object" -o "$work/theirs"

# What does not depend on the layout: names, sizes, types and visibility of dynamic symbols.
symbols() { "$readelf" -W --dyn-symbols "$1" | awk 'NR > 3 { print $3, $4, $5, $6, $7 == "UND", $8 }' | sort; }
relocations() { "$readelf" -W -r "$1" | awk '/R_AMDGPU/ { print $3, $5 }' | sort | sed 's/RELATIVE64 .*/RELATIVE64/'; }
header() { "$readelf" -h "$1" | grep -E 'Class|OS/ABI|ABI Version|Type|Machine|Flags'; }
notes() { "$readelf" --notes "$1"; }
for what in symbols relocations header notes; do
    $what "$work/ours" >"$work/a"
    $what "$work/theirs" >"$work/b"
    check "$what are those of ld.lld" diff "$work/a" "$work/b"
done

# The address of a symbol, and where a kernel descriptor says the code starts.
address() { "$readelf" -W --symbols "$1" | awk -v name="$2" '$8 == name { print $2; exit }'; }
entry() { # file kernel; in our files, addresses are offsets
    descriptor=$((0x$(address "$1" "$2.kd")))
    offset=$(od -A n -t d8 -j $((descriptor + 16)) -N 8 "$1")
    [ $((descriptor + offset)) -eq $((0x$(address "$1" "$2"))) ]
}
check "a descriptor leads to its code" entry "$work/ours" '&__first_kernel'
check "another does, too" entry "$work/ours" second

same_again() { "$tool" "$object" "$work/again" && cmp "$work/ours" "$work/again"; }
check "the same object links to the same bytes" same_again

# Damaged objects must be refused or linked; nothing worse may happen.
size=$(wc -c <"$object")
damaged() {
    at=0
    while [ $at -lt "$size" ]; do
        { head -c $at "$object"; printf '\377\177'; tail -c +$((at + 3)) "$object"; } >"$work/bad"
        "$tool" "$work/bad" "$work/out" 2>>"$work/why"
        [ $? -le 1 ] || { echo "exit status $? with damage at $at"; return 1; }
        at=$((at + 37))
    done
}
check "damaged objects get an answer" damaged
truncated() {
    for at in 1 15 63 64 100 500 1000 2000; do
        head -c $at "$object" >"$work/bad"
        "$tool" "$work/bad" "$work/out" 2>/dev/null
        [ $? -eq 1 ] || { echo "$at bytes are not refused"; return 1; }
    done
}
check "truncated objects are refused" truncated

# Two objects, of which one refers to the other, as shares of a program do.
more=$work/more.o
check "another object is made" "$llc" -mcpu=gfx900 -filetype=obj "$srcdir/testsuite/finalizer/link_more.ll" -o "$more"
check "the two are joined and linked" "$tool" "$object" "$more" "$work/ours"
check "ld.lld links the two" "$lld" -shared "$object" "$more" -o "$work/theirs"
for what in symbols relocations header; do
    $what "$work/ours" >"$work/a"
    $what "$work/theirs" >"$work/b"
    check "$what of the two are those of ld.lld" diff "$work/a" "$work/b"
done
for kernel in '&__first_kernel' second third; do
    check "the descriptor of $kernel leads to its code" entry "$work/ours" "$kernel"
done
names() { "$readelf" --notes "$1" | awk '$1 == ".name:" && /^    \.name/ { print $2 }'; }
names "$work/ours" >"$work/a"
printf "'&__first_kernel'\nsecond\nthird\n" >"$work/b"
check "the metadata has the kernels of both" diff "$work/a" "$work/b"

once() { "$tool" "$object" "$object" "$work/out" 2>"$work/why"; [ $? -eq 1 ] && grep -q 'defined twice' "$work/why"; }
check "what is defined twice is refused" once
size=$(wc -c <"$more")
damaged_more() {
    at=0
    while [ $at -lt "$size" ]; do
        { head -c $at "$more"; printf '\377\177'; tail -c +$((at + 3)) "$more"; } >"$work/bad"
        "$tool" "$object" "$work/bad" "$work/out" 2>>"$work/why"
        [ $? -le 1 ] || { echo "exit status $? with damage at $at"; return 1; }
        at=$((at + 37))
    done
}
check "damaged objects get an answer when they are joined" damaged_more
tap_done
