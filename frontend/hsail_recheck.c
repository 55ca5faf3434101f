/* SPDX-License-Identifier: MIT */
/* Checks what was assembled so that one run reports all errors: of syntax, structure and meaning; see hsail_p.h.
 * Input: a module, perhaps with statements left out. Output: findings in the text. Invariant: no check looks at a
 * module that the checks before have not accepted; an entry that is refused is turned into padding, and the checks
 * start again. */
#include "frontend/hsail_p.h"

#include "brig/language.h"
#include "frontend/lexer.h"
#include "support/search.h"
#include "support/vec.h"

#include <stdlib.h>

#define MOST_ROUNDS 8u /* there are fewer steps of the structural check */

struct recheck {
    struct diag_list *list;
    struct asm_result *result;
    const char *text;
    size_t size;
    bool lost; /* entries are missing, so that others may seem wrong */
    struct brig_view view;
    struct hsail_users users;
    VEC(uint64_t) errors;   /* where the errors of the text itself are, ascending */
    VEC(uint32_t) refused;  /* entries of hsa_code that the findings of a round are about */
    VEC(uint32_t) operands; /* the same of hsa_operand */
};

/* ---- What is refused is taken out ------------------------------------------------------------------ */

/* Changes a variable into one that can exist; false when there was nothing to change. */
static bool repair(hsa_brig_directive_variable_t *variable)
{
    hsa_brig_directive_variable_t before = *variable;
    bool array = lang_type_is_array(variable->type);
    variable->init = 0;
    variable->allocation =
        variable->segment == HSA_BRIG_SEGMENT_GLOBAL ? HSA_BRIG_ALLOCATION_PROGRAM
        : variable->segment == HSA_BRIG_SEGMENT_READONLY
            ? HSA_BRIG_ALLOCATION_AGENT
            : HSA_BRIG_ALLOCATION_AUTOMATIC;
    if (array && !brig_u64(variable->dim))
        variable->dim.lo = 1;
    if (variable->linkage == HSA_BRIG_LINKAGE_FUNCTION || variable->linkage == HSA_BRIG_LINKAGE_ARG)
        variable->modifier |= HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    return memcmp(&before, variable, sizeof before) != 0;
}

/* An entry of a section, to be changed. */
static hsa_brig_base_t *entry_at(struct recheck *recheck, unsigned section, uint32_t offset)
{
    const struct brig_section *from = &recheck->view.section[section];
    return (hsa_brig_base_t *)(void *)(recheck->result->module + (from->data - recheck->result->module) + offset);
}

static void blank(hsa_brig_base_t *entry, hsa_brig_kind_t kind)
{
    entry->kind = (uint16_t)kind;
    memset(entry + 1, 0, entry->byte_count - sizeof *entry);
}

/* Makes an entry harmless; false when others lead to it or it holds others. */
static bool neutralize(struct recheck *recheck, uint32_t code)
{
    hsa_brig_base_t *entry = entry_at(recheck, HSA_BRIG_SECTION_INDEX_CODE, code);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
        return repair((hsa_brig_directive_variable_t *)(void *)entry);
    if (!brig_is_inst(entry) && entry->kind != HSA_BRIG_KIND_DIRECTIVE_CONTROL &&
        entry->kind != HSA_BRIG_KIND_DIRECTIVE_PRAGMA && entry->kind != HSA_BRIG_KIND_DIRECTIVE_LOC)
        return false;
    blank(entry, HSA_BRIG_KIND_NONE);
    return true;
}

/* ---- What follows from other errors is dropped ----------------------------------------------------- */

/* Rules about what is missing, which may be what was taken out. */
static bool may_follow(const struct diag_rule *rule)
{
    return rule == DIAG_RULE(CALL_COUNT) || rule == DIAG_RULE(ARG_UNUSED) || rule == DIAG_RULE(CONST_UNSET) ||
           rule == DIAG_RULE(UNDEFINED_SYMBOL) || rule == DIAG_RULE(BRIG_NO_MODULE) ||
           rule == DIAG_RULE(BRIG_BEFORE_MODULE) || rule == DIAG_RULE(EXTENSION_IMAGE) ||
           rule == DIAG_RULE(BRIG_SHADOWED) || rule == DIAG_RULE(BRIG_ARG_BLOCK) ||
           rule <= DIAG_RULE(BRIG_EXPANSION); /* container and fields: text alone does not break these */
}

/* Rules about formal arguments, of which some are missing where a kernel or function was cut short. */
static bool may_follow_cut(const struct diag_rule *rule)
{
    return rule == DIAG_RULE(ARG_COUNT) || rule == DIAG_RULE(ARG_MISMATCH) || rule == DIAG_RULE(SCALL_MISMATCH) ||
           rule == DIAG_RULE(REDECLARED);
}

static int compare_errors(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void collect_errors(struct recheck *recheck)
{
    for (size_t i = 0; i < recheck->list->items.count; i++) {
        const struct diag *diag = &recheck->list->items.items[i];
        if (diag->severity == DIAG_ERROR && !vec_push(&recheck->errors, diag->place.begin))
            recheck->list->out_of_memory = true;
    }
    if (recheck->errors.count)
        qsort(recheck->errors.items, recheck->errors.count, sizeof *recheck->errors.items, compare_errors);
}

/* Whether the statement that begins at or after BEGIN was reported already. */
static bool is_reported(struct recheck *recheck, uint64_t begin)
{
    size_t low = search_first(recheck->errors.count, i, recheck->errors.items[i] >= begin);
    if (low == recheck->errors.count || !recheck->users.effort)
        return false;
    struct lexer lexer = {recheck->text, recheck->text + begin, recheck->text + recheck->size, recheck->text};
    for (int kind = 0, before = 0; kind != ';' && (kind != '{' || before == '=' || before == ',');) {
        before = kind; /* a brace after these is that of an aggregate */
        kind = lex_next(&lexer);
        recheck->users.effort -= recheck->users.effort != 0;
        if (kind == LEX_END || (uint64_t)(lexer.cursor - recheck->text) > recheck->errors.items[low])
            return true;
    }
    return false;
}

static bool is_consequence(struct recheck *recheck, const struct diag *diag)
{
    return (recheck->lost && may_follow(diag->rule)) || (recheck->result->cut && may_follow_cut(diag->rule)) ||
           (recheck->errors.count && diag->place.where == DIAG_IN_BINARY &&
            is_reported(recheck, asm_statement_at(recheck->result, (uint32_t)diag->place.begin)));
}

/* Keeps of the findings from the FIRST on those that are not consequences of others; of the warnings, which every round
 * finds again, only with WARNINGS. */
static void drop_consequences(struct recheck *recheck, size_t first, bool warnings)
{
    struct diag_list *list = recheck->list;
    size_t kept = first;
    bool dropping = false;
    for (size_t i = first; i < list->items.count; i++) {
        struct diag diag = list->items.items[i];
        if (diag.severity != DIAG_NOTE)
            dropping = is_consequence(recheck, &diag) || (diag.severity == DIAG_WARNING && !warnings);
        if (!dropping)
            list->items.items[kept++] = diag;
        else if (diag.severity == DIAG_ERROR)
            list->errors--;
    }
    list->items.count = kept;
}

/* ---- The whole check ------------------------------------------------------------------------------- */

/* Makes the findings of a round, from the FIRST on, findings in the text; the entries that they refuse go to `refused`.
 * False when it is not known which these are. */
static bool take_findings(struct recheck *recheck, size_t first, bool warnings)
{
    struct diag_list *list = recheck->list;
    struct hsail_users *users = &recheck->users;
    bool known = true;
    recheck->refused.count = recheck->operands.count = 0;
    for (size_t i = first; i < list->items.count; i++) {
        struct diag *diag = &list->items.items[i];
        struct diag_place place = diag->place;
        bool placed = hsail_place_to_code(users, &diag->place);
        hsail_place_to_code(users, &diag->sort);
        if (diag->severity != DIAG_ERROR)
            continue;
        known &= placed;
        bool operand = place.order == diag_in_brig(HSA_BRIG_SECTION_INDEX_OPERAND, 0).order;
        if (placed && (!vec_push(&recheck->refused, (uint32_t)diag->place.begin) ||
                       (operand && !vec_push(&recheck->operands, (uint32_t)place.begin))))
            list->out_of_memory = true;
    }
    drop_consequences(recheck, first, warnings);
    hsail_places_to_text(list, first, users, recheck->result, recheck->text, recheck->size);
    list->out_of_memory |= users->out_of_memory;
    hsail_users_free(users);
    return known && !list->out_of_memory;
}

/* Takes out what was refused; false when that is not possible. */
static bool neutralize_all(struct recheck *recheck)
{
    for (size_t i = 0; i < recheck->refused.count; i++) {
        uint32_t code = recheck->refused.items[i];
        if (brig_code(&recheck->view, code)->kind != HSA_BRIG_KIND_NONE && !neutralize(recheck, code))
            return false;
    }
    for (size_t i = 0; i < recheck->operands.count; i++)
        blank(entry_at(recheck, HSA_BRIG_SECTION_INDEX_OPERAND, recheck->operands.items[i]),
              HSA_BRIG_KIND_OPERAND_WAVESIZE);
    recheck->lost = true;
    return recheck->refused.count;
}

/* The fields of a module that nothing was taken out of are as the assembler made them. */
static enum brig_status open_module(struct recheck *recheck)
{
    const struct asm_result *result = recheck->result;
    if (recheck->lost)
        return brig_open(result->module, result->size, recheck->list, &recheck->view);
    return brig_open_built(result->module, result->size, result->referred, recheck->list, &recheck->view);
}

static enum brig_status check_in_rounds(struct recheck *recheck, unsigned flags)
{
    struct diag_list *list = recheck->list;
    for (unsigned round = 0; round < MOST_ROUNDS && !diag_full(list); round++) {
        size_t first = list->items.count;
        enum brig_status status = open_module(recheck);
        bool opened = status == BRIG_OK;
        bool known = (status == BRIG_OK || status == BRIG_INVALID) && take_findings(recheck, first, !round);
        first = list->items.count;
        if (opened && !(flags & HSAIL_NO_VALIDATION)) {
            status = hsail_validate(&recheck->view, list);
            take_findings(recheck, first, true);
        }
        if (opened || status != BRIG_INVALID)
            return status;
        if (!known || !neutralize_all(recheck))
            break;
    }
    return BRIG_INVALID;
}

enum brig_status hsail_check_text(struct diag_list *list, struct asm_result *result, enum brig_status status,
                                  const char *text, size_t size, unsigned flags, struct brig_view *view)
{
    struct recheck recheck = {.list = list, .result = result, .text = text, .size = size};
    size_t errors = list->errors;
    if (!result->module)
        return status;
    recheck.users = hsail_users_start(&recheck.view, result->size, size);
    recheck.lost = status != BRIG_OK;
    collect_errors(&recheck);
    enum brig_status checked = check_in_rounds(&recheck, flags);
    *view = recheck.view;
    vec_free(&recheck.errors);
    vec_free(&recheck.refused);
    vec_free(&recheck.operands);
    bool refused = recheck.lost || list->errors != errors; /* warnings may count as errors */
    return checked == BRIG_OK && refused ? BRIG_INVALID : checked;
}
