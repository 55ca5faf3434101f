/* SPDX-License-Identifier: MIT */
/* Buffer descriptors (V#) and the addresses they give; MUBUF and MTBUF.
 *
 * A descriptor is linear (base + index * stride + offset) or swizzled, in which case groups of INDEX_STRIDE records
 * are stored dword-wise interleaved. The swizzled descriptor with the lane number as index and 64 records in a
 * group describes private memory: one dword of all lanes is a line, like everywhere else here. */
#ifndef RUNTIME_GCN_EXEC_BUFFER_H
#define RUNTIME_GCN_EXEC_BUFFER_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/exec_pixel.h"

struct gcn_buffer {
    uint64_t base;    /* with the scalar offset added */
    uint64_t end;     /* of what the descriptor describes: its base + NUM_RECORDS */
    uint32_t records; /* NUM_RECORDS */
    uint32_t soffset;
    uint32_t stride;
    uint32_t group; /* records in a swizzled group */
    bool swizzle, add_tid;
};

static inline struct gcn_buffer gcn_buffer_of(const struct gcn_wave *w, const struct gcn_uop *op)
{
    const uint32_t *srd = gcn_sptr(w, op->src[2]);
    uint64_t base = srd[0] | (uint64_t)(srd[1] & 0xFFFF) << 32;
    struct gcn_buffer b = {
        .end = base + srd[2],
        .records = srd[2],
        .soffset = gcn_s32(w, op->src[1]),
        .stride = srd[1] >> 16 & 0x3FFF,
        .group = 8u << (srd[3] >> 21 & 3),
        .swizzle = srd[1] >> 31,
        .add_tid = srd[3] >> 23 & 1,
    };
    b.base = base + b.soffset;
    if (b.add_tid)
        b.stride |= (srd[3] >> 15 & 15) << 14;
    return b;
}

/* Whether the descriptor describes private memory to OP, so that each dword of the wave is a line. */
static inline bool gcn_buffer_is_private(const struct gcn_buffer *b, const struct gcn_uop *op)
{
    return b->swizzle && b->add_tid && b->group == GCN_LANES && !(op->aux & GCN_IDXEN);
}

/* Byte offset of LANE's access, modulo 2^32, so that a negative register and a positive immediate add up correctly. */
static inline uint32_t gcn_buffer_offset(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane)
{
    const uint32_t *v = gcn_line(w, op->src[0]);
    if (!(op->aux & GCN_OFFEN))
        return (uint32_t)op->imm;
    return (uint32_t)op->imm + v[lane + (op->aux & GCN_IDXEN ? GCN_LANES : 0)];
}

/* Where in group memory the forms with LDS put or find the dword of LANE. */
static inline uint32_t gcn_buffer_lds_address(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane)
{
    return (w->s[GCN_S_M0] & 0xFFFF) + (uint32_t)op->imm + 4 * lane;
}

/* The complete forms of all buffer operations, with every check, lane by lane.
 * They load or store an element of SIZE bytes: 1, 2, or whole dwords. CONVERT and SHIFT matter for sizes 1 and 2 only:
 * CONVERT gives the register from the element, and the bits from SHIFT on are stored. */
typedef uint32_t gcn_buffer_convert(uint32_t d, uint32_t m);
const struct gcn_uop *gcn_buffer_load(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                      gcn_buffer_convert *convert);
const struct gcn_uop *gcn_buffer_store(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift);

/* Moves SIZE bytes between DATA and the buffer at OFFSET of LANE's record. Dwords out of range read as zero and
 * are not written. False after a fault. */
bool gcn_buffer_read(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                     uint32_t offset, void *data, unsigned size);
bool gcn_buffer_write(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                      uint32_t offset, const void *data, unsigned size);

/* Whether an element of SIZE bytes at OFFSET of LANE's record is in the buffer, and if so, the *ADDRESS of its first
 * byte. The others are adjacent as far as they are in one dword. */
bool gcn_buffer_element(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_buffer *b, unsigned lane,
                        uint32_t offset, unsigned size, uint64_t *address);

/* The format of an operation on typed elements, MTBUF or not, and with *SELECTION, if that is not NULL, DST_SEL. */
struct gcn_pixel_format gcn_buffer_format(const struct gcn_wave *w, const struct gcn_uop *op, bool mtbuf,
                                          uint32_t *selection);

/* The address of a scalar access to a buffer; *INSIDE is how many dwords from there on the buffer contains, at most
 * N. */
uint64_t gcn_buffer_scalar(const struct gcn_wave *w, const struct gcn_uop *op, unsigned n, unsigned *inside);

/* Writes the fault code of TFE, which is always 0, to the active lanes of the register after N registers of data. */
void gcn_buffer_tfe(struct gcn_wave *w, const struct gcn_uop *op, unsigned n);

#endif
