/* SPDX-License-Identifier: MIT */
/* The notes of the code object: which of its symbols have module linkage (PRM 4.12.2), and what its kernels require of
 * a launch (PRM 13.5). Input: linked callables and variables. Output: the notes (support/linkage_note.h,
 * support/launch_note.h), as constants of the LLVM module. Invariant: the names in them are those that the loader sees.
 */
#include "finalizer/lower.h"
#include "support/launch_note.h"
#include "support/linkage_note.h"
#include "support/textbuf.h"

#include <elf.h>
#include <string.h>

static void add_record(struct lower *l, struct textbuf *note, const char *symbol, uint32_t module, const char *name)
{
    const char *const strings[] = {symbol, lower_module_name(l, module), name};
    for (unsigned i = 0; i < 3 && strings[1]; i++)
        textbuf_add(note, strings[i], strlen(strings[i]) + 1);
}

static void add_linkage(struct lower *l, struct textbuf *note)
{
    for (size_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (c->is_kernel && c->is_defined && c->directive->linkage == HSA_BRIG_LINKAGE_MODULE)
            add_record(l, note, c->symbol, c->module, c->name);
    }
    for (size_t i = 0; i < l->variables.count; i++) {
        const struct variable *v = &l->variables.items[i];
        if (lower_has_module_linkage(v))
            add_record(l, note, v->symbol, v->module, v->name);
    }
}

static uint64_t limit_of(const struct control_set *set, unsigned control)
{
    return control_given(set, control) ? set->value[control][0] : 0;
}

static struct launch_limits limits_of(const struct control_set *set)
{
    struct launch_limits limits = {
        .dimensions = limit_of(set, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM),
        .flat_grid = limit_of(set, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE),
        .whole_groups = control_given(set, HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS)};
    if (control_given(set, HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE))
        limits.dynamic_group = set->value[HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE][0] + 1;
    if (control_given(set, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE))
        memcpy(limits.grid, set->value[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE], sizeof limits.grid);
    return limits;
}

static void add_limits(struct lower *l, struct textbuf *note)
{
    static const struct launch_limits none;
    for (size_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined)
            continue;
        struct launch_limits limits = limits_of(&c->control);
        if (!memcmp(&limits, &none, sizeof none))
            continue;
        textbuf_add(note, c->symbol, strlen(c->symbol) + 1);
        textbuf_add(note, (const char *)&limits, sizeof limits);
    }
}

/* LLVM takes a section whose name begins with .note for one of notes. */
static void emit_note(struct lower *l, const char *name, const struct textbuf *note)
{
    LLVMValueRef content = LLVMConstStringInContext2(l->e.context, note->data, note->size, 1);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(l->e.module, LLVMTypeOf(content), name, SPACE_GLOBAL);
    LLVMSetInitializer(global, content);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetSection(global, ".note.hsail");
    LLVMSetAlignment(global, 4);
}

/* Makes a note of the records that ADD gives, unless there are none. */
static bool make_note(struct lower *l, const char *name, uint32_t type,
                      void (*add)(struct lower *l, struct textbuf *note))
{
    static const char owner[8] = LINKAGE_NOTE_OWNER;
    Elf64_Nhdr head = {.n_namesz = sizeof LINKAGE_NOTE_OWNER, .n_type = type};
    struct textbuf records = {0}, note = {0};
    add(l, &records);
    head.n_descsz = (Elf64_Word)align_up(records.size, 4);
    textbuf_add(&note, &head, sizeof head);
    textbuf_add(&note, owner, sizeof owner);
    textbuf_add(&note, records.data, records.size);
    textbuf_fill(&note, '\0', head.n_descsz - records.size);
    bool fits = !records.failed && !note.failed;
    if (fits && records.size)
        emit_note(l, name, &note);
    textbuf_free(&records);
    textbuf_free(&note);
    return fits ? !l->failure.message : lower_no_memory(l);
}

bool lower_notes(struct lower *l)
{
    return make_note(l, "hsail.linkage", LINKAGE_NOTE_TYPE, add_linkage) &&
           make_note(l, "hsail.launch", LAUNCH_NOTE_TYPE, add_limits);
}
