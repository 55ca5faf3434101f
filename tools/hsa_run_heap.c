/* SPDX-License-Identifier: MIT */
/* Preloaded by hsa-run where the checker of memory looks at kernels that may use all memory of the process: knows the
 * blocks of malloc(), so that an access beyond the end of one is found.
 *
 * Input: calls of the allocator. Output: hsa_run_block(), for the runtime. Invariant: the program gets the very blocks
 * that it would get from libc. A table has a byte for each 16 bytes of the address space; pages of it that nobody
 * writes take no memory. Large blocks are in a list instead; all that have a mapping of their own are among them, so
 * none goes away while it is looked at. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

/* The allocator of libc by the names under which it calls itself. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

enum { UNIT = 16, PAGE = 4096, LARGE = 128 << 10, LARGE_FIRST = 4096 };
#define ADDRESSES (UINT64_C(1) << 47)

struct large_block {
    uint64_t from, size;
};

static uint8_t *units; /* of the first unit of a block: 1 + bytes that the block has beyond what was asked for */
static struct {
    pthread_mutex_t lock;
    struct large_block *blocks; /* in memory of its own, as malloc() is what is watched */
    size_t count, room;
    bool is_incomplete; /* there was no memory for a block */
} large = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Makes the table, at the first call of all. */
static bool is_ready(void)
{
    static bool tried;
    if (!units && !tried) {
        tried = true;
        void *table =
            mmap(NULL, ADDRESSES / UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        units = table == MAP_FAILED ? NULL : table;
    }
    return units;
}

static void lock_large(void)
{
    pthread_mutex_lock(&large.lock);
}

static void unlock_large(void)
{
    pthread_mutex_unlock(&large.lock);
}

/* A child must not inherit a lock that a thread which it does not have holds. */
__attribute__((constructor)) static void prepare_forks(void)
{
    pthread_atfork(lock_large, unlock_large, unlock_large);
}

/* Makes room for another block; false if memory has run out. The caller holds the lock. */
static bool grow_large(void)
{
    size_t item = sizeof *large.blocks, room = large.room ? 2 * large.room : LARGE_FIRST;
    if (large.count < large.room)
        return true;
    void *blocks = large.room ? mremap(large.blocks, large.room * item, room * item, MREMAP_MAYMOVE)
                              : mmap(NULL, room * item, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (blocks == MAP_FAILED)
        return false;
    large.blocks = blocks;
    large.room = room;
    return true;
}

static void add_large(uint64_t from, uint64_t size)
{
    lock_large();
    if (grow_large())
        large.blocks[large.count++] = (struct large_block){from, size};
    else
        large.is_incomplete = true;
    unlock_large();
}

static void remove_large(uint64_t from)
{
    lock_large();
    size_t i = 0;
    while (i < large.count && large.blocks[i].from != from)
        i++;
    if (i < large.count)
        large.blocks[i] = large.blocks[--large.count];
    unlock_large();
}

/* Notes BLOCK, of which SIZE bytes were asked for. */
static void *note(void *block, size_t size)
{
    size_t has = block && is_ready() ? malloc_usable_size(block) : 0;
    if (has >= LARGE)
        add_large((uintptr_t)block, size);
    else if (has)
        units[(uintptr_t)block / UNIT] = (uint8_t)(1 + (has - size < 254 ? has - size : 254));
    return block;
}

static void forget(void *block)
{
    if (!block || !units)
        return;
    units[(uintptr_t)block / UNIT] = 0;
    if (malloc_usable_size(block) >= LARGE)
        remove_large((uintptr_t)block);
}

EXPORT void *malloc(size_t size)
{
    return note(__libc_malloc(size), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return note(__libc_calloc(count, size), count * size);
}

EXPORT void *realloc(void *block, size_t size)
{
    size_t had = block ? malloc_usable_size(block) : 0;
    forget(block);
    void *other = __libc_realloc(block, size);
    return other || !size ? note(other, size) : note(block, had);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return note(__libc_memalign(alignment, size), size);
}

EXPORT void *valloc(size_t size)
{
    return memalign(PAGE, size);
}

EXPORT void *pvalloc(size_t size)
{
    return memalign(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (!alignment || alignment % sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *found = memalign(alignment, size);
    if (!found)
        return ENOMEM;
    *block = found;
    return 0;
}

EXPORT void free(void *block)
{
    forget(block);
    __libc_free(block);
}

/* ---- for the runtime ---- */

/* Finds the large block that holds ADDRESS, or that ends in the same page. */
static bool find_large(uint64_t address, uint64_t *from, uint64_t *size)
{
    bool found = false;
    lock_large();
    for (size_t i = 0; i < large.count && !found; i++) {
        *from = large.blocks[i].from;
        *size = large.blocks[i].size;
        found = address - *from < malloc_usable_size((void *)(uintptr_t)*from);
    }
    unlock_large();
    return found;
}

/* Finds the block that holds ADDRESS. Returns 1: *FROM and *SIZE are set; 0: nothing is known of that place; -1: the
 * allocator has blocks near ADDRESS, but none there, and they tell of the one before it. */
EXPORT int hsa_run_block(uint64_t address, uint64_t *from, uint64_t *size);
EXPORT int hsa_run_block(uint64_t address, uint64_t *from, uint64_t *size)
{
    if (!units || address >= ADDRESSES)
        return 0;
    if (find_large(address, from, size))
        return address - *from < *size ? 1 : -1;
    uint64_t last = address / UNIT, first = last < LARGE / UNIT ? 0 : last - LARGE / UNIT;
    while (last > first && !units[last])
        last--;
    if (!units[last])
        return 0;
    *from = last * UNIT;
    *size = malloc_usable_size((void *)(uintptr_t)*from) - (units[last] - 1u);
    if (address - *from < *size)
        return 1;
    return large.is_incomplete ? 0 : -1; /* it may be in a block that had no room in the list */
}
