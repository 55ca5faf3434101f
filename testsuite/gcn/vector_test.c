/* SPDX-License-Identifier: MIT */
/* Compares the vector ALU of the software GPU with the model, instruction by instruction.
 *
 * Random instructions of every vector operation in all its encodings (registers, constants, sign and output
 * modifiers, SDWA, DPP, op_sel) are translated and run with random and special operand values, execution
 * masks and floating-point modes, in each build of the handlers that this host can run. Everything except the
 * destination must stay as it was. The builds must agree on every bit, also where the model does not know it, as of
 * NaNs and of what is approximated. */
#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/inst/print.h"
#include "support/bytes.h"
#include "support/hash.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/gcn/valu_model.h"
#include "testsuite/gcn/vector_values.h"
#include "testsuite/tap.h"

#include <stdlib.h>

enum { BATCH = 64, SNIPPET = 32, MAX_REPORTS = 12, DEFAULT_MODE = 0x3f0, END = 0xbf810000 };

static const struct gcn_target *target;
static const struct gcn_engine *first_engine;
static struct gcn_wave *wave;
static struct model before, model;
static unsigned long executed, failures;
static unsigned tried[GCN_OP_COUNT];
static uint64_t results[GCN_OP_COUNT]; /* digests of what each operation has written */

static struct sample {
    uint64_t word;
    struct gcn_inst inst;
} samples[BATCH];

/* Whether the model defines what INST does. */
static bool is_defined(const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    if (info->flags & (GCN_F_MATRIX | GCN_F_ACC_S | GCN_F_ACC_D))
        return false; /* matrix_test */
    if ((inst->abs || inst->neg) && inst->encoding != GCN_VOP3P && info->src[0] == GCN_T_V2F16)
        return false; /* not published */
    if (info->flags & GCN_F_ATTR)
        return false;
    if (inst->op == GCN_OP_v_div_scale_f32 || inst->op == GCN_OP_v_div_scale_f64 || inst->op == GCN_OP_v_trig_preop_f64)
        return false; /* these have tests of their own */
    for (unsigned i = 0; i < 4 && inst->encoding == GCN_VOP3; i++)
        if (inst->op_sel >> i & 1 && gcn_type_info[i < 3 ? info->src[i] : info->dst].bits != 16)
            return false; /* it selects a half of a value that has no halves */
    for (unsigned i = 0; i < 3 && inst->encoding == GCN_VOP3P; i++) {
        bool chooses = inst->op_sel >> i & 1 || !(inst->op_sel_hi >> i & 1) || inst->neg_hi >> i & 1;
        if (chooses && info->src[i] != GCN_T_MIX && gcn_type_info[info->src[i]].elements == 1)
            return false; /* a packed operation does the same */
        bool dwords = info->src[i] == GCN_T_V2F32 || info->src[i] == GCN_T_V2B32;
        bool high = inst->op_sel >> i & 1 || (info->src[i] == GCN_T_V2F32 && inst->op_sel_hi >> i & 1);
        if (dwords && high && inst->src[i].kind == GCN_INLINE)
            return false; /* the high dword of a constant */
    }
    bool packed_output = inst->encoding == GCN_VOP3 && info->dst == GCN_T_V2F16 && (inst->omod || inst->clamp);
    if (packed_output)
        return false; /* not published */
    struct gcn_operand operands[] = {inst->dst, inst->sdst, inst->src[0], inst->src[1], inst->src[2]};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        unsigned code = operands[i].index;
        if (operands[i].kind == GCN_SGPR && code >= GCN_TTMP0 && code < GCN_EXEC_LO)
            return false;
        if (operands[i].kind == GCN_SPECIAL && code != GCN_SRC_VCCZ && code != GCN_SRC_EXECZ && code != GCN_SRC_SCC)
            return false;
        if (inst->variant == GCN_SDWA && i > 1 && operands[i].kind != GCN_VGPR && operands[i].kind != GCN_SGPR &&
            operands[i].kind != GCN_NONE)
            return false; /* selection from constants is not published */
    }
    /* the carry bits of lanes that DPP leaves out are not published */
    if (inst->variant == GCN_DPP && inst->sdst.kind)
        return inst->dpp.row_mask == 15 && inst->dpp.bank_mask == 15 && inst->dpp.bound_ctrl;
    /* two scalar destinations in one place, sources that the hardware forbids to overlap the destination */
    return !(inst->sdst.kind && inst->dst.kind == GCN_SGPR && inst->sdst.index == inst->dst.index);
}

/* Makes an instruction from the base word with CHANGES fields changed; false if the model does not define it. */
static bool random_sample(unsigned op, const struct base *base, unsigned changes, struct sample *s)
{
    unsigned count = 0;
    while (base->fields[count].width)
        count++;
    s->word = base->word;
    for (; changes; changes--) {
        struct field f = base->fields[value_random() % count];
        uint64_t mask = ((UINT64_C(1) << f.width) - 1) << f.low;
        s->word = (s->word & ~mask) | (value_random() << f.low & mask);
    }
    return !gcn_decode(target, &s->word, sizeof s->word, &s->inst) && s->inst.op == op && is_defined(&s->inst);
}

/* Values that suit the sources of INST in their registers; random bits elsewhere. */
static void fill(const struct gcn_inst *inst, uint64_t exec)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    uint64_t state = value_random();
    for (unsigned i = 0; i < GCN_VGPRS; i++)
        for (unsigned k = 0; k < GCN_LANES; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            before.v[i][k] = (uint32_t)(state >> 32);
        }
    for (unsigned i = 0; i < GCN_TTMP0; i++)
        before.s[i] = (uint32_t)value_random();
    before.s[GCN_EXEC_LO] = (uint32_t)exec;
    before.s[GCN_EXEC_HI] = (uint32_t)(exec >> 32);
    before.scc = value_random() & 1;
    for (int i = -1; i < 3; i++) {
        struct gcn_operand operand = i < 0 ? inst->dst : inst->src[i];
        enum gcn_type type = i < 0 ? info->dst : info->src[i];
        unsigned registers = gcn_type_info[type].registers;
        for (unsigned k = 0; k < GCN_LANES && operand.kind == GCN_VGPR; k++) {
            u128 value = value_of(type);
            for (unsigned r = 0; r < registers; r++)
                before.v[operand.index + r][k] = (uint32_t)(value >> (32 * r));
        }
        u128 value = value_of(type);
        bool is_exec = operand.index >= GCN_EXEC_LO;
        for (unsigned r = 0; r < registers && operand.kind == GCN_SGPR && i >= 0 && !is_exec; r++)
            before.s[operand.index + r] = (uint32_t)(value >> (32 * r));
    }
}

static void to_wave(const struct gcn_entry *entry)
{
    memset(wave, 0, offsetof(struct gcn_wave, v));
    memcpy(wave->v, before.v, sizeof wave->v);
    memcpy(wave->s, before.s, sizeof before.s);
    wave->base[0] = (const char *)wave;
    wave->mode = before.mode;
    wave->scc = before.scc;
    wave->budget = 1000;
    gcn_mode_changed(wave);
    gcn_wave_enter(wave, entry);
}

static bool scalars_equal(void)
{
    return !memcmp(wave->s, model.s, GCN_TTMP0 * sizeof *model.s) && wave->s[GCN_EXEC_LO] == model.s[GCN_EXEC_LO] &&
           wave->s[GCN_EXEC_HI] == model.s[GCN_EXEC_HI] && wave->scc == model.scc;
}

/* The first lane whose destination differs from the model's by more than the tolerance, or -1. */
static int wrong_lane(const struct gcn_inst *inst)
{
    enum gcn_type type = gcn_op_info[inst->op].dst;
    unsigned registers = inst->dst.kind == GCN_VGPR ? gcn_type_info[type].registers : 0;
    for (unsigned lane = 0; lane < GCN_LANES; lane++) {
        u128 ours = 0, theirs = 0;
        for (unsigned r = 0; r < registers; r++) {
            ours |= (u128)wave->v[inst->dst.index + r][lane] << (32 * r);
            theirs |= (u128)model.v[inst->dst.index + r][lane] << (32 * r);
        }
        if (ours != theirs && !value_matches(&model, inst, lane, ours, theirs))
            return (int)lane;
        for (unsigned r = 0; r < registers; r++) /* the rest is compared as memory */
            model.v[inst->dst.index + r][lane] = wave->v[inst->dst.index + r][lane];
    }
    return -1;
}

static void report(const struct gcn_inst *inst, const char *what, int lane)
{
    char text[256];
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    if (failures++ >= MAX_REPORTS && !getenv("VECTOR_TEST_ALL"))
        return;
    gcn_print(target, inst, text, sizeof text);
    printf("# %s: %s, mode %#x", text, what, (unsigned)before.mode);
    for (unsigned i = 0; i < 3 && lane >= 0; i++)
        if (inst->src[i].kind == GCN_VGPR) {
            printf(" src%u", i);
            for (unsigned r = gcn_type_info[info->src[i]].registers; r--;)
                printf(" %08x", (unsigned)before.v[inst->src[i].index + r][lane]);
        }
    if (lane >= 0 && inst->dst.kind == GCN_VGPR) {
        printf(" lane %d old %08x model", lane, (unsigned)before.v[inst->dst.index][lane]);
        for (unsigned r = gcn_type_info[info->dst].registers; r--;)
            printf(" %08x", (unsigned)model.v[inst->dst.index + r][lane]);
        printf(" here");
        for (unsigned r = gcn_type_info[info->dst].registers; r--;)
            printf(" %08x", (unsigned)wave->v[inst->dst.index + r][lane]);
    }
    putchar('\n');
}

static void add_result(const struct gcn_inst *inst)
{
    unsigned registers = gcn_type_info[gcn_op_info[inst->op].dst].registers;
    uint64_t digest = hash_bytes(results[inst->op], wave->s, GCN_TTMP0 * sizeof *wave->s);
    if (inst->dst.kind == GCN_VGPR)
        digest = hash_bytes(digest, wave->v[inst->dst.index], registers * sizeof wave->v[0]);
    results[inst->op] = digest;
}

static void run(const struct gcn_inst *inst, const struct gcn_entry *entry)
{
    static const uint32_t modes[] = {
        DEFAULT_MODE, DEFAULT_MODE, DEFAULT_MODE, 0x3c0, 0x0f0, 0x300, 0x3f5, 0x3fa, 0x3ff, 0x03f0 | MODEL_FP16_OVFL,
        0x000,        0x3f4};
    static const uint64_t masks[] = {~UINT64_C(0), ~UINT64_C(0), 0, 1, UINT64_C(1) << 63, 0xffffffff};
    uint64_t pick = value_random();
    uint64_t exec = pick % 3 ? masks[pick / 3 % 6] : value_random();
    before.mode = modes[(pick >> 32) % (sizeof modes / sizeof *modes)];
    fill(inst, exec);
    model = before;
    if (!model_valu(&model, inst)) {
        report(inst, "not in the model", -1);
        return;
    }
    if (inst->variant == GCN_SDWA && (model.ulps != 0 || model.absolute != 0))
        return; /* only a part of an approximate result is written */
    to_wave(entry);
    executed++;
    tried[inst->op]++;
    if (gcn_wave_run(wave) != GCN_STOP_END) {
        report(inst, wave->fault.kind == GCN_FAULT_UNIMPLEMENTED ? "not implemented" : "did not end", -1);
        return;
    }
    add_result(inst);
    int lane = wrong_lane(inst);
    if (lane >= 0)
        report(inst, "result differs", lane);
    else if (memcmp(wave->v, model.v, sizeof model.v))
        report(inst, "another register changed", -1);
    else if (!scalars_equal())
        report(inst, "scalar registers differ", -1);
}

static void run_batch(const struct gcn_engine *engine, unsigned count, unsigned repeats)
{
    static uint32_t text[BATCH * SNIPPET / 4];
    struct gcn_cache *cache = gcn_cache_new(engine, target);
    for (unsigned i = 0; i < count; i++) {
        uint32_t *snippet = text + i * (SNIPPET / 4);
        memcpy(snippet, &samples[i].word, 8);
        for (unsigned k = samples[i].inst.size / 4; k < SNIPPET / 4; k++)
            snippet[k] = END;
    }
    struct gcn_code *code = gcn_cache_add(cache, text, sizeof text, text, sizeof text);
    for (unsigned i = 0; i < count; i++) {
        struct gcn_entry entry;
        enum gcn_fault_kind kind;
        if (!gcn_cache_find(cache, (uint64_t)(uintptr_t)(text + i * (SNIPPET / 4)), &entry, &kind)) {
            report(&samples[i].inst, "not translated", -1);
            continue;
        }
        for (unsigned k = 0; k < repeats; k++)
            run(&samples[i].inst, &entry);
    }
    gcn_cache_remove(cache, code);
    gcn_cache_free(cache);
}

/* Whether a target that was tested earlier also has OP, so that it need not be tested again. */
static bool is_old(unsigned op)
{
    const struct gcn_op_info *info = &gcn_op_info[op];
    if (target->layout->unified && info->encoding == GCN_VOP1 && (info->dst == GCN_T_F64 || info->src[0] == GCN_T_F64))
        return false; /* it has DPP now */
    for (size_t i = 0; gcn_target_number(i) != target; i++)
        if (gcn_target_has(gcn_target_number(i), (enum gcn_op)op))
            return true;
    return false;
}

static void test_engine(const struct gcn_engine *engine, size_t number, unsigned per_base, unsigned repeats)
{
    unsigned count = 0;
    if (target != gcn_target_number(0))
        per_base *= 16; /* as there are few operations */
    executed = failures = 0;
    memset(tried, 0, sizeof tried);
    memset(results, 0, sizeof results);
    value_seed(number); /* each build gets the same samples */
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        struct base bases[MAX_BASES];
        unsigned format = gcn_op_info[op].encoding, base_count = 0;
        if (format >= GCN_VOP1 && format <= GCN_VOP3P && !is_old(op))
            base_count = fields_bases(target, (enum gcn_op)op, bases);
        for (unsigned i = 0; i < base_count; i++)
            for (unsigned k = 0; k < (bases[i].fields[1].width ? per_base : 1); k++) {
                if (!random_sample(op, &bases[i], k ? (unsigned)(value_random() % 7) : 0, &samples[count]))
                    continue;
                if (++count == BATCH) {
                    run_batch(engine, count, repeats);
                    count = 0;
                }
            }
    }
    run_batch(engine, count, repeats);
    ok(!failures && executed, "%s, %s: %lu random instructions do what the model does", target->processor->name,
       engine->name, executed);
    unsigned missing = 0;
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        struct gcn_inst inst = {.op = (uint16_t)op};
        unsigned format = gcn_op_info[op].encoding;
        if (format < GCN_VOP1 || format > GCN_VOP3P || tried[op] || !is_defined(&inst) ||
            !gcn_target_has(target, (enum gcn_op)op) || is_old(op))
            continue;
        printf("# %s was never tried\n", gcn_op_info[op].name);
        missing++;
    }
    ok(!missing, "%s, %s: every vector operation was tried", target->processor->name, engine->name);
}

/* Compares the results with those of the first build that ran, which are kept in FIRST. */
static void compare_builds(const struct gcn_engine *engine, uint64_t *first)
{
    unsigned different = 0;
    if (engine == first_engine)
        memcpy(first, results, sizeof results);
    for (unsigned op = 0; op < GCN_OP_COUNT; op++)
        if (results[op] != first[op] && different++ < MAX_REPORTS)
            printf("# %s has other bits than in the build %s\n", gcn_op_info[op].name, first_engine->name);
    if (engine != first_engine)
        ok(!different, "%s, %s: every bit of the results is as in the build %s", target->processor->name, engine->name,
           first_engine->name);
}

int main(void)
{
    size_t targets = 0;
    while (gcn_target_number(targets))
        targets++;
    uint64_t(*first)[GCN_OP_COUNT] = calloc(targets, sizeof *first);
    const char *thorough = getenv("VECTOR_TEST_SAMPLES");
    wave = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    memset(wave, 0, sizeof *wave);
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        first_engine = first_engine ? first_engine : engine;
        for (size_t t = 0; t < targets; t++) {
            target = gcn_target_number(t);
            test_engine(engine, t, thorough && *thorough ? (unsigned)atoi(thorough) : 12, 2);
            compare_builds(engine, first[t]);
        }
    }
    free(first);
    free(wave);
    return tap_done();
}
