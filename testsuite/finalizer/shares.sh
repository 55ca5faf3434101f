# SPDX-License-Identifier: MIT
# Compares the code object of a program that is compiled in shares with that of the whole program: LLVM's readelf must
# find the same dynamic symbols, relocations and notes of kernels in both, also for what another program defines.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
readelf=$LLVM_BINDIR/llvm-readelf
if [ ! -x "$readelf" ]; then
    skip "shares and the whole program" "no $readelf"
    tap_done
    exit
fi

cat >"$work/outside.hsail" <<'END'
module &m:1:2:$full:$large:$near;
decl prog global_u32 &outside;
decl prog readonly_u32 &table[8];
prog global_u64 &place = addr(&outside);
prog kernel &a(kernarg_u64 %p)
{
    ld_kernarg_u64 $d0, [%p];
    ld_global_u32 $s0, [&outside];
    st_global_u32 $s0, [$d0];
};
prog kernel &b(kernarg_u64 %p)
{
    maxdynamicgroupsize 1024;
    ld_kernarg_u64 $d0, [%p];
    ld_readonly_u32 $s0, [&table][4];
    ld_global_u32 $s1, [&outside];
    add_u32 $s0, $s0, $s1;
    st_global_u32 $s0, [$d0];
};
kernel &c(kernarg_u64 %p)
{
    ld_kernarg_u64 $d0, [%p];
    lda_global_u64 $d1, [&outside];
    st_global_u64 $d1, [$d0];
};
END

# Names, types, visibility and, of variables, sizes.
symbols() {
    "$readelf" -W --dyn-symbols "$1" |
        awk 'NR > 3 { print $4, $5, $6, $7 == "UND", $8, $4 == "OBJECT" ? $3 : "" }' | sort
}
relocations() { "$readelf" -W -r "$1" | awk '/R_AMDGPU/ { print $3, $5 }' | sed 's/RELATIVE64 .*/RELATIVE64/' | sort; }
# What the metadata and the notes of linkage and launches say, except for registers.
notes() { "$readelf" --notes "$1" | grep -vE 'gpr_|Displaying'; }

# compare FILE SHARES
compare() {
    compared="${1##*/} in $2 shares"
    check "${1##*/} compiles" "$builddir/hsailfin" --finalizer-options=-shares=1 "$1" -o "$work/whole"
    check "$compared compiles" "$builddir/hsailfin" --finalizer-options=-shares="$2" "$1" -o "$work/shares"
    for what in symbols relocations notes; do
        $what "$work/whole" >"$work/a"
        $what "$work/shares" >"$work/b"
        check "$compared has the same $what" diff "$work/a" "$work/b"
    done
    check "$compared has several of them" [ "$(symbols "$work/shares" | wc -l)" -gt 4 ]
    check "$compared is divided" sh -c '! cmp -s "$1" "$2"' sh "$work/whole" "$work/shares"
}
compare "$work/outside.hsail" 3
compare "$srcdir/testsuite/finalizer/run.hsail" 4
tap_done
