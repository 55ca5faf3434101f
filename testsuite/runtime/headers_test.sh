# SPDX-License-Identifier: MIT
# Compares the public headers with those of Debian's libhsa-runtime-dev: every enumerator, size, offset and prototype
# that both have must be the same.
. "$srcdir/testsuite/tap.sh"

theirs=/usr/include/hsa
if [ ! -f $theirs/hsa_ext_amd.h ]; then
    skip "headers agree with Debian's" "libhsa-runtime-dev is not installed"
    tap_done
fi
headers="hsa.h hsa_ext_finalize.h hsa_ext_image.h hsa_ven_amd_loader.h hsa_ext_amd.h amd_hsa_signal.h amd_hsa_queue.h"
for h in $headers; do echo "#include \"hsa/$h\""; done > "$work/all.c"
$TEST_CC -E -P -I"$srcdir/include" "$work/all.c" > "$work/ours.i"
for h in $headers; do cat $theirs/$h; done > "$work/theirs.txt"

# All that we declare from the first HSA name on, one declaration on each line, without system headers.
tr '\n' ' ' < "$work/ours.i" |
    sed 's/__attribute__((visibility("default")))/\n/g; s/__attribute__((aligned([0-9]*)))//g; s/typedef/\n&/g' > "$work/lines"
grep -oE '\b(HSA|AMD)_[A-Z0-9_a-z]+ = ' "$work/ours.i" | sed 's/ = //' | grep -v '_LAST_EXTENSION$' | sort -u > "$work/enumerators"
# Structures: "name field field ..."
sed -n 's/^typedef struct[^{]*{\(.*\)} *\([a-z_0-9A-Z][a-z_0-9A-Z]*\);.*/\2 { \1/p' "$work/lines" |
    awk '{ n = $1; s = $0; sub(/^[^{]*\{/, "", s); gsub(/union *\{|\} *;/, "", s); c = split(s, d, ";"); printf "%s", n
           for (i = 1; i <= c; i++) { if (match(d[i], /\(\*[a-z_0-9]+\)/)) { printf " %s", substr(d[i], RSTART + 2, RLENGTH - 3); continue }
             k = split(d[i], v, ","); for (j = 1; j <= k; j++) { f = v[j]; sub(/\[.*/, "", f); sub(/ *$/, "", f); sub(/.*[ *]/, "", f); if (f ~ /^[A-Za-z_0-9]+$/) printf " %s", f } }
           print "" }' > "$work/structs"

common() { grep -qw "$1" "$work/theirs.txt"; }
{
    cat "$work/all.c"
    cat << 'END'
#include <stdio.h>
#include <stddef.h>
#define E(n) printf(#n " %lld\n", (long long)n);
#define S(t) printf("sizeof " #t " %zu %zu\n", sizeof(t), _Alignof(t));
#define O(t, f) printf("offset " #t "." #f " %zu %zu\n", offsetof(t, f), sizeof(((t *)0)->f));
int main(void) {
END
    while read name; do common $name && echo "E($name)"; done < "$work/enumerators"
    while read name fields; do
        common $name || continue
        echo "S($name)"
        case $name in # what newer versions named in once reserved space
        amd_queue_t) known="hsa_queue write_dispatch_id group_segment_aperture_base_hi private_segment_aperture_base_hi
            read_dispatch_id read_dispatch_id_field_base_byte_offset scratch_backing_memory_location queue_properties
            queue_inactive_signal" ;;
        amd_signal_t) known="kind value event_mailbox_ptr event_id start_ts end_ts queue_ptr" ;;
        *) known=$fields ;;
        esac
        for f in $known; do common $f && echo "O($name, $f)"; done
    done < "$work/structs"
    echo 'return 0; }'
} > "$work/probe.c"

check "the probe compiles with our headers" $TEST_CC -I"$srcdir/include" -o "$work/ours" "$work/probe.c"
check "the probe compiles with Debian's headers" $TEST_CC -w -o "$work/theirs" "$work/probe.c"
"$work/ours" > "$work/ours.txt"
"$work/theirs" > "$work/their.txt"
check "more than 300 values are compared" test `wc -l < "$work/ours.txt"` -gt 300
check "values, sizes and offsets agree" diff "$work/ours.txt" "$work/their.txt"

# Prototypes: each of ours that Debian has must be a compatible redeclaration of Debian's.
{
    cat "$work/all.c"
    grep -oE '^ *[a-z_0-9]+ \*?hsa_[a-z_0-9]+\(.*\);' "$work/lines" | sed 's/^ *//; s/); .*/);/' | while read line; do
        name=`echo "$line" | sed 's/^[a-z_0-9]* \**\(hsa_[a-z_0-9]*\)(.*/\1/'`
        common "$name" && echo "$line"
    done
} > "$work/prototypes.c"
check "at least 215 prototypes are compared" test `grep -c '^[a-z].*hsa_' "$work/prototypes.c"` -ge 215
check "prototypes agree" $TEST_CC -w -fsyntax-only "$work/prototypes.c"

# The tables for tools libraries: every row of Debian's tables must be in ours, at the same offset.
{
    cat << 'END'
#include TRACE
#include <cstddef>
#include <cstdio>
#define P(t, f) printf(#t "." #f " %zu\n", offsetof(t, f));
int main() {
END
    awk '/^struct/ { t = $2 } match($0, /hsa_[a-z_0-9]*_fn;/) { print "P(" t ", " substr($0, RSTART, RLENGTH - 1) ")" }' \
        $theirs/hsa_api_trace.h
    for f in core_ amd_ext_ finalizer_ext_ image_ext_; do echo "P(HsaApiTable, $f)"; done
    echo '}'
} > "$work/trace.cpp"
if command -v g++ > /dev/null; then
    check "all rows of the tables are compared" test "$(grep -c '^P(' "$work/trace.cpp")" = 196
    check "the tables compile with our header" g++ -w "-DTRACE=<hsa/hsa_api_trace.h>" -I"$srcdir/include" \
        -o "$work/ours" "$work/trace.cpp"
    check "the tables compile with Debian's header" g++ -w "-DTRACE=<hsa/hsa_api_trace.h>" -DAMD_INTERNAL_BUILD \
        -o "$work/theirs" "$work/trace.cpp"
    "$work/ours" > "$work/ours.txt"
    "$work/theirs" > "$work/their.txt"
    check "rows have the same places" diff "$work/ours.txt" "$work/their.txt"
else
    skip "the tables for tools libraries" "no C++ compiler"
fi
tap_done
