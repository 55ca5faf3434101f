# SPDX-License-Identifier: MIT
# Tests the options of hsa-run that look into kernels, on a program of HIP with wrong kernels: checkers and the exit
# status, the page, counts, registers, traces and breakpoints.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
builddir=$(cd "$builddir" && pwd) || exit 99
run=$builddir/hsa-run
export TMPDIR="$work"
unset HSA_GCN_CHECK HSA_REPORT_FILE HSA_GCN_COUNT

if [ ! -f "$builddir/.libs/hsa-run-redirect.so" ] || [ "${TEST_SANITIZERS:-no}" != no ]; then
    skip "kernels of HIP are looked into" "no shared library, or one with sanitizers, which cannot be preloaded"
    tap_done
fi
if ! command -v hipcc > /dev/null || [ ! -f /usr/include/hip/hip_runtime.h ]; then
    skip "kernels of HIP are looked into" "the package hipcc or libamdhip64-dev is not installed"
    tap_done
fi
mkdir "$work/src" "$work/bin"
cp "$srcdir/testsuite/clients/hip_wrong.cpp" "$work/src/wrong.cpp"
cd "$work/src" || exit 99
check "the program compiles" "$run" hipcc -g -O1 -w wrong.cpp -o ../bin/wrong
cd "$work" || exit 99
if [ ! -x bin/wrong ]; then tap_done; fi

# said TEXT...: the last program wrote each TEXT to standard error
said() {
    cat "$work/errors"
    for text; do
        grep -qF -- "$text" "$work/errors" || { echo "not said: $text"; return 1; }
    done
}
# wrong WHICH OPTION...: runs the program with options, and ends with its status
wrong() {
    which=$1
    shift
    timeout 120 "$run" "$@" bin/wrong "$which" 2> errors < /dev/null
    status=$?
    cat errors
    return $status
}
quiet() { ! grep . errors; }

expect_status 0 "a right program with checkers" wrong right --check=all
check "nothing is said of a right program" quiet
expect_status 1 "a program that ended with 0 and has a finding" wrong stray --check=memory
check "the finding is printed, and findings are counted" said "[memory-global]" "hsa-run: 1 finding"
expect_status 0 "without checkers a finding does not change the status" wrong stray
expect_status 0 "checkers of something else do not change the status" wrong stray --check=race,barrier
expect_status 1 "a race with two checkers" wrong race --check=barrier,race
check "the checker of races has found it" said "[race-group]"
wrong far > out
plain=$?
check "a fault ends the program with a status of its own" test $plain -gt 1
expect_status $plain "the status of a program that failed comes through with --check" wrong far --check=memory
check "faults are counted" said "[fault-memory]" "hsa-run: 1 fault"
echo 'memory-global' > quiet.txt
expect_status 0 "suppressed findings do not count" wrong stray --check=memory --suppressions=quiet.txt
expect_status 1 "a file of suppressions that is missing" wrong stray --check=memory --suppressions=missing.txt
check "a missing file of suppressions is named" said "missing.txt: No such file"

expect_status 1 "a program with a finding, and JSON of it" wrong stray --check=memory --report-json=report.json
check "there is a line of JSON for the finding" sh -c 'test "$(grep -c "\"kind\":\"finding\",\"id\":\"memory-global\"" report.json)" = 1'
expect_status 1 "a second run with the same file of JSON" wrong stray --check=memory --report-json=report.json
check "a second run adds a line" sh -c 'test "$(wc -l < report.json)" = 2'
check "findings of an earlier run are not counted again" said "hsa-run: 1 finding"
expect_status 1 "a finding, with JSON in the file of the environment" env HSA_REPORT_FILE="$work/other.json" \
    "$run" --check=memory bin/wrong stray
check "the file of the environment has the finding" grep -q memory-global other.json
expect_status 1 "a file of reports that cannot be read again" wrong right --check=memory --report-json=/dev/null
check "that file is named" said "hsa-run: /dev/null: with --check or --report"

cd src || exit 99 # the page finds sources here
expect_status 1 "a page with a finding" "$run" --check=memory --report=../page.html ../bin/wrong stray
cd .. || exit 99
check "the page has the source, the counts and the finding" sh -c '
    for word in "MARK fill" memory-global "\"title\":\"wrong\"" global_store "\"kind\":\"count"; do
        grep -qF -- "$word" page.html || { echo "not there: $word"; exit 1; }
    done'
expect_status 0 "a page of a right program" wrong right --report=right.html
check "the page of a right program shows its code" grep -q global_store right.html
expect_status 0 "a page of a program without kernels" "$run" --report=none.html true
check "the page of a program without kernels is there" test -s none.html
expect_status 1 "a page where none can be" wrong right --report=missing/page.html
check "a page where none can be is refused before the run" said "missing/page.html: No such file"
expect_status 1 "a page and counts on standard error" wrong right --report=right.html --count
check "a page and counts on standard error are refused" said "with --report, --count needs a file"
expect_status 0 "a page and counts in a file" wrong right --report=both.html --count=counts.json
check "the page and the file of counts have the kernel" sh -c 'grep -q _ZN3app4fillIjEEvPT_j both.html && grep -q _ZN3app4fillIjEEvPT_j counts.json'

expect_status 0 "a program with counts" wrong right --count
check "counts are a table" said "kernel app::fill<unsigned int> for gfx900"
expect_status 0 "a program with registers" wrong right --registers
check "registers are printed" said "VGPRs"
expect_status 0 "a program with a trace" wrong right '--trace=kernel=app::fill<unsigned int>,kind=vmem'
check "the trace has the store" said "global_store"
expect_status 0 "a trace as JSON" wrong right --trace-json=trace.json
check "the trace as JSON has the store" grep -q global_store trace.json
check "a file is that of hsa-run's folder, wherever the program goes" sh -c '
    "$1" --registers=registers.json sh -c "cd bin && ./wrong right" && grep -q vgpr registers.json' sh "$run"
# Memory that the checkers have to know: managed memory, which is given attributes instead of being allocated by HSA, and
# variables whose zeros are not in the code object, among them those of the device's malloc().
cat > src/kinds.cpp << 'END'
#include <cstdlib>
#include <hip/hip_runtime.h>
__managed__ int managed = 5;
__device__ int zero[3000];
__global__ void make(int **places)
{
    places[threadIdx.x] = (int *)malloc(16);
    if (places[threadIdx.x] && !zero[threadIdx.x])
        *places[threadIdx.x] = managed + threadIdx.x;
}
__global__ void add(int **places, int *sum)
{
    atomicAdd(sum, *places[threadIdx.x]);
    free(places[threadIdx.x]);
}
int main()
{
    int **places, *sum;
    if (hipMalloc((void **)&places, 64 * sizeof *places) != hipSuccess || hipMallocManaged((void **)&sum, 4096) != hipSuccess)
        return 2;
    *sum = 0;
    make<<<1, 64>>>(places);
    add<<<1, 64>>>(places, sum);
    return hipDeviceSynchronize() == hipSuccess && *sum == 64 * 5 + 63 * 32 ? 0 : 3;
}
END
check "a program with all kinds of memory compiles" "$run" hipcc -g -O1 -w src/kinds.cpp -o bin/kinds
expect_status 0 "no kind of memory is taken for another" sh -c '"$1" --check=all bin/kinds 2> errors' sh "$run"
check "nothing is said of kinds of memory" quiet
printf 'quit\n' > commands
check "a breakpoint stops a kernel" sh -c '
    "$1" --break=start bin/wrong right < commands 2>&1 | grep -qF "app::fill<unsigned int>"' sh "$run"
check "nothing is left behind" sh -c '! ls -d hsa-run.* 2> /dev/null'
tap_done
