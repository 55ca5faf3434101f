/* SPDX-License-Identifier: MIT */
/* Opening modules for reading, and walking through their entries; see hsail/reader.h.
 * Input: BRIG that somebody else owns. Output: entries as structures. Invariant: what is made when a module is opened
 * never changes, so that any number of threads may read it. */
#include "frontend/hsail_reader_p.h"

#include "brig/item.h"
#include "support/hash.h"

/* ---- Opening --------------------------------------------------------------------------------------- */

/* Copies strings to where their size was, which leaves room for a NUL after them. */
static bool copy_strings(hsail_reader_t *reader)
{
    const struct brig_section *data = &reader->view.section[HSA_BRIG_SECTION_INDEX_DATA];
    reader->strings = mem_alloc(data->size + 1u);
    if (!reader->strings)
        return false;
    for (uint32_t at = data->first; at < data->size;) {
        uint32_t size = load32(data->data + at);
        memcpy(reader->strings + at, data->data + at + 4, size);
        reader->strings[at + size] = '\0';
        at += 4 + (size + 3) / 4 * 4;
    }
    return true;
}

static bool find_starts(hsail_reader_t *reader, unsigned index)
{
    const struct brig_section *section = &reader->view.section[index];
    uint8_t *bits = mem_zalloc(section->size / 32 + 1u, 1);
    reader->starts[index] = bits;
    if (!bits)
        return false;
    for (uint32_t at = section->first; at < section->size; at += brig_entry_(section, at)->byte_count)
        bits[at / 32] |= (uint8_t)(1u << at / 4 % 8);
    return true;
}

static uint32_t hash_name(const hsail_reader_t *reader, const char *name, size_t size)
{
    return (uint32_t)hash_bytes(reader->seed, name, size);
}

/* A symbol of this name at module scope; 0 when there is none. */
static uint32_t find_module_symbol(const hsail_reader_t *reader, const char *name, size_t size)
{
    uint32_t hash = hash_name(reader, name, size);
    for (uint32_t at = hash, item; (item = hash_table_next(&reader->symbols, hash, &at));) {
        hsail_text_t known = hsail_reader_name(reader, item * 4);
        if (known.size == size && !memcmp(known.data, name, size))
            return item * 4;
    }
    return 0;
}

static bool is_symbol(const hsail_entry_t *entry)
{
    return entry->name.size && (hsail_is_executable(entry) || entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE ||
                                entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER);
}

/* Of several entries with the same name, the definition is kept, or else the first. */
static bool find_symbols(hsail_reader_t *reader)
{
    hsail_walk_t walk = hsail_walk_module(reader);
    hsail_entry_t entry, old;
    while (hsail_walk_next(&walk, &entry)) {
        if (!is_symbol(&entry))
            continue;
        uint32_t hash = hash_name(reader, entry.name.data, entry.name.size);
        uint32_t known = find_module_symbol(reader, entry.name.data, entry.name.size);
        if (!known) {
            if (!hash_table_add(&reader->symbols, hash, entry.code / 4))
                return false;
        } else if (entry.is_definition && hsail_reader_entry(reader, known, &old) == HSAIL_STATUS_OK &&
                   !old.is_definition) {
            hash_table_replace(&reader->symbols, hash, known / 4, entry.code / 4);
        }
    }
    return true;
}

static void reader_release(hsail_reader_t *reader)
{
    mem_free(reader->strings);
    mem_free(reader->starts[HSA_BRIG_SECTION_INDEX_CODE]);
    mem_free(reader->starts[HSA_BRIG_SECTION_INDEX_OPERAND]);
    hash_table_free(&reader->symbols);
    mem_free(reader);
}

/* A reader of what was opened; NULL when memory is out. */
static hsail_reader_t *make_reader(const hsail_context_t *context, const struct brig_view *view)
{
    hsail_reader_t *reader = mem_zalloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->hooks = context->hooks;
    reader->has_hooks = context->has_hooks;
    reader->view = *view;
    reader->seed = hash_seed();
    if (copy_strings(reader) && find_starts(reader, HSA_BRIG_SECTION_INDEX_CODE) &&
        find_starts(reader, HSA_BRIG_SECTION_INDEX_OPERAND) && find_symbols(reader))
        return reader;
    reader_release(reader);
    return NULL;
}

hsail_status_t hsail_reader_open(hsail_context_t *context, const char *name, const void *brig, size_t size,
                                 unsigned flags, hsail_reader_t **reader)
{
    if (reader)
        *reader = NULL;
    if (!context || !reader || !brig || (uintptr_t)brig % 4 || flags & ~(unsigned)HSAIL_NO_VALIDATION)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    struct diag_list list = hsail_diag_start(context);
    struct brig_view view;
    hsail_status_t status = hsail_status_of(hsail_check(brig, size, flags, &list, &view));
    hsail_places_in_brig(&list, &view);
    status = hsail_diag_deliver(context, &list, name, NULL, status);
    if (status == HSAIL_STATUS_OK) {
        *reader = make_reader(context, &view);
        status = *reader ? HSAIL_STATUS_OK : HSAIL_STATUS_OUT_OF_MEMORY;
    }
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_reader_open_module(hsail_context_t *context, const hsail_module_t *module, hsail_reader_t **reader)
{
    if (reader)
        *reader = NULL;
    if (!context || !module || !reader)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    *reader = make_reader(context, &module->view);
    hsail_leave(before);
    return *reader ? HSAIL_STATUS_OK : HSAIL_STATUS_OUT_OF_MEMORY;
}

void hsail_reader_destroy(hsail_reader_t *reader)
{
    if (!reader)
        return;
    struct mem_hooks hooks = reader->hooks;
    const struct mem_hooks *before = mem_use_hooks(reader->has_hooks ? &hooks : NULL);
    reader_release(reader);
    mem_use_hooks(before);
}

/* ---- Entries --------------------------------------------------------------------------------------- */

hsail_text_t hsail_reader_text(const hsail_reader_t *reader, uint32_t data)
{
    return data ? (hsail_text_t){reader->strings + data, brig_string(&reader->view, data).size} : (hsail_text_t){"", 0};
}

hsail_text_t hsail_reader_name(const hsail_reader_t *reader, uint32_t code)
{
    const hsa_brig_base_t *base = brig_code(&reader->view, code);
    bool named = brig_is_executable(base);
    switch (base->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE:
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER:
    case HSA_BRIG_KIND_DIRECTIVE_LABEL:
    case HSA_BRIG_KIND_DIRECTIVE_COMMENT:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION:
    case HSA_BRIG_KIND_DIRECTIVE_LOC: named = true; break;
    default: break;
    }
    /* All of them have it in the same place. */
    const uint8_t *entry = (const uint8_t *)base;
    return hsail_reader_text(reader, named ? load32(entry + offsetof(hsa_brig_directive_label_t, name)) : 0);
}

const hsa_brig_directive_executable_t *hsail_reader_executable(const hsail_reader_t *reader, hsail_code_t code)
{
    if (!reader || !hsail_reader_has(reader, HSA_BRIG_SECTION_INDEX_CODE, code))
        return NULL;
    const hsa_brig_base_t *base = brig_code(&reader->view, code);
    const void *entry = base;
    return brig_is_executable(base) ? entry : NULL;
}

static void set_variable(hsail_entry_t *out, const hsa_brig_directive_variable_t *entry)
{
    hsail_variable_entry_t *variable = &out->u.variable;
    out->is_definition = (entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION) != 0;
    out->is_program = entry->linkage == HSA_BRIG_LINKAGE_PROGRAM;
    variable->segment = (hsa_brig_segment_t)entry->segment;
    variable->type = (hsa_brig_type_t)(entry->type & ~(uint32_t)HSA_BRIG_TYPE_CLASS_ARRAY);
    variable->is_array = lang_type_is_array(entry->type);
    variable->dimension = variable->is_array ? brig_u64(entry->dim) : 0;
    variable->align = entry->align ? 1u << (entry->align - HSA_BRIG_ALIGNMENT_1) : 0;
    variable->is_const = (entry->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST) != 0;
    variable->is_agent = entry->allocation == HSA_BRIG_ALLOCATION_AGENT && entry->segment == HSA_BRIG_SEGMENT_GLOBAL;
    variable->is_initialized = entry->init != 0;
}

static void set_executable(hsail_entry_t *out, const hsa_brig_directive_executable_t *entry)
{
    bool signature = entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    out->is_definition = signature || (entry->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION) != 0;
    out->is_program = entry->linkage == HSA_BRIG_LINKAGE_PROGRAM;
    out->u.executable = (hsail_executable_entry_t){entry->out_arg_count, entry->in_arg_count};
}

static void set_instruction(hsail_entry_t *out, const hsa_brig_inst_base_t *entry)
{
    const struct lang_op *op = lang_op(entry->opcode);
    out->u.instruction =
        (hsail_instruction_entry_t){(hsa_brig_opcode_t)entry->opcode, op->text, (hsa_brig_type_t)entry->type,
                                    op->extension ? op->extension : op->section};
}

static void set_module(hsail_entry_t *out, const hsa_brig_directive_module_t *entry)
{
    out->u.module = (hsail_module_entry_t){
        entry->hsail_major, entry->hsail_minor, (hsa_brig_profile_t)entry->profile,
        (hsa_brig_machine_model_t)entry->machine_model, (hsa_brig_round_t)entry->default_float_round};
}

static void set_directive(hsail_entry_t *out, const hsa_brig_base_t *base)
{
    const void *entry = base;
    switch (base->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE: set_module(out, entry); break;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE: set_variable(out, entry); break;
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: {
        const hsa_brig_directive_fbarrier_t *fbarrier = entry;
        out->is_definition = (fbarrier->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION) != 0;
        out->is_program = fbarrier->linkage == HSA_BRIG_LINKAGE_PROGRAM;
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_LOC: {
        const hsa_brig_directive_loc_t *loc = entry;
        out->u.location = (hsail_location_entry_t){loc->line, loc->column};
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: {
        const hsa_brig_directive_extension_version_t *extension = entry;
        out->u.extension = (hsail_extension_entry_t){1, extension->extension_major, extension->extension_minor};
        break;
    }
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL: {
        const hsa_brig_directive_control_t *control = entry;
        out->u.control.control = (hsa_brig_control_directive_t)control->control;
        break;
    }
    case HSA_BRIG_KIND_NONE: out->u.pad.words = base->byte_count / 4 - 1u; break;
    default: break;
    }
}

/* The entry at an offset where one begins. */
static void get_entry(const hsail_reader_t *reader, hsail_code_t code, hsail_entry_t *out)
{
    const hsa_brig_base_t *base = brig_code(&reader->view, code);
    const void *entry = base;
    memset(out, 0, sizeof *out);
    out->code = code;
    out->kind = (hsa_brig_kind_t)base->kind;
    out->name = hsail_reader_name(reader, code);
    out->operand_count = brig_entry_operands(&reader->view, base).count;
    if (brig_is_inst(base))
        set_instruction(out, entry);
    else if (brig_is_executable(base))
        set_executable(out, entry);
    else
        set_directive(out, base);
}

hsail_status_t hsail_reader_entry(const hsail_reader_t *reader, hsail_code_t code, hsail_entry_t *entry)
{
    if (!reader || !entry || !hsail_reader_has(reader, HSA_BRIG_SECTION_INDEX_CODE, code))
        return HSAIL_STATUS_ARGUMENT;
    get_entry(reader, code, entry);
    return HSAIL_STATUS_OK;
}

/* ---- Walks ----------------------------------------------------------------------------------------- */

static const hsail_walk_t nowhere = {NULL, 0, 0, 0};

hsail_walk_t hsail_walk_module(const hsail_reader_t *reader)
{
    return reader ? (hsail_walk_t){reader, brig_first_code(&reader->view), brig_end_code(&reader->view), 0} : nowhere;
}

hsail_walk_t hsail_walk_outputs(const hsail_reader_t *reader, hsail_code_t code)
{
    const hsa_brig_directive_executable_t *entry = hsail_reader_executable(reader, code);
    if (!entry || entry->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL)
        return nowhere;
    return (hsail_walk_t){reader, brig_next_code(&reader->view, code), entry->first_in_arg, 1};
}

hsail_walk_t hsail_walk_inputs(const hsail_reader_t *reader, hsail_code_t code)
{
    const hsa_brig_directive_executable_t *entry = hsail_reader_executable(reader, code);
    return entry ? (hsail_walk_t){reader, entry->first_in_arg, entry->first_code_block_entry, 1} : nowhere;
}

hsail_walk_t hsail_walk_body(const hsail_reader_t *reader, hsail_code_t code)
{
    const hsa_brig_directive_executable_t *entry = hsail_reader_executable(reader, code);
    return entry && hsail_reader_has_body(entry)
               ? (hsail_walk_t){reader, entry->first_code_block_entry, entry->next_module_entry, 0}
               : nowhere;
}

/* What follows an entry at module scope or in a body: an executable is passed over whole. */
static uint32_t after_entry(const struct brig_view *view, uint32_t at)
{
    const hsa_brig_base_t *base = brig_code(view, at);
    const void *entry = base;
    const hsa_brig_directive_executable_t *executable = entry;
    if (!brig_is_executable(base))
        return brig_next_code(view, at);
    return hsail_reader_has_body(executable) ? executable->next_module_entry : executable->first_code_block_entry;
}

int hsail_walk_next(hsail_walk_t *walk, hsail_entry_t *entry)
{
    if (!walk || !entry || !walk->reader)
        return 0;
    const hsail_reader_t *reader = walk->reader;
    while (walk->next < walk->end && hsail_reader_has(reader, HSA_BRIG_SECTION_INDEX_CODE, walk->next)) {
        hsail_code_t at = walk->next;
        walk->next = after_entry(&reader->view, at);
        if (walk->formals && brig_code(&reader->view, at)->kind != HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            continue;
        get_entry(reader, at, entry);
        return 1;
    }
    return 0;
}

/* ---- Names ----------------------------------------------------------------------------------------- */

static hsail_code_t find_in(hsail_walk_t walk, const char *name, size_t size)
{
    hsail_entry_t entry;
    while (hsail_walk_next(&walk, &entry))
        if (entry.name.size == size && !memcmp(entry.name.data, name, size) &&
            (entry.kind == HSA_BRIG_KIND_DIRECTIVE_LABEL || is_symbol(&entry)))
            return entry.code;
    return 0;
}

hsail_code_t hsail_reader_find(const hsail_reader_t *reader, hsail_code_t scope, const char *name)
{
    if (!reader || !name || !*name)
        return 0;
    size_t size = strlen(name);
    if (!scope)
        return find_module_symbol(reader, name, size);
    hsail_code_t found = find_in(hsail_walk_outputs(reader, scope), name, size);
    if (!found)
        found = find_in(hsail_walk_inputs(reader, scope), name, size);
    return found ? found : find_in(hsail_walk_body(reader, scope), name, size);
}

const char *hsail_enum_text(hsail_enum_t set, uint32_t value)
{
    return (unsigned)set < HSAIL_ENUM_COUNT ? lang_value_text((enum lang_set)set, value) : NULL;
}

const char *hsail_enum_name(hsail_enum_t set, uint32_t value)
{
    return (unsigned)set < HSAIL_ENUM_COUNT ? lang_value_name((enum lang_set)set, value) : NULL;
}

_Static_assert((int)HSAIL_ENUM_COUNT == (int)LANG_SET_TYPE, "both count the sets of value.def");

const char *hsail_type_text(uint32_t type)
{
    const struct lang_type *row = lang_type(type);
    return row ? row->text : NULL;
}

uint32_t hsail_type_size(uint32_t type)
{
    return lang_type_size(type);
}

const char *hsail_opcode_text(uint32_t opcode)
{
    const struct lang_op *op = lang_op(opcode);
    return op ? op->text : NULL;
}

const char *hsail_kind_name(uint32_t kind)
{
    const struct brig_kind_info *row = brig_kind(kind);
    return row ? row->name : NULL;
}
