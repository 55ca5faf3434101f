/* SPDX-License-Identifier: MIT */
/* A callback of hsail/hsail.h that keeps the last diagnostic, for tests of hsail_finalize(). */
#ifndef TESTSUITE_FINDING_H
#define TESTSUITE_FINDING_H

#include "hsail/hsail.h"

#include <stdio.h>

/* To be set to zeros at first. */
struct finding {
    unsigned count;
    hsail_severity_t severity;
    char id[64], message[1024], name[256], section[32];
    uint64_t offset;
};

/* USER is a struct finding. */
static inline void keep_finding(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct finding *finding = user;
    const char *section = diagnostic->brig_section;
    finding->count++;
    finding->severity = diagnostic->severity;
    finding->offset = diagnostic->offset;
    snprintf(finding->id, sizeof finding->id, "%s", diagnostic->id);
    snprintf(finding->message, sizeof finding->message, "%s", diagnostic->message);
    snprintf(finding->name, sizeof finding->name, "%s", diagnostic->name);
    snprintf(finding->section, sizeof finding->section, "%s", section ? section : "");
}

#endif
