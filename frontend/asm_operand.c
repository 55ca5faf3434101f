/* SPDX-License-Identifier: MIT */
/* Operands of instructions, and the instruction around them (PRM 4.16 to 4.18, 18.7).
 * Input: the decoded mnemonic and the tokens after it. Output: the entry in hsa_code, its operands in text order, its
 * list. Invariant: which operands an opcode has, and of which type, is read from the tables. */
#include "brig/limit.h"
#include "frontend/asm_p.h"

#include <string.h>

uint32_t asm_register(struct assembler *as)
{
    const char *text = as->lexer.token;
    uint32_t number = 0;
    hsa_brig_register_kind_t kind =
        text[1] == 'c'   ? HSA_BRIG_REGISTER_KIND_CONTROL
        : text[1] == 's' ? HSA_BRIG_REGISTER_KIND_SINGLE
        : text[1] == 'd' ? HSA_BRIG_REGISTER_KIND_DOUBLE
                         : HSA_BRIG_REGISTER_KIND_QUAD;
    for (const char *digit = text + 2; digit < as->lexer.cursor; digit++) {
        number = number * 10 + (uint32_t)(*digit - '0');
        if (number >= LIMIT_REGISTER_NUMBER) {
            asm_error(as, DIAG_REGISTER_NUMBER, asm_span(as));
            return 0;
        }
    }
    return brig_put_register(&as->out, kind, (uint16_t)number);
}

static uint32_t take_register(struct assembler *as)
{
    if (as->kind != LEX_REGISTER) {
        asm_unexpected(as, ASM_WANTED_REGISTER);
        return 0;
    }
    uint32_t operand = asm_register(as);
    asm_next(as);
    return operand;
}

/* A register or, where SOURCE, a constant of TYPE. */
static uint32_t take_scalar(struct assembler *as, uint16_t type, bool source)
{
    if (as->kind == LEX_REGISTER || !source)
        return take_register(as);
    switch (as->kind) {
    case LEX_WORD:
    case LEX_INTEGER:
    case LEX_HALF:
    case LEX_SINGLE:
    case LEX_DOUBLE:
    case '+':
    case '-': return asm_immediate(as, type, ASM_OPERAND);
    default: asm_unexpected(as, ASM_WANTED_REGISTER_OR_CONSTANT); return 0;
    }
}

/* `(element, element)`; LENGTH is what the mnemonic says, 0 when it says nothing. */
static uint32_t take_vector(struct assembler *as, uint16_t type, bool source, unsigned length)
{
    size_t mark = as->items.count;
    uint32_t operand = 0;
    struct span span = asm_span(as);
    do {
        asm_next(as);
        if (!asm_push_item(as, take_scalar(as, type, source)))
            goto out;
    } while (as->kind == ',');
    span.end = asm_span(as).end;
    if (!asm_expect(as, ')', ASM_WANTED_COMMA_OR_PARENTHESIS))
        goto out;
    if (length && as->items.count - mark != length)
        asm_error(as, DIAG_VECTOR_LENGTH, span, length, as->items.count - mark);
    else
        operand = brig_put_operand_list(&as->out, as->items.items + mark, as->items.count - mark);
out:
    as->items.count = mark;
    return operand;
}

/* `+4`, `-4` or `4` in brackets. */
static bool take_offset(struct assembler *as, uint64_t *offset)
{
    bool negative = as->kind == '-';
    if (as->kind == '+' || as->kind == '-')
        asm_next(as);
    if (as->kind != LEX_INTEGER) {
        asm_unexpected(as, ASM_WANTED_OFFSET);
        return false;
    }
    if (!asm_integer(as, asm_span(as), offset))
        return false;
    if (negative)
        *offset = -*offset;
    asm_next(as);
    return true;
}

/* Reads `[name]`, `[register + offset]`, `[offset]`, or the first followed by one of the others (PRM 4.18). */
static uint32_t take_address(struct assembler *as, unsigned segment)
{
    struct span name = {0, 0};
    uint32_t reg = 0;
    uint64_t offset = 0;
    if (!asm_expect(as, '[', ASM_WANTED_ADDRESS))
        return 0;
    if (as->kind == LEX_GLOBAL || as->kind == LEX_LOCAL) {
        name = asm_span(as);
        asm_next(as);
        if (!asm_expect(as, ']', ASM_WANTED_BRACKET_END))
            return 0;
        if (as->kind != '[')
            goto done;
        asm_next(as);
    }
    if (as->kind == LEX_REGISTER) {
        reg = take_register(as);
        if (!reg || ((as->kind == '+' || as->kind == '-') && !take_offset(as, &offset)))
            return 0;
    } else if (!take_offset(as, &offset)) {
        return 0;
    }
    if (!asm_expect(as, ']', ASM_WANTED_BRACKET_END))
        return 0;
done:
    if (lang_segment_is_narrow(segment, as->large))
        offset = (uint32_t)offset;
    return asm_put_address(as, name, reg, offset);
}

static uint32_t take_name(struct assembler *as, char letter, enum asm_wanted wanted)
{
    if (as->kind != LEX_GLOBAL && as->kind != LEX_LOCAL) {
        asm_unexpected(as, wanted);
        return 0;
    }
    struct span name = asm_span(as);
    uint32_t operand = asm_put_target_ref(as, name, letter);
    if (operand)
        asm_next(as);
    return operand;
}

static uint32_t take_label(struct assembler *as)
{
    if (as->kind != LEX_LABEL) {
        asm_unexpected(as, ASM_WANTED_LABEL);
        return 0;
    }
    uint32_t operand = asm_put_label_ref(as, asm_span(as));
    asm_next(as);
    return operand;
}

/* Puts the names of a list onto the stack of spans: at least one in brackets, any number in parentheses. */
static bool collect_names(struct assembler *as, char letter, char close)
{
    bool labels = letter == 'L';
    asm_next(as);
    if (close == ')' && as->kind == close)
        return true;
    while (true) {
        bool good = labels ? as->kind == LEX_LABEL : as->kind == LEX_GLOBAL || as->kind == LEX_LOCAL;
        if (!good) {
            asm_unexpected(as, labels ? ASM_WANTED_LABEL : letter == 'F' ? ASM_WANTED_FUNCTION : ASM_WANTED_NAME);
            return false;
        }
        if (!vec_push(&as->spans, asm_span(as))) {
            asm_no_memory(as);
            return false;
        }
        asm_next(as);
        if (as->kind == close)
            return true;
        if (as->kind != ',') {
            asm_unexpected(as, ASM_WANTED_COMMA_OR_LIST_END);
            return false;
        }
        asm_next(as);
    }
}

/* A list of labels or symbols, as a list of code entries. The list is made before the names are looked up, because
 * that is where producers of BRIG 1.0 have it. */
static uint32_t take_names(struct assembler *as, char letter, char open, char close)
{
    size_t mark = as->spans.count;
    uint32_t operand = 0;
    if (as->kind != open) {
        asm_unexpected(as, open == '(' ? ASM_WANTED_PARENTHESIS : ASM_WANTED_BRACKET);
        return 0;
    }
    if (!collect_names(as, letter, close))
        goto out;
    asm_next(as);
    uint32_t offset = brig_put_code_list(&as->out, NULL, as->spans.count - mark);
    hsa_brig_operand_code_list_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_OPERAND, offset);
    uint32_t list = entry->elements;
    for (size_t i = mark; i < as->spans.count; i++) {
        struct span name = as->spans.items[i];
        struct symbol *symbol = letter == 'L' ? asm_label_symbol(as, name) : asm_target(as, name, letter);
        if (!symbol)
            goto out;
        asm_patch_list(as, symbol, list, (uint32_t)(i - mark));
    }
    operand = offset;
out:
    as->spans.count = mark;
    return operand;
}

/* A constant whose value is known when the text is read. */
static uint32_t take_number_operand(struct assembler *as, const struct lang_op *op, unsigned index, uint16_t type)
{
    if (as->kind == LEX_REGISTER) {
        asm_unexpected(as, ASM_WANTED_CONSTANT);
        return 0;
    }
    if (asm_is_word(as, "WAVESIZE")) {
        asm_error(as, DIAG_OPERAND_WAVESIZE, asm_span(as), index, op->text);
        return 0;
    }
    return take_scalar(as, type, true);
}

/* Operand INDEX by its letter; 0 after an error. */
static uint32_t take_operand(struct assembler *as, const struct asm_mnemonic *mnemonic, unsigned index)
{
    char letter = mnemonic->letter[index];
    uint16_t type = mnemonic->type[index];
    bool source = letter != 'd' && letter != 'D' && letter != 'v' && letter != 'r';
    unsigned vector = index == mnemonic->vector_index ? mnemonic->vector : 0;
    switch (letter) {
    case 'v':
    case 'w':
    case 'D':
    case 'V':
        if (as->kind == '(' && (vector || index != mnemonic->vector_index))
            return take_vector(as, type, source, vector);
        if (as->kind == '(') {
            asm_error(as, DIAG_VECTOR_MODIFIER, asm_span(as), mnemonic->op->text);
            return 0;
        }
        if (vector || letter == 'v' || letter == 'w') {
            asm_unexpected(as, ASM_WANTED_VECTOR);
            return 0;
        }
        return take_scalar(as, type, source);
    case 'a': return take_address(as, mnemonic->segment);
    case 'l': return take_label(as);
    case 'L':
    case 'F': return take_names(as, letter, '[', ']');
    case 'o':
    case 'i': return take_names(as, letter, '(', ')');
    case 'f': return take_name(as, letter, ASM_WANTED_FUNCTION);
    case 'g': return take_name(as, letter, ASM_WANTED_SIGNATURE);
    case 'B': return take_name(as, letter, ASM_WANTED_FBARRIER);
    case 'n': return take_number_operand(as, mnemonic->op, index, type);
    case 'b':
        return as->kind == LEX_REGISTER ? take_register(as) : take_name(as, letter, ASM_WANTED_FBARRIER_OR_REGISTER);
    default: return take_scalar(as, type, source);
    }
}

/* Lists in parentheses or brackets, and the signature after them, need no comma. */
static bool needs_comma(char letter)
{
    return letter != 'o' && letter != 'i' && letter != 'L' && letter != 'F' && letter != 'g';
}

/* A call in text names its target before the arguments, unlike BRIG. */
bool asm_is_call(const struct asm_mnemonic *mnemonic)
{
    return mnemonic->letter[0] == 'o';
}

/* Counts the operands up to the end of the statement, of which GIVEN were read: commas outside of brackets separate
 * them. */
static unsigned count_operands(const struct assembler *as, unsigned given)
{
    struct lexer lexer = as->lexer;
    int depth = 0;
    if (as->kind != ',')
        return given + (as->kind != ';');
    for (int kind = as->kind; kind != ';' && kind != LEX_END && given < 100; kind = lex_next(&lexer)) {
        given += kind == ',' && !depth;
        depth += kind == '(' || kind == '[';
        depth -= kind == ')' || kind == ']';
    }
    return given;
}

static bool take_operands(struct assembler *as, const struct asm_mnemonic *mnemonic, uint32_t *operands)
{
    bool call = asm_is_call(mnemonic);
    for (unsigned place = 0; place < mnemonic->count; place++) {
        unsigned index = call && place < 2 ? 1 - place : place;
        if (as->kind == ';' && mnemonic->letter[0] != 'o') {
            asm_error(as, DIAG_OPERAND_COUNT, asm_span(as), mnemonic->op->text, place, mnemonic->count);
            return false;
        }
        if (place && needs_comma(mnemonic->letter[index]) && !asm_expect(as, ',', ASM_WANTED_COMMA))
            return false;
        operands[index] = take_operand(as, mnemonic, index);
        if (!operands[index])
            return false;
    }
    if (as->kind == ';')
        return true;
    if (as->kind == ',' || (!mnemonic->count && as->kind == LEX_REGISTER))
        asm_error(as, DIAG_OPERAND_COUNT, asm_span(as), mnemonic->op->text, count_operands(as, mnemonic->count),
                  mnemonic->count);
    else
        asm_unexpected(as, ASM_WANTED_SEMICOLON);
    return false;
}

/* The entry comes before its operands, its list after them. */
uint32_t asm_begin_instruction(struct assembler *as, const struct asm_mnemonic *mnemonic)
{
    uint32_t offset;
    uint8_t *entry = brig_put_entry(&as->out, (hsa_brig_kind_t)mnemonic->kind, mnemonic->size, &offset);
    memcpy(entry + sizeof(hsa_brig_base_t), mnemonic->tail, mnemonic->size - sizeof(hsa_brig_base_t));
    return offset;
}

void asm_end_instruction(struct assembler *as, const struct asm_mnemonic *mnemonic, uint32_t offset,
                         const uint32_t *operands)
{
    uint32_t list = brig_put_list(&as->out, operands, mnemonic->count);
    hsa_brig_inst_base_t *base = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, offset);
    base->operands = list;
    asm_statement_done(as);
}

/* Reads one instruction, whose mnemonic is in hand and decoded. An error in the mnemonic was reported. */
static void take_instruction(struct assembler *as, struct span head)
{
    if (!as->word || !as->word->mnemonic.op)
        return asm_skip_statement(as);
    const struct asm_mnemonic *mnemonic = &as->word->mnemonic; /* stays where it is until the next head is read */
    uint32_t operands[LANG_MAX_OPERANDS];
    if (mnemonic->feature && !asm_needs_1_2(as, head, mnemonic->feature))
        return asm_skip_statement(as);
    uint32_t offset = asm_begin_instruction(as, mnemonic);
    asm_note_position(as, offset, head.begin);
    asm_next(as);
    if (take_operands(as, mnemonic, operands)) {
        asm_end_instruction(as, mnemonic, offset, operands);
    } else {
        asm_drop(as, offset);
        asm_skip_statement(as);
    }
}

/* Reads an instruction and those after it. The parser sees a run of them as one, which saves a third of its time. */
void asm_instruction(struct assembler *as, struct span head)
{
    take_instruction(as, head);
    while (asm_next_head(as))
        take_instruction(as, asm_span(as));
}
