# SPDX-License-Identifier: MIT
# libhsa-runtime64.so.1 must export exactly the functions that the public headers declare, with AMD's symbol version, and
# those of HSA 1.0 provisional that differ, with a version of their own.
. "$srcdir/testsuite/tap.sh"

library=$builddir/.libs/libhsa-runtime64.so
if ! command -v readelf > /dev/null || [ ! -f "$library" ]; then
    skip "exports" "readelf or the shared library is missing"
    tap_done
fi
for h in hsa hsa_ext_amd hsa_ext_finalize hsa_ext_image hsam; do echo "#include \"hsa/$h.h\""; done > "$work/all.c"
$TEST_CC -E -P -I"$srcdir/include" "$work/all.c" | tr '\n' ' ' | sed 's/__attribute__((visibility("default")))/\n&/g' |
    sed -n 's/^__attribute__((visibility("default"))) *[^(]*[ *]\(hsam\?_[a-z0-9_]*\)(.*/\1/p' |
    grep -v '^hsam_agent_driver_init$' | sort -u > "$work/declared"
readelf -W --dyn-syms "$library" | awk '$7 != "UND" && $4 == "FUNC" { print $8 }' | sort -u > "$work/all.v"
grep -v '@HSA_1\.0P$' "$work/all.v" > "$work/exported.v"
sed 's/@.*//' "$work/exported.v" > "$work/exported"
check "200 functions and more are exported" test `wc -l < "$work/exported"` -ge 200
check "exports are what the headers declare" diff "$work/declared" "$work/exported"
check "all have the version ROCR_1" sh -c "! grep -v '@@ROCR_1\$' '$work/exported.v'"
$TEST_CC -E -P -include hsa-1.0p/hsa_ext_image.h -include hsa-1.0p/hsa_ext_amd.h -include hsa-1.0p/hsa_ext_finalize.h -I"$srcdir/include" -x c /dev/null | tr '\n' ' ' | sed 's/;/;\n/g' > "$work/provisional"
sed -n 's/.*[ *]\(hsa_[a-z_]*\) *([^*].*/\1/p' "$work/provisional" | sort -u > "$work/declared.1p"
sed -n 's/.*\.symver " "\(hsa_[a-z_]*\)".*/\1/p' "$work/provisional" | sort -u > "$work/versioned.1p"
sed -n 's/\(.*\)@HSA_1\.0P$/\1/p; s/\(.*\)@@HSA_1\.0P$/\1/p' "$work/all.v" | sed 's/@$//' | sort -u > "$work/exported.1p"
check "HSA 1.0 provisional has 82 functions and more" test `wc -l < "$work/declared.1p"` -ge 82
check "its headers select the versions that are there" \
    sh -c "comm -12 '$work/exported' '$work/exported.1p' | diff - '$work/versioned.1p'"
check "the others that it declares are exported" \
    sh -c "sort -u '$work/exported' '$work/exported.1p' | comm -13 - '$work/declared.1p' | diff /dev/null -"
check "the soname is AMD's" sh -c "readelf -d '$library' | grep -q 'SONAME.*libhsa-runtime64.so.1]'"
check "LLVM is not linked" sh -c "! readelf -d '$library' | grep -q 'NEEDED.*LLVM'"
for worker in hsail-gcn-worker hsail-finalize-worker; do # their linker does not say what is missing, see m4/hsail.m4
    if readelf -lW "$builddir/$worker" 2> /dev/null | grep -q LOAD && ! readelf -lW "$builddir/$worker" | grep -q INTERP; then
        readelf -sW "$builddir/$worker" | awk '$7 == "UND" && $5 != "WEAK" && $8 && $8 != "__tls_get_addr"' > "$work/undefined"
        check "$worker lacks nothing" diff /dev/null "$work/undefined"
    else
        skip "$worker lacks nothing" "it is not linked with archives alone"
    fi
done
theirs=/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1
if [ -f $theirs ]; then # so that linking and LD_BIND_NOW work
    for l in $theirs "$library"; do
        readelf -W --dyn-syms $l | awk '$7 != "UND" && $8 ~ /@@ROCR_1/ { print $4, $8 }' | sort > "$work/`basename $l`"
    done
    comm -23 "$work/`basename $theirs`" "$work/`basename $library`" > "$work/missing"
    check "what Debian's library exports is there" diff /dev/null "$work/missing"
else
    skip "what Debian's library exports is there" "libhsa-runtime64-1 is not installed"
fi
tap_done
