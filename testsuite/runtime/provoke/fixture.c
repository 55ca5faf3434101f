/* SPDX-License-Identifier: MIT */
/* Makes the objects that the rows of provoke/provoke_NAME.def use as arguments; see fixture.h.
 *
 * Input: testsuite/tools/vector_add.co, and from the environment the names of the code objects that statuses.sh has
 * made. Output: the variables of fixture.h. Invariant: new_NAME() makes a new object, and gone_NAME() returns one that
 * has just been destroyed, so that nothing else has its handle. */
#define _GNU_SOURCE /* memfd_create() */
#include "testsuite/runtime/provoke/fixture.h"

#include "hsail/hsail.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

hsa_agent_t cpu, gpu;
hsa_isa_t isa;
hsa_cache_t cache;
hsa_wavefront_t wavefront;
hsa_region_t region, group_region;
hsa_amd_memory_pool_t pool, group_pool;
hsa_signal_t signal, ipc_signal, made_signal;
hsa_signal_group_t group, made_group;
hsa_queue_t *queue, *made_queue;
hsa_code_object_t object, made_object;
hsa_code_symbol_t code_symbol, made_code_symbol;
hsa_code_object_reader_t reader, program_reader, made_reader;
hsa_executable_t executable, frozen, defined, unresolved, made_executable;
hsa_executable_symbol_t symbol, made_symbol;
hsa_loaded_code_object_t made_loaded;
hsa_ext_program_t program, made_program;
hsa_ext_module_t kernel_module, base_module, mismatch_module;
hsa_ext_image_t canvas, made_image;
hsa_ext_sampler_t made_sampler;
void *block, *texels, *pointer;
char page[4 * 4096] __attribute__((aligned(4096)));
hsa_amd_ipc_memory_t shared_block, ipc;
hsa_amd_ipc_signal_t shared_signal;
int image_file = -1, map_file = -1, pages_file = -1, made_file;
hsa_amd_vmem_alloc_handle_t pages, made_pages;
hsa_amd_memory_pool_t made_pool;
hsa_amd_memory_type_t memory_type;
hsa_access_permission_t permission;
hsa_amd_memory_access_desc_t may_write = {HSA_ACCESS_PERMISSION_RW, {0}};
void *mapped_at;
char *image;
size_t image_size, size;

struct layout layout;
hsa_ext_image_descriptor_t picture = {
    HSA_EXT_IMAGE_GEOMETRY_2D, 8, 8, 0, 0, {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
hsa_ext_image_descriptor_t large = {
    HSA_EXT_IMAGE_GEOMETRY_2D,
    1 << 20,
    8,
    0,
    0,
    {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
hsa_ext_image_descriptor_t odd = {HSA_EXT_IMAGE_GEOMETRY_2D, 8, 8, 0, 0, {99, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
const hsa_dim3_t corner = {0, 0, 0}, extent = {4, 4, 1};
const hsa_ext_image_region_t whole = {{0, 0, 0}, {8, 8, 1}};
const hsa_ext_sampler_descriptor_t nearest = {
    HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED, HSA_EXT_SAMPLER_FILTER_MODE_NEAREST,
    HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
const hsa_ext_sampler_descriptor_t no_filter = {
    HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED, 9, HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE};
const hsa_ext_sampler_descriptor_v2_t nearest_v2 = {
    HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED, HSA_EXT_SAMPLER_FILTER_MODE_NEAREST, {1, 1, 1}};
const hsa_ext_sampler_descriptor_v2_t no_mode_v2 = {
    HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED, HSA_EXT_SAMPLER_FILTER_MODE_NEAREST, {1, 99, 1}};
char bytes[4096], colors[1024];
hsa_pitched_ptr_t pitched = {bytes, 8, 64}, pitched_from = {colors, 8, 64};
hsa_amd_svm_attribute_pair_t read_mostly = {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1};
const hsa_signal_condition_t holds = HSA_SIGNAL_CONDITION_EQ;
const hsa_signal_value_t one = 1;
const hsa_ext_control_directives_t no_directives = {0};
const hsa_ext_control_directives_t other_directives = {.control_directives_mask = 1 << 6, .required_dim = 2};
const hsa_callback_data_t no_data = {0};
const char zeros[256];

const char *text;
bool flag;
uint16_t half;
uint32_t word;
uint64_t offset;
volatile hsa_signal_value_t *value;
hsa_signal_value_t seen;
hsa_round_method_t method;
hsa_amd_coherency_type_t coherency;
hsa_amd_pointer_info_t pointer_info = {.size = sizeof pointer_info};
hsa_agent_t *agents;
hsa_amd_profiling_dispatch_time_t dispatch_time;
hsa_amd_profiling_async_copy_time_t copy_time;
hsa_ext_image_data_info_t data_info;

/* ---- callbacks ---- */

#define STOP(data) return (data) ? *(const hsa_status_t *)(data) : HSA_STATUS_SUCCESS

hsa_status_t any_agent(hsa_agent_t agent, void *data)
{
    (void)agent;
    STOP(data);
}

hsa_status_t any_cache(hsa_cache_t found, void *data)
{
    cache = found;
    STOP(data);
}

hsa_status_t any_isa(hsa_isa_t found, void *data)
{
    isa = found;
    STOP(data);
}

hsa_status_t any_wavefront(hsa_wavefront_t found, void *data)
{
    wavefront = found;
    STOP(data);
}

hsa_status_t any_region(hsa_region_t found, void *data)
{
    hsa_region_segment_t segment;
    bool allowed = false;
    hsa_region_get_info(found, HSA_REGION_INFO_SEGMENT, &segment);
    hsa_region_get_info(found, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
    if (segment == HSA_REGION_SEGMENT_GROUP)
        group_region = found;
    STOP(data);
}

hsa_status_t any_pool(hsa_amd_memory_pool_t found, void *data)
{
    (void)found;
    STOP(data);
}

hsa_status_t any_code_symbol(hsa_code_object_t of, hsa_code_symbol_t found, void *data)
{
    (void)of;
    code_symbol = found;
    STOP(data);
}

hsa_status_t any_symbol(hsa_executable_t of, hsa_executable_symbol_t found, void *data)
{
    (void)of;
    symbol = found;
    STOP(data);
}

hsa_status_t any_agent_symbol(hsa_executable_t of, hsa_agent_t agent, hsa_executable_symbol_t found, void *data)
{
    (void)agent;
    return any_symbol(of, found, data);
}

hsa_status_t any_module(hsa_ext_program_t of, hsa_ext_module_t found, void *data)
{
    (void)of;
    (void)found;
    STOP(data);
}

hsa_status_t give_bytes(size_t wanted, hsa_callback_data_t data, void **address)
{
    static char room[1 << 16];
    (void)data;
    *address = room;
    return wanted <= sizeof room ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

hsa_status_t give_nothing(size_t wanted, hsa_callback_data_t data, void **address)
{
    (void)wanted;
    (void)data;
    *address = NULL;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
    (void)event;
    (void)data;
    return HSA_STATUS_SUCCESS;
}

void *give_null(size_t wanted)
{
    (void)wanted;
    return NULL;
}

void on_free(void *ptr, void *user_data)
{
    (void)ptr;
    (void)user_data;
}

bool once(hsa_signal_value_t now, void *data)
{
    (void)now;
    (void)data;
    return false;
}

void allow_files(bool allowed)
{
    static struct rlimit before;
    if (!allowed)
        getrlimit(RLIMIT_NOFILE, &before);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){allowed ? before.rlim_cur : 0, before.rlim_max});
}

/* ---- objects of one call ---- */

/* new_NAME(): what CALL puts into MADE, which begins as 0. */
#define NEW(type, name, call)                                                                                \
    type new_##name(void)                                                                                    \
    {                                                                                                        \
        type made = {0};                                                                                     \
        hold_allocations(true);                                                                              \
        call;                                                                                                \
        hold_allocations(false);                                                                             \
        return made;                                                                                         \
    }
/* The same, and gone_NAME(). */
#define NEW_AND_GONE(type, name, call, destroy)                                                              \
    NEW(type, name, call)                                                                                    \
    type gone_##name(void)                                                                                   \
    {                                                                                                        \
        type gone = new_##name();                                                                            \
        destroy(gone);                                                                                       \
        return gone;                                                                                         \
    }

NEW_AND_GONE(hsa_signal_t, signal, hsa_signal_create(1, 0, NULL, &made), hsa_signal_destroy)
NEW_AND_GONE(hsa_signal_group_t, group, hsa_signal_group_create(1, &signal, 1, &cpu, &made), hsa_signal_group_destroy)
NEW_AND_GONE(hsa_code_object_t, object, hsa_code_object_deserialize(image, image_size, NULL, &made),
             hsa_code_object_destroy)
NEW_AND_GONE(hsa_code_object_reader_t, reader, hsa_code_object_reader_create_from_memory(image, image_size, &made),
             hsa_code_object_reader_destroy)
NEW_AND_GONE(hsa_executable_t, executable, hsa_executable_create_alt(HSA_PROFILE_FULL, NEAR, NULL, &made),
             hsa_executable_destroy)
NEW_AND_GONE(hsa_amd_vmem_alloc_handle_t, pages, hsa_amd_vmem_handle_create(pool, 8192, MEMORY_TYPE_NONE, 0, &made),
             hsa_amd_vmem_handle_release)
NEW(hsa_ext_image_t, image, hsa_ext_image_create(gpu, &picture, texels, RO, &made))
NEW(hsa_ext_sampler_t, sampler, hsa_ext_sampler_create(gpu, &nearest, &made))

hsa_queue_t *new_queue(void)
{
    hsa_queue_t *made = NULL;
    hold_allocations(true);
    hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &made);
    hold_allocations(false);
    return made;
}

hsa_queue_t *gone_queue(void)
{
    hsa_queue_t *gone = new_queue();
    hsa_queue_destroy(gone);
    return gone;
}

hsa_executable_symbol_t gone_symbol(void)
{
    hsa_executable_t of = new_executable();
    hsa_executable_symbol_t gone = {0}, kept = symbol;
    hsa_executable_global_variable_define(of, "&v", bytes);
    hsa_executable_iterate_symbols(of, any_symbol, NULL);
    gone = symbol;
    symbol = kept;
    hsa_executable_destroy(of);
    return gone;
}

hsa_ext_program_t new_program(bool with_module)
{
    hsa_ext_program_t made = {0};
    hold_allocations(true);
    if (hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, NEAR, NULL, &made) == HSA_STATUS_SUCCESS &&
        with_module)
        hsa_ext_program_add_module(made, kernel_module);
    hold_allocations(false);
    return made;
}

hsa_ext_program_t gone_program(void)
{
    hsa_ext_program_t gone = new_program(false);
    hsa_ext_program_destroy(gone);
    return gone;
}

void *new_block(void)
{
    void *made = NULL;
    hold_allocations(true);
    hsa_amd_memory_pool_allocate(pool, 4096, 0, &made);
    hold_allocations(false);
    return made;
}

void *new_mapping(void)
{
    void *made = NULL;
    hsa_amd_interop_map_buffer(1, &gpu, map_file, 0, &size, &made, NULL, NULL);
    return made;
}

void *new_attachment(void)
{
    void *made = NULL;
    hsa_amd_ipc_memory_attach(&shared_block, 4096, 1, &gpu, &made);
    return made;
}

void *new_watched(void)
{
    void *made = new_block();
    hsa_amd_register_deallocation_callback(made, on_free, NULL);
    return made;
}

int new_dmabuf(void)
{
    int made = -1;
    hsa_amd_portable_export_dmabuf(block, 16, &made, &offset);
    return made;
}

void *new_reservation(void)
{
    void *made = NULL;
    hold_allocations(true);
    hsa_amd_vmem_address_reserve(&made, 8192, 0, 0);
    hold_allocations(false);
    return made;
}

void *new_view(void)
{
    void *made = new_reservation();
    hsa_amd_vmem_alloc_handle_t of = new_pages();
    hold_allocations(true);
    hsa_amd_vmem_map(made, 8192, 0, of, 0);
    hsa_amd_vmem_handle_release(of);
    hold_allocations(false);
    return made;
}

/* ---- making ---- */

static char *read_object(const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat is;
    char *content = NULL;
    if (file >= 0 && !fstat(file, &is) && (content = malloc((size_t)is.st_size)))
        *length = (size_t)read(file, content, (size_t)is.st_size);
    if (file >= 0)
        close(file);
    return content;
}

static void make_agents(void)
{
    gpu = agent_named("gfx900", &cpu);
    hsa_agent_iterate_isas(gpu, any_isa, NULL);
    hsa_agent_iterate_caches(gpu, any_cache, NULL);
    hsa_isa_iterate_wavefronts(isa, any_wavefront, NULL);
    hsa_agent_iterate_regions(gpu, any_region, NULL);
    hsa_amd_agent_iterate_memory_pools(cpu, find_pool, &pool);
    region.handle = pool.handle; /* AMD's pools are the regions of HSA */
    group_pool.handle = group_region.handle;
    signal = new_signal();
    hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &ipc_signal);
    hsa_amd_ipc_signal_create(ipc_signal, &shared_signal);
    group = new_group();
    queue = new_queue();
    block = new_block();
    hsa_amd_ipc_memory_create(new_watched(), 4096, &ipc);
    shared_block = ipc;
    hsa_amd_memory_pool_allocate(pool, 65536, 0, &texels);
    pages = new_pages();
    mapped_at = new_reservation();
    may_write.agent_handle = cpu;
    hsa_amd_vmem_map(mapped_at, 8192, 0, pages, 0);
    hsa_amd_vmem_set_access(mapped_at, 8192, &may_write, 1);
    hsa_amd_vmem_export_shareable_handle(&pages_file, pages, 0);
    map_file = memfd_create("map", MFD_CLOEXEC);
    if (ftruncate(map_file, 4096))
        map_file = -1;
}

/* Makes an executable of the code object that the environment variable NAMED names, or none. */
static hsa_executable_t executable_of(const char *named)
{
    const char *path = getenv(named);
    hsa_executable_t made = {0};
    hsa_code_object_reader_t of = {0};
    size_t length = 0;
    char *content = path && *path ? read_object(path, &length) : NULL;
    if (content && hsa_code_object_reader_create_from_memory(content, length, &of) == HSA_STATUS_SUCCESS) {
        made = new_executable();
        hsa_executable_load_agent_code_object(made, gpu, of, NULL, NULL);
        hsa_code_object_reader_destroy(of);
    }
    free(content);
    return made;
}

static void make_objects(void)
{
    char path[4096];
    const char *top = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/tools/vector_add.co", top ? top : ".");
    image = read_object(path, &image_size);
    image_file = open(path, O_RDONLY | O_CLOEXEC);
    object = new_object();
    hsa_code_object_iterate_symbols(object, any_code_symbol, NULL);
    reader = new_reader();
    executable = new_executable();
    frozen = new_executable();
    hsa_executable_load_agent_code_object(frozen, gpu, reader, NULL, NULL);
    hsa_executable_freeze(frozen, NULL);
    hsa_executable_iterate_agent_symbols(frozen, gpu, any_agent_symbol, NULL);
    defined = new_executable();
    hsa_executable_global_variable_define(defined, "&v", bytes);
    hsa_executable_agent_global_variable_define(defined, gpu, "&a", bytes);
    unresolved = executable_of("TEST_OBJECT");
    const char *named = getenv("TEST_PROGRAM_OBJECT");
    size_t length = 0;
    static char *volatile content; /* the reader's, as long as the process lives */
    content = named && *named ? read_object(named, &length) : NULL;
    if (content)
        hsa_code_object_reader_create_from_memory(content, length, &program_reader);
}

/* Returns the module of SOURCE, which lives as long as the process and is found through MODULE. */
static hsa_ext_module_t assembled(hsail_context_t *context, const char *source, hsail_module_t **module)
{
    if (hsail_assemble(context, "test.hsail", source, strlen(source), 0, module) != HSAIL_STATUS_OK)
        return NULL;
    return (hsa_ext_module_t)hsail_module_data(*module);
}

static bool make_program(void)
{
    static hsail_context_t *context;
    static hsail_module_t *modules[3];
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return false;
    kernel_module = assembled(context,
                              "module &one:1:0:$full:$large:$near;\nprog global_u32 &shared;\n"
                              "prog kernel &k() {\nrequireddim 1;\nret;\n};\n",
                              &modules[0]);
    base_module = assembled(context, "module &two:1:0:$base:$large:$near;\n", &modules[1]);
    mismatch_module =
        assembled(context, "module &three:1:0:$full:$large:$near;\ndecl prog global_u64 &shared;\n", &modules[2]);
    program = new_program(true);
    return kernel_module && base_module && mismatch_module;
}

static void make_images(void)
{
    uint32_t chip = 0;
    hsa_agent_get_info(gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_CHIP_ID, &chip);
    canvas = new_image();
    layout.is.version = 1;
    layout.is.deviceID = UINT32_C(0x1002) << 16 | chip;
    const uint32_t *resource = (const uint32_t *)(uintptr_t)canvas.handle;
    if (resource)
        memcpy(layout.is.data, resource, 8 * sizeof *resource);
}

const char *fixture_make(void)
{
    make_agents();
    make_objects();
    make_images();
    return !gpu.handle || !cpu.handle || !isa.handle || !cache.handle || !wavefront.handle       ? "agents"
           : !pool.handle || !group_pool.handle || !block || !texels || map_file < 0             ? "memory"
           : !signal.handle || !ipc_signal.handle || !group.handle || !queue                     ? "signals and queues"
           : !image || image_file < 0 || !object.handle || !code_symbol.handle || !symbol.handle ? "a code object"
           : !canvas.handle                                                                      ? "an image"
           : !make_program()                                                                     ? "modules"
                                                                                                 : NULL;
}
