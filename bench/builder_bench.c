/* SPDX-License-Identifier: MIT */
/* Measures what virtual registers cost: makes a kernel of many instructions with hsail/builder.h, without validation.
 *
 *     builder_bench [INSTRUCTIONS]      default 1000000
 *
 * Output: seconds of processor time for the statements, and for hsail_builder_end(), which assigns registers; and how
 * many accesses to spilled registers are in the result. */
#define _GNU_SOURCE /* memmem() */
#include "bench/bench.h"
#include "hsail/builder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1 << 17 };

/* A kernel that is being made. */
struct kernel {
    hsail_builder_t *builder;
    hsail_operand_t ring[RING]; /* the latest results */
    unsigned made, left, labels;
    uint64_t state;
    bool is_virtual;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static unsigned below(struct kernel *k, unsigned limit)
{
    k->state = k->state * 6364136223846793005 + 1442695040888963407;
    return (unsigned)(k->state >> 33) % limit;
}

static hsail_operand_t result(struct kernel *k)
{
    hsail_operand_t made =
        k->is_virtual ? hsail_builder_register(k->builder, 's') : hsail_register('s', k->made % 1024);
    k->ring[k->made++ % RING] = made;
    return made;
}

/* One of the latest COUNT results. */
static hsail_operand_t latest(struct kernel *k, unsigned count)
{
    unsigned most = k->made < count ? k->made : count;
    return k->ring[(k->made - 1 - below(k, most)) % RING];
}

static void put_add(struct kernel *k, unsigned reach)
{
    hsail_operand_t operands[] = {{0}, latest(k, reach), latest(k, reach)};
    operands[0] = result(k);
    hsail_builder_instruction(k->builder, "add_u32", operands, 3);
    k->left -= k->left > 0;
}

/* Straight code whose values are live for about REACH instructions. */
static void straight(struct kernel *k, unsigned reach)
{
    while (k->left)
        put_add(k, reach);
}

static void put_label(struct kernel *k, unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "@l%u", number);
    hsail_builder_label(k->builder, name);
}

/* A loop of short blocks or of further loops, until all instructions have been made. */
static void loops(struct kernel *k, unsigned reach, unsigned depth)
{
    char name[32];
    for (unsigned i = 0; i < 8 && k->left; i++) {
        unsigned head = k->labels++, skip = k->labels++;
        put_label(k, head);
        for (unsigned n = 0; n < 5; n++)
            put_add(k, reach);
        hsail_operand_t c = k->is_virtual ? hsail_builder_register(k->builder, 'c') : hsail_register('c', 0);
        hsail_operand_t compare[] = {c, latest(k, 4), hsail_integer(7)};
        hsail_builder_instruction(k->builder, "cmp_lt_b1_u32", compare, 3);
        snprintf(name, sizeof name, "@l%u", skip);
        hsail_builder_instruction(k->builder, "cbr_b1", (hsail_operand_t[]){c, hsail_name(name)}, 2);
        for (unsigned n = 0; n < 3; n++)
            put_add(k, reach);
        if (depth)
            loops(k, reach, depth - 1);
        put_label(k, skip);
        snprintf(name, sizeof name, "@l%u", head);
        hsail_builder_instruction(k->builder, "cbr_b1", (hsail_operand_t[]){c, hsail_name(name)}, 2);
    }
}

static int count_spills(void *user, const void *data, size_t size)
{
    static const char what[] = "[%_spill_";
    const char *at = data, *end = at + size;
    while ((at = memmem(at, (size_t)(end - at), what, sizeof what - 1))) {
        ++*(size_t *)user;
        at++;
    }
    return 0;
}

static void measure(hsail_context_t *context, const char *name, unsigned count, bool is_virtual, unsigned reach,
                    bool with_loops)
{
    static struct kernel k;
    hsail_module_t *module = NULL;
    char text[96];
    k = (struct kernel){.left = count, .is_virtual = is_virtual, .state = 1};
    if (hsail_builder_create(context, &k.builder) != HSAIL_STATUS_OK)
        return;
    hsail_builder_module(k.builder, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    hsail_builder_begin(k.builder, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(k.builder);
    double start = now();
    hsail_builder_instruction(k.builder, "workitemabsid_u32", (hsail_operand_t[]){result(&k), hsail_integer(0)}, 2);
    while (with_loops && k.left)
        loops(&k, reach, 3);
    straight(&k, reach);
    double middle = now();
    hsail_builder_end(k.builder);
    double end = now();
    hsail_status_t status = hsail_builder_finish(k.builder, NULL, HSAIL_NO_VALIDATION, &module);
    size_t spills = 0;
    if (status == HSAIL_STATUS_OK)
        status = hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, count_spills, &spills);
    if (status != HSAIL_STATUS_OK)
        fprintf(stderr, "%s: %s\n", name, hsail_status_text(status));
    snprintf(text, sizeof text, "builder, %s: statements", name);
    bench_figure(text, middle - start, "s");
    snprintf(text, sizeof text, "builder, %s: end", name);
    if (is_virtual)
        bench_at_most(text, end - middle, "s", 5e-6 * count);
    else
        bench_figure(text, end - middle, "s");
    snprintf(text, sizeof text, "builder, %s: spill accesses", name);
    bench_figure(text, (double)spills, "");
    hsail_module_destroy(module);
    hsail_builder_destroy(k.builder);
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000000;
    hsail_context_t *context;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    measure(context, "registers with numbers", count, false, 1000, false);
    measure(context, "straight, short lives", count, true, 10, false);
    measure(context, "straight, 1000 lives", count, true, 1000, false);
    measure(context, "straight, many spills", count, true, 100000, false);
    measure(context, "loops, short lives", count, true, 10, true);
    measure(context, "loops, many spills", count, true, 5000, true);
    measure(context, "loops, long lives", count, true, 100000, true);
    hsail_context_destroy(context);
    return 0;
}
