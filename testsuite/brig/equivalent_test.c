/* SPDX-License-Identifier: MIT */
/* Tests the comparison of modules with the help of the printer: two modules must be equivalent exactly if they are
 * printed as text with the same meaning.
 *
 * Each module is printed and assembled again. Then each of its bits is flipped in turn; if the result is still a
 * module, it is compared with the original in both directions. */
#include "testsuite/brig/equivalent.h"

#include "brig/validate.h"
#include "frontend/asm.h"
#include "frontend/dis.h"
#include "support/alloc.h"
#include "testsuite/brig/sample.h"
#include "testsuite/tap.h"

#include <stdio.h>
#include <stdlib.h>

static int append(void *user, const void *data, size_t size)
{
    struct textbuf *text = user;
    textbuf_add(text, data, size);
    return text->failed;
}

static bool print(const struct brig_view *view, struct textbuf *text)
{
    *text = (struct textbuf){0};
    bool good = dis_module(view, NUMBER_IEEE, DIS_TABS, append, text) == DIS_OK;
    textbuf_add(text, "", 1);
    return good && !text->failed;
}

static bool equivalent(const struct brig_view *one, const struct brig_view *two, const char *name, bool report)
{
    char why[256] = "";
    bool same = brig_equivalent(one, two, why, sizeof why);
    if (!same && report)
        printf("# %s: %s\n", name, why);
    return same;
}

static void test_round_trip(const char *name, const struct brig_view *view)
{
    struct textbuf text;
    struct asm_result again = {0};
    struct brig_view copy;
    bool good = print(view, &text) && asm_text(text.data, text.size - 1, NULL, &again) == BRIG_OK &&
                brig_open(again.module, again.size, NULL, &copy) == BRIG_OK;
    ok(good && equivalent(view, &copy, name, true) && equivalent(&copy, view, name, true),
       "%s is equivalent to what its text assembles to", name);
    asm_result_free(&again);
    textbuf_free(&text);
}

/* Whether two texts assemble to the same bytes. In HSAIL 1:0, texts may differ in types of constants without that. */
static bool assemble_alike(const struct textbuf *one, const struct textbuf *two)
{
    struct asm_result left, right;
    enum brig_status first = asm_text(one->data, one->size - 1, NULL, &left);
    enum brig_status second = asm_text(two->data, two->size - 1, NULL, &right);
    bool alike = first == BRIG_OK && second == BRIG_OK && left.size == right.size &&
                 !memcmp(left.module, right.module, left.size);
    asm_result_free(&left);
    asm_result_free(&right);
    return alike;
}

/* Whether text and comparison agree about the module with one bit changed. */
static bool agree(const char *name, const struct brig_view *view, const struct textbuf *text,
                  const struct brig_view *changed, size_t bit, unsigned *different)
{
    struct textbuf other;
    if (!print(changed, &other))
        return false;
    bool same_text = other.size == text->size && !memcmp(other.data, text->data, text->size);
    bool same = equivalent(view, changed, name, false);
    if (same && !same_text)
        same_text = assemble_alike(text, &other);
    textbuf_free(&other);
    if (equivalent(changed, view, name, false) != same)
        return printf("# %s: bit %zu: not the same both ways\n", name, bit) < 0;
    *different += !same;
    if (same && !same_text)
        return printf("# %s: bit %zu changes the text, but not the meaning\n", name, bit) < 0;
    if (!same && same_text && brig_validate(changed, NULL) == BRIG_OK) {
        equivalent(view, changed, name, true);
        return printf("# %s: bit %zu changes the meaning, but not the text\n", name, bit) < 0;
    }
    return true;
}

static void test_bits(const char *name, const struct brig_view *view)
{
    struct textbuf text;
    uint8_t *copy = mem_alloc(view->module.size);
    unsigned opened = 0, different = 0;
    bool good = print(view, &text);
    memcpy(copy, view->module.data, view->module.size);
    for (size_t bit = 0; bit < 8 * view->module.size; bit++) {
        struct brig_view changed;
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (brig_open(copy, view->module.size, NULL, &changed) == BRIG_OK) {
            opened++;
            good &= agree(name, view, &text, &changed, bit, &different);
        }
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ok(good && different > opened / 4 && different < opened, "%s: %u bits may change, %u of them change the meaning",
       name, opened, different);
    mem_free(copy);
    textbuf_free(&text);
}

static void test_module(const char *name, const void *module, size_t size, bool whole)
{
    struct brig_view view;
    if (!ok(brig_open(module, size, NULL, &view) == BRIG_OK, "%s is a module", name))
        return;
    ok(equivalent(&view, &view, name, true), "%s is equivalent to itself", name);
    /* The samples break rules of HSAIL. That of BRIG 1:0 even has entries that only came later. */
    if (view.brig_minor || brig_validate(&view, NULL) == BRIG_OK)
        test_round_trip(name, &view);
    if (whole)
        test_bits(name, &view);
}

static size_t read_file(const char *name, uint8_t *data, size_t most)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/%s", srcdir ? srcdir : ".", name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(data, 1, most - 1, file) : 0;
    if (file)
        fclose(file);
    data[size] = 0;
    return size;
}

int main(void)
{
    static const char *const texts[] = {
        "brig/data/wide.hsail",           "frontend/good/arithmetic.hsail",
        "frontend/good/base_small.hsail", "frontend/good/declarations.hsail",
        "frontend/good/functions.hsail",  "frontend/good/images.hsail",
        "frontend/good/memory.hsail",
    };
    static _Alignas(16) uint8_t data[1 << 17];
    size_t size = read_file("brig/data/wide.brig", data, sizeof data);
    test_module("brig/data/wide.brig", data, size, true);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct asm_result result;
        size = read_file(texts[i], data, sizeof data);
        if (ok(asm_text((const char *)data, size, NULL, &result) == BRIG_OK, "%s assembles", texts[i]))
            test_module(texts[i], result.module, result.size, false);
        asm_result_free(&result);
    }
    for (uint32_t minor = 0; minor <= 2; minor += 2) {
        struct sample sample;
        if (sample_build(&sample, minor))
            test_module(minor ? "the sample of BRIG 1:2" : "the sample of BRIG 1:0", sample.module, sample.size, true);
        mem_free(sample.module);
    }
    return tap_done();
}
