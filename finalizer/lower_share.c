/* SPDX-License-Identifier: MIT */
/* Divides the kernels of a program into shares, each of which is compiled by itself (doc/decisions/compile-process.md).
 * Input: the call graph. Output: the share of every kernel and indirect function. Invariant: the shares follow each
 * other in the order of the kernels; kernels that may call an indirect function are all in its share, since the code
 * generator gives a kernel as many registers as what it calls needs. */
#include "finalizer/lower.h"

/* About how much LLVM has to do for a kernel: it is compiled with what is inlined. */
static uint64_t weight_of(const struct callable *c)
{
    enum { PER_KERNEL = 64 * 16, MOST = 1 << 30 };
    return PER_KERNEL + (c->cost < MOST ? c->cost : MOST);
}

void lower_shares(struct lower *l)
{
    uint64_t total = 0, before = 0;
    uint32_t last_to_meet = 0, share = 1, of_indirect = 1;
    bool met = false;
    for (uint32_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined)
            continue;
        total += weight_of(c);
        last_to_meet = c->meets_indirect ? i : last_to_meet;
    }
    for (uint32_t i = 0; i < l->callables.count; i++) {
        struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined)
            continue;
        bool stays = met && i <= last_to_meet;
        if (!stays)
            share = (uint32_t)(before * l->shares / total) + 1;
        before += weight_of(c);
        c->share = share;
        if (c->meets_indirect && !met) {
            met = true;
            of_indirect = share;
        }
    }
    for (size_t i = 0; i < l->callables.count; i++)
        if (l->callables.items[i].is_indirect)
            l->callables.items[i].share = of_indirect;
}
