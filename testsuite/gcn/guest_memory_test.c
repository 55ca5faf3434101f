/* SPDX-License-Identifier: MIT */
/* Tests the map of memory that kernels of a guarded agent may touch: whatever waves have remembered of it, they are
 * answered what a table of pages says. Ranges come and go meanwhile; some have one page, some more than a leaf of the
 * map, and there are more of them than a wave remembers. Nothing is at these addresses: the map never looks there. */
#include "runtime/gcn/guest_memory.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    PAGES = 5 << 17, /* of the table: 2.5 GiB, so that it has ends of leaves, which have 2^17 pages each */
    RANGES = 24,
    WAVES = 3,
    ROUNDS = 300,
    QUERIES = 400, /* of each round */
};

static const uint64_t first_page = (UINT64_C(0x7123) << 20) - (1 << 17) - 77;
static uint8_t count_of[PAGES]; /* of the ranges that each page is part of */
static struct {
    uint64_t page, pages; /* PAGES is 0 where there is no range */
} ranges[RANGES];
static struct guest_memory *map;
static struct gcn_wave *waves[WAVES];
static uint64_t seed = UINT64_C(0x13198a2e03707344);

static uint64_t pick(uint64_t n)
{
    return xorshift(&seed) % n;
}

static uint64_t address_of(uint64_t page)
{
    return (first_page + page) * PAGE;
}

/* Whether the table has all SIZE bytes at ADDRESS. */
static bool has(uint64_t address, uint64_t size)
{
    for (uint64_t page = address / PAGE; page <= (address + size - 1) / PAGE; page++)
        if (page < first_page || page >= first_page + PAGES || !count_of[page - first_page])
            return false;
    return true;
}

/* Adds range I, or takes it away if there is one. */
static bool change_range(unsigned i)
{
    if (ranges[i].pages) {
        guest_memory_remove(map, (void *)(uintptr_t)address_of(ranges[i].page));
        for (uint64_t k = 0; k < ranges[i].pages; k++)
            count_of[ranges[i].page + k]--;
        ranges[i].pages = 0;
        return true;
    }
    static const uint64_t sizes[] = {1, 3, 511, 512, 513, 1500, 5000, 1 << 17, 300000};
    uint64_t most = sizes[pick(sizeof sizes / sizeof sizes[0])],
             pages = 1 + pick(2) * (most - 1) + pick(2) * pick(most);
    uint64_t page = pick(PAGES - pages);
    for (unsigned k = 0; k < RANGES; k++) /* ranges are removed by their addresses */
        if (ranges[k].pages && ranges[k].page == page)
            return true;
    ranges[i].page = page;
    ranges[i].pages = pages;
    for (uint64_t k = 0; k < pages; k++)
        count_of[page + k]++;
    return guest_memory_add(map, (void *)(uintptr_t)address_of(page), pages * PAGE - pick(PAGE));
}

/* An address near one end of a range, within it, or anywhere. */
static uint64_t some_address(void)
{
    unsigned i = (unsigned)pick(RANGES);
    uint64_t begin = address_of(ranges[i].page), size = ranges[i].pages * PAGE;
    switch (pick(5)) {
    case 0: return begin - 300 + pick(600);
    case 1: return begin + size - 300 + pick(600);
    case 2: return address_of(pick(PAGES)) + pick(PAGE);
    default: return begin + pick(size + 1);
    }
}

/* Asks W for elements of SIZE bytes, a STEP apart, or anywhere if that is 0; returns whether it is told what the table
 * says. */
static bool ask_lanes(struct gcn_wave *w, uint64_t at, uint64_t step, uint64_t size, uint64_t lanes)
{
    uint64_t address[GCN_LANES];
    bool want = true;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        address[i] = step ? at + i * step : some_address();
        if (lanes >> i & 1)
            want &= has(address[i], size);
    }
    return guest_memory_holds_lanes(w, address, lanes, size) == want;
}

/* Asks for something; which waves remember the more of, the more often it is near the same addresses. */
static bool ask(uint64_t near)
{
    static const uint64_t steps[] = {4, 16, 256, 4096, 70000};
    static const uint64_t masks[] = {UINT64_MAX, 1, UINT64_C(1) << 63, 0xFFFF0000, UINT64_C(0xA5A5A5A55A5A5A5A), 0};
    struct gcn_wave *w = waves[pick(WAVES)];
    uint64_t at = pick(4) ? near + pick(4096) : some_address(), size = UINT64_C(1) << pick(5);
    uint64_t lanes = masks[pick(sizeof masks / sizeof masks[0])];
    switch (pick(4)) {
    case 0: return guest_memory_holds(w, at, size * 64) == has(at, size * 64);
    case 1: return ask_lanes(w, at, steps[pick(sizeof steps / sizeof steps[0])], size, lanes);
    case 2: return ask_lanes(w, at, pick(8) ? 4 : 0, size, lanes);
    default: return guest_memory_covers(map, at, size) == has(at, size);
    }
}

/* Whether lanes that are far from each other, within one range, are found where nothing else says so. */
static bool ask_scattered(struct gcn_wave *w)
{
    uint64_t address[GCN_LANES];
    unsigned i = (unsigned)pick(RANGES);
    if (!ranges[i].pages)
        return true;
    for (unsigned k = 0; k < GCN_LANES; k++)
        address[k] = address_of(ranges[i].page) + pick(ranges[i].pages * PAGE - 4);
    bool good = guest_memory_holds_lanes(w, address, UINT64_MAX, 4);
    address[pick(GCN_LANES)] = address_of(PAGES) + PAGE;
    return good && !guest_memory_holds_lanes(w, address, UINT64_MAX, 4);
}

static void check_random(void)
{
    unsigned wrong = 0, usable = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned changes = (unsigned)pick(4); changes; changes--)
            wrong += !change_range((unsigned)pick(RANGES));
        uint64_t near = some_address();
        usable += has(near, 1);
        for (unsigned i = 0; i < QUERIES; i++)
            wrong += !(pick(10) ? ask(near) : ask_scattered(waves[pick(WAVES)]));
    }
    ok(!wrong && usable > ROUNDS / 8, "waves are told what they may touch, %u wrong answers, %u of %u places usable",
       wrong, usable, ROUNDS);
}

/* What a wave remembers: all of a range that does not begin or end with a block, in a few looks. */
static void check_remembered(void)
{
    struct gcn_wave *w = waves[0];
    uint64_t page = 100, pages = 200000;
    memset(w, 0, sizeof *w);
    struct guest_memory *one = guest_memory_new();
    w->guest = one;
    bool good = one && guest_memory_add(one, (void *)(uintptr_t)address_of(page), pages * PAGE);
    for (unsigned i = 0; good && i < 64; i++)
        good = guest_memory_holds(w, address_of(page + 300) + 64 * i, 64);
    ok(good && w->guest_windows[0].low == address_of(page) && w->guest_windows[0].size == pages * PAGE &&
           !w->guest_windows[1].size,
       "a wave remembers all of a large range");
    uint32_t misses = w->guest_misses;
    uint64_t address[GCN_LANES];
    for (unsigned i = 0; i < GCN_LANES; i++)
        address[i] = address_of(page + 3000 * i) + 5;
    ok(good && guest_memory_holds_lanes(w, address, UINT64_MAX, 8) && w->guest_misses == misses,
       "what is remembered is not looked up");
    guest_memory_remove(one, (void *)(uintptr_t)address_of(page));
    ok(!guest_memory_holds(w, address[0], 1), "what is removed is not remembered");
    guest_memory_free(one);
}

int main(void)
{
    map = guest_memory_new();
    for (unsigned i = 0; i < WAVES; i++) {
        waves[i] = aligned_alloc(64, (sizeof *waves[i] + 63) & ~(size_t)63);
        if (!waves[i])
            return 1;
        memset(waves[i], 0, sizeof *waves[i]);
        waves[i]->guest = map;
    }
    if (!ok(map, "a map"))
        return 1;
    check_random();
    check_remembered();
    guest_memory_free(map);
    for (unsigned i = 0; i < WAVES; i++)
        free(waves[i]);
    return tap_done();
}
