/* SPDX-License-Identifier: MIT */
/* What the tests of vector operations share: random values, a wave, and a function that runs code in it. */
#ifndef TESTSUITE_GCN_WAVE_BENCH_H
#define TESTSUITE_GCN_WAVE_BENCH_H

#include "runtime/gcn/wave_run.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct bench {
    struct gcn_wave *wave, *before; /* the wave, and a copy from before the code ran */
    struct gcn_cache *cache;
};

static uint64_t bench_seed = 88172645463325252u;

static inline uint64_t random64(void)
{
    return xorshift(&bench_seed);
}

static inline void *bench_pages(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static inline bool bench_begin(struct bench *b)
{
    b->wave = bench_pages(sizeof *b->wave);
    b->before = bench_pages(sizeof *b->before);
    return b->wave && b->before && gcn_guard_acquire();
}

static inline void bench_end(struct bench *b)
{
    gcn_guard_release();
    munmap(b->wave, sizeof *b->wave);
    munmap(b->before, sizeof *b->before);
}

/* Runs N dwords of code, which end in s_endpgm, with the initial MODE. */
static inline bool bench_run(struct bench *b, const uint32_t *words, size_t n, uint32_t mode)
{
    struct gcn_wave *w = b->wave;
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    struct gcn_code *code = gcn_cache_add(b->cache, words, 4 * n, words, 4 * n);
    w->base[0] = (const char *)w;
    w->mode = mode;
    w->budget = 1000;
    gcn_mode_changed(w);
    bool good = gcn_cache_find(b->cache, (uint64_t)(uintptr_t)words, &entry, &kind);
    if (good) {
        gcn_wave_enter(w, &entry);
        memcpy(b->before, w, sizeof *w);
        good = gcn_wave_run(w) == GCN_STOP_END;
    }
    gcn_cache_remove(b->cache, code);
    return good;
}

/* Whether two floating-point numbers of BITS are equal, at most ULPS apart, or both NaN. */
static inline bool same_float(unsigned bits, uint64_t a, uint64_t b, unsigned ulps)
{
    uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    uint64_t inf = bits == 64 ? UINT64_C(0x7ff) << 52 : bits == 32 ? 0x7f800000 : 0x7c00;
    a &= all;
    b &= all;
    if ((a & ~top) > inf || (b & ~top) > inf)
        return (a & ~top) > inf && (b & ~top) > inf;
    int64_t ka = (int64_t)(a & top ? 0 - (a & ~top) : a), kb = (int64_t)(b & top ? 0 - (b & ~top) : b);
    return ulps ? llabs(ka - kb) <= (int64_t)ulps : a == b;
}

#define PICK(list) (list)[random64() % (sizeof(list) / sizeof(list)[0])]

#endif
