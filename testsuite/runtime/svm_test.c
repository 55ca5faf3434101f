/* SPDX-License-Identifier: MIT */
/* Tests attributes of shared virtual memory, prefetching, and memory that is shared between processes and with other
 * interfaces. Expected is what the documents say: attributes that were set are found again, page by page. */
#define _GNU_SOURCE
#include "testsuite/runtime/common.h"

#include "hsa/hsa_ext_image.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t pool;

static hsa_status_t set(char *at, size_t size, uint64_t attribute, uint64_t value)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, value};
    return hsa_amd_svm_attributes_set(at, size, &pair, 1);
}

static uint64_t get(char *at, size_t size, uint64_t attribute)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, 77};
    return hsa_amd_svm_attributes_get(at, size, &pair, 1) == HSA_STATUS_SUCCESS ? pair.value : 99;
}

static uint64_t access_of(char *at, size_t size, hsa_agent_t agent)
{
    hsa_amd_svm_attribute_pair_t pair = {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, agent.handle};
    return hsa_amd_svm_attributes_get(at, size, &pair, 1) == HSA_STATUS_SUCCESS ? pair.attribute : 99;
}

static void attributes(char *at)
{
    ok(get(at, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED &&
           get(at, PAGE, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == 0 && get(at, 1, HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 0,
       "memory starts with defaults");
    ok(set(at + PAGE, 2 * PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 1) == HSA_STATUS_SUCCESS &&
           get(at, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 0 &&
           get(at + PAGE, 1, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 1 &&
           get(at + 2 * PAGE, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 1 &&
           get(at + 3 * PAGE, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 0,
       "a range gets an attribute, its neighbours do not");
    ok(get(at, 4 * PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE &&
           get(at + PAGE, 2 * PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 1 &&
           get(at + 2 * PAGE, 2 * PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE,
       "a range of unlike parts is indeterminate");
    ok(set(at + PAGE + 7, 1, HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 5) == HSA_STATUS_SUCCESS &&
           get(at + PAGE, PAGE, HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 1 &&
           get(at + PAGE, 2 * PAGE, HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 0 &&
           get(at + PAGE, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == 1,
       "ranges are whole pages and split");
    set(at, PAGE, HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 3);
    set(at + PAGE, PAGE, HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 5);
    ok(get(at, 2 * PAGE, HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY) == 3, "the smallest granularity counts");
    ok(set(at, 2 * PAGE, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, gpu.handle) == HSA_STATUS_SUCCESS &&
           get(at, 2 * PAGE, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == gpu.handle &&
           get(at, 3 * PAGE, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == 0 &&
           set(at, PAGE, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 12345) == HSA_STATUS_ERROR_INVALID_AGENT,
       "a location is an agent");
    ok(access_of(at, PAGE, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE &&
           set(at, PAGE, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, gpu.handle) == HSA_STATUS_SUCCESS &&
           access_of(at, PAGE, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE &&
           access_of(at, PAGE, cpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE &&
           access_of(at, 2 * PAGE, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE &&
           set(at + PAGE, PAGE, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, gpu.handle) == HSA_STATUS_SUCCESS &&
           access_of(at, 2 * PAGE, gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS,
       "access is per agent");
    ok(set(at, PAGE, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, gpu.handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           set(at, PAGE, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu.handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           set(at, PAGE, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 2) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           set(at, PAGE, 500, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           set(at, 0, HSA_AMD_SVM_ATTRIB_READ_ONLY, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           set(at, SIZE_MAX, HSA_AMD_SVM_ATTRIB_READ_ONLY, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           get(at, PAGE, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS) == 99,
       "attributes that cannot be set or asked for are refused");
}

/* Compares random ranges with an array that has an entry for each page. */
static void random_ranges(char *at)
{
    enum { PAGES = 64, ROUNDS = 3000 };
    uint64_t model[PAGES] = {0}, state = 4242;
    int wrong = 0;
    set(at, PAGES * PAGE, HSA_AMD_SVM_ATTRIB_HIVE_LOCAL, 0);
    for (int i = 0; i < ROUNDS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned from = state >> 33 & 63, count = 1 + (state >> 40) % (PAGES - from), value = state >> 60 & 1;
        if (state >> 59 & 1) {
            wrong += set(at + from * PAGE, count * PAGE, HSA_AMD_SVM_ATTRIB_HIVE_LOCAL, value) != HSA_STATUS_SUCCESS;
            for (unsigned p = from; p < from + count; p++)
                model[p] = value;
        } else {
            uint64_t all = 1;
            for (unsigned p = from; p < from + count; p++)
                all &= model[p];
            wrong += get(at + from * PAGE, count * PAGE, HSA_AMD_SVM_ATTRIB_HIVE_LOCAL) != all;
        }
    }
    ok(!wrong, "%d random ranges agree with an array of pages", ROUNDS);
}

static void prefetch(char *at)
{
    hsa_signal_t wait, done;
    hsa_signal_create(1, 0, NULL, &wait);
    hsa_signal_create(1, 0, NULL, &done);
    ok(hsa_amd_svm_prefetch_async(at, PAGE, gpu, 1, &wait, done) == HSA_STATUS_SUCCESS &&
           hsa_signal_load_scacquire(done) == 1 && get(at, PAGE, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) == 0,
       "a prefetch waits for its dependency");
    hsa_signal_store_screlease(wait, 0);
    ok(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 60000000000, HSA_WAIT_STATE_BLOCKED) == 0 &&
           get(at, PAGE, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) == gpu.handle,
       "the prefetch is done after that, and its place is known");
    ok(hsa_amd_svm_prefetch_async(at, PAGE, (hsa_agent_t){7}, 0, NULL, done) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_amd_svm_prefetch_async(NULL, PAGE, gpu, 0, NULL, done) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_svm_prefetch_async(at, PAGE, gpu, 0, NULL, (hsa_signal_t){64}) == HSA_STATUS_ERROR_INVALID_SIGNAL,
       "wrong prefetches are refused");
    hsa_signal_destroy(wait);
    hsa_signal_destroy(done);
}

/* ---- between processes: this program runs itself with the handle as its argument ---- */

static int other_process(const char *text)
{
    hsa_amd_ipc_memory_t handle;
    uint32_t *memory = NULL, value = 0;
    for (int i = 0; i < 8; i++)
        sscanf(text + i * 8, "%8x", &handle.handle[i]);
    if (hsa_init() != HSA_STATUS_SUCCESS ||
        hsa_amd_ipc_memory_attach(&handle, 8192, 0, NULL, (void **)&memory) != HSA_STATUS_SUCCESS)
        return 1;
    value = memory[0];
    memory[1] = value + 1;
    return hsa_amd_ipc_memory_detach(memory) == HSA_STATUS_SUCCESS && hsa_shut_down() == HSA_STATUS_SUCCESS ? 0 : 2;
}

static int run_other(const char *self, const hsa_amd_ipc_memory_t *handle)
{
    char text[65];
    int status = -1;
    for (int i = 0; i < 8; i++)
        snprintf(text + i * 8, 9, "%08x", handle->handle[i]);
    pid_t child = fork();
    if (!child) {
        execl(self, self, text, (char *)NULL);
        _exit(9);
    }
    waitpid(child, &status, 0);
    return status;
}

static void sharing(const char *self)
{
    uint32_t *memory = NULL, *again = NULL;
    hsa_amd_ipc_memory_t handle, wrong = {{1, 2, 3}};
    hsa_amd_memory_pool_allocate(pool, 8192, 0, (void **)&memory);
    memory[0] = 41;
    memory[2047] = 17;
    ok(hsa_amd_ipc_memory_create(memory, 8192, &handle) == HSA_STATUS_SUCCESS && memory[0] == 41 && memory[2047] == 17,
       "an allocation becomes sharable and keeps its content");
    ok(run_other(self, &handle) == 0 && memory[1] == 42, "another process reads and writes it");
    ok(hsa_amd_ipc_memory_attach(&handle, 8192, 1, &gpu, (void **)&again) == HSA_STATUS_SUCCESS && again != memory &&
           again[1] == 42 && (again[5] = 5, memory[5] == 5) && hsa_amd_ipc_memory_detach(again) == HSA_STATUS_SUCCESS &&
           hsa_amd_ipc_memory_detach(again) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "this process reads and writes it at another address");
    ok(hsa_amd_ipc_memory_create(memory, 4096, &wrong) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_memory_create(memory + 1, 8192, &wrong) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_memory_create(memory, 8192, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_memory_attach(&wrong, 8192, 0, NULL, (void **)&again) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_memory_attach(&handle, 4096, 0, NULL, (void **)&again) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong sizes, addresses and handles are refused");
    hsa_amd_memory_pool_free(memory);
    ok(hsa_amd_ipc_memory_attach(&handle, 8192, 0, NULL, (void **)&again) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a handle ends with its allocation");
    int bad = 0;
    for (unsigned i = 0; i < 2000; i++) { /* handles of any content */
        hsa_amd_ipc_memory_t damaged = handle;
        damaged.handle[i % 8] ^= i * 2654435761u;
        bad += hsa_amd_ipc_memory_attach(&damaged, 8192, 0, NULL, (void **)&again) == HSA_STATUS_SUCCESS;
    }
    ok(!bad, "damaged handles are refused");
}

static void interop(void)
{
    int file = memfd_create("buffer", MFD_CLOEXEC);
    size_t size = 0, metadata = 1;
    char *memory = NULL;
    ok(!ftruncate(file, 5000) && pwrite(file, "x", 1, 4999) == 1 &&
           hsa_amd_interop_map_buffer(1, &gpu, file, 0, &size, (void **)&memory, &metadata, NULL) ==
               HSA_STATUS_SUCCESS &&
           size == 5000 && metadata == 0 && memory[4999] == 'x' &&
           hsa_amd_interop_unmap_buffer(memory) == HSA_STATUS_SUCCESS &&
           hsa_amd_interop_unmap_buffer(memory) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a file is mapped and unmapped");
    ok(hsa_amd_interop_map_buffer(1, &gpu, -1, 0, &size, (void **)&memory, NULL, NULL) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_interop_map_buffer(1, &gpu, file, 1, &size, (void **)&memory, NULL, NULL) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong files and flags are refused");
    close(file);
}

int main(int argc, char **argv)
{
    setenv("HSA_AGENT_DRIVERS", "", 1);
    if (argc > 1)
        return other_process(argv[1]);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", &cpu);
    hsa_amd_agent_iterate_memory_pools(gpu, find_pool, &pool);
    char *at = mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attributes(at);
    random_ranges(at);
    prefetch(at);
    sharing("/proc/self/exe");
    interop();
    ok(hsa_amd_ipc_signal_create((hsa_signal_t){0}, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_attach(NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "only signals that were made for sharing can be shared");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    return tap_done();
}
