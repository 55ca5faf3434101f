/* SPDX-License-Identifier: MIT */
/* Private memory that is taken at run time (C05): how much there is, that it does not overlap, that functions give it
 * back, and which kernels say that their private memory has no fixed size.
 * Each work-item fills the memory that it gets with numbers of its own and adds them up again. */
#include "hsa/amd_hsa_kernel_code.h"
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include <string.h>

enum { GRID = 128 };

/* &fill stores %first, %first + 1 and so on to %words words at %p and returns their sum; &churn allocates in each of
 * 100 calls; &deep allocates on every level of recursion. */
static const char text[] =
    "module &m:1:2:$full:$large:$near;\n"
    "function &fill(arg_u32 %sum)(arg_u32 %p, arg_u32 %words, arg_u32 %first) {\n"
    "  ld_arg_u32 $s0, [%p]; ld_arg_u32 $s1, [%words]; ld_arg_u32 $s2, [%first];\n"
    "  mov_b32 $s3, 0; mov_b32 $s4, 0;\n"
    "@store: shl_u32 $s5, $s3, 2; add_u32 $s5, $s5, $s0; add_u32 $s6, $s2, $s3; st_private_u32 $s6, [$s5];\n"
    "  add_u32 $s3, $s3, 1; cmp_lt_b1_u32 $c0, $s3, $s1; cbr_b1 $c0, @store; mov_b32 $s3, 0;\n"
    "@load: shl_u32 $s5, $s3, 2; add_u32 $s5, $s5, $s0; ld_private_u32 $s6, [$s5]; add_u32 $s4, $s4, $s6;\n"
    "  add_u32 $s3, $s3, 1; cmp_lt_b1_u32 $c0, $s3, $s1; cbr_b1 $c0, @load;\n"
    "  st_arg_u32 $s4, [%sum];\n"
    "};\n"
    "function &take(arg_u32 %sum)(arg_u32 %words, arg_u32 %first) {\n"
    "  ld_arg_u32 $s0, [%words]; ld_arg_u32 $s1, [%first]; shl_u32 $s2, $s0, 2; alloca_align(256)_u32 $s3, $s2;\n"
    "  and_b32 $s5, $s3, 255; cmp_ne_b1_u32 $c0, $s5, 0; cbr_b1 $c0, @bad;\n"
    "  { arg_u32 %r; arg_u32 %a; arg_u32 %b; arg_u32 %c; st_arg_u32 $s3, [%a]; st_arg_u32 $s0, [%b];\n"
    "    st_arg_u32 $s1, [%c]; call &fill (%r) (%a, %b, %c); ld_arg_u32 $s4, [%r]; }\n"
    "  st_arg_u32 $s4, [%sum]; ret;\n"
    "@bad: st_arg_u32 0, [%sum];\n"
    "};\n"
    "decl function &deep(arg_u32 %sum)(arg_u32 %words, arg_u32 %level);\n"
    "function &deep(arg_u32 %sum)(arg_u32 %words, arg_u32 %level) {\n"
    "  ld_arg_u32 $s0, [%words]; ld_arg_u32 $s1, [%level]; mov_b32 $s4, 0;\n"
    "  shl_u32 $s2, $s0, 2; alloca_align(4)_u32 $s3, $s2; st_private_u32 $s1, [$s3];\n"
    "  cmp_eq_b1_u32 $c0, $s1, 0; cbr_b1 $c0, @end; sub_u32 $s5, $s1, 1;\n"
    "  { arg_u32 %r; arg_u32 %a; arg_u32 %b; st_arg_u32 $s0, [%a]; st_arg_u32 $s5, [%b];\n"
    "    call &deep (%r) (%a, %b); ld_arg_u32 $s4, [%r]; }\n"
    "@end: ld_private_u32 $s6, [$s3]; add_u32 $s4, $s4, $s6; st_arg_u32 $s4, [%sum];\n"
    "};\n"
#define HEAD \
    "(kernarg_u64 %p, kernarg_u64 %n) {\n" \
    "  workitemabsid_u32 $s0, 0; ld_kernarg_u32 $s1, [%n]; and_b32 $s2, $s0, 7; add_u32 $s1, $s1, $s2;\n"
#define TAIL \
    "  cvt_u64_u32 $d0, $s0; shl_u64 $d0, $d0, 2; ld_kernarg_u64 $d1, [%p]; add_u64 $d0, $d0, $d1;\n" \
    "  st_global_u32 $s9, [$d0];\n};\n"
    "prog kernel &once" HEAD "  { arg_u32 %r; arg_u32 %a; arg_u32 %b; st_arg_u32 $s1, [%a]; st_arg_u32 $s0, [%b];\n"
    "    call &take (%r) (%a, %b); ld_arg_u32 $s9, [%r]; }\n" TAIL "prog kernel &churn" HEAD
    "  mov_b32 $s8, 0; mov_b32 $s9, 0;\n"
    "@again: { arg_u32 %r; arg_u32 %a; arg_u32 %b; st_arg_u32 $s1, [%a]; st_arg_u32 $s0, [%b];\n"
    "    call &take (%r) (%a, %b); ld_arg_u32 $s7, [%r]; }\n"
    "  add_u32 $s9, $s9, $s7; add_u32 $s8, $s8, 1; cmp_lt_b1_u32 $c0, $s8, 100; cbr_b1 $c0, @again;\n" TAIL
    "prog kernel &nested" HEAD "  { arg_u32 %r; arg_u32 %a; arg_u32 %b; st_arg_u32 $s1, [%a]; st_arg_u32 20, [%b];\n"
    "    call &deep (%r) (%a, %b); ld_arg_u32 $s9, [%r]; }\n" TAIL "prog kernel &wide" HEAD
    "  alloca_align(4)_u32 $s3, 2000000; st_private_u32 $s0, [$s3+1999996]; ld_private_u32 $s9, [$s3+1999996];\n" TAIL
    "prog kernel &fixed" HEAD
    "  alloca_align(4)_u32 $s3, 16; st_private_u32 $s1, [$s3]; ld_private_u32 $s9, [$s3];\n" TAIL;

static uint32_t sum(uint32_t first, uint32_t count)
{
    return count * first + count * (count - 1) / 2;
}

static uint32_t once(uint32_t id, uint32_t words)
{
    return sum(id, words + id % 8);
}

static uint32_t churn(uint32_t id, uint32_t words)
{
    return 100 * sum(id, words + id % 8);
}

static uint32_t nested(uint32_t id, uint32_t words)
{
    (void)id, (void)words;
    return sum(0, 21);
}

static uint32_t same(uint32_t id, uint32_t words)
{
    (void)words;
    return id;
}

static const struct {
    const char *kernel;
    uint32_t (*expected)(uint32_t id, uint32_t words); /* NULL: the kernel must stop with a fault */
    uint32_t words, extra;
} cases[] = {
    {"&once", once, 1, 0},           {"&once", once, 960, 0},        {"&once", NULL, 2000, 0},
    {"&once", once, 2000, 9000},     {"&once", once, 10000, 41000},  {"&once", NULL, 10000, 39000},
    {"&churn", churn, 960, 0},       {"&churn", churn, 3000, 13000}, {"&nested", nested, 20, 0},
    {"&nested", nested, 200, 40000}, {"&nested", NULL, 4000, 10000}, {"&wide", same, 0, 2000064},
    {"&wide", NULL, 0, 100},
};

static bool run(struct gpu *gpu, size_t k)
{
    static uint32_t out[GRID];
    memset(out, 0xcd, sizeof out);
    gpu_set_private(gpu, cases[k].extra);
    bool done = gpu_run(gpu, cases[k].kernel, GRID, 64, (uint64_t[]){(uintptr_t)out, cases[k].words}, 2);
    if (!done || !cases[k].expected)
        return done == (cases[k].expected != NULL);
    for (uint32_t i = 0; i < GRID; i++)
        if (out[i] != cases[k].expected(i, cases[k].words)) {
            printf("# work-item %u gives %u, not %u\n", i, out[i], cases[k].expected(i, cases[k].words));
            return false;
        }
    return true;
}

static bool is_dynamic(struct gpu *gpu, const char *kernel)
{
    amd_kernel_descriptor_t descriptor = {0};
    const void *found = gpu_descriptor(gpu, kernel);
    if (found)
        memcpy(&descriptor, found, sizeof descriptor);
    return descriptor.kernel_code_properties & AMD_KERNEL_USES_DYNAMIC_STACK;
}

/* Whether the kernel is told where its wave's private memory begins; without that, waves share the memory. */
static bool has_offset(const struct gpu *gpu, const char *kernel)
{
    amd_kernel_descriptor_t descriptor = {0};
    const void *found = gpu_descriptor(gpu, kernel);
    if (found)
        memcpy(&descriptor, found, sizeof descriptor);
    return descriptor.compute_pgm_rsrc2 & 1;
}

int main(void)
{
    static const char *const levels[] = {"-O2", "-O0"};
    for (int level = 0; level < 2; level++) {
        struct gpu *gpu = gpu_open(text, levels[level]);
        if (!ok(gpu, "finalizes with %s", levels[level]))
            continue;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            ok(run(gpu, k), "%s with %u words, %u bytes granted, %s: %s", cases[k].kernel, cases[k].words,
               cases[k].extra, levels[level], cases[k].expected ? "right" : "stops");
        ok(is_dynamic(gpu, "&once") && is_dynamic(gpu, "&nested") && is_dynamic(gpu, "&wide"),
           "kernels that allocate say so");
        ok(has_offset(gpu, "&once") && has_offset(gpu, "&nested") && has_offset(gpu, "&wide"),
           "their waves have private memory of their own");
        ok(!is_dynamic(gpu, "&fixed"), "one whose size is known does not");
        gpu_close(gpu);
    }
    return tap_done();
}
