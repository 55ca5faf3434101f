/* SPDX-License-Identifier: MIT */
/* The checkers: which of them are wanted, what they have found, and the reports about that.
 * Input: the environment; findings of the threads that execute a dispatch. Output: reports to the core.
 * Invariant: each agent reports a finding once; a finding is a kind of mistake at an instruction or a pair of them. */
#include "runtime/gcn/check/check.h"

#include "runtime/gcn/check/check_init.h"
#include "runtime/gcn/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FINDINGS_MAX = 1000 }; /* kinds of trouble in one dispatch; a kernel with more is wrong throughout */

static const struct {
    const char *id, *text, *and;
} rows[] = {
#define FINDING(kind, id, text, and) [GCN_FINDING_##kind] = {id, text, and},
#include "runtime/gcn/tables/check.def"
#undef FINDING
};

static const struct {
    const char *word;
    unsigned checks;
} words[] = {
#define CHECK(name, word) {word, GCN_CHECK_##name},
#include "support/checker.def"
#undef CHECK
    {"all", ~0u},
};

unsigned gcn_checks_named(const char *text)
{
    unsigned checks = 0;
    for (; text && *text; text += *text == ',') {
        size_t length = strcspn(text, ","), i = 0;
        while (i < sizeof words / sizeof *words &&
               (strlen(words[i].word) != length || memcmp(words[i].word, text, length) != 0))
            i++;
        if (i == sizeof words / sizeof *words)
            return 0;
        checks |= words[i].checks;
        text += length;
    }
    return checks;
}

/* The table that an earlier dispatch has left, or a new one. */
static struct race_table *take_table(struct gcn_agent *agent)
{
    pthread_mutex_lock(&agent->reported_lock);
    struct race_table *table = agent->races;
    agent->races = NULL;
    pthread_mutex_unlock(&agent->reported_lock);
    if (table)
        race_table_restart(table);
    return table ? table : race_table_new(false);
}

static void leave_table(struct gcn_agent *agent, struct race_table *table)
{
    pthread_mutex_lock(&agent->reported_lock);
    struct race_table *other = agent->races;
    agent->races = table;
    pthread_mutex_unlock(&agent->reported_lock);
    race_table_free(other);
}

bool gcn_check_begin(struct gcn_check *check, const struct gcn_dispatch *d, const hsam_kernel *kernel,
                     struct gcn_agent *agent, const amd_queue_t *queue)
{
    /* HSAIL's kernels are known by their names, which no other language can have. */
    bool ended_count = kernel->name[0] == '&' || kernel->is_opencl;
    *check = (struct gcn_check){
        .checks = agent->checks, .ended_count = ended_count, .dispatch = d, .agent = agent, .queue = queue};
    check->first_group = __atomic_fetch_add(&agent->checked_groups, d->group_total, __ATOMIC_RELAXED);
    pthread_mutex_init(&check->lock, NULL);
    if (check->checks & GCN_CHECK_RACE)
        check->races = take_table(agent);
    return check->races || !(check->checks & GCN_CHECK_RACE);
}

bool gcn_check_group(struct gcn_group *g)
{
    struct gcn_group_check *check = g->check ? g->check : mem_zalloc(1, sizeof *check);
    if (!check)
        return false;
    g->check = check;
    *check = (struct gcn_group_check){.init = check->init, .races = check->races};
    if (g->dispatch->check->checks & GCN_CHECK_INIT && !init_group_start(g))
        return false;
    if (check->races)
        race_table_restart(check->races);
    else if (g->dispatch->check->checks & GCN_CHECK_RACE)
        check->races = race_table_new(true);
    return check->races || !(g->dispatch->check->checks & GCN_CHECK_RACE);
}

void gcn_check_wave(struct gcn_wave *w, unsigned lines, unsigned scalars)
{
    if (w->group->dispatch->check->checks & GCN_CHECK_MEMORY)
        gcn_check_tag(w);
    if (w->group->dispatch->check->checks & GCN_CHECK_INIT)
        init_wave_start(w, lines, scalars);
}

void gcn_check_group_free(struct gcn_group *g)
{
    if (g->check)
        race_table_free(g->check->races);
    init_group_free(g);
    mem_free(g->check);
}

/* What tells one finding from another. Two instructions make the same key in either order. A barrier that is missed
 * is one mistake, whoever misses it and in whichever way. */
static struct gcn_reported key_of(const struct gcn_finding *finding)
{
    if (finding->kind == GCN_FINDING_DIVERGENT || finding->kind == GCN_FINDING_MISSING)
        return (struct gcn_reported){GCN_FINDING_DIVERGENT, finding->by.pc, 0};
    uint64_t a = finding->by.pc, b = finding->other.pc;
    return (struct gcn_reported){finding->kind, a < b ? a : b, a < b ? b : a};
}

static bool is_same(const struct gcn_reported *a, const struct gcn_reported *b)
{
    return a->kind == b->kind && a->pc == b->pc && a->other == b->other;
}

void gcn_check_add(struct gcn_check *check, const struct gcn_finding *finding, uint64_t count)
{
    size_t i = 0;
    const struct gcn_reported key = key_of(finding);
    pthread_mutex_lock(&check->lock);
    while (i < check->findings.count && !is_same(&check->findings.items[i].key, &key))
        i++;
    if (i < check->findings.count) {
        struct gcn_finding *same = &check->findings.items[i];
        uint64_t so_far = same->count;
        if (finding->kind < same->kind) { /* whichever thread was first, the same one is reported */
            *same = *finding;
            same->key = key;
        }
        same->count = so_far + count;
    } else if (i < FINDINGS_MAX) {
        struct gcn_finding first = *finding;
        first.count = count;
        first.key = key;
        vec_push(&check->findings, first);
    }
    pthread_mutex_unlock(&check->lock);
}

static bool is_polled(const struct gcn_check *check, uint32_t address)
{
    uint32_t word = address % GCN_LDS_MAX / 4;
    return __atomic_load_n(&check->polls[word / 32], __ATOMIC_RELAXED) >> word % 32 & 1;
}

void gcn_check_poll(struct gcn_check *check, uint32_t address)
{
    uint32_t word = address % GCN_LDS_MAX / 4;
    if (!is_polled(check, address))
        __atomic_fetch_or(&check->polls[word / 32], UINT32_C(1) << word % 32, __ATOMIC_RELAXED);
}

/* Whether FINDING is no mistake, but the way in which waves wait for each other. */
static bool is_poll(const struct gcn_check *check, const struct gcn_finding *finding)
{
    return finding->poll && is_polled(check, (uint32_t)finding->address);
}

static bool is_guess(struct gcn_check *check, uint64_t pc)
{
    size_t i = 0;
    while (i < check->guesses.count && check->guesses.items[i] != pc)
        i++;
    return i < check->guesses.count;
}

void gcn_check_guess(struct gcn_check *check, uint64_t pc)
{
    pthread_mutex_lock(&check->lock);
    bool known = is_guess(check, pc) || vec_push(&check->guesses, pc);
    pthread_mutex_unlock(&check->lock);
    (void)known; /* if memory has run out, the race is reported */
}

/* Whether FINDING is no mistake, but a read whose result a compare-and-swap tests. */
static bool is_guessed(struct gcn_check *check, const struct gcn_finding *finding)
{
    return finding->guess && is_guess(check, finding->guess);
}

struct gcn_party gcn_check_party(const struct gcn_wave *w, uint64_t pc, int lane)
{
    const struct gcn_group *g = w->group;
    const uint64_t *groups = g->dispatch->groups;
    uint64_t linear = (g->index[2] * groups[1] + g->index[1]) * groups[0] + g->index[0];
    return (struct gcn_party){pc, linear, lane < 0 ? -1 : (int32_t)(w->index * GCN_LANES) + lane};
}

/* ---- reports ---- */

static void describe(const struct gcn_dispatch *d, const struct gcn_party *party, hsam_report_side *side, char *text,
                     size_t size)
{
    struct gcn_inst inst;
    side->pc = party->pc;
    if (party->pc && gcn_cache_decode(d->cache, party->pc, &inst, text, size))
        side->instruction = text;
    gcn_group_index(d, party->group, side->group);
    side->has_group = true;
    side->has_item = party->item >= 0;
    const struct gcn_group_shape *shape = gcn_group_shape_at(d, side->group);
    for (unsigned i = 0; side->has_item && i < 3; i++)
        side->item[i] = shape->ids[party->item / GCN_LANES].id[i][party->item % GCN_LANES];
}

static void name_scalar(uint64_t number, char *text, size_t size)
{
    static const struct {
        uint8_t code;
        const char *name;
    } names[] = {{GCN_FLAT_SCRATCH_LO, "flat_scratch"}, {GCN_VCC_LO, "vcc"}, {GCN_M0, "m0"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (number == names[i].code || (number == names[i].code + 1u && names[i].code != GCN_M0)) {
            snprintf(text, size, "register %s", names[i].name);
            return;
        }
    snprintf(text, size, "scalar register s%u", (unsigned)number);
}

static void name_origin(const struct gcn_origin *origin, char *text, size_t size)
{
    static const char *const segments[] = {
        [HSAM_ACCESS_NONE] = "memory",
        [HSAM_ACCESS_GLOBAL] = "global memory",
        [HSAM_ACCESS_GROUP] = "group memory",
        [HSAM_ACCESS_PRIVATE] = "private memory"};
    unsigned number = (unsigned)origin->number;
    switch (origin->kind) {
    case GCN_ORIGIN_VECTOR:
        snprintf(text, size, number < INIT_ACCUMULATION ? "vector register v%u" : "accumulation register a%u",
                 number % INIT_ACCUMULATION);
        break;
    case GCN_ORIGIN_SCALAR: name_scalar(origin->number, text, size); break;
    case GCN_ORIGIN_SCC: snprintf(text, size, "register scc"); break;
    default: snprintf(text, size, "%s at 0x%" PRIx64, segments[origin->segment], origin->number); break;
    }
}

/* Adds where a value that was never written comes from. If that is a register of the reported instruction itself, there
 * is no other instruction to name. */
static void describe_origin(const struct gcn_check *check, const struct gcn_finding *finding, hsam_report *report,
                            char names[2][96])
{
    const struct gcn_origin *origin = &finding->origin;
    struct gcn_inst inst;
    if (!origin->kind)
        return;
    name_origin(origin, names[0], sizeof names[0]);
    report->origin = names[0];
    if (origin->pc == finding->by.pc)
        return;
    report->other.pc = origin->pc;
    if (gcn_cache_decode(check->dispatch->cache, origin->pc, &inst, names[1], sizeof names[1]))
        report->other.instruction = names[1];
}

static void report(const struct gcn_check *check, const struct gcn_finding *finding)
{
    char texts[2][96];
    const struct gcn_dispatch *d = check->dispatch;
    hsam_report report = {
        .struct_size = sizeof report,
        .id = rows[finding->kind].id,
        .text = rows[finding->kind].text,
        .finding = true,
        .count = finding->count,
        .kernel_object = d->packet.kernel_object,
        .queue = check->queue->hsa_queue.id,
        .has_other = finding->has_other,
        .other_text = rows[finding->kind].and,
        .segment = (hsam_access_segment)finding->segment,
        .writes = finding->writes,
        .atomic = finding->atomic,
        .bytes = finding->bytes,
        .address = finding->address};
    describe(d, &finding->by, &report.by, texts[0], sizeof texts[0]);
    if (finding->has_other)
        describe(d, &finding->other, &report.other, texts[1], sizeof texts[1]);
    if (finding->promised) { /* what is at that place only tells the promise */
        report.by.instruction = NULL;
        report.field = "align";
        report.value = finding->address % finding->promised;
        report.limit = finding->promised;
    }
    char origin[2][96];
    describe_origin(check, finding, &report, origin);
    if (check->agent->core->report)
        check->agent->core->report(&report, NULL, 0);
}

/* Notes that FINDING is reported; false if it has been already. */
static bool is_new(struct gcn_agent *agent, const struct gcn_finding *finding)
{
    pthread_mutex_lock(&agent->reported_lock);
    size_t i = 0;
    while (i < agent->reported.count && !is_same(&agent->reported.items[i], &finding->key))
        i++;
    bool new = i == agent->reported.count &&vec_push(&agent->reported, finding->key);
    pthread_mutex_unlock(&agent->reported_lock);
    return new;
}

void gcn_check_tell(struct gcn_check *check, const struct gcn_finding *finding)
{
    struct gcn_finding found = *finding;
    found.count = 1;
    found.key = key_of(finding);
    if (is_new(check->agent, &found))
        report(check, &found);
}

void gcn_check_end(struct gcn_check *check)
{
    for (size_t i = 0; i < check->findings.count; i++)
        if (!is_poll(check, &check->findings.items[i]) && !is_guessed(check, &check->findings.items[i]) &&
            is_new(check->agent, &check->findings.items[i]))
            report(check, &check->findings.items[i]);
    vec_free(&check->findings);
    leave_table(check->agent, check->races);
    fresh_free(check);
    gcn_check_host_free(check);
    vec_free(&check->guesses);
    vec_free(&check->origins);
    pthread_mutex_destroy(&check->lock);
}

void gcn_check_forget(struct gcn_agent *agent)
{
    vec_free(&agent->reported);
    race_table_free(agent->races);
    agent->races = NULL;
}
