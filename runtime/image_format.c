/* SPDX-License-Identifier: MIT */
/* Which image formats there are. (HSA 1.2; ROCR documentation 4.6)
 *
 * Input: agents, geometries and formats of any value. Output: capabilities; 0 if there are no such images.
 * Invariant: only agents that run code for GFX9 have images. */
#include "runtime/image.h"

enum {
    ALL = HSA_EXT_IMAGE_CAPABILITY_READ_ONLY | HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY |
          HSA_EXT_IMAGE_CAPABILITY_READ_WRITE | HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT,
    READ = HSA_EXT_IMAGE_CAPABILITY_READ_ONLY | HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT
};

#define TYPE(name, number, ...)                                                                              \
    _Static_assert(HSA_EXT_IMAGE_CHANNEL_TYPE_##name == (number), "the numbers of HSA");
#define PACKED(name, number, ...) TYPE(name, number)
#define ORDER(name, number, ...)                                                                             \
    _Static_assert(HSA_EXT_IMAGE_CHANNEL_ORDER_##name == (number), "the numbers of HSA");
#include "support/image_format.def"
#undef TYPE
#undef PACKED
#undef ORDER
_Static_assert((int)IMAGE_1DB == HSA_EXT_IMAGE_GEOMETRY_1DB && (int)IMAGE_2DADEPTH == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH,
               "the numbers of HSA");

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

uint32_t image_capabilities(const struct agent *agent, hsa_ext_image_geometry_t geometry,
                            const hsa_ext_image_format_t *format)
{
    struct image_element element;
    if (!image_agent(agent) || !image_element_of(geometry, format->channel_type, format->channel_order, &element))
        return 0;
    return element.read_only ? READ : ALL;
}
