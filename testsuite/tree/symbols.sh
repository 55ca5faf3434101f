# Checks what each library exports and needs: it may only export names with its prefix, and only the finalizer's
# compiler may need LLVM; and that programs can load it with dlopen(), for which the thread-local variables of all
# libraries loaded so get 1664 bytes from glibc.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

if ! command -v nm >/dev/null 2>&1; then
    skip "libraries export prefixed names only" "no nm"
    tap_done
fi

# library | extended regular expression of its exports | may it need LLVM?
cat >"$work/libraries" <<'END'
libhsail ^hsail_ no
libhsa-ext-finalize64 ^(hsa_ext_program_[a-z_]+_impl|hsail_finalize(_free|_list_targets)?|(On)?(Load|Unload)|HSA_AMD_TOOL_PRIORITY)$ no
hsail-compile ^hsail_compiler$ yes
libhsa-runtime64 ^(hsa_|hsam_|_amdgpu_r_debug$) no
END

exports() { # the library's own defined dynamic symbols, without those that sanitizers and the linker add
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
        grep -Ev '^(__(odr_)?(asan|ubsan|tsan|gcov|llvm|sanitizer)|_init$|_fini$|__bss_start$|_edata$|_end$)'
}

while read -r name pattern llvm; do
    library=$builddir/.libs/$name.so
    if [ ! -e "$library" ]; then
        skip "$name exports" "not built"
        continue
    fi
    unprefixed() { exports "$library" | grep -Ev "$pattern"; }
    check_quiet "$name exports nothing without its prefix" unprefixed
    empty() { [ -n "$(exports "$library")" ] || echo "no exports at all"; }
    check_quiet "$name exports something" empty
    large() {
        size=$(readelf -lW "$library" | awk '$1 == "TLS" { print $6 }')
        [ $((size)) -le 1024 ] || echo "$((size)) bytes"
    }
    check_quiet "the thread-local variables of $name are small" large
    if [ "$llvm" = no ]; then
        needs() {
            nm -D --undefined-only "$library" | grep 'LLVM'
            objdump -p "$library" | grep 'NEEDED.*LLVM'
        }
        check_quiet "$name does not need LLVM" needs
    fi
done <"$work/libraries"

unlisted() { # an installed library that the list above does not know
    sed -n 's/^lib_LTLIBRARIES *+= *//p' "$srcdir"/*/local.mk "$srcdir"/*/*/local.mk | tr ' ' '\n' |
        sed -n 's/\.la$//p' | while read -r name; do
        grep -q "^$name " "$work/libraries" || echo "$name"
    done
}
check_quiet "every installed library is checked" unlisted

tap_done
