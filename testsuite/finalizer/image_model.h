/* SPDX-License-Identifier: MIT */
/* Images in plain C, from PRM 7.1: what an element means, and what a sampler makes of a coordinate. */
#ifndef TESTSUITE_FINALIZER_IMAGE_MODEL_H
#define TESTSUITE_FINALIZER_IMAGE_MODEL_H

#include "hsa/hsa_ext_image.h"

#include <stdbool.h>
#include <stdint.h>

/* A texel as an instruction sees it; INTEGER is for formats whose components are integers. */
union texel {
    float number[4];
    uint32_t integer[4];
};

struct picture {
    hsa_ext_image_geometry_t geometry;
    hsa_ext_image_format_t format;
    unsigned size[3];     /* width, height, depth; 1 for those that there are not */
    unsigned layers;      /* or 1 */
    unsigned coordinates; /* of an instruction, the layer last */
    size_t row, slice;    /* bytes */
    const uint8_t *data;
};

unsigned picture_bytes(hsa_ext_image_format_t format); /* of an element */
bool picture_is_integer(hsa_ext_image_format_t format);
bool picture_is_array(hsa_ext_image_geometry_t geometry);

/* The texel at indices that are inside of the image. */
union texel picture_load(const struct picture *picture, const int at[3], unsigned layer);

/* The result of rdimage (7.1.6). */
union texel picture_read(const struct picture *picture, bool normalized, bool linear, unsigned addressing,
                         const float *coordinate);

#endif
