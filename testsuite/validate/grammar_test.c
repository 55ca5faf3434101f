/* SPDX-License-Identifier: MIT */
/* All mnemonics that can be spelled with an opcode, and whether they are accepted. The spellings come from the tables
 * (slot.def, value.def), the expected verdicts from syntax.def, which was typed from the PRM and does not use the
 * tables (A01-A53, M01-M22, G01-G07, B01-B13, C01-C05, P01-P18, Q01-Q05, R47-R58, R60, R61, R63, R65-R67).
 *
 * All combinations of modifiers and types are tried, in each profile and machine model and in modules of HSAIL 1:0, and
 * as many must be accepted as syntax.def counts. If an opcode has more than SAMPLE of them, only so many are tried, and
 * all that differ from legal ones in one word; HSAIL_GENERATE=all tries all of them. What is accepted must survive
 * printing, and an HSAIL 1.0 assembler that is not ours has to write the same bytes. */
#include "brig/validate.h"
#include "frontend/asm.h"
#include "testsuite/tap.h"
#include "testsuite/validate/verdict.h"
#include "testsuite/validate/generate.h"
#include "testsuite/validate/other_assembler.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 200,   /* mnemonics of an opcode */
    MOST = 1 << 24, /* ... when all are asked for */
    CHUNK = 2000,   /* statements in a module */
    STATEMENT = 256,
    MOST_TEXT = CHUNK * STATEMENT,
    MOST_ROWS = 400,
    MOST_PASSES = 12
};

static const struct {
    const char *name;
    enum syntax_world world;
    unsigned minor;
} settings[] = {
    {"full large", SYNTAX_FULL_LARGE, 2},        {"full small", SYNTAX_FULL_SMALL, 2},
    {"base large", SYNTAX_BASE_LARGE, 2},        {"base small", SYNTAX_BASE_SMALL, 2},
    {"full large of 1:0", SYNTAX_FULL_LARGE, 0}, {"base small of 1:0", SYNTAX_BASE_SMALL, 0},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* One opcode in one setting. */
struct run {
    const struct lang_op *op;
    unsigned setting;
    const struct syntax_row *rows[MOST_ROWS]; /* the rows that have the opcode, in any setting */
    unsigned row_count;
    uint64_t accepted, refused, judged;
    char problem[600];
};

/* Statements of one module. */
static struct chunk {
    unsigned count;
    char mnemonic[CHUNK][128];
    bool legal[CHUNK], refused[CHUNK], inside[CHUNK];
    uint8_t counts[CHUNK]; /* numbers of operands that were tried before, see put() */
    uint32_t begin[CHUNK];
} chunk;

static bool judged;
static char kernel[MOST_TEXT], function[MOST_TEXT], text[2 * MOST_TEXT + 8192];

static void complain(struct run *run, const char *what, const char *more, const char *mnemonic)
{
    if (!*run->problem)
        snprintf(run->problem, sizeof run->problem, "%s in %s: %s: %s", what, settings[run->setting].name, mnemonic,
                 more);
}

/* ---- Rows of an opcode ----------------------------------------------------------------------------- */

static void find_rows(struct run *run)
{
    unsigned opcodes;
    for (size_t i = 0; i < syntax_row_count && run->row_count < MOST_ROWS; i++)
        if (syntax_is_of(syntax_rows[i].mnemonics, run->op->text, &opcodes))
            run->rows[run->row_count++] = &syntax_rows[i];
}

static bool is_in(const struct syntax_row *row, unsigned setting)
{
    return (row->gate >> settings[setting].world & 1) && syntax_has(row, settings[setting].minor);
}

/* How many mnemonics the rows have, if # stands for as many numbers as generate_values() gives. */
static uint64_t count_legal(const struct run *run)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < run->row_count; i++) {
        const char *pattern = run->rows[i]->mnemonics, *number = strchr(pattern, '#');
        unsigned opcodes;
        syntax_is_of(pattern, run->op->text, &opcodes);
        uint64_t count = syntax_count(pattern) / opcodes;
        if (is_in(run->rows[i], run->setting))
            sum += number ? count / 2 * 3 : count; /* {,_equiv(#)} */
    }
    return sum;
}

static const struct syntax_row *legal_row(const struct run *run, const char *mnemonic)
{
    for (unsigned i = 0; i < run->row_count; i++)
        if (is_in(run->rows[i], run->setting) && syntax_matches(run->rows[i]->mnemonics, mnemonic))
            return run->rows[i];
    return NULL;
}

/* The row with the most suitable operands: one of its mnemonics has the most words at the beginning in common with
 * MNEMONIC. */
static const struct syntax_row *closest_row(const struct run *run, const char *mnemonic)
{
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%s", mnemonic);
    for (;;) {
        for (unsigned i = 0; i < run->row_count; i++)
            if (syntax_begins(run->rows[i]->mnemonics, prefix))
                return run->rows[i];
        char *last = strrchr(prefix, '_');
        if (!last)
            return run->rows[0];
        *last = '\0';
    }
}

/* ---- Modules --------------------------------------------------------------------------------------- */

/* Writes a statement. If the mnemonic has an operation that the opcode lacks, the document cannot say how many operands
 * it has, so several numbers are tried. */
static void put(const struct run *run, unsigned i, char *statement)
{
    static const char *const more[] = {"", " s1", " s1 s1"};
    char operands[64];
    struct syntax_row row = *closest_row(run, chunk.mnemonic[i]);
    if (chunk.counts[i] < sizeof more / sizeof *more)
        snprintf(operands, sizeof operands, "%s%s", row.operands, more[chunk.counts[i]]);
    else if (strrchr(row.operands, ' '))
        snprintf(operands, sizeof operands, "%.*s", (int)(strrchr(row.operands, ' ') - row.operands), row.operands);
    else
        *operands = '\0';
    row.operands = operands;
    syntax_statement(&row, chunk.mnemonic[i], settings[run->setting].world, 0, statement, STATEMENT);
}

/* Makes a module of the statements that have not been refused yet, and notes where each begins. FOR_JUDGE leaves out
 * those on which the other assembler is known to disagree. */
static void make_module(const struct run *run, bool for_judge)
{
    static const char first_of[2][16] = {"/* kernel */\n", "/* function */\n"};
    char *const part[2] = {kernel, function}, statement[STATEMENT];
    size_t used[2];
    for (unsigned i = 0; i < 2; i++)
        used[i] = (size_t)snprintf(part[i], MOST_TEXT, "%s", first_of[i]);
    for (unsigned i = 0; i < chunk.count; i++) {
        bool inside = chunk.inside[i];
        chunk.begin[i] = (uint32_t)used[inside];
        if (chunk.refused[i])
            continue;
        put(run, i, statement);
        if (!for_judge || !judge_departs(statement))
            used[inside] += (size_t)snprintf(part[inside] + used[inside], MOST_TEXT - used[inside], "%s", statement);
    }
    syntax_module(settings[run->setting].world, settings[run->setting].minor, kernel, function, text, sizeof text);
    uint32_t at[2] = {(uint32_t)(strstr(text, first_of[0]) - text), (uint32_t)(strstr(text, first_of[1]) - text)};
    for (unsigned i = 0; i < chunk.count; i++)
        chunk.begin[i] += at[chunk.inside[i]];
}

/* The statement at a place: of those that begin at or before it, the last one that is still in the module. */
static unsigned statement_at(uint64_t place)
{
    unsigned found = CHUNK;
    for (unsigned i = 0; i < chunk.count; i++)
        if (!chunk.refused[i] && chunk.begin[i] <= place && (found == CHUNK || chunk.begin[i] >= chunk.begin[found]))
            found = i;
    return found;
}

/* Whether a finding is about the words of the mnemonic, and not about operands, of which constants are checked before
 * the words. */
static bool is_of_words(const char *id)
{
    static const char *const ids[] = {
        "cvt-packing", "needs-1-2", "signal-model", "base-double", "brig-operation", "constant-type"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(id, ids[i]) == 0)
            return true;
    return strncmp(id, "inst-", 5) == 0 || strncmp(id, "modifier", 8) == 0;
}

/* Handles the first finding about a statement; true if the statement now has other operands and is to be tried again.
 */
static bool take_finding(struct run *run, unsigned i, const struct diag *finding)
{
    if (chunk.legal[i])
        complain(run, "it is refused", finding->message, chunk.mnemonic[i]);
    else if (strcmp(finding->rule->id, "operand-count") == 0 && chunk.counts[i] < 3) {
        chunk.counts[i]++;
        return true;
    } else if (!is_of_words(finding->rule->id))
        complain(run, "it is refused for its operands", finding->message, chunk.mnemonic[i]);
    return false;
}

/* Makes one pass over the statements that are left; false if nothing was refused. */
static bool refuse_some(struct run *run)
{
    static bool seen[CHUNK], gone[CHUNK];
    struct diag_list diag = {0};
    struct asm_result result = {0};
    struct brig_view view;
    make_module(run, false);
    memset(seen, 0, sizeof seen);
    memset(gone, 0, sizeof gone);
    enum brig_status status = asm_text(text, strlen(text), &diag, &result);
    if (status == BRIG_OK)
        status = brig_open(result.module, result.size, &diag, &view);
    if (status == BRIG_OK)
        brig_validate(&view, &diag);
    bool some = false;
    for (size_t i = 0; i < diag.items.count; i++) {
        const struct diag *finding = &diag.items.items[i];
        struct diag_place place = finding->place;
        if (finding->severity != DIAG_ERROR)
            continue;
        if (place.where == DIAG_IN_BINARY)
            place = asm_place_in_text(&result, text, strlen(text), (uint32_t)place.begin,
                                      brig_code(&view, (uint32_t)place.begin), place.part);
        unsigned number = statement_at(place.begin);
        some = true;
        if (number == CHUNK)
            complain(run, "a finding is outside of the statements", finding->message, finding->rule->id);
        else if (!seen[number])
            gone[number] = !take_finding(run, number, finding);
        seen[number % CHUNK] |= number < CHUNK;
    }
    for (unsigned i = 0; i < chunk.count; i++)
        chunk.refused[i] |= gone[i];
    asm_result_free(&result);
    diag_list_free(&diag);
    return some;
}

/* What is accepted must survive printing, and have the bytes that the other assembler writes. */
static void check_accepted(struct run *run, unsigned accepted)
{
    struct verdict verdict;
    struct bytes other;
    check_text(text, &verdict);
    const char *problem =
        verdict.accepted ? check_round_trip((struct bytes){verdict.module, verdict.size}) : verdict.message;
    if (problem)
        complain(run, "printing and assembling again", problem, chunk.mnemonic[0]);
    verdict_free(&verdict);
    if (!judged || settings[run->setting].minor)
        return;
    make_module(run, true);
    check_text(text, &verdict);
    if (!judge_text(text, &other) || other.size != verdict.size || memcmp(other.data, verdict.module, other.size) != 0)
        complain(run, "the other assembler writes other bytes", "", chunk.mnemonic[0]);
    verdict_free(&verdict);
    run->judged += accepted;
}

static void finish_chunk(struct run *run)
{
    unsigned accepted = 0;
    for (unsigned passes = 0; chunk.count && refuse_some(run) && passes < MOST_PASSES; passes++) {
    }
    for (unsigned i = 0; i < chunk.count; i++) {
        accepted += !chunk.refused[i];
        if (!chunk.refused[i] && !chunk.legal[i])
            complain(run, "it is accepted", "", chunk.mnemonic[i]);
    }
    if (accepted)
        check_accepted(run, accepted);
    run->accepted += accepted;
    run->refused += chunk.count - accepted;
    chunk.count = 0;
}

static void add(struct run *run, const char *mnemonic)
{
    unsigned i = chunk.count++;
    snprintf(chunk.mnemonic[i], sizeof chunk.mnemonic[i], "%s", mnemonic);
    chunk.legal[i] = legal_row(run, mnemonic) != NULL;
    chunk.inside[i] = syntax_in_function(mnemonic);
    chunk.refused[i] = false;
    chunk.counts[i] = 0;
    if (chunk.count == CHUNK)
        finish_chunk(run);
}

/* ---- Spellings ------------------------------------------------------------------------------------- */

static void add_nth(struct run *run, uint64_t index)
{
    struct lang_inst inst;
    char mnemonic[128];
    generate_nth(run->op, index, &inst);
    if (generate_is_double(&inst))
        return;
    generate_mnemonic(&inst, mnemonic, sizeof mnemonic);
    add(run, mnemonic);
}

/* Chooses a mnemonic of a row whose modifiers have values of generate_values(); each setting chooses another. */
static bool choose(const struct run *run, const struct syntax_row *row, char *mnemonic, struct lang_inst *inst)
{
    uint64_t all = syntax_count(row->mnemonics), index = 7 * run->setting;
    for (unsigned tries = 0; tries < 40; tries++) {
        syntax_expand(row->mnemonics, index++ * 2654435761u % all, mnemonic, 128);
        if (generate_parse(run->op, mnemonic, inst))
            return true;
    }
    return false;
}

/* Adds mnemonics in which one word is replaced, left out or inserted, for a mnemonic of each row. */
static void add_neighbours(struct run *run)
{
    char mnemonic[128];
    struct lang_inst inst, other;
    for (unsigned i = 0; i < run->row_count; i++) {
        bool found = choose(run, run->rows[i], mnemonic, &inst);
        for (unsigned step = 0; found && generate_each_step(&inst, step, &other); step++) {
            generate_mnemonic(&other, mnemonic, sizeof mnemonic);
            if (!generate_is_double(&other))
                add(run, mnemonic);
        }
    }
}

/* Adds mnemonics with a word of some modifier at each place, most of which the opcode cannot have at all, for a
 * mnemonic of each row. */
static void add_foreign(struct run *run)
{
    static const char *const words[] = {
        "ftz",    "up",       "zeroi_sat", "pp",       "s",   "sat", "v2", "const", "nt",
        "global", "align(4)", "equiv(1)",  "width(4)", "rlx", "wg",  "eq", "1d",    "nonull"};
    char mnemonic[128], other[160];
    struct lang_inst inst;
    for (unsigned i = 0; i < run->row_count; i++) {
        if (!is_in(run->rows[i], run->setting) || !choose(run, run->rows[i], mnemonic, &inst))
            continue;
        for (const char *at = mnemonic; (at = strchr(at, '_')) != NULL; at++)
            for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
                snprintf(other, sizeof other, "%.*s_%s%s", (int)(at - mnemonic), mnemonic, words[w], at);
                add(run, other);
            }
    }
}

static void check_opcode(const struct lang_op *op, uint64_t most)
{
    struct run run = {.op = op};
    uint64_t all = generate_count(op), accepted = 0, refused = 0;
    find_rows(&run);
    if (!ok(run.row_count, "%s is in syntax.def", op->text))
        return;
    for (run.setting = 0; run.setting < SETTINGS; run.setting++) {
        run.accepted = run.refused = 0;
        for (uint64_t i = 0; i < (all <= most ? all : most); i++)
            add_nth(&run, all <= most ? i : (i * 2654435761u + run.setting * 40503u) % all);
        if (all > most)
            add_neighbours(&run);
        finish_chunk(&run);
        uint64_t passed = run.accepted;
        add_foreign(&run);
        finish_chunk(&run);
        char counts[80];
        snprintf(counts, sizeof counts, "%llu pass, not %llu", (unsigned long long)passed,
                 (unsigned long long)count_legal(&run));
        if (all <= most && passed != count_legal(&run))
            complain(&run, "the number of legal mnemonics", counts, op->text);
        accepted += run.accepted;
        refused += run.refused;
    }
    if (!ok(!*run.problem, "%s: %s %llu accepted, %llu refused, %llu judged", op->text,
            all <= most ? "all:" : "sample:", (unsigned long long)accepted, (unsigned long long)refused,
            (unsigned long long)run.judged))
        printf("# %s\n", run.problem);
}

int main(void)
{
    const char *budget = getenv("HSAIL_GENERATE");
    uint64_t most = budget && strcmp(budget, "all") == 0 ? MOST : SAMPLE;
    judged = judge_open();
    if (!judged)
        tap_skip("comparison with another assembler", "no HSAIL 1.0 assembler is installed");
    for (unsigned i = 0; i < LANG_OP_COUNT_OF_HSAIL; i++)
        check_opcode(lang_op_at(i), most);
    if (judged)
        judge_close();
    return tap_done();
}
