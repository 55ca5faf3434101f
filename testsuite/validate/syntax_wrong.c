/* SPDX-License-Identifier: MIT */
/* Statements that differ from a legal one in one step: an operand is replaced, missing or added; a word of the mnemonic
 * is missing, repeated or in a wrong place. Input: a row, one of its mnemonics, and a number. Output: text, and the
 * findings of which it must get one. Invariant: nothing else is wrong. */
#include "testsuite/validate/syntax.h"

#include <stdio.h>
#include <string.h>

/* What replaces an operand with one of these letters, and the findings of which that must get one. */
static const struct {
    const char *letters, *text, *ids;
} replacements[] = {
    {"drD", "1", "syntax constant-type"},
    {"drD", "WAVESIZE", "syntax operand-wavesize"},
    {"drDsSCm", "$c9", "operand-register"},
    {"drDsSCm", "$s9", "operand-register"},
    {"drDsSCm", "$d9", "operand-register"},
    {"drDsSCm", "$q9", "operand-register"},
    {"drDsSnCm", "[16]", "syntax"},
    {"drDsSnCm", "@l", "syntax"},
    {"drDsSnCm", "&g", "syntax"},
    {"drDsSnCm", "u32[](1)", "syntax constant-use constant-type"},
    {"drDsSnCm", "roimg(geometry = 1d, width = 1, channel_type = float, channel_order = r)",
     "syntax constant-use constant-type"},
    {"n", "$s1", "syntax"},
    {"n", "WAVESIZE", "operand-wavesize"},
    {"a", "$s1", "syntax"},
    {"a", "[$c9]", "address-register"},
    {"a", "[$s9]", "address-register"},
    {"a", "[$d9]", "address-register"},
    {"a", "[$q9]", "address-register"},
    {"a", "[&fb]", "address-symbol name-kind"},
    {"a", "[@l]", "syntax"},
    {"a", "[WAVESIZE]", "syntax"},
    {"a", "[&nowhere]", "name-unknown"},
    {"l", "$s1", "syntax"},
    {"l", "&k", "syntax"},
    {"l", "@nowhere", "label-undefined"},
    {"L", "[]", "syntax"},
    {"L", "[@l, &k]", "syntax"},
    {"L", "@l", "syntax"},
    {"f", "$c9", "operand-register"},
    {"f", "$d9", "operand-register"},
    {"f", "$q9", "operand-register"},
    {"F", "$s9", "syntax"},
    {"fF", "1", "syntax"},
    {"fF", "&g", "name-kind"},
    {"fF", "@l", "syntax"},
};

/* Splits the operands of a statement. The parts point into TEXT, which gets NULs. There is no comma before LABELS. */
static unsigned split(char *text, char *part[8], bool labels)
{
    unsigned count = 0, depth = 0;
    char *at = strchr(text, ' ');
    char *end = strrchr(text, ';');
    if (end)
        *end = '\0';
    if (!at)
        return 0;
    *at++ = '\0';
    part[count++] = at;
    if (labels && (at = strchr(at, '[')) != NULL) {
        at[-1] = '\0';
        part[count++] = at;
        return count;
    }
    for (; *at; at++) {
        depth += *at == '(' || *at == '[';
        depth -= *at == ')' || *at == ']';
        if (*at == ',' && !depth && count < 8) {
            *at = '\0';
            part[count++] = at + 1;
        }
    }
    return count;
}

/* The kind of the register that an operand names; NUL if it names none. */
static char register_kind(const char *operand)
{
    const char *dollar = strchr(operand, '$');
    return dollar ? dollar[1] : '\0';
}

/* The letter of operand INDEX. */
static char letter_of(const struct syntax_row *row, unsigned index)
{
    const char *at = row->operands;
    while (index-- && (at = strchr(at, ' ')))
        at++;
    return at ? *at : '\0';
}

static void join(const char *mnemonic, char *const *part, unsigned count, bool labels, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", mnemonic);
    for (unsigned i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i && !(labels && i == 1) ? ", " : " ", part[i]);
    if (used < size)
        snprintf(text + used, size - used, ";\n");
}

bool syntax_wrong_operand(const struct syntax_row *row, const char *mnemonic, enum syntax_world world, unsigned number,
                          char *text, size_t size, const char **ids)
{
    const unsigned ways = sizeof replacements / sizeof *replacements;
    char copy[512], *part[8];
    syntax_statement(row, mnemonic, world, 0, copy, sizeof copy);
    if (*copy == '{') /* the operands of calls have another order */
        return false;
    bool labels = strchr(row->operands, 'L') != NULL;
    unsigned count = split(copy, part, labels), index = number / ways, way = number % ways;
    *ids = "operand-count";
    if (index >= count) {
        if (index > count || way > 1 || (way == 0 && !count))
            return false;
        part[count] = (char *)"$s1";
        join(mnemonic, part, way ? count + 1 : count - 1, labels, text, size);
        return true;
    }
    *text = '\0';
    if (!strchr(replacements[way].letters, letter_of(row, index)) || *part[index] == '(' || part[index][1] == '(' ||
        (register_kind(part[index]) && register_kind(part[index]) == register_kind(replacements[way].text)))
        return true;
    part[index] = (char *)replacements[way].text;
    *ids = replacements[way].ids;
    join(mnemonic, part, count, labels, text, size);
    return true;
}

bool syntax_wrong_mnemonic(const char *mnemonic, unsigned number, char *text, size_t size)
{
    const char *begin = mnemonic + strcspn(mnemonic, "_"), *end, *next;
    for (unsigned skip = number / 4; *begin && skip; skip--)
        begin += 1 + strcspn(begin + 1, "_");
    if (!*begin)
        return false;
    end = begin + 1 + strcspn(begin + 1, "_");
    next = end + (*end ? 1 + strcspn(end + 1, "_") : 0);
    int before = (int)(begin - mnemonic), length = (int)(end - begin), following = (int)(next - end);
    switch (number % 4) {
    case 0: snprintf(text, size, "%.*s%s", before, mnemonic, end); break;
    case 1: snprintf(text, size, "%.*s%.*s%s", before, mnemonic, length, begin, begin); break;
    case 2: snprintf(text, size, "%.*s%.*s%.*s%s", before, mnemonic, following, end, length, begin, next); break;
    default: snprintf(text, size, "%.*s_b2%s", before, mnemonic, begin); break;
    }
    return true;
}
