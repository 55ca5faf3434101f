// SPDX-License-Identifier: MIT
// HIP programs that use the interface of the host: each uses one feature, and expects what HIP's documentation says
// about it.
#include "small_program.hpp"

#include <atomic>
#include <hip/hiprtc.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

enum { N = 4096 };

__global__ void add_to(int *data, int by)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

__global__ void copy_int(const int *from, int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

static bool all_are(const std::vector<int> &v, int value)
{
    for (int x : v)
        if (x != value)
            return false;
    return true;
}

PROGRAM(graph_by_hand)
{
    device_array<int> a(N), b(N);
    std::vector<int> out(N);
    hipGraph_t graph;
    hipGraphExec_t executable;
    hipGraphNode_t set, kernel, copy;
    hipMemsetParams fill = {};
    fill.dst = a.at, fill.elementSize = 4, fill.width = N, fill.height = 1, fill.value = 5;
    int by = 4, *at = a.at;
    void *arguments[] = {&at, &by};
    hipKernelNodeParams launch = {};
    launch.func = (void *)add_to, launch.gridDim = dim3(N / 64), launch.blockDim = dim3(64);
    launch.kernelParams = arguments;
    MUST(GOOD(hipGraphCreate(&graph, 0)) && GOOD(hipGraphAddMemsetNode(&set, graph, nullptr, 0, &fill)) &&
         GOOD(hipGraphAddKernelNode(&kernel, graph, &set, 1, &launch)) &&
         GOOD(hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out.data(), a.at, N * 4, hipMemcpyDeviceToHost)));
    size_t nodes = 0;
    MUST(GOOD(hipGraphGetNodes(graph, nullptr, &nodes)) && nodes == 3);
    MUST(GOOD(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0)));
    for (int i = 0; i < 3; i++)
        MUST(GOOD(hipGraphLaunch(executable, 0)) && GOOD(hipStreamSynchronize(0)) && all_are(out, 9));
    return GOOD(hipGraphExecDestroy(executable)) && GOOD(hipGraphDestroy(graph));
}

PROGRAM(graph_by_capture)
{
    device_array<int> a(N);
    hipStream_t stream;
    hipGraph_t graph;
    hipGraphExec_t executable;
    MUST(GOOD(hipStreamCreate(&stream)) && GOOD(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal)));
    add_to<<<N / 64, 64, 0, stream>>>(a.at, 1);
    add_to<<<N / 64, 64, 0, stream>>>(a.at, 10);
    MUST(GOOD(hipStreamEndCapture(stream, &graph)) && GOOD(hipDeviceSynchronize()) && all_are(a.fetch(), 0));
    MUST(GOOD(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0)));
    for (int i = 0; i < 5; i++)
        MUST(GOOD(hipGraphLaunch(executable, stream)));
    return GOOD(hipStreamSynchronize(stream)) && all_are(a.fetch(), 55);
}

PROGRAM(streams_in_order)
{
    enum { STREAMS = 4 };
    hipStream_t streams[STREAMS];
    std::vector<device_array<int> *> arrays;
    for (auto &s : streams)
        MUST(GOOD(hipStreamCreateWithFlags(&s, hipStreamNonBlocking)));
    for (int i = 0; i < STREAMS; i++)
        arrays.push_back(new device_array<int>(N));
    MUST(GOOD(hipDeviceSynchronize()));
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < STREAMS; i++)
            add_to<<<N / 64, 64, 0, streams[i]>>>(arrays[i]->at, i + 1);
    for (int i = 0; i < STREAMS; i++)
        MUST(GOOD(hipStreamSynchronize(streams[i])) && hipStreamQuery(streams[i]) == hipSuccess &&
             all_are(arrays[i]->fetch(), 20 * (i + 1)) && GOOD(hipStreamDestroy(streams[i])));
    return true;
}

PROGRAM(streams_wait_for_events)
{
    device_array<int> a(N), b(N);
    hipStream_t one, two;
    hipEvent_t event;
    MUST(GOOD(hipStreamCreate(&one)) && GOOD(hipStreamCreate(&two)) &&
         GOOD(hipEventCreateWithFlags(&event, hipEventDisableTiming)));
    for (int i = 0; i < 10; i++) {
        add_to<<<N / 64, 64, 0, one>>>(a.at, 1);
        MUST(GOOD(hipEventRecord(event, one)) && GOOD(hipStreamWaitEvent(two, event, 0)));
        copy_int<<<N / 64, 64, 0, two>>>(a.at, b.at);
        MUST(GOOD(hipEventRecord(event, two)) && GOOD(hipStreamWaitEvent(one, event, 0)));
    }
    return GOOD(hipDeviceSynchronize()) && all_are(b.fetch(), 10) && hipEventQuery(event) == hipSuccess;
}

PROGRAM(events_measure_time)
{
    device_array<int> a(N);
    hipEvent_t begin, middle, end;
    float first = -1, second = -1, both = -1;
    MUST(GOOD(hipEventCreate(&begin)) && GOOD(hipEventCreate(&middle)) && GOOD(hipEventCreate(&end)));
    MUST(GOOD(hipEventRecord(begin)));
    add_to<<<N / 64, 64>>>(a.at, 1);
    MUST(GOOD(hipEventRecord(middle)));
    for (int i = 0; i < 50; i++)
        add_to<<<N / 64, 64>>>(a.at, 1);
    MUST(GOOD(hipEventRecord(end)) && GOOD(hipEventSynchronize(end)));
    MUST(GOOD(hipEventElapsedTime(&first, begin, middle)) && GOOD(hipEventElapsedTime(&second, middle, end)) &&
         GOOD(hipEventElapsedTime(&both, begin, end)));
    return first >= 0 && second > 0 && both >= second && both < 60000;
}

static std::atomic<int> called;
static void callback(hipStream_t, hipError_t status, void *data)
{
    called += status == hipSuccess ? *(int *)data : 0;
}

PROGRAM(stream_callbacks)
{
    device_array<int> a(N);
    int value = 7;
    hipStream_t stream;
    MUST(GOOD(hipStreamCreate(&stream)));
    add_to<<<N / 64, 64, 0, stream>>>(a.at, 1);
    MUST(GOOD(hipStreamAddCallback(stream, callback, &value, 0)) && GOOD(hipStreamSynchronize(stream)));
    for (int i = 0; i < 2000 && !called; i++)
        usleep(1000);
    return called == 7;
}

PROGRAM(stream_priorities)
{
    int least = 1, greatest = 1, got = 99;
    hipStream_t stream;
    MUST(GOOD(hipDeviceGetStreamPriorityRange(&least, &greatest)) && greatest <= least);
    MUST(GOOD(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest)) &&
         GOOD(hipStreamGetPriority(stream, &got)) && got == greatest);
    device_array<int> a(N);
    MUST(GOOD(hipDeviceSynchronize()));
    add_to<<<N / 64, 64, 0, stream>>>(a.at, 3);
    return GOOD(hipStreamSynchronize(stream)) && all_are(a.fetch(), 3);
}

PROGRAM(stream_compute_units)
{
    uint32_t mask = 1, got[4] = {};
    hipStream_t stream;
    device_array<int> a(N);
    MUST(GOOD(hipExtStreamCreateWithCUMask(&stream, 1, &mask)) && GOOD(hipExtStreamGetCUMask(stream, 4, got)) &&
         got[0] == 1);
    MUST(GOOD(hipDeviceSynchronize()));
    add_to<<<N / 64, 64, 0, stream>>>(a.at, 3);
    return GOOD(hipStreamSynchronize(stream)) && all_are(a.fetch(), 3);
}

PROGRAM(values_in_streams)
{
    int may = 0;
    (void)hipDeviceGetAttribute(&may, hipDeviceAttributeCanUseStreamWaitValue, 0);
    if (!may)
        return skip_program("HIP says that streams cannot wait for values");
    hipStream_t one, two;
    int *flag;
    device_array<int> a(N);
    MUST(GOOD(hipStreamCreateWithFlags(&one, hipStreamNonBlocking)) &&
         GOOD(hipStreamCreateWithFlags(&two, hipStreamNonBlocking)) &&
         GOOD(hipExtMallocWithFlags((void **)&flag, 8, hipMallocSignalMemory)) && GOOD(hipDeviceSynchronize()));
    *flag = 0;
    MUST(GOOD(hipStreamWaitValue32(one, flag, 5, hipStreamWaitValueEq, 0xffffffff)));
    add_to<<<N / 64, 64, 0, one>>>(a.at, 1);
    usleep(20000);
    MUST(hipStreamQuery(one) == hipErrorNotReady);
    MUST(GOOD(hipStreamWriteValue32(two, flag, 5, 0)) && GOOD(hipStreamSynchronize(two)));
    return GOOD(hipStreamSynchronize(one)) && all_are(a.fetch(), 1);
}

static const char *const source =
    "extern \"C\" __device__ int offset = 100;\n"
    "template <typename T> __global__ void scale(T *data, T by)\n"
    "{ data[threadIdx.x] = data[threadIdx.x] * by + (T)offset + EXTRA; }\n";

PROGRAM(compiled_at_run_time)
{
    hiprtcProgram program;
    const char *options[] = {"--gpu-architecture=gfx900", "-DEXTRA=3"};
    MUST(hiprtcCreateProgram(&program, source, "scale.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS &&
         hiprtcAddNameExpression(program, "scale<float>") == HIPRTC_SUCCESS &&
         hiprtcCompileProgram(program, 2, options) == HIPRTC_SUCCESS);
    const char *name = nullptr;
    size_t size = 0, bytes = 0;
    MUST(hiprtcGetLoweredName(program, "scale<float>", &name) == HIPRTC_SUCCESS &&
         hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> code(size);
    MUST(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
    hipModule_t module;
    hipFunction_t function;
    hipDeviceptr_t offset;
    MUST(GOOD(hipModuleLoadData(&module, code.data())) && GOOD(hipModuleGetFunction(&function, module, name)) &&
         GOOD(hipModuleGetGlobal(&offset, &bytes, module, "offset")) && bytes == 4);
    int value = 20;
    MUST(GOOD(hipMemcpyHtoD(offset, &value, 4)));
    device_array<float> a(std::vector<float>(64, 2.f));
    struct {
        float *data;
        float by;
    } arguments = {a.at, 10};
    size_t length = sizeof arguments;
    void *config[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &length,
                      HIP_LAUNCH_PARAM_END};
    MUST(GOOD(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, nullptr, config)));
    return a.fetch() == std::vector<float>(64, 43.f) && GOOD(hipModuleUnload(module)) &&
           hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS;
}

PROGRAM(compile_errors)
{
    hiprtcProgram program;
    size_t size = 0;
    MUST(hiprtcCreateProgram(&program, "__global__ void k() { nonsense }", "k.cu", 0, nullptr, nullptr) == 0 &&
         hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION &&
         hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> log(size + 1);
    MUST(hiprtcGetProgramLog(program, log.data()) == HIPRTC_SUCCESS);
    return strstr(log.data(), "nonsense");
}

__device__ int variable[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void use_variable()
{
    variable[threadIdx.x] *= 2;
}
PROGRAM(device_variables)
{
    int values[8];
    size_t size = 0;
    void *at = nullptr;
    use_variable<<<1, 8>>>();
    MUST(GOOD(hipMemcpyFromSymbol(values, HIP_SYMBOL(variable), sizeof values)) && values[7] == 16);
    MUST(GOOD(hipGetSymbolSize(&size, HIP_SYMBOL(variable))) && size == 32);
    MUST(GOOD(hipGetSymbolAddress(&at, HIP_SYMBOL(variable))) && GOOD(hipMemset(at, 0, 32)));
    MUST(GOOD(hipMemcpyToSymbol(HIP_SYMBOL(variable), values, 4, 12)));
    return GOOD(hipMemcpy(values, at, 32, hipMemcpyDefault)) && values[3] == 2 && !values[2] && !values[4];
}

PROGRAM(managed_memory)
{
    int *data;
    MUST(GOOD(hipMallocManaged((void **)&data, N * 4)));
    for (int i = 0; i < N; i++)
        data[i] = i;
    add_to<<<N / 64, 64>>>(data, 5);
    MUST(GOOD(hipDeviceSynchronize()));
    for (int i = 0; i < N; i++)
        MUST(data[i] == i + 5);
    (void)hipMemAdvise(data, N * 4, hipMemAdviseSetReadMostly, 0);
    MUST(GOOD(hipMemPrefetchAsync(data, N * 4, 0, 0)) && GOOD(hipDeviceSynchronize()));
    return GOOD(hipFree(data));
}

PROGRAM(registered_memory)
{
    std::vector<int> memory(N, 3);
    int *device;
    MUST(GOOD(hipHostRegister(memory.data(), N * 4, hipHostRegisterMapped)) &&
         GOOD(hipHostGetDevicePointer((void **)&device, memory.data(), 0)));
    add_to<<<N / 64, 64>>>(device, 4);
    return GOOD(hipDeviceSynchronize()) && all_are(memory, 7);
}

PROGRAM(pointer_attributes)
{
    int *device, *host, plain;
    hipPointerAttribute_t is = {};
    MUST(GOOD(hipMalloc((void **)&device, 64)) && GOOD(hipHostMalloc((void **)&host, 64, 0)));
    MUST(GOOD(hipPointerGetAttributes(&is, device)) && is.memoryType == hipMemoryTypeDevice && is.device == 0);
    MUST(GOOD(hipPointerGetAttributes(&is, host)) && is.memoryType == hipMemoryTypeHost);
    MUST(hipPointerGetAttributes(&is, &plain) == hipErrorInvalidValue);
    hipDeviceptr_t base;
    size_t size = 0;
    MUST(GOOD(hipMemGetAddressRange(&base, &size, (char *)device + 8)) && base == device && size == 64);
    return GOOD(hipFree(device)) && GOOD(hipHostFree(host));
}

PROGRAM(memory_sizes)
{
    size_t before = 0, after = 0, total = 0;
    void *p;
    MUST(GOOD(hipMemGetInfo(&before, &total)) && before <= total && total > 0);
    MUST(GOOD(hipMalloc(&p, 8 << 20)) && GOOD(hipMemGetInfo(&after, &total)) && after <= before);
    MUST(GOOD(hipFree(p)) && hipMalloc(&p, (size_t)1 << 60) == hipErrorOutOfMemory);
    return GOOD(hipMalloc(&p, 0)) && !p;
}

PROGRAM(memory_in_stream_order)
{
    int *p;
    hipStream_t stream;
    std::vector<int> out(N);
    MUST(GOOD(hipStreamCreate(&stream)));
    if (hipMallocAsync((void **)&p, N * 4, stream) == hipErrorNotSupported)
        return skip_program("HIP says that the kernel driver has no memory pools");
    MUST(GOOD(hipMemsetAsync(p, 0, N * 4, stream)));
    add_to<<<N / 64, 64, 0, stream>>>(p, 8);
    MUST(GOOD(hipMemcpyAsync(out.data(), p, N * 4, hipMemcpyDeviceToHost, stream)) && GOOD(hipFreeAsync(p, stream)));
    return GOOD(hipStreamSynchronize(stream)) && all_are(out, 8);
}

__global__ void read_linear(hipTextureObject_t texture, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x * 3);
}
PROGRAM(linear_textures)
{
    device_array<int> a(numbers<int>(300, [](size_t i) { return (int)i * 5; })), b(100);
    hipResourceDesc resource = {};
    hipTextureDesc how = {};
    hipTextureObject_t texture;
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = a.at;
    resource.res.linear.desc = hipCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 1200;
    how.readMode = hipReadModeElementType;
    MUST(GOOD(hipCreateTextureObject(&texture, &resource, &how, nullptr)));
    read_linear<<<1, 100>>>(texture, b.at);
    auto got = b.fetch();
    for (int i = 0; i < 100; i++)
        MUST(got[i] == i * 15);
    return GOOD(hipDestroyTextureObject(texture));
}

__global__ void draw(hipSurfaceObject_t surface)
{
    surf2Dwrite((float)(threadIdx.x + 100 * blockIdx.x), surface, threadIdx.x * 4, blockIdx.x);
}
PROGRAM(surfaces)
{
    enum { W = 20, H = 7 };
    hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    hipArray *array;
    hipResourceDesc resource = {};
    hipSurfaceObject_t surface;
    MUST(GOOD(hipMallocArray(&array, &format, W, H, 0)));
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    MUST(GOOD(hipCreateSurfaceObject(&surface, &resource)));
    draw<<<H, W>>>(surface);
    float out[H][W];
    MUST(GOOD(hipMemcpy2DFromArray(out, W * 4, array, 0, 0, W * 4, H, hipMemcpyDeviceToHost)));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            MUST(out[y][x] == x + 100 * y);
    return GOOD(hipDestroySurfaceObject(surface)) && GOOD(hipFreeArray(array));
}

PROGRAM(copies_between_devices)
{
    int count = 0, may = 0;
    MUST(GOOD(hipGetDeviceCount(&count)) && count == 2 && GOOD(hipDeviceCanAccessPeer(&may, 0, 1)));
    device_array<int> a(std::vector<int>(N, 11));
    MUST(GOOD(hipSetDevice(1)));
    device_array<int> b(N);
    MUST(GOOD(hipMemcpyPeer(b.at, 1, a.at, 0, N * 4)));
    if (may)
        MUST(GOOD(hipDeviceEnablePeerAccess(0, 0)) &&
             hipDeviceEnablePeerAccess(0, 0) == hipErrorPeerAccessAlreadyEnabled);
    add_to<<<N / 64, 64>>>(b.at, 1);
    MUST(all_are(b.fetch(), 12));
    if (may) { // a kernel of one device reads the memory of the other
        copy_int<<<N / 64, 64>>>(a.at, b.at);
        MUST(all_are(b.fetch(), 11) && GOOD(hipDeviceDisablePeerAccess(0)));
    }
    return true;
}

PROGRAM(devices)
{
    int count = 0, device = -1, value = 0;
    hipDeviceProp_t is;
    MUST(GOOD(hipGetDeviceCount(&count)) && count == 2 && hipSetDevice(2) == hipErrorInvalidDevice);
    for (int i = 0; i < count; i++) {
        MUST(GOOD(hipSetDevice(i)) && GOOD(hipGetDevice(&device)) && device == i);
        MUST(GOOD(hipGetDeviceProperties(&is, i)) && is.warpSize == 64 && is.maxThreadsPerBlock == 1024 &&
             is.sharedMemPerBlock == 65536 && is.multiProcessorCount > 0 && !strncmp(is.gcnArchName, "gfx9", 4));
        MUST(GOOD(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, i)) && value == 64);
        char id[32] = "";
        int back = -1;
        MUST(GOOD(hipDeviceGetPCIBusId(id, sizeof id, i)) && GOOD(hipDeviceGetByPCIBusId(&back, id)) && back == i);
    }
    return hipGetDeviceProperties(&is, 9) == hipErrorInvalidDevice;
}

PROGRAM(occupancy)
{
    int blocks = 0, size = 0, grid = 0;
    hipFuncAttributes is;
    MUST(GOOD(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_to, 256, 0)) && blocks > 0);
    MUST(GOOD(hipOccupancyMaxPotentialBlockSize(&grid, &size, add_to, 0, 0)) && grid > 0 && size > 0 && size <= 1024);
    return GOOD(hipFuncGetAttributes(&is, (const void *)add_to)) && is.maxThreadsPerBlock > 0 && is.numRegs > 0;
}

PROGRAM(errors_of_launches)
{
    device_array<int> a(N);
    add_to<<<1, 2048>>>(a.at, 1);
    hipError_t peeked = hipPeekAtLastError(), first = hipGetLastError(), second = hipGetLastError();
    MUST(peeked != hipSuccess && first == peeked && second == hipSuccess);
    add_to<<<1, 64, 1 << 20>>>(a.at, 1);
    MUST(hipGetLastError() != hipSuccess);
    add_to<<<N / 64, 64>>>(a.at, 1);
    return GOOD(hipGetLastError()) && all_are(a.fetch(), 1) &&
           !strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory") &&
           *hipGetErrorString(hipErrorInvalidValue);
}

PROGRAM(errors_of_arguments)
{
    device_array<int> a(N);
    int host[4];
    MUST(hipMalloc(nullptr, 4) == hipErrorInvalidValue &&
         hipMemcpy(a.at, nullptr, 4, hipMemcpyHostToDevice) != hipSuccess &&
         hipMemset(nullptr, 0, 4) == hipErrorInvalidValue);
    MUST(hipFree(host) == hipErrorInvalidValue && hipEventCreate(nullptr) == hipErrorInvalidValue &&
         hipStreamCreate(nullptr) == hipErrorInvalidValue && hipEventDestroy(nullptr) != hipSuccess);
    hipModule_t module;
    hipFunction_t function;
    MUST(hipModuleLoad(&module, "/nonexistent") == hipErrorFileNotFound &&
         hipModuleGetFunction(&function, nullptr, "x") != hipSuccess && hipSetDevice(-1) == hipErrorInvalidDevice);
    return GOOD(hipMemcpy(a.at, host, 0, hipMemcpyHostToDevice));
}

PROGRAM(threads_of_the_host)
{
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; t++)
        threads.emplace_back([t, &good] {
            hipStream_t stream;
            device_array<int> a(N);
            bool right = GOOD(hipStreamCreate(&stream)) && GOOD(hipDeviceSynchronize());
            for (int i = 0; i < 20; i++)
                add_to<<<N / 64, 64, 0, stream>>>(a.at, t);
            good += right && GOOD(hipStreamSynchronize(stream)) && all_are(a.fetch(), 20 * t);
        });
    for (auto &t : threads)
        t.join();
    return good == 6;
}

__global__ void say(int x)
{
    printf("lane %d of %s: %.2f\n", (int)threadIdx.x, "grid", x * 0.5 + threadIdx.x);
}
PROGRAM(printing)
{
    int pipes[2];
    char text[200] = "";
    MUST(!pipe(pipes));
    fflush(stdout);
    int out = dup(1);
    dup2(pipes[1], 1);
    say<<<1, 2>>>(3);
    bool good = GOOD(hipDeviceSynchronize());
    fflush(stdout);
    dup2(out, 1);
    close(pipes[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(pipes[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)n;
    return good && !strcmp(text, "lane 0 of grid: 1.50\nlane 1 of grid: 2.50\n");
}

__global__ void check_positive(const int *data)
{
    if (data[threadIdx.x] <= 0)
        __builtin_trap();
}
// Runs one of the programs of this file as a process with an argument; returns its wait status.
static int run_other(const char *name, const char *argument)
{
    pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(9);
        execl("/proc/self/exe", "program", name, argument, (char *)nullptr);
        _exit(9);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}
PROGRAM(traps)
{
    if (*program_arguments) {
        device_array<int> a(64);
        check_positive<<<1, 64>>>(a.at);
        return GOOD(hipDeviceSynchronize()); // HIP ends the process
    }
    int status = run_other("traps", "inside");
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

__global__ void write_far(int *data)
{
    data[(size_t)1 << 44] = 1;
}
PROGRAM(faults)
{
    if (*program_arguments) {
        device_array<int> a(64);
        write_far<<<1, 1>>>(a.at);
        return GOOD(hipDeviceSynchronize());
    }
    int status = run_other("faults", "inside");
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

template <typename T> static std::string to_hex(const T &object)
{
    std::string text;
    char byte[3];
    for (size_t i = 0; i < sizeof object; i++) {
        snprintf(byte, sizeof byte, "%02x", ((const unsigned char *)&object)[i]);
        text += byte;
    }
    return text;
}
template <typename T> static T from_hex(const char *text)
{
    T object;
    for (size_t i = 0; i < sizeof object; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        ((unsigned char *)&object)[i] = (unsigned char)byte;
    }
    return object;
}

PROGRAM(memory_of_other_processes)
{
    hipIpcMemHandle_t handle;
    if (*program_arguments) {
        int *data;
        handle = from_hex<hipIpcMemHandle_t>(*program_arguments);
        MUST(GOOD(hipIpcOpenMemHandle((void **)&data, handle, hipIpcMemLazyEnablePeerAccess)));
        add_to<<<N / 64, 64>>>(data, 20);
        return GOOD(hipDeviceSynchronize()) && GOOD(hipIpcCloseMemHandle(data));
    }
    device_array<int> a(std::vector<int>(N, 3));
    MUST(GOOD(hipIpcGetMemHandle(&handle, a.at)));
    return run_other("memory_of_other_processes", to_hex(handle).c_str()) == 0 && all_are(a.fetch(), 23);
}

// Removes the two files that HIP made for an event of several processes. It never removes them itself; the handle
// begins with the name of the shared memory, which ends like that of the other file.
static void remove_files(const hipIpcEventHandle_t &handle)
{
    static const char shared[] = "/hip_event";
    char name[sizeof handle + 1] = "";
    memcpy(name, &handle, sizeof handle);
    if (strncmp(name, shared, sizeof shared - 1) != 0 || strchr(name + 1, '/'))
        return;
    shm_unlink(name);
    unlink((std::string("/tmp/event") + (name + sizeof shared - 1)).c_str());
}

PROGRAM(events_of_other_processes)
{
    hipIpcEventHandle_t handle;
    hipEvent_t event;
    if (*program_arguments) {
        handle = from_hex<hipIpcEventHandle_t>(*program_arguments);
        MUST(GOOD(hipIpcOpenEventHandle(&event, handle)));
        return GOOD(hipEventSynchronize(event)) && GOOD(hipEventQuery(event));
    }
    device_array<int> a(N);
    MUST(GOOD(hipEventCreateWithFlags(&event, hipEventDisableTiming | hipEventInterprocess)) &&
         GOOD(hipIpcGetEventHandle(&handle, event)));
    add_to<<<N / 64, 64>>>(a.at, 1);
    MUST(GOOD(hipEventRecord(event, 0)));
    bool good = run_other("events_of_other_processes", to_hex(handle).c_str()) == 0 && GOOD(hipEventSynchronize(event));
    remove_files(handle);
    return good;
}

PROGRAM(reset)
{
    int *p;
    MUST(GOOD(hipMalloc((void **)&p, 4096)) && GOOD(hipDeviceReset()));
    device_array<int> a(N);
    add_to<<<N / 64, 64>>>(a.at, 6);
    return all_are(a.fetch(), 6);
}

PROGRAM(large_copies)
{
    enum { BYTES = 32 << 20 };
    std::vector<unsigned char> in(BYTES), out(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        in[i] = (unsigned char)(i * 2654435761u >> 24);
    device_array<unsigned char> a(BYTES), b(BYTES);
    unsigned char *pinned;
    MUST(GOOD(hipHostMalloc((void **)&pinned, BYTES, 0)));
    MUST(GOOD(hipMemcpyAsync(a.at, in.data(), BYTES, hipMemcpyHostToDevice, 0)) &&
         GOOD(hipMemcpyAsync(b.at, a.at, BYTES, hipMemcpyDeviceToDevice, 0)) &&
         GOOD(hipMemcpyAsync(pinned, b.at, BYTES, hipMemcpyDeviceToHost, 0)) && GOOD(hipStreamSynchronize(0)));
    MUST(GOOD(hipMemcpy(out.data(), b.at, BYTES, hipMemcpyDeviceToHost)));
    return out == in && !memcmp(pinned, in.data(), BYTES) && GOOD(hipHostFree(pinned));
}

PROGRAM_MAIN
