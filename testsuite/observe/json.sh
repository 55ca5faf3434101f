# SPDX-License-Identifier: MIT
# Reads the JSON of everything that is observed of kernels with a parser that others wrote: each option of hsailrun, and
# each variable of the environment with a program that uses nothing but HSA (examples/dispatch).
. "$srcdir/testsuite/tap.sh"
needs_finalizer
build=$(cd "$builddir" && pwd)
run=$build/hsailrun
copy=$(cd "$srcdir" && pwd)/examples/vector_copy.hsail
cd "$work" || exit 99
if ! command -v python3 >/dev/null; then
    skip "the JSON of what is observed" "python3 is missing"
    tap_done
fi

# facts FILE EXPRESSION: FILE has lines of JSON only, and the expression about them is true. R is the list of records,
# kind("count") those of that kind.
cat >facts.py <<'END'
import json, sys
R = [json.loads(line) for line in open(sys.argv[1])]
def kind(word):
    return [r for r in R if r["kind"] == word]
if not eval("(" + sys.argv[2] + ")"):
    print("not true:", sys.argv[2])
    for r in R[:4]:
        print(json.dumps(r)[:2000])
    sys.exit(1)
END
facts() { python3 facts.py "$@"; }

cat >k.hsail <<'END'
module &m:1:0:$full:$large:$near;
prog kernel &first(kernarg_u64 %out, kernarg_f32 %x[2])
{
    requiredworkgroupsize 64, 1, 1;
    ret;
};
prog kernel &k(kernarg_u64 %out)
{
    group_u32 %t[128];
    workitemflatid_u32 $s0;
    shl_u32 $s1, $s0, 2;
    st_group_u32 $s0, [%t][$s1];
    xor_b32 $s2, $s1, 4;
    ld_group_u32 $s3, [%t][$s2];
    ld_kernarg_u64 $d0, [%out];
    cvt_u64_u32 $d1, $s1;
    add_u64 $d0, $d0, $d1;
@store:
    st_global_u32 $s3, [$d0];
    ret;
};
END

# ---- the options of hsailrun ----

"$run" --list --json k.hsail >list
check "--list: every kernel" facts list '[r["kernel"] for r in R] == ["&first", "&k"] and R[1]["group"] == 512'
check "--list: names, types, places of arguments" facts list \
    'R[0]["arguments"][1] == {"offset": 8, "bytes": 4, "count": 2, "kind": "float", "type": "f32", "name": "%x"}'
check "--list: limits" facts list 'R[0]["required_group"] == [64, 1, 1] and "required_group" not in R[1]'
"$build/hsailfin" -g -o k.co k.hsail && "$run" --list --json k.co >list
check "--list of a code object" facts list \
    'len(R) == 2 and R[1]["kernarg"] == 8 and R[0]["required_group"] == [64, 1, 1] and R[1]["arguments"][0]["bytes"] == 8'
expect_status 1 "--json of a refusal" "$run" --json k.hsail

# k FILE OPTION...: runs &k
k() { "$run" -q -k k -g 128 -w 128 "$@" k.hsail 'u32[128]' >out 2>said </dev/null; }
k --count=count
check "--count" facts count 'len(R) == 1 and R[0]["kernel"] == "&k" and R[0]["waves"] == 2 and R[0]["complete"] and
    R[0]["total"]["bytes"]["global"]["written"] == 512 and any(l["line"] == 19 and l["file"] == "k.hsail" for l in R[0]["lines"])'
k --registers=registers
check "--registers" facts registers 'R[0]["kernel"] == "&k" and R[0]["registers"]["lds"] == 512 and R[0]["occupancy"]["waves"] > 0'

# trace FILTER EXPRESSION: what the filter leaves of the trace of two work-groups
trace() {
    rm -f trace
    "$run" -q -k k -g 256 -w 128 --trace="$1" --trace-json=trace k.hsail 'u32[256]' >out 2>said
    facts trace "len(R) > 0 and ($2)"
}
check "--trace: all groups and waves" trace all '{(r["group"][0], r["wave"]) for r in R} == {(g, w) for g in (0, 1) for w in (0, 1)}'
check "--trace: a work-group" trace group=1x0x0 'all(r["group"] == [1, 0, 0] for r in R) and {r["wave"] for r in R} == {0, 1}'
check "--trace: a wave" trace wave=1-1 'all(r["wave"] == 1 for r in R) and {r["group"][0] for r in R} == {0, 1}'
check "--trace: a line" trace line=19-19 'all(r["line"] == 19 for r in R) and any("memory" in r for r in R)'
check "--trace: a class" trace kind=lds 'all(r["class"] == "lds" for r in R) and len(R) == 8'
check "--trace: offsets" trace pc=0-8 'all(r["offset"] <= 8 for r in R) and any(r["offset"] == 0 for r in R)'
check "--trace: a kernel" trace kernel=k,wave=0-0,group=0x0x0 'all(r["kernel"] == "&k" and r["wave"] == 0 for r in R)'
"$run" -q -k k -g 256 -w 128 --trace=kernel=first --trace-json=none k.hsail 'u32[256]' >out 2>said
check "--trace: no other kernel" test ! -s none
check "--trace: what memory is written, and by which lanes" trace line=19-19,group=0x0x0,wave=0-0 \
    '[(r["memory"]["access"], r["memory"]["bytes"], len(r["memory"]["addresses"]), set(r["memory"]["segments"]))
      for r in R if "memory" in r] == [("write", 4, 64, {"global"})]'

printf '%s\n' where 'print v0' 'print exec' 'print $s0' lanes 'memory group 0 2' list break 'break 18' break 'delete 1' help nonsense \
    step next 'continue 2' quit >commands
"$run" -q -k k -g 128 -w 128 -O -O0 --break=@store --json k.hsail 'u32[128]' <commands >out 2>said
grep '^{' said >prompt
check "--break: from the first stop on" sh -c 'head -n 1 said | grep -q "^{\"kind\":\"stop\""'
check "--break: each answer is JSON" facts prompt '[r["kind"] for r in R][:13] == ["stop", "stop", "register", "register", "register",
    "lanes", "memory", "list", "breakpoints", "breakpoints", "help", "error", "stop"]'
check "--break: places" facts prompt 'R[0]["line"] == 19 and R[0]["wave"] == 0 and R[0]["group"] == [0, 0, 0]'
check "--break: values of all lanes" facts prompt 'len(kind("register")[0]["values"]) == 64 and kind("register")[2]["name"] == "$s0" and
    kind("register")[2]["values"] == list(range(64))'
check "--break: group memory" facts prompt 'kind("memory")[0]["dwords"] == [0, 1]'
check "--break: breakpoints" facts prompt '[len(r["places"]) for r in kind("breakpoints")] == [1, 2] and kind("breakpoints")[0]["places"] == ["line 19"]'
check "--break: commands" facts prompt '{c["name"] for c in kind("help")[0]["commands"]} >= {"step", "print", "quit"}'

sed '/xor_b32/s/4/256/' k.hsail >race.hsail
"$run" -q -k k -g 128 -w 128 --check=race --report-json=race race.hsail 'u32[128]' >out 2>said
check "--check: both sides of a race" facts race 'len(R) == 1 and R[0]["id"] == "race-group" and R[0]["count"] == 128 and
    sorted([R[0]["line"], R[0]["other"]["line"]]) == [12, 14] and abs(R[0]["work_item"][0] - R[0]["other"]["work_item"][0]) == 64'
"$run" -q -k k -g 128 -w 128 --check=memory --report-json=stray k.hsail 'u32[100]' >out 2>said
check "--check: a stray store" facts stray 'R[0]["kind"] == "finding" and R[0]["id"] == "memory-global" and R[0]["line"] == 19 and
    R[0]["work_item"] == [100, 0, 0] and R[0]["count"] == 28 and R[0]["nearest"]["where"] == "after" and R[0]["nearest"]["size"] == 400'
"$run" -q -k k --report-json=fault k.hsail u64:16 >out 2>said
check "a fault" facts fault 'R[0]["kind"] == "fault" and R[0]["id"] == "fault-memory" and R[0]["address"] == "0x10" and
    R[0]["instruction"].startswith("global_store") and R[0]["line"] == 19 and R[0]["access"] == "write"'

# What goes to standard error is JSON too, and names are text: those with letters beyond ASCII, and with bytes that are no
# text at all.
cp k.hsail größe.hsail
k8() { "$run" --json -k k -g 128 -w 128 "$@" größe.hsail 'u32[128]:iota' >out 2>said </dev/null; }
k8 --count --registers --trace=wave=0 --time --repeat=3
check "--json: options without FILE" facts said '{r["kind"] for r in R} == {"count", "registers", "trace", "time"} and
    all(r["file"] == "größe.hsail" for r in kind("trace")) and len(kind("count")) == 3'
check "--json: times" facts said '[r["dispatches"] for r in kind("time")] == [3] and 0 < kind("time")[0]["dispatch"] <= kind("time")[0]["mean"]'
check "--json: standard output" facts out '[r["kind"] for r in R] == ["argument"] and R[0]["values"][:3] == [1, 0, 3]'
k8 --count=/dev/full
check "--json: a file of counts that cannot be written" facts said '[r["id"] for r in R] == ["observe-file"]'
"$run" --json -k k -g 128 -w 128 --check=memory --report-json=/dev/full k.hsail 'u32[100]' >out 2>said
check "--json: a file of reports that cannot be written" facts said '{r.get("id") for r in kind("error")} >= {"report-file"} and len(kind("finding")) == 1'
odd=$(printf 'k\377\355\240\200\360\237\230\200.hsail')
if cp k.hsail "$odd" 2>/dev/null; then
    "$run" --json -k k -g 128 -w 128 --trace=line=19 "$odd" 'u32[128]' >out 2>said
    check "--json: bytes that are no text" facts said 'len(R) and all(r["file"] == "k" + 4 * "\ufffd" + "\U0001F600.hsail" for r in R)'
else
    skip "--json: bytes that are no text" "the file system does not take such a name"
fi

# ---- the variables, with a program of HSA ----

# Its kernel is in 4,096 work-groups of four waves.
client() { # NAME=VALUE...
    env "$@" "$build/examples/dispatch" "$copy" >out 2>said || { cat said; return 1; }
}
client HSA_GCN_COUNT=count2
check "HSA_GCN_COUNT" facts count2 'R[0]["kernel"] == "&vector_copy" and R[0]["waves"] == 16384 and R[0]["grid"] == [1 << 20, 1, 1] and
    R[0]["classes"]["vmem"]["bytes"]["global"] == {"read": 4 << 20, "written": 4 << 20, "atomic": 0}'
client HSA_GCN_REGISTERS=registers2
env HSA_MESSAGES_JSON=1 HSA_GCN_REGISTERS=- "$build/examples/dispatch" "$copy" >out 2>registers3
check "HSA_MESSAGES_JSON" facts registers3 'len(R) == 1 and R[0]["kernel"] == "&vector_copy" and R[0]["kind"] == "registers"'
check "HSA_GCN_REGISTERS" facts registers2 'len(R) == 1 and R[0]["kernel"] == "&vector_copy" and "vgprs_allocated" in R[0]["registers"]'
client HSA_GCN_TRACE=kernel=vector_copy,group=7x0x0,wave=2-2,kind=vmem HSA_GCN_TRACE_FILE=trace2
check "HSA_GCN_TRACE, HSA_GCN_TRACE_FILE" facts trace2 'len(R) == 2 and {(r["kernel"], r["group"][0], r["wave"]) for r in R} == {("&vector_copy", 7, 2)} and
    [r["memory"]["access"] for r in R] == ["read", "write"]'
printf '%s\n' 'print exec' quit | env HSA_GCN_BREAK=start HSA_GCN_BREAK_JSON=1 HSA_REPORT_FILE=ended "$build/examples/dispatch" "$copy" >out 2>said
grep '^{' said >prompt2
check "HSA_GCN_BREAK, HSA_GCN_BREAK_JSON" facts prompt2 'len(R) == 2 and R[0]["kind"] == "stop" and R[0]["kernel"] == "&vector_copy" and
    R[1]["name"] == "exec"'
check "HSA_REPORT_FILE: quit is a fault" facts ended 'R[0]["kind"] == "fault" and R[0]["id"] == "fault-ended"'
sed '/add_u64 $d2/s/$/ add_u64 $d2, $d2, 4;/' "$copy" >stray.hsail
env HSA_GCN_CHECK=memory HSA_MEMORY_GUARD=0 HSA_REPORT_FILE=stray2 "$build/examples/dispatch" stray.hsail >out 2>said
check "HSA_GCN_CHECK, HSA_REPORT_FILE" facts stray2 'kind("finding")[0]["id"] == "memory-global" and
    kind("finding")[0]["work_group"] == [4095, 0, 0] and kind("finding")[0]["work_item"] == [255, 0, 0] and
    kind("finding")[0]["nearest"]["where"] == "after" and kind("finding")[0]["nearest"]["distance"] == 0'
tap_done
