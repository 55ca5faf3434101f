/* SPDX-License-Identifier: MIT */
/* Provokes every status that HSA 1.0 provisional names, function by function, by the rows of
 * provoke_1p/provoke_provisional.def. statuses.sh compares them with provoke_1p/documented_1p.txt.
 *
 *     GOOD(function, call)         succeeds; before hsa_init() and after hsa_shut_down() it is NOT_INITIALIZED
 *     DOWN(function, call)         the second half of that, for functions that never succeed here
 *     BAD(function, STATUS, call)  ends with HSA_STATUS_ERROR_STATUS
 *     OTHER(function, WORD, status, call)   ends with that status, which the list calls WORD
 *     MEMORY(function, call)       is OUT_OF_RESOURCES when any allocation of the C library fails
 *     NEVER(function, STATUS, reason) cannot be provoked, or not by a row */
#include "testsuite/runtime/interpose.h"

#include "hsa-1.0p/hsa_ext_image.h"
#include "testsuite/runtime/provisional_common.h"
#include "testsuite/tap.h"

#include <stdint.h>
#include <string.h>

/* ---- objects that live from make_objects() to hsa_shut_down() ---- */

static const char source[] =
    "module &m:1:0:$full:$large:$default;\n"
    "decl prog global_u32 &shared;\n"
    "decl prog alloc(agent) global_u32 &own;\n"
    "decl prog readonly_u32 &fixed;\n"
    "prog indirect function &function(arg_u32 %result)(arg_u32 %value)\n"
    "{\n"
    "    ret;\n"
    "};\n"
    "prog kernel &kernel(kernarg_u64 %out)\n"
    "{\n"
    "    ret;\n"
    "};\n"
    "prog kernel &flat(kernarg_u64 %out)\n"
    "{\n"
    "    requireddim 1;\n"
    "    ret;\n"
    "};\n",
                  small_source[] = "module &m:1:0:$full:$small:$default;\n";
static const hsa_runtime_caller_t self = {1};
static const hsa_ext_brig_module_handle_t no_module = {1};
static const hsa_ext_finalization_handle_t no_code = {1};
static const hsa_ext_program_handle_t none;
static struct {
    uint32_t kernel, flat, function, shared, own, fixed;
} entry;
static struct table big_table, small_table;
static hsa_ext_brig_module_t *brig, *small_brig;
static hsa_ext_program_handle_t program;
static hsa_ext_brig_module_handle_t module, last_module;
static hsa_ext_finalization_request_t request, one_dimension, not_a_kernel;
static hsa_ext_control_directives_t two_dimensions = {
    .enabled_control_directives = HSA_EXT_CONTROL_DIRECTIVE_REQUIRED_DIM, .required_dim = 2};
static hsa_ext_finalization_handle_t code;
static void *code_bytes, *program_bytes, *texels;
static hsa_region_t group;
static hsa_ext_image_handle_t canvas;
static hsa_agent_t no_agent;
static uint64_t zeros[64];
static hsa_ext_image_descriptor_t
    picture = {.geometry = HSA_EXT_IMAGE_GEOMETRY_2D,
               .width = 8,
               .height = 8,
               .format = {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}},
    odd, large;
static const hsa_ext_image_region_t whole = {{0, 0, 0}, {8, 8, 1}};
static const hsa_ext_sampler_descriptor_t nearest = {
    HSA_EXT_SAMPLER_COORD_UNNORMALIZED, HSA_EXT_SAMPLER_FILTER_NEAREST, HSA_EXT_SAMPLER_ADDRESSING_CLAMP_TO_EDGE};
static const float color[4];

/* ---- results nobody reads ---- */

static char bytes[65536];
static const char *text;
static void *pointer;
static int number;
static uint32_t word, word2;
static hsa_agent_t agents[2];
static hsa_signal_t made_signal;
static hsa_queue_t *made_queue;
static hsa_ext_program_handle_t *made_program;
static hsa_ext_brig_module_handle_t made_module;
static hsa_ext_brig_module_t *table;
static hsa_ext_code_descriptor_t *descriptors, descriptor;
static hsa_ext_finalization_handle_t made_code;
static hsa_ext_image_info_t image_info;
static hsa_ext_image_handle_t made_image;
static hsa_ext_sampler_handle_t made_sampler;

/* ---- objects of one call, which are made while no allocation fails ---- */

static long held;
static int holds;

static void hold(bool begin)
{
    if (begin && !holds++) {
        held = allocations_left;
        allocations_left = -1;
    }
    if (!begin && !--holds)
        allocations_left = held;
}

static hsa_signal_t new_signal(void)
{
    hsa_signal_t signal = 0;
    hsa_signal_create(0, 0, NULL, &signal);
    return signal;
}

static hsa_signal_t gone_signal(void)
{
    hsa_signal_t signal = new_signal();
    hsa_signal_destroy(signal);
    return signal;
}

static hsa_status_t many_signals(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (int i = 0; i < 20000 && status == HSA_STATUS_SUCCESS; i++)
        status = hsa_signal_create(0, 0, NULL, &made_signal);
    return status;
}

static hsa_status_t many_registrations(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; i < sizeof bytes && status == HSA_STATUS_SUCCESS; i++)
        status = hsa_memory_register(bytes + i, 1);
    return status;
}

static hsa_queue_t *new_queue(void)
{
    hsa_queue_t *queue = NULL;
    hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, &queue);
    return queue;
}

/* Makes a program in a variable of its own, as one that is there is not made again. */
static hsa_status_t create_program(hsa_agent_t *list, uint32_t count, uint8_t model, uint8_t profile)
{
    hsa_ext_program_handle_t made = {0};
    return hsa_ext_program_create(list, count, model, profile, &made);
}

static hsa_ext_program_handle_t new_program(bool with_module)
{
    hsa_ext_program_handle_t made = {0};
    hold(true);
    hsa_ext_program_create(gpus, 1, 1, 1, &made);
    if (with_module)
        hsa_ext_add_module(made, brig, &last_module);
    hold(false);
    return made;
}

static hsa_ext_program_handle_t gone_program(void)
{
    hsa_ext_program_handle_t made = new_program(false);
    hsa_ext_program_destroy(made);
    return made;
}

static void define_all(hsa_ext_program_handle_t of, hsa_ext_brig_module_handle_t in)
{
    hsa_ext_define_program_allocation_global_variable_address(of, in, entry.shared, NULL, bytes);
    hsa_ext_define_agent_allocation_global_variable_address(of, gpus[0], in, entry.own, NULL, bytes);
    hsa_ext_define_readonly_variable_address(of, gpus[0], in, entry.fixed, NULL, bytes);
}

static hsa_status_t finalize_new_program(const char *options)
{
    hold(true);
    hsa_ext_program_handle_t made = new_program(true);
    hsa_ext_finalization_request_t wish = {last_module, entry.kernel, 0};
    define_all(made, last_module);
    hold(false);
    return hsa_ext_finalize_program(made, gpus[0], 1, &wish, NULL, NULL, 0, options, 0);
}

static hsa_ext_finalization_handle_t new_code(void)
{
    hsa_ext_finalization_handle_t made = {0};
    hsa_ext_finalize(self, gpus[0], 0, 1, 1, &request, NULL, NULL, NULL, NULL, 0, NULL, 0, &made);
    return made;
}

static hsa_ext_image_handle_t *new_image(void)
{
    hsa_ext_image_create_handle(gpus[0], &picture, texels, HSA_EXT_IMAGE_ACCESS_PERMISSION_READ_WRITE, &made_image);
    return &made_image;
}

static hsa_ext_sampler_handle_t *new_sampler(void)
{
    hsa_ext_sampler_create_handle(gpus[0], &nearest, &made_sampler);
    return &made_sampler;
}

/* ---- callbacks ---- */

static hsa_status_t any_agent(hsa_agent_t agent, void *data)
{
    (void)agent, (void)data;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t any_region(hsa_region_t region, void *data)
{
    (void)region, (void)data;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t find_group(hsa_region_t region, void *data)
{
    hsa_segment_t segment;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    if (segment == HSA_SEGMENT_GROUP)
        *(hsa_region_t *)data = region;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t give_bytes(hsa_runtime_caller_t caller, size_t size, void **address)
{
    (void)caller;
    *address = size <= sizeof bytes ? bytes : NULL;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t give_nothing(hsa_runtime_caller_t caller, size_t size, void **address)
{
    (void)caller, (void)size;
    *address = NULL;
    return HSA_STATUS_SUCCESS;
}

/* Allocates what lives until the end. */
static hsa_status_t keep_bytes(hsa_runtime_caller_t caller, size_t size, void **address)
{
    (void)caller;
    *address = malloc(size);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t place_anywhere(hsa_runtime_caller_t caller, hsa_ext_brig_module_handle_t in,
                                   hsa_ext_brig_code_section_offset32_t symbol, uint64_t *address)
{
    (void)caller, (void)in, (void)symbol;
    *address = (uintptr_t)bytes;
    return HSA_STATUS_SUCCESS;
}

/* ---- rows ---- */

static unsigned checked, wrong;

static void expect(const char *function, const char *call, int status, int wanted)
{
    (void)function;
    checked++;
    if (status == wanted)
        return;
    printf("# %s\n#   is %#x, not %#x\n", call, (unsigned)status, (unsigned)wanted);
    wrong++;
}

static void report(const char *what)
{
    ok(!wrong && checked, "%u calls: %s", checked, what);
    checked = wrong = 0;
}

#define IGNORE_ROW(...)
#define GOOD(function, call) expect(#function, #call, call, HSA_STATUS_ERROR_NOT_INITIALIZED);
#define DOWN                 GOOD
#define BAD                  IGNORE_ROW
#define OTHER                IGNORE_ROW
#define MEMORY               IGNORE_ROW
#define NEVER                IGNORE_ROW

static void not_initialized(const char *when)
{
#include "testsuite/runtime/provoke_1p/provoke_provisional.def"
    report(when);
}

#undef GOOD
#undef DOWN
#undef BAD
#undef OTHER
#define GOOD(function, call)                expect(#function, #call, call, HSA_STATUS_SUCCESS);
#define DOWN                                IGNORE_ROW
#define BAD(function, status, call)         expect(#function, #call, call, HSA_STATUS_ERROR_##status);
#define OTHER(function, word, status, call) expect(#function, #call, call, status);

static void statuses(void)
{
#include "testsuite/runtime/provoke_1p/provoke_provisional.def"
    report("statuses");
}

#undef GOOD
#undef BAD
#undef OTHER
#undef MEMORY
#define GOOD  IGNORE_ROW
#define BAD   IGNORE_ROW
#define OTHER IGNORE_ROW
#define MEMORY FAIL_ALLOCATIONS

static void memory_is_out(void)
{
    enum { ALLOCATIONS = 24 }; /* some rows compile a program each time */
    allocations_stay_out = true;
#include "testsuite/runtime/provoke_1p/provoke_provisional.def"
    report("each allocation can fail");
}

static bool make_objects(void)
{
    brig = (hsa_ext_brig_module_t *)(void *)&big_table;
    small_brig = (hsa_ext_brig_module_t *)(void *)&small_table;
    entry.kernel = find_entry(&big_table, "&kernel");
    entry.flat = find_entry(&big_table, "&flat");
    entry.function = find_entry(&big_table, "&function");
    entry.shared = find_entry(&big_table, "&shared");
    entry.own = find_entry(&big_table, "&own");
    entry.fixed = find_entry(&big_table, "&fixed");
    odd = large = picture;
    odd.format.channel_order = HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBX;
    large.width = 1 << 20;
    if (!find_two_gpus() || hsa_agent_iterate_regions(gpus[0], find_group, &group) != HSA_STATUS_SUCCESS ||
        hsa_ext_program_create(gpus, 1, 1, 1, &program) != HSA_STATUS_SUCCESS ||
        hsa_ext_add_module(program, brig, &module) != HSA_STATUS_SUCCESS)
        return false;
    define_all(program, module);
    request = (hsa_ext_finalization_request_t){module, entry.kernel, 0};
    one_dimension = (hsa_ext_finalization_request_t){module, entry.flat, 0};
    not_a_kernel = (hsa_ext_finalization_request_t){module, entry.shared, 0};
    code = new_code();
    return hsa_memory_allocate(kernarg, 65536, &texels) == HSA_STATUS_SUCCESS &&
           hsa_ext_image_create_handle(
               gpus[0], &picture, texels, HSA_EXT_IMAGE_ACCESS_PERMISSION_READ_WRITE, &canvas) == HSA_STATUS_SUCCESS &&
           hsa_ext_serialize_finalization(self, gpus[0], code, keep_bytes, NULL, 0, &code_bytes) ==
               HSA_STATUS_SUCCESS &&
           hsa_ext_serialize_program(self, program, keep_bytes, NULL, 0, &program_bytes) == HSA_STATUS_SUCCESS;
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900,gfx906", 1);
    not_initialized("before hsa_init()");
    if (!ok(assemble_table(&big_table, source, false) && assemble_table(&small_table, small_source, false) &&
                hsa_init() == HSA_STATUS_SUCCESS && make_objects(),
            "what the calls need"))
        return tap_done();
    statuses();
    if (CAN_INTERPOSE)
        memory_is_out();
    else
        tap_skip("each allocation can fail", "the sanitizer has the allocator");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    not_initialized("after hsa_shut_down()");
    free(code_bytes);
    free(program_bytes);
    free(big_table.bytes);
    free(small_table.bytes);
    return tap_done();
}
