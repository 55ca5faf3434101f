/* SPDX-License-Identifier: MIT */
/* Branches and calls (PRM 8.1, 10.6-10.9).
 * Input: the instruction and its targets. Output: the terminator of the block, or the call with its
 * arguments. Invariant: after a terminator `terminated` is set, until a block is entered. */
#include "finalizer/lower.h"

static uint32_t code_ref(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    const hsa_brig_operand_code_ref_t *ref = (const void *)brig_operand(f->view, in->operands.items[index]);
    return ref->base.kind == HSA_BRIG_KIND_OPERAND_CODE_REF ? ref->ref : 0;
}

static struct brig_list code_list(struct fn *f, const struct lang_inst *in, uint32_t index)
{
    const hsa_brig_operand_code_list_t *list = (const void *)brig_operand(f->view, in->operands.items[index]);
    if (list->base.kind != HSA_BRIG_KIND_OPERAND_CODE_LIST)
        return (struct brig_list){NULL, 0};
    return brig_list(f->view, list->elements);
}

static bool is_label(struct fn *f, uint32_t offset)
{
    const struct callable *c = &f->l->callables.items[f->self];
    if (offset < c->offset || offset >= c->directive->next_module_entry ||
        brig_code(f->view, offset)->kind != HSA_BRIG_KIND_DIRECTIVE_LABEL)
        return fn_fail(f, BRANCH_TARGET);
    return true;
}

bool lower_br(struct fn *f, const struct lang_inst *in)
{
    uint32_t target = code_ref(f, in, 0);
    if (!is_label(f, target))
        return false;
    LLVMBuildBr(f->e->b, fn_label(f, target));
    f->terminated = true;
    return true;
}

bool lower_cbr(struct fn *f, const struct lang_inst *in)
{
    uint32_t target = code_ref(f, in, 1);
    if (!is_label(f, target))
        return false;
    LLVMValueRef condition = lower_source(f, in, 0, HSA_BRIG_TYPE_B1);
    LLVMBasicBlockRef next = emit_block(f->e, "");
    LLVMBuildCondBr(f->e->b, condition, fn_label(f, target), next);
    LLVMPositionBuilderAtEnd(f->e->b, next);
    return true;
}

bool lower_sbr(struct fn *f, const struct lang_inst *in)
{
    struct brig_list targets = code_list(f, in, 1);
    LLVMValueRef index = lower_source(f, in, 0, VALUE_OF(in, TYPE));
    if (!targets.count)
        return fn_fail(f, SBR_EMPTY);
    for (uint32_t i = 0; i < targets.count; i++)
        if (!is_label(f, targets.items[i]))
            return false;
    /* The effect of an index outside the list is undefined, so the first target is as good as any. */
    LLVMValueRef jump = LLVMBuildSwitch(f->e->b, index, fn_label(f, targets.items[0]), targets.count - 1);
    for (uint32_t i = 1; i < targets.count; i++)
        LLVMAddCase(jump, LLVMConstInt(LLVMTypeOf(index), i, 0), fn_label(f, targets.items[i]));
    f->terminated = true;
    return true;
}

bool lower_ret(struct fn *f, const struct lang_inst *in)
{
    (void)in;
    fn_return(f);
    return true;
}

/* Collects what is passed to CALLEE: the address of an array, the value of a scalar. */
static bool call_arguments(struct fn *f, const struct callable *callee, struct brig_list outputs,
                           struct brig_list inputs, LLVMValueRef *arguments, uint32_t *count)
{
    *count = 0;
    if (f->l->private_size)
        arguments[(*count)++] = f->module_privates;
    if (f->l->allocates)
        arguments[(*count)++] = f->pool;
    if (outputs.count != callee->output_count || inputs.count != callee->input_count)
        return fn_fail(f, CALL_COUNT, callee->name);
    for (uint32_t i = 0; i < outputs.count + inputs.count; i++) {
        const struct formal *formal = &callee->formals[i];
        uint32_t variable = i < outputs.count ? outputs.items[i] : inputs.items[i - outputs.count];
        LLVMValueRef local = variable > f->base ? f->locals[(variable - f->base) / 4] : NULL;
        const hsa_brig_directive_variable_t *v = (const void *)brig_code(f->view, variable);
        if (!local || v->base.kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE ||
            (!formal->is_variadic && lower_variable_size(v) != formal->size))
            return fn_fail(f, CALL_ARGUMENT, i, callee->name);
        if (formal->is_array)
            arguments[(*count)++] = local;
        else if (i >= outputs.count)
            arguments[(*count)++] =
                emit_freeze(f->e, LLVMBuildLoad2(f->e->b, emit_int_type(f->e, type_bits(formal->type)), local, ""));
    }
    return true;
}

/* Calls TARGET, which has CALLEE's type, and stores its scalar result. */
static bool emit_call_of(struct fn *f, const struct callable *callee, LLVMValueRef target, struct brig_list outputs,
                         struct brig_list inputs)
{
    LLVMValueRef *arguments = mem_zalloc((size_t)outputs.count + inputs.count + 3, sizeof *arguments);
    uint32_t count;
    if (!arguments)
        return lower_no_memory(f->l);
    bool done = call_arguments(f, callee, outputs, inputs, arguments, &count);
    if (done) {
        LLVMValueRef result = LLVMBuildCall2(f->e->b, callee->type, target, arguments, count, "");
        if (outputs.count && !callee->formals[0].is_array)
            LLVMBuildStore(f->e->b, result, f->locals[(outputs.items[0] - f->base) / 4]);
    }
    mem_free(arguments);
    return done;
}

bool lower_call(struct fn *f, const struct lang_inst *in)
{
    const struct callable *callee = fn_callable(f, code_ref(f, in, 1));
    if (!callee || callee->is_kernel || !callee->value)
        return fn_fail(f, CALL_TARGET);
    return emit_call_of(f, callee, callee->value, code_list(f, in, 0), code_list(f, in, 2));
}

bool lower_scall(struct fn *f, const struct lang_inst *in)
{
    struct brig_list functions = code_list(f, in, 3);
    LLVMValueRef index = lower_source(f, in, 1, VALUE_OF(in, TYPE));
    LLVMBasicBlockRef after = emit_block(f->e, ""), *cases;
    if (!functions.count)
        return fn_fail(f, SCALL_EMPTY);
    cases = mem_zalloc(functions.count, sizeof *cases);
    if (!cases)
        return lower_no_memory(f->l);
    for (uint32_t i = 0; i < functions.count; i++)
        cases[i] = emit_block(f->e, "");
    LLVMValueRef jump = LLVMBuildSwitch(f->e->b, index, cases[0], functions.count - 1);
    bool done = true;
    for (uint32_t i = 0; done && i < functions.count; i++) {
        const struct callable *callee = fn_callable(f, functions.items[i]);
        if (i)
            LLVMAddCase(jump, LLVMConstInt(LLVMTypeOf(index), i, 0), cases[i]);
        LLVMPositionBuilderAtEnd(f->e->b, cases[i]);
        done = callee && !callee->is_kernel && callee->value
                   ? emit_call_of(f, callee, callee->value, code_list(f, in, 0), code_list(f, in, 2))
                   : fn_fail(f, CALL_TARGET);
        LLVMBuildBr(f->e->b, after);
    }
    LLVMPositionBuilderAtEnd(f->e->b, after);
    mem_free(cases);
    return done;
}

bool lower_icall(struct fn *f, const struct lang_inst *in)
{
    const struct callable *signature = fn_callable(f, code_ref(f, in, 3));
    if (!signature)
        return fn_fail(f, CALL_SIGNATURE);
    LLVMValueRef target = lower_to_pointer(f, lower_source(f, in, 1, VALUE_OF(in, TYPE)), HSA_BRIG_SEGMENT_FLAT);
    return emit_call_of(f, signature, target, code_list(f, in, 0), code_list(f, in, 2));
}
