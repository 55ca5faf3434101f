/* SPDX-License-Identifier: MIT */
/* Reads debug pragmas; see debug_source.h. Input: modules with pragmas of any form. Output: their numbers, texts and
 * relations. */
#include "finalizer/debug_source.h"

#include <string.h>

static bool begins(struct bytes text, const char *with)
{
    return text.size >= strlen(with) && !memcmp(text.data, with, strlen(with));
}

static struct brig_list operands(const struct brig_view *view, uint32_t at)
{
    const hsa_brig_base_t *entry = at ? brig_code(view, at) : NULL;
    return entry && entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA
               ? brig_entry_operands(view, entry)
               : (struct brig_list){0};
}

const hsa_brig_base_t *source_operand(const struct debug_source *s, uint32_t at, unsigned index)
{
    struct brig_list list = operands(s->view, at);
    return index < list.count ? brig_operand(s->view, list.items[index]) : NULL;
}

struct bytes source_text(const struct debug_source *s, uint32_t at, unsigned index)
{
    const hsa_brig_base_t *entry = source_operand(s, at, index);
    const hsa_brig_operand_string_t *string = (const void *)entry;
    return entry && entry->kind == HSA_BRIG_KIND_OPERAND_STRING
               ? brig_string(s->view, string->string)
               : (struct bytes){(const uint8_t *)"", 0};
}

uint64_t source_number(const struct debug_source *s, uint32_t at, unsigned index)
{
    const hsa_brig_base_t *entry = source_operand(s, at, index);
    uint64_t value = 0;
    if (!entry || entry->kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        return 0;
    struct bytes bytes = brig_bytes(s->view, ((const hsa_brig_operand_constant_bytes_t *)(const void *)entry)->bytes);
    memcpy(&value, bytes.data, bytes.size < sizeof value ? bytes.size : sizeof value);
    return value;
}

bool source_has_tag(const struct debug_source *s, uint32_t at, unsigned index, const char *tag)
{
    return bytes_are_text(source_text(s, at, index), tag);
}

enum source_kind source_kind_of(const struct brig_view *view, uint32_t at)
{
    struct debug_source s = {.view = view};
    struct bytes name = source_text(&s, at, 0);
    if (!begins(name, "hsa.tools.debug."))
        return SOURCE_OTHER;
    return bytes_are_text(name, "hsa.tools.debug.src")    ? SOURCE_ENTITY
           : bytes_are_text(name, "hsa.tools.debug.expr") ? SOURCE_EXPRESSION
           : bytes_are_text(name, "hsa.tools.debug.ref")
               ? SOURCE_REFERENCE
               : SOURCE_OTHER;
}

static uint32_t hash_of(uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct source_entity *source_entity_of(struct debug_source *s, uint64_t number)
{
    uint32_t hash = hash_of(number);
    for (uint32_t at = hash, item; (item = hash_table_next(&s->numbers, hash, &at));)
        if (s->entities.items[item - 1].number == number)
            return &s->entities.items[item - 1];
    return NULL;
}

uint32_t source_entity_at(struct debug_source *s, uint32_t at, unsigned index, const char *tag)
{
    const struct source_entity *entity = source_entity_of(s, source_number(s, at, index));
    return entity && source_has_tag(s, entity->at, 2, tag) ? entity->at : 0;
}

/* Where several pragmas have the same number, the first one counts. */
static bool note_entity(struct debug_source *s, uint32_t at)
{
    struct source_entity entity = {.number = source_number(s, at, 1), .at = at};
    if (source_has_tag(s, at, 2, "CompileUnit") && !s->unit)
        s->unit = at;
    if (!entity.number || source_entity_of(s, entity.number))
        return true;
    return vec_push(&s->entities, entity) &&
           hash_table_add(&s->numbers, hash_of(entity.number), (uint32_t)s->entities.count);
}

static bool note_pragma(struct debug_source *s, uint32_t at, bool in_code)
{
    switch (source_kind_of(s->view, at)) {
    case SOURCE_ENTITY:
    case SOURCE_EXPRESSION: return note_entity(s, at);
    case SOURCE_REFERENCE:
        s->has_lines |= source_has_tag(s, at, 1, "SourceLine");
        return in_code || vec_push(&s->references, at);
    case SOURCE_OTHER: break;
    }
    return true;
}

/* Counts how often code says where a variable is. */
static void count_references(struct debug_source *s, uint32_t at)
{
    struct source_entity *entity = source_entity_of(s, source_number(s, at, 2));
    if (source_kind_of(s->view, at) == SOURCE_REFERENCE && entity)
        entity->references++;
}

static bool read_module(struct debug_source *s)
{
    uint32_t body_end = 0;
    bool fits = true;
    for (uint32_t at = brig_first_code(s->view); at < brig_end_code(s->view) && fits;
         at = brig_next_code(s->view, at)) {
        const hsa_brig_base_t *entry = brig_code(s->view, at);
        if (brig_is_executable(entry) && at >= body_end)
            body_end = ((const hsa_brig_directive_executable_t *)(const void *)entry)->next_module_entry;
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA)
            fits = note_pragma(s, at, at < body_end);
    }
    for (uint32_t at = brig_first_code(s->view); at < brig_end_code(s->view); at = brig_next_code(s->view, at))
        if (brig_code(s->view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA)
            count_references(s, at);
    return fits;
}

bool source_open(struct lower *l)
{
    bool fits = true;
    l->debug.sources = mem_zalloc(l->module_count, sizeof *l->debug.sources);
    for (uint32_t i = 0; i < l->module_count && l->debug.sources && fits; i++) {
        l->debug.sources[i].view = l->modules[i].view;
        fits = read_module(&l->debug.sources[i]);
    }
    return l->debug.sources && fits;
}

void source_close(struct lower *l)
{
    for (uint32_t i = 0; i < l->module_count && l->debug.sources; i++) {
        vec_free(&l->debug.sources[i].entities);
        vec_free(&l->debug.sources[i].references);
        hash_table_free(&l->debug.sources[i].numbers);
    }
    mem_free(l->debug.sources);
    l->debug.sources = NULL;
}
