/* SPDX-License-Identifier: MIT */
/* Image instructions (G01-G07, G10): kernels load, store and read images of every geometry and format that the runtime
 * makes, read them through samplers of every kind, and query their properties, also by AMD's instructions for images
 * with levels. The results are compared with plain C (image_model.h). */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finalizer/image_model.h"
#include "testsuite/tap.h"

#include "hsa/hsa.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, LAYERS = 4, ITEMS = 128, GEOMETRIES = 8, MEMORY = 1 << 16, TEXT = 1 << 17 };

static const struct {
    const char *name;
    unsigned height, depth, layers, coordinates;
} geometries[GEOMETRIES] = {
    [HSA_EXT_IMAGE_GEOMETRY_1D] = {"1d", 0, 0, 0, 1},
    [HSA_EXT_IMAGE_GEOMETRY_2D] = {"2d", HEIGHT, 0, 0, 2},
    [HSA_EXT_IMAGE_GEOMETRY_3D] = {"3d", HEIGHT, DEPTH, 0, 3},
    [HSA_EXT_IMAGE_GEOMETRY_1DA] = {"1da", 0, 0, LAYERS, 2},
    [HSA_EXT_IMAGE_GEOMETRY_2DA] = {"2da", HEIGHT, 0, LAYERS, 3},
    [HSA_EXT_IMAGE_GEOMETRY_1DB] = {"1db", 0, 0, 0, 1},
    [HSA_EXT_IMAGE_GEOMETRY_2DDEPTH] = {"2ddepth", HEIGHT, 0, 0, 2},
    [HSA_EXT_IMAGE_GEOMETRY_2DADEPTH] = {"2dadepth", HEIGHT, 0, LAYERS, 3},
};

static hsa_agent_t agent;
static struct gpu *gpu;
static uint64_t state = 1;
static _Alignas(256) uint8_t memory[MEMORY];
static uint32_t coordinates[ITEMS][4], texels[ITEMS][4];

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* ---- kernels ---- */

static size_t used;
static char text[TEXT];

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, TEXT - used, format, args);
    va_end(args);
}

/* Begins a kernel whose work-items find four words of coordinates in $s0 to $s3, and four words of a texel, at $d1, in
 * $s4 to $s7. */
static void begin(const char *what, const char *geometry, const char *type, const char *image)
{
    put("prog kernel &%s_%s_%s(kernarg_u64 %%at, kernarg_u64 %%texels, kernarg_%s %%image, kernarg_samp %%sampler)\n{\n"
        "workitemabsid_u32 $s8, 0; cvt_u64_u32 $d2, $s8; shl_u64 $d2, $d2, 4;\n"
        "ld_kernarg_u64 $d0, [%%at]; add_u64 $d0, $d0, $d2; ld_v4_global_u32 ($s0, $s1, $s2, $s3), [$d0];\n"
        "ld_kernarg_u64 $d1, [%%texels]; add_u64 $d1, $d1, $d2; ld_v4_global_u32 ($s4, $s5, $s6, $s7), [$d1];\n"
        "ld_kernarg_%s $d3, [%%image]; ld_kernarg_samp $d4, [%%sampler];\n",
        what, geometry, type, image, image);
}

static const char *const store_texel = "st_v4_global_u32 ($s4, $s5, $s6, $s7), [$d1];\n};\n";

/* The same accesses by instructions of amd:mipmap, with the level or the derivatives in $s3. */
static void put_levels(unsigned g, const char *type, const char *where, const char *values)
{
    static const char *const derivatives[] = {"", "$s3", "($s3, $s3)", "($s3, $s3, $s3)"};
    const char *name = geometries[g].name, *vector = strstr(name, "depth") ? "" : "v4_";
    const char *by = derivatives[geometries[g].coordinates - picture_is_array((hsa_ext_image_geometry_t)g)];
    begin("ldl", name, type, "roimg");
    put("amd_mipmap_ldimagemip_%s%s_%s_roimg_u32 %s, $d3, %s, $s3;\n%s", vector, name, type, values, where,
        store_texel);
    begin("stl", name, type, "rwimg");
    put("amd_mipmap_stimagemip_%s%s_%s_rwimg_u32 %s, $d3, %s, $s3;\nimagefence;\n", vector, name, type, values, where);
    put("ldimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, store_texel);
    if (!strcmp(name, "1db"))
        return;
    begin("rdl", name, type, "roimg");
    put("amd_mipmap_rdimagelod_%s%s_%s_roimg_f32 %s, $d3, $d4, %s, $s3;\n%s", vector, name, type, values, where,
        store_texel);
    begin("rdg", name, type, "roimg");
    put("amd_mipmap_rdimagegrad_%s%s_%s_roimg_f32 %s, $d3, $d4, %s, %s, %s;\n%s", vector, name, type, values, where, by,
        by, store_texel);
    if (strstr(name, "depth") || strcmp(type, "u32"))
        return;
    begin("levels", name, type, "roimg");
    put("amd_mipmap_queryimage_%s_nummiplevels_u32_roimg $s4, $d3;\n%s", name, store_texel);
}

static void put_access(unsigned g, const char *type)
{
    static const char *const at[] = {"", "$s0", "($s0, $s1)", "($s0, $s1, $s2)"};
    const char *name = geometries[g].name, *where = at[geometries[g].coordinates];
    bool depth = strstr(name, "depth");
    const char *vector = depth ? "" : "v4_", *values = depth ? "$s4" : "($s4, $s5, $s6, $s7)";
    const char *end = store_texel;
    begin("ld", name, type, "roimg");
    put("ldimage_%s%s_%s_roimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, end);
    begin("st", name, type, "rwimg");
    put("stimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\nimagefence;\n", vector, name, type, values, where);
    put("ldimage_%s%s_%s_rwimg_u32 %s, $d3, %s;\n%s", vector, name, type, values, where, end);
    if (!strcmp(type, "f32") || !strcmp(type, "u32"))
        put_levels(g, type, where, values);
    if (!strcmp(name, "1db"))
        return;
    begin("rdf", name, type, "roimg");
    put("rdimage_%s%s_%s_roimg_f32 %s, $d3, $d4, %s;\n%s", vector, name, type, values, where, end);
    begin("rds", name, type, "roimg");
    put("rdimage_%s%s_%s_roimg_s32 %s, $d3, $d4, %s;\n%s", vector, name, type, values, where, end);
}

/* Queries each property, or puts 0 if the geometry lacks it. */
static void put_queries(unsigned g)
{
    static const char *const properties[] = {"width", "height", "depth", "array", "channelorder", "channeltype"};
    const bool has[] = {true, geometries[g].height, geometries[g].depth, geometries[g].layers, true, true};
    begin("query", geometries[g].name, "u32", "roimg");
    for (unsigned i = 0; i < 6; i++)
        if (has[i])
            put("queryimage_%s_%s_u32_roimg $s%u, $d3;\n", geometries[g].name, properties[i], i);
        else
            put("mov_b32 $s%u, 0;\n", i);
    put("st_v4_global_u32 ($s0, $s1, $s2, $s3), [$d0];\n"
        "querysampler_coord_u32 $s6, $d4; querysampler_filter_u32 $s7, $d4; querysampler_addressing_u32 $s8, $d4;\n"
        "shl_u32 $s7, $s7, 1; shl_u32 $s8, $s8, 2; or_b32 $s6, $s6, $s7; or_b32 $s6, $s6, $s8;\n"
        "st_v3_global_u32 ($s4, $s5, $s6), [$d1];\n};\n");
}

static bool make_kernels(void)
{
    put("module &images:1:2:$full:$large:$near;\nextension \"IMAGE\";\nextension \"amd:mipmap\";\n");
    for (unsigned g = 0; g < GEOMETRIES; g++) {
        put_access(g, "f32");
        put_access(g, "u32");
        put_access(g, "s32");
        put_access(g, "f16");
        put_queries(g);
    }
    gpu = gpu_open(text, "-O2");
    return gpu != NULL;
}

static bool run(const char *what, unsigned g, const char *type, uint64_t image, uint64_t sampler)
{
    char name[32];
    snprintf(name, sizeof name, "&%s_%s_%s", what, geometries[g].name, type);
    return gpu_run(gpu, name, ITEMS, 64, (uint64_t[]){(uintptr_t)coordinates, (uintptr_t)texels, image, sampler}, 4);
}

/* ---- images ---- */

static hsa_ext_image_descriptor_t descriptor(unsigned g, hsa_ext_image_format_t format)
{
    return (hsa_ext_image_descriptor_t){
        (hsa_ext_image_geometry_t)g, WIDTH, geometries[g].height, geometries[g].depth, geometries[g].layers, format};
}

/* Makes an image in MEMORY, and a description of it for the model. */
static bool make_image(unsigned g, hsa_ext_image_format_t format, hsa_ext_image_t *image, struct picture *p)
{
    hsa_ext_image_descriptor_t is = descriptor(g, format);
    unsigned height = geometries[g].height ? geometries[g].height : 1;
    unsigned depth = geometries[g].depth ? geometries[g].depth : 1;
    unsigned layers = geometries[g].layers ? geometries[g].layers : 1;
    size_t row = g == HSA_EXT_IMAGE_GEOMETRY_1DB ? WIDTH * picture_bytes(format) : 256;
    for (size_t i = 0; i < MEMORY; i++)
        memory[i] = (uint8_t)draw();
    if (format.channel_type == HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT)
        for (size_t i = 0; i < MEMORY; i += 4)
            memcpy(memory + i, &(float){(float)(int32_t)draw() * 0x1p-24f}, 4);
    if (format.channel_type == HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT)
        for (size_t i = 1; i < MEMORY; i += 2)
            memory[i] &= 0xbf; /* no infinity, no NaN */
    *p = (struct picture){(hsa_ext_image_geometry_t)g, format, {WIDTH, height, depth}, layers,
                          geometries[g].coordinates,   row,    row * height,           memory};
    return hsa_ext_image_create(agent, &is, memory, HSA_ACCESS_PERMISSION_RO, image) == HSA_STATUS_SUCCESS;
}

static uint32_t capabilities(unsigned g, hsa_ext_image_format_t format)
{
    uint32_t mask = 0;
    return hsa_ext_image_get_capability(agent, (hsa_ext_image_geometry_t)g, &format, &mask) == HSA_STATUS_SUCCESS
               ? mask
               : 0;
}

/* Element I of an image: its indices, and its layer. */
static bool indices(const struct picture *p, unsigned i, int at[3], unsigned *layer)
{
    for (unsigned k = 0; k < 3; k++) {
        at[k] = (int)(i % p->size[k]);
        i /= p->size[k];
    }
    *layer = i;
    return i < p->layers;
}

static void to_coordinates(const struct picture *p, const int at[3], unsigned layer, uint32_t *to)
{
    unsigned array = picture_is_array(p->geometry);
    for (unsigned k = 0; k < p->coordinates - array; k++)
        to[k] = (uint32_t)at[k];
    if (array)
        to[p->coordinates - 1] = layer;
}

/* Whether A equals B, or both are floats that differ by less than TOLERANCE. In depth images only the first component
 * counts. */
static bool agrees(const struct picture *p, const uint32_t *a, union texel b, double tolerance)
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

static const char *access_type(hsa_ext_image_format_t format)
{
    bool is_signed = format.channel_type <= HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32;
    return !picture_is_integer(format) ? "f32" : is_signed ? "s32" : "u32";
}

/* Loads all elements by kernels LD, ITEMS at a time; then stores them by kernels ST, unless it is NULL, and loads them
 * again. */
static bool loads_and_stores(unsigned g, hsa_ext_image_format_t format, const char *ld, const char *store)
{
    struct picture p;
    hsa_ext_image_t image;
    int at[3];
    unsigned layer;
    bool good = make_image(g, format, &image, &p);
    for (unsigned i = 0; i < ITEMS && indices(&p, i, at, &layer); i++)
        to_coordinates(&p, at, layer, coordinates[i]);
    memset(texels, 0x5a, sizeof texels);
    good = good && run(ld, g, access_type(format), image.handle, 0);
    for (unsigned i = 0; good && i < ITEMS && indices(&p, i, at, &layer); i++)
        good = agrees(&p, texels[i], picture_load(&p, at, layer), 1e-7);
    for (size_t i = 0; good && store && i < MEMORY; i++)
        memory[i] = 0;
    good = good && (!store || run(store, g, access_type(format), image.handle, 0));
    for (unsigned i = 0; good && store && i < ITEMS && indices(&p, i, at, &layer); i++)
        good = agrees(&p, texels[i], picture_load(&p, at, layer), 1e-7);
    good = good && (!store || run(ld, g, access_type(format), image.handle, 0));
    hsa_ext_image_destroy(agent, image);
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
    bool good = make_image(g, format, &image, &p);
    for (unsigned i = 0; i < ITEMS && indices(&p, i, at, &layer); i++)
        to_coordinates(&p, at, layer, coordinates[i]);
    good = good && run("st", g, "f16", image.handle, 0) && run("ld", g, "f16", image.handle, 0);
    for (unsigned i = 0; good && i < ITEMS && indices(&p, i, at, &layer); i++) {
        float numbers[4];
        for (unsigned k = 0; k < 4; k++) {
            _Float16 half;
            memcpy(&half, &texels[i][k], sizeof half);
            numbers[k] = (float)half;
        }
        good = agrees(&p, (const uint32_t *)numbers, picture_load(&p, at, layer), 1e-3);
    }
    ok(good, "%s images give and take halves", geometries[g].name);
    hsa_ext_image_destroy(agent, image);
}

static void check_formats(unsigned g)
{
    unsigned formats = 0, wrong = 0;
    for (uint32_t type = 0; type <= HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT; type++)
        for (uint32_t order = 0; order <= HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH; order++) {
            hsa_ext_image_format_t format = {type, order};
            uint32_t mask = capabilities(g, format);
            if (!mask)
                continue;
            formats++;
            if (loads_and_stores(g, format, "ld", mask & HSA_EXT_IMAGE_CAPABILITY_READ_WRITE ? "st" : NULL))
                continue;
            printf("# type %u, order %u\n", type, order);
            wrong++;
        }
    ok(formats && !wrong, "%u formats of %s images are loaded and stored", formats, geometries[g].name);
}

/* ---- samplers ---- */

static bool make_sampler(bool normalized, bool linear, unsigned addressing, hsa_ext_sampler_t *sampler)
{
    hsa_ext_sampler_descriptor_t is = {
        normalized ? HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED : HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED,
        linear ? HSA_EXT_SAMPLER_FILTER_MODE_LINEAR : HSA_EXT_SAMPLER_FILTER_MODE_NEAREST, addressing};
    return hsa_ext_sampler_create(agent, &is, sampler) == HSA_STATUS_SUCCESS;
}

/* Chooses coordinates away from the edges of texels, where all precisions agree. They may be outside of the image,
 * unless addressing is UNDEFINED. */
static void place(const struct picture *p, bool normalized, bool undefined, float to[4])
{
    unsigned array = picture_is_array(p->geometry);
    for (unsigned i = 0; i < p->coordinates - array; i++) {
        int size = (int)p->size[i], texel = (int)(draw() % (unsigned)(3 * size)) - size;
        if (undefined)
            texel = size > 2 ? 1 + (int)(draw() % (unsigned)(size - 2)) : 0;
        float u = (float)texel + 0.125f + (float)(draw() % 7) * 0.109375f;
        to[i] = normalized ? u / (float)size : u;
    }
    if (array)
        to[p->coordinates - 1] = (float)(draw() % (LAYERS + 3)) - 1 + 0.25f;
}

/* Reads places by kernels BY, and whole numbers by those that take them if BY is "rdf". */
static bool reads(const char *by, unsigned g, hsa_ext_image_format_t format, bool normalized, bool linear,
                  unsigned addressing)
{
    struct picture p;
    hsa_ext_image_t image;
    hsa_ext_sampler_t sampler;
    bool good = make_image(g, format, &image, &p) && make_sampler(normalized, linear, addressing, &sampler);
    for (unsigned i = 0; i < ITEMS; i++)
        place(&p, normalized, addressing == HSA_EXT_SAMPLER_ADDRESSING_MODE_UNDEFINED, (float *)coordinates[i]);
    good = good && run(by, g, access_type(format), image.handle, sampler.handle);
    for (unsigned i = 0; good && i < ITEMS; i++)
        good = agrees(&p, texels[i], picture_read(&p, normalized, linear, addressing, (const float *)coordinates[i]),
                      linear ? 1e-4 : 1e-7);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned k = 0; k < 4; k++)
            coordinates[i][k] = (uint32_t)(int32_t)floorf(((const float *)coordinates[i])[k]);
    bool integers = !normalized && !linear && !strcmp(by, "rdf");
    good = good && (!integers || run("rds", g, access_type(format), image.handle, sampler.handle));
    for (unsigned i = 0; integers && good && i < ITEMS; i++) {
        float at[4];
        for (unsigned k = 0; k < 4; k++)
            at[k] = (float)(int32_t)coordinates[i][k];
        good = agrees(&p, texels[i], picture_read(&p, false, false, addressing, at), 1e-7);
    }
    hsa_ext_image_destroy(agent, image);
    hsa_ext_sampler_destroy(agent, sampler);
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
        for (unsigned kind = 0; kind < 20 && capabilities(g, formats[i]); kind++) {
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
    ok(tried && !wrong, "%u combinations of sampler and format of %s images are read", tried, geometries[g].name);
}

static void check_queries(unsigned g)
{
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
        good = make_image(g, format, &image, &p) && make_sampler(normalized, linear, addressing, &sampler) &&
               run("query", g, "u32", image.handle, sampler.handle);
        for (unsigned i = 0; i < ITEMS && good; i++)
            good = coordinates[i][0] == WIDTH && coordinates[i][1] == geometries[g].height &&
                   coordinates[i][2] == geometries[g].depth && coordinates[i][3] == geometries[g].layers &&
                   texels[i][0] == format.channel_order && texels[i][1] == format.channel_type &&
                   (texels[i][2] & 1) == normalized && (texels[i][2] >> 1 & 1) == linear &&
                   (texels[i][2] >> 2 == addressing || !addressing);
        hsa_ext_image_destroy(agent, image);
        hsa_ext_sampler_destroy(agent, sampler);
    }
    ok(good, "%s images and samplers are asked", geometries[g].name);
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
        for (unsigned k = 0; k < ITEMS; k++)
            coordinates[k][3] = 0;
        good = loads_and_stores(g, formats[i], "ldl", "stl");
        for (unsigned kind = 0; kind < 8 && good && sampled; kind++) {
            bool normalized = kind & 1, linear = (kind & 2) && !i, gradients = kind & 4;
            for (unsigned k = 0; k < ITEMS; k++)
                ((float *)coordinates[k])[3] = (float)(draw() % 16) * (gradients ? 0.25f : 1.0f);
            good = reads(gradients ? "rdg" : "rdl", g, formats[i], normalized, linear, normalized ? 3 : 1);
        }
    }
    ok(good, "%s images are accessed with levels and derivatives", geometries[g].name);
    struct picture p;
    hsa_ext_image_t image;
    uint32_t words[16];
    if (depth || !sampled || !make_image(g, formats[0], &image, &p))
        return;
    good = run("levels", g, "u32", image.handle, 0) && texels[0][0] == 1;
    memcpy(words, (const void *)(uintptr_t)image.handle, sizeof words);
    words[3] |= 5u << 16; /* the last level */
    good = good && run("levels", g, "u32", (uintptr_t)words, 0) && texels[0][0] == 6;
    words[3] |= 2u << 12; /* the first level */
    good = good && run("levels", g, "u32", (uintptr_t)words, 0) && texels[0][0] == 4;
    ok(good, "%s images have levels", geometries[g].name);
    hsa_ext_image_destroy(agent, image);
}

static hsa_status_t find_gpu(hsa_agent_t candidate, void *data)
{
    hsa_device_type_t type;
    hsa_agent_get_info(candidate, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_GPU)
        *(hsa_agent_t *)data = candidate;
    return HSA_STATUS_SUCCESS;
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    if (ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_iterate_agents(find_gpu, &agent) == HSA_STATUS_SUCCESS &&
               agent.handle && make_kernels(),
           "kernels of every geometry and type"))
        for (unsigned g = 0; g < GEOMETRIES; g++) {
            check_formats(g);
            check_halves(g);
            if (g != HSA_EXT_IMAGE_GEOMETRY_1DB)
                check_samplers(g);
            check_queries(g);
            check_levels(g);
        }
    gpu_close(gpu);
    hsa_shut_down();
    return tap_done();
}
