/* SPDX-License-Identifier: MIT */
/* Runs a kernel of freed.s, which reads 64 dwords, on memory that HSA was not told about. The first argument names the
 * code object, the second one the kind of memory. heap.sh looks at what the checker of memory says. */
#include "testsuite/runtime/common.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 64, LARGE = 4 << 20 };

static uint32_t fixed[ITEMS] = {1};
static const void *volatile place; /* what the kernel reads; the leak checker finds it here, as it is not freed */

static void *from_realloc(size_t size)
{
    void *block = malloc(16), *other = malloc(16); /* so that it has to move */
    block = realloc(block, size);
    free(other);
    return block;
}

static void *from_mmap(void)
{
    void *pages = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* The end of a large block after thousands of others, which take addresses but no memory. */
static void *from_many(void)
{
    enum { BLOCKS = 5000, SIZE = 160 << 10 };
    char *volatile block = NULL;
    for (int i = 0; i < BLOCKS; i++)
        block = malloc(SIZE);
    return block ? block + SIZE - 4 * ITEMS + 4 : NULL;
}

static atomic_bool enough;

static void *allocate_and_free(void *unused)
{
    (void)unused;
    while (!enough) {
        void *volatile block = malloc(LARGE);
        free(block);
    }
    return NULL;
}

/* Forks while other threads are in the allocator. NULL: a child has waited for one of them, which it does not have. */
static void *from_forks(void)
{
    enum { THREADS = 4, FORKS = 200 };
    pthread_t threads[THREADS];
    bool good = true;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, allocate_and_free, NULL))
            exit(99);
    for (int i = 0; i < FORKS && good; i++) {
        int status = 1;
        pid_t child = fork();
        if (!child) {
            alarm(60);
            void *volatile block = malloc(LARGE);
            _exit(!block);
        }
        good = child > 0 && waitpid(child, &status, 0) == child && !status;
    }
    enough = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return good ? malloc(4 * ITEMS) : NULL;
}

/* The address that KIND names; ON_STACK has room for what the kernel reads. */
static const void *address_of(const char *kind, const uint32_t *on_stack)
{
    if (!strcmp(kind, "block"))
        return malloc(4 * ITEMS);
    if (!strcmp(kind, "short"))
        return malloc(4 * ITEMS - 3);
    if (!strcmp(kind, "before"))
        return (uint32_t *)calloc(ITEMS, 4) - 1;
    if (!strcmp(kind, "moved"))
        return from_realloc(4 * ITEMS);
    if (!strcmp(kind, "moved-short"))
        return from_realloc(4 * ITEMS - 8);
    if (!strcmp(kind, "aligned"))
        return aligned_alloc(256, 4 * ITEMS);
    if (!strcmp(kind, "large"))
        return (char *)malloc(LARGE) + LARGE - 4 * ITEMS;
    if (!strcmp(kind, "large-short"))
        return (char *)malloc(LARGE) + LARGE - 4 * ITEMS + 4;
    if (!strcmp(kind, "many"))
        return from_many();
    if (!strcmp(kind, "forks"))
        return from_forks();
    if (!strcmp(kind, "pages"))
        return from_mmap();
    return !strcmp(kind, "stack") ? on_stack : fixed;
}

static hsa_status_t take_kernarg(hsa_region_t region, void *data)
{
    hsa_region_global_flag_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
        return HSA_STATUS_SUCCESS;
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

int main(int argc, char **argv)
{
    uint32_t on_stack[ITEMS] = {0}, *out = NULL;
    uint64_t object = 0, *kernarg;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    hsa_code_object_reader_t reader;
    hsa_signal_t done;
    hsa_queue_t *queue;
    if (argc != 3 || hsa_init() != HSA_STATUS_SUCCESS)
        return 99;
    hsa_agent_t agent = agent_named("gfx900", NULL);
    hsa_region_t region = {0};
    hsa_agent_iterate_regions(agent, take_kernarg, &region);
    if (hsa_code_object_reader_create_from_file(open(argv[1], O_RDONLY), &reader) != HSA_STATUS_SUCCESS ||
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable) !=
            HSA_STATUS_SUCCESS ||
        hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL) != HSA_STATUS_SUCCESS ||
        hsa_executable_freeze(executable, NULL) != HSA_STATUS_SUCCESS ||
        hsa_executable_get_symbol_by_name(executable, "k", &agent, &symbol) != HSA_STATUS_SUCCESS ||
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object) !=
            HSA_STATUS_SUCCESS ||
        hsa_signal_create(1, 0, NULL, &done) != HSA_STATUS_SUCCESS ||
        hsa_memory_allocate(region, 4096, (void **)&kernarg) != HSA_STATUS_SUCCESS ||
        hsa_memory_allocate(region, 4 * ITEMS, (void **)&out) != HSA_STATUS_SUCCESS ||
        hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue) != HSA_STATUS_SUCCESS)
        return 99;
    place = address_of(argv[2], on_stack);
    kernarg[0] = (uintptr_t)place;
    kernarg[1] = (uintptr_t)out;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(object, ITEMS, done);
    packet.workgroup_size_x = ITEMS;
    packet.kernarg_address = kernarg;
    submit(queue, &packet);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    hsa_queue_destroy(queue);
    return hsa_shut_down() == HSA_STATUS_SUCCESS ? 0 : 99;
}
