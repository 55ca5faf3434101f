/* SPDX-License-Identifier: MIT */
/* Compares compiled code with the interpreter in random loops that diverge, as compilers write them: lanes leave the
 * loop one after the other, and branches lead around code for which no lane is left. Here and there is something that
 * no compiler writes, such as lanes that come back.
 * Input: an engine. Output: whether all loops do the same, and a description of those that do not. Invariant: each loop
 * ends. */
#include "config.h"

#include "testsuite/gcn/jit_loops.h"

#include "testsuite/gcn/gcn_words.h"
#include "testsuite/gcn/jit_program.h"
#include "testsuite/gcn/vector_values.h"

#include <string.h>

enum {
    MASKS = 5,    /* s[0:1], s[2:3], ..., and VCC */
    SAVED = 12,   /* EXEC, at the first level of branches; s[14:15] at the second one, ... */
    DEPTH = 3,    /* levels */
    SCALARS = 24, /* s24 ... are the same for all lanes */
    SCALAR_COUNT = 4,
    LIMIT = 30,    /* s30: how many rounds there are */
    BACKSTOP = 31, /* s31 counts the rounds, also while EXEC is empty */
    ROUNDS_MOST = 300,
    EXITS = 24,
};

struct loop {
    struct words w;
    unsigned exits[EXITS]; /* places of branches that leave the loop */
    unsigned exit_count;
    unsigned depth;
    bool strange; /* it has things that no compiler writes */
    bool plain;   /* it has vector operations, and what makes lanes leave it or skip some */
    bool uniform; /* nothing in it depends on lanes but vector registers; it loads scalar registers */
};

static unsigned draw(unsigned below)
{
    return (unsigned)(value_random() % below);
}

/* One of six vector registers. After the loop, half of them are dead if the program does not keep all registers. */
static unsigned draw_vector(void)
{
    unsigned number = draw(6);
    return number < 3 ? number : PROGRAM_STORED + number - 3;
}

static unsigned draw_mask(void)
{
    unsigned mask = draw(MASKS + 1);
    return mask == MASKS ? VCC : 2 * mask;
}

static unsigned draw_scalar(void)
{
    return SCALARS + draw(SCALAR_COUNT);
}

/* Vector operations */

static void put_arithmetic(struct loop *l)
{
    static const unsigned ops[] = {
        GCN_OP_v_add_f32, GCN_OP_v_mul_f32, GCN_OP_v_add_u32, GCN_OP_v_sub_u32,    GCN_OP_v_xor_b32,
        GCN_OP_v_and_b32, GCN_OP_v_mac_f32, GCN_OP_v_max_u32, GCN_OP_v_lshlrev_b32};
    unsigned a = draw(4) ? V(draw_vector()) : draw(2) ? draw_scalar() : C(draw(20)), dst = draw_vector();
    switch (l->uniform ? draw(2) * 7 : draw(8)) {
    case 0: vop1(&l->w, GCN_OP_v_mov_b32, dst, a); break;
    case 1: vop3(&l->w, GCN_OP_v_fma_f32, dst, 0, a, V(draw_vector()), V(draw_vector())); break;
    case 2: vop3(&l->w, GCN_OP_v_mad_u64_u32, draw_vector(), 8, a, V(draw_vector()), V(draw_vector())); break;
    case 3: vop3(&l->w, GCN_OP_v_cndmask_b32, dst, 0, V(draw_vector()), V(draw_vector()), draw_mask()); break;
    case 4: vop2(&l->w, GCN_OP_v_addc_co_u32, dst, a > 255 ? a : V(dst), V(draw_vector())); break;
    default: vop2(&l->w, ops[draw(sizeof ops / sizeof *ops)], dst, a, V(draw_vector())); break;
    }
}

/* A comparison to the mask DST, which is true for some lanes. */
static void put_comparison(struct loop *l, unsigned dst)
{
    static const unsigned ops[] = {
        GCN_OP_v_cmp_gt_u32, GCN_OP_v_cmp_lt_f32, GCN_OP_v_cmp_ne_u32, GCN_OP_v_cmp_lt_i32, GCN_OP_v_cmp_ge_f32};
    if (draw(4) == 0) { /* all lanes, or none */
        vop3(&l->w, GCN_OP_v_cmp_lt_i32, dst, 0, C(0), draw_scalar(), 0);
        return;
    }
    unsigned op = ops[draw(sizeof ops / sizeof *ops)], a = draw(2) ? V(draw_vector()) : draw_scalar();
    unsigned b = V(draw_vector());
    if (draw(60) == 0)
        op = GCN_OP_v_cmpx_gt_u32;
    if (dst == VCC && draw(2))
        vopc(&l->w, op, a, b);
    else
        vop3(&l->w, op, dst, 0, a, b, 0);
}

/* Scalar operations */

/* All lanes in the mask DST, or none, most often as scalars compare, such as the number of the round. */
static void put_choice(struct loop *l, unsigned dst)
{
    static const unsigned ops[] = {GCN_OP_s_cmp_lt_u32, GCN_OP_s_cmp_eq_u32, GCN_OP_s_cmp_gt_i32};
    unsigned all = draw(3);
    if (draw(4) == 0) { /* a mask of scalars, whose SCC is another one than before */
        sopc(&l->w, GCN_OP_s_cmp_lt_u32, BACKSTOP, C(draw(9)));
        sop1(&l->w, GCN_OP_s_not_b64, dst, SCALARS + 2 * draw(2));
        sop2(&l->w, GCN_OP_s_cselect_b32, draw_scalar(), draw_scalar(), C(draw(60)));
    } else if (draw(8)) {
        sopc(&l->w, ops[draw(3)], draw(2) ? draw_scalar() : BACKSTOP, draw(3) ? C(draw(20)) : draw_scalar());
    }
    sop2(&l->w, GCN_OP_s_cselect_b64, dst, all != 1 ? ALL_ONES : C(0), all != 0 ? ALL_ONES : C(0));
}

static void put_mask_operation(struct loop *l)
{
    static const unsigned ops[] = {GCN_OP_s_and_b64,  GCN_OP_s_or_b64,   GCN_OP_s_xor_b64, GCN_OP_s_andn2_b64,
                                   GCN_OP_s_orn2_b64, GCN_OP_s_nand_b64, GCN_OP_s_nor_b64, GCN_OP_s_xnor_b64};
    unsigned dst = draw_mask(), a = draw(4) ? draw_mask() : EXEC, b = draw(3) ? draw_mask() : EXEC;
    switch (draw(6)) {
    case 0: put_choice(l, dst); break;
    case 1: sop1(&l->w, draw(2) ? GCN_OP_s_mov_b64 : GCN_OP_s_not_b64, dst, draw(4) ? a : C(0)); break;
    default: sop2(&l->w, ops[draw(draw(4) ? 4 : 8)], dst, a, b); break;
    }
}

static void put_scalar_operation(struct loop *l)
{
    unsigned dst = draw_scalar();
    switch (draw(4)) {
    case 0: sopc(&l->w, draw(2) ? GCN_OP_s_cmp_lt_u32 : GCN_OP_s_cmp_lg_u32, dst, draw_scalar()); break;
    case 1: sop2(&l->w, GCN_OP_s_cselect_b32, dst, draw_scalar(), C(draw(60))); break;
    default:
        sop2(&l->w, draw(2) ? GCN_OP_s_add_u32 : GCN_OP_s_xor_b32, dst, dst, draw(2) ? draw_scalar() : C(1));
        break;
    }
}

/* A load of one, two or four scalar registers. */
static void put_load(struct loop *l)
{
    static const unsigned ops[] = {GCN_OP_s_load_dword, GCN_OP_s_load_dwordx2, GCN_OP_s_load_dwordx4};
    unsigned size = draw(3), first = size ? SCALARS : draw_scalar();
    smem(&l->w, ops[size], first, PROGRAM_POINTER, draw(PROGRAM_LOADED));
}

/* What no compiler writes: EXEC from a mask that may have any lanes. */
static void put_strange(struct loop *l)
{
    static const unsigned ops[] = {GCN_OP_s_or_b64, GCN_OP_s_xor_b64, GCN_OP_s_orn2_b64};
    static const unsigned saving[] = {
        GCN_OP_s_or_saveexec_b64, GCN_OP_s_andn1_saveexec_b64, GCN_OP_s_xor_saveexec_b64, GCN_OP_s_andn2_wrexec_b64};
    switch (draw(3)) {
    case 0: sop2(&l->w, ops[draw(3)], EXEC, EXEC, draw_mask()); break;
    case 1: sop1(&l->w, GCN_OP_s_mov_b64, EXEC, draw_mask()); break;
    default: sop1(&l->w, saving[draw(4)], draw_mask(), draw_mask()); break;
    }
}

/* Control */

static void leave(struct loop *l, unsigned op)
{
    if (l->exit_count == EXITS)
        return;
    l->exits[l->exit_count++] = l->w.count;
    sopp(&l->w, op, 0);
}

/* Has the branch at PLACE lead to the next word. */
static void land(struct loop *l, unsigned place)
{
    l->w.at[place] = (l->w.at[place] & 0xffff0000) | (uint16_t)(l->w.count - place - 1);
}

/* Some lanes leave the loop. */
static void put_break(struct loop *l)
{
    unsigned condition = draw_mask(), left = 8;
    (draw(4) ? put_comparison : put_choice)(l, condition);
    sop2(&l->w, GCN_OP_s_and_b64, 10, EXEC, condition);
    sop2(&l->w, GCN_OP_s_or_b64, left, 10, left);
    sop2(&l->w, GCN_OP_s_andn2_b64, EXEC, EXEC, left);
    leave(l, GCN_OP_s_cbranch_execz);
}

static void put_items(struct loop *l, unsigned count);

/* if, or if and else */
static void put_if(struct loop *l)
{
    unsigned saved = SAVED + 2 * l->depth, condition = draw_mask(), around = 0;
    bool branches = draw(3), otherwise = draw(3) == 0;
    l->depth++;
    put_comparison(l, condition);
    sop1(&l->w, GCN_OP_s_and_saveexec_b64, saved, condition);
    if (otherwise)
        sop2(&l->w, GCN_OP_s_xor_b64, saved, EXEC, saved);
    if (branches) {
        around = l->w.count;
        sopp(&l->w, GCN_OP_s_cbranch_execz, 0);
    }
    put_items(l, 1 + draw(4));
    if (branches)
        land(l, around);
    if (otherwise) {
        sop1(&l->w, GCN_OP_s_andn2_saveexec_b64, saved, saved);
        put_items(l, 1 + draw(3));
    }
    sop2(&l->w, GCN_OP_s_or_b64, EXEC, EXEC, saved);
    l->depth--;
}

static void put_any(struct loop *l)
{
    switch (draw(4)) {
    case 0: put_comparison(l, draw_mask()); break;
    case 1: put_scalar_operation(l); break;
    case 2: put_mask_operation(l); break;
    default:
        if (l->strange && draw(3) == 0)
            put_strange(l);
        else
            put_arithmetic(l);
        break;
    }
}

static void put_items(struct loop *l, unsigned count)
{
    for (; l->uniform && count; count--)
        switch (draw(4)) {
        case 0: put_load(l); break;
        case 1: put_scalar_operation(l); break;
        default: put_arithmetic(l); break;
        }
    for (; count; count--) {
        unsigned kind = draw(l->plain ? 6 : 12);
        if (kind == 0 && l->depth < DEPTH)
            put_if(l);
        else if (kind == 1 && !l->depth)
            put_break(l);
        else if (kind < 6)
            put_arithmetic(l);
        else
            put_any(l);
    }
}

/* Another round, unless all have been executed; SCC says so, or lanes that are left. */
static void put_back(struct loop *l, unsigned first)
{
    sop2(&l->w, GCN_OP_s_add_u32, BACKSTOP, BACKSTOP, C(1));
    sopc(&l->w, GCN_OP_s_cmp_lt_u32, BACKSTOP, LIMIT);
    switch (l->uniform ? 2 : draw(3)) {
    case 0:
        leave(l, GCN_OP_s_cbranch_scc0);
        branch(&l->w, GCN_OP_s_cbranch_execnz, first);
        break;
    case 1:
        leave(l, GCN_OP_s_cbranch_scc0);
        branch(&l->w, GCN_OP_s_branch, first);
        break;
    default: branch(&l->w, GCN_OP_s_cbranch_scc1, first); break;
    }
}

/* As compilers write loops with an `if` around most of the body: the end comes first, and control into the middle. */
static void put_rotated(struct loop *l)
{
    unsigned into = l->w.count, condition = draw_mask();
    sopp(&l->w, GCN_OP_s_branch, 0);
    unsigned first = l->w.count;
    sop2(&l->w, GCN_OP_s_or_b64, EXEC, EXEC, SAVED);
    put_items(l, draw(3));
    put_break(l);
    land(l, into);
    put_items(l, draw(3));
    put_comparison(l, condition);
    sop1(&l->w, GCN_OP_s_and_saveexec_b64, SAVED, condition);
    sop2(&l->w, GCN_OP_s_add_u32, BACKSTOP, BACKSTOP, C(1));
    sopc(&l->w, GCN_OP_s_cmp_ge_u32, BACKSTOP, LIMIT);
    leave(l, GCN_OP_s_cbranch_scc1);
    branch(&l->w, GCN_OP_s_cbranch_execz, first);
    l->depth++;
    put_items(l, 1 + draw(6));
    l->depth--;
    branch(&l->w, GCN_OP_s_branch, first);
}

static void make_loop(struct loop *l)
{
    memset(l, 0, sizeof *l);
    l->strange = draw(4) == 0;
    l->plain = draw(2);
    l->uniform = draw(5) == 0;
    sop1(&l->w, GCN_OP_s_mov_b32, BACKSTOP, C(0));
    word(&l->w, 0xb0000000 | LIMIT << 16 | (draw(8) ? 1 + draw(20) : 1 + draw(ROUNDS_MOST))); /* s_movk_i32 */
    if (draw(4))
        sop1(&l->w, GCN_OP_s_mov_b64, 8, C(0));
    if (!l->uniform && draw(2)) {
        put_rotated(l);
    } else {
        unsigned first = l->w.count;
        put_items(l, 2 + draw(10));
        put_back(l, first);
    }
    for (unsigned i = 0; i < l->exit_count; i++)
        land(l, l->exits[i]);
    if (draw(2))
        sop2(&l->w, GCN_OP_s_or_b64, EXEC, EXEC, 8);
}

bool loops_compare(const struct gcn_engine *engine, unsigned loops)
{
    static struct program p = {.complete = true, .waves = 1};
    static struct loop l;
    char text[160];
    unsigned different = 0;
    program_choose_target(GCN_TARGET_gfx900);
    while (loops) {
        make_loop(&l);
        if (l.w.count == WORDS_MAX)
            continue; /* it may have no room for its end */
        program_randomize();
        program_initial.wave.mode = PROGRAM_DEFAULT_MODE;
        p.keep = loops-- % 2;
        p.guarded = !draw(3);
        memcpy(p.text, l.w.at, sizeof l.w.at);
        p.words = l.w.count;
        if (program_compare(engine, &p, 0, text, sizeof text) && different++ < 10)
            program_report(engine, &p);
    }
    return !different;
}
