/* SPDX-License-Identifier: MIT */
/* Tests damaged modules: whatever bytes the finalizer is given, it must return a status and, unless it succeeds, give a
 * reason. The arguments are HSAIL files; without any, the examples are used. HOSTILE_TIMES and HOSTILE_SEED in the
 * environment ask for more modules and for other ones. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/finding.h"
#include "testsuite/tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Changes up to three places after the header: flips a bit, sets a small number, or copies a word from elsewhere. */
static void damage(uint8_t *bytes, size_t size)
{
    for (uint32_t times = next() % 3 + 1; times; times--) {
        size_t at = 128 + next() % (size - 128), from = 128 + next() % (size - 132);
        switch (next() % 4) {
        case 0: bytes[at] ^= (uint8_t)(1u << next() % 8); break;
        case 1: bytes[at] = (uint8_t)(next() % 32); break;
        case 2: memcpy(bytes + (at & ~(size_t)3), bytes + (from & ~(size_t)3), 4); break;
        default: bytes[at] = (uint8_t)next(); break;
        }
    }
}

static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(1 << 20) : NULL;
    *size = text ? fread(text, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    return text;
}

static bool answers(const uint8_t *bytes, size_t size)
{
    hsail_finalize_module_t module = {bytes, size, NULL};
    void *code = NULL;
    size_t code_size = 0;
    struct finding finding = {0};
    hsail_status_t status = hsail_finalize(&module, 1, "gfx900", "-O0", keep_finding, &finding, &code, &code_size);
    bool sound = status == HSAIL_STATUS_OK ? code && code_size : !code && !code_size && *finding.message;
    if (!sound)
        printf("# status %d, message '%s'\n", status, finding.message);
    hsail_finalize_free(code);
    return sound;
}

static bool survives(const hsail_module_t *module, unsigned times)
{
    size_t size = hsail_module_size(module);
    uint8_t *copy = aligned_alloc(16, (size + 15) & ~(size_t)15);
    bool sound = copy != NULL;
    for (unsigned i = 0; sound && i < times; i++) {
        memcpy(copy, hsail_module_data(module), size);
        damage(copy, size);
        sound = answers(copy, size);
    }
    free(copy);
    return sound;
}

static void check(hsail_context_t *context, const char *path, unsigned times)
{
    size_t size;
    char *text = read_text(path, &size);
    hsail_module_t *module = NULL;
    if (ok(text && hsail_assemble(context, path, text, size, 0, &module) == HSAIL_STATUS_OK, "%s assembles", path))
        ok(survives(module, times), "%u times damaged, answers every time", times);
    hsail_module_destroy(module);
    free(text);
}

int main(int argc, char **argv)
{
    static const char *const examples[] = {
        "histogram", "mandelbrot", "reduce", "transpose", "vector_add", "vector_copy"};
    unsigned times = getenv("HOSTILE_TIMES") ? (unsigned)atoi(getenv("HOSTILE_TIMES")) : 150;
    state = getenv("HOSTILE_SEED") ? strtoull(getenv("HOSTILE_SEED"), NULL, 0) : 1;
    hsail_context_t *context;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    for (int i = 1; i < argc; i++)
        check(context, argv[i], times);
    for (size_t i = 0; argc < 2 && i < sizeof examples / sizeof examples[0]; i++) {
        char path[512];
        const char *source = getenv("srcdir");
        snprintf(path, sizeof path, "%s/examples/%s.hsail", source ? source : ".", examples[i]);
        check(context, path, times);
    }
    hsail_context_destroy(context);
    return tap_done();
}
