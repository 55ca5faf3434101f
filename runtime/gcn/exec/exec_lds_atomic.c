/* SPDX-License-Identifier: MIT */
/* Read-modify-write operations on group memory (LDS).
 *
 * Input: byte offsets and data of the active lanes. Output: memory, and the old values for the returning forms.
 * Lanes are served in order. What lies outside the allocation is not changed and returns zero; a misaligned
 * address is a fault. No other thread touches the memory of a work-group, so nothing needs to be atomic. */
#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_rmw.h"
#include "runtime/gcn/inst/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)
#define INLINE static inline __attribute__((always_inline, unused))

/* Whether the elements of SIZE bytes at all of the lanes' addresses are aligned and inside of the allocation. */
INLINE bool all_inside(const struct gcn_wave *w, const uint32_t *address, uint32_t offset, unsigned size)
{
    uint32_t last = w->lds_size - size, bad = 0;
    if (w->lds_size < size)
        return false;
    for (int i = 0; i < GCN_LANES; i++) {
        uint32_t at = address[i] + offset;
        bad |= (at & (size - 1)) | (uint32_t)(at > last);
    }
    return !bad;
}

/* Does one operation on a dword per lane, without any checks. */
INLINE void rmw_all(struct gcn_wave *w, const struct gcn_uop *op, rmw_fn *rmw)
{
    const uint32_t *address = gcn_line(w, op->src[0]), *s = gcn_line(w, op->src[1]), offset = (uint32_t)op->imm;
    uint8_t *lds = w->lds;
    for (int i = 0; i < GCN_LANES; i++) {
        uint32_t old;
        uint8_t *at = lds + (uint32_t)(address[i] + offset);
        memcpy(&old, at, sizeof old);
        uint32_t new = (uint32_t)rmw(old, s[i], 0);
        memcpy(at, &new, sizeof new);
    }
}

/* Whether the dwords at all of the lanes' addresses lie one after the other. */
INLINE bool all_adjacent(const uint32_t *address)
{
    uint32_t first = address[0], differ = 0;
    if (address[GCN_LANES - 1] - first != 4 * (GCN_LANES - 1))
        return false;
    for (int i = 0; i < GCN_LANES; i++)
        differ |= (address[i] - first) ^ 4 * (uint32_t)i;
    return !differ;
}

/* Does one operation on each of adjacent dwords, from AT on. */
INLINE void rmw_adjacent(uint8_t *at, const uint32_t *s, rmw_fn *rmw)
{
    uint32_t x[GCN_LANES];
    memcpy(x, at, sizeof x);
    for (int i = 0; i < GCN_LANES; i++)
        x[i] = (uint32_t)rmw(x[i], s[i], 0);
    memcpy(at, x, sizeof x);
}

/* Does one operation per active lane: with a second datum if TWO, and returning the old value if RTN. */
INLINE const struct gcn_uop *rmw_lanes(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, rmw_fn *rmw,
                                       bool two, bool rtn)
{
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    const uint32_t *address = gcn_line(w, op->src[0]), *s = gcn_line(w, op->src[1]);
    const uint32_t *s2 = gcn_line(w, op->src[2]);
    uint32_t *d = gcn_dst(w, op->dst), found[2][GCN_LANES];
    uint64_t exec = gcn_exec(w);
    if (exec & (exec - 1) && rmw_same(address, gcn_mask(w), exec)) { /* all change one element */
        uint32_t at = address[__builtin_ctzll(exec)] + (uint32_t)op->imm;
        if (at % size == 0 && gcn_lds_has(w, at, size)) {
            uint64_t old = gcn_lds_read(w, at, size);
            uint32_t(*into)[GCN_LANES] = exec == UINT64_MAX ? (uint32_t(*)[GCN_LANES])d : found;
            gcn_lds_write(w, at, rmw_chain(rmw, size, old, exec, s, two ? s2 : NULL, rtn ? into : NULL), size);
            if (rtn && into == found)
                rmw_put_found(w, d, size, found);
            return op + 1;
        }
    }
    /* These are what programs do most; the same for all other operations would only be large. */
    bool common = size == sizeof(uint32_t) && !two && !rtn;
    bool sum = rmw == rmw_add_32 || rmw == rmw_add_f32;
    uint32_t first = address[0] + (uint32_t)op->imm;
    if (common && sum && exec == UINT64_MAX && all_adjacent(address) && first % size == 0 &&
        gcn_lds_has(w, first, size * GCN_LANES)) {
        rmw_adjacent(w->lds + first, s, rmw);
        return op + 1;
    }
    if (common && exec == UINT64_MAX && all_inside(w, address, (uint32_t)op->imm, size)) {
        rmw_all(w, op, rmw);
        return op + 1;
    }
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t at = address[lane] + (uint32_t)op->imm;
        if (at % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, at);
        uint64_t old = 0;
        if (gcn_lds_has(w, at, size)) {
            memcpy(&old, w->lds + at, size);
            uint64_t new = rmw(old, rmw_datum(s + lane, size), two ? rmw_datum(s2 + lane, size) : 0);
            memcpy(w->lds + at, &new, size);
        }
        if (rtn)
            rmw_put_datum(d + lane, old, size);
    }
    return op + 1;
}

/* Both operands come from group memory, the second from an address relative to the first: by dwords, as a signed
 * 15-bit offset says, or, when the offset's top bit is set, as the upper half of the address register does. */
INLINE const struct gcn_uop *rmw_src2(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, rmw_fn *rmw)
{
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    const uint32_t *address = gcn_line(w, op->src[0]);
    bool in_address = op->imm & 0x8000;
    uint32_t offset = (uint32_t)((int32_t)((uint32_t)op->imm << 17) >> 17);
    for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t a = address[lane], at = in_address ? a & 0x1FFFF : a;
        uint32_t from = at + 4 * (in_address ? (uint32_t)((int32_t)a >> 17) : offset);
        if (at % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, at);
        uint64_t second = gcn_lds_read(w, from, size);
        gcn_lds_write(w, at, rmw(gcn_lds_read(w, at, size), second, 0), size);
    }
    return op + 1;
}

#define PLAIN(name, size, rmw, two)                                                                     \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        return rmw_lanes(w, op, size, rmw, two, false);                                                 \
    }
#define RETURNING(name, size, rmw, two)                                                                 \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        return rmw_lanes(w, op, size, rmw, two, true);                                                  \
    }
#define SRC2(name, size, rmw)                                                                           \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        return rmw_src2(w, op, size, rmw);                                                              \
    }
/* What each kind of row stands for: P, R and S get (mnemonic, size, function, second datum). */
#define EACH_TWO(P, R, op, t32, t64, rmw32, rmw64, two)                                                 \
    P(ds_##op##_##t32, 4, rmw32, two) P(ds_##op##_##t64, 8, rmw64, two)                                 \
    R(ds_##op##_rtn_##t32, 4, rmw32, two) R(ds_##op##_rtn_##t64, 8, rmw64, two)
#define EACH(P, R, S, op, t32, t64, rmw32, rmw64)                                                       \
    EACH_TWO(P, R, op, t32, t64, rmw32, rmw64, false)                                                   \
    S(ds_##op##_src2_##t32, 4, rmw32) S(ds_##op##_src2_##t64, 8, rmw64)
#define EACH_F32(P, R, S, op)                                                                           \
    P(ds_##op##_f32, 4, rmw_##op##_f32, false) R(ds_##op##_rtn_f32, 4, rmw_##op##_f32, false)           \
    S(ds_##op##_src2_f32, 4, rmw_##op##_f32)

#define F64_PAIR(P, R, op) P(ds_##op##_f64, 8, rmw_##op##_f64, false) R(ds_##op##_rtn_f64, 8, rmw_##op##_f64, false)

#define RMW(name, op, t, builtin, ...)                                                                  \
    EACH(PLAIN, RETURNING, SRC2, op, t##32, t##64, rmw_##name##_32, rmw_##name##_64)
#define RMW_DS(op, t, ...) EACH(PLAIN, RETURNING, SRC2, op, t##32, t##64, rmw_##op##_##t##_32, rmw_##op##_##t##_64)
#define RMW_DS_F(op, ...) EACH(PLAIN, RETURNING, SRC2, op, f32, f64, rmw_##op##_f32, rmw_##op##_f64)
#define RMW_DS_F32(op, ...) EACH_F32(PLAIN, RETURNING, SRC2, op)
#define RMW_DS_F64(op, ...) F64_PAIR(PLAIN, RETURNING, op)
#define RMW_DS_TWO(op, t, ...)                                                                               \
    EACH_TWO(PLAIN, RETURNING, op, t##32, t##64, rmw_##op##_##t##_32, rmw_##op##_##t##_64, true)
#define RMW_DS_F_TWO(op, ...) EACH_TWO(PLAIN, RETURNING, op, f32, f64, rmw_##op##_f32, rmw_##op##_f64, true)
#define RMW_DS_RTN(op, t, ...)                                                                          \
    RETURNING(ds_##op##_rtn_##t##32, 4, rmw_##op##_##t##_32, false)                                     \
    RETURNING(ds_##op##_rtn_##t##64, 8, rmw_##op##_##t##_64, false)
#define RMW_DS_WRAP(op, t, ...) RETURNING(ds_##op##_rtn_##t##32, 4, rmw_##op##_##t##_32, true)
#include "runtime/gcn/tables/memory.def"

/* Two exchanges at once. The old values are read before either is written. */
INLINE const struct gcn_uop *wrxchg2(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned scale)
{
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    const uint32_t *address = gcn_line(w, op->src[0]), *s[2] = {gcn_line(w, op->src[1]), gcn_line(w, op->src[2])};
    uint32_t *d = gcn_dst(w, op->dst);
    for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t at[2] = {address[lane] + (op->imm & 255u) * scale, address[lane] + (op->imm >> 8 & 255u) * scale};
        if (address[lane] % size)
            return gcn_raise(w, op, GCN_FAULT_ALIGNMENT, address[lane]);
        uint64_t old[2] = {gcn_lds_read(w, at[0], size), gcn_lds_read(w, at[1], size)};
        gcn_lds_write(w, at[0], rmw_datum(s[0] + lane, size), size);
        gcn_lds_write(w, at[1], rmw_datum(s[1] + lane, size), size);
        rmw_put_datum(d + lane, old[0], size);
        rmw_put_datum(d + size / 4 * GCN_LANES + lane, old[1], size);
    }
    return op + 1;
}

HANDLER(ds_wrxchg2_rtn_b32)
{
    return wrxchg2(w, op, 4, 4);
}

HANDLER(ds_wrxchg2st64_rtn_b32)
{
    return wrxchg2(w, op, 4, 256);
}

HANDLER(ds_wrxchg2_rtn_b64)
{
    return wrxchg2(w, op, 8, 8);
}

HANDLER(ds_wrxchg2st64_rtn_b64)
{
    return wrxchg2(w, op, 8, 512);
}

/* Writes each of two dwords whose datum has the top bit set, without that bit. */
HANDLER(ds_condxchg32_rtn_b64)
{
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    const uint32_t *address = gcn_line(w, op->src[0]), *s = gcn_line(w, op->src[1]);
    uint32_t *d = gcn_dst(w, op->dst);
    for (uint64_t exec = gcn_exec(w); exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        uint32_t at = (address[lane] + (uint32_t)op->imm) & 0xFFF8, data[2] = {s[lane], s[GCN_LANES + lane]};
        for (unsigned k = 0; k < 2; k++) {
            d[k * GCN_LANES + lane] = (uint32_t)gcn_lds_read(w, at + 4 * k, 4);
            if (data[k] >> 31)
                gcn_lds_write(w, at + 4 * k, data[k] & 0x7FFFFFFF, 4);
        }
    }
    return op + 1;
}

/* An operation on two operands in memory that only copies the second one. */
static uint64_t second_of(uint64_t old, uint64_t first, uint64_t second)
{
    (void)old;
    (void)second;
    return first;
}
SRC2(ds_write_src2_b32, 4, second_of)
SRC2(ds_write_src2_b64, 8, second_of)

/* Adds the number of active lanes to the counter at M0 + offset, once for the whole wave. */
INLINE const struct gcn_uop *count(struct gcn_wave *w, const struct gcn_uop *op, bool append)
{
    if (op->aux & GCN_GDS)
        return gcn_no_gds(w, op);
    uint64_t exec = gcn_exec(w);
    uint32_t at = w->s[GCN_S_M0] + (uint32_t)op->imm, by = (uint32_t)__builtin_popcountll(exec);
    uint32_t old = (uint32_t)gcn_lds_read(w, at, 4), *d = gcn_dst(w, op->dst);
    gcn_lds_write(w, at, append ? old + by : old - by, 4);
    for (; exec; exec &= exec - 1)
        d[__builtin_ctzll(exec)] = old;
    return op + 1;
}

HANDLER(ds_append)
{
    return count(w, op, true);
}

HANDLER(ds_consume)
{
    return count(w, op, false);
}

HANDLER(ds_nop)
{
    (void)w;
    return op + 1;
}

#define ROW(name, ...) {GCN_OP_##name, name},
#define RMW(name, op, t, builtin, ...) EACH(ROW, ROW, ROW, op, t##32, t##64, , )
#define RMW_DS(op, t, ...) EACH(ROW, ROW, ROW, op, t##32, t##64, , )
#define RMW_DS_F(op, ...) EACH(ROW, ROW, ROW, op, f32, f64, , )
#define RMW_DS_F32(op, ...) EACH_F32(ROW, ROW, ROW, op)
#define RMW_DS_F64(op, ...) F64_PAIR(ROW, ROW, op)
#define RMW_DS_TWO(op, t, ...) EACH_TWO(ROW, ROW, op, t##32, t##64, , , )
#define RMW_DS_F_TWO(op, ...) EACH_TWO(ROW, ROW, op, f32, f64, , , )
#define RMW_DS_RTN(op, t, ...) ROW(ds_##op##_rtn_##t##32) ROW(ds_##op##_rtn_##t##64)
#define RMW_DS_WRAP(op, t, ...) ROW(ds_##op##_rtn_##t##32)
/* clang-format off */
const struct gcn_handler_row gcn_lds_atomic_handlers[] = {
#include "runtime/gcn/tables/memory.def"
    ROW(ds_wrxchg2_rtn_b32) ROW(ds_wrxchg2st64_rtn_b32) ROW(ds_wrxchg2_rtn_b64) ROW(ds_wrxchg2st64_rtn_b64)
    ROW(ds_condxchg32_rtn_b64) ROW(ds_write_src2_b32) ROW(ds_write_src2_b64)
    ROW(ds_append) ROW(ds_consume) ROW(ds_nop)
    {0, NULL},
};
/* clang-format on */
