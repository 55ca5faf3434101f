/* SPDX-License-Identifier: MIT */
/* Loads and stores of FLAT, GLOBAL and SCRATCH: the fast paths, built once per instruction set of the host.
 *
 * Input and output as in exec_flat_slow.c, which executes whatever is not recognised here. Most often the lanes of a
 * wave access adjacent elements, which move as vectors, transposed if they have several dwords; or all the same
 * element, which is loaded once; or scattered ones, for which a loop without checks does once all are known to be in
 * host memory. */
#include "runtime/gcn/exec/exec_flat.h"
#include "runtime/gcn/exec/exec_lines.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/inst.h"

enum { HOST_HIGH = 0x7FFF }; /* high halves of addresses from here on may be beyond host memory */

/* The addresses of the lanes: base + (hi:lo). */
struct flat_addresses {
    const uint32_t *lo, *hi; /* HI is NULL when it is zero in all lanes, and for private addresses */
    uint64_t base;
};

INLINE struct flat_addresses lanes_of(const struct gcn_wave *w, const struct gcn_uop *op)
{
    struct flat_addresses a = {gcn_line(w, op->src[0]), NULL, (uint64_t)(int64_t)op->imm};
    if (op->aux & GCN_SADDR)
        a.base += gcn_s64(w, op->src[2]);
    else if (!(op->aux & GCN_SEG_SCRATCH))
        a.hi = a.lo + GCN_LANES;
    return a;
}

INLINE uint64_t address_in(struct flat_addresses a, unsigned lane)
{
    return a.base + a.lo[lane] + (a.hi ? (uint64_t)a.hi[lane] << 32 : 0);
}

/* Whether the high halves of the addresses show that no active lane's address is beyond host memory. */
INLINE bool all_host(struct gcn_wave *w, struct flat_addresses a, uint64_t exec)
{
    if (!a.hi)
        return a.base < MEM_LIMIT - UINT64_C(0x200000000);
    uint32_t any = 0;
    if (exec == ALL) {
        GCN_LANE_LOOP
        any |= a.hi[i];
    } else {
        const uint32_t *mask = gcn_mask(w);
        GCN_LANE_LOOP
        any |= a.hi[i] & mask[i];
    }
    return any < HOST_HIGH;
}

/* Whether every lane lies STEP bytes after the one before it. */
INLINE bool adjacent(struct flat_addresses a, uint32_t step)
{
    return line_adjacent(a.lo, step) && (!a.hi || line_steps(a.hi, a.hi[0], 0));
}

/* The addresses of all lanes. */
INLINE void addresses(struct flat_addresses a, uint64_t *address)
{
    if (a.hi) {
        GCN_LANE_LOOP
        address[i] = a.base + (a.lo[i] | (uint64_t)a.hi[i] << 32);
    } else {
        GCN_LANE_LOOP
        address[i] = a.base + a.lo[i];
    }
}

/* Turns flat addresses into host addresses if all active lanes access group memory, or all private memory, at valid
 * places. The dwords of private memory are not adjacent, so each element must lie within one of them. */
INLINE bool segment_addresses(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, uint32_t size,
                              uint64_t *address)
{
    if (op->aux & (GCN_SEG_GLOBAL | GCN_SADDR))
        return false;
    const uint32_t *mask = gcn_mask(w), *lo = a.lo, *hi = a.hi;
    uint32_t shared = GCN_SHARED_BASE_HI + w->group_tag, private = GCN_PRIVATE_BASE_HI + w->private_tag;
    uint32_t high = op->aux & GCN_SEG_SCRATCH ? private : hi[__builtin_ctzll(gcn_exec(w))];
    uint32_t limit = high == shared ? w->lds_size : high == private ? w->scratch_size : 0;
    uint32_t imm = (uint32_t)op->imm, bad = 0;
    if (limit < size || (high == private && size > 4))
        return false;
    if (!(op->aux & GCN_SEG_SCRATCH)) {
        GCN_LANE_LOOP
        bad |= (hi[i] ^ high) & mask[i];
    }
    GCN_LANE_LOOP
    bad |= (uint32_t)(lo[i] + imm > limit - size) & mask[i];
    if (high == shared) {
        uint64_t lds = (uintptr_t)w->lds;
        GCN_LANE_LOOP
        address[i] = lds + (lo[i] + imm);
    } else {
        uint64_t scratch = (uintptr_t)w->scratch;
        GCN_LANE_LOOP
        bad |= (uint32_t)((lo[i] + imm) % 4 + size > 4) & mask[i];
        GCN_LANE_LOOP
        address[i] = scratch + (uint64_t)((lo[i] + imm) & ~3u) * GCN_LANES + 4 * (uint32_t)i + (lo[i] + imm) % 4;
    }
    return !bad;
}

/* Whether W may access SIZE bytes at the address of each lane of EXEC. Often what it remembers has those of all lanes.
 */
__attribute__((noinline)) static bool lanes_may_access(struct gcn_wave *w, const uint64_t *address, uint64_t exec,
                                                       uint32_t size)
{
    const struct gcn_window *window = guest_memory_window(w, address[__builtin_ctzll(exec)], size);
    return (window && guest_window_has(window, address, size)) || guest_memory_holds_lanes(w, address, exec, size);
}

enum path { ALL_LANES, SOME_LANES, SLOW };

/* Finds the addresses that at least the active lanes access, with SIZE bytes each; SLOW if that is not simple. */
INLINE enum path find_path(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, uint64_t exec,
                           uint32_t size, uint64_t *address)
{
    if (op->aux & GCN_SEG_SCRATCH || !all_host(w, a, exec)) {
        if (!segment_addresses(w, op, a, size, address))
            return SLOW;
    } else {
        addresses(a, address);
        if (w->guest && !lanes_may_access(w, address, exec, size))
            return SLOW;
    }
    w->at = op;
    return exec == ALL ? ALL_LANES : SOME_LANES;
}

/* The same for all lanes of addresses that are adjacent, or all the same. */
INLINE bool starts_in_host(struct flat_addresses a)
{
    return a.hi ? a.hi[0] < HOST_HIGH : a.base < MEM_LIMIT - UINT64_C(0x200000000);
}

/* Whether SIZE bytes from the address of lane 0 on, which are adjacent, are what the instruction accesses. */
INLINE bool is_plain(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, uint64_t size)
{
    return !(op->aux & GCN_SEG_SCRATCH) && starts_in_host(a) &&
           (!w->guest || guest_memory_holds(w, address_in(a, 0), size));
}

/* Whether W may access SIZE bytes at the beginning of each of COUNT rows; often what it remembers has all that is
 * between them. */
INLINE bool rows_may_access(struct gcn_wave *w, const uint64_t *row, unsigned count, uint64_t size)
{
    uint64_t low = row[0], high = row[0];
    GCN_UNROLL
    for (unsigned i = 1; i < count; i++) {
        low = row[i] < low ? row[i] : low;
        high = row[i] > high ? row[i] : high;
    }
    return guest_memory_window(w, low, high - low + size) ||
           guest_memory_holds_lanes(w, row, (UINT64_C(1) << count) - 1, size);
}

enum { NO_STEP = 5 };

/* How far apart the lanes' addresses are if all lanes are active: 0, 1, 2 or 4 bytes, the same in each row, as far as
 * the first and the last lane of the first row tell. */
INLINE uint32_t first_step(uint64_t exec, struct flat_addresses a)
{
    uint32_t distance = a.lo[ROW_LANES - 1] - a.lo[0], step = distance / (ROW_LANES - 1);
    return exec == ALL && step <= 4 && step != 3 && distance == step * (ROW_LANES - 1) ? step : NO_STEP;
}

/* Finds where each row of LANES lanes begins, in which elements of SIZE bytes are STEP bytes apart as far as the low
 * halves of their addresses tell; false unless all lanes access host memory. */
INLINE bool place_rows(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, unsigned lanes,
                       uint32_t step, uint32_t size, uint64_t *row)
{
    if (op->aux & GCN_SEG_SCRATCH || (a.hi && !line_steps(a.hi, a.hi[0], 0)) || !starts_in_host(a))
        return false;
    const uint64_t base = address_in(a, 0) - a.lo[0];
    GCN_UNROLL
    for (unsigned i = 0; i < GCN_LANES; i += lanes)
        row[i / lanes] = base + a.lo[i];
    if (w->guest && !rows_may_access(w, row, GCN_LANES / lanes, step * (lanes - 1) + size))
        return false;
    w->at = op;
    return true;
}

/* Finds rows of ROW_LANES lanes. */
INLINE bool find_rows(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, uint32_t step,
                      uint32_t size, uint64_t *row)
{
    return rows_step(a.lo, step, ROW_LANES) && place_rows(w, op, a, ROW_LANES, step, size, row);
}

/* Finds short rows of adjacent dwords, where the other rows are longer. */
INLINE bool find_short_rows(struct gcn_wave *w, const struct gcn_uop *op, struct flat_addresses a, uint64_t exec,
                            uint64_t *row)
{
    return (int)GCN_SHORT_ROW < (int)ROW_LANES && exec == ALL && rows_step(a.lo, 4, GCN_SHORT_ROW) &&
           place_rows(w, op, a, GCN_SHORT_ROW, 4, 4, row);
}

/* Finds where lane 0 would access a dword if all lanes did as the active ones do, whose dwords are adjacent; false if
 * they are not, or may not be accessed. Code that only some lanes execute has computed the addresses of these. */
__attribute__((noinline)) static bool active_adjacent(struct gcn_wave *w, const struct gcn_uop *op,
                                                      struct flat_addresses a, uint64_t exec, uint64_t *address)
{
    const uint32_t *mask = gcn_mask(w);
    unsigned first = (unsigned)__builtin_ctzll(exec), count = GCN_LANES - (unsigned)__builtin_clzll(exec) - first;
    uint32_t start = a.lo[first] - 4 * first, high = a.hi ? a.hi[first] : 0, differ = 0;
    if (op->aux & GCN_SEG_SCRATCH || a.lo[first] < 4 * first || start > UINT32_MAX - GCN_LINE ||
        (a.hi ? high >= HOST_HIGH : a.base >= MEM_LIMIT - UINT64_C(0x200000000)))
        return false;
    GCN_LANE_LOOP
    differ |= (a.lo[i] ^ (start + 4 * (uint32_t)i)) & mask[i];
    if (a.hi) {
        GCN_LANE_LOOP
        differ |= (a.hi[i] ^ high) & mask[i];
    }
    *address = a.base + start + ((uint64_t)high << 32);
    return !differ && (!w->guest || guest_memory_holds(w, *address + 4 * first, 4 * count));
}

/* The instructions that access adjacent elements are short functions; what else they may have to do is in others. */

/* Loads elements of N dwords that overlap, each a dword after the one before, as those of a sliding window. */
__attribute__((noinline)) static bool load_windows(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t row[GCN_LANES / ROW_LANES];
    struct flat_addresses a = lanes_of(w, op);
    uint32_t *d = gcn_dst(w, op->dst);
    if (first_step(gcn_exec(w), a) != 4 || !find_rows(w, op, a, 4, 4 * (uint32_t)n, row))
        return false;
    for (int k = 0; k < n; k++, d += GCN_LANES) {
        load_rows(d, row, ROW_LANES);
        GCN_UNROLL
        for (unsigned i = 0; i < GCN_LANES / ROW_LANES; i++)
            row[i] += 4;
    }
    return true;
}

INLINE const struct gcn_uop *load_others(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    struct flat_addresses a = lanes_of(w, op);
    uint32_t *d = gcn_dst(w, op->dst);
    if (n > 1 && load_windows(w, op, n))
        return op + 1;
    if (n == 1 && find_short_rows(w, op, a, exec, address)) {
        load_rows(d, address, GCN_SHORT_ROW);
        return op + 1;
    }
    if (exec == ALL && adjacent(a, 0) && is_plain(w, op, a, 4 * (uint64_t)n)) {
        uint32_t one[4 * GCN_LANES];
        w->at = op;
        load_lane(one, address_in(a, 0), n);
        for (int k = 0; k < n; k++) {
            uint32_t value = one[k * GCN_LANES];
            GCN_LANE_LOOP
            d[k * GCN_LANES + i] = value;
        }
        return op + 1;
    }
    if (MASKED_MOVES && n == 1 && exec != ALL && active_adjacent(w, op, a, exec, address)) {
        w->at = op;
        load_some(d, *address, gcn_mask(w));
        return op + 1;
    }
    enum path path = find_path(w, op, a, exec, 4 * (uint32_t)n, address);
    if (path == SLOW)
        return gcn_flat_load(w, op, 4 * (unsigned)n, NULL);
    if (path == ALL_LANES)
        load_lanes(d, address, n);
    else
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            load_lane(d + lane, address[lane], n);
        }
    return op + 1;
}

INLINE const struct gcn_uop *store_others(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    struct flat_addresses a = lanes_of(w, op);
    const uint32_t *s = gcn_line(w, op->src[1]);
    if (n == 1 && find_short_rows(w, op, a, exec, address)) {
        store_rows(address, s, GCN_SHORT_ROW);
        return op + 1;
    }
    if (MASKED_MOVES && n == 1 && exec != ALL && active_adjacent(w, op, a, exec, address)) {
        w->at = op;
        store_some(*address, s, gcn_mask(w));
        return op + 1;
    }
    enum path path = find_path(w, op, a, exec, 4 * (uint32_t)n, address);
    if (path == SLOW)
        return gcn_flat_store(w, op, 4 * (unsigned)n, 0);
    if (path == ALL_LANES)
        store_lanes(address, s, n);
    else
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            store_lane(address[lane], s + lane, n);
        }
    return op + 1;
}

/* DO for a constant number of dwords. */
#define BY_DWORDS(DO, n)                                                                                     \
    ((n) == 1   ? DO(w, op, 1)                                                                               \
     : (n) == 2 ? DO(w, op, 2)                                                                               \
     : (n) == 3 ? DO(w, op, 3)                                                                               \
                : DO(w, op, 4))

__attribute__((noinline)) static const struct gcn_uop *load_rest(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    return BY_DWORDS(load_others, n);
}

__attribute__((noinline)) static const struct gcn_uop *store_rest(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    return BY_DWORDS(store_others, n);
}

/* The same of a dword for each lane, where those of the first row are adjacent, or overlap by the same, and most likely
 * those of the others, too. */

__attribute__((noinline)) static const struct gcn_uop *load_in_rows(struct gcn_wave *w, const struct gcn_uop *op,
                                                                    uint32_t step)
{
    uint64_t row[GCN_LANES / ROW_LANES];
    struct flat_addresses a = lanes_of(w, op);
    uint32_t *d = gcn_dst(w, op->dst);
    /* the frequent step is a constant, so that nothing has to be multiplied by it */
    if (!(step == 4 ? find_rows(w, op, a, 4, 4, row) : find_rows(w, op, a, step, 4, row)))
        return load_rest(w, op, 1);
    switch (step) {
    case 0: fill_rows(d, row, 4); break;
    case 1: load_narrow_rows(d, row, 1, 4); break;
    case 2: load_narrow_rows(d, row, 2, 4); break;
    default: load_rows(d, row, ROW_LANES); break;
    }
    return op + 1;
}

__attribute__((noinline)) static const struct gcn_uop *store_in_rows(struct gcn_wave *w, const struct gcn_uop *op)
{
    uint64_t row[GCN_LANES / ROW_LANES];
    if (!find_rows(w, op, lanes_of(w, op), 4, 4, row))
        return store_rest(w, op, 1);
    store_rows(row, gcn_line(w, op->src[1]), ROW_LANES);
    return op + 1;
}

/* first_step(), but not if all lanes load the same dword, as is likely if the first and the last one do: a single load
 * is better. */
INLINE uint32_t first_step_of_load(uint64_t exec, struct flat_addresses a)
{
    uint32_t step = first_step(exec, a);
    return step || a.lo[GCN_LANES - 1] != a.lo[0] ? step : NO_STEP;
}

INLINE const struct gcn_uop *load_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    struct flat_addresses a = lanes_of(w, op);
    if (exec != ALL || !adjacent(a, 4 * (uint32_t)n) || !is_plain(w, op, a, (uint64_t)n * GCN_LINE)) {
        uint32_t step = n == 1 ? first_step_of_load(exec, a) : NO_STEP;
        return step != NO_STEP ? load_in_rows(w, op, step) : load_rest(w, op, n);
    }
    w->at = op;
    spread(gcn_dst(w, op->dst), address_in(a, 0), n);
    return op + 1;
}

INLINE const struct gcn_uop *store_wide(struct gcn_wave *w, const struct gcn_uop *op, int n)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    struct flat_addresses a = lanes_of(w, op);
    w->store_fence = 1;
    if (exec != ALL || !adjacent(a, 4 * (uint32_t)n) || !is_plain(w, op, a, (uint64_t)n * GCN_LINE))
        return n == 1 && first_step(exec, a) == 4 ? store_in_rows(w, op) : store_rest(w, op, n);
    w->at = op;
    collect(address_in(a, 0), gcn_line(w, op->src[1]), n);
    return op + 1;
}

/* Loads an element of SIZE bytes for each lane into X, where lanes that are not active get zero or anything; false if
 * that is not simple. */
INLINE bool load_elements(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, uint32_t *x)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES], row[GCN_LANES / ROW_LANES];
    struct flat_addresses a = lanes_of(w, op);
    uint32_t step = first_step(exec, a);
    if (step == size && find_rows(w, op, a, size, size, row)) {
        load_narrow_rows(x, row, size, size);
        return true;
    }
    if (step == 1 && size == 2 && find_rows(w, op, a, 1, 2, row)) {
        load_narrow_rows(x, row, 1, 2);
        return true;
    }
    if (step == 0 && find_rows(w, op, a, 0, size, row)) {
        fill_rows(x, row, size);
        return true;
    }
    enum path path = find_path(w, op, a, exec, size, address);
    if (path == SLOW)
        return false;
    if (path == ALL_LANES) {
        load_singles(x, address, size);
        return true;
    }
    memset(x, 0, GCN_LINE);
    for (; exec; exec &= exec - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(exec);
        x[lane] = load_element(address[lane], size);
    }
    return true;
}

__attribute__((noinline)) static bool load_narrow_rest(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                                       uint32_t *x)
{
    return size == 1 ? load_elements(w, op, 1, x) : load_elements(w, op, 2, x);
}

INLINE const struct gcn_uop *load_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size,
                                         gcn_convert *convert)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    uint32_t *d = gcn_dst(w, op->dst), x[GCN_LANES];
    struct flat_addresses a = lanes_of(w, op);
    if (exec == ALL && adjacent(a, size) && is_plain(w, op, a, (uint64_t)size * GCN_LANES)) {
        w->at = op;
        spread_narrow(d, address_in(a, 0), size, convert);
        return op + 1;
    }
    if (!load_narrow_rest(w, op, size, x))
        return gcn_flat_load(w, op, size, convert);
    if (exec == ALL) {
        GCN_LANE_LOOP
        d[i] = convert(d[i], x[i]);
    } else {
        const uint32_t *mask = gcn_mask(w);
        GCN_LANE_LOOP
        d[i] = (convert(d[i], x[i]) & mask[i]) | (d[i] & ~mask[i]);
    }
    return op + 1;
}

INLINE void store_element(uint64_t address, uint32_t value, unsigned size)
{
    if (size == 1)
        mem_store8(address, (uint8_t)value);
    else
        mem_store16(address, (uint16_t)value);
}

INLINE const struct gcn_uop *store_elements(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    uint64_t exec = gcn_exec(w), address[GCN_LANES];
    const uint32_t *s = gcn_line(w, op->src[1]);
    struct flat_addresses a = lanes_of(w, op);
    enum path path = find_path(w, op, a, exec, size, address);
    if (path == SLOW)
        return gcn_flat_store(w, op, size, shift);
    if (path == ALL_LANES)
        for (int i = 0; i < GCN_LANES; i++)
            store_element(address[i], s[i] >> shift, size);
    else
        for (; exec; exec &= exec - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(exec);
            store_element(address[lane], s[lane] >> shift, size);
        }
    return op + 1;
}

__attribute__((noinline)) static const struct gcn_uop *store_narrow_rest(struct gcn_wave *w, const struct gcn_uop *op,
                                                                         unsigned size, unsigned shift)
{
    return size == 1 ? store_elements(w, op, 1, shift) : store_elements(w, op, 2, shift);
}

INLINE const struct gcn_uop *store_narrow(struct gcn_wave *w, const struct gcn_uop *op, unsigned size, unsigned shift)
{
    uint64_t exec = gcn_exec(w);
    if (!exec)
        return op + 1;
    struct flat_addresses a = lanes_of(w, op);
    w->store_fence = 1;
    if (exec != ALL || !adjacent(a, size) || !is_plain(w, op, a, (uint64_t)size * GCN_LANES))
        return store_narrow_rest(w, op, size, shift);
    w->at = op;
    collect_narrow(address_in(a, 0), gcn_line(w, op->src[1]), size, shift);
    return op + 1;
}

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

#define FAMILY(name)    flat_##name
#define FAMILY_OP(name) GCN_OP_flat_##name
#define ROWS            GCN_SIMD_SYM(gcn_flat_handlers)
#include "runtime/gcn/exec/exec_rows.def"
