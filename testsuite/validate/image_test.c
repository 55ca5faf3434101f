/* SPDX-License-Identifier: MIT */
/* Compares every combination of image geometry, channel order and channel type (G08, R34), and every property that a
 * geometry has or lacks, with table 7-4 of the PRM in its printed form: by channel order, bits of the components and
 * kind of number. */
#include "testsuite/tap.h"
#include "testsuite/validate/verdict.h"

/* A row of the printed table, for the orders in the list: u unorm, s snorm, n unsigned, i signed, h half, f
 * float. */
static const struct row {
    const char *orders, *bits, *kinds;
    bool depth; /* the row is for the depth geometries, else for the others */
} rows[] = {
    {"r rx a rg rgx ra rgba", "8", "usni", false},
    {"r rx a rg rgx ra rgba", "16", "usnih", false},
    {"r rx a rg rgx ra rgba", "32", "nif", false},
    {"rgb rgbx", "565", "u", false},
    {"rgb rgbx", "555", "u", false},
    {"rgb rgbx", "101010", "u", false},
    {"bgra argb abgr", "8", "usni", false},
    {"srgb srgbx srgba sbgra", "8", "u", false},
    {"intensity luminance", "8", "us", false},
    {"intensity luminance", "16", "ush", false},
    {"intensity luminance", "32", "f", false},
    {"depth", "16", "u", true},
    {"depth", "24", "u", true},
    {"depth", "32", "f", true},
    {"depth_stencil", "24", "u", true},
    {"depth_stencil", "32", "f", true},
};

static const char *const orders[] = {
    "a",    "r",    "rx",   "rg",    "rgx",   "ra",    "rgb",       "rgbx",      "rgba",  "bgra",
    "argb", "abgr", "srgb", "srgbx", "srgba", "sbgra", "intensity", "luminance", "depth", "depth_stencil"};

static const struct {
    const char *name, *bits;
    char kind;
} types[] = {
    {"snorm_int8", "8", 's'},        {"snorm_int16", "16", 's'},
    {"unorm_int8", "8", 'u'},        {"unorm_int16", "16", 'u'},
    {"unorm_int24", "24", 'u'},      {"unorm_short_555", "555", 'u'},
    {"unorm_short_565", "565", 'u'}, {"unorm_int_101010", "101010", 'u'},
    {"signed_int8", "8", 'i'},       {"signed_int16", "16", 'i'},
    {"signed_int32", "32", 'i'},     {"unsigned_int8", "8", 'n'},
    {"unsigned_int16", "16", 'n'},   {"unsigned_int32", "32", 'n'},
    {"half_float", "16", 'h'},       {"float", "32", 'f'},
};

/* Table 7-1: which sizes a geometry has besides its width. */
static const struct {
    const char *name, *sizes;
} geometries[] = {
    {"1d", ""},  {"2d", "height"},      {"3d", "height depth"},       {"1da", "array"}, {"2da", "height array"},
    {"1db", ""}, {"2ddepth", "height"}, {"2dadepth", "height array"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Whether the list, words separated by blanks, contains the word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static bool is_printed(bool depth, const char *order, const char *bits, char kind)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].depth == depth && has_word(rows[i].orders, order) && strcmp(rows[i].bits, bits) == 0 &&
            strchr(rows[i].kinds, kind))
            return true;
    return false;
}

/* The only id that a module with one image of these properties gets; "" for none, "several" for more. */
static const char *verdict(const char *geometry, const char *sizes, const char *type, const char *order)
{
    char text[512];
    snprintf(text, sizeof text,
             "module &m:1:0:$full:$large:$default;\nextension \"IMAGE\";\n"
             "readonly_roimg &x = roimg(geometry = %s%s, channel_type = %s, channel_order = %s);\n",
             geometry, sizes, type, order);
    struct diag_list diag = {0};
    check_findings(text, false, &diag);
    const char *id = !diag.items.count ? "" : diag.items.count == 1 ? diag.items.items[0].rule->id : "several";
    diag_list_free(&diag);
    return id;
}

/* The sizes of a geometry as text, without the one in LESS, and with the one in MORE. */
static const char *sizes_of(size_t geometry, const char *less, const char *more)
{
    static const char *const all[] = {"width", "height", "depth", "array"};
    static char text[128];
    *text = '\0';
    for (size_t i = 0; i < COUNT(all); i++) {
        bool there = i == 0 || has_word(geometries[geometry].sizes, all[i]);
        if ((there && strcmp(all[i], less) != 0) || strcmp(all[i], more) == 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", %s = %zu", all[i], i + 2);
    }
    return text;
}

static void test_formats(size_t geometry)
{
    bool depth = strstr(geometries[geometry].name, "dep") != NULL, good = true;
    for (size_t o = 0; o < COUNT(orders); o++)
        for (size_t t = 0; t < COUNT(types); t++) {
            const char *expected = "image-format";
            if (depth != (strncmp(orders[o], "depth", 5) == 0))
                expected = "image-order";
            else if (is_printed(depth, orders[o], types[t].bits, types[t].kind))
                expected = "";
            const char *id = verdict(geometries[geometry].name, sizes_of(geometry, "", ""), types[t].name, orders[o]);
            if (strcmp(id, expected) != 0) {
                printf("# %s %s: \"%s\" instead of \"%s\"\n", orders[o], types[t].name, id, expected);
                good = false;
            }
        }
    ok(good, "formats of %s", geometries[geometry].name);
}

static void test_sizes(size_t geometry)
{
    static const char *const sizes[] = {"width", "height", "depth", "array"};
    const char *name = geometries[geometry].name;
    bool depth = strstr(name, "dep") != NULL;
    const char *type = depth ? "float" : "half_float", *order = depth ? "depth" : "r";
    for (size_t i = 0; i < COUNT(sizes); i++) {
        bool there = i == 0 || has_word(geometries[geometry].sizes, sizes[i]);
        const char *text = there ? sizes_of(geometry, sizes[i], "") : sizes_of(geometry, "", sizes[i]);
        const char *id = verdict(name, text, type, order);
        ok(strcmp(id, there ? "property-missing" : "property-unused") == 0, "%s %s %s", name,
           there ? "without" : "with", sizes[i]);
    }
}

int main(void)
{
    for (size_t g = 0; g < COUNT(geometries); g++) {
        test_formats(g);
        test_sizes(g);
    }
    return tap_done();
}
