/* SPDX-License-Identifier: MIT */
/* Gives damaged text, BRIG and code objects to the libraries, in one process: each must answer with a status, and say
 * why when it refuses. Together with hostile_tools_test this makes 10,000 damaged files.
 *
 *     hostile_test [KIND SEED]    only that one, to repeat a failure
 *
 * What is still valid after the damage goes on to the next stage: modules are printed, and some are finalized. Nothing
 * is executed, as a damaged kernel may be a legal one that never ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/hsa.h"
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/finding.h"
#include "testsuite/tap.h"
#include "testsuite/tools/damage.h"

#define TEXTS 4000
#define BRIGS 4080
#define CODES 1600 /* hostile_tools_test has the other 320 */
#define FINALIZED_OF 2

static const char *const names[] = {"vector_copy", "vector_add", "transpose", "histogram", "reduce", "mandelbrot"};
#define NAMES (sizeof names / sizeof *names)

struct file {
    uint8_t *data;
    size_t size;
};

static struct file texts[NAMES], brigs[NAMES], codes[NAMES];
static hsail_context_t *context;
static hsa_agent_t gpu;
static size_t reported; /* how many diagnostics the current input has got */
static unsigned accepted, finalized;

static void count_diagnostic(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    reported += diagnostic->severity == HSAIL_SEVERITY_ERROR && *diagnostic->message && *diagnostic->id;
}

static int drop(void *user, const void *data, size_t size)
{
    *(size_t *)user += data ? size : 0;
    return 0;
}

static struct file copy_of(const void *data, size_t size)
{
    struct file file = {malloc(size + 1), size};
    memcpy(file.data, data, size);
    return file;
}

static bool make_files(const char *srcdir)
{
    for (size_t i = 0; i < NAMES; i++) {
        char path[4096], text[65536];
        snprintf(path, sizeof path, "%s/examples/%s.hsail", srcdir, names[i]);
        FILE *file = fopen(path, "rb");
        if (!file)
            return false;
        texts[i] = copy_of(text, fread(text, 1, sizeof text, file));
        fclose(file);
        hsail_module_t *module;
        if (hsail_assemble(context, path, texts[i].data, texts[i].size, 0, &module) != HSAIL_STATUS_OK)
            return false;
        brigs[i] = copy_of(hsail_module_data(module), hsail_module_size(module));
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        void *code;
        size_t size;
        if (hsail_finalize(&input, 1, "gfx900", NULL, NULL, NULL, &code, &size) != HSAIL_STATUS_OK)
            return false;
        codes[i] = copy_of(code, size);
        hsail_finalize_free(code);
        hsail_module_destroy(module);
    }
    return true;
}

/* A valid module must be printed, and be finalized or refused with a reason. */
static bool use_module(const hsail_module_t *module, uint64_t seed)
{
    size_t printed = 0;
    accepted++;
    if (hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, drop, &printed) != HSAIL_STATUS_OK || !printed)
        return false;
    if (seed % FINALIZED_OF)
        return true;
    struct finding finding = {0};
    hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
    void *code;
    size_t size;
    finalized++;
    hsail_status_t status = hsail_finalize(&input, 1, "gfx900", NULL, keep_finding, &finding, &code, &size);
    hsail_finalize_free(code);
    return status == HSAIL_STATUS_OK || *finding.message;
}

/* Tries one damaged text or BRIG. The copy has exactly its size, so that a sanitizer notices reads past its end. */
static bool try_module(const struct file *file, bool is_text, uint64_t seed)
{
    struct file damaged = copy_of(file->data, file->size);
    mutate(damaged.data, &damaged.size, seed);
    struct file exact = {malloc(damaged.size ? damaged.size : 1), damaged.size};
    memcpy(exact.data, damaged.data, damaged.size);
    free(damaged.data);
    hsail_module_t *module = NULL;
    reported = 0;
    hsail_status_t status = is_text ? hsail_assemble(context, "damaged", exact.data, exact.size, 0, &module)
                                    : hsail_module_load(context, "damaged", exact.data, exact.size, 0, &module);
    bool good =
        status == HSAIL_STATUS_OK ? use_module(module, seed) : status == HSAIL_STATUS_INVALID && reported && !module;
    hsail_module_destroy(module);
    free(exact.data);
    return good;
}

/* Tries one damaged code object: one of the steps of loading refuses it, or it is loaded. */
static bool try_code(const struct file *file, uint64_t seed)
{
    struct file damaged = copy_of(file->data, file->size);
    mutate(damaged.data, &damaged.size, seed);
    hsa_code_object_t code = {0};
    hsa_executable_t executable;
    hsa_status_t status = damaged.size ? hsa_code_object_deserialize(damaged.data, damaged.size, NULL, &code)
                                       : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    free(damaged.data);
    if (status != HSA_STATUS_SUCCESS)
        return true;
    if (hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable) != HSA_STATUS_SUCCESS)
        return false;
    if (hsa_executable_load_code_object(executable, gpu, code, NULL) == HSA_STATUS_SUCCESS &&
        hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS)
        accepted++;
    return hsa_executable_destroy(executable) == HSA_STATUS_SUCCESS &&
           hsa_code_object_destroy(code) == HSA_STATUS_SUCCESS;
}

static bool try_one(const char *kind, uint64_t seed)
{
    if (!strcmp(kind, "code"))
        return try_code(&codes[seed % NAMES], seed);
    bool is_text = !strcmp(kind, "text");
    return try_module(is_text ? &texts[seed % NAMES] : &brigs[seed % NAMES], is_text, seed);
}

static void try_all(const char *kind, uint64_t count)
{
    unsigned bad = 0;
    accepted = finalized = 0;
    for (uint64_t seed = 1; seed <= count; seed++)
        if (!try_one(kind, seed) && bad++ < 10)
            printf("# to repeat: hostile_test %s %llu\n", kind, (unsigned long long)seed);
    ok(!bad, "%llu damaged files: %s", (unsigned long long)count, kind);
    printf("# %u of them still valid, %u finalized\n", accepted, finalized);
}

static hsa_status_t find_gpu(hsa_agent_t agent, void *found)
{
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)found = agent;
    return HSA_STATUS_INFO_BREAK;
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    if (!ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK, "a context"))
        return tap_done();
    hsail_context_set_diagnostics(context, count_diagnostic, NULL);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "hsa_init");
    hsa_iterate_agents(find_gpu, &gpu);
    ok(gpu.handle != 0, "there is a GPU agent");
    if (ok(make_files(srcdir ? srcdir : "."), "the undamaged files are good")) {
        if (argc == 3) {
            ok(try_one(argv[1], strtoull(argv[2], NULL, 0)), "%s %s", argv[1], argv[2]);
        } else {
            try_all("text", TEXTS);
            try_all("brig", BRIGS);
            try_all("code", CODES);
        }
    }
    for (size_t i = 0; i < NAMES; i++) {
        free(texts[i].data);
        free(brigs[i].data);
        free(codes[i].data);
    }
    hsail_context_destroy(context);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "hsa_shut_down");
    return tap_done();
}
