# SPDX-License-Identifier: MIT
# Compares what --trace shows of the kernel counts.s with values that were derived from the instructions by hand.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
run=$(cd "$builddir" && pwd)/hsailrun
source=$(cd "$srcdir" && pwd)/testsuite/observe/counts.s
cd "$work" || exit 99
assemble "$source" counts.co || exit 99

trace() { # FILE FILTER [OPTION...]
    file=$1 filter=$2
    shift 2
    rm -f "$file"
    "$run" --trace="$filter" --trace-json="$file" -q -g 96 -w 96 "$@" counts.co 'u32[4096]' >out 2>&1 || cat out
}
trace all all
"$run" --count=counts -q -g 96 -w 96 counts.co 'u32[4096]'
executed=$(sed 's/.*"total":{"executed":\([0-9]*\).*/\1/' counts)
check "a record for each instruction executed" test "$(wc -l <all)" -eq "$executed"

# record WAVE OFFSET: the first record of the instruction there
record() {
    grep "\"wave\":$1,.*\"offset\":$2,\"instruction" all | head -n 1
}
# holds WAVE OFFSET TEXT...
holds() {
    record "$1" "$2" >one
    shift 2
    cat one
    for text; do
        grep -qF -- "$text" one || { echo "not: $text"; return 1; }
    done
}
list() { # FIRST LAST STEP
    awk -v first="$1" -v last="$2" -v step="$3" \
        'BEGIN { for (i = first; i <= last; i += step) printf "%s%d", i == first ? "" : ",", i }'
}
addresses() { # BASE COUNT STEP
    awk -v count="$2" -v step="$3" 'BEGIN { for (i = 0; i < count; i++) print i * step }' |
        while read -r offset; do printf '"0x%x"\n' $(($1 + offset)); done | paste -s -d , -
}
base=$(record 0 16 | sed 's/.*"addresses":\["\(0x[0-9a-f]*\)".*/\1/')
high=$(printf '0x%x' $(($base >> 32))) low=$(printf '0x%x' $(($base & 0xffffffff)))

check "the name of the instruction" holds 0 0 '"instruction":"s_load_dwordx2 s[2:3], s[0:1], 0x0"' '"class":"smem"'
check "a scalar load" holds 0 0 "\"s2\":\"$low\",\"s3\":\"$high\"" '"access":"read","bytes":8,"parts":1,"lanes":"0x1"'
check "vector registers" holds 1 12 "\"v1\":{\"lanes\":\"0xffffffff\",\"values\":[$(list 256 380 4)]}" '"scalars":{}' \
    '"exec":"0xffffffff"'
check "what did not change is left out" holds 0 12 '"v1":{"lanes":"0xfffffffffffffffe","values":[4,8,'
check "addresses of a store" holds 1 16 '"access":"write","bytes":4' \
    "\"addresses\":[$(addresses $(($base + 256)) 32 4)]" '"vectors":{}'
check "addresses of group memory" holds 1 64 '"segments":["group",' "\"addresses\":[$(addresses 256 32 4)]"
check "two parts" holds 1 104 '"parts":2' "\"addresses\":[$(addresses 256 32 4),$(addresses 260 32 4)]"
check "an atomic operation" holds 0 120 '"access":"atomic"'
check "a scalar result" holds 0 152 '"s4":"0x5"'
check "the condition" holds 0 160 '"scalars":{"scc":"0x1"}'
check "VCC in one piece" holds 0 172 '"scalars":{"vcc":"0x1111111111111111"}'
check "a change of EXEC" holds 0 176 '"exec":"0x1111111111111111"' '"exec":"0xffffffffffffffff"'
check "fewer lanes" holds 0 184 '"exec":"0x1111111111111111","memory":{"access":"write"' '"lanes":"0x1111111111111111"'
check "the last instruction" holds 1 228 '"instruction":"s_endpgm"' '"scalars":{},"vectors":{}}'
check "waves come in the order in which they run" sh -c "sed 's/.*\"wave\":\([0-9]\).*/\1/' all | uniq | tr -d '\n' |
    grep -qx '0101'"

# filters
number() { # FILTER WANTED
    trace some "$1"
    test "$(wc -l <some)" -eq "$2" || { wc -l some; return 1; }
}
total() { grep -c "$1" all; }
check "by wave" number wave=1 "$(total '"wave":1,')"
check "by waves" number wave=0-1 "$(wc -l <all)"
check "by kind" number kind=branch+barrier "$(grep -c '"class":"b' all)"
check "by offset" number pc=0x9c-164 30
check "by one offset" number pc=16 2
check "by all of these" number wave=0,kind=salu,pc=0x9c-0xa4 10
check "by kernel" number kernel=k "$(wc -l <all)"
trace other kernel=other
check "by another kernel" test ! -s other
check "by work-group" sh -c "rm -f g; '$run' --trace=group=1x2 --trace-json=g -q -g 192,192,2 -w 96,1,1 counts.co 'u32[4096]' &&
    ! grep -v '\"group\":\[1,2,0\]' g && test \$(wc -l <g) -eq $(wc -l <all)"
for bad in '' foo kind=foo pc=1- pc=9-3 wave=a kernel= group=1x2x3x4 all,kind=valu kind=valu, ,kind=valu line; do
    expect_status 2 "no filter: '$bad'" "$run" --trace="$bad" -q -g 96 counts.co 'u32[4096]'
done

# the rest
strip() { sed 's/"pc":"[^"]*"//; s/0x[0-9a-f]\{8,12\}"/"/g; s/"s[23]":"[^"]*"//g' "$@"; }
trace again all
HSA_GCN_JIT=now trace compiled all
strip all >a
strip again >b
strip compiled >c
check "the same each time" cmp a b
check "compiled code gives the same" cmp a c
HSA_GCN_TRACE=kind=barrier "$run" -q -g 96 -w 96 counts.co 'u32[4096]' >out 2>text
check "the environment asks as well" grep -q '^work-group (0,0,0), wave 1 at k+0xe0: s_barrier$' text
"$run" --trace -q -g 96 -w 96 counts.co 'u32[4096]' >out 2>text
check "text: a progression" grep -q 'v1 = 0x00000100, 4 more from each lane to the next, in lanes 0-31$' text
check "text: memory" grep -q 'writes 4 bytes for each of 32 lanes at group address 0x100, 4 more for each lane' text
check "text: one value" grep -q 'v8 = .*\|s4 = 0x00000005' text
check "nothing on standard output" test ! -s out

cat >fault.s <<'END'
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 0
    global_store_dword v[1:2], v0, off offset:8
    s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel
END
assemble fault.s fault.co || exit 99
"$run" --trace -q fault.co >out 2>text
check "a fault comes after its instruction" sh -c "grep -n 'global_store_dword\|fault-memory' text | head -n 2 |
    sed 's/.*\(wave 0\|fault\).*/\1/' | paste -s -d , | grep -qx 'wave 0,fault'"
if [ "${TEST_LLVM:-none}" != none ]; then
    cat >k.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &k(kernarg_u64 %out)
{
    ld_kernarg_u64 $d0, [%out];
    workitemflatid_u32 $s0;
    atomicnoret_add_global_rlx_agent_u32 [$d0], $s0;
    ret;
};
END
    rm -f lines
    "$run" --trace=line=6 --trace-json=lines -q k.hsail 'u32[1]'
    check "by line" sh -c "test -s lines && ! grep -v '\"file\":\"k.hsail\",\"line\":6,' lines && grep -q atomic lines"
fi
tap_done
