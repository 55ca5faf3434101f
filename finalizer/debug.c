/* SPDX-License-Identifier: MIT */
/* Line tables: each LLVM instruction gets the line of the loc directive before the HSAIL instruction it is made for.
 * And variables: registers of HSAIL, and what a function has in private memory, are declared to LLVM, which follows
 * them through its passes as far as it can. Input: loc directives (PRM 13.2), where the option -g asks for lines.
 * Output: metadata of the module. Invariant: a function has lines as soon as it is entered, as calls in a function with
 * lines must have one. */
#include "finalizer/lower.h"

#include <stdio.h>
#include <string.h>

static LLVMMetadataRef file_of(struct lower *l, const char *name, size_t size)
{
    return LLVMDIBuilderCreateFile(l->debug.builder, name, size, ".", 1);
}

static void add_module_flag(struct lower *l, const char *key, uint64_t value)
{
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(l->e.context), value, 0);
    LLVMAddModuleFlag(l->e.module, LLVMModuleFlagBehaviorWarning, key, strlen(key), LLVMValueAsMetadata(number));
}

void debug_open(struct lower *l)
{
    static const char producer[] = "hsail";
    if (!l->debug.wanted)
        return;
    add_module_flag(l, "Debug Info Version", LLVMDebugMetadataVersion());
    add_module_flag(l, "Dwarf Version", 5);
    l->debug.builder = LLVMCreateDIBuilder(l->e.module);
    l->debug.file = file_of(l, "hsail", 5);
    LLVMDIBuilderCreateCompileUnit(
        l->debug.builder, LLVMDWARFSourceLanguageC, l->debug.file, producer, sizeof producer - 1, 1, "", 0, 0, "", 0,
        l->debug.variables ? LLVMDWARFEmissionFull : LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
    if (l->debug.variables)
        LLVMSetIsNewDbgInfoFormat(l->e.module, 1);
}

/* Must be called after a failure, too. */
void debug_close(struct lower *l)
{
    if (!l->debug.builder)
        return;
    LLVMDIBuilderFinalize(l->debug.builder);
    LLVMDisposeDIBuilder(l->debug.builder);
    l->debug.builder = NULL;
}

static void set_line(struct fn *f, LLVMMetadataRef scope, unsigned line, unsigned column)
{
    LLVMSetCurrentDebugLocation2(f->e->b, LLVMDIBuilderCreateDebugLocation(f->e->context, line, column, scope, NULL));
}

/* The loc that holds at the function's start: the last one before its body or, failing that, the first one inside. */
static const hsa_brig_directive_loc_t *first_loc(const struct fn *f, const struct callable *c)
{
    const hsa_brig_directive_loc_t *before = NULL;
    for (uint32_t at = brig_first_code(f->view); at < c->directive->next_module_entry;
         at = brig_next_code(f->view, at)) {
        const hsa_brig_base_t *entry = brig_code(f->view, at);
        if (entry->kind != HSA_BRIG_KIND_DIRECTIVE_LOC)
            continue;
        if (before && at >= c->directive->first_code_block_entry)
            return before->line ? before : (const void *)entry;
        before = (const void *)entry;
    }
    return before;
}

void debug_enter(struct fn *f, const struct callable *c)
{
    struct lower *l = f->l;
    if (!l->debug.builder)
        return;
    const hsa_brig_directive_loc_t *loc = first_loc(f, c);
    struct bytes name = loc ? brig_string(f->view, loc->filename) : (struct bytes){(const uint8_t *)"hsail", 5};
    LLVMMetadataRef file = file_of(l, (const char *)name.data, name.size);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(l->debug.builder, file, NULL, 0, LLVMDIFlagZero);
    unsigned line = loc ? loc->line : 0;
    f->scope = LLVMDIBuilderCreateFunction(l->debug.builder, file, c->name, strlen(c->name), "", 0, file, line, type,
                                           !c->is_kernel, 1, line, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(c->value, f->scope);
    set_line(f, f->scope, line, 0);
}

void debug_loc(struct fn *f, const hsa_brig_directive_loc_t *loc)
{
    if (!f->l->debug.builder)
        return;
    struct bytes name = brig_string(f->view, loc->filename);
    LLVMMetadataRef file = file_of(f->l, (const char *)name.data, name.size);
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, f->scope, file, 0), loc->line, loc->column);
}

void debug_leave(struct fn *f)
{
    if (f->l->debug.builder)
        LLVMSetCurrentDebugLocation2(f->e->b, NULL);
}

/* ---- variables ---- */

/* Declares that the alloca PLACE holds the variable NAME, from the entry block's last instruction, END, on. */
static void declare(struct fn *f, const char *name, size_t length, LLVMValueRef place, LLVMMetadataRef type,
                    LLVMValueRef end)
{
    LLVMDIBuilderRef builder = f->l->debug.builder;
    unsigned line = LLVMDISubprogramGetLine(f->scope);
    LLVMMetadataRef variable = LLVMDIBuilderCreateAutoVariable(
        builder, f->scope, name, length, LLVMDIScopeGetFile(f->scope), line, type, 0, LLVMDIFlagZero, 0);
    LLVMDIBuilderInsertDeclareRecordBefore(
        builder, place, variable, LLVMDIBuilderCreateExpression(builder, NULL, 0),
        LLVMDIBuilderCreateDebugLocation(f->e->context, line, 0, f->scope, NULL), end);
}

/* The type of BITS bits: unsigned numbers, as a register has none of HSAIL's types, and truth for one bit. */
static LLVMMetadataRef bits_type(struct fn *f, unsigned bits)
{
    enum { ATE_BOOLEAN = 0x02, ATE_UNSIGNED = 0x07 };
    char name[8];
    int length = snprintf(name, sizeof name, "b%u", bits);
    return LLVMDIBuilderCreateBasicType(f->l->debug.builder, name, (size_t)length, bits < 8 ? 8 : bits,
                                        bits < 8 ? ATE_BOOLEAN : ATE_UNSIGNED, LLVMDIFlagZero);
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
            declare(f, name, (size_t)length, f->registers[kind][i], type, end);
        }
    }
}

/* Variables in private memory, and arguments of calls, which are scalars: arrays have no values to print. */
static void declare_locals(struct fn *f, const struct callable *c, LLVMValueRef end)
{
    for (uint32_t at = c->directive->first_code_block_entry; at < c->directive->next_module_entry;
         at = brig_next_code(f->view, at)) {
        const hsa_brig_directive_variable_t *v = (const void *)brig_code(f->view, at);
        LLVMValueRef place = f->locals[(at - f->base) / 4];
        if (v->base.kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE || !place || lang_type_is_array(v->type))
            continue;
        struct bytes name = brig_string(f->view, v->name);
        declare(f, (const char *)name.data, name.size, place, bits_type(f, type_bits(v->type)), end);
    }
}

void debug_variables(struct fn *f, const struct callable *c)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->entry);
    if (!f->l->debug.builder || !f->l->debug.variables || !end)
        return;
    declare_registers(f, end);
    declare_locals(f, c, end);
}
