/* SPDX-License-Identifier: MIT */
/* Reading HSAIL text, BRIG and code objects; see input.h.
 * Input: a file of any content. Output: a validated module, or the code object's bytes, which their user checks.
 * Invariant: diagnostics go to standard error, in source order, as hsailasm prints them. */
#include "tools/input.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/alloc.h"
#include "support/bytes.h"

static bool starts_with(const uint8_t *data, size_t size, const char *magic)
{
    size_t length = strlen(magic);
    return size >= length && !memcmp(data, magic, length);
}

static int print_piece(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) != size;
}

void input_print_diagnostic(void *user, const hsail_diagnostic_t *diagnostic)
{
    hsail_diagnostic_print(diagnostic, cli_uses_json() ? HSAIL_PRINT_JSON : HSAIL_PRINT_TEXT, print_piece, user);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Makes a validated module of text or BRIG. */
static bool make_module(const struct cli_program *program, const char *name, const uint8_t *data, size_t size,
                        struct input *input)
{
    double start = seconds();
    hsail_context_t *context;
    hsail_status_t status = hsail_context_create(NULL, &context);
    if (status == HSAIL_STATUS_OK) {
        hsail_context_set_diagnostics(context, input_print_diagnostic, stderr);
        status = starts_with(data, size, "HSA BRIG")
                     ? hsail_module_load(context, name, data, size, 0, &input->module)
                     : hsail_assemble(context, name, data, size, HSAIL_TERMINATED | (input->lines ? HSAIL_LINES : 0),
                                      &input->module);
        hsail_context_destroy(context);
    }
    if (status != HSAIL_STATUS_OK) {
        cli_error(program, "%s: %s", name, hsail_status_text(status));
        return false;
    }
    input->assemble_time = seconds() - start;
    return true;
}

#define ELF_MACHINE 18 /* offset of e_machine, which all ELF files have at one place */
#define EM_AMDGPU 224

bool input_read(const struct cli_program *program, const char *name, struct input *input)
{
    uint8_t *data;
    size_t size;
    *input = (struct input){.name = strcmp(name, "-") ? name : "<stdin>", .lines = input->lines};
    if (!cli_read_file(program, name, &data, &size))
        return false;
    if (starts_with(data, size, "\177ELF")) {
        if (size < ELF_MACHINE + 2 || load16(data + ELF_MACHINE) != EM_AMDGPU) {
            cli_error(program, "%s is an ELF file, but no code object of an AMD GPU", input->name);
            mem_free(data);
            return false;
        }
        input->code = data;
        input->code_size = size;
        return true;
    }
    bool made = make_module(program, input->name, data, size, input);
    mem_free(data);
    return made;
}

void input_free(struct input *input)
{
    hsail_module_destroy(input->module);
    mem_free(input->code);
    input->module = NULL;
    input->code = NULL;
}
