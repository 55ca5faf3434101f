/* SPDX-License-Identifier: MIT */
/* Prints which functions the kernels and functions of a module call, as text or for graphviz.
 *
 *     cc callgraph.c -o callgraph $(pkg-config --cflags --libs hsail) && ./callgraph module.brig
 *     ./callgraph --dot module.hsail | dot -Tsvg >calls.svg
 *
 * The file is BRIG or HSAIL text. A call of one function of a list (scall) or through a register (icall) has no single
 * target: for the former the list is printed, for the latter the signature. */
#include <hsail/reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "%s: %s [%s]\n", diagnostic->name, diagnostic->message, diagnostic->id);
}

/* Prints one call: of a function, of one function of a list, or of any function with a signature. */
static void print_call(const char *caller, hsail_text_t target, const char *how, int dot)
{
    if (dot)
        printf("    \"%s\" -> \"%s\"%s;\n", caller, target.data, *how ? " [style=dashed]" : "");
    else
        printf("    %s%s\n", target.data, how);
}

/* Prints the targets of a call instruction, which are operands that name functions: a reference, or a list of them. */
static void print_targets(const hsail_reader_t *reader, const char *caller, const hsail_entry_t *call, int dot)
{
    for (uint32_t i = 0; i < call->operand_count; i++) {
        hsail_operand_info_t operand, element;
        hsail_entry_t target;
        if (hsail_reader_operand(reader, call->code, i, &operand) != HSAIL_STATUS_OK)
            continue;
        if (operand.kind == HSA_BRIG_KIND_OPERAND_CODE_REF &&
            hsail_reader_entry(reader, operand.symbol, &target) == HSAIL_STATUS_OK)
            print_call(caller, target.name, target.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE ? " (any)" : "", dot);
        if (operand.kind != HSA_BRIG_KIND_OPERAND_CODE_LIST)
            continue;
        for (uint32_t j = 0; j < operand.element_count; j++) /* arguments are such lists too */
            if (hsail_reader_element(reader, operand.operand, j, &element) == HSAIL_STATUS_OK &&
                hsail_reader_entry(reader, element.symbol, &target) == HSAIL_STATUS_OK && hsail_is_executable(&target))
                print_call(caller, target.name, " (one of several)", dot);
    }
}

static void print_executable(const hsail_reader_t *reader, const hsail_entry_t *executable, int dot)
{
    hsail_walk_t inputs = hsail_walk_inputs(reader, executable->code);
    hsail_walk_t body = hsail_walk_body(reader, executable->code);
    hsail_entry_t entry;
    if (dot) {
        printf("    \"%s\"%s;\n", executable->name.data,
               executable->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL ? " [shape=box]" : "");
    } else {
        printf("%s(", executable->name.data);
        for (int i = 0; hsail_walk_next(&inputs, &entry); i++)
            printf("%s%s%s %s", i ? ", " : "", hsail_type_text(entry.u.variable.type),
                   entry.u.variable.is_array ? "[]" : "", entry.name.data);
        printf(")\n");
    }
    while (hsail_walk_next(&body, &entry))
        if (hsail_is_instruction(&entry) && (entry.u.instruction.opcode == HSA_BRIG_OPCODE_CALL ||
                                             entry.u.instruction.opcode == HSA_BRIG_OPCODE_SCALL ||
                                             entry.u.instruction.opcode == HSA_BRIG_OPCODE_ICALL))
            print_targets(reader, executable->name.data, &entry, dot);
}

static void print_graph(const hsail_reader_t *reader, int dot)
{
    hsail_walk_t module = hsail_walk_module(reader);
    hsail_entry_t entry;
    if (dot)
        printf("digraph calls {\n");
    while (hsail_walk_next(&module, &entry))
        if (hsail_is_executable(&entry) && entry.is_definition && entry.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE)
            print_executable(reader, &entry, dot);
    if (dot)
        printf("}\n");
}

/* Reads a file into memory that malloc() has aligned; NULL if it cannot be read. */
static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    char *data = NULL;
    *size = 0;
    for (size_t got = 1; file && got;) {
        char *more = realloc(data, *size + 65536);
        if (!more)
            break;
        data = more;
        got = fread(data + *size, 1, 65536, file);
        *size += got;
    }
    if (!file || ferror(file)) {
        perror(name);
        free(data);
        data = NULL;
    }
    if (file)
        fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    int dot = argc > 1 && !strcmp(argv[1], "--dot"), failed = 1;
    if (argc != 2 + dot) {
        fprintf(stderr, "usage: callgraph [--dot] FILE\n");
        return 2;
    }
    size_t size;
    char *data = read_file(argv[1 + dot], &size);
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    hsail_reader_t *reader = NULL;
    if (data && hsail_context_create(NULL, &context) == HSAIL_STATUS_OK) {
        hsail_context_set_diagnostics(context, report, NULL);
        hsail_status_t status;
        if (size >= 8 && !memcmp(data, "HSA BRIG", 8))
            status = hsail_reader_open(context, argv[1 + dot], data, size, 0, &reader);
        else if ((status = hsail_assemble(context, argv[1 + dot], data, size, 0, &module)) == HSAIL_STATUS_OK)
            status = hsail_reader_open_module(context, module, &reader);
        if (status != HSAIL_STATUS_OK)
            fprintf(stderr, "%s: %s\n", argv[1 + dot], hsail_status_text(status));
    }
    if (reader) {
        print_graph(reader, dot);
        failed = fflush(stdout) != 0;
    }
    hsail_reader_destroy(reader);
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    free(data);
    return failed;
}
