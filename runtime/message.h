/* SPDX-License-Identifier: MIT */
/* Messages for people, which the runtime prints where the environment asks for them. */
#ifndef RUNTIME_MESSAGE_H
#define RUNTIME_MESSAGE_H

#include <stdbool.h>

/* MESSAGE_QUEUE_STOPPED, ...: one for each row of runtime/message.def. */
enum message {
#define MESSAGE(name, id, subject, text) MESSAGE_##name,
#include "runtime/message.def"
#undef MESSAGE
    MESSAGE_COUNT
};

/* Prints a row of the table, with what its text wants, if the environment asks for its subject. */
void message_print(enum message message, ...);

/* Whether HSA_ENABLE_QUEUE_FAULT_MESSAGE asks for messages of all queues that stop. */
bool message_queues_asked(void);

#endif
