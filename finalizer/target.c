/* SPDX-License-Identifier: MIT */
/* Reads instruction set names against target.def.
 * Input: a name, from anywhere. Output: a target whose CPU and features LLVM is known to take. See target.h.
 */
#include "finalizer/target.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct target_row {
    const char *cpu;
    uint32_t wave, major, minor, stepping;
    bool xnack, sramecc;
};

static const struct target_row rows[] = {
#define TARGET(cpu, wave, major, minor, stepping, xnack, sramecc)                                            \
    {cpu, wave, major, minor, stepping, xnack, sramecc},
#include "finalizer/target.def"
#undef TARGET
};

static const struct target_row *find_cpu(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].cpu) == length && !memcmp(rows[i].cpu, name, length))
            return &rows[i];
    return NULL;
}

static const struct target_row *find_version(const char *numbers)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[40];
        snprintf(text, sizeof text, "%u:%u:%u", rows[i].major, rows[i].minor, rows[i].stepping);
        if (!strcmp(text, numbers))
            return &rows[i];
    }
    return NULL;
}

/* Appends one ":feature+" or ":feature-" of a target id to the LLVM feature string. */
static bool add_feature(const struct target_row *row, const char *text, size_t length, char *out, size_t size)
{
    if (length < 2 || (text[length - 1] != '+' && text[length - 1] != '-'))
        return false;
    size_t name = length - 1;
    bool xnack = name == 5 && !memcmp(text, "xnack", 5) && row->xnack;
    bool sramecc = name == 7 && !memcmp(text, "sramecc", 7) && row->sramecc;
    char item[12];
    snprintf(item, sizeof item, "%c%.*s", text[length - 1], (int)name, text);
    if ((!xnack && !sramecc) || strstr(out, item + 1)) /* unknown, or named twice */
        return false;
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used ? "," : "", item);
    return true;
}

bool target_parse(const char *name, struct target *target)
{
    static const char triple[] = "amdgcn-amd-amdhsa--", vendor[] = "AMD:AMDGPU:";
    const struct target_row *row;
    const char *at = name;
    if (!strncmp(name, vendor, sizeof vendor - 1)) {
        at += sizeof vendor - 1;
        row = find_version(at);
        at += strlen(at);
    } else {
        if (!strncmp(name, triple, sizeof triple - 1))
            at += sizeof triple - 1;
        size_t length = strcspn(at, ":");
        row = find_cpu(at, length);
        at += length;
    }
    if (!row)
        return false;
    *target = (struct target){row->cpu, "", row->wave};
    while (*at) {
        size_t length = strcspn(++at, ":");
        if (!add_feature(row, at, length, target->features, sizeof target->features))
            return false;
        at += length;
    }
    return true;
}
