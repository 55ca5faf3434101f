// SPDX-License-Identifier: MIT
// Kernels that are wrong, for the checkers: the argument says which one is launched. The marks are lines that reports
// have to name.
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>
#include <unistd.h>

namespace app
{
template <typename T> __global__ void fill(T *out, unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + offset] = T(i); // MARK fill
}
struct mirror {
    unsigned *out;
    __device__ void operator()(unsigned *shared) const
    {
        out[threadIdx.x] = shared[255 - threadIdx.x]; // MARK load
    }
};
__global__ void race(mirror m)
{
    __shared__ unsigned shared[256];
    shared[threadIdx.x] = threadIdx.x; // MARK store
    m(shared);
}
__global__ void lock(int *word)
{
    while (atomicCAS(word, 0, 1) != 0) // MARK lock
        ;
    atomicExch(word, 0);
}
} // namespace app
extern "C" __global__ void plain(unsigned *out)
{
    if (threadIdx.x < 100)
        __syncthreads(); // MARK barrier
    out[threadIdx.x] = 1;
}
extern "C" __global__ void early(unsigned *out, unsigned count)
{
    __shared__ unsigned shared[256];
    if (threadIdx.x >= count)
        return;
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = shared[count - 1 - threadIdx.x];
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    unsigned *out;
    if (hipMalloc((void **)&out, 1024) != hipSuccess)
        return 2;
    if (!strcmp(which, "right"))
        app::fill<unsigned><<<1, 256>>>(out, 0);
    else if (!strcmp(which, "stray"))
        app::fill<unsigned><<<1, 256>>>(out, 4);
    else if (!strcmp(which, "far"))
        app::fill<unsigned><<<1, 256>>>(out, 1U << 30);
    else if (!strcmp(which, "race"))
        app::race<<<1, 256>>>(app::mirror{out});
    else if (!strcmp(which, "barrier"))
        plain<<<1, 256>>>(out);
    else if (!strcmp(which, "early")) {
        early<<<1, 256>>>(out, 100);
        early<<<1, 256>>>(out, 128);
    }
    else if (!strcmp(which, "lock")) { // never ends
        hipMemset(out, 0, 1024);
        app::lock<<<1, 64>>>((int *)out);
        hipStreamQuery(0); // has it begin
        sleep(6);
        _exit(0);
    }
    bool good = hipDeviceSynchronize() == hipSuccess;
    return hipFree(out) == hipSuccess && good ? 0 : 1;
}
