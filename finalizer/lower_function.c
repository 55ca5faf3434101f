/* SPDX-License-Identifier: MIT */
/* Kernels and functions: their LLVM types and bodies.
 * Input: a callable. Output: its LLVM function.
 *
 * A kernel's parameters only describe the kernarg segment; loads go through its address, laid out as HSAIL
 * says. A function takes the address of an output array first, then each input: a scalar as an integer of its
 * size, an array by address; before these, where modules have private variables, the address of the work-item's block
 * of them, and where a function allocates memory, that of the work-item's pool. Registers and local variables are
 * allocas until LLVM makes values of them. Invariant: the entry block holds allocas only, and every block gets exactly
 * one terminator. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

struct failure *fn_failure(struct fn *f)
{
    struct failure *failure = &f->l->failure;
    const struct callable *self = &f->l->callables.items[f->self];
    if (failure->message)
        return failure;
    failure->module = self->module + 1;
    failure->offset = f->at;
    snprintf(failure->section, sizeof failure->section, "hsa_code");
    snprintf(failure->text, sizeof failure->text, f->line ? "%.256s, line %u: " : "%.256s: ", self->name, f->line);
    return failure;
}

bool fn_unsupported(struct fn *f, const struct lang_inst *in)
{
    const char *type = type_row(VALUE_OF(in, TYPE))->text, *source = type_row(VALUE_OF(in, SOURCE))->text;
    return *source ? fn_fail(f, SOURCE_UNSUPPORTED, in->op->text, type, source)
                   : fn_fail(f, INSTRUCTION_UNSUPPORTED, in->op->text, type);
}

LLVMValueRef fn_alloca(struct fn *f, LLVMTypeRef type, uint32_t align)
{
    LLVMValueRef value = LLVMBuildAlloca(f->allocas, type, "");
    if (align)
        LLVMSetAlignment(value, align);
    return value;
}

/* Has LLVM believe that something may have written the memory at PLACE. */
static void let_escape(struct fn *f, LLVMValueRef place)
{
    LLVMBuilderRef builder = f->e->b;
    f->e->b = f->allocas;
    LLVMValueRef address = LLVMBuildPtrToInt(f->allocas, place, f->e->i32, "");
    emit_asm(f->e, "", "v,~{memory}", LLVMVoidTypeInContext(f->e->context), &address, 1, true);
    f->e->b = builder;
}

LLVMValueRef fn_unwritten(struct fn *f, unsigned bits)
{
    unsigned size = bits < 8 ? 8 : bits;
    LLVMTypeRef type = emit_int_type(f->e, size);
    LLVMValueRef place = fn_alloca(f, type, 0);
    let_escape(f, place);
    LLVMValueRef value = LLVMBuildLoad2(f->allocas, type, place, "");
    return size == bits ? value : LLVMBuildTrunc(f->allocas, value, emit_int_type(f->e, bits), "");
}

LLVMBasicBlockRef fn_label(struct fn *f, uint32_t offset)
{
    LLVMBasicBlockRef *label = &f->labels[(offset - f->base) / 4];
    if (!*label)
        *label = emit_block(f->e, "");
    return *label;
}

void fn_enter(struct fn *f, LLVMBasicBlockRef block)
{
    if (!f->terminated)
        LLVMBuildBr(f->e->b, block);
    LLVMPositionBuilderAtEnd(f->e->b, block);
    f->terminated = false;
}

struct callable *fn_callable(struct fn *f, uint32_t offset)
{
    struct entity entity = f->m->entities[offset / 4];
    return entity.kind == ENTITY_CALLABLE ? &f->l->callables.items[entity.index] : NULL;
}

struct variable *fn_variable(struct fn *f, uint32_t offset)
{
    struct entity entity = f->m->entities[offset / 4];
    return entity.kind == ENTITY_VARIABLE ? &f->l->variables.items[entity.index] : NULL;
}

static LLVMTypeRef array_type(struct emit *e, const struct formal *formal)
{
    return LLVMArrayType2(e->i8, formal->size);
}

/* The types of a kernel's parameters describe the kernarg segment. LLVM aligns an integer naturally; arrays, and
 * scalars with another alignment, are passed by reference (describe_kernarg()). */
static bool kernel_type(struct lower *l, struct callable *c, LLVMTypeRef *types)
{
    for (uint32_t i = 0; i < c->input_count; i++) {
        const struct formal *formal = &c->formals[i];
        bool natural = !formal->is_array && formal->align == lang_type_size(formal->type);
        types[i] = natural ? emit_int_type(&l->e, type_bits(formal->type)) : l->e.ptr[SPACE_CONSTANT];
    }
    c->type = LLVMFunctionType(l->e.void_, types, c->input_count, 0);
    return true;
}

static bool function_type(struct lower *l, struct callable *c, LLVMTypeRef *types)
{
    LLVMTypeRef result = l->e.void_;
    uint32_t count = 0;
    if (l->private_size)
        types[count++] = l->e.ptr[SPACE_PRIVATE];
    if (l->allocates)
        types[count++] = l->e.ptr[SPACE_PRIVATE];
    for (uint32_t i = 0; i < c->output_count + c->input_count; i++) {
        const struct formal *formal = &c->formals[i];
        LLVMTypeRef type = formal->is_array ? l->e.ptr[SPACE_PRIVATE] : emit_int_type(&l->e, type_bits(formal->type));
        if (i < c->output_count && !formal->is_array)
            result = type;
        else
            types[count++] = type;
    }
    c->type = LLVMFunctionType(result, types, count, 0);
    return true;
}

static void add_enum(struct lower *l, LLVMValueRef function, unsigned index, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(l->e.context, kind, value));
}

/* Describes an array, or a scalar that is not naturally aligned, as passed by reference to a type of its size and
 * alignment. */
static void describe_kernarg(struct lower *l, struct callable *c, uint32_t index)
{
    const struct formal *formal = &c->formals[index];
    LLVMValueRef parameter = LLVMGetParam(c->value, index);
    LLVMSetValueName2(parameter, formal->name + 1, formal->name[0] ? strlen(formal->name) - 1 : 0);
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind)
        return;
    unsigned kind = LLVMGetEnumAttributeKindForName("byref", 5);
    LLVMAddAttributeAtIndex(
        c->value, index + 1, LLVMCreateTypeAttribute(l->e.context, kind, array_type(&l->e, formal)));
    add_enum(l, c->value, index + 1, "align", formal->align);
}

/* Has the metadata name the types of the kernel's arguments as HSAIL does. Without them a number could not be told from
 * another one of its size. */
static void name_types(struct lower *l, const struct callable *c)
{
    static const char kind[] = "kernel_arg_type";
    LLVMMetadataRef *types = arena_zalloc(&l->arena, (size_t)c->input_count + 1, sizeof *types);
    for (uint32_t i = 0; types && i < c->input_count; i++) {
        const char *text = lang_value_text(LANG_SET_TYPE, c->formals[i].type);
        types[i] = LLVMMDStringInContext2(l->e.context, text ? text : "", text ? strlen(text) : 0);
    }
    if (types)
        LLVMGlobalSetMetadata(c->value, LLVMGetMDKindIDInContext(l->e.context, kind, sizeof kind - 1),
                              LLVMMDNodeInContext2(l->e.context, types, c->input_count));
}

/* Tells LLVM that HSAIL kernels read nothing that only the runtime of another language provides. */
static void add_attributes(struct lower *l, struct callable *c)
{
    static const char *const unused[] = {
        "amdgpu-no-implicitarg-ptr",    "amdgpu-no-hostcall-ptr",  "amdgpu-no-heap-ptr",
        "amdgpu-no-multigrid-sync-arg", "amdgpu-no-default-queue", "amdgpu-no-completion-action",
        "amdgpu-no-lds-kernel-id"};
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
        lower_attribute(l, c->value, unused[i], "");
    lower_attribute(l, c->value, "uniform-work-group-size", "false");
    add_enum(l, c->value, LLVMAttributeFunctionIndex, "nounwind", 0);
    add_enum(l, c->value, LLVMAttributeFunctionIndex, "convergent", 0);
    /* An access to the flat address 0 is a fault at run time, not code that LLVM may take to be unreachable. */
    add_enum(l, c->value, LLVMAttributeFunctionIndex, "null_pointer_is_valid", 0);
    /* What such a function calls is known, so that LLVM need not take the size of its stack for unknown. */
    if (c->is_kernel || !c->is_dynamic)
        add_enum(l, c->value, LLVMAttributeFunctionIndex, "norecurse", 0);
    /* Inline functions if that does not make the code much larger, but never recursive ones. */
    bool small = c->callees.count == 0 && c->instructions <= 48;
    if (!c->is_kernel && !c->is_recursive && c->is_defined && (c->call_sites == 1 || small))
        add_enum(l, c->value, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    else if (!c->is_kernel)
        add_enum(l, c->value, LLVMAttributeFunctionIndex, "noinline", 0);
}

bool lower_declare(struct lower *l, struct callable *c)
{
    uint32_t count = c->output_count + c->input_count;
    LLVMTypeRef *types = arena_zalloc(&l->arena, (size_t)count + 3, sizeof *types);
    if (!types)
        return lower_no_memory(l);
    if (c->is_kernel ? !kernel_type(l, c, types) : !function_type(l, c, types))
        return false;
    bool is_elsewhere = c->is_indirect && c->share != l->share;
    if (c->is_defined && !is_elsewhere ? !c->is_reachable : !c->call_sites && !c->address_taken)
        return true; /* a signature, or a function that nothing needs */
    c->value = LLVMAddFunction(l->e.module, c->symbol, c->type);
    add_attributes(l, c);
    if (c->is_kernel) {
        LLVMSetFunctionCallConv(c->value, LLVMAMDGPUKERNELCallConv);
        LLVMSetVisibility(c->value, LLVMProtectedVisibility);
        for (uint32_t i = 0; i < c->input_count; i++)
            describe_kernarg(l, c, i);
        name_types(l, c);
        lower_control_attributes(l, c);
    } else if (c->is_indirect) {
        LLVMSetVisibility(c->value, LLVMProtectedVisibility);
    } else if (c->is_defined) {
        LLVMSetLinkage(c->value, LLVMInternalLinkage);
    }
    return true;
}

/* Sets the place of a formal argument. An array is in the caller's memory, and the function may not store to it when it
 * is an input. A scalar gets a variable, which starts with the value that was passed, if any. */
static void open_formal(struct fn *f, const struct formal *formal, LLVMValueRef passed)
{
    LLVMValueRef *local = &f->locals[(formal->variable - f->base) / 4];
    if (formal->is_array) {
        *local = passed;
        return;
    }
    *local = fn_alloca(f, emit_int_type(f->e, type_bits(formal->type)), formal->align);
    if (passed)
        LLVMBuildStore(f->e->b, passed, *local);
}

static void open_formals(struct fn *f, const struct callable *c)
{
    uint32_t parameter = 0;
    if (f->l->private_size)
        f->module_privates = LLVMGetParam(f->value, parameter++);
    if (f->l->allocates)
        f->pool = LLVMGetParam(f->value, parameter++);
    for (uint32_t i = 0; i < c->output_count + c->input_count; i++) {
        bool is_result = i < c->output_count && !c->formals[i].is_array;
        LLVMValueRef passed = is_result ? NULL : LLVMGetParam(f->value, parameter++);
        open_formal(f, &c->formals[i], passed);
    }
}

void fn_return(struct fn *f)
{
    const struct callable *c = &f->l->callables.items[f->self];
    if (f->terminated)
        return;
    f->terminated = true;
    alloca_leave(f);
    if (c->is_kernel || !c->output_count || c->formals[0].is_array) {
        LLVMBuildRetVoid(f->e->b);
        return;
    }
    LLVMTypeRef type = emit_int_type(f->e, type_bits(c->formals[0].type));
    LLVMValueRef place = f->locals[(c->formals[0].variable - f->base) / 4];
    LLVMBuildRet(f->e->b, emit_freeze(f->e, LLVMBuildLoad2(f->e->b, type, place, "")));
}

/* A variable of the private, spill or arg segment; the others are the program's. */
static bool open_local(struct fn *f, uint32_t at)
{
    const hsa_brig_directive_variable_t *v = (const void *)brig_code(f->view, at);
    if (v->segment != HSA_BRIG_SEGMENT_PRIVATE && v->segment != HSA_BRIG_SEGMENT_SPILL &&
        v->segment != HSA_BRIG_SEGMENT_ARG)
        return true;
    uint64_t size = lower_variable_size(v);
    if (size > UINT32_MAX / 64)
        return fn_fail(f, LOCAL_SIZE, (unsigned long long)size);
    LLVMTypeRef type =
        lang_type_is_array(v->type) ? LLVMArrayType2(f->e->i8, size) : emit_int_type(f->e, type_bits(v->type));
    LLVMValueRef place = fn_alloca(f, type, lower_align(v->align));
    f->locals[(at - f->base) / 4] = place;
    if (f->l->unwritten && v->segment != HSA_BRIG_SEGMENT_ARG)
        let_escape(f, place);
    return true;
}

/* An opcode without a row of lower.def does not compile here. */
static bool lower_inst(struct fn *f, const struct lang_inst *in)
{
    if (in->operands.count < lang_operand_count(in))
        return fn_fail(f, OPERANDS_MISSING, in->op->text);
    switch ((hsa_brig_opcode_t)in->op->code) {
#define LOWER(opcode, handler, ...)                                                                          \
    case HSA_BRIG_OPCODE_##opcode:                                                                           \
        return handler(f, in __VA_OPT__(, ) __VA_ARGS__);
#include "finalizer/lower.def"
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    case HSA_VEN_##vendor##_BRIG_OPCODE_##name:
#include "brig/tables/opcode.def"
        break;
    }
    return lower_vendor(f, in);
}

static bool lower_entry(struct fn *f, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(f->view, at);
    f->at = at;
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL) {
        fn_enter(f, fn_label(f, at));
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        return open_local(f, at);
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_LOC) {
        f->line = ((const hsa_brig_directive_loc_t *)(const void *)entry)->line;
        debug_loc(f, (const void *)entry);
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START ||
               entry->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END) {
        debug_block(f, entry->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START);
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA) {
        debug_pragma(f, at);
    } else if (brig_is_inst(entry)) {
        struct lang_inst in;
        if (!lang_load(f->view, at, &in))
            return fn_fail(f, OPCODE_UNKNOWN);
        if (f->terminated) { /* control never gets here, but the instruction needs a block */
            LLVMPositionBuilderAtEnd(f->e->b, emit_block(f->e, ""));
            f->terminated = false;
        }
        return lower_inst(f, &in) && !f->e->session->failure.message;
    }
    return true;
}

static bool open_tables(struct fn *f, const struct callable *c)
{
    static const uint32_t registers[] = {128, 2048, 1024, 512}; /* of kinds c, s, d and q */
    f->base = c->offset;
    size_t entries = (c->directive->next_module_entry - f->base) / 4 + 1;
    f->locals = mem_zalloc(entries, sizeof *f->locals);
    f->labels = mem_zalloc(entries, sizeof *f->labels);
    bool fits = f->locals && f->labels;
    for (int i = 0; i < 4; i++) {
        f->registers[i] = mem_zalloc(registers[i], sizeof *f->registers[i]);
        fits &= f->registers[i] != NULL;
    }
    return fits || lower_no_memory(f->l);
}

static void close_tables(struct fn *f)
{
    mem_free(f->locals);
    mem_free(f->labels);
    for (int i = 0; i < 4; i++)
        mem_free(f->registers[i]);
}

static void open_module_privates(struct fn *f)
{
    f->module_privates = fn_alloca(f, LLVMArrayType2(f->e->i8, f->l->private_size), f->l->private_align);
    if (f->l->unwritten)
        let_escape(f, f->module_privates);
}

static bool lower_entries(struct fn *f, const struct callable *c)
{
    struct emit *e = f->e;
    f->entry = LLVMAppendBasicBlockInContext(e->context, f->value, "entry");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(e->context, f->value, "body");
    f->allocas = LLVMCreateBuilderInContext(e->context);
    LLVMPositionBuilderAtEnd(f->allocas, f->entry);
    LLVMPositionBuilderAtEnd(e->b, body);
    debug_enter(f, c);
    if (!c->is_kernel)
        open_formals(f, c);
    else if (f->l->private_size)
        open_module_privates(f);
    alloca_open(f, c);
    bool done = true;
    for (uint32_t at = c->directive->first_code_block_entry; done && at < c->directive->next_module_entry;
         at = brig_next_code(f->view, at))
        done = lower_entry(f, at);
    fn_return(f);
    debug_leave(f);
    LLVMBuildBr(f->allocas, body);
    debug_variables(f, c);
    LLVMDisposeBuilder(f->allocas);
    return done;
}

bool lower_body(struct lower *l, uint32_t index)
{
    const struct callable *c = &l->callables.items[index];
    struct fn f = {.l = l, .e = &l->e, .m = &l->modules[c->module], .self = index, .value = c->value};
    f.view = f.m->view;
    l->e.exceptions = emit_exception_bits(c->detects | c->breaks);
    l->e.breaks = emit_exception_bits(c->breaks);
    bool done = open_tables(&f, c) && lower_entries(&f, c);
    close_tables(&f);
    vec_free(&f.placed);
    vec_free(&f.blocks);
    return done && !l->failure.message;
}
