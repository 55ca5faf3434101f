/* SPDX-License-Identifier: MIT */
/* Tests images and samplers of the software GPU as the host sees them: capabilities, layouts, texels, resources. The
 * expected bytes are written out by hand from the definitions of the formats. */
#include "testsuite/runtime/common.h"

#include "hsa/hsa_ext_image.h"

enum { ROW = 256 };

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t pool;

static hsa_ext_image_format_t format(uint32_t type, uint32_t order)
{
    return (hsa_ext_image_format_t){type, order};
}

static uint32_t capability(hsa_ext_image_geometry_t geometry, uint32_t type, uint32_t order)
{
    uint32_t mask = 99;
    hsa_ext_image_format_t is = format(type, order);
    return hsa_ext_image_get_capability(gpu, geometry, &is, &mask) == HSA_STATUS_SUCCESS ? mask : 98;
}

#define TYPE(name)  HSA_EXT_IMAGE_CHANNEL_TYPE_##name
#define ORDER(name) HSA_EXT_IMAGE_CHANNEL_ORDER_##name
#define SHAPE(name) HSA_EXT_IMAGE_GEOMETRY_##name

static void capabilities(void)
{
    enum { ALL = 1 | 2 | 4 | 16, NONE = 0 };
    ok(capability(SHAPE(2D), TYPE(UNORM_INT8), ORDER(RGBA)) == ALL &&
           capability(SHAPE(2D), TYPE(FLOAT), ORDER(R)) == ALL &&
           capability(SHAPE(3D), TYPE(UNSIGNED_INT32), ORDER(RG)) == ALL &&
           capability(SHAPE(1DB), TYPE(HALF_FLOAT), ORDER(RGBA)) == ALL,
       "formats that must be there");
    ok(capability(SHAPE(2D), TYPE(UNORM_INT8), ORDER(SRGBA)) == (1 | 16) &&
           capability(SHAPE(1DB), TYPE(UNORM_INT8), ORDER(SRGBA)) == NONE &&
           capability(SHAPE(2D), TYPE(FLOAT), ORDER(SRGBA)) == NONE,
       "sRGB is read, and not from buffers");
    ok(capability(SHAPE(2DDEPTH), TYPE(FLOAT), ORDER(DEPTH)) == ALL &&
           capability(SHAPE(2D), TYPE(FLOAT), ORDER(DEPTH)) == NONE &&
           capability(SHAPE(2DDEPTH), TYPE(FLOAT), ORDER(R)) == NONE,
       "depth is for depth images");
    ok(capability(SHAPE(2D), TYPE(UNORM_SHORT_565), ORDER(RGB)) == ALL &&
           capability(SHAPE(2D), TYPE(UNORM_SHORT_565), ORDER(RGBA)) == NONE &&
           capability(SHAPE(2D), TYPE(FLOAT), ORDER(RGB)) == NONE && capability(SHAPE(2D), 77, 0) == NONE &&
           capability(SHAPE(2D), 0, 77) == NONE,
       "packed formats have three channels; others do not exist");
    hsa_ext_image_format_t is = format(TYPE(FLOAT), ORDER(R));
    uint32_t mask;
    bool has = false;
    hsa_ext_images_1_pfn_t table;
    ok(hsa_ext_image_get_capability((hsa_agent_t){3}, SHAPE(1D), &is, &mask) == HSA_STATUS_ERROR_INVALID_AGENT &&
           hsa_ext_image_get_capability(gpu, SHAPE(1D), NULL, &mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_get_capability(gpu, (hsa_ext_image_geometry_t)8, &is, &mask) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_get_capability_with_layout(gpu, SHAPE(1D), &is, HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE, &mask) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_get_capability(cpu, SHAPE(1D), &is, &mask) == HSA_STATUS_SUCCESS && mask == NONE,
       "wrong questions are refused; the CPU has no images");
    ok(hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &has) == HSA_STATUS_SUCCESS && has &&
           hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, cpu, 1, 0, &has) == HSA_STATUS_SUCCESS && !has &&
           hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, sizeof table, &table) == HSA_STATUS_SUCCESS &&
           table.hsa_ext_image_create_with_layout == hsa_ext_image_create_with_layout,
       "the extension is announced, with its table");
    uint32_t sizes[3] = {0};
    ok(hsa_agent_get_info(gpu, (hsa_agent_info_t)HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS, sizes) ==
               HSA_STATUS_SUCCESS &&
           sizes[0] >= 2048 && sizes[1] >= 2048 && sizes[2] >= 2048 &&
           hsa_amd_image_get_info_max_dim(gpu, (hsa_agent_info_t)HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS, sizes) ==
               HSA_STATUS_SUCCESS &&
           sizes[0] >= 2048,
       "the limits are those that HSA asks for, or more");
}

static hsa_ext_image_descriptor_t shape(hsa_ext_image_geometry_t geometry, size_t w, size_t h, size_t d, size_t n,
                                        hsa_ext_image_format_t is)
{
    return (hsa_ext_image_descriptor_t){geometry, w, h, d, n, is};
}

static hsa_status_t size_of(hsa_ext_image_descriptor_t is, size_t *size)
{
    hsa_ext_image_data_info_t info = {0};
    hsa_status_t status = hsa_ext_image_data_get_info(gpu, &is, HSA_ACCESS_PERMISSION_RO, &info);
    *size = info.size;
    return status;
}

static void layouts(void *memory)
{
    hsa_ext_image_format_t rgba = format(TYPE(UNORM_INT8), ORDER(RGBA));
    size_t size;
    ok(size_of(shape(SHAPE(2D), 10, 7, 0, 0, rgba), &size) == HSA_STATUS_SUCCESS && size == 7 * ROW &&
           size_of(shape(SHAPE(3D), 65, 7, 3, 0, rgba), &size) == HSA_STATUS_SUCCESS && size == 2 * ROW * 7 * 3 &&
           size_of(shape(SHAPE(1DA), 10, 0, 0, 5, rgba), &size) == HSA_STATUS_SUCCESS && size == 5 * ROW &&
           size_of(shape(SHAPE(1DB), 10, 0, 0, 0, rgba), &size) == HSA_STATUS_SUCCESS && size == 40,
       "sizes count whole rows");
    ok(size_of(shape(SHAPE(2D), 10, 0, 0, 0, rgba), &size) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           size_of(shape(SHAPE(1D), 10, 5, 0, 0, rgba), &size) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           (int)size_of(shape(SHAPE(2D), 16385, 1, 0, 0, rgba), &size) == HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED &&
           (int)size_of(shape(SHAPE(2DA), 1, 1, 0, 8193, rgba), &size) == HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED &&
           (int)size_of(shape(SHAPE(2D), 1, 1, 0, 0, format(5, 0)), &size) ==
               HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED,
       "wrong shapes, sizes and formats are told apart");
    hsa_ext_image_descriptor_t is = shape(SHAPE(2D), 10, 7, 0, 0, rgba);
    hsa_ext_image_data_info_t info;
    hsa_ext_image_t image;
    hsa_ext_image_data_layout_t linear = HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR;
    ok(hsa_ext_image_data_get_info_with_layout(gpu, &is, HSA_ACCESS_PERMISSION_RW, linear, 512, 0, &info) ==
               HSA_STATUS_SUCCESS &&
           info.size == 512 * 7 &&
           (int)hsa_ext_image_data_get_info_with_layout(gpu, &is, HSA_ACCESS_PERMISSION_RW, linear, 300, 0, &info) ==
               HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED &&
           hsa_ext_image_data_get_info(gpu, &is, HSA_ACCESS_PERMISSION_NONE, &info) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "pitches");
    ok(hsa_ext_image_create(gpu, &is, (char *)memory + 4, HSA_ACCESS_PERMISSION_RO, &image) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_create(gpu, &is, NULL, HSA_ACCESS_PERMISSION_RO, &image) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_destroy(gpu, (hsa_ext_image_t){123}) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "misaligned memory and what is no image are refused");
}

static void texels(unsigned char *memory)
{
    hsa_ext_image_descriptor_t is = shape(SHAPE(2D), 10, 7, 0, 0, format(TYPE(UNORM_INT8), ORDER(BGRA)));
    hsa_ext_image_t image = {0}, other = {0};
    memset(memory, 0xee, 16384);
    ok(hsa_ext_image_create(gpu, &is, memory, HSA_ACCESS_PERMISSION_RW, &image) == HSA_STATUS_SUCCESS &&
           image.handle % 32 == 0,
       "an image");
    hsa_ext_image_region_t region = {{2, 3, 0}, {3, 2, 1}};
    float red[4] = {1, 0.5f, 0, 2};
    ok(hsa_ext_image_clear(gpu, image, red, &region) == HSA_STATUS_SUCCESS &&
           !memcmp(memory + 3 * ROW + 8, "\x00\x80\xff\xff", 4) &&
           !memcmp(memory + 4 * ROW + 16, "\x00\x80\xff\xff", 4) && memory[3 * ROW + 7] == 0xee &&
           memory[3 * ROW + 20] == 0xee && memory[5 * ROW + 8] == 0xee,
       "clear converts, and stays in the region");
    unsigned char lines[2][16], back[2][12];
    for (unsigned i = 0; i < sizeof lines; i++)
        ((unsigned char *)lines)[i] = (unsigned char)i;
    ok(hsa_ext_image_import(gpu, lines, 16, 0, image, &region) == HSA_STATUS_SUCCESS &&
           !memcmp(memory + 3 * ROW + 8, lines[0], 12) && !memcmp(memory + 4 * ROW + 8, lines[1], 12) &&
           hsa_ext_image_export(gpu, image, back, 0, 0, &region) == HSA_STATUS_SUCCESS &&
           !memcmp(back[0], lines[0], 12) && !memcmp(back[1], lines[1], 12),
       "import and export with pitches");
    is = shape(SHAPE(3D), 8, 4, 2, 0, format(TYPE(UNORM_INT8), ORDER(SBGRA)));
    ok(hsa_ext_image_create(gpu, &is, memory + 8192, HSA_ACCESS_PERMISSION_RO, &other) == HSA_STATUS_SUCCESS &&
           hsa_ext_image_copy(gpu, image, &(hsa_dim3_t){2, 3, 0}, other, &(hsa_dim3_t){1, 1, 1},
                              &(hsa_dim3_t){3, 2, 1}) == HSA_STATUS_SUCCESS &&
           !memcmp(memory + 8192 + 4 * ROW + 1 * ROW + 4, lines[0], 12) &&
           !memcmp(memory + 8192 + 4 * ROW + 2 * ROW + 4, lines[1], 12),
       "copy from a plane into a slice, between forms");
    region = (hsa_ext_image_region_t){{8, 0, 0}, {3, 1, 1}};
    ok(hsa_ext_image_clear(gpu, image, red, &region) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_copy(gpu, image, &(hsa_dim3_t){0, 0, 0}, other, &(hsa_dim3_t){0, 0, 2},
                              &(hsa_dim3_t){1, 1, 1}) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_import(gpu, NULL, 0, 0, image, &region) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "ranges outside of an image are refused");
    ok(hsa_ext_image_destroy(gpu, other) == HSA_STATUS_SUCCESS &&
           hsa_ext_image_destroy(gpu, other) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_ext_image_destroy(gpu, image) == HSA_STATUS_SUCCESS,
       "images are destroyed");
    is = shape(SHAPE(1DA), 8, 0, 0, 4, format(TYPE(SIGNED_INT16), ORDER(RG)));
    hsa_ext_image_create(gpu, &is, memory, HSA_ACCESS_PERMISSION_RW, &image);
    int32_t numbers[4] = {-5, 40000, 7, 7};
    region = (hsa_ext_image_region_t){{1, 2, 0}, {1, 2, 1}};
    ok(hsa_ext_image_clear(gpu, image, numbers, &region) == HSA_STATUS_SUCCESS &&
           !memcmp(memory + 2 * ROW + 4, "\xfb\xff\xff\x7f", 4) && !memcmp(memory + 3 * ROW + 4, "\xfb\xff\xff\x7f", 4),
       "layers of an array of lines; integers saturate");
}

/* Reads back the fields that are in the Vega ISA's tables. */
static void resources(unsigned char *memory)
{
    hsa_ext_image_descriptor_t is = shape(SHAPE(2DA), 100, 50, 0, 3, format(TYPE(FLOAT), ORDER(RG)));
    hsa_ext_image_t image;
    hsa_ext_image_create_with_layout(
        gpu, &is, memory, HSA_ACCESS_PERMISSION_RO, HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 1024, 0, &image);
    const uint32_t *t = (const uint32_t *)(uintptr_t)image.handle;
    ok(((uint64_t)t[0] << 8 | (uint64_t)(t[1] & 0xff) << 40) == (uintptr_t)memory && (t[1] >> 20 & 63) == 11 &&
           (t[1] >> 26 & 15) == 7 && (t[2] & 0x3fff) == 99 && (t[2] >> 14 & 0x3fff) == 49 && (t[3] & 07777) == 01054 &&
           t[3] >> 28 == 13 && (t[4] & 0x1fff) == 2 && (t[4] >> 13 & 0xffff) == 127,
       "an image resource");
    hsa_ext_sampler_descriptor_t linear = {HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED,
                                           HSA_EXT_SAMPLER_FILTER_MODE_LINEAR, HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT};
    hsa_ext_sampler_t sampler;
    ok(hsa_ext_sampler_create(gpu, &linear, &sampler) == HSA_STATUS_SUCCESS, "a sampler");
    const uint32_t *s = (const uint32_t *)(uintptr_t)sampler.handle;
    ok((s[0] & 0x1ff) == 0 && !(s[0] >> 15 & 1) && (s[2] >> 20 & 15) == 5, "the sampler's resource is right");
    ok(hsa_ext_sampler_destroy(gpu, sampler) == HSA_STATUS_SUCCESS &&
           hsa_ext_sampler_destroy(gpu, sampler) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "the sampler is destroyed");
    linear.coordinate_mode = HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED;
    ok((int)hsa_ext_sampler_create(gpu, &linear, &sampler) == HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED &&
           hsa_ext_sampler_create(gpu, NULL, &sampler) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "unnormalized coordinates do not repeat");
    hsa_ext_sampler_descriptor_v2_t mixed = {
        HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED,
        HSA_EXT_SAMPLER_FILTER_MODE_NEAREST,
        {HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_BORDER, HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
         HSA_EXT_SAMPLER_ADDRESSING_MODE_UNDEFINED}};
    ok(hsa_ext_sampler_create_v2(gpu, &mixed, &sampler) == HSA_STATUS_SUCCESS &&
           (*(const uint32_t *)(uintptr_t)sampler.handle & 077) == (6 | 2 << 3),
       "a sampler with a mode for each axis");
}

int main(void)
{
    unsigned char *memory = NULL;
    setenv("HSA_AGENT_DRIVERS", "", 1);
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    gpu = agent_named("gfx900", &cpu);
    hsa_amd_agent_iterate_memory_pools(gpu, find_pool, &pool);
    ok(hsa_amd_memory_pool_allocate(pool, 1 << 20, 0, (void **)&memory) == HSA_STATUS_SUCCESS, "memory");
    capabilities();
    layouts(memory);
    texels(memory);
    resources(memory);
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with images and samplers left");
    return tap_done();
}
