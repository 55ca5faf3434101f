/* SPDX-License-Identifier: MIT */
/* Tests memory whose addresses and pages are managed apart: the same pages at two addresses and in two processes, what
 * accesses allow, lives of handles, and the log of copies. */
#include "testsuite/runtime/common.h"

#include <signal.h>
#include <sys/wait.h>

enum { SIZE = 8192 };

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t pool;

static hsa_amd_vmem_alloc_handle_t pages_of(size_t size)
{
    hsa_amd_vmem_alloc_handle_t made = {0};
    hsa_amd_vmem_handle_create(pool, size, MEMORY_TYPE_NONE, 0, &made);
    return made;
}

static char *reserved(uint64_t alignment)
{
    void *at = NULL;
    hsa_amd_vmem_address_reserve_align(&at, SIZE, 0, alignment, 0);
    return at;
}

static hsa_status_t allow(void *at, hsa_agent_t agent, hsa_access_permission_t permission)
{
    return hsa_amd_vmem_set_access(at, SIZE, &(hsa_amd_memory_access_desc_t){permission, agent}, 1);
}

/* Whether a child ends by a fault when it reads, or writes, at an address. */
static bool faults_at(volatile char *at, bool write)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler */
        char was = *at;
        if (write)
            *at = was;
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void addresses(void)
{
    char *first = reserved(0), *large = reserved(1 << 21);
    void *wish = NULL, *taken = NULL;
    ok(first && large && (uintptr_t)large % (1 << 21) == 0, "addresses are reserved, and aligned");
    ok(hsa_amd_vmem_address_free(first, SIZE) == HSA_STATUS_SUCCESS &&
           hsa_amd_vmem_address_reserve(&wish, SIZE, (uintptr_t)first, 0) == HSA_STATUS_SUCCESS && wish == first &&
           hsa_amd_vmem_address_reserve(&taken, SIZE, (uintptr_t)first, 0) == HSA_STATUS_SUCCESS && taken != first,
       "where the client wants them, unless they are taken");
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    ok(hsa_amd_pointer_info(first + 5, &info, NULL, NULL, NULL) == HSA_STATUS_SUCCESS &&
           info.type == HSA_EXT_POINTER_TYPE_RESERVED_ADDR && info.agentBaseAddress == first &&
           info.sizeInBytes == SIZE,
       "an address is known to be reserved");
    ok(faults_at(first, false), "nothing is there");
    hsa_amd_vmem_address_free(first, SIZE);
    hsa_amd_vmem_address_free(large, SIZE);
    hsa_amd_vmem_address_free(taken, SIZE);
}

static void views(void)
{
    hsa_amd_vmem_alloc_handle_t pages = pages_of(SIZE), same = {0};
    char *a = reserved(0), *b = reserved(0), text[8] = "text";
    hsa_access_permission_t permission = HSA_ACCESS_PERMISSION_NONE;
    ok(!hsa_amd_vmem_map(a, SIZE, 0, pages, 0) && !hsa_amd_vmem_map(b, SIZE, 0, pages, 0) && faults_at(a, false),
       "a mapping may not be accessed at first");
    ok(hsa_memory_copy(a, text, 5) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_memory_fill(a, 1, 2) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "not even by the runtime");
    ok(!allow(a, cpu, HSA_ACCESS_PERMISSION_RW) && !allow(b, cpu, HSA_ACCESS_PERMISSION_RO), "access is given");
    strcpy(a + 4090, text);
    ok(!strcmp(b + 4090, text) && b[0] == 0, "the same pages are at both addresses");
    ok(!faults_at(a, true) && !faults_at(b, false) && faults_at(b, true), "one of them may only be read");
    ok(!hsa_amd_memory_fill(a, 7, 2) && b[0] == 7 && b[4] == 7 && b[8] == 0, "the runtime fills the other");
    ok(!allow(b, gpu, HSA_ACCESS_PERMISSION_RW) && !hsa_amd_vmem_get_access(b + 1, &permission, gpu) &&
           permission == HSA_ACCESS_PERMISSION_RW && !hsa_amd_vmem_get_access(b, &permission, cpu) &&
           permission == HSA_ACCESS_PERMISSION_RO,
       "agents have accesses of their own");
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    uint32_t count = 0;
    hsa_agent_t *agents = NULL;
    ok(!hsa_amd_pointer_info(a, &info, malloc, &count, &agents) && info.type == HSA_EXT_POINTER_TYPE_HSA &&
           info.agentBaseAddress == a && count == 1 && agents[0].handle == cpu.handle,
       "a mapping is known with those that may access it");
    free(agents);
    ok(hsa_memory_free(a) == HSA_STATUS_ERROR_INVALID_ALLOCATION, "it is no allocation");
    ok(!hsa_amd_vmem_handle_release(pages) && !hsa_amd_vmem_unmap(b, SIZE) && !strcmp(a + 4090, text) &&
           hsa_amd_vmem_handle_release(pages) == HSA_STATUS_ERROR_INVALID_ALLOCATION,
       "pages stay while they are mapped");
    ok(!hsa_amd_vmem_retain_alloc_handle(&same, a + 4096) && same.handle == pages.handle &&
           !hsa_amd_vmem_map(b, SIZE, 0, same, 0) && !allow(b, cpu, HSA_ACCESS_PERMISSION_RO) &&
           !strcmp(b + 4090, text) && !hsa_amd_vmem_handle_release(same),
       "and their handle can be had again");
    ok(!hsa_amd_vmem_unmap(a, SIZE) && !hsa_amd_vmem_unmap(b, SIZE) &&
           hsa_amd_vmem_retain_alloc_handle(&same, a) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
           !hsa_amd_vmem_address_free(a, SIZE) && !hsa_amd_vmem_address_free(b, SIZE),
       "until nothing is left of them");
}

/* A file that stands for pages is mapped like a handle, here and in another process. */
static void sharing(void)
{
    hsa_amd_vmem_alloc_handle_t pages = pages_of(SIZE), other = {0};
    char *a = reserved(0), *b = reserved(0);
    int file = -1, status = -1;
    hsa_amd_vmem_map(a, SIZE, 0, pages, 0);
    allow(a, cpu, HSA_ACCESS_PERMISSION_RW);
    ok(!hsa_amd_vmem_export_shareable_handle(&file, pages, 0) && !hsa_amd_vmem_import_shareable_handle(file, &other) &&
           !close(file) && other.handle != pages.handle && !hsa_amd_vmem_map(b, SIZE, 0, other, 0) &&
           !allow(b, cpu, HSA_ACCESS_PERMISSION_RW),
       "pages travel as a file");
    a[100] = 42;
    ok(b[100] == 42, "and are the same");
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        b[200] = 43;
        _exit(0);
    }
    waitpid(child, &status, 0);
    ok(!status && a[200] == 43, "in another process, too");
}

static void logging(void)
{
    char *line = NULL, from[16] = "copied", to[16] = "";
    size_t length = 0;
    uint8_t flags[8] = {0};
    FILE *file = open_memstream(&line, &length);
    hsa_signal_t done;
    hsa_signal_create(1, 0, NULL, &done);
    hsa_flag_set64(flags, HSA_AMD_LOG_FLAG_BLIT_KERNEL_PKTS);
    ok(hsa_flag_isset64(flags, 0) && !hsa_flag_isset64(flags, 1) && flags[0] == 1, "flags are set and tested");
    hsa_amd_enable_logging(flags, file);
    hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 0, NULL, done);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_amd_enable_logging((uint8_t[8]){0}, NULL);
    hsa_signal_store_relaxed(done, 1);
    hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 0, NULL, done);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    fclose(file);
    ok(line && strstr(line, "16 bytes") && strchr(line, '\n') == line + length - 1,
       "a copy is logged, the next is not");
    free(line);
}

static hsa_status_t keep_pool(hsa_amd_memory_pool_t found, void *data)
{
    uint32_t flags = 0;
    bool allowed = false;
    hsa_amd_memory_pool_get_info(found, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
    hsa_amd_memory_pool_get_info(found, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    if (allowed && flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
        *(hsa_amd_memory_pool_t *)data = found;
    return HSA_STATUS_SUCCESS;
}

static unsigned told;

static void on_release(void *ptr, void *user_data)
{
    told += ptr == user_data ? 1 : 100;
}

/* Memory that the host's driver gave out moves between pools; an address inside it can be watched. */
static void moving(void)
{
    hsa_amd_memory_pool_t coarse = {0};
    void *block = NULL;
    bool can = false;
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_amd_agent_iterate_memory_pools(gpu, keep_pool, &coarse);
    hsa_amd_memory_pool_allocate(pool, 4096, 0, &block);
    memcpy(block, "kept", 5);
    ok(coarse.handle && !hsa_amd_memory_pool_can_migrate(pool, coarse, &can) && can,
       "pools between which memory moves");
    ok(!hsa_amd_memory_migrate(block, coarse, 0) && !hsa_amd_pointer_info(block, &info, NULL, NULL, NULL) &&
           info.agentOwner.handle == gpu.handle && !strcmp(block, "kept"),
       "memory moves to the agent and keeps its content");
    char *inside = (char *)block + 100;
    ok(!hsa_amd_register_deallocation_callback(inside, on_release, inside) &&
           !hsa_amd_register_deallocation_callback(block, on_release, block) &&
           !hsa_amd_register_deallocation_callback(block, on_release, block) &&
           !hsa_amd_deregister_deallocation_callback(block, on_release) &&
           hsa_amd_deregister_deallocation_callback(inside + 1, on_release) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           !hsa_amd_memory_pool_free(block) && told == 2,
       "each watched address is told with its data");
}

int main(void)
{
    setenv("HSA_AGENT_DRIVERS", "", 1);
    bool supported = false;
    ok(hsa_init() == HSA_STATUS_SUCCESS &&
           !hsa_system_get_info((hsa_system_info_t)HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, &supported) &&
           supported,
       "start");
    gpu = agent_named("gfx900", &cpu);
    hsa_amd_agent_iterate_memory_pools(cpu, find_pool, &pool);
    addresses();
    views();
    sharing();
    moving();
    logging();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with mappings left");
    return tap_done();
}
