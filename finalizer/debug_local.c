/* SPDX-License-Identifier: MIT */
/* What each work-item has: registers of HSAIL, and variables in private memory, are declared to LLVM, which follows
 * them through its passes as far as it can.
 *
 * Input: a function whose body has been lowered. Output: LLVM's records of variables, at the end of its entry block.
 * Invariant: an argument of a call belongs to the block that declares it, as another block may have one of the same
 * name. */
#include "finalizer/debug_source.h"

#include <stdio.h>
#include <string.h>

struct local {
    const char *name;
    size_t length;
    LLVMMetadataRef scope, type;
    LLVMValueRef place; /* an alloca, or an address that the function is given */
    uint64_t offset;    /* from there */
};

/* Declares the variable from the entry block's last instruction, END, on. */
static void declare(struct fn *f, struct local v, LLVMValueRef end)
{
    LLVMDIBuilderRef builder = f->l->debug.builder;
    unsigned line = LLVMDISubprogramGetLine(f->scope), count = v.offset ? 2 : 0;
    uint64_t ops[6] = {SOURCE_OP_PLUS_UCONST, v.offset};
    if (!LLVMIsAAllocaInst(v.place)) {
        const uint64_t space[] = {SOURCE_OP_CONSTU, SOURCE_SPACE_PRIVATE, SOURCE_OP_SWAP, SOURCE_OP_XDEREF};
        memcpy(ops + count, space, sizeof space);
        count += 4;
    }
    LLVMMetadataRef variable = LLVMDIBuilderCreateAutoVariable(
        builder, v.scope, v.name, v.length, LLVMDIScopeGetFile(f->scope), line, v.type, 0, LLVMDIFlagZero, 0);
    LLVMDIBuilderInsertDeclareRecordBefore(
        builder, v.place, variable, LLVMDIBuilderCreateExpression(builder, ops, count),
        LLVMDIBuilderCreateDebugLocation(f->e->context, line, 0, v.scope, NULL), end);
}

/* The type of a register: numbers without sign, as it has none of HSAIL's types, and truth for one bit. */
static LLVMMetadataRef bits_type(struct fn *f, unsigned bits)
{
    char name[8];
    int length = snprintf(name, sizeof name, "b%u", bits);
    return LLVMDIBuilderCreateBasicType(f->l->debug.builder, name, (size_t)length, bits < 8 ? 8 : bits,
                                        bits < 8 ? SOURCE_BOOLEAN : SOURCE_UNSIGNED, LLVMDIFlagZero);
}

static void declare_registers(struct fn *f, LLVMValueRef end)
{
    static const struct {
        char letter;
        uint32_t count;
        unsigned bits;
    } kinds[] = {{'c', 128, 1}, {'s', 2048, 32}, {'d', 1024, 64}, {'q', 512, 128}};
    for (size_t kind = 0; kind < 4; kind++) {
        LLVMMetadataRef type = NULL;
        for (uint32_t i = 0; i < kinds[kind].count; i++) {
            char name[16];
            if (!f->registers[kind][i])
                continue;
            type = type ? type : bits_type(f, kinds[kind].bits);
            int length = snprintf(name, sizeof name, "$%c%u", kinds[kind].letter, i);
            declare(f, (struct local){name, (size_t)length, f->scope, type, f->registers[kind][i], 0}, end);
        }
    }
}

static void declare_variable(struct fn *f, uint32_t at, LLVMMetadataRef scope, LLVMValueRef place, LLVMValueRef end)
{
    const hsa_brig_directive_variable_t *v = (const void *)brig_code(f->view, at);
    struct bytes name = brig_string(f->view, v->name);
    declare(f, (struct local){(const char *)name.data, name.size, scope, symbol_type(f->l, v), place, 0}, end);
}

/* Variables of the body in private memory, and arguments of calls. */
static void declare_locals(struct fn *f, const struct callable *c, LLVMValueRef end)
{
    LLVMMetadataRef scope = f->scope;
    size_t blocks = 0;
    for (uint32_t at = c->directive->first_code_block_entry; at < c->directive->next_module_entry;
         at = brig_next_code(f->view, at)) {
        unsigned kind = brig_code(f->view, at)->kind;
        LLVMValueRef place = f->locals[(at - f->base) / 4];
        if (kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START && blocks < f->blocks.count)
            scope = f->blocks.items[blocks++];
        else if (kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END)
            scope = f->scope;
        else if (kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE && place)
            declare_variable(f, at, scope, place, end);
    }
}

/* Arguments of the function itself. Arrays are in its caller's memory. */
static void declare_formals(struct fn *f, const struct callable *c, LLVMValueRef end)
{
    for (uint32_t i = 0; i < c->output_count + c->input_count && !c->is_kernel; i++) {
        LLVMValueRef place = f->locals[(c->formals[i].variable - f->base) / 4];
        if (place && !c->formals[i].is_variadic)
            declare_variable(f, c->formals[i].variable, f->scope, place, end);
    }
}

/* Private variables of modules that the function can name, as the work-item has one block of all of them. */
static void declare_module(struct fn *f, LLVMValueRef end)
{
    uint32_t module = f->l->callables.items[f->self].module;
    for (size_t i = 0; i < f->l->variables.count && f->module_privates; i++) {
        const struct variable *v = &f->l->variables.items[i];
        if (!lower_is_private(v) || !v->is_defined || (v->module != module && v->linkage != HSA_BRIG_LINKAGE_PROGRAM))
            continue;
        declare(f,
                (struct local){v->name, strlen(v->name), f->scope, symbol_type(f->l, symbol_directive(f->l, v)),
                               f->module_privates, v->address},
                end);
    }
}

void debug_variables(struct fn *f, const struct callable *c)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->entry);
    if (!f->l->debug.builder || !f->l->debug.variables || !end)
        return;
    declare_registers(f, end);
    declare_formals(f, c, end);
    declare_locals(f, c, end);
    declare_module(f, end);
    source_variables(f, end);
}
