# Runs unmodified programs of others under hsa-run: rocminfo, and HIP programs with one feature each. Each line
# "PASS what" or "FAIL what" that a program prints becomes a result.
. "$srcdir/testsuite/clients/client.sh"

if command -v rocminfo > /dev/null; then
    "$run" --agents=2 rocminfo > "$work/rocminfo"
    status=$?
    "$run" --agents=2 "$builddir/hsainfo" --json > "$work/json"
    check "rocminfo ends well" test $status = 0
    check "rocminfo says what the API says" python3 - "$work/rocminfo" "$work/json" << 'END'
import json, re, sys
agents, inside = [], False
for line in open(sys.argv[1]):
    if re.match(r"Agent \d+", line):
        agents.append({})
    if re.match(r"  [A-Z].*?:  *\S", line) and agents:
        key, value = line.strip().split(":", 1)
        agents[-1].setdefault(key, value.strip())
said = json.load(open(sys.argv[2]))["agents"]
assert len(agents) == len(said) == 3, (len(agents), len(said))
for theirs, ours in zip(agents, said):
    assert theirs["Name"] == ours["name"].strip(), (theirs, ours)
    assert theirs["Device Type"] == ours["device"]
    assert int(theirs["Node"]) == ours["node"]
    if ours["device"] == "GPU":
        assert theirs["Profile"] == "BASE_PROFILE"
        assert theirs["Wavefront Size"].startswith(str(ours["wavefront_size"]))
assert len({a["Uuid"] for a in agents if a["Device Type"] == "GPU"}) == 2
assert len({a["BDFID"] for a in agents}) == 3
END
else
    skip "rocminfo" "the package rocminfo is not installed"
fi
if command -v rocm_agent_enumerator > /dev/null; then
    check "rocm_agent_enumerator finds the GPU" sh -c '"$1" rocm_agent_enumerator | grep -qx gfx900' sh "$run"
else
    skip "rocm_agent_enumerator" "the package rocminfo is not installed"
fi

# ---- a wrong program of HIP, compiled with -g ----

wrong_source=$srcdir/testsuite/clients/hip_wrong.cpp
wrong_line() { grep -n "// MARK $1" "$wrong_source" | cut -d: -f1; }
# reports WHICH VARIABLE=VALUE TEXT...: what the run writes to standard error has each TEXT
reports() {
    which=$1 setting=$2
    shift 2
    timeout 120 env "$setting" "$run" --agents=1 "$work/hip_wrong" "$which" 2> "$work/errors" < /dev/null
    cat "$work/errors"
    for text; do
        grep -qF -- "$text" "$work/errors" || { echo "not said: $text"; return 1; }
    done
}
wrong_program() {
    if ! command -v hipcc > /dev/null || [ ! -f /usr/include/hip/hip_runtime.h ]; then
        skip "hip_wrong" "the package hipcc or libamdhip64-dev is not installed"
        return
    fi
    check "hip_wrong compiles" "$run" hipcc -g -O1 -w "$wrong_source" -o "$work/hip_wrong"
    [ -x "$work/hip_wrong" ] || return
    check "hip_wrong: nothing is said of a right kernel" sh -c '"$1" --agents=1 "$2" right 2>&1 | { ! grep .; }' sh "$run" "$work/hip_wrong"
    HSA_GCN_CHECK=all check "hip_wrong: nor by the checkers" sh -c '"$1" --agents=1 "$2" right 2>&1 | { ! grep .; }' sh "$run" "$work/hip_wrong"
    check "hip_wrong: a stray store" reports stray HSA_GCN_CHECK=memory "kernel app::fill<unsigned int> accesses" \
        "[memory-global]" "at app::fill<unsigned int>+0x" "hip_wrong.cpp:$(wrong_line fill): global_store" "work-item (252,0,0)" \
        "0 bytes after the end of the 1024-byte allocation"
    check "hip_wrong: a fault" reports far HSA_GCN_CHECK= "kernel app::fill<unsigned int> accesses" "[fault-memory]" \
        "hip_wrong.cpp:$(wrong_line fill): global_store"
    check "hip_wrong: a race, both lines" reports race HSA_GCN_CHECK=race "kernel app::race accesses" "[race-group]" \
        "hip_wrong.cpp:$(wrong_line store): ds_write" "hip_wrong.cpp:$(wrong_line load): ds_read"
    check "hip_wrong: a lock that the wave itself holds" reports lock HSA_GCN_CHECK=wait "kernel app::lock waits" \
        "[wait-memory]" "called at " "hip_wrong.cpp:$(wrong_line lock)" "by work-item (1,0,0)" "holding up work-item (0,0,0)"
    check "hip_wrong: a barrier" reports barrier HSA_GCN_CHECK=barrier "kernel plain " "[barrier-divergent]" \
        "amd_device_functions.h:" "called at " "hip_wrong.cpp:$(wrong_line barrier)"
    # Linked with a library of OpenCL C, which does not make it OpenCL.
    HSA_GCN_CHECK=all check "hip_wrong: nothing is said of an early return" sh -c \
        '"$1" --agents=1 "$2" early 2>&1 | { ! grep .; }' sh "$run" "$work/hip_wrong"
    check "hip_wrong: counts by line" reports right HSA_GCN_COUNT=- "kernel app::fill<unsigned int> for gfx900" \
        "hip_wrong.cpp:$(wrong_line fill) "
    check "hip_wrong: a trace of a kernel by its name" reports right "HSA_GCN_TRACE=kernel=app::fill<unsigned int>,kind=vmem" \
        "at app::fill<unsigned int>+0x" "hip_wrong.cpp:$(wrong_line fill): global_store"
    check "hip_wrong: not of others" sh -c '! HSA_GCN_TRACE=kernel=app::race "$1" --agents=1 "$2" right 2>&1 | grep .' sh "$run" "$work/hip_wrong"
    printf 'print i\nquit\n' > "$work/commands"
    HSA_GCN_BREAK="hip_wrong.cpp:$(wrong_line fill)" timeout 120 "$run" --agents=1 "$work/hip_wrong" right < "$work/commands" > "$work/said" 2> "$work/errors"
    check "hip_wrong: the prompt stops at a line" grep -qF "hip_wrong.cpp:$(wrong_line fill): " "$work/errors"
    printf 'memory-* app::fill* *:%s\n' "$(wrong_line fill)" > "$work/quiet"
    check "hip_wrong: findings are suppressed by such names" sh -c \
        'HSA_GCN_CHECK=memory HSA_GCN_SUPPRESSIONS=$3 "$1" --agents=1 "$2" stray 2>&1 | { ! grep memory-global; }' sh "$run" "$work/hip_wrong" "$work/quiet"
    check "hip_wrong: JSON has the symbol" sh -c \
        'HSA_GCN_CHECK=memory HSA_REPORT_FILE=$3 "$1" --agents=1 "$2" stray 2>/dev/null; cat "$3"; grep -q "\"kernel\":\"_ZN3app4fillIjEEvPT_j\"" "$3"' \
        sh "$run" "$work/hip_wrong" "$work/report.json"
    wrong_json
}

# Each variable's JSON, read by the parser of Python: R has the records.
json_facts() { # WHICH FILE EXPRESSION VARIABLE=VALUE...
    which=$1 file=$work/$2 expression=$3
    shift 3
    env "$@" timeout 120 "$run" --agents=1 "$work/hip_wrong" "$which" < "$work/commands" > "$work/out" 2> "$work/said"
    [ "$file" != "$work/said" ] || { grep '^{' "$file" > "$file.json"; file=$file.json; }
    python3 - "$file" "$expression" << 'END'
import json, sys
R = [json.loads(line) for line in open(sys.argv[1])]
if not eval("(" + sys.argv[2] + ")"):
    sys.exit("not true: " + sys.argv[2] + "\n" + json.dumps(R[:3])[:3000])
END
}
wrong_json() {
    if ! command -v python3 > /dev/null; then
        skip "hip_wrong: JSON" "python3 is missing"
        return
    fi
    fill=$(wrong_line fill)
    names='R[0]["kernel"] == "_ZN3app4fillIjEEvPT_j" and R[0]["kernel_name"] == "app::fill<unsigned int>"'
    printf 'print exec\nwhere\nquit\n' > "$work/commands"
    check "hip_wrong: JSON of counts" json_facts right counts "$names and any(l['line'] == $fill for l in R[0]['lines']) and
        R[0]['code'][0]['function_name'] == 'app::fill<unsigned int>'" HSA_GCN_COUNT="$work/counts"
    check "hip_wrong: JSON of registers" json_facts right registers "$names and R[0]['registers']['vgprs'] > 0" HSA_GCN_REGISTERS="$work/registers"
    check "hip_wrong: JSON of a trace, and its filters" json_facts right trace "$names and len(R) > 0 and all(r['line'] == $fill and r['wave'] == 2 for r in R) and
        any(r.get('memory', {}).get('access') == 'write' for r in R)" \
        HSA_GCN_TRACE="kernel=app::fill<unsigned int>,group=0x0x0,wave=2-2,line=$fill-$fill" HSA_GCN_TRACE_FILE="$work/trace"
    check "hip_wrong: JSON of the prompt" json_facts right said "$names and [r['kind'] for r in R] == ['stop', 'register', 'stop'] and R[0]['line'] == $fill" \
        HSA_GCN_BREAK="hip_wrong.cpp:$fill" HSA_GCN_BREAK_JSON=1
    check "hip_wrong: JSON of a finding" json_facts stray findings "$names and R[0]['kind'] == 'finding' and R[0]['id'] == 'memory-global' and
        R[0]['line'] == $fill and R[0]['count'] == 4 and R[0]['nearest']['size'] == 1024" HSA_GCN_CHECK=memory HSA_REPORT_FILE="$work/findings"
    check "hip_wrong: JSON of a fault" json_facts far faults "$names and R[0]['kind'] == 'fault' and R[0]['line'] == $fill" HSA_REPORT_FILE="$work/faults"
    check "hip_wrong: the page shows names, and has the symbols" sh -c \
        '"$1" -o "$3" "$2" && grep -q "app::fill" "$3" && grep -q _ZN3app4fill "$3"' sh "$builddir/hsa-report" "$work/counts" "$work/page.html"
}

wrong_program
client hip_memory hip/hip_runtime.h libamdhip64-dev --agents=2
client hip_kernel hip/hip_runtime.h libamdhip64-dev --agents=1
programs hip_compute --agents=1
programs hip_interface --agents=2
tap_done
