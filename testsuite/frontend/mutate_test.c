/* SPDX-License-Identifier: MIT */
/* Damaged input: every answer is a status, every refusal has a diagnostic, nothing is read that is not there.
 *
 * Texts and modules are truncated, get bits flipped, bytes replaced, pieces moved and copied, from a fixed
 * seed; what is accepted all the same is printed and must assemble again, to the same text. Run it with
 * sanitizers for its full worth. */
#include "hsail/hsail.h"

#include "testsuite/frontend/memory.h"
#include "testsuite/tap.h"

#include <dirent.h>

#define MOST_FILES 32
#define MUTATIONS 12000

struct file {
    char name[64];
    unsigned char *data;
    size_t size;
};

static struct file files[MOST_FILES];
static int file_count;
static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static size_t below(size_t limit)
{
    return limit ? (size_t)(random64() % limit) : 0;
}

/* ---- A sink that keeps everything --------------------------------------------------------------------- */

struct text {
    char *data;
    size_t size;
};

static int keep(void *user, const void *data, size_t size)
{
    struct text *text = user;
    char *grown = realloc(text->data, text->size + size + 1);
    if (!grown)
        return 1;
    memcpy(grown + text->size, data, size);
    text->data = grown;
    text->size += size;
    return 0;
}

static void count_errors(void *user, const hsail_diagnostic_t *diagnostic)
{
    *(int *)user += diagnostic->severity == HSAIL_SEVERITY_ERROR;
}

/* ---- Mutations ------------------------------------------------------------------------------------- */

static unsigned char *load(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *data = malloc(*size + 1);
    if (data && fread(data, 1, *size, stream) != *size) {
        free(data);
        data = NULL;
    }
    fclose(stream);
    return data;
}

static void load_files(const char *directory)
{
    DIR *stream = opendir(directory);
    for (struct dirent *entry; stream && (entry = readdir(stream)) && file_count < MOST_FILES;) {
        char path[8192];
        struct file *file = &files[file_count];
        if (!strstr(entry->d_name, ".hsail"))
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        snprintf(file->name, sizeof file->name, "%.60s", entry->d_name);
        file->data = load(path, &file->size);
        file_count += file->data != NULL;
    }
    if (stream)
        closedir(stream);
}

/* Damages DATA, which has room for twice its size; returns the new size. */
static size_t mutate(unsigned char *data, size_t size)
{
    static const char bytes[] = "{}()[];:,=+-&%@$\"\\/*_0189afxpuszd \n\0\xff\x80";
    size_t at = below(size), length = below(size / 8 + 1);
    switch (below(8)) {
    case 0: return at;
    case 1: data[at] ^= (unsigned char)(1u << below(8)); return size;
    case 2: data[at] = (unsigned char)bytes[below(sizeof bytes - 1)]; return size;
    case 3: data[at] = (unsigned char)random64(); return size;
    case 4: /* leave a piece out */
        length = length < size - at ? length : size - at;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 5: /* a piece twice */
        length = length < size - at ? length : size - at;
        memmove(data + at + length, data + at, size - at);
        return size + length;
    case 6: { /* a piece over another */
        size_t to = below(size);
        length = length < size - at ? length : size - at;
        length = length < size - to ? length : size - to;
        memmove(data + to, data + at, length);
        return size;
    }
    default: /* a word of a binary */
        if (size >= 4) {
            static const uint32_t words[] = {0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x10000};
            uint32_t word = words[below(8)];
            memcpy(data + below(size / 4) * 4, &word, 4);
        }
        return size;
    }
}

/* What was accepted prints to text that assembles, and to the same text again. */
static bool prints(hsail_context_t *context, hsail_module_t *module)
{
    struct text one = {0}, two = {0};
    hsail_module_t *again = NULL;
    bool good = hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &one) == HSAIL_STATUS_OK &&
                hsail_assemble(context, "printed", one.data, one.size, 0, &again) == HSAIL_STATUS_OK &&
                hsail_disassemble(context, again, HSAIL_FLOAT_IEEE, keep, &two) == HSAIL_STATUS_OK &&
                one.size == two.size && !memcmp(one.data, two.data, one.size);
    if (!good)
        printf("# printed:\n%.*s\n", (int)one.size, one.data);
    hsail_module_destroy(again);
    free(one.data);
    free(two.data);
    return good;
}

/* One damaged input; a copy of exact size, so that a read behind it is seen. */
static bool try(hsail_context_t *context, const unsigned char *data, size_t size, bool brig, int *errors, int *accepted)
{
    unsigned char *exact = malloc(size ? size : 1);
    hsail_module_t *module;
    if (!exact)
        return false;
    memcpy(exact, data, size);
    *errors = 0;
    hsail_status_t status = brig ? hsail_module_load(context, NULL, exact, size, 0, &module)
                                 : hsail_assemble(context, NULL, exact, size, 0, &module);
    free(exact);
    bool good = status == HSAIL_STATUS_OK ? module && !*errors : status == HSAIL_STATUS_INVALID && !module && *errors;
    if (good && module && !brig) {
        good = prints(context, module);
        ++*accepted;
    } else if (good && module) {
        struct text text = {0};
        good = hsail_disassemble(context, module, HSAIL_FLOAT_DECIMAL, keep, &text) == HSAIL_STATUS_OK;
        free(text.data);
        ++*accepted;
    }
    hsail_module_destroy(module);
    return good;
}

static void test_mutations(bool brig)
{
    hsail_context_t *context;
    int errors = 0, accepted = 0;
    struct memory memory = {.countdown = -1};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    bool good = hsail_context_create(&allocator, &context) == HSAIL_STATUS_OK;
    hsail_context_set_diagnostics(context, count_errors, &errors);
    for (int i = 0; i < MUTATIONS && good; i++) {
        const struct file *file = &files[below((size_t)file_count)];
        const unsigned char *from = file->data;
        size_t size = file->size;
        hsail_module_t *module = NULL;
        if (brig) {
            if (hsail_assemble(context, NULL, file->data, file->size, HSAIL_NO_VALIDATION, &module) != HSAIL_STATUS_OK)
                continue;
            from = hsail_module_data(module);
            size = hsail_module_size(module);
        }
        unsigned char *data = malloc(4 * size + 64);
        memcpy(data, from, size);
        hsail_module_destroy(module);
        for (size_t n = below(3) + 1; n; n--)
            if (size)
                size = mutate(data, size);
        good = try(context, data, size, brig, &errors, &accepted);
        if (!good) {
            printf("# mutation %d of %s\n", i, file->name);
            FILE *stream = fopen("mutate_test.failed", "wb");
            if (stream) {
                fwrite(data, 1, size, stream);
                fclose(stream);
            }
        }
        free(data);
    }
    hsail_context_destroy(context);
    ok(good, "%d damaged %s, %d of them accepted", MUTATIONS, brig ? "modules" : "texts", accepted);
    ok(memory_clean(&memory), "no memory is left: %ld", memory.blocks);
}

/* ---- Odd inputs ------------------------------------------------------------------------------------ */

static void test_odd(void)
{
    hsail_context_t *context;
    hsail_module_t *module;
    ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, "a context with the C library's memory");
    ok(hsail_context_create(NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(NULL, NULL, "", 0, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", 0, 8, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_assemble(context, NULL, "", SIZE_MAX, 0, &module) == HSAIL_STATUS_TOO_LARGE &&
           hsail_module_load(context, NULL, NULL, 1, 0, &module) == HSAIL_STATUS_ARGUMENT &&
           hsail_module_validate(context, NULL, NULL) == HSAIL_STATUS_ARGUMENT &&
           hsail_context_set_warning(context, "nothing") == HSAIL_STATUS_ARGUMENT,
       "arguments are checked");
    ok(hsail_assemble(context, NULL, NULL, 0, 0, &module) == HSAIL_STATUS_INVALID && !module, "no text at all");
    static const char nul[] = "module &m:1:0:$full:$large:$default;\0global_u32 &x;";
    ok(hsail_assemble(context, NULL, nul, sizeof nul - 1, 0, &module) == HSAIL_STATUS_INVALID, "a NUL is no end");
    hsail_module_destroy(NULL);
    hsail_context_destroy(context);
    hsail_context_destroy(NULL);
    ok(!strcmp(hsail_status_text(HSAIL_STATUS_OK), "success") && *hsail_version(), "words");
}

int main(void)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/testsuite/frontend/good", srcdir ? srcdir : ".");
    load_files(path);
    if (!ok(file_count >= 5, "%d modules to damage", file_count))
        return tap_done();
    test_odd();
    test_mutations(false);
    test_mutations(true);
    for (int i = 0; i < file_count; i++)
        free(files[i].data);
    return tap_done();
}
