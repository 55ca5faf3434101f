/* SPDX-License-Identifier: MIT */
/* Running a wave, and what the control handlers share with the translator. */
#ifndef RUNTIME_GCN_WAVE_RUN_H
#define RUNTIME_GCN_WAVE_RUN_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/translate/translate.h"

/* About how many micro-operations a wave may execute before its host thread looks around. They take some microseconds,
 * and, whatever they are, far less than 100 ms. */
enum { GCN_BUDGET = 1 << 10 };

/* Runs W from w->at until it stops, and returns why. A fault of guest memory becomes GCN_STOP_FAULT by a non-local jump
 * out of the handler, so handlers may hold nothing that the jump would lose. */
enum gcn_stop gcn_wave_run(struct gcn_wave *w);

/* Does the same, and then for the waves that NEXT returns for the wave that has stopped, each with the budget of the
 * first, until it returns NULL. *W becomes the last that ran. This goes from wave to wave in less time than calls of
 * gcn_wave_run(). */
typedef struct gcn_wave *gcn_next_wave(struct gcn_wave *w);
enum gcn_stop gcn_waves_run(struct gcn_wave **w, gcn_next_wave *next);

/* Has SIGSEGV and SIGBUS of a running wave become a fault of that wave; all others go to the handlers that were there
 * before. Calls are counted: each one is undone by one call of gcn_guard_release(). Returns 0 if the handlers cannot be
 * installed. */
int gcn_guard_acquire(void);
void gcn_guard_release(void);

/* Calls RUN, which may leave nothing behind if it is left by a jump. False if it accessed memory that there is not. */
bool gcn_guarded(void (*run)(void *data), void *data);

/* Handlers that the translator places by itself. */
gcn_handler gcn_control_goto;      /* to op + imm */
gcn_handler gcn_control_goto_back; /* ... which is at or before op */
gcn_handler gcn_control_count;     /* takes imm off the budget */
gcn_handler gcn_control_enter;     /* to the instruction of another unit at the address in src[0] */
gcn_handler gcn_control_fault;     /* raises a fault of the kind imm */
gcn_handler gcn_control_doorbell;  /* the message that asks for the doorbell: writes its number to EXEC_LO */

struct gcn_branch_handlers {
    uint16_t id;
    gcn_handler *forward, *back;
};
extern const struct gcn_branch_handlers gcn_control_branches[]; /* the last row has no handlers */

#endif
