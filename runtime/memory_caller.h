/* SPDX-License-Identifier: MIT */
/* Who allocated or freed memory: for reports of what kernels do with it. */
#ifndef RUNTIME_MEMORY_CALLER_H
#define RUNTIME_MEMORY_CALLER_H

#include "support/textbuf.h"

enum { CALLER_FRAMES = 16, CALLER_THREAD_NAME = 16 };

struct memory_caller {
    void *frames[CALLER_FRAMES]; /* return addresses, from the inside to the outside */
    int count;                   /* 0: not known */
    int thread;
    char thread_name[CALLER_THREAD_NAME];
};

/* Notes who is calling the runtime, if that is wanted: where the environment asks for messages about faults or for what
 * helps to find them, as looking at the stack takes some microseconds. */
void memory_caller_note(struct memory_caller *caller);

/* Adds ", WORD by function+0x10 of program in thread 7 (name)"; nothing if CALLER is not known. */
void memory_caller_text(const struct memory_caller *caller, const char *word, struct textbuf *text);

/* Adds the member MEMBER to an object that has members already; nothing if CALLER is not known. */
void memory_caller_json(const struct memory_caller *caller, const char *member, struct textbuf *json);

#endif
