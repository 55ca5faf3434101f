/* SPDX-License-Identifier: MIT */
/* Tests BRIG of other producers. Every module of the suite is written in legal shapes that ours never has (PRM 18.2,
 * 18.4-18.6). It must be accepted with the same findings and printed as the same text, and that text must assemble to
 * the same module. Annotations may move, but none may be lost. Covers B01 B02 B03. */
#include "hsail/hsail.h"

#include "support/alloc.h"
#include "testsuite/brig/equivalent.h"
#include "testsuite/brig/foreign.h"
#include "testsuite/brig/sample.h"
#include "testsuite/modules.h"

#include <stdlib.h>
#include <string.h>

#define SEEDS 6

/* A sum over the ids of all findings, which depends neither on their places nor on their order. */
struct findings {
    uint64_t sum;
    bool show;
};

static void count(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct findings *findings = user;
    uint64_t hash = 5381;
    for (const char *c = diagnostic->id; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    findings->sum += hash * hash;
    if (findings->show)
        printf("# %s: %s\n", diagnostic->id, diagnostic->message);
}

static hsail_context_t *context;

/* Prints a module; its annotations, one per line, are taken out and counted. */
static struct kept print(const hsail_module_t *module, bool annotations, unsigned *taken)
{
    struct kept text = {0}, rest = {0};
    if (hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &text) != HSAIL_STATUS_OK)
        return text;
    if (annotations)
        return text;
    for (char *line = text.data, *end; *line; line = end) {
        const char *start = line + strspn(line, "\t");
        end = strchr(line, '\n') + 1;
        bool note = !strncmp(start, "//", 2) || !strncmp(start, "loc ", 4) || !strncmp(start, "pad ", 4) ||
                    !strncmp(start, "pragma ", 7);
        *taken += note;
        if (!note)
            keep(&rest, line, (size_t)(end - line));
    }
    free(text.data);
    return rest;
}

static bool same_bytes(const hsail_module_t *a, const hsail_module_t *b)
{
    return hsail_module_size(a) == hsail_module_size(b) &&
           !memcmp(hsail_module_data(a), hsail_module_data(b), hsail_module_size(a));
}

static bool equivalent(const hsail_module_t *a, const hsail_module_t *b)
{
    struct brig_view one, two;
    char why[256] = "one does not open";
    if (brig_open(hsail_module_data(a), hsail_module_size(a), NULL, &one) == BRIG_OK &&
        brig_open(hsail_module_data(b), hsail_module_size(b), NULL, &two) == BRIG_OK &&
        brig_equivalent(&one, &two, why, sizeof why))
        return true;
    printf("# %s\n", why);
    return false;
}

/* What is wrong with MODULE, which has a foreign shape; NULL if nothing is. WANT is the module that it was made from.
 */
static const char *try_module(const hsail_module_t *want, const hsail_module_t *module, bool annotations)
{
    const char *wrong = NULL;
    unsigned notes = 0, notes_again = 0, ignored = 0;
    hsail_module_t *again = NULL;
    struct kept want_text = print(want, !annotations, &ignored), text = print(module, !annotations, &notes), full = {0};
    if (!text.data || strcmp(text.data, want_text.data)) {
        wrong = "the text differs";
    } else if (hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &full) != HSAIL_STATUS_OK ||
               hsail_assemble(context, NULL, full.data, full.size, HSAIL_NO_VALIDATION, &again) != HSAIL_STATUS_OK) {
        wrong = "the text does not assemble";
    } else {
        struct kept text_again = print(again, !annotations, &notes_again);
        if (strcmp(text.data, text_again.data) || notes != notes_again || !equivalent(module, again))
            wrong = "the text assembles to something else";
        else if (!annotations && !equivalent(want, module))
            wrong = "it is not equivalent";
        else if (!annotations && !same_bytes(want, again))
            wrong = "the text assembles to other bytes";
        free(text_again.data);
    }
    hsail_module_destroy(again);
    free(full.data);
    free(want_text.data);
    free(text.data);
    return wrong;
}

static void test_shape(const char *name, const hsail_module_t *want, uint64_t want_sum, unsigned shapes, uint64_t seed)
{
    struct brig_view view;
    uint8_t *bytes = NULL;
    size_t size = 0;
    hsail_module_t *module = NULL;
    struct findings findings = {0, false};
    const char *wrong = NULL;
    bool annotations = shapes & FOREIGN_ANNOTATIONS;
    if (brig_open(hsail_module_data(want), hsail_module_size(want), NULL, &view) != BRIG_OK ||
        !foreign_write(&view, shapes, seed, &bytes, &size))
        exit(99);
    hsail_context_set_diagnostics(context, count, &findings);
    if (hsail_module_load(context, name, bytes, size, 0, &module) != HSAIL_STATUS_OK)
        wrong = "it is refused";
    else if (findings.sum != want_sum)
        wrong = "the findings differ";
    else
        wrong = try_module(want, module, annotations);
    if (wrong) {
        hsail_module_t *shown;
        findings.show = true;
        if (hsail_module_load(context, name, bytes, size, 0, &shown) != HSAIL_STATUS_OK)
            printf("# %s is refused\n", name);
        hsail_module_destroy(shown);
    }
    struct kept dump = {0};
    if (!wrong && hsail_dump(context, name, bytes, size, keep, &dump) != HSAIL_STATUS_OK)
        wrong = "it cannot be dumped";
    free(dump.data);
    if (wrong) {
        FILE *file = getenv("FOREIGN_KEEP") ? fopen(getenv("FOREIGN_KEEP"), "wb") : NULL;
        if (file) {
            fwrite(bytes, 1, size, file);
            fclose(file);
        }
    }
    ok(!wrong, "%s, shapes 0x%02x, seed %u%s%s", name, shapes, (unsigned)seed, wrong ? ": " : "", wrong ? wrong : "");
    hsail_context_set_diagnostics(context, NULL, NULL);
    hsail_module_destroy(module);
    mem_free(bytes);
}

static void test_text(const char *path, const char *name, struct kept text)
{
    struct findings findings = {0, false};
    hsail_module_t *module = NULL, *loaded = NULL;
    bool good = hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK;
    hsail_context_set_diagnostics(context, count, &findings);
    good = good && hsail_module_load(context, path, hsail_module_data(module), hsail_module_size(module), 0, &loaded) ==
                       HSAIL_STATUS_OK;
    hsail_context_set_diagnostics(context, NULL, NULL);
    if (ok(good, "%s", name)) {
        for (unsigned shape = 1; shape < FOREIGN_SHAPES; shape <<= 1)
            test_shape(name, module, findings.sum, shape, shape);
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            test_shape(name, module, findings.sum, (unsigned)(seed * 0x9e3779b9u >> 20) % FOREIGN_SHAPES + 1, seed);
    }
    hsail_module_destroy(loaded);
    hsail_module_destroy(module);
}

/* The same for a module that has an entry of every kind, whether text can say it or not. */
static void test_sample(uint32_t brig_minor)
{
    struct sample sample;
    struct brig_view view, other;
    bool good = sample_build(&sample, brig_minor) && brig_open(sample.module, sample.size, NULL, &view) == BRIG_OK;
    for (uint64_t seed = 1; seed <= 4 * SEEDS && good; seed++) {
        unsigned shapes = (unsigned)(seed * 0x9e3779b9u >> 20) & (FOREIGN_SHAPES & ~FOREIGN_ANNOTATIONS);
        uint8_t *bytes = NULL;
        size_t size;
        char why[256] = "it does not open";
        good = foreign_write(&view, shapes, seed, &bytes, &size) && brig_open(bytes, size, NULL, &other) == BRIG_OK &&
               brig_equivalent(&view, &other, why, sizeof why);
        if (!good)
            printf("# shapes 0x%02x, seed %u: %s\n", shapes, (unsigned)seed, why);
        mem_free(bytes);
    }
    ok(good, "every kind of entry in BRIG 1:%u", (unsigned)brig_minor);
    mem_free(sample.module);
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    for_each_module(test_text);
    test_sample(0);
    test_sample(2);
    hsail_context_destroy(context);
    return tap_done();
}
