/* SPDX-License-Identifier: MIT */
/* Makes every allocation of every entry point of hsail.h fail in turn, alone or with all that follow. The answer must
 * be OUT_OF_MEMORY; there must be no module and no leak, and every block must go back to the allocator that it came
 * from. transcribe_test does the same with the builder. */
#include "hsail/hsail.h"

#include "testsuite/frontend/test_memory.h"
#include "testsuite/tap.h"

#include <glob.h>

/* ---- One entry point --------------------------------------------------------------------------------- */

struct input {
    const char *name;
    char *data;
    size_t size;
};

static int drop(void *user, const void *data, size_t size)
{
    (void)data;
    *(size_t *)user += size;
    return 0;
}

/* Prints each finding in every form. An allocation that fails then shows in the status of printing. */
struct printer {
    struct memory *memory;
    unsigned found;
    bool wrong;
};

static void print(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct printer *printer = user;
    printer->found++;
    for (int style = HSAIL_PRINT_TEXT; style <= HSAIL_PRINT_JSON; style++) {
        size_t size = 0;
        bool before = printer->memory->failed;
        hsail_status_t status = hsail_diagnostic_print(diagnostic, (hsail_print_t)style, drop, &size);
        if (status != (printer->memory->failed && !before ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK) &&
            !(before && status == HSAIL_STATUS_OUT_OF_MEMORY))
            printer->wrong = true;
        if (printer->memory->failed && !before)
            printer->memory->failed = false; /* it was printing that failed */
    }
}

enum entry {
    CREATE,
    ASSEMBLE,
    CHECKED,
    LINES,
    LOAD,
    VALIDATE,
    DISASSEMBLE,
    DUMP,
    INSTRUCTIONS,
    DIAGNOSTICS,
    WARNING,
    ENTRIES
};
static const char *const entry_names[] = {
    "hsail_context_create",    "hsail_assemble",         "hsail_assemble, checked",   "hsail_assemble, with lines",
    "hsail_module_load",       "hsail_module_validate",  "hsail_disassemble",         "hsail_dump",
    "hsail_list_instructions", "hsail_list_diagnostics", "hsail_context_set_warning",
};

static hsail_status_t call(enum entry entry, hsail_context_t *context, const struct input *input,
                           const hsail_module_t *module, hsail_module_t **made)
{
    size_t size = 0;
    const void *data = module ? hsail_module_data(module) : input->data;
    size_t bytes = module ? hsail_module_size(module) : input->size;
    switch (entry) {
    case ASSEMBLE: return hsail_assemble(context, input->name, input->data, input->size, HSAIL_NO_VALIDATION, made);
    case CHECKED: return hsail_assemble(context, input->name, input->data, input->size, 0, made);
    case LINES:
        return hsail_assemble(context, input->name, input->data, input->size, HSAIL_NO_VALIDATION | HSAIL_LINES, made);
    case LOAD: return hsail_module_load(context, input->name, data, bytes, 0, made);
    case VALIDATE: return hsail_module_validate(context, input->name, module);
    case DISASSEMBLE: return hsail_disassemble(context, module, HSAIL_FLOAT_DECIMAL, drop, &size);
    case DUMP: return hsail_dump(context, input->name, data, bytes, drop, &size);
    case INSTRUCTIONS: return hsail_list_instructions(context, drop, &size);
    case DIAGNOSTICS: return hsail_list_diagnostics(context, drop, &size);
    case WARNING: return hsail_context_set_warning(context, "error=all");
    case CREATE:
    case ENTRIES: break;
    }
    return HSAIL_STATUS_OK;
}

/* Makes one call whose allocation N fails. Returns false if something is wrong; *FAILED says whether there were so many
 * allocations. */
static bool run(enum entry entry, const struct input *input, const hsail_module_t *module, long n, bool once,
                hsail_status_t usual, bool *failed)
{
    struct memory memory = {.countdown = entry == CREATE ? n : -1, .once = once};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    struct printer printer = {&memory, 0, false};
    hsail_context_t *context = NULL;
    hsail_module_t *made = NULL;
    hsail_status_t status = hsail_context_create(&allocator, &context);
    if (status == HSAIL_STATUS_OK && entry != CREATE) {
        memory.countdown = n;
        hsail_context_set_diagnostics(context, print, &printer);
        status = call(entry, context, input, module, &made);
    }
    *failed = memory.countdown == 0 && (memory.failed || printer.found);
    bool good = status == (memory.failed ? HSAIL_STATUS_OUT_OF_MEMORY : usual) && !printer.wrong &&
                (!made || status == HSAIL_STATUS_OK);
    if (status == HSAIL_STATUS_INVALID && !printer.found)
        good = false;
    memory.countdown = -1;
    hsail_module_destroy(made);
    hsail_context_destroy(context);
    if (!good || !memory_clean(&memory))
        printf("# allocation %ld%s: %s, %ld blocks left%s\n", n, once ? " alone" : "", hsail_status_text(status),
               memory.blocks, memory.wrong_owner ? ", freed by another" : "");
    return good && memory_clean(&memory);
}

static void test_entry(enum entry entry, const struct input *input, const hsail_module_t *module)
{
    hsail_context_t *context;
    hsail_module_t *made = NULL;
    bool good = hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, failed = true;
    hsail_status_t usual = good ? call(entry, context, input, module, &made) : HSAIL_STATUS_OK;
    hsail_module_destroy(made);
    hsail_context_destroy(context);
    long n = 0;
    for (; good && failed && n < 100000; n++)
        good = run(entry, input, module, n, true, usual, &failed) &&
               (!failed || run(entry, input, module, n, false, usual, &failed));
    ok(good, "%s, %s: each of %ld allocations may fail", input->name, entry_names[entry], n - 1);
}

/* ---- All of them ------------------------------------------------------------------------------------- */

static bool load(const char *path, struct input *input)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    input->name = strrchr(path, '/') + 1;
    input->data = malloc(1 << 20);
    input->size = input->data ? fread(input->data, 1, 1 << 20, file) : 0;
    fclose(file);
    return input->data;
}

static void test_file(const char *path)
{
    struct input input;
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    if (!load(path, &input) || hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        exit(99);
    bool good = hsail_assemble(context, NULL, input.data, input.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK;
    test_entry(CHECKED, &input, NULL);
    if (good) {
        test_entry(ASSEMBLE, &input, NULL);
        test_entry(LINES, &input, NULL);
        test_entry(LOAD, &input, module);
        test_entry(VALIDATE, &input, module);
        test_entry(DISASSEMBLE, &input, module);
        test_entry(DUMP, &input, module);
        struct input damaged = {"with a damaged operand", malloc(hsail_module_size(module)), hsail_module_size(module)};
        if (!damaged.data)
            exit(99);
        memcpy(damaged.data, hsail_module_data(module), damaged.size);
        memset(damaged.data + damaged.size / 2, 0xff, 4);
        test_entry(LOAD, &damaged, NULL);
        test_entry(DUMP, &damaged, NULL);
        free(damaged.data);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    free(input.data);
}

/* Statements that turn out to be wrong after their constants; in some of them a section must grow. */
static void test_wrong_ends(void)
{
    static char text[8192];
    struct input input = {"wrong ends", text, 0};
    int at = snprintf(text, sizeof text, "module &m:1:0:$full:$large:$default;\nkernel &k()\n{\n");
    for (int i = 1000; i < 1380; i += 4)
        at += snprintf(text + at, sizeof text - (size_t)at, "\tst_v4_global_u32 (%d, %d, %d, %d), ;\n", i, i + 1, i + 2,
                       i + 3);
    at += snprintf(text + at, sizeof text - (size_t)at, "};\nglobal_u32 &x[] = u32[](");
    for (int i = 0; i < 600; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%d,", i % 10);
    input.size = (size_t)at + (size_t)snprintf(text + at, sizeof text - (size_t)at, "1);\n");
    test_entry(CHECKED, &input, NULL);
    test_entry(LINES, &input, NULL);
}

int main(void)
{
    static const char invalid[] = "module &m:1:0:$full:$large:$default;\nkernel &k()\n{\n\tadd_u32 $s0, $d1, 3;\n"
                                  "\tld_global_u32 $s0, [$s1];\n\tbr @x;\n@x:\n\tret;\n};\n";
    const char *top = getenv("srcdir");
    struct input nothing = {"nothing", NULL, 0}, wrong = {"wrong operands", (char *)invalid, sizeof invalid - 1};
    char pattern[4096];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/testsuite/frontend/[gb]*[od]/*.hsail", top ? top : ".");
    if (!ok(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 10, "files of good/ and bad/"))
        return tap_done();
    for (size_t i = 0; i < found.gl_pathc; i++)
        test_file(found.gl_pathv[i]);
    globfree(&found);
    test_entry(CHECKED, &wrong, NULL);
    test_wrong_ends();
    test_entry(CHECKED, &nothing, NULL);
    test_entry(LOAD, &nothing, NULL);
    test_entry(CREATE, &nothing, NULL);
    test_entry(INSTRUCTIONS, &nothing, NULL);
    test_entry(DIAGNOSTICS, &nothing, NULL);
    test_entry(WARNING, &nothing, NULL);
    return tap_done();
}
