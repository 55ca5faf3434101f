/* SPDX-License-Identifier: MIT */
/* Atomic operations and fences with HSAIL's scopes (PRM 6.2, 6.5-6.9).
 * Input: a pointer into a segment, an order, a scope. Output: the LLVM instruction with that syncscope.
 *
 * The C API of LLVM 19 cannot name a syncscope. So an instruction is written once per context as text,
 * parsed, and cloned where it is needed. HSAIL's acquire and release are sequentially consistent among each
 * other. */
#include "finalizer/emit.h"

#include <stdio.h>
#include <string.h>

static const char *scope_name(unsigned scope)
{
    switch ((hsa_brig_memory_scope_t)scope) {
    case HSA_BRIG_MEMORY_SCOPE_WORKITEM: return "syncscope(\"singlethread\")";
    case HSA_BRIG_MEMORY_SCOPE_WAVEFRONT: return "syncscope(\"wavefront\")";
    case HSA_BRIG_MEMORY_SCOPE_WORKGROUP: return "syncscope(\"workgroup\")";
    case HSA_BRIG_MEMORY_SCOPE_AGENT: return "syncscope(\"agent\")";
    case HSA_BRIG_MEMORY_SCOPE_NONE:
    case HSA_BRIG_MEMORY_SCOPE_SYSTEM: break;
    }
    return "";
}

static const char *order_name(unsigned order)
{
    return order == HSA_BRIG_MEMORY_ORDER_RELAXED ? "monotonic" : "seq_cst";
}

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * 0x100000001b3u;
    return h;
}

/* Returns the first instruction of the function "t" in TEXT, a module that is parsed at the first request. */
static LLVMValueRef template_of(struct emit *e, const char *text)
{
    uint64_t key = hash(text);
    for (size_t i = 0; i < e->templates.count; i++)
        if (e->templates.items[i].key == key)
            return e->templates.items[i].inst;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "template");
    LLVMModuleRef module = NULL;
    char *error = NULL;
    if (LLVMParseIRInContext(e->context, buffer, &module, &error)) {
        llvm_fail(e->session, LLVM_TEMPLATE, error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    LLVMValueRef function = LLVMGetNamedFunction(module, "t");
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    struct emit_template row = {key, inst, module};
    if (!vec_push(&e->templates, row)) {
        llvm_fail(e->session, OUT_OF_MEMORY);
        LLVMDisposeModule(module);
        return NULL;
    }
    return inst;
}

static LLVMValueRef clone(struct emit *e, const char *text, LLVMValueRef *operands, unsigned count)
{
    LLVMValueRef inst = template_of(e, text);
    if (!inst)
        return NULL;
    inst = LLVMInstructionClone(inst);
    for (unsigned i = 0; i < count; i++)
        LLVMSetOperand(inst, i, operands[i]);
    LLVMInsertIntoBuilder(e->b, inst);
    return inst;
}

LLVMValueRef emit_atomic_load(struct emit *e, struct atomic_place place, LLVMValueRef pointer, unsigned bits)
{
    char text[256];
    snprintf(text, sizeof text,
             "define i%u @t(ptr addrspace(%d) %%p) { %%r = load atomic i%u, ptr addrspace(%d) %%p %s %s, "
             "align %u\n"
             "ret i%u %%r }",
             bits, place.space, bits, place.space, scope_name(place.scope), order_name(place.order), bits / 8, bits);
    LLVMValueRef result = clone(e, text, &pointer, 1);
    return result ? result : LLVMGetUndef(emit_int_type(e, bits));
}

void emit_atomic_store(struct emit *e, struct atomic_place place, LLVMValueRef pointer, LLVMValueRef value)
{
    char text[256];
    unsigned bits = emit_width(value);
    snprintf(text, sizeof text,
             "define void @t(ptr addrspace(%d) %%p, i%u %%v) { store atomic i%u %%v, ptr addrspace(%d) %%p %s %s, "
             "align %u\nret void }",
             place.space, bits, bits, place.space, scope_name(place.scope), order_name(place.order), bits / 8);
    clone(e, text, (LLVMValueRef[]){value, pointer}, 2);
}

LLVMValueRef emit_atomic_rmw(struct emit *e, struct atomic_place place, const char *op, LLVMValueRef pointer,
                             LLVMValueRef value)
{
    char text[256];
    LLVMTypeRef is = LLVMTypeOf(value);
    char type[8];
    if (is == e->f32 || is == e->f64)
        snprintf(type, sizeof type, "%s", is == e->f32 ? "float" : "double");
    else
        snprintf(type, sizeof type, "i%u", emit_width(value));
    snprintf(text, sizeof text,
             "define %s @t(ptr addrspace(%d) %%p, %s %%v) { %%r = atomicrmw %s ptr addrspace(%d) %%p, %s "
             "%%v %s %s\n"
             "ret %s %%r }",
             type, place.space, type, op, place.space, type, scope_name(place.scope), order_name(place.order), type);
    LLVMValueRef result = clone(e, text, (LLVMValueRef[]){pointer, value}, 2);
    return result ? result : LLVMGetUndef(LLVMTypeOf(value));
}

LLVMValueRef emit_atomic_cas(struct emit *e, struct atomic_place place, LLVMValueRef pointer, LLVMValueRef expected,
                             LLVMValueRef desired)
{
    char text[320];
    unsigned bits = emit_width(expected);
    snprintf(text, sizeof text,
             "define void @t(ptr addrspace(%d) %%p, i%u %%c, i%u %%v) { %%r = cmpxchg ptr addrspace(%d) %%p, "
             "i%u %%c, "
             "i%u %%v %s %s %s\nret void }",
             place.space, bits, bits, place.space, bits, bits, scope_name(place.scope), order_name(place.order),
             order_name(place.order));
    LLVMValueRef result = clone(e, text, (LLVMValueRef[]){pointer, expected, desired}, 3);
    return result ? LLVMBuildExtractValue(e->b, result, 0, "") : LLVMGetUndef(LLVMTypeOf(expected));
}

/* After each fence comes inline assembly without an instruction that is said to write memory, which keeps LLVM from
 * moving earlier loads past it, and descriptions of variables from changing the code
 * (doc/decisions/llvm-late-loads.md). To the optimizer, it writes no memory that the program can name, so that later
 * loads may still be scalar. */
void emit_fence(struct emit *e, unsigned order, unsigned scope)
{
    static const char keep_loads[] =
        "define void @t() { call void asm sideeffect \"\", \"~{memory}\"() "
        "nounwind memory(inaccessiblemem: readwrite)\nret void }";
    char text[96];
    if (order == HSA_BRIG_MEMORY_ORDER_RELAXED)
        return;
    snprintf(text, sizeof text, "define void @t() { fence %s seq_cst\nret void }", scope_name(scope));
    clone(e, text, NULL, 0);
    clone(e, keep_loads, NULL, 0);
}
