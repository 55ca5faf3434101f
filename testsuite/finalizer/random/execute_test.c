/* SPDX-License-Identifier: MIT */
/* Executes the mnemonics that are legal according to the manual's tables, on the software GPU and on the model of
 * HSAIL, with edge values and random values, in registers and as constants. The results must agree. One mnemonic in
 * SAMPLE is tried by default, all with HSAIL_EXECUTE=all; `execute_test PATTERN` tries those that match. rows.def says
 * which rows of the checklist this covers: some mnemonic of each of its patterns must have been executed; and each
 * opcode must have been executed with each of its types. */
#include "testsuite/finalizer/random/execute.h"
#include "testsuite/finalizer/random/execute_types.h"
#include "testsuite/tap.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 24,         /* by default one mnemonic in so many is tried */
    LEAST = 2,           /* ... but at least so many of a row, or one of each opcode */
    MOST_OF_SAMPLE = 40, /* the most that are tried of a row by default */
    MOST = 1400,         /* the most that are tried of a row when all are asked for */
    VARIANTS = 3,        /* how many variants of operands each mnemonic is tried with */
    KERNELS = 8,         /* how many kernels a module has */
    TEXT = RANDOM_TEXT * KERNELS,
    FULL = RANDOM_OUT - 96 /* with so many bytes of results there may be no room for another */
};

/* A module that is being made, with the mnemonics of each kernel. */
struct batch {
    struct execute execute;
    unsigned kernels, statements, mnemonics;
    bool open;
    char text[TEXT], names[KERNELS][1024];
};

struct tally {
    unsigned rows, executed, mnemonics, wrong, unknown;
    uint64_t counts[RANDOM_OPCODES], bits, undefined;
};

/* Rows of the checklist, and which of their patterns have had a mnemonic that was executed with the right results. */
static struct {
    const char *row, *patterns;
    uint32_t right; /* a bit for each pattern */
} checklist[] = {
#define EXECUTED(row, patterns) {#row, patterns, 0},
#include "testsuite/finalizer/random/rows.def"
};
enum { ROWS = sizeof checklist / sizeof *checklist };

/* Notes for the patterns of a row that MNEMONIC, unless it is NULL, was right; returns whether all patterns are. */
static bool check_off(unsigned row, const char *mnemonic, char *missing, size_t size)
{
    char patterns[256], *rest = patterns, *pattern;
    uint32_t bit = 1, all = 0;
    snprintf(patterns, sizeof patterns, "%s", checklist[row].patterns);
    for (; (pattern = strsep(&rest, " ")); all |= bit, bit <<= 1) {
        if (mnemonic && !(checklist[row].right & bit) && !fnmatch(pattern, mnemonic, 0))
            checklist[row].right |= bit;
        if (!mnemonic && !(checklist[row].right & bit))
            snprintf(missing, size, ": nothing of %s", pattern);
    }
    return checklist[row].right == all;
}

static void note_right(const char *mnemonic)
{
    if (*mnemonic)
        types_right(mnemonic);
    for (unsigned i = 0; i < ROWS; i++)
        check_off(i, mnemonic, NULL, 0);
}

static void begin_batch(struct batch *b)
{
    b->kernels = 0;
    b->open = false;
    b->execute.out = (struct random_text){b->text, sizeof b->text, 0};
    execute_module(&b->execute.out);
}

static void end_kernel(struct batch *b)
{
    if (b->open)
        random_put(&b->execute.out, "};\n");
    b->kernels += b->open;
    b->open = false;
}

/* Whether one statement alone is wrong; prints it if it is. */
static bool judge_alone(const struct syntax_row *row, const char *mnemonic, unsigned variant)
{
    static struct batch alone;
    struct judgement j;
    begin_batch(&alone);
    alone.execute.random = (struct random){variant, variant ? 40 : 100};
    execute_begin(&alone.execute, "&k0");
    if (!execute_statement(&alone.execute, row, mnemonic))
        return false;
    random_put(&alone.execute.out, "};\n");
    judge(alone.text, 1, variant + 1, &j);
    if (j.verdict == VERDICT_RIGHT)
        return false;
    printf("# %s, variant %u: %s: %s\n", mnemonic, variant, verdict_names[j.verdict], j.message);
    return true;
}

/* Judges the batch, and if it is not right, each of its statements alone. */
static void judge_batch(struct batch *b, const struct syntax_row *row, unsigned variant, struct tally *tally)
{
    struct judgement j;
    bool found = false;
    end_kernel(b);
    if (!b->kernels)
        return;
    judge(b->text, b->kernels, variant + 1, &j);
    for (unsigned i = 0; i < RANDOM_OPCODES; i++)
        tally->counts[i] += j.counts[i];
    tally->bits += j.bits;
    tally->undefined += j.open;
    for (unsigned k = 0; k < b->kernels && j.verdict == VERDICT_RIGHT; k++) {
        char *rest = b->names[k], *mnemonic;
        while ((mnemonic = strsep(&rest, " ")))
            note_right(mnemonic);
    }
    for (unsigned k = 0; k < b->kernels && j.verdict != VERDICT_RIGHT; k++) {
        char *rest = b->names[k], *mnemonic;
        while ((mnemonic = strsep(&rest, " ")))
            if (!*mnemonic)
                continue;
            else if (judge_alone(row, mnemonic, variant)) {
                tally->wrong++;
                found = true;
            } else {
                note_right(mnemonic);
            }
    }
    if (j.verdict != VERDICT_RIGHT && !found) {
        printf("# together only: %s: %s: %.200s\n", verdict_names[j.verdict], j.message, b->names[0]);
        tally->wrong++;
    }
    begin_batch(b);
}

/* Whether there is a way to execute the mnemonic. */
static bool is_possible(const struct syntax_row *row, const char *mnemonic, unsigned variant)
{
    static char text[1 << 14];
    struct execute scratch = {.random = {variant, variant ? 40 : 100}, .out = {text, sizeof text, 0}};
    return execute_statement(&scratch, row, mnemonic);
}

static void add_statement(struct batch *b, const struct syntax_row *row, const char *mnemonic, unsigned variant)
{
    if (!b->open) {
        char name[16];
        snprintf(name, sizeof name, "&k%u", b->kernels);
        execute_begin(&b->execute, name);
        b->open = true;
        b->names[b->kernels][0] = '\0';
    }
    /* The same as in judge_alone(), whatever comes before it. */
    b->execute.random = (struct random){variant, variant ? 40 : 100};
    execute_statement(&b->execute, row, mnemonic);
    strcat(strcat(b->names[b->kernels], mnemonic), " ");
    if (b->execute.offset >= FULL || strlen(b->names[b->kernels]) > 900)
        end_kernel(b);
}

static bool is_known(const char *mnemonic)
{
    char line[300];
    snprintf(line, sizeof line, "%s ", mnemonic);
    return random_is_known(line);
}

/* How many words the first choice of a pattern has. They are mostly its opcodes, and vary fastest. */
static uint64_t first_words(const char *pattern)
{
    uint64_t count = 1;
    const char *brace = strchr(pattern, '{');
    for (; brace && *brace != '}'; brace++)
        count += *brace == ',';
    return count;
}

/* How many of COUNT mnemonics with WORDS opcodes are tried in each variant: one in STEP, but at least one per opcode.
 */
static uint64_t sample_of(uint64_t count, uint64_t words, uint64_t step)
{
    uint64_t least = words < LEAST ? LEAST : words, most = step == 1 ? MOST : MOST_OF_SAMPLE;
    uint64_t sample = count / step < most ? count / step : most;
    sample = sample < least ? least : sample;
    return sample < count ? sample : count;
}

/* Adds a mnemonic to the batch if it can be executed, and judges the batch if that is full. */
static bool try_mnemonic(struct batch *batch, const struct syntax_row *row, const char *mnemonic, unsigned variant,
                         struct tally *tally)
{
    if (!is_possible(row, mnemonic, variant))
        return false;
    types_try(mnemonic);
    add_statement(batch, row, mnemonic, variant);
    tally->mnemonics++;
    if (batch->kernels == KERNELS)
        judge_batch(batch, row, variant, tally);
    return true;
}

/* Tries one mnemonic of each combination of opcode and types of which the others of the row have none. */
static void check_types(struct batch *batch, const struct syntax_row *row, struct tally *tally)
{
    char mnemonic[256];
    for (uint64_t i = 0; i < syntax_count(row->mnemonics); i++) {
        syntax_expand(row->mnemonics, i, mnemonic, sizeof mnemonic);
        if (types_are_new(mnemonic) && !is_known(mnemonic))
            try_mnemonic(batch, row, mnemonic, 0, tally);
    }
    judge_batch(batch, row, 0, tally);
}

/* Tries one in STEP of the mnemonics of a row. */
static void check_row(const struct syntax_row *row, uint64_t step, const char *pattern, struct tally *tally)
{
    static struct batch batch;
    uint64_t count = syntax_count(row->mnemonics), words = first_words(row->mnemonics), tried = 0;
    uint64_t sample = sample_of(count, words, step), stride = sample == count ? 1 : 1 + 37 * words;
    char mnemonic[256];
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        begin_batch(&batch);
        for (uint64_t i = 0; i < sample; i++) {
            syntax_expand(row->mnemonics, (variant * sample + i) * stride % count, mnemonic, sizeof mnemonic);
            if (is_known(mnemonic) || (pattern && fnmatch(pattern, mnemonic, 0)))
                continue;
            bool possible = try_mnemonic(&batch, row, mnemonic, variant, tally);
            tally->unknown += !possible;
            tried += possible;
        }
        judge_batch(&batch, row, variant, tally);
    }
    if (!pattern)
        check_types(&batch, row, tally);
    tally->rows++;
    tally->executed += tried != 0;
}

int main(int argc, char **argv)
{
    const char *how = getenv("HSAIL_EXECUTE"), *pattern = argc > 1 ? argv[1] : NULL;
    uint64_t step = pattern || (how && !strcmp(how, "all")) ? 1 : SAMPLE;
    struct tally tally = {0};
    for (size_t i = 0; i < syntax_row_count; i++) {
        const struct syntax_row *row = &syntax_rows[i];
        if (row->gate >> SYNTAX_FULL_LARGE & 1 && syntax_has(row, 2))
            check_row(row, step, pattern, &tally);
    }
    printf("# %u of %u rows, %u statements, %u of them not possible here\n", tally.executed, tally.rows,
           tally.mnemonics, tally.unknown);
    printf("# bits of output that the manual leaves open: %.1f %%\n",
           tally.bits ? 100.0 * (double)tally.undefined / (double)tally.bits : 0);
    for (unsigned i = 0; i < ROWS && !pattern; i++) {
        char missing[64] = "";
        bool all = check_off(i, NULL, missing, sizeof missing);
        ok(all, "%s is executed%s", checklist[i].row, missing);
    }
    unsigned count, others, missing = types_missing(&count, &others);
    ok(pattern || !missing, "%u combinations of opcode and types are executed, %u more by other tests", count, others);
    ok(!tally.wrong, "%u mnemonics give what the model says", tally.mnemonics);
    return tap_done();
}
