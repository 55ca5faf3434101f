/* SPDX-License-Identifier: MIT */
/* Copies, imports, exports and clears the texels of images. (HSA 1.2; ROCR documentation 4.6)
 *
 * Input: images, memory and regions of any value. Output: texels. Invariant: of an image nothing outside it is touched,
 * and of the client's memory only what the region and the pitches describe. */
#include "runtime/gcn/exec/exec_pixel.h"
#include "runtime/image.h"
#include "runtime/memory.h"

/* A box of texels. A range that the geometry does not have is 1. */
struct box {
    size_t x, y, z, width, rows, slices;
};

static bool has_layers_only(const struct image *image)
{
    return image->is.geometry == HSA_EXT_IMAGE_GEOMETRY_1DA;
}

/* Makes BOX from OFFSET and RANGE. Returns whether it lies inside IMAGE. In an array of lines, Y and Z count layers. */
static bool box_of(const struct image *image, const hsa_dim3_t *offset, const hsa_dim3_t *range, struct box *box)
{
    *box = (struct box){offset->x, offset->y, offset->z, range->x, range->y, range->z};
    bool lines = image->is.height == 0;
    if (lines && !box->rows)
        box->rows = 1;
    if (!box->slices && (image->layout.slices == 1 || lines))
        box->slices = 1;
    if (box->x + box->width > image->layout.width)
        return false;
    if (has_layers_only(image))
        return box->y + box->rows + box->z + box->slices <= image->layout.slices + 1;
    return box->y + box->rows <= image->layout.rows && box->z + box->slices <= image->layout.slices;
}

static char *row_at(const struct image *image, const struct box *box, size_t y, size_t z)
{
    y += box->y;
    z += box->z;
    size_t offset =
        has_layers_only(image) ? (y + z) * image->layout.slice : y * image->layout.row + z * image->layout.slice;
    return image->base + offset + box->x * image->layout.element.bytes;
}

HSA_API hsa_status_t hsa_ext_image_copy(hsa_agent_t handle, hsa_ext_image_t src_image, const hsa_dim3_t *src_offset,
                                        hsa_ext_image_t dst_image, const hsa_dim3_t *dst_offset,
                                        const hsa_dim3_t *range)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    const struct image *from = image_find(agent, src_image), *to = image_find(agent, dst_image);
    struct box source, target;
    CHECK_ARGUMENT(
        from && to && src_offset && dst_offset && range && from->is.format.channel_type == to->is.format.channel_type &&
        image_orders_match(from->is.format.channel_order, to->is.format.channel_order) &&
        box_of(from, src_offset, range, &source) && box_of(to, dst_offset, range, &target));
    size_t rows = source.rows < target.rows ? source.rows : target.rows;
    size_t slices = source.slices < target.slices ? source.slices : target.slices;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t z = 0; z < slices; z++)
        for (size_t y = 0; y < rows && status == HSA_STATUS_SUCCESS; y++)
            status = memory_copy(row_at(to, &target, y, z), row_at(from, &source, y, z),
                                 range->x * from->layout.element.bytes);
    return status;
}

/* Copies between the image and MEMORY, which has the pitches ROW and SLICE: into the image, or out of it. */
static hsa_status_t transfer_image(hsa_agent_t handle, hsa_ext_image_t image_handle, char *memory, size_t row,
                                   size_t slice, const hsa_ext_image_region_t *region, bool into)
{
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    const struct image *image = image_find(agent, image_handle);
    struct box box;
    CHECK_ARGUMENT(image && memory && region && box_of(image, &region->offset, &region->range, &box));
    size_t bytes = box.width * image->layout.element.bytes;
    row = row < bytes ? bytes : row;
    size_t rows = has_layers_only(image) ? 1 : box.rows, full;
    CHECK_ARGUMENT(!__builtin_mul_overflow(row, rows, &full));
    slice = slice < full ? full : slice;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t z = 0; z < box.slices; z++)
        for (size_t y = 0; y < box.rows && status == HSA_STATUS_SUCCESS; y++) {
            char *other = memory + (has_layers_only(image) ? (y + z) * slice : y * row + z * slice);
            char *own = row_at(image, &box, y, z);
            status = into ? memory_copy(own, other, bytes) : memory_copy(other, own, bytes);
        }
    return status;
}

HSA_API hsa_status_t hsa_ext_image_import(hsa_agent_t agent, const void *src_memory, size_t src_row_pitch,
                                          size_t src_slice_pitch, hsa_ext_image_t dst_image,
                                          const hsa_ext_image_region_t *image_region)
{
    CHECK_UP();
    return transfer_image(agent, dst_image, (char *)(uintptr_t)src_memory, src_row_pitch, src_slice_pitch, image_region,
                          true);
}

HSA_API hsa_status_t hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t src_image, void *dst_memory,
                                          size_t dst_row_pitch, size_t dst_slice_pitch,
                                          const hsa_ext_image_region_t *image_region)
{
    CHECK_UP();
    return transfer_image(agent, src_image, dst_memory, dst_row_pitch, dst_slice_pitch, image_region, false);
}

HSA_API hsa_status_t hsa_ext_image_clear(hsa_agent_t handle, hsa_ext_image_t image_handle, const void *data,
                                         const hsa_ext_image_region_t *image_region)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    const struct image *image = image_find(agent, image_handle);
    struct box box;
    CHECK_ARGUMENT(image && data && image_region && box_of(image, &image_region->offset, &image_region->range, &box));
    uint32_t components[4] = {0};
    uint8_t texel[16];
    size_t bytes = image->layout.element.bytes;
    bool depth = image->is.format.channel_order == HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH;
    memcpy(components, data, depth ? sizeof components[0] : sizeof components);
    gcn_pixel_unselect(image->layout.element.selection, components);
    gcn_pixel_encode((struct gcn_pixel_format){image->layout.element.data, image->layout.element.number}, components,
                     texel);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t z = 0; z < box.slices; z++)
        for (size_t y = 0; y < box.rows; y++) {
            char *row = row_at(image, &box, y, z);
            for (size_t x = 0; x < box.width && status == HSA_STATUS_SUCCESS; x++)
                status = memory_copy(row + x * bytes, texel, bytes);
        }
    return status;
}
