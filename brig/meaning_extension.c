/* SPDX-License-Identifier: MIT */
/* Extensions of HSAIL that a module names (PRM 13.1).
 * Input: an extension directive, or the name of an extension. Output: diagnostics; whether it was named. Invariant:
 * last_extension is the last directive seen, and all come before whatever needs one. */
#include "brig/meaning_p.h"

/* Whether the extension at AT was asked for before in another version. */
static bool differs_from_earlier(struct meaning *v, uint32_t at)
{
    uint32_t now[2], before[2];
    bool known;
    const struct name_entry *entry = names_enter(v, &v->extension_names, 0, at, &known);
    if (!entry || !known)
        return false;
    brig_extension_version(v->view, at, now);
    brig_extension_version(v->view, entry->directive, before);
    return now[0] != before[0] || now[1] != before[1];
}

void meaning_extension(struct meaning *v, uint32_t at)
{
    const hsa_brig_directive_extension_t *directive = CODE_AS(v, hsa_brig_directive_extension_t, at);
    struct bytes name = brig_string(v->view, directive->name);
    v->last_extension = at;
    if (v->statements)
        MEANING_FAIL(v, EXTENSION_LATE, at);
    if (directive->base.kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION)
        meaning_version(v, at, "an extension with a version");
    if (!name.size)
        return;
    if (bytes_are_text(name, "CORE")) {
        v->core = true;
        if (directive->base.kind == HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION)
            MEANING_FAIL(v, CORE_VERSION, at);
    } else if (!v->extension) {
        v->extension = at;
    }
    v->image |= bytes_are_text(name, "IMAGE");
    if (v->core && v->extension) {
        const hsa_brig_directive_extension_t *other = CODE_AS(v, hsa_brig_directive_extension_t, v->extension);
        MEANING_FAIL(v, CORE_ALONE, at, brig_string(v->view, other->name));
    }
    if (differs_from_earlier(v, at))
        MEANING_FAIL(v, EXTENSION_DIFFERS, at, name);
}

bool meaning_has_extension(struct meaning *v, const char *name)
{
    if (v->vendor && strcmp(v->vendor, name) == 0)
        return true;
    for (uint32_t at = brig_first_code(v->view); at <= v->last_extension; at = brig_next_code(v->view, at)) {
        const hsa_brig_directive_extension_t *directive = CODE_AS(v, hsa_brig_directive_extension_t, at);
        if (brig_is_extension(&directive->base) && bytes_are_text(brig_string(v->view, directive->name), name)) {
            v->vendor = name;
            return true;
        }
    }
    return false;
}
