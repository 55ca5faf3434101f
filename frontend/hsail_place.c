/* SPDX-License-Identifier: MIT */
/* What the user sees of a place in BRIG: the words of the text it came from, or the entry as text; see hsail_p.h.
 * Input: findings at entries and parts of them. Output: the same with ranges of the text, or with a printed line.
 * Invariant: linear in the module however many findings there are, since effort is limited: when it is spent, findings
 * point at their entry as a whole. Without findings there is nothing to do. */
#include "frontend/hsail_p.h"

#include "brig/limit.h"
#include "frontend/dis.h"
#include "frontend/locate.h"

#define MOST_EXCERPT 1024u /* bytes of a printed entry that are kept */

/* Many findings in one large entry would read it again for each of them. */
struct hsail_users hsail_users_start(const struct brig_view *view, size_t module, size_t text)
{
    return (struct hsail_users){
        .view = view, .effort = LIMIT_PLACE_FREE + LIMIT_PLACE_FACTOR * ((uint64_t)module + text)};
}

void hsail_users_free(struct hsail_users *users)
{
    mem_free(users->code);
    users->code = NULL;
}

static void spend(struct hsail_users *users, uint64_t effort)
{
    users->effort -= effort < users->effort ? effort : users->effort;
}

/* The operands in a list, which an operand may be. */
static struct brig_list elements_of(const struct brig_view *view, uint32_t operand)
{
    const hsa_brig_base_t *entry = brig_operand(view, operand);
    const void *structure = entry;
    if (entry->kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        return brig_list(view, ((const hsa_brig_operand_operand_list_t *)structure)->elements);
    if (entry->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_OPERAND_LIST)
        return brig_list(view, ((const hsa_brig_operand_constant_operand_list_t *)structure)->elements);
    return (struct brig_list){0};
}

static void set_user(const struct hsail_users *users, uint32_t operand, uint32_t code)
{
    struct brig_list elements = elements_of(users->view, operand);
    users->code[operand / 4] = code;
    for (uint32_t i = 0; i < elements.count; i++)
        users->code[elements.items[i] / 4] = code;
}

/* Fills the table in, once. */
static void find_users(struct hsail_users *users)
{
    const struct brig_view *view = users->view;
    users->code = mem_zalloc(view->section[HSA_BRIG_SECTION_INDEX_OPERAND].size / 4 + 1u, sizeof *users->code);
    users->out_of_memory |= !users->code;
    for (uint32_t at = brig_first_code(view); users->code && at < brig_end_code(view); at = brig_next_code(view, at)) {
        const hsa_brig_base_t *entry = brig_code(view, at);
        const hsa_brig_directive_variable_t *variable = (const void *)entry;
        struct brig_list list = brig_entry_operands(view, entry);
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE && variable->init)
            set_user(users, variable->init, at);
        for (uint32_t i = 0; i < list.count; i++)
            if (list.items[i])
                set_user(users, list.items[i], at);
    }
}

static uint32_t index_in(struct brig_list list, uint32_t item)
{
    uint32_t i = 0;
    while (i < list.count && list.items[i] != item)
        i++;
    return i;
}

/* What OPERAND is to the entry that uses it. */
static struct diag_part part_of_user(struct hsail_users *users, uint32_t code, uint32_t operand)
{
    const struct brig_view *view = users->view;
    const hsa_brig_base_t *entry = brig_code(view, code);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE) {
        uint32_t init = ((const hsa_brig_directive_variable_t *)(const void *)entry)->init;
        struct brig_list elements = elements_of(view, init);
        uint32_t element = index_in(elements, operand);
        spend(users, element);
        return brig_part(BRIG_PART_INITIALIZER, 0, element < elements.count ? element + 1 : 0);
    }
    struct brig_list list = brig_entry_operands(view, entry);
    for (uint32_t i = 0; i < list.count && users->effort; i++) {
        if (list.items[i] == operand)
            return brig_part(BRIG_PART_OPERAND, i, 0);
        struct brig_list elements = list.items[i] ? elements_of(view, list.items[i]) : (struct brig_list){0};
        uint32_t element = index_in(elements, operand);
        spend(users, element + 1u);
        if (element < elements.count)
            return brig_part(BRIG_PART_OPERAND, i, element + 1);
    }
    return (struct diag_part){0};
}

static bool in_section(const struct diag_place *place, unsigned section)
{
    return place->where == DIAG_IN_BINARY && place->order == diag_in_brig(section, 0).order;
}

bool hsail_place_to_code(struct hsail_users *users, struct diag_place *place)
{
    if (in_section(place, HSA_BRIG_SECTION_INDEX_CODE))
        return true;
    if (!in_section(place, HSA_BRIG_SECTION_INDEX_OPERAND))
        return false;
    if (!users->code)
        find_users(users);
    uint32_t operand = (uint32_t)place->begin, code = users->code ? users->code[operand / 4] : 0;
    if (code)
        *place = diag_in_code(code, users->effort ? part_of_user(users, code, operand) : (struct diag_part){0});
    return code;
}

static struct diag_place to_text(struct hsail_users *users, struct diag_place place, const struct asm_result *result,
                                 const char *text, size_t size)
{
    if (place.where != DIAG_IN_BINARY)
        return place;
    if (!hsail_place_to_code(users, &place))
        return (struct diag_place){.where = DIAG_NOWHERE};
    uint32_t code = (uint32_t)place.begin;
    const hsa_brig_base_t *entry = brig_code(users->view, code);
    struct diag_place whole = asm_place_in_text(result, text, size, code, entry, (struct diag_part){0});
    if (place.part.kind == BRIG_PART_WHOLE || !users->effort)
        return whole;
    struct diag_place part = asm_place_in_text(result, text, size, code, entry, place.part);
    spend(users, part.end > whole.begin ? part.end - whole.begin : 1);
    return part;
}

void hsail_places_to_text(struct diag_list *list, size_t first, struct hsail_users *users,
                          const struct asm_result *result, const char *text, size_t size)
{
    for (size_t i = first; i < list->items.count; i++) {
        struct diag *diag = &list->items.items[i];
        bool note = diag->sort.begin != diag->place.begin || diag->sort.order != diag->place.order;
        diag->place = to_text(users, diag->place, result, text, size);
        diag->sort = note ? to_text(users, diag->sort, result, text, size) : diag->place;
    }
}

/* The entry that a finding means, as text. */
static struct diag_excerpt make_excerpt(struct diag_list *list, struct hsail_users *users, uint32_t code,
                                        struct diag_part part)
{
    const struct brig_view *view = users->view;
    struct diag_excerpt excerpt = {0};
    struct textbuf text = {0};
    if (!dis_entry(view, code, &text)) {
        list->out_of_memory = true;
    } else if (text.size) {
        char *tab = memchr(text.data, '\t', text.size); /* between mnemonic and operands */
        if (tab)
            *tab = ' ';
        struct span span = locate_part(text.data, text.size, 0, brig_code(view, code), part);
        size_t size = text.size < MOST_EXCERPT ? text.size : MOST_EXCERPT;
        excerpt.line = arena_strndup(&list->memory, text.data, size);
        excerpt.begin = span.begin < size ? span.begin : 0;
        excerpt.end = span.begin < size && span.end <= size ? span.end : excerpt.begin;
        list->out_of_memory |= !excerpt.line;
    }
    spend(users, text.size);
    textbuf_free(&text);
    return excerpt;
}

void hsail_places_in_brig(struct diag_list *list, const struct brig_view *view)
{
    struct hsail_users users = hsail_users_start(view, view->module.size, 0);
    for (size_t i = 0; view->module.data && i < list->items.count; i++) {
        struct diag *diag = &list->items.items[i];
        struct diag_place place = diag->place;
        if (hsail_place_to_code(&users, &place) && users.effort)
            diag->excerpt = make_excerpt(list, &users, (uint32_t)place.begin, place.part);
    }
    hsail_users_free(&users);
    list->out_of_memory |= users.out_of_memory;
}

void hsail_places_origin(struct diag_list *list, const struct brig_view *view)
{
    struct hsail_users users = hsail_users_start(view, view->module.size, 0);
    const hsa_brig_directive_loc_t *loc = NULL;
    uint32_t at = view->module.data ? brig_first_code(view) : 0;
    if (list->items.count)
        diag_sort(list);
    for (size_t i = 0; view->module.data && i < list->items.count; i++) {
        struct diag *diag = &list->items.items[i];
        struct diag_place place = diag->place;
        if (!hsail_place_to_code(&users, &place))
            continue;
        if (place.begin < at) { /* what was found in other sections comes after all that was found in this one */
            at = brig_first_code(view);
            loc = NULL;
        }
        for (; at < place.begin; at = brig_next_code(view, at))
            if (brig_code(view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_LOC)
                loc = (const void *)brig_code(view, at);
        if (!loc)
            continue;
        struct bytes file = brig_string(view, loc->filename);
        const char *copy = arena_strndup(&list->memory, (const char *)file.data, file.size);
        list->out_of_memory |= !copy;
        if (copy)
            diag->origin = (struct diag_origin){copy, loc->line, loc->column};
    }
    hsail_users_free(&users);
    list->out_of_memory |= users.out_of_memory;
}
