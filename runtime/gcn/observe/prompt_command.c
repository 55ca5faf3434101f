/* SPDX-License-Identifier: MIT */
/* The commands of the prompt. Input: a line. Output: an answer, and how the kernel goes on.
 * Invariant: what is not understood changes nothing. */
#include "runtime/gcn/observe/prompt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum command_id {
    COMMAND_STEP,
    COMMAND_NEXT,
    COMMAND_CONTINUE,
    COMMAND_BREAK,
    COMMAND_DELETE,
    COMMAND_PRINT,
    COMMAND_LANES,
    COMMAND_MEMORY,
    COMMAND_WHERE,
    COMMAND_LIST,
    COMMAND_JSON,
    COMMAND_QUIT,
    COMMAND_HELP,
};

static const struct {
    enum command_id id;
    const char *name, *letter, *arguments, *help;
} commands[] = {
    {COMMAND_STEP, "step", "s", "[N]", "execute one instruction of this wave, or N"},
    {COMMAND_NEXT, "next", "n", "[N]", "go on to another line of the source, or to the Nth"},
    {COMMAND_CONTINUE, "continue", "c", "[N]", "go on to the next breakpoint, or past N - 1 stops"},
    {COMMAND_BREAK, "break", "b", "[PLACE]", "stop there too: LINE, FILE:LINE, 0xPC, NAME[+0xN], start; or list them"},
    {COMMAND_DELETE, "delete", "d", "N", "remove breakpoint N"},
    {COMMAND_PRINT, "print", "p", "REGISTER", "s4, s[4:5], v3, v3[LANE], a3, exec, vcc, scc, m0, pc"},
    {COMMAND_PRINT, "print", "p", "NAME [N]", "$s3, $d1[LANE], %p, &x, &x[I] or N elements; print alone lists names"},
    {COMMAND_LANES, "lanes", "l", "", "the work-items that are active"},
    {COMMAND_MEMORY, "memory", "x", "[group|private LANE] ADDRESS [N]", "N dwords of memory, 4 by default"},
    {COMMAND_WHERE, "where", "w", "", "work-group, wave, line and instruction"},
    {COMMAND_WHERE, "backtrace", "bt", "", "the same"},
    {COMMAND_LIST, "list", "ls", "", "lines of the source, if it is there, and the instructions that follow"},
    {COMMAND_JSON, "json", "j", "on|off", "answer in lines of JSON"},
    {COMMAND_QUIT, "quit", "q", "", "end all kernels"},
    {COMMAND_HELP, "help", "h", "", "this list"},
};

static void help_json(struct gcn_stop_place *at)
{
    textbuf_puts(at->out, "{\"kind\":\"help\",\"commands\":[");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        textbuf_puts(at->out, i ? ",{\"name\":" : "{\"name\":");
        textbuf_json(at->out, commands[i].name, strlen(commands[i].name));
        textbuf_json_member(at->out, "letter", commands[i].letter);
        textbuf_json_member(at->out, "arguments", commands[i].arguments);
        textbuf_json_member(at->out, "text", commands[i].help);
        textbuf_puts(at->out, "}");
    }
    textbuf_puts(at->out, "]}\n");
}

static void prompt_help(struct gcn_stop_place *at)
{
    if (at->prompt->json) {
        help_json(at);
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        textbuf_printf(at->out, "%-2s %-9s %-32s %s\n", commands[i].letter, commands[i].name, commands[i].arguments,
                       commands[i].help);
}

/* Reads the number in WORDS, 1 if there is none. */
static bool read_count(struct gcn_stop_place *at, const char *words, uint64_t *count)
{
    char *end;
    errno = 0;
    *count = *words ? strtoull(words, &end, 0) : 1;
    if (!*words || (*words >= '0' && *words <= '9' && !*end && *count && !errno))
        return true;
    gcn_prompt_refuse(at, "a number above 0 is wanted, not %s", words);
    return false;
}

static bool resume(struct gcn_stop_place *at, enum gcn_prompt_mode mode, const char *words)
{
    uint64_t count;
    if (!read_count(at, words, &count))
        return false;
    if (mode == GCN_PROMPT_NEXT && !at->prompt->line) {
        gcn_prompt_refuse(at, "the code object has no line table here: use step");
        return false;
    }
    at->prompt->mode = mode;
    at->prompt->count = count;
    return true;
}

static void breakpoint_text(const struct breakpoint *b, struct textbuf *text)
{
    unsigned long long number = b->number;
    switch (b->kind) {
    case BREAKPOINT_START: textbuf_puts(text, "start"); break;
    case BREAKPOINT_LINE: textbuf_printf(text, "%s%s%llu", b->name, *b->name ? ":" : "line ", number); break;
    case BREAKPOINT_PC: textbuf_printf(text, "0x%llx", number); break;
    case BREAKPOINT_FUNCTION: textbuf_printf(text, "%s+0x%llx", b->name, number); break;
    }
}

static void show_breakpoints(struct gcn_stop_place *at)
{
    const struct gcn_prompt *p = at->prompt;
    if (p->json)
        textbuf_puts(at->out, "{\"kind\":\"breakpoints\",\"places\":[");
    for (size_t i = 0; i < p->breakpoints.count; i++) {
        struct textbuf place = {0};
        breakpoint_text(&p->breakpoints.items[i], &place);
        if (!p->json)
            textbuf_printf(at->out, "%zu %s\n", i + 1, place.failed ? "" : place.data);
        else if (!place.failed) {
            textbuf_puts(at->out, i ? "," : "");
            textbuf_json(at->out, place.data, place.size);
        }
        textbuf_free(&place);
    }
    if (p->json)
        textbuf_puts(at->out, "]}\n");
}

static void add_breakpoint(struct gcn_stop_place *at, const char *words)
{
    struct breakpoint breakpoint;
    if (!*words)
        show_breakpoints(at);
    else if (!breakpoint_parse(words, strlen(words), &breakpoint))
        gcn_prompt_refuse(at, "LINE, FILE:LINE, 0xPC, NAME, NAME+0xN or start is wanted, not %s", words);
    else if (!vec_push(&at->prompt->breakpoints, breakpoint))
        gcn_prompt_refuse(at, "memory has run out");
}

static void remove_breakpoint(struct gcn_stop_place *at, const char *words)
{
    struct gcn_prompt *p = at->prompt;
    uint64_t number;
    if (!read_count(at, words, &number))
        return;
    if (!*words || number > p->breakpoints.count) {
        gcn_prompt_refuse(at, "there is no such breakpoint; break lists them");
        return;
    }
    p->breakpoints.count--;
    memmove(p->breakpoints.items + number - 1, p->breakpoints.items + number,
            (p->breakpoints.count + 1 - (size_t)number) * sizeof *p->breakpoints.items);
}

static void set_json(struct gcn_stop_place *at, const char *words)
{
    bool on = !strcmp(words, "on");
    if (on || !strcmp(words, "off"))
        at->prompt->json = on;
    else
        gcn_prompt_refuse(at, "on or off is wanted, not %s", words);
}

static bool prompt_execute(struct gcn_stop_place *at, enum command_id id, const char *words)
{
    switch (id) {
    case COMMAND_STEP: return resume(at, GCN_PROMPT_STEP, words);
    case COMMAND_NEXT: return resume(at, GCN_PROMPT_NEXT, words);
    case COMMAND_CONTINUE: return resume(at, GCN_PROMPT_RUN, words);
    case COMMAND_BREAK: add_breakpoint(at, words); break;
    case COMMAND_DELETE: remove_breakpoint(at, words); break;
    case COMMAND_PRINT: gcn_prompt_print(at, words); break;
    case COMMAND_LANES: gcn_prompt_lanes(at); break;
    case COMMAND_MEMORY: gcn_prompt_memory(at, words); break;
    case COMMAND_WHERE: gcn_prompt_place(at); break;
    case COMMAND_LIST: gcn_prompt_list(at); break;
    case COMMAND_JSON: set_json(at, words); break;
    case COMMAND_QUIT: at->prompt->quit = true; return true;
    case COMMAND_HELP: prompt_help(at); break;
    }
    return false;
}

bool gcn_prompt_command(struct gcn_stop_place *at, char *line)
{
    static const char blanks[] = " \t\r";
    char *name = line + strspn(line, blanks), *words = name + strcspn(name, blanks);
    for (size_t length = strlen(name); length && strchr(blanks, name[length - 1]);)
        name[--length] = 0;
    if (!*name || *name == '#')
        return false;
    if (*words) {
        *words++ = 0;
        words += strspn(words, blanks);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, name) || !strcmp(commands[i].letter, name))
            return prompt_execute(at, commands[i].id, words);
    gcn_prompt_refuse(at, "there is no command %s; help lists them", name);
    return false;
}
