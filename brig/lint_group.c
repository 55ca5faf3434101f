/* SPDX-License-Identifier: MIT */
/* The group memory of kernels; see lint_p.h.
 * Input: a valid module. Output: findings. Invariant: linear time: calls are followed with a fixed effort for each use
 * of a name in the module, and no further. What other modules define is not counted. */
#include "brig/limit.h"
#include "brig/lint_p.h"
#include "support/alloc.h"
#include "support/search.h"

#define EFFORT_FACTOR 32u

/* An executable uses a group variable or another executable. Ascending by the user. */
struct use {
    uint32_t user, used;
};

struct group_use {
    struct lint *lint;
    VEC(struct use) uses;
    VEC(uint32_t) work;
    uint32_t *seen; /* for each 4 bytes of hsa_code: the latest kernel that was found to need the entry */
    uint64_t effort;
};

static uint64_t size_of(const hsa_brig_directive_variable_t *variable)
{
    uint64_t size = lang_type_size(variable->type), count = brig_u64(variable->dim);
    return !lang_type_is_array(variable->type) ? size : count > UINT64_MAX / 16 ? UINT64_MAX / 16 : size * count;
}

static bool is_group_variable(const hsa_brig_base_t *entry)
{
    const hsa_brig_directive_variable_t *variable = (const void *)entry;
    return entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE && variable->segment == HSA_BRIG_SEGMENT_GROUP;
}

static void add_use(struct group_use *g, uint32_t user, uint32_t used)
{
    const hsa_brig_base_t *entry = used ? brig_code(g->lint->view, used) : NULL;
    if (entry && (brig_is_executable(entry) || is_group_variable(entry)) &&
        !vec_push(&g->uses, ((struct use){user, used})))
        g->lint->out_of_memory = true;
}

static void add_uses_of(struct group_use *g, uint32_t user, uint32_t at)
{
    const struct brig_view *view = g->lint->view;
    const hsa_brig_base_t *entry = brig_code(view, at);
    if (is_group_variable(entry))
        add_use(g, user, at); /* its memory is allocated whether or not anything uses it */
    struct brig_list operands = brig_is_inst(entry) ? brig_entry_operands(view, entry) : (struct brig_list){0};
    for (uint32_t i = 0; i < operands.count && operands.items[i]; i++) {
        const void *operand = brig_operand(view, operands.items[i]);
        struct brig_list list = {0};
        switch (((const hsa_brig_base_t *)operand)->kind) {
        case HSA_BRIG_KIND_OPERAND_ADDRESS:
            add_use(g, user, ((const hsa_brig_operand_address_t *)operand)->symbol);
            break;
        case HSA_BRIG_KIND_OPERAND_CODE_REF:
            add_use(g, user, ((const hsa_brig_operand_code_ref_t *)operand)->ref);
            break;
        case HSA_BRIG_KIND_OPERAND_CODE_LIST:
            list = brig_list(view, ((const hsa_brig_operand_code_list_t *)operand)->elements);
            break;
        default: break;
        }
        for (uint32_t l = 0; l < list.count; l++)
            add_use(g, user, list.items[l]);
    }
}

static void need_variable(struct group_use *g, uint32_t kernel, uint32_t entry)
{
    if (g->seen[entry / 4] == kernel)
        return;
    g->seen[entry / 4] = kernel;
    if (!vec_push(&g->work, entry))
        g->lint->out_of_memory = true;
}

static void check_kernel(struct group_use *g, uint32_t kernel)
{
    uint64_t total = 0;
    g->work.count = 0;
    need_variable(g, kernel, kernel);
    while (g->work.count && g->effort && !g->lint->out_of_memory) {
        uint32_t entry = g->work.items[--g->work.count];
        if (is_group_variable(brig_code(g->lint->view, entry))) {
            uint64_t size = size_of(LINT_AS(g->lint, hsa_brig_directive_variable_t, entry));
            total = total > UINT64_MAX - size ? UINT64_MAX : total + size;
        }
        size_t first = search_first(g->uses.count, i, g->uses.items[i].user >= entry);
        for (size_t i = first; i < g->uses.count && g->uses.items[i].user == entry; i++, g->effort -= g->effort != 0)
            need_variable(g, kernel, g->uses.items[i].used);
    }
    if (total > LIMIT_GROUP_BYTES)
        LINT_WARN(g->lint, GROUP_LIMIT, kernel, (struct diag_part){0}, lint_name(g->lint, kernel), total,
                  LIMIT_GROUP_BYTES);
}

/* Calls VISIT for each definition of a kernel or function. */
static void each_definition(struct group_use *g, void (*visit)(struct group_use *g, uint32_t at))
{
    const struct brig_view *view = g->lint->view;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view) && !g->lint->out_of_memory;) {
        const hsa_brig_base_t *entry = brig_code(view, at);
        const hsa_brig_directive_executable_t *e = (const void *)entry;
        bool executable = brig_is_executable(entry);
        if (executable && e->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION)
            visit(g, at);
        at = executable ? e->next_module_entry : brig_next_code(view, at);
    }
}

static void visit_uses(struct group_use *g, uint32_t at)
{
    const hsa_brig_directive_executable_t *e = LINT_AS(g->lint, hsa_brig_directive_executable_t, at);
    for (uint32_t entry = e->first_code_block_entry; entry < e->next_module_entry && !g->lint->out_of_memory;
         entry = brig_next_code(g->lint->view, entry))
        add_uses_of(g, at, entry);
}

static void visit_kernel(struct group_use *g, uint32_t at)
{
    if (brig_code(g->lint->view, at)->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL)
        check_kernel(g, at);
}

void lint_group(struct lint *lint)
{
    struct group_use g = {.lint = lint};
    each_definition(&g, visit_uses);
    g.seen = mem_zalloc(brig_end_code(lint->view) / 4 + 1, sizeof *g.seen);
    lint->out_of_memory |= !g.seen;
    g.effort = (uint64_t)EFFORT_FACTOR * (brig_end_code(lint->view) + 1);
    each_definition(&g, visit_kernel);
    mem_free(g.seen);
    vec_free(&g.uses);
    vec_free(&g.work);
}
