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

static const struct gcn_uop *flat_atomic(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, atomic_fn *atomic,
                                         rmw_fn *rmw)
{
    const uint32_t *s = gcn_line(w, op->src[1]);
    uint32_t *d = gcn_dst(w, op->dst);
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

#define ATOMIC_32(name)                                                                                 \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)      \
    {                                                                                                   \
        return flat_atomic(w, op, 4, atomic_##name##_32, rmw_##name##_32);                              \
    }
#define ATOMIC_F64(name)                                                                                \
    static const struct gcn_uop *flat_atomic_##name(struct gcn_wave *w, const struct gcn_uop *op)      \
    {                                                                                                   \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64);                              \
    }
#define ATOMIC(name)                                                                                    \
    ATOMIC_32(name)                                                                                     \
    static const struct gcn_uop *flat_atomic_##name##_x2(struct gcn_wave *w, const struct gcn_uop *op) \
    {                                                                                                   \
        return flat_atomic(w, op, 8, atomic_##name##_64, rmw_##name##_64);                              \
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
