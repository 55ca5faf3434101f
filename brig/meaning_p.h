/* SPDX-License-Identifier: MIT */
/* State of the semantic check, shared by its parts.
 *
 * validate.c walks the module; meaning_name.c knows names, meaning_variable.c variables and their values,
 * meaning_code.c code blocks, meaning_formal.c formal arguments, meaning_call.c arg blocks and calls,
 * meaning_pragma.c pragmas, meaning_inst.c instructions, meaning_operand.c their operands, and meaning_directive.c
 * extensions, control directives and what operands refer to. */
#ifndef BRIG_MEANING_P_H
#define BRIG_MEANING_P_H

#include "brig/control.h"
#include "brig/diag_rule.h"
#include "brig/mnemonic.h"
#include "brig/rule.h"
#include "support/hash_table.h"
#include "support/search.h"
#include "support/vec.h"

struct name_entry {
    uint32_t hash;
    uint32_t scope;      /* 0: the module */
    uint32_t directive;  /* first declaration */
    uint32_t definition; /* 0: none yet */
};

/* Names by scope. */
struct name_table {
    VEC(struct name_entry) names;
    struct hash_table numbers; /* indices plus 1 */
};

/* The formal arguments of an executable, outputs first. */
struct formal_list {
    uint32_t executable;
    uint32_t first; /* in validate.formals */
    uint32_t outputs, inputs;
    uint32_t same; /* number of a list known to be equal; its own for the first of these */
    uint64_t hash; /* differs where the formals differ, for all practical purposes */
};

/* A call. Sorted by the callee. */
struct call_edge {
    uint32_t callee, caller;
};

/* A variable of an arg block, and the offsets of the instructions that access it; 0: none does. */
struct arg_variable {
    uint32_t directive;
    uint32_t uses;          /* how often it is an argument of the call */
    bool output;            /* the last of these uses is as an output */
    uint32_t other_than_st; /* the first access of that kind */
    uint32_t other_than_ld; /* the first */
    uint32_t last_st, first_ld;
};

/* An arg block, from the directive that starts it to the one that ends it. */
struct arg_range {
    uint32_t end, first;
    uint32_t call; /* the only one; 0: there is none, or more */
};

/* The number that a debug pragma gives to what it describes, and the offset of the pragma. */
struct pragma_entity {
    uint64_t number;
    uint32_t directive;
};

struct meaning {
    const struct brig_view *view;
    struct diag_list *diag;
    struct rule_module module;
    bool image;              /* extension IMAGE */
    bool core;               /* extension CORE */
    bool statements;         /* one was met; extension directives cannot follow */
    uint32_t extension;      /* the first extension other than CORE, or 0 */
    uint32_t last_extension; /* the last extension directive, or 0 */
    const char *vendor;      /* an extension that was looked up and found, or NULL */
    bool invalid, out_of_memory;
    size_t findings;                 /* reported, warnings included */
    struct brig_mnemonics mnemonics; /* `passed`: modifiers and types are legal, whatever the operands */
    struct diag_part part;           /* of the entry that is being looked at: findings point there */
    uint64_t seed;
    struct name_table module_names, local_names, extension_names;
    VEC(uint32_t) formals;                /* of all executables */
    VEC(struct formal_list) formal_lists; /* ascending by executable */

    /* The code block being checked. */
    const hsa_brig_directive_executable_t *executable;
    uint32_t executable_at;
    uint32_t scope, arg_scope, scopes;       /* serial numbers of scopes; arg_scope is 0 outside of arg blocks */
    uint32_t registers[4];                   /* by kind: highest number used + 1 */
    uint32_t arg_block;                      /* its start, or 0 */
    uint32_t arg_calls, arg_call;            /* calls in the arg block; the last of them */
    bool arg_branches;                       /* the arg block has branches */
    uint32_t loop_pragma;                    /* one for parallel loops that waits for its label, or 0 */
    VEC(struct arg_variable) arg_variables;  /* of the arg block, ascending */
    VEC(struct arg_range) arg_blocks;        /* of the code block, ascending */
    struct control_set controls;             /* of the code block */
    uint32_t control_at[CONTROL_DIRECTIVES]; /* the last directive of each kind */

    /* For the closure of indirect functions. */
    VEC(struct call_edge) calls;
    VEC(struct pragma_entity) entities;
    bool debug_pragma;     /* one was met */
    VEC(uint32_t) tainted; /* executables that use what indirect functions must not, in ascending order */
};

#define MEANING_FAIL(v, rule, offset, ...) \
    ((v)->invalid = true, MEANING_WARN(v, rule, offset __VA_OPT__(, ) __VA_ARGS__))
#define MEANING_WARN(v, rule, offset, ...) \
    ((v)->findings++, \
     diag_report((v)->diag, DIAG_RULE(rule), diag_in_code(offset, (v)->part) __VA_OPT__(, ) __VA_ARGS__))
/* Explains what was just reported, at another entry. */
#define MEANING_NOTE(v, rule, offset, ...) \
    diag_report((v)->diag, DIAG_RULE(rule), diag_in_code(offset, (struct diag_part){0}) __VA_OPT__(, ) __VA_ARGS__)

/* Sets the part of the entry that the findings of the next steps are about. Returns the one before, for the caller to
 * put back. */
static inline struct diag_part meaning_part(struct meaning *v, enum brig_part kind, unsigned index, unsigned element)
{
    struct diag_part before = v->part;
    v->part = brig_part(kind, index, element);
    return before;
}

/* meaning_directive.c: checks an extension directive; tells whether one before the entry being checked names an
 * extension. */
void meaning_extension(struct meaning *v, uint32_t at);
bool meaning_has_extension(struct meaning *v, const char *name);

/* Entries by their structure. */
#define CODE_AS(v, type, offset)    ((const type *)(const void *)brig_code((v)->view, offset))
#define OPERAND_AS(v, type, offset) ((const type *)(const void *)brig_operand((v)->view, offset))

/* Every symbol's directive has its name at the same place. */
static inline struct bytes meaning_name(const struct meaning *v, uint32_t directive)
{
    return brig_string(v->view, CODE_AS(v, hsa_brig_directive_label_t, directive)->name);
}

/* A handle is not a string of bits: its constants stand for its own type only (4.8.5, Table 4-1). */
static inline bool meaning_is_handle(const struct lang_type *type)
{
    return type->class_ == LANG_CLASS_IMAGE || type->class_ == LANG_CLASS_SAMPLER || type->class_ == LANG_CLASS_SIGNAL;
}

/* The text of a type code; for an array that of its element type, to which the caller adds []. */
const char *meaning_type_text(uint32_t code);

/* A register of the code block, which counts towards its limit (4.7). */
static inline void meaning_note_register(struct meaning *v, const hsa_brig_operand_register_t *reg)
{
    if (reg->reg_num >= v->registers[reg->reg_kind & 3])
        v->registers[reg->reg_kind & 3] = reg->reg_num + 1u;
}

/* Reports a FEATURE that the entry at AT uses and HSAIL 1:0 does not have; NULL is none. */
static inline void meaning_version(struct meaning *v, uint32_t at, const char *feature)
{
    if (feature && !brig_module_directive(v->view)->hsail_minor)
        MEANING_FAIL(v, NEEDS_1_2, at, feature);
}

/* meaning_name.c */
struct name_entry *names_find(struct meaning *v, struct name_table *table, uint32_t scope, struct bytes name);
/* The entry of the name of DIRECTIVE; it is new, without a definition, when *KNOWN is false. NULL when memory is out.
 * It is valid until the next call. */
struct name_entry *names_enter(struct meaning *v, struct name_table *table, uint32_t scope, uint32_t directive,
                               bool *known);
/* Forgets all names; the scopes of a code block end together, with the block. */
void names_clear(struct name_table *table);
void names_free(struct name_table *table);
void meaning_module_symbol(struct meaning *v, uint32_t at);
void meaning_local_symbol(struct meaning *v, uint32_t at);
void meaning_undefined(struct meaning *v);

/* meaning_variable.c */
void meaning_variable(struct meaning *v, uint32_t at);
/* A constant that says its own type: an operand of a pragma. */
void meaning_constant(struct meaning *v, uint32_t at, uint32_t operand);
/* Rules 11, 24 and 60 for a type wherever it stands; WHAT uses it. */
void meaning_type(struct meaning *v, uint32_t at, uint32_t type);

/* meaning_code.c */
void meaning_executable(struct meaning *v, uint32_t at);
void meaning_closure(struct meaning *v);
/* The code block uses what indirect functions must not. */
void meaning_taint(struct meaning *v);
/* To be called for the entry after a pragma: a pragma for parallel loops needs a LABEL there. */
void meaning_after_pragma(struct meaning *v, bool label);

/* meaning_call.c */
void meaning_arg_block_start(struct meaning *v, uint32_t at);
void meaning_arg_block_end(struct meaning *v, uint32_t at);
void meaning_call(struct meaning *v, uint32_t at, const struct lang_inst *inst);
void meaning_branches(struct meaning *v);
/* Notes an access to a variable of the open arg block by an instruction. */
void meaning_arg_access(struct meaning *v, uint32_t at, const struct lang_inst *inst, uint32_t variable);

/* meaning_formal.c */
bool meaning_find_formals(struct meaning *v); /* called before the others; false when memory is out */
const struct formal_list *meaning_formals(const struct meaning *v, uint32_t executable);
/* In what two variables differ as arguments: NULL when in nothing. */
const char *meaning_argument_difference(const hsa_brig_directive_variable_t *a, const hsa_brig_directive_variable_t *b,
                                        bool last);
/* Whether two executables have the same formal arguments. */
bool meaning_same_formals(struct meaning *v, uint32_t a, uint32_t b);

/* Control directives, in meaning_directive.c. */
void meaning_control(struct meaning *v, uint32_t at);
void meaning_controls_agree(struct meaning *v);

/* meaning_pragma.c */
void meaning_pragma(struct meaning *v, uint32_t at);
void meaning_entities(struct meaning *v);

/* meaning_inst.c */
void meaning_inst(struct meaning *v, uint32_t at);

/* meaning_directive.c, references: whether the name of TARGET means it at the entry AT; a check of what an operand of
 * that entry refers to. */
bool meaning_in_scope(struct meaning *v, uint32_t at, uint32_t target);
void meaning_references(struct meaning *v, uint32_t at, uint32_t operand);

/* meaning_operand.c */
void meaning_operands(struct meaning *v, uint32_t at, const struct brig_mnemonic *mnemonic);

#endif
