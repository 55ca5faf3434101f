/* SPDX-License-Identifier: MIT */
/* What compiled code takes from elsewhere: handlers, and functions for chunks. They are named symbols in the object
 * file, so that it depends on no address, and each is a pointer in its data; load.c, in the process that runs the code,
 * knows their values.
 * Input: what is wanted. Output: its value. Invariant: a name means the same in all processes that run this build. */
#include "runtime/gcn/jit/build.h"
#include "runtime/gcn/jit/chunk.h"

#include <stdio.h>

const struct chunk_row *chunk_rows_of(const struct gcn_jit *jit)
{
    return jit->lanes == 16 ? chunk_rows_avx512 : chunk_rows_avx2;
}

static LLVMValueRef import(struct builder *f, const char *name)
{
    char pointer_name[48];
    snprintf(pointer_name, sizeof pointer_name, "at_%s", name);
    LLVMValueRef pointer = LLVMGetNamedGlobal(f->module, pointer_name);
    if (!pointer) {
        LLVMValueRef symbol = LLVMAddGlobal(f->module, f->jit->i8, name);
        pointer = LLVMAddGlobal(f->module, f->jit->pointer, pointer_name);
        LLVMSetInitializer(pointer, symbol);
        LLVMSetLinkage(pointer, LLVMInternalLinkage);
    }
    return LLVMBuildLoad2(f->b, f->jit->pointer, pointer, "");
}

LLVMValueRef import_handler(struct builder *f, uint32_t index)
{
    char name[32];
    snprintf(name, sizeof name, "handler%u", index);
    return import(f, name);
}

LLVMValueRef import_handlers(struct builder *f)
{
    return import(f, "handlers");
}

LLVMValueRef import_chunk(struct builder *f, const struct chunk_row *row)
{
    char name[32];
    snprintf(name, sizeof name, "chunk%u", (unsigned)(row - chunk_rows_of(f->jit)));
    return import(f, name);
}
