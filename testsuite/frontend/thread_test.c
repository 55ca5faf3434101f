/* SPDX-License-Identifier: MIT */
/* Runs several threads at once, each with a text, an allocator and a context of its own, and all reading one module.
 * The results must be those of a single thread, and no block may go to another thread's allocator. The test finds most
 * with the thread sanitizer. */
#include "hsail/builder.h"
#include "hsail/hsail.h"

#include "testsuite/frontend/test_memory.h"
#include "testsuite/tap.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS 50
#define HEADER "module &m:1:2:$full:$large:$default;\n"

/* What each thread assembles; the last is refused. */
static const char *const texts[THREADS] = {
    HEADER
    "global_f32 &table[4] = f32[](1.0f, 2.5f, 1e-3f, 0x1p5f);\n"
    "prog kernel &k(kernarg_u64 %a)\n{\n"
    "\tld_kernarg_align(8)_width(all)_u64 $d0, [%a];\n"
    "@again:\n"
    "\tld_v2_global_f32 ($s0, $s1), [$d0+8];\n"
    "\tfma_ftz_f32 $s0, $s0, $s1, 0.5f;\n"
    "\tcmp_lt_b1_f32 $c0, $s0, 1.0f;\n"
    "\tcbr_b1 $c0, @again;\n"
    "\tmov_u64 $d1, addr(&table + 4);\n"
    "\tret;\n};\n",
    HEADER "function &f(arg_u32 %r)(arg_u32 %x)\n{\n\tld_arg_u32 $s0, [%x];\n\tst_arg_u32 $s0, [%r];\n\tret;\n};\n"
           "kernel &k()\n{\n\t{\n\targ_u32 %r;\n\targ_u32 %x;\n\tst_arg_u32 1, [%x];\n"
           "\tcall &f(%r)(%x);\n\t}\n\tret;\n};\n",
    "module &m:1:0:$base:$small:$near;\n// a comment\nkernel &k(kernarg_u32 %a)\n{\n\tgroup_u32 %g[4];\n"
    "\tlda_group_u32 $s0, [%g][4];\n\tadd_pp_u8x4 $s1, $s0, u8x4(1, 2, 3, 4);\n\tbarrier;\n};\n",
    HEADER "kernel &k()\n{\n\tadd_u32 $d0, $s1, oops;\n\tadd_u32 $d0, $s1, 2;\n};\n",
};

static const hsail_module_t *shared;

/* A sum over everything that a thread gets as results. */
struct sum {
    uint64_t value;
};

static int add_up(void *user, const void *data, size_t size)
{
    struct sum *sum = user;
    for (size_t i = 0; i < size; i++)
        sum->value = sum->value * 31 + ((const unsigned char *)data)[i];
    return 0;
}

static void add_finding(void *user, const hsail_diagnostic_t *diagnostic)
{
    hsail_diagnostic_print(diagnostic, HSAIL_PRINT_TEXT, add_up, user);
}

static void build(hsail_context_t *context, struct sum *sum)
{
    hsail_builder_t *b;
    hsail_module_t *module;
    if (hsail_builder_create(context, &b) != HSAIL_STATUS_OK)
        return;
    hsail_builder_module(b, "&built", 1, 2, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(b);
    hsail_operand_t operands[] = {hsail_register('s', 0), hsail_register('s', 1), hsail_integer(7)};
    hsail_builder_instruction(b, "add_u32", operands, 3);
    hsail_builder_end(b);
    if (hsail_builder_finish(b, NULL, 0, &module) == HSAIL_STATUS_OK)
        add_up(sum, hsail_module_data(module), hsail_module_size(module));
    hsail_module_destroy(module);
    hsail_builder_destroy(b);
}

/* Does everything that can be done with a text. */
static struct sum work(const char *text, struct memory *memory)
{
    const hsail_allocator_t allocator = memory_allocator(memory);
    hsail_context_t *context;
    hsail_module_t *module, *loaded = NULL;
    struct sum sum = {0};
    if (hsail_context_create(&allocator, &context) != HSAIL_STATUS_OK)
        return sum;
    hsail_context_set_diagnostics(context, add_finding, &sum);
    sum.value += hsail_assemble(context, NULL, text, strlen(text), 0, &module);
    add_up(&sum, hsail_module_data(module), hsail_module_size(module));
    sum.value += hsail_module_load(context, NULL, hsail_module_data(module), hsail_module_size(module), 0, &loaded);
    if (loaded)
        sum.value += hsail_disassemble(context, loaded, HSAIL_FLOAT_C99, add_up, &sum);
    sum.value += hsail_disassemble(context, shared, HSAIL_FLOAT_DECIMAL, add_up, &sum);
    sum.value += hsail_dump(context, NULL, hsail_module_data(shared), hsail_module_size(shared), add_up, &sum);
    sum.value += hsail_module_validate(context, NULL, shared);
    build(context, &sum);
    hsail_context_destroy(context);
    hsail_module_destroy(loaded); /* modules outlive their context */
    hsail_module_destroy(module);
    return sum;
}

struct job {
    const char *text;
    struct sum want;
    bool good;
};

static void *run(void *user)
{
    struct job *job = user;
    struct memory memory = {.countdown = -1};
    job->good = true;
    for (int i = 0; i < ROUNDS; i++)
        job->good &= work(job->text, &memory).value == job->want.value;
    job->good &= memory_clean(&memory);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    struct memory memory = {.countdown = -1};
    hsail_context_t *context;
    hsail_module_t *module = NULL;
    ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
           hsail_assemble(context, NULL, texts[0], strlen(texts[0]), 0, &module) == HSAIL_STATUS_OK,
       "one thread does all of the work");
    shared = module;
    for (int i = 0; i < THREADS; i++)
        jobs[i] = (struct job){texts[i], work(texts[i], &memory), false};
    int started = 0, good = 0;
    while (started < THREADS && !pthread_create(&threads[started], NULL, run, &jobs[started]))
        started++;
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        good += jobs[i].good;
    }
    ok(started == THREADS && good == THREADS && memory_clean(&memory), "%d of %d threads get the same", good, THREADS);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return tap_done();
}
