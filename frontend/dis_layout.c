/* SPDX-License-Identifier: MIT */
/* What only the readable layout has: blank lines, loc without a file or column that is the default, rows of numbers.
 * Input: where an entry is. Output: what is printed before it, or in its place. Invariant: the text assembles to the
 * same as the layout with tabs. */
#include "frontend/dis_p.h"

/* Items that have no blank lines between them. */
enum dis_group { GROUP_NONE, GROUP_HEADER, GROUP_DATA, GROUP_DECLARATIONS, GROUP_DEFINITION };

static enum dis_group group_of(const hsa_brig_base_t *base)
{
    const void *entry = base;
    const hsa_brig_directive_executable_t *executable = entry;
    if (base->kind == HSA_BRIG_KIND_DIRECTIVE_MODULE || brig_is_extension(base))
        return GROUP_HEADER;
    if (base->kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE)
        return GROUP_DECLARATIONS;
    if (!brig_is_executable(base))
        return GROUP_DATA;
    return executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION ? GROUP_DEFINITION : GROUP_DECLARATIONS;
}

/* Annotations are taken to belong to the item after them. */
void dis_blank(struct dis *dis, uint32_t offset)
{
    const struct brig_view *view = dis->view;
    uint32_t item = offset;
    if (offset < dis->noted)
        return;
    while (item < brig_end_code(view) && brig_is_annotation(brig_code(view, item)))
        item = brig_next_code(view, item);
    enum dis_group group = item < brig_end_code(view) ? group_of(brig_code(view, item)) : GROUP_DEFINITION;
    if (dis->group != GROUP_NONE && (dis->group != group || group == GROUP_DEFINITION))
        dis_char(dis, '\n');
    dis->group = (uint8_t)group;
    dis->noted = item < brig_end_code(view) ? brig_next_code(view, item) : item;
}

void dis_blank_before_label(struct dis *dis, uint32_t previous, uint32_t offset)
{
    if (previous && brig_code(dis->view, offset)->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL &&
        brig_code(dis->view, previous)->kind != HSA_BRIG_KIND_DIRECTIVE_LABEL &&
        !brig_is_annotation(brig_code(dis->view, previous)))
        dis_char(dis, '\n');
}

/* A column of 1 and the file of the loc before need not be written: they are stored when none is given (PRM 13.2). */
void dis_location(struct dis *dis, const hsa_brig_directive_loc_t *entry)
{
    struct bytes name = brig_string(dis->view, entry->filename), last = brig_string(dis->view, dis->file);
    bool same = dis->file && name.size == last.size && !memcmp(name.data, last.data, name.size);
    dis_text(dis, "loc ");
    dis_unsigned(dis, entry->line);
    if (entry->column != 1) {
        dis_char(dis, ' ');
        dis_unsigned(dis, entry->column);
    }
    if (!same) {
        dis_char(dis, ' ');
        dis_string(dis, name);
    }
    dis_text(dis, ";\n");
    dis->file = entry->filename;
}

/* Chosen so that a row is never longer than a line that format_text() leaves as it is. */
static size_t elements_of_row(const struct lang_type *type)
{
    if (type->count > 1)
        return type->bits < 64 ? 2 : 1;
    if (type->class_ == LANG_CLASS_FLOAT)
        return type->bits == 16 ? 8 : 4;
    return type->bits <= 8 ? 16 : type->bits < 64 ? 8 : 4;
}

void dis_between_elements(struct dis *dis, size_t i, const struct lang_type *type)
{
    size_t row = elements_of_row(type);
    if (i && i % row)
        dis_text(dis, ", ");
    if (!i || i % row)
        return;
    dis_text(dis, ",\n");
}
