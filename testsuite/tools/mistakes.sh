# SPDX-License-Identifier: MIT
# What a newcomer does wrong, and the facts that the answer has to have: names and numbers, not its words.
. "$srcdir/testsuite/tap.sh"
tools=$(cd "$builddir" && pwd)
srcdir=$(cd "$srcdir" && pwd)
asm=$tools/hsailasm fin=$tools/hsailfin run=$tools/hsailrun
cd "$work" || exit 99
cp "$srcdir/examples/vector_add.hsail" k.hsail
line=$(grep -n 'add_f32' k.hsail | cut -d: -f1)

# says STATUS FACT... : the command in the file `command` ends so, and its errors have each of the facts
says() {
    sh ./command >out 2>said
    got=$?
    cat command said
    [ "$got" -eq "$1" ] || { echo "status $got"; return 1; }
    shift
    for fact; do
        grep -qF -- "$fact" said || { echo "not said: $fact"; return 1; }
    done
}
# instead TEXT: k.hsail with another instruction
instead() {
    sed "s/add_f32 .*/$1;/" k.hsail >other.hsail
    echo "'$asm' --validate other.hsail" >command
}

# ---- constants ----

instead 'add_f32 $s4, $s2, 1'
check "an integer for a float: what to write" says 1 "other.hsail:$line:" f32 1.0f constant-type
instead 'add_u8 $s4, $s2, 300'
check "a type that add does not have: two that it has" says 1 "other.hsail:$line:" add_sat_u8 add_u32 inst-sat
instead 'add_f32 $s4, $s2, 1.0'
check "a double for a float" says 1 "other.hsail:$line:" f32 f64
instead 'st_global_u8 300, [$d3]'
check "an integer of more bits counts by its lower ones (PRM 4.8.5)" says 0
echo "'$asm' -d -o - other.brig" >command
check "which are stored" sh -c '"$1" -o other.brig other.hsail && "$1" -d -o - other.brig | grep "st_global_u8[[:blank:]]*44, "' sh "$asm"

# ---- files that are no text ----

printf '\177ELF\002\001\001' >elf.hsail && head -c 4000 /dev/zero >>elf.hsail
printf '\037\213\010\000' >gzip.hsail && head -c 4000 /dev/zero | tr '\0' '\377' >>gzip.hsail
head -c 4000 /dev/zero | tr '\0' '\201' >bytes.hsail
few_errors() { # FILE MOST FACT: at most so many errors, with the fact
    ! "$asm" -o x.brig "$1" 2>said || return 1
    cat said
    [ "$(grep -c 'error:' said)" -le "$2" ] && grep -qF "$3" said
}
check "an ELF file" few_errors elf.hsail 1 ELF
check "a compressed one" few_errors gzip.hsail 1 gzip
{ printf '\211PNG\r\n\032\n\000\000\000\015IHDR' && head -c 4000 /dev/zero | tr '\0' '\377'; } >image.hsail
check "a picture" few_errors image.hsail 1 'a PNG image'
printf '__CLANG_OFFLOAD_BUNDLE__\001\000' >bundle.hsail
check "a bundle of clang" few_errors bundle.hsail 1 clang-offload-bundler
printf '; ModuleID = "x"\ntarget triple = "amdgcn"\n' >ir.hsail
check "LLVM IR" few_errors ir.hsail 1 'LLVM IR'
check "any bytes" few_errors bytes.hsail 2 bytes.hsail:1:1
{ printf '\357\273\277' && cat k.hsail; } >mark.hsail
check "a mark of UTF-8 is no part of the text" sh -c '"$1" -o a.brig mark.hsail && "$1" -o b.brig k.hsail && cmp a.brig b.brig' sh "$asm"

# ---- warnings ----

# Of the PRM's own examples, some are parts of kernels that read registers which nothing writes.
check "what only lint says is not said unasked" sh -c \
    'out=$("$1" --validate "$2"/testsuite/frontend/prm/*.hsail 2>&1); ! echo "$out" | grep "register-unset\|unused-\|missing-ret\|unreachable\]"' sh "$asm" "$srcdir"
check "asked for, it is" sh -c '"$1" --validate --lint "$2"/testsuite/frontend/prm/*.hsail 2>&1 | grep -q register-unset' sh "$asm" "$srcdir"

# ---- the finalizer ----

if [ "${TEST_LLVM:-none}" = none ]; then
    skip "the finalizer" "configured with --without-llvm"
    tap_done
fi
for option in -O2 -S --emit-llvm -g; do
    echo "'$fin' $option -o out.file k.hsail" >command
    check "hsailfin $option" says 0
done
check "-S is text, --emit-llvm LLVM's" sh -c '"$1" -S -o - k.hsail | grep -q s_endpgm && "$1" --emit-llvm -o - k.hsail | grep -q "^define"' sh "$fin"
echo "'$fin' -v -o k.co k.hsail" >command
check "-v: registers, spills, group and private memory" says 0 '&vector_add' VGPR SGPR spilled LDS scratch
echo "'$fin' -t gfx999 -o x.co k.hsail" >command
check "an unknown target: its name and the known ones" says 1 gfx999 gfx900 gfx1201 target-unknown
echo "'$fin' -t gfx900:sramecc+ -o x.co k.hsail" >command
check "a feature that the target lacks: it, the target, and what it has" says 1 "'sramecc+'" gfx900 xnack target-feature
check "--list-targets has them" sh -c '"$1" --list-targets | grep -q "^gfx906"' sh "$fin"
"$fin" -t gfx1030 -o other.co k.hsail
echo "'$run' -q -g 4 other.co 'f32[4]' 'f32[4]' 'f32[4]' u32:4" >command
check "code for another GPU: both names" says 1 gfx1030 gfx900 code-target
echo "HSA_EXT_FINALIZE_LIBRARY=\$PWD/nowhere.so '$run' -q -g 4 k.hsail 'f32[4]' 'f32[4]' 'f32[4]' u32:4" >command
check "no finalizer: the loader's reason, and what can be done" says 1 "nowhere.so" "No such file" finalizer-load "code objects"
tap_done
