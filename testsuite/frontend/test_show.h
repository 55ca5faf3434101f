/* SPDX-License-Identifier: MIT */
/* Shows the errors of tests that expect none. */
#ifndef TESTSUITE_FRONTEND_TEST_SHOW_H
#define TESTSUITE_FRONTEND_TEST_SHOW_H

#include "hsail/hsail.h"

#include <stdio.h>

/* For hsail_context_set_diagnostics(); USER is not used. */
static inline void show_error(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    if (diagnostic->severity == HSAIL_SEVERITY_ERROR)
        printf("# %zu:%zu: %s: %s\n", diagnostic->line, diagnostic->column, diagnostic->id, diagnostic->message);
}

#endif
