/* SPDX-License-Identifier: MIT */
/* Runs HSAIL text; see gpu.h. Input: HSAIL text. Output: memory that its kernels have written. */
#include "testsuite/finalizer/gpu.h"

#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "runtime/gcn/check/check.h"
#include "testsuite/dispatch_packet.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ARGUMENTS = 32, R_RELATIVE64 = 13 };

struct gpu {
    uint8_t *file, *memory;
    size_t span;
    struct gcn_cache *cache;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    uint64_t completion;
    uint32_t private_extra;
    struct gcn_fault fault;
    struct gcn_agent agent; /* for the checkers that HSA_GCN_CHECK names */
};

static size_t findings; /* how many there are in the current run */

static void on_report(const hsam_report *report, char *text, size_t size)
{
    (void)text, (void)size;
    printf("# kernel %s [%s] at %s\n", report->text, report->id,
           report->by.instruction ? report->by.instruction : "no instruction");
    if (report->has_other)
        printf("#   %s work-item %u at %s, address 0x%llx\n", report->other_text, report->other.item[0],
               report->other.instruction ? report->other.instruction : "no instruction",
               (unsigned long long)report->address);
    if (report->origin)
        printf("#   from %s, read at %s\n", report->origin,
               report->other.instruction ? report->other.instruction : "it");
    __atomic_fetch_add(&findings, 1, __ATOMIC_RELAXED);
}

static const hsa_generic_driver_interface core = {.report = on_report};

static void print_finding(void *user, const hsail_diagnostic_t *d)
{
    (void)user;
    printf("# line %zu: %s\n", d->line, d->message);
}

/* The processor that executes: GPU_TARGET of the environment, or gfx900. */
static const char *target(void)
{
    const char *chosen = getenv("GPU_TARGET");
    return chosen && *chosen ? chosen : "gfx900";
}

static const struct gcn_target *emulated(void)
{
    const struct gcn_target *found;
    for (size_t i = 0; (found = gcn_target_number(i)); i++)
        if (!strcmp(found->processor->name, target()))
            return found;
    return NULL;
}

static void note_refusal(void *user, const hsail_diagnostic_t *d)
{
    bool *expected = user;
    *expected = !strcmp(d->id, "flat-target") || !strcmp(d->id, "image-target");
    if (!*expected)
        printf("# %s\n", d->message);
}

/* Compiles for each target of GPU_ALSO, such as "gfx1030 gfx1100/-mwavefrontsize64"; false if one refuses the text for
 * another reason than that the processor lacks flat addresses or images. */
static bool compiles_elsewhere(const hsail_finalize_module_t *input, const char *options)
{
    const char *also = getenv("GPU_ALSO");
    for (also = also ? also : ""; *also; also += strspn(also, " ")) {
        char name[64], all[256];
        size_t length = strcspn(also, " "), id = strcspn(also, " /"), size;
        bool expected = false;
        void *code = NULL;
        snprintf(name, sizeof name, "%.*s", (int)id, also);
        snprintf(all, sizeof all, "%s %.*s", options, (int)(length - id) - (also[id] == '/'),
                 also + id + (also[id] == '/'));
        hsail_status_t status = hsail_finalize(input, 1, name, all, note_refusal, &expected, &code, &size);
        hsail_finalize_free(code);
        if (status != HSAIL_STATUS_OK && !expected) {
            printf("# %s with '%s' is refused\n", name, all);
            return false;
        }
        also += length;
    }
    return true;
}

static void *compile(const char *text, const char *options)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return NULL;
    hsail_context_set_diagnostics(context, print_finding, NULL);
    if (hsail_assemble(context, "test.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        size_t size;
        if (!compiles_elsewhere(&input, options) ||
            hsail_finalize(&input, 1, target(), options, print_finding, NULL, &code, &size) != HSAIL_STATUS_OK)
            code = NULL;
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return code;
}

static void relocate(struct gpu *g, const Elf64_Shdr *section)
{
    const Elf64_Rela *rela = (const void *)(g->file + section->sh_offset);
    for (size_t n = section->sh_size / sizeof *rela; n; n--, rela++) {
        uint64_t value = (uint64_t)(uintptr_t)g->memory + (uint64_t)rela->r_addend;
        if (ELF64_R_TYPE(rela->r_info) != R_RELATIVE64)
            value += g->symbols[ELF64_R_SYM(rela->r_info)].st_value;
        memcpy(g->memory + rela->r_offset, &value, sizeof value);
    }
}

static bool load(struct gpu *g)
{
    const Elf64_Ehdr *header = (const void *)g->file;
    const Elf64_Phdr *segment = (const void *)(g->file + header->e_phoff);
    const Elf64_Shdr *section = (const void *)(g->file + header->e_shoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && segment[i].p_vaddr + segment[i].p_memsz > g->span)
            g->span = segment[i].p_vaddr + segment[i].p_memsz;
    g->span = (g->span + PAGE - 1) / PAGE * PAGE;
    g->memory = mmap(NULL, g->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g->cache = emulated() ? gcn_cache_new(gcn_engine_select(NULL), emulated()) : NULL;
    if (g->memory == MAP_FAILED || !g->cache)
        return false;
    g->agent.core = &core;
    g->agent.checks = gcn_checks_named(getenv("HSA_GCN_CHECK"));
    pthread_mutex_init(&g->agent.reported_lock, NULL);
    gcn_cache_check(g->cache, g->agent.checks);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD)
            memcpy(g->memory + segment[i].p_vaddr, g->file + segment[i].p_offset, segment[i].p_filesz);
    for (int i = 0; i < header->e_shnum; i++)
        if (section[i].sh_type == SHT_DYNSYM) {
            g->symbols = (const void *)(g->file + section[i].sh_offset);
            g->symbol_count = section[i].sh_size / sizeof(Elf64_Sym);
            g->names = (const char *)g->file + section[section[i].sh_link].sh_offset;
        }
    for (int i = 0; i < header->e_shnum; i++)
        if (section[i].sh_type == SHT_RELA)
            relocate(g, &section[i]);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X &&
            !gcn_cache_add(g->cache, g->memory + segment[i].p_vaddr, segment[i].p_memsz, g->memory, g->span))
            return false;
    return true;
}

struct gpu *gpu_open(const char *text, const char *options)
{
    struct gpu *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->file = compile(text, options);
    if (!g->file || !load(g)) {
        gpu_close(g);
        return NULL;
    }
    return g;
}

void gpu_close(struct gpu *g)
{
    if (!g)
        return;
    if (g->cache)
        gcn_cache_free(g->cache);
    if (g->memory && g->memory != MAP_FAILED)
        munmap(g->memory, g->span);
    hsail_finalize_free(g->file);
    gcn_check_forget(&g->agent);
    free(g);
}

const struct gcn_fault *gpu_fault(const struct gpu *g)
{
    return &g->fault;
}

void gpu_set_completion(struct gpu *g, uint64_t signal)
{
    g->completion = signal;
}

void gpu_set_private(struct gpu *g, uint32_t bytes)
{
    g->private_extra = bytes;
}

const void *gpu_descriptor(const struct gpu *g, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 1; i < g->symbol_count; i++) {
        const char *symbol = g->names + g->symbols[i].st_name;
        if (!strncmp(symbol, name, length) && !strcmp(symbol + length, ".kd"))
            return g->memory + g->symbols[i].st_value;
    }
    printf("# no kernel %s\n", name);
    return NULL;
}

bool gpu_run(struct gpu *g, const char *name, uint32_t grid, uint16_t group, const uint64_t *arguments, size_t count)
{
    _Alignas(64) uint64_t kernarg[ARGUMENTS] = {0}, queue[32] = {0};
    const uint8_t *descriptor = gpu_descriptor(g, name);
    _Alignas(64) hsa_kernel_dispatch_packet_t packet = dispatch_packet((uint64_t)(uintptr_t)descriptor, group, grid);
    struct gcn_dispatch dispatch;
    struct gcn_worker worker = {0};
    if (!descriptor || count > ARGUMENTS)
        return false;
    memcpy(kernarg, arguments, count * sizeof *arguments);
    memcpy(&packet.group_segment_size, descriptor, 4);
    memcpy(&packet.private_segment_size, descriptor + 4, 4);
    packet.private_segment_size += g->private_extra;
    packet.kernarg_address = kernarg;
    packet.completion_signal.handle = g->completion;
    hsa_status_t status =
        gcn_dispatch_begin(&dispatch, g->cache, &packet, (uint64_t)(uintptr_t)&packet, (uint64_t)(uintptr_t)queue, 0);
    if (status != HSA_STATUS_SUCCESS) {
        printf("# %s is refused with status 0x%x\n", name, (unsigned)status);
        gcn_dispatch_end(&dispatch);
        return false;
    }
    struct gcn_check check;
    const hsam_kernel kernel = {.name = "&"}; /* some kernel of HSAIL */
    findings = 0;
    if (g->agent.checks && gcn_check_begin(&check, &dispatch, &kernel, &g->agent, (const amd_queue_t *)queue))
        dispatch.check = &check;
    bool done = gcn_worker_run(&worker, &dispatch) && !dispatch.fault_state;
    if (dispatch.check)
        gcn_check_end(&check);
    g->fault = dispatch.fault_state ? dispatch.fault : (struct gcn_fault){0};
    if (!done) {
        char instruction[64];
        gcn_cache_name(g->cache, dispatch.fault.pc, instruction, sizeof instruction);
        printf("# %s stops at %s\n", name, instruction);
    }
    gcn_worker_free(&worker);
    gcn_dispatch_end(&dispatch);
    if (findings)
        printf("# the checkers find something in %s\n", name);
    return done && !findings;
}
