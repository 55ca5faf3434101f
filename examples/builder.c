/* SPDX-License-Identifier: MIT */
/* A small back end of a compiler: makes the kernel out[i] = a[i] * factor + b[i] as BRIG, without text.
 *
 *     cc builder.c $(pkg-config --cflags --libs hsail) && ./a.out saxpy.brig
 *
 * With a file name, the module is written to that file; without one, it is printed as HSAIL. */
#include <hsail/builder.h>
#include <stdio.h>

static void report(void *user, const hsail_diagnostic_t *diagnostic)
{
    (void)user;
    fprintf(stderr, "%s: %s [%s]\n", diagnostic->name, diagnostic->message, diagnostic->id);
}

static int print(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) != size;
}

#define EMIT(mnemonic, ...)                                                                      \
    do {                                                                                         \
        const hsail_operand_t operands_[] = {__VA_ARGS__};                                       \
        hsail_builder_instruction(b, mnemonic, operands_, sizeof operands_ / sizeof *operands_); \
    } while (0)

/* Makes the kernel. The builder remembers errors, so nothing is checked here. */
static void emit_kernel(hsail_builder_t *b)
{
    hsail_operand_t s0 = hsail_register('s', 0), s1 = hsail_register('s', 1), s2 = hsail_register('s', 2);
    hsail_operand_t d0 = hsail_register('d', 0), d1 = hsail_register('d', 1), d2 = hsail_register('d', 2);
    hsail_operand_t d3 = hsail_register('d', 3), c0 = hsail_register('c', 0);

    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&saxpy", HSAIL_PROGRAM_LINKAGE);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%a", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%b", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%out", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_F32, "%factor", NULL);
    hsail_builder_formal(b, HSA_BRIG_TYPE_U32, "%count", NULL);
    hsail_builder_body(b);
    EMIT("workitemabsid_u32", s0, hsail_integer(0));
    EMIT("ld_kernarg_align(4)_width(all)_u32", s1, hsail_address("%count", NULL, 0));
    EMIT("cmp_ge_b1_u32", c0, s0, s1);
    EMIT("cbr_b1", c0, hsail_name("@end"));
    EMIT("cvt_u64_u32", d0, s0);
    EMIT("shl_u64", d0, d0, hsail_integer(2));
    EMIT("ld_kernarg_align(8)_width(all)_u64", d1, hsail_address("%a", NULL, 0));
    EMIT("ld_kernarg_align(8)_width(all)_u64", d2, hsail_address("%b", NULL, 0));
    EMIT("ld_kernarg_align(8)_width(all)_u64", d3, hsail_address("%out", NULL, 0));
    EMIT("add_u64", d1, d1, d0);
    EMIT("add_u64", d2, d2, d0);
    EMIT("add_u64", d3, d3, d0);
    EMIT("ld_global_align(4)_f32", s0, hsail_address(NULL, &d1, 0));
    EMIT("ld_global_align(4)_f32", s1, hsail_address(NULL, &d2, 0));
    EMIT("ld_kernarg_align(4)_width(all)_f32", s2, hsail_address("%factor", NULL, 0));
    EMIT("fma_f32", s0, s0, s2, s1);
    EMIT("st_global_align(4)_f32", s0, hsail_address(NULL, &d3, 0));
    hsail_builder_label(b, "@end");
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
    hsail_context_set_diagnostics(context, report, NULL);
    if (hsail_builder_create(context, &builder) == HSAIL_STATUS_OK) {
        hsail_builder_module(builder, "&saxpy_module", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                             HSA_BRIG_ROUND_FLOAT_NEAR_EVEN);
        emit_kernel(builder);
        hsail_status_t status = hsail_builder_finish(builder, "saxpy", 0, &module);
        if (status == HSAIL_STATUS_OK)
            failed = show(context, module, argc > 1 ? argv[1] : NULL);
        else
            fprintf(stderr, "%s\n", hsail_status_text(status));
        hsail_builder_destroy(builder);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return failed;
}
