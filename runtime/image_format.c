/* SPDX-License-Identifier: MIT */
/* Which image formats there are, and how GFX9 encodes them. (HSA 1.2; ROCR documentation 4.6)
 *
 * Input: agents, geometries and formats of any value. Output: struct image_format; when it has no capabilities, there
 * are no such images. */
#include "runtime/image.h"

enum {
    ALL = HSA_EXT_IMAGE_CAPABILITY_READ_ONLY | HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY |
          HSA_EXT_IMAGE_CAPABILITY_READ_WRITE | HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT,
    READ = HSA_EXT_IMAGE_CAPABILITY_READ_ONLY | HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT
};

struct type_row {
    char class;
    uint8_t number, data[3], bytes;
    bool packed;
};

static const struct type_row types[] = {
#define TYPE(name, letter, number, one, two, four, size)                                                               \
    [HSA_EXT_IMAGE_CHANNEL_TYPE_##name] = {letter, GCN_NUM_##number, {one, two, four}, size, false},
#define PACKED(name, letter, code, size)                                                                               \
    [HSA_EXT_IMAGE_CHANNEL_TYPE_##name] = {letter, GCN_NUM_UNORM, {code, code, code}, size, true},
#include "runtime/image_format.def"
#undef TYPE
#undef PACKED
};

static const struct order_row {
    uint8_t components, selection[4];
    const char *classes;
} orders[] = {
#define ORDER(name, components, x, y, z, w, classes)                                                                   \
    [HSA_EXT_IMAGE_CHANNEL_ORDER_##name] = {components, {x, y, z, w}, classes},
#include "runtime/image_format.def"
#undef ORDER
};

/* Image resources are made in the format of GFX9, so only agents that run code for GFX9 have images. */
bool image_agent(const struct agent *agent)
{
    static const char prefix[] = "amdgcn-amd-amdhsa--gfx9";
    return agent->config.isa_count && !strncmp(agent->config.isas[0].name, prefix, sizeof prefix - 1);
}

bool images_usable(void)
{
    for (size_t i = 0; i < runtime.agents.count; i++)
        if (image_agent(runtime.agents.items[i]))
            return true;
    return false;
}

static uint32_t without_curve(uint32_t order)
{
    switch (order) {
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGB: return HSA_EXT_IMAGE_CHANNEL_ORDER_RGB;
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBX: return HSA_EXT_IMAGE_CHANNEL_ORDER_RGBX;
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA: return HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA;
    case HSA_EXT_IMAGE_CHANNEL_ORDER_SBGRA: return HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA;
    default: return order;
    }
}

bool image_orders_match(uint32_t a, uint32_t b)
{
    return without_curve(a) == without_curve(b);
}

struct image_format image_format_of(const struct agent *agent, hsa_ext_image_geometry_t geometry,
                                    const hsa_ext_image_format_t *format)
{
    struct image_format result = {.capabilities = 0};
    uint32_t type = format->channel_type, order = format->channel_order;
    if (!image_agent(agent) || type >= sizeof types / sizeof *types || order >= sizeof orders / sizeof *orders)
        return result;
    const struct type_row *t = &types[type];
    const struct order_row *o = &orders[order];
    bool depth = geometry == HSA_EXT_IMAGE_GEOMETRY_2DDEPTH || geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH;
    bool curve = without_curve(order) != order, buffer = geometry == HSA_EXT_IMAGE_GEOMETRY_1DB;
    if (!t->class || !o->components || !strchr(o->classes, t->class) ||
        depth != (order == HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH) || (buffer && (curve || t->class == 'p')))
        return result;
    result.is.data = t->data[o->components == 4 ? 2 : o->components - 1];
    result.is.number = curve ? GCN_NUM_SRGB : t->number;
    result.bytes = t->packed ? t->bytes : (uint8_t)(t->bytes * o->components);
    for (unsigned i = 0; i < 4; i++)
        result.selection |= (uint16_t)(o->selection[i] << 3 * i);
    result.capabilities = curve ? READ : ALL;
    return result;
}
