/* SPDX-License-Identifier: MIT */
/* Pragmas that connect code with the source (PRM 13.4.2.2.4): which function implements a subprogram, and where the
 * variables of the source are.
 *
 * Input: pragmas of any form, in a function that is being lowered or of the whole program. Output: LLVM's records of
 * variables. A variable that only one pragma places, in a register or in private memory, is there in the whole
 * function. One that several pragmas place has from each of them on the value that is in that place then. An argument
 * of a kernel has its value from where it is loaded. Invariant: the code stays the same, and what LLVM would not accept
 * is left out. */
#include "finalizer/debug_source.h"

#include <string.h>

enum { OPS = 40 };

/* An expression as DWARF has it: what is done with an address, or a constant; and the piece of a variable. */
struct source_expression {
    uint64_t ops[OPS], constant, piece[2]; /* a piece: first bit, and how many */
    unsigned count;
    bool is_constant, has_piece;
};

/* Adds the chain that begins with expression NUMBER; false if a step is unknown or cannot be expressed. */
static bool read_expression(struct debug_source *s, uint64_t number, struct source_expression *e)
{
    for (unsigned steps = 0; number; steps++) {
        const struct source_entity *step = source_entity_of(s, number);
        if (!step || steps == 16 || e->has_piece || source_kind_of(s->view, step->at) != SOURCE_EXPRESSION)
            return false;
        uint64_t value = source_number(s, step->at, 4);
        if (source_has_tag(s, step->at, 3, "Constu")) {
            e->is_constant = true;
            e->constant = value;
        } else if (source_has_tag(s, step->at, 3, "PlusUconst") && e->is_constant) {
            e->constant += value;
        } else if (source_has_tag(s, step->at, 3, "PlusUconst")) {
            e->ops[e->count++] = SOURCE_OP_PLUS_UCONST;
            e->ops[e->count++] = value;
        } else if (source_has_tag(s, step->at, 3, "Dereference") && !e->is_constant) {
            e->ops[e->count++] = SOURCE_OP_DEREF;
        } else if (source_has_tag(s, step->at, 3, "Fragment")) {
            e->has_piece = true;
            e->piece[0] = value;
            e->piece[1] = source_number(s, step->at, 5);
        } else {
            return false;
        }
        number = source_number(s, step->at, 2);
    }
    return true;
}

/* A piece must be a part of a variable whose size is known. */
static bool piece_fits(struct debug_source *s, uint64_t type, const struct source_expression *e)
{
    const struct source_entity *entity = source_entity_of(s, type);
    if (!e->has_piece)
        return true;
    if (!entity ||
        (!source_has_tag(s, entity->at, 2, "BasicType") && !source_has_tag(s, entity->at, 2, "CompositeType")))
        return false;
    uint64_t bits = source_number(s, entity->at, 4);
    return bits % 8 == 0 && bits >> 31 == 0 && e->piece[1] && e->piece[1] < bits && e->piece[0] <= bits - e->piece[1];
}

static LLVMMetadataRef expression(struct lower *l, struct source_expression e)
{
    if (e.has_piece) {
        e.ops[e.count++] = SOURCE_OP_FRAGMENT;
        e.ops[e.count++] = e.piece[0];
        e.ops[e.count++] = e.piece[1];
    }
    return LLVMDIBuilderCreateExpression(l->debug.builder, e.ops, e.count);
}

/* The type of a variable. One that has none counts as a number of 32 bits, and so does one that has the type of a
 * function, which LLVM does not accept. */
static LLVMMetadataRef type_of(struct lower *l, struct debug_source *s, uint64_t number)
{
    LLVMMetadataRef type = source_type(l, s, number);
    return type && LLVMGetMetadataKind(type) != LLVMDISubroutineTypeMetadataKind
               ? type
               : LLVMDIBuilderCreateBasicType(l->debug.builder, "b32", 3, 32, 7, LLVMDIFlagZero);
}

/* ---- subprograms and variables of the program ---- */

uint32_t source_subprogram(struct lower *l, struct debug_source *s, const struct callable *c)
{
    const struct lower_module *m = &l->modules[c->module];
    for (size_t i = 0; i < s->references.count; i++) {
        uint32_t at = s->references.items[i];
        const hsa_brig_operand_code_ref_t *ref = (const void *)source_operand(s, at, 3);
        if (!source_has_tag(s, at, 1, "Subprogram") || !ref || ref->base.kind != HSA_BRIG_KIND_OPERAND_CODE_REF)
            continue;
        struct entity entity = m->entities[ref->ref / 4];
        if (entity.kind == ENTITY_CALLABLE && &l->callables.items[entity.index] == c)
            return source_entity_at(s, at, 2, "Subprogram");
    }
    return 0;
}

static void global_reference(struct lower *l, uint32_t module, uint32_t at)
{
    struct debug_source *s = &l->debug.sources[module];
    bool implicit = source_has_tag(s, at, 1, "GlobalImplicit");
    uint32_t is = source_entity_at(s, at, 2, "GlobalVariable");
    const hsa_brig_operand_code_ref_t *ref = (const void *)source_operand(s, at, 3);
    struct source_expression e = {0};
    LLVMValueRef value = NULL;
    if (!implicit && ref && ref->base.kind == HSA_BRIG_KIND_OPERAND_CODE_REF) {
        struct entity entity = l->modules[module].entities[ref->ref / 4];
        value = entity.kind == ENTITY_VARIABLE ? l->variables.items[entity.index].value : NULL;
    }
    if (!is || (!implicit && !value) || !read_expression(s, source_number(s, at, implicit ? 3 : 4), &e) ||
        e.has_piece || e.is_constant != implicit)
        return;
    if (implicit) {
        e.ops[e.count++] = SOURCE_OP_CONSTU;
        e.ops[e.count++] = e.constant;
        e.ops[e.count++] = SOURCE_OP_STACK_VALUE;
    }
    struct source_place place = source_place_of(l, s, source_number(s, is, 4));
    struct bytes name = source_text(s, is, 6), link = source_text(s, is, 7);
    LLVMMetadataRef made = LLVMDIBuilderCreateGlobalVariableExpression(
        l->debug.builder, source_scope(l, s, source_number(s, is, 3)), (const char *)name.data, name.size,
        (const char *)link.data, link.size, place.file, place.line, type_of(l, s, source_number(s, is, 5)), 0,
        expression(l, e), NULL, 0);
    if (value)
        LLVMGlobalSetMetadata(value, LLVMGetMDKindIDInContext(l->e.context, "dbg", 3), made);
}

void source_globals(struct lower *l)
{
    for (uint32_t i = 0; i < l->module_count && l->debug.sources; i++)
        for (size_t k = 0; k < l->debug.sources[i].references.count; k++) {
            uint32_t at = l->debug.sources[i].references.items[k];
            if (source_has_tag(&l->debug.sources[i], at, 1, "GlobalAddr") ||
                source_has_tag(&l->debug.sources[i], at, 1, "GlobalImplicit"))
                global_reference(l, i, at);
        }
}

/* ---- variables of a function ---- */

/* The number of an argument; 0 if another variable of the function has it already, as LLVM allows only one. */
static unsigned argument_number(struct fn *f, uint64_t variable, uint64_t number)
{
    if (number >= sizeof f->arguments / sizeof *f->arguments)
        return 0;
    if (!f->arguments[number])
        f->arguments[number] = variable;
    return f->arguments[number] == variable ? (unsigned)number : 0;
}

/* A variable of the source, and the place in it from which on a record holds. */
struct source_variable {
    LLVMMetadataRef variable, location;
    uint64_t type;
};

/* The function is the scope of all its variables. No pragma says which code is in a lexical block, and LLVM leaves out
 * the variables of a block without code. */
static bool find_variable(struct fn *f, uint32_t at, struct source_variable *v)
{
    struct lower *l = f->l;
    struct debug_source *s = source_of(f);
    uint32_t is = source_entity_at(s, at, 2, "LocalVariable");
    if (!is)
        return false;
    struct source_place place = source_place_of(l, s, source_number(s, is, 4));
    struct bytes name = source_text(s, is, 6);
    LLVMMetadataRef file = place.file ? place.file : LLVMDIScopeGetFile(f->scope);
    v->type = source_number(s, is, 5);
    LLVMMetadataRef type = type_of(l, s, v->type);
    unsigned argument = argument_number(f, source_number(s, at, 2), source_number(s, is, 7));
    v->variable =
        argument ? LLVMDIBuilderCreateParameterVariable(l->debug.builder, f->scope, (const char *)name.data, name.size,
                                                        argument, file, place.line, type, 0, LLVMDIFlagZero)
                 : LLVMDIBuilderCreateAutoVariable(l->debug.builder, f->scope, (const char *)name.data, name.size, file,
                                                   place.line, type, 0, LLVMDIFlagZero, 0);
    v->location = LLVMDIBuilderCreateDebugLocation(f->e->context, place.line, 0, f->scope, NULL);
    return true;
}

/* The private memory of the variable, or of the register, that operand 3 names; NULL: it has none. */
static LLVMValueRef place_of(struct fn *f, uint32_t at)
{
    static const uint32_t limits[] = {128, 2048, 1024, 512};
    const hsa_brig_base_t *entry = source_operand(source_of(f), at, 3);
    const struct callable *c = &f->l->callables.items[f->self];
    if (entry && entry->kind == HSA_BRIG_KIND_OPERAND_REGISTER) {
        const hsa_brig_operand_register_t *is = (const void *)entry;
        return is->reg_kind < 4 && is->reg_num < limits[is->reg_kind] ? f->registers[is->reg_kind][is->reg_num] : NULL;
    }
    if (!entry || entry->kind != HSA_BRIG_KIND_OPERAND_CODE_REF)
        return NULL;
    uint32_t symbol = ((const hsa_brig_operand_code_ref_t *)(const void *)entry)->ref;
    return symbol >= f->base && symbol < c->directive->next_module_entry ? f->locals[(symbol - f->base) / 4] : NULL;
}

/* The argument of this kernel that operand 3 names, or 0. */
static uint32_t kernarg_of(struct fn *f, uint32_t at)
{
    const struct callable *c = &f->l->callables.items[f->self];
    const hsa_brig_operand_code_ref_t *ref = (const void *)source_operand(source_of(f), at, 3);
    for (uint32_t i = 0; c->is_kernel && ref && ref->base.kind == HSA_BRIG_KIND_OPERAND_CODE_REF && i < c->input_count;
         i++)
        if (c->formals[i].variable == ref->ref)
            return ref->ref;
    return 0;
}

/* From here on the variable has what expression E makes of VALUE. */
static void put_value(struct fn *f, const struct source_variable *v, LLVMValueRef value, struct source_expression e)
{
    if (!f->terminated)
        LLVMDIBuilderInsertDbgValueRecordAtEnd(
            f->l->debug.builder, value, v->variable, expression(f->l, e), v->location, LLVMGetInsertBlock(f->e->b));
}

/* From here on the variable is in the memory at what expression E makes of ADDRESS. */
static void put_memory(struct fn *f, const struct source_variable *v, LLVMValueRef address, struct source_expression e)
{
    e.ops[e.count++] = SOURCE_OP_DEREF;
    put_value(f, v, address, e);
}

void source_kernarg(struct fn *f, uint32_t formal, LLVMValueRef value)
{
    struct debug_source *s = source_of(f);
    for (size_t i = 0; i < f->placed.count; i++) {
        struct source_expression e = {0};
        struct source_variable v;
        uint32_t at = f->placed.items[i];
        if (kernarg_of(f, at) == formal && read_expression(s, source_number(s, at, 4), &e) && !e.count &&
            find_variable(f, at, &v))
            put_value(f, &v, value, e);
    }
}

void source_pragma(struct fn *f, uint32_t at)
{
    struct debug_source *s = source_of(f);
    bool is_register = source_has_tag(s, at, 1, "LocalRegister"), implicit = source_has_tag(s, at, 1, "LocalImplicit");
    const struct source_entity *entity = source_entity_of(s, source_number(s, at, 2));
    struct source_expression e = {0};
    struct source_variable v;
    if (!entity || (!is_register && !implicit && !source_has_tag(s, at, 1, "LocalAddr")) ||
        !read_expression(s, source_number(s, at, implicit ? 3 : 4), &e) || (is_register && e.count) ||
        (e.is_constant && !implicit) || !find_variable(f, at, &v) || !piece_fits(s, v.type, &e))
        return;
    if (implicit) {
        put_value(f, &v, e.is_constant ? emit_int(f->e, 64, e.constant) : LLVMGetPoison(f->e->i64), e);
        return;
    }
    LLVMValueRef place = place_of(f, at);
    if (entity->references == 1 || kernarg_of(f, at)) {
        if (!vec_push(&f->placed, at))
            lower_no_memory(f->l);
    } else if (place && is_register && f->l->debug.optimizes && !f->terminated) {
        put_value(f, &v, LLVMBuildLoad2(f->e->b, LLVMGetAllocatedType(place), place, ""), e);
    } else if (place) {
        put_memory(f, &v, place, e);
    }
}

void source_variables(struct fn *f, LLVMValueRef end)
{
    for (size_t i = 0; i < f->placed.count; i++) {
        uint32_t at = f->placed.items[i];
        struct source_expression e = {0};
        struct source_variable v;
        LLVMValueRef place = place_of(f, at);
        if (place && LLVMIsAAllocaInst(place) &&
            read_expression(source_of(f), source_number(source_of(f), at, 4), &e) && find_variable(f, at, &v))
            LLVMDIBuilderInsertDeclareRecordBefore(
                f->l->debug.builder, place, v.variable, expression(f->l, e), v.location, end);
    }
}
