# Every processor of support/amdgpu.def as a target: the examples compile to code objects for exactly that processor,
# with the wanted size of waves and version of the format, and LLVM's tools read them; or the target is refused by its
# name. One example is compiled for each processor, and more for one processor of each generation. HSAIL_TARGETS=all,
# which `make check-targets` sets, compiles everything; a list of processors, such as "gfx906 gfx1030", everything for
# these.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
tool=$builddir/hsailfin
readelf=$LLVM_BINDIR/llvm-readelf
objdump=$LLVM_BINDIR/llvm-objdump
release=${TEST_LLVM%%.*}

mach() {
    flags=$("$readelf" -h "$1" | sed -n 's/.*Flags: *\(0x[0-9A-Fa-f]*\).*/\1/p')
    echo $((flags & 255))
}
# LLVM's disassembler knows processors from GFX8 on.
disassembles() { # file
    "$objdump" -d "$1" >"$work/text" && grep -q 's_endpgm' "$work/text" && ! grep -q '<unknown>' "$work/text"
}
# Prints descriptors as directives. If LLVM finds a descriptor wrong, it prints bytes instead.
descriptors() { # file wave
    "$objdump" -d -j .rodata "$1" >"$work/text" && grep -q '^\.amdhsa_kernel' "$work/text" &&
        ! grep -q 'error decoding' "$work/text" || return 1
    case $(sed -n 's/.*amdhsa_wavefront_size32 //p' "$work/text" | sort -u) in
    1) [ "$2" = 32 ] ;;
    *) [ "$2" = 64 ] ;;
    esac
}
reads() { # file name mach wave version
    [ -x "$readelf" ] || return 0
    [ "$(mach "$1")" -eq "$(($3))" ] && "$readelf" -h "$1" | grep -q "ABI Version: *$(($5 - 2))\$" || return 1
    "$readelf" --notes "$1" >"$work/notes"
    grep -q "amdhsa.target: *'*amdgcn-amd-amdhsa--$2'*\$" "$work/notes" &&
        [ "$(sed -n 's/.*\.wavefront_size: *//p' "$work/notes" | sort -u)" = "$4" ] || return 1
    case $2 in gfx[67]??) return 0 ;; esac
    disassembles "$1" && descriptors "$1" "$4"
}
compiles() { # example name mach wave version options...
    example=$1 name=$2 number=$3 wave=$4 version=$5
    shift 5
    "$tool" -t "$name" -o "$work/code.co" "$@" "$srcdir/examples/$example.hsail" &&
        reads "$work/code.co" "$name" "$number" "$wave" "$version"
}
refused() { ! "$tool" -t "$1" -o "$work/code.co" "$srcdir/examples/vector_add.hsail" 2>"$work/err" && grep -q "$1" "$work/err"; }

examples=$(cd "$srcdir/examples" && ls ./*.hsail | sed 's|^\./||; s|\.hsail$||')
each() { # name mach wave version what options...: each example
    name=$1 number=$2 wave=$3 version=$4 what=$5
    shift 5
    for example in $examples; do
        check "$name, $example, $what" compiles "$example" "$name" "$number" "$wave" "$version" "$@"
    done
}
thoroughly() { # name mach wave waves version
    for level in 0 1 2 3; do
        each "$1" "$2" "$3" "$5" "-O$level" "-O$level"
    done
    for version in 4 5 6; do
        if [ "$version" -lt "$5" ]; then
            expect_status 1 "$1 has no version $version" "$tool" -t "$1" --cov=$version -o "$work/code.co" \
                "$srcdir/examples/vector_add.hsail"
        else
            each "$1" "$2" "$3" "$version" "version $version" --cov=$version
        fi
    done
    if [ "$4" = 96 ]; then
        each "$1" "$2" 64 "$5" "waves of 64" -mwavefrontsize64
        each "$1" "$2" 32 "$5" "waves of 32" -mno-wavefrontsize64 -g
    else
        expect_status 1 "$1 has no waves of 32" "$tool" -t "$1" -mno-wavefrontsize64 -o "$work/code.co" \
            "$srcdir/examples/vector_add.hsail"
    fi
}

wants_all_of() { # name
    case " ${HSAIL_TARGETS:-} " in *" all "* | *" $1 "*) ;; *) false ;; esac
}
"$builddir/testsuite/support/amdgpu_test" list >"$work/rows"
turn=0 seen=
while read -r name number _ _ _ format llvm _ wave waves _ lds rest; do
    [ "$format" -ge 4 ] || format=4
    set -- $examples
    turn=$((turn % $# + 1))
    shift $((turn - 1))
    kind="$waves $lds $rest"
    if [ "$llvm" -gt "$release" ]; then
        check "$name is refused" refused "$name"
    elif wants_all_of "$name"; then
        thoroughly "$name" "$number" "$wave" "$waves" "$format"
    elif case $seen in *"<${name%??}>"*) false ;; *) true ;; esac; then
        seen="$seen<${name%??}>"
        check "$name, -O0" compiles "$1" "$name" "$number" "$wave" "$format" -O0
        check "$name, version 6" compiles "$1" "$name" "$number" "$wave" 6 --cov=6
        [ "$format" -gt 5 ] || check "$name, version 5" compiles "$1" "$name" "$number" "$wave" 5 -mcode-object-version=5
        [ "$waves" != 96 ] || check "$name, waves of 64" compiles "$1" "$name" "$number" 64 "$format" -mwavefrontsize64
    else
        check "$name, $1" compiles "$1" "$name" "$number" "$wave" "$format"
    fi
done <"$work/rows"

vector_add=$srcdir/examples/vector_add.hsail
check "features reach the code" "$tool" -t gfx90a:sramecc+:xnack- -o "$work/code.co" "$vector_add"
if [ -x "$readelf" ]; then
    features() { "$readelf" --notes "$work/code.co" | grep -q 'amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-'; }
    check "and the notes name them" features
fi
expect_status 1 "waves of 32 where there are none" "$tool" -mno-wavefrontsize64 -o "$work/code.co" "$vector_add"
expect_status 1 "a version that there is not" "$tool" --cov=7 -o "$work/code.co" "$vector_add"
expect_status 1 "a version that cannot hold the code" "$tool" -t gfx11-generic --cov=5 -o "$work/code.co" "$vector_add"
expect_status 2 "a machine option that there is not" "$tool" -mfancy -o "$work/code.co" "$vector_add"
check "the processor, as compilers take it" compiles vector_add gfx1030 0x36 32 4 -mcpu=gfx1030

# What the processor lacks is refused by its name.
cat >"$work/flat.hsail" <<END
module &m:1:2:\$full:\$large:\$near;
prog kernel &k(kernarg_u64 %p) { ld_kernarg_u64 \$d0, [%p]; st_u32 1, [\$d0]; };
END
flat() { ! "$tool" -t "$1" -o "$work/code.co" "$work/flat.hsail" 2>"$work/err" && grep -q 'flat addresses.*flat-target' "$work/err"; }
check "flat addresses on gfx600" flat gfx600
check "flat addresses on gfx700" "$tool" -t gfx700 -o "$work/code.co" "$work/flat.hsail"
cat >"$work/group.hsail" <<END
module &m:1:2:\$full:\$large:\$near;
prog kernel &k(kernarg_u64 %p) { group_u32 %g[10000]; lda_group_u32 \$s0, [%g]; st_group_u32 1, [\$s0]; };
END
group() { ! "$tool" -t gfx601 -o "$work/code.co" "$work/group.hsail" 2>"$work/err" && grep -q '32768.*group-size' "$work/err"; }
check "40000 bytes of group memory on gfx601" group
check "40000 bytes of group memory on gfx701" "$tool" -t gfx701 -o "$work/code.co" "$work/group.hsail"

cat >"$work/image.hsail" <<'END'
module &m:1:0:$full:$large:$default;
extension "IMAGE";
prog kernel &k(kernarg_u64 %image)
{
    ld_kernarg_u64 $d0, [%image];
    ldimage_v4_1d_f32_rwimg_u32 ($s0, $s1, $s2, $s3), $d0, $s4;
    ret;
};
END
images() { "$tool" -t "$1" -o "$work/code.co" "$work/image.hsail" 2>"$work/err"; }
for name in gfx900 gfx908 gfx90c; do
    check "$name has images" images "$name"
done
no_images() { ! images "$1" && grep -q "$1.*\[image-target\]" "$work/err"; }
for name in gfx803 gfx90a gfx942; do
    check "$name has no images that the runtime makes" no_images "$name"
done
tap_done
