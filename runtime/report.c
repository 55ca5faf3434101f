/* SPDX-License-Identifier: MIT */
/* Reports of what kernels do wrong: the driver's facts, completed and put into words.
 * Input: facts of a driver; the list of memory, loaded code. Output: a text for the queue; the handler of the client,
 * or standard error for findings; JSON lines in the file that HSA_REPORT_FILE names. Invariant: reports of several
 * threads come out one after the other. */
#include "config.h"

#include "runtime/report.h"

#include "runtime/callback.h"
#include "runtime/demangle.h"
#include "runtime/memory.h"
#include "runtime/message.h"
#include "runtime/place.h"
#include "runtime/place_text.h"
#include "runtime/suppress.h"
#include "support/append.h"
#include "support/textbuf.h"

#include "hsa/hsa_ven_hsail_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEAR = 1 << 24 }; /* bytes; memory that is farther away has nothing to do with the access */

static struct {
    pthread_mutex_t lock;
    void (*handler)(const hsa_ven_hsail_report_t *report, void *data);
    void *data;
    bool handled; /* the client has set HANDLER, which may be NULL: then nobody is told */
    bool opened;  /* HSA_REPORT_FILE has been looked at */
    int file;     /* -1: none */
} reports = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

/* The fault that this thread tells the client of: from its report until the queue's callback has returned. */
static _Thread_local struct {
    hsa_ven_hsail_report_t report;
    struct textbuf text, json;
} current;

enum { CALLS = 6 }; /* the most that are named */

/* Where an instruction is, and the calls that led there, although no call is executed. */
struct code_place {
    hsam_place at;
    hsam_call calls[CALLS];
    size_t call_count;
};

/* What the core adds to the driver's facts: the names of the kernel, of places in its code and of memory. */
struct report_names {
    char kernel[PLACE_NAME];
    struct code_place by, other;
    bool near_known;
    struct memory_near near;
};

static void find_code(uint64_t pc, struct code_place *place)
{
    service_code_place(pc, &place->at); /* empty if there is no code */
    place->call_count = service_code_calls(pc, place->calls, CALLS);
}

static void find_names(const hsam_report *report, struct report_names *names)
{
    if (!place_kernel(report->kernel_object, names->kernel))
        snprintf(names->kernel, sizeof names->kernel, "at 0x%" PRIx64, report->kernel_object);
    find_code(report->by.pc, &names->by);
    if (report->has_other || report->origin)
        find_code(report->other.pc, &names->other);
    names->near_known = report->segment == HSAM_ACCESS_GLOBAL && memory_nearest(report->address, &names->near) &&
                        names->near.distance < NEAR;
}

/* ---- for people ---- */

static const char *const segment_names[] = {
    [HSAM_ACCESS_NONE] = "",
    [HSAM_ACCESS_GLOBAL] = "global",
    [HSAM_ACCESS_GROUP] = "group",
    [HSAM_ACCESS_PRIVATE] = "private"};

static const char *purpose_name(hsam_purpose purpose)
{
    switch (purpose) {
    case HSAM_MEMORY_CLIENT: return "allocation";
    case HSAM_MEMORY_QUEUE: return "queue";
    case HSAM_MEMORY_CODE: return "code";
    case HSAM_MEMORY_SIGNALS: return "signals";
    default: return "memory";
    }
}

static const char *verb(const hsam_report *report)
{
    return report->atomic ? "changes" : report->writes ? "writes" : "reads";
}

static void add_instruction(struct textbuf *text, const hsam_report_side *side, const struct code_place *place)
{
    if (!side->pc)
        return;
    textbuf_puts(text, " at ");
    place_text(&place->at, side->pc, text);
    if (side->instruction && *side->instruction)
        textbuf_printf(text, ": %s", side->instruction);
    for (size_t i = 0; i < place->call_count; i++)
        textbuf_printf(text, "%scalled at %s:%u", i ? ", " : "\n    ", place->calls[i].file, place->calls[i].line);
}

static void add_side(struct textbuf *text, const char *word, const hsam_report_side *side,
                     const struct code_place *place)
{
    textbuf_printf(text, "\n  %s", word);
    if (side->has_item)
        textbuf_printf(text, " work-item (%u,%u,%u)", side->item[0], side->item[1], side->item[2]);
    if (side->has_group)
        textbuf_printf(text, "%s work-group (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", side->has_item ? " of" : "",
                       side->group[0], side->group[1], side->group[2]);
    add_instruction(text, side, place);
}

static void add_origin(struct textbuf *text, const hsam_report *report, const struct code_place *place)
{
    textbuf_printf(text, "\n  from %s, which nothing has written%s", report->origin, report->other.pc ? ", read" : "");
    add_instruction(text, &report->other, place);
}

static void add_near(struct textbuf *text, const struct memory_near *near)
{
    textbuf_puts(text, ", ");
    if (!near->distance)
        textbuf_puts(text, "inside");
    else
        textbuf_printf(text, "%" PRIu64 " bytes %s", near->before ? near->distance : near->distance - 1,
                       near->before ? "before" : "after the end of");
    textbuf_printf(text, " the %" PRIu64 "-byte %s", near->size,
                   *near->name ? near->name : purpose_name(near->purpose));
    if (near->freed)
        textbuf_puts(text, ", which was freed");
    if (*near->name) /* whoever named it knows where it comes from */
        return;
    struct textbuf by = {0};
    memory_caller_text(&near->allocated_by, "allocated", &by);
    memory_caller_text(&near->freed_by, "freed", &by);
    if (by.size && !by.failed)
        textbuf_printf(text, "\n    %s", by.data + strlen(", "));
    textbuf_free(&by);
}

static void add_address(struct textbuf *text, const hsam_report *report, const struct report_names *names)
{
    textbuf_printf(text, "\n  %s ", verb(report));
    if (report->bytes)
        textbuf_printf(text, "%u byte%s ", report->bytes, report->bytes == 1 ? "" : "s");
    textbuf_printf(text, "at %s address 0x%" PRIx64, segment_names[report->segment], report->address);
    if (report->field)
        textbuf_printf(text, ", %" PRIu64 " above a multiple of %" PRIu64, report->value, report->limit);
    if (names->near_known)
        add_near(text, &names->near);
}

static void write_report_text(struct textbuf *text, const hsam_report *report, const struct report_names *names)
{
    char name[DEMANGLED_NAME];
    textbuf_printf(text, "kernel %s %s [%s]", demangle(names->kernel, name), report->text, report->id);
    if (report->by.pc || report->by.has_group)
        add_side(text, "by", &report->by, &names->by);
    if (report->has_other)
        add_side(text, report->other_text ? report->other_text : "and", &report->other, &names->other);
    if (report->segment != HSAM_ACCESS_NONE)
        add_address(text, report, names);
    if (report->origin)
        add_origin(text, report, &names->other);
    if (report->count > 1)
        textbuf_printf(text, "\n  %" PRIu64 " times", report->count);
}

/* ---- for programs ---- */

/* Members of an object that has others already. */
static void json_side(struct textbuf *json, const hsam_report_side *side, const struct code_place *code)
{
    if (side->pc)
        textbuf_printf(json, ",\"pc\":\"0x%" PRIx64 "\"", side->pc);
    place_json(&code->at, json);
    calls_json(code->calls, code->call_count, json);
    if (side->instruction && *side->instruction)
        textbuf_json_member(json, "instruction", side->instruction);
    if (side->has_group)
        textbuf_printf(json, ",\"work_group\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", side->group[0], side->group[1],
                       side->group[2]);
    if (side->has_item)
        textbuf_printf(json, ",\"work_item\":[%u,%u,%u]", side->item[0], side->item[1], side->item[2]);
}

static void json_access(struct textbuf *json, const hsam_report *report, const struct report_names *names)
{
    textbuf_json_member(json, "segment", segment_names[report->segment]);
    textbuf_json_member(json, "access", report->atomic ? "atomic" : report->writes ? "write" : "read");
    textbuf_printf(json, ",\"address\":\"0x%" PRIx64 "\",\"bytes\":%u", report->address, report->bytes);
    const struct memory_near *near = &names->near;
    if (!names->near_known)
        return;
    const char *where = near->before ? "before" : near->distance ? "after" : "inside";
    uint64_t distance = near->distance && !near->before ? near->distance - 1 : near->distance;
    textbuf_printf(json, ",\"nearest\":{\"base\":\"0x%" PRIx64 "\",\"size\":%" PRIu64 ",\"distance\":%" PRIu64,
                   near->base, near->size, distance);
    textbuf_json_member(json, "where", where);
    textbuf_json_member(json, "name", *near->name ? near->name : purpose_name(near->purpose));
    textbuf_printf(json, ",\"freed\":%s", near->freed ? "true" : "false");
    memory_caller_json(&near->allocated_by, "allocated_by", json);
    memory_caller_json(&near->freed_by, "freed_by", json);
    textbuf_puts(json, "}");
}

static void write_json(struct textbuf *json, const hsam_report *report, const struct report_names *names)
{
    textbuf_printf(json, "{\"kind\":\"%s\"", report->finding ? "finding" : "fault");
    textbuf_json_member(json, "id", report->id);
    textbuf_json_member(json, "text", report->text);
    name_json("kernel", names->kernel, json);
    textbuf_printf(json, ",\"queue\":%" PRIu64 ",\"count\":%" PRIu64, report->queue, report->count);
    json_side(json, &report->by, &names->by);
    if (report->has_other) {
        textbuf_puts(json, ",\"other\":{\"relation\":");
        const char *relation = report->other_text ? report->other_text : "and";
        textbuf_json(json, relation, strlen(relation));
        json_side(json, &report->other, &names->other);
        textbuf_puts(json, "}");
    }
    if (report->origin) {
        textbuf_puts(json, ",\"origin\":{\"place\":");
        textbuf_json(json, report->origin, strlen(report->origin));
        json_side(json, &report->other, &names->other);
        textbuf_puts(json, "}");
    }
    if (report->segment != HSAM_ACCESS_NONE)
        json_access(json, report, names);
    if (report->field) {
        textbuf_json_member(json, "field", report->field);
        textbuf_printf(json, ",\"value\":%" PRIu64 ",\"limit\":%" PRIu64, report->value, report->limit);
    }
    textbuf_puts(json, "}");
}

/* ---- who is told ---- */

static void close_report_file(void)
{
    if (reports.file >= 0)
        close(reports.file);
    reports.file = -1;
}

/* Appends JSON as a line to the file that HSA_REPORT_FILE names, if it names one, which is opened on first use. A file
 * that cannot be written is named once. The caller holds the lock. */
static void write_to_file(const struct textbuf *json)
{
    const char *name = secure_getenv("HSA_REPORT_FILE");
    bool good = true;
    if (!reports.opened && name && *name) {
        reports.file = append_open(name);
        good = reports.file >= 0;
    }
    reports.opened = true;
    if (reports.file >= 0) {
        struct textbuf line = {0}; /* a copy, as the handler is given JSON without the end of the line */
        textbuf_add(&line, json->data, json->size);
        textbuf_puts(&line, "\n");
        good = !line.failed && append_to(reports.file, line.data, line.size);
        errno = line.failed ? ENOMEM : errno;
        textbuf_free(&line);
    }
    if (!good) {
        message_print(MESSAGE_REPORT_FILE, name ? name : "", append_failure(errno));
        close_report_file();
    }
}

static void report_publish(const hsam_report *report, const char *text, const struct textbuf *json)
{
    const hsa_ven_hsail_report_t given = {
        .struct_size = sizeof given,
        .kind = report->finding ? HSA_VEN_HSAIL_REPORT_FINDING : HSA_VEN_HSAIL_REPORT_FAULT,
        .id = report->id,
        .text = text,
        .json = json->data,
        .count = report->count};
    pthread_mutex_lock(&reports.lock);
    write_to_file(json);
    if (reports.handled && reports.handler)
        reports.handler(&given, reports.data);
    else if (!reports.handled && report->finding)
        message_print(MESSAGE_FINDING, text);
    pthread_mutex_unlock(&reports.lock);
}

/* Whether nobody wants to see the finding at one of the lines that it names. */
static bool is_suppressed(const hsam_report *report, const struct report_names *names)
{
    const struct code_place *sides[] = {&names->by, &names->other};
    bool found = false;
    for (size_t i = 0; i < (report->has_other ? 2 : 1) && !found; i++) {
        hsam_place place = sides[i]->at;
        found = suppress_finding(report->id, names->kernel, &place, 1);
        for (size_t k = 0; k < sides[i]->call_count && !found; k++) {
            memcpy(place.file, sides[i]->calls[k].file, sizeof place.file);
            place.line = sides[i]->calls[k].line;
            found = suppress_finding(report->id, names->kernel, &place, 1);
        }
    }
    return found;
}

void report_forget(void)
{
    textbuf_free(&current.text);
    textbuf_free(&current.json);
    current.report = (hsa_ven_hsail_report_t){0};
}

/* Keeps TEXT and JSON, of which it takes possession, for the callbacks that follow in this thread. */
static void report_keep(const hsam_report *report, const struct textbuf *text, const struct textbuf *json)
{
    report_forget();
    current.text = *text;
    current.json = *json;
    current.report = (hsa_ven_hsail_report_t){
        .struct_size = sizeof current.report,
        .kind = HSA_VEN_HSAIL_REPORT_FAULT,
        .id = report->id,
        .text = current.text.data,
        .json = current.json.data,
        .count = report->count};
}

void service_report(const hsam_report *report, char *out, size_t size)
{
    struct textbuf text = {0}, json = {0};
    struct report_names names = {0};
    find_names(report, &names);
    if (report->finding && is_suppressed(report, &names))
        return;
    write_report_text(&text, report, &names);
    write_json(&json, report, &names);
    if (!text.failed && !json.failed)
        report_publish(report, text.data, &json);
    if (size)
        snprintf(out, size, "%s", text.failed ? report->text : text.data);
    if (!report->finding && !text.failed && !json.failed) {
        report_keep(report, &text, &json);
        return;
    }
    textbuf_free(&text);
    textbuf_free(&json);
}

void reports_shut_down(void)
{
    suppressions_shut_down();
    close_report_file();
    reports.handler = NULL;
    reports.opened = reports.handled = false;
}

/* ---- the extension ---- */

static hsa_status_t set_handler(void (*handler)(const hsa_ven_hsail_report_t *report, void *data), void *data)
{
    CHECK_UP();
    pthread_mutex_lock(&reports.lock);
    reports.handler = handler;
    reports.data = data;
    reports.handled = true;
    pthread_mutex_unlock(&reports.lock);
    return HSA_STATUS_SUCCESS;
}

bool report_is_handled(void)
{
    pthread_mutex_lock(&reports.lock);
    bool handled = reports.handled;
    pthread_mutex_unlock(&reports.lock);
    return handled;
}

static hsa_status_t name_memory(const void *ptr, const char *name)
{
    CHECK_UP();
    CHECK_ARGUMENT(ptr && name);
    return memory_name(ptr, name);
}

static hsa_status_t current_report(const hsa_ven_hsail_report_t **report)
{
    CHECK_UP();
    CHECK_ARGUMENT(report);
    CHECK(current.report.text && callback_here(), HSA_STATUS_ERROR);
    *report = &current.report;
    return HSA_STATUS_SUCCESS;
}

static const hsa_ven_hsail_report_1_01_pfn_t table = {set_handler, name_memory, current_report};

const void *report_table(void)
{
    return &table;
}

bool report_usable(void)
{
    return true;
}

bool report_of_agent(const struct agent *agent)
{
    return agent->config.features & HSA_AGENT_FEATURE_KERNEL_DISPATCH;
}
