/* SPDX-License-Identifier: MIT */
/* Registers, and scalar instructions, of all waves of a box at once.
 * Input: decoded instructions. Output: registers, SCC, where to go on. Invariant: where all sources are plain numbers
 * the rows of salu.def compute the result; where they are linear functions, those of bulk.def do; nothing else is
 * taken. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include "runtime/gcn/exec/exec_salu_ops.h"

static bool part_of(const struct bulk_value *value, unsigned count, struct affine *f)
{
    if (value[0].kind != BULK_AFFINE || (count == 2 && value[1].kind != BULK_AFFINE))
        return false;
    *f = count == 2 ? affine_sum(1, &value[0].is, (affine_int)1 << 32, &value[1].is) : value[0].is;
    return true;
}

bool bulk_source(const struct bulk *b, const struct gcn_inst *inst, unsigned i, unsigned count, struct affine *f)
{
    struct gcn_operand operand = inst->src[i];
    unsigned last = operand.index + count - 1;
    *f = affine_constant(0);
    switch ((enum gcn_operand_kind)operand.kind) {
    case GCN_NONE: return true;
    case GCN_VGPR: return last < BULK_VGPRS && part_of(&b->v[operand.index], count, f);
    case GCN_SGPR: return last < GCN_SCALAR_COUNT && part_of(&b->s[operand.index], count, f);
    case GCN_INLINE:
    case GCN_LITERAL:
        *f = affine_constant((affine_int)(count == 2 ? inst->value[i] : (uint32_t)inst->value[i]));
        return true;
    case GCN_AGPR:
    case GCN_SPECIAL: return false;
    }
    return false;
}

enum bulk_outcome bulk_put(struct bulk *b, struct gcn_operand dst, unsigned count, const struct affine *f)
{
    bool vector = dst.kind == GCN_VGPR;
    struct bulk_value *value = vector ? &b->v[dst.index] : &b->s[dst.index];
    affine_int high = 0;
    struct affine low = *f;
    if ((!vector && dst.kind != GCN_SGPR) || dst.index + count > (vector ? BULK_VGPRS : GCN_SCALAR_COUNT) ||
        (!vector && dst.index <= GCN_NULL && dst.index + count > GCN_NULL) ||
        (bulk_is_masked(b) && !vector && dst.index <= GCN_EXEC_HI && dst.index + count > GCN_EXEC_LO))
        return BULK_LEAVE;
    if (count == 2) {
        enum bulk_outcome outcome = bulk_wrap(b, &low, 32, &high);
        if (outcome != BULK_ON)
            return outcome;
        value[1] = (struct bulk_value){.kind = BULK_AFFINE, .is = affine_constant(high)};
    }
    value[0] = (struct bulk_value){.kind = BULK_AFFINE, .is = low};
    return BULK_ON;
}

bool bulk_number(const struct bulk *b, unsigned code, unsigned count, uint64_t *value)
{
    struct affine f;
    if (code + count > GCN_SCALAR_COUNT || !part_of(&b->s[code], count, &f) || !affine_is_constant(&f))
        return false;
    *value = (uint64_t)f.at;
    return true;
}

int bulk_lanes(const struct bulk *b)
{
    uint64_t exec;
    if (bulk_is_masked(b))
        return 1;
    if (!bulk_number(b, GCN_EXEC_LO, 2, &exec))
        return -1;
    return exec == UINT64_MAX ? 1 : exec == 0 ? 0 : -1;
}

/* Plain numbers */

struct salu {
    uint64_t src[2], dst, exec;
    int32_t imm;
    uint32_t scc;
    bool writes, writes_exec;
};

/* Long because each row of salu.def is a case of its switch. */
static bool salu_compute(unsigned op, struct salu *n)
{
    uint32_t scc = n->scc;
    switch (op) {
#define SALU1(name, D, A, ...)                                                                          \
    case GCN_OP_##name: {                                                                               \
        A a = (A)n->src[0];                                                                             \
        D d;                                                                                            \
        __VA_ARGS__;                                                                                    \
        n->dst = d;                                                                                     \
        break;                                                                                          \
    }
#define SALU1_RMW(name, D, A, ...)                                                                      \
    case GCN_OP_##name: {                                                                               \
        A a = (A)n->src[0];                                                                             \
        D d = (D)n->dst;                                                                                \
        __VA_ARGS__;                                                                                    \
        n->dst = d;                                                                                     \
        break;                                                                                          \
    }
#define SALU2(name, D, A, B, ...)                                                                       \
    case GCN_OP_##name: {                                                                               \
        A a = (A)n->src[0];                                                                             \
        B b = (B)n->src[1];                                                                             \
        D d;                                                                                            \
        __VA_ARGS__;                                                                                    \
        n->dst = d;                                                                                     \
        break;                                                                                          \
    }
#define SALUC(name, A, B, condition)                                                                    \
    case GCN_OP_##name: {                                                                               \
        A a = (A)n->src[0];                                                                             \
        B b = (B)n->src[1];                                                                             \
        scc = (condition) != 0;                                                                         \
        n->writes = false;                                                                              \
        break;                                                                                          \
    }
#define SALUK_CMP(name, T, I, condition)                                                                \
    case GCN_OP_##name: {                                                                               \
        T a = (T)n->src[0];                                                                             \
        T b = (T)(I)n->imm;                                                                             \
        scc = condition;                                                                                \
        n->writes = false;                                                                              \
        break;                                                                                          \
    }
#define SALUK_RMW(name, ...)                                                                            \
    case GCN_OP_##name: {                                                                               \
        uint32_t d = (uint32_t)n->dst, b = (uint32_t)n->imm;                                            \
        __VA_ARGS__;                                                                                    \
        n->dst = d;                                                                                     \
        break;                                                                                          \
    }
#define SAVEEXEC(name, expression)                                                                      \
    case GCN_OP_##name: {                                                                               \
        uint64_t a = n->src[0], exec = n->exec;                                                         \
        n->dst = exec;                                                                                  \
        n->exec = expression;                                                                           \
        n->writes_exec = true;                                                                          \
        scc = n->exec != 0;                                                                             \
        break;                                                                                          \
    }
#define WREXEC(name, expression)                                                                        \
    case GCN_OP_##name: {                                                                               \
        uint64_t a = n->src[0], exec = n->exec;                                                         \
        n->dst = n->exec = expression;                                                                  \
        n->writes_exec = true;                                                                          \
        scc = n->exec != 0;                                                                             \
        break;                                                                                          \
    }
#include "runtime/gcn/tables/salu.def"
    default: return false; /* not a row of the table */
    }
    n->scc = scc;
    return true;
}

/* Executes INST if all that it reads are plain numbers; BULK_LEAVE if they are not. */
static enum bulk_outcome plain_scalar(struct bulk *b, const struct gcn_inst *inst, const struct affine src[3],
                                      unsigned count)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct salu n = {.imm = inst->imm, .scc = b->scc, .writes = true};
    struct gcn_operand exec = {GCN_SGPR, GCN_EXEC_LO};
    for (unsigned i = 0; i < 2; i++) {
        if (!affine_is_constant(&src[i]))
            return BULK_LEAVE;
        n.src[i] = (uint64_t)src[i].at;
    }
    if ((!b->scc_known && (info->flags & GCN_F_SCC_R)) ||
        ((info->flags & GCN_F_EXEC_R) && !bulk_number(b, GCN_EXEC_LO, 2, &n.exec)))
        return BULK_LEAVE;
    if ((info->flags & GCN_F_DST_R) && !bulk_number(b, inst->dst.index, count, &n.dst))
        return BULK_LEAVE;
    if (!salu_compute(inst->op, &n))
        return BULK_LEAVE;
    if (info->flags & GCN_F_SCC_W) {
        b->scc = n.scc;
        b->scc_known = true;
    }
    struct affine result = affine_constant((affine_int)n.dst), mask = affine_constant((affine_int)n.exec);
    enum bulk_outcome outcome = n.writes ? bulk_put(b, inst->dst, count, &result) : BULK_ON;
    return n.writes_exec && outcome == BULK_ON ? bulk_put(b, exec, 2, &mask) : outcome;
}

/* Executes INST if its result is known. */
static enum bulk_outcome known_scalar(struct bulk *b, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    struct affine src[3] = {{0}};
    unsigned count = gcn_type_info[info->dst].registers;
    for (unsigned i = 0; i < 2; i++)
        if (inst->src[i].kind != GCN_NONE && !bulk_source(b, inst, i, gcn_type_info[info->src[i]].registers, &src[i]))
            return BULK_LEAVE;
    enum bulk_outcome outcome = plain_scalar(b, inst, src, count);
    if (outcome != BULK_LEAVE)
        return outcome;
    struct bulk_result result;
    if (!b->scc_known && (info->flags & GCN_F_SCC_R))
        return BULK_LEAVE;
    outcome = bulk_compute(b, inst->op, src, b->scc, count ? 32 * count : 32, &result);
    if (outcome != BULK_ON)
        return outcome;
    if (!result.compared && (outcome = bulk_put(b, inst->dst, count, &result.is)) != BULK_ON)
        return outcome;
    if (info->flags & GCN_F_SCC_W) {
        b->scc_known = result.compared || result.carries;
        b->scc = result.compared ? (uint32_t)result.is.at : result.carry != 0;
    }
    return BULK_ON;
}

enum bulk_outcome bulk_scalar(struct bulk *b, const struct gcn_inst *inst)
{
    enum bulk_outcome outcome = known_scalar(b, inst);
    return outcome == BULK_LEAVE ? bulk_record_mask(b, inst) : outcome;
}
