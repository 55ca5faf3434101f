// SPDX-License-Identifier: MIT
// Two ranks of MPI, each with a GPU, exchange what is in device memory in three ways: MPI gets the device's buffers, or
// copies of them in the host's memory, or a rank opens the memory of the other.
#include "client_check.h"

#include <hip/hip_runtime.h>
#include <mpi.h>
#include <vector>

enum { N = 50000 };

__global__ void number(int *at, int first)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < N)
        at[i] = first + i;
}

__global__ void add(int *at, const int *other)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < N)
        at[i] += other[i];
}

static int rank, size;

// Reports one result for both ranks: whether it is good on each.
static void both(bool good, const char *what)
{
    int own = good, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        check(all, what);
    else
        check_failures += !all;
}

static bool holds(const int *device, int first, int step)
{
    std::vector<int> host(N);
    if (hipMemcpy(host.data(), device, N * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess)
        return false;
    for (int i = 0; i < N; i++)
        if (host[i] != first + step * i)
            return false;
    return true;
}

static void exchange(int *mine, int *theirs)
{
    dim3 groups((N + 255) / 256), items(256);
    number<<<groups, items>>>(mine, 1000 * rank);
    bool good = hipDeviceSynchronize() == hipSuccess;
    good &= MPI_Sendrecv(mine, N, MPI_INT, 1 - rank, 0, theirs, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE) == MPI_SUCCESS;
    add<<<groups, items>>>(mine, theirs);
    both(good && holds(mine, 1000, 2), "ranks exchange device buffers");
    good = MPI_Allreduce(mine, theirs, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS;
    both(good && holds(theirs, 2000, 4), "the sum of device buffers over all ranks");
}

static void staged(int *mine, int *theirs)
{
    std::vector<int> out(N), in(N);
    MPI_Request requests[2];
    number<<<(N + 255) / 256, 256>>>(mine, 7 + rank);
    bool good = hipMemcpy(out.data(), mine, N * sizeof(int), hipMemcpyDeviceToHost) == hipSuccess;
    MPI_Irecv(in.data(), N, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), N, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    good &= MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
    good &= hipMemcpy(theirs, in.data(), N * sizeof(int), hipMemcpyHostToDevice) == hipSuccess;
    both(good && holds(theirs, 7 + 1 - rank, 1), "buffers pass through the host");
}

static void opened(int *mine)
{
    hipIpcMemHandle_t own, other;
    void *theirs = nullptr;
    number<<<(N + 255) / 256, 256>>>(mine, 500 * rank);
    bool good = hipDeviceSynchronize() == hipSuccess && hipIpcGetMemHandle(&own, mine) == hipSuccess;
    good &= MPI_Sendrecv(&own, sizeof own, MPI_BYTE, 1 - rank, 2, &other, sizeof other, MPI_BYTE, 1 - rank, 2,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    good &= hipIpcOpenMemHandle(&theirs, other, hipIpcMemLazyEnablePeerAccess) == hipSuccess;
    good = good && holds((int *)theirs, 500 * (1 - rank), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (good) {
        add<<<(N + 255) / 256, 256>>>(mine, (int *)theirs);
        good = hipDeviceSynchronize() == hipSuccess;
    }
    good = good && hipIpcCloseMemHandle(theirs) == hipSuccess;
    both(good, "a rank opens the memory of the other, and a kernel reads it");
}

int main(int argc, char **argv)
{
    int *mine = nullptr, *theirs = nullptr;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool good = size == 2 && hipSetDevice(rank) == hipSuccess;
    good &= hipMalloc((void **)&mine, N * sizeof(int)) == hipSuccess;
    good &= hipMalloc((void **)&theirs, N * sizeof(int)) == hipSuccess;
    both(good, "two ranks, a device each");
    if (good && size == 2) {
        exchange(mine, theirs);
        staged(mine, theirs);
        opened(mine);
    }
    MPI_Finalize();
    return check_failures != 0;
}
