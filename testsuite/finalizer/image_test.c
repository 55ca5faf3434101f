/* SPDX-License-Identifier: MIT */
/* Image instructions (G01-G07, G10): kernels load, store and read images of every geometry and format that the runtime
 * makes, read them through samplers of every kind, and query their properties, also by AMD's instructions for images
 * with levels. The results are compared with plain C (image_model.h). */
#include "testsuite/finalizer/image_bed.h"
#include "testsuite/tap.h"

#include "hsa/hsa.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct bed_size size = {7, 5, 3, 4};

/* ---- kernels ---- */

/* The same accesses by instructions of amd:mipmap, with the level or the derivatives in $s3. */
static void put_levels(unsigned g, const char *type, const char *where, const char *values)
{
    static const char *const derivatives[] = {"", "$s3", "($s3, $s3)", "($s3, $s3, $s3)"};
    const char *name = bed_geometries[g].name, *vector = strstr(name, "depth") ? "" : "v4_";
    const char *by = derivatives[bed_geometries[g].coordinates - picture_is_array((hsa_ext_image_geometry_t)g)];
    bed_begin("ldl", name, type, "roimg");
    bed_put("amd_mipmap_ldimagemip_%s%s_%s_roimg_u32 %s, $d3, %s, $s3;\n%s", vector, name, type, values, where,
            BED_END);
    bed_begin("stl", name, type, "rwimg");
    bed_put("amd_mipmap_stimagemip_%s%s_%s_rwimg_u32 %s, $d3, %s, $s3;\nimagefence;\n", vector, name, type, values,
            where);
    bed_put("ldimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, BED_END);
    if (!strcmp(name, "1db"))
        return;
    bed_begin("rdl", name, type, "roimg");
    bed_put("amd_mipmap_rdimagelod_%s%s_%s_roimg_f32 %s, $d3, $d4, %s, $s3;\n%s", vector, name, type, values, where,
            BED_END);
    bed_begin("rdg", name, type, "roimg");
    bed_put("amd_mipmap_rdimagegrad_%s%s_%s_roimg_f32 %s, $d3, $d4, %s, %s, %s;\n%s", vector, name, type, values, where,
            by, by, BED_END);
    if (strstr(name, "depth") || strcmp(type, "u32"))
        return;
    bed_begin("levels", name, type, "roimg");
    bed_put("amd_mipmap_queryimage_%s_nummiplevels_u32_roimg $s4, $d3;\n%s", name, BED_END);
}

static void put_access(unsigned g, const char *type)
{
    static const char *const at[] = {"", "$s0", "($s0, $s1)", "($s0, $s1, $s2)"};
    const char *name = bed_geometries[g].name, *where = at[bed_geometries[g].coordinates];
    bool depth = strstr(name, "depth");
    const char *vector = depth ? "" : "v4_", *values = depth ? "$s4" : "($s4, $s5, $s6, $s7)";
    const char *end = BED_END;
    bed_begin("ld", name, type, "roimg");
    bed_put("ldimage_%s%s_%s_roimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, end);
    bed_begin("st", name, type, "rwimg");
    bed_put("stimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\nimagefence;\n", vector, name, type, values, where);
    bed_put("ldimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, end);
    if (!strcmp(type, "f32") || !strcmp(type, "u32"))
        put_levels(g, type, where, values);
    if (!strcmp(name, "1db"))
        return;
    bed_begin("rdf", name, type, "roimg");
    bed_put("rdimage_%s%s_%s_roimg_f32 %s, $d3, $d4, %s;\n%s", vector, name, type, values, where, end);
    bed_begin("rds", name, type, "roimg");
    bed_put("rdimage_%s%s_%s_roimg_s32 %s, $d3, $d4, %s;\n%s", vector, name, type, values, where, end);
}

/* Queries each property, or puts 0 if the geometry lacks it. */
static void put_queries(unsigned g)
{
    static const char *const properties[] = {"width", "height", "depth", "array", "channelorder", "channeltype"};
    const struct bed_geometry *is = &bed_geometries[g];
    const bool has[] = {true, is->has_height, is->has_depth, is->has_layers, true, true};
    bed_begin("query", bed_geometries[g].name, "u32", "roimg");
    for (unsigned i = 0; i < 6; i++)
        if (has[i])
            bed_put("queryimage_%s_%s_u32_roimg $s%u, $d3;\n", bed_geometries[g].name, properties[i], i);
        else
            bed_put("mov_b32 $s%u, 0;\n", i);
    bed_put("st_v4_global_u32 ($s0, $s1, $s2, $s3), [$d0];\n"
            "querysampler_coord_u32 $s6, $d4; querysampler_filter_u32 $s7, $d4; querysampler_addressing_u32 $s8, $d4;\n"
            "shl_u32 $s7, $s7, 1; shl_u32 $s8, $s8, 2; or_b32 $s6, $s6, $s7; or_b32 $s6, $s6, $s8;\n"
            "st_v3_global_u32 ($s4, $s5, $s6), [$d1];\n};\n");
}

static void make_kernels(void)
{
    bed_put("module &images:1:2:$full:$large:$near;\nextension \"IMAGE\";\nextension \"amd:mipmap\";\n");
    for (unsigned g = 0; g < BED_GEOMETRIES; g++) {
        put_access(g, "f32");
        put_access(g, "u32");
        put_access(g, "s32");
        put_access(g, "f16");
        put_queries(g);
    }
}

/* ---- images ---- */

/* Loads all elements by kernels LD, BED_ITEMS at a time; then stores them by kernels ST, unless it is NULL, and loads
 * them again. */
static bool loads_and_stores(unsigned g, hsa_ext_image_format_t format, const char *ld, const char *store)
{
    struct picture p;
    hsa_ext_image_t image;
    int at[3];
    unsigned layer;
    bool good = bed_image(g, format, &size, HSA_ACCESS_PERMISSION_RO, &image, &p);
    for (unsigned i = 0; i < BED_ITEMS && bed_element(&p, i, at, &layer); i++)
        bed_to_coordinates(&p, at, layer, bed_coordinates[i]);
    memset(bed_texels, 0x5a, sizeof bed_texels);
    good = good && bed_run(ld, g, bed_access_type(format), image.handle, 0);
    for (unsigned i = 0; good && i < BED_ITEMS && bed_element(&p, i, at, &layer); i++)
        good = bed_agrees(&p, bed_texels[i], picture_load(&p, at, layer), 1e-7);
    for (size_t i = 0; good && store && i < BED_MEMORY; i++)
        bed_memory[i] = 0;
    good = good && (!store || bed_run(store, g, bed_access_type(format), image.handle, 0));
    bool stored = false; /* random elements are not all 0 */
    for (size_t i = 0; i < BED_MEMORY; i++)
        stored |= bed_memory[i] != 0;
    good = good && stored;
    for (unsigned i = 0; good && store && i < BED_ITEMS && bed_element(&p, i, at, &layer); i++)
        good = bed_agrees(&p, bed_texels[i], picture_load(&p, at, layer), 1e-7);
    good = good && (!store || bed_run(ld, g, bed_access_type(format), image.handle, 0));
    hsa_ext_image_destroy(bed_agent, image);
    return good;
}

/* Components that are stored and loaded as halves: they differ from the exact numbers by less than half a unit. */
static void check_halves(unsigned g)
{
    bool depth = g >= HSA_EXT_IMAGE_GEOMETRY_2DDEPTH;
    hsa_ext_image_format_t format = {
        depth ? HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16 : HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8,
        depth ? HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH : HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA};
    struct picture p;
    hsa_ext_image_t image;
    int at[3];
    unsigned layer;
    bool good = bed_image(g, format, &size, HSA_ACCESS_PERMISSION_RO, &image, &p);
    for (unsigned i = 0; i < BED_ITEMS && bed_element(&p, i, at, &layer); i++)
        bed_to_coordinates(&p, at, layer, bed_coordinates[i]);
    good = good && bed_run("st", g, "f16", image.handle, 0) && bed_run("ld", g, "f16", image.handle, 0);
    for (unsigned i = 0; good && i < BED_ITEMS && bed_element(&p, i, at, &layer); i++) {
        float numbers[4];
        for (unsigned k = 0; k < 4; k++) {
            _Float16 half;
            memcpy(&half, &bed_texels[i][k], sizeof half);
            numbers[k] = (float)half;
        }
        good = bed_agrees(&p, (const uint32_t *)numbers, picture_load(&p, at, layer), 1e-3);
    }
    ok(good, "%s images give and take halves", bed_geometries[g].name);
    hsa_ext_image_destroy(bed_agent, image);
}

static void check_formats(unsigned g)
{
    unsigned formats = 0, wrong = 0;
    for (uint32_t type = 0; type <= HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT; type++)
        for (uint32_t order = 0; order <= HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH; order++) {
            hsa_ext_image_format_t format = {type, order};
            uint32_t mask = bed_capabilities(g, format);
            if (!mask)
                continue;
            formats++;
            if (loads_and_stores(g, format, "ld", mask & HSA_EXT_IMAGE_CAPABILITY_READ_WRITE ? "st" : NULL))
                continue;
            printf("# type %u, order %u\n", type, order);
            wrong++;
        }
    ok(formats && !wrong, "%u formats of %s images are loaded and stored", formats, bed_geometries[g].name);
}

/* ---- samplers ---- */

/* Reads places by kernels BY, and whole numbers by those that take them if BY is "rdf". */
static bool reads(const char *by, unsigned g, hsa_ext_image_format_t format, bool normalized, bool linear,
                  unsigned addressing)
{
    struct picture p;
    hsa_ext_image_t image;
    hsa_ext_sampler_t sampler;
    bool good = bed_image(g, format, &size, HSA_ACCESS_PERMISSION_RO, &image, &p) &&
                bed_sampler(normalized, linear, addressing, &sampler);
    for (unsigned i = 0; i < BED_ITEMS; i++)
        bed_place(&p, normalized, addressing == HSA_EXT_SAMPLER_ADDRESSING_MODE_UNDEFINED, (float *)bed_coordinates[i]);
    good = good && bed_run(by, g, bed_access_type(format), image.handle, sampler.handle);
    for (unsigned i = 0; good && i < BED_ITEMS; i++)
        good = bed_agrees(&p, bed_texels[i],
                          picture_read(&p, normalized, linear, addressing, (const float *)bed_coordinates[i]),
                          linear ? 1e-4 : 1e-7);
    for (unsigned i = 0; i < BED_ITEMS; i++)
        for (unsigned k = 0; k < 4; k++)
            bed_coordinates[i][k] = (uint32_t)(int32_t)floorf(((const float *)bed_coordinates[i])[k]);
    bool integers = !normalized && !linear && !strcmp(by, "rdf");
    good = good && (!integers || bed_run("rds", g, bed_access_type(format), image.handle, sampler.handle));
    for (unsigned i = 0; integers && good && i < BED_ITEMS; i++) {
        float at[4];
        for (unsigned k = 0; k < 4; k++)
            at[k] = (float)(int32_t)bed_coordinates[i][k];
        good = bed_agrees(&p, bed_texels[i], picture_read(&p, false, false, addressing, at), 1e-7);
    }
    hsa_ext_image_destroy(bed_agent, image);
    hsa_ext_sampler_destroy(bed_agent, sampler);
    return good;
}

static void check_samplers(unsigned g)
{
    static const hsa_ext_image_format_t formats[] = {
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_R},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_A},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16, HSA_EXT_IMAGE_CHANNEL_ORDER_LUMINANCE},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, HSA_EXT_IMAGE_CHANNEL_ORDER_RGB},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16, HSA_EXT_IMAGE_CHANNEL_ORDER_RG},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16, HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH},
    };
    unsigned tried = 0, wrong = 0;
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned kind = 0; kind < 20 && bed_capabilities(g, formats[i]); kind++) {
            bool normalized = kind & 1, linear = kind & 2;
            unsigned addressing = kind / 4;
            if ((linear && picture_is_integer(formats[i])) ||
                (!normalized && addressing >= HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT))
                continue;
            tried++;
            if (reads("rdf", g, formats[i], normalized, linear, addressing))
                continue;
            printf("# format %u, normalized %d, linear %d, addressing %u\n", i, normalized, linear, addressing);
            wrong++;
        }
    ok(tried && !wrong, "%u combinations of sampler and format of %s images are read", tried, bed_geometries[g].name);
}

static void check_queries(unsigned g)
{
    const struct bed_geometry *is = &bed_geometries[g];
    bool depth = g >= HSA_EXT_IMAGE_GEOMETRY_2DDEPTH, good = true;
    hsa_ext_image_format_t format = {
        HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, depth ? HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH : HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA};
    for (unsigned kind = 0; kind < 20 && good; kind++) {
        struct picture p;
        hsa_ext_image_t image;
        hsa_ext_sampler_t sampler;
        bool normalized = kind & 1, linear = kind & 2;
        unsigned addressing = kind / 4;
        if (!normalized && addressing >= HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT)
            continue;
        good = bed_image(g, format, &size, HSA_ACCESS_PERMISSION_RO, &image, &p) &&
               bed_sampler(normalized, linear, addressing, &sampler) &&
               bed_run("query", g, "u32", image.handle, sampler.handle);
        for (unsigned i = 0; i < BED_ITEMS && good; i++)
            good = bed_coordinates[i][0] == size.width && bed_coordinates[i][1] == (is->has_height ? size.height : 0) &&
                   bed_coordinates[i][2] == (is->has_depth ? size.depth : 0) &&
                   bed_coordinates[i][3] == (is->has_layers ? size.layers : 0) &&
                   bed_texels[i][0] == format.channel_order && bed_texels[i][1] == format.channel_type &&
                   (bed_texels[i][2] & 1) == normalized && (bed_texels[i][2] >> 1 & 1) == linear &&
                   (bed_texels[i][2] >> 2 == addressing || !addressing);
        hsa_ext_image_destroy(bed_agent, image);
        hsa_ext_sampler_destroy(bed_agent, sampler);
    }
    ok(good, "%s images and samplers are asked", bed_geometries[g].name);
}

/* Instructions of amd:mipmap on images that the runtime makes, which have one level; and the number of levels of a
 * resource that says it has more. */
static void check_levels(unsigned g)
{
    bool depth = g >= HSA_EXT_IMAGE_GEOMETRY_2DDEPTH, sampled = g != HSA_EXT_IMAGE_GEOMETRY_1DB, good = true;
    const hsa_ext_image_format_t formats[] = {
        {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT,
         depth ? HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH : HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA},
        {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16, HSA_EXT_IMAGE_CHANNEL_ORDER_RG}};
    for (unsigned i = 0; i < (depth ? 1 : 2) && good; i++) {
        for (unsigned k = 0; k < BED_ITEMS; k++)
            bed_coordinates[k][3] = 0;
        good = loads_and_stores(g, formats[i], "ldl", "stl");
        for (unsigned kind = 0; kind < 8 && good && sampled; kind++) {
            bool normalized = kind & 1, linear = (kind & 2) && !i, gradients = kind & 4;
            for (unsigned k = 0; k < BED_ITEMS; k++)
                ((float *)bed_coordinates[k])[3] = (float)(bed_draw() % 16) * (gradients ? 0.25f : 1.0f);
            good = reads(gradients ? "rdg" : "rdl", g, formats[i], normalized, linear, normalized ? 3 : 1);
        }
    }
    ok(good, "%s images are accessed with levels and derivatives", bed_geometries[g].name);
    struct picture p;
    hsa_ext_image_t image;
    uint32_t words[16];
    if (depth || !sampled || !bed_image(g, formats[0], &size, HSA_ACCESS_PERMISSION_RO, &image, &p))
        return;
    good = bed_run("levels", g, "u32", image.handle, 0) && bed_texels[0][0] == 1;
    memcpy(words, (const void *)(uintptr_t)image.handle, sizeof words);
    words[3] |= 5u << 16; /* the last level */
    good = good && bed_run("levels", g, "u32", (uintptr_t)words, 0) && bed_texels[0][0] == 6;
    words[3] |= 2u << 12; /* the first level */
    good = good && bed_run("levels", g, "u32", (uintptr_t)words, 0) && bed_texels[0][0] == 4;
    ok(good, "queries tell how many levels %s images have", bed_geometries[g].name);
    hsa_ext_image_destroy(bed_agent, image);
}

int main(void)
{
    make_kernels();
    if (ok(bed_open(), "kernels of every geometry and type"))
        for (unsigned g = 0; g < BED_GEOMETRIES; g++) {
            check_formats(g);
            check_halves(g);
            if (g != HSA_EXT_IMAGE_GEOMETRY_1DB)
                check_samplers(g);
            check_queries(g);
            check_levels(g);
        }
    bed_close();
    return tap_done();
}
