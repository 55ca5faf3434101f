/* SPDX-License-Identifier: MIT */
/* Runs the fuzz targets without libFuzzer, with the inputs that fuzzing has found and a fixed number of mutations of
 * the seeds.
 *
 *     replay_test                    every file of corpus/, then FUZZ_MUTATIONS (default 1500) mutations per target
 *     replay_test TARGET FILE...     the files with one target, to look into a finding
 *
 * A broken promise ends the process; the line before says which input it was. FUZZ_SEED changes the mutations. If
 * FUZZ_KEEP is set, the mutation that is about to run is kept in replay_test.input. */
#include "testsuite/fuzz/mutate.h"
#include "testsuite/fuzz/fuzz_target.h"
#include "testsuite/tap.h"
#include "testsuite/tools/damage.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 17)
#define MOST_INPUTS 200

struct input {
    char name[256];
    uint8_t *data;
    size_t size;
};

struct inputs {
    struct input items[MOST_INPUTS];
    int count;
};

static bool load(const char *path, struct input *input)
{
    FILE *stream = fopen(path, "rb");
    const char *name = strrchr(path, '/');
    *input = (struct input){.data = malloc(MOST_BYTES)};
    snprintf(input->name, sizeof input->name, "%.255s", name ? name + 1 : path);
    if (stream && input->data)
        input->size = fread(input->data, 1, MOST_BYTES, stream);
    bool good = stream && input->data && !ferror(stream);
    if (stream)
        fclose(stream);
    return good;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct input *)left)->name, ((const struct input *)right)->name);
}

/* The files of a folder below testsuite/ whose names end in SUFFIX. */
static void load_folder(struct inputs *inputs, const char *folder, const char *suffix)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];
    int before = inputs->count;
    snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", folder);
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = readdir(stream)) && inputs->count < MOST_INPUTS;) {
        size_t length = strlen(entry->d_name), tail = strlen(suffix);
        if (length <= tail || strcmp(entry->d_name + length - tail, suffix) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", srcdir ? srcdir : ".", folder, entry->d_name);
        inputs->count += load(path, &inputs->items[inputs->count]);
    }
    if (stream)
        closedir(stream);
    qsort(inputs->items + before, (size_t)(inputs->count - before), sizeof *inputs->items, by_name);
}

static void free_inputs(struct inputs *inputs)
{
    while (inputs->count)
        free(inputs->items[--inputs->count].data);
}

/* ---- What fuzzing found ---------------------------------------------------------------------------- */

static void replay(const struct inputs *inputs, bool text)
{
    for (int i = 0; i < inputs->count; i++) {
        const struct input *input = &inputs->items[i];
        printf("# %s\n", input->name);
        fflush(stdout);
        for (int t = 0; t < FUZZ_TARGETS; t++)
            if (fuzz_targets[t].text == text)
                fuzz_targets[t].run(input->data, input->size);
        ok(true, "%s", input->name);
    }
}

/* ---- Mutations ------------------------------------------------------------------------------------- */

static uint64_t seed;

static size_t mutate_any(uint8_t *data, size_t size, size_t most)
{
    if (size < most / 2)
        memset(data + size, 0x30, 4);
    size += size < most / 2 ? 4 : 0;
    mutate(data, &size, mutate_next(&seed));
    return size;
}

static void keep_input(const uint8_t *data, size_t size)
{
    FILE *stream = getenv("FUZZ_KEEP") ? fopen("replay_test.input", "wb") : NULL;
    if (stream) {
        fwrite(data, 1, size, stream);
        fclose(stream);
    }
}

static void mutations(const struct fuzz_target *target, const struct inputs *inputs)
{
    const char *wanted = getenv("FUZZ_MUTATIONS"), *start = getenv("FUZZ_SEED");
    unsigned long count = wanted ? strtoul(wanted, NULL, 0) : 1500;
    uint8_t *data = malloc(MOST_BYTES);
    seed = start ? strtoull(start, NULL, 0) : 1;
    for (unsigned long n = 0; data && inputs->count && n < count; n++) {
        const struct input *input = &inputs->items[mutate_next(&seed) % (uint64_t)inputs->count];
        size_t size = input->size;
        memcpy(data, input->data, size);
        for (uint64_t more = 1 + mutate_next(&seed) % 8 / 6; more; more--)
            size = (target->text ? mutate_text : mutate_brig)(data, size, MOST_BYTES, mutate_next(&seed), mutate_any);
        keep_input(data, size);
        target->run(data, size);
    }
    ok(data && inputs->count, "%s: %lu mutations of %d seeds", target->name, count, inputs->count);
    free(data);
}

/* Assembles texts to modules. */
static void assemble(const struct inputs *texts, struct inputs *modules)
{
    hsail_context_t *context;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return;
    for (int i = 0; i < texts->count && modules->count < MOST_INPUTS; i++) {
        hsail_module_t *module;
        struct input *input = &modules->items[modules->count];
        if (hsail_assemble(context, NULL, texts->items[i].data, texts->items[i].size, 0, &module) != HSAIL_STATUS_OK)
            continue;
        *input = texts->items[i];
        input->size = hsail_module_size(module);
        input->data = malloc(input->size);
        if (input->data && input->size < MOST_BYTES) {
            memcpy(input->data, hsail_module_data(module), input->size);
            modules->count++;
        }
        hsail_module_destroy(module);
    }
    hsail_context_destroy(context);
}

static int run_files(const char *name, int count, char **files)
{
    for (int t = 0; t < FUZZ_TARGETS; t++)
        for (int i = 0; i < count && !strcmp(name, fuzz_targets[t].name); i++) {
            struct input input;
            if (ok(load(files[i], &input), "%s", files[i]))
                fuzz_targets[t].run(input.data, input.size);
            free(input.data);
        }
    return tap_done();
}

int main(int argc, char **argv)
{
    static struct inputs texts, modules, found;
    if (argc > 2)
        return run_files(argv[1], argc - 2, argv + 2);
    load_folder(&found, "testsuite/fuzz/corpus/text", ".hsail");
    ok(found.count > 0, "%d texts that fuzzing found", found.count);
    replay(&found, true);
    free_inputs(&found);
    load_folder(&found, "testsuite/fuzz/corpus/brig", ".brig");
    ok(found.count > 0, "%d modules that fuzzing found", found.count);
    replay(&found, false);
    free_inputs(&found);
    load_folder(&texts, "testsuite/frontend/good", ".hsail");
    load_folder(&texts, "testsuite/frontend/prm", ".hsail");
    load_folder(&texts, "examples", ".hsail");
    load_folder(&modules, "testsuite/brig/data", ".brig");
    assemble(&texts, &modules);
    for (int t = 0; t < FUZZ_TARGETS; t++)
        mutations(&fuzz_targets[t], fuzz_targets[t].text ? &texts : &modules);
    free_inputs(&texts);
    free_inputs(&modules);
    return tap_done();
}
