// SPDX-License-Identifier: MIT
// A HIP program for packet_counter: twelve launches of two kernels on two streams, whose results are checked.
#include "client_check.h"

#include <hip/hip_runtime.h>
#include <vector>

__global__ void count_up(int *at, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        at[i] += 1;
}

__global__ void double_all(int *at, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        at[i] *= 2;
}

int main()
{
    enum { N = 1000 };
    bool good = true;
    for (int s = 0; s < 2; s++) {
        hipStream_t stream;
        int *at;
        std::vector<int> host(N, 1);
        good &= hipStreamCreate(&stream) == hipSuccess && hipMalloc((void **)&at, N * sizeof *at) == hipSuccess;
        good &= hipMemcpy(at, host.data(), N * sizeof *at, hipMemcpyHostToDevice) == hipSuccess;
        for (int k = 0; k < 3; k++) {
            count_up<<<(N + 63) / 64, 64, 0, stream>>>(at, N);
            double_all<<<(N + 63) / 64, 64, 0, stream>>>(at, N);
        }
        good &= hipStreamSynchronize(stream) == hipSuccess;
        good &= hipMemcpy(host.data(), at, N * sizeof *at, hipMemcpyDeviceToHost) == hipSuccess;
        for (int x : host)
            good &= x == ((1 + 1) * 2 + 1) * 4 + 2;
        good &= hipFree(at) == hipSuccess && hipStreamDestroy(stream) == hipSuccess;
    }
    check(good, "kernels give the same results with the tools library as without it");
    return check_failures != 0;
}
