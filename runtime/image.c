/* SPDX-License-Identifier: MIT */
/* Images: their layout, creation and resources. (HSA 1.2; ROCR documentation 4.6)
 *
 * Input: descriptors and handles of any value. Output: image resources of GFX9 that kernels read, and struct image.
 * Invariant: the layout is always linear, whether the client leaves it open or asks for it; so images with the same
 * descriptor have their data laid out alike, whatever their access is. */
#include "runtime/api_table.h"
#include "runtime/image.h"

#include "runtime/memory.h"
#include "support/bytes.h"
#include "support/search.h"

#define FORMAT_UNSUPPORTED HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED
#define SIZE_UNSUPPORTED   HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED
#define PITCH_UNSUPPORTED  HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED

enum { HANDLES_MAX = 16384 };

static struct object_set images = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- sets of live objects ---- */

static size_t object_position(const struct object_set *set, uint64_t handle)
{
    return search_first(set->sorted.count, i, (uintptr_t)set->sorted.items[i]->resource >= handle);
}

static bool object_add(struct object_set *set, struct image_object *object)
{
    pthread_mutex_lock(&set->lock);
    bool room = set->sorted.count < HANDLES_MAX && vec_reserve(&set->sorted, 1);
    if (room) {
        size_t i = object_position(set, (uintptr_t)object->resource);
        struct image_object **at = &set->sorted.items[i];
        memmove(at + 1, at, (set->sorted.count - i) * sizeof *at);
        *at = object;
        set->sorted.count++;
    }
    pthread_mutex_unlock(&set->lock);
    return room;
}

static struct image_object *look_up(struct object_set *set, const struct agent *agent, uint64_t handle, bool take_out)
{
    struct image_object *found = NULL;
    pthread_mutex_lock(&set->lock);
    size_t i = object_position(set, handle);
    struct image_object **at = set->sorted.items + i;
    if (i < set->sorted.count && (uintptr_t)(*at)->resource == handle && (*at)->agent == agent)
        found = *at;
    if (found && take_out)
        memmove(at, at + 1, (--set->sorted.count - i) * sizeof *at);
    pthread_mutex_unlock(&set->lock);
    return found;
}

/* Zeroed memory of SIZE bytes that kernels of AGENT can read. */
static void *object_memory(struct agent *agent, size_t size)
{
    void *memory = NULL;
    for (size_t i = 0; i < agent->config.region_count && !memory; i++) {
        const hsam_region *region = agent->regions[i].is;
        if (region->segment == HSA_REGION_SEGMENT_GLOBAL && region->host_accessible && region->accessible_by_all &&
            region->alloc_max_size && memory_allocate(&agent->regions[i], size, &memory) == HSA_STATUS_SUCCESS)
            memset(memory, 0, size);
    }
    return memory;
}

bool object_keep(struct object_set *set, struct image_object *object, struct agent *agent, const uint32_t *resource,
                 unsigned words)
{
    *object = (struct image_object){object_memory(agent, words * sizeof *resource), agent};
    if (!object->resource)
        return false;
    memcpy(object->resource, resource, words * sizeof *resource);
    if (object_add(set, object))
        return true;
    hsa_memory_free(object->resource);
    return false;
}

struct image_object *object_find(struct object_set *set, const struct agent *agent, uint64_t handle)
{
    return look_up(set, agent, handle, false);
}

bool object_destroy(struct object_set *set, const struct agent *agent, uint64_t handle)
{
    struct image_object *object = look_up(set, agent, handle, true);
    if (!object)
        return false;
    hsa_memory_free(object->resource);
    mem_free(object);
    return true;
}

void object_set_shut_down(struct object_set *set)
{
    for (size_t i = 0; i < set->sorted.count; i++)
        mem_free(set->sorted.items[i]);
    vec_free(&set->sorted);
}

/* ---- attributes ---- */

/* Values of 32 bits, as AMD's runtime writes them (doc/decisions/image-limits.md). */
bool image_attribute(const struct agent *agent, int attribute, void *value)
{
    uint32_t is = image_agent(agent);
    switch (attribute) {
    case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS: PUT(uint32_t, IMAGE_SIDE_MAX *is); return true;
    case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS: PUT(uint32_t, UINT32_MAX *is); return true;
    case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
        memcpy(value, (uint32_t[2]){is * IMAGE_SIDE_MAX, is * IMAGE_SIDE_MAX}, sizeof(uint32_t[2]));
        return true;
    case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
        memcpy(value, (uint32_t[3]){is * IMAGE_SIDE_MAX, is * IMAGE_SIDE_MAX, is * IMAGE_DEPTH_MAX},
               sizeof(uint32_t[3]));
        return true;
    case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS: PUT(uint32_t, IMAGE_DEPTH_MAX *is); return true;
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
    case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS: PUT(uint32_t, HANDLES_MAX *is); return true;
    case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT: PUT(uint32_t, IMAGE_ALIGNMENT *is); return true;
    }
    return false;
}

HSA_API hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t handle, hsa_agent_info_t attribute, void *value)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(value && (int)attribute <= HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS);
    return image_attribute(agent, (int)attribute, value) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t capability(hsa_agent_t handle, hsa_ext_image_geometry_t geometry,
                               const hsa_ext_image_format_t *format, uint32_t *mask)
{
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(format && mask && geometry <= HSA_EXT_IMAGE_GEOMETRY_2DADEPTH);
    *mask = image_capabilities(agent, geometry, format);
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_ext_image_get_capability(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                                  const hsa_ext_image_format_t *image_format, uint32_t *capability_mask)
{
    CHECK_UP();
    return capability(agent, geometry, image_format, capability_mask);
}

HSA_API hsa_status_t hsa_ext_image_get_capability_with_layout(
    hsa_agent_t agent, hsa_ext_image_geometry_t geometry, const hsa_ext_image_format_t *image_format,
    hsa_ext_image_data_layout_t image_data_layout, uint32_t *capability_mask)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(image_data_layout == HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR);
    return capability(agent, geometry, image_format, capability_mask);
}

/* ---- layout ---- */

static bool access_allowed(uint32_t capabilities, hsa_access_permission_t access)
{
    switch (access) {
    case HSA_ACCESS_PERMISSION_RO: return capabilities & HSA_EXT_IMAGE_CAPABILITY_READ_ONLY;
    case HSA_ACCESS_PERMISSION_WO: return capabilities & HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY;
    case HSA_ACCESS_PERMISSION_RW: return capabilities & HSA_EXT_IMAGE_CAPABILITY_READ_WRITE;
    case HSA_ACCESS_PERMISSION_NONE: break;
    }
    return false;
}

/* Fills in all of IMAGE except its base and its resource. ROW and SLICE are the pitches asked for, or 0. */
static hsa_status_t lay_out_image(struct agent *agent, const hsa_ext_image_descriptor_t *is,
                                  hsa_access_permission_t access, size_t row, size_t slice, struct image *image)
{
    CHECK_ARGUMENT(is && is->geometry <= HSA_EXT_IMAGE_GEOMETRY_2DADEPTH && access >= HSA_ACCESS_PERMISSION_RO &&
                   access <= HSA_ACCESS_PERMISSION_RW);
    *image = (struct image){
        .is = *is,
        .layout = {.geometry = is->geometry,
                   .type = is->format.channel_type,
                   .order = is->format.channel_order,
                   .width = is->width,
                   .height = is->height,
                   .depth = is->depth,
                   .layers = is->array_size,
                   .row = row,
                   .slice = slice}};
    enum image_verdict verdict = image_lay_out(&image->layout);
    CHECK_ARGUMENT(verdict != IMAGE_BAD_SHAPE);
    CHECK(access_allowed(image_capabilities(agent, is->geometry, &is->format), access), FORMAT_UNSUPPORTED);
    CHECK(verdict != IMAGE_BAD_SIZE, SIZE_UNSUPPORTED);
    CHECK(verdict == IMAGE_FITS, PITCH_UNSUPPORTED);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t data_info(hsa_agent_t handle, const hsa_ext_image_descriptor_t *is, hsa_access_permission_t access,
                              size_t row, size_t slice, hsa_ext_image_data_info_t *info)
{
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(info);
    struct image image;
    hsa_status_t status = lay_out_image(agent, is, access, row, slice, &image);
    if (status == HSA_STATUS_SUCCESS)
        *info = (hsa_ext_image_data_info_t){image.layout.slice * image.layout.slices, IMAGE_ALIGNMENT};
    return status;
}

HSA_API hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                                 hsa_access_permission_t access_permission,
                                                 hsa_ext_image_data_info_t *image_data_info)
{
    CHECK_UP();
    return data_info(agent, image_descriptor, access_permission, 0, 0, image_data_info);
}

HSA_API hsa_status_t hsa_ext_image_data_get_info_with_layout(
    hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor, hsa_access_permission_t access_permission,
    hsa_ext_image_data_layout_t image_data_layout, size_t image_data_row_pitch, size_t image_data_slice_pitch,
    hsa_ext_image_data_info_t *image_data_info)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(image_data_layout == HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR);
    return data_info(agent, image_descriptor, access_permission, image_data_row_pitch, image_data_slice_pitch,
                     image_data_info);
}

/* ---- creation ---- */

static hsa_status_t create(hsa_agent_t handle, const hsa_ext_image_descriptor_t *is, const void *data,
                           hsa_access_permission_t access, size_t row, size_t slice, hsa_ext_image_t *result)
{
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(data && result && (uintptr_t)data % IMAGE_ALIGNMENT == 0);
    struct image image;
    hsa_status_t status = lay_out_image(agent, is, access, row, slice, &image);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    uint32_t resource[IMAGE_RESOURCE_WORDS];
    image.base = (char *)(uintptr_t)data;
    image_describe(&image.layout, (uintptr_t)data, resource);
    struct image *kept = mem_alloc(sizeof *kept);
    CHECK(kept, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *kept = image;
    if (!object_keep(&images, &kept->object, agent, resource, IMAGE_RESOURCE_WORDS)) {
        mem_free(kept);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    result->handle = (uintptr_t)kept->object.resource;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                          const void *image_data, hsa_access_permission_t access_permission,
                                          hsa_ext_image_t *image)
{
    CHECK_UP();
    return create(agent, image_descriptor, image_data, access_permission, 0, 0, image);
}

HSA_API hsa_status_t hsa_ext_image_create_with_layout(
    hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor, const void *image_data,
    hsa_access_permission_t access_permission, hsa_ext_image_data_layout_t image_data_layout,
    size_t image_data_row_pitch, size_t image_data_slice_pitch, hsa_ext_image_t *image)
{
    CHECK_UP();
    CHECK(agent_find(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(image_data_layout == HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR);
    return create(agent, image_descriptor, image_data, access_permission, image_data_row_pitch, image_data_slice_pitch,
                  image);
}

HSA_API hsa_status_t hsa_amd_image_create(hsa_agent_t handle, const hsa_ext_image_descriptor_t *image_descriptor,
                                          const hsa_amd_image_descriptor_t *image_layout, const void *image_data,
                                          hsa_access_permission_t access_permission, hsa_ext_image_t *image)
{
    enum { VENDOR_AMD = 0x1002, SWIZZLE = 0x1f << 20, PITCH = 0xffff };
    CHECK_UP();
    struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(image && image_layout && image_layout->version == 1 && image_layout->deviceID >> 16 == VENDOR_AMD &&
                   (image_layout->deviceID & 0xffff) == agent->config.chip_id && image_descriptor &&
                   image_descriptor->geometry != HSA_EXT_IMAGE_GEOMETRY_1DB);
    const uint32_t *words = image_layout->data;
    CHECK_ARGUMENT(!(words[3] & SWIZZLE));
    const hsa_ext_image_format_t *format = &image_descriptor->format;
    struct image_element element;
    CHECK(image_capabilities(agent, image_descriptor->geometry, format) &&
              image_element_of(image_descriptor->geometry, format->channel_type, format->channel_order, &element),
          FORMAT_UNSUPPORTED);
    hsa_ext_image_t made;
    hsa_status_t status = create(handle, image_descriptor, image_data, access_permission,
                                 ((words[4] >> 13 & PITCH) + (size_t)1) * element.bytes, 0, &made);
    CHECK(status == HSA_STATUS_SUCCESS,
          status == HSA_STATUS_ERROR_OUT_OF_RESOURCES ? status : HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *image = made;
    return HSA_STATUS_SUCCESS;
}

struct image *image_find(const struct agent *agent, hsa_ext_image_t handle)
{
    return (struct image *)object_find(&images, agent, handle.handle);
}

HSA_API hsa_status_t hsa_ext_image_destroy(hsa_agent_t handle, hsa_ext_image_t image)
{
    CHECK_UP();
    const struct agent *agent = agent_find(handle);
    CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_ARGUMENT(object_destroy(&images, agent, image.handle));
    return HSA_STATUS_SUCCESS;
}

void images_shut_down(void)
{
    object_set_shut_down(&images);
    samplers_shut_down();
}

const void *images_table(void)
{
    static const hsa_ext_images_1_pfn_t table = {
        entry_hsa_ext_image_get_capability,
        entry_hsa_ext_image_data_get_info,
        entry_hsa_ext_image_create,
        entry_hsa_ext_image_destroy,
        entry_hsa_ext_image_copy,
        entry_hsa_ext_image_import,
        entry_hsa_ext_image_export,
        entry_hsa_ext_image_clear,
        entry_hsa_ext_sampler_create,
        entry_hsa_ext_sampler_destroy,
        entry_hsa_ext_image_get_capability_with_layout,
        entry_hsa_ext_image_data_get_info_with_layout,
        entry_hsa_ext_image_create_with_layout,
    };
    return &table;
}
