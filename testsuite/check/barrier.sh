# SPDX-License-Identifier: MIT
# Tests the checker of barriers with barriers that some work-items miss, and with the same barriers in uniform flow.
checker=barrier
. "$srcdir/testsuite/check/cases.sh"

skip_barrier() { # COMPARISON: work-items for which it holds go around the barrier
    printf '    st_group_u32 $s0, [%%t][$s3];\n    %s\n    cbr_b1 $c0, @around;\n    barrier; // HERE\n' "$1"
    printf '@around:\n    ld_group_u32 $s4, [%%t];\n    st_global_u32 $s4, [$d2];\n'
}
end_before() { # COMPARISON: work-items for which it holds end
    printf '    st_group_u32 $s0, [%%t][$s3];\n    %s\n    cbr_b1 $c0, @end;\n    barrier; // HERE\n' "$1"
    printf '    ld_group_u32 $s4, [%%t];\n    st_global_u32 $s4, [$d2];\n'
}
join_first() { # COMPARISON: flow comes together before the barrier
    printf '    %s\n    cbr_b1 $c0, @around;\n    st_group_u32 $s0, [%%t][$s3];\n@around:\n    barrier;\n' "$1"
    printf '    ld_group_u32 $s4, [%%t];\n    st_global_u32 $s4, [$d2];\n'
}
loop() { # COUNT, a register or number: executes a barrier COUNT times
    printf '    mov_b32 $s5, 0;\n@loop:\n    barrier; // HERE\n    st_group_u32 $s5, [%%t][$s3];\n    add_u32 $s5, $s5, 1;\n'
    printf '    cmp_lt_b1_u32 $c0, $s5, %s;\n    cbr_b1 $c0, @loop;\n' "$1"
}

for k in 1 2 31 33 63 65 100 129 200 255; do
    at="cmp_lt_b1_u32 \$c0, \$s1, $k;"
    skip_barrier "$at" >body
    wrong "$k go around" barrier-divergent 's_barrier' -g 256
    end_before "$at" >body
    wrong "$k end before" 'barrier-[dm][a-z]*' "without work-item" -g 256
    join_first "$at" >body
    right "$k join first" -g 256
done
# If whole waves are missing, and some work-items of another wave, there is one finding.
one_finding() {
    found barrier-divergent "without work-item (64,0,0)" -g 256 &&
        test "$(grep -c '\[barrier-' said)" = 1
}
end_before 'cmp_lt_b1_u32 $c0, $s1, 100;' >body
kernel >k.hsail
check "wrong: waves and parts of a wave end before, and there is one finding" one_finding
rm -f other.json
export HSA_REPORT_FILE=other.json
found barrier-divergent "without work-item (64,0,0)" -g 256 >/dev/null 2>&1
unset HSA_REPORT_FILE
check "JSON gives no instruction to work-items that are missing" grep -q '"other":{"relation":"without","work_group":\[0,0,0\],"work_item":\[64,0,0\]}' other.json
for k in 64 128 192; do
    end_before "cmp_lt_b1_u32 \$c0, \$s1, $k;" >body
        wrong "whole waves of $k end before" barrier-missing "without work-item (0,0,0)" -g 256
    skip_barrier "cmp_ge_b1_u32 \$c0, \$s1, $k;" >body
        wrong "whole waves from $k on go around" barrier-missing "without work-item ($k,0,0)" -g 256
    join_first "cmp_lt_b1_u32 \$c0, \$s1, $k;" >body
    right "waves of $k join first" -g 256
done
for k in 0 1 2 70 127; do
    at="cmp_eq_b1_u32 \$c0, \$s1, $k;"
    skip_barrier "$at" >body
    wrong "number $k goes around" barrier-divergent "without work-item ($k,0,0)" -g 128 -w 128
    at="cmp_ne_b1_u32 \$c0, \$s1, $k;"
    skip_barrier "$at" >body
    wrong "number $k alone" barrier-divergent "by work-item ($k,0,0)" -g 128 -w 128
    join_first "$at" >body
    right "number $k joins" -g 128 -w 128
done
for k in 1 3 7; do
    at="and_b32 \$s6, \$s1, $k; cmp_eq_b1_u32 \$c0, \$s6, 0;"
    skip_barrier "$at" >body
    wrong "every $k+1 goes around" barrier-divergent "without work-item (0,0,0)" -g 256
    join_first "$at" >body
    right "every $k+1 joins" -g 256
    printf '    and_b32 $s6, $s1, %s;\n    add_u32 $s6, $s6, 1;\n' $k >head
    { cat head && loop '$s6'; } >body
    wrong "loops of up to $k+1 barriers" barrier-divergent 's_barrier' -g 256
    loop $k >body
    right "loops of $k barriers" -g 256
done
printf '    shr_u32 $s6, $s1, 6;\n    add_u32 $s6, $s6, 1;\n' >head
{ cat head && loop '$s6'; } >body
    wrong "loops by wave" barrier-missing "without work-item (0,0,0)" -g 256
loop '$s2' >body
    right "loops by argument" -g 256
for sizes in '-g 16,16 -w 16,16' '-g 8,8,4 -w 8,8,4' '-g 300 -w 100' '-g 200 -w 128'; do
    skip_barrier 'cmp_lt_b1_u32 $c0, $s1, 5;' >body
    wrong "5 of $sizes" barrier-divergent 'without work-item (0,0,0)' $sizes
    join_first 'cmp_lt_b1_u32 $c0, $s1, 5;' >body
    right "join of $sizes" $sizes
    skip_barrier 'cmp_eq_b1_u32 $c0, $s2, 7;' >body
    right "nobody of $sizes" $sizes
    skip_barrier 'cmp_ne_b1_u32 $c0, $s2, 7;' >body
    right "everybody of $sizes" $sizes
done
printf '    barrier;\n    barrier;\n    barrier;\n' >body
    right "three in a row" -g 256
end_before 'cmp_eq_b1_u32 $c0, $s2, 7;' >body
    right "all end before" -g 256
end_before 'cmp_ne_b1_u32 $c0, $s2, 7;' >body
    right "nobody ends before" -g 256
skip_barrier 'workgroupid_u32 $s6, 0; cmp_eq_b1_u32 $c0, $s6, 1;' >body
    right "one group goes around" -g 256 -w 128
corpus_done
