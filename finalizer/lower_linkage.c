/* SPDX-License-Identifier: MIT */
/* Names of symbols in the code object, and the note that says which of them have module linkage (PRM 4.12.2).
 * Input: linked callables and variables. Output: their symbols, and a note (support/linkage_note.h).
 * Invariant: no two symbols that the loader sees have the same name. */
#include "finalizer/lower.h"
#include "support/linkage_note.h"
#include "support/textbuf.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

static const char *module_name(struct lower *l, uint32_t module)
{
    const struct brig_view *view = l->modules[module].view;
    const char *name = lower_string(l, view, brig_module_directive(view)->name);
    if (!name)
        lower_no_memory(l);
    return name;
}

const char *lower_name_in_module(struct lower *l, uint32_t module, const char *name, bool numbered)
{
    enum { NUMBER_SIZE = 16 };
    const char *prefix = module_name(l, module);
    size_t size = prefix ? strlen(prefix) + strlen(name) + sizeof "::" + NUMBER_SIZE : 0;
    char *result = prefix ? arena_alloc(&l->arena, size) : NULL;
    if (result && numbered)
        snprintf(result, size, "%s#%u::%s", prefix, (unsigned)module, name);
    else if (result)
        snprintf(result, size, "%s::%s", prefix, name);
    else
        lower_no_memory(l);
    return result;
}

bool lower_has_module_linkage(const struct variable *v)
{
    return v->linkage == HSA_BRIG_LINKAGE_MODULE && v->is_defined && !v->is_fbarrier &&
           (v->segment == HSA_BRIG_SEGMENT_GLOBAL || v->segment == HSA_BRIG_SEGMENT_READONLY);
}

static void add_record(struct lower *l, struct textbuf *note, const char *symbol, uint32_t module, const char *name)
{
    const char *const strings[] = {symbol, module_name(l, module), name};
    for (unsigned i = 0; i < 3 && strings[1]; i++)
        textbuf_add(note, strings[i], strlen(strings[i]) + 1);
}

static void add_records(struct lower *l, struct textbuf *note)
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

/* LLVM takes a section whose name begins with .note for one of notes. */
static void emit_note(struct lower *l, const struct textbuf *note)
{
    LLVMValueRef content = LLVMConstStringInContext2(l->e.context, note->data, note->size, 1);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(l->e.module, LLVMTypeOf(content), "hsail.linkage", SPACE_GLOBAL);
    LLVMSetInitializer(global, content);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetSection(global, ".note.hsail");
    LLVMSetAlignment(global, 4);
}

bool lower_linkage_note(struct lower *l)
{
    static const char owner[8] = LINKAGE_NOTE_OWNER;
    Elf64_Nhdr head = {.n_namesz = sizeof LINKAGE_NOTE_OWNER, .n_type = LINKAGE_NOTE_TYPE};
    struct textbuf records = {0}, note = {0};
    add_records(l, &records);
    head.n_descsz = (Elf64_Word)align_up(records.size, 4);
    textbuf_add(&note, &head, sizeof head);
    textbuf_add(&note, owner, sizeof owner);
    textbuf_add(&note, records.data, records.size);
    textbuf_fill(&note, '\0', head.n_descsz - records.size);
    bool fits = !records.failed && !note.failed;
    if (fits && records.size)
        emit_note(l, &note);
    textbuf_free(&records);
    textbuf_free(&note);
    return fits ? !l->failure.message : lower_no_memory(l);
}
