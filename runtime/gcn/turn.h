/* SPDX-License-Identifier: MIT */
/* Turns of waves on a host thread. */
#ifndef RUNTIME_GCN_TURN_H
#define RUNTIME_GCN_TURN_H

#include "runtime/gcn/control.h"

/* What is known of a wave between its turns. */
struct gcn_turn {
    const struct gcn_uop *place; /* the wave came to it twice in the same state: it spins. NULL: it did not */
    uint64_t state;              /* digest of its registers there */
    bool computes;               /* it did not wait when it was looked at last */
};

/* Runs W until it waits, ends or fails, or its turn is over, or *STOP is set (atomic). GCN_STOP_YIELD when it could go
 * on: then TURN->place tells whether that would be of use before somebody else changes memory. REGISTERS is how many
 * vector registers the state of W is made of. */
enum gcn_stop gcn_turn_run(struct gcn_wave *w, struct gcn_turn *turn, unsigned registers, const uint32_t *stop);

#endif
