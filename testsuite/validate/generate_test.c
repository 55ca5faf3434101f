/* SPDX-License-Identifier: MIT */
/* Instructions made from the tables, in each profile and machine model: legal ones with all kinds of operands, and
 * instructions that differ from these in one modifier or one operand (R47-R59, R61, R63, R65-R67, R69-R71).
 *
 * syntax.def, typed from the PRM, says which mnemonics are legal; the checks must say the same. What is legal must be
 * printed as text that assembles to a module of the same meaning. What is not legal must be refused as BRIG and as
 * text, with the right finding: one that names a modifier whose change alone would make the instruction legal, or whose
 * value is never legal with these types. A sample of the refused ones is given, as HSAIL 1:0, to another assembler,
 * which must refuse them as well.
 *
 * The budgets below keep this within seconds; HSAIL_GENERATE=all tries all modifiers of nearly all opcodes. */
#include "support/alloc.h"
#include "testsuite/brig/equivalent.h"
#include "testsuite/tap.h"
#include "testsuite/validate/verdict.h"
#include "testsuite/validate/generate.h"
#include "testsuite/validate/other_assembler.h"

#include <stdlib.h>

enum { SAMPLE = 30, SURROUNDED = 2, INSTANCES = 4, VARIANTS = 16, WAYS = 9, JUDGED = 4 };

static uint64_t most = SAMPLE;
static bool judged;

struct tally {
    unsigned legal, illegal, judged;
    char problem[2000];
};

static void complain(struct tally *tally, const char *what, const char *more, const char *text)
{
    const char *last = text ? strstr(text, "@l:") : NULL;
    if (!*tally->problem)
        snprintf(tally->problem, sizeof tally->problem, "%s: %s\n%s", what, more ? more : "",
                 last   ? last
                 : text ? text
                        : "");
}

static void report(struct tally *tally, const char *what, const char *mnemonic)
{
    if (!ok(!*tally->problem && tally->legal + tally->illegal,
            "%s: %s: %u legal, %u illegal, %u shown to another "
            "assembler",
            mnemonic, what, tally->legal, tally->illegal, tally->judged))
        for (char *line = strtok(tally->problem, "\n"); line; line = strtok(NULL, "\n"))
            printf("# %s\n", line);
}

/* ---- One module ------------------------------------------------------------------------------------ */

static void check_accepted(struct tally *tally, struct bytes module, const char *text)
{
    char why[160] = "";
    struct brig_view before, after;
    struct verdict again;
    check_text(text, &again);
    if (!again.accepted)
        complain(tally, "its text is refused", again.message, text);
    else if (brig_open(module.data, module.size, NULL, &before) != BRIG_OK ||
             brig_open(again.module, again.size, NULL, &after) != BRIG_OK ||
             !brig_equivalent(&before, &after, why, sizeof why))
        complain(tally, "its text means something else", why, text);
    verdict_free(&again);
}

/* The text of a refused module must get the same finding, unless the syntax of text cannot express it. */
static void check_refused(struct tally *tally, const struct verdict *verdict, char *text, bool newer)
{
    struct verdict again;
    struct bytes out;
    check_text(text, &again);
    if (again.accepted && strcmp(verdict->error->id, "constant-type") != 0) /* in text, a plain number has no type */
        complain(tally, "its text is accepted", verdict->message, text);
    else if (!again.accepted && again.error != verdict->error && again.module)
        complain(tally, "its text has another finding", again.error->id, text);
    verdict_free(&again);
    char *version = strstr(text, "&m:1:2:");
    if (again.accepted || !judged || newer || tally->judged >= JUDGED || !version)
        return;
    version[5] = '0';
    check_text(text, &again); /* HSAIL 1:0 accepts some more */
    bool refused = !again.accepted;
    verdict_free(&again);
    if (!refused)
        return;
    tally->judged++;
    if (judge_text(text, &out))
        complain(tally, "the other assembler accepts", verdict->message, text);
}

/* Builds a module, and checks that its verdict is LEGAL. The finding goes to *VERDICT. False if it cannot be built. */
static bool check_built(struct tally *tally, const struct lang_inst *inst, enum syntax_world world, unsigned variant,
                        struct generate_wrong *wrong, const struct syntax_row *legal, struct verdict *verdict)
{
    struct lang_inst complete = *inst;
    uint8_t *module;
    size_t size;
    lang_complete(&complete, 2);
    const struct generate_frame *frame = generate_frame(world, &complete);
    if (!frame || !generate_module(frame, &complete, variant, wrong, &module, &size))
        return false;
    struct bytes bytes = {module, size};
    check_module(bytes, verdict);
    char *text = check_opens(bytes) ? check_print(bytes) : NULL;
    bool expected = legal && !wrong;
    tally->legal += verdict->accepted;
    tally->illegal += !verdict->accepted;
    if (verdict->accepted != expected)
        complain(tally, expected ? "it is refused" : "it is accepted", wrong ? wrong->what : verdict->message, text);
    else if (verdict->accepted && !text)
        complain(tally, "it does not print", inst->op->text, NULL);
    else if (verdict->accepted)
        check_accepted(tally, bytes, text);
    else if (text)
        check_refused(tally, verdict, text, legal && legal->since);
    mem_free(text);
    mem_free(module);
    return true;
}

/* ---- Modifiers ------------------------------------------------------------------------------------- */

#define D(dim) (1u << LANG_DIM_##dim)

/* The modifiers that a finding blames. */
static uint32_t blamed(const char *id)
{
    static const struct {
        const char *id;
        uint32_t dims;
    } rows[] = {
        {"inst-type", D(TYPE)},
        {"inst-source", D(SOURCE)},
        {"inst-coord", D(COORD)},
        {"inst-vector", D(VECTOR)},
        {"inst-segment", D(SEGMENT)},
        {"inst-const", D(CONST)},
        {"inst-ftz", D(FTZ)},
        {"inst-round", D(ROUND)},
        {"inst-pack", D(PACK)},
        {"inst-sat", D(SAT) | D(PACK)},
        {"inst-compare", D(COMPARE)},
        {"inst-order", D(ORDER)},
        {"inst-scope", D(SCOPE)},
        {"inst-query", D(QUERY)},
        {"inst-geometry", D(GEOMETRY)},
        {"inst-operation", D(OPERATION)},
        {"brig-operation", D(OPERATION)},
        {"inst-shape", D(TYPE) | D(SOURCE)},
        {"base-double", D(TYPE) | D(SOURCE)},
        {"signal-model", D(TYPE) | D(SOURCE)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].id, id) == 0)
            return rows[i].dims;
    return 0;
}

static const struct syntax_row *row_of(const struct lang_inst *inst, enum syntax_world world)
{
    char mnemonic[128];
    generate_mnemonic(inst, mnemonic, sizeof mnemonic);
    return syntax_find(mnemonic, world, 2);
}

/* Whether another value of one of DIMS would make the instruction legal. */
static bool would_mend(const struct lang_inst *inst, enum syntax_world world, uint32_t dims)
{
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        struct lang_inst other = *inst;
        if (!(dims >> slots[i].dim & 1))
            continue;
        for (unsigned choices = generate_values(&slots[i], values); choices--;) {
            other.value[slots[i].dim] = values[choices];
            if (row_of(&other, world))
                return true;
        }
    }
    return false;
}

/* Whether the values of DIMS are legal with these types and operations at all; the values of slots from FROM on are
 * still to be chosen. */
static bool could_stay(struct lang_inst *inst, enum syntax_world world, uint32_t dims, unsigned from)
{
    const uint32_t chosen = D(FTZ) | D(ROUND) | D(PACK) | D(SAT) | D(CONST) | D(VECTOR) | D(ORDER) | D(SCOPE);
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    while (from < count && !(chosen & ~dims & 1u << slots[from].dim))
        from++;
    if (from == count)
        return row_of(inst, world) != NULL;
    uint16_t *value = &inst->value[slots[from].dim], before = *value;
    unsigned choices = generate_values(&slots[from], values);
    if (slots[from].dim == LANG_DIM_ROUND) { /* there are many roundings, and none is special */
        choices = 2;
        values[0] = LANG_NOT_WRITTEN;
        values[1] = before;
    }
    bool found = false;
    while (choices-- && !found) {
        *value = values[choices];
        found = could_stay(inst, world, dims, from + 1);
    }
    *value = before;
    return found;
}

/* Checks an instruction that is one step away from a legal one: the finding must name something that could be changed.
 */
static void check_step(struct tally *tally, const struct lang_inst *inst, enum syntax_world world, enum lang_dim dim)
{
    struct lang_inst copy = *inst;
    struct verdict verdict;
    char mnemonic[128];
    if (!generate_is_plain(inst) || !check_built(tally, inst, world, 0, NULL, row_of(inst, world), &verdict) ||
        verdict.accepted)
        return;
    uint32_t dims = blamed(verdict.error->id);
    generate_mnemonic(inst, mnemonic, sizeof mnemonic);
    if (!dims)
        complain(tally, "it has an odd finding", verdict.error->id, mnemonic);
    else if (!(dims >> dim & 1) && !would_mend(inst, world, dims) && could_stay(&copy, world, dims, 0))
        complain(tally, "it blames the wrong modifier", verdict.message, mnemonic);
}

/* Checks every instruction that is one step away from INST. */
static void check_every_step(struct tally *tally, const struct lang_inst *inst, enum syntax_world world)
{
    uint16_t values[GENERATE_MOST_VALUES];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        if (slots[i].presence != LANG_REQUIRED && slots[i].presence != LANG_OPTIONAL)
            continue;
        for (unsigned choices = generate_values(&slots[i], values); choices--;) {
            struct lang_inst other = *inst;
            other.value[slots[i].dim] = values[choices];
            check_step(tally, &other, world, (enum lang_dim)slots[i].dim);
        }
    }
}

static void check_modifiers(const struct lang_op *op)
{
    struct tally tally = {0};
    struct lang_inst inst;
    struct verdict verdict;
    uint64_t all = generate_count(op);
    for (unsigned world = 0; world < SYNTAX_WORLDS; world++) {
        for (uint64_t i = 0; i < all && all <= most; i++) {
            generate_nth(op, i, &inst);
            if (generate_is_plain(&inst))
                check_built(&tally, &inst, world, 0, NULL, row_of(&inst, world), &verdict);
        }
        for (uint64_t i = 0; i < SAMPLE && generate_legal(op, world, &inst); i++) {
            check_built(&tally, &inst, world, 0, NULL, row_of(&inst, world), &verdict);
            if (i < SURROUNDED)
                check_every_step(&tally, &inst, world);
            enum lang_dim dim = generate_step(&inst);
            if (dim == LANG_DIM_COUNT)
                break;
            check_step(&tally, &inst, world, dim);
        }
    }
    report(&tally, "modifiers", op->text);
}

/* ---- Operands -------------------------------------------------------------------------------------- */

static void check_wrong_operands(struct tally *tally, const struct lang_inst *inst, enum syntax_world world)
{
    struct lang_inst complete = *inst;
    lang_complete(&complete, 2);
    unsigned count = lang_operand_count(&complete);
    const struct syntax_row *legal = row_of(inst, world);
    for (unsigned operand = 0; operand <= count + 1; operand++)
        for (unsigned way = 0; way < WAYS; way++) {
            struct verdict verdict;
            struct generate_wrong wrong = {.operand = operand, .way = way};
            char mnemonic[128];
            if (!check_built(tally, inst, world, 0, &wrong, legal, &verdict) || verdict.accepted)
                continue;
            generate_mnemonic(inst, mnemonic, sizeof mnemonic);
            if (strcmp(verdict.error->id, wrong.id) != 0) {
                complain(tally, wrong.what, verdict.error->id, mnemonic);
            }
        }
}

static void check_operands(const struct lang_op *op)
{
    struct tally tally = {0};
    struct lang_inst inst;
    struct verdict verdict;
    for (unsigned world = 0; world < SYNTAX_WORLDS; world++)
        for (unsigned i = 0; i < INSTANCES && generate_legal(op, world, &inst); i++) {
            for (unsigned variant = 0; variant < VARIANTS; variant++)
                check_built(&tally, &inst, world, variant, NULL, row_of(&inst, world), &verdict);
            check_wrong_operands(&tally, &inst, world);
        }
    report(&tally, "operands", op->text);
}

int main(void)
{
    const char *budget = getenv("HSAIL_GENERATE");
    if (budget && strcmp(budget, "all") == 0)
        most = 200000;
    judged = judge_open();
    if (!judged)
        tap_skip("comparison with another assembler", "no HSAIL 1.0 assembler is installed");
    for (unsigned i = 0; i < LANG_OP_COUNT_OF_HSAIL; i++) {
        check_modifiers(lang_op_at(i));
        check_operands(lang_op_at(i));
    }
    if (judged)
        judge_close();
    return tap_done();
}
