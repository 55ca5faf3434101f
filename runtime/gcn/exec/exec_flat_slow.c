/* SPDX-License-Identifier: MIT */
/* Loads and stores of FLAT, GLOBAL and SCRATCH, lane by lane, with every check.
 *
 * Input: the addresses of the active lanes. Output: registers or memory, or a fault with the address of the first
 * lane that has one; the lanes before it have been served by then. Private memory is interleaved: dword a of lane L is
 * at scratch + a * 64 + L * 4, so consecutive dwords of a lane are a line apart. */
#include <string.h>

#include "runtime/gcn/exec/exec_flat.h"
#include "runtime/gcn/guest_memory.h"

static void host_read(uint64_t address, void *data, unsigned size)
{
    uint8_t *d = data;
    for (; size >= 8; size -= 8, d += 8, address += 8) {
        uint64_t value = mem_load64(address);
        memcpy(d, &value, 8);
    }
    if (size & 4) {
        uint32_t value = mem_load32(address);
        memcpy(d, &value, 4);
        d += 4;
        address += 4;
    }
    if (size & 2) {
        uint16_t value = mem_load16(address);
        memcpy(d, &value, 2);
    } else if (size & 1)
        *d = mem_load8(address);
}

static void host_write(uint64_t address, const void *data, unsigned size)
{
    const uint8_t *d = data;
    for (; size >= 8; size -= 8, d += 8, address += 8) {
        uint64_t value;
        memcpy(&value, d, 8);
        mem_store64(address, value);
    }
    if (size & 4) {
        uint32_t value;
        memcpy(&value, d, 4);
        mem_store32(address, value);
        d += 4;
        address += 4;
    }
    if (size & 2) {
        uint16_t value;
        memcpy(&value, d, 2);
        mem_store16(address, value);
    } else if (size & 1)
        mem_store8(address, *d);
}

/* Where in host memory the byte at private address A of LANE is. */
static uint8_t *private_byte(const struct gcn_wave *w, unsigned lane, uint32_t a)
{
    return w->scratch + (uint64_t)(a & ~3u) * GCN_LANES + lane * 4 + (a & 3);
}

enum flat_segment { HOST, GROUP, PRIVATE, NOWHERE };

/* The segment that contains the whole access of OP at ADDRESS; *OFFSET is the address within it. */
static enum flat_segment classify(struct gcn_wave *w, const struct gcn_uop *op, uint64_t address, unsigned size,
                                  uint32_t *offset)
{
    enum flat_segment segment = NOWHERE;
    enum gcn_aperture aperture =
        op->aux & GCN_SEG_GLOBAL ? GCN_APERTURE_NONE : gcn_aperture_of(w, (uint32_t)(address >> 32));
    uint32_t limit = 0;
    *offset = (uint32_t)address;
    if (op->aux & GCN_SEG_SCRATCH) {
        segment = PRIVATE;
        address = *offset | (uint64_t)GCN_PRIVATE_BASE_HI << 32; /* as flat addressing would name it */
        limit = w->scratch_size;
    } else if (gcn_may_access(w, address, size)) {
        return HOST;
    } else if (aperture == GCN_APERTURE_GROUP) {
        segment = GROUP;
        limit = w->lds_size;
    } else if (aperture == GCN_APERTURE_PRIVATE) {
        segment = PRIVATE;
        limit = w->scratch_size;
    } else {
        gcn_raise(w, op, GCN_FAULT_MEMORY, address);
        return NOWHERE;
    }
    if (size > limit || *offset > limit - size) {
        gcn_raise(w, op, GCN_FAULT_APERTURE, address);
        return NOWHERE;
    }
    return segment;
}

bool gcn_mem_read(struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, uint64_t address, void *data,
                  unsigned size)
{
    uint32_t offset;
    uint8_t *d = data;
    switch (classify(w, op, address, size, &offset)) {
    case HOST:
        w->at = op;
        host_read(address, data, size);
        return true;
    case GROUP: memcpy(data, w->lds + offset, size); return true;
    case PRIVATE:
        for (; size >= 4 && offset % 4 == 0; size -= 4, d += 4, offset += 4)
            memcpy(d, private_byte(w, lane, offset), 4);
        for (unsigned i = 0; i < size; i++)
            d[i] = *private_byte(w, lane, offset + i);
        return true;
    case NOWHERE: break;
    }
    return false;
}

bool gcn_mem_write(struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, uint64_t address, const void *data,
                   unsigned size)
{
    uint32_t offset;
    const uint8_t *d = data;
    switch (classify(w, op, address, size, &offset)) {
    case HOST:
        w->at = op;
        w->store_fence = 1;
        host_write(address, data, size);
        return true;
    case GROUP: memcpy(w->lds + offset, data, size); return true;
    case PRIVATE:
        for (; size >= 4 && offset % 4 == 0; size -= 4, d += 4, offset += 4)
            memcpy(private_byte(w, lane, offset), d, 4);
        for (unsigned i = 0; i < size; i++)
            *private_byte(w, lane, offset + i) = d[i];
        return true;
    case NOWHERE: break;
    }
    return false;
}

static uint64_t address_of(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane)
{
    return op->aux & GCN_SEG_SCRATCH ? gcn_scratch_address(w, op, lane) : gcn_flat_address(w, op, lane);
}

const struct gcn_uop *gcn_flat_load(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, gcn_convert *convert)
{
    uint32_t *d = gcn_dst(w, op->dst);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t data[4] = {0};
        if (!gcn_mem_read(w, op, lane, address_of(w, op, lane), data, size))
            return NULL;
        if (convert) {
            d[lane] = convert(d[lane], data[0]);
        } else {
            for (unsigned i = 0; i < size / 4; i++)
                d[i * GCN_LANES + lane] = data[i];
        }
    }
    return op + 1;
}

const struct gcn_uop *gcn_flat_store(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    const uint32_t *s = gcn_line(w, op->src[1]);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t data[4] = {s[lane] >> shift};
        for (unsigned i = 1; i < size / 4; i++)
            data[i] = s[i * GCN_LANES + lane];
        if (!gcn_mem_write(w, op, lane, address_of(w, op, lane), data, size))
            return NULL;
    }
    return op + 1;
}
