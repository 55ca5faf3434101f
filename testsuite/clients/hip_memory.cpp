// SPDX-License-Identifier: MIT
// HIP: allocations, copies and fills in every direction and shape, pointers, symbols, textures, and mistakes. The host
// computes the expected values.
#include "client_check.h"

#include <cstdint>
#include <cstring>
#include <hip/hip_runtime.h>
#include <numeric>
#include <vector>

#define GOOD(call) ((call) == hipSuccess)

enum { N = 1000 };

__constant__ int table[16];
__device__ int counter = 5;

__global__ void twice(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

__global__ void from_table(int *out)
{
    out[threadIdx.x] = table[threadIdx.x] + counter;
}

static std::vector<int> numbers(int n)
{
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 1);
    return v;
}

static void copies()
{
    std::vector<int> in = numbers(N), out(N);
    int *a, *b, *host;
    check(GOOD(hipMalloc(&a, N * 4)) && GOOD(hipMalloc(&b, N * 4)) && GOOD(hipHostMalloc(&host, N * 4, 0)), "malloc");
    check(GOOD(hipMemcpy(a, in.data(), N * 4, hipMemcpyHostToDevice)) &&
              GOOD(hipMemcpy(b, a, N * 4, hipMemcpyDeviceToDevice)) &&
              GOOD(hipMemcpy(out.data(), b, N * 4, hipMemcpyDeviceToHost)) && out == in,
          "copies to, on and from the device");
    hipLaunchKernelGGL(twice, dim3(8), dim3(128), 0, 0, a, (int)N);
    check(GOOD(hipMemcpy(host, a, N * 4, hipMemcpyDefault)) && host[0] == 2 && host[N - 1] == 2 * N,
          "a kernel, and a copy whose direction is found out");
    check(GOOD(hipMemset(a, 0x5a, N * 4)) && GOOD(hipMemcpy(out.data(), a, N * 4, hipMemcpyDeviceToHost)) &&
              out[0] == 0x5a5a5a5a && out[N - 1] == 0x5a5a5a5a,
          "memset");
    check(GOOD(hipMemsetD32((hipDeviceptr_t)a, 77, N)) && GOOD(hipMemsetD16((hipDeviceptr_t)b, 3, 10)) &&
              GOOD(hipMemcpy(out.data(), a, N * 4, hipMemcpyDeviceToHost)) && out[N / 2] == 77 &&
              GOOD(hipMemcpy(out.data(), b, 24, hipMemcpyDeviceToHost)) && out[0] == 0x30003 && out[5] == 6,
          "memset by words and half words");
    hipStream_t stream;
    check(GOOD(hipStreamCreate(&stream)) &&
              GOOD(hipMemcpyAsync(a, in.data(), N * 4, hipMemcpyHostToDevice, stream)) &&
              GOOD(hipMemsetAsync(a, 0, 40, stream)) &&
              GOOD(hipMemcpyAsync(host, a, N * 4, hipMemcpyDeviceToHost, stream)) &&
              GOOD(hipStreamSynchronize(stream)) && host[9] == 0 && host[10] == 11 && GOOD(hipStreamDestroy(stream)),
          "asynchronous copies in order");
    for (int i = 0; i < N; i++)
        host[i] = i;
    int *device = nullptr;
    check(GOOD(hipHostGetDevicePointer((void **)&device, host, 0)), "the device's address of host memory");
    hipLaunchKernelGGL(twice, dim3(8), dim3(128), 0, 0, device, (int)N);
    check(GOOD(hipDeviceSynchronize()) && host[N - 1] == 2 * (N - 1), "a kernel writes to host memory");
    check(GOOD(hipFree(a)) && GOOD(hipFree(b)) && GOOD(hipHostFree(host)), "free");
}

// Large copies and fills within the device, at odd places and of odd sizes, and what lies beside them.
static void large()
{
    enum { ROOM = 1 << 20, TRIES = 12 };
    std::vector<unsigned char> in(ROOM), want(ROOM), out(ROOM);
    unsigned char *a, *b;
    bool copied = true, filled = true;
    for (int i = 0; i < ROOM; i++)
        in[i] = (unsigned char)(i * 7 + i / 251);
    check(GOOD(hipMalloc(&a, ROOM)) && GOOD(hipMalloc(&b, ROOM)) && GOOD(hipMemcpy(a, in.data(), ROOM, hipMemcpyDefault)),
          "large malloc");
    for (int i = 0; i < TRIES; i++) {
        size_t from = i * 37 % 16, to = i * 5 % 16, size = ROOM / 2 + 9 * i - 16 * (i % 3);
        want.assign(ROOM, 1);
        memcpy(&want[to], &in[from], size);
        copied = copied && GOOD(hipMemset(b, 1, ROOM)) && GOOD(hipMemcpyDtoD(b + to, a + from, size)) &&
                 GOOD(hipMemcpy(out.data(), b, ROOM, hipMemcpyDefault)) && out == want;
        memset(&want[from], i, size / 2);
        filled = filled && GOOD(hipMemset(b + from, i, size / 2)) &&
                 GOOD(hipMemcpy(out.data(), b, ROOM, hipMemcpyDefault)) && out == want;
    }
    check(copied, "large copies within the device, at odd places");
    check(filled, "large fills, at odd places");
    check(GOOD(hipMemcpyDtoD(a + 4096, a, ROOM / 2)) && GOOD(hipMemcpy(out.data(), a, ROOM, hipMemcpyDefault)) &&
              !memcmp(&out[ROOM / 2 + 4096], &in[ROOM / 2 + 4096], ROOM / 2 - 4096) && !memcmp(&out[0], &in[0], 4096),
          "a copy to where it reads changes nothing else");
    (void)hipFree(a);
    (void)hipFree(b);
}

static void shapes()
{
    enum { W = 100, H = 7, D = 3 };
    unsigned char in[D][H][W], out[D][H][W] = {};
    for (int i = 0; i < D * H * W; i++)
        (&in[0][0][0])[i] = (unsigned char)(i * 7);
    void *plane;
    size_t pitch = 0;
    check(GOOD(hipMallocPitch(&plane, &pitch, W, H)) && pitch >= W && pitch % 4 == 0, "rows with a pitch");
    check(GOOD(hipMemcpy2D(plane, pitch, in, W, W, H, hipMemcpyHostToDevice)) &&
              GOOD(hipMemcpy2D(out, W, plane, pitch, W, H, hipMemcpyDeviceToHost)) && !memcmp(in, out, W * H),
          "copies of planes");
    check(GOOD(hipMemset2D(plane, pitch, 9, 50, 3)) &&
              GOOD(hipMemcpy2D(out, W, plane, pitch, W, H, hipMemcpyDeviceToHost)) && out[0][0][0] == 9 &&
              out[0][2][49] == 9 && out[0][2][50] == in[0][2][50] && out[0][3][0] == in[0][3][0],
          "memset of several rows");
    hipPitchedPtr box;
    hipMemcpy3DParms p = {};
    check(GOOD(hipMalloc3D(&box, make_hipExtent(W, H, D))), "a box");
    p.srcPtr = make_hipPitchedPtr(in, W, W, H);
    p.dstPtr = box;
    p.extent = make_hipExtent(W, H, D);
    p.kind = hipMemcpyHostToDevice;
    memset(out, 0, sizeof out);
    bool there = GOOD(hipMemcpy3D(&p));
    p.dstPtr = make_hipPitchedPtr(out, W, W, H);
    p.srcPtr = box;
    p.kind = hipMemcpyDeviceToHost;
    check(there && GOOD(hipMemcpy3D(&p)) && !memcmp(in, out, sizeof in), "copies of boxes");
    check(GOOD(hipFree(plane)) && GOOD(hipFree(box.ptr)), "free shapes");
}

__global__ void look(hipTextureObject_t texture, float *out, float x, float y)
{
    out[0] = tex2D<float>(texture, x, y);
}

static float fetch(hipTextureObject_t texture, float *out, float x, float y)
{
    float value = -1;
    hipLaunchKernelGGL(look, dim3(1), dim3(1), 0, 0, texture, out, x, y);
    (void)hipMemcpy(&value, out, 4, hipMemcpyDeviceToHost);
    return value;
}

static void textures()
{
    enum { W = 8, H = 4 };
    float in[H][W], *out;
    for (int i = 0; i < W * H; i++)
        in[i / W][i % W] = (float)i;
    hipArray *array;
    hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    check(GOOD(hipMalloc(&out, 4)) && GOOD(hipMallocArray(&array, &format, W, H)) &&
              GOOD(hipMemcpy2DToArray(array, 0, 0, in, W * 4, W * 4, H, hipMemcpyHostToDevice)),
          "an array");
    float back[H][W] = {};
    check(GOOD(hipMemcpy2DFromArray(back, W * 4, array, 0, 0, W * 4, H, hipMemcpyDeviceToHost)) &&
              !memcmp(in, back, sizeof in),
          "and back");
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc is = {};
    is.addressMode[0] = is.addressMode[1] = hipAddressModeClamp;
    hipTextureObject_t texture;
    is.filterMode = hipFilterModePoint;
    check(GOOD(hipCreateTextureObject(&texture, &resource, &is, nullptr)), "a texture of points");
    check(fetch(texture, out, 3.5f, 2.5f) == in[2][3] && fetch(texture, out, -5, 1.5f) == in[1][0], "its texels");
    (void)hipDestroyTextureObject(texture);
    is.filterMode = hipFilterModeLinear;
    check(GOOD(hipCreateTextureObject(&texture, &resource, &is, nullptr)), "a texture with a filter");
    check(fetch(texture, out, 4, 2) == (in[1][3] + in[1][4] + in[2][3] + in[2][4]) / 4, "between texels");
    (void)hipDestroyTextureObject(texture);
    check(GOOD(hipFreeArray(array)) && GOOD(hipFree(out)), "free textures");
}

static void symbols()
{
    int in[16], out[16], *device, value = 0;
    for (int i = 0; i < 16; i++)
        in[i] = i * i;
    check(GOOD(hipMalloc(&device, 64)) && GOOD(hipMemcpyToSymbol(HIP_SYMBOL(table), in, sizeof in)) &&
              GOOD(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), 4)) && value == 5,
          "symbols");
    value = 100;
    check(GOOD(hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, 4)), "a variable is set");
    hipLaunchKernelGGL(from_table, dim3(1), dim3(16), 0, 0, device);
    check(GOOD(hipMemcpy(out, device, 64, hipMemcpyDeviceToHost)) && out[0] == 100 && out[15] == 325,
          "a kernel reads both");
    (void)hipFree(device);
}

static void pointers()
{
    int *managed, *device;
    hipPointerAttribute_t is;
    std::vector<int> own(4096);
    check(GOOD(hipMallocManaged(&managed, N * 4)), "managed memory");
    for (int i = 0; i < N; i++)
        managed[i] = i;
    hipLaunchKernelGGL(twice, dim3(8), dim3(128), 0, 0, managed, (int)N);
    check(GOOD(hipDeviceSynchronize()) && managed[7] == 14, "is used by both");
    check(GOOD(hipMemAdvise(managed, N * 4, hipMemAdviseSetReadMostly, 0)) &&
              GOOD(hipMemPrefetchAsync(managed, N * 4, 0, 0)) && GOOD(hipDeviceSynchronize()),
          "advice and prefetch");
    check(GOOD(hipMalloc(&device, 64)) && GOOD(hipPointerGetAttributes(&is, device)) &&
              is.memoryType == hipMemoryTypeDevice && is.device == 0,
          "attributes of a pointer");
    check(hipPointerGetAttributes(&is, own.data()) == hipErrorInvalidValue, "memory of one's own has none");
    check(GOOD(hipHostRegister(own.data(), own.size() * 4, 0)), "registering");
    own[3] = 21;
    hipLaunchKernelGGL(twice, dim3(1), dim3(64), 0, 0, own.data(), 64);
    check(GOOD(hipDeviceSynchronize()) && own[3] == 42, "registered memory is used");
    check(GOOD(hipHostUnregister(own.data())), "unregistering");
    check(GOOD(hipFree(managed)) && GOOD(hipFree(device)), "free both");
}

static void mistakes()
{
    int *device;
    void *nothing = nullptr;
    size_t available = 0, total = 0;
    check(GOOD(hipMemGetInfo(&available, &total)) && available && available <= total, "memory that there is");
    check(hipMalloc(&nothing, total * 2) == hipErrorOutOfMemory && !nothing, "more than that");
    check(GOOD(hipMalloc(&device, 64)) && GOOD(hipFree(device)) && hipFree(device) == hipErrorInvalidValue,
          "freed twice");
    check(hipFree((void *)&device) == hipErrorInvalidValue, "freed, never allocated");
    check(hipMemcpy(nullptr, &device, 4, hipMemcpyHostToDevice) == hipErrorInvalidValue, "a copy to nowhere");
    check(hipSetDevice(99) == hipErrorInvalidDevice, "a device that is not there");
    hipLaunchKernelGGL(twice, dim3(1), dim3(5000), 0, 0, device, 0);
    check(hipGetLastError() != hipSuccess && hipGetLastError() == hipSuccess, "a block that is too large");
}

static void peers()
{
    int count = 0, may = 0;
    check(GOOD(hipGetDeviceCount(&count)) && count == 2, "two devices");
    hipDeviceProp_t first, second;
    check(GOOD(hipGetDeviceProperties(&first, 0)) && GOOD(hipGetDeviceProperties(&second, 1)) &&
              first.pciBusID != second.pciBusID,
          "told apart");
    std::vector<int> in = numbers(N), out(N);
    int *a, *b;
    bool good = GOOD(hipSetDevice(0)) && GOOD(hipMalloc(&a, N * 4)) && GOOD(hipSetDevice(1)) &&
                GOOD(hipMalloc(&b, N * 4)) && GOOD(hipMemcpy(a, in.data(), N * 4, hipMemcpyHostToDevice));
    check(good && GOOD(hipMemcpyPeer(b, 1, a, 0, N * 4)), "a copy between them");
    hipLaunchKernelGGL(twice, dim3(8), dim3(128), 0, 0, b, (int)N);
    check(GOOD(hipMemcpy(out.data(), b, N * 4, hipMemcpyDeviceToHost)) && out[N - 1] == 2 * N, "used by the second");
    check(GOOD(hipDeviceCanAccessPeer(&may, 1, 0)) && may && GOOD(hipDeviceEnablePeerAccess(0, 0)), "peer access");
    check(GOOD(hipFree(a)) && GOOD(hipFree(b)) && GOOD(hipSetDevice(0)), "free on both");
}

int main()
{
    copies();
    large();
    shapes();
    textures();
    symbols();
    pointers();
    mistakes();
    peers();
    return check_failures != 0;
}
