/* SPDX-License-Identifier: MIT */
/* With virtual registers of the builder, programs must compute the same. Random programs of every kind are built again
 * with virtual registers: with all the registers of HSAIL, with so few that most are spilled, with some registers that
 * have numbers, and with the blocks in any order. Their results on the model and on the engine of the software GPU are
 * compared with those of the original program.
 *
 *     virtual_test                   tries a few programs of each kind, or VIRTUAL_PROGRAMS from VIRTUAL_SEED on
 *     virtual_test SEED KIND ROW     prints that one as text, with its verdict */
#include "testsuite/finalizer/random/random.h"
#include "testsuite/frontend/transcribe.h"
#include "testsuite/kept.h"
#include "testsuite/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4, BATCHES = 1, LENGTH = 60 };

static const char *const kinds[] = {"straight", "flow", "memory", "lanes", "calls", "lives"};

/* The ways in which each program is built. */
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

/* ---- Programs with many live ranges ----------------------------------------------------------------- */

enum { LIVES = RANDOM_KINDS, MOST_VALUES = 110, MOST_CONDITIONS = 100 };

/* A kernel in which many registers are written and read across branches and loops. Programs of the other kinds have few
 * registers, which are live all the time. */
struct lives {
    struct random random;
    struct random_text *out;
    unsigned values[MOST_VALUES], count; /* registers that were written on every path to here */
    unsigned made, conditions, labels, left;
};

static unsigned any_value(struct lives *l)
{
    unsigned reach = random_chance(&l->random, 70) && l->count > 6 ? 6 : l->count;
    return l->values[l->count - 1 - random_below(&l->random, reach)];
}

static unsigned new_value(struct lives *l)
{
    l->values[l->count] = l->made++;
    return l->values[l->count++];
}

static void put_value(struct lives *l)
{
    static const char *const mnemonics[] = {"add_u32", "sub_u32", "mul_u32", "xor_b32", "or_b32"};
    unsigned one = any_value(l), two = any_value(l);
    unsigned to = l->made < MOST_VALUES && random_chance(&l->random, 65) ? new_value(l) : any_value(l);
    random_put(l->out, "%s $s%u, $s%u, $s%u;\n", mnemonics[random_below(&l->random, 5)], to, one, two);
    l->left -= l->left > 0;
}

static void put_lives(struct lives *l, unsigned depth);

static void put_loop(struct lives *l, unsigned depth)
{
    unsigned counter = new_value(l), label = l->labels++, condition = l->conditions++ % MOST_CONDITIONS;
    unsigned before = --l->count; /* so that nothing else writes the register */
    random_put(l->out, "mov_b32 $s%u, %u;\n@l%u:\n", counter, 1 + random_below(&l->random, 4), label);
    put_lives(l, depth);
    random_put(l->out, "sub_u32 $s%u, $s%u, 1;\ncmp_ne_b1_u32 $c%u, $s%u, 0;\ncbr_b1 $c%u, @l%u;\n", counter, counter,
               condition, counter, condition, label);
    if (random_chance(&l->random, 50))
        l->count = before;
}

static void put_branch(struct lives *l, unsigned depth)
{
    unsigned label = l->labels++, condition = l->conditions++ % MOST_CONDITIONS, before = l->count;
    random_put(l->out, "cmp_lt_b1_s32 $c%u, $s%u, $s%u;\n", condition, any_value(l), any_value(l));
    for (unsigned n = random_below(&l->random, 3); n; n--)
        put_value(l);
    before = l->count;
    random_put(l->out, "cbr_b1 $c%u, @l%u;\n", condition, label);
    put_lives(l, depth);
    l->count = before; /* other registers were written on this path only */
    random_put(l->out, "@l%u:\n", label);
}

static void put_lives(struct lives *l, unsigned depth)
{
    for (unsigned n = 2 + random_below(&l->random, 6); n; n--) {
        unsigned what = depth && l->left && l->made < MOST_VALUES ? random_below(&l->random, 8) : 7;
        if (what < 2)
            put_loop(l, depth - 1);
        else if (what < 4)
            put_branch(l, depth - 1);
        else
            put_value(l);
    }
}

static void make_lives(uint64_t seed, const char *name, struct random_text *out)
{
    static struct lives l;
    l = (struct lives){.random = {.state = seed}, .out = out, .left = 150};
    random_put(out,
               "prog kernel %s(kernarg_u64 %%in, kernarg_u64 %%out, kernarg_u64 %%slots, kernarg_u64 %%shared)\n{\n"
               "workitemabsid_u32 $s127, 0;\ncvt_u64_u32 $d0, $s127;\nld_kernarg_u64 $d1, [%%in];\n"
               "ld_kernarg_u64 $d2, [%%out];\nmad_u64 $d1, $d0, %u, $d1;\nmad_u64 $d2, $d0, %u, $d2;\n",
               name, RANDOM_IN, RANDOM_OUT);
    for (unsigned i = 0; i < 8; i++)
        random_put(out, "ld_global_align(4)_u32 $s%u, [$d1+%u];\n", new_value(&l), 4 * i);
    while (l.left)
        put_lives(&l, 4);
    for (unsigned i = 0; i < 40; i++)
        random_put(out, "st_global_align(4)_u32 $s%u, [$d2+%u];\n", any_value(&l), 4 * i);
    random_put(out, "ret;\n};\n");
}

/* ---- Building again -------------------------------------------------------------------------------- */

static void show(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    if (diagnostic->severity == HSAIL_SEVERITY_ERROR)
        printf("# %s: %s: %s\n", diagnostic->id, diagnostic->message, diagnostic->entry ? diagnostic->entry : "");
}

/* Builds TEXT again, and returns it as text, which the caller frees; NULL after printing why that failed. *SPILLS
 * counts the accesses to spilled registers. */
static char *remake(const char *text, const struct transcribe_options *options, unsigned *spills)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL, *made = NULL;
    struct brig_view view;
    struct kept printed = {0}, again = {0};
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        exit(99);
    hsail_context_set_diagnostics(context, show, NULL);
    bool good = hsail_assemble(context, "random.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK &&
                brig_open(hsail_module_data(module), hsail_module_size(module), NULL, &view) == BRIG_OK &&
                hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &printed) == HSAIL_STATUS_OK &&
                transcribe(context, "virtual", &view, printed.data, options, &made) == HSAIL_STATUS_OK &&
                hsail_disassemble(context, made, HSAIL_FLOAT_IEEE, keep, &again) == HSAIL_STATUS_OK;
    if (!good) {
        free(again.data);
        again.data = NULL;
    }
    free(printed.data);
    hsail_module_destroy(made);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    for (const char *at = again.data; at && (at = strstr(at, "[%_spill_")); at++)
        ++*spills;
    return again.data;
}

static void make(uint64_t seed, unsigned kind, unsigned count, char *text, size_t size)
{
    struct random_text out = {text, size, 0};
    random_header(&out);
    for (unsigned i = 0; i < count; i++) {
        struct random r = {.state = (seed + i) * 8 + kind};
        char name[16];
        snprintf(name, sizeof name, "&k%u", i);
        if (kind == LIVES)
            make_lives(r.state, name, &out);
        else
            random_kernel(&r, (enum random_kind)kind, LENGTH, name, &out);
    }
}

static bool check(uint64_t seed, unsigned kind, size_t row, unsigned count, unsigned *spills, bool print)
{
    static char text[RANDOM_TEXT * BATCH];
    struct transcribe_options options = rows[row].options;
    struct judgement j;
    options.seed = seed;
    if (kind == LIVES && options.weighted && options.is_virtual == 16) { /* the live ranges are short */
        options.control = 1;
        options.weighted = 16;
    }
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
        return !check(strtoull(argv[1], NULL, 10), (unsigned)(strtoul(argv[2], NULL, 10) % (LIVES + 1)),
                      strtoul(argv[3], NULL, 10) % (sizeof rows / sizeof *rows), 1, &spills, true);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (unsigned kind = 0; kind <= LIVES; kind++) {
            bool good = true;
            unsigned before = spills;
            for (unsigned i = 0; i < batches; i++)
                good = check(seed + i * BATCH, kind, row, BATCH, &spills, false) && good;
            ok(good, "%s: %u programs of %s, %u spills", rows[row].name, batches * BATCH, kinds[kind], spills - before);
            ok((row != 2 && row != 3) || spills > before, "hardly any means some in memory");
        }
    return tap_done();
}
