# SPDX-License-Identifier: MIT
# Tests that each way on which a program learns of a fault has the facts: the callback of a queue, a handler of system
# events, standard error where there is no callback, a file of JSON; for the address 0, too, and for kernels of OpenCL C.
# paths_client.c prints what it learns.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
srcdir=$(cd "$srcdir" && pwd)
assemble "$srcdir/testsuite/check/freed.s" "$work/k.co" || exit 99
client=$(cd "$builddir" && pwd)/testsuite/check/paths_client
cd "$work" || exit 99
unset HSA_ENABLE_QUEUE_FAULT_MESSAGE HSA_REPORT_FILE HSA_GCN_CHECK

# runs WORD...: the client ends with 0; `out` and `err` get what it prints
runs() {
    HSA_MEMORY_GUARD=1 "$client" k.co "$@" >out 2>err
    status=$?
    cat out err
    return $status
}
# has_facts FILE PLACE ADDRESS: FILE has what happened, kernel, ids, instruction with its PLACE, access and address
has_facts() {
    for word in "kernel k accesses memory that is not there \[fault-memory\]" \
        "by work-item (0,0,0) of work-group (0,0,0) at k+0x[0-9a-f]*$2" \
        "reads 4 bytes at global address $3"; do
        grep -q "$word" "$1" || {
            cat "$1"
            echo "missing: $word"
            return 1
        }
    done
}
facts() { has_facts "$1" ": global_load_dword v2, v1, s\[0:1\]" "$2"; } # FILE ADDRESS
near='0x[0-9a-f]*, 256 bytes before the 4096-byte allocation'
null='0x0$'
has_json() { # FILE PREFIX ADDRESS
    grep -q "^$2.*\"kind\":\"fault\",\"id\":\"fault-memory\".*\"kernel\":\"k\".*\"pc\":\"0x[0-9a-f]*\".*\"function\":\"k\".*\"instruction\":\"global_load_dword v2, v1, s\[0:1\]\".*\"work_group\":\[0,0,0\],\"work_item\":\[0,0,0\].*\"access\":\"read\",\"address\":\"$3\"" "$1"
}

check "a queue with a callback" runs callback
check "its status" grep -q '^callback status: 0x2b$' out
check "the text of the queue has the facts" sh -c 'sed -n "/^callback error text/,/^callback id/p" out >text' sh
check "all of them" facts text "$near"
check "the report, within the callback" sh -c 'sed -n "/^callback text/,/^callback json/p" out >text' sh
check "has the facts, too" facts text "$near"
check "and as JSON" has_json out 'callback json: ' '0x[0-9a-f]*'
check "with the nearest allocation" grep -q '^callback json.*"nearest":{[^}]*"size":4096,"distance":256,"where":"before"' out
check "after the callback there is no report" grep -q '^later: 0x1000$' out
check "nothing is printed besides" [ ! -s err ]
check "a callback, address 0" runs callback null
check "has the facts" facts out "$null"
check "and as JSON, with address 0" has_json out 'callback json: ' 0x0

check "a handler of system events" runs handler callback
check "gets event, agent and reason" [ "$(sed -n 's/^event \(type\|agent\|reason\): //p' out | tr '\n' ' ')" = "0 right 1 " ]
check "the address is that of the report" sh -c 'at=$(sed -n "s/^event address: //p" out) && grep -q "^event json.*\"address\":\"$at\"" out'
check "the report, within the handler" sh -c 'sed -n "/^event text/,/^event json/p" out >text' sh
check "has the facts" facts text "$near"
check "a handler of system events, address 0" runs handler null
check "gets the address 0" grep -q '^event address: 0x0$' out
check "and the report as JSON" has_json out 'event json: ' 0x0

check "a queue without a callback" runs
check "standard error has the facts" facts err "$near"
check "and the id of the message" grep -q '\[queue-stopped\]' err
check "a queue without a callback, address 0" runs null
check "standard error has the facts, with address 0" facts err "${null%?}"
silenced() { HSA_ENABLE_QUEUE_FAULT_MESSAGE=0 runs && [ ! -s err ]; }
check "nothing is printed if the environment says so" silenced
asked() { HSA_ENABLE_QUEUE_FAULT_MESSAGE=1 runs callback && facts err "$near"; }
check "it is printed with a callback if the environment says so" asked

filed() {
    rm -f report.json
    HSA_REPORT_FILE=report.json runs "$@" && [ "$(wc -l <report.json)" -eq 1 ]
}
check "a file of JSON" filed callback
check "has the facts" has_json report.json '{' '0x[0-9a-f]*'
check "and who allocated the memory" grep -q "\"allocated_by\":{[^}]*paths_client" report.json
check "a file of JSON without a callback, address 0" filed null
check "has the facts and address 0" has_json report.json '{' 0x0

# ---- kernels of OpenCL C: the same, with the line of the source, and by hsailrun ----

clang=$LLVM_BINDIR/clang
[ -x "$clang" ] || clang=$(command -v clang-19)
if [ ! -x "$clang" ]; then
    skip "faults of OpenCL C" "clang is missing"
    tap_done
fi
cat >cl.cl <<'END'
kernel void k(global const uint *in, global uint *out)
{
    uint i = __builtin_amdgcn_workitem_id_x();
    out[i] = in[i];
}
END
check "OpenCL C is compiled" "$clang" -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib \
    -mcode-object-version=4 -O2 -g -fuse-ld=lld -o cl.co cl.cl
language() { has_facts "$1" ", cl.cl:4: global_load_dword" "$2"; } # FILE ADDRESS
cl() { # OUT ADDRESS WORD...: the client with that kernel
    file=$1 address=$2
    shift 2
    HSA_MEMORY_GUARD=1 HSA_REPORT_FILE=cl.json "$client" cl.co "$@" >out 2>err && language "$file" "$address"
}
check "OpenCL C: a callback" cl out "$near" callback
check "OpenCL C: a handler of system events" cl out "$near" handler callback
check "OpenCL C: standard error" cl err "$near"
check "OpenCL C: standard error, address 0" cl err "${null%?}" null
check "OpenCL C: a file of JSON" [ "$(grep -c '"file":"[^"]*cl.cl","line":4' cl.json)" -eq 4 ]
hsailrun=${client%/testsuite/*}/hsailrun
"$hsailrun" -q -g 64 -w 64 cl.co u64:0 'u32[64]' >out 2>err
check "OpenCL C: hsailrun, address 0" language err "${null%?}"
"$hsailrun" -q -g 64 -w 64 cl.co 'u32[64]:iota' u64:16 >out 2>err
check "OpenCL C: hsailrun, a store" grep -q 'cl.cl:4: global_store_dword' err
tap_done
