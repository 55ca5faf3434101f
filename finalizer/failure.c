/* SPDX-License-Identifier: MIT */
/* Turns rows of failure.def into statuses, ids and texts.
 * Input: a row and its arguments. Output: a filled struct failure. Invariant: a later failure never replaces the
 * first. */
#include "finalizer/failure.h"

#include "brig/diag_rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What kind of failure it is, as HSA's finalizer extension tells them apart. */
enum reason {
    REMARK = HSA_STATUS_SUCCESS,
    ARGUMENT = HSA_STATUS_ERROR_INVALID_ARGUMENT,
    TARGET = HSA_STATUS_ERROR_INVALID_ISA,
    OPTION = HSA_STATUS_ERROR,
    MEMORY = HSA_STATUS_ERROR_OUT_OF_RESOURCES,
    MODULE = HSA_EXT_STATUS_ERROR_INVALID_MODULE,
    INCOMPATIBLE = HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE,
    INCLUDED = HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED,
    SYMBOL = HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH,
    DIRECTIVE = HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH,
    FAILED = HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED
};

static const struct {
    const char *id;
    enum reason reason;
} rows[MESSAGE_COUNT] = {
#define MESSAGE(name, id, status, text) [MESSAGE_##name] = {id, status},
#include "finalizer/failure.def"
#undef MESSAGE
};

bool failure_record_(struct failure *failure, enum failure_message message, const char *text, ...)
{
    if (failure->message)
        return false;
    size_t used = strlen(failure->text);
    va_list args;
    va_start(args, text);
    vsnprintf(failure->text + used, sizeof failure->text - used, text, args);
    va_end(args);
    failure->message = message;
    return false;
}

hsa_status_t failure_status(const struct failure *failure)
{
    return failure->message ? (hsa_status_t)rows[failure->message].reason : HSA_STATUS_SUCCESS;
}

const char *failure_id(const struct failure *failure)
{
    return failure->message == MESSAGE_MODULE_RULE ? diag_rules[failure->rule].id : rows[failure->message].id;
}

const char *failure_prm_section(const struct failure *failure)
{
    return failure->message == MESSAGE_MODULE_RULE ? diag_rules[failure->rule].section : "";
}

bool failure_is_sound(const struct failure *failure)
{
    return (unsigned)failure->message < MESSAGE_COUNT && failure->rule < DIAG_ID_COUNT &&
           memchr(failure->section, 0, sizeof failure->section) && memchr(failure->text, 0, sizeof failure->text);
}
