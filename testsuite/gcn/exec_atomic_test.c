/* SPDX-License-Identifier: MIT */
/* Compares read-modify-write operations, in every memory that has them, with a model that takes one lane after the
 * other. Some lanes share addresses; the values include edge values; operations have 32 and 64 bits, with and without a
 * result. */
#include "testsuite/gcn/exec_harness.h"
#include "testsuite/float_bits.h"

#include <math.h>

enum { CELLS = 40, VADDR = 10, VDATA = 20, VDATA2 = 26, VDST = 40, SBASE = 36, SOFF = 44, SDATA = 48 };

/* What memory holds after the operation, if it held M before; D and C are the data in the order of the registers. */
typedef uint64_t model(uint64_t m, uint64_t d, uint64_t c, unsigned bits);

static uint64_t cut(uint64_t x, unsigned bits)
{
    return bits == 32 ? (uint32_t)x : x;
}

static int64_t sx(uint64_t x, unsigned bits)
{
    return bits == 32 ? (int32_t)x : (int64_t)x;
}

static double fp(uint64_t x, unsigned bits)
{
    return bits == 32 ? f32_of_bits(x) : f64_of_bits(x);
}

#define MODEL(name, expression)                                                                         \
    static uint64_t m_##name(uint64_t m, uint64_t d, uint64_t c, unsigned bits)                         \
    {                                                                                                   \
        (void)m, (void)d, (void)c;                                                                      \
        return cut(expression, bits);                                                                   \
    }
MODEL(swap, d)
MODEL(add, m + d)
MODEL(sub, m - d)
MODEL(rsub, d - m)
MODEL(smin, sx(m, bits) < sx(d, bits) ? m : d)
MODEL(umin, m < d ? m : d)
MODEL(smax, sx(m, bits) > sx(d, bits) ? m : d)
MODEL(umax, m > d ? m : d)
MODEL(and, m &d)
MODEL(or, m | d)
MODEL(xor, m ^ d)
MODEL(inc, m >= d ? 0 : m + 1)
MODEL(dec, m == 0 || m > d ? d : m - 1)
MODEL(cmpswap, m == c ? d : m) /* data: new, expected */
MODEL(cmpst, m == d ? c : m)   /* data: expected, new */
MODEL(mskor, (m & ~d) | c)
MODEL(wrap, m >= d ? m - d : m + c)
MODEL(fcmpst, fp(m, bits) == fp(d, bits) ? c : m)
MODEL(fmin, fp(d, bits) < fp(m, bits) ? d : m)
MODEL(fmax, fp(d, bits) > fp(m, bits) ? d : m)

static uint64_t m_fadd(uint64_t m, uint64_t d, uint64_t c, unsigned bits)
{
    (void)c, (void)bits;
    return bits_of_f32((float)fp(m, 32) + (float)fp(d, 32));
}

static uint64_t m_add_f64(uint64_t m, uint64_t d, uint64_t c, unsigned bits)
{
    (void)c;
    return bits_of_f64(fp(m, bits) + fp(d, bits));
}

/* The f32 sum without denormals, as additions in global memory work. */
static uint64_t m_add_f32(uint64_t m, uint64_t d, uint64_t c, unsigned bits)
{
    m = m & 0x7f800000 ? m : m & 0x80000000;
    d = d & 0x7f800000 ? d : d & 0x80000000;
    uint64_t sum = m_fadd(m, d, c, bits);
    return sum & 0x7f800000 ? sum : sum & 0x80000000;
}

/* Two halves added to two halves; none of them is a NaN, as the data have no exponent that is all ones. */
static uint64_t m_pk_add_f16(uint64_t m, uint64_t d, uint64_t c, unsigned bits)
{
    uint16_t a[2] = {(uint16_t)m, (uint16_t)(m >> 16)}, b[2] = {(uint16_t)d, (uint16_t)(d >> 16)};
    _Float16 x[2], y[2];
    (void)c, (void)bits;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (unsigned i = 0; i < 2; i++)
        x[i] = (_Float16)(x[i] + y[i]);
    memcpy(a, x, sizeof a);
    return a[0] | (uint64_t)a[1] << 16;
}

struct row {
    const char *name;
    unsigned bits, plain, returning, smem, smem_buffer, buffer;
    model *model;
    bool two, is_float;
};

#define GLOBAL_ROW(op, two)                                                                             \
    {#op, 32, 0, GCN_OP_flat_atomic_##op, GCN_OP_s_atomic_##op, GCN_OP_s_buffer_atomic_##op,            \
     GCN_OP_buffer_atomic_##op, m_##op, two, false},                                                    \
    {#op "_x2", 64, 0, GCN_OP_flat_atomic_##op##_x2, GCN_OP_s_atomic_##op##_x2,                         \
     GCN_OP_s_buffer_atomic_##op##_x2, GCN_OP_buffer_atomic_##op##_x2, m_##op, two, false},
/* clang-format off */
static const struct row global_rows[] = {
    GLOBAL_ROW(swap, false) GLOBAL_ROW(cmpswap, true) GLOBAL_ROW(add, false) GLOBAL_ROW(sub, false)
    GLOBAL_ROW(smin, false) GLOBAL_ROW(umin, false) GLOBAL_ROW(smax, false) GLOBAL_ROW(umax, false)
    GLOBAL_ROW(and, false) GLOBAL_ROW(or, false) GLOBAL_ROW(xor, false) GLOBAL_ROW(inc, false)
    GLOBAL_ROW(dec, false)
    {"add_f32", 32, 0, GCN_OP_flat_atomic_add_f32, 0, 0, GCN_OP_buffer_atomic_add_f32, m_add_f32, false, true},
    {"pk_add_f16", 32, 0, GCN_OP_flat_atomic_pk_add_f16, 0, 0, GCN_OP_buffer_atomic_pk_add_f16, m_pk_add_f16, false,
     false},
#define F64_ROW(op, model) \
    {#op "_f64", 64, 0, GCN_OP_flat_atomic_##op##_f64, 0, 0, GCN_OP_buffer_atomic_##op##_f64, model, false, true},
    F64_ROW(add, m_add_f64) F64_ROW(min, m_fmin) F64_ROW(max, m_fmax)
};
/* clang-format on */

#define DS_ROW(op, t, bits, model, two, is_float)                                                            \
    {"ds_" #op "_" #t #bits,                                                                                 \
     bits,                                                                                                   \
     GCN_OP_ds_##op##_##t##bits,                                                                             \
     GCN_OP_ds_##op##_rtn_##t##bits,                                                                         \
     0,                                                                                                      \
     0,                                                                                                      \
     0,                                                                                                      \
     model,                                                                                                  \
     two,                                                                                                    \
     is_float},
#define DS_RTN(op, t, bits, model, two)                                                                 \
    {"ds_" #op "_rtn_" #t #bits, bits, 0, GCN_OP_ds_##op##_rtn_##t##bits, 0, 0, 0, model, two, false},
#define DS_BOTH(op, t, model, two) DS_ROW(op, t, 32, model, two, false) DS_ROW(op, t, 64, model, two, false)
#define DS_FLOAT(op, model, two) DS_ROW(op, f, 32, model, two, true) DS_ROW(op, f, 64, model, two, true)
/* clang-format off */
static const struct row ds_rows[] = {
    DS_BOTH(add, u, m_add, false) DS_BOTH(sub, u, m_sub, false) DS_BOTH(rsub, u, m_rsub, false)
    DS_BOTH(inc, u, m_inc, false) DS_BOTH(dec, u, m_dec, false) DS_BOTH(min, i, m_smin, false)
    DS_BOTH(max, i, m_smax, false) DS_BOTH(min, u, m_umin, false) DS_BOTH(max, u, m_umax, false)
    DS_BOTH(and, b, m_and, false) DS_BOTH(or, b, m_or, false) DS_BOTH(xor, b, m_xor, false)
    DS_BOTH(mskor, b, m_mskor, true) DS_BOTH(cmpst, b, m_cmpst, true)
    DS_FLOAT(cmpst, m_fcmpst, true) DS_FLOAT(min, m_fmin, false) DS_FLOAT(max, m_fmax, false)
    DS_ROW(add, f, 32, m_fadd, false, true) DS_ROW(add, f, 64, m_add_f64, false, true)
    DS_RTN(wrxchg, b, 32, m_swap, false) DS_RTN(wrxchg, b, 64, m_swap, false) DS_RTN(wrap, b, 32, m_wrap, true)
};
/* clang-format on */

/* clang-format off */
static const struct src2 {
    const char *name;
    unsigned bits, id;
    model *model;
    bool is_float;
} src2_rows[] = {
#define SRC2(op, t, bits, model, is_float)                                                                   \
    {"ds_" #op "_src2_" #t #bits, bits, GCN_OP_ds_##op##_src2_##t##bits, model, is_float},
#define SRC2_BOTH(op, t, model) SRC2(op, t, 32, model, false) SRC2(op, t, 64, model, false)
    SRC2_BOTH(add, u, m_add) SRC2_BOTH(sub, u, m_sub) SRC2_BOTH(rsub, u, m_rsub) SRC2_BOTH(inc, u, m_inc)
    SRC2_BOTH(dec, u, m_dec) SRC2_BOTH(min, i, m_smin) SRC2_BOTH(max, i, m_smax) SRC2_BOTH(min, u, m_umin)
    SRC2_BOTH(max, u, m_umax) SRC2_BOTH(and, b, m_and) SRC2_BOTH(or, b, m_or) SRC2_BOTH(xor, b, m_xor)
    SRC2_BOTH(write, b, m_swap) SRC2(min, f, 32, m_fmin, true) SRC2(max, f, 32, m_fmax, true)
    SRC2(min, f, 64, m_fmin, true) SRC2(max, f, 64, m_fmax, true) SRC2(add, f, 32, m_fadd, true)
};
/* clang-format on */

static uint64_t cells[CELLS + 2], want[CELLS + 2];
static uint32_t *const words = (uint32_t *)cells;
static struct gcn_wave *copy;

static uint64_t some_value(const struct row *row)
{
    static const uint64_t edge[] = {
        0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 7, 8};
    static const float edge_f[] = {0, -0.0f, 1, -1, 1e-40f, -3.5f, 2.25f, INFINITY, -INFINITY, 65536, 0.1f};
    unsigned i = (unsigned)(random64() % 22);
    if (row->model == m_pk_add_f16)
        return random64() & 0xbbffbbff;
    if (row->is_float && i < 11) {
        uint64_t raw = 0;
        double d = edge_f[i];
        memcpy(&raw, row->bits == 32 ? (const void *)&edge_f[i] : (const void *)&d, row->bits / 8);
        return raw;
    }
    return i < 11 ? edge[i] : row->is_float ? random64() & 0xBFFFFFFFBFFFFFFF : random64();
}

static uint64_t get_cell(const uint64_t *at, unsigned offset, unsigned bits)
{
    uint64_t value = 0;
    memcpy(&value, (const char *)at + offset, bits / 8);
    return value;
}

static void put(struct gcn_wave *w, unsigned line, unsigned lane, uint64_t value, unsigned bits)
{
    w->v[line][lane] = (uint32_t)value;
    if (bits == 64)
        w->v[line + 1][lane] = (uint32_t)(value >> 32);
}

enum place { HOST, GROUP, PRIVATE, BUFFER, PLACES };

/* In private memory the lanes have cells of their own, which this array holds by address and lane. */
static uint32_t private_words[2 * CELLS * GCN_LANES], private_want[2 * CELLS * GCN_LANES];

/* Gives every lane an address (returned as cell offsets) and data. */
static void set_up(const struct row *row, uint64_t exec, unsigned *offset, unsigned data, unsigned data2)
{
    unsigned pattern = random64() % 3; /* one address; side by side, from some element on; anything */
    new_wave(exec);
    for (unsigned i = 0; i < CELLS + 2; i++)
        want[i] = cells[i] = row->bits == 64 ? some_value(row) : (uint32_t)some_value(row) | some_value(row) << 32;
    for (unsigned i = 0; i < 2 * CELLS * GCN_LANES; i++)
        private_words[i] = private_want[i] = (uint32_t)some_value(row);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        offset[i] = (unsigned)(random64() % (CELLS * 8 / (row->bits / 8))) * (row->bits / 8);
        if (pattern == 0)
            offset[i] = offset[0];
        else if (pattern == 1)
            offset[i] = (offset[0] + i * (row->bits / 8)) % (CELLS * 8);
        uint64_t d = some_value(row), c = some_value(row);
        if (row->two && random64() % 2) /* a comparison that succeeds, at least for the first lane of an address */
            *(row->model == m_cmpswap ? &c : &d) = get_cell(cells, offset[i], row->bits);
        put(wave, data, i, d, row->bits);
        put(wave, data2, i, c, row->bits);
    }
}

static uint64_t datum(unsigned line, unsigned lane, unsigned bits)
{
    return wave->v[line][lane] | (bits == 64 ? (uint64_t)wave->v[line + 1][lane] << 32 : 0);
}

/* The model: takes the lanes in order, and writes the old values to DST. */
static void expect(const struct row *row, uint64_t exec, const unsigned *offset, unsigned data, unsigned data2,
                   unsigned dst, bool rtn, bool in_private)
{
    memcpy(copy, wave, sizeof *wave);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        if (!(exec >> i & 1))
            continue;
        uint32_t *pw = private_want + offset[i] / 4 * GCN_LANES + i;
        uint64_t old = in_private ? pw[0] | (row->bits == 64 ? (uint64_t)pw[GCN_LANES] << 32 : 0)
                                  : get_cell(want, offset[i], row->bits);
        uint64_t new = row->model(old, datum(data, i, row->bits), datum(data2, i, row->bits), row->bits);
        if (in_private) {
            pw[0] = (uint32_t)new;
            if (row->bits == 64)
                pw[GCN_LANES] = (uint32_t)(new >> 32);
        } else {
            memcpy((char *)want + offset[i], &new, row->bits / 8);
        }
        if (rtn)
            put(copy, dst, i, old, row->bits);
    }
}

static bool as_expected(void)
{
    return !memcmp(copy->v, wave->v, sizeof wave->v) && !memcmp(cells, want, sizeof cells) &&
           !memcmp(private_words, private_want, sizeof private_words);
}

static bool try_global(const struct row *row, enum place place, uint64_t exec, bool glc, unsigned dst)
{
    unsigned offset[GCN_LANES], data2 = VDATA + row->bits / 32;
    set_up(row, exec, offset, VDATA, data2);
    wave->lds = (uint8_t *)cells;
    wave->lds_size = sizeof cells;
    wave->scratch = (uint8_t *)private_words;
    wave->scratch_size = CELLS * 8;
    uint64_t base = place == HOST    ? (uintptr_t)cells
                    : place == GROUP ? (uint64_t)GCN_SHARED_BASE_HI << 32
                                     : (uint64_t)GCN_PRIVATE_BASE_HI << 32;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        uint64_t address = place == BUFFER ? offset[i] - 8 : base + offset[i] - 8;
        wave->v[VADDR][i] = (uint32_t)address;
        wave->v[VADDR + 1][i] = (uint32_t)(address >> 32);
    }
    expect(row, exec, offset, VDATA, data2, place == BUFFER ? VDATA : dst, glc, place == PRIVATE);
    if (place == BUFFER) {
        gcn_set64(wave, SBASE, (uintptr_t)cells - 16);
        gcn_set64(wave, SBASE + 2, sizeof cells + 16);
        wave->s[SOFF] = 16;
        return run(row->buffer, v(VDATA), v(VADDR), s(SOFF), s(SBASE), 8, GCN_OFFEN | (glc ? GCN_GLC : 0)) &&
               as_expected();
    }
    return run(row->returning, v(dst), v(VADDR), v(VDATA), ZERO, 8, glc ? GCN_GLC : 0) && as_expected();
}

static bool try_smem(const struct row *row, bool buffer, bool glc)
{
    unsigned offset[GCN_LANES];
    set_up(row, 0, offset, VDATA, VDATA2);
    uint64_t d = datum(VDATA, 3, row->bits), c = datum(VDATA2, 3, row->bits);
    uint64_t old = get_cell(cells, offset[3], row->bits);
    gcn_set64(wave, SDATA, row->bits == 32 ? d | c << 32 : d);
    gcn_set64(wave, SDATA + 2, c);
    wave->s[SOFF] = offset[3];
    gcn_set64(wave, SBASE, (uintptr_t)cells - 8);
    gcn_set64(wave, SBASE + 2, sizeof cells + 8);
    memcpy(copy, wave, sizeof *wave);
    uint64_t new = row->model(old, d, c, row->bits);
    memcpy((char *)want + offset[3], &new, row->bits / 8);
    if (glc && row->bits == 32)
        copy->s[SDATA] = (uint32_t)old;
    else if (glc)
        gcn_set64(copy, SDATA, old);
    return run(buffer ? row->smem_buffer : row->smem, s(SDATA), s(SBASE), s(SOFF), ZERO, 8, glc ? GCN_GLC : 0) &&
           !memcmp(copy->s, wave->s, sizeof wave->s) && !memcmp(cells, want, sizeof cells);
}

/* Where old values go: they may replace the address or the data, also in part. */
static const unsigned results[] = {VDST, VADDR, VDATA, VDATA - 1, VDATA + 1, VDATA2, VDATA2 + 1};
enum { RESULTS = sizeof results / sizeof *results };

static const uint64_t execs[] = {UINT64_MAX, 0, 0xF0F0F0F000FF00FF, 1};

static void check_global(const struct row *row)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 256; i++) {
        unsigned place = i % PLACES;
        if (!try_global(row, place, execs[i / 4 % 4], i / 16 % 2, results[i / 32 % RESULTS]) && !wrong++)
            printf("# %s: place %u, exec %llx, glc %u\n", row->name, place, (unsigned long long)execs[i / 4 % 4],
                   i / 16 % 2);
        if (row->smem && !try_smem(row, i % 2, i / 2 % 2) && !wrong++)
            printf("# %s: scalar, buffer %u, glc %u\n", row->name, i % 2, i / 2 % 2);
    }
    ok(!wrong, "atomic %s of FLAT, MUBUF and SMEM", row->name);
}

static void check_ds(const struct row *row)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 224; i++) {
        unsigned offset[GCN_LANES];
        uint64_t exec = execs[i % 4];
        bool rtn = !row->plain || i / 4 % 2;
        set_up(row, exec, offset, VDATA, VDATA2);
        wave->lds = (uint8_t *)cells;
        wave->lds_size = sizeof cells;
        for (unsigned k = 0; k < GCN_LANES; k++)
            wave->v[VADDR][k] = offset[k] - 16;
        unsigned dst = results[i / 8 % RESULTS];
        expect(row, exec, offset, VDATA, VDATA2, dst, rtn, false);
        wrong +=
            !run(rtn ? row->returning : row->plain, v(dst), v(VADDR), v(VDATA), v(VDATA2), 16, 0) || !as_expected();
    }
    new_wave(1); /* an address beyond the end: nothing changes, and the result is zero */
    wave->lds = (uint8_t *)cells;
    wave->lds_size = 8;
    wave->v[VADDR][0] = 8;
    memcpy(want, cells, sizeof cells);
    run(row->returning, v(VDST), v(VADDR), v(VDATA), v(VDATA2), 0, 0);
    wrong += wave->v[VDST][0] != 0 || memcmp(want, cells, sizeof cells);
    wave->v[VADDR][0] = 2;
    wrong +=
        run(row->returning, v(VDST), v(VADDR), v(VDATA), v(VDATA2), 0, 0) || wave->fault.kind != GCN_FAULT_ALIGNMENT;
    ok(!wrong, "%s", row->name);
}

/* All lanes access dwords side by side, of which the last ones may lie beyond the end of group memory; or two of them
 * do not do so in their order. */
static void check_adjacent(const struct row *row)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < 24; i++) {
        unsigned offset[GCN_LANES], first = 4 * (unsigned)(random64() % 16), inside = i % 3 ? GCN_LANES - i : GCN_LANES;
        set_up(row, UINT64_MAX, offset, VDATA, VDATA2);
        wave->lds = (uint8_t *)cells;
        wave->lds_size = first + 4 * inside;
        for (unsigned k = 0; k < GCN_LANES; k++) {
            offset[k] = first + 4 * (i % 4 == 3 && k / 2 == 10 ? k ^ 1 : k);
            wave->v[VADDR][k] = offset[k] - 16;
        }
        expect(row, UINT64_MAX >> (GCN_LANES - inside), offset, VDATA, VDATA2, VDST, false, false);
        wrong += !run(row->plain, v(VDST), v(VADDR), v(VDATA), v(VDATA2), 16, 0) || !as_expected();
    }
    ok(!wrong, "%s side by side", row->name);
}

static void check_src2(const struct src2 *row)
{
    struct row as = {row->name, row->bits, 0, 0, 0, 0, 0, row->model, false, row->is_float};
    unsigned wrong = 0;
    for (unsigned i = 0; i < 40; i++) {
        unsigned offset[GCN_LANES];
        set_up(&as, 2, offset, VDATA, VDATA2);
        wave->lds = (uint8_t *)cells;
        wave->lds_size = sizeof cells;
        int from = (int)(random64() % CELLS) * 8;
        int32_t dwords = (from - (int)offset[1]) / 4;
        uint32_t imm = i % 2 ? 0x8000 : (uint32_t)dwords & 0x7FFF;
        wave->v[VADDR][1] = offset[1] | (i % 2 ? (uint32_t)dwords << 17 : 0);
        uint64_t new =
            row->model(get_cell(cells, offset[1], row->bits), get_cell(cells, (unsigned)from, row->bits), 0, row->bits);
        memcpy((char *)want + offset[1], &new, row->bits / 8);
        wrong += !run(row->id, v(VDST), v(VADDR), ZERO, ZERO, (int32_t)imm, 0) || memcmp(cells, want, sizeof cells);
    }
    ok(!wrong, "%s", row->name);
}

static void check_exchange2(const char *name, unsigned id, unsigned bits, unsigned scale)
{
    struct row row = {.bits = bits};
    unsigned offset[GCN_LANES], wrong = 0, first = scale > 8 ? 0 : 2, second = scale > 8 ? 0 : 1;
    uint64_t exec = 0xFF00;
    set_up(&row, exec, offset, VDATA, VDATA2);
    wave->lds = (uint8_t *)cells;
    wave->lds_size = sizeof cells;
    memcpy(copy, wave, sizeof *wave);
    for (unsigned i = 8; i < 16; i++) {
        unsigned at = (i - 8) * bits / 8;
        wave->v[VADDR][i] = at;
        uint64_t old[2] = {get_cell(want, at + first * scale, bits), get_cell(want, at + second * scale, bits)};
        uint64_t data[2] = {datum(VDATA, i, bits), datum(VDATA2, i, bits)};
        memcpy((char *)want + at + first * scale, &data[0], bits / 8);
        memcpy((char *)want + at + second * scale, &data[1], bits / 8);
        copy->v[VADDR][i] = at;
        put(copy, VDST, i, old[0], bits);
        put(copy, VDST + bits / 32, i, old[1], bits);
    }
    wrong = !run(id, v(VDST), v(VADDR), v(VDATA), v(VDATA2), (int32_t)(second << 8 | first), 0) || !as_expected();
    ok(!wrong, "%s", name);
}

static void check_conditional_exchange(void)
{
    new_wave(5);
    wave->lds = (uint8_t *)words;
    wave->lds_size = 8;
    words[0] = 0x11;
    words[1] = 0x22;
    wave->v[VADDR][0] = wave->v[VADDR][2] = 4;
    wave->v[VDATA][0] = 0x80000033;
    wave->v[VDATA + 1][0] = 0x44;
    wave->v[VDATA][2] = 0x55;
    wave->v[VDATA + 1][2] = 0xFFFFFFFF;
    ok(run(GCN_OP_ds_condxchg32_rtn_b64, v(VDST), v(VADDR), v(VDATA), ZERO, 0, 0) && words[0] == 0x33 &&
           words[1] == 0x7FFFFFFF && wave->v[VDST][0] == 0x11 && wave->v[VDST + 1][0] == 0x22 &&
           wave->v[VDST][2] == 0x33,
       "ds_condxchg32_rtn_b64");
}

int main(void)
{
    next_engine(); /* atomic operations are built once */
    copy = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    for (unsigned i = 0; i < sizeof global_rows / sizeof global_rows[0]; i++)
        check_global(&global_rows[i]);
    for (unsigned i = 0; i < sizeof ds_rows / sizeof ds_rows[0]; i++)
        check_ds(&ds_rows[i]);
    for (unsigned i = 0; i < sizeof ds_rows / sizeof ds_rows[0]; i++)
        if (ds_rows[i].plain && ds_rows[i].bits == 32)
            check_adjacent(&ds_rows[i]);
    for (unsigned i = 0; i < sizeof src2_rows / sizeof src2_rows[0]; i++)
        check_src2(&src2_rows[i]);
    check_exchange2("ds_wrxchg2_rtn_b32", GCN_OP_ds_wrxchg2_rtn_b32, 32, 4);
    check_exchange2("ds_wrxchg2_rtn_b64", GCN_OP_ds_wrxchg2_rtn_b64, 64, 8);
    check_exchange2("ds_wrxchg2st64_rtn_b32", GCN_OP_ds_wrxchg2st64_rtn_b32, 32, 256);
    check_exchange2("ds_wrxchg2st64_rtn_b64", GCN_OP_ds_wrxchg2st64_rtn_b64, 64, 512);
    check_conditional_exchange();
    free(copy);
    free(wave);
    gcn_cache_free(cache);
    return tap_done();
}
