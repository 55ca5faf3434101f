# SPDX-License-Identifier: MIT
# The finalizer as a tools library of AMD's own runtime (libhsa-runtime64-1 of Debian, HSA_TOOLS_LIB): a client of that
# runtime finalizes a module. As there is no kernel driver, a stand-in for libhsakmt.so.1 says that there is a CPU and no
# GPU; whatever comes after the code object is not tested here.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
sources=$(cd "$srcdir" && pwd)
build=$(cd "$builddir" && pwd)
theirs=/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1
reason=
[ "$TEST_SANITIZERS" = no ] || reason="a library of the sanitizers has to come first"
[ -f "$build/.libs/libhsa-ext-finalize64.so.1" ] || reason="no shared library"
readelf -d "$theirs" 2>/dev/null | grep -q 'NEEDED.*libhsakmt' || reason="AMD's runtime (libhsa-runtime64-1) is not installed"
echo '#include <hsakmt.h>' | $TEST_CC -E - >/dev/null 2>&1 || reason="hsakmt.h (libhsakmt-dev) is missing"
if [ -n "$reason" ]; then
    skip "the finalizer in AMD's runtime" "$reason"
    tap_done
fi
cd "$work" || exit 99

cat >k.hsail <<'END'
module &m:1:2:$full:$large:$default;
prog kernel &k(kernarg_u64 %p) { ld_kernarg_u64 $d0, [%p]; st_global_u32 7, [$d0]; };
END
echo 'HSAKMT_1 { global: hsaKmt*; local: *; };' >versions
amd=$sources/testsuite/finalizer/amd
check "the module is assembled" "$build/hsailasm" -o k.brig k.hsail
check "the stand-in for the driver compiles" $TEST_CC -shared -fPIC -o libhsakmt.so.1 -Wl,-soname,libhsakmt.so.1 \
    -Wl,--version-script=versions "$amd/kmt.c" "$amd/kmt_unsupported.c"
check "the client compiles" $TEST_CC -I"$sources/include" -o client "$amd/client.c" -ldl

# run [NAME=VALUE...]: runs the client with AMD's runtime
run() {
    env LD_LIBRARY_PATH="$work" "$@" timeout 120 ./client "$theirs" k.brig >out 2>&1
    status=$?
    cat out
    return $status
}
# says LINE: the client has printed it
says() {
    grep -qx "$1" out || { cat out; return 1; }
}
check "AMD's runtime starts without a finalizer" run
check "hsa_init without a finalizer" says "hsa_init succeeds"
check "AMD's runtime has no finalizer of its own" says "hsa_ext_program_create fails"
check "AMD's runtime starts with the finalizer as a tools library" run HSA_TOOLS_LIB="$build/.libs/libhsa-ext-finalize64.so.1"
for step in hsa_init hsa_isa_from_name hsa_ext_program_create hsa_ext_program_add_module hsa_ext_program_finalize \
    hsa_system_get_major_extension_table hsa_code_object_destroy hsa_ext_program_destroy hsa_shut_down; do
    check "$step" says "$step succeeds"
done
check "there is a code object" says "the code object is an ELF file"
check "programs get the functions" says "the table has functions"
tap_done
