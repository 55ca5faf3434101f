/* SPDX-License-Identifier: MIT */
/* Turns the rows of diag.def into rules; see diag_rule.h.
 * Input: diag.def. Output: constant rows. Invariant: no rule has an empty message. */
#include "brig/diag_rule.h"

#include "brig/language.h"

const struct diag_rule diag_rules[DIAG_ID_COUNT] = {
#define DIAG(name, severity, id, format, section, manual) {id, format, section, manual, DIAG_##severity},
#include "brig/tables/diag.def"
};

const struct diag_rule *diag_rule_find(const char *id, size_t length)
{
    for (size_t i = 0; i < DIAG_ID_COUNT; i++)
        if (strlen(diag_rules[i].id) == length && memcmp(diag_rules[i].id, id, length) == 0)
            return &diag_rules[i];
    return NULL;
}

/* Findings in hsa_code come first, since they have the order of the source. */
struct diag_place diag_in_brig(unsigned section, uint64_t offset)
{
    static const uint8_t order[] = {
        [HSA_BRIG_SECTION_INDEX_CODE] = 1,
        [HSA_BRIG_SECTION_INDEX_OPERAND] = 2,
        [HSA_BRIG_SECTION_INDEX_DATA] = 3,
    };
    return (struct diag_place){
        .where = DIAG_IN_BINARY,
        .section = lang_value_text(LANG_SET_SECTION_INDEX, section),
        .order = order[section],
        .begin = offset,
        .end = offset,
    };
}

struct diag_place diag_in_code(uint64_t offset, struct diag_part part)
{
    struct diag_place place = diag_in_brig(HSA_BRIG_SECTION_INDEX_CODE, offset);
    place.part = part;
    return place;
}

struct diag_place diag_in_module(uint64_t offset)
{
    return (struct diag_place){.where = DIAG_IN_BINARY, .section = "module", .begin = offset, .end = offset};
}
