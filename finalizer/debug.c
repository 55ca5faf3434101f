/* SPDX-License-Identifier: MIT */
/* Line tables: each LLVM instruction gets the line of the loc directive before the HSAIL instruction it is made for.
 * And variables: registers of HSAIL, and what a function has in private memory, are declared to LLVM, which follows
 * them through its passes as far as it can. Input: if the option -g asks for lines, loc directives (PRM 13.2) and debug
 * pragmas (13.4.2.2), which take precedence. Output: metadata of the module. Invariant: a function has lines as soon as
 * it is entered, as calls in a function with lines must have one. */
#include "finalizer/debug_source.h"

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

/* A program has one unit, as LLVM's builder makes no more. It has the language, the producer and the flags of the first
 * compilation unit that a module describes. */
static void open_unit(struct lower *l)
{
    static const char own[] = "hsail";
    struct bytes producer = {(const uint8_t *)own, sizeof own - 1}, flags = {(const uint8_t *)"", 0};
    unsigned language = LLVMDWARFSourceLanguageC;
    LLVMMetadataRef file = l->debug.file;
    for (uint32_t i = 0; i < l->module_count; i++) {
        struct debug_source *s = &l->debug.sources[i];
        if (!s->unit)
            continue;
        uint32_t is = source_entity_at(s, s->unit, 3, "File");
        struct bytes name = source_text(s, is, 3), folder = source_text(s, is, 4);
        language = source_language(s);
        producer = source_text(s, s->unit, 5);
        flags = source_text(s, s->unit, 6);
        if (name.size) /* LLVM wants one */
            file = LLVMDIBuilderCreateFile(
                l->debug.builder, (const char *)name.data, name.size, (const char *)folder.data, folder.size);
        break;
    }
    l->debug.unit = LLVMDIBuilderCreateCompileUnit(
        l->debug.builder, (LLVMDWARFSourceLanguage)language, file, (const char *)producer.data, producer.size, 1,
        (const char *)flags.data, flags.size, 0, "", 0,
        l->debug.variables ? LLVMDWARFEmissionFull : LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
}

void debug_open(struct lower *l)
{
    if (!l->debug.wanted)
        return;
    if (!source_open(l)) {
        lower_no_memory(l);
        return;
    }
    add_module_flag(l, "Debug Info Version", LLVMDebugMetadataVersion());
    add_module_flag(l, "Dwarf Version", 5);
    l->debug.builder = LLVMCreateDIBuilder(l->e.module);
    l->debug.file = file_of(l, "hsail", 5);
    open_unit(l);
    if (l->debug.variables)
        LLVMSetIsNewDbgInfoFormat(l->e.module, 1);
}

/* Must be called after a failure, too. */
void debug_close(struct lower *l)
{
    source_close(l);
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

/* The function as the source has it, if a pragma says which subprogram it implements. */
static bool enter_subprogram(struct fn *f, const struct callable *c)
{
    struct lower *l = f->l;
    struct debug_source *s = source_of(f);
    uint32_t is = source_subprogram(l, s, c);
    if (!is)
        return false;
    struct source_place place = source_place_of(l, s, source_number(s, is, 4));
    const struct source_entity *type = source_entity_of(s, source_number(s, is, 5));
    struct bytes name = source_text(s, is, 6);
    LLVMMetadataRef file = place.file ? place.file : l->debug.file;
    bool has_type = type && source_has_tag(s, type->at, 2, "SubprogramType");
    f->scope = LLVMDIBuilderCreateFunction(
        l->debug.builder, source_scope(l, s, source_number(s, is, 3)), (const char *)name.data, name.size, c->name,
        strlen(c->name), file, place.line,
        has_type ? source_type(l, s, type->number)
                 : LLVMDIBuilderCreateSubroutineType(l->debug.builder, file, NULL, 0, LLVMDIFlagZero),
        !c->is_kernel, 1, place.line, LLVMDIFlagZero, l->debug.optimizes);
    set_line(f, f->scope, place.line, place.column);
    return true;
}

void debug_enter(struct fn *f, const struct callable *c)
{
    struct lower *l = f->l;
    if (!l->debug.builder)
        return;
    if (!enter_subprogram(f, c)) {
        const hsa_brig_directive_loc_t *loc = first_loc(f, c);
        struct bytes name = loc ? brig_string(f->view, loc->filename) : (struct bytes){(const uint8_t *)"hsail", 5};
        LLVMMetadataRef file = file_of(l, (const char *)name.data, name.size);
        LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(l->debug.builder, file, NULL, 0, LLVMDIFlagZero);
        unsigned line = loc ? loc->line : 0;
        f->scope = LLVMDIBuilderCreateFunction(l->debug.builder, file, c->name, strlen(c->name), "", 0, file, line,
                                               type, !c->is_kernel, 1, line, LLVMDIFlagZero, 1);
        set_line(f, f->scope, line, 0);
    }
    LLVMSetSubprogram(c->value, f->scope);
}

void debug_loc(struct fn *f, const hsa_brig_directive_loc_t *loc)
{
    if (!f->l->debug.builder || source_of(f)->has_lines)
        return;
    struct bytes name = brig_string(f->view, loc->filename);
    LLVMMetadataRef file = file_of(f->l, (const char *)name.data, name.size);
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, f->scope, file, 0), loc->line, loc->column);
}

/* A line of the source; 0 ends the one before. */
static void source_line(struct fn *f, uint32_t at)
{
    struct debug_source *s = source_of(f);
    struct source_place place = source_place_of(f->l, s, source_number(s, at, 2));
    LLVMMetadataRef file = place.file ? place.file : LLVMDIScopeGetFile(f->scope);
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, f->scope, file, 0), place.line, place.column);
}

void debug_pragma(struct fn *f, uint32_t at)
{
    if (!f->l->debug.builder || source_kind_of(f->view, at) != SOURCE_REFERENCE)
        return;
    if (source_has_tag(source_of(f), at, 1, "SourceLine"))
        source_line(f, at);
    else if (f->l->debug.variables)
        source_pragma(f, at);
}

void debug_kernarg(struct fn *f, const struct lang_inst *load, LLVMValueRef value)
{
    const hsa_brig_operand_address_t *a = (const void *)brig_operand(f->view, load->operands.items[1]);
    bool whole = a->base.kind == HSA_BRIG_KIND_OPERAND_ADDRESS && a->symbol && !a->reg && !brig_u64(a->offset);
    if (f->l->debug.builder && f->l->debug.variables && whole)
        source_kernarg(f, a->symbol, value);
}

void debug_globals(struct lower *l)
{
    if (l->debug.builder && l->debug.variables)
        source_globals(l);
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
    source_variables(f, end);
}
