/* SPDX-License-Identifier: MIT */
/* Variables of HSAIL as debug information has them, with their types and segments.
 *
 * Input: linked variables, whose places in memory are known. Output: metadata of the module. A variable in global
 * memory is at the address of its symbol. Group memory begins at 0 in a space of its own, and the finalizer itself lays
 * it out, so its variables get a symbol that nobody defines, which is 0 in debug information, and their offset from
 * there; the space has the number that clang gives it. Arguments of kernels are left out: LLVM does not keep the
 * registers that hold their address, and the metadata names them with their offsets. Invariant: the code stays the
 * same. */
#include "finalizer/debug_source.h"

#include <string.h>

static unsigned encoding_of(const struct lang_type *row)
{
    if (row->bits == 1)
        return SOURCE_BOOLEAN;
    if (row->count > 1)
        return SOURCE_UNSIGNED;
    return row->class_ == LANG_CLASS_FLOAT    ? SOURCE_FLOAT
           : row->class_ == LANG_CLASS_SIGNED ? SOURCE_SIGNED
                                              : SOURCE_UNSIGNED;
}

LLVMMetadataRef symbol_type(struct lower *l, const hsa_brig_directive_variable_t *v)
{
    const struct lang_type *row = lang_type(v->type);
    uint64_t bits = 8 * (uint64_t)lang_type_size(v->type), count = brig_u64(v->dim);
    LLVMMetadataRef type = LLVMDIBuilderCreateBasicType(
        l->debug.builder, row->text, strlen(row->text), bits, encoding_of(row), LLVMDIFlagZero);
    if (!lang_type_is_array(v->type))
        return type;
    LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(l->debug.builder, 0, (int64_t)(count << 1 >> 1));
    return LLVMDIBuilderCreateArrayType(l->debug.builder, count * bits, 0, type, &range, 1);
}

const hsa_brig_directive_variable_t *symbol_directive(const struct lower *l, const struct variable *v)
{
    return (const void *)brig_code(l->modules[v->module].view, v->offset);
}

/* A symbol of which only debug information speaks, so that LLVM has to be told to keep it. */
static LLVMValueRef group_symbol(struct lower *l)
{
    LLVMValueRef value = LLVMAddGlobalInAddressSpace(l->e.module, l->e.i8, "hsail.group", SPACE_GROUP);
    if (!vec_push(&l->debug.kept, LLVMConstAddrSpaceCast(value, l->e.ptr[SPACE_FLAT])))
        lower_no_memory(l);
    return value;
}

static bool is_described(LLVMValueRef value)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(value, &count);
    LLVMDisposeValueMetadataEntries(entries);
    return count > 0;
}

static void describe(struct lower *l, struct variable *v, LLVMMetadataRef scope)
{
    uint64_t ops[] = {SOURCE_OP_PLUS_UCONST, v->address,     SOURCE_OP_CONSTU,
                      SOURCE_SPACE_GROUP,    SOURCE_OP_SWAP, SOURCE_OP_XDEREF};
    bool is_group = v->segment == HSA_BRIG_SEGMENT_GROUP;
    LLVMValueRef value = is_group ? group_symbol(l) : v->value;
    if (is_described(value)) /* by a debug pragma: LLVM takes one description */
        return;
    bool is_ours = v->linkage != HSA_BRIG_LINKAGE_PROGRAM;
    const char *name = is_ours && !v->owner && l->module_count > 1 ? v->symbol : v->name; /* tells modules apart */
    LLVMMetadataRef made = LLVMDIBuilderCreateGlobalVariableExpression(
        l->debug.builder, scope, name, strlen(name), "", 0, LLVMDIScopeGetFile(scope), 0,
        symbol_type(l, symbol_directive(l, v)), is_ours,
        LLVMDIBuilderCreateExpression(l->debug.builder, ops, is_group ? sizeof ops / sizeof *ops : 0), NULL,
        v->align * 8);
    LLVMGlobalSetMetadata(value, LLVMGetMDKindIDInContext(l->e.context, "dbg", 3), made);
}

void symbol_variables(struct lower *l, uint32_t owner, LLVMMetadataRef scope)
{
    for (size_t i = 0; i < l->variables.count; i++) {
        struct variable *v = &l->variables.items[i];
        if (v->owner == owner && v->is_defined && !v->is_fbarrier && !lower_is_private(v))
            describe(l, v, scope);
    }
}

void symbol_keep(struct lower *l)
{
    static const char name[] = "llvm.compiler.used";
    unsigned count = (unsigned)l->debug.kept.count;
    if (!count)
        return;
    LLVMTypeRef pointer = l->e.ptr[SPACE_FLAT];
    LLVMValueRef list = LLVMAddGlobal(l->e.module, LLVMArrayType2(pointer, count), name);
    LLVMSetInitializer(list, LLVMConstArray2(pointer, l->debug.kept.items, count));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
    LLVMSetSection(list, "llvm.metadata");
}
