/* SPDX-License-Identifier: MIT */
/* Line tables: each LLVM instruction gets the line of the loc directive before the HSAIL instruction it is made for.
 * Input: if the option -g asks for lines, loc directives (PRM 13.2) and debug
 * pragmas (13.4.2.2), which take precedence. Output: metadata of the module. Invariant: a function has lines as soon as
 * it is entered, as calls in a function with lines must have one. */
#include "finalizer/debug_source.h"

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
    symbol_keep(l);
    LLVMDIBuilderFinalize(l->debug.builder);
    LLVMDisposeDIBuilder(l->debug.builder);
    l->debug.builder = NULL;
    vec_free(&l->debug.kept);
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
    if (l->debug.variables)
        symbol_variables(l, f->self + 1, f->scope);
}

/* The innermost scope of what is being lowered. */
static LLVMMetadataRef scope_of(const struct fn *f)
{
    return f->block ? f->block : f->scope;
}

/* Goes on in another scope, on the line and in the file of what comes before. */
static void enter_scope(struct fn *f, LLVMMetadataRef block)
{
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(f->e->b);
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    f->block = block;
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, scope_of(f), file, 0),
             LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
}

void debug_block(struct fn *f, bool begins)
{
    if (!f->l->debug.builder || !f->l->debug.variables)
        return;
    if (!begins) {
        enter_scope(f, NULL);
        return;
    }
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(f->e->b);
    LLVMMetadataRef block = LLVMDIBuilderCreateLexicalBlock(
        f->l->debug.builder, f->scope, LLVMDIScopeGetFile(f->scope), LLVMDILocationGetLine(location), 0);
    if (!vec_push(&f->blocks, block))
        lower_no_memory(f->l);
    enter_scope(f, block);
}

void debug_loc(struct fn *f, const hsa_brig_directive_loc_t *loc)
{
    if (!f->l->debug.builder || source_of(f)->has_lines)
        return;
    struct bytes name = brig_string(f->view, loc->filename);
    LLVMMetadataRef file = file_of(f->l, (const char *)name.data, name.size);
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, scope_of(f), file, 0), loc->line, loc->column);
}

/* A line of the source; 0 ends the one before. */
static void source_line(struct fn *f, uint32_t at)
{
    struct debug_source *s = source_of(f);
    struct source_place place = source_place_of(f->l, s, source_number(s, at, 2));
    LLVMMetadataRef file = place.file ? place.file : LLVMDIScopeGetFile(f->scope);
    set_line(f, LLVMDIBuilderCreateLexicalBlockFile(f->l->debug.builder, scope_of(f), file, 0), place.line,
             place.column);
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
    if (!l->debug.builder || !l->debug.variables)
        return;
    source_globals(l);
    symbol_variables(l, 0, l->debug.unit);
}

void debug_leave(struct fn *f)
{
    if (f->l->debug.builder)
        LLVMSetCurrentDebugLocation2(f->e->b, NULL);
}
