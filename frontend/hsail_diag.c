/* SPDX-License-Identifier: MIT */
/* Diagnostics of the public interface: listing them, handing them to the callback, printing them; see hsail/hsail.h.
 * Input: what the libraries found. Output: callbacks in source order. Invariant: the severity of a rule is what the
 * context says, or else what its row in the table says. */
#include "frontend/hsail_p.h"

#include <stdlib.h>

static enum diag_severity adjust_severity(void *context, const struct diag_rule *rule)
{
    const uint8_t *severity = context;
    return (enum diag_severity)severity[rule - diag_rules];
}

struct diag_list hsail_diag_start(const hsail_context_t *context)
{
    return (struct diag_list){.limit = context->max_errors, .adjust = adjust_severity, .context = context->severity};
}

hsail_diagnostic_t hsail_diag_public(const struct hsail_shown *shown)
{
    const struct diag *diag = shown->diag;
    struct source *source = shown->source;
    hsail_diagnostic_t public = {
        .severity = (hsail_severity_t)diag->severity,
        .id = diag->rule->id,
        .message = diag->message,
        .prm_section = diag->rule->section,
        .name = shown->name ? shown->name : "<input>",
        .internal = shown,
        .source = diag->origin.line ? diag->origin.file : NULL,
        .source_line = diag->origin.line,
        .source_column = diag->origin.column,
    };
    if (diag->place.where == DIAG_IN_TEXT && source) {
        struct source_position begin = source_position(source, (size_t)diag->place.begin);
        struct source_position end = source_position(source, (size_t)diag->place.end);
        public.line = begin.line;
        public.column = begin.column;
        public.end_line = end.line;
        public.end_column = end.column;
        return public;
    }
    if (diag->place.where == DIAG_IN_BINARY) {
        public.brig_section = diag->place.section;
        public.offset = diag->place.begin;
    }
    public.entry = diag->excerpt.line;
    public.column = diag->excerpt.line ? diag->excerpt.begin + 1 : 0;
    public.end_column = diag->excerpt.line ? diag->excerpt.end + 1 : 0;
    return public;
}

static void deliver_diagnostic(const hsail_context_t *context, const struct diag *diag, const char *name,
                               struct source *source)
{
    struct hsail_shown shown = {diag, name, source};
    hsail_diagnostic_t public = hsail_diag_public(&shown);
    context->callback(context->user, &public);
}

hsail_status_t hsail_diag_deliver(const hsail_context_t *context, struct diag_list *list, const char *name,
                                  struct source *source, hsail_status_t status)
{
    if (list->items.count && source && !source_position(source, 0).line) /* finds the lines, once */
        list->out_of_memory = true;
    if (list->out_of_memory)
        status = HSAIL_STATUS_OUT_OF_MEMORY;
    diag_sort(list);
    if (diag_full(list)) {
        struct diag_place nowhere = {0};
        list->dropping_notes = false;
        size_t limit = list->limit;
        list->limit = 0;
        diag_report(list, DIAG_RULE(STOPPED), nowhere, limit);
    }
    for (size_t i = 0; context->callback && i < list->items.count; i++)
        deliver_diagnostic(context, &list->items.items[i], name, source);
    diag_list_free(list);
    return status;
}

void hsail_context_set_diagnostics(hsail_context_t *context, hsail_diagnostic_callback_t callback, void *user)
{
    if (!context)
        return;
    context->callback = callback;
    context->user = user;
}

void hsail_context_set_max_errors(hsail_context_t *context, size_t count)
{
    if (context)
        context->max_errors = count;
}

static bool is_warning(const struct diag_rule *rule)
{
    return rule->severity == DIAG_WARNING || rule->severity == DIAG_LINT;
}

/* Which warnings a setting is about. */
enum warning_group { GROUP_ONE, GROUP_ALL, GROUP_LINT, GROUP_ON };

/* Gives the warnings of a group a severity; RULE is the one of GROUP_ONE. */
static void set_severity(hsail_context_t *context, enum warning_group group, const struct diag_rule *rule,
                         enum diag_severity severity)
{
    for (size_t i = 0; i < DIAG_ID_COUNT; i++) {
        const struct diag_rule *other = &diag_rules[i];
        bool chosen =
            group == GROUP_ONE    ? other == rule
            : group == GROUP_LINT ? other->severity == DIAG_LINT
                                  : is_warning(other) && (group == GROUP_ALL || context->severity[i] != DIAG_OFF);
        if (chosen)
            context->severity[i] = (uint8_t)severity;
    }
}

hsail_status_t hsail_context_set_warning(hsail_context_t *context, const char *setting)
{
    if (!context || !setting)
        return HSAIL_STATUS_ARGUMENT;
    enum diag_severity severity = DIAG_WARNING;
    if (!strcmp(setting, "error")) {
        set_severity(context, GROUP_ON, NULL, DIAG_ERROR);
        return HSAIL_STATUS_OK;
    }
    const struct diag_rule *rule = diag_rule_find(setting, strlen(setting));
    if (!rule && !strncmp(setting, "no-", 3)) {
        severity = DIAG_OFF;
        setting += 3;
    } else if (!rule && !strncmp(setting, "error=", 6)) {
        severity = DIAG_ERROR;
        setting += 6;
    }
    rule = diag_rule_find(setting, strlen(setting));
    enum warning_group group = !strcmp(setting, "all") ? GROUP_ALL : !strcmp(setting, "lint") ? GROUP_LINT : GROUP_ONE;
    if (group == GROUP_ONE && (!rule || !is_warning(rule)))
        return HSAIL_STATUS_ARGUMENT;
    set_severity(context, group, rule, severity);
    return HSAIL_STATUS_OK;
}

hsail_status_t hsail_flush(struct textbuf *text, hsail_sink_t sink, void *user)
{
    hsail_status_t status = text->failed ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK;
    if (status == HSAIL_STATUS_OK && text->size && sink(user, text->data, text->size))
        status = HSAIL_STATUS_SINK;
    textbuf_clear(text);
    return status;
}

static void print_shown(struct textbuf *text, const struct hsail_shown *shown, hsail_print_t style)
{
    if (style == HSAIL_PRINT_JSON)
        diag_json(text, shown->diag, shown->name, shown->source);
    else
        diag_text(text, shown->diag, shown->name, shown->source, style == HSAIL_PRINT_COLOUR);
}

/* A diagnostic that another library made: the finalizer's are in BRIG or nowhere. */
static void print_public(struct textbuf *text, const hsail_diagnostic_t *public, hsail_print_t style)
{
    struct diag_rule rule = {.id = public->id, .section = public->prm_section};
    struct diag diag = {.rule = &rule, .severity = (enum diag_severity) public->severity, .message = public->message};
    if (public->brig_section)
        diag.place =
            (struct diag_place){.where = DIAG_IN_BINARY, .section = public->brig_section, .begin = public->offset};
    print_shown(text, &(struct hsail_shown){&diag, public->name, NULL}, style);
}

hsail_status_t hsail_diagnostic_print(const hsail_diagnostic_t *diagnostic, hsail_print_t style, hsail_sink_t sink,
                                      void *user)
{
    if (!diagnostic || !sink || style > HSAIL_PRINT_JSON)
        return HSAIL_STATUS_ARGUMENT;
    struct textbuf text = {0};
    if (diagnostic->internal)
        print_shown(&text, diagnostic->internal, style);
    else
        print_public(&text, diagnostic, style);
    hsail_status_t status = hsail_flush(&text, sink, user);
    textbuf_free(&text);
    return status;
}

hsail_status_t hsail_list_diagnostics(hsail_context_t *context, hsail_sink_t sink, void *user)
{
    if (!context || !sink)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    struct textbuf text = {0};
    for (size_t i = 0; i < DIAG_ID_COUNT; i++)
        textbuf_printf(&text, "%s\t%s\t%s\t%s\n", diag_rules[i].id, diag_severity_name(diag_rules[i].severity),
                       diag_rules[i].section, diag_rules[i].manual);
    hsail_status_t status = hsail_flush(&text, sink, user);
    textbuf_free(&text);
    hsail_leave(before);
    return status;
}
