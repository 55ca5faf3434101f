# SPDX-License-Identifier: MIT
# Runs the libraries of ROCm on the software GPU: rocRAND, hipRAND, rocSPARSE, hipSPARSE, rocPRIM, compared with plain C++.
. "$srcdir/testsuite/clients/client.sh"

client rocrand rocrand/rocrand.h librocrand-dev --agents=1 -lrocrand
client rocsparse rocsparse/rocsparse.h librocsparse-dev --agents=1 -lrocsparse
client rocprim rocprim/rocprim.hpp librocprim-dev --agents=1
client hip_libraries "hipsparse/hipsparse.h hiprand/hiprand.h" "libhipsparse-dev or libhiprand-dev" --agents=1 -lhiprand -lhipsparse
tap_done
