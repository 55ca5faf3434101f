/* SPDX-License-Identifier: MIT */
/* The rules of brig/tables/diag.def as numbers and rows.
 *
 *     diag_report(list, DIAG_RULE(BRIG_MAGIC), place); */
#ifndef BRIG_DIAG_H
#define BRIG_DIAG_H

#include "support/diag.h"

enum diag_id {
#define DIAG(name, severity, id, format, section, manual) DIAG_##name,
#include "brig/tables/diag.def"
    DIAG_ID_COUNT
};

/* By enum diag_id. */
extern const struct diag_rule diag_rules[DIAG_ID_COUNT];

#define DIAG_RULE(name) (&diag_rules[DIAG_##name])

/* The rule with this id, or NULL. */
const struct diag_rule *diag_rule_find(const char *id, size_t length);

/* A place in one of the standard sections. */
struct diag_place diag_in_brig(unsigned section, uint64_t offset);

/* A place in the module as a whole. */
struct diag_place diag_in_module(uint64_t offset);

#endif
