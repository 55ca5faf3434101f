/* SPDX-License-Identifier: MIT */
/* Sequences of shapes.def; see random_program.h. Input: random numbers. Output: text. Invariant: only registers 0 to 7
 * of each kind change. */
#include "testsuite/finalizer/random/random_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 26, LONGEST = 512 };

static const char *const shapes[] = {
#define SHAPE(text) text,
#include "testsuite/finalizer/random/shapes.def"
};

static void put_text(struct random_text *out, const char *text, size_t length)
{
    random_put(out, "%.*s", (int)length, text);
}

/* Copies TEXT to CHOSEN with one of the alternatives in each pair of braces. */
static void choose(struct random *r, const char *text, char chosen[LONGEST])
{
    struct random_text out = {chosen, LONGEST, 0};
    while (*text) {
        size_t plain = strcspn(text, "{");
        put_text(&out, text, plain);
        text += plain;
        if (!*text++)
            break;
        const char *end = strchr(text, '}');
        unsigned count = 1;
        for (const char *c = text; c < end; c++)
            count += *c == '|';
        for (unsigned skip = random_below(r, count); skip; skip--)
            text = strchr(text, '|') + 1;
        put_text(&out, text, strcspn(text, "|}"));
        text = end + 1;
    }
    chosen[out.used] = '\0';
}

/* Puts the number that TEXT, such as m24, stands for. */
static void put_number(struct random *r, struct random_text *out, const char *text)
{
    unsigned size = (unsigned)strtoul(text + 1, NULL, 10);
    uint64_t number = *text == 'k'   ? random_below(r, size)
                      : *text == 'n' ? random_bits(r, size)
                                     : ~UINT64_C(0) >> (63 - random_below(r, size));
    random_put(out, "%" PRIu64, number);
}

void random_shape(struct random *r, struct random_text *out)
{
    char chosen[LONGEST], *text = chosen;
    unsigned numbers[LETTERS];
    for (unsigned i = 0; i < LETTERS; i++)
        numbers[i] = random_below(r, 8);
    choose(r, shapes[random_below(r, sizeof shapes / sizeof *shapes)], chosen);
    while (*text) {
        size_t plain = strcspn(text, "$<;");
        put_text(out, text, plain);
        text += plain;
        if (*text == '<') {
            put_number(r, out, text + 1);
            text = strchr(text, '>') + 1;
        } else if (*text == '$' && text[2] >= 'A' && text[2] <= 'Z') {
            bool few = text[1] == 'c' || text[1] == 'q'; /* there are four of them */
            random_put(out, "$%c%u", text[1], few ? numbers[text[2] - 'A'] / 2 : numbers[text[2] - 'A']);
            text += 3;
        } else if (*text == ';') {
            random_put(out, ";\n");
            text += 1 + strspn(text + 1, " ");
        } else if (*text) {
            put_text(out, text++, 1);
        }
    }
}
