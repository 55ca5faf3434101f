/* SPDX-License-Identifier: MIT */
/* Kernels of one long block, which the finalizer divides for LLVM's scheduler, or which is so long that LLVM does
 * without: arithmetic on 16 registers, of which some are stored and loaded again now and then. The results are compared
 * with the same in C. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "support/textbuf.h"
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include <string.h>

enum { ITEMS = 64, MOST_STEPS = 45000, REGISTERS = 16 };

static struct textbuf text;

#define put(...) textbuf_printf(&text, __VA_ARGS__)

static uint32_t state = 1;

static uint32_t any(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 12) % limit;
}

/* Writes one step to the text, and executes it on the registers of every work-item. */
static void step(uint32_t registers[ITEMS][REGISTERS])
{
    uint32_t a = any(REGISTERS), b = any(REGISTERS), c = any(REGISTERS), kind = any(8), number = 2 * any(1000) + 1;
    if (kind < 4)
        put("mad_u32 $s%u, $s%u, %u, $s%u;\n", a, b, number, c);
    else if (kind < 7)
        put("xor_b32 $s%u, $s%u, %u;\n", a, b, number);
    else
        put("st_global_u32 $s%u, [$d0]; ld_global_u32 $s%u, [$d0];\n", b, a);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t *r = registers[i];
        r[a] = kind < 4 ? r[b] * number + r[c] : kind < 7 ? r[b] ^ number : r[b];
    }
}

/* Writes a kernel of so many steps, without its end. */
static void begin(int steps, uint32_t registers[ITEMS][REGISTERS])
{
    textbuf_clear(&text);
    put("module &m:1:2:$full:$large:$near;\nprog kernel &k(kernarg_u64 %%p) {\nworkitemabsid_u32 $s0, 0;\n"
        "ld_kernarg_u64 $d0, [%%p]; cvt_u64_u32 $d1, $s0; shl_u64 $d1, $d1, 2; add_u64 $d0, $d0, $d1;\n");
    for (uint32_t r = 1; r < REGISTERS; r++)
        put("add_u32 $s%u, $s0, %u;\n", r, r);
    for (uint32_t i = 0; i < ITEMS; i++)
        for (uint32_t r = 0; r < REGISTERS; r++)
            registers[i][r] = i + r;
    for (int i = 0; i < steps; i++)
        step(registers);
}

/* Ends the kernel: every register is needed. */
static void end(void)
{
    for (uint32_t r = 1; r < REGISTERS; r++)
        put("xor_b32 $s0, $s0, $s%u;\n", r);
    put("st_global_u32 $s0, [$d0];\n};\n");
}

static void check(int steps)
{
    static uint32_t registers[ITEMS][REGISTERS], out[ITEMS];
    begin(steps, registers);
    end();
    for (uint32_t i = 0; i < ITEMS; i++)
        for (uint32_t r = 1; r < REGISTERS; r++)
            registers[i][0] ^= registers[i][r];

    struct gpu *gpu = gpu_open(text.data, "-O2");
    if (ok(gpu, "%d steps in one block compile", steps)) {
        bool done = gpu_run(gpu, "&k", ITEMS, ITEMS, (uint64_t[]){(uintptr_t)out}, 1);
        for (uint32_t i = 0; done && i < ITEMS; i++)
            done = out[i] == registers[i][0];
        ok(done, "%d steps in one block compute what they do in C", steps);
    }
    gpu_close(gpu);
}

/* How many bytes of code a step takes in a kernel of so many; 0 after an error. */
static double bytes_for_step(int steps, const char *options)
{
    static uint32_t registers[ITEMS][REGISTERS];
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    size_t size = 0;
    begin(steps, registers);
    end();
    if (hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
        hsail_assemble(context, "long", text.data, text.size, 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), "long"};
        if (hsail_finalize(&input, 1, "gfx900", options, NULL, NULL, &code, &size) == HSAIL_STATUS_OK)
            hsail_finalize_free(code);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return (double)size / steps;
}

/* Code that LLVM's generator does not optimize is larger: instructions keep their long form. It is far smaller than
 * what -O0 gives. A kernel below the limit (doc/decisions/llvm-time.md) and one above it have the same shape. */
static void check_limit(void)
{
    enum { BRIEF = 2000, BELOW = 16000, ABOVE = 40000 };
    double below = bytes_for_step(BELOW, ""), above = bytes_for_step(ABOVE, ""), none = bytes_for_step(BRIEF, "-O0");
    printf("# bytes for each step: %.1f below the limit, %.1f above it, %.1f at -O0\n", below, above, none);
    ok(below > 0 && above > 1.1 * below, "code generation of a function above the limit does without optimization");
    ok(above > 0 && above < 0.5 * none, "but the function is optimized before");
}

int main(void)
{
    check(3000);
    check(MOST_STEPS);
    check_limit();
    textbuf_free(&text);
    return tap_done();
}
