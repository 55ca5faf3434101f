/* SPDX-License-Identifier: MIT */
/* What tests of image instructions share; see image_bed.h. Input: kernels, geometries, formats. Output: images in
 * bed_memory, and what kernels have made of them. */
#include "testsuite/finalizer/image_bed.h"

#include "testsuite/finalizer/gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bed_geometry bed_geometries[BED_GEOMETRIES] = {
    [HSA_EXT_IMAGE_GEOMETRY_1D] = {"1d", false, false, false, 1},
    [HSA_EXT_IMAGE_GEOMETRY_2D] = {"2d", true, false, false, 2},
    [HSA_EXT_IMAGE_GEOMETRY_3D] = {"3d", true, true, false, 3},
    [HSA_EXT_IMAGE_GEOMETRY_1DA] = {"1da", false, false, true, 2},
    [HSA_EXT_IMAGE_GEOMETRY_2DA] = {"2da", true, false, true, 3},
    [HSA_EXT_IMAGE_GEOMETRY_1DB] = {"1db", false, false, false, 1},
    [HSA_EXT_IMAGE_GEOMETRY_2DDEPTH] = {"2ddepth", true, false, false, 2},
    [HSA_EXT_IMAGE_GEOMETRY_2DADEPTH] = {"2dadepth", true, false, true, 3},
};

hsa_agent_t bed_agent;
uint32_t bed_coordinates[BED_ITEMS][4], bed_texels[BED_ITEMS][4];
_Alignas(256) uint8_t bed_memory[BED_MEMORY];

struct textbuf bed_text;

static struct gpu *gpu;
static uint64_t state = 1;

uint32_t bed_draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

void bed_begin(const char *what, const char *geometry, const char *type, const char *image)
{
    bed_put(
        "prog kernel &%s_%s_%s(kernarg_u64 %%at, kernarg_u64 %%texels, kernarg_%s %%image, kernarg_samp %%sampler)\n{\n"
        "workitemabsid_u32 $s8, 0; cvt_u64_u32 $d2, $s8; shl_u64 $d2, $d2, 4;\n"
        "ld_kernarg_u64 $d0, [%%at]; add_u64 $d0, $d0, $d2; ld_v4_global_u32 ($s0, $s1, $s2, $s3), [$d0];\n"
        "ld_kernarg_u64 $d1, [%%texels]; add_u64 $d1, $d1, $d2; ld_v4_global_u32 ($s4, $s5, $s6, $s7), [$d1];\n"
        "ld_kernarg_%s $d3, [%%image]; ld_kernarg_samp $d4, [%%sampler];\n",
        what, geometry, type, image, image);
}

static hsa_status_t find_gpu(hsa_agent_t candidate, void *data)
{
    hsa_device_type_t type;
    hsa_agent_get_info(candidate, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU)
        *(hsa_agent_t *)data = candidate;
    return HSA_STATUS_SUCCESS;
}

bool bed_open(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    if (hsa_init() != HSA_STATUS_SUCCESS || hsa_iterate_agents(find_gpu, &bed_agent) != HSA_STATUS_SUCCESS ||
        !bed_agent.handle)
        return false;
    gpu = gpu_open(bed_text.data, "-O2");
    return gpu;
}

void bed_close(void)
{
    if (gpu)
        gpu_close(gpu);
    textbuf_free(&bed_text);
    hsa_shut_down();
}

static bool run_kernel(const char *what, unsigned g, const char *type, uint16_t group, uint64_t image, uint64_t sampler)
{
    char name[32];
    snprintf(name, sizeof name, "&%s_%s_%s", what, bed_geometries[g].name, type);
    return gpu_run(gpu, name, BED_ITEMS, group,
                   (uint64_t[]){(uintptr_t)bed_coordinates, (uintptr_t)bed_texels, image, sampler}, 4);
}

bool bed_run(const char *what, unsigned g, const char *type, uint64_t image, uint64_t sampler)
{
    return run_kernel(what, g, type, 64, image, sampler);
}

bool bed_run_groups(const char *what, unsigned g, const char *type, uint16_t group)
{
    return run_kernel(what, g, type, group, 0, 0);
}

uint32_t bed_capabilities(unsigned g, hsa_ext_image_format_t format)
{
    uint32_t mask = 0;
    bool known =
        hsa_ext_image_get_capability(bed_agent, (hsa_ext_image_geometry_t)g, &format, &mask) == HSA_STATUS_SUCCESS;
    return known ? mask : 0;
}

/* Random bytes, but finite numbers. */
static void fill(hsa_ext_image_format_t format, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word = bed_draw();
        if (format.channel_type == HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT)
            memcpy(&word, &(float){(float)(int32_t)word * 0x1p-24f}, sizeof word);
        if (format.channel_type == HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT)
            word &= 0xbfffbfff;
        memcpy(bed_memory + i, &word, sizeof word);
    }
}

bool bed_image(unsigned g, hsa_ext_image_format_t format, const struct bed_size *size,
               hsa_access_permission_t permission, hsa_ext_image_t *image, struct picture *p)
{
    const struct bed_geometry *is = &bed_geometries[g];
    unsigned height = is->has_height ? size->height : 0, depth = is->has_depth ? size->depth : 0;
    unsigned layers = is->has_layers ? size->layers : 0, rows = height ? height : 1, slices = depth ? depth : 1;
    size_t row = size->width * picture_bytes(format);
    if (g != HSA_EXT_IMAGE_GEOMETRY_1DB)
        row = (row + 255) / 256 * 256;
    hsa_ext_image_descriptor_t descriptor = {(hsa_ext_image_geometry_t)g, size->width, height, depth, layers, format};
    size_t bytes = row * rows * slices * (layers ? layers : 1);
    if (bytes > BED_MEMORY)
        return false;
    fill(format, bytes);
    *p = (struct picture){
        (hsa_ext_image_geometry_t)g,
        format,
        {size->width, rows, slices},
        layers ? layers : 1,
        is->coordinates,
        row,
        row * rows,
        bed_memory};
    return hsa_ext_image_create(bed_agent, &descriptor, bed_memory, permission, image) == HSA_STATUS_SUCCESS;
}

bool bed_sampler(bool normalized, bool linear, unsigned addressing, hsa_ext_sampler_t *sampler)
{
    hsa_ext_sampler_descriptor_t is = {
        normalized ? HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED : HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED,
        linear ? HSA_EXT_SAMPLER_FILTER_MODE_LINEAR : HSA_EXT_SAMPLER_FILTER_MODE_NEAREST, addressing};
    return hsa_ext_sampler_create(bed_agent, &is, sampler) == HSA_STATUS_SUCCESS;
}

const char *bed_access_type(hsa_ext_image_format_t format)
{
    bool is_signed = format.channel_type <= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32;
    return !picture_is_integer(format) ? "f32" : is_signed ? "s32" : "u32";
}

bool bed_element(const struct picture *p, unsigned i, int at[3], unsigned *layer)
{
    for (unsigned k = 0; k < 3; k++) {
        at[k] = (int)(i % p->size[k]);
        i /= p->size[k];
    }
    *layer = i;
    return i < p->layers;
}

void bed_to_coordinates(const struct picture *p, const int at[3], unsigned layer, uint32_t *to)
{
    unsigned array = picture_is_array(p->geometry);
    for (unsigned k = 0; k < p->coordinates - array; k++)
        to[k] = (uint32_t)at[k];
    if (array)
        to[p->coordinates - 1] = layer;
}

bool bed_agrees(const struct picture *p, const uint32_t *a, union texel b, double tolerance)
{
    bool depth = p->geometry == HSA_EXT_IMAGE_GEOMETRY_2DDEPTH || p->geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH;
    for (unsigned i = 0; i < (depth ? 1 : 4); i++) {
        float x;
        memcpy(&x, &a[i], 4);
        if (a[i] != b.integer[i] &&
            (picture_is_integer(p->format) || !(fabs((double)x - (double)b.number[i]) <= tolerance)))
            return false;
    }
    return true;
}

void bed_place(const struct picture *p, bool normalized, bool undefined, float to[4])
{
    unsigned array = picture_is_array(p->geometry);
    for (unsigned i = 0; i < p->coordinates - array; i++) {
        int size = (int)p->size[i], texel = (int)(bed_draw() % (unsigned)(3 * size)) - size;
        if (undefined)
            texel = size > 2 ? 1 + (int)(bed_draw() % (unsigned)(size - 2)) : 0;
        float u = (float)texel + 0.125f + (float)(bed_draw() % 7) * 0.109375f;
        to[i] = normalized ? u / (float)size : u;
    }
    if (array)
        to[p->coordinates - 1] = (float)(bed_draw() % (p->layers + 3)) - 1 + 0.25f;
}
