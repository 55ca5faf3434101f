/* SPDX-License-Identifier: MIT */
/* What a misspelt word may have been meant to be, from the tables and the names in scope.
 * Input: the word. Output: the end of a message. Invariant: hints cost the same whatever the text, since their number
 * is limited. */
#include "frontend/asm_p.h"

#include <stdio.h>
#include <string.h>

#define MOST_HINTS 200u
#define MOST_NAMES 4096u /* looked at for one hint */
#define MOST_WORD 32u    /* longer words are not compared */

struct word {
    const char *text;
    size_t length;
};

struct guess {
    unsigned distance; /* of the best so far, or of the worst that would do plus 1 */
    struct word best;
};

/* How many letters to insert, remove, replace or swap make one word the other; LIMIT when it is that or more. */
static unsigned distance(struct word a, struct word b, unsigned limit)
{
    unsigned rows[3][MOST_WORD + 1];
    size_t difference = a.length > b.length ? a.length - b.length : b.length - a.length;
    if (a.length > MOST_WORD || b.length > MOST_WORD || difference >= limit)
        return limit;
    for (unsigned j = 0; j <= b.length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a.length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b.length; j++) {
            unsigned best = above[j - 1] + (a.text[i - 1] != b.text[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] && a.text[i - 2] == b.text[j - 1] &&
                second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    unsigned result = rows[a.length % 3][b.length];
    return result < limit ? result : limit;
}

static struct guess guess_for(struct word word)
{
    return (struct guess){.distance = word.length < 2 ? 1 : word.length < 6 ? 2 : 3};
}

static bool consider(struct guess *guess, struct word word, struct word candidate)
{
    unsigned found = distance(word, candidate, guess->distance);
    bool begins = word.length >= 3 && candidate.length > word.length && !memcmp(word.text, candidate.text, word.length);
    if (begins && found > 1) /* the word is the candidate cut short */
        found = 1;
    if (found >= guess->distance)
        return false;
    *guess = (struct guess){found, candidate};
    return true;
}

static bool consider_text(struct guess *guess, struct word word, const char *candidate)
{
    return consider(guess, word, (struct word){candidate, strlen(candidate)});
}

/* "; did you mean "HEAD TAIL"?" without the blank. */
static const char *did_you_mean(struct assembler *as, struct word head, struct word tail)
{
    if (!head.text || head.length + tail.length > sizeof as->hint - 32)
        return "";
    snprintf(as->hint, sizeof as->hint, "; did you mean \"%.*s%.*s\"?", (int)head.length, head.text, (int)tail.length,
             tail.text ? tail.text : "");
    return as->hint;
}

static bool may_hint(struct assembler *as)
{
    return as->hints++ < MOST_HINTS;
}

static struct word word_of(const struct assembler *as, struct span span)
{
    return (struct word){asm_chars(as, span), asm_length(span)};
}

/* ---- Instructions ---------------------------------------------------------------------------------- */

/* WORD without its underscores, in BUFFER. */
static struct word without_underscores(struct word word, char *buffer)
{
    size_t length = 0;
    for (size_t i = 0; i < word.length && length < MOST_WORD; i++)
        if (word.text[i] != '_')
            buffer[length++] = word.text[i];
    return (struct word){buffer, length};
}

/* The type that WORD ends with, as in `addu32`; NULL when it does not. */
static const char *type_at_end(struct word word)
{
    for (uint32_t code = 1; code < HSA_BRIG_TYPE_CLASS_ARRAY; code++) {
        const struct lang_type *type = lang_type(code);
        size_t length = type ? strlen(type->text) : 0;
        if (length && length < word.length && !memcmp(word.text + word.length - length, type->text, length))
            return type->text;
    }
    return NULL;
}

static bool consider_opcodes(struct guess *guess, struct word word)
{
    bool better = false;
    for (uint32_t code = 0; lang_op(code); code++)
        better |= consider_text(guess, word, lang_op(code)->text);
    return better;
}

static bool consider_segments(struct guess *guess, struct word word)
{
    bool better = false;
    for (uint32_t code = 0; code < 16; code++) {
        const char *text = lang_value_text(LANG_SET_SEGMENT, code);
        if (text && *text)
            better |= consider_text(guess, word, text);
    }
    return better;
}

/* Considers the words that begin a statement; none of them has an underscore. */
static bool consider_statements(struct guess *guess, struct word word)
{
    static const char *const words[] = {
#define KEYWORD(token, text) text,
#include "frontend/keyword.def"
    };
    bool better = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        better |= consider_text(guess, word, words[i]);
    for (uint32_t code = 1; lang_value_text(LANG_SET_CONTROL_DIRECTIVE, code); code++)
        better |= consider_text(guess, word, lang_value_text(LANG_SET_CONTROL_DIRECTIVE, code));
    return better;
}

const char *asm_hint_statement(struct assembler *as, struct span span)
{
    char buffer[MOST_WORD];
    struct word word = word_of(as, span), tail = {0};
    if (!may_hint(as))
        return "";
    struct guess guess = guess_for(word);
    if (!memchr(word.text, '_', word.length))
        consider_statements(&guess, word);
    /* An opcode may be misspelt, have underscores too many, or its type without one. */
    for (size_t end = 1; end <= word.length; end++) {
        if (end < word.length && word.text[end] != '_')
            continue;
        struct word head = without_underscores((struct word){word.text, end}, buffer);
        struct guess here = guess_for(head);
        if (here.distance > guess.distance)
            here.distance = guess.distance;
        bool variable = as->in_body ? false : consider_segments(&here, head);
        if (consider_opcodes(&here, head) || variable) {
            guess = here;
            tail = (struct word){word.text + end, word.length - end};
        }
    }
    const char *type = type_at_end(word);
    struct word head = {word.text, word.length - (type ? strlen(type) : 0)};
    char typed[MOST_WORD];
    if (type && head.text[head.length - 1] != '_' && consider_opcodes(&guess, head)) {
        snprintf(typed, sizeof typed, "_%s", type);
        tail = (struct word){typed, strlen(typed)};
    }
    return did_you_mean(as, guess.best, tail);
}

const char *asm_hint_type(struct assembler *as, struct span span)
{
    struct word word = word_of(as, span);
    struct guess guess = guess_for(word);
    if (!may_hint(as))
        return "";
    for (uint32_t code = 1; code < HSA_BRIG_TYPE_CLASS_ARRAY; code++)
        if (lang_type(code) && *lang_type(code)->text)
            consider_text(&guess, word, lang_type(code)->text);
    return did_you_mean(as, guess.best, (struct word){0});
}

/* ---- Modifiers ------------------------------------------------------------------------------------- */

static void consider_dim(struct guess *guess, struct word word, unsigned dim)
{
    static const char *const vectors[] = {"v2", "v3", "v4"};
    const struct lang_dim_info *info = lang_dim((enum lang_dim)dim);
    if (info->spelling == LANG_SPELLING_VECTOR)
        for (unsigned i = 0; i < 3; i++)
            consider_text(guess, word, vectors[i]);
    else if (info->spelling != LANG_SPELLING_WORD || info->mask)
        consider_text(guess, word, info->text);
    else
        for (uint32_t code = 0; code < HSA_BRIG_TYPE_CLASS_ARRAY; code++) {
            const char *text = lang_value_text((enum lang_set)info->set, code);
            if (text && *text)
                consider_text(guess, word, text);
        }
}

void asm_list_modifiers(struct textbuf *text, const struct lang_op *op)
{
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    textbuf_puts(text, op->text);
    for (unsigned i = 0; i < count; i++) {
        const struct lang_dim_info *info = lang_dim((enum lang_dim)slots[i].dim);
        bool optional = slots[i].presence == LANG_OPTIONAL;
        bool argument = info->spelling == LANG_SPELLING_ARGUMENT || info->spelling == LANG_SPELLING_NUMBER;
        const char *open = optional ? "[" : "", *close = optional ? "]" : "";
        if (!optional && slots[i].presence != LANG_REQUIRED)
            continue;
        if (info->mask || argument)
            textbuf_printf(text, "%s_%s%s%s", open, info->text, argument ? "(n)" : "", close);
        else
            textbuf_printf(text, "%s_<%s>%s", open, info->text, close);
    }
}

/* "; it is written ..." */
const char *asm_hint_form(struct assembler *as, const struct lang_op *op)
{
    struct textbuf text = {0};
    asm_list_modifiers(&text, op);
    *as->hint = '\0';
    if (text.failed)
        asm_no_memory(as);
    else
        snprintf(as->hint, sizeof as->hint, "; it is written %s", text.data);
    textbuf_free(&text);
    return as->hint;
}

const char *asm_hint_modifier(struct assembler *as, const struct lang_op *op, struct span span)
{
    struct word word = word_of(as, span);
    char joined[2 * MOST_WORD];
    unsigned count;
    const struct lang_slot *slots = lang_slots((enum lang_form)op->form, &count);
    if (!may_hint(as))
        return "";
    int more = word.length < MOST_WORD ? (int)word.length : 0;
    int length = snprintf(joined, sizeof joined, "%s%.*s", op->text, more, word.text);
    if (more && length > 0 && lang_op_find(joined, (size_t)length))
        return did_you_mean(as, (struct word){joined, (size_t)length}, (struct word){0});
    struct guess guess = guess_for(word);
    for (unsigned i = 0; i < count; i++)
        if (slots[i].presence == LANG_REQUIRED || slots[i].presence == LANG_OPTIONAL)
            consider_dim(&guess, word, slots[i].dim);
    /* What is spelled right is in the wrong place. */
    return guess.best.text && guess.distance ? did_you_mean(as, guess.best, (struct word){0}) : asm_hint_form(as, op);
}

/* ---- Names ----------------------------------------------------------------------------------------- */

static bool is_register_name(struct word word)
{
    if (word.length < 2 || word.length > 6 || !memchr("csdq", word.text[0], 4))
        return false;
    for (size_t i = 1; i < word.length; i++)
        if (word.text[i] < '0' || word.text[i] > '9')
            return false;
    return true;
}

const char *asm_hint_name(struct assembler *as, const char *name, size_t length)
{
    struct word word = {name, length}, after = {name + 1, length - 1};
    const struct symbol_table *table = *word.text == '@' ? &as->labels : &as->symbols;
    if (!may_hint(as))
        return "";
    if (*word.text == '%' && is_register_name(after))
        return did_you_mean(as, (struct word){"$", 1}, after);
    struct guess guess = guess_for(after);
    size_t first = table->symbols.count > MOST_NAMES ? table->symbols.count - MOST_NAMES : 0;
    for (size_t i = table->symbols.count; i-- > first;) {
        const struct symbol *symbol = &table->symbols.items[i];
        if (table == &as->symbols || symbol->defined)
            consider(&guess, word, (struct word){symbol->name, symbol->length});
    }
    return did_you_mean(as, guess.best, (struct word){0});
}

const char *asm_hint_sigil(struct assembler *as, struct span span, int token)
{
    struct word word = word_of(as, span);
    if (as->kind != LEX_WORD || !may_hint(as))
        return "";
    switch (token) {
    case LEX_REGISTER: return is_register_name(word) ? did_you_mean(as, (struct word){"$", 1}, word) : "";
    case LEX_GLOBAL: return did_you_mean(as, (struct word){"&", 1}, word);
    case LEX_LABEL: return did_you_mean(as, (struct word){"@", 1}, word);
    default: return "";
    }
}
