/* SPDX-License-Identifier: MIT */
/* Observers of kernels: what counts, traces and the prompt have in common.
 *
 * Where an agent has observers, code is translated with a micro-operation before each instruction, which tells them
 * what is about to be executed; without observers there are none, and nothing is slower. A dispatch that is observed
 * runs on one host thread, so that what is observed does not depend on chance. doc/PROFILING.md describes the output.
 */
#ifndef RUNTIME_GCN_OBSERVE_OBSERVE_H
#define RUNTIME_GCN_OBSERVE_OBSERVE_H

#include "runtime/gcn/access.h"
#include "runtime/gcn/gcn_agent.h"
#include "runtime/gcn/group.h"
#include "support/trace_filter.h"

/* GCN_INSTRUCTION_SALU, ...: kinds of instructions. */
enum gcn_instruction_kind {
#define INSTRUCTION_KIND(name, word) GCN_INSTRUCTION_##name,
#include "support/instruction_kind.def"
#undef INSTRUCTION_KIND
    GCN_INSTRUCTION_KINDS
};

extern const char *const gcn_instruction_kind_name[GCN_INSTRUCTION_KINDS];

enum gcn_instruction_kind gcn_instruction_kind(unsigned op);

enum { GCN_KERNARG = HSAM_ACCESS_PRIVATE + 1, GCN_SEGMENTS }; /* segments as counts tell them apart */
enum { GCN_READ, GCN_WRITTEN, GCN_ATOMIC, GCN_ACCESSES };

/* What was counted of an instruction, or of several. All numbers are sums over the waves that executed it. */
struct gcn_count {
    uint64_t executed, lanes;           /* how often waves executed it; how many lanes were active, in all */
    uint64_t cycles;                    /* see gcn_count_cycles() */
    uint64_t taken, mixed, mixed_taken; /* branches: taken; executed when only some lanes were active; both */
    uint64_t bytes[GCN_SEGMENTS][GCN_ACCESSES];
    uint64_t vector;         /* vector memory instructions whose cache lines were counted */
    uint64_t lines, touched; /* lines of 64 bytes that they touched, and how many bytes of these they accessed */
    uint64_t shared;         /* instructions of group memory whose passes were counted */
    uint64_t passes, least;  /* passes through the banks, and how many these would be without conflicts */
    uint64_t waited;         /* barriers: cycles that waves waited for others */
    uint64_t undescribed;    /* accesses of which only is known that they were made */
};

struct gcn_access_sample;

/* An instruction that was executed. */
struct gcn_site {
    uint64_t pc; /* 0: not executed */
    uint16_t op;
    uint8_t kind; /* enum gcn_instruction_kind */
    uint8_t size;
    uint8_t cycles; /* the least that it takes */
    uint8_t call_count;
    char *text;        /* made when asked for, as are PLACE and CALLS */
    hsam_place *place; /* all zero if nothing is known */
    hsam_call *calls;  /* the CALL_COUNT calls that were inlined there, the innermost first */
    struct gcn_count count;
    struct gcn_access_sample *sample; /* the addresses of its first execution; NULL: not known */
};

struct textbuf;
struct gcn_tracer;
struct gcn_prompt;
struct gcn_wave_samples;

/* What an agent is to observe, from its environment. */
struct gcn_observe_wish {
    const char *count, *registers; /* files, "-" for standard error, or NULL */
    bool json;                     /* on standard error, too, which has text otherwise */
    bool trace;                    /* what FILTER selects, to TRACE_FILE or as text to standard error */
    const char *trace_file;
    struct trace_filter filter;
    struct gcn_prompt *prompt; /* NULL: nothing stops */
    VEC(uint64_t) described;   /* kernels whose registers have been described */
};

/* What observers know of a dispatch. */
struct gcn_observe {
    struct gcn_dispatch *dispatch;
    const struct gcn_agent *agent;
    uint64_t queue;
    hsam_kernel kernel;
    struct gcn_site *sites; /* by number, as translation gave them out */
    size_t site_count;
    struct gcn_tracer *tracer; /* NULL: nothing is traced */
    struct gcn_count total;
    struct gcn_wave_samples *samples; /* NULL: none yet */
    uint64_t waves;
    bool out_of_memory; /* something is missing from the counts */
};

/* What they know of a wave while it runs. */
struct gcn_wave_observe {
    uint64_t clock;   /* cycles so far */
    uint32_t barrier; /* site of the barrier at which it waits */
    uint32_t last;    /* site of the last instruction, for the prompt; nothing before PC is set */
    uint64_t pc;      /* of that instruction */
    uint32_t sample;  /* its number among the samples, from 1; 0: none */
};

struct gcn_group_observe {
    struct gcn_wave_observe waves[GCN_GROUP_WAVES_MAX];
};

/* What the environment asks for, NULL if that is nothing or memory has run out. */
struct gcn_observe_wish *gcn_observe_wish_new(void);
void gcn_observe_wish_free(struct gcn_observe_wish *wish);

/* Describes the kernel of D if that is asked for, and readies O for D. False if D itself need not be observed. */
bool gcn_observe_begin(struct gcn_observe *o, struct gcn_dispatch *d, struct gcn_agent *agent, uint64_t queue);

/* Writes what was observed, and frees O. */
void gcn_observe_end(struct gcn_observe *o);

/* Readies G for its next work-group; false if memory has run out. */
bool gcn_observe_group(struct gcn_group *g);

/* To be called when the waves of G that wait at a barrier are about to go on. */
void gcn_observe_release(struct gcn_group *g);

/* The micro-operation of observers, before each instruction: the number of its site in dst, enum gcn_op in imm, its
 * bytes in src[0], and in aux how far away its last micro-operation is. */
gcn_handler gcn_observe_step;

/* The text and the place of SITE; never NULL. */
const char *gcn_site_text(const struct gcn_observe *o, struct gcn_site *site);
const hsam_place *gcn_site_place(const struct gcn_observe *o, struct gcn_site *site);

/* The *COUNT calls that were inlined at the instruction, the innermost first. */
const hsam_call *gcn_site_calls(const struct gcn_observe *o, struct gcn_site *site, size_t *count);

/* Adds the lines of the calls that led to the instruction, although no call is executed: to an object of JSON, or lines
 * of text. */
void gcn_site_calls_json(const struct gcn_observe *o, struct gcn_site *site, struct textbuf *json);
void gcn_site_calls_text(const struct gcn_observe *o, struct gcn_site *site, struct textbuf *text);

/* count.c: the cycles of operation OP of KIND that do not depend on what it accesses. */
uint8_t gcn_count_cycles(unsigned op, enum gcn_instruction_kind kind);

/* count.c: adds what W is about to do by the instruction of SITE, whose last micro-operation is OP. */
void gcn_count_step(struct gcn_site *site, struct gcn_wave *w, const struct gcn_uop *op);
void gcn_count_add(struct gcn_count *to, const struct gcn_count *count);

/* count_memory.c: adds to COUNT what ACCESS of W costs; returns the cycles. */
uint64_t gcn_count_access(struct gcn_count *count, const struct gcn_wave *w, const struct gcn_access *access,
                          enum gcn_instruction_kind kind);

/* count_report.c: the numbers of O as text, or as one line of JSON. */
void gcn_count_text(struct gcn_observe *o, struct textbuf *text);
void gcn_count_json(struct gcn_observe *o, struct textbuf *json);

/* Whether what goes to NAME is text for people and not JSON. */
bool gcn_observe_is_text(const struct gcn_observe_wish *wish, const char *name);

/* Appends TEXT to the file NAME, in one piece; "-" is standard error. The first failure is told there. */
void gcn_observe_write(const char *name, const struct textbuf *text);

#endif
