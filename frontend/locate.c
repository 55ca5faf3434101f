/* SPDX-License-Identifier: MIT */
/* Finds the operand, modifier or name in a statement that a finding is about; see locate.h.
 * Input: the text of a statement that was assembled, or that the disassembler has printed. Output: a range of it.
 * Invariant: reading ends with the statement. */
#include "frontend/locate.h"

#include <string.h>

/* The token in hand. */
struct token_reader {
    struct lexer lexer;
    int kind;
    uint32_t previous_end;
};

static struct span current_token(const struct token_reader *reader)
{
    const struct lexer *lexer = &reader->lexer;
    return (struct span){(uint32_t)(lexer->token - lexer->text), (uint32_t)(lexer->cursor - lexer->text)};
}

static void next_token(struct token_reader *reader)
{
    reader->previous_end = (uint32_t)(reader->lexer.cursor - reader->lexer.text);
    do
        reader->kind = lex_next(&reader->lexer);
    while (reader->kind == LEX_LINE_COMMENT || reader->kind == LEX_BLOCK_COMMENT);
}

static bool at_end(const struct token_reader *reader)
{
    return reader->kind == ';' || reader->kind == LEX_END;
}

static bool opens_bracket(int kind)
{
    return kind == '(' || kind == '[' || kind == '{';
}

static bool closes_bracket(int kind)
{
    return kind == ')' || kind == ']' || kind == '}';
}

/* Reads a group in brackets whole; the first is in hand. The range of element ELEMENT, from 1, goes to *FOUND, and
 * reading ends after it. Elements are counted as the assembler makes them: an array in an aggregate is one element,
 * unless it holds more than plain numbers: it becomes several then, of which only the first is found, and elements
 * after the array are not found. Returns the number of elements read. */
static unsigned skip_group(struct token_reader *reader, unsigned element, struct span *found)
{
    const bool aggregate = reader->kind == '{';
    unsigned depth = 0, number = 1;
    bool inside = false, in_array = false;
    int before = 0;
    do {
        bool inner = depth > 1 || (depth == 1 && !closes_bracket(reader->kind));
        in_array = depth > 1 ? in_array : aggregate && reader->kind == '(' && before == ']';
        if (in_array && reader->kind == LEX_WORD && number < element)
            element = 0;
        if (depth == 1 && reader->kind == ',') {
            number++;
            inside = false;
            if (number == element + 1 && found->end) {
                reader->kind = LEX_END;
                return number - 1;
            }
        } else if (inner && number == element) {
            if (!inside)
                found->begin = current_token(reader).begin;
            inside = true;
            found->end = current_token(reader).end;
        }
        depth += opens_bracket(reader->kind);
        depth -= closes_bracket(reader->kind);
        before = reader->kind;
        next_token(reader);
    } while (depth && !at_end(reader));
    return number;
}

/* The same for `type(...)`, of which BRIG has the last element first (PRM 4.14). */
static void skip_packed(struct token_reader *reader, unsigned element, struct span *found)
{
    struct token_reader ahead = *reader;
    unsigned count = element ? skip_group(&ahead, 0, NULL) : 0;
    skip_group(reader, element && element <= count ? count + 1 - element : 0, found);
}

/* Reads one operand; its range, or that of one of its elements. */
static struct span locate_operand(struct token_reader *reader, unsigned element)
{
    struct span whole = current_token(reader), found = {0, 0};
    if (reader->kind == '[') { /* an address or a list */
        while (reader->kind == '[')
            skip_group(reader, element, &found);
    } else if (reader->kind == '(' || reader->kind == '{') {
        skip_group(reader, element, &found);
    } else {
        bool word = false, array = false;
        while (reader->kind == '+' || reader->kind == '-')
            next_token(reader);
        word = reader->kind == LEX_WORD;
        next_token(reader);
        for (; word && (reader->kind == '(' || reader->kind == '['); array = true) /* type(...), type[](...) */
            if (reader->kind == '[')
                skip_group(reader, 0, NULL);
            else if (array)
                skip_group(reader, element, &found);
            else
                skip_packed(reader, element, &found);
    }
    whole.end = reader->previous_end;
    return element && found.end ? found : whole;
}

/* What of an address is a name, register or offset. */
static struct span inside_address(const struct token_reader *before, struct span operand, unsigned part)
{
    struct token_reader reader = *before;
    while (current_token(&reader).begin < operand.end && !at_end(&reader)) {
        bool name = reader.kind == LEX_GLOBAL || reader.kind == LEX_LOCAL;
        if (part == BRIG_PART_SYMBOL     ? name
            : part == BRIG_PART_REGISTER ? reader.kind == LEX_REGISTER
                                         : reader.kind == LEX_INTEGER)
            return current_token(&reader);
        next_token(&reader);
    }
    return operand;
}

/* Finds an operand; the token in hand is the one before the first operand. */
static struct span find_operand(struct token_reader *reader, struct span head, struct diag_part part)
{
    next_token(reader);
    for (unsigned i = 0; !at_end(reader); i++) {
        struct token_reader before = *reader;
        struct span operand = locate_operand(reader, i == part.index ? part.element : 0);
        if (i == part.index)
            return part.kind == BRIG_PART_OPERAND ? operand : inside_address(&before, operand, part.kind);
        if (reader->kind == ',')
            next_token(reader);
    }
    return head;
}

static struct span find_in_instruction(struct token_reader *reader, const hsa_brig_base_t *entry, struct diag_part part)
{
    struct assembler as = {.lexer = reader->lexer};
    const struct lang_op *op = lang_op(((const hsa_brig_inst_base_t *)(const void *)entry)->opcode);
    asm_extend_word(&as);
    reader->lexer = as.lexer;
    struct span mnemonic = current_token(reader);
    if (part.kind == BRIG_PART_MODIFIER)
        return op ? asm_modifier_span(&as, mnemonic, op, part.index) : mnemonic;
    if (part.kind < BRIG_PART_OPERAND || part.kind > BRIG_PART_OFFSET)
        return mnemonic;
    if (op && op->operands[0] == 'o' && part.index < 2) /* a call names its target first */
        part.index = !part.index;
    return find_operand(reader, mnemonic, part);
}

/* The range from the token in hand to the end of the group after it. */
static struct span with_group(struct token_reader *reader)
{
    struct span span = current_token(reader);
    next_token(reader);
    if (reader->kind == '(') {
        skip_group(reader, 0, NULL);
        span.end = reader->previous_end;
    }
    return span;
}

static bool is_word(const struct token_reader *reader, const char *word)
{
    size_t length = (size_t)(reader->lexer.cursor - reader->lexer.token);
    return reader->kind == LEX_WORD && strlen(word) == length && !memcmp(reader->lexer.token, word, length);
}

/* What comes before the name of a variable. */
static struct span find_before_name(struct token_reader *reader, unsigned part)
{
    static const char *const words[] = {
        [BRIG_PART_ALIGN] = "align", [BRIG_PART_ALLOC] = "alloc", [BRIG_PART_CONST] = "const"};
    struct span type = current_token(reader);
    while (!at_end(reader) && reader->kind != LEX_GLOBAL && reader->kind != LEX_LOCAL && reader->kind != ',' &&
           reader->kind != ')' && reader->kind != '[') {
        if (part < sizeof words / sizeof *words && words[part] && is_word(reader, words[part]))
            return with_group(reader);
        type = current_token(reader);
        if (is_word(reader, "align") || is_word(reader, "alloc"))
            with_group(reader);
        else
            next_token(reader);
    }
    return type;
}

static struct span find_in_variable(struct token_reader *reader, struct diag_part part)
{
    struct token_reader start = *reader;
    struct span type = find_before_name(reader, BRIG_PART_TYPE);
    bool named = reader->kind == LEX_GLOBAL || reader->kind == LEX_LOCAL;
    struct span name = named ? current_token(reader) : type;
    switch (part.kind) {
    case BRIG_PART_TYPE: return type;
    case BRIG_PART_ALIGN:
    case BRIG_PART_ALLOC:
    case BRIG_PART_CONST: {
        struct span found = find_before_name(&start, part.kind);
        return found.begin == type.begin ? name : found;
    }
    case BRIG_PART_DIMENSION:
    case BRIG_PART_INITIALIZER: break;
    default: return name;
    }
    if (named)
        next_token(reader);
    struct span dimension = current_token(reader);
    bool array = reader->kind == '[';
    if (array) {
        skip_group(reader, 0, NULL);
        dimension.end = reader->previous_end;
    }
    if (part.kind == BRIG_PART_DIMENSION)
        return array ? dimension : name;
    if (reader->kind != '=')
        return name;
    next_token(reader);
    return locate_operand(reader, part.element);
}

/* The first token of KIND, or of OTHER; the first of all when there is none. */
static struct span find_token(struct token_reader *reader, int kind, int other)
{
    struct span first = current_token(reader);
    for (; !at_end(reader) && reader->kind != '{'; next_token(reader))
        if (reader->kind == kind || reader->kind == other)
            return current_token(reader);
    return first;
}

static struct span find_version(struct token_reader *reader)
{
    struct span version = find_token(reader, LEX_INTEGER, LEX_INTEGER);
    while (reader->kind == LEX_INTEGER || reader->kind == ':') {
        if (reader->kind == LEX_INTEGER)
            version.end = current_token(reader).end;
        next_token(reader);
    }
    return version;
}

struct span locate_part(const char *text, size_t size, uint32_t begin, const hsa_brig_base_t *entry,
                        struct diag_part part)
{
    struct token_reader reader = {.lexer = {text, text + begin, text + size, text + begin}};
    next_token(&reader);
    struct span head = current_token(&reader);
    if (brig_is_inst(entry))
        return find_in_instruction(&reader, entry, part);
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL:
    case HSA_BRIG_KIND_DIRECTIVE_LOC:
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA:
        return part.kind == BRIG_PART_OPERAND ? find_operand(&reader, head, part) : head;
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: return find_token(&reader, LEX_STRING, LEX_STRING);
    case HSA_BRIG_KIND_DIRECTIVE_MODULE:
        if (part.kind == BRIG_PART_VERSION)
            return find_version(&reader);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE: return find_in_variable(&reader, part);
    case HSA_BRIG_KIND_DIRECTIVE_LABEL:
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START:
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END: return head;
    default: break;
    }
    return find_token(&reader, LEX_GLOBAL, LEX_LOCAL);
}
