/* SPDX-License-Identifier: MIT */
/* Opaque API handles: numbers that say what kind of object they stand for, and whether it still exists.
 *
 * A handle is slot index << 32 | generation << 8 | kind, and never 0. handle_get() takes no lock. */
#ifndef RUNTIME_HANDLE_H
#define RUNTIME_HANDLE_H

#include <stdint.h>

enum handle_kind {
    HANDLE_AGENT = 1,
    HANDLE_REGION,
    HANDLE_CACHE,
    HANDLE_ISA,
    HANDLE_WAVEFRONT,
    HANDLE_SIGNAL_GROUP,
    HANDLE_READER,
    HANDLE_EXECUTABLE,
    HANDLE_LOADED_CODE_OBJECT,
    HANDLE_EXECUTABLE_SYMBOL,
    HANDLE_CODE_SYMBOL,
    HANDLE_VMEM,
    HANDLE_PROGRAM_1P,
    HANDLE_MODULE_1P,
    HANDLE_FINALIZATION_1P
};

/* A handle for OBJECT (not NULL), or 0 when memory is out. */
uint64_t handle_new(enum handle_kind kind, void *object) __attribute__((warn_unused_result));

/* The object HANDLE stands for, or NULL when HANDLE is not a live handle of that kind. */
void *handle_get(uint64_t handle, enum handle_kind kind);

/* Ends the life of HANDLE, if it is live. */
void handle_delete(uint64_t handle);

/* handle_get() and handle_delete() in one step: of several callers one gets the object. */
void *handle_take(uint64_t handle, enum handle_kind kind);

/* Calls VISIT for every live object of KIND, in no order; the objects may be deleted by it. */
void handle_visit(enum handle_kind kind, void (*visit)(void *object));

/* Releases the table; all handles are dead, and stay so when the table is used again. */
void handle_shut_down(void);

#endif
