/* SPDX-License-Identifier: MIT */
/* Compares the software GPU with PoCL, which compiles OpenCL for the processor: the time of the same kernels, those of
 * opencl_kernels.cl, from submission to completion on all cores.
 *
 * The software GPU is given what clang makes of them for gfx900, through the HSA API, and PoCL their source. Both
 * compile before they are measured. Arguments: the source, and the code object made of it; with a third one, the time
 * is that of all processors together, which says more on a busy machine. Output: figures as bench.h describes them;
 * without PoCL, the reason why there are none. */
#include "bench/bench.h"
#include "bench/bench_hsa.h"
#include "hsa/hsa.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, FLOATS = 2 << 22 };

struct kernel {
    const char *name;
    uint32_t items, n;
    double ceiling; /* wanted of the time that PoCL takes */
};
static const struct kernel kernels[] = {
    {"fma_loop", 64 * GROUP, 4096, 0.1}, {"mandelbrot", 512 * GROUP, 500, 0.2},     {"nbody", 32 * GROUP, 4096, 0.25},
    {"matmul", 1024 * GROUP, 512, 0.15}, {"vector_add", FLOATS / 2, FLOATS / 2, 3},
};

static float *input, *results[2];
static clockid_t watch = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(watch, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The dispatches of a kernel. Both sides get the same time, of which a host that is slow now and then may spoil a part;
 * the first dispatch may compile, and does not count. */
struct rounds {
    int count;
    double start, best; /* START: when the first one had ended */
};

static bool goes_on(const struct rounds *rounds)
{
    enum { LEAST = 20, SECONDS = 1 };
    return rounds->count < LEAST || bench_clock() < rounds->start + SECONDS;
}

static void add_round(struct rounds *rounds, double seconds)
{
    if (!rounds->count++)
        *rounds = (struct rounds){1, bench_clock(), 1e9};
    else if (seconds < rounds->best)
        rounds->best = seconds;
}

/* OpenCL, as far as it is needed here. Objects are pointers. */

typedef void *object;
static struct {
    int32_t (*get_platforms)(uint32_t, object *, uint32_t *);
    int32_t (*get_platform_info)(object, uint32_t, size_t, void *, size_t *);
    int32_t (*get_devices)(object, uint64_t, uint32_t, object *, uint32_t *);
    object (*create_context)(const intptr_t *, uint32_t, const object *, void *, void *, int32_t *);
    object (*create_queue)(object, object, uint64_t, int32_t *);
    object (*create_program)(object, uint32_t, const char **, const size_t *, int32_t *);
    int32_t (*build_program)(object, uint32_t, const object *, const char *, void *, void *);
    object (*create_kernel)(object, const char *, int32_t *);
    object (*create_buffer)(object, uint64_t, size_t, void *, int32_t *);
    int32_t (*set_argument)(object, uint32_t, size_t, const void *);
    int32_t (*launch)(object, object, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
                      const object *, object *);
    int32_t (*read)(object, object, uint32_t, size_t, size_t, void *, uint32_t, const object *, object *);
    int32_t (*finish)(object);
} cl;
enum { PLATFORM_NAME = 0x0902, MEMORY_READ_WRITE = 1, MEMORY_COPY = 1 << 5 };
static const uint64_t all_devices = 0xFFFFFFFF;

static object context, commands, program, buffers[2];

static bool find_functions(void)
{
    static const char *const names[] = {
        "clGetPlatformIDs",          "clGetPlatformInfo",   "clGetDeviceIDs", "clCreateContext", "clCreateCommandQueue",
        "clCreateProgramWithSource", "clBuildProgram",      "clCreateKernel", "clCreateBuffer",  "clSetKernelArg",
        "clEnqueueNDRangeKernel",    "clEnqueueReadBuffer", "clFinish"};
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *function = library ? dlsym(library, names[i]) : NULL;
        if (!function)
            return false;
        memcpy((char *)&cl + i * sizeof function, &function, sizeof function);
    }
    return true;
}

/* Prepares PoCL; returns why it is not there, or NULL. */
static const char *open_pocl(const char *source)
{
    object platforms[8], device = NULL, platform = NULL;
    uint32_t count = 0, devices = 0;
    int32_t status;
    char name[64];
    if (!find_functions())
        return "there is no libOpenCL.so.1";
    cl.get_platforms(8, platforms, &count);
    for (uint32_t i = 0; i < count && i < 8; i++)
        if (!cl.get_platform_info(platforms[i], PLATFORM_NAME, sizeof name, name, NULL) &&
            !strcmp(name, "Portable Computing Language"))
            platform = platforms[i];
    if (!platform || cl.get_devices(platform, all_devices, 1, &device, &devices) || !devices)
        return "PoCL is not installed";
    context = cl.create_context(NULL, 1, &device, NULL, NULL, &status);
    commands = context ? cl.create_queue(context, device, 0, &status) : NULL;
    program = commands ? cl.create_program(context, 1, &source, NULL, &status) : NULL;
    if (!program || cl.build_program(program, 1, &device, "", NULL, NULL))
        return "PoCL does not compile the kernels";
    buffers[0] = cl.create_buffer(context, MEMORY_READ_WRITE, FLOATS * sizeof(float), NULL, &status);
    buffers[1] = cl.create_buffer(context, MEMORY_READ_WRITE | MEMORY_COPY, FLOATS * sizeof(float), input, &status);
    return buffers[0] && buffers[1] ? NULL : "PoCL has no memory";
}

/* Seconds of the best of several launches; 0 if it fails. */
static double measure_pocl(const struct kernel *kernel)
{
    int32_t status;
    size_t items = kernel->items, group = GROUP;
    object made = cl.create_kernel(program, kernel->name, &status);
    struct rounds rounds = {0};
    if (!made || cl.set_argument(made, 0, sizeof(object), &buffers[0]) ||
        cl.set_argument(made, 1, sizeof(object), &buffers[1]) || cl.set_argument(made, 2, 4, &kernel->n))
        return 0;
    while (goes_on(&rounds)) {
        double start = now();
        if (cl.launch(commands, made, 1, NULL, &items, &group, 0, NULL, NULL) || cl.finish(commands))
            return 0;
        add_round(&rounds, now() - start);
    }
    cl.read(commands, buffers[0], 1, 0, items * sizeof(float), results[1], 0, NULL, NULL);
    return rounds.best;
}

/* HSA */

static hsa_agent_t gpu;
static hsa_queue_t *queue;
static hsa_executable_t executable;
static hsa_signal_t completion;
static char *arguments;

static hsa_status_t find_region(hsa_region_t region, void *found)
{
    hsa_region_segment_t segment;
    uint32_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (segment == HSA_REGION_SEGMENT_GLOBAL && flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        ((hsa_region_t *)found)[0] = region;
    if (segment == HSA_REGION_SEGMENT_GLOBAL && flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED)
        ((hsa_region_t *)found)[1] = region;
    return HSA_STATUS_SUCCESS;
}

static void open_hsa(void *object_data, size_t size)
{
    hsa_code_object_reader_t reader;
    hsa_profile_t profile;
    hsa_region_t regions[2] = {{0}, {0}};
    bench_require(hsa_init(), "hsa_init");
    bench_require(hsa_iterate_agents(bench_find_gpu, &gpu), "agents");
    bench_require(hsa_agent_get_info(gpu, HSA_AGENT_INFO_PROFILE, &profile), "profile");
    bench_require(hsa_agent_iterate_regions(gpu, find_region, regions), "regions");
    bench_require(hsa_memory_allocate(regions[0], 4096, (void **)&arguments), "arguments");
    bench_require(hsa_memory_allocate(regions[1], FLOATS * sizeof(float), (void **)&input), "memory");
    bench_require(hsa_memory_allocate(regions[1], FLOATS * sizeof(float), (void **)&results[0]), "memory");
    bench_require(hsa_code_object_reader_create_from_memory(object_data, size, &reader), "code object");
    bench_require(hsa_executable_create_alt(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable),
                  "executable");
    bench_require(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL), "loading");
    bench_require(hsa_executable_freeze(executable, NULL), "freezing");
    bench_require(hsa_signal_create(1, 0, NULL, &completion), "signal");
    bench_require(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue),
                  "queue");
}

static double dispatch(const struct kernel *kernel, hsa_kernel_dispatch_packet_t *made)
{
    uint32_t header =
        HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE |
        1u << (16 + HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
    hsa_signal_store_relaxed(completion, 1);
    double start = now();
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *packet =
        (hsa_kernel_dispatch_packet_t *)queue->base_address + (index & (queue->size - 1));
    memcpy((char *)packet + 4, (const char *)made + 4, sizeof *packet - 4);
    packet->grid_size_x = kernel->items;
    __atomic_store_n((uint32_t *)(void *)packet, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
    while (hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) >= 1)
        ;
    return now() - start;
}

static double measure_hsa(const struct kernel *kernel)
{
    hsa_executable_symbol_t symbol;
    char name[64];
    uint32_t group_size = 0, private_size = 0;
    hsa_kernel_dispatch_packet_t packet = {
        .workgroup_size_x = GROUP, .workgroup_size_y = 1, .workgroup_size_z = 1, .grid_size_y = 1, .grid_size_z = 1};
    snprintf(name, sizeof name, "%s.kd", kernel->name);
    bench_require(hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol), kernel->name);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &packet.kernel_object);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group_size);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private_size);
    packet.group_segment_size = group_size;
    packet.private_segment_size = private_size;
    packet.kernarg_address = arguments;
    packet.completion_signal = completion;
    memset(arguments, 0, 4096);
    memcpy(arguments, &results[0], 8);
    memcpy(arguments + 8, &input, 8);
    memcpy(arguments + 16, &kernel->n, 4);
    struct rounds rounds = {0};
    while (goes_on(&rounds))
        add_round(&rounds, dispatch(kernel, &packet));
    return rounds.best;
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    if (file && !fseek(file, 0, SEEK_END)) {
        *size = (size_t)ftell(file);
        rewind(file);
        data = calloc(1, *size + 1);
        if (data && fread(data, 1, *size, file) != *size)
            data = NULL;
    }
    if (file)
        fclose(file);
    if (!data)
        fprintf(stderr, "%s cannot be read\n", path);
    return data;
}

static void compare_results(const struct kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->items; i++) {
        double a = (double)results[0][i], b = (double)results[1][i];
        if (fabs(a - b) > 1e-3 * fabs(a) + 1e-3) {
            printf("opencl, %s: item %u: %g here, %g with PoCL\n", kernel->name, i, a, b);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    const char *directory = getenv("srcdir");
    char path[4096], name[96];
    size_t source_size, size;
    snprintf(path, sizeof path, "%s/bench/opencl_kernels.cl", directory ? directory : ".");
    char *source = read_file(argc > 2 ? argv[1] : path, &source_size);
    void *code = read_file(argc > 2 ? argv[2] : "bench/opencl_kernels.co", &size);
    if (!source || !code)
        return 1;
    setenv("HSA_GCN_JIT", "now", 0);
    if (argc > 3)
        watch = CLOCK_PROCESS_CPUTIME_ID;
    open_hsa(code, size);
    results[1] = malloc(FLOATS * sizeof(float));
    for (uint32_t i = 0; i < FLOATS; i++)
        input[i] = (float)(i * 2654435761u >> 8) * 0x1p-24f;
    const char *missing = results[1] ? open_pocl(source) : "memory has run out";
    if (missing) {
        printf("opencl_bench: no comparison: %s\n", missing);
        return 0;
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        double theirs = measure_pocl(&kernels[i]), ours = measure_hsa(&kernels[i]);
        if (!(theirs > 0)) {
            printf("opencl, %s: PoCL fails\n", kernels[i].name);
            continue;
        }
        compare_results(&kernels[i]);
        snprintf(name, sizeof name, "opencl, %s, PoCL", kernels[i].name);
        bench_figure(name, theirs * 1e3, "ms");
        snprintf(name, sizeof name, "opencl, %s, software GPU", kernels[i].name);
        bench_figure(name, ours * 1e3, "ms");
        snprintf(name, sizeof name, "opencl, %s, time over that of PoCL", kernels[i].name);
        bench_at_most(name, ours / theirs, "x", kernels[i].ceiling);
    }
    return 0;
}
