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

#define INLINE static inline __attribute__((always_inline))

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
        while (new != old && !__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    } else {
        uint64_t *at = p, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
        do
            new = chain(old, lanes, s, found);
        while (new != old && !__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
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
    exchange((void *)(uintptr_t)address, size, chain, exec, gcn_line(w, op->src[1]), op->aux & GCN_GLC ? found : NULL);
    if (op->aux & GCN_GLC)
        rmw_put_found(w, gcn_dst(w, op->dst), size, found);
    return true;
}

/* What each of LANES does with the element of host memory at its ADDRESS, with data at S; the old values go to D, if it
 * is not NULL. */
typedef void lanes_fn(const uint64_t *address, uint64_t lanes, const uint32_t *s, uint32_t *d);

INLINE void change_one(uint64_t address, unsigned lane, const uint32_t *s, const uint32_t *s2, uint32_t *d,
                       unsigned size, atomic_fn *atomic)
{
    uint64_t second = s2 ? rmw_datum(s2 + lane, size) : 0;
    uint64_t old = atomic((void *)(uintptr_t)address, rmw_datum(s + lane, size), second);
    if (d)
        rmw_put_datum(d + lane, old, size);
}

/* Changes two adjacent dwords at ADDRESS, which is aligned to both, at once: for LANE and the next one. */
INLINE void change_two(uint64_t address, unsigned lane, const uint32_t *s, const uint32_t *s2, uint32_t *d, rmw_fn *rmw)
{
    uint64_t *at = (uint64_t *)(uintptr_t)address, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
    do
        new = (uint32_t)rmw(old, s[lane], s2 ? s2[lane] : 0) | rmw(old >> 32, s[lane + 1], s2 ? s2[lane + 1] : 0) << 32;
    while (new != old && !__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    if (d) {
        d[lane] = (uint32_t)old;
        d[lane + 1] = (uint32_t)(old >> 32);
    }
}

/* An atomic operation of the host takes longer than all else here, so two lanes share one where they can. */
INLINE void change_lanes(const uint64_t *address, uint64_t lanes, const uint32_t *s, const uint32_t *s2, uint32_t *d,
                         unsigned size, atomic_fn *atomic, rmw_fn *rmw)
{
    while (lanes) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint64_t two = UINT64_C(3) << lane;
        if (size == 4 && (lanes & two) == two && lane < GCN_LANES - 1 && address[lane] % 8 == 0 &&
            address[lane + 1] == address[lane] + 4) {
            change_two(address[lane], lane, s, s2, d, rmw);
            lanes &= ~two;
        } else {
            change_one(address[lane], lane, s, s2, d, size, atomic);
            lanes &= lanes - 1;
        }
    }
}

/* If all active lanes change aligned elements of host memory, does so without looking at each of them again. */
static bool atomic_on_host(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, lanes_fn *change)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES], bad = 0;
    for (uint64_t left = exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        address[lane] = gcn_flat_address(w, op, lane);
        bad |= (address[lane] & (size - 1)) | (uint64_t)!mem_is_host(address[lane], size);
    }
    if (bad || !gcn_lanes_may_access(w, address, exec, size))
        return false;
    w->at = op;
    w->store_fence = 1;
    change(address, exec, gcn_line(w, op->src[1]), op->aux & GCN_GLC ? gcn_dst(w, op->dst) : NULL);
    return true;
}

static const struct gcn_uop *flat_atomic(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, atomic_fn *atomic,
                                         rmw_fn *rmw, chain_fn *chain, lanes_fn *change)
{
    const uint32_t *s = gcn_line(w, op->src[1]);
    uint32_t *d = gcn_dst(w, op->dst);
    if (atomic_at_once(w, op, size, chain) || atomic_on_host(w, op, size, change))
        return op + 1;
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t address = gcn_flat_address(w, op, lane), old;
        uint64_t data[2] = {rmw_datum(s + lane, size), 0};
        if (rmw == rmw_cmpswap_32 || rmw == rmw_cmpswap_64)
            data[1] = rmw_datum(s + size / 4 * GCN_LANES + lane, size);
        if (address % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, address);
        if (gcn_may_access(w, address, size)) {
            w->at = op;
            w->store_fence = 1;
            old = atomic((void *)(uintptr_t)address, data[0], data[1]);
        } else if (!segment_atomic(w, op, lane, address, size, rmw, data, &old)) {
            return NULL;
        }
        if (op->aux & GCN_GLC)
            rmw_put_datum(d + lane, old, size);
    }
    return op + 1;
}

#define CHAIN(name, bits, second)    \
    static uint64_t chain_##name##_##bits(uint64_t old, uint64_t lanes, const uint32_t *s,    \
                                          uint32_t (*found)[GCN_LANES])    \
    {    \
        return found ? rmw_chain(rmw_##name##_##bits, bits / 8, old, lanes, s, second, found)    \
                     : rmw_chain(rmw_##name##_##bits, bits / 8, old, lanes, s, second, NULL);    \
    }    \
    static void lanes_##name##_##bits(const uint64_t *address, uint64_t lanes, const uint32_t *s, uint32_t *d) \
    {    \
        change_lanes(address, lanes, s, second, d, bits / 8, atomic_##name##_##bits, rmw_##name##_##bits); \
    }
#define RMW(name, op, t, builtin, ...) CHAIN(name, 32, NULL) CHAIN(name, 64, NULL)
#define RMW_GLOBAL(name, builtin, ...) CHAIN(name, 32, NULL) CHAIN(name, 64, NULL)
#define RMW_GLOBAL_32(name, ...) CHAIN(name, 32, NULL)
#define RMW_GLOBAL_F64(name, ...) CHAIN(name, 64, NULL)
#include "runtime/gcn/tables/memory.def"
CHAIN(cmpswap, 32, s + GCN_LANES)
CHAIN(cmpswap, 64, s + 2 * GCN_LANES)

#define ATOMIC_32(name)    \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)    \
    {    \
        return flat_atomic(w, op, 4, atomic_##name##_32, rmw_##name##_32, chain_##name##_32, lanes_##name##_32);    \
    }
#define ATOMIC_F64(name)    \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)    \
    {    \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64, chain_##name##_64, lanes_##name##_64);    \
    }
#define ATOMIC(name)    \
    ATOMIC_32(name)    \
    static const struct gcn_uop *flat_atomic_##name##_x2(struct gcn_wave *w, const struct gcn_uop *op) \
    {    \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64, chain_##name##_64, lanes_##name##_64);    \
    }
#define RMW(name, op, t, builtin, ...) ATOMIC(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC(name)
#define RMW_GLOBAL_32(name, ...) ATOMIC_32(name)
#define RMW_GLOBAL_F64(name, ...) ATOMIC_F64(name)
#include "runtime/gcn/tables/memory.def"
ATOMIC(cmpswap)

#define ATOMIC_ROWS(name)    \
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
