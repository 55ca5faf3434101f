/* SPDX-License-Identifier: MIT */
/* What a word means at the head of a statement: a keyword, a control directive, a variable's segment and type, or an
 * instruction with its modifiers (PRM 4.16, 19.2).
 * Input: the text of a word. Output: a parser token and the decoded meaning. Invariant: a mnemonic is read by one
 * walk over the slots of its form; words read once are remembered, so a module of a million lines walks a few
 * hundred times. */
#include "frontend/asm_p.h"
#include "frontend/parser.h"
#include "support/hash.h"

#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Text that is being taken apart. */
struct run {
    struct assembler *as;
    const char *at, *end;
};

static struct span run_span(const struct run *run, const char *from, const char *to)
{
    return (struct span){(uint32_t)(from - run->as->lexer.text), (uint32_t)(to - run->as->lexer.text)};
}

/* The end of the part that begins after the underscore at FROM. */
static const char *part_end(const struct run *run, const char *from)
{
    while (from < run->end && *from != '_' && *from != '(' && !is_blank(*from))
        from++;
    return from;
}

/* The longest word at the run's underscore that means something in SET; moves past it. */
static bool take_word(struct run *run, enum lang_set set, uint32_t *code)
{
    if (run->at == run->end || *run->at != '_')
        return false;
    const char *begin = run->at + 1, *best = NULL, *end = part_end(run, begin);
    for (;; end = part_end(run, end + 1)) {
        const struct lang_word *word = lang_word(begin, (size_t)(end - begin));
        if (lang_word_means(word, set, code))
            best = end;
        if (!word || !word->longer || end == run->end || *end != '_')
            break;
    }
    if (!best)
        return false;
    if (best != end) { /* a longer try may have overwritten the code */
        lang_word_means(lang_word(begin, (size_t)(best - begin)), set, code);
    }
    run->at = best;
    return true;
}

/* What stands in the parentheses at the run, or an empty span after an error. */
static struct span take_argument(struct run *run)
{
    while (run->at < run->end && is_blank(*run->at))
        run->at++;
    const char *begin = run->at;
    if (begin < run->end && *begin == '(') {
        const char *end = memchr(begin, ')', (size_t)(run->end - begin));
        if (end) {
            run->at = end + 1;
            for (begin++; begin < end && is_blank(*begin);)
                begin++;
            while (end > begin && is_blank(end[-1]))
                end--;
            if (begin < end)
                return run_span(run, begin, end);
        }
    }
    return (struct span){0, 0};
}

/* The value of an argument: a word, or a number in any base, which the table spells in decimal. -1 for others. */
static int argument_value(struct assembler *as, enum lang_set set, struct span argument)
{
    uint32_t code;
    const char *text = asm_chars(as, argument);
    uint64_t number = 0;
    char decimal[24];
    struct lexer lexer = {as->lexer.text, text, text + asm_length(argument), text};
    if (lang_word_means(lang_word(text, asm_length(argument)), set, &code))
        return (int)code;
    for (uint32_t i = 0; i < asm_length(argument); i++)
        if (!is_word_char(text[i]))
            return -1;
    lexer.limit = as->lexer.limit;
    if (lex_next(&lexer) != LEX_INTEGER || lexer.cursor != text + asm_length(argument) ||
        !asm_integer(as, argument, &number))
        return -1;
    int length = snprintf(decimal, sizeof decimal, "%llu", (unsigned long long)number);
    if (set == LANG_SET_NONE)
        return number <= UINT8_MAX ? (int)number : -1;
    return lang_word_means(lang_word(decimal, (size_t)length), set, &code) ? (int)code : -1;
}

enum taken { TAKEN_NOTHING, TAKEN_VALUE, TAKEN_ERROR };

/* Takes the modifier of one slot if it is there. */
static enum taken take_modifier(struct run *run, unsigned dim, uint16_t *value)
{
    const struct lang_dim_info *info = lang_dim((enum lang_dim)dim);
    const char *before = run->at;
    uint32_t code;
    switch ((enum lang_spelling)info->spelling) {
    case LANG_SPELLING_WORD:
        if (!take_word(run, (enum lang_set)info->set, &code))
            return TAKEN_NOTHING;
        if (info->mask && code != info->mask) {
            run->at = before;
            return TAKEN_NOTHING;
        }
        *value = info->mask ? 1 : (uint16_t)code;
        return TAKEN_VALUE;
    case LANG_SPELLING_VECTOR:
        if (!take_word(run, LANG_SET_VECTOR, &code))
            return TAKEN_NOTHING;
        *value = (uint16_t)code;
        return TAKEN_VALUE;
    case LANG_SPELLING_ARGUMENT:
    case LANG_SPELLING_NUMBER: break;
    }
    if (!take_word(run, LANG_SET_MODIFIER, &code))
        return TAKEN_NOTHING;
    if (code != dim) {
        run->at = before;
        return TAKEN_NOTHING;
    }
    struct span argument = take_argument(run);
    int number = asm_length(argument) ? argument_value(run->as, (enum lang_set)info->set, argument) : -1;
    if (number < 0) {
        asm_error(run->as, DIAG_MODIFIER_ARGUMENT, run_span(run, before, run->at), info->text);
        return TAKEN_ERROR;
    }
    *value = (uint16_t)number;
    return TAKEN_VALUE;
}

/* Words of drafts before 1.0 and what replaced them. */
struct stale {
    const char *old, *now;
};

static const struct stale stale_words[] = {
#define STALE(old, now) {old, now},
#include "frontend/stale.def"
};

static const struct stale stale_modifiers[] = {
#define STALE_MODIFIER(old, now) {old, now},
#include "frontend/stale.def"
};

/* Reports what stands where no modifier of the form fits. */
static void bad_modifier(struct run *run, const struct lang_op *op)
{
    const char *begin = run->at < run->end && *run->at == '_' ? run->at + 1 : run->at;
    const char *end = part_end(run, begin);
    struct span span = run_span(run, begin, end);
    for (size_t i = 0; i < sizeof stale_modifiers / sizeof *stale_modifiers; i++)
        if (strlen(stale_modifiers[i].old) == (size_t)(end - begin) &&
            !memcmp(stale_modifiers[i].old, begin, (size_t)(end - begin))) {
            asm_error(run->as, DIAG_STALE_NAME, span, asm_quote(run->as, span), stale_modifiers[i].now);
            return;
        }
    asm_error(run->as, DIAG_MODIFIER, span, asm_quote(run->as, span), op->text, asm_hint_modifier(run->as, op, span));
}

static bool parse_modifiers(struct run *run, struct lang_inst *inst)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)inst->op->form, &count);
    for (unsigned i = 0; i < count; i++) {
        if (slots[i].presence != LANG_REQUIRED && slots[i].presence != LANG_OPTIONAL)
            continue;
        switch (take_modifier(run, slots[i].dim, &inst->value[slots[i].dim])) {
        case TAKEN_VALUE: continue;
        case TAKEN_ERROR: return false;
        case TAKEN_NOTHING: break;
        }
        if (slots[i].presence == LANG_OPTIONAL)
            continue;
        if (run->at == run->end)
            asm_error(run->as, DIAG_MODIFIER_MISSING, run_span(run, run->end - 1, run->end), inst->op->text,
                      lang_dim((enum lang_dim)slots[i].dim)->text, asm_hint_form(run->as, inst->op));
        else
            bad_modifier(run, inst->op);
        return false;
    }
    if (run->at != run->end) {
        bad_modifier(run, inst->op);
        return false;
    }
    return true;
}

void asm_unknown_statement(struct assembler *as, struct span span)
{
    const char *text = asm_chars(as, span);
    for (size_t i = 0; i < sizeof stale_words / sizeof *stale_words; i++) {
        size_t length = strlen(stale_words[i].old);
        if (asm_length(span) >= length && !memcmp(text, stale_words[i].old, length) &&
            (asm_length(span) == length || !is_word_char(text[length]) || text[length] == '_')) {
            asm_error(as, DIAG_STALE_NAME, span, asm_quote(as, span), stale_words[i].now);
            return;
        }
    }
    const char *cut = memchr(text, '_', asm_length(span));
    uint32_t code;
    if (cut && lang_word_means(lang_word(text, (size_t)(cut - text)), LANG_SET_SEGMENT, &code)) {
        struct span type = {span.begin + (uint32_t)(cut + 1 - text), span.end};
        asm_error(as, DIAG_TYPE_UNKNOWN, type, asm_quote(as, type), asm_hint_type(as, type));
        return;
    }
    if (memchr(text, ':', asm_length(span)))
        asm_error(as, DIAG_VENDOR_INSTRUCTION, span, asm_quote(as, span));
    else
        asm_error(as, DIAG_INSTRUCTION_UNKNOWN, span, asm_quote(as, span), asm_hint_statement(as, span));
}

int asm_keyword(const char *text, size_t length)
{
    static const struct {
        int token;
        unsigned length;
        const char *text;
    } keywords[] = {
#define KEYWORD(token, text) {TOKEN_##token, sizeof text - 1, text},
#include "frontend/keyword.def"
    };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (keywords[i].length == length && !memcmp(keywords[i].text, text, length))
            return keywords[i].token;
    return 0;
}

/* `global_u32` and the like. */
static bool variable_type(const char *text, size_t length, struct asm_variable_type *type)
{
    const char *cut = memchr(text, '_', length);
    uint32_t segment, code;
    if (!cut || !lang_word_means(lang_word(text, (size_t)(cut - text)), LANG_SET_SEGMENT, &segment) ||
        !lang_word_means(lang_word(cut + 1, length - (size_t)(cut + 1 - text)), LANG_SET_TYPE, &code))
        return false;
    *type = (struct asm_variable_type){(uint8_t)segment, (uint16_t)code};
    return true;
}

/* BRIG keeps the packing of a conversion in its types alone, so here the text must say the same. */
static bool packing_agrees(struct assembler *as, struct span span, const struct lang_inst *inst)
{
    unsigned pack = inst->value[LANG_DIM_PACK];
    if (inst->op->form != LANG_FORM_CVT)
        return true;
    bool packed = lang_type_is_packed(inst->value[LANG_DIM_TYPE]);
    if (packed ? (pack == HSA_BRIG_PACK_PP || pack == HSA_BRIG_PACK_PPSAT) && !inst->value[LANG_DIM_SAT]
               : pack == HSA_BRIG_PACK_NONE)
        return true;
    asm_error(as, DIAG_CVT_PACKING, span);
    return false;
}

/* Fills in what all instructions with this mnemonic have in common, by making one in a builder that is thrown away. */
static bool make_mnemonic(const struct lang_inst *inst, uint32_t brig_minor, struct asm_mnemonic *mnemonic)
{
    struct brig_builder scratch;
    bool good = brig_builder_init(&scratch, brig_minor) == BRIG_OK;
    *mnemonic = (struct asm_mnemonic){
        .op = inst->op,
        .feature = lang_needs_1_2(inst),
        .kind = inst->kind,
        .segment = inst->value[LANG_DIM_SEGMENT],
        .count = (uint8_t)lang_operand_count(inst),
        .vector = (uint8_t)inst->value[LANG_DIM_VECTOR],
        .vector_index = (uint8_t)lang_vector_index(inst->op),
    };
    for (unsigned i = 0; i < mnemonic->count; i++) {
        mnemonic->letter[i] = lang_operand_letter(inst, i);
        mnemonic->type[i] = lang_operand_type(inst, i);
    }
    uint32_t offset = lang_reserve(&scratch, inst);
    lang_store(&scratch, offset, inst);
    good = good && scratch.status == BRIG_OK;
    if (good) {
        const uint8_t *entry = brig_edit(&scratch, HSA_BRIG_SECTION_INDEX_CODE, offset);
        mnemonic->size = load16(entry);
        memcpy(mnemonic->tail, entry + 4, mnemonic->size - 4u);
    }
    brig_builder_free(&scratch);
    return good;
}

/* The opcode at the beginning of the run; moves past it, or past the first part when there is none. Opcodes of
 * vendors have several parts, and one may begin like another. */
static const struct lang_op *take_opcode(struct run *run)
{
    enum { MOST_PARTS = 4 };
    const char *begin = run->at, *first = part_end(run, begin), *end = first;
    const struct lang_op *op = lang_op_find(begin, (size_t)(first - begin));
    run->at = first;
    for (unsigned part = 1; part < MOST_PARTS && end < run->end && *end == '_' && (!op || op->extension); part++) {
        end = part_end(run, end + 1);
        const struct lang_op *longer = lang_op_find(begin, (size_t)(end - begin));
        if (longer) {
            op = longer;
            run->at = end;
        }
    }
    return op;
}

/* Finds out what a word means; false after an error, which was reported. */
static bool decode_word(struct assembler *as, struct span span, struct asm_word *word)
{
    const char *text = asm_chars(as, span);
    size_t length = asm_length(span);
    uint32_t code;
    if ((word->token = asm_keyword(text, length)))
        return true;
    if (variable_type(text, length, &word->variable)) {
        word->token = TOKEN_VARIABLE;
        return true;
    }
    if (lang_word_means(lang_word(text, length), LANG_SET_CONTROL_DIRECTIVE, &code)) {
        word->token = TOKEN_CONTROL;
        word->control = code;
        return true;
    }
    struct run run = {as, text, text + length};
    const struct lang_op *op = take_opcode(&run);
    if (!op && !memchr(text, '_', length) && !memchr(text, ':', length)) {
        word->token = TOKEN_OTHER;
        return true;
    }
    word->token = TOKEN_MNEMONIC;
    if (!op) {
        asm_unknown_statement(as, span);
        return false;
    }
    struct lang_inst inst;
    lang_begin(&inst, op);
    if (!parse_modifiers(&run, &inst))
        return false;
    lang_complete(&inst, as->out.brig_minor);
    if (!packing_agrees(as, span, &inst))
        return false;
    if (make_mnemonic(&inst, as->out.brig_minor, &word->mnemonic))
        return true;
    asm_no_memory(as);
    return false;
}

/* The memory of words, in the order in which they were met. */
static const struct asm_word *remember_word(struct assembler *as, uint32_t hash, const struct asm_word *word)
{
    if (vec_push(&as->words, *word) && hash_table_add(&as->word_numbers, hash, (uint32_t)as->words.count))
        return &as->words.items[as->words.count - 1];
    asm_no_memory(as);
    return NULL;
}

const struct asm_word *asm_word(struct assembler *as, struct span span)
{
    const char *text = asm_chars(as, span);
    uint32_t length = (uint32_t)asm_length(span);
    uint32_t hash = (uint32_t)hash_bytes(as->symbols.seed, text, length);
    for (uint32_t at = hash, number; (number = hash_table_next(&as->word_numbers, hash, &at));) {
        const struct asm_word *word = &as->words.items[number - 1];
        if (word->length == length && !memcmp(word->text, text, length))
            return word;
    }
    struct asm_word word = {.text = text, .length = length};
    if (decode_word(as, span, &word))
        return remember_word(as, hash, &word);
    static const struct asm_word bad_word = {.token = TOKEN_MNEMONIC};
    return &bad_word;
}

struct span asm_modifier_span(struct assembler *as, struct span mnemonic, const struct lang_op *op, unsigned dim)
{
    const char *text = asm_chars(as, mnemonic);
    struct run run = {as, text, text + asm_length(mnemonic)};
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    run.at = part_end(&run, text);
    for (unsigned i = 0; i < count; i++) {
        const char *before = run.at;
        uint16_t value;
        if ((slots[i].presence == LANG_REQUIRED || slots[i].presence == LANG_OPTIONAL) &&
            take_modifier(&run, slots[i].dim, &value) == TAKEN_VALUE && slots[i].dim == dim)
            return run_span(&run, before + 1, run.at);
    }
    return mnemonic;
}

bool asm_word_is_instruction(const struct asm_word *word)
{
    return word->token == TOKEN_MNEMONIC;
}

bool asm_word_is_good(const struct asm_word *word)
{
    return word->token != TOKEN_MNEMONIC || word->mnemonic.op;
}

/* `align`, `equiv` and `width` go on in parentheses; then more modifiers may follow. */
void asm_extend_word(struct assembler *as)
{
    for (;;) {
        const char *at = as->lexer.cursor, *limit = as->lexer.limit;
        while (at < limit && is_blank(*at))
            at++;
        if (at == limit || *at != '(')
            return;
        const char *part = as->lexer.cursor;
        while (part > as->lexer.token && part[-1] != '_')
            part--;
        uint32_t code;
        if (part == as->lexer.token ||
            !lang_word_means(lang_word(part, (size_t)(as->lexer.cursor - part)), LANG_SET_MODIFIER, &code))
            return;
        while (at < limit && *at != ')' && *at != ';' && *at != '\n')
            at++;
        if (at == limit || *at != ')')
            return;
        for (at++; at < limit && is_word_char(*at);)
            at++;
        as->lexer.cursor = at;
    }
}
