/* SPDX-License-Identifier: MIT */
/* Kernels, functions, signatures, their formals and bodies, variables and fbarriers (PRM 4.3, 4.10 to 4.12).
 * Input: spans of the parser's tokens. Output: directive entries in text order. Invariant: `symbols` holds exactly
 * the names in scope. */
#include "brig/limit.h"
#include "frontend/asm_p.h"

#include <string.h>

static enum asm_scope scope_of(const struct assembler *as)
{
    return !as->in_body ? ASM_MODULE_SCOPE : as->arg_depth ? ASM_ARG_SCOPE : ASM_FUNCTION_SCOPE;
}

/* FIRST is the first qualifier; without any, the statement begins with the token that the parser looks at. */
void asm_qualifiers(struct assembler *as, struct span first, unsigned decl, unsigned prog)
{
    as->decl = decl != 0;
    as->prog = prog != 0;
    as->definition = decl || prog ? first.begin : as->head;
}

/* The linkage of a name that is defined here, by its qualifier and the scope (PRM 4.12). */
static uint8_t linkage_here(const struct assembler *as)
{
    if (as->prog)
        return HSA_BRIG_LINKAGE_PROGRAM;
    switch (scope_of(as)) {
    case ASM_MODULE_SCOPE: return HSA_BRIG_LINKAGE_MODULE;
    case ASM_FUNCTION_SCOPE: return HSA_BRIG_LINKAGE_FUNCTION;
    case ASM_ARG_SCOPE: break;
    }
    return HSA_BRIG_LINKAGE_ARG;
}

static hsa_brig_directive_executable_t *executable(struct assembler *as)
{
    return brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->executable);
}

void asm_executable(struct assembler *as, struct span whole, struct span name, hsa_brig_kind_t kind)
{
    bool is_signature = kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    uint32_t offset;
    BRIG_PUT(&as->out, kind, hsa_brig_directive_executable_t, &offset);
    asm_note_position(as, offset, whole.begin);
    uint32_t text = brig_put_bytes(&as->out, asm_chars(as, name), asm_length(name));
    hsa_brig_directive_executable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    entry->name = text;
    entry->linkage = is_signature ? HSA_BRIG_LINKAGE_NONE : linkage_here(as);
    bool defined = is_signature || !as->decl;
    entry->modifier = defined ? HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION : 0;
    asm_declare(as, name, offset, (uint16_t)kind, defined); /* in module scope: no executable is open yet */
    as->executable = offset;
    as->formal_count = 0;
    as->function_scope = as->symbols.symbols.count;
    entry = executable(as);
    entry->first_in_arg = brig_here(&as->out, HSA_BRIG_SECTION_INDEX_CODE);
}

void asm_outputs_end(struct assembler *as)
{
    hsa_brig_directive_executable_t *entry = executable(as);
    entry->out_arg_count = as->formal_count;
    entry->first_in_arg = brig_here(&as->out, HSA_BRIG_SECTION_INDEX_CODE);
    as->formal_count = 0;
}

static uint8_t natural_alignment(uint16_t type)
{
    uint32_t bytes = lang_type(type & ~HSA_BRIG_TYPE_CLASS_ARRAY)->bits / 8;
    return bytes ? (uint8_t)(__builtin_ctz(bytes) + 1) : HSA_BRIG_ALIGNMENT_1;
}

static uint8_t allocation_for(uint8_t segment, unsigned alloc)
{
    if (alloc)
        return (uint8_t)alloc;
    switch (segment) {
    case HSA_BRIG_SEGMENT_GLOBAL: return HSA_BRIG_ALLOCATION_PROGRAM;
    case HSA_BRIG_SEGMENT_READONLY: return HSA_BRIG_ALLOCATION_AGENT;
    default: return HSA_BRIG_ALLOCATION_AUTOMATIC;
    }
}

/* Puts a variable's entry and name; returns the offset. */
static uint32_t put_variable(struct assembler *as, struct span whole, struct asm_variable_type type, unsigned align,
                             struct span name, struct asm_dimension dimension)
{
    uint32_t offset;
    hsa_brig_directive_variable_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_VARIABLE, hsa_brig_directive_variable_t, &offset);
    asm_note_position(as, offset, whole.begin);
    if (type.type == HSA_BRIG_TYPE_B1)
        asm_error(as, DIAG_BRIG_VARIABLE_TYPE, whole, "b1");
    entry->type = type.type;
    if (dimension.shape != ASM_SCALAR) {
        entry->type |= HSA_BRIG_TYPE_CLASS_ARRAY;
        entry->dim.lo = (uint32_t)dimension.count;
        entry->dim.hi = (uint32_t)(dimension.count >> 32);
    }
    entry->segment = type.segment;
    entry->align = align ? (uint8_t)align : natural_alignment(type.type);
    if (asm_length(name))
        entry->name = brig_put_bytes(&as->out, asm_chars(as, name), asm_length(name));
    return offset;
}

void asm_formal(struct assembler *as, struct span whole, unsigned align, struct asm_variable_type type,
                struct span name, struct asm_dimension dimension)
{
    bool is_signature = executable(as)->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    if (!asm_length(name) && !is_signature)
        asm_error(as, DIAG_FORMAL_NAME, whole);
    if (as->formal_count == LIMIT_FORMALS) {
        asm_error(as, DIAG_LIMIT, whole, "formal arguments", LIMIT_FORMALS);
        return;
    }
    uint32_t offset = put_variable(as, whole, type, align, name, dimension);
    uint32_t empty = asm_length(name) || as->dialect == ASM_DIALECT_1_2 ? 0 : brig_put_bytes(&as->out, "", 0);
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    if (!asm_length(name))
        entry->name = empty;
    entry->modifier = HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    entry->linkage = is_signature || as->decl ? HSA_BRIG_LINKAGE_NONE : HSA_BRIG_LINKAGE_FUNCTION;
    entry->allocation = allocation_for(type.segment, 0);
    as->formal_count++;
    if (asm_length(name))
        asm_declare(as, name, offset, HSA_BRIG_KIND_DIRECTIVE_VARIABLE, true);
}

void asm_body(struct assembler *as, struct span brace)
{
    hsa_brig_directive_executable_t *entry = executable(as);
    if (as->decl)
        asm_error(as, DIAG_DECL_BODY, brace);
    entry->in_arg_count = as->formal_count;
    entry->first_code_block_entry = brig_here(&as->out, HSA_BRIG_SECTION_INDEX_CODE);
    as->in_body = true;
    as->body = brace;
    as->arg_depth = 0;
    asm_statement_done(as);
}

void asm_executable_end(struct assembler *as, struct span end, bool has_body)
{
    if (has_body)
        asm_check_labels(as);
    hsa_brig_directive_executable_t *entry = executable(as);
    entry->next_module_entry = brig_here(&as->out, HSA_BRIG_SECTION_INDEX_CODE);
    if (!has_body) {
        entry->in_arg_count = as->formal_count;
        entry->first_code_block_entry = entry->next_module_entry;
        /* Anything else in place of the body is reported as such. */
        bool ended = as->kind == ';' || as->kind == LEX_END;
        if (ended && entry->modifier && entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE)
            asm_error(as, DIAG_NO_BODY, end);
    }
    as->in_body = false;
    as->executable = 0;
    as->decl = as->prog = false;
    symbol_close_scope(&as->symbols, as->function_scope);
    if (!has_body) /* otherwise the `;` is still to come */
        asm_statement_done(as);
}

void asm_arg_block(struct assembler *as, struct span brace)
{
    uint32_t offset;
    BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START, hsa_brig_directive_arg_block_t, &offset);
    asm_note_position(as, offset, brace.begin);
    if (as->arg_depth == 1) /* deeper ones follow from the same error */
        asm_error(as, DIAG_ARG_BLOCK_NESTED, brace);
    if (as->arg_depth == LIMIT_NESTED_BLOCKS)
        asm_error(as, DIAG_LIMIT, brace, "nested blocks", LIMIT_NESTED_BLOCKS);
    if (as->arg_depth++ == 0)
        as->arg_scope = as->symbols.symbols.count;
    asm_statement_done(as);
}

void asm_arg_block_end(struct assembler *as, struct span brace)
{
    uint32_t offset;
    BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END, hsa_brig_directive_arg_block_t, &offset);
    asm_note_position(as, offset, brace.begin);
    if (--as->arg_depth == 0)
        symbol_close_scope(&as->symbols, as->arg_scope);
    asm_statement_done(as);
}

unsigned asm_allocation(struct assembler *as, struct span word)
{
    uint32_t code;
    if (lang_word_means(lang_word(asm_chars(as, word), asm_length(word)), LANG_SET_ALLOCATION, &code))
        return code;
    asm_error(as, DIAG_ALLOCATION, word, asm_quote(as, word));
    return HSA_BRIG_ALLOCATION_NONE;
}

struct asm_dimension asm_dimension(struct assembler *as, struct span count)
{
    struct asm_dimension dimension = {ASM_ARRAY, 1};
    if (asm_integer(as, count, &dimension.count) && !dimension.count)
        asm_error(as, DIAG_ARRAY_EMPTY, count);
    return dimension;
}

void asm_variable(struct assembler *as, struct span whole, unsigned alloc, unsigned align, unsigned is_const,
                  struct asm_variable_type type, struct span name, struct asm_dimension dimension)
{
    if (alloc && type.segment == HSA_BRIG_SEGMENT_READONLY)
        asm_error(as, DIAG_ALLOCATION_SEGMENT, whole);
    as->variable = put_variable(as, whole, type, align, name, dimension);
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    entry->modifier = (uint8_t)((as->decl ? 0 : HSA_BRIG_VARIABLE_MODIFIER_DEFINITION) |
                                (is_const ? HSA_BRIG_VARIABLE_MODIFIER_CONST : 0));
    entry->linkage = linkage_here(as);
    entry->allocation = allocation_for(type.segment, alloc);
    as->dimension = dimension;
    asm_declare(as, name, as->variable, HSA_BRIG_KIND_DIRECTIVE_VARIABLE, !as->decl);
}

/* Declares placeholders that the module does not declare, as BRIG has no other way to mention a name. Their text is
 * taken from the table, because that of a builder is gone by now. */
void asm_declare_placeholders(struct assembler *as)
{
    static const struct asm_variable_type type = {HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U64};
    const char *text = as->lexer.text;
    asm_statement_done(as); /* its comments refer to that text */
    for (unsigned i = 0; i < LANG_PLACEHOLDERS; i++) {
        const struct symbol *symbol = &as->placeholders[i];
        if (!symbol->patches)
            continue;
        struct span name = {0, (uint32_t)strlen(lang_placeholder_names[i])};
        as->lexer.text = lang_placeholder_names[i];
        as->decl = as->prog = true;
        asm_variable(as, (struct span){symbol->where, symbol->where}, 0, 0, 0, type, name,
                     (struct asm_dimension){ASM_SCALAR, 0});
        asm_variable_end(as);
    }
    as->lexer.text = text;
}

void asm_variable_end(struct assembler *as)
{
    as->decl = as->prog = false;
    asm_statement_done(as);
}

void asm_fbarrier(struct assembler *as, struct span name)
{
    uint32_t offset;
    hsa_brig_directive_fbarrier_t *entry =
        BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_FBARRIER, hsa_brig_directive_fbarrier_t, &offset);
    asm_note_position(as, offset, as->definition);
    entry->modifier = as->decl ? 0 : HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    entry->linkage = linkage_here(as);
    entry->name = brig_put_bytes(&as->out, asm_chars(as, name), asm_length(name));
    asm_declare(as, name, offset, HSA_BRIG_KIND_DIRECTIVE_FBARRIER, !as->decl);
    as->decl = as->prog = false;
    asm_statement_done(as);
}

/* Reports a statement that stands outside of a body and belongs in one, once for a run of them. */
void asm_misplaced(struct assembler *as, struct span head)
{
    bool reported = as->lost || (as->word && !asm_word_is_good(as->word));
    if (!reported)
        asm_error(as, DIAG_MISPLACED, head, asm_quote(as, head));
    as->lost = true;
    asm_skip_statement(as);
}

void asm_stray_brace(struct assembler *as, struct span brace)
{
    if (!as->lost)
        asm_error(as, DIAG_STRAY_BRACE, brace);
    as->lost = false;
    asm_statement_done(as);
}

/* Turns an executable that an error cut short into a declaration with what is known of it. */
static void abandon_executable(struct assembler *as)
{
    if (!as->executable)
        return;
    as->result->cut = true;
    hsa_brig_directive_executable_t *entry = executable(as);
    if (entry->base.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE)
        entry->modifier = 0;
    entry->in_arg_count = as->formal_count;
    entry->first_code_block_entry = entry->next_module_entry = brig_here(&as->out, HSA_BRIG_SECTION_INDEX_CODE);
    as->executable = 0;
    symbol_close_scope(&as->symbols, as->function_scope);
}

/* Called after a syntax error in the structure of the module, and the `;` that ends the statement. */
void asm_recover(struct assembler *as)
{
    as->decl = as->prog = false;
    if (!as->in_body) {
        as->lost = true;
        abandon_executable(as);
    }
    asm_statement_done(as);
}
