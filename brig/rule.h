/* SPDX-License-Identifier: MIT */
/* Legality of the modifiers of an instruction, by tables/rule.def. */
#ifndef BRIG_RULE_H
#define BRIG_RULE_H

#include "brig/language.h"

/* What the source type has to do with the instruction's type. Several can hold at once. */
enum rule_shape {
    RULE_SHAPE_ELEMENT_OF_TYPE,    /* scalar source fits the elements of the packed type (5.9) */
    RULE_SHAPE_ELEMENT_OF_SOURCE,  /* the other way round */
    RULE_SHAPE_UNSIGNED_OF_SOURCE, /* unsigned, of the same length and count */
    RULE_SHAPE_SAME_COUNT,         /* as many elements */
    RULE_SHAPE_NARROWS,            /* as many elements, smaller than those of the source */
    RULE_SHAPE_WIDENS,             /* as many elements, larger */
    RULE_SHAPE_RESIZES,            /* as many elements, of another size */
    RULE_SHAPE_SATURATES,          /* as many elements, not larger, and another type */
};

/* Dimensions of rules: those of slot.def, RULE_DIM_TYPE, ..., one for each DIM there; and those of the module. */
enum rule_dim {
#define DIM(name, text, spelling, set, mask) RULE_DIM_##name,
#include "brig/tables/slot.def"
    RULE_DIM_PROFILE,
    RULE_DIM_MODEL,
    RULE_DIM_MINOR,
    RULE_DIM_SHAPE,
    RULE_DIM_COUNT
};

/* The facts about a module that rules depend on. */
struct rule_module {
    uint8_t profile; /* hsa_brig_profile_t */
    uint8_t model;   /* hsa_brig_machine_model_t */
    uint8_t minor;   /* of the version of HSAIL */
};

/* The verdict on an instruction: OK, or the dimension that broke a rule, and what its rule allows there. */
struct rule_verdict {
    bool ok;
    uint8_t dim;      /* enum rule_dim */
    uint64_t allowed; /* values as bits; types by enum lang_type_index */
};

/* Judges the modifiers of a decoded instruction; an opcode outside the tables is left to others and passes. */
struct rule_verdict rule_check(const struct rule_module *module, const struct lang_inst *inst);

/* The words of the values ALLOWED in DIM, separated by commas, as many as fit; for messages. */
void rule_describe(enum rule_dim dim, uint64_t allowed, char *text, size_t size);

#endif
