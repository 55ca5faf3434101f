/* SPDX-License-Identifier: MIT */
/* The exceptions of the most frequent operations, for all lanes at once, by the flags of the host. See exact.h.
 * Input: lines of sources. Output: which exceptions some lane raises. Invariant: the host's modes are the default ones
 * before and after; what it cannot do is left to exact.c, which says the same of each lane. */
#include "runtime/gcn/exact.h"

#include <immintrin.h>
#include <string.h>

enum { CSR_DEFAULT = 0x1f80, CSR_FLAGS = 0x3f, CSR_DAZ = 1 << 6, CSR_FTZ = 1 << 15 };

/* Sources, with 1 in the lanes that are not active, and results, which nobody reads. */
struct quick_lanes {
    uint32_t in[3][2 * GCN_LANES], out[2 * GCN_LANES];
} __attribute__((aligned(64)));

/* One dword of each lane; ONE is that of the number 1. STRIDE is 2 for pairs of dwords. */
static void gather(uint32_t *to, unsigned stride, const uint32_t *line, const uint32_t *mask, uint32_t one)
{
    for (unsigned i = 0; i < GCN_LANES; i++)
        to[stride * i] = (line[i] & mask[i]) | (one & ~mask[i]);
}

static void gather_source(struct quick_lanes *q, unsigned n, const uint32_t *line, bool wide, const uint32_t *mask)
{
    if (!wide) {
        gather(q->in[n], 1, line, mask, 0x3f800000);
        return;
    }
    gather(q->in[n], 2, line, mask, 0);
    gather(q->in[n] + 1, 2, line + GCN_LANES, mask, 0x3ff00000);
}

/* Sources and results are in memory, so that nothing is computed at another time. */
static void begin(unsigned rounding, bool flush_in, bool flush_out)
{
    static const uint16_t control[4] = {0, 2, 1, 3};
    uint32_t csr =
        CSR_DEFAULT | (uint32_t)control[rounding] << 13 | (flush_in ? CSR_DAZ : 0u) | (flush_out ? CSR_FTZ : 0u);
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
}

static uint32_t end(struct quick_lanes *q)
{
    uint32_t csr, plain = CSR_DEFAULT;
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(csr) : "m"(plain), "r"(q) : "memory");
    return csr & CSR_FLAGS;
}

#define QUICK(name, suffix, type, store, attribute, ...)                       \
    static __attribute__((noinline)) attribute void name##_##suffix(struct quick_lanes *q) \
    {                                                                                \
        type *out = (type *)(void *)q->out;                                          \
        const type *pa = (const type *)(const void *)q->in[0];                       \
        const type *pb = (const type *)(const void *)q->in[1];                       \
        const type *pc = (const type *)(const void *)q->in[2];                       \
        (void)pb, (void)pc;                                                          \
        for (unsigned i = 0; i < GCN_LANES; i += 16 / sizeof(type))                  \
            store(out + i, __VA_ARGS__);                                             \
    }
#define PLAIN
#define A _mm_load_ps(pa + i)
#define B _mm_load_ps(pb + i)
#define C _mm_load_ps(pc + i)
QUICK(add, f32, float, _mm_store_ps, PLAIN, _mm_add_ps(A, B))
QUICK(sub, f32, float, _mm_store_ps, PLAIN, _mm_sub_ps(A, B))
QUICK(mul, f32, float, _mm_store_ps, PLAIN, _mm_mul_ps(A, B))
QUICK(fma, f32, float, _mm_store_ps, __attribute__((target("fma"))), _mm_fmadd_ps(A, B, C))
#undef A
#undef B
#undef C
#define A _mm_load_pd(pa + i)
#define B _mm_load_pd(pb + i)
#define C _mm_load_pd(pc + i)
QUICK(add, f64, double, _mm_store_pd, PLAIN, _mm_add_pd(A, B))
QUICK(sub, f64, double, _mm_store_pd, PLAIN, _mm_sub_pd(A, B))
QUICK(mul, f64, double, _mm_store_pd, PLAIN, _mm_mul_pd(A, B))
QUICK(fma, f64, double, _mm_store_pd, __attribute__((target("fma"))), _mm_fmadd_pd(A, B, C))

bool exact_quick(enum exact_quick operation, const struct exact_quick_mode *mode, const uint32_t *const lines[3],
                 const uint32_t *mask, uint32_t *flags)
{
    static void (*const steps[][2])(struct quick_lanes *) = {
        [EXACT_QUICK_ADD] = {add_f32, add_f64},
        [EXACT_QUICK_SUB] = {sub_f32, sub_f64},
        [EXACT_QUICK_MUL] = {mul_f32, mul_f64},
        [EXACT_QUICK_FMA] = {fma_f32, fma_f64}};
    struct quick_lanes q;
    if (operation == EXACT_QUICK_FMA && !__builtin_cpu_supports("fma"))
        return false;
    for (unsigned i = 0; i < (operation == EXACT_QUICK_FMA ? 3u : 2u); i++)
        gather_source(&q, i, lines[i], mode->wide, mask);
    begin(mode->rounding, mode->flush_in, mode->flush_out);
    steps[operation][mode->wide](&q);
    *flags = end(&q);
    return true;
}

unsigned exact_scan(const uint32_t *line, bool wide, const uint32_t *mask)
{
    const uint32_t infinity = wide ? 0x7ff00000 : 0x7f800000, quiet = wide ? 0x80000 : 0x400000;
    const uint32_t normal = wide ? 0x00100000 : 0x00800000;
    uint32_t found = 0;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        uint32_t high = line[wide ? i + GCN_LANES : i] & 0x7fffffff, low = wide ? line[i] != 0 : 0;
        uint32_t nan = high + low > infinity, is_quiet = (high & quiet) != 0;
        uint32_t denormal = (high < normal) & ((high | low) != 0);
        found |= mask[i] & ((nan & !is_quiet) * EXACT_SCAN_SIGNALING | (nan & is_quiet) * EXACT_SCAN_QUIET |
                            denormal * EXACT_SCAN_DENORMAL);
    }
    return found;
}
