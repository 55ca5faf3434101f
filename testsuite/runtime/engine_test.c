/* SPDX-License-Identifier: MIT */
/* Tests copies by a chosen engine, memory exported as files, and functions for which no agent has what they need.
 * Expected are the effects and statuses of the ROCR documentation 4.8, 4.9 and 4.13. */
#include "testsuite/runtime/common.h"

#include <sys/mman.h>

static hsa_agent_t gpu, cpu;
static hsa_amd_memory_pool_t pool;

static void copies(void)
{
    enum { BYTES = 5000 };
    static char from[BYTES], to[BYTES];
    uint32_t engines = 0;
    hsa_signal_t before, done;
    hsa_signal_create(1, 0, NULL, &before);
    hsa_signal_create(1, 0, NULL, &done);
    memset(from, 7, sizeof from);
    ok(hsa_amd_memory_copy_engine_status(gpu, cpu, &engines) == HSA_STATUS_SUCCESS && engines, "engines: %#x", engines);
    ok(hsa_amd_memory_copy_engine_status(gpu, gpu, &engines) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_amd_memory_copy_engine_status(gpu, (hsa_agent_t){5}, &engines) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_amd_memory_copy_engine_status(gpu, cpu, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong agents");
    ok(hsa_amd_memory_async_copy_on_engine(
           to, gpu, from, cpu, BYTES, 1, &before, done, (hsa_amd_sdma_engine_id_t)engines, false) == HSA_STATUS_SUCCESS,
       "a copy by that engine");
    usleep(1000);
    bool waits = !to[0];
    hsa_signal_store_screlease(before, 0);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    ok(waits && !memcmp(from, to, BYTES), "waits for its dependency and is done");
    static const int wrong[] = {0, 3, 0x10000, HSA_AMD_SDMA_ENGINE_1};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(hsa_amd_memory_async_copy_on_engine(
               to, gpu, from, cpu, BYTES, 0, NULL, done, (hsa_amd_sdma_engine_id_t)wrong[i], true) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
           "a copy by engine %#x is refused", (unsigned)wrong[i]);
    ok(hsa_amd_memory_async_copy_on_engine(to, gpu, from, cpu, BYTES, 0, NULL, (hsa_signal_t){0}, HSA_AMD_SDMA_ENGINE_0,
                                           true) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a copy without a completion signal is refused");
    hsa_signal_destroy(before);
    hsa_signal_destroy(done);
}

static void files(void)
{
    enum { BYTES = 3 * 4096 };
    char *memory = NULL, *mapped;
    int file = -1, on_stack = 0;
    uint64_t offset = 99;
    hsa_amd_memory_pool_allocate(pool, BYTES, 0, (void **)&memory);
    memset(memory, 3, BYTES);
    ok(hsa_amd_portable_export_dmabuf(memory + 100, 4096, &file, &offset) == HSA_STATUS_SUCCESS && file >= 0 &&
           offset == 100,
       "memory becomes a file");
    mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    memory[200] = 5;
    bool same = mapped != MAP_FAILED && mapped[0] == 3 && mapped[200] == 5;
    if (mapped != MAP_FAILED)
        mapped[201] = 6;
    ok(same && memory[201] == 6, "the mapped file shows the same bytes as the memory");
    ok(hsa_amd_memory_pool_free(memory) == HSA_STATUS_SUCCESS && mapped[201] == 6,
       "the mapped file keeps its bytes when the memory is freed");
    ok(hsa_amd_portable_close_dmabuf(file) == HSA_STATUS_SUCCESS &&
           hsa_amd_portable_close_dmabuf(file) == HSA_STATUS_ERROR_RESOURCE_FREE &&
           hsa_amd_portable_close_dmabuf(1) == HSA_STATUS_ERROR_RESOURCE_FREE &&
           hsa_amd_portable_close_dmabuf(-1) == HSA_STATUS_ERROR_RESOURCE_FREE,
       "the file can be closed once");
    munmap(mapped, BYTES);
    hsa_amd_memory_pool_allocate(pool, BYTES, 0, (void **)&memory);
    file = -7;
    ok(hsa_amd_portable_export_dmabuf(memory + 1, BYTES, &file, &offset) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_amd_portable_export_dmabuf(&on_stack, 4, &file, &offset) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           hsa_amd_portable_export_dmabuf(NULL, 4, &file, &offset) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_portable_export_dmabuf(memory, 4, NULL, &offset) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_portable_export_dmabuf(memory, 4, &file, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT && file == -7,
       "wrong arguments of exports are refused");
    hsa_amd_memory_pool_free(memory);
}

static void refusals(void)
{
    ok(hsa_amd_spm_acquire(gpu) == HSA_STATUS_ERROR && hsa_amd_spm_release(gpu) == HSA_STATUS_ERROR &&
           hsa_amd_spm_set_dest_buffer(gpu, 0, NULL, NULL, NULL, NULL) == HSA_STATUS_ERROR &&
           hsa_amd_spm_acquire((hsa_agent_t){1}) == HSA_STATUS_ERROR_INVALID_AGENT,
       "there is no performance monitor");
    ok(hsa_amd_agent_set_async_scratch_limit(gpu, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_agent_set_async_scratch_limit((hsa_agent_t){1}, 0) == HSA_STATUS_ERROR_INVALID_AGENT,
       "there is no private memory that is reclaimed");
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    ok(hsa_amd_spm_acquire(gpu) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_amd_portable_close_dmabuf(0) == HSA_STATUS_ERROR_NOT_INITIALIZED &&
           hsa_amd_memory_copy_engine_status(gpu, cpu, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED,
       "before the start");
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", &cpu);
    hsa_amd_agent_iterate_memory_pools(gpu, find_pool, &pool);
    copies();
    files();
    refusals();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
