/* SPDX-License-Identifier: MIT */
/* A small back end of a compiler that uses any number of virtual registers. It makes a function, and a kernel that
 * calls it in a loop:
 *
 *     for (y = x[i], n = rounds; n; n--)
 *         y = square(y) + x[i];
 *     out[i] = y;
 *
 *     cc builder_registers.c $(pkg-config --cflags --libs hsail) && ./a.out rounds.brig
 *
 * With a file name, the module is written to that file; without one, it is printed as HSAIL. */
#include <hsail/builder.h>
#include <stdio.h>

static int print(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) != size;
}

#define EMIT(mnemonic, ...)                                                                      \
    do {                                                                                         \
        const hsail_operand_t operands_[] = {__VA_ARGS__};                                       \
        hsail_builder_instruction(b, mnemonic, operands_, sizeof operands_ / sizeof *operands_); \
    } while (0)

static void emit_square(hsail_builder_t *b)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&square", 0);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%result", NULL);
    hsail_builder_inputs(b);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%value", NULL);
    hsail_builder_body(b);
    hsail_operand_t value = hsail_builder_register(b, 's'), square = hsail_builder_register(b, 's');
    EMIT("ld_arg_align(4)_u32", value, hsail_address("%value", NULL, 0));
    EMIT("mul_u32", square, value, value);
    EMIT("st_arg_align(4)_u32", square, hsail_address("%result", NULL, 0));
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
}

/* { arg_u32 %y; arg_u32 %x; ... call &square (%y) (%x); ... } */
static hsail_operand_t emit_call(hsail_builder_t *b, hsail_operand_t x)
{
    static const char *const outputs[] = {"%y"}, *const inputs[] = {"%x"};
    hsail_operand_t y = hsail_builder_register(b, 's');
    hsail_builder_arg_block(b);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_TYPE_U32, "%y", NULL, 0, NULL, 0);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_ARG, HSA_BRIG_TYPE_U32, "%x", NULL, 0, NULL, 0);
    EMIT("st_arg_align(4)_u32", x, hsail_address("%x", NULL, 0));
    EMIT("call", hsail_name("&square"), hsail_names(outputs, 1), hsail_names(inputs, 1));
    EMIT("ld_arg_align(4)_u32", y, hsail_address("%y", NULL, 0));
    hsail_builder_arg_block_end(b);
    return y;
}

/* The address of the work-item's element of the array that the argument NAME leads to. */
static hsail_operand_t emit_address(hsail_builder_t *b, const char *name, hsail_operand_t offset)
{
    hsail_operand_t base = hsail_builder_register(b, 'd'), address = hsail_builder_register(b, 'd');
    EMIT("ld_kernarg_align(8)_width(all)_u64", base, hsail_address(name, NULL, 0));
    EMIT("add_u64", address, base, offset);
    return address;
}

static void emit_kernel(hsail_builder_t *b)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&rounds", HSAIL_PROGRAM_LINKAGE);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%in", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%out", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%rounds", NULL);
    hsail_builder_body(b);
    hsail_operand_t id = hsail_builder_register(b, 's'), wide = hsail_builder_register(b, 'd');
    hsail_operand_t offset = hsail_builder_register(b, 'd'), x = hsail_builder_register(b, 's');
    hsail_operand_t y = hsail_builder_register(b, 's'), left = hsail_builder_register(b, 's');
    hsail_operand_t more = hsail_builder_register(b, 'c');
    hsail_position_t end;

    EMIT("workitemabsid_u32", id, hsail_integer(0));
    EMIT("cvt_u64_u32", wide, id);
    EMIT("shl_u64", offset, wide, hsail_integer(2));
    hsail_operand_t in = emit_address(b, "%in", offset);
    EMIT("ld_global_align(4)_u32", x, hsail_address(NULL, &in, 0));
    EMIT("mov_b32", y, x);
    EMIT("br", hsail_name("@test"));
    hsail_builder_label(b, "@loop");
    hsail_operand_t square = emit_call(b, y);
    EMIT("add_u32", y, square, x);
    EMIT("sub_u32", left, left, hsail_integer(1));
    hsail_builder_label(b, "@test");
    EMIT("cmp_ne_b1_u32", more, left, hsail_integer(0));
    EMIT("cbr_b1", more, hsail_name("@loop"));

    /* Instructions that the loop turns out to need before it are inserted before the branch that ends the first block.
     */
    hsail_builder_position(b, &end);
    hsail_builder_move(b, HSAIL_BLOCK_BEFORE_BRANCH, NULL);
    EMIT("ld_kernarg_align(4)_width(all)_u32", left, hsail_address("%rounds", NULL, 0));
    hsail_operand_t out = emit_address(b, "%out", offset);
    hsail_builder_move_to(b, end);

    EMIT("st_global_align(4)_u32", y, hsail_address(NULL, &out, 0));
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
}

static int show(hsail_context_t *context, const hsail_module_t *module, const char *file)
{
    if (!file)
        return hsail_disassemble(context, module, HSAIL_FLOAT_DECIMAL, print, stdout) != HSAIL_STATUS_OK;
    FILE *stream = fopen(file, "wb");
    if (!stream) {
        perror(file);
        return 1;
    }
    int failed = print(stream, hsail_module_data(module), hsail_module_size(module));
    failed |= fclose(stream) != 0;
    return failed;
}

int main(int argc, char **argv)
{
    hsail_context_t *context;
    hsail_builder_t *builder;
    hsail_module_t *module = NULL;
    int failed = 1;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 1;
    if (hsail_builder_create(context, &builder) == HSAIL_STATUS_OK) {
        hsail_builder_module(builder, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                             HSA_BRIG_ROUND_FLOAT_DEFAULT);
        emit_square(builder);
        emit_kernel(builder);
        if (hsail_builder_finish(builder, "rounds", 0, &module) == HSAIL_STATUS_OK)
            failed = show(context, module, argc > 1 ? argv[1] : NULL);
        else /* the error of the first call that failed, with its statement as text */
            hsail_diagnostic_print(hsail_builder_error(builder), HSAIL_PRINT_TEXT, print, stderr);
        hsail_builder_destroy(builder);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return failed;
}
