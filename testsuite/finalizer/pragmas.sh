# SPDX-License-Identifier: MIT
# Tests debug pragmas (S16): hsailfin -g makes DWARF of them, which LLVM's tools must accept; it has the names, types, lines
# and places of the source, as far as LLVM keeps these. Pragmas that make no sense do no harm.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
fin=$(cd "$builddir" && pwd)/hsailfin
cd "$work" || exit 99
if ! command -v llvm-dwarfdump-19 >/dev/null; then
    skip "debug pragmas" "llvm-dwarfdump-19 is missing"
    tap_done
fi

cat >k.hsail <<'END'
module &m:1:2:$full:$large:$near;
pragma "hsa.tools.debug.version", 1, 2;
pragma "hsa.tools.debug.src", 1, "File", "scale.cl", "/src", 0, 0;
pragma "hsa.tools.debug.src", 2, "CompileUnit", 1, "C99", "toy compiler", "-g", 0, 0, 0, 0, 0;
pragma "hsa.tools.debug.src", 3, "BasicType", 2, 32, 32, "int", "Signed";
pragma "hsa.tools.debug.src", 4, "BasicType", 2, 32, 32, "float", "Float";
pragma "hsa.tools.debug.src", 5, "DerivedType", 2, 64, 64, 4, "Pointer", 1;
pragma "hsa.tools.debug.src", 6, "List", 5, 3;
pragma "hsa.tools.debug.src", 7, "SubprogramType", 2, 0, 6;
pragma "hsa.tools.debug.src", 8, "Location", 1, 10, 1, 0, 0;
pragma "hsa.tools.debug.src", 9, "Subprogram", 2, 8, 7, "scale", "", 0;
pragma "hsa.tools.debug.src", 10, "Location", 1, 11, 5, 0, 0;
pragma "hsa.tools.debug.src", 11, "Location", 1, 12, 7, 0, 0;
pragma "hsa.tools.debug.src", 12, "LocalVariable", 9, 10, 5, "data", 1;
pragma "hsa.tools.debug.src", 13, "LocalVariable", 9, 10, 3, "index", 0;
pragma "hsa.tools.debug.src", 14, "LocalVariable", 9, 11, 4, "value", 0;
pragma "hsa.tools.debug.src", 15, "LocalVariable", 9, 11, 3, "limit", 0;
pragma "hsa.tools.debug.src", 16, "GlobalVariable", 2, 8, 3, "counter", "counter", "";
pragma "hsa.tools.debug.src", 17, "Subrange", 2, 4, 0;
pragma "hsa.tools.debug.src", 18, "List", 17;
pragma "hsa.tools.debug.src", 19, "IndexableType", 2, 128, 32, 8, 4, 18, "Array";
pragma "hsa.tools.debug.src", 20, "LocalVariable", 9, 11, 19, "table", 0;
pragma "hsa.tools.debug.src", 21, "DerivedType", 2, 64, 64, 35, "Pointer", 1;
pragma "hsa.tools.debug.src", 22, "List", 3, 21;
pragma "hsa.tools.debug.src", 23, "CompositeType", 2, 128, 64, 8, 22, "Structure";
pragma "hsa.tools.debug.src", 24, "LocalVariable", 9, 11, 23, "node", 0;
pragma "hsa.tools.debug.src", 35, "DerivedType", 2, 128, 64, 23, "Typedef", 0;
pragma "hsa.tools.debug.src", 36, "LocalVariable", 9, 11, 35, "twin", 0;
pragma "hsa.tools.debug.src", 25, "Enumerator", 27, "RED", "0";
pragma "hsa.tools.debug.src", 26, "List", 25;
pragma "hsa.tools.debug.src", 27, "EnumerationType", 2, "color", 8, 26;
pragma "hsa.tools.debug.src", 28, "GlobalVariable", 2, 8, 27, "shade", "shade", "";
pragma "hsa.tools.debug.expr", 30, 0, "Constu", 99;
pragma "hsa.tools.debug.expr", 31, 0, "PlusUconst", 16;
pragma "hsa.tools.debug.expr", 32, 0, "Constu", 2;
pragma "hsa.tools.debug.src", 33, "LexicalBlock", 11;
pragma "hsa.tools.debug.src", 34, "LocalVariable", 33, 11, 3, "inner", 0;
prog global_u32 &counter;
pragma "hsa.tools.debug.ref", "GlobalAddr", 16, &counter, 0;
pragma "hsa.tools.debug.ref", "GlobalImplicit", 28, 32;
prog kernel &scale(kernarg_u64 %data)
{
    private_u8 %stack[160];
    pragma "hsa.tools.debug.ref", "LocalAddr", 12, %data, 0;
    pragma "hsa.tools.debug.ref", "LocalRegister", 13, $s0, 0;
    pragma "hsa.tools.debug.ref", "LocalRegister", 34, $s0, 0;
    pragma "hsa.tools.debug.ref", "LocalAddr", 20, %stack, 31;
    pragma "hsa.tools.debug.ref", "LocalAddr", 24, %stack, 0;
    pragma "hsa.tools.debug.ref", "LocalAddr", 36, %stack, 0;
    pragma "hsa.tools.debug.ref", "SourceLine", 10;
    workitemabsid_u32 $s0, 0;
    ld_kernarg_u64 $d0, [%data];
    cvt_u64_u32 $d1, $s0;
    shl_u64 $d1, $d1, 2;
    add_u64 $d0, $d0, $d1;
    pragma "hsa.tools.debug.ref", "LocalImplicit", 15, 30;
    pragma "hsa.tools.debug.ref", "SourceLine", 11;
    ld_global_f32 $s1, [$d0];
    pragma "hsa.tools.debug.ref", "LocalRegister", 14, $s1, 0;
    add_f32 $s2, $s1, $s1;
    pragma "hsa.tools.debug.ref", "LocalRegister", 14, $s2, 0;
    st_private_f32 $s2, [%stack][16];
    ld_private_f32 $s3, [%stack][16];
    st_global_f32 $s3, [$d0];
    st_global_u32 $s0, [&counter];
};
pragma "hsa.tools.debug.ref", "Subprogram", 9, &scale;
END
# Every identifier is of something else than is asked for, or of itself, and numbers are out of range.
cat >odd.hsail <<'END'
module &m:1:2:$full:$large:$near;
global_u32 &g;
pragma "hsa.tools.debug.src", 1, "File", 7, 8, 9;
pragma "hsa.tools.debug.src", 2, "CompileUnit", 2, 3, "x", 4;
pragma "hsa.tools.debug.src", 3, "DerivedType", 3, 64, 64, 3, "Pointer", 1;
pragma "hsa.tools.debug.src", 4, "DerivedType", 2, 64, 64, 4, "Typedef", 0;
pragma "hsa.tools.debug.src", 5, "List", 6, 5, 2, 1, 99, 6;
pragma "hsa.tools.debug.src", 6, "CompositeType", 2, 18446744073709551615, 3, 8, 5, "Union";
pragma "hsa.tools.debug.src", 7, "IndexableType", 2, 13, 5, 8, 6, 5, "Vector";
pragma "hsa.tools.debug.src", 8, "Location", 8, 18446744073709551615, 70000, 0, 8;
pragma "hsa.tools.debug.src", 9, "Subprogram", 9, 9, 9, 9, 9, 9;
pragma "hsa.tools.debug.src", 10, "Namespace", 10, 10, "n";
pragma "hsa.tools.debug.src", 11, "BasicType", 2, 0, 0, "zero", "nonsense";
pragma "hsa.tools.debug.src", 12, "BasicType", 2, 32, 32, "int", "Signed";
pragma "hsa.tools.debug.src", 13, "SubprogramType", 2, 13, 5;
pragma "hsa.tools.debug.src", 14, "LexicalBlock", 14;
pragma "hsa.tools.debug.src", 15, "EnumerationType", 2, "e", 8, 5;
pragma "hsa.tools.debug.src", 20, "LocalVariable", 14, 8, 12, "a", 1;
pragma "hsa.tools.debug.src", 21, "LocalVariable", 9, 8, 12, "b", 1;
pragma "hsa.tools.debug.src", 22, "LocalVariable", 9, 8, 13, "c", 4000000000;
pragma "hsa.tools.debug.src", 23, "LocalVariable", 9, 8, 10, "d", 0;
pragma "hsa.tools.debug.src", 24, "LocalVariable", 9, 8, 3, "e", 0;
pragma "hsa.tools.debug.src", 25, "LocalVariable", 9, 8, 6, "f", 0;
pragma "hsa.tools.debug.src", 26, "GlobalVariable", 10, 8, 15, "g", "g", "", 1, 1;
pragma "hsa.tools.debug.src", 27, "LocalVariable", 9, 8, 7, "h", 0;
pragma "hsa.tools.debug.src", 28, "LocalVariable", 9, 8, 11, "i", 0;
pragma "hsa.tools.debug.src", 28, "LocalVariable", 9, 8, 11, "j", 0;
pragma "hsa.tools.debug.src", 29, "LocalVariable", 9, 8, 13, "k", 0;
pragma "hsa.tools.debug.expr", 30, 30, "Constu", 1;
pragma "hsa.tools.debug.expr", 31, 0, "Fragment", 0, 32;
pragma "hsa.tools.debug.expr", 32, 0, "Fragment", 31, 2;
pragma "hsa.tools.debug.expr", 33, 31, "Fragment", 0, 8;
pragma "hsa.tools.debug.expr", 34, 0, "Fragment", 8, 8;
pragma "hsa.tools.debug.expr", 35, 0, "Dereference", "group";
pragma "hsa.tools.debug.expr", 36, 0, "Constu", 1;
pragma "hsa.tools.debug.ref", "GlobalAddr", 26, &g, 35;
pragma "hsa.tools.debug.ref", "GlobalAddr", 26, &g, 31;
pragma "hsa.tools.debug.ref", "GlobalImplicit", 26, 36;
pragma "hsa.tools.debug.ref", "GlobalImplicit", 20, 36;
prog function &f()()
{
    pragma "hsa.tools.debug.ref", "LocalRegister", 20, $s7, 0;
    st_global_u32 1, [&g];
};
prog kernel &k(kernarg_u64 %p)
{
    private_u32 %v; group_u32 %w;
    pragma "hsa.tools.debug.ref", "LocalRegister", 20, $s0, 0;
    pragma "hsa.tools.debug.ref", "LocalRegister", 21, $s0, 31;
    pragma "hsa.tools.debug.ref", "LocalRegister", 21, $s1, 32;
    pragma "hsa.tools.debug.ref", "LocalRegister", 21, $s1, 33;
    pragma "hsa.tools.debug.ref", "LocalRegister", 21, $s1, 34;
    pragma "hsa.tools.debug.ref", "LocalRegister", 22, $q99, 0;
    pragma "hsa.tools.debug.ref", "LocalRegister", 23, $c1, 35;
    pragma "hsa.tools.debug.ref", "LocalRegister", 29, $s0, 0;
    pragma "hsa.tools.debug.ref", "LocalAddr", 24, %v, 35;
    pragma "hsa.tools.debug.ref", "LocalAddr", 25, %w, 0;
    pragma "hsa.tools.debug.ref", "LocalAddr", 27, %v, 36;
    pragma "hsa.tools.debug.ref", "LocalAddr", 28, %p, 34;
    pragma "hsa.tools.debug.ref", "LocalAddr", 26, &g, 0;
    pragma "hsa.tools.debug.ref", "LocalImplicit", 24, 30;
    pragma "hsa.tools.debug.ref", "LocalImplicit", 24, 36;
    pragma "hsa.tools.debug.ref", "LocalImplicit", 25, 0;
    pragma "hsa.tools.debug.ref", "SourceLine", 9;
    pragma "hsa.tools.debug.ref";
    pragma "hsa.tools.debug.src";
    workitemabsid_u32 $s0, 0; mov_b32 $s1, 2; st_private_u32 $s0, [%v]; st_group_u32 $s1, [%w];
    pragma "hsa.tools.debug.ref", "SourceLine", 8;
    ld_kernarg_u64 $d0, [%p]; ld_private_u32 $s1, [%v]; st_global_u32 $s1, [$d0];
    { call &f()(); }
    ret;
    pragma "hsa.tools.debug.ref", "LocalImplicit", 24, 36;
};
pragma "hsa.tools.debug.ref", "Subprogram", 9, &k;
pragma "hsa.tools.debug.ref", "Subprogram", 9, &g;
END

verified() {
    "$fin" -g "$@" -o out.co 2>messages && llvm-dwarfdump-19 --verify out.co >out 2>&1 && grep 'No errors' out ||
        { cat messages out; return 1; }
}
# described NAME WORDS...: the entry of NAME has each of the words
described() {
    name=$1
    shift
    llvm-dwarfdump-19 --debug-info --name="$name" out.co >out
    for word in "$@"; do
        grep -q -- "$word" out || { echo "no $word"; cat out; return 1; }
    done
}
same_code() {
    "$fin" "$1" k.hsail -o a.co && "$fin" "$1" -g k.hsail -o b.co && for co in a b; do
        llvm-objdump-19 -d --no-leading-addr $co.co | sed 's/ *<.*>//;s,//.*:,,;/file format/d' >$co.dis
    done && [ "$(wc -l <a.dis)" -gt 9 ] && cmp a.dis b.dis
}

check "pragmas verify at -O0" verified -O0 k.hsail
check "the unit" described scale.cl DW_LANG_C99 "toy compiler" '"/src"'
check "the subprogram" described scale 'DW_AT_decl_line.*(10)' '&scale'
check "a variable in a register, at -O0 in memory" described index '"int"' 'DW_AT_decl_line.*(11)' DW_OP_fbreg
check "a variable in a block" described inner '"int"' 'DW_AT_decl_line.*(12)' DW_OP_fbreg
check "a variable in a piece of private memory" described table '"float\[4\]"' 'DW_OP_fbreg +16'
check "a structure that points to itself" described node structure DW_OP_fbreg
check "the same by another name, which the structure mentions" described twin structure DW_OP_fbreg
check "a variable without a place" described limit 'DW_OP_consts +99'
check "a variable of the module" described counter '"int"' DW_OP_addrx
check "a variable of the module without a place" described shade '"color"' 'DW_AT_const_value.*(2)'
check "an enumerator" described RED DW_AT_const_value
check "lines are those of the source" sh -c "llvm-dwarfdump-19 --debug-line out.co >out; grep -q ' 11  *5 ' out && grep -q ' 12  *7 ' out"
sed 's/^    st_private/    loc 777 3 "far.cl"; &/' k.hsail >loc.hsail
check "loc does not count beside pragmas for lines" sh -c "'$fin' -g loc.hsail -o out.co && ! llvm-dwarfdump-19 --debug-line out.co | grep -w 777"
check "pragmas verify at -O2" verified -O2 k.hsail
check "a variable in a register" described index DW_OP_regx
check "a variable in two registers, one after the other" described value '"float"' DW_OP_regx
for level in -O0 -O2; do
    check "pragmas do not change the code of $level" same_code $level
    check "pragmas that make no sense, at $level" verified $level odd.hsail
done
sed 's/"scale.cl"/""/' k.hsail >nameless.hsail
check "a unit whose file has no name" verified nameless.hsail
check "with -gline-tables-only there are only lines" sh -c "'$fin' --finalizer-options=-gline-tables-only k.hsail -o out.co &&
    llvm-dwarfdump-19 --debug-line out.co | grep -q ' 12  *7 ' && ! llvm-dwarfdump-19 --debug-info out.co | grep -w limit"
tap_done
