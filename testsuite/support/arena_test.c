/* SPDX-License-Identifier: MIT */
/* Tests the arena, vectors, and the functions that make a chosen allocation fail. */
#include "support/arena.h"
#include "support/bytes.h"
#include "support/vec.h"
#include "testsuite/tap.h"

static void arena_keeps_blocks_apart(void)
{
    struct arena arena = {0};
    bool distinct = true, aligned = true;
    unsigned char *last = NULL;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *block = arena_alloc(&arena, size);
        distinct &= block && block != last;
        aligned &= ((uintptr_t)block & 15) == 0;
        memset(block, (int)size, size);
        last = block;
    }
    ok(distinct && aligned, "arena blocks are distinct and aligned");
    ok(arena_alloc(&arena, SIZE_MAX - 3) == NULL, "an impossible size gives NULL");
    ok(arena_zalloc(&arena, SIZE_MAX / 2, 3) == NULL, "an overflowing product gives NULL");
    arena_free(&arena);
    mem_fail_after(0);
    ok(arena_alloc(&arena, 1) == NULL, "a failed allocation gives NULL");
    ok(mem_fail_after(-1) == 1, "the injected failure is reported");
    arena_free(&arena);
}

static void vec_grows(void)
{
    VEC(uint32_t) v = {0};
    bool good = true;
    for (uint32_t i = 0; i < 10000; i++)
        good &= vec_push(&v, i);
    for (uint32_t i = 0; i < 10000; i++)
        good &= v.items[i] == i;
    ok(good && v.count == 10000, "vector keeps its items");
    mem_fail_after(0);
    ok(!vec_reserve(&v, 100000) && v.items[9999] == 9999, "a failed growth changes nothing");
    mem_fail_after(-1);
    ok(!vec_reserve(&v, SIZE_MAX), "an overflowing reservation is refused");
    vec_free(&v);
}

static void ranges(void)
{
    ok(range_inside(4, 4, 8) && !range_inside(5, 4, 8), "ranges end at the end");
    ok(!range_inside(UINT64_MAX, 2, 8) && !range_inside(2, UINT64_MAX, 8), "ranges do not wrap around");
    ok(align_up(13, 8) == 16 && align_up(16, 8) == 16, "align_up");
}

int main(void)
{
    arena_keeps_blocks_apart();
    vec_grows();
    ranges();
    return tap_done();
}
