# SPDX-License-Identifier: MIT
# Suppressions of findings by id, kernel and line; and stores of the same value, which have an id of their own so that
# they can be suppressed.
checker=race
. "$srcdir/testsuite/check/cases.sh"

printf '    st_group_u32 $s1, [%%t]; // HERE\n' >body
kernel >k.hsail
line=$(grep -n '// HERE' k.hsail | cut -d: -f1)

muted() { # LINE: one of the file
    printf '# a comment\n\n%s\n' "$1" >list
    launch -g 256 --suppressions=list && grep -q '1 finding suppressed \[\|1 finding suppressed' said &&
        ! grep -q 'race-group' said || { cat said; return 1; }
}
kept() { # LINE
    printf '%s\n' "$1" >list
    if launch -g 256 --suppressions=list; then cat said; return 1; fi
    grep -q '\[race-group\]' said || { cat said; return 1; }
}
for entry in race-group 'race-*' 'race-group &k' 'race-group * *' "race-group &k $line" "race-group &k k.hsail:$line" \
    "* * *:$line" 'race-group &k k.hsail:*' 'race-group # why'; do
    check "$entry suppresses the finding" muted "$entry"
done
for entry in race-global memory-group 'race-group &other' "race-group &k $((line + 1))" "race-group &k other.hsail:$line" \
    'race' '# race-group'; do
    check "$entry does not suppress the finding" kept "$entry"
done
broken() {
    printf 'race-group\nrace-group &k 1 more\n' >list
    if launch -g 256 --suppressions=list; then cat said; return 1; fi
    grep -q 'list line 2' said && grep -q '\[race-group\]' said || { cat said; return 1; }
}
check "a file with a wrong line suppresses nothing" broken
missing() {
    rm -f list
    if launch -g 256 --suppressions=list; then cat said; return 1; fi
    grep -q 'list cannot be read' said && grep -q '\[race-group\]' said || { cat said; return 1; }
}
check "a file that is not there" missing
by_environment() {
    echo race-group >list
    HSA_GCN_SUPPRESSIONS=list launch -g 256 || { cat said; return 1; }
}
check "named by the environment" by_environment

unwritable() { # VARIABLE ID: a file that cannot be written is named once, and the finding is printed
    if env "$1=$work/missing/file" "$run" -q --check=race k.hsail 'u32[256]' 'u32[256]:iota' u32:7 -g 256 >said 2>&1; then
        cat said
        return 1
    fi
    test "$(grep -c "missing/file: No such file or directory \[$2\]" said)" = 1 && grep -q '\[race-group\]' said ||
        { cat said; return 1; }
}
check "a file of reports that cannot be written" unwritable HSA_REPORT_FILE report-file
check "a file of counts that cannot be written" unwritable HSA_GCN_COUNT observe-file

for op in st_group_u32 st_group_u16; do
    printf '    %s $s2, [%%t]; // HERE\n' $op >body
    wrong "$op of one value" race-group-same 'work-item (64,0,0)' -g 256
done
printf '    st_global_u32 $s2, [$d0]; // HERE\n' >body
wrong "one value to global memory" race-global-same 'work-item (64,0,0)' -g 256
same_muted() {
    echo 'race-*-same' >list
    kernel >k.hsail
    launch -g 256 --suppressions=list || { cat said; return 1; }
}
check "stores of one value are muted" same_muted
printf '    st_global_u32 $s0, [$d0]; // HERE\n' >body
kernel >k.hsail
values_kept() {
    if launch -g 256 --suppressions=list; then cat said; return 1; fi
    grep -q '\[race-global\]' said || { cat said; return 1; }
}
check "of different values are not" values_kept
tap_done
