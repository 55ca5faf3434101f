/* SPDX-License-Identifier: MIT */
/* Makes a wrong program small; see random.h. Input: a text and its verdict. Output: fewer lines with the same verdict.
 * Invariant: the text is always one that was judged. */
#include "testsuite/finalizer/random/random.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4000, MOST_TRIALS = 1500 };

struct lines {
    char *line[MOST_LINES];
    bool out[MOST_LINES];
    unsigned count;
};

static void join(const struct lines *lines, char *text)
{
    char *end = text;
    for (unsigned i = 0; i < lines->count; i++)
        if (!lines->out[i])
            end = stpcpy(stpcpy(end, lines->line[i]), "\n");
    *end = '\0';
}

static bool still(const struct lines *lines, char *text, uint64_t seed, enum verdict verdict)
{
    struct judgement j;
    join(lines, text);
    judge(text, 1, seed, &j);
    return j.verdict == verdict;
}

/* Removes each sequence of SIZE lines that is not needed; returns whether there was one. */
static bool pass(struct lines *lines, unsigned size, char *text, uint64_t seed, enum verdict verdict, unsigned *trials)
{
    bool smaller = false;
    for (unsigned end = lines->count; end; end -= end < size ? end : size) {
        unsigned begin = end < size ? 0 : end - size, gone = 0;
        bool before[MOST_LINES];
        memcpy(before, lines->out, sizeof before);
        for (unsigned i = begin; i < end; i++) {
            gone += !lines->out[i];
            lines->out[i] = true;
        }
        if (!gone)
            continue;
        if ((*trials)++ < MOST_TRIALS && still(lines, text, seed, verdict))
            smaller = true;
        else
            memcpy(lines->out, before, sizeof before);
    }
    return smaller;
}

void reduce(char *text, uint64_t seed, enum verdict verdict)
{
    static struct lines lines;
    char *copy = strdup(text), *rest = copy;
    unsigned trials = 0;
    lines.count = 0;
    memset(lines.out, 0, sizeof lines.out);
    for (char *line; copy && (line = strsep(&rest, "\n")) && lines.count < MOST_LINES;)
        if (*line)
            lines.line[lines.count++] = line;
    for (unsigned size = 32; size; size /= 2)
        while (pass(&lines, size, text, seed, verdict, &trials) && size == 1)
            ;
    join(&lines, text);
    free(copy);
}
