/* SPDX-License-Identifier: MIT */
/* When translated code is compiled: what the engine tells the tier, and what it may ask.
 *
 * HSA_GCN_JIT decides: off, never; auto, units that have run for about two milliseconds, in the background; now, every
 * unit when it is made, before it runs. Without the program that compiles all of this does nothing. */
#ifndef RUNTIME_GCN_JIT_TIER_H
#define RUNTIME_GCN_JIT_TIER_H

#include "runtime/gcn/jit/jit.h"

enum gcn_tier_mode { GCN_TIER_OFF, GCN_TIER_AUTO, GCN_TIER_NOW };

/* Replaces what the environment says, from the next unit on. Tests only. */
void gcn_tier_set_mode(enum gcn_tier_mode mode, unsigned flags);

/* Compiles UNIT, which nobody runs yet, if the mode is to compile units at once. */
void gcn_tier_made(struct gcn_unit *unit);

/* To be called when a wave has executed about EXECUTED micro-operations in UNIT since the last call, and is THROUGH
 * with it, as it has ended or goes on in another unit, or not; may have UNIT compiled in the background. */
void gcn_tier_heat(const struct gcn_unit *unit, uint32_t executed, bool through);

/* The handler that micro-operation INDEX of UNIT has by itself, whether or not UNIT has been compiled. */
gcn_handler *gcn_tier_handler(const struct gcn_unit *unit, uint32_t index);

/* Drops the code that was or is being compiled from UNIT, which nobody runs. */
void gcn_tier_forget(struct gcn_unit *unit);

/* Each cache acquires the tier while it lives; the background thread ends when the last one releases it. */
void gcn_tier_acquire(void);
void gcn_tier_release(void);

/* Units compiled so far by this process. */
unsigned gcn_tier_count(void);

/* What compiling them took. */
struct jit_cost gcn_tier_cost(void);

#endif
