/* SPDX-License-Identifier: MIT */
/* What was counted in a dispatch, as text and as JSON; doc/PROFILING.md describes both.
 * Input: counts by instruction. Output: text. Invariant: instructions come in the order of their addresses, lines in
 * the order of their files and numbers. */
#include "runtime/gcn/observe/observe.h"

#include "runtime/gcn/observe/occupancy.h"
#include "runtime/gcn/observe/count_sample.h"
#include "runtime/place_text.h"
#include "support/textbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const segment_names[GCN_SEGMENTS] = {
    [HSAM_ACCESS_GLOBAL] = "global",
    [HSAM_ACCESS_GROUP] = "group",
    [HSAM_ACCESS_PRIVATE] = "private",
    [GCN_KERNARG] = "kernarg"};
static const char *const access_names[GCN_ACCESSES] = {"read", "written", "atomic"};

/* ---- in order ---- */

typedef VEC(struct gcn_site *) sites;

static int by_pc(const void *a, const void *b)
{
    uint64_t x = (*(struct gcn_site *const *)a)->pc, y = (*(struct gcn_site *const *)b)->pc;
    return x < y ? -1 : x > y;
}

static sites sites_in_order(struct gcn_observe *o)
{
    sites list = {0};
    for (size_t i = 0; i < o->site_count; i++)
        if (o->sites[i].pc && !vec_push(&list, &o->sites[i]))
            o->out_of_memory = true;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, by_pc);
    return list;
}

/* A line of the source, with the sums of its instructions. */
struct source_line {
    const hsam_place *place;
    struct gcn_count count;
};
typedef VEC(struct source_line) lines;

static int by_line(const void *a, const void *b)
{
    const hsam_place *x = ((const struct source_line *)a)->place, *y = ((const struct source_line *)b)->place;
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static lines lines_in_order(struct gcn_observe *o, const sites *list)
{
    lines all = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct source_line line = {gcn_site_place(o, list->items[i]), list->items[i]->count};
        if (*line.place->file && !vec_push(&all, line))
            o->out_of_memory = true;
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_line);
    size_t kept = 0;
    for (size_t i = 1; i < all.count; i++)
        if (!by_line(&all.items[kept], &all.items[i]))
            gcn_count_add(&all.items[kept].count, &all.items[i].count);
        else
            all.items[++kept] = all.items[i];
    all.count = all.count ? kept + 1 : 0;
    return all;
}

static void sum_kinds(const sites *list, struct gcn_count kinds[GCN_INSTRUCTION_KINDS])
{
    memset(kinds, 0, GCN_INSTRUCTION_KINDS * sizeof *kinds);
    for (size_t i = 0; i < list->count; i++)
        gcn_count_add(&kinds[list->items[i]->kind], &list->items[i]->count);
}

static uint64_t bytes_of(const struct gcn_count *c)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < GCN_SEGMENTS; i++)
        for (unsigned k = 0; k < GCN_ACCESSES; k++)
            bytes += c->bytes[i][k];
    return bytes;
}

/* ---- for programs ---- */

static void json_bytes(struct textbuf *json, const struct gcn_count *c)
{
    const char *separator = ",\"bytes\":{";
    if (!bytes_of(c))
        return;
    for (unsigned i = 0; i < GCN_SEGMENTS; i++) {
        const uint64_t *bytes = c->bytes[i];
        if (!bytes[GCN_READ] && !bytes[GCN_WRITTEN] && !bytes[GCN_ATOMIC])
            continue;
        textbuf_printf(json, "%s\"%s\":{", separator, segment_names[i]);
        for (unsigned k = 0; k < GCN_ACCESSES; k++)
            textbuf_printf(json, "%s\"%s\":%" PRIu64, k ? "," : "", access_names[k], bytes[k]);
        textbuf_puts(json, "}");
        separator = ",";
    }
    textbuf_puts(json, "}");
}

/* Appends the numbers of C; groups of them that are all 0 are left out. */
static void json_count(struct textbuf *json, const struct gcn_count *c, bool branches)
{
    textbuf_printf(json, "\"executed\":%" PRIu64 ",\"lanes\":%" PRIu64 ",\"cycles\":%" PRIu64, c->executed, c->lanes,
                   c->cycles);
    if (branches)
        textbuf_printf(json, ",\"taken\":%" PRIu64 ",\"mixed\":%" PRIu64 ",\"mixed_taken\":%" PRIu64, c->taken,
                       c->mixed, c->mixed_taken);
    json_bytes(json, c);
    if (c->vector)
        textbuf_printf(json, ",\"vector_accesses\":%" PRIu64 ",\"cache_lines\":%" PRIu64 ",\"cache_bytes\":%" PRIu64,
                       c->vector, c->lines, c->touched);
    if (c->shared)
        textbuf_printf(json, ",\"lds_accesses\":%" PRIu64 ",\"lds_passes\":%" PRIu64 ",\"bank_conflicts\":%" PRIu64,
                       c->shared, c->passes, c->passes - c->least);
    if (c->waited)
        textbuf_printf(json, ",\"waited\":%" PRIu64, c->waited);
    if (c->undescribed)
        textbuf_printf(json, ",\"undescribed\":%" PRIu64, c->undescribed);
}

static void json_code(struct gcn_observe *o, const sites *list, struct textbuf *json)
{
    textbuf_puts(json, ",\"code\":[");
    for (size_t i = 0; i < list->count; i++) {
        struct gcn_site *site = list->items[i];
        textbuf_printf(json, "%s{\"pc\":\"0x%" PRIx64 "\",\"size\":%u", i ? "," : "", site->pc, site->size);
        place_json(gcn_site_place(o, site), json);
        gcn_site_calls_json(o, site, json);
        textbuf_json_member(json, "instruction", gcn_site_text(o, site));
        textbuf_json_member(json, "class", gcn_instruction_kind_name[site->kind]);
        textbuf_puts(json, ",");
        json_count(json, &site->count, site->kind == GCN_INSTRUCTION_BRANCH);
        gcn_sample_access_json(site, json);
        textbuf_puts(json, "}");
    }
    textbuf_puts(json, "]");
}

static void json_lines(struct gcn_observe *o, const sites *list, struct textbuf *json)
{
    lines all = lines_in_order(o, list);
    textbuf_puts(json, ",\"lines\":[");
    for (size_t i = 0; i < all.count; i++) {
        const struct source_line *line = &all.items[i];
        textbuf_puts(json, i ? ",{\"file\":" : "{\"file\":");
        textbuf_json(json, line->place->file, strlen(line->place->file));
        textbuf_printf(json, ",\"line\":%u,", line->place->line);
        json_count(json, &line->count, line->count.taken || line->count.mixed);
        textbuf_puts(json, "}");
    }
    textbuf_puts(json, "]");
    vec_free(&all);
}

static void json_launch(const struct gcn_observe *o, struct textbuf *json)
{
    const struct gcn_dispatch *d = o->dispatch;
    textbuf_puts(json, "{\"kind\":\"count\"");
    name_json("kernel", o->kernel.name, json);
    textbuf_printf(json, ",\"target\":\"%s\",\"queue\":%" PRIu64 ",\"dispatch\":%" PRIu64, d->target->processor->name,
                   o->queue, d->id);
    textbuf_printf(json, ",\"grid\":[%u,%u,%u],\"group\":[%u,%u,%u],\"groups\":%" PRIu64 ",\"waves\":%" PRIu64 ",",
                   d->grid[0], d->grid[1], d->grid[2], d->size[0], d->size[1], d->size[2], d->group_total, o->waves);
    struct gcn_occupancy occupancy = gcn_occupancy(d, &o->kernel);
    gcn_occupancy_json(&occupancy, json);
}

void gcn_count_json(struct gcn_observe *o, struct textbuf *json)
{
    struct gcn_count kinds[GCN_INSTRUCTION_KINDS];
    sites list = sites_in_order(o);
    sum_kinds(&list, kinds);
    json_launch(o, json);
    textbuf_puts(json, ",\"total\":{");
    json_count(json, &o->total, true);
    textbuf_puts(json, "},\"classes\":{");
    const char *separator = "";
    for (unsigned i = 0; i < GCN_INSTRUCTION_KINDS; i++) {
        if (!kinds[i].executed)
            continue;
        textbuf_printf(json, "%s\"%s\":{", separator, gcn_instruction_kind_name[i]);
        json_count(json, &kinds[i], i == GCN_INSTRUCTION_BRANCH);
        textbuf_puts(json, "}");
        separator = ",";
    }
    textbuf_puts(json, "}");
    json_lines(o, &list, json);
    json_code(o, &list, json);
    gcn_sample_waves_json(o, json);
    textbuf_printf(json, ",\"complete\":%s}\n", o->out_of_memory ? "false" : "true");
    vec_free(&list);
}

/* ---- for people ---- */

static double ratio(uint64_t of, uint64_t to)
{
    return to ? (double)of / (double)to : 0;
}

static void text_row(struct textbuf *text, const char *name, const struct gcn_count *c)
{
    textbuf_printf(text, "  %-24s %12" PRIu64 " %8.2f %12" PRIu64 " %12" PRIu64, name, c->executed,
                   ratio(c->lanes, c->executed), c->cycles, bytes_of(c));
    if (c->vector)
        textbuf_printf(text, "  %.2f lines", ratio(c->lines, c->vector));
    if (c->passes > c->least)
        textbuf_printf(text, "  %" PRIu64 " conflicts", c->passes - c->least);
    if (c->mixed)
        textbuf_printf(text, "  %" PRIu64 " mixed", c->mixed);
    if (c->waited)
        textbuf_printf(text, "  waits %" PRIu64, c->waited);
    textbuf_puts(text, "\n");
}

static void text_heading(struct textbuf *text, const char *what)
{
    textbuf_printf(text, "  %-24s %12s %8s %12s %12s\n", what, "executed", "lanes", "cycles", "bytes");
}

static void text_lines(struct gcn_observe *o, const sites *list, struct textbuf *text)
{
    lines all = lines_in_order(o, list);
    if (all.count)
        text_heading(text, "line");
    for (size_t i = 0; i < all.count; i++) {
        char name[64];
        const char *file = all.items[i].place->file, *slash = strrchr(file, '/');
        snprintf(name, sizeof name, "%.40s:%u", slash ? slash + 1 : file, all.items[i].place->line);
        text_row(text, name, &all.items[i].count);
    }
    vec_free(&all);
}

static void text_memory(struct textbuf *text, const struct gcn_count *c)
{
    for (unsigned i = 0; i < GCN_SEGMENTS; i++)
        if (c->bytes[i][GCN_READ] || c->bytes[i][GCN_WRITTEN] || c->bytes[i][GCN_ATOMIC])
            textbuf_printf(text,
                           "  %-8s bytes: %" PRIu64 " read, %" PRIu64 " written, %" PRIu64 " changed atomically\n",
                           segment_names[i], c->bytes[i][GCN_READ], c->bytes[i][GCN_WRITTEN], c->bytes[i][GCN_ATOMIC]);
    if (c->vector)
        textbuf_printf(text,
                       "  vector memory instructions: %" PRIu64 "; cache lines touched: %" PRIu64
                       ", %.2f by each instruction, which use %.1f %% of their bytes\n",
                       c->vector, c->lines, ratio(c->lines, c->vector), 100 * ratio(c->touched, 64 * c->lines));
    if (c->shared)
        textbuf_printf(text,
                       "  instructions of group memory: %" PRIu64 "; passes: %" PRIu64
                       ", of which bank conflicts cause %" PRIu64 "\n",
                       c->shared, c->passes, c->passes - c->least);
    if (c->undescribed)
        textbuf_printf(text, "  accesses to images and the like, which are not in these numbers: %" PRIu64 "\n",
                       c->undescribed);
}

static void text_flow(struct textbuf *text, const struct gcn_count kinds[GCN_INSTRUCTION_KINDS])
{
    const struct gcn_count *branches = &kinds[GCN_INSTRUCTION_BRANCH], *barriers = &kinds[GCN_INSTRUCTION_BARRIER];
    if (branches->executed)
        textbuf_printf(text,
                       "  branches: %" PRIu64 ", of which %" PRIu64
                       " are taken; with some of the work-items only: %" PRIu64 ", of which %" PRIu64 " are taken\n",
                       branches->executed, branches->taken, branches->mixed, branches->mixed_taken);
    if (barriers->executed)
        textbuf_printf(text, "  barriers: %" PRIu64 ", at which waves wait %" PRIu64 " cycle%s\n", barriers->executed,
                       barriers->waited, barriers->waited == 1 ? "" : "s");
}

void gcn_count_text(struct gcn_observe *o, struct textbuf *text)
{
    const struct gcn_dispatch *d = o->dispatch;
    struct gcn_count kinds[GCN_INSTRUCTION_KINDS];
    struct gcn_occupancy occupancy = gcn_occupancy(d, &o->kernel);
    sites list = sites_in_order(o);
    sum_kinds(&list, kinds);
    gcn_occupancy_text(&occupancy, o->kernel.name, text);
    textbuf_printf(text, "  grid %u,%u,%u in groups of %u,%u,%u: %" PRIu64 " work-group%s, %" PRIu64 " wave%s\n",
                   d->grid[0], d->grid[1], d->grid[2], d->size[0], d->size[1], d->size[2], d->group_total,
                   d->group_total == 1 ? "" : "s", o->waves, o->waves == 1 ? "" : "s");
    text_flow(text, kinds);
    text_memory(text, &o->total);
    text_heading(text, "class");
    for (unsigned i = 0; i < GCN_INSTRUCTION_KINDS; i++)
        if (kinds[i].executed)
            text_row(text, gcn_instruction_kind_name[i], &kinds[i]);
    text_row(text, "all", &o->total);
    text_lines(o, &list, text);
    if (o->out_of_memory)
        textbuf_puts(text, "  memory has run out, so numbers are missing\n");
    vec_free(&list);
}
