/* SPDX-License-Identifier: MIT */
/* What the parts of the mutator of BRIG share: mutate_brig.c and mutate_inst.c. */
#ifndef TESTSUITE_FUZZ_MUTATE_P_H
#define TESTSUITE_FUZZ_MUTATE_P_H

#include "brig/operand_type.h"
#include "testsuite/fuzz/loose.h"
#include "testsuite/fuzz/mutate.h"
#include "testsuite/tools/damage.h"

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define OPERAND HSA_BRIG_SECTION_INDEX_OPERAND
#define DATA HSA_BRIG_SECTION_INDEX_DATA

struct mutator {
    struct loose loose;
    uint64_t state;
    mutate_bytes_fn *bytes;
};

static inline uint32_t below(struct mutator *m, uint64_t limit)
{
    return limit ? (uint32_t)(mutate_next(&m->state) % limit) : 0;
}

static inline bool one_in(struct mutator *m, uint32_t n)
{
    return below(m, n) == 0;
}

static inline uint32_t reference_to(const struct loose_item *item)
{
    return item ? LOOSE_REFERENCE | item->number : 0;
}

typedef bool fits_fn(const struct loose_item *item, uint32_t argument);

/* mutate_brig.c. A random item that fits, or NULL. */
struct loose_item *some_item(struct mutator *m, unsigned section, fits_fn *fits, uint32_t argument);
bool has_kind(const struct loose_item *item, uint32_t kind);
/* Values that a field may have, and now and then others. */
uint32_t random_type(struct mutator *m, bool array);
uint64_t random_number(struct mutator *m, uint64_t old);
uint32_t random_enum(struct mutator *m, unsigned set);
/* Adds an entry at the end of hsa_data; returns a reference to it. */
uint32_t new_data(struct mutator *m, const void *bytes, uint32_t size, enum loose_content content);

/* mutate_inst.c. Inserts an instruction beside another one; now and then anywhere. */
void insert_instruction(struct mutator *m);

#endif
