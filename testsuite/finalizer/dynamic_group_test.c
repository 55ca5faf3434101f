/* SPDX-License-Identifier: MIT */
/* Group memory that only the dispatch packet asks for (PRM 4.20): by its base and size, by offsets in arguments, and
 * the limit of a control directive. Each group reverses its numbers in it, beside a static array. */
#include "testsuite/finalizer/on_hsa.h"

#include "hsail/finalize.h"
#include "testsuite/tap.h"

#include <string.h>

enum { GROUP = 64, GROUPS = 3, STATIC = 7 * 4 };

/* $s2 becomes the base of the dynamic part. */
#define REVERSE                                                                                              \
    "workitemid_u32 $s3, 0; shl_u32 $s4, $s3, 2; add_u32 $s4, $s4, $s2;\n"                                   \
    "workitemabsid_u32 $s5, 0; mul_u32 $s6, $s5, 3;\n"                                                       \
    "st_group_u32 $s6, [$s4];\n"                                                                             \
    "rem_u32 $s7, $s3, 7; shl_u32 $s7, $s7, 2; st_group_u32 9, [%known][$s7];\n"                             \
    "barrier;\n"                                                                                             \
    "sub_u32 $s4, 63, $s3; shl_u32 $s4, $s4, 2; add_u32 $s4, $s4, $s2; ld_group_u32 $s6, [$s4];\n"           \
    "ld_group_u32 $s8, [%known][$s7]; add_u32 $s6, $s6, $s8;\n"                                              \
    "ld_kernarg_u64 $d0, [%out]; mul_u32 $s5, $s5, 16; cvt_u64_u32 $d1, $s5; add_u64 $d0, $d0, $d1;\n"       \
    "st_global_u32 $s6, [$d0];\n"                                                                            \
    "grouptotalsize_u32 $s6; st_global_u32 $s6, [$d0 + 4];\n"                                                \
    "groupstaticsize_u32 $s6; st_global_u32 $s6, [$d0 + 8];\n};\n"

static const char text[] =
    "module &m:1:2:$full:$large:$near;\nextension \"amd:dg\";\n"
    "prog kernel &by_size(kernarg_u64 %out) {\n"
    "requiredgroupbaseptralign 4; group_u32 %known[7];\n"
    "groupbaseptr_u32 $s0; groupstaticsize_u32 $s1; add_u32 $s2, $s0, $s1;\n" REVERSE
    "prog kernel &by_offset(kernarg_u64 %out, kernarg_u64 %offset) {\n"
    "group_u32 %known[7];\n"
    "groupbaseptr_u32 $s0; ld_kernarg_u32 $s1, [%offset]; add_u32 $s2, $s0, $s1;\n" REVERSE
    "prog kernel &limited(kernarg_u64 %out) {\n"
    "maxdynamicgroupsize 1024; group_u32 %known[7];\n"
    "groupbaseptr_u32 $s0; groupstaticsize_u32 $s1; add_u32 $s2, $s0, $s1;\n" REVERSE
    "prog kernel &none(kernarg_u64 %out) {\n"
    "groupbaseptr_u32 $s0; groupstaticsize_u32 $s1; grouptotalsize_u32 $s2;\n"
    "ld_kernarg_u64 $d0, [%out]; st_v3_global_u32 ($s0, $s1, $s2), [$d0];\n};\n"
    "prog kernel &dg(kernarg_u64 %out) {\n"
    "group_u32 %known[7]; st_group_u32 1, [%known];\n"
    "amd_dg_groupstaticsize_u32 $s1; amd_dg_grouptotalsize_u32 $s2;\n"
    "ld_kernarg_u64 $d0, [%out]; st_v3_global_u32 (0, $s1, $s2), [$d0];\n};\n";

struct item {
    uint32_t value, total, known, unused;
};

static hsa_executable_symbol_t kernel_of(hsa_executable_t executable, const char *name)
{
    hsa_executable_symbol_t symbol = {0};
    hsa_agent_t agent = on_hsa_agent();
    hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol);
    return symbol;
}

/* Dispatches a kernel with DYNAMIC bytes of group memory, of which the kernel uses those from OFFSET on. */
static void test_kernel(hsa_executable_t executable, const char *name, uint32_t dynamic, uint32_t offset)
{
    static struct item out[GROUP * GROUPS];
    const uint64_t arguments[] = {(uintptr_t)out, offset};
    unsigned wrong = 0;
    memset(out, 0xff, sizeof out);
    if (!ok(on_hsa_run(kernel_of(executable, name), GROUP * GROUPS, GROUP, dynamic, arguments, 2), "%s runs with %u",
            name, dynamic))
        return;
    for (uint32_t i = 0; i < GROUP * GROUPS; i++) {
        uint32_t mirrored = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
        wrong += out[i].value != mirrored * 3 + 9 || out[i].total != STATIC + dynamic || out[i].known != STATIC;
    }
    ok(!wrong, "%s: each group has its own numbers, and the sizes are right", name);
}

int main(void)
{
    size_t size = 0;
    if (!ok(on_hsa_start(), "the software GPU starts"))
        return tap_done();
    const char *texts[] = {text};
    void *code = on_hsa_finalize(texts, 1, &size);
    hsa_executable_t executable = on_hsa_executable();
    if (ok(code && on_hsa_load(executable, code, size) == HSA_STATUS_SUCCESS &&
               hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS,
           "it loads")) {
        uint32_t sizes[3] = {1, 1, 1};
        test_kernel(executable, "&by_size", GROUP * 4, 0);
        test_kernel(executable, "&by_size", 60000, 0);
        test_kernel(executable, "&by_offset", 2 * GROUP * 4, STATIC + GROUP * 4);
        test_kernel(executable, "&limited", 1024, 0);
        ok(on_hsa_run(kernel_of(executable, "&none"), 1, 1, 4096, (const uint64_t[]){(uintptr_t)sizes}, 1) &&
               sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 4096,
           "a kernel without group variables has group memory, too");
        ok(on_hsa_run(kernel_of(executable, "&dg"), 1, 1, 100, (const uint64_t[]){(uintptr_t)sizes}, 1) &&
               sizes[1] == STATIC && sizes[2] == STATIC + 100,
           "the instructions of amd:dg give the same sizes");
    }
    hsa_executable_destroy(executable);
    hsail_finalize_free(code);
    on_hsa_stop();
    return tap_done();
}
