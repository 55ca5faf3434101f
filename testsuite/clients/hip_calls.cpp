// SPDX-License-Identifier: MIT
// Small HIP programs that use the less common calls for memory, textures and graphs: fills of all widths, copies by the
// driver's structures, advice, addresses outside of textures, layers, graphs that are changed and cloned. They
// share a process; small_program.hpp says how.
#include "small_program.hpp"

__global__ void add_value(int *p, int value, int count)
{
    if (place() < count)
        p[place()] += value;
}

// ---- memory ----

PROGRAM(fills_of_all_widths)
{
    device_array<unsigned char> a(600);
    hipStream_t stream;
    unsigned word;
    MUST(GOOD(hipStreamCreate(&stream)));
    MUST(GOOD(hipMemsetD8((hipDeviceptr_t)a.at, 0x5a, 99)));
    MUST(GOOD(hipMemsetD16((hipDeviceptr_t)(a.at + 100), 0x1234, 50)));
    MUST(GOOD(hipMemsetD32((hipDeviceptr_t)(a.at + 200), (int)0xdeadbeef, 25)));
    MUST(GOOD(hipMemsetD8Async((hipDeviceptr_t)(a.at + 301), 7, 33, stream)));
    MUST(GOOD(hipMemsetD16Async((hipDeviceptr_t)(a.at + 400), 0xabcd, 3, stream)));
    MUST(GOOD(hipMemsetD32Async((hipDeviceptr_t)(a.at + 500), 0x01020304, 3, stream)));
    MUST(GOOD(hipStreamSynchronize(stream)));
    std::vector<unsigned char> v = a.fetch();
    MUST(v[0] == 0x5a && v[98] == 0x5a && v[99] == 0 && v[100] == 0x34 && v[199] == 0x12);
    for (int i = 0; i < 25; i++) {
        memcpy(&word, &v[200 + 4 * i], sizeof word);
        MUST(word == 0xdeadbeef);
    }
    MUST(v[300] == 0 && v[301] == 7 && v[333] == 7 && v[334] == 0 && v[400] == 0xcd && v[405] == 0xab && v[406] == 0);
    return v[500] == 4 && v[511] == 1 && v[512] == 0;
}

PROGRAM(fills_of_boxes)
{
    enum { WIDTH = 60, HEIGHT = 5, DEPTH = 4 };
    hipPitchedPtr box;
    hipExtent all = make_hipExtent(WIDTH, HEIGHT, DEPTH);
    std::vector<unsigned char> v(WIDTH * HEIGHT * DEPTH);
    hipMemcpy3DParms copy = {};
    MUST(GOOD(hipMalloc3D(&box, all)) && GOOD(hipMemset3D(box, 3, all)));
    MUST(GOOD(hipMemset3DAsync(box, 8, make_hipExtent(10, 2, 3), 0)));
    copy.srcPtr = box;
    copy.dstPtr = make_hipPitchedPtr(v.data(), WIDTH, WIDTH, HEIGHT);
    copy.extent = all;
    copy.kind = hipMemcpyDeviceToHost;
    MUST(GOOD(hipMemcpy3D(&copy)));
    for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++) {
        bool inside = i % WIDTH < 10 && i / WIDTH % HEIGHT < 2 && i / WIDTH / HEIGHT < 3;
        MUST(v[i] == (inside ? 8 : 3));
    }
    return GOOD(hipFree(box.ptr));
}

PROGRAM(copies_by_structures)
{
    enum { WIDTH = 64, HEIGHT = 10, PITCH = WIDTH * 4 };
    std::vector<int> from = numbers<int>(WIDTH * HEIGHT, [](size_t i) { return (int)i; }), to(from.size());
    device_array<int> a(from.size());
    hip_Memcpy2D part = {};
    part.srcMemoryType = hipMemoryTypeHost;
    part.srcHost = from.data();
    part.dstMemoryType = hipMemoryTypeDevice;
    part.dstDevice = (hipDeviceptr_t)a.at;
    part.srcPitch = part.dstPitch = PITCH;
    part.srcXInBytes = 8;
    part.srcY = 1;
    part.dstXInBytes = 16;
    part.dstY = 2;
    part.WidthInBytes = 100;
    part.Height = 5;
    MUST(GOOD(hipMemcpyParam2D(&part)));
    HIP_MEMCPY3D whole = {};
    whole.srcMemoryType = hipMemoryTypeDevice;
    whole.srcDevice = (hipDeviceptr_t)a.at;
    whole.dstMemoryType = hipMemoryTypeHost;
    whole.dstHost = to.data();
    whole.srcPitch = whole.dstPitch = whole.WidthInBytes = PITCH;
    whole.srcHeight = whole.dstHeight = whole.Height = HEIGHT;
    whole.Depth = 1;
    MUST(GOOD(hipDrvMemcpy3D(&whole)));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool inside = y >= 2 && y < 7 && x >= 4 && x < 29;
            MUST(to[y * WIDTH + x] == (inside ? (y - 1) * WIDTH + x - 2 : 0));
        }
    return true;
}

PROGRAM(advice_about_managed_memory)
{
    enum { COUNT = 1 << 16, BYTES = COUNT * 4 };
    int *p, value = -1;
    MUST(GOOD(hipMallocManaged((void **)&p, BYTES, hipMemAttachGlobal)));
    for (int i = 0; i < COUNT; i++)
        p[i] = i;
    MUST(GOOD(hipMemAdvise(p, BYTES, hipMemAdviseSetReadMostly, 0)) &&
         GOOD(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, p, BYTES)) && value == 1);
    MUST(GOOD(hipMemAdvise(p, BYTES, hipMemAdviseUnsetReadMostly, 0)));
    MUST(GOOD(hipMemAdvise(p, BYTES, hipMemAdviseSetPreferredLocation, 0)) &&
         GOOD(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributePreferredLocation, p, BYTES)) && value == 0);
    MUST(GOOD(hipMemPrefetchAsync(p, BYTES, 0, 0)) && GOOD(hipDeviceSynchronize()));
    value = -1;
    MUST(GOOD(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeLastPrefetchLocation, p, BYTES)) && value == 0);
    add_value<<<groups(COUNT), 256>>>(p, 1, COUNT);
    MUST(GOOD(hipMemPrefetchAsync(p, BYTES, hipCpuDeviceId, 0)) && GOOD(hipDeviceSynchronize()));
    for (int i = 0; i < COUNT; i++)
        MUST(p[i] == i + 1);
    return GOOD(hipFree(p));
}

// ---- textures ----

__global__ void read_around(hipTextureObject_t texture, float *out)
{
    int x = (int)threadIdx.x % 16 - 4, y = (int)threadIdx.x / 16;
    out[threadIdx.x] = tex2D<float>(texture, (x + .5f) / 8, (y + .5f) / 4);
}
PROGRAM(addresses_outside_of_textures)
{
    enum { WIDTH = 8, HEIGHT = 4, PITCH = WIDTH * 4 };
    std::vector<float> from = numbers<float>(WIDTH * HEIGHT, [](size_t i) { return (float)i + 1; });
    device_array<float> out(64);
    hipChannelFormatDesc is = hipCreateChannelDesc<float>();
    for (hipTextureAddressMode mode :
         {hipAddressModeWrap, hipAddressModeMirror, hipAddressModeClamp, hipAddressModeBorder}) {
        hipArray *array;
        hipResourceDesc resource = {};
        hipTextureDesc how = {};
        hipTextureObject_t texture;
        MUST(GOOD(hipMallocArray(&array, &is, WIDTH, HEIGHT, hipArrayDefault)) &&
             GOOD(hipMemcpy2DToArray(array, 0, 0, from.data(), PITCH, PITCH, HEIGHT, hipMemcpyHostToDevice)));
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = array;
        how.addressMode[0] = how.addressMode[1] = mode;
        how.normalizedCoords = 1;
        MUST(GOOD(hipCreateTextureObject(&texture, &resource, &how, nullptr)));
        read_around<<<1, 64>>>(texture, out);
        std::vector<float> got = out.fetch();
        for (int i = 0; i < 64; i++) {
            int x = i % 16 - 4, y = i / 16, clamped = x < 0 ? 0 : x > 7 ? 7 : x;
            int at = mode == hipAddressModeWrap     ? (x + 8) % 8
                     : mode != hipAddressModeMirror ? clamped
                     : x < 0                        ? -1 - x
                     : x > 7                        ? 15 - x
                                                    : x;
            MUST(got[i] == (mode == hipAddressModeBorder && at != x ? 0 : from[y * WIDTH + at]));
        }
        MUST(GOOD(hipDestroyTextureObject(texture)) && GOOD(hipFreeArray(array)));
    }
    return true;
}

__global__ void read_layers(hipTextureObject_t texture, float *out)
{
    int i = (int)threadIdx.x;
    out[i] = tex2DLayered<float>(texture, i % 4 + .5f, i / 4 % 4 + .5f, i / 16);
}
PROGRAM(layers_of_textures)
{
    hipExtent extent = make_hipExtent(4, 4, 3);
    hipChannelFormatDesc is = hipCreateChannelDesc<float>();
    std::vector<float> from = numbers<float>(48, [](size_t i) { return (float)i * 2; });
    device_array<float> out(48);
    hipArray *array;
    hipMemcpy3DParms copy = {};
    hipResourceDesc resource = {};
    hipTextureDesc how = {};
    hipTextureObject_t texture;
    MUST(GOOD(hipMalloc3DArray(&array, &is, extent, hipArrayLayered)));
    copy.srcPtr = make_hipPitchedPtr(from.data(), 16, 4, 4);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = hipMemcpyHostToDevice;
    MUST(GOOD(hipMemcpy3D(&copy)));
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    MUST(GOOD(hipCreateTextureObject(&texture, &resource, &how, nullptr)));
    read_layers<<<1, 48>>>(texture, out);
    return out.fetch() == from && GOOD(hipDestroyTextureObject(texture)) && GOOD(hipFreeArray(array));
}

// ---- graphs ----

PROGRAM(graph_with_other_arguments)
{
    enum { COUNT = 256, BYTES = COUNT * 4 };
    device_array<int> a(COUNT);
    std::vector<int> from(COUNT, 5), to(COUNT);
    int *p = a.at, value = 3, count = COUNT;
    void *arguments[] = {&p, &value, &count};
    size_t nodes = 0, roots = 0;
    hipGraph_t graph, copy;
    hipGraphNode_t in, add, out;
    hipGraphExec_t ready;
    hipKernelNodeParams kernel = {};
    kernel.func = (void *)add_value;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(COUNT);
    kernel.kernelParams = arguments;
    MUST(GOOD(hipGraphCreate(&graph, 0)));
    MUST(GOOD(hipGraphAddMemcpyNode1D(&in, graph, nullptr, 0, p, from.data(), BYTES, hipMemcpyHostToDevice)) &&
         GOOD(hipGraphAddKernelNode(&add, graph, &in, 1, &kernel)) &&
         GOOD(hipGraphAddMemcpyNode1D(&out, graph, &add, 1, to.data(), p, BYTES, hipMemcpyDeviceToHost)));
    MUST(GOOD(hipGraphGetNodes(graph, nullptr, &nodes)) && nodes == 3);
    MUST(GOOD(hipGraphGetRootNodes(graph, nullptr, &roots)) && roots == 1);
    MUST(GOOD(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0)));
    MUST(GOOD(hipGraphLaunch(ready, 0)) && GOOD(hipDeviceSynchronize()) && to == std::vector<int>(COUNT, 8));
    value = 10;
    MUST(GOOD(hipGraphExecKernelNodeSetParams(ready, add, &kernel)));
    MUST(GOOD(hipGraphLaunch(ready, 0)) && GOOD(hipDeviceSynchronize()) && to == std::vector<int>(COUNT, 15));
    MUST(GOOD(hipGraphClone(&copy, graph)) && GOOD(hipGraphDestroy(graph)) && GOOD(hipGraphExecDestroy(ready)));
    MUST(GOOD(hipGraphInstantiate(&ready, copy, nullptr, nullptr, 0)) && GOOD(hipGraphLaunch(ready, 0)));
    return GOOD(hipDeviceSynchronize()) && to == std::vector<int>(COUNT, 8);
}

// ---- kernels ----

__global__ void sum_of_group(int *out)
{
    __shared__ int numbers_of_group[1024];
    int sum = 0;
    numbers_of_group[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    for (unsigned i = 0; i < blockDim.x; i++)
        sum += numbers_of_group[i];
    out[place()] = sum;
}
PROGRAM(groups_of_odd_sizes)
{
    for (int size : {1, 33, 63, 65, 100, 513, 1000, 1023, 1024}) {
        device_array<int> out(3 * size);
        sum_of_group<<<3, size>>>(out);
        MUST(out.fetch() == std::vector<int>(3 * size, size * (size - 1) / 2));
    }
    return true;
}

PROGRAM_MAIN
