# SPDX-License-Identifier: MIT
# Tests that a program of HIP whose kernel faults has the facts on standard error, in a file of JSON, and in a handler of
# system events that it adds. The callback of its queue belongs to the runtime of HIP.
. "$srcdir/testsuite/clients/client.sh"
if ! command -v hipcc >/dev/null || [ ! -f /usr/include/hip/hip_runtime.h ]; then
    skip "faults of HIP" "the package hipcc or libamdhip64-dev is not installed"
    tap_done
fi
cd "$work" || exit 99
cat >fault.cpp <<'END'
#include <dlfcn.h>
#include <hip/hip_runtime.h>
#include <hsa/hsa_ext_amd.h>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void stray(const unsigned *in, unsigned *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i]; // HERE
}
static hsa_status_t on_event(const hsa_amd_event_t *event, void *)
{
    printf("event address: 0x%llx\n", (unsigned long long)event->memory_fault.virtual_address);
    fflush(stdout);
    _exit(3);
}
int main(int argc, char **argv)
{
    unsigned *out;
    if (hipMalloc(&out, 4096) != hipSuccess)
        return 99;
    if (argc > 1) {
        auto add = (decltype(&hsa_amd_register_system_event_handler))dlsym(RTLD_DEFAULT, "hsa_amd_register_system_event_handler");
        if (!add || add(on_event, nullptr) != HSA_STATUS_SUCCESS)
            return 98;
    }
    stray<<<1, 64>>>(nullptr, out);
    return hipDeviceSynchronize() == hipSuccess;
}
END
line=$(grep -n HERE fault.cpp | cut -d : -f 1)
check "a program of HIP is compiled" "$run" hipcc -O1 -g -w fault.cpp -o fault
hip() { # WORD...: the program ends with a fault, whose facts are on standard error and in hip.json
    rm -f hip.json
    HSA_REPORT_FILE=hip.json timeout 120 "$run" ./fault "$@" >out 2>err </dev/null
    status=$?
    cat out err
    [ $status -ne 0 ] && [ $status -lt 98 ] || [ $status -gt 99 ]
}
check "HIP: a fault ends the program" hip
check "HIP: standard error has the facts" grep -q "by work-item (0,0,0) of work-group (0,0,0) at stray+0x[0-9a-f]*, .*fault.cpp:$line: " err
check "HIP: the address" grep -q 'reads 4 bytes at global address 0x0' err
check "HIP: a file of JSON" grep -q "\"kernel_name\":\"stray\".*\"line\":$line,.*\"work_item\":\[0,0,0\].*\"address\":\"0x0\"" hip.json
check "HIP: with a handler of system events" hip handler
check "HIP: the handler gets the address" grep -q '^event address: 0x0$' out
check "HIP: a file of JSON, with a handler" grep -q "\"line\":$line," hip.json
tap_done
