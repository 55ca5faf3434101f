/* SPDX-License-Identifier: MIT */
/* Scalar memory: loads, stores and atomics of scalar registers, clocks, and the scalar cache's operations.
 *
 * Input: base (64-bit address or buffer descriptor), offset, scalar data. Output: scalar registers or memory.
 * Addresses are aligned down to dwords. What a buffer does not contain reads as zero and is not written.
 * There are no caches here, so their operations only order accesses. */
#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_clock.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/exec_rmw.h"
#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/inst/inst.h"
#include "support/fence.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

static uint64_t offset_of(const struct gcn_wave *w, const struct gcn_uop *op)
{
    return (uint64_t)(int64_t)op->imm + gcn_s32(w, op->src[1]);
}

static uint64_t plain_address(const struct gcn_wave *w, const struct gcn_uop *op)
{
    return (gcn_s64(w, op->src[0]) + offset_of(w, op)) & ~UINT64_C(3);
}

/* The scratch forms count the register offset in lines of 64 bytes. */
static uint64_t scratch_address(const struct gcn_wave *w, const struct gcn_uop *op)
{
    return (gcn_s64(w, op->src[0]) + (uint64_t)(int64_t)op->imm + (uint64_t)gcn_s32(w, op->src[1]) * 64) & ~UINT64_C(3);
}

uint64_t gcn_buffer_scalar(const struct gcn_wave *w, const struct gcn_uop *op, unsigned n, unsigned *inside)
{
    const uint32_t *srd = gcn_sptr(w, op->src[0]);
    uint64_t base = (srd[0] | (uint64_t)(srd[1] & 0xFFFF) << 32) & ~UINT64_C(3);
    uint64_t stride = srd[1] >> 16 & 0x3FFF;
    uint64_t size = stride ? stride * srd[2] : srd[2];
    uint64_t offset = offset_of(w, op) & ~UINT64_C(3);
    uint64_t dwords = offset < size ? (size - offset) / 4 : 0;
    *inside = dwords < n ? (unsigned)dwords : n;
    return base + offset;
}

/* Loads N dwords from ADDRESS and puts zeros after them up to TOTAL. Pairs move at once: a 64-bit value that is
 * aligned must not be seen torn. */
static const struct gcn_uop *load(struct gcn_wave *w, const struct gcn_uop *op, uint64_t address, unsigned n,
                                  unsigned total)
{
    uint32_t *d = gcn_dst(w, op->dst);
    if (n && !gcn_may_access(w, address, 4 * n))
        return gcn_raise(w, op, GCN_FAULT_MEMORY, address);
    w->at = op;
    unsigned i = 0;
    for (; i + 1 < n; i += 2) {
        uint64_t pair = mem_load64(address + 4 * i);
        d[i] = (uint32_t)pair;
        d[i + 1] = (uint32_t)(pair >> 32);
    }
    if (i < n) {
        d[i] = mem_load32(address + 4 * i);
        i++;
    }
    for (; i < total; i++)
        d[i] = 0;
    return op + 1;
}

static const struct gcn_uop *store(struct gcn_wave *w, const struct gcn_uop *op, uint64_t address, unsigned n)
{
    const uint32_t *d = gcn_sptr(w, op->dst);
    if (n && !gcn_may_access(w, address, 4 * n))
        return gcn_raise(w, op, GCN_FAULT_MEMORY, address);
    w->at = op;
    w->store_fence = 1;
    unsigned i = 0;
    for (; i + 1 < n; i += 2)
        mem_store64(address + 4 * i, d[i] | (uint64_t)d[i + 1] << 32);
    if (i < n)
        mem_store32(address + 4 * i, d[i]);
    return op + 1;
}

#define WIDTHS(X, prefix) X(prefix##_dword, 1) X(prefix##_dwordx2, 2) X(prefix##_dwordx4, 4)
#define WIDE(X, prefix) WIDTHS(X, prefix) X(prefix##_dwordx8, 8) X(prefix##_dwordx16, 16)

#define LOAD(name, n)                                                                                   \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        return load(w, op, plain_address(w, op), n, n);                                                 \
    }
#define SCRATCH_LOAD(name, n)                                                                           \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        return load(w, op, scratch_address(w, op), n, n);                                               \
    }
#define BUFFER_LOAD(name, n)                                                                            \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        unsigned inside;                                                                                \
        uint64_t address = gcn_buffer_scalar(w, op, n, &inside);                                           \
        return load(w, op, address, inside, n);                                                         \
    }
#define STORE(name, n)                                                                                  \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        return store(w, op, plain_address(w, op), n);                                                   \
    }
#define SCRATCH_STORE(name, n)                                                                          \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        return store(w, op, scratch_address(w, op), n);                                                 \
    }
#define BUFFER_STORE(name, n)                                                                           \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        unsigned inside;                                                                                \
        uint64_t address = gcn_buffer_scalar(w, op, n, &inside);                                           \
        return store(w, op, address, inside);                                                           \
    }
WIDE(LOAD, s_load)
WIDTHS(SCRATCH_LOAD, s_scratch_load)
WIDE(BUFFER_LOAD, s_buffer_load)
WIDTHS(STORE, s_store)
WIDTHS(SCRATCH_STORE, s_scratch_store)
WIDTHS(BUFFER_STORE, s_buffer_store)

/* One atomic operation on SIZE bytes. The scalar data are the new value and, after it, the one that cmpswap compares
 * with. */
static const struct gcn_uop *atomic(struct gcn_wave *w, const struct gcn_uop *op, bool buffer, unsigned size,
                                    atomic_fn *fn)
{
    unsigned inside = size / 4;
    uint64_t address = buffer ? gcn_buffer_scalar(w, op, size / 4, &inside) : plain_address(w, op);
    uint64_t old = 0;
    if (inside == size / 4) {
        if (!gcn_may_access(w, address, size))
            return gcn_raise(w, op, GCN_FAULT_MEMORY, address);
        if (address % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, address);
        const uint32_t *d = gcn_sptr(w, op->dst);
        w->at = op;
        w->store_fence = 1;
        old = size == 4 ? fn((void *)(uintptr_t)address, d[0], d[1])
                        : fn((void *)(uintptr_t)address, gcn_s64(w, op->dst), d[2] | (uint64_t)d[3] << 32);
    }
    if (op->aux & GCN_GLC && size == 4)
        gcn_put32(w, op->dst, (uint32_t)old);
    else if (op->aux & GCN_GLC)
        gcn_put64(w, op->dst, old);
    return op + 1;
}

#define ATOMIC(name)                                                                                    \
    HANDLER(do_s_atomic_##name)                                                                         \
    {                                                                                                   \
        return atomic(w, op, false, 4, atomic_##name##_32);                                             \
    }                                                                                                   \
    HANDLER(do_s_atomic_##name##_x2)                                                                    \
    {                                                                                                   \
        return atomic(w, op, false, 8, atomic_##name##_64);                                             \
    }                                                                                                   \
    HANDLER(do_s_buffer_atomic_##name)                                                                  \
    {                                                                                                   \
        return atomic(w, op, true, 4, atomic_##name##_32);                                              \
    }                                                                                                   \
    HANDLER(do_s_buffer_atomic_##name##_x2)                                                             \
    {                                                                                                   \
        return atomic(w, op, true, 8, atomic_##name##_64);                                              \
    }
#define RMW(name, op, t, builtin, ...) ATOMIC(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC(name)
#include "runtime/gcn/tables/memory.def"
ATOMIC(cmpswap)

/* Operations of the caches: all they do here is to order earlier accesses before later ones. */
HANDLER(do_order)
{
    w->store_fence = 0;
    fence_all();
    return op + 1;
}

HANDLER(do_nothing)
{
    (void)w;
    return op + 1;
}

HANDLER(do_s_memtime)
{
    gcn_put64(w, op->dst, gcn_core_clock());
    return op + 1;
}

HANDLER(do_s_memrealtime)
{
    gcn_put64(w, op->dst, gcn_real_time());
    return op + 1;
}

#define ROW(name, ...) {GCN_OP_##name, do_##name},
#define ATOMIC_ROWS(name)                                                                               \
    ROW(s_atomic_##name) ROW(s_atomic_##name##_x2) ROW(s_buffer_atomic_##name) ROW(s_buffer_atomic_##name##_x2)
#define RMW(name, op, t, builtin, ...) ATOMIC_ROWS(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC_ROWS(name)
/* clang-format off */
const struct gcn_handler_row gcn_smem_handlers[] = {
    WIDE(ROW, s_load) WIDTHS(ROW, s_scratch_load) WIDE(ROW, s_buffer_load)
    WIDTHS(ROW, s_store) WIDTHS(ROW, s_scratch_store) WIDTHS(ROW, s_buffer_store)
#include "runtime/gcn/tables/memory.def"
    ATOMIC_ROWS(cmpswap)
    {GCN_OP_s_dcache_inv, do_order},
    {GCN_OP_s_dcache_wb, do_order},
    {GCN_OP_s_dcache_inv_vol, do_order},
    {GCN_OP_s_dcache_wb_vol, do_order},
    {GCN_OP_s_dcache_discard, do_nothing},
    {GCN_OP_s_dcache_discard_x2, do_nothing},
    {GCN_OP_s_atc_probe, do_nothing},
    {GCN_OP_s_atc_probe_buffer, do_nothing},
    {GCN_OP_s_memtime, do_s_memtime},
    {GCN_OP_s_memrealtime, do_s_memrealtime},
    {0, NULL},
};
/* clang-format on */
