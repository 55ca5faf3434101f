/* SPDX-License-Identifier: MIT */
/* A pass over instructions: it makes each kernel count its stores, in a counter whose address is an additional
 * argument.
 *
 *     cc count_stores.c -o count_stores $(pkg-config --cflags --libs hsail)
 *     ./count_stores vector_copy.hsail counting.brig
 *     hsailrun -g 1024 counting.brig 'u32[1024]:iota' 'u32[1024]' 'u32[1]'
 *
 * The last command prints 1024 as the last argument. On standard output, count_stores says how many stores each kernel
 * has. Stores in functions that a kernel calls are not counted. */
#include <hsail/rewriter.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNTER "%__stores"

struct counter {
    int large;               /* the machine model is large: addresses have 64 bits */
    hsail_operand_t address; /* the register that has the counter's address */
    unsigned stores;         /* how many the kernel has so far */
};

static void report(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "%s: %s [%s]\n", diagnostic->name, diagnostic->message, diagnostic->id);
}

/* At the start of a kernel, loads the address into a register that the kernel does not use. */
static void load_address(struct counter *counter, const hsail_statement_t *statement)
{
    char kind = counter->large ? 'd' : 's';
    counter->address =
        hsail_register(kind, hsail_reader_registers(statement->reader, statement->executable.code, kind));
    counter->stores = 0;
    hsail_operand_t operands[] = {counter->address, hsail_address(COUNTER, NULL, 0)};
    hsail_builder_instruction(
        statement->builder,
        counter->large ? "ld_kernarg_align(8)_width(all)_u64" : "ld_kernarg_align(4)_width(all)_u32", operands, 2);
}

static hsail_rewrite_t count(void *user, const hsail_statement_t *statement)
{
    struct counter *counter = user;
    if (statement->executable.kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL)
        return HSAIL_REWRITE_KEEP;
    if (statement->place == HSAIL_AT_INPUTS_END)
        hsail_builder_formal(statement->builder, counter->large ? HSA_BRIG_TYPE_U64 : HSA_BRIG_TYPE_U32, COUNTER, NULL);
    if (statement->place == HSAIL_AT_ENTRY && hsail_is_instruction(&statement->entry) &&
        statement->entry.u.instruction.opcode == HSA_BRIG_OPCODE_ST) {
        hsail_operand_t operands[] = {hsail_address(NULL, &counter->address, 0), hsail_integer(1)};
        hsail_builder_instruction(statement->builder, "atomicnoret_add_global_rlx_agent_u32", operands, 2);
        counter->stores++;
    }
    if (statement->place == HSAIL_AT_BODY_END)
        printf("%s: %u stores\n", statement->executable.name.data, counter->stores);
    return HSAIL_REWRITE_KEEP;
}

/* Control directives, declarations and so on must come before all instructions of a body, so the address is loaded
 * before the first instruction. */
static hsail_rewrite_t instrument(void *user, const hsail_statement_t *statement)
{
    static const hsail_operand_t none;
    struct counter *counter = user;
    if (statement->place == HSAIL_AT_BODY)
        counter->address = none;
    if (statement->executable.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL && !counter->address.register_kind &&
        statement->place == HSAIL_AT_ENTRY &&
        (hsail_is_instruction(&statement->entry) || statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_LABEL ||
         statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START))
        load_address(counter, statement);
    return count(user, statement);
}

static hsail_module_t *assemble(hsail_context_t *context, const char *name)
{
    static char text[1 << 20];
    hsail_module_t *module = NULL;
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(text, 1, sizeof text, file) : sizeof text;
    if (size == sizeof text)
        fprintf(stderr, "%s cannot be read, or is too long for an example\n", name);
    else if (hsail_assemble(context, name, text, size, 0, &module) != HSAIL_STATUS_OK)
        fprintf(stderr, "%s does not assemble\n", name);
    if (file)
        fclose(file);
    return module;
}

static int write_file(const char *name, const hsail_module_t *module)
{
    FILE *file = fopen(name, "wb");
    int good =
        file && fwrite(hsail_module_data(module), 1, hsail_module_size(module), file) == hsail_module_size(module);
    if (file && fclose(file) != 0)
        good = 0;
    if (!good)
        perror(name);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: count_stores MODULE.hsail OUTPUT.brig\n");
        return 2;
    }
    hsail_context_t *context;
    hsail_module_t *module, *counting = NULL;
    hsail_reader_t *reader = NULL;
    struct counter counter = {0};
    int good = 0;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    hsail_context_set_diagnostics(context, report, NULL);
    module = assemble(context, argv[1]);
    if (module && hsail_reader_open_module(context, module, &reader) == HSAIL_STATUS_OK) {
        hsail_walk_t walk = hsail_walk_module(reader);
        for (hsail_entry_t entry; hsail_walk_next(&walk, &entry);)
            if (entry.kind == HSA_BRIG_KIND_DIRECTIVE_MODULE)
                counter.large = entry.u.module.machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
        good = hsail_rewrite(context, "counting", reader, instrument, &counter, 0, &counting) == HSAIL_STATUS_OK &&
               write_file(argv[2], counting);
    }
    hsail_module_destroy(counting);
    hsail_reader_destroy(reader);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return !good;
}
