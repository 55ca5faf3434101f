/* SPDX-License-Identifier: MIT */
/* Observers of kernels: what the environment asks for, and what each instruction tells them.
 * Input: the environment; waves about to execute an instruction. Output: counts in files or on standard error.
 * Invariant: nothing that a kernel sees changes; what is observed of a kernel is the same in each run. */
#include "config.h"

#include "runtime/gcn/observe/observe.h"

#include "runtime/gcn/observe/occupancy.h"
#include "runtime/gcn/observe/prompt.h"
#include "runtime/gcn/observe/count_sample.h"
#include "runtime/gcn/observe/trace.h"
#include "runtime/place_text.h"
#include "support/append.h"
#include "support/message_line.h"
#include "support/textbuf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- kinds ---- */

const char *const gcn_instruction_kind_name[GCN_INSTRUCTION_KINDS] = {
#define INSTRUCTION_KIND(name, word) [GCN_INSTRUCTION_##name] = word,
#include "support/instruction_kind.def"
#undef INSTRUCTION_KIND
};

static enum gcn_instruction_kind kind_by_encoding(unsigned encoding)
{
    switch (encoding) {
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK: return GCN_INSTRUCTION_SALU;
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
    case GCN_VOP3:
    case GCN_VOP3P:
    case GCN_VINTRP: return GCN_INSTRUCTION_VALU;
    case GCN_SMEM: return GCN_INSTRUCTION_SMEM;
    case GCN_DS: return GCN_INSTRUCTION_LDS;
    case GCN_FLAT:
    case GCN_GLOBAL:
    case GCN_SCRATCH:
    case GCN_MUBUF:
    case GCN_MTBUF: return GCN_INSTRUCTION_VMEM;
    case GCN_MIMG: return GCN_INSTRUCTION_IMAGE;
    default: return GCN_INSTRUCTION_OTHER;
    }
}

enum gcn_instruction_kind gcn_instruction_kind(unsigned op)
{
    const struct gcn_op_info *info = &gcn_op_info[op];
    switch (op) {
    case GCN_OP_s_barrier: return GCN_INSTRUCTION_BARRIER;
    case GCN_OP_s_waitcnt:
    case GCN_OP_s_nop:
    case GCN_OP_s_sleep: return GCN_INSTRUCTION_WAIT;
    default: break;
    }
    if (info->flags & GCN_F_BRANCH)
        return GCN_INSTRUCTION_BRANCH;
    if (info->flags & (GCN_F_MATRIX | GCN_F_ACC_D | GCN_F_ACC_S))
        return GCN_INSTRUCTION_MATRIX;
    return kind_by_encoding(info->encoding);
}

/* ---- what is asked for ---- */

static const char *unless_empty(const char *name)
{
    return name && *name ? name : NULL;
}

static bool read_filter(const char *text, struct trace_filter *filter)
{
    const char *wrong;
    return text && trace_filter_parse(text, filter, &wrong);
}

struct gcn_observe_wish *gcn_observe_wish_new(void)
{
    struct gcn_observe_wish wish = {.trace_file = unless_empty(secure_getenv("HSA_GCN_TRACE_FILE")),
                                    .count = unless_empty(secure_getenv("HSA_GCN_COUNT")),
                                    .registers = unless_empty(secure_getenv("HSA_GCN_REGISTERS"))};
    wish.trace = read_filter(getenv("HSA_GCN_TRACE"), &wish.filter);
    const char *breakpoints = unless_empty(getenv("HSA_GCN_BREAK"));
    const char *json = getenv("HSA_GCN_BREAK_JSON");
    wish.json = message_line_json();
    wish.prompt = breakpoints ? gcn_prompt_new(breakpoints, wish.json || (json && !strcmp(json, "1"))) : NULL;
    if (!wish.count && !wish.registers && !wish.trace && !wish.prompt)
        return NULL;
    struct gcn_observe_wish *made = mem_alloc(sizeof *made);
    if (made)
        *made = wish;
    else
        gcn_prompt_free(wish.prompt);
    return made;
}

void gcn_observe_wish_free(struct gcn_observe_wish *wish)
{
    if (!wish)
        return;
    vec_free(&wish->described);
    gcn_prompt_free(wish->prompt);
    mem_free(wish);
}

static void tell_failure(const char *name, const char *reason)
{
    struct textbuf text = {0};
    textbuf_printf(&text, "the file of observations %s: %s", name, reason);
    if (!text.failed)
        message_line_print(message_line_json(), "observe-file", text.data);
    textbuf_free(&text);
}

bool gcn_observe_is_text(const struct gcn_observe_wish *wish, const char *name)
{
    return !wish->json && !strcmp(name, "-");
}

void gcn_observe_write(const char *name, const struct textbuf *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool told;
    bool is_error = !strcmp(name, "-");
    pthread_mutex_lock(&lock);
    int file = is_error ? STDERR_FILENO : append_open(name);
    bool good = file >= 0 && append_to(file, text->data, text->size);
    if (!good && !is_error && !told) {
        tell_failure(name, append_failure(errno));
        told = true;
    }
    if (!is_error && file >= 0)
        close(file);
    pthread_mutex_unlock(&lock);
}

/* ---- a dispatch ---- */

static bool is_described(struct gcn_agent *agent, uint64_t kernel)
{
    struct gcn_observe_wish *wish = agent->observe;
    size_t i = 0;
    pthread_mutex_lock(&agent->reported_lock);
    while (i < wish->described.count && wish->described.items[i] != kernel)
        i++;
    bool is = i < wish->described.count || !vec_push(&wish->described, kernel);
    pthread_mutex_unlock(&agent->reported_lock);
    return is;
}

static void describe_registers(const struct gcn_observe *o, const char *name)
{
    struct textbuf text = {0};
    struct gcn_occupancy occupancy = gcn_occupancy(o->dispatch, &o->kernel);
    if (gcn_observe_is_text(o->agent->observe, name))
        gcn_occupancy_text(&occupancy, o->kernel.name, &text);
    else
        gcn_occupancy_line(&occupancy, o->kernel.name, &text);
    gcn_observe_write(name, &text);
    textbuf_free(&text);
}

bool gcn_observe_begin(struct gcn_observe *o, struct gcn_dispatch *d, struct gcn_agent *agent, uint64_t queue)
{
    *o = (struct gcn_observe){.dispatch = d, .agent = agent, .queue = queue};
    uint64_t object = d->packet.kernel_object;
    if (!agent->core->kernel_known || !agent->core->kernel_known(object, &o->kernel))
        o->kernel = (hsam_kernel){.name = ""};
    if (agent->observe->registers && !is_described(agent, object))
        describe_registers(o, agent->observe->registers);
    o->tracer = gcn_tracer_new(o, agent->observe);
    return agent->observe->count || o->tracer || agent->observe->prompt;
}

static void write_counts(struct gcn_observe *o, const char *name)
{
    struct textbuf text = {0};
    for (size_t i = 0; i < o->site_count; i++)
        if (o->sites[i].pc)
            gcn_count_add(&o->total, &o->sites[i].count);
    if (gcn_observe_is_text(o->agent->observe, name))
        gcn_count_text(o, &text);
    else
        gcn_count_json(o, &text);
    gcn_observe_write(name, &text);
    textbuf_free(&text);
}

void gcn_observe_end(struct gcn_observe *o)
{
    gcn_tracer_free(o->tracer);
    if (o->agent->observe->count)
        write_counts(o, o->agent->observe->count);
    gcn_sample_free(o);
    for (size_t i = 0; i < o->site_count; i++) {
        mem_free(o->sites[i].text);
        mem_free(o->sites[i].place);
        mem_free(o->sites[i].calls);
    }
    mem_free(o->sites);
}

bool gcn_observe_group(struct gcn_group *g)
{
    if (!g->observe)
        g->observe = mem_alloc(sizeof *g->observe);
    if (!g->observe)
        return false;
    memset(g->observe, 0, sizeof *g->observe);
    g->dispatch->observe->waves += g->wave_count;
    return true;
}

/* ---- instructions ---- */

/* The site NUMBER; NULL when memory has run out. */
static struct gcn_site *site_of(struct gcn_observe *o, uint32_t number)
{
    if (number < o->site_count)
        return &o->sites[number];
    size_t count = (size_t)number + number / 2 + 64;
    struct gcn_site *sites = mem_realloc(o->sites, count * sizeof *sites);
    if (!sites) {
        o->out_of_memory = true;
        return NULL;
    }
    memset(sites + o->site_count, 0, (count - o->site_count) * sizeof *sites);
    o->sites = sites;
    o->site_count = count;
    return &sites[number];
}

const struct gcn_uop *gcn_observe_step(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct gcn_observe *o = w->group ? w->group->dispatch->observe : NULL;
    struct gcn_site *site = o ? site_of(o, op->dst) : NULL;
    if (!site)
        return op + 1;
    if (!site->pc) {
        site->pc = gcn_unit_pc(w->unit, op);
        site->op = (uint16_t)op->imm;
        site->size = (uint8_t)op->src[0];
        site->kind = (uint8_t)gcn_instruction_kind((unsigned)op->imm);
        site->cycles = gcn_count_cycles((unsigned)op->imm, (enum gcn_instruction_kind)site->kind);
    }
    if (o->tracer)
        gcn_tracer_step(o->tracer, site, w, op + op->aux);
    if (o->agent->observe->prompt && !gcn_prompt_step(o, site, w))
        return gcn_raise(w, op, GCN_FAULT_ENDED, 0);
    gcn_sample_step(o, w);
    gcn_count_step(site, w, op + op->aux);
    if (site->kind == GCN_INSTRUCTION_BARRIER)
        w->group->observe->waves[w->index].barrier = op->dst;
    return op + 1;
}

void gcn_observe_release(struct gcn_group *g)
{
    struct gcn_wave_observe *waves = g->observe->waves;
    uint64_t last = 0;
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->state[i] == GCN_STOP_BARRIER && waves[i].clock > last)
            last = waves[i].clock;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        if (g->state[i] != GCN_STOP_BARRIER)
            continue;
        struct gcn_site *site = site_of(g->dispatch->observe, waves[i].barrier);
        if (site)
            site->count.waited += last - waves[i].clock;
        waves[i].clock = last;
    }
}

const char *gcn_site_text(const struct gcn_observe *o, struct gcn_site *site)
{
    struct gcn_inst inst;
    char text[160];
    if (!site->text && gcn_cache_decode(o->dispatch->cache, site->pc, &inst, text, sizeof text)) {
        size_t size = strlen(text) + 1;
        site->text = mem_alloc(size);
        if (site->text)
            memcpy(site->text, text, size);
    }
    return site->text ? site->text : gcn_op_info[site->op].name;
}

const hsam_call *gcn_site_calls(const struct gcn_observe *o, struct gcn_site *site, size_t *count)
{
    enum { MOST = 6 };
    if (!site->calls) {
        site->calls = mem_zalloc(MOST, sizeof *site->calls);
        if (site->calls && o->agent->core->code_calls)
            site->call_count = (uint8_t)o->agent->core->code_calls(site->pc, site->calls, MOST);
    }
    *count = site->call_count;
    return site->calls;
}

void gcn_site_calls_json(const struct gcn_observe *o, struct gcn_site *site, struct textbuf *json)
{
    size_t count;
    const hsam_call *calls = gcn_site_calls(o, site, &count);
    calls_json(calls, count, json);
}

void gcn_site_calls_text(const struct gcn_observe *o, struct gcn_site *site, struct textbuf *text)
{
    size_t count;
    const hsam_call *calls = gcn_site_calls(o, site, &count);
    for (size_t i = 0; i < count; i++)
        textbuf_printf(text, "  called at %s:%u\n", calls[i].file, calls[i].line);
}

const hsam_place *gcn_site_place(const struct gcn_observe *o, struct gcn_site *site)
{
    static const hsam_place unknown;
    if (site->place)
        return site->place;
    site->place = mem_zalloc(1, sizeof *site->place);
    if (!site->place)
        return &unknown;
    if (!o->agent->core->code_place || !o->agent->core->code_place(site->pc, site->place))
        *site->place = unknown;
    return site->place;
}
