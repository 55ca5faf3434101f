/* SPDX-License-Identifier: MIT */
/* What each handler of an engine does, as far as the compiler knows it.
 * Input: the engine's tables of handlers, the names of operations, the templates. Output: effects, by handler.
 * Invariant: a handler that two operations share has the same effect in both, or none that is known. */
#include "runtime/gcn/jit/build.h"

#include "runtime/gcn/inst/inst.h"
#include "runtime/gcn/jit/chunk.h"
#include "support/alloc.h"
#include "support/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_handler(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct effect *)a)->fn, y = (uintptr_t)((const struct effect *)b)->fn;
    return x < y ? -1 : x > y;
}

static bool needs_template(const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_COMPARE_EXEC:
    case EFFECT_SCALAR:
    case EFFECT_SAVEEXEC: return true;
    default: return false;
    }
}

const struct effect *effect_of(struct gcn_jit *jit, gcn_handler *fn)
{
    static const struct effect unknown = {.kind = EFFECT_CALL};
    size_t at = search_first(jit->effect_count, i, (uintptr_t)jit->effects[i].fn >= (uintptr_t)fn);
    if (at == jit->effect_count || jit->effects[at].fn != fn)
        return &unknown;
    struct effect *effect = &jit->effects[at];
    if (effect->template && !template_read(jit, effect->template)) {
        effect->template = NULL;
        effect->kind = needs_template(effect) ? EFFECT_CALL : effect->kind;
    }
    if (effect->usual && !template_read(jit, effect->usual))
        effect->usual = NULL;
    return effect;
}

static struct effect *add(struct gcn_jit *jit, gcn_handler *fn, unsigned id, enum effect_kind kind)
{
    static struct effect dropped;
    struct effect *effect = fn ? &jit->effects[jit->effect_count++] : &dropped;
    *effect = (struct effect){.fn = fn, .id = (uint16_t)id, .kind = (uint8_t)kind};
    return effect;
}

static struct effect *add_form(struct gcn_jit *jit, gcn_handler *fn, unsigned id, enum effect_kind kind,
                               enum effect_form form, struct template *template)
{
    struct effect *effect = add(jit, fn, id, template ? kind : EFFECT_CALL);
    effect->form = (uint8_t)form;
    effect->below = id == GCN_OP_v_mbcnt_lo_u32_b32 || id == GCN_OP_v_mbcnt_hi_u32_b32;
    effect->template = template;
    return effect;
}

/* Divisions end with v_div_fmas, which is a multiplication and addition unless the lane is one of those that have to be
 * scaled. */
static void add_usual(struct gcn_jit *jit, struct effect *effect, unsigned id)
{
    if (id != GCN_OP_v_div_fmas_f32 && id != GCN_OP_v_div_fmas_f64)
        return;
    effect->usual = template_find(jit, id == GCN_OP_v_div_fmas_f32 ? "t_v_fma_f32" : "t_v_fma_f64");
    effect->row = memory_row(jit, id);
}

static void add_vector(struct gcn_jit *jit, unsigned id, const char *name)
{
    const struct gcn_engine *engine = jit->engine;
    bool compare = !strncmp(name, "v_cmp_", 6), exec = !strncmp(name, "v_cmpx_", 7);
    enum effect_kind kind = exec ? EFFECT_COMPARE_EXEC : compare ? EFFECT_COMPARE : EFFECT_VECTOR;
    struct template *template;
    char symbol[96];
    if (id == GCN_OP_v_writelane_b32) {
        add(jit, engine->plain[id], id, EFFECT_WRITELANE);
        return;
    }
    if (id == GCN_OP_v_readlane_b32 || id == GCN_OP_v_readfirstlane_b32 || id == GCN_OP_v_swap_b32) {
        add(jit, engine->plain[id], id, id == GCN_OP_v_swap_b32 ? EFFECT_SWAP : EFFECT_READLANE);
        return;
    }
    if (compare || exec)
        snprintf(symbol, sizeof symbol, "t_cmp_%s", name + (exec ? 7 : 6));
    else
        snprintf(symbol, sizeof symbol, "t_%s", name);
    template = template_find(jit, symbol);
    add_usual(jit, add_form(jit, engine->plain[id], id, kind, FORM_LINES, template), id);
    add_form(jit, engine->scalar0[id], id, kind, FORM_SCALAR0, template);
    add_form(jit, engine->scalar1[id], id, kind, FORM_SCALAR1, template);
    snprintf(symbol, sizeof symbol, "t_%s_sat", name);
    template = template_find(jit, symbol);
    add_form(jit, engine->saturating[id], id, kind, FORM_LINES, template);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names))
        names++;
    return *names;
}

static bool changes_mode(const char *name)
{
    static const char *const others[] = {"s_setvskip", "s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", NULL};
    return !strncmp(name, "s_setreg", 8) || is_one_of(name, others);
}

static void add_scalar(struct gcn_jit *jit, unsigned id, const char *name)
{
    static const char *const ends[] = {
        "s_endpgm",   "s_endpgm_saved", "s_endpgm_ordered_ps_done", "s_setpc_b64", "s_swappc_b64",
        "s_call_b64", "s_rfe_b64",      "s_rfe_restore_b64",        NULL};
    static const char *const stops[] = {"s_barrier", "s_sleep", "s_trap", "s_sendmsg", "s_sethalt", "s_setkill", NULL};
    char symbol[96];
    snprintf(symbol, sizeof symbol, "s_%s", name);
    struct template *template = template_find(jit, symbol);
    bool exec = strstr(name, "saveexec") || strstr(name, "wrexec");
    enum effect_kind kind =
        is_one_of(name, ends) || changes_mode(name) ? EFFECT_LEAVE
        : is_one_of(name, stops)                    ? EFFECT_STOP
        : id == GCN_OP_s_waitcnt                    ? EFFECT_WAIT
        : !template                                 ? EFFECT_CALL
        : exec                                      ? EFFECT_SAVEEXEC
                                                    : EFFECT_SCALAR;
    struct effect *effect = add(jit, jit->engine->plain[id], id, kind);
    effect->template = template;
    effect->end = is_one_of(name, ends);
    effect->immediate = gcn_op_info[id].encoding == GCN_SOPK;
}

static void add_operation(struct gcn_jit *jit, unsigned id)
{
    const char *name = gcn_op_info[id].name;
    gcn_handler *fn = jit->engine->plain[id];
    const struct chunk_row *row = memory_row(jit, id);
    switch (gcn_op_info[id].encoding) {
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
    case GCN_VOP3:
    case GCN_VOP3P: add_vector(jit, id, name); break;
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK:
    case GCN_SOPP: add_scalar(jit, id, name); break;
    case GCN_SMEM: add(jit, fn, id, EFFECT_SCALAR_MEMORY); break;
    case GCN_DS:
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH:
    case GCN_MUBUF: add(jit, fn, id, row ? EFFECT_LDS : EFFECT_MEMORY)->row = row; break;
    default: break;
    }
}

/* The micro-operations that have templates. */
static void add_micros(struct gcn_jit *jit)
{
    static const char *const names[] = {
#define MICRO(id) #id,
        GCN_MICROS(MICRO)
#undef MICRO
    };
    for (unsigned i = 0; i < GCN_MICRO_COUNT; i++) {
        char symbol[32];
        snprintf(symbol, sizeof symbol, "m_%s", names[i]);
        struct template *template = template_find(jit, symbol);
        if (!template)
            continue;
        struct effect *effect = add(jit, jit->engine->micro[i], 0, EFFECT_VECTOR);
        effect->template = template;
        effect->output = !strncmp(names[i], "CLAMP", 5);
    }
}

/* Merges the entries of each handler into one: what their effects have in common, or a call. */
static void merge_effects(struct gcn_jit *jit)
{
    size_t kept = 0;
    qsort(jit->effects, jit->effect_count, sizeof *jit->effects, by_handler);
    for (size_t i = 0; i < jit->effect_count; i++) {
        struct effect *effect = &jit->effects[i], *last = kept ? &jit->effects[kept - 1] : NULL;
        if (!last || last->fn != effect->fn) {
            jit->effects[kept++] = *effect;
            continue;
        }
        /* two operations share a handler if their handlers were compiled to equal code; then their templates are equal
         * too */
        if (last->kind != effect->kind || last->form != effect->form || last->immediate != effect->immediate)
            last->kind = last->kind == EFFECT_LEAVE || effect->kind == EFFECT_LEAVE ? EFFECT_LEAVE : EFFECT_CALL;
        last->end &= effect->end;
    }
    jit->effect_count = kept;
}

bool effects_make(struct gcn_jit *jit, const struct gcn_jit_control *control)
{
    static const uint8_t micro[][2] = {
        {GCN_MICRO_SPLAT32, EFFECT_SPLAT32},      {GCN_MICRO_SPLAT64, EFFECT_SPLAT64}, {GCN_MICRO_MOD32, EFFECT_MOD32},
        {GCN_MICRO_MOD64, EFFECT_MOD64},          {GCN_MICRO_SCALAR64, EFFECT_COPY64}, {GCN_MICRO_DPP, EFFECT_DPP},
        {GCN_MICRO_EXEC_RESTORE, EFFECT_RESTORE},
    };
    jit->effects = mem_zalloc((size_t)GCN_OP_COUNT * 4 + 64, sizeof *jit->effects);
    jit->templates = mem_zalloc((size_t)GCN_OP_COUNT * 2 + GCN_MICRO_COUNT, sizeof *jit->templates);
    if (!jit->effects || !jit->templates)
        return false;
    for (unsigned id = 0; id < GCN_OP_COUNT; id++)
        if (jit->engine->plain[id])
            add_operation(jit, id);
    add_micros(jit);
    for (size_t i = 0; i < sizeof micro / sizeof micro[0]; i++)
        add(jit, jit->engine->micro[micro[i][0]], 0, (enum effect_kind)micro[i][1]);
    for (const struct gcn_branch_handlers *row = control->branches; row->forward; row++) {
        add(jit, row->forward, row->id, EFFECT_BRANCH);
        add(jit, row->back, row->id, EFFECT_BRANCH)->back = true;
    }
    /* straight code soon ends, and branches back count what they jump over */
    add(jit, control->count, 0, EFFECT_NOTHING);
    add(jit, control->enter, GCN_OP_s_setpc_b64, EFFECT_LEAVE)->end = true;
    merge_effects(jit);
    return true;
}
