/* SPDX-License-Identifier: MIT */
/* Samples of a dispatch to look at: active lanes of the first waves over time, and how the lanes of a wave lie in
 * memory at the first execution of each instruction. */
#ifndef RUNTIME_GCN_OBSERVE_COUNT_SAMPLE_H
#define RUNTIME_GCN_OBSERVE_COUNT_SAMPLE_H

#include "runtime/gcn/observe/observe.h"

struct textbuf;

/* Adds the instruction that W is about to execute to the samples of O. */
void gcn_sample_step(struct gcn_observe *o, const struct gcn_wave *w);

/* Keeps the addresses of ACCESS at SITE, unless there are some. */
void gcn_sample_access(struct gcn_site *site, const struct gcn_access *access);

/* Appends `,"timeline":[...]` and `,"offsets":[...]`, or nothing. */
void gcn_sample_waves_json(const struct gcn_observe *o, struct textbuf *json);
void gcn_sample_access_json(const struct gcn_site *site, struct textbuf *json);

void gcn_sample_free(struct gcn_observe *o);

#endif
