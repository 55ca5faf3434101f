/* SPDX-License-Identifier: MIT */
/* Every vector operation against a model of it, over edge values and random ones, with all, some and no
 * lanes, as lines, scalars and constants, on each instruction set of the host. Encodings are made from the
 * operation table. */
#include "testsuite/gcn/valu_model.h"
#include "testsuite/gcn/wave_bench.h"

enum { DST = 10, SRC0 = 20, SRC1 = 24, SRC2 = 28, SDST = 10, SCIN = 12, S0 = 20, ROUNDS = 24 };

static const uint64_t edges32[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x807fffff,
                                   0x800000,   0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                   0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3f000000, 0x4b800001,
                                   0x4f000000, 0xcf000000, 0x4f7fffff, 0x7fffffff, 0xffffffff, 0x1f,
                                   0x20,       0xff,       0xffff,     0x8000,     0x3effffff, 0xbf000001,
                                   0x42fe0000, 0xc2fe0000, 0x00ff00ff, 0x40490fdb, 0x33800000};
static const uint64_t edges64[] = {0,
                                   UINT64_C(1) << 63,
                                   1,
                                   0xfffffffffffff,
                                   0x10000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x7fefffffffffffff,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x7ff0000000000001,
                                   0x41dfffffffc00000,
                                   0xc1e0000000000000,
                                   0x41efffffffe00000,
                                   0x3fe0000000000000,
                                   0x4330000000000001,
                                   UINT64_MAX,
                                   INT64_MAX,
                                   0x47efffffefffffff,
                                   0x36a0000000000000};
static const uint64_t edges16[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00,
                                   0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                   0xffff, 0x7fff, 0x3800, 0x6400, 0x11,   0x3bff};

static uint64_t value_of(unsigned type)
{
    const struct gcn_type_info *info = &gcn_type_info[type];
    unsigned bits = info->bits / (info->elements ? info->elements : 1);
    uint64_t raw = random64();
    if (random64() % 3 == 0)
        return raw;
    if (info->elements == 2)
        return PICK(edges16) | PICK(edges16) << 16;
    if (bits == 16)
        return PICK(edges16) | (raw & 0xffff0000);
    if (bits == 64)
        return PICK(edges64);
    if (random64() % 4 == 0 && info->kind == GCN_KIND_F) /* numbers of ordinary size */
        return (raw & 0x80ffffff) | (0x3c + raw % 8) << 24;
    return PICK(edges32);
}

static uint32_t code[3]; /* of the instruction and s_endpgm */

/* The instruction in its 64-bit encoding. SOURCES: 9-bit source codes. */
static void encode(const struct gcn_op_info *info, const unsigned *sources)
{
    uint64_t word = (uint64_t)sources[0] << 32 | (uint64_t)sources[1] << 41 | (uint64_t)sources[2] << 50;
    if (info->format == GCN_VOP3P) {
        bool mix = info->src[0] == GCN_T_MIX;
        word |= UINT64_C(0x1a7) << 23 | (uint64_t)info->opcode << 16 | DST;
        word |= mix ? 0 : UINT64_C(1) << 14 | UINT64_C(3) << 59;
    } else {
        word |= UINT64_C(0x34) << 26 | (uint64_t)(info->opcode + gcn_vop3_base(info->format)) << 16;
        word |= info->format == GCN_VOPC ? SDST : DST;
        if (info->flags & GCN_F_SDST)
            word |= SDST << 8;
    }
    code[0] = (uint32_t)word;
    code[1] = (uint32_t)(word >> 32);
    code[2] = 0xbf810000;
}

static uint64_t get(const struct gcn_wave *w, unsigned vgpr, unsigned lane, unsigned type)
{
    uint64_t low = w->v[vgpr][lane];
    return gcn_type_info[type].registers > 1 ? low | (uint64_t)w->v[vgpr + 1][lane] << 32 : low;
}

static void put(struct gcn_wave *w, unsigned vgpr, unsigned lane, uint64_t value)
{
    w->v[vgpr][lane] = (uint32_t)value;
    w->v[vgpr + 1][lane] = (uint32_t)(value >> 32);
}

/* Fills registers; with SCALAR >= 0 that source is the same for all lanes and stands in an SGPR. */
static void fill(struct bench *b, const struct gcn_op_info *info, int scalar, uint64_t exec)
{
    static const unsigned base[] = {SRC0, SRC1, SRC2};
    struct gcn_wave *w = b->wave;
    for (unsigned lane = 0; lane < 64; lane++) {
        put(w, DST, lane, value_of(info->dst == GCN_T_MASK ? GCN_T_B32 : info->dst));
        for (unsigned i = 0; i < 3; i++)
            put(w, base[i], lane, value_of(info->src[i] == GCN_T_MIX ? GCN_T_F32 : info->src[i]));
    }
    if (scalar >= 0) {
        uint64_t value = get(w, base[scalar], 7, info->src[scalar]);
        gcn_set64(w, S0, value);
        for (unsigned lane = 0; lane < 64; lane++)
            put(w, base[scalar], lane, value);
    }
    gcn_set64(w, SCIN, random64());
    gcn_set64(w, SDST, random64());
    gcn_set64(w, GCN_S_VCC, gcn_get64(w, SCIN));
    gcn_set64(w, GCN_S_EXEC, exec);
}

static bool same(unsigned type, uint64_t a, uint64_t b, unsigned ulps)
{
    const struct gcn_type_info *info = &gcn_type_info[type];
    if (info->kind != GCN_KIND_F)
        return a == b;
    if (info->elements == 2)
        return same_float(16, a, b, ulps) && same_float(16, a >> 16, b >> 16, ulps);
    if (info->bits == 16)
        return same_float(16, a, b, ulps) && (a >> 16) == (b >> 16);
    return same_float(info->bits, a, b, ulps);
}

/* v_mad_mixhi has its result above; compare the halves apart. */
static bool same_result(const struct valu_model *model, uint64_t a, uint64_t b)
{
    if (model->id == GCN_OP_v_mad_mixhi_f16)
        return same_float(16, a >> 16, b >> 16, 0) && (uint16_t)a == (uint16_t)b;
    return same(gcn_op_info[model->id].dst, a, b, model->ulps);
}

static bool check(const struct bench *b, const struct valu_model *model, uint64_t exec)
{
    const struct gcn_op_info *info = &gcn_op_info[model->id];
    const struct gcn_wave *was = b->before, *is = b->wave;
    bool writes_mask = info->dst == GCN_T_MASK || (info->flags & GCN_F_SDST);
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < 64; lane++) {
        struct lane_case x = {.a = get(was, SRC0, lane, info->src[0] == GCN_T_NIL ? GCN_T_B32 : info->src[0]),
                              .b = get(was, SRC1, lane, info->src[1]),
                              .c = get(was, SRC2, lane, info->src[2]),
                              .d = get(was, DST, lane, info->dst),
                              .carry = gcn_get64(was, SCIN) >> lane & 1,
                              .lane = lane};
        uint64_t expected = model->fn(&x), old = get(was, DST, lane, info->dst);
        uint64_t got = get(is, DST, lane, info->dst);
        bool active = exec >> lane & 1;
        bits |= (uint64_t)(active && x.bit) << lane;
        if (info->dst == GCN_T_MASK)
            continue;
        if (active ? !same_result(model, expected, got) : got != old) {
            printf("# lane %u%s: a %llx b %llx c %llx d %llx carry %u: expected %llx, got %llx\n", lane,
                   active ? "" : " (inactive)", (unsigned long long)x.a, (unsigned long long)x.b,
                   (unsigned long long)x.c, (unsigned long long)x.d, x.carry,
                   (unsigned long long)(active ? expected : old), (unsigned long long)got);
            return false;
        }
    }
    if (writes_mask && gcn_get64(is, SDST) != bits) {
        printf("# mask: expected %llx, got %llx\n", (unsigned long long)bits,
               (unsigned long long)gcn_get64(is, SDST));
        return false;
    }
    uint64_t exec_after = info->flags & GCN_F_EXEC_W ? bits : exec;
    return gcn_exec(is) == exec_after;
}

static bool test_model(struct bench *b, const struct valu_model *model)
{
    const struct gcn_op_info *info = &gcn_op_info[model->id];
    for (unsigned round = 0; round < ROUNDS; round++) {
        static const uint64_t masks[] = {UINT64_MAX, 0, 0x5555555555555555, 1, UINT64_C(1) << 63};
        uint64_t exec = round < 5 ? masks[round] : round % 2 ? UINT64_MAX : random64();
        unsigned sources[] = {256 + SRC0, 256 + SRC1, 256 + SRC2};
        int scalar = round < 12 ? -1 : (int)round % 3;
        if (scalar >= 0 && (info->src[scalar] == GCN_T_NIL || info->src[scalar] == GCN_T_MASK))
            scalar = -1;
        for (unsigned i = 0; i < 3; i++)
            sources[i] = info->src[i] == GCN_T_NIL ? 0 : info->src[i] == GCN_T_MASK ? SCIN : sources[i];
        if (scalar >= 0)
            sources[scalar] = S0;
        fill(b, info, scalar, exec);
        encode(info, sources);
        if (!bench_run(b, code, 3, 0x3f0)) {
            printf("# %s (%08x %08x) does not run: fault %d\n", info->name, code[0], code[1],
                   b->wave->fault.kind);
            return false;
        }
        if (!check(b, model, exec))
            return false;
    }
    return true;
}

static void test_engine(struct bench *b, const char *name)
{
    const struct gcn_engine *engine = gcn_engine_select(name);
    if (!engine) {
        tap_skip(name, "the host does not run it");
        return;
    }
    b->cache = gcn_cache_new(engine);
    for (const struct valu_model *model = valu_models; model->fn; model++) {
        const struct gcn_op_info *info = &gcn_op_info[model->id];
        if ((info->format == GCN_VOP1 || info->format == GCN_VOP2) && !(info->flags & GCN_F_E64))
            continue;
        ok(test_model(b, model), "%s %s", name, info->name);
    }
    gcn_cache_free(b->cache);
}

int main(void)
{
    struct bench b;
    if (!bench_begin(&b))
        return 99;
    test_engine(&b, "base");
    test_engine(&b, "avx2");
    test_engine(&b, "avx512");
    bench_end(&b);
    return tap_done();
}
