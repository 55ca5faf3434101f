/* SPDX-License-Identifier: MIT */
/* What tests of image instructions share: kernels with one form of arguments, images and samplers that the runtime
 * makes, and the comparison of texels with the model (image_model.h). */
#ifndef TESTSUITE_FINALIZER_IMAGE_BED_H
#define TESTSUITE_FINALIZER_IMAGE_BED_H

#include "support/textbuf.h"
#include "testsuite/finalizer/image_model.h"

#include "hsa/hsa.h"

#include <stddef.h>

enum { BED_ITEMS = 128, BED_MEMORY = 1 << 18, BED_GEOMETRIES = 8 };

/* A geometry, and how large its images are; 0 for sizes that it lacks. */
struct bed_geometry {
    const char *name;
    bool has_height, has_depth, has_layers;
    unsigned coordinates;
};
extern const struct bed_geometry bed_geometries[BED_GEOMETRIES];

struct bed_size {
    unsigned width, height, depth, layers;
};

extern hsa_agent_t bed_agent;
extern uint32_t bed_coordinates[BED_ITEMS][4], bed_texels[BED_ITEMS][4];
extern uint8_t bed_memory[BED_MEMORY]; /* of the image that was made last */

uint32_t bed_draw(void); /* the next random number */

/* The module, and adding to it. */
extern struct textbuf bed_text;
#define bed_put(...) textbuf_printf(&bed_text, __VA_ARGS__)

/* Begins a kernel whose work-items find four words of bed_coordinates in $s0 to $s3, four words of bed_texels, which
 * are at $d1, in $s4 to $s7, the image in $d3, and the sampler in $d4. */
void bed_begin(const char *what, const char *geometry, const char *type, const char *image);
/* The end of a kernel, which writes $s4 to $s7 to the texels. */
#define BED_END "st_v4_global_u32 ($s4, $s5, $s6, $s7), [$d1];\n};\n"

bool bed_open(void); /* starts the runtime and compiles the module */
void bed_close(void);
bool bed_run(const char *what, unsigned g, const char *type, uint64_t image, uint64_t sampler);
/* The same without image and sampler, in groups of GROUP. */
bool bed_run_groups(const char *what, unsigned g, const char *type, uint16_t group);

uint32_t bed_capabilities(unsigned g, hsa_ext_image_format_t format);
/* Makes an image of random numbers, which are finite, in bed_memory, and a description of it for the model. */
bool bed_image(unsigned g, hsa_ext_image_format_t format, const struct bed_size *size,
               hsa_access_permission_t permission, hsa_ext_image_t *image, struct picture *p);
bool bed_sampler(bool normalized, bool linear, unsigned addressing, hsa_ext_sampler_t *sampler);

/* The type that instructions have for texels of this format; halves do for floats, too. */
const char *bed_access_type(hsa_ext_image_format_t format);
/* Element I of an image: its indices, and its layer; false if there is none. */
bool bed_element(const struct picture *p, unsigned i, int at[3], unsigned *layer);
void bed_to_coordinates(const struct picture *p, const int at[3], unsigned layer, uint32_t *to);
/* Whether A equals B, or both are floats that differ by at most TOLERANCE. In depth images only the first component
 * counts. */
bool bed_agrees(const struct picture *p, const uint32_t *a, union texel b, double tolerance);
/* Chooses coordinates away from the edges of texels, where all precisions agree. They may be outside of the image,
 * unless addressing is UNDEFINED. */
void bed_place(const struct picture *p, bool normalized, bool undefined, float to[4]);

#endif
