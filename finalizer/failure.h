/* SPDX-License-Identifier: MIT */
/* Why something failed: a row of failure.def with its arguments, and the place in a module.
 *
 *     return failure_record(failure, MODULE_TWICE);
 *
 * A failure is plain data: the process that compiles sends it to the one that asked for the code object. */
#ifndef FINALIZER_FAILURE_H
#define FINALIZER_FAILURE_H

#include "hsa/hsa_ext_finalize.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* MESSAGE_ARGUMENT_MISSING, ...: one for each row of failure.def. */
enum failure_message {
    MESSAGE_NONE,
#define MESSAGE(name, id, status, text) MESSAGE_##name,
#include "finalizer/failure.def"
#undef MESSAGE
    MESSAGE_COUNT
};

/* The texts are constants, so that the compiler can check the arguments of failure_record(). */
#define MESSAGE(name, id, status, text) static const char message_text_##name[] __attribute__((unused)) = text;
#include "finalizer/failure.def"
#undef MESSAGE

enum { FAILURE_TEXT_SIZE = 768 };

struct failure {
    enum failure_message message; /* MESSAGE_NONE: nothing failed */
    uint32_t rule;                /* for MESSAGE_MODULE_RULE, the broken rule: enum diag_id */
    uint32_t module;              /* the module in which it was found, counted from 1, or 0 */
    char section[16];             /* the section of BRIG in which it was found, or "" */
    uint64_t offset;              /* the place in that section */
    char text[FAILURE_TEXT_SIZE];
};

/* Records the row NAME with its arguments, unless a failure has been recorded before. The caller may have put the
 * beginning of the message into the text; the row's text is added to it. Returns false. */
#define failure_record(failure, name, ...) \
    failure_record_((failure), MESSAGE_##name, message_text_##name __VA_OPT__(, ) __VA_ARGS__)
bool failure_record_(struct failure *failure, enum failure_message message, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

/* The failure as a status of HSA; success if nothing has failed. */
hsa_status_t failure_status(const struct failure *failure);

/* The id of the failure's row, or of the rule that a module breaks; and the rule's section of the PRM, or "". */
const char *failure_id(const struct failure *failure);
const char *failure_prm_section(const struct failure *failure);

/* Whether a failure received from another process is well formed. */
bool failure_is_sound(const struct failure *failure);

#endif
