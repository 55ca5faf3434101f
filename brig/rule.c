/* SPDX-License-Identifier: MIT */
/* Checks an instruction against tables/rule.def; see rule.h.
 * Input: a decoded instruction. Output: the first rule that it breaks. Invariant: the rows of a class stand together,
 * its groups in ascending order, and every class of opcode.def has rows (testsuite/brig checks both). PRM 5-11. */
#include "brig/rule.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* RULES_ABS, ...: one for each row of operand.def. */
enum rule_class {
#define OPERAND_TYPES(rules, types) RULES_##rules,
#include "brig/tables/operand.def"
    RULES_COUNT
};

static const uint8_t class_of_opcode[] = {
#define OP(name, code, text, form, operands, rules, section) [LANG_OP_##name] = RULES_##rules,
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    [LANG_OP_##vendor##_##name] = RULES_##rules,
#include "brig/tables/opcode.def"
};

#define RULE_CONDS 5

/* A condition; a zero set ends the list. */
struct rule_cond {
    uint64_t set;
    uint8_t dim;
};

struct rule_row {
    uint8_t class_, group;
    struct rule_cond when[RULE_CONDS], then[RULE_CONDS];
};

#define BIT(x) (UINT64_C(1) << (x))
#define T(x)   BIT(LANG_TYPE_##x)
#define P(x)   BIT(HSA_BRIG_PACK_##x)
#define R(x)   BIT(HSA_BRIG_ROUND_##x)
#define C(x)   BIT(HSA_BRIG_COMPARE_OPERATION_##x)
#define G(x)   BIT(HSA_BRIG_SEGMENT_##x)
#define G_REGION BIT(HSA_VEN_AMD_BRIG_SEGMENT_REGION - 128 + 56)
#define O(x)   BIT(HSA_BRIG_MEMORY_ORDER_##x)
#define S(x)   BIT(HSA_BRIG_MEMORY_SCOPE_##x)
#define A(x)   BIT(HSA_BRIG_ATOMIC_OPERATION_##x)
#define GEO(x) BIT(HSA_EXT_BRIG_IMAGE_GEOMETRY_##x)
#define Q(x)   BIT(HSA_EXT_BRIG_IMAGE_QUERY_##x)
#define Q_LEVELS BIT(HSA_VEN_AMD_BRIG_IMAGE_QUERY_NUMMIPLEVELS)
#define N(x)   BIT(x)
#define NO     BIT(0)
#define YES    BIT(1)

#define TYPE(set)      {set, RULE_DIM_TYPE}
#define SOURCE(set)    {set, RULE_DIM_SOURCE}
#define COORD(set)     {set, RULE_DIM_COORD}
#define VECTOR(set)    {set, RULE_DIM_VECTOR}
#define SEGMENT(set)   {set, RULE_DIM_SEGMENT}
#define CONST(set)     {set, RULE_DIM_CONST}
#define FTZ(set)       {set, RULE_DIM_FTZ}
#define ROUND(set)     {set, RULE_DIM_ROUND}
#define PACK(set)      {set, RULE_DIM_PACK}
#define SAT(set)       {set, RULE_DIM_SAT}
#define COMPARE(set)   {set, RULE_DIM_COMPARE}
#define OPERATION(set) {set, RULE_DIM_OPERATION}
#define ORDER(set)     {set, RULE_DIM_ORDER}
#define SCOPE(set)     {set, RULE_DIM_SCOPE}
#define GEOMETRY(set)  {set, RULE_DIM_GEOMETRY}
#define QUERY(set)     {set, RULE_DIM_QUERY}
#define PROFILE(x)     {BIT(HSA_BRIG_PROFILE_##x), RULE_DIM_PROFILE}
#define MODEL(x)       {BIT(HSA_BRIG_MACHINE_MODEL_##x), RULE_DIM_MODEL}
#define MINOR(x)       {BIT(x), RULE_DIM_MINOR}
#define SHAPE(x)       {BIT(RULE_SHAPE_##x), RULE_DIM_SHAPE}

#define LIST(...) {__VA_ARGS__}
static const struct rule_row rows[] = {
#define RULE(class_, group, when, then) {RULES_##class_, group, LIST when, LIST then},
#include "brig/tables/rule.def"
};

/* Rows of a class: [first[class], first[class] + count[class]). */
static uint16_t first[RULES_COUNT];
static uint8_t count[RULES_COUNT];
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static void build_index(void)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!count[rows[i].class_])
            first[rows[i].class_] = (uint16_t)i;
        count[rows[i].class_]++;
    }
}

static bool is_dim_of_types(unsigned dim)
{
    return dim == RULE_DIM_TYPE || dim == RULE_DIM_SOURCE || dim == RULE_DIM_COORD;
}

static uint64_t type_bit(uint32_t code)
{
    const struct lang_type *type = lang_type_is_array(code) ? NULL : lang_type(code);
    return type ? UINT64_C(1) << type->index : 0;
}

/* The shapes that hold between the two types, as bits. */
static uint64_t shapes(const struct lang_inst *inst)
{
    const struct lang_type *to = lang_type(inst->value[LANG_DIM_TYPE]);
    const struct lang_type *from = lang_type(inst->value[LANG_DIM_SOURCE]);
    uint64_t set = 0;
    if (!to || !from || !to->count || !from->count)
        return 0;
    unsigned to_bits = to->bits / to->count, from_bits = from->bits / from->count;
    if (to->class_ == from->class_) {
        /* 8- and 16-bit integer elements are held in 32-bit scalars (5.9). */
        bool small_to = to->class_ != LANG_CLASS_FLOAT && to_bits < 32;
        bool small_from = from->class_ != LANG_CLASS_FLOAT && from_bits < 32;
        if (from->count == 1 && from_bits == (small_to ? 32 : to_bits))
            set |= BIT(RULE_SHAPE_ELEMENT_OF_TYPE);
        if (to->count == 1 && to_bits == (small_from ? 32 : from_bits))
            set |= BIT(RULE_SHAPE_ELEMENT_OF_SOURCE);
    }
    if (to->count != from->count)
        return set;
    set |= BIT(RULE_SHAPE_SAME_COUNT);
    if (to->class_ == LANG_CLASS_UNSIGNED && to_bits == from_bits)
        set |= BIT(RULE_SHAPE_UNSIGNED_OF_SOURCE);
    if (to_bits < from_bits)
        set |= BIT(RULE_SHAPE_NARROWS);
    if (to_bits > from_bits)
        set |= BIT(RULE_SHAPE_WIDENS);
    if (to_bits != from_bits)
        set |= BIT(RULE_SHAPE_RESIZES);
    if (to_bits <= from_bits && to != from)
        set |= BIT(RULE_SHAPE_SATURATES);
    return set;
}

static bool condition_holds(const struct rule_cond *cond, const struct rule_module *module,
                            const struct lang_inst *inst)
{
    uint32_t value;
    switch (cond->dim) {
    case RULE_DIM_SHAPE: return cond->set & shapes(inst);
    case RULE_DIM_PROFILE: value = module->profile; break;
    case RULE_DIM_MODEL: value = module->model; break;
    case RULE_DIM_MINOR: value = module->minor; break;
    default: value = inst->value[cond->dim];
    }
    if (is_dim_of_types(cond->dim))
        return cond->set & type_bit(value);
    return cond->set & lang_value_bit(value);
}

/* The first condition of the list that does not hold, or NULL. */
static const struct rule_cond *first_broken(const struct rule_cond *list, const struct rule_module *module,
                                            const struct lang_inst *inst)
{
    for (unsigned i = 0; i < RULE_CONDS && list[i].set; i++)
        if (!condition_holds(&list[i], module, inst))
            return &list[i];
    return NULL;
}

/* The verdict when no row from FIRST_ROW to END fits: it names the condition that fails after the most others have
 * held. */
static struct rule_verdict no_row(const struct rule_row *first_row, const struct rule_row *end,
                                  const struct rule_module *module, const struct lang_inst *inst)
{
    struct rule_verdict none = {.ok = false};
    ptrdiff_t most = -1;
    for (const struct rule_row *row = first_row; row < end; row++) {
        const struct rule_cond *broken = first_broken(row->when, module, inst);
        ptrdiff_t held = broken - row->when;
        if (held > most)
            none = (struct rule_verdict){.dim = broken->dim};
        if (held >= most && broken->dim == none.dim)
            none.allowed |= broken->set;
        most = held > most ? held : most;
    }
    return none;
}

struct rule_verdict rule_check(const struct rule_module *module, const struct lang_inst *inst)
{
    if (!inst->op)
        return (struct rule_verdict){.ok = true};
    pthread_once(&index_once, build_index);
    unsigned class_ = class_of_opcode[inst->op->index];
    const struct rule_row *row = rows + first[class_], *end = row + count[class_];
    while (row < end) {
        unsigned group = row->group;
        const struct rule_row *group_row = row;
        while (row < end && row->group == group && first_broken(row->when, module, inst))
            row++;
        if (row == end || row->group != group)
            return no_row(group_row, row, module, inst);
        const struct rule_cond *broken = first_broken(row->then, module, inst);
        if (broken)
            return (struct rule_verdict){.dim = broken->dim, .allowed = broken->set};
        while (row < end && row->group == group)
            row++;
    }
    return (struct rule_verdict){.ok = true};
}

static const char *const shape_text[] = {
    [RULE_SHAPE_ELEMENT_OF_TYPE] = "a scalar that fits the elements",
    [RULE_SHAPE_ELEMENT_OF_SOURCE] = "a scalar that fits the source's elements",
    [RULE_SHAPE_UNSIGNED_OF_SOURCE] = "the unsigned type of the source's shape",
    [RULE_SHAPE_SAME_COUNT] = "as many elements",
    [RULE_SHAPE_NARROWS] = "a narrower type",
    [RULE_SHAPE_WIDENS] = "a wider type",
    [RULE_SHAPE_RESIZES] = "a type of another size",
    [RULE_SHAPE_SATURATES] = "another type that is not wider",
};

/* What a message calls a value of a dimension; NULL when it has no name. */
static const char *value_text(enum rule_dim dim, unsigned value)
{
    const char *text;
    if (is_dim_of_types(dim)) {
        text = value < LANG_TYPE_COUNT ? lang_type_at(value)->text : NULL;
        return text && !*text ? "no type" : text;
    }
    switch (dim) {
    case RULE_DIM_SHAPE: return value < sizeof shape_text / sizeof *shape_text ? shape_text[value] : NULL;
    case RULE_DIM_PROFILE: return value == HSA_BRIG_PROFILE_FULL ? "$full" : "$base";
    case RULE_DIM_MODEL: return value == HSA_BRIG_MACHINE_MODEL_LARGE ? "$large" : "$small";
    case RULE_DIM_VECTOR: return value == 2 ? "v2" : value == 3 ? "v3" : value == 4 ? "v4" : "no vector";
    case RULE_DIM_SEGMENT:
        if (value == HSA_BRIG_SEGMENT_FLAT)
            return "flat";
        break;
    default: break;
    }
    const struct lang_dim_info *info = lang_dim((enum lang_dim)dim);
    if (info->mask)
        return value ? "present" : "absent";
    text = lang_value_text((enum lang_set)info->set, lang_value_of_bit(value));
    return text && !*text ? "none" : text;
}

void rule_describe(enum rule_dim dim, uint64_t allowed, char *text, size_t size)
{
    size_t used = 0;
    bool had_none = false;
    if (size)
        *text = '\0';
    for (unsigned value = 0; value < 64 && used < size; value++) {
        const char *word = allowed >> value & 1 ? value_text(dim, value) : NULL;
        bool none = word && !strcmp(word, "none");
        if (!word || (none && had_none))
            continue;
        had_none |= none; /* several values may be without a spelling */
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
        used += n > 0 ? (size_t)n : 0;
    }
}
