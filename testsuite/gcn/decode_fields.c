/* SPDX-License-Identifier: MIT */
/* Makes example words for each operation from the operation table. Fields that are used get plain registers, others are
 * 0.
 */
#include "testsuite/gcn/decode_fields.h"

static const struct field sop1[] = {{0, 8}, {16, 7}, {32, 32}, {0, 0}};
static const struct field sop2[] = {{0, 8}, {8, 8}, {16, 7}, {32, 32}, {0, 0}};
static const struct field sopc[] = {{0, 8}, {8, 8}, {32, 32}, {0, 0}};
static const struct field sopk[] = {{0, 16}, {16, 7}, {32, 32}, {0, 0}};
static const struct field sopp[] = {{0, 16}, {0, 0}};
static const struct field smem[] = {
    {0, 6}, {6, 7}, {13, 1}, {14, 1}, {15, 1}, {16, 1}, {17, 1}, {32, 21}, {53, 4}, {57, 7}, {0, 0}};
static const struct field vop1[] = {{0, 9}, {17, 8}, {32, 32}, {0, 0}};
static const struct field vop2[] = {{0, 9}, {9, 8}, {17, 8}, {32, 32}, {0, 0}};
static const struct field vopc[] = {{0, 9}, {9, 8}, {32, 32}, {0, 0}};
static const struct field vop1_sdwa[] = {{17, 8}, {32, 8}, {40, 3}, {43, 2}, {45, 1}, {46, 2}, {48, 3}, {51, 1},
                                         {52, 1}, {53, 1}, {54, 1}, {55, 1}, {56, 3}, {59, 4}, {63, 1}, {0, 0}};
static const struct field vop2_sdwa[] = {
    {9, 8},  {17, 8}, {32, 8}, {40, 3}, {43, 2}, {45, 1}, {46, 2}, {48, 3}, {51, 1}, {52, 1},
    {53, 1}, {54, 1}, {55, 1}, {56, 3}, {59, 1}, {60, 1}, {61, 1}, {62, 1}, {63, 1}, {0, 0}};
static const struct field vopc_sdwa[] = {
    {9, 8},  {32, 8}, {40, 7}, {47, 1}, {48, 3}, {51, 1}, {52, 1}, {53, 1}, {54, 1},
    {55, 1}, {56, 3}, {59, 1}, {60, 1}, {61, 1}, {62, 1}, {63, 1}, {0, 0}};
static const struct field vop1_dpp[] = {
    {17, 8}, {32, 8}, {40, 9}, {49, 2}, {51, 1}, {52, 1}, {53, 1}, {54, 1}, {55, 1}, {56, 4}, {60, 4}, {0, 0}};
static const struct field vop2_dpp[] = {
    {9, 8}, {17, 8}, {32, 8}, {40, 9}, {49, 2}, {51, 1}, {52, 1}, {53, 1}, {54, 1}, {55, 1}, {56, 4}, {60, 4}, {0, 0}};
static const struct field vop3[] = {
    {0, 8}, {8, 7}, {8, 3}, {11, 4}, {15, 1}, {32, 9}, {41, 9}, {50, 9}, {59, 2}, {61, 3}, {0, 0}};
static const struct field vintrp[] = {{0, 8}, {8, 2}, {10, 6}, {18, 8}, {0, 0}};
static const struct field exp_[] = {
    {0, 4}, {4, 6}, {10, 1}, {11, 1}, {12, 1}, {13, 13}, {32, 8}, {40, 8}, {48, 8}, {56, 8}, {0, 0}};
static const struct field ds[] = {
    {0, 16}, {0, 8}, {8, 8}, {16, 1}, {25, 1}, {32, 8}, {40, 8}, {48, 8}, {56, 8}, {0, 0}};
static const struct field flat[] = {
    {0, 13}, {13, 1}, {14, 2}, {16, 1}, {17, 1}, {25, 1}, {32, 8}, {40, 8}, {48, 7}, {55, 1}, {56, 8}, {0, 0}};
static const struct field mubuf[] = {{0, 12}, {12, 2}, {14, 1}, {15, 1}, {16, 1}, {17, 1}, {25, 1},
                                     {32, 8}, {40, 8}, {48, 5}, {53, 2}, {55, 1}, {56, 8}, {0, 0}};
static const struct field mtbuf[] = {{0, 12}, {12, 2}, {14, 1}, {19, 4}, {23, 3}, {19, 7}, {32, 8},
                                     {40, 8}, {48, 5}, {53, 1}, {54, 1}, {55, 1}, {56, 8}, {0, 0}};
static const struct field mimg[] = {{0, 8},  {8, 4},  {12, 1}, {13, 1}, {14, 1}, {15, 1}, {16, 1}, {17, 1},
                                    {25, 1}, {32, 8}, {40, 8}, {48, 5}, {53, 5}, {58, 5}, {63, 1}, {0, 0}};

struct list {
    const struct gcn_target *target;
    struct base *bases;
    unsigned count;
};

static void add(struct list *l, uint64_t w0, uint64_t w1, const struct field *fields)
{
    if (l->count < MAX_BASES)
        l->bases[l->count++] = (struct base){w0 | w1 << 32, fields};
}

static bool has(enum gcn_type type)
{
    return type != GCN_T_NIL;
}

/* Literals whose value is also an inline constant of some type, and values next to such ones. */
static const uint32_t literals[] = {
    0,          1,          64,         65,         0xfffffff0, 0xffffffef, 0x3f800000, 0xbf800000, 0x3f000000,
    0xc0800000, 0x3e22f983, 0x3e22f984, 0x3c00,     0x3800,     0xc400,     0x3118,     0xbc00,     0xfff0,
    0xffef,     0x123c00,   0xffff0001, 0x40000000, 0x4000,     0xdeadbeef, 0x3ff00000, 0x7fffffff};

static void scalar(struct list *l, const struct gcn_op_info *info)
{
    uint32_t s = (has(info->src[0]) ? 4 : 0) | (has(info->src[1]) ? 8 << 8 : 0), d = has(info->dst) ? 12 << 16 : 0;
    if (info->flags & GCN_F_IMM && info->encoding == GCN_SOPC)
        s |= 3 << 8;
    switch ((enum gcn_encoding)info->encoding) {
    case GCN_SOP1: add(l, 0xbe800000u | (uint32_t)info->opcode << 8 | s | d, 0x12345678, sop1); break;
    case GCN_SOP2:
        add(l, 0x80000000u | (uint32_t)info->opcode << 23 | s | d, 0x12345678, sop2);
        add(l, 0x80000000u | (uint32_t)info->opcode << 23 | s | 255 << 8 | d, 0x12345678, sop2);
        break;
    case GCN_SOPC: add(l, 0xbf000000u | (uint32_t)info->opcode << 16 | s, 0x12345678, sopc); break;
    case GCN_SOPK: add(l, 0xb0000000u | (uint32_t)info->opcode << 23 | 0x1234 | 8 << 16, 0x12345678, sopk); break;
    default: add(l, 0xbf800000u | (uint32_t)info->opcode << 16, 0, sopp); break;
    }
    for (size_t i = 0; i < sizeof literals / sizeof *literals && info->encoding != GCN_SOPP; i++) {
        static const struct field none[] = {{31, 1}, {0, 0}};
        uint64_t w0 = l->bases[0].word & 0xffffffff;
        add(l, info->encoding == GCN_SOPK ? w0 : (w0 & ~UINT64_C(255)) | 255, literals[i], none);
    }
}

static void smem_bases(struct list *l, const struct gcn_op_info *info)
{
    uint32_t w0 = 0xc0000000u | (uint32_t)info->opcode << 18;
    add(l, w0, 0, smem);
    w0 |= (has(info->src[0]) ? 2 : 0) | 8 << 6;
    add(l, w0, 16, smem);
    add(l, w0 | 1 << 17, 0x1230, smem);
    add(l, w0 | 1 << 14, 9u << 25, smem);
    add(l, w0 | 1 << 17 | 1 << 14, 9u << 25 | 0x44, smem);
}

static void vop3_bases(struct list *l, const struct gcn_op_info *info)
{
    unsigned opcode = gcn_vop3_opcode(l->target, (enum gcn_op)(info - gcn_op_info));
    bool mask_dst = info->dst == GCN_T_MASK || info->flags & GCN_F_SGPR_D;
    uint32_t w0 = 0xd0000000u | opcode << 16 | (has(info->dst) ? (mask_dst ? 10 : 20) : 0);
    if (info->flags & GCN_F_SDST)
        w0 |= 12 << 8;
    uint64_t code[3];
    for (unsigned i = 0; i < 3; i++) {
        bool lane = info->src[i] == GCN_T_MASK || info->src[i] == GCN_T_LANE || (!i && info->flags & GCN_F_SSRC0);
        code[i] = !has(info->src[i]) ? 0 : lane ? 4 : 260 + 4 * i;
    }
    if (info->flags & GCN_F_ATTR) {
        code[1] = code[0];
        code[0] = 5;
    }
    uint64_t w1 = code[0] | code[1] << 9 | code[2] << 18;
    add(l, w0, w1, vop3);
    if (info->encoding == GCN_VOP3P)
        add(l, w0 | 1 << 14, w1 | 3u << 27, vop3);
}

static void valu(struct list *l, const struct gcn_op_info *info)
{
    static const struct field none[] = {{31, 1}, {0, 0}};
    bool two = has(info->src[1]);
    bool one = info->encoding == GCN_VOP1, compare = info->encoding == GCN_VOPC;
    uint32_t opcode = info->opcode, d = has(info->dst) && !compare ? 10u << 17 : 0, s1 = two ? 6u << 9 : 0;
    uint32_t w0 = one ? 0x7e000000u | opcode << 9 : compare ? 0x7c000000u | opcode << 17 : opcode << 25;
    w0 |= d | s1;
    uint32_t src0 = has(info->src[0]) ? 260 : 0;
    add(l, w0 | src0, 0x12345678, one ? vop1 : compare ? vopc : vop2);
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
        add(l, w0 | (info->flags & GCN_F_LITERAL ? src0 : 255), literals[i], none);
    uint32_t sdwa = 4 | (compare ? 0 : 6 << 8) | 6 << 16 | (two ? 6u << 24 : 0);
    const struct field *fields = one ? vop1_sdwa : compare ? vopc_sdwa : vop2_sdwa;
    add(l, w0 | 249, sdwa, fields);
    add(l, w0 | 249, sdwa | 1 << 23, fields);
    if (two)
        add(l, w0 | 249, sdwa | 1u << 31, fields);
    add(l, w0 | 250, 4 | 0x1b << 8 | 0xff000000u, one ? vop1_dpp : vop2_dpp);
    add(l, w0 | 250, 4 | GCN_DPP_ROW_NEWBCAST << 8 | 0xff000000u, one ? vop1_dpp : vop2_dpp);
    if (info->flags & GCN_F_E64)
        vop3_bases(l, info);
}

static void memory(struct list *l, const struct gcn_op_info *info)
{
    uint32_t opcode = info->opcode, image = 0xf0000000u | opcode << 18, sampler = 0;
    switch ((enum gcn_encoding)info->encoding) {
    case GCN_DS:
        for (uint32_t gds = 0; gds < 2; gds++)
            add(l, 0xd8000000u | opcode << 17 | gds << 16,
                (has(info->src[0]) ? 4 : 0) | (has(info->src[1]) ? 8 << 8 : 0) | (has(info->src[2]) ? 16 << 16 : 0) |
                    (has(info->dst) ? 20u << 24 : 0),
                ds);
        break;
    case GCN_FLAT:
        for (uint32_t segment = 0; segment < 3; segment++)
            for (uint32_t glc = 0; glc < 2; glc++) {
                uint32_t w0 = 0xdc000000u | opcode << 18 | segment << 14 | glc << 16;
                add(l, w0, 4 | 8 << 8 | (segment ? 127u << 16 : 0) | 20u << 24, flat);
                if (segment)
                    add(l, w0, 4 | 8 << 8 | 6 << 16 | 20u << 24, flat);
                if (segment)
                    add(l, w0 | 1 << 13, 4 | 8 << 8 | 6 << 16 | 20u << 24, flat);
            }
        break;
    case GCN_MUBUF:
    case GCN_MTBUF:
        if (!has(info->src[2]))
            add(l, 0xe0000000u | opcode << 18, 0, mubuf);
        for (uint32_t mode = 0; mode < 8; mode++)
            if (info->encoding == GCN_MUBUF) {
                add(l, 0xe0000000u | opcode << 18 | mode << 12, 4 | 8 << 8 | 2 << 16 | 3u << 24, mubuf);
                add(l, 0xe0010000u | opcode << 18 | mode << 12, 4 | 8 << 8 | 2 << 16 | 3u << 24, mubuf);
            } else {
                add(l, 0xe9080000u | opcode << 15 | mode << 12, 4 | 8 << 8 | 2 << 16 | 3u << 24, mtbuf);
            }
        break;
    default:
        sampler = info->flags & GCN_F_SAMPLER ? 4 << 21 : 0;
        for (uint32_t dmask = 0; dmask < 16; dmask++)
            add(l, image | dmask << 8, 4 | 8 << 8 | 2 << 16 | sampler, mimg);
        add(l, image | 0x1f00, 4 | 8 << 8 | 2 << 16 | sampler | 1u << 31, mimg);
        add(l, image | 0x10f00, 4 | 8 << 8 | 2 << 16 | sampler, mimg);
        break;
    }
}

unsigned fields_bases(const struct gcn_target *target, enum gcn_op op, struct base bases[MAX_BASES])
{
    const struct gcn_op_info *info = &gcn_op_info[op];
    struct list l = {target, bases, 0};
    if (!gcn_target_has(target, op))
        return 0;
    switch ((enum gcn_encoding)info->encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPK:
    case GCN_SOPC:
    case GCN_SOPP: scalar(&l, info); break;
    case GCN_SMEM: smem_bases(&l, info); break;
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC: valu(&l, info); break;
    case GCN_VOP3:
    case GCN_VOP3P: vop3_bases(&l, info); break;
    case GCN_VINTRP:
        add(&l, 0xd4000000u | (uint32_t)info->opcode << 16 | 10 << 18 | 2, 0, vintrp);
        vop3_bases(&l, info);
        break;
    case GCN_EXP:
        add(&l, 0xc400000fu, 0x04030201, exp_);
        add(&l, 0xc400040fu, 0x04030201, exp_);
        break;
    default: memory(&l, info); break;
    }
    return l.count;
}
