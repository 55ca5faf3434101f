/* SPDX-License-Identifier: MIT */
/* The note that says which symbols of the code object have module linkage (PRM 4.12.2).
 * Input: linked callables and variables. Output: the note (support/linkage_note.h), as a constant of the LLVM module.
 * Invariant: the names in it are those that the loader sees. */
#include "finalizer/lower.h"
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
