/* SPDX-License-Identifier: MIT */
/* The prompt: kernels stop at breakpoints, and commands from standard input look at them and let them go on. */
#ifndef RUNTIME_GCN_OBSERVE_PROMPT_H
#define RUNTIME_GCN_OBSERVE_PROMPT_H

#include "runtime/gcn/observe/observe.h"
#include "support/breakpoint.h"
#include "support/textbuf.h"

/* What is to happen before the next stop. */
enum gcn_prompt_mode { GCN_PROMPT_RUN, GCN_PROMPT_STEP, GCN_PROMPT_NEXT };

struct gcn_prompt {
    VEC(struct breakpoint) breakpoints;
    enum gcn_prompt_mode mode;
    uint64_t count; /* instructions, lines or stops until it stops */
    bool json;
    bool quit; /* every kernel ends at its next instruction */
    /* The wave that the user steps through; NULL once it has ended. */
    const struct gcn_wave *stepping;
    uint32_t line; /* where it was when the step began */
};

/* A prompt with the breakpoints that TEXT names, separated by commas, which answers in JSON if JSON is set; NULL if a
 * word of it is no breakpoint, or memory has run out. */
struct gcn_prompt *gcn_prompt_new(const char *text, bool json);
void gcn_prompt_free(struct gcn_prompt *p);

/* W is about to execute the instruction of SITE: stops if that is asked for. Returns false if the kernel is to end. */
bool gcn_prompt_step(struct gcn_observe *o, struct gcn_site *site, struct gcn_wave *w);

/* Where a kernel has stopped. */
struct gcn_stop_place {
    struct gcn_prompt *prompt;
    struct gcn_observe *observe;
    struct gcn_site *site;
    const struct gcn_wave *wave;
    struct textbuf *out; /* the answer */
};

/* prompt_command.c: executes the command LINE. Returns true if the kernel is to go on. */
bool gcn_prompt_command(struct gcn_stop_place *at, char *line);

/* prompt_print.c: the commands that show something. WORDS is what follows the command; if something is wrong with it,
 * they say so by gcn_prompt_refuse(). */
void gcn_prompt_refuse(struct gcn_stop_place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gcn_prompt_place(struct gcn_stop_place *at);
void gcn_prompt_print(struct gcn_stop_place *at, const char *words);
/* prompt_variable.c: shows the variable of the source, or of HSAIL, that WORDS name. False: the code object knows of
 * none of that name here, or they say it in another form. */
bool gcn_prompt_variable(struct gcn_stop_place *at, const char *words);
/* Adds the names of all that it knows, with a blank after each. */
void gcn_prompt_names(struct gcn_stop_place *at, struct textbuf *names);
void gcn_prompt_lanes(struct gcn_stop_place *at);
void gcn_prompt_memory(struct gcn_stop_place *at, const char *words);
void gcn_prompt_list(struct gcn_stop_place *at);

#endif
