/* SPDX-License-Identifier: MIT */
/* dispatch: runs one kernel, from HSAIL text to verified results, through public interfaces only. It is made to be
 * copied: each step is a function of its own, in the order in which a program needs them.
 *
 *     cc dispatch.c -o dispatch $(pkg-config --cflags --libs hsail hsa-runtime64)
 *     ./dispatch vector_copy.hsail
 *
 * The file holds a kernel &vector_copy with two kernel arguments, the addresses of input and output, that copies the
 * 32-bit element of its work-item. */
#include <hsa/hsa.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsail/hsail.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL "&vector_copy"
#define WORK_ITEMS (1u << 20)
#define WORK_GROUP 256

/* What the kernel's arguments look like in memory: in the order of their declaration, each aligned to its size. */
struct kernel_arguments {
    const uint32_t *in;
    uint32_t *out;
};

/* ---- Messages and the report ----------------------------------------------------------------------------- */

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "dispatch: %s: %s\n", what, why);
    exit(1);
}

/* Goes on only when an HSA call has succeeded. */
static void require(hsa_status_t status, const char *what)
{
    const char *text = "unknown status";
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return;
    hsa_status_string(status, &text);
    fail(what, text);
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Writes 1048576 as "1,048,576", into one of a few static buffers. */
static const char *grouped(unsigned long long number)
{
    static char buffers[4][32];
    static unsigned next;
    char *end = buffers[next++ % 4] + 31, *text = end;
    *text = 0;
    for (int digits = 0; number || !digits; digits++, number /= 10) {
        if (digits && digits % 3 == 0)
            *--text = ',';
        *--text = (char)('0' + number % 10);
    }
    return text;
}

/* Prints one line of the report. *SINCE is the time at which the stage began, and becomes that of the next stage. */
static void report(const char *stage, const char *result, size_t size, double *since)
{
    double now = milliseconds();
    char bytes[48] = "";
    if (size)
        snprintf(bytes, sizeof bytes, "%s bytes", grouped(size));
    printf("  %-10s %-32s %18s %10.2f ms\n", stage, result, bytes, now - *since);
    *since = milliseconds();
}

/* ---- 1. From text to BRIG: libhsail ---------------------------------------------------------------------- */

static char *read_text(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        fail(name, "cannot be opened");
    char *text = NULL;
    *size = 0;
    for (size_t capacity = 0, got = 1; got;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 4096;
            if (!(text = realloc(text, capacity)))
                fail(name, "out of memory");
        }
        got = fread(text + *size, 1, capacity - *size, file);
        *size += got;
    }
    if (ferror(file))
        fail(name, "cannot be read");
    fclose(file);
    return text;
}

static int print_piece(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) != size;
}

static void print_diagnostic(void *file, const hsail_diagnostic_t *diagnostic)
{
    hsail_diagnostic_print(diagnostic, HSAIL_PRINT_TEXT, print_piece, file);
}

static hsail_module_t *assemble(const char *name, double *since)
{
    size_t size;
    char *text = read_text(name, &size);
    hsail_context_t *context;
    hsail_module_t *module;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        fail(name, "out of memory");
    hsail_context_set_diagnostics(context, print_diagnostic, stderr);
    report("read", "HSAIL text", size, since);

    // Without the flag, hsail_assemble() validates too; here it is a step of its own, so that both are timed.
    hsail_status_t status = hsail_assemble(context, name, text, size, HSAIL_NO_VALIDATION, &module);
    if (status != HSAIL_STATUS_OK)
        fail(name, hsail_status_text(status));
    report("assemble", "BRIG", hsail_module_size(module), since);
    status = hsail_module_validate(context, name, module);
    if (status != HSAIL_STATUS_OK)
        fail(name, hsail_status_text(status));
    report("validate", "no errors", 0, since);
    hsail_context_destroy(context);
    free(text);
    return module;
}

/* ---- 2. An agent that runs kernels, and its memory ------------------------------------------------------- */

static hsa_status_t consider_agent(hsa_agent_t agent, void *found)
{
    hsa_agent_feature_t features = 0;
    hsa_device_type_t device = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_FEATURE, &features);
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &device);
    if (!(features & HSA_AGENT_FEATURE_KERNEL_DISPATCH) || device != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)found = agent;
    return HSA_STATUS_INFO_BREAK;
}

static hsa_agent_t find_agent(void)
{
    hsa_agent_t agent = {0};
    require(hsa_iterate_agents(consider_agent, &agent), "looking for an agent");
    if (!agent.handle)
        fail("looking for an agent", "none runs kernels");
    return agent;
}

/* Regions of global memory: one that kernel arguments can be in, one that host and kernels share for data. */
struct regions {
    hsa_region_t kernarg, data;
};

static hsa_status_t consider_region(hsa_region_t region, void *found)
{
    struct regions *regions = found;
    hsa_region_segment_t segment = HSA_REGION_SEGMENT_GROUP;
    uint32_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    if (segment != HSA_REGION_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if ((flags & HSA_REGION_GLOBAL_FLAG_KERNARG) && !regions->kernarg.handle)
        regions->kernarg = region;
    if ((flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) && !regions->data.handle)
        regions->data = region;
    return HSA_STATUS_SUCCESS;
}

static struct regions find_regions(hsa_agent_t agent)
{
    struct regions regions = {{0}, {0}};
    require(hsa_agent_iterate_regions(agent, consider_region, &regions), "looking for memory");
    if (!regions.kernarg.handle || !regions.data.handle)
        fail("looking for memory", "the agent shares none with the host");
    return regions;
}

static void *allocate(hsa_region_t region, size_t size)
{
    void *memory = NULL;
    require(hsa_memory_allocate(region, size, &memory), "allocating memory");
    return memory;
}

/* ---- 3. From BRIG to machine code: the finalization extension -------------------------------------------- */

static hsa_code_object_t finalize(hsa_agent_t agent, hsa_ext_module_t brig)
{
    hsa_ext_finalizer_1_00_pfn_t finalizer;
    hsa_ext_program_t program;
    hsa_code_object_t code_object;
    hsa_ext_control_directives_t directives;
    hsa_isa_t isa;
    hsa_profile_t profile;
    hsa_machine_model_t model;
    memset(&directives, 0, sizeof directives); // none: the kernel's own are used
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa), "asking the agent");
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_PROFILE, &profile), "asking the agent");
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_MACHINE_MODEL, &model), "asking the agent");
    require(hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof finalizer, &finalizer),
            "loading the finalizer");
    require(finalizer.hsa_ext_program_create(model, profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &program),
            "creating a program");
    require(finalizer.hsa_ext_program_add_module(program, brig), "adding the module");
    require(finalizer.hsa_ext_program_finalize(program, isa, HSA_EXT_FINALIZER_CALL_CONVENTION_AUTO, directives, NULL,
                                               HSA_CODE_OBJECT_TYPE_PROGRAM, &code_object),
            "finalizing");
    require(finalizer.hsa_ext_program_destroy(program), "destroying the program");
    return code_object;
}

static hsa_status_t allocate_copy(size_t size, hsa_callback_data_t data, void **address)
{
    (void)data;
    *address = malloc(size);
    return *address ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* The size of the code object; the serialized copy is what a program would save, to be loaded without finalizing. */
static size_t code_size(hsa_code_object_t code_object)
{
    void *copy = NULL;
    size_t size = 0;
    hsa_callback_data_t nothing = {0};
    require(hsa_code_object_serialize(code_object, allocate_copy, nothing, NULL, &copy, &size),
            "serializing the code object");
    free(copy);
    return size;
}

/* ---- 4. Loading: an executable, and the kernel in it ----------------------------------------------------- */

struct kernel {
    hsa_executable_t executable;
    uint64_t object; /* the value by which a dispatch packet names the kernel */
    uint32_t kernarg_size, group_size, private_size;
};

static struct kernel load(hsa_agent_t agent, hsa_code_object_t code_object)
{
    struct kernel kernel;
    hsa_executable_symbol_t symbol;
    hsa_profile_t profile;
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_PROFILE, &profile), "asking the agent");
    require(hsa_executable_create(profile, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &kernel.executable),
            "creating an executable");
    require(hsa_executable_load_code_object(kernel.executable, agent, code_object, NULL), "loading the code object");
    require(hsa_executable_freeze(kernel.executable, NULL), "freezing the executable");
    require(hsa_executable_get_symbol(kernel.executable, NULL, KERNEL, agent, 0, &symbol), KERNEL);
    require(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel.object), KERNEL);
    require(hsa_executable_symbol_get_info(
                symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernel.kernarg_size),
            KERNEL);
    require(hsa_executable_symbol_get_info(
                symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &kernel.group_size),
            KERNEL);
    require(hsa_executable_symbol_get_info(
                symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &kernel.private_size),
            KERNEL);
    return kernel;
}

/* ---- 5. Dispatch: a queue, a packet, a doorbell, a signal ------------------------------------------------ */

/* A fault in the kernel stops the queue, and a runtime may leave the completion signal as it is. This ends the wait. */
static void on_queue_error(hsa_status_t status, hsa_queue_t *queue, void *completion)
{
    const char *text = "unknown status";
    (void)queue;
    hsa_status_string(status, &text);
    fprintf(stderr, "dispatch: the queue stopped: %s\n", text);
    hsa_signal_store_screlease(*(hsa_signal_t *)completion, -1);
}

static void dispatch(hsa_queue_t *queue, const struct kernel *kernel, void *arguments, hsa_signal_t completion)
{
    // A queue is a ring of packets; the write index goes up for ever.
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
        ; // full: the agent has not yet read the packet that was here before
    hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;

    packet->workgroup_size_x = WORK_GROUP;
    packet->workgroup_size_y = 1;
    packet->workgroup_size_z = 1;
    packet->reserved0 = 0;
    packet->grid_size_x = WORK_ITEMS;
    packet->grid_size_y = 1;
    packet->grid_size_z = 1;
    packet->private_segment_size = kernel->private_size;
    packet->group_segment_size = kernel->group_size;
    packet->kernel_object = kernel->object;
    packet->kernarg_address = arguments;
    packet->reserved2 = 0;
    packet->completion_signal = completion;

    // The header is written last, in one store together with the setup field: it hands the packet to the agent.
    uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE;
    uint32_t setup = 1u << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
    __atomic_store_n((uint32_t *)packet, header | setup << 16, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);

    // The agent subtracts 1 from the completion signal when all work-items have ended. A wait may end early.
    hsa_signal_value_t left;
    do
        left = hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    while (left >= 1);
    if (left < 0) {
        hsa_queue_destroy(queue); // when this returns, the callback has been called with the reason
        fail(KERNEL, "was stopped");
    }
}

static void run(hsa_agent_t agent, const struct kernel *kernel, struct regions regions, double *since)
{
    hsa_queue_t *queue;
    hsa_signal_t completion;
    uint32_t *in = allocate(regions.data, WORK_ITEMS * sizeof *in);
    uint32_t *out = allocate(regions.data, WORK_ITEMS * sizeof *out);
    for (uint32_t i = 0; i < WORK_ITEMS; i++) {
        in[i] = i * 2654435761u;
        out[i] = ~in[i];
    }
    if (kernel->kernarg_size < sizeof(struct kernel_arguments))
        fail(KERNEL, "takes other arguments than this program gives");
    struct kernel_arguments *arguments = allocate(regions.kernarg, kernel->kernarg_size);
    memset(arguments, 0, kernel->kernarg_size);
    arguments->in = in;
    arguments->out = out;
    require(hsa_signal_create(1, 0, NULL, &completion), "creating a signal");
    require(
        hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_SINGLE, on_queue_error, &completion, UINT32_MAX, UINT32_MAX, &queue),
        "creating a queue");
    report("prepare", "buffers, queue and signal", 2 * WORK_ITEMS * sizeof *in, since);

    char line[64];
    dispatch(queue, kernel, arguments, completion);
    snprintf(line, sizeof line, "%s work-items", grouped(WORK_ITEMS));
    report("dispatch", line, 0, since);

    uint32_t right = 0;
    for (uint32_t i = 0; i < WORK_ITEMS; i++)
        right += out[i] == i * 2654435761u;
    snprintf(line, sizeof line, "%s elements right", grouped(right));
    report("verify", line, 0, since);

    require(hsa_queue_destroy(queue), "destroying the queue");
    require(hsa_signal_destroy(completion), "destroying the signal");
    hsa_memory_free(arguments);
    hsa_memory_free(out);
    hsa_memory_free(in);
    if (right != WORK_ITEMS)
        fail(KERNEL, "wrong results");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: dispatch FILE\n");
        return 2;
    }
    char name[64] = "", vendor[64] = "", isa_name[256] = "";
    uint32_t length = 0;
    hsa_isa_t isa;
    double start = milliseconds(), since = start;
    printf("%s of %s\n\n", KERNEL, argv[1]);
    hsail_module_t *module = assemble(argv[1], &since);

    require(hsa_init(), "starting the HSA runtime");
    hsa_agent_t agent = find_agent();
    struct regions regions = find_regions(agent);
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name), "asking the agent");
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_VENDOR_NAME, vendor), "asking the agent");
    require(hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa), "asking the agent");
    require(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length), "asking the agent");
    if (length < sizeof isa_name)
        require(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, isa_name), "asking the agent");
    report("start", "HSA runtime", 0, &since);

    hsa_code_object_t code_object = finalize(agent, (hsa_ext_module_t)hsail_module_data(module));
    hsail_module_destroy(module);
    report("finalize", isa_name, code_size(code_object), &since);

    struct kernel kernel = load(agent, code_object);
    report("load", "executable", 0, &since);
    run(agent, &kernel, regions, &since);

    require(hsa_executable_destroy(kernel.executable), "destroying the executable");
    require(hsa_code_object_destroy(code_object), "destroying the code object");
    require(hsa_shut_down(), "stopping the HSA runtime");
    printf("\nDone: all %s elements are right; %.1f ms on agent %s (%s).\n", grouped(WORK_ITEMS),
           milliseconds() - start, name, vendor);
    return 0;
}
