/* SPDX-License-Identifier: MIT */
/* Samples of a dispatch, to be drawn as pictures: how many lanes of the first waves were active over time, and which
 * addresses the lanes of a wave accessed when each instruction was first executed. */
#ifndef RUNTIME_GCN_OBSERVE_COUNT_SAMPLE_H
#define RUNTIME_GCN_OBSERVE_COUNT_SAMPLE_H

#include "runtime/gcn/observe/observe.h"

struct textbuf;

/* Adds the instruction that W is about to execute to the samples of O. */
void gcn_sample_step(struct gcn_observe *o, const struct gcn_wave *w);

/* Keeps the addresses of ACCESS at SITE, unless SITE already has some. */
void gcn_sample_access(struct gcn_site *site, const struct gcn_access *access);

/* Appends `,"timeline":[...]` and `,"offsets":[...]`, or nothing. */
void gcn_sample_waves_json(const struct gcn_observe *o, struct textbuf *json);
void gcn_sample_access_json(const struct gcn_site *site, struct textbuf *json);

void gcn_sample_free(struct gcn_observe *o);

#endif
