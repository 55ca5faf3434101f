# SPDX-License-Identifier: MIT
# What the tests of the checkers share: it puts a kernel around the body of a case, runs it, and looks at what
# hsailrun reports. A test sources it after setting $checker to the name of the checker.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
run=$(program hsailrun)
cd "$work" || exit 99

# kernel: prints the module around the body in the file `body`. The body finds the work-item's number in the grid in $s0
# and that in the group in $s1, the argument n, which is 7, in $s2, and 4 * $s1 in $s3. $d0 and $d1 are the addresses of
# the buffers out and in, $d2 and $d3 those of their dwords number $s0. %t is 1,024 bytes of group memory, %p 64 bytes
# of private memory.
kernel() {
    cat <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &k(kernarg_u64 %out, kernarg_u64 %in, kernarg_u32 %n)
{
    align(16) group_u32 %t[256];
    align(16) private_u32 %p[16];
    workitemflatabsid_u32 $s0;
    workitemflatid_u32 $s1;
    ld_kernarg_u32 $s2, [%n];
    shl_u32 $s3, $s1, 2;
    ld_kernarg_u64 $d0, [%out];
    ld_kernarg_u64 $d1, [%in];
    cvt_u64_u32 $d3, $s0;
    shl_u64 $d3, $d3, 2;
    add_u64 $d2, $d0, $d3;
    add_u64 $d3, $d1, $d3;
END
    cat body
    printf '@end:\n    ret;\n};\n'
}

# launch [OPTION...]: runs the kernel of k.hsail, unless it takes minutes; its output goes to the file `said`. $in says
# what the second argument holds; iota if it is unset.
launch() {
    timeout 300 "$run" -q --check="$checker" "$@" k.hsail 'u32[256]' "u32[256]:${in:-iota}" u32:7 >said 2>&1
}

# `// HERE` in a body marks the line that a finding has to name.
found() { # ID FACT [OPTION...]
    id=$1 fact=$2
    shift 2
    if launch "$@"; then cat said; return 1; fi
    cat k.hsail said
    line=$(grep -n '// HERE' k.hsail | head -n 1 | cut -d: -f1)
    grep -q "\[$id\]" said && grep -qF -- "$fact" said && grep -q "finding" said &&
        { [ -z "$line" ] || grep -q "k\.hsail:$line\b" said; }
}

silent() {
    launch "$@" && [ ! -s said ] || { cat k.hsail said; return 1; }
}

wrong_count=0 right_count=0
wrong() { # NAME ID FACT [OPTION...]
    name=$1 wrong_count=$((wrong_count + 1))
    shift
    kernel >k.hsail
    check "wrong: $name" found "$@"
}

right() { # NAME [OPTION...]
    name=$1 right_count=$((right_count + 1))
    shift
    kernel >k.hsail
    check "right: $name" silent "$@"
}

# Ends the test: prints how many kernels were tried, and checks that there are enough.
corpus_done() {
    echo "# HSAIL, checker $checker: $wrong_count wrong kernels, $right_count right ones"
    check "there are 40 wrong kernels and 40 right ones" test "$wrong_count" -ge 40 -a "$right_count" -ge 40
    tap_done
}
