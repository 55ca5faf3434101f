/* SPDX-License-Identifier: MIT */
/* Running a wave, and what the control handlers share with the translator. */
#ifndef RUNTIME_GCN_CONTROL_H
#define RUNTIME_GCN_CONTROL_H

#include "runtime/gcn/exec.h"
#include "runtime/gcn/translate.h"

/* Micro-operations that a wave may execute, about, before its host thread looks around: some microseconds, and far
 * below 100 ms whatever they are. */
enum { GCN_BUDGET = 1 << 10 };

/* Runs W from w->at until it stops, and returns why. A fault of guest memory becomes GCN_STOP_FAULT; so the
 * caller may hold nothing that a non-local jump within this function would lose. */
enum gcn_stop gcn_wave_run(struct gcn_wave *w);

/* Makes SIGSEGV and SIGBUS of running waves faults of theirs; other occurrences go to the handlers that were
 * there. Counted: each call is undone by one of gcn_guard_release(). Returns 0 when the handlers cannot be
 * installed. */
int gcn_guard_acquire(void);
void gcn_guard_release(void);

/* Handlers that the translator places by itself. */
gcn_handler gcn_control_goto;      /* to op + imm */
gcn_handler gcn_control_goto_back; /* ... which is at or before op */
gcn_handler gcn_control_count;     /* counts imm against the budget */
gcn_handler gcn_control_enter;     /* to the instruction at the address in src[0], of another unit */
gcn_handler gcn_control_fault;     /* raises fault kind imm, address aux */

struct gcn_branch_handlers {
    uint16_t id;
    gcn_handler *forward, *back;
};
extern const struct gcn_branch_handlers gcn_control_branches[]; /* ended by a row without handlers */

#endif
