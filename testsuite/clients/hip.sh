# SPDX-License-Identifier: MIT
# Runs HIP programs of the kind that people publish under hsa-run, each file in one process.
. "$srcdir/testsuite/clients/client.sh"

for file in hip_algorithms hip_applications hip_calls hip_device; do
    client $file hip/hip_runtime.h libamdhip64-dev --agents=1
done
tap_done
