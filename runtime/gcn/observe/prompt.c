/* SPDX-License-Identifier: MIT */
/* Breakpoints, steps, and reading commands.
 * Input: waves about to execute an instruction; lines of standard input. Output: answers on standard error.
 * Invariant: one wave at a time is at the prompt; a queue that ends does not wait for a user. The end of the input ends
 * the kernels. */
#include "runtime/gcn/observe/prompt.h"

#include "runtime/demangle.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024, LOOK_AROUND_MS = 20 };

/* Standard input, which all agents share. */
static struct {
    pthread_mutex_t lock; /* protects prompts too */
    char bytes[LINE_MAX_BYTES];
    size_t count;
    bool ended;
} input = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct gcn_prompt *gcn_prompt_new(const char *text, bool json)
{
    struct gcn_prompt *p = mem_zalloc(1, sizeof *p);
    bool is_good = p && *text;
    while (is_good && *text) {
        struct breakpoint breakpoint;
        size_t length = strcspn(text, ",");
        is_good = breakpoint_parse(text, length, &breakpoint) && vec_push(&p->breakpoints, breakpoint);
        text += length;
        text += *text == ',';
    }
    if (is_good) {
        p->json = json;
        return p;
    }
    gcn_prompt_free(p);
    return NULL;
}

void gcn_prompt_free(struct gcn_prompt *p)
{
    if (p)
        vec_free(&p->breakpoints);
    mem_free(p);
}

/* ---- reading ---- */

static bool is_over(const struct gcn_observe *o)
{
    return __atomic_load_n(&o->dispatch->stop, __ATOMIC_ACQUIRE);
}

/* Takes a line out of what has been read; false if there is none yet. The rest of a line that is too long counts as the
 * next line. */
static bool take_line(char *line)
{
    char *end = memchr(input.bytes, '\n', input.count);
    size_t length = end ? (size_t)(end - input.bytes) : input.count;
    if (!end && !(input.ended && length) && input.count < sizeof input.bytes - 1)
        return false;
    memcpy(line, input.bytes, length);
    line[length] = 0;
    input.count -= length + (end ? 1 : 0);
    memmove(input.bytes, input.bytes + length + (end ? 1 : 0), input.count);
    return true;
}

/* Reads a line of the input; false at the end of the input, or if the dispatch of O is to stop. */
static bool read_line(const struct gcn_observe *o, char *line)
{
    while (!take_line(line)) {
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        if (input.ended || is_over(o))
            return false;
        if (poll(&in, 1, LOOK_AROUND_MS) <= 0)
            continue;
        ssize_t count = read(STDIN_FILENO, input.bytes + input.count, sizeof input.bytes - 1 - input.count);
        if (count > 0)
            input.count += (size_t)count;
        else if (count == 0 || (errno != EINTR && errno != EAGAIN))
            input.ended = true;
    }
    return true;
}

/* ---- stops ---- */

static bool is_file(const char *name, const char *file)
{
    size_t wanted = strlen(name), length = strlen(file);
    return wanted <= length && !strcmp(file + length - wanted, name) &&
           (wanted == length || file[length - wanted - 1] == '/');
}

static bool is_line(const struct breakpoint *b, uint32_t line, const char *file)
{
    return line && line == b->number && (!*b->name || is_file(b->name, file));
}

/* Whether SITE is code of the line of B, or of a function that was inlined there. */
static bool is_of_line(const struct breakpoint *b, const struct gcn_observe *o, struct gcn_site *site)
{
    size_t count;
    const hsam_place *place = gcn_site_place(o, site);
    const hsam_call *calls = gcn_site_calls(o, site, &count);
    bool found = is_line(b, place->line, place->file);
    for (size_t i = 0; i < count && !found; i++)
        found = is_line(b, calls[i].line, calls[i].file);
    return found;
}

/* Whether the wave of STATE comes to the line of B with SITE: from another line, or again, in a loop. */
static bool comes_to_line(const struct breakpoint *b, const struct gcn_observe *o, struct gcn_site *site,
                          const struct gcn_wave_observe *state)
{
    const hsam_place *place = gcn_site_place(o, site);
    return is_of_line(b, o, site) && (!state->pc || !is_of_line(b, o, &o->sites[state->last]) ||
                                      (site->pc <= state->pc && is_line(b, place->line, place->file)));
}

/* Whether SITE is the place of B, to which the wave of STATE comes. */
static bool is_place(const struct breakpoint *b, const struct gcn_observe *o, struct gcn_site *site,
                     const struct gcn_wave_observe *state)
{
    char name[DEMANGLED_NAME];
    const hsam_place *place = gcn_site_place(o, site);
    switch (b->kind) {
    case BREAKPOINT_START: return site->pc == o->dispatch->entry.pc;
    case BREAKPOINT_LINE: return comes_to_line(b, o, site, state);
    case BREAKPOINT_PC: return site->pc == b->number || (*place->function && place->offset == b->number);
    case BREAKPOINT_FUNCTION:
        return *place->function && place->offset == b->number &&
               (!strcmp(b->name + (*b->name == '&'), place->function + (*place->function == '&')) ||
                !strcmp(b->name, demangle(place->function, name)));
    }
    return false;
}

/* Whether a breakpoint is at SITE, to which W has come. */
static bool is_breakpoint(const struct gcn_observe *o, struct gcn_site *site, struct gcn_wave *w)
{
    const struct gcn_prompt *p = o->agent->observe->prompt;
    struct gcn_wave_observe *state = &w->group->observe->waves[w->index];
    bool found = false;
    for (size_t i = 0; i < p->breakpoints.count && !found; i++)
        found = is_place(&p->breakpoints.items[i], o, site, state);
    state->last = (uint32_t)(site - o->sites);
    state->pc = site->pc;
    return found;
}

/* Whether the step that the user asked for is over. */
static bool is_step_over(struct gcn_prompt *p, const struct gcn_observe *o, struct gcn_site *site,
                         const struct gcn_wave *w)
{
    if (p->mode == GCN_PROMPT_RUN || (p->stepping && p->stepping != w))
        return false;
    if (p->mode == GCN_PROMPT_STEP || !p->stepping)
        return !p->count || --p->count == 0 || !p->stepping;
    uint32_t line = gcn_site_place(o, site)->line;
    if (line == p->line || !line)
        return false;
    p->line = line;
    return --p->count == 0;
}

static void prompt_say(struct textbuf *out)
{
    gcn_observe_write("-", out);
    textbuf_clear(out);
}

/* Lets the user look at W. Returns false if the kernel is to end. */
static bool stop_at(struct gcn_prompt *p, struct gcn_observe *o, struct gcn_site *site, const struct gcn_wave *w)
{
    char line[LINE_MAX_BYTES];
    struct textbuf out = {0};
    struct gcn_stop_place at = {p, o, site, w, &out};
    bool go_on = false;
    p->mode = GCN_PROMPT_RUN;
    p->count = 1;
    p->stepping = w;
    p->line = gcn_site_place(o, site)->line;
    gcn_prompt_place(&at);
    prompt_say(&out);
    while (!go_on) {
        if (isatty(STDIN_FILENO) && !p->json) {
            textbuf_puts(&out, "(gcn) ");
            prompt_say(&out);
        }
        if (!read_line(o, line)) {
            p->quit = p->quit || input.ended;
            break;
        }
        go_on = gcn_prompt_command(&at, line);
        prompt_say(&out);
    }
    textbuf_free(&out);
    return !p->quit;
}

/* Takes the lock; false if the dispatch of O is to stop meanwhile. */
static bool lock_prompt(const struct gcn_observe *o)
{
    const struct timespec pause = {0, LOOK_AROUND_MS * 1000000L};
    while (pthread_mutex_trylock(&input.lock)) {
        if (is_over(o))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

bool gcn_prompt_step(struct gcn_observe *o, struct gcn_site *site, struct gcn_wave *w)
{
    struct gcn_prompt *p = o->agent->observe->prompt;
    if (!lock_prompt(o))
        return true;
    bool goes_on = !p->quit, at = is_breakpoint(o, site, w), over = is_step_over(p, o, site, w);
    if (at && !over && p->mode == GCN_PROMPT_RUN && p->count > 1) {
        p->count--;
        at = false;
    }
    if (goes_on && (at || over))
        goes_on = stop_at(p, o, site, w);
    if (gcn_op_info[site->op].flags & GCN_F_END && p->stepping == w)
        p->stepping = NULL; /* a step goes on with whatever wave is next */
    pthread_mutex_unlock(&input.lock);
    return goes_on;
}
