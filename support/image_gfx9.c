/* SPDX-License-Identifier: MIT */
/* Formats, layout and resources of images; see image_gfx9.h.
 * Input: descriptions of any content. Output: layouts and resources. Invariant: the layout is always linear, and no
 * size in it overflows. */
#include "support/image_gfx9.h"

#include "support/bytes.h"

enum { PITCH_MAX = 65536 };

struct type_row {
    char class;
    uint8_t number, data[3], bytes;
    bool packed;
};

static const struct type_row types[] = {
#define TYPE(name, value, letter, number, one, two, four, size)                                              \
    [value] = {letter, GCN_NUM_##number, {one, two, four}, size, false},
#define PACKED(name, value, letter, code, size) [value] = {letter, GCN_NUM_UNORM, {code, code, code}, size, true},
#include "support/image_format.def"
#undef TYPE
#undef PACKED
};

static const struct order_row {
    uint8_t components, selection[4];
    const char *classes;
    bool curve, depth;
} orders[] = {
#define ORDER(name, value, components, x, y, z, w, classes)                                                  \
    [value] = {components, {x, y, z, w}, classes, #name[0] == 'S', #name[0] == 'D'},
#include "support/image_format.def"
#undef ORDER
};

bool image_element_of(uint32_t geometry, uint32_t type, uint32_t order, struct image_element *element)
{
    *element = (struct image_element){.bytes = 0};
    if (geometry >= IMAGE_GEOMETRIES || type >= sizeof types / sizeof *types || order >= sizeof orders / sizeof *orders)
        return false;
    const struct type_row *t = &types[type];
    const struct order_row *o = &orders[order];
    bool depth = geometry == IMAGE_2DDEPTH || geometry == IMAGE_2DADEPTH, buffer = geometry == IMAGE_1DB;
    if (!t->class || !o->components || !strchr(o->classes, t->class) || depth != o->depth ||
        (buffer && (o->curve || t->class == 'p')))
        return false;
    element->data = t->data[o->components == 4 ? 2 : o->components - 1];
    element->number = o->curve ? GCN_NUM_SRGB : t->number;
    element->bytes = t->packed ? t->bytes : (uint8_t)(t->bytes * o->components);
    for (unsigned i = 0; i < 4; i++)
        element->selection |= (uint16_t)(o->selection[i] << 3 * i);
    element->read_only = o->curve;
    return true;
}

/* Whether the sizes that the geometry does not use are 0 and the others are not. */
static bool is_consistent(const struct image_layout *is)
{
    bool height = is->height, depth = is->depth, layers = is->layers;
    if (!is->width || is->geometry >= IMAGE_GEOMETRIES)
        return false;
    switch ((enum image_geometry)is->geometry) {
    case IMAGE_1D:
    case IMAGE_1DB: return !height && !depth && !layers;
    case IMAGE_2D:
    case IMAGE_2DDEPTH: return height && !depth && !layers;
    case IMAGE_3D: return height && depth && !layers;
    case IMAGE_1DA: return !height && !depth && layers;
    case IMAGE_2DA:
    case IMAGE_2DADEPTH: return height && !depth && layers;
    case IMAGE_GEOMETRIES: break;
    }
    return false;
}

enum image_verdict image_lay_out(struct image_layout *is)
{
    bool buffer = is->geometry == IMAGE_1DB;
    if (!is_consistent(is))
        return IMAGE_BAD_SHAPE;
    if (!image_element_of(is->geometry, is->type, is->order, &is->element))
        return IMAGE_BAD_FORMAT;
    is->rows = is->height ? is->height : 1;
    is->slices = is->depth ? is->depth : is->layers ? is->layers : 1;
    if (is->width > (buffer ? UINT32_MAX : (uint64_t)IMAGE_SIDE_MAX) || is->rows > IMAGE_SIDE_MAX ||
        is->slices > IMAGE_DEPTH_MAX)
        return IMAGE_BAD_SIZE;
    uint64_t least = is->width * is->element.bytes;
    least = buffer ? least : align_up(least, IMAGE_ALIGNMENT);
    is->row = is->row ? is->row : least;
    if (is->row < least || (!buffer && (is->row % IMAGE_ALIGNMENT || is->row / is->element.bytes > PITCH_MAX)))
        return IMAGE_BAD_PITCH;
    uint64_t slice = is->row * is->rows;
    if (is->slice && is->slice != slice && is->slices != 1)
        return IMAGE_BAD_PITCH;
    is->slice = slice;
    return IMAGE_FITS;
}

void image_describe(const struct image_layout *is, uint64_t base, uint32_t t[IMAGE_RESOURCE_WORDS])
{
    enum { TYPE_1D = 8, TYPE_2D, TYPE_3D, TYPE_1DA = 12, TYPE_2DA };
    static const uint8_t kinds[] = {TYPE_1D, TYPE_2D, TYPE_3D, TYPE_1DA, TYPE_2DA, 0, TYPE_2D, TYPE_2DA};
    const struct image_element *element = &is->element;
    memset(t, 0, IMAGE_RESOURCE_WORDS * sizeof *t);
    if (is->geometry == IMAGE_1DB) {
        t[0] = (uint32_t)base;
        t[1] = (uint32_t)(base >> 32 & 0xffff) | (uint32_t)element->bytes << 16;
        t[2] = (uint32_t)is->width;
        t[3] = element->selection | (uint32_t)element->number << 12 | (uint32_t)element->data << 15;
    } else {
        t[0] = (uint32_t)(base >> 8);
        t[1] = (uint32_t)(base >> 40 & 0xff) | (uint32_t)element->data << 20 | (uint32_t)element->number << 26;
        t[2] = (uint32_t)(is->width - 1) | (uint32_t)(is->rows - 1) << 14;
        t[3] = element->selection | (uint32_t)kinds[is->geometry] << 28;
        t[4] = (uint32_t)(is->slices - 1) | (uint32_t)(is->row / element->bytes - 1) << 13;
    }
    t[IMAGE_WORD_TYPE] = is->type;
    t[IMAGE_WORD_TYPE + 1] = is->order;
    t[IMAGE_WORD_TYPE + 2] = (uint32_t)is->width;
}
