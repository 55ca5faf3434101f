/* SPDX-License-Identifier: MIT */
/* What the builder adds for virtual registers must have unused names and come after the caller's definitions, and
 * references to what is defined later must stay right. Registers of one code block must not be used in another.
 * finalizer/random/virtual_test checks that the programs still compute the same. */
#include "hsail/builder.h"

#include "testsuite/frontend/test_emit.h"
#include "testsuite/kept.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 40 };

static void begin_function(hsail_builder_t *b, unsigned flags)
{
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_FUNCTION, "&later", flags);
    hsail_builder_inputs(b);
}

/* VALUES of each kind are live at once; the called function is defined after the kernel. */
static void emit(hsail_builder_t *b)
{
    hsail_operand_t s[VALUES], c[VALUES], zero = hsail_integer(0);
    hsail_shape_t words = {0, 1, 2};
    begin_function(b, HSAIL_DECLARATION);
    hsail_builder_end(b);
    hsail_builder_register_limit(b, 4, 20);
    hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
    hsail_builder_body(b);
    hsail_builder_control(b, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM, (hsail_operand_t[]){hsail_integer(1)}, 1);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_SPILL, HSA_BRIG_TYPE_U32, "%_spill_s0", &words, 0, NULL, 0);
    for (unsigned i = 0; i < VALUES; i++) {
        s[i] = hsail_builder_register(b, 's');
        c[i] = hsail_builder_register(b, 'c');
        EMIT("ld_spill_align(4)_u32", s[i], hsail_address("%_spill_s0", NULL, 4));
        EMIT("cmp_eq_b1_u32", c[i], s[i], zero);
    }
    hsail_builder_arg_block(b);
    EMIT("call", hsail_name("&later"), hsail_names(NULL, 0), hsail_names(NULL, 0));
    hsail_builder_arg_block_end(b);
    for (unsigned i = 0; i < VALUES; i++) {
        EMIT("cmov_b32", s[i], c[i], s[i], s[VALUES - 1 - i]);
        EMIT("st_spill_align(4)_u32", s[i], hsail_address("%_spill_s0", NULL, 0));
    }
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
    begin_function(b, 0);
    hsail_builder_body(b);
    hsail_operand_t other = hsail_builder_register(b, 's');
    EMIT("mov_b32", other, zero);
    hsail_builder_instruction(b, "ret", NULL, 0);
    hsail_builder_end(b);
}

int main(void)
{
    hsail_context_t *context;
    hsail_builder_t *b;
    hsail_module_t *module = NULL, *again = NULL;
    struct kept text = {0};
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK || hsail_builder_create(context, &b) != HSAIL_STATUS_OK)
        return 99;
    hsail_builder_module(b, "&m", 1, 2, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    emit(b);
    hsail_status_t status = hsail_builder_finish(b, NULL, 0, &module);
    ok(status == HSAIL_STATUS_OK, "a module with spilled registers is valid: %s",
       status ? hsail_builder_error(b)->message : "yes");
    ok(module && hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &text) == HSAIL_STATUS_OK,
       "a module with spilled registers is printed");
    const char *at = text.data ? text.data : "";
    const char *own = strstr(at, "spill_u32 %_spill_s0[2];"), *made = strstr(at, "spill_u32 %_spill_s1;");
    ok(own && made && made > own && !strstr(at, "spill_u32 %_spill_s0;"), "names that the caller has are left out");
    ok(strstr(at, "requireddim") && strstr(at, "requireddim") < own, "definitions stay after control directives");
    ok(strstr(at, "cvt_u32_b1") && strstr(at, "cvt_b1_u32"), "c registers are kept in others");
    ok(strstr(at, "call\t&later"), "the call is there");
    ok(strstr(at, "mov_b32\t$s0, 0;"), "another code block uses the registers from 0 on");
    ok(text.data && hsail_assemble(context, NULL, text.data, text.size, 0, &again) == HSAIL_STATUS_OK &&
           hsail_module_size(again) == hsail_module_size(module) &&
           !memcmp(hsail_module_data(again), hsail_module_data(module), hsail_module_size(module)),
       "the text gives the same bytes, with the call led to the definition");
    free(text.data);
    hsail_module_destroy(again);
    hsail_module_destroy(module);
    hsail_builder_destroy(b);
    hsail_context_destroy(context);
    return tap_done();
}
