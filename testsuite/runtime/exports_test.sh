# SPDX-License-Identifier: MIT
# libhsa-runtime64.so.1 exports exactly the functions that the public headers declare, under AMD's version name.
. "$srcdir/testsuite/tap.sh"

library=$builddir/.libs/libhsa-runtime64.so
if ! command -v readelf > /dev/null || [ ! -f "$library" ]; then
    skip "exports" "readelf or the shared library is missing"
    tap_done
fi
for h in hsa hsa_ext_amd hsa_ext_finalize hsam; do echo "#include \"hsa/$h.h\""; done > "$work/all.c"
$TEST_CC -E -P -I"$srcdir/include" "$work/all.c" | tr '\n' ' ' | sed 's/__attribute__((visibility("default")))/\n&/g' |
    sed -n 's/^__attribute__((visibility("default"))) *[^(]*[ *]\(hsam\?_[a-z0-9_]*\)(.*/\1/p' |
    grep -v '^hsam_agent_driver_init$' | sort -u > "$work/declared"
readelf -W --dyn-syms "$library" | awk '$7 != "UND" && $4 == "FUNC" { print $8 }' | sort -u > "$work/exported.v"
sed 's/@.*//' "$work/exported.v" > "$work/exported"
check "200 functions and more are exported" test `wc -l < "$work/exported"` -ge 200
check "exports are what the headers declare" diff "$work/declared" "$work/exported"
check "all have the version ROCR_1" sh -c "! grep -v '@@ROCR_1\$' '$work/exported.v'"
check "the soname is AMD's" sh -c "readelf -d '$library' | grep -q 'SONAME.*libhsa-runtime64.so.1]'"
check "LLVM is not linked" sh -c "! readelf -d '$library' | grep -q 'NEEDED.*LLVM'"
tap_done
