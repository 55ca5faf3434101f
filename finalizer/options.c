/* SPDX-License-Identifier: MIT */
/* Options of the finalizer: words separated by blanks.
 * Input: the options string of hsa_ext_program_finalize. Output: struct finalize_options. */
#include "finalizer/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies the file name that follows "-dump-ir=" or a similar OPTION; false when WORD is another option, or the name is
 * too long. */
static bool take_file(const char *word, size_t length, const char *option, char file[256])
{
    size_t skip = strlen(option);
    if (length <= skip || length - skip >= 256 || strncmp(word, option, skip))
        return false;
    snprintf(file, 256, "%.*s", (int)(length - skip), word + skip);
    return true;
}

static bool is_word(const char *word, size_t length, const char *option)
{
    return strlen(option) == length && !memcmp(word, option, length);
}

/* Whether the word is the option followed by one digit. */
static bool is_numbered(const char *word, size_t length, const char *option)
{
    return length && is_word(word, length - 1, option) && word[length - 1] >= '0' && word[length - 1] <= '9';
}

/* Whether the word is "-pieces=" and a number of up to nine digits, which becomes *PIECE. */
static bool take_piece(const char *word, size_t length, uint32_t *piece)
{
    static const char option[] = "-pieces=";
    size_t skip = sizeof option - 1;
    if (length <= skip || length > skip + 9 || strncmp(word, option, skip) ||
        strspn(word + skip, "0123456789") < length - skip)
        return false;
    *piece = (uint32_t)strtoul(word + skip, NULL, 10);
    return true;
}

static bool take_option(const char *word, size_t length, struct finalize_options *o)
{
    if (is_word(word, length, "-O0"))
        o->optimize = false;
    else if (is_word(word, length, "-O1") || is_word(word, length, "-O2") || is_word(word, length, "-O3"))
        o->optimize = true;
    else if (is_word(word, length, "-g"))
        o->lines = o->variables = true;
    else if (is_word(word, length, "-gline-tables-only"))
        o->lines = true;
    else if (is_word(word, length, "-check-init"))
        o->unwritten = true;
    else if (is_word(word, length, "-check-align"))
        o->promises = true;
    else if (is_word(word, length, "-mwavefrontsize64"))
        o->wave = 64;
    else if (is_word(word, length, "-mno-wavefrontsize64"))
        o->wave = 32;
    else if (is_numbered(word, length, "-mcode-object-version="))
        o->code_object = (uint32_t)(word[length - 1] - '0');
    else if (is_numbered(word, length, "-shares=") && word[length - 1] < '9')
        o->shares = (uint32_t)(word[length - 1] - '0');
    else if (take_piece(word, length, &o->piece))
        return true;
    else
        return take_file(word, length, "-dump-ir=", o->dump_ir) || take_file(word, length, "-dump-isa=", o->dump_isa) ||
               take_file(word, length, "-dump-code=", o->dump_code);
    return true;
}

bool options_parse(const char *text, struct finalize_options *options, struct failure *failure)
{
    memset(options, 0, sizeof *options);
    options->optimize = true;
    while (text && *text) {
        text += strspn(text, " \t\n");
        size_t length = strcspn(text, " \t\n");
        if (length && !take_option(text, length, options))
            return failure_record(failure, OPTION_UNKNOWN, (int)(length < 63 ? length : 63), text);
        text += length;
    }
    return true;
}

bool options_apply(const struct finalize_options *options, struct target *target, struct failure *failure)
{
    if (!target_set_wave(target, options->wave))
        return failure_record(failure, TARGET_WAVE, target->cpu, (unsigned)options->wave);
    if (!target_set_code_object(target, options->code_object))
        return failure_record(failure, TARGET_CODE_OBJECT, target->cpu, (unsigned)options->code_object);
    return true;
}
