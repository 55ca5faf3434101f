/* SPDX-License-Identifier: MIT */
/* The small machine model: kernels on memory below 4 GiB, addresses that wrap around at 32 bits, and what is refused
 * because an address has no room (Q03; doc/decisions/small-model.md). */
#define _GNU_SOURCE /* MAP_32BIT */
#include "hsail/finalize.h"
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finding.h"
#include "testsuite/tap.h"

#include <string.h>
#include <sys/mman.h>

enum { GRID = 128, GROUP = 64 };

#define HEAD "module &m:1:2:$full:$small:$near;\n"

/* Adds what it finds in global, group, private and flat memory, and in variables. */
static const char text[] = HEAD
    "global_u32 &v[4] = u32[](5, 6, 7, 8);\n"
    "prog kernel &k(kernarg_u32 %in, kernarg_u32 %out) {\n"
    "group_u32 %g[64]; private_u32 %w[2];\n"
    "workitemabsid_u32 $s0, 0; shl_u32 $s1, $s0, 2; workitemid_u32 $s9, 0; shl_u32 $s9, $s9, 2;\n"
    "ld_kernarg_u32 $s2, [%in]; ld_kernarg_u32 $s3, [%out]; add_u32 $s2, $s2, $s1; add_u32 $s3, $s3, $s1;\n"
    "ld_global_u32 $s4, [$s2];\n"
    "lda_group_u32 $s5, [%g]; add_u32 $s5, $s5, $s9; st_group_u32 $s4, [$s5];\n"
    "lda_private_u32 $s6, [%w]; st_private_u32 $s4, [$s6 + 4]; barrier;\n"
    "ld_group_u32 $s7, [$s5]; ld_private_u32 $s8, [%w][4]; add_u32 $s7, $s7, $s8;\n"
    "ld_u32 $s8, [$s2]; add_u32 $s7, $s7, $s8;\n"
    "mov_b32 $s8, -4; ld_global_u32 $s8, [&v][$s8 + 8]; add_u32 $s7, $s7, $s8;\n"
    "sub_u32 $s8, $s2, 0x7ffffff0; sub_u32 $s8, $s8, 0x7ffffff0; ld_global_u32 $s8, [$s8 + 0xffffffe0];\n"
    "add_u32 $s7, $s7, $s8; atomicnoret_add_global_rlx_agent_u32 [&v][12], 1;\n"
    "st_global_u32 $s7, [$s3];\n};\n";

static void *map_low(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void test_kernel(const char *options)
{
    uint32_t *in = map_low(GRID * 4), *out = map_low(GRID * 4);
    struct gpu *gpu = gpu_open(text, options);
    unsigned wrong = 0;
    if (!ok(gpu && in && out, "a kernel of the small model compiles with '%s'", options))
        return;
    for (uint32_t i = 0; i < GRID; i++)
        in[i] = i * 77;
    uint64_t both = (uintptr_t)in | (uint64_t)(uintptr_t)out << 32;
    ok(gpu_run(gpu, "&k", GRID, GROUP, &both, 1), "it runs");
    for (uint32_t i = 0; i < GRID; i++)
        wrong += out[i] != 4 * in[i] + 6;
    ok(!wrong, "and finds everything");
    gpu_close(gpu);
    munmap(in, GRID * 4);
    munmap(out, GRID * 4);
}

/* The id of the finding for a kernel with these instructions in a module of MODEL, or "". */
static const char *refusal_of(const char *model, const char *body)
{
    static struct finding finding;
    char source[512];
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    size_t size;
    finding = (struct finding){.id = "none"};
    snprintf(source, sizeof source,
             "module &m:1:2:$full:$%s:$near;\nglobal_u32 &v;\ngroup_u32 &g;\n"
             "prog kernel &k(kernarg_u32 %%p) {\n%s\n};\n",
             model, body);
    if (hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
        hsail_assemble(context, "text", source, strlen(source), 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        finding.id[0] = 0;
        if (hsail_finalize(&input, 1, "gfx900", NULL, keep_finding, &finding, &code, &size) == HSAIL_STATUS_OK)
            hsail_finalize_free(code);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return finding.id;
}

static void test_refusals(void)
{
    static const char *const bodies[][2] = {
        {"lda_global_u32 $s0, [&v];", "lda_global_u64 $d0, [&v];"},
        {"lda_kernarg_u32 $s0, [%p];", "lda_kernarg_u64 $d0, [%p];"},
        {"mov_u32 $s0, addr(&v);", "mov_u64 $d0, addr(&v);"},
        {"lda_group_u32 $s0, [&g]; stof_group_u32_u32 $s0, $s0;",
         "lda_group_u32 $s0, [&g]; stof_group_u64_u32 $d0, $s0;"},
        {"kernargbaseptr_u32 $s0;", "kernargbaseptr_u64 $d0;"}};
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        ok(!strcmp(refusal_of("small", bodies[i][0]), "small-address"), "refused: %s", bodies[i][0]);
        ok(!strcmp(refusal_of("large", bodies[i][1]), ""), "accepted: %s", bodies[i][1]);
    }
    ok(!strcmp(refusal_of("small", "lda_group_u32 $s0, [&g];"), ""), "addresses of group memory fit");
}

int main(void)
{
    test_kernel("-O2");
    test_kernel("-O0");
    test_refusals();
    return tap_done();
}
