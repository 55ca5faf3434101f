/* SPDX-License-Identifier: MIT */
/* Fuzzes code objects with dispatch: one that the finalizer has made is damaged, loaded, and its kernels are
 * dispatched, all through the public API, with memory guarded. Whatever the damage is, loading is refused, or each
 * kernel completes, fails with an error of its queue, or ends with its queue, and the process lives. `object_test
 * SECONDS [SEED]`, or FUZZ_SECONDS and FUZZ_SEED in the environment, goes on for longer. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/fuzz/fuzz_time.h"
#include "testsuite/runtime/common.h"
#include "testsuite/seconds.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 150, KERNELS_MOST = 4, KERNARG = 4096 };

static const char source[] =
    "module &m:1:2:$full:$large:$near;\n"
    "prog global_u32 &counter = 7;\n"
    "function &twice(arg_u32 %r)(arg_u32 %x)\n"
    "{ ld_arg_u32 $s0, [%x]; add_u32 $s0, $s0, $s0; st_arg_u32 $s0, [%r]; };\n"
    "prog kernel &plain(kernarg_u64 %out, kernarg_u32 %count)\n{\n"
    "workitemabsid_u32 $s0, 0; ld_kernarg_u32 $s1, [%count]; cmp_ge_b1_u32 $c0, $s0, $s1; cbr_b1 $c0, @end;\n"
    "ld_kernarg_u64 $d0, [%out]; cvt_u64_u32 $d1, $s0; shl_u64 $d1, $d1, 2; add_u64 $d0, $d0, $d1;\n"
    "st_global_u32 $s0, [$d0];\n@end:\nret;\n};\n"
    "prog kernel &rich(kernarg_u64 %out)\n{\n"
    "enabledetectexceptions 31;\n"
    "group_u32 %shared[64]; private_u32 %own[8];\n"
    "workitemid_u32 $s0, 0; and_b32 $s3, $s0, 7; shl_u32 $s2, $s3, 2; st_private_u32 $s0, [%own][$s2];\n"
    "and_b32 $s4, $s0, 63; shl_u32 $s4, $s4, 2; st_group_u32 $s0, [%shared][$s4]; barrier;\n"
    "ld_group_u32 $s5, [%shared][$s4]; ld_private_u32 $s6, [%own][$s2]; add_u32 $s5, $s5, $s6;\n"
    "{ arg_u32 %r; arg_u32 %x; st_arg_u32 $s5, [%x]; call &twice(%r)(%x); ld_arg_u32 $s5, [%r]; }\n"
    "cvt_near_f32_u32 $s6, $s5; div_near_f32 $s6, 1.0f, $s6; getdetectexcept_u32 $s7; add_u32 $s5, $s5, $s7;\n"
    "atomic_add_global_scar_system_u32 $s7, [&counter], 1; ld_kernarg_u64 $d0, [%out]; st_global_u32 $s5, [$d0];\n};\n";

static uint64_t state;

static uint64_t draw(void)
{
    return xorshift(&state);
}

static void *compile(size_t *size)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    if (hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
        hsail_assemble(context, "fuzz.hsail", source, strlen(source), 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        if (hsail_finalize(&input, 1, "gfx900:xnack-", NULL, NULL, NULL, &code, size) != HSAIL_STATUS_OK)
            code = NULL;
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return code;
}

/* Damage */

static uint64_t interesting(size_t size)
{
    const uint64_t values[] = {
        0,    1,    UINT64_MAX, size,   size - 1,   size / 2,    0x7fffffff,  0x80000000,    UINT32_MAX, INT64_MAX,
        4095, 4096, 64,         draw(), draw() & 7, draw() % 96, draw() & 63, draw() % size, 0xffff8000, 0x10000000};
    return values[draw() % (sizeof values / sizeof values[0])];
}

/* A part of the file that something reads: headers, sections, the code, a descriptor, or anything. */
static void choose_part(const uint8_t *file, size_t size, size_t *from, size_t *length)
{
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
    const Elf64_Shdr *section = &sections[draw() % header->e_shnum];
    *from = 0;
    *length = size;
    switch (draw() % 8) {
    case 0: *length = sizeof *header; break;
    case 1: *from = header->e_phoff, *length = header->e_phnum * sizeof(Elf64_Phdr); break;
    case 2: *from = header->e_shoff, *length = header->e_shnum * sizeof(Elf64_Shdr); break;
    case 3: break;
    default:
        if (section->sh_type != SHT_NOBITS && section->sh_size)
            *from = section->sh_offset, *length = section->sh_size;
    }
}

/* Damages COPY, which is what WHOLE is; returns the size that is left. */
static size_t damage(uint8_t *copy, const uint8_t *whole, size_t size)
{
    for (unsigned n = 1 + draw() % 4; n; n--) {
        size_t from, length;
        choose_part(whole, size, &from, &length);
        size_t at = from + draw() % length, width = (size_t)1 << draw() % 4;
        if (draw() & 1)
            at &= ~(width - 1);
        if (width > size - at)
            width = size - at;
        uint64_t value = interesting(size);
        if (draw() % 4)
            memcpy(copy + at, &value, width);
        else
            copy[at] ^= (uint8_t)(1 << draw() % 8);
    }
    return draw() % 16 ? size : draw() % size;
}

/* Dispatch */

struct fuzz_bed {
    hsa_agent_t agent;
    hsa_region_t kernargs, memory;
    hsa_queue_t *queue;
    uint64_t *kernarg;
    uint32_t *output;
    volatile int error;
    unsigned loaded, refused, completed, failed, ended;
};

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    (void)status, (void)queue;
    ((struct fuzz_bed *)data)->error = 1;
}

static hsa_status_t find_regions(hsa_region_t region, void *data)
{
    struct fuzz_bed *b = data;
    hsa_region_segment_t segment;
    uint32_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    if (segment == HSA_REGION_SEGMENT_GLOBAL)
        hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        b->kernargs = region;
    else if (flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED)
        b->memory = region;
    return HSA_STATUS_SUCCESS;
}

static bool open_queue(struct fuzz_bed *b)
{
    b->error = 0;
    return hsa_queue_create(b->agent, 64, HSA_QUEUE_TYPE_SINGLE, on_error, b, UINT32_MAX, UINT32_MAX, &b->queue) ==
           HSA_STATUS_SUCCESS;
}

static bool open_bed(struct fuzz_bed *b)
{
    b->agent = agent_named("gfx900", NULL);
    return b->agent.handle && hsa_agent_iterate_regions(b->agent, find_regions, b) == HSA_STATUS_SUCCESS &&
           hsa_memory_allocate(b->kernargs, KERNARG, (void **)&b->kernarg) == HSA_STATUS_SUCCESS &&
           hsa_memory_allocate(b->memory, KERNARG, (void **)&b->output) == HSA_STATUS_SUCCESS && open_queue(b);
}

/* Dispatches a kernel; false if the queue cannot go on. */
static bool dispatch(struct fuzz_bed *b, uint64_t object, uint32_t group, uint32_t private)
{
    const uint64_t patience = 20000000; /* 0.2 s, in ticks of 10 ns; an endless kernel ends with its queue */
    hsa_signal_t done;
    if (hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS)
        return false;
    memset(b->kernarg, 0, KERNARG);
    b->kernarg[0] = (uint64_t)(uintptr_t)b->output;
    b->kernarg[1] = 64;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(object, 128, done);
    packet.workgroup_size_x = 64;
    packet.private_segment_size = private;
    packet.group_segment_size = group;
    packet.kernarg_address = b->kernarg;
    /* The queue has room, as each packet is waited for. submit() could look for room forever: kernels can store to the
     * queue, whose indexes then say anything. A packet that its thread does not find ends with the queue. */
    put_packet(b->queue, hsa_queue_add_write_index_screlease(b->queue, 1), &packet);
    hsa_signal_value_t left =
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, patience, HSA_WAIT_STATE_BLOCKED);
    bool completed = left == 0 && !b->error;
    b->completed += completed;
    b->failed += left < 0 || b->error;
    b->ended += left > 0 && !b->error;
    if (!completed) { /* before the signal, which a kernel that still runs may use */
        hsa_queue_destroy(b->queue);
        b->queue = NULL;
    }
    hsa_signal_destroy(done);
    return completed || open_queue(b);
}

struct fuzz_kernels {
    hsa_executable_symbol_t symbols[KERNELS_MOST];
    unsigned count;
};

static hsa_status_t keep_kernel(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data)
{
    struct fuzz_kernels *found = data;
    hsa_symbol_kind_t kind;
    (void)executable;
    if (hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) == HSA_STATUS_SUCCESS &&
        kind == HSA_SYMBOL_KIND_KERNEL && found->count < KERNELS_MOST)
        found->symbols[found->count++] = symbol;
    return HSA_STATUS_SUCCESS;
}

static bool run_kernels(struct fuzz_bed *b, hsa_executable_t executable)
{
    struct fuzz_kernels found = {.count = 0};
    bool good = true;
    hsa_executable_iterate_symbols(executable, keep_kernel, &found);
    for (unsigned i = 0; i < found.count && good; i++) {
        uint64_t object = 0;
        uint32_t group = 0, private = 0;
        hsa_executable_symbol_t symbol = found.symbols[i];
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group);
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private);
        good = dispatch(b, object, group, private);
    }
    return good;
}

/* Loads and runs a code object; false if the runtime does not live on. */
static bool try_object(struct fuzz_bed *b, const void *file, size_t size)
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    bool good = true;
    if (hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable) !=
        HSA_STATUS_SUCCESS)
        return false;
    if (hsa_code_object_reader_create_from_memory(file, size, &reader) == HSA_STATUS_SUCCESS) {
        bool loaded =
            hsa_executable_load_agent_code_object(executable, b->agent, reader, NULL, NULL) == HSA_STATUS_SUCCESS &&
            hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS;
        b->loaded += loaded;
        b->refused += !loaded;
        good = !loaded || run_kernels(b, executable);
        hsa_code_object_reader_destroy(reader);
    }
    hsa_executable_destroy(executable);
    return good;
}

int main(int argc, char **argv)
{
    const struct fuzz_time time = fuzz_time(argc, argv);
    double begin = seconds_now();
    uint64_t tried = 0;
    static struct fuzz_bed bed;
    size_t size;
    setenv("HSA_GCN_MEMORY", "guarded", 1);
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    uint8_t *whole = compile(&size), *copy = whole ? malloc(size) : NULL;
    if (!ok(copy && hsa_init() == HSA_STATUS_SUCCESS && open_bed(&bed), "a code object, and an agent for it"))
        return 1;
    bool good = try_object(&bed, whole, size);
    ok(good && bed.completed == 2, "the undamaged kernels complete (%u)", bed.completed);
    for (; good && (time.seconds > 0 ? seconds_now() - begin < time.seconds : tried < OBJECTS); tried++) {
        state = (time.seed + tried) * UINT64_C(0x9e3779b97f4a7c15) | 1;
        draw();
        memcpy(copy, whole, size);
        good = try_object(&bed, copy, damage(copy, whole, size));
    }
    ok(good,
       "damaged code objects (%llu from seed %llu on): %u loaded, %u refused; kernels: %u complete, %u fail, "
       "%u end with their queue",
       (unsigned long long)tried, (unsigned long long)time.seed, bed.loaded, bed.refused, bed.completed, bed.failed,
       bed.ended);
    ok(bed.loaded > tried / 10 && bed.refused && bed.failed, "the damage is neither too large nor too small");
    if (bed.queue)
        hsa_queue_destroy(bed.queue);
    hsa_memory_free(bed.kernarg);
    hsa_memory_free(bed.output);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "the runtime shuts down");
    hsail_finalize_free(whole);
    free(copy);
    return tap_done();
}
