/* SPDX-License-Identifier: MIT */
/* Scalar ALU operations: SOP1, SOP2, SOPC and SOPK except those that change the PC or MODE.
 *
 * Input: resolved scalar operands. Output: the scalar destination, SCC, EXEC. Each row of salu.def becomes
 * one handler; the rest are the operations that index the scalar registers. Scalar operations ignore EXEC. */
#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_salu_ops.h"
#include "runtime/gcn/inst/inst.h"

#define GET_uint32_t gcn_s32
#define GET_int32_t (int32_t)gcn_s32
#define GET_uint64_t gcn_s64
#define PUT_uint32_t gcn_put32
#define PUT_uint64_t gcn_put64

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

#define SALU1(name, D, A, ...)                                                                          \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        A a = GET_##A(w, op->src[0]);                                                                   \
        D d;                                                                                            \
        uint32_t scc = w->scc;                                                                          \
        __VA_ARGS__;                                                                                    \
        PUT_##D(w, op->dst, d);                                                                         \
        w->scc = scc;                                                                                   \
        return op + 1;                                                                                  \
    }
#define SALU1_RMW(name, D, A, ...)                                                                      \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        A a = GET_##A(w, op->src[0]);                                                                   \
        D d = GET_##D(w, op->dst);                                                                      \
        uint32_t scc = w->scc;                                                                          \
        (void)scc;                                                                                      \
        __VA_ARGS__;                                                                                    \
        PUT_##D(w, op->dst, d);                                                                         \
        return op + 1;                                                                                  \
    }
#define SALU2(name, D, A, B, ...)                                                                       \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        A a = GET_##A(w, op->src[0]);                                                                   \
        B b = GET_##B(w, op->src[1]);                                                                   \
        D d;                                                                                            \
        uint32_t scc = w->scc;                                                                          \
        __VA_ARGS__;                                                                                    \
        PUT_##D(w, op->dst, d);                                                                         \
        w->scc = scc;                                                                                   \
        return op + 1;                                                                                  \
    }
#define SALUC(name, A, B, condition)                                                                    \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        A a = GET_##A(w, op->src[0]);                                                                   \
        B b = GET_##B(w, op->src[1]);                                                                   \
        w->scc = (condition) != 0;                                                                      \
        return op + 1;                                                                                  \
    }
#define SALUK_CMP(name, T, I, condition)                                                                \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        T a = GET_##T(w, op->src[0]);                                                                   \
        T b = (T)(I)op->imm;                                                                            \
        w->scc = condition;                                                                             \
        return op + 1;                                                                                  \
    }
#define SALUK_RMW(name, ...)                                                                            \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        uint32_t d = gcn_s32(w, op->dst), b = (uint32_t)op->imm, scc = w->scc;                          \
        __VA_ARGS__;                                                                                    \
        gcn_put32(w, op->dst, d);                                                                       \
        w->scc = scc;                                                                                   \
        return op + 1;                                                                                  \
    }
/* The destination may be EXEC itself; EXEC is written last, as the new mask is the result that counts. */
#define SAVEEXEC(name, expression)                                                                      \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        uint64_t a = gcn_s64(w, op->src[0]), exec = gcn_exec(w), result = expression;                   \
        gcn_put64(w, op->dst, exec);                                                                    \
        gcn_set64(w, GCN_S_EXEC, result);                                                               \
        w->scc = result != 0;                                                                           \
        return op + 1;                                                                                  \
    }
#define WREXEC(name, expression)                                                                        \
    HANDLER(do_##name)                                                                                  \
    {                                                                                                   \
        uint64_t a = gcn_s64(w, op->src[0]), exec = gcn_exec(w), result = expression;                   \
        gcn_put64(w, op->dst, result);                                                                  \
        gcn_set64(w, GCN_S_EXEC, result);                                                               \
        w->scc = result != 0;                                                                           \
        return op + 1;                                                                                  \
    }
#include "runtime/gcn/tables/salu.def"

/* Code of the scalar register that lies M0 registers after the one at reference REF; -1 if N registers from there on do
 * not fit into the register file or REF is no register of it. */
static int indexed(const struct gcn_wave *w, uint32_t ref, unsigned n)
{
    uint32_t first = ref - (uint32_t)offsetof(struct gcn_wave, s);
    uint64_t code = (uint64_t)(first / 4) + w->s[GCN_S_M0];
    if (ref & GCN_REF_CONST || first >= GCN_SGPRS * 4 || code > GCN_SGPRS - n)
        return -1;
    return (int)code;
}

HANDLER(do_s_movrels_b32)
{
    int code = indexed(w, op->src[0], 1);
    gcn_put32(w, op->dst, code < 0 ? 0 : w->s[code]);
    return op + 1;
}

HANDLER(do_s_movrels_b64)
{
    int code = indexed(w, op->src[0], 2);
    gcn_put64(w, op->dst, code < 0 ? 0 : gcn_get64(w, (unsigned)code));
    return op + 1;
}

HANDLER(do_s_movreld_b32)
{
    int code = indexed(w, op->dst, 1);
    if (code >= 0)
        w->s[code] = gcn_s32(w, op->src[0]);
    return op + 1;
}

HANDLER(do_s_movreld_b64)
{
    int code = indexed(w, op->dst, 2);
    if (code >= 0)
        gcn_set64(w, (unsigned)code, gcn_s64(w, op->src[0]));
    return op + 1;
}

#define SALU1(name, ...) {GCN_OP_##name, do_##name},
#define SALU1_RMW(name, ...) {GCN_OP_##name, do_##name},
#define SALU2(name, ...) {GCN_OP_##name, do_##name},
#define SALUC(name, ...) {GCN_OP_##name, do_##name},
#define SALUK_CMP(name, ...) {GCN_OP_##name, do_##name},
#define SALUK_RMW(name, ...) {GCN_OP_##name, do_##name},
#define SAVEEXEC(name, ...) {GCN_OP_##name, do_##name},
#define WREXEC(name, ...) {GCN_OP_##name, do_##name},
const struct gcn_handler_row gcn_salu_handlers[] = {
#include "runtime/gcn/tables/salu.def"
    {GCN_OP_s_movrels_b32, do_s_movrels_b32},
    {GCN_OP_s_movrels_b64, do_s_movrels_b64},
    {GCN_OP_s_movreld_b32, do_s_movreld_b32},
    {GCN_OP_s_movreld_b64, do_s_movreld_b64},
    {0, NULL},
};
