/* SPDX-License-Identifier: MIT */
/* Variables that are initialized with images (PRM 7.1.7): each geometry is stored to, loaded from and queried, with one
 * element, in an array and in a structure; and what is refused (S51, G03-G05). */
#include "testsuite/finalizer/on_hsa.h"

#include "hsail/finalize.h"
#include "support/textbuf.h"
#include "testsuite/finding.h"
#include "testsuite/tap.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, LAYERS = 4, TEXELS_MAX = WIDTH * HEIGHT * LAYERS, QUERIES = 6 };

/* The numbers of the channel types and orders are those of PRM 7.1.4. */
enum { TYPE_UINT32 = 13, TYPE_FLOAT = 15, ORDER_R = 1, ORDER_DEPTH = 18 };

static const struct geometry {
    const char *name;
    unsigned height, depth, layers; /* 0 where it has none */
    bool is_depth;
} geometries[] = {
    {"1d", 0, 0, 0, false},          {"2d", HEIGHT, 0, 0, false},          {"3d", HEIGHT, DEPTH, 0, false},
    {"1da", 0, 0, LAYERS, false},    {"2da", HEIGHT, 0, LAYERS, false},    {"1db", 0, 0, 0, false},
    {"2ddepth", HEIGHT, 0, 0, true}, {"2dadepth", HEIGHT, 0, LAYERS, true}};

static struct textbuf text;

#define add(...) textbuf_printf(&text, __VA_ARGS__)

static void add_property(const char *name, unsigned value)
{
    if (value)
        add(", %s = %u", name, value);
}

static void add_image(const struct geometry *g)
{
    add("rwimg(geometry = %s, width = %u", g->name, WIDTH);
    add_property("height", g->height);
    add_property("depth", g->depth);
    add_property("array", g->layers);
    add(", channel_type = %s, channel_order = %s)", g->is_depth ? "float" : "unsigned_int32",
        g->is_depth ? "depth" : "r");
}

/* Coordinates of the texel whose number is in $s0, in $s1 to $s3. */
static const char *add_coordinates(const struct geometry *g)
{
    unsigned second = g->height ? g->height : g->layers, third = g->height ? g->depth + g->layers : 0;
    add("rem_u32 $s1, $s0, %u; div_u32 $s2, $s0, %u;\n", WIDTH, WIDTH);
    if (third)
        add("div_u32 $s3, $s2, %u; rem_u32 $s2, $s2, %u;\n", second, second);
    return third ? "($s1, $s2, $s3)" : second ? "($s1, $s2)" : "$s1";
}

/* A kernel that stores 5n + 17 into texel n. */
static void add_store(const struct geometry *g, const char *load)
{
    add("prog kernel &store_%s(kernarg_u64 %%out) {\nworkitemabsid_u32 $s0, 0; mul_u32 $s4, $s0, 5; add_u32 $s4, $s4, "
        "17;\nld_%s;\n",
        g->name, load);
    if (g->is_depth)
        add("cvt_f32_u32 $s4, $s4;\n");
    const char *where = add_coordinates(g);
    if (g->is_depth)
        add("stimage_%s_f32_rwimg_u32 $s4, $d1, %s;\n};\n", g->name, where);
    else
        add("stimage_v4_%s_u32_rwimg_u32 ($s4, $s4, $s4, $s4), $d1, %s;\n};\n", g->name, where);
}

/* A kernel whose work-item n writes texel n, and the answers to queries. */
static void add_load(const struct geometry *g, const char *load)
{
    static const char *const queries[QUERIES] = {"width", "height", "depth", "array", "channeltype", "channelorder"};
    const bool has[QUERIES] = {true, g->height, g->depth, g->layers, true, true};
    add("prog kernel &load_%s(kernarg_u64 %%out) {\nworkitemabsid_u32 $s0, 0; ld_%s;\n", g->name, load);
    const char *where = add_coordinates(g);
    if (g->is_depth)
        add("ldimage_%s_f32_rwimg_u32 $s4, $d1, %s; cvt_u32_f32 $s4, $s4;\n", g->name, where);
    else
        add("ldimage_v4_%s_u32_rwimg_u32 ($s4, $s5, $s6, $s7), $d1, %s;\n", g->name, where);
    add("ld_kernarg_u64 $d0, [%%out]; mul_u32 $s5, $s0, 32; cvt_u64_u32 $d2, $s5; add_u64 $d0, $d0, $d2;\n"
        "st_global_u32 $s4, [$d0];\n");
    for (unsigned i = 0; i < QUERIES; i++)
        if (has[i])
            add("queryimage_%s_%s_u32_rwimg $s4, $d1; st_global_u32 $s4, [$d0 + %u];\n", g->name, queries[i],
                4 * i + 4);
    add("};\n");
}

/* Images in variables of their own, but the 2D ones in an array, and those of depth in a structure. */
static void write_text(void)
{
    char variable[48];
    add("module &m:1:2:$full:$large:$near;\nextension \"IMAGE\";\nalloc(agent) global_rwimg &two[2] = rwimg[](");
    add_image(&geometries[2]);
    add(", ");
    add_image(&geometries[1]);
    add(");\nalloc(agent) global_b8 &both[24] = {u32(7), align(8), ");
    add_image(&geometries[6]);
    add(", ");
    add_image(&geometries[7]);
    add("};\n");
    for (unsigned i = 0; i < sizeof geometries / sizeof *geometries; i++) {
        const struct geometry *g = &geometries[i];
        snprintf(variable, sizeof variable, "%s_rwimg $d1, [&i%u]", i % 2 ? "readonly" : "global", i);
        if (i == 1 || i == 6 || i == 7) {
            snprintf(variable, sizeof variable, "global_rwimg $d1, %s",
                     i == 1   ? "[&two][8]"
                     : i == 6 ? "[&both][8]"
                              : "[&both][16]");
        } else {
            add("%s_rwimg &i%u = ", i % 2 ? "readonly" : "alloc(agent) global", i);
            add_image(g);
            add(";\n");
        }
        add_store(g, variable);
        add_load(g, variable);
    }
}

static hsa_executable_symbol_t kernel_called(hsa_executable_t executable, const char *verb, const char *geometry)
{
    char name[32];
    hsa_executable_symbol_t symbol = {0};
    hsa_agent_t agent = on_hsa_agent();
    snprintf(name, sizeof name, "&%s_%s", verb, geometry);
    hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol);
    return symbol;
}

static uint32_t texels_of(const struct geometry *g)
{
    return WIDTH * (g->height ? g->height : 1) * (g->depth ? g->depth : 1) * (g->layers ? g->layers : 1);
}

static void test_geometry(hsa_executable_t executable, const struct geometry *g)
{
    static uint32_t out[TEXELS_MAX][8];
    const uint64_t arguments[] = {(uintptr_t)out};
    const uint32_t wanted[QUERIES] = {
        WIDTH,
        g->height,
        g->depth,
        g->layers,
        g->is_depth ? TYPE_FLOAT : TYPE_UINT32,
        g->is_depth ? ORDER_DEPTH : ORDER_R};
    unsigned wrong = 0, wrong_queries = 0;
    memset(out, 0, sizeof out);
    if (!ok(on_hsa_run(kernel_called(executable, "load", g->name), texels_of(g), 64, 0, arguments, 1), "%s: it loads",
            g->name))
        return;
    for (uint32_t n = 0; n < texels_of(g); n++)
        wrong += out[n][0] != 5 * n + 17;
    for (unsigned i = 0; i < QUERIES; i++)
        wrong_queries += out[0][i + 1] != wanted[i];
    ok(!wrong, "%s: each texel has its own value", g->name);
    ok(!wrong_queries, "%s: queries answer as the initializer says", g->name);
}

static void test_geometries(void)
{
    size_t size = 0;
    write_text();
    const char *texts[] = {text.data};
    void *code = on_hsa_finalize(texts, 1, &size);
    hsa_executable_t executable = on_hsa_executable();
    if (ok(code && on_hsa_load(executable, code, size) == HSA_STATUS_SUCCESS &&
               hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS,
           "images of all geometries load")) {
        /* All stores come before all loads, so images must not share data. */
        for (unsigned i = 0; i < sizeof geometries / sizeof *geometries; i++)
            ok(on_hsa_run(kernel_called(executable, "store", geometries[i].name), texels_of(&geometries[i]), 64, 0,
                          (const uint64_t[]){0}, 1),
               "%s: it stores", geometries[i].name);
        for (unsigned i = 0; i < sizeof geometries / sizeof *geometries; i++)
            test_geometry(executable, &geometries[i]);
    }
    hsa_executable_destroy(executable);
    hsail_finalize_free(code);
}

/* The id of the finding for a variable with this image on a processor, or "". */
static const char *refusal(const char *target, const char *type, const char *image)
{
    static struct finding finding;
    char source[512];
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    size_t size;
    finding = (struct finding){0};
    snprintf(source, sizeof source,
             "module &m:1:2:$full:$large:$near;\nextension \"IMAGE\";\nalloc(agent) global_%s &i = %s(%s);\n"
             "prog kernel &k(kernarg_u64 %%p) {\nret;\n};\n",
             type, type, image);
    if (hsail_context_create(NULL, &context) == HSAIL_STATUS_OK &&
        hsail_assemble(context, "text", source, strlen(source), 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        if (hsail_finalize(&input, 1, target, NULL, keep_finding, &finding, &code, &size) == HSAIL_STATUS_OK)
            hsail_finalize_free(code);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return finding.id;
}

static void test_refusals(void)
{
#define FORMAT "geometry = 2d, width = 4, height = 4, channel_type = unorm_int8, channel_order = "
    ok(!strcmp(refusal("gfx900", "rwimg", FORMAT "rgba"), ""), "an image is accepted on GFX9");
    ok(!strcmp(refusal("gfx1100", "rwimg", FORMAT "rgba"), "image-initializer-target"), "and refused on GFX11");
    ok(!strcmp(refusal("gfx90a", "rwimg", FORMAT "rgba"), "image-initializer-target"),
       "and without image instructions");
    ok(!strcmp(refusal("gfx900", "roimg", FORMAT "srgba"), ""), "sRGB is accepted for reading");
    ok(!strcmp(refusal("gfx900", "rwimg", FORMAT "srgba"), "image-initializer-format"), "but not for stores");
    ok(!strcmp(refusal("gfx900", "roimg", FORMAT "rx"), "image-initializer-format"), "a format that GFX9 lacks");
    ok(!strcmp(refusal("gfx900", "roimg", "geometry = 1d, width = 16385, channel_type = unorm_int8, channel_order = r"),
               "image-initializer-size"),
       "a row that is too long");
    ok(!strcmp(
           refusal(
               "gfx900", "roimg",
               "geometry = 2da, width = 16384, height = 16384, array = 8192, channel_type = float, channel_order = r"),
           "image-initializer-size"),
       "data that is too large");
}

int main(void)
{
    if (!ok(on_hsa_start(), "the software GPU starts"))
        return tap_done();
    test_geometries();
    test_refusals();
    on_hsa_stop();
    textbuf_free(&text);
    return tap_done();
}
