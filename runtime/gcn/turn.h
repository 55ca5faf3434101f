/* SPDX-License-Identifier: MIT */
/* Turns of waves on a host thread. */
#ifndef RUNTIME_GCN_TURN_H
#define RUNTIME_GCN_TURN_H

#include "runtime/gcn/wave_run.h"

/* What is known of a wave between its turns. */
struct gcn_turn {
    const struct gcn_uop *place; /* where the wave spins: it came there twice in the same state; or NULL */
    uint64_t state;              /* digest of its scalar registers there */
    unsigned passes;             /* how often it has gone around there since */
    bool computes;               /* it was not waiting when it was looked at last */
};

/* Runs *W until it waits, ends or fails, or its turn is over, or *STOP is set (atomic). Returns GCN_STOP_YIELD if *W
 * could go on; if its `place` in TURNS, which are by the numbers of waves, is not NULL then, that is useless until
 * somebody else changes memory. The state of *W is compared by its first REGISTERS vector registers, among others. If
 * NEXT is not NULL, the turns of the waves that it returns follow, as gcn_waves_run() says. */
enum gcn_stop gcn_turns_run(struct gcn_wave **w, struct gcn_turn *turns, unsigned registers, const uint32_t *stop,
                            gcn_next_wave *next);

#endif
