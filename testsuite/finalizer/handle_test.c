/* SPDX-License-Identifier: MIT */
/* What execute_test leaves out: handles of images, samplers and signals that are loaded, moved, and passed to functions
 * and back (M01, M02, A21), and a wave that arrives at an fbarrier without waiting (B07). */
#include "testsuite/finalizer/image_bed.h"
#include "testsuite/tap.h"

#include "hsa/amd_hsa_signal.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 37 };

/* Types of handles, and an instruction that makes a number in $s0 of the one in $d1. */
static const struct {
    const char *type, *ask;
} handles[] = {{"roimg", "queryimage_2d_width_u32_roimg $s0, $d1;"},
               {"woimg", "queryimage_2d_width_u32_woimg $s0, $d1;"},
               {"rwimg", "queryimage_2d_width_u32_rwimg $s0, $d1;"},
               {"samp", "querysampler_addressing_u32 $s0, $d1;"},
               {"sig64", "signal_ld_rlx_b64_sig64 $d2, $d1; cvt_u32_u64 $s0, $d2;"}};
enum { HANDLES = sizeof handles / sizeof *handles };

/* One function gives a handle back, and another asks it. The handle comes from an argument and from memory. */
static void put_handle(const char *type, const char *ask)
{
    bed_put(
        "prog function &give_%s(arg_%s %%o)(arg_%s %%i)\n{\nld_arg_%s $d0, [%%i]; mov_%s $d1, $d0; st_arg_%s $d1, "
        "[%%o];\n};\n"
        "prog function &ask_%s(arg_u32 %%w)(arg_%s %%i)\n{\nld_arg_%s $d1, [%%i];\n%s\nst_arg_u32 $s0, [%%w];\n};\n",
        type, type, type, type, type, type, type, type, type, ask);
    bed_begin("pass", "2d", type, type);
    bed_put("ld_global_%s $d7, [$d1];\n", type);
    for (unsigned i = 0; i < 2; i++)
        bed_put("{ arg_%s %%i; arg_%s %%o; st_arg_%s %s, [%%i]; call &give_%s(%%o)(%%i); ld_arg_%s $d5, [%%o]; }\n"
                "{ arg_%s %%i; arg_u32 %%w; st_arg_%s $d5, [%%i]; call &ask_%s(%%w)(%%i); ld_arg_u32 $s%u, [%%w]; }\n",
                type, type, type, i ? "$d7" : "$d3", type, type, type, type, type, 4 + i);
    bed_put(BED_END);
}

/* Passes a handle, if it was MADE. */
static void check_handle(unsigned i, bool made, uint64_t handle, uint32_t expected)
{
    memset(bed_texels, 0, sizeof bed_texels);
    for (unsigned k = 0; k < BED_ITEMS; k++)
        memcpy(bed_texels[k], &handle, sizeof handle);
    bool good = made && bed_run("pass", HSA_EXT_IMAGE_GEOMETRY_2D, handles[i].type, handle, handle);
    for (unsigned k = 0; k < BED_ITEMS && good; k++)
        good = bed_texels[k][0] == expected && bed_texels[k][1] == expected;
    ok(good, "a handle of type %s is loaded, moved, and passed to functions and back", handles[i].type);
}

static void check_handles(void)
{
    const hsa_ext_image_format_t format = {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_R};
    const hsa_access_permission_t permissions[] = {
        HSA_ACCESS_PERMISSION_RO, HSA_ACCESS_PERMISSION_WO, HSA_ACCESS_PERMISSION_RW};
    static amd_signal_t signal = {.kind = AMD_SIGNAL_KIND_USER, .value = 12345};
    hsa_ext_sampler_t sampler = {0};
    for (unsigned i = 0; i < 3; i++) {
        struct picture p;
        hsa_ext_image_t image = {0};
        bool made = bed_image(HSA_EXT_IMAGE_GEOMETRY_2D, format, &(struct bed_size){WIDTH, 5, 1, 1}, permissions[i],
                              &image, &p);
        check_handle(i, made, image.handle, WIDTH);
        hsa_ext_image_destroy(bed_agent, image);
    }
    bool made = bed_sampler(true, false, HSA_EXT_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, &sampler);
    check_handle(3, made, sampler.handle, HSA_EXT_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT);
    hsa_ext_sampler_destroy(bed_agent, sampler);
    check_handle(4, true, (uintptr_t)&signal, 12345);
}

/* The first of two waves stores what the second loads. It arrives twice and goes on; the second waits for it each time.
 */
static void put_arrival(void)
{
    bed_put("fbarrier &fb; group_u32 &shared[128];\n");
    bed_begin("arrive", "2d", "u32", "roimg");
    bed_put("workitemid_u32 $s9, 0; shl_u32 $s10, $s9, 2;\n"
            "cmp_eq_b1_u32 $c0, $s9, 0; cbr_b1 $c0, @init; br @ready;\n@init: initfbar &fb;\n@ready: barrier;\n"
            "joinfbar &fb; barrier;\ncmp_lt_b1_u32 $c1, $s9, 64; cbr_b1 $c1, @producer;\n"
            "waitfbar &fb; memfence_scacq_wg; sub_u32 $s10, $s10, 256; ld_group_u32 $s4, [&shared][$s10];\n"
            "waitfbar &fb; memfence_scacq_wg; ld_group_u32 $s5, [&shared][$s10+256]; br @end;\n"
            "@producer: add_u32 $s11, $s9, 1000; st_group_u32 $s11, [&shared][$s10]; memfence_screl_wg;\n"
            "arrivefbar &fb; add_u32 $s11, $s9, 2000; st_group_u32 $s11, [&shared][$s10+256]; memfence_screl_wg;\n"
            "arrivefbar &fb;\n@end: leavefbar &fb; barrier;\ncbr_b1 $c0, @release; br @done;\n"
            "@release: releasefbar &fb;\n@done:\n" BED_END);
}

static void check_arrival(void)
{
    memset(bed_texels, 0, sizeof bed_texels);
    bool good = bed_run_groups("arrive", HSA_EXT_IMAGE_GEOMETRY_2D, "u32", BED_ITEMS);
    for (unsigned i = 64; i < BED_ITEMS && good; i++)
        good = bed_texels[i][0] == 1000 + i - 64 && bed_texels[i][1] == 2000 + i - 64;
    ok(good, "a wave arrives at an fbarrier, and another waits for it");
}

int main(void)
{
    bed_put("module &handles:1:2:$full:$large:$near;\nextension \"IMAGE\";\n");
    for (unsigned i = 0; i < HANDLES; i++)
        put_handle(handles[i].type, handles[i].ask);
    put_arrival();
    if (ok(bed_open(), "kernels with handles")) {
        check_handles();
        check_arrival();
    }
    bed_close();
    return tap_done();
}
