/* SPDX-License-Identifier: MIT */
/* Buffer loads, stores and atomics, lane by lane, with every check.
 *
 * Input: descriptor, scalar offset, index and offset of the active lanes. Output: registers, memory, or group memory
 * (LDS forms). Range checking is by dwords: a raw access (no stride, or no index) compares the offset with the size in
 * bytes, a structured one the index with the number of records; private memory is checked by its final address. */
#include <string.h>

#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_rmw.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/inst.h"
#include "support/fence.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

static uint32_t index_of(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane)
{
    return (op->aux & GCN_IDXEN ? gcn_line(w, op->src[0])[lane] : 0) + (b->add_tid ? lane : 0);
}

static uint64_t address_of(const struct gcn_buffer *b, uint32_t index, uint32_t offset)
{
    if (!b->swizzle)
        return b->base + (uint64_t)index * b->stride + offset;
    uint64_t group = (uint64_t)(index / b->group) * b->stride + (offset & ~3u);
    return b->base + group * b->group + index % b->group * 4 + (offset & 3);
}

static bool in_range(const struct gcn_uop *op, const struct gcn_buffer *b, uint32_t index, uint32_t offset,
                     unsigned size)
{
    if (gcn_buffer_is_private(b, op)) {
        uint64_t address = address_of(b, index, offset);
        return address >= b->end - b->records && address < b->end && size <= b->end - address;
    }
    if (b->stride && op->aux & GCN_IDXEN)
        return index < b->records && (!b->swizzle || (uint64_t)offset + size <= b->stride);
    return (uint64_t)offset + size + b->soffset <= b->records;
}

bool gcn_buffer_element(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                        uint32_t offset, unsigned size, uint64_t *address)
{
    uint32_t index = index_of(w, op, b, lane);
    *address = address_of(b, index, offset);
    return in_range(op, b, index, offset, size);
}

/* Moves an element that crosses no dword boundary of a swizzled buffer, in one host access. */
static void move(uint64_t address, void *data, unsigned size, bool write)
{
    uint8_t *d = data;
    uint32_t value = 0;
    memcpy(&value, d, size);
    if (write && size == 4)
        mem_store32(address, value);
    else if (write && size == 2)
        mem_store16(address, (uint16_t)value);
    else if (write)
        mem_store8(address, (uint8_t)value);
    else
        value = size == 4 ? mem_load32(address) : size == 2 ? mem_load16(address) : mem_load8(address);
    memcpy(d, &value, size);
}

/* Moves one element of 1, 2 or 4 bytes. */
static bool element(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                    uint32_t offset, void *data, unsigned size, bool write)
{
    uint32_t index = index_of(w, op, b, lane);
    if (!in_range(op, b, index, offset, size)) {
        if (!write)
            memset(data, 0, size);
        return true;
    }
    /* the bytes of an element that crosses a dword boundary of a swizzled buffer are not adjacent */
    unsigned step = b->swizzle && offset % 4 + size > 4 ? 1 : size;
    for (unsigned i = 0; i < size; i += step) {
        uint64_t address = address_of(b, index, offset + i);
        if (!gcn_may_access(w, address, step)) {
            gcn_raise(w, op, GCN_FAULT_MEMORY, address);
            return false;
        }
        w->at = op;
        move(address, (uint8_t *)data + i, step, write);
    }
    return true;
}

/* The address of a pair of dwords, which must move at once if aligned; false unless they are adjacent and in range. */
static bool pair_at(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                    uint32_t offset, uint64_t *address)
{
    uint32_t index = index_of(w, op, b, lane);
    if (b->swizzle || !in_range(op, b, index, offset, 8))
        return false;
    *address = address_of(b, index, offset);
    return gcn_may_access(w, *address, 8);
}

bool gcn_buffer_read(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                     uint32_t offset, void *data, unsigned size)
{
    uint8_t *d = data;
    uint64_t address;
    for (unsigned i = 0, step; i < size; i += step) {
        step = size - i < 4 ? size - i : 4;
        if (size - i >= 8 && pair_at(w, op, b, lane, offset + i, &address)) {
            w->at = op;
            uint64_t value = mem_load64(address);
            memcpy(d + i, &value, step = 8);
        } else if (!element(w, op, b, lane, offset + i, d + i, step, false)) {
            return false;
        }
    }
    return true;
}

bool gcn_buffer_write(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                      uint32_t offset, const void *data, unsigned size)
{
    const uint8_t *d = data;
    uint64_t address;
    w->store_fence = 1;
    for (unsigned i = 0, step; i < size; i += step) {
        step = size - i < 4 ? size - i : 4;
        if (size - i >= 8 && pair_at(w, op, b, lane, offset + i, &address)) {
            uint64_t value;
            memcpy(&value, d + i, step = 8);
            w->at = op;
            mem_store64(address, value);
            continue;
        }
        uint32_t part = 0;
        memcpy(&part, d + i, step);
        if (!element(w, op, b, lane, offset + i, &part, step, true))
            return false;
    }
    return true;
}

void gcn_buffer_tfe(struct gcn_wave *w, const struct gcn_uop *op, unsigned n)
{
    uint32_t *d = gcn_dst(w, op->dst) + n * GCN_LANES;
    for (uint64_t left = gcn_exec(w); left; left &= left - 1)
        d[__builtin_ctzll(left)] = 0;
}

const struct gcn_uop *gcn_buffer_load(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                      gcn_buffer_convert *convert)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint32_t *d = gcn_dst(w, op->dst);
    unsigned n = size < 4 ? 1 : size / 4;
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t data[4] = {0};
        if (!gcn_buffer_read(w, op, &b, lane, gcn_buffer_offset(w, op, lane), data, size))
            return NULL;
        if (op->aux & GCN_LDS) {
            gcn_lds_write(w, gcn_buffer_lds_address(w, op, lane), convert ? convert(0, data[0]) : data[0], 4);
            continue;
        }
        if (convert)
            data[0] = convert(d[lane], data[0]);
        for (unsigned i = 0; i < n; i++)
            d[i * GCN_LANES + lane] = data[i];
    }
    if (op->aux & GCN_TFE && !(op->aux & GCN_LDS))
        gcn_buffer_tfe(w, op, n);
    return op + 1;
}

const struct gcn_uop *gcn_buffer_store(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    const uint32_t *s = gcn_line(w, op->dst);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t data[4] = {s[lane] >> shift};
        for (unsigned i = 1; i < size / 4; i++)
            data[i] = s[i * GCN_LANES + lane];
        if (!gcn_buffer_write(w, op, &b, lane, gcn_buffer_offset(w, op, lane), data, size))
            return NULL;
    }
    return op + 1;
}

HANDLER(buffer_store_lds_dword)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t value = (uint32_t)gcn_lds_read(w, gcn_buffer_lds_address(w, op, lane), 4);
        if (!gcn_buffer_write(w, op, &b, lane, gcn_buffer_offset(w, op, lane), &value, 4))
            return NULL;
    }
    return op + 1;
}

/* A lane's value of 32 or 64 bits, whose low dword is at S. */
static uint64_t datum(const uint32_t *s, unsigned size)
{
    return size == 4 ? s[0] : s[0] | (uint64_t)s[GCN_LANES] << 32;
}

static const struct gcn_uop *buffer_atomic(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                           atomic_fn *atomic, bool two)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint32_t *d = gcn_dst(w, op->dst);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t index = index_of(w, op, &b, lane), offset = gcn_buffer_offset(w, op, lane);
        uint64_t old = 0;
        if (in_range(op, &b, index, offset, size)) {
            uint64_t address = address_of(&b, index, offset);
            if (address % size || (b.swizzle && size > 4)) /* swizzled halves of 64 bits are not adjacent */
                return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, address);
            if (!gcn_may_access(w, address, size))
                return gcn_raise(w, op, GCN_FAULT_MEMORY, address);
            w->at = op;
            w->store_fence = 1;
            old = atomic((void *)(uintptr_t)address, datum(d + lane, size),
                         two ? datum(d + size / 4 * GCN_LANES + lane, size) : 0);
        }
        if (op->aux & GCN_GLC) {
            d[lane] = (uint32_t)old;
            if (size == 8)
                d[GCN_LANES + lane] = (uint32_t)(old >> 32);
        }
    }
    if (op->aux & GCN_TFE)
        gcn_buffer_tfe(w, op, size / 4 * (two ? 2 : 1));
    return op + 1;
}

#define ATOMIC_32(name, two)                                                                            \
    HANDLER(buffer_atomic_##name)                                                                       \
    {                                                                                                   \
        return buffer_atomic(w, op, 4, atomic_##name##_32, two);                                        \
    }
#define ATOMIC_F64(name)                                                                                \
    HANDLER(buffer_atomic_##name)                                                                       \
    {                                                                                                   \
        return buffer_atomic(w, op, 8, atomic_##name##_64, false);                                      \
    }
#define ATOMIC(name, two)                                                                               \
    ATOMIC_32(name, two)                                                                                \
    HANDLER(buffer_atomic_##name##_x2)                                                                  \
    {                                                                                                   \
        return buffer_atomic(w, op, 8, atomic_##name##_64, two);                                        \
    }
#define RMW(name, op, t, builtin, ...) ATOMIC(name, false)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC(name, false)
#define RMW_GLOBAL_32(name, ...) ATOMIC_32(name, false)
#define RMW_GLOBAL_F64(name, ...) ATOMIC_F64(name)
#include "runtime/gcn/tables/memory.def"
ATOMIC(cmpswap, true)

/* There is no cache to invalidate, but the code relies on the order of accesses. */
HANDLER(buffer_wbinvl1)
{
    fence_acquire_release();
    (void)w;
    return op + 1;
}

#define ATOMIC_ROWS(name)                                                                               \
    {GCN_OP_buffer_atomic_##name, buffer_atomic_##name}, {GCN_OP_buffer_atomic_##name##_x2, buffer_atomic_##name##_x2},
#define RMW(name, op, t, builtin, ...) ATOMIC_ROWS(name)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC_ROWS(name)
#define RMW_GLOBAL_32(name, ...) {GCN_OP_buffer_atomic_##name, buffer_atomic_##name},
#define RMW_GLOBAL_F64(name, ...) {GCN_OP_buffer_atomic_##name, buffer_atomic_##name},
/* clang-format off */
const struct gcn_handler_row gcn_buffer_other_handlers[] = {
#include "runtime/gcn/tables/memory.def"
    ATOMIC_ROWS(cmpswap)
    {GCN_OP_buffer_store_lds_dword, buffer_store_lds_dword},
    {GCN_OP_buffer_wbinvl1, buffer_wbinvl1},
    {GCN_OP_buffer_wbinvl1_vol, buffer_wbinvl1},
    {GCN_OP_buffer_wbl2, buffer_wbinvl1},
    {GCN_OP_buffer_invl2, buffer_wbinvl1},
    {0, NULL},
};
/* clang-format on */
