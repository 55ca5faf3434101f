/* SPDX-License-Identifier: MIT */
/* Atomic operations of FLAT and GLOBAL.
 *
 * Input: addresses and data of the active lanes; for cmpswap the new value and, after it, the one to compare with.
 * Output: memory, and with GLC the old values. Lanes are served in order. Host memory is changed by host atomics,
 * sequentially consistent; group and private memory, which only this thread touches, by a read and a write. */
#include "runtime/gcn/exec/exec_flat.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/exec/exec_rmw.h"
#include "runtime/gcn/inst/inst.h"

/* Executes OP for one lane whose ADDRESS is not in host memory. */
static bool segment_atomic(struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, uint64_t address, unsigned size,
                           rmw_fn *rmw, const uint64_t data[2], uint64_t *old)
{
    *old = 0;
    if (!gcn_mem_read(w, op, lane, address, old, size))
        return false;
    uint64_t new = rmw(*old, data[0], data[1]);
    return gcn_mem_write(w, op, lane, address, &new, size);
}

/* A lane's value of 32 or 64 bits, whose low dword is at S. */
static uint64_t datum(const uint32_t *s, unsigned size)
{
    return size == 4 ? s[0] : s[0] | (uint64_t)s[GCN_LANES] << 32;
}

/* The chain of an operation, as rmw_chain() does it. */
typedef uint64_t chain_fn(uint64_t old, uint64_t lanes, const uint32_t *s, uint32_t (*found)[GCN_LANES]);

/* Changes the element of SIZE bytes at P once, to what it is after CHAIN for LANES. */
static void exchange(void *p, unsigned size, chain_fn *chain, uint64_t lanes, const uint32_t *s,
                     uint32_t (*found)[GCN_LANES])
{
    if (size == 4) {
        uint32_t *at = p, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
        do
            new = (uint32_t)chain(old, lanes, s, found);
        while (!__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    } else {
        uint64_t *at = p, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
        do
            new = chain(old, lanes, s, found);
        while (!__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    }
}

/* If all active lanes change one element of host memory, does so at once: nobody can tell that from one lane right
 * after the other. */
static bool atomic_at_once(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, chain_fn *chain)
{
    const uint32_t *v = gcn_line(w, op->src[0]), *mask;
    uint64_t exec = gcn_exec(w);
    uint32_t found[2][GCN_LANES];
    if (!(exec & (exec - 1)))
        return false;
    mask = gcn_mask(w);
    if (!rmw_same(v, mask, exec) || (!(op->aux & GCN_SADDR) && !rmw_same(v + GCN_LANES, mask, exec)))
        return false;
    uint64_t address = gcn_flat_address(w, op, (unsigned)__builtin_ctzll(exec));
    if (address % size || !gcn_may_access(w, address, size))
        return false;
    w->at = op;
    w->store_fence = 1;
    exchange((void *)(uintptr_t)address, size, chain, exec, gcn_line(w, op->src[1]), found);
    if (op->aux & GCN_GLC)
        rmw_put_found(w, gcn_dst(w, op->dst), size, found);
    return true;
}

static const struct gcn_uop *flat_atomic(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, atomic_fn *atomic,
                                         rmw_fn *rmw, chain_fn *chain)
{
    const uint32_t *s = gcn_line(w, op->src[1]);
    uint32_t *d = gcn_dst(w, op->dst);
    if (atomic_at_once(w, op, size, chain))
        return op + 1;
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t address = gcn_flat_address(w, op, lane), old;
        uint64_t data[2] = {datum(s + lane, size), 0};
        if (rmw == rmw_cmpswap_32 || rmw == rmw_cmpswap_64)
            data[1] = datum(s + size / 4 * GCN_LANES + lane, size);
        if (address % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, address);
        if (gcn_may_access(w, address, size)) {
            w->at = op;
            w->store_fence = 1;
            old = atomic((void *)(uintptr_t)address, data[0], data[1]);
        } else if (!segment_atomic(w, op, lane, address, size, rmw, data, &old)) {
            return NULL;
        }
        if (op->aux & GCN_GLC) {
            d[lane] = (uint32_t)old;
            if (size == 8)
                d[GCN_LANES + lane] = (uint32_t)(old >> 32);
        }
    }
    return op + 1;
}

#define CHAIN(name, bits, second)                                                                       \
    static uint64_t chain_##name##_##bits(uint64_t old, uint64_t lanes, const uint32_t *s,              \
                                          uint32_t (*found)[GCN_LANES])                                 \
    {                                                                                                   \
        return rmw_chain(rmw_##name##_##bits, bits / 8, old, lanes, s, second, found);                  \
    }
#define RMW(name, op, t, builtin, ...) CHAIN(name, 32, NULL) CHAIN(name, 64, NULL)
#define RMW_GLOBAL(name, builtin, ...) CHAIN(name, 32, NULL) CHAIN(name, 64, NULL)
#define RMW_GLOBAL_32(name, ...) CHAIN(name, 32, NULL)
#define RMW_GLOBAL_F64(name, ...) CHAIN(name, 64, NULL)
#include "runtime/gcn/tables/memory.def"
CHAIN(cmpswap, 32, s + GCN_LANES)
CHAIN(cmpswap, 64, s + 2 * GCN_LANES)

#define ATOMIC_32(name)                                                                                 \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)      \
    {                                                                                                   \
        return flat_atomic(w, op, 4, atomic_##name##_32, rmw_##name##_32, chain_##name##_32);                              \
    }
#define ATOMIC_F64(name)                                                                                \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)      \
    {                                                                                                   \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64, chain_##name##_64);         \
    }
#define ATOMIC(name)                                                                                    \
    ATOMIC_32(name)                                                                                     \
    static const struct gcn_uop *flat_atomic_##name##_x2(struct gcn_wave *w, const struct gcn_uop *op) \
    {                                                                                                   \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64, chain_##name##_64);                              \
    }
#define RMW(name, op, t, builtin, ...) ATOMIC(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC(name)
#define RMW_GLOBAL_32(name, ...) ATOMIC_32(name)
#define RMW_GLOBAL_F64(name, ...) ATOMIC_F64(name)
#include "runtime/gcn/tables/memory.def"
ATOMIC(cmpswap)

#define ATOMIC_ROWS(name)                                                                               \
    {GCN_OP_flat_atomic_##name, flat_atomic_##name}, {GCN_OP_flat_atomic_##name##_x2, flat_atomic_##name##_x2},
#define RMW(name, op, t, builtin, ...) ATOMIC_ROWS(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC_ROWS(name)
#define RMW_GLOBAL_32(name, ...) {GCN_OP_flat_atomic_##name, flat_atomic_##name},
#define RMW_GLOBAL_F64(name, ...) {GCN_OP_flat_atomic_##name, flat_atomic_##name},
/* clang-format off */
const struct gcn_handler_row gcn_atomic_handlers[] = {
#include "runtime/gcn/tables/memory.def"
    ATOMIC_ROWS(cmpswap)
    {0, NULL},
};
/* clang-format on */
