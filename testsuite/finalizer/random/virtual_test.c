/* SPDX-License-Identifier: MIT */
/* Virtual registers of the builder change nothing of what a program does: random programs of every kind are made again
 * with them, with all the registers of HSAIL and with so few that most are spilled, some beside registers with numbers,
 * with the blocks made in any order, and run on the model and on the engine of the software GPU against the program as
 * it was.
 *
 *     virtual_test                   a few programs of each, or VIRTUAL_PROGRAMS of them from VIRTUAL_SEED on
 *     virtual_test SEED KIND ROW     that one, as text, with its verdict */
#include "testsuite/finalizer/random/random.h"
#include "testsuite/frontend/transcribe.h"
#include "testsuite/kept.h"
#include "testsuite/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4, BATCHES = 1, LENGTH = 60 };

static const char *const kinds[RANDOM_KINDS] = {"straight", "flow", "memory", "lanes", "calls"};

/* What each program is made with. */
static const struct {
    const char *name;
    struct transcribe_options options;
} rows[] = {
    {"all registers", {.is_virtual = 16}},
    {"few registers", {.is_virtual = 16, .control = 5, .weighted = 52}},
    {"hardly any registers", {.is_virtual = 16, .control = 4, .weighted = 40}},
    {"hardly any registers, in any order", {.is_virtual = 16, .control = 5, .weighted = 44, .is_shuffled = true}},
    {"some with numbers", {.is_virtual = 6, .control = 110, .weighted = 400, .is_shuffled = true}},
};

static void show(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    if (diagnostic->severity == HSAIL_SEVERITY_ERROR)
        printf("# %s: %s: %s\n", diagnostic->id, diagnostic->message, diagnostic->entry ? diagnostic->entry : "");
}

/* TEXT made again, as text, which the caller frees; NULL after printing why not. *SPILLS counts its accesses. */
static char *remake(const char *text, const struct transcribe_options *options, unsigned *spills)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL, *made = NULL;
    struct brig_view view;
    struct kept printed = {0}, again = {0};
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        exit(99);
    hsail_context_set_diagnostics(context, show, NULL);
    if (hsail_assemble(context, "random.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK &&
        brig_open(hsail_module_data(module), hsail_module_size(module), NULL, &view) == BRIG_OK &&
        hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &printed) == HSAIL_STATUS_OK &&
        transcribe(context, "virtual", &view, printed.data, options, &made) == HSAIL_STATUS_OK)
        hsail_disassemble(context, made, HSAIL_FLOAT_IEEE, keep, &again);
    free(printed.data);
    hsail_module_destroy(made);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    for (const char *at = again.data; at && (at = strstr(at, "[%_spill_")); at++)
        ++*spills;
    return again.data;
}

static void make(uint64_t seed, enum random_kind kind, unsigned count, char *text, size_t size)
{
    struct random_text out = {text, size, 0};
    random_header(&out);
    for (unsigned i = 0; i < count; i++) {
        struct random r = {.state = (seed + i) * 8 + kind};
        char name[16];
        snprintf(name, sizeof name, "&k%u", i);
        random_kernel(&r, kind, LENGTH, name, &out);
    }
}

static bool check(uint64_t seed, enum random_kind kind, size_t row, unsigned count, unsigned *spills, bool print)
{
    static char text[RANDOM_TEXT * BATCH];
    struct transcribe_options options = rows[row].options;
    struct judgement j;
    options.seed = seed;
    make(seed, kind, count, text, sizeof text);
    char *other = remake(text, &options, spills);
    if (print && other)
        printf("%s\n", other);
    if (other)
        judge_other(text, other, count, seed, &j);
    bool good = other && (j.verdict == VERDICT_RIGHT || j.verdict == VERDICT_OPEN);
    if (other && (!good || print))
        printf("# seed %" PRIu64 " of %s, kernel %u: %s: %s\n", seed, kinds[kind], j.kernel, verdict_names[j.verdict],
               j.message);
    free(other);
    return good;
}

int main(int argc, char **argv)
{
    const char *programs = getenv("VIRTUAL_PROGRAMS"), *from = getenv("VIRTUAL_SEED");
    unsigned batches = programs ? (unsigned)strtoul(programs, NULL, 10) / BATCH : BATCHES, spills = 0;
    uint64_t seed = from ? strtoull(from, NULL, 10) : 1;
    if (argc == 4)
        return !check(strtoull(argv[1], NULL, 10), (enum random_kind)(strtoul(argv[2], NULL, 10) % RANDOM_KINDS),
                      strtoul(argv[3], NULL, 10) % (sizeof rows / sizeof *rows), 1, &spills, true);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (unsigned kind = 0; kind < RANDOM_KINDS; kind++) {
            bool good = true;
            unsigned before = spills;
            for (unsigned i = 0; i < batches; i++)
                good = check(seed + i * BATCH, (enum random_kind)kind, row, BATCH, &spills, false) && good;
            ok(good, "%s: %u programs of %s, %u spills", rows[row].name, batches * BATCH, kinds[kind], spills - before);
            ok((row != 2 && row != 3) || spills > before, "hardly any means some in memory");
        }
    return tap_done();
}
