/* SPDX-License-Identifier: MIT */
/* Measures how fast libhsail assembles, validates and disassembles, compares it with other assemblers, and tests
 * whether its time is linear.
 *
 *     asm_bench [LINES]      default 200000
 *
 * Input: the modules of asm_input.c. Output: one line per figure. Each measurement is a process of its own, so that its
 * peak of memory is its own, and a crash is noticed. Other assemblers are left out if they are not installed. */
#include "bench/asm_input.h"
#include "bench/bench.h"
#include "hsail/hsail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The results of a child process. */
struct figures {
    double assemble, unchecked, validate, disassemble; /* seconds; 0: not measured */
    double lines, text, brig, peak;                    /* the last three in bytes; PEAK includes the text */
    bool good;
};

enum work {
    WORK_ALL,     /* all figures, the best of the rounds of each */
    WORK_FIRST,   /* assembling once, when all memory is new to the process */
    WORK_REPEATED /* assembling again and again; the mean of the rounds */
};

/* Seconds for which this thread has computed; the time of other processes does not count. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static int count_bytes(void *user, const void *data, size_t size)
{
    (void)data;
    *(size_t *)user += size;
    return 0;
}

/* Seconds of the best of ROUNDS, as other processes can only make a round slower. */
#define BEST(seconds, rounds, statement)                 \
    do {                                                 \
        (seconds) = 1e9;                                 \
        for (unsigned i_ = 0; i_ < (rounds); i_++) {     \
            double start_ = now();                       \
            statement;                                   \
            double took_ = now() - start_;               \
            if (took_ < (seconds))                       \
                (seconds) = took_;                       \
        }                                                \
    } while (0)

static hsail_status_t again(hsail_context_t *context, const struct textbuf *text, unsigned flags,
                            hsail_module_t **module)
{
    hsail_module_destroy(*module);
    return hsail_assemble(context, "bench", text->data, text->size, flags | HSAIL_TERMINATED, module);
}

static void measure(const struct asm_case *what, unsigned count, unsigned rounds, enum work work, struct figures *out)
{
    struct textbuf text = {0};
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    what->make(&text, count);
    if (text.failed || hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return;
    hsail_context_set_max_errors(context, 0);
    for (size_t i = 0; i < text.size; i++)
        out->lines += text.data[i] == '\n';
    double before = peak_bytes();
    hsail_status_t status;
    BEST(out->assemble, 1, status = again(context, &text, 0, &module));
    out->peak = (double)text.size + peak_bytes() - before;
    out->text = (double)text.size;
    out->brig = module ? (double)hsail_module_size(module) : 0;
    if (work == WORK_REPEATED) {
        double start = now();
        for (unsigned i = 0; i < rounds; i++)
            status = again(context, &text, 0, &module);
        out->assemble = (now() - start) / rounds;
    }
    out->good = what->legal ? status == HSAIL_STATUS_OK : status == HSAIL_STATUS_INVALID;
    if (work == WORK_ALL && out->good) {
        size_t printed = 0;
        BEST(out->assemble, rounds, status = again(context, &text, 0, &module));
        BEST(out->unchecked, rounds, again(context, &text, HSAIL_NO_VALIDATION, &module));
        BEST(out->validate, rounds, status = hsail_module_validate(context, "bench", module));
        out->good = status == HSAIL_STATUS_OK;
        BEST(out->disassemble, rounds,
             status = hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, count_bytes, &printed));
        out->good &= status == HSAIL_STATUS_OK;
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    textbuf_free(&text);
}

static struct figures in_child(const struct asm_case *what, unsigned count, unsigned rounds, enum work work)
{
    struct figures figures = {0};
    int ends[2];
    pid_t child = pipe(ends) ? -1 : fork();
    if (child < 0)
        return figures;
    if (!child) {
        measure(what, count, rounds, work, &figures);
        _exit(write(ends[1], &figures, sizeof figures) != (ssize_t)sizeof figures);
    }
    close(ends[1]);
    if (read(ends[0], &figures, sizeof figures) != (ssize_t)sizeof figures)
        figures = (struct figures){0};
    close(ends[0]);
    waitpid(child, NULL, 0);
    if (!figures.good)
        fprintf(stderr, "asm_bench: %s: not as expected\n", what->name);
    return figures;
}

/* The fastest of some children that assemble once. */
static struct figures best_first(const struct asm_case *what, unsigned count, unsigned children)
{
    struct figures best = in_child(what, count, 1, WORK_FIRST);
    for (unsigned i = 1; i < children; i++) {
        struct figures f = in_child(what, count, 1, WORK_FIRST);
        if (f.assemble < best.assemble)
            best = f;
    }
    return best;
}

/* ---- Other assemblers ------------------------------------------------------------------------------ */

struct other {
    const char *name;
    const char *command[6]; /* the name of the input is added */
    bool x86;
};

static const struct other others[] = {
    {"GNU as, x86", {"as", "--64", "-o", "/dev/null"}, true},
    {"llvm-mc, x86", {"llvm-mc-19", "-triple=x86_64", "-filetype=obj", "-o", "/dev/null"}, true},
    {"HSAILasm, the same module", {"HSAILasm", "-assemble", "-o", "/dev/null"}, false},
};

/* Seconds of processor time that a command takes; 0 when it is not installed or fails. */
static double run(const struct other *other, const char *input)
{
    char *arguments[8] = {0};
    unsigned count = 0;
    for (; other->command[count]; count++)
        arguments[count] = (char *)(uintptr_t)other->command[count];
    arguments[count] = (char *)(uintptr_t)input;
    pid_t child = fork();
    if (child < 0)
        return 0;
    if (!child) {
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
            _exit(1);
        execvp(arguments[0], arguments);
        _exit(1);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status))
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Seconds per line of another assembler, the best of three; 0 without it. */
static double other_time(const struct other *other, unsigned lines)
{
    struct textbuf text = {0};
    char name[] = "/tmp/asm_bench.XXXXXX";
    double best = 0, count = 0;
    (other->x86 ? make_x86 : make_mixed)(&text, lines);
    for (size_t i = 0; i < text.size; i++)
        count += text.data[i] == '\n';
    int file = mkstemp(name);
    bool written = file >= 0 && write(file, text.data, text.size) == (ssize_t)text.size;
    for (unsigned i = 0; written && i < 3; i++) {
        double seconds = run(other, name);
        if (seconds > 0 && (best == 0 || seconds < best))
            best = seconds;
    }
    if (file >= 0) {
        close(file);
        unlink(name);
    }
    textbuf_free(&text);
    return count ? best / count : 0;
}

/* Compares our time per line with that of the others. Since the speed of a machine changes, ours is measured again next
 * to each of the others; it is the best of some processes that assemble once, as the others do. */
static void compare(unsigned lines)
{
    static const struct asm_case mix = {"mixed module", make_mixed, 0, true};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char name[80];
        struct figures ours = best_first(&mix, lines, 3);
        double theirs = other_time(&others[i], lines);
        if (!(theirs > 0)) {
            fprintf(stderr, "asm_bench: %s is not installed\n", others[i].command[0]);
            continue;
        }
        snprintf(name, sizeof name, "%s", others[i].name);
        bench_figure(name, 1 / theirs, "lines/s");
        snprintf(name, sizeof name, "asm, time per line / %s", others[i].name);
        bench_at_most(name, ours.assemble / ours.lines / theirs, "", 1);
    }
}

/* ---- The figures ----------------------------------------------------------------------------------- */

static void speed(unsigned lines)
{
    static const struct asm_case mix = {"mixed module", make_mixed, 0, true};
    struct figures f = in_child(&mix, lines, 20, WORK_ALL);
    bench_figure("asm, structure only", f.lines / f.unchecked, "lines/s");
    bench_at_least("asm, with validation", f.lines / f.assemble, "lines/s", 3e6);
    bench_at_least("validate", f.lines / f.validate, "lines/s", 10e6);
    bench_at_least("disassemble", f.lines / f.disassemble, "lines/s", 4e6);
    bench_at_most("asm, peak memory / (text + 3 BRIG)", f.peak / (f.text + 3 * f.brig), "", 1);
}

/* Measures assembling WHAT in MANY rounds or processes, so that the measurement of each size takes as long as the
 * others and is disturbed by the machine as much as they are. */
static struct figures assemble_many(const struct asm_case *what, unsigned count, unsigned many, enum work work)
{
    if (work == WORK_REPEATED)
        return in_child(what, count, many, work);
    struct figures sum = in_child(what, count, 1, work);
    for (unsigned i = 1; i < many; i++)
        sum.assemble += in_child(what, count, 1, work).assemble;
    sum.assemble /= many;
    return sum;
}

/* Measures mixed modules of three sizes in turn; the best turn of each counts. For hsailasm all memory is new; a
 * process that assembles again and again can use memory again. */
static void compare_sizes(const char *how, enum work work)
{
    static const struct asm_case mix = {"mixed module", make_mixed, 0, true};
    static const unsigned lines[3] = {20000, 200000, 2000000};
    struct figures best[3] = {{0}};
    for (unsigned turn = 0; turn < 4; turn++)
        for (unsigned i = 0; i < 3; i++) {
            struct figures f = assemble_many(&mix, lines[i], lines[2] / lines[i], work);
            if (!best[i].good || f.assemble < best[i].assemble)
                best[i] = f;
        }
    char name[100];
    for (unsigned i = 1; i < 3; i++) {
        snprintf(name, sizeof name, "asm, %s time per line, %u / %u lines", how, lines[i], lines[0]);
        bench_at_most(name, best[i].assemble / best[i].lines / (best[0].assemble / best[0].lines), "", 1.3);
    }
    snprintf(name, sizeof name, "asm, %s peak memory / (text + 3 BRIG), %u lines", how, lines[2]);
    bench_at_most(name, best[2].peak / (best[2].text + 3 * best[2].brig), "", 1);
}

static void linearity(void)
{
    compare_sizes("first", WORK_FIRST);
    compare_sizes("repeated", WORK_REPEATED);
}

/* Compares ten times a tenth of WHAT with all of it. Large tables do not fit into the caches, so the limit is 2. */
static void scale(const struct asm_case *what)
{
    char name[100];
    struct figures tenth = {0}, whole = {0};
    for (unsigned turn = 0; turn < 3; turn++) {
        struct figures small = in_child(what, what->count / 10, 10, WORK_REPEATED);
        struct figures large = in_child(what, what->count, 1, WORK_REPEATED);
        if (!turn || small.assemble < tenth.assemble)
            tenth = small;
        if (!turn || large.assemble < whole.assemble)
            whole = large;
    }
    snprintf(name, sizeof name, "%u %s", what->count, what->name);
    bench_figure(name, whole.assemble / what->count * 1e9, "ns each");
    if (whole.assemble > 1e-3) /* a shorter time says nothing */
        bench_at_most("    each, beside a tenth of them", whole.assemble / tenth.assemble / 10, "", 2);
    bench_figure("    peak memory", whole.peak / 1e6, "MB");
    if (what->legal && whole.brig > 1e6)
        bench_at_most("    peak memory / (text + 3 BRIG)", whole.peak / (whole.text + 3 * whole.brig), "", 1);
}

int main(int argc, char **argv)
{
    unsigned lines = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 200000;
    if (!lines)
        return 1;
    speed(lines);
    compare(lines);
    linearity();
    for (const struct asm_case *what = asm_cases; what->name; what++)
        scale(what);
    return 0;
}
