/* SPDX-License-Identifier: MIT */
/* Tests hsail_finalize(): statuses and findings, the same result every time, several threads at once, what is refused,
 * and limits (S66, P19, R10, R45, R75, R76). */
#define _GNU_SOURCE /* memmem */
#include "hsail/brig.h"
#include "hsail/finalize.h"
#include "testsuite/finalizer/program_text.h"
#include "testsuite/finding.h"
#include "testsuite/kept.h"
#include "testsuite/tap.h"

#include <pthread.h>
#include <stdlib.h>

static hsail_context_t *context;

static hsail_status_t finalize(hsail_module_t **modules, size_t count, const char *target, const char *options,
                               void **code, size_t *size, struct finding *finding)
{
    static const char *const names[] = {"first", NULL, "third", "fourth"};
    hsail_finalize_module_t inputs[4];
    *finding = (struct finding){0};
    for (size_t i = 0; i < count; i++)
        inputs[i] = (hsail_finalize_module_t){hsail_module_data(modules[i]), hsail_module_size(modules[i]), names[i]};
    return hsail_finalize(inputs, count, target, options, keep_finding, finding, code, size);
}

/* The status of finalizing; releases everything. */
static hsail_status_t status_of(hsail_module_t **modules, size_t count, const char *target, const char *options)
{
    void *code;
    size_t size;
    struct finding finding;
    hsail_status_t status = finalize(modules, count, target, options, &code, &size, &finding);
    hsail_finalize_free(code);
    return status;
}

/* The id of the finding; "" if there is none. */
static const char *id_of(hsail_module_t **modules, size_t count, const char *target, const char *options)
{
    static struct finding finding;
    void *code;
    size_t size;
    hsail_status_t status = finalize(modules, count, target, options, &code, &size, &finding);
    hsail_finalize_free(code);
    return status == HSAIL_STATUS_OK ? "" : finding.id;
}

static void test_offline(hsail_module_t *kernel, hsail_module_t *function)
{
    hsail_module_t *both[] = {kernel, function}, *twice[] = {function, kernel, kernel};
    void *code, *again;
    size_t size, again_size;
    struct finding finding;
    ok(finalize(both, 2, "gfx900", NULL, &code, &size, &finding) == HSAIL_STATUS_OK, "two modules link");
    ok(finalize(both, 2, "gfx900", "", &again, &again_size, &finding) == HSAIL_STATUS_OK && size == again_size &&
           !memcmp(code, again, size),
       "the result is the same every time");
    hsail_finalize_free(again);
    hsail_finalize_free(code);
    ok(status_of(both, 1, "gfx900", NULL) == HSAIL_STATUS_FAILED, "a program with an undefined function is refused");
    ok(!strcmp(id_of(both, 1, "gfx900", NULL), "function-undefined"), "the id says that a function is undefined");
    ok(status_of(twice, 3, "gfx900", NULL) == HSAIL_STATUS_INVALID, "a module is not taken twice");
    ok(!strcmp(id_of(twice, 3, "gfx900", NULL), "module-twice"), "the id says that the module is there twice");
    ok(status_of(both, 2, "gfx9000", NULL) == HSAIL_STATUS_ARGUMENT, "an unknown target is refused");
    ok(!strcmp(id_of(both, 2, "gfx900:xnack", NULL), "target-feature"), "a target feature without a sign is refused");
    ok(!strcmp(id_of(both, 2, "gfx900:xnack+:xnack-", NULL), "target-feature"),
       "a target feature that is named twice is refused");
    ok(status_of(both, 2, "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-", "-O0") == HSAIL_STATUS_OK,
       "another target is accepted");
    ok(status_of(both, 2, "AMD:AMDGPU:9:0:0", NULL) == HSAIL_STATUS_OK, "the old kind of target name is accepted");
    ok(status_of(both, 2, "gfx900", "-O2 -frobnicate") == HSAIL_STATUS_ARGUMENT, "an unknown option is refused");
    ok(!strcmp(id_of(both, 2, "gfx900", "-O2 -frobnicate"), "option-unknown"),
       "the id says that the option is unknown");
}

/* Arguments that are missing, and modules in memory that cannot be read. */
static void test_arguments(hsail_module_t *kernel, hsail_module_t *function)
{
    hsail_finalize_module_t both[] = {{hsail_module_data(kernel), hsail_module_size(kernel), NULL},
                                      {hsail_module_data(function), hsail_module_size(function), NULL}};
    hsail_finalize_module_t no_bytes[] = {both[0], {NULL, 16, NULL}};
    hsail_finalize_module_t askew[] = {both[0], {(const char *)both[1].brig + 8, both[1].size - 8, NULL}};
    const struct {
        const char *what;
        const hsail_finalize_module_t *modules;
        size_t count;
        const char *target;
    } cases[] = {
        {"no modules", NULL, 2, "gfx900"},   {"a count of 0", both, 0, "gfx900"}, {"no target", both, 2, NULL},
        {"no bytes", no_bytes, 2, "gfx900"}, {"bytes askew", askew, 2, "gfx900"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *code = kernel;
        size_t size = 1;
        struct finding finding = {0};
        ok(hsail_finalize(cases[i].modules, cases[i].count, cases[i].target, NULL, keep_finding, &finding, &code,
                          &size) == HSAIL_STATUS_ARGUMENT &&
               !code && !size && finding.count == 1 && !strcmp(finding.name, "<program>"),
           "%s: %s", cases[i].what, finding.message);
    }
    void *code = NULL;
    size_t size = 0;
    ok(hsail_finalize(both, 2, "gfx900", NULL, NULL, NULL, NULL, &size) == HSAIL_STATUS_ARGUMENT &&
           hsail_finalize(both, 2, "gfx900", NULL, NULL, NULL, &code, NULL) == HSAIL_STATUS_ARGUMENT,
       "nowhere to put the result");
    hsail_finalize_free(NULL);
}

static void print_finding(void *user, const hsail_diagnostic_t *diagnostic)
{
    hsail_status_t status = hsail_diagnostic_print(diagnostic, HSAIL_PRINT_TEXT, keep, user);
    ok(status == HSAIL_STATUS_OK && !hsail_diagnostic_print(diagnostic, HSAIL_PRINT_JSON, keep, user), "printed");
}

/* Findings must have a module and a place, and libhsail must be able to print them. */
static void test_findings(hsail_module_t *function)
{
    hsail_module_t *images = assemble(
        context, HEAD("i") "extension \"amd:gcn\";\nprog kernel &k() {\nloc 7;\namd_gcn_region_alloc 4;\n};\n");
    static _Alignas(16) char broken[4096];
    hsail_finalize_module_t modules[] = {{hsail_module_data(function), hsail_module_size(function), "f"},
                                         {hsail_module_data(images), hsail_module_size(images), "images.brig"}};
    struct finding finding = {0};
    struct kept text = {0};
    void *code;
    size_t size;
    ok(hsail_finalize(modules, 2, "gfx900", NULL, keep_finding, &finding, &code, &size) == HSAIL_STATUS_FAILED &&
           finding.count == 1 && finding.severity == HSAIL_SEVERITY_ERROR && strstr(finding.id, "-unsupported") &&
           !strcmp(finding.name, "images.brig") && !strcmp(finding.section, "hsa_code") && finding.offset &&
           strstr(finding.message, "&k, line 7: "),
       "%s: %s: %s [%s]", finding.name, finding.section, finding.message, finding.id);
    ok(hsail_finalize(modules, 2, "gfx900", NULL, print_finding, &text, &code, &size) == HSAIL_STATUS_FAILED &&
           !strncmp(text.data, "images.brig: hsa_code+0x", 24) && strstr(text.data, ": error: &k, line 7: ") &&
           strstr(text.data, "\n{\"file\":\"images.brig\",\"brig_section\":\"hsa_code\",\"offset\":"),
       "the finding is printed as text and JSON");
    memcpy(broken, modules[0].brig, modules[0].size);
    ((hsa_brig_module_header_t *)(void *)broken)->byte_count += 8;
    modules[0].brig = broken;
    ok(hsail_finalize(modules, 1, "gfx900", NULL, keep_finding, &finding, &code, &size) == HSAIL_STATUS_INVALID &&
           finding.count == 2 && !strncmp(finding.id, "brig-", 5) && !strcmp(finding.name, "f"),
       "a rule of BRIG: %s [%s]", finding.message, finding.id);
    ok(hsail_finalize(modules, 1, "gfx900", NULL, NULL, NULL, &code, &size) == HSAIL_STATUS_INVALID,
       "the finding of a broken rule may go to nobody");
    free(text.data);
    hsail_module_destroy(images);
}

/* If a file cannot be written, finalizing fails and gives no code object. */
static void test_dumps(hsail_module_t *kernel, hsail_module_t *function)
{
    hsail_module_t *both[] = {kernel, function};
    char text[512] = "-dump-isa=";
    struct finding finding;
    static const char *const options[] = {"-dump-ir=/no-such-folder/x", "-dump-isa=/dev/full", "-dump-code=/dev/full"};
    void *code = kernel;
    size_t size = 1;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        ok(finalize(both, 2, "gfx900", options[i], &code, &size, &finding) == HSAIL_STATUS_FAILED && !code && !size &&
               strstr(finding.message, strchr(options[i], '/')),
           "%s: %s", options[i], finding.message);
    memset(text + strlen(text), 'x', 255); /* a relative path, which is too long with the folder before it */
    ok(finalize(both, 2, "gfx900", text, &code, &size, &finding) == HSAIL_STATUS_FAILED && !code,
       "a path that is too long: %s", finding.message);
}

struct target_list {
    hsail_module_t **modules;
    unsigned seen, wrong, most;
    bool has_gfx906;
};

/* Each listed target must be accepted, with exactly the features of the list. */
static int try_target(void *user, const hsail_finalize_target_t *target)
{
    struct target_list *list = user;
    static const char *const features[] = {"sramecc", "xnack"};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "amdgcn-amd-amdhsa--%s:%s+", target->name, features[i]);
        bool taken = !strcmp(id_of(list->modules, 1, name, "-unknown"), "option-unknown");
        list->wrong += taken != (strstr(target->features, features[i]) != NULL);
    }
    list->wrong += target->wave_sizes != (strncmp(target->name, "gfx1", 4) ? 64 : 96);
    list->has_gfx906 |= !strcmp(target->name, "gfx906") && !strcmp(target->features, "sramecc xnack");
    return ++list->seen == list->most;
}

static void test_targets(hsail_module_t *kernel)
{
    struct target_list all = {.modules = &kernel}, two = {.modules = &kernel, .most = 2};
    ok(hsail_finalize_list_targets(try_target, &all) == HSAIL_STATUS_OK && all.seen >= 16 && !all.wrong &&
           all.has_gfx906,
       "%u targets are listed", all.seen);
    ok(hsail_finalize_list_targets(try_target, &two) == HSAIL_STATUS_OK && two.seen == 2, "until it is enough");
    ok(hsail_finalize_list_targets(NULL, NULL) == HSAIL_STATUS_ARGUMENT, "nobody to list them to");
    struct finding finding;
    void *code;
    size_t size;
    ok(finalize(&kernel, 1, "gfx9999", NULL, &code, &size, &finding) == HSAIL_STATUS_ARGUMENT &&
           strstr(finding.message, "gfx9999") && !strcmp(finding.id, "target-unknown") &&
           strstr(finding.message, " gfx801 ") && strstr(finding.message, " gfx942"),
       "%s", finding.message);
}

struct job {
    hsail_module_t *modules[2];
    void *code;
    size_t size;
    hsail_status_t status;
};

static void *run_job(void *data)
{
    struct job *job = data;
    struct finding finding;
    for (int i = 0; i < 5; i++) {
        hsail_finalize_free(job->code);
        job->status = finalize(job->modules, 2, "gfx900", NULL, &job->code, &job->size, &finding);
        if (job->status)
            break;
    }
    return NULL;
}

static void test_threads(hsail_module_t *kernel, hsail_module_t *function)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct job jobs[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        jobs[i].modules[0] = kernel;
        jobs[i].modules[1] = function;
        pthread_create(&threads[i], NULL, run_job, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    bool same = true;
    for (int i = 0; i < THREADS; i++) {
        same &= jobs[i].status == HSAIL_STATUS_OK && jobs[i].size == jobs[0].size &&
                !memcmp(jobs[i].code, jobs[0].code, jobs[0].size);
    }
    for (int i = 0; i < THREADS; i++)
        hsail_finalize_free(jobs[i].code);
    ok(same, "threads at once get the same result");
}

/* How many fbarriers a kernel may have, and how large its arguments may be: at least the limits of 9.2.1 and 10.2 must
 * be possible (R45). */
static void test_limits(void)
{
    static char text[200000];
    static const struct {
        unsigned fbarriers;
        bool fits;
    } cases[] = {{33, true}, {5000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int at = snprintf(text, sizeof text, HEAD("l") "function &f()(arg_u32 %%a[64]) {};\nprog kernel &k() {\n");
        for (unsigned n = 0; n < cases[i].fbarriers; n++)
            at += snprintf(text + at, sizeof text - (size_t)at, "fbarrier %%f%u;\n", n);
        at += snprintf(text + at, sizeof text - (size_t)at, "{ arg_u32 %%a[64]; call &f()(%%a); }\n");
        for (unsigned n = 0; n < cases[i].fbarriers; n++)
            at += snprintf(text + at, sizeof text - (size_t)at, "initfbar %%f%u;\n", n);
        snprintf(text + at, sizeof text - (size_t)at, "};\n");
        hsail_module_t *module = assemble(context, text);
        ok(module && (status_of(&module, 1, "gfx900", NULL) == HSAIL_STATUS_OK) == cases[i].fits, "%u fbarriers are %s",
           cases[i].fbarriers, cases[i].fits ? "possible" : "too many");
        hsail_module_destroy(module);
    }
}

/* Whether a code object has NAME in its tables of symbols. */
static bool has_symbol(const char *code, size_t size, const char *name)
{
    size_t length = strlen(name) + 2; /* with the NUL before the name and the one after it */
    for (size_t i = 0; i + length <= size; i++)
        if (!code[i] && !memcmp(code + i + 1, name, length - 1))
            return true;
    return false;
}

/* Symbols of module linkage that have the same names as symbols of the program: each keeps its own. */
static void test_names(void)
{
    hsail_module_t *modules[] = {
        assemble(context,
                 HEAD("m1") "global_u32 &v = 1;\nkernel &k(kernarg_u64 %p) {\n"
                            "ld_global_u32 $s0, [&v]; ld_kernarg_u64 $d0, [%p]; st_global_u32 $s0, [$d0];\n};\n"),
        assemble(context,
                 HEAD("m2") "prog global_u32 &v = 2;\nprog kernel &k(kernarg_u64 %p) {\n"
                            "ld_global_u32 $s0, [&v]; ld_kernarg_u64 $d0, [%p]; st_global_u32 $s0, [$d0];\n};\n")};
    void *code = NULL;
    size_t size = 0;
    struct finding finding;
    ok(finalize(modules, 2, "gfx900", NULL, &code, &size, &finding) == HSAIL_STATUS_OK, "two kernels of one name");
    ok(code && has_symbol(code, size, "&v") && has_symbol(code, size, "&k.kd"), "the program's keep their names");
    ok(code && has_symbol(code, size, "&m1::&v") && has_symbol(code, size, "&m1::&k.kd"), "the module's get its own");
    hsail_finalize_free(code);
    code = NULL;
    finalize(modules, 1, "gfx900", NULL, &code, &size, &finding);
    ok(code && has_symbol(code, size, "&k.kd"), "a kernel of module linkage that is alone keeps its name");
    hsail_finalize_free(code);
    hsail_module_destroy(modules[0]);
    hsail_module_destroy(modules[1]);
}

/* 40 functions, each of which calls the one before it twice. */
static void test_deep_calls(void)
{
    static char text[1 << 14] = HEAD("deep") "function &f0()() {\nret;\n};\n";
    size_t at = strlen(text), size = 0;
    for (unsigned i = 1; i < 40; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "function &f%u()() {\n{ call &f%u()(); }\n{ call &f%u()(); }\n};\n", i, i - 1, i - 1);
    snprintf(text + at, sizeof text - at, "prog kernel &k() {\n{ call &f39()(); }\n};\n");
    hsail_module_t *module = assemble(context, text);
    void *code = NULL;
    struct finding finding;
    ok(module && finalize(&module, 1, "gfx900", NULL, &code, &size, &finding) == HSAIL_STATUS_OK,
       "calls whose number is beyond 2^32");
    hsail_finalize_free(code);
    hsail_module_destroy(module);
}

/* 8,000 instructions on images are optimized like shorter kernels. Without that, LLVM refuses them: each of their
 * results gets a place in private memory. */
static void test_many_images(void)
{
    enum { READS = 8000, LINE = 80 };
    static char text[READS * LINE + 4096];
    size_t at = (size_t)snprintf(
        text, sizeof text,
        HEAD("i") "extension \"IMAGE\";\nprog kernel &k(kernarg_u64 %%p, kernarg_rwimg %%i) {\n"
                  "ld_kernarg_u64 $d0, [%%p]; ld_kernarg_rwimg $d1, [%%i]; workitemabsid_u32 $s0, 0;\n");
    for (unsigned i = 0; i < READS; i++)
        at += (size_t)snprintf(
            text + at, sizeof text - at, "ldimage_v4_1d_u32_rwimg_u32 ($s0, $s1, $s2, $s3), $d1, $s%u;\n", i % 4);
    snprintf(text + at, sizeof text - at, "st_global_u32 $s0, [$d0];\n};\n");
    hsail_module_t *module = assemble(context, text);
    void *code = NULL;
    size_t size = 0;
    struct finding finding;
    ok(module && finalize(&module, 1, "gfx900", NULL, &code, &size, &finding) == HSAIL_STATUS_OK && !finding.count,
       "%d instructions on images are optimized %s", READS, finding.message);
    hsail_finalize_free(code);
    hsail_module_destroy(module);
}

#define VENDOR(instruction) HEAD("a") "extension \"amd:gcn\";\nprog kernel &k() {\n" instruction "\n};\n"

/* Instructions that cannot be lowered, and extensions that the finalizer lacks, are refused by their names (R10, S06).
 */
static void test_refusals(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {HEAD("i") "extension \"IMAGE\";\nprog alloc(agent) global_roimg &picture = roimg(geometry = 1d, width = 4, "
                   "channel_type = float, channel_order = rx);\nprog kernel &k() {\n};\n",
         "&picture"},
        {HEAD("g") "prog kernel &k() {\ngroup_u32 %g[20000];\nlda_group_u32 $s0, [%g];\n};\n", "%g"},
        {HEAD("e") "extension \"xyz:max\";\nprog kernel &k() {\n};\n", "\"xyz:max\""},
        {"module &v:1:2:$full:$large:$default;\nextension \"IMAGE\":1:3;\nprog kernel &k() {\n};\n", "1:3"},
        {VENDOR("amd_gcn_ld_region_u32 $s0, [0];"), "amd_gcn_ld"},
        {VENDOR("amd_gcn_st_region_u32 $s0, [0];"), "amd_gcn_st"},
        {VENDOR("amd_gcn_region_alloc 4;"), "amd_gcn_region_alloc"},
        {VENDOR("amd_gcn_atomic_append_u32 $s0, [0];"), "amd_gcn_atomic_append"},
        {VENDOR("amd_gcn_atomic_consume_u32 $s0, [0];"), "amd_gcn_atomic_consume"},
        {VENDOR("amd_gcn_b4xchg_b32 $s0, $s1, 1;"), "amd_gcn_b4xchg"},
        {VENDOR("amd_gcn_b32xchg_b32 $s0, $s1, 1;"), "amd_gcn_b32xchg"},
        {CALLER("requireddim 2;", "requireddim 1;"), "requireddim"},
        {CALLER("maxdynamicgroupsize 0;", "maxdynamicgroupsize 4;"), "maxdynamicgroupsize"},
        {CALLER("maxflatworkgroupsize 64;", "maxflatworkgroupsize 32;"), "maxflatworkgroupsize"},
        {CALLER("requirenopartialworkgroups;", ""), "requirenopartialworkgroups"},
        {CALLER("requireddim 1;", "requiredworkgroupsize 8, 2, 1;"), "requiredworkgroupsize"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsail_module_t *module = assemble(context, cases[i].text);
        void *code = NULL;
        size_t size;
        struct finding finding;
        ok(module && finalize(&module, 1, "gfx900", NULL, &code, &size, &finding) != HSAIL_STATUS_OK &&
               strstr(finding.message, cases[i].expected),
           "refused: %s", finding.message);
        hsail_finalize_free(code);
        hsail_module_destroy(module);
    }
}

/* If directives of a kernel repeat or contradict each other, the tightest of them holds (R75, R76). */
static void test_contradictions(void)
{
    static const struct {
        const char *directives;
        uint8_t most; /* the most work-items of a group, as one byte of MessagePack */
    } cases[] = {
        {"maxflatworkgroupsize WAVESIZE;\nrequiredworkgroupsize 65, 1, 1;", 64},
        {"maxflatworkgroupsize WAVESIZE;\nmaxflatworkgroupsize 32;", 32},
        {"maxflatworkgroupsize 32;\nmaxflatworkgroupsize 64;", 32},
        {"requiredworkgroupsize 64, 1, 1;\nrequiredworkgroupsize 8, 2, 1;", 8},
        {"requireddim 1;\nrequiredworkgroupsize 8, 2, 1;\nmaxflatworkgroupsize 8;", 8},
    };
    static const char key[] = ".max_flat_workgroup_size";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct finding finding = {0};
        snprintf(text, sizeof text, CALLER("%s", "%s"), "", cases[i].directives);
        hsail_module_t *module = assemble(context, text);
        void *code = NULL;
        size_t size = 0;
        bool good = module && finalize(&module, 1, "gfx900", NULL, &code, &size, &finding) == HSAIL_STATUS_OK;
        const uint8_t *found = good ? memmem(code, size, key, sizeof key - 1) : NULL;
        ok(found && found[sizeof key - 1] == cases[i].most, "%s: %u work-items at most %s", cases[i].directives,
           cases[i].most, finding.message);
        hsail_finalize_free(code);
        hsail_module_destroy(module);
    }
}

int main(void)
{
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_module_t *kernel = assemble(context, KERNEL), *function = assemble(context, FUNCTION);
    if (ok(kernel && function, "modules assemble")) {
        test_offline(kernel, function);
        test_arguments(kernel, function);
        test_findings(function);
        test_dumps(kernel, function);
        test_targets(kernel);
        test_threads(kernel, function);
    }
    test_names();
    test_deep_calls();
    test_many_images();
    test_refusals();
    test_contradictions();
    test_limits();
    hsail_module_destroy(kernel);
    hsail_module_destroy(function);
    hsail_context_destroy(context);
    return tap_done();
}
