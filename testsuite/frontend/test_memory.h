/* SPDX-License-Identifier: MIT */
/* An allocator for contexts that counts its blocks, knows which are its own, and fails on demand. */
#ifndef TESTSUITE_FRONTEND_TEST_MEMORY_H
#define TESTSUITE_FRONTEND_TEST_MEMORY_H

#include "hsail/hsail.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct memory {
    long blocks;    /* blocks that have not been released yet */
    long countdown; /* how many allocations still succeed; negative: all */
    bool once;      /* allocations after the failure succeed again */
    bool failed;
    bool wrong_owner; /* a block of another allocator was released here */
};

union memory_head {
    struct memory *owner;
    _Alignas(16) char align[16];
};

static bool memory_fails(struct memory *memory)
{
    if (memory->countdown < 0 || (memory->once && memory->failed))
        return false;
    if (memory->countdown > 0) {
        memory->countdown--;
        return false;
    }
    return memory->failed = true;
}

/* The bytes of new blocks are not zero. */
static void *memory_allocate(void *user, size_t size)
{
    struct memory *memory = user;
    union memory_head *head = memory_fails(memory) ? NULL : malloc(sizeof *head + size);
    if (!head)
        return NULL;
    head->owner = memory;
    memory->blocks++;
    return memset(head + 1, 0xa5, size);
}

static void *memory_reallocate(void *user, void *block, size_t size)
{
    struct memory *memory = user;
    union memory_head *head = (union memory_head *)block - 1;
    memory->wrong_owner |= head->owner != memory;
    head = memory_fails(memory) ? NULL : realloc(head, sizeof *head + size);
    return head ? head + 1 : NULL;
}

static void memory_release(void *user, void *block)
{
    struct memory *memory = user;
    union memory_head *head = (union memory_head *)block - 1;
    memory->wrong_owner |= head->owner != memory;
    memory->blocks--;
    free(head);
}

static inline hsail_allocator_t memory_allocator(struct memory *memory)
{
    return (hsail_allocator_t){memory_allocate, memory_reallocate, memory_release, memory};
}

/* Whether all blocks have been released, and none of another allocator. */
static inline bool memory_clean(const struct memory *memory)
{
    return !memory->blocks && !memory->wrong_owner;
}

#endif
