/* SPDX-License-Identifier: MIT */
/* Every mnemonic of syntax.def, which was typed from the PRM, must be accepted in the modules that have it, survive
 * printing and assembling, and be refused in a module that is older (A01-A53, M01-M22, G01-G07, B01-B13, C01-C05,
 * P01-P18, Q01-Q05). An HSAIL 1.0 assembler that is not ours has to agree, byte for byte.
 *
 * Up to SAMPLE mnemonics of a row are tried in each kind of module; HSAIL_GENERATE=all tries each of them. */
#include "testsuite/tap.h"
#include "testsuite/validate/verdict.h"
#include "testsuite/validate/other_assembler.h"
#include "testsuite/validate/syntax.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 75,           /* mnemonics of a row in a kind of module */
    MOST = 1 << 20,        /* ... when all are asked for */
    BATCH = 48,            /* statements in a module */
    JUDGED = 1,            /* batches that are given to the other assembler */
    NEIGHBOURS = 3,        /* mnemonics whose neighbours are tried */
    NEIGHBOURS_JUDGED = 4, /* neighbours that are given to the other assembler */
    MOST_TEXT = 1 << 16
};

static bool judged;
static char text[MOST_TEXT];

/* Statements that go into one module. */
struct batch {
    const struct syntax_row *row;
    enum syntax_world world;
    unsigned count;
    char mnemonic[BATCH][96], statement[BATCH][400];
};

struct tally {
    unsigned accepted, refused, judged, departing;
    char problem[1000];
};

static void complain(struct tally *tally, const char *what, const char *more, const char *statement)
{
    if (!*tally->problem)
        snprintf(tally->problem, sizeof tally->problem, "%s: %s\n%s", what, more, statement);
}

static void print_problem(struct tally *tally)
{
    for (char *line = strtok(tally->problem, "\n"); line; line = strtok(NULL, "\n"))
        printf("# %s\n", line);
}

/* The module of the statements FIRST to END; FOR_JUDGE leaves out what the judge does not know. */
static void make_module(const struct batch *batch, unsigned minor, unsigned first, unsigned end, bool for_judge)
{
    static char kernel[MOST_TEXT / 2], function[MOST_TEXT / 2];
    size_t used[2] = {0, 0};
    *kernel = *function = '\0';
    for (unsigned i = first; i < end; i++) {
        bool inside = syntax_in_function(batch->mnemonic[i]);
        if (for_judge && judge_departs(batch->statement[i]))
            continue;
        used[inside] += (size_t)snprintf(
            (inside ? function : kernel) + used[inside], MOST_TEXT / 2 - used[inside], "%s", batch->statement[i]);
    }
    syntax_module(batch->world, minor, kernel, function, text, sizeof text);
}

/* What is wrong with the module in TEXT; NULL if nothing is. */
static const char *problem_of_text(char *more, size_t size)
{
    struct verdict verdict;
    check_text(text, &verdict);
    snprintf(more, size, "%s", verdict.message);
    const char *problem =
        verdict.accepted ? check_round_trip((struct bytes){verdict.module, verdict.size}) : "it is refused";
    verdict_free(&verdict);
    return problem;
}

static const char *problem_of_judge(void)
{
    struct verdict verdict;
    struct bytes other;
    const char *problem = NULL;
    check_text(text, &verdict);
    if (!judge_text(text, &other))
        problem = "the other assembler refuses it";
    else if (other.size != verdict.size || memcmp(other.data, verdict.module, other.size) != 0)
        problem = "the other assembler writes other bytes";
    verdict_free(&verdict);
    return problem;
}

static void check_batch(const struct batch *batch, unsigned minor, struct tally *tally)
{
    char more[160];
    make_module(batch, minor, 0, batch->count, false);
    if (problem_of_text(more, sizeof more))
        for (unsigned i = 0; i < batch->count && !*tally->problem; i++) {
            make_module(batch, minor, i, i + 1, false);
            const char *problem = problem_of_text(more, sizeof more);
            if (problem)
                complain(tally, problem, more, batch->statement[i]);
        }
    tally->accepted += batch->count;
}

static void judge_batch(const struct batch *batch, struct tally *tally)
{
    for (unsigned i = 0; i < batch->count; i++)
        tally->departing += judge_departs(batch->statement[i]) != NULL;
    tally->judged += batch->count;
    make_module(batch, 0, 0, batch->count, true);
    if (!problem_of_judge())
        return;
    for (unsigned i = 0; i < batch->count && !*tally->problem; i++) {
        make_module(batch, 0, i, i + 1, true);
        const char *problem = problem_of_judge();
        if (problem)
            complain(tally, problem, "", batch->statement[i]);
    }
}

/* A module of HSAIL 1:0 must not have what is newer, and other modules must not have what only HSAIL 1:0 has. */
static void check_missing(const struct batch *batch, unsigned minor, struct tally *tally)
{
    struct verdict verdict;
    make_module(batch, minor, 0, 1, false);
    check_text(text, &verdict);
    if (verdict.accepted || (!minor && strcmp(verdict.error->id, "needs-1-2") != 0))
        complain(tally, minor ? "HSAIL 1:2 has it" : "HSAIL 1:0 has it", verdict.message, batch->statement[0]);
    verdict_free(&verdict);
}

static void finish_batch(struct batch *batch, unsigned number, struct tally *tally)
{
    if (!batch->count)
        return;
    for (unsigned minor = 0; minor <= 2; minor += 2)
        if (syntax_has(batch->row, minor))
            check_batch(batch, minor, tally);
        else
            check_missing(batch, minor, tally);
    if (syntax_has(batch->row, 0) && judged && number < JUDGED)
        judge_batch(batch, tally);
    batch->count = 0;
}

/* Samples of a row. A large stride, which is prime, reaches all its alternatives; a small row is tried with several
 * variants of operands. */
static void check_row(const struct syntax_row *row, enum syntax_world world, uint64_t most, struct tally *tally)
{
    static struct batch batch;
    uint64_t all = syntax_count(row->mnemonics), number = 0;
    uint64_t count = all < most ? all : most, variants = *row->operands ? 16 : 1;
    if (count == all && count * variants > most)
        variants = (most + count - 1) / count;
    batch = (struct batch){.row = row, .world = world};
    for (uint64_t i = 0; i < count * (all <= most ? variants : 1); i++) {
        uint64_t index = all <= most ? i % all : i * 2654435761u % all;
        unsigned variant = (unsigned)(all <= most ? i / all + (i % all ? i % all % 7 : 0) : i % 11);
        syntax_expand(row->mnemonics, index, batch.mnemonic[batch.count], sizeof *batch.mnemonic);
        syntax_statement(row, batch.mnemonic[batch.count], world, variant, batch.statement[batch.count],
                         sizeof *batch.statement);
        if (++batch.count == BATCH)
            finish_batch(&batch, (unsigned)number++, tally);
    }
    finish_batch(&batch, (unsigned)number, tally);
}

/* ---- Neighbours ------------------------------------------------------------------------------------ */

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Checks that a statement alone is refused, with one of IDS if there are any; the other assembler must refuse it, too.
 */
static void check_refused(struct tally *tally, enum syntax_world world, const char *mnemonic, const char *statement,
                          const char *ids, unsigned minor)
{
    struct verdict verdict;
    struct bytes out;
    bool inside = syntax_in_function(mnemonic);
    syntax_module(world, minor, inside ? "" : statement, inside ? statement : "", text, sizeof text);
    check_text(text, &verdict);
    tally->refused++;
    if (verdict.accepted)
        complain(tally, "it is accepted", ids ? ids : "", statement);
    else if (ids && !has_word(ids, verdict.error->id))
        complain(tally, "another finding", verdict.error->id, statement);
    verdict_free(&verdict);
    if (!judged || minor || tally->judged >= NEIGHBOURS_JUDGED || judge_departs(statement))
        return;
    tally->judged++;
    if (judge_text(text, &out))
        complain(tally, "the other assembler accepts", "", statement);
}

static void check_neighbours(const struct syntax_row *row, enum syntax_world world, struct tally *tally)
{
    char mnemonic[96], other[128], statement[512];
    const char *ids, *operands;
    uint64_t all = syntax_count(row->mnemonics);
    unsigned minor = syntax_has(row, 0) ? 0 : 2;
    for (uint64_t i = 0; i < NEIGHBOURS && i < all; i++) {
        syntax_expand(row->mnemonics, all <= NEIGHBOURS ? i : i * 2654435761u % all, mnemonic, sizeof mnemonic);
        for (unsigned n = 0; syntax_wrong_operand(row, mnemonic, world, n, statement, sizeof statement, &ids); n++)
            if (*statement)
                check_refused(tally, world, mnemonic, statement, ids, minor);
        syntax_statement(row, mnemonic, world, 0, statement, sizeof statement);
        operands = *statement == '{' ? NULL : statement + strlen(mnemonic);
        for (unsigned n = 0; operands && syntax_wrong_mnemonic(mnemonic, n, other, sizeof other); n++) {
            char wrong[700];
            if (syntax_find(other, world, minor))
                continue;
            snprintf(wrong, sizeof wrong, "%s%s", other, operands);
            check_refused(tally, world, mnemonic, wrong, NULL, minor);
        }
    }
}

int main(void)
{
    static const char *const worlds[] = {"full large", "full small", "base large", "base small"};
    const char *budget = getenv("HSAIL_GENERATE");
    uint64_t most = budget && strcmp(budget, "all") == 0 ? MOST : SAMPLE;
    judged = judge_open();
    if (!judged)
        tap_skip("comparison with another assembler", "no HSAIL 1.0 assembler is installed");
    for (size_t i = 0; i < syntax_row_count; i++) {
        const struct syntax_row *row = &syntax_rows[i];
        struct tally tally = {0};
        char where[64] = "";
        for (unsigned world = 0; world < SYNTAX_WORLDS; world++)
            if (row->gate >> world & 1) {
                snprintf(where + strlen(where), sizeof where - strlen(where), "%s%s", *where ? ", " : "",
                         worlds[world]);
                check_row(row, (enum syntax_world)world, most, &tally);
            }
        if (!ok(!*tally.problem, "%.60s in %s: %u statements, %u judged, %u departing", row->mnemonics, where,
                tally.accepted, tally.judged, tally.departing))
            print_problem(&tally);
        struct tally wrong = {0};
        for (unsigned world = 0; world < SYNTAX_WORLDS; world++)
            if (row->gate >> world & 1)
                check_neighbours(row, (enum syntax_world)world, &wrong);
        if (wrong.refused && !ok(!*wrong.problem, "neighbours of %.40s: %u refused, %u judged", row->mnemonics,
                                 wrong.refused, wrong.judged))
            print_problem(&wrong);
    }
    if (judged)
        judge_close();
    return tap_done();
}
