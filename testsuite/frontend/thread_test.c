/* SPDX-License-Identifier: MIT */
/* Several threads at once, each with a context of its own, and one module read by all of them: the results are those of
 * one thread. Run it with the thread sanitizer for its full worth. */
#include "hsail/hsail.h"

#include "testsuite/tap.h"

#include <pthread.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 50

static const char text[] = "module &m:1:2:$full:$large:$default;\n"
                           "global_f32 &table[4] = f32[](1.0f, 2.5f, 1e-3f, 0x1p5f);\n"
                           "prog kernel &k(kernarg_u64 %a)\n{\n"
                           "\tld_kernarg_align(8)_width(all)_u64 $d0, [%a];\n"
                           "@again:\n"
                           "\tld_v2_global_f32 ($s0, $s1), [$d0+8];\n"
                           "\tfma_ftz_f32 $s0, $s0, $s1, 0.5f;\n"
                           "\tcmp_lt_b1_f32 $c0, $s0, 1.0f;\n"
                           "\tcbr_b1 $c0, @again;\n"
                           "\tmov_u64 $d1, addr(&table + 4);\n"
                           "\tret;\n};\n";

static const hsail_module_t *shared;

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

/* Whether every round gives the shared module's bytes and text. */
static void *run(void *want)
{
    hsail_context_t *context;
    bool good = hsail_context_create(NULL, &context) == HSAIL_STATUS_OK;
    for (int i = 0; i < ROUNDS && good; i++) {
        hsail_module_t *module;
        struct sum sum = {0};
        good = hsail_assemble(context, NULL, text, sizeof text - 1, 0, &module) == HSAIL_STATUS_OK &&
               hsail_module_size(module) == hsail_module_size(shared) &&
               !memcmp(hsail_module_data(module), hsail_module_data(shared), hsail_module_size(shared)) &&
               hsail_disassemble(context, shared, HSAIL_FLOAT_DECIMAL, add_up, &sum) == HSAIL_STATUS_OK &&
               sum.value == ((const struct sum *)want)->value &&
               hsail_module_validate(context, NULL, shared) == HSAIL_STATUS_OK;
        hsail_module_destroy(module);
    }
    hsail_context_destroy(context);
    return good ? want : NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    hsail_context_t *context;
    hsail_module_t *module;
    struct sum sum = {0};
    ok(hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
           hsail_assemble(context, NULL, text, sizeof text - 1, 0, &module) == HSAIL_STATUS_OK &&
           hsail_disassemble(context, module, HSAIL_FLOAT_DECIMAL, add_up, &sum) == HSAIL_STATUS_OK,
       "one thread");
    shared = module;
    int started = 0, good = 0;
    while (started < THREADS && !pthread_create(&threads[started], NULL, run, &sum))
        started++;
    for (int i = 0; i < started; i++) {
        void *result;
        pthread_join(threads[i], &result);
        good += result != NULL;
    }
    ok(started == THREADS && good == THREADS, "%d of %d threads get the same", good, THREADS);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return tap_done();
}
