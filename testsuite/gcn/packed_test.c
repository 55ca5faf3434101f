/* SPDX-License-Identifier: MIT */
/* Tests loads and stores of images without conversion, with texels of each size. What a load returns and what a store
 * leaves in memory is computed here from bytes. */
#include "testsuite/gcn/wave_bench.h"

enum {
    MODE = 0x3f0,
    WIDTH = 16, /* texels in a row, and from row to row */
    HEIGHT = 4,
    IMAGE = 8, /* s[8:15] */
    DATA = 40, /* v40 and those after it */
    LEVEL = 2, /* v2, after the coordinates in v0 and v1 */
    UNORM = 1 << 12,
    A16 = 1 << 15,
    TFE = 1 << 16,
    END = 0xbf810000,
};

static struct bench bench;
static const struct gcn_target *target;
static uint8_t texels[WIDTH * HEIGHT * 16] __attribute__((aligned(256))), texels_before[sizeof texels];

/* A format for each size of texel; it must not matter beyond that. */
static const struct {
    uint8_t bytes, data, number;
} formats[] = {
    {1, 1, 0},  /* 8 UNORM */
    {2, 2, 7},  /* 16 FLOAT */
    {2, 16, 0}, /* 5_6_5 UNORM */
    {2, 3, 1},  /* 8_8 SNORM */
    {4, 10, 9}, /* 8_8_8_8 SRGB */
    {4, 6, 7},  /* 10_11_11 FLOAT */
    {8, 12, 1}, /* 16_16_16_16 SNORM */
    {12, 13, 7}, {16, 14, 5},
};

struct form {
    const char *name;
    unsigned opcode;
    bool mip, sign, store;
};

static const struct form forms[] = {
    {"image_load_pck", 2, false, false, false},    {"image_load_pck_sgn", 3, false, true, false},
    {"image_load_mip_pck", 4, true, false, false}, {"image_load_mip_pck_sgn", 5, true, true, false},
    {"image_store_pck", 10, false, false, true},   {"image_store_mip_pck", 11, true, false, true},
};

static void prepare(unsigned format, bool a16, uint64_t exec)
{
    struct gcn_wave *w = bench.wave;
    uint64_t base = (uintptr_t)texels;
    memset(w, 0, sizeof *w);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            w->v[i][lane] = (uint32_t)random64();
    for (size_t i = 0; i < sizeof texels; i++)
        texels[i] = texels_before[i] = (uint8_t)(random64() >> 20);
    for (unsigned lane = 0; lane < GCN_LANES; lane++) {
        uint32_t x = lane % (WIDTH + 1), y = lane / (WIDTH + 1) + x % 2; /* no texel twice; some lie outside */
        uint32_t level = lane % 7 == 3;
        w->v[0][lane] = a16 ? x | y << 16 : x;
        w->v[1][lane] = a16 ? level : y;
        w->v[LEVEL][lane] = level;
    }
    w->s[IMAGE] = (uint32_t)(base >> 8);
    w->s[IMAGE + 1] =
        (uint32_t)(base >> 40) | (uint32_t)formats[format].data << 20 | (uint32_t)formats[format].number << 26;
    w->s[IMAGE + 2] = (WIDTH - 1) | (HEIGHT - 1) << 14;
    w->s[IMAGE + 3] = 07405 | 9u << 28; /* DST_SEL of components in disorder, which must not matter */
    w->s[IMAGE + 4] = (WIDTH - 1) << 13;
    gcn_set64(w, GCN_S_EXEC, exec);
}

/* The place of LANE's texel among the bytes; -1 outside of the image. */
static int place(unsigned lane, const struct form *form, unsigned bytes)
{
    unsigned x = lane % (WIDTH + 1), y = lane / (WIDTH + 1) + x % 2;
    bool outside = x >= WIDTH || y >= HEIGHT || (form->mip && lane % 7 == 3);
    return outside ? -1 : (int)((y * WIDTH + x) * bytes);
}

/* What register K of the data is after a load. */
static uint32_t loaded(unsigned lane, const struct form *form, unsigned bytes, unsigned dword)
{
    int at = place(lane, form, bytes);
    uint32_t value = 0;
    if (at < 0)
        return 0;
    for (unsigned i = 4 * dword; i < bytes && i < 4 * dword + 4; i++)
        value |= (uint32_t)texels_before[at + (int)i] << 8 * (i % 4);
    if (form->sign && dword == 0 && bytes < 4 && value >> (8 * bytes - 1))
        value |= 0xffffffffu << 8 * bytes;
    return value;
}

static bool load_is_right(const struct form *form, unsigned bytes, unsigned dmask, bool tfe, uint64_t exec)
{
    unsigned k = 0;
    for (unsigned dword = 0; dword < 5; dword++) {
        if (dword < 4 ? !(dmask >> dword & 1) : !tfe)
            continue;
        for (unsigned lane = 0; lane < GCN_LANES; lane++) {
            uint32_t before = bench.before->v[DATA + k][lane];
            uint32_t want = !(exec >> lane & 1) ? before : dword < 4 ? loaded(lane, form, bytes, dword) : 0;
            if (bench.wave->v[DATA + k][lane] != want)
                return false;
        }
        k++;
    }
    memcpy(bench.before->v[DATA], bench.wave->v[DATA], k * sizeof bench.wave->v[0]);
    return !memcmp(bench.wave->v, bench.before->v, sizeof bench.wave->v) &&
           !memcmp(texels, texels_before, sizeof texels);
}

/* Dwords of the texel that DMASK does not name are stored as zero. */
static bool store_is_right(const struct form *form, unsigned bytes, unsigned dmask, uint64_t exec)
{
    for (unsigned lane = 0; lane < GCN_LANES; lane++) {
        int at = place(lane, form, bytes);
        unsigned k = 0;
        if (at < 0 || !(exec >> lane & 1))
            continue;
        for (unsigned dword = 0; dword < 4; dword++) {
            uint32_t value = dmask >> dword & 1 ? bench.before->v[DATA + k++][lane] : 0;
            for (unsigned i = 4 * dword; i < bytes && i < 4 * dword + 4; i++)
                texels_before[at + (int)i] = (uint8_t)(value >> 8 * (i % 4));
        }
    }
    return !memcmp(bench.wave->v, bench.before->v, sizeof bench.wave->v) &&
           !memcmp(texels, texels_before, sizeof texels);
}

static bool check(const struct form *form, unsigned format, unsigned dmask, uint64_t exec, uint32_t flags)
{
    uint32_t words[] = {0xf0000000 | UNORM | form->opcode << 18 | dmask << 8 | flags, DATA << 8 | IMAGE / 4 << 16, END};
    unsigned bytes = formats[format].bytes, chosen = dmask ? dmask : 1;
    prepare(format, flags & A16, exec);
    return bench_run(&bench, words, 3, MODE) && (form->store ? store_is_right(form, bytes, chosen, exec)
                                                             : load_is_right(form, bytes, chosen, flags & TFE, exec));
}

static void check_form(const struct gcn_engine *engine, const struct form *form)
{
    bool has_tfe = strcmp(target->processor->name, "gfx90a");
    unsigned wrong = 0, count = 0;
    for (unsigned format = 0; format < sizeof formats / sizeof *formats; format++)
        for (unsigned dmask = 0; dmask < 16; dmask++)
            for (unsigned round = 0; round < 4; round++) {
                uint32_t flags = (round & 1 ? A16 : 0) | (round & 2 && has_tfe && !form->store ? TFE : 0);
                count++;
                if (!check(form, format, dmask, round ? random64() : UINT64_MAX, flags) && wrong++ < 3)
                    printf("# format %u, dmask %x, flags %x: %s\n", formats[format].data, dmask, flags,
                           bench.wave->fault.name);
            }
    ok(!wrong, "%s, %s: %s (%u times)", engine->name, target->processor->name, form->name, count);
}

int main(void)
{
    const struct gcn_engine *engine = gcn_engine_select(NULL);
    if (!engine || !bench_begin(&bench))
        return 1;
    for (unsigned t = 0; t < GCN_TARGET_COUNT; t++) {
        target = gcn_target_number(t);
        bench.cache = gcn_cache_new(engine, target);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            check_form(engine, &forms[i]);
        gcn_cache_free(bench.cache);
    }
    bench_end(&bench);
    return tap_done();
}
