/* SPDX-License-Identifier: MIT */
/* Random programs must give the same numbers at -O0, at the default optimisation and on the model of HSAIL (A01-A53,
 * M01-M11, M19-M22, B01-B13, C01-C05, P01-P18).
 *
 *     random_test                            judges a few hundred programs, or RANDOM_PROGRAMS of them from RANDOM_SEED
 *                                            on; the file RANDOM_STATE, if it is set, has how far it came, and a later
 *                                            run goes on
 *     random_test SEED KIND [INPUTS]         judges and prints that program, with inputs made from INPUTS, or from SEED
 *     random_test reduce SEED KIND [INPUTS]  makes it small
 *     random_test judge FILE [SEED]          judges a text whose kernel is called &k0, with inputs made from SEED
 *     random_test small FILE [SEED]          makes it small, if it is not right, and prints it */
#include "testsuite/finalizer/random/random.h"
#include "testsuite/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 8, PROGRAMS = 200, DIVIDED = 80, LENGTH = 40, SEED = 1 };

static const char *const kinds[RANDOM_KINDS] = {"straight", "flow", "memory", "lanes", "calls"};

static const struct {
    const char *text;
} opcodes[RANDOM_OPCODES] = {
#define OP(name, code, text, form, operands, rules, section) [code] = {text},
#include "brig/tables/opcode.def"
};

struct tally {
    uint64_t counts[RANDOM_OPCODES], bits, open;
    unsigned verdicts[VERDICTS];
};

static void begin(struct random_text *out, char *text)
{
    *out = (struct random_text){text, RANDOM_TEXT, 0};
    random_header(out);
}

static void make(uint64_t seed, enum random_kind kind, unsigned number, struct random_text *out)
{
    struct random r = {.state = seed * 8 + kind};
    char name[16];
    snprintf(name, sizeof name, "&k%u", number);
    random_kernel(&r, kind, LENGTH, name, out);
}

static void judge_alone(uint64_t seed, enum random_kind kind, uint64_t inputs, char *text, struct judgement *j)
{
    struct random_text out;
    begin(&out, text);
    make(seed, kind, 0, &out);
    judge(text, 1, inputs, j);
}

static bool is_good(enum verdict verdict)
{
    return verdict == VERDICT_RIGHT || verdict == VERDICT_OPEN;
}

static void add(struct tally *tally, const struct judgement *j)
{
    for (unsigned i = 0; i < RANDOM_OPCODES; i++)
        tally->counts[i] += j->counts[i];
    tally->bits += j->bits;
    tally->open += j->open;
}

/* Judges each program of a batch by itself, with the inputs of the batch. Returns how many are not right. */
static unsigned check_each(uint64_t seed, enum random_kind kind, char *text, struct tally *tally)
{
    struct judgement j;
    unsigned bad = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        judge_alone(seed + i, kind, seed, text, &j);
        add(tally, &j);
        tally->verdicts[j.verdict]++;
        if (is_good(j.verdict))
            continue;
        bad++;
        printf("# random_test %" PRIu64 " %s %" PRIu64 ": %s: %s\n", seed + i, kinds[kind], seed,
               verdict_names[j.verdict], j.message);
    }
    return bad;
}

/* Judges BATCH programs in one module. If they are not right, that is a finding even if each of them is right alone. */
static bool check_batch(uint64_t seed, enum random_kind kind, struct tally *tally)
{
    static char text[RANDOM_TEXT * BATCH];
    struct judgement j;
    struct random_text out = {text, sizeof text, 0};
    random_header(&out);
    for (unsigned i = 0; i < BATCH; i++)
        make(seed + i, kind, i, &out);
    judge(text, BATCH, seed, &j);
    if (is_good(j.verdict)) {
        add(tally, &j);
        tally->verdicts[j.verdict] += BATCH;
        return true;
    }
    printf("# %s from %" PRIu64 ": %s: &k%u: %s\n", kinds[kind], seed, verdict_names[j.verdict], j.kernel, j.message);
    if (!check_each(seed, kind, text, tally))
        printf("# each of them is right alone\n");
    return false;
}

static void print_tally(const struct tally *tally)
{
    for (unsigned i = 0; i < VERDICTS; i++)
        printf("# %s: %u\n", verdict_names[i], tally->verdicts[i]);
    printf("# bits of output that the manual leaves open: %.1f %%\n",
           tally->bits ? 100.0 * (double)tally->open / (double)tally->bits : 0);
    printf("# programs that executed:");
    for (unsigned i = 0; i < RANDOM_OPCODES; i++)
        if (opcodes[i].text && tally->counts[i])
            printf(" %s %" PRIu64, opcodes[i].text, tally->counts[i]);
    printf("\n");
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

static enum random_kind kind_called(const char *name)
{
    unsigned kind = 0;
    while (kind < RANDOM_KINDS && strcmp(kinds[kind], name) != 0)
        kind++;
    return kind;
}

static int one(const char *seed, const char *kind, const char *inputs, bool small)
{
    static char text[RANDOM_TEXT];
    struct judgement j;
    uint64_t number = strtoull(seed, NULL, 10), from = inputs ? strtoull(inputs, NULL, 10) : number;
    if (kind_called(kind) == RANDOM_KINDS)
        return 2;
    judge_alone(number, kind_called(kind), from, text, &j);
    if (small && !is_good(j.verdict)) {
        reduce(text, from, j.verdict);
        judge(text, 1, from, &j);
    }
    printf("%s// %s: %s\n", text, verdict_names[j.verdict], j.message);
    return !is_good(j.verdict);
}

static int judge_file(const char *path, uint64_t seed, bool small)
{
    static char text[RANDOM_TEXT];
    struct judgement j;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 2;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    setenv("RANDOM_KNOWN", "1", 1);
    judge(text, 1, seed, &j);
    if (small && !is_good(j.verdict)) {
        reduce(text, seed, j.verdict);
        puts(text);
    }
    printf("%s: %s: %s\n", path, verdict_names[j.verdict], j.message);
    return !is_good(j.verdict);
}

/* How far a run has come: programs from seed FIRST on, up to NEXT. */
struct progress {
    uint64_t first, next, done, bad;
};

/* Reads the state that an earlier run has left, or begins. */
static struct progress resume(const char *path)
{
    struct progress p = {0};
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file || fscanf(file, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &p.first, &p.next, &p.done, &p.bad) != 4)
        p = (struct progress){.first = setting("RANDOM_SEED", SEED), .next = setting("RANDOM_SEED", SEED)};
    if (file)
        fclose(file);
    return p;
}

/* Replaces the state as a whole, so that a run that is interrupted here loses nothing. */
static void keep_progress(const char *path, const struct progress *p)
{
    char other[512];
    if (!path || snprintf(other, sizeof other, "%s.new", path) >= (int)sizeof other)
        return;
    FILE *file = fopen(other, "w");
    bool written =
        file &&
        fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", p->first, p->next, p->done, p->bad) > 0;
    if (file && !fclose(file) && written)
        rename(other, path);
}

/* Judges programs whose functions are divided into small pieces, as only long ones are otherwise. */
static void judge_divided(struct tally *tally)
{
    enum { OTHER_SEED = 1000 };
    bool good = true;
    setenv("RANDOM_PIECES", "60", 1);
    for (unsigned i = 0; i < DIVIDED; i += BATCH)
        good &= check_batch(OTHER_SEED + i, i / BATCH % RANDOM_KINDS, tally);
    unsetenv("RANDOM_PIECES");
    ok(good, "random programs whose functions are divided into pieces");
}

/* Judges programs of all kinds, until there are as many as asked for. */
static bool judge_many(struct tally *tally)
{
    enum { REPORT = 4000 };
    const char *path = getenv("RANDOM_STATE");
    struct progress p = resume(path);
    uint64_t programs = setting("RANDOM_PROGRAMS", PROGRAMS), reported = p.done / REPORT;
    bool good[RANDOM_KINDS];
    memset(good, true, sizeof good);
    for (; p.done < programs; p.next += BATCH) {
        for (unsigned kind = 0; kind < RANDOM_KINDS && (path || p.done < programs); kind++, p.done += BATCH) {
            bool right = check_batch(p.next, kind, tally);
            good[kind] &= right;
            p.bad += !right;
        }
        keep_progress(path, &p);
        if (p.done / REPORT != reported)
            printf("# seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " programs, %" PRIu64 " batches with findings\n",
                   p.first, p.next + BATCH - 1, p.done, p.bad);
        reported = p.done / REPORT;
        fflush(stdout);
    }
    print_tally(tally);
    for (unsigned kind = 0; kind < RANDOM_KINDS; kind++)
        ok(good[kind], "random programs of kind %s", kinds[kind]);
    return !p.bad;
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    if (argc >= 3 && (!strcmp(argv[1], "judge") || !strcmp(argv[1], "small")))
        return judge_file(argv[2], argc > 3 ? strtoull(argv[3], NULL, 10) : 1, *argv[1] == 's');
    if (argc >= 4 && !strcmp(argv[1], "reduce"))
        return one(argv[2], argv[3], argv[4], true);
    if (argc >= 3)
        return one(argv[1], argv[2], argv[3], false);
    if (!getenv("RANDOM_PROGRAMS"))
        judge_divided(&tally);
    ok(judge_many(&tally), "no batch of this or an earlier run had a finding");
    return tap_done();
}
