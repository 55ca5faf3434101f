/* SPDX-License-Identifier: MIT */
/* Every combination of geometry, format, kind of handle, access type, coordinate type and sampler that image
 * instructions have (G01-G07, G10), on images of several sizes, compared with the model (image_model.h): a sample of
 * them, or all with HSAIL_IMAGES=all, which `make check-images` sets. */
#include "testsuite/finalizer/image_bed.h"
#include "testsuite/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTS = 5 };

static const struct bed_size sizes[] = {{7, 5, 3, 4}, {1, 1, 1, 1}, {100, 10, 1, 10}, {10, 10, 10, 3}, {1000, 2, 2, 2}};
static const char *const properties[] = {"width", "height", "depth", "array", "channelorder", "channeltype"};

/* ---- kernels ---- */

static void put_access(unsigned g, const char *type)
{
    static const char *const at[] = {"", "$s0", "($s0, $s1)", "($s0, $s1, $s2)"};
    const char *name = bed_geometries[g].name, *where = at[bed_geometries[g].coordinates];
    bool depth = strstr(name, "depth");
    const char *vector = depth ? "" : "v4_", *values = depth ? "$s4" : "($s4, $s5, $s6, $s7)";
    static const struct {
        const char *kernel, *instruction, *handle, *sampler, *coordinate;
    } forms[] = {{"ldro", "ldimage", "roimg", "", "u32"},     {"ldrw", "ldimage", "rwimg", "", "u32"},
                 {"stwo", "stimage", "woimg", "", "u32"},     {"strw", "stimage", "rwimg", "", "u32"},
                 {"rdf", "rdimage", "roimg", "$d4, ", "f32"}, {"rds", "rdimage", "roimg", "$d4, ", "s32"}};
    for (unsigned i = 0; i < (g == HSA_EXT_IMAGE_GEOMETRY_1DB ? 4 : 6); i++) {
        bed_begin(forms[i].kernel, name, type, forms[i].handle);
        bed_put("%s_%s%s_%s_%s_%s %s, $d3, %s%s;\n%s", forms[i].instruction, vector, name, type, forms[i].handle,
                forms[i].coordinate, values, forms[i].sampler, where,
                forms[i].instruction[0] == 's' ? "};\n" : BED_END);
    }
}

/* The properties go to the coordinates and the texel; 0 stands for one that the geometry lacks. */
static void put_queries(unsigned g)
{
    static const char *const handles[] = {"ro", "wo", "rw"};
    const struct bed_geometry *is = &bed_geometries[g];
    const bool has[] = {true, is->has_height, is->has_depth, is->has_layers, true, true};
    char kernel[8], handle[8];
    for (unsigned k = 0; k < 3; k++) {
        snprintf(kernel, sizeof kernel, "q%s", handles[k]);
        snprintf(handle, sizeof handle, "%simg", handles[k]);
        bed_begin(kernel, is->name, "u32", handle);
        for (unsigned i = 0; i < 6; i++)
            if (has[i])
                bed_put("queryimage_%s_%s_u32_%s $s%u, $d3;\n", is->name, properties[i], handle, i);
            else
                bed_put("mov_b32 $s%u, 0;\n", i);
        bed_put("st_v4_global_u32 ($s0, $s1, $s2, $s3), [$d0];\n" BED_END);
    }
}

static void put_module(void)
{
    bed_put("module &matrix:1:2:$full:$large:$near;\nextension \"IMAGE\";\n");
    for (unsigned g = 0; g < BED_GEOMETRIES; g++) {
        put_access(g, "f32");
        put_access(g, "f16");
        put_access(g, "u32");
        put_access(g, "s32");
        put_queries(g);
    }
}

/* ---- what to try ---- */

/* What is tried, and with what result. */
struct tally {
    unsigned tried, wrong;
};

static bool all;

/* Whether the next combination is to be tried: each of them, or one in sixteen at random. */
static bool chosen(void)
{
    return all || bed_draw() % 16 == 0;
}

struct subject {
    unsigned g;
    hsa_ext_image_format_t format;
    const struct bed_size *size;
    const char *type; /* of the components in registers */
};

static bool is_half(const struct subject *s)
{
    return !strcmp(s->type, "f16");
}

static void count(struct tally *t, const struct subject *s, bool good, const char *what)
{
    t->tried++;
    t->wrong += !good;
    if (!good && t->wrong <= REPORTS)
        printf("# %s %s, type %u, order %u, %s, %u x %u x %u, %u layers\n", bed_geometries[s->g].name, what,
               s->format.channel_type, s->format.channel_order, s->type, s->size->width, s->size->height,
               s->size->depth, s->size->layers);
}

/* Whether a texel in registers agrees with the model; halves are rounded once more. */
static bool matches(const struct subject *s, const struct picture *p, const uint32_t *registers, union texel expected,
                    double tolerance)
{
    uint32_t wide[4];
    for (unsigned i = 0; i < 4; i++) {
        _Float16 half, rounded = (_Float16)expected.number[i];
        float value = 0;
        if (!is_half(s)) {
            wide[i] = registers[i];
            continue;
        }
        memcpy(&half, &registers[i], sizeof half);
        value = (float)half;
        if (isfinite(value) && (tolerance > 1e-6 || half != rounded))
            tolerance = fmax(tolerance, fabs((double)value) * 0x1p-10);
        memcpy(&wide[i], &value, sizeof value);
        if (half == rounded)
            wide[i] = expected.integer[i];
    }
    return bed_agrees(p, wide, expected, tolerance);
}

/* ---- ldimage and stimage ---- */

static unsigned elements_of(const struct picture *p)
{
    return p->size[0] * p->size[1] * p->size[2] * p->layers;
}

/* Chooses elements for the work-items, one after the other from a random one on; returns how many are different. */
static unsigned choose_elements(const struct picture *p, int at[][3], unsigned *layers)
{
    unsigned total = elements_of(p), first = bed_draw() % total;
    for (unsigned i = 0; i < BED_ITEMS; i++) {
        bed_element(p, (first + i) % total, at[i], &layers[i]);
        bed_to_coordinates(p, at[i], layers[i], bed_coordinates[i]);
    }
    return total < BED_ITEMS ? total : BED_ITEMS;
}

static void try_load(struct tally *t, const struct subject *s, const char *kernel, hsa_access_permission_t permission)
{
    struct picture p;
    hsa_ext_image_t image = {0};
    int at[BED_ITEMS][3];
    unsigned layers[BED_ITEMS];
    if (!chosen())
        return;
    bool good = bed_image(s->g, s->format, s->size, permission, &image, &p);
    choose_elements(&p, at, layers);
    memset(bed_texels, 0x5a, sizeof bed_texels);
    good = good && bed_run(kernel, s->g, s->type, image.handle, 0);
    for (unsigned i = 0; good && i < BED_ITEMS; i++)
        good = matches(s, &p, bed_texels[i], picture_load(&p, at[i], layers[i]), 1e-7);
    count(t, s, good, kernel);
    hsa_ext_image_destroy(bed_agent, image);
}

/* A number to store: any bits, or one near the ends of what formats represent, or between two of their numbers. */
static uint32_t number_to_store(const struct subject *s, float *number)
{
    static const float edges[] = {
        0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 1e-40f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN};
    uint32_t bits = bed_draw() >> bed_draw() % 32;
    if (picture_is_integer(s->format)) {
        memcpy(number, &bits, sizeof bits);
        return bed_draw() % 2 ? bits : 0 - bits;
    }
    unsigned kind = bed_draw() % 4;
    *number = kind == 0   ? edges[bed_draw() % (sizeof edges / sizeof *edges)]
              : kind == 1 ? ((float)(bed_draw() % 256) + 0.5f) / 255
                          : (float)(int32_t)bed_draw() * 0x1.8p-31f;
    memcpy(&bits, number, sizeof bits);
    if (is_half(s)) {
        _Float16 half = (_Float16)*number;
        uint16_t low;
        memcpy(&low, &half, sizeof low);
        *number = (float)half;
        bits = low;
    }
    return bits;
}

static void try_store(struct tally *t, const struct subject *s, const char *kernel, hsa_access_permission_t permission)
{
    static uint8_t before[BED_MEMORY];
    struct picture p;
    hsa_ext_image_t image = {0};
    int at[BED_ITEMS][3];
    unsigned layers[BED_ITEMS];
    union texel stored[BED_ITEMS];
    if (!chosen())
        return;
    bool good = bed_image(s->g, s->format, s->size, permission, &image, &p);
    unsigned different = choose_elements(&p, at, layers);
    size_t bytes = p.slice * p.size[2] * p.layers;
    for (unsigned i = 0; i < BED_ITEMS; i++)
        for (unsigned k = 0; k < 4; k++) {
            bed_texels[i][k] = number_to_store(s, &stored[i].number[k]);
            if (picture_is_integer(s->format))
                stored[i].integer[k] = bed_texels[i][k];
        }
    for (unsigned i = different; i < BED_ITEMS; i++) { /* what stores an element twice stores the same twice */
        memcpy(bed_texels[i], bed_texels[i - different], sizeof bed_texels[i]);
        stored[i] = stored[i - different];
    }
    memcpy(before, bed_memory, bytes);
    good = good && bed_run(kernel, s->g, s->type, image.handle, 0);
    for (unsigned i = 0; good && i < different; i++) {
        unsigned size = picture_bytes(s->format);
        size_t slice = picture_is_array(p.geometry) ? layers[i] : (size_t)at[i][2];
        size_t place = slice * p.slice + (size_t)at[i][1] * p.row + (size_t)at[i][0] * size;
        good = picture_is_stored(&p, at[i], layers[i], stored[i]);
        memcpy(bed_memory + place, before + place, size);
    }
    count(t, s, good && !memcmp(before, bed_memory, bytes), kernel);
    hsa_ext_image_destroy(bed_agent, image);
}

/* ---- rdimage ---- */

static void try_read(struct tally *t, const struct subject *s, unsigned kind)
{
    struct picture p;
    hsa_ext_image_t image = {0};
    hsa_ext_sampler_t sampler = {0};
    bool normalized = kind & 1, linear = kind & 2, whole = kind & 4;
    unsigned addressing = kind / 8;
    bool undefined = addressing == HSA_EXT_SAMPLER_ADDRESSING_MODE_UNDEFINED;
    char what[64];
    if ((linear && picture_is_integer(s->format)) || (whole && (normalized || linear)) ||
        (!normalized && addressing >= HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT))
        return;
    bool narrow = s->size->width < 3 || s->size->height < 3 || s->size->depth < 3;
    if ((undefined && linear && narrow) || !chosen())
        return;
    bool good = bed_image(s->g, s->format, s->size, HSA_ACCESS_PERMISSION_RO, &image, &p) &&
                bed_sampler(normalized, linear, addressing, &sampler);
    float at[BED_ITEMS][4];
    for (unsigned i = 0; i < BED_ITEMS; i++) {
        bed_place(&p, normalized, undefined, at[i]);
        for (unsigned k = 0; whole && k < p.coordinates; k++)
            at[i][k] = floorf(at[i][k]);
        for (unsigned k = 0; k < p.coordinates; k++)
            bed_coordinates[i][k] = (uint32_t)(int32_t)at[i][k];
        if (!whole)
            memcpy(bed_coordinates[i], at[i], p.coordinates * sizeof **at);
    }
    good = good && bed_run(whole ? "rds" : "rdf", s->g, s->type, image.handle, sampler.handle);
    for (unsigned i = 0; good && i < BED_ITEMS; i++)
        good = matches(s, &p, bed_texels[i], picture_read(&p, normalized, linear, addressing, at[i]),
                       linear ? 1e-4 : 1e-7);
    snprintf(what, sizeof what, "rdimage, %s, %s, %s, addressing %u", whole ? "s32" : "f32",
             normalized ? "normalized" : "unnormalized", linear ? "linear" : "nearest", addressing);
    count(t, s, good, what);
    hsa_ext_image_destroy(bed_agent, image);
    hsa_ext_sampler_destroy(bed_agent, sampler);
}

/* ---- queryimage ---- */

static void try_query(struct tally *t, const struct subject *s, const char *kernel, hsa_access_permission_t permission)
{
    const struct bed_geometry *is = &bed_geometries[s->g];
    struct picture p;
    hsa_ext_image_t image = {0};
    if (!chosen())
        return;
    bool good =
        bed_image(s->g, s->format, s->size, permission, &image, &p) && bed_run(kernel, s->g, "u32", image.handle, 0);
    for (unsigned i = 0; i < BED_ITEMS && good; i++)
        good = bed_coordinates[i][0] == s->size->width &&
               bed_coordinates[i][1] == (is->has_height ? s->size->height : 0) &&
               bed_coordinates[i][2] == (is->has_depth ? s->size->depth : 0) &&
               bed_coordinates[i][3] == (is->has_layers ? s->size->layers : 0) &&
               bed_texels[i][0] == s->format.channel_order && bed_texels[i][1] == s->format.channel_type;
    count(t, s, good, kernel);
    hsa_ext_image_destroy(bed_agent, image);
}

/* ---- all of them ---- */

static void try_format(struct tally tallies[4], struct subject s, uint32_t mask)
{
    if (mask & HSA_EXT_IMAGE_CAPABILITY_READ_ONLY) {
        try_load(&tallies[0], &s, "ldro", HSA_ACCESS_PERMISSION_RO);
        try_query(&tallies[3], &s, "qro", HSA_ACCESS_PERMISSION_RO);
        for (unsigned kind = 0; kind < 40 && s.g != HSA_EXT_IMAGE_GEOMETRY_1DB; kind++)
            try_read(&tallies[2], &s, kind);
    }
    if (mask & HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY) {
        try_store(&tallies[1], &s, "stwo", HSA_ACCESS_PERMISSION_WO);
        try_query(&tallies[3], &s, "qwo", HSA_ACCESS_PERMISSION_WO);
    }
    if (mask & HSA_EXT_IMAGE_CAPABILITY_READ_WRITE) {
        try_load(&tallies[0], &s, "ldrw", HSA_ACCESS_PERMISSION_RW);
        try_store(&tallies[1], &s, "strw", HSA_ACCESS_PERMISSION_RW);
        try_query(&tallies[3], &s, "qrw", HSA_ACCESS_PERMISSION_RW);
    }
}

static void try_geometry(unsigned g)
{
    static const char *const what[] = {"loads", "stores", "reads", "queries"};
    struct tally tallies[4] = {{0}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t type = 0; type <= HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT; type++)
            for (uint32_t order = 0; order <= HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH; order++) {
                struct subject s = {g, {type, order}, &sizes[i], NULL};
                uint32_t mask = bed_capabilities(g, s.format);
                if (!mask)
                    continue;
                s.type = bed_access_type(s.format);
                try_format(tallies, s, mask);
                s.type = "f16";
                if (!picture_is_integer(s.format))
                    try_format(tallies, s, mask);
            }
    for (unsigned i = 0; i < 4; i++)
        if (i != 2 || g != HSA_EXT_IMAGE_GEOMETRY_1DB)
            ok(tallies[i].tried && !tallies[i].wrong, "%u %s of %s images", tallies[i].tried, what[i],
               bed_geometries[g].name);
}

int main(void)
{
    const char *wanted = getenv("HSAIL_IMAGES");
    all = wanted && !strcmp(wanted, "all");
    put_module();
    if (ok(bed_open(), "kernels of every geometry, handle and type"))
        for (unsigned g = 0; g < BED_GEOMETRIES; g++)
            try_geometry(g);
    bed_close();
    return tap_done();
}
