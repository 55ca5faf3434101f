/* SPDX-License-Identifier: MIT */
/* What debug pragmas say of the source that a module was compiled from (PRM 13.4.2.2).
 *
 * The validator only warns of mistakes in pragmas, so each operand of each of them may be anything: the functions here
 * return 0, an empty string or NULL for what is missing or of another kind. */
#ifndef FINALIZER_DEBUG_SOURCE_H
#define FINALIZER_DEBUG_SOURCE_H

#include "finalizer/lower.h"
#include "support/hash_table.h"

/* Operations of expressions, as DWARF and LLVM number them. */
enum {
    SOURCE_OP_DEREF = 0x06,
    SOURCE_OP_CONSTU = 0x10,
    SOURCE_OP_SWAP = 0x16,
    SOURCE_OP_XDEREF = 0x18,
    SOURCE_OP_PLUS_UCONST = 0x23,
    SOURCE_OP_STACK_VALUE = 0x9f,
    SOURCE_OP_FRAGMENT = 0x1000
};

/* What the bytes of a type are, as DWARF numbers it. */
enum { SOURCE_BOOLEAN = 0x02, SOURCE_FLOAT = 0x04, SOURCE_SIGNED = 0x05, SOURCE_UNSIGNED = 0x07 };

/* Address spaces of SOURCE_OP_XDEREF, as clang numbers them. */
enum { SOURCE_SPACE_PRIVATE = 1, SOURCE_SPACE_GROUP = 2 };

enum source_kind { SOURCE_OTHER, SOURCE_ENTITY, SOURCE_EXPRESSION, SOURCE_REFERENCE };

/* A pragma hsa.tools.debug.src or .expr, by the number that it gives to what it describes. */
struct source_entity {
    uint64_t number;
    uint32_t at;
    bool is_open;         /* what it describes is being made, and refers to itself */
    uint32_t references;  /* pragmas in code that say where this variable is */
    LLVMMetadataRef made; /* a type */
};

/* The pragmas of one module. */
struct debug_source {
    const struct brig_view *view;
    bool has_lines; /* there are pragmas for lines, and loc directives do not count */
    uint32_t unit;  /* the first pragma for a compilation unit, or 0 */
    VEC(struct source_entity) entities;
    struct hash_table numbers;
    VEC(uint32_t) references; /* pragmas hsa.tools.debug.ref at module level */
};

/* A place in the source. */
struct source_place {
    LLVMMetadataRef file; /* NULL: none is known */
    unsigned line, column;
};

static inline struct debug_source *source_of(const struct fn *f)
{
    return &f->l->debug.sources[f->m - f->l->modules];
}

/* ---- debug_source.c: pragmas; at 0 there is none ---- */
bool source_open(struct lower *l); /* reads those of all modules; false if memory is out */
void source_close(struct lower *l);
enum source_kind source_kind_of(const struct brig_view *view, uint32_t at);
bool source_has_tag(const struct debug_source *s, uint32_t at, unsigned index, const char *tag);
uint64_t source_number(const struct debug_source *s, uint32_t at, unsigned index);
struct bytes source_text(const struct debug_source *s, uint32_t at, unsigned index);
const hsa_brig_base_t *source_operand(const struct debug_source *s, uint32_t at, unsigned index);
struct source_entity *source_entity_of(struct debug_source *s, uint64_t number);
/* The pragma that the number in operand INDEX stands for, if it has the tag; else 0. */
uint32_t source_entity_at(struct debug_source *s, uint32_t at, unsigned index, const char *tag);

/* ---- debug_type.c: what they describe ---- */
unsigned source_language(const struct debug_source *s); /* of the compilation unit, as LLVM numbers them */
struct source_place source_place_of(struct lower *l, struct debug_source *s, uint64_t number);
LLVMMetadataRef source_scope(struct lower *l, struct debug_source *s, uint64_t number);
LLVMMetadataRef source_type(struct lower *l, struct debug_source *s, uint64_t number);

/* ---- debug_pragma.c: what they say of code ---- */
/* The pragma that describes the subprogram which a callable implements, or 0. */
uint32_t source_subprogram(struct lower *l, struct debug_source *s, const struct callable *c);
void source_globals(struct lower *l);          /* when the variables of the program are defined */
void source_pragma(struct fn *f, uint32_t at); /* in a body: a change of the place of a variable */
/* An argument of the kernel, a formal argument of HSAIL, has been loaded. */
void source_kernarg(struct fn *f, uint32_t formal, LLVMValueRef value);
void source_variables(struct fn *f, LLVMValueRef end); /* before END, which ends the entry block */

/* ---- debug_symbol.c: variables of HSAIL, but for those of each work-item (debug_local.c) ---- */
const hsa_brig_directive_variable_t *symbol_directive(const struct lower *l, const struct variable *v);
LLVMMetadataRef symbol_type(struct lower *l, const hsa_brig_directive_variable_t *v);
/* Describes those that OWNER declares, the index + 1 of a callable or 0 for modules, as variables of SCOPE. */
void symbol_variables(struct lower *l, uint32_t owner, LLVMMetadataRef scope);
void symbol_keep(struct lower *l); /* has LLVM keep what was described, at the end of the program */

#endif
