/* SPDX-License-Identifier: MIT */
/* Line tables: each LLVM instruction gets the line of the loc directive before the HSAIL instruction it is made for.
 * Input: loc directives (PRM 13.2), where the option -g asks for lines. Output: metadata of the module.
 * Invariant: a function has lines as soon as it is entered, as calls in a function with lines must have one. */
#include "finalizer/lower.h"

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
        LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
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
