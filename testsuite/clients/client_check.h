// SPDX-License-Identifier: MIT
// What the client programs share: each check is one line, which clients.sh turns into a result.
#ifndef TESTSUITE_CLIENTS_CLIENT_CHECK_H
#define TESTSUITE_CLIENTS_CLIENT_CHECK_H

#include <stdbool.h>
#include <stdio.h>

static int check_failures;

static inline bool check(bool good, const char *what)
{
    printf("%s %s\n", good ? "PASS" : "FAIL", what);
    fflush(stdout);
    check_failures += !good;
    return good;
}

#endif
