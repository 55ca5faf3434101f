# Compares the table of AMD's processors (support/amdgpu.def) with LLVM: which processors there are, the number in the
# ELF header, the version, the features of the target id, waves, group memory, and the granules of registers.
. "$srcdir/testsuite/tap.sh"

llc=$LLVM_BINDIR/llc
mc=$LLVM_BINDIR/llvm-mc
readelf=$LLVM_BINDIR/llvm-readelf
for program in "$llc" "$mc" "$readelf" "$CLANG"; do
    if [ ! -x "$program" ]; then
        skip "processors beside LLVM" "no ${program:-clang}"
        tap_done
        exit
    fi
done
release=$("$llc" --version | sed -n 's/.*LLVM version \([0-9]*\).*/\1/p')
clang_release=$("$CLANG" --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
if [ "$clang_release" != "$release" ]; then
    skip "processors beside LLVM" "Clang is of release $clang_release, and LLVM of $release"
    tap_done
    exit
fi
"$builddir/testsuite/support/amdgpu_test" list >"$work/rows"
awk -v release="$release" '$7 <= release' "$work/rows" >"$work/known"

"$llc" -march=amdgcn -mcpu=help 2>&1 </dev/null | awk '/Select the .* processor/ { print $1 }' |
    grep -E '^gfx[0-9]+([0-9a-f]$|[-0-9a-z]*-generic$)' | sort -u >"$work/theirs"
cut -d' ' -f1 "$work/known" | sort >"$work/ours"
same() { diff "$1" "$2" >&2; }
if [ "$release" = 19 ]; then
    check "the table has LLVM's processors" same "$work/ours" "$work/theirs"
else
    skip "the table has LLVM's processors" "it says what LLVM 19 has, and here is $release"
fi

echo 'define amdgpu_kernel void @k() { ret void }' >"$work/k.ll"
echo '.long .amdgcn.gfx_generation_number, .amdgcn.gfx_generation_minor, .amdgcn.gfx_generation_stepping' >"$work/v.s"
echo '__AMDGCN_WAVEFRONT_SIZE__' >"$work/w.c"

compile() { "$llc" -mtriple=amdgcn-amd-amdhsa -mcpu="$1" --amdhsa-code-object-version="$2" -o "$3" "$4" $5; }
preprocess() { "$CLANG" --target=amdgcn-amd-amdhsa -nogpulib -mcpu="$1" $2 -E -P "$work/w.c"; }
takes() { if preprocess "$1" >/dev/null 2>&1; then echo 1; else echo 0; fi; }

# name mach version xnack sramecc wave, as LLVM sees a processor
facts() { # name code_object
    compile "$1" "$(($2 < 4 ? 4 : $2))" "$work/k.o" "$work/k.ll" -filetype=obj
    mach=$("$readelf" -h "$work/k.o" | sed -n 's/.*Flags: *\(0x[0-9A-Fa-f]*\).*/\1/p')
    "$mc" -triple=amdgcn-amd-amdhsa -mcpu="$1" -filetype=obj -o "$work/v.o" "$work/v.s"
    version=$("$readelf" -x .text "$work/v.o" | awk '/^0x0/ { print $2, $3, $4 }')
    echo "$1 $((mach & 255)) $version $(takes "$1:xnack+") $(takes "$1:sramecc+") $(preprocess "$1")"
}
little() { printf '%02x000000' "$1"; }
while read -r name mach version xnack sramecc object _ _ wave _; do
    major=${version%%.*} stepping=${version##*.} minor=${version#*.}
    version="$(little "$major") $(little "${minor%.*}") $(little "$stepping")"
    echo "$name $((mach)) $version $xnack $sramecc $wave" >"$work/want"
    facts "$name" "$object" >"$work/have" 2>&1
    check "$name" same "$work/want" "$work/have"
done <"$work/known"

# A processor of each generation: group memory and registers.
registers() { # first register outside the granule, attributes
    cat <<END
define amdgpu_kernel void @in() $2 { call void asm sideeffect "", "~{v$(($1 - 1))}"() ret void }
define amdgpu_kernel void @out() $2 { call void asm sideeffect "", "~{v$1}"() ret void }
END
}
group() { # bytes
    cat <<END
@a = internal addrspace(3) global [$1 x i8] poison
define amdgpu_kernel void @k(i32 %i) {
  %p = getelementptr i8, ptr addrspace(3) @a, i32 %i
  store volatile i8 1, ptr addrspace(3) %p
  ret void
}
END
}
blocks() { # name wave granule: the number of granules that one register less, and one more, take
    registers "$3" "\"target-features\"=\"+wavefrontsize$2\"" >"$work/r.ll"
    compile "$1" 5 - "$work/r.ll" | awk '/VGPRBlocks:/ { printf "%s ", $3 }'
}
fits() {
    group "$2" >"$work/g.ll"
    compile "$1" 5 /dev/null "$work/g.ll" >/dev/null 2>&1
}
exactly() { fits "$1" "$2" && ! fits "$1" "$(($2 + 1))"; }
granule() { [ "$(blocks "$1" "$2" "$3")" = "0 1 " ] || { blocks "$1" "$2" "$3" && false; }; }
occupancy() {
    echo 'define amdgpu_kernel void @k() "amdgpu-flat-work-group-size"="64,64" { ret void }' >"$work/o.ll"
    compile "$1" 5 - "$work/o.ll" | grep -q "; Occupancy: $2$"
}
cat >"$work/i.ll" <<END
define amdgpu_kernel void @k(<8 x i32> inreg %image, <4 x i32> inreg %sampler, float %x, ptr addrspace(1) %to) {
  %texel = call <4 x float> @llvm.amdgcn.image.sample.lz.1d.v4f32.f32(i32 15, float %x, <8 x i32> %image,
                                                                      <4 x i32> %sampler, i1 0, i32 0, i32 0)
  store <4 x float> %texel, ptr addrspace(1) %to
  ret void
}
END
samples() { compile "$1" 5 - "$work/i.ll" 2>&1 | grep -q image_sample_lz; }
sort -u -k8,8 "$work/known" >"$work/generations"
while read -r name _ _ _ _ _ _ _ _ waves simd lds _ g64 g32 _ images; do
    # Other processors have image instructions, too, but with another layout of resources.
    [ "$images" = 1 ] && check "$name samples images" samples "$name"
    check "$name has $lds bytes of group memory" exactly "$name" "$lds"
    check "$name counts vector registers by $g64 in waves of 64" granule "$name" 64 "$g64"
    if [ "$waves" = 64 ]; then
        check "$name has $simd waves on a SIMD" occupancy "$name" "$simd"
    else
        check "$name counts vector registers by $g32 in waves of 32" granule "$name" 32 "$g32"
    fi
done <"$work/generations"
tap_done
