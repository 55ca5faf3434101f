/* SPDX-License-Identifier: MIT */
/* Programs whose kernels are compiled in shares: they compute what the whole program does, whatever goes from one share
 * to another, their bytes are always the same, and a share that fails is reported like the whole program. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "support/elf_note.h"
#include "support/msgpack.h"
#include "support/textbuf.h"
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finding.h"
#include "testsuite/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 24, MANY = 200, ITEMS = 64 };

static struct textbuf text;

#define put(...) textbuf_printf(&text, __VA_ARGS__)

static const char common[] =
    "module &m:1:2:$full:$large:$near;\n"
    "decl prog kernel &k20(kernarg_u64 %p);\n"
    "prog global_u32 &counter = 5;\n"
    "global_u32 &own = 7;\n"
    "group_u32 &shared[64];\nprivate_u32 &mine;\n"
    "indirect function &add5(arg_u32 %r)(arg_u32 %n) {\n"
    "  ld_arg_u32 $s0, [%n]; add_u32 $s0, $s0, 5; st_arg_u32 $s0, [%r];\n};\n"
    "indirect function &mul5(arg_u32 %r)(arg_u32 %n) {\n"
    "  ld_arg_u32 $s0, [%n]; mul_u32 $s0, $s0, 5; st_arg_u32 $s0, [%r];\n};\n"
    "readonly_u64 &places[4] = u64[](addr(&counter), addr(&own), addr(&k20), addr(&add5));\n"
    "signature &sig(arg_u32 %r)(arg_u32 %n);\n"
    "decl function &fact(arg_u32 %r)(arg_u32 %n);\n"
    "function &fact(arg_u32 %r)(arg_u32 %n) {\n"
    "  global_u32 %calls = 100; atomicnoret_add_global_rlx_agent_u32 [%calls], 1;\n"
    "  ld_arg_u32 $s0, [%n]; cmp_le_b1_u32 $c0, $s0, 1; cbr_b1 $c0, @one; sub_u32 $s1, $s0, 1;\n"
    "  { arg_u32 %r2; arg_u32 %n2; st_arg_u32 $s1, [%n2]; call &fact(%r2)(%n2); ld_arg_u32 $s2, [%r2]; }\n"
    "  mul_u32 $s0, $s0, $s2; st_arg_u32 $s0, [%r]; ret;\n@one:\n  st_arg_u32 1, [%r]; ret;\n};\n"
    "function &count(arg_u32 %r)() {\n"
    "  ld_private_u32 $s0, [&mine]; add_u32 $s0, $s0, 3; st_private_u32 $s0, [&mine]; st_arg_u32 $s0, [%r];\n};\n";

/* What the kernels do before they store $s2. $s0 is the work-item, $s9 its number in the group times 4. */
static const char *const bodies[] = {
    "and_b32 $s1, $s0, 7; { arg_u32 %r; arg_u32 %n; st_arg_u32 $s1, [%n]; call &fact(%r)(%n); ld_arg_u32 $s2, [%r]; "
    "}\n",
    "st_group_u32 $s0, [&shared][$s9]; barrier; xor_b32 $s1, $s9, 4; ld_group_u32 $s2, [&shared][$s1];\n",
    "st_private_u32 $s0, [&mine]; { arg_u32 %r; call &count(%r)(); }\n"
    "{ arg_u32 %r; call &count(%r)(); ld_arg_u32 $s2, [%r]; }\n",
    "ld_readonly_u64 $d3, [&places][24]; mov_b64 $d4, addr(&add5); cmp_eq_b1_u64 $c0, $d3, $d4; cvt_u32_b1 $s2, $c0;\n",
    "ld_readonly_u64 $d3, [&places]; ld_global_u32 $s2, [$d3]; ld_readonly_u64 $d3, [&places][8];\n"
    "ld_global_u32 $s1, [$d3]; mad_u32 $s2, $s2, 10, $s1; ld_readonly_u64 $d3, [&places][16]; ld_global_u32 $s1, "
    "[$d3];\n"
    "mad_u32 $s2, $s2, 1000, $s1;\n",
    "cmp_ne_b1_u32 $c0, $s0, 0; mov_b32 $s2, 0; cbr_b1 $c0, @over; ld_global_u32 $s2, [&counter];\n"
    "mad_u32 $s2, $s2, 3, $s8; st_global_u32 $s2, [&counter]; ld_global_u32 $s3, [&own]; add_u32 $s3, $s3, $s2;\n"
    "st_global_u32 $s3, [&own];\n@over:\n",
};

/* Kernels with indirect calls are in the middle. */
static const char *const indirect[] = {
    "and_b32 $s1, $s0, 1; cmp_eq_b1_u32 $c0, $s1, 0; mov_b64 $d2, addr(&add5); mov_b64 $d3, addr(&mul5);\n"
    "cmov_b64 $d2, $c0, $d2, $d3;\n"
    "{ arg_u32 %r; arg_u32 %n; st_arg_u32 $s0, [%n]; icall_u64 $d2(%r)(%n) &sig; ld_arg_u32 $s2, [%r]; }\n",
    "and_b32 $s1, $s0, 1;\n"
    "{ arg_u32 %r; arg_u32 %n; st_arg_u32 $s0, [%n]; scall_u32 $s1(%r)(%n) [&add5, &mul5]; ld_arg_u32 $s2, [%r]; }\n",
};

static void write_program(int count, const char *odd)
{
    textbuf_clear(&text);
    put("%s", common);
    for (int i = 0; i < count; i++) {
        bool calls = i == 9 || i == 12;
        put("prog kernel &k%d(kernarg_u64 %%p) {\n", i);
        if (i % 4 == 1)
            put("requiredworkgroupsize 64, 1, 1;\n");
        put("global_u32 %%own = %d; group_u32 %%g[%d];\n%s", i, 16 + i, i == 17 && odd ? odd : "");
        put("workitemabsid_u32 $s0, 0; workitemid_u32 $s9, 0; shl_u32 $s9, $s9, 2; mov_b32 $s8, %d;\n", i);
        put("%s", calls ? indirect[i == 12] : bodies[i % 6]);
        put("ld_global_u32 $s1, [%%own]; mad_u32 $s2, $s2, 64, $s1;\n"
            "cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 2; ld_kernarg_u64 $d1, [%%p]; add_u64 $d0, $d0, $d1;\n"
            "st_global_u32 $s2, [$d0];\n};\n");
    }
}

/* ---- Execution ---- */

struct outcome {
    uint32_t results[KERNELS][ITEMS];
    uint8_t descriptors[KERNELS][64];
};

/* Runs all kernels. Of their descriptors, it keeps sizes of memory and properties, which do not depend on the code. */
static bool run_all(const char *options, struct outcome *outcome)
{
    struct gpu *gpu = gpu_open(text.data, options);
    bool done = gpu != NULL;
    for (int i = 0; i < KERNELS && done; i++) {
        char name[16];
        snprintf(name, sizeof name, "&k%d", i);
        memset(outcome->results[i], 0xcd, sizeof outcome->results[i]);
        done = gpu_run(gpu, name, ITEMS, ITEMS, (uint64_t[]){(uintptr_t)outcome->results[i]}, 1);
        const uint8_t *descriptor = gpu_descriptor(gpu, name);
        if (descriptor) {
            memcpy(outcome->descriptors[i], descriptor, 16);
            memcpy(outcome->descriptors[i] + 16, descriptor + 56, 2);
        }
    }
    gpu_close(gpu);
    return done;
}

static void test_execution(const char *level)
{
    static struct outcome whole, divided;
    char options[64];
    snprintf(options, sizeof options, "%s -shares=1", level);
    ok(run_all(options, &whole), "the whole program runs with %s", level);
    ok(whole.results[6][5] == 120 * 64 + 6 && whole.results[3][1] == 64 + 3 && whole.results[9][3] == 15 * 64 + 9,
       "it computes what it should");
    for (int shares = 2; shares <= 8; shares++) {
        snprintf(options, sizeof options, "%s -shares=%d", level, shares);
        ok(run_all(options, &divided) && !memcmp(&whole, &divided, sizeof whole), "so do %d shares", shares);
    }
}

/* ---- Bytes ---- */

struct code {
    void *data;
    size_t size;
    struct finding finding;
};

static hsail_finalize_module_t module;

static void assemble(hsail_module_t **assembled)
{
    hsail_context_t *context = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK ||
        hsail_assemble(context, "shares", text.data, text.size, 0, assembled) != HSAIL_STATUS_OK)
        exit(99);
    module = (hsail_finalize_module_t){hsail_module_data(*assembled), hsail_module_size(*assembled), "shares"};
    hsail_context_destroy(context);
}

static struct code compile(const char *options)
{
    struct code code = {0};
    if (hsail_finalize(&module, 1, "gfx900", options, keep_finding, &code.finding, &code.data, &code.size) !=
        HSAIL_STATUS_OK)
        code.size = 0;
    return code;
}

static bool same(const struct code *a, const struct code *b)
{
    return a->size && a->size == b->size && !memcmp(a->data, b->data, a->size);
}

/* Whether OPTIONS give the code; frees what they give. */
static bool gives(const char *options, const struct code *expected)
{
    struct code code = compile(options);
    bool is = same(&code, expected);
    hsail_finalize_free(code.data);
    return is;
}

static void *compile_often(void *expected)
{
    for (int i = 0; i < 3; i++)
        if (!gives("-shares=3", expected))
            return NULL;
    return expected;
}

/* The names of the kernels in the metadata, one after the other. */
static void kernel_names(const struct code *code, char *names, size_t size)
{
    struct bytes metadata = {0};
    struct msgpack_item list, name;
    size_t at = 0;
    names[0] = '\0';
    if (!elf_find_note((struct bytes){code->data, code->size}, "AMDGPU", 32, &metadata))
        return;
    struct msgpack_cursor cursor = {metadata.data, metadata.data + metadata.size, false};
    if (!msgpack_find(&cursor, msgpack_next(&cursor), "amdhsa.kernels", &list))
        return;
    for (uint64_t i = 0; i < list.number && at < size; i++) {
        struct msgpack_cursor inside = cursor;
        struct msgpack_item kernel = msgpack_next(&inside);
        if (msgpack_find(&inside, kernel, ".name", &name))
            at += (size_t)snprintf(names + at, size - at, "%.*s ", (int)name.text.size, (const char *)name.text.data);
        kernel = msgpack_next(&cursor);
        msgpack_skip(&cursor, kernel);
    }
}

static void test_bytes(void)
{
    static char names[2][8192];
    hsail_module_t *assembled = NULL;
    pthread_t threads[4];
    bool good = true;
    write_program(KERNELS, NULL);
    assemble(&assembled);
    struct code whole = compile("-shares=1"), three = compile("-shares=3");
    for (int shares = 2; shares <= 8; shares++) {
        char options[16];
        snprintf(options, sizeof options, "-shares=%d", shares);
        ok(three.size && !gives(options, &whole), "a program is divided into %d shares if that is asked for", shares);
    }
    ok(gives("", &whole), "a program of few kernels is not divided");
    ok(gives("-shares=3", &three), "the bytes are the same again");
    kernel_names(&whole, names[0], sizeof names[0]);
    kernel_names(&three, names[1], sizeof names[1]);
    ok(strstr(names[0], "&k0 &k1 ") && !strcmp(names[0], names[1]), "the metadata has the kernels in their order");
    setenv("HSAIL_FINALIZER_WORKER", "0", 1);
    ok(gives("-shares=3", &three), "the bytes are the same without workers");
    unsetenv("HSAIL_FINALIZER_WORKER");
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, compile_often, &three);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        good &= result != NULL;
    }
    ok(good, "the bytes are the same for four threads at once");
    struct code lines = compile("-g -shares=1");
    ok(gives("-g -shares=3", &lines), "a program with debug information is not divided");
    hsail_finalize_free(whole.data);
    hsail_finalize_free(three.data);
    hsail_finalize_free(lines.data);
    hsail_module_destroy(assembled);
}

static void test_many(void)
{
    hsail_module_t *assembled = NULL;
    write_program(MANY, NULL);
    assemble(&assembled);
    struct code whole = compile("-shares=1"), divided = compile("");
    ok(whole.size && divided.size && !same(&whole, &divided), "a program of many kernels is divided");
    ok(gives("", &divided), "always in the same way");
    hsail_finalize_free(whole.data);
    hsail_finalize_free(divided.data);
    hsail_module_destroy(assembled);
}

/* ---- Failures ---- */

static void test_refusal(void)
{
    hsail_module_t *assembled = NULL;
    write_program(KERNELS, "private_u8 %large[67108864]; lda_private_u32 $s1, [%large];\n");
    assemble(&assembled);
    struct code whole = compile("-shares=1"), divided = compile("-shares=3");
    ok(!whole.size && !divided.size && !strcmp(whole.finding.id, "local-size"), "a kernel is refused");
    ok(!strcmp(whole.finding.message, divided.finding.message) && whole.finding.offset == divided.finding.offset,
       "its share gives the same message");
    hsail_module_destroy(assembled);
}

/* Compiles with a worker that dies of the second share in the way that KIND names. */
static struct code compile_badly(const char *kind, const char *options)
{
    setenv("BAD_WORKER", kind, 1);
    struct code code = compile(options);
    if (!code.finding.count)
        printf("# no finding\n");
    return code;
}

static void test_deaths(void)
{
    const char *build = getenv("builddir");
    char path[4096], folder[2048];
    hsail_module_t *assembled = NULL;
    if (!realpath(build ? build : ".", folder))
        exit(99);
    write_program(KERNELS, NULL);
    assemble(&assembled);
    snprintf(path, sizeof path, "%s/hsail-finalize-worker", folder);
    setenv("GOOD_WORKER", path, 1);
    snprintf(path, sizeof path, "%s/testsuite/finalizer/bad_worker", folder);
    setenv("HSAIL_FINALIZER_WORKER", path, 1);
    struct code code = compile_badly("share", "-shares=3");
    ok(!code.size && !strcmp(code.finding.id, "worker-signal"), "a worker dies of one share at every level");
    code = compile_badly("share-scheduled", "-shares=3");
    ok(code.size && !strcmp(code.finding.id, "retried-signal"), "one share is compiled with less optimization");
    hsail_finalize_free(code.data);
    unsetenv("HSAIL_FINALIZER_WORKER");
    hsail_module_destroy(assembled);
}

int main(void)
{
    test_deaths(); /* first, as good workers would wait for more */
    write_program(KERNELS, NULL);
    test_execution("-O2");
    test_execution("-O0");
    test_bytes();
    test_many();
    test_refusal();
    textbuf_free(&text);
    return tap_done();
}
