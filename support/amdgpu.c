/* SPDX-License-Identifier: MIT */
/* Look-up of AMD's processors, and the parser of target ids.
 * Input: names and numbers, from anywhere. Output: rows of amdgpu.def. Invariant: no byte after the given length is
 * read, and nothing but rows of the table is ever returned. See amdgpu.h. */
#include "support/amdgpu.h"

#include <stdio.h>
#include <string.h>

static const struct amdgpu_generation generations[AMDGPU_GENERATION_COUNT] = {
#define AMDGPU_GENERATION(id, ...) [AMDGPU_##id] = {AMDGPU_##id, __VA_ARGS__},
#include "support/amdgpu.def"
#undef AMDGPU_GENERATION
};

static const struct amdgpu_processor processors[] = {
#define AMDGPU_PROCESSOR(name, mach, generation, major, minor, stepping, ...) \
    {name, &generations[AMDGPU_##generation], mach, major, minor, stepping, __VA_ARGS__},
#include "support/amdgpu.def"
#undef AMDGPU_PROCESSOR
};

enum { GENERIC_CODE_OBJECT = 6, PROCESSOR_COUNT = sizeof processors / sizeof processors[0] };

const struct amdgpu_processor *amdgpu_processors(size_t *count)
{
    *count = PROCESSOR_COUNT;
    return processors;
}

const struct amdgpu_processor *amdgpu_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < PROCESSOR_COUNT; i++)
        if (strlen(processors[i].name) == length && !memcmp(processors[i].name, name, length))
            return &processors[i];
    return NULL;
}

const struct amdgpu_processor *amdgpu_by_mach(uint32_t mach)
{
    for (size_t i = 0; i < PROCESSOR_COUNT; i++)
        if (processors[i].mach == mach)
            return &processors[i];
    return NULL;
}

const struct amdgpu_processor *amdgpu_by_version(uint32_t major, uint32_t minor, uint32_t stepping)
{
    for (size_t i = 0; i < PROCESSOR_COUNT; i++) {
        const struct amdgpu_processor *at = &processors[i];
        if (at->major == major && at->minor == minor && at->stepping == stepping &&
            at->code_object < GENERIC_CODE_OBJECT)
            return at;
    }
    return NULL;
}

/* Moves *AT past WORD when the text from *AT to END starts with it; returns false otherwise. */
static bool skip_word(const char **at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Reads a number of one to three digits. */
static bool take_digits(const char **at, const char *end, uint32_t *value)
{
    const char *begin = *at;
    for (*value = 0; *at < end && *at - begin < 3 && **at >= '0' && **at <= '9'; ++*at)
        *value = *value * 10 + (uint32_t)(**at - '0');
    return *at > begin;
}

/* Finds the processor for a version such as "9:0:10"; nothing may follow the version. */
static const struct amdgpu_processor *parse_version(const char *at, const char *end)
{
    uint32_t major, minor, stepping;
    bool read = take_digits(&at, end, &major) && skip_word(&at, end, ":") && take_digits(&at, end, &minor) &&
                skip_word(&at, end, ":") && take_digits(&at, end, &stepping) && at == end;
    return read ? amdgpu_by_version(major, minor, stepping) : NULL;
}

/* Reads the setting of FEATURE, + or -; false unless the text from AT to END is one, the processor supports the feature
 * and nothing has set it before. */
static bool parse_feature(const char *at, const char *end, const char *feature, bool supported, char *setting)
{
    if (!skip_word(&at, end, feature) || end - at != 1 || (*at != '+' && *at != '-') || !supported || *setting)
        return false;
    *setting = *at;
    return true;
}

bool amdgpu_target_parse(const char *name, size_t length, struct amdgpu_target *target)
{
    const char *at = name, *end = name + length;
    *target = (struct amdgpu_target){0};
    if (skip_word(&at, end, "AMD:AMDGPU:")) {
        target->processor = parse_version(at, end);
        return target->processor != NULL;
    }
    skip_word(&at, end, "amdgcn-amd-amdhsa--");
    const char *colon = memchr(at, ':', (size_t)(end - at));
    target->processor = amdgpu_by_name(at, (size_t)((colon ? colon : end) - at));
    while (target->processor && colon) {
        at = colon + 1;
        colon = memchr(at, ':', (size_t)(end - at));
        const char *stop = colon ? colon : end;
        if (!parse_feature(at, stop, "sramecc", target->processor->sramecc, &target->sramecc) &&
            !parse_feature(at, stop, "xnack", target->processor->xnack, &target->xnack))
            return false;
    }
    return target->processor != NULL;
}

void amdgpu_target_name(const struct amdgpu_target *target, char name[AMDGPU_NAME_SIZE])
{
    const char sramecc[2] = {target->sramecc}, xnack[2] = {target->xnack};
    snprintf(name, AMDGPU_NAME_SIZE, "amdgcn-amd-amdhsa--%s%s%s%s%s", target->processor->name,
             *sramecc ? ":sramecc" : "", sramecc, *xnack ? ":xnack" : "", xnack);
}

bool amdgpu_target_runs_on(const struct amdgpu_target *code, const struct amdgpu_target *agent)
{
    return code->processor == agent->processor && (!code->xnack || code->xnack == agent->xnack) &&
           (!code->sramecc || code->sramecc == agent->sramecc);
}
