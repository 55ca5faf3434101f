/* SPDX-License-Identifier: MIT */
/* Reports results of tests in C as TAP, the Test Anything Protocol: one line for each named check, and the plan at the
 * end.
 *
 *     int main(void) { ok(1 + 1 == 2, "sums"); return tap_done(); } */
#ifndef TESTSUITE_TAP_H
#define TESTSUITE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

/* Reports one check. Returns CONDITION, so that a test can stop if it makes no sense to go on. */
__attribute__((format(printf, 4, 5), unused)) static bool tap_ok_(bool condition, const char *file, int line,
                                                                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%sok %d - ", condition ? "" : "not ", ++tap_count);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    if (!condition) {
        tap_failed++;
        printf("# failed at %s:%d\n", file, line);
    }
    fflush(stdout);
    return condition;
}
#define ok(condition, ...) tap_ok_((condition), __FILE__, __LINE__, __VA_ARGS__)

/* Reports a check that cannot run here, with its reason. */
__attribute__((unused)) static void tap_skip(const char *name, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, name, reason);
    fflush(stdout);
}

/* Prints the plan; returns the exit status for main(). */
__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
