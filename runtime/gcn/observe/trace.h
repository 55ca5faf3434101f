/* SPDX-License-Identifier: MIT */
/* The trace of a dispatch: what each instruction did, as it happens. */
#ifndef RUNTIME_GCN_OBSERVE_TRACE_H
#define RUNTIME_GCN_OBSERVE_TRACE_H

#include "runtime/gcn/observe/observe.h"
#include "support/textbuf.h"

/* Begins the trace of O; NULL if there is nothing to trace, or no memory. */
struct gcn_tracer *gcn_tracer_new(struct gcn_observe *o, const struct gcn_observe_wish *wish);

/* W is about to execute the instruction of SITE, whose last micro-operation is OP. */
void gcn_tracer_step(struct gcn_tracer *t, struct gcn_site *site, struct gcn_wave *w, const struct gcn_uop *op);

void gcn_tracer_free(struct gcn_tracer *t);

/* Appends where W is at SITE, as in "work-group (0,0,0), wave 1 at &k+0x10, k.hsail:5: s_nop 0". */
void gcn_place_text(const struct gcn_observe *o, struct gcn_site *site, const struct gcn_wave *w, struct textbuf *text);

/* Appends what ACCESS touches, for people. */
void gcn_access_text(const struct gcn_access *access, struct textbuf *text);

/* Appends the members of a JSON object that say where W is at SITE, the first without a comma. */
void gcn_place_json(const struct gcn_observe *o, struct gcn_site *site, const struct gcn_wave *w, struct textbuf *json);

#endif
