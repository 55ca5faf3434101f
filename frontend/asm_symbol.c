/* SPDX-License-Identifier: MIT */
/* References to names (PRM 4.6.2, 18.3.1: a reference leads to the definition, if the module has one).
 * Input: names. Output: operands that lead to code entries. Invariant: a reference made before the definition is on the
 * list of its symbol, and is led to the definition when that comes. */
#include "frontend/asm_p.h"

/* Leads one earlier reference to CODE. */
static void apply_patch(struct assembler *as, const struct asm_patch *patch, uint32_t code)
{
    if (!patch->operand) {
        brig_edit_list(&as->out, patch->list, patch->index, code);
        return;
    }
    hsa_brig_base_t *base = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_OPERAND, patch->operand);
    if (base->kind == HSA_BRIG_KIND_OPERAND_ADDRESS)
        ((hsa_brig_operand_address_t *)base)->symbol = code;
    else
        ((hsa_brig_operand_code_ref_t *)base)->ref = code;
}

static void lead_to(struct assembler *as, struct symbol *symbol, uint32_t code)
{
    for (uint32_t at = symbol->patches; at; at = as->patches.items[at - 1].next)
        apply_patch(as, &as->patches.items[at - 1], code);
    symbol->patches = 0;
    symbol->code = code;
    symbol->defined = true;
}

static void remember_patch(struct assembler *as, struct symbol *symbol, struct asm_patch patch)
{
    patch.next = symbol->patches;
    if (vec_push(&as->patches, patch))
        symbol->patches = (uint32_t)as->patches.count;
    else
        asm_no_memory(as);
}

void asm_patch_list(struct assembler *as, struct symbol *symbol, uint32_t list, uint32_t index)
{
    brig_edit_list(&as->out, list, index, symbol->code);
    if (!symbol->defined)
        remember_patch(as, symbol, (struct asm_patch){.list = list, .index = index});
}

static struct symbol *add_symbol(struct assembler *as, struct symbol_table *table, struct span name)
{
    struct symbol *symbol = symbol_add(table, asm_chars(as, name), asm_length(name));
    if (!symbol)
        asm_no_memory(as);
    else
        symbol->where = name.begin;
    return symbol;
}

/* Whether a symbol belongs to the scope that is open now, not to one around it. */
static bool is_innermost(const struct assembler *as, const struct symbol *symbol)
{
    size_t first = as->arg_depth ? as->arg_scope : as->executable ? as->function_scope : 0;
    return (size_t)(symbol - as->symbols.symbols.items) >= first;
}

/* Leads pragmas that used the name of a new symbol before its declaration to this symbol. */
static void take_placeholder(struct assembler *as, struct symbol *symbol)
{
    int number = lang_placeholder(symbol->name, symbol->length);
    if (number < 0 || !as->placeholders[number].patches)
        return;
    uint32_t patches = as->placeholders[number].patches;
    for (uint32_t at = patches; at; at = as->patches.items[at - 1].next)
        apply_patch(as, &as->patches.items[at - 1], symbol->code);
    if (!symbol->defined)
        symbol->patches = patches;
    as->placeholders[number].patches = 0;
}

/* Brings a name into the innermost scope, or adds what is known about it there. */
void asm_declare(struct assembler *as, struct span name, uint32_t code, uint16_t kind, bool defined)
{
    struct symbol *symbol = symbol_find(&as->symbols, asm_chars(as, name), asm_length(name));
    if (symbol && is_innermost(as, symbol)) {
        if (defined && !symbol->defined)
            lead_to(as, symbol, code);
        return;
    }
    symbol = add_symbol(as, &as->symbols, name);
    if (symbol) {
        symbol->code = code;
        symbol->kind = kind;
        symbol->defined = defined;
        if (!as->executable)
            take_placeholder(as, symbol);
    }
}

struct symbol *asm_reference(struct assembler *as, struct span name)
{
    struct symbol *symbol = symbol_find(&as->symbols, asm_chars(as, name), asm_length(name));
    if (!symbol)
        asm_error(as, DIAG_NAME_UNKNOWN, name, asm_quote(as, name),
                  asm_hint_name(as, asm_chars(as, name), asm_length(name)));
    return symbol;
}

struct symbol *asm_target(struct assembler *as, struct span name, char letter)
{
    struct symbol *symbol = asm_reference(as, name);
    if (!symbol || brig_letter_targets(letter) & brig_kind_bit(symbol->kind))
        return symbol;
    asm_error(as, DIAG_NAME_KIND, name, asm_quote(as, name),
              letter == 'f' || letter == 'F'   ? "function"
              : letter == 'g'                  ? "signature"
              : letter == 'o' || letter == 'i' ? "variable"
                                               : "fbarrier");
    return NULL;
}

static uint32_t put_ref(struct assembler *as, struct symbol *symbol)
{
    if (!symbol)
        return 0;
    uint32_t operand = brig_put_code_ref(&as->out, symbol->code);
    if (!symbol->defined)
        remember_patch(as, symbol, (struct asm_patch){.operand = operand});
    return operand;
}

uint32_t asm_put_symbol_ref(struct assembler *as, struct span name)
{
    return put_ref(as, asm_reference(as, name));
}

uint32_t asm_put_target_ref(struct assembler *as, struct span name, char letter)
{
    return put_ref(as, asm_target(as, name, letter));
}

/* A placeholder for a value of a profile event needs no declaration (PRM 13.4.2); it gets one at the end. */
uint32_t asm_put_pragma_ref(struct assembler *as, struct span name)
{
    int number = lang_placeholder(asm_chars(as, name), asm_length(name));
    if (number < 0 || symbol_find(&as->symbols, asm_chars(as, name), asm_length(name)))
        return asm_put_symbol_ref(as, name);
    struct symbol *symbol = &as->placeholders[number];
    if (!symbol->patches)
        symbol->where = name.begin;
    uint32_t operand = brig_put_code_ref(&as->out, 0);
    remember_patch(as, symbol, (struct asm_patch){.operand = operand});
    return operand;
}

uint32_t asm_put_address(struct assembler *as, struct span name, uint32_t reg, uint64_t offset)
{
    struct symbol *symbol = asm_length(name) ? asm_reference(as, name) : NULL;
    if (asm_length(name) && !symbol)
        return 0;
    if (symbol && symbol->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        asm_error(as, DIAG_ADDRESS_SYMBOL, name, asm_quote(as, name));
        return 0;
    }
    uint32_t operand = brig_put_address(&as->out, symbol ? symbol->code : 0, reg, offset);
    if (symbol && !symbol->defined)
        remember_patch(as, symbol, (struct asm_patch){.operand = operand});
    return operand;
}

/* The label's symbol; the name of a label not placed yet is pooled now, because this is its place in the order of
 * hsa_data. */
struct symbol *asm_label_symbol(struct assembler *as, struct span name)
{
    struct symbol *symbol = symbol_find(&as->labels, asm_chars(as, name), asm_length(name));
    if (!symbol)
        symbol = add_symbol(as, &as->labels, name);
    if (symbol && !symbol->defined)
        brig_pool_bytes(&as->out, asm_chars(as, name), asm_length(name));
    return symbol;
}

uint32_t asm_put_label_ref(struct assembler *as, struct span name)
{
    if (!as->in_body) { /* only a pragma comes here */
        asm_error(as, DIAG_LABEL_UNDEFINED, name, asm_quote(as, name),
                  asm_hint_name(as, asm_chars(as, name), asm_length(name)));
        return 0;
    }
    return put_ref(as, asm_label_symbol(as, name));
}

void asm_define_label(struct assembler *as, struct span name, uint32_t code)
{
    struct symbol *symbol = symbol_find(&as->labels, asm_chars(as, name), asm_length(name));
    if (!symbol)
        symbol = add_symbol(as, &as->labels, name);
    if (symbol && !symbol->defined)
        lead_to(as, symbol, code);
}

/* At the end of a body, reports every label that was used but not placed, and places it so that no reference to it
 * leads nowhere. */
void asm_check_labels(struct assembler *as)
{
    for (size_t i = 0; i < as->labels.symbols.count; i++) {
        struct symbol *symbol = &as->labels.symbols.items[i];
        struct span where = {symbol->where, symbol->where + symbol->length};
        uint32_t offset;
        if (symbol->defined)
            continue;
        asm_error(as, DIAG_LABEL_UNDEFINED, where, ((struct bytes){(const uint8_t *)symbol->name, symbol->length}),
                  asm_hint_name(as, symbol->name, symbol->length));
        BRIG_PUT(&as->out, HSA_BRIG_KIND_DIRECTIVE_LABEL, hsa_brig_directive_label_t, &offset);
        uint32_t text = brig_put_bytes(&as->out, symbol->name, symbol->length);
        ((hsa_brig_directive_label_t *)brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset))->name = text;
        lead_to(as, symbol, offset);
    }
    symbol_close_scope(&as->labels, 0);
}
