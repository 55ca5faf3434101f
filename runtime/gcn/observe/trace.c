/* SPDX-License-Identifier: MIT */
/* Traces: each instruction with its wave, place, lanes, the memory that it touches and the registers that it changes.
 * Input: waves about to execute an instruction. Output: text on standard error or JSON in a file, at once.
 * Invariant: a record is written when its instruction has been executed, before any other instruction of the dispatch;
 * so what it changed is the difference to a copy of the registers that was made before. */
#include "runtime/gcn/observe/trace.h"

#include "runtime/demangle.h"
#include "runtime/gcn/observe/wave_state.h"
#include "runtime/place_text.h"

#include <inttypes.h>
#include <string.h>

struct gcn_tracer {
    struct gcn_observe *o;
    const char *file;
    const struct trace_filter *filter;
    struct gcn_wave *wave; /* the wave whose record is still to be written, or NULL */
    struct gcn_site *site;
    uint64_t exec;
    bool accesses;
    struct gcn_access access;
    struct gcn_wave_state before;
    struct textbuf text;
};

struct gcn_tracer *gcn_tracer_new(struct gcn_observe *o, const struct gcn_observe_wish *wish)
{
    char name[DEMANGLED_NAME];
    if (!wish->trace || (!trace_filter_kernel(&wish->filter, o->kernel.name) &&
                         !trace_filter_kernel(&wish->filter, demangle(o->kernel.name, name))))
        return NULL;
    struct gcn_tracer *t = mem_zalloc(1, sizeof *t);
    bool has_agprs = o->kernel.has_registers ? o->kernel.agprs : true;
    if (!t || !gcn_wave_state_init(&t->before, o->dispatch->vectors, has_agprs ? o->dispatch->accumulators : 0)) {
        mem_free(t);
        return NULL;
    }
    t->o = o;
    t->file = wish->trace_file ? wish->trace_file : "-";
    t->filter = &wish->filter;
    return t;
}

/* ---- text ---- */

void gcn_place_text(const struct gcn_observe *o, struct gcn_site *site, const struct gcn_wave *w, struct textbuf *text)
{
    const uint64_t *group = w->group->index;
    textbuf_printf(text, "work-group (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "), wave %u at ", group[0], group[1], group[2],
                   w->index);
    place_text(gcn_site_place(o, site), site->pc, text);
    textbuf_printf(text, ": %s", gcn_site_text(o, site));
}

static const char *const segment_names[] = {
    [HSAM_ACCESS_NONE] = "no",
    [HSAM_ACCESS_GLOBAL] = "global",
    [HSAM_ACCESS_GROUP] = "group",
    [HSAM_ACCESS_PRIVATE] = "private"};

static const char *verb(const struct gcn_access *a)
{
    return a->atomic ? "changes" : a->writes ? "writes" : "reads";
}

/* Whether the addresses of PART all lie in the segment of the first lane, *STEP bytes from each to the next lane. */
static bool is_regular(const struct gcn_access *a, unsigned part, uint64_t *step)
{
    unsigned first = (unsigned)__builtin_ctzll(a->lanes), previous = first;
    *step = 0;
    for (uint64_t left = a->lanes & (a->lanes - 1); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t distance = a->address[part][lane] - a->address[part][previous];
        if (a->segment[lane] != a->segment[first] || lane != previous + 1 || (previous != first && distance != *step))
            return false;
        *step = distance;
        previous = lane;
    }
    return true;
}

void gcn_access_text(const struct gcn_access *a, struct textbuf *text)
{
    for (unsigned part = 0; part < a->parts && a->lanes; part++) {
        unsigned first = (unsigned)__builtin_ctzll(a->lanes);
        uint64_t step;
        textbuf_printf(text, "    %s %u byte%s", verb(a), a->bytes, a->bytes == 1 ? "" : "s");
        if (!a->scalar && a->lanes & (a->lanes - 1))
            textbuf_printf(text, " for each of %d lanes", __builtin_popcountll(a->lanes));
        textbuf_printf(text, " at %s address 0x%" PRIx64, segment_names[a->segment[first]], a->address[part][first]);
        if (is_regular(a, part, &step)) {
            if (a->lanes & (a->lanes - 1))
                textbuf_printf(text, ", %" PRId64 " more for each lane", (int64_t)step);
        } else {
            for (uint64_t left = a->lanes & (a->lanes - 1); left; left &= left - 1)
                textbuf_printf(text, " 0x%" PRIx64, a->address[part][__builtin_ctzll(left)]);
        }
        textbuf_puts(text, "\n");
    }
}

static void write_text(struct gcn_tracer *t)
{
    gcn_place_text(t->o, t->site, t->wave, &t->text);
    textbuf_printf(&t->text, "\n    exec 0x%" PRIx64 "\n", t->exec);
    if (t->accesses)
        gcn_access_text(&t->access, &t->text);
    gcn_wave_state_text(&t->before, t->wave, &t->text);
}

/* ---- JSON ---- */

void gcn_place_json(const struct gcn_observe *o, struct gcn_site *site, const struct gcn_wave *w, struct textbuf *json)
{
    const uint64_t *group = w->group->index;
    textbuf_printf(json,
                   "\"queue\":%" PRIu64 ",\"dispatch\":%" PRIu64 ",\"group\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64
                   "],\"wave\":%u,\"pc\":\"0x%" PRIx64 "\"",
                   o->queue, o->dispatch->id, group[0], group[1], group[2], w->index, site->pc);
    name_json("kernel", o->kernel.name, json);
    place_json(gcn_site_place(o, site), json);
    textbuf_json_member(json, "instruction", gcn_site_text(o, site));
    textbuf_json_member(json, "class", gcn_instruction_kind_name[site->kind]);
}

static void json_access(const struct gcn_access *a, struct textbuf *json)
{
    textbuf_printf(json, ",\"memory\":{\"access\":\"%s\",\"bytes\":%u,\"parts\":%u,\"lanes\":\"0x%" PRIx64 "\"",
                   a->atomic   ? "atomic"
                   : a->writes ? "write"
                               : "read",
                   a->bytes, a->parts, a->lanes);
    textbuf_puts(json, ",\"segments\":[");
    for (uint64_t left = a->lanes; left; left &= left - 1)
        textbuf_printf(json, "%s\"%s\"", left == a->lanes ? "" : ",", segment_names[a->segment[__builtin_ctzll(left)]]);
    textbuf_puts(json, "],\"addresses\":[");
    for (unsigned part = 0; part < a->parts; part++)
        for (uint64_t left = a->lanes; left; left &= left - 1)
            textbuf_printf(json, "%s\"0x%" PRIx64 "\"", left == a->lanes && !part ? "" : ",",
                           a->address[part][__builtin_ctzll(left)]);
    textbuf_puts(json, "]}");
}

static void write_json(struct gcn_tracer *t)
{
    textbuf_puts(&t->text, "{\"kind\":\"trace\",");
    gcn_place_json(t->o, t->site, t->wave, &t->text);
    textbuf_printf(&t->text, ",\"exec\":\"0x%" PRIx64 "\"", t->exec);
    if (t->accesses)
        json_access(&t->access, &t->text);
    gcn_wave_state_json(&t->before, t->wave, &t->text);
    textbuf_puts(&t->text, "}\n");
}

/* ---- records ---- */

static void trace_write_step(struct gcn_tracer *t)
{
    if (!t->wave)
        return;
    textbuf_clear(&t->text);
    if (gcn_observe_is_text(t->o->agent->observe, t->file))
        write_text(t);
    else
        write_json(t);
    gcn_observe_write(t->file, &t->text);
    t->wave = NULL;
}

static bool is_wanted(const struct gcn_tracer *t, struct gcn_site *site, const struct gcn_wave *w)
{
    const struct trace_filter *f = t->filter;
    if (f->has_group && memcmp(f->group, w->group->index, sizeof f->group) != 0)
        return false;
    if (!trace_range_has(&f->waves, w->index) || !(f->kinds >> site->kind & 1))
        return false;
    const struct trace_range all = {0, UINT64_MAX};
    if (!memcmp(&f->offsets, &all, sizeof all) && !memcmp(&f->lines, &all, sizeof all))
        return true;
    const hsam_place *place = gcn_site_place(t->o, site);
    return trace_range_has(&f->offsets, *place->function ? place->offset : site->pc) &&
           trace_range_has(&f->lines, place->line);
}

void gcn_tracer_step(struct gcn_tracer *t, struct gcn_site *site, struct gcn_wave *w, const struct gcn_uop *op)
{
    trace_write_step(t);
    if (!is_wanted(t, site, w))
        return;
    t->wave = w;
    t->site = site;
    t->exec = gcn_exec(w);
    t->accesses = gcn_access_of(w, op, site->op, &t->access);
    gcn_wave_state_take(&t->before, w);
    if (gcn_op_info[site->op].flags & GCN_F_END) /* the registers may be those of another work-group soon */
        trace_write_step(t);
}

void gcn_tracer_free(struct gcn_tracer *t)
{
    if (!t)
        return;
    trace_write_step(t);
    gcn_wave_state_free(&t->before);
    textbuf_free(&t->text);
    mem_free(t);
}
