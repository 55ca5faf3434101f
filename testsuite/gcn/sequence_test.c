/* SPDX-License-Identifier: MIT */
/* Tests vector operations that only make sense together: division by v_div_scale, v_div_fmas and v_div_fixup as
 * compilers emit it, argument reduction by v_trig_preop_f64, and relative register addressing.
 *
 * The expected values come from the host's IEEE division, from 2/pi as it is computed here, and from the model with
 * shifted register numbers. */
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/inst/decode.h"
#include "support/bytes.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/gcn/vector_values.h"
#include "testsuite/tap.h"
#include "testsuite/float_bits.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_MODE = 0x3f0, END = 0xbf810000, VCC = GCN_VCC_LO, ONE = 242, V = 256, MAX_REPORTS = 5 };

static struct gcn_wave *wave;
static uint32_t text[64] __attribute__((aligned(8)));
static unsigned words;

static void emit(uint64_t word, unsigned size)
{
    text[words++] = (uint32_t)word;
    if (size == 8)
        text[words++] = (uint32_t)(word >> 32);
}

/* Emits VOP3 operation OP; NEG has a bit for each source. */
static void vop3(enum gcn_op op, unsigned dst, unsigned sdst, unsigned a, unsigned b, unsigned c, unsigned neg)
{
    uint64_t opcode = gcn_vop3_opcode(gcn_target_number(0), op);
    uint64_t sources = a | (uint64_t)b << 9 | (uint64_t)c << 18 | (uint64_t)neg << 29;
    emit(0xd0000000 | opcode << 16 | sdst << 8 | dst | sources << 32, 8);
}

/* Runs the code that was emitted, on the wave as it is now. */
static bool run_text(const struct gcn_engine *engine, uint32_t mode)
{
    struct gcn_cache *cache = gcn_cache_new(engine, gcn_target_number(0));
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    while (words < sizeof text / sizeof *text)
        text[words++] = END;
    struct gcn_code *code = gcn_cache_add(cache, text, sizeof text, text, sizeof text);
    bool good = gcn_cache_find(cache, (uint64_t)(uintptr_t)text, &entry, &kind);
    if (good) {
        wave->base[0] = (const char *)wave;
        wave->mode = mode;
        wave->budget = 1000;
        gcn_mode_changed(wave);
        gcn_wave_enter(wave, &entry);
        good = gcn_wave_run(wave) == GCN_STOP_END;
    }
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
    words = 0;
    return good;
}

static void new_wave(void)
{
    memset(wave, 0, sizeof *wave);
    wave->s[GCN_EXEC_LO] = wave->s[GCN_EXEC_HI] = UINT32_MAX;
}

static void put64(unsigned vgpr, unsigned lane, uint64_t value)
{
    wave->v[vgpr][lane] = (uint32_t)value;
    wave->v[vgpr + 1][lane] = (uint32_t)(value >> 32);
}

static uint64_t get64(unsigned vgpr, unsigned lane)
{
    return wave->v[vgpr][lane] | (uint64_t)wave->v[vgpr + 1][lane] << 32;
}

/* v[0] = v[2] / v[4], all operands W registers wide. */
static void emit_division(bool wide)
{
    enum gcn_op scale = wide ? GCN_OP_v_div_scale_f64 : GCN_OP_v_div_scale_f32;
    enum gcn_op fma = wide ? GCN_OP_v_fma_f64 : GCN_OP_v_fma_f32, mul = wide ? GCN_OP_v_mul_f64 : GCN_OP_v_mul_f32;
    enum gcn_op rcp = wide ? GCN_OP_v_rcp_f64 : GCN_OP_v_rcp_f32;
    unsigned num = V + 2, den = V + 4;
    vop3(scale, 6, 10, den, den, num, 0);
    vop3(scale, 8, VCC, num, den, num, 0);
    vop3(rcp, 10, 0, V + 6, 0, 0, 0);
    for (int i = 0; i < (wide ? 2 : 1); i++) {
        vop3(fma, 12, 0, V + 6, V + 10, ONE, 1);
        vop3(fma, 10, 0, V + 12, V + 10, V + 10, 0);
    }
    vop3(mul, 14, 0, V + 8, V + 10, 0, 0);
    if (!wide) {
        vop3(fma, 12, 0, V + 6, V + 14, V + 8, 1);
        vop3(fma, 14, 0, V + 12, V + 10, V + 14, 0);
    }
    vop3(fma, 12, 0, V + 6, V + 14, V + 8, 1);
    vop3(wide ? GCN_OP_v_div_fmas_f64 : GCN_OP_v_div_fmas_f32, 16, 0, V + 12, V + 10, V + 14, 0);
    vop3(wide ? GCN_OP_v_div_fixup_f64 : GCN_OP_v_div_fixup_f32, 0, 0, V + 16, den, num, 0);
}

static bool quotient_is_right(bool wide, uint64_t num, uint64_t den, uint64_t got)
{
    if (wide) {
        double quotient = f64_of_bits(num) / f64_of_bits(den);
        return quotient != quotient ? (got & INT64_MAX) > 0x7ff0000000000000 : got == bits_of_f64(quotient);
    }
    float quotient = f32_of_bits(num) / f32_of_bits(den);
    return quotient != quotient ? (got & 0x7fffffff) > 0x7f800000 : (uint32_t)got == bits_of_f32(quotient);
}

static void division(const struct gcn_engine *engine, bool wide)
{
    unsigned wrong = 0;
    for (unsigned round = 0; round < 60; round++) {
        uint64_t num[GCN_LANES], den[GCN_LANES];
        new_wave();
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            num[lane] = (uint64_t)value_of(wide ? GCN_T_F64 : GCN_T_F32);
            den[lane] = (uint64_t)value_of(wide ? GCN_T_F64 : GCN_T_F32);
            put64(2, lane, num[lane]);
            put64(4, lane, den[lane]);
        }
        emit_division(wide);
        if (!run_text(engine, DEFAULT_MODE)) {
            ok(false, "%s: division runs", engine->name);
            return;
        }
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            uint64_t got = wide ? get64(0, lane) : wave->v[0][lane];
            if (!quotient_is_right(wide, num[lane], den[lane], got) && wrong++ < MAX_REPORTS)
                printf("# %016llx / %016llx = %016llx\n", (unsigned long long)num[lane], (unsigned long long)den[lane],
                       (unsigned long long)got);
        }
    }
    ok(!wrong, "%s: f%d quotients are correctly rounded", engine->name, wide ? 64 : 32);
}

/* Numbers in fixed point: the first word is the integer, and the words go from most to least significant. */
enum { WORDS = 44 };

static void divide(uint32_t *x, uint32_t by)
{
    uint64_t rest = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        rest = rest << 32 | x[i];
        x[i] = (uint32_t)(rest / by);
        rest %= by;
    }
}

static void add(uint32_t *x, const uint32_t *y, bool negative)
{
    int64_t carry = 0;
    for (unsigned i = WORDS; i--;) {
        carry += (int64_t)x[i] + (negative ? -(int64_t)y[i] : (int64_t)y[i]);
        x[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Adds FACTOR * arctan(1 / N) to SUM, or subtracts it. */
static void add_arctan(uint32_t *sum, uint32_t factor, uint32_t n, bool negative)
{
    uint32_t power[WORDS] = {factor}, term[WORDS];
    divide(power, n);
    for (uint32_t k = 1; k < 1400; k += 2, negative = !negative) {
        memcpy(term, power, sizeof term);
        divide(term, k);
        add(sum, term, negative);
        divide(power, n * n);
    }
}

/* BITS[i] = bit i of the fraction of 2/pi, from the top. */
static void two_over_pi(uint8_t *bits, unsigned count)
{
    uint32_t pi[WORDS] = {0}, rest[WORDS] = {2};
    add_arctan(pi, 16, 5, false);
    add_arctan(pi, 4, 239, true);
    for (unsigned i = 0; i < count; i++) {
        uint32_t copy[WORDS];
        memcpy(copy, rest, sizeof copy);
        add(rest, copy, false);
        bits[i] = 1;
        for (unsigned k = 0; k < WORDS; k++)
            if (rest[k] != pi[k]) {
                bits[i] = rest[k] > pi[k];
                break;
            }
        if (bits[i])
            add(rest, pi, true);
    }
}

/* 53 bits of 2/pi from the one that SEGMENT and the exponent of the argument choose. */
static double trig_preop(const uint8_t *bits, uint64_t argument, unsigned segment)
{
    int exponent = (int)(argument >> 52 & 2047), shift = (int)(segment & 31) * 53;
    double sum = 0;
    if (exponent > 1077)
        shift += exponent - 1077;
    for (int i = 0; i < 53; i++)
        sum = 2 * sum + (shift + i < 1201 ? bits[shift + i] : 0);
    return ldexp(sum, -53 - shift + (exponent >= 1968 ? 128 : 0));
}

static void argument_reduction(const struct gcn_engine *engine)
{
    static uint8_t bits[1210];
    unsigned wrong = 0;
    two_over_pi(bits, sizeof bits);
    for (unsigned round = 0; round < 20; round++) {
        uint64_t argument[GCN_LANES];
        new_wave();
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            uint64_t exponent = round < 10 ? 1000 + value_random() % 120 : 1900 + value_random() % 147;
            argument[lane] = (value_random() & 0x800fffffffffffff) | exponent << 52;
            put64(2, lane, argument[lane]);
            wave->v[4][lane] = (uint32_t)value_random() % 32 % (lane % 2 ? 4 : 20);
        }
        vop3(GCN_OP_v_trig_preop_f64, 0, 0, V + 2, V + 4, 0, 0);
        if (!run_text(engine, DEFAULT_MODE)) {
            ok(false, "%s: v_trig_preop_f64 runs", engine->name);
            return;
        }
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            double expected = trig_preop(bits, argument[lane], wave->v[4][lane]), here = f64_of_bits(get64(0, lane));
            if (here != expected && wrong++ < MAX_REPORTS)
                printf("# v_trig_preop_f64 %016llx, %u: %a, not %a\n", (unsigned long long)argument[lane],
                       (unsigned)wave->v[4][lane], here, expected);
        }
    }
    ok(!wrong, "%s: v_trig_preop_f64 gives the bits of 2/pi", engine->name);
}

/* INST with its vector registers moved by INDEX where MODE (bit 0..2 source, 3 destination) says so. */
static struct gcn_inst shifted(struct gcn_inst inst, unsigned index, unsigned mode)
{
    for (unsigned i = 0; i < 3; i++)
        if (inst.src[i].kind == GCN_VGPR && mode >> i & 1)
            inst.src[i].index = (uint8_t)(inst.src[i].index + index);
    if (inst.dst.kind == GCN_VGPR && mode & 8)
        inst.dst.index = (uint8_t)(inst.dst.index + index);
    return inst;
}

static bool index_sample(const struct gcn_engine *engine, enum gcn_op op, unsigned encoding)
{
    static struct model model;
    struct base bases[MAX_BASES];
    struct gcn_inst inst;
    unsigned index = (unsigned)value_random() % 12, mode = (unsigned)value_random() % 16;
    unsigned count = fields_bases(gcn_target_number(0), op, bases);
    uint64_t word = bases[encoding % count].word;
    if (gcn_decode(gcn_target_number(0), &word, sizeof word, &inst) || inst.op != op || inst.variant != GCN_PLAIN)
        return true;
    new_wave();
    for (unsigned i = 0; i < 64; i++)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            wave->v[i][lane] = (uint32_t)value_of(gcn_op_info[op].src[0]);
    wave->s[20] = index | 0xabc00;
    memset(&model, 0, sizeof model);
    memcpy(model.v, wave->v, sizeof model.v);
    memcpy(model.s, wave->s, sizeof model.s);
    model.mode = DEFAULT_MODE;
    inst = shifted(inst, index, mode);
    if (!model_valu(&model, &inst) || model.ulps != 0)
        return true;
    emit(0xbf110000 | 20 | mode << 8, 4); /* s_set_gpr_idx_on s20 */
    emit(word, inst.size);
    emit(0xbf9c0000, 4); /* s_set_gpr_idx_off */
    if (!run_text(engine, DEFAULT_MODE)) {
        printf("# %s: does not run\n", gcn_op_info[op].name);
        return false;
    }
    if (model.nan[0] | model.nan[1] | model.skip || !memcmp(wave->v, model.v, sizeof model.v))
        return true;
    printf("# %s with index %u, mode %u differs\n", gcn_op_info[op].name, index, mode);
    return false;
}

static void relative_addressing(const struct gcn_engine *engine)
{
    static const enum gcn_op ops[] = {
        GCN_OP_v_mov_b32,     GCN_OP_v_add_u32,     GCN_OP_v_xor_b32, GCN_OP_v_lshl_add_u32, GCN_OP_v_perm_b32,
        GCN_OP_v_lshlrev_b64, GCN_OP_v_mad_u32_u24, GCN_OP_v_min_i32, GCN_OP_v_bfe_u32,      GCN_OP_v_mad_u16};
    bool good = true;
    for (unsigned round = 0; round < 40; round++)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            good &= index_sample(engine, ops[i], round % 4 ? 0 : 30 + round);
    ok(good, "%s: relative register addressing", engine->name);
}

int main(void)
{
    wave = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        division(engine, false);
        division(engine, true);
        argument_reduction(engine);
        relative_addressing(engine);
    }
    free(wave);
    return tap_done();
}
