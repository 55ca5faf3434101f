/* SPDX-License-Identifier: MIT */
/* Patterns of syntax.def: how many mnemonics they stand for, each of them, and whether a mnemonic is one of them.
 * Input: rows typed from the PRM. Output: mnemonics and verdicts. Invariant: braces do not nest. */
#include "testsuite/validate/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FULL = 1 << SYNTAX_FULL_LARGE | 1 << SYNTAX_FULL_SMALL,
    BASE = 1 << SYNTAX_BASE_LARGE | 1 << SYNTAX_BASE_SMALL,
    LARGE = 1 << SYNTAX_FULL_LARGE | 1 << SYNTAX_BASE_LARGE,
    SMALL = 1 << SYNTAX_FULL_SMALL | 1 << SYNTAX_BASE_SMALL,
    ANY = FULL | BASE
};

const struct syntax_row syntax_rows[] = {
#define SYNTAX(since, gate, mnemonics, operands) {mnemonics, operands, since, gate},
#include "testsuite/validate/syntax.def"
};
const size_t syntax_row_count = sizeof syntax_rows / sizeof *syntax_rows;

static uint64_t alternatives(const char *brace)
{
    uint64_t count = 1;
    for (; *brace != '}'; brace++)
        count += *brace == ',';
    return count;
}

uint64_t syntax_count(const char *pattern)
{
    uint64_t count = 1;
    for (; *pattern; pattern++)
        if (*pattern == '{')
            count *= alternatives(pattern);
    return count;
}

void syntax_expand(const char *pattern, uint64_t index, char *text, size_t size)
{
    size_t used = 0;
    uint64_t number = index * 37 % 256;
    while (*pattern && used + 4 < size) {
        if (*pattern == '{') {
            uint64_t count = alternatives(pattern), skip = index % count;
            index /= count;
            for (pattern++; skip; pattern++)
                skip -= *pattern == ',';
        } else if (*pattern == ',') {
            pattern = strchr(pattern, '}') + 1;
        } else if (*pattern == '}') {
            pattern++;
        } else if (*pattern == '#') {
            used += (size_t)snprintf(text + used, size - used, "%u", (unsigned)number);
            pattern++;
        } else {
            text[used++] = *pattern++;
        }
    }
    text[used] = '\0';
}

/* Whether the rest of PATTERN matches TEXT; a `,` or `}` ends an alternative. BEGINS: the pattern may go on after TEXT.
 */
static bool matches(const char *pattern, const char *text, bool begins)
{
    for (;;) {
        if (begins && !*text)
            return true;
        switch (*pattern) {
        case '\0': return !*text;
        case '{':
            for (const char *from = pattern; *from != '}'; from++)
                if ((*from == '{' || *from == ',') && matches(from + 1, text, begins))
                    return true;
            return false;
        case ',': pattern = strchr(pattern, '}') + 1; break;
        case '}': pattern++; break;
        case '#': {
            char *end;
            if (*text < '0' || *text > '9' || strtoul(text, &end, 10) > 255)
                return false;
            text = end;
            pattern++;
            break;
        }
        default:
            if (*pattern++ != *text++)
                return false;
        }
    }
}

bool syntax_matches(const char *pattern, const char *text)
{
    return matches(pattern, text, false);
}

bool syntax_begins(const char *pattern, const char *text)
{
    return matches(pattern, text, true);
}

bool syntax_is_of(const char *pattern, const char *opcode, unsigned *opcodes)
{
    size_t length = strlen(opcode);
    bool brace = *pattern == '{', found = false;
    *opcodes = 1;
    if (!brace)
        return !strncmp(pattern, opcode, length) && (!pattern[length] || strchr("_{", pattern[length]));
    for (const char *at = pattern; *at != '}'; at += 1 + strcspn(at + 1, ",}")) {
        found |= !strncmp(at + 1, opcode, length) && strchr(",}", at[1 + length]);
        *opcodes += *at == ',';
    }
    return found;
}

bool syntax_has(const struct syntax_row *row, unsigned minor)
{
    return row->since == ONLY_1_0 ? minor == 0 : row->since <= minor;
}

const struct syntax_row *syntax_find(const char *mnemonic, enum syntax_world world, unsigned minor)
{
    for (size_t i = 0; i < syntax_row_count; i++)
        if ((syntax_rows[i].gate >> world & 1) && syntax_has(&syntax_rows[i], minor) &&
            syntax_matches(syntax_rows[i].mnemonics, mnemonic))
            return &syntax_rows[i];
    return NULL;
}
