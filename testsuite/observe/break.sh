# SPDX-License-Identifier: MIT
# Tests the prompt of --break with commands from a pipe. What it must show of the kernel counts.s was derived from the
# instructions by hand.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
run=$(cd "$builddir" && pwd)/hsailrun
source=$(cd "$srcdir" && pwd)/testsuite/observe/counts.s
cd "$work" || exit 99
assemble "$source" counts.co || exit 99

# at PLACE COMMAND...: puts the answers into the file `said`; fails if hsailrun fails
at() {
    place=$1
    shift
    for command; do echo "$command"; done >commands
    timeout 60 "$run" --break="$place" -q -g 96 -w 96 counts.co 'u32[4096]' <commands >out 2>said
}
# says TEXT...: lines that `said` must have
says() {
    cat said
    for text; do
        grep -qFx -- "$text" said || { echo "not said: $text"; return 1; }
    done
}
check "a kernel that goes on ends well" at k c c
check "each wave stops" says 'work-group (0,0,0), wave 0 at k+0x0: s_load_dwordx2 s[2:3], s[0:1], 0x0' \
    'work-group (0,0,0), wave 1 at k+0x0: s_load_dwordx2 s[2:3], s[0:1], 0x0'
at start 'lanes' 'c' 'q'
check "lanes that are adjacent" says 'lanes 0-63 are work-items (0,0,0) to (63,0,0)'
check "start" says 'work-group (0,0,0), wave 1 at k+0x0: s_load_dwordx2 s[2:3], s[0:1], 0x0'
at k+0x9c 'print s4' 'step' 'print s4' 'p scc' 'step' 'p scc' 'step 2' 'where' q
check "steps" says 's4 = 0x00000005' 's4 = 0x00000004' 'scc = 0x0' 'scc = 0x1' \
    'work-group (0,0,0), wave 0 at k+0xa0: s_cmp_lg_u32 s4, 0'
at k+0xb4 c 'print exec' 'p vcc' 'lanes' 'p v1' 'p v1[3]' 'p v1[4]' 'x group 0 2' 'x group 256' 'p s[6:7]' 'q'
check "registers of 64 bits" says 'exec = 0x0000000011111111' 'vcc = 0x0000000011111111' 's[6:7] = 0x00000000ffffffff'
check "lanes" says '8 of 32 work-items of this wave are active' 'lane 28 is work-item (92,0,0)'
check "one lane" says 'v1[3] = 0x0000010c' 'v1[4] = 0x00000110'
check "group memory" says '0x100: 0x00000040' '0x10c: 0x00000043'
at 0xe0 'p s8' 'c' 'p s8' 'q'
check "an offset in any kernel" says 'work-group (0,0,0), wave 1 at k+0xe0: s_barrier'
at k+0x10 'json on' 'p v1' 'x 0 1' 'where' 'lanes' 'list' 'p s2' 'nonsense' 'q'
check "JSON: a vector" grep -q '^{"kind":"register","name":"v1","values":\[0,4,8,.*,252\]}$' said
check "JSON: memory that is not there" says '{"kind":"memory","address":"0x0","dwords":[null]}'
check "JSON: a place" grep -q '^{"kind":"stop",.*"wave":0,.*"offset":16,"instruction":"global_store_dword v1, v0, s\[2:3\]"' said
check "JSON: lanes" grep -q '^{"kind":"lanes","exec":"0xffffffffffffffff","lanes":\[{"lane":0,"item":\[0,0,0\]},' said
check "JSON: instructions" grep -q '"instructions":\[{"pc":"0x[0-9a-f]*","instruction":"global_store_dword' said
check "JSON: an error" grep -q '^{"kind":"error","text":"there is no command nonsense; help lists them"}$' said
base=$(sed -n 's/.*"name":"s2","value":"0x\([0-9a-f]*\)".*/\1/p' said)
check "JSON: a scalar" test -n "$base"
at k+0x18 'p s[2:3]' q
address=$(sed -n 's/^s\[2:3\] = 0x0*//p' said)
printf 'p s[2:3]\nq\n' >commands
at k+0x18 'break k+0xe0' c c "x 0x$address 1" q
check "another breakpoint" grep -q 'wave [01] at k+0xe0: s_barrier' said

# A line whose whole code was inlined: the call of a function in a function that is inlined itself.
cat >inlined.hsail <<'TEXT'
module &m:1:2:$full:$large:$default;
function &inner(arg_u32 %r)(arg_u32 %a) {
	ld_arg_u32 $s0, [%a]; mul_u32 $s0, $s0, 12345; st_arg_u32 $s0, [%r];
};
function &outer(arg_u32 %r)(arg_u32 %a) {
	{ arg_u32 %x; arg_u32 %y; ld_arg_u32 $s0, [%a]; st_arg_u32 $s0, [%x];
		call &inner(%y)(%x);
		ld_arg_u32 $s0, [%y]; st_arg_u32 $s0, [%r]; }
};
prog kernel &k(kernarg_u64 %p) {
	workitemabsid_u32 $s0, 0;
	{ arg_u32 %a; arg_u32 %b; st_arg_u32 $s0, [%a];
		call &outer(%b)(%a);
		ld_arg_u32 $s1, [%b]; }
	ld_kernarg_u64 $d0, [%p];
	st_global_u32 $s1, [$d0];
};
TEXT
for line in 7 13 inlined.hsail:13; do
    echo q | timeout 60 "$run" --break="$line" -q -g 64 -w 64 inlined.hsail 'u32[64]' >out 2>said
    check "line $line, all of whose code was inlined" grep -q 'inlined.hsail:3: v_mul_lo_u32' said
done

# The ways in which a session ends.
fault() { # NAME COMMAND...
    name=$1
    shift
    at k "$@"
    status=$?
    check "$name: a fault that says so" test "$status" -eq 1
    check "$name: the report" grep -q '\[fault-ended\]' said
}
fault quit q
fault "end of the input"
fault "end after a command" step
at k 'break 0x8' 'break' 'delete 1' 'delete 7' 'break' c q
check "breakpoints are listed" says '1 k+0x0' '2 0x8' '1 0x8'
check "one that is not there" says 'error: there is no such breakpoint; break lists them'
at k 'c 4' q
check "past several stops" test "$(grep -c '^work-group' said)" -eq 1
at k 'p $s3' 'p v256' 'p s102' 's 0' 'x 3' 'x private 99' 'next' 'b $' '' '# c' 'p v0[64]' 'json x' 'p' "$(printf 'p \033[31m')" q
check "what the code object has no variables of" grep -q '^error: the code object knows of no register $s3 of HSAIL' said
check "a dozen commands that are wrong" test "$(grep -c '^error: ' said)" -eq 12
check "no control characters" sh -c "! LC_ALL=C tr -d '\n' <said | LC_ALL=C grep -q '[[:cntrl:]]'"
for bad in '' , 'k,' '$s3' '1x' 'a b' ':3' 'k+' 'k+0xg'; do
    expect_status 2 "no place: '$bad'" "$run" --break="$bad" -q -g 96 counts.co 'u32[4096]' </dev/null
done
head -c 100000 /dev/zero | tr '\0' 'x' >commands
timeout 60 "$run" --break=k -q -g 96 -w 96 counts.co 'u32[4096]' <commands >out 2>said
check "a line without end" test $? -eq 1
printf 'c\nc\n' | HSA_GCN_BREAK=k HSA_GCN_THREADS=2 timeout 60 "$run" -q -g 96 -w 96 counts.co 'u32[4096]' >out 2>said
check "the environment asks as well" test "$(grep -c '^work-group' said)" -eq 2
mkfifo pipe
sleep 20 >pipe &
sleeper=$!
started=$(date +%s)
timeout 60 "$run" --break=k --timeout=1 -q -g 96 -w 96 counts.co 'u32[4096]' <pipe >out 2>said
check "a prompt does not outlive its dispatch" test $(($(date +%s) - started)) -lt 15
kill $sleeper

if [ "${TEST_LLVM:-none}" = none ]; then
    tap_done
fi
cat >k.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &k(kernarg_u64 %out, kernarg_u32 %n)
{
    ld_kernarg_u64 $d0, [%out];
    ld_kernarg_u32 $s0, [%n];
    /* @no: */ // @no:
@loop:
    // a comment
    atomicnoret_add_global_rlx_agent_u32 [$d0], 3;
    sub_u32 $s0, $s0, 1;
    cmp_ne_b1_u32 $c0, $s0, 0;
    cbr_b1 $c0, @loop;
    st_global_u32 $s0, [$d0+4];
    ret;
};
END
launch() { # PLACE COMMAND...
    place=$1
    shift
    for command; do echo "$command"; done >commands
    timeout 60 "$run" --break="$place" -q -p 1 -g 1 k.hsail 'u32[2]:9' u32:3 <commands >out 2>said
}
launch 9 c c c
check "a line, each time around" test "$(grep -c 'k.hsail:9: ' said)" -eq 3
check "the results" test "$(grep -c . out)" -ge 1
launch @loop c c c
check "a label" test "$(grep -c 'k.hsail:9: ' said)" -eq 3
launch k.hsail:13 list c
check "a line of a file, with its source" says '>   13      st_global_u32 $s0, [$d0+4];'
launch 9 next next q
check "next goes to other lines" sh -c "sed -n 's/.*k.hsail:\([0-9]*\): .*/\1/p' said | head -n 3 | uniq -d | grep -q . && exit 1 || :"
launch @no q
check "a label in a comment is none" says 'hsailrun: k.hsail: there is no label @no'
launch other.hsail:9
check "a line of another file" test ! -s said
tap_done
