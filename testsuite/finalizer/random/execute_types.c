/* SPDX-License-Identifier: MIT */
/* Which opcodes have been executed with which types; see execute_types.h.
 * Input: mnemonics, which are legal. Output: verdicts about combinations of opcode, operation and types; modifiers do
 * not count. */
#include "testsuite/finalizer/random/execute_types.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 13, KEY = 64, ATTEMPTS = 256 };

/* A table with open addressing. */
static struct combination {
    char key[KEY];
    unsigned attempts;
    bool tried, right;
} combinations[SLOTS];

static const struct {
    const char *opcode, *test;
} elsewhere[] = {
#define OPCODE_BY(opcode, test) {#opcode, test},
#include "testsuite/finalizer/random/rows.def"
};

static bool is_type(const char *word)
{
    static const char *const opaque[] = {"roimg", "woimg", "rwimg", "samp", "sig32", "sig64"};
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++)
        if (!strcmp(word, opaque[i]))
            return true;
    if (!strchr("busf", *word) || !word[1])
        return false;
    word++;
    word += strspn(word, "0123456789");
    word += *word == 'x' ? 1 + strspn(word + 1, "0123456789") : 0;
    return !*word;
}

/* The opcode, the operation of atomic instructions and signals, and the types. */
static struct combination *find(const char *mnemonic)
{
    char text[256], key[KEY] = "", *rest = text, *word;
    uint32_t hash = 2166136261u;
    snprintf(text, sizeof text, "%s", mnemonic);
    bool has_operation = !strncmp(text, "atomic", 6) || !strncmp(text, "signal", 6);
    for (unsigned i = 0; (word = strsep(&rest, "_")); i++)
        if (i == 0 || (i == 1 && has_operation) || is_type(word))
            snprintf(key + strlen(key), sizeof key - strlen(key), "%s%s", i ? "_" : "", word);
    for (const char *c = key; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619u;
    for (;; hash++) {
        struct combination *c = &combinations[hash % SLOTS];
        if (!*c->key)
            memcpy(c->key, key, sizeof key);
        if (!strcmp(c->key, key))
            return c;
    }
}

bool types_are_new(const char *mnemonic)
{
    struct combination *c = find(mnemonic);
    return !c->tried && c->attempts++ < ATTEMPTS;
}

void types_try(const char *mnemonic)
{
    find(mnemonic)->tried = true;
}

void types_right(const char *mnemonic)
{
    find(mnemonic)->right = true;
}

static bool is_elsewhere(const char *key)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        size_t length = strlen(elsewhere[i].opcode);
        if (!strncmp(elsewhere[i].opcode, key, length) && (!key[length] || key[length] == '_'))
            return true;
    }
    return false;
}

unsigned types_missing(unsigned *count, unsigned *others)
{
    unsigned missing = 0;
    *count = *others = 0;
    for (unsigned i = 0; i < SLOTS; i++) {
        const struct combination *c = &combinations[i];
        if (!*c->key)
            continue;
        if (c->right)
            ++*count;
        else if (is_elsewhere(c->key))
            ++*others;
        else {
            printf("# not executed: %s\n", c->key);
            missing++;
        }
    }
    return missing;
}
